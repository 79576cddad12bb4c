#!/bin/sh
# Prints the parallel loops of src that did not run in two threads (test_parallel_loops.c): calls of pd_parallel_for, and definitions
# of loop bodies. Fails if there are any.
# Standard input: addresses in the calls, and of the bodies, that ran in two threads.
# Usage: unreached.sh PROGRAM
set -eu
reached=$(addr2line -e "$1" | sed 's|^.*/src/||; s/ (discriminator.*//')
cd "$(dirname "$0")/../../src"
# apply_tension_forces and displace_particles are called by loop bodies.
loops=$(grep -rnE 'pd_parallel_for\(|void .*\(void \*context, int begin, int end\) \{' --include='*.c' . |
    grep -vE '^\./core/parallel\.c:|(apply_tension_forces|displace_particles)\(void' | sed 's|^\./||')
unreached=$(printf '%s\n' "$reached" "$loops" | awk -F: 'NF == 2 {reached[$0]; next} !($1 ":" $2 in reached)')
[ -z "$unreached" ] || { echo "Not run in two threads:" && echo "$unreached" && exit 1; }
