#!/bin/sh
# Runs a test with nothing of the person's own: the test has a home, XDG folders, temporary files, fonts, a locale and a time zone
# of its own, and no display and no session bus. All of its folders are removed at the end. Every test begins here.
# Usage: tests/support/isolated.sh COMMAND [ARGUMENT...]
set -u
support=$(cd "$(dirname "$0")" && pwd)
# Of the environment only these variables remain: where programs are, how tests were built, and which form of them runs.
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z_0-9]*\)=.*/\1/p'); do
    case $name in
    PATH | LD_LIBRARY_PATH | CC | CXX | FLAGS | CCACHE_* | GCOV_* | ?SAN_OPTIONS | ??SAN_OPTIONS | ASAN_SYMBOLIZER_PATH | PUDDLE_SHORT_TESTS | \
        PUDDLE_DRAFT_PARTICLES | PUDDLE_TRACES | PUDDLE_SETTLED | MESA_SHADER_CACHE_DIR) ;;
    *) unset "$name" ;;
    esac
done
PUDDLE_TEST_FOLDER=$(mktemp -d /tmp/puddle-XXXXXX) || exit 1
trap 'rm -rf "$PUDDLE_TEST_FOLDER"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export PUDDLE_TEST_FOLDER HOME="$PUDDLE_TEST_FOLDER/home" TMPDIR="$PUDDLE_TEST_FOLDER/tmp" XDG_RUNTIME_DIR="$PUDDLE_TEST_FOLDER/run"
export LC_ALL=C.UTF-8 TZ=UTC FONTCONFIG_FILE="$support/fonts.conf"
chmod 711 "$PUDDLE_TEST_FOLDER" && mkdir -m 711 "$HOME" "$TMPDIR" && mkdir -m 700 "$XDG_RUNTIME_DIR" || exit 1
umask 022
cd "$TMPDIR" || exit 1
"$@"
