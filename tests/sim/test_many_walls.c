/* Walls of many segments, and many obstacles: what is far from their points is free of them, what they hide does not depend on
 * the number of segments, and every method runs among thousands of them. */
#include "methods.h"

#include "core/random.h"
#include "core/simd.h"
#include "sim/walls/solid.h"
#include "sim/walls/walls.h"

static float between(pd_random *random, float low, float high) {
    return low + (high - low) * pd_random_below_one(random);
}

/* A polyline of this many equal segments, from a to b; with `bulge` (m) on an arc of a parabola. */
static pd_obstacle line_of(pd_vec2 *points, int segments, pd_vec2 a, pd_vec2 b, float bulge) {
    for (int i = 0; i <= segments; i++) {
        float t = (float)i / (float)segments;
        points[i] = (pd_vec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y) + 4 * bulge * t * (1 - t)};
    }
    return (pd_obstacle){
        .area = {.shape = PD_SHAPE_POLYLINE, .points = points, .point_count = segments + 1, .thickness = 0.02f}};
}

static pd_boundary *boundary_of(pd_obstacle *obstacles, int count) {
    pd_scene scene = {.container = {.shape = PD_CONTAINER_BOX, .width = 4, .height = 4}};
    pd_boundary *boundary;
    pd_error error = {0};
    scene.obstacles = obstacles;
    scene.obstacle_count = count;
    assert_int_equal(pd_boundary_create(&boundary, &scene, &error), PD_OK);
    return boundary;
}

/* Drawn walls have their center in the origin: the boxes are about their points all the same, also of turned and of moving
 * ones. */
static void test_boxes_of_lines(void **state) {
    (void)state;
    pd_vec2 points[5];
    for (int k = 0; k < 3; k++) {
        pd_obstacle line = line_of(points, 4, (pd_vec2){1, 1}, (pd_vec2){1.2f, 1.1f}, 0);
        if (k == 1) line.area.angle = 90;
        if (k == 2) line.velocity = (pd_vec2){1, 0};
        pd_boundary *boundary = boundary_of(&line, 1);
        pd_boundary_move_obstacles(boundary, 0, 0.1);
        pd_box box = pd_boundary_obstacle_tree(boundary)->nodes[0].box, wanted = {0.99f, 0.99f, 1.21f, 1.11f};
        if (k == 1) wanted = (pd_box){-1.11f, 0.99f, -0.99f, 1.21f};
        if (k == 2) wanted.high_x += 0.1f;
        assert_float_equal(box.low_x, wanted.low_x, 1e-3);
        assert_float_equal(box.low_y, wanted.low_y, 1e-3);
        assert_float_equal(box.high_x, wanted.high_x, 1e-3);
        assert_float_equal(box.high_y, wanted.high_y, 1e-3);
        pd_boundary_destroy(boundary);
    }
}

/* Groups of particles below an arch are clear of it, though they are in its box; of none that are clear one touches it. */
static void test_below_an_arch(void **state) {
    (void)state;
    enum { GROUP = 16, SEGMENTS = 100 };
    pd_random random = {3};
    pd_vec2 points[SEGMENTS + 1];
    pd_obstacle arch = line_of(points, SEGMENTS, (pd_vec2){-1, 0}, (pd_vec2){1, 0}, 1);
    int clear = 0, touched = 0;
    arch.area.angle = 30;
    arch.area.center = (pd_vec2){0.2f, -0.1f};
    pd_boundary *boundary = boundary_of(&arch, 1);
    for (int i = 0; i < 20000; i++) {
        float x[GROUP], y[GROUP], old_x[GROUP], old_y[GROUP];
        pd_vec2 middle = {between(&random, -1, 1), between(&random, -1, 1)};
        uint32_t met = 0;
        for (int k = 0; k < GROUP; k++) {
            pd_contact contact;
            old_x[k] = middle.x + between(&random, -0.05f, 0.05f);
            old_y[k] = middle.y + between(&random, -0.05f, 0.05f);
            pd_vec2 to = {old_x[k] + between(&random, -0.05f, 0.05f), old_y[k] + between(&random, -0.05f, 0.05f)};
            x[k] = to.x;
            y[k] = to.y;
            met |= (uint32_t)pd_boundary_stop_at_walls(boundary, (pd_vec2){old_x[k], old_y[k]}, &to, &contact) << k;
        }
        uint32_t near = pd_boundary_mask_paths_near_walls(boundary, GROUP, old_x, old_y, x, y);
        assert_int_equal(met & ~near, 0);
        clear += !near;
        touched += met != 0;
    }
    print_message("%d clear, %d at the arch\n", clear, touched);
    assert_in_range(touched, 2000, 8000);
    assert_in_range(clear, 11000, 20000 - touched);
    pd_boundary_destroy(boundary);
}

/* A scene with 60 particles in places by chance about a line of this many segments, or an arch. */
static pd_world *world_about(int segments, float bulge) {
    char text[40000];
    pd_vec2 points[501];
    line_of(points, segments, (pd_vec2){-0.9f, -0.3f}, (pd_vec2){0.9f, 0.4f}, bulge);
    int n = snprintf(text, sizeof text,
                     "puddle: 1\ncontainer: {shape: box, width: 4, height: 4}\nparticles: 60\n"
                     "regions: [{shape: circle, center: [0, -1], radius: 0.1}]\n"
                     "obstacles:\n  - shape: polyline\n    thickness: 0.02\n    points: [");
    for (int i = 0; i <= segments; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s[%.7f, %.7f]", i ? ", " : "", (double)points[i].x,
                      (double)points[i].y);
    snprintf(text + n, sizeof text - (size_t)n, "]\n");
    pd_world *world = world_of_text(text, 1);
    pd_random random = {5};
    for (int i = 0; i < world->particles.count; i++) {
        float t = between(&random, -0.1f, 1.1f), across = between(&random, -0.12f, 0.12f);
        world->particles.x[i] = -0.9f + 1.8f * t - 0.36f * across;
        world->particles.y[i] = -0.3f + 0.7f * t + 4 * bulge * t * (1 - t) + 0.93f * across;
    }
    return world;
}

/* What a line hides, at 60 places about it. */
static void weights_about(int segments, pd_wall_weight found[60]) {
    pd_world *world = world_about(segments, 0);
    pd_walls walls = {0};
    pd_error error = {0};
    pd_walls_rule rule = {.radius = 0.1f, .weight = 1};
    assert_int_equal(pd_walls_reserve(&walls, world->particles.count, &error), PD_OK);
    pd_walls_compute_weights(&walls, world, &rule);
    for (int i = 0; i < 60; i++) found[i] = walls.weight[walls.index[i]];
    pd_walls_free(&walls);
    pd_world_destroy(world);
}

/* A line hides the same in 5 segments and in 500, and is read as a few chords. */
static void test_weight_of_a_line(void **state) {
    (void)state;
    pd_wall_weight few[60], many[60];
    double worst = 0, most = 0;
    int count;
    weights_about(5, few);
    weights_about(500, many);
    for (int i = 0; i < 60; i++) {
        worst = fmax(worst, fabs((double)(few[i].hidden.far - many[i].hidden.far)));
        worst = fmax(worst, fabs((double)(few[i].hidden.near - many[i].hidden.near)));
        most = fmax(most, (double)few[i].hidden.near);
    }
    print_message("at most %.3f hidden, %.2g off\n", most, worst);
    assert_true(most > 0.1);
    assert_true(worst < 2e-3);
    pd_world *world = world_about(500, 0);
    assert_in_range(pd_boundary_solids(world->boundary, &count)->chord_count, 1, 10);
    pd_world_destroy(world);
}

/* The chords of an arch leave no point of it farther away than the least contact margin, and follow one another. */
static void test_chords_of_an_arch(void **state) {
    (void)state;
    int count, next = 0;
    pd_world *world = world_about(500, 0.02f);
    const pd_solid *solid = pd_boundary_solids(world->boundary, &count);
    print_message("%d chords\n", solid->chord_count);
    assert_in_range(solid->chord_count, 20, 400);
    for (int k = 0; k < solid->chord_count; k++) {
        const pd_chord *chord = &solid->chords[k];
        for (double at = 0;; next++) {
            pd_double2 p = {solid->obstacle.area.points[next].x, solid->obstacle.area.points[next].y};
            pd_double2 from = pd_minus(p, chord->begin);
            at = pd_dot(from, chord->along);
            assert_true(fabs(from.x * chord->along.y - from.y * chord->along.x) <= 1.001 * solid->least_margin);
            if (at > chord->length - 1e-9) break;
        }
    }
    assert_int_equal(next, 500);
    pd_world_destroy(world);
}

/* A container with walls of every shape, of which some move, so close that a particle may feel more than PD_MOST_WALLS; and 60
 * particles, the last of which are less than a group. */
static pd_world *world_of_shapes(void) {
    static const char *const shapes[] = {
        "{shape: box, center: [%.3f, %.3f], size: [0.1, 0.04], angle: 30}",
        "{shape: circle, center: [%.3f, %.3f], radius: 0.04, velocity: [0.2, 0.1]}",
        "{shape: polyline, points: [[%.3f, %.3f], [0, 0.05], [0, 0.05], [0.1, 0]], thickness: 0.03, spin: 40}",
        "{shape: polyline, center: [%.3f, %.3f], points: [[0, 0], [0.1, 0.02], [0.12, 0.1]], thickness: 0.04}",
        "{shape: polyline, center: [%.3f, %.3f], points: [[0, 0], [0, 0]], thickness: 0.05}"};
    char text[8000];
    pd_random random = {11};
    int n = snprintf(text, sizeof text,
                     "puddle: 1\ncontainer: {shape: box, width: 1, height: 0.8}\nparticles: 60\n"
                     "regions: [{shape: circle, center: [0, 0], radius: 0.3}]\nobstacles:\n");
    for (int i = 0; i < 60; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "  - ");
        n += snprintf(text + n, sizeof text - (size_t)n, shapes[i % 5], (double)between(&random, -0.45f, 0.45f),
                      (double)between(&random, -0.35f, 0.35f));
        n += snprintf(text + n, sizeof text - (size_t)n, "\n");
    }
    pd_world *world = world_of_text(text, 1);
    pd_world_step(world); /* sets the walls in motion */
    return world;
}

/* What walls hide of a particle is computed for groups of particles, on each SIMD level: bit for bit the same whichever others
 * are in its group. */
static void test_weights_in_groups(void **state) {
    (void)state;
    enum { COUNT = 60 };
    static const char *const levels[] = {"baseline", "avx2", "avx512", "neon"};
    pd_world *world = world_of_shapes();
    pd_walls walls = {0};
    pd_error error = {0};
    pd_random random = {13};
    float x[COUNT], y[COUNT], same_x[COUNT], same_y[COUNT];
    static pd_wall_weight alone[COUNT];
    int near = 0, most = 0, compared = 0;
    assert_int_equal(world->particles.count, COUNT);
    assert_int_equal(pd_walls_reserve(&walls, COUNT, &error), PD_OK);
    pd_walls_rule rule = {
        .radius = 0.06f, .outside = 0.05f, .weight = 0.9f, .ahead = 0.005f, .smooth_near_kernel = true};
    for (int i = 0; i < COUNT; i++) {
        x[i] = between(&random, -0.49f, 0.49f);
        y[i] = between(&random, -0.39f, 0.39f);
        for (int k = 0; k < COUNT; k++) same_x[k] = x[i];
        for (int k = 0; k < COUNT; k++) same_y[k] = y[i];
        rule.x = same_x;
        rule.y = same_y;
        pd_walls_compute_weights(&walls, world, &rule);
        alone[i] = walls.weight[walls.index[COUNT - 1]];
        near += alone[i].walls > 0;
        most += alone[i].walls == PD_MOST_WALLS;
    }
    rule.x = x;
    rule.y = y;
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
        if (!pd_simd_select(levels[l])) continue;
        pd_walls_compute_weights(&walls, world, &rule);
        for (int i = 0; i < COUNT; i++, compared++)
            assert_memory_equal(&walls.weight[walls.index[i]], &alone[i], sizeof *alone);
    }
    pd_simd_select("auto");
    print_message("%d near walls, %d near as many as count, %d compared\n", near, most, compared);
    assert_in_range(near, COUNT / 2, COUNT);
    assert_true(most > 0 && compared >= COUNT);
    pd_walls_free(&walls);
    pd_world_destroy(world);
}

/* 2,000 obstacles: boxes, discs and drawn lines, in turn. */
static void test_two_thousand_obstacles(void **state) {
    enum { COUNT = UNDER_ADDRESS_SANITIZER ? 500 : 2000, LINE = 120 };
    static char text[200 + COUNT * LINE];
    pd_random random = {7};
    int n = snprintf(text, sizeof text,
                     "puddle: 1\nmethod: %s\nparticles: %d\ncontainer: {shape: box, width: 2, height: 1.2}\n"
                     "regions: [{shape: box, center: [0, -0.2], size: [2, 0.8]}]\nobstacles:\n",
                     (const char *)*state, is_shortened() ? 1000 : 5000);
    for (int i = 0; i < COUNT; i++) {
        double x = (double)between(&random, -0.98f, 0.98f), y = (double)between(&random, -0.58f, 0.58f);
        const char *const shapes[] = {
            "  - {shape: box, center: [%.3f, %.3f], size: [0.01, 0.006], angle: 30}\n",
            "  - {shape: circle, center: [%.3f, %.3f], radius: 0.004}\n",
            "  - {shape: polyline, points: [[%.3f, %.3f], [%.3f, %.3f]], thickness: 0.004}\n"};
        if (i % 3 == 2)
            n += snprintf(text + n, sizeof text - (size_t)n, shapes[2], x, y, x + 0.01, y + 0.005);
        else
            n += snprintf(text + n, sizeof text - (size_t)n, i % 3 ? shapes[1] : shapes[0], x, y);
    }
    pd_world *world = world_of_text(text, 1);
    pd_view view;
    step_many(world, is_shortened() ? 3 : 30);
    expect_sound(world);
    pd_world_view(world, &view);
    assert_int_equal(view.obstacle_count, COUNT);
    pd_world_destroy(world);
}

TEST_GROUP(many_walls) {
    const method_test tests[] = {
        ONCE(test_boxes_of_lines),   ONCE(test_below_an_arch),     ONCE(test_weights_in_groups),
        ONCE(test_weight_of_a_line), ONCE(test_chords_of_an_arch), OF_ALL(test_two_thousand_obstacles),
    };
    return RUN_METHOD_TESTS(tests);
}
