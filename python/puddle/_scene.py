"""Scenes from names, paths, dicts and text."""

from __future__ import annotations

import difflib
import json
import math
import os
import re
import threading
from pathlib import Path
from typing import Any, Mapping, Union

import numpy as np

from . import _library
from ._core import BadValue, Error, PathLike, attempt, decode, encode, ffi, folder, lib


def data_folders() -> list[Path]:
    """Returns folders that may have the folder scenes, in the order of the program."""
    given = os.environ.get("PUDDLE_DATA")
    return ([Path(given), Path(given, "assets")] if given else []) + [folder / _library.DATA]


def scenes() -> list[str]:
    """Returns the names of the bundled scenes."""
    names = (path.stem for data in data_folders() for path in (data / "scenes").glob("*.yaml"))
    return sorted(set(names))


def scene_path(source: PathLike) -> Path:
    path = Path(source)
    if path.suffix or len(path.parts) != 1 or path.is_file():
        return path
    for data in data_folders():
        if (data / "scenes" / f"{path}.yaml").is_file():
            return data / "scenes" / f"{path}.yaml"
    near = difflib.get_close_matches(str(path), scenes(), 1)
    advice = f"did you mean '{near[0]}'?" if near else "puddle.scenes() lists the bundled scenes"
    raise BadValue("SCENE_UNKNOWN", f"no file and no bundled scene is called '{path}' ({advice})")


# ---- Dicts as text ----

def scalar_text(value: Any, path: str) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return json.dumps(value, ensure_ascii=False)
    raise BadValue("SCENE_TYPE", f"{path}: the type {type(value).__name__} is no part of a scene "
                                 "(use dict, list, str, float, int or bool)")


def add_lines(lines: list[tuple[str, str]], value: Any, path: str = "", lead: str = "", end: str = "") -> None:
    """Adds a value as YAML in the form of JSON: for each key and item a line, with the path of the key."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, Mapping):
        brackets = "{}"
        items = [(f"{path}.{key}".lstrip("."), json.dumps(str(key), ensure_ascii=False) + ": ", value[key])
                 for key in value]
    elif isinstance(value, (list, tuple)):
        brackets, items = "[]", [(f"{path}[{i}]", "", item) for i, item in enumerate(value)]
    else:
        lines.append((path, lead + scalar_text(value, path) + end))
        return
    lines.append((path, lead + brackets[0]))
    for key, text, item in items:
        add_lines(lines, item, key, text, ",")
    lines.append((path, brackets[1] + end))


class Scene:
    """The initial state of a world.

    source: name of a bundled scene ("drop"), path of a scene file or picture, dict, or another Scene, which is copied.
    A dict has the keys of a scene file. "puddle: 1" may be left out. Lists may be NumPy arrays.
    Errors in a dict name the key: "regions[0].radius: ...".
    """

    def __init__(self, source: "Source") -> None:
        self._lock = threading.RLock()
        self._pointer = ffi.gc(ffi.new("pd_scene *"), lib.pd_scene_free)
        if isinstance(source, Scene):
            with source._lock:
                attempt(lib.pd_scene_copy, self._pointer, source._pointer)
        elif isinstance(source, ffi.CData):
            attempt(lib.pd_scene_copy, self._pointer, source)
        elif isinstance(source, Mapping):
            self._read_dict(source)
        else:
            attempt(lib.pd_scene_read, encode(scene_path(source)), self._pointer)

    def _read_dict(self, source: Mapping[str, Any]) -> None:
        lines: list[tuple[str, str]] = []
        add_lines(lines, {"puddle": lib.PD_SCENE_VERSION, **source})
        text = "\n".join(line for _, line in lines).encode("utf-8", "surrogatepass")
        try:
            attempt(lib.pd_scene_read_text, text, len(text), b"scene", self._pointer)
        except Error as error:
            place = re.match(r"scene:(\d+):\d+: ", error.message)
            if not place:
                raise
            path = lines[min(int(place[1]), len(lines)) - 1][0] or "scene"
            raise type(error)(error.code, f"{path}: {error.message[place.end():]}") from None

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
        with self._lock:
            attempt(lib.pd_scene_write, self._pointer, encode(path))

    def set_particles(self, particles: int) -> None:
        """Changes the resolution: sets the number of particles of all regions together."""
        with self._lock:
            attempt(lib.pd_scene_set_particles, self._pointer, particles)

    def add_particles(self, position: Any, velocity: Any = (0, 0), material: Any = 0, spacing: float = 0) -> None:
        """Adds particles.

        position: shape (n, 2), m. velocity: shape (n, 2) or (2,), m/s. material: indices, shape (n,) or one.
        spacing: distance of neighbours at rest, m. 0: from the area of the rectangle around the particles.
        """
        position = np.asarray(position, np.float32).reshape(-1, 2)
        particles = ffi.new("pd_scene_particle[]", max(1, len(position)))
        kind = ffi.typeof("pd_scene_particle")
        places = dict(kind.fields)
        rows = np.frombuffer(ffi.buffer(particles), {
            "names": list(places), "offsets": [place.offset for place in places.values()],
            "formats": ["2f4" if place.type.kind == "struct" else "i4" for place in places.values()],
            "itemsize": ffi.sizeof(kind)})[:len(position)]
        rows["position"], rows["velocity"], rows["material"] = position, velocity, material
        with self._lock:
            attempt(lib.pd_scene_add_particles, self._pointer, particles, len(position), spacing)

    def warnings(self) -> list[str]:
        """Returns lines about what the method does otherwise than the scene asks."""
        with self._lock:
            attempt(lib.pd_scene_check, self._pointer)
            return warnings_of(lib.pd_scene_warning, self._pointer)


Source = Union[PathLike, Mapping[str, Any], Scene]


def warnings_of(function: Any, subject: Any) -> list[str]:
    text, lines = ffi.new("char[]", 1024), []
    while function(subject, len(lines), text, len(text)):
        lines.append(decode(text))
    return lines
