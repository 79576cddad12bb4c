/* Exchange of circulation and density between vortex particles and nodes. */
#include "methods/spread.h"
#include "methods/vortex/vortex.h"
#include "scene/geometry.h"
#include "scene/schema.h"

#include <math.h>
#include <string.h>

enum { VORTONS_PER_CHUNK = 512 };
/* Thresholds of a node's circulation, mass or circulation_gain, in units of the greatest absolute value of all nodes.
 * - Nodes below WEAK_CIRCULATION and WEAK_MASS are merged into neighbours when vortons are remeshed.
 * - A circulation_gain below WEAK_GAIN adds no vorton if other vortons are near.
 * - Nodes below NO_CIRCULATION are left out. */
static const float NO_CIRCULATION = 1e-6f, WEAK_CIRCULATION = 1e-4f, WEAK_MASS = 1e-3f, WEAK_GAIN = 1e-3f;
/* Thresholds of the kernel sum at a node, in units of kernel_sum_at_rest. Below FEW_VORTONS a new vorton receives the
 * node's circulation_gain; below NO_VORTONS even if the gain is weak. */
static const float FEW_VORTONS = 0.3f, NO_VORTONS = 1e-3f;
/* Open fractions of a node's cell: above MOSTLY_OPEN the node counts as fluid, below LEAST_OPEN as wall. */
static const float MOSTLY_OPEN = 0.99f, LEAST_OPEN = 0.05f;

static void compute_spline_weights(float d, float w[3]) {
    w[0] = 0.5f * (0.5f - d) * (0.5f - d);
    w[1] = 0.75f - d * d;
    w[2] = 0.5f * (0.5f + d) * (0.5f + d);
}

/* Finds the cell (i, j) that contains a position, and the position's offset (across, up) from the cell's centre, in
 * cells, [-1/2, 1/2]. Returns false for positions outside of the grid. */
static bool find_cell_and_offset(const pd_mac *mac, float x, float y, int *i, int *j, float *across, float *up) {
    const pd_grid *g = &mac->grid;
    double cx = ((double)x - g->origin.x) / g->cell, cy = ((double)y - g->origin.y) / g->cell;
    if (!(cx >= 0 && cy >= 0 && cx <= g->nx && cy <= g->ny)) return false;
    *i = (int)fmin(cx, g->nx - 1);
    *j = (int)fmin(cy, g->ny - 1);
    *across = (float)(cx - *i - 0.5);
    *up = (float)(cy - *j - 0.5);
    return true;
}

bool pd_vortex_find_kernel_nodes(const pd_mac *mac, float x, float y, vortex_kernel *kernel) {
    int i, j;
    float across, up;
    if (!find_cell_and_offset(mac, x, y, &i, &j, &across, &up)) return false;
    kernel->first = pd_element_index(&mac->layout, i - 1, j - 1);
    compute_spline_weights(across, kernel->x);
    compute_spline_weights(up, kernel->y);
    return true;
}

/* Sets nodes[k] to the sum of (value of the vorton) x (its kernel at node k) over the field vortons. values: by vorton;
 * NULL: each has the value 1. */
static void deposit_values_on_nodes(const vortex_state *state, const float *values, float *nodes) {
    size_t stride = (size_t)state->mac->layout.stride;
    memset(nodes, 0, state->mac->layout.count * sizeof(float));
    for (int n = 0; n < state->count; n++) {
        vortex_kernel k;
        float value = values ? values[n] : 1;
        if (!(state->area[n] > 0) || value == 0 ||
            !pd_vortex_find_kernel_nodes(state->mac, state->x[n], state->y[n], &k))
            continue;
        for (size_t b = 0; b < 3; b++)
            for (size_t a = 0; a < 3; a++) nodes[k.first + b * stride + a] += value * k.x[a] * k.y[b];
    }
}

/* Adds `value` to the open nodes among four neighbours, in proportion to the open fractions of their cells. Returns
 * false if all four are closed. */
static bool add_value_to_open_nodes(const pd_mac *mac, float *node_values, float value, const size_t neighbours[4]) {
    float sum = 0;
    for (int n = 0; n < 4; n++) sum += mac->open[neighbours[n]];
    for (int n = 0; sum > 0 && n < 4; n++) node_values[neighbours[n]] += value * mac->open[neighbours[n]] / sum;
    return sum > 0;
}

void pd_vortex_move_values_off_closed_nodes(const pd_mac *mac, float *nodes) {
    const pd_layout *l = &mac->layout;
    size_t row = (size_t)l->stride;
    for (int j = -1; j <= l->ny; j++)
        for (int i = -1; i <= l->nx; i++) {
            size_t k = pd_element_index(l, i, j);
            if (nodes[k] == 0 || mac->open[k] > 0) continue;
            size_t left = i >= 0 ? k - 1 : k, right = i < l->nx ? k + 1 : k;
            size_t below = j >= 0 ? row : 0, above = j < l->ny ? row : 0;
            float value = nodes[k];
            nodes[k] = 0;
            if (!add_value_to_open_nodes(mac, nodes, value, (size_t[4]){left, right, k - below, k + above}))
                add_value_to_open_nodes(mac, nodes, value,
                                        (size_t[4]){left - below, right - below, left + above, right + above});
        }
}

void pd_vortex_deposit_circulation_on_nodes(vortex_state *state) {
    deposit_values_on_nodes(state, state->circulation, state->kernel_sum);
    pd_vortex_move_values_off_closed_nodes(state->mac, state->kernel_sum);
}

void pd_vortex_deposit_density_on_nodes(vortex_state *state) {
    const pd_mac *mac = state->mac;
    float inverse = (float)(1 / (mac->grid.cell * mac->grid.cell));
    deposit_values_on_nodes(state, state->mass, state->density);
    pd_vortex_move_values_off_closed_nodes(mac, state->density);
    for (int j = 0; j < mac->layout.ny; j++)
        for (int i = 0; i < mac->layout.nx; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            state->density[k] *= state->kernel_sum_at_rest[k] > LEAST_OPEN ? inverse / state->kernel_sum_at_rest[k] : 0;
        }
}

static void add_vorton_at_node(pd_world *world, vortex_state *state, int i, int j) {
    const pd_mac *mac = state->mac;
    size_t k = pd_element_index(&mac->layout, i, j);
    float gain = state->circulation_gain[k], cell = (float)mac->grid.cell;
    state->circulation_gain[k] = 0;
    if (!state->inside[k]) return;
    /* A node in an obstacle gets its vorton on the obstacle's surface. If its circulation_gain were omitted, each
     * substep would generate it again, and the circulation around the obstacle would grow without limit. */
    pd_vec2 p = pd_mac_cell_center(mac, i, j);
    pd_boundary_push_out_of_walls(world->boundary, &p);
    pd_vortex_add_vorton(state, p, gain, state->field_vorton_core, cell * cell * fmaxf(mac->open[k], LEAST_OPEN), 0);
}

static void add_circulation_gain_to_vorton_range(void *context, int begin, int end) {
    vortex_state *state = context;
    size_t stride = (size_t)state->mac->layout.stride;
    for (int n = begin; n < end; n++) {
        vortex_kernel k;
        if (!(state->area[n] > 0) || !pd_vortex_find_kernel_nodes(state->mac, state->x[n], state->y[n], &k)) continue;
        float sum = 0;
        for (size_t b = 0; b < 3; b++)
            for (size_t a = 0; a < 3; a++) sum += state->circulation_gain[k.first + b * stride + a] * k.x[a] * k.y[b];
        state->circulation[n] += sum;
    }
}

void pd_vortex_add_circulation_gain_to_vortons(pd_world *world, vortex_state *state) {
    const pd_layout *l = &state->mac->layout;
    float *gain = state->circulation_gain, greatest = 0;
    deposit_values_on_nodes(state, NULL, state->kernel_sum);
    for (size_t k = 0; k < l->count; k++) greatest = fmaxf(greatest, fabsf(gain[k]));
    if (!(greatest > 0)) return;
    int old = state->count;
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_element_index(l, i, j);
            float size = fabsf(gain[k]), near = state->kernel_sum[k];
            if (size <= NO_CIRCULATION * greatest && near < NO_VORTONS)
                gain[k] = 0;
            else if (near < (size > WEAK_GAIN * greatest ? FEW_VORTONS : NO_VORTONS))
                add_vorton_at_node(world, state, i, j);
            else
                gain[k] /= near;
        }
    pd_parallel_for(world->pool, old, VORTONS_PER_CHUNK, add_circulation_gain_to_vorton_range, state);
}

/* Returns the value of the third-order kernel M4' (Monaghan 1985). d: distance in node spacings. */
static float evaluate_remeshing_kernel(float d) {
    d = fabsf(d);
    if (d < 1) return 1 - d * d * (2.5f - 1.5f * d);
    return d < 2 ? 0.5f * (2 - d) * (2 - d) * (1 - d) : 0;
}

/* Distributes a vorton's circulation and mass over the 4 x 4 nodes around it, and returns true. If any of these nodes
 * is not in the fluid, adds nothing and returns false. */
static bool distribute_vorton_over_16_nodes(vortex_state *state, int vorton, int i, int j, float across, float up) {
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    int left = across < 0 ? i - 2 : i - 1, bottom = up < 0 ? j - 2 : j - 1;
    if (left < 0 || bottom < 0 || left + 3 >= l->nx || bottom + 3 >= l->ny) return false;
    for (int b = 0; b < 4; b++)
        for (int a = 0; a < 4; a++)
            if (!(mac->open[pd_element_index(l, left + a, bottom + b)] > MOSTLY_OPEN)) return false;
    for (int b = 0; b < 4; b++)
        for (int a = 0; a < 4; a++) {
            float w = evaluate_remeshing_kernel((float)(left + a - i) - across) *
                      evaluate_remeshing_kernel((float)(bottom + b - j) - up);
            size_t k = pd_element_index(l, left + a, bottom + b);
            state->circulation_gain[k] += w * state->circulation[vorton];
            state->density[k] += w * state->mass[vorton];
        }
    return true;
}

/* Distributes the circulation and mass of a vorton near a wall over the 2 x 2 nodes around it. Weight of a node:
 * bilinear weight x open fraction, or 0 in walls. If all weights are 0, the node of the vorton's cell receives
 * everything. */
static void distribute_vorton_over_4_nodes(vortex_state *state, int vorton, int i, int j, float across, float up) {
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    int left = across < 0 ? i - 1 : i, bottom = up < 0 ? j - 1 : j;
    float x = across < 0 ? 1 + across : across, y = up < 0 ? 1 + up : up, sum = 0, w[4];
    for (int c = 0; c < 4; c++) {
        float open = mac->open[pd_element_index(l, left + c % 2, bottom + c / 2)];
        int column = left + c % 2, row = bottom + c / 2;
        bool within = column >= 0 && row >= 0 && column < l->nx && row < l->ny;
        w[c] = within && open > LEAST_OPEN ? open * (c % 2 ? x : 1 - x) * (c / 2 ? y : 1 - y) : 0;
        sum += w[c];
    }
    for (int c = 0; c < 4; c++) {
        size_t k = sum > 0 ? pd_element_index(l, left + c % 2, bottom + c / 2) : pd_element_index(l, i, j);
        float share = sum > 0 ? w[c] / sum : 0.25f;
        state->circulation_gain[k] += share * state->circulation[vorton];
        state->density[k] += share * state->mass[vorton];
    }
}

typedef struct greatest_node_values {
    float circulation, mass; /* greatest magnitudes of all nodes, m^2/s and 1,000 kg/m */
} greatest_node_values;

static greatest_node_values find_greatest_node_values(const vortex_state *state) {
    greatest_node_values s = {0};
    for (size_t k = 0; k < state->mac->layout.count; k++) {
        s.circulation = fmaxf(s.circulation, fabsf(state->circulation_gain[k]));
        s.mass = fmaxf(s.mass, fabsf(state->density[k]));
    }
    return s;
}

static bool is_weak_node(const vortex_state *state, const greatest_node_values *s, size_t k) {
    return fabsf(state->circulation_gain[k]) <= WEAK_CIRCULATION * s->circulation &&
           fabsf(state->density[k]) <= WEAK_MASS * s->mass;
}

/* Adds the circulation and mass of each weak node to its strongest neighbour. A weak node with only weak neighbours
 * remains, unless it is almost 0. */
static void merge_weak_nodes(vortex_state *state, const greatest_node_values *s) {
    const pd_layout *l = &state->mac->layout;
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_element_index(l, i, j), best = 0;
            float most = 0;
            if ((state->circulation_gain[k] == 0 && state->density[k] == 0) || !is_weak_node(state, s, k)) continue;
            for (int b = -1; b <= 1; b++)
                for (int a = -1; a <= 1; a++) {
                    size_t other = pd_element_index(l, i + a, j + b);
                    float size = fabsf(state->circulation_gain[other]) / fmaxf(s->circulation, 1e-30f) +
                                 fabsf(state->density[other]) / fmaxf(s->mass, 1e-30f);
                    if (size > most && !is_weak_node(state, s, other)) {
                        most = size;
                        best = other;
                    }
                }
            bool nothing = fabsf(state->circulation_gain[k]) <= NO_CIRCULATION * s->circulation &&
                           fabsf(state->density[k]) <= NO_CIRCULATION * s->mass;
            if (most > 0) {
                state->circulation_gain[best] += state->circulation_gain[k];
                state->density[best] += state->density[k];
            }
            if (most > 0 || nothing) state->circulation_gain[k] = state->density[k] = 0;
        }
}

/* Limits the nodes' density deviations to [least_density_deviation, greatest_density_deviation], since the fluid is
 * incompressible: repeated remeshing gathers mass where flow meets a wall. The excess moves to neighbouring nodes. */
static void limit_density_deviations_of_nodes(vortex_state *state) {
    enum { SWEEPS = 8 };
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    const int beside[4] = {-1, 1, -l->stride, l->stride};
    float *excess = state->kernel_sum, area = (float)(mac->grid.cell * mac->grid.cell);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool any = false;
        memset(excess, 0, l->count * sizeof *excess);
        for (int j = 0; j < l->ny; j++)
            for (int i = 0; i < l->nx; i++) {
                size_t k = pd_element_index(l, i, j);
                float full = area * fmaxf(mac->open[k], LEAST_OPEN), mass = state->density[k];
                excess[k] = mass - fminf(fmaxf(mass, full * state->least_density_deviation),
                                         full * state->greatest_density_deviation);
                any = any || excess[k] != 0;
            }
        if (!any) return;
        for (int j = 0; j < l->ny; j++)
            for (int i = 0; i < l->nx; i++) {
                size_t k = pd_element_index(l, i, j);
                float received = 0;
                if (!(mac->open[k] > LEAST_OPEN)) continue;
                for (int n = 0; n < 4; n++) {
                    size_t other = (size_t)((ptrdiff_t)k + beside[n]);
                    int column = i + (n == 1) - (n == 0), line = j + (n == 3) - (n == 2);
                    bool within = column >= 0 && line >= 0 && column < l->nx && line < l->ny;
                    if (within && mac->open[other] > LEAST_OPEN) received += 0.25f * (excess[other] - excess[k]);
                }
                state->density[k] += received;
            }
    }
}

/* Creates a vorton at each node with circulation (in circulation_gain, m^2/s) or mass deviation (in `density`, which
 * here contains masses, 1,000 kg/m). */
static void add_vortons_at_nodes(vortex_state *state) {
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    float area = (float)(mac->grid.cell * mac->grid.cell);
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_element_index(l, i, j);
            if (state->circulation_gain[k] == 0 && state->density[k] == 0) continue;
            pd_vortex_add_vorton(state, pd_mac_cell_center(mac, i, j), state->circulation_gain[k],
                                 state->field_vorton_core, area * fmaxf(mac->open[k], LEAST_OPEN), state->density[k]);
        }
}

static int count_nonzero_nodes(const vortex_state *state) {
    int count = 0;
    for (size_t k = 0; k < state->mac->layout.count; k++)
        count += state->circulation_gain[k] != 0 || state->density[k] != 0;
    return count;
}

void pd_vortex_remesh(pd_world *world, vortex_state *state) {
    size_t bytes = state->mac->layout.count * sizeof(float);
    memset(state->circulation_gain, 0, bytes);
    memset(state->density, 0, bytes);
    int remaining = 0, i, j;
    float across, up;
    for (int n = 0; n < state->count; n++) {
        if (!(state->area[n] > 0) || !find_cell_and_offset(state->mac, state->x[n], state->y[n], &i, &j, &across, &up))
            continue;
        if (!distribute_vorton_over_16_nodes(state, n, i, j, across, up))
            distribute_vorton_over_4_nodes(state, n, i, j, across, up);
    }
    limit_density_deviations_of_nodes(state);
    greatest_node_values s = find_greatest_node_values(state);
    merge_weak_nodes(state, &s);
    if (!pd_vortex_reserve_vortons(state, state->count + count_nonzero_nodes(state))) return;
    for (int n = 0; n < state->count; n++) {
        if (state->area[n] > 0 && find_cell_and_offset(state->mac, state->x[n], state->y[n], &i, &j, &across, &up))
            continue;
        pd_vortex_copy_vorton(state, n, remaining++);
    }
    state->count = remaining;
    add_vortons_at_nodes(state);
    for (int n = remaining; n < state->count; n++) {
        pd_vec2 p = {state->x[n], state->y[n]};
        if (pd_boundary_push_out_of_walls(world->boundary, &p)) {
            state->x[n] = p.x;
            state->y[n] = p.y;
        }
    }
    state->core_rotation = 0;
}

void pd_vortex_add_curl_of_velocity_change_to_circulation_gain(vortex_state *state) {
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    size_t row = (size_t)l->stride;
    float half = 0.5f * (float)mac->grid.cell;
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_element_index(l, i, j);
            if (!state->inside[k]) continue;
            size_t right = state->inside[k + 1] ? k + 1 : k, left = state->inside[k - 1] ? k - 1 : k;
            size_t above = state->inside[k + row] ? k + row : k, below = state->inside[k - row] ? k - row : k;
            state->circulation_gain[k] += half * ((state->velocity_change_y[right] - state->velocity_change_y[left]) -
                                                  (state->velocity_change_x[above] - state->velocity_change_x[below]));
        }
}

static void clear_node_arrays(vortex_state *state) {
    size_t bytes = state->mac->layout.count * sizeof(float);
    float *arrays[] = {state->circulation_gain, state->density, state->velocity_change_x, state->velocity_change_y,
                       state->kernel_sum};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) memset(arrays[k], 0, bytes);
}

/* Returns the fraction of a cell that a region covers, [0, 1]. Sample points in a wall are moved to the nearest point
 * outside of it: otherwise the density would decrease towards a wall at which the region ends. */
static float fraction_covered_by_region(const pd_world *world, const pd_region *region, pd_vec2 center, float cell) {
    enum { SAMPLES_PER_SIDE = 4 };
    int inside = 0;
    for (int n = 0; n < SAMPLES_PER_SIDE * SAMPLES_PER_SIDE; n++) {
        float across = ((float)(n % SAMPLES_PER_SIDE) + 0.5f) / SAMPLES_PER_SIDE - 0.5f;
        float up = ((float)(n / SAMPLES_PER_SIDE) + 0.5f) / SAMPLES_PER_SIDE - 0.5f;
        pd_vec2 p = {center.x + cell * across, center.y + cell * up};
        bool contained = pd_area_contains_point(&region->area, p);
        if (!contained && pd_boundary_push_out_of_walls(world->boundary, &p))
            contained = pd_area_contains_point(&region->area, p);
        inside += contained;
    }
    return (float)inside / (SAMPLES_PER_SIDE * SAMPLES_PER_SIDE);
}

static void add_region_density_and_velocity_to_nodes(const pd_world *world, vortex_state *state,
                                                     const pd_region *region) {
    const pd_mac *mac = state->mac;
    pd_cell_box box = pd_mac_cells_around(mac, region->area.center, pd_area_half_size(&region->area));
    for (int j = box.bottom; j <= box.top; j++)
        for (int i = box.left; i <= box.right; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            pd_vec2 center = pd_mac_cell_center(mac, i, j);
            if (!(mac->open[k] > 0)) continue;
            float deviation = pd_vortex_region_density_deviation(world, region, center);
            float cover = mac->open[k] < 1 ? fraction_covered_by_region(world, region, center, (float)mac->grid.cell)
                                           : pd_area_fraction_in_cell(&region->area, center, (float)mac->grid.cell);
            state->density[k] += cover * (deviation - state->density[k]);
            state->velocity_change_x[k] += cover * (region->velocity.x - state->velocity_change_x[k]);
            state->velocity_change_y[k] += cover * (region->velocity.y - state->velocity_change_y[k]);
        }
}

static void create_vortons_from_nodes(vortex_state *state) {
    const pd_mac *mac = state->mac;
    float area = (float)(mac->grid.cell * mac->grid.cell);
    pd_vortex_add_curl_of_velocity_change_to_circulation_gain(state);
    state->least_density_deviation = state->greatest_density_deviation = 0;
    for (size_t k = 0; k < mac->layout.count; k++) {
        state->least_density_deviation = fminf(state->least_density_deviation, state->density[k]);
        state->greatest_density_deviation = fmaxf(state->greatest_density_deviation, state->density[k]);
        state->density[k] *= area * mac->open[k];
        if (!(mac->open[k] > 0)) state->circulation_gain[k] = 0;
    }
    greatest_node_values s = find_greatest_node_values(state);
    merge_weak_nodes(state, &s);
    if (pd_vortex_reserve_vortons(state, state->count + count_nonzero_nodes(state))) add_vortons_at_nodes(state);
    state->core_rotation = 0;
}

static bool add_vortons_listed_in_scene(const pd_scene *scene, vortex_state *state) {
    if (!pd_vortex_reserve_vortons(state, scene->vorton_count)) return false;
    for (int n = 0; n < scene->vorton_count; n++)
        pd_vortex_add_vorton(state, scene->vortons[n].position, scene->vortons[n].circulation, scene->vortons[n].core,
                             0, 0);
    return true;
}

void pd_vortex_create_vortons_from_scene(pd_world *world, vortex_state *state) {
    const pd_scene *scene = &world->scene;
    state->count = 0;
    state->next_id = 0;
    clear_node_arrays(state);
    if (!add_vortons_listed_in_scene(scene, state)) return;
    for (int r = 0; r < scene->region_count; r++)
        add_region_density_and_velocity_to_nodes(world, state, &scene->regions[r]);
    create_vortons_from_nodes(state);
}

/* Scales the nodes' density deviations so that their total mass becomes that of the particles, which may be denser than
 * at rest. The factor is limited to [0.8, 1.25]. */
static void scale_density_to_particle_mass(const pd_world *world, vortex_state *state) {
    const pd_particles *p = &world->particles;
    const pd_mac *mac = state->mac;
    double rest = (double)world->resolution.spacing * (double)world->resolution.spacing, due = 0, found = 0;
    for (int n = 0; n < p->count; n++) due += rest * (double)pd_vortex_density_deviation(world, p->material[n]);
    for (size_t k = 0; k < mac->layout.count; k++) found += (double)(state->density[k] * mac->open[k]);
    found *= mac->grid.cell * mac->grid.cell;
    float factor = due * found > 0 ? (float)fmin(fmax(due / found, 0.8), 1.25) : 1;
    for (size_t k = 0; k < mac->layout.count; k++) state->density[k] *= factor;
}

/* Density and velocity at a node are means over the particles around, weighted by their area at rest and a kernel. */
void pd_vortex_create_vortons_from_particles(pd_world *world, vortex_state *state, bool at_start) {
    const pd_particles *p = &world->particles;
    const pd_mac *mac = state->mac;
    const float most = PD_FASTEST;
    float cell = (float)mac->grid.cell, spacing = world->resolution.spacing;
    float radius = 1.3f * fmaxf(spacing, cell), inverse = 1 / radius;
    float share = spacing * spacing * 3 / (3.14159265f * radius * radius);
    /* Particles of a scene with vortons move with the vortons' flow, which their velocities would add a second time. */
    bool moving = !at_start || world->scene.vorton_count == 0;
    state->count = 0;
    state->next_id = 0;
    clear_node_arrays(state);
    if (at_start && !add_vortons_listed_in_scene(&world->scene, state)) return;
    for (int n = 0; n < p->count; n++) {
        float vx = moving ? fmaxf(-most, fminf(p->vx[n], most)) : 0;
        float vy = moving ? fmaxf(-most, fminf(p->vy[n], most)) : 0;
        pd_cell_box box = pd_mac_cells_around(mac, (pd_vec2){p->x[n], p->y[n]}, (pd_vec2){radius, radius});
        float deviation = pd_vortex_density_deviation(world, p->material[n]);
        for (int j = box.bottom; j <= box.top; j++)
            for (int i = box.left; i <= box.right; i++) {
                pd_vec2 center = pd_mac_cell_center(mac, i, j);
                size_t k = pd_element_index(&mac->layout, i, j);
                float w = share * pd_spread_kernel(p->x[n] - center.x, p->y[n] - center.y, inverse);
                state->kernel_sum[k] += w;
                state->density[k] += w * deviation;
                state->velocity_change_x[k] += w * vx;
                state->velocity_change_y[k] += w * vy;
            }
    }
    for (size_t k = 0; k < mac->layout.count; k++) {
        /* In the fluid kernel_sum is near 1: it varies by a few percent between particles. */
        float full = fmaxf(state->kernel_sum[k], 0.8f);
        state->density[k] /= full;
        state->velocity_change_x[k] /= full;
        state->velocity_change_y[k] /= full;
    }
    scale_density_to_particle_mass(world, state);
    create_vortons_from_nodes(state);
}
