/* Pressure of double density relaxation: in views, and of fluid at rest.
 *
 * The method displaces pairs by dt^2 (P q + Pn q^2), with P = k (rho - rho0), Pn = kn rhon and q = 1 - r/h. P and Pn
 * are therefore accelerations, not pressures. Pairs of particles of mass m have the force m (P q + Pn q^2), and the
 * pressure is the virial of these forces in a lattice (particle_fluid/lattice.h). */
#include "methods/ddr/ddr.h"
#include "methods/particle_fluid/lattice.h"
#include "sim/particles/ramp.h"
#include "sim/units.h"

/* Returns the pressure over the mass of a particle, 1/s^2. density: rho. */
static float compute_pressure_over_mass(const pd_world *world, const lattice *l, float density, float rest_density) {
    float far = world->parameter[DDR_STIFFNESS] * (density - rest_density);
    float near = world->parameter[DDR_NEAR_STIFFNESS] * l->q3;
    return l->per_area / (4 * world->parameter[DDR_RADIUS]) * (far * l->rq + near * l->rq2);
}

static float compute_lattice_pressure_over_mass(const pd_world *world, const lattice *l) {
    return compute_pressure_over_mass(world, l, l->q2, world->parameter[DDR_REST_DENSITY]);
}

float ddr_compute_near_share(const pd_world *world) {
    lattice rest = lattice_find_at_pressure(world, compute_lattice_pressure_over_mass, 0);
    return rest.q3 > 0 ? (world->parameter[DDR_REST_DENSITY] - rest.q2) / rest.q3 : 0;
}

pd_fluid_at_rest ddr_find_fluid_at_rest(const pd_world *world, float mass, float pressure) {
    lattice l = lattice_find_at_pressure(world, compute_lattice_pressure_over_mass, pressure / mass);
    float h = world->parameter[DDR_RADIUS];
    return (pd_fluid_at_rest){l.per_area / (h * h), l.q2 + ddr_compute_near_share(world) * l.q3};
}

void ddr_compute_pressures(const pd_world *world, float *pressure) {
    const pd_particles *p = &world->particles;
    const float rest_density = world->parameter[DDR_REST_DENSITY], unit = (float)pd_units_particle_mass(world);
    lattice_table table;
    lattice_table_fill(&table);
    for (int i = 0; i < p->count; i++) {
        lattice l = lattice_table_find(&table, p->density[i]);
        float rest = rest_density * pd_density_ramp_present_factor(world, i);
        pressure[i] = unit * world->scene.materials[p->material[i]].mass *
                      compute_pressure_over_mass(world, &l, p->density[i], rest);
    }
}
