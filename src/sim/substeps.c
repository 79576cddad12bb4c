/* How many substeps a step takes: as many as the method's limits ask for, unless the scene fixes them. */
#include "core/memory.h"
#include "sim/world.h"

#include <math.h>

static int substeps_within(const pd_world *world, float seconds) {
    float count = ceilf(world->scene.dt / seconds * 0.9999f); /* the tolerance keeps rounding from adding a substep */
    return (int)fminf(fmaxf(count, 1), PD_MAX_SUBSTEPS);
}

static int find_costs(const pd_world *world, pd_substep_cost costs[PD_MAX_COSTS]) {
    pd_substep_limit limits[PD_MAX_COSTS];
    if (world->scene.substeps > 0) return 0;
    int count = pd_method_substep_limits(world, limits);
    for (int i = 0; i < count; i++) {
        const char *key = limits[i].parameter < 0 ? "speed" : world->key[limits[i].parameter];
        pd_substep_cost cost = {key, limits[i].value, substeps_within(world, limits[i].seconds)};
        int k = i; /* insertion sort, most substeps first */
        for (; k > 0 && costs[k - 1].substeps < cost.substeps; k--) costs[k] = costs[k - 1];
        costs[k] = cost;
    }
    return count;
}

int pd_world_fill_costs(const pd_world *world, pd_substep_cost *costs, size_t size) {
    pd_substep_cost own[PD_MAX_COSTS];
    int count = find_costs(world, own);
    for (int i = 0; i < count; i++) pd_copy_struct((char *)costs + (size_t)i * size, size, &own[i], sizeof own[i]);
    return count;
}

int pd_world_needed_substeps(const pd_world *world) {
    if (world->scene.substeps > 0) return world->scene.substeps;
    pd_substep_cost costs[PD_MAX_COSTS];
    return find_costs(world, costs) > 0 ? costs[0].substeps : 1;
}
