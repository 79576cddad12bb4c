#include "methods/springs.h"

#include "core/memory.h"
#include "core/simd.h"
#include "sim/archive.h"

#include <math.h>
#include <string.h>

enum {
    GRAIN = 1024,
    ROW_GRAIN = 2,
};

/* Of a radius: the shortest rest length, how far one spring moves its ends in a substep, where it tears. The paper's
 * springs never tear; these do before a pointer can draw them across the container. */
static const float SHORTEST = 0.05f, FARTHEST = 0.25f, TORN = 3;
/* Stiffness times dt^2 that springs get at most; above half of it they overshoot, far above they would burst. The
 * automatic substep stays well below. */
static const float STIFFEST = 0.25f, AUTOMATIC = 0.09f;

float springs_substep(float stiffness) { return sqrtf(AUTOMATIC / fmaxf(stiffness, 1e-12f)); }

void springs_free(springs *s) {
    pd_free(s->place), pd_free(s->taken), pd_free(s->count), pd_free(s->material), pd_free(s->fresh), pd_free(s->open);
    pd_free(s->wanted);
    pd_free(s->other), pd_free(s->rest), pd_free(s->x), pd_free(s->y), pd_free(s->move_x), pd_free(s->move_y);
    *s = (springs){0};
}

int springs_count(const springs *s) {
    int64_t ends = 0;
    for (int slot = 0; slot < s->capacity; slot++) ends += s->taken[slot] ? s->count[slot] : 0;
    return (int)(ends / 2);
}

/* ---- Slots ---- */

/* By particle. */
static uint32_t *slots_of(const pd_particles *p) { return p->method[SPRINGS_SLOT]; }

static void keep(void *to, const void *from, int count, size_t size) {
    if (count > 0) memcpy(to, from, (size_t)count * size);
}

static bool reserve_slots(springs *s, int wanted) {
    if (wanted <= s->capacity) return true;
    int capacity = wanted > s->capacity * 3 / 2 ? wanted : s->capacity * 3 / 2;
    size_t slots = (size_t)capacity + PD_PADDING;
    springs larger = {.capacity = capacity, .used = s->used};
    larger.place = pd_allocate(slots, sizeof *larger.place);
    larger.taken = pd_allocate(slots, 1), larger.count = pd_allocate(slots, 1), larger.material = pd_allocate(slots, 1);
    larger.fresh = pd_allocate(slots, 1), larger.open = pd_allocate(slots, 1), larger.wanted = pd_allocate(slots, 1);
    larger.x = pd_allocate(slots, sizeof *larger.x), larger.y = pd_allocate(slots, sizeof *larger.y);
    larger.move_x = pd_allocate(slots, sizeof *larger.move_x),
    larger.move_y = pd_allocate(slots, sizeof *larger.move_y);
    larger.other = pd_allocate(slots * SPRINGS_PER_PARTICLE, sizeof *larger.other);
    larger.rest = pd_allocate(slots * SPRINGS_PER_PARTICLE, sizeof *larger.rest);
    if (!larger.place || !larger.taken || !larger.count || !larger.material || !larger.fresh || !larger.open ||
        !larger.wanted || !larger.x || !larger.y || !larger.move_x || !larger.move_y || !larger.other || !larger.rest) {
        springs_free(&larger);
        return false;
    }
    memset(larger.place, 0xff, slots * sizeof *larger.place);
    keep(larger.place, s->place, s->capacity, sizeof *s->place);
    keep(larger.taken, s->taken, s->capacity, 1);
    keep(larger.count, s->count, s->capacity, 1);
    keep(larger.material, s->material, s->capacity, 1);
    keep(larger.other, s->other, s->capacity, SPRINGS_PER_PARTICLE * sizeof *s->other);
    keep(larger.rest, s->rest, s->capacity, SPRINGS_PER_PARTICLE * sizeof *s->rest);
    springs_free(s);
    *s = larger;
    return true;
}

/* Takes the springs of a slot out of the lists at their other ends. */
static void release(springs *s, uint32_t slot) {
    const uint32_t *others = s->other + (size_t)slot * SPRINGS_PER_PARTICLE;
    for (int k = 0; k < s->count[slot]; k++) {
        uint32_t *theirs = s->other + (size_t)others[k] * SPRINGS_PER_PARTICLE;
        float *rests = s->rest + (size_t)others[k] * SPRINGS_PER_PARTICLE;
        int left = 0;
        for (int e = 0; e < s->count[others[k]]; e++) {
            if (theirs[e] == slot) continue;
            theirs[left] = theirs[e];
            rests[left++] = rests[e];
        }
        s->count[others[k]] = (uint8_t)left;
    }
    s->count[slot] = s->taken[slot] = 0;
    s->used--;
}

/* Finds each slot's particle; slots whose particle has gone, or has become another material, are released. Returns how
 * many elastic particles have no slot yet. */
static int place_slots(springs *s, pd_particles *p, const bool *elastic) {
    int placed = 0, newcomers = 0;
    if (s->capacity > 0) memset(s->place, 0xff, (size_t)s->capacity * sizeof *s->place);
    for (int i = 0; i < p->count; i++) {
        uint32_t slot = slots_of(p)[i];
        bool known = slot < (uint32_t)s->capacity && s->taken[slot] && s->place[slot] == SPRINGS_NO_SLOT;
        if (!known || !elastic[p->material[i]] || s->material[slot] != p->material[i]) slot = slots_of(p)[i] = SPRINGS_NO_SLOT;
        if (slot != SPRINGS_NO_SLOT) {
            s->place[slot] = (uint32_t)i;
            placed++;
        } else {
            newcomers += elastic[p->material[i]];
        }
    }
    for (int slot = 0; slot < s->capacity && placed < s->used; slot++)
        if (s->taken[slot] && s->place[slot] == SPRINGS_NO_SLOT) release(s, (uint32_t)slot);
    return newcomers;
}

/* Gives newcomers the lowest free slots, in their order in memory. */
static void give_slots(springs *s, pd_particles *p, const bool *elastic) {
    int slot = 0;
    for (int i = 0; i < p->count; i++) {
        if (!elastic[p->material[i]] || slots_of(p)[i] != SPRINGS_NO_SLOT) continue;
        while (s->taken[slot]) slot++;
        slots_of(p)[i] = (uint32_t)slot;
        s->place[slot] = (uint32_t)i;
        s->material[slot] = p->material[i];
        s->taken[slot] = s->fresh[slot] = 1;
        s->count[slot] = 0;
        s->used++;
    }
}

/* ---- New springs ---- */

typedef struct seek {
    springs *springs;
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    float h;
    bool plastic[PD_MAX_MATERIALS]; /* forms springs at any time, not only between what has just come */
} seek;

/* Marks the particles of the ranges that have a spring with the slot already. */
static void mark_joined(const springs *s, uint32_t slot, const pd_ranges *ranges, uint8_t joined[][PD_LONGEST_RANGE]) {
    for (int r = 0; r < ranges->count; r++) memset(joined[r], 0, (size_t)(ranges->end[r] - ranges->begin[r]));
    for (int k = 0; k < s->count[slot]; k++) {
        int at = (int)s->place[s->other[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)k]];
        for (int r = 0; r < ranges->count; r++)
            if (at >= ranges->begin[r] && at < ranges->end[r]) joined[r][at - ranges->begin[r]] = 1;
    }
}

/* Where more are crowded no spring forms. */
static bool crowded(const pd_ranges *ranges) {
    for (int r = 0; r < ranges->count; r++)
        if (ranges->end[r] - ranges->begin[r] > PD_LONGEST_RANGE) return true;
    return false;
}

/* Whether i and j, nearer than h, get a spring, and its rest length. What has just come keeps its shape: the distance.
 * Later springs begin with the paper's h, at which they do not pull, and grow shorter by plasticity. */
static bool should_join(const seek *s, int i, int j, float r2, float *rest) {
    const pd_particles *p = s->particles;
    uint32_t slot = slots_of(p)[i], other = slots_of(p)[j];
    if (j == i || other == SPRINGS_NO_SLOT || p->material[j] != p->material[i]) return false;
    bool fresh = s->springs->fresh[slot] || s->springs->fresh[other];
    if (!fresh && !s->plastic[p->material[i]]) return false;
    *rest = fresh ? fmaxf(sqrtf(r2), SHORTEST * s->h) : s->h;
    return true;
}

/* Writes the springs that i wants behind those it has; more than there is room for: none. */
static void seek_around(const seek *s, int i, const pd_ranges *ranges) {
    springs *all = s->springs;
    const pd_particles *p = s->particles;
    uint32_t slot = slots_of(p)[i];
    uint8_t joined[PD_MAX_RANGES][PD_LONGEST_RANGE];
    int count = all->count[slot];
    float x = p->x[i], y = p->y[i], h2 = s->h * s->h, rest;
    mark_joined(all, slot, ranges, joined);
    for (int r = 0; r < ranges->count; r++)
        for (int j = ranges->begin[r]; j < ranges->end[r]; j++) {
            float dx = p->x[j] - x, dy = p->y[j] - y, r2 = dx * dx + dy * dy;
            if (!(r2 < h2) || joined[r][j - ranges->begin[r]] || !should_join(s, i, j, r2, &rest)) continue;
            if (count == SPRINGS_PER_PARTICLE) return;
            all->other[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)count] = slots_of(p)[j];
            all->rest[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)count] = rest;
            count++;
        }
    all->open[slot] = 1;
    all->wanted[slot] = (uint8_t)(count - all->count[slot]);
}

/* Both ends want alike, and each writes into its own list: any thread may do any row. */
static void seek_rows(void *context, int begin, int end) {
    const seek *s = context;
    const pd_neighbours *n = s->neighbours;
    for (int row = begin; row < end; row++)
        for (int column = 0; column < n->columns; column++) {
            const int *start = n->start + (size_t)row * (size_t)n->columns + (size_t)column;
            if (start[0] == start[1]) continue;
            pd_ranges ranges;
            pd_neighbours_around(n, column, row, &ranges);
            if (crowded(&ranges)) continue;
            for (int i = start[0]; i < start[1]; i++)
                if (slots_of(s->particles)[i] != SPRINGS_NO_SLOT) seek_around(s, i, &ranges);
        }
}

/* A spring forms where both ends have room for all they want. */
static void join_slots(void *context, int begin, int end) {
    const seek *s = context;
    springs *all = s->springs;
    for (int slot = begin; slot < end; slot++) {
        if (!all->open[slot]) continue;
        uint32_t *other = all->other + (size_t)slot * SPRINGS_PER_PARTICLE;
        float *rest = all->rest + (size_t)slot * SPRINGS_PER_PARTICLE;
        int count = all->count[slot], last = count + all->wanted[slot];
        for (int k = count; k < last; k++) {
            if (!all->open[other[k]]) continue;
            other[count] = other[k];
            rest[count++] = rest[k];
        }
        all->count[slot] = (uint8_t)count;
    }
}

static void form_springs(pd_world *world, springs *springs, float h, const bool *elastic, int newcomers) {
    seek s = {.springs = springs, .particles = &world->particles, .neighbours = &world->neighbours, .h = h};
    bool plastic = false;
    if (springs->used == 0) return;
    for (int m = 0; m < world->scene.material_count; m++)
        plastic |= s.plastic[m] = elastic[m] && world->property[m][PD_PLASTICITY] > 0;
    /* New springs do not pull yet: once a step is soon enough for them. */
    if (newcomers == 0 && (!plastic || world->substeps_done > 0)) return;
    memset(springs->open, 0, (size_t)springs->capacity);
    pd_parallel_for(world->pool, world->neighbours.rows, ROW_GRAIN, seek_rows, &s);
    pd_parallel_for(world->pool, springs->capacity, GRAIN, join_slots, &s);
    if (newcomers > 0) memset(springs->fresh, 0, (size_t)springs->capacity);
}

/* ---- A substep ---- */

static void copy_places(void *context, int begin, int end) {
    const springs_pull *s = context;
    for (int slot = begin; slot < end; slot++) {
        uint32_t i = s->springs->place[slot];
        if (i == SPRINGS_NO_SLOT) continue;
        s->springs->x[slot] = s->particles->x[i];
        s->springs->y[slot] = s->particles->y[i];
    }
}

static void move_slots(void *context, int begin, int end) {
    const springs_pull *s = context;
    for (int slot = begin; slot < end; slot++) {
        uint32_t i = s->springs->place[slot];
        if (i == SPRINGS_NO_SLOT) continue;
        s->particles->x[i] += s->springs->move_x[slot];
        s->particles->y[i] += s->springs->move_y[slot];
    }
}

static void pull_all(pd_world *world, springs *springs, float h, float dt) {
    springs_pull s = {.springs = springs,
                      .particles = &world->particles,
                      .h = h,
                      .inverse_h = 1 / h,
                      .farthest = FARTHEST * h,
                      .shortest = SHORTEST * h,
                      .torn = TORN * h};
    for (int m = 0; m < world->scene.material_count; m++) {
        s.stiffness[m] = fminf(world->property[m][PD_ELASTICITY] * dt * dt, STIFFEST);
        s.plasticity[m] = fminf(world->property[m][PD_PLASTICITY] * dt, 1);
        s.yield[m] = world->property[m][PD_YIELD];
    }
    pd_parallel_for(world->pool, springs->capacity, GRAIN, copy_places, &s);
    pd_parallel_for(world->pool, springs->capacity, GRAIN, PD_SIMD_PICK(springs_pull), &s);
    pd_parallel_for(world->pool, springs->capacity, GRAIN, move_slots, &s);
}

/* No material is elastic any more: the memory goes back. */
static void forget(springs *springs, pd_particles *p) {
    if (springs->capacity == 0) return;
    springs_free(springs);
    pd_particles_clear(p, SPRINGS_SLOT);
}

void springs_step(pd_world *world, springs *springs, float h, float dt) {
    bool elastic[PD_MAX_MATERIALS] = {false}, any = false;
    for (int m = 0; m < world->scene.material_count; m++) any |= elastic[m] = world->property[m][PD_ELASTICITY] > 0;
    if (!any) {
        forget(springs, &world->particles);
        return;
    }
    if (!pd_particles_require(&world->particles, SPRINGS_SLOT)) return;
    int newcomers = place_slots(springs, &world->particles, elastic);
    int wanted = springs->used + newcomers;
    if (newcomers > 0 && (springs->refused == 0 || wanted < springs->refused) && reserve_slots(springs, wanted)) {
        give_slots(springs, &world->particles, elastic);
    } else if (newcomers > 0) {
        springs->refused = wanted; /* not asked for again in every substep */
        newcomers = 0;
    }
    form_springs(world, springs, h, elastic, newcomers);
    pull_all(world, springs, h, dt);
}

/* ---- Snapshots ---- */

/* The spring stands in both lists with one rest length. */
static bool mirrored(const springs *s, int slot, uint32_t other, float rest) {
    const uint32_t *theirs = s->other + (size_t)other * SPRINGS_PER_PARTICLE;
    const float *rests = s->rest + (size_t)other * SPRINGS_PER_PARTICLE;
    int found = 0;
    for (int k = 0; k < s->count[other]; k++) found += theirs[k] == (uint32_t)slot && rests[k] == rest;
    return found == 1;
}

/* Whether what a file says of one slot can be. */
static bool sound(const springs *s, int slot) {
    const uint32_t *other = s->other + (size_t)slot * SPRINGS_PER_PARTICLE;
    const float *rest = s->rest + (size_t)slot * SPRINGS_PER_PARTICLE;
    if (s->taken[slot] > 1 || (s->count[slot] && !s->taken[slot])) return false;
    for (int k = 0; k < s->count[slot]; k++)
        if (other[k] >= (uint32_t)s->capacity || other[k] == (uint32_t)slot || !s->taken[other[k]] || !(rest[k] > 0) ||
            !isfinite(rest[k]) || !mirrored(s, slot, other[k], rest[k]))
            return false;
    return true;
}

void springs_serialize(springs *s, pd_archive *archive) {
    int32_t capacity = s->capacity;
    pd_archive_bytes(archive, &capacity, sizeof capacity);
    if (archive->reading) {
        springs_free(s);
        size_t left = archive->capacity - archive->size; /* taken, count and material of each slot at least */
        if (archive->failed || capacity < 0 || (size_t)capacity > left / 3 || !reserve_slots(s, capacity)) {
            archive->failed = true;
            return;
        }
    }
    pd_archive_bytes(archive, s->taken, (size_t)capacity);
    pd_archive_bytes(archive, s->count, (size_t)capacity);
    pd_archive_bytes(archive, s->material, (size_t)capacity);
    for (int slot = 0; slot < capacity && !archive->failed; slot++) {
        size_t first = (size_t)slot * SPRINGS_PER_PARTICLE, count = s->count[slot];
        if (count > SPRINGS_PER_PARTICLE) archive->failed = true;
        pd_archive_bytes(archive, s->other + first, count * sizeof *s->other);
        pd_archive_bytes(archive, s->rest + first, count * sizeof *s->rest);
    }
    if (!archive->reading) return;
    for (int slot = 0; slot < capacity && !archive->failed; slot++) {
        s->used += s->taken[slot];
        if (!sound(s, slot)) archive->failed = true;
    }
    if (archive->failed) springs_free(s);
}
