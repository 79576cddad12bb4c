/* Threads and instruction set of the machine. */
#ifndef PUDDLE_MACHINE_H
#define PUDDLE_MACHINE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { PD_MAX_THREADS = 64 }; /* of one world */

/* The instruction set in use: "avx512", "avx2", "baseline" or "neon"; results do not depend on it. */
const char *pd_simd_name(void);

#ifdef __cplusplus
}
#endif
#endif
