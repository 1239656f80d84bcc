"""The log as lines: events to lines and back, old versions lifted, damage told. Opens no file."""

from assistant.journal.lines import Damage, Odd, Oddity, PassedOver, Replay, decode, encode
from assistant.journal.notes import LogOpened, LogRepaired, Noted
from assistant.journal.repair import Examined, examine, repaired

__all__ = [
    "Damage",
    "Examined",
    "LogOpened",
    "LogRepaired",
    "Noted",
    "Odd",
    "Oddity",
    "PassedOver",
    "Replay",
    "decode",
    "encode",
    "examine",
    "repaired",
]
