/* Velocities of vortices: exact solutions, walls, direct sums against double precision, the tree against direct sums, the same
 * bits on any number of threads and SIMD level, values of any size, no memory. */
#include "vortices.h"

#include "core/error.h"
#include "core/simd.h"
#include "levels.h"
#include "reference/vortex.h"
#include "sanitizers.h"

#include <float.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static const pd_induction_solver solvers[] = {PD_INDUCTION_DIRECT, PD_INDUCTION_TREE};

/* ---- Exact solutions ---- */

/* A vortex at the distance r from the centre goes round with the speed of its image (Saffman, 7.1). */
static void one_vortex_circles(void **state) {
    (void)state;
    static const float distances[] = {0, 1e-6f, 0.01f, 0.2f, 0.41f, 0.43f, 0.5f, 0.65f, 0.69f};
    pd_induction_walls walls = walls_of(CIRCLE);
    walls.center = (pd_vec2){0.25f, -0.5f};
    float circulation = 3, core = 0;
    for (int s = 0; s < COUNT(solvers); s++)
        for (int i = 0; i < COUNT(distances); i++) {
            float r = distances[i], x = 0.25f + 0.6f * r, y = -0.5f + 0.8f * r, vx, vy;
            double dx = (double)x - 0.25, dy = (double)y + 0.5, r2 = dx * dx + dy * dy;
            velocities(&walls, &(pd_vortices){1, &x, &y, &circulation, &core}, solvers[s], 1e-4, 1, 1, &x, &y, &vx,
                       &vy);
            double turning = 3 / (turn * (0.49 - r2)); /* rad/s */
            assert_float_equal((double)vx, -turning * dy, 1e-5 * turning);
            assert_float_equal((double)vy, turning * dx, 1e-5 * turning);
        }
}

/* Each of a pair moves with the other's speed, and not by itself, whatever the cores. */
static void a_pair_moves(void **state) {
    (void)state;
    pd_induction_walls walls = {.kind = PD_WALLS_NONE};
    for (int s = 0; s < COUNT(solvers); s++)
        for (int k = 0; k < 3; k++) {
            float x[] = {1, 1}, y[] = {-2, -1.75f}, circulation[] = {2, -5}, vx[2], vy[2];
            float core[] = {(float[]){0, 0.1f, 0.5f}[k], (float[]){0, 0.3f, 1e-4f}[k]};
            velocities(&walls, &(pd_vortices){2, x, y, circulation, core}, solvers[s], 1e-4, 1, 2, x, y, vx, vy);
            double a = core_factor(0.0625, (double)core[0]), b = core_factor(0.0625, (double)core[1]);
            assert_float_equal(vx[0], -5 * b / (turn * 0.25), 1e-5);
            assert_float_equal(vx[1], -2 * a / (turn * 0.25), 1e-5);
            assert_float_equal(vy[0], 0, 1e-6);
            assert_float_equal(vy[1], 0, 1e-6);
        }
}

/* Also far from vortices, and close to the middle of a large core, where 1 - exp(-s) is a small difference. */
static void one_core_turns_rigidly(void **state) {
    (void)state;
    static const float distances[] = {1e-5f, 1e-4f, 1e-3f, 0.01f, 0.1f, 0.5f, 1, 2, 4, 4.5f, 10, 1000};
    pd_induction_walls walls = {.kind = PD_WALLS_NONE};
    float x = 0, y = 0, circulation = 1, core = 1, vx[COUNT(distances)], vy[COUNT(distances)];
    float zero[COUNT(distances)] = {0};
    velocities(&walls, &(pd_vortices){1, &x, &y, &circulation, &core}, PD_INDUCTION_DIRECT, 0, 1, COUNT(distances),
               distances, zero, vx, vy);
    for (int i = 0; i < COUNT(distances); i++) {
        double r = (double)distances[i], speed = core_factor(r * r, 1) / (turn * r);
        assert_float_equal((double)vy[i], speed, 2e-6 * speed);
        assert_float_equal((double)vx[i], 0, 0);
    }
}

/* ---- Walls ---- */

/* A point of the walls and their normal there. `at`: 0 to 1, once round. */
static void wall_point(const pd_induction_walls *w, double at, float point[2], double normal_at[2]) {
    double c = cos(turn * at), s = sin(turn * at);
    normal_at[0] = c;
    normal_at[1] = s;
    if (w->kind == PD_WALLS_IN_BOX) {
        bool side = 4 * at - floor(4 * at) < 0.5;
        double along = 4 * (4 * at - floor(4 * at) - (side ? 0 : 0.5)) - 1;
        double sign = at < 0.5 ? 1 : -1, half_x = 0.5 * (double)w->size.x, half_y = 0.5 * (double)w->size.y;
        normal_at[0] = side ? sign : 0;
        normal_at[1] = side ? 0 : sign;
        c = side ? sign * half_x : along * half_x;
        s = side ? along * half_y : sign * half_y;
    }
    double radius = w->kind == PD_WALLS_IN_BOX ? 1 : (double)w->radius;
    point[0] = (float)((double)w->center.x + radius * c);
    point[1] = (float)((double)w->center.y + radius * s);
}

/* The greatest normal velocity at the walls relative to them, over the greatest speed. */
static double leak(const pd_induction_walls *w, const vortex_set *set, pd_induction_solver solver, double tolerance) {
    enum { POINTS = 1003 };
    float x[POINTS], y[POINTS], vx[POINTS], vy[POINTS];
    double normals[POINTS][2], greatest = 0, through = 0;
    for (int i = 0; i < POINTS; i++) {
        float point[2];
        wall_point(w, (double)i / POINTS, point, normals[i]);
        x[i] = point[0];
        y[i] = point[1];
    }
    pd_vortices vortices = vortices_of(set);
    velocities(w, &vortices, solver, tolerance, 1, POINTS, x, y, vx, vy);
    for (int i = 0; i < POINTS; i++) {
        double u = (double)vx[i] - (double)w->velocity.x, v = (double)vy[i] - (double)w->velocity.y;
        greatest = fmax(greatest, hypot((double)vx[i], (double)vy[i]));
        through = fmax(through, fabs(u * normals[i][0] + v * normals[i][1]));
    }
    return through / greatest;
}

/* Cores of 3 cm overlap the walls in the sets at the rim. Large ones are felt everywhere, in boxes only as far as the fields of
 * reflections do not yet cancel. */
static void nothing_flows_through_walls(void **state) {
    (void)state;
    static const double large_cores[WALLS] = {[CIRCLE] = 4, [DISC] = 4, [BOX] = 2, [NARROW_BOX] = 0.7};
    for (int kind = CIRCLE; kind < WALLS; kind++)
        for (int s = 0; s < SPREADS; s++)
            for (int large = 0; large < 2; large++) {
                vortex_set *set = set_of((spread)s, (walls_kind)kind, 200, s % 2, large ? large_cores[kind] : 0.35);
                pd_induction_walls walls = walls_of((walls_kind)kind);
                double direct = leak(&walls, set, PD_INDUCTION_DIRECT, 0);
                double tree = leak(&walls, set, PD_INDUCTION_TREE, 1e-3);
                print_message("%s, %s: %.1e, %.1e\n", walls_names[kind], spread_names[s], direct, tree);
                assert_true(direct < 1e-5);
                assert_true(tree < 5e-3);
                free(set);
            }
}

/* Boxes that are too narrow for the expansion of the far reflections. */
static void nothing_flows_through_very_narrow_boxes(void **state) {
    (void)state;
    vortex_set *set = set_of(EVEN, NARROW_BOX, 200, true, 0.03);
    pd_induction_walls walls = walls_of(NARROW_BOX);
    for (int i = 0; i < set->count; i++) set->y[i] *= 0.08f;
    walls.size.y *= 0.08f; /* 1 : 100 */
    for (int s = 0; s < COUNT(solvers); s++) {
        double through = leak(&walls, set, solvers[s], 1e-3);
        print_message("very narrow box: %.1e\n", through);
        assert_true(through < 1e-5);
    }
    free(set);
}

/* The circulation around the disc is zero (Kelvin), and around disc and vortices theirs. */
static void discs_have_no_circulation(void **state) {
    (void)state;
    enum { POINTS = 2000 };
    float x[2 * POINTS], y[2 * POINTS], vx[2 * POINTS], vy[2 * POINTS];
    pd_induction_walls walls = walls_of(DISC);
    float vortex_x[] = {1, -1.2f}, vortex_y[] = {0.5f, 0.1f}, circulation[] = {1, 2.5f}, core[] = {0.1f, 0.05f};
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 2; k++) {
            x[2 * i + k] = (float)((k ? 5 : 0.7) * cos(turn * i / POINTS));
            y[2 * i + k] = (float)((k ? 5 : 0.7) * sin(turn * i / POINTS));
        }
    velocities(&walls, &(pd_vortices){2, vortex_x, vortex_y, circulation, core}, PD_INDUCTION_DIRECT, 0, 1, 2 * POINTS,
               x, y, vx, vy);
    double around[2] = {0, 0};
    for (int i = 0; i < 2 * POINTS; i++)
        around[i % 2] += turn / POINTS * ((double)x[i] * (double)vy[i] - (double)y[i] * (double)vx[i]);
    assert_float_equal(around[0], 0, 1e-4);
    assert_float_equal(around[1], 3.5, 1e-4);
}

/* ---- Accuracy ---- */

static void direct_sums_are_exact(void **state) {
    (void)state;
    skip_under_sanitizers();
    enum { POSITIONS = 100, VORTICES = 300 };
    const int count = in_short_run() ? POSITIONS / 3 : POSITIONS;
    float x[POSITIONS], y[POSITIONS], vx[POSITIONS], vy[POSITIONS];
    double exact_x[POSITIONS], exact_y[POSITIONS];
    for (int kind = 0; kind < WALLS; kind++)
        for (int s = 0; s < SPREADS; s++)
            for (int cores = 0; cores < (kind < BOX ? 3 : 2); cores++) {
                vortex_set *set = set_of((spread)s, (walls_kind)kind, VORTICES, s % 2 == cores, cores * cores);
                pd_induction_walls walls = walls_of((walls_kind)kind);
                pd_vortices vortices = vortices_of(set);
                place(EVEN, (walls_kind)kind, 3, count, x, y);
                memcpy(x, set->x, (size_t)count / 2 * sizeof *x);
                memcpy(y, set->y, (size_t)count / 2 * sizeof *y);
                velocities(&walls, &vortices, PD_INDUCTION_DIRECT, 0, 1, count, x, y, vx, vy);
                for (int i = 0; i < count; i++) exact_velocity(&walls, set, x[i], y[i], &exact_x[i], &exact_y[i]);
                errors e = errors_of(count, vx, vy, exact_x, exact_y);
                print_message("%s, %s: rms error %.1e, greatest %.1e\n", walls_names[kind], spread_names[s], e.rms,
                              e.greatest);
                assert_true(e.rms < 1e-5 && e.greatest < 1e-4);
                free(set);
            }
}

/* The plain form of `bench --reference` is the same field. */
static void the_plain_form_agrees(void **state) {
    (void)state;
    enum { MOST = 400 };
    static float vx[MOST], vy[MOST];
    static double x[MOST], y[MOST], circulation[MOST], core[MOST], exact_x[MOST], exact_y[MOST];
    for (int kind = NO_WALLS; kind <= CIRCLE; kind++) {
        vortex_set *set = set_of(RIM, (walls_kind)kind, MOST, true, 0.3);
        pd_induction_walls walls = walls_of((walls_kind)kind);
        pd_vortices vortices = vortices_of(set);
        for (int i = 0; i < MOST; i++) {
            x[i] = (double)set->x[i];
            y[i] = (double)set->y[i];
            circulation[i] = (double)set->circulation[i];
            core[i] = (double)set->core[i];
        }
        reference_vortices plain = {MOST, x, y, circulation, core, (double)walls.radius};
        reference_vortex_compute_velocities(&plain, MOST, x, y, exact_x, exact_y);
        velocities(&walls, &vortices, PD_INDUCTION_DIRECT, 0, 1, MOST, set->x, set->y, vx, vy);
        assert_true(errors_of(MOST, vx, vy, exact_x, exact_y).rms < 1e-5);
        free(set);
    }
}

/* The tree's errors, with overlapping cores, where no close pairs dominate the rms velocity. */
static void check_tree(walls_kind kind, spread s, bool both_signs, int count) {
    static const double tolerances[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
    enum { MOST = 2000 };
    static float x[MOST], y[MOST], vx[MOST], vy[MOST];
    static double exact_x[MOST], exact_y[MOST];
    vortex_set *set = set_of(s, kind, count, both_signs, 0.7);
    pd_induction_walls walls = walls_of(kind);
    pd_vortices vortices = vortices_of(set);
    place(EVEN, kind, 3, count, x, y);
    memcpy(x, set->x, (size_t)count / 2 * sizeof *x);
    memcpy(y, set->y, (size_t)count / 2 * sizeof *y);
    velocities(&walls, &vortices, PD_INDUCTION_DIRECT, 0, 1, count, x, y, vx, vy);
    for (int i = 0; i < count; i++) {
        exact_x[i] = (double)vx[i];
        exact_y[i] = (double)vy[i];
    }
    for (int t = 0; t < COUNT(tolerances); t++) {
        velocities(&walls, &vortices, PD_INDUCTION_TREE, tolerances[t], 1, count, x, y, vx, vy);
        errors e = errors_of(count, vx, vy, exact_x, exact_y);
        print_message("%s, %s, %s: tolerance %.0e, rms error %.1e, greatest %.1e\n", walls_names[kind], spread_names[s],
                      both_signs ? "both signs" : "one sign", tolerances[t], e.rms, e.greatest);
        assert_true(e.rms < tolerances[t]);
        if (kind == NO_WALLS && s == EVEN) assert_true(e.rms > 1e-7); /* expansions were used */
    }
    free(set);
}

static void the_tree_keeps_its_tolerance(void **state) {
    (void)state;
    int count = is_shortened() ? 1000 : 2000;
    for (int kind = 0; kind < WALLS; kind++)
        for (int s = 0; s < SPREADS; s++)
            for (int both = 0; both < 2; both++) check_tree((walls_kind)kind, (spread)s, both, count);
}

/* ---- Order ---- */

/* Of whatever points: each of them once. */
static void orders_are_permutations(void **state) {
    (void)state;
    enum { POINTS = 5000 };
    static const float values[] = {0, 1e-38f, -1e30f, 1e30f, FLT_MAX, -FLT_MAX, 0.5f, NAN, INFINITY, -INFINITY};
    float x[POINTS], y[POINTS];
    int order[POINTS];
    pd_random random = {3};
    pd_pool *pool = pool_of(1);
    pd_induction *n = induction_of(1, POINTS);
    for (int kind = 0; kind < WALLS; kind++)
        for (int odd = 0; odd < 2; odd++) {
            pd_induction_walls walls = walls_of((walls_kind)kind);
            bool found[POINTS] = {false};
            place(EVEN, (walls_kind)kind, 5, POINTS, x, y);
            for (int i = 0; odd && i < POINTS; i++) {
                x[i] = values[pd_random_next(&random) % COUNT(values)];
                y[i] = values[pd_random_next(&random) % COUNT(values)];
            }
            pd_induction_compute_order(n, &walls, POINTS, x, y, order, pool);
            for (int i = 0; i < POINTS; i++) {
                assert_in_range(order[i], 0, POINTS - 1);
                assert_false(found[order[i]]);
                found[order[i]] = true;
            }
        }
    pd_induction_destroy(n);
    pd_pool_destroy(pool);
}

/* An order that is given is that which is found for the same points, and remains good for the tolerance when they move. */
static void an_order_serves_moved_points(void **state) {
    (void)state;
    enum { POINTS = 1500 };
    float found_x[POINTS], found_y[POINTS], vx[POINTS], vy[POINTS];
    double exact_x[POINTS], exact_y[POINTS];
    int order[POINTS];
    pd_random random = {3};
    pd_pool *pool = pool_of(2);
    pd_induction *n = induction_of(POINTS, POINTS);
    for (int kind = 0; kind < WALLS; kind++) {
        vortex_set *set = set_of(EVEN, (walls_kind)kind, POINTS, true, 1.5);
        pd_induction_walls walls = walls_of((walls_kind)kind);
        pd_vortices vortices = vortices_of(set);
        pd_induction_compute_order(n, &walls, POINTS, set->x, set->y, order, pool);
        pd_induction_set_vortices(n, &walls, &vortices, PD_INDUCTION_TREE, 1e-3f, order, pool);
        pd_induction_compute_velocities(n, POINTS, set->x, set->y, order, vx, vy, pool);
        velocities(&walls, &vortices, PD_INDUCTION_TREE, 1e-3, 1, POINTS, set->x, set->y, found_x, found_y);
        assert_memory_equal(vx, found_x, sizeof vx);
        assert_memory_equal(vy, found_y, sizeof vy);
        for (int i = 0; i < POINTS; i++) { /* by two distances between neighbours */
            float most = kind == DISC ? 0.1f : -0.1f;
            set->x[i] *= 1 + most * (float)uniform(&random);
            set->y[i] *= 1 + most * (float)uniform(&random);
        }
        velocities(&walls, &vortices, PD_INDUCTION_DIRECT, 0, 1, POINTS, set->x, set->y, found_x, found_y);
        for (int i = 0; i < POINTS; i++) {
            exact_x[i] = (double)found_x[i];
            exact_y[i] = (double)found_y[i];
        }
        pd_induction_set_vortices(n, &walls, &vortices, PD_INDUCTION_TREE, 1e-3f, order, pool);
        pd_induction_compute_velocities(n, POINTS, set->x, set->y, order, vx, vy, pool);
        errors e = errors_of(POINTS, vx, vy, exact_x, exact_y);
        print_message("%s: rms error %.1e, greatest %.1e\n", walls_names[kind], e.rms, e.greatest);
        assert_true(e.rms < 1e-3);
        free(set);
    }
    pd_induction_destroy(n);
    pd_pool_destroy(pool);
}

/* ---- Bits ---- */

enum { BITS_COUNT = 1500 };
typedef struct result {
    float x[BITS_COUNT], y[BITS_COUNT];
} result;

static void induce_all(walls_kind kind, pd_induction_solver solver, int threads, result *to) {
    vortex_set *set = set_of(CLUSTERS, kind, BITS_COUNT, true, 0.5);
    pd_induction_walls walls = walls_of(kind);
    pd_vortices vortices = vortices_of(set);
    float *x = malloc(BITS_COUNT * sizeof *x), *y = malloc(BITS_COUNT * sizeof *y);
    place(EVEN, kind, 5, BITS_COUNT, x, y);
    velocities(&walls, &vortices, solver, 1e-3, threads, BITS_COUNT, x, y, to->x, to->y);
    free(x);
    free(y);
    free(set);
}

static void same_bits_on_any_threads_and_level(void **state) {
    static result expected, found;
    use_level(*state);
    for (int kind = 0; kind < WALLS; kind++)
        for (int s = 0; s < COUNT(solvers); s++) {
            pd_simd_select("baseline");
            induce_all((walls_kind)kind, solvers[s], 1, &expected);
            pd_simd_select(*state);
            for (int threads = UNDER_ADDRESS_SANITIZER ? 3 : 1; threads <= 3; threads++) {
                induce_all((walls_kind)kind, solvers[s], threads, &found);
                assert_memory_equal(&found, &expected, sizeof found);
            }
        }
}

/* ---- Values of any size ---- */

static void check_finite(int count, const float *vx, const float *vy) {
    for (int i = 0; i < count; i++) assert_true(isfinite(vx[i]) && isfinite(vy[i]));
}

/* Coincident vortices, no cores and huge ones, huge circulations and coordinates, such that are not numbers, on the walls and
 * beyond them, at the centre. */
static void extremes_stay_finite(void **state) {
    (void)state;
    enum { VALUES = 14, COMBINATIONS = 700 };
    static const float values[VALUES] = {0,        1e-30f, -1e-20f, 1e10f, -1e10f, 1e30f, FLT_MAX,
                                         -FLT_MAX, 0.7f,   -0.7f,   0.35f, 1,      NAN,   INFINITY};
    float x[COMBINATIONS], y[COMBINATIONS], g[COMBINATIONS], core[COMBINATIONS], vx[COMBINATIONS], vy[COMBINATIONS];
    pd_random random = {5};
    for (int round = 0; round < (is_shortened() ? 6 : 30); round++) {
        for (int i = 0; i < COMBINATIONS; i++) {
            bool tame = round % 3 == 0 && i % 2;
            x[i] = tame ? 0.1f : values[pd_random_next(&random) % VALUES];
            y[i] = tame ? 0.2f : values[pd_random_next(&random) % VALUES];
            g[i] = values[pd_random_next(&random) % VALUES];
            core[i] = fabsf(values[pd_random_next(&random) % VALUES]);
        }
        pd_vortices vortices = {COMBINATIONS, x, y, g, core};
        for (int kind = 0; kind < WALLS; kind++)
            for (int s = 0; s < COUNT(solvers); s++) {
                pd_induction_walls walls = walls_of((walls_kind)kind);
                velocities(&walls, &vortices, solvers[s], 1e-3, 1, COMBINATIONS, x, y, vx, vy);
                check_finite(COMBINATIONS, vx, vy);
            }
    }
}

/* Many vortices in one point: nothing splits for ever, and they do not move each other. */
static void coincident_vortices_stay(void **state) {
    (void)state;
    enum { MANY = 5000 };
    static float x[MANY], y[MANY], g[MANY], core[MANY], vx[MANY], vy[MANY];
    for (int i = 0; i < MANY; i++) {
        x[i] = 0.25f;
        y[i] = -0.125f;
        g[i] = 1;
    }
    for (int kind = 0; kind < 2; kind++) {
        pd_induction_walls walls = walls_of((walls_kind)kind);
        velocities(&walls, &(pd_vortices){MANY, x, y, g, core}, PD_INDUCTION_TREE, 1e-3, 1, MANY, x, y, vx, vy);
        double turning = kind == NO_WALLS ? 0 : MANY / (turn * (0.49 - 0.078125));
        assert_float_equal(vx[MANY / 2], turning * 0.125, 1e-5 * turning);
        assert_float_equal(vy[MANY / 2], turning * 0.25, 1e-5 * turning);
    }
}

static void no_vortices_induce_nothing(void **state) {
    (void)state;
    float x[] = {0.1f, 2, NAN}, y[] = {0.3f, 0, 0}, none = 0;
    for (int s = 0; s < COUNT(solvers); s++)
        for (int kind = 0; kind < WALLS; kind++)
            for (int count = 0; count < 2; count++) {
                float vx[] = {7, 7, 7}, vy[] = {7, 7, 7};
                pd_induction_walls walls = walls_of((walls_kind)kind);
                walls.velocity = (pd_vec2){0, 0};
                velocities(&walls, &(pd_vortices){count, x, y, &none, &none}, solvers[s], 1e-3, 1, 3, x, y, vx, vy);
                for (int i = 0; i < 3; i++) assert_true(vx[i] == 0 && vy[i] == 0);
            }
}

/* Nothing is left of an earlier set in the same memory. */
static void a_set_replaces_another(void **state) {
    (void)state;
    enum { FIRST = 300 };
    pd_pool *pool = pool_of(1);
    pd_induction *n = induction_of(FIRST, FIRST);
    for (int s = 0; s < COUNT(solvers); s++)
        for (int kind = 0; kind < WALLS; kind++) {
            static result expected, found;
            vortex_set *first = set_of(EVEN, (walls_kind)kind, FIRST, true, 1);
            vortex_set *second = set_of(CLUSTERS, (walls_kind)((kind + 1) % WALLS), 17, true, 1);
            pd_induction_walls walls = walls_of((walls_kind)kind), other = walls_of((walls_kind)((kind + 1) % WALLS));
            pd_vortices vortices = vortices_of(first), fewer = vortices_of(second);
            pd_induction_set_vortices(n, &walls, &vortices, solvers[s], 1e-3f, NULL, pool);
            pd_induction_set_vortices(n, &other, &fewer, solvers[s], 1e-3f, NULL, pool);
            pd_induction_compute_velocities(n, 17, second->x, second->y, NULL, found.x, found.y, pool);
            velocities(&other, &fewer, solvers[s], 1e-3, 1, 17, second->x, second->y, expected.x, expected.y);
            assert_memory_equal(&found, &expected, sizeof found);
            fewer.count = 0;
            pd_induction_set_vortices(n, &walls, &fewer, solvers[s], 1e-3f, NULL, pool);
            pd_induction_compute_velocities(n, 1, second->x, second->y, NULL, found.x, found.y, pool);
            assert_true(kind == DISC || (found.x[0] == 0 && found.y[0] == 0));
            free(first);
            free(second);
        }
    pd_induction_destroy(n);
    pd_pool_destroy(pool);
}

/* ---- Memory ---- */

/* Bytes of address space in use. */
static rlim_t address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return (rlim_t)pages * 4096;
}

static void without_memory_nothing_changes(void **state) {
    (void)state;
    float x = 0.25f, y = 0.5f, circulation = 2, core = 0.1f, before[2], after[2];
    pd_induction_walls walls = walls_of(CIRCLE);
    pd_pool *pool = pool_of(1);
    pd_induction *n = induction_of(1, 1);
    pd_error error;
    pd_induction_set_vortices(n, &walls, &(pd_vortices){1, &x, &y, &circulation, &core}, PD_INDUCTION_TREE, 1e-3f, NULL,
                              pool);
    pd_induction_compute_velocities(n, 1, &x, &y, NULL, &before[0], &before[1], pool);
    assert_int_equal(pd_induction_reserve(n, 1, INT32_MAX, &error), pd_error_result(PD_ERROR_OUT_OF_MEMORY));
    assert_int_equal(error.code, PD_ERROR_OUT_OF_MEMORY);
    rlim_t used = address_space();
    if (used && !UNDER_ADDRESS_SANITIZER) {
        struct rlimit usual;
        getrlimit(RLIMIT_AS, &usual);
        struct rlimit tight = {used + (60 << 20), usual.rlim_max};
        for (int k = 0; k < 2; k++) { /* with no memory for points, and for vortices */
            setrlimit(RLIMIT_AS, &tight);
            pd_result result = pd_induction_reserve(n, k == 0 ? 1 : 2000000, k == 0 ? 4000000 : 1, &error);
            setrlimit(RLIMIT_AS, &usual);
            assert_int_equal(result, pd_error_result(PD_ERROR_OUT_OF_MEMORY));
            print_message("%s\n", error.message);
        }
    }
    pd_induction_compute_velocities(n, 1, &x, &y, NULL, &after[0], &after[1], pool);
    assert_memory_equal(after, before, sizeof after);
    assert_int_equal(pd_induction_reserve(n, 1000, 5000, &error), PD_OK);
    pd_induction_compute_velocities(n, 1, &x, &y, NULL, &after[0], &after[1], pool);
    assert_memory_equal(after, before, sizeof after);
    pd_induction_destroy(n);
    pd_pool_destroy(pool);
}

TEST_GROUP(induction) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_vortex_circles),
        cmocka_unit_test(a_pair_moves),
        cmocka_unit_test(one_core_turns_rigidly),
        cmocka_unit_test(nothing_flows_through_walls),
        cmocka_unit_test(nothing_flows_through_very_narrow_boxes),
        cmocka_unit_test(discs_have_no_circulation),
        cmocka_unit_test(direct_sums_are_exact),
        cmocka_unit_test(the_plain_form_agrees),
        cmocka_unit_test(the_tree_keeps_its_tolerance),
        cmocka_unit_test(orders_are_permutations),
        cmocka_unit_test(an_order_serves_moved_points),
        AT_EVERY_LEVEL(same_bits_on_any_threads_and_level),
        cmocka_unit_test(extremes_stay_finite),
        cmocka_unit_test(coincident_vortices_stay),
        cmocka_unit_test(no_vortices_induce_nothing),
        cmocka_unit_test(a_set_replaces_another),
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
