"""Reading a live camera from the terminal, until the player stops it."""

from __future__ import annotations

import os
import sys
import threading

from assistant.adapters.webcam import Webcam
from assistant.core.errors import CameraLostError
from assistant.session import LiveRun, Session

#: Opening takes this long on the slowest machines known.
_OPENS_WITHIN_S = 25.0

_LISTENS_EVERY_S = 0.3


def read_live(session: Session, camera: Webcam) -> None:
    """Read until Ctrl-C.

    Raises:
        CameraLostError: the camera never gave a picture.
    """
    _wait_for_first_frame(camera)
    figures = camera.figures
    session.notice(f"reading {figures.width_px}x{figures.height_px}; Ctrl-C ends")
    run = LiveRun(session, camera)
    never = threading.Event()
    try:
        # Not for ever at once: on Windows Ctrl-C is heard only when a wait ends.
        while not never.wait(_LISTENS_EVERY_S):
            pass
    except KeyboardInterrupt:
        pass
    finally:
        if not run.stop():
            # A thread stuck inside a driver would abort the interpreter at its end.
            sys.stdout.flush()
            os._exit(0)


def _wait_for_first_frame(camera: Webcam) -> None:
    for _ in range(round(_OPENS_WITHIN_S / 0.5)):
        try:
            if camera.read(0.5) is not None:
                return
        except CameraLostError:
            camera.close()
            raise
    camera.close()
    raise CameraLostError("the camera gives no picture (bystander doctor lists the cameras)")
