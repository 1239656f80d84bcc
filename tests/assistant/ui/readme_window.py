"""The README's picture of the play window: a practice game after two readings, in dark colours.

    python -m tests.assistant.ui.readme_window OUT.jpg

Needs Xvfb. The game is dealt from a fixed number; only the time in the status line, and what comes
of how fast the machine is, differ from one picture to the next.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from PIL import ImageGrab

from assistant.commands import play_sources
from assistant.core.events import RendezvousSought, YouthAsked
from assistant.core.settings import Expansion
from assistant.ui.desk import Practice
from assistant.ui.window_frame import WindowSettings
from tests.assistant.ui.play_driver import Driven
from tests.assistant.ui.virtual_display import virtual_display

ALL = (Expansion.YOUTH, Expansion.RENDEZVOUS, Expansion.ELUSIVE, Expansion.MARKERS)

#: A game whose two readings leave some of everything, with the stack well in view.
SEED = 4

_SLOW_S = 240.0


def photographed(out: Path, seed: int = SEED) -> None:
    """Play until the second reading is taken, and photograph the window."""
    play_sources.cards_of_the_evening = lambda: seed
    driven = Driven("practice", WindowSettings(theme="dark"))
    driven.until(lambda: driven.desk._sight.is_ready, _SLOW_S)
    driven.window.set_up.choose(ALL)
    driven.begin()
    for what, kind in ((Practice.YOUTH, YouthAsked), (Practice.RENDEZVOUS, RendezvousSought)):
        driven.acts(driven.asked.offers[0].label)
        while driven.state.game.phase.value == "poet":
            driven.acts("Done")
        driven.desk.practise(what)
        driven.until(lambda kind=kind: isinstance(driven.state.log[-1].event, kind), _SLOW_S)  # type: ignore[misc]
        if kind is YouthAsked:
            driven.desk.practise(Practice.LIFT)
            driven.until(lambda: "No location key" in str(driven.window.seen.cget("text")), _SLOW_S)
    driven.until(lambda: driven.window.map.is_drawn)
    # The stack lies still and is outlined; the pictures counted are those of the last second.
    driven.settle(2.5)
    driven.root.update()
    wide = driven.root.winfo_width()
    high = driven.root.winfo_rooty() + driven.root.winfo_height()
    seen = ImageGrab.grab((0, 0, wide, high), xdisplay=os.environ["DISPLAY"])
    seen.convert("RGB").save(out, quality=88)
    driven.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home, virtual_display((1200, 800)) as name:
        os.environ["BYSTANDER_HOME"], os.environ["DISPLAY"] = home, name
        photographed(Path(sys.argv[1]), *map(int, sys.argv[2:]))
    # The display is gone, and no window may handle an event any more.
    os._exit(0)
