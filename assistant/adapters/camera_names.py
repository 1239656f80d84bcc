"""The cameras of this machine by name. Nothing is opened: asking a camera for its name is quiet.

Linux tells names in /sys; elsewhere the cv2-enumerate-cameras package does, where it is installed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.core.errors import UnknownNameError

_LINUX_NODES = Path("/sys/class/video4linux")


@dataclass(frozen=True, slots=True)
class NamedCamera:
    """A camera: the number by which it is opened, and its own name."""

    number: int
    name: str


def named_cameras(nodes: Path = _LINUX_NODES) -> list[NamedCamera]:
    """Return the cameras by number; empty where nobody knows their names."""
    if sys.platform == "linux":
        return _of_linux(nodes)
    try:
        from cv2_enumerate_cameras import (  # type: ignore[import-not-found] # noqa: PLC0415
            enumerate_cameras,
        )
    except ImportError:
        return []
    import cv2  # noqa: PLC0415 - heavy, and only needed where names are asked for

    backend = cv2.CAP_DSHOW if sys.platform == "win32" else cv2.CAP_AVFOUNDATION
    return [
        NamedCamera(int(camera.index) % 100, str(camera.name))
        for camera in enumerate_cameras(backend)
    ]


def cameras_here() -> list[NamedCamera]:
    """Return the cameras that may be tried: those with a name, else the first two numbers.

    Linux names every camera there is; without names there, there is none.
    """
    named = named_cameras()
    if named or sys.platform == "linux":
        return named
    return [NamedCamera(0, ""), NamedCamera(1, "")]


def _of_linux(nodes: Path) -> list[NamedCamera]:
    found = []
    for node in sorted(nodes.glob("video*")) if nodes.is_dir() else ():
        try:
            # Index 0 of a device gives the pictures, the others tell about them.
            if (node / "index").read_text().strip() == "0":
                number = int(node.name.removeprefix("video"))
                found.append(NamedCamera(number, (node / "name").read_text().strip()))
        except (OSError, ValueError):
            continue
    return sorted(found, key=lambda camera: camera.number)


def camera_by_name(typed: str, cameras: Sequence[NamedCamera]) -> NamedCamera | None:
    """Return the camera whose name holds what was typed, in any case; None when none does.

    Raises:
        UnknownNameError: several do; lists them.
    """
    wanted = typed.strip().casefold()
    fitting = [camera for camera in cameras if wanted and wanted in camera.name.casefold()]
    exact = [camera for camera in fitting if camera.name.casefold() == wanted]
    if len(fitting) > 1 and len(exact) != 1:
        told = ", ".join(f"{camera.number} ({camera.name})" for camera in fitting)
        raise UnknownNameError(f"several cameras are called {typed!r}: {told}; give the number")
    return next(iter(exact or fitting), None)
