/* Methods on the command line: selection, refusals, lists. */
#include "command.h"
#include "methods.h"

#include <cjson/cJSON.h>
#include <puddle/scene.h>

static void keys_without_effect_are_refused(void **state) {
    (void)state;
    static const char scene[] =
        "puddle: 1\nmethod: ddr\ncontainer: {shape: box, width: 2, height: 1, slip: true}\n"
        "regions: [{shape: box, center: [0, 0], size: [1, 0.5], count: 50, density: 0, amount: 1}]\n";
    write_text("plain.yaml", scene);
    /* A key without effect is accepted with the value that it has by default. */
    assert_int_equal(run("run plain.yaml --steps 1"), 0);
    assert_string_equal(err, "");
    assert_error("render drop -o nothing --view smoke", 2, "use surface, sprites, speed, density or pressure");
}

/* Keys that only some methods support do not hinder a change of the method, as in the window: they are told, each kind in
 * one line, and not with --quiet. */
static void keys_without_effect_are_told(void **state) {
    (void)state;
    write_text("smoke.yaml", "puddle: 1\nmethod: grid\ncontainer: {shape: box, width: 2, height: 1, slip: false,\n"
                             "  walls: {left: {inflow: 1}, right: {outflow: true}}}\n"
                             "regions: [{shape: box, center: [0, 0], size: [1, 0.5], count: 300, amount: 0.5}]\n");
    assert_int_equal(run("run smoke.yaml --steps 2"), 0);
    assert_string_equal(err, "");
    assert_int_equal(run("run smoke.yaml --steps 2 --method sph"), 0);
    assert_string_equal(err, "puddle: warning: 'walls' has no effect under sph (use grid)\n"
                             "puddle: warning: 'slip' has no effect under sph (use grid or vortex or flip)\n"
                             "puddle: warning: 'amount' has no effect under sph (use grid)\n");
    assert_int_equal(run("run smoke.yaml --steps 2 --method sph --quiet"), 0);
    assert_string_equal(err, "");
    write_text("raft.yaml", "puddle: 1\nmethod: vortex\ncontainer: {shape: box, width: 2, height: 2}\n"
                            "regions: [{shape: box, center: [0, -0.5], size: [2, 1], count: 300}]\n"
                            "bodies: [{shape: circle, center: [0, 0.5], radius: 0.1}]\n");
    assert_int_equal(run("run raft.yaml --steps 1"), 0);
    assert_string_equal(err,
                        "puddle: warning: the fluid pushes bodies under ddr, sph, pbf, grid and flip, but not under "
                        "vortex\n");
    static const char *const methods[] = {"grid", "flip", "pbf"};
    for (int m = 0; m < 3; m++) {
        char text[700], expected[400];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\nmaterials:\n"
                 "  blue: {color: '#3a8fff', viscosity: 3, yield: 0}\n  gold: {color: '#ffd34d', stickiness: 20}\n"
                 "attractions: [{between: [blue, gold], factor: 0.4}]\n"
                 "regions: [{shape: circle, center: [0, 0], radius: 0.5, material: blue, count: 300}]\n",
                 methods[m]);
        write_text("parting.yaml", text);
        bool viscous = strcmp(methods[m], "pbf") == 0; /* the one that knows viscosities and stickiness of materials */
        snprintf(expected, sizeof expected, "warning: 'attractions' has no effect under %s (use ddr)\n", methods[m]);
        if (!viscous)
            snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                     "puddle: warning: 'viscosity' of materials has no effect under %s (use ddr or sph or pbf)\n"
                     "puddle: warning: 'stickiness' of materials has no effect under %s (use ddr or sph or pbf)\n",
                     methods[m], methods[m]);
        assert_int_equal(run("run parting.yaml --steps 2"), 0);
        assert_non_null(strstr(err, expected));
        assert_int_equal(lines(err), viscous ? 1 : 3);
        cJSON *list = parse_output("check parting.yaml --json");
        const cJSON *warnings = cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "warnings");
        assert_int_equal(cJSON_GetArraySize(warnings), viscous ? 1 : 3);
        assert_non_null(strstr(cJSON_GetArrayItem(warnings, 0)->valuestring, "'attractions' has no effect"));
        cJSON_Delete(list);
        assert_int_equal(run("check parting.yaml"), 0);
        assert_non_null(strstr(out, "parting.yaml: warning: 'attractions' has no effect"));
    }
    assert_int_equal(run("run parting.yaml --steps 2 --method ddr"), 0);
    assert_string_equal(err, "");
}

/* Large grids and resolutions that are not what was set: in one line each, before anything is allocated for them. */
static void unusual_resolutions_are_told(void **state) {
    (void)state;
    assert_int_equal(run("run two-drops --method flip --particles 1000 --set flip.resolution=4000 --steps 1"), 0);
    assert_non_null(strstr(err, "warning: flip.resolution is lowered from 4000 to "));
    assert_int_equal(lines(err), 1);
    assert_int_equal(run("run two-drops --method flip --particles 1000 --steps 1"), 0);
    assert_string_equal(err, "");
#define LAKE                                                                                                           \
    "container: {shape: box, width: 200, height: 200}\nregions: [{shape: circle, center: [0, 0], radius: 1, count: "   \
    "5000}]\n"
    write_text("lake.yaml", "puddle: 1\nmethod: flip\n" LAKE);
    assert_int_equal(run("check lake.yaml"), 0);
    assert_non_null(
        strstr(out, "warning: the fluid is small in its container: 2048 x 2048 cells are used instead of 39"));
    assert_non_null(strstr(out, "(make the container smaller, or set flip.resolution)"));
    assert_int_equal(lines(out), 2);
    write_text("lake.yaml", "puddle: 1\nmethod: flip\n" LAKE "parameters: {flip: {resolution: 3900}}\n");
    assert_int_equal(run("check lake.yaml"), 0);
    assert_non_null(strstr(out, "warning: a grid of 3900 x 3900 cells takes 3.3 GB (lower flip.resolution)"));
    write_text("lake.yaml", "puddle: 1\nmethod: grid\n" LAKE "parameters: {grid: {resolution: 4096}}\n");
    assert_int_equal(run("check lake.yaml"), 0);
    assert_non_null(strstr(out, "warning: a grid of 4096 x 4096 cells takes 3.2 GB (lower grid.resolution)"));
}

/* Every bundled scene runs with every method. If shortened each with one of them: test_world.c has all in one process. */
static void every_scene_runs_with_every_method(void **state) {
    (void)state;
    const char *methods[MOST_METHODS];
    int count = methods_that(any_method, methods);
    cJSON *list = parse_output("list scenes --json"), *scene;
    int place = 0;
    assert_true(cJSON_GetArraySize(list) > 20);
    cJSON_ArrayForEach(scene, list) {
        const char *name = cJSON_GetObjectItem(scene, "name")->valuestring;
        place++;
        for (int m = 0; m < count; m++) {
            char arguments[200];
            if (is_shortened() && m != place % count) continue;
            snprintf(arguments, sizeof arguments, "run %s --method %s --steps 1 --set grid.resolution=16 --quiet", name,
                     methods[m]);
            if (run(arguments) != 0) fail_msg("%s: %s", arguments, err);
        }
    }
    cJSON_Delete(list);
}

static void bad_parameters_and_methods_are_refused(void **state) {
    (void)state;
    static const char *const table[][2] = {
        {"run drop --steps 1 --set pbf.iterations=0", "iterations is 0 (use 1 to 20)"},
        {"run drop --steps 1 --set pbf.iterations=2.5", "iterations is 2.5 (use a whole number"},
        {"run drop --steps 1 --set pbf.iterations=many", "iterations is 'many'"},
        {"run drop --steps 1 --set pbf.cohesion=2", "use true or false"},
        {"run drop --steps 1 --set pbf.iteration=3", "did you mean 'pbf.iterations'"},
        {"run drop --steps 1 --set spg.radius=1", "did you mean 'sph.radius'"},
        {"run drop --steps 1 --set sph.damping=1.5", "damping is 1.5 (use 0 to 1)"},
        {"run drop --steps 1 --method vortexes", "--method is 'vortexes' (use ddr, sph"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) assert_error(table[i][0], 2, table[i][1]);
}

/* Parameters that a material may override are listed with the key of the material. */
static void parameters_are_listed_with_the_keys_of_materials(void **state) {
    (void)state;
    cJSON *json = parse_output("list parameters --json"), *item;
    int found = 0;
    cJSON_ArrayForEach(item, json) {
        const cJSON *key = cJSON_GetObjectItem(item, "material_key");
        if (!key) continue;
        for (int i = 0; i < PD_PROPERTIES; i++)
            if (strcmp(key->valuestring, pd_property_at(i)->key) == 0) {
                const char *parameter = cJSON_GetObjectItem(item, "key")->valuestring;
                assert_string_equal(strchr(parameter, '.') + 1, pd_property_at(i)->parameter->key);
                found |= 1 << i;
            }
    }
    assert_int_equal(found, (1 << PD_PROPERTIES) - 1);
    cJSON_Delete(json);
    assert_int_equal(run("list parameters"), 0);
    const char *table = strstr(out, "\nkey of a material");
    assert_non_null(table);
    assert_non_null(strstr(table, "\nviscosity                ddr.linear_viscosity\n"));
    assert_non_null(
        strstr(table, "\nelasticity               ddr.spring_stiffness, sph.spring_stiffness, pbf.spring_stiffness\n"));
    assert_non_null(strstr(table, "\nstickiness               ddr.stickiness, sph.stickiness, pbf.stickiness\n"));
    /* What defaults scale with; the time scale of a scene is sqrt(size / gravity). */
    static const char *const scales[][2] = {
        {"\nsph.radius ", "the scene's resolution and size)"},
        {"\nsph.stiffness ", "the scene's size, gravity, depth and surface tension)"},
        {"\nsph.tool_strength ", "the scene's gravity)"},
        {"\nddr.stiffness ", "the scene's resolution, gravity, depth and surface tension)"}};
    for (int i = 0; i < 4; i++) {
        const char *line = strstr(out, scales[i][0]);
        assert_non_null(line);
        size_t length = strcspn(line + 1, "\n"), ending = strlen(scales[i][1]);
        assert_true(length > ending);
        assert_memory_equal(line + 1 + length - ending, scales[i][1], ending);
    }
}

/* --method replaces the method of a scene or of a snapshot. */
static void methods_are_chosen(void **state) {
    (void)state;
    const char *methods[MOST_METHODS];
    int count = methods_that(any_method, methods);
    for (int i = 0; i < count; i++) {
        char arguments[200];
        snprintf(arguments, sizeof arguments, "run drop --method %s --particles 500 --steps 6 --state whole.csv --json",
                 methods[i]);
        cJSON *json = parse_output(arguments);
        assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, methods[i]);
        cJSON_Delete(json);
        snprintf(arguments, sizeof arguments,
                 "run drop --method %s --particles 500 --steps 3 --save half.puddle --quiet", methods[i]);
        assert_int_equal(run(arguments), 0);
        json = parse_output("run --load half.puddle --steps 3 --state later.csv --json");
        assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, methods[i]);
        cJSON_Delete(json);
        assert_same_file("whole.csv", "later.csv");
    }
    /* The second half of a run with another method, which the snapshot at its end has, too. */
    cJSON *json =
        parse_output("run --load half.puddle --method sph --set sph.damping=0.5 --steps 3 --save other.puddle --json");
    assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, "sph");
    assert_true(cJSON_GetObjectItem(json, "particles")->valuedouble == 500);
    cJSON_Delete(json);
    json = parse_output("run --load other.puddle --steps 1 --json");
    assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, "sph");
    cJSON_Delete(json);
    json = parse_output("run martin-moyce --particles 300 --steps 1 --json");
    assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, "sph");
    cJSON_Delete(json);
    assert_int_equal(run("run pbf-drops --particles 300 --steps 1 --state drops.vtk --quiet"), 0);
    char *text = read_text("drops.vtk");
    assert_int_equal(strncmp(text, "# vtk DataFile", 14), 0);
    free(text);
}

/* y of an impulse [x, y]. */
static double upwards(const cJSON *impulse) {
    assert_int_equal(cJSON_GetArraySize(impulse), 2);
    return cJSON_GetArrayItem(impulse, 1)->valuedouble;
}

/* At rest the walls carry the weight m g of a column: in every step the impulse m g dt. The disc in it is lifted. */
static void walls_carry_a_column(void **state) {
    (void)state;
    skip_in_short();
    enum { SETTLING = 1500, STEPS = 40 };
    const double weight = 1000 * 0.8 * 0.8 * 1.57; /* N/m: the particles fill the region */
    static const char *const methods[] = {"ddr", "sph", "pbf"};
    write_text("column.yaml",
               "puddle: 1\ngravity: [0, -1.57]\nparticles: 400\ncontainer: {shape: box, width: 0.8, height: 1.2}\n"
               "regions: [{shape: box, center: [0, -0.2], size: [0.8, 0.8], count: 400}]\n"
               "obstacles: [{shape: circle, center: [0, -0.2], radius: 0.1}]\n"
               "parameters: {ddr: {linear_viscosity: 10}, sph: {viscosity: 0.05}}\n");
    for (int m = 0; m < 3; m++) {
        char arguments[200];
        double force = 0, lift = 0;
        snprintf(arguments, sizeof arguments, "run column.yaml --method %s --steps %d --save still.puddle", methods[m],
                 SETTLING);
        assert_int_equal(run(arguments), 0);
        for (int i = 0; i < STEPS; i++) {
            cJSON *json = parse_output("run --load still.puddle --steps 1 --save still.puddle --json");
            const cJSON *impulse = cJSON_GetObjectItem(json, "impulse"), *obstacles;
            obstacles = cJSON_GetObjectItem(impulse, "obstacles");
            assert_int_equal(cJSON_GetArraySize(obstacles), 1);
            double up = upwards(cJSON_GetArrayItem(obstacles, 0));
            force += (upwards(cJSON_GetObjectItem(impulse, "container")) + up) * 60 / STEPS;
            lift += up * 60 / STEPS;
            cJSON_Delete(json);
        }
        print_message("%s: the walls carry %.4f of the weight\n", methods[m], -force / weight);
        assert_true(fabs(-force / weight - 1) < 0.02);
        assert_true(lift > 0);
    }
}

/* Under every method; `render` tells it too. */
static void impulses_are_told(void **state) {
    (void)state;
    static const char *const commands[] = {
        "run drop --method grid --steps 2 --json",
        "run drop --method flip --steps 2 --json",
        "run drop --method vortex --steps 2 --json",
        "run drop --particles 200 --steps 2 --json",
        "render drop --particles 200 --steps 2 --size 64x48 -o frames --json",
    };
    for (int i = 0; i < 5; i++) {
        cJSON *json = parse_output(commands[i]), *impulse = cJSON_GetObjectItem(json, "impulse");
        assert_non_null(impulse);
        assert_true(isfinite(upwards(cJSON_GetObjectItem(impulse, "container"))));
        cJSON_Delete(json);
    }
}

/* Without --quiet `run` and `check` print the warning that columns of a table of particles are left out. */
static void columns_left_out_are_told(void **state) {
    (void)state;
    static const char LINE[] = "'t.csv' is read without column 1 and 'p'";
    write_text("t.yaml", "puddle: 1\nregions: [{shape: particles, file: t.csv, spacing: 0.1}]\n");
    write_text("t.csv", ",x,y,p\n0,0.1,0.3,1\n1,0.2,-0.4,1\n");
    assert_int_equal(run("run t.yaml --steps 1"), 0);
    assert_int_equal(strncmp(err, "puddle: warning: ", 17), 0);
    assert_int_equal(strncmp(err + 17, LINE, strlen(LINE)), 0);
    assert_string_equal(err + 17 + strlen(LINE), "\n");
    assert_int_equal(run("run t.yaml --steps 1 --quiet"), 0);
    assert_string_equal(err, "");
    assert_int_equal(run("check t.yaml"), 0);
    assert_non_null(strstr(out, "t.yaml: warning: 't.csv' is read without column 1 and 'p'\n"));
    cJSON *list = parse_output("check t.yaml --json");
    const cJSON *warnings = cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "warnings");
    assert_int_equal(cJSON_GetArraySize(warnings), 1);
    assert_string_equal(cJSON_GetArrayItem(warnings, 0)->valuestring, LINE);
    cJSON_Delete(list);
}

TEST_GROUP(cli_methods) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_without_effect_are_refused),
        cmocka_unit_test(keys_without_effect_are_told),
        cmocka_unit_test(columns_left_out_are_told),
        cmocka_unit_test(unusual_resolutions_are_told),
        cmocka_unit_test(every_scene_runs_with_every_method),
        cmocka_unit_test(bad_parameters_and_methods_are_refused),
        cmocka_unit_test(methods_are_chosen),
        cmocka_unit_test(walls_carry_a_column),
        cmocka_unit_test(impulses_are_told),
        cmocka_unit_test(parameters_are_listed_with_the_keys_of_materials),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
