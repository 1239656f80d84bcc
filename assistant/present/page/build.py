"""The whole page put together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

from assistant.core.settings import Expansion
from assistant.core.state import State
from assistant.core.terms import Location
from assistant.present.ending_words import outcome_words
from assistant.present.page.map import map_svg, snapshot
from assistant.present.page.script import SCRIPT
from assistant.present.page.style import STYLE
from assistant.present.page.tables import (
    answers_table,
    clues_table,
    moves_table,
    score_table,
)
from assistant.present.page.timeline import timeline_svg
from assistant.present.set_up_form import expansion_name
from assistant.present.story import Step, moment_of
from assistant.present.table_map import layers_in_play
from assistant.present.words import counted, listed

#: What this page may do: show what it holds, and ask for nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True, slots=True)
class Page:
    """What a page is made of."""

    name: str
    steps: Sequence[Step]
    #: What the log notes of itself: program, system, camera, profile.
    made_by: Mapping[str, str] = field(default_factory=dict)
    #: JPEGs of what the camera saw, by the numbers of their events.
    pictures: Mapping[int, bytes] = field(default_factory=dict)
    #: What is wrong with the log; told on the page.
    warnings: Sequence[str] = ()


def session_page(page: Page) -> str:
    """Return the page of a session as HTML.

    Raises:
        ValueError: nothing happened in it.
    """
    if not page.steps:
        raise ValueError("a session without any entry has no page")
    state = page.steps[-1].state
    layers = layers_in_play(state)
    maps = [snapshot(step.state, layers) for step in page.steps]
    title = escape(f"Black Sonata, {_evening(page.steps)}")
    warnings = "".join(f'<p class="warning">{escape(text)}</p>' for text in page.warnings)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="icon" href="data:,"><style>{STYLE}</style></head>
<body class="no-script">
<header><h1>{title}</h1><p class="facts">{escape(_facts(page.steps, state))}</p>
<p class="outcome">{escape(outcome_words(state.sheet))}</p>{warnings}</header>
{_player()}
<div class="block">{map_svg(state, maps[-1])}{_legend(maps)}</div>
<div class="block"><h2>What was still possible</h2>{timeline_svg(page.steps)}</div>
<div class="block"><h2>What the places said</h2>{answers_table(state)}</div>
<div class="columns"><div class="block"><h2>Clues</h2>{clues_table(state)}</div>
<div class="block"><h2>Score</h2>{score_table(state)}</div></div>
<h2>The game, move by move</h2>{moves_table(page.steps, page.pictures)}
<footer>{_footer(page, state)}</footer>
<script type="application/json" id="game">{_data(page.steps, maps)}</script>
<script>{SCRIPT}</script></body></html>
"""


def _evening(steps: Sequence[Step]) -> str:
    moment = moment_of(steps[0].entry.time)
    return "an evening" if moment is None else f"{moment.day} {moment.strftime('%B %Y')}"


def _facts(steps: Sequence[Step], state: State) -> str:
    parts = [expansion_name(e) for e in Expansion if e in state.started.expansions]
    played = f"With {listed(parts)}" if parts else "The base game"
    turns = f", {counted(state.game.turn, 'turn')}" if state.game.turn else ""
    start, end = moment_of(steps[0].entry.time), moment_of(steps[-1].entry.time)
    clock = ""
    if start is not None and end is not None:
        clock = f", {start.strftime('%H:%M')} to {end.strftime('%H:%M')}"
    return f"{played}{turns}, {counted(len(steps), 'entry').replace('entrys', 'entries')}{clock}"


def _player() -> str:
    return (
        '<div id="player"><div class="row">'
        '<button id="first" title="to the beginning">|&lt;</button>'
        '<button id="back" title="one step back (arrow left)">&lt;</button>'
        '<button id="play">Play</button>'
        '<button id="on" title="one step on (arrow right)">&gt;</button>'
        '<button id="last" title="to the end">&gt;|</button>'
        '<input id="scrub" type="range" min="0" max="0" value="0" step="1" '
        'aria-label="step of the game"><span id="count"></span></div>'
        '<div id="where"><b id="said"></b><div id="followed" class="result"></div></div></div>'
    )


def _legend(maps: Sequence[Mapping[str, Any]]) -> str:
    """Return what the marks mean, those that come up in the game."""
    marks = (
        (
            "youth",
            '<svg viewBox="-12 -12 24 24"><circle class="youth" r="9"/></svg>'
            "the Youth may hide here, with his share",
        ),
        (
            "lady",
            '<svg viewBox="-12 -12 24 24"><circle class="lady" r="9" '
            'style="stroke-width:3;stroke-dasharray:5 3"/></svg>the Lady may be here',
        ),
        (
            "features",
            '<span class="may">church</span> may be the rendezvous, <s>tavern</s> is not',
        ),
        (
            "pawn",
            '<svg class="pawn" viewBox="-26 -32 52 60">'
            '<path d="M-13 20 Q-13 2 -5 -4 A11 11 0 1 1 5 -4 Q13 2 13 20 Z"/></svg>your pawn',
        ),
        (
            "poet",
            '<svg class="poet" viewBox="-26 -32 52 60"><path d="M0 -24 L15 -2 L0 20 L-15 -2 Z"/>'
            "</svg>the Rival Poet",
        ),
    )
    told = [
        f"<span>{words}</span>"
        for name, words in marks
        if any(shown[name] is not None for shown in maps)
    ]
    return f'<p class="legend">{"".join(told)}</p>'


def _footer(page: Page, state: State) -> str:
    settings = state.started.settings
    readings = (
        f"Steps counted as {settings.steps.value}; the Lady "
        f"{'may' if settings.may_stay else 'may not'} stay; the deck "
        f"{'advances' if settings.advance_after_miss else 'does not advance'} after a miss; "
        f"ties by the {settings.tie.value} roads."
    )
    made = ", ".join(f"{name} {value}" for name, value in page.made_by.items() if value)
    return f"Session {escape(page.name)}. {escape(readings)}<br>{escape(made)}"


def _data(steps: Sequence[Step], maps: Sequence[Mapping[str, Any]]) -> str:
    """Return the steps as JSON that cannot end the script element it stands in."""
    game = {
        "places": len(Location),
        "steps": [
            {
                "turn": step.turn,
                "text": step.text[:1].upper() + step.text[1:] + ".",
                "result": step.result,
                "left": asdict(step.left),
                "map": shown,
            }
            for step, shown in zip(steps, maps, strict=True)
        ],
    }
    text = json.dumps(game, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
