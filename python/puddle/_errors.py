"""Errors, and checks of arguments: one function for each kind of argument."""

from __future__ import annotations

import difflib
import itertools
import math
import operator
import os
from collections.abc import Mapping, Set
from typing import Any, Iterable, Optional, Sequence, Union

import numpy as np

PathLike = Union[str, "os.PathLike[str]"]


def one_line(text: str) -> str:
    """Returns a text with escapes in place of line ends, control characters and lone surrogates."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class Error(Exception):
    """A failure.

    code: name of the cause, as in result.h without PD_ERROR_: "SCENE_KEY".
    message: one line that says what failed, why and what to do.
    """

    def __init__(self, code: str, message: str) -> None:
        message = one_line(message)
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


class Uncopied:
    """Base of objects with pointers into the library: a copy would share the memory, and free or move it."""

    __slots__ = ()
    _instead: str  # of a copy, for the message

    def __reduce_ex__(self, protocol: Any) -> Any:
        # copy.copy(), copy.deepcopy() and pickle call this function.
        raise BadType("USAGE", f"{type(self).__name__} objects cannot be copied or pickled (use {self._instead})")


# ---- Checks of arguments: the messages have the words of the caller, not those of a command ----

LARGEST = float.fromhex("0x1.fffffep127")  # float32


def shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def shown(value: Any) -> str:
    """Returns a value for a message of one line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an int of more than 4300 digits, or an object's own repr()
        text = hex(value) if isinstance(value, int) else object.__repr__(value)
    return shortened(text)


def integer(value: Any, name: str, low: int, high: Optional[int] = None, note: str = "", code: str = "USAGE") -> int:
    """Returns an argument as an int from low to high. note: meaning of a value, for the message."""
    limits = f"{low}" if high == low else f"an integer from {low}" + (f" to {high}" if high is not None else "")
    advice = f"use {limits}" + (f"; {note}" if note else "")
    try:
        result = operator.index(bool(value) if isinstance(value, np.bool_) else value)
    except TypeError:
        raise BadType(code, f"{name}: {shown(value)} is no integer ({advice})") from None
    if result < low or high is not None and result > high:
        raise BadValue(code, f"{name}: {shown(result)} is out of range ({advice})")
    return result


def is_number(value: Any) -> bool:
    """Returns whether a value is a real number. Text, complex numbers, dates and arrays with dimensions are none."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.ndim == 0 and value.dtype.kind in "biuf" and value is not np.ma.masked
    return hasattr(type(value), "__float__") or hasattr(type(value), "__index__")


def number(value: Any, name: str, code: str = "USAGE", advice: str = "use a finite number") -> float:
    """Returns an argument as a float that is finite as float32."""
    try:
        result = float(value) if is_number(value) else None
    except (TypeError, ValueError):
        result = None
    except OverflowError:
        result = math.inf
    if result is None:
        raise BadType(code, f"{name}: {shown(value)} is no number ({advice})")
    if not abs(result) <= LARGEST:
        raise BadValue(code, f"{name}: {shown(value)} is not finite ({advice})")
    return result


def vector(value: Any, name: str) -> tuple[float, float]:
    """Returns an argument as two finite numbers."""
    advice = "use two numbers: (x, y)"
    try:
        # Two members of an iterator without an end are enough. Sets and dicts have no x and y.
        parts = None if isinstance(value, (str, bytes, bytearray, Mapping, Set)) else list(itertools.islice(value, 3))
    except TypeError:
        parts = None
    if parts is None:
        raise BadType("USAGE", f"{name}: {shown(value)} is no vector ({advice})")
    if len(parts) != 2:
        members = "more than 2" if len(parts) > 2 else len(parts)
        raise BadValue("USAGE", f"{name}: {shown(value)} has {members} members ({advice})")
    return number(parts[0], f"{name}[0]"), number(parts[1], f"{name}[1]")


def array(value: Any, name: str, shapes: Sequence[tuple], kinds: str = "biuf") -> np.ndarray:
    """Returns an argument as an array of numbers with one of the shapes. None in a shape: any length."""
    members = "numbers" if "f" in kinds else "integers"
    advice = f"use {members} of shape {' or '.join(map(str, shapes)).replace('None', 'n')}"
    try:
        result = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise BadValue("USAGE", f"{name}: {error} ({advice})") from None
    if result.dtype.kind not in kinds and result.size:
        raise BadType("USAGE", f"{name}: {shown(value)} has members that are no {members} ({advice})")
    if np.ma.is_masked(value):
        raise BadValue("USAGE", f"{name}: {shown(value)} has masked members ({advice})")
    if not any(len(shape) == result.ndim and all(map(lambda a, b: a in (None, b), shape, result.shape))
               for shape in shapes):
        raise BadValue("USAGE", f"{name}: the shape is {result.shape} ({advice})")
    return result


def finite(value: np.ndarray, name: str) -> np.ndarray:
    """Returns an array as float32. All members must be finite."""
    with np.errstate(over="ignore"):
        result = value.astype(np.float32)
    bad = np.argwhere(~np.isfinite(result))
    if len(bad):
        raise BadValue("USAGE", f"{name}{bad[0].tolist()}: {value[tuple(bad[0])]} is not finite (use finite numbers)")
    return result


def flag(value: Any, name: str) -> bool:
    """Returns an argument as a bool. 0 and 1 are bools too."""
    try:
        return bool(integer(value, name, 0, 1))
    except Error as error:
        kind = type(error)
    raise kind("USAGE", f"{name}: {shown(value)} is no bool (use True or False)")


def contents(value: Any, name: str, advice: str) -> memoryview:
    """Returns an argument's bytes without a copy. advice: where such bytes come from."""
    try:
        return memoryview(value).cast("B")
    except (TypeError, ValueError, BufferError):
        raise BadType("USAGE", f"{name}: {shown(value)} is no contiguous bytes ({advice})") from None


def encoded_text(value: str, name: str) -> bytes:
    """Returns an argument as UTF-8 for the library."""
    if not isinstance(value, str):
        raise BadType("USAGE", f"{name}: {shown(value)} is no text (use a str)")
    try:
        return without_zero(value.encode(), value, name)
    except UnicodeEncodeError:
        raise BadValue("USAGE", f"{name}: {shown(value)} is no valid Unicode (remove lone surrogates)") from None


def encoded_path(value: PathLike, name: str = "path") -> bytes:
    """Returns an argument as the path of a file for the library."""
    try:
        return without_zero(os.fsencode(value), value, name)
    except TypeError:
        raise BadType("USAGE", f"{name}: {shown(value)} is no path (use a str or pathlib.Path)") from None
    except UnicodeEncodeError:
        raise BadValue("USAGE", f"{name}: {shown(value)} is no valid Unicode (remove lone surrogates)") from None


def without_zero(encoded: bytes, value: Any, name: str) -> bytes:
    if b"\0" in encoded:
        raise BadValue("USAGE", f"{name}: {shown(value)} contains a zero byte (remove it)")
    return encoded


def choice(value: Any, name: str, known: Iterable[str], advice: Optional[str] = None, code: str = "USAGE",
           kind: type[BadValue] = BadValue) -> str:
    """Returns an argument that is one of the known words. advice: instead of all known words in the message."""
    known = list(known)
    advice = advice or f"use one of: {', '.join(known)}"
    if not isinstance(value, str):
        raise (BadType if kind is BadValue else kind)(code, f"{name}: {shown(value)} is no text ({advice})")
    value = str(value)
    if value not in known:
        near = difflib.get_close_matches(value, known, 1)
        did = f"did you mean '{near[0]}'? " if near else ""
        raise kind(code, f"{name}: there is no {shown(value)} ({did}{advice})")
    return value
