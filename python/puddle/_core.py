"""The library, its errors, and its structs as objects of Python."""

from __future__ import annotations

import math
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Iterator, Optional, Sequence

import cffi
import numpy as np

from . import _library
from ._errors import BadValue, Error, FileError, OutOfMemory, UnknownParameter, integer

folder = Path(__file__).resolve().parent
ffi = cffi.FFI()
ffi.cdef(_library.DECLARATIONS)


def open_library() -> Any:
    """Opens the library of the module's own prefix, else the one that the system's loader finds."""
    path = folder / _library.LIBRARY
    # The library stays loaded at the end of the program, when objects are freed in any order.
    opened = ffi.dlopen(str(path) if path.exists() else path.name, ffi.RTLD_NOW | getattr(ffi, "RTLD_NODELETE", 0))
    version = ffi.string(opened.pd_version()).decode()
    declared = f"{opened.PD_VERSION_MAJOR}.{opened.PD_VERSION_MINOR}"
    if not version.startswith(declared + "."):
        raise ImportError(f"puddle: '{path.name}' has version {version}, but this module is for version {declared} "
                          "(install both from one build)")
    return opened


lib = open_library()


# ---- Errors ----

def attempt(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is a pd_error. Raises the error."""
    error = ffi.new("pd_error *")
    result = function(*arguments, error)
    if result == lib.PD_OK:
        return
    code = ffi.typeof("pd_error_code").elements[error.code].replace("PD_ERROR_", "")
    kinds = {"OUT_OF_MEMORY": OutOfMemory, "FILE_UNREADABLE": FileError, "FILE_UNWRITABLE": FileError,
             "PARAMETER_UNKNOWN": UnknownParameter}
    raise kinds.get(code, BadValue if result == lib.PD_BAD_INPUT else Error)(code, decode(error.message))


# ---- Text ----

def decode(text: Any) -> Optional[str]:
    return None if text == ffi.NULL else ffi.string(text).decode("utf-8", "replace")


# ---- Structs ----

dtypes = {"float": np.float32, "int": np.int32, "uint8_t": np.uint8, "uint32_t": np.uint32}


def borrowed(pointer: Any, shape: Sequence[int]) -> np.ndarray:
    """Returns a read-only array in the library's memory. The array and its slices keep `pointer` alive."""
    dtype = np.dtype(dtypes[ffi.typeof(pointer).item.cname])
    size = math.prod(shape) * dtype.itemsize
    if size == 0:
        return np.empty(shape, dtype)
    return np.frombuffer(memoryview(ffi.buffer(pointer, size)).toreadonly(), dtype).reshape(shape)


def copied(pointer: Any, shape: Sequence[int]) -> np.ndarray:
    return borrowed(pointer, shape).copy()


Arrays = Callable[[Any, Sequence[int]], np.ndarray]


def member(value: Any, kind: Any, count: Optional[int], arrays: Arrays) -> Any:
    """Returns a member of a struct for Python. NotImplemented: a pointer that has none."""
    item = kind.item if kind.kind in ("pointer", "array") else None
    if kind.kind == "enum":
        return kind.elements[value].rsplit("_", 1)[-1].lower()
    if kind.kind == "struct":
        return plain(value, arrays)
    if item is None:
        return value
    if item.cname == "char":
        return decode(value)
    if kind.kind == "array":
        return [member(value[i], item, None, arrays) for i in range(kind.length if count is None else count)]
    if count is None or item.kind in ("array", "pointer") or item.kind == "struct" and item.fields is None:
        return NotImplemented
    if item.kind == "struct":
        return [plain(value[i], arrays) for i in range(count)]
    return None if value == ffi.NULL else arrays(value, (count,))


def plain(struct: Any, arrays: Arrays = copied, into: Any = None) -> Any:
    """Returns an object with the members of a struct.

    Enums become words, vectors tuples, pointers lists and arrays. The count of a pointer "items" is the member
    "item_count" (of "bodies": "body_count"), else "count".
    """
    kind = ffi.typeof(struct)
    if kind.cname == "pd_vec2":
        return struct.x, struct.y
    result = SimpleNamespace() if into is None else into
    names = [name for name, _ in kind.fields]
    for name, field in kind.fields:
        counts = (name[:-1] + "_count", name[:-3] + "y_count", "count")
        count = next((getattr(struct, each) for each in counts if each in names), None)
        value = member(getattr(struct, name), field.type, count, arrays)
        if value is not NotImplemented and not name.endswith("_count"):
            setattr(result, name, value)
    return result


# ---- Functions that are inline in the headers: cffi calls the exported ones behind them ----

def filled(name: str, world: Any) -> Any:
    """Calls pd_world_view() or pd_world_statistics(). Returns the struct."""
    struct = ffi.new(f"pd_{name} *")
    getattr(lib, f"pd_world_fill_{name}")(world, struct, ffi.sizeof(struct[0]))
    return struct


def rows(info: Any, name: str) -> Iterator[Any]:
    """Returns the rows of a method's table: "parameter", "field"."""
    for i in range(getattr(info, f"{name}_count")):
        yield getattr(lib, f"pd_method_{name}_at")(info, i)


def create(function: Any, *before: Any, scene: Any = ffi.NULL, file: Sequence[bytes] = (), threads: int = 0,
           after: Sequence[Any] = ()) -> Any:
    """Calls pd_world_create(), pd_world_load() or pd_log_read(). file: path of the file to read. Returns the world."""
    world = ffi.new("pd_world **")
    threads = integer(threads, "threads", 0, lib.PD_MAX_THREADS, "0: one per core")
    definition = {"size": ffi.sizeof("pd_world_def"), "scene": scene, "threads": threads}
    attempt(function, *before, world, *file, ffi.new("pd_world_def *", definition), *after)
    return ffi.gc(world[0], destroy_in(os.getpid()))


def destroy_in(process: int) -> Callable[[Any], None]:
    """Returns pd_world_destroy() for a process. A child lacks the threads of the world and cannot join them."""
    destroy, present = lib.pd_world_destroy, os.getpid
    return lambda world: destroy(world) if present() == process else None
