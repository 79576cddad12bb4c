/* Fields and numbers of the vortex particles. */
#include "methods/vortex/vortex.h"

#include "core/math.h"
#include "core/memory.h"
#include "methods/spread.h"
#include "scene/geometry.h"
#include "sim/tools/stroke.h"
#include "sim/view.h"
#include "sim/world.h"
#include <math.h>
#include <string.h>

static pd_vec2 cell_center(const pd_grid *g, int i, int j) {
    return (pd_vec2){(float)(g->origin.x + (i + 0.5) * g->cell), (float)(g->origin.y + (j + 0.5) * g->cell)};
}

/* ---- Dyes of a view, from the tracers ---- */

/* Radii, in units of the tracers' spacing. KERNEL: radius of the kernel with which a tracer deposits its dye. Strain lines
 * the tracers up, and a kernel of twice their spacing shows these lines as jagged edges. WIDE: radius of the region over
 * which mixed dyes are averaged. */
static const float KERNEL = 3.4f, WIDE = 4;
/* Thresholds of the intensity of segregation (see smooth_dyes_of_cell). Below MIXED the dyes count as mixed, and are
 * averaged. Above LAYERED they form layers that the tracers resolve, and remain sharp. */
static const float MIXED = 0.05f, LAYERED = 0.15f;
/* Thresholds of the mean fraction of clear fluid (without dye) in the cells around a cell. Below GAPS it consists of
 * gaps between tracers, which are filled with dye. Above EDGE it remains clear. If the tracers' area is FULL of the fluid's,
 * all clear cells are gaps. */
static const float GAPS = 0.15f, EDGE = 0.35f, FULL = 0.97f;

/* Returns the spacing of the tracers, m. */
static float distance_of_tracers(const pd_world *world, const vortex_state *state) {
    return state->tracer_spacing > 0 ? state->tracer_spacing : world->resolution.spacing;
}

static void deposit_tracer_dyes_in_cells(const pd_world *world, float spacing, const pd_grid *g, float *values) {
    const pd_particles *p = &world->particles;
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    float cell = (float)g->cell, radius = KERNEL * fmaxf(spacing, cell), inverse = 1 / radius;
    float share = spacing * spacing * 3 / (3.14159265f * radius * radius);
    memset(values, 0, cells * (size_t)world->scene.material_count * sizeof *values);
    for (int n = 0; n < p->count; n++) {
        double x = ((double)p->x[n] - g->origin.x) / g->cell, y = ((double)p->y[n] - g->origin.y) / g->cell;
        double reach = (double)(radius / cell);
        int left = (int)fmax(floor(x - reach), 0), right = (int)fmin(floor(x + reach), g->nx - 1);
        int bottom = (int)fmax(floor(y - reach), 0), top = (int)fmin(floor(y + reach), g->ny - 1);
        float *layer = values + cells * p->material[n];
        for (int j = bottom; j <= top; j++)
            for (int i = left; i <= right; i++) {
                float dx = (float)(i + 0.5 - x) * cell, dy = (float)(j + 0.5 - y) * cell;
                layer[i + j * g->nx] += share * pd_spread_kernel(dx, dy, inverse);
            }
    }
}

/* Divides the dyes of each cell by their sum, but at least by 0.6: kernel sums vary between tracers, and the sum
 * becomes 1 except where tracers are rare. fluid, by cell: 1, or 0 in cells without fluid, whose dyes become 0. */
static void normalize_dye_fractions(const pd_grid *g, int dyes, const float *fluid, float *values) {
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    for (size_t k = 0; k < cells; k++) {
        float total = 0;
        for (int m = 0; m < dyes; m++) total += values[k + cells * (size_t)m];
        float scale = fluid[k] / fmaxf(total, 0.6f);
        for (int m = 0; m < dyes; m++) values[k + cells * (size_t)m] *= scale;
    }
}

/* Sets to[i] to the sum of from[i - reach] to from[i + reach], for a line of `count` values with the index difference
 * `stride`. Values beyond the ends of the line count as 0. */
static void sum_neighbours_along_line(const float *from, float *to, int count, int stride, int reach) {
    float sum = 0;
    for (int i = 0; i < count && i < reach; i++) sum += from[i * stride];
    for (int i = 0; i < count; i++) {
        if (i + reach < count) sum += from[(i + reach) * stride];
        to[i * stride] = sum;
        if (i >= reach) sum -= from[(i - reach) * stride];
    }
}

/* Replaces each value by the sum over the (2 reach + 1)^2 cells around it. Does so twice, which gives a nearly round
 * kernel. */
static void sum_neighbours_twice(const pd_grid *g, int reach, float *values, float *work) {
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < g->ny; j++)
            sum_neighbours_along_line(values + j * g->nx, work + j * g->nx, g->nx, 1, reach);
        for (int i = 0; i < g->nx; i++) sum_neighbours_along_line(work + i, values + i, g->ny, g->nx, reach);
    }
}

static float *reserve_work_array(vortex_state *state, size_t floats) {
    if (state->dye_work_capacity >= floats) return state->dye_work;
    pd_free(state->dye_work);
    state->dye_work = pd_allocate(floats + PD_PADDING, sizeof(float));
    state->dye_work_capacity = state->dye_work ? floats : 0;
    return state->dye_work;
}

static float smooth_step_between(float from, float to, float value) {
    float part = fminf(fmaxf((value - from) / (to - from), 0), 1);
    return part * part * (3 - 2 * part);
}

/* By cell: sums over the cells around the cell. fluid: number of fluid cells; squares: sum of the squared fractions of
 * all dyes and of clear fluid; dye: for each dye an array with the sums of its fractions. */
typedef struct surroundings {
    float *fluid, *squares, *dye;
} surroundings;

static void sum_dyes_around_cells(const pd_grid *g, int dyes, int reach, const float *fluid, const float *values,
                                  const surroundings *s, float *work) {
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    memcpy(s->fluid, fluid, cells * sizeof *fluid);
    memcpy(s->dye, values, (size_t)dyes * cells * sizeof *values);
    for (size_t k = 0; k < cells; k++) {
        float clear = fluid[k];
        s->squares[k] = 0;
        for (int m = 0; m < dyes; m++) {
            float value = values[k + cells * (size_t)m];
            clear -= value;
            s->squares[k] += value * value;
        }
        s->squares[k] += clear * clear;
    }
    sum_neighbours_twice(g, reach, s->fluid, work);
    sum_neighbours_twice(g, reach, s->squares, work);
    for (int m = 0; m < dyes; m++) sum_neighbours_twice(g, reach, s->dye + cells * (size_t)m, work);
}

/* Smooths the dyes of cell k: sharpens the edges that the kernel has blurred, and fills gaps between tracers with the mean of
 * the dyes around. full: all clear cells are gaps.
 *
 * Where the flow has folded dyes into layers thinner than the tracers' spacing, kernels show random specks. The
 * intensity of segregation measures the mixing: variance of the dyes in units of the greatest variance for their
 * means (Danckwerts, "The definition and measurement of some characteristics of mixtures", 1952). Mixtures get means
 * over more tracers. */
static void smooth_dyes_of_cell(int dyes, size_t cells, size_t k, const surroundings *s, bool full, float *values) {
    float inverse = 1 / s->fluid[k], mean[PD_MAX_MATERIALS], mean_clear = 1, clear = 1, squares = 0;
    for (int m = 0; m < dyes; m++) {
        mean[m] = s->dye[k + cells * (size_t)m] * inverse;
        mean_clear -= mean[m];
        clear -= values[k + cells * (size_t)m];
        squares += mean[m] * mean[m];
    }
    squares += mean_clear * mean_clear;
    float gap = clear * smooth_step_between(EDGE, GAPS, mean_clear) / (1 - fminf(mean_clear, EDGE));
    if (full) gap = mean_clear < 1 ? clear / (1 - mean_clear) : 0;
    float mixed = 0, most = 1 - squares;
    if (most > 0.02f) mixed = smooth_step_between(LAYERED, MIXED, (s->squares[k] * inverse - squares) / most);
    float sum = 0, sum_of_squares = 0;
    for (int m = 0; m < dyes; m++) {
        float value = values[k + cells * (size_t)m];
        sum += value;
        sum_of_squares += value * value;
    }
    for (int m = 0; m < dyes; m++) {
        float *value = &values[k + cells * (size_t)m];
        if (sum_of_squares > 0) *value *= *value * sum / sum_of_squares; /* squares in proportion: sharper */
        *value += gap * mean[m];
        *value = fminf(*value + mixed * (mean[m] - *value), 1);
    }
}

/* Computes the fraction of each material in each cell of the grid *g, [0, 1], NAN in cells without fluid. values: for
 * each material an array with an element for each cell. */
static void compute_dye_fractions(const pd_world *world, vortex_state *state, const pd_grid *g, float *values) {
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    int dyes = world->scene.material_count;
    float spacing = distance_of_tracers(world, state);
    float *fluid = reserve_work_array(state, cells * (size_t)(dyes + 4));
    deposit_tracer_dyes_in_cells(world, spacing, g, values);
    if (!fluid) return;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            fluid[i + j * g->nx] = pd_boundary_allows_position(world->boundary, cell_center(g, i, j), (float)g->cell);
    normalize_dye_fractions(g, dyes, fluid, values);
    /* Half width, in cells, of the squares of sum_neighbours_twice: both sums together act like a kernel of radius
     * WIDE. */
    int reach = (int)(0.5f * WIDE * fmaxf(spacing / (float)g->cell, 1) + 0.5f);
    surroundings around = {fluid + cells, fluid + 2 * cells, fluid + 4 * cells};
    sum_dyes_around_cells(g, dyes, reach, fluid, values, &around, fluid + 3 * cells);
    float fluid_area = 0, cell_area = (float)(g->cell * g->cell);
    for (size_t k = 0; k < cells; k++) fluid_area += fluid[k] * cell_area;
    bool full = (float)world->particles.count * spacing * spacing >= FULL * fluid_area;
    for (size_t k = 0; k < cells; k++) {
        if (fluid[k] > 0) smooth_dyes_of_cell(dyes, cells, k, &around, full, values);
        for (int m = 0; m < dyes && !(fluid[k] > 0); m++) values[k + cells * (size_t)m] = NAN;
    }
}

/* ---- Fields and numbers ---- */

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
            pd_vec2 p = cell_center(g, i, j);
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
    return pd_boundary_allows_position(world->boundary, cell_center(g, i, j), (float)g->cell);
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
            pd_vec2 p = cell_center(g, i, j);
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
    if (index == VORTEX_FIELD_SMOKE) cell = fmin(cell, (double)distance_of_tracers(world, state));
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
        compute_dye_fractions(world, state, &grid, values);
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

/* ---- Pouring and erasing vortons; sim/tools/tools.c handles the tracers ---- */

static const float LEAST_OPEN = 0.05f; /* a cell with a smaller open fraction gets no vorton */
/* A cell gets a vorton if it lacks more than this fraction of the mass deviation of a cell full of poured fluid. */
static const float LEAST_MISSING = 0.5f;

static bool is_vorton_in_stroke(const vortex_state *state, const pd_stroke *s, int vorton) {
    return pd_stroke_distance(s, (pd_vec2){state->x[vorton], state->y[vorton]}) < s->radius;
}

static void erase_vortons_in_stroke(vortex_state *state, const pd_stroke *s) {
    int remaining = 0;
    for (int n = 0; n < state->count; n++)
        if (!is_vorton_in_stroke(state, s, n)) pd_vortex_copy_vorton(state, n, remaining++);
    state->count = remaining;
}

/* Limits the mass deviations of the vortons in the stroke: their densities are then between the ambient density and
 * that of the poured fluid. deviation: density of the poured fluid - ambient density, 1,000 kg/m^3. */
static void limit_vorton_masses_in_stroke(vortex_state *state, const pd_stroke *s, float deviation) {
    for (int n = 0; n < state->count; n++) {
        float mass = deviation * state->area[n];
        if (is_vorton_in_stroke(state, s, n))
            state->mass[n] = fminf(fmaxf(state->mass[n], fminf(mass, 0)), fmaxf(mass, 0));
    }
}

/* Sums the mass deviations of the vortons in each cell, 1,000 kg/m. Writes the sums to the array state->density, which
 * here serves as working memory. */
static void sum_vorton_masses_in_cells(vortex_state *state) {
    const pd_mac *mac = state->mac;
    const pd_grid *g = &mac->grid;
    memset(state->density, 0, mac->layout.count * sizeof *state->density);
    for (int n = 0; n < state->count; n++) {
        double x = floor((state->x[n] - g->origin.x) / g->cell), y = floor((state->y[n] - g->origin.y) / g->cell);
        if (x >= 0 && y >= 0 && x < g->nx && y < g->ny)
            state->density[pd_element_index(&mac->layout, (int)x, (int)y)] += state->mass[n];
    }
}

/* Adds a vorton with the missing mass deviation to each cell in the stroke that lacks more than LEAST_MISSING. Needs
 * the sums of sum_vorton_masses_in_cells in state->density. */
static void add_vortons_for_missing_mass(pd_world *world, vortex_state *state, const pd_stroke *s, float deviation) {
    const pd_mac *mac = state->mac;
    float area = (float)(mac->grid.cell * mac->grid.cell);
    pd_cell_box box = pd_mac_cells_around(mac, s->center, (pd_vec2){s->half_x, s->half_y});
    for (int j = box.bottom; j <= box.top; j++)
        for (int i = box.left; i <= box.right; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            pd_vec2 p = pd_mac_cell_center(mac, i, j);
            float fluid = area * mac->open[k], missing = deviation * fluid - state->density[k];
            if (!(mac->open[k] > LEAST_OPEN) || !state->inside[k] || !(pd_stroke_distance(s, p) < s->radius)) continue;
            if (!(fabsf(missing) > LEAST_MISSING * fabsf(deviation) * fluid)) continue;
            pd_boundary_push_out_of_walls(world->boundary, &p);
            pd_vortex_add_vorton(state, p, 0, state->field_vorton_core, fluid, missing);
        }
}

void pd_vortex_pour_or_erase(pd_world *world, vortex_state *state) {
    if (world->substeps_done > 0 || (world->tool.kind != PD_TOOL_POUR && world->tool.kind != PD_TOOL_ERASE)) return;
    pd_stroke s = pd_stroke_of_step(world);
    if (world->tool.kind == PD_TOOL_ERASE) {
        erase_vortons_in_stroke(state, &s);
        return;
    }
    float deviation = pd_vortex_density_deviation(world, world->tool.material);
    state->least_density_deviation = fminf(state->least_density_deviation, deviation);
    state->greatest_density_deviation = fmaxf(state->greatest_density_deviation, deviation);
    limit_vorton_masses_in_stroke(state, &s, deviation);
    if (deviation == 0) return;
    sum_vorton_masses_in_cells(state);
    add_vortons_for_missing_mass(world, state, &s, deviation);
}
