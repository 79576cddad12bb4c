/* Emitters with their nozzles, drains, and zones in which materials change. An emitter adds particles at free places until its
 * compartment is full. */
#include "core/math.h"
#include "core/memory.h"
#include "core/timer.h"
#include "scene/geometry.h"
#include "sim/particles/near.h"
#include "sim/sources/compartments.h"
#include "sim/step.h"
#include "sim/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of a nozzle minus the distance that the jet moves in a step, in units of the rest spacing. Particles
 * interact within 2.75 spacings by default, so a particle at the nozzle's end has all its neighbours behind it. */
static const float LENGTH = 3;
/* Least area per particle of a jet with a nozzle, in units of the area at rest. Emitters may ask for denser jets, and
 * rely on gravity to thin them. */
static const double LEAST_AREA = 0.7;
/* Greatest area per particle of a jet that fills its mouth, in units of the area at rest. A thinner jet is no piston. */
static const double MOST_AREA = 1.5;

pd_vec2 pd_emitter_direction(const pd_emitter *emitter) {
    float length = pd_hypotf(emitter->direction.x, emitter->direction.y);
    return (pd_vec2){emitter->direction.x / length, emitter->direction.y / length};
}

/* Returns (area per particle of an emitter's jet) / (area per particle of fluid at rest). */
static double compute_relative_area_per_particle(const pd_world *world, const pd_emitter *emitter) {
    double spacing = (double)world->resolution.spacing;
    return (double)emitter->speed * emitter->width / emitter->rate / (spacing * spacing);
}

bool pd_emitter_has_nozzle(const pd_world *world, const pd_emitter *emitter) {
    return world->method->law && !world->method->cell &&
           compute_relative_area_per_particle(world, emitter) > LEAST_AREA;
}

/* Returns whether an emitter's particles may enter between the particles before its mouth: those of thin jets, which do not
 * push the fluid away, and those that a grid moves, which makes room by itself. */
static bool enters_gaps(const pd_world *world, const pd_emitter *emitter) {
    return world->method->law &&
           (world->method->cell || compute_relative_area_per_particle(world, emitter) > MOST_AREA);
}

bool pd_emitter_has_piston(const pd_world *world, const pd_emitter *emitter) {
    return world->method->law && !world->method->cell &&
           compute_relative_area_per_particle(world, emitter) <= MOST_AREA;
}

static bool is_in_nozzle(const pd_world *world, const pd_emitter *emitter, pd_vec2 direction, float x, float y) {
    float tolerance = 0.01f * world->resolution.spacing;
    float length = LENGTH * world->resolution.spacing + emitter->speed * world->scene.dt;
    float dx = x - emitter->position.x, dy = y - emitter->position.y;
    float ahead = dx * direction.x + dy * direction.y, across = dy * direction.x - dx * direction.y;
    return ahead >= -tolerance && ahead <= length && fabsf(across) <= emitter->width / 2 + tolerance;
}

static bool append_nozzle_particle(pd_world *world, pd_nozzle_particle particle) {
    pd_nozzle *nozzle = &world->nozzle;
    if (nozzle->count == nozzle->capacity) {
        int capacity = 2 * nozzle->capacity + 256;
        pd_nozzle_particle *larger = pd_allocate((size_t)capacity, sizeof *larger);
        if (!larger) return false;
        for (int k = 0; k < nozzle->count; k++) larger[k] = nozzle->particle[k];
        pd_free(nozzle->particle);
        nozzle->particle = larger;
        nozzle->capacity = capacity;
    }
    nozzle->particle[nozzle->count++] = particle;
    return true;
}

void pd_nozzle_push_fluid(pd_world *world, int emitter_index, bool all) {
    const pd_particles *p = &world->particles;
    const pd_emitter *emitter = &world->scene.emitters[emitter_index];
    if (!pd_emitter_has_piston(world, emitter)) return;
    pd_vec2 along = pd_emitter_direction(emitter);
    for (int i = 0; i < p->count; i++) {
        if (!is_in_nozzle(world, emitter, along, p->x[i], p->y[i])) continue;
        if (p->vx[i] * along.x + p->vy[i] * along.y >= (all ? emitter->speed : 0)) continue;
        p->vx[i] = along.x * emitter->speed;
        p->vy[i] = along.y * emitter->speed;
    }
}

static void list_particles_in_nozzle(pd_world *world, int emitter_index) {
    const pd_particles *p = &world->particles;
    const pd_emitter *emitter = &world->scene.emitters[emitter_index];
    const double now = pd_world_time(world);
    if (!(now + world->scene.dt > emitter->from && now < emitter->until)) return;
    if (!pd_emitter_has_nozzle(world, emitter)) return;
    pd_vec2 along = pd_emitter_direction(emitter);
    float vx = along.x * emitter->speed, vy = along.y * emitter->speed;
    for (int i = 0; i < p->count; i++) {
        if (p->vx[i] != vx || p->vy[i] != vy || !is_in_nozzle(world, emitter, along, p->x[i], p->y[i])) continue;
        if (!append_nozzle_particle(world, (pd_nozzle_particle){p->id[i], emitter_index, {p->x[i], p->y[i]}})) return;
    }
}

static int compare_ids(const void *a, const void *b) {
    const pd_nozzle_particle *p = a, *q = b;
    return p->id < q->id ? -1 : p->id > q->id;
}

/* Compares two listed particles by id, then by emitter, for qsort. A particle in several nozzles belongs to the emitter
 * with the least index. */
static int compare_ids_and_emitters(const void *a, const void *b) {
    const pd_nozzle_particle *p = a, *q = b;
    int ids = compare_ids(a, b);
    return ids ? ids : p->emitter - q->emitter;
}

void pd_nozzle_list_particles(pd_world *world) {
    pd_nozzle *nozzle = &world->nozzle;
    nozzle->count = 0;
    for (int e = 0; e < world->scene.emitter_count; e++) list_particles_in_nozzle(world, e);
    if (nozzle->count == 0) return;
    qsort(nozzle->particle, (size_t)nozzle->count, sizeof *nozzle->particle, compare_ids_and_emitters);
    int remaining = 1;
    for (int k = 1; k < nozzle->count; k++)
        if (nozzle->particle[k].id != nozzle->particle[k - 1].id) nozzle->particle[remaining++] = nozzle->particle[k];
    nozzle->count = remaining;
}

/* Moves a listed particle with the velocity of its jet for dt seconds. i: index of the particle in world->particles.
 * Returns false if the particle leaves the nozzle. */
static bool move_particle_with_jet(pd_world *world, pd_nozzle_particle *listed, int i, float dt) {
    const pd_particles *p = &world->particles;
    const pd_emitter *emitter = &world->scene.emitters[listed->emitter];
    pd_vec2 along = pd_emitter_direction(emitter), velocity = {along.x * emitter->speed, along.y * emitter->speed};
    pd_vec2 to = {listed->path_position.x + velocity.x * dt, listed->path_position.y + velocity.y * dt};
    pd_contact contact;
    if (pd_boundary_stop_at_walls(world->boundary, listed->path_position, &to, &contact)) return false;
    p->x[i] = to.x;
    p->y[i] = to.y;
    p->vx[i] = velocity.x;
    p->vy[i] = velocity.y;
    listed->path_position = to;
    return is_in_nozzle(world, emitter, along, to.x, to.y);
}

/* Moves particles that have passed an emitter's mouth from behind in this step back behind the mouth, so far that new
 * particles have room, and stops them. Otherwise fluid would enter the gap behind the jet and block the mouth. */
static void move_particles_behind_mouth(const pd_world *world, const pd_emitter *emitter) {
    const pd_particles *p = &world->particles;
    pd_vec2 along = pd_emitter_direction(emitter), at = emitter->position;
    float spacing = world->resolution.spacing, behind = -PD_EMITTER_FREE_DISTANCE * spacing;
    for (int i = 0; i < p->count; i++) {
        float dx = p->x[i] - at.x, dy = p->y[i] - at.y, ahead = dx * along.x + dy * along.y;
        if (ahead < behind || fabsf(dy * along.x - dx * along.y) > emitter->width / 2) continue;
        if ((p->previous_x[i] - at.x) * along.x + (p->previous_y[i] - at.y) * along.y >= behind) continue;
        float back = ahead - behind + 1e-3f * spacing, speed = fmaxf(p->vx[i] * along.x + p->vy[i] * along.y, 0);
        pd_vec2 from = {p->x[i], p->y[i]}, to = {from.x - back * along.x, from.y - back * along.y};
        pd_contact contact;
        pd_boundary_stop_at_walls(world->boundary, from, &to, &contact);
        p->x[i] = to.x;
        p->y[i] = to.y;
        p->vx[i] -= speed * along.x;
        p->vy[i] -= speed * along.y;
    }
}

void pd_nozzle_move_particles(pd_world *world, float dt) {
    const pd_particles *p = &world->particles;
    pd_nozzle *nozzle = &world->nozzle;
    if (nozzle->count == 0) return;
    double since = pd_now();
    for (int e = 0; e < world->scene.emitter_count; e++) {
        bool used = false;
        for (int k = 0; k < nozzle->count && !used; k++) used = nozzle->particle[k].emitter == e;
        const pd_emitter *emitter = &world->scene.emitters[e];
        if (used && pd_emitter_has_piston(world, emitter)) move_particles_behind_mouth(world, emitter);
    }
    uint32_t first = nozzle->particle[0].id, last = nozzle->particle[nozzle->count - 1].id;
    for (int i = 0; i < p->count; i++) {
        if (p->id[i] - first > last - first) continue;
        pd_nozzle_particle key = {.id = p->id[i]}, *listed;
        listed = bsearch(&key, nozzle->particle, (size_t)nozzle->count, sizeof key, compare_ids);
        if (listed && listed->emitter >= 0 && !move_particle_with_jet(world, listed, i, dt)) listed->emitter = -1;
    }
    pd_stage_end(world, "emit", &since);
}

/* Lattice of a jet from a nozzle. Surface tension makes the edges of a jet denser than its inside: a jet that fills its
 * mouth at the rest density becomes 0.5 to 0.9 spacings narrower. Particles are emitted on a lattice of this narrower
 * shape: pd_density_law.jet_inset is the distance from each outermost column to the edge of the mouth. A wider lattice is
 * under tension in the nozzle, so that the jet loses speed where it leaves it. Measured without gravity, 8 to 44 spacings
 * before mouths of 5 to 12 spacings: jets of 1.5 m/s have 93.9 to 102.2 % of this speed (test_jets_have_their_speed).
 * Slower jets deviate more. */
static const double CROWDING = 1.58; /* density of an outermost column, in units of the density of an inner column */

/* Number of columns of a jet with a nozzle, w = (distance from the first to the last column) / sqrt(area per particle):
 * max(COLUMNS w, min(1 + w / CLOSEST_COLUMNS, NARROW_COLUMNS)). Slow jets settle to COLUMNS w columns. Narrow jets
 * get up to NARROW_COLUMNS columns: jets of fewer columns burst, and jets of four columns split under `pbf`. */
static const double COLUMNS = 1.1, NARROW_COLUMNS = 6;
/* Least distance between columns in narrow jets, in units of sqrt(area per particle). */
static const double CLOSEST_COLUMNS = 0.68;

/* Gaps that new particles enter: least distance to the particles around, step of the search, and its depth along the jet, in
 * spacings. In hexagonally packed fluid at rest the distance is 0.62. */
static const double LEAST_GAP = 0.45, GAP_STEP = 0.2, DEPTH = 2;
enum { MOST_GAP_STEPS = 10 }; /* greatest number of steps of the search to either side */

/* Hexagonal lattice of a jet. Its columns are close-packed lines along the jet, so the jet has smooth edges. Each column
 * emits particles at equal intervals, half an interval later than its neighbours. */
typedef struct jet {
    pd_vec2 along;          /* direction of the jet, unit vector */
    int columns;            /* number of columns, from one side of the mouth to the other */
    double column_distance; /* distance between columns, m */
    double interval;        /* time between two particles of an inner column, in units of 1 / rate */
    double crowding;        /* density of an outermost column, in units of the density of an inner column */
} jet;

/* Computes the lattice of an emitter's jet, which has rate / (speed x width) particles per area. Without a nozzle all
 * columns are equally dense. */
static jet compute_jet_lattice(const pd_world *world, const pd_emitter *e) {
    double spacing = (double)world->resolution.spacing, least = (double)PD_EMITTER_FREE_DISTANCE * spacing;
    /* Area per particle, m^2: at least least^2, since on a denser lattice new particles would be rejected. */
    double area = fmax((double)e->speed * e->width / e->rate, least * least);
    double columns = e->width / sqrt(area * sqrt(0.75)),
           reach = 0; /* distance from the first to the last column, m; 0: no nozzle */
    if (pd_emitter_has_nozzle(world, e)) {
        reach = fmax(e->width - 2 * (double)world->method->law->jet_inset * spacing, e->width / 4);
        double spacings = reach / sqrt(area);
        columns = fmax(COLUMNS * spacings, fmin(1 + spacings / CLOSEST_COLUMNS, NARROW_COLUMNS));
    }
    columns = fmin(fmax(round(columns), 1), PD_MAX_PARTICLES);
    double crowding = reach > 0 && columns > 1 ? CROWDING : 1;
    return (jet){.along = pd_emitter_direction(e),
                 .columns = (int)columns,
                 .column_distance = reach > 0 ? reach / fmax(columns - 1, 1) : e->width / columns,
                 .interval = columns + 2 * (crowding - 1),
                 .crowding = crowding};
}

/* Returns the time between consecutive particles of a column, in units of 1 / rate. */
static double compute_emission_interval(const jet *jet, int column) {
    return column == 0 || column == jet->columns - 1 ? jet->interval / jet->crowding : jet->interval;
}

/* Returns the time at which a column emits its particle number particle_number (from 0), in units of 1 / rate, since the
 * start of the emitter. */
static double compute_emission_time(const jet *jet, int column, double particle_number) {
    return (particle_number + (column & 1 ? 0.25 : 0.75)) * compute_emission_interval(jet, column);
}

/* Emission of an emitter in this step. */
typedef struct emission {
    const pd_emitter *emitter;
    jet jet;                /* lattice of the jet */
    int free_capacity;      /* number of particles that can still be added; 0: no memory, or the compartment is full */
    bool rejected;          /* a particle could not be added, since its place was not free */
    pd_near_particles near; /* particles around the mouth, to find out which places are free */
} emission;

static pd_vec2 compute_point_of_jet(const pd_emitter *e, const jet *jet, double across, double ahead) {
    return (pd_vec2){(float)(e->position.x + jet->along.x * ahead - jet->along.y * across),
                     (float)(e->position.y + jet->along.y * ahead + jet->along.x * across)};
}

/* Finds the widest gap between particles in the cell of the jet's lattice at (across, ahead), up to DEPTH spacings along the
 * jet. Cells do not overlap, so new particles do not share a gap. Returns whether the gap is wide enough. */
static bool find_gap(const pd_world *world, const emission *emission, double across, double ahead, pd_vec2 *place) {
    const pd_emitter *e = emission->emitter;
    const jet *jet = &emission->jet;
    double spacing = (double)world->resolution.spacing, least = LEAST_GAP * spacing, step = GAP_STEP * spacing;
    double half_width = jet->column_distance / 2, length = fmin(e->speed * jet->interval / e->rate, DEPTH * spacing);
    int columns = (int)fmin(half_width / step, MOST_GAP_STEPS), rows = (int)(length / step);
    float widest = 0;
    for (int row = 0; row <= rows; row++)
        for (int column = -columns; column <= columns; column++) {
            pd_vec2 point = compute_point_of_jet(e, jet, across + column * step, ahead + row * step);
            float gap = pd_near_particles_square_distance(world, &emission->near, point);
            if (gap <= widest || !pd_boundary_allows_position(world->boundary, point, 0)) continue;
            widest = gap;
            *place = point;
        }
    return (double)widest >= least * least;
}

/* Finds the place of a new particle: its place in the jet, or a gap around (enters_gaps). Returns whether there is
 * room. */
static bool find_place(const pd_world *world, const emission *emission, double across, double ahead, pd_vec2 *place) {
    *place = compute_point_of_jet(emission->emitter, &emission->jet, across, ahead);
    pd_boundary_push_out_of_walls(world->boundary, place);
    if (!pd_near_particles_occupy_point(world, &emission->near, *place)) return true;
    return enters_gaps(world, emission->emitter) && find_gap(world, emission, across, ahead, place);
}

static void emit_particle_if_place_is_free(pd_world *world, emission *emission, double across, double ahead) {
    const pd_emitter *e = emission->emitter;
    pd_vec2 point, along = emission->jet.along, velocity = {along.x * e->speed, along.y * e->speed};
    if (emission->free_capacity <= 0) return;
    if (!find_place(world, emission, across, ahead, &point)) {
        emission->rejected = true;
        return;
    }
    emission->free_capacity--;
    world->emitted_now[e - world->scene.emitters]++;
    pd_particles_add(&world->particles, point, velocity, e->material);
}

/* Emits the particles of an emitter that are due in this step, column by column. */
static void emit_due_particles(pd_world *world, int index) {
    const pd_emitter *e = &world->scene.emitters[index];
    double now = pd_world_time(world), dt = world->scene.dt;
    double begin = fmax(now, e->from), end = fmin(now + dt, e->until);
    world->emitted_now[index] = 0;
    if (!(end > begin)) return;
    emission emission = {.emitter = e, .jet = compute_jet_lattice(world, e)};
    const jet *jet = &emission.jet;
    double due = fmin(e->rate * (end - begin), PD_MAX_PARTICLES);
    float free_distance = PD_EMITTER_FREE_DISTANCE * world->resolution.spacing, travel = e->speed * world->scene.dt;
    float reach = e->width / 2 + travel + (float)(DEPTH * (double)world->resolution.spacing) + free_distance;
    emission.free_capacity = pd_world_reserve_new_particles(world, (int)fmin(due + jet->columns, PD_MAX_PARTICLES) + 1);
    emission.free_capacity = pd_compartments_limit_emission(world, index, emission.free_capacity);
    emission.near = pd_near_particles_find(world, e->position, reach, free_distance);
    /* Interval (from, until] of emission times that are due, in units of 1 / rate since the emitter's start. */
    double from = (double)world->emitted[index] + world->emitted_fraction[index], until = from + due;
    for (int column = 0; column < jet->columns; column++) {
        double across = (column - 0.5 * (jet->columns - 1)) * jet->column_distance;
        double number = fmax(floor(from / compute_emission_interval(jet, column)) - 1, 0);
        while (compute_emission_time(jet, column, number) <= from) number++;
        for (;; number++) {
            double since = until - compute_emission_time(jet, column, number);
            if (since < 0) break;
            emit_particle_if_place_is_free(world, &emission, across, e->speed * since / e->rate);
        }
    }
    if (emission.rejected || emission.free_capacity > 0) pd_nozzle_push_fluid(world, index, emission.rejected);
    world->emitted[index] = (uint64_t)until;
    world->emitted_fraction[index] = until - floor(until);
}

void pd_world_emit_particles(pd_world *world) {
    for (int i = 0; i < world->scene.emitter_count; i++) emit_due_particles(world, i);
}

/* Returns whether a point lies on a side of the container through which fluid flows out. Returns false under methods that
 * ignore outflow. */
static bool is_at_outflow(const pd_world *world, pd_vec2 p) {
    const pd_container *c = &world->scene.container;
    if (c->shape != PD_CONTAINER_BOX || !(world->method->info.features & PD_FEATURE_WALLS)) return false;
    float x = 0.5f * c->width, y = 0.5f * c->height, near = 1e-4f * fminf(x, y);
    const float distance[PD_WALLS] = {
        [PD_WALL_LEFT] = p.x + x, [PD_WALL_RIGHT] = x - p.x, [PD_WALL_BOTTOM] = p.y + y, [PD_WALL_TOP] = y - p.y};
    for (int side = 0; side < PD_WALLS; side++)
        if (c->walls[side].outflow && distance[side] < near) return true;
    return false;
}

static bool has_drain_or_outflow(const pd_world *world) {
    for (int side = 0; side < PD_WALLS; side++)
        if (world->scene.container.walls[side].outflow) return true;
    return world->scene.drain_count > 0;
}

void pd_world_drain_particles(pd_world *world) {
    pd_particles *p = &world->particles;
    if (!has_drain_or_outflow(world)) return;
    bool any = false;
    for (int i = 0; i < p->count; i++) {
        pd_vec2 point = {p->x[i], p->y[i]};
        bool inside = is_at_outflow(world, point);
        for (int d = 0; d < world->scene.drain_count && !inside; d++)
            inside = pd_zone_contains_point(&world->scene.drains[d].area, point);
        world->flags[i] = inside;
        any |= inside;
    }
    if (any) pd_particles_remove_flagged(p, world->flags);
}

static const uint64_t STRIDE = 0x9e3779b97f4a7c15u; /* increment of the random generator SplitMix64 */

static void change_material_in_zone(pd_world *world, int zone) {
    const pd_change *change = &world->scene.changes[zone];
    pd_particles *p = &world->particles;
    double probability = -pd_expm1(-(double)change->rate * world->scene.dt); /* 1 if the rate is infinite */
    /* Random numbers do not depend on the order of particles in memory or on other zones. */
    uint64_t hash = pd_random_mix_bits(world->scene.seed + STRIDE);
    hash = pd_random_mix_bits(hash + (world->step + 1) * STRIDE);
    hash = pd_random_mix_bits(hash + ((uint64_t)zone + 1) * STRIDE);
    for (int i = 0; i < p->count; i++) {
        if (p->material[i] != change->from || world->flags[i]) continue;
        if (!pd_zone_contains_point(&change->area, (pd_vec2){p->x[i], p->y[i]})) continue;
        /* 53 random bits: the probability of a slow change in a short step may be less than 2^-24. */
        uint64_t bits = pd_random_mix_bits(hash + ((uint64_t)p->id[i] + 1) * STRIDE) >> 11;
        if ((double)bits * 0x1p-53 >= probability) continue;
        p->material[i] = (uint8_t)change->to;
        world->flags[i] = true;
    }
}

void pd_world_change_materials_in_zones(pd_world *world) {
    if (world->scene.change_count == 0) return;
    /* world->flags marks particles that have changed in this step. A particle changes only once a step: otherwise a zone
     * that changes material A to B and a zone that changes B to A would cancel each other. */
    memset(world->flags, 0, (size_t)world->particles.count);
    for (int i = 0; i < world->scene.change_count; i++) change_material_in_zone(world, i);
}
