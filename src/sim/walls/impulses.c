/* Momentum that the fluid gives to walls. */
#include "sim/walls/impulses.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

bool pd_impulses_init(pd_impulses *impulses, int obstacle_count) {
    int walls = obstacle_count + 1;
    *impulses = (pd_impulses){.walls = walls};
    impulses->chunk = pd_allocate(2 * (size_t)walls * PD_IMPULSE_CHUNKS, sizeof *impulses->chunk);
    impulses->total = pd_allocate(2 * (size_t)walls, sizeof *impulses->total);
    return impulses->chunk && impulses->total;
}

void pd_impulses_free(pd_impulses *impulses) {
    pd_free(impulses->chunk);
    pd_free(impulses->total);
    *impulses = (pd_impulses){0};
}

void pd_impulses_clear_totals(pd_impulses *impulses) {
    memset(impulses->total, 0, 2 * (size_t)impulses->walls * sizeof *impulses->total);
}

void pd_impulses_add_chunks_to_totals(pd_impulses *impulses) {
    int numbers = 2 * impulses->walls;
    for (int c = 0; c < PD_IMPULSE_CHUNKS; c++)
        for (int k = 0; k < numbers; k++) {
            double *sum = &impulses->chunk[c * numbers + k];
            impulses->total[k] += *sum;
            *sum = 0;
        }
}
