"""The stealth card held to the camera: a watcher in a thread that looks only while it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from assistant.commands.frame_watch import FrameWatch
from assistant.core.terms import Feature
from assistant.session import Frame

if TYPE_CHECKING:
    from assistant.vision.profile import CardProfile
    from assistant.vision.sighting import Picture
    from assistant.vision.stealth_card import StealthReader, SymbolSettler

#: Between two looks, s.
LOOK_EVERY_S = 0.15

#: So many looks from the picture on in which something moved last show all there is, noise and
#: all: while the player thinks, no more are taken.
STILL_LOOKS = 10


class _Rest:
    """Counts the looks since the last picture in which something moved. One thread."""

    def __init__(self) -> None:
        from assistant.vision.stillness import Stillness

        self._still, self._looks = Stillness(), 0

    def is_seen_through(self, picture: Picture) -> bool:
        """Whether nothing has moved for so long that another look would show nothing new."""
        self._looks = self._looks + 1 if self._still.holds(picture) else 0
        return self._looks >= STILL_LOOKS


class LandmarkWatch(FrameWatch):
    """Tells the landmark on the stealth deck; its methods may be called from any thread."""

    def __init__(self, tell: Callable[[Feature], None], warn: Callable[[str], None]) -> None:
        """Start the thread; without a profile, or unasked, it looks at nothing."""
        self._tell = tell
        self._profile: CardProfile | None = None
        self._made: tuple[CardProfile, StealthReader] | None = None
        self._settler: SymbolSettler | None = None
        self._rest: _Rest | None = None
        super().__init__("landmark", warn)

    def use(self, profile: CardProfile | None) -> None:
        """Read with the icons of this profile from now on."""
        self._profile, self._rest = profile, _Rest()

    def want(self, wanted: bool, *, is_first: bool = False) -> None:
        """Begin anew to look for a card that comes up, or look no more.

        Args:
            wanted: whether to look.
            is_first: no card was told yet, so the one that lies there now counts as well.
        """
        from assistant.vision.stealth_card import SymbolSettler

        settler = SymbolSettler()
        if is_first:
            settler.add(None)  # as if nothing had lain there
        # In this order: a look of the other thread that has the new settler has the new count, too.
        self._rest = _Rest()
        self._settler = settler if wanted else None

    @property
    def is_wanted(self) -> bool:
        """Whether a card is asked for whose icons are known."""
        return self._settler is not None and self._profile is not None

    @property
    def pause_s(self) -> float:
        """Three looks that agree take half a second."""
        return LOOK_EVERY_S

    def look(self, frame: Frame) -> None:
        """Look at one frame (the thread does; tests may)."""
        from assistant.vision.stealth_card import StealthReader

        settler, profile, made = self._settler, self._profile, self._made
        rest = self._rest
        if settler is None or profile is None or rest is None:
            return
        if rest.is_seen_through(frame.picture):
            return
        if made is None or made[0] is not profile:
            # Drawing the icons takes a moment; it is done when first asked for.
            made = self._made = profile, StealthReader(profile.glyphs)
        feature = settler.add(made[1].look(frame.picture))
        if feature is not None and settler is self._settler:
            self._tell(feature)
