#include "cmocka_all.h"
#include "core/error.h"

#include <locale.h>
#include <math.h>
#include <puddle/parameter.h>
#include <puddle/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const bundled[] = {"blobs",    "drop",      "two-drops",    "dam-break", "pool",
                                      "fountain", "obstacles", "zero-gravity", "rain",      "article"};
enum { BUNDLED = sizeof bundled / sizeof *bundled };

/* ---- Comparing scenes ---- */

static void assert_same_float(float a, float b) {
    if (isnan(a) && isnan(b)) return;
    assert_memory_equal(&a, &b, sizeof a);
}

static void assert_same_vector(pd_vec2 a, pd_vec2 b) {
    assert_same_float(a.x, b.x);
    assert_same_float(a.y, b.y);
}

static void assert_same_container(const pd_container *a, const pd_container *b) {
    assert_int_equal(a->shape, b->shape);
    assert_same_float(a->radius, b->radius);
    assert_same_float(a->width, b->width);
    assert_same_float(a->height, b->height);
    assert_int_equal(a->slip, b->slip);
    for (int i = 0; i < PD_WALLS; i++) {
        assert_same_float(a->walls[i].inflow, b->walls[i].inflow);
        assert_same_float(a->walls[i].velocity, b->walls[i].velocity);
        assert_int_equal(a->walls[i].outflow, b->walls[i].outflow);
    }
}

static void assert_same_regions(const pd_scene *a, const pd_scene *b) {
    assert_int_equal(a->region_count, b->region_count);
    for (int i = 0; i < a->region_count; i++) {
        const pd_region *p = &a->regions[i], *q = &b->regions[i];
        assert_int_equal(p->shape, q->shape);
        assert_same_vector(p->center, q->center);
        assert_same_float(p->radius, q->radius);
        assert_same_vector(p->size, q->size);
        assert_int_equal(p->material, q->material);
        assert_same_vector(p->velocity, q->velocity);
        assert_int_equal(p->fill, q->fill);
        assert_int_equal(p->count, q->count);
        assert_same_float(p->spacing, q->spacing);
        assert_same_float(p->density, q->density);
        assert_same_float(p->amount, q->amount);
    }
}

static void assert_same_obstacles(const pd_scene *a, const pd_scene *b) {
    assert_int_equal(a->obstacle_count, b->obstacle_count);
    for (int i = 0; i < a->obstacle_count; i++) {
        const pd_obstacle *p = &a->obstacles[i], *q = &b->obstacles[i];
        assert_int_equal(p->shape, q->shape);
        assert_same_vector(p->center, q->center);
        assert_same_float(p->radius, q->radius);
        assert_same_vector(p->size, q->size);
        assert_same_float(p->angle, q->angle);
        assert_same_float(p->thickness, q->thickness);
        assert_int_equal(p->point_count, q->point_count);
        for (int k = 0; k < p->point_count; k++) assert_same_vector(p->points[k], q->points[k]);
        assert_same_vector(p->velocity, q->velocity);
        assert_same_float(p->spin, q->spin);
        assert_same_float(p->turn, q->turn);
    }
}

static void assert_same_sources(const pd_scene *a, const pd_scene *b) {
    assert_int_equal(a->vorton_count, b->vorton_count);
    for (int i = 0; i < a->vorton_count; i++) {
        assert_same_vector(a->vortons[i].position, b->vortons[i].position);
        assert_same_float(a->vortons[i].circulation, b->vortons[i].circulation);
        assert_same_float(a->vortons[i].core, b->vortons[i].core);
    }
    assert_int_equal(a->emitter_count, b->emitter_count);
    for (int i = 0; i < a->emitter_count; i++) {
        const pd_emitter *p = &a->emitters[i], *q = &b->emitters[i];
        assert_same_vector(p->position, q->position);
        assert_same_vector(p->direction, q->direction);
        assert_same_float(p->speed, q->speed);
        assert_same_float(p->width, q->width);
        assert_same_float(p->rate, q->rate);
        assert_int_equal(p->material, q->material);
        assert_same_float(p->from, q->from);
        assert_same_float(p->until, q->until);
    }
    assert_int_equal(a->drain_count, b->drain_count);
    for (int i = 0; i < a->drain_count; i++) {
        assert_int_equal(a->drains[i].shape, b->drains[i].shape);
        assert_same_vector(a->drains[i].center, b->drains[i].center);
        assert_same_float(a->drains[i].radius, b->drains[i].radius);
        assert_same_vector(a->drains[i].size, b->drains[i].size);
    }
}

static void assert_same_scene(const pd_scene *a, const pd_scene *b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->method, b->method);
    assert_same_vector(a->gravity, b->gravity);
    assert_same_float(a->dt, b->dt);
    assert_int_equal(a->substeps, b->substeps);
    assert_true(a->seed == b->seed);
    assert_int_equal(a->particles, b->particles);
    assert_same_container(&a->container, &b->container);
    assert_int_equal(a->material_count, b->material_count);
    for (int i = 0; i < a->material_count; i++) {
        assert_string_equal(a->materials[i].name, b->materials[i].name);
        assert_int_equal(a->materials[i].red, b->materials[i].red);
        assert_int_equal(a->materials[i].green, b->materials[i].green);
        assert_int_equal(a->materials[i].blue, b->materials[i].blue);
        assert_same_float(a->materials[i].mass, b->materials[i].mass);
    }
    assert_same_regions(a, b);
    assert_same_obstacles(a, b);
    assert_same_sources(a, b);
    assert_int_equal(a->setting_count, b->setting_count);
    for (int i = 0; i < a->setting_count; i++) {
        assert_string_equal(a->settings[i].key, b->settings[i].key);
        assert_same_float(a->settings[i].value, b->settings[i].value);
    }
}

static void read_good(const char *text, pd_scene *scene) {
    pd_error error = {0};
    if (pd_scene_read_text(text, strlen(text), "test.yaml", scene, &error) != PD_OK) fail_msg("%s", error.message);
}

static void assert_round_trip(const pd_scene *scene) {
    char *text;
    size_t length;
    pd_scene again;
    assert_int_equal(pd_scene_write_text(scene, &text, &length, NULL), PD_OK);
    assert_int_equal(strlen(text), length);
    read_good(text, &again);
    assert_same_scene(scene, &again);
    pd_scene_free(&again);
    free(text);
}

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
    "method: ddr\n"
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
    assert_int_equal(scene.regions[2].shape, PD_SHAPE_ELLIPSE);
    assert_int_equal(scene.regions[2].fill, PD_FILL_RANDOM);
    assert_int_equal(scene.regions[2].count, 1500);
    assert_same_vector(scene.regions[1].size, (pd_vec2){1, 0.3f});
    assert_same_float(scene.vortons[0].core, 0.05f);
    assert_same_float(scene.obstacles[1].angle, 30);
    assert_int_equal(scene.obstacles[2].shape, PD_SHAPE_POLYLINE);
    assert_int_equal(scene.obstacles[2].point_count, 3);
    assert_same_vector(scene.obstacles[2].points[1], (pd_vec2){0, -0.5f});
    assert_same_float(scene.emitters[0].until, 5);
    assert_same_float(scene.drains[0].radius, 0.1f);
    assert_int_equal(scene.setting_count, 6);
    pd_scene_free(&scene);
}

static const char everything[] =
    "puddle: 1\n"
    "name: \"Say \\\"hi\\\", C:\\\\drops # not a comment: \\xe4\"\n"
    "method: vortex\n"
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
    "  'null': {color: '#000000'}\n"
    "regions:\n"
    "  - {shape: ellipse, center: [.1, 1e-7], size: [0.7, 0.2], material: 'null', velocity: [-0.0, 3.1], fill: grid,\n"
    "     spacing: 0.011, density: -0.25, amount: 0.75}\n"
    "  - {shape: box, center: [0, 0], size: [0.7, 0.2], count: 17}\n"
    "vortons: [{position: [0.1, 0.7], circulation: -3.3, core: 0.07}]\n"
    "obstacles:\n"
    "  - {shape: polyline, center: [0.1, 0.2], points: [[0, 0.1], [3, 1e-5]], thickness: 0.1, spin: 12.5, turn: 0.3}\n"
    "  - {shape: box, center: [1, 1], size: [0.1, 0.3], angle: -33.3, velocity: [0.1, 0.2]}\n"
    "emitters:\n"
    "  - {position: [1, 2], direction: [3, 4], speed: 0.7, width: 0.3, rate: 123.4, material: \"oil: heavy\", from: "
    "0.1,\n"
    "     until: 7.7}\n"
    "drains: [{shape: box, center: [0.3, 0.1], size: [0.7, 0.9]}]\n"
    "parameters:\n"
    "  grid: {solver: multigrid, viscosity: 0.0123}\n"
    "  pbf: {cohesion: true}\n"
    "  ddr: {stiffness: 1.1}\n";

static void test_round_trips(void **state) {
    (void)state;
    pd_scene scene;
    pd_error error = {0};
    for (int i = 0; i < BUNDLED; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.yaml", PUDDLE_SCENES, bundled[i]);
        if (pd_scene_read(path, &scene, &error) != PD_OK) fail_msg("%s", error.message);
        assert_true(scene.region_count > 0 && scene.particles > 0);
        assert_round_trip(&scene);
        pd_scene_free(&scene);
    }
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
    assert_round_trip(&scene);
    pd_scene copy;
    assert_int_equal(pd_scene_copy(&copy, &scene, NULL), PD_OK);
    assert_same_scene(&scene, &copy);
    assert_ptr_not_equal(copy.obstacles[0].points, scene.obstacles[0].points);
    pd_scene_free(&copy);
    pd_scene_free(&scene);
}

static void test_files(void **state) {
    (void)state;
    char folder[] = "/tmp/puddle-scene-XXXXXX", path[128];
    pd_scene scene, again;
    pd_error error = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/saved.yaml", folder);
    read_good(everything, &scene);
    assert_int_equal(pd_scene_write(&scene, path, &error), PD_OK);
    assert_int_equal(pd_scene_read(path, &again, &error), PD_OK);
    assert_same_scene(&scene, &again);
    pd_scene_free(&again);
    unlink(path);

    assert_int_equal(pd_scene_read(path, &again, &error), PD_BAD_INPUT);
    assert_int_equal(error.item, PD_ITEM_FILE_UNREADABLE);
    assert_null(again.regions);
    assert_int_equal(pd_scene_read(folder, &again, &error), PD_BAD_INPUT);
    assert_int_equal(error.item, PD_ITEM_FILE_UNREADABLE);
    snprintf(path, sizeof path, "%s/no/folder.yaml", folder);
    assert_int_equal(pd_scene_write(&scene, path, &error), PD_FAILED);
    assert_int_equal(error.item, PD_ITEM_FILE_UNWRITABLE);
    pd_scene_free(&scene);
    rmdir(folder);
}

static void test_settings(void **state) {
    (void)state;
    pd_scene scene;
    pd_error error = {0};
    pd_scene_init(&scene);
    assert_int_equal(pd_scene_set(&scene, "grid.resolution", 64, &error), PD_OK);
    assert_int_equal(pd_scene_set(&scene, "ddr.stiffness", 2, &error), PD_OK);
    assert_int_equal(pd_scene_set(&scene, "ddr.stiffness", 3, &error), PD_OK);
    assert_int_equal(pd_scene_set(&scene, "ddr.stifness", 3, &error), PD_BAD_INPUT);
    assert_int_equal(error.item, PD_ITEM_PARAMETER_UNKNOWN);
    assert_int_equal(pd_scene_set(&scene, "ddr.stiffness", NAN, &error), PD_BAD_INPUT);
    assert_int_equal(error.item, PD_ITEM_PARAMETER_VALUE);
    assert_int_equal(scene.setting_count, 2);
    assert_string_equal(scene.settings[0].key, "ddr.stiffness");
    assert_same_float(scene.settings[0].value, 3);
    assert_string_equal(scene.settings[1].key, "grid.resolution");
    pd_scene_free(&scene);
}

/* ---- Bad scenes ---- */

typedef struct bad_scene {
    const char *text;
    pd_item item;
    int line, column;
    const char *says;
} bad_scene;

static const bad_scene bad_scenes[] = {
    /* not YAML, or not ours */
    {"", PD_ITEM_SCENE_SYNTAX, 1, 1, "empty"},
    {"\n# nothing\n", PD_ITEM_SCENE_SYNTAX, 1, 1, "empty"},
    {"\x89PNG\r\n", PD_ITEM_SCENE_SYNTAX, 1, 1, "UTF-8"},
    {"puddle: 1\nname: \xc3\xa4\xc3\n", PD_ITEM_SCENE_SYNTAX, 2, 8, "UTF-8"},
    {"puddle: 1\nname: \xc0\xaf\n", PD_ITEM_SCENE_SYNTAX, 2, 7, "UTF-8"},
    {"puddle: 1\nname: \xed\xa0\x80\n", PD_ITEM_SCENE_SYNTAX, 2, 7, "UTF-8"},
    {"puddle: 1\nname: a\x01\n", PD_ITEM_SCENE_SYNTAX, 2, 8, "U+0001"},
    {"puddle: 1\nregions: [\n", PD_ITEM_SCENE_SYNTAX, 3, 1, "not YAML"},
    {"puddle: 1\nname: 'x\n", PD_ITEM_SCENE_SYNTAX, 3, 1, "quoted scalar"},
    {"puddle: 1\n\tname: x\n", PD_ITEM_SCENE_SYNTAX, 2, 1, "not YAML"},
    {"puddle: 1\n---\npuddle: 1\n", PD_ITEM_SCENE_SYNTAX, 2, 1, "second document"},
    {"puddle: 1\n...\nname: x\n", PD_ITEM_SCENE_SYNTAX, 3, 1, "second document"},
    {"puddle: &a 1\n", PD_ITEM_SCENE_SYNTAX, 1, 9, "anchors"},
    {"puddle: 1\nname: *a\n", PD_ITEM_SCENE_SYNTAX, 2, 7, "aliases"},
    {"puddle: 1\nname: !!binary aGk=\n", PD_ITEM_SCENE_SYNTAX, 2, 7, "tags"},
    {"%TAG ! a\n---\npuddle: 1\n", PD_ITEM_SCENE_SYNTAX, 1, 1, "tags"},
    {"puddle: 1\nname: \"a\\0b\"\n", PD_ITEM_SCENE_SYNTAX, 2, 7, "zero"},
    {"- puddle: 1\n", PD_ITEM_SCENE_TYPE, 1, 1, "a list"},
    {"just words\n", PD_ITEM_SCENE_TYPE, 1, 1, "'just words'"},
    /* versions */
    {"name: x\n", PD_ITEM_SCENE_KEY, 1, 1, "'puddle: 1'"},
    {"puddle: 2\nteapots: []\n", PD_ITEM_SCENE_VERSION, 1, 9, "this is format version 2; this puddle reads version 1"},
    {"puddle: 99999999999999999999\n", PD_ITEM_SCENE_VERSION, 1, 9, "99999999999999999999"},
    {"puddle: 0\n", PD_ITEM_SCENE_VERSION, 1, 9, "version 0"},
    {"puddle: one\n", PD_ITEM_SCENE_TYPE, 1, 9, "whole number"},
    {"puddle: \"1\"\n", PD_ITEM_SCENE_TYPE, 1, 9, "\"1\""},
    /* keys, on every level */
    {"puddle: 1\ngravty: [0, 1]\n", PD_ITEM_SCENE_KEY, 2, 1, "did you mean 'gravity'"},
    {"puddle: 1\nxyzzy: 1\n", PD_ITEM_SCENE_KEY, 2, 1, "known: puddle, name"},
    {"puddle: 1\nname: a\nname: b\n", PD_ITEM_SCENE_KEY, 3, 1, "'name' comes twice"},
    {"puddle: 1\npuddle: 1\n", PD_ITEM_SCENE_KEY, 2, 1, "'puddle' comes twice"},
    {"puddle: 1\n[a]: 1\n", PD_ITEM_SCENE_KEY, 2, 1, "a list"},
    {"puddle: 1\ncontainer: {shape: circle, radios: 1}\n", PD_ITEM_SCENE_KEY, 2, 28, "'radius'"},
    {"puddle: 1\ncontainer: {shape: box, radius: 1}\n", PD_ITEM_SCENE_KEY, 2, 25, "does not go with shape 'box'"},
    {"puddle: 1\ncontainer: {radius: 1}\n", PD_ITEM_SCENE_KEY, 2, 12, "no 'shape'"},
    {"puddle: 1\ncontainer: {shape: box, width: 1}\n", PD_ITEM_SCENE_KEY, 2, 12, "no 'height'"},
    {"puddle: 1\ncontainer: {shape: box, width: 1, height: 1, walls: {lft: {}}}\n", PD_ITEM_SCENE_KEY, 2, 54, "'left'"},
    {"puddle: 1\ncontainer: {shape: box, width: 1, height: 1, walls: {top: {inflw: 1}}}\n", PD_ITEM_SCENE_KEY, 2, 60,
     "'inflow'"},
    {"puddle: 1\nmaterials: {water: {colour: \"#000000\"}}\n", PD_ITEM_SCENE_KEY, 2, 21, "'color'"},
    {"puddle: 1\nmaterials: {water: {mass: 1}}\n", PD_ITEM_SCENE_KEY, 2, 20, "no 'color'"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\"}, a: {color: \"#000000\"}}\n", PD_ITEM_SCENE_KEY, 2, 36, "twice"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", yield: 1}}\n", PD_ITEM_SCENE_KEY, 2, 42, "this version"},
    {"puddle: 1\nregions:\n  - {shap: circle}\n", PD_ITEM_SCENE_KEY, 3, 6, "'shape'"},
    {"puddle: 1\nregions:\n  - {shape: circle, radius: 1}\n", PD_ITEM_SCENE_KEY, 3, 5, "no 'center'"},
    {"puddle: 1\nvortons: [{position: [0, 0], circulation: 1}]\n", PD_ITEM_SCENE_KEY, 2, 11, "no 'core'"},
    {"puddle: 1\nobstacles: [{shape: circle, center: [0, 0], radius: 1, angle: 3}]\n", PD_ITEM_SCENE_KEY, 2, 56,
     "'angle'"},
    {"puddle: 1\nemitters: [{sped: 1}]\n", PD_ITEM_SCENE_KEY, 2, 13, "'speed'"},
    {"puddle: 1\ndrains: [{shape: circle, center: [0, 0]}]\n", PD_ITEM_SCENE_KEY, 2, 10, "no 'radius'"},
    {"puddle: 1\nparameters: {ddr: {stiffness: 1, stiffness: 2}}\n", PD_ITEM_SCENE_KEY, 2, 34, "twice"},
    {"puddle: 1\nparameters: {ddr: {stiffness: 1}, ddr: {}}\n", PD_ITEM_SCENE_KEY, 2, 35, "twice"},
    /* types */
    {"puddle: 1\nname: [a]\n", PD_ITEM_SCENE_TYPE, 2, 7, "a text"},
    {"puddle: 1\ndt: fast\n", PD_ITEM_SCENE_TYPE, 2, 5, "'fast'"},
    {"puddle: 1\ndt:\n", PD_ITEM_SCENE_TYPE, 2, 4, "empty"},
    {"puddle: 1\ndt: \"0.01\"\n", PD_ITEM_SCENE_TYPE, 2, 5, "without quotes"},
    {"puddle: 1\ndt: 0x10\n", PD_ITEM_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: 0x1p-4\n", PD_ITEM_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: 1_000\n", PD_ITEM_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: 0,01\n", PD_ITEM_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: .\n", PD_ITEM_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ndt: 1e\n", PD_ITEM_SCENE_TYPE, 2, 5, "decimal number"},
    {"puddle: 1\ngravity: -1.6\n", PD_ITEM_SCENE_TYPE, 2, 10, "two numbers"},
    {"puddle: 1\ngravity: [0, 1, 2]\n", PD_ITEM_SCENE_TYPE, 2, 10, "two numbers"},
    {"puddle: 1\ngravity: [0, down]\n", PD_ITEM_SCENE_TYPE, 2, 14, "'down'"},
    {"puddle: 1\nsubsteps: some\n", PD_ITEM_SCENE_TYPE, 2, 11, "'some'"},
    {"puddle: 1\nsubsteps: [1]\n", PD_ITEM_SCENE_TYPE, 2, 11, "auto"},
    {"puddle: 1\nseed: 1.5\n", PD_ITEM_SCENE_TYPE, 2, 7, "whole number"},
    {"puddle: 1\nparticles: 1e3\n", PD_ITEM_SCENE_TYPE, 2, 12, "whole number"},
    {"puddle: 1\ncontainer: round\n", PD_ITEM_SCENE_TYPE, 2, 12, "mapping"},
    {"puddle: 1\ncontainer: {shape: [circle]}\n", PD_ITEM_SCENE_TYPE, 2, 20, "a word"},
    {"puddle: 1\ncontainer: {shape: circle, radius: 1, slip: yes}\n", PD_ITEM_SCENE_TYPE, 2, 45, "true or false"},
    {"puddle: 1\nmaterials: [water]\n", PD_ITEM_SCENE_TYPE, 2, 12, "mapping"},
    {"puddle: 1\nmaterials:\n  water:\n    color: #3a8fff\n", PD_ITEM_SCENE_TYPE, 4, 11, "in quotes"},
    {"puddle: 1\nregions: {shape: circle}\n", PD_ITEM_SCENE_TYPE, 2, 10, "a list"},
    {"puddle: 1\nregions:\n", PD_ITEM_SCENE_TYPE, 2, 9, "[] for none"},
    {"puddle: 1\nregions: [7]\n", PD_ITEM_SCENE_TYPE, 2, 11, "mapping"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, material: [a]}]\n", PD_ITEM_SCENE_TYPE, 2, 64,
     "a material's name"},
    {"puddle: 1\nparameters: {ddr: 7}\n", PD_ITEM_SCENE_TYPE, 2, 19, "mapping"},
    /* values */
    {"puddle: 1\nname: \"a\\nb\"\n", PD_ITEM_SCENE_VALUE, 2, 7, "one line"},
    /* would not come back: raw, they end a line or mark an order of bytes */
    {"puddle: 1\nname: \"a\\u2028b\"\n", PD_ITEM_SCENE_VALUE, 2, 7, "one line"},
    {"puddle: 1\nname: \"a\\uFEFFb\"\n", PD_ITEM_SCENE_VALUE, 2, 7, "one line"},
    {"puddle: 1\nname: 0123456789012345678901234567890123456789012345678901234567890123\n", PD_ITEM_SCENE_VALUE, 2, 7,
     "longer"},
    {"puddle: 1\ndt: .nan\n", PD_ITEM_SCENE_VALUE, 2, 5, "finite"},
    {"puddle: 1\ndt: NaN\n", PD_ITEM_SCENE_VALUE, 2, 5, "finite"},
    {"puddle: 1\ngravity: [0, -.inf]\n", PD_ITEM_SCENE_VALUE, 2, 14, "finite"},
    {"puddle: 1\ngravity: [0, 1e999]\n", PD_ITEM_SCENE_VALUE, 2, 14, "1e999"},
    {"puddle: 1\ngravity: [0, 1e39]\n", PD_ITEM_SCENE_VALUE, 2, 14, "1e39"},
    {"puddle: 1\ndt: 0\n", PD_ITEM_SCENE_VALUE, 2, 5, "1e-06 to 1"},
    {"puddle: 1\ndt: 1e-320\n", PD_ITEM_SCENE_VALUE, 2, 5, "1e-06 to 1"},
    {"puddle: 1\ndt: -0.01\n", PD_ITEM_SCENE_VALUE, 2, 5, "1e-06 to 1"},
    {"puddle: 1\nsubsteps: 0\n", PD_ITEM_SCENE_VALUE, 2, 11, "1 to 1000"},
    {"puddle: 1\nseed: -1\n", PD_ITEM_SCENE_VALUE, 2, 7, "-1"},
    {"puddle: 1\nseed: 18446744073709551616\n", PD_ITEM_SCENE_VALUE, 2, 7, "18446744073709551615"},
    {"puddle: 1\nparticles: 0\n", PD_ITEM_SCENE_VALUE, 2, 12, "1 to 10000000"},
    {"puddle: 1\nparticles: -5\n", PD_ITEM_SCENE_VALUE, 2, 12, "1 to 10000000"},
    {"puddle: 1\ncontainer: {shape: circel, radius: 1}\n", PD_ITEM_SCENE_VALUE, 2, 20, "did you mean 'circle'"},
    {"puddle: 1\ncontainer: {shape: circle, radius: -1}\n", PD_ITEM_SCENE_VALUE, 2, 36, "'radius' is '-1'"},
    {"puddle: 1\ncontainer: {shape: box, width: 1, height: 1, walls: {top: {inflow: 1, outflow: true}}}\n",
     PD_ITEM_SCENE_VALUE, 2, 80, "both inflow and outflow"},
    {"puddle: 1\nmaterials: {}\n", PD_ITEM_SCENE_VALUE, 2, 12, "empty"},
    {"puddle: 1\nmaterials: {\"\": {color: \"#000000\"}}\n", PD_ITEM_SCENE_VALUE, 2, 13, "name"},
    {"puddle: 1\nmaterials: {a: {color: blue}}\n", PD_ITEM_SCENE_VALUE, 2, 24, "six hexadecimal digits"},
    {"puddle: 1\nmaterials: {a: {color: \"#12345g\"}}\n", PD_ITEM_SCENE_VALUE, 2, 24, "six hexadecimal digits"},
    {"puddle: 1\nmaterials: {a: {color: \"#000000\", mass: 0}}\n", PD_ITEM_SCENE_VALUE, 2, 41, "'mass'"},
    {"puddle: 1\nregions: [{shape: polyline, center: [0, 0]}]\n", PD_ITEM_SCENE_VALUE, 2, 19, "known: circle, box"},
    {"puddle: 1\nregions: [{shape: box, center: [0, 0], size: [1, 0]}]\n", PD_ITEM_SCENE_VALUE, 2, 50, "'size'"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, fill: hexx}]\n", PD_ITEM_SCENE_VALUE, 2, 60,
     "'hex'"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, count: 3, spacing: 1}]\n", PD_ITEM_SCENE_VALUE, 2,
     73, "count and spacing"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, amount: 1.5}]\n", PD_ITEM_SCENE_VALUE, 2, 62,
     "0 to 1"},
    {"puddle: 1\nobstacles: [{shape: polyline, points: [[0, 0]], thickness: 1}]\n", PD_ITEM_SCENE_VALUE, 2, 39,
     "two or more"},
    {"puddle: 1\nemitters: [{position: [0, 0], direction: [0, 0], speed: 1, width: 1, rate: 1}]\n", PD_ITEM_SCENE_VALUE,
     2, 42, "nowhere"},
    {"puddle: 1\nemitters: [{position: [0, 0], direction: [0, 1], speed: 1, width: 1, rate: 1, from: 2, until: 1}]\n",
     PD_ITEM_SCENE_VALUE, 2, 95, "after 'from'"},
    /* references, methods, parameters */
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, material: watr}]\n", PD_ITEM_SCENE_REFERENCE, 2,
     64, "did you mean 'water'"},
    {"puddle: 1\nemitters: [{position: [0, 0], direction: [0, 1], speed: 1, width: 1, rate: 1, material: ink}]\n",
     PD_ITEM_SCENE_REFERENCE, 2, 89, "known: water"},
    {"puddle: 1\nmethod: sphh\n", PD_ITEM_METHOD_UNKNOWN, 2, 9, "did you mean 'sph'"},
    {"puddle: 1\nparameters: {drr: {}}\n", PD_ITEM_METHOD_UNKNOWN, 2, 14, "known: ddr, sph"},
    {"puddle: 1\nparameters: {ddr: {stifness: 1}}\n", PD_ITEM_PARAMETER_UNKNOWN, 2, 20, "ddr.stiffness"},
    {"puddle: 1\nparameters: {ddr: {sph.radius: 1}}\n", PD_ITEM_PARAMETER_UNKNOWN, 2, 20, "unknown"},
    {"puddle: 1\nparameters: {ddr: {stiffness: -1}}\n", PD_ITEM_PARAMETER_VALUE, 2, 31, "stiffness"},
    {"puddle: 1\nparameters: {ddr: {stiffness: .nan}}\n", PD_ITEM_PARAMETER_VALUE, 2, 31, "a number"},
    {"puddle: 1\nparameters: {ddr: {stiffness: 0x10}}\n", PD_ITEM_PARAMETER_VALUE, 2, 31, "a number"},
    {"puddle: 1\nparameters: {ddr: {stiffness: \"3\"}}\n", PD_ITEM_PARAMETER_VALUE, 2, 31, "without quotes"},
    {"puddle: 1\nparameters: {ddr: {stiffness: [3]}}\n", PD_ITEM_PARAMETER_VALUE, 2, 31, "a list"},
    {"puddle: 1\nparameters: {grid: {solver: magic}}\n", PD_ITEM_PARAMETER_VALUE, 2, 29, "gauss_seidel"},
    {"puddle: 1\nparameters: {grid: {resolution: 10.5}}\n", PD_ITEM_PARAMETER_VALUE, 2, 33, "whole"},
    {"puddle: 1\nparameters: {pbf: {cohesion: 1}}\n", PD_ITEM_PARAMETER_VALUE, 2, 30, "true or false"},
    /* absurd sizes */
    {"puddle: 1\nparticles: 10000001\n", PD_ITEM_SCENE_TOO_LARGE, 2, 12, "10000000"},
    {"puddle: 1\nparticles: 99999999999999999999\n", PD_ITEM_SCENE_TOO_LARGE, 2, 12, "10000000"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, count: 2000000000}]\n", PD_ITEM_SCENE_TOO_LARGE,
     2, 61, "10000000"},
    {"puddle: 1\nregions:\n  - {shape: circle, center: [0, 0], radius: 1, count: 6000000}\n"
     "  - {shape: circle, center: [0, 0], radius: 1, count: 6000000}\n",
     PD_ITEM_SCENE_TOO_LARGE, 4, 55, "10 million"},
    {"puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 1, spacing: 1e-5}]\n", PD_ITEM_SCENE_TOO_LARGE, 2,
     63, "10 million"},
    {"puddle: 1\nregions:\n  - {shape: circle, center: [0, 0], radius: 0.1, count: 6000000}\n"
     "  - {shape: circle, center: [0, 0], radius: 1}\n",
     PD_ITEM_SCENE_TOO_LARGE, 3, 3, "10 million"},
};

static void assert_bad(const char *text, size_t length, const bad_scene *bad) {
    char place[64];
    pd_scene scene;
    pd_error error = {0};
    /* A copy of the exact length, so that a sanitizer sees a read past the end. */
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    memset(&scene, 0x55, sizeof scene);
    pd_result result = pd_scene_read_text(copy, length, "bad.yaml", &scene, &error);
    free(copy);
    snprintf(place, sizeof place, "bad.yaml:%d:%d: ", bad->line, bad->column);
    if (result != PD_BAD_INPUT || error.item != bad->item || strncmp(error.message, place, strlen(place)) != 0 ||
        !strstr(error.message, bad->says) || strchr(error.message, '\n'))
        fail_msg("%.200s\nshould give %s at %d:%d with \"%s\", gave %s: %s", text, pd_item_name(bad->item), bad->line,
                 bad->column, bad->says, pd_item_name(error.item), error.message);
    const pd_scene empty = {0};
    assert_memory_equal(&scene, &empty, sizeof scene);
}

static void test_bad_scenes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_scenes / sizeof *bad_scenes; i++)
        assert_bad(bad_scenes[i].text, strlen(bad_scenes[i].text), &bad_scenes[i]);
    assert_bad("puddle: 1\nname: a\0b\n", 20, &(bad_scene){"", PD_ITEM_SCENE_SYNTAX, 2, 8, "U+0000"});
}

/* A text of head and then unit again and again. */
static void assert_bad_repeated(const char *head, const char *unit, int times, const bad_scene *bad) {
    size_t begin = strlen(head), size = strlen(unit);
    char *text = malloc(begin + size * (size_t)times + 1);
    assert_non_null(text);
    memcpy(text, head, begin);
    for (int i = 0; i < times; i++) memcpy(text + begin + size * (size_t)i, unit, size + 1);
    assert_bad(text, begin + size * (size_t)times, bad);
    free(text);
}

static void test_hostile_scenes(void **state) {
    (void)state;
    const char *deep = "nested too deeply";
    assert_bad_repeated("puddle: 1\nregions: ", "[", 20000, &(bad_scene){"", PD_ITEM_SCENE_SYNTAX, 2, 73, deep});
    assert_bad_repeated("", "[\n", 20000, &(bad_scene){"", PD_ITEM_SCENE_SYNTAX, 65, 1, deep});
    assert_bad_repeated("", "- ", 20000, &(bad_scene){"", PD_ITEM_SCENE_SYNTAX, 1, 129, deep});
    assert_bad_repeated("", "{a: ", 20000, &(bad_scene){"", PD_ITEM_SCENE_SYNTAX, 1, 257, deep});
    assert_bad("a: &a [x]\nb: &b [*a, *a]\n", 24, &(bad_scene){"", PD_ITEM_SCENE_SYNTAX, 1, 4, "anchors"});
    /* libyaml compares each of these with all before it: a million would take hours. */
    assert_bad_repeated("", "%TAG !a! b\n", 700000, &(bad_scene){"", PD_ITEM_SCENE_SYNTAX, 1, 1, "tags"});
    assert_bad_repeated("puddle: 1\n", "? \n", 1000000,
                        &(bad_scene){"", PD_ITEM_SCENE_TOO_LARGE, 999996, 1, "too long"});
    assert_bad_repeated("puddle: 1\nname: ", "x", 100000, &(bad_scene){"", PD_ITEM_SCENE_TOO_LARGE, 2, 7, "100000"});
    assert_bad_repeated("puddle: 1\n", "#\n", 8 << 20, &(bad_scene){"", PD_ITEM_SCENE_TOO_LARGE, 1, 1, "8 MiB"});
    assert_bad_repeated("puddle: 1\nvortons: [", "0,", 5000, &(bad_scene){"", PD_ITEM_SCENE_SYNTAX, 3, 1, "not YAML"});
    assert_bad_repeated("puddle: 1\nvortons:", "\n- 0", 5000,
                        &(bad_scene){"", PD_ITEM_SCENE_TOO_LARGE, 3, 1, "at most 4096"});
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

/* In a locale with decimal commas a scene still has points. Skipped where no such locale is installed. */
static void test_locale(void **state) {
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) skip();
    pd_scene scene;
    read_good(everything, &scene);
    assert_same_float(scene.gravity.y, -9.80665f);
    assert_round_trip(&scene);
    pd_scene_free(&scene);
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_contract_example), cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_files),      cmocka_unit_test(test_settings),         cmocka_unit_test(test_bad_scenes),
        cmocka_unit_test(test_long_names), cmocka_unit_test(test_hostile_scenes),   cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
