"""The log as lines: events to lines and back, old versions lifted, damage told. Opens no file."""

from assistant.journal.lines import Damage, Replay, decode, encode

__all__ = ["Damage", "Replay", "decode", "encode"]
