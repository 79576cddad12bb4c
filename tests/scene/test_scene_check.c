/* Scenes built in C are checked against the limits of scene files. */
#include "core/error.h"
#include "test.h"
#include "with_threads.h"

#include <math.h>
#include <puddle/items.h>
#include <puddle/method.h>
#include <puddle/world.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scene with an item in every list, and the arrays of these lists. */
typedef struct built {
    pd_scene scene;
    pd_region region;
    pd_vorton vorton;
    pd_obstacle obstacle;
    pd_vec2 points[3];
    pd_emitter emitter;
    pd_drain drain;
    pd_attraction attractions[2];
    pd_change change;
    pd_setting settings[2];
} built;

static void build(built *b) {
    *b = (built){
        .region = {.area.shape = PD_SHAPE_CIRCLE, .area.radius = 0.5f, .count = 500, .amount = 1},
        .vorton = {.circulation = 1, .core = 0.1f},
        .obstacle = {.area.shape = PD_SHAPE_POLYLINE, .area.point_count = 3, .area.thickness = 0.1f},
        .points = {{0, 0}, {0.1f, 0}, {0.2f, 0.1f}},
        .emitter = {.direction = {0, 1}, .speed = 1, .width = 0.1f, .rate = 100, .until = INFINITY},
        .drain = {.area.shape = PD_SHAPE_BOX, .area.size = {0.1f, 0.1f}},
        .attractions = {{{0, 1}, 0.2f}, {{1, 1}, 3}},
        .change = {.area.shape = PD_SHAPE_CIRCLE, .area.radius = 0.1f, .from = 0, .to = 1, .rate = INFINITY},
        .settings = {{"ddr.stiffness", 2}, {"pbf.iterations", 4}},
    };
    b->obstacle.area.points = b->points;
    pd_scene_init(&b->scene);
    pd_scene *s = &b->scene;
    strcpy(s->method, "grid"); /* which supports moving walls */
    s->materials[1] = pd_material_default(), s->material_count = 2;
    strcpy(s->materials[1].name, "oil");
    s->regions = &b->region, s->region_count = 1;
    s->vortons = &b->vorton, s->vorton_count = 1;
    s->obstacles = &b->obstacle, s->obstacle_count = 1;
    s->emitters = &b->emitter, s->emitter_count = 1;
    s->drains = &b->drain, s->drain_count = 1;
    s->attractions = b->attractions, s->attraction_count = 2;
    s->changes = &b->change, s->change_count = 1;
    s->settings = b->settings, s->setting_count = 2;
}

static void assert_refused(const built *b, pd_error_code code, const char *says, int line) {
    pd_error error = {0};
    pd_result result = pd_scene_check(&b->scene, &error);
    if (result != PD_BAD_INPUT || error.code != code || !strstr(error.message, says) || strchr(error.message, '\n'))
        fail_msg("line %d should give %s with \"%s\", gave %s: %s", line, pd_error_name(code), says,
                 pd_error_name(error.code), error.message);
    assert_int_equal(pd_scene_check(&b->scene, NULL), result);
}

/* Builds a valid scene, `b` with its pd_scene `s`, changes it, and checks that it is refused. */
#define REFUSED(change, item, says)                                                                                    \
    do {                                                                                                               \
        built b;                                                                                                       \
        build(&b);                                                                                                     \
        pd_scene *s = &b.scene;                                                                                        \
        (void)s;                                                                                                       \
        change;                                                                                                        \
        assert_refused(&b, PD_ERROR_##item, says, __LINE__);                                                           \
    } while (0)

/* A scene that passes can be written and read back. */
static void assert_accepted(const pd_scene *scene) {
    pd_error error = {0};
    char *text;
    size_t length;
    pd_scene again;
    if (pd_scene_check(scene, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(pd_scene_write_text(scene, &text, &length, NULL), PD_OK);
    if (pd_scene_read_text(text, length, "x", &again, &error) != PD_OK) fail_msg("%s\n%s", error.message, text);
    if (pd_scene_check(&again, &error) != PD_OK) fail_msg("%s", error.message);
    pd_scene_free(&again);
    free(text);
}

static void test_accepted(void **state) {
    (void)state;
    built b;
    build(&b);
    assert_accepted(&b.scene);
    pd_scene plain;
    pd_scene_init(&plain);
    assert_accepted(&plain);

    b.scene.container = (pd_container){.shape = PD_CONTAINER_BOX, .width = 1, .height = 1e6f, .radius = NAN};
    for (int i = 0; i < PD_WALLS; i++) b.scene.container.walls[i] = (pd_wall){NAN, NAN, false};
    b.scene.container.walls[PD_WALL_TOP].inflow = 1;
    b.scene.container.walls[PD_WALL_BOTTOM].inflow = -1;
    b.scene.substeps = 1000;
    b.scene.gravity.y = -PD_MAX_ACCELERATION;
    b.emitter.until = 2;
    b.emitter.rate = 1e7f;
    b.obstacle = (pd_obstacle){.area.shape = PD_SHAPE_CIRCLE, .area.radius = 1e-6f, .area.thickness = NAN, .turn = 1};
    b.region.count = 0;
    b.region.spacing = 0.1f;
    b.change = (pd_change){.area.shape = PD_SHAPE_BOX, .area.size = {1, 1}, .from = 1, .to = 0, .rate = 1e-6f};
    b.attractions[0].factor = -10;
    assert_accepted(&b.scene);
    b.scene.container.shape = PD_CONTAINER_NONE;
    assert_accepted(&b.scene);
}

static void test_scene_values(void **state) {
    (void)state;
    REFUSED(*s = (pd_scene){0}, METHOD_UNKNOWN, "unknown method ''");
    REFUSED(memset(s->method, 'x', sizeof s->method), METHOD_UNKNOWN, "xxxxxxxxxxxxxxxx");
    REFUSED(memset(s->name, 'x', sizeof s->name), SCENE_VALUE, "name is not one line");
    REFUSED(strcpy(s->name, "a\nb"), SCENE_VALUE,
            "name is not one line of UTF-8 text of at most 63 bytes (choose another text)");
    REFUSED(strcpy(s->name, "\xff"), SCENE_VALUE, "name is not one line");
    REFUSED(strcpy(s->name, "a\xe2\x80\xa8"), SCENE_VALUE, "name is not one line");
    REFUSED(s->dt = 0, SCENE_VALUE, "dt is 0 (use 1e-06 to 1)");
    REFUSED(s->dt = NAN, SCENE_VALUE, "dt is nan (use 1e-06 to 1)");
    REFUSED(s->dt = -NAN, SCENE_VALUE, "dt is nan (use");
    REFUSED(s->dt = -1, SCENE_VALUE, "dt is -1 (use");
    REFUSED(s->dt = 1e9f, SCENE_VALUE, "dt is 1e+09 (use");
    REFUSED(s->substeps = -3, SCENE_VALUE, "substeps is -3 (use 0 to 1000)");
    REFUSED(s->substeps = 1001, SCENE_VALUE, "substeps is 1001");
    REFUSED(s->gravity.x = INFINITY, SCENE_VALUE, "gravity.x is inf (use -10000 to 10000)");
    REFUSED(s->gravity.y = NAN, SCENE_VALUE, "gravity.y is nan");
    REFUSED(s->gravity.y = 2e4f, SCENE_VALUE, "gravity.y is 20000");
    REFUSED(s->particles = -5, SCENE_VALUE, "particles is -5 (use 1 to 10000000, or 0: by the regions)");
    REFUSED(s->particles = 10000001, SCENE_TOO_LARGE, "particles is 10000001");
}

static void test_materials(void **state) {
    (void)state;
    REFUSED(s->material_count = 0, SCENE_VALUE, "material_count is 0 (use 1 to 32)");
    REFUSED(s->material_count = -1, SCENE_VALUE, "material_count is -1");
    REFUSED(s->material_count = 1000, SCENE_TOO_LARGE, "material_count is 1000");
    REFUSED((s->materials[2] = pd_material_default(), s->material_count = 3), SCENE_VALUE,
            "materials[2].name is not one line of UTF-8 text of 1 to 63 bytes (choose another name)");
    REFUSED(memset(s->materials[0].name, 'x', PD_MAX_NAME), SCENE_VALUE, "materials[0].name");
    REFUSED(s->materials[1] = s->materials[0], SCENE_VALUE,
            "materials[1].name: the material 'water' comes twice (rename one)");
    REFUSED(s->materials[0].mass = 0, SCENE_VALUE, "materials[0].mass is 0 (use 0.001 to 1000)");
    REFUSED(s->materials[0].mass = NAN, SCENE_VALUE, "materials[0].mass is nan");
    REFUSED(s->materials[1].property[PD_YIELD] = INFINITY, SCENE_VALUE, "materials[1].yield is inf (use 0 to 10)");
    REFUSED(s->materials[0].property[PD_VISCOSITY] = -1, SCENE_VALUE, "materials[0].viscosity is -1 (use 0 to 10000)");
    REFUSED(s->materials[0].property[PD_PLASTICITY] = 1001, SCENE_VALUE, "materials[0].plasticity is 1001");
    REFUSED(s->materials[0].property[PD_ELASTICITY] = -INFINITY, SCENE_VALUE, "materials[0].elasticity is -inf");
    REFUSED(s->materials[0].property[PD_STICKINESS] = 2e6f, SCENE_VALUE, "materials[0].stickiness is 2000000");
}

/* A property of a material has the range of its parameter. */
static void test_properties_have_their_parameters_range(void **state) {
    (void)state;
    for (int i = 0; i < PD_PROPERTIES; i++) {
        const pd_parameter *parameter = pd_property_at(i)->parameter;
        built b;
        build(&b);
        float *property = &b.scene.materials[1].property[i];
        char says[PD_MAX_NAME];
        snprintf(says, sizeof says, "materials[1].%s is ", pd_property_at(i)->key);
        *property = parameter->minimum;
        assert_accepted(&b.scene);
        *property = parameter->maximum;
        assert_accepted(&b.scene);
        *property = nextafterf(parameter->maximum, INFINITY);
        assert_refused(&b, PD_ERROR_SCENE_VALUE, says, __LINE__);
        *property = nextafterf(parameter->minimum, -INFINITY);
        assert_refused(&b, PD_ERROR_SCENE_VALUE, says, __LINE__);
    }
}

static void test_container(void **state) {
    (void)state;
    REFUSED(s->container.radius = 0, SCENE_VALUE, "container.radius is 0 (use 1e-06 to 1000000)");
    REFUSED(s->container.radius = NAN, SCENE_VALUE, "container.radius is nan");
    REFUSED(s->container.shape = (pd_container_shape)3, SCENE_VALUE,
            "container.shape is 3 (use one of circle, box, none)");
    REFUSED(s->container.shape = (pd_container_shape)-1, SCENE_VALUE, "container.shape is -1");
    REFUSED(s->container.shape = PD_CONTAINER_BOX, SCENE_VALUE, "container.width is 0");
    pd_container box = {.shape = PD_CONTAINER_BOX, .width = 1, .height = 1};
    REFUSED((s->container = box, s->container.walls[PD_WALL_TOP].inflow = INFINITY), SCENE_VALUE,
            "container.walls.top.inflow is inf");
    REFUSED((s->container = box, s->container.walls[PD_WALL_LEFT].outflow = true), SCENE_VALUE,
            "container.walls.left.outflow: a wall has both");
}

static void test_regions(void **state) {
    (void)state;
    REFUSED(s->region_count = -1, SCENE_VALUE, "region_count is -1 (use 0 to 4096)");
    REFUSED(s->region_count = 4097, SCENE_TOO_LARGE, "region_count is 4097");
    REFUSED(s->regions = NULL, SCENE_VALUE, "regions is NULL");
    REFUSED(b.region.material = 2, SCENE_REFERENCE, "regions[0].material is 2 (use 0 to 1)");
    REFUSED(b.region.material = -1, SCENE_REFERENCE, "regions[0].material is -1");
    REFUSED(b.region.area.radius = 0, SCENE_VALUE, "regions[0].radius is 0");
    REFUSED(b.region.area.radius = NAN, SCENE_VALUE, "regions[0].radius is nan (use 1e-06 to 1000000)");
    REFUSED(b.region.area.radius = -1, SCENE_VALUE, "regions[0].radius is -1");
    REFUSED(b.region.area.shape = PD_SHAPE_POLYLINE, SCENE_VALUE,
            "regions[0].shape is 3 (use one of circle, box, ellipse, image, particles)");
    REFUSED(b.region.area.shape = (pd_shape)40, SCENE_VALUE, "regions[0].shape is 40");
    REFUSED(b.region.area.shape = PD_SHAPE_BOX, SCENE_VALUE, "regions[0].size.x is 0");
    REFUSED(b.region.fill = (pd_fill)4, SCENE_VALUE, "regions[0].fill is 4 (use one of hex, grid, random, rings)");
    REFUSED(b.region.area.center.y = NAN, SCENE_VALUE, "regions[0].center.y is nan");
    REFUSED(b.region.velocity.x = INFINITY, SCENE_VALUE, "regions[0].velocity.x is inf");
    REFUSED(b.region.count = -5, SCENE_VALUE, "regions[0].count is -5 (use 1 to 10000000, or 0: by area)");
    REFUSED(b.region.count = 2147483647, SCENE_TOO_LARGE, "regions[0].count is 2147483647 (use 1");
    REFUSED(b.region.spacing = 0.1f, SCENE_VALUE, "both count and spacing");
    REFUSED((b.region.count = 0, b.region.spacing = -1), SCENE_VALUE,
            "regions[0].spacing is -1 (use 1e-06 to 1000000, or 0: by area)");
    REFUSED((b.region.count = 0, b.region.spacing = 1e-9f), SCENE_VALUE, "regions[0].spacing is 1e-09 (use");
    REFUSED((b.region.count = 0, b.region.spacing = 1e-5f), SCENE_TOO_LARGE, "10 million");
    REFUSED(b.region.amount = 2, SCENE_VALUE, "regions[0].amount is 2 (use 0 to 1)");
}

static void test_regions_in_obstacles(void **state) {
    (void)state;
    built b;
    build(&b);
    b.obstacle = (pd_obstacle){.area.shape = PD_SHAPE_CIRCLE, .area.center = {0.1f, 0}, .area.radius = 0.59f};
    assert_accepted(&b.scene); /* a part of it is outside the obstacle */
    b.obstacle.velocity.x = 1; /* the position at time 0 counts */
    b.obstacle.area.radius = 0.61f;
    pd_scene *s = &b.scene;
    assert_refused(&b, PD_ERROR_SCENE_VALUE,
                   "regions[0].center: the region lies inside an obstacle (move the region to a free place)", __LINE__);
    pd_world *world;
    pd_error error = {0};
    assert_int_equal(create_with_threads(&world, s, 1, &error), PD_BAD_INPUT);
    assert_null(world);
    assert_non_null(strstr(error.message, "regions[0].center: the region lies inside an obstacle"));
}

static void test_other_items(void **state) {
    (void)state;
    REFUSED(b.vorton.core = 0, SCENE_VALUE, "vortons[0].core is 0");
    REFUSED(b.obstacle.area.points = NULL, SCENE_VALUE, "obstacles[0].points is NULL");
    REFUSED(b.obstacle.area.point_count = 1, SCENE_VALUE,
            "obstacles[0].points: a polyline of 1 point (allowed: two or more)");
    REFUSED(b.obstacle.area.point_count = 4097, SCENE_VALUE, "obstacles[0].point_count is 4097");
    REFUSED(b.points[2].y = NAN, SCENE_VALUE, "obstacles[0].points[2].y is nan");
    REFUSED(b.obstacle.area.shape = PD_SHAPE_ELLIPSE, SCENE_VALUE,
            "obstacles[0].shape is 2 (use one of circle, box, polyline, polygon)");
    REFUSED((b.obstacle.area.shape = PD_SHAPE_POLYGON, b.obstacle.area.point_count = 2), SCENE_VALUE,
            "obstacles[0].points: a polygon of 2 points (allowed: three or more)");
    REFUSED((b.obstacle.area.shape = PD_SHAPE_POLYGON, b.obstacle.area.point_count = 4097), SCENE_VALUE,
            "obstacles[0].point_count is 4097 (use 3 to 4096)");
    REFUSED((b.obstacle.area.shape = PD_SHAPE_POLYGON, b.points[1] = b.points[0]), SCENE_VALUE,
            "obstacles[0].points: points[0] and points[1] are the same");
    REFUSED((b.obstacle.area.shape = PD_SHAPE_POLYGON, b.points[2].y = 0), SCENE_VALUE,
            "obstacles[0].points: the sides from points[");
    REFUSED((b.obstacle.area.shape = PD_SHAPE_POLYGON, b.points[0].x = NAN), SCENE_VALUE,
            "obstacles[0].points[0].x is nan");
    REFUSED((b.obstacle.area.shape = PD_SHAPE_POLYGON, b.obstacle.area.angle = INFINITY), SCENE_VALUE,
            "obstacles[0].angle is inf");
    REFUSED(b.obstacle.spin = INFINITY, SCENE_VALUE, "obstacles[0].spin is inf");
    REFUSED(b.obstacle.turn = -1, SCENE_VALUE, "obstacles[0].turn is -1");
    REFUSED((b.obstacle.area.shape = PD_SHAPE_CIRCLE, b.obstacle.area.radius = NAN), SCENE_VALUE,
            "obstacles[0].radius is nan");
    REFUSED(b.emitter.direction.y = 0, SCENE_VALUE,
            "emitters[0].direction points nowhere (allowed: such as [0, -1] for down)");
    REFUSED(b.emitter.rate = INFINITY, SCENE_VALUE, "emitters[0].rate is inf (use 0.001 to 10000000)");
    REFUSED(b.emitter.rate = 0, SCENE_VALUE, "emitters[0].rate is 0");
    REFUSED(b.emitter.material = 99, SCENE_REFERENCE, "emitters[0].material is 99");
    REFUSED(b.emitter.until = 0, SCENE_VALUE, "emitters[0].until is not after 'from' (allowed: a later time)");
    REFUSED(b.emitter.until = NAN, SCENE_VALUE, "emitters[0].until is nan");
    REFUSED(b.emitter.from = INFINITY, SCENE_VALUE, "emitters[0].from is inf");
    REFUSED(b.drain.area.size.y = NAN, SCENE_VALUE, "drains[0].size.y is nan");
    REFUSED(b.attractions[1].between[0] = 2, SCENE_REFERENCE, "attractions[1].between[0] is 2 (use 0 to 1)");
    REFUSED(b.attractions[0].between[1] = -1, SCENE_REFERENCE, "attractions[0].between[1] is -1");
    REFUSED(b.attractions[0].factor = NAN, SCENE_VALUE, "attractions[0].factor is nan (use -10 to 10)");
    REFUSED(b.attractions[0].factor = 11, SCENE_VALUE, "attractions[0].factor is 11");
    REFUSED((b.attractions[1].between[1] = 0), SCENE_VALUE,
            "attractions[1].between: the attraction between 'oil' and 'water' comes twice");
    REFUSED(b.attractions[1] = b.attractions[0], SCENE_VALUE,
            "attractions[1].between: the attraction between 'water' and 'oil' comes twice");
    REFUSED(s->attraction_count = -1, SCENE_VALUE, "attraction_count is -1");
    REFUSED(s->attractions = NULL, SCENE_VALUE, "attractions is NULL");
    REFUSED(b.change.area.shape = PD_SHAPE_ELLIPSE, SCENE_VALUE, "changes[0].shape is 2 (use one of circle, box)");
    REFUSED(b.change.area.shape = PD_SHAPE_BOX, SCENE_VALUE, "changes[0].size.x is 0");
    REFUSED(b.change.area.radius = NAN, SCENE_VALUE, "changes[0].radius is nan");
    REFUSED(b.change.from = 2, SCENE_REFERENCE, "changes[0].from is 2 (use 0 to 1)");
    REFUSED(b.change.to = -1, SCENE_REFERENCE, "changes[0].to is -1");
    REFUSED(b.change.to = 0, SCENE_VALUE, "changes[0].to is the same material as 'from' (allowed: another one)");
    REFUSED(b.change.rate = 0, SCENE_VALUE, "changes[0].rate is 0 (use 1e-06 to 1000000)");
    REFUSED(b.change.rate = NAN, SCENE_VALUE, "changes[0].rate is nan");
    REFUSED(b.change.rate = -INFINITY, SCENE_VALUE, "changes[0].rate is -inf");
    REFUSED(s->change_count = 4097, SCENE_TOO_LARGE, "change_count is 4097");
    REFUSED(b.settings[1].value = NAN, PARAMETER_VALUE, "settings[1]: iterations is nan");
    REFUSED(b.settings[0].value = -1, PARAMETER_VALUE, "settings[0]: stiffness is -1");
    REFUSED(strcpy(b.settings[0].key, "nonsense"), PARAMETER_UNKNOWN, "settings[0]: unknown parameter 'nonsense'");
    REFUSED(memset(b.settings[0].key, 'x', PD_MAX_KEY), PARAMETER_UNKNOWN, "settings[0]: the key does not end");
    REFUSED(b.settings[1] = b.settings[0], PARAMETER_VALUE, "settings[1].key is 'ddr.stiffness' a second time");
    REFUSED(s->setting_count = 100000, SCENE_TOO_LARGE, "setting_count is 100000");
}

TEST_GROUP(scene_check) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_scene_values),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_properties_have_their_parameters_range),
        cmocka_unit_test(test_container),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_regions_in_obstacles),
        cmocka_unit_test(test_other_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
