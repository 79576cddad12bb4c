/* Emission: which candidates become particles. */
#include "worlds.h"

#include "sim/sources/compartments.h"
#include "sim/sources/sources.h"

/* Two emitters that face each other, close enough to block each other, and a third with an obstacle at its mouth. */
#define CROWDED                                                                                                        \
    "puddle: 1\ngravity: [0, -2]\ncontainer: {shape: box, width: 2, height: 1}\nparticles: 900\n"                      \
    "regions: [{shape: box, center: [0, -0.3], size: [1.6, 0.3]}]\n"                                                   \
    "obstacles: [{shape: box, center: [0.7, 0.2], size: [0.3, 0.2], angle: 20}]\n"                                     \
    "emitters:\n"                                                                                                      \
    "  - {position: [-0.3, 0.1], direction: [1, -0.2], speed: 2, width: 0.5, rate: 9000}\n"                            \
    "  - {position: [-0.2, 0.1], direction: [-1, -0.3], speed: 1, width: 0.4, rate: 7000}\n"                           \
    "  - {position: [0.7, 0.2], direction: [0, -1], speed: 3, width: 0.3, rate: 4000, from: 0.05}\n"

/* Whether a particle is near the mouth and nearer to a point than another may be, among the first `count`. */
static bool occupied(const pd_world *world, const pd_emitter *e, int count, pd_vec2 point) {
    const pd_particles *p = &world->particles;
    float free_distance = 0.6f * world->resolution.spacing;
    float reach = e->width / 2 + e->speed * world->scene.dt + free_distance;
    for (int i = 0; i < count; i++) {
        float to_x = p->x[i] - e->position.x, to_y = p->y[i] - e->position.y;
        float dx = p->x[i] - point.x, dy = p->y[i] - point.y;
        if (to_x * to_x + to_y * to_y < reach * reach && dx * dx + dy * dy < free_distance * free_distance) return true;
    }
    return false;
}

/* What one emitter does in a step, by brute force: all births since its start are counted, and every candidate is
 * compared with every particle near the mouth. Returns the number of candidates. */
static int emit_by_brute_force(pd_world *world, int index) {
    const pd_emitter *e = &world->scene.emitters[index];
    pd_particles *p = &world->particles;
    double begin = pd_world_time(world), from = fmax(begin, e->from), until = fmin(begin + world->scene.dt, e->until);
    if (!(until > from)) return 0;
    double spacing = (double)world->resolution.spacing, room = (double)e->speed * e->width / e->rate, crowding = 1;
    bool nozzle = room > 0.7 * spacing * spacing;
    double area = fmax(room, pow((double)0.6f * spacing, 2)), columns = round(e->width / sqrt(area * sqrt(0.75)));
    double distance = e->width / columns;
    if (nozzle) {
        double reach = fmax(e->width - 2 * (double)world->method->law->jet_inset * spacing, e->width / 4),
               spacings = reach / sqrt(area);
        columns = round(fmax(1.1 * spacings, fmin(1 + spacings / 0.68, 6)));
        distance = reach / (columns - 1);
        crowding = 1.58;
    }
    assert_true(columns > 1);
    double emitted = (double)world->emitted[index] + world->emitted_fraction[index];
    double due = emitted + e->rate * (until - from), interval = columns + 2 * (crowding - 1);
    float length = hypotf(e->direction.x, e->direction.y);
    float along_x = e->direction.x / length, along_y = e->direction.y / length;
    int before = p->count, candidates = 0, most = (int)(due - emitted + columns) + 1;
    int free_places = pd_compartments_limit_emission(world, index, most);
    bool rejected = false;
    assert_int_equal(pd_world_reserve_particles(world, p->count + most, NULL), PD_OK);
    for (int c = 0; c < (int)columns; c++) {
        double pause = c == 0 || c == (int)columns - 1 ? interval / crowding : interval;
        double across = (c - 0.5 * (columns - 1)) * distance;
        for (double n = c & 1 ? 0.25 : 0.75; n * pause <= due; n++) {
            if (n * pause <= emitted) continue;
            double ahead = e->speed * (due - n * pause) / e->rate;
            pd_vec2 point = {(float)(e->position.x + along_x * ahead - along_y * across),
                             (float)(e->position.y + along_y * ahead + along_x * across)};
            candidates++;
            pd_boundary_push_out_of_walls(world->boundary, &point);
            if (free_places <= 0) continue;
            if (occupied(world, e, before, point)) {
                rejected = true;
                continue;
            }
            pd_particles_add(p, point, (pd_vec2){along_x * e->speed, along_y * e->speed}, e->material);
            free_places--;
        }
    }
    if (rejected || free_places > 0) pd_nozzle_push_fluid(world, index, rejected);
    world->emitted[index] = (uint64_t)due;
    world->emitted_fraction[index] = due - floor(due);
    return candidates;
}

static pd_world *copy_of(const pd_world *world) {
    void *bytes;
    size_t size;
    pd_error error = {0};
    pd_world *copy = world_of_text("puddle: 1\n", 1);
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    if (pd_world_restore_from_memory(copy, bytes, size, &error) != PD_OK) fail_msg("%s", error.message);
    free(bytes);
    return copy;
}

/* The search by cells rejects exactly the candidates that a comparison with every particle near the mouth rejects. */
static void test_occupied_candidates_are_rejected(void **state) {
    (void)state;
    pd_world *world = world_of_text(CROWDED, 1);
    int rejected = 0, emitted = 0;
    for (int i = 0; i < 40; i++) {
        pd_world *expected = copy_of(world);
        int before = expected->particles.count, due = 0;
        for (int e = 0; e < expected->scene.emitter_count; e++) due += emit_by_brute_force(expected, e);
        pd_world *actual = copy_of(world);
        pd_world_emit_particles(actual);
        assert_true(pd_world_hash(actual) == pd_world_hash(expected));
        for (int e = 0; e < expected->scene.emitter_count; e++) {
            assert_true(actual->emitted[e] == expected->emitted[e]);
            assert_true(actual->emitted_fraction[e] == expected->emitted_fraction[e]);
        }
        emitted += expected->particles.count - before;
        rejected += due - (expected->particles.count - before);
        pd_world_destroy(expected);
        pd_world_destroy(actual);
        pd_world_step(world);
    }
    print_message("%d emitted, %d rejected\n", emitted, rejected);
    assert_true(emitted > 1000 && rejected > 1000);
    pd_world_destroy(world);
}

/* The greatest speed of particles in a lane that ends at x = 0.9. */
static double fastest_in_lane(const pd_world *world, double lane) {
    const pd_particles *p = &world->particles;
    double fastest = 0;
    for (int i = 0; i < p->count; i++)
        if (p->x[i] < 0.8f && fabs((double)p->y[i]) < lane / 2)
            fastest = fmax(fastest, hypot((double)p->vx[i], (double)p->vy[i]));
    return fastest;
}

/* An emitter in a lane between two walls that fluid at rest fills, also its mouth: it pushes the fluid out of the open end and
 * goes on, at more than half of its rate: each time that the mouth is covered, what the nozzle takes along leaves room for the
 * jet. No particle in the lane gets a multiple of the jet's speed, as after a burst: single ones at the open end have up to 1.7
 * m/s (pbf). */
static void test_jets_push_fluid_out_of_lanes(void **state) {
    (void)state;
    skip_under_sanitizers();
    static const char *const methods[] = {"ddr", "sph", "pbf"};
    const double spacing = 0.03, lanes[] = {3, 5}, mouths[] = {0.6, 0.5}, speed = 0.6;
    for (int k = 0; k < 6; k += in_short_run() ? 2 : 1) {
        double lane = lanes[k / 3] * spacing, width = mouths[k / 3] * lane, rate = speed * width / (spacing * spacing);
        char text[1000];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: %s\nparticles: %d\ncontainer: {shape: box, width: 3, height: 3}\n"
                 "obstacles: [{shape: box, center: [-0.3, %g], size: [2.4, 0.04]}, {shape: box, center: [-0.3, %g], "
                 "size: [2.4, 0.04]}, {shape: box, center: [-1.52, 0], size: [0.04, %g]}]\n"
                 "regions: [{shape: box, center: [-0.3, 0], size: [2.352, %g]}]\n"
                 "emitters: [{position: [-1.2, 0], direction: [1, 0], width: %g, speed: %g, rate: %g}]\n",
                 methods[k % 3], (int)(2.4 * lane * 0.9 / (spacing * spacing)), lane / 2 + 0.02, -lane / 2 - 0.02,
                 lane + 0.08, 0.9 * lane, width, speed, rate);
        pd_world *world = world_of_text(text, 1);
        step_many(world, 200);
        int before = world->particles.count;
        double fastest = 0;
        for (int i = 0; i < 200; i++) {
            pd_world_step(world);
            fastest = fmax(fastest, fastest_in_lane(world, lane));
        }
        double part = (world->particles.count - before) / (rate * 200 / 60);
        print_message("%s, %g spacings: %.2f of what is due, up to %.2f m/s\n", methods[k % 3], lanes[k / 3], part,
                      fastest);
        assert_true(part > 0.5);
        assert_true(fastest < 4 * speed);
        pd_world_destroy(world);
    }
}

/* Water that fills a box of 2 x 1 m up to the height `top`, under an emitter at its middle. */
static pd_world *pool_of(const char *method, double top, double width, double speed, double rate) {
    char text[600];
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\nparticles: 1500\ncontainer: {shape: box, width: 2, height: 1}\n"
             "regions: [{shape: box, center: [0, %g], size: [2, %g]}]\n"
             "emitters: [{position: [-0.2, 0], direction: [1, 0], width: %g, speed: %g, rate: %g}]\n",
             method, (top - 0.5) / 2, top + 0.5, width, speed, rate);
    return world_of_text(text, 1);
}

/* The momentum along the jet of an emitter in a pool, in units of the particles' number times m/s, at most within some steps. */
static double most_momentum(pd_world *world, int steps) {
    const pd_particles *p = &world->particles;
    double most = 0;
    for (int i = 0; i < steps; i++) {
        double sum = 0;
        pd_world_step(world);
        for (int k = 0; k < p->count; k++) sum += fabs((double)p->vx[k]);
        most = fmax(most, sum);
    }
    return most;
}

static const char *const nozzle_methods[] = {"ddr", "sph", "pbf"};

/* A dripper in a pool: an emitter with few particles and a wide mouth. All its particles enter between those of the pool. They do
 * not drive the fluid in the mouth along. The pool has at most the momentum that it has without an emitter, that of the
 * particles emitted, and as much again: that of the fluid that they displace. A piston would give it 470. */
static void test_drippers_do_not_pump(void **state) {
    (void)state;
    skip_under_sanitizers();
    for (int k = 0; k < 3; k++) {
        pd_world *still = pool_of(nozzle_methods[k], 0.2, 0.5, 2, 1e-3);
        const double speed = 2, rate = 20;
        const int steps = fewer_frames(100, 50);
        pd_world *drips = pool_of(nozzle_methods[k], 0.2, 0.5, speed, rate);
        step_many(still, steps);
        step_many(drips, steps);
        double rest = most_momentum(still, steps), most = most_momentum(drips, steps);
        print_message("%s: %.2f, without an emitter %.2f\n", nozzle_methods[k], most, rest);
        assert_true(most < rest + 2 * speed * rate * 2 * steps / 60);
        assert_in_range(drips->particles.count - still->particles.count, rate * 2 * steps / 60 - 3,
                        rate * 2 * steps / 60 + 1);
        pd_world_destroy(still);
        pd_world_destroy(drips);
    }
}

/* Returns the mean speed of a jet along its direction, 8 to 44 spacings before its mouth, in units of the emitter's speed.
 * There is no gravity, and what comes to the other end is drained. The mean is over a second, after the jet has crossed the
 * box. mouth: width of the mouth in spacings. */
static double relative_speed_of_jet(const char *method, int mouth) {
    const double spacing = 0.02, speed = 1.5;
    char text[600];
    snprintf(text, sizeof text,
             "puddle: 1\nmethod: %s\nparticles: 100\ngravity: [0, 0]\ncontainer: {shape: box, width: 3, height: 1.2}\n"
             "regions: [{shape: box, center: [0, -0.5], size: [0.2, 0.2]}]\n"
             "emitters: [{position: [-1.3, 0.1], direction: [1, 0], width: %g, speed: %g, rate: %g}]\n"
             "drains: [{shape: box, center: [1.2, 0], size: [0.6, 1.2]}]\n",
             method, mouth * spacing, speed, speed * mouth / spacing);
    pd_scene scene = scene_of_text(text);
    pd_world *world = world_of(&scene, 1);
    const pd_particles *p = &world->particles;
    double sum = 0, count = 0;
    assert_true(fabs((double)world->resolution.spacing - spacing) < 1e-4);
    step_many(world, 130);
    for (int step = 0; step < 60; step++) {
        pd_world_step(world);
        for (int i = 0; i < p->count; i++) {
            double ahead = ((double)p->x[i] + 1.3) / spacing;
            if (ahead < 8 || ahead > 44 || p->y[i] < -0.3f) continue;
            sum += (double)p->vx[i] / speed;
            count++;
        }
    }
    pd_world_destroy(world);
    pd_scene_free(&scene);
    return sum / count;
}

static void test_jets_have_their_speed(void **state) {
    (void)state;
    skip_under_sanitizers();
    static const int mouths[] = {5, 6, 8, 12};
    for (int k = 1; k <= 12; k += in_short_run() ? 5 : 1) {
        double speed = relative_speed_of_jet(nozzle_methods[k % 12 / 4], mouths[k % 4]);
        print_message("%s: a jet from a mouth of %d spacings has %.3f of its speed\n", nozzle_methods[k % 12 / 4],
                      mouths[k % 4], speed);
        assert_true(fabs(speed - 1) < 0.065);
    }
}

/* A pool of this method that fills its box, under an emitter whose jet has the density of the fluid at rest. */
static pd_world *full_pool_of(const char *method) {
    const double speed = 0.6, width = 0.3, particles_per_area = 1500 / 2.0;
    return pool_of(method, 0.5, width, speed, speed * width * particles_per_area);
}

/* In a container full of fluid at rest an emitter fills what room the fluid's weight has left, at most a fifth of its area.
 * Then it is blocked: it emits nothing, and pushes nothing. The fluid comes to rest: it is left with less than a hundredth of
 * the energy that it has at the jet's speed. No particle is lost. */
static void test_full_containers_stay_at_rest(void **state) {
    (void)state;
    skip_under_sanitizers();
    const int frames = fewer_frames(1600, 1200);
    for (int k = 0; k < (in_short_run() ? 1 : 3); k++) {
        pd_world *world = full_pool_of(nozzle_methods[k]);
        int start = world->particles.count, count = start;
        double rms = 0;
        for (int i = 0; i < frames; i++) {
            int before = world->particles.count;
            pd_statistics s;
            pd_world_step(world);
            pd_world_statistics(world, &s);
            assert_true(s.particles >= before);
            if (i >= frames - 200) rms = fmax(rms, s.rms_speed);
            if (i == frames - 200) count = s.particles;
        }
        print_message("%s: rms %.3f m/s, %d particles, of %d\n", nozzle_methods[k], rms, count, start);
        assert_true(rms < 0.05);
        assert_int_equal(world->particles.count, count);
        assert_true(count < 1.2 * start);
        pd_world_destroy(world);
    }
}

static bool in_nozzle(const pd_world *world, float x, float y) {
    const pd_emitter *e = &world->scene.emitters[0];
    float length = 3 * world->resolution.spacing + e->speed * world->scene.dt;
    return x >= e->position.x && x <= e->position.x + length && fabsf(y - e->position.y) <= e->width / 2;
}

/* What a blocked nozzle takes along gets the jet's speed, but fluid that crosses it and is faster keeps its velocity. */
static void test_faster_fluid_is_not_taken(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        pd_world *world = full_pool_of(nozzle_methods[k]);
        const pd_particles *p = &world->particles;
        int slow = 0, fast = 0;
        step_many(world, 1);
        for (int i = 0; i < p->count; i++) {
            p->density[i] *= 0.5f; /* there is room */
            p->vx[i] = i % 2 ? 1.5f : 0.3f;
            p->vy[i] = 0.1f;
        }
        pd_nozzle_push_fluid(world, 0, true);
        for (int i = 0; i < p->count; i++) {
            if (!in_nozzle(world, p->x[i], p->y[i])) continue;
            assert_true(p->vx[i] == (i % 2 ? 1.5f : 0.6f) && p->vy[i] == (i % 2 ? 0.1f : 0));
            (*(i % 2 ? &fast : &slow))++;
        }
        assert_true(slow > 4 && fast > 4);
        pd_world_destroy(world);
    }
}

/* Particles that move towards the mouth from behind, faster than the jet, do not pass it: they would take the place of new ones. */
static void test_mouths_are_closed_behind(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        pd_world *world = full_pool_of(nozzle_methods[k]);
        const pd_emitter *e = &world->scene.emitters[0];
        const pd_particles *p = &world->particles;
        float spacing = world->resolution.spacing;
        for (int i = 0; i < p->count; i++) world->flags[i] = true;
        pd_particles_remove_flagged(&world->particles, world->flags);
        step_many(world, 20);
        int emitted = p->count;
        assert_true(emitted > 20);
        uint32_t first = 0;
        for (int i = 0; i < p->count; i++) first = p->id[i] > first ? p->id[i] : first;
        for (int row = -1; row <= 1; row++) {
            pd_vec2 point = {e->position.x - 2 * spacing, e->position.y + (float)row * 2 * spacing};
            pd_particles_add(&world->particles, point, (pd_vec2){1.5f, 0}, 0);
        }
        for (int step = 0; step < 8; step++) {
            pd_world_step(world);
            for (int i = 0; i < p->count; i++)
                if (p->id[i] > first && p->id[i] <= first + 3) assert_true(p->x[i] < e->position.x - 0.5f * spacing);
        }
        assert_true(p->count > emitted + 3 + 8);
        pd_world_destroy(world);
    }
}

/* A world saved while fluid covers the mouths of emitters goes on as the one that was not. */
static void test_blocked_nozzles_in_snapshots(void **state) {
    (void)state;
    const int rounds = fewer_frames(12, 6);
    for (int k = 0; k < 3; k++) {
        pd_world *world = full_pool_of(nozzle_methods[k]);
        int waits = 0;
        for (int i = 0; i < rounds; i++) {
            step_many(world, 5);
            pd_world *copy = copy_of(world);
            for (int j = 0; j < 4; j++) {
                int before = pd_world_particles(world);
                pd_world_step(world);
                pd_world_step(copy);
                waits += pd_world_particles(world) == before;
                assert_true(pd_world_hash(copy) == pd_world_hash(world));
            }
            pd_world_destroy(copy);
        }
        print_message("%s: %d times nothing was emitted\n", nozzle_methods[k], waits);
        assert_true(12 * waits > 10 * rounds); /* the mouth was covered in a fifth of the steps and more */
        pd_world_destroy(world);
    }
}

/* A count of emitted particles beyond what doubles resolve would let an emission go on for ever. */
static void test_impossible_counts_are_refused(void **state) {
    (void)state;
    pd_error error = {0};
    void *bytes;
    size_t size;
    pd_world *world = world_of_text(CROWDED, 1), *loaded = world_of_text("puddle: 1\n", 1);
    world->emitted[1] = UINT64_MAX;
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    assert_int_equal(pd_world_restore_from_memory(loaded, bytes, size, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_SNAPSHOT_BROKEN);
    free(bytes);
    pd_world_destroy(loaded);
    pd_world_destroy(world);
}

/* Two emitters in one place fill their mouth with fluid that is denser than either's; the air before it is free, and both go on. */
static void test_emitters_share_a_mouth(void **state) {
    (void)state;
#define PLUME                                                                                                          \
    "puddle: 1\nmethod: sph\ngravity: [0, -9.81]\nparticles: 1\ncontainer: {shape: box, width: 1.2, height: 1.6}\n"    \
    "emitters:\n  - {position: [0, -0.8], direction: [0, 1], speed: 0.4, width: 0.14, rate: 60}\n"
    static const char *const scenes[] = {
        PLUME, PLUME "  - {position: [0, -0.8], direction: [0, 1], speed: 0.4, width: 0.06, rate: 60}\n"};
    const double due = 60 * 200 / 60; /* of one emitter */
    int count[2];
    for (int k = 0; k < 2; k++) {
        pd_world *world = world_of_text(scenes[k], 1);
        step_many(world, 200);
        count[k] = world->particles.count;
        pd_world_destroy(world);
    }
    print_message("one emits %d, two emit %d\n", count[0], count[1]);
    assert_true(count[0] > 0.8 * due && count[1] > 0.7 * 2 * due);
}

TEST_GROUP(emit) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_occupied_candidates_are_rejected),
        cmocka_unit_test(test_jets_push_fluid_out_of_lanes),
        cmocka_unit_test(test_drippers_do_not_pump),
        cmocka_unit_test(test_jets_have_their_speed),
        cmocka_unit_test(test_full_containers_stay_at_rest),
        cmocka_unit_test(test_faster_fluid_is_not_taken),
        cmocka_unit_test(test_mouths_are_closed_behind),
        cmocka_unit_test(test_emitters_share_a_mouth),
        cmocka_unit_test(test_blocked_nozzles_in_snapshots),
        cmocka_unit_test(test_impossible_counts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
