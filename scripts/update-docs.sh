#!/bin/sh
# Writes the pages of reference in docs/reference from the tables in the program. With --check writes nothing and names the
# pages that are not current; exit code 1 if there is one.
# Usage: scripts/update-docs.sh [--check] PUDDLE   PUDDLE: the program, such as build/release/puddle
set -eu
unset PUDDLE_DATA # folder of other scenes
check=
[ "${1:-}" != --check ] || { check=1 && shift; }
[ $# = 1 ] && [ -x "$1" ] || { echo "Usage: scripts/update-docs.sh [--check] PUDDLE" >&2 && exit 2; }
puddle=$1
folder=${PUDDLE_REFERENCE:-$(dirname "$0")/../docs/reference}
page=$(mktemp)
trap 'rm -f "$page"' EXIT
code=0
mkdir -p "$folder"
for name in methods scenes parameters keys materials scene-keys log-lines flags views statistics; do
    "$puddle" list $name --markdown >"$page"
    ! cmp -s "$page" "$folder/$name.md" || continue
    if [ -n "$check" ]; then
        echo "update-docs.sh: docs/reference/$name.md is not current (run scripts/update-docs.sh $puddle)" >&2
        code=1
    else
        cp "$page" "$folder/$name.md"
    fi
done
exit $code
