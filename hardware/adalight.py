"""The Adalight protocol, as pure bytes: what WLED and many hobby boards understand.

    'A' 'd' 'a' hi lo check  R G B  R G B …

hi and lo are the number of lights less one, big endian; check = hi ^ lo ^ 0x55. There is no sum
over the colours and no answer. A reader that lost a byte takes it from the next frame, and what is
left over then reaches it outside of a frame, where a WLED takes some bytes for commands (one
changes its line speed). Two things keep that harmless: zeros before each frame, which are ignored
outside of a frame and make good for a lost byte within one; and colours that never hold a byte
which is a command.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.lights import Rgb

#: What boards say when they start, some of them every second while nothing comes.
BANNER = b"Ada"

#: Zeros before each frame: they fill up a frame that lost up to this many bytes.
PADDING = bytes(8)

#: Zeros that end even a whole frame of the largest board.
FLUSH = bytes(3 * 40 + len(PADDING))

#: What a WLED takes for a command outside of a frame.
TRIGGERS = frozenset(b"AIvlLoO{\xc9") | frozenset(range(0xB0, 0xB8))


def adalight(colours: Sequence[Rgb]) -> bytes:
    """Return one frame, every byte of every colour as given.

    Raises:
        ValueError: there are no colours, or more than the count can tell.
    """
    if not 1 <= len(colours) <= 0x10000:
        raise ValueError(f"a frame has 1 to 65536 lights, not {len(colours)}")
    high, low = divmod(len(colours) - 1, 256)
    header = BANNER + bytes((high, low, high ^ low ^ 0x55))
    return header + bytes(value for colour in colours for value in colour)


def safe(colours: Sequence[Rgb]) -> tuple[Rgb, ...]:
    """Return the colours without bytes that are commands, each the nearest below."""
    return tuple(Rgb(*(_SAFE[value] for value in colour)) for colour in colours)


def _nearest_below(value: int) -> int:
    while value in TRIGGERS:
        value -= 1
    return value


_SAFE = tuple(_nearest_below(value) for value in range(256))
