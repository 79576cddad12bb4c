"""Errors, and checks of arguments."""

from __future__ import annotations

import difflib
import math
import operator
from typing import Any, Iterable, Optional


class Error(Exception):
    """A failure.

    code: name of the cause, as in result.h without PD_ERROR_: "SCENE_KEY".
    message: one line that says what failed, why and what to do.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Any:
        return type(self), (self.code, self.message)


class OutOfMemory(Error, MemoryError):
    """Memory ran out."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class BadValue(Error, ValueError):
    """A value, key or file has wrong contents, or a call is not allowed here."""


class BadType(Error, TypeError):
    """An argument has a wrong type."""


class UnknownParameter(BadValue, KeyError):
    """No parameter has the key."""


class InUse(Error, BufferError):
    """The world cannot change while arrays of view(copy=False) or field(copy=False) exist."""


# ---- Checks of arguments: the messages have the words of the caller, not those of a command ----

LARGEST = float.fromhex("0x1.fffffep127")  # float32


def shown(value: Any) -> str:
    """Returns a value for a message of one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def integer(value: Any, name: str, low: int, high: Optional[int] = None, note: str = "", code: str = "USAGE") -> int:
    """Returns an argument as an int from low to high. note: meaning of a value, for the message."""
    limits = f"{low}" if high == low else f"an integer from {low}" + (f" to {high}" if high is not None else "")
    advice = f"use {limits}" + (f"; {note}" if note else "")
    try:
        result = operator.index(value)
    except TypeError:
        raise BadType(code, f"{name}: {shown(value)} is no integer ({advice})") from None
    if result < low or high is not None and result > high:
        raise BadValue(code, f"{name}: {shown(result)} is out of range ({advice})")
    return result


def number(value: Any, name: str, code: str = "USAGE") -> float:
    """Returns an argument as a float that is finite as float32."""
    try:
        result = None if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError):
        result = None
    except OverflowError:
        result = math.inf
    if result is None:
        raise BadType(code, f"{name}: {shown(value)} is no number (use a finite number)")
    if not abs(result) <= LARGEST:
        raise BadValue(code, f"{name}: {shown(value)} is not finite (use a finite number)")
    return result


def vector(value: Any, name: str) -> tuple[float, float]:
    """Returns an argument as two finite numbers."""
    try:
        parts = None if isinstance(value, (str, bytes)) else list(value)
    except TypeError:
        parts = None
    if parts is None:
        raise BadType("USAGE", f"{name}: {shown(value)} is no vector (use two numbers: (x, y))")
    if len(parts) != 2:
        raise BadValue("USAGE", f"{name}: {shown(value)} has {len(parts)} members (use two numbers: (x, y))")
    return number(parts[0], f"{name}[0]"), number(parts[1], f"{name}[1]")


def choice(value: Any, name: str, known: Iterable[str], advice: Optional[str] = None, code: str = "USAGE",
           kind: type[BadValue] = BadValue) -> str:
    """Returns an argument that is one of the known words. advice: instead of all known words in the message."""
    known = list(known)
    advice = advice or f"use one of: {', '.join(known)}"
    if not isinstance(value, str):
        raise (BadType if kind is BadValue else kind)(code, f"{name}: {shown(value)} is no text ({advice})")
    if value not in known:
        near = difflib.get_close_matches(value, known, 1)
        did = f"did you mean '{near[0]}'? " if near else ""
        raise kind(code, f"{name}: there is no '{value}' ({did}{advice})")
    return value
