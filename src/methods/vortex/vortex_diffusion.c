/* Viscosity: particle strength exchange between field vortons (Degond, Mas-Gallic 1989) with a Gaussian kernel as
 * wide as the cores. Cores of the scene's vortons grow, which is exact for a single vortex (Lamb, Oseen). */
#include "core/simd.h"
#include "methods/vortex/vortex.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 16 }; /* greatest number of exchanges in a substep */

static int sort_field_vortons_by_cell(vortex_state *state, int *cell_of) {
    const pd_mac *mac = state->mac;
    size_t cells = mac->layout.count;
    int *start = state->first_in_cell, count = 0;
    memset(start, 0, (cells + 1) * sizeof *start);
    for (int n = 0; n < state->count; n++) {
        vortex_kernel k;
        cell_of[n] = -1;
        if (!(state->area[n] > 0) || !pd_vortex_find_kernel_nodes(mac, state->x[n], state->y[n], &k)) continue;
        cell_of[n] = (int)(k.first + (size_t)mac->layout.stride + 1);
        start[cell_of[n] + 1]++;
        count++;
    }
    for (size_t c = 0; c < cells; c++) start[c + 1] += start[c];
    for (int n = state->count - 1; n >= 0; n--)
        if (cell_of[n] >= 0) state->vortons_by_cell[--start[cell_of[n] + 1]] = n;
    /* At this point start[c + 1] is the index of the first vorton of cell c in vortons_by_cell. */
    memmove(start, start + 1, cells * sizeof *start);
    return count;
}

static void exchange_circulation(void *context, int begin, int end) {
    PD_SIMD_PICK(pd_vortex_exchange_circulation)(context, begin, end);
}

void pd_vortex_diffuse_circulation(pd_world *world, vortex_state *state, float dt) {
    static const float PI = 3.14159265f;
    /* Longest time step of the exchange, in units of core^2/viscosity: a vorton exchanges half its circulation. */
    static const float STABLE = 0.125f;
    float viscosity = world->parameter[VORTEX_VISCOSITY], core2 = state->field_vorton_core * state->field_vorton_core;
    bool any = false;
    if (!(viscosity > 0)) return;
    for (int n = 0; n < state->count; n++) {
        if (state->area[n] > 0)
            any = true;
        else
            state->core[n] = sqrtf(state->core[n] * state->core[n] + 4 * viscosity * dt);
    }
    if (!any) return;
    /* The arrays from_x, sum_x and rate_x serve as working memory, since no Runge-Kutta stage is being computed. */
    vortex_exchange e = {.layout = &state->mac->layout,
                         .start = state->first_in_cell,
                         .vortons_by_cell = state->vortons_by_cell,
                         .x = state->from_x,
                         .y = state->from_y,
                         .area = state->sum_x,
                         .circulation = state->sum_y,
                         .circulation_change = state->circulation_change,
                         .cell_of = (int *)(void *)state->rate_x};
    int count = sort_field_vortons_by_cell(state, e.cell_of);
    for (int b = 0; b < count; b++) {
        int n = state->vortons_by_cell[b];
        e.x[b] = state->x[n];
        e.y[b] = state->y[n];
        e.area[b] = state->area[n];
        e.circulation[b] = state->circulation[n];
    }
    int passes = (int)fminf(ceilf(viscosity * dt / (STABLE * core2)), MOST_PASSES);
    float part = fminf(viscosity * dt / (float)passes, STABLE * core2);
    e.factor = part / core2 * 4 / (PI * core2);
    e.inverse_width2 = 1 / core2;
    for (int pass = 0; pass < passes; pass++) {
        pd_parallel_for(world->pool, count, 256, exchange_circulation, &e);
        for (int b = 0; b < count; b++) e.circulation[b] += e.circulation_change[b];
    }
    for (int b = 0; b < count; b++) state->circulation[state->vortons_by_cell[b]] = e.circulation[b];
}
