/* Velocity field of a view, sampled on a square lattice in picture coordinates: interface units from the upper left
 * corner, y down. */
#ifndef PUDDLE_RENDER_LINES_FLOW_H
#define PUDDLE_RENDER_LINES_FLOW_H

#include "render/camera.h"
#include "render/picture.h"

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

#endif
