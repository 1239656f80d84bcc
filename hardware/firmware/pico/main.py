"""Bystander's lights on a Raspberry Pi Pico: MicroPython, WS2812 lights on GP16.

The protocol is told in Bystander's hardware/protocol.py. Copy this file to the Pico as main.py; it
starts with the Pico. Ctrl-C in a terminal stops it: what comes is text, so nothing else does.
"""

import binascii
import select
import sys
import time

import machine
import neopixel

LIGHTS = 33  # as many as hang on the strip, at most 40
DATA_PIN = 16
BUDGET_MA = 200  # what the lights may draw in all; more only with a supply of their own

VERSION = "1"
FIRMWARE = "0.1"
LONGEST = 254  # a line without its start and end
HEX = b"0123456789ABCDEF"

CRC, FRAME, NO_HEX, LENGTH, COMMAND, TOO_LONG = "123456"


class Board:
    """The lights, and what the lines from the host do to them."""

    def __init__(self):
        self.strip = neopixel.NeoPixel(machine.Pin(DATA_PIN, machine.Pin.OUT), LIGHTS)
        self.watchdog_ms = 3000
        self.heard_ms = time.ticks_ms()
        self.is_lit = False
        self.darken()

    def darken(self):
        """Turn all lights off."""
        self.strip.fill((0, 0, 0))
        self.strip.write()
        self.is_lit = False

    def tick(self):
        """Darken the lights when the host has been silent for too long."""
        silent_ms = time.ticks_diff(time.ticks_ms(), self.heard_ms)
        if self.is_lit and self.watchdog_ms and silent_ms >= self.watchdog_ms:
            self.darken()

    def hello(self):
        """Return the answer that tells what this is."""
        name = binascii.hexlify(machine.unique_id()).decode().upper()
        limits = f"led={LIGHTS};ma={BUDGET_MA};wd={self.watchdog_ms}"
        return f"h{VERSION};fw={FIRMWARE};{limits};id={name}"

    def obey(self, line):
        """Return the sequence number and the answer to a line (bytes without start and end)."""
        if line[-1:] == b"\r":
            line = line[:-1]
        if len(line) < 12 or line[-9:-8] != b"*":
            return "--", "e" + FRAME
        body = line[:-9]
        if line[-8:] != b"%08X" % binascii.crc32(body):
            return "--", "e" + CRC
        if body[0] not in HEX or body[1] not in HEX:
            return "--", "e" + FRAME
        answer = self.answer(chr(body[2]), body[3:])
        if answer[0] != "e":
            self.heard_ms = time.ticks_ms()
        return body[:2].decode(), answer

    def answer(self, letter, argument):
        """Do what a command says; return its answer."""
        if letter == "F":
            return self.show(argument)
        if letter == "W":
            return self.set_watchdog(argument)
        if letter not in "HPB":
            return "e" + COMMAND
        if argument:
            return "e" + LENGTH
        if letter == "B":
            self.darken()
        return self.hello() if letter == "H" else letter.lower()

    def show(self, argument):
        """Show the frame in an argument of F; return the answer."""
        count = (len(argument) - 2) // 6
        if len(argument) != 2 + 6 * count or not 1 <= count <= LIGHTS:
            return "e" + LENGTH
        if not is_hex(argument):
            return "e" + NO_HEX
        values = binascii.unhexlify(argument)
        brightness = limited(values[0], sum(values) - values[0])
        strip = self.strip
        for light in range(LIGHTS):
            at = 1 + 3 * light
            if light < count:
                strip[light] = (
                    values[at] * brightness // 255,
                    values[at + 1] * brightness // 255,
                    values[at + 2] * brightness // 255,
                )
            else:
                strip[light] = (0, 0, 0)
        strip.write()
        self.is_lit = True
        return f"a{brightness:02X}"

    def set_watchdog(self, argument):
        """Set after how long a silence the lights go out; return the answer."""
        if len(argument) != 2:
            return "e" + LENGTH
        if not is_hex(argument):
            return "e" + NO_HEX
        self.watchdog_ms = 100 * int(argument, 16)
        return "w"


def is_hex(text):
    """Return whether all bytes are upper-case hex digits."""
    return all(digit in HEX for digit in text)


def limited(brightness, total):
    """Return the highest brightness up to the one wanted that stays within the budget.

    A light takes 1 mA when dark and a diode 20 mA at full duty; total is the sum of all duties.
    """
    left_ma = max(BUDGET_MA - LIGHTS, 0)
    if total * brightness * 20 <= left_ma * 65025:
        return brightness
    return left_ma * 65025 // (20 * total)


def answer_line(seq, answer):
    """Say an answer to the host."""
    body = (seq + answer).encode()
    sys.stdout.buffer.write(b"<%s*%08X\n" % (body, binascii.crc32(body)))


def main():
    """Be the board for ever."""
    board = Board()
    answer_line("--", board.hello())
    incoming = select.poll()
    incoming.register(sys.stdin, select.POLLIN)
    stdin = sys.stdin.buffer
    line = bytearray()
    in_line = False
    while True:
        if not incoming.poll(50):
            board.tick()
            continue
        # One byte at a time: a longer read waits until all of it has come.
        byte = stdin.read(1)
        if not byte:
            return  # only on a computer: the other end is gone
        if byte == b">":
            line = bytearray()
            in_line = True
        elif not in_line:
            board.tick()
        elif byte == b"\n":
            in_line = False
            answer_line(*board.obey(bytes(line)))
        elif len(line) > LONGEST:
            in_line = False
            answer_line("--", "e" + TOO_LONG)
        else:
            line += byte


main()
