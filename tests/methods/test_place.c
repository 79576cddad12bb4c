/* Scenes without a container: nothing depends on where the origin is, and fluid falls freely. */
#include "methods.h"

typedef struct box_of_fluid {
    float low_x, low_y, high_x, high_y;
} box_of_fluid;

static box_of_fluid box_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    box_of_fluid b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < view.count; i++) {
        b.low_x = fminf(b.low_x, view.x[i]);
        b.low_y = fminf(b.low_y, view.y[i]);
        b.high_x = fmaxf(b.high_x, view.x[i]);
        b.high_y = fmaxf(b.high_y, view.y[i]);
    }
    return b;
}

static double rms_speed_of(const pd_world *world) {
    pd_statistics statistics;
    pd_world_statistics(world, &statistics);
    return statistics.rms_speed;
}

/* A box of water at (x, y + 0.375) above a plate. */
static pd_world *splash_world(const char *method, double x, double y) {
    char text[400];
    snprintf(text, sizeof text,
             "gravity: [0, -9.81]\nparticles: 800\ncontainer: {shape: none}\n"
             "regions: [{shape: box, center: [%g, %g], size: [0.5, 0.5]}]\n"
             "obstacles: [{shape: box, center: [%g, %g], size: [3, 0.25]}]\n",
             x, y + 0.375, x, y - 0.125);
    return world_of_method(method, text, 1);
}

static const double PLACES[][2] = {{0, 0}, {5, 0}, {-40, 25}};
enum { PLACE_COUNT = sizeof PLACES / sizeof *PLACES };

static void test_defaults_are_the_same_everywhere(void **state) {
    pd_world *worlds[PLACE_COUNT];
    for (int k = 0; k < PLACE_COUNT; k++) worlds[k] = splash_world(*state, PLACES[k][0], PLACES[k][1]);
    for (int i = 0; i < method_of(*state)->info.parameter_count; i++)
        for (int k = 1; k < PLACE_COUNT; k++) assert_float_equal(worlds[k]->parameter[i], worlds[0]->parameter[i], 0);
    for (int k = 0; k < PLACE_COUNT; k++) pd_world_destroy(worlds[k]);
}

static void test_the_same_splash_everywhere(void **state) {
    float width[PLACE_COUNT];
    for (int k = 0; k < PLACE_COUNT; k++) {
        pd_world *world = splash_world(*state, PLACES[k][0], PLACES[k][1]);
        step_many(world, 36);
        box_of_fluid b = box_of(world);
        width[k] = b.high_x - b.low_x;
        print_message("%s at (%g, %g): %.2f m wide\n", (const char *)*state, PLACES[k][0], PLACES[k][1],
                      (double)width[k]);
        assert_true(fabsf(width[k] / width[0] - 1) < 0.02f);
        pd_world_destroy(world);
    }
}

/* Floats have steps of 6e-5 m here. */
static void test_water_far_away_is_as_still(void **state) {
    double speed[2];
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "gravity: [0, 0]\nparticles: 800\ncontainer: {shape: none}\n"
                 "regions: [{shape: box, center: [%g, %g], size: [0.5, 0.5]}]\n",
                 k ? -1000.3 : 0, k ? -777.7 : 0);
        pd_world *world = world_of_method(*state, text, 1);
        step_many(world, 120);
        speed[k] = rms_speed_of(world);
        pd_world_destroy(world);
    }
    print_message("%s: %.4f m/s at the origin, %.4f m/s at 1 km\n", (const char *)*state, speed[0], speed[1]);
    assert_true(speed[1] < 1.2 * speed[0] + 1e-3);
}

/* Before positions had an origin of their own at walls, this pool had 0.14 m/s at 1 km. */
static void test_a_pool_far_away_is_still(void **state) {
    (void)state;
    double speed[2];
    for (int k = 0; k < 2; k++) {
        const double x = k ? 1000.3 : 0, y = k ? 777.7 : 0;
        char text[600];
        snprintf(text, sizeof text,
                 "gravity: [0, -9.81]\nparticles: 800\ncontainer: {shape: none}\n"
                 "regions: [{shape: box, center: [%g, %g], size: [1, 0.4]}]\n"
                 "obstacles: [{shape: box, center: [%g, %g], size: [1.4, 0.2]},\n"
                 "            {shape: box, center: [%g, %g], size: [0.2, 1.4]},\n"
                 "            {shape: box, center: [%g, %g], size: [0.2, 1.4]}]\n",
                 x, y + 0.2, x, y - 0.1, x - 0.6, y + 0.5, x + 0.6, y + 0.5);
        pd_world *world = world_of_method("ddr", text, 1);
        step_many(world, 180);
        speed[k] = rms_speed_of(world);
        pd_world_destroy(world);
    }
    print_message("pool: %.4f m/s at the origin, %.4f m/s at 1 km\n", speed[0], speed[1]);
    assert_true(speed[1] < 0.06);
}

static const char FALL[] = "gravity: [0, -9.81]\nparticles: 800\ncontainer: {shape: none}\n"
                           "regions: [{shape: circle, center: [0, 0], radius: 0.3}]\n";

/* 8 s are g t (t + dt)/2 = 314.6 m with one substep, 313.9 m with many. */
static void test_free_fall(void **state) {
    pd_world *world = world_of_method(*state, FALL, 1);
    step_many(world, 480);
    box_of_fluid b = box_of(world);
    double fallen = -0.5 * ((double)b.low_y + (double)b.high_y), width = (double)(b.high_x - b.low_x),
           height = (double)(b.high_y - b.low_y);
    print_message("%s: %.1f m, %.2f x %.2f m\n", (const char *)*state, fallen, width, height);
    assert_true(fallen > 313.8 && fallen < 314.7);
    assert_true(width > 0.5 && width < 0.62 && height > 0.5 && height < 0.62);
    pd_world_destroy(world);
}

/* The frame and the grid of the next substep follow from the saved state alone. */
static void test_falling_fluid_continues_from_a_snapshot(void **state) {
    void *bytes = NULL;
    size_t size;
    pd_error error;
    pd_world *world = world_of_method(*state, FALL, 1), *other = world_of_method(*state, FALL, 2);
    step_many(world, 100);
    must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
    must(pd_world_restore_from_memory(other, bytes, size, &error), &error);
    step_many(world, 20);
    step_many(other, 20);
    assert_true(pd_world_hash(world) == pd_world_hash(other));
    pd_memory_free(bytes);
    pd_world_destroy(world);
    pd_world_destroy(other);
}

/* Fluid falls 30 m, and none of it passes the plate. */
static void test_fluid_lands_on_a_plate(void **state) {
    pd_world *world = world_of_method(*state,
                                      "gravity: [0, -9.81]\nparticles: 400\ncontainer: {shape: none}\n"
                                      "regions: [{shape: circle, center: [7, 0], radius: 0.3}]\n"
                                      "obstacles: [{shape: box, center: [7, -30], size: [40, 1]}]\n",
                                      1);
    step_many(world, 145); /* the impact is after 2.43 s */
    assert_true(box_of(world).low_y > -29.5f);
    step_many(world, 25);
    box_of_fluid b = box_of(world);
    assert_true(b.low_y >= -29.51f && b.high_x - b.low_x > 0.7f);
    pd_world_destroy(world);
}

static int cells_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    const pd_field *field = pd_view_field(&view, "velocity_x");
    return field->nx * field->ny;
}

static void test_grid_of_flip_is_around_the_fluid(void **state) {
    (void)state;
    pd_world *near = splash_world("flip", 0, 0), *far = splash_world("flip", -400, 256);
    step_many(near, 2);
    step_many(far, 2);
    assert_int_equal(cells_of(far), cells_of(near));
    assert_true(cells_of(far) < 10000);
    pd_world_destroy(near);
    pd_world_destroy(far);
}

/* One particle far away leaves the grid to the others. */
static void test_grid_of_flip_leaves_out_strays(void **state) {
    (void)state;
    char text[200];
    pd_world *world = splash_world("flip", 0, 0);
    world->particles.x[5] = world->particles.previous_x[5] = 5000;
    pd_world_step(world);
    assert_true(cells_of(world) <= 1 << 16);
    bool said = false;
    for (int i = 0; pd_world_write_warning(world, i, text, sizeof text); i++)
        said |= strncmp(text, "1 particles are too far", 23) == 0;
    assert_true(said);
    step_many(world, 35);
    pd_view view;
    pd_world_view(world, &view);
    int wide = 0;
    for (int i = 0; i < view.count; i++) wide += fabsf(view.x[i]) > 1;
    assert_true(wide > 20); /* the splash */
    pd_world_destroy(world);
}

static bool warns_of(const pd_world *world, const char *beginning) {
    char text[300];
    for (int i = 0; pd_world_write_warning(world, i, text, sizeof text); i++)
        if (strstr(text, beginning)) return true;
    return false;
}

static void test_limits_are_said(void **state) {
    const char *method = *state;
    pd_world *world = splash_world(method, 0, 0), *far = splash_world(method, 20000, 0);
    assert_false(warns_of(world, "m from the origin"));
    assert_true(warns_of(far, "m from the origin"));
    pd_world_step(world);
    assert_false(warns_of(world, "speeds are limited"));
    world->scene.substeps = 1;
    for (int i = 0; i < world->particles.count; i++) world->particles.vy[i] = 2000;
    pd_world_step(world);
    assert_true(warns_of(world, "speeds are limited"));
    pd_world_destroy(world);
    pd_world_destroy(far);
}

/* Energy of a vortex pair that draws dye past a disc. */
static double energy_of_pair(const char *method, double x, double y) {
    char text[600];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nparticles: 500\ncontainer: {shape: none}\n"
             "regions: [{shape: circle, center: [%g, %g], radius: 0.5}]\n"
             "vortons: [{position: [%g, %g], circulation: 0.6, core: 0.06},\n"
             "          {position: [%g, %g], circulation: -0.6, core: 0.06}]\n"
             "obstacles: [{shape: circle, center: [%g, %g], radius: 0.2}]\n",
             x, y, x - 0.25, y, x + 0.25, y, x, y + 0.875);
    pd_world *world = world_of_method(method, text, 1);
    step_many(world, 20);
    pd_statistics statistics;
    pd_world_statistics(world, &statistics);
    pd_view view;
    pd_world_view(world, &view);
    assert_true(view.low.x > (float)x - 4 && view.high.x < (float)x + 4 && view.low.y > (float)y - 4);
    pd_world_destroy(world);
    return statistics.kinetic_energy;
}

static bool is_without_particles(const pd_method *method) { return !is_of_particles(method); }

static void test_vortices_are_the_same_everywhere(void **state) {
    double near = energy_of_pair(*state, 0, 0), far = energy_of_pair(*state, 256, -128);
    print_message("%s: energy %.4f at the origin, %.4f far away\n", (const char *)*state, near, far);
    assert_true(near > 0 && fabs(far / near - 1) < 1e-3);
}

/* The state of a grid as a scene has its place. */
static void test_cells_have_a_place(void **state) {
    (void)state;
    pd_error error;
    pd_scene saved, read;
    size_t length;
    char *text;
    pd_world *world = world_of_method("grid",
                                      "gravity: [0, 0]\ncontainer: {shape: none}\n"
                                      "regions: [{shape: circle, center: [256, -128], radius: 0.5}]\n"
                                      "vortons: [{position: [256, -128], circulation: 1, core: 0.1}]\n"
                                      "parameters: {grid: {resolution: 32}}\n",
                                      1);
    step_many(world, 3);
    must(pd_world_state_as_scene(world, &saved, &error), &error);
    assert_true(saved.cells.center.x == 256 && saved.cells.center.y == -128);
    must(pd_scene_write_text(&saved, &text, &length, &error), &error);
    read = scene_of_text(text);
    pd_world *again = world_of(&read, 1);
    pd_view before, after;
    pd_world_view(world, &before);
    pd_world_view(again, &after);
    pd_vec2 place = {256.25f, -128};
    float v = pd_field_at(pd_view_field(&before, "velocity_y"), place);
    assert_true(v > 0.1f);
    assert_float_equal(pd_field_at(pd_view_field(&after, "velocity_y"), place), v, 1e-4);
    pd_memory_free(text);
    pd_scene_free(&saved);
    pd_scene_free(&read);
    pd_world_destroy(world);
    pd_world_destroy(again);
}

TEST_GROUP(place) {
    static const method_test tests[] = {
        OF_PARTICLES(test_defaults_are_the_same_everywhere),
        OF_PARTICLES(test_the_same_splash_everywhere),
        OF_PARTICLES(test_water_far_away_is_as_still),
        ONCE(test_a_pool_far_away_is_still),
        OF_PARTICLES(test_free_fall),
        OF_PARTICLES(test_falling_fluid_continues_from_a_snapshot),
        OF_PARTICLES(test_fluid_lands_on_a_plate),
        ONCE(test_grid_of_flip_is_around_the_fluid),
        ONCE(test_grid_of_flip_leaves_out_strays),
        OF_PARTICLES(test_limits_are_said),
        {"test_vortices_are_the_same_everywhere", test_vortices_are_the_same_everywhere, is_without_particles},
        ONCE(test_cells_have_a_place),
    };
    return RUN_METHOD_TESTS(tests);
}
