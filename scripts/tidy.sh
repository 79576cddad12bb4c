#!/bin/sh
# Runs clang-tidy on the C files of src that changed since the commit that .ci/tidied names, whose whole tree was checked. Checks all
# of them if that commit is more than 7 days old or not in the history.
# Usage: scripts/tidy.sh [--all] BUILD     --all: all C files of src, and then writes .ci/tidied
set -eu
CDPATH='' cd "$(dirname "$0")/.."
all=""
[ "${1-}" != --all ] || { all=yes && shift; }
build=${1-} since=$(cat .ci/tidied 2>/dev/null) || true
[ -f "$build/compile_commands.json" ] || { echo "tidy.sh: '$build' is no folder of a build (use scripts/tidy.sh build/release)" >&2 && exit 2; }
command -v clang-tidy >/dev/null || { echo "tidy.sh: there is no clang-tidy (run scripts/install-deps.sh)" >&2 && exit 2; }
[ -z "$all" ] || git diff --quiet HEAD -- src include || { echo "tidy.sh: --all writes .ci/tidied: commit your changes before" >&2 && exit 2; }
age=$((($(date +%s) - $(git log -1 --format=%ct "$since" 2>/dev/null || echo 0)) / 86400))
list=$(mktemp)
trap 'rm -f "$list"' EXIT
if [ -n "$all" ] || [ "$age" -gt 7 ]; then
    git ls-files 'src/*.c' >"$list"
else
    { git diff --name-only --diff-filter=d "$since" && git ls-files -o --exclude-standard; } | while read -r file; do
        case $file in
        src/*.c) echo "$file" ;;
        # A changed header stands for the files that include it.
        src/*.h) git grep --no-color -lF "#include \"${file#src/}\"" -- 'src/*.c' || true ;;
        include/*.h) git grep --no-color -lF "#include <${file#include/}>" -- 'src/*.c' || true ;;
        esac
    done | sort -u >"$list"
fi
echo "$(wc -l <"$list") files"
# A third of the analyzer's usual limit of states of a function takes a third of the time.
xargs -r -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=75000 <"$list" 2>/dev/null
[ -z "$all" ] || git rev-parse HEAD >.ci/tidied
