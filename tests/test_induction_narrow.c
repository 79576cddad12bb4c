/* Velocities of vortices in boxes so narrow that the reflections at their long sides are summed in closed form: all of the
 * reflections one by one, the same bits on any number of threads and SIMD level. */
#include "vortices.h"

#include "core/error.h"
#include "levels.h"
#include "sanitizers.h"

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
                if (r2 > 0) sum += g * core_factor(r2, core) / (dx + IMAGINARY * dy);
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
                velocities(&walls, &vortices, PD_INDUCTION_TREE, 1e-3, 2, POSITIONS, x, y, vx, vy);
                for (int i = 0; i < POSITIONS; i++) brute_velocity(&walls, set, x[i], y[i], &exact_x[i], &exact_y[i]);
                errors e = errors_of(POSITIONS, vx, vy, exact_x, exact_y);
                print_message("1 : %g%s, cores of %g: rms error %.1e, greatest %.1e\n", aspects[a],
                              upright ? ", upright" : "", cores[c], e.rms, e.greatest);
                assert_true(e.rms < 1e-5 * less[c] && e.greatest < 1e-4 * less[c]);
                free(set);
            }
}

static void same_bits_on_any_threads_and_level(void **state) {
    enum { VORTICES = 600 };
    static float x[2][VORTICES], y[2][VORTICES];
    use_level(*state);
    vortex_set *set = set_of(EVEN, NARROW_BOX, VORTICES, true, 0.01);
    pd_induction_walls walls = {.kind = PD_WALLS_IN_BOX, .size = {2, 0.02f}};
    pd_vortices vortices = vortices_of(set);
    for (int i = 0; i < VORTICES; i++) set->y[i] *= 0.08f;
    pd_simd_force("baseline");
    velocities(&walls, &vortices, PD_INDUCTION_TREE, 1e-3, 1, VORTICES, set->x, set->y, x[0], y[0]);
    pd_simd_force(*state);
    for (int threads = 1; threads <= 3; threads++) {
        velocities(&walls, &vortices, PD_INDUCTION_TREE, 1e-3, threads, VORTICES, set->x, set->y, x[1], y[1]);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_memory_equal(y[0], y[1], sizeof y[0]);
    }
    free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(very_narrow_boxes_have_all_reflections),
        AT_EVERY_LEVEL(same_bits_on_any_threads_and_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
