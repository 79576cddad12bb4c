# shellcheck shell=sh
# The stages of a check, for .ci/run and .ci/full: each runs, also after another has failed, and the check ends with a table of all.
#
#     stage NAME COMMAND [ARGUMENT...]    runs a stage; its output goes to build/ci/NAME.txt. Exit code 77: what it needs is missing
#     end_stages                          prints the table; returns 1 if a stage failed
#
# The seconds of the stages are appended to build/ci-times.csv. With --json the table is an array of objects.
as_json=""
[ "${1-}" != --json ] || as_json=yes
logs=build/ci
rm -rf "$logs"
mkdir -p "$logs"

stage() {
    title=$1 log=$logs/$(echo "$1" | tr -cs 'A-Za-z0-9\n' -).txt begun=$(date +%s) result=passed
    shift
    printf '== %s\n' "$title" >&2
    "$@" >"$log" 2>&1 </dev/null || case $? in 77) result=skipped ;; *) result=failed ;; esac
    seconds=$(($(date +%s) - begun))
    printf '   %s after %s s\n' "$result" "$seconds" >&2
    printf '%s\t%s\t%s\t%s\n' "$title" "$seconds" "$result" "$log" >>"$logs/table"
    printf '%s,%s,"%s",%s,%s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(git rev-parse --short HEAD)" "$title" "$seconds" "$result" >>build/ci-times.csv
    [ $result != failed ] || tail -n 40 "$log" >&2
}

# Names what failed in the log of a stage: cases of cmocka, tests of CTest, messages of compilers and scripts.
failures_in() {
    grep -aE '^\[  FAILED  \] [a-z_A-Z]|\*\*\*(Failed|Timeout|Exception)|(error|warning): |^FAILED: |passed at the second try' "$1" | sort -u | head -n 20
}

end_stages() {
    if [ -n "$as_json" ]; then
        awk -F '\t' 'BEGIN {print "["} {printf "%s  {\"stage\": \"%s\", \"seconds\": %s, \"result\": \"%s\"}", NR > 1 ? ",\n" : "", $1, $2, $3} END {print "\n]"}' "$logs/table"
    else
        awk -F '\t' 'BEGIN {printf "\n%-58s %8s  %s\n", "stage", "seconds", "result"} {printf "%-58s %8d  %s\n", $1, $2, $3; all += $2}
            END {printf "%-58s %8d\n", "all", all}' "$logs/table"
    fi
    while IFS="$(printf '\t')" read -r title _ result log; do
        [ "$result" = failed ] || grep -aq 'passed at the second try' "$log" || continue
        printf '%s: %s (%s)\n' "$result" "$title" "$log" >&2
        failures_in "$log" | sed 's/^/    /' >&2
    done <"$logs/table"
    ! grep -q "$(printf '\tfailed\t')" "$logs/table"
}
