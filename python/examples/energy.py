"""Prints the root mean square speed (m/s) of a breaking dam over time, one column for each method.

Usage: energy.py [--short]     --short: the first half second with few particles
"""

import sys

import puddle

short = "--short" in sys.argv
worlds = []
for method in puddle.methods():
    world = puddle.World("dam-break")
    world.particles = 500 if short else 4000
    world.method = method
    worlds.append(world)

print("time", *(world.method for world in worlds), sep="\t")
for _ in range(5 if short else 40):
    for world in worlds:
        world.step(6)
    print(f"{worlds[0].time:.1f}", *(f"{world.statistics().rms_speed:.4f}" for world in worlds), sep="\t")
