/* Finds the particles near walls, and computes their wall weights in parallel (walls.h). */
#include "sim/walls/walls.h"

#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "sim/walls/walls_search.h"

#include <math.h>
#include <string.h>

enum { GRAIN = PD_WALLS_GRAIN, GROUP = PD_WALLS_GROUP };

/* Allocates `count` weights. Sets the first one, which all particles away from walls use. */
static bool reserve_weights(pd_walls *walls, int count) {
    if (!PD_ARRAY_RESERVE(walls->weight, walls->capacity, 0, count)) return false;
    walls->weight[0] = (pd_wall_weight){.far_gain = 1, .near_gain = 1, .cohesion = 1};
    return true;
}

pd_result pd_walls_reserve(pd_walls *walls, int capacity, pd_error *error) {
    if (reserve_weights(walls, 1) &&
        pd_arrays_resize(PD_ARRAYS(PD_ARRAY(walls->index, 0, (size_t)capacity + PD_PADDING),
                                   PD_ARRAY(walls->chunk, 0, capacity / GRAIN + 1))))
        return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d particles (use fewer)", capacity);
}

void pd_walls_free(pd_walls *walls) {
    pd_free(walls->index);
    pd_free(walls->weight);
    pd_free(walls->chunk);
    *walls = (pd_walls){0};
}

pd_box pd_walls_compute_bounding_box(const pd_walls_search *s, int begin, int end) {
    const float *x = s->x, *y = s->y;
    pd_box box = {x[begin], y[begin], x[begin], y[begin]};
    for (int i = begin + 1; i < end; i++) {
        box.low_x = x[i] < box.low_x ? x[i] : box.low_x;
        box.high_x = x[i] > box.high_x ? x[i] : box.high_x;
        box.low_y = y[i] < box.low_y ? y[i] : box.low_y;
        box.high_y = y[i] > box.high_y ? y[i] : box.high_y;
    }
    return box;
}

/* Returns whether a wall may hide a share from any of the particles [begin, end). */
static bool is_wall_near(const pd_walls_search *s, int begin, int end) {
    pd_box box = pd_walls_compute_bounding_box(s, begin, end), wide = pd_walls_widen_box(s, &box);
    if (pd_walls_may_container_hide_share(s, &wide)) return true;
    for (int n = pd_boxtree_first_overlap(s->tree, &wide); n >= 0; n = pd_boxtree_next_overlap(s->tree, &wide, n))
        if (pd_walls_may_solid_hide_share(s, s->tree->nodes[n].item, &box)) return true;
    return false;
}

/* Marks particles near walls: sets walls->index to 1 for all particles of a group if a wall is near one of them,
 * else to 0. Stores the number of marked particles in walls->chunk. */
static void mark_particles_near_walls(void *context, int begin, int end) {
    const pd_walls_search *s = context;
    uint32_t *index = s->walls->index;
    int marked = 0;
    for (int group = begin; group < end; group += GROUP) {
        int last = group + GROUP < end ? group + GROUP : end;
        bool near = is_wall_near(s, group, last);
        for (int i = group; i < last; i++) index[i] = near;
        if (near) marked += last - group;
    }
    s->walls->chunk[begin / GRAIN] = marked;
}

/* Replaces each element of walls->chunk (number of marked particles) by the index of the chunk's first weight. Returns the
 * total number of weights. */
static size_t compute_chunk_starts(pd_walls *walls, int count) {
    size_t next = 1;
    for (int c = 0; c * GRAIN < count; c++) {
        int marked = walls->chunk[c];
        walls->chunk[c] = (int)next;
        next += (size_t)marked;
    }
    return next;
}

void pd_walls_compute_weights(pd_walls *walls, pd_world *world, const pd_walls_rule *rule) {
    int count = world->particles.count, solids;
    const bool bodies = world->scene.body_count > 0;
    pd_walls_search s = {
        .walls = walls,
        .world = world,
        .rule = rule,
        .container = pd_boundary_container(world->boundary),
        .solids = pd_boundary_solids(world->boundary, &solids),
        .tree = pd_boundary_obstacle_tree(world->boundary),
        .x = rule->x ? rule->x : world->particles.x,
        .y = rule->y ? rule->y : world->particles.y,
        .reach = rule->radius * (1 - (bodies ? fminf(rule->outside, rule->body_outside) : rule->outside)),
        .wide_reach = 1.02f * rule->radius,
    };
    double seconds = pd_boundary_substep_seconds(world->boundary);
    s.ahead = seconds > 0 ? fabs((double)rule->ahead) / seconds : 0;
    memset(walls->index + count, 0, PD_PADDING * sizeof *walls->index); /* SIMD loads read beyond the last particle */
    if (rule->weight > 0) {
        pd_parallel_for(world->pool, count, GRAIN, mark_particles_near_walls, &s);
        if (reserve_weights(walls, (int)compute_chunk_starts(walls, count))) {
            pd_parallel_for(world->pool, count, GRAIN, PD_SIMD_PICK(pd_walls_compute_particle_weights), &s);
            return;
        }
    }
    memset(walls->index, 0, (size_t)count * sizeof *walls->index);
}

void pd_walls_add_reaction_impulses(const pd_impulses *impulses, int first_particle, int chunk_size,
                                    const pd_wall_weight *weight, float mass, pd_vec2 place) {
    double far = -(double)(weight->far_push * mass), near = -(double)(weight->near_push * mass);
    for (int k = 0; k < weight->walls; k++)
        pd_impulses_add(impulses, first_particle, chunk_size, weight->wall[k],
                        far * weight->far_slope_of_wall[k][0] + near * weight->near_slope_of_wall[k][0],
                        far * weight->far_slope_of_wall[k][1] + near * weight->near_slope_of_wall[k][1], place);
}
