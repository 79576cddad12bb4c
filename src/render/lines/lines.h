/* Draws obstacles, drains, container and tool as anti-aliased shapes in one instanced draw. */
#ifndef PUDDLE_RENDER_LINES_LINES_H
#define PUDDLE_RENDER_LINES_LINES_H

#include "render/camera.h"
#include "render/picture.h"

/* Rotated rounded box, in pixels from the picture's top left corner.
 *
 *     half = 0          circle
 *     half[1] = 0       thick line with round ends
 *     radius negative   filled triangle without soft edges; center, half and axis are its corners */
typedef struct pd_line_shape {
    float center[2], half[2], axis[2]; /* centre; half size without corner radius; cosine and sine of the angle */
    float radius;                      /* corner radius, pixels */
    float stroke;                      /* half width of the outline, pixels; 0: a filled shape */
    float glow;                        /* width of the glow around the line, pixels; 0: no glow */
    float dash;                        /* length of each dash and each gap, pixels; 0: a solid line */
    float light;                       /* strength of the shading of the edge by light from the top left, 0..1 */
    float colour[4];                   /* red, green, blue, opacity, 0..1 */
} pd_line_shape;

typedef struct pd_lines {
    unsigned program, array, buffer;
    int size_uniform, texel_uniform; /* locations of the shader's uniforms "size" and "texel" */
    pd_line_shape *shapes;           /* shapes of the present picture */
    int count, capacity;
} pd_lines;

pd_result pd_lines_create(pd_lines *lines, pd_error *error);
void pd_lines_free(pd_lines *lines);
void pd_lines_draw(pd_lines *lines, const pd_picture *picture, const pd_camera *camera);
/* Draws the obstacles into the red channel of the bound framebuffer, which must be 0: 1 inside, falling to 0 at the
 * distance `reach`, pixels. area: part of the picture that the framebuffer covers, pixels: left, low, width, height.
 * texel: side of the framebuffer's texels, pixels. */
void pd_lines_draw_nearness(pd_lines *lines, const pd_picture *picture, const pd_camera *camera, const float area[4],
                            float texel, float reach);

#endif
