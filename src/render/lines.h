/* Everything with an outline: obstacles, drains, the container's ring, the tool. Anti-aliased shapes in one draw. */
#ifndef PUDDLE_RENDER_LINES_H
#define PUDDLE_RENDER_LINES_H

#include "render/camera.h"
#include "render/picture.h"

/* A rounded box, turned: also a circle (no half size) and a thick line (no half height). All in pixels from the top left. */
typedef struct pd_line_shape {
    float center[2], half[2], axis[2]; /* axis: cosine and sine of the turn */
    float radius;
    float stroke; /* half the outline's width; 0: filled */
    float glow;   /* how far a soft light around the line reaches; 0: none */
    float dash;   /* length of a dash and its gap; 0: solid */
    float light;  /* how much the edge's colour follows the light from the top left, 0..1 */
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
