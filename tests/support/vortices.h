/* Sets of vortices, and their exact velocities in double precision. */
#ifndef PUDDLE_TESTS_VORTICES_H
#define PUDDLE_TESTS_VORTICES_H

#include "test.h"

#include "core/random.h"
#include "vortex/induction.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))
#undef I /* complex.h defines this short name */
#define IMAGINARY _Complex_I

static const double turn = 6.28318530717958647692;

/* ---- Walls ---- */

typedef enum walls_kind { NO_WALLS, CIRCLE, DISC, BOX, NARROW_BOX, WALLS } walls_kind;
static const char *const walls_names[] = {"no walls", "circle", "disc", "box", "narrow box"};

static inline pd_induction_walls walls_of(walls_kind kind) {
    static const pd_induction_walls walls[] = {
        {.kind = PD_WALLS_NONE},
        {.kind = PD_WALLS_IN_CIRCLE, .radius = 0.7f},
        {.kind = PD_WALLS_OUT_OF_DISC, .radius = 0.7f, .velocity = {0.3f, -0.2f}},
        {.kind = PD_WALLS_IN_BOX, .size = {2, 1.4f}},
        {.kind = PD_WALLS_IN_BOX, .size = {2, 0.25f}},
    };
    return walls[kind];
}

/* ---- Sets ---- */

typedef enum spread { EVEN, CLUSTERS, TWO_DISTANT, LINE, RIM, SPREADS } spread;
static const char *const spread_names[] = {"even", "clusters", "two distant clusters", "line", "rim"};

enum { MOST_VORTICES = 200000 };
typedef struct vortex_set {
    int count;
    float x[MOST_VORTICES], y[MOST_VORTICES], circulation[MOST_VORTICES], core[MOST_VORTICES];
} vortex_set;

static inline pd_vortices vortices_of(const vortex_set *s) {
    return (pd_vortices){s->count, s->x, s->y, s->circulation, s->core};
}

static inline double uniform(pd_random *random) { return (double)pd_random_below_one(random); }
static inline double normal(pd_random *random) {
    double radius = sqrt(-2 * log(1 - uniform(random)));
    return radius * cos(turn * uniform(random));
}

/* Chooses a place in the square -1 .. 1 in which the walls are inscribed. */
static inline void place_in_square(spread s, walls_kind kind, pd_random *random, int i, double *x, double *y) {
    static const double center[][2] = {{0.5, 0.4}, {-0.3, 0.6}, {-0.6, -0.2}, {0.1, -0.5}, {0.3, -0.1}};
    *x = 2 * uniform(random) - 1;
    *y = 2 * uniform(random) - 1;
    if (s == CLUSTERS) {
        const double *c = center[(int)(5 * uniform(random))];
        *x = c[0] + 0.05 * normal(random);
        *y = c[1] + 0.05 * normal(random);
    } else if (s == TWO_DISTANT) {
        *x = (i % 2 ? 0.68 : -0.68) + 0.004 * normal(random);
        *y = 0.3 + 0.004 * normal(random);
    } else if (s == LINE) {
        *y = 0.2 * *x + 1e-5 * normal(random);
    } else if (s == RIM) {
        double angle = turn * uniform(random), r = 1 - 1e-3 * (1 + 10 * uniform(random));
        double c = cos(angle), d = sin(angle), most = kind >= BOX ? fmax(fabs(c), fabs(d)) : 1;
        *x = r * c / most;
        *y = r * d / most;
    }
}

/* Fills x and y with `count` places within the walls. Outside a disc they are inverted. */
static inline void place(spread s, walls_kind kind, uint64_t seed, int count, float *x, float *y) {
    pd_random random = {seed};
    pd_induction_walls w = walls_of(kind);
    double sx = kind >= BOX ? 0.5 * (double)w.size.x : 0.7, sy = kind >= BOX ? 0.5 * (double)w.size.y : 0.7;
    for (int i = 0; i < count;) {
        double px, py;
        place_in_square(s, kind, &random, i, &px, &py);
        double r2 = px * px + py * py;
        if (kind >= BOX ? fabs(px) > 0.9999 || fabs(py) > 0.9999 : r2 > 0.9998 || r2 < 1e-3) continue;
        if (kind == DISC) px /= r2, py /= r2;
        x[i] = (float)(sx * px);
        y[i++] = (float)(sy * py);
    }
}

/* Creates vortices of one or both signs. Their cores overlap unless `cores` is 0. */
static inline vortex_set *set_of(spread s, walls_kind kind, int count, bool both_signs, double cores) {
    vortex_set *set = malloc(sizeof *set);
    pd_random random = {11};
    assert_non_null(set);
    set->count = count;
    place(s, kind, 7, count, set->x, set->y);
    for (int i = 0; i < count; i++) {
        set->circulation[i] = both_signs ? (float)normal(&random) : 1;
        set->core[i] = (float)(cores * (0.5 + uniform(&random)) * 1.2 / sqrt(count));
    }
    return set;
}

/* ---- Velocities in double precision ---- */

/* Square of a distance from a vortex, in core radii: farther away the core takes away less than exp(-40) of the field. */
enum { FAR_FROM_CORE = 40 };
static inline double core_factor(double r2, double core) { return core > 0 ? -expm1(-r2 / (core * core)) : 1; }

/* Returns 2 pi i (u - iv) of a vortex of circulation 1 at a, without the disc's motion. */
static inline double complex field_around(const pd_induction_walls *w, double complex a, double core,
                                          double complex z) {
    double complex sum = 0, d = z - a;
    double r2 = creal(d * conj(d)), radius = (double)w->radius;
    if (r2 > 0) sum += core_factor(r2, core) / d;
    if (w->kind == PD_WALLS_NONE) return sum;
    double complex image = radius * radius - conj(a) * z;
    r2 = creal(image * conj(image));
    if (r2 > 0) sum += conj(a) / image * core_factor(r2 / (radius * radius), core);
    return w->kind == PD_WALLS_OUT_OF_DISC ? sum + 1 / z : sum;
}

/* Returns the field in a box with height >= width. A row of boxes has the sum pi/(2 width) cot(pi (z - a)/(2 width))
 * for unmirrored images, and likewise for mirrored ones; rows decrease by exp(-pi height/width). */
static inline double complex field_in_box(double width, double height, double complex a, double core,
                                          double complex z) {
    double complex sum = 0;
    for (int n = -5; n <= 5; n++)
        for (int m = 0; m < 2; m++) {
            double complex image =
                (m ? width - creal(a) : creal(a)) + IMAGINARY * ((n % 2 ? -cimag(a) : cimag(a)) + n * height);
            double complex d = z - image, part = 0, angle = turn / (4 * width) * d;
            if (cabs(d) > 0) part = turn / (4 * width) * ccos(angle) / csin(angle);
            for (int k = -3; k <= 3; k++) { /* reduction of the field by cores of single images */
                double complex e = d - 2 * k * width;
                double r2 = creal(e * conj(e));
                if (r2 > 0 && r2 < FAR_FROM_CORE * core * core) part -= (1 - core_factor(r2, core)) / e;
            }
            sum += (m + n) % 2 ? -part : part;
        }
    return sum;
}

static inline void exact_velocity(const pd_induction_walls *w, const vortex_set *s, float x, float y, double *vx,
                                  double *vy) {
    double cx = (double)w->center.x, cy = (double)w->center.y, width = (double)w->size.x, height = (double)w->size.y;
    double complex z = (double)x - cx + IMAGINARY * ((double)y - cy), sum = 0, quarter = -IMAGINARY;
    for (int i = 0; i < s->count; i++) {
        double complex a = (double)s->x[i] - cx + IMAGINARY * ((double)s->y[i] - cy), field;
        double core = (double)s->core[i];
        if (w->kind != PD_WALLS_IN_BOX)
            field = field_around(w, a, core, z);
        else if (height >= width)
            field = field_in_box(width, height, a, core, z);
        else /* a quarter turn, which 1/(z - a) reverses */
            field = quarter * field_in_box(height, width, quarter * a, core, quarter * z);
        sum += (double)s->circulation[i] * field;
    }
    sum /= turn * IMAGINARY;
    double complex motion = (double)w->velocity.x + IMAGINARY * (double)w->velocity.y;
    if (w->kind == PD_WALLS_OUT_OF_DISC) sum += motion * pow((double)w->radius, 2) / (z * z);
    *vx = creal(sum);
    *vy = -cimag(sum);
}

/* ---- Velocities of the library ---- */

static inline pd_pool *pool_of(int threads) {
    pd_pool *pool;
    pd_error error;
    assert_int_equal(pd_pool_create(&pool, threads, &error), PD_OK);
    return pool;
}

static inline pd_induction *induction_of(int vortices, int positions) {
    pd_induction *n = pd_induction_create();
    pd_error error;
    assert_int_equal(pd_induction_reserve(n, vortices, positions, &error), PD_OK);
    return n;
}

/* Computes the velocities of a set with a pool and memory of its own. */
static inline void velocities(const pd_induction_walls *walls, const pd_vortices *vortices, pd_induction_solver solver,
                              double tolerance, int threads, int count, const float *x, const float *y, float *vx,
                              float *vy) {
    pd_pool *pool = pool_of(threads);
    pd_induction *n = induction_of(vortices->count, count);
    pd_induction_set_vortices(n, walls, vortices, solver, (float)tolerance, NULL, pool);
    pd_induction_compute_velocities(n, count, x, y, NULL, vx, vy, pool);
    pd_induction_destroy(n);
    pd_pool_destroy(pool);
}

typedef struct errors {
    double rms, greatest; /* relative to the rms velocity */
} errors;

static inline errors errors_of(int count, const float *vx, const float *vy, const double *exact_x,
                               const double *exact_y) {
    double error = 0, sum = 0, greatest = 0;
    for (int i = 0; i < count; i++) {
        double dx = (double)vx[i] - exact_x[i], dy = (double)vy[i] - exact_y[i];
        error += dx * dx + dy * dy;
        sum += exact_x[i] * exact_x[i] + exact_y[i] * exact_y[i];
        greatest = fmax(greatest, dx * dx + dy * dy);
    }
    return (errors){sqrt(error / sum), sqrt(greatest * count / sum)};
}

#endif
