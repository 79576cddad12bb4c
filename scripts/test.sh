#!/bin/sh
# Installs what is missing, builds, and runs the everyday tests; ends with CTest's summary and what was left out.
# Usage: scripts/test.sh [--all] [PRESET] [-D...] [-- NAME...]
#   --all     also the long cases, and those on a virtual display
#   PRESET    release (default), debug, asan, tsan, coverage
#   -D...     options of CMake, which stay until another is given
#   NAME      runs these alone: a folder (sim), a file (walls), cases of a file ('walls/*floor*'), or display
set -euf
CDPATH='' cd "$(dirname "$0")/.."
preset=release all="" names="" behind=""
newline='
'
for argument; do
    shift
    case $behind$argument in
    --) behind="-- " ;;
    "-- "*) names=$names$argument$newline ;;
    --all) all=yes ;;
    -D*) set -- "$@" "$argument" ;;
    -h | --help) sed -n '2,/^set/s/^# *//p' scripts/test.sh && exit ;;
    -*) echo "test.sh: unknown option '$argument' (names of tests stand behind --)" >&2 && exit 2 ;;
    *) preset=$argument ;;
    esac
done
scripts/install-deps.sh
cmake --list-presets | grep -qF "\"$preset\"" ||
    { echo "test.sh: there is no preset '$preset' (use release, debug, asan, tsan or coverage; names of tests stand behind --)" >&2 && exit 2; }
if [ -z "$all" ]; then export PUDDLE_SHORT_TESTS=1; else unset PUDDLE_SHORT_TESTS; fi # read by tests/support/sanitizers.h
build=build/$preset

cmake --preset "$preset" -DPUDDLE_TESTS=ON "$@" >/dev/null
# with_tests NAME COMMAND...: runs the command with the option of CTest that selects a folder, a file or the tests on a display.
with_tests() {
    tests=$1 file=${1%%/*}
    shift
    if [ "$tests" = display ] || [ -d "tests/$tests" ]; then "$@" -L "^$tests\$"; else "$@" -R "^test_${file#test_}(\\.|\$)"; fi
}
IFS=$newline
for name in $names; do
    with_tests "$name" ctest --preset "$preset" -N | grep -q '^ *Test *#' || {
        echo "test.sh: there is no test '$name' (use display, a folder of tests, or a name of 'ctest -N --preset $preset')" >&2
        exit 2
    }
done
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
# Lists that home, and the names in the tree and in the build, except where tests write.
list_files() {
    (cd "$person" && find . -exec ls -ld --time-style=full-iso {} + && find . -type f -exec cksum {} +)
    find . -mindepth 1 \( -name '.*' -o -path ./build -o -path ./recordings \) -prune -o -print | sort
    find "$build" \( -path "$build/person*" -o -name Testing -o -name 'traces*' -o -name settled -o -name shaders -o -name installed -o -name '*.gcda' \
        -o -name install_manifest.txt \) -prune -o -print | sort
}
output=$build/tests.txt folders=$PWD/$build/person-folders
: >"$output"
: >"$folders"
rm -f "$person-failed"
list_files >"$person-before"
as_person() (
    umask 077
    exec env HOME="$person" XDG_CONFIG_HOME="$person/.config" XDG_STATE_HOME="$person/.local/state" \
        XDG_CACHE_HOME="$person/.cache" XDG_RUNTIME_DIR=/nowhere TMPDIR=/nowhere LC_ALL=de_DE.UTF-8 LANGUAGE=de TZ=Pacific/Apia \
        PUDDLE_SCALE=3 PUDDLE_DATA=/nowhere DISPLAY=:9999 WAYLAND_DISPLAY=nowhere SDL_VIDEODRIVER=dummy \
        DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere PUDDLE_TEST_FOLDERS="$folders" "$@"
)
# ctest_as_person [options of ctest]: one test more at a time than there are cores, since tests of interrupted programs wait.
ctest_as_person() {
    { as_person ctest --preset "$preset" --no-tests=error --parallel $(($(nproc) + 1)) "$@" || echo >"$person-failed"; } | tee -a "$output"
}
# A display is shared with nobody, and may still be late: each of these cases runs alone and may be tried twice.
on_display() { with_tests display ctest_as_person --parallel 1 --repeat until-pass:2; }

if [ -z "$names" ]; then
    find "$build/traces" -type f -delete
    ctest_as_person -LE '^display$'
    find "$build/traces" -type f | sort | xargs -rd '\n' cat >"$build/traces.txt" # hashes of the logs of windows, to compare builds
    [ -z "$all" ] || on_display
fi
for name in $names; do
    case $name in
    display) on_display ;;
    */*) PUDDLE_TEST_CASES=${name#*/} with_tests "$name" ctest_as_person ;;
    *) with_tests "$name" ctest_as_person ;;
    esac
done

result=0
[ ! -e "$person-failed" ] || result=1
xargs -rd '\n' rm -rf <"$folders" # left by tests that CTest has killed
list_files >"$person-after"
diff "$person-before" "$person-after" >"$person-diff" || {
    echo "FAILED: a test has written into the home of the person, or a new file into the tree or the build"
    cat "$person-diff"
    result=1
}
# CTest prints the output of a test behind the line with its result, and both results of a test that passes at the second try.
awk '/Test +#[0-9]+: / {for (i = 1; $i != "Test"; i++) {} name = $(i + 1) ~ /:$/ ? $(i + 2) : $(i + 3)}
    /Test +#[0-9]+: .*\*\*\*/ {failed[name] = 1}
    /Test +#[0-9]+: .* Passed / && failed[name] {print "passed at the second try:", name}
    /^\[  FAILED  \] [^0-9]/ {file = name; sub(/^test_/, "", file); sub(/\..*/, "", file); line = "FAILED: " file "/" $4; if (!told[line]++) print line}' "$output"
left=$(grep -c '^left out of the short run$' "$build/Testing/Temporary/LastTest.log") || true
[ -n "$names$all" ] || echo "The everyday tests ran, without $left long cases and those on a display; scripts/test.sh --all runs everything."
exit $result
