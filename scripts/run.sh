#!/bin/sh
# Installs what is missing, builds the release and starts the sandbox; arguments go to the program.
# Without a display it renders five seconds of the scene to a new folder instead.
set -eu
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
build=$root/build/release

"$root/scripts/install-deps.sh" --run
if [ ! -f "$build/build.ninja" ]; then
    (cd "$root" && cmake --preset release -DPUDDLE_TESTS=OFF >/dev/null)
fi
cmake --build "$build" --target puddle_bin ${VERBOSE:+--verbose}

case "${1:-}" in
run | render | bench | check | list | replay | help | --help | -h | --version) exec "$build/puddle" "$@" ;;
esac
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; then
    exec "$build/puddle" "$@"
fi

number=1
while [ -e "recordings/run-$number" ]; do number=$((number + 1)); done
folder=recordings/run-$number
echo "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): rendering 5 s to $folder instead."
[ $# -gt 0 ] || set -- blobs
exec "$build/puddle" render "$@" -o "$folder" --seconds 5
