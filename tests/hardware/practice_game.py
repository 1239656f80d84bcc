"""A whole practice game with --leds on the Pico's firmware: a measurement, not a test.

    python -m tests.hardware.practice_game [SEED…]

Runs `bystander demo --headless --json --leds PORT` with main.py in MicroPython on the port. After
each reading the lights must come to equal the candidates that the demo prints, and they must be
dark at the end. Prints a line per reading; exit 1 when the lights ever differ.
"""

from __future__ import annotations

import json
import subprocess
import sys

from assistant.core.terms import Feature, Location
from assistant.data import load_board
from hardware.lights import DARK, Rgb
from tests.hardware.devices import PicoDevice


def wanted(row: dict[str, dict[str, float]]) -> list[set[int]]:
    """Return which lights are to be lit in each of two layers, in the printed order of places."""
    board, symbols = load_board(), {Feature(name) for name in row["rendezvous"]}
    return [
        {3 * n for n, place in enumerate(Location) if place.value in row["youth"]},
        {3 * n + 1 for n, place in enumerate(Location) if board.features(place) & symbols},
    ]


def lit(lights: tuple[Rgb, ...]) -> list[set[int]]:
    """Return which lights are lit in each layer."""
    on = {n for n, colour in enumerate(lights) if colour != DARK}
    return [{n for n in on if n % 3 == layer} for layer in (0, 1)]


def play(seed: int) -> bool:
    """Play one game; return whether the lights were right throughout."""
    pico, right, readings = PicoDevice(), True, 0
    command = [sys.executable, "-m", "assistant.cli", "demo", "--headless", "--json",
               "--seed", str(seed), "--leds", pico.port]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as game:
        assert game.stdout is not None
        for line in game.stdout:
            row = json.loads(line)
            if row["event"] == "candidates":
                target = wanted(row)
                is_equal = pico.wait_until(lambda lights, target=target: lit(lights) == target)  # type: ignore[misc]
                readings, right = readings + 1, right and is_equal
                counts = f"{len(target[0])} places, {len(target[1])} of the symbols"
                print(f"seed {seed}, reading {readings}: {counts}, lights equal: {is_equal}")  # noqa: T201
    dark = pico.wait_for_lights((DARK,) * 33)
    print(f"seed {seed}: exit {game.returncode}, dark at the end: {dark}")  # noqa: T201
    pico.close()
    return right and dark and readings > 0 and game.returncode == 0


if __name__ == "__main__":
    seeds = [int(word) for word in sys.argv[1:]] or [1]
    sys.exit(0 if all(play(seed) for seed in seeds) else 1)
