/* The world's random generator: SplitMix64 (Steele, Lea, Flood 2014). Snapshots contain its eight bytes of state. */
#ifndef PUDDLE_CORE_RANDOM_H
#define PUDDLE_CORE_RANDOM_H

#include <stdint.h>

typedef struct pd_random {
    uint64_t state; /* state of the generator; any value is a valid seed */
} pd_random;

static inline uint64_t pd_random_mix_bits(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

static inline uint64_t pd_random_next(pd_random *random) {
    random->state += 0x9e3779b97f4a7c15u;
    return pd_random_mix_bits(random->state);
}

/* Returns a random number, uniform in [0, 1). */
static inline float pd_random_below_one(pd_random *random) { return (float)(pd_random_next(random) >> 40) * 0x1p-24f; }

#endif
