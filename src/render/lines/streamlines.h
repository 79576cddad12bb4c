/* Evenly spaced streamlines of a velocity field: B. Jobard and W. Lefer, Creating evenly-spaced streamlines of
 * arbitrary density, 1997.
 *
 * Lines of the last picture continue in the next one (the same authors, Unsteady flow visualization by animating
 * evenly-spaced streamlines, 2000). Their ends move and new lines appear gradually, so that an unsteady flow does not
 * flicker. Lengths are in interface units. */
#ifndef PUDDLE_RENDER_LINES_STREAMLINES_H
#define PUDDLE_RENDER_LINES_STREAMLINES_H

#include "render/lines/flow.h"

#define PD_STREAM_SEPARATION   18.0f /* distance of a new line from others, interface units */
#define PD_STREAM_END_DISTANCE 9.0f  /* distance from another line at which a line ends, interface units */

typedef struct pd_stream_point {
    float x, y;
    float along; /* distance along the line from its seed, negative upstream */
    float time;  /* time in which the fluid moves from the seed to here, s */
    float speed; /* speed, units/s */
} pd_stream_point;

typedef struct pd_streamline {
    float x, y;        /* position of the seed */
    float ahead, back; /* drawn length downstream, and upstream, of the seed */
    float phase;       /* time on a clock along the line at the seed, s; moving the seed does not change the clock */
    float opacity;     /* 0..1 */
    float taper;       /* taper of the ends: 1 to a point, 0 none; decreases to 0 while the line is a closed loop */
    bool closed;       /* the line returns to its seed */
    bool fading;       /* whether the line is too close to others and disappears */
    int first, count;  /* index of the first point, and number of points, in the direction of flow */
} pd_streamline;

/* A place that a line occupies, in the list of its cell. */
typedef struct pd_stream_mark {
    float x, y, along;
    int line, next, cell;
} pd_stream_mark;

typedef struct pd_streamlines {
    pd_streamline *lines;
    pd_stream_point *points;
    int line_count, point_count;
    /* Marks sorted into cells as wide as the separation: list heads, and number of failed lines (too short) that began
     * there. */
    pd_stream_mark *marks;
    int mark_count, *heads;
    unsigned char *failures;
    int columns, rows, cell_capacity;
    pd_stream_point *traced[2]; /* points of the present line: downstream and upstream of its seed */
    float width, height;        /* size of the picture, interface units */
    int update_count;           /* number of pictures so far with a new flow */
    uint32_t flow_checksum;     /* checksum of the last picture's flow */
} pd_streamlines;

/* Updates the lines for the present flow. Lines of the last call continue unless `anew`. Without memory there are no
 * lines. width, height: size of the picture, interface units. */
void pd_streamlines_update(pd_streamlines *streamlines, const pd_flow *flow, float width, float height, bool restart);
void pd_streamlines_free(pd_streamlines *streamlines);

#endif
