/* Fractions of a particle's kernels that lie behind the container's walls. */
#include "reference/walls.h"

#include <math.h>

static const double MOST_BEHIND_WALLS = 0.75; /* greatest fraction of a kernel behind all walls together */

/* Fraction of a kernel behind a straight wall, and its derivative with respect to the distance in interaction radii. */
typedef struct fraction {
    double value, derivative;
} fraction;

/* Returns the fraction of a kernel behind a wall, for a particle in front of the wall: (1 - s)^power (c0 + c1 s + c2
 * s^2 + c3 s^3), s = relative_distance, the distance in interaction radii. The formula is fitted to the exact
 * integral of the kernel over the half-plane behind the wall. */
static fraction compute_kernel_fraction_behind_wall(double relative_distance, int power, const double coefficients[4]) {
    const double s = relative_distance, *c = coefficients;
    if (s >= 1) return (fraction){0, 0};
    double polynomial = c[0] + c[1] * s + c[2] * s * s + c[3] * s * s * s;
    double slope = c[1] + 2 * c[2] * s + 3 * c[3] * s * s;
    return (fraction){pow(1 - s, power) * polynomial,
                      pow(1 - s, power) * slope - power * pow(1 - s, power - 1) * polynomial};
}

/* Returns the fraction of a kernel behind a wall, for a particle on either side of the wall. For a particle behind
 * the wall relative_distance is negative, and the fraction is 1 minus the fraction at -relative_distance. */
static fraction compute_kernel_fraction_behind_plane(double relative_distance, int power,
                                                     const double coefficients[4]) {
    fraction f = compute_kernel_fraction_behind_wall(fabs(relative_distance), power, coefficients);
    return relative_distance < 0 ? (fraction){1 - f.value, f.derivative} : f;
}

/* Fraction of a kernel that lies outside the container, and its gradient (x, y), 1/m. The fractions a and b of walls
 * at a right angle give 1 - (1 - a)(1 - b). The fractions of opposite walls are added. */
typedef struct fraction_and_gradient {
    double value, x, y;
} fraction_and_gradient;

static fraction_and_gradient compute_kernel_fraction_outside_container(const reference_walls *walls, double h, double x,
                                                                       double y, int power,
                                                                       const double coefficients[4]) {
    if (walls->container.shape == PD_CONTAINER_CIRCLE) {
        double length = sqrt(x * x + y * y);
        fraction f = compute_kernel_fraction_behind_plane(
            ((double)walls->container.radius - length) / h + walls->outside, power, coefficients);
        double inwards = length > 0 ? -f.derivative / (h * length) : 0;
        return (fraction_and_gradient){f.value, inwards * x, inwards * y};
    }
    if (walls->container.shape != PD_CONTAINER_BOX) return (fraction_and_gradient){0, 0, 0};
    double right = (double)walls->container.width / 2, top = (double)walls->container.height / 2;
    fraction west = compute_kernel_fraction_behind_plane((right + x) / h + walls->outside, power, coefficients);
    fraction east = compute_kernel_fraction_behind_plane((right - x) / h + walls->outside, power, coefficients);
    fraction south = compute_kernel_fraction_behind_plane((top + y) / h + walls->outside, power, coefficients);
    fraction north = compute_kernel_fraction_behind_plane((top - y) / h + walls->outside, power, coefficients);
    double across = west.value + east.value, up = south.value + north.value;
    return (fraction_and_gradient){across + up - across * up, (west.derivative - east.derivative) / h * (1 - up),
                                   (south.derivative - north.derivative) / h * (1 - across)};
}

reference_wall_fractions reference_compute_wall_fractions(const reference_walls *walls, double h, double x, double y) {
    static const double far_fit[4] = {0.50026, 0.20479, -0.47872, 0},
                        near_fit[4] = {0.50020, 0.38410, -0.80131, 0.25544};
    static const double smooth_fit[4] = {0.50015, 0.82030, 0.52151, -0.82972};
    reference_wall_fractions behind_walls = {.far_gain = 1, .near_gain = 1};
    if (!(walls->weight > 0)) return behind_walls;
    fraction_and_gradient far = compute_kernel_fraction_outside_container(walls, h, x, y, 3, far_fit);
    fraction_and_gradient near =
        compute_kernel_fraction_outside_container(walls, h, x, y, 4, walls->smooth_near_kernel ? smooth_fit : near_fit);
    behind_walls.far = fmin(walls->weight * far.value, MOST_BEHIND_WALLS);
    behind_walls.near = fmin(walls->weight * near.value, MOST_BEHIND_WALLS);
    behind_walls.far_x = walls->weight * far.x;
    behind_walls.far_y = walls->weight * far.y;
    behind_walls.near_x = walls->weight * near.x;
    behind_walls.near_y = walls->weight * near.y;
    behind_walls.far_gain = 1 / (1 - behind_walls.far);
    behind_walls.near_gain = 1 / (1 - behind_walls.near);
    return behind_walls;
}

double reference_compute_part_within_fluid(double sum) { return fmin(fmax(2 * (sum - 1.5), 0), 1); }

double reference_limit_attraction(double push, double at_rest, double within, double gravity_x, double gravity_y,
                                  double *x, double *y) {
    if (push <= at_rest) return push;
    push = at_rest + within * (push - at_rest);
    double down = *x * gravity_x + *y * gravity_y, square = gravity_x * gravity_x + gravity_y * gravity_y;
    if (push <= at_rest || down >= 0) return push;
    *x -= (1 - at_rest / push) * down / square * gravity_x;
    *y -= (1 - at_rest / push) * down / square * gravity_y;
    return push;
}
