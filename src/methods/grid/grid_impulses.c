/* Impulses of the pressure of a grid fluid on its walls. The shear at no-slip walls is in grid_viscosity.c. */
#include "mac/coupling.h"
#include "mac/film.h"
#include "mac/reaction.h"
#include "methods/grid/grid.h"
#include "sim/units.h"

#include <string.h>

/* Returns the weight of fluid without dye that acts on bodies, in units of grid.density. With the excess weight of dyes
 * (grid_forces.c) a body is neutral in dye of its own density. */
static double share_of_weight_at_bodies(const pd_world *world) {
    return 1 - (double)world->parameter[GRID_BUOYANCY] * (1 - (double)world->parameter[GRID_AMBIENT]);
}

void pd_grid_add_wall_impulses(pd_world *world, grid_state *state, float dt) {
    const double density = (double)world->parameter[GRID_DENSITY] / pd_units_particle_mass(world);
    const pd_vec2 g = world->scene.gravity;
    double seconds = (double)dt, rest = (double)pd_grid_hydrostatic_pressure(world, (pd_vec2){0, 0});
    pd_mac_pressure pressure = {
        .q = state->mac->poisson->q,
        .unit = density * state->mac->grid.cell,
        .level = rest * seconds / pd_units_particle_mass(world),
        .body_share = share_of_weight_at_bodies(world),
        .weight = {density * seconds * (double)g.x, density * seconds * (double)g.y},
    };
    pd_mac_add_wall_impulses(state->mac, world->boundary, pd_boundary_impulses(world->boundary), &pressure);
    pd_mac_add_film_impulses(state->mac, world, &pressure);
    /* Views and the next projection need q. */
    const size_t bytes = state->mac->layout.count * sizeof(float);
    memcpy(state->work, state->mac->poisson->q, bytes);
    pd_mac_set_body_corrections(state->mac, world, pressure.unit, dt, (double)world->parameter[GRID_VISCOSITY]);
    memcpy(state->mac->poisson->q, state->work, bytes);
}
