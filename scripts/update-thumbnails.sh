#!/bin/bash
# Draws the pictures of the bundled scenes for the browser, assets/thumbnails/NAME.png. Run it after a change of a scene, and look at
# the pictures. Needs ImageMagick, and OpenGL without a display (Mesa).
# Usage: scripts/update-thumbnails.sh PUDDLE [SCENE...]     PUDDLE: the program; without SCENE: all scenes
set -eu
CDPATH='' cd "$(dirname "$0")/.."
# Nothing of the person is in the pictures, and the renderer is Mesa's.
[ -n "${PUDDLE_TEST_FOLDER-}" ] || exec tests/support/isolated.sh bash "$PWD/scripts/update-thumbnails.sh" "$(realpath "$1")" "${@:2}"
program=$1
shift
[ $# -gt 0 ] || set -- $(cd assets/scenes && ls ./*.yaml | sed 's|./\(.*\)\.yaml|\1|')

# Prints the simulated time of a scene's picture, in halves of a second: the scene is then in full motion.
seconds_of() {
    case $1 in
    martin-moyce) echo 0.5 ;;
    cradle-in-water | dam-break | flip-dam | flip-splash | iceberg | melting-picture) echo 1 ;;
    jelly | mud) echo 1.5 ;;
    dye-drops | four-vortices | rayleigh-taylor) echo 3 ;;
    cavity | dye-drop | flip-waterfall | leapfrogging | rain | slime-on-the-ceiling | smoke-plume | tank) echo 4 ;;
    aquarium | dominoes | ducks | fountain | honey | kelvin-helmholtz | leaking-ship | marble-run | obstacles | oil-and-water | stirring) echo 6 ;;
    hourglass) echo 10 ;;
    karman-street | marble-machine | pump) echo 16 ;;
    lava-lamp) echo 30 ;;
    *) echo 2 ;;
    esac
}

raw=$(mktemp -d)
trap 'rm -r "$raw"' EXIT
mkdir -p assets/thumbnails
for scene; do
    # Twice the size of the browser's pictures (src/app/device/thumbnails.h), so that scaling smooths edges.
    "$program" render "assets/scenes/$scene.yaml" -o "$raw/" --force --size 960x600 --fps 2 --seconds "$(seconds_of "$scene")" --quiet
    convert "$(ls "$raw"/frame_*.png | tail -1)" -filter box -resize 480x300 -dither None -colors 200 -strip -define png:compression-level=9 \
        -define png:exclude-chunks=all "PNG8:assets/thumbnails/$scene.png"
done
du -cb assets/thumbnails/*.png | tail -1
