"""NeoPixel, for MicroPython on a computer: each write() is a line in the file named by LIGHTS_LOG.

Colours go in and out as (red, green, blue), as with the real one; a line is their hex digits.
"""

import os


class NeoPixel:
    def __init__(self, pin, count):
        self.count = count
        self.colours = [(0, 0, 0)] * count
        self.log = open(os.getenv("LIGHTS_LOG"), "w")  # noqa: SIM115 - as long as the board

    def __setitem__(self, light, colour):
        assert len(colour) == 3
        assert all(0 <= value <= 255 for value in colour)
        self.colours[light] = colour

    def fill(self, colour):
        self.colours = [colour] * self.count

    def write(self):
        self.log.write("".join(f"{r:02X}{g:02X}{b:02X}" for r, g, b in self.colours) + "\n")
