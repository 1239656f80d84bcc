"""How many candidates were left, step by step: one strip for each thing that was sought."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.present.story import Left, Step

_WIDTH, _STRIP, _LEFT, _RIGHT, _TOP = 1000, 66, 148, 60, 12

#: The strips: the field of `Left`, its words, how many there are at first, its class.
_STRIPS = (
    ("youth", "The Youth's hideout", 11, "youth"),
    ("rendezvous", "The rendezvous", 7, "rendezvous"),
    ("lady", "The Lady's place", 11, "lady"),
    ("triples", "The Lady's traits", 35, "triples"),
)


def timeline_svg(steps: Sequence[Step]) -> str:
    """Return the strips as an SVG element; one that was never followed is left out.

    `data-left`, `data-right` and `data-steps` tell the script where the cursor goes.
    """
    strips = [strip for strip in _STRIPS if any(_of(s.left, strip[0]) is not None for s in steps)]
    high = _TOP + _STRIP * len(strips) + 26
    parts = [
        f'<svg id="timeline" viewBox="0 0 {_WIDTH} {high}" role="img" '
        f'aria-label="Candidates left, step by step" data-left="{_LEFT}" '
        f'data-right="{_WIDTH - _RIGHT}" data-steps="{len(steps)}">'
    ]
    for row, strip in enumerate(strips):
        parts.append(_strip(steps, strip, _TOP + row * _STRIP))
    parts.append(_turns(steps, high - 22))
    at = _x(len(steps) - 1, len(steps))
    parts.append(f'<line id="cursor" x1="{at:.1f}" x2="{at:.1f}" y1="4" y2="{high - 22}"/></svg>')
    return "\n".join(parts)


def _of(left: Left, name: str) -> int | None:
    found: int | None = getattr(left, name)
    return found


def _x(number: int, steps: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * number / max(1, steps - 1)


def _strip(steps: Sequence[Step], strip: tuple[str, str, int, str], top: float) -> str:
    name, words, most, kind = strip
    room = _STRIP - 18
    points: list[str] = []
    last = None
    for number, step in enumerate(steps):
        left = _of(step.left, name)
        if left is None:
            continue
        x, y = _x(number, len(steps)), top + room * (1 - left / most)
        # A count holds until the next entry: a stair, not a slope.
        points += [f"{x:.1f},{last[1]:.1f}"] if last is not None else []
        points.append(f"{x:.1f},{y:.1f}")
        last = (left, y)
    assert last is not None  # noqa: S101 - strips without any count are left out
    line, base = " ".join(points), top + room
    first_x, end_x = points[0].partition(",")[0], points[-1].partition(",")[0]
    return (
        f'<text class="strip" x="0" y="{top + 22:.0f}">{words}</text>'
        f'<text class="of" x="0" y="{top + 40:.0f}">of {most}</text>'
        f'<line class="base" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{base:.1f}" y2="{base:.1f}"/>'
        f'<polygon class="area {kind}" points="{first_x},{base:.1f} {line} {end_x},{base:.1f}"/>'
        f'<polyline class="stair {kind}" points="{line}"/>'
        f'<text class="end {kind}" data-of="{name}" x="{_WIDTH - _RIGHT + 12}" '
        f'y="{top + room:.0f}">{last[0]}</text>'
    )


def _turns(steps: Sequence[Step], y: float) -> str:
    """Return a tick where each turn begins, with its number where there is room."""
    first = {step.turn: number for number, step in reversed(list(enumerate(steps)))}
    turns = sorted(turn for turn in first if turn > 0)
    every = max(1, -(-len(turns) // 24))
    parts = [f'<text class="of" x="0" y="{y + 18:.0f}">turn</text>'] if turns else []
    for turn in turns:
        x = _x(first[turn], len(steps))
        parts.append(f'<line class="tick" x1="{x:.1f}" x2="{x:.1f}" y1="{y - 4}" y2="{y}"/>')
        if turn % every == 0 or turn == 1:
            parts.append(f'<text class="turn" x="{x:.1f}" y="{y + 18:.0f}">{turn}</text>')
    return "".join(parts)
