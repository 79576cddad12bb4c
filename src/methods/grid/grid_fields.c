/* Fields and numbers of the grid fluid's views. */
#include "core/math.h"
#include "core/simd.h"
#include "methods/grid/grid.h"
#include "sim/view.h"

#include <string.h>

const pd_field_info pd_grid_fields[GRID_FIELDS] = {
    [GRID_FIELD_SMOKE] = {"smoke", "smoke", "", PD_FIELD_OF_CELLS},
    [GRID_FIELD_PRESSURE] = {"pressure", "pressure", "Pa", PD_FIELD_OF_CELLS},
    [GRID_FIELD_SPEED] = {"speed", "speed", "m/s", PD_FIELD_OF_CELLS},
    [GRID_FIELD_VORTICITY] = {"vorticity", "vorticity", "1/s", PD_FIELD_OF_CELLS},
    [GRID_FIELD_DIVERGENCE] = {"divergence", "divergence", "1/s", PD_FIELD_OF_CELLS},
    [GRID_FIELD_X] = {"velocity_x", "velocity to the right", "m/s", PD_FIELD_OF_CELLS},
    [GRID_FIELD_Y] = {"velocity_y", "velocity upwards", "m/s", PD_FIELD_OF_CELLS},
    [GRID_FIELD_SOLID] = {"solid", "solid", "", PD_FIELD_OF_CELLS},
};

const pd_number_info pd_grid_numbers[GRID_NUMBERS] = {
    [GRID_NUMBER_DIVERGENCE] = {"divergence", "divergence (rms)", "1/s"},
    [GRID_NUMBER_CIRCULATION] = {"circulation", "circulation", "m²/s"},
    [GRID_NUMBER_RMS_SPEED] = {"rms_speed", "speed (rms)", "m/s"},
    [GRID_NUMBER_MAX_SPEED] = {"max_speed", "greatest speed", "m/s"},
    [GRID_NUMBER_ENERGY] = {"kinetic_energy", "kinetic energy", "J/m"},
    [GRID_NUMBER_MOMENTUM_X] = {"momentum_x", "momentum, x", "N s/m"},
    [GRID_NUMBER_MOMENTUM_Y] = {"momentum_y", "momentum, y", "N s/m"},
    [GRID_NUMBER_ITERATIONS] = {"iterations", "iterations of the pressure solver", ""},
};

/* Rounding error of the divergence, in units of speed/cell. */
static const float ROUNDING = 5e-7f;

/* Returns the characteristic speed of a scene, m/s: the greatest speed of its walls, emitters, obstacles and regions,
 * or sqrt(g L) (pd_resolution) if all are at rest. */
static float characteristic_speed(const pd_world *world, const grid_state *state) {
    const pd_scene *scene = &world->scene;
    float speed = 0;
    for (int side = 0; side < PD_WALLS; side++) {
        const pd_wall *wall = &state->mac->sides[side];
        if (!isnan(wall->inflow)) speed = fmaxf(speed, fabsf(wall->inflow));
        if (!isnan(wall->velocity)) speed = fmaxf(speed, fabsf(wall->velocity));
    }
    for (int e = 0; e < scene->emitter_count; e++) speed = fmaxf(speed, scene->emitters[e].speed);
    speed = fmaxf(speed, pd_boundary_max_obstacle_speed(world->boundary));
    for (int r = 0; r < scene->region_count; r++)
        speed = fmaxf(speed, pd_hypotf(scene->regions[r].velocity.x, scene->regions[r].velocity.y));
    return speed > 0 ? speed : sqrtf(world->resolution.gravity * world->resolution.length);
}

typedef struct cell_values {
    const pd_world *world;
    const grid_state *state;
    const float *curl, *divergence; /* by cell, 1/s */
    float unit;                     /* pressure where the solver's q is 1, Pa */
} cell_values;

float pd_grid_hydrostatic_pressure(const pd_world *world, pd_vec2 p) {
    const pd_container *c = &world->scene.container;
    pd_vec2 g = world->scene.gravity;
    float depth = 0;
    if (c->shape == PD_CONTAINER_BOX) depth = 0.5f * (fabsf(g.x) * c->width + fabsf(g.y) * c->height);
    if (c->shape == PD_CONTAINER_CIRCLE) depth = pd_hypotf(g.x, g.y) * c->radius;
    return world->parameter[GRID_DENSITY] * (g.x * p.x + g.y * p.y + depth);
}

static float field_value_at_cell(const cell_values *c, int index, int i, int j) {
    const pd_mac *mac = c->state->mac;
    size_t k = pd_element_index(&mac->layout, i, j);
    float u = 0.5f * (mac->u[k] + mac->u[k + 1]), v = 0.5f * (mac->v[k] + mac->v[k + (size_t)mac->layout.stride]);
    switch (index) {
    case GRID_FIELD_PRESSURE:
        return c->unit * mac->poisson->q[k] + pd_grid_hydrostatic_pressure(c->world, pd_mac_cell_center(mac, i, j));
    case GRID_FIELD_SPEED:
        return sqrtf(u * u + v * v);
    case GRID_FIELD_VORTICITY:
        return c->curl[k];
    case GRID_FIELD_DIVERGENCE:
        return c->divergence[k];
    case GRID_FIELD_X:
        return u;
    case GRID_FIELD_Y:
        return v;
    default:
        return 1 - mac->open[k];
    }
}

static void set_legend_range(const pd_world *world, const grid_state *state, int index, pd_field *field) {
    float speed = characteristic_speed(world, state), length = world->resolution.length;
    pd_vec2 g = world->scene.gravity;
    field->low = 0;
    switch (index) {
    case GRID_FIELD_PRESSURE:
        field->high = 2 * world->parameter[GRID_DENSITY] * length * pd_hypotf(g.x, g.y);
        if (field->high > 0) return;
        field->high = world->parameter[GRID_DENSITY] * speed * speed;
        break;
    case GRID_FIELD_SPEED:
        field->high = 1.5f * speed;
        return;
    case GRID_FIELD_VORTICITY:
        field->high = 10 * speed / length;
        break;
    case GRID_FIELD_X:
    case GRID_FIELD_Y:
        field->high = 1.5f * speed;
        break;
    default:
        field->high = 1;
        return;
    }
    field->low = -field->high;
}

/* Sets the ranges of the legends that follow the field's present values: of the divergence, and of the pressure without
 * gravity. The latter has no fixed range, because most of a flow has a pressure far below rho U^2, U: its greatest
 * speed. */
static void set_legend_range_from_values(const pd_world *world, const grid_state *state, int index, pd_field *field) {
    /* Least range of the pressure's legend, in units of rho U^2. A smaller range would show rounding errors at rest. */
    const float least_pressure = 0.05f;
    float speed = characteristic_speed(world, state), least;
    if (index == GRID_FIELD_DIVERGENCE)
        least = ROUNDING * speed / field->cell;
    else if (index == GRID_FIELD_PRESSURE && field->low < 0)
        least = least_pressure * world->parameter[GRID_DENSITY] * speed * speed;
    else
        return;
    field->high = pd_field_compute_legend_end_from_rms(world, index, field, least);
    field->low = -field->high;
}

static void copy_dyes_to_field(const grid_state *state, float *values) {
    const pd_layout *l = &state->mac->layout;
    for (int m = 0; m < state->dye_count; m++)
        for (int j = 0; j < l->ny; j++)
            for (int i = 0; i < l->nx; i++) {
                size_t k = pd_element_index(l, i, j);
                *values++ = state->mac->open[k] > 0 ? state->dye[m][k] : NAN;
            }
}

static void compute_curl_of_rows(void *context, int begin, int end) {
    const grid_state *state = context;
    PD_SIMD_PICK(pd_grid_compute_curl)(state->mac, state->work, begin, end);
}

static void compute_curl(const pd_world *world, const grid_state *state) {
    pd_parallel_for(world->pool, state->mac->layout.ny, pd_grid_rows_per_chunk(state), compute_curl_of_rows,
                    (void *)(uintptr_t)state);
}

void pd_grid_compute_field(const pd_world *world, void *memory, int index, pd_field *field) {
    grid_state *state = memory;
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    int layers = index == GRID_FIELD_SMOKE ? state->dye_count : 1;
    size_t cells = (size_t)l->nx * (size_t)l->ny;
    float *values = pd_field_buffer(world, index, cells * (size_t)layers);
    field->values = values;
    field->nx = l->nx;
    field->ny = l->ny;
    field->layers = layers;
    field->origin = (pd_vec2){(float)mac->grid.origin.x, (float)mac->grid.origin.y};
    field->cell = (float)mac->grid.cell;
    set_legend_range(world, state, index, field);
    if (!values) return;
    if (index == GRID_FIELD_SMOKE) {
        copy_dyes_to_field(state, values);
        return;
    }
    cell_values c = {world, state, state->work, state->work, (float)state->pressure_unit};
    if (index == GRID_FIELD_VORTICITY) compute_curl(world, state);
    if (index == GRID_FIELD_DIVERGENCE) pd_mac_compute_divergence(mac, NULL, state->work, world->pool);
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            bool fluid = mac->open[pd_element_index(l, i, j)] > 0 || index == GRID_FIELD_SOLID;
            *values++ = fluid ? field_value_at_cell(&c, index, i, j) : NAN;
        }
    set_legend_range_from_values(world, state, index, field);
}

/* Returns the sums for the numbers of a view. Computes them once for each value of world->version. */
static const grid_sums *compute_cell_sums(const pd_world *world, grid_state *state) {
    const pd_mac *mac = state->mac;
    if (state->summed.version == world->version) return &state->summed;
    grid_sums s = {.version = world->version};
    compute_curl(world, state);
    for (int j = 0; j < mac->layout.ny; j++) {
        for (int i = 0; i < mac->layout.nx; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            double u = 0.5 * ((double)mac->u[k] + (double)mac->u[k + 1]);
            double v = 0.5 * ((double)mac->v[k] + (double)mac->v[k + (size_t)mac->layout.stride]);
            double open = mac->open[k], square = u * u + v * v;
            if (!(open > 0)) continue;
            s.curl += open * (double)state->work[k];
            s.squared_speeds += open * square;
            s.greatest = fmax(s.greatest, square);
            s.cells += open;
        }
    }
    s.faces = pd_mac_sum_face_velocities(mac);
    state->summed = s;
    return &state->summed;
}

/* Returns the rms, over the fluid cells, of (divergence - divergence that sources demand). */
static double divergence_error(const pd_world *world, const grid_state *state) {
    const pd_mac *mac = state->mac;
    if (!state->has_sources) return pd_mac_compute_divergence(mac, NULL, NULL, world->pool);
    pd_mac_compute_divergence(mac, NULL, state->work, world->pool);
    double sum = 0, squares = 0, cells = 0;
    for (int j = 0; j < mac->layout.ny; j++)
        for (int i = 0; i < mac->layout.nx; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            if (!(mac->open[k] > 0)) continue;
            double excess = (double)state->work[k] - (double)state->source[k];
            sum += excess;
            squares += excess * excess;
            cells++;
        }
    /* Standard deviation: in a closed container the projection subtracts the mean of the sources from all cells. */
    return cells > 0 ? sqrt(fmax(squares / cells - (sum / cells) * (sum / cells), 0)) : 0;
}

double pd_grid_compute_view_number(const pd_world *world, void *memory, int index) {
    grid_state *state = memory;
    double cell = state->mac->grid.cell;
    if (index == GRID_NUMBER_DIVERGENCE) return divergence_error(world, state);
    if (index == GRID_NUMBER_ITERATIONS) return state->report.iterations;
    const grid_sums *s = compute_cell_sums(world, state);
    if (index == GRID_NUMBER_CIRCULATION) return s->curl * cell * cell;
    const double mass = (double)world->parameter[GRID_DENSITY] * cell * cell;
    if (index == GRID_NUMBER_ENERGY) return mass / 2 * s->faces.squares;
    if (index == GRID_NUMBER_MOMENTUM_X) return mass * s->faces.x;
    if (index == GRID_NUMBER_MOMENTUM_Y) return mass * s->faces.y;
    if (index == GRID_NUMBER_RMS_SPEED) return s->cells > 0 ? sqrt(s->squared_speeds / s->cells) : 0;
    return sqrt(s->greatest);
}
