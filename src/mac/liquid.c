/* Extrapolation of velocities from liquid into air. */
#include "mac/liquid.h"

#include "core/simd.h"

#include <string.h>

enum { NEIGHBOURS = 8, SIDES = 4, ROWS_PER_CHUNK = 32 };

/* Computes the mean velocity of the neighbours of face `at` that are in layers before `layer`. The four neighbours at
 * corners are used only if none of the four at sides is in such a layer. Returns false if no neighbour is in such a
 * layer. */
static bool compute_mean_of_neighbours_in_earlier_layers(const pd_layout *l, const uint8_t *known, const float *values,
                                                         size_t at, int layer, float *mean) {
    const ptrdiff_t up = l->stride, offset[NEIGHBOURS] = {-1, 1, -up, up, -1 - up, 1 - up, -1 + up, 1 + up};
    float sum = 0;
    int count = 0;
    for (int k = 0; k < NEIGHBOURS; k++) {
        if (k == SIDES && count) break;
        ptrdiff_t from = (ptrdiff_t)at + offset[k];
        if (!known[from] || known[from] > layer) continue;
        sum += values[from];
        count++;
    }
    if (count) *mean = sum / (float)count;
    return count > 0;
}

/* Extrapolates the velocities by one layer of faces. Ghost faces are left out, since they lack neighbours:
 * pd_band_extrapolate sets their velocities. */
static void extrapolate_velocities_by_layer(const pd_liquid_loop_data *s, float *values, int layer) {
    const pd_layout *l = &s->mac->layout;
    for (int j = 0; j < l->ny; j++) {
        const uint8_t *beside_known = s->beside_known + pd_element_index(l, 0, j);
        size_t row = pd_element_index(l, 0, j);
        for (int i = 0; i < l->nx + !s->vertical; i += 8) {
            uint64_t any;
            memcpy(&any, beside_known + i, sizeof any);
            if (!any) continue;
            for (int k = i; k < i + 8 && k < l->nx + !s->vertical; k++)
                if (beside_known[k] && compute_mean_of_neighbours_in_earlier_layers(
                                           l, s->known, values, row + (size_t)k, layer, values + row + k))
                    s->known[row + (size_t)k] = (uint8_t)(layer + 1);
        }
    }
}

static void extrapolate_velocity_component(pd_liquid_loop_data *s, float *values, int layers, pd_pool *pool) {
    const pd_layout *l = &s->mac->layout;
    const pd_liquid_kernels *kernels = PD_SIMD_PICK(pd_liquid_kernels);
    memset(s->known, 0, l->count);
    pd_parallel_for(pool, l->ny, ROWS_PER_CHUNK, kernels->mark_known_faces, s);
    for (int layer = 1; layer <= layers; layer++) {
        pd_parallel_for(pool, l->ny, ROWS_PER_CHUNK, kernels->mark_faces_beside_known, s);
        extrapolate_velocities_by_layer(s, values, layer);
    }
    pd_parallel_for(pool, l->ny + 2, ROWS_PER_CHUNK, kernels->clear_unknown_velocities, s);
}

void pd_liquid_extrapolate_velocities(pd_liquid_loop_data *s, int layers, pd_pool *pool) {
    s->vertical = false;
    extrapolate_velocity_component(s, s->mac->u, layers, pool);
    s->vertical = true;
    extrapolate_velocity_component(s, s->mac->v, layers, pool);
}
