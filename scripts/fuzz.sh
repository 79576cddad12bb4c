#!/bin/sh
# Builds the fuzzers with AddressSanitizer and UndefinedBehaviorSanitizer, and runs each for a number of seconds. Prints one line
# for each fuzzer and one for each different fault. Inputs that cause a fault are kept in build/faults/NAME. Exits with 1 after
# a fault.
# Usage: scripts/fuzz.sh [SECONDS [NAME...]]     SECONDS: 60 by default; NAME: scene, snapshot, log, picture, table (all)
set -eu
CDPATH='' cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- scene snapshot log picture table

CC=clang CXX=clang++ cmake -S . -B build/fuzz -G Ninja -DPUDDLE_FUZZ=ON -DPUDDLE_APP=OFF -DPUDDLE_TESTS=OFF >/dev/null
cmake --build build/fuzz >build/fuzz/build.txt 2>&1 || { cat build/fuzz/build.txt; exit 1; }
symbolizer=$(command -v llvm-symbolizer || ls /usr/bin/llvm-symbolizer-* 2>/dev/null | head -n 1)
[ -z "$symbolizer" ] || export ASAN_SYMBOLIZER_PATH="$symbolizer"

# A fault ends a fuzzer, which is then started again for the rest of the time.
run() {
    end=$(($(date +%s) + seconds))
    while left=$((end - $(date +%s))) && [ "$left" -gt 0 ]; do
        rm -f "$output.now"
        tests/support/isolated.sh "$PWD/build/fuzz/tests/fuzz_$1" "$PWD/$corpus" -artifact_prefix="$PWD/$faults/" -max_total_time="$left" -len_control=0 \
            -max_len=65536 -rss_limit_mb=2048 -timeout=20 >"$output.now" 2>&1 && status=0 || status=$?
        grep -a '^fuzz: .* inputs' "$output.now" | tail -n 1 >>"$output.counts" || :
        [ "$status" -ne 0 ] || continue
        kept=$(sed -n 's/.*Test unit written to //p' "$output.now" | tail -n 1)
        [ -n "$kept" ] || { tail -n 5 "$output.now"; return 1; }
        cp "$output.now" "$kept.txt"
        # The same fault found twice has the same text: values are left out.
        why=$(grep -a -o '[^ /]*: runtime error: .*\|ERROR: AddressSanitizer: [a-z-]*' "$output.now" | head -n 1 | sed 's/[0-9]\{4,\}/N/g')
        [ -n "$why" ] || why=$(grep -a '^fuzz: ' "$output.now" | grep -v ' inputs, ' | tail -n 1 || :)
        [ -n "$why" ] || why=$(grep -a '^SUMMARY: ' "$output.now" | tail -n 1)
        where=$(grep -a -o ' in pd_[a-z_0-9]*' "$output.now" | head -n 1)
        printf '%s%s\t%s\n' "$why" "$where" "$kept" >>"$output.faults"
    done
}

failed=0
for name in "$@"; do
    corpus=build/corpus/$name faults=build/faults/$name output=build/fuzz/$name
    mkdir -p "$corpus" "$faults"
    rm -f "$output".*
    : >"$output.counts"
    : >"$output.faults"
    run "$name"
    awk -v name="$name" -v faults="$(wc -l <"$output.faults")" '
        {inputs += $2; read += $4; worlds += $6; steps += $10}
        END {printf "%s: %d inputs, %d read, %d worlds, %d steps, %d faults\n", name, inputs, read, worlds, steps, faults}' "$output.counts"
    sort -u -t "$(printf '\t')" -k 1,1 "$output.faults" | sed 's/^/    /'
    [ ! -s "$output.faults" ] || failed=1
done
exit $failed
