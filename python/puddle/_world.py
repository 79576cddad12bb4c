"""Worlds and logs."""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from types import SimpleNamespace
from typing import Any, Iterator, Mapping, Optional, Sequence

import numpy as np

from ._core import attempt, borrowed, copied, create, decode, ffi, filled, lib, plain, rows
from ._errors import (BadType, BadValue, InUse, OutOfMemory, PathLike, Uncopied, choice, contents, encoded_path,
                      encoded_text, flag, integer, number, shown, vector)
from ._parameters import Parameters, method_infos, methods, word
from ._scene import Scene, Source, copied_scene, warnings_of
from ._views import Body, Field, Statistics, View


TOOLS = [name[len("PD_TOOL_"):].lower() for _, name in sorted(ffi.typeof("pd_tool_kind").elements.items())
         if name != "PD_TOOL_NONE"]
NUMBERS = sorted({decode(row.name) for info in method_infos() for row in rows(info, "number")})


class Guard:
    """Lets one thread at a time use a world, in the process that has the threads of the world."""

    def __init__(self, world: Any) -> None:
        self._lock = threading.RLock()
        self._process = os.getpid() if lib.pd_world_threads(world) > 1 else None

    def __enter__(self) -> None:
        if self._process not in (None, os.getpid()):
            raise BadValue("USAGE", "the threads of the world stayed in the parent process "
                                    "(create the world after the fork, or with threads=1)")
        self._lock.acquire()

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


class World(Uncopied):
    """The simulation of a scene.

    The same scene and the same calls give the same bits on any number of threads.

    scene: as for Scene, or a Scene. threads: number of threads of a step, at most 64. 0: one per core.
    """

    __slots__ = ("_pointer", "_lock", "_borrowers", "_changes", "_log", "__weakref__")
    _instead = "World.save() and World.load(), or World(world.scene) with restore(world.snapshot())"

    def __init__(self, scene: Source, threads: int = 0) -> None:
        scene = scene if isinstance(scene, Scene) else Scene(scene)
        with scene._lock:
            self._own(create(lib.pd_world_create, scene=scene._pointer, threads=threads))

    def _own(self, pointer: Any) -> None:
        self._pointer = pointer
        self._lock = Guard(pointer)
        self._borrowers: list[Any] = []
        self._changes = 0  # nested changes under way
        self._log: Any = lambda: None  # a weak reference to the log that records

    @classmethod
    def load(cls, path: PathLike, threads: int = 0) -> World:
        """Creates a world from a snapshot file. The world continues bit for bit."""
        world = cls.__new__(cls)
        world._own(create(lib.pd_world_load, file=[encoded_path(path)], threads=threads))
        return world

    def _alive(self) -> list[Any]:
        return [owner for owner in self._borrowers if owner() is not None]

    @contextlib.contextmanager
    def _changing(self) -> Iterator[Any]:
        """Gives the pointer for a change. Refuses while arrays in the world's memory exist."""
        with self._lock:
            borrowers = len(self._alive())
            if borrowers:
                raise InUse("USAGE", f"the world cannot change: arrays in its memory are in use: {borrowers} "
                                     "(delete the arrays of view(copy=False) and field(copy=False), or use copies)")
            self._changes += 1
            try:
                yield self._pointer
            finally:
                self._changes -= 1

    def step(self, steps: int = 1) -> None:
        """Steps the world by the scene's dt (1/60 s by default), `steps` times."""
        steps = integer(steps, "steps", 0)
        with self._changing() as world:
            log = self._log()
            for _ in range(steps):
                if log:
                    lib.pd_log_replay_commands(log._pointer, world)
                before = lib.pd_world_steps(world)
                try:
                    lib.pd_world_step(world)
                finally:
                    # Ctrl+C ends the loop after the step, which the log must count.
                    if log and lib.pd_world_steps(world) != before:
                        log._stepped(world)

    # Changes: every change is a command, so that a log can record the change.

    def apply(self, command: str) -> None:
        """Applies a command of one line, as in a log: "gravity 0 -9.81", "parameter ddr.stiffness 12", "reset"."""
        line = encoded_text(command, "command")
        with self._changing() as world:
            value = ffi.new("pd_command *")
            attempt(lib.pd_command_parse, line, lib.pd_world_scene(world), value)
            self._do(value)

    def _do(self, command: Any) -> None:
        try:
            log = self._log()
            if log:
                attempt(lib.pd_log_do, log._pointer, self._pointer, command)
            else:
                attempt(lib.pd_world_apply, self._pointer, command)
        finally:
            lib.pd_command_free(command)

    def reset(self) -> None:
        """Restores the initial particles and time 0. Tool, gravity, parameters and edits stay."""
        self.apply("reset")

    def edit(self, scene: Source) -> None:
        """Changes lists and parameters of the running scene. The fluid stays.

        A dict has the lists to replace: obstacles, emitters, drains, materials, regions, vortons, attractions, changes, bodies,
        joints.
        Lists that the dict leaves out, and parameters that it leaves out of "parameters", do not change.
        Another scene gives all its lists and its parameters. Its gravity, method and container have no effect.
        Regions and vortons have their effect at the next reset().
        """
        with self._changing() as world:
            new = self.scene._changed(scene) if isinstance(scene, Mapping) else Scene(scene)
            command = ffi.new("pd_command *")
            attempt(lib.pd_command_edit, command, lib.pd_world_scene(world), new._pointer)
            self._do(command)

    @property
    def scene(self) -> Scene:
        """The scene with the present gravity, parameters, method and edits, as a copy. Setting it begins that scene."""
        with self._lock:
            return Scene.__new__(Scene)._own(copied_scene(lib.pd_world_scene(self._pointer)))

    @scene.setter
    def scene(self, scene: Source) -> None:
        new = scene if isinstance(scene, Scene) else Scene(scene)
        with self._changing(), new._lock:
            command = ffi.new("pd_command *")
            attempt(lib.pd_command_scene, command, new._pointer)
            self._do(command)

    @property
    def parameters(self) -> Parameters:
        """The parameters of all methods by key."""
        return Parameters(self)

    @property
    def method(self) -> str:
        """The name of the method. Setting it continues with the same particles."""
        with self._lock:
            return decode(lib.pd_world_method(self._pointer).name)

    @method.setter
    def method(self, name: str) -> None:
        choice(name, "method", methods(), code="METHOD_UNKNOWN")
        self.apply(f"method {name}")

    @property
    def gravity(self) -> tuple[float, float]:
        """Gravity (x, y), m/s^2."""
        with self._lock:
            return plain(lib.pd_world_gravity(self._pointer))

    @gravity.setter
    def gravity(self, gravity: Sequence[float]) -> None:
        x, y = vector(gravity, "gravity")
        self.apply(f"gravity {word(x)} {word(y)}")

    @property
    def particles(self) -> int:
        """The number of particles. Setting it begins the scene again at that resolution: the same fluid."""
        with self._lock:
            return lib.pd_world_particles(self._pointer)

    @particles.setter
    def particles(self, particles: int) -> None:
        number_of = integer(particles, "particles", 1, lib.PD_MAX_PARTICLES, code="SCENE_VALUE")
        self.apply(f"particles {number_of}")

    def tool(self, kind: Optional[str], position: Sequence[float] = (0, 0), velocity: Sequence[float] = (0, 0),
             radius: float = 0.2, target: int = 0) -> None:
        """Sets the tool, which acts in all steps until the next tool. None: no tool.

        kind: "drag", "push", "pull", "paint", "move", "pour" or "erase". position (x, y), m. velocity: of a drag, m/s.
        radius: m. target: index of the material of "paint" and "pour", or what "move" moves (target_at()): index of an
        obstacle, or number of obstacles + index of a body. A spring drags the body at the point where the tool begins.
        """
        if kind is not None:
            choice(kind, "kind", TOOLS, f"use None or one of: {', '.join(TOOLS)}")
        numbers = [*vector(position, "position"), *vector(velocity, "velocity"), number(radius, "radius")]
        if np.float32(numbers[-1]) <= 0:
            raise BadValue("USAGE", f"radius: {shown(radius)} is no radius (use a number above 0)")
        if kind is None:
            return self.apply("tool none")
        words = ["tool", kind, *map(word, numbers)]
        with self._lock:
            scene = lib.pd_world_scene(self._pointer)
            movable = scene.obstacle_count + scene.body_count
            if kind == "move" and movable == 0:
                raise BadValue("USAGE", "kind: 'move' needs an obstacle or a body, and the scene has none "
                                        "(use world.edit({'bodies': [...]}) or world.edit({'obstacles': [...]}))")
            counts = {"paint": scene.material_count, "pour": scene.material_count, "move": movable}
            target = integer(target, "target", 0, counts.get(kind, lib.PD_MAX_ITEMS) - 1)
            if kind in counts:
                words.append(str(target))
            self.apply(" ".join(words))

    def target_at(self, position: Sequence[float], distance: float = 0) -> Optional[int]:
        """Returns the target of tool("move") at a position, as a press in the window picks it: the nearest body within
        `distance`, m, else the nearest obstacle. None: neither."""
        point = vector(position, "position")
        distance = number(distance, "distance")
        if distance < 0:
            raise BadValue("USAGE", f"distance: {shown(distance)} is below 0 (use a number from 0)")
        with self._lock:
            body = lib.pd_world_body_at(self._pointer, point, distance)
            if body >= 0:
                return lib.pd_world_scene(self._pointer).obstacle_count + body
            obstacle = lib.pd_world_obstacle_at(self._pointer, point, distance)
        return obstacle if obstacle >= 0 else None

    def set_property(self, material: str, name: str, value: Optional[float]) -> None:
        """Sets a material's own viscosity, elasticity, ... None: the value of the method's parameter."""
        choice(name, "name", (decode(lib.pd_property_at(i).key) for i in range(lib.PD_PROPERTIES)))
        setting = "none" if value is None else word(number(value, name))
        with self._lock:
            scene = lib.pd_world_scene(self._pointer)
            choice(material, "material", (decode(scene.materials[i].name) for i in range(scene.material_count)))
            self.apply(f"property {name} {setting} {material}")

    # What a world looks like.

    def _borrow(self, pointer: Any, shape: Sequence[int]) -> np.ndarray:
        if self._changes:  # the caller is a signal handler, or a function of an argument
            raise InUse("USAGE", "copy: False is not allowed within a change of the world (use copy=True)")
        # The owner lives as long as the array and its slices. The world's memory lives as long as the owner.
        owner = ffi.gc(pointer, lambda _, world=self._pointer: None)
        self._borrowers = [*self._alive(), weakref.ref(owner)]
        return borrowed(owner, shape)

    def _body(self, index: int, seen: SimpleNamespace) -> Body:
        """Returns a body. seen: its members in a pd_view."""
        state = ffi.new("pd_world_body *")
        lib.pd_world_fill_body(self._pointer, index, state, ffi.sizeof(state[0]))
        return Body(**vars(seen), velocity=(state.vx, state.vy), spin=state.spin, mass=state.mass, inertia=state.inertia,
                    force=(state.force_x, state.force_y), torque=state.torque,
                    contact_force=(state.contact_force_x, state.contact_force_y), contact_torque=state.contact_torque)

    def view(self, copy: bool = True) -> View:
        """Returns the particles and everything to draw.

        copy=True: the arrays are the caller's own. copy=False: read-only arrays in the world's memory, without copies.
        While such an array or a slice of it exists, changes of the world raise InUse.
        """
        arrays = copied if flag(copy, "copy") else self._borrow
        with self._lock:
            view = plain(filled("view", self._pointer)[0], arrays, View())
            view.bodies = [self._body(i, body) for i, body in enumerate(view.bodies)]
        vars(view).pop("fields", None)
        view.vortices = view.vortices if view.vortices.id is not None else None
        return view

    def fields(self) -> list[SimpleNamespace]:
        """Returns name, title, unit and support of each field of the present method."""
        with self._lock:
            return [plain(row[0]) for row in rows(lib.pd_world_method(self._pointer), "field")]

    def field(self, name: str, copy: bool = True) -> Field:
        """Computes a field: "pressure", "vorticity", ... (fields()). copy: as in view()."""
        arrays = copied if flag(copy, "copy") else self._borrow
        with self._lock:
            view = filled("view", self._pointer)
            known = [info.name for info in self.fields()]
            choice(name, "field", known, f"'{self.method}' has {', '.join(known) or 'none'}")
            found = lib.pd_view_field(view, encoded_text(name, "field"))
            if found.values == ffi.NULL:
                raise OutOfMemory("OUT_OF_MEMORY", f"no memory for the field '{name}' (close other programs)")
            field = plain(found[0], into=Field())
            vars(field).update(vars(vars(field).pop("info")))
            cells = (field.ny, field.nx) if field.layers <= 1 else (field.layers, field.ny, field.nx)
            shape = cells if field.support == "cells" else (view.count,)
            field.values = arrays(found.values, shape)
        (left, bottom), cell = field.origin, field.cell
        field.extent = (left, left + field.nx * cell, bottom, bottom + field.ny * cell)
        return field

    def number(self, name: str) -> float:
        """Returns a quantity of the whole fluid: "circulation", ... nan: the present method does not have it."""
        choice(name, "number", NUMBERS)
        with self._lock:
            return lib.pd_view_number(filled("view", self._pointer), encoded_text(name, "number"))

    def statistics(self) -> Statistics:
        """Computes sums and means over the fluid."""
        with self._lock:
            return plain(filled("statistics", self._pointer)[0], into=Statistics())

    def impulse(self, obstacle: int = -1) -> tuple[float, float]:
        """Returns the impulse of the fluid on an obstacle (-1: the container) in the last step, N s/m."""
        x, y = ffi.new("double *"), ffi.new("double *")
        with self._lock:
            count = lib.pd_world_scene(self._pointer).obstacle_count
            obstacle = integer(obstacle, "obstacle", -1, count - 1, "-1: the container")
            lib.pd_world_impulse_on_obstacle(self._pointer, obstacle, x, y)
        return x[0], y[0]

    def warnings(self) -> list[str]:
        """Returns lines about what the method does otherwise than the scene asks."""
        with self._lock:
            return warnings_of(lib.pd_world_write_warning, self._pointer)

    @property
    def time(self) -> float:
        """Simulated time, s."""
        with self._lock:
            return lib.pd_world_time(self._pointer)

    @property
    def steps(self) -> int:
        """Steps since the start or the last reset."""
        with self._lock:
            return lib.pd_world_steps(self._pointer)

    # Snapshots and logs.

    def save(self, path: PathLike) -> None:
        """Writes a snapshot to a file, for World.load() and `puddle run --load`."""
        file = encoded_path(path)
        with self._lock:
            attempt(lib.pd_world_save, self._pointer, file)

    def snapshot(self) -> bytes:
        """Returns a snapshot for restore()."""
        data, size = ffi.new("void **"), ffi.new("size_t *")
        with self._lock:
            attempt(lib.pd_world_save_to_memory, self._pointer, data, size)
        try:
            return bytes(ffi.buffer(data[0], size[0]))
        finally:
            lib.pd_memory_free(data[0])

    def restore(self, snapshot: bytes) -> None:
        """Restores a snapshot. Not while a log records the world: use Log.seek() there."""
        memory = ffi.from_buffer(contents(snapshot, "snapshot", "use World.snapshot()"))
        with self._changing() as world:
            if self._log():
                raise BadValue("USAGE", "a recorded world cannot be restored (use Log.seek(), or end with Log.close())")
            attempt(lib.pd_world_restore_from_memory, world, memory, len(memory))

    def hash(self) -> int:
        """Returns a hash of the complete state. Worlds of the same hash continue in the same way."""
        with self._lock:
            value = lib.pd_world_hash(self._pointer)
        if value == 0:
            raise OutOfMemory("OUT_OF_MEMORY", "no memory for the hash of a world (close other programs)")
        return value

    def record(self) -> Log:
        """Begins a log at the present state: further steps and changes are recorded. An earlier log ends."""
        log, pointer = Log.__new__(Log), ffi.new("pd_log **")
        with self._lock:
            attempt(lib.pd_log_create, pointer, self._pointer)
            log._own(self, pointer[0])
        return log


class Log(Uncopied):
    """The commands of a world with their ticks: replay, seeking, undo. World.record() and Log.read() make logs.

    A tick is a step since the beginning of the log. World.step() counts ticks, and replays the commands of the log
    until the last tick. A command of World removes all later ticks. Recording ends when the Log is deleted.
    """

    __slots__ = ("_pointer", "_world", "_damage", "__weakref__")
    _instead = "log.write() and Log.read()"

    def __init__(self) -> None:
        raise BadType("USAGE", "a Log has no world of its own (use World.record() or Log.read())")

    def _own(self, world: World, pointer: Any, damage: str = "") -> None:
        self._pointer = ffi.gc(pointer, lib.pd_log_destroy)
        self._world, self._damage = world, damage
        world._log = weakref.ref(self)

    @classmethod
    def read(cls, path: PathLike, threads: int = 0) -> Log:
        """Reads a log. Its world is at tick 0. World.step() and play() replay."""
        log, world = cls.__new__(cls), World.__new__(World)
        pointer, damage = ffi.new("pd_log **"), ffi.new("char[]", lib.PD_MAX_LOG_DAMAGE)
        world._own(create(lib.pd_log_read, pointer, file=[encoded_path(path)], threads=threads, after=[damage]))
        log._own(world, pointer[0], decode(damage))
        return log

    @property
    def world(self) -> World:
        """The world of the log."""
        return self._world

    @property
    def damage(self) -> str:
        """Place and reason of damage of the file. "": none."""
        return self._damage

    @contextlib.contextmanager
    def _changing(self) -> Iterator[Any]:
        with self.world._changing() as world:
            self._check()
            yield world

    def _stepped(self, world: Any) -> None:
        """Counts a step. The commands of the last tick of a replay have no further step to precede."""
        lib.pd_log_end_step(self._pointer, world)
        if lib.pd_log_tick(self._pointer) == lib.pd_log_end_tick(self._pointer):
            lib.pd_log_replay_commands(self._pointer, world)

    def _check(self) -> None:
        if self.world._log() is not self:
            raise BadValue("USAGE", "the log has ended (use the log of the last World.record())")

    @property
    def tick(self) -> int:
        """The tick of the world."""
        with self.world._lock:
            return lib.pd_log_tick(self._pointer)

    @property
    def end(self) -> int:
        """The last tick of the log. It is after `tick` in a replay, and after seek() and undo()."""
        with self.world._lock:
            return lib.pd_log_end_tick(self._pointer)

    @property
    def diverged(self) -> Optional[int]:
        """The first tick at which a replay had another hash or a failed command. None: none so far."""
        with self.world._lock:
            tick = lib.pd_log_first_divergence(self._pointer)
        return None if tick == lib.PD_LOG_NEVER else tick

    @property
    def commands(self) -> list[tuple[int, str]]:
        """Tick and line of each command: (120, "parameter ddr.stiffness 12")."""
        tick, commands = ffi.new("uint64_t *"), []
        with self.world._lock:
            for i in range(lib.pd_log_commands(self._pointer)):
                command = lib.pd_log_command(self._pointer, i, tick)
                line = lib.pd_command_format(command, lib.pd_world_scene(self.world._pointer))
                if line == ffi.NULL:
                    raise OutOfMemory("OUT_OF_MEMORY", "no memory for a command (close other programs)")
                commands.append((tick[0], decode(line)))
                lib.pd_memory_free(line)
        return commands

    def play(self) -> None:
        """Replays to the end of the log."""
        with self._changing() as world:
            self.world.step(self.end - self.tick)
            lib.pd_log_replay_commands(self._pointer, world)

    def seek(self, tick: int) -> None:
        """Restores the world of a tick, before the commands of that tick. A tick after `end` means `end`."""
        tick = integer(tick, "tick", 0, lib.PD_LOG_NEVER)
        with self._changing() as world:
            attempt(lib.pd_log_seek, self._pointer, world, tick)

    def undo(self) -> bool:
        """Undoes the last act: a stroke of a tool, one parameter, or a single command. Returns False without an act."""
        with self._changing() as world:
            can = lib.pd_log_can_undo(self._pointer, ffi.NULL)
            attempt(lib.pd_log_undo, self._pointer, world)
            return can

    def redo(self) -> bool:
        """Restores world and log before the last undo(). Returns False without an undone act."""
        with self._changing() as world:
            can = lib.pd_log_can_redo(self._pointer)
            attempt(lib.pd_log_redo, self._pointer, world)
            return can

    def branch(self) -> None:
        """Removes all ticks and commands after the present: the world continues from here."""
        with self._changing():
            lib.pd_log_remove_future(self._pointer)

    def write(self, path: PathLike, since: int = 0) -> None:
        """Writes the log for read() and `puddle replay`, from the last keyframe up to the tick `since`."""
        since = integer(since, "since", 0, lib.PD_LOG_NEVER)
        file = encoded_path(path)
        with self.world._lock:
            self._check()
            attempt(lib.pd_log_write, self._pointer, self.world._pointer, since, file)

    def close(self) -> None:
        """Ends the log. The world continues without recording."""
        with self.world._lock:
            self._check()
            self.world._log = lambda: None
