/* Pressure of double density relaxation: in views, and of fluid at rest.
 *
 * The method displaces pairs by dt^2 (P q + Pn q^2), with P = k (rho - rho0), Pn = kn rhon and q = 1 - r/h. P and Pn
 * are therefore accelerations, not pressures. Pairs of particles of mass m have the force m (P q + Pn q^2), and the
 * pressure is the virial of these forces in a lattice (particle_fluid/lattice.h). */
#include "methods/ddr/ddr.h"

#include "core/memory.h"
#include "methods/particle_fluid/lattice.h"
#include "sim/particles/ramp.h"
#include "sim/units.h"

#include <math.h>

/* Returns the pressure over the mass of a particle, 1/s^2. density: rho. */
static float compute_pressure_over_mass(const pd_world *world, const lattice *l, float density, float rest_density) {
    float far = world->parameter[DDR_STIFFNESS] * (density - rest_density);
    float near = world->parameter[DDR_NEAR_STIFFNESS] * l->q3;
    return l->per_area / (4 * world->parameter[DDR_RADIUS]) * (far * l->rq + near * l->rq2);
}

static float compute_lattice_pressure_over_mass(const pd_world *world, const lattice *l) {
    return compute_pressure_over_mass(world, l, l->q2, world->parameter[DDR_REST_DENSITY]);
}

float pd_ddr_compute_near_share(const pd_world *world) {
    lattice rest = pd_lattice_find_at_pressure(world, compute_lattice_pressure_over_mass, 0);
    return rest.q3 > 0 ? (world->parameter[DDR_REST_DENSITY] - rest.q2) / rest.q3 : 0;
}

pd_fluid_at_rest pd_ddr_find_fluid_at_rest(const pd_world *world, float mass, float pressure) {
    lattice l = pd_lattice_find_at_pressure(world, compute_lattice_pressure_over_mass, pressure / mass);
    float h = world->parameter[DDR_RADIUS];
    return (pd_fluid_at_rest){l.per_area / (h * h), l.q2 + pd_ddr_compute_near_share(world) * l.q3};
}

/* Raster of nodes one radius apart, onto which particles distribute their pressures bilinearly. If it is too
 * small for the plane, the plane is folded onto it. */
typedef struct pressure_raster {
    int columns, rows;
    float per_metre;
    float *sum, *weight; /* by node */
} pressure_raster;

/* The four nodes around a point, and their weights. */
typedef struct nodes {
    size_t index[4];
    float weight[4];
} nodes;

static int fold(double cell, int cells) { return (int)(cell - cells * floor(cell / cells)); }

static nodes find_nodes(const pressure_raster *raster, float x, float y) {
    double column = floor((double)(x * raster->per_metre)), row = floor((double)(y * raster->per_metre));
    float u = x * raster->per_metre - (float)column, v = y * raster->per_metre - (float)row;
    int left = fold(column, raster->columns), low = fold(row, raster->rows);
    int right = (left + 1) % raster->columns, high = (low + 1) % raster->rows;
    size_t width = (size_t)raster->columns, below = (size_t)low * width, above = (size_t)high * width;
    return (nodes){{below + (size_t)left, below + (size_t)right, above + (size_t)left, above + (size_t)right},
                   {(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v}};
}

/* Replaces the pressures by means over about a radius. Forces depend only on such means: displacements by alternately
 * higher and lower pressures of neighbours cancel out, and the pressures of single particles therefore vary by a quarter.
 * Does nothing if memory runs out. */
static void smooth_pressures(const pd_world *world, float *pressure) {
    enum { MOST = 512 }; /* greatest number of columns and rows */
    const pd_particles *p = &world->particles;
    float left = 0, right = 0, low = 0, high = 0;
    for (int i = 0; i < p->count; i++) {
        left = fminf(left, p->x[i]), right = fmaxf(right, p->x[i]);
        low = fminf(low, p->y[i]), high = fmaxf(high, p->y[i]);
    }
    pressure_raster raster = {.per_metre = 1 / world->parameter[DDR_RADIUS]};
    raster.columns = (int)fminf((right - left) * raster.per_metre + 3, MOST);
    raster.rows = (int)fminf((high - low) * raster.per_metre + 3, MOST);
    size_t count = (size_t)raster.columns * (size_t)raster.rows;
    raster.sum = pd_allocate(2 * count, sizeof(float));
    if (!raster.sum) return;
    raster.weight = raster.sum + count;
    for (int i = 0; i < p->count; i++) {
        nodes at = find_nodes(&raster, p->x[i], p->y[i]);
        for (int k = 0; k < 4; k++) {
            raster.sum[at.index[k]] += at.weight[k] * pressure[i];
            raster.weight[at.index[k]] += at.weight[k];
        }
    }
    for (int i = 0; i < p->count; i++) {
        nodes at = find_nodes(&raster, p->x[i], p->y[i]);
        float sum = 0, weight = 0;
        for (int k = 0; k < 4; k++) {
            sum += at.weight[k] * raster.sum[at.index[k]];
            weight += at.weight[k] * raster.weight[at.index[k]];
        }
        pressure[i] = weight > 0 ? sum / weight : pressure[i];
    }
    pd_free(raster.sum);
}

void pd_ddr_compute_pressures(const pd_world *world, float *pressure) {
    const pd_particles *p = &world->particles;
    const float rest_density = world->parameter[DDR_REST_DENSITY], unit = (float)pd_units_particle_mass(world);
    lattice_table table;
    pd_lattice_table_fill(&table);
    for (int i = 0; i < p->count; i++) {
        lattice l = pd_lattice_table_find(&table, p->density[i]);
        float rest = rest_density * pd_density_ramp_present_factor(world, i);
        pressure[i] = unit * world->scene.materials[p->material[i]].mass *
                      compute_pressure_over_mass(world, &l, p->density[i], rest);
    }
    smooth_pressures(world, pressure);
}
