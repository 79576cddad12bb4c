#include "sim/particles/spread.h"

#include "core/math.h"
#include "core/random.h"
#include "sim/particles/near.h"
#include "sim/walls/boxtree.h"
#include "sim/world.h"

/* The time is bounded, also of a crowd that these sweeps do not resolve: only so many particles of a cell push another, and
 * there are fewer sweeps over millions of particles. */
enum {
    GRAIN = 1024,
    MOST_SWEEPS = 160,
    LOCAL_SWEEPS = 20,
    MOST_IN_CELL = 16,
    MOST_MOVES = 32000000 /* particles times sweeps */
};
/* In rest spacings: the distance that particles are to have, and how far a particle still moves in the last sweep. On a
 * hexagonal lattice at the rest density they are 1.07 apart, in a liquid some are at 0.8. */
static const float APART = 0.9f, CLOSE_ENOUGH = 0.05f;
static const float APART_LOCAL = 0.8f; /* beside fluid that stays as it is */
static const float AROUND = 3;         /* the reach of the methods' kernels */
static const float AT_WALL = 0.01f;
static const float CROWDED = 0.6f; /* part of that distance by which the neighbours of a crowded particle push it */

typedef struct spread_job {
    pd_world *world;
    pd_near near;
    float apart;
    int sweep;
    bool flagged; /* only these particles, and those that they push in later sweeps, within `box` */
    pd_box box;
} spread_job;

/* Away from a particle at the same place: each of the two in another direction. */
static pd_vec2 away(uint32_t from, uint32_t to) {
    float angle = 2.3999632f * (float)(from < to ? from : to), sign = from < to ? 1.0f : -1.0f;
    return (pd_vec2){sign * pd_cosf(angle), sign * pd_sinf(angle)};
}

/* By how much its neighbours push a particle away; *crowding: the sum of the pushes' sizes; *touched: one of them is flagged. */
static pd_vec2 push_on(const spread_job *job, int i, float *crowding, bool *touched) {
    const pd_particles *p = &job->world->particles;
    const pd_neighbours *n = &job->world->neighbours;
    enum { FEW = 3 /* neighbours; many would push it too far, since all particles move at once */ };
    int count = 0;
    *crowding = 0;
    *touched = false;
    double cell_x, cell_y, other_x, other_y;
    pd_vec2 sum = {0, 0}, place = {p->x[i], p->y[i]};
    pd_near_cell(&job->near, place, &cell_x, &cell_y);
    for (int c = 0; c < 9; c++) {
        double x = cell_x + c % 3 - 1, y = cell_y + c / 3 - 1;
        uint32_t bucket = pd_near_bucket(&job->near, x, y);
        int begin = n->start[bucket], end = n->start[bucket + 1], spare = end - begin - MOST_IN_CELL;
        if (spare > 0) { /* a window that depends on the particle and the sweep */
            begin += (int)(pd_random_mix((uint64_t)job->sweep << 32 | p->id[i]) % ((uint64_t)spare + 1));
            end = begin + MOST_IN_CELL;
        }
        for (int k = begin; k < end; k++) {
            int other = (int)n->order[k];
            float dx = place.x - p->x[other], dy = place.y - p->y[other], r2 = dx * dx + dy * dy;
            if (other == i || !(r2 < job->apart * job->apart)) continue;
            /* Other cells may share the bucket, also two of these nine. */
            pd_near_cell(&job->near, (pd_vec2){p->x[other], p->y[other]}, &other_x, &other_y);
            if (other_x != x || other_y != y) continue;
            float r = sqrtf(r2), half = 0.5f * (job->apart - r);
            pd_vec2 direction = r > 0 ? (pd_vec2){dx / r, dy / r} : away(p->id[i], p->id[other]);
            sum.x += half * direction.x;
            sum.y += half * direction.y;
            *crowding += half;
            *touched |= job->world->flags[other];
            count++;
        }
    }
    float share = count > FEW ? (float)FEW / (float)count : 1;
    return (pd_vec2){share * sum.x, share * sum.y};
}

/* Particles that are crowded along a wall lie on one line, on which they would remain: so each takes its own distance from
 * the wall, the farther the more crowded they are. */
static void leave_wall(const spread_job *job, uint32_t id, float crowding, pd_vec2 start, pd_vec2 *place) {
    const pd_boundary *boundary = job->world->boundary;
    pd_contact contact;
    pd_vec2 normal;
    if (!(pd_boundary_distance(boundary, *place, &normal) < AT_WALL * job->apart)) return;
    float most = fminf(0.5f * crowding, 2 * job->apart), distance = most * (float)((id * 0x9e3779b1u) >> 8) * 0x1p-24f;
    place->x += distance * normal.x;
    place->y += distance * normal.y;
    pd_boundary_contain(boundary, start, place, &contact);
}

static bool lies_in(const pd_box *box, float x, float y) {
    return x >= box->low_x && x <= box->high_x && y >= box->low_y && y <= box->high_y;
}

/* The new places, into old_x and old_y. */
static void find_places(void *context, int begin, int end) {
    const spread_job *job = context;
    const pd_particles *p = &job->world->particles;
    uint32_t *touches = job->world->neighbours.key; /* free after the list is made */
    float most = 0.5f * job->apart;
    for (int i = begin; i < end; i++) {
        float crowding = 0;
        bool touched = false, within = !job->flagged || lies_in(&job->box, p->x[i], p->y[i]);
        pd_vec2 push = {0, 0}, start = {p->x[i], p->y[i]}, place = start;
        pd_contact contact;
        if (within) push = push_on(job, i, &crowding, &touched);
        if (job->flagged) touches[i] = within && touched;
        float size = pd_hypotf(push.x, push.y), scale = size > most ? most / size : 1;
        if (size > 0 && (!job->flagged || job->world->flags[i])) {
            place.x += scale * push.x;
            place.y += scale * push.y;
            pd_boundary_contain(job->world->boundary, start, &place, &contact);
            if (crowding > CROWDED * job->apart) leave_wall(job, p->id[i], crowding, start, &place);
        }
        p->old_x[i] = place.x;
        p->old_y[i] = place.y;
    }
}

/* Moves the particles to their new places; the greatest way of one, m. */
static float move(pd_particles *p) {
    float greatest = 0;
    for (int i = 0; i < p->count; i++) {
        greatest = fmaxf(greatest, pd_hypotf(p->old_x[i] - p->x[i], p->old_y[i] - p->y[i]));
        p->x[i] = p->old_x[i];
        p->y[i] = p->old_y[i];
    }
    return greatest;
}

void pd_world_spread(pd_world *world) {
    float spacing = world->resolution.spacing, moved = INFINITY;
    spread_job job = {.world = world, .apart = APART * spacing};
    pd_world_rest_obstacles(world);
    int count = world->particles.count, sweeps = count > MOST_MOVES / MOST_SWEEPS ? MOST_MOVES / count : MOST_SWEEPS;
    for (; job.sweep < sweeps && moved > CLOSE_ENOUGH * spacing; job.sweep++) {
        job.near = pd_near_list(world, (pd_vec2){0, 0}, INFINITY, job.apart);
        pd_parallel_for(world->pool, count, GRAIN, find_places, &job);
        moved = move(&world->particles);
    }
}

static pd_box box_of_flagged(const pd_world *world) {
    const pd_particles *p = &world->particles;
    pd_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < p->count; i++) {
        if (!world->flags[i]) continue;
        box = (pd_box){fminf(box.low_x, p->x[i]), fminf(box.low_y, p->y[i]), fmaxf(box.high_x, p->x[i]),
                       fmaxf(box.high_y, p->y[i])};
    }
    return box;
}

static void grow(pd_box *box, float by) {
    *box = (pd_box){box->low_x - by, box->low_y - by, box->high_x + by, box->high_y + by};
}

/* Lists the particles about the box, and finds for each one in it a new place, and whether a neighbour is flagged. */
static void find_in_box(spread_job *job) {
    const pd_box *box = &job->box;
    pd_vec2 center = {0.5f * (box->low_x + box->high_x), 0.5f * (box->low_y + box->high_y)};
    float reach = pd_hypotf(box->high_x - center.x, box->high_y - center.y) + 2 * job->apart;
    job->near = pd_near_list(job->world, center, reach, job->apart);
    pd_parallel_for(job->world->pool, job->world->particles.count, GRAIN, find_places, job);
    for (int i = 0; i < job->world->particles.count; i++) job->world->flags[i] |= job->world->neighbours.key[i] != 0;
}

void pd_world_spread_flagged(pd_world *world) {
    float spacing = world->resolution.spacing, moved = INFINITY;
    spread_job job = {.world = world, .apart = APART_LOCAL * spacing, .flagged = true, .box = box_of_flagged(world)};
    grow(&job.box, 2 * job.apart);
    for (; job.sweep < LOCAL_SWEEPS && moved > CLOSE_ENOUGH * spacing; job.sweep++) {
        find_in_box(&job);
        moved = move(&world->particles);
        grow(&job.box, job.apart);
    }
    job.apart = AROUND * spacing;
    grow(&job.box, job.apart);
    find_in_box(&job); /* the places are not taken */
}
