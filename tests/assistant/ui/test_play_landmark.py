"""The stealth deck's symbol told by showing the card: offered when it held, taken by space."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assistant.adapters.home import profile_folder
from assistant.adapters.profiles import save_profile
from assistant.commands.play_landmark import STILL_LOOKS, LandmarkWatch
from assistant.core.stealth import Shown
from assistant.core.terms import Feature
from assistant.core.turn_events import LadyUpdated
from assistant.session import Frame
from assistant.vision.sighting import Picture
from tests.assistant.ui.play_driver import Driven, replayed
from tests.assistant.vision.practice_profile import practice_profile
from tests.assistant.vision.test_stealth_card import shown


class CardCamera:
    """Gives the picture of the card that lies there, some forty a second."""

    def __init__(self, picture: Picture) -> None:
        self.picture, self.index = picture, -1

    def read(self, timeout_s: float) -> Frame | None:
        self.index += 1
        return Frame(self.picture, self.index, self.index / 40)

    def close(self) -> None:
        pass


@pytest.mark.usefixtures("display")
def test_a_card_that_comes_up_is_offered_and_the_one_of_the_turn_before_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    save_profile(practice_profile(), profile_folder())
    camera = CardCamera(shown(Feature.CHURCH, 0))
    monkeypatch.setattr("assistant.adapters.sources.open_source", lambda _: camera)
    driven = Driven(camera="7")
    driven.begin()
    watch = driven.desk._views.landmark
    driven.until(lambda: watch._settler is not None and watch._settler._old)
    asked = driven.asked.title
    driven.settle(1.0)
    assert driven.asked.title == asked
    camera.picture = shown(Feature.TAVERN, 1)
    driven.until(lambda: driven.asked.title != asked)
    assert "Tavern" in driven.window.row.title.cget("text")
    driven.press(" ")
    driven.until(lambda: driven.state.log[-1].event == LadyUpdated(Shown.TAVERN))
    assert not driven.asked.is_about_deck
    assert watch._settler is None
    assert driven.close()
    assert replayed(tmp_path).log[-1].event == LadyUpdated(Shown.TAVERN)


@pytest.mark.usefixtures("display")
def test_a_card_shown_while_the_table_is_set_up_is_offered_for_the_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path))
    save_profile(practice_profile(), profile_folder())
    camera = CardCamera(shown(Feature.RURAL, 0))
    monkeypatch.setattr("assistant.adapters.sources.open_source", lambda _: camera)
    driven = Driven(camera="7")
    # No card was told yet, so the one that lies there from the beginning counts.
    driven.until(lambda: driven.asked.title == "Rural on top of the stealth deck?")
    camera.picture = shown(Feature.TAVERN, 1)
    driven.until(lambda: driven.asked.title == "Tavern on top of the stealth deck?")
    driven.press(" ")
    driven.until(lambda: driven.window.set_up.form.top is Shown.TAVERN)
    assert driven.window.set_up._lists["top"].get() == "tavern"
    assert driven.asked.first is not None
    assert driven.asked.first.label == "Begin"
    driven.settle(1.0)
    assert driven.asked.title.startswith("Set the table up")
    driven.begin()
    assert driven.state.started.top is Shown.TAVERN
    assert driven.close()


class _CountingReader:
    """Sees nothing, and counts how often it was asked."""

    def __init__(self) -> None:
        self.looks = 0

    def look(self, _picture: Picture) -> None:
        self.looks += 1


def test_while_nothing_moves_the_watch_soon_rests_and_a_new_question_or_picture_wakes_it() -> None:
    watch = LandmarkWatch(lambda _feature: None, lambda _line: None)
    try:
        profile, reader = practice_profile(), _CountingReader()
        watch.use(profile)
        watch._made = profile, reader  # type: ignore[assignment]
        table = np.full((360, 640, 3), 90, np.uint8)
        handed = np.full((360, 640, 3), 150, np.uint8)

        def looks(picture: Picture, times: int) -> int:
            before = reader.looks
            for index in range(times):
                watch.look(Frame(picture, index, index / 7))
            return reader.looks - before

        watch.want(True)
        assert looks(table, 40) == STILL_LOOKS
        assert looks(handed, 1) == 1
        assert looks(table, 40) == STILL_LOOKS
        watch.want(True)
        assert looks(table, 40) == STILL_LOOKS
        watch.use(profile)
        assert looks(table, 40) == STILL_LOOKS
        watch.want(False)
        assert looks(handed, 5) == 0
    finally:
        assert watch.stop()
