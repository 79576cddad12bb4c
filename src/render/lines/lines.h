/* Outlines: obstacles, drains, the container, the tool. Anti-aliased shapes in one instanced draw. */
#ifndef PUDDLE_RENDER_LINES_LINES_H
#define PUDDLE_RENDER_LINES_LINES_H

#include "render/camera.h"
#include "render/picture.h"

/* A rotated rounded box; with half = 0 a circle, with half[1] = 0 a thick line. Lengths in pixels, center from the top
 * left. With a negative radius a filled triangle without soft edges: center, half and axis are its corners. */
typedef struct pd_line_shape {
    float center[2], half[2], axis[2]; /* half: half size without radius; axis: cosine and sine of the angle */
    float radius;
    float stroke; /* half the outline's width; 0: filled */
    float glow;   /* width of a fading glow around the line; 0: none */
    float dash;   /* length of a dash and its gap; 0: solid */
    float light;  /* strength of the edge's shading by a light from the top left, 0..1 */
    float colour[4];
} pd_line_shape;

typedef struct pd_lines {
    unsigned program, array, buffer;
    int size;
    pd_line_shape *shapes;
    int count, capacity;
} pd_lines;

pd_result pd_lines_create(pd_lines *lines, pd_error *error);
void pd_lines_free(pd_lines *lines);
void pd_lines_draw(pd_lines *lines, const pd_picture *picture, const pd_camera *camera);

#endif
