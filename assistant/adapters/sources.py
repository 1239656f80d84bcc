"""What `--camera SRC` names: a number, a device, a stream, a film, or a folder of pictures."""

from __future__ import annotations

from assistant.adapters.camera_names import camera_by_name, named_cameras
from assistant.adapters.films import FilmFile, FolderFilm
from assistant.adapters.typed_paths import typed_path
from assistant.adapters.webcam import Webcam
from assistant.core.errors import MissingError
from assistant.session import CameraSource

STREAMS = ("http://", "https://", "rtsp://", "rtmp://")


def open_source(name: str) -> CameraSource:
    """Return the source that a typed name means (`practice` is app's: it needs a game).

    Raises:
        MissingError: no camera, file or folder has that name.
        DamagedError: the file is no film, or the folder has no picture.
        UnknownNameError: several cameras have that name.
    """
    if name.isdecimal():
        return Webcam(int(name))
    if name.lower().startswith(STREAMS):
        return Webcam(name)
    path = typed_path(name)
    if path.is_dir():
        return FolderFilm(path)
    if path.is_char_device() or path.is_fifo():
        # A pipe may never answer: only a camera's own thread may wait for it.
        return Webcam(str(path))
    if path.exists():
        return FilmFile(path)
    cameras = named_cameras()
    camera = camera_by_name(name, cameras)
    if camera is not None:
        return Webcam(camera.number)
    here = f" (here: {', '.join(c.name for c in cameras)})" if cameras else ""
    raise MissingError(
        f"no camera, film or folder is called {name!r}; give a camera number or name{here}, "
        "a device path, a stream's URL, a video file, a folder of pictures, or practice"
    )
