/* Fields and numbers of the vortex particles. */
#include "core/math.h"
#include "core/memory.h"
#include "methods/vortex/vortex.h"
#include "scene/geometry.h"
#include "sim/units.h"
#include "sim/view.h"

#include <string.h>

enum { MOST_CELLS = 768 }; /* greatest number of cells along a side of a field's grid */
/* Number of cells of a field along the scene's characteristic length. */
static const double FIELD_CELLS = 80;
/* Ratio of width to height of the widest usual picture. */
static const double PICTURE_ASPECT = 2;

const pd_field_info pd_vortex_fields[VORTEX_FIELDS] = {
    [VORTEX_FIELD_SMOKE] = {"smoke", "dye", "", PD_FIELD_OF_CELLS},
    [VORTEX_FIELD_SPEED] = {"speed", "speed", "m/s", PD_FIELD_OF_CELLS},
    [VORTEX_FIELD_VORTICITY] = {"vorticity", "vorticity", "1/s", PD_FIELD_OF_CELLS},
    [VORTEX_FIELD_DENSITY] = {"density", "density deviation", "kg/m³", PD_FIELD_OF_CELLS},
    [VORTEX_FIELD_X] = {"velocity_x", "velocity to the right", "m/s", PD_FIELD_OF_CELLS},
    [VORTEX_FIELD_Y] = {"velocity_y", "velocity upwards", "m/s", PD_FIELD_OF_CELLS},
};

const pd_number_info pd_vortex_numbers[VORTEX_NUMBERS] = {
    [VORTEX_NUMBER_CIRCULATION] = {"circulation", "circulation", "m²/s"},
    [VORTEX_NUMBER_ENERGY] = {"kinetic_energy", "kinetic energy", "J/m"},
    [VORTEX_NUMBER_MOMENTUM_X] = {"momentum_x", "momentum, x", "N s/m"},
    [VORTEX_NUMBER_MOMENTUM_Y] = {"momentum_y", "momentum, y", "N s/m"},
    [VORTEX_NUMBER_VORTONS] = {"vortons", "vortons", ""},
};

/* Returns the greatest |density - ambient density| of the scene's fluid, 1,000 kg/m^3. */
static float greatest_density_deviation(const pd_world *world) {
    float greatest = 0;
    for (int r = 0; r < world->scene.region_count; r++) {
        const pd_region *region = &world->scene.regions[r];
        greatest = fmaxf(greatest, fabsf(pd_vortex_region_density_deviation(world, region, region->area.center)));
        for (int m = 0; m < world->scene.material_count && isnan(region->density); m++)
            if (pd_image_has_material(&region->area, m))
                greatest = fmaxf(greatest, fabsf(pd_vortex_density_deviation(world, m)));
    }
    for (int e = 0; e < world->scene.emitter_count; e++)
        greatest = fmaxf(greatest, fabsf(pd_vortex_density_deviation(world, world->scene.emitters[e].material)));
    return greatest;
}

/* Returns the greater of two speeds, m/s: that of the strongest vortex at a distance of length/10, and that of all
 * vortices of one sign together at a distance of `length`. */
static float greatest_speed_of_vortices(const pd_scene *scene, float length) {
    float speed = 0, sum[2] = {0};
    for (int n = 0; n < scene->vorton_count; n++) {
        float circulation = scene->vortons[n].circulation;
        speed = fmaxf(speed, fabsf(circulation) / (0.6f * length + 6 * scene->vortons[n].core));
        sum[circulation < 0] += fabsf(circulation);
    }
    return fmaxf(speed, fmaxf(sum[0], sum[1]) / (6.2831853f * length));
}

/* Returns the greatest speed that vortices, emitters, regions, obstacles or buoyancy cause, m/s, for the legends. */
static float characteristic_speed(const pd_world *world) {
    const pd_scene *scene = &world->scene;
    float length = world->resolution.length;
    float speed = fmaxf(pd_boundary_max_obstacle_speed(world->boundary), greatest_speed_of_vortices(scene, length));
    for (int e = 0; e < scene->emitter_count; e++) speed = fmaxf(speed, scene->emitters[e].speed);
    for (int r = 0; r < scene->region_count; r++)
        speed = fmaxf(speed, pd_hypotf(scene->regions[r].velocity.x, scene->regions[r].velocity.y));
    float relative = greatest_density_deviation(world) / world->parameter[VORTEX_AMBIENT_DENSITY];
    float weight = pd_hypotf(scene->gravity.x, scene->gravity.y) * world->parameter[VORTEX_BUOYANCY] * relative;
    speed = fmaxf(speed, sqrtf(0.25f * weight * length));
    return speed > 0 ? speed : 0.3f * sqrtf(world->resolution.gravity * length);
}

static void set_legend_range(const pd_world *world, int index, pd_field *field) {
    float speed = characteristic_speed(world), length = world->resolution.length;
    field->high = 1.5f * speed;
    if (index == VORTEX_FIELD_SMOKE) field->high = 1;
    if (index == VORTEX_FIELD_VORTICITY) field->high = 20 * speed / length;
    if (index == VORTEX_FIELD_DENSITY) {
        float deviation = greatest_density_deviation(world);
        field->high = (float)PD_DENSITY_OF_MASS_1 * (deviation > 0 ? deviation : 1);
    }
    field->low = index == VORTEX_FIELD_SMOKE || index == VORTEX_FIELD_SPEED ? 0 : -field->high;
}

static void extend_box_around_points(const float *x, const float *y, int count, float margin, pd_box *box) {
    for (int n = 0; n < count; n++) {
        box->low_x = fmin(box->low_x, (double)(x[n] - margin));
        box->low_y = fmin(box->low_y, (double)(y[n] - margin));
        box->high_x = fmax(box->high_x, (double)(x[n] + margin));
        box->high_y = fmax(box->high_y, (double)(y[n] + margin));
    }
}

/* Returns a grid over the container, or in open space over all tracers and vortons with a margin. cell: side of a cell,
 * m; greater if a side of the grid would have more than MOST_CELLS. as_wide_as_picture: widens a grid in open space to
 * PICTURE_ASPECT, for quantities that the fluid also has where there are no tracers, such as its speed. */
static pd_grid choose_field_grid(const pd_world *world, const vortex_state *state, double cell,
                                 bool as_wide_as_picture) {
    const pd_container *c = &world->scene.container;
    double length = (double)world->resolution.length;
    double width = 2 * (double)c->radius, height = width, farthest = 6 * length;
    pd_double2 center = {0, 0};
    if (c->shape == PD_CONTAINER_BOX) {
        width = (double)c->width;
        height = (double)c->height;
    } else if (c->shape == PD_CONTAINER_NONE) {
        const pd_double2 m = {world->resolution.center.x, world->resolution.center.y};
        pd_box box = {.low_x = m.x - 0.1 * length,
                      .low_y = m.y - 0.1 * length,
                      .high_x = m.x + 0.1 * length,
                      .high_y = m.y + 0.1 * length};
        extend_box_around_points(world->particles.x, world->particles.y, world->particles.count,
                                 (as_wide_as_picture ? 0.35f : 0.2f) * (float)length, &box);
        extend_box_around_points(state->x, state->y, state->count, 0.4f * (float)length, &box);
        box = (pd_box){.low_x = fmax(box.low_x, m.x - farthest),
                       .low_y = fmax(box.low_y, m.y - farthest),
                       .high_x = fmin(box.high_x, m.x + farthest),
                       .high_y = fmin(box.high_y, m.y + farthest)};
        height = box.high_y - box.low_y;
        width = fmax(box.high_x - box.low_x, as_wide_as_picture ? PICTURE_ASPECT * height : 0);
        center = (pd_double2){0.5 * (box.low_x + box.high_x), 0.5 * (box.low_y + box.high_y)};
    }
    pd_grid grid = {.cell = fmax(cell, fmax(width, height) / MOST_CELLS)};
    grid.nx = (int)fmax(ceil(width / grid.cell - 1e-3), 1);
    grid.ny = (int)fmax(ceil(height / grid.cell - 1e-3), 1);
    grid.origin = (pd_double2){center.x - 0.5 * grid.nx * grid.cell, center.y - 0.5 * grid.ny * grid.cell};
    return grid;
}

pd_vec2 pd_vortex_cell_center(const pd_grid *g, int i, int j) {
    return (pd_vec2){(float)(g->origin.x + (i + 0.5) * g->cell), (float)(g->origin.y + (j + 0.5) * g->cell)};
}

static bool update_velocity_samples(const pd_world *world, vortex_state *state, const pd_grid *g) {
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    if (state->sample_version == world->version && state->samples) return true;
    if (state->sample_capacity < cells) {
        pd_free(state->samples);
        state->sample_capacity = 0;
        state->samples = pd_allocate(4 * cells + PD_PADDING, sizeof(float));
        if (!state->samples) return false;
        state->sample_capacity = cells;
    }
    float *x = state->samples, *y = x + cells, *u = y + cells, *v = u + cells;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            pd_vec2 p = pd_vortex_cell_center(g, i, j);
            *x++ = p.x;
            *y++ = p.y;
        }
    x = state->samples;
    y = x + cells;
    pd_vortex_prepare_velocity_field(world, state, state->x, state->y);
    for (size_t first = 0; first < cells; first += VORTEX_CHUNK) {
        size_t left = cells - first;
        int count = left < VORTEX_CHUNK ? (int)left : VORTEX_CHUNK;
        pd_vortex_compute_velocities(world, state, count, x + first, y + first, u + first, v + first);
    }
    state->sample_version = world->version;
    return true;
}

static bool is_cell_with_fluid(const pd_world *world, const pd_grid *g, int i, int j) {
    if (i < 0 || j < 0 || i >= g->nx || j >= g->ny) return false;
    return pd_boundary_allows_position(world->boundary, pd_vortex_cell_center(g, i, j), (float)g->cell);
}

/* Returns the vorticity of cell (i, j), 1/s, by central differences, or one-sided ones at walls. */
static float curl_at_cell(const pd_world *world, const pd_grid *g, const float *u, const float *v, int i, int j) {
    int left = is_cell_with_fluid(world, g, i - 1, j) ? i - 1 : i,
        right = is_cell_with_fluid(world, g, i + 1, j) ? i + 1 : i;
    int below = is_cell_with_fluid(world, g, i, j - 1) ? j - 1 : j,
        above = is_cell_with_fluid(world, g, i, j + 1) ? j + 1 : j;
    float cell = (float)g->cell, across = (float)(right > left ? right - left : 1);
    float up = (float)(above > below ? above - below : 1);
    return (v[right + j * g->nx] - v[left + j * g->nx]) / (across * cell) -
           (u[i + above * g->nx] - u[i + below * g->nx]) / (up * cell);
}

static float density_deviation_at(const vortex_state *state, pd_vec2 p) {
    vortex_kernel k;
    float sum = 0, parts = 0;
    if (!pd_vortex_find_kernel_nodes(state->mac, p.x, p.y, &k)) return 0;
    for (size_t b = 0; b < 3; b++)
        for (size_t a = 0; a < 3; a++) {
            size_t node = k.first + b * (size_t)state->mac->layout.stride + a;
            float part = k.x[a] * k.y[b] * state->kernel_sum_at_rest[node];
            sum += part * state->density[node];
            parts += part;
        }
    return parts > 0 ? sum / parts : 0;
}

static void compute_cell_values(const pd_world *world, vortex_state *state, int index, const pd_grid *g,
                                float *values) {
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    const float *u = NULL, *v = NULL;
    if (index == VORTEX_FIELD_DENSITY) {
        pd_vortex_deposit_density_on_nodes(state);
    } else if (update_velocity_samples(world, state, g)) {
        u = state->samples + 2 * cells;
        v = state->samples + 3 * cells;
    }
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            size_t k = (size_t)i + (size_t)j * (size_t)g->nx;
            pd_vec2 p = pd_vortex_cell_center(g, i, j);
            values[k] = NAN;
            if (!is_cell_with_fluid(world, g, i, j)) continue;
            if (index == VORTEX_FIELD_DENSITY) values[k] = (float)PD_DENSITY_OF_MASS_1 * density_deviation_at(state, p);
            if (!u) continue;
            if (index == VORTEX_FIELD_SPEED) values[k] = sqrtf(u[k] * u[k] + v[k] * v[k]);
            if (index == VORTEX_FIELD_VORTICITY) values[k] = curl_at_cell(world, g, u, v, i, j);
            if (index == VORTEX_FIELD_X) values[k] = u[k];
            if (index == VORTEX_FIELD_Y) values[k] = v[k];
        }
}

void pd_vortex_compute_field(const pd_world *world, void *memory, int index, pd_field *field) {
    vortex_state *state = memory;
    double cell = (double)world->resolution.length / FIELD_CELLS;
    if (index == VORTEX_FIELD_SMOKE) cell = fmin(cell, (double)pd_vortex_tracer_spacing(world, state));
    pd_grid grid = choose_field_grid(world, state, cell, index != VORTEX_FIELD_SMOKE);
    int layers = index == VORTEX_FIELD_SMOKE ? world->scene.material_count : 1;
    size_t cells = (size_t)grid.nx * (size_t)grid.ny;
    float *values = pd_field_buffer(world, index, cells * (size_t)layers);
    field->values = values;
    field->nx = grid.nx;
    field->ny = grid.ny;
    field->layers = layers;
    field->origin = (pd_vec2){(float)grid.origin.x, (float)grid.origin.y};
    field->cell = (float)grid.cell;
    set_legend_range(world, index, field);
    if (!values) return;
    if (index == VORTEX_FIELD_SMOKE)
        pd_vortex_compute_dye_fractions(world, state, &grid, values);
    else
        compute_cell_values(world, state, index, &grid, values);
}

double pd_vortex_compute_view_number(const pd_world *world, void *memory, int index) {
    vortex_state *state = memory;
    double sum = 0;
    if (index == VORTEX_NUMBER_VORTONS) return state->count;
    if (index == VORTEX_NUMBER_ENERGY) return pd_vortex_sum_energy_and_momentum(world, state)->squares / 2;
    if (index == VORTEX_NUMBER_MOMENTUM_X) return pd_vortex_sum_energy_and_momentum(world, state)->x;
    if (index == VORTEX_NUMBER_MOMENTUM_Y) return pd_vortex_sum_energy_and_momentum(world, state)->y;
    for (int n = 0; n < state->count; n++) sum += (double)state->circulation[n];
    return sum;
}
