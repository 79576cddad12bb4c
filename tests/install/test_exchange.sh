#!/bin/sh
# Runs the steps of docs/exchange.md with the program and the Python module of an installation. Exit code 77: skipped.
# Usage: tests/install/test_exchange.sh PREFIX SOURCE MODULES
#   PREFIX    the installation of test_move.sh
#   MODULES   the folder of the module below
set -eu
prefix=$1 source=$2 modules=$3
export PUDDLE_PROGRAM="$prefix/bin/puddle" PUDDLE_SOURCE="$source" PYTHONPATH="$prefix/$modules" PYTHONDONTWRITEBYTECODE=1
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import cffi, numpy' 2>/dev/null; then exec "$python" "$source/tests/install/test_exchange.py"; fi
done
echo "skipped: no python3 has the modules cffi and numpy (run scripts/install-deps.sh)"
exit 77
