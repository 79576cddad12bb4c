#!/bin/sh
# Writes the module puddle._library: what the public headers declare, as cffi reads it, and where the library is installed.
# cmake/python.cmake runs this script.
# Usage: python/declare.sh OUTPUT INCLUDE LIBRARY DATA COMPILER...
#   INCLUDE: folder with puddle/puddle.h     LIBRARY, DATA: paths from the folder of the module
set -eu
output=$1 include=$2 library=$3 data=$4
shift 4
exec >"$output.new"

header='#include <puddle/puddle.h>'
preprocess() { "$@" -I"$include" -E -x c -; }

echo '"""What libpuddle declares and where it is. Generated from its headers."""'
printf '\nDECLARATIONS = r"""\n'
# Macros: cffi reads integers only.
{
    echo "$header"
    echo "$header" | preprocess "$@" -dM | sed -nE 's/^#define (PD_[A-Z_0-9]+) .*/\1/p' | LC_ALL=C sort |
        while read -r name; do echo "pd_constant \"$name\" $name"; done
} | preprocess "$@" -P | sed -nE 's/^pd_constant "([A-Z_0-9]+)" \(*([0-9]+)[uUlL]*\)*$/#define \1 \2/p'
# Declarations without those of the system's headers. cffi cannot call functions that are only in the headers.
echo "$header" | preprocess "$@" | awk -v include="$include" '
    /^# [0-9]+ "/ { ours = index($3, "\"" include "/") == 1; next }
    !ours || /^ *$/ { next }
    { gsub(/__attribute__\(\(visibility\("default"\)\)\)/, "") }
    /^static inline / { skips = 1 }
    skips {
        opened = gsub(/{/, "{")
        depth += opened - gsub(/}/, "}")
        if (opened) inside = 1
        if (inside && !depth) skips = inside = 0
        next
    }
    { print }'
printf '"""\n\nLIBRARY = "%s"\nDATA = "%s"\n' "$library" "$data"
mv "$output.new" "$output"
