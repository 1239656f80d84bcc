"""What the panels beside the map say of the Lady."""

from __future__ import annotations

import dataclasses

from assistant.core.events import Overruled, RendezvousSought, SessionStarted
from assistant.core.settings import Expansion
from assistant.core.suits import Clue, Mark, Suit, Trait
from assistant.core.terms import Location
from assistant.core.turn_events import ClueGained
from assistant.present.panels import Tone, lady_rows, question_rows
from tests.assistant.present.games import STARTED, Played

CHAIN, CROWN, HEART, RING = Trait.CHAIN, Trait.CROWN, Trait.HEART, Trait.RING


def clue(count: int, *traits: Trait) -> Overruled:
    mark = Mark(Suit.ROSE, frozenset({count}))
    return Overruled(ClueGained(Clue(frozenset(traits), (mark,))), "a gift")


def trait_rows(*clues: Overruled) -> dict[str, tuple[str, Tone]]:
    played = Played(dataclasses.replace(STARTED, suit=Suit.ROSE), *clues)
    words = {trait.value for trait in Trait}
    return {
        row.picture: (row.text, row.tone)
        for row in lady_rows(played.state)
        if row.picture in words and row.picture is not None
    }


def test_the_traits_say_yes_no_or_perhaps() -> None:
    assert trait_rows() == {}
    # None of the three, and two of chain, crown, ring: heart, music, quill are out.
    rows = trait_rows(clue(0, HEART, Trait.MUSIC, Trait.QUILL), clue(2, CHAIN, CROWN, RING))
    for trait in (HEART, Trait.MUSIC, Trait.QUILL):
        assert rows[trait.value] == (f"{trait.value}: no", Tone.OUT)
    # Of the four that are left she has rattle and two of the others: three ways.
    assert rows["rattle"] == ("rattle: yes", Tone.STRONG)
    for trait in (CHAIN, CROWN, RING):
        assert rows[trait.value] == (f"{trait.value}: perhaps, 67 %", Tone.PLAIN)


def test_who_she_is_is_said_when_one_triple_is_left_and_how_many_while_more_are() -> None:
    def texts(*clues: Overruled) -> list[str]:
        played = Played(dataclasses.replace(STARTED, suit=Suit.ROSE), *clues)
        return [row.text for row in lady_rows(played.state)]

    assert "no clue yet" in texts()
    assert "18 combinations left of 35" in texts(clue(1, CHAIN, CROWN, HEART))
    assert "She has chain, crown and heart." in texts(clue(3, CHAIN, CROWN, HEART))
    both = (clue(3, CHAIN, CROWN, HEART), clue(0, CHAIN, CROWN, RING))
    assert "the clues contradict each other" in texts(*both)


def test_numbers_that_no_symbol_fits_are_said_and_no_share_with_them() -> None:
    start = SessionStarted(frozenset({Expansion.RENDEZVOUS}))
    one = RendezvousSought(Location.CLERKENWELL, 1)
    fits = [row.text for row in question_rows(Played(start, one).state)]
    assert not any("contradict" in text for text in fits)
    both = Played(start, one, RendezvousSought(Location.SHOREDITCH, 2))
    rows = question_rows(both.state)
    assert (rows[-1].text, rows[-1].tone) == ("the numbers contradict each other", Tone.STRONG)
    assert not any("%" in row.text for row in rows)
