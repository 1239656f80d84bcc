"""What the play window opens: films at their own pace, our programs in other processes."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from assistant.commands.play_sources import EXIT_MISSING, FilmPace, LateSight, Sources
from assistant.core.errors import MissingError
from assistant.session import Frame
from assistant.vision.profile import CardProfile


class Film:
    """A film of so many frames at a rate, read as fast as it is asked for."""

    def __init__(self, frames: int, fps: float) -> None:
        self._frames, self._fps, self._next = frames, fps, 0

    def read(self, timeout_s: float) -> Frame | None:
        if self._next == self._frames:
            return None
        self._next += 1
        number = self._next - 1
        return Frame(np.zeros((9, 16, 3), np.uint8), number, number / self._fps)

    def close(self) -> None:
        self._next = self._frames


class Watch:
    """A clock that goes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, spent_s: float) -> None:
        self.now_s += spent_s


@pytest.mark.parametrize("fps", [2.0, 10.0, 30.0])
def test_each_frame_of_a_film_is_shown_at_its_own_time(fps: float) -> None:
    watch = Watch()
    film = FilmPace(Film(6, fps), clock=watch, sleep=watch.sleep)
    shown: dict[int, float] = {}
    for _ in range(60):
        frame = film.read(0.2)
        if frame is not None:
            shown[frame.index] = watch.now_s - 100.0
    assert shown == pytest.approx({number: number / fps for number in range(6)})


def test_a_reader_of_a_slow_film_waits_no_longer_than_it_said() -> None:
    watch = Watch()
    film = FilmPace(Film(2, 0.1), clock=watch, sleep=watch.sleep)
    assert film.read(0.2) is not None
    before_s = watch.now_s
    assert film.read(0.2) is None
    assert watch.now_s - before_s == pytest.approx(0.2)


def run_to_its_end(program: str) -> tuple[int, str]:
    sources = Sources(LateSight(), lambda _: None, None)
    ended: list[tuple[int, str]] = []
    run = threading.Thread(
        target=lambda: ended.append(sources._run([sys.executable, "-c", program])), daemon=True
    )
    run.start()
    run.join(60)
    sources.stop_waiting()
    assert ended, "the program did not come to its end"
    return ended[0]


def test_a_program_of_many_words_comes_to_its_end() -> None:
    code, said = run_to_its_end(
        "import sys; sys.stderr.write('x\\n' * 100_000 + 'the last word\\n'); sys.exit(3)"
    )
    assert code == 3
    assert said.splitlines()[-1] == "the last word"


def test_a_program_that_says_what_is_no_text_is_heard_all_the_same() -> None:
    code, said = run_to_its_end("import sys; sys.stderr.buffer.write(b'caf\\xe9 closed')")
    assert (code, said) == (0, "caf\ufffd closed")


def test_a_program_is_ended_when_the_window_closes() -> None:
    sources = Sources(LateSight(), lambda _: None, None)
    sources.stop_waiting()
    code, _ = sources._run([sys.executable, "-c", "import threading; threading.Event().wait()"])
    assert code != 0


def test_why_the_wizard_could_not_work_is_told_in_its_last_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sources = Sources(LateSight(), lambda _: None, None)
    said = "a warning of a driver\nbystander: no display for the wizard"
    monkeypatch.setattr(sources, "_run", lambda _: (EXIT_MISSING, said))
    with pytest.raises(MissingError, match=r"^no display for the wizard$"):
        sources.run_wizard("0")


class Cards:
    """Sources with a folder of one's own, and what was told when the cards were ready."""

    def __init__(self, profile: str | None = None) -> None:
        self.known: list[object] = []
        self.sight = LateSight()
        self.sources = Sources(self.sight, lambda _: None, profile, self.known.append)

    def load(self, folder: Path) -> None:
        self.sources.use_profile(str(folder))
        assert self.sources._loading is not None
        self.sources._loading.join(60)
        assert self.sources.close()


def test_another_profile_is_read_with_and_offered_from_then_on(
    blank_profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "home"))
    cards = Cards()
    assert not cards.sight.is_ready
    assert str(blank_profile) not in dict(cards.sources.choices().profiles)
    cards.load(blank_profile)
    assert cards.sight.is_ready
    assert not cards.sight.is_bare
    assert isinstance(cards.known[-1], CardProfile)
    choices = cards.sources.choices()
    assert choices.profile == str(blank_profile)
    assert dict(choices.profiles)[str(blank_profile)] == str(blank_profile)
    assert cards.sources.own_profile_folder() == blank_profile


def test_cards_that_are_damaged_are_not_read_with_and_the_reason_is_shown(
    blank_profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYSTANDER_HOME", str(tmp_path / "home"))
    (blank_profile / "profile.toml").write_text("format = 1", "utf-8")
    cards = Cards()
    cards.load(blank_profile)
    assert not cards.sight.is_ready
    assert "calibrate again" in cards.sight.why_not
    assert cards.known == [None]


def test_a_fault_while_the_cards_are_got_ready_is_shown_and_no_key_is_read(
    blank_profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: str | None) -> CardProfile:
        raise RuntimeError("out of memory")

    monkeypatch.setattr("assistant.app.card_profile", fails)
    cards = Cards()
    cards.load(blank_profile)
    assert not cards.sight.is_ready
    assert cards.sight.why_not == "The card profile cannot be used (RuntimeError: out of memory)"
    assert cards.known == [None]
