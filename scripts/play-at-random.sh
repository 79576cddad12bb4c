#!/bin/sh
# Plays at random in the window of a build, on a display of its own, and tests the logs that are left (tests/fuzz/play_at_random.c).
# Prints a line for each session; sessions that went wrong leave a folder in DIR. Exits with 1 after one of these.
# Usage: scripts/play-at-random.sh [--preset asan] [--seconds N] [--seed S] [--out DIR]
set -eu
CDPATH='' cd "$(dirname "$0")/.."
preset=asan seconds=60 seed=1 out=build/play
while [ $# -gt 1 ]; do
    case "$1" in
    --preset) preset=$2 ;;
    --seconds) seconds=$2 ;;
    --seed) seed=$2 ;;
    --out) out=$2 ;;
    *) echo "unknown option '$1'" >&2; exit 2 ;;
    esac
    shift 2
done
cmake --preset "$preset" -DPUDDLE_TESTS=ON >/dev/null
cmake --build --preset "$preset" --target puddle_bin --target play_at_random >build/"$preset"/build.txt 2>&1 || { cat build/"$preset"/build.txt; exit 1; }
mkdir -p "$out"
exec tests/support/isolated.sh "$PWD/build/$preset/tests/play_at_random" --seconds "$seconds" --seed "$seed" --out "$(realpath "$out")"
