/* Fluid at rest: it begins in equilibrium, has the pressure of its weight, and does not jump when gravity ends. */
#include "methods.h"
#include "settled.h"
#include "sim/world.h"

#include <math.h>

static pd_world *begin(const char *scene_name, const char *method, int particles) {
    pd_scene scene = bundled_scene_with(scene_name, method, particles);
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    return world;
}

/* Twice the height of the centre of mass above the bottom of a box, m: the depth of a pool. */
static double depth_of(const pd_world *world) {
    return 2 * (statistics_of(world).center_y + (double)pd_world_scene(world)->container.height / 2);
}

/* From the first step the pool hardly moves, and keeps its depth. */
static void test_pool_keeps_its_depth(void **state) {
    const int sizes[] = {1000, 5000}, frames = fewer_frames(1200, 60);
    for (int k = 0; k < (is_shortened() ? 1 : 2); k++) {
        pd_world *world = begin("pool", *state, sizes[k]);
        double depth = depth_of(world), lowest = depth, highest = depth, fastest = 0;
        for (int frame = 1; frame <= frames; frame++) {
            pd_world_step(world);
            lowest = fmin(lowest, depth_of(world));
            highest = fmax(highest, depth_of(world));
            if (frame >= 30) fastest = fmax(fastest, statistics_of(world).rms_speed);
        }
        print_message("%s, %d particles: depth %.4f m, %+.2f %% to %+.2f %% in %.0f s; rms speed %.4f m/s\n",
                      (char *)*state, pd_world_particles(world), depth, 100 * (lowest / depth - 1),
                      100 * (highest / depth - 1), frames / 60.0, fastest);
        assert_true(lowest > 0.98 * depth && highest < 1.02 * depth);
        assert_true(fastest < 0.03);
        pd_world_destroy(world);
    }
}

/* Gravity to the right: the fluid rests at the right wall. */
static void test_rest_at_a_side_wall(void **state) {
    pd_world *world = world_of_method(*state,
                                      "gravity: [1.6, 0]\nparticles: 1500\n"
                                      "container: {shape: box, width: 1.4, height: 1.4}\n"
                                      "regions: [{shape: box, center: [0.2, 0], size: [1, 1.4]}]\n",
                                      1);
    double fastest = 0, x = statistics_of(world).center_x;
    for (int frame = 1; frame <= 60; frame++) {
        pd_world_step(world);
        if (frame >= 30) fastest = fmax(fastest, statistics_of(world).rms_speed);
    }
    double moved = fabs(statistics_of(world).center_x - x);
    print_message("%s: rms speed %.4f m/s, the centre moved by %.4f m\n", (char *)*state, fastest, moved);
    assert_true(fastest < 0.03);
    assert_true(moved < 0.005);
    pd_world_destroy(world);
}

/* Fluid that is not at rest stays where the regions are filled: its particles have the places that they have without gravity. */
static void test_other_fluid_does_not_move(void **state) {
    const char *const scenes[] = {"dam-break", "blobs"};
    for (int k = 0; k < 2; k++) {
        pd_scene scene = bundled_scene_with(scenes[k], *state, 600),
                 weightless = bundled_scene_with(scenes[k], *state, 600);
        weightless.gravity = (pd_vec2){0, 0};
        pd_world *world = world_of(&scene, 1), *other = world_of(&weightless, 1);
        for (int i = 0; i < pd_world_particles(world); i++) {
            assert_true(world->particles.x[i] == other->particles.x[i]);
            assert_true(world->particles.y[i] == other->particles.y[i]);
        }
        pd_world_destroy(world), pd_world_destroy(other);
        pd_scene_free(&scene), pd_scene_free(&weightless);
    }
}

/* In a scene with fluid at rest and a drop above it the drop keeps its places and its velocity. */
static void test_drop_above_a_pool(void **state) {
    pd_scene scene = bundled_scene_with("drop", *state, 1500);
    pd_scene weightless = bundled_scene_with("drop", *state, 1500);
    weightless.gravity = (pd_vec2){0, 0};
    pd_world *world = world_of(&scene, 1), *other = world_of(&weightless, 1);
    int moved = 0, drop = 0;
    for (int i = 0; i < pd_world_particles(world); i++) {
        bool same = world->particles.x[i] == other->particles.x[i] && world->particles.y[i] == other->particles.y[i];
        moved += !same;
        if (world->particles.material[i] == 0) continue;
        drop++;
        assert_true(same);
        assert_true(world->particles.vy[i] == -0.5f);
    }
    assert_true(moved > 1000 && drop > 100);
    pd_world_destroy(world), pd_world_destroy(other);
    pd_scene_free(&scene), pd_scene_free(&weightless);
}

/* All ways to begin a scene give the same bits. */
static void test_all_beginnings_agree(void **state) {
    pd_error error = {0};
    pd_world *world = begin("pool", *state, 900);
    uint64_t first = pd_world_hash(world);
    step_many(world, 10);
    uint64_t later = pd_world_hash(world);
    pd_world_reset(world);
    assert_true(pd_world_hash(world) == first);
    step_many(world, 10);
    assert_true(pd_world_hash(world) == later);
    pd_scene scene = bundled_scene_with("pool", *state, 900);
    must(pd_world_set_scene(world, &scene, &error), &error);
    assert_true(pd_world_hash(world) == first);
    pd_world_destroy(world);
    world = begin("pool", strcmp(*state, "sph") == 0 ? "pbf" : "sph", 900);
    must(pd_world_set_method(world, *state, &error), &error);
    step_many(world, 10);
    for (int threads = 1; threads <= 3; threads += 2) {
        pd_world *other = world_of(&scene, threads);
        step_many(other, 10);
        assert_true(pd_world_hash(other) == later);
        for (int i = 0; i < pd_world_particles(other); i++) assert_true(world->particles.y[i] == other->particles.y[i]);
        pd_world_destroy(other);
    }
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* A pool that has been at rest for ten seconds. */
static pd_world *resting_pool(const char *method) {
    pd_world *world = begin("pool", method, fewer_frames(5000, 1500));
    settle(world, fewer_frames(600, 30));
    return world;
}

/* Pressure in the middle of a pool against the weight above, by a fit through all particles at least two radii away from
 * bottom and surface, over two seconds. */
static void test_pressure_is_the_weight(void **state) {
    const int frames = fewer_frames(120, 30);
    pd_world *world = resting_pool(*state);
    const double gravity = 1.6, width = 2, kilograms = pd_units_particle_mass(world);
    double pressures = 0, weights = 0;
    for (int frame = 0; frame < frames; frame++) {
        pd_view view;
        pd_world_step(world);
        pd_world_view(world, &view);
        const pd_field *field = pd_view_field(&view, "pressure");
        enum { LEVELS = 400 };
        double mass[LEVELS] = {0}, above = 0, h = (double)view.radius, depth = depth_of(world);
        for (int i = 0; i < view.count; i++) {
            int level = (int)(((double)view.y[i] + 0.5) * LEVELS);
            mass[level < 0        ? 0
                 : level < LEVELS ? level
                                  : LEVELS - 1] += (double)pd_world_scene(world)->materials[view.material[i]].mass;
        }
        double weight[LEVELS];
        for (int level = LEVELS - 1; level >= 0; level--) {
            weight[level] = (above + mass[level] / 2) * kilograms * gravity / width;
            above += mass[level];
        }
        for (int i = 0; i < view.count; i++) {
            double height = (double)view.y[i] + 0.5;
            if (height < 2 * h || height > depth - 2 * h) continue;
            pressures +=
                (double)(field->nx > 0 ? pd_field_at(field, (pd_vec2){view.x[i], view.y[i]}) : field->values[i]);
            weights += weight[(int)(height * LEVELS)];
        }
    }
    print_message("%s: pressure / weight: %.3f\n", (char *)*state, pressures / weights);
    assert_true(fabs(pressures / weights - 1) < 0.05);
    pd_world_destroy(world);
}

/* Gravity off for a second: the pressure that the pool has stored does not throw it up. */
static void test_gravity_off(void **state) {
    pd_world *world = resting_pool(*state);
    const pd_particles *p = &world->particles;
    float *before = calloc(p->next_id, sizeof *before), highest = 0;
    for (int i = 0; i < p->count; i++) before[p->id[i]] = p->y[i];
    pd_world_set_gravity(world, (pd_vec2){0, 0});
    step_many(world, 60);
    for (int i = 0; i < p->count; i++) highest = fmaxf(highest, p->y[i] - before[p->id[i]]);
    print_message("%s: gravity off for a second: the highest rise is %.4f m\n", (char *)*state, (double)highest);
    assert_true(highest < 0.05f);
    free(before);
    pd_world_destroy(world);
}

/* Gravity that is switched off and on again between two steps changes nothing. */
static void test_gravity_off_and_on_between_steps(void **state) {
    pd_world *world = begin("pool", *state, 500), *other = begin("pool", *state, 500);
    step_many(world, 10), step_many(other, 10);
    pd_world_set_gravity(world, (pd_vec2){0, 0});
    pd_world_set_gravity(world, (pd_vec2){0, -1.6f});
    step_many(world, 10), step_many(other, 10);
    assert_true(pd_world_hash(world) == pd_world_hash(other));
    pd_world_destroy(world), pd_world_destroy(other);
}

/* A snapshot taken right after gravity became weaker, and one a step later, continue as the world does. */
static void test_snapshots_after_weaker_gravity(void **state) {
    pd_error error = {0};
    pd_world *world = begin("pool", *state, 500), *copy = begin("pool", *state, 500);
    step_many(world, 10);
    pd_world_set_gravity(world, (pd_vec2){0, -0.4f});
    for (int k = 0; k < 2; k++) {
        void *bytes;
        size_t size;
        must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
        must(pd_world_restore_from_memory(copy, bytes, size, &error), &error);
        free(bytes);
        step_many(copy, 5), step_many(world, 5);
        assert_true(pd_world_hash(copy) == pd_world_hash(world));
    }
    pd_world_destroy(world), pd_world_destroy(copy);
}

TEST_GROUP(settle) {
    const method_test tests[] = {
        OF_PARTICLES(test_pool_keeps_its_depth),
        OF_PARTICLES(test_rest_at_a_side_wall),
        OF_PARTICLES(test_other_fluid_does_not_move),
        OF_PARTICLES(test_drop_above_a_pool),
        OF_PARTICLES(test_all_beginnings_agree),
        OF_PARTICLES(test_pressure_is_the_weight),
        OF_PARTICLES(test_gravity_off),
        OF_PARTICLES(test_gravity_off_and_on_between_steps),
        OF_PARTICLES(test_snapshots_after_weaker_gravity),
    };
    return RUN_METHOD_TESTS(tests);
}
