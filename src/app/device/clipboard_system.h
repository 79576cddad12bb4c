/* What clipboard.c needs of a window system. */
#ifndef PUDDLE_APP_DEVICE_CLIPBOARD_SYSTEM_H
#define PUDDLE_APP_DEVICE_CLIPBOARD_SYSTEM_H

#include "app/device/clipboard.h"

#include <stdbool.h>

struct wl_display;
typedef struct pd_x11_clipboard pd_x11_clipboard;
typedef struct pd_wayland_clipboard pd_wayland_clipboard;

/* Types of pictures that are read, the best one first. Pictures are given as the first one. */
enum { PD_PICTURE_TYPES = 2 };
extern const char *const pd_picture_types[PD_PICTURE_TYPES];

/* The picture that this window has put into the clipboard. */
typedef struct pd_own_picture {
    uint8_t *bytes; /* NULL: the clipboard belongs to another program */
    size_t size;
} pd_own_picture;
void pd_own_picture_free(pd_own_picture *own);

/* Bytes that are received in parts. */
typedef struct pd_received {
    uint8_t *bytes;
    size_t size;
    bool failed; /* out of memory, or more than 256 MiB */
} pd_received;
void pd_received_add(pd_received *received, const void *bytes, size_t size);

/* For both systems: open returns NULL if the system is not there. offer tells other programs that *own is there; false:
 * refused. receive reads a picture of another program until `until`, s of pd_system_now(); false: there is none. */
pd_x11_clipboard *pd_x11_clipboard_open(pd_own_picture *own);
void pd_x11_clipboard_close(pd_x11_clipboard *x11);
void pd_x11_clipboard_poll(pd_x11_clipboard *x11);
bool pd_x11_clipboard_offer(pd_x11_clipboard *x11);
bool pd_x11_clipboard_receive(pd_x11_clipboard *x11, double until, pd_received *received);

pd_wayland_clipboard *pd_wayland_clipboard_open(struct wl_display *display, pd_own_picture *own);
void pd_wayland_clipboard_close(pd_wayland_clipboard *wayland);
void pd_wayland_clipboard_poll(pd_wayland_clipboard *wayland);
bool pd_wayland_clipboard_offer(pd_wayland_clipboard *wayland);
bool pd_wayland_clipboard_receive(pd_wayland_clipboard *wayland, double until, pd_received *received);

#endif
