#!/bin/sh
# Installs a build to a fresh folder, and moves it to BUILD/installed, where the other tests of this folder use it.
# Usage: tests/install/test_move.sh BUILD
set -eu
build=$1
prefix=$build/installed
say() { echo "== $*"; }

say "install"
rm -f "$build/install_manifest.txt" # that of "sudo cmake --install" is root's
cmake --install "$build" --prefix "$PWD/prefix" >log || { cat log; exit 1; }
prefix/bin/puddle list scenes | grep -q '^blobs '

say "a move: nothing names the first place"
rm -rf "$prefix"
mv prefix "$prefix"
(cd / && "$prefix/bin/puddle" check drop pool)
"$prefix/bin/puddle" run drop --steps 3 --quiet --state state.csv
test "$(wc -l <state.csv)" -gt 100
test -f "$prefix/share/puddle/shaders/sprite.frag"
if grep -rl "$PWD/prefix" "$prefix"; then exit 1; fi

say "the documents"
test -f "$prefix/share/doc/puddle/README.md"
test -f "$prefix/share/doc/puddle/CHANGELOG.md"
# The manual is there if it was built.
test ! -f "$build/docs/html/index.html" || cmp "$build/docs/html/index.html" "$prefix/share/doc/puddle/html/index.html"
