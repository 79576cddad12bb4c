/* Springs: slots, new springs, displacements, snapshots. */
#include "methods/particle_fluid/particle_fluid.h"

#include "core/array.h"
#include "core/memory.h"
#include "core/simd.h"
#include "sim/archive.h"

#include <math.h>
#include <string.h>

enum {
    GRAIN = 1024,
    ROW_GRAIN = 2,
};

/* SHORTEST: shortest rest length. FARTHEST: limit of the displacement by one spring in a substep. BREAK_LENGTH: length
 * at which springs break. All in radii. Unlike the paper's, springs break, so that the pointer cannot stretch them
 * across the container. */
static const float SHORTEST = 0.05f, FARTHEST = 0.25f, BREAK_LENGTH = 3;
/* STIFFEST: limit of stiffness x dt^2. Above half of this value springs overshoot, far above it they are unstable.
 * AUTOMATIC: greatest stiffness x dt^2 of substeps that the program chooses. */
static const float STIFFEST = 0.25f, AUTOMATIC = 0.09f;

static float longest_substep(const pd_world *world, float stiffest) {
    (void)world;
    return sqrtf(AUTOMATIC / fmaxf(stiffest, 1e-12f));
}

#define SPRINGS_ARRAYS(s, kept, slots)                                                                                 \
    PD_ARRAYS(PD_ARRAY((s)->particle, kept, slots), PD_ARRAY((s)->assigned, kept, slots),                              \
              PD_ARRAY((s)->count, kept, slots), PD_ARRAY((s)->material, kept, slots),                                 \
              PD_ARRAY((s)->is_new, 0, slots), PD_ARRAY((s)->accepts, 0, slots), PD_ARRAY((s)->candidates, 0, slots),  \
              PD_ARRAY((s)->x, 0, slots), PD_ARRAY((s)->y, 0, slots), PD_ARRAY((s)->move_x, 0, slots),                 \
              PD_ARRAY((s)->move_y, 0, slots),                                                                         \
              PD_ARRAY((s)->other, (kept)*SPRINGS_PER_PARTICLE, (slots)*SPRINGS_PER_PARTICLE),                         \
              PD_ARRAY((s)->rest, (kept)*SPRINGS_PER_PARTICLE, (slots)*SPRINGS_PER_PARTICLE))

static void free_springs(springs *s) {
    pd_arrays_free(SPRINGS_ARRAYS(s, 0, 0));
    *s = (springs){0};
}

static void destroy(particle_fluid *fluid) { free_springs(&fluid->springs); }

static void reset(particle_fluid *fluid, pd_world *world) {
    free_springs(&fluid->springs);
    pd_particles_free_column(&world->particles, fluid->traits->spring_slot);
}

int springs_count(const springs *s) {
    int64_t ends = 0;
    for (int slot = 0; slot < s->capacity; slot++)
        if (s->assigned[slot]) ends += s->count[slot];
    return (int)(ends / 2);
}

/* Material of slots whose material was removed from the scene. No particle has this material, so the next substep frees
 * the slots. */
enum { NO_MATERIAL = UINT8_MAX };

static void edit_materials(particle_fluid *fluid, const pd_edited *edit) {
    springs *s = &fluid->springs;
    for (int slot = 0; slot < s->capacity; slot++) {
        if (!s->assigned[slot]) continue;
        int to = s->material[slot] < PD_MAX_MATERIALS ? edit->material_to[s->material[slot]] : -1;
        s->material[slot] = to < 0 ? NO_MATERIAL : (uint8_t)to;
    }
}

/* Grows to at least `required` slots. Returns false without memory. */
static bool reserve_slots(springs *s, int required) {
    if (required <= s->capacity) return true;
    int capacity = required > s->capacity * 3 / 2 ? required : s->capacity * 3 / 2;
    size_t kept = (size_t)s->capacity, slots = (size_t)capacity + PD_PADDING;
    if (!pd_arrays_resize(SPRINGS_ARRAYS(s, kept, slots))) return false;
    memset(s->particle + kept, 0xff, (slots - kept) * sizeof *s->particle); /* SPRINGS_NO_SLOT */
    s->capacity = capacity;
    return true;
}

/* Frees a slot, and removes its springs from the lists at their other ends. */
static void release_slot(springs *s, uint32_t slot) {
    const uint32_t *others = s->other + (size_t)slot * SPRINGS_PER_PARTICLE;
    for (int k = 0; k < s->count[slot]; k++) {
        uint32_t *far_ends = s->other + (size_t)others[k] * SPRINGS_PER_PARTICLE;
        float *rests = s->rest + (size_t)others[k] * SPRINGS_PER_PARTICLE;
        int kept = 0;
        for (int e = 0; e < s->count[others[k]]; e++) {
            if (far_ends[e] == slot) continue;
            far_ends[kept] = far_ends[e];
            rests[kept] = rests[e];
            kept++;
        }
        s->count[others[k]] = (uint8_t)kept;
    }
    s->count[slot] = 0;
    s->assigned[slot] = 0;
    s->material[slot] = 0;
    s->used--;
}

/* Finds the particle of each slot after the sort; frees slots whose particle was removed or has changed its material.
 * Returns the number of elastic particles without a slot. */
static int update_slots(springs *s, const pd_particles *p, uint32_t *slots, const bool *elastic) {
    int found = 0, unassigned = 0;
    if (s->capacity > 0) memset(s->particle, 0xff, (size_t)s->capacity * sizeof *s->particle);
    for (int i = 0; i < p->count; i++) {
        uint32_t slot = slots[i];
        bool known = slot < (uint32_t)s->capacity && s->assigned[slot] && s->particle[slot] == SPRINGS_NO_SLOT;
        if (!known || !elastic[p->material[i]] || s->material[slot] != p->material[i]) {
            slot = SPRINGS_NO_SLOT;
            slots[i] = slot;
        }
        if (slot != SPRINGS_NO_SLOT) {
            s->particle[slot] = (uint32_t)i;
            found++;
        } else if (elastic[p->material[i]]) {
            unassigned++;
        }
    }
    for (int slot = 0; slot < s->capacity && found < s->used; slot++)
        if (s->assigned[slot] && s->particle[slot] == SPRINGS_NO_SLOT) release_slot(s, (uint32_t)slot);
    return unassigned;
}

/* Assigns the lowest free slots to elastic particles without one, in their order in memory. */
static void assign_slots(springs *s, const pd_particles *p, uint32_t *slots, const bool *elastic) {
    int slot = 0;
    for (int i = 0; i < p->count; i++) {
        if (!elastic[p->material[i]] || slots[i] != SPRINGS_NO_SLOT) continue;
        while (s->assigned[slot]) slot++;
        slots[i] = (uint32_t)slot;
        s->particle[slot] = (uint32_t)i;
        s->material[slot] = p->material[i];
        s->assigned[slot] = 1;
        s->is_new[slot] = 1;
        s->count[slot] = 0;
        s->used++;
    }
}

/* Gathers the positions between which springs act, by slot. */
static void gather_positions(void *context, int begin, int end) {
    const springs_pull *s = context;
    for (int slot = begin; slot < end; slot++) {
        uint32_t i = s->springs->particle[slot];
        if (i == SPRINGS_NO_SLOT) continue;
        s->springs->x[slot] = s->particles->x[i];
        s->springs->y[slot] = s->particles->y[i];
        if (s->ahead == 0) continue;
        s->springs->x[slot] += s->particles->vx[i] * s->ahead;
        s->springs->y[slot] += s->particles->vy[i] * s->ahead;
    }
}

typedef struct spring_search {
    springs *springs;
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    const uint32_t *slots; /* by particle: its slot */
    float h;
    bool plastic[PD_MAX_MATERIALS]; /* by material: springs form at any time; false: only for new particles */
} spring_search;

/* Marks the particles of the ranges that already have a spring with the slot. */
static void mark_joined(const springs *s, uint32_t slot, const pd_ranges *ranges, uint8_t joined[][PD_LONGEST_RANGE]) {
    for (int r = 0; r < ranges->count; r++) memset(joined[r], 0, (size_t)(ranges->end[r] - ranges->begin[r]));
    for (int k = 0; k < s->count[slot]; k++) {
        int at = (int)s->particle[s->other[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)k]];
        for (int r = 0; r < ranges->count; r++)
            if (at >= ranges->begin[r] && at < ranges->end[r]) joined[r][at - ranges->begin[r]] = 1;
    }
}

/* Returns true if a range is longer than PD_LONGEST_RANGE. No springs form there. */
static bool is_crowded(const pd_ranges *ranges) {
    for (int r = 0; r < ranges->count; r++)
        if (ranges->end[r] - ranges->begin[r] > PD_LONGEST_RANGE) return true;
    return false;
}

/* Returns true if particles i and j, which have slots and are nearer than h, are to get a spring, and sets its rest
 * length. A spring of a new particle starts with the present distance, so that the shape is retained. Later springs
 * start with the paper's rest length h, at which the force is 0, and shorten by plasticity. */
static bool should_join(const spring_search *s, int i, int j, float r2, float *rest) {
    const pd_particles *p = s->particles;
    uint32_t slot = s->slots[i], other = s->slots[j];
    if (j == i || p->material[j] != p->material[i]) return false;
    bool is_new = s->springs->is_new[slot] || s->springs->is_new[other];
    if (!is_new && !s->plastic[p->material[i]]) return false;
    *rest = is_new ? fmaxf(sqrtf(r2), SHORTEST * s->h) : s->h;
    return true;
}

/* Writes candidates for new springs of particle i behind the springs in its list. If they do not fit, the particle gets
 * none. Distances are those between the positions at which springs act, because otherwise new springs would pull at
 * once. The cells are those of the sorted positions: under SPH a pair almost h apart with different velocities may be
 * missed. */
static void find_candidates(const spring_search *s, int i, const pd_ranges *ranges) {
    springs *all = s->springs;
    uint32_t slot = s->slots[i];
    uint8_t joined[PD_MAX_RANGES][PD_LONGEST_RANGE];
    int count = all->count[slot];
    float x = all->x[slot], y = all->y[slot], h2 = s->h * s->h, rest;
    mark_joined(all, slot, ranges, joined);
    for (int r = 0; r < ranges->count; r++)
        for (int j = ranges->begin[r]; j < ranges->end[r]; j++) {
            uint32_t other = s->slots[j];
            if (other == SPRINGS_NO_SLOT) continue;
            float dx = all->x[other] - x, dy = all->y[other] - y, r2 = dx * dx + dy * dy;
            if (!(r2 < h2) || joined[r][j - ranges->begin[r]] || !should_join(s, i, j, r2, &rest)) continue;
            if (count == SPRINGS_PER_PARTICLE) return;
            all->other[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)count] = other;
            all->rest[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)count] = rest;
            count++;
        }
    all->accepts[slot] = 1;
    all->candidates[slot] = (uint8_t)(count - all->count[slot]);
}

/* Finds the candidates of all particles in the rows [begin, end). Rows are independent: should_join is symmetric, and
 * each particle writes only to its own list. */
static void find_candidates_of_rows(void *context, int begin, int end) {
    const spring_search *s = context;
    const pd_neighbours *n = s->neighbours;
    for (int row = begin; row < end; row++)
        for (int column = 0; column < n->columns; column++) {
            const int *start = n->start + (size_t)row * (size_t)n->columns + (size_t)column;
            if (start[0] == start[1]) continue;
            pd_ranges ranges;
            pd_neighbours_list_ranges(n, column, row, &ranges);
            if (is_crowded(&ranges)) continue;
            for (int i = start[0]; i < start[1]; i++)
                if (s->slots[i] != SPRINGS_NO_SLOT) find_candidates(s, i, &ranges);
        }
}

/* Turns candidates into springs where the lists at both ends had room for all their candidates. */
static void accept_candidates(void *context, int begin, int end) {
    const spring_search *s = context;
    springs *all = s->springs;
    for (int slot = begin; slot < end; slot++) {
        if (!all->accepts[slot]) continue;
        uint32_t *other = all->other + (size_t)slot * SPRINGS_PER_PARTICLE;
        float *rest = all->rest + (size_t)slot * SPRINGS_PER_PARTICLE;
        int count = all->count[slot], last = count + all->candidates[slot];
        for (int k = count; k < last; k++) {
            if (!all->accepts[other[k]]) continue;
            other[count] = other[k];
            rest[count] = rest[k];
            count++;
        }
        all->count[slot] = (uint8_t)count;
    }
}

/* Adds new springs to the lists of slots. new_slots: number of slots assigned to particles in this substep. */
static void form_springs(const particle_step *step, const bool *elastic, int new_slots) {
    pd_world *world = step->motion.world;
    springs *springs = &step->fluid->springs;
    spring_search s = {.springs = springs,
                       .particles = &world->particles,
                       .neighbours = &world->neighbours,
                       .slots = world->particles.method[step->traits->spring_slot],
                       .h = step->motion.radius};
    bool plastic = false;
    if (springs->used == 0) return;
    for (int m = 0; m < world->scene.material_count; m++) {
        s.plastic[m] = elastic[m] && world->property[m][PD_PLASTICITY] > 0;
        if (s.plastic[m]) plastic = true;
    }
    /* Springs between particles that are not new start with no force, so they form once a step, not in every
     * substep. */
    if (new_slots == 0 && (!plastic || world->substeps_done > 0)) return;
    memset(springs->accepts, 0, (size_t)springs->capacity);
    pd_parallel_for(world->pool, world->neighbours.rows, ROW_GRAIN, find_candidates_of_rows, &s);
    pd_parallel_for(world->pool, springs->capacity, GRAIN, accept_candidates, &s);
    if (new_slots > 0) memset(springs->is_new, 0, (size_t)springs->capacity);
}

static void apply_displacements(void *context, int begin, int end) {
    const springs_pull *s = context;
    const springs *springs = s->springs;
    const pd_particles *p = s->particles;
    const bool moves = s->step->traits->springs_move, kicks = s->step->traits->springs_kick;
    const float dt = s->step->motion.dt;
    for (int slot = begin; slot < end; slot++) {
        uint32_t i = springs->particle[slot];
        if (i == SPRINGS_NO_SLOT) continue;
        if (moves) {
            p->x[i] += springs->move_x[slot];
            p->y[i] += springs->move_y[slot];
        }
        if (kicks) {
            p->vx[i] += springs->move_x[slot] / dt;
            p->vy[i] += springs->move_y[slot] / dt;
        }
    }
}

static void pull_springs(const particle_step *step) {
    pd_world *world = step->motion.world;
    springs *springs = &step->fluid->springs;
    const float h = step->motion.radius, dt = step->motion.dt;
    springs_pull s = {.springs = springs,
                      .particles = &world->particles,
                      .step = step,
                      .h = h,
                      .inverse_h = 1 / h,
                      .farthest = FARTHEST * h,
                      .shortest = SHORTEST * h,
                      .break_length = BREAK_LENGTH * h};
    for (int m = 0; m < world->scene.material_count; m++) {
        s.stiffness[m] = fminf(world->property[m][PD_ELASTICITY] * dt * dt, STIFFEST);
        s.plasticity[m] = fminf(world->property[m][PD_PLASTICITY] * dt, 1);
        s.yield[m] = world->property[m][PD_YIELD];
    }
    pd_parallel_for(world->pool, springs->capacity, GRAIN, PD_SIMD_PICK(springs_pull), &s);
    pd_parallel_for(world->pool, springs->capacity, GRAIN, apply_displacements, &s);
}

/* Frees all springs and their memory; called if no material is elastic. */
static void free_all(springs *springs, pd_particles *p, int column) {
    if (springs->capacity == 0) return;
    free_springs(springs);
    pd_particles_reset_column(p, column);
}

/* Sets which materials are elastic; returns whether any is. */
static bool find_elastic(const pd_world *world, bool elastic[PD_MAX_MATERIALS]) {
    bool any = false;
    for (int m = 0; m < world->scene.material_count; m++) {
        elastic[m] = world->property[m][PD_ELASTICITY] > 0;
        if (elastic[m]) any = true;
    }
    return any;
}

/* Elastic particles lack a slot if their material has become elastic within the step. Slots that a change of material
 * has freed are found in the first substep. */
bool springs_need_cells(const pd_world *world) {
    const pd_particles *p = &world->particles;
    bool elastic[PD_MAX_MATERIALS] = {false};
    if (!find_elastic(world, elastic)) return false;
    const uint32_t *slots = p->method[particle_traits_of(world)->spring_slot];
    for (int i = 0; i < p->count; i++)
        if (elastic[p->material[i]] && (!slots || slots[i] == SPRINGS_NO_SLOT)) return true;
    return false;
}

/* Updates slots and springs, and displaces the particles. No new springs form if memory is missing, or at a particle
 * that would have more than SPRINGS_PER_PARTICLE. */
static void apply_springs(particle_step *step) {
    pd_world *world = step->motion.world;
    springs *springs = &step->fluid->springs;
    const int column = step->traits->spring_slot;
    bool elastic[PD_MAX_MATERIALS] = {false};
    bool any = find_elastic(world, elastic);
    if (!any) {
        free_all(springs, &world->particles, column);
        return;
    }
    uint32_t *slots = pd_particles_require_column(&world->particles, column);
    if (!slots) return;
    int unassigned = update_slots(springs, &world->particles, slots, elastic), new_slots = 0;
    int required = springs->used + unassigned;
    if (unassigned > 0 && reserve_slots(springs, required)) {
        assign_slots(springs, &world->particles, slots, elastic);
        new_slots = unassigned;
    }
    springs_pull gathered = {
        .springs = springs, .particles = &world->particles, .ahead = step->motion.dt - step->prediction};
    pd_parallel_for(world->pool, springs->capacity, GRAIN, gather_positions, &gathered);
    form_springs(step, elastic, new_slots);
    pull_springs(step);
}

/* Returns true if the list at the other end has the same spring, once, with the same rest length. */
static bool is_symmetric(const springs *s, int slot, uint32_t other, float rest) {
    const uint32_t *far_ends = s->other + (size_t)other * SPRINGS_PER_PARTICLE;
    const float *rests = s->rest + (size_t)other * SPRINGS_PER_PARTICLE;
    int found = 0;
    for (int k = 0; k < s->count[other]; k++)
        if (far_ends[k] == (uint32_t)slot && rests[k] == rest) found++;
    return found == 1;
}

/* Returns true if the data of one slot, read from a snapshot, are valid. */
static bool is_valid_slot(const springs *s, int slot) {
    const uint32_t *other = s->other + (size_t)slot * SPRINGS_PER_PARTICLE;
    const float *rest = s->rest + (size_t)slot * SPRINGS_PER_PARTICLE;
    if (s->assigned[slot] > 1 || (s->count[slot] && !s->assigned[slot])) return false;
    if (s->assigned[slot] && s->material[slot] >= PD_MAX_MATERIALS && s->material[slot] != NO_MATERIAL) return false;
    for (int k = 0; k < s->count[slot]; k++)
        if (other[k] >= (uint32_t)s->capacity || other[k] == (uint32_t)slot || !s->assigned[other[k]] ||
            !(rest[k] > 0) || !isfinite(rest[k]) || !is_symmetric(s, slot, other[k], rest[k]))
            return false;
    return true;
}

static size_t saved_bytes(const particle_fluid *fluid) {
    const springs *s = &fluid->springs;
    size_t ends = 2 * (size_t)springs_count(s), slots = (size_t)s->capacity;
    return sizeof(int32_t) + slots * (sizeof *s->assigned + sizeof *s->count + sizeof *s->material) +
           ends * (sizeof *s->other + sizeof *s->rest);
}

static void serialize(particle_fluid *fluid, pd_archive *archive) {
    springs *s = &fluid->springs;
    int32_t capacity = s->capacity;
    pd_archive_transfer(archive, &capacity, sizeof capacity);
    if (archive->reading) {
        free_springs(s);
        size_t left =
            archive->capacity - archive->size; /* each slot has at least 3 bytes: assigned, count and material */
        if (archive->failed || capacity < 0 || (size_t)capacity > left / 3 || !reserve_slots(s, capacity)) {
            archive->failed = true;
            return;
        }
    }
    pd_archive_transfer(archive, s->assigned, (size_t)capacity);
    pd_archive_transfer(archive, s->count, (size_t)capacity);
    pd_archive_transfer(archive, s->material, (size_t)capacity);
    for (int slot = 0; slot < capacity && !archive->failed; slot++) {
        size_t first = (size_t)slot * SPRINGS_PER_PARTICLE, count = s->count[slot];
        if (count > SPRINGS_PER_PARTICLE) archive->failed = true;
        pd_archive_transfer(archive, s->other + first, count * sizeof *s->other);
        pd_archive_transfer(archive, s->rest + first, count * sizeof *s->rest);
    }
    if (!archive->reading) return;
    for (int slot = 0; slot < capacity && !archive->failed; slot++) {
        s->used += s->assigned[slot];
        if (!is_valid_slot(s, slot)) archive->failed = true;
    }
    if (archive->failed) free_springs(s);
}

extern const particle_force force_of_springs;
const particle_force force_of_springs = {
    .stage = "springs",
    .property = PD_ELASTICITY,
    .sorted = true,
    .step = apply_springs,
    .longest = longest_substep,
    .edit = edit_materials,
    .reset = reset,
    .serialize = serialize,
    .saved_bytes = saved_bytes,
    .destroy = destroy,
};
