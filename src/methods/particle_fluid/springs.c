/* Springs: slots, new springs, displacements, snapshots. */
#include "methods/particle_fluid/particle_fluid.h"

#include "core/archive.h"
#include "core/array.h"
#include "core/memory.h"
#include "core/simd.h"

#include <math.h>
#include <string.h>

enum {
    SLOTS_PER_CHUNK = 1024, /* slots in a chunk of parallel work */
    ROWS_PER_CHUNK = 2,     /* rows of cells in a chunk of parallel work */
};

/* Lengths in radii. MOST_DISPLACEMENT: limit of the displacement by one spring in a substep. BREAK_LENGTH: longer
 * springs break. In the paper springs do not break; the pointer could then stretch springs across the container. */
static const float LEAST_REST_LENGTH = 0.05f, MOST_DISPLACEMENT = 0.25f, BREAK_LENGTH = 3;
/* STIFFEST: stiffness x dt^2 is clamped to this limit. Above half of it springs overshoot, far above it they are
 * unstable. STIFFEST_AUTOMATIC: limit of stiffness x dt^2 by which the program chooses substeps. */
static const float STIFFEST = 0.25f, STIFFEST_AUTOMATIC = 0.09f;

static float compute_longest_spring_substep(const pd_world *world, float greatest_stiffness) {
    (void)world;
    return sqrtf(STIFFEST_AUTOMATIC / fmaxf(greatest_stiffness, 1e-12f));
}

#define SPRINGS_ARRAYS(s, kept, slots)                                                                                 \
    PD_ARRAYS(PD_ARRAY((s)->particle, kept, slots), PD_ARRAY((s)->assigned, kept, slots),                              \
              PD_ARRAY((s)->spring_count, kept, slots), PD_ARRAY((s)->material, kept, slots),                          \
              PD_ARRAY((s)->is_new, 0, slots), PD_ARRAY((s)->has_room, 0, slots),                                      \
              PD_ARRAY((s)->candidate_count, 0, slots), PD_ARRAY((s)->x, 0, slots), PD_ARRAY((s)->y, 0, slots),        \
              PD_ARRAY((s)->move_x, 0, slots), PD_ARRAY((s)->move_y, 0, slots),                                        \
              PD_ARRAY((s)->other_slot, (kept)*SPRINGS_PER_PARTICLE, (slots)*SPRINGS_PER_PARTICLE),                    \
              PD_ARRAY((s)->rest_length, (kept)*SPRINGS_PER_PARTICLE, (slots)*SPRINGS_PER_PARTICLE))

static void free_springs(springs *s) {
    pd_arrays_free(SPRINGS_ARRAYS(s, 0, 0));
    *s = (springs){0};
}

static void destroy_springs(particle_fluid *fluid) { free_springs(&fluid->springs); }

static void reset_springs(particle_fluid *fluid, pd_world *world) {
    free_springs(&fluid->springs);
    pd_particles_free_column(&world->particles, fluid->traits->spring_slot);
}

int pd_springs_count_springs(const springs *springs) {
    int64_t ends = 0;
    for (int slot = 0; slot < springs->capacity; slot++)
        if (springs->assigned[slot]) ends += springs->spring_count[slot];
    return (int)(ends / 2);
}

/* Stands for a material that an edit has removed. No particle has this material, so the next substep frees its
 * slots. */
enum { NO_MATERIAL = UINT8_MAX };

static void edit_spring_materials(particle_fluid *fluid, const pd_edited *edit) {
    springs *springs = &fluid->springs;
    for (int slot = 0; slot < springs->capacity; slot++) {
        if (!springs->assigned[slot]) continue;
        int to = springs->material[slot] < PD_MAX_MATERIALS ? edit->material_to[springs->material[slot]] : -1;
        springs->material[slot] = to < 0 ? NO_MATERIAL : (uint8_t)to;
    }
}

/* Allocates at least `required` slots. Returns false if memory is refused. */
static bool reserve_slots(springs *springs, int required) {
    if (required <= springs->capacity) return true;
    int capacity = required > springs->capacity * 3 / 2 ? required : springs->capacity * 3 / 2;
    size_t kept = (size_t)springs->capacity, slots = (size_t)capacity + PD_PADDING;
    if (!pd_arrays_resize(SPRINGS_ARRAYS(springs, kept, slots))) return false;
    memset(springs->particle + kept, 0xff, (slots - kept) * sizeof *springs->particle); /* sets SPRINGS_NO_SLOT */
    springs->capacity = capacity;
    return true;
}

/* Frees a slot, and removes its springs from the lists at their other ends. */
static void release_slot(springs *springs, uint32_t slot) {
    const uint32_t *others = springs->other_slot + (size_t)slot * SPRINGS_PER_PARTICLE;
    for (int k = 0; k < springs->spring_count[slot]; k++) {
        uint32_t *far_ends = springs->other_slot + (size_t)others[k] * SPRINGS_PER_PARTICLE;
        float *rests = springs->rest_length + (size_t)others[k] * SPRINGS_PER_PARTICLE;
        int kept = 0;
        for (int e = 0; e < springs->spring_count[others[k]]; e++) {
            if (far_ends[e] == slot) continue;
            far_ends[kept] = far_ends[e];
            rests[kept] = rests[e];
            kept++;
        }
        springs->spring_count[others[k]] = (uint8_t)kept;
    }
    springs->spring_count[slot] = 0;
    springs->assigned[slot] = 0;
    springs->material[slot] = 0;
    springs->used--;
}

/* Updates springs->particle after the sort. Frees slots whose particle was removed, has another material or is not
 * elastic any more. Returns the number of elastic particles without a slot. */
static int update_slots(springs *springs, const pd_particles *p, uint32_t *slots, const bool *elastic) {
    int found = 0, unassigned = 0;
    if (springs->capacity > 0) memset(springs->particle, 0xff, (size_t)springs->capacity * sizeof *springs->particle);
    for (int i = 0; i < p->count; i++) {
        uint32_t slot = slots[i];
        bool known =
            slot < (uint32_t)springs->capacity && springs->assigned[slot] && springs->particle[slot] == SPRINGS_NO_SLOT;
        if (!known || !elastic[p->material[i]] || springs->material[slot] != p->material[i]) {
            slot = SPRINGS_NO_SLOT;
            slots[i] = slot;
        }
        if (slot != SPRINGS_NO_SLOT) {
            springs->particle[slot] = (uint32_t)i;
            found++;
        } else if (elastic[p->material[i]]) {
            unassigned++;
        }
    }
    for (int slot = 0; slot < springs->capacity && found < springs->used; slot++)
        if (springs->assigned[slot] && springs->particle[slot] == SPRINGS_NO_SLOT)
            release_slot(springs, (uint32_t)slot);
    return unassigned;
}

/* Assigns the lowest free slots to elastic particles without a slot, in the order of the particles in memory. */
static void assign_slots(springs *springs, const pd_particles *p, uint32_t *slots, const bool *elastic) {
    int slot = 0;
    for (int i = 0; i < p->count; i++) {
        if (!elastic[p->material[i]] || slots[i] != SPRINGS_NO_SLOT) continue;
        while (springs->assigned[slot]) slot++;
        slots[i] = (uint32_t)slot;
        springs->particle[slot] = (uint32_t)i;
        springs->material[slot] = p->material[i];
        springs->assigned[slot] = 1;
        springs->is_new[slot] = 1;
        springs->spring_count[slot] = 0;
        springs->used++;
    }
}

/* Sets springs->x and y: the positions between which springs act. */
static void gather_spring_positions(void *context, int begin, int end) {
    const springs_pull *pull = context;
    for (int slot = begin; slot < end; slot++) {
        uint32_t i = pull->springs->particle[slot];
        if (i == SPRINGS_NO_SLOT) continue;
        pull->springs->x[slot] = pull->particles->x[i];
        pull->springs->y[slot] = pull->particles->y[i];
        if (pull->time_ahead == 0) continue;
        pull->springs->x[slot] += pull->particles->vx[i] * pull->time_ahead;
        pull->springs->y[slot] += pull->particles->vy[i] * pull->time_ahead;
    }
}

typedef struct spring_search {
    springs *springs;
    const pd_particles *particles;
    const pd_neighbours *neighbours;
    const uint32_t *slots; /* by particle: its place in the table of springs */
    float h;               /* radius within which springs form, m */
    /* By material: springs form at any time; false: only at particles with a new slot. */
    bool plastic[PD_MAX_MATERIALS];
} spring_search;

/* Marks the particles of the ranges that have a spring to a slot: joined[r][n] for particle n of range r. */
static void mark_joined_particles(const springs *springs, uint32_t slot, const pd_ranges *ranges,
                                  uint8_t joined[][PD_LONGEST_RANGE]) {
    for (int r = 0; r < ranges->count; r++) memset(joined[r], 0, (size_t)(ranges->end[r] - ranges->begin[r]));
    for (int k = 0; k < springs->spring_count[slot]; k++) {
        int at = (int)springs->particle[springs->other_slot[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)k]];
        for (int r = 0; r < ranges->count; r++)
            if (at >= ranges->begin[r] && at < ranges->end[r]) joined[r][at - ranges->begin[r]] = 1;
    }
}

/* Returns whether particles i and j get a spring, and sets its rest length. Both particles have slots (places in the
 * table of springs), and their distance is below h. If one of the slots is new, the rest length is the present distance,
 * which retains the shape. Otherwise the rest length is h, as in the paper: the force is 0, and plasticity shortens the
 * spring. */
static bool should_join_particles(const spring_search *search, int i, int j, float squared_distance,
                                  float *rest_length) {
    const pd_particles *p = search->particles;
    uint32_t slot = search->slots[i], other = search->slots[j];
    if (j == i || p->material[j] != p->material[i]) return false;
    bool is_new = search->springs->is_new[slot] || search->springs->is_new[other];
    if (!is_new && !search->plastic[p->material[i]]) return false;
    *rest_length = is_new ? fmaxf(sqrtf(squared_distance), LEAST_REST_LENGTH * search->h) : search->h;
    return true;
}

/* Appends candidates for new springs of particle i to its list. If the list has no room for all, the particle gets no
 * new springs. Distances are between the positions at which springs act: otherwise new springs would pull at once. The
 * cells are those of the sorted positions. Under SPH a pair almost h apart with different velocities may therefore be
 * missed. */
static void find_spring_candidates(const spring_search *search, int i, const pd_ranges *ranges) {
    springs *all = search->springs;
    uint32_t slot = search->slots[i];
    uint8_t joined[PD_MAX_RANGES][PD_LONGEST_RANGE];
    int count = all->spring_count[slot];
    float x = all->x[slot], y = all->y[slot], h2 = search->h * search->h, rest;
    mark_joined_particles(all, slot, ranges, joined);
    for (int r = 0; r < ranges->count; r++)
        for (int j = ranges->begin[r]; j < ranges->end[r]; j++) {
            uint32_t other = search->slots[j];
            if (other == SPRINGS_NO_SLOT) continue;
            float dx = all->x[other] - x, dy = all->y[other] - y, r2 = dx * dx + dy * dy;
            if (!(r2 < h2) || joined[r][j - ranges->begin[r]] || !should_join_particles(search, i, j, r2, &rest))
                continue;
            if (count == SPRINGS_PER_PARTICLE) return;
            all->other_slot[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)count] = other;
            all->rest_length[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)count] = rest;
            count++;
        }
    all->has_room[slot] = 1;
    all->candidate_count[slot] = (uint8_t)(count - all->spring_count[slot]);
}

/* Finds the candidates of all particles in the rows [begin, end). Rows are independent: should_join_particles is
 * symmetric, and each particle writes only to its own list. */
static void find_candidates_of_rows(void *context, int begin, int end) {
    const spring_search *search = context;
    const pd_neighbours *n = search->neighbours;
    for (int row = begin; row < end; row++)
        for (int column = 0; column < n->columns; column++) {
            const int *start = n->start + (size_t)row * (size_t)n->columns + (size_t)column;
            if (start[0] == start[1]) continue;
            pd_ranges ranges;
            pd_neighbours_list_ranges(n, column, row, &ranges);
            bool crowded = false; /* no springs form in such a range */
            for (int r = 0; r < ranges.count; r++) crowded |= ranges.end[r] - ranges.begin[r] > PD_LONGEST_RANGE;
            if (crowded) continue;
            for (int i = start[0]; i < start[1]; i++)
                if (search->slots[i] != SPRINGS_NO_SLOT) find_spring_candidates(search, i, &ranges);
        }
}

/* Makes springs of the candidates whose two lists both had room for all their candidates. Removes the others. */
static void accept_candidates(void *context, int begin, int end) {
    const spring_search *search = context;
    springs *all = search->springs;
    for (int slot = begin; slot < end; slot++) {
        if (!all->has_room[slot]) continue;
        uint32_t *other = all->other_slot + (size_t)slot * SPRINGS_PER_PARTICLE;
        float *rest = all->rest_length + (size_t)slot * SPRINGS_PER_PARTICLE;
        int count = all->spring_count[slot], last = count + all->candidate_count[slot];
        for (int k = count; k < last; k++) {
            if (!all->has_room[other[k]]) continue;
            other[count] = other[k];
            rest[count] = rest[k];
            count++;
        }
        all->spring_count[slot] = (uint8_t)count;
    }
}

/* Adds new springs to the slots' lists. new_slots: number of slots that were assigned in this substep. */
static void add_new_springs(const particle_step *step, const bool *elastic, int new_slots) {
    pd_world *world = step->motion.world;
    springs *springs = &step->fluid->springs;
    spring_search search = {.springs = springs,
                            .particles = &world->particles,
                            .neighbours = &world->neighbours,
                            .slots = world->particles.method[step->traits->spring_slot],
                            .h = step->motion.radius};
    bool plastic = false;
    if (springs->used == 0) return;
    for (int m = 0; m < world->scene.material_count; m++) {
        search.plastic[m] = elastic[m] && world->property[m][PD_PLASTICITY] > 0;
        if (search.plastic[m]) plastic = true;
    }
    /* Springs between particles whose slots are not new start without force. Forming them once a step is enough. */
    if (new_slots == 0 && (!plastic || world->substeps_done > 0)) return;
    memset(springs->has_room, 0, (size_t)springs->capacity);
    pd_parallel_for(world->pool, world->neighbours.rows, ROWS_PER_CHUNK, find_candidates_of_rows, &search);
    pd_parallel_for(world->pool, springs->capacity, SLOTS_PER_CHUNK, accept_candidates, &search);
    if (new_slots > 0) memset(springs->is_new, 0, (size_t)springs->capacity);
}

static void apply_displacements(void *context, int begin, int end) {
    const springs_pull *pull = context;
    const springs *springs = pull->springs;
    const pd_particles *p = pull->particles;
    const bool moves = pull->step->traits->springs_displace, kicks = pull->step->traits->springs_change_velocity;
    const float dt = pull->step->motion.dt;
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

static void displace_by_springs(const particle_step *step) {
    pd_world *world = step->motion.world;
    springs *springs = &step->fluid->springs;
    const float h = step->motion.radius, dt = step->motion.dt;
    springs_pull pull = {.springs = springs,
                         .particles = &world->particles,
                         .step = step,
                         .h = h,
                         .inverse_h = 1 / h,
                         .displacement_limit = MOST_DISPLACEMENT * h,
                         .least_rest_length = LEAST_REST_LENGTH * h,
                         .break_length = BREAK_LENGTH * h};
    for (int m = 0; m < world->scene.material_count; m++) {
        pull.stiffness[m] = fminf(world->property[m][PD_ELASTICITY] * dt * dt, STIFFEST);
        pull.plasticity[m] = fminf(world->property[m][PD_PLASTICITY] * dt, 1);
        pull.yield[m] = world->property[m][PD_YIELD];
    }
    pd_parallel_for(world->pool, springs->capacity, SLOTS_PER_CHUNK, PD_SIMD_PICK(pd_springs_compute_displacements),
                    &pull);
    pd_parallel_for(world->pool, springs->capacity, SLOTS_PER_CHUNK, apply_displacements, &pull);
}

/* Sets elastic[m] to whether material m is elastic. Returns whether any material is. */
static bool find_elastic_materials(const pd_world *world, bool elastic[PD_MAX_MATERIALS]) {
    bool any = false;
    for (int m = 0; m < world->scene.material_count; m++) {
        elastic[m] = world->property[m][PD_ELASTICITY] > 0;
        if (elastic[m]) any = true;
    }
    return any;
}

bool pd_springs_need_cell_sort(const pd_world *world) {
    const pd_particles *p = &world->particles;
    bool elastic[PD_MAX_MATERIALS] = {false};
    if (!find_elastic_materials(world, elastic)) return false;
    const uint32_t *slots = p->method[particle_traits_of(world)->spring_slot];
    for (int i = 0; i < p->count; i++)
        if (elastic[p->material[i]] && (!slots || slots[i] == SPRINGS_NO_SLOT)) return true;
    return false;
}

/* Updates slots and springs, and displaces the particles. If memory is refused, particles without a slot get no
 * springs. */
static void apply_springs(particle_step *step) {
    pd_world *world = step->motion.world;
    springs *springs = &step->fluid->springs;
    const int column = step->traits->spring_slot;
    bool elastic[PD_MAX_MATERIALS] = {false};
    bool any = find_elastic_materials(world, elastic);
    if (!any) {
        if (springs->capacity == 0) return;
        free_springs(springs);
        pd_particles_reset_column(&world->particles, column);
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
        .springs = springs, .particles = &world->particles, .time_ahead = step->motion.dt - step->prediction_time};
    pd_parallel_for(world->pool, springs->capacity, SLOTS_PER_CHUNK, gather_spring_positions, &gathered);
    add_new_springs(step, elastic, new_slots);
    displace_by_springs(step);
}

/* Returns whether the list of the slot at the other end has the spring exactly once, with the same rest length. */
static bool is_spring_symmetric(const springs *springs, int slot, uint32_t other_slot, float rest_length) {
    const uint32_t *far_ends = springs->other_slot + (size_t)other_slot * SPRINGS_PER_PARTICLE;
    const float *rests = springs->rest_length + (size_t)other_slot * SPRINGS_PER_PARTICLE;
    int found = 0;
    for (int k = 0; k < springs->spring_count[other_slot]; k++)
        if (far_ends[k] == (uint32_t)slot && rests[k] == rest_length) found++;
    return found == 1;
}

/* Returns whether the data of a slot are valid, after they were read from a snapshot. Both ends of a spring have one material:
 * other plasticities would give the two lists different rest lengths. */
static bool is_valid_slot(const springs *springs, int slot) {
    const uint32_t *other = springs->other_slot + (size_t)slot * SPRINGS_PER_PARTICLE;
    const float *rest = springs->rest_length + (size_t)slot * SPRINGS_PER_PARTICLE;
    if (springs->assigned[slot] > 1 || (springs->spring_count[slot] && !springs->assigned[slot])) return false;
    if (springs->assigned[slot] && springs->material[slot] >= PD_MAX_MATERIALS &&
        springs->material[slot] != NO_MATERIAL)
        return false;
    for (int k = 0; k < springs->spring_count[slot]; k++)
        if (other[k] >= (uint32_t)springs->capacity || other[k] == (uint32_t)slot || !springs->assigned[other[k]] ||
            springs->material[other[k]] != springs->material[slot] || !(rest[k] > 0) || !isfinite(rest[k]) ||
            !is_spring_symmetric(springs, slot, other[k], rest[k]))
            return false;
    return true;
}

static size_t springs_saved_bytes(const particle_fluid *fluid) {
    const springs *springs = &fluid->springs;
    size_t ends = 2 * (size_t)pd_springs_count_springs(springs), slots = (size_t)springs->capacity;
    return sizeof(int32_t) +
           slots * (sizeof *springs->assigned + sizeof *springs->spring_count + sizeof *springs->material) +
           ends * (sizeof *springs->other_slot + sizeof *springs->rest_length);
}

static void save_or_load_springs(particle_fluid *fluid, pd_archive *archive) {
    springs *springs = &fluid->springs;
    int32_t capacity = springs->capacity;
    pd_archive_transfer(archive, &capacity, sizeof capacity);
    if (archive->reading) {
        free_springs(springs);
        /* each slot has at least 3 bytes: assigned, spring_count and material */
        size_t left = archive->capacity - archive->size;
        if (archive->failed || capacity < 0 || (size_t)capacity > left / 3 || !reserve_slots(springs, capacity)) {
            archive->failed = true;
            return;
        }
    }
    pd_archive_transfer(archive, springs->assigned, (size_t)capacity);
    pd_archive_transfer(archive, springs->spring_count, (size_t)capacity);
    pd_archive_transfer(archive, springs->material, (size_t)capacity);
    for (int slot = 0; slot < capacity && !archive->failed; slot++) {
        size_t first = (size_t)slot * SPRINGS_PER_PARTICLE, count = springs->spring_count[slot];
        if (count > SPRINGS_PER_PARTICLE) archive->failed = true;
        pd_archive_transfer(archive, springs->other_slot + first, count * sizeof *springs->other_slot);
        pd_archive_transfer(archive, springs->rest_length + first, count * sizeof *springs->rest_length);
    }
    for (int slot = 0; archive->reading && slot < capacity; slot++) springs->used += springs->assigned[slot];
    for (int slot = 0; pd_archive_validates(archive) && slot < capacity && !archive->failed; slot++)
        if (!is_valid_slot(springs, slot)) archive->failed = true;
    if (archive->reading && archive->failed) free_springs(springs);
}

extern const particle_force pd_force_of_springs;
const particle_force pd_force_of_springs = {
    .stage = "springs",
    .property = PD_ELASTICITY,
    .after_sort = true,
    .step = apply_springs,
    .longest = compute_longest_spring_substep,
    .edit = edit_spring_materials,
    .reset = reset_springs,
    .serialize = save_or_load_springs,
    .saved_bytes = springs_saved_bytes,
    .destroy = destroy_springs,
};
