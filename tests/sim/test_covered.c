/* Walls, obstacles and bodies that cover all fluid, every cell and every face: values remain finite in every method, and what is
 * saved can be loaded and continues with the same bits. */
#include "contract.h"

#include <puddle/command.h>

#include "sim/world.h"

enum { EDIT_ROUND = 1 }; /* round before which a scene's edit is applied */

/* A scene in which solids cover everything after a few steps. */
typedef struct covered_scene {
    const char *name, *text;
    const char *edit; /* command before EDIT_ROUND; NULL: none */
    pd_tool tool;     /* tool of all steps */
} covered_scene;

#define FLUID      "regions: [{shape: box, center: [0, -0.25], size: [2, 0.4]}]\n"
#define BOX        "container: {shape: box, width: 2, height: 1}\n"
#define TWO_MASSES "materials: {a: {color: '#ffffff', mass: 0.1}, b: {color: '#ffffff', mass: 10, elasticity: 5}}\n"
#define TWO_FLUIDS                                                                                                     \
    "regions: [{shape: box, center: [-0.5, -0.25], size: [0.9, 0.4], material: a},\n"                                  \
    "          {shape: box, center: [0.5, -0.25], size: [0.9, 0.4], material: b}]\n"

static const covered_scene scenes[] = {
    {"moving wall",
     BOX FLUID "obstacles: [{shape: box, center: [22, 0], size: [40, 3], velocity: [-120, 0]}]\n",
     NULL,
     {0}},
    {"moving wall, masses",
     BOX TWO_MASSES TWO_FLUIDS "obstacles: [{shape: box, center: [22, 0], size: [40, 3], velocity: [-120, 0]}]\n",
     NULL,
     {.kind = PD_TOOL_POUR, .position = {0, 0.2f}, .radius = 1e5f, .material = 1}},
    {"two walls that close",
     BOX FLUID "obstacles: [{shape: box, center: [3, 0], size: [4, 3], velocity: [-30, 0]},\n"
               "            {shape: box, center: [-3, 0], size: [4, 3], velocity: [30, 0]}]\n",
     NULL,
     {0}},
    {"spinning bar in a circle",
     "container: {shape: circle, radius: 1}\nregions: [{shape: circle, center: [0, -0.7], radius: 0.25}]\n"
     "obstacles: [{shape: box, center: [0, 1.5], size: [4, 2.6], spin: 900}]\n",
     NULL,
     {.kind = PD_TOOL_PUSH, .position = {0, 0}, .radius = 1e-6f}},
    {"emitter and drain under a wall",
     BOX FLUID "obstacles: [{shape: box, center: [22, 0], size: [40, 3], velocity: [-120, 0]}]\n"
               "emitters: [{position: [-0.9, 0.3], direction: [1, 0], speed: 2, width: 0.3, rate: 3000}]\n"
               "drains: [{shape: box, center: [0.8, -0.4], size: [0.2, 0.2]}]\n",
     NULL,
     {0}},
    {"inflow and outflow under a wall",
     "container: {shape: box, width: 2, height: 1, walls: {left: {inflow: 1}, right: open, top: {velocity: 3}}}\n" FLUID
     "obstacles: [{shape: box, center: [22, 0], size: [40, 3], velocity: [-120, 0]}]\n",
     NULL,
     {.kind = PD_TOOL_PAINT, .position = {0, 0}, .velocity = {5, 0}, .radius = 1e5f}},
    {"wall moved by the tool",
     BOX FLUID "obstacles: [{shape: box, center: [3.05, 0], size: [4, 3]}]\n",
     NULL,
     {.kind = PD_TOOL_MOVE, .position = {0, 0}, .velocity = {-1000, 0}, .radius = 0.1f}},
    {"heavy body over everything",
     BOX FLUID "gravity: [0, -500]\n"
               "bodies: [{shape: box, center: [0, 0.26], size: [1.99, 0.46], density: 1000}]\n",
     NULL,
     {0}},
    {"body in a box of its size",
     "container: {shape: box, width: 1, height: 1}\nregions: [{shape: box, center: [0, 0.45], size: [1, 0.1]}]\n"
     "bodies: [{shape: box, center: [0, -0.06], size: [0.998, 0.87], density: 0.1}]\n",
     NULL,
     {.kind = PD_TOOL_ERASE, .position = {0, 0.5f}, .radius = 0.1f}},
    {"wall that an edit adds",
     BOX FLUID,
     "edit {obstacles: {0: {shape: box, center: [0, 0], size: [1.999, 0.999]}}}",
     {.kind = PD_TOOL_DRAG, .position = {0, 0}, .velocity = {3, 3}, .radius = 1e5f}},
    {"no container",
     "container: {shape: none}\nregions: [{shape: circle, center: [0, 0], radius: 0.2}]\n"
     "obstacles: [{shape: circle, center: [30, 0], radius: 20, velocity: [-300, 0]}]\n",
     NULL,
     {.kind = PD_TOOL_PULL, .position = {0, 0}, .radius = 1e5f}},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* Returns NULL if the method refuses the scene. */
static pd_world *covered_world(const covered_scene *c, const pd_method_info *method) {
    char text[2000];
    pd_scene scene;
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\nparticles: 100\n%s%s"
             "parameters: {grid: {resolution: 16}, flip: {resolution: 16}, vortex: {core: 0.3}}\n",
             method->name, c->text, is_shortened() ? "substeps: 1\n" : "substeps: 6\n");
    if (pd_scene_read_text(text, strlen(text), c->name, &scene, NULL) != PD_OK) return NULL;
    scene.container.slip = !(method->features & PD_FEATURE_NO_SLIP);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    if (c->tool.kind != PD_TOOL_NONE) pd_world_set_tool(world, &c->tool);
    return world;
}

static bool are_finite_or_nan(const pd_field *field) {
    size_t count = (size_t)field->nx * (size_t)field->ny * (size_t)(field->layers > 1 ? field->layers : 1);
    for (size_t i = 0; field->values && i < count; i++)
        if (isinf(field->values[i])) return false;
    return true;
}

/* Expects finite statistics and fields; in cells without fluid fields are NAN. */
static void expect_finite_view(const pd_world *world, const char *what) {
    pd_view view;
    pd_statistics s;
    pd_world_view(world, &view);
    for (int k = 0; k < view.field_count; k++)
        if (!are_finite_or_nan(pd_view_field(&view, view.fields[k]->info.name)))
            fail_msg("%s: the field %s is not finite", what, view.fields[k]->info.name);
    pd_world_statistics(world, &s);
    if (view.count > 0 && !(isfinite(s.momentum_x) && isfinite(s.momentum_y) && isfinite(s.kinetic_energy)))
        fail_msg("%s: the statistics are not finite", what);
}

/* Expects a valid state, and a snapshot that a second world loads and continues as the first. */
static void expect_loads_and_continues(pd_world *world, const char *what, int steps) {
    pd_error error = {0};
    void *bytes;
    size_t size;
    pd_world *restored = world_of_text("puddle: 1\n", 1);
    must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
    if (pd_world_restore_from_memory(restored, bytes, size, &error) != PD_OK) fail_msg("%s: %s", what, error.message);
    free(bytes);
    step_many(restored, steps);
    for (int i = 0; i < steps; i++) {
        pd_world_step(world);
        if (!pd_world_has_valid_state(world)) fail_msg("%s: the state is invalid", what);
    }
    if (pd_world_hash(world) != pd_world_hash(restored)) fail_msg("%s: the restored world differs", what);
    pd_world_destroy(restored);
}

static void test_everything_covered(void **state) {
    (void)state;
    const int rounds = is_shortened() ? 2 : 3, steps = is_shortened() ? 2 : 3;
    int refused = 0;
    for (int s = 0; s < SCENES; s++)
        for (int m = 0; m < pd_method_count(); m++) {
            if (is_shortened() && s > 0 && (s + m) % 5) continue;
            char what[120];
            pd_error error = {0};
            pd_command command = {.kind = PD_COMMAND_RESET};
            snprintf(what, sizeof what, "%s, %s", scenes[s].name, pd_method_at(m)->name);
            pd_world *world = covered_world(&scenes[s], pd_method_at(m));
            refused += !world;
            if (!world) continue;
            if (scenes[s].edit) must(pd_command_parse(scenes[s].edit, NULL, &command, &error), &error);
            for (int round = 0; round < rounds; round++) {
                if (scenes[s].edit && round == EDIT_ROUND) pd_world_apply(world, &command, NULL);
                expect_loads_and_continues(world, what, steps);
                expect_finite_view(world, what);
            }
            pd_command_free(&command);
            pd_world_destroy(world);
        }
    assert_true(refused <= pd_method_count()); /* inflow: grid alone */
}

/* Scenes and tools of extreme sizes, speeds and masses: the state remains one that can be loaded. */
static void test_extreme_worlds(void **state) {
    (void)state;
    static const char *const worlds[] = {
        /* an obstacle on its way out of the world, which the tool holds back */
        "dt: 1\ncontainer: {shape: none}\nregions: [{shape: circle, center: [0, 0], radius: 1}]\n"
        "obstacles: [{shape: circle, center: [1000000, 0], radius: 1, velocity: [100000, 0]}]\n",
        "container: {shape: box, width: 1000000, height: 1000000}\n"
        "regions: [{shape: box, center: [0, -100000], size: [800000, 300000], material: b}]\n",
        "container: {shape: none}\nregions: [{shape: box, center: [0, 0], size: [1000000, 1000000], material: b}]\n",
        "container: {shape: circle, radius: 0.000001}\n"
        "regions: [{shape: circle, center: [0, 0], radius: 0.000001, material: b}]\n",
    };
    static const pd_tool tools[] = {
        {.kind = PD_TOOL_MOVE, .position = {-1e7f, 0}, .radius = 1},
        {.kind = PD_TOOL_DRAG, .position = {0.1f, 0}, .velocity = {3e38f, -3e38f}, .radius = 1e6f},
        {.kind = PD_TOOL_PAINT, .position = {0, 0.1f}, .velocity = {-1e20f, 0}, .radius = 3, .material = 1},
        {.kind = PD_TOOL_PUSH, .position = {0.1f, 0.1f}, .radius = 3e38f},
        {.kind = PD_TOOL_PULL, .position = {1e30f, 1e30f}, .radius = 3e38f},
    };
    const int steps = is_shortened() ? 3 : 10;
    for (int w = 0; w < 4; w++)
        for (int m = 0; m < pd_method_count(); m++)
            for (int t = 0; t < 5; t++) {
                const char *method = pd_method_at(m)->name;
                bool many_nodes = w % 3 > 0 && strcmp(method, "vortex") == 0; /* 512 x 512, as cores are 10 m at most */
                if (many_nodes && (is_shortened() || t > 1)) continue;
                char text[1500], what[200];
                snprintf(what, sizeof what, "world %d, %s, tool %d", w, method, t);
                snprintf(text, sizeof text,
                         "puddle: 1\nmethod: %s\nparticles: 60\nsubsteps: 1\ngravity: [0, -1000]\n"
                         "parameters: {grid: {resolution: 12}, flip: {resolution: 12}}\n"
                         "materials: {a: {color: '#ffffff', mass: 0.001}, b: {color: '#ffffff', mass: 1000}}\n%s",
                         method, worlds[w]);
                pd_world *world = world_of_text(text, 1);
                for (int i = 0; i < steps; i++) {
                    pd_world_set_tool(world, &tools[t]);
                    pd_world_step(world);
                    if (!pd_world_has_valid_state(world)) fail_msg("%s: the state is invalid after step %d", what, i);
                }
                pd_world_destroy(world);
            }
}

/* Steps of 1 s, the greatest gravity and a square of 1,000 km: circulations reach their limit, and the state remains valid. */
static void test_limit_of_circulations(void **state) {
    (void)state;
    if (is_shortened()) skip(); /* 1 s in release */
    pd_world *world =
        world_of_text("puddle: 1\nmethod: vortex\nparticles: 60\nsubsteps: 1\ndt: 1\ngravity: [0, -10000]\n"
                      "materials: {a: {color: '#ffffff', mass: 0.001}, b: {color: '#ffffff', mass: 1000}}\n"
                      "container: {shape: none}\n"
                      "regions: [{shape: box, center: [0, 0], size: [1000000, 1000000], material: b}]\n",
                      1);
    for (int step = 0; step < 10; step++) {
        pd_world_step(world);
        if (!pd_world_has_valid_state(world)) fail_msg("the state is invalid after step %d", step);
    }
    expect_finite_view(world, "vortex");
    pd_world_destroy(world);
}

TEST_GROUP(covered) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_covered),
        cmocka_unit_test(test_extreme_worlds),
        cmocka_unit_test(test_limit_of_circulations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
