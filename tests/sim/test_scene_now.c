/* The scene that begins as a world is now, and the files that hold it. */
#include "contract.h"
#include "folder.h"
#include "methods.h"

#include <sys/stat.h>
#include <unistd.h>

static const char POOL[] =
    "puddle: 1\n"
    "name: Now\n"
    "container: {shape: box, width: 2, height: 1}\n"
    "particles: 600\n"
    "materials: {water: {color: \"#3a8fff\"}, \"oil, \\\"thick\\\"\": {color: \"#ffc040\", mass: 0.8}}\n"
    "regions:\n"
    "  - {shape: box, center: [-0.4, -0.2], size: [1, 0.5], material: water}\n"
    "  - {shape: box, center: [0.6, -0.2], size: [0.5, 0.5], material: \"oil, \\\"thick\\\"\"}\n"
    "obstacles:\n"
    "  - {shape: circle, center: [0, 0.3], radius: 0.1}\n"
    "  - {shape: box, center: [-0.6, 0.3], size: [0.3, 0.05], spin: 90}\n"
    "  - {shape: circle, center: [0.5, 0.35], radius: 0.05, velocity: [0.5, 0], turn: 0.3}\n"
    "  - {shape: polyline, points: [[0, 0], [0.1, 0.05]], center: [-0.2, 0.4], thickness: 0.02, "
    "velocity: [0.1, 0], spin: 30}\n"
    "emitters:\n"
    "  - {position: [0.8, 0.4], direction: [0, -1], speed: 1, width: 0.05, rate: 200, until: 0.1}\n"
    "  - {position: [0.9, 0.4], direction: [0, -1], speed: 1, width: 0.05, rate: 200, from: 0.2, "
    "until: 3}\n"
    "drains:\n"
    "  - {shape: circle, center: [0.95, -0.45], radius: 0.03}\n"
    "parameters: {grid: {resolution: 32}, vortex: {core: 0.1}}\n";

/* A world in which much has happened: an obstacle moved by the tool, an edit, another gravity and parameter. */
static pd_world *world_with_a_past(const char *method) {
    pd_scene scene = scene_of_text(POOL), edited;
    pd_error error = {0};
    pd_command command;
    snprintf(scene.method, sizeof scene.method, "%s", method);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    step_many(world, 5);
    pd_world_set_tool(world, &(pd_tool){PD_TOOL_MOVE, {0, 0.3f}, {0, 0}, 0.1f, 0, 0});
    pd_world_step(world);
    pd_world_set_tool(world, &(pd_tool){PD_TOOL_MOVE, {0.15f, 0.25f}, {0, 0}, 0.1f, 0, 0});
    step_many(world, 10);
    pd_world_set_tool(world, &(pd_tool){.kind = PD_TOOL_NONE});
    must(pd_scene_copy(&edited, pd_world_scene(world), &error), &error);
    pd_obstacle wall = {.area = {.shape = PD_SHAPE_BOX, .center = {0.3f, -0.4f}, .size = {0.1f, 0.2f}, .angle = 20}};
    must(pd_scene_add_obstacle(&edited, &wall, &error), &error);
    must(pd_command_edit(&command, pd_world_scene(world), &edited, &error), &error);
    must(pd_world_apply(world, &command, &error), &error);
    pd_command_free(&command);
    pd_scene_free(&edited);
    pd_world_set_gravity(world, (pd_vec2){0.5f, -1.2f});
    if (strcmp(method, "ddr") == 0) set_parameter(world, "ddr.stiffness", 0.7f);
    step_many(world, 10);
    return world;
}

/* The particles of one world by id are those of another, bit for bit; velocities too, where the particles carry the fluid. */
static void expect_same_particles(const pd_world *a, const pd_world *b, bool velocities) {
    pd_view one, two;
    pd_world_view(a, &one);
    pd_world_view(b, &two);
    assert_int_equal(one.count, two.count);
    assert_true(one.count > 0);
    for (int i = 0; i < one.count; i++) {
        int k = 0, rank = 0; /* ids of b count from 0 in the order of those of a */
        for (int n = 0; n < one.count; n++) rank += one.id[n] < one.id[i];
        while (two.id[k] != (uint32_t)rank) k++;
        assert_memory_equal(&one.x[i], &two.x[k], sizeof(float));
        assert_memory_equal(&one.y[i], &two.y[k], sizeof(float));
        assert_int_equal(one.material[i], two.material[k]);
        if (!velocities) continue;
        assert_memory_equal(&one.vx[i], &two.vx[k], sizeof(float));
        assert_memory_equal(&one.vy[i], &two.vy[k], sizeof(float));
    }
}

static void expect_same_walls(const pd_world *a, const pd_world *b) {
    pd_view one, two;
    pd_world_view(a, &one);
    pd_world_view(b, &two);
    assert_int_equal(one.obstacle_count, two.obstacle_count);
    for (int i = 0; i < one.obstacle_count; i++) {
        const pd_area *p = &one.obstacles[i], *q = &two.obstacles[i];
        assert_int_equal(p->shape, q->shape);
        assert_float_equal(p->center.x, q->center.x, 1e-5f);
        assert_float_equal(p->center.y, q->center.y, 1e-5f);
        if (p->shape == PD_SHAPE_BOX) assert_float_equal(p->angle, q->angle, 1e-3f);
        for (int k = 0; p->shape == PD_SHAPE_POLYLINE && k < p->point_count; k++) {
            float angle[] = {p->angle * 0.017453293f, q->angle * 0.017453293f};
            const pd_vec2 *e = &p->points[k], *f = &q->points[k];
            assert_float_equal(cosf(angle[0]) * e->x - sinf(angle[0]) * e->y,
                               cosf(angle[1]) * f->x - sinf(angle[1]) * f->y, 1e-5f);
        }
    }
}

/* The world of what the scene file holds. */
static pd_world *read_back(const char *path) {
    pd_error error = {0};
    pd_scene scene;
    must(pd_scene_read(path, &scene, &error), &error);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    return world;
}

static void write_now(const pd_world *world, const char *path) {
    pd_error error = {0};
    pd_scene scene;
    must(pd_world_state_as_scene(world, &scene, &error), &error);
    must(pd_scene_write(&scene, path, &error), &error);
    pd_scene_free(&scene);
}

static bool has_tracers(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    return view.particles_are_tracers;
}

static void the_scene_reads_back_to_the_same_state(void **state) {
    const char *method = *state;
    pd_world *world = world_with_a_past(method);
    const char *path = "now.yaml";
    write_now(world, path);
    pd_world *again = read_back(path);
    const pd_scene *scene = pd_world_scene(again);
    expect_same_particles(world, again, !has_tracers(world));
    expect_same_walls(world, again);
    assert_string_equal(scene->method, method);
    assert_float_equal(scene->gravity.x, 0.5f, 0);
    assert_int_equal(scene->emitter_count, 1);
    assert_int_equal(scene->drain_count, 1);
    assert_float_equal(scene->emitters[0].until, 3 - pd_world_time(world), 1e-5f);
    for (int i = 0; i < pd_world_method(world)->parameter_count; i++) {
        char key[PD_MAX_KEY];
        float was = 0, is = 1;
        snprintf(key, sizeof key, "%s.%s", method, pd_method_parameter_at(pd_world_method(world), i)->key);
        pd_world_parameter(world, key, &was, NULL);
        pd_world_parameter(again, key, &is, NULL);
        if (was != is) fail_msg("%s was %.9g, is %.9g", key, (double)was, (double)is);
    }
    /* What turns back on its path does so when it would have. */
    step_many(world, 30);
    step_many(again, 30);
    expect_same_walls(world, again);
    expect_sound(again);
    pd_world_destroy(world);
    pd_world_destroy(again);
}

/* Every bundled scene, with its own method, in the middle of what happens there. */
static void every_bundled_scene_can_be_saved(void **state) {
    (void)state;
    char names[MAX_SCENES][64];
    int count = bundled_names(names);
    for (int i = 0; i < count; i += UNDER_ADDRESS_SANITIZER ? 3 : 1) {
        pd_scene scene = small_scene(names[i]);
        pd_world *world = world_of(&scene, 1);
        pd_scene_free(&scene);
        step_many(world, 8);
        write_now(world, "bundled.yaml");

        pd_world *again = read_back("bundled.yaml");
        if (pd_world_particles(world) > 0) expect_same_particles(world, again, !has_tracers(world));
        expect_same_walls(world, again);
        pd_world_step(again);
        pd_world_destroy(world);
        pd_world_destroy(again);
    }
}

/* Neither the state nor a reset needs the file. */
static void a_snapshot_and_a_log_hold_the_particles(void **state) {
    (void)state;
    pd_error error = {0};
    pd_world *world = world_with_a_past("ddr"), *loaded, *replayed;
    pd_log *log;
    write_now(world, "kept.yaml");
    pd_world_destroy(world);
    world = read_back("kept.yaml");
    must(pd_log_create(&log, world, &error), &error);
    uint64_t start = pd_world_hash(world);
    for (int i = 0; i < 20; i++) {
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    must(pd_world_save(world, "kept.puddle", &error), &error);
    must(pd_log_write(log, world, 0, "kept.log", &error), &error);
    assert_int_equal(unlink("kept.csv"), 0);
    must(load_with_threads(&loaded, "kept.puddle", 1, &error), &error);
    assert_true(pd_world_hash(loaded) == pd_world_hash(world));
    pd_world_reset(loaded);
    assert_true(pd_world_hash(loaded) == start);
    pd_log_destroy(log);
    char damage[PD_MAX_LOG_DAMAGE];
    must(read_log_with_threads(&log, &replayed, "kept.log", 1, damage, &error), &error);
    assert_string_equal(damage, "");
    assert_true(pd_world_hash(replayed) == start);
    pd_log_destroy(log);
    pd_world_destroy(replayed);
    pd_world_destroy(loaded);
    pd_world_destroy(world);
}

static void put(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char HEAD[] = "puddle: 1\nmaterials: {water: {color: \"#3a8fff\"}, oil: {color: \"#ffc040\"}}\nregions:\n";

/* Reads a scene with this region and this particle file; the message must end like that. */
static void expect_fault(const char *region, const char *csv, const char *message) {
    char text[512];
    pd_error error = {0};
    pd_scene scene;
    snprintf(text, sizeof text, "%s%s\n", HEAD, region);
    put("bad.yaml", text);
    unlink("bad.csv");
    if (csv) put("bad.csv", csv);
    assert_int_not_equal(pd_scene_read("bad.yaml", &scene, &error), PD_OK);
    if (!strstr(error.message, message)) fail_msg("'%s' instead of '%s'", error.message, message);
    assert_null(strchr(error.message, '\n'));
}

static void faults_of_particle_files_are_told_with_their_places(void **state) {
    (void)state;
    static const char REGION[] = "  - {shape: particles, file: bad.csv}";
    expect_fault(REGION, NULL, "bad.yaml:4:30: cannot read '");
    expect_fault(REGION, "", "bad.csv:1:1: the column 'x' is missing");
    expect_fault(REGION, "x,y\n", "bad.csv:2:1: the file has no particles");
    expect_fault(REGION, "x,z\n", "bad.csv:1:1: the column 'y' is missing");
    expect_fault(REGION, "x,vx\n0,0\n", "bad.csv:1:1: the column 'y' is missing");
    expect_fault(REGION, "x,y,x\n", "bad.csv:1:5: the column 'x' comes twice");
    expect_fault(REGION, "x,y\n0,0\n0.5\n", "bad.csv:3:1: the row ends before its 'y'");
    expect_fault(REGION, "x,y\n0,0\n0.5,1,2\n", "bad.csv:3:7: more cells");
    expect_fault(REGION, "x,y\n0,nan1\n", "bad.csv:2:3: 'nan1' is not a number");
    expect_fault(REGION, "x,y\n0,\n", "bad.csv:3:1: the file has no particles");
    expect_fault(REGION, "x,y\n0,1e30\n", "bad.csv:2:3: 1e30 is too large");
    expect_fault(REGION, "x,y,material\n0,0,mud\n",
                 "bad.csv:2:5: the scene has no material 'mud' (add it to 'materials')");
    expect_fault(REGION, "x,y,material\n0,0,\"oil\n", "bad.csv:2:5: a quote is left open");
    expect_fault(REGION, "x,y\n\"0\"1,0\n", "bad.csv:2:4: a character between");
    expect_fault("  - {shape: particles, file: bad.csv, count: 3}", "x,y\n0,0\n0.5,0\n",
                 "bad.yaml:4:46: 'count' is 3, but");
    expect_fault("  - {shape: particles}", NULL, "bad.yaml:4:5: a region of particles has no 'file'");
    expect_fault("  - {shape: particles, data: [\"AAAA\"]}", NULL, "bad.yaml:4:31: 'data' is damaged");
    expect_fault("  - {shape: particles, data: []}", NULL, "bad.yaml:4:30: 'data' is empty");
    expect_fault("  - {shape: particles, file: bad.csv}\nparticles: 100", "x,y\n0,0\n",
                 "bad.yaml:5:12: a region lists its particles");
    expect_fault("  - {shape: circle, center: [0, 0], radius: 0.1, file: a.csv}", NULL,
                 "'file' does not go with shape");
    expect_fault("  - {shape: particles, file: .}", NULL, "bad.yaml:4:30: cannot read '");
}

/* Files that other programs wrote. */
static void columns_come_in_any_order(void **state) {
    (void)state;
    static const char TEXT[] =
        "puddle: 1\nmaterials: {water: {color: \"#3a8fff\"}, oil: {color: \"#ffc040\"}}\nregions:\n"
        "  - {shape: particles, file: other.csv, material: oil, velocity: [0.5, 0], spacing: 0.1}\n";
    put("other.yaml", TEXT);
    put("other.csv", "\xef\xbb\xbfid,y,x\r\n7,0.25,-0.5\r\n\r\n8,0.5,0.125");
    pd_world *world = read_back("other.yaml");
    pd_view view;
    pd_world_view(world, &view);
    assert_int_equal(view.count, 2);
    assert_float_equal(view.x[0], -0.5f, 0);
    assert_float_equal(view.y[0], 0.25f, 0);
    assert_float_equal(view.x[1], 0.125f, 0);
    assert_float_equal(view.vx[0], 0.5f, 0);
    assert_int_equal(view.material[1], 1);
    assert_float_equal(view.spacing, 0.1f, 0);
    pd_world_destroy(world);
    pd_error error = {0};
    pd_scene scene; /* a text has no folder */
    assert_int_not_equal(pd_scene_read_text(TEXT, strlen(TEXT), "text", &scene, &error), PD_OK);
    assert_non_null(strstr(error.message, "text:4:30: a scene in a text has no folder for 'file'"));
}

static void the_number_of_listed_particles_stays(void **state) {
    (void)state;
    pd_error error = {0};
    pd_world *world = world_with_a_past("pbf");
    write_now(world, "fixed.yaml");
    pd_world *again = read_back("fixed.yaml");
    int count = pd_world_particles(again);
    assert_int_equal(pd_world_set_particle_count(again, 1000, &error), PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "the scene lists each particle"));
    assert_int_equal(pd_world_particles(again), count);
    pd_world_destroy(again);
    pd_world_destroy(world);
}

/* On a full disk neither file of a scene remains half written. */
static void nothing_is_left_of_a_scene_that_cannot_be_written(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene scene;
    pd_world *world = world_with_a_past("ddr");
    must(pd_world_state_as_scene(world, &scene, &error), &error);
    assert_int_not_equal(pd_scene_write(&scene, "missing/now.yaml", &error), PD_OK);
    assert_non_null(strstr(error.message, "cannot write"));
    assert_int_equal(mkdir("taken.yaml", 0700), 0); /* a folder in the place of the scene */
    assert_int_not_equal(pd_scene_write(&scene, "taken.yaml", &error), PD_OK);
    assert_int_not_equal(access("taken.csv", F_OK), 0);
    pd_scene_free(&scene);
    pd_world_destroy(world);
}

TEST_GROUP(scene_now) {
    const method_test tests[] = {
        OF_ALL(the_scene_reads_back_to_the_same_state),
        ONCE(every_bundled_scene_can_be_saved),
        ONCE(a_snapshot_and_a_log_hold_the_particles),
        ONCE(faults_of_particle_files_are_told_with_their_places),
        ONCE(columns_come_in_any_order),
        ONCE(the_number_of_listed_particles_stays),
        ONCE(nothing_is_left_of_a_scene_that_cannot_be_written),
    };
    return RUN_METHOD_TESTS_WITHIN(tests, enter_folder, leave_folder);
}
