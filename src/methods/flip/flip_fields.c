/* Fields and numbers of FLIP's views. */
#include "core/math.h"
#include "methods/flip/flip.h"
#include "sim/view.h"
#include "sim/world.h"

const pd_field_info pd_flip_fields[FLIP_FIELDS] = {
    [FLIP_FIELD_SPEED] = PD_SPEED_FIELD,
    [FLIP_FIELD_DENSITY] = PD_DENSITY_FIELD,
    [FLIP_FIELD_PRESSURE] = {"pressure", "pressure", "Pa", PD_FIELD_OF_CELLS},
    [FLIP_FIELD_VORTICITY] = {"vorticity", "vorticity", "1/s", PD_FIELD_OF_CELLS},
    [FLIP_FIELD_DIVERGENCE] = {"divergence", "divergence", "1/s", PD_FIELD_OF_CELLS},
    [FLIP_FIELD_X] = {"velocity_x", "velocity to the right", "m/s", PD_FIELD_OF_CELLS},
    [FLIP_FIELD_Y] = {"velocity_y", "velocity upwards", "m/s", PD_FIELD_OF_CELLS},
};

const pd_number_info pd_flip_numbers[FLIP_NUMBERS] = {
    [FLIP_NUMBER_DIVERGENCE] = {"divergence", "divergence (rms)", "1/s"},
    [FLIP_NUMBER_ITERATIONS] = {"iterations", "iterations of the pressure solver", ""},
};

/* Rounding error of the divergence, in units of speed/cell. */
static const float ROUNDING = 5e-7f;

static pd_liquid make_liquid_arguments(const flip_state *state) { return (pd_liquid){.distance = state->distance}; }

static float curl_at_cell(const flip_state *state, size_t k) {
    const pd_mac *m = state->mac;
    const size_t up = (size_t)m->layout.stride;
    const float *u = m->u + k, *v = m->v + k;
    float across = (v[1] + v[up + 1]) - (v[-1] + v[up - 1]);
    float upwards = (u[up] + u[up + 1]) - ((u - up)[0] + (u - up)[1]);
    return 0.25f * (across - upwards) / (float)m->grid.cell;
}

static float field_value_at_cell(const flip_state *state, int index, size_t k) {
    const pd_mac *m = state->mac;
    switch (index) {
    case FLIP_FIELD_PRESSURE:
        return state->pressure_unit * state->pressure[k];
    case FLIP_FIELD_VORTICITY:
        return curl_at_cell(state, k);
    case FLIP_FIELD_X:
        return 0.5f * (m->u[k] + m->u[k + 1]);
    case FLIP_FIELD_Y:
        return 0.5f * (m->v[k] + m->v[k + (size_t)m->layout.stride]);
    default:
        return state->rate[k];
    }
}

/* Returns an estimate of the liquid's greatest depth along gravity, m: 2.5 times its depth at rest, because of falls
 * and impacts, but at most the container's extent. */
static float estimate_greatest_liquid_depth(const pd_world *world) {
    const pd_container *c = &world->scene.container;
    pd_vec2 g = world->scene.gravity;
    float spacing = world->resolution.spacing, area = (float)world->particles.count * spacing * spacing;
    float along = 2 * world->resolution.length, across = along;
    if (c->shape == PD_CONTAINER_BOX) {
        float strength = pd_hypotf(g.x, g.y), x = strength > 0 ? fabsf(g.x) / strength : 0;
        float y = strength > 0 ? fabsf(g.y) / strength : 1;
        along = x * c->width + y * c->height;
        across = y * c->width + x * c->height;
    }
    return area > 0 ? fminf(2.5f * area / across, along) : along;
}

/* Sets the range of the pressure's legend: from 0 to the pressure of resting liquid at the depth
 * estimate_greatest_liquid_depth. It does not depend on the present pressures, which may be high at impacts. Without
 * gravity it is symmetric about 0. */
static void set_pressure_legend_range(const pd_world *world, int index, pd_field *field) {
    pd_vec2 g = world->scene.gravity;
    float gravity = pd_hypotf(g.x, g.y);
    bool falls = gravity > 0;
    if (!falls) gravity = world->resolution.gravity;
    field->high = pd_field_compute_legend_end(
        world, index, (float)PD_DENSITY_OF_MASS_1 * gravity * estimate_greatest_liquid_depth(world));
    field->low = falls ? 0 : -field->high;
}

static void set_legend_range(const pd_world *world, int index, pd_field *field) {
    float length = world->resolution.length, gravity = world->resolution.gravity;
    float speed = sqrtf(gravity * length);
    if (index == FLIP_FIELD_VORTICITY) field->high = 20 * speed / length;
    if (index == FLIP_FIELD_X || index == FLIP_FIELD_Y) field->high = 2 * speed;
    field->low = -field->high;
}

void pd_flip_compute_field(const pd_world *world, void *memory, int index, pd_field *field) {
    flip_state *state = memory;
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    float spacing = world->resolution.spacing;
    if (index == FLIP_FIELD_SPEED) {
        pd_field_compute_speed(world, index, field);
        return;
    }
    if (index == FLIP_FIELD_DENSITY) {
        pd_field_compute_relative_density(world, index, 1 / (spacing * spacing), field);
        return;
    }
    float *values = pd_field_buffer(world, index, (size_t)l->nx * (size_t)l->ny);
    field->values = values;
    field->nx = l->nx;
    field->ny = l->ny;
    field->origin = (pd_vec2){(float)mac->grid.origin.x, (float)mac->grid.origin.y};
    field->cell = (float)mac->grid.cell;
    if (index == FLIP_FIELD_PRESSURE)
        set_pressure_legend_range(world, index, field);
    else
        set_legend_range(world, index, field);
    if (!values) return;
    pd_liquid liquid = make_liquid_arguments(state);
    if (index == FLIP_FIELD_DIVERGENCE) pd_mac_compute_divergence(mac, &liquid, state->rate, world->pool);
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_element_index(l, i, j);
            bool wet = mac->open[k] > 0 && state->distance[k] < 0;
            *values++ = wet ? field_value_at_cell(state, index, k) : NAN;
        }
    if (index != FLIP_FIELD_DIVERGENCE) return;
    float speed = sqrtf(world->resolution.gravity * world->resolution.length);
    field->high = pd_field_compute_legend_end_from_rms(world, index, field, ROUNDING * speed / field->cell);
    field->low = -field->high;
}

double pd_flip_compute_view_number(const pd_world *world, void *memory, int index) {
    const flip_state *state = memory;
    pd_liquid liquid = make_liquid_arguments(state);
    if (index == FLIP_NUMBER_ITERATIONS) return state->report.iterations;
    return pd_mac_compute_divergence(state->mac, &liquid, NULL, world->pool);
}
