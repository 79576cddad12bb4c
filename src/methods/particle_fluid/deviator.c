/* Distances from bodies, and the order of the loops that remove the yield stress (deviator.h). */
#include "methods/particle_fluid/deviator.h"

#include "core/array.h"
#include "core/memory.h"
#include "core/simd.h"
#include "sim/walls/boundary.h"
#include "sim/walls/boxtree.h"
#include "sim/walls/solid.h"

#include <math.h>
#include <string.h>

enum {
    ARRAYS = 6,
    GROUP = 16, /* successive particles for which the bodies are searched together */
};

/* Length of decay: the greater of DECAY radii and SIZES times the smaller side of the body's bounding box. Half as many radii
 * remove a third of the yield stress, four times as many no more than these (docs/notes/bodies.md). */
static const float DECAY = 8, SIZES = 1.5f;

static void describe_arrays(deviator *d, size_t count, pd_array to[ARRAYS]) {
    const pd_array arrays[ARRAYS] = {PD_ARRAY(d->pair, 0, count),    PD_ARRAY(d->stress, 0, count),
                                     PD_ARRAY(d->weight, 0, count),  PD_ARRAY(d->reach, 0, count),
                                     PD_ARRAY(d->force_x, 0, count), PD_ARRAY(d->force_y, 0, count)};
    memcpy(to, arrays, sizeof arrays);
}

static bool reserve(deviator *d, int count) {
    pd_array arrays[ARRAYS];
    if (count <= d->capacity) return true;
    describe_arrays(d, (size_t)count + PD_PADDING, arrays);
    if (!pd_arrays_resize(arrays, ARRAYS)) return false;
    d->capacity = count;
    return true;
}

void pd_deviator_free(deviator *d) {
    pd_array arrays[ARRAYS];
    describe_arrays(d, 0, arrays);
    pd_arrays_free(arrays, ARRAYS);
    d->capacity = 0;
}

typedef struct search {
    deviator *deviator;
    const pd_particles *particles;
    const pd_solid *solids;
    const pd_boxtree *tree; /* bounding boxes of the solids in this substep */
    float least_decay;      /* least length of decay, m */
    float widest;           /* greatest distance from a body's box at which deviator.reach may be above FAR, m */
} search;

/* deviator.reach of particles far from all bodies. */
static const float FAR = -1.5f;

/* Like fmaxf, which is a call of libm. */
static float get_greater(float a, float b) { return a > b ? a : b; }

static float compute_length_of_decay(const search *s, const pd_box *box) {
    return fmaxf(s->least_decay, SIZES * fminf(box->high_x - box->low_x, box->high_y - box->low_y));
}

/* Raises deviator.reach of particles [begin, end) to the value of one body. Returns whether all are at least 1: other bodies
 * do not matter then. */
static bool add_body(const search *s, const pd_box *box, int begin, int end) {
    const float per_metre = 3 / compute_length_of_decay(s, box);
    float *reach = s->deviator->reach;
    bool full = true;
    for (int i = begin; i < end; i++) {
        float x = s->particles->x[i], y = s->particles->y[i];
        float dx = get_greater(get_greater(box->low_x - x, x - box->high_x), 0);
        float dy = get_greater(get_greater(box->low_y - y, y - box->high_y), 0);
        reach[i] = get_greater(reach[i], 3 - per_metre * sqrtf(dx * dx + dy * dy));
        full &= reach[i] >= 1;
    }
    return full;
}

static void find_bodies_near_group(const search *s, int begin, int end) {
    const float *x = s->particles->x, *y = s->particles->y;
    pd_box box = {x[begin], y[begin], x[begin], y[begin]};
    for (int i = begin; i < end; i++) {
        s->deviator->reach[i] = FAR;
        box.low_x = x[i] < box.low_x ? x[i] : box.low_x;
        box.high_x = get_greater(x[i], box.high_x);
        box.low_y = y[i] < box.low_y ? y[i] : box.low_y;
        box.high_y = get_greater(y[i], box.high_y);
    }
    box.low_x -= s->widest, box.high_x += s->widest, box.low_y -= s->widest, box.high_y += s->widest;
    for (int n = pd_boxtree_first_overlap(s->tree, &box); n >= 0; n = pd_boxtree_next_overlap(s->tree, &box, n))
        if (s->solids[s->tree->nodes[n].item].is_body && add_body(s, &s->tree->nodes[n].box, begin, end)) return;
}

static void find_bodies_in_range(void *context, int begin, int end) {
    for (int i = begin; i < end; i += GROUP) find_bodies_near_group(context, i, i + GROUP < end ? i + GROUP : end);
}

bool pd_deviator_begin(deviator *d, const pd_world *world, float h) {
    int solids, count = world->particles.count;
    if (world->scene.body_count == 0 || count == 0 || !reserve(d, count)) return false;
    search s = {.deviator = d,
                .particles = &world->particles,
                .solids = pd_boundary_solids(world->boundary, &solids),
                .tree = pd_boundary_obstacle_tree(world->boundary),
                .least_decay = DECAY * h};
    for (int n = 0; n < s.tree->node_count; n++) {
        const pd_boxnode *node = &s.tree->nodes[n];
        if (node->item >= 0 && s.solids[node->item].is_body)
            s.widest = fmaxf(s.widest, (1 - FAR / 3) * compute_length_of_decay(&s, &node->box));
    }
    for (int i = count; i <= pd_lists_sentinel_index(count); i++) {
        memcpy(d->pair[i], (deviator_pair){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION}, sizeof(deviator_pair));
        memcpy(d->stress[i], (deviator_stress){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION}, sizeof(deviator_stress));
        d->weight[i] = 0;
    }
    pd_parallel_for(world->pool, count, PD_LIST_GRAIN, find_bodies_in_range, &s);
    return true;
}

/* Relative density at and below which T is 0, as at a surface. */
static const float LEAST_DENSITY = 0.9f;

static float clamp_to_1(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

static void compute_weights_in_range(void *context, int begin, int end) {
    const deviator_pass *pass = context;
    const deviator *d = pass->deviator;
    for (int i = begin; i < end; i++) {
        if (!deviator_is_needed(d, i)) {
            d->weight[i] = 0;
            continue;
        }
        float inside = clamp_to_1((d->weight[i] - LEAST_DENSITY) / (1 - LEAST_DENSITY));
        const pd_wall_weight *walls = &pass->walls->weight[pass->walls->index[i]];
        bool one_body_at_most = walls->walls == 0 || (walls->walls == 1 && walls->wall[0] >= pass->first_body);
        d->weight[i] = one_body_at_most ? inside * clamp_to_1(d->reach[i]) : 0;
    }
}

void pd_deviator_compute_forces(deviator *d, const pd_world *world, const pd_lists *lists, const pd_walls *walls,
                                float h, deviator_repulsion repulsion) {
    const pd_deviator_kernels *kernels = PD_SIMD_PICK(pd_deviator_kernels);
    const int count = world->particles.count;
    deviator_pass pass = {.deviator = d,
                          .lists = lists,
                          .walls = walls,
                          .first_body = world->scene.obstacle_count,
                          .h = h,
                          .repulsion = repulsion};
    pd_parallel_for(world->pool, count, PD_LIST_GRAIN, compute_weights_in_range, &pass);
    pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels->compute_deviators, &pass);
    pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels->compute_forces, &pass);
}
