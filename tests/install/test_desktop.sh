#!/bin/sh
# Tests what desktops, shells and man(1) read of an installation: entry in the menu, types of files, description, manifest of
# the Flatpak, manual pages.
# Usage: tests/install/test_desktop.sh PREFIX BUILD SOURCE     PREFIX: the installation of test_move.sh
set -eu
prefix=$1 build=$2 root=$3
share=$prefix/share
say() { echo "== $*"; }
id=$(basename "$share"/applications/*.desktop .desktop)

say "the entry in the menu and the description"
desktop-file-validate "$share/applications/$id.desktop" | tee hints
test ! -s hints
appstreamcli validate --strict --no-net "$share/metainfo/$id.metainfo.xml"
appstreamcli validate-tree --strict --no-net "$prefix"
test -f "$share/icons/hicolor/scalable/apps/$id.svg"

say "types of files"
mkdir types
cp -R "$share/mime" types
XDG_DATA_DIRS="$PWD/types" update-mime-database types/mime
cp "$root/assets/scenes/pinball.yaml" scene.yaml
printf 'services:\n  web: 1\n' >other.yaml
printf 'puddle-log 1\nscene\n' >session.log
printf '12:00 started\n' >other.log
"$prefix/bin/puddle" run drop --steps 1 --quiet --save moment.puddle
# type FILE: the content type by GIO, as file managers find it. The system's types are in another folder, as with /usr/local.
type() {
    XDG_DATA_DIRS="$PWD/types:/usr/share" gio info -a standard::content-type "$1" |
        sed -n 's/.*standard::content-type: //p'
}
test "$(type moment.puddle)" = application/x-puddle-snapshot
test "$(type scene.yaml)" = text/x-puddle-scene
test "$(type session.log)" = text/x-puddle-log
test "$(type other.yaml)" = application/x-yaml
test "$(type other.log)" = text/x-log
for type in application/x-puddle-snapshot text/x-puddle-scene text/x-puddle-log; do
    grep -q "^MimeType=.*$type;" "$share/applications/$id.desktop"
    icon=$(sed -n "/type=\"$(echo "$type" | sed 's|/|\\/|')\"/,/<\/mime-type>/s/.*<icon name=\"\(.*\)\"\/>/\1/p" "$share/mime/packages/$id.xml")
    test -f "$share/icons/hicolor/scalable/mimetypes/$icon.svg"
done

say "the manifest of the Flatpak"
flatpak-builder --show-manifest "$build/desktop/$id.json" >manifest
python3 - "$build/desktop/$id.json" <<'PYTHON'
import json, sys
manifest = json.load(open(sys.argv[1]))
assert manifest["runtime"] == "org.freedesktop.Platform" and manifest["command"] == "puddle"
assert {"--socket=wayland", "--socket=fallback-x11", "--device=dri"} <= set(manifest["finish-args"])
assert not [a for a in manifest["finish-args"] if a in ("--filesystem=home", "--filesystem=host", "--share=network")]
assert manifest["modules"][-1]["name"] == "puddle" and manifest["modules"][-1]["sources"][0]["path"].endswith(".tar.xz")
assert all(source.get("tag") or source["type"] == "archive" for module in manifest["modules"] for source in module["sources"])
PYTHON

say "manual pages"
for page in "$share"/man/man*/*; do
    MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>>warnings >/dev/null
done
cat warnings
test ! -s warnings
"$prefix/bin/puddle" --help | sed -n '/^Examples/q; s/^  puddle \([a-z]*\) .*/\1/p' | sort -u | while read -r command; do
    test -f "$share/man/man1/puddle-$command.1"
done
read_page() { MANWIDTH=200 man -l "$share/man/$1" | sed 's/  */ /g'; }
read_page man1/puddle-render.1 | grep -q -- '--camera X,Y,ZOOM'
read_page man5/puddle-scene.5 | grep -q 'surface_tension'
read_page man5/puddle-log.5 | grep -q 'STEP method NAME'

say "done"
