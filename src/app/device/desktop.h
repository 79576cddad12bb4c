/* The desktop: dialogs that choose a file to open or to save, by a portal (libportal), one at a time; its browser; its clipboard. */
#ifndef PUDDLE_APP_DEVICE_DESKTOP_H
#define PUDDLE_APP_DEVICE_DESKTOP_H

#include "app/io/announce.h"
#include "core/file.h"
#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pd_portal pd_portal;

typedef enum pd_portal_answer {
    PD_PORTAL_NONE,      /* no dialog was open, or it still is */
    PD_PORTAL_CHOSEN,    /* the user has chosen a file */
    PD_PORTAL_CANCELLED, /* the user has closed the dialog */
    PD_PORTAL_FAILED,    /* the desktop has no such dialog */
} pd_portal_answer;

/* Endings of files that a dialog shows: {"Scenes", "yaml", "yml", NULL}. */
enum { PD_PORTAL_ENDINGS = 8 };
typedef struct pd_portal_filter {
    const char *title;
    const char *endings[PD_PORTAL_ENDINGS];
} pd_portal_filter;

/* Connects to the portal of the session. NULL: there is none. */
pd_portal *pd_portal_open(void);
void pd_portal_close(pd_portal *portal);
/* Begin a dialog. False: one is open already. folder, name: what the dialog suggests. */
bool pd_portal_begin_opening(pd_portal *portal, const char *title, const pd_portal_filter *filters, int count);
bool pd_portal_begin_saving(pd_portal *portal, const char *title, const char *folder, const char *name,
                            const pd_portal_filter *filter);
/* Returns the user's answer, once. Call at least a few times a second. path: of the chosen file. portal: may be
 * NULL. */
pd_portal_answer pd_portal_poll(pd_portal *portal, char *path, size_t size);

/* Opens a page in the desktop's browser by xdg-open, a process that outlives puddle. */
typedef struct pd_opener {
    long process;           /* Process of xdg-open. 0: none, or it has ended. */
    char path[PD_MAX_PATH]; /* Path of the page. */
} pd_opener;

/* Opens a page. Announces the page's path, and whether there is a program that opens pages. */
void pd_opener_open(pd_opener *opener, pd_announcer *announcer, const char *path);
/* Announces a failure of xdg-open. Call once a frame. Returns whether there was one. */
bool pd_opener_poll(pd_opener *opener, pd_announcer *announcer);

/* Pictures in the clipboard, by programs of the desktop: wl-copy and wl-paste under Wayland, xclip under X11. SDL 2 has only text. */
/* Puts a PNG file into the clipboard. The picture stays there after the window closes. Waits at most 3 s. Errors: USAGE (the display
 * has no clipboard, its program is not installed or fails), UNWRITABLE (no temporary file). */
pd_result pd_clipboard_set_png(const uint8_t *bytes, size_t size, pd_error *error);
/* Gets a PNG or JPEG file from the clipboard. *bytes: to be freed by free(). Waits at most 3 s for the program that has the picture.
 * Errors: as pd_clipboard_set_png, USAGE (there is no picture, or its program does not answer), OUT_OF_MEMORY. */
pd_result pd_clipboard_get_picture(uint8_t **bytes, size_t *size, pd_error *error);

#endif
