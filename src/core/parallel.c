/* A pool of threads that share the chunks of one loop at a time.
 *
 * `ticket` is the loop's number (high 32 bits) and the number of its chunks that have not started (low 32 bits). A
 * thread starts a chunk by a compare-and-swap that decrements the number of chunks. A thread may be preempted
 * between reading the ticket and the swap. It then cannot start a chunk of a later loop: the loop's number differs,
 * and the swap fails. A loop therefore ends when its chunks are done, without waiting for threads that ran no chunk.
 * This matters with more threads than cores.
 *
 * A thread reads the fields of a loop (body, context, count, ...) before the swap. They are overwritten only after
 * every chunk was reported done. A successful swap proves that its chunk was not done, so that the fields belong to
 * this loop. After a failed swap the values are discarded.
 *
 * Sleeping and waking use Dekker's pattern. The sleeper sets its flag, then checks for work; the waker publishes
 * work, then checks for sleepers. Both are sequentially consistent, so at least one sees the other. */
#include "core/parallel.h"

#include "core/error.h"
#include "core/memory.h"
#include "platform/platform.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Time that a thread spins for the next loop before it sleeps, s: longer than the serial code between the loops of a
 * step, far shorter than a frame. Waking a sleeping thread takes 5 to 50 us. */
static const double spin_seconds = 30e-6;
/* Spin time with more threads than cores, s: a spinning thread blocks the core of a working one. */
static const double spin_seconds_if_crowded = 2e-6;

/* Fields that different threads write at the same time are in separate cache lines. */
struct pd_pool { /* NOLINT(clang-analyzer-optin.performance.Padding) */
    _Alignas(PD_ALIGNMENT) _Atomic uint64_t ticket;
    _Alignas(PD_ALIGNMENT) _Atomic int unfinished_chunks; /* number of the loop's chunks that are not reported done */
    atomic_bool caller_sleeps;
    _Alignas(PD_ALIGNMENT) _Atomic(pd_loop_body *) body;
    _Atomic(void *) context;
    atomic_int count, grain, chunks;            /* numbers of the present loop: items, items in a chunk, chunks */
    _Alignas(PD_ALIGNMENT) atomic_int sleepers; /* number of sleeping workers; written under the lock */
    atomic_bool stop, busy;
    uint32_t loops;              /* number of loops so far; used by the calling thread only */
    int threads, useful_workers; /* threads with the calling one; workers that can run at once on the available cores */
    double spin;                 /* spin_seconds or spin_seconds_if_crowded */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    pthread_t workers[PD_POOL_THREADS];
};

static void pause_in_spin_loop(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static uint32_t unstarted_chunk_count_of_ticket(uint64_t ticket) { return (uint32_t)ticket; }

static void run_chunk(pd_loop_body *body, void *context, int count, int grain, int chunk) {
    int begin = chunk * grain;
    body(context, begin, count - begin > grain ? begin + grain : count);
}

/* Starts and runs chunks of the present loop, until all chunks have been started by this thread or others. */
static void run_unstarted_chunks(pd_pool *pool) {
    int done = 0;
    uint64_t ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
    while (unstarted_chunk_count_of_ticket(ticket)) {
        pd_loop_body *body = atomic_load_explicit(&pool->body, memory_order_relaxed);
        void *context = atomic_load_explicit(&pool->context, memory_order_relaxed);
        int count = atomic_load_explicit(&pool->count, memory_order_relaxed);
        int grain = atomic_load_explicit(&pool->grain, memory_order_relaxed);
        int chunk =
            atomic_load_explicit(&pool->chunks, memory_order_relaxed) - (int)unstarted_chunk_count_of_ticket(ticket);
        if (!atomic_compare_exchange_weak_explicit(&pool->ticket, &ticket, ticket - 1, memory_order_acq_rel,
                                                   memory_order_acquire))
            continue;
        run_chunk(body, context, count, grain, chunk);
        done++;
        ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
    }
    if (done && atomic_fetch_sub(&pool->unfinished_chunks, done) == done && atomic_load(&pool->caller_sleeps)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
}

static bool is_work_waiting_or_pool_stopping(pd_pool *pool) {
    return unstarted_chunk_count_of_ticket(atomic_load(&pool->ticket)) || atomic_load(&pool->stop);
}
static bool are_all_chunks_done(pd_pool *pool) { return atomic_load(&pool->unfinished_chunks) == 0; }

/* Spins until the condition is met, for a bounded time. Returns whether it was met. */
static bool spin_until(pd_pool *pool, bool (*condition)(pd_pool *)) {
    double begin = pd_os_now();
    do {
        for (int i = 0; i < 32; i++) {
            if (condition(pool)) return true;
            pause_in_spin_loop();
        }
    } while (pd_os_now() - begin < pool->spin);
    return false;
}

static void *run_worker(void *argument) {
    pd_pool *pool = argument;
    while (!atomic_load(&pool->stop)) {
        run_unstarted_chunks(pool);
        if (spin_until(pool, is_work_waiting_or_pool_stopping)) continue;
        pthread_mutex_lock(&pool->lock);
        atomic_fetch_add(&pool->sleepers, 1);
        while (!is_work_waiting_or_pool_stopping(pool)) pthread_cond_wait(&pool->work, &pool->lock);
        atomic_fetch_sub(&pool->sleepers, 1);
        pthread_mutex_unlock(&pool->lock);
    }
    return NULL;
}

/* Wakes sleeping workers, as many as the loop can use: at most one for each chunk, and one for each available core
 * other than that of the calling thread. */
static void wake_workers(pd_pool *pool, int chunks) {
    int sleepers = atomic_load(&pool->sleepers);
    if (!sleepers) return;
    int awake = pool->threads - 1 - sleepers;
    int wakes = (chunks - 1 < pool->useful_workers ? chunks - 1 : pool->useful_workers) - awake;
    if (wakes <= 0) return;
    pthread_mutex_lock(&pool->lock);
    if (wakes >= sleepers)
        pthread_cond_broadcast(&pool->work);
    else
        for (; wakes > 0; wakes--) pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

static void wait_for_chunks(pd_pool *pool) {
    if (spin_until(pool, are_all_chunks_done)) return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->caller_sleeps, true);
    while (!are_all_chunks_done(pool)) pthread_cond_wait(&pool->done, &pool->lock);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->lock);
}

void pd_parallel_for(pd_pool *pool, int count, int grain, pd_loop_body *body, void *context) {
    if (count <= 0) return;
    if (grain < 1) grain = 1;
    int chunks = count / grain + (count % grain != 0);
    if (chunks == 1 || pool->threads == 1) {
        for (int chunk = 0; chunk < chunks; chunk++) run_chunk(body, context, count, grain, chunk);
        return;
    }
    PD_ASSERT(!atomic_exchange(&pool->busy, true)); /* loops do not nest */
    atomic_store_explicit(&pool->body, body, memory_order_relaxed);
    atomic_store_explicit(&pool->context, context, memory_order_relaxed);
    atomic_store_explicit(&pool->count, count, memory_order_relaxed);
    atomic_store_explicit(&pool->grain, grain, memory_order_relaxed);
    atomic_store_explicit(&pool->chunks, chunks, memory_order_relaxed);
    atomic_store_explicit(&pool->unfinished_chunks, chunks, memory_order_relaxed);
    pool->loops++;
    atomic_store(&pool->ticket, (uint64_t)pool->loops << 32 | (uint32_t)chunks);
    wake_workers(pool, chunks);
    run_unstarted_chunks(pool);
    wait_for_chunks(pool);
    atomic_store(&pool->busy, false);
}

pd_result pd_pool_create(pd_pool **created, int threads, pd_error *error) {
    *created = NULL;
    int cores = pd_os_core_count();
    if (threads <= 0) threads = cores;
    if (threads > PD_POOL_THREADS) threads = PD_POOL_THREADS;
    pd_pool *pool = pd_allocate(1, sizeof *pool);
    if (!pool)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d threads (close other programs)", threads);
    pool->spin = threads > cores ? spin_seconds_if_crowded : spin_seconds;
    pool->useful_workers = cores > 1 ? cores - 1 : 1;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->threads = threads;
    int started = pd_os_start_threads(pool->workers, threads - 1, run_worker, pool);
    if (started < threads - 1) {
        pool->threads = started + 1;
        pd_pool_destroy(pool);
        return pd_fail(error, PD_ERROR_THREADS_UNAVAILABLE,
                       "the system gave only %d of %d threads (use fewer with --threads)", started + 1, threads);
    }
    *created = pool;
    return PD_OK;
}

void pd_pool_destroy(pd_pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->stop, true);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->threads - 1; i++) pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    pd_free(pool);
}

int pd_pool_thread_count(const pd_pool *pool) { return pool->threads; }
