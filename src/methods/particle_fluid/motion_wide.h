/* Clamping of speeds, for loops compiled once for each SIMD level (core/simd.h). */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_MOTION_WIDE_H
#define PUDDLE_METHODS_PARTICLE_FLUID_MOTION_WIDE_H

#include "core/simd.h"
#include "sim/particles/particles.h"

#include <math.h>

/* Scales a velocity whose speed is above speed_limit down to this speed. A velocity that is not finite becomes 0. */
static inline void pd_motion_clamp_speed(float *vx, float *vy, float speed_limit) {
    float speed2 = *vx * *vx + *vy * *vy, slow = speed2 < INFINITY ? speed_limit / sqrtf(speed2) : 0;
    *vx = slow > 0 ? *vx * slow : 0;
    *vy = slow > 0 ? *vy * slow : 0;
}

/* Writes the velocities of the particles [i, i + PD_LANES) in the lanes `live`, with speeds clamped to speed_limit. */
static inline void pd_motion_store_velocities(const pd_particles *p, int i, pd_maskw live, pd_floatw vx, pd_floatw vy,
                                              float speed_limit) {
    pd_store(live, p->vx + i, vx);
    pd_store(live, p->vy + i, vy);
    pd_maskw slow = pd_less(pd_add(pd_mul(vx, vx), pd_mul(vy, vy)), pd_set(speed_limit * speed_limit));
    for (unsigned fast = pd_movemask(live) & ~pd_movemask(slow); fast; fast &= fast - 1) {
        int at = i + __builtin_ctz(fast);
        pd_motion_clamp_speed(p->vx + at, p->vy + at, speed_limit);
    }
}

#endif
