/* Draws streamlines or arrows of a view's velocity field. */
#ifndef PUDDLE_RENDER_LINES_FLOW_LINES_H
#define PUDDLE_RENDER_LINES_FLOW_LINES_H

#include "render/lines/streamlines.h"
#include "render/picture.h"

/* Smooth strokes of varying width and opacity with a dark halo, drawn as one mesh. */
typedef struct pd_stroke_point {
    float x, y;       /* position, interface units from the picture's top left corner */
    float half_width; /* half width of the stroke here, interface units */
    float opacity;    /* opacity of the stroke here, 0..1 */
    float phase;      /* phase of the brightness pattern, in periods; the stroke is brightest just below each integer */
} pd_stroke_point;

typedef struct pd_stroke_vertex {
    float x, y;           /* position, pixels */
    float across;         /* signed distance from the stroke's centre line, pixels */
    float half_width;     /* half width of the stroke here, pixels */
    float opacity, phase; /* as in pd_stroke_point */
} pd_stroke_vertex;

typedef struct pd_strokes {
    unsigned program, array, buffer; /* OpenGL names of the shader program, vertex array and buffer of the vertices */
    pd_stroke_vertex *vertices;      /* one triangle strip for all strokes; triangles of area 0 join the strokes */
    int count, capacity;             /* number of vertices, and number for which memory is allocated */
} pd_strokes;

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
