#!/bin/sh
# Compiles the example log_replay with libpuddle.so and with libpuddle.a of an installation, and runs both. Prints the hash of the
# world that both play; exit code 1 if they differ.
# Usage: [CC=...] [FLAGS=...] tests/install/link_program.sh PREFIX LIBDIR     LIBDIR: folder of the libraries below PREFIX
set -eu
libraries=$1/$2
source=$(find "$1/share/doc" -name log_replay.c)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH="$libraries/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
cp "$source" "$work/program.c"
# eval: pkg-config escapes spaces in the names of folders as a shell does.
eval "${CC:-cc} -std=c17 ${FLAGS:-} '$work/program.c' -o '$work/shared' $(pkg-config --cflags --libs puddle)"
eval "${CC:-cc} -std=c17 ${FLAGS:-} '$work/program.c' -o '$work/static' $(pkg-config --cflags puddle) \
    $(pkg-config --libs-only-L puddle) -l:libpuddle.a $(pkg-config --libs yaml-0.1) -pthread -lm"
shared=$(LD_LIBRARY_PATH="$libraries" "$work/shared" "$work/log" | sed -nE 's/^played ([0-9a-f]{16}), replayed \1$/\1/p')
static=$(env -u LD_LIBRARY_PATH "$work/static" "$work/log" | sed -nE 's/^played ([0-9a-f]{16}), replayed \1$/\1/p')
echo "$shared"
test -n "$shared" && test "$shared" = "$static"
