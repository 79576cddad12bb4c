/* Pouring and erasing of vortex particles. sim/tools/pour.c handles the tracers. */
#include "methods/vortex/vortex.h"
#include "sim/tools/stroke.h"

#include <math.h>
#include <string.h>

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
