"""Tests of the Python module: arguments, names and edits. tests/install/test_python.sh runs them."""

import copy
import inspect
import pickle
import unittest
import warnings

import numpy as np

import puddle

from python_calls import CALLS, WRONG, call
from test_python import FULL, SHORT, SMALL, WITH_BODY, Case


class Arguments(Case):
    def test_messages_name_the_argument(self):
        world, nan, here = puddle.World(SMALL), float("nan"), (0, 0)
        adds = puddle.Scene({}).add_particles
        obstacle = puddle.World({**SMALL, "obstacles": [{"shape": "circle", "center": here, "radius": 0.1}]})
        body = puddle.World(WITH_BODY)
        log = world.record()
        sets, parameters, sets_property = world.__setattr__, world.parameters, world.set_property
        for kind, start, advice, function, *arguments in (
                (ValueError, "steps: -1", "from 0", world.step, -1),
                (TypeError, "steps: 1.5", "from 0", world.step, 1.5),
                (ValueError, "number: there is no 'vorton'", "did you mean 'vortons'?", world.number, "vorton"),
                (ValueError, "number: there is no 'nope'", "use one of: circulation, ", world.number, "nope"),
                (TypeError, "number: 7", "use one of: circulation, ", world.number, 7),
                (ValueError, "obstacle: 5", "use -1; -1: the container", world.impulse, 5),
                (ValueError, "obstacle: 1", "from -1 to 0", obstacle.impulse, 1),
                (TypeError, "obstacle: 'x'", "the container", world.impulse, "x"),
                (ValueError, "kind: there is no 'drg'", "did you mean 'drag'? use None or one of: ", world.tool, "drg"),
                (TypeError, "kind: 7", "use None or one of: drag, ", world.tool, 7),
                (ValueError, "position: (0,) has 1", "two numbers", world.tool, "drag", (0,)),
                (TypeError, "position: 5", "two numbers", world.tool, "drag", 5),
                (ValueError, "velocity[1]: nan", "finite", world.tool, "drag", here, (0, nan)),
                (TypeError, "velocity[0]: 'x'", "finite", world.tool, "drag", here, ("x", 0)),
                (ValueError, "radius: -1", "above 0", world.tool, "drag", here, here, -1),
                (ValueError, "radius: 1e-99", "above 0", world.tool, "drag", here, here, 1e-99),
                (ValueError, "target: 1", "use 0", world.tool, "pour", here, here, 0.2, 1),
                (ValueError, "target: -1", "use 0", world.tool, "paint", here, here, 0.2, -1),
                (ValueError, "target: 1", "use 0", obstacle.tool, "move", here, here, 0.2, 1),
                (ValueError, "kind: 'move'", "world.edit", world.tool, "move"),
                (ValueError, "target: 2", "from 0 to 1", body.tool, "move", here, here, 0.2, 2),
                (ValueError, "distance: -1", "from 0", world.target_at, here, -1),
                (ValueError, "gravity[0]: nan", "finite", sets, "gravity", (nan, 0)),
                (ValueError, "gravity[1]: 1e+300", "finite", sets, "gravity", (0, 1e300)),
                (TypeError, "gravity: 5", "two numbers", sets, "gravity", 5),
                (ValueError, "particles: -1", "from 1 to 10000000", sets, "particles", -1),
                (ValueError, "particles: 1000000000000", "from 1 to 10000000", sets, "particles", 10**12),
                (TypeError, "particles: 'x'", "from 1 to 10000000", sets, "particles", "x"),
                (TypeError, "particles: 'x'", "from 1", puddle.Scene(SMALL).set_particles, "x"),
                (ValueError, "method: there is no 'sphh'", "did you mean 'sph'?", sets, "method", "sphh"),
                (TypeError, "method: 7", "use one of: ddr, ", sets, "method", 7),
                (TypeError, "ddr.stiffness: None", "finite", parameters.__setitem__, "ddr.stiffness", None),
                (ValueError, "ddr.stiffness: nan", "finite", parameters.__setitem__, "ddr.stiffness", nan),
                (KeyError, "parameter: there is no 'ddr.a 1'", "has all keys", parameters.__setitem__, "ddr.a 1", 1),
                (KeyError, "parameter: there is no 'ddr.stifness'", "did you mean", parameters.info, "ddr.stifness"),
                (KeyError, "parameter: 7", "has all keys", parameters.__getitem__, 7),
                (ValueError, "material: there is no 'wate'", "mean 'water'?", sets_property, "wate", "yield", 1),
                (ValueError, "name: there is no 'yeld'", "did you mean 'yield'?", sets_property, "water", "yeld", 1),
                (TypeError, "yield: 'x'", "finite", sets_property, "water", "yield", "x"),
                (TypeError, "field: 7", "'ddr' has speed, density, pressure", world.field, 7),
                (ValueError, "field: there is no 'sped'", "did you mean 'speed'? 'ddr' has", world.field, "sped"),
                (TypeError, "command: 7", "use a str", world.apply, 7),
                (TypeError, "path: None", "use a str or pathlib.Path", puddle.World.load, None),
                (TypeError, "path: None", "use a str or pathlib.Path", puddle.Log.read, None),
                (ValueError, "a\\nb: unknown key", "known: ", puddle.Scene, {"a\nb": 1}),
                (TypeError, "snapshot: ", "World.snapshot()", puddle.World(SMALL).restore, memoryview(bytes(9))[::2]),
                (ValueError, "scene: no file and no bundled scene", "puddle.scenes()", puddle.World, "a" * 5000),
                (ValueError, "steps: -0x", "from 0", world.step, -10**5000),
                (TypeError, "grid.solver: None", "use one of: gauss_", parameters.__setitem__, "grid.solver", None),
                (TypeError, "copy: 'no'", "use True or False", world.view, "no"),
                (TypeError, "gravity: {", "two numbers", sets, "gravity", {0, 1}),
                (ValueError, "position: the shape is (2, 3)", "(n, 2)", adds, np.zeros((2, 3))),
                (ValueError, "material: 4294967296", "use 0", adds, [here], here, 2**32),
                (ValueError, "regions[0].particles: particle 0 has position (1e+07, 0)", "within", adds, [(1e7, 0)]),
                (TypeError, "path: 7", "use a str", world.save, 7),
                (TypeError, "snapshot: 'x'", "World.snapshot()", puddle.World(SMALL).restore, "x"),
                (TypeError, "scene: 7", "a dict or a puddle.Scene", puddle.World, 7),
                (ValueError, "threads: -5", "from 0 to 64; 0: one per core", puddle.World, SMALL, -5),
                (ValueError, "threads: 1000", "from 0 to 64", puddle.World, SMALL, 1000),
                (TypeError, "threads: 'x'", "from 0 to 64", puddle.World, SMALL, "x"),
                (ValueError, "threads: 65", "from 0 to 64", puddle.World.load, "a.puddle", 65),
                (ValueError, "threads: -1", "from 0 to 64", puddle.Log.read, "a.log", -1),
                (ValueError, "tick: -1", "from 0", log.seek, -1),
                (TypeError, "tick: 'x'", "from 0", log.seek, "x"),
                (ValueError, "since: -1", "from 0", log.write, "a.log", -1)):
            with self.subTest(start):
                with self.assertRaises(puddle.Error) as caught:
                    function(*arguments)
                message = caught.exception.message
                self.assertIsInstance(caught.exception, kind)
                self.assertTrue(message.startswith(start), message)
                self.assertIn(advice, message)
                self.assertNotIn("\n", message)
                self.assertNotEqual(caught.exception.code, "LOG_BROKEN")
        self.assertEqual((log.commands, world.steps), ([], 0))
        self.assertIn("N s/m", puddle.World.impulse.__doc__)

    def test_copies_are_refused(self):
        world = puddle.World(SMALL)
        scene, log = world.scene, world.record()
        for thing, instead in ((world, "World.load()"), (scene, "puddle.Scene(scene)"), (log, "Log.read()"),
                               (world.parameters, "dict(world.parameters)")):
            for copies in (copy.copy, copy.deepcopy, pickle.dumps, lambda each: pickle.dumps([each], 0)):
                self.assertFails([TypeError], "USAGE", instead, copies, thing)
        for name in ("world", "damage"):
            self.assertRaises(AttributeError, setattr, log, name, None)
            self.assertRaises(AttributeError, delattr, log, name)
        self.assertFails([TypeError], "USAGE", "World.record()", puddle.Log)
        # What has arrays of its own can be copied.
        for thing in (world.view(), world.field("speed"), world.statistics(), world.parameters.info("grid.solver")):
            for copied in (copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))):
                self.assertEqual(set(vars(copied)), set(vars(thing)))

    def test_no_arrays_in_the_world_within_a_change(self):
        world, views = puddle.World(SMALL), []

        class Looking(dict):
            def __iter__(self):
                views.append(world.view(copy=False))
                return super().__iter__()

        self.assertFails([BufferError], "USAGE", "use copy=True", world.edit, Looking(drains=[]))
        self.assertEqual(views, [])
        world.step()

    def test_a_failed_scene_leaves_the_object(self):
        scene = puddle.Scene(SMALL)
        before = scene.text
        self.assertRaises(ValueError, scene.__init__, {"regionss": []})
        self.assertEqual(scene.text, before)

    def test_all_parameters_to_defaults(self):
        parameters = puddle.World(SMALL).parameters
        parameters["ddr.stiffness"], parameters["grid.solver"] = 12, 0
        parameters.clear()
        self.assertEqual(dict(parameters), {key: parameters.default(key) for key in parameters})
        self.assertFails([TypeError], "USAGE", "clear()", parameters.popitem)

    def test_every_argument_with_wrong_values(self):
        members = {kind.__name__ for kind in (puddle.World, puddle.Scene, puddle.Parameters)}
        for kind in (puddle.World, puddle.Log, puddle.Scene, puddle.Parameters):
            for name, member in vars(kind).items():
                function = member.__func__ if isinstance(member, classmethod) else getattr(member, "fset", member)
                if (name[0] != "_" or name.endswith("item__")) and inspect.isfunction(function):
                    if len(inspect.signature(function).parameters) > 1:
                        members.add(f"{kind.__name__}.{name}")
        self.assertEqual(members, set(CALLS))
        warnings.simplefilter("error")
        self.addCleanup(warnings.resetwarnings)
        puddle.World(SMALL).save("a.puddle")
        puddle.World(SMALL).record().write("a.log")
        for member, arguments in CALLS.items():
            world = puddle.World(SMALL, threads=1)
            objects = {"World": world, "Scene": puddle.Scene({} if "add" in member else SMALL),
                       "Parameters": world.parameters, "Log": world.record()}
            if member == "World.restore":
                objects["Log"].close()
            right = {name: values[0] for name, values in arguments.items()}
            call(objects, member, right)
            for name in arguments:
                for value in WRONG:
                    self.check(objects, member, {**right, name: value}, name)

    def check(self, objects, member, arguments, name):
        """Calls with a wrong argument: success, or an error of one line that changes nothing."""
        before = objects["World"].hash(), len(objects["Log"].commands)
        try:
            call(objects, member, arguments)
        except puddle.Error as error:
            value = object.__repr__(arguments[name])
            self.assertTrue(error.message.isprintable(), (member, name, value, error.message))
            self.assertEqual((objects["World"].hash(), len(objects["Log"].commands)), before, (member, name, value))

    def test_numbers_of_other_methods_are_nan(self):
        world = puddle.World(SMALL)
        self.assertTrue(np.isnan(world.number("circulation")))
        world.method = "grid"
        self.assertTrue(np.isfinite(world.number("circulation")))

    def test_unknown_names_are_refused(self):
        world = puddle.World(SMALL)
        for thing in (world, world.record(), puddle.Scene(SMALL), world.parameters):
            self.assertRaises(AttributeError, setattr, thing, "methd", "sph")

    def test_public_names(self):
        names = {}
        exec("from puddle import *", names)
        self.assertEqual({name for name in dir(puddle) if name[0] != "_"}, set(puddle.__all__))
        self.assertEqual({name for name in names if name[0] != "_"}, set(puddle.__all__))

    def test_edit_changes_the_given_lists_only(self):
        for name in puddle.scenes()[:: 8 if SHORT else 1]:
            world = puddle.World(name)
            log = world.record()
            world.edit({})
            self.assertEqual(log.commands, [], name)
        world = puddle.World(FULL)
        world.gravity, world.parameters["ddr.stiffness"] = (1, 2), 3
        before = world.scene.text
        world.edit({"obstacles": [{"shape": "circle", "center": [0.5, -0.1], "radius": np.float32(0.125)}]})
        self.assertEqual([item.shape for item in world.view().obstacles], ["circle"])
        lines = [[line for line in text.splitlines() if "polygon" not in line and "circle, center: [0.5" not in line]
                 for text in (before, world.scene.text)]
        self.assertEqual(lines[0], lines[1])
        world.edit({"obstacles": [], "parameters": {"ddr": {"equal_weight": True}}})
        self.assertEqual(world.view().obstacles, [])
        self.assertEqual(world.parameters["ddr.equal_weight"], True)
        self.assertEqual(world.parameters["ddr.stiffness"], 3)
        world.edit(puddle.Scene({**FULL, "gravity": (7, 7), "drains": []}))
        self.assertEqual((len(world.view().obstacles), len(world.view().drains), world.gravity), (1, 0, (1, 2)))
        after = world.scene.text
        for changes, start, advice in (
                ({"gravity": (0, 0)}, "edit: 'gravity'", "world.gravity = "),
                ({"method": "sph"}, "edit: 'method'", "world.method = "),
                ({"particles": 5}, "edit: 'particles'", "world.particles = "),
                ({"container": {}}, "edit: 'container'", "world.scene = "),
                ({"obstacels": []}, "edit: there is no 'obstacels'", "did you mean 'obstacles'?"),
                ({"parameters": {"grid": {"resolution": 16}}}, "edit: 'grid.resolution'", "world.parameters['grid."),
                ({"drains": [{"shape": "circle", "center": [0, 0], "radius": -1}]}, "drains[0].radius: ", "allowed"),
                ({"emitters": [{"material": "tar"}]}, "emitters[0]", "")):
            with self.assertRaises(puddle.BadValue) as caught:
                world.edit(changes)
            self.assertTrue(caught.exception.message.startswith(start), caught.exception.message)
            self.assertIn(advice, caught.exception.message)
        self.assertEqual(world.scene.text, after)


if __name__ == "__main__":
    unittest.main()
