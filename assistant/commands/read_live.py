"""Reading a live camera from the terminal, until the player stops it."""

from __future__ import annotations

import os
import sys
import threading

from assistant.adapters.exposure import SETTLE_S
from assistant.adapters.webcam import FIRST_FRAME_S, OPENS_WITHIN_S, CameraState, Webcam
from assistant.core.errors import CameraLostError
from assistant.live_run import LiveRun
from assistant.session import Session

#: By then a camera has given a picture, or has said why not.
_PATIENCE_S = OPENS_WITHIN_S + FIRST_FRAME_S + SETTLE_S + 1.0

_LISTENS_EVERY_S = 0.3


def read_live(session: Session, camera: Webcam) -> None:
    """Read until Ctrl-C.

    Raises:
        CameraLostError: the camera never gave a picture.
    """
    _wait_for_first_frame(session, camera)
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


def _wait_for_first_frame(session: Session, camera: Webcam) -> None:
    for _ in range(round(_PATIENCE_S / 0.5)):
        try:
            if camera.read(0.5) is not None:
                return
        except CameraLostError as error:
            if camera.state is not CameraState.OPENING:
                camera.close()
                raise
            # It is slow, not lost.
            session.notice(str(error))
    camera.close()
    raise CameraLostError("the camera gives no picture (bystander doctor lists the cameras)")
