#!/bin/sh
# Installs the distribution's packages that building, testing and running puddle need.
# Usage: scripts/install-deps.sh [--run]     --run: without the packages for the tests
# Prints nothing when nothing is missing.
set -eu

run="cmake ninja-build gcc g++ pkg-config libsdl2-dev libepoxy-dev libcglm-dev libimgui-dev libyaml-dev libcjson-dev
libdeflate-dev libpng-dev libjpeg-dev librsvg2-dev libavcodec-dev libavformat-dev libavfilter-dev libavutil-dev libswscale-dev libfontconfig-dev
libportal-dev fonts-dejavu-core libgl1 libgl1-mesa-dri libegl1 libdecor-0-plugin-1-cairo wl-clipboard xclip python3"
test="ccache libcmocka-dev locales xvfb xdotool imagemagick ffmpeg
fontconfig fonts-droid-fallback clang-format clang-tidy glslang-tools doxygen python3-cffi python3-numpy python3-pandas python3-meshio python3-vtk9 man-db bash-completion zsh fish
appstream desktop-file-utils shared-mime-info libglib2.0-bin flatpak-builder lintian mmdebstrap weston dbus-daemon"

wanted="$run $test"
case "${1:-}" in
--run) wanted=$run ;;
"") ;;
*)
    echo "install-deps.sh: unknown option '$1' (use --run, or nothing)" >&2
    exit 2
    ;;
esac

name_packages() {
    cat >&2 <<'TEXT'
install-deps.sh: there is no apt-get here. Install these with your package manager, then build with CMake:
  Fedora:   dnf install cmake ninja-build gcc gcc-c++ pkgconf SDL2-devel libepoxy-devel cglm-devel imgui-devel libyaml-devel cjson-devel libdeflate-devel libpng-devel libjpeg-turbo-devel librsvg2-devel ffmpeg-free-devel fontconfig-devel libportal-devel wl-clipboard xclip dejavu-sans-fonts mesa-dri-drivers libcmocka-devel xorg-x11-server-Xvfb xdotool ImageMagick ffmpeg-free clang-tools-extra glslang doxygen python3-cffi python3-numpy python3-pandas vtk python3-vtk
  Arch:     pacman -S cmake ninja gcc pkgconf sdl2 libepoxy cglm imgui libyaml cjson libdeflate libpng libjpeg-turbo librsvg ffmpeg fontconfig libportal wl-clipboard xclip ttf-dejavu mesa cmocka xorg-server-xvfb xdotool imagemagick clang glslang doxygen python-cffi python-numpy python-pandas vtk
  Homebrew: brew install cmake ninja pkg-config sdl2 libepoxy cglm imgui libyaml cjson libdeflate libpng jpeg-turbo librsvg ffmpeg fontconfig cmocka imagemagick clang-format glslang doxygen python numpy cffi vtk
TEXT
}

if ! command -v apt-get >/dev/null 2>&1; then
    # Without apt-get, packages that were installed by hand are accepted.
    if command -v cmake >/dev/null && command -v pkg-config >/dev/null &&
        pkg-config --exists yaml-0.1 sdl2 epoxy cglm libdeflate libpng libjpeg librsvg-2.0 imgui fontconfig libcjson libavcodec libavformat libavfilter \
            libavutil libswscale libportal; then
        exit 0
    fi
    name_packages
    exit 1
fi

# shellcheck disable=SC2086
installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' $wanted 2>/dev/null | sed -n 's/^ii //p') || true
missing=""
for package in $wanted; do
    echo "$installed" | grep -qx "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "install-deps.sh: not root, and there is no sudo: as root, run  apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "Installing:$missing"
apt_get() {
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@" \
        </dev/null >/dev/null
}
apt_get update
# shellcheck disable=SC2086
apt_get install -y --no-install-recommends $missing
