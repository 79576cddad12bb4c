/** @file
 * Threads and instruction set of the machine.
 */
#ifndef PUDDLE_MACHINE_H
#define PUDDLE_MACHINE_H

#include <puddle/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Limit of threads. */
enum { PD_MAX_THREADS = 64 /**< Greatest number of threads of one world. */ };

/** Returns the instruction set in use: "avx512", "avx2", "baseline" or "neon". Results do not depend on the set. */
PD_API const char *pd_simd_name(void);

#ifdef __cplusplus
}
#endif
#endif
