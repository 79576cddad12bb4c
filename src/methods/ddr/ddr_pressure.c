/* Pressure of double density relaxation, for views.
 *
 * The method displaces pairs by dt^2 (P q + Pn q^2), with P = k (rho - rho0), Pn = kn rhon and q = 1 - r/h. P and Pn
 * are therefore accelerations, not pressures. The pressure is the virial of these pair forces in 2-D (Hansen, McDonald,
 * "Theory of Simple Liquids", ch. 2):
 *
 *     p = n m / 4 sum over the neighbours of r (P q + Pn q^2),    n: particles per area, m: mass of a particle
 *
 * The pressure is 0 in fluid at rest without gravity. The sums are not over the particle's own neighbours,
 * which are missing behind walls. They are computed for a hexagonal lattice of the same density. */
#include "methods/ddr/ddr.h"
#include "sim/units.h"

#include <math.h>

enum { LATTICES = 128 };
static const double CLOSEST = 0.06; /* least distance of next neighbours in a lattice, in units of h */

/* Sums over the neighbours of a particle in a hexagonal lattice, in units of h: density (q^2), near density (q^3), r q,
 * r q^2. per_area: particles per area. */
typedef struct lattice {
    float density, near_density, r_q_sum, r_q2_sum, per_area;
} lattice;

static lattice compute_lattice(double neighbour_distance) {
    const double row = 0.8660254037844386 * neighbour_distance;
    double density = 0, near_density = 0, r_q_sum = 0, r_q2_sum = 0;
    int rows = (int)(1 / row), columns = (int)(1 / neighbour_distance) + 1;
    for (int j = -rows; j <= rows; j++)
        for (int i = -columns; i <= columns; i++) {
            double x = (i + 0.5 * (j & 1)) * neighbour_distance, y = j * row, r = sqrt(x * x + y * y), q = 1 - r;
            if (!(q > 0) || (i == 0 && j == 0)) continue;
            density += q * q;
            near_density += q * q * q;
            r_q_sum += r * q;
            r_q2_sum += r * q * q;
        }
    return (lattice){(float)density, (float)near_density, (float)r_q_sum, (float)r_q2_sum,
                     (float)(1 / (neighbour_distance * row))};
}

/* Fills the table with lattices of increasing density: the distance of next neighbours decreases from h to CLOSEST. */
static void fill_lattice_table(lattice table[LATTICES]) {
    for (int k = 0; k < LATTICES; k++) table[k] = compute_lattice(1 - (1 - CLOSEST) * k / (LATTICES - 1));
}

/* Returns the pressure over the mass of a particle, p/m, 1/s^2, in a lattice. */
static float compute_pressure_over_mass(const pd_world *world, const lattice *l) {
    float h = world->parameter[DDR_RADIUS], far = l->density - world->parameter[DDR_REST_DENSITY];
    return l->per_area / (4 * h) *
           (world->parameter[DDR_STIFFNESS] * far * l->r_q_sum +
            world->parameter[DDR_NEAR_STIFFNESS] * l->near_density * l->r_q2_sum);
}

float ddr_find_number_density(const pd_world *world, float pressure_over_mass) {
    float h = world->parameter[DDR_RADIUS];
    double low = CLOSEST, high = 1;
    for (int i = 0; i < 24; i++) {
        double middle = 0.5 * (low + high);
        lattice l = compute_lattice(middle);
        if (compute_pressure_over_mass(world, &l) > pressure_over_mass)
            low = middle;
        else
            high = middle;
    }
    return compute_lattice(high).per_area / (h * h);
}

static lattice interpolate_lattices(const lattice *a, const lattice *b, float fraction) {
#define BETWEEN(member) .member = a->member + fraction * (b->member - a->member)
    return (lattice){BETWEEN(density), BETWEEN(near_density), BETWEEN(r_q_sum), BETWEEN(r_q2_sum), BETWEEN(per_area)};
#undef BETWEEN
}

/* Returns the lattice with this density, interpolated in the table. Densities outside the table are clamped to it. */
static lattice find_lattice_of_density(const lattice table[LATTICES], float density) {
    int low = 0, high = LATTICES - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (table[middle].density <= density)
            low = middle;
        else
            high = middle;
    }
    float range = table[high].density - table[low].density;
    float part = range > 0 ? (density - table[low].density) / range : 0;
    return interpolate_lattices(&table[low], &table[high], fminf(fmaxf(part, 0), 1));
}

void ddr_compute_pressure(const pd_world *world, float *pressure) {
    const pd_particles *p = &world->particles;
    const float h = world->parameter[DDR_RADIUS], rest_density = world->parameter[DDR_REST_DENSITY];
    const float factor = ddr_compute_ramp_stiffness_factor(world), stiffness = factor * world->parameter[DDR_STIFFNESS];
    const float near_stiffness = factor * world->parameter[DDR_NEAR_STIFFNESS];
    const float unit = (float)pd_units_particle_mass(world) / (4 * h);
    lattice table[LATTICES];
    fill_lattice_table(table);
    for (int i = 0; i < p->count; i++) {
        lattice l = find_lattice_of_density(table, p->density[i]);
        float far = stiffness * (p->density[i] - rest_density), near = near_stiffness * l.near_density;
        float mass = world->scene.materials[p->material[i]].mass;
        pressure[i] = unit * mass * l.per_area * (far * l.r_q_sum + near * l.r_q2_sum);
    }
}
