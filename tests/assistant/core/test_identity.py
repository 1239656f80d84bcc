"""Who the Dark Lady is, over all twelve Ladies and every set of clue cards a player can hold."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.errors import UnknownNameError, UsageError
from assistant.core.identity import TRIPLES, HeldClue, Standing, deduce_identity
from assistant.core.names import parse_lady
from assistant.core.suits import DARKER_SUITS, Clue, LadyCard, Mark, Suit, Trait, parse_counts
from assistant.data import load_ladies

LADIES = load_ladies()


def every_hand(lady: LadyCard) -> chain[tuple[LadyCard, ...]]:
    others = [card for card in LADIES if card is not lady]
    return chain.from_iterable(combinations(others, size) for size in range(len(others) + 1))


@pytest.mark.parametrize("lady", LADIES, ids=lambda lady: str(lady.clue.name))
def test_the_true_lady_is_possible_with_every_set_of_clue_cards(lady: LadyCard) -> None:
    hands = 0
    for hand in every_hand(lady):
        held = [HeldClue(card.clue, number) for number, card in enumerate(hand)]
        found = deduce_identity(lady.suit, held)
        assert lady.clue.traits in found.triples
        hands += 1
    assert hands == 2048


def test_printed_marks_count_the_traits_shared_with_the_ladies_of_the_suit() -> None:
    for card in LADIES:
        for mark in card.clue.marks:
            shared = {
                len(card.clue.traits & other.clue.traits)
                for other in LADIES
                if other.suit is mark.suit and other is not card
            }
            assert mark.counts == shared, (card.clue.name, mark)


def clue(traits: str, suit: Suit, mark: str) -> Clue:
    return Clue(frozenset(map(Trait, traits.split())), (Mark(suit, parse_counts(mark)),))


def test_a_mark_with_two_counts_leaves_both_open() -> None:
    held = HeldClue(clue("heart quill ring", Suit.ROSE, "0/2"), 1)
    found = deduce_identity(Suit.ROSE, [held])
    shared = {len(triple & held.clue.traits) for triple in found.triples}
    assert shared == {0, 2}
    assert len(found.triples) == 4 + 3 * 4


@given(st.lists(st.sampled_from(LADIES), max_size=5), st.sampled_from(list(Suit)[:6]))
def test_triples_are_those_a_plain_filter_leaves(hand: list[LadyCard], suit: Suit) -> None:
    held = [HeldClue(card.clue, number) for number, card in enumerate(hand)]
    found = deduce_identity(suit, held)
    plain = []
    for three in combinations(Trait, 3):
        marks = [(card.clue.traits, card.clue.counts(suit)) for card in hand]
        if all(len(set(three) & traits) in (counts or ()) for traits, counts in marks):
            plain.append(frozenset(three))
    assert list(found.triples) == plain
    for trait in Trait:
        share = sum(trait in triple for triple in plain) / (len(plain) or 1)
        assert float(found.weights[trait]) == pytest.approx(share)
        assert (found.standing[trait] is Standing.OUT) is (not any(trait in t for t in plain))
        certain = bool(plain) and all(trait in t for t in plain)
        assert (found.standing[trait] is Standing.CERTAIN) is certain


def test_why_a_trait_is_out_or_certain_names_the_clues_that_alone_say_so() -> None:
    suit = Suit.ROSE
    held = [
        HeldClue(clue("chain crown heart", suit, "2"), 1),
        HeldClue(clue("music quill rattle", suit, "0"), 2),
        HeldClue(clue("chain ring music", suit, "1"), 3),
    ]
    found = deduce_identity(suit, held)
    assert found.standing[Trait.MUSIC] is Standing.OUT
    assert [h.by for h in found.why(Trait.MUSIC)] == [2]
    hers = frozenset({Trait.CROWN, Trait.HEART, Trait.RING})
    assert found.triples == (hers,)
    certain = {trait for trait in Trait if found.standing[trait] is Standing.CERTAIN}
    assert certain == hers
    for trait in Trait:
        some = found.why(trait)
        left = deduce_identity(suit, some).triples
        if found.standing[trait] is Standing.CERTAIN:
            assert all(trait in triple for triple in left)
        elif found.standing[trait] is Standing.OUT:
            assert not any(trait in triple for triple in left)
        else:
            assert some == ()


def test_a_contradiction_names_the_smallest_set_of_clues() -> None:
    suit = Suit.SPADES
    held = [
        HeldClue(clue("chain crown heart", suit, "0/1"), 1),
        HeldClue(clue("music quill rattle", suit, "3"), 2),
        HeldClue(clue("music quill ring", suit, "1"), 3),
    ]
    found = deduce_identity(suit, held)
    assert found.triples == ()
    assert [h.by for h in found.conflict] == [2, 3]
    assert {found.why(trait) for trait in Trait} == {()}


def test_when_the_suit_changes_every_clue_is_read_in_the_new_row() -> None:
    held = [HeldClue(card.clue, number) for number, card in enumerate(LADIES[:3])]
    for lady in LADIES[3:]:
        assert lady.clue.traits in deduce_identity(lady.suit, held).triples
    typed = HeldClue(clue("chain crown heart", Suit.ROSE, "1"), 1)
    assert deduce_identity(Suit.ROSE, [typed]).unread == ()
    changed = deduce_identity(Suit.OAK, [typed])
    assert changed.unread == (typed,)
    assert changed.triples == TRIPLES


def test_without_the_suit_nothing_is_known() -> None:
    held = [HeldClue(LADIES[0].clue, 1)]
    found = deduce_identity(None, held)
    assert found.triples == TRIPLES
    assert set(found.standing.values()) == {Standing.POSSIBLE}


@given(st.data())
def test_darker_ladies_of_any_make_are_never_struck_out(data: st.DataObject) -> None:
    triples = data.draw(st.lists(st.sampled_from(TRIPLES), min_size=12, max_size=12, unique=True))
    suits = [suit for suit in DARKER_SUITS for _ in range(3)]
    lady, own = triples[0], suits[0]
    held = []
    for number, (traits, suit) in enumerate(zip(triples, suits, strict=True)):
        same = [t for t, s in zip(triples, suits, strict=True) if s is own and t is not traits]
        if traits is not lady:
            counts = frozenset(len(traits & other) for other in same)
            held.append(HeldClue(Clue(traits, (Mark(own, counts),)), number))
        del suit
    hand = data.draw(st.lists(st.sampled_from(held), max_size=11, unique=True))
    assert lady in deduce_identity(own, hand).triples


def test_a_card_turned_up_is_found_by_any_beginning_of_her_names() -> None:
    assert parse_lady("whate", LADIES).clue.name == "Anne Whateley"
    assert parse_lady("aline florio", LADIES).clue.name == "Aline Florio"
    assert parse_lady("MORGAN", LADIES).suit is Suit.ACORN
    for typed in ("anne", "m", "", "Juliet"):
        with pytest.raises(UnknownNameError):
            parse_lady(typed, LADIES)


@pytest.mark.parametrize("text", ["", "4", "0-2", "1/", "x"])
def test_what_is_no_mark_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_counts(text)
