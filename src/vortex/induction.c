#include "vortex/induction.h"

#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "vortex/induction_levels.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Reflections in a box ----
 *
 * Reflections of the vortices in a box, near and far.
 * Reflection (m, n) is the box moved by the complex number t = m width + i n height, and mirrored in x for odd m, in y
 * for odd n. Its circulations are those of the box times (-1)^(m + n). The fields of near reflections are evaluated one
 * by one. The field of all far reflections together is a power series in z about the box's centre. With the moments M_k
 * of the vortices it is the sum over k, l and over the t of the far reflections of
 *
 *     (-1)^(k+1) binomial(k + l, l) z^l t^(-k-l-1) C_k
 *
 *     C_k              m even               m odd
 *     n even           M_k                  -(-1)^k conj(M_k)
 *     n odd            -conj(M_k)           (-1)^k M_k
 * The lattices of t are symmetric about both axes, so that sums of odd powers of 1/t are 0, and sums of even powers
 * real. The sums of t^-p over a lattice converge slowly. Ewald's method gives each term a weight w that decreases as a
 * Gaussian:
 *
 *     w = exp(-s) (1 + s + ... + s^(p-1)/(p-1)!),   s = |t|^2/width^2   (width: gaussian_width x longer period)
 * The rest, the sum of t^-p (1 - w), is 0 up to a relative error of exp(-pi^2 width^2/period^2), because it samples a
 * smooth function with the mean 0. For p = 2 the sum depends on the order of summation: terms are added by increasing
 * |t|. Another order would add the same constant to all four lattices, and the constants cancel. */

/* Least distance between the centres of a far reflection and the box, in units of far_radius (half of the box's
 * diagonal). The terms of its expansion decrease by the factor 1/(2.67 - 1) = 0.6. Vortices in far reflections count as
 * points: only cores above a third of the shorter side would matter. */
static const double far_distance = 2.67;
/* Width of Ewald's Gaussian, in units of the lattice's longer period (2 x longer side). Error: exp(-pi^2 1.6^2) =
 * 1e-11. */
static const double gaussian_width = 1.6;
/* Distance |t| at which the sums end, in widths of the Gaussian: exp(-6.3^2) = 6e-18. */
static const double gaussian_end = 6.3;

/* Sums of (far_radius/t)^p, p = 2, 4, ..., over the centres t (complex) of the far reflections of a box. sum[m][n][p/2]
 * is the sum over the reflections in columns of parity m and rows of parity n. */
typedef struct pd_vortex_lattice {
    double width, height;                /* size of the box, in units of the field */
    double sum[2][2][PD_VORTEX_FAR + 1]; /* by parity of column and row, and by p/2 */
} pd_vortex_lattice;

double pd_vortex_exp_of_minus(double s) {
    if (s > 700) return 0;
    double x = -s / 1024, sum = 1, term = 1;
    for (int k = 1; k <= 12; k++) {
        term *= x / k;
        sum += term;
    }
    for (int k = 0; k < 10; k++) sum *= sum;
    return sum;
}

static bool add_near_reflection(pd_vortex_field *f, int m, int n, double width, double height) {
    if (f->near_reflection_count == PD_VORTEX_NEAR_REFLECTIONS) return false;
    f->near_reflections[f->near_reflection_count++] =
        (pd_vortex_reflection){(float)(m * width), (float)(n * height), m % 2 == 0 ? 1 : -1, n % 2 == 0 ? 1 : -1};
    return true;
}

static bool is_farther_than(double x, double y, double distance) { return x * x + y * y > distance * distance; }

/* Sets near_reflections to the box and all reflections whose centres are within `distance` of its centre. Returns false
 * if there are more than PD_VORTEX_NEAR_REFLECTIONS. */
static bool list_near_reflections(pd_vortex_field *f, double width, double height, double distance) {
    if (distance > 100 * width || distance > 100 * height) return false;
    int columns = (int)(distance / width), rows = (int)(distance / height);
    f->near_reflection_count = 0;
    for (int n = -rows; n <= rows; n++)
        for (int m = -columns; m <= columns; m++)
            if (!is_farther_than(m * width, n * height, distance) && !add_near_reflection(f, m, n, width, height))
                return false;
    return true;
}

/* Sets weight[p], the factor on t^-p of one reflection in the sum over far reflections: w for a far reflection, w - 1
 * for a near one, whose own t^-p is not part of the sum. Both are computed without cancellation, from positive terms of
 * the series of exp(s). */
static void set_ewald_weights(double s, bool far, double weight[2 * PD_VORTEX_FAR + 1]) {
    enum { MOST = 2 * PD_VORTEX_FAR, TAIL = 32 }; /* greatest p; number of further terms, after which the rest is 0 */
    double term[MOST + TAIL + 1], sum = 0;
    term[0] = pd_vortex_exp_of_minus(s);
    for (int j = 1; j <= MOST + TAIL; j++) term[j] = term[j - 1] * s / j;
    for (int p = 1; far && p <= MOST; p++) weight[p] = sum += term[p - 1];
    for (int j = MOST + TAIL; !far && j > 0; j--) {
        sum += term[j];
        if (j <= MOST) weight[j] = -sum;
    }
}

/* Adds to sum[p/2] the weighted powers (radius/t)^p of the reflections at the centres t = +-x +- iy. multiplicity:
 * number of different centres (1, 2 or 4). */
static void add_lattice_terms(double x, double y, double s, double radius, bool far, double multiplicity, double *sum) {
    double r2 = x * x + y * y, tx = radius * x / r2, ty = -radius * y / r2; /* radius/t */
    double zx = tx * tx - ty * ty, zy = 2 * tx * ty, px = 1, py = 0, weight[2 * PD_VORTEX_FAR + 1];
    set_ewald_weights(s, far, weight);
    for (int p = 2; p <= 2 * PD_VORTEX_FAR; p += 2) {
        double next = px * zx - py * zy;
        py = px * zy + py * zx;
        px = next;
        sum[p / 2] += multiplicity * px * weight[p];
    }
}

/* Sets near_reflections and far_radius for a box of this size, in units of the field. Recomputes the lattice if the
 * size has changed. If the box is narrow, sets short_side, long_side and upright instead of near_reflections. */
static void list_box_reflections(pd_vortex_field *f, pd_vortex_lattice *lattice, double width, double height) {
    double radius = 0.5 * sqrt(width * width + height * height);
    bool same = lattice->width == width && lattice->height == height;
    f->far_radius = (float)radius;
    if (list_near_reflections(f, width, height, far_distance * radius)) {
        *lattice = same ? *lattice : (pd_vortex_lattice){width, height, {{{0}}}};
        /* Computes l->sum: the sums of (radius / t)^p over the reflections' lattice points t, by the parity of column and row. */
        if (!same) {
            double longer = lattice->width > lattice->height ? lattice->width : lattice->height;
            double gaussian_radius = gaussian_width * 2 * longer, end = gaussian_end * gaussian_radius;
            for (int n = 0; n * lattice->height < end; n++)
                for (int m = 0; m * lattice->width < end; m++) {
                    double x = m * lattice->width, y = n * lattice->height, r = sqrt(x * x + y * y) / gaussian_radius;
                    if ((m == 0 && n == 0) || r > gaussian_end) continue;
                    double multiplicity = (m > 0 ? 2 : 1) * (n > 0 ? 2 : 1);
                    add_lattice_terms(x, y, r * r, radius, is_farther_than(x, y, far_distance * radius), multiplicity,
                                      lattice->sum[m % 2][n % 2]);
                }
        }
        return;
    }
    memset(lattice, 0, sizeof *lattice);
    f->near_reflection_count = 0; /* induction_narrow_wide.c sums the reflections */
    f->upright = height > width;
    f->short_side = (float)(f->upright ? width : height);
    f->long_side = (float)(f->upright ? height : width);
}

/* Computes field->local (the field of the far reflections) from field->moment. */
static void compute_local_expansion(pd_vortex_field *f, const pd_vortex_lattice *lattice) {
    double radius = (double)f->far_radius;
    for (int l = 0; l < PD_VORTEX_FAR; l++) {
        double re = 0, im = 0, binomial = 1; /* binomial(k + l, l) */
        for (int k = 0; k < PD_VORTEX_FAR; binomial *= (double)(k + 1 + l) / (k + 1), k++) {
            if ((k + l) % 2 == 0) continue;
            int p = (k + l + 1) / 2;
            double sign = k % 2 == 0 ? 1 : -1, factor = -sign * binomial;
            double same = lattice->sum[0][0][p] + sign * lattice->sum[1][1][p];
            double mirrored = lattice->sum[0][1][p] + sign * lattice->sum[1][0][p];
            re += factor * (same - mirrored) * (double)f->moment[2 * k];
            im += factor * (same + mirrored) * (double)f->moment[2 * k + 1];
        }
        f->local[2 * l] = (float)(re / radius);
        f->local[2 * l + 1] = (float)(im / radius);
    }
}

/* ---- Narrow boxes ---- */

/* Finds the range along the long side of a narrow box that the slabs will cover: from the first to the last vortex. If
 * a vortex is within PD_VORTEX_REACH x short_side of a wall at an end of the box, the range extends to this wall. */
static void find_range_of_slabs(const pd_vortex_field *f, double *low, double *high) {
    const float *x = f->upright ? f->y : f->x;
    double wall = 0.5 * (double)f->long_side, reach = PD_VORTEX_REACH * (double)f->short_side;
    *low = wall;
    *high = -wall;
    for (int i = 0; i < f->count; i++) {
        *low = (double)x[i] < *low ? (double)x[i] : *low;
        *high = (double)x[i] > *high ? (double)x[i] : *high;
    }
    if (*low + wall < reach) *low = -wall;
    if (wall - *high < reach) *high = wall;
}

/* Uses the shortest slabs that the memory allows, since shorter slabs leave fewer pairs to sum. H: short_side. Slabs of
 * length PD_VORTEX_REACH/16 H have 16 Fourier modes, slabs of half this length 32 modes, and so on. Higher modes are
 * below 1e-7 at the distance of a slab's length. */
/* Divides a narrow box into slabs (induction_levels.h), as short as PD_VORTEX_MOST_MODES_PER_LEAF allows. With few vortices
 * sets slab_count to 0: all pairs are then summed. */
static void divide_narrow_box_into_slabs(pd_vortex_field *f) {
    enum { MOST_BLOCKS = 16, LEAST_SLABS = 4 }; /* greatest number of blocks of 16 modes; least number of slabs */
    double low, high, height = (double)f->short_side;
    find_range_of_slabs(f, &low, &high);
    double lengths = (high - low) / (PD_VORTEX_REACH * height),
           most = (double)PD_VORTEX_MOST_MODES_PER_LEAF * f->leaf_count;
    f->slab_count = 0;
    for (int blocks = 1; blocks <= MOST_BLOCKS; blocks++) {
        int modes = blocks * PD_VORTEX_LEAF;
        double slabs = floor(modes * lengths);
        if ((slabs + 2) * modes > most) break;
        if (slabs < LEAST_SLABS) continue;
        f->fourier_mode_count = modes;
        f->slab_count = (int)slabs;
    }
    f->first_slab_edge = low;
    f->slab_length = f->slab_count > 0 ? (high - low) / f->slab_count : 0;
}

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

pd_induction *pd_induction_create(void) { return pd_memory_require(1, sizeof(pd_induction)); }

void pd_induction_destroy(pd_induction *induction) {
    if (!induction) return;
    pd_arrays_free(VORTEX_ARRAYS(induction, 0, 0));
    pd_arrays_free(POINT_ARRAYS(induction, 0, 0));
    pd_memory_free(induction);
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
        list_box_reflections(f, &induction->lattice, width / induction->unit, height / induction->unit);
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

void pd_induction_compute_order(pd_induction *induction, const pd_induction_walls *walls, int count, const float *x,
                                const float *y, int *order, pd_pool *pool) {
    PD_ASSERT(count <= induction->most_positions);
    points p = {x, y, make_hilbert_curve(walls, count, x, y), induction->keys};
    pd_parallel_for(pool, count, POINTS_PER_CHUNK, compute_hilbert_keys, &p);
    sort_hilbert_keys(induction, count);
    for (int i = 0; i < count; i++) order[i] = (int)(induction->keys[i] & (PD_INDUCTION_MOST_POINTS - 1));
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

void pd_induction_set_vortices(pd_induction *induction, const pd_induction_walls *walls, const pd_vortices *vortices,
                               pd_induction_solver solver, float tolerance, const int *order, pd_pool *pool) {
    PD_ASSERT(vortices->count <= induction->most_vortices);
    pd_vortex_field *f = &induction->field;
    set_tree_accuracy(f, solver, (double)tolerance);
    set_units_and_walls(induction, walls, vortices);
    induction->per_metre = (float)(1 / induction->unit);
    float most = 0;
    for (int i = 0; i < vortices->count; i++) {
        float g = fabsf(clamp_magnitude(vortices->circulation[i], FLT_MAX));
        most = g > most ? g : most;
    }

    induction->circulation = (double)most;
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
    if (f->kind == PD_WALLS_IN_BOX) compute_local_expansion(f, &induction->lattice);
    f->slab_count = 0;
    if (f->short_side > 0 && !f->direct) divide_narrow_box_into_slabs(f);
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
