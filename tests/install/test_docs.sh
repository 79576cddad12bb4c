#!/bin/sh
# Plants mistakes in copies of the documentation, and checks that scripts/check-links.sh and the target docs find them.
set -eu
root=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

# A fresh copy with a small manual.
fresh() {
    rm -rf "$copy/tree"
    mkdir -p "$copy/tree/docs/methods"
    cd "$copy/tree"
    cp -R "$root/include" "$root/scripts" "$root/README.md" "$root/CONTRIBUTING.md" "$root/CHANGELOG.md" "$root/LICENSE" .
    mkdir docs/pictures
    cp "$root/docs/style.css" docs
    printf 'P1 1 1 0' >docs/pictures/a.png
    sed 's/](docs[^)]*)//g' "$root/README.md" >README.md
    cat >docs/index.md <<'TEXT'
# Manual
[ddr](methods/ddr.md), [its substep](methods/ddr.md#the-substep), [scene.h](../include/puddle/scene.h), ![a](pictures/a.png)
[`ddr` anchor](methods/ddr.md#same), <a id="same"></a> [here](#same)
`[no link](missing.md)`, [`ddr` again](methods/ddr.md "not shown")
TEXT
    cat >docs/methods/ddr.md <<'TEXT'
# Double density relaxation
[Back](../index.md), [contributing](../../CONTRIBUTING.md), [below](#the-substep), ![a](../pictures/a.png), [the step](#the-step)
## The substep
<a id="the-step"></a>

## The step
## The substep
[the second](#the-substep-1) <a id="same"></a>
TEXT
}

links() { scripts/check-links.sh; }

doxygen_finds() {
    sed -e "s|@CMAKE_SOURCE_DIR@|$copy/tree|g" -e "s|@PUDDLE_DOCS_DIR@|$copy/tree/out|" -e 's|@PUDDLE_DOCS_ORDER@||' \
        -e 's|@PROJECT_[A-Z]*@|puddle|' "$root/docs/Doxyfile.in" >Doxyfile
    rm -rf out
    mkdir out
    doxygen Doxyfile && scripts/check-docs.sh out
}

passes() { "$1" >out.txt 2>&1 || { echo "$1 fails without a mistake:"; cat out.txt; exit 1; }; }

# finds COMMAND EXPECTED: the command fails and names the mistake.
finds() {
    if "$1" >out.txt 2>&1; then echo "$1 has not found: $2"; exit 1; fi
    finds_too "$2"
}

# finds_too EXPECTED: the last command has named this mistake.
finds_too() {
    grep -qF -- "$1" out.txt || { echo "not reported: $1"; cat out.txt; exit 1; }
}

# leave_out COMMENT HEADER
leave_out() {
    sed "s|$1||" "include/puddle/$2" >header.h
    if cmp -s header.h "include/puddle/$2"; then echo "no comment '$1' in $2"; exit 1; fi
    mv header.h "include/puddle/$2"
}

fresh
passes links
echo '[x](methods/missing.md)' >>docs/index.md
finds links "docs/index.md:5: there is no file 'docs/methods/missing.md'"
fresh
echo '![x](../missing.png)' >>docs/methods/ddr.md
finds links "docs/methods/ddr.md:9: there is no file 'docs/missing.png'"
fresh
echo '[x](methods/ddr.md#the-steps)' >>docs/index.md
finds links "'docs/methods/ddr.md' has no heading for '#the-steps'"

command -v doxygen >/dev/null || { echo "no Doxygen: its checks are left out"; exit 0; }
fresh
passes doxygen_finds
grep -q 'href="manual_methods_ddr.html#manual_methods_ddr--the-substep"' out/html/index.html
grep -q 'ddr again</a>' out/html/index.html

# What Doxygen reports itself.
echo '[x](methods/ddr.md#the-steps)' >>docs/index.md
echo 'int pd_planted(void);' >>include/puddle/version.h
leave_out ' */\*\*< Radius of a circle, m. \*/' scene.h
finds doxygen_finds 'manual_methods_ddr--the-steps'
finds_too 'pd_planted'
finds_too 'radius (variable) of struct pd_area is not documented'

# What it passes over.
fresh
echo '![x](missing.png) [x](../LICENSE)' >>docs/index.md
leave_out '/\*\*< Square lattice. \*/' scene.h
leave_out '/\*\*< Memory ran out. \*/' result.h
finds doxygen_finds "'docs/missing.png' leads nowhere"
finds_too "'../LICENSE' leads nowhere"
finds_too 'the value PD_FILL_GRID has no comment'
finds_too 'the value PD_ERROR_OUT_OF_MEMORY has no comment'
