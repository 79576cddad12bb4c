/* Dear ImGui behind a C face: the only door to C++. Used by the window (HUD, help, panel, messages) and, without a
 * window, by `puddle render` for legends. */
#ifndef PUDDLE_APP_UI_H
#define PUDDLE_APP_UI_H

#include "render/renderer.h"
#include <puddle/puddle.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SDL_Window SDL_Window;
typedef union SDL_Event SDL_Event;
typedef struct ui ui;

/* Needs a current OpenGL context. window: NULL without one. scale: pixels per interface unit.
 * Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result ui_create(ui **created, SDL_Window *window, float scale, pd_error *error);
void ui_destroy(ui *ui);
/* Size in pixels; without a window it must be told. */
void ui_begin(ui *ui, int width, int height, float seconds);
/* Draws what was said since ui_begin into the bound framebuffer. */
void ui_end(ui *ui);
/* The colour bar of a quantity at the lower right, values legible. */
void ui_legend(ui *ui, const pd_legend *legend, int palette);

/* The rest of the interface (HUD, help, panel, messages, input) is added below by the window. */

#ifdef __cplusplus
}
#endif
#endif
