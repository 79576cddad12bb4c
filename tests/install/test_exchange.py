"""Runs each step of docs/exchange.md, and compares what the readers of VTK, NumPy, pandas and meshio find in the files.

A section is left out, with a message, if its modules are not installed. tests/install/test_exchange.sh runs this file.
"""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import re
import shlex
import struct
import subprocess
import tempfile
import textwrap
import unittest

import numpy as np

import puddle

PAGE = pathlib.Path(os.environ["PUDDLE_SOURCE"], "docs", "exchange.md").read_text(encoding="utf-8")
# One scene for all kinds of solids: obstacles are a circle and a polyline, bodies a box and a polygon.
SCENE = """puddle: 1
particles: 200
container: {shape: box, width: 2, height: 1}
materials: {wässer: {color: "#2fa8ff", mass: 1}, oil: {color: "#ffc21f", mass: 0.5}}
regions:
  - {shape: box, center: [-0.5, -0.3], size: [1, 0.4], material: wässer}
  - {shape: box, center: [0.5, -0.3], size: [1, 0.4], material: oil}
obstacles:
  - {shape: circle, center: [0.6, 0.2], radius: 0.125}
  - {shape: polyline, points: [[-0.75, 0.25], [-0.5, 0.25], [-0.5, 0.375]], thickness: 0.0625}
bodies:
  - {name: raft, shape: box, center: [0, 0.25], size: [0.25, 0.125], angle: 30, density: 0.5, velocity: [0.25, 0]}
  - {name: dart, shape: polygon, points: [[0, 0], [0.25, 0], [0.0625, 0.0625], [0, 0.25]], center: [-0.25, 0.125], density: 2}
parameters: {grid: {resolution: 20}, flip: {resolution: 20}, vortex: {tracers: 200}}
"""


def run(arguments):
    """Runs `puddle ARGUMENTS`, which must succeed without a message."""
    result = subprocess.run([os.environ["PUDDLE_PROGRAM"], *shlex.split(arguments)], capture_output=True, text=True)
    if (result.returncode, result.stderr) != (0, ""):
        raise AssertionError(f"puddle {arguments}: exit code {result.returncode}: {result.stderr}")


def has(*modules):
    """Returns whether all modules are installed, and prints which is not."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        print(f"== left out: there is no module {missing[0]} (run scripts/install-deps.sh)")
    return not missing


def read_vtk(name):
    """Returns a dataset, read as ParaView reads it: vtkPDataSetReader of ParaView is a vtkDataSetReader."""
    from vtkmodules.vtkIOLegacy import vtkDataSetReader
    reader = vtkDataSetReader()
    reader.SetFileName(name)
    for read_all in (reader.ReadAllScalarsOn, reader.ReadAllVectorsOn, reader.ReadAllFieldsOn):
        read_all()
    reader.Update()
    assert reader.GetErrorCode() == 0, name
    return reader.GetOutput()


def array(attributes, name):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    values = attributes.GetArray(name)
    assert values is not None, name
    return vtk_to_numpy(values)


def time_of(dataset):
    return array(dataset.GetFieldData(), "TIME")[0]


def points_of(dataset):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    return vtk_to_numpy(dataset.GetPoints().GetData())


def corners_of(dataset, cell):
    ids = dataset.GetCell(cell).GetPointIds()
    return points_of(dataset)[[ids.GetId(i) for i in range(ids.GetNumberOfIds())], :2]


def area_of(corners):
    x, y = corners.astype(float).T
    return (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2


def read_series(name):
    """Returns times and datasets of a series."""
    series = json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
    assert series["file-series-version"] == "1.0"
    return [(file["time"], read_vtk(file["name"])) for file in series["files"]]


class Exchange(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        pathlib.Path("solids.yaml").write_text(SCENE, encoding="utf-8")

    def run_section(self, title, names):
        """Runs the blocks of a section in their order. Blocks that begin with "puddle" are commands, the others Python."""
        section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)[1]
        blocks = [textwrap.dedent(block).strip("\n") for block in re.findall(r"(?:^    .*\n|^ *\n(?=    ))+", section, re.M)]
        self.assertGreater(len(blocks), 1)
        for block in blocks:
            if block.startswith("puddle "):
                for line in block.splitlines():
                    run(line.removeprefix("puddle "))
            else:
                with contextlib.redirect_stdout(io.StringIO()) as printed:
                    exec(block, names)
                names["printed"] = printed.getvalue()
        for name in re.findall(r"`([a-z-]+\.vtk\.series)`", section):
            if "cells" not in name: # the page says that another method writes this one
                self.assertEqual([round(60 * time) for time, _ in read_series(name)], list(range(6, 61, 6)), name)
        return section

    def test_page_paraview(self):
        if not has("vtkmodules"):
            return
        names = {}
        self.run_section("ParaView", names)
        self.assertEqual(len(names["printed"].splitlines()), 10)

    def test_page_numpy(self):
        names = {}
        section = self.run_section("NumPy", names)
        documented = set(re.findall(r"`([a-z_]+)`", section))
        self.assertLessEqual(set(names["state"].files), documented)

    def test_page_pandas(self):
        if not has("pandas"):
            return
        names = {}
        self.run_section("pandas", names)
        self.assertEqual(len(names["stats"]), 60)
        self.assertEqual(sorted(names["states"].index.unique("step")), [20, 40, 60])
        self.assertIn("wheel", set(names["bodies"]["body"]))

    def test_page_blender(self):
        if not has("vtkmodules", "meshio"):
            return
        import meshio
        run("run water-wheel --seconds 1 --state wheel.vtk --quiet") # the step of the section ParaView
        self.run_section("Blender", {})
        frames = sorted(pathlib.Path("wheel-frames").glob("*.png"))
        self.assertEqual(len(frames), 6)
        size_and_type = struct.unpack(">IIBB", frames[0].read_bytes()[16:26])
        self.assertEqual(size_and_type, (320, 180, 8, 6)) # 6: red, green, blue, alpha
        particles, solids = meshio.read("wheel.ply"), meshio.read("wheel-solids.ply")
        self.assertEqual(len(particles.points), read_vtk("wheel.vtk").GetNumberOfPoints())
        self.assertEqual(sum(len(cells.data) for cells in solids.cells), 3) # two segments of the chute, the wheel

    def test_solids(self):
        if not has("vtkmodules"):
            return
        run("run solids.yaml --method sph --steps 10 --state s.vtk --state-every 5 --quiet")
        world = puddle.World("solids.yaml")
        world.method = "sph"
        for step, (time, dataset) in zip((5, 10), read_series("s-solids.vtk.series"), strict=True):
            self.assertEqual(time_of(dataset), time)
            self.assertAlmostEqual(time, step / 60, delta=1e-6)
            self.assertEqual(array(dataset.GetCellData(), "kind").tolist(), [0, 1, 1, 1, 2, 2])
            self.assertEqual(array(dataset.GetCellData(), "index").tolist(), [0, 0, 1, 1, 0, 1])
            self.assertEqual(corners_of(dataset, 0).tolist(), [[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5], [-1, -0.5]])
            disc, first, second, raft, dart = [corners_of(dataset, cell) for cell in range(1, 6)]
            np.testing.assert_allclose(np.hypot(*(disc - [0.6, 0.2]).T), 0.125, rtol=1e-5)
            np.testing.assert_allclose([area_of(first), area_of(second)],
                                       [0.25 / 16 + np.pi / 1024, 0.125 / 16 + np.pi / 1024], rtol=1e-3)
            np.testing.assert_allclose(first.max(axis=0), [-0.5 + 1 / 32, 0.25 + 1 / 32], rtol=1e-5)
            self.assertAlmostEqual(area_of(raft), 1 / 32, delta=1e-6)
            self.assertAlmostEqual(area_of(dart), 1 / 64, delta=1e-6) # concave
        with open("s-bodies.csv") as rows:
            place = rows.read().splitlines()[1].split(",")[3:6]
        x, y, angle = map(float, place)
        np.testing.assert_allclose(raft.mean(axis=0), [x, y], atol=1e-6)
        side = raft[1] - raft[0]
        self.assertAlmostEqual(np.degrees(np.arctan2(side[1], side[0])), angle, delta=1e-3)

    def test_particles(self):
        if not has("vtkmodules"):
            return
        for method in ("ddr", "flip"):
            run(f"run solids.yaml --method {method} --steps 4 --state p.vtk --quiet")
            run(f"run solids.yaml --method {method} --steps 4 --state p.npz --quiet")
            dataset, state = read_vtk("p.vtk"), np.load("p.npz")
            self.assertEqual(time_of(dataset), state["time"])
            self.assertEqual(state["step"], 4)
            data = dataset.GetPointData()
            for name in ("id", "material", "density", "mass"):
                np.testing.assert_array_equal(array(data, name), state[name], name)
            np.testing.assert_array_equal(points_of(dataset)[:, :2], np.column_stack([state["x"], state["y"]]))
            np.testing.assert_array_equal(array(data, "velocity")[:, :2], np.column_stack([state["vx"], state["vy"]]))
            self.assertEqual([name.decode() for name in state["material_names"]], ["wässer", "oil"])
            self.assertEqual(set(state["material"]), {0, 1})

    def test_cells(self):
        if not has("vtkmodules", "meshio"):
            return
        import meshio
        for method, name in (("grid", "c.vtk"), ("flip", "c-cells.vtk"), ("vortex", "c-cells.vtk")):
            run(f"run solids.yaml --method {method} --steps 4 --state c.vtk --quiet")
            run(f"run solids.yaml --method {method} --steps 4 --state c.npz --quiet")
            dataset, mesh, state = read_vtk(name), meshio.read(name), np.load("c.npz")
            shape = (len(state["cell_y"]), len(state["cell_x"]))
            self.assertEqual(dataset.GetDimensions(), (shape[1], shape[0], 1))
            np.testing.assert_allclose(dataset.GetPoint(shape[1] + 1)[:2], [state["cell_x"][1], state["cell_y"][1]], atol=1e-6)
            for column in ("u", "v", "pressure", "smoke", "solid", "vorticity"):
                if f"cell_{column}" not in state:
                    self.assertNotEqual(method, "grid")
                    continue
                expected = np.nan_to_num(state[f"cell_{column}"])
                vtk, index = ("velocity", "uv".index(column)) if column in "uv" else (column, ...)
                values = array(dataset.GetPointData(), vtk)
                values = values[:, index] if vtk == "velocity" else values
                np.testing.assert_array_equal(values.reshape(shape), expected, column)
                other = np.asarray(mesh.point_data[vtk]).reshape(shape + (-1,))[..., index if vtk == "velocity" else 0]
                np.testing.assert_array_equal(other, expected, column)
        self.assertIn("circulation", state.files)

    def test_arrays_of_an_empty_state(self):
        pathlib.Path("empty.yaml").write_text("puddle: 1\nmethod: vortex\ncontainer: {shape: circle, radius: 1}\n"
                                              "vortons: [{position: [0.2, 0], circulation: 0, core: 0.05}]\n")
        run("run empty.yaml --steps 0 --state e.npz --quiet")
        with np.load("e.npz") as state: # reads and checks every array
            for name in state.files:
                self.assertEqual(state[name].dtype.byteorder.replace("|", "=").replace("<", "="), "=", name)


if __name__ == "__main__":
    unittest.main()
