/* Parallel loops over a pool of threads.
 *
 * pd_parallel_for divides [0, count) into chunks of `grain` items and returns when all chunks are done. It calls body
 * once for each chunk, on any thread, in any order. The chunks are the same for any number of threads. For a
 * deterministic result a chunk must depend neither on its thread nor on other chunks of the loop.
 *
 * Idle threads spin for a few microseconds, since the next loop of a step usually comes soon. Then they sleep: a paused
 * program uses no processor time. Loops do not nest (asserted). */
#ifndef PUDDLE_CORE_PARALLEL_H
#define PUDDLE_CORE_PARALLEL_H

#include <puddle/result.h>

enum { PD_POOL_THREADS = 64 }; /* most threads of a pool, equal to PD_MAX_THREADS of puddle/world.h */

typedef struct pd_pool pd_pool;
typedef void pd_loop_body(void *context, int begin, int end);

/* Creates a pool. threads: number of threads including the calling one; 0: one per core that this process may use.
 * Errors: OUT_OF_MEMORY, THREADS_UNAVAILABLE. */
pd_result pd_pool_create(pd_pool **pool, int threads, pd_error *error);
void pd_pool_destroy(pd_pool *pool);
int pd_pool_thread_count(const pd_pool *pool);
void pd_parallel_for(pd_pool *pool, int count, int grain, pd_loop_body *body, void *context);

#endif
