#!/bin/sh
# Installs a build to a fresh folder, moves it, and uses the program and the library from another folder.
set -eu
build=$1 tests=$2 libdir=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say() { echo "== $*"; }

say "install"
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" || { cat "$folder/log"; exit 1; }
cd "$folder"

say "the program"
prefix/bin/puddle list scenes | grep -q '^blobs '
prefix/bin/puddle run drop --steps 3 --quiet --state "$folder/state.csv"
test "$(wc -l <state.csv)" -gt 100

say "the program after a move"
mkdir away && mv prefix away/prefix
(cd / && "$folder/away/prefix/bin/puddle" check drop pool)
test -f away/prefix/share/puddle/shaders/sprite.frag
mv away/prefix prefix

say "the documents"
test -f prefix/share/doc/puddle/README.md
test -f prefix/share/doc/puddle/CHANGELOG.md
# The manual is there if it was built.
test ! -f "$build/docs/html/index.html" || cmp "$build/docs/html/index.html" prefix/share/doc/puddle/html/index.html

say "the library from C and C++"
# The prefix that was given to --install, not the one of the configuration.
export PKG_CONFIG_PATH="$folder/prefix/$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
flags="--define-variable=prefix=$folder/prefix --define-variable=includedir=$folder/prefix/include"
flags="$flags --define-variable=libdir=$folder/prefix/$libdir"
# shellcheck disable=SC2046,SC2086
$CC -std=c17 -Wall -Werror ${FLAGS:-} "$tests/install/use.c" -o use_c $(pkg-config $flags --cflags --libs puddle)
# shellcheck disable=SC2046,SC2086
$CXX -std=c++17 -Wall -Werror ${FLAGS:-} "$tests/install/use.cpp" -o use_cpp $(pkg-config $flags --cflags --libs puddle)
export LD_LIBRARY_PATH="$folder/prefix/$libdir"
./use_c
./use_cpp
# shellcheck disable=SC2046,SC2086
$CC -std=c17 -Wall -Werror ${FLAGS:-} "$tests/install/use.c" -o use_static $(pkg-config $flags --cflags puddle) \
    "prefix/$libdir/libpuddle.a" $(pkg-config --libs yaml-0.1) -pthread -lm
env -u LD_LIBRARY_PATH ./use_static

say "the programs and scenes of README and manual"
root=$(dirname "$tests")
sed -n '/^```c$/,/^```$/p' "$root/README.md" | sed '1d;$d' >first.c
test "$(wc -l <first.c)" -le 15
for program in first "$root/docs/hello"; do
    # shellcheck disable=SC2046,SC2086
    $CC -std=c17 -Wall -Werror ${FLAGS:-} "$program.c" -o program $(pkg-config $flags --cflags --libs puddle) -lm
    ./program >output
    grep -E '^(1500 particles after 5.0 s|2000 particles after 2.0 s, up to )' output
done
# Each block of C of the page of the library is a part of hello.c.
awk 'NR == FNR { source = source $0 "\n"; next }
    /^```$/ && inside { inside = 0; blocks++; if (!index(source, block)) { print "not in hello.c:"; print block; exit 1 } }
    inside { block = block $0 "\n" }
    /^```c$/ { inside = 1; block = "" }
    END { if (!blocks) exit 1 }' "$root/docs/hello.c" "$root/docs/library.md"
awk '/^```$/ { inside = 0 } inside { print > ("scene-" count ".yaml") } /^```yaml$/ { inside = 1; count++ }' "$root/docs/scenes.md"
prefix/bin/puddle check scene-*.yaml

say "the library from CMake"
cmake -S "$tests/install" -B cmake -DCMAKE_PREFIX_PATH="$folder/prefix" -DCMAKE_C_FLAGS="${FLAGS:-}" >"$folder/log" 2>&1 &&
    cmake --build cmake >>"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cmake/use
env -u LD_LIBRARY_PATH cmake/use_static
say "done"
