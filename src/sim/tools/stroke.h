/* A stroke: the area that the tool's disc covers on a straight path. */
#ifndef PUDDLE_SIM_TOOLS_STROKE_H
#define PUDDLE_SIM_TOOLS_STROKE_H

#include "core/math.h"
#include "sim/world.h"

typedef struct pd_stroke {
    pd_vec2 from, to;     /* start and end of the path, m */
    pd_vec2 center;       /* centre of the bounding box, m */
    float radius;         /* radius of the disc, m */
    float half_x, half_y; /* half the sides of the bounding box, m */
} pd_stroke;

static inline pd_stroke pd_stroke_between(const pd_world *world, pd_vec2 from, pd_vec2 to) {
    float radius = world->tool.radius;
    pd_vec2 center = {0.5f * (from.x + to.x), 0.5f * (from.y + to.y)};
    return (pd_stroke){
        from, to, center, radius, radius + 0.5f * fabsf(to.x - from.x), radius + 0.5f * fabsf(to.y - from.y)};
}
/* Return the tool's stroke in the present step: from the beginning of the step to the end of this substep (_so_far), or to
 * the end of the step. */
static inline pd_stroke pd_stroke_of_step_so_far(const pd_world *world) {
    return pd_stroke_between(world, world->tool_from, world->tool_now);
}
static inline pd_stroke pd_stroke_of_step(const pd_world *world) {
    return pd_stroke_between(world, world->tool_from, world->tool.position);
}

/* Returns the distance of a point from the stroke's path, m. */
static inline float pd_stroke_distance(const pd_stroke *s, pd_vec2 p) {
    float dx = s->to.x - s->from.x, dy = s->to.y - s->from.y, px = p.x - s->from.x, py = p.y - s->from.y;
    float length2 = dx * dx + dy * dy;
    float t = length2 > 0 ? fminf(fmaxf((px * dx + py * dy) / length2, 0), 1) : 0;
    return pd_hypotf(px - t * dx, py - t * dy);
}

/* Returns 1 at a point inside the stroke and 0 outside, with a smooth transition from 0.7 to 1 radius from the path. */
static inline float pd_stroke_smooth_coverage(const pd_stroke *s, pd_vec2 p) {
    float d = pd_stroke_distance(s, p) / s->radius;
    float edge = fminf(fmaxf((1 - d) / 0.3f, 0), 1);
    return edge * edge * (3 - 2 * edge);
}

#endif
