/* Emitters and drains, once a step. */
#include "core/timer.h"
#include "scene/geometry.h"
#include "sim/near.h"

#include <math.h>

/* A new particle needs this distance to all others, else it is not emitted: a container without a drain fills up and then
 * stays full. In units of the rest spacing. */
static const float FREE_DISTANCE = 0.6f;

enum {
    CANDIDATES = 256,             /* between two readings of the clock */
    PARTICLES_PER_CANDIDATE = 16, /* that take as long in pd_near_list as one candidate does */
};

/* Computes how many particles an emitter is due in this step; false: it is not active. */
static bool begin_emitter(pd_world *world, int index) {
    const pd_emitter *e = &world->scene.emitters[index];
    pd_emission *emission = &world->emission;
    double begin = pd_world_time(world), dt = world->scene.dt;
    double from = fmax(begin, e->from), until = fmin(begin + dt, e->until);
    if (!(until > from)) return false;
    float free_distance = FREE_DISTANCE * world->resolution.spacing;
    float travel = e->speed * world->scene.dt;
    emission->due = fmin(world->emitter_carry[index] + e->rate * (until - from), PD_MAX_PARTICLES);
    emission->room = pd_world_make_room(world, (int)emission->due);
    emission->near = pd_near_list(world, e->position, e->width / 2 + travel + free_distance, free_distance);
    return true;
}

/* Emits on a rank-1 lattice: along the jet by time of birth, across it by multiples of the golden ratio, which are evenly
 * spaced for any number of particles. At most `most` candidates; false: more are due. */
static bool emit_some(pd_world *world, int index, int most) {
    static const double GOLDEN = 0.61803398874989485;
    const pd_emitter *e = &world->scene.emitters[index];
    pd_emission *emission = &world->emission;
    float length = hypotf(e->direction.x, e->direction.y);
    pd_vec2 along = {e->direction.x / length, e->direction.y / length};
    for (; emission->due >= 1; emission->due -= 1) {
        if (most-- <= 0) return false;
        uint64_t number = world->emitter_number[index]++;
        double across = ((double)number * GOLDEN - floor((double)number * GOLDEN) - 0.5) * e->width;
        double ahead = e->speed * (emission->due - 1) / e->rate; /* distance travelled since its birth */
        pd_vec2 point = {(float)(e->position.x + along.x * ahead - along.y * across),
                         (float)(e->position.y + along.y * ahead + along.x * across)};
        pd_boundary_push_out(world->boundary, &point);
        if (pd_near_occupied(world, &emission->near, point)) continue;
        if (emission->room-- <= 0) break;
        pd_particles_add(&world->particles, point, (pd_vec2){along.x * e->speed, along.y * e->speed}, e->material);
    }
    world->emitter_carry[index] = emission->due - floor(emission->due);
    return true;
}

bool pd_world_emit(pd_world *world, double seconds) {
    double started = pd_now();
    pd_emission *emission = &world->emission;
    int left = CANDIDATES;
    while (emission->emitter < world->scene.emitter_count) {
        if (left <= 0 && pd_now() - started >= seconds) return false;
        if (left <= 0) left = CANDIDATES;
        if (!emission->open) {
            left -= world->particles.count / PARTICLES_PER_CANDIDATE;
            emission->open = begin_emitter(world, emission->emitter);
        }
        double due = emission->due;
        if (emission->open && !emit_some(world, emission->emitter, left > 0 ? left : 1)) {
            left = 0;
            continue;
        }
        left -= (int)(due - emission->due);
        emission->open = false;
        emission->emitter++;
    }
    return true;
}

/* Whether a point lies on a side through which the fluid leaves, for methods that know such sides. */
static bool leaves(const pd_world *world, pd_vec2 p) {
    const pd_container *c = &world->scene.container;
    if (c->shape != PD_CONTAINER_BOX || !(world->method->info.features & PD_FEATURE_WALLS)) return false;
    float x = 0.5f * c->width, y = 0.5f * c->height, near = 1e-4f * fminf(x, y);
    const float distance[PD_WALLS] = {
        [PD_WALL_LEFT] = p.x + x, [PD_WALL_RIGHT] = x - p.x, [PD_WALL_BOTTOM] = p.y + y, [PD_WALL_TOP] = y - p.y};
    for (int side = 0; side < PD_WALLS; side++)
        if (c->walls[side].outflow && distance[side] < near) return true;
    return false;
}

static bool has_exits(const pd_world *world) {
    for (int side = 0; side < PD_WALLS; side++)
        if (world->scene.container.walls[side].outflow) return true;
    return world->scene.drain_count > 0;
}

void pd_world_drain(pd_world *world) {
    pd_particles *p = &world->particles;
    if (!has_exits(world)) return;
    bool any = false;
    for (int i = 0; i < p->count; i++) {
        pd_vec2 point = {p->x[i], p->y[i]};
        bool inside = leaves(world, point);
        for (int d = 0; d < world->scene.drain_count && !inside; d++)
            inside = pd_drain_contains(&world->scene.drains[d], point);
        world->flags[i] = inside;
        any |= inside;
    }
    if (any) pd_particles_remove(p, world->flags);
}
