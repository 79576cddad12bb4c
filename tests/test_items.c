/* Items that a program adds to a scene, replaces and removes. */
#include "cmocka_all.h"
#include "worlds.h"

#include <puddle/items.h>

static const char *const POOL = "puddle: 1\nmaterials: {a: {color: '#ffffff'}, b: {color: '#3a8fff'}, c: {color: "
                                "'#ff0000'}}\n"
                                "regions: [{shape: circle, center: [-0.5, -0.5], radius: 0.2, count: 20}]\n";

/* ---- Materials ---- */

static void two_materials_have_two_names(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene scene = scene_of_text(POOL);
    pd_material material = scene.materials[0];
    material.mass = 2;
    assert_int_equal(pd_scene_set_material(&scene, 1, &material, &error), PD_BAD_INPUT);
    assert_string_equal(error.message, "materials[1].name is 'a', like materials[0].name (rename one)");
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
    assert_string_equal(error.message, "regions[1] lies outside the container (move it inside)");
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
    assert_string_equal(error.message, "regions[1] lies outside the container (move it inside)");
    assert_int_equal(scene.region_count, 1);
    must(pd_scene_check(&scene, &error), &error);
    pd_scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_materials_have_two_names),
        cmocka_unit_test(regions_of_particles_are_measured),
        cmocka_unit_test(particles_are_checked_with_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
