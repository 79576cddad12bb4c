/* Viscosity of the vortex particles' fluid: particle strength exchange, Degond and Mas-Gallic 1989, with a Gaussian
 * kernel as wide as the cores. Vortons without an area spread by their cores, which is exact for one alone (Lamb, Oseen). */
#include "methods/vortex.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 16, REACH = 4 /* cells: 2.9 cores */ };

/* Sorts the vortons with an area by the cell that they are in. */
static void sort_by_cell(vortex_state *state, int *cell_of) {
    const pd_mac *mac = state->mac;
    size_t cells = mac->layout.count;
    int *start = state->bin_start;
    memset(start, 0, (cells + 1) * sizeof *start);
    for (int n = 0; n < state->count; n++) {
        vortex_kernel k;
        cell_of[n] = -1;
        if (!(state->area[n] > 0) || !vortex_find_kernel(mac, state->x[n], state->y[n], &k)) continue;
        cell_of[n] = (int)(k.first + (size_t)mac->layout.stride + 1);
        start[cell_of[n] + 1]++;
    }
    for (size_t c = 0; c < cells; c++) start[c + 1] += start[c];
    for (int n = state->count - 1; n >= 0; n--)
        if (cell_of[n] >= 0) state->bin[--start[cell_of[n] + 1]] = n;
    /* Now element c + 1 is where cell c begins. */
    memmove(start, start + 1, cells * sizeof *start);
}

typedef struct exchange_job {
    const vortex_state *state;
    const int *cell_of;
    float *change;
    float factor, inverse2; /* 1/m^2 both */
} exchange_job;

static void exchange(void *context, int begin, int end) {
    const exchange_job *job = context;
    const vortex_state *s = job->state;
    const pd_layout *l = &s->mac->layout;
    for (int n = begin; n < end; n++) {
        float sum = 0;
        int row = job->cell_of[n] / l->stride, column = job->cell_of[n] % l->stride;
        for (int j = row - REACH < 0 ? 0 : row - REACH; j <= row + REACH && j < l->ny + 2 && job->cell_of[n] >= 0;
             j++) {
            int left = column - REACH < 0 ? 0 : column - REACH;
            int right = column + REACH >= l->stride ? l->stride - 1 : column + REACH;
            int from = s->bin_start[j * l->stride + left], to = s->bin_start[j * l->stride + right + 1];
            for (int b = from; b < to; b++) {
                int m = s->bin[b];
                float dx = s->x[m] - s->x[n], dy = s->y[m] - s->y[n], r2 = (dx * dx + dy * dy) * job->inverse2;
                if (r2 < 9) sum += (s->area[n] * s->circulation[m] - s->area[m] * s->circulation[n]) * expf(-r2);
            }
        }
        job->change[n] = sum * job->factor;
    }
}

void vortex_diffuse(pd_world *world, vortex_state *state, float dt) {
    static const float PI = 3.14159265f,
                       STABLE = 0.125f; /* of core^2 / viscosity: a pass takes half of what is exchanged */
    float viscosity = world->parameter[VORTEX_VISCOSITY], core2 = state->field_core * state->field_core;
    bool any = false;
    if (!(viscosity > 0)) return;
    for (int n = 0; n < state->count; n++) {
        if (state->area[n] > 0)
            any = true;
        else
            state->core[n] = sqrtf(state->core[n] * state->core[n] + 4 * viscosity * dt);
    }
    if (!any) return;
    int *cell_of = (int *)(void *)state->rate_x; /* free outside of the integration */
    sort_by_cell(state, cell_of);
    int passes = (int)fminf(ceilf(viscosity * dt / (STABLE * core2)), MOST_PASSES);
    float part = fminf(viscosity * dt / (float)passes, STABLE * core2);
    exchange_job job = {state, cell_of, state->change, part / core2 * 4 / (PI * core2), 1 / core2};
    for (int pass = 0; pass < passes; pass++) {
        pd_parallel_for(world->pool, state->count, 256, exchange, &job);
        for (int n = 0; n < state->count; n++) state->circulation[n] += state->change[n];
    }
}
