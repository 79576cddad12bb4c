#!/bin/sh
# Installs what is missing, builds the release and runs the tests in short form; ends with ctest's summary and how many ran.
# Usage: scripts/test.sh [--all] [PRESET] [cmake options]
#   --all     also the long cases, which take most of the time: what .ci/run does
#   PRESET    release (default), debug, asan, tsan, coverage
set -eu
cd "$(dirname "$0")/.."
export PUDDLE_SHORT_TESTS=1 # read by tests/sanitizers.h
if [ "${1-}" = --all ]; then
    unset PUDDLE_SHORT_TESTS
    shift
fi
preset=${1:-release}
[ $# -eq 0 ] || shift

scripts/install-deps.sh
cmake --preset "$preset" -DPUDDLE_TESTS=ON "$@" >/dev/null
cmake --build --preset "$preset"
# Without this, a test could open windows on the user's display; tests of the window start their own Xvfb.
unset DISPLAY WAYLAND_DISPLAY
# One more than there are cores: tests of windows and of interrupted programs wait much of their time.
result=0
ctest --preset "$preset" --parallel $(($(nproc) + 1)) || result=$?

log=build/$preset/Testing/Temporary/LastTest.log
programs=$(grep -c '^"test_.*" end time:' "$log") || true
if [ "${PUDDLE_SHORT_TESTS-}" ]; then
    left=$(grep -c '^left out of the short run$' "$log") || true
    echo "$programs programs ran in short form, without $left long cases; scripts/test.sh --all runs everything"
else
    echo "$programs programs ran in full; scripts/test.sh without --all leaves their long cases out"
fi
exit $result
