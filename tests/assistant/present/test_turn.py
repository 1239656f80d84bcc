"""The turn row: what is offered is legal, nothing legal is missing, and space always leads on."""

from __future__ import annotations

import dataclasses
from itertools import combinations

import pytest

from assistant.core.events import RendezvousSought, SearchMade, SessionStarted, YouthAsked
from assistant.core.game import Phase
from assistant.core.legality import moves_open
from assistant.core.settings import Expansion
from assistant.core.stealth import Shown
from assistant.core.suits import Suit, Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    BaseScored,
    ClueGained,
    FogUsed,
    LadyConfronted,
    LadyFled,
    LadyUpdated,
    Passed,
    PawnMoved,
    PoetMoved,
    TracerPlaced,
    YouthConfronted,
)
from assistant.present.choices import Ask, Wish
from assistant.present.log_lines import correction_ask
from assistant.present.symbol_asks import clue_ask
from assistant.present.turn_row import turn_row
from tests.assistant.present.games import (
    KNOWN,
    STARTED,
    Played,
    followed,
    last_of,
    offered,
    random_game,
)

AGGRESSIVE = dataclasses.replace(
    STARTED, expansions=STARTED.expansions - {Expansion.ELUSIVE} | {Expansion.AGGRESSIVE}
)
DARKER = dataclasses.replace(
    STARTED, expansions=STARTED.expansions | {Expansion.DARKER}, suit=Suit.SPADES
)
BASE = SessionStarted(pawn=Location.SOUTHWARK)
BASE_ALL = SessionStarted(
    frozenset({Expansion.YOUTH, Expansion.RENDEZVOUS}), pawn=Location.SOUTHWARK
)


@pytest.mark.parametrize("started", [STARTED, AGGRESSIVE, DARKER, BASE])
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_offered_the_rules_allow(seed: int, started: SessionStarted) -> None:
    acts = 0
    for played, event in random_game(seed, started):
        assert played.state.refusal(event) is None, event  # type: ignore[arg-type]
        acts += 1
    assert acts > 50


def test_games_played_by_the_questions_reach_their_end() -> None:
    ends = set()
    for seed in range(6):
        played = last_of(random_game(seed, STARTED, avoid=""))
        ends.add(played.state.game.phase)
    assert ends == {Phase.OVER}


def test_every_offer_has_a_key_of_its_own_and_space_is_the_first() -> None:
    for played, _ in random_game(5, STARTED):
        row = turn_row(played.state, KNOWN)
        keys = [offer.key for offer in row.offers]
        assert len(set(keys)) == len(keys)
        assert "" not in keys
        assert " " not in keys
        assert row.by_key(" ") is row.offers[0]
        assert all(row.by_key(offer.key) is offer for offer in row.offers)


def test_an_update_with_space_alone_notes_no_symbol_the_first_time_round() -> None:
    row = turn_row(Played(STARTED).state, KNOWN)
    first = row.by_key(" ")
    assert first is not None
    assert first.open() == LadyUpdated(Shown.UNSEEN)
    assert followed(row, "tavern") == LadyUpdated(Shown.TAVERN)


def test_the_second_time_round_space_takes_the_symbol_that_was_seen() -> None:
    played = Played(dataclasses.replace(BASE, top=Shown.COMMERCIAL))
    for _ in range(25):
        played.add(LadyUpdated())
        played.add(Passed())
    # The next update brings the first card round again.
    first = turn_row(played.state, KNOWN).by_key(" ")
    assert first is not None
    assert first.open() == LadyUpdated(Shown.COMMERCIAL)


def test_fog_in_the_deck_is_the_only_answer_where_it_lies() -> None:
    played = Played(BASE, LadyUpdated(), SearchMade(Location.SOUTHWARK, hit=False))
    for _ in range(25):
        played.add(LadyUpdated())
        played.add(PawnMoved(Location.SOUTHWARK))
    row = turn_row(played.state, KNOWN)
    symbols = [offer.open() for offer in row.offers if offer.key.isdigit()]
    assert symbols == [LadyUpdated(Shown.FOG)]


def test_the_poets_move_is_told_with_its_reason_and_taken_with_space() -> None:
    played = Played(STARTED, LadyUpdated(Shown.RURAL))
    row = turn_row(played.state, KNOWN)
    assert row.title == "The Poet stays."
    assert "not exactly one road away" in row.note
    assert row.offers[0].open() == PoetMoved(Location.CLERKENWELL)


def test_where_two_readings_of_the_tie_differ_both_are_offered() -> None:
    started = dataclasses.replace(AGGRESSIVE, pawn=Location.SOUTHWARK, poet=Location.SHOREDITCH)
    played = Played(started, LadyUpdated(Shown.RIVERSIDE), PoetMoved(Location.CRIPPLEGATE))
    for event in (PawnMoved(Location.SOUTHWARK), LadyUpdated(Shown.TAVERN)):
        played.add(event)
    row = turn_row(played.state, KNOWN)
    assert {offer.place for offer in row.offers} == {Location.ST_PAULS, Location.CLERKENWELL}


def test_moves_are_the_roads_of_the_map_and_a_click_picks_one() -> None:
    played = Played(BASE, LadyUpdated())
    moves = offered(turn_row(played.state, KNOWN), "Move").open()
    assert isinstance(moves, Ask)
    assert {offer.place for offer in moves.offers} == set(moves_open(played.state.game))
    at = moves.at(Location.LONDON_BRIDGE)
    assert at is not None
    assert at.open() == PawnMoved(Location.LONDON_BRIDGE)
    assert moves.at(Location.CORNHILL) is None


def test_every_reading_can_be_told_by_hand() -> None:
    played = Played(STARTED, LadyUpdated(Shown.RURAL), PoetMoved(Location.CLERKENWELL))
    row = turn_row(played.state, KNOWN)
    here = Location.CORNHILL
    assert followed(row, "Ask", "tavern") == YouthAsked(here, Feature.TAVERN)
    assert followed(row, "Seek", "2") == RendezvousSought(here, 2)
    assert followed(row, "Search", "Yes") == SearchMade(here, hit=True)
    assert followed(row, "Search", "No") == SearchMade(here, hit=False)
    assert followed(row, "Tracer", "5 moves", "Southwark") == TracerPlaced(Location.SOUTHWARK, 5)
    assert followed(row, "Confront the Youth", "Eastcheap") == YouthConfronted(Location.EASTCHEAP)


def test_without_a_pawn_every_place_can_be_told_and_nothing_else_is_asked() -> None:
    row = turn_row(Played(SessionStarted(frozenset({Expansion.YOUTH}))).state, KNOWN)
    asked = followed(row, "Ask", "Liberty", "rural")
    assert asked == YouthAsked(Location.LIBERTY_OF_THE_CLINK, Feature.RURAL)
    assert [offer.key for offer in row.offers] == ["a", "s", "d"]


def test_a_flight_asks_for_one_symbol_for_each_clue_held() -> None:
    played = Played(BASE, LadyUpdated(), SearchMade(Location.SOUTHWARK, hit=True))
    row = turn_row(played.state, KNOWN)
    assert "1 card" in row.title
    assert row.offers[0].open() == LadyFled((Shown.UNSEEN,))
    assert followed(row, "Done, tell", "rural") == LadyFled((Shown.RURAL,))


@pytest.mark.parametrize(
    ("suit", "marks"),
    # Two Ladies of a suit leave two counts open; three of the Darker Ladies leave up to three.
    [(Suit.ROSE, {n for r in (1, 2) for n in combinations("0123", r)}),
     (Suit.SPADES, {n for r in (1, 2, 3) for n in combinations("0123", r)})],
)  # fmt: skip
def test_a_mark_of_one_digit_has_that_digit_for_its_key(
    suit: Suit, marks: set[tuple[str, ...]]
) -> None:
    asked: object = clue_ask(suit, (), ClueGained, "Which traits has it?")
    for key in ("1", "2", "3"):
        assert isinstance(asked, Ask)
        offer = asked.by_key(key)
        assert offer is not None
        asked = offer.open()
    assert isinstance(asked, Ask)
    keys = {offer.label: offer.key for offer in asked.offers}
    assert [keys[digit] for digit in "0123"] == list("0123")
    assert set(keys) == {"/".join(mark) for mark in marks}
    assert len(set(keys.values())) == len(keys)


def test_a_clue_card_that_lies_there_already_is_not_offered_again() -> None:
    started = dataclasses.replace(BASE, suit=Suit.ROSE)
    card = KNOWN.ladies[0].clue
    search = SearchMade(Location.SOUTHWARK, hit=True)
    played = Played(started, LadyUpdated(), search, ClueGained(card), LadyFled((Shown.UNSEEN,)))
    for event in (LadyUpdated(), search):
        played.add(event)
    one, two, last = (trait for trait in Trait if trait in card.traits)
    asked = offered(turn_row(played.state, KNOWN), "Turn up").open()
    assert isinstance(asked, Ask)
    for trait in (one, two):
        asked = offered(asked, trait.value).open()
        assert isinstance(asked, Ask)
    left = {offer.label for offer in asked.offers}
    assert left == {trait.value for trait in Trait} - {one.value, two.value, last.value}


@pytest.mark.parametrize(("searches", "most"), [(1, 3), (7, 3), (8, 2), (9, 1), (10, 0)])
def test_a_fog_card_is_not_said_to_discard_more_cards_than_there_are(
    searches: int, most: int
) -> None:
    played = Played(dataclasses.replace(BASE, passes=3))
    for turn in range(26):
        played.add(LadyUpdated())
        search = SearchMade(Location.SOUTHWARK, hit=False)
        played.add(search if turn < searches else Passed())
    played.add(LadyUpdated(Shown.FOG))
    assert played.state.game.fog_left == 10 - searches
    happened = offered(turn_row(played.state, KNOWN), "Use the fog card").open()
    assert isinstance(happened, Ask)
    more = offered(happened, "1").open()
    assert isinstance(more, Ask)
    counts = [offer.open() for offer in more.offers if offer.label.startswith("Fog cards")]
    assert [len(each.offers) for each in counts if isinstance(each, Ask)] == (
        [most] if most else []
    )


def test_a_clue_card_is_told_by_its_traits_and_known_by_them() -> None:
    started = dataclasses.replace(BASE, suit=Suit.ROSE)
    played = Played(started, LadyUpdated(), SearchMade(Location.SOUTHWARK, hit=True))
    card = KNOWN.ladies[0].clue
    names = [trait.value for trait in Trait if trait in card.traits]
    event = followed(turn_row(played.state, KNOWN), "Turn up", *names, str(card.name))
    assert event == ClueGained(card)
    marked = followed(turn_row(played.state, KNOWN), "Turn up", *names, "0/2")
    assert isinstance(marked, ClueGained)
    assert [mark.text for mark in marked.clue.marks] == ["0/2"]


def test_a_fog_card_is_told_piece_by_piece() -> None:
    played = Played(BASE, LadyUpdated(), SearchMade(Location.SOUTHWARK, hit=False))
    for _ in range(25):
        played.add(LadyUpdated())
        played.add(PawnMoved(Location.SOUTHWARK))
    played.add(LadyUpdated(Shown.FOG))
    row = turn_row(played.state, KNOWN)
    event = followed(row, "Use the fog", "4", "My pawn", "Cripplegate", "I gained", "That is all")
    assert event == FogUsed(4, pawn_to=Location.CRIPPLEGATE, clues=1)


def test_the_lady_is_confronted_in_the_rulebooks_order() -> None:
    played = Played(STARTED, LadyUpdated(Shown.RURAL), PoetMoved(Location.CLERKENWELL))
    row = turn_row(played.state, KNOWN)
    three = frozenset({Trait.CROWN, Trait.MUSIC, Trait.RING})
    right = followed(row, "Confront the Lady", "crown", "music", "ring", "commercial", "Yes", "Yes")
    assert right == LadyConfronted(three, True, three, Feature.COMMERCIAL)
    # A symbol that is not in the pawn's place loses at once: her card is never turned over.
    lost = followed(row, "Confront the Lady", "crown", "music", "ring", "church")
    assert lost == LadyConfronted(three, False, frozenset(), Feature.CHURCH)


def test_after_the_end_the_points_are_typed_and_a_new_game_is_offered() -> None:
    three = frozenset({Trait.CROWN, Trait.MUSIC, Trait.RING})
    played = Played(BASE, LadyUpdated(), LadyConfronted(three, True, three, None))
    row = turn_row(played.state, KNOWN)
    points = offered(row, "Enter").open()
    assert isinstance(points, Ask)
    assert points.number is not None
    assert points.number(31) == BaseScored(31)
    assert offered(row, "A new game").open() is Wish.SET_UP


def test_after_a_lost_game_no_points_are_asked_for_as_it_has_no_total() -> None:
    three = frozenset({Trait.CROWN, Trait.MUSIC, Trait.RING})
    played = Played(BASE, LadyUpdated(), LadyConfronted(three, False, frozenset(), None))
    row = turn_row(played.state, KNOWN)
    assert [offer.then for offer in row.offers] == [Wish.SET_UP]
    assert row.number is None


@pytest.mark.parametrize("label", ["Ask", "Seek", "Search"])
def test_the_large_key_never_tells_by_mistake_what_a_keyhole_showed(label: str) -> None:
    row = turn_row(Played(BASE_ALL, LadyUpdated(Shown.RURAL)).state, KNOWN)
    question = offered(row, label).open()
    assert isinstance(question, Ask)
    assert question.by_key(" ") is None
    assert all(question.by_key(offer.key) is offer for offer in question.offers)


def test_the_large_key_changes_no_entry_of_the_log() -> None:
    played = Played(BASE_ALL, LadyUpdated(Shown.RURAL))
    seq = played.add(YouthAsked(Location.SOUTHWARK, Feature.TAVERN))
    assert correction_ask(played.state, seq).by_key(" ") is None


def test_without_a_rendezvous_card_the_lady_is_confronted_by_her_silhouette_alone() -> None:
    played = Played(BASE, LadyUpdated())
    row = turn_row(played.state, KNOWN)
    three = frozenset({Trait.CROWN, Trait.MUSIC, Trait.RING})
    right = followed(row, "Confront the Lady", "crown", "music", "ring", "Yes", "Yes")
    assert right == LadyConfronted(three, True, three, None)
