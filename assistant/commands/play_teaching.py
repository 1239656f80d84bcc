"""What the play window teaches the program: the player's cards, in the wizard, and their board.

Only the desk thread calls what is here; the wizard runs in a process that a thread waits for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from assistant.adapters.board_file import save_board_face
from assistant.commands.frame_watch import fault_words
from assistant.commands.play_board import learnt_from
from assistant.commands.play_film import still_of
from assistant.commands.play_sources import Sources
from assistant.commands.play_views import Views
from assistant.core.errors import BystanderError
from assistant.session import Frame
from assistant.ui.desk import BoardShot, Message, Noted
from assistant.vision.board_finder import CornersError
from assistant.workers import fault_of


class Teaching:
    """See the module."""

    def __init__(
        self,
        sources: Sources,
        views: Views,
        tell: Callable[[Message], None],
        use_camera: Callable[[str], None],
        later: Callable[[Callable[[], None]], None],
    ) -> None:
        """Teach nothing yet.

        Args:
            sources: whose camera is lent to the wizard.
            views: whose last picture shows the board.
            tell: takes what the window is to be told.
            use_camera: takes the pictures from another source; "" for none.
            later: has something done in the desk thread.
        """
        self._sources, self._views, self._tell = sources, views, tell
        self._use_camera, self._later = use_camera, later
        self._board: Frame | None = None
        #: Waits for the wizard; None where it was not asked for.
        self.thread: threading.Thread | None = None

    def teach_cards(self) -> None:
        """Lend the camera to the wizard's window, then take it back with what was learnt."""
        if self.thread is not None and self.thread.is_alive():
            self._note("The window that learns your cards is open already.")
            return
        name = self._sources.name
        self._use_camera("")
        self._note("The window that learns your cards is opening.")
        # It may be open for long; the game goes on by hand meanwhile.
        self.thread = threading.Thread(target=self._wait, args=(name,), name="teach", daemon=True)
        self.thread.start()

    def shoot_board(self) -> None:
        """Tell a still picture to learn the board from."""
        self._board = self._views.maker.last
        if self._board is None:
            self._note("There is no picture: choose a camera first.")
        else:
            self._tell(BoardShot(still_of(self._board)))

    def learn_board(self, corners: Sequence[tuple[float, float]]) -> None:
        """Learn the board on the last still, and keep it."""
        if self._board is None:
            return
        try:
            face = learnt_from(self._board, list(corners))
        except CornersError:
            self._note(
                "Those are not the board's corners in turn. Show it again, and click clockwise: "
                "upper left (where Clerkenwell is), upper right, lower right, lower left."
            )
            return
        except ValueError:
            self._note("Too little is to be seen of the board. Try with more light, or nearer.")
            return
        self._views.board.use(face)
        save_board_face(face)
        self._note("The board is learnt: candidates are drawn on it when it is in view.")

    def _wait(self, name: str) -> None:
        """Wait for the wizard's end, then have the camera taken back (in a thread of its own)."""

        def run() -> None:
            try:
                self._sources.run_wizard(name or "0")
            except BystanderError as error:
                self._note(str(error))

        fault = fault_of(run)
        if fault is not None:
            self._note(fault_words(fault))
        self._later(lambda: self._taught(name))

    def _taught(self, name: str) -> None:
        self._sources.load_profile()
        if not self._sources.name:
            self._use_camera(name)

    def _note(self, text: str) -> None:
        self._tell(Noted(text))
