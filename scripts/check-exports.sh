#!/bin/sh
# Checks that libpuddle.so exports the functions that the public headers mark with PD_API and no others, and that libpuddle.a defines
# these functions and no global name without the prefix pd_, which could be a name of the program that links the library.
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

# list_defined FILE NM-OPTIONS...: writes the names that FILE defines to `defined`, and prints the declared ones that FILE lacks.
list_defined() {
    file=$1
    shift
    nm -P --defined-only "$@" "$file" | sed -n 's/^\([^ ]*\) [A-Z] .*/\1/p' | LC_ALL=C sort >"$folder/defined"
    LC_ALL=C comm -23 "$folder/declared" "$folder/defined" | sed "s|.*|$file lacks &|"
}
{
    list_defined "$build/libpuddle.so" -D
    LC_ALL=C comm -13 "$folder/declared" "$folder/defined" | sed "s|.*|$build/libpuddle.so exports &, which no public header marks with PD_API|"
    list_defined "$build/libpuddle.a" -g
    sed -n "/^pd_/!s|.*|$build/libpuddle.a defines &, which lacks the prefix pd_|p" "$folder/defined"
} >"$folder/faults"
cat "$folder/faults"
test ! -s "$folder/faults"
echo "$(wc -l <"$folder/declared") exported functions, as declared"
