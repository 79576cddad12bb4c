/* Nozzles: boxes before the mouths of emitters, in which particles have the velocity of the jet (nozzle.h). */
#include "sim/sources/nozzle.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/timer.h"
#include "sim/step.h"
#include "sim/world.h"

#include <stdlib.h>

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

bool pd_emitter_enters_gaps(const pd_world *world, const pd_emitter *emitter) {
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

static bool is_emitter_active_in_step(const pd_world *world, const pd_emitter *emitter) {
    double now = pd_world_time(world);
    return now + world->scene.dt > emitter->from && now < emitter->until;
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
    if (!is_emitter_active_in_step(world, emitter) || !pd_emitter_has_nozzle(world, emitter)) return;
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

/* Calls move_particles_behind_mouth for each emitter that has listed particles and a jet dense enough to fill the mouth. */
static void move_particles_behind_mouths(pd_world *world) {
    const pd_nozzle *nozzle = &world->nozzle;
    for (int e = 0; e < world->scene.emitter_count; e++) {
        bool used = false;
        for (int k = 0; k < nozzle->count && !used; k++) used = nozzle->particle[k].emitter == e;
        const pd_emitter *emitter = &world->scene.emitters[e];
        if (used && pd_emitter_has_piston(world, emitter)) move_particles_behind_mouth(world, emitter);
    }
}

void pd_nozzle_move_particles(pd_world *world, float dt) {
    const pd_particles *p = &world->particles;
    pd_nozzle *nozzle = &world->nozzle;
    if (nozzle->count == 0) return;
    double since = pd_now();
    move_particles_behind_mouths(world);
    uint32_t first = nozzle->particle[0].id, last = nozzle->particle[nozzle->count - 1].id;
    for (int i = 0; i < p->count; i++) {
        if (p->id[i] - first > last - first) continue;
        pd_nozzle_particle key = {.id = p->id[i]}, *listed;
        listed = bsearch(&key, nozzle->particle, (size_t)nozzle->count, sizeof key, compare_ids);
        if (listed && listed->emitter >= 0 && !move_particle_with_jet(world, listed, i, dt)) listed->emitter = -1;
    }
    pd_stage_end(world, "emit", &since);
}
