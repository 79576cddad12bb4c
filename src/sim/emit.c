/* Emitters and drains, once a step. */
#include "core/error.h"
#include "scene/geometry.h"
#include "sim/world.h"

#include <math.h>

/* A nozzle waits while its mouth is full, so that a vessel without a drain fills up and then holds. */
static const float FREE_DISTANCE = 0.6f; /* of the rest spacing */

static bool occupied(const pd_particles *p, const uint32_t *near, int near_count, pd_vec2 point, float distance) {
    for (int k = 0; k < near_count; k++) {
        float dx = p->x[near[k]] - point.x, dy = p->y[near[k]] - point.y;
        if (dx * dx + dy * dy < distance * distance) return true;
    }
    return false;
}

/* The particles about a nozzle's mouth; the list borrows the sort's order array, which the next sort writes anew. */
static int gather_near(pd_world *world, const pd_emitter *e, float reach) {
    const pd_particles *p = &world->particles;
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        float dx = p->x[i] - e->position.x, dy = p->y[i] - e->position.y;
        if (dx * dx + dy * dy < reach * reach) world->neighbours.order[count++] = (uint32_t)i;
    }
    return count;
}

/* Room for so many more; what does not fit is not sent out, and after a failure nobody asks again until a reset. */
static int make_room(pd_world *world, int more) {
    const pd_particles *p = &world->particles;
    if (p->capacity - p->count < more && !world->out_of_memory) {
        int64_t wanted = (int64_t)p->capacity * 3 / 2 + more;
        int capacity = wanted > PD_MAX_PARTICLES ? PD_MAX_PARTICLES : (int)wanted;
        world->out_of_memory = pd_world_reserve(world, capacity, NULL) != PD_OK;
    }
    return p->capacity - p->count < more ? p->capacity - p->count : more;
}

/* Particles leave on a rank-1 lattice: along the jet by their time of birth, across it by the golden ratio, which spaces
 * any number of them evenly. */
static void emit_from(pd_world *world, int index, double begin, double dt) {
    static const double GOLDEN = 0.61803398874989485;
    const pd_emitter *e = &world->scene.emitters[index];
    double from = fmax(begin, e->from), until = fmin(begin + dt, e->until);
    if (!(until > from)) return;
    float length = hypotf(e->direction.x, e->direction.y);
    pd_vec2 along = {e->direction.x / length, e->direction.y / length};
    float free_distance = FREE_DISTANCE * world->resolution.spacing;
    float travel = e->speed * (float)dt;
    double *carry = &world->emitter_carry[index];
    double due = fmin(*carry + e->rate * (until - from), PD_MAX_PARTICLES);
    int room = make_room(world, (int)due); /* first: it may replace the array that the list below borrows */
    int near_count = gather_near(world, e, e->width / 2 + travel + free_distance);
    for (; due >= 1; due -= 1) {
        uint64_t number = world->emitter_number[index]++;
        double across = ((double)number * GOLDEN - floor((double)number * GOLDEN) - 0.5) * e->width;
        double ahead = e->speed * (due - 1) / e->rate; /* how far it has come since it left the mouth */
        pd_vec2 point = {(float)(e->position.x + along.x * ahead - along.y * across),
                         (float)(e->position.y + along.y * ahead + along.x * across)};
        pd_boundary_push_out(world->boundary, &point);
        if (occupied(&world->particles, world->neighbours.order, near_count, point, free_distance)) continue;
        if (room-- <= 0) break;
        pd_particles_add(&world->particles, point, (pd_vec2){along.x * e->speed, along.y * e->speed}, e->material);
    }
    *carry = due - floor(due);
}

void pd_world_emit(pd_world *world, double begin, double dt) {
    for (int i = 0; i < world->scene.emitter_count; i++) emit_from(world, i, begin, dt);
}

void pd_world_drain(pd_world *world) {
    pd_particles *p = &world->particles;
    if (world->scene.drain_count == 0) return;
    bool any = false;
    for (int i = 0; i < p->count; i++) {
        pd_vec2 point = {p->x[i], p->y[i]};
        bool inside = false;
        for (int d = 0; d < world->scene.drain_count && !inside; d++)
            inside = pd_drain_contains(&world->scene.drains[d], point);
        world->flags[i] = inside;
        any |= inside;
    }
    if (any) pd_particles_remove(p, world->flags);
}
