#!/bin/sh
# Checks that libpuddle.so and libpuddle.a have the symbols that the public headers mark with PD_API and no others.
# Prints every difference; exit code 1 if there is one.
# Usage: scripts/check-exports.sh BUILD
set -eu
CDPATH='' cd "$(dirname "$0")/.."
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo '#include <puddle/puddle.h>' | ${CC:-cc} -Iinclude -E -P - | tr '\n' ' ' |
    grep -oE 'visibility\("default"\)\)\) [^(;]*\(' | sed -E 's/.*[ *]([a-z_0-9]+)\($/\1/' | LC_ALL=C sort >"$folder/declared"
test -s "$folder/declared"

# compare FILE NM-OPTIONS...: prints what FILE lacks, and what it has besides.
compare() {
    file=$1
    shift
    nm -P --defined-only "$@" "$file" | sed -n 's/^\([^ ]*\) [A-Z] .*/\1/p' | LC_ALL=C sort >"$folder/defined"
    LC_ALL=C comm -23 "$folder/declared" "$folder/defined" | sed "s|.*|$file lacks &|"
    LC_ALL=C comm -13 "$folder/declared" "$folder/defined" | sed "s|.*|$file exports &, which no public header marks with PD_API|"
}
{ compare "$build/libpuddle.so" -D; compare "$build/libpuddle.a" -g; } >"$folder/faults"
cat "$folder/faults"
test ! -s "$folder/faults"
echo "$(wc -l <"$folder/declared") exported functions, as declared"
