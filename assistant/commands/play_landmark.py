"""The stealth card held to the camera: a watcher in a thread that looks only while it is asked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from assistant.core.terms import Feature
from assistant.session import Frame
from assistant.workers import Latest

if TYPE_CHECKING:
    from assistant.vision.profile import CardProfile
    from assistant.vision.stealth_card import StealthReader, SymbolSettler

#: Between two looks, s: three that agree take half a second.
LOOK_EVERY_S = 0.15


class LandmarkWatch:
    """Tells the landmark on the stealth deck; its methods may be called from any thread."""

    def __init__(self, tell: Callable[[Feature], None]) -> None:
        """Start the thread; without a profile, or unasked, it looks at nothing."""
        self._tell = tell
        self._profile: CardProfile | None = None
        self._made: tuple[CardProfile, StealthReader] | None = None
        self._settler: SymbolSettler | None = None
        self._frames: Latest[Frame] = Latest()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="landmark", daemon=True)
        self._thread.start()

    def use(self, profile: CardProfile | None) -> None:
        """Read with the icons of this profile from now on."""
        self._profile = profile

    def want(self, wanted: bool) -> None:
        """Begin anew to look for a card that comes up, or look no more."""
        from assistant.vision.stealth_card import SymbolSettler

        self._settler = SymbolSettler() if wanted else None

    def put(self, frame: Frame) -> None:
        """Give the newest frame."""
        if self._settler is not None and self._profile is not None:
            self._frames.put(frame)

    def look(self, frame: Frame) -> None:
        """Look at one frame (the thread does; tests may)."""
        from assistant.vision.stealth_card import StealthReader

        settler, profile, made = self._settler, self._profile, self._made
        if settler is None or profile is None:
            return
        if made is None or made[0] is not profile:
            # Drawing the icons takes a moment; it is done when first asked for.
            made = self._made = profile, StealthReader(profile.glyphs)
        feature = settler.add(made[1].look(frame.picture))
        if feature is not None and settler is self._settler:
            self._tell(feature)

    def stop(self, timeout_s: float = 0.5) -> bool:
        """End the thread; return whether it ended in time."""
        self._stopping.set()
        self._frames.close()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while not self._stopping.is_set():
            frame = self._frames.take(0.2)
            if frame is not None:
                self.look(frame)
                self._stopping.wait(LOOK_EVERY_S)
