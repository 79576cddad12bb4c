"""Calls the Python module at random, with right and wrong arguments. Each session is a process of its own.

Usage: PYTHONPATH=MODULES python3 tests/fuzz/call_python_at_random.py [--seconds 60] [--seed 1] [--calls 400]
    MODULES   folder of the installed module
A session passes if it neither crashes nor hangs, every error is a puddle.Error of one line, and arrays in the world's
memory do not change. Prints the counts, and for each fault the seed and the last calls. Exits with 1 after a fault.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "install"))

import puddle  # noqa: E402
from puddle._errors import shown  # noqa: E402
from python_calls import CALLS, SCENES, SMALL, WRONG, call  # noqa: E402

PLAIN = [f"{kind.__name__}.{name}" for kind, names in (
    (puddle.World, "hash snapshot statistics fields warnings reset scene time steps particles gravity method record"),
    (puddle.Log, "tick end diverged commands world damage play undo redo branch close"),
    (puddle.Scene, "text name warnings"), (puddle.Parameters, "clear popitem keys")) for name in names.split()]


class Session:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.objects, self.borrowed, self.counts = {}, [], collections.Counter()
        puddle.World(SMALL, threads=1).save("a.puddle")
        puddle.World(SMALL, threads=1).record().write("a.log")
        self.adopt(puddle.World(self.random.choice(SCENES), threads=1))
        self.adopt(puddle.Scene(SMALL))

    def adopt(self, thing):
        """Uses an object in later calls."""
        if isinstance(thing, puddle.World):
            self.objects.update(World=thing, Parameters=thing.parameters, Log=thing.record())
        elif isinstance(thing, puddle.Log):
            self.objects.update(World=thing.world, Parameters=thing.world.parameters, Log=thing)
        elif isinstance(thing, puddle.Scene):
            self.objects["Scene"] = thing
        elif isinstance(thing, (puddle.View, puddle.Field)):
            arrays = [each for each in vars(thing).values() if isinstance(each, np.ndarray)]
            self.borrowed += [(each, each.copy()) for each in arrays if not each.flags.writeable and each.size]

    def arguments(self, member):
        wrong = self.random.random() < 0.4
        return {name: self.random.choice(WRONG if wrong and self.random.random() < 0.6 else values)
                for name, values in CALLS[member].items()}

    def step(self):
        member = self.random.choice([*CALLS, *PLAIN, *CALLS])
        arguments = self.arguments(member) if member in CALLS and self.random.random() < 0.9 else None
        print(member, {name: object.__repr__(value) if hasattr(value, "__len__") else shown(value)
                       for name, value in (arguments or {}).items()}, flush=True)
        try:
            if arguments is None:
                owner, _, name = member.partition(".")
                thing = getattr(self.objects[owner], name) if name and member not in CALLS else None
                thing = thing() if callable(thing) else thing
            else:
                thing = call(self.objects, member, arguments)
            self.counts["calls"] += 1
            self.adopt(thing)
        except puddle.Error as error:
            assert str(error).isprintable() and len(str(error)) > 10, repr(error)
            self.counts["errors"] += 1
        if self.random.random() < 0.3:
            for array, copy in self.borrowed:
                np.testing.assert_array_equal(array, copy)
            self.borrowed.clear()


def play(seed, calls):
    warnings.simplefilter("error")
    session = Session(seed)
    for _ in range(calls):
        session.step()
    print(json.dumps(session.counts))


def main():
    parser = argparse.ArgumentParser()
    for name, default in (("--seconds", 60), ("--seed", 1), ("--calls", 400)):
        parser.add_argument(name, type=int, default=default)
    parser.add_argument("--session", action="store_true", help="plays one session in this process")
    options = parser.parse_args()
    if options.session:
        return play(options.seed, options.calls)
    seed, counts, faults, end = options.seed, collections.Counter(), 0, time.monotonic() + options.seconds
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-X", "faulthandler", str(pathlib.Path(__file__).resolve()), "--session",
                       "--seed", str(seed), "--calls", str(options.calls)]
            try:
                result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
                output, code = result.stdout, result.returncode
                why = code and f"exit code {code}\n{result.stderr[-3000:]}"
            except subprocess.TimeoutExpired as error:
                output, why = (error.stdout or b"").decode(), "no end after 600 s"
        lines = output.splitlines()
        if why:
            faults += 1
            print(f"seed {seed}: {why}\nlast calls:", *lines[-5:], sep="\n", flush=True)
        else:
            counts.update(json.loads(lines[-1]))
        seed += 1
    print(f"{seed - options.seed} sessions, {counts['calls']} calls without and {counts['errors']} with an error, "
          f"{faults} faults")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
