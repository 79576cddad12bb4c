/* Evenly spaced streamlines of a velocity field: B. Jobard and W. Lefer, Creating evenly-spaced streamlines of
 * arbitrary density, 1997.
 *
 * Lines of one picture continue in the next one (B. Jobard and W. Lefer, Unsteady flow visualization by animating
 * evenly-spaced streamlines, 2000). Their ends move and new lines appear gradually, so that an unsteady flow does not
 * flicker. Lengths are in interface units. */
#ifndef PUDDLE_RENDER_LINES_STREAMLINES_H
#define PUDDLE_RENDER_LINES_STREAMLINES_H

#include "render/lines/flow.h"

#define PD_STREAM_SEPARATION   18.0f /* distance of a new line's seed from other lines, interface units */
#define PD_STREAM_END_DISTANCE 9.0f  /* distance from another line at which a line ends, interface units */

typedef struct pd_stream_point {
    float x, y;
    float distance_along; /* distance along the line from its seed, negative upstream */
    float time;           /* time that fluid needs from the seed to here, s */
    float speed;          /* speed, interface units/s */
} pd_stream_point;

typedef struct pd_streamline {
    float x, y;        /* position of the seed */
    float ahead, back; /* drawn lengths downstream (ahead) and upstream (back) of the seed */
    float phase;       /* time along the line at the seed, from an origin that does not move with the seed, s */
    float opacity;     /* 0..1 */
    float taper;       /* taper of the ends: 1: to a point, 0: none; a closed line's taper decreases to 0 */
    bool closed;       /* the line returns to its seed */
    bool fading;       /* the line is too close to other lines or too short, and fades out */
    int first, count;  /* first: index in `points` of the line's upstream end; count: number of drawn points */
} pd_streamline;

/* Position on a line, for distance queries. Marks of a cell form a linked list. */
typedef struct pd_stream_mark {
    float x, y, distance_along;
    int line, next, cell;
} pd_stream_mark;

typedef struct pd_streamlines {
    pd_streamline *lines;    /* present lines, line_count of them */
    pd_stream_point *points; /* drawn points of all lines */
    int line_count, point_count;
    pd_stream_mark *marks;   /* marks, sorted into cells with side PD_STREAM_SEPARATION */
    int mark_count;          /* number of marks */
    int *heads;              /* by cell: index of its first mark; -1: none */
    unsigned char *failures; /* by cell: number of lines that began there and were too short */
    int columns, rows, cell_capacity;
    pd_stream_point *traced[2]; /* points of the line being traced: downstream (0) and upstream (1) of its seed */
    float width, height;        /* size of the picture, interface units */
    int update_count;           /* number of updates with a changed flow */
    uint32_t flow_checksum;     /* pd_flow.checksum of the last update */
} pd_streamlines;

/* Updates the lines for the present flow. Lines of the previous call continue if `restart` is false. If memory runs out
 * there are no lines. width, height: size of the picture, interface units. */
void pd_streamlines_update(pd_streamlines *streamlines, const pd_flow *flow, float width, float height, bool restart);
void pd_streamlines_free(pd_streamlines *streamlines);

#endif
