#!/bin/sh
# Builds the library in the ways in which others build it, installs each build, and links a program with its shared and with its
# static library. The exports of all builds must be the declared ones, and the programs must compute the same bits.
# Usage: scripts/check-builds.sh [NAME...]     NAME: makefiles, ninja, lto, clang, spaces; default: all
# Exit code 77: dpkg-buildflags or clang is missing.
set -eu
CDPATH='' cd "$(dirname "$0")/.."
root=$PWD folder=$PWD/build/builds
for tool in dpkg-buildflags clang make ninja; do
    command -v $tool >/dev/null || {
        echo "check-builds.sh: skipped: there is no $tool (apt-get install dpkg-dev clang make ninja-build)"
        exit 77
    }
done
rm -rf "$folder"
mkdir -p "$folder"

# build NAME SOURCE GENERATOR [OPTION OF CMAKE...]: builds and installs the library, and writes the hash of its program to NAME.hash.
build() {
    name=$1 source=$2 build=$2/build/builds/$1 generator=$3 prefix=$folder/$1-installed log=$folder/$1.txt
    shift 3
    begun=$(date +%s)
    { cmake -S "$source" -B "$build" -G "$generator" -DPUDDLE_APP=OFF -DPUDDLE_TESTS=OFF -DCMAKE_INSTALL_LIBDIR=lib "$@" &&
        cmake --build "$build" -j4 &&
        cmake --install "$build" --prefix "$prefix" && scripts/check-exports.sh "$build" &&
        tests/install/link_program.sh "$prefix" lib >"$folder/$name.hash"; } >"$log" 2>&1 || {
        echo "check-builds.sh: the build '$name' fails (see $log):"
        tail -n 20 "$log"
        exit 1
    }
    if grep 'warning:' "$log"; then
        echo "check-builds.sh: the build '$name' has warnings (see $log)"
        exit 1
    fi
    echo "$name: $(cat "$folder/$name.hash"), $(($(date +%s) - begun)) s"
}

build_makefiles() { build makefiles "$root" "Unix Makefiles"; }
build_ninja() { build ninja "$root" Ninja; }
# As Debian's packages are built: with link-time optimisation, all of the hardening, and no flags of CMake's own.
build_lto() (
    export DEB_BUILD_MAINT_OPTIONS="hardening=+all optimize=+lto"
    eval "$(dpkg-buildflags --export=sh)"
    # shellcheck disable=SC2153
    export FLAGS="$CPPFLAGS $CFLAGS $LDFLAGS"
    build lto "$root" Ninja -DCMAKE_BUILD_TYPE=None
)
build_clang() (
    export CC=clang CXX=clang++
    build clang "$root" Ninja
)
build_spaces() {
    copy="$folder/a path with spaces"
    mkdir "$copy"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy"
    build "built with spaces" "$copy" "Unix Makefiles"
}

[ $# -gt 0 ] || set -- makefiles ninja lto clang spaces
for name; do build_"$name"; done
test "$(cat "$folder"/*.hash | sort -u | wc -l)" = 1 || {
    echo "check-builds.sh: the builds compute different bits"
    exit 1
}
