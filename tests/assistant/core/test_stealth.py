"""The deck as it lies, beside a real pile of cards: the top is index 0, the bottom the last."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.core.stealth import SLOTS, Special, StealthDeck
from assistant.core.terms import Location

PLACE = Location.CORNHILL


class Pile:
    """Cards on a table: numbers for the steps of the Lady, words for the rest."""

    def __init__(self) -> None:
        self.cards: list[int | str] = [*range(SLOTS), "countdown"]
        self.passes = 9
        self.up: list[str] = []

    def update(self) -> None:
        self.up = []
        self.cards.append(self.cards.pop(0))
        while isinstance(self.cards[0], str):
            word = self.cards.pop(0)
            assert isinstance(word, str)
            self.up.append(word)
            if word == "countdown":
                self.cards.append(word)
                self.passes -= 1

    def trace(self, warning: int) -> None:
        bottom: list[int | str] = []
        while sum(isinstance(card, int) for card in bottom) < warning:
            bottom.insert(0, self.cards.pop())
        self.cards += ["tracer", *bottom]


acts = st.lists(
    st.one_of(st.integers(1, 30), st.sampled_from(["waypoint", "tracer 3", "tracer 5"])),
    max_size=12,
)


@given(acts)
def test_the_ring_of_slots_moves_as_a_real_pile_does(todo: list[int | str]) -> None:
    deck, pile = StealthDeck.at_set_up(passes=9), Pile()
    for act in todo:
        if isinstance(act, int):
            for _ in range(act):
                deck = deck.updated()
                pile.update()
                assert deck.slot == pile.cards[0]
                assert [special.value for special in deck.came_up] == pile.up
        elif act == "waypoint" and deck.waypoint.is_free:
            deck = deck.with_waypoint(PLACE)
            pile.cards.append("waypoint")
        elif act.startswith("tracer") and deck.tracer.is_free:
            deck = deck.with_tracer(PLACE, int(act[-1]))
            pile.trace(int(act[-1]))
        around = [*deck.cards[deck.top :], *deck.cards[: deck.top]]
        lies = [card.value if isinstance(card, Special) else card for card in around]
        assert lies == pile.cards
        assert deck.passes_left == pile.passes
        ahead = pile.cards[: pile.cards.index("countdown")]
        steps = sum(isinstance(card, int) for card in ahead)
        assert deck.updates_until_escape() == steps + SLOTS * (pile.passes - 1)


def test_after_the_waypoint_comes_up_the_next_card_is_the_marked_place() -> None:
    deck = StealthDeck.at_set_up()
    for _ in range(4):
        deck = deck.updated()
    deck = deck.with_waypoint(PLACE)
    marked, updates = deck.slot, 0
    while Special.WAYPOINT not in deck.came_up:
        assert deck.waypoint.location is PLACE
        deck = deck.updated()
        updates += 1
    assert deck.slot == marked
    assert updates == SLOTS
    assert deck.waypoint.is_free
    assert deck.waypoint.location is None


def test_when_the_tracer_comes_up_as_many_moves_are_left_as_was_chosen() -> None:
    for warning in (3, 5):
        for before in range(SLOTS):
            deck = StealthDeck.at_set_up(passes=9)
            for _ in range(before):
                deck = deck.updated()
            deck = deck.with_tracer(PLACE, warning)
            marked = deck.slot
            while Special.TRACER not in deck.came_up:
                deck = deck.updated()
            assert deck.updates_until(marked) == warning
            assert deck.tracer.location is PLACE
            for _ in range(warning):
                assert not deck.tracer.is_free
                deck = deck.updated()
            assert deck.slot == marked
            assert deck.tracer.is_free


def test_the_tracer_does_not_count_the_countdown_or_the_waypoint_but_counts_fog() -> None:
    deck = StealthDeck.at_set_up().searched().updated()
    # At the bottom lie, from the last upwards: the "!" card, slot 0 (fog), the countdown, 25, 24.
    deck = deck.with_waypoint(PLACE).with_tracer(PLACE, 3)
    at = deck.cards.index(Special.TRACER)
    assert deck.cards[at + 1] == 24


def test_updates_until_escape_counts_whole_passes() -> None:
    deck = StealthDeck.at_set_up(passes=2)
    left = deck.updates_until_escape()
    assert left == 2 * SLOTS
    while not deck.escaped:
        assert deck.updates_until_escape() == left
        deck = deck.updated()
        left -= 1
    assert left == 0


def test_a_searched_slot_keeps_its_fog_for_the_rest_of_the_game() -> None:
    deck = StealthDeck.at_set_up().updated().searched()
    assert deck.is_fog
    for turn in range(1, 2 * SLOTS):
        deck = deck.updated()
        assert deck.is_fog is (turn % SLOTS == 0)
