"""Which ports are offered, and what an error of a port means to the player."""

from __future__ import annotations

import errno
import sys

import pytest
import serial
from serial.tools.list_ports_common import ListPortInfo

from hardware.errors import PortBusyError, PortDeniedError, PortError, PortMissingError
from hardware.ports import PORT_ERRORS, UsbId, in_words, usb_ports


def listed(device: str, vid: int | None, pid: int | None, product: str = "") -> ListPortInfo:
    info = ListPortInfo(device)
    info.vid, info.pid, info.product, info.serial_number = vid, pid, product, "1"
    return info


def test_only_usb_ports_are_offered_under_names_that_a_player_knows() -> None:
    found = [
        listed("/dev/ttyUSB0", 0x1A86, 0x7523),
        listed("/dev/ttyS0", None, None),
        listed("/dev/ttyACM0", 0x2E8A, 0x0005, "Board in FS mode"),
        listed("/dev/ttyACM1", 0x1234, 0x0001, "Some Gadget"),
    ]
    ports = usb_ports(lambda: found)
    assert [(port.device, port.description, port.is_pico) for port in ports] == [
        ("/dev/ttyACM0", "Raspberry Pi Pico with MicroPython", True),
        ("/dev/ttyACM1", "Some Gadget", False),
        ("/dev/ttyUSB0", "USB bridge CH340 (many Nanos and ESP boards)", False),
    ]
    assert ports[0].usb == UsbId(0x2E8A, 0x0005, "1")


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (serial.SerialException(errno.EACCES, "denied"), PortDeniedError, "may not open"),
        (serial.SerialException(errno.EBUSY, "busy"), PortBusyError, "close the other program"),
        (serial.SerialException(errno.EAGAIN, "lock"), PortBusyError, "in use"),
        (
            serial.SerialException("PermissionError(13, 'Access is denied.', None, 5)"),
            PortBusyError,
            "in use",
        ),
        (serial.SerialException(errno.ENOENT, "none"), PortMissingError, "leds list"),
        (
            serial.SerialException("FileNotFoundError(2, 'cannot find')"),
            PortMissingError,
            "no port",
        ),
        (OSError(errno.EIO, "Input/output\nerror"), PortMissingError, "cannot be opened"),
    ],
)
def test_each_error_of_opening_says_in_one_line_what_to_do(
    error: Exception, kind: type[PortError], says: str
) -> None:
    told = in_words("/dev/ttyACM0", error)
    assert type(told) is kind
    assert says in str(told)
    assert "\n" not in str(told)
    assert "/dev/ttyACM0" in str(told)


@pytest.mark.skipif(sys.platform != "linux", reason="the group is Linux's")
def test_permission_denied_names_the_command_that_helps() -> None:
    told = in_words("/dev/ttyACM0", serial.SerialException(errno.EACCES, "denied"))
    assert "sudo usermod -aG dialout $USER" in str(told)


@pytest.mark.skipif(sys.platform == "win32", reason="termios is POSIX")
def test_the_errors_of_a_port_include_the_one_that_is_no_oserror() -> None:
    import termios

    assert not issubclass(termios.error, OSError)
    assert termios.error in PORT_ERRORS
