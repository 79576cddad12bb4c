"""What a world looks like: views, fields and statistics."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional

import numpy as np


class Body(SimpleNamespace):
    """A rigid body at one time. Quantities are per metre of depth."""

    area: Any  #: Shape, moved and turned, as of an obstacle: shape, center, radius, size, angle, points, color.
    centroid: tuple  #: Centroid (x, y), m.
    velocity: tuple  #: Velocity (x, y) of the centroid, m/s.
    spin: float  #: Angular velocity, degrees/s counterclockwise.
    mass: float  #: Mass, kg/m.
    inertia: float  #: Moment of inertia about the centroid, kg m.
    force: tuple  #: Mean force (x, y) of the fluid in the last step, N/m. 0 before the first step and after an edit.
    torque: float  #: Mean torque of the fluid about the centroid in the last step, N.
    contact_force: tuple  #: Mean force (x, y) of contacts, joints and the tool "move" in the last step, N/m.
    contact_torque: float  #: Mean torque of these forces about the centroid in the last step, N.


class View(SimpleNamespace):
    """What a world looks like at one time. Arrays have one element per particle, shape (count,).

    The members are those of pd_view (view.h) with the same names, among them the ones below. Lists of structs are lists
    of objects, vectors are tuples (x, y).
    """

    count: int  #: Number of particles.
    time: float  #: Simulated time, s.
    x: np.ndarray  #: Horizontal positions, m, float32.
    y: np.ndarray  #: Vertical positions, m, float32.
    previous_x: np.ndarray  #: Horizontal positions one step earlier, m, float32.
    previous_y: np.ndarray  #: Vertical positions one step earlier, m, float32.
    vx: np.ndarray  #: Horizontal velocities, m/s, float32.
    vy: np.ndarray  #: Vertical velocities, m/s, float32.
    density: Optional[np.ndarray]  #: Densities, float32. None: the method has none.
    id: np.ndarray  #: Ids, constant over the lifetime of a particle, uint32.
    material: np.ndarray  #: Indices into `materials`, uint8.
    materials: list  #: Materials: name, red, green, blue, own_weight, mass, property.
    vortices: Any  #: Arrays x, y, vx, vy, circulation, core, area, mass and id, one element per vortex; else None.
    container: Any  #: Container: shape ("circle", "box", "none"), radius, width, height.
    obstacles: list  #: Obstacles, moved and turned: shape, center, radius, size, angle, points, color.
    bodies: list[Body]  #: Rigid bodies.
    joints: list  #: Joints that have not broken: type, at, to.
    low: tuple  #: Lower left corner of the part to show, m.
    high: tuple  #: Upper right corner of the part to show, m.


class Statistics(SimpleNamespace):
    """Sums and means over the particles. The members are those of pd_statistics (world.h) with the same names and
    units: step, time (s), particles, kinetic_energy (J/m), center_x (m), rms_speed (m/s), density_error, ...
    A quantity that the method does not have is nan."""


class Field(SimpleNamespace):
    """A scalar field. numpy.asarray(field) returns its values."""

    name: str  #: Name: "pressure".
    title: str  #: Title of a legend.
    unit: str  #: Unit: "N/m", or "".
    values: np.ndarray  #: float32, shape (count,) for particles, else (ny, nx) or (layers, ny, nx), lowest row first.
    support: str  #: "particles" or "cells".
    low: float  #: Lower end of the legend.
    high: float  #: Upper end of the legend.
    origin: tuple  #: Lower left corner of the grid, m.
    cell: float  #: Side of a cell, m.
    extent: tuple  #: (left, right, bottom, top) of the grid, m, for matplotlib's imshow(..., origin="lower").

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)
