/* How particles that carry dye, mass or velocity are spread over cells around them. */
#ifndef PUDDLE_METHODS_SPREAD_H
#define PUDDLE_METHODS_SPREAD_H

/* Of a particle on a place at a distance: (1 - r^2)^2, r in radii of the kernel. Its integral over the disc is pi/3 radii^2. */
static inline float pd_spread(float dx, float dy, float inverse_radius) {
    float r2 = (dx * dx + dy * dy) * inverse_radius * inverse_radius;
    return r2 < 1 ? (1 - r2) * (1 - r2) : 0;
}

#endif
