"""`bystander leds template`: a drilling template for the lights, true to size.

    bystander leds template OUT.pdf --width MM [--height MM] [--frame MM] [--hole MM]
                            [--per-place 1|3] [--paper a4|letter] [--photo FILE | --places FILE]

Measure your own board. Where its places are comes from the printed map, or from your own photo of
it: with --photo a window asks you to click the four corners and the eleven places, and writes
FILE.places.json, which --places takes: {"Clerkenwell": [x, y], …} in shares of width and height.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import DamagedError, MissingError, UsageError

if TYPE_CHECKING:
    from assistant.core.board import Board, Point
    from assistant.core.terms import Location


def add_parser(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `leds template`."""
    parser = actions.add_parser("template", help="a drilling template, true to size (PDF)")
    parser.add_argument("out", metavar="OUT.pdf", help="the file to write")
    parser.add_argument("--width", type=float, required=True, metavar="MM", help="of your board")
    parser.add_argument("--height", type=float, metavar="MM", help="of your board")
    parser.add_argument(
        "--frame", type=float, default=0.0, metavar="MM", help="a frame of this width around it"
    )
    parser.add_argument("--hole", type=float, default=5.5, metavar="MM", help="default: 5.5")
    parser.add_argument("--per-place", type=int, choices=[1, 3], help="default: as in leds map")
    parser.add_argument("--paper", choices=["a4", "letter"], default="a4")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--photo", metavar="FILE", help="click the places on your own photo")
    where.add_argument("--places", metavar="FILE", help="places as written by --photo")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the template; return 0.

    Raises:
        UsageError: the lengths cannot be.
        MissingError: a file cannot be read or written, or there is no display for --photo.
    """
    from assistant.adapters.light_settings import load_light_settings, printed_order
    from assistant.commands.leds import light_words
    from assistant.data import load_board
    from hardware.template import Place, plan_holes, write_template

    board = load_board()
    if args.per_place is None:
        order = load_light_settings().order_for(None)
    else:
        order = printed_order(args.per_place)
    points = _points(args, board)
    places = [Place(place.value, *points[place], order[place]) for place in board.locations]
    height_mm = args.height or round(args.width * board.height_over_width, 1)
    try:
        plan = plan_holes(places, args.width, height_mm, args.hole, args.frame)
    except ValueError as error:
        raise UsageError(str(error)) from error
    out = Path(args.out)
    try:
        pages = write_template(out, plan, args.paper, dict(light_words(order)))
    except OSError as error:
        raise MissingError(f"{out} cannot be written ({error.strerror or error})") from error
    print(f"{pages} pages written to {out}; print at 100 % and check the ruler")
    return 0


def _points(args: argparse.Namespace, board: Board) -> dict[Location, Point]:
    if args.photo is not None:
        return _clicked(Path(args.photo))
    if args.places is not None:
        return read_places(Path(args.places))
    return {place.location: (place.x, place.y) for place in board.places.values()}


def read_places(path: Path) -> dict[Location, Point]:
    """Return the places of a file that --photo has written.

    Raises:
        DamagedError: the file cannot be read or lacks a place.
    """
    from assistant.adapters.whole_file import read_json
    from assistant.core.terms import Location

    try:
        told = read_json(path)
        points = {place: told[place.value] for place in Location}
        return {place: (float(x), float(y)) for place, (x, y) in points.items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedError(f"{path} cannot be used: {' '.join(str(error).split())}") from error


def on_board(corners: list[Point], clicked: list[Point]) -> list[Point]:
    """Return clicks on a photo as shares of the board.

    Args:
        corners: the board's corners in the photo, clockwise from the top left, px.
        clicked: points in the photo, px.

    Raises:
        UsageError: the corners are no quadrilateral.
    """
    import cv2
    import numpy as np

    quad = np.array(corners, np.float32)
    if cv2.contourArea(quad) < 100 or not cv2.isContourConvex(quad):
        raise UsageError("those are no four corners; click them clockwise from the top left")
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    to_board = cv2.getPerspectiveTransform(quad, square)
    shares = cv2.perspectiveTransform(np.array([clicked], np.float64), to_board)[0]
    return [(float(x), float(y)) for x, y in shares]


def _clicked(photo: Path) -> dict[Location, Point]:
    """Ask for the corners and the places on a photo, and keep them beside it."""
    import tkinter

    from PIL import Image

    from assistant.adapters.pictures import open_picture
    from assistant.core.terms import Location
    from assistant.ui.photo_clicks import ask_clicks

    picture = Image.fromarray(open_picture(photo).picture[:, :, ::-1])
    corners = ["top left corner", "top right corner", "bottom right corner", "bottom left corner"]
    asked = [f"the board's {corner}" for corner in corners] + [p.value for p in Location]
    try:
        clicks = ask_clicks(picture, asked)
    except tkinter.TclError as error:
        raise MissingError(f"no window can be opened ({error}); use --places") from error
    if clicks is None:
        raise MissingError("the window was closed before all places were clicked")
    shares = on_board(clicks[:4], clicks[4:])
    points = dict(zip(Location, shares, strict=True))
    kept = photo.with_suffix(".places.json")
    told = {place.value: [round(x, 4), round(y, 4)] for place, (x, y) in points.items()}
    try:
        kept.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise MissingError(f"{kept} cannot be written ({error.strerror})") from error
    return points
