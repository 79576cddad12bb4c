#!/bin/sh
# Builds the Debian packages and the source archive of a release build, and uses them in a Debian of their own: a scratch
# root with nothing but what the packages depend on, from the mirror of the system's apt. Prints a line for each check.
# Needs root. Where the system allows no mounts, as in some containers, the checks in the scratch root are left out, and the
# last line says so.
# Usage: scripts/check-packages.sh BUILD
set -eu
CDPATH='' cd "$(dirname "$0")/.."
build=$(cd "$1" && pwd)
packages=$build/packages
umask 022 # modes of the packages' folders
unset PUDDLE_DATA # folder of other scenes
[ "$(id -u)" = 0 ] || { echo "check-packages.sh: needs root, for the scratch root (use sudo)" >&2; exit 1; }
# All mounts are in a namespace of this script, and end with it.
if [ -z "${PUDDLE_MOUNTS:-}" ]; then
    namespace="unshare --mount --propagation private"
    $namespace mount -t tmpfs none /mnt 2>/dev/null || { namespace=; PUDDLE_MOUNTS=none; }
    PUDDLE_MOUNTS=${PUDDLE_MOUNTS:-private} exec $namespace scripts/check-packages.sh "$build"
fi

work=$(mktemp -d)
root=$work/root
server=
trap '[ -z "$server" ] || kill "$server"; umount -R "$work" 2>/dev/null || true; rm -rf "$work"' EXIT
began=$(date +%s)
checked() { printf '%4d s  %s\n' $(($(date +%s) - began)) "$*"; }
[ "$PUDDLE_MOUNTS" = none ] || mount -t tmpfs -o size=80% none "$work"
mkdir "$root"

rm -rf "$packages"
cmake --build "$build" --target package package_source >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
debs=$(echo "$packages"/*.deb)
names=$(for deb in $debs; do dpkg-deb -f "$deb" Package; done)
checked "packages:" $(for deb in $debs; do basename "$deb"; done)
# shellcheck disable=SC2086
lintian --allow-root --fail-on error $debs || exit 1
checked "lintian finds no error"

# ---- The source archive ----
tar -xJf "$packages"/puddle-*.tar.xz -C "$work"
unpacked=$(echo "$work"/puddle-*)
if [ -d .git ] || [ -f .git ]; then
    git ls-files | LC_ALL=C sort >"$work/tracked"
    (cd "$unpacked" && find . -type f | sed 's|^\./||' | LC_ALL=C sort) >"$work/archived"
    diff "$work/tracked" "$work/archived" >"$work/log" || { head -20 "$work/log"; exit 1; }
    checked "the source archive has the files of the repository, and no others"
fi
cmake -S "$unpacked" -B "$work/alone" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DCMAKE_CXX_FLAGS=-O0 \
    -DPUDDLE_TESTS=OFF >"$work/log" 2>&1 &&
    cmake --build "$work/alone" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/alone/puddle" run drop --steps 2 --quiet
rm -rf "$work/alone" "$unpacked"
checked "the source archive builds alone"

if [ "$PUDDLE_MOUNTS" = none ]; then
    checked "left out: the scratch root, since the system allows no mounts"
    exit 0
fi

# ---- The scratch root ----
# What the packages depend on, and a compiler for the examples.
depends=$(for deb in $debs; do dpkg-deb -f "$deb" Depends; done | tr ',' '\n' | sed 's/ *\([^ (]*\).*/\1/' |
    grep -v puddle | sort -u | tr '\n' ',')
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' "Created-By: Packages" | grep -v security |
    grep 'debian/ ' | head -1)
# shellcheck disable=SC2086
set -- $mirror
mmdebstrap --mode=root --variant=essential --dpkgopt='force-unsafe-io' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --aptopt='Acquire::Languages "none"' --include="${depends}gcc,libc6-dev,pkgconf,libgl1-mesa-dri" \
    "$2" "$root" "$1" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
checked "scratch root of $2: $(chroot "$root" dpkg-query -W | wc -l) packages"
for folder in dev proc tmp/.X11-unix; do
    mkdir -p "$root/$folder"
    [ ! -d "/$folder" ] || mount --rbind "/$folder" "$root/$folder"
done
in_root() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 ${DISPLAY:+DISPLAY="$DISPLAY"} \
        LIBGL_ALWAYS_SOFTWARE=1 chroot "$root" "$@"
}
# Files that dpkg and caches of all packages keep are not counted.
list_files() {
    (cd "$root" && find . -xdev \( -path ./var/lib/dpkg -o -path ./var/log -o -path ./proc -o -path ./dev -o -path ./tmp \
        -o -path ./packages -o -path ./root -o -path './var/cache/*' -o -name '*.cache' \) -prune -o -print | LC_ALL=C sort)
}
install_debs() { in_root dpkg -i --force-unsafe-io "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

mkdir "$root/packages" "$root/packages/old"
# shellcheck disable=SC2086
cp $debs "$root/packages"
list_files >"$work/before"

# An older build: the same packages with a lower version, and a file that the new ones do not have.
for deb in $debs; do
    rm -rf "$work/old"
    dpkg-deb -R "$deb" "$work/old"
    name=$(dpkg-deb -f "$deb" Package) version=$(dpkg-deb -f "$deb" Version)
    sed -i "s/$version/0.0.9-1/g" "$work/old/DEBIAN/control"
    mkdir -p "$work/old/usr/share/doc/$name/retired"
    echo old >"$work/old/usr/share/doc/$name/retired/file"
    dpkg-deb -Znone -b "$work/old" "$root/packages/old/$name.deb" >/dev/null
done
# shellcheck disable=SC2046
install_debs $(cd "$root" && echo packages/old/*.deb)
in_root python3 -c 'import puddle'
test -f "$root/usr/share/doc/puddle/retired/file"
checked "an older build installs"
# shellcheck disable=SC2046
install_debs $(cd "$root" && echo packages/*.deb)
test -z "$(cd "$root" && find . -xdev -path '*retired*' -print -quit)"
for name in $names; do test "$(in_root dpkg-query -W -f='${db:Status-Abbrev}${Version}' "$name" | cut -c 1-3)" = "ii "; done
test -z "$(in_root dpkg --audit)"
checked "the new one replaces it, without its files"

version=$(in_root puddle --version)
echo "$version" | grep -qx 'puddle [0-9.]* (simd [a-z0-9]*)'
checked "$version"
hash_of() { sed -n 's/.*"hash":[^"]*"\([0-9a-f]*\)".*/\1/p'; }
hash=$(in_root puddle run drop --steps 20 --json | hash_of)
test "$hash" = "$("$build/puddle" run drop --steps 20 --json | hash_of)"
checked "a run has the hash that the build gives: $hash"
in_root puddle render blobs -o /tmp/frame.png --at 0.5 --size 320x200 --quiet
test "$(convert "$root/tmp/frame.png" -unique-colors -format '%w' info:)" -gt 100
checked "a frame is rendered"

Xvfb -displayfd 3 -screen 0 1000x700x24 3>"$work/display" >/dev/null 2>&1 &
server=$!
while [ ! -s "$work/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$work/display")
export DISPLAY
in_root timeout 120 puddle drop --json >"$work/events" 2>&1 &
window=$!
colors=0
while [ "$colors" -lt 100 ]; do # until it has drawn; timeout ends a window that never does
    kill -0 $window || { cat "$work/events"; exit 1; }
    import -window root "$work/window.png"
    colors=$(convert "$work/window.png" -unique-colors -format '%w' info:)
done
grep -q '"event": *"ready"' "$work/events"
xdotool key --clearmodifiers ctrl+q
wait $window || { cat "$work/events"; exit 1; }
cp "$work/window.png" "$packages/window.png"
checked "the window opens under Xvfb, draws, and closes by Ctrl+Q"

in_root sh -ec 'cc /usr/share/doc/libpuddle-dev/examples/hello.c -o /tmp/hello $(pkg-config --cflags --libs puddle)
    /tmp/hello' | grep -x '2000 particles after 2.0 s, up to [01].[0-9]* m/s'
in_root sh -ec 'cc /usr/share/doc/libpuddle-dev/examples/hello.c -o /tmp/hello $(pkg-config --cflags puddle) -l:libpuddle.a \
    $(pkg-config --libs yaml-0.1) -pthread -lm && /tmp/hello' >/dev/null
checked "the example hello is compiled against libpuddle-dev, shared and static"
in_root python3 -c '
import puddle
world = puddle.World("drop")
world.step(20)
print(f"{world.hash():016x}")' | grep -qx "$hash"
checked "the Python module runs a bundled scene, to the same hash"
in_root test -f /usr/share/doc/puddle/html/index.html
in_root dpkg --verify $names
checked "the manual is there, and all files are as in the packages"

# shellcheck disable=SC2086
in_root dpkg --purge $names >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
list_files >"$work/after"
diff "$work/before" "$work/after"
test -z "$(cd "$root" && find . -xdev \( -path ./packages -o -path ./proc -o -path ./dev -o -path ./root -o -path ./tmp \) \
    -prune -o -name '*puddle*' -print)"
checked "all packages are removed, and nothing is left"
