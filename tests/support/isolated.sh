#!/bin/sh
# Runs a test with nothing of the person's own: the test has a home, XDG folders, temporary files, fonts, a locale, a time zone and
# limits of its own, the software renderer, and neither display nor session bus. It starts in its folder for temporary files. Every
# test begins here. All of its folders are removed at the end.
# Usage: tests/support/isolated.sh COMMAND [ARGUMENT...]     COMMAND: a name in PATH, or an absolute path
set -u
unset CDPATH
support=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d /tmp/puddle-XXXXXX) || exit 1
# A test that has failed may leave read-only folders.
trap 'rm -rf "$folder" 2>/dev/null || { chmod -R u+rwX "$folder" && rm -rf "$folder"; }' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# CTest kills this script with a test that takes too long: scripts/test.sh then removes the folder.
echo "$folder" >>"${PUDDLE_TEST_FOLDERS:-/dev/null}"
chmod 711 "$folder" && mkdir -m 711 "$folder/home" "$folder/tmp" && mkdir -m 700 "$folder/run" && cd "$folder/tmp" || exit 1
umask 022
for limit in "-c 0" "-n 1024" "-s 8192"; do
    # shellcheck disable=SC2086,SC3045
    ulimit -S $limit 2>/dev/null || : # a lower hard limit stays
done

# The environment: where programs are, how tests were built, which form of them runs, and what is set here. Mesa looks for its cache
# of shaders in the home of the system's list of users, not in HOME.
# shellcheck disable=SC2016
set -- sh -c 'exec "$@"' test "$@"
for name in PATH LD_LIBRARY_PATH PKG_CONFIG_PATH CC CXX FLAGS GCOV_PREFIX GCOV_PREFIX_STRIP ASAN_SYMBOLIZER_PATH \
    PUDDLE_SHORT_TESTS PUDDLE_DRAFT_PARTICLES PUDDLE_RANDOM_SCENES PUDDLE_FIRST_SCENE PUDDLE_TRACES PUDDLE_SETTLED PUDDLE_SHADERS \
    PUDDLE_TEST_CASES; do
    eval "[ -z \"\${$name+set}\" ] || set -- \"$name=\$$name\" \"\$@\""
done
env -i PUDDLE_TEST_FOLDER="$folder" HOME="$folder/home" TMPDIR="$folder/tmp" XDG_RUNTIME_DIR="$folder/run" LC_ALL=C.UTF-8 TZ=UTC \
    FONTCONFIG_FILE="$support/fonts.conf" LIBGL_ALWAYS_SOFTWARE=1 MESA_SHADER_CACHE_DIR="${PUDDLE_SHADERS:-$folder/home/.cache}" \
    LSAN_OPTIONS="suppressions='$support/lsan.supp':print_suppressions=0" UBSAN_OPTIONS=print_stacktrace=1 \
    TSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}intercept_tls_get_addr=0" "$@"
