/* Time that runs backwards, and seeking in parts: every state on the way is the recorded one, in bounded memory. */
#include "test.h"

#include "worlds.h"

static const char *const BUSY =
    "puddle: 1\nname: Busy\nparticles: 300\nseed: 7\ncontainer: {shape: box, width: 2, height: 1.2}\n"
    "materials: {a: {color: '#ffffff', mass: 1.3, elasticity: 300}, b water: {color: '#3a8fff'}}\n"
    "regions: [{shape: circle, center: [-0.4, 0], radius: 0.25, material: a},\n"
    "          {shape: box, center: [0.4, -0.3], size: [0.7, 0.4], material: b water, fill: random}]\n"
    "emitters: [{position: [0, 0.5], direction: [0.2, -1], speed: 0.5, width: 0.1, rate: 40, material: b water}]\n"
    "drains: [{shape: circle, center: [0.9, -0.5], radius: 0.1}]\n"
    "parameters: {grid: {resolution: 32}, flip: {resolution: 32}, vortex: {core: 0.15}}\n";

enum { TICKS = 330, LARGE = 64 << 20 };

typedef struct run {
    pd_world *world;
    pd_log *log;
    uint64_t hashes[TICKS + 1]; /* before the commands of each tick */
} run;

static void order(run *run, pd_command command) {
    pd_error error = {0};
    if (pd_log_do(run->log, run->world, &command, &error) != PD_OK) fail_msg("%s", error.message);
}

/* Strokes, methods, a reset, another number of particles and a restart. */
static void act(run *run, int tick) {
    static const char *const methods[] = {"sph", "pbf", "grid", "ddr"};
    pd_tool tool = {.kind = tick % 30 < 12 ? PD_TOOL_DRAG : PD_TOOL_NONE,
                    .position = {0.5f * cosf(0.1f * (float)tick), 0.1f},
                    .velocity = {1, 0.2f},
                    .radius = 0.2f};
    order(run, (pd_command){PD_COMMAND_TOOL, .is.tool = tool});
    if (tick % 70 == 35) {
        pd_command method = {.kind = PD_COMMAND_METHOD};
        strcpy(method.is.method, methods[tick / 70 % 4]);
        order(run, method);
    }
    if (tick == 101) order(run, (pd_command){.kind = PD_COMMAND_RESET});
    if (tick == 155) order(run, (pd_command){PD_COMMAND_PARTICLES, .is.particles = 350});
    if (tick == 222) order(run, (pd_command){.kind = PD_COMMAND_RESTART});
}

static void step(run *run) {
    pd_world_step(run->world);
    pd_log_end_step(run->log, run->world);
}

static void record(run *run, size_t budget) {
    pd_error error = {0};
    run->world = world_of_text(BUSY, 1);
    assert_int_equal(pd_log_create(&run->log, run->world, &error), PD_OK);
    if (budget > 0) pd_log_set_keyframe_budget(run->log, budget);
    for (int tick = 0; tick < TICKS; tick++) {
        run->hashes[tick] = pd_world_hash(run->world);
        act(run, tick);
        step(run);
    }
    run->hashes[TICKS] = pd_world_hash(run->world);
}

static void discard(run *run) {
    pd_log_destroy(run->log);
    pd_world_destroy(run->world);
}

static pd_reverse *reverse_of(const run *run, size_t bytes) {
    pd_reverse *reverse;
    pd_error error = {0};
    if (pd_reverse_create(&reverse, run->world, bytes, &error) != PD_OK) fail_msg("%s", error.message);
    return reverse;
}

/* One tick for each of at most `work` parts of a step: to tick `goal`, and on from there as if it had never gone further. */
static void every_tick_backwards(void **state) {
    (void)state;
    static const size_t budgets[] = {0, 300000}; /* of keyframes: a second apart, or thinned out */
    for (int k = 0; k < 2; k++) {
        static run run, straight;
        enum { GOAL = 20 };
        record(&run, budgets[k]);
        pd_reverse *reverse = reverse_of(&run, LARGE);
        pd_world_step_part(run.world, 0); /* an unfinished step is given up */
        uint64_t tick = TICKS;
        for (int frame = 0; tick > GOAL; frame++) {
            assert_true(frame < 100 * TICKS);
            while (pd_reverse_state_count(reverse) == 0) pd_reverse_compute_states(reverse, run.log, 0, 1);
            assert_int_equal(pd_reverse_go_back(reverse, run.log, run.world, 1), 1);
            assert_int_equal(pd_log_tick(run.log), --tick);
            assert_int_equal(pd_log_end_tick(run.log), TICKS);
            assert_true(pd_world_hash(run.world) == run.hashes[tick]);
            if (frame % 3) pd_reverse_compute_states(reverse, run.log, 0, 1);
            assert_true(pd_reverse_state_bytes(reverse) <= LARGE &&
                        (!k || pd_log_keyframe_bytes(run.log) <= budgets[k]));
        }
        assert_int_equal(pd_reverse_go_back(reverse, run.log, run.world, 0), 0);
        pd_log_remove_future(run.log);
        pd_reverse_destroy(reverse);
        straight.world = world_of_text(BUSY, 1);
        assert_int_equal(pd_log_create(&straight.log, straight.world, NULL), PD_OK);
        for (int t = 0; t < GOAL; t++) act(&straight, t), step(&straight);
        for (int t = 200; t < 260; t++) act(&straight, t), step(&straight), act(&run, t), step(&run);
        assert_true(pd_world_hash(straight.world) == pd_world_hash(run.world));
        assert_int_equal(pd_log_commands(straight.log), pd_log_commands(run.log));
        discard(&run), discard(&straight);
    }
}

/* Several ticks at a time, with less memory than a second of states needs, and without any work on states: larger jumps, and every
 * state is still the recorded one. The beginning is reached, and no further. */
static void larger_jumps(void **state) {
    (void)state;
    static const size_t limits[] = {LARGE, 500000, 10};
    static run run;
    record(&run, 0);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(pd_log_seek(run.log, run.world, TICKS, NULL), PD_OK);
        pd_reverse *reverse = reverse_of(&run, limits[k]);
        uint64_t tick = TICKS, owed = 0, jumps = 0;
        for (int frame = 0; tick > 0; frame++) {
            assert_true(frame < 100 * TICKS);
            owed += 3;
            if (frame % 4) pd_reverse_compute_states(reverse, run.log, 0, 1);
            uint64_t gone = pd_reverse_go_back(reverse, run.log, run.world, owed);
            owed = owed > gone ? owed - gone : 0;
            jumps += gone > 3;
            tick -= gone;
            assert_int_equal(pd_log_tick(run.log), tick);
            assert_true(pd_world_hash(run.world) == run.hashes[tick]);
            assert_true(pd_reverse_state_bytes(reverse) <= limits[k]);
        }
        assert_true(jumps > 0);
        assert_int_equal(pd_reverse_go_back(reverse, run.log, run.world, 100), 0);
        pd_reverse_destroy(reverse);
    }
    discard(&run);
}

/* Time that ran backwards may go forward again, and elsewhere. */
static void there_and_back(void **state) {
    (void)state;
    static run run;
    record(&run, 0);
    pd_reverse *reverse = reverse_of(&run, LARGE);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(pd_log_seek(run.log, run.world, 300, NULL), PD_OK);
        pd_reverse_free_states(reverse);
        assert_int_equal(pd_reverse_state_bytes(reverse), 0);
        for (int k = 0; k < 25 + round; k++) {
            while (pd_reverse_state_count(reverse) == 0) pd_reverse_compute_states(reverse, run.log, 0, 1);
            pd_reverse_go_back(reverse, run.log, run.world, 1);
        }
        assert_int_equal(pd_log_tick(run.log), 275 - round);
        while (pd_log_tick(run.log) < TICKS) pd_log_replay_commands(run.log, run.world), step(&run);
        assert_true(pd_world_hash(run.world) == run.hashes[TICKS]);
        assert_true(pd_log_first_divergence(run.log) == PD_LOG_NEVER);
    }
    pd_reverse_destroy(reverse);
    discard(&run);
}

/* A seek in parts arrives at the same state, whatever it was begun for and wherever it was interrupted. */
static void seeking_in_parts(void **state) {
    (void)state;
    static run run;
    unsigned random = 4711;
    record(&run, 150000);
    for (int k = 0; k < 40; k++) {
        random = random * 1103515245u + 12345u;
        uint64_t tick = random / 7 % (TICKS + 1);
        bool arrived = false;
        for (int part = 0; !arrived && (k % 4 != 3 || part < 20); part++) {
            assert_true(part < 100 * TICKS);
            assert_int_equal(pd_log_seek_part(run.log, run.world, tick, 1e-9, &arrived, NULL), PD_OK);
        }
        if (!arrived) continue; /* another one goes on from the middle of this */
        assert_false(pd_world_stepping(run.world));
        assert_int_equal(pd_log_tick(run.log), tick);
        assert_true(pd_world_hash(run.world) == run.hashes[tick]);
    }
    assert_true(pd_log_first_divergence(run.log) == PD_LOG_NEVER);
    discard(&run);
}

TEST_GROUP(reverse) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tick_backwards),
        cmocka_unit_test(larger_jumps),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(seeking_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
