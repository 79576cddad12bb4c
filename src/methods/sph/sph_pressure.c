/* Pressure of SPH: in views, and of fluid at rest.
 *
 * The force of a pair is (1/n^2) (12 p q + 30 pn q^2) / (pi h^3) at equal densities n, with p = K (n - n0) and pn = Kn
 * times the near density. The pressure is the virial of these forces in a lattice (particle_fluid/lattice.h). */
#include "methods/particle_fluid/lattice.h"
#include "methods/sph/sph.h"
#include "sim/particles/ramp.h"
#include "sim/units.h"

static const float PI = 3.14159265f;
/* Particles per area of fluid at rest, over those of a lattice at the same pressure: measured in pools, whose particles are
 * less ordered than a lattice. */
static const float DENSER_THAN_LATTICE = 1.02f;

static float compute_density(const pd_world *world, const lattice *l) {
    float h = world->parameter[SPH_RADIUS];
    return 6 / (PI * h * h) * (l->q2 + 1);
}

static float compute_near_density(const pd_world *world, const lattice *l) {
    float h = world->parameter[SPH_RADIUS];
    return 10 / (PI * h * h) * (l->q3 + 1);
}

/* Returns the pressure of particles of mass 1, 1/s^2. density: n. */
static float compute_pressure(const pd_world *world, const lattice *l, float density, float rest_density) {
    float h2n = world->parameter[SPH_RADIUS] * world->parameter[SPH_RADIUS] * density;
    float far = world->parameter[SPH_STIFFNESS] * (density - rest_density);
    float near = world->parameter[SPH_NEAR_STIFFNESS] * compute_near_density(world, l);
    return l->per_area / (2 * PI * h2n * h2n) * (6 * far * l->rq + 15 * near * l->rq2);
}

static float compute_lattice_pressure(const pd_world *world, const lattice *l) {
    return compute_pressure(world, l, compute_density(world, l), world->parameter[SPH_REST_DENSITY]);
}

/* Returns density + Kn/K near density, with which the pressure is about K/2 (this sum - n0). */
static float compute_effective_density(const pd_world *world, const lattice *l) {
    return compute_density(world, l) +
           world->parameter[SPH_NEAR_STIFFNESS] / world->parameter[SPH_STIFFNESS] * compute_near_density(world, l);
}

pd_fluid_at_rest pd_sph_find_fluid_at_rest(const pd_world *world, float mass, float pressure) {
    lattice l = pd_lattice_find_at_pressure(world, compute_lattice_pressure, pressure);
    float h = world->parameter[SPH_RADIUS];
    (void)mass;
    return (pd_fluid_at_rest){DENSER_THAN_LATTICE * l.per_area / (h * h), compute_effective_density(world, &l)};
}

void pd_sph_compute_pressures(const pd_world *world, float *pressure) {
    const pd_particles *p = &world->particles;
    const float h = world->parameter[SPH_RADIUS], unit = (float)pd_units_particle_mass(world);
    lattice_table table;
    pd_lattice_table_fill(&table);
    for (int i = 0; i < p->count; i++) {
        lattice l = pd_lattice_table_find(&table, p->density[i] * PI * h * h / 6 - 1);
        float rest = world->parameter[SPH_REST_DENSITY] * pd_density_ramp_present_factor(world, i);
        pressure[i] = p->density[i] > 0 ? unit * compute_pressure(world, &l, p->density[i], rest) : 0;
    }
}
