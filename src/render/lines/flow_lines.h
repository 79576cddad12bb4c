/* Draws streamlines or arrows of a view's velocity field. */
#ifndef PUDDLE_RENDER_LINES_FLOW_LINES_H
#define PUDDLE_RENDER_LINES_FLOW_LINES_H

#include "render/lines/flow.h"
#include "render/lines/streamlines.h"
#include "render/lines/strokes.h"

/* Streamlines of successive pictures of one world with one camera. The window draws up to three such sequences in turn:
 * two panes and a recording. */
typedef struct pd_flow_sequence {
    pd_streamlines streamlines;   /* streamlines of the last picture */
    pd_camera camera;             /* camera of the pictures */
    const struct pd_world *world; /* world of the pictures, only compared */
    int nx, ny;                   /* size of the pictures' flow, samples */
    double time;                  /* simulated time of the last picture, s */
    long long last_use;           /* picture_count at the last use; 0: unused */
} pd_flow_sequence;

enum { PD_FLOW_SEQUENCES = 3 };

typedef struct pd_flow_lines {
    pd_flow flow;                                  /* flow of the present picture */
    pd_flow_sequence sequences[PD_FLOW_SEQUENCES]; /* sequences drawn in turn */
    pd_strokes strokes;                            /* strokes of the present picture */
    pd_stroke_point *points;                       /* points of the present stroke */
    int capacity;                                  /* allocated points */
    long long picture_count;                       /* number of pictures drawn with streamlines */
} pd_flow_lines;

pd_result pd_flow_lines_create(pd_flow_lines *lines, pd_error *error);
void pd_flow_lines_free(pd_flow_lines *lines);
/* Draws the picture's streamlines or arrows into the bound framebuffer. Does nothing if picture->lines is neither, or
 * if the view has no velocities in cells. */
void pd_flow_lines_draw(pd_flow_lines *lines, const pd_picture *picture, const pd_camera *camera);

#endif
