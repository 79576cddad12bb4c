#!/bin/sh
# Checks the links and pictures of README.md, CONTRIBUTING.md, CHANGELOG.md and the pages in docs and python: the file exists,
# and the page has a heading for the anchor. Whole addresses are not checked.
# Usage: scripts/check-links.sh [FOLDER]     FOLDER: with README.md and docs (default: this repository)
set -eu
CDPATH='' cd "${1:-$(dirname "$0")/..}"

# Prints "PAGE LINE TARGET" for each link outside of code, and "PAGE LINE #ANCHOR heading" for each heading and anchor.
scan() {
    find README.md CONTRIBUTING.md CHANGELOG.md docs python -name '*.md' 2>/dev/null | LC_ALL=C sort | while read -r page; do
        LC_ALL=C awk -v page="$page" '
        function slug(title) { # as GitHub makes it
            gsub(/\]\([^)]*\)/, "", title)
            title = tolower(title)
            gsub(/[!-,.\/:-@[-^`{-~]/, "", title)
            gsub(/ /, "-", title)
            return title
        }
        /^ *(```|~~~)/ { fence = !fence }
        fence || /^    / { next }
        /^#+ / {
            title = $0
            sub(/^#+ +/, "", title)
            sub(/ *\{#[^}]*\} *$/, "", title)
            id = slug(title)
            count = seen[id]++
            print page, FNR, "#" id (count ? "-" count : ""), "heading"
        }
        {
            line = $0
            if (match(line, /<a id="[^"]*"/)) print page, FNR, "#" substr(line, RSTART + 7, RLENGTH - 8), "heading"
            gsub(/`[^`]*`/, "", line)
            while (match(line, /\]\([^) ]*|(src|href)="[^"]*/)) {
                target = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                sub(/^(\]\(|[a-z]*=")/, "", target)
                if (target !~ /^[a-z]+:/ && target != "") print page, FNR, target
            }
        }' "$page"
    done
}

# "docs/methods/../benchmarks.md": "docs/benchmarks.md".
resolved() { echo "$1" | sed -e 's|/\./|/|g' -e 's|^\./||' -e ':up' -e 's|[^/.][^/]*/\.\./||' -e 't up'; }

list=$(mktemp)
trap 'rm -f "$list"' EXIT
scan >"$list"
bad=0
while read -r page line target heading; do
    [ -z "$heading" ] || continue
    file=${target%%#*}
    case $file in
    "") path=$page ;;
    *) path=$(resolved "$(dirname "$page")/$file") ;;
    esac
    if [ ! -e "$path" ]; then
        echo "$page:$line: there is no file '$path' (correct the link)"
        bad=1
    elif [ "$target" != "$file" ] && ! awk -v page="$path" -v id="#${target#*#}" \
        '$4 == "heading" && $1 == page && $3 == id { found = 1 } END { exit !found }' "$list"; then
        echo "$page:$line: '$path' has no heading for '#${target#*#}' (correct the link)"
        bad=1
    fi
done <"$list"
exit $bad
