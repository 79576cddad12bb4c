#!/bin/sh
# Builds libpuddle for aarch64, runs it in an emulator, and compares what it computes with this processor, bit for bit.
# Needs packages that install-deps.sh does not install: apt-get install gcc-aarch64-linux-gnu qemu-user. Exit code 77: they
# are missing.
# Usage: scripts/check-arm.sh [BUILD FOLDER]
set -eu
CDPATH='' cd "$(dirname "$0")/.."
build=${1:-build/arm}
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v "$tool" >/dev/null || {
        echo "check-arm.sh: skipped: there is no $tool (apt-get install gcc-aarch64-linux-gnu qemu-user)"
        exit 77
    }
done

# Builds the library by CMake with its usual flags, and tests/support/bits.c with it. There is no libyaml for aarch64: the linker leaves
# the functions of the reader of scene files undefined. bits.c never calls them.
make_bits() {
    folder=$1 compiler=$2
    shift 2
    cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPUDDLE_APP=OFF -DPUDDLE_TESTS=OFF \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="-ffunction-sections -fdata-sections" "$@" >/dev/null
    cmake --build "$folder" --target puddle_static >"$folder/log" || { cat "$folder/log" >&2; exit 1; }
    "$compiler" -std=c17 -O2 -Iinclude -Isrc tests/support/bits.c "$folder/libpuddle.a" -o "$folder/bits" -static -Wl,--gc-sections \
        -Wl,--unresolved-symbols=ignore-all -pthread -lm
}
make_bits "$build/host" "${CC:-cc}"
make_bits "$build/aarch64" aarch64-linux-gnu-gcc -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64

"$build/host/bits" auto >"$build/host.txt"
"$build/host/bits" baseline >"$build/baseline.txt"
qemu-aarch64 "$build/aarch64/bits" baseline >"$build/aarch64.txt"
for text in baseline aarch64; do
    if ! cmp -s "$build/host.txt" "$build/$text.txt"; then
        echo "check-arm.sh: $text computes something else; the first differences:"
        diff "$build/host.txt" "$build/$text.txt" | head -6
        exit 1
    fi
done
echo "check-arm.sh: aarch64 computes the same bits ($(grep -c ' 0x\| -0x' "$build/host.txt") particles, vortices and cells)"
