#!/bin/sh
# Checks the dependencies between the folders of src/: includes, and with a build folder also the symbols of its objects, circles
# between the files of some folders, and which functions of libm and of the system's memory the library uses.
# Then adds violations to a copy and checks that each is found. Prints every violation; exit code 1 if there is one.
# Usage: scripts/check-includes.sh [BUILD FOLDER]
set -eu
CDPATH='' cd "$(dirname "$0")/.."
build=${1:-}
if [ -n "$build" ] && [ ! -f "$build/CMakeFiles/puddle_static.dir/src/core/file.c.o" ]; then
    echo "check-includes.sh: '$build' holds no build (cmake --build it first)" >&2
    exit 1
fi

# From the lowest to the highest: a folder, and the folders whose headers it may include. A row holds for the folder and for
# those below it that have no row. "sim/." is the folder without the folders below it; "<" stands for SDL, OpenGL and ImGui.
# All from log on use the simulation only through the public API; render and record do not include world.h, so that they
# are independent of worlds and methods. Of the window only the loop (app/.) puts session, view and device together.
layers='
platform                platform/
core                    platform/ core/ puddle/result.h puddle/memory.h
scene                   core/ scene/ puddle/result.h puddle/memory.h puddle/parameter.h puddle/method.h puddle/scene.h puddle/items.h
sim/walls               core/ scene/ sim/. sim/walls/ puddle/
bodies                  core/ scene/ sim/walls/ bodies/ puddle/
sim/particles           core/ scene/ sim/. sim/walls/ sim/particles/ puddle/
sim/raster              core/ sim/. sim/walls/ sim/raster/ puddle/
sim/sources             core/ scene/ sim/. sim/walls/ sim/raster/ sim/particles/ sim/sources/ puddle/
sim/tools               core/ scene/ sim/. sim/walls/ sim/particles/ sim/tools/ puddle/
sim                     core/ scene/ bodies/ sim/ puddle/
mac/poisson             core/ mac/. mac/poisson/ puddle/
mac                     core/ sim/ mac/ puddle/
vortex                  core/ vortex/ puddle/
methods/particle_fluid  core/ scene/ sim/ methods/particle_fluid/ puddle/
methods/ddr             core/ scene/ sim/ methods/particle_fluid/ methods/ddr/ puddle/
methods/sph             core/ scene/ sim/ methods/particle_fluid/ methods/sph/ puddle/
methods/pbf             core/ scene/ sim/ methods/particle_fluid/ methods/pbf/ puddle/
methods/flip            core/ scene/ sim/ mac/ methods/particle_fluid/ methods/flip/ puddle/
methods/grid            core/ scene/ sim/ mac/ methods/. methods/grid/ puddle/
methods/vortex          core/ scene/ sim/ mac/. vortex/ methods/. methods/vortex/ puddle/
methods                 core/ scene/ sim/ mac/ vortex/ methods/ puddle/
log                     core/ scene/ log/ puddle/
reference               core/ reference/ puddle/
render/lines            core/ render/. render/lines/ puddle/result.h puddle/memory.h puddle/scene.h puddle/view.h <
render/fields           core/ render/. render/fields/ puddle/result.h puddle/memory.h puddle/scene.h puddle/view.h <
render/particles        core/ render/. render/particles/ puddle/result.h puddle/memory.h puddle/scene.h puddle/view.h <
render                  core/ render/ puddle/result.h puddle/memory.h puddle/scene.h puddle/view.h <
record                  core/ record/ puddle/result.h puddle/memory.h puddle/scene.h puddle/view.h
app/tables              core/ puddle/ app/tables/
app/io                  platform/ core/ scene/ puddle/ record/ app/io/
app/session             core/ scene/ puddle/ app/tables/ app/io/ app/session/
app/view                core/ puddle/ render/ app/tables/ app/io/ app/session/ app/view/
app/ui                  core/ puddle/ render/ app/ui/ <
app/device              platform/ core/ scene/ puddle/ render/ record/ app/io/ app/ui/ app/device/ <
app/overlay             core/ scene/ puddle/ render/ record/ app/tables/ app/io/ app/session/ app/view/ app/ui/ app/device/ app/overlay/
app                     core/ scene/ puddle/ render/ record/ app/ <
cli                     platform/ core/ scene/ reference/ render/ record/ app/ cli/ puddle/
'
# Folders below methods may use the symbols of this file (puddle/method.h): a scene's keys come from the methods' tables.
methods=methods/methods.c
# The header by which others use a folder; the folder's other files must not include it.
entries='render/renderer.h'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
includes=$work/includes symbols=$work/symbols
# list_includes ROOT: writes "FILE INCLUDED" for every include of puddle's own, and "FILE <SDL" for one of SDL, OpenGL or ImGui.
list_includes() {
    (cd "$1" && grep -rE '^ *# *include' src include --include='*.[ch]' --include='*.cpp') | sed -nE \
        's/^([^:]*): *# *include *("([^"]*)"|<(puddle\/[^>]*)>).*/\1 \3\4/p
        s/^([^:]*): *# *include *(<(SDL|epoxy|imgui|backends)).*/\1 \2/p' >"$includes"
}
# list_symbols ROOT BUILD: writes "SOURCE SYMBOL TYPE" for every symbol of the build's objects whose source still exists.
list_symbols() {
    (cd "$2" && find . -path './CMakeFiles/puddle*.dir/src/*.o' -exec nm -gPA {} +) | sed 's|^[^:]*\.dir/src/\([^:]*\)\.o: |\1 |' >"$work/all"
    (cd "$1/src" && find . -type f) | sed 's|^\./||' | awk 'NR == FNR { exists[$1]; next } $1 in exists' - "$work/all" >"$symbols"
}

# Reads the rows. row_of(FILE): the row of a file, by the longest name. may(ROW, PATH): whether PATH is in its list.
rules='
    BEGIN {
        count = split(layers, lines, "\n")
        for (i = 1; i <= count; i++) {
            words = split(lines[i], word, " ")
            if (words) height[word[1]] = i
            for (k = 2; k <= words; k++) list[word[1], ++ways[word[1]]] = word[k]
        }
    }
    function row_of(file) { while (sub(/\/[^\/]*$/, "", file)) if (file in height) return file; return "" }
    function may(row, path, k, own) {
        for (k = 1; k <= ways[row]; k++) {
            own = list[row, k]
            if (own ~ /\/\.$/) { if (substr(path, 1, length(own) - 1) == substr(own, 1, length(own) - 1) && substr(path, length(own)) !~ /\//) return 1 }
            else if (index(path, own) == 1) return 1
        }
        return 0
    }'
check_folders() {
    awk -v layers="$layers" "$rules"'
        {
            if ($1 ~ /^include/) { if (index($2, "puddle/") != 1) print $1 " includes " $2; next }
            if (!may(row_of(substr($1, 5)), $2)) print $1 " includes " $2
        }' "$includes"
}

# Headers of the operating system are included only by platform.
system='(unistd|fcntl|signal|pthread|poll|dirent|pwd|spawn|sched|ftw|dlfcn|termios|(sys|linux|netinet|arpa)/[a-z_]*)\.h'
check_system() {
    (cd "$1" && grep -nE "^ *# *include *<$system>" -r src --include='*.[ch]' --include='*.cpp' |
        grep -v '^src/platform/' |
        sed 's|^\([^:]*\):[0-9]*: *# *include *<\(.*\)>.*|\1 includes \2, as only src/platform does|') || true
}

# Circular includes of headers.
check_circles() {
    sed -n 's|^src/\(.*\.h .*\.h\)$|\1|p; s|^include/\(.*\.h .*\.h\)$|\1|p' "$includes" | tsort 2>&1 >/dev/null |
        sed -n 's|^tsort: \(.*/\)|in a circle of includes: \1|p'
}

# Files of a folder whose objects need each other, directly or through others. Holds for the folders of `ordered`.
ordered=' app/tables app/io app/session app/view app/ui app/overlay render render/lines render/fields render/particles '
check_files() {
    for folder in $ordered; do
        awk -v folder="$folder" '
            {
                file = $1
                sub(/\/[^\/]*$/, "", $1)
                if ($1 != folder) next
                if ($3 == "U") uses[file, $2] = file " " $2
                else home[$2] = file
            }
            END {
                for (use in uses) {
                    split(uses[use], part, " ")
                    if (part[2] in home && home[part[2]] != part[1]) print part[1] " " home[part[2]]
                }
            }' "$symbols" | sort | tsort 2>&1 >/dev/null | sed -n 's|^tsort: \(.*/\)|in a circle of files: src/\1|p'
    done
}

# The entry header of a folder is included inside it only by the source file of the same name.
check_entries() {
    awk -v entries="$entries" '
        {
            folder = $2; sub(/[^\/]*$/, "", folder)
            file = $2; sub(/\.h$/, ".c", file)
            if (index(entries, $2) && index($1, "src/" folder) == 1 && $1 != "src/" file) print $1 " includes " $2
        }' "$includes"
}

# Objects of the build folder whose source still exists must not use symbols of a higher folder.
check_symbols() {
    awk -v layers="$layers" -v methods="$methods" "$rules"'
        $3 == "U" { users[$2] = users[$2] " " $1 }
        $3 != "U" && row_of($1) { home[$2] = $1 }
        END {
            for (symbol in home) {
                above = row_of(home[symbol]); split(above, part, "/")
                count = split(users[symbol], user, " ")
                for (i = 1; i <= count; i++) {
                    row = row_of(user[i]); split(row, own, "/")
                    if (own[1] == part[1] ? may(row, home[symbol]) : height[row] > height[above]) continue
                    if (home[symbol] != methods) print "src/" user[i] " uses " symbol " of src/" home[symbol]
                }
            }
        }' "$symbols" | sort
}

# The library uses no function of libm whose last bit depends on the processor or on the version of libm (core/math.h): only
# those with exact or correctly rounded results. Where libm is no libm.so.6, the check is left out.
library=' platform core scene bodies sim mac vortex methods log '
exact=' fabs fmin fmax sqrt floor ceil trunc round lround llround rint lrint llrint nearbyint fmod remainder copysign
 ldexp scalbn scalbln frexp modf nextafter '
libm=$("${CC:-cc}" -print-file-name=libm.so.6)
[ -f "$libm" ] || libm=
check_libm() {
    [ -n "$libm" ] || return 0
    nm -DP "$libm" | sed 's|^|libm |' | awk -v library="$library" -v exact="$exact" '
        BEGIN {
            count = split(exact, name)
            for (i = 1; i <= count; i++) allowed[name[i]] = allowed[name[i] "f"] = allowed[name[i] "l"] = 1
        }
        $1 == "libm" { sub(/@.*/, "", $2); if ($3 != "U") inexact[$2] = !($2 in allowed); next }
        $3 == "U" && inexact[$2] {
            split($1, part, "/")
            if (index(library, " " part[1] " ")) print "src/" $1 " uses " $2 " of libm, whose last bit varies (use core/math.h)"
        }' - "$symbols" | sort -u
}

# The library gets its memory from the allocator of the program (core/memory.h). free is allowed in the files whose streams
# allocate (open_memstream).
allocators=' malloc calloc realloc reallocarray aligned_alloc posix_memalign strdup strndup asprintf vasprintf getline getdelim free '
streams=' src/scene/file/writer.c src/log/command_text.c '
check_memory() {
    awk -v library="$library" -v allocators="$allocators" -v streams="$streams" '
        $3 == "U" && index(allocators, " " $2 " ") && $1 != "core/memory.c" {
            split($1, part, "/")
            if ($2 == "free" && index(streams, " src/" $1 " ")) next
            if (index(library, " " part[1] " ")) print "src/" $1 " uses " $2 " (use core/memory.h)"
        }' "$symbols" | sort -u
}

# The functions of a method's table (sim/method.h) are called only in sim/method.c, which handles those that are NULL.
functions=$(sed -nE 's/.*\(\*([a-z_]+)\)\(.*/\1/p' src/sim/method.h)
check_calls() {
    (cd "$1" && grep -nE "(method|law)->($(echo "$functions" | paste -s -d '|'))\(" -r src --include='*.[ch]' |
        grep -v '^src/sim/method.c:' | sed 's|^\([^:]*:[0-9]*\):.*|\1 calls through the table of a method, as only src/sim/method.c does|') || true
}

# The window changes the world by commands alone, so that its log is complete: only timeline.c does. Only the session goes to
# another state of the log, or back to the beginning of an unfinished step; thumbnails.c has worlds of its own.
check_door() {
    (cd "$1" && grep -snE '\<pd_(world_(set_[a-z]*|reset|reset_parameter|apply[a-z_]*)|log_(do|append))\(' -r src/app --include='*.[ch]*' |
        grep -v '^src/app/session/timeline\.c:' |
        sed 's|^\([^:]*:[0-9]*\):.*|\1 changes the world, as only src/app/session/timeline.c does|') || true
    (cd "$1" && grep -snE '\<pd_(world_(restore_from_memory|step|step_part)|log_(replay_commands|seek[a-z_]*|remove_future|undo|redo)|reverse_go_back)\(' \
        -r src/app --include='*.[ch]*' | grep -v -e '^src/app/session/' -e '^src/app/device/thumbnails\.c:' |
        sed 's|^\([^:]*:[0-9]*\):.*|\1 goes to another state of the world, as only src/app/session does|') || true
}

# check ROOT [BUILD]: prints the violations of a tree, and of a build.
check() {
    list_includes "$1"
    check_folders
    check_system "$1"
    check_circles
    check_entries
    check_door "$1"
    check_calls "$1"
    [ -z "$2" ] || { list_symbols "$1" "$2" && check_symbols && check_files && check_libm && check_memory; }
}

found=$(check . "$build")
if [ -n "$found" ]; then
    echo "$found"
    echo "check-includes.sh: the order of the folders is in this script and in CONTRIBUTING.md, Where things are"
    exit 1
fi

# One copy has a violation of each kind.
copy=$work/copy
mkdir "$copy"
cp -R src include "$copy"
: >"$work/expected"
# plant_line FILE LINE EXPECTED: adds a line to a file of the copy; the message then is "FILE EXPECTED", or "FILE:LINE EXPECTED".
plant_line() {
    echo "$2" >>"$copy/$1"
    case $3 in
    includes*) echo "$1 $3" ;;
    *) echo "$1:$(wc -l <"$copy/$1") $3" ;;
    esac >>"$work/expected"
}
# plant FILE INCLUDE: adds an include.
plant() { plant_line "$1" "#include $2" "includes $(echo "$2" | sed 's/"//g; s/^<\(puddle.*\)>/\1/; s/\.h>//')"; }
# must_find [BUILD]: checks that each violation of the copy is found.
must_find() {
    check "$copy" "${1:-}" >"$work/found"
    while read -r line; do
        grep -qF "$line" "$work/found" || { echo "check-includes.sh: has not found what was planted: $line" && exit 1; }
    done <"$work/expected"
}
plant src/platform/platform.h '"core/error.h"'
plant_line src/record/sink.c '#include <sys/stat.h>' 'includes sys/stat.h, as only src/platform does'
plant src/core/file.c '"scene/file/document.h"'
plant src/core/file.h '<puddle/world.h>'
plant src/scene/check.c '"sim/world.h"'
plant src/bodies/solver.c '"sim/world.h"'
plant src/vortex/induction.c '"mac/mac.h"'
plant src/sim/sources/sources.c '"methods/ddr/ddr.h"'
plant src/render/lines/lines.c '"app/loop.h"'
plant src/render/lines/lines.h '"render/renderer.h"'
plant src/app/overlay/panel.c '"sim/world.h"'
plant src/app/session/timeline.c '"app/view/viewport.h"'
plant src/app/session/session.h '"app/ui/ui.h"'
plant src/app/session/session.h '<SDL.h>'
plant src/app/view/viewport.c '"app/device/display.h"'
plant src/app/overlay/hud.c '"app/loop.h"'
plant src/app/device/pointer.h '"app/session/session.h"'
plant src/app/overlay/panel.c '"app/loop.h"'
plant src/cli/run.c '"methods/particle_fluid/motion.h"'
plant src/cli/run.c '"options.h"'
plant include/puddle/view.h '"sim/world.h"'
plant_line src/app/device/pointer.c 'void planted(pd_session *session) { pd_world_set_tool(session->world, NULL); }' \
    'changes the world, as only src/app/session/timeline.c does'
plant_line src/app/session/session.c 'void planted(pd_session *session) { pd_world_reset(session->world); }' \
    'changes the world, as only src/app/session/timeline.c does'
plant_line src/app/overlay/panel.c 'void planted(pd_session *session) { pd_log_do(session->log, session->world, NULL, NULL); }' \
    'changes the world, as only src/app/session/timeline.c does'
plant_line src/app/overlay/message.c 'void planted(pd_session *session) { pd_world_restore_from_memory(session->world, NULL, 0, NULL); }' \
    'goes to another state of the world'
for function in init resize adapt cell step warning field saved_bytes destroy density_of; do
    plant_line src/sim/planted.c "void planted_$function(pd_world *world) { world->method->$function(world->state); }" \
        'calls through the table of a method'
done
must_find
# A circle alone, since the others may close it too.
list_includes .
echo 'src/render/picture.h render/lines/lines.h' >>"$includes"
check_circles | grep -qF 'in a circle of includes: render/lines/lines.h' ||
    { echo "check-includes.sh: has not found a circle of includes" && exit 1; }

if [ -n "$build" ]; then
    rm -rf "$copy"
    objects=$copy/CMakeFiles/puddle_static.dir/src
    mkdir -p "$copy/include"
    # compile FILE TEXT: a source of the copy and its object.
    compile() {
        mkdir -p "$(dirname "$copy/src/$1")" "$(dirname "$objects/$1")"
        echo "$2" >"$copy/src/$1"
        "${CC:-cc}" -c "$copy/src/$1" -o "$objects/$1.o"
    }
    compile core/use.c 'int planted(void); int use(void); int use(void) { return planted(); }'
    compile sim/planted.c 'int planted(void); int planted(void) { return 1; }'
    compile methods/wave.c '#include <math.h>
        double wave(double x); double wave(double x) { return sqrt(x) + ldexp(cos(x), 3); }'
    compile scene/list.c '#include <stdlib.h>
        void list(void **a); void list(void **a) { free(a[0]); a[0] = calloc(1, sizeof a); }'
    compile app/overlay/one.c 'int one(void), two(void); int one(void) { return two(); }'
    compile app/overlay/two.c 'int two(void), three(void); int two(void) { return three(); }'
    compile app/overlay/three.c 'int one(void), three(void); int three(void) { return one(); }'
    {
        for name in one two three; do echo "in a circle of files: src/app/overlay/$name.c"; done
        echo 'src/core/use.c uses planted of src/sim/planted.c'
        [ -z "$libm" ] || echo 'src/methods/wave.c uses cos of libm'
        echo 'src/scene/list.c uses calloc'
        echo 'src/scene/list.c uses free'
    } >"$work/expected"
    must_find "$copy"
fi
