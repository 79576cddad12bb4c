#!/bin/sh
# Compiles programs with the library of an installation, and runs them.
# Usage: tests/install/test_install.sh PREFIX SOURCE LIBDIR     PREFIX: the installation of test_move.sh; LIBDIR: folder below
set -eu
prefix=$1 root=$2 libdir=$3
say() { echo "== $*"; }
examples=$prefix/share/doc/puddle/examples
export LD_LIBRARY_PATH="$prefix/$libdir"

# run_examples FOLDER: runs the programs there, and tests what they print.
run_examples() {
    "$1/hello" | grep -x '2000 particles after 2.0 s, up to [01].[0-9]* m/s'
    "$1/hello_cpp" | grep -x '1500 particles after 5.0 s'
    "$1/obstacle_force" | awk '/weighs/ { weight = $(NF - 1) }
        /lifts/ { print; n++; if ($(NF - 1) < 0.9 * weight || $(NF - 1) > 1.1 * weight) exit 1 } END { if (n < 3) exit 1 }'
    "$1/log_replay" | grep -E '^played ([0-9a-f]{16}), replayed \1$'
    "$1/parameter_sweep" | awk 'NR > 1 { if ($2 < 0 || $2 > 5 || $4 < most) exit 1; most = $4 } END { if (NR != 9) exit 1 }'
    SDL_VIDEODRIVER=dummy "$1/sdl_window" 20
}

say "the examples with pkg-config"
export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
test "$(realpath "$(pkg-config --variable=prefix puddle)")" = "$prefix"
mkdir programs
for source in "$examples"/*.c; do
    # shellcheck disable=SC2046,SC2086
    $CC -std=c17 -Wall -Wextra -Werror ${FLAGS:-} "$source" -o "programs/$(basename "$source" .c)" \
        $(pkg-config --cflags --libs puddle) $(pkg-config --cflags --libs sdl2) -pthread
done
# shellcheck disable=SC2046,SC2086
$CXX -std=c++17 -Wall -Wextra -Werror ${FLAGS:-} "$examples/hello.cpp" -o programs/hello_cpp $(pkg-config --cflags --libs puddle)
run_examples programs
"$root/tests/install/link_program.sh" "$prefix" "$libdir" # also with the static library

say "the examples with CMake"
if [ -n "${PUDDLE_SHORT_TESTS+set}" ]; then targets="hello hello_cpp hello_static"; else targets=all; fi
# shellcheck disable=SC2086
cmake -G Ninja -S "$examples" -B cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="${FLAGS:-}" -DCMAKE_CXX_FLAGS="${FLAGS:-}" \
    >log 2>&1 && cmake --build cmake --target $targets >>log 2>&1 || { cat log; exit 1; }
if [ -n "${PUDDLE_SHORT_TESTS+set}" ]; then
    echo "left out of the short run"
    cmake/hello | grep -c particles
    cmake/hello_cpp | grep -c particles
else
    run_examples cmake
fi
env -u LD_LIBRARY_PATH cmake/hello_static | grep -c particles

say "the programs and scenes of README and manual"
sed -n '/^```c$/,/^```$/p' "$root/README.md" | sed '1d;$d' >first.c
test "$(wc -l <first.c)" -le 15
# shellcheck disable=SC2046,SC2086
$CC -std=c17 -Wall -Werror ${FLAGS:-} first.c -o first $(pkg-config --cflags --libs puddle)
./first | grep -x '1500 particles after 5.0 s'
# Each block of C of the page of the library is a part of an example.
cat "$root"/examples/*.c >sources
awk 'NR == FNR { source = source $0 "\n"; next }
    /^```$/ && inside { inside = 0; blocks++; if (!index(source, block)) { print "not in examples:"; print block; exit 1 } }
    inside { block = block $0 "\n" }
    /^```c$/ { inside = 1; block = "" }
    END { if (!blocks) exit 1 }' sources "$root/docs/library.md"
awk '/^```$/ { inside = 0 } inside { print > ("scene-" count ".yaml") } /^```yaml$/ { inside = 1; count++ }' "$root/docs/scenes.md"
for name in star duck; do cp "$root/assets/desktop/puddle.svg" $name.svg; done
"$prefix/bin/puddle" check scene-*.yaml

say "done"
