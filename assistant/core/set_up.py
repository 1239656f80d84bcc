"""How the physical game is laid out, as a checklist for any combination of expansions.

The order matters: the Lady is drawn before the clue deck is stacked, and the Poet's pawn follows
the player's. Nothing here needs to know a hidden card.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.core.errors import UsageError
from assistant.core.settings import Expansion


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the set-up and the section it comes from."""

    text: str
    source: str


_BASE = "base game"

_BOARD = (
    Step("Lay the board and the seven deduction tokens out.", _BASE),
    Step("Shuffle the ten fog cards into the fog deck, face down beside the board.", _BASE),
)

_BASE_LADIES = (
    Step("Shuffle the twelve clue cards and tuck the top one face down under the board: she is the "
         "Dark Lady. Note the suit on her back.", _BASE),
    Step("Find the other card of her suit, lay it face down near the board, and stack the eleven "
         "location keys on top of it: it is your clue once you have visited every location.",
         _BASE),
    Step("Shuffle the remaining clue cards and put the clue mask card on top: the clue deck.",
         _BASE),
)  # fmt: skip

_DARKER = "The Darker Ladies, Set up"

_DARKER_LADIES = (
    Step("Replace the clue cards with the twelve Darker Ladies. Shuffle them and tuck the top card "
         "face down under the board: she is the Dark Lady. Note the suit on her back.", _DARKER),
    Step("Locate the two other cards of her suit, by their backs.", _DARKER),
    Step("Lay one of these two face down near the board and stack the location keys on top of it: "
         "it is your clue once you have visited every location.", _DARKER),
    Step("Take three other clue cards and shuffle them together with the last card of her suit.",
         _DARKER),
    Step("Lay these four face down on top of the clue mask card.", _DARKER),
    Step("Lay the remaining clue cards on top of them.", _DARKER),
    Step("Flip the stack over so that the mask card is on top, and put this clue deck to one side: "
         "the last card of her suit is now among the first four clues.", _DARKER),
)  # fmt: skip

_STEALTH = (
    Step("Choose one of the letter columns, sort the 26 stealth cards that have a letter in it "
         "from A to Z (or backwards), landmark side up, and set the other six aside.", _BASE),
    Step("Cut the stealth deck once without looking, and put the countdown card at its bottom.",
         _BASE),
    Step("Put your pawn on any location and take its key.", _BASE),
)  # fmt: skip

_YOUTH = (
    Step("Shuffle the eleven Fair Youth cards, lay one face down next to the board, and set the "
         "other ten aside unseen.", "The Fair Youth, Set up"),
)  # fmt: skip

_RENDEZVOUS = (
    Step("Shuffle the seven Rendezvous cards, lay one face down next to the board, and set the "
         "other six aside unseen.", "The Rendezvous, Set up"),
)  # fmt: skip

_POET = "The Rival Poet, Set up"

_MARKERS = (
    Step('Lay the waypoint ("!") card, the tracer (footprint) card and their two tokens beside the '
         "stealth deck.", "Waypoints and Traces, Components"),
)  # fmt: skip

_START = (
    Step("Enter the Lady's suit, your pawn's place, and the symbol on top of the stealth deck.",
         "Bystander"),
)  # fmt: skip


def set_up_steps(expansions: Iterable[Expansion]) -> tuple[Step, ...]:
    """Return the steps in order for a game with these expansions.

    Raises:
        UsageError: both Rival Poets are chosen; there is one.
    """
    chosen = frozenset(expansions)
    if {Expansion.ELUSIVE, Expansion.AGGRESSIVE} <= chosen:
        raise UsageError("one Rival Poet is chosen, the Elusive or the Aggressive")
    ladies = _DARKER_LADIES if Expansion.DARKER in chosen else _BASE_LADIES
    steps = [*_BOARD, *ladies, *_STEALTH]
    if Expansion.YOUTH in chosen:
        steps += _YOUTH
    if Expansion.RENDEZVOUS in chosen:
        steps += _RENDEZVOUS
    for poet in (Expansion.ELUSIVE, Expansion.AGGRESSIVE):
        if poet in chosen:
            steps += _poet(poet)
    if Expansion.MARKERS in chosen:
        steps += _MARKERS
    return (*steps, *_START)


def _poet(poet: Expansion) -> tuple[Step, ...]:
    return (
        Step(f"Lay out the card of the {poet.value.title()} Poet.", _POET),
        Step("After your own pawn is placed, put the Poet's pawn in the location with the matching "
             "colour; if it is green, choose either of the two vacant ones.", _POET),
    )  # fmt: skip
