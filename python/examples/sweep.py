"""Prints the height (m) that a splash reaches for several viscosities. The worlds step at the same time, in threads.

Usage: sweep.py [--short]     --short: few particles
"""

import concurrent.futures
import sys

import numpy as np

import puddle

particles = 500 if "--short" in sys.argv else 4000


def height(viscosity: float) -> float:
    scene = puddle.Scene("drop")
    scene.set_particles(particles)
    world = puddle.World(scene, threads=1)
    world.parameters["ddr.linear_viscosity"] = viscosity
    top = []
    for _ in range(30):
        world.step(4)
        top.append(np.quantile(world.view().y, 0.99))
    return max(top[10:])


viscosities = [0, 5, 10, 20, 40, 80]
with concurrent.futures.ThreadPoolExecutor() as pool:
    print("viscosity, 1/s\theight, m")
    for viscosity, found in zip(viscosities, pool.map(height, viscosities)):
        print(f"{viscosity}\t{found:.4f}")
