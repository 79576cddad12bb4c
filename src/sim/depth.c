/* Relative depth of the fluid: see depth.h. */
#include "sim/depth.h"

#include "core/math.h"
#include "sim/world.h"

#include <math.h>

static const float FOLLOW_SECONDS = 0.5f; /* time constant of pd_depth_follow, s */

/* Returns the height of the fluid along gravity, m (depth.h). gravity: size of gravity, greater than 0. */
static double compute_height(const pd_world *world, double gravity) {
    const pd_particles *p = &world->particles;
    const double up_x = -(double)world->scene.gravity.x / gravity, up_y = -(double)world->scene.gravity.y / gravity;
    const double spacing = (double)world->resolution.spacing;
    double mean_x = 0, mean_y = 0, along = 0, across = 0;
    for (int i = 0; i < p->count; i++) mean_x += (double)p->x[i], mean_y += (double)p->y[i];
    mean_x /= p->count, mean_y /= p->count;
    for (int i = 0; i < p->count; i++) {
        double x = (double)p->x[i] - mean_x, y = (double)p->y[i] - mean_y;
        double h = x * up_x + y * up_y, w = x * up_y - y * up_x;
        along += h * h;
        across += w * w;
    }
    double extent = sqrt(12 * along / p->count), width = sqrt(12 * across / p->count);
    double area = p->count * spacing * spacing;
    return area < extent * width ? area / width : extent;
}

static float compute_relative_depth(const pd_world *world) {
    const double gravity = pd_hypot(world->scene.gravity.x, world->scene.gravity.y);
    if (world->particles.count == 0 || !(gravity > 0)) return 0;
    const double deep = gravity * compute_height(world, gravity);
    return (float)(deep / ((double)world->resolution.gravity * (double)world->resolution.length));
}

static void set_relative_depth(pd_world *world, float depth) {
    const float before = pd_resolution_compute_load(&world->resolution);
    world->resolution.relative_depth = depth;
    if (pd_resolution_compute_load(&world->resolution) != before) pd_world_update_parameters(world);
}

void pd_depth_measure(pd_world *world) { set_relative_depth(world, compute_relative_depth(world)); }

void pd_depth_follow(pd_world *world) {
    const float before = world->resolution.relative_depth, fraction = 1 - pd_expf(-world->scene.dt / FOLLOW_SECONDS);
    set_relative_depth(world, before + fraction * (compute_relative_depth(world) - before));
}

float pd_depth_height(const pd_world *world) {
    const float gravity = pd_hypotf(world->scene.gravity.x, world->scene.gravity.y);
    const pd_resolution *r = &world->resolution;
    return gravity > 0 ? r->relative_depth * r->gravity * r->length / gravity : 0;
}
