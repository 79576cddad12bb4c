/* Pictures in the clipboard of X11 and Wayland. SDL 2 has only text. */
#ifndef PUDDLE_APP_DEVICE_CLIPBOARD_H
#define PUDDLE_APP_DEVICE_CLIPBOARD_H

#include <puddle/result.h>
#include <stddef.h>
#include <stdint.h>

typedef struct SDL_Window SDL_Window;
typedef struct pd_clipboard pd_clipboard;

/* Opens the clipboard of a window's display. NULL: neither X11 nor Wayland, or no memory. */
pd_clipboard *pd_clipboard_open(SDL_Window *window);
void pd_clipboard_close(pd_clipboard *clipboard);
/* Answers requests of other programs. Call at least a few times a second. clipboard: may be NULL. */
void pd_clipboard_poll(pd_clipboard *clipboard);
/* Puts a PNG file into the clipboard, until another program puts something there or the window closes. bytes: allocated
 * by malloc; the clipboard frees them. Errors: USAGE (there is no clipboard, or it refuses the picture). */
pd_result pd_clipboard_set_png(pd_clipboard *clipboard, uint8_t *bytes, size_t size, pd_error *error);
/* Gets a PNG or JPEG file from the clipboard. *bytes: to be freed by free(). Waits at most 3 s for the program that has
 * the picture. Errors: USAGE (there is no picture, or the program does not answer), OUT_OF_MEMORY. */
pd_result pd_clipboard_get_picture(pd_clipboard *clipboard, uint8_t **bytes, size_t *size, pd_error *error);

#endif
