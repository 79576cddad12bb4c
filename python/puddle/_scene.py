"""Scenes from names, paths, dicts and text."""

from __future__ import annotations

import difflib
import json
import math
import os
import re
import threading
from pathlib import Path
from typing import Any, Iterator, Mapping, Union

import numpy as np

from . import _library
from ._core import attempt, decode, ffi, folder, lib
from ._errors import (BadType, BadValue, Error, PathLike, Uncopied, array, choice, encoded_path, encoded_text, finite,
                      integer, number, one_line, shortened, shown)
from ._parameters import rows_by_key


def data_folders() -> list[Path]:
    """Returns folders that may have the folder scenes, in the order of the program."""
    given = os.environ.get("PUDDLE_DATA")
    return ([Path(given), Path(given, "assets")] if given else []) + [folder / _library.DATA]


def scenes() -> list[str]:
    """Returns the names of the bundled scenes."""
    names = (path.stem for data in data_folders() for path in (data / "scenes").glob("*.yaml"))
    return sorted(set(names))


def scene_path(source: PathLike) -> bytes:
    try:
        name = os.fsdecode(source)
    except TypeError:
        raise BadType("USAGE", f"scene: {shown(source)} is no scene (use the name of a bundled scene, the path of a "
                               "file, a dict or a puddle.Scene)") from None
    if Path(name).suffix or len(Path(name).parts) != 1 or os.path.isfile(name):
        return encoded_path(name, "scene")
    for data in data_folders():
        bundled = data / "scenes" / f"{Path(name)}.yaml"
        if os.path.isfile(bundled):
            return encoded_path(bundled)
    near = difflib.get_close_matches(name, scenes(), 1)
    advice = f"did you mean '{near[0]}'?" if near else "puddle.scenes() lists the bundled scenes"
    raise BadValue("SCENE_UNKNOWN", f"scene: no file and no bundled scene is called {shown(name)} ({advice})")


# ---- Dicts as text ----

DEEPEST = 16  # levels of lists and dicts, more than any scene has


def quoted(value: str, path: str) -> str:
    encoded_text(value, path)
    return one_line(json.dumps(value, ensure_ascii=False))


def scalar_text(value: Any, path: str) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return quoted(value, path)
    if value is None or isinstance(value, (int, float)):
        try:
            return json.dumps(value)
        except ValueError:  # more than 4300 digits
            raise BadValue("SCENE_VALUE", f"{path}: {shown(value)} is out of range (use a smaller number)") from None
    raise BadValue("SCENE_TYPE", f"{path}: the type {type(value).__name__} is no part of a scene "
                                 "(use dict, list, str, float, int or bool)")


def add_lines(lines: list[tuple[str, str]], value: Any, path: str = "", lead: str = "", end: str = "",
              depth: int = 0) -> None:
    """Adds a value as YAML in the form of JSON: for each key and item a line, with the path of the key."""
    if depth > DEEPEST:
        raise BadValue("SCENE_TYPE", f"{path}: too many levels of lists and dicts (use at most {DEEPEST})")
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind not in "mM":
        with np.errstate(over="ignore"):
            value = (value.astype(float) if value.dtype.kind == "f" else value).tolist()
    if isinstance(value, Mapping):
        brackets = "{}"
        names = [(key, key if isinstance(key, str) else shown(key)) for key in value]
        items = [(f"{path}.{shortened(name)}".lstrip("."), quoted(name, path or "scene") + ": ", value[key])
                 for key, name in names]
    elif isinstance(value, (list, tuple)):
        brackets, items = "[]", [(f"{path}[{i}]", "", item) for i, item in enumerate(value)]
    else:
        lines.append((path, lead + scalar_text(value, path) + end))
        return
    lines.append((path, lead + brackets[0]))
    for key, text, item in items:
        add_lines(lines, item, key, text, ",", depth + 1)
    lines.append((path, brackets[1] + end))


# ---- Edits ----

EDITABLE = ("materials", "regions", "vortons", "obstacles", "emitters", "drains", "attractions", "changes", "bodies",
            "joints", "parameters")
NO_EDIT = {"gravity": "world.gravity = (x, y)", "method": "world.method = name", "particles": "world.particles = count",
           **dict.fromkeys(("puddle", "name", "dt", "substeps", "seed", "container", "cells"),
                           "world.scene = {...}: that scene begins")}


def rebuilding(parameters: Any) -> Iterator[str]:
    """Yields the keys in parameters of an edit that an edit leaves out."""
    for method, values in parameters.items() if isinstance(parameters, Mapping) else ():
        for name in values if isinstance(values, Mapping) else ():
            row = rows_by_key.get(f"{method}.{name}")
            if row is not None and row.rebuilds:
                yield f"{method}.{name}"


def read(function: Any, *arguments: Any) -> Any:
    """Calls a function whose last parameters are a pd_scene and a pd_error. Returns the scene."""
    scene = ffi.gc(ffi.new("pd_scene *"), lib.pd_scene_free)
    attempt(function, *arguments, scene)
    return scene


def copied_scene(scene: Any) -> Any:
    return read(lambda to, error: lib.pd_scene_copy(to, scene, error))


def read_lines(lines: list[tuple[str, str]]) -> Any:
    """Reads lines of YAML, each with the path of its key for messages. Returns the scene."""
    text = "\n".join(line for _, line in lines).encode()
    try:
        return read(lib.pd_scene_read_text, text, len(text), b"scene")
    except Error as error:
        place = re.match(r"scene:(\d+):\d+: ", error.message)
        if not place:
            raise
        path = lines[min(int(place[1]), len(lines)) - 1][0] or "scene"
        raise type(error)(error.code, f"{path}: {error.message[place.end():]}") from None


class Scene(Uncopied):
    """The initial state of a world.

    source: name of a bundled scene ("drop"), path of a scene file or picture, dict, or another Scene, which is copied.
    A dict has the keys of a scene file. "puddle: 1" may be left out. Lists may be NumPy arrays.
    Errors in a dict name the key: "regions[0].radius: ...".
    """

    __slots__ = ("_lock", "_pointer")
    _instead = "puddle.Scene(scene), or scene.text"

    def __init__(self, source: Source) -> None:
        if isinstance(source, Scene):
            with source._lock:
                self._own(copied_scene(source._pointer))
        elif isinstance(source, Mapping):
            lines: list[tuple[str, str]] = []
            add_lines(lines, {"puddle": lib.PD_SCENE_VERSION, **source})
            self._own(read_lines(lines))
        else:
            self._own(read(lib.pd_scene_read, scene_path(source)))

    def _own(self, pointer: Any) -> Scene:
        self._lock = threading.RLock()
        self._pointer = pointer
        return self

    def _changed(self, changes: Mapping[str, Any]) -> Scene:
        """Returns a copy with the lists and parameters of a dict in place of the scene's own."""
        for key in changes:
            if key not in NO_EDIT:
                choice(key, "edit", EDITABLE, code="SCENE_KEY")
            else:
                raise BadValue("SCENE_KEY", f"edit: '{key}' is no list of a scene (use {NO_EDIT[key]})")
        for key in rebuilding(changes.get("parameters")):
            raise BadValue("SCENE_KEY", f"edit: '{key}' rebuilds the method (use world.parameters['{key}'] = value)")
        lines, key = [], ""
        for line in self.text.split("\n"):
            key = line[:line.index(":")] if line[:1].isalpha() else key  # the lines of a list are indented
            if key not in changes:
                lines.append((key, line))
        for key, value in changes.items():
            add_lines(lines, value, key, f"{key}: ")
        return Scene.__new__(Scene)._own(read_lines(lines))

    @property
    def text(self) -> str:
        """The scene as the text of a scene file (YAML)."""
        text, length = ffi.new("char **"), ffi.new("size_t *")
        with self._lock:
            attempt(lib.pd_scene_write_text, self._pointer, text, length)
        try:
            return ffi.buffer(text[0], length[0])[:].decode()
        finally:
            lib.pd_memory_free(text[0])

    @property
    def name(self) -> str:
        """The name of the scene."""
        return decode(self._pointer.name)

    def write(self, path: PathLike) -> None:
        """Writes a scene file, with particles and cells in CSV files beside the scene file."""
        file = encoded_path(path)
        with self._lock:
            attempt(lib.pd_scene_write, self._pointer, file)

    def set_particles(self, particles: int) -> None:
        """Changes the resolution: sets the number of particles of all regions together."""
        particles = integer(particles, "particles", 1, lib.PD_MAX_PARTICLES, code="SCENE_VALUE")
        with self._lock:
            attempt(lib.pd_scene_set_particle_count, self._pointer, particles)

    def add_particles(self, position: Any, velocity: Any = (0, 0), material: Any = 0, spacing: float = 0) -> None:
        """Adds particles.

        position: shape (n, 2), m. velocity: shape (n, 2) or (2,), m/s. material: indices, shape (n,) or one.
        spacing: distance of neighbours at rest, m. 0: from the area of the rectangle around the particles.
        """
        position = array(position, "position", [(None, 2)])
        count = integer(len(position), "len(position)", 1, lib.PD_MAX_PARTICLES)
        velocity = array(velocity, "velocity", [(count, 2), (2,)])
        material = array(material, "material", [(count,), ()], "iu")
        particles = ffi.new("pd_scene_particle[]", count)
        kind = ffi.typeof("pd_scene_particle")
        places = dict(kind.fields)
        rows = np.frombuffer(ffi.buffer(particles), {
            "names": list(places), "offsets": [place.offset for place in places.values()],
            "formats": ["2f4" if place.type.kind == "struct" else "i4" for place in places.values()],
            "itemsize": ffi.sizeof(kind)})
        rows["position"] = finite(position, "position")
        rows["velocity"] = finite(velocity, "velocity")
        spacing = number(spacing, "spacing")
        with self._lock:
            for end in (material.min(), material.max()):
                integer(end, "material", 0, self._pointer.material_count - 1, "indices of the scene's materials",
                        "SCENE_VALUE")
            rows["material"] = material
            attempt(lib.pd_scene_add_particles, self._pointer, particles, count, spacing)

    def warnings(self) -> list[str]:
        """Returns lines about what the method does otherwise than the scene asks."""
        with self._lock:
            attempt(lib.pd_scene_check, self._pointer)
            return warnings_of(lib.pd_scene_write_warning, self._pointer)


Source = Union[PathLike, Mapping[str, Any], Scene]


def warnings_of(function: Any, subject: Any) -> list[str]:
    text, lines = ffi.new("char[]", 1024), []
    while function(subject, len(lines), text, len(text)):
        lines.append(decode(text))
    return lines
