/* A restored world is the world: whatever a later step reads is in the snapshot. A world that is never restored plays each bundled
 * scene with tools, edits, moved obstacles and changes of the method. At random moments a second world is restored from it; both
 * go on with the same input, and end in the same bytes. */
#include "contract.h"

#include <puddle/command.h>

/* Numbers that depend on the seed and the step alone, so that both worlds get the same input. */
typedef struct dice {
    uint32_t state;
} dice;

static uint32_t roll(dice *d) {
    d->state = d->state * 1664525u + 1013904223u;
    return d->state >> 8;
}
static float between(dice *d, float low, float high) { return low + (high - low) * (float)roll(d) * 0x1p-24f; }
static bool chance(dice *d, float share) { return between(d, 0, 1) < share; }

static pd_vec2 place(dice *d, const pd_world *world) {
    float extent = extent_of(pd_world_scene(world));
    return (pd_vec2){between(d, -extent, extent), between(d, -extent, extent)};
}

static void hold_a_tool(pd_world *world, dice *d) {
    const pd_scene *scene = pd_world_scene(world);
    static const pd_tool_kind kinds[] = {PD_TOOL_NONE,  PD_TOOL_DRAG, PD_TOOL_PULL,  PD_TOOL_MOVE, PD_TOOL_MOVE,
                                         PD_TOOL_PAINT, PD_TOOL_POUR, PD_TOOL_ERASE, PD_TOOL_PUSH};
    pd_tool tool = {.kind = kinds[roll(d) % (sizeof kinds / sizeof *kinds)], .position = place(d, world)};
    tool.velocity = place(d, world);
    tool.radius = 0.2f * extent_of(scene);
    tool.material = (int)(roll(d) % (uint32_t)scene->material_count);
    int walls = scene->obstacle_count + scene->body_count;
    tool.obstacle = walls ? (int)(roll(d) % (uint32_t)walls) : -1;
    pd_world_apply(world, &(pd_command){PD_COMMAND_TOOL, .is.tool = tool}, NULL);
}

static void change_items(pd_scene *scene, const pd_world *world, dice *d) {
    const float extent = extent_of(pd_world_scene(world));
    const pd_obstacle wall = {
        .area = {.shape = PD_SHAPE_BOX, .center = place(d, world), .size = {0.3f * extent, 0.1f * extent}},
        .velocity = {between(d, -1, 1), 0},
        .spin = between(d, -90, 90)};
    const pd_emitter emitter = {.position = place(d, world),
                                .direction = {0.6f, -0.8f},
                                .speed = 1,
                                .width = 0.1f * extent,
                                .rate = 300,
                                .until = INFINITY};
    const pd_scene_body body = {.area = {.shape = PD_SHAPE_CIRCLE, .center = place(d, world), .radius = 0.1f * extent},
                                .density = 0.5f,
                                .friction = 0.5f};
    if (scene->body_count > 0 && chance(d, 0.5f)) { /* of the scenes with bodies */
        if (chance(d, 0.4f) && scene->joint_count > 0)
            pd_scene_remove_joint(scene, (int)(roll(d) % (uint32_t)scene->joint_count), NULL);
        else if (chance(d, 0.5f))
            pd_scene_remove_body(scene, (int)(roll(d) % (uint32_t)scene->body_count), NULL);
        else
            pd_scene_add_body(scene, &body, NULL);
        return;
    }
    if (scene->obstacle_count > 0 && chance(d, 0.3f))
        pd_scene_remove_obstacle(scene, (int)(roll(d) % (uint32_t)scene->obstacle_count), NULL);
    else if (chance(d, 0.6f))
        pd_scene_add_obstacle(scene, &wall, NULL);
    else
        pd_scene_add_emitter(scene, &emitter, NULL);
}

/* An edit that finds no place for the fluid is refused by both worlds. */
static void edit_the_scene(pd_world *world, dice *d) {
    pd_error error = {0};
    pd_scene edited;
    pd_command command;
    must(pd_scene_copy(&edited, pd_world_scene(world), &error), &error);
    change_items(&edited, world, d);
    must(pd_command_edit(&command, pd_world_scene(world), &edited, &error), &error);
    uint64_t before = pd_world_hash(world);
    if (pd_world_apply(world, &command, NULL) != PD_OK) assert_true(pd_world_hash(world) == before);
    pd_command_free(&command);
    pd_scene_free(&edited);
}

static void set_a_value(pd_world *world, dice *d) {
    const pd_method_info *method = pd_world_method(world);
    const pd_parameter *parameter = pd_method_parameter_at(method, roll(d) % (uint32_t)method->parameter_count);
    char key[PD_MAX_KEY];
    float value, standard;
    snprintf(key, sizeof key, "%s.%s", method->name, parameter->key);
    if (parameter->rebuilds) return;
    must(pd_world_parameter_default(world, key, &standard, NULL), &(pd_error){0});
    value = fminf(fmaxf(standard * between(d, 0.8f, 1.25f), parameter->minimum), parameter->maximum);
    pd_world_set_parameter(world, key, value, NULL);
    if (chance(d, 0.3f)) pd_world_set_gravity(world, place(d, world));
}

static void act(pd_world *world, uint32_t seed, int step) {
    dice d = {seed * 2654435761u + (uint32_t)step * 40503u};
    roll(&d);
    if (chance(&d, 0.4f)) hold_a_tool(world, &d);
    if (chance(&d, 0.12f)) edit_the_scene(world, &d);
    if (chance(&d, 0.15f)) set_a_value(world, &d);
    if (chance(&d, 0.01f)) pd_world_reset(world);
}

static void play(pd_world *world, uint32_t seed, int from, int steps) {
    for (int i = from; i < from + steps; i++) {
        act(world, seed, i);
        pd_world_step(world);
    }
}

static void expect_same_state(const pd_world *straight, const pd_world *restored, const char *scene, const char *when) {
    pd_error error = {0};
    void *a, *b;
    size_t a_size, b_size, at = 0;
    must(pd_world_save_to_memory(straight, &a, &a_size, &error), &error);
    must(pd_world_save_to_memory(restored, &b, &b_size, &error), &error);
    bool same = a_size == b_size && memcmp(a, b, a_size) == 0;
    while (!same && at < a_size && at < b_size && ((char *)a)[at] == ((char *)b)[at]) at++;
    if (!same)
        fail_msg("%s, %s: the restored world differs (%zu of %zu and %zu bytes, %d and %d particles)", scene, when, at,
                 a_size, b_size, pd_world_particles(straight), pd_world_particles(restored));
    assert_true(pd_world_hash(straight) == pd_world_hash(restored));
    free(a), free(b);
}

/* Restores a second world, and goes on with both: under another method unless that is NULL. */
static void expect_same_course(pd_world *straight, const char *scene, const char *method, uint32_t seed, int *step,
                               int steps) {
    pd_error error = {0};
    pd_world *restored = world_of_text("puddle: 1\nname: Empty\ncontainer: {shape: circle, radius: 1}\n", 1);
    void *bytes;
    size_t size;
    char when[96];
    snprintf(when, sizeof when, "step %d, %s to %s", *step, pd_world_method(straight)->name,
             method ? method : "the same");
    act(straight, seed, *step); /* also what was changed since the last step */
    must(pd_world_save_to_memory(straight, &bytes, &size, &error), &error);
    must(pd_world_restore_from_memory(restored, bytes, size, &error), &error);
    free(bytes);
    expect_same_state(straight, restored, scene, when);
    if (method) must(pd_world_set_method(straight, method, &error), &error);
    if (method) must(pd_world_set_method(restored, method, &error), &error);
    expect_same_state(straight, restored, scene, when);
    play(straight, seed, *step, steps);
    play(restored, seed, *step, steps);
    expect_same_state(straight, restored, scene, when);
    *step += steps;
    pd_world_destroy(restored);
}

static void test_restored_worlds_take_the_same_course(void **state) {
    (void)state;
    const int steps = fewer_frames(8, 3), last = fewer_frames(50, 5);
    char names[MAX_SCENES][64];
    int count = bundled_names(names);
    for (int s = 0; s < count; s++) {
        if (is_shortened() && s % 4) continue;
        pd_scene scene = small_scene(names[s]);
        pd_world *world = world_of(&scene, 1);
        dice d = {(uint32_t)s + 1};
        int step = 0;
        for (int turn = 0; turn < pd_method_count(); turn++) {
            int method = (turn + s) % pd_method_count(), before = 1 + (int)(roll(&d) % 4);
            play(world, (uint32_t)s, step, before);
            step += before;
            expect_same_course(world, names[s], pd_method_at(method)->name, (uint32_t)s, &step, steps);
        }
        expect_same_course(world, names[s], NULL, (uint32_t)s, &step, last);
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

/* A world that is reset has the state of one that has just begun, in each method. */
static void test_reset_worlds_begin_anew(void **state) {
    (void)state;
    char names[MAX_SCENES][64];
    int count = bundled_names(names);
    for (int s = 0; s < count; s++) {
        if (is_shortened() && s % (UNDER_ADDRESS_SANITIZER ? 8 : 4) != 1) continue;
        pd_scene scene = small_scene(names[s]);
        for (int m = 0; m < pd_method_count(); m++) {
            snprintf(scene.method, sizeof scene.method, "%s", pd_method_at(m)->name);
            pd_world *world = world_of(&scene, 1), *fresh = world_of(&scene, 1);
            for (int step = 0; step < 12; step++) pd_world_step(world);
            pd_world_reset(world);
            expect_same_state(fresh, world, names[s], pd_method_at(m)->name);
            for (int step = 0; step < 2; step++) pd_world_step(world);
            for (int step = 0; step < 2; step++) pd_world_step(fresh);
            expect_same_state(fresh, world, names[s], pd_method_at(m)->name);
            pd_world_destroy(world);
            pd_world_destroy(fresh);
        }
        pd_scene_free(&scene);
    }
}

/* Steps both worlds, the second of which is restored from the first before each step; edit: applied to both before step 10; NULL:
 * none. */
static void expect_same_steps(const char *scene, const char *edit) {
    pd_error error = {0};
    pd_command command = {.kind = PD_COMMAND_RESET};
    if (edit) must(pd_command_parse(edit, NULL, &command, &error), &error);
    pd_world *straight = world_of_text(scene, 1), *restored = world_of_text("puddle: 1\n", 1);
    for (int step = 0; step < 20; step++) {
        void *bytes;
        size_t size;
        must(pd_world_save_to_memory(straight, &bytes, &size, &error), &error);
        must(pd_world_restore_from_memory(restored, bytes, size, &error), &error);
        free(bytes);
        if (edit && step == 10) must(pd_world_apply(straight, &command, &error), &error);
        if (edit && step == 10) must(pd_world_apply(restored, &command, &error), &error);
        pd_world_step(straight);
        pd_world_step(restored);
        assert_int_equal(pd_world_substeps(straight), pd_world_substeps(restored));
        assert_true(pd_world_hash(straight) == pd_world_hash(restored));
    }
    pd_command_free(&command);
    pd_world_destroy(straight);
    pd_world_destroy(restored);
}

/* Of a grid's arrays the ring of ghost cells is not saved: a sliding wall leaves up to twice its speed there, which must not count
 * among the speeds that bound the substep. */
static void test_ghost_cells_do_not_bound_the_substep(void **state) {
    (void)state;
    expect_same_steps("puddle: 1\nname: Lid\nmethod: grid\ngravity: [0, 0]\nparticles: 50\n"
                      "container: {shape: box, width: 1, height: 1, slip: false, walls: {top: {velocity: 4}}}\n"
                      "materials: {ink: {color: '#ffffff'}}\n"
                      "regions: [{shape: circle, center: [0, 0], radius: 0.2, material: ink}]\n"
                      "parameters: {grid: {resolution: 64}}\n",
                      NULL);
}

/* Walls that an edit adds leave ghost cells that no fluid reaches any more: dye that was there before must not come back. */
static void test_ghost_cells_of_dyes_are_cleared(void **state) {
    (void)state;
    expect_same_steps("puddle: 1\nname: Bowl\nmethod: grid\ngravity: [0, 0]\nparticles: 500\n"
                      "container: {shape: circle, radius: 1, slip: false}\n"
                      "materials: {ink: {color: '#ffffff'}}\n"
                      "regions: [{shape: circle, center: [0, 0], radius: 1, material: ink}]\n"
                      "obstacles: [{shape: box, center: [0, -0.5], size: [0.8, 0.08], spin: 100}]\n"
                      "parameters: {grid: {resolution: 256, buoyancy: 0}}\n",
                      "edit {obstacles: {1: {shape: box, center: [0, 0], size: [1.99, 0.4]}}}");
}

/* In a container that is too full the particles share what obstacles leave open, which differs from step to step where one
 * obstacle turns into another. */
static void test_open_area_of_a_full_container(void **state) {
    (void)state;
    expect_same_steps("puddle: 1\nname: Full\nmethod: flip\ngravity: [0, -1]\nparticles: 500\n"
                      "container: {shape: box, width: 2, height: 2}\n"
                      "regions: [{shape: box, center: [0, 0], size: [2, 2]}]\n"
                      "obstacles: [{shape: box, center: [0, 0], size: [0.3, 0.3]},\n"
                      "            {shape: box, center: [0, -0.12], size: [0.8, 0.08], spin: 100}]\n",
                      NULL);
}

/* Memory for neighbour lists that has grown before holds more at the first attempt. What an edit displaces gets a rest density of
 * its own from the whole lists, not from what fitted into less memory. */
static void test_lists_that_grow_after_an_edit(void **state) {
    (void)state;
    expect_same_steps("puddle: 1\nname: Dense\nmethod: sph\ngravity: [0, 0]\nparticles: 500\n"
                      "container: {shape: box, width: 2, height: 2}\n"
                      "regions: [{shape: box, center: [0, 0], size: [1, 1]}]\n"
                      "parameters: {sph: {radius: 0.17}}\n",
                      "edit {obstacles: {0: {shape: circle, center: [0, 0], radius: 0.15}}}");
}

/* Vorticity confinement reads the velocities around the grid right after the transport, which moves those inside only. */
static void test_velocities_around_a_grid(void **state) {
    (void)state;
    expect_same_steps("puddle: 1\nname: Plume\nmethod: grid\ngravity: [0, -9.81]\nparticles: 1\n"
                      "container: {shape: box, width: 1.2, height: 1.6}\n"
                      "materials: {smoke: {color: '#ffffff', mass: 0.3}}\n"
                      "obstacles: [{shape: circle, center: [0.02, 0.15], radius: 0.1}]\n"
                      "emitters: [{position: [0, -0.8], direction: [0, 1], speed: 0.4, width: 0.14, rate: 60}]\n"
                      "parameters: {grid: {resolution: 64, vorticity: 0.1}}\n",
                      NULL);
}

/* Memory of a world that has been larger must not change its course: a restored world has no more than it needs. So no number
 * of tracers up to PD_MAX_PARTICLES may be refused for another reason than a lack of memory. */
static void test_memory_that_has_grown(void **state) {
    (void)state;
    if (UNDER_ADDRESS_SANITIZER) skip(); /* it writes into the memory that this test only reserves */
    const char *scene = "puddle: 1\nmethod: vortex\nparticles: 60\ncontainer: {shape: box, width: 1, height: 1}\n"
                        "materials: {a: {color: '#ffffff', mass: 1}, b: {color: '#ffffff', mass: 1000}}\n"
                        "regions: [{shape: circle, center: [0, 0], radius: 0.3, material: b}]\n"
                        "parameters: {vortex: {core: 0.3}}\n";
    pd_error error = {0};
    pd_world *grown = world_of_text(scene, 1), *small = world_of_text(scene, 1);
    must(pd_world_reserve_particles(grown, PD_MAX_PARTICLES / 2, &error), &error);
    const pd_tool tool = {.kind = PD_TOOL_POUR, .position = {0, 0.2f}, .radius = 1e5f, .material = 1};
    pd_world_set_tool(grown, &tool);
    pd_world_set_tool(small, &tool);
    step_many(grown, 3);
    step_many(small, 3);
    expect_same_state(small, grown, "vortex", "after growth");
    pd_world_destroy(grown);
    pd_world_destroy(small);
}

static const pd_tool_kind tool_kinds[] = {PD_TOOL_DRAG, PD_TOOL_POUR, PD_TOOL_PULL, PD_TOOL_ERASE,
                                          PD_TOOL_PUSH, PD_TOOL_MOVE, PD_TOOL_PAINT};
/* The least and the greatest radius that a tool may have, and radii between them, m. */
static const float tool_radii[] = {1e-38f, 1e-6f, 0.2f, 1e5f, 3e38f};
enum { TOOL_KINDS = sizeof tool_kinds / sizeof *tool_kinds, TOOL_RADII = sizeof tool_radii / sizeof *tool_radii };

/* A world of three materials with an obstacle and a body. */
static pd_world *world_of_materials(const char *method, bool open) {
    char text[1500];
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\nparticles: 60\nsubsteps: 2\ncontainer: %s\n"
             "materials: {a: {color: '#ffffff', surface_tension: 1}, b: {color: '#ffffff', mass: 1000},\n"
             "            c: {color: '#ffffff', mass: 2, elasticity: 500, viscosity: 0.1}}\n"
             "regions: [{shape: box, center: [-0.6, 0], size: [0.4, 0.5]},\n"
             "          {shape: box, center: [0, 0], size: [0.4, 0.5], material: b},\n"
             "          {shape: box, center: [0.6, 0], size: [0.4, 0.5], material: c}]\n"
             "obstacles: [{shape: box, center: [0, 0.3], size: [0.2, 0.1]}]\n"
             "bodies: [{shape: circle, center: [0.1, -0.1], radius: 0.1, density: 0.5}]\n"
             "parameters: {grid: {resolution: 12}, flip: {resolution: 12}, vortex: {core: 0.3}}\n",
             method, open ? "{shape: none}" : "{shape: box, width: 2, height: 1}");
    return world_of_text(text, 1);
}

/* Moves the tool along a line. */
static void step_with_tool(pd_world *world, pd_tool tool, int from, int to) {
    for (int step = from; step < to; step++) {
        tool.position.x += 0.02f * (float)step;
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
    }
}

/* In the middle of a stroke a restored world takes the same ten steps, with a tool of any kind and of any size. */
static void test_tools_of_any_size(void **state) {
    (void)state;
    enum { CASES = TOOL_KINDS * TOOL_RADII * 2 };
    pd_error error = {0};
    pd_world *restored = world_of_text("puddle: 1\n", 1);
    for (int m = 0; m < pd_method_count(); m++)
        for (int n = 0; n < CASES; n++) {
            const char *method = pd_method_at(m)->name;
            const pd_tool tool = {.kind = tool_kinds[n % TOOL_KINDS],
                                  .position = {n % 4 ? 0.1f : 1e5f, -0.1f},
                                  .velocity = {n % 3 ? 1 : 1e6f, -2},
                                  .radius = tool_radii[n % TOOL_RADII],
                                  .material = n % 3,
                                  .obstacle = n % 4 < 2}; /* the obstacle, or the body */
            bool open = n >= CASES / 2;
            void *bytes;
            size_t size;
            char when[80];
            if (is_shortened() && (n + m) % 9) continue;
            if (open && tool.kind == PD_TOOL_POUR && tool.radius > 1) continue; /* pours millions */
            snprintf(when, sizeof when, "%s tool %d of radius %g", open ? "open," : "box,", (int)tool.kind,
                     (double)tool.radius);
            pd_world *world = world_of_materials(method, open);
            step_with_tool(world, tool, 0, 3);
            must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
            must(pd_world_restore_from_memory(restored, bytes, size, &error), &error);
            free(bytes);
            step_with_tool(world, tool, 3, 13);
            step_with_tool(restored, tool, 3, 13);
            expect_same_state(world, restored, method, when);
            pd_world_destroy(world);
        }
    pd_world_destroy(restored);
}

TEST_GROUP(restored) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ghost_cells_do_not_bound_the_substep),
        cmocka_unit_test(test_ghost_cells_of_dyes_are_cleared),
        cmocka_unit_test(test_open_area_of_a_full_container),
        cmocka_unit_test(test_lists_that_grow_after_an_edit),
        cmocka_unit_test(test_velocities_around_a_grid),
        cmocka_unit_test(test_memory_that_has_grown),
        cmocka_unit_test(test_tools_of_any_size),
        cmocka_unit_test(test_restored_worlds_take_the_same_course),
        cmocka_unit_test(test_reset_worlds_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
