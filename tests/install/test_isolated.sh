#!/bin/sh
# Runs support/isolated.sh for a person with habits of their own: none of them arrives in a test, and nothing of a test stays.
# Usage: tests/install/test_isolated.sh SOURCE
set -eu
root=$1
say() { echo "== $*"; }

# A home and a font that the person has chosen; a variable for everything that once changed a test, and some that may.
mkdir -p person/.config/puddle person/.config/fontconfig person/run
echo 'scale: 2.5' >person/.config/puddle/settings
echo '<?xml version="1.0"?><fontconfig><dir>/usr/share/fonts</dir><match><edit name="family" mode="assign" binding="strong">
    <string>Nimbus Mono</string></edit></match></fontconfig>' >person/.config/fontconfig/fonts.conf
isolated() (
    umask 077
    ulimit -S -n 256
    exec env -i PATH="$PATH" HOME="$PWD/person" TMPDIR=/nowhere XDG_CONFIG_HOME="$PWD/person/.config" XDG_STATE_HOME=/nowhere \
        XDG_CACHE_HOME=/nowhere XDG_DATA_HOME=/nowhere XDG_DATA_DIRS=/nowhere XDG_CONFIG_DIRS=/nowhere \
        XDG_RUNTIME_DIR="$PWD/person/run" LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 LANGUAGE=de LOCPATH=/nowhere \
        TZ=Pacific/Apia FONTCONFIG_FILE="$PWD/person/.config/fontconfig/fonts.conf" FONTCONFIG_PATH=/nowhere DISPLAY=:9999 \
        WAYLAND_DISPLAY=nowhere XAUTHORITY=/nowhere DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere SDL_VIDEODRIVER=dummy \
        MESA_SHADER_CACHE_DIR=/nowhere MESA_GL_VERSION_OVERRIDE=2.1 GALLIUM_DRIVER=softpipe PUDDLE_SCALE=3 PUDDLE_DATA=/nowhere \
        PYTHONPATH=/nowhere PYTHONSTARTUP=/nowhere PYTHONHOME=/nowhere CDPATH=/ COLUMNS=20 LINES=5 TERM=vt52 GREP_OPTIONS=-v \
        LS_COLORS=x CLICOLOR_FORCE=1 MANPATH=/nowhere MANWIDTH=30 PAGER=false CFLAGS=-nonsense LDFLAGS=-nonsense CPATH=/nowhere \
        LIBRARY_PATH=/nowhere MAKEFLAGS=-n NINJA_STATUS=x CMAKE_GENERATOR=nonsense CMAKE_PREFIX_PATH=/nowhere DESTDIR=/nowhere \
        GIT_DIR=/nowhere ENV=/nowhere BASH_ENV=/nowhere ZDOTDIR=/nowhere INPUTRC=/nowhere OMP_NUM_THREADS=1 MALLOC_CHECK_=3 \
        GLIBC_TUNABLES=glibc.malloc.check=3 "TWO=lines
LINES_OF=one" PUDDLE_TEST_FOLDERS="$PWD/folders" "$root/tests/support/isolated.sh" "$@"
)

say "only these variables are there"
isolated env | sed 's/=.*//' | sort >names
printf '%s\n' ASAN_OPTIONS FONTCONFIG_FILE HOME LC_ALL LIBGL_ALWAYS_SOFTWARE LSAN_OPTIONS MESA_SHADER_CACHE_DIR PATH \
    PUDDLE_TEST_FOLDER PWD TMPDIR TSAN_OPTIONS TZ UBSAN_OPTIONS XDG_RUNTIME_DIR | diff - names

say "folders"
isolated sh -ec 'for each in "$HOME" "$TMPDIR" "$XDG_RUNTIME_DIR"; do
        test -n "$PUDDLE_TEST_FOLDER" -a "${each#"$PUDDLE_TEST_FOLDER"/}" != "$each"
        test -z "$(ls -A "$each")"
        touch "$each/file"
    done
    test "$PWD" = "$TMPDIR"
    test "$MESA_SHADER_CACHE_DIR" = "$HOME/.cache"
    test "$(ls "$PUDDLE_TEST_FOLDER" | tr "\n" " ")" = "home run tmp "'

say "fonts, locale, time zone, modes, limits"
isolated fc-match sans | grep '"DejaVu Sans" "Book"'
test -z "$(isolated fc-list : family | grep -v -e DejaVu -e 'Droid Sans Fallback')"
isolated locale | grep -x 'LC_NUMERIC="C.UTF-8"'
test "$(isolated date +%Z)" = UTC
test "$(isolated sh -c umask)" = 0022
isolated sh -c 'ulimit -c; ulimit -n' | tr '\n' ' ' | grep -x '0 1024 '

say "the exit code is that of the test, and its folder is removed, whatever it did"
isolated true
isolated sh -c 'mkdir closed; touch closed/file; chmod 500 closed; exit 3' && exit 1 || test $? = 3
isolated sh -c 'kill -KILL $$' && exit 1 || test $? = 137
isolated sh -c 'kill -TERM $PPID' && exit 1 || test $? = 143
isolated "$PWD/no=command" 2>/dev/null && exit 1 || test $? = 127
while read -r folder; do
    if [ -e "$folder" ]; then echo "'$folder' is left" && exit 1; fi
done <folders
test "$(wc -l <folders)" = 13
test -z "$(find person -type f ! -name settings ! -name fonts.conf)"

say "no test names a folder of the system for its files"
cd "$root"
if grep -rnE '["'\'' =>]/(tmp|var)/' tests scripts --include='*.c' --include='*.h' --include='*.sh' --include='*.py' |
    grep -vE '^(tests/support/isolated.sh|tests/install/test_isolated.sh|scripts/check-packages.sh):'; then exit 1; fi
