/* Velocities of vortices in boxes so narrow that the reflections at their long sides are summed in closed form: all of the
 * reflections one by one, also with many vortices, of which only the near ones are summed as pairs; the same bits on any
 * number of threads and SIMD level. */
#include "vortices.h"

#include "core/error.h"
#include "levels.h"
#include "sanitizers.h"
#include "vortex/induction_levels.h"

#include <string.h>

/* Part of a sum over rows -most .. most that a row has. What is missing decreases as 1/most if the last ones count half, so
 * that twice this sum less that of half as many rows is exact to about 1/most^2. */
static double row_weight(int row, int most) {
    int distance = abs(row), half = most / 2;
    return 2 * (distance < most ? 1 : 0.5) - (distance < half ? 1 : distance == half ? 0.5 : 0);
}

/* The field of the vortices and of all reflections, one by one. */
static void brute_velocity(const pd_induction_walls *w, const vortex_set *set, float x, float y, double *vx,
                           double *vy) {
    bool upright = w->size.y > w->size.x;
    double width = (double)w->size.x, height = (double)w->size.y;
    int most = 100 * (int)(25 * (upright ? height / width : width / height) / 50);
    double complex sum = 0;
    for (int i = 0; i < set->count; i++)
        for (int end = -1; end <= 1; end++)
            for (int row = -most; row <= most; row++) {
                int m = upright ? row : end, n = upright ? end : row;
                double dx = (double)x - (m * width + (m % 2 ? -1 : 1) * (double)set->x[i]);
                double dy = (double)y - (n * height + (n % 2 ? -1 : 1) * (double)set->y[i]);
                double r2 = dx * dx + dy * dy, core = (double)set->core[i];
                double g = (double)set->circulation[i] * ((m + n) % 2 ? -1 : 1) * row_weight(row, most);
                if (r2 < FAR_FROM_CORE * core * core) g *= core_factor(r2, core);
                if (r2 > 0) sum += g / r2 * (dx - IMAGINARY * dy);
            }
    sum /= turn * IMAGINARY;
    *vx = creal(sum);
    *vy = -cimag(sum);
}

/* Also where cores reach across the box, and in corners. less: by how much cores make velocities smaller, exp((pi c/(2 H))^2);
 * errors are relative to velocities without cores. */
static void very_narrow_boxes_have_all_reflections(void **state) {
    (void)state;
    skip_under_sanitizers();
    enum { POSITIONS = 20, VORTICES = 16 };
    static const double aspects[] = {80, 200}, cores[] = {0, 0.3, 1.5}, less[] = {1, 1, 258};
    for (int a = 0; a < COUNT(aspects); a++)
        for (int c = 0; c < COUNT(cores); c++)
            for (int upright = 0; upright < 2; upright++) {
                float side = 2 / (float)aspects[a], x[POSITIONS], y[POSITIONS], vx[POSITIONS], vy[POSITIONS];
                double exact_x[POSITIONS], exact_y[POSITIONS];
                vortex_set *set = set_of(EVEN, BOX, VORTICES, true, 0);
                pd_induction_walls walls = {.kind = PD_WALLS_IN_BOX, .size = {2, side}};
                for (int i = 0; i < VORTICES; i++) { /* half of them at the right end, close together */
                    set->x[i] = i % 2 ? 1 - 4 * side * (1 + set->x[i]) : set->x[i];
                    set->y[i] *= side / 1.4f;
                    set->core[i] = (float)(cores[c] * (double)side);
                }
                place(EVEN, BOX, 3, POSITIONS, x, y);
                for (int i = 0; i < POSITIONS; i++) {
                    x[i] = i < VORTICES ? set->x[i] + 0.3f * side * (x[i] - set->x[i]) : x[i];
                    x[i] = fminf(x[i], 1);
                    y[i] *= side / 1.4f;
                }
                if (upright) {
                    walls.size = (pd_vec2){side, 2};
                    for (int i = 0; i < VORTICES; i++) {
                        float swap = set->x[i];
                        set->x[i] = set->y[i];
                        set->y[i] = swap;
                    }
                    for (int i = 0; i < POSITIONS; i++) {
                        float swap = x[i];
                        x[i] = y[i];
                        y[i] = swap;
                    }
                }
                pd_vortices vortices = vortices_of(set);
                velocities(&walls, &vortices, PD_INDUCTION_TREE, 1e-3, 1, POSITIONS, x, y, vx, vy);
                for (int i = 0; i < POSITIONS; i++) brute_velocity(&walls, set, x[i], y[i], &exact_x[i], &exact_y[i]);
                errors e = errors_of(POSITIONS, vx, vy, exact_x, exact_y);
                print_message("1 : %g%s, cores of %g: rms error %.1e, greatest %.1e\n", aspects[a],
                              upright ? ", upright" : "", cores[c], e.rms, e.greatest);
                assert_true(e.rms < 1e-5 * less[c] && e.greatest < 1e-4 * less[c]);
                free(set);
            }
}

/* ---- Many vortices ---- */

/* Their places follow one another along the box; cores overlap. */
static vortex_set *many_vortices(spread how, int count, const pd_induction_walls *walls) {
    bool upright = walls->size.y > walls->size.x;
    float height = upright ? walls->size.x : walls->size.y;
    vortex_set *set = set_of(how, NARROW_BOX, count, true, 0.3 * sqrt((double)height));
    for (int i = 0; i < count; i++) {
        float x = set->x[i], y = set->y[i] * height / 0.25f;
        set->x[i] = upright ? y : x;
        set->y[i] = upright ? x : y;
    }
    return set;
}

/* The field of the vortices and of all reflections: rows of them in closed form, and what cores take away one by one.
 * Vortices farther than 12 times the distance of the long sides give less than 1e-16. */
static void strip_velocity(const pd_induction_walls *w, const vortex_set *set, float x, float y, double *vx,
                           double *vy) {
    bool upright = w->size.y > w->size.x;
    double length = (double)(upright ? w->size.y : w->size.x), height = (double)(upright ? w->size.x : w->size.y);
    double complex z = (double)x + IMAGINARY * (double)y, sum = 0;
    if (upright) z = -IMAGINARY * z;
    for (int i = 0; i < set->count; i++)
        for (int end = -1; end <= 1; end++) {
            double complex a = (double)set->x[i] + IMAGINARY * (double)set->y[i];
            if (upright) a = -IMAGINARY * a;
            if (end) a = end * length - conj(a);
            if (fabs(creal(z - a)) > 12 * height) continue;
            double g = (end ? -1 : 1) * (double)set->circulation[i], s = turn / (4 * height);
            for (int mirrored = 0; mirrored < 2; mirrored++) {
                double complex d = z - (mirrored ? conj(a) + IMAGINARY * height : a), part = 0;
                if (cabs(d) > 0) part = s * ccosh(s * d) / csinh(s * d);
                for (int row = -3; row <= 3; row++) {
                    double complex e = d - 2 * row * height * IMAGINARY;
                    double r2 = creal(e * conj(e));
                    double core = (double)set->core[i];
                    if (r2 > 0 && r2 < FAR_FROM_CORE * core * core) part -= (1 - core_factor(r2, core)) / e;
                }
                sum += mirrored ? -g * part : g * part;
            }
        }
    sum /= turn * IMAGINARY;
    *vx = upright ? cimag(sum) : creal(sum);
    *vy = upright ? creal(sum) : -cimag(sum);
}

/* Of close vortices within their cores, what the cores take away is nearly all of the field: of the sum of pairs, rounding
 * leaves errors up to `rounding`. To these the modes add nothing. */
static void many_vortices_have_all_reflections(void **state) {
    (void)state;
    skip_under_sanitizers();
    enum { POSITIONS = 100, VORTICES = 20000 };
    const int apart = in_short_run() ? 3 : 1, count = (POSITIONS + apart - 1) / apart;
    static const spread spreads[] = {EVEN, CLUSTERS, TWO_DISTANT, RIM};
    static const double rounding[] = {5e-6, 1e-5, 5e-4, 5e-5};
    static const float sides[] = {0.04f, 0.01f};
    float x[POSITIONS], y[POSITIONS], vx[POSITIONS], vy[POSITIONS];
    double exact_x[POSITIONS], exact_y[POSITIONS], sum_x[POSITIONS], sum_y[POSITIONS];
    for (int s = 0; s < COUNT(spreads); s++)
        for (int side = 0; side < COUNT(sides); side++)
            for (int upright = 0; upright < 2; upright++) {
                if (in_short_run() && upright != (s + side) % 2) continue;
                pd_induction_walls walls = {.kind = PD_WALLS_IN_BOX, .size = {2, sides[side]}};
                if (upright) walls.size = (pd_vec2){sides[side], 2};
                vortex_set *set = many_vortices(spreads[s], VORTICES, &walls);
                for (int n = 0; n < count; n++) { /* at vortices and anywhere, and at the ends */
                    int i = n * apart;
                    float along = i % 10 == 9 ? (i % 20 == 9 ? 1.0f : -1.0f) : (float)i * 0.02f - 1;
                    x[n] = i % 2 ? set->x[i * 190] : upright ? 0.3f * sides[side] : along;
                    y[n] = i % 2 ? set->y[i * 190] : upright ? along : 0.3f * sides[side];
                }
                pd_vortices vortices = vortices_of(set);
                velocities(&walls, &vortices, PD_INDUCTION_DIRECT, 1e-3, 1, count, x, y, vx, vy);
                for (int i = 0; i < count; i++) {
                    sum_x[i] = (double)vx[i];
                    sum_y[i] = (double)vy[i];
                    strip_velocity(&walls, set, x[i], y[i], &exact_x[i], &exact_y[i]);
                }
                velocities(&walls, &vortices, PD_INDUCTION_TREE, 1e-3, 1, count, x, y, vx, vy);
                errors e = errors_of(count, vx, vy, exact_x, exact_y);
                errors of_modes = errors_of(count, vx, vy, sum_x, sum_y);
                print_message("%s, 1 : %g%s: rms error %.1e, greatest %.1e, to the sum of pairs %.1e\n",
                              spread_names[spreads[s]], 2 / (double)sides[side], upright ? ", upright" : "", e.rms,
                              e.greatest, of_modes.rms);
                assert_true(e.rms < rounding[s] && e.greatest < 10 * rounding[s]);
                assert_true(of_modes.rms < 5e-6);
                free(set);
            }
}

/* Pairs of 16 positions and a vortex that are summed for 256 neighbouring positions; writes the field. */
static double pairs_of(const pd_vortex_field *f, const float *x, const float *y, float *re, float *im) {
    return PD_SIMD_PICK(pd_vortex_evaluate_narrow_box)(f, PD_VORTEX_CHUNK, x, y, re, im);
}

/* All vortices within a few distances between the long sides were summed: ten lengths of 2000 vortices to a leaf. */
static void few_of_many_vortices_are_pairs(void **state) {
    (void)state;
    enum { VORTICES = 200000, COUNT_OF_LEAVES = PD_VORTEX_CHUNK / PD_VORTEX_LEAF };
    float x[PD_VORTEX_CHUNK], y[PD_VORTEX_CHUNK], re[2][PD_VORTEX_CHUNK], im[2][PD_VORTEX_CHUNK];
    pd_induction_walls walls = {.kind = PD_WALLS_IN_BOX, .size = {2, 0.02f}};
    vortex_set *set = many_vortices(EVEN, VORTICES, &walls);
    pd_vortices vortices = vortices_of(set);
    pd_pool *pool = pool_of(1);
    pd_induction *n = induction_of(VORTICES, VORTICES);
    int *order = malloc(VORTICES * sizeof *order);
    assert_non_null(order);
    pd_induction_compute_order(n, &walls, VORTICES, set->x, set->y, order, pool);
    pd_induction_set_vortices(n, &walls, &vortices, PD_INDUCTION_TREE, 1e-3f, order, pool);
    pd_vortex_field field = *pd_induction_field(n);
    for (int i = 0; i < PD_VORTEX_CHUNK; i++) { /* in units of the field */
        int from = order[VORTICES / 3 + i];
        x[i] = set->x[from] * field.long_side / walls.size.x;
        y[i] = set->y[from] * field.long_side / walls.size.x;
    }
    double pairs = pairs_of(&field, x, y, re[0], im[0]) / COUNT_OF_LEAVES;
    field.slab_count = 0;
    double all = pairs_of(&field, x, y, re[1], im[1]) / COUNT_OF_LEAVES, error = 0, sum = 0;
    for (int i = 0; i < PD_VORTEX_CHUNK; i++) {
        error += pow((double)(re[0][i] - re[1][i]), 2) + pow((double)(im[0][i] - im[1][i]), 2);
        sum += pow((double)re[1][i], 2) + pow((double)im[1][i], 2);
    }
    print_message("%.0f pairs to a leaf instead of %.0f, difference %.1e\n", pairs, all, sqrt(error / sum));
    assert_true(all > 20000 && pairs < 1500);
    assert_true(sqrt(error / sum) < 1e-5);
    free(order);
    pd_induction_destroy(n);
    pd_pool_destroy(pool);
    free(set);
}

/* So few vortices that all are pairs, and so many that they are not. */
static void same_bits_on_any_threads_and_level(void **state) {
    enum { VORTICES = 20000 };
    static const int counts[] = {600, VORTICES};
    static float x[2][VORTICES], y[2][VORTICES];
    use_level(*state);
    pd_induction_walls walls = {.kind = PD_WALLS_IN_BOX, .size = {2, 0.02f}};
    vortex_set *set = many_vortices(EVEN, VORTICES, &walls);
    pd_vortices vortices = vortices_of(set);
    for (int c = 0; c < COUNT(counts); c++) {
        int count = vortices.count = counts[c];
        size_t bytes = (size_t)count * sizeof(float);
        pd_simd_select("baseline");
        velocities(&walls, &vortices, PD_INDUCTION_TREE, 1e-3, 1, count, set->x, set->y, x[0], y[0]);
        pd_simd_select(*state);
        for (int threads = 1; threads <= 3; threads++) {
            velocities(&walls, &vortices, PD_INDUCTION_TREE, 1e-3, threads, count, set->x, set->y, x[1], y[1]);
            assert_memory_equal(x[0], x[1], bytes);
            assert_memory_equal(y[0], y[1], bytes);
        }
    }
    free(set);
}

TEST_GROUP(induction_narrow) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(very_narrow_boxes_have_all_reflections),
        cmocka_unit_test(many_vortices_have_all_reflections),
        cmocka_unit_test(few_of_many_vortices_are_pairs),
        AT_EVERY_LEVEL(same_bits_on_any_threads_and_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
