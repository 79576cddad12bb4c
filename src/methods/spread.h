/* Kernel that distributes dye, mass or velocity of particles over cells. */
#ifndef PUDDLE_METHODS_SPREAD_H
#define PUDDLE_METHODS_SPREAD_H

/* Returns the kernel (1 - r^2)^2 at the offset (dx, dy) from the particle, r = distance x inverse_radius. Its integral
 * over the disc is pi/3 radius^2. */
static inline float pd_spread_kernel(float dx, float dy, float inverse_radius) {
    float r2 = (dx * dx + dy * dy) * inverse_radius * inverse_radius;
    return r2 < 1 ? (1 - r2) * (1 - r2) : 0;
}

#endif
