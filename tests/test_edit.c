/* Editing the scene of a running world. */
#include "cmocka_all.h"
#include "worlds.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = {"ddr", "sph", "pbf", "flip", "grid", "vortex"};
enum { METHODS = sizeof methods / sizeof *methods };

static const char POOL[] = "puddle: 1\n"
                           "container: {shape: box, width: 2, height: 1}\n"
                           "particles: 800\n"
                           "materials: {water: {color: \"#3a8fff\"}, oil: {color: \"#ffc040\", mass: 0.8}}\n"
                           "regions:\n"
                           "  - {shape: box, center: [0, -0.2], size: [2, 0.6], material: water}\n";

static pd_scene pool_of(const char *method) {
    pd_scene scene = scene_of_text(POOL);
    snprintf(scene.method, sizeof scene.method, "%s", method);
    return scene;
}

static pd_world *world_in_pool(const char *method, int threads, int steps) {
    pd_scene scene = pool_of(method);
    pd_world *world = world_of(&scene, threads);
    pd_scene_free(&scene);
    step_many(world, steps);
    return world;
}

static pd_scene copy_of(const pd_world *world) {
    pd_scene scene;
    pd_error error;
    assert_int_equal(pd_scene_copy(&scene, pd_world_scene(world), &error), PD_OK);
    return scene;
}

/* Applies the edit to another scene, which is freed. */
static pd_result edit_to(pd_world *world, pd_scene *to, pd_error *error) {
    pd_command command;
    assert_int_equal(pd_command_edit(&command, pd_world_scene(world), to, error), PD_OK);
    pd_result result = pd_world_apply(world, &command, error);
    pd_command_free(&command);
    pd_scene_free(to);
    return result;
}

static void must(pd_result result, const pd_error *error) {
    if (result != PD_OK) fail_msg("%s", error->message);
}

static pd_result add_wall(pd_world *world, const pd_obstacle *wall, pd_error *error) {
    pd_scene scene = copy_of(world);
    must(pd_scene_add_obstacle(&scene, wall, error), error);
    return edit_to(world, &scene, error);
}

static pd_obstacle disc_at(float x, float y, float radius) {
    return (pd_obstacle){.area = {.shape = PD_SHAPE_CIRCLE, .center = {x, y}, .radius = radius}};
}

static pd_vec2 upright[] = {{0, -0.6f}, {0, 0.6f}};
static pd_obstacle thin_wall(float x) {
    return (pd_obstacle){
        .area = {
            .shape = PD_SHAPE_POLYLINE, .center = {x, 0}, .points = upright, .point_count = 2, .thickness = 0.01f}};
}

static float greatest_speed(const pd_world *world) {
    pd_statistics statistics;
    pd_world_statistics(world, &statistics);
    return (float)statistics.max_speed;
}

/* A wall through the middle of a pool splits it by the side that each particle is on. */
static void a_thin_wall_splits_the_fluid(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        pd_error error;
        pd_view view;
        pd_world *world = world_in_pool(methods[m], 1, 30);
        pd_world_view(world, &view);
        int count = view.count;
        int8_t *side = test_calloc((size_t)count + 100000, 1);
        for (int i = 0; i < count; i++) side[view.id[i]] = view.x[i] < 0.1f ? -1 : 1;
        pd_obstacle wall = thin_wall(0.1f);
        must(add_wall(world, &wall, &error), &error);
        for (int step = 0; step < 60; step++) {
            pd_world_view(world, &view);
            assert_int_equal(view.count, count);
            for (int i = 0; i < count; i++)
                if ((view.x[i] < 0.1f ? -1 : 1) != side[view.id[i]])
                    fail_msg("%s: passed at step %d", methods[m], step);
            pd_world_step(world);
        }
        expect_sound(world);
        test_free(side);
        pd_world_destroy(world);
    }
}

/* Solid walls in the middle of the fluid: all of it moves out, and none of it fast. */
static void fluid_in_the_way_moves_out_gently(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        pd_error error;
        pd_view view;
        pd_world *world = world_in_pool(methods[m], 1, 120);
        pd_world_view(world, &view);
        int count = view.count;
        float before = greatest_speed(world), fastest = 0;
        pd_obstacle disc = disc_at(-0.4f, -0.3f, 0.12f);
        must(add_wall(world, &disc, &error), &error);
        expect_sound(world);
        for (int step = 0; step < 90; step++) {
            pd_world_step(world);
            fastest = fmaxf(fastest, greatest_speed(world));
        }
        pd_world_view(world, &view);
        assert_int_equal(view.count, count);
        expect_sound(world);
        printf("%s: %g before, then at most %g m/s of %g\n", methods[m], (double)before, (double)fastest,
               (double)view.speed_scale);
        pd_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thin_wall_splits_the_fluid),
        cmocka_unit_test(fluid_in_the_way_moves_out_gently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
