#!/bin/sh
# Tests the Python module of an installation. Exit code 77: skipped.
# Usage: tests/install/test_python.sh PREFIX SOURCE MODULES LIBDIR
#   PREFIX            the installation of test_move.sh
#   MODULES, LIBDIR   folders below
set -eu
prefix=$1 source=$2 modules=$3 libdir=$4
python=""
for each in python3 /usr/bin/python3; do
    if "$each" -c 'import cffi, numpy' 2>/dev/null; then python=$each && break; fi
done
if [ -z "$python" ]; then
    echo "skipped: no python3 has the modules cffi and numpy (run scripts/install-deps.sh)"
    exit 77
fi
say() { echo "== $*"; }

export PUDDLE_PROGRAM="$prefix/bin/puddle" PUDDLE_SOURCE="$source" PYTHONPATH="$prefix/$modules"
export PYTHONDONTWRITEBYTECODE=1
# A library with a sanitizer needs the sanitizer's own library in the process first. Python itself leaks.
run() {
    case ${FLAGS:-} in
    *sanitize=*address*)
        ASAN_OPTIONS=detect_leaks=0 PUDDLE_SANITIZED=1 \
            LD_PRELOAD="$($CC -print-file-name=libasan.so) $($CC -print-file-name=libstdc++.so)" "$python" "$@"
        ;;
    # Freed memory gets other contents.
    *) MALLOC_PERTURB_=165 "$python" "$@" ;;
    esac
}

say "every declaration is that of the library"
run -c '
import puddle._core as core
names = [name for name in dir(core.lib)]
functions = [name for name in names if name.startswith("pd_") and getattr(core.lib, name)]
print(len(functions), "functions")
assert len(functions) > 100 and core.lib.PD_LOG_NEVER == 2**64 - 1'

say "declarations leave out what is only in the headers"
mkdir -p include/puddle
cat >include/puddle/puddle.h <<'TEXT'
#include <stdint.h>
#define PD_A UINT64_MAX
#define PD_B "text"
static inline int pd_one(void) { return 1; }
static inline int
pd_two(int x) {
    if (x) { return 2; }
    return 3;
}
__attribute__((visibility("default"))) int pd_three(int64_t x);
TEXT
sh "$source/python/declare.sh" declared.py include lib data "$CC"
run -c '
import cffi, declared
ffi = cffi.FFI()
ffi.cdef(declared.DECLARATIONS)
text = declared.DECLARATIONS
assert "pd_three" in text and "pd_one" not in text and "pd_two" not in text and "PD_B" not in text and "return" not in text, text
assert "18446744073709551615" in text, text'

say "a module elsewhere takes the library of the system; another version is refused"
cp -R "$PYTHONPATH" elsewhere
(
    export PYTHONPATH="$PWD/elsewhere"
    LD_LIBRARY_PATH="$prefix/$libdir" run -c 'import puddle; puddle.World({})'
    sed 's/#define PD_VERSION_MINOR .*/#define PD_VERSION_MINOR 999/' elsewhere/puddle/_library.py >other
    mv other elsewhere/puddle/_library.py
    LD_LIBRARY_PATH="$prefix/$libdir" run -c '
try: import puddle
except ImportError as error: assert "this module is for version 0.999" in str(error), error
else: assert False'
)

say "the module"
run "$source/tests/install/test_python.py"
run "$source/tests/install/test_python_arguments.py"
