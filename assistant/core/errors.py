"""One tree of errors, sorted by who can do something about them.

The caller's words (a name that is no place), the world (a camera or a board that went away, a file
that is damaged). What the rules refuse and answers that contradict each other are values, not
errors. A programmer's mistake stays a plain ValueError or TypeError and is not caught.
"""

from __future__ import annotations


class BystanderError(Exception):
    """Anything Bystander says to the player in one line: what happened, and what to do."""


class UsageError(BystanderError):
    """What was typed cannot be understood; the message names the choices."""


class UnknownNameError(UsageError):
    """A typed name fits no place, feature, or choice, or fits several."""


class MissingError(BystanderError):
    """Something in the world is missing: a camera, a port, a program, a file."""


class DamagedError(MissingError):
    """A file is there but cannot be used: torn, of another version, or not what it should be."""


class SessionBusyError(MissingError):
    """Another window has this session open; it can be watched, not written."""


class CameraLostError(MissingError):
    """The camera gave pictures and stopped."""


class BoardLostError(MissingError):
    """The LED board's port went away."""
