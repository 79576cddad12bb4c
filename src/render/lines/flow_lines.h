/* Draws streamlines or arrows of a view's velocity field. */
#ifndef PUDDLE_RENDER_LINES_FLOW_LINES_H
#define PUDDLE_RENDER_LINES_FLOW_LINES_H

#include "render/lines/flow.h"
#include "render/lines/streamlines.h"
#include "render/lines/strokes.h"

/* Streamlines of successive pictures of one world with one camera. The window draws pictures of up to three sequences in
 * turn: of two panes and of a recording. */
typedef struct pd_flow_sequence {
    pd_streamlines streamlines; /* streamlines of the last picture, which the next one continues */
    pd_camera camera;           /* camera of the pictures */
    /* World of the pictures; the pointer is only compared, since the world may be destroyed. */
    const struct pd_world *world;
    int nx, ny;         /* numbers of samples of the pictures' pd_flow along x and y */
    double time;        /* simulated time of the last picture, s */
    long long last_use; /* pd_flow_lines.picture_count when the sequence was last drawn; 0: never */
} pd_flow_sequence;

enum { PD_FLOW_SEQUENCES = 3 };

typedef struct pd_flow_lines {
    pd_flow flow;                                  /* sampled velocities of the present picture */
    pd_flow_sequence sequences[PD_FLOW_SEQUENCES]; /* sequences whose pictures are drawn in turn */
    pd_strokes strokes;                            /* strokes of the present picture */
    pd_stroke_point *points;                       /* buffer for the points of one stroke */
    int capacity;                                  /* allocated points */
    long long picture_count;                       /* number of pictures drawn with streamlines */
} pd_flow_lines;

pd_result pd_flow_lines_create(pd_flow_lines *lines, pd_error *error);
void pd_flow_lines_free(pd_flow_lines *lines);
/* Draws streamlines or arrows into the bound framebuffer, as picture->lines says. Does nothing for other lines, or if the
 * view has no velocity fields in cells. */
void pd_flow_lines_draw(pd_flow_lines *lines, const pd_picture *picture, const pd_camera *camera);

#endif
