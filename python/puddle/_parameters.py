"""Methods and their parameters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Iterator, MutableMapping

from ._core import attempt, decode, ffi, lib, plain, rows
from ._errors import BadType, Uncopied, UnknownParameter, choice, encoded_text, number, shown

if TYPE_CHECKING:
    from ._world import World


def method_infos() -> Iterator[Any]:
    return (lib.pd_method_at(i) for i in range(lib.pd_method_count()))


rows_by_key = {f"{decode(info.name)}.{decode(row.key)}": row
               for info in method_infos() for row in rows(info, "parameter")}


def methods() -> list[str]:
    """Returns the names of the methods: "ddr", "sph", ..."""
    return [decode(info.name) for info in method_infos()]


def _row(key: str) -> Any:
    return rows_by_key[choice(key, "parameter", rows_by_key, "list(world.parameters) has all keys",
                              "PARAMETER_UNKNOWN", UnknownParameter)]


def _advice(row: Any) -> str:
    if row.choices != ffi.NULL:
        return f"use one of: {decode(row.choices).replace('|', ', ')}"
    return "use True or False" if row.type == lib.PD_PARAMETER_BOOLEAN else "use a finite number"


class Parameters(MutableMapping[str, Any], Uncopied):
    """The parameters of all methods by key: parameters["ddr.stiffness"] = 12. `del` sets the default, clear() all.

    Values are float, int, bool, or str for a choice. Units: info(key).unit.
    """

    __slots__ = ("_world",)
    _instead = "dict(world.parameters)"

    def __init__(self, world: World) -> None:
        from ._world import World
        if not isinstance(world, World):
            raise BadType("USAGE", f"world: {shown(world)} is no World (use world.parameters)")
        self._world = world

    def __getitem__(self, key: str) -> Any:
        return self._get(lib.pd_world_parameter, key)

    def default(self, key: str) -> Any:
        """Returns the default of a parameter in this world."""
        return self._get(lib.pd_world_parameter_default, key)

    def _get(self, function: Any, key: str) -> Any:
        row, value, buffer = _row(key), ffi.new("float *"), ffi.new("char[]", 128)
        with self._world._lock:
            attempt(function, self._world._pointer, encoded_text(key, "parameter"), value)
        kind = self.info(key).type
        if kind == "choice":
            return decode(lib.pd_parameter_format(row, value[0], buffer, len(buffer)))
        return {"integer": int, "boolean": bool}.get(kind, float)(value[0])

    def __setitem__(self, key: str, value: Any) -> None:
        row, parsed = _row(key), ffi.new("float *")
        if isinstance(value, str):
            attempt(lib.pd_parameter_parse, row, encoded_text(value, key), parsed)
            value = parsed[0]
        self._world.apply(f"parameter {key} {word(number(value, key, 'PARAMETER_VALUE', _advice(row)))}")

    def __delitem__(self, key: str) -> None:
        _row(key)
        self._world.apply(f"parameter {key} default")

    def clear(self) -> None:
        """Sets the defaults of all parameters."""
        for key in self:
            del self[key]

    def popitem(self) -> Any:
        raise BadType("USAGE", "no parameter can be removed (use `del` for the default of a key, or clear())")

    def __iter__(self) -> Iterator[str]:
        return iter(rows_by_key)

    def __len__(self) -> int:
        return len(rows_by_key)

    def info(self, key: str) -> SimpleNamespace:
        """Returns the description of a parameter: title, unit, help, type, minimum, maximum, choices, ..."""
        return plain(_row(key)[0])


def word(value: float) -> str:
    """Returns a number as a word of a command, which reads back as the same float32."""
    return f"{value:.9g}"
