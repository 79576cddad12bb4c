#!/bin/sh
# Draws the pictures of the window for the manual and for software centres: docs/pictures/window.png, panes.png, bodies.png
# and browser.png, 1280 x 720 pixels each. Needs Xvfb, xdotool and ImageMagick.
# Usage: scripts/update-screenshots.sh PUDDLE   PUDDLE: the program, such as build/release/puddle
set -eu
[ $# = 1 ] && [ -x "$1" ] || { echo "Usage: scripts/update-screenshots.sh PUDDLE" >&2 && exit 2; }
puddle=$(realpath "$1")
# Nothing of the person is in the pictures, and the renderer is Mesa's.
[ -n "${PUDDLE_TEST_FOLDER-}" ] || exec "$(dirname "$0")/../tests/support/isolated.sh" sh "$(realpath "$0")" "$puddle"
pictures=$(CDPATH='' cd "$(dirname "$0")/../docs/pictures" && pwd)
folder=$TMPDIR
server='' window=''
trap '[ -z "$window" ] || kill "$window"; [ -z "$server" ] || kill "$server"' EXIT
Xvfb -displayfd 3 -screen 0 1280x720x24 -noreset 3>"$folder/display" 2>/dev/null &
server=$!
while [ ! -s "$folder/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$folder/display")
export DISPLAY PUDDLE_SCALE=1
mkdir -p "$HOME/.config/puddle"

# show SCENE SECONDS METHOD: simulates without a window, then opens the window there, paused as soon as it has drawn.
show() {
    printf 'opened: yes\nhints: 1234\n' >"$HOME/.config/puddle/settings"
    "$puddle" run "$1" --seconds "$2" --method "$3" --save "$folder/moment.puddle" --quiet
    "$puddle" --load "$folder/moment.puddle" --size 1280x720 --json >"$folder/events" &
    window=$!
    until grep -q '"ready"' "$folder/events"; do sleep 0.2; done
    xdotool mousemove 640 4
    press space Paused
}
# press KEY TEXT: presses a key until the window prints the text.
press() { until grep -q "$2" "$folder/events"; do xdotool key "$1" && sleep 1; done; }
# Waits until messages have gone, and saves the picture.
save() {
    sleep 5
    import -window root -depth 8 -define png:compression-level=9 "PNG24:$pictures/$1.png"
    kill $window
    wait $window || true
    window=
}

show fountain 6 pbf
xdotool key Tab
save window
show dam-break 0.9 ddr
press ctrl+6 "Side by side"
press space Running
sleep 3
xdotool key space
save panes
# A cart on a rope, drawn and joined by mouse.
cat >"$folder/pool.yaml" <<END
puddle: 1
method: sph
particles: 2500
container: {shape: box, width: 2.4, height: 1.4}
regions: [{shape: box, center: [0, -0.45], size: [2.4, 0.5]}]
END
# drag X Y TO_X TO_Y: a drag with the left button.
drag() { xdotool mousemove "$1" "$2" mousedown 1 sleep 0.2 mousemove $((($1 + $3) / 2)) $((($2 + $4) / 2)) sleep 0.2 mousemove "$3" "$4" sleep 0.2 mouseup 1 sleep 0.4; }
show "$folder/pool.yaml" 4 sph
xdotool key o key o sleep 0.3
drag 410 210 730 290
xdotool key o key o sleep 0.3
drag 470 310 505 310
drag 670 310 705 310
xdotool key j sleep 0.3
drag 470 310 470 270
drag 670 310 670 270
xdotool key j sleep 0.3
drag 430 225 560 100
xdotool key m sleep 0.3 mousemove 560 250 click 1 sleep 0.3 mousemove 640 4
press space Running
sleep 2
xdotool key space key Tab
save bodies
show blobs 2 ddr
xdotool key ctrl+o
sleep 15 # pictures of the scenes
save browser
