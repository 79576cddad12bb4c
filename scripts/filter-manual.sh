#!/bin/sh
# Prints a page of the manual with the names that Doxygen 1.9.4 needs. Doxygen calls it for each Markdown file (docs/Doxyfile.in).
# Headings get the anchors that GitHub gives them, and links between pages lead to these and to <a id="..."> anchors.
# Pictures get their path from the root.
set -eu
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
LC_ALL=C exec awk -v root="$root/" '
function label(file) { # docs/methods/ddr.md: manual_methods_ddr
    sub(/\.md$/, "", file)
    sub(/^docs\//, "", file)
    gsub(/[^A-Za-z0-9]/, "_", file)
    return file == "index" ? "mainpage" : "manual_" file
}
function slug(title) { # as GitHub makes it, without the letters that are not ASCII
    title = tolower(title)
    gsub(/[^a-z0-9 _-]/, "", title)
    gsub(/ /, "-", title)
    return title
}
function resolve(file,    parts, kept, count, n, i, path) { # relative to the page: relative to the root
    count = split(folder file, parts, "/")
    for (i = 1; i <= count; i++) {
        if (parts[i] == ".." && n > 0) n--
        else if (parts[i] != "." && parts[i] != "") kept[++n] = parts[i]
    }
    for (i = 1; i <= n; i++) path = path (i > 1 ? "/" : "") kept[i]
    return path
}
function reference(target,    hash, file, anchor) {
    if (target ~ /^[a-z]+:/) return target
    if (target ~ /\.(png|gif|jpg|svg)$/) return resolve(target)
    if (target ~ /include\/puddle\/[a-z]+\.h$/) return "@ref " substr(target, match(target, /[a-z]+\.h$/))
    if (target !~ /^#|\.md$|\.md#/) return target
    hash = index(target, "#")
    anchor = hash ? substr(target, hash + 1) : ""
    file = hash == 1 ? page : resolve(hash ? substr(target, 1, hash - 1) : target)
    if (anchor != "") return "@ref " label(file) "--" slug(anchor)
    return "@ref " label(file)
}
function links(line,    out, tick, start, inside) { # outside of code in backticks
    while (match(line, /`[^`]*`|\]\([^) ]*/)) {
        start = substr(line, RSTART, RLENGTH)
        out = out substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        if (start !~ /^`/) start = "](" reference(substr(start, 3))
        if (start ~ /^\]\(@/) sub(/^ +"[^"]*"/, "", line) # Doxygen would show the title in place of the text
        out = out start
    }
    return out line
}
function plain(line,    out, start) { # Doxygen would show the backticks of the text of a link to a page
    while (match(line, /\[[^][]*`[^][]*\]\([^)]*(\.md|#)/)) {
        start = substr(line, RSTART, RLENGTH)
        out = out substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        gsub(/`/, "", start)
        out = out start
    }
    return out line
}
NR == 1 {
    page = FILENAME
    if (index(page, root) == 1) page = substr(page, length(root) + 1)
    folder = page
    sub(/[^\/]*$/, "", folder)
}
/^ *(```|~~~)/ { fence = !fence }
fence || /^    / { print; next }
/^#+ / && !/\{#[^}]*\} *$/ {
    title = $0
    sub(/^#+ +/, "", title)
    gsub(/\]\([^)]*\)/, "", title)
    id = slug(title)
    count = seen[id]++
    if (id in anchor) id = id "-heading"
    $0 = $0 " {#" (titled++ ? label(page) "--" id (count ? "-" count : "") : label(page)) "}"
}
{
    if (match($0, /<a id="[^"]*/)) anchor[substr($0, RSTART + 7, RLENGTH - 7)] = 1 # a heading after it has the same name
    gsub(/<a id="/, "&" label(page) "--")
    print links(plain($0))
}
' "$1"
