"""What can be wrong with a port or the board behind it, in words that say what to do."""

from __future__ import annotations


class PortError(Exception):
    """The board cannot be used now; the message is one line for the player."""


class PortMissingError(PortError):
    """No such port: not plugged in, or another name."""


class PortDeniedError(PortError):
    """The system does not let this user open the port."""


class PortBusyError(PortError):
    """Another program has the port."""


class BoardSilentError(PortError):
    """The port is open, but nothing that is understood answers."""
