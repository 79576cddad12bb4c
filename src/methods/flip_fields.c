/* What the views of FLIP show. */
#include "methods/flip.h"
#include "sim/view.h"

#include <math.h>

const pd_field_info flip_fields[FLIP_FIELDS] = {
    [FLIP_FIELD_SPEED] = PD_SPEED_FIELD,
    [FLIP_FIELD_DENSITY] = {"density", "density", "1/m²", PD_FIELD_OF_PARTICLES, false},
    [FLIP_FIELD_PRESSURE] = {"pressure", "pressure", "N/m", PD_FIELD_OF_CELLS, true},
    [FLIP_FIELD_VORTICITY] = {"vorticity", "vorticity", "1/s", PD_FIELD_OF_CELLS, true},
    [FLIP_FIELD_DIVERGENCE] = {"divergence", "divergence", "1/s", PD_FIELD_OF_CELLS, false},
    [FLIP_FIELD_X] = {"velocity_x", "u", "m/s", PD_FIELD_OF_CELLS, true},
    [FLIP_FIELD_Y] = {"velocity_y", "v", "m/s", PD_FIELD_OF_CELLS, true},
};

const pd_number_info flip_numbers[FLIP_NUMBERS] = {
    [FLIP_NUMBER_DIVERGENCE] = {"divergence", "divergence (rms)", "1/s"},
    [FLIP_NUMBER_ITERATIONS] = {"iterations", "iterations of the pressure solver", ""}, /* in the last substep */
};

static pd_liquid liquid_of(const flip_state *state) { return (pd_liquid){.distance = state->distance}; }

static float curl_at(const flip_state *state, size_t k) {
    const pd_mac *m = state->mac;
    const size_t up = (size_t)m->layout.stride;
    const float *u = m->u + k, *v = m->v + k;
    float across = (v[1] + v[up + 1]) - (v[-1] + v[up - 1]);
    float upwards = (u[up] + u[up + 1]) - ((u - up)[0] + (u - up)[1]);
    return 0.25f * (across - upwards) / (float)m->grid.cell;
}

static float value_at(const flip_state *state, int index, size_t k) {
    const pd_mac *m = state->mac;
    switch (index) {
    case FLIP_FIELD_PRESSURE:
        return state->pressure_unit * state->pressure[k];
    case FLIP_FIELD_VORTICITY:
        return curl_at(state, k);
    case FLIP_FIELD_X:
        return 0.5f * (m->u[k] + m->u[k + 1]);
    case FLIP_FIELD_Y:
        return 0.5f * (m->v[k] + m->v[k + (size_t)m->layout.stride]);
    default:
        return state->rate[k];
    }
}

static void set_legend(const pd_world *world, int index, pd_field *field) {
    float length = world->resolution.length, gravity = world->resolution.gravity, spacing = world->resolution.spacing;
    float speed = sqrtf(gravity * length);
    if (index == FLIP_FIELD_PRESSURE) field->high = 2 * gravity * length / (spacing * spacing);
    if (index == FLIP_FIELD_VORTICITY) field->high = 20 * speed / length;
    if (index == FLIP_FIELD_DIVERGENCE) field->high = 0.01f * speed / length;
    if (index == FLIP_FIELD_X || index == FLIP_FIELD_Y) field->high = 2 * speed;
    field->low = -field->high;
}

void flip_compute_field(const pd_world *world, void *memory, int index, pd_field *field) {
    flip_state *state = memory;
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    float spacing = world->resolution.spacing;
    if (index == FLIP_FIELD_SPEED) {
        pd_field_of_speed(world, index, field);
        return;
    }
    if (index == FLIP_FIELD_DENSITY) {
        pd_field_of_density(world, 1 / (spacing * spacing), field);
        return;
    }
    float *values = pd_field_buffer(world, index, (size_t)l->nx * (size_t)l->ny);
    field->values = values;
    field->nx = l->nx;
    field->ny = l->ny;
    field->origin = (pd_vec2){(float)mac->grid.origin.x, (float)mac->grid.origin.y};
    field->cell = (float)mac->grid.cell;
    set_legend(world, index, field);
    if (!values) return;
    pd_liquid liquid = liquid_of(state);
    if (index == FLIP_FIELD_DIVERGENCE) pd_mac_divergence(mac, &liquid, state->rate, world->pool);
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_at(l, i, j);
            bool wet = mac->open[k] > 0 && state->distance[k] < 0;
            *values++ = wet ? value_at(state, index, k) : NAN;
        }
}

double flip_compute_number(const pd_world *world, void *memory, int index) {
    const flip_state *state = memory;
    pd_liquid liquid = liquid_of(state);
    if (index == FLIP_NUMBER_ITERATIONS) return state->report.iterations;
    return pd_mac_divergence(state->mac, &liquid, NULL, world->pool);
}
