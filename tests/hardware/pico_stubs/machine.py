"""What main.py needs of a Pico's `machine`, for MicroPython on a computer."""


class Pin:
    OUT = 1

    def __init__(self, number, mode):
        assert (number, mode) == (16, Pin.OUT)


def unique_id():
    return b"\xe6\x61\x41\x03"
