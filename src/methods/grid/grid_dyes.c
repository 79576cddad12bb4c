/* Dyes of the grid fluid, one for each material: filling, transport, conservation of their amounts, sources. */
#include "core/math.h"
#include "core/simd.h"
#include "methods/grid/grid.h"
#include "methods/grid/grid_levels.h"
#include "methods/spread.h"
#include "scene/geometry.h"
#include "sim/particles/fill.h"

#include <string.h>

void pd_grid_clear_fields(grid_state *state) {
    size_t bytes = state->mac->layout.count * sizeof(float);
    memset(state->mac->u, 0, bytes);
    memset(state->mac->v, 0, bytes);
    memset(state->mac->poisson->q, 0, bytes);
    for (int m = 0; m < state->dye_count; m++) memset(state->dye[m], 0, bytes);
    memset(state->has_dye, 0, sizeof state->has_dye);
}

void pd_grid_add_dye(grid_state *state, int material, size_t cell, float amount) {
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
        pd_grid_add_dye(state, region->material, k, cover * region->amount);
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
    pd_grid_clear_fields(state);
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
    pd_grid_clear_fields(state);
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
            pd_grid_add_dye(state, mouth->emitter->material, pd_element_index(&state->mac->layout, i, j),
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

void pd_grid_apply_dye_sources(pd_world *world, grid_state *state, float dt) {
    for (int e = 0; e < world->scene.emitter_count; e++) {
        pd_mouth mouth;
        if (pd_find_emitter_mouth(world, state->mac, e, dt, &mouth)) add_emitted_dye(state, &mouth);
    }
    for (int d = 0; d < world->scene.drain_count; d++) remove_drained_dyes(state, &world->scene.drains[d]);
    if (world->tool.kind == PD_TOOL_PAINT || world->tool.kind == PD_TOOL_POUR) pd_grid_paint_dyes(world, state, dt);
    if (world->tool.kind == PD_TOOL_ERASE) pd_grid_erase_dyes(world, state);
    convert_dyes_in_change_zones(world, state, dt);
}
