"""Real streams: MJPEG over loopback that stops and comes back, a pipe that never answers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.adapters.sources import open_source
from assistant.adapters.webcam import CameraState, Webcam
from assistant.core.errors import CameraLostError
from assistant.session import Frame


class MjpegServer:
    """What a phone's camera app does: a JPEG after the other over one connection."""

    def __init__(self, port: int = 0, *, answers: bool = True) -> None:
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listener.getsockname()[1]
        self._answers = answers
        self._stopping = threading.Event()
        self._sending: list[threading.Thread] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"

    def kill(self) -> None:
        self._stopping.set()
        # Closing a socket does not wake a thread that waits in accept; a call does.
        socket.create_connection(("127.0.0.1", self.port)).close()
        for thread in (self._thread, *self._sending):
            thread.join(5)

    def _serve(self) -> None:
        while not self._stopping.is_set():
            connection, _ = self._listener.accept()
            if self._stopping.is_set():
                connection.close()
                break
            self._sending.append(threading.Thread(target=self._send, args=(connection,)))
            self._sending[-1].start()
        self._listener.close()

    def _send(self, connection: socket.socket) -> None:
        try:
            connection.recv(4096)
            if not self._answers:
                self._stopping.wait(30)
                return
            connection.sendall(
                b"HTTP/1.0 200 OK\r\n"
                b"Content-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
            )
            number = 0
            while not self._stopping.is_set():
                number += 1
                jpeg = cv2.imencode(".jpg", noisy(number))[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                connection.sendall(head.encode() + jpeg + b"\r\n")
                self._stopping.wait(0.02)
        except OSError:
            return
        finally:
            connection.close()


def noisy(number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(number).integers(90, 160, (120, 160, 3), np.uint8)


def frame_of(source: Webcam, within_s: float = 15.0) -> Frame:
    """Return the next frame, whatever was lost before it."""
    until_s = time.monotonic() + within_s
    while time.monotonic() < until_s:
        try:
            frame = source.read(0.2)
        except CameraLostError:
            continue
        if frame is not None:
            return frame
    raise AssertionError("no frame came")


def loss_of(source: Webcam, within_s: float = 15.0) -> str:
    until_s = time.monotonic() + within_s
    while time.monotonic() < until_s:
        try:
            source.read(0.2)
        except CameraLostError as error:
            return str(error)
    raise AssertionError("the loss was never told")


def test_a_phones_stream_is_read_lost_when_it_stops_and_read_again_when_it_is_back() -> None:
    server = MjpegServer()
    source = open_source(server.url)
    assert isinstance(source, Webcam)
    first = frame_of(source)
    assert first.picture.shape == (120, 160, 3)
    server.kill()
    assert server.url in loss_of(source)
    back = MjpegServer(server.port)
    after = frame_of(source)
    source.close()
    back.kill()
    assert after.index > first.index
    assert after.time_s > first.time_s


def test_a_stream_that_takes_the_call_and_never_answers_is_told_and_does_not_hold_up_closing() -> (
    None
):
    server = MjpegServer(answers=False)
    source = Webcam(server.url, first_frame_s=0.5)
    words = loss_of(source, within_s=5.0)
    began_s = time.monotonic()
    source.close()
    spent_s = time.monotonic() - began_s
    server.kill()
    assert "no picture" in words
    assert spent_s < 2.0
    assert source.state is CameraState.CLOSED


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_that_never_answers_is_told_and_does_not_keep_the_program_from_ending(
    tmp_path: Path,
) -> None:
    pipe = tmp_path / "camera"
    os.mkfifo(pipe)
    code = (
        "import sys, time\n"
        "from assistant.adapters.sources import open_source\n"
        "from assistant.core.errors import CameraLostError\n"
        "source = open_source(sys.argv[1])\n"
        "began = time.monotonic()\n"
        "try:\n"
        "    while time.monotonic() - began < 20:\n"
        "        source.read(0.2)\n"
        "except CameraLostError as error:\n"
        "    print(error, flush=True)\n"
        "source.close()\n"
        "print(time.monotonic() - began, flush=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(pipe)],
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
    )
    words, spent_s = done.stdout.strip().splitlines()
    assert "gives no picture" in words
    assert float(spent_s) < 6
    assert done.returncode == 0
