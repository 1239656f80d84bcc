"""The tables of the page: what was done, what the cards said, the clues, the score."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape

from assistant.core.identity import Standing
from assistant.core.score import Ending
from assistant.core.state import State
from assistant.core.suits import Trait
from assistant.core.terms import Location
from assistant.present.ending_words import looking_back
from assistant.present.story import Left, Step
from assistant.present.words import percent

_MARKS = {Standing.CERTAIN: "certain", Standing.POSSIBLE: "possible", Standing.OUT: "out"}


def moves_table(steps: Sequence[Step], pictures: Mapping[int, bytes]) -> str:
    """Return every step as a row that the scrubber can be sent to.

    Args:
        steps: the story.
        pictures: JPEGs of what the camera saw, by the numbers of their events.
    """
    rows = []
    for number, step in enumerate(steps):
        kinds = ["" if step.stands else "gone", "seen" if step.seen else ""]
        picture = pictures.get(step.seq)
        shown = "" if picture is None else _picture(picture, step.text)
        what = escape(step.text[:1].upper() + step.text[1:])
        result = f'<div class="result">{escape(step.result)}</div>' if step.result else ""
        rows.append(
            f'<tr id="s{number}" class="{" ".join(filter(None, kinds))}" data-step="{number}">'
            f'<td class="num">{step.seq}</td><td class="clock">{step.clock}</td>'
            f'<td class="num">{step.turn or ""}</td><td>{shown}{what}{result}</td>'
            f'<td class="left">{left_words(step.left).replace("-", "&ndash;")}</td></tr>'
        )
    return (
        '<table id="moves"><thead><tr><th class="num">entry</th><th>time</th>'
        '<th class="num">turn</th><th>what happened</th>'
        '<th class="left" title="places, features, places, triples left">Youth · rendezvous · '
        f"Lady · traits</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def left_words(left: Left) -> str:
    """Return the counts left as "5 · 3 · 2 · 18"; a dash for what was not followed."""
    counts = (left.youth, left.rendezvous, left.lady, left.triples)
    return " · ".join("-" if count is None else str(count) for count in counts)


def _picture(data: bytes, text: str) -> str:
    coded = base64.b64encode(data).decode("ascii")
    return f'<img class="seen" alt="{escape(text)}" src="data:image/jpeg;base64,{coded}">'


def answers_table(state: State) -> str:
    """Return what each place said, gave and hid."""
    rows = []
    for place in Location:
        said, gave = state.youth.value_at(place), state.rendezvous.value_at(place)
        share = state.youth.weights.get(place)
        searches = [search.hit for search in state.searches if search.location is place]
        found = ", ".join("she was here" if hit else "nobody" for hit in searches)
        features = ", ".join(sorted(f.value for f in state.board.features(place)))
        rows.append(
            f"<tr><th>{escape(place.value)}</th><td>{features}</td>"
            f"<td>{'' if said is None else said.value}</td>"
            f'<td class="num">{"" if gave is None else gave}</td><td>{found}</td>'
            f'<td class="num">{"&ndash;" if share is None else percent(share)}</td></tr>'
        )
    return (
        "<table><thead><tr><th>place</th><th>features</th><th>Youth said</th>"
        '<th class="num">gave</th><th>searched</th><th class="num">Youth there</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def clues_table(state: State) -> str:
    """Return the clues held with their traits, and what follows for each trait."""
    identity = state.identity
    if not identity.clues and state.game.lady_confronted is None:
        return '<p class="none">No clue was gained.</p>'
    head = "".join(f"<th class='trait'>{trait.value}</th>" for trait in Trait)
    rows = []
    for held in identity.clues:
        cells = "".join(_dot(trait in held.clue.traits) for trait in Trait)
        counts = None if identity.suit is None else held.clue.counts(identity.suit)
        mark = "?" if counts is None else "/".join(map(str, sorted(counts)))
        name = escape(held.clue.name or f"entry {held.by}")
        rows.append(f'<tr><th>{name}</th>{cells}<td class="num">{mark}</td></tr>')
    standing = "".join(
        f'<td class="trait {_MARKS[identity.standing[trait]]}">'
        f"{_standing(identity.standing[trait], float(identity.weights[trait]))}</td>"
        for trait in Trait
    )
    triples = f'<td class="num">{len(identity.triples)} of 35</td>'
    rows.append(f'<tr class="sum"><th>what follows</th>{standing}{triples}</tr>')
    if state.game.lady_confronted is not None:
        act = state.game.lady_confronted[0]
        cells = "".join(_dot(trait in act.named) for trait in Trait)
        rows.append(f'<tr><th>you named</th>{cells}<td class="num"></td></tr>')
        cells = "".join(_dot(trait in act.traits) for trait in Trait)
        rows.append(f'<tr><th>her card</th>{cells}<td class="num"></td></tr>')
    suit = "" if identity.suit is None else f" ({identity.suit.value})"
    return (
        f'<table class="clues"><thead><tr><th>clue</th>{head}<th class="num">shares{suit}</th></tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _dot(has: bool) -> str:
    return f'<td class="trait">{"●" if has else ""}</td>'


def _standing(standing: Standing, share: float) -> str:
    if standing is Standing.CERTAIN:
        return "yes"
    return "no" if standing is Standing.OUT else percent(share)


def score_table(state: State) -> str:
    """Return the score sheet: every line with its reason, and the total where there is one."""
    sheet = state.sheet
    rows = "".join(
        f'<tr><td>{escape(line.reason)}</td><td class="num">{line.points:+d}</td></tr>'
        for line in sheet.lines
    )
    if sheet.total is not None:
        total = f'<td class="num">{sheet.total}</td>'
    elif sheet.ending is Ending.WON:
        total = '<td class="num" title="the base game&rsquo;s own score was not entered">?</td>'
    else:
        total = '<td class="num">&ndash;</td>'
    return (
        f'<p class="ending">{escape(looking_back(sheet.ending))}</p>'
        f'<table class="score"><tbody>{rows}<tr class="sum"><th>total</th>{total}</tr></tbody>'
        f"</table>{_helps(state)}"
    )


def _helps(state: State) -> str:
    used = len(state.game.helps)
    if not used:
        return '<p class="none">No hint was asked for.</p>'
    return f'<p class="none">Hints asked for: {used}.</p>'
