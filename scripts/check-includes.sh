#!/bin/sh
# Checks the dependencies between the folders of src/: includes, and with a build folder also the symbols of its objects, and
# which functions of libm and of the system's memory the library uses.
# Then adds violations to a copy and checks that each is found. Prints every violation; exit code 1 if there is one.
# Usage: scripts/check-includes.sh [BUILD FOLDER]
set -eu
cd "$(dirname "$0")/.."
build=${1:-}
if [ -n "$build" ] && [ ! -f "$build/CMakeFiles/puddle_internal.dir/src/core/file.c.o" ]; then
    echo "check-includes.sh: '$build' holds no build (cmake --build it first)" >&2
    exit 1
fi

# From the lowest to the highest: a folder, and what it may include. All from log on use the simulation only through the
# public API; render and record do not include world.h, so that they are independent of worlds and methods.
layers='
core       core/     puddle/result.h puddle/memory.h
scene      core/ scene/     puddle/result.h puddle/memory.h puddle/parameter.h puddle/method.h puddle/scene.h puddle/items.h
sim        core/ scene/ sim/     puddle/
mac        core/ sim/ mac/     puddle/
vortex     core/ vortex/     puddle/
methods    core/ scene/ sim/ mac/ vortex/ methods/     puddle/
log        core/ scene/ log/     puddle/
reference  core/ reference/     puddle/
render     core/ render/     puddle/result.h puddle/memory.h puddle/scene.h puddle/view.h
record     core/ record/     puddle/result.h puddle/memory.h puddle/scene.h puddle/view.h
app        core/ scene/ render/ record/ app/     puddle/
cli        core/ scene/ reference/ render/ record/ app/ cli/     puddle/
'
# Folders below methods may use the symbols of this file (puddle/method.h): a scene's keys come from the methods' tables.
list=methods/methods.c
# The header by which others use a folder; the folder's other files must not include it.
entries='render/renderer.h'

# includes ROOT: prints "FILE INCLUDED" for every include of puddle's own.
includes() {
    (cd "$1" && find src include -name '*.[ch]' -o -name '*.cpp' | sort | xargs sed -nE \
        's|^ *# *include *("([^"]*)".*\|<(puddle/[^>]*)>.*)|\2\3|; t show; b; :show; F; p') | paste -d ' ' - -
}

# The parts of the window: the files of src/app (FILE.c and FILE.h), and behind the colon what they may include; < is SDL,
# OpenGL and ImGui. Only the loop puts session, viewport and device together.
parts='
values     announce app.h controls draft gallery keys pace paths settings step_start stroke tools
values:    core/ puddle/ scene/file/bundled.h record/sink.h app/io/announce.h app/tables/controls.h app/session/draft.h app/io/gallery.h app/tables/keys.h app/session/pace.h app/io/paths.h
values:    app/io/settings.h app/session/step_start.h app/session/stroke.h app/tables/tools.h scene/polygon.h
session    session actions backwards commands edits gravity items last_log material_edits motions open pouring replace save second
session    seek steps warnings
session:   core/ scene/ puddle/ app/io/announce.h app/tables/controls.h app/tables/keys.h app/session/pace.h app/io/paths.h app/io/settings.h app/session/step_start.h
session:   app/session/draft.h app/tables/tools.h app/session/session.h
viewport   viewport meter slow
viewport:  core/ puddle/ render/ app/io/announce.h app/io/gallery.h app/session/session.h app/view/viewport.h
ui         ui ui_inside ui_panel charts
ui:        core/ puddle/ render/ app/ui/ui.h app/ui/ui_inside.h <
device     device display pointer recorder thumbnail_cache thumbnails
device:    core/ puddle/ render/ record/ app/io/announce.h app/app.h app/io/paths.h app/io/settings.h app/ui/ui.h <
device:    scene/content/counts.h app/io/gallery.h app/device/display.h app/device/pointer.h app/device/recorder.h app/device/thumbnail_cache.h app/device/thumbnails.h
device:    app/device/device.h
interface  interface browser dyes ghost help hint hud icons material_palette materials new_scene panel panes probe timeline toolbar
interface: core/ scene/ puddle/ render/ record/ app/io/announce.h app/tables/controls.h app/io/settings.h app/session/session.h app/view/viewport.h
interface: app/ui/ui.h app/device/display.h app/device/pointer.h app/device/recorder.h app/overlay/interface.h
loop       app input loop
loop:      core/ puddle/ app/ <
'
check_parts() {
    { includes "$1"; (cd "$1" && grep -srEo '^ *# *include *<(SDL|epoxy|imgui|backends)' src/app | sed 's|:.*<| <|'); } |
        awk -v parts="$parts" '
        BEGIN {
            count = split(parts, lines, "\n")
            for (i = 1; i <= count; i++) {
                words = split(lines[i], word, " ")
                may = sub(/:$/, "", word[1])
                for (k = 2; k <= words; k++) {
                    if (may) allowed[word[1], ++ways[word[1]]] = word[k]
                    else part[word[k]] = word[1]
                }
            }
        }
        index($1, "src/app/") == 1 {
            name = substr($1, 9); stem = name; sub(/[.].*/, "", stem)
            own = name in part ? part[name] : part[stem]
            if (own == "") { print $1 " is in none of the parts of the window (scripts/check-includes.sh)"; next }
            found = 0
            for (k = 1; k <= ways[own]; k++) if (index($2, allowed[own, k]) == 1) found = 1
            if (!found) print $1 " includes " $2 ", which is another part of the window"
        }'
}

check_folders() {
    includes "$1" | awk -v layers="$layers" '
        BEGIN {
            count = split(layers, lines, "\n")
            for (i = 1; i <= count; i++) {
                words = split(lines[i], word, " ")
                for (k = 2; k <= words; k++) allowed[word[1], ++ways[word[1]]] = word[k]
            }
        }
        {
            split($1, part, "/")
            folder = part[1] == "src" ? part[2] : ""
            found = part[1] == "include" && index($2, "puddle/") == 1
            for (k = 1; k <= ways[folder]; k++) if (index($2, allowed[folder, k]) == 1) found = 1
            if (!found) print $1 " includes " $2
        }'
}

# Circular includes of headers.
check_circles() {
    includes "$1" | sed -n 's|^src/\(.*\.h .*\.h\)$|\1|p; s|^include/\(.*\.h .*\.h\)$|\1|p' | tsort 2>&1 >/dev/null |
        sed -n 's|^tsort: \(.*/\)|in a circle of includes: \1|p'
}

# The entry header of a folder is included inside it only by the source file of the same name.
check_entries() {
    includes "$1" | awk -v entries="$entries" '
        {
            folder = $2; sub(/[^\/]*$/, "", folder)
            file = $2; sub(/\.h$/, ".c", file)
            if (index(entries, $2) && index($1, "src/" folder) == 1 && $1 != "src/" file) print $1 " includes " $2
        }'
}

# Objects of the build folder whose source still exists must not use symbols of a higher folder.
check_symbols() {
    (cd "$2" && find . -path './CMakeFiles/puddle*.dir/src/*.o' | sort) | while read -r object; do
        source=${object#*.dir/src/} && source=${source%.o}
        [ ! -f "$1/src/$source" ] || nm -gP "$2/$object" | sed "s|^|$source |"
    done | awk -v layers="$layers" -v list="$list" '
        BEGIN {
            count = split(layers, lines, "\n")
            for (i = 1; i <= count; i++) if (split(lines[i], word, " ")) height[word[1]] = i
        }
        { split($1, part, "/") }
        $3 == "U" { users[$2] = users[$2] " " $1 }
        $3 != "U" && part[1] in height { home[$2] = $1 }
        END {
            for (symbol in home) {
                split(home[symbol], part, "/")
                above = height[part[1]]
                count = split(users[symbol], user, " ")
                for (i = 1; i <= count; i++) {
                    split(user[i], part, "/")
                    if (height[part[1]] < above && home[symbol] != list)
                        print "src/" user[i] " uses " symbol " of src/" home[symbol]
                }
            }
        }' | sort
}

# The library uses no function of libm whose last bit depends on the processor or on the version of libm (core/math.h): only
# those with exact or correctly rounded results. Where libm is no libm.so.6, the check is left out.
library=' core scene sim mac vortex methods log '
exact=' fabs fmin fmax sqrt floor ceil trunc round lround llround rint lrint llrint nearbyint fmod remainder copysign
 ldexp scalbn scalbln frexp modf nextafter '
libm=$("${CC:-cc}" -print-file-name=libm.so.6)
[ -f "$libm" ] || libm=
check_libm() {
    [ -n "$libm" ] || return 0
    (cd "$2" && find . -path './CMakeFiles/puddle*.dir/src/*.o' | sort) | while read -r object; do
        source=${object#*.dir/src/} && source=${source%.o}
        [ ! -f "$1/src/$source" ] || nm -gP "$2/$object" | sed "s|^|$source |"
    done | {
        nm -DP "$libm" | sed 's|^|libm |'
        cat
    } | awk -v library="$library" -v exact="$exact" '
        BEGIN {
            count = split(exact, name)
            for (i = 1; i <= count; i++) allowed[name[i]] = allowed[name[i] "f"] = allowed[name[i] "l"] = 1
        }
        $1 == "libm" { sub(/@.*/, "", $2); if ($3 != "U") inexact[$2] = !($2 in allowed); next }
        $3 == "U" && inexact[$2] {
            split($1, part, "/")
            if (index(library, " " part[1] " ")) print "src/" $1 " uses " $2 " of libm, whose last bit varies (use core/math.h)"
        }' | sort -u
}

# The library gets its memory from the allocator of the program (core/memory.h). free is allowed in the files whose streams
# allocate (open_memstream).
allocators=' malloc calloc realloc reallocarray aligned_alloc posix_memalign strdup strndup asprintf vasprintf getline getdelim free '
streams=' src/scene/file/writer.c src/log/command_text.c '
check_memory() {
    (cd "$2" && find . -path './CMakeFiles/puddle*.dir/src/*.o' | sort) | while read -r object; do
        source=${object#*.dir/src/} && source=${source%.o}
        [ ! -f "$1/src/$source" ] || nm -gP "$2/$object" | sed "s|^|src/$source |"
    done | awk -v library="$library" -v allocators="$allocators" -v streams="$streams" '
        $3 == "U" && index(allocators, " " $2 " ") && $1 != "src/core/memory.c" {
            split($1, part, "/")
            if ($2 == "free" && index(streams, " " $1 " ")) next
            if (index(library, " " part[2] " ")) print $1 " uses " $2 " (use core/memory.h)"
        }' | sort -u
}

# The functions of a method's table (sim/method.h) are called only in sim/method.c, which handles those that are NULL.
functions=$(sed -nE 's/.*\(\*([a-z_]+)\)\(.*/\1/p' src/sim/method.h)
check_calls() {
    (cd "$1" && grep -nE "(method|law)->($(echo "$functions" | paste -s -d '|'))\(" -r src --include='*.[ch]' |
        grep -v '^src/sim/method.c:' | sed 's|^\([^:]*:[0-9]*\):.*|\1 calls through the table of a method, as only src/sim/method.c does|') || true
}

# The window changes the world by commands alone, so that its log is complete: only these files go to another state of the
# log, or back to the beginning of a step that was not completed; thumbnails.c has worlds of its own. The second world of
# second.c, which has no log, follows the commands of the first.
doors='commands.c backwards.c second.c seek.c actions.c step_start.c steps.c thumbnails.c'
check_door() {
    (cd "$1" && grep -snE '\<pd_(world_(set_[a-z]*|reset[a-z_]*|apply[a-z_]*|wait)|log_(do|append))\(' -r src/app --include='*.[ch]*' |
        grep -v -e '^src/app/commands\.c:' -e '^src/app/second\.c:.*second->world' | sed 's|^\([^:]*:[0-9]*\):.*|\1 changes the world, as only src/app/session/commands.c does|') || true
    (cd "$1" && grep -snE '\<pd_(world_(restore_memory|step|step_part|begin_step)|log_(play|seek[a-z_]*|branch|undo|redo)|reverse_back)\(' \
        -r src/app --include='*.[ch]*' | awk -F: -v doors="$doors" '
        BEGIN { count = split(doors, names, " "); for (i = 1; i <= count; i++) allowed["src/app/" names[i]] = 1 }
        !($1 in allowed) { print $1 ":" $2 " goes to another state of the world, as only " doors " do" }') || true
}

check() {
    check_folders "$1"
    check_parts "$1"
    check_door "$1"
    check_calls "$1"
    check_circles "$1"
    check_entries "$1"
    [ -z "$2" ] || { check_symbols "$1" "$2"; check_libm "$1" "$2"; check_memory "$1" "$2"; }
}

found=$(check . "$build")
if [ -n "$found" ]; then
    echo "$found"
    echo "check-includes.sh: the order of the folders is in this script and in CONTRIBUTING.md, Where things are"
    exit 1
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
# must_find EXPECTED [BUILD FOLDER]: checks that the copy's violation is found.
must_find() {
    check "$copy" "${2:-}" | grep -qF "$1" || { echo "check-includes.sh: has not found what was planted: $1"; exit 1; }
}
# plant FILE INCLUDE EXPECTED: adds an include to a fresh copy and checks that it is found.
plant() {
    rm -rf "$copy/src" "$copy/include"
    cp -R src include "$copy"
    echo "#include $2" >>"$copy/$1"
    must_find "$3"
}
plant src/core/file/file.c '"scene/file/document.h"' 'src/core/file/file.c includes scene/file/document.h'
plant src/core/file/file.h '<puddle/world.h>' 'src/core/file/file.h includes puddle/world.h'
plant src/scene/check.c '"sim/world.h"' 'src/scene/check.c includes sim/world.h'
plant src/vortex/induction.c '"mac/mac.h"' 'src/vortex/induction.c includes mac/mac.h'
plant src/sim/sources/emit.c '"methods/ddr/ddr.h"' 'src/sim/sources/emit.c includes methods/ddr/ddr.h'
plant src/render/lines/lines.c '"app/loop.h"' 'src/render/lines/lines.c includes app/loop.h'
plant src/render/lines/lines.h '"render/renderer.h"' 'src/render/lines/lines.h includes render/renderer.h'
plant src/render/picture.h '"render/lines/lines.h"' 'in a circle of includes: render/lines/lines.h'
plant src/app/overlay/panel.c '"sim/world.h"' 'src/app/overlay/panel.c includes sim/world.h'
plant src/app/session/commands.c '"app/view/viewport.h"' 'src/app/session/commands.c includes app/view/viewport.h, which is another part'
plant src/app/session/session.h '"app/ui/ui.h"' 'src/app/session/session.h includes app/ui/ui.h, which is another part'
plant src/app/session/session.h '<SDL.h>' 'src/app/session/session.h includes <SDL, which is another part'
plant src/app/view/viewport.c '"app/device/display.h"' 'src/app/view/viewport.c includes app/device/display.h, which is another part'
plant src/app/overlay/hud.c '"app/device/device.h"' 'src/app/overlay/hud.c includes app/device/device.h, which is another part'
plant src/app/device/pointer.h '"app/session/session.h"' 'src/app/device/pointer.h includes app/session/session.h, which is another part'
plant src/app/overlay/panel.c '"app/loop.h"' 'src/app/overlay/panel.c includes app/loop.h, which is another part'
plant src/app/planted.c '"app/session/session.h"' 'src/app/planted.c is in none of the parts'
plant src/cli/run.c '"methods/particle_fluid/motion.h"' 'src/cli/run.c includes methods/particle_fluid/motion.h'
plant src/cli/run.c '"options.h"' 'src/cli/run.c includes options.h'
plant include/puddle/view.h '"sim/world.h"' 'include/puddle/view.h includes sim/world.h'
# plant_line FILE LINE EXPECTED: adds a line to a fresh copy.
plant_line() {
    rm -rf "$copy/src" "$copy/include"
    cp -R src include "$copy"
    echo "$2" >>"$copy/$1"
    must_find "$3"
}
plant_line src/app/device/pointer.c 'void planted(pd_session *session) { pd_world_set_tool(session->world, NULL); }' \
    'changes the world, as only src/app/session/commands.c does'
plant_line src/app/session/replace.c 'void planted(pd_session *session) { pd_world_reset(session->world); }' \
    'changes the world, as only src/app/session/commands.c does'
plant_line src/app/overlay/panel.c 'void planted(pd_session *session) { pd_log_do(session->log, session->world, NULL, NULL); }' \
    'changes the world, as only src/app/session/commands.c does'
plant_line src/app/session/save.c 'void planted(pd_session *session) { pd_world_restore_memory(session->world, NULL, 0, NULL); }' \
    'goes to another state of the world'
rm -rf "$copy/src" && mkdir -p "$copy/src/core" "$copy/src/sim"
for function in init resize adapt cell step warning field saved_bytes destroy density_of; do
    echo "void planted(pd_world *world) { world->method->$function(world->state); }" >"$copy/src/sim/planted.c"
    check_calls "$copy" | grep -qF 'src/sim/planted.c:1 calls through the table of a method' ||
        { echo "check-includes.sh: has not found what was planted: a call of $function"; exit 1; }
done
if [ -n "$build" ]; then
    objects=$copy/CMakeFiles/puddle_internal.dir/src
    mkdir -p "$objects/core" "$objects/sim"
    echo 'int planted(void); int use(void); int use(void) { return planted(); }' >"$copy/src/core/use.c"
    echo 'int planted(void); int planted(void) { return 1; }' >"$copy/src/sim/planted.c"
    "${CC:-cc}" -c "$copy/src/core/use.c" -o "$objects/core/use.c.o"
    "${CC:-cc}" -c "$copy/src/sim/planted.c" -o "$objects/sim/planted.c.o"
    must_find 'src/core/use.c uses planted of src/sim/planted.c' "$copy"
    mkdir -p "$copy/src/methods" "$objects/methods"
    echo '#include <math.h>' >"$copy/src/methods/wave.c"
    echo 'double wave(double x); double wave(double x) { return sqrt(x) + ldexp(cos(x), 3); }' >>"$copy/src/methods/wave.c"
    "${CC:-cc}" -c "$copy/src/methods/wave.c" -o "$objects/methods/wave.c.o"
    [ -z "$libm" ] || must_find 'src/methods/wave.c uses cos of libm' "$copy"
    mkdir -p "$copy/src/scene" "$objects/scene"
    echo '#include <stdlib.h>' >"$copy/src/scene/list.c"
    echo 'void list(void **a); void list(void **a) { free(a[0]); a[0] = calloc(1, sizeof a); }' >>"$copy/src/scene/list.c"
    "${CC:-cc}" -c "$copy/src/scene/list.c" -o "$objects/scene/list.c.o"
    must_find 'src/scene/list.c uses calloc' "$copy"
    must_find 'src/scene/list.c uses free' "$copy"
fi
