"""What the calibration wizard says: one line of what it sees, one of what to do."""

from __future__ import annotations

import pytest

from assistant.core.terms import Location
from assistant.present.wizard_words import WizardScreen, headline, hint, still_missing

CORNHILL, EASTCHEAP = Location.CORNHILL, Location.EASTCHEAP
ALL = frozenset((place, side) for place in Location for side in ("front", "back"))
NOTHING: frozenset[tuple[Location, str]] = frozenset()


@pytest.mark.parametrize(
    ("step", "seen", "is_wanted", "says"),
    [
        ("done", None, True, "All is learnt."),
        ("done", (CORNHILL, "front"), True, "All is learnt."),
        ("taught", (CORNHILL, "front"), True, "Cornhill, front: learnt."),
        ("taught", (CORNHILL, "back"), False, "This is Cornhill; another key was asked for."),
        ("taught", (None, "back"), True, "Lay one location key in view, alone."),
        ("asking", (None, "back"), True, "A key's back: which key is it?"),
        ("looking", None, True, "Looking …"),
        ("hindered", (CORNHILL, "front"), True, "A card lies there, but it cannot be seen well."),
        ("waiting", None, True, "Lay one location key in view, alone."),
    ],
)
def test_the_headline_says_what_is_seen(
    step: str, seen: tuple[Location | None, str] | None, is_wanted: bool, says: str
) -> None:
    assert headline(step, seen, is_wanted) == says


@pytest.mark.parametrize(
    ("seen", "missing", "begins"),
    [
        ((CORNHILL, "front"), ALL, "Turn it over to its back, or take any other key."),
        ((CORNHILL, "back"), ALL, "Turn it over to its front, or take any other key."),
        ((CORNHILL, "back"), ALL - {(CORNHILL, "front")}, "Next key. 21 sides still to show."),
        ((None, "back"), ALL, "Next key. 22 sides still to show."),
        ((CORNHILL, "back"), NOTHING, "Nothing is missing."),
        ((CORNHILL, "back"), frozenset({(EASTCHEAP, "front")}), "Still to show: Eastcheap (front)"),
    ],
)
def test_after_a_side_is_learnt_its_other_side_comes_first(
    seen: tuple[Location | None, str], missing: frozenset[tuple[Location, str]], begins: str
) -> None:
    assert hint("taught", seen, missing, is_still=True).startswith(begins)


@pytest.mark.parametrize(
    ("step", "is_still", "part"),
    [
        ("done", True, "Space closes the window"),
        ("asking", True, "Click its name"),
        ("hindered", False, "as soon as it can be seen well"),
        ("waiting", True, "put something of another colour under it"),
        ("waiting", False, "take your hand away"),
        ("looking", True, "take your hand away"),
        ("taught", True, "take your hand away"),
    ],
)
def test_each_step_says_what_to_do(step: str, is_still: bool, part: str) -> None:
    assert part in hint(step, None, ALL, is_still)


def test_little_that_is_missing_is_named_in_the_maps_order_and_much_is_counted() -> None:
    places = list(Location)
    three = [(places[4], "front"), (places[1], "front"), (places[1], "back")]
    assert still_missing(three) == (
        f"Still to show: {places[1].value} (back), {places[1].value} (front) "
        f"and {places[4].value} (front)."
    )
    assert still_missing([*three, (places[0], "back")]) == "Next key. 4 sides still to show."
    assert still_missing([]) == "Nothing is missing."


def test_the_share_counts_only_what_was_asked_for() -> None:
    sides = [(CORNHILL, "front"), (CORNHILL, "back"), (EASTCHEAP, "front"), (EASTCHEAP, "back")]

    def share(taught: int, wanted: int) -> float:
        return WizardScreen("", "", frozenset(sides[:taught]), frozenset(sides[:wanted])).share

    assert share(1, 4) == 0.25
    assert share(4, 2) == 1.0
    assert share(2, 0) == 0.0
