"""The map in the window: drawn by a painter in a thread, hovered and clicked here.

    poll() --wanted--> MapPainter (thread, Pillow only) --picture--> poll() --> the one image item

The newest wish wins; whatever came before it and was not begun is left out. Until the map of a new
size is painted the last one is shown whole, made smaller where it must be.
"""

from __future__ import annotations

import threading
import tkinter as tk
from collections.abc import Callable
from tkinter.font import nametofont

from PIL import Image

from assistant.core.terms import Location
from assistant.present.table_map import PlaceMark, TableMap
from assistant.ui.film_view import ImageCanvas
from assistant.ui.map_picture import draw_map
from assistant.ui.map_sheet import MapFrame, MapLook
from assistant.ui.palettes import Palette
from assistant.workers import fault_of

_Job = tuple[TableMap, MapLook, tuple[int, int]]


class MapPainter:
    """Draws maps in a thread of its own; `stop` ends it."""

    def __init__(self) -> None:
        """Start the thread."""
        self._wanted: _Job | None = None
        self._painted: tuple[_Job, Image.Image] | None = None
        self._changed = threading.Condition()
        self._stopping = False
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._guard, name="map", daemon=True)
        self._thread.start()

    def want(self, job: _Job) -> None:
        """Have a map drawn soon."""
        with self._changed:
            self._wanted = job
            self._changed.notify()

    def take(self) -> tuple[_Job, Image.Image] | None:
        """Return what was wanted and the map of it, once; None where there is no new one.

        Raises:
            Exception: what the thread died of; no map comes any more.
        """
        with self._changed:
            if self._fault is not None:
                raise self._fault
            painted, self._painted = self._painted, None
            return painted

    def stop(self, timeout_s: float = 1.0) -> bool:
        """End the thread; return whether it ended in time."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _guard(self) -> None:
        fault = fault_of(self._work)
        with self._changed:
            self._fault = fault

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted is not None or self._stopping)
                if self._stopping:
                    return
                job, self._wanted = self._wanted, None
            if job is not None:
                painted = draw_map(*job)
                with self._changed:
                    self._painted = job, painted


class MapView:
    """The map's canvas. Hover and arrow keys tell why; a click or Return picks a place."""

    def __init__(self, parent: tk.Misc, pick: Callable[[Location], None]) -> None:
        """Make the canvas; `pick` is told a place that was clicked."""
        self.view = ImageCanvas(parent, self._sized)
        self.canvas = self.view.canvas
        self.canvas.configure(takefocus=1)
        self._pick = pick
        self._painter = MapPainter()
        self._table: TableMap | None = None
        self._look: MapLook | None = None
        self._room = (0, 0)
        self._shown: Image.Image | None = None
        self._wanted: _Job | None = None
        self._wish: _Job | None = None
        #: Whether the map shown is the one wanted last.
        self.is_drawn = False
        self._over: PlaceMark | None = None
        self._halo = self.canvas.create_oval(0, 0, 0, 0, width=2, state="hidden")
        self._card = self.canvas.create_rectangle(0, 0, 0, 0, state="hidden")
        self._words = self.canvas.create_text(0, 0, anchor="nw", state="hidden", font="BodyFont")
        self.canvas.bind("<Motion>", lambda event: self._hover(event.x, event.y))
        self.canvas.bind("<Leave>", lambda _event: self._tell(None))
        self.canvas.bind("<Button-1>", self._clicked)
        for key, step in (("Right", 1), ("Down", 1), ("Left", -1), ("Up", -1)):
            self.canvas.bind(f"<{key}>", lambda _event, step=step: self._step(step))  # type: ignore[misc]
        self.canvas.bind("<Return>", lambda _event: self._take_over())
        self.canvas.bind("<FocusOut>", lambda _event: self._tell(None))

    def show(self, table: TableMap, look: MapLook) -> None:
        """Show a map; what is hovered stays so, with its new reasons."""
        self._table, self._look = table, look
        over = self._over
        self._tell(None if over is None else table.place(over.location))
        self._redraw()

    def colour(self, palette: Palette) -> None:
        """Paint the ground and the card with the reasons."""
        self.canvas.configure(background=palette.paper)
        self.canvas.itemconfigure(self._halo, outline=palette.ink)
        self.canvas.itemconfigure(self._card, fill=palette.panel, outline=palette.line)
        self.canvas.itemconfigure(self._words, fill=palette.ink)

    def poll(self) -> None:
        """Tell the painter what is wanted, and show what it has finished.

        A map of a size of before is left out.

        Raises:
            Exception: the painter died of it.
        """
        if self._wish is not None:
            # Not sooner: the painter would hold up what else a new state changes in the window.
            self._painter.want(self._wish)
            self._wish = None
        newest = self._painter.take()
        if newest is not None and newest[1].size == self._room:
            job, painted = newest
            moved = painted.size != self.view.size
            self._shown, self.is_drawn = painted, job is self._wanted
            self.view.show(painted)
            if moved:
                self._tell(self._over)

    def stop(self) -> bool:
        """End the painter; return whether it ended."""
        return self._painter.stop()

    def _sized(self, wide: int, high: int) -> None:
        self._room = (wide, high)
        self._shrink()
        self._redraw()

    def _shrink(self) -> None:
        """Show the last map whole while one for less room is being painted."""
        wide, high = self.view.size
        if self._shown is None or (wide <= self._room[0] and high <= self._room[1]):
            return
        share = min(self._room[0] / self._shown.width, self._room[1] / self._shown.height)
        size = (max(int(self._shown.width * share), 1), max(int(self._shown.height * share), 1))
        self.view.show(self._shown.resize(size, Image.Resampling.BILINEAR))

    def _redraw(self) -> None:
        if self._table is not None and self._look is not None and min(self._room) > 50:
            self._wanted = self._wish = (self._table, self._look, self._room)
            self.is_drawn = False

    def _hover(self, x: int, y: int) -> None:
        self._tell(self._place_at(x, y))

    def _place_at(self, x: int, y: int) -> PlaceMark | None:
        if self._table is None or not self.view.size[0]:
            return None
        left, top = self.view.spot
        frame = MapFrame.fitting(self._table, self.view.size)
        return self._table.place_at(*frame.to_map(x - left, y - top))

    def _clicked(self, event: tk.Event[tk.Canvas]) -> None:
        self.canvas.focus_set()
        place = self._place_at(event.x, event.y)
        self._tell(place)
        if place is not None:
            self._pick(place.location)

    def _step(self, step: int) -> str:
        """Go on to the next place by key."""
        if self._table is not None:
            places = list(self._table.places)
            at = (
                -1
                if self._over is None
                else [p.location for p in places].index(self._over.location)
            )
            self._tell(places[(at + step) % len(places)])
        return "break"

    def _take_over(self) -> str:
        if self._over is not None:
            self._pick(self._over.location)
        return "break"

    def _tell(self, place: PlaceMark | None) -> None:
        """Show the reasons of a place on a card beside it; None hides the card."""
        self._over = place
        items = (self._halo, self._card, self._words)
        # While a map of another size is still being painted nothing can be pointed at.
        if place is None or self._table is None or self.view.size != self._room:
            for item in items:
                self.canvas.itemconfigure(item, state="hidden")
            return
        frame = MapFrame.fitting(self._table, self.view.size)
        x, y = frame.to_picture(place.x, place.y)
        x, y = x + self.view.spot[0], y + self.view.spot[1]
        reach = self._table.ring * frame.width * 1.35
        self.canvas.coords(self._halo, x - reach, y - reach, x + reach, y + reach)
        self.canvas.itemconfigure(
            self._words,
            # A number and its sign stay in one line.
            text="\n".join((place.location.value, *place.why)).replace(" %", "\u00a0%"),
            # Some thirty letters in a line, whatever their size.
            width=min(
                nametofont("BodyFont", self.canvas).measure("n" * 32),
                self.canvas.winfo_width() // 2,
            ),
        )
        self._put_card(x, y, reach)
        for item in items:
            self.canvas.itemconfigure(item, state="normal")
            self.canvas.tag_raise(item)

    def _put_card(self, x: float, y: float, reach: float) -> None:
        """Put the card beside a ring, inside the canvas."""
        canvas, pad = self.canvas, 8
        canvas.itemconfigure(self._words, state="normal")
        canvas.coords(self._words, 0, 0)
        box = canvas.bbox(self._words)
        wide, high = box[2] - box[0], box[3] - box[1]
        left = x + reach + pad
        if left + wide + pad > canvas.winfo_width():
            left = x - reach - pad - wide
        top = min(max(y - high / 2, pad), max(canvas.winfo_height() - high - pad, pad))
        canvas.coords(self._words, left, top)
        canvas.coords(self._card, left - pad, top - pad, left + wide + pad, top + high + pad)
