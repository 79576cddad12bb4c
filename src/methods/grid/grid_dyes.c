/* Dyes of the grid fluid, one for each material: filling, transport, conservation of their amounts, sources. */
#include "methods/grid/grid.h"

#include "core/math.h"
#include "core/simd.h"
#include "methods/spread.h"
#include "scene/content/cells.h"
#include "scene/geometry.h"
#include "scene/schema.h"
#include "sim/particles/fill.h"
#include "sim/particles/near.h"
#include "sim/tools/stroke.h"
#include <math.h>
#include <string.h>

/* Sets velocities and dyes to 0. */
static void clear_fields(grid_state *state) {
    size_t bytes = state->mac->layout.count * sizeof(float);
    memset(state->mac->u, 0, bytes);
    memset(state->mac->v, 0, bytes);
    memset(state->mac->poisson->q, 0, bytes);
    for (int m = 0; m < state->dye_count; m++) memset(state->dye[m], 0, bytes);
    memset(state->has_dye, 0, sizeof state->has_dye);
}

/* Adds an amount of a dye to a cell. The other dyes of the cell decrease in proportion. */
static void add_dye(grid_state *state, int material, size_t cell, float amount) {
    if (!(state->mac->open[cell] > 0) || !(amount > 0)) return;
    if (amount > 1) amount = 1;
    for (int m = 0; m < state->dye_count; m++) state->dye[m][cell] *= 1 - amount;
    state->dye[material][cell] += amount;
    state->has_dye[material] = true;
}

/* Adds the dyes of a region to cell k. Returns the fraction of the cell that the region covers. */
static float add_region_dyes_to_cell(grid_state *state, const pd_region *region, size_t k, pd_vec2 center) {
    enum { SAMPLES_PER_SIDE = 4 };
    float cell = (float)state->mac->grid.cell;
    if (region->area.shape != PD_SHAPE_IMAGE) {
        float cover = pd_area_fraction_in_cell(&region->area, center, cell);
        add_dye(state, region->material, k, cover * region->amount);
        return cover;
    }
    int found[PD_NO_FLUID + 1] = {0};
    for (int n = 0; n < SAMPLES_PER_SIDE * SAMPLES_PER_SIDE; n++) {
        float dx = ((float)(n / SAMPLES_PER_SIDE) + 0.5f) / SAMPLES_PER_SIDE - 0.5f,
              dy = ((float)(n % SAMPLES_PER_SIDE) + 0.5f) / SAMPLES_PER_SIDE - 0.5f;
        found[pd_image_pixel_at(&region->area, (pd_vec2){center.x + cell * dx, center.y + cell * dy})]++;
    }
    /* All dyes of the image are added at once: one after the other, a later dye would dilute the earlier ones. */
    int covered = 0;
    for (int m = 0; m < state->dye_count; m++) covered += found[m];
    float amount = region->amount * (float)covered / (SAMPLES_PER_SIDE * SAMPLES_PER_SIDE);
    if (!covered || !(state->mac->open[k] > 0)) return (float)covered / (SAMPLES_PER_SIDE * SAMPLES_PER_SIDE);
    for (int m = 0; m < state->dye_count; m++) {
        state->dye[m][k] = state->dye[m][k] * (1 - amount) + amount * (float)found[m] / (float)covered;
        if (found[m] && amount > 0) state->has_dye[m] = true;
    }
    return (float)covered / (SAMPLES_PER_SIDE * SAMPLES_PER_SIDE);
}

static void add_region_to_fields(grid_state *state, const pd_region *region) {
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    pd_cell_box box = pd_mac_cells_around(mac, region->area.center, pd_area_half_size(&region->area));
    for (int j = box.bottom; j <= box.top; j++) {
        for (int i = box.left; i <= box.right; i++) {
            size_t k = pd_element_index(l, i, j);
            float cover = add_region_dyes_to_cell(state, region, k, pd_mac_cell_center(mac, i, j));
            if (!(cover > 0)) continue;
            /* Each face gets half of the cell's velocity. The cell on its other side adds the other half. */
            mac->u[k] += 0.5f * cover * region->velocity.x;
            mac->u[k + 1] += 0.5f * cover * region->velocity.x;
            mac->v[k] += 0.5f * cover * region->velocity.y;
            mac->v[k + (size_t)l->stride] += 0.5f * cover * region->velocity.y;
        }
    }
}

static void add_velocities_of_scene_vortons(const pd_world *world, grid_state *state) {
    const pd_mac *mac = state->mac;
    const pd_scene *scene = &world->scene;
    float half = 0.5f * (float)mac->grid.cell, unused = 0;
    for (int n = 0; n < scene->vorton_count; n++)
        for (int j = 0; j < mac->layout.ny; j++)
            for (int i = 0; i < mac->layout.nx; i++) {
                size_t k = pd_element_index(&mac->layout, i, j);
                pd_vec2 p = pd_mac_cell_center(mac, i, j);
                pd_vorton_add_velocity(&scene->vortons[n], p.x - half, p.y, &mac->u[k], &unused);
                pd_vorton_add_velocity(&scene->vortons[n], p.x, p.y - half, &unused, &mac->v[k]);
            }
}

void pd_grid_set_fields_from_regions(pd_world *world, grid_state *state) {
    clear_fields(state);
    for (int r = 0; r < world->scene.region_count; r++) add_region_to_fields(state, &world->scene.regions[r]);
    add_velocities_of_scene_vortons(world, state);
}

/* Sets dyes and velocities from the particles. Each particle adds its area at rest to the dye of its material, and its
 * velocity, both spread over the cells around. */
void pd_grid_set_fields_from_particles(pd_world *world, grid_state *state) {
    const pd_particles *p = &world->particles;
    const pd_mac *mac = state->mac;
    float cell = (float)mac->grid.cell, spacing = world->resolution.spacing;
    float radius = 1.3f * fmaxf(spacing, cell), inverse = 1 / radius;
    float share = spacing * spacing * 3 / (3.14159265f * radius * radius);
    float *weight_x = state->next[0], *weight_y = state->next[1];
    clear_fields(state);
    memset(weight_x, 0, mac->layout.count * sizeof(float));
    memset(weight_y, 0, mac->layout.count * sizeof(float));
    for (int n = 0; n < p->count; n++) {
        pd_cell_box box = pd_mac_cells_around(mac, (pd_vec2){p->x[n], p->y[n]}, (pd_vec2){radius, radius});
        state->has_dye[p->material[n]] = true;
        for (int j = box.bottom; j <= box.top; j++) {
            for (int i = box.left; i <= box.right; i++) {
                pd_vec2 center = pd_mac_cell_center(mac, i, j);
                float dx = p->x[n] - center.x, dy = p->y[n] - center.y;
                size_t k = pd_element_index(&mac->layout, i, j);
                state->dye[p->material[n]][k] += share * pd_spread_kernel(dx, dy, inverse);
                float wx = share * pd_spread_kernel(dx + 0.5f * cell, dy, inverse),
                      wy = share * pd_spread_kernel(dx, dy + 0.5f * cell, inverse);
                weight_x[k] += wx;
                weight_y[k] += wy;
                mac->u[k] += wx * p->vx[n];
                mac->v[k] += wy * p->vy[n];
            }
        }
    }
    for (size_t k = 0; k < mac->layout.count; k++) {
        mac->u[k] /= fmaxf(weight_x[k], 1);
        mac->v[k] /= fmaxf(weight_y[k], 1);
        float total = 0;
        for (int m = 0; m < state->dye_count; m++) total += state->dye[m][k];
        /* The dyes of a nearly full cell are scaled to the sum 1, since sums of kernels vary by some per cent between
         * particles. */
        float scale = total > 0.8f ? 1 / total : 1.25f;
        for (int m = 0; m < state->dye_count && total > 0; m++) state->dye[m][k] *= scale;
    }
}

typedef struct dye_job {
    grid_state *state;
    float *dye; /* by cell: amount of the dye */
    float gain; /* factor on dye * (1 - dye) in the correction */
} dye_job;

/* Sums over each row, weighted by the cells' open fractions: dye, and dye * (1 - dye), to which pd_grid_correct_dye makes
 * its correction proportional. */
static void sum_dye_of_rows(void *context, int begin, int end) {
    const dye_job *job = context;
    const pd_layout *l = &job->state->mac->layout;
    for (int j = begin; j < end; j++) {
        size_t row = pd_element_index(l, 0, j);
        const float *dye = job->dye + row, *open = job->state->mac->open + row;
        double sum = 0, mixed = 0;
        for (int i = 0; i < l->nx; i++) {
            sum += (double)(open[i] * dye[i]);
            mixed += (double)(open[i] * dye[i] * (1 - dye[i]));
        }
        job->state->sums[2 * j] = sum;
        job->state->sums[2 * j + 1] = mixed;
    }
}

static void correct_dye_of_rows(void *context, int begin, int end) {
    const dye_job *job = context;
    PD_SIMD_PICK(pd_grid_correct_dye)(&job->state->mac->layout, job->dye, job->gain, begin, end);
}

/* Returns the sum of a dye over the cells, weighted by their open fractions. *mixed: sum of dye * (1 - dye). */
static double sum_dye_over_cells(pd_world *world, grid_state *state, float *dye, double *mixed) {
    dye_job job = {.state = state, .dye = dye};
    pd_parallel_for(world->pool, state->mac->layout.ny, pd_grid_rows_per_chunk(state), sum_dye_of_rows, &job);
    double sum = 0;
    *mixed = 0;
    for (int j = 0; j < state->mac->layout.ny; j++) {
        sum += state->sums[2 * j];
        *mixed += state->sums[2 * j + 1];
    }
    return sum;
}

static bool is_container_closed(const pd_mac *mac) {
    for (int side = 0; side < PD_WALLS; side++)
        if (mac->sides[side].outflow || mac->sides[side].inflow > 0 || mac->sides[side].inflow < 0) return false;
    return true;
}

/* Sets the dye in ghost cells at inflow sides to 0, since the inflowing fluid has no dye. An emitter at the side adds
 * dye later. */
static void clear_dye_at_inflow(const pd_mac *mac, float *dye) {
    const pd_layout *l = &mac->layout;
    for (int j = -1; j <= l->ny; j++) {
        if (mac->sides[PD_WALL_LEFT].inflow > 0) dye[pd_element_index(l, -1, j)] = 0;
        if (mac->sides[PD_WALL_RIGHT].inflow > 0) dye[pd_element_index(l, l->nx, j)] = 0;
    }
    for (int i = -1; i <= l->nx; i++) {
        if (mac->sides[PD_WALL_BOTTOM].inflow > 0) dye[pd_element_index(l, i, -1)] = 0;
        if (mac->sides[PD_WALL_TOP].inflow > 0) dye[pd_element_index(l, i, l->ny)] = 0;
    }
}

static void extrapolate_dye(const pd_mac *mac, float *dye) {
    pd_mac_extrapolate_cells(mac, dye);
    clear_dye_at_inflow(mac, dye);
}

void pd_grid_measure_dye_amounts(pd_world *world, grid_state *state) {
    double mixed;
    for (int m = 0; m < state->dye_count; m++)
        state->amount[m] = state->has_dye[m] ? sum_dye_over_cells(world, state, state->dye[m], &mixed) : 0;
}

/* Dilutes a dye where sources add or remove fluid: d(dye)/dt = -dye div u. */
static void dilute_dye_by_sources(const grid_state *state, float *dye, float dt) {
    const float *divergence = state->work;
    for (size_t k = 0; k < state->mac->layout.count; k++) {
        if (!(state->mac->open[k] > 0) || dye[k] == 0) continue;
        float value = dye[k] * pd_expf(-divergence[k] * dt);
        dye[k] = value < 1 ? value : 1;
    }
}

/* Corrects dye m so that its amount is state->amount[m] again, which interpolation has changed. The correction of a
 * cell is proportional to dye * (1 - dye). */
static void restore_dye_amount(pd_world *world, grid_state *state, int m) {
    double mixed, after = sum_dye_over_cells(world, state, state->dye[m], &mixed);
    if (!(mixed > 0)) return;
    dye_job job = {state, state->dye[m], (float)fmin(fmax((state->amount[m] - after) / mixed, -1), 1)};
    pd_parallel_for(world->pool, state->mac->layout.ny, pd_grid_rows_per_chunk(state), correct_dye_of_rows, &job);
}

void pd_grid_restore_dye_amounts(pd_world *world, grid_state *state) {
    for (int m = 0; m < state->dye_count; m++)
        if (state->has_dye[m] && is_container_closed(state->mac)) restore_dye_amount(world, state, m);
}

/* Transports the `count` dyes whose indices are in `group`, at most PD_MOST_TRANSPORTED, together: each origin is
 * traced once. */
static void transport_dye_group(pd_world *world, grid_state *state, const int *group, int count, float dt) {
    pd_transport t = {.mac = state->mac, .location = PD_AT_CELLS, .dt = dt, .count = count};
    bool corrected = world->parameter[GRID_ADVECTION] == GRID_MACCORMACK;
    for (int k = 0; k < count; k++) {
        extrapolate_dye(state->mac, state->dye[group[k]]);
        t.from[k] = state->dye[group[k]];
        t.to[k] = state->next[k];
        t.result[k] = corrected ? state->next[PD_MOST_TRANSPORTED + k] : NULL;
    }
    pd_advect_arrays(&t, world->pool);
    for (int k = 0; k < count && corrected; k++) extrapolate_dye(state->mac, t.to[k]);
    if (corrected) pd_correct_advection_maccormack(&t, world->pool);
    for (int k = 0; k < count; k++) {
        float **moved = &state->next[corrected ? PD_MOST_TRANSPORTED + k : k], *old = state->dye[group[k]];
        state->dye[group[k]] = *moved;
        *moved = old;
        if (state->has_sources) dilute_dye_by_sources(state, state->dye[group[k]], dt);
        if (is_container_closed(state->mac)) restore_dye_amount(world, state, group[k]);
    }
}

void pd_grid_transport_dyes(pd_world *world, grid_state *state, float dt) {
    int group[PD_MOST_TRANSPORTED], count = 0;
    if (state->has_sources) pd_mac_compute_divergence(state->mac, NULL, state->work, world->pool);
    for (int m = 0; m < state->dye_count; m++) {
        if (state->has_dye[m]) group[count++] = m;
        if (count == PD_MOST_TRANSPORTED || (count > 0 && m == state->dye_count - 1)) {
            transport_dye_group(world, state, group, count, dt);
            count = 0;
        }
    }
}

static void add_emitted_dye(grid_state *state, const pd_mouth *mouth) {
    for (int j = mouth->box.bottom; j <= mouth->box.top; j++)
        for (int i = mouth->box.left; i <= mouth->box.right; i++)
            add_dye(state, mouth->emitter->material, pd_element_index(&state->mac->layout, i, j),
                    pd_mouth_fraction_in_cell(mouth, pd_mac_cell_center(state->mac, i, j)));
}

static void remove_drained_dyes(grid_state *state, const pd_drain *drain) {
    pd_cell_box box = pd_mac_cells_around(state->mac, drain->area.center, pd_area_half_size(&drain->area));
    for (int j = box.bottom; j <= box.top; j++)
        for (int i = box.left; i <= box.right; i++)
            if (pd_zone_contains_point(&drain->area, pd_mac_cell_center(state->mac, i, j)))
                for (int m = 0; m < state->dye_count; m++)
                    state->dye[m][pd_element_index(&state->mac->layout, i, j)] = 0;
}

typedef struct change_job {
    const pd_world *world;
    grid_state *state;
    float dt;
} change_job;

/* Converts dyes of one cell into other dyes, in the zones of the scene key `changes`. Dye that a zone has produced is
 * not converted again in the same substep, as with tracers (sim/sources/change.c). If two zones convert the same dye,
 * the second zone acts on what the first one has left. */
static void convert_dyes_of_cell(const change_job *job, pd_vec2 center, size_t cell) {
    const pd_scene *scene = &job->world->scene;
    float **dye = job->state->dye, gained[PD_MAX_MATERIALS] = {0};
    for (int c = 0; c < scene->change_count; c++) {
        const pd_change *change = &scene->changes[c];
        if (!(dye[change->from][cell] > 0) || !pd_zone_contains_point(&change->area, center)) continue;
        float moved = dye[change->from][cell] * -pd_expm1f(-change->rate * job->dt);
        dye[change->from][cell] -= moved;
        gained[change->to] += moved;
    }
    for (int m = 0; m < job->state->dye_count; m++) dye[m][cell] += gained[m];
}

static void convert_dyes_of_rows(void *context, int begin, int end) {
    const change_job *job = context;
    const pd_mac *mac = job->state->mac;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < mac->layout.nx; i++)
            convert_dyes_of_cell(job, pd_mac_cell_center(mac, i, j), pd_element_index(&mac->layout, i, j));
}

/* Converts dyes into other dyes in the zones of the scene key `changes`, as sim/sources/change.c converts tracers. */
static void convert_dyes_in_change_zones(pd_world *world, grid_state *state, float dt) {
    change_job job = {world, state, dt};
    bool any = false;
    for (int c = 0; c < world->scene.change_count; c++) {
        const pd_change *change = &world->scene.changes[c];
        if (!state->has_dye[change->from]) continue;
        state->has_dye[change->to] = any = true;
    }
    if (any)
        pd_parallel_for(world->pool, state->mac->layout.ny, pd_grid_rows_per_chunk(state), convert_dyes_of_rows, &job);
}

/* ---- Painting ----
 *
 * Painting: adds dye and tracers along the stroke of the pour tool. If the user later selects a particle method, these
 * tracers become the painted liquid. */

/* Time constant with which dye covers the cells under the pour tool, s. */
static const float PAINT_TIME = 0.05f;
/* Least distance of a new tracer to others, in units of the rest spacing. Discs of this diameter, placed at random
 * until no more fit, cover 0.547 of the plane: as many as at the rest spacing. */
static const float FREE_DISTANCE = 0.834f;

/* Areas of dye that the pour tool adds in a substep, divided by the area of one tracer at rest: numbers of tracers. */
typedef struct painted_amounts {
    double replaced; /* where other dyes were before */
    double fresh;    /* where the fluid had no dye */
} painted_amounts;

static painted_amounts add_painted_dye(const pd_world *world, grid_state *state, const pd_stroke *s, float dt) {
    float rate = 1 - pd_expf(-dt / PAINT_TIME);
    const pd_mac *mac = state->mac;
    pd_cell_box box = pd_mac_cells_around(mac, s->center, (pd_vec2){s->half_x, s->half_y});
    double replaced = 0, gained = 0;
    for (int j = box.bottom; j <= box.top; j++) {
        for (int i = box.left; i <= box.right; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            float d = pd_stroke_distance(s, pd_mac_cell_center(mac, i, j)) / s->radius, others = 0;
            float edge = fminf(fmaxf((1 - d) / 0.3f, 0), 1), amount = rate * edge * edge * (3 - 2 * edge);
            for (int m = 0; m < state->dye_count; m++)
                if (m != world->tool.material) others += state->dye[m][k];
            replaced += (double)(mac->open[k] * amount * others);
            gained += (double)(mac->open[k] * amount * (1 - state->dye[world->tool.material][k]));
            add_dye(state, world->tool.material, k, amount);
        }
    }
    double tracers = mac->grid.cell / (double)world->resolution.spacing;
    tracers *= tracers;
    return (painted_amounts){replaced * tracers, fmax(gained - replaced, 0) * tracers};
}

/* Returns the amount of the tool's dye in the cell that contains p, if p is in the stroke; else 0. */
static float amount_of_painted_dye(const pd_world *world, const grid_state *state, const pd_stroke *s, pd_vec2 p) {
    const pd_grid *g = &state->mac->grid;
    int i = (int)floor((p.x - g->origin.x) / g->cell), j = (int)floor((p.y - g->origin.y) / g->cell);
    if (i < 0 || j < 0 || i >= g->nx || j >= g->ny || !(pd_stroke_distance(s, p) < s->radius)) return 0;
    size_t k = pd_element_index(&state->mac->layout, i, j);
    return state->mac->open[k] > 0 ? state->dye[world->tool.material][k] : 0;
}

/* Returns a number in [0, 1) for the lattice point (i, j). Neighbouring points have evenly spread numbers
 * (low-discrepancy sequence R2 of Roberts 2018). j = 0 gives element i of a one-dimensional sequence. */
static double low_discrepancy_number(double i, double j) {
    double value = 0.7548776662466927 * i + 0.5698402909980532 * j;
    return value - floor(value);
}

/* Rounds `number` up or down, depending on the substep, so that the mean over many substeps is `number`. */
static int round_with_exact_mean(const pd_world *world, double number) {
    return (int)fmin(floor(number + low_discrepancy_number((double)world->substep_total, 0)), PD_MAX_PARTICLES);
}

/* Choice of the `wanted` candidates with the highest scores. It needs no list, but two passes over all candidates: the
 * first counts how many have each score, the second picks those with sufficient scores. Score = amount of dye -
 * low_discrepancy_number. Thus half of the candidates are picked where the dye is 1/2. */
enum { SCORES = 1024 };
typedef struct choice {
    int counts[SCORES]; /* number of candidates, by score */
    int wanted;         /* number of candidates to pick */
    int lowest, ties;   /* lowest score to pick, and number of candidates to pick with exactly this score */
} choice;

static int compute_candidate_score(float dye, double number) {
    return (int)fmin(fmax(((double)dye - number + 1) * (SCORES / 2), 0), SCORES - 1);
}

static void find_lowest_picked_score(choice *choice) {
    int better = 0;
    choice->lowest = SCORES - 1;
    while (choice->lowest > 0 && better + choice->counts[choice->lowest] < choice->wanted)
        better += choice->counts[choice->lowest--];
    choice->ties = choice->wanted - better;
}

static bool pick_candidate(choice *choice, int score) {
    return score > choice->lowest || (score == choice->lowest && choice->ties-- > 0);
}

/* Gives tracers in the stroke the tool's material. Their mean number is `amount`, the replaced dye in areas of
 * tracers. */
static void recolour_tracers_in_stroke(pd_world *world, const grid_state *state, const pd_stroke *s, double amount) {
    pd_particles *p = &world->particles;
    choice choice = {.wanted = round_with_exact_mean(world, amount)};
    for (int pass = 0; pass < 2 && choice.wanted > 0; pass++) {
        for (int n = 0; n < p->count; n++) {
            pd_vec2 point = {p->x[n], p->y[n]};
            if (fabsf(point.x - s->center.x) > s->half_x || fabsf(point.y - s->center.y) > s->half_y) continue;
            float dye = amount_of_painted_dye(world, state, s, point);
            if (p->material[n] == world->tool.material || !(dye > 0)) continue;
            int score = compute_candidate_score(dye, low_discrepancy_number(p->id[n], 0));
            if (pass == 0)
                choice.counts[score]++;
            else if (pick_candidate(&choice, score))
                p->material[n] = (uint8_t)world->tool.material;
        }
        if (pass == 0) find_lowest_picked_score(&choice);
    }
}

/* Returns true if a new tracer fits at a point: in the fluid, and at least FREE_DISTANCE away from other particles. */
static bool is_free_for_tracer(const pd_world *world, const pd_near_particles *near, pd_vec2 point) {
    return pd_boundary_allows_position(world->boundary, point, 0) &&
           !pd_near_particles_occupy_point(world, near, point);
}

/* Adds tracers in the stroke, on a lattice with the rest spacing. Their mean number is `amount`, the fresh dye in areas
 * of tracers. */
static void add_tracers_in_stroke(pd_world *world, const grid_state *state, const pd_stroke *s, double amount) {
    float spacing = world->resolution.spacing, distance = FREE_DISTANCE * spacing;
    /* Limits the lattice to the grid, because the tool may be larger. */
    const pd_grid *g = &state->mac->grid;
    double left = floor(fmax(s->center.x - s->half_x, g->origin.x) / spacing);
    double right = ceil(fmin(s->center.x + s->half_x, g->origin.x + g->nx * g->cell) / spacing);
    double bottom = floor(fmax(s->center.y - s->half_y, g->origin.y) / spacing);
    double top = ceil(fmin(s->center.y + s->half_y, g->origin.y + g->ny * g->cell) / spacing);
    choice choice = {.wanted = pd_world_reserve_new_particles(world, round_with_exact_mean(world, amount))};
    pd_near_particles near =
        pd_near_particles_find(world, s->center, pd_hypotf(s->half_x, s->half_y) + distance, distance);
    for (int pass = 0; pass < 2 && choice.wanted > 0; pass++) {
        for (double j = bottom; j <= top; j++) {
            for (double i = left; i <= right; i++) {
                pd_vec2 point = {(float)((i + 0.5) * spacing), (float)((j + 0.5) * spacing)};
                float dye = amount_of_painted_dye(world, state, s, point);
                if (!(dye > 0) || !is_free_for_tracer(world, &near, point)) continue;
                int score = compute_candidate_score(dye, low_discrepancy_number(i, j));
                if (pass == 0)
                    choice.counts[score]++;
                else if (pick_candidate(&choice, score))
                    pd_particles_add(&world->particles, point, (pd_vec2){0, 0}, world->tool.material);
            }
        }
        if (pass == 0) find_lowest_picked_score(&choice);
    }
}

/* Adds dye and tracers along the stroke of the pour tool in this substep. */
static void paint_dyes(pd_world *world, grid_state *state, float dt) {
    pd_stroke s = pd_stroke_of_step_so_far(world);
    painted_amounts amount = add_painted_dye(world, state, &s, dt);
    recolour_tracers_in_stroke(world, state, &s, amount.replaced);
    add_tracers_in_stroke(world, state, &s, amount.fresh);
}

/* Removes the dyes along the stroke of the erase tool. The tracers there are removed by sim/tools/tools.c. */
static void erase_dyes(const pd_world *world, grid_state *state) {
    pd_stroke s = pd_stroke_of_step_so_far(world);
    const pd_mac *mac = state->mac;
    pd_cell_box box = pd_mac_cells_around(mac, s.center, (pd_vec2){s.half_x, s.half_y});
    for (int j = box.bottom; j <= box.top; j++)
        for (int i = box.left; i <= box.right; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            float left = 1 - pd_stroke_smooth_coverage(&s, pd_mac_cell_center(mac, i, j));
            for (int m = 0; m < state->dye_count; m++) state->dye[m][k] *= left;
        }
}

void pd_grid_apply_dye_sources(pd_world *world, grid_state *state, float dt) {
    for (int e = 0; e < world->scene.emitter_count; e++) {
        pd_mouth mouth;
        if (pd_find_emitter_mouth(world, state->mac, e, dt, &mouth)) add_emitted_dye(state, &mouth);
    }
    for (int d = 0; d < world->scene.drain_count; d++) remove_drained_dyes(state, &world->scene.drains[d]);
    if (world->tool.kind == PD_TOOL_PAINT || world->tool.kind == PD_TOOL_POUR) paint_dyes(world, state, dt);
    if (world->tool.kind == PD_TOOL_ERASE) erase_dyes(world, state);
    convert_dyes_in_change_zones(world, state, dt);
}

/* ---- Cells of a scene ---- */

enum { U, V, DYES }; /* indices of layers in pd_cells: x velocity, y velocity, first dye */

typedef struct layer {
    float *values; /* array of grid_state: u, v or a dye */
    /* Numbers of columns and rows of values: those of the cells, plus 1 column for u, plus 1 row for v. */
    int columns, rows;
    double right, up; /* position of the first value relative to the lower left corner of the grid, in cells */
} layer;

/* Interpolates a layer at x, y, in columns and rows from its first value. Beyond the cells' edges the value is 0. */
static float interpolate_layer(const pd_cells *cells, int layer_index, double x, double y) {
    double columns = layer_index == U ? cells->columns : cells->columns - 1;
    double rows = layer_index == V ? cells->rows : cells->rows - 1;
    if (x < -0.5 || x > columns + 0.5 || y < -0.5 || y > rows + 0.5) return 0;
    return pd_cells_interpolate(cells, layer_index, fmin(x, columns), fmin(y, rows));
}

/* Returns the array of the state that corresponds to layer `layer_index` of `cells`. */
static layer find_array_of_layer(const grid_state *state, const pd_cells *cells, int layer_index) {
    const pd_layout *l = &state->mac->layout;
    if (layer_index == U) return (layer){state->mac->u, l->nx + 1, l->ny, 0, 0.5};
    if (layer_index == V) return (layer){state->mac->v, l->nx, l->ny + 1, 0.5, 0};
    return (layer){state->dye[cells->material[layer_index - DYES]], l->nx, l->ny, 0.5, 0.5};
}

bool pd_grid_set_fields_from_scene_cells(pd_world *world, grid_state *state) {
    const pd_cells *cells = &world->scene.cells;
    const pd_layout *l = &state->mac->layout;
    const pd_vec2 center = world->resolution.center;
    double scale = state->mac->grid.cell / (double)cells->size;
    double right = ((double)center.x - (double)cells->center.x) / (double)cells->size;
    double up = ((double)center.y - (double)cells->center.y) / (double)cells->size;
    bool same = cells->columns == l->nx && cells->rows == l->ny && (float)state->mac->grid.cell == cells->size &&
                right == 0 && up == 0;
    clear_fields(state);
    for (int n = 0; n < DYES + cells->dyes; n++) {
        layer to = find_array_of_layer(state, cells, n);
        const float *from = cells->values + (size_t)n * pd_cells_layer_size(cells);
        for (int j = 0; j < to.rows; j++) {
            float *row = to.values + pd_element_index(l, 0, j);
            if (same) memcpy(row, from + (size_t)j * ((size_t)l->nx + 1), (size_t)to.columns * sizeof *row);
            double y = 0.5 * cells->rows + (j + to.up - 0.5 * l->ny) * scale - to.up + up;
            for (int i = 0; i < to.columns && !same; i++) {
                double x = 0.5 * cells->columns + (i + to.right - 0.5 * l->nx) * scale - to.right + right;
                row[i] = interpolate_layer(cells, n, x, y);
            }
        }
        if (n >= DYES) state->has_dye[cells->material[n - DYES]] = true;
    }
    return same;
}

pd_result pd_grid_write_fields_to_scene_cells(const pd_world *world, const void *memory, pd_cells *cells,
                                              pd_error *error) {
    const grid_state *state = memory;
    const pd_layout *l = &state->mac->layout;
    const float most = PD_FASTEST;
    *cells = (pd_cells){
        .columns = l->nx, .rows = l->ny, .size = (float)state->mac->grid.cell, .center = world->resolution.center};
    for (int m = 0; m < state->dye_count; m++)
        if (state->has_dye[m]) cells->material[cells->dyes++] = m;
    pd_result result = pd_cells_allocate(cells, error);
    for (int n = 0; result == PD_OK && n < DYES + cells->dyes; n++) {
        layer from = find_array_of_layer(state, cells, n);
        float *to = cells->values + (size_t)n * pd_cells_layer_size(cells);
        for (int j = 0; j < from.rows; j++)
            for (int i = 0; i < from.columns;
                 i++) /* Rounding errors may exceed the range that a scene allows, so values are clamped. */
                to[(size_t)j * ((size_t)l->nx + 1) + (size_t)i] =
                    fminf(fmaxf(from.values[pd_element_index(l, i, j)], n < DYES ? -most : 0), n < DYES ? most : 1);
    }
    return result;
}
