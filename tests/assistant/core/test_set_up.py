"""The set-up checklists and the open questions."""

from __future__ import annotations

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
    # Play it: the mask below, four on it, the rest on those; flipped, the mask is on top.
    stack = ["mask", "a", "b", "c", "own", "rest", "rest", "rest", "rest", "rest", "rest"]
    flipped = stack  # what was lowest is on top now
    assert flipped[0] == "mask"
    assert "own" in flipped[1:5]


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
