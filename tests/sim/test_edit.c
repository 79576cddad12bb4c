/* Editing the scene of a running world. */
#include "pools.h"

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

/* An obstacle that a tool has moved stays where it is when an edit changes it, and is where the edit says when that moves it. */
static void a_moved_obstacle_goes_where_an_edit_says(void **state) {
    pd_error error;
    pd_view view;
    pd_world *world = world_in_pool(*state, 1, 5);
    pd_obstacle disc = disc_at(-0.5f, 0.3f, 0.1f);
    must(add_wall(world, &disc, &error), &error);
    for (int k = 0; k < 10; k++) {
        pd_tool tool = {
            .kind = PD_TOOL_MOVE, .position = {-0.5f + 0.02f * (float)k, 0.3f}, .radius = 0.1f, .obstacle = 0};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
    }
    pd_world_set_tool(world, &(pd_tool){.kind = PD_TOOL_NONE});
    pd_world_view(world, &view);
    float moved = view.obstacles[0].center.x;
    assert_true(moved > -0.4f);
    for (int k = 0; k < 2; k++) {
        disc.area.radius = 0.08f;
        if (k == 1) disc.area.center = (pd_vec2){0.4f, 0.3f};
        pd_scene scene = copy_of(world);
        must(pd_scene_set_obstacle(&scene, 0, &disc, &error), &error);
        must(edit_to(world, &scene, &error), &error);
        step_many(world, 2);
        pd_world_view(world, &view);
        assert_true(view.obstacles[0].radius == 0.08f);
        assert_true(fabsf(view.obstacles[0].center.x - (k == 1 ? 0.4f : moved)) < 1e-6f);
    }
    pd_world_destroy(world);
}

/* A wall through the middle of a pool splits it by the side that each particle is on. */
static void a_thin_wall_splits_the_fluid(void **state) {
    const char *method = *state;
    pd_error error;
    pd_view view;
    pd_world *world = world_in_pool(method, 1, 30);
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
            if ((view.x[i] < 0.1f ? -1 : 1) != side[view.id[i]]) fail_msg("%s: passed at step %d", method, step);
        pd_world_step(world);
    }
    expect_sound(world);
    test_free(side);
    pd_world_destroy(world);
}

/* A new wall across one that is there: what it displaces stays on its side of the old one. */
static void displaced_fluid_passes_no_old_wall(void **state) {
    pd_error error;
    pd_view view;
    pd_world *world = world_in_pool(*state, 1, 10);
    pd_obstacle old = thin_wall(0.1f), disc = disc_at(0.13f, -0.3f, 0.15f);
    must(add_wall(world, &old, &error), &error);
    step_many(world, 3);
    pd_world_view(world, &view);
    int count = view.count, changed = 0;
    int8_t *side = test_calloc((size_t)count, 1);
    for (int i = 0; i < count; i++) side[i] = view.x[i] < 0.1f ? -1 : 1;
    must(add_wall(world, &disc, &error), &error);
    pd_world_view(world, &view);
    for (int i = 0; i < count; i++) changed += (view.x[i] < 0.1f ? -1 : 1) != side[i];
    assert_int_equal(changed, 0);
    expect_sound(world);
    test_free(side);
    pd_world_destroy(world);
}

/* Fluid keeps its material, by name, when one before it goes; and a parameter of it can change in the same edit. */
static void materials_keep_their_particles(void **state) {
    pd_error error;
    pd_view view;
    pd_scene scene = pool_of(*state);
    scene.regions[0].material = 1; /* oil; nothing is of water */
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    step_many(world, 3);
    scene = copy_of(world);
    must(pd_scene_remove_material(&scene, 0, &error), &error);
    scene.materials[0].property[PD_VISCOSITY] = 2.5f;
    must(edit_to(world, &scene, &error), &error);
    pd_world_view(world, &view);
    assert_int_equal(view.material_count, 1);
    assert_string_equal(view.materials[0].name, "oil");
    assert_true(pd_world_property(world, 0, PD_VISCOSITY) == 2.5f);
    for (int i = 0; i < view.count; i++) assert_int_equal(view.material[i], 0);
    step_many(world, 3);
    expect_sound(world);
    pd_world_destroy(world);
}

/* A tool that pours or paints goes on with its material by its new index, and ends when that is gone. */
static void tools_keep_their_material(void **state) {
    (void)state;
    static const pd_tool_kind kinds[] = {PD_TOOL_POUR, PD_TOOL_PAINT};
    for (int k = 0; k < 2; k++) {
        pd_error error;
        pd_scene scene = pool_of("grid");
        pd_material tar = pd_material_default();
        snprintf(tar.name, sizeof tar.name, "tar");
        must(pd_scene_add_material(&scene, &tar, &error), &error);
        scene.regions[0].material = 1;
        pd_world *world = world_of(&scene, 1);
        pd_scene_free(&scene);
        pd_world_set_tool(world, &(pd_tool){.kind = kinds[k], .position = {0, 0.3f}, .radius = 0.1f, .material = 2});
        assert_int_equal(world->tool.kind, kinds[k]);
        scene = copy_of(world);
        must(pd_scene_remove_material(&scene, 0, &error), &error);
        must(edit_to(world, &scene, &error), &error);
        assert_int_equal(world->tool.kind, kinds[k]);
        assert_int_equal(world->tool.material, 1);
        scene = copy_of(world);
        must(pd_scene_remove_material(&scene, 1, &error), &error);
        must(edit_to(world, &scene, &error), &error);
        assert_int_equal(world->tool.kind, PD_TOOL_NONE);
        pd_world_destroy(world);
    }
}

/* A solid wall in a resting pool: all of the fluid in its way moves out, and none of it fast. With vortices the fluid is heavier
 * than what is around it, and what has come to lie beside the wall sinks again. */
static void fluid_in_the_way_moves_out_gently(void **state) {
    const char *method = *state;
    pd_error error;
    pd_view view;
    pd_world *world = world_in_pool(method, 1, 120);
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
    float allowed = strcmp(method, "vortex") == 0 ? 0.8f : 0.45f;
    if (!(fastest <= allowed * view.speed_scale + before))
        fail_msg("%s: %g m/s before, %g after", method, (double)before, (double)fastest);
    pd_world_destroy(world);
}

/* ---- Random edits ---- */

typedef struct editor {
    uint32_t random;
    pd_log *log;
    pd_world *world;
    int refused, done;
} editor;

static float draw(editor *e) {
    e->random = e->random * 1664525u + 1013904223u;
    return (float)(e->random >> 8) * 0x1p-24f;
}

static float between(editor *e, float low, float high) { return low + (high - low) * draw(e); }

static void change_walls(editor *e, pd_scene *scene) {
    pd_vec2 points[5];
    pd_obstacle wall = {.area = {.shape = PD_SHAPE_CIRCLE}};
    int kind = (int)(draw(e) * 6);
    wall.area.center = (pd_vec2){between(e, -1, 1), between(e, -0.5f, 0.5f)};
    if (scene->obstacle_count > 0 && (kind == 0 || scene->obstacle_count > 8)) {
        pd_scene_remove_obstacle(scene, (int)(draw(e) * (float)scene->obstacle_count), NULL);
        return;
    }
    wall.area.radius = between(e, 0.01f, 0.15f);
    if (kind == 2 || kind == 3) {
        wall.area.shape = PD_SHAPE_BOX;
        wall.area.size = (pd_vec2){between(e, 0.02f, 0.5f), between(e, 0.005f, 0.1f)};
        wall.area.angle = between(e, -180, 180);
    } else if (kind >= 4) {
        wall.area.shape = PD_SHAPE_POLYLINE;
        wall.area.points = points;
        wall.area.point_count = 2 + (int)(draw(e) * 3);
        wall.area.thickness = between(e, 0.002f, 0.03f);
        for (int i = 0; i < wall.area.point_count; i++)
            points[i] = (pd_vec2){between(e, -0.3f, 0.3f), between(e, -0.3f, 0.3f)};
        if (kind == 5) wall.area.shape = PD_SHAPE_POLYGON; /* some are refused */
    }
    if (draw(e) < 0.2f) wall.spin = between(e, -90, 90);
    if (draw(e) < 0.3f && scene->obstacle_count > 0)
        pd_scene_set_obstacle(scene, (int)(draw(e) * (float)scene->obstacle_count), &wall, NULL);
    else
        pd_scene_add_obstacle(scene, &wall, NULL);
}

static void change_others(editor *e, pd_scene *scene) {
    pd_error error;
    int kind = (int)(draw(e) * 6);
    const pd_emitter emitter = {.position = {between(e, -0.8f, 0.8f), 0.4f},
                                .direction = {between(e, -1, 1), -1},
                                .speed = between(e, 0.1f, 1),
                                .width = 0.1f,
                                .rate = 60,
                                .material = (int)(draw(e) * (float)scene->material_count),
                                .until = INFINITY};
    if (kind == 0 && scene->emitter_count < 3) must(pd_scene_add_emitter(scene, &emitter, &error), &error);
    if (kind == 1 && scene->emitter_count > 0) must(pd_scene_remove_emitter(scene, 0, &error), &error);
    if (kind == 2) {
        pd_material material = pd_material_default();
        snprintf(material.name, sizeof material.name, "m%d", (int)(draw(e) * 3));
        material.mass = between(e, 0.5f, 2);
        pd_scene_add_material(scene, &material, NULL);
    }
    if (kind == 3) pd_scene_remove_material(scene, (int)(draw(e) * (float)scene->material_count), NULL);
    if (kind == 4) scene->materials[0].property[PD_VISCOSITY] = between(e, 0, 3);
    if (kind == 4) pd_scene_set_parameter(scene, "ddr.equal_weight", draw(e) < 0.5f, NULL);
    if (kind == 5 && scene->emitter_count > 0) scene->emitters[0].rate = between(e, 20, 80);
}

/* One random edit by the log, and what has to hold after it. */
static void edit_randomly(editor *e) {
    pd_error error;
    pd_command command;
    pd_scene scene = copy_of(e->world);
    int particles = pd_world_particles(e->world);
    uint64_t hash = pd_world_hash(e->world);
    if (draw(e) < 0.7f)
        change_walls(e, &scene);
    else
        change_others(e, &scene);
    must(pd_command_edit(&command, pd_world_scene(e->world), &scene, &error), &error);
    if (pd_log_do(e->log, e->world, &command, &error) != PD_OK) {
        assert_true(pd_world_hash(e->world) == hash);
        assert_true(strlen(error.message) > 10);
        e->refused++;
    } else {
        e->done++;
        expect_sound(e->world);
    }
    assert_int_equal(pd_world_particles(e->world), particles);
    pd_command_free(&command);
    pd_scene_free(&scene);
}

static void random_edits(void **state) {
    const int steps = is_shortened() ? 60 : 500;
    const char *path = "test_edit.log";
    const char *method = *state;
    editor e = {.random = 12345u + (unsigned)method[0], .world = world_in_pool(method, 1, 10)};
    pd_error error;
    char damage[PD_MAX_LOG_DAMAGE];
    must(pd_log_create(&e.log, e.world, &error), &error);
    for (int step = 0; step < steps; step++) {
        if (step % 5 == 0) edit_randomly(&e);
        if (step % 60 == 7) expect_restorable(e.world, 1);
        pd_world_step(e.world);
        pd_log_end_step(e.log, e.world);
    }
    expect_sound(e.world);
    must(pd_log_write(e.log, e.world, 0, path, &error), &error);
    uint64_t hash = pd_world_hash(e.world);
    assert_true(e.done >= steps / 5 - 5 && e.done + e.refused == steps / 5);
    for (int k = 0; k < thread_counts(); k++) {
        pd_log *log;
        pd_world *world;
        must(read_log_with_threads(&log, &world, path, SEVERAL_THREADS[k], damage, &error), &error);
        assert_string_equal(damage, "");
        must(pd_log_seek(log, world, pd_log_end_tick(log), &error), &error);
        pd_log_replay_commands(log, world);
        assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
        assert_true(pd_world_hash(world) == hash);
        pd_log_destroy(log);
        pd_world_destroy(world);
    }
    pd_log_destroy(e.log);
    pd_world_destroy(e.world);
    remove(path);
}

/* ---- Undo, snapshots, refusals ---- */

/* Undoing an edit is as if it had never been done, redoing it as if it had not been undone; a wall that is drawn in many edits
 * is one act. */
static void edits_are_undone(void **state) {
    const char *method = *state;
    pd_error error;
    pd_log *log;
    pd_world *world = world_in_pool(method, 2, 20), *never = world_in_pool(method, 1, 20);
    must(pd_log_create(&log, world, &error), &error);
    step_log(log, world, 7);
    step_many(never, 7);
    uint64_t before = pd_world_hash(world);
    for (int k = 1; k <= 6; k++) {
        pd_vec2 points[8];
        for (int i = 0; i <= k; i++) points[i] = (pd_vec2){-0.5f + 0.1f * (float)i, -0.3f + 0.05f * (float)(i & 1)};
        pd_obstacle wall = {
            .area = {.shape = PD_SHAPE_POLYLINE, .points = points, .point_count = k + 1, .thickness = 0.03f}};
        pd_scene scene = copy_of(world);
        must(k == 1 ? pd_scene_add_obstacle(&scene, &wall, &error) : pd_scene_set_obstacle(&scene, 0, &wall, &error),
             &error);
        must(log_edit(log, world, &scene, &error), &error);
        step_log(log, world, 2);
    }
    uint64_t after = pd_world_hash(world);
    assert_true(after != before);
    must(pd_log_undo(log, world, &error), &error);
    assert_false(pd_log_can_undo(log, NULL));
    assert_true(pd_world_hash(world) == before);
    assert_true(pd_world_hash(never) == before);
    must(pd_log_redo(log, world, &error), &error);
    assert_true(pd_world_hash(world) == after);
    must(pd_log_undo(log, world, &error), &error);
    step_log(log, world, 10);
    step_many(never, 10);
    assert_true(pd_world_hash(world) == pd_world_hash(never));
    pd_log_destroy(log);
    pd_world_destroy(world);
    pd_world_destroy(never);
}

/* A snapshot on disk holds the edited scene, and goes on bit for bit. In a world without regions, whose resolution follows its
 * first emitter, that is gone. */
static void snapshots_hold_the_edited_scene(void **state) {
    const char *path = "test_edit.puddle";
    pd_error error;
    pd_scene scene = pool_of(*state);
    const pd_emitter thick = {
        .position = {0, 0.4f}, .direction = {0, -1}, .speed = 1, .width = 0.2f, .rate = 300, .until = INFINITY};
    pd_emitter thin = thick;
    thin.rate = 1000;
    scene.region_count = 0;
    scene.particles = 0;
    must(pd_scene_add_emitter(&scene, &thick, &error), &error);
    pd_world *world = world_of(&scene, 1), *loaded;
    pd_scene_free(&scene);
    step_many(world, 30);
    scene = copy_of(world);
    pd_obstacle disc = disc_at(0, -0.3f, 0.1f);
    must(pd_scene_remove_emitter(&scene, 0, &error), &error);
    must(pd_scene_add_emitter(&scene, &thin, &error), &error);
    must(pd_scene_add_obstacle(&scene, &disc, &error), &error);
    must(edit_to(world, &scene, &error), &error);
    step_many(world, 5);
    must(pd_world_save(world, path, &error), &error);
    must(load_with_threads(&loaded, path, 2, &error), &error);
    assert_int_equal(pd_world_scene(loaded)->obstacle_count, 1);
    step_many(world, 20);
    step_many(loaded, 20);
    assert_true(pd_world_hash(world) == pd_world_hash(loaded));
    pd_world_destroy(world);
    pd_world_destroy(loaded);
    remove(path);
}

static void expect_refused(pd_world *world, pd_scene *to, const char *why) {
    pd_error error = {0};
    uint64_t hash = pd_world_hash(world);
    assert_int_equal(edit_to(world, to, &error), PD_BAD_INPUT);
    if (!strstr(error.message, why)) fail_msg("'%s' does not say '%s'", error.message, why);
    assert_true(pd_world_hash(world) == hash);
}

static void expect_line_refused(pd_world *world, const char *line, const char *why) {
    pd_error error = {0};
    pd_command command;
    uint64_t hash = pd_world_hash(world);
    must(pd_command_parse(line, pd_world_scene(world), &command, &error), &error);
    assert_int_equal(pd_world_apply(world, &command, &error), PD_BAD_INPUT);
    if (!strstr(error.message, why)) fail_msg("'%s' does not say '%s'", error.message, why);
    assert_true(pd_world_hash(world) == hash);
    pd_command_free(&command);
}

/* What cannot be is refused with a line that says why, and changes nothing. */
static void refused_edits_change_nothing(void **state) {
    pd_error error;
    pd_world *world = world_in_pool(*state, 1, 10);
    pd_scene scene = copy_of(world);
    scene.materials[0] = scene.materials[1]; /* as pd_scene_remove_material would refuse to */
    scene.material_count = 1;
    expect_refused(world, &scene, "fluid of the material 'water' is in the scene"); /* the region is of oil now */
    expect_line_refused(world, "edit {materials: {\"water\": none}}",
                        "a region of the scene uses the material 'water'");
    scene = copy_of(world);
    must(pd_scene_remove_material(&scene, 1, &error), &error);
    must(edit_to(world, &scene, &error), &error);
    pd_world_destroy(world);
}

/* Fluid that an emitter alone has brought. */
static pd_world *emitted_fluid(const char *method) {
    pd_scene scene =
        scene_of_text("puddle: 1\n"
                      "container: {shape: circle, radius: 1}\n"
                      "particles: 300\n"
                      "emitters: [{position: [0, 0], direction: [0, -1], speed: 1, width: 0.5, rate: 900}]\n");
    snprintf(scene.method, sizeof scene.method, "%s", method);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    step_many(world, 20);
    return world;
}

/* A wall that fills all of the container but cracks. */
static void a_wall_that_fills_all_is_refused(void **state) {
    pd_obstacle all = disc_at(0, 0, 2);
    pd_error error;
    pd_world *world = emitted_fluid(*state);
    pd_scene scene = copy_of(world);
    must(pd_scene_add_obstacle(&scene, &all, &error), &error);
    expect_refused(world, &scene, "no room for the fluid");
    step_many(world, 20);
    expect_sound(world);
    pd_world_destroy(world);
}

static float parameter_of(const pd_world *world, const char *key) {
    float value = NAN;
    pd_world_parameter(world, key, &value, NULL);
    return value;
}

/* An edit sets parameters too, of any method, as far as they rebuild none: with the items or, where it is refused, not at all. */
static void parameters_belong_to_an_edit(void **state) {
    pd_error error;
    pd_world *world = emitted_fluid(*state);
    float cells = parameter_of(world, "grid.resolution"), viscosity = parameter_of(world, "sph.viscosity");
    for (int refused = 1; refused >= 0; refused--) {
        pd_obstacle wall = disc_at(0, refused ? 0 : 0.7f, refused ? 2 : 0.1f);
        pd_scene scene = copy_of(world);
        must(pd_scene_set_parameter(&scene, "ddr.equal_weight", 0, &error), &error);
        must(pd_scene_set_parameter(&scene, "ddr.surface_tension", 0.125f, &error), &error);
        must(pd_scene_set_parameter(&scene, "sph.viscosity", 0.07f, &error), &error);
        must(pd_scene_set_parameter(&scene, "grid.resolution", cells + 1, &error), &error);
        must(pd_scene_add_obstacle(&scene, &wall, &error), &error);
        if (refused)
            expect_refused(world, &scene, "no room for the fluid");
        else
            must(edit_to(world, &scene, &error), &error);
        assert_true(parameter_of(world, "ddr.equal_weight") == (refused ? 1 : 0));
        assert_true(parameter_of(world, "sph.viscosity") == (refused ? viscosity : 0.07f));
    }
    assert_true(parameter_of(world, "ddr.surface_tension") == 0.125f);
    assert_true(parameter_of(world, "grid.resolution") == cells);
    assert_int_equal(pd_world_scene(world)->obstacle_count, 1);
    expect_line_refused(world, "edit {parameters: {grid: {resolution: 33}}}", "'grid.resolution' rebuilds the method");
    pd_world_destroy(world);
}

TEST_GROUP(edit) {
    const method_test tests[] = {
        OF_ALL(edits_are_undone),
        OF_ALL(snapshots_hold_the_edited_scene),
        OF_ALL(refused_edits_change_nothing),
        OF_ALL(parameters_belong_to_an_edit),
        OF_ALL(a_wall_that_fills_all_is_refused),
        OF_ALL(random_edits),
        OF_ALL(a_moved_obstacle_goes_where_an_edit_says),
        OF_ALL(a_thin_wall_splits_the_fluid),
        OF_ALL(displaced_fluid_passes_no_old_wall),
        OF_ALL(materials_keep_their_particles),
        ONCE(tools_keep_their_material),
        OF_ALL(fluid_in_the_way_moves_out_gently),
    };
    return RUN_METHOD_TESTS(tests);
}
