"""A game's readings better the player's profile when it is over: by a listener of the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.profiles import load_profile, profile_files, save_files
from assistant.commands.calibrate_play import PlayedPrint
from assistant.core.events import Corrected, Retracted, SearchMade, Seq, SessionStarted
from assistant.core.terms import BLANK, LADY, Content, Location
from assistant.core.turn_events import LadyConfronted
from assistant.data import load_board, load_keys
from assistant.session import Frame, MemoryLog, Session
from assistant.vision.geometry import keyholes_from_facts
from assistant.vision.glyphs import built_in_glyphs
from assistant.vision.profile import CardProfile
from assistant.vision.sighting import Picture, Reason, Sighting
from tests.calibration.test_played import KEYHOLES, ONE, OTHER, TWO, filmed, seen

NOTHING = Sighting(reason=Reason.NO_KEY)
BARE: Picture = np.full((40, 60, 3), 90, np.uint8)


class Scripted:
    """A sight that claims of each picture what it is told to."""

    def __init__(self) -> None:
        self.next = NOTHING

    def look(self, picture: Picture) -> Sighting:
        return self.next


class Evening:
    """A session with a learner, whose profile lies in a folder beside what the wizard keeps."""

    def __init__(self, tmp_path: Path, folder: Callable[[], Path | None] | None = None) -> None:
        self.folder = tmp_path / "cards"
        # A profile on disk has the holes of all keys.
        holes = keyholes_from_facts(load_keys()) | KEYHOLES
        profile = CardProfile((), holes, built_in_glyphs())
        save_files({**profile.to_files(), "begun.npz": b"the wizard's"}, self.folder)
        self.notices: list[str] = []
        self.pupil = PlayedPrint(folder or (lambda: self.folder), self.notices.append)
        self._sight, self._frame = Scripted(), 0
        self.session = Session(load_board(), self._sight, MemoryLog(), listeners=[self.pupil.told])
        self.session.enter(SessionStarted())

    def lay(self, content: Content, place: Location) -> None:
        """Lay a stack, wait for its reading, lift it."""
        before = len(self.session.readings)
        self._show(filmed(content, place)[0], seen(content, place), 12)
        assert len(self.session.readings) == before + 1
        self._show(BARE, NOTHING, 40)

    def _show(self, picture: Picture, sighting: Sighting, frames: int) -> None:
        self._sight.next = sighting
        for _ in range(frames):
            self._frame += 1
            self.session.see(Frame(picture, self._frame, self._frame / 30))

    def learnt(self) -> set[Content]:
        return {g.content for g in load_profile(self.folder).glyphs if g.is_exact}


def test_what_two_keys_showed_is_in_the_profile_after_the_game(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.lay(TWO, ONE)
    evening.lay(TWO, OTHER)
    assert evening.learnt() == set()
    assert evening.pupil.close(30)
    assert evening.learnt() == {TWO}
    [notice] = evening.notices
    assert "how your deck prints 2" in notice
    assert profile_files(evening.folder)["begun.npz"] == b"the wizard's"


def test_it_is_learnt_as_soon_as_the_game_is_over_and_once(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.lay(TWO, ONE)
    evening.lay(TWO, OTHER)
    evening.session.enter(LadyConfronted(frozenset(), found=False, traits=frozenset()))
    thread = evening.pupil._thread
    assert thread is not None
    thread.join(30)
    assert evening.learnt() == {TWO}
    evening.lay(TWO, ONE)
    assert evening.pupil.close(30)
    assert len(evening.notices) == 1


def taken_back(evening: Evening) -> None:
    evening.session.enter(Retracted(Seq(evening.session.readings[-1].seq)))


def spoken_against(evening: Evening) -> None:
    evening.lay(Content.digit(3), OTHER)


@pytest.mark.parametrize("then", [taken_back, spoken_against])
def test_readings_in_doubt_teach_nothing(tmp_path: Path, then: Callable[[Evening], None]) -> None:
    evening = Evening(tmp_path)
    evening.lay(TWO, ONE)
    evening.lay(TWO, OTHER)
    then(evening)
    assert evening.pupil.close(30)
    assert (evening.learnt(), evening.notices) == (set(), [])


def test_where_no_profile_may_be_changed_none_is(tmp_path: Path) -> None:
    evening = Evening(tmp_path, lambda: None)
    evening.lay(TWO, ONE)
    evening.lay(TWO, OTHER)
    assert evening.pupil.close(30)
    assert (evening.learnt(), evening.notices) == (set(), [])


def test_a_profile_that_is_gone_costs_a_line_and_no_more(tmp_path: Path) -> None:
    evening = Evening(tmp_path, lambda: tmp_path / "nowhere")
    evening.lay(TWO, ONE)
    evening.lay(TWO, OTHER)
    assert evening.pupil.close(30)
    [notice] = evening.notices
    assert "is not kept" in notice


@pytest.mark.parametrize("laid", [[], [(TWO, ONE)]], ids=["nothing", "one key"])
def test_a_game_that_teaches_nothing_says_nothing(
    tmp_path: Path, laid: Sequence[tuple[Content, Location]]
) -> None:
    evening = Evening(tmp_path)
    for content, place in laid:
        evening.lay(content, place)
    assert evening.pupil.close(30)
    assert (evening.learnt(), evening.notices) == (set(), [])


def test_a_lady_that_two_keys_showed_is_learnt_and_a_blank_is_not(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    for content in (LADY, BLANK):
        evening.lay(content, ONE)
        evening.lay(content, OTHER)
    assert evening.pupil.close(30)
    assert evening.learnt() == {LADY}
    [notice] = evening.notices
    assert notice.endswith("how your deck prints the Lady")


def test_a_search_that_was_a_miss_after_all_teaches_no_lady(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.lay(LADY, ONE)
    evening.lay(LADY, OTHER)
    last = Seq(evening.session.readings[-1].seq)
    evening.session.enter(Corrected(last, SearchMade(OTHER, hit=False)))
    assert evening.pupil.close(30)
    assert (evening.learnt(), evening.notices) == (set(), [])


def test_a_fault_while_learning_costs_a_line_and_the_profile_stays(tmp_path: Path) -> None:
    def fails() -> Path:
        raise RuntimeError("out of memory")

    evening = Evening(tmp_path, fails)
    before = profile_files(evening.folder)
    evening.lay(TWO, ONE)
    evening.lay(TWO, OTHER)
    assert evening.pupil.close(30)
    assert evening.notices == ["nothing is learnt from this game (RuntimeError: out of memory)"]
    assert profile_files(evening.folder) == before
