#!/bin/sh
# Checks what Doxygen 1.9.4 passes over: enumeration values without a comment, and links and pictures that lead nowhere.
# Usage: scripts/check-docs.sh FOLDER     FOLDER: with html and xml, as the target docs makes it
set -eu
cd "${1:?check-docs.sh: name the folder with html and xml}"

values() {
    awk '/<enumvalue / { name = ""; described = 0 }
        name == "" && /<name>/ { name = $0; gsub(/<[^>]*>| /, "", name) }
        /<para>/ { described = 1 }
        /<\/enumvalue>/ && !described { print FILENAME ": the value " name " has no comment (add one)" }' xml/*_8h.xml
}

# Prints "PAGE TARGET" for each link and picture to a file beside the page. Doxygen's own lists of members are left out: in them
# the members of unions without a name have anchors that do not exist.
targets() {
    awk '{
        line = $0
        while (match(line, /(href|src)="[^"]*"/)) {
            target = substr(line, RSTART, RLENGTH - 1)
            line = substr(line, RSTART + RLENGTH)
            sub(/^[a-z]*="/, "", target)
            if (target !~ /^[a-z]+:/ && target !~ /^\/\// && target != "") print FILENAME, target
        }
    }' $(ls html/*.html | grep -v '/functions[_a-z]*\.html$') | sort -u
}

anchors() {
    awk '{
        line = $0
        while (match(line, /(id|name)="[^"]*"/)) {
            anchor = substr(line, RSTART, RLENGTH - 1)
            line = substr(line, RSTART + RLENGTH)
            sub(/^[a-z]*="/, "", anchor)
            print FILENAME "#" anchor
        }
    }' html/*.html | sort -u
}

links() {
    anchors >anchors.txt
    targets | while read -r page target; do
        file=${target%%#*}
        if [ -z "$file" ]; then file=$page; else file=html/$file; fi
        if [ ! -e "$file" ]; then
            echo "$page: '$target' leads nowhere (correct the link, or name a page of docs or a whole address)"
        fi
    done
    # Anchors of pages; "#" alone is a button.
    targets | awk '$2 ~ /#./ { page = $2; sub(/#.*/, "", page); if (page == "") page = substr($1, 6)
        anchor = $2; sub(/^[^#]*#/, "", anchor); print "html/" page "#" anchor, $1 }' | sort -u |
        awk 'NR == FNR { known[$1] = 1; next } !($1 in known) { print $2 ": no anchor " $1 " (correct the link)" }' anchors.txt -
    rm anchors.txt
}

found=$(values; links)
[ -z "$found" ] || { echo "$found"; exit 1; }
