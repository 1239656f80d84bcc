"""Which ports there are, what hangs on them, and opening one. Only USB ports are ever offered."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import serial
from serial.tools import list_ports

from hardware.errors import PortBusyError, PortDeniedError, PortError, PortMissingError

#: What a port raises when its board is pulled out, by system and call: SerialException and OSError
#: anywhere, on POSIX also termios.error, which is neither.
PORT_ERRORS: tuple[type[Exception], ...] = (serial.SerialException, OSError)
if sys.platform != "win32":
    import termios

    PORT_ERRORS = (*PORT_ERRORS, termios.error)

STUCK_ERROR: type[Exception] = serial.SerialTimeoutException

#: A write that takes longer means that nobody reads at the other end.
WRITE_S = 0.5

#: What is known to hang on a USB port with these numbers. A bridge says nothing of its firmware.
_NAMES = {
    (0x2E8A, 0x0005): "Raspberry Pi Pico with MicroPython",
    (0x2E8A, 0x000A): "Raspberry Pi Pico",
    (0x2341, 0x0043): "Arduino Uno",
    (0x2341, 0x0001): "Arduino Uno",
    (0x2341, 0x0243): "Arduino Uno",
    (0x2A03, 0x0043): "Arduino Uno",
    (0x2341, 0x0042): "Arduino Mega",
    (0x2341, 0x0010): "Arduino Mega",
    (0x2341, 0x8036): "Arduino Leonardo",
    (0x2341, 0x8037): "Arduino Micro",
    (0x1A86, 0x7523): "USB bridge CH340 (many Nanos and ESP boards)",
    (0x1A86, 0x5523): "USB bridge CH341",
    (0x1A86, 0x55D4): "USB bridge CH9102 (many ESP32 boards)",
    (0x10C4, 0xEA60): "USB bridge CP210x (many ESP boards)",
    (0x0403, 0x6001): "USB bridge FTDI",
    (0x0403, 0x6015): "USB bridge FTDI",
    (0x303A, 0x1001): "ESP32 with its own USB",
    (0x067B, 0x2303): "USB bridge PL2303",
}
_PICO_AT_PROMPT = (0x2E8A, 0x0005)


@dataclass(frozen=True, slots=True)
class UsbId:
    """By what a board is known again when it comes back under another name."""

    vendor: int
    product: int
    serial_number: str | None


@dataclass(frozen=True, slots=True)
class Port:
    """A USB port of this machine."""

    device: str
    usb: UsbId
    description: str

    @property
    def is_pico(self) -> bool:
        """Whether a MicroPython Pico hangs on it."""
        return (self.usb.vendor, self.usb.product) == _PICO_AT_PROMPT


class Wire(Protocol):
    """What the driver needs of an open port; pyserial's have it. Every call may raise."""

    def read(self, size: int) -> bytes:
        """Return what came, at most `size` bytes; waits for nothing."""
        ...

    def write(self, data: bytes) -> int | None:
        """Send; takes at most WRITE_S."""
        ...

    def close(self) -> None:
        """Let the port go."""
        ...


def usb_ports(found: Callable[[], Iterable[Any]] = list_ports.comports) -> list[Port]:
    """Return the USB ports, by name; a port without USB numbers is never one of them."""
    ports = []
    for info in found():
        if info.vid is None or info.pid is None:
            continue
        name = _NAMES.get((info.vid, info.pid)) or info.product or info.description or "unknown"
        usb = UsbId(info.vid, info.pid, info.serial_number or None)
        ports.append(Port(info.device, usb, name))
    return sorted(ports, key=lambda port: port.device)


def open_wire(url: str, baud: int) -> Wire:
    """Open a port by its name or any URL that pyserial knows; reads do not wait.

    Raises:
        PortMissingError, PortDeniedError, PortBusyError: it cannot be opened; says what to do.
    """
    # pyserial's rfc2217 knows no limit for writes; one that blocks holds up the lights only.
    write_s = None if url.startswith("rfc2217:") else WRITE_S
    try:
        wire: Wire = serial.serial_for_url(
            url, baudrate=baud, timeout=0, write_timeout=write_s, exclusive=True
        )
    except ValueError as error:
        raise PortMissingError(f"{url} is no port: {error}") from error
    except PORT_ERRORS as error:
        raise in_words(url, error) from error
    return wire


def in_words(url: str, error: Exception) -> PortError:
    """Return what an error of opening means to the player, and what to do."""
    number = getattr(error, "errno", None)
    text = str(error)
    if number in (errno.EBUSY, errno.EAGAIN) or "Access is denied" in text:
        return PortBusyError(
            f"{url} is in use: close the other program (a serial monitor, another Bystander)"
        )
    if number in (errno.EACCES, errno.EPERM):
        how = ""
        if sys.platform == "linux":
            how = "; type: sudo usermod -aG dialout $USER, then log out and in again"
        return PortDeniedError(f"you may not open {url} (permission denied){how}")
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFoundError" in text:
        return PortMissingError(f"there is no port {url}; see: bystander leds list")
    return PortMissingError(f"{url} cannot be opened ({' '.join(text.split())})")
