/* Momentum that the fluid gives to walls. */
#include "sim/walls/impulses.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

bool pd_impulses_init(pd_impulses *impulses, int solid_count) {
    int walls = solid_count + 1;
    size_t numbers = PD_IMPULSE_PARTS * (size_t)walls;
    *impulses = (pd_impulses){.walls = walls};
    impulses->chunk = pd_allocate(numbers * PD_IMPULSE_CHUNKS, sizeof *impulses->chunk);
    impulses->last = pd_allocate(numbers, sizeof *impulses->last);
    impulses->total = pd_allocate(numbers, sizeof *impulses->total);
    return impulses->chunk && impulses->last && impulses->total;
}

void pd_impulses_free(pd_impulses *impulses) {
    pd_free(impulses->chunk);
    pd_free(impulses->last);
    pd_free(impulses->total);
    *impulses = (pd_impulses){0};
}

void pd_impulses_clear(pd_impulses *impulses) {
    size_t bytes = PD_IMPULSE_PARTS * (size_t)impulses->walls * sizeof(double);
    memset(impulses->chunk, 0, PD_IMPULSE_CHUNKS * bytes);
    memset(impulses->last, 0, bytes);
    memset(impulses->total, 0, bytes);
}

void pd_impulses_clear_totals(pd_impulses *impulses) {
    memset(impulses->total, 0, PD_IMPULSE_PARTS * (size_t)impulses->walls * sizeof *impulses->total);
}

void pd_impulses_add_chunks_to_totals(pd_impulses *impulses) {
    int numbers = PD_IMPULSE_PARTS * impulses->walls;
    memset(impulses->last, 0, (size_t)numbers * sizeof *impulses->last);
    for (int c = 0; c < PD_IMPULSE_CHUNKS; c++)
        for (int k = 0; k < numbers; k++) {
            double *sum = &impulses->chunk[c * numbers + k];
            impulses->last[k] += *sum;
            impulses->total[k] += *sum;
            *sum = 0;
        }
}
