#!/bin/sh
# Installs what is missing, builds, and runs the everyday tests; ends with CTest's summary and what was left out.
# Usage: scripts/test.sh [--all] [PRESET] [-D...] [-- NAME...]
#   --all     also the long cases, and those on a virtual display
#   PRESET    release (default), debug, asan, tsan, coverage
#   -D...     options of CMake
#   NAME      runs these alone: a folder (sim), a file (walls), cases of a file (walls/NAME, with * and ?), or display
set -eu
cd "$(dirname "$0")/.."
export PUDDLE_SHORT_TESTS=1 # read by tests/support/sanitizers.h
all=""
if [ "${1-}" = --all ]; then
    unset PUDDLE_SHORT_TESTS
    all=yes
    shift
fi
preset=release options=""
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
    -D*) options="$options $1" ;;
    -*) echo "test.sh: unknown option '$1' (names of tests stand behind --)" >&2 && exit 2 ;;
    *) preset=$1 ;;
    esac
    shift
done
[ $# -eq 0 ] || shift
build=build/$preset

scripts/install-deps.sh
# shellcheck disable=SC2086
cmake --preset "$preset" -DPUDDLE_TESTS=ON $options >/dev/null
cmake --build --preset "$preset"

# The home of a person who has played: nothing in it changes a test, and no test changes it (tests/support/isolated.sh).
person=$PWD/$build/person
rm -rf "$person"
mkdir -p "$person/.config/puddle" "$person/.local/state/puddle" "$person/.cache/puddle/thumbnails" "$person/.config/fontconfig"
printf 'hints: 14\nbars: off\nscale: 2.5\nrecording: gif\nfolder: /nowhere\nwindow: 5000 4000 99 99\npanel: on\n' >"$person/.config/puddle/settings"
echo nonsense >"$person/.local/state/puddle/last.log"
echo nonsense >"$person/.cache/puddle/thumbnails/0123456789abcdef.png"
echo '<?xml version="1.0"?><fontconfig><match><edit name="family" mode="assign" binding="strong"><string>Nimbus Mono</string></edit></match></fontconfig>' \
    >"$person/.config/fontconfig/fonts.conf"
list_home() { (cd "$person" && find . -exec ls -ld --time-style=full-iso {} + && find . -type f -exec cksum {} +); }
list_home >"$build/home-before"
as_person() {
    env HOME="$person" XDG_CONFIG_HOME="$person/.config" XDG_STATE_HOME="$person/.local/state" XDG_CACHE_HOME="$person/.cache" \
        LC_ALL=de_DE.UTF-8 LANGUAGE=de TZ=Pacific/Apia PUDDLE_SCALE=3 DISPLAY=:9999 WAYLAND_DISPLAY=nowhere \
        SDL_VIDEODRIVER=dummy "$@"
}

output=$build/tests.txt
: >"$output"
# ctest_as_person [options of ctest]: one test more at a time than there are cores, since tests of interrupted programs wait.
ctest_as_person() {
    { as_person ctest --preset "$preset" --parallel $(($(nproc) + 1)) "$@" || echo "FAILED: ctest $*"; } | tee -a "$output"
}
# A display is shared with nobody, and may still be late: each of these cases runs alone and may be tried twice.
on_display() { ctest_as_person -L '^display$' --parallel 1 --repeat until-pass:2; }
# cases_of FILE/CASES: runs the test program without CTest.
cases_of() {
    for program in "$build"/tests/tests_*; do
        ! "$program" | grep -qx "${1%%/*}" || { as_person "$program" "${1%%/*}" "${1#*/}" || echo "FAILED: $1"; } | tee -a "$output"
    done
}

if [ $# -eq 0 ]; then
    rm -f "$build"/traces/*
    ctest_as_person -LE '^display$'
    cat "$build"/traces/* >"$build/traces.txt" 2>/dev/null || true # logs of windows, to compare builds
    [ -z "$all" ] || on_display
fi
for name in "$@"; do
    if [ "$name" = display ]; then
        on_display
    elif [ -d "tests/$name" ]; then
        ctest_as_person -L "^$name\$"
    elif [ "${name#*/}" != "$name" ]; then
        cases_of "$name"
    else
        ctest_as_person -R "^test_${name#test_}\$"
    fi
done

result=0
! grep '^FAILED: ' "$output" || result=1
list_home >"$build/home-after"
cmp -s "$build/home-before" "$build/home-after" || {
    echo "A test has changed the home of the person:"
    diff "$build/home-before" "$build/home-after" || result=1
}
# Of a test that fails and then passes CTest prints both.
awk '{for (i = 1; i < NF && $i != "Test"; i++) {} name = $(i + 2)}
    /Test +#[0-9]+: .*\*\*\*/ {failed[name] = 1}
    /Test +#[0-9]+: .* Passed / && failed[name] {print "passed at the second try:", name}' "$output"
left=$(grep -c '^left out of the short run$' "$build/Testing/Temporary/LastTest.log") || true
[ $# -gt 0 ] || [ -n "$all" ] || echo "The everyday tests ran, without $left long cases and those on a display; scripts/test.sh --all runs everything."
exit $result
