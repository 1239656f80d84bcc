"""Hypothesis strategies for the parts of events that not every value fits."""

from __future__ import annotations

from hypothesis import strategies as st

from assistant.core.events import RendezvousSought, Seen, SessionStarted
from assistant.core.settings import Expansion, Settings
from assistant.core.stealth import Shown
from assistant.core.suits import Clue, Mark, Suit, Trait
from assistant.core.terms import Location
from assistant.core.turn_events import FogUsed, TracerPlaced


def register() -> None:
    """Tell Hypothesis how to build them; to be called once before `st.from_type`."""
    places = st.none() | st.sampled_from(Location)
    suits = st.none() | st.sampled_from(Suit)
    seen = st.builds(Seen, st.floats(0, 1), st.integers(0, 10**6))
    marks = st.builds(
        Mark, st.sampled_from(Suit), st.frozensets(st.sampled_from((0, 1, 2, 3)), min_size=1)
    )
    clues = st.builds(
        Clue,
        st.frozensets(st.sampled_from(Trait), min_size=3, max_size=3),
        st.lists(marks, max_size=3, unique_by=lambda mark: mark.suit).map(tuple),
        st.none() | st.text(max_size=9),
    )
    st.register_type_strategy(Seen, seen)
    st.register_type_strategy(Mark, marks)
    st.register_type_strategy(Clue, clues)
    st.register_type_strategy(
        RendezvousSought,
        st.builds(
            RendezvousSought,
            st.sampled_from(Location),
            st.sampled_from((1, 2, 3)),
            st.none() | seen,
        ),
    )
    st.register_type_strategy(
        SessionStarted,
        st.builds(
            SessionStarted,
            st.frozensets(st.sampled_from(Expansion)),
            st.from_type(Settings),
            places,
            places,
            suits,
            st.sampled_from(Shown),
            st.integers(1, 3),
        ),
    )
    st.register_type_strategy(
        FogUsed,
        st.builds(
            FogUsed,
            st.integers(1, 10),
            places,
            st.lists(st.sampled_from(Shown), max_size=3).map(tuple),
            st.integers(0, 2),
            st.integers(0, 2),
            suits,
            st.booleans(),
        ),
    )
    st.register_type_strategy(
        TracerPlaced,
        st.builds(TracerPlaced, st.sampled_from(Location), st.sampled_from((3, 5))),
    )
