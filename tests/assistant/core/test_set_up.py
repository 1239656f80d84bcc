"""The set-up checklists and the open questions."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations

import pytest

from assistant.core.errors import UsageError
from assistant.core.open_rules import OPEN_RULES
from assistant.core.set_up import set_up_steps
from assistant.core.settings import Expansion, Settings


def texts(*expansions: Expansion) -> list[str]:
    return [step.text for step in set_up_steps(expansions)]


def at(steps: list[str], words: str) -> int:
    (found,) = (number for number, text in enumerate(steps) if words in text)
    return found


def test_darker_clues_are_stacked_with_the_third_of_the_suit_among_the_first_four() -> None:
    steps = texts(Expansion.DARKER)
    order = [
        at(steps, "tuck the top card"),
        at(steps, "two other cards of her suit"),
        at(steps, "one of these two face down near the board"),
        at(steps, "three other clue cards"),
        at(steps, "these four face down on top of the clue mask card"),
        at(steps, "remaining clue cards on top of them"),
        at(steps, "Flip the stack over"),
    ]
    assert order == sorted(order)


def test_who_lays_the_darker_clue_deck_out_as_told_finds_her_card_among_the_first_four() -> None:
    table = LaidOut()
    for step in set_up_steps([Expansion.DARKER]):
        if step.source.startswith("The Darker Ladies"):
            table.follow(step.text)
    assert (len(table.under_keys), table.deck[0]) == (1, "mask")
    assert {*table.under_keys, *table.deck[1:5]} >= {"mate 1", "mate 2"}
    assert len(table.deck) == 1 + 10


class LaidOut:
    """Hands that do what a sentence of the set-up says; one they do not know is an error."""

    def __init__(self) -> None:
        self.cards: list[str] = []
        self.mates: list[str] = []
        self.under_keys: list[str] = []
        self.heap: list[str] = []
        #: From the table upwards; once flipped, from the top down.
        self.stack: list[str] = []
        self.deck: list[str] = []

    def follow(self, text: str) -> None:
        for sentence in text.split(". "):
            if sentence.startswith("Note the suit"):
                continue
            (found,) = (
                (do, match)
                for words, do in self.sentences()
                if (match := re.match(words, sentence))
            )
            do, match = found
            do(*match.groups())

    def sentences(self) -> list[tuple[str, Callable[..., None]]]:
        return [
            (r"Replace the clue cards with the (\w+) Darker Ladies", self.replace),
            (r"Shuffle them and tuck the top card face down under the board", self.tuck),
            (r"Locate the (\w+) other cards of her suit", self.locate),
            (r"Lay one of these two face down near the board and stack the location keys on top",
             self.lay_under_keys),
            (r"Take (\w+) other clue cards and shuffle them together with the last card",
             self.take),
            (r"Lay these (\w+) face down on top of the clue mask card", self.lay_on_mask),
            (r"Lay the remaining clue cards on top of them", self.lay_rest),
            (r"Flip the stack over so that the mask card is on top", self.flip),
        ]  # fmt: skip

    def replace(self, count: str) -> None:
        self.cards = ["lady", *(f"other {number}" for number in range(NUMBERS[count] - 3))]

    def tuck(self) -> None:
        self.cards.remove("lady")

    def locate(self, count: str) -> None:
        self.mates = [f"mate {number}" for number in range(1, NUMBERS[count] + 1)]

    def lay_under_keys(self) -> None:
        self.under_keys.append(self.mates.pop(0))

    def take(self, count: str) -> None:
        self.heap = [self.cards.pop() for _ in range(NUMBERS[count])] + self.mates
        self.mates = []

    def lay_on_mask(self, count: str) -> None:
        assert len(self.heap) == NUMBERS[count]
        self.stack = ["mask", *self.heap]

    def lay_rest(self) -> None:
        self.stack += [*self.cards, *self.mates]

    def flip(self) -> None:
        self.deck = list(self.stack)


NUMBERS = {"two": 2, "three": 3, "four": 4, "twelve": 12}


def test_every_combination_of_expansions_has_its_steps_and_one_order() -> None:
    words = {
        Expansion.YOUTH: "Fair Youth cards",
        Expansion.RENDEZVOUS: "Rendezvous cards",
        Expansion.ELUSIVE: "Elusive Poet",
        Expansion.AGGRESSIVE: "Aggressive Poet",
        Expansion.DARKER: "Darker Ladies",
        Expansion.MARKERS: "tracer",
    }
    for size in range(len(Expansion) + 1):
        for chosen in combinations(Expansion, size):
            if {Expansion.ELUSIVE, Expansion.AGGRESSIVE} <= set(chosen):
                with pytest.raises(UsageError, match="one Rival Poet"):
                    set_up_steps(chosen)
                continue
            steps = " ".join(texts(*chosen))
            for expansion, word in words.items():
                assert (word in steps) is (expansion in chosen)


def test_the_poets_pawn_is_placed_after_the_players() -> None:
    steps = texts(Expansion.ELUSIVE)
    assert at(steps, "Put your pawn") < at(steps, "put the Poet's pawn")


def test_every_setting_is_an_open_question_with_its_default_first() -> None:
    asked = {rule.setting: rule for rule in OPEN_RULES}
    default = Settings()
    assert asked["steps"].values[0] == default.steps.value
    assert asked["tie"].values[0] == default.tie.value
    assert (asked["stay"].values[0] == "on") is default.may_stay
    assert (asked["miss"].values[0] == "on") is default.advance_after_miss
    assert all(rule.reading and rule.change for rule in OPEN_RULES)
