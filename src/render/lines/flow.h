/* Velocity field of a view, sampled for drawing. Lengths are interface units of the picture; y points down from the
 * upper edge. */
#ifndef PUDDLE_RENDER_LINES_FLOW_H
#define PUDDLE_RENDER_LINES_FLOW_H

#include "render/camera.h"
#include "render/picture.h"

/* Velocity at the centre of a cell. */
typedef struct pd_flow_sample {
    float x, y;  /* velocity, interface units/s */
    float fluid; /* 1: fluid; 0: no fluid, so that the velocity is continued from the neighbours */
    float unused;
} pd_flow_sample;

typedef struct pd_flow {
    int nx, ny;
    float x, y;             /* position of the first sample; rows go up, y points down */
    float sample_spacing;   /* distance of samples, interface units */
    float samples_per_unit; /* 1 / distance of samples */
    float greatest_speed;   /* greatest speed of the velocity's legends, units/s */
    float rest_speed; /* speed below which fluid counts as at rest, units/s; its direction would be rounding errors */
    pd_flow_sample *samples;
    int capacity;
    uint32_t checksum; /* checksum of all velocities */
} pd_flow;

/* Samples the velocities of the picture's view. Cells smaller than two interface units are averaged. Returns false if
 * the view has no velocities in cells, or memory runs out. */
bool pd_flow_fill(pd_flow *flow, const pd_picture *picture, const pd_camera *camera);
void pd_flow_free(pd_flow *flow);

static inline float pd_flow_clamp(float value, float highest) {
    value = value < 0 ? 0 : value;
    return value < highest ? value : highest;
}

/* Interpolates the velocity at x, y. Returns false outside of fluid. */
static inline bool pd_flow_interpolate(const pd_flow *flow, float x, float y, float velocity[2]) {
    float column = (x - flow->x) * flow->samples_per_unit, row = (flow->y - y) * flow->samples_per_unit;
    float right = (float)(flow->nx - 1), top = (float)(flow->ny - 1);
    if (!(column >= -0.5f && row >= -0.5f && column <= right + 0.5f && row <= top + 0.5f)) return false;
    column = pd_flow_clamp(column, right);
    row = pd_flow_clamp(row, top);
    int i = (int)column, j = (int)row, next = i < flow->nx - 1, above = j < flow->ny - 1 ? flow->nx : 0;
    float u = column - (float)i, v = row - (float)j;
    const pd_flow_sample *a = &flow->samples[j * flow->nx + i], *b = a + next, *c = a + above, *d = c + next;
    float wa = (1 - u) * (1 - v), wb = u * (1 - v), wc = (1 - u) * v, wd = u * v;
    velocity[0] = wa * a->x + wb * b->x + wc * c->x + wd * d->x;
    velocity[1] = wa * a->y + wb * b->y + wc * c->y + wd * d->y;
    return wa * a->fluid + wb * b->fluid + wc * c->fluid + wd * d->fluid > 0.5f;
}

#endif
