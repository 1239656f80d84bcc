"""Where the Dark Lady is; outside truth: the printed sequences, and the loop counted another way:
products of whole matrices round the ring, and for a full round every single chain."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.lady import Evidence, Searched, SymbolSeen, chase
from assistant.core.stealth import SLOTS, Slot
from assistant.core.terms import Feature, Location, StepReading
from assistant.data import load_board
from tests.assistant.core import truth

BOARD = load_board()
PLACES = tuple(Location)
Card = TypeVar("Card")
Decks = list[tuple[list[Location], list[Feature], bool]]


def decks() -> Decks:
    """Every printed sequence, forwards and backwards, and whether she stays in it."""
    return [
        (places[::way], symbols[::way], stays > 0)
        for places, symbols, stays in truth.stealth_columns()
        for way in (1, -1)
    ]


def cut(cards: list[Card], at: int) -> list[Card]:
    return [*cards[at:], *cards[:at]]


@cache
def roads(may_stay: bool) -> npt.NDArray[np.float64]:
    """The chances of each step, made from the distance table of the fixtures."""
    steps = np.eye(len(PLACES)) * may_stay / 4
    for row, place in enumerate(PLACES):
        for other in truth.places_away(place, 1, StepReading.SHORTEST):
            steps[row, PLACES.index(other)] = 1
    chances: npt.NDArray[np.float64] = steps / steps.sum(axis=1, keepdims=True)
    return chances


def by_matrices(evidence: list[Evidence], may_stay: bool) -> list[dict[Location, float]]:
    """The share of each place at each slot, from the trace of the product round the ring."""
    diagonals = [np.ones(len(PLACES)) for _ in range(SLOTS)]
    for entry in evidence:
        for row, place in enumerate(PLACES):
            if isinstance(entry, SymbolSeen):
                fits = entry.symbol in BOARD.features(place)
                diagonals[entry.slot][row] *= fits / len(BOARD.features(place))
            else:
                diagonals[entry.slot][row] *= (place is entry.location) is entry.hit
    found = []
    for slot in range(SLOTS):
        product = np.eye(len(PLACES))
        for turn in range(SLOTS):
            product = product @ np.diag(diagonals[(slot + turn) % SLOTS]) @ roads(may_stay)
        shares = np.diag(product)
        total = shares.sum()
        found.append(
            {p: float(s / total) for p, s in zip(PLACES, shares, strict=True) if s > 0}
            if total > 0
            else {}
        )
    return found


def symbols_seen(symbols: list[Feature], count: int) -> list[Evidence]:
    return [SymbolSeen(Slot(slot), symbols[slot], slot + 1) for slot in range(count)]


def test_the_true_place_is_never_struck_out_on_any_deck_at_any_cut_in_either_direction() -> None:
    left = []
    for places, symbols, _ in decks():
        for at in range(SLOTS):
            way, seen = cut(places, at), cut(symbols, at)
            found = chase(BOARD, True, symbols_seen(seen, SLOTS))
            assert found.conflict == ()
            for slot in range(SLOTS):
                assert way[slot] in found.at(Slot(slot))
                left.append(len(found.at(Slot(slot))))
    mean = sum(left) / len(left)
    print(f"after a full round, staying allowed: {mean:.3f} candidates")  # noqa: T201 - told with -s


@pytest.mark.parametrize("count", [1, 4, 9, 17, 26])
def test_weights_are_those_of_whole_matrices_round_the_ring(count: int) -> None:
    for places, symbols, stays in decks()[::3]:
        evidence = symbols_seen(symbols, count)
        found = chase(BOARD, stays, evidence)
        for slot, expected in enumerate(by_matrices(evidence, stays)):
            assert found.at(Slot(slot)) == pytest.approx(expected)
        assert places[count - 1] in found.at(Slot(count - 1))


def every_chain(symbols: list[Feature], may_stay: bool) -> list[set[Location]]:
    """The places of each slot over every closed chain that the symbols allow, one by one."""
    used: list[set[Location]] = [set() for _ in range(SLOTS)]

    def walk(chain: list[Location]) -> None:
        if len(chain) == SLOTS:
            if chain[0] in BOARD.neighbours(chain[-1]) or (may_stay and chain[0] is chain[-1]):
                for slot, place in enumerate(chain):
                    used[slot].add(place)
            return
        for place in BOARD.with_feature(symbols[len(chain)]):
            steps = (
                (*BOARD.neighbours(chain[-1]), *([chain[-1]] if may_stay else []))
                if chain
                else PLACES
            )
            if place in steps:
                walk([*chain, place])

    walk([])
    return used


def test_after_a_full_round_the_candidates_are_the_best_possible() -> None:
    ours = best = 0
    for _, symbols, stays in decks():
        found = chase(BOARD, stays, symbols_seen(symbols, SLOTS))
        for slot, expected in enumerate(every_chain(symbols, stays)):
            assert set(found.at(Slot(slot))) == expected
            ours += len(found.at(Slot(slot)))
            best += len(expected)
    mean, least = ours / 16 / SLOTS, best / 16 / SLOTS
    print(f"{mean:.3f} candidates, best possible {least:.3f}")  # noqa: T201 - told with -s


@given(st.data())
def test_searches_only_narrow_and_never_strike_out_the_truth(data: st.DataObject) -> None:
    places, symbols, _ = data.draw(st.sampled_from(decks()))
    evidence = symbols_seen(symbols, data.draw(st.integers(1, SLOTS)))
    before = chase(BOARD, True, evidence)
    for slot in data.draw(st.lists(st.integers(0, SLOTS - 1), max_size=4, unique=True)):
        place = data.draw(st.sampled_from(PLACES))
        evidence.append(Searched(Slot(slot), place, place is places[slot], 100 + slot))
    shuffled = data.draw(st.permutations(evidence))
    after = chase(BOARD, True, shuffled)
    for slot in range(SLOTS):
        assert places[slot] in after.at(Slot(slot))
        assert set(after.at(Slot(slot))) <= set(before.at(Slot(slot)))
        assert sum(after.at(Slot(slot)).values()) == pytest.approx(1)


def test_a_hit_fixes_its_slot_and_a_miss_rules_its_place_out() -> None:
    seen = SymbolSeen(Slot(0), Feature.TAVERN, 1)
    both = chase(BOARD, True, [seen])
    assert set(both.at(Slot(0))) == {Location.EASTCHEAP, Location.SOUTHWARK}
    hit = chase(BOARD, True, [seen, Searched(Slot(0), Location.SOUTHWARK, True, 2)])
    assert set(hit.at(Slot(0))) == {Location.SOUTHWARK}
    assert Location.CORNHILL not in hit.at(Slot(1))
    assert Location.CORNHILL not in hit.at(Slot(25))
    miss = chase(BOARD, True, [seen, Searched(Slot(0), Location.SOUTHWARK, False, 2)])
    assert set(miss.at(Slot(0))) == {Location.EASTCHEAP}


def test_without_staying_she_leaves_every_place() -> None:
    hit = Searched(Slot(3), Location.CORNHILL, True, 1)
    assert Location.CORNHILL in chase(BOARD, True, [hit]).at(Slot(4))
    assert set(chase(BOARD, False, [hit]).at(Slot(4))) == set(BOARD.neighbours(Location.CORNHILL))


def test_a_contradiction_names_only_entries_that_are_part_of_it() -> None:
    evidence: list[Evidence] = [
        SymbolSeen(Slot(9), Feature.CHURCH, 1),
        Searched(Slot(0), Location.CLERKENWELL, True, 2),
        SymbolSeen(Slot(1), Feature.TAVERN, 3),
        SymbolSeen(Slot(5), Feature.RURAL, 4),
    ]
    found = chase(BOARD, True, evidence)
    assert found.at(Slot(0)) == {}
    assert {entry.by for entry in found.conflict} == {2, 3}
    for entry in found.conflict:
        rest = [other for other in found.conflict if other is not entry]
        assert chase(BOARD, True, rest).conflict == ()


#: Mostly hits, close to each other over the seam of the ring too: they contradict each other often.
searches = st.lists(
    st.builds(
        Searched,
        st.sampled_from([Slot(slot) for slot in (0, 1, 2, 3, 5, 22, 24, 25)]),
        st.sampled_from(PLACES),
        st.sampled_from([True, True, False]),
        st.integers(1, 9),
    ),
    min_size=2,
    max_size=6,
    unique=True,
)


@given(searches, st.booleans())
def test_a_conflict_is_told_just_where_no_closed_chain_fits_and_all_of_it_is_needed(
    evidence: list[Evidence], may_stay: bool
) -> None:
    found = chase(BOARD, may_stay, evidence)
    assert bool(found.conflict) is (by_matrices(evidence, may_stay)[0] == {})
    if found.conflict:
        assert set(found.conflict) <= set(evidence)
        assert by_matrices(list(found.conflict), may_stay)[0] == {}
        for entry in found.conflict:
            rest = [other for other in found.conflict if other is not entry]
            assert by_matrices(rest, may_stay)[0] != {}


def test_two_symbols_in_one_slot_are_a_dispute_and_neither_is_used() -> None:
    seen = [SymbolSeen(Slot(2), Feature.CHURCH, 1), SymbolSeen(Slot(2), Feature.TAVERN, 2)]
    found = chase(BOARD, True, seen)
    assert found.disputes == (tuple(seen),)
    assert len(found.at(Slot(2))) == len(PLACES)
    assert chase(BOARD, True, [seen[0], seen[0]]).disputes == ()
