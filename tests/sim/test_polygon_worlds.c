/* Polygons in worlds of all methods: fluid stays out of them, edits put them into fluid, tools move them, saved scenes have
 * them where they are. */
#include "methods.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

#define STAR                                                                                                           \
    "points: [[0, 0.3], [-0.08, 0.1], [-0.28, 0.09], [-0.12, -0.04], [-0.18, -0.25], [0, -0.12], [0.18, -0.25], "      \
    "[0.12, -0.04], [0.28, 0.09], [0.08, 0.1]]"
static pd_vec2 star[] = {{0, 0.3f},   {-0.08f, 0.1f},  {-0.28f, 0.09f}, {-0.12f, -0.04f}, {-0.18f, -0.25f},
                         {0, -0.12f}, {0.18f, -0.25f}, {0.12f, -0.04f}, {0.28f, 0.09f},   {0.08f, 0.1f}};

/* All particles are out of the obstacles as they are now, and so is all dye. */
static void expect_outside(const pd_world *world, const char *method, int step) {
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++)
        if (!pd_boundary_allows_position(world->boundary, (pd_vec2){view.x[i], view.y[i]}, 2e-5f))
            fail_msg("%s: particle %u is inside at step %d", method, view.id[i], step);
    if (!has_feature(method, PD_FEATURE_AMOUNT)) return; /* of smoke */
    const pd_field *smoke = pd_view_field(&view, "smoke");
    assert_non_null(smoke);
    for (int k = 0; k < smoke->nx * smoke->ny; k++) {
        pd_vec2 normal, center = {smoke->origin.x + smoke->cell * ((float)(k % smoke->nx) + 0.5f),
                                  smoke->origin.y + smoke->cell * ((float)(k / smoke->nx) + 0.5f)};
        float depth = -pd_boundary_wall_distance(world->boundary, center, &normal), value = smoke->values[k];
        if (depth > 0.75f * smoke->cell && value > 0) fail_msg("%s: dye is inside at step %d", method, step);
    }
}

/* Fluid falls, or is blown, upon a star that stands still, is turned, or spins, for 200 steps. */
static void fluid_stays_out(void **state) {
    const char *method = *state;
    static const char *const motions[] = {"", ", angle: 25", ", spin: 60, velocity: [0.2, 0], turn: 1"};
    for (int k = 0; k < 3; k++) {
        char text[1500];
        bool gas = has_feature(method, PD_FEATURE_WALLS), buoyant = has_feature(method, PD_FEATURE_DENSITY);
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\ngravity: [0, -1.6]\nparticles: 900\n"
                 "container: {shape: box, width: 2, height: 1.6%s}\n"
                 "parameters: {vortex: {core: 0.06}, grid: {resolution: 40}}\n"
                 "regions:\n  - {shape: box, center: [%s], size: [%s]%s}\n"
                 "obstacles:\n  - {shape: polygon, center: [-0.1, -0.2], " STAR "%s}\n",
                 method, gas ? ", walls: {left: {inflow: 1}, right: {outflow: true}}" : "",
                 gas ? "-0.7, -0.1" : "0, 0.45", gas ? "0.5, 0.8" : "1, 0.6", buoyant ? ", density: 0.5" : "",
                 motions[k]);
        pd_world *world = world_of_text(text, 1);
        pd_view view;
        pd_world_view(world, &view);
        int count = view.count;
        for (int step = 0; step < fewer_frames(200, 40); step++) {
            pd_world_step(world);
            expect_outside(world, method, step);
        }
        pd_world_view(world, &view);
        if (!gas) assert_int_equal(view.count, count);
        expect_sound(world);
        pd_world_destroy(world);
    }
}

static const char POOL[] = "puddle: 1\nmethod: %s\n"
                           "container: {shape: box, width: 2, height: 1.2}\n"
                           "particles: 800\n"
                           "parameters: {vortex: {core: 0.06}, grid: {resolution: 36}}\n"
                           "obstacles:\n"
                           "  - {shape: polyline, points: [[0, -0.7], [0, 0.7]], center: [0.3, 0], thickness: 0.01}\n"
                           "regions:\n"
                           "  - {shape: box, center: [0, -0.2], size: [2, 0.8]}\n";

static void expect_line(const pd_command *command, const char *part) {
    char *line = pd_command_format(command, NULL);
    if (!strstr(line, part)) fail_msg("'%s' is not in: %s", part, line);
    pd_memory_free(line);
}

/* A star put into resting fluid, through a thin wall: nothing is lost or stays inside, and each particle stays on its side of that
 * wall; it leaves by the nearest side. */
static void an_edit_puts_it_into_fluid(void **state) {
    const char *method = *state;
    char text[1000];
    pd_error error;
    pd_view view;
    pd_command command;
    snprintf(text, sizeof text, POOL, method);
    pd_world *world = world_of_text(text, 1);
    step_many(world, 40);
    pd_world_view(world, &view);
    int count = view.count;
    bool *right = test_calloc((size_t)count + 100000, sizeof *right);
    for (int i = 0; i < count; i++) right[view.id[i]] = view.x[i] > 0.3f;
    pd_obstacle wall = {
        .area = {
            .shape = PD_SHAPE_POLYGON, .center = {0.2f, -0.2f}, .angle = 12.5f, .points = star, .point_count = 10}};
    pd_scene to;
    assert_int_equal(pd_scene_copy(&to, pd_world_scene(world), &error), PD_OK);
    if (pd_scene_add_obstacle(&to, &wall, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(pd_command_edit(&command, pd_world_scene(world), &to, &error), PD_OK);
    if (pd_world_apply(world, &command, &error) != PD_OK) fail_msg("%s: %s", method, error.message);
    pd_command_free(&command);
    assert_int_equal(pd_world_scene(world)->obstacle_count, 2);
    for (int step = 0; step < 60; step++) {
        pd_world_view(world, &view);
        assert_int_equal(view.count, count);
        expect_outside(world, method, step);
        for (int i = 0; i < count; i++) assert_int_equal(view.x[i] > 0.3f, right[view.id[i]]);
        pd_world_step(world);
    }
    assert_int_equal(pd_command_edit(&command, pd_world_scene(world), pd_world_scene(world), &error), PD_OK);
    expect_line(&command, "edit {}"); /* equal polygons are no edit */
    pd_command_free(&command);
    to.obstacles[1].area.angle = 13;
    assert_int_equal(pd_command_edit(&command, pd_world_scene(world), &to, &error), PD_OK);
    expect_line(&command, "angle: 13");
    pd_command_free(&command);
    pd_scene_free(&to);
    test_free(right);
    pd_world_destroy(world);
}

/* The tool pulls it through fluid, and it stays in the container; a point in its notch is not on it. */
static void the_tool_moves_it(void **state) {
    const char *method = *state;
    char text[1500];
    pd_view view;
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\ncontainer: {shape: box, width: 2, height: 1.2}\nparticles: 500\n"
             "parameters: {vortex: {core: 0.06}, grid: {resolution: 36}}\n"
             "regions:\n  - {shape: box, center: [0, -0.3], size: [2, 0.6]}\n"
             "obstacles:\n  - {shape: polygon, center: [-0.5, 0.2], " STAR "}\n",
             method);
    pd_world *world = world_of_text(text, 1);
    assert_int_equal(pd_world_obstacle_at(world, (pd_vec2){-0.5f, 0.2f}, 0), 0);
    assert_int_equal(pd_world_obstacle_at(world, (pd_vec2){-0.5f, 0.48f}, 0), 0);
    assert_int_equal(pd_world_obstacle_at(world, (pd_vec2){-0.4f, 0.4f}, 0), -1);
    assert_int_equal(pd_world_obstacle_at(world, (pd_vec2){-0.5f, 0.04f}, 0), -1);
    assert_int_equal(pd_world_obstacle_at(world, (pd_vec2){-0.5f, 0.04f}, 0.05f), 0);
    for (int k = 0; k < 60; k++) {
        pd_tool tool = {
            .kind = PD_TOOL_MOVE, .position = {-0.5f + 0.05f * (float)k, 0.2f - 0.01f * (float)k}, .radius = 0.1f};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        expect_outside(world, method, k);
    }
    pd_world_view(world, &view);
    assert_true(view.obstacles[0].center.x > 0.4f && view.obstacles[0].center.x < 0.72f);
    assert_true(view.obstacles[0].center.y > -0.35f && view.obstacles[0].center.y < 0.1f);
    assert_non_null(view.obstacles[0].triangles);
    pd_world_destroy(world);
}

/* The scene of a world with polygons that spin and move begins where these are, with the same points. */
static void the_scene_as_it_is(void **state) {
    (void)state;
    pd_error error;
    pd_scene now;
    pd_view view, again;
    pd_world *world = world_of_text("puddle: 1\nregions: [{shape: circle, center: [0, 0.6], radius: 0.2, count: 50}]\n"
                                    "obstacles:\n  - {shape: polygon, center: [-0.2, -0.3], angle: 33, " STAR
                                    ", spin: 100, velocity: [0.1, 0]}\n",
                                    1);
    step_many(world, 37);
    assert_int_equal(pd_world_state_as_scene(world, &now, &error), PD_OK);
    char *text;
    size_t length;
    assert_int_equal(pd_scene_write_text(&now, &text, &length, &error), PD_OK);
    assert_memory_equal(now.obstacles[0].area.points, star, sizeof star);
    pd_world *second = world_of(&now, 1);
    pd_world_view(world, &view);
    pd_world_view(second, &again);
    assert_true(fabsf(view.obstacles[0].angle - again.obstacles[0].angle) < 1e-4f);
    assert_true(fabsf(view.obstacles[0].center.x - again.obstacles[0].center.x) < 1e-6f);
    assert_true(fabsf(view.obstacles[0].angle - 33 - 100 * 37 / 60.0f) < 1e-2f);
    free(text);
    pd_scene_free(&now);
    pd_world_destroy(world);
    pd_world_destroy(second);
}

/* The same bits on one thread and on three. */
static void threads_agree(void **state) {
    char text[1500];
    uint64_t hash[2];
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\nparticles: 1500\ncontainer: {shape: box, width: 2, height: 1.2}\n"
             "parameters: {vortex: {core: 0.06}, grid: {resolution: 36}}\n"
             "regions:\n  - {shape: box, center: [0, -0.2], size: [2, 0.8]}\n"
             "obstacles:\n  - {shape: polygon, center: [-0.1, 0], " STAR ", spin: 60}\n",
             (const char *)*state);
    for (int k = 0; k < 2; k++) {
        pd_world *world = world_of_text(text, k ? 3 : 1);
        step_many(world, 20);
        hash[k] = pd_world_hash(world);
        pd_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

TEST_GROUP(polygon_worlds) {
    const method_test tests[] = {
        OF_ALL(fluid_stays_out),   OF_ALL(an_edit_puts_it_into_fluid),
        OF_ALL(the_tool_moves_it), ONCE(the_scene_as_it_is),
        OF_ALL(threads_agree),
    };
    return RUN_METHOD_TESTS(tests);
}
