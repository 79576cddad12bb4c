/* Items that a program adds to a scene, replaces and removes. */
#include "scene/items.h"
#include "test.h"
#include "worlds.h"

#include <puddle/items.h>

static const char *const POOL = "puddle: 1\nmaterials: {a: {color: '#ffffff'}, b: {color: '#3a8fff'}, c: {color: "
                                "'#ff0000'}}\n"
                                "regions: [{shape: circle, center: [-0.5, -0.5], radius: 0.2, count: 20}]\n"
                                "bodies: [{shape: circle, center: [-0.5, 0.5], radius: 0.1, name: raft}]\n";

/* ---- Functions of lists ---- */

typedef union any_item {
    pd_material material;
    pd_region region;
    pd_vorton vorton;
    pd_obstacle obstacle;
    pd_emitter emitter;
    pd_drain drain;
    pd_attraction attraction;
    pd_change change;
    pd_scene_body body;
    pd_scene_joint joint;
    char bytes[1];
} any_item;

/* The functions that have the name of an item. */
typedef struct named {
    any_item (*standard)(void);
    pd_result (*add)(pd_scene *scene, const any_item *item, pd_error *error);
    pd_result (*set)(pd_scene *scene, int index, const any_item *item, pd_error *error);
    pd_result (*remove)(pd_scene *scene, int index, pd_error *error);
} named;

#define NAMED(noun)                                                                                                    \
    static any_item noun##_standard(void) { return (any_item){.noun = pd_##noun##_default()}; }                        \
    static pd_result noun##_add(pd_scene *scene, const any_item *item, pd_error *error) {                              \
        return pd_scene_add_##noun(scene, &item->noun, error);                                                         \
    }                                                                                                                  \
    static pd_result noun##_set(pd_scene *scene, int index, const any_item *item, pd_error *error) {                   \
        return pd_scene_set_##noun(scene, index, &item->noun, error);                                                  \
    }
NAMED(material)
NAMED(region)
NAMED(vorton)
NAMED(obstacle)
NAMED(emitter)
NAMED(drain)
NAMED(attraction)
NAMED(change)
NAMED(body)
NAMED(joint)

#define FUNCTIONS(noun)                                                                                                \
    { noun##_standard, noun##_add, noun##_set, pd_scene_remove_##noun }
static const named functions[PD_LISTS] = {
    [PD_LIST_MATERIALS] = FUNCTIONS(material),
    [PD_LIST_REGIONS] = FUNCTIONS(region),
    [PD_LIST_VORTONS] = FUNCTIONS(vorton),
    [PD_LIST_OBSTACLES] = FUNCTIONS(obstacle),
    [PD_LIST_EMITTERS] = FUNCTIONS(emitter),
    [PD_LIST_DRAINS] = FUNCTIONS(drain),
    [PD_LIST_ATTRACTIONS] = FUNCTIONS(attraction),
    [PD_LIST_CHANGES] = FUNCTIONS(change),
    [PD_LIST_BODIES] = FUNCTIONS(body),
    [PD_LIST_JOINTS] = FUNCTIONS(joint),
};

/* Bytes of an item before the first member that may be left out. */
static const size_t enough[PD_LISTS] = {
    [PD_LIST_MATERIALS] = offsetof(pd_material, property),
    [PD_LIST_REGIONS] = offsetof(pd_region, density),
    [PD_LIST_VORTONS] = sizeof(pd_vorton),
    [PD_LIST_OBSTACLES] = offsetof(pd_obstacle, turn),
    [PD_LIST_EMITTERS] = offsetof(pd_emitter, from),
    [PD_LIST_DRAINS] = offsetof(pd_drain, area.points),
    [PD_LIST_ATTRACTIONS] = sizeof(pd_attraction),
    [PD_LIST_CHANGES] = offsetof(pd_change, rate),
    [PD_LIST_BODIES] = offsetof(pd_scene_body, density),
    [PD_LIST_JOINTS] = offsetof(pd_scene_joint, limits),
};

/* A valid item for each value between 0 and 0.2. */
static any_item item_with(int list, float value) {
    const pd_area circle = {.shape = PD_SHAPE_CIRCLE, .center = {0.5f, 0.5f}, .radius = value};
    any_item item = functions[list].standard();
    if (list == PD_LIST_MATERIALS) snprintf(item.material.name, PD_MAX_NAME, "ink");
    if (list == PD_LIST_MATERIALS) item.material.mass = value;
    if (list == PD_LIST_REGIONS) item.region.area = circle;
    if (list == PD_LIST_VORTONS) item.vorton = (pd_vorton){{0, 0}, 1, value};
    if (list == PD_LIST_OBSTACLES) item.obstacle.area = circle;
    if (list == PD_LIST_EMITTERS) {
        item.emitter.direction = (pd_vec2){0, 1};
        item.emitter.speed = item.emitter.rate = 1;
        item.emitter.width = value;
    }
    if (list == PD_LIST_DRAINS) item.drain.area = circle;
    if (list == PD_LIST_ATTRACTIONS) item.attraction = (pd_attraction){{0, 1}, value};
    if (list == PD_LIST_CHANGES) item.change.area = circle;
    if (list == PD_LIST_CHANGES) item.change.to = 1;
    if (list == PD_LIST_BODIES) item.body.area = circle;
    if (list == PD_LIST_JOINTS) {
        snprintf(item.joint.bodies[0], PD_MAX_NAME, "raft");
        snprintf(item.joint.bodies[1], PD_MAX_NAME, "world");
        item.joint.at.x = value;
    }
    return item;
}

/* The last item of a scene that is like the one that has been added or set. */
static void expect_last(int list, const pd_scene *scene, int count, const any_item *item) {
    const pd_material_map map = pd_map_materials(scene, scene);
    pd_error error = {0};
    assert_int_equal(pd_scene_list_count(list, scene), count);
    assert_true(pd_item_is_equal(list, pd_scene_list_item(list, scene, count - 1), item, &map));
    must(pd_scene_check(scene, &error), &error);
}

static void every_list_has_its_functions(void **state) {
    (void)state;
    for (int list = 0; list < PD_LISTS; list++) {
        pd_error error = {0};
        pd_scene scene = scene_of_text(POOL);
        int count = pd_scene_list_count(list, &scene);
        const any_item first = item_with(list, 0.1f), second = item_with(list, 0.2f);
        must(functions[list].add(&scene, &first, &error), &error);
        expect_last(list, &scene, count + 1, &first);
        must(functions[list].set(&scene, count, &second, &error), &error);
        expect_last(list, &scene, count + 1, &second);
        must(functions[list].remove(&scene, count, &error), &error);
        assert_int_equal(pd_scene_list_count(list, &scene), count);
        assert_int_equal(functions[list].remove(&scene, count, &error), PD_BAD_INPUT);
        assert_int_equal(functions[list].set(&scene, count, &first, &error), PD_BAD_INPUT);
        pd_scene_free(&scene);
    }
}

/* Of a program with headers of another version: what is behind the size is not read, nor what the library does not know. */
static void items_may_be_shorter_and_longer(void **state) {
    (void)state;
    struct {
        any_item item;
        char later[16];
    } passed;
    for (int list = 0; list < PD_LISTS; list++) {
        const size_t size = pd_scene_lists[list].schema->size, sizes[] = {enough[list], size, sizeof passed};
        const any_item first = item_with(list, 0.1f), second = item_with(list, 0.2f);
        for (int k = 0; k < 3; k++) {
            pd_error error = {0};
            pd_scene scene = scene_of_text(POOL);
            int count = pd_scene_list_count(list, &scene);
            size_t known = sizes[k] < size ? sizes[k] : size;
            memset(&passed, 0x7f, sizeof passed);
            memcpy(&passed, &first, known);
            must(pd_scene_add_item(&scene, (pd_scene_list)list, &passed, sizes[k], &error), &error);
            expect_last(list, &scene, count + 1, &first);
            memcpy(&passed, &second, known);
            must(pd_scene_set_item(&scene, (pd_scene_list)list, count, &passed, sizes[k], &error), &error);
            expect_last(list, &scene, count + 1, &second);
            pd_scene_free(&scene);
        }
    }
}

/* ---- Materials ---- */

static void two_materials_have_two_names(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene scene = scene_of_text(POOL);
    pd_material material = scene.materials[0];
    material.mass = 2;
    assert_int_equal(pd_scene_set_material(&scene, 1, &material, &error), PD_BAD_INPUT);
    assert_string_equal(error.message, "materials[1].name: the material 'a' comes twice (rename one)");
    assert_string_equal(scene.materials[1].name, "b");
    assert_true(scene.materials[1].mass == 1);
    must(pd_scene_set_material(&scene, 0, &material, &error), &error);
    assert_true(scene.materials[0].mass == 2);
    pd_scene_free(&scene);
}

/* ---- Particles ---- */

static void expect_measured(const pd_region *region, float x, float y, float width, float height, float spacing) {
    assert_float_equal(region->area.center.x, x, 1e-6);
    assert_float_equal(region->area.center.y, y, 1e-6);
    assert_float_equal(region->area.size.x, width, 1e-6);
    assert_float_equal(region->area.size.y, height, 1e-6);
    assert_float_equal(region->spacing, spacing, 1e-6);
}

/* Each function that brings particles measures them; a spacing that is given stays. */
static void regions_of_particles_are_measured(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene_particle square[] = {{{0, 0}, {0, 0}, 0}, {{0.2f, 0}, {0, 0}, 1}, {{0, 0.2f}, {0, 0}, 2}, {{0.2f, 0.2f}}};
    pd_scene scene = scene_of_text(POOL);
    pd_region region = pd_region_default();
    region.area.shape = PD_SHAPE_PARTICLES;
    region.particles = square;
    region.count = 4;
    must(pd_scene_add_region(&scene, &region, &error), &error);
    must(pd_scene_add_particles(&scene, square, 4, 0, &error), &error);
    expect_measured(&scene.regions[1], 0.1f, 0.1f, 0.2f, 0.2f, 0.1f);
    expect_measured(&scene.regions[2], 0.1f, 0.1f, 0.2f, 0.2f, 0.1f);
    square[1].position.x = square[3].position.x = 0.8f;
    must(pd_scene_set_region(&scene, 1, &region, &error), &error);
    expect_measured(&scene.regions[1], 0.4f, 0.1f, 0.8f, 0.2f, 0.2f);
    region.spacing = 0.05f;
    must(pd_scene_set_region(&scene, 1, &region, &error), &error);
    expect_measured(&scene.regions[1], 0.4f, 0.1f, 0.8f, 0.2f, 0.05f);
    for (int i = 0; i < 4; i++) square[i].position.x += 9;
    assert_int_equal(pd_scene_set_region(&scene, 1, &region, &error), PD_BAD_INPUT);
    assert_string_equal(error.message, "regions[1].center: the region lies outside the container (move it inside)");
    expect_measured(&scene.regions[1], 0.4f, 0.1f, 0.8f, 0.2f, 0.05f);
    pd_scene_free(&scene);
}

/* What pd_scene_check() refuses in a scene is refused when the particles are added. */
static void particles_are_checked_with_the_scene(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene_particle particle = {.position = {0.5f, 0.5f}};
    pd_scene scene = scene_of_text(POOL);
    scene.particles = 100;
    assert_int_equal(pd_scene_add_particles(&scene, &particle, 1, 0, &error), PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "a region lists its particles"));
    scene.particles = 0;
    particle.position.x = 9;
    assert_int_equal(pd_scene_add_particles(&scene, &particle, 1, 0, &error), PD_BAD_INPUT);
    assert_string_equal(error.message, "regions[1].center: the region lies outside the container (move it inside)");
    assert_int_equal(scene.region_count, 1);
    must(pd_scene_check(&scene, &error), &error);
    pd_scene_free(&scene);
}

TEST_GROUP(items) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_list_has_its_functions),         cmocka_unit_test(items_may_be_shorter_and_longer),
        cmocka_unit_test(two_materials_have_two_names),         cmocka_unit_test(regions_of_particles_are_measured),
        cmocka_unit_test(particles_are_checked_with_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
