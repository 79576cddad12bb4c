/* Scenes that are right: what they are read as, and that they are written and read again unchanged. */
#include "commas.h"
#include "scene/file/scene_files.h"
#include "scenes.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Good scenes ---- */

static void test_defaults(void **state) {
    (void)state;
    pd_scene scene, plain;
    read_good("puddle: 1\n", &scene);
    pd_scene_init(&plain);
    assert_same_scene(&scene, &plain);
    assert_string_equal(scene.method, "ddr");
    assert_int_equal(scene.container.shape, PD_CONTAINER_CIRCLE);
    assert_same_float(scene.container.radius, 1);
    assert_true(scene.container.slip);
    assert_true(isnan(scene.container.walls[PD_WALL_TOP].inflow));
    assert_same_vector(scene.gravity, (pd_vec2){0, -1.6f});
    assert_same_float(scene.dt, 1.0f / 60);
    assert_int_equal(scene.seed, 1);
    assert_int_equal(scene.material_count, 1);
    assert_string_equal(scene.materials[0].name, "water");
    assert_int_equal(scene.materials[0].green, 0x8f);
    pd_scene_free(&scene);

    read_good("puddle: 1\nregions:\n  - {shape: circle, center: [0, 0], radius: 0.5}\n"
              "emitters: [{position: [0, 0], direction: [0, 1], speed: 1, width: 0.1, rate: 10}]\n",
              &scene);
    assert_int_equal(scene.regions[0].fill, PD_FILL_HEX);
    assert_int_equal(scene.regions[0].material, 0);
    assert_int_equal(scene.regions[0].count, 0);
    assert_same_float(scene.regions[0].amount, 1);
    assert_same_float(scene.emitters[0].from, 0);
    assert_true(isinf(scene.emitters[0].until));
    pd_scene_free(&scene);

    read_good("\xef\xbb\xbfpuddle: 1 # with a byte order mark and Windows line ends\r\nregions: []\r\n", &scene);
    assert_int_equal(scene.region_count, 0);
    pd_scene_free(&scene);
}

static const char contract[] =
    "puddle: 1\n"
    "name: Two drops\n"
    "method: grid                  # ddr has no walls that move\n"
    "gravity: [0, -1.6]            # m/s^2\n"
    "dt: 0.0166667                 # seconds of simulated time per step\n"
    "substeps: auto                # or a number\n"
    "seed: 1\n"
    "container: {shape: box, width: 2, height: 1, slip: false,\n"
    "            walls: {left: {inflow: 2.0}, right: {outflow: true}, top: {velocity: 1.0}}}\n"
    "materials:\n"
    "  water: {color: \"#3a8fff\", mass: 1.0}\n"
    "regions:                                     # where fluid starts\n"
    "  - {shape: circle, center: [0, 0.3], radius: 0.4, material: water, velocity: [0, 0]}\n"
    "  - {shape: box, center: [0, -0.6], size: [1.0, 0.3], material: water}\n"
    "  - {shape: ellipse, center: [0, 0], size: [0.6, 0.3], fill: random, count: 1500}\n"
    "vortons:\n"
    "  - {position: [0.2, 0.0], circulation: 1.0, core: 0.05}\n"
    "obstacles:\n"
    "  - {shape: circle, center: [0.3, 0], radius: 0.1, velocity: [0, 0]}\n"
    "  - {shape: box, center: [0, 0], size: [0.2, 0.1], angle: 30}\n"
    "  - {shape: polyline, points: [[-1, 0], [0, -0.5], [1, 0]], thickness: 0.05}\n"
    "emitters:\n"
    "  - {position: [0, 0.8], direction: [0, -1], speed: 1.0, width: 0.1, rate: 500, material: water, until: 5.0}\n"
    "drains:\n"
    "  - {shape: circle, center: [0, -0.9], radius: 0.1}\n"
    "parameters:\n"
    "  ddr: {stiffness: 1.6, near_stiffness: 4.5, rest_density: 5, radius: 0.0936}\n"
    "  grid: {resolution: 128, viscosity: 0.01}\n";

static void test_contract_example(void **state) {
    (void)state;
    pd_scene scene;
    read_good(contract, &scene);
    assert_string_equal(scene.name, "Two drops");
    assert_int_equal(scene.substeps, 0);
    assert_same_float(scene.dt, 0.0166667f);
    assert_int_equal(scene.container.shape, PD_CONTAINER_BOX);
    assert_same_float(scene.container.height, 1);
    assert_false(scene.container.slip);
    assert_same_float(scene.container.walls[PD_WALL_LEFT].inflow, 2);
    assert_true(scene.container.walls[PD_WALL_RIGHT].outflow);
    assert_same_float(scene.container.walls[PD_WALL_TOP].velocity, 1);
    assert_true(isnan(scene.container.walls[PD_WALL_TOP].inflow));
    assert_int_equal(scene.region_count, 3);
    assert_int_equal(scene.regions[2].area.shape, PD_SHAPE_ELLIPSE);
    assert_int_equal(scene.regions[2].fill, PD_FILL_RANDOM);
    assert_int_equal(scene.regions[2].count, 1500);
    assert_same_vector(scene.regions[1].area.size, (pd_vec2){1, 0.3f});
    assert_same_float(scene.vortons[0].core, 0.05f);
    assert_same_float(scene.obstacles[1].area.angle, 30);
    assert_int_equal(scene.obstacles[2].area.shape, PD_SHAPE_POLYLINE);
    assert_int_equal(scene.obstacles[2].area.point_count, 3);
    assert_same_vector(scene.obstacles[2].area.points[1], (pd_vec2){0, -0.5f});
    assert_same_float(scene.emitters[0].until, 5);
    assert_same_float(scene.drains[0].area.radius, 0.1f);
    assert_int_equal(scene.setting_count, 6);
    pd_scene_free(&scene);
}

/* Keys that the method does not support are not written: a scene that was written can be read. */
static void test_keys_without_effect_are_left_out(void **state) {
    (void)state;
    pd_scene scene, again;
    pd_error error = {0};
    char *text;
    size_t length;
    read_good("puddle: 1\nmethod: vortex\nregions: [{shape: circle, center: [0, 0], radius: 0.2, density: -0.25}]\n",
              &scene);
    assert_same_float(scene.regions[0].density, -0.25f);
    assert_int_equal(pd_scene_write_text(&scene, &text, &length, &error), PD_OK);
    read_good(text, &again);
    assert_same_float(again.regions[0].density, -0.25f);
    pd_scene_free(&again);
    free(text);
    strcpy(scene.method, "ddr");
    scene.regions[0].amount = 0.5f;
    scene.container = (pd_container){.shape = PD_CONTAINER_BOX, .width = 2, .height = 1, .walls = {{.outflow = true}}};
    assert_int_equal(pd_scene_write_text(&scene, &text, &length, &error), PD_OK);
    read_good(text, &again);
    assert_true(isnan(again.regions[0].density));
    assert_same_float(again.regions[0].amount, 1);
    assert_true(again.container.slip && !again.container.walls[0].outflow);
    assert_same_float(scene.regions[0].density, -0.25f); /* the scene is unchanged */
    pd_scene_free(&again);
    free(text);
    pd_scene_free(&scene);
}

/* As many vortices as there may be are written and read back, in numbers with all their digits. */
static void test_most_vortons(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene scene, again;
    read_good("puddle: 1\nmethod: vortex\n", &scene);
    scene.vorton_count = PD_MAX_VORTONS;
    scene.vortons = calloc(PD_MAX_VORTONS, sizeof *scene.vortons);
    assert_non_null(scene.vortons);
    for (int i = 0; i < PD_MAX_VORTONS; i++) {
        float third = (float)(i + 1) / 300007;
        scene.vortons[i] = (pd_vorton){{-third, third}, -third, third};
    }
    char *text;
    size_t length;
    if (pd_scene_write_text(&scene, &text, &length, &error) != PD_OK) fail_msg("%s", error.message);
    read_good(text, &again);
    assert_int_equal(again.vorton_count, PD_MAX_VORTONS);
    assert_memory_equal(again.vortons, scene.vortons, PD_MAX_VORTONS * sizeof *scene.vortons);
    free(text);
    pd_scene_free(&again);
    pd_scene_free(&scene);
}

static const char everything[] =
    "puddle: 1\n"
    "name: \"Say \\\"hi\\\", C:\\\\drops # not a comment: \\xe4\"\n"
    "method: grid\n"
    "gravity: [1e-3, -9.80665]\n"
    "dt: 0.0123456789\n"
    "substeps: 7\n"
    "seed: 18446744073709551615\n"
    "particles: 12345\n"
    "container:\n"
    "  shape: box\n"
    "  width: 3.3333333\n"
    "  height: 1.1\n"
    "  slip: False\n"
    "  walls:\n"
    "    left: {inflow: -0.1, velocity: 0.3}\n"
    "    bottom: {outflow: true}\n"
    "materials:\n"
    "  \"oil: heavy\": {color: \"#00FF7f\", mass: 0.123456789}\n"
    "  'null': {color: '#000000', viscosity: 0.123456789, elasticity: 1e6, plasticity: 0, yield: 0.07, stickiness: 3}\n"
    "  wax: {color: '#ffff00', yield: 10}\n"
    "regions:\n"
    "  - {shape: ellipse, center: [.1, 1e-7], size: [0.7, 0.2], material: 'null', velocity: [-0.0, 3.1], fill: grid,\n"
    "     spacing: 0.011, amount: 0.75}\n"
    "  - {shape: box, center: [0, 0], size: [0.7, 0.2], count: 17}\n"
    "vortons: [{position: [0.1, 0.7], circulation: -3.3, core: 0.07}]\n"
    "obstacles:\n"
    "  - {shape: polyline, center: [0.1, 0.2], points: [[0, 0.1], [3, 1e-5]], thickness: 0.1, spin: 12.5, turn: 0.3,\n"
    "     color: \"#0A141e\"}\n"
    "  - {shape: box, center: [1, 1], size: [0.1, 0.3], angle: -33.3, velocity: [0.1, 0.2], turn: 2, phase: 0.7}\n"
    "  - {shape: polygon, points: [[0.1, 0.2], [1e-5, 0.123456789], [0.7, -3.3]], center: [1, 0.7], angle: 12.3, spin: "
    "3}\n"
    "emitters:\n"
    "  - {position: [1, 2], direction: [3, 4], speed: 0.7, width: 0.3, rate: 123.4, material: \"oil: heavy\", from: "
    "0.1,\n"
    "     until: 7.7}\n"
    "drains: [{shape: box, center: [0.3, 0.1], size: [0.7, 0.9]}]\n"
    "attractions:\n"
    "  - {between: [wax, \"oil: heavy\"], factor: -0.123456789}\n"
    "  - {factor: 10, between: ['null', 'null']}\n"
    "changes:\n"
    "  - {shape: circle, center: [0.1, -0.2], radius: 0.3, from: wax, to: 'null', rate: 1.23456789}\n"
    "  - {shape: box, center: [0, 1], size: [0.1, 0.2], from: 'null', to: \"oil: heavy\"}\n"
    "parameters:\n"
    "  grid: {solver: multigrid, viscosity: 0.0123}\n"
    "  pbf: {cohesion: true}\n"
    "  ddr: {stiffness: 1.1}\n";

static void expect_materials_of_everything(const pd_scene *scene) {
    const pd_material *oil = &scene->materials[0], *null = &scene->materials[1], *wax = &scene->materials[2];
    for (int i = 0; i < PD_PROPERTIES; i++) {
        assert_true(isnan(oil->property[i]));
        assert_true(i == PD_YIELD || isnan(wax->property[i]));
    }
    assert_same_float(wax->property[PD_YIELD], 10);
    assert_same_float(null->property[PD_VISCOSITY], 0.123456789f);
    assert_same_float(null->property[PD_ELASTICITY], 1e6f);
    assert_same_float(null->property[PD_PLASTICITY], 0);
    assert_same_float(null->property[PD_YIELD], 0.07f);
    assert_same_float(null->property[PD_STICKINESS], 3);
    assert_int_equal(scene->attraction_count, 2);
    assert_int_equal(scene->attractions[0].between[0], 2);
    assert_int_equal(scene->attractions[0].between[1], 0);
    assert_same_float(scene->attractions[0].factor, -0.123456789f);
    assert_int_equal(scene->attractions[1].between[0], 1);
    assert_int_equal(scene->attractions[1].between[1], 1);
    assert_int_equal(scene->change_count, 2);
    assert_int_equal(scene->changes[0].area.shape, PD_SHAPE_CIRCLE);
    assert_int_equal(scene->changes[0].from, 2);
    assert_int_equal(scene->changes[0].to, 1);
    assert_same_float(scene->changes[0].rate, 1.23456789f);
    assert_same_vector(scene->changes[1].area.size, (pd_vec2){0.1f, 0.2f});
    assert_true(isinf(scene->changes[1].rate));
}

static void test_round_trips(void **state) {
    (void)state;
    pd_scene scene;
    pd_error error = {0};
    char **bundled;
    int count;
    assert_int_equal(pd_bundled_list_names(&bundled, &count, &error), PD_OK);
    assert_true(count >= 30);
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.yaml", PUDDLE_SCENES, bundled[i]);
        if (pd_scene_read(path, &scene, &error) != PD_OK) fail_msg("%s", error.message);
        assert_true(scene.region_count > 0 ? scene.particles > 0 : scene.emitter_count + scene.vorton_count > 0);
        assert_round_trip(&scene);
        pd_scene_free(&scene);
    }
    pd_bundled_free_names(bundled, count);
    read_good(contract, &scene);
    assert_round_trip(&scene);
    pd_scene_free(&scene);
    read_good("puddle: 1\ncontainer: {shape: none}\n", &scene);
    assert_round_trip(&scene);
    pd_scene_free(&scene);

    read_good(everything, &scene);
    assert_string_equal(scene.name, "Say \"hi\", C:\\drops # not a comment: \xc3\xa4");
    assert_true(scene.seed == UINT64_MAX);
    assert_string_equal(scene.settings[0].key, "ddr.stiffness");
    assert_int_equal(scene.regions[0].material, 1);
    expect_materials_of_everything(&scene);
    assert_round_trip(&scene);
    pd_scene copy;
    assert_int_equal(pd_scene_copy(&copy, &scene, NULL), PD_OK);
    assert_same_scene(&scene, &copy);
    assert_ptr_not_equal(copy.obstacles[0].area.points, scene.obstacles[0].area.points);
    assert_ptr_not_equal(copy.attractions, scene.attractions);
    assert_ptr_not_equal(copy.changes, scene.changes);
    pd_scene_free(&copy);
    pd_scene_free(&scene);
}

static void test_files(void **state) {
    (void)state;
    char folder[TEMPORARY_SIZE], path[256];
    pd_scene scene, again;
    pd_error error = {0};
    assert_non_null(mkdtemp(temporary_template(folder)));
    snprintf(path, sizeof path, "%s/saved.yaml", folder);
    read_good(everything, &scene);
    assert_int_equal(pd_scene_write(&scene, path, &error), PD_OK);
    assert_int_equal(pd_scene_read(path, &again, &error), PD_OK);
    assert_same_scene(&scene, &again);
    pd_scene_free(&again);
    unlink(path);

    assert_int_equal(pd_scene_read(path, &again, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_FILE_UNREADABLE);
    assert_null(again.regions);
    assert_int_equal(pd_scene_read(folder, &again, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_FILE_UNREADABLE);
    snprintf(path, sizeof path, "%s/no/folder.yaml", folder);
    assert_int_equal(pd_scene_write(&scene, path, &error), PD_FAILED);
    assert_int_equal(error.code, PD_ERROR_FILE_UNWRITABLE);
    pd_scene_free(&scene);
    rmdir(folder);
}

static void test_settings(void **state) {
    (void)state;
    pd_scene scene;
    pd_error error = {0};
    pd_scene_init(&scene);
    assert_int_equal(pd_scene_set_parameter(&scene, "grid.resolution", 64, &error), PD_OK);
    assert_int_equal(pd_scene_set_parameter(&scene, "ddr.stiffness", 2, &error), PD_OK);
    assert_int_equal(pd_scene_set_parameter(&scene, "ddr.stiffness", 3, &error), PD_OK);
    assert_int_equal(pd_scene_set_parameter(&scene, "ddr.stifness", 3, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_PARAMETER_UNKNOWN);
    assert_int_equal(pd_scene_set_parameter(&scene, "ddr.stiffness", NAN, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_PARAMETER_VALUE);
    assert_int_equal(scene.setting_count, 2);
    assert_string_equal(scene.settings[0].key, "ddr.stiffness");
    assert_same_float(scene.settings[0].value, 3);
    assert_string_equal(scene.settings[1].key, "grid.resolution");
    pd_scene_free(&scene);
}

static void test_long_names(void **state) {
    (void)state;
    char name[2000];
    pd_scene scene;
    pd_error error = {0};
    memset(name, 'p', sizeof name - 1);
    memcpy(name + sizeof name - 12, "/a/bad.yaml", 12);
    assert_int_equal(pd_scene_read_text("puddle: 2", 9, name, &scene, &error), PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "/a/bad.yaml:1:9: this is format version 2; this puddle reads version 1"));
    assert_int_equal(pd_scene_read_text("puddle: 2", 9, "x", &scene, NULL), PD_BAD_INPUT);
}

/* Scenes have decimal points in a locale with decimal commas too. */
static void test_locale(void **state) {
    (void)state;
    enter_commas();
    pd_scene scene;
    read_good(everything, &scene);
    assert_same_float(scene.gravity.y, -9.80665f);
    assert_round_trip(&scene);
    pd_scene_free(&scene);
}

static void test_numbers_are_short(void **state) {
    (void)state;
    pd_scene scene;
    char *text;
    size_t length;
    read_good("puddle: 1\ngravity: [0.1, -1.6]\nparameters: {ddr: {stiffness: 0.1}}\n", &scene);
    assert_int_equal(pd_scene_write_text(&scene, &text, &length, NULL), PD_OK);
    assert_non_null(strstr(text, "gravity: [0.1, -1.6]\n"));
    assert_non_null(strstr(text, "stiffness: 0.1\n"));
    assert_null(strstr(text, "viscosity")); /* properties that are not set are not written */
    assert_non_null(strstr(text, "\ndt: 0.016666668\n"));
    free(text);
    assert_int_equal(pd_scene_write(&scene, "test_scene.yaml", NULL), PD_OK);
    assert_int_equal(system("grep -q '^dt: 0.016666668 # 1/60 s$' test_scene.yaml && rm test_scene.yaml"), 0);
    scene.dt = 0.01234567f;
    assert_int_equal(pd_scene_write_text(&scene, &text, &length, NULL), PD_OK);
    assert_non_null(strstr(text, "\ndt: 0.01234567\n"));
    free(text);
    pd_scene_free(&scene);
}

TEST_GROUP(scene) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_contract_example),
        cmocka_unit_test(test_keys_without_effect_are_left_out),
        cmocka_unit_test(test_most_vortons),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test_teardown(test_locale, leave_commas),
        cmocka_unit_test(test_numbers_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
