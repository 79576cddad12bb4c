/* Limits the speed of particles near newly poured fluid (calm.h). */
#include "sim/tools/calm.h"

#include "core/math.h"
#include "core/memory.h"
#include "sim/tools/stroke.h"
#include "sim/world.h"

#include <stdlib.h>

static const float LEAST_LIMIT = 0.12f; /* lowest speed limit, in units of sqrt(g L) (pd_resolution) */
/* Distance from a stroke within which speeds are limited, in units of the rest spacing: the default kernel radius. */
static const float REACH = 2.75f;

typedef struct pd_calm_particle {
    uint32_t id;   /* id of the particle */
    float fastest; /* speed limit, m/s */
} pd_calm_particle;

int pd_calm_steps_to_oldest_stroke(const pd_world *world) {
    int steps = PD_POURED_STEPS;
    while (steps > 0 && !(world->poured[steps - 1].radius > 0)) steps--;
    return steps;
}

static bool append_limited_particle(pd_calm *calm, pd_calm_particle particle) {
    if (calm->count == calm->capacity) {
        int capacity = 2 * calm->capacity + 256;
        pd_calm_particle *larger = pd_allocate((size_t)capacity, sizeof *larger);
        if (!larger) return false;
        for (int k = 0; k < calm->count; k++) larger[k] = calm->particle[k];
        pd_free(calm->particle);
        calm->particle = larger;
        calm->capacity = capacity;
    }
    calm->particle[calm->count++] = particle;
    return true;
}

static void compute_strokes_box(pd_world *world, int stroke_count) {
    pd_calm *calm = &world->calm;
    calm->low = (pd_vec2){INFINITY, INFINITY};
    calm->high = (pd_vec2){-INFINITY, -INFINITY};
    for (int k = 0; k < stroke_count; k++) {
        const pd_poured *poured = &world->poured[k];
        float reach = poured->radius + REACH * world->resolution.spacing;
        if (!(poured->radius > 0)) continue;
        calm->low.x = fminf(calm->low.x, fminf(poured->from.x, poured->to.x) - reach);
        calm->low.y = fminf(calm->low.y, fminf(poured->from.y, poured->to.y) - reach);
        calm->high.x = fmaxf(calm->high.x, fmaxf(poured->from.x, poured->to.x) + reach);
        calm->high.y = fmaxf(calm->high.y, fmaxf(poured->from.y, poured->to.y) + reach);
    }
}

static bool is_in_strokes_box(const pd_calm *calm, float x, float y) {
    return x >= calm->low.x && x <= calm->high.x && y >= calm->low.y && y <= calm->high.y;
}

static bool is_near_stroke(const pd_world *world, int stroke_count, pd_vec2 point) {
    float reach = REACH * world->resolution.spacing;
    if (!is_in_strokes_box(&world->calm, point.x, point.y)) return false;
    for (int k = 0; k < stroke_count; k++) {
        const pd_poured *poured = &world->poured[k];
        const pd_stroke stroke = {.from = poured->from, .to = poured->to};
        if (poured->radius > 0 && pd_stroke_distance(&stroke, point) < poured->radius + reach) return true;
    }
    return false;
}

static int compare_ids(const void *a, const void *b) {
    const pd_calm_particle *p = a, *q = b;
    return p->id < q->id ? -1 : p->id > q->id;
}

void pd_calm_list_limited_particles(pd_world *world) {
    const pd_particles *p = &world->particles;
    pd_calm *calm = &world->calm;
    int steps = pd_calm_steps_to_oldest_stroke(world);
    calm->count = 0;
    if (steps == 0 || !world->method->law || world->method->cell)
        return; /* particles that are moved by a grid need no speed limit */
    pd_vec2 g = world->scene.gravity;
    float least = LEAST_LIMIT * sqrtf(world->resolution.gravity * world->resolution.length);
    float fall = pd_hypotf(g.x, g.y) * world->scene.dt;
    compute_strokes_box(world, steps);
    for (int i = 0; i < p->count; i++) {
        if (!is_near_stroke(world, steps, (pd_vec2){p->x[i], p->y[i]})) continue;
        float fastest = fmaxf(pd_hypotf(p->vx[i], p->vy[i]) + fall, least);
        if (!append_limited_particle(calm, (pd_calm_particle){p->id[i], fastest})) break;
    }
    if (calm->count > 0) qsort(calm->particle, (size_t)calm->count, sizeof *calm->particle, compare_ids);
}

static void limit_speed(const pd_world *world, int i, float speed_limit, float dt) {
    const pd_particles *p = &world->particles;
    pd_vec2 from = {p->old_x[i], p->old_y[i]};
    float dx = p->x[i] - from.x, dy = p->y[i] - from.y, way = pd_hypotf(dx, dy), fraction = speed_limit * dt / way;
    if (fraction < 1) {
        pd_vec2 to = {from.x + fraction * dx, from.y + fraction * dy};
        pd_contact contact;
        pd_boundary_stop_at_walls(world->boundary, from, &to, &contact);
        p->x[i] = to.x;
        p->y[i] = to.y;
    }
    float speed = pd_hypotf(p->vx[i], p->vy[i]);
    if (!(speed > speed_limit)) return;
    p->vx[i] *= speed_limit / speed;
    p->vy[i] *= speed_limit / speed;
}

void pd_calm_limit_speeds(pd_world *world, float dt) {
    const pd_particles *p = &world->particles;
    const pd_calm *calm = &world->calm;
    if (calm->count == 0) return;
    for (int i = 0; i < p->count; i++) {
        if (!is_in_strokes_box(calm, p->old_x[i], p->old_y[i]))
            continue; /* the particle has no limit, or was outside the strokes' box */
        const pd_calm_particle key = {.id = p->id[i]}, *listed;
        listed = bsearch(&key, calm->particle, (size_t)calm->count, sizeof key, compare_ids);
        if (listed) limit_speed(world, i, listed->fastest, dt);
    }
}
