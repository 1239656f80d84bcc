"""The words of `bystander play --headless`: one typed command to one act of the game.

    start [with EXPANSIONS] [pawn PLACE] [poet PLACE] [suit SUIT] [top SYMBOL] [passes N]
          [steps walk|path|shortest] [stay on|off] [miss on|off] [tie drawn|straight]
    update SYMBOL|fog|?          the Lady moved on; the new top of the stealth deck
    poet [PLACE]                 the Poet's update; without a place as the rules have it
    move PLACE                   ask ICON            seek NUMBER        search hit|miss        pass
    fog CARD [to PLACE] [advance SYMBOLS] [clues N] [discard N] [suit SUIT] [leaves]
    flee SYMBOLS                 after a search: what each new top showed, "-" for none
    clue NAME | clue TRAITS MARK         a clue card turned up: base Lady, or traits and the mark
    reread N MARK                clue number N (its event) read again in the Lady's new row
    suit SUIT                    place PLACE         (the Poet's pawn after he was caught)
    waypoint PLACE               tracer PLACE 3|5
    confront youth PLACE         the hideout printed on the Fair Youth card
    confront lady TRAITS found|absent is TRAITS [rendezvous FEATURE]
    help ask|seek|intercept|sure         base POINTS

SYMBOLS and TRAITS are lists with commas. `ask`, `seek` and `search` are where the pawn is, or say
where: `ask Cornhill=church`. A line that begins with { is an event as the log has it:
{"kind": "pawn-moved", "to": "Cornhill"}. EXPANSIONS: youth, rendezvous, elusive, aggressive,
darker, markers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from assistant.core.errors import UsageError
from assistant.core.events import (
    Act,
    RendezvousSought,
    SearchMade,
    Seq,
    SessionStarted,
    YouthAsked,
)
from assistant.core.legality import poet_rule
from assistant.core.names import parse_feature, parse_lady, parse_location, parse_word
from assistant.core.open_rules import OPEN_RULES
from assistant.core.settings import Expansion, Settings, TieReading
from assistant.core.state import State
from assistant.core.stealth import Shown
from assistant.core.suits import Clue, Mark, Suit, Trait, parse_counts, suits_in_play
from assistant.core.terms import Location, StepReading
from assistant.core.turn_events import (
    BaseScored,
    ClueGained,
    ClueReread,
    FogUsed,
    Help,
    HelpUsed,
    LadyConfronted,
    LadyFled,
    LadyUpdated,
    Passed,
    PawnMoved,
    PoetMoved,
    PoetPlaced,
    SuitTold,
    TracerPlaced,
    WaypointPlaced,
    YouthConfronted,
)
from assistant.data import load_aliases, load_ladies
from assistant.journal.fields import KINDS, from_json

Words = Sequence[str]

#: No number of the game has more.
_MOST_DIGITS = 6


def parse_act(line: str, state: State) -> Act:
    """Return the act that a line means where the game stands.

    Raises:
        UsageError: it cannot be understood; says what would.
    """
    if line.lstrip().startswith("{"):
        return _event(line)
    if not line.split():
        raise UsageError("a command is missing")
    verb, *rest = line.split()
    meant = _VERBS.get(verb.casefold())
    if meant is None:
        raise UsageError(f'"{verb}" is no command; there are {", ".join(_VERBS)}')
    try:
        return meant(rest, state)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _event(line: str) -> Act:
    try:
        found = json.loads(line)
        event = from_json(found, KINDS[found["kind"]])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"this is no event of the log: {error}") from error
    if not isinstance(event, Act):
        raise UsageError(f"{found['kind']} is no act of the game; use undo, correct, or house")
    if isinstance(event, ClueGained):
        _refuse_unknown(event.clue)
    return event


def _refuse_unknown(clue: Clue) -> None:
    """Refuse a card by a name that no Lady bears, or with what is not printed on hers.

    Raises:
        UsageError: it is such a card.
    """
    if clue.name is None:
        return
    printed = next((card.clue for card in load_ladies() if card.clue.name == clue.name), None)
    if printed is None:
        raise UsageError(f'no Lady is called "{clue.name}"')
    if (printed.traits, frozenset(printed.marks)) != (clue.traits, frozenset(clue.marks)):
        raise UsageError(f"this is not what is printed on the card of {clue.name}")


def place(words: Iterable[str]) -> Location:
    """Return the place that words name together."""
    return parse_location(" ".join(words), load_aliases())


def _number(text: str, noun: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise UsageError(f"a {noun} has at most {_MOST_DIGITS} digits")
    if not text.isascii() or not text.isdigit():
        raise UsageError(f'"{text}" is no {noun}')
    return int(text)


def _shown(text: str) -> Shown:
    if text == "?":
        return Shown.UNSEEN
    return parse_word(text, Shown, "symbol")


def _shown_list(words: Words) -> tuple[Shown, ...]:
    listed = _listed(words)
    return () if listed == ["-"] else tuple(_shown(word) for word in listed)


def _listed(words: Words) -> list[str]:
    return [word for word in " ".join(words).replace(",", " ").split() if word]


def _traits(words: Words) -> frozenset[Trait]:
    return frozenset(parse_word(word, Trait, "trait") for word in _listed(words))


def _parted(words: Words, keys: Iterable[str]) -> dict[str, list[str]]:
    """Return the words after each keyword; those before the first under ""."""
    known = set(keys)
    parts: dict[str, list[str]] = {"": []}
    at = ""
    for word in words:
        if word.casefold() in known:
            at = word.casefold()
            if at in parts:
                raise UsageError(f'"{at}" is there twice')
            parts[at] = []
        else:
            parts[at].append(word)
    return parts


def _one(words: Words, noun: str) -> str:
    if len(words) != 1:
        raise UsageError(f"one {noun} is wanted here, not {' '.join(words) or 'nothing'!r}")
    return words[0]


def _none(words: Words, after: str) -> None:
    if words:
        raise UsageError(f'nothing is wanted after {after}, not "{" ".join(words)}"')


def _switch(words: Words) -> bool:
    word = _one(words, "on or off").casefold()
    if word not in ("on", "off"):
        raise UsageError(f'"{word}" is neither on nor off')
    return word == "on"


def _start(words: Words, _: State) -> Act:
    keys = ("with", "pawn", "poet", "suit", "top", "passes", "steps", "stay", "miss", "tie")
    parts = _parted(words, keys)
    if parts[""]:
        raise UsageError(f"start knows {', '.join(keys)}, not {parts[''][0]!r}")
    default = Settings()
    steps, tie = parts.get("steps"), parts.get("tie")
    settings = Settings(
        default.steps
        if steps is None
        else parse_word(_one(steps, "reading"), StepReading, "reading"),
        _switch(parts["stay"]) if "stay" in parts else default.may_stay,
        _switch(parts["miss"]) if "miss" in parts else default.advance_after_miss,
        default.tie if tie is None else parse_word(_one(tie, "reading"), TieReading, "reading"),
    )
    expansions = frozenset(
        parse_word(word, Expansion, "expansion") for word in _listed(parts.get("with", []))
    )
    return SessionStarted(
        expansions,
        settings,
        place(parts["pawn"]) if "pawn" in parts else None,
        place(parts["poet"]) if "poet" in parts else None,
        _suit(parts["suit"], expansions) if "suit" in parts else None,
        _shown(_one(parts["top"], "symbol")) if "top" in parts else Shown.UNSEEN,
        _passes(_one(parts["passes"], "number")) if "passes" in parts else 2,
    )


def _passes(text: str) -> int:
    offered = next(rule.values for rule in OPEN_RULES if rule.setting == "passes")
    if text not in offered:
        raise UsageError(f'"{text}" is no number of passes; choose from {", ".join(offered)}')
    return int(text)


def _suit(words: Words, expansions: frozenset[Expansion]) -> Suit:
    return parse_word(_one(words, "suit"), suits_in_play(expansions), "suit")


def _update(words: Words, _: State) -> Act:
    return LadyUpdated(_shown(_one(words, "symbol") if words else "?"))


def _poet(words: Words, state: State) -> Act:
    if words:
        return PoetMoved(place(words))
    rule = poet_rule(state.game)
    if rule is None:
        raise UsageError(
            "say where he went: no Poet is in play, or what the deck shows is not known"
        )
    return PoetMoved(rule.move)


def _move(words: Words, _: State) -> Act:
    return PawnMoved(place(words))


def _here(words: Words, state: State) -> tuple[Location, str]:
    """Return where a stack was read and what it showed: "church", or "Cornhill=church"."""
    named, sign, value = " ".join(words).rpartition("=")
    if sign:
        return place([named]), value
    if state.game.pawn is None:
        raise UsageError('say where: "Cornhill=church"')
    return state.game.pawn, value


def _ask(words: Words, state: State) -> Act:
    where, value = _here(words, state)
    return YouthAsked(where, parse_feature(value))


def _seek(words: Words, state: State) -> Act:
    where, value = _here(words, state)
    return RendezvousSought(where, _number(value.strip(), "number"))


def _search(words: Words, state: State) -> Act:
    where, value = _here(words, state)
    if value.strip().casefold() not in ("hit", "miss"):
        raise UsageError("a search ends in hit or miss")
    return SearchMade(where, hit=value.strip().casefold() == "hit")


def _fog(words: Words, state: State) -> Act:
    parts = _parted(words, ("to", "advance", "clues", "discard", "suit", "leaves"))
    _none(parts.get("leaves", ()), "leaves")
    expansions = state.started.expansions
    return FogUsed(
        _number(_one(parts[""], "number of a fog card"), "number of a fog card"),
        place(parts["to"]) if "to" in parts else None,
        _shown_list(parts.get("advance", ["-"])),
        _number(_one(parts["clues"], "number"), "number") if "clues" in parts else 0,
        _number(_one(parts["discard"], "number"), "number") if "discard" in parts else 0,
        _suit(parts["suit"], expansions) if "suit" in parts else None,
        "leaves" not in parts,
    )


def _flee(words: Words, _: State) -> Act:
    return LadyFled(_shown_list(words or ["-"]))


def _pass(words: Words, _: State) -> Act:
    _none(words, "pass")
    return Passed()


def _clue(words: Words, state: State) -> Act:
    if words and words[-1][:1].isdigit():
        if state.game.suit is None:
            raise UsageError("tell the Lady's suit first: suit rose")
        mark = Mark(state.game.suit, parse_counts(words[-1]))
        return ClueGained(Clue(_traits(words[:-1]), (mark,)))
    return ClueGained(parse_lady(" ".join(words), load_ladies()).clue)


def _reread(words: Words, state: State) -> Act:
    if len(words) != 2 or state.game.suit is None:
        raise UsageError(
            "reread wants a clue's number and its mark for the Lady's suit: reread 9 1"
        )
    mark = Mark(state.game.suit, parse_counts(words[1]))
    return ClueReread(Seq(_number(words[0], "number")), mark)


def _tell_suit(words: Words, state: State) -> Act:
    return SuitTold(_suit(words, state.started.expansions))


def _place(words: Words, _: State) -> Act:
    return PoetPlaced(place(words))


def _waypoint(words: Words, _: State) -> Act:
    return WaypointPlaced(place(words))


def _tracer(words: Words, _: State) -> Act:
    if not words:
        raise UsageError("tracer wants a place and 3 or 5")
    return TracerPlaced(place(words[:-1]), _number(words[-1], "warning of 3 or 5"))


def _confront(words: Words, _: State) -> Act:
    who = words[0].casefold() if words else ""
    if who == "youth":
        return YouthConfronted(place(words[1:]))
    if who != "lady":
        raise UsageError("confront youth PLACE, or confront lady TRAITS found|absent is TRAITS")
    parts = _parted(words[1:], ("found", "absent", "is", "rendezvous"))
    if ("found" in parts) is ("absent" in parts) or "is" not in parts:
        raise UsageError("confront lady TRAITS found|absent is TRAITS [rendezvous FEATURE]")
    for word in ("found", "absent"):
        _none(parts.get(word, ()), word)
    due = parts.get("rendezvous")
    return LadyConfronted(
        _traits(parts[""]),
        "found" in parts,
        _traits(parts["is"]),
        None if due is None else parse_feature(_one(due, "feature")),
    )


def _help(words: Words, _: State) -> Act:
    return HelpUsed(parse_word(_one(words, "help"), Help, "help"))


def _base(words: Words, _: State) -> Act:
    text = _one(words, "number of points")
    sign = -1 if text.startswith("-") else 1
    return BaseScored(sign * _number(text.removeprefix("-"), "number of points"))


_VERBS: Mapping[str, Callable[[Words, State], Act]] = {
    "start": _start,
    "update": _update,
    "poet": _poet,
    "move": _move,
    "ask": _ask,
    "seek": _seek,
    "search": _search,
    "fog": _fog,
    "flee": _flee,
    "pass": _pass,
    "clue": _clue,
    "reread": _reread,
    "suit": _tell_suit,
    "place": _place,
    "waypoint": _waypoint,
    "tracer": _tracer,
    "confront": _confront,
    "help": _help,
    "base": _base,
}
