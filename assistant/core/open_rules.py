"""The questions that the rulebook leaves open: the reading taken, and how to change it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OpenRule:
    """One open question. `setting` is the word of `start` that changes it, with its values.

    None means that there is one reading; `change` then says how a player goes his own way.
    """

    topic: str
    question: str
    reading: str
    setting: str | None
    values: tuple[str, ...]
    change: str


_HOUSE = "do it as a house rule: the window asks, the log keeps the reason"

OPEN_RULES: tuple[OpenRule, ...] = (
    OpenRule(
        "The Rendezvous",
        "How are steps counted when you must not double back?",
        "walk: never straight back along the road just used, so a loop through a triangle may "
        "return; this never strikes out the truth, whichever was meant",
        "steps",
        ("walk", "path", "shortest"),
        "solve --steps path; start steps path",
    ),
    OpenRule(
        "The Rendezvous",
        "Does a nearer copy of the feature exclude a number?",
        'no: "present in at least one location" that many steps away is all that is said',
        None,
        (),
        "no other reading is offered",
    ),
    OpenRule(
        "The Fair Youth",
        "Which icon may a bystander show when several shortest ways lead to the hideout?",
        "a feature of the next place on any of them; some pairs have three first steps. In the "
        "hideout itself, of any neighbour",
        None,
        (),
        "no other reading is offered",
    ),
    OpenRule(
        "The Fair Youth",
        "Do asking and seeking use the turn's action?",
        "yes, each of them; confronting the Fair Youth is free and happens once. The same stack "
        "read again in the same turn costs nothing",
        None,
        (),
        _HOUSE,
    ),
    OpenRule(
        "The Rival Poet",
        "What is away for the Elusive Poet, and when does he move?",
        "he moves only when the pawn is exactly one road away, to a place two steps from it; "
        "right-most is the next road anticlockwise from the road to the pawn, as he faces away",
        None,
        (),
        _HOUSE,
    ),
    OpenRule(
        "The Rival Poet",
        "Which of two equally short ways is the Aggressive Poet's right-most?",
        "the one furthest to his right as he faces the pawn, by where the drawn roads leave his "
        "ring; the straight lines differ only at Cripplegate facing Southwark, and both are told",
        "tie",
        ("drawn", "straight"),
        "poet --tie straight; start tie straight",
    ),
    OpenRule(
        "The Rival Poet",
        "Does the Aggressive Poet take a longer way round when the shortest are barred?",
        "no, he stays; it is told when a longer way was open",
        None,
        (),
        _HOUSE,
    ),
    OpenRule(
        "The Rival Poet",
        "Where does the Poet's pawn go after a catch, and what if no fog card is left to pay?",
        "to another place of the colour where he was caught; without a fog card there is no clue",
        None,
        (),
        _HOUSE,
    ),
    OpenRule(
        "Waypoints and Traces",
        "Which cards count when the tracer goes in, and what does it warn of?",
        "stealth and fog cards count, the countdown and the waypoint do not; when it comes up the "
        "first of the counted cards is showing, and the marked place follows 3 or 5 updates later",
        None,
        (),
        "no other reading is offered",
    ),
    OpenRule(
        "Waypoints and Traces",
        "How often can a marker be used, and when does its token leave the map?",
        "twice each, both in one turn if you like, before or after the action or between a search "
        "and the flight; the token leaves when the marked card is on top again",
        None,
        (),
        _HOUSE,
    ),
    OpenRule(
        "The Dark Lady",
        "May the Lady stay where she is for a turn?",
        "yes: with the sequences of the lower row of letters she sometimes does",
        "stay",
        ("on", "off"),
        "start stay off, when you laid out a sequence of the upper row",
    ),
    OpenRule(
        "The Dark Lady",
        "Where is she while a fog card is showing?",
        "where the stealth card was that the fog card replaced; a hit fixes that slot for the "
        "rest of the game, a miss rules the place out",
        None,
        (),
        "no other reading is offered",
    ),
    OpenRule(
        "Searching",
        "Does she flee after a miss as she does after a hit?",
        "yes: the stealth card leaves, a fog card takes its slot, and the deck advances one card "
        "for each clue held",
        "miss",
        ("on", "off"),
        "start miss off",
    ),
    OpenRule(
        "Searching",
        "May you search without a fog card left to put into the deck, or with fog showing?",
        "no to both: a stealth card must be on top, and a fog card must be left to replace it",
        None,
        (),
        _HOUSE,
    ),
    OpenRule(
        "Fog cards",
        "What becomes of a fog card that was used?",
        "it goes under the fog deck and the next one takes its slot, so the deck keeps its length; "
        "what its text made happen is entered with it (fog 4 to PLACE, advance, clues, suit, ...)",
        "fog ... leaves",
        (),
        "say leaves when the card leaves the game",
    ),
    OpenRule(
        "Clues",
        "Which Ladies are considered?",
        "all 35 triples of the seven traits, with only the clues you hold and the Lady's suit; "
        "when the suit changes every clue is read again in the new row",
        None,
        (),
        "no other reading is offered",
    ),
    OpenRule(
        "Clues",
        "Does the starting place count as visited for the clue under the keys?",
        "yes: its key is yours from the start",
        None,
        (),
        _HOUSE,
    ),
    OpenRule(
        "The countdown",
        "How often may the countdown card come up?",
        "twice: she escapes when it comes up the second time",
        "passes",
        ("1", "2", "3"),
        "start passes 3",
    ),
    OpenRule(
        "Confronting the Dark Lady",
        "What does it cost, and must a stealth card be on top?",
        "it is the turn's action and ends the game; fog on top does not forbid it",
        None,
        (),
        _HOUSE,
    ),
    OpenRule(
        "The Rival Poet",
        "Does a fog card that puts your pawn where a Poet is count as moving there?",
        "yes: the Elusive Poet is caught, and to the Aggressive Poet's place you may not go",
        None,
        (),
        _HOUSE,
    ),
    OpenRule(
        "Scoring",
        "What is counted?",
        "the add-ons of the rulebook; the base game's own score is entered by you (base POINTS)",
        None,
        (),
        "enter another base score",
    ),
    OpenRule(
        "The Darker Ladies",
        "Which traits do they have?",
        "their cards are not public: you enter what you read off each clue card",
        None,
        (),
        "clue TRAITS MARK",
    ),
)
