#include "sim/kept.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdatomic.h>
#include <string.h>

enum { GRAIN = 4096 };

bool pd_kept_reserve(pd_kept *kept, int capacity) {
    if (capacity <= kept->capacity) return true;
    pd_kept larger = {.capacity = capacity};
    larger.x = pd_allocate((size_t)capacity, sizeof *larger.x);
    larger.y = pd_allocate((size_t)capacity, sizeof *larger.y);
    if (!larger.x || !larger.y) {
        pd_kept_free(&larger);
        return false;
    }
    pd_kept_free(kept);
    *kept = larger;
    return true;
}

void pd_kept_free(pd_kept *kept) {
    pd_free(kept->x);
    pd_free(kept->y);
    *kept = (pd_kept){0};
}

typedef struct movement {
    const pd_kept *kept;
    const pd_particles *particles;
    float farthest2; /* m^2 */
    atomic_bool beyond;
} movement;

static void find_movement(void *context, int begin, int end) {
    movement *m = context;
    const float *x = m->particles->x, *y = m->particles->y, *from_x = m->kept->x, *from_y = m->kept->y;
    float farthest2 = m->farthest2;
    int beyond = 0;
    for (int i = begin; i < end; i++) { /* without a branch, so that it vectorizes */
        float dx = x[i] - from_x[i], dy = y[i] - from_y[i];
        beyond |= !(dx * dx + dy * dy <= farthest2);
    }
    if (beyond) atomic_store_explicit(&m->beyond, true, memory_order_relaxed);
}

bool pd_kept_within(const pd_kept *kept, const pd_particles *particles, pd_pool *pool) {
    float farthest = PD_KEPT_DISTANCE * kept->h;
    movement m = {.kept = kept, .particles = particles, .farthest2 = farthest * farthest};
    pd_parallel_for(pool, particles->count, GRAIN, find_movement, &m);
    return !atomic_load_explicit(&m.beyond, memory_order_relaxed);
}

bool pd_kept_serve(const pd_kept *kept, const pd_world *world, float h) {
    const pd_particles *p = &world->particles;
    bool same_order = kept->count == p->count && kept->sorts == world->neighbours.sorts;
    if (world->substeps_done == 0 || !same_order || kept->h != h) return false;
    return pd_kept_within(kept, p, world->pool);
}

void pd_kept_record(pd_kept *kept, const pd_particles *p, float h, uint64_t sorts) {
    PD_ASSERT(p->count <= kept->capacity);
    memcpy(kept->x, p->x, (size_t)p->count * sizeof *p->x);
    memcpy(kept->y, p->y, (size_t)p->count * sizeof *p->y);
    kept->count = p->count;
    kept->h = h;
    kept->sorts = sorts;
}

void pd_kept_begin(pd_kept *kept, const pd_world *world, float h) {
    pd_kept_record(kept, &world->particles, h, world->neighbours.sorts);
}
