"""A headless Chromium driven over its pipe: real clicks, every request seen. Skips without one."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
        if (found := shutil.which(name)) is not None
    ),
    None,
)

#: No name resolves, so nothing from outside can come even where the page asked for it.
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--remote-debugging-pipe", "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1180,1000",
    "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking",
)  # fmt: skip


class Browser:
    """One page. Calls wait for their answers; what the page does meanwhile is kept in `events`."""

    def __init__(self, to: int, of: int) -> None:
        self._to, self._of = to, of
        self._rest = b""
        self._next = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []

    def open(self, url: str) -> None:
        """Show a page, and wait until it is loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self._message())

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Return what the browser answers."""
        self._next += 1
        message: dict[str, Any] = {"id": self._next, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._next:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result
            if "method" in answer:
                self.events.append(answer)

    def value(self, expression: str) -> Any:
        """Return what an expression is in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def click(self, selector: str, share: float = 0.5) -> None:
        """Click with the mouse on an element, at a share of its width."""
        x, y, wide, high = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            "return [b.x, b.y, b.width, b.height]; })()"
        )
        at = {"x": x + wide * share, "y": y + high / 2, "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type="mousePressed", **at)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", **at)

    def requests(self) -> list[str]:
        """Return every address that the page asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def errors(self) -> list[Any]:
        """Return every error, warning and exception of the page."""
        bad = ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        return [event["params"] for event in self.events if event["method"] in bad]

    def picture(self) -> bytes:
        """Return the whole page as a PNG."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def printed(self) -> bytes:
        """Return the page as a PDF."""
        paper = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        return base64.b64decode(paper["data"])

    def _message(self, limit_s: float = 60.0) -> dict[str, Any]:
        until = time.monotonic() + limit_s
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._of], [], [], max(0.0, until - time.monotonic()))
            assert ready, "the browser says nothing"
            data = os.read(self._of, 1 << 16)
            assert data, "the browser has gone"
            self._rest += data
        whole, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(whole)
        return message


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Give a browser that keeps its things in a folder; it is gone after."""
    assert CHROMIUM is not None
    ours_of, theirs_to = os.pipe()
    theirs_of, ours_to = os.pipe()
    # Clear of 3 and 4, where the browser looks for its pipe.
    high = [fcntl.fcntl(handle, fcntl.F_DUPFD, 20) for handle in (theirs_of, theirs_to)]

    def pipe() -> None:
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)

    process = subprocess.Popen(
        [CHROMIUM, *_OPTIONS, f"--user-data-dir={folder / 'browser'}"],
        preexec_fn=pipe,  # noqa: PLW1509 - one thread here, and only dup2 in it
        pass_fds=(3, 4),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    for handle in (*high, theirs_of, theirs_to):
        os.close(handle)
    try:
        yield Browser(ours_to, ours_of)
    finally:
        os.close(ours_to)
        os.close(ours_of)
        process.kill()
        process.wait(20)
