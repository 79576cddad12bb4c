"""Every call of the Python module that has arguments, with right values, and wrong values for any argument.

test_python_arguments.py tries each wrong value for each argument. tests/fuzz/call_python_at_random.py mixes them.
"""

import pathlib

import numpy as np

import puddle

SMALL = {"particles": 300, "regions": [{"shape": "circle", "center": [0, 0], "radius": 0.5}]}
KEYS = ["ddr.stiffness", "grid.solver", "pbf.iterations", "ddr.equal_weight", "sph.viscosity"]
SCENES = [SMALL, "drop", {}, {**SMALL, "method": "grid"}, {**SMALL, "materials": {"red": {"color": "#ff0000"}}}]
EDITS = [{}, {"obstacles": [{"shape": "circle", "center": [0.5, 0], "radius": 0.1}]}, {"obstacles": []}, SMALL, "pool"]
POINTS = [(0, 0), np.array([0.3, -0.2], ">f4"), [0.5, np.float16(0.1)], (-3, 1e6)]


class Broken:
    """An object whose text cannot be shown."""

    def __repr__(self):
        raise RuntimeError("no text")


ENDLESS = []
ENDLESS.append(ENDLESS)
ROWS = np.arange(12, dtype=float).reshape(6, 2) / 20
WRONG = [
    None, True, -1, 7, 1.5, float("nan"), float("inf"), -2**31 - 1, 2**31, 2**64, 10**5000, -10**5000, 1j, "", "x",
    "a\nb", "a\0b", "\ud800", "\x1b[31m", "\u2028", "é" * 5000, "a/" * 3000, b"x", b"a\0", bytearray(4),
    memoryview(bytes(9))[::2], pathlib.Path("a\nb"), pathlib.Path("a\0"), [], (), {}, set(), {0, 1}, {"a\nb": 1},
    {1: 2}, {"gravity": ENDLESS}, {"name": 10**5000}, ENDLESS, [1, 2, 3], ["1", "2"], [None, 1], [10**5000, 1],
    [[0, 0], [1]], iter([1, 2, 3]), range(2), object(), Broken(), print, int, np.float64("nan"), np.int8(-3),
    np.bool_(True), np.str_("a\nb"), np.bytes_(b"x"), np.complex64(1j), np.longdouble("1e4000"),
    np.datetime64(1, "s"), np.timedelta64(1, "s"), np.ma.masked, np.ma.array([1.0, 2], mask=[0, 1]), np.array(2),
    np.array("1"), np.array(None), np.array([None, 1]), np.zeros(0), np.zeros((0, 2)), np.zeros((2, 1)),
    np.zeros((1, 2, 2)), ROWS[::2], ROWS.T, ROWS.astype(">f8"), ROWS.astype("M8[s]"), np.asfortranarray(ROWS),
    np.broadcast_to(0.0, (10**12, 2)), np.zeros(2, "i4,f4"), np.array(["a", "b"]), np.frombuffer(bytes(8), "f4"),
    puddle.View(), puddle.Error("USAGE", "a"),
]


# Arguments of each member of the public classes, with right values.
CALLS = {
    "World": {"scene": SCENES, "threads": [1, 2, np.int64(1)]},
    "World.load": {"path": ["a.puddle", pathlib.Path("a.puddle")], "threads": [1]},
    "World.step": {"steps": [1, 0, np.uint8(3), True]},
    "World.apply": {"command": ["reset", "gravity 0 -9.81", "method sph", "method grid", "tool none",
                                "parameter ddr.stiffness 12", "tool pour 0 0.8 0 0 0.1 0"]},
    "World.edit": {"scene": EDITS},
    "World.scene": {"scene": SCENES},
    "World.method": {"method": puddle.methods()},
    "World.gravity": {"gravity": POINTS[:3]},
    "World.particles": {"particles": [300, np.int32(50), 1]},
    "World.tool": {"kind": ["pour", "drag", None, "push", "pull", "paint", "move", "erase"], "position": POINTS,
                   "velocity": POINTS, "radius": [0.2, 1, np.float32(1e-3), 1e30], "target": [0, np.int64(0)]},
    "World.target_at": {"position": POINTS, "distance": [0, 0.1, np.float32(5)]},
    "World.set_property": {"material": ["water", "drop", "red"], "name": ["viscosity", "yield", "stickiness"],
                           "value": [1, None, 0.5]},
    "World.view": {"copy": [True, False, 0, np.bool_(True)]},
    "World.field": {"name": ["speed", "pressure", "vorticity", "dye"], "copy": [True, False]},
    "World.number": {"name": ["circulation", "vortons"]},
    "World.impulse": {"obstacle": [-1, 0]},
    "World.save": {"path": ["b.puddle", pathlib.Path("b.puddle"), b"b.puddle"]},
    "World.restore": {"snapshot": [puddle.World(SMALL, threads=1).snapshot(), np.zeros(9)]},
    "Log.read": {"path": ["a.log"], "threads": [1, 0]},
    "Log.seek": {"tick": [0, 3, np.int16(2), 2**63]},
    "Log.write": {"path": ["b.log"], "since": [0, 2, 2**40]},
    "Scene": {"source": SCENES},
    "Scene.write": {"path": ["b.yaml"]},
    "Scene.set_particles": {"particles": [300, 20]},
    "Scene.add_particles": {"position": [ROWS, ROWS.astype("f2"), ROWS[::-1], [[0.5, 0.1]] * 6],
                            "velocity": [(0, 0), ROWS, (1, -1)], "material": [0, np.zeros(6, "u1"), np.zeros(6, ">i8")],
                            "spacing": [0, 0.1]},
    "Parameters.default": {"key": KEYS},
    "Parameters.info": {"key": KEYS},
    "Parameters.__getitem__": {"key": KEYS},
    "Parameters.__delitem__": {"key": KEYS},
    "Parameters.__setitem__": {"key": KEYS, "value": [1, True, "multigrid", "2.5", np.float32(0.5)]},
}
CALLS["Parameters"] = {"world": [puddle.World(SMALL, threads=1)]}


def call(objects, member, arguments):
    """Calls a member of the object of its class in a dict, or sets a property."""
    owner, _, name = member.partition(".")
    if member == "World.step" and isinstance(arguments["steps"], int):
        arguments = {"steps": min(arguments["steps"], 9)}  # a huge number takes as long as a person has time
    if not name:
        return getattr(puddle, owner)(**arguments)
    if isinstance(getattr(getattr(puddle, owner), name), property):
        return setattr(objects[owner], name, *arguments.values())
    return getattr(objects[owner], name)(*arguments.values())
