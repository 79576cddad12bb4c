#include "sanitizers.h"
#include "scene/content/counts.h"
#include "scene/geometry.h"
#include "sim/particles/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static pd_particles particles;
static pd_boundary *wide; /* a container far larger than every region */

static int setup(void **state) {
    (void)state;
    pd_scene scene = {.container = {.shape = PD_CONTAINER_CIRCLE, .radius = 1000.0f}};
    return pd_particles_reserve(&particles, 1000000, NULL) != PD_OK || pd_boundary_create(&wide, &scene, NULL) != PD_OK;
}

static int teardown(void **state) {
    (void)state;
    pd_particles_free(&particles);
    pd_boundary_destroy(wide);
    return 0;
}

static void fill(const pd_region *region, int count, uint64_t seed) {
    pd_random random = {seed};
    particles.count = 0;
    pd_region_add_particles(region, count, wide, &random, &particles);
    assert_int_equal(particles.count, count);
    for (int i = 0; i < count; i++) {
        pd_vec2 p = {particles.x[i], particles.y[i]};
        if (!pd_area_contains_point(&region->area, p))
            fail_msg("shape %d fill %d count %d: (%.9g, %.9g) is outside", region->area.shape, region->fill, count,
                     (double)p.x, (double)p.y);
    }
}

static int by_position(const void *a, const void *b) {
    const pd_vec2 *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static pd_vec2 *sorted(bool mirrored) {
    pd_vec2 *list = malloc((size_t)particles.count * sizeof *list);
    for (int i = 0; i < particles.count; i++)
        list[i] = (pd_vec2){mirrored ? -particles.x[i] : particles.x[i], particles.y[i]};
    qsort(list, (size_t)particles.count, sizeof *list, by_position);
    return list;
}

static void check_mirror(void) {
    pd_vec2 *list = sorted(false), *mirrored = sorted(true);
    for (int i = 0; i < particles.count; i++) {
        list[i].x += 0.0f; /* turns -0 into 0 */
        mirrored[i].x += 0.0f;
    }
    assert_memory_equal(list, mirrored, (size_t)particles.count * sizeof *list);
    free(list);
    free(mirrored);
}

static double nearest_pair(void) {
    pd_vec2 *list = sorted(false);
    double least = INFINITY;
    for (int i = 0; i < particles.count; i++)
        for (int j = i + 1; j < particles.count && (double)list[j].x - list[i].x < least; j++)
            least = fmin(least, hypot((double)list[j].x - list[i].x, (double)list[j].y - list[i].y));
    free(list);
    return least;
}

static const pd_region shapes[] = {
    {.area.shape = PD_SHAPE_CIRCLE, .area.center = {0, 0.3f}, .area.radius = 0.7f},
    {.area.shape = PD_SHAPE_BOX, .area.center = {0, -0.2f}, .area.size = {1.0f, 1.0f}},
    {.area.shape = PD_SHAPE_BOX, .area.size = {3.0f, 0.4f}},
    {.area.shape = PD_SHAPE_BOX, .area.size = {0.11f, 2.0f}},
    {.area.shape = PD_SHAPE_ELLIPSE, .area.center = {0, 0.1f}, .area.size = {1.8f, 0.5f}},
    {.area.shape = PD_SHAPE_ELLIPSE, .area.size = {0.3f, 1.0f}},
};

static void exact_regular_and_symmetric(void **state) {
    (void)state;
    skip_under_sanitizers();
    double least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int s = 0; s < 6; s++) {
        for (int f = PD_FILL_HEX; f <= PD_FILL_RINGS; f++) {
            pd_region region = shapes[s];
            region.fill = (pd_fill)f;
            for (int count = 1; count <= (is_shortened() ? 5000 : 20000); count += 1 + (count > 100 ? count / 4 : 0)) {
                fill(&region, count, 7);
                double spacing = sqrt(pd_area_square_metres(&region.area) / count), found = nearest_pair() / spacing;
                if (found < (f == PD_FILL_RANDOM ? 0.3 : 0.6))
                    fail_msg("shape %d fill %d count %d: nearest pair %.3f spacings", s, f, count, found);
                least[f] = fmin(least[f], found);
                if (f != PD_FILL_RANDOM) check_mirror();
            }
        }
    }
    print_message("nearest pairs, in spacings: hex %.3f, grid %.3f, random %.3f, rings %.3f\n", least[0], least[1],
                  least[2], least[3]);
}

/* In each direction the farthest particle of a circle, or of an ellipse that is squeezed to one, is as far from the center. */
static void rings_are_smooth(void **state) {
    (void)state;
    enum { SECTORS = 24 };
    const pd_region regions[] = {shapes[0], {.area.shape = PD_SHAPE_ELLIPSE, .area.size = {1.5f, 0.8f}}};
    for (int s = 0; s < 2; s++) {
        for (int count = 500; count < 5000; count += 700) {
            pd_region region = regions[s];
            region.fill = PD_FILL_RINGS;
            pd_vec2 half = pd_area_half_size(&region.area);
            double farthest[SECTORS] = {0}, width = sqrt(pd_area_square_metres(&region.area) / count);
            double mean_radius = sqrt((double)half.x * (double)half.y);
            fill(&region, count, 1);
            for (int i = 0; i < count; i++) {
                double x = mean_radius / half.x * (particles.x[i] - region.area.center.x),
                       y = mean_radius / half.y * (particles.y[i] - region.area.center.y);
                int sector = (int)((atan2(y, x) + 3.2) / 6.5 * SECTORS);
                farthest[sector] = fmax(farthest[sector], hypot(x, y));
            }
            for (int k = 0; k < SECTORS; k++) assert_float_equal(farthest[k], mean_radius - 0.5 * width, 0.03 * width);
        }
    }
}

static void grid_fills_a_box(void **state) {
    (void)state;
    pd_region region = {.area.shape = PD_SHAPE_BOX, .area.size = {2.0f, 1.0f}, .fill = PD_FILL_GRID};
    fill(&region, 200, 1);
    double low_x = INFINITY, low_y = INFINITY;
    for (int i = 0; i < 200; i++) {
        low_x = fmin(low_x, particles.x[i]);
        low_y = fmin(low_y, particles.y[i]);
        double column = (particles.x[i] + 0.95) / 0.1, row = (particles.y[i] + 0.45) / 0.1;
        assert_float_equal(column, round(column), 1e-4);
        assert_float_equal(row, round(row), 1e-4);
    }
    assert_float_equal(low_x, -0.95, 1e-5);
    assert_float_equal(low_y, -0.45, 1e-5);
}

static void centered(void **state) {
    (void)state;
    for (int f = PD_FILL_HEX; f <= PD_FILL_RINGS; f++) {
        pd_region region = {
            .area.shape = PD_SHAPE_CIRCLE, .area.center = {3, -2}, .area.radius = 0.5f, .fill = (pd_fill)f};
        region.velocity = (pd_vec2){1, 2};
        region.material = 3;
        fill(&region, 3000, 5);
        double x = 0, y = 0;
        for (int i = 0; i < 3000; i++) {
            x += particles.x[i] / 3000.0;
            y += particles.y[i] / 3000.0;
            assert_true(particles.vx[i] == 1 && particles.vy[i] == 2 && particles.material[i] == 3);
        }
        assert_float_equal(x, 3, f == PD_FILL_RANDOM ? 1e-3 : 1e-5);
        assert_float_equal(y, -2, 2e-3);
    }
}

static void same_seed_same_bits(void **state) {
    (void)state;
    pd_region region = shapes[0];
    region.fill = PD_FILL_RANDOM;
    enum { N = 500 };
    float x[N], y[N];
    fill(&region, N, 11);
    memcpy(x, particles.x, sizeof x);
    memcpy(y, particles.y, sizeof y);
    fill(&region, N, 11);
    assert_memory_equal(x, particles.x, sizeof x);
    assert_memory_equal(y, particles.y, sizeof y);
    fill(&region, N, 12);
    assert_memory_not_equal(x, particles.x, sizeof x);
}

static void areas(void **state) {
    (void)state;
    assert_float_equal(pd_area_square_metres(&(pd_area){.shape = PD_SHAPE_CIRCLE, .radius = 2}), 12.566371, 1e-5);
    assert_float_equal(pd_area_square_metres(&(pd_area){.shape = PD_SHAPE_BOX, .size = {2, 3}}), 6, 1e-9);
    assert_float_equal(pd_area_square_metres(&(pd_area){.shape = PD_SHAPE_ELLIPSE, .size = {2, 6}}), 9.424778, 1e-5);
    pd_region ellipse = {.area.shape = PD_SHAPE_ELLIPSE, .area.center = {1, 0}, .area.size = {2, 6}};
    assert_true(pd_area_contains_point(&ellipse.area, (pd_vec2){1, 2.9f}));
    assert_false(pd_area_contains_point(&ellipse.area, (pd_vec2){1.8f, 2}));
}

static pd_region circle(float radius, int count, float spacing) {
    return (pd_region){.area.shape = PD_SHAPE_CIRCLE, .area.radius = radius, .count = count, .spacing = spacing};
}

static void check_counts(int total, pd_region *regions, int count, const int *want) {
    pd_scene scene = {.particles = total, .regions = regions, .region_count = count};
    int counts[8] = {0}, sum;
    assert_int_equal(pd_regions_compute_particle_counts(&scene, counts, &sum, NULL), PD_OK);
    int wanted = 0;
    for (int i = 0; i < count; i++) {
        assert_int_equal(counts[i], want[i]);
        wanted += want[i];
    }
    assert_int_equal(sum, wanted);
}

static void counts_of_regions(void **state) {
    (void)state;
    check_counts(0, NULL, 0, NULL);
    check_counts(0, (pd_region[]){circle(1, 0, 0), circle(2, 0, 0)}, 2, (int[]){300, 1200});
    check_counts(7, (pd_region[]){circle(1, 0, 0), circle(1, 0, 0), circle(1, 0, 0)}, 3, (int[]){3, 2, 2});
    check_counts(0, (pd_region[]){circle(1, 500, 0), circle(2, 0, 0)}, 2, (int[]){500, 1000});
    check_counts(0, (pd_region[]){circle(1, 2000, 0), circle(2, 0, 0)}, 2, (int[]){2000, 8000}); /* nothing is left */
    check_counts(900, (pd_region[]){circle(1, 600, 0), circle(2, 0, 0)}, 2, (int[]){600, 300});
    check_counts(900, (pd_region[]){circle(1, 1000, 0), circle(2, 2000, 0)}, 2, (int[]){300, 600});
    check_counts(90000, (pd_region[]){circle(1, 1000, 0), circle(2, 2000, 0)}, 2, (int[]){30000, 60000});
    check_counts(1, (pd_region[]){circle(1, 1000, 0), circle(2, 2000, 0)}, 2, (int[]){0, 1});
    check_counts(0, (pd_region[]){circle(1, 0, 0.1f), circle(1, 5, 0)}, 2, (int[]){314, 5});
    check_counts(PD_MAX_PARTICLES, (pd_region[]){circle(1, 3, 0), circle(1, 0, 1e-3f), circle(1, 0, 0)}, 3,
                 (int[]){3, 3141592, 6858405});
}

static void too_many(void **state) {
    (void)state;
    static const pd_region greedy[] = {
        {.area.shape = PD_SHAPE_CIRCLE, .area.radius = 1, .spacing = 1e-5f},
        {.area.shape = PD_SHAPE_CIRCLE, .area.radius = 1e18f, .spacing = 1e-30f},
        {.area.shape = PD_SHAPE_CIRCLE, .area.radius = 1, .count = PD_MAX_PARTICLES},
    };
    int counts[2], sum;
    pd_error error;
    for (int i = 0; i < 3; i++) {
        pd_region regions[] = {greedy[i], circle(1, 1, 0)};
        pd_scene scene = {.regions = regions, .region_count = 2};
        assert_int_equal(pd_regions_compute_particle_counts(&scene, counts, &sum, &error), PD_BAD_INPUT);
        assert_int_equal(error.code, PD_ERROR_SCENE_TOO_LARGE);
    }
    pd_region one = circle(1, 0, 0);
    pd_scene scene = {.regions = &one, .region_count = 1, .particles = PD_MAX_PARTICLES + 1};
    assert_int_equal(pd_regions_compute_particle_counts(&scene, counts, &sum, &error), PD_BAD_INPUT);
}

static void odd_fills(void **state) {
    (void)state;
    fill(&shapes[0], 0, 1);
    static const pd_vec2 sizes[] = {{1e-6f, 2}, {2, 1e-6f}, {1e-4f, 1e-4f}, {500, 900}};
    const int counts[] = {1, 2, 1000, is_shortened() ? 5000 : 50000};
    for (int s = 0; s < 4; s++)
        for (int c = 0; c < 4; c++)
            for (int f = PD_FILL_HEX; f <= PD_FILL_RINGS; f++)
                for (int shape = PD_SHAPE_BOX; shape <= PD_SHAPE_ELLIPSE; shape++)
                    fill(&(pd_region){.area.shape = (pd_shape)shape, .area.size = sizes[s], .fill = (pd_fill)f},
                         counts[c], 3);
    fill(&shapes[0], is_shortened() ? 100000 : 1000000, 1);
}

static void outside_the_container_is_moved_inside(void **state) {
    (void)state;
    pd_obstacle box = {.area.shape = PD_SHAPE_BOX, .area.center = {0, -0.5f}, .area.size = {0.5f, 0.2f}};
    pd_scene scene = {
        .container = {.shape = PD_CONTAINER_CIRCLE, .radius = 1.0f}, .obstacles = &box, .obstacle_count = 1};
    pd_boundary *boundary;
    assert_int_equal(pd_boundary_create(&boundary, &scene, NULL), PD_OK);
    pd_region region = {.area.shape = PD_SHAPE_BOX, .area.size = {2.5f, 2.5f}};
    pd_random random = {1};
    particles.count = 0;
    pd_region_add_particles(&region, 5000, boundary, &random, &particles);
    assert_int_equal(particles.count, 5000);
    for (int i = 0; i < 5000; i++)
        assert_true(pd_boundary_allows_position(boundary, (pd_vec2){particles.x[i], particles.y[i]}, 0.0f));
    pd_boundary_destroy(boundary);
}

static bool covered_by(const pd_region *region, const pd_obstacle *obstacles, int count) {
    for (int i = 0; i < count; i++)
        if (pd_area_is_covered_by_obstacle(&region->area, &obstacles[i].area)) return true;
    return false;
}

/* A region of exactly the size of an obstacle around it is covered; one that is larger by 0.1 % is not. */
static void regions_without_room_are_found(void **state) {
    (void)state;
    const pd_obstacle round = {.area.shape = PD_SHAPE_CIRCLE, .area.center = {0.3f, 0.2f}, .area.radius = 0.5f};
    const pd_obstacle turned = {
        .area.shape = PD_SHAPE_BOX, .area.center = {0.3f, 0.2f}, .area.size = {1, 0.6f}, .area.angle = 30, .spin = 90};
    const struct {
        pd_shape shape;
        pd_vec2 center, size; /* of a circle: its diameter */
        const pd_obstacle *obstacles;
        int count;
        bool touches; /* the region reaches the surface, so that a little more is free */
    } table[] = {
        {PD_SHAPE_CIRCLE, {0.3f, 0.2f}, {1, 1}, &round, 1, true},
        {PD_SHAPE_CIRCLE, {0.55f, 0.2f}, {0.5f, 0.5f}, &round, 1, true},
        {PD_SHAPE_BOX, {0.3f, 0.2f}, {0.799f, 0.6f}, &round, 1, true},
        {PD_SHAPE_ELLIPSE, {0.3f, 0.2f}, {0.9f, 0.4f}, &round, 1, false},
        {PD_SHAPE_CIRCLE, {0.3f, 0.2f}, {0.6f, 0.6f}, &turned, 1, true},
        {PD_SHAPE_BOX, {0.3f, 0.2f}, {0.439f, 0.439f}, &turned, 1, true},
        {PD_SHAPE_ELLIPSE, {0.3f, 0.2f}, {0.9f, 0.458f}, &turned, 1, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        pd_region region = {.area.shape = table[i].shape, .area.center = table[i].center, .area.size = table[i].size};
        region.area.radius = table[i].size.x / 2;
        if (!covered_by(&region, table[i].obstacles, table[i].count)) fail_msg("row %zu is not found", i);
        float more = table[i].touches ? 1.003f : 2.5f;
        region.area.radius *= more, region.area.size.x *= more, region.area.size.y *= more;
        if (covered_by(&region, table[i].obstacles, table[i].count)) fail_msg("row %zu, larger, has room", i);
    }
}

/* Among random obstacles: no point of a region that counts as covered is free. */
static void regions_named_have_no_room(void **state) {
    (void)state;
    pd_random random = {11};
    int named = 0;
    for (int round = 0; round < 3000; round++) {
        pd_obstacle obstacles[3];
        for (int i = 0; i < 3; i++) {
            obstacles[i] = (pd_obstacle){.area.shape = i == 1 ? PD_SHAPE_CIRCLE : PD_SHAPE_BOX};
            obstacles[i].area.center =
                (pd_vec2){pd_random_below_one(&random) - 0.5f, pd_random_below_one(&random) - 0.5f};
            obstacles[i].area.radius = 0.2f + pd_random_below_one(&random);
            obstacles[i].area.size =
                (pd_vec2){0.2f + pd_random_below_one(&random), 0.2f + 2 * pd_random_below_one(&random)};
            obstacles[i].area.angle = 360 * pd_random_below_one(&random);
        }
        pd_region region = {.area.shape = (pd_shape)(round % 3),
                            .area.radius = 0.1f + 0.5f * pd_random_below_one(&random)};
        region.area.size = (pd_vec2){0.1f + pd_random_below_one(&random), 0.1f + pd_random_below_one(&random)};
        region.area.center = (pd_vec2){pd_random_below_one(&random) - 0.5f, pd_random_below_one(&random) - 0.5f};
        if (!covered_by(&region, obstacles, 3)) continue;
        named++;
        pd_scene scene = {.container = {.shape = PD_CONTAINER_NONE}, .obstacles = obstacles, .obstacle_count = 3};
        pd_boundary *boundary;
        assert_int_equal(pd_boundary_create(&boundary, &scene, NULL), PD_OK);
        for (int i = 0; i < 2000; i++) {
            pd_vec2 point = {region.area.center.x + 1.2f * (pd_random_below_one(&random) - 0.5f),
                             region.area.center.y + 1.2f * (pd_random_below_one(&random) - 0.5f)};
            assert_false(pd_area_contains_point(&region.area, point) &&
                         pd_boundary_allows_position(boundary, point, 0));
        }
        pd_boundary_destroy(boundary);
    }
    print_message("%d of 3000\n", named);
    assert_true(named > 100);
}

TEST_GROUP(regions) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_regular_and_symmetric),
        cmocka_unit_test(rings_are_smooth),
        cmocka_unit_test(grid_fills_a_box),
        cmocka_unit_test(centered),
        cmocka_unit_test(same_seed_same_bits),
        cmocka_unit_test(areas),
        cmocka_unit_test(counts_of_regions),
        cmocka_unit_test(too_many),
        cmocka_unit_test(odd_fills),
        cmocka_unit_test(outside_the_container_is_moved_inside),
        cmocka_unit_test(regions_without_room_are_found),
        cmocka_unit_test(regions_named_have_no_room),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
