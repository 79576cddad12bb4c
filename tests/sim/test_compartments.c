/* Compartments of emitters: they are filled, and not more than that, with and without drains, moving walls and bodies. */
#include "methods.h"
#include "pools.h"
#include "worlds.h"

#include "sim/sources/compartments.h"

/* A box that 600 particles fill, each 0.0005 m^2. items: further lists of the scene; "emitters:" comes last. */
#define BOX(items)                                                                                                     \
    "puddle: 1\nmethod: %s\ngravity: [0, -4]\nparticles: 600\ncontainer: {shape: box, width: 0.5, height: "            \
    "0.6}\n" items "emitters:\n"
#define EMITTER(x, y, dx, dy)                                                                                          \
    "  - {position: [" x ", " y "], direction: [" dx ", " dy "], speed: 1, width: 0.15, rate: 300}\n"
#define BELOW EMITTER("-0.12", "-0.26", "0", "1")
#define ABOVE EMITTER("-0.12", "0.26", "0", "-1")
#define ASIDE EMITTER("-0.24", "-0.05", "1", "0")
#define WALL  "obstacles: [{shape: box, center: [0.03, 0], size: [0.06, 0.7]}]\n"

static const double AREA = 0.0005; /* area of a particle at rest, m^2 */

static pd_world *world_of_format(const char *format, const char *method) {
    char text[1500];
    snprintf(text, sizeof text, format, method);
    return world_of_text(text, 1);
}

typedef struct container {
    const char *scene;
    double area; /* open area of the emitter's compartment, m^2 */
} container;

static const container containers[] = {
    {BOX("") BELOW, 0.3},
    {BOX("") ABOVE, 0.3},
    {BOX("") ASIDE, 0.3},
    {BOX("") BELOW ABOVE, 0.3},
    {BOX("drains: [{shape: box, center: [0.24, 0.27], size: [0.02, 0.06]}]\n") BELOW, 0.3},
    {BOX("drains: [{shape: circle, center: [0.2, -0.3], radius: 0.01}]\n") ABOVE, 0.3},
    {BOX("obstacles: [{shape: circle, center: [0.1, 0.1], radius: 0.1}]\n") BELOW, 0.2686},
    {BOX(WALL) BELOW, 0.15},
    {BOX("bodies: [{shape: box, center: [0.1, 0.2], size: [0.2, 0.15], density: 0.5}]\n") BELOW, 0.27},
    {"puddle: 1\nmethod: %s\ngravity: [0, -4]\nparticles: 600\ncontainer: {shape: circle, radius: "
     "0.3}\nemitters:\n" BELOW,
     0.2827},
};
enum { CONTAINERS = sizeof containers / sizeof *containers };

/* An emitter fills its compartment to at least nine tenths, and at most one tenth too much. */
static void test_emitters_fill_their_compartments(void **state) {
    (void)state;
    skip_under_sanitizers();
    const char *methods[MOST_METHODS];
    const int count = methods_that(is_of_particles, methods);
    for (int k = 0; k < count * CONTAINERS; k += in_short_run() ? 3 : 1) {
        const container *c = &containers[k % CONTAINERS];
        const char *method = methods[k / CONTAINERS];
        pd_world *world = world_of_format(c->scene, method);
        double full = c->area / AREA, share;
        step_many(world, (int)(full / 300 * 60 * 1.8) + 30);
        share = world->particles.count / full;
        if (share < 0.9 || share > 1.1) fail_msg("container %d, %s: %.3f of full", k % CONTAINERS, method, share);
        pd_world_destroy(world);
    }
}

/* A thin jet and a dense one fill a pool too: single particles enter between those of the pool. */
static void test_rates_of_all_sizes_fill(void **state) {
    (void)state;
    skip_under_sanitizers();
    static const double rates[] = {40, 700};
    const char *methods[MOST_METHODS];
    const int count = methods_that(is_of_particles, methods);
    for (int k = 0; k < 2 * count; k += in_short_run() ? 3 : 1) {
        char text[1000];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\ngravity: [0, -9.81]\nparticles: 520\ncontainer: {shape: box, width: 0.5, "
                 "height: 0.6}\n"
                 "regions: [{shape: box, center: [0, -0.04], size: [0.5, 0.52]}]\n"
                 "emitters: [{position: [0, -0.25], direction: [0, 1], speed: 1, width: 0.15, rate: %g}]\n",
                 methods[k % count], rates[k / count]);
        pd_world *world = world_of_text(text, 1);
        step_many(world, 180);
        print_message("%s, rate %g: %d\n", methods[k % count], rates[k / count], world->particles.count);
        assert_in_range(world->particles.count, 580, 620);
        pd_world_destroy(world);
    }
}

/* Returns how many of 10,000 particles fit into the compartment of the first emitter. */
static int room(pd_world *world) { return pd_compartments_limit_emission(world, 0, 10000); }

/* An edit that removes a wall gives the emitter the whole box, less the area of a body. */
static void test_room_follows_edits(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene scene;
    pd_world *world = world_of_format(BOX(WALL) BELOW, "sph");
    pd_scene_body body = pd_body_default();
    body.area = (pd_area){.shape = PD_SHAPE_BOX, .center = {0.1f, 0}, .size = {0.2f, 0.1f}};
    assert_in_range(room(world), 299, 301);
    must(pd_scene_copy(&scene, pd_world_scene(world), &error), &error);
    must(pd_scene_remove_obstacle(&scene, 0, &error), &error);
    must(edit_to(world, &scene, &error), &error);
    assert_in_range(room(world), 599, 601);
    must(pd_scene_copy(&scene, pd_world_scene(world), &error), &error);
    must(pd_scene_add_body(&scene, &body, &error), &error);
    must(edit_to(world, &scene, &error), &error);
    assert_in_range(room(world), 559, 561);
    pd_world_destroy(world);
}

/* A gate that turns opens the other half of the box: its room counts from the step on in which the gate opens. */
static void test_room_follows_moving_walls(void **state) {
    (void)state;
    pd_world *world = world_of_format(
        BOX("obstacles: [{shape: box, center: [0, 0], size: [0.04, 0.7], spin: 90, turn: 4}]\n") BELOW, "sph");
    int closed = room(world), open = 0;
    for (int i = 0; i < 30; i++) {
        pd_world_step(world);
        int now = room(world) + world->particles.count;
        open = now > open ? now : open;
    }
    print_message("closed %d, open %d\n", closed, open);
    assert_in_range(closed, 265, 285);
    assert_in_range(open, 530, 560);
    pd_world_destroy(world);
}

/* An emitter that adds nothing says why: its container is full, or an obstacle covers its mouth. */
static void test_blocked_emitters_warn(void **state) {
    (void)state;
    char text[256];
    pd_world *world = world_of_format(BOX(WALL) BELOW, "flip");
    step_many(world, 10);
    assert_false(pd_world_write_warning(world, 0, text, sizeof text));
    step_many(world, 110);
    assert_true(pd_world_write_warning(world, 0, text, sizeof text));
    assert_non_null(strstr(text, "emitter 1 is blocked: its container is full"));
    assert_false(pd_world_write_warning(world, 1, text, sizeof text));
    pd_world_destroy(world);
    world = world_of_format(BOX("obstacles: [{shape: box, center: [-0.12, -0.2], size: [0.2, 0.2]}]\n") BELOW, "flip");
    step_many(world, 1);
    world->emitted_now[0] = 0;
    assert_true(pd_world_write_warning(world, 0, text, sizeof text));
    assert_non_null(strstr(text, "covers its mouth"));
    pd_world_destroy(world);
}

/* Without a container, and for particles without a density, there is no limit. */
static void test_rooms_without_limit(void **state) {
    (void)state;
    pd_world *open = world_of_text("puddle: 1\ncontainer: {shape: none}\nparticles: 100\nemitters:\n" BELOW, 1);
    pd_world *tracers = world_of_format(BOX("") BELOW, "grid");
    assert_int_equal(room(open), 10000);
    assert_int_equal(room(tracers), 10000);
    pd_world_destroy(open);
    pd_world_destroy(tracers);
}

#define MOVING                                                                                                         \
    BOX("obstacles: [{shape: box, center: [0.1, 0.1], size: [0.04, 0.2], spin: 200}]\n"                                \
        "bodies: [{shape: box, center: [-0.1, 0.2], size: [0.15, 0.1], density: 0.5}]\n"                               \
        "drains: [{shape: box, center: [0.24, 0.2], size: [0.02, 0.06]}]\n")                                           \
    BELOW ABOVE

/* A world restored while its emitters fill a compartment with moving walls and bodies computes the same steps. */
static void test_compartments_in_snapshots(void **state) {
    (void)state;
    pd_error error = {0};
    const char *methods[MOST_METHODS];
    const int count = methods_that(is_of_particles, methods);
    for (int k = 0; k < count; k += in_short_run() ? 3 : 1) {
        pd_world *world = world_of_format(MOVING, methods[k]), *copy = world_of_text("puddle: 1\n", 2);
        for (int part = 0; part < 4; part++) {
            void *bytes;
            size_t size;
            step_many(world, 25);
            assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
            assert_int_equal(pd_world_restore_from_memory(copy, bytes, size, &error), PD_OK);
            free(bytes);
            assert_int_equal(room(copy), room(world));
            step_many(world, 5);
            step_many(copy, 5);
            assert_true(pd_world_hash(world) == pd_world_hash(copy));
        }
        pd_world_destroy(world);
        pd_world_destroy(copy);
    }
}

TEST_GROUP(compartments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_emitters_fill_their_compartments),
        cmocka_unit_test(test_rates_of_all_sizes_fill),
        cmocka_unit_test(test_room_follows_edits),
        cmocka_unit_test(test_room_follows_moving_walls),
        cmocka_unit_test(test_blocked_emitters_warn),
        cmocka_unit_test(test_rooms_without_limit),
        cmocka_unit_test(test_compartments_in_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
