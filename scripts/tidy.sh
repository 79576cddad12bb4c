#!/bin/sh
# Runs clang-tidy on what changed since the commit that .ci/tidied names, whose whole tree was checked. Checks the whole tree if that
# commit is more than 7 days old or not in the history.
# Usage: scripts/tidy.sh [--all] BUILD     --all: the whole tree, and then writes .ci/tidied
set -eu
CDPATH='' cd "$(dirname "$0")/.."
all=""
[ "$1" != --all ] || { all=yes && shift; }
build=$1 since=$(cat .ci/tidied 2>/dev/null) || true
age=$((($(date +%s) - $(git log -1 --format=%ct "$since" 2>/dev/null || echo 0)) / 86400))
list=$(mktemp)
trap 'rm -f "$list"' EXIT
if [ -n "$all" ] || [ "$age" -gt 7 ]; then
    git ls-files 'src/*.c' >"$list"
else
    # Of a header that changed, the files that include it.
    git diff --name-only --diff-filter=d "$since" -- 'src/*.c' >"$list"
    git diff --name-only --diff-filter=d "$since" -- 'src/*.h' | sed 's|^src/||' | while read -r header; do
        git grep --no-color -lF "#include \"$header\"" -- 'src/*.c' >>"$list" || true
    done
    sort -u -o "$list" "$list"
fi
echo "$(wc -l <"$list") files"
# A third of the analyzer's usual limit of states of a function takes a third of the time.
xargs -r -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=75000 <"$list" 2>/dev/null
[ -z "$all" ] || git rev-parse HEAD >.ci/tidied
