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
    ARRAYS = 14,
    GRAIN = 256, /* particles in a chunk of parallel work */
    GROUP = 16,  /* successive particles for which the bodies are searched together */
};

/* Length of decay: the greater of DECAY radii and SIZES times the smaller side of the body's bounding box. Half as many radii
 * remove a third of the yield stress, four times as many no more than these (docs/notes/bodies.md). */
static const float DECAY = 8, SIZES = 1.5f;

static void describe_arrays(deviator *d, size_t count, pd_array to[ARRAYS]) {
    float **const arrays[ARRAYS] = {&d->x,     &d->y,      &d->far,    &d->near,  &d->pair,  &d->area,    &d->fullness,
                                    &d->reach, &d->weight, &d->normal, &d->shear, &d->known, &d->force_x, &d->force_y};
    for (int k = 0; k < ARRAYS; k++) to[k] = (pd_array){.variable = arrays[k], .count = count, .size = sizeof(float)};
}

static bool reserve(deviator *d, int count) {
    pd_array arrays[ARRAYS];
    if (count <= d->capacity) return true;
    describe_arrays(d, (size_t)count + PD_PADDING, arrays);
    if (!pd_arrays_resize(arrays, ARRAYS)) return false;
    d->capacity = count;
    return true;
}

void deviator_free(deviator *d) {
    pd_array arrays[ARRAYS];
    describe_arrays(d, 0, arrays);
    pd_arrays_free(arrays, ARRAYS);
    d->capacity = 0;
}

static void clear_padding(deviator *d, int count) {
    float *const arrays[] = {d->x, d->y, d->far, d->near, d->pair, d->area, d->normal, d->shear, d->known};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        memset(arrays[k] + count, 0, PD_PADDING * sizeof(float));
}

typedef struct search {
    deviator *deviator;
    const pd_particles *particles;
    const pd_solid *solids;
    const pd_boxtree *tree; /* bounding boxes of the solids in this substep */
    float least_decay;      /* least length of decay, m */
    float widest;           /* greatest distance from a body's box at which deviator.reach may be above -1, m */
} search;

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
        float dx = fmaxf(fmaxf(box->low_x - x, x - box->high_x), 0);
        float dy = fmaxf(fmaxf(box->low_y - y, y - box->high_y), 0);
        reach[i] = fmaxf(reach[i], 3 - per_metre * sqrtf(dx * dx + dy * dy));
        full &= reach[i] >= 1;
    }
    return full;
}

static void find_bodies_near_group(const search *s, int begin, int end) {
    const float *x = s->particles->x, *y = s->particles->y;
    pd_box box = {x[begin], y[begin], x[begin], y[begin]};
    for (int i = begin; i < end; i++) {
        s->deviator->reach[i] = -1;
        box.low_x = fminf(box.low_x, x[i] - s->widest), box.high_x = fmaxf(box.high_x, x[i] + s->widest);
        box.low_y = fminf(box.low_y, y[i] - s->widest), box.high_y = fmaxf(box.high_y, y[i] + s->widest);
    }
    for (int n = pd_boxtree_first_overlap(s->tree, &box); n >= 0; n = pd_boxtree_next_overlap(s->tree, &box, n))
        if (s->solids[s->tree->nodes[n].item].is_body && add_body(s, &s->tree->nodes[n].box, begin, end)) return;
}

static void find_bodies_in_range(void *context, int begin, int end) {
    for (int i = begin; i < end; i += GROUP) find_bodies_near_group(context, i, i + GROUP < end ? i + GROUP : end);
}

bool deviator_begin(deviator *d, const pd_world *world, float h) {
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
            s.widest = fmaxf(s.widest, 4.0f / 3 * compute_length_of_decay(&s, &node->box));
    }
    clear_padding(d, count);
    pd_parallel_for(world->pool, count, GRAIN, find_bodies_in_range, &s);
    return true;
}

/* Relative density at and below which T is 0, as at a surface. */
static const float LEAST_FULLNESS = 0.9f;

static float clamp_to_1(float x) { return fminf(fmaxf(x, 0), 1); }

static void compute_weights_in_range(void *context, int begin, int end) {
    const deviator_pass *pass = context;
    const deviator *d = pass->deviator;
    for (int i = begin; i < end; i++) {
        float inside = clamp_to_1((d->fullness[i] - LEAST_FULLNESS) / (1 - LEAST_FULLNESS));
        d->known[i] = pass->walls->index[i] ? 0 : 1;
        d->weight[i] = d->known[i] * inside * clamp_to_1(d->reach[i]);
    }
}

void deviator_compute_forces(deviator *d, const pd_world *world, const pd_walls *walls, float h,
                             deviator_repulsion repulsion) {
    const deviator_kernels *kernels = PD_SIMD_PICK(deviator_kernels);
    const int count = world->particles.count;
    deviator_pass pass = {.deviator = d,
                          .neighbours = &world->neighbours,
                          .walls = walls,
                          .id = world->particles.id,
                          .h = h,
                          .repulsion = repulsion};
    pd_parallel_for(world->pool, count, GRAIN, compute_weights_in_range, &pass);
    pd_parallel_for(world->pool, count, GRAIN, kernels->compute_deviators, &pass);
    pd_parallel_for(world->pool, count, GRAIN, kernels->compute_forces, &pass);
}
