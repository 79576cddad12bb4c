"""Tests of the Python module against the installed library and program. tests/install/test_python.sh runs them."""

import concurrent.futures
import csv
import gc
import json
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

import numpy as np

import puddle
from puddle import _world

PROGRAM = os.environ["PUDDLE_PROGRAM"]
PYTHON = pathlib.Path(os.environ["PUDDLE_SOURCE"], "python")
SHORT = "PUDDLE_SHORT_TESTS" in os.environ
SMALL = {"particles": 300, "regions": [{"shape": "circle", "center": [0, 0], "radius": 0.5}]}
# An obstacle, and a ball of 0.1 m radius and half the density of water that falls into a pool.
WITH_BODY = {"particles": 600, "container": {"shape": "box", "width": 2, "height": 1.5},
             "regions": [{"shape": "box", "center": [0, -0.5], "size": [2, 0.5]}],
             "obstacles": [{"shape": "circle", "center": [-0.8, 0.5], "radius": 0.1}],
             "bodies": [{"shape": "circle", "center": [0.2, 0.2], "radius": 0.1, "density": 0.5, "velocity": [0.5, 0],
                         "spin": 90}]}
# Each list of a scene, with values of every type.
FULL = {
    "name": "Füll \"quoted\" \\ 水 😀", "method": "ddr", "gravity": (0, -1.6), "particles": 400, "seed": 2**63 + 1,
    "container": {"shape": "box", "width": 2, "height": np.float32(1.5), "slip": True},
    "materials": {"blue": {"color": "#2fa8ff"}, "gold": {"color": "#ffc21f", "mass": 1.2, "viscosity": 20.5}},
    "regions": [{"shape": "box", "center": [0, -0.5], "size": [2, 0.5], "material": "blue"},
                {"shape": "circle", "center": np.array([0.1, 0.4]), "radius": 0.2, "material": "gold", "fill": "grid"}],
    "vortons": [{"position": [0.2, 0], "circulation": 0.5, "core": 0.1}],
    "obstacles": [{"shape": "polygon", "points": [[0.5, -0.2], [0.8, -0.2], [0.6, 0]], "spin": 10}],
    "emitters": [{"position": [0, 0.7], "direction": [0, -1], "speed": 1, "width": 0.1, "rate": 100, "until": 5.5}],
    "drains": [{"shape": "circle", "center": [0.9, -0.7], "radius": 0.05}],
    "attractions": [{"between": ["blue", "gold"], "factor": 0.4}],
    "changes": [{"shape": "box", "center": [-0.7, 0], "size": [0.3, 1], "from": "gold", "to": "blue", "rate": 2}],
    "parameters": {"ddr": {"stiffness": 1.6, "equal_weight": False}},
}


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def assertFails(self, kinds, code, text, function, *arguments):
        with self.assertRaises(puddle.Error) as caught:
            function(*arguments)
        for kind in kinds:
            self.assertIsInstance(caught.exception, kind)
        self.assertEqual(caught.exception.code, code)
        self.assertIn(text, caught.exception.message)
        self.assertEqual(str(caught.exception), caught.exception.message)
        self.assertNotIn("\n", caught.exception.message)


class Worlds(Case):
    def test_same_floats_and_hash_as_the_program(self):
        result = json.loads(run("run", "drop", "--steps", 30, "--state", "state.csv", "--save", "end.puddle", "--json"))
        world = puddle.World("drop")
        world.step(30)
        view = world.view()
        with open("state.csv", newline="") as file:
            rows = sorted(csv.DictReader(file), key=lambda row: int(row["id"]))
        order = np.argsort(view.id)
        self.assertEqual(len(rows), view.count)
        for name in ("x", "y", "vx", "vy", "density"):
            column = np.array([row[name] for row in rows]).astype(np.float32)
            np.testing.assert_array_equal(column, getattr(view, name)[order], name)
        self.assertEqual([row["material"] for row in rows], [view.materials[i].name for i in view.material[order]])
        self.assertEqual(result["hash"], f"{world.hash():016x}")
        self.assertEqual(puddle.World.load("end.puddle").hash(), world.hash())
        statistics = world.statistics()
        for name in ("step", "particles", "substeps", "kinetic_energy", "max_density"):
            self.assertAlmostEqual(result[name], getattr(statistics, name), delta=1e-14 * abs(result[name]), msg=name)
        for told, known in zip(result["impulse"]["container"], world.impulse()):
            self.assertAlmostEqual(told, known, delta=1e-14 * abs(known))  # JSON has 15 digits

    def test_snapshots(self):
        world = puddle.World(SMALL)
        world.step(3)
        memory = world.snapshot()
        world.save("a.puddle")
        world.step(5)
        end = world.hash()
        world.restore(memory)
        self.assertEqual(world.steps, 3)
        loaded = puddle.World.load("a.puddle", threads=1)
        for each in (world, loaded):
            each.step(5)
            self.assertEqual(each.hash(), end)
        self.assertFails([ValueError], "SNAPSHOT_BROKEN", "", world.restore, b"")
        self.assertFails([ValueError], "SNAPSHOT_BROKEN", "", world.restore, memory[:-9])
        self.assertEqual(world.hash(), end)

    def test_changes(self):
        world = puddle.World("drop")
        world.gravity = (1, -9.81)
        self.assertEqual(world.gravity, (1, np.float32(-9.81)))
        world.method = "sph"
        self.assertEqual(world.method, "sph")
        world.particles = 500
        self.assertEqual((world.particles, world.steps), (500, 0))
        world.set_property("drop", "viscosity", 12.5)
        self.assertIn("12.5", world.scene.text)
        world.set_property("drop", "viscosity", None)
        self.assertNotIn("12.5", world.scene.text)
        world.step(2)
        world.reset()
        self.assertEqual(world.time, 0)
        world.edit({"materials": {"water": {"color": "#2f86ff"}, "drop": {"color": "#ffd166", "mass": 1.05}},
                    "obstacles": [{"shape": "circle", "center": [0.5, 0.3], "radius": 0.1}]})
        self.assertEqual(world.view().obstacles[0].center, (0.5, np.float32(0.3)))
        self.assertEqual(world.particles, 500)
        world.scene = SMALL
        self.assertEqual((world.particles, world.method), (300, "ddr"))

    def test_parameters(self):
        world = puddle.World("drop")
        default = world.parameters["ddr.stiffness"]
        world.parameters["ddr.stiffness"] = 0.1
        self.assertEqual(world.parameters["ddr.stiffness"], np.float32(0.1))
        self.assertEqual(world.parameters.default("ddr.stiffness"), default)
        del world.parameters["ddr.stiffness"]
        self.assertEqual(world.parameters["ddr.stiffness"], default)
        world.parameters["grid.solver"] = "gauss_seidel"
        world.parameters["ddr.equal_weight"] = False
        world.parameters["pbf.iterations"] = 6
        values = {key: world.parameters[key] for key in ("grid.solver", "ddr.equal_weight", "pbf.iterations")}
        self.assertEqual(values, {"grid.solver": "gauss_seidel", "ddr.equal_weight": False, "pbf.iterations": 6})
        self.assertEqual([type(value) for value in values.values()], [str, bool, int])
        self.assertEqual(world.parameters.info("ddr.stiffness").unit, "m/s²")
        listed = {row["key"] for row in json.loads(run("list", "parameters", "--json"))}
        self.assertEqual(set(world.parameters), listed)
        self.assertNotIn("ddr.nope", world.parameters)
        self.assertFails([KeyError, ValueError], "PARAMETER_UNKNOWN", "did you mean",
                         world.parameters.__getitem__, "ddr.stifness")
        for value in (-1, "much"):
            self.assertFails([ValueError], "PARAMETER_VALUE", "use",
                             world.parameters.__setitem__, "ddr.stiffness", value)

    def test_errors(self):
        world = puddle.World(SMALL)
        self.assertFails([ValueError], "SCENE_UNKNOWN", "did you mean 'drop'?", puddle.World, "dorp")
        self.assertFails([OSError], "FILE_UNREADABLE", "nope.yaml", puddle.World, "nope.yaml")
        self.assertFails([OSError], "FILE_UNREADABLE", "nope", puddle.World.load, "nope")
        self.assertFails([OSError], "FILE_UNWRITABLE", "/nope/a", world.save, "/nope/a")
        self.assertFails([ValueError], "METHOD_UNKNOWN", "sphh", setattr, world, "method", "sphh")
        self.assertFails([ValueError], "LOG_BROKEN", "no command", world.apply, "dance")
        self.assertFails([ValueError], "USAGE", "zero byte", world.apply, "reset\0")
        self.assertFails([ValueError], "USAGE", "speed, density, pressure", world.field, "nope")
        self.assertFails([ValueError], "USAGE", "radius", world.tool, "drag", (0, 0), (0, 0), -1)
        self.assertFails([ValueError], "SCENE_VALUE", "", setattr, world, "particles", 0)
        error = pickle.loads(pickle.dumps(puddle.OutOfMemory("OUT_OF_MEMORY", "why")))
        self.assertIsInstance(error, MemoryError)
        self.assertEqual((error.code, error.message), ("OUT_OF_MEMORY", "why"))

    def test_memory_runs_out(self):
        if "PUDDLE_SANITIZED" in os.environ:
            self.skipTest("sanitizers reserve address space")
        program = ("import resource, puddle\n"
                   "pages = int(open('/proc/self/statm').read().split()[0])\n"
                   "resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (100 << 20), -1))\n"
                   "regions = [{'shape': 'circle', 'center': [0, 0], 'radius': 1}]\n"
                   "try: puddle.World({'particles': 10000000, 'regions': regions}, threads=1)\n"
                   "except MemoryError as error: print(error.code)\n")
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(result.stdout, "OUT_OF_MEMORY\n", result.stderr)


class Scenes(Case):
    def test_dict_with_every_list(self):
        scene = puddle.Scene(FULL)
        self.assertEqual(scene.name, FULL["name"])
        scene.write("full.yaml")
        by_dict, by_file = puddle.World(FULL), puddle.World(pathlib.Path("full.yaml"))
        for world in (by_dict, by_file):
            world.step(20)
        self.assertEqual(by_dict.hash(), by_file.hash())
        text = scene.text
        for name in ("vortons", "obstacles", "emitters", "drains", "attractions", "changes", "equal_weight: false",
                     f"seed: {2**63 + 1}"):
            self.assertIn(name, text)
        view = by_dict.view()
        self.assertEqual([area.shape for area in view.obstacles], ["polygon"])
        self.assertEqual(len(view.obstacles[0].points), 3)
        self.assertEqual(len(view.drains), 1)

    def test_messages_name_the_key(self):
        for key, value, start in (
                ("gravity", None, "gravity: "),
                ("regions", [{"shape": "circle", "center": [0, 0], "radius": -1}], "regions[0].radius: "),
                ("regions", [{"shape": "circle", "center": [0, "x"], "radius": 1}], "regions[0].center[1]: "),
                ("regions", [SMALL["regions"][0], {"shape": "circle"}], "regions[1]: "),
                ("parameters", {"ddr": {"stiffness": -1}}, "parameters.ddr.stiffness: "),
                ("materials", {"a": {"color": "red"}}, "materials.a.color: "), ("regionss", [], "regionss: "),
                ("gravity", [0, object()], "gravity[1]: "), ("puddle", 2, "puddle: ")):
            with self.assertRaises(ValueError) as caught:
                puddle.Scene({**SMALL, key: value})
            self.assertTrue(caught.exception.message.startswith(start), caught.exception.message)

    def test_bundled(self):
        listed = [row["name"] for row in json.loads(run("list", "scenes", "--json"))]
        self.assertEqual(puddle.scenes(), sorted(listed))
        for name in puddle.scenes():
            puddle.Scene(name)
        os.makedirs("data/scenes")
        pathlib.Path("data/scenes/own.yaml").write_text("puddle: 1\nname: Mine\n")
        os.environ["PUDDLE_DATA"] = "data"
        self.addCleanup(os.environ.pop, "PUDDLE_DATA")
        self.assertEqual(puddle.Scene("own").name, "Mine")

    def test_particles(self):
        position = np.random.default_rng(1).uniform(-0.5, 0.5, (200, 2))
        scene = puddle.Scene({})
        scene.add_particles(position, velocity=-position, spacing=0.04)
        view = puddle.World(scene).view()
        np.testing.assert_array_equal(view.x[np.argsort(view.id)], position[:, 0].astype(np.float32))
        np.testing.assert_array_equal(view.vy[np.argsort(view.id)], -position[:, 1].astype(np.float32))
        self.assertFails([ValueError], "SCENE_VALUE", "", scene.add_particles, [[0, 0]], [0, 0], 9)
        for name, arguments in (("position", [[[0, 0], [1]]]), ("position", [[[0, 0, 0]]]),
                                ("velocity", [position, position[:3]]), ("material", [position, (0, 0), [0, 0]])):
            self.assertFails([ValueError], "USAGE", name + ": ", scene.add_particles, *arguments)
        self.assertFails([TypeError], "USAGE", "position: ", scene.add_particles, "x")
        self.assertFails([TypeError], "USAGE", "material: ", scene.add_particles, position, (0, 0), 0.5)
        self.assertFails([TypeError], "USAGE", "spacing: ", scene.add_particles, position, (0, 0), 0, "x")


class Bodies(Case):
    def test_motion_mass_and_force(self):
        world = puddle.World(WITH_BODY)
        body = world.view().bodies[0]
        self.assertEqual((body.velocity, body.spin), ((0.5, 0), 90))
        self.assertEqual((body.force, body.torque, body.contact_force, body.contact_torque), ((0, 0), 0, (0, 0), 0))
        self.assertAlmostEqual(body.mass, 500 * np.pi * 0.1**2, delta=1e-4)
        self.assertAlmostEqual(body.inertia, body.mass * 0.1**2 / 2, delta=1e-6)
        puddle.Scene(WITH_BODY).write("body.yaml")
        told = json.loads(run("run", "body.yaml", "--steps", 120, "--json"))["bodies"][0]
        world.step(120)
        body = world.view().bodies[0]
        known = {"vx": body.velocity[0], "vy": body.velocity[1], "spin": body.spin, "mass": body.mass / 1000,
                 "force_x": body.force[0], "force_y": body.force[1], "torque": body.torque}
        for name, value in known.items():
            self.assertAlmostEqual(told[name], value, delta=1e-14 * abs(value), msg=name)  # JSON has 15 digits
        self.assertGreater(body.force[1], 0)
        ball = {"shape": "circle", "center": [0, -0.65], "radius": 0.1, "density": 0.5}
        dry = puddle.World({**WITH_BODY, "regions": [], "bodies": [ball], "particles": 6000})
        dry.step(60)  # the ball lies on the floor
        self.assertAlmostEqual(dry.view().bodies[0].contact_force[1], body.mass * 1.6, delta=1e-3 * body.mass)

    def test_move_drags_a_body(self):
        world = puddle.World({**WITH_BODY, "gravity": (0, 0), "regions": []})
        self.assertIsNone(world.target_at((0, 0)))
        self.assertEqual((world.target_at((-0.8, 0.5)), world.target_at((0.2, 0.2))), (0, 1))
        self.assertEqual((world.target_at((-0.65, 0.5)), world.target_at((-0.65, 0.5), 0.1)), (None, 0))
        target = world.target_at((0.2, 0.2))
        for x in np.linspace(0.2, -0.3, 60):
            world.tool("move", (x, 0.2), target=target)
            world.step()
        world.step(120)
        np.testing.assert_allclose(world.view().bodies[0].centroid, (-0.3, 0.2), atol=0.01)
        self.assertEqual(world.view().obstacles[0].center, (np.float32(-0.8), 0.5))


class Views(Case):
    def pouring(self):
        world = puddle.World(SMALL)
        world.tool("pour", (0, 0.8), (0, 0), 0.1)
        return world

    def test_copies_stay(self):
        world = self.pouring()
        view, speed = world.view(), world.field("speed")
        before = view.x.copy(), speed.values.copy()
        for i in range(60):
            world.tool("pour", (0.7 * np.cos(i), 0.7 * np.sin(i)), (0, 0), 0.2)
            world.step(5)
        self.assertGreater(world.particles, 4 * view.count)
        np.testing.assert_array_equal(view.x, before[0])
        np.testing.assert_array_equal(speed.values, before[1])

    def test_borrowed_arrays_lock_the_world(self):
        world = self.pouring()
        values = world.view()
        x = world.view(copy=False).x[10:20]
        np.testing.assert_array_equal(x, values.x[10:20])
        self.assertRaises(ValueError, x.__setitem__, 0, 1)
        self.assertRaises(ValueError, x.setflags, True)
        changes = [world.step, world.reset, lambda: world.restore(b""), lambda: world.apply("method sph"),
                   lambda: setattr(world, "scene", SMALL), lambda: world.edit(SMALL),
                   lambda: setattr(world, "particles", 9)]
        for change in changes:
            self.assertFails([BufferError], "USAGE", "in use: 1", change)
        log = world.record()
        for change in (lambda: log.seek(0), log.undo, log.redo, log.play):
            self.assertFails([BufferError], "USAGE", "in use: 1", change)
        self.assertEqual((world.hash(), world.statistics().particles), (world.hash(), 300))
        np.testing.assert_array_equal(x, values.x[10:20])
        del x
        world.step()

    def test_borrowed_arrays_outlive_the_world(self):
        world = self.pouring()
        world.step(5)
        expected = world.view().x
        x, speed = world.view(copy=False).x, world.field("speed", copy=False).values
        del world
        gc.collect()
        np.testing.assert_array_equal(x, expected)
        self.assertTrue(np.isfinite(speed).all())

    def test_fields(self):
        for method in puddle.methods():
            world = puddle.World("drop")
            world.method = method
            world.step(2)
            view = world.view()
            fields = {info.name: world.field(info.name) for info in world.fields()}
            borrowed = {name: world.field(name, copy=False) for name in fields}
            for name, field in fields.items():
                np.testing.assert_array_equal(field.values, borrowed[name].values, name)
                if field.support == "particles":
                    self.assertEqual(field.values.shape, (view.count,))
                else:
                    self.assertEqual(field.values.shape[-2:], (field.ny, field.nx))
                    np.testing.assert_allclose(field.extent, (-1, 1, -0.75, 0.75), atol=field.cell)
                    self.assertEqual(field.values.ndim, 3 if field.layers > 1 else 2)
        world = puddle.World("drop")
        world.step(2)
        speed = np.asarray(world.field("speed"))
        np.testing.assert_allclose(speed, np.hypot(world.view().vx, world.view().vy), rtol=1e-5)

    def test_members(self):
        view = puddle.World("vortex-pair").view()
        for kind, value in ((puddle.View, view), (puddle.Field, puddle.World("drop").field("speed"))):
            self.assertLessEqual(set(kind.__annotations__), set(vars(value)))
        self.assertEqual(view.vortices.x.shape, view.vortices.circulation.shape)
        self.assertEqual(view.vortices.count, len(view.vortices.x))
        self.assertIsNone(puddle.World("drop").view().vortices)
        self.assertEqual(puddle.World({}).view().x.shape, (0,))


class Logs(Case):
    def session(self):
        world = puddle.World(SMALL)
        log = world.record()
        world.step(10)
        world.parameters["ddr.stiffness"] = 12
        world.tool("drag", (0, 0), (1, 0.1), 0.3)
        world.step(10)
        world.tool(None)
        world.gravity = (0, -9.81)
        world.step(50)
        return world, log

    def test_replay(self):
        world, log = self.session()
        self.assertEqual(log.commands, [(10, "parameter ddr.stiffness 12"), (10, "tool drag 0 0 1 0.1 0.3"),
                                        (20, "tool none"), (20, "gravity 0 -9.81")])
        log.write("session.log")
        again = puddle.Log.read("session.log", threads=1)
        self.assertEqual((again.tick, again.end, again.damage), (0, 70, ""))
        again.play()
        self.assertEqual((again.tick, again.diverged), (70, None))
        self.assertEqual(again.world.hash(), world.hash())
        steps = puddle.Log.read("session.log")
        steps.world.step(70)
        self.assertEqual(steps.world.hash(), world.hash())
        text = pathlib.Path("session.log").read_text()
        pathlib.Path("session.log").write_text(re.sub("stiffness 12\n", "stiffness 13\n", text))
        other = puddle.Log.read("session.log")
        other.play()
        self.assertEqual(other.diverged, 60)
        self.assertFails([ValueError], "LOG_BROKEN", "", puddle.Log.read, __file__)

    def test_replay_by_steps_ends_with_the_last_commands(self):
        world, log = self.session()
        world.gravity = (1, 0)
        log.write("session.log")
        again = puddle.Log.read("session.log")
        again.world.step(69)
        self.assertEqual(again.world.gravity, (0, np.float32(-9.81)))
        again.world.step()
        self.assertEqual((again.tick, again.world.gravity), (70, (1, 0)))
        self.assertEqual(again.world.hash(), world.hash())
        again.world.method = "sph"  # continues the log, and removes none of its commands
        self.assertEqual([tick for tick, _ in again.commands], [10, 10, 20, 20, 70, 70])

    def test_seek_undo_redo(self):
        world, log = self.session()
        end = world.hash()
        log.seek(15)
        self.assertEqual((log.tick, world.steps, log.end), (15, 15, 70))
        log.play()
        self.assertEqual(world.hash(), end)
        self.assertTrue(log.undo())
        self.assertEqual(log.tick, 20)
        self.assertTrue(log.redo())
        self.assertEqual((log.tick, world.hash()), (70, end))
        while log.undo():
            pass
        self.assertEqual((log.tick, log.commands), (10, []))
        self.assertFalse(log.undo())
        world.step(5)
        log.seek(12)
        log.branch()
        self.assertEqual(log.end, 12)

    def test_interrupt_after_a_step(self):
        class Interrupting:
            def __getattr__(self, name):
                return self.step if name == "pd_world_step" else getattr(library, name)

            def step(self, pointer):
                library.pd_world_step(pointer)
                raise KeyboardInterrupt

        world, log = self.session()
        library, _world.lib = _world.lib, Interrupting()
        try:
            self.assertRaises(KeyboardInterrupt, world.step, 5)
        finally:
            _world.lib = library
        self.assertEqual((log.tick, world.steps), (71, 71))

    def test_lifetime(self):
        world, log = self.session()
        self.assertFails([ValueError], "USAGE", "cannot be restored", world.restore, world.snapshot())
        other = world.record()
        self.assertFails([ValueError], "USAGE", "has ended", log.seek, 0)
        world.step(3)
        self.assertEqual(other.tick, 3)
        other.close()
        world.step(3)
        self.assertEqual(other.tick, 3)
        self.assertFails([ValueError], "USAGE", "has ended", other.undo)
        log = world.record()
        del log, other
        world.step()


class Threads(Case):
    def test_worlds_in_threads(self):
        def end(seed):
            world = puddle.World({**SMALL, "seed": seed}, threads=1)
            world.step(60)
            return world.hash()
        alone = [end(seed) for seed in range(4)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(end, range(4))), alone)

    def test_one_world_in_threads(self):
        world = puddle.World(SMALL, threads=1)
        log = world.record()
        alone = puddle.World(SMALL)
        alone.step(80)
        failures = []

        def look():
            try:
                while world.steps < 80:
                    view = world.view()
                    field = world.field("speed")
                    assert view.x.shape == field.values.shape and np.isfinite(view.x).all() and log.tick <= 80
                    world.statistics()
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=look) for _ in range(2)]
        for thread in threads:
            thread.start()
        for _ in range(80):
            world.step()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(world.hash(), alone.hash())


    def test_fork(self):
        worlds = [puddle.World(SMALL, threads=threads) for threads in (2, 1)]
        worlds[0].step()
        worlds[1].step(300)  # meanwhile the threads of the other world fall asleep
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(60)  # ends a child that hangs
            found = []
            for world in worlds:
                try:
                    world.step()
                    found.append("stepped")
                except puddle.Error as error:
                    found.append(error.code)
            del world, worlds
            os.write(writer, " ".join(found).encode())
            os._exit(0)
        os.close(writer)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        with open(reader) as file:
            self.assertEqual(file.read(), "USAGE stepped")
        for world in worlds:
            world.step()


class Documents(Case):
    def test_readme(self):
        block = re.search(r"```python\n(.*?)```", (PYTHON / "README.md").read_text(), re.S)[1]
        lines = [line for line in block.splitlines() if line]
        self.assertLessEqual(len(lines), 10)
        try:
            import matplotlib
            matplotlib.use("Agg")
        except ImportError:
            print("== without matplotlib: the lines of the plot are left out")
            lines = [line for line in lines if "plt" not in line]
        names = {}
        exec("\n".join(lines), names)
        self.assertEqual(names["view"].x.shape, names["speed"].values.shape)
        self.assertEqual(names["world"].steps, 600)
        self.assertEqual(os.path.exists("drop.png"), any("plt" in line for line in lines))

    def test_page(self):
        page = (PYTHON.parent / "docs" / "python.md").read_text()
        blocks = re.findall(r"(?:^    .*\n|^ *\n(?=    ))+", page, re.M)
        self.assertEqual(len(blocks), 5)
        names = {"print": lambda *values: None}
        for block in blocks:
            exec(textwrap.dedent(block.replace("step(600)", "step(60)") if SHORT else block), names)
        self.assertTrue(os.path.exists("session.log"))
        self.assertAlmostEqual(names["pool"].view().bodies[0].centroid[0], 0.495, delta=0.02)
        self.assertGreater(names["energy"](names["world"]), 0)

    def test_examples(self):
        for example in sorted((PYTHON / "examples").glob("*.py")):
            result = subprocess.run([sys.executable, example, "--short"], capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""), example)
            self.assertGreater(len(result.stdout.splitlines()), 3)


if __name__ == "__main__":
    unittest.main()
