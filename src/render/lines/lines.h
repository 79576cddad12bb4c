/* Draws obstacles, drains, container and tool as anti-aliased shapes in one instanced draw. */
#ifndef PUDDLE_RENDER_LINES_LINES_H
#define PUDDLE_RENDER_LINES_LINES_H

#include "render/camera.h"
#include "render/picture.h"

/* A rotated rounded box. half = 0: a circle. half[1] = 0: a thick line. Negative radius: a filled triangle without soft
 * edges, with the corners center, half and axis. Lengths are in pixels, positions from the picture's top left
 * corner. */
typedef struct pd_line_shape {
    float center[2], half[2], axis[2]; /* centre; half size without the corner radius; cosine and sine of the angle */
    float radius;
    float stroke; /* half width of the outline; 0: a filled shape */
    float glow;   /* width of a fading glow around the line; 0: no glow */
    float dash;   /* length of a dash and of a gap; 0: solid */
    float light;  /* strength of shading at the edge, light from the top left, 0..1 */
    float colour[4];
} pd_line_shape;

typedef struct pd_lines {
    unsigned program, array, buffer;
    int size_uniform;
    pd_line_shape *shapes;
    int count, capacity;
} pd_lines;

pd_result pd_lines_create(pd_lines *lines, pd_error *error);
void pd_lines_free(pd_lines *lines);
void pd_lines_draw(pd_lines *lines, const pd_picture *picture, const pd_camera *camera);

#endif
