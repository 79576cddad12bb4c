/* Induced velocities: units, accuracy, sorting, the tree, parallel evaluation. */
#include "vortex/induction.h"

#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "vortex/induction_box.h"
#include "vortex/induction_levels.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    LEAF = PD_VORTEX_LEAF,
    DIRECT_POSITIONS = 64,   /* number of positions in a parallel chunk if all pairs are summed */
    POINTS_PER_CHUNK = 4096, /* number of points in a parallel chunk of compute_hilbert_keys */
    NODES_PER_CHUNK = 64,    /* number of nodes in a parallel chunk while the tree is built */
    DIRECTIONS = 2,          /* directions along a narrow box: to the left, to the right */
};

static const double two_pi = 6.28318530717958647692;

struct pd_induction {
    pd_vortex_field field;             /* vortices and their tree, in the units below */
    pd_vortex_lattice lattice;         /* sums over the far reflections of a box */
    pd_induction_walls walls;          /* walls that image vortices represent */
    int most_vortices, most_positions; /* numbers of vortices and of positions for which memory is allocated */
    double unit;                       /* unit of length in `field`, m */
    float per_metre;                   /* 1/unit */
    double velocity;                   /* unit of the velocities in `field`, m/s */
    double circulation;       /* unit of circulation in `field`: absolute circulation of the strongest vortex, m^2/s */
    uint64_t *keys, *scratch; /* keys of the vortices or positions being sorted */
    int *order; /* indices of points in their order along the Hilbert curve; used if the caller passes no order */
};

/* ---- Memory ---- */

static size_t leaf_count_of_vortices(int count) { return ((size_t)count + LEAF - 1) / LEAF; }
static size_t padded_vortex_count(int count) { return count > 0 ? leaf_count_of_vortices(count) * LEAF + 1 : 0; }
static size_t greatest_node_count(int count) {
    return count > 0 ? leaf_count_of_vortices(count) + leaf_count_of_vortices(count) / 3 + PD_VORTEX_DEPTH : 0;
}

/* Lists the arrays of n->field (PD_ARRAYS) with sizes for `count` vortices. Resizing copies the elements of the first
 * `kept` vortices. */
#define VORTEX_ARRAYS(n, kept, count)                                                                                  \
    PD_ARRAYS(PD_ARRAY((n)->field.x, padded_vortex_count(kept), padded_vortex_count(count)),                           \
              PD_ARRAY((n)->field.y, padded_vortex_count(kept), padded_vortex_count(count)),                           \
              PD_ARRAY((n)->field.circulation, padded_vortex_count(kept), padded_vortex_count(count)),                 \
              PD_ARRAY((n)->field.core, padded_vortex_count(kept), padded_vortex_count(count)),                        \
              PD_ARRAY((n)->field.core_scale, padded_vortex_count(kept), padded_vortex_count(count)),                  \
              PD_ARRAY((n)->field.node, greatest_node_count(kept), greatest_node_count(count)),                        \
              PD_ARRAY((n)->field.first_child, greatest_node_count(kept), greatest_node_count(count)),                 \
              PD_ARRAY((n)->field.child_count, greatest_node_count(kept), greatest_node_count(count)),                 \
              PD_ARRAY((n)->field.multipole, 2 * PD_VORTEX_ORDER * greatest_node_count(kept),                          \
                       2 * PD_VORTEX_ORDER * greatest_node_count(count)),                                              \
              PD_ARRAY((n)->field.fourier_modes[0], PD_VORTEX_MOST_MODES_PER_LEAF *leaf_count_of_vortices(kept),       \
                       PD_VORTEX_MOST_MODES_PER_LEAF *leaf_count_of_vortices(count)),                                  \
              PD_ARRAY((n)->field.fourier_modes[1], PD_VORTEX_MOST_MODES_PER_LEAF *leaf_count_of_vortices(kept),       \
                       PD_VORTEX_MOST_MODES_PER_LEAF *leaf_count_of_vortices(count)))
/* Lists the arrays (PD_ARRAYS) that sort `count` vortices or positions along the Hilbert curve. Resizing copies the
 * first `kept` elements. */
#define POINT_ARRAYS(n, kept, count)                                                                                   \
    PD_ARRAYS(PD_ARRAY((n)->keys, kept, count), PD_ARRAY((n)->scratch, kept, count), PD_ARRAY((n)->order, kept, count))

pd_result pd_induction_create(pd_induction **created, pd_error *error) {
    *created = pd_allocate(1, sizeof **created);
    if (!*created) return pd_fail_memory(error, "vortices");
    return PD_OK;
}

void pd_induction_destroy(pd_induction *induction) {
    if (!induction) return;
    pd_arrays_free(VORTEX_ARRAYS(induction, 0, 0));
    pd_arrays_free(POINT_ARRAYS(induction, 0, 0));
    pd_free(induction);
}

pd_result pd_induction_reserve(pd_induction *induction, int vortices, int positions, pd_error *error) {
    int points = vortices > positions ? vortices : positions;
    bool enough = points <= PD_INDUCTION_MOST_POINTS;
    if (enough && points > induction->most_positions) {
        enough = pd_arrays_resize(POINT_ARRAYS(induction, induction->most_positions, points));
        if (enough) induction->most_positions = points;
    }
    if (enough && vortices > induction->most_vortices) {
        enough = pd_arrays_resize(VORTEX_ARRAYS(induction, induction->most_vortices, vortices));
        if (enough) induction->most_vortices = vortices;
    }
    if (enough) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                   "no memory for the velocities of %d vortices at %d positions (use fewer)", vortices, positions);
}

/* ---- Units ---- */

/* Returns the next power of 2 above a length. */
static double power_of_two_above(double length) {
    int exponent;
    if (!(length > 0) || length > 1e30) return 1;
    frexp(length, &exponent);
    return ldexp(1, exponent);
}

static float clamp_magnitude(float value, float limit) {
    if (!(value > -limit)) return value < 0 ? -limit : 0; /* NaN gives 0 */
    return value < limit ? value : limit;
}

/* Bounding box of points. Infinite coordinates count as FLT_MAX, NaN as 0. */
typedef struct bounding_box {
    float left, right, bottom, top;
} bounding_box;

static bounding_box compute_bounding_box_of_points(int count, const float *px, const float *py) {
    bounding_box b = {FLT_MAX, -FLT_MAX, FLT_MAX, -FLT_MAX};
    if (count == 0) return (bounding_box){-1, 1, -1, 1};
    for (int i = 0; i < count; i++) {
        float x = clamp_magnitude(px[i], FLT_MAX), y = clamp_magnitude(py[i], FLT_MAX);
        b.left = x < b.left ? x : b.left;
        b.right = x > b.right ? x : b.right;
        b.bottom = y < b.bottom ? y : b.bottom;
        b.top = y > b.top ? y : b.top;
    }
    return b;
}

/* Sets the field's unit of length, its origin and its walls. Without walls the origin is (0, 0), and the unit of length
 * follows from the vortices. */
static void set_units_and_walls(pd_induction *induction, const pd_induction_walls *walls, const pd_vortices *v) {
    pd_vortex_field *f = &induction->field;
    induction->walls = *walls;
    f->short_side = f->long_side = 0;
    f->kind = v->count > 0 || walls->kind == PD_WALLS_OUT_OF_DISC ? walls->kind : PD_WALLS_NONE;
    if (walls->kind == PD_WALLS_NONE) {
        bounding_box b = compute_bounding_box_of_points(v->count, v->x, v->y);
        induction->walls.center = (pd_vec2){0, 0};
        induction->unit = power_of_two_above(
            (double)fmaxf(fmaxf(fabsf(b.left), fabsf(b.right)), fmaxf(fabsf(b.bottom), fabsf(b.top))));
    } else if (walls->kind == PD_WALLS_IN_BOX) {
        double width = (double)walls->size.x, height = (double)walls->size.y;
        induction->unit = power_of_two_above(0.5 * (width > height ? width : height));
        pd_vortex_list_box_reflections(f, &induction->lattice, width / induction->unit, height / induction->unit);
        return;
    } else {
        induction->unit = power_of_two_above((double)walls->radius);
    }
    f->near_reflection_count = 1;
    f->near_reflections[0] = (pd_vortex_reflection){0, 0, 1, 1};
    f->radius = f->far_radius = (float)((double)walls->radius / induction->unit);
}

/* Sets term_count, separation and cutoff from the first row of the table, in order of increasing cost, whose error is
 * below the tolerance. The errors were measured as in tests/methods/test_induction.c, with overlapping cores: vortices of one
 * sign and of both signs, evenly spread, in clusters, in a line and at walls. */
static void set_tree_accuracy(pd_vortex_field *f, pd_induction_solver solver, double tolerance) {
    static const struct {
        double tolerance;
        int order;
        float separation, cutoff;
    } table[] = {{1e-1, 4, 1.6f, 1.8f}, {1e-2, 6, 1.9f, 2.3f}, {1e-3, 8, 2, 2.7f},
                 {1e-4, 12, 2, 3.3f},   {1e-5, 14, 2, 3.6f},   {0, 18, 2, 4.2f}};
    enum { ROWS = sizeof table / sizeof *table };
    int row = 0;
    while (row < ROWS - 1 && tolerance < 0.999 * table[row].tolerance) row++;
    f->direct = solver == PD_INDUCTION_DIRECT;
    f->term_count = table[row].order;
    f->separation = table[row].separation;
    f->cutoff = f->direct ? table[ROWS - 1].cutoff : table[row].cutoff;
}

/* ---- Vortices ---- */

typedef struct points {
    const float *x, *y;    /* positions, m */
    pd_vortex_curve curve; /* Hilbert curve through the points */
    uint64_t *keys;        /* by point: number of its cell along the curve */
} points;

static void compute_hilbert_keys(void *context, int begin, int end) {
    const points *p = context;
    PD_SIMD_PICK(pd_vortex_compute_keys)(&p->curve, p->x, p->y, begin, end, p->keys);
}

/* Returns a Hilbert curve in a square around the circle or box of the walls, otherwise around the points. Points
 * outside the square get the keys of the nearest cells in it. */
static pd_vortex_curve make_hilbert_curve(const pd_induction_walls *walls, int count, const float *px,
                                          const float *py) {
    double x = (double)walls->center.x, y = (double)walls->center.y, half = (double)walls->radius;
    if (walls->kind == PD_WALLS_IN_BOX) half = 0.5 * (double)fmaxf(walls->size.x, walls->size.y);
    if (walls->kind == PD_WALLS_NONE || walls->kind == PD_WALLS_OUT_OF_DISC) {
        bounding_box b = compute_bounding_box_of_points(count, px, py);
        x = 0.5 * ((double)b.left + (double)b.right);
        y = 0.5 * ((double)b.bottom + (double)b.top);
        half = 0.5 * fmax((double)b.right - (double)b.left, (double)b.top - (double)b.bottom);
    }
    half = half > 1e-30 ? fmin(half, 1e30) : 1;
    return (pd_vortex_curve){clamp_magnitude((float)(x - half), FLT_MAX), clamp_magnitude((float)(y - half), FLT_MAX),
                             (float)((1 << PD_VORTEX_KEY_BITS) / (2 * half))};
}

/* Sorts the first `count` Hilbert keys in induction->keys, by a radix sort that begins with the lowest digit. */
static void sort_hilbert_keys(pd_induction *induction, int count) {
    enum { PASSES = 4, BITS = 2 * PD_VORTEX_KEY_BITS / PASSES, DIGITS = 1 << BITS };
    uint32_t place[PASSES][DIGITS] = {{0}};
    for (int i = 0; i < count; i++)
        for (int p = 0; p < PASSES; p++)
            place[p][induction->keys[i] >> (PD_VORTEX_INDEX_BITS + p * BITS) & (DIGITS - 1)]++;
    for (int p = 0; p < PASSES; p++) {
        int shift = PD_VORTEX_INDEX_BITS + p * BITS;
        uint32_t sum = 0;
        for (uint32_t d = 0; d < DIGITS; d++) {
            uint32_t here = place[p][d];
            place[p][d] = sum;
            sum += here;
        }
        for (int i = 0; i < count; i++)
            induction->scratch[place[p][induction->keys[i] >> shift & (DIGITS - 1)]++] = induction->keys[i];
        uint64_t *sorted = induction->scratch;
        induction->scratch = induction->keys;
        induction->keys = sorted;
    }
}

static int point_index_in_key(uint64_t key) { return (int)(key & (PD_INDUCTION_MOST_POINTS - 1)); }

void pd_induction_compute_order(pd_induction *induction, const pd_induction_walls *walls, int count, const float *x,
                                const float *y, int *order, pd_pool *pool) {
    PD_ASSERT(count <= induction->most_positions);
    points p = {x, y, make_hilbert_curve(walls, count, x, y), induction->keys};
    pd_parallel_for(pool, count, POINTS_PER_CHUNK, compute_hilbert_keys, &p);
    sort_hilbert_keys(induction, count);
    for (int i = 0; i < count; i++) order[i] = point_index_in_key(induction->keys[i]);
}

/* Converts a coordinate from metres to units of the field. */
static float metres_to_field_units(const pd_induction *induction, float metres, float center) {
    return clamp_magnitude((metres - center) * induction->per_metre, PD_VORTEX_FARTHEST);
}

typedef struct tree_job {
    pd_induction *induction;
    const pd_vortices *vortices;
    const int *order; /* indices of the vortices along the Hilbert curve */
} tree_job;

static void compute_leaves_of_tree(void *context, int begin, int end) {
    const tree_job *s = context;
    const pd_induction *induction = s->induction;
    const pd_vortex_field *f = &induction->field;
    for (int i = begin * LEAF; i < end * LEAF; i++) {
        bool filler = i >= s->vortices->count;
        int from = s->order[filler ? s->vortices->count - 1 : i];
        float core = clamp_magnitude((float)((double)s->vortices->core[from] / induction->unit), PD_VORTEX_FARTHEST);
        float g = (float)((double)clamp_magnitude(s->vortices->circulation[from], FLT_MAX) / induction->circulation);
        if (!(core > 1e-15f)) core = 0;
        f->x[i] = metres_to_field_units(induction, s->vortices->x[from], induction->walls.center.x);
        f->y[i] = metres_to_field_units(induction, s->vortices->y[from], induction->walls.center.y);
        f->circulation[i] = filler ? 0 : g;
        f->core[i] = filler ? 0 : core;
        f->core_scale[i] = core > 0 && !filler ? 1 / (16 * core * core) : 1e30f;
    }
    PD_SIMD_PICK(pd_vortex_compute_leaves)(f, begin, end);
}

static void compute_nodes_of_tree_level(void *context, int begin, int end) {
    const tree_job *s = context;
    const pd_vortex_field *f = &s->induction->field;
    int first = f->first_node[f->level_count];
    PD_SIMD_PICK(pd_vortex_compute_nodes)(f, first + begin, first + end);
}

/* Builds the tree level by level: a node has up to four consecutive nodes of the level below as children. */
static void build_vortex_tree(pd_induction *induction, tree_job *s, pd_pool *pool) {
    pd_vortex_field *f = &induction->field;
    f->leaf_count = (int)leaf_count_of_vortices(s->vortices->count);
    f->count = f->leaf_count * LEAF;
    f->node_count = f->leaf_count;
    f->level_count = 1;
    f->first_node[0] = 0;
    for (int i = 0; i < f->leaf_count; i++) {
        f->first_child[i] = i * LEAF;
        f->child_count[i] = 0;
    }
    pd_parallel_for(pool, f->leaf_count, NODES_PER_CHUNK, compute_leaves_of_tree, s);
    int end = f->count;
    f->x[end] = f->y[end] = f->circulation[end] = f->core[end] = 0;
    f->core_scale[end] = 1e30f;
    f->reach = 0;
    for (int i = 0; i < f->leaf_count; i++) f->reach = f->node[i].reach > f->reach ? f->node[i].reach : f->reach;
    if (f->direct) return;
    for (int below = f->leaf_count, first = 0; below > 1; f->level_count++) {
        int count = (below + PD_VORTEX_CHILDREN - 1) / PD_VORTEX_CHILDREN;
        f->first_node[f->level_count] = f->node_count;
        for (int i = 0; i < count; i++) {
            int rest = below - i * PD_VORTEX_CHILDREN;
            f->first_child[f->node_count + i] = first + i * PD_VORTEX_CHILDREN;
            f->child_count[f->node_count + i] = (uint8_t)(rest < PD_VORTEX_CHILDREN ? rest : PD_VORTEX_CHILDREN);
        }
        first = f->node_count;
        f->node_count += count;
        pd_parallel_for(pool, count, NODES_PER_CHUNK, compute_nodes_of_tree_level, s);
        below = count;
    }
}

static void compute_fourier_modes_of_directions(void *context, int begin, int end) {
    PD_SIMD_PICK(pd_vortex_compute_fourier_modes)(context, begin, end);
}

static double greatest_absolute_circulation(const pd_vortices *v) {
    float most = 0;
    for (int i = 0; i < v->count; i++) {
        float g = fabsf(clamp_magnitude(v->circulation[i], FLT_MAX));
        most = g > most ? g : most;
    }
    return (double)most;
}

void pd_induction_set_vortices(pd_induction *induction, const pd_induction_walls *walls, const pd_vortices *vortices,
                               pd_induction_solver solver, float tolerance, const int *order, pd_pool *pool) {
    PD_ASSERT(vortices->count <= induction->most_vortices);
    pd_vortex_field *f = &induction->field;
    set_tree_accuracy(f, solver, (double)tolerance);
    set_units_and_walls(induction, walls, vortices);
    induction->per_metre = (float)(1 / induction->unit);
    induction->circulation = greatest_absolute_circulation(vortices);
    induction->velocity = induction->circulation / (two_pi * induction->unit);
    f->count = f->leaf_count = 0;
    if (!(induction->circulation > 0)) return;
    if (!order)
        pd_induction_compute_order(induction, walls, vortices->count, vortices->x, vortices->y, induction->order, pool);
    tree_job s = {induction, vortices, order ? order : induction->order};
    build_vortex_tree(induction, &s, pool);
    double total = 0;
    for (int i = 0; i < f->count; i++) total += (double)f->circulation[i];
    f->total_circulation = (float)total;
    if (f->kind == PD_WALLS_IN_BOX || f->kind == PD_WALLS_IN_CIRCLE) PD_SIMD_PICK(pd_vortex_compute_moments)(f);
    if (f->kind == PD_WALLS_IN_BOX) pd_vortex_compute_local_expansion(f, &induction->lattice);
    f->slab_count = 0;
    if (f->short_side > 0 && !f->direct) pd_vortex_divide_narrow_box_into_slabs(f);
    if (f->slab_count > 0) pd_parallel_for(pool, DIRECTIONS, 1, compute_fourier_modes_of_directions, f);
}

const pd_vortex_field *pd_induction_field(const pd_induction *induction) { return &induction->field; }

/* ---- Velocities ---- */

typedef struct velocity_job {
    const pd_induction *induction;
    int count;          /* number of positions */
    const float *x, *y; /* positions, m */
    const int *order;   /* indices of the positions along the Hilbert curve */
    float *vx, *vy;     /* receive the velocities, m/s */
} velocity_job;

static float clamp_to_finite(double v) { return clamp_magnitude((float)v, FLT_MAX); }

/* Adds to (*vx, *vy) the potential flow around a disc of radius R that moves with the velocity U: u - iv = U R^2/z^2
 * (Saffman, "Vortex Dynamics" 1992, section 2.5). */
static void add_flow_around_moving_disc(const pd_induction *induction, double x, double y, double *vx, double *vy) {
    double radius = (double)induction->walls.radius, ux = (double)induction->walls.velocity.x,
           uy = (double)induction->walls.velocity.y;
    double zx = (x - (double)induction->walls.center.x) / radius, zy = (y - (double)induction->walls.center.y) / radius;
    double re = zx * zx - zy * zy, im = 2 * zx * zy, square = re * re + im * im;
    if (!(square > 1e-4)) return; /* deep inside the disc */
    *vx += (ux * re + uy * im) / square;
    *vy -= (uy * re - ux * im) / square;
}

static void compute_chunk_velocities(void *context, int begin, int end) {
    const velocity_job *job = context;
    const pd_induction *induction = job->induction;
    float x[PD_VORTEX_CHUNK], y[PD_VORTEX_CHUNK], re[PD_VORTEX_CHUNK] = {0}, im[PD_VORTEX_CHUNK] = {0};
    int count = end - begin, filled = (int)leaf_count_of_vortices(count) * LEAF;
    bool some = induction->field.count > 0;
    for (int i = 0; some && i < filled; i++) {
        int from = job->order[i < count ? begin + i : end - 1];
        x[i] = metres_to_field_units(induction, job->x[from], induction->walls.center.x);
        y[i] = metres_to_field_units(induction, job->y[from], induction->walls.center.y);
    }
    if (some && induction->field.short_side > 0)
        PD_SIMD_PICK(pd_vortex_evaluate_narrow_box)(&induction->field, filled, x, y, re, im);
    else if (some)
        PD_SIMD_PICK(pd_vortex_evaluate)(&induction->field, filled, x, y, re, im);
    for (int i = 0; i < count; i++) {
        int to = some ? job->order[begin + i] : begin + i;
        double vx = (double)im[i] * induction->velocity, vy = (double)re[i] * induction->velocity;
        if (induction->walls.kind == PD_WALLS_OUT_OF_DISC)
            add_flow_around_moving_disc(induction, (double)job->x[to], (double)job->y[to], &vx, &vy);
        job->vx[to] = clamp_to_finite(vx);
        job->vy[to] = clamp_to_finite(vy);
    }
}

void pd_induction_compute_velocities(pd_induction *induction, int count, const float *x, const float *y,
                                     const int *order, float *vx, float *vy, pd_pool *pool) {
    PD_ASSERT(count <= induction->most_positions);
    if (!order && induction->field.count > 0)
        pd_induction_compute_order(induction, &induction->walls, count, x, y, induction->order, pool);
    velocity_job job = {induction, count, x, y, order ? order : induction->order, vx, vy};
    pd_parallel_for(pool, count, induction->field.direct ? DIRECT_POSITIONS : PD_VORTEX_CHUNK, compute_chunk_velocities,
                    &job);
}
