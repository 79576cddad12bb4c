/* Evenly spaced streamlines of a velocity field: B. Jobard and W. Lefer, Creating evenly-spaced streamlines of arbitrary
 * density, 1997. Lines of the picture before go on in the next one (the same authors, Unsteady flow visualization by
 * animating evenly-spaced streamlines, 2000): their ends move and new lines appear gradually, so that an unsteady flow
 * does not flicker. Lengths are interface units. */
#ifndef PUDDLE_RENDER_LINES_STREAMLINES_H
#define PUDDLE_RENDER_LINES_STREAMLINES_H

#include "render/lines/flow.h"

#define PD_STREAM_SEPARATION 18.0f /* between lines where one begins */
#define PD_STREAM_NEAREST    9.0f  /* a line ends where it comes this near to another */

typedef struct pd_stream_point {
    float x, y;
    float along; /* from the line's seed, negative upstream */
    float time;  /* s: how long the flow takes from the line's seed to here */
    float speed; /* units/s */
} pd_stream_point;

typedef struct pd_streamline {
    float x, y;        /* the seed */
    float ahead, back; /* how far the line is drawn from the seed, downstream and upstream */
    float phase;      /* s: time of the seed on a clock that runs along the line and that no move of the seed changes */
    float opacity;    /* 0..1 */
    float ends;       /* 0..1: how far it tapers to its ends; 0 when it is closed for some time */
    bool closed;      /* it comes back to its seed */
    bool fading;      /* makes room for others, and disappears */
    int first, count; /* its points, downstream */
} pd_streamline;

/* A place that is taken by a line. */
typedef struct pd_stream_mark {
    float x, y, along;
    int line, next, cell;
} pd_stream_mark;

typedef struct pd_streamlines {
    pd_streamline *lines;
    pd_stream_point *points;
    int line_count, point_count;
    /* Marks in cells as wide as the separation: the lists' heads, and how often a line begun there became too short. */
    pd_stream_mark *marks;
    int mark_count, *heads;
    unsigned char *tries;
    int columns, rows, cell_capacity;
    pd_stream_point *walked[2]; /* the line that is being followed: downstream, upstream */
    float width, height;        /* of the picture */
    int pictures;               /* in which the flow changed */
    uint32_t checksum;          /* of the flow in the last picture */
} pd_streamlines;

/* Follows the lines through the flow as it is now; keeps those of the call before unless `anew`. Without memory there
 * are no lines. width and height: of the picture. */
void pd_streamlines_update(pd_streamlines *streamlines, const pd_flow *flow, float width, float height, bool anew);
void pd_streamlines_free(pd_streamlines *streamlines);

#endif
