/* Pictures in the clipboard, for both window systems. */
#include "app/device/clipboard_system.h"

#include "core/error.h"
#include "core/timer.h"
#include <SDL.h>
#include <SDL_syswm.h>
#include <stdlib.h>
#include <string.h>

static const double LONGEST_WAIT = 3;                    /* s: for a program that has a picture */
static const size_t LARGEST_PICTURE = (size_t)256 << 20; /* bytes */

const char *const pd_picture_types[PD_PICTURE_TYPES] = {"image/png", "image/jpeg"};

struct pd_clipboard {
    pd_own_picture own;
    pd_x11_clipboard *x11;         /* NULL: Wayland */
    pd_wayland_clipboard *wayland; /* NULL: X11 */
};

void pd_own_picture_free(pd_own_picture *own) {
    free(own->bytes);
    *own = (pd_own_picture){0};
}

void pd_received_add(pd_received *received, const void *bytes, size_t size) {
    if (received->failed || size == 0) return;
    bool fits = size <= LARGEST_PICTURE - received->size;
    uint8_t *grown = fits ? realloc(received->bytes, received->size + size) : NULL;
    received->failed = !grown;
    if (!grown) return;
    received->bytes = grown;
    memcpy(grown + received->size, bytes, size);
    received->size += size;
}

pd_clipboard *pd_clipboard_open(SDL_Window *window) {
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    pd_clipboard *clipboard = calloc(1, sizeof *clipboard);
    if (clipboard && SDL_GetWindowWMInfo(window, &info)) {
        if (info.subsystem == SDL_SYSWM_X11) clipboard->x11 = pd_x11_clipboard_open(&clipboard->own);
        if (info.subsystem == SDL_SYSWM_WAYLAND)
            clipboard->wayland = pd_wayland_clipboard_open(info.info.wl.display, &clipboard->own);
    }
    if (clipboard && (clipboard->x11 || clipboard->wayland)) return clipboard;
    free(clipboard);
    return NULL;
}

void pd_clipboard_close(pd_clipboard *clipboard) {
    if (!clipboard) return;
    if (clipboard->x11) pd_x11_clipboard_close(clipboard->x11);
    if (clipboard->wayland) pd_wayland_clipboard_close(clipboard->wayland);
    pd_own_picture_free(&clipboard->own);
    free(clipboard);
}

void pd_clipboard_poll(pd_clipboard *clipboard) {
    if (clipboard && clipboard->x11) pd_x11_clipboard_poll(clipboard->x11);
    if (clipboard && clipboard->wayland) pd_wayland_clipboard_poll(clipboard->wayland);
}

static pd_result fail_no_clipboard(pd_error *error) {
    return pd_fail(error, PD_ERROR_USAGE,
                   "cannot reach the clipboard: this display has none for pictures (save a picture with F12)");
}

pd_result pd_clipboard_set_png(pd_clipboard *clipboard, uint8_t *bytes, size_t size, pd_error *error) {
    if (!clipboard) {
        free(bytes);
        return fail_no_clipboard(error);
    }
    pd_own_picture_free(&clipboard->own);
    clipboard->own = (pd_own_picture){bytes, size};
    if (clipboard->x11 ? pd_x11_clipboard_offer(clipboard->x11) : pd_wayland_clipboard_offer(clipboard->wayland))
        return PD_OK;
    pd_own_picture_free(&clipboard->own);
    return pd_fail(error, PD_ERROR_USAGE,
                   "cannot copy the picture: the clipboard refuses it (make the window smaller, or save it with F12)");
}

pd_result pd_clipboard_get_picture(pd_clipboard *clipboard, uint8_t **bytes, size_t *size, pd_error *error) {
    pd_received received = {0};
    *bytes = NULL;
    if (!clipboard) return fail_no_clipboard(error);
    pd_clipboard_poll(clipboard);
    double until = pd_system_now() + LONGEST_WAIT;
    bool found = true;
    if (clipboard->own.bytes)
        pd_received_add(&received, clipboard->own.bytes, clipboard->own.size);
    else if (clipboard->x11)
        found = pd_x11_clipboard_receive(clipboard->x11, until, &received);
    else
        found = pd_wayland_clipboard_receive(clipboard->wayland, until, &received);
    if (found && received.size > 0 && !received.failed) {
        *bytes = received.bytes;
        *size = received.size;
        return PD_OK;
    }
    free(received.bytes);
    if (received.failed)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot paste: the picture is too large (copy a smaller one)");
    return pd_fail(error, PD_ERROR_USAGE, "cannot paste: the clipboard has no picture (copy one in another program)");
}
