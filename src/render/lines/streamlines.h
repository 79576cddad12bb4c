/* Evenly spaced streamlines of a velocity field: B. Jobard and W. Lefer, Creating evenly-spaced streamlines of
 * arbitrary density, 1997.
 *
 * Lines of the last picture continue in the next one (the same authors, Unsteady flow visualization by animating
 * evenly-spaced streamlines, 2000). Their ends move and new lines appear gradually, so that an unsteady flow does not
 * flicker. Lengths are in interface units. */
#ifndef PUDDLE_RENDER_LINES_STREAMLINES_H
#define PUDDLE_RENDER_LINES_STREAMLINES_H

#include "render/lines/flow.h"

#define PD_STREAM_SEPARATION 18.0f /* distance of a new line from others */
#define PD_STREAM_NEAREST    9.0f  /* a line ends at this distance from another */

typedef struct pd_stream_point {
    float x, y;
    float along; /* distance along the line from its seed, negative upstream */
    float time;  /* travel time of the flow from the seed, s */
    float speed; /* speed, units/s */
} pd_stream_point;

typedef struct pd_streamline {
    float x, y;        /* position of the seed */
    float ahead, back; /* drawn lengths downstream and upstream of the seed */
    float phase;       /* time of the seed, s, on a clock along the line that does not depend on moves of the seed */
    float opacity;     /* 0..1 */
    float ends;        /* taper of the ends, 0..1; 0 for a line that has been closed for some time */
    bool closed;       /* the line returns to its seed */
    bool fading;       /* the line is too close to others and disappears */
    int first, count;  /* points in streaming order */
} pd_streamline;

/* A place occupied by a line. */
typedef struct pd_stream_mark {
    float x, y, along;
    int line, next, cell;
} pd_stream_mark;

typedef struct pd_streamlines {
    pd_streamline *lines;
    pd_stream_point *points;
    int line_count, point_count;
    /* Marks in cells as wide as the separation: list heads, and the number of lines begun there that became too
     * short. */
    pd_stream_mark *marks;
    int mark_count, *heads;
    unsigned char *tries;
    int columns, rows, cell_capacity;
    pd_stream_point *walked[2]; /* points of the present line: downstream, upstream */
    float width, height;        /* size of the picture */
    int pictures;               /* number of pictures with a new flow */
    uint32_t checksum;          /* checksum of the last picture's flow */
} pd_streamlines;

/* Computes the lines for the present flow. Lines of the last call continue unless `anew`. Out of memory: no lines.
 * width and height: size of the picture. */
void pd_streamlines_update(pd_streamlines *streamlines, const pd_flow *flow, float width, float height, bool anew);
void pd_streamlines_free(pd_streamlines *streamlines);

#endif
