/* Pictures in the clipboard, by programs of the desktop: wl-copy and wl-paste under Wayland, xclip under X11. SDL 2 has only text. */
#ifndef PUDDLE_APP_DEVICE_CLIPBOARD_H
#define PUDDLE_APP_DEVICE_CLIPBOARD_H

#include <puddle/result.h>
#include <stddef.h>
#include <stdint.h>

/* Puts a PNG file into the clipboard. The picture stays there after the window closes. Waits at most 3 s. Errors: USAGE (the display
 * has no clipboard, its program is not installed or fails), UNWRITABLE (no temporary file). */
pd_result pd_clipboard_set_png(const uint8_t *bytes, size_t size, pd_error *error);
/* Gets a PNG or JPEG file from the clipboard. *bytes: to be freed by free(). Waits at most 3 s for the program that has the picture.
 * Errors: as pd_clipboard_set_png, USAGE (there is no picture, or its program does not answer), OUT_OF_MEMORY. */
pd_result pd_clipboard_get_picture(uint8_t **bytes, size_t *size, pd_error *error);

#endif
