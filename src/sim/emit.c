/* Emitters and drains, once a step. */
#include "core/error.h"
#include "core/timer.h"
#include "scene/geometry.h"
#include "sim/world.h"

#include <math.h>

/* A new particle needs this distance to all others, else it is not emitted: a container without a drain fills up and then
 * stays full. In units of the rest spacing. */
static const float FREE_DISTANCE = 0.6f;

enum {
    CANDIDATES = 256,             /* between two readings of the clock */
    PARTICLES_PER_CANDIDATE = 16, /* that take as long in list_near as one candidate does */
};

/* Side of the cells of the search, m: a little more than the free distance, so that rounding moves no particle beyond the
 * 3 x 3 cells around a candidate. */
static double cell_side(float free_distance) { return 1.01 * (double)free_distance; }

/* Spatial hash: consecutive within a row of cells. Particles of other cells in a bucket are rejected by their distance. */
static uint32_t bucket_of(double cell_x, double cell_y, uint32_t mask) {
    const double farthest = 1e15; /* of a restored world the spacing may be as small as a float can be */
    int64_t x = (int64_t)fmin(fmax(cell_x, -farthest), farthest), y = (int64_t)fmin(fmax(cell_y, -farthest), farthest);
    return ((uint32_t)x + 0x9e3779b1u * (uint32_t)y) & mask;
}

/* Sorts the particles near an emitter by cell, before it emits: particles of the same emission do not count as obstacles. Uses
 * the arrays of the cell sort, which the next substep fills again. Cost: one pass over the particles, and a counting sort
 * of those that are near. */
static void list_near(pd_world *world, const pd_emitter *e, float reach, float free_distance) {
    const pd_particles *p = &world->particles;
    pd_neighbours *n = &world->neighbours;
    uint32_t *near = p->spare, count = 0, buckets = 1;
    for (int i = 0; i < p->count; i++) {
        float dx = p->x[i] - e->position.x, dy = p->y[i] - e->position.y;
        if (dx * dx + dy * dy < reach * reach) near[count++] = (uint32_t)i;
    }
    while (buckets < count) buckets *= 2;
    double side = cell_side(free_distance);
    for (uint32_t k = 0; k < count; k++)
        n->key[k] = bucket_of(floor(p->x[near[k]] / side), floor(p->y[near[k]] / side), buckets - 1);
    pd_neighbours_order(n, (int)count, (int)buckets);
    for (uint32_t k = 0; k < count; k++) n->order[k] = near[n->order[k]];
    world->emission.near_mask = buckets - 1;
}

static bool occupied(const pd_world *world, pd_vec2 point, float distance) {
    const pd_particles *p = &world->particles;
    const pd_neighbours *n = &world->neighbours;
    double side = cell_side(distance), x = floor(point.x / side), y = floor(point.y / side);
    for (int cell = 0; cell < 9; cell++) {
        uint32_t bucket = bucket_of(x + cell % 3 - 1, y + cell / 3 - 1, world->emission.near_mask);
        for (int k = n->start[bucket]; k < n->start[bucket + 1]; k++) {
            float dx = p->x[n->order[k]] - point.x, dy = p->y[n->order[k]] - point.y;
            if (dx * dx + dy * dy < distance * distance) return true;
        }
    }
    return false;
}

/* Grows the arrays for `more` particles; returns for how many there is room. Particles without room are not emitted, and after a
 * failure memory is not requested again until a reset. */
static int make_room(pd_world *world, int more) {
    const pd_particles *p = &world->particles;
    if (p->capacity - p->count < more && !world->out_of_memory) {
        int64_t wanted = (int64_t)p->capacity * 3 / 2 + more;
        int capacity = wanted > PD_MAX_PARTICLES ? PD_MAX_PARTICLES : (int)wanted;
        world->out_of_memory = pd_world_reserve(world, capacity, NULL) != PD_OK;
    }
    return p->capacity - p->count < more ? p->capacity - p->count : more;
}

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
    emission->room = make_room(world, (int)emission->due); /* before list_near, whose arrays it may replace */
    list_near(world, e, e->width / 2 + travel + free_distance, free_distance);
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
    float free_distance = FREE_DISTANCE * world->resolution.spacing;
    for (; emission->due >= 1; emission->due -= 1) {
        if (most-- <= 0) return false;
        uint64_t number = world->emitter_number[index]++;
        double across = ((double)number * GOLDEN - floor((double)number * GOLDEN) - 0.5) * e->width;
        double ahead = e->speed * (emission->due - 1) / e->rate; /* distance travelled since its birth */
        pd_vec2 point = {(float)(e->position.x + along.x * ahead - along.y * across),
                         (float)(e->position.y + along.y * ahead + along.x * across)};
        pd_boundary_push_out(world->boundary, &point);
        if (occupied(world, point, free_distance)) continue;
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
