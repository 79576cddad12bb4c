"""Measures what docs/plots/plots.sh plots, from the states that puddle writes. Needs the standard library alone."""
import csv
import glob
import math
import sys


def rows(path):
    with open(path, newline="") as file:
        return [{key: float(value) for key, value in row.items() if value and key != "material"}
                for row in csv.DictReader(file)]


def states(name):
    """The states NAME_000001.csv, ... in order, each with its time at 60 steps a second."""
    for path in sorted(glob.glob(name + "_*.csv")):
        yield int(path[-10:-4]) / 60, rows(path)


def front(name, width=0.5, left=-1.5, radius=0.03, neighbours=3):
    """T and Z of a dam break: the rightmost particle that has neighbours, so that single drops do not count."""
    for time, state in states(name):
        points = sorted(((p["x"], p["y"]) for p in state), reverse=True)
        for x, y in points:
            if sum(math.hypot(x - a, y - b) < radius for a, b in points) > neighbours:
                print(time * math.sqrt(2 * 9.81 / width), (x - left) / width)
                break


def profile(path):
    """y and u on the vertical centre line of a square of side 1, from the two columns of cells beside it."""
    state = rows(path)
    columns = 1 + max(p["i"] for p in state)
    line = {}
    for p in state:
        if p["i"] in (columns / 2 - 1, columns / 2):
            line.setdefault(p["y"], []).append(p["u"])
    for y in sorted(line):
        print(y + 0.5, sum(line[y]) / len(line[y]))


def vortex(cells):
    """The cells of a Taylor-Green vortex in a box of side pi, as a scene reads them."""
    h = math.pi / cells
    print("i,j,u,v")
    for j in range(cells + 1):
        for i in range(cells + 1):
            u = math.sin(i * h) * math.cos((j + 0.5) * h) if j < cells else 0
            v = -math.cos((i + 0.5) * h) * math.sin(j * h) if i < cells else 0
            print(i, j, u, v, sep=",")


def length(name):
    """Time and half the logarithm of the ratio of the moments about x and y of a drop."""
    for time, state in states(name):
        x = sum(p["x"] for p in state) / len(state)
        y = sum(p["y"] for p in state) / len(state)
        xx = sum((p["x"] - x) ** 2 for p in state)
        yy = sum((p["y"] - y) ** 2 for p in state)
        print(time, math.log(xx / yy) / 2)


def table(path):
    with open(path) as file:
        return [tuple(map(float, line.split())) for line in file if not line.startswith("#")]


def compare(published, computed):
    """Deviations of a curve from published points, interpolated linearly; points outside the curve are left out."""
    curve, absolute, relative = table(computed), [], []
    for at, value in table(published):
        for (x0, y0), (x1, y1) in zip(curve, curve[1:]):
            if x0 <= at < x1:
                found = y0 + (y1 - y0) * (at - x0) / (x1 - x0)
                absolute.append(found - value)
                relative.append(found / value - 1 if value else 0)
    count = len(absolute)
    print(f"{computed}: {count} points, rms {math.sqrt(sum(d * d for d in absolute) / count):.4f}, "
          f"greatest {max(map(abs, absolute)):.4f}, mean relative {100 * sum(map(abs, relative)) / count:.1f} %")


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    if what == "vortex":
        vortex(int(arguments[0]))
    else:
        {"front": front, "profile": profile, "length": length, "compare": compare}[what](*arguments)
