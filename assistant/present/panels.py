"""The open questions beside the map as lines: the Youth, the rendezvous, the Lady, deck, Poet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from assistant.core.identity import Standing
from assistant.core.legality import poet_rule
from assistant.core.outlook import marked, rendezvous_here
from assistant.core.score import Ending
from assistant.core.settings import Expansion
from assistant.core.state import State
from assistant.core.stealth import SLOTS, Shown, Special
from assistant.core.suits import Trait
from assistant.core.terms import Feature, Location
from assistant.present.ending_words import ENDING_WORDS
from assistant.present.event_words import shown_words, trait_words
from assistant.present.lights import Layer
from assistant.present.set_up_form import STEP_WORDS, TIE_WORDS
from assistant.present.table_map import layer_shares, layers_in_play
from assistant.present.words import counted, listed, percent


class Tone(Enum):
    """How loud a row is."""

    HEAD = "head"
    PLAIN = "plain"
    STRONG = "strong"
    FAINT = "faint"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a panel; `picture` names a small picture before it."""

    text: str
    tone: Tone = Tone.PLAIN
    picture: str | None = None


Rows = tuple[Row, ...]


def question_rows(state: State) -> Rows:
    """Return who and where: what is left of each open question."""
    layers = layers_in_play(state)
    rows: list[Row] = []
    if Layer.YOUTH in layers:
        rows += _youth(state)
    if Layer.RENDEZVOUS in layers:
        rows += _rendezvous(state)
    if Layer.LADY in layers:
        rows += _lady_places(state)
    if state.game.has_poet:
        rows += _poet(state)
    return tuple(rows)


def lady_rows(state: State) -> Rows:
    """Return who the Lady may be, the clues held, and the stealth deck."""
    return (*_identity(state), *_deck(state))


def score_rows(state: State) -> Rows:
    """Return the score sheet with a reason for every line, and the readings of the open rules."""
    sheet = state.sheet
    rows = [Row("Score", Tone.HEAD), Row(ENDING_WORDS[sheet.ending], Tone.STRONG)]
    rows += [Row(f"{line.points:+d}   {line.reason}".replace("-", "−", 1)) for line in sheet.lines]  # noqa: RUF001 - a minus
    if sheet.total is not None:
        rows.append(Row(f"{counted(sheet.total, 'point')} in all", Tone.STRONG))
    elif sheet.ending is Ending.WON:
        rows.append(Row("The base game's points are still missing.", Tone.FAINT))
    used = len(state.game.helps)
    rows.append(Row(f"{counted(used, 'hint')} used" if used else "no hint used", Tone.FAINT))
    settings = state.started.settings
    rows += [
        Row("Readings of the open rules", Tone.HEAD),
        Row(f"Steps are counted: {STEP_WORDS[settings.steps]}", Tone.FAINT),
        Row(f"The Lady may stay a turn: {_yes(settings.may_stay)}", Tone.FAINT),
        Row(f"She flees after a miss: {_yes(settings.advance_after_miss)}", Tone.FAINT),
    ]
    if Expansion.AGGRESSIVE in state.started.expansions:
        rows.append(Row(f"Ties of the Poet: {TIE_WORDS[settings.tie]}", Tone.FAINT))
    return tuple(rows)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _youth(state: State) -> list[Row]:
    youth = state.youth
    rows = [Row("The Fair Youth", Tone.HEAD)]
    if youth.conflict is not None:
        return [*rows, Row("the answers contradict each other", Tone.STRONG)]
    if not youth.answers:
        return [*rows, Row("nobody was asked yet", Tone.FAINT)]
    return rows + _shares({p.value: s for p, s in youth.weights.items()}, "place")


def _rendezvous(state: State) -> list[Row]:
    found = state.rendezvous
    steps = STEP_WORDS[state.started.settings.steps]
    rows = [Row("The Rendezvous", Tone.HEAD), Row(f"steps: {steps}", Tone.FAINT)]
    if found.conflict is not None:
        return [*rows, Row("the numbers contradict each other", Tone.STRONG)]
    if not found.answers:
        return [*rows, Row("not sought yet", Tone.FAINT)]
    for feature in Feature:
        if feature in found.weights:
            words = f"{feature.value}  {percent(found.weights[feature])}"
            rows.append(Row(words, Tone.PLAIN, feature.value))
    out = [f.value for f in Feature if f not in found.weights]
    if out:
        rows.append(Row(f"not {listed(out)}", Tone.OUT))
    pawn = state.game.pawn
    if pawn is not None:
        here = rendezvous_here(state.board, found.weights, pawn)
        rows.append(Row(f"in {pawn.value}: {percent(here)}", Tone.FAINT))
    return rows


def _lady_places(state: State) -> list[Row]:
    rows = [Row("The Dark Lady now", Tone.HEAD)]
    if not state.lady:
        return [*rows, Row("what was seen contradicts itself", Tone.STRONG)]
    shares = layer_shares(state, Layer.LADY)
    if len(shares) == len(Location) and not state.game.evidence:
        return [*rows, Row("may be anywhere", Tone.FAINT)]
    return rows + _shares({p.value: s for p, s in shares.items()}, "place")


def _shares(shares: dict[str, float], thing: str) -> list[Row]:
    """Return the likeliest first; a long tail in one quiet row."""
    ranked = sorted(shares.items(), key=lambda pair: -pair[1])
    if len(ranked) == 1:
        return [Row(ranked[0][0], Tone.STRONG)]
    rows = [Row(f"{name}  {percent(share)}") for name, share in ranked[:4]]
    if len(ranked) > 4:
        rows.append(Row(f"and {counted(len(ranked) - 4, f'other {thing}')}", Tone.FAINT))
    return rows


def _poet(state: State) -> list[Row]:
    game = state.game
    name = "Elusive" if game.is_elusive else "Aggressive"
    where = "not placed yet" if game.poet is None else f"in {game.poet.value}"
    rows = [Row(f"The {name} Poet", Tone.HEAD), Row(where)]
    rule = poet_rule(game)
    if rule is not None and game.phase.value == "poet":
        rows.append(Row(rule.why, Tone.FAINT))
        rows += [Row(f"or to {place.value}", Tone.FAINT) for place in rule.alternatives]
    return rows


def _identity(state: State) -> list[Row]:
    identity = state.identity
    suit = "suit not told" if identity.suit is None else f"suit {identity.suit.value}"
    rows = [Row(f"Who is she? ({suit})", Tone.HEAD)]
    if not state.game.clues:
        rows.append(Row("no clue yet", Tone.FAINT))
    elif identity.conflict:
        rows.append(Row("the clues contradict each other", Tone.STRONG))
    else:
        rows += [_trait_row(state, trait) for trait in Trait]
        left = len(identity.triples)
        if left == 1:
            rows.append(Row(f"She has {trait_words(identity.triples[0])}.", Tone.STRONG))
        else:
            rows.append(Row(f"{counted(left, 'combination')} left of 35", Tone.FAINT))
    for held in state.game.clues:
        mark = "?"
        if identity.suit is not None:
            counts = held.clue.counts(identity.suit)
            mark = "?" if counts is None else "/".join(map(str, sorted(counts)))
        name = held.clue.name or "clue"
        rows.append(Row(f"{name}: {trait_words(held.clue.traits)}: {mark}", Tone.FAINT))
    return rows


def _trait_row(state: State, trait: Trait) -> Row:
    standing = state.identity.standing[trait]
    if standing is Standing.CERTAIN:
        return Row(f"{trait.value}: yes", Tone.STRONG, trait.value)
    if standing is Standing.OUT:
        return Row(f"{trait.value}: no", Tone.OUT, trait.value)
    share = percent(float(state.identity.weights[trait]))
    return Row(f"{trait.value}: perhaps, {share}", Tone.PLAIN, trait.value)


def _deck(state: State) -> list[Row]:
    game = state.game
    if not game.tracked:
        return []
    shows = game.shows
    picture = None if shows is Shown.UNSEEN else shows.value
    rows = [
        Row("The stealth deck", Tone.HEAD),
        Row(f"on top: {shown_words(shows)}", picture=picture),
    ]
    if not game.deck.escaped:
        left = game.deck.updates_until_escape()
        rows.append(Row(f"she escapes after {counted(left, 'update')}"))
    rows += [Row(_CAME_UP[card], Tone.STRONG) for card in game.deck.came_up]
    rows.append(Row(f"{counted(game.fog_left, 'fog card')}, {counted(game.clues_held, 'clue')}"))
    left = len(Location) - len(game.visited)
    if left:
        rows.append(Row(f"{counted(left, 'place')} not visited yet", Tone.FAINT))
    for name, marker in (("Waypoint", game.deck.waypoint), ("Tracer", game.deck.tracer)):
        found = marked(game, marker)
        if found is not None:
            ahead = f"in {counted(found.updates, 'update')}"
            if found.updates == SLOTS:
                ahead = f"now, again {ahead}"
            if found.card_in not in (None, found.updates):
                ahead += f"; its card in {found.card_in}"
            rows.append(Row(f"{name}: {found.location.value}, {ahead}"))
    return rows


_CAME_UP = {
    Special.COUNTDOWN: "The countdown card came up: lay it at the bottom.",
    Special.WAYPOINT: "The waypoint card came up: set it aside.",
    Special.TRACER: "The tracer came up: set it aside.",
}
