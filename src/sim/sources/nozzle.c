#include "sim/sources/nozzle.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/timer.h"
#include "sim/step.h"
#include "sim/world.h"

#include <stdlib.h>

/* The length of a nozzle beyond the way of a step, in spacings: particles act on each other over 2.75 of these with the
 * default radii, so that a particle that leaves has all its neighbours behind it. */
static const float LENGTH = 3;
/* Emitters may ask for more particles than a jet of their width and speed has room for, and rely on gravity to make room.
 * They have no nozzle if a particle has less room than this, in units of its area at rest. */
static const double LEAST_ROOM = 0.7;
/* With more room than this for a particle the jet does not fill its mouth: it takes no fluid along, and does not close the
 * mouth. */
static const double MOST_ROOM = 1.5;
/* Fluid this many times as dense as at rest fills its container. Jets into air have at most 1.01 times that density in the
 * nozzle, in all bundled scenes; in still water they may compress it by a few percent before it gives way. */
static const double FULL = 1.1;

pd_vec2 pd_emitter_along(const pd_emitter *emitter) {
    float length = pd_hypotf(emitter->direction.x, emitter->direction.y);
    return (pd_vec2){emitter->direction.x / length, emitter->direction.y / length};
}

/* The area that a jet has for each of its particles, in units of that at rest. */
static double room_of(const pd_world *world, const pd_emitter *emitter) {
    double spacing = (double)world->resolution.spacing;
    return (double)emitter->speed * emitter->width / emitter->rate / (spacing * spacing);
}

bool pd_nozzle_used(const pd_world *world, const pd_emitter *emitter) {
    return world->method->law && !world->method->cell && room_of(world, emitter) > LEAST_ROOM;
}

/* Whether a point is in the nozzle of an emitter. */
static bool inside(const pd_world *world, const pd_emitter *emitter, pd_vec2 along, float x, float y) {
    float tolerance = 0.01f * world->resolution.spacing;
    float length = LENGTH * world->resolution.spacing + emitter->speed * world->scene.dt;
    float dx = x - emitter->position.x, dy = y - emitter->position.y;
    float ahead = dx * along.x + dy * along.y, across = dy * along.x - dx * along.y;
    return ahead >= -tolerance && ahead <= length && fabsf(across) <= emitter->width / 2 + tolerance;
}

static bool append(pd_world *world, pd_nozzle_particle particle) {
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

static bool holds_any(const pd_world *world, const pd_emitter *emitter, pd_vec2 along) {
    const pd_particles *p = &world->particles;
    float vx = along.x * emitter->speed, vy = along.y * emitter->speed;
    for (int i = 0; i < p->count; i++)
        if (p->vx[i] == vx && p->vy[i] == vy && inside(world, emitter, along, p->x[i], p->y[i])) return true;
    return false;
}

/* The mean density in a nozzle, in units of that at rest; 0: there is no fluid. It is that after the last substep. Particles that
 * have been added since have a density of 0 and do not count: they would make the fluid seem less dense. */
static double density_in(const pd_world *world, const pd_emitter *emitter, pd_vec2 along) {
    const pd_particles *p = &world->particles;
    pd_view view;
    double sum = 0;
    int count = 0;
    pd_world_view(world, &view);
    for (int i = 0; i < p->count; i++) {
        if (!(p->density[i] > 0) || !inside(world, emitter, along, p->x[i], p->y[i])) continue;
        sum += (double)p->density[i];
        count++;
    }
    return count ? sum / (count * (double)view.rest_density) : 0;
}

static bool is_active(const pd_world *world, const pd_emitter *emitter) {
    double now = pd_world_time(world);
    return now + world->scene.dt > emitter->from && now < emitter->until;
}

/* The density of the jets in an emitter's mouth, in units of that at rest, at least 1: several emitters may be in one place. */
static double jets_in(const pd_world *world, const pd_emitter *emitter) {
    double density = 0;
    for (int e = 0; e < world->scene.emitter_count; e++) {
        const pd_emitter *other = &world->scene.emitters[e];
        bool here = inside(world, other, pd_emitter_along(other), emitter->position.x, emitter->position.y);
        if (here && is_active(world, other)) density += 1 / room_of(world, other);
    }
    return fmax(density, 1);
}

bool pd_nozzle_full(const pd_world *world, const pd_emitter *emitter) {
    return world->method->law && density_in(world, emitter, pd_emitter_along(emitter)) > FULL * jets_in(world, emitter);
}

int pd_nozzle_take(pd_world *world, int index) {
    const pd_particles *p = &world->particles;
    const pd_emitter *emitter = &world->scene.emitters[index];
    if (!pd_nozzle_used(world, emitter) || room_of(world, emitter) > MOST_ROOM) return 0;
    pd_vec2 along = pd_emitter_along(emitter);
    if (holds_any(world, emitter, along)) return 1;
    double density = density_in(world, emitter, along);
    if (!(density > 0 && density <= 1)) return 2;
    for (int i = 0; i < p->count; i++) {
        if (!inside(world, emitter, along, p->x[i], p->y[i])) continue;
        if (p->vx[i] * along.x + p->vy[i] * along.y >= emitter->speed) continue;
        p->vx[i] = along.x * emitter->speed;
        p->vy[i] = along.y * emitter->speed;
    }
    return 3;
}

static void list_emitter(pd_world *world, int index) {
    const pd_particles *p = &world->particles;
    const pd_emitter *emitter = &world->scene.emitters[index];
    if (!is_active(world, emitter) || !pd_nozzle_used(world, emitter)) return;
    pd_vec2 along = pd_emitter_along(emitter);
    float vx = along.x * emitter->speed, vy = along.y * emitter->speed;
    for (int i = 0; i < p->count; i++) {
        if (p->vx[i] != vx || p->vy[i] != vy || !inside(world, emitter, along, p->x[i], p->y[i])) continue;
        if (!append(world, (pd_nozzle_particle){p->id[i], index, {p->x[i], p->y[i]}})) return;
    }
}

static int compare_ids(const void *a, const void *b) {
    const pd_nozzle_particle *p = a, *q = b;
    return p->id < q->id ? -1 : p->id > q->id;
}

/* A particle in several nozzles is held by the first emitter, so that the order does not depend on the C library. */
static int compare(const void *a, const void *b) {
    const pd_nozzle_particle *p = a, *q = b;
    int ids = compare_ids(a, b);
    return ids ? ids : p->emitter - q->emitter;
}

void pd_nozzle_list(pd_world *world) {
    pd_nozzle *nozzle = &world->nozzle;
    nozzle->count = 0;
    for (int e = 0; e < world->scene.emitter_count; e++) list_emitter(world, e);
    if (nozzle->count == 0) return;
    qsort(nozzle->particle, (size_t)nozzle->count, sizeof *nozzle->particle, compare);
    int kept = 1;
    for (int k = 1; k < nozzle->count; k++)
        if (nozzle->particle[k].id != nozzle->particle[k - 1].id) nozzle->particle[kept++] = nozzle->particle[k];
    nozzle->count = kept;
}

/* Moves a held particle, whose index is i, on its straight path; false: it is released. */
static bool hold(pd_world *world, pd_nozzle_particle *held, int i, float dt) {
    const pd_particles *p = &world->particles;
    const pd_emitter *emitter = &world->scene.emitters[held->emitter];
    pd_vec2 along = pd_emitter_along(emitter), velocity = {along.x * emitter->speed, along.y * emitter->speed};
    pd_vec2 to = {held->at.x + velocity.x * dt, held->at.y + velocity.y * dt};
    pd_contact contact;
    if (pd_boundary_contain(world->boundary, held->at, &to, &contact)) return false;
    p->x[i] = to.x;
    p->y[i] = to.y;
    p->vx[i] = velocity.x;
    p->vy[i] = velocity.y;
    held->at = to;
    return inside(world, emitter, along, to.x, to.y);
}

/* Puts particles that have come through an emitter's mouth from behind in this step back behind it, so far that they are not in the
 * way of new ones, and stops them there. The fluid would follow the jet into the gap behind it otherwise, and leave no room. */
static void close_mouth(const pd_world *world, const pd_emitter *emitter) {
    const pd_particles *p = &world->particles;
    pd_vec2 along = pd_emitter_along(emitter), at = emitter->position;
    float spacing = world->resolution.spacing, behind = -PD_EMITTER_FREE_DISTANCE * spacing;
    for (int i = 0; i < p->count; i++) {
        float dx = p->x[i] - at.x, dy = p->y[i] - at.y, ahead = dx * along.x + dy * along.y;
        if (ahead < behind || fabsf(dy * along.x - dx * along.y) > emitter->width / 2) continue;
        if ((p->previous_x[i] - at.x) * along.x + (p->previous_y[i] - at.y) * along.y >= behind) continue;
        float back = ahead - behind + 1e-3f * spacing, speed = fmaxf(p->vx[i] * along.x + p->vy[i] * along.y, 0);
        pd_vec2 from = {p->x[i], p->y[i]}, to = {from.x - back * along.x, from.y - back * along.y};
        pd_contact contact;
        pd_boundary_contain(world->boundary, from, &to, &contact);
        p->x[i] = to.x;
        p->y[i] = to.y;
        p->vx[i] -= speed * along.x;
        p->vy[i] -= speed * along.y;
    }
}

/* Of the emitters whose nozzles hold particles, and whose jets fill their mouths. */
static void close_mouths(pd_world *world) {
    const pd_nozzle *nozzle = &world->nozzle;
    for (int e = 0; e < world->scene.emitter_count; e++) {
        bool holds = false;
        for (int k = 0; k < nozzle->count && !holds; k++) holds = nozzle->particle[k].emitter == e;
        const pd_emitter *emitter = &world->scene.emitters[e];
        if (holds && room_of(world, emitter) <= MOST_ROOM) close_mouth(world, emitter);
    }
}

void pd_nozzle_hold(pd_world *world, float dt) {
    const pd_particles *p = &world->particles;
    pd_nozzle *nozzle = &world->nozzle;
    if (nozzle->count == 0) return;
    double since = pd_now();
    close_mouths(world);
    uint32_t first = nozzle->particle[0].id, last = nozzle->particle[nozzle->count - 1].id;
    for (int i = 0; i < p->count; i++) {
        if (p->id[i] - first > last - first) continue;
        pd_nozzle_particle key = {.id = p->id[i]}, *held;
        held = bsearch(&key, nozzle->particle, (size_t)nozzle->count, sizeof key, compare_ids);
        if (held && held->emitter >= 0 && !hold(world, held, i, dt)) held->emitter = -1;
    }
    pd_stage_end(world, "emit", &since);
}
