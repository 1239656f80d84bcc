"""The page of all sessions: figures and plots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from assistant.core.score import Ending
from assistant.present.ending_words import looking_back
from assistant.present.page.style import STYLE
from assistant.present.statistics import DEDUCTIONS, Figures
from assistant.present.story import moment_of
from assistant.present.words import counted

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

_STYLE = """
.bar.won { fill: #5f8f4e; } .bar.lost { fill: #b3503f; } .bar.open { fill: #b9ad97; }
.bar.read { fill: var(--rendezvous); } .bar.typed { fill: #b9ad97; } .bar.wrong { fill: #a8142c; }
.dot { fill-opacity: .55; }
.dot.youth { fill: var(--youth); } .dot.triples { fill: var(--triples); }
.dot.rendezvous { fill: var(--rendezvous); } .mid { stroke: var(--ink); stroke-width: 2.5; }
.figure { display: inline-block; margin: 0 38px 10px 0; } .figure b { display: block;
  font-size: 30px; font-weight: normal; color: var(--accent); }
.figure span { color: var(--faint); } .label { text-anchor: middle; font-size: 13px; }
.number { text-anchor: middle; font-size: 15px; font-weight: bold; } .zero { stroke: #7d715f; }
"""

_WIDTH = 1000


def stats_page(sessions: Sequence[Figures], totals: Mapping[str, Any]) -> str:
    """Return the page; `totals` is the summary of the same sessions, the oldest first."""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>Black Sonata, all sessions</title><link rel="icon" href="data:,">
<style>{STYLE}{_STYLE}</style></head><body>
<header><h1>Black Sonata, {counted(len(sessions), "session")}</h1></header>
<p>{_figures(totals)}</p>
<div class="block"><h2>Scores, evening by evening</h2>{_scores(sessions)}</div>
<div class="block"><h2>Scores by what was in play</h2>{_by_expansion(totals)}</div>
<div class="block"><h2>How soon each thing was known</h2>{_known(sessions)}
<p class="none">A dot for each session, the stroke is the middle one. Turns; where no turns were
followed, readings.</p></div>
<div class="block"><h2>Readings and corrections</h2>{_readings(sessions)}
<p class="none">Blue: read by the camera; red: of these, taken back or put right; grey: typed.</p>
</div></body></html>
"""


def _figures(totals: Mapping[str, Any]) -> str:
    middle = totals["frames_a_reading"]["median"]
    told = (
        (totals["games"], "games played to the end"),
        (totals["won"], "won"),
        (totals["hints"], "hints asked for"),
        (totals["readings"], "cards read by the camera"),
        (totals["misread"], "of them put right"),
        ("&ndash;" if middle is None else f"{middle:g}", "frames a reading, in the middle"),
    )
    return "".join(
        f'<span class="figure"><b>{number}</b><span>{words}</span></span>' for number, words in told
    )


def _columns(
    sessions: Sequence[Figures], high: int, draw: Callable[[Figures, float, float], str]
) -> str:
    """Return a column for each session with its date below; `draw` gets the middle and width."""
    step = _WIDTH / max(8, len(sessions))
    every = max(1, -(-len(sessions) // 16))
    parts = [f'<svg viewBox="0 0 {_WIDTH} {high + 28}">']
    for number, each in enumerate(sessions):
        x = (number + 0.5) * step
        parts.append(draw(each, x, min(step * 0.62, 60)))
        moment = moment_of(each.began)
        if moment is not None and number % every == 0:
            words = f"{moment.day} {moment.strftime('%b')}"
            parts.append(f'<text class="label" x="{x:.1f}" y="{high + 20}">{words}</text>')
    return "".join([*parts, "</svg>"])


def _scores(sessions: Sequence[Figures]) -> str:
    high = 190
    most = max([abs(each.total or 0) for each in sessions] + [1])

    def draw(each: Figures, x: float, wide: float) -> str:
        kind = {Ending.WON: "won", Ending.OPEN: "open"}.get(each.ending, "lost")
        tall = (high - 40) * max(0, each.total or 0) / most if each.total is not None else 0
        tall = max(tall, 5.0)
        words = "lost" if kind == "lost" else "open" if kind == "open" else "won"
        number = words if each.total is None else str(each.total)
        return (
            f'<rect class="bar {kind}" x="{x - wide / 2:.1f}" y="{high - tall:.1f}" '
            f'width="{wide:.1f}" height="{tall:.1f}"><title>{escape(each.name)}: '
            f"{escape(looking_back(each.ending))}</title></rect>"
            f'<text class="number" x="{x:.1f}" y="{high - tall - 8:.1f}">{number}</text>'
        )

    return _columns(sessions, high, draw)


def _by_expansion(totals: Mapping[str, Any]) -> str:
    rows = []
    for played, row in totals["scores"].items():
        cells = (row["games"], row["won"], row["least"], row["median"], row["most"])
        numbers = "".join(
            f'<td class="num">{"&ndash;" if cell is None else f"{cell:g}"}</td>' for cell in cells
        )
        rows.append(f"<tr><th>{escape(played.replace('+', ', '))}</th>{numbers}</tr>")
    heads = "".join(
        f'<th class="num">{head}</th>' for head in ("games", "won", "least", "middle", "best")
    )
    return (
        f"<table><thead><tr><th>in play</th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody>"
        "</table>"
    )


def _known(sessions: Sequence[Figures]) -> str:
    found = {
        kind: [after for each in sessions if (after := each.known_after[kind]) is not None]
        for kind, _ in DEDUCTIONS
    }
    most = max([after for values in found.values() for after in values] + [10])
    left, right, row = 190, 30, 46
    high = row * len(DEDUCTIONS) + 30

    def at(value: float) -> float:
        return left + (_WIDTH - left - right) * value / most

    parts = [f'<svg viewBox="0 0 {_WIDTH} {high}">']
    for number, (kind, words) in enumerate(DEDUCTIONS):
        y = 26 + number * row
        parts.append(f'<text class="strip" x="0" y="{y + 5}">{escape(words)}</text>')
        parts.append(f'<line class="base" x1="{left}" x2="{_WIDTH - right}" y1="{y}" y2="{y}"/>')
        parts += [
            f'<circle class="dot {kind}" cx="{at(value):.1f}" cy="{y}" r="9"/>'
            for value in found[kind]
        ]
        if found[kind]:
            x = at(sorted(found[kind])[len(found[kind]) // 2])
            parts.append(
                f'<line class="mid" x1="{x:.1f}" x2="{x:.1f}" y1="{y - 15}" y2="{y + 15}"/>'
            )
    for value in range(0, most + 1, max(1, most // 10)):
        parts.append(f'<text class="turn" x="{at(value):.1f}" y="{high - 6}">{value}</text>')
    return "".join([*parts, "</svg>"])


def _readings(sessions: Sequence[Figures]) -> str:
    high = 150
    most = max([each.readings + each.typed for each in sessions] + [1])

    def draw(each: Figures, x: float, wide: float) -> str:
        y = float(high)
        parts = []
        right = each.readings - each.misread
        for kind, count in (("read", right), ("wrong", each.misread), ("typed", each.typed)):
            tall = (high - 30) * count / most
            y -= tall
            parts.append(
                f'<rect class="bar {kind}" x="{x - wide / 2:.1f}" y="{y:.1f}" '
                f'width="{wide:.1f}" height="{tall:.1f}"/>'
            )
        count = each.readings + each.typed
        return "".join(parts) + f'<text class="number" x="{x:.1f}" y="{y - 7:.1f}">{count}</text>'

    return _columns(sessions, high, draw)
