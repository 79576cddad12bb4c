/* Moves particles apart that are too close together, in repeated sweeps over all particles or over flagged ones. */
#include "sim/particles/spread.h"

#include "core/math.h"
#include "core/random.h"
#include "sim/particles/near.h"
#include "sim/walls/boxtree.h"
#include "sim/world.h"

/* Limits of the cost where particles are so crowded that the sweeps do not separate them. A particle interacts with at
 * most MOST_IN_CELL particles of each cell. More than MOST_MOVES / MOST_SWEEPS = 200,000 particles get fewer sweeps. */
enum {
    PARTICLES_PER_CHUNK = 1024, /* particles in a chunk of parallel work */
    MOST_SWEEPS = 160,          /* greatest number of sweeps over all particles */
    LOCAL_SWEEPS = 20,          /* greatest number of sweeps if only flagged particles move */
    MOST_IN_CELL = 16,          /* greatest number of particles of a cell with which a particle interacts */
    MOST_MOVES = 32000000       /* limit of (number of particles) x (number of sweeps) */
};
/* Distances are in units of the rest spacing. Particles are moved apart to the distance APART. For comparison:
 * neighbours on a hexagonal lattice at the rest density are 1.07 apart, close pairs in a liquid 0.8. */
static const float APART = 0.9f;
static const float APART_LOCAL = 0.8f;   /* used instead of APART if only flagged particles move */
static const float CLOSE_ENOUGH = 0.05f; /* the sweeps end when no particle moves farther than this in a sweep */
static const float AROUND = 3;           /* a moved particle changes the densities of particles within this distance */
static const float AT_WALL = 0.01f; /* a particle nearer to a wall than AT_WALL x spread_job.apart is at the wall */
/* A particle at a wall is crowded if the sum of its pushes exceeds CROWDED x spread_job.apart. */
static const float CROWDED = 0.6f;

typedef struct spread_job {
    pd_world *world;
    pd_near_particles near;
    float apart;  /* distance to which close particles are moved apart, m */
    int sweep;    /* number of the sweep, from 0 */
    bool flagged; /* only flagged particles within `box` are moved, and each sweep flags their neighbours too */
    pd_box box;   /* if `flagged`: rectangle that contains all flagged particles, m */
} spread_job;

/* Returns a unit vector along which to separate two particles at the same place. Exchanged ids give the
 * opposite vector. */
static pd_vec2 choose_separating_direction(uint32_t id, uint32_t other_id) {
    float angle = 2.3999632f * (float)(id < other_id ? id : other_id), sign = id < other_id ? 1.0f : -1.0f;
    return (pd_vec2){sign * pd_cosf(angle), sign * pd_sinf(angle)};
}

/* Returns the displacement of particle i away from its close neighbours, m. *crowding receives the sum of the lengths of
 * its neighbours' pushes, m. *is_near_flagged receives whether a flagged particle is closer than job->apart. */
static pd_vec2 compute_separating_displacement(const spread_job *job, int i, float *crowding, bool *is_near_flagged) {
    const pd_particles *p = &job->world->particles;
    const pd_neighbours *n = &job->world->neighbours;
    /* The displacement is at most MOST_MEAN_PUSHES times the mean push of a neighbour. In a crowd the sum of all pushes
     * would be too far, since all particles move at once. */
    enum { MOST_MEAN_PUSHES = 3 };
    int count = 0;
    *crowding = 0;
    *is_near_flagged = false;
    double cell_x, cell_y, other_x, other_y;
    pd_vec2 sum = {0, 0}, place = {p->x[i], p->y[i]};
    pd_near_particles_cell_of_point(&job->near, place, &cell_x, &cell_y);
    for (int c = 0; c < 9; c++) {
        double x = cell_x + c % 3 - 1, y = cell_y + c / 3 - 1;
        uint32_t bucket = pd_near_particles_bucket_of_cell(&job->near, x, y);
        int begin = n->start[bucket], end = n->start[bucket + 1], spare = end - begin - MOST_IN_CELL;
        if (spare > 0) { /* tests only MOST_IN_CELL particles of the bucket, beginning with a random one */
            begin += (int)(pd_random_mix_bits((uint64_t)job->sweep << 32 | p->id[i]) % ((uint64_t)spare + 1));
            end = begin + MOST_IN_CELL;
        }
        for (int k = begin; k < end; k++) {
            int other = (int)n->order[k];
            float dx = place.x - p->x[other], dy = place.y - p->y[other], r2 = dx * dx + dy * dy;
            if (other == i || !(r2 < job->apart * job->apart)) continue;
            /* Skips particles of other cells with the same bucket: such a cell may be one of the nine, and its particles
             * would count twice. */
            pd_near_particles_cell_of_point(&job->near, (pd_vec2){p->x[other], p->y[other]}, &other_x, &other_y);
            if (other_x != x || other_y != y) continue;
            float r = sqrtf(r2), half = 0.5f * (job->apart - r);
            pd_vec2 direction = r > 0 ? (pd_vec2){dx / r, dy / r} : choose_separating_direction(p->id[i], p->id[other]);
            sum.x += half * direction.x;
            sum.y += half * direction.y;
            *crowding += half;
            *is_near_flagged |= job->world->flags[other];
            count++;
        }
    }
    float factor = count > MOST_MEAN_PUSHES ? (float)MOST_MEAN_PUSHES / (float)count : 1;
    return (pd_vec2){factor * sum.x, factor * sum.y};
}

/* Moves a crowded particle at a wall away from the wall by a random distance. Otherwise the crowd would remain on a line
 * along the wall. */
static void move_particle_away_from_wall(const spread_job *job, uint32_t id, float crowding, pd_vec2 start,
                                         pd_vec2 *place) {
    const pd_boundary *boundary = job->world->boundary;
    pd_contact contact;
    pd_vec2 normal;
    if (!(pd_boundary_wall_distance(boundary, *place, &normal) < AT_WALL * job->apart)) return;
    float most = fminf(0.5f * crowding, 2 * job->apart), distance = most * (float)((id * 0x9e3779b1u) >> 8) * 0x1p-24f;
    place->x += distance * normal.x;
    place->y += distance * normal.y;
    pd_boundary_stop_at_walls(boundary, start, place, &contact);
}

/* Computes the new positions of particles in a sweep, and stores them in old_x and old_y. */
static void compute_separated_positions(void *context, int begin, int end) {
    const spread_job *job = context;
    const pd_particles *p = &job->world->particles;
    uint32_t *touches = job->world->neighbours.key; /* stores 1 for a particle near a flagged one, in an unused array */
    float most = 0.5f * job->apart;
    for (int i = begin; i < end; i++) {
        float crowding = 0;
        bool touched = false, within = !job->flagged || (p->x[i] >= job->box.low_x && p->x[i] <= job->box.high_x &&
                                                         p->y[i] >= job->box.low_y && p->y[i] <= job->box.high_y);
        pd_vec2 push = {0, 0}, start = {p->x[i], p->y[i]}, place = start;
        pd_contact contact;
        if (within) push = compute_separating_displacement(job, i, &crowding, &touched);
        if (job->flagged) touches[i] = within && touched;
        float size = pd_hypotf(push.x, push.y), scale = size > most ? most / size : 1;
        if (size > 0 && (!job->flagged || job->world->flags[i])) {
            place.x += scale * push.x;
            place.y += scale * push.y;
            pd_boundary_stop_at_walls(job->world->boundary, start, &place, &contact);
            if (crowding > CROWDED * job->apart) move_particle_away_from_wall(job, p->id[i], crowding, start, &place);
        }
        p->old_x[i] = place.x;
        p->old_y[i] = place.y;
    }
}

/* Moves the particles to the positions that compute_separated_positions has stored in old_x and old_y. Returns the
 * greatest displacement, m. */
static float move_particles_to_new_positions(pd_particles *p) {
    float greatest = 0;
    for (int i = 0; i < p->count; i++) {
        greatest = fmaxf(greatest, pd_hypotf(p->old_x[i] - p->x[i], p->old_y[i] - p->y[i]));
        p->x[i] = p->old_x[i];
        p->y[i] = p->old_y[i];
    }
    return greatest;
}

void pd_world_spread_particles(pd_world *world) {
    float spacing = world->resolution.spacing, moved = INFINITY;
    spread_job job = {.world = world, .apart = APART * spacing};
    pd_world_place_obstacles_at_rest(world);
    int count = world->particles.count, sweeps = count > MOST_MOVES / MOST_SWEEPS ? MOST_MOVES / count : MOST_SWEEPS;
    for (; job.sweep < sweeps && moved > CLOSE_ENOUGH * spacing; job.sweep++) {
        job.near = pd_near_particles_find(world, (pd_vec2){0, 0}, INFINITY, job.apart);
        pd_parallel_for(world->pool, count, PARTICLES_PER_CHUNK, compute_separated_positions, &job);
        moved = move_particles_to_new_positions(&world->particles);
    }
}

static pd_box compute_box_of_flagged_particles(const pd_world *world) {
    const pd_particles *p = &world->particles;
    pd_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < p->count; i++) {
        if (!world->flags[i]) continue;
        box = (pd_box){fminf(box.low_x, p->x[i]), fminf(box.low_y, p->y[i]), fmaxf(box.high_x, p->x[i]),
                       fmaxf(box.high_y, p->y[i])};
    }
    return box;
}

static void enlarge_box(pd_box *box, float margin) {
    *box = (pd_box){box->low_x - margin, box->low_y - margin, box->high_x + margin, box->high_y + margin};
}

/* Computes the new positions of flagged particles in one sweep. Then also flags the particles near flagged ones. */
static void compute_sweep_over_flagged_particles(spread_job *job) {
    const pd_box *box = &job->box;
    pd_vec2 center = {0.5f * (box->low_x + box->high_x), 0.5f * (box->low_y + box->high_y)};
    float reach = pd_hypotf(box->high_x - center.x, box->high_y - center.y) + 2 * job->apart;
    job->near = pd_near_particles_find(job->world, center, reach, job->apart);
    pd_parallel_for(job->world->pool, job->world->particles.count, PARTICLES_PER_CHUNK, compute_separated_positions,
                    job);
    for (int i = 0; i < job->world->particles.count; i++) job->world->flags[i] |= job->world->neighbours.key[i] != 0;
}

void pd_world_spread_flagged_particles(pd_world *world) {
    float spacing = world->resolution.spacing, moved = INFINITY;
    spread_job job = {.world = world,
                      .apart = APART_LOCAL * spacing,
                      .flagged = true,
                      .box = compute_box_of_flagged_particles(world)};
    enlarge_box(&job.box, 2 * job.apart);
    for (; job.sweep < LOCAL_SWEEPS && moved > CLOSE_ENOUGH * spacing; job.sweep++) {
        compute_sweep_over_flagged_particles(&job);
        moved = move_particles_to_new_positions(&world->particles);
        enlarge_box(&job.box, job.apart);
    }
    job.apart = AROUND * spacing;
    enlarge_box(&job.box, job.apart);
    /* This sweep only flags the particles whose density has changed. Their new positions are not used. */
    compute_sweep_over_flagged_particles(&job);
}
