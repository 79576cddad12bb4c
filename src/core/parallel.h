/* Parallel loops over a pool of threads.
 *
 * pd_parallel_for divides [0, count) into chunks of `grain` items and calls body once for each chunk, on any thread, in
 * any order, and returns when all are done. For a deterministic result what a chunk computes must not depend on the
 * thread that runs it or on what other chunks of the same loop have done. The chunks do not depend on the number of
 * threads.
 *
 * Idle threads spin for a few microseconds after a loop, since the next loop of a step usually follows at once, and
 * then sleep: a paused program uses no processor time. Loops do not nest (asserted). */
#ifndef PUDDLE_CORE_PARALLEL_H
#define PUDDLE_CORE_PARALLEL_H

#include <puddle/result.h>

enum { PD_POOL_THREADS = 64 }; /* of one pool, at most: PD_MAX_THREADS of puddle/world.h */

typedef struct pd_pool pd_pool;
typedef void pd_loop_body(void *context, int begin, int end);

/* threads: 0 for one per core that this process may use. The calling thread is one of them.
 * Errors: OUT_OF_MEMORY, THREADS_UNAVAILABLE. */
pd_result pd_pool_create(pd_pool **pool, int threads, pd_error *error);
void pd_pool_destroy(pd_pool *pool);
int pd_pool_threads(const pd_pool *pool);
void pd_parallel_for(pd_pool *pool, int count, int grain, pd_loop_body *body, void *context);

#endif
