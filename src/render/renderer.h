/* Renderer: draws a pd_view of any method in the current OpenGL 3.3 core context. */
#ifndef PUDDLE_RENDER_RENDERER_H
#define PUDDLE_RENDER_RENDERER_H

#include "render/picture.h"

typedef struct pd_renderer pd_renderer;

/* Creates a renderer in the current OpenGL context. Errors: GRAPHICS_UNAVAILABLE (OpenGL older than 3.3),
 * SHADER_BROKEN, DATA_MISSING, OUT_OF_MEMORY. */
pd_result pd_renderer_create(pd_renderer **renderer, pd_error *error);
void pd_renderer_destroy(pd_renderer *renderer);
/* Draws a picture into framebuffer `target` (0: the window). Walls stop the centres of particles. The walls are drawn
 * half a rest spacing farther outwards, at the particles' edge. If memory runs out, shapes or particles are missing. */
void pd_renderer_draw(pd_renderer *renderer, unsigned target, const pd_picture *picture);
/* Draws a picture into a rectangle of framebuffer `target` with the picture's size. The rectangle is at the lower edge,
 * offset_x pixels from the left edge. */
void pd_renderer_draw_at_offset(pd_renderer *renderer, unsigned target, int offset_x, const pd_picture *picture);

#endif
