#!/bin/sh
# Installs what is missing, builds the release and runs all tests; ends with ctest's summary.
# Usage: scripts/test.sh [PRESET] [cmake options]     PRESET: release (default), debug, asan, tsan, coverage
set -eu
cd "$(dirname "$0")/.."
preset=${1:-release}
[ $# -eq 0 ] || shift

scripts/install-deps.sh
cmake --preset "$preset" -DPUDDLE_TESTS=ON "$@" >/dev/null
cmake --build --preset "$preset"
# Without this, a test could open windows on the user's display; tests of the window start their own Xvfb.
unset DISPLAY WAYLAND_DISPLAY
# One more than there are cores: tests of windows and of interrupted programs wait much of their time.
ctest --preset "$preset" --parallel $(($(nproc) + 1))
