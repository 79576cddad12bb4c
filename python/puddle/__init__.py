"""Fluids in two dimensions: the library puddle for Python.

    import puddle
    world = puddle.World("drop")
    world.step(600)
    view = world.view()         # view.x, view.y: NumPy arrays

Units are m, s, m/s and degrees unless stated. The y axis points up. The container is centred on the origin.

Errors are puddle.Error. BadValue is also a ValueError, BadType a TypeError.

Any thread may use a World, Log or Scene: a lock lets one thread at a time in. Steps release Python's global lock, so
worlds in different threads step at the same time. After a fork only worlds with threads=1 are of use to the child.
"""

from __future__ import annotations

from ._core import decode as _decode, lib as _lib
from ._errors import BadType, BadValue, Error, FileError, InUse, OutOfMemory, UnknownParameter
from ._parameters import Parameters, methods
from ._scene import Scene, scenes
from ._views import Body, Field, Statistics, View
from ._world import Log, World

__all__ = ["BadType", "BadValue", "Body", "Error", "Field", "FileError", "InUse", "Log", "OutOfMemory", "Parameters", "Scene",
           "Statistics", "UnknownParameter", "View", "World", "methods", "scenes"]
__version__ = _decode(_lib.pd_version())


def __dir__() -> list[str]:
    return [*__all__, "__all__", "__doc__", "__version__"]
