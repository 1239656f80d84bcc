"""The map of the play window, the panels, the set-up form, the small pictures."""

from __future__ import annotations

import dataclasses

import pytest

from assistant.core.events import RendezvousSought, SearchMade, SessionStarted, YouthAsked
from assistant.core.game import new_game
from assistant.core.identity import HeldClue
from assistant.core.legality import refusal
from assistant.core.settings import Expansion
from assistant.core.stealth import Shown, Special
from assistant.core.suits import BASE_SUITS, DARKER_SUITS, Suit, Trait
from assistant.core.terms import Feature, Location
from assistant.core.turn_events import (
    BaseScored,
    ClueGained,
    LadyConfronted,
    LadyUpdated,
    Passed,
    PawnMoved,
    PoetMoved,
    TracerPlaced,
    WaypointPlaced,
    YouthConfronted,
)
from assistant.data import load_board
from assistant.present.choices import Ask
from assistant.present.emblems import emblems
from assistant.present.lights import Layer
from assistant.present.panels import lady_rows, question_rows, score_rows
from assistant.present.screen import screen_of
from assistant.present.set_up_form import (
    SetUpForm,
    checklist,
    hindrance,
    poet_places,
    started,
    with_expansion,
)
from assistant.present.table_map import table_map, why_lines
from assistant.present.turn_row import Known, turn_row
from assistant.present.turned_cards import TurnedCards
from tests.assistant.present.games import (
    KNOWN,
    STARTED,
    Played,
    clock,
    followed,
    offered,
    random_game,
)

OPEN = SessionStarted()
SAID = YouthAsked(Location.CORNHILL, Feature.CHURCH)


def test_a_place_is_left_out_of_a_layer_exactly_when_it_is_struck_out() -> None:
    state = Played(OPEN, SAID, RendezvousSought(Location.BLACKFRIARS, 2)).state
    table = table_map(state)
    for place in table.places:
        assert (Layer.YOUTH in place.shares) is (place.location in state.youth.candidates)
        meets = bool(load_board().features(place.location) & set(state.rendezvous.candidates))
        assert (Layer.RENDEZVOUS in place.shares) is meets


def test_why_a_place_is_out_names_the_answer_that_rules_it_out() -> None:
    state = Played(OPEN, SAID).state
    out = next(place for place in Location if place in state.youth.struck_out)
    assert "The Youth is not here: Cornhill said church." in why_lines(state, out)
    inside = state.youth.candidates[0]
    assert any(line.startswith("The Youth may be here: ") for line in why_lines(state, inside))


def test_why_a_symbol_is_out_names_the_number() -> None:
    state = Played(OPEN, RendezvousSought(Location.BLACKFRIARS, 2)).state
    # Cripplegate, Cornhill and Southwark are two steps away (rulebook): no playhouse there.
    lines = why_lines(state, Location.SHOREDITCH)
    assert "Playhouse is not the symbol: Blackfriars gave 2." in lines


def test_why_a_symbol_is_out_is_told_where_the_numbers_contradict_each_other_too() -> None:
    numbers = (RendezvousSought(Location.CLERKENWELL, 1), RendezvousSought(Location.SHOREDITCH, 2))
    state = Played(OPEN, *numbers).state
    assert state.rendezvous.conflict is not None
    lines = [line for place in Location for line in why_lines(state, place) if "symbol" in line]
    assert {line.split()[0] for line in lines} == {f.value.capitalize() for f in Feature}
    assert all(line.endswith(("Clerkenwell gave 1.", "Shoreditch gave 2.")) for line in lines)


def test_a_dispute_rules_no_place_out() -> None:
    state = Played(OPEN, SAID, YouthAsked(SAID.location, Feature.TAVERN)).state
    for place in Location:
        assert any(line.startswith("The Youth may be here: ") for line in why_lines(state, place))


def test_arrow_tokens_point_to_the_neighbours_with_the_icon_that_was_said() -> None:
    table = table_map(Played(OPEN, SAID).state)
    assert set(table.place(Location.CORNHILL).arrows) == {
        Location.BISHOPSGATE,
        Location.ST_PAULS,
    }
    assert table.place(Location.CORNHILL).said is Feature.CHURCH
    assert table.place(Location.EASTCHEAP).arrows == ()


def test_number_tokens_lie_where_they_were_sought() -> None:
    table = table_map(Played(OPEN, RendezvousSought(Location.EASTCHEAP, 3)).state)
    assert {p.location: p.gave for p in table.places if p.gave} == {Location.EASTCHEAP: 3}


def test_nothing_is_drawn_of_a_layer_of_which_nothing_was_seen() -> None:
    assert table_map(Played(OPEN).state).known == frozenset()
    assert table_map(Played(OPEN, SAID).state).known == {Layer.YOUTH}
    assert table_map(Played(STARTED).state).known == {Layer.LADY}  # her symbol lies on top


def test_the_pawn_the_poet_and_his_way_the_markers_and_the_moves_are_on_the_map() -> None:
    played = Played(STARTED, LadyUpdated(Shown.RURAL), PoetMoved(Location.CLERKENWELL))
    played.add(WaypointPlaced(Location.SOUTHWARK))
    table = table_map(played.state)
    assert (table.pawn, table.poet) == (Location.CORNHILL, Location.CLERKENWELL)
    assert table.place(Location.SOUTHWARK).tokens == ("waypoint",)
    reachable = {place.location for place in table.places if place.is_reachable}
    assert reachable == set(load_board().neighbours(Location.CORNHILL))
    for event in (Passed(), LadyUpdated(Shown.RURAL), PoetMoved(Location.CRIPPLEGATE)):
        played.add(event)
    board = load_board()
    way = table_map(played.state).poet_path
    start, end = board.place(Location.CLERKENWELL), board.place(Location.CRIPPLEGATE)
    reach = 1.3 * board.ring_outer_over_width
    assert abs(way[0][0] - start.x) < reach
    assert abs(way[-1][0] - end.x) < reach


def test_a_point_in_a_ring_is_its_place_and_one_between_is_none() -> None:
    table = table_map(Played(OPEN).state)
    for place in table.places:
        assert table.place_at(place.x + 0.01, place.y - 0.01) is place
    assert table.place_at(0.05, 0.65) is None


def test_no_panel_tells_of_the_lady_before_she_was_seen() -> None:
    base = SessionStarted(pawn=Location.CORNHILL)
    texts = [row.text for row in question_rows(Played(base).state)]
    assert texts == ["The Dark Lady now", "may be anywhere"]


def test_the_score_sheet_has_a_line_with_its_reason_for_all_that_counts() -> None:
    three = frozenset({Trait.CROWN, Trait.MUSIC, Trait.RING})
    played = Played(
        STARTED,
        LadyUpdated(Shown.RURAL),
        PoetMoved(Location.CLERKENWELL),
        YouthConfronted(Location.CORNHILL),
        LadyConfronted(three, True, three, Feature.COMMERCIAL),
        BaseScored(40),
    )
    texts = [row.text for row in score_rows(played.state)]
    assert texts[1] == "You unmasked the Dark Lady. You win!"
    assert [text for text in texts if text[0] in "+−"] == [  # noqa: RUF001 - a minus
        "+40   the base game's score",
        "+20   the Fair Youth was found",
        "+10   the Fair Youth and the Dark Lady in one place at one time",
        "+15   the Lady unmasked at the rendezvous",
        "−10   the Elusive Poet helped",  # noqa: RUF001 - a minus
    ]
    assert "75 points in all" in texts


def test_one_point_is_one_point() -> None:
    three = frozenset({Trait.CROWN, Trait.MUSIC, Trait.RING})
    played = Played(
        dataclasses.replace(OPEN, pawn=Location.CORNHILL, expansions=frozenset()),
        LadyUpdated(Shown.COMMERCIAL),
        LadyConfronted(three, True, three, None),
        BaseScored(1),
    )
    assert "1 point in all" in [row.text for row in score_rows(played.state)]


@pytest.mark.parametrize("expansion", [Expansion.ELUSIVE, Expansion.AGGRESSIVE])
def test_the_readings_of_the_rules_are_told_in_the_words_of_the_set_up_page(
    expansion: Expansion,
) -> None:
    kinds = frozenset({Expansion.RENDEZVOUS, expansion})
    state = Played(dataclasses.replace(STARTED, expansions=kinds)).state
    assert "steps: never straight back" in [row.text for row in question_rows(state)]
    texts = [row.text for row in score_rows(state)]
    assert "Steps are counted: never straight back" in texts
    # Only the Aggressive Poet has ties to be told.
    assert ("Ties of the Poet: by the roads drawn" in texts) is (expansion is Expansion.AGGRESSIVE)


def test_a_screen_can_be_made_of_every_state_of_random_games() -> None:
    for seed in range(2):
        for number, (played, _) in enumerate(random_game(seed, STARTED, avoid="")):
            if number % 7 == 0:
                screen = screen_of(played.state, KNOWN, clock)
                assert screen.row.title
                assert len(screen.log) >= number // 2


@pytest.mark.parametrize("pawn", list(Location))
def test_the_poet_starts_in_a_place_of_the_pawns_colour(pawn: Location) -> None:
    form = SetUpForm(frozenset({Expansion.ELUSIVE}), pawn=pawn)
    board = load_board()
    event = started(board, form)
    assert event.poet is not None
    assert board.colour(event.poet) is board.colour(pawn)
    assert event.poet is not pawn
    assert refusal(new_game(board, SessionStarted()), event) is None
    assert len(poet_places(board, form)) == (2 if board.colour(pawn).value == "green" else 1)


def test_one_poet_takes_the_others_place() -> None:
    chosen = with_expansion(frozenset({Expansion.ELUSIVE, Expansion.YOUTH}), Expansion.AGGRESSIVE)
    assert chosen == {Expansion.AGGRESSIVE, Expansion.YOUTH}
    assert hindrance(load_board(), SetUpForm(chosen)) is None


def test_a_suit_that_is_not_in_play_is_forgotten() -> None:
    darker = SetUpForm(frozenset({Expansion.DARKER}), suit=Suit.ROSE)
    assert started(load_board(), darker).suit is None
    assert started(load_board(), dataclasses.replace(darker, suit=Suit.CLUBS)).suit is Suit.CLUBS


def test_the_checklist_follows_the_boxes() -> None:
    with_youth = {step.text for step in checklist(SetUpForm(frozenset({Expansion.YOUTH})))}
    without = {step.text for step in checklist(SetUpForm(frozenset()))}
    assert any("eleven Fair Youth cards" in text for text in with_youth - without)


def test_every_trait_and_suit_has_a_picture_of_its_own() -> None:
    drawn = emblems()
    words = [*(t.value for t in Trait), *(s.value for s in (*BASE_SUITS, *DARKER_SUITS)), "fog"]
    assert set(words) <= set(drawn)
    for emblem in drawn.values():
        assert all(-1.3 <= v <= 1.3 for patch in emblem for point in patch.points for v in point)


def practice_cards() -> TurnedCards:
    lady, *others = KNOWN.ladies
    mate = next(card for card in others if card.suit is lady.suit)
    deck = [card for card in others if card is not mate]
    way = [Location.CORNHILL, Location.BISHOPSGATE] * 13
    symbols = [Feature.COMMERCIAL, Feature.RESIDENCE] * 13
    return TurnedCards(Location.EASTCHEAP, Feature.COMMERCIAL, lady, deck, mate, way, symbols)


def test_practice_cards_are_turned_over_only_where_the_game_says_so() -> None:
    known = Known(KNOWN.ladies, practice_cards())
    base = dataclasses.replace(STARTED, expansions=frozenset({Expansion.YOUTH}), poet=None)
    played = Played(base)
    row = turn_row(played.state, known)
    assert row.offers[0].open() == LadyUpdated(Shown.RESIDENCE)
    assert "residence" in row.note
    played.add(LadyUpdated(Shown.RESIDENCE))
    row = turn_row(played.state, known)
    shown = " ".join([row.title, row.note, *(offer.label for offer in row.offers)])
    assert "Eastcheap" not in shown
    assert followed(row, "Confront the Youth", "Turn") == YouthConfronted(Location.EASTCHEAP)
    names = [t.value for t in Trait if t in known.cards.lady.clue.traits]  # type: ignore[union-attr]
    # She is in Bishopsgate now, the pawn in Cornhill: her card stays unseen.
    away = followed(row, "Confront the Lady", *names)
    assert isinstance(away, LadyConfronted)
    assert not away.found
    played.add(PawnMoved(Location.BISHOPSGATE))
    played.add(LadyUpdated(Shown.COMMERCIAL))
    played.add(PawnMoved(Location.CORNHILL))
    played.add(SearchMade(Location.CORNHILL, hit=True))
    question = offered(turn_row(played.state, known), "Turn up").open()
    assert isinstance(question, Ask)
    assert question.offers[0].open() == ClueGained(known.cards.clues[0].clue)  # type: ignore[union-attr]


def test_the_card_under_the_keys_comes_up_when_every_place_was_visited_and_not_before() -> None:
    cards = practice_cards()
    game = Played(STARTED).state.game
    gained = [HeldClue(card.clue, by) for by, card in enumerate(cards.clues[:3], start=2)]
    early = dataclasses.replace(game, clues=tuple(gained))
    assert cards.clue(early) is cards.clues[3]
    late = dataclasses.replace(early, visited=frozenset(Location))
    assert cards.clue(late) is cards.mate
    after = dataclasses.replace(late, clues=(*late.clues, HeldClue(cards.mate.clue, 9)))
    assert cards.clue(after) is cards.clues[3]
    every = [HeldClue(card.clue, by) for by, card in enumerate(cards.clues, start=2)]
    assert cards.clue(dataclasses.replace(game, clues=tuple(every))) is cards.mate


def test_a_darker_game_asks_what_the_player_s_own_card_shows() -> None:
    chosen = frozenset({Expansion.DARKER, Expansion.YOUTH})
    started = dataclasses.replace(STARTED, expansions=chosen, poet=None, suit=Suit.HEARTS)
    played = Played(started, LadyUpdated(), SearchMade(Location.CORNHILL, hit=True))
    question = offered(turn_row(played.state, KNOWN), "Turn up").open()
    assert isinstance(question, Ask)
    assert [offer.label for offer in question.offers] == [trait.value for trait in Trait]


def marker_told(played: Played, place: Location) -> list[str]:
    """What the map says at a place, and the panel, of the markers."""
    lines = [
        line for line in why_lines(played.state, place) if "its card" in line or "marks" in line
    ]
    rows = [row.text for row in lady_rows(played.state)]
    return lines + [text for text in rows if text.startswith(("Waypoint: ", "Tracer: "))]


def test_markers_tell_when_their_cards_come_up_and_what_they_mark_later() -> None:
    chosen = frozenset({Expansion.MARKERS})
    started = dataclasses.replace(STARTED, expansions=chosen, poet=None)
    played = Played(started, LadyUpdated(), WaypointPlaced(Location.SOUTHWARK),
                    TracerPlaced(Location.EASTCHEAP, 3), Passed())  # fmt: skip
    assert marker_told(played, Location.SOUTHWARK) == [
        "The waypoint: its card comes up in 26 updates, with what it marks.",
        "Waypoint: Southwark, now, again in 26 updates",
        "Tracer: Eastcheap, now, again in 26 updates; its card in 23",
    ]
    assert marker_told(played, Location.EASTCHEAP)[0] == (
        "The tracer: its card comes up in 23 updates, what it marks 3 later."
    )
    for _ in range(23):
        played.add(LadyUpdated())
        played.add(Passed())
    # So it is on the table: the tracer's card has just come up.
    assert Special.TRACER in played.state.game.deck.came_up
    assert marker_told(played, Location.EASTCHEAP) == [
        "The tracer: what it marks is on top in 3 updates.",
        "Waypoint: Southwark, in 3 updates",
        "Tracer: Eastcheap, in 3 updates",
    ]
