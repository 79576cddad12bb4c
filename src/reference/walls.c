/* Fractions of a kernel that the container's walls hide. */
#include "reference/walls.h"

#include <math.h>

static const double MOST_HIDDEN = 0.75;

/* Fraction of a kernel behind a straight wall, and its derivative by (distance / interaction radius). */
typedef struct fraction {
    double value, derivative;
} fraction;

/* Returns the hidden fraction for a particle in front of a wall: (1 - s)^power (c0 + c1 s + c2 s^2 + c3 s^3), s:
 * distance / interaction radius. It is fitted to the exact integral of the kernel over the half-plane behind the
 * wall. */
static fraction fraction_in_front(double s, int power, const double c[4]) {
    if (s >= 1) return (fraction){0, 0};
    double polynomial = c[0] + c[1] * s + c[2] * s * s + c[3] * s * s * s;
    double slope = c[1] + 2 * c[2] * s + 3 * c[3] * s * s;
    return (fraction){pow(1 - s, power) * polynomial,
                      pow(1 - s, power) * slope - power * pow(1 - s, power - 1) * polynomial};
}

/* Returns the hidden fraction on either side of a wall, s < 0 behind it: 1 - hidden fraction at -s. */
static fraction half_plane_fraction(double s, int power, const double c[4]) {
    fraction f = fraction_in_front(fabs(s), power, c);
    return s < 0 ? (fraction){1 - f.value, f.derivative} : f;
}

/* Fraction of a kernel that the container hides, and its gradient, 1/m. The hidden fractions a and b of walls at a
 * right angle give 1 - (1 - a)(1 - b). Those of opposite walls are added. */
typedef struct container_part {
    double value, x, y;
} container_part;

static container_part container_fraction(const reference_walls *w, double h, double px, double py, int power,
                                         const double c[4]) {
    if (w->container.shape == PD_CONTAINER_CIRCLE) {
        double length = sqrt(px * px + py * py);
        fraction f = half_plane_fraction(((double)w->container.radius - length) / h + w->outside, power, c);
        double inwards = length > 0 ? -f.derivative / (h * length) : 0;
        return (container_part){f.value, inwards * px, inwards * py};
    }
    if (w->container.shape != PD_CONTAINER_BOX) return (container_part){0, 0, 0};
    double right = (double)w->container.width / 2, top = (double)w->container.height / 2;
    fraction west = half_plane_fraction((right + px) / h + w->outside, power, c);
    fraction east = half_plane_fraction((right - px) / h + w->outside, power, c);
    fraction south = half_plane_fraction((top + py) / h + w->outside, power, c);
    fraction north = half_plane_fraction((top - py) / h + w->outside, power, c);
    double across = west.value + east.value, up = south.value + north.value;
    return (container_part){across + up - across * up, (west.derivative - east.derivative) / h * (1 - up),
                            (south.derivative - north.derivative) / h * (1 - across)};
}

reference_hidden reference_compute_hidden(const reference_walls *w, double h, double x, double y) {
    static const double far_fit[4] = {0.50026, 0.20479, -0.47872, 0},
                        near_fit[4] = {0.50020, 0.38410, -0.80131, 0.25544};
    static const double smooth_fit[4] = {0.50015, 0.82030, 0.52151, -0.82972};
    reference_hidden hidden = {.far_gain = 1, .near_gain = 1};
    if (!(w->weight > 0)) return hidden;
    container_part far = container_fraction(w, h, x, y, 3, far_fit);
    container_part near = container_fraction(w, h, x, y, 4, w->smooth ? smooth_fit : near_fit);
    hidden.far = fmin(w->weight * far.value, MOST_HIDDEN);
    hidden.near = fmin(w->weight * near.value, MOST_HIDDEN);
    hidden.far_x = w->weight * far.x;
    hidden.far_y = w->weight * far.y;
    hidden.near_x = w->weight * near.x;
    hidden.near_y = w->weight * near.y;
    hidden.far_gain = 1 / (1 - hidden.far);
    hidden.near_gain = 1 / (1 - hidden.near);
    return hidden;
}
