/* Evenly spaced streamlines of a velocity field: B. Jobard and W. Lefer, Creating evenly-spaced streamlines of
 * arbitrary density, 1997.
 *
 * Lines of one picture continue in the next one (B. Jobard and W. Lefer, Unsteady flow visualization by animating
 * evenly-spaced streamlines, 2000). Their ends move and new lines appear gradually, so that an unsteady flow does not
 * flicker. Lengths are in interface units. */
#ifndef PUDDLE_RENDER_LINES_STREAMLINES_H
#define PUDDLE_RENDER_LINES_STREAMLINES_H

#include "render/picture.h"

/* Velocity field of a view, sampled on a square lattice in picture coordinates: interface units from the upper left
 * corner, y down. */

/* Velocity at a point of the lattice. */
typedef struct pd_flow_sample {
    float x, y;   /* velocity, interface units/s */
    float fluid;  /* 1: fluid; 0: no fluid, the velocity is extrapolated from neighbours */
    float unused; /* pads the struct to 16 bytes */
} pd_flow_sample;

typedef struct pd_flow {
    int nx, ny;              /* numbers of columns and rows of samples */
    float x, y;              /* position of the first sample, at the lower left, interface units */
    float sample_spacing;    /* distance of two neighbouring samples, interface units */
    float samples_per_unit;  /* 1 / sample_spacing */
    float greatest_speed;    /* greatest speed by the legends of the velocity fields, interface units/s */
    float rest_speed;        /* fluid slower than this speed is treated as being at rest, interface units/s */
    pd_flow_sample *samples; /* nx x ny samples from the lowest row */
    int capacity;            /* number of samples for which memory is allocated */
    uint32_t checksum;       /* checksum of all samples, to find out whether the flow has changed */
} pd_flow;

/* Samples the velocity fields of the picture's view. Averages cells smaller than 2 interface units. Returns false if the
 * view has no velocity fields in cells, or if memory runs out. */
bool pd_flow_sample_velocities(pd_flow *flow, const pd_picture *picture, const pd_camera *camera);
void pd_flow_free(pd_flow *flow);

static inline float pd_flow_clamp_index(float value, float highest) {
    value = value < 0 ? 0 : value;
    return value < highest ? value : highest;
}

/* Interpolates the velocity at the point (x, y), both in interface units. Returns false if the point is not in fluid. */
static inline bool pd_flow_interpolate(const pd_flow *flow, float x, float y, float velocity[2]) {
    float column = (x - flow->x) * flow->samples_per_unit, row = (flow->y - y) * flow->samples_per_unit;
    float right = (float)(flow->nx - 1), top = (float)(flow->ny - 1);
    if (!(column >= -0.5f && row >= -0.5f && column <= right + 0.5f && row <= top + 0.5f)) return false;
    column = pd_flow_clamp_index(column, right);
    row = pd_flow_clamp_index(row, top);
    int i = (int)column, j = (int)row, next = i < flow->nx - 1, above = j < flow->ny - 1 ? flow->nx : 0;
    float u = column - (float)i, v = row - (float)j;
    const pd_flow_sample *a = &flow->samples[j * flow->nx + i], *b = a + next, *c = a + above, *d = c + next;
    float wa = (1 - u) * (1 - v), wb = u * (1 - v), wc = (1 - u) * v, wd = u * v;
    velocity[0] = wa * a->x + wb * b->x + wc * c->x + wd * d->x;
    velocity[1] = wa * a->y + wb * b->y + wc * c->y + wd * d->y;
    return wa * a->fluid + wb * b->fluid + wc * c->fluid + wd * d->fluid > 0.5f;
}

#define PD_STREAM_SEPARATION   18.0f /* least distance from a new line's seed to other lines, interface units */
#define PD_STREAM_END_DISTANCE 9.0f  /* a line ends where it is this near to another line, interface units */

/* Point of a streamline. */
typedef struct pd_stream_point {
    float x, y;           /* position, interface units from the picture's upper left corner */
    float distance_along; /* distance from the seed along the line, interface units; negative upstream */
    float time;           /* time that fluid needs from the seed to here, s */
    float speed;          /* speed, interface units/s */
} pd_stream_point;

typedef struct pd_streamline {
    float x, y;        /* position of the seed, interface units */
    float ahead, back; /* drawn length downstream (ahead) and upstream (back) of the seed, interface units */
    float phase; /* travel time of the fluid to the seed, from a point of the line that stays when the seed moves, s */
    float opacity;    /* opacity, 0..1 */
    float taper;      /* how much the ends are tapered: 1: to a point; 0: not at all, as in closed lines */
    bool closed;      /* the line is a loop that returns to its seed */
    bool fading;      /* the line is too close to other lines or too short, and fades out */
    int first, count; /* index in pd_streamlines.points of the upstream end; number of drawn points */
} pd_streamline;

/* Mark: a point of a line, in a grid of cells. Marks of a cell form a linked list. Used to find lines near a point. */
typedef struct pd_stream_mark {
    float x, y, distance_along; /* as in pd_stream_point */
    int line;                   /* index of its line */
    int next;                   /* index of the next mark of its cell; -1: none */
    int cell;                   /* index of its cell */
} pd_stream_mark;

typedef struct pd_streamlines {
    pd_streamline *lines;        /* line_count present lines */
    pd_stream_point *points;     /* drawn points of all lines */
    int line_count, point_count; /* numbers of lines and of points */
    pd_stream_mark *marks;       /* marks of all lines, in cells with the side PD_STREAM_SEPARATION */
    int mark_count;              /* number of elements of `marks` */
    int *heads;                  /* by cell: index of the first mark in the cell; -1: none */
    unsigned char *failures;    /* by cell: number of attempts to begin a line there that failed, as it was too short */
    int columns, rows;          /* number of columns and rows of cells */
    int cell_capacity;          /* number of cells for which memory is allocated */
    pd_stream_point *traced[2]; /* points of the line being traced: downstream (0) and upstream (1) of its seed */
    float width, height;        /* size of the picture, interface units */
    int update_count;           /* number of calls of pd_streamlines_update with a changed flow */
    uint32_t flow_checksum;     /* pd_flow.checksum in the last update */
} pd_streamlines;

/* Updates the lines for the present flow. restart: removes the lines of the previous update instead of continuing them. If
 * memory runs out there are no lines. width, height: size of the picture, interface units. */
void pd_streamlines_update(pd_streamlines *streamlines, const pd_flow *flow, float width, float height, bool restart);
void pd_streamlines_free(pd_streamlines *streamlines);

#endif
