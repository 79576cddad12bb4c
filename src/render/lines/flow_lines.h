/* Draws streamlines or arrows of a view's velocity field. */
#ifndef PUDDLE_RENDER_LINES_FLOW_LINES_H
#define PUDDLE_RENDER_LINES_FLOW_LINES_H

#include "render/lines/flow.h"
#include "render/lines/streamlines.h"
#include "render/lines/strokes.h"

/* Streamlines of the pictures of one world and one size, to continue in the next picture. The window draws up to three
 * such sequences in turn: two panes and a recording. */
typedef struct pd_flow_sequence {
    pd_streamlines streamlines;
    pd_camera camera;
    const struct pd_world *world;
    int nx, ny;
    double time; /* time of the last picture, s */
    long long last_use;
} pd_flow_sequence;

enum { PD_FLOW_SEQUENCES = 3 };

typedef struct pd_flow_lines {
    pd_flow flow;
    pd_flow_sequence sequences[PD_FLOW_SEQUENCES];
    pd_strokes strokes;
    pd_stroke_point *points;
    int capacity;
    long long picture_count;
} pd_flow_lines;

pd_result pd_flow_lines_create(pd_flow_lines *lines, pd_error *error);
void pd_flow_lines_free(pd_flow_lines *lines);
/* Draws the picture's streamlines or arrows into the bound framebuffer. Does nothing if the picture has neither or the
 * view has no velocities in cells. */
void pd_flow_lines_draw(pd_flow_lines *lines, const pd_picture *picture, const pd_camera *camera);

#endif
