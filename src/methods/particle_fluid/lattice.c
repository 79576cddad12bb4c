/* Sums over hexagonal lattices: see lattice.h. */
#include "methods/particle_fluid/lattice.h"

#include <math.h>

static const double CLOSEST = 0.06; /* least distance of next neighbours, in units of h */

static lattice compute_lattice(double neighbour_distance) {
    const double row = 0.8660254037844386 * neighbour_distance;
    double q2 = 0, q3 = 0, rq = 0, rq2 = 0;
    int rows = (int)(1 / row), columns = (int)(1 / neighbour_distance) + 1;
    for (int j = -rows; j <= rows; j++)
        for (int i = -columns; i <= columns; i++) {
            double x = (i + 0.5 * (j & 1)) * neighbour_distance, y = j * row, r = sqrt(x * x + y * y), q = 1 - r;
            if (!(q > 0) || (i == 0 && j == 0)) continue;
            q2 += q * q;
            q3 += q * q * q;
            rq += r * q;
            rq2 += r * q * q;
        }
    return (lattice){(float)q2, (float)q3, (float)rq, (float)rq2, (float)(1 / (neighbour_distance * row))};
}

void pd_lattice_table_fill(lattice_table *table) {
    for (int k = 0; k < LATTICES; k++) table->row[k] = compute_lattice(1 - (1 - CLOSEST) * k / (LATTICES - 1));
}

lattice pd_lattice_table_find(const lattice_table *table, float q2) {
    int low = 0, high = LATTICES - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (table->row[middle].q2 <= q2)
            low = middle;
        else
            high = middle;
    }
    float range = table->row[high].q2 - table->row[low].q2,
          fraction = range > 0 ? (q2 - table->row[low].q2) / range : 0;
    const lattice *a = &table->row[low], *b = &table->row[high];
    fraction = fminf(fmaxf(fraction, 0), 1);
#define BETWEEN(member) .member = a->member + fraction * (b->member - a->member)
    return (lattice){BETWEEN(q2), BETWEEN(q3), BETWEEN(rq), BETWEEN(rq2), BETWEEN(per_area)};
#undef BETWEEN
}

/* Bisection: the pressure is positive in dense lattices, and decreases with the distance until it is negative. */
lattice pd_lattice_find_at_pressure(const pd_world *world, lattice_pressure *pressure_of, float pressure) {
    double low = CLOSEST, high = 1;
    for (int i = 0; i < 24; i++) {
        double middle = 0.5 * (low + high);
        lattice lattice = compute_lattice(middle);
        if (pressure_of(world, &lattice) > pressure)
            low = middle;
        else
            high = middle;
    }
    return compute_lattice(high);
}
