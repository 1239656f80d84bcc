"""The wizard of `bystander calibrate`: a camera, the wizard's steps, and their window.

    camera -> worker thread: Wizard.show -> screen, picture, chart -> window
                 ^                                                      |
                 +------------- what the player does -------------------+

The worker owns the wizard and the files; after every side that is learnt the profile is kept, so
that closing the window at any moment loses nothing. Where a whole profile stands, what is shown is
kept beside it, and takes its place once it is whole, too, and was checked.
"""

from __future__ import annotations

import queue
import shutil
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image

from assistant.adapters.profiles import save_files
from assistant.adapters.webcam import Webcam
from assistant.commands.calibrate_chart import learnt_chart
from assistant.core.errors import CameraLostError
from assistant.core.terms import Location
from assistant.present.wizard_words import WizardScreen, headline, hint
from assistant.session import CameraSource, Frame
from assistant.ui.wizard_view import (
    CHART_PX,
    LIVE_PX,
    Act,
    ChartChanged,
    Chosen,
    FinishAsked,
    Message,
    WizardEnded,
    WizardWindow,
)
from assistant.workers import fault_of
from calibration.checking import Verdict, verdict_on
from calibration.wizard import Progress, Sides, Step, Wizard

_FRAME_S = 1 / 30
#: The chart is drawn for screens so much finer than a plain one.
_FINE = 2
_OUTLINE = {
    Step.TAUGHT: (70, 160, 60),
    Step.DONE: (70, 160, 60),
    Step.HINDERED: (20, 90, 220),
    Step.ASKING: (40, 150, 235),
}


class Teaching:
    """The worker: shows the source's frames to the wizard until it ends. `act` from any thread."""

    def __init__(
        self,
        wizard: Wizard,
        source: CameraSource,
        folder: Path,
        facts: Mapping[str, Any],
        *,
        at_pace: bool,
        stands: Path | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            wizard: the steps.
            source: where frames come from; closed at the end.
            folder: where what is learnt is kept after every side.
            facts: the measured facts of the keys.
            at_pace: whether to wait for each frame's time (a film would be over at once).
            stands: the profile's own place where another folder keeps what is learnt meanwhile.
        """
        self.messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.verdict: Verdict | None = None
        self.failure: Exception | None = None
        self._wizard, self._source, self._folder, self._facts = wizard, source, folder, facts
        self._at_pace, self._stands = at_pace, stands
        self._acts: queue.SimpleQueue[Act] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._notice = ""
        self._picture: Image.Image | None = None
        self._lock = threading.Lock()

    @property
    def stands(self) -> Path | None:
        """The whole profile that still stands, because not all was shown anew; None otherwise."""
        return self._stands

    def newest(self) -> Image.Image | None:
        """Return the newest picture to show, once; None when there is no new one."""
        with self._lock:
            picture, self._picture = self._picture, None
            return picture

    def act(self, act: Act) -> None:
        """Take what the player did."""
        self._acts.put(act)

    def stop(self) -> None:
        """Ask the worker to end; it does within a frame."""
        self._stopping.set()
        self._source.close()

    def work(self) -> None:
        """Run until the source, the player, or `stop` ends it."""
        self.failure = fault_of(self._teach)  # raised by the caller
        self._source.close()
        self.messages.put(WizardEnded())

    def _teach(self) -> None:
        self._say(self._wizard.progress)
        self.messages.put(ChartChanged(learnt_chart(self._wizard.lesson.profile, CHART_PX, _FINE)))
        began_s = time.monotonic()
        while not self._stopping.is_set():
            if not self._take_acts():
                return
            frame = self._read()
            if frame is None:
                if self._at_pace and self._wizard.progress.step is not Step.DONE:
                    return
                self._stopping.wait(0.03)
                continue
            if self._at_pace:
                self._stopping.wait(max(0.0, began_s + frame.time_s - time.monotonic()))
            was_done = self._wizard.progress.step is Step.DONE
            progress = self._wizard.show(frame.picture, frame.time_s)
            if progress.is_news:
                self._keep()
            if progress.step is Step.DONE and not was_done:
                progress = self._checked(progress)
            self._say(progress)
            self._draw(frame, progress)

    def _checked(self, progress: Progress) -> Progress:
        """Check what was learnt now that it is enough; take back what is bad, else let it count."""
        self.verdict = verdict_on(self._wizard.profile, self._facts)
        if self.verdict.bad:
            progress = self._wizard.take_back(self.verdict.blamed)
            self._keep()
        elif self._stands is not None and progress.is_enough:
            save_files(self._wizard.files(), self._stands)
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder, self._stands = self._stands, None
        return progress

    def _read(self) -> Frame | None:
        try:
            frame = self._source.read(0.2)
        except CameraLostError as error:
            self._notice = str(error)
            self._say(self._wizard.progress)
            return None
        if frame is not None:
            self._notice = ""
        return frame

    def _take_acts(self) -> bool:
        """Do what the player asked for; return whether to go on."""
        while True:
            try:
                act = self._acts.get_nowait()
            except queue.Empty:
                return True
            before = self._wizard.progress
            if isinstance(act, FinishAsked) or (
                before.step is Step.DONE and not isinstance(act, Chosen)
            ):
                return not self._may_end(before)
            progress = self._wizard.answer(act.location if isinstance(act, Chosen) else None)
            if progress.taught != before.taught:
                self._keep()
                if progress.step is Step.DONE:
                    progress = self._checked(progress)
            self._say(progress)

    def _may_end(self, progress: Progress) -> bool:
        """Return whether the wizard may end now: not with what would be read with wrongly."""
        if progress.step is Step.DONE or not progress.is_enough:
            return True
        progress = self._checked(progress)
        self._say(progress)
        return self.verdict is None or not self.verdict.bad

    def _keep(self) -> None:
        save_files(self._wizard.files(), self._folder)
        self.messages.put(ChartChanged(learnt_chart(self._wizard.lesson.profile, CHART_PX, _FINE)))

    def _say(self, progress: Progress) -> None:
        self.messages.put(screen_of(progress, self._notice, self.verdict))

    def _draw(self, frame: Frame, progress: Progress) -> None:
        height, width = frame.picture.shape[:2]
        scale = min(LIVE_PX[0] / width, LIVE_PX[1] / height)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        small = cv2.resize(frame.picture, size, interpolation=cv2.INTER_AREA)
        if progress.corners is not None:
            quad = np.rint(np.array(progress.corners) * scale * 16).astype(np.int32)
            colour = _OUTLINE.get(progress.step, (230, 230, 230))
            cv2.polylines(small, [quad], True, colour, 3, cv2.LINE_AA, shift=4)
        shown = Image.fromarray(np.ascontiguousarray(small[:, :, ::-1]))
        if size != LIVE_PX:
            boxed = Image.new("RGB", LIVE_PX, "#1b1712")
            boxed.paste(shown, ((LIVE_PX[0] - size[0]) // 2, (LIVE_PX[1] - size[1]) // 2))
            shown = boxed
        with self._lock:
            self._picture = shown


def screen_of(progress: Progress, notice: str, verdict: Verdict | None) -> WizardScreen:
    """Return what the window shows for what the wizard tells."""
    step = progress.step.value
    seen = None if progress.seen is None else (progress.seen[0], progress.seen[1].value)
    lit = None if seen is None or seen[0] is None else (seen[0], seen[1])
    warnings = [condition.words for condition in sorted(progress.conditions, key=_order)]
    if notice:
        warnings.insert(0, _sentence(notice))
    if verdict is not None and progress.step is not Step.DONE:
        warnings += verdict.bad
    missing = _named(progress.missing)
    return WizardScreen(
        headline=headline(step, seen, lit is None or lit in _named(progress.wanted)),
        hint=hint(step, seen, missing, progress.is_still),
        taught=_named(progress.taught),
        wanted=_named(progress.wanted),
        warnings=tuple(warnings),
        lit=lit,
        choices=progress.choices,
        icons=progress.icons,
        is_enough=progress.is_enough,
        is_done=progress.step is Step.DONE,
    )


def _order(condition: object) -> str:
    return str(condition)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _named(sides: Sides) -> frozenset[tuple[Location, str]]:
    return frozenset((location, side.value) for location, side in sides)


def teach_in_window(teaching: Teaching, title: str) -> None:
    """Run the worker and its window until either ends.

    Raises:
        BystanderError: the worker could not go on; what was learnt before is kept.
        tkinter.TclError: there is no display.
    """
    window = WizardWindow(title, teaching.messages, teaching.newest, teaching.act)
    worker = threading.Thread(target=teaching.work, name="teaching", daemon=True)
    worker.start()
    try:
        window.run()
    finally:
        teaching.stop()
        worker.join(1.5)
    if teaching.failure is not None:
        raise teaching.failure


def is_live(source: CameraSource) -> bool:
    """Return whether frames come when they come, not when they are asked for."""
    return isinstance(source, Webcam)
