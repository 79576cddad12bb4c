/* Steps without memory: each request of a step is refused, alone or with all that follow. The step has the same result as with
 * memory, or says that it has not; then its log ends before the step. */
#include "folder.h"
#include "logs.h"
#include "refusing.h"

static const char *const PATH = "test_allocator_steps.log";

enum { STEPS = 3 }; /* the first is refused memory */

typedef struct scenario {
    const char *name, *scene;
    bool pours; /* the pour tool is used in each step: the arrays grow in the first */
} scenario;

#define BOX "puddle: 1\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1}\nmaterials: {a: {color: '#ffffff'}"
#define DROPS                                                                                                          \
    "regions: [{shape: circle, center: [-0.3, 0], radius: 0.28, velocity: [2, -1], count: 200, material: a},\n"        \
    "          {shape: box, center: [0.5, -0.3], size: [0.8, 0.35], count: 200, material: a}]\n"
#define PADDLE                                                                                                         \
    "obstacles: [{shape: box, center: [0.3, 0.2], size: [0.3, 0.1], spin: 200, velocity: [0.4, 0], turn: 1}]\n"
#define JET "emitters: [{position: [-0.9, 0.2], direction: [1, 0], speed: 2, width: 0.3, rate: 300000, material: a}]\n"

static const scenario SCENARIOS[] = {
    {"ddr with a pour", BOX "}\n" DROPS PADDLE, true},
    {"ddr", BOX "}\n" DROPS PADDLE, false},
    {"ddr with lists",
     BOX "}\nregions: [{shape: box, center: [0.5, -0.2], size: [0.8, 0.5], count: 2600, material: a}]\n" PADDLE, false},
    {"ddr with springs",
     BOX ", b: {color: '#3a8fff', elasticity: 5}}\n"
         "regions: [{shape: circle, center: [0, 0], radius: 0.3, count: 300, material: b}]\n",
     false},
    {"ddr with tension", BOX ", b: {color: '#3a8fff', surface_tension: 0.5}}\n" DROPS, false},
    {"sph with a pour", BOX "}\nmethod: sph\n" DROPS PADDLE, true},
    {"sph", BOX "}\nmethod: sph\n" DROPS PADDLE, false},
    {"sph with tension", BOX ", b: {color: '#3a8fff', surface_tension: 0.5}}\nmethod: sph\n" DROPS, false},
    {"pbf with a pour", BOX "}\nmethod: pbf\n" DROPS PADDLE, true},
    {"pbf", BOX "}\nmethod: pbf\n" DROPS PADDLE, false},
    {"flip with a pour", BOX "}\nmethod: flip\nparameters: {flip: {resolution: 16}}\n" DROPS PADDLE, true},
    {"flip", BOX "}\nmethod: flip\nparameters: {flip: {resolution: 16, transfer: apic}}\n" DROPS PADDLE, false},
    {"grid with a pour", BOX "}\nmethod: grid\nparameters: {grid: {resolution: 16, viscosity: 0.01}}\n" DROPS PADDLE,
     true},
    {"grid with an emitter", BOX "}\nmethod: grid\nparameters: {grid: {resolution: 16}}\n" DROPS JET, false},
    {"vortex",
     BOX "}\nmethod: vortex\nparameters: {vortex: {core: 0.035}}\nvortons: [{position: [0.2, 0], circulation: 1, core: "
         "0.1}]\n" DROPS PADDLE,
     false},
};

/* The step number `step` of a scenario, without the log's part. */
static void advance(const scenario *s, pd_log *log, pd_world *world, int step) {
    pd_tool pour = {.kind = PD_TOOL_POUR, .position = {-0.4f + 0.2f * (float)step, 0.3f}, .radius = 0.15f};
    if (s->pours) order(log, world, (pd_command){PD_COMMAND_TOOL, .is.tool = pour});
}

typedef struct outcome {
    bool refused, starved;
    uint64_t hash; /* after the step that was refused memory */
} outcome;

/* The log's file leads to the world at its end. starved: the log ends at tick 0. */
static void expect_replay(pd_log *log, pd_world *world, bool starved) {
    pd_error error = {0};
    assert_int_equal(pd_log_was_refused_memory(log), starved);
    assert_int_equal(pd_log_end_tick(log), starved ? 0 : STEPS);
    if (starved) must(pd_log_seek(log, world, 0, &error), &error);
    if (starved) pd_log_replay_commands(log, world);
    uint64_t hash = pd_world_hash(world);
    must(pd_log_write(log, world, 0, PATH, &error), &error);
    pd_world *again;
    pd_log *read = reread(PATH, &again, 1, NULL);
    play_exactly(read, again, hash);
    discard(read, again);
    if (starved) return;
    must(pd_log_seek(log, world, 1, &error), &error); /* and from the log's own keyframes, back and forth */
    must(pd_log_seek(log, world, pd_log_end_tick(log), &error), &error);
    pd_log_replay_commands(log, world);
    assert_true(pd_world_hash(world) == hash);
    assert_true(pd_log_first_divergence(log) == PD_LOG_NEVER);
}

/* Refuses the n-th request of a step. recording: also those of the log after that step. */
static outcome run(const scenario *s, refusal mode, long n, bool recording) {
    long blocks = memory.blocks;
    pd_world *world = world_of_text(s->scene, 1);
    pd_log *log = log_of(world);
    outcome o = {0};
    for (int k = 0; k < STEPS; k++) {
        if (!o.starved) advance(s, log, world, k);
        if (k == 0) refuse(mode, n);
        pd_world_step(world);
        if (k == 0 && !recording) o.refused = was_refused();
        if (k == 0) o.starved = pd_world_was_refused_memory(world);
        pd_log_end_step(log, world);
        if (k == 0 && recording) o.refused = was_refused();
        if (k == 0) o.hash = pd_world_hash(world);
        if (k > 0) assert_false(pd_world_was_refused_memory(world));
    }
    expect_sound(world);
    expect_replay(log, world, o.starved);
    discard(log, world);
    if (memory.blocks != blocks) fail_msg("%s: %ld blocks are left", s->name, memory.blocks - blocks);
    return o;
}

static void refused_in_a_step(void **state) {
    static const refusal MODES[] = {REFUSE_ALL_FROM, REFUSE_ONE};
    const scenario *s = *state;
    outcome whole = run(s, REFUSE_NONE, 1, false);
    assert_false(whole.starved);
    for (int m = 0; m < 4; m++) {
        if (is_shortened() && m != 1 && m != 2) continue; /* one request; all of the step and the log */
        int starved = 0;
        long n = 1;
        for (outcome o; o = run(s, MODES[m % 2], n, m >= 2), o.refused; n += is_shortened() ? n : 1) {
            if (o.hash != whole.hash && !o.starved)
                fail_msg("%s: request %ld was refused, and the result differs without a word", s->name, n);
            starved += o.starved;
        }
        assert_true(n > 1);
        print_message("%s: %ld requests, %d times starved\n", s->name, n - 1, starved);
    }
}

TEST_GROUP(allocator_steps) {
    enum { COUNT = sizeof SCENARIOS / sizeof *SCENARIOS };
    struct CMUnitTest tests[COUNT];
    set_refusing_allocator();
    for (int k = 0; k < COUNT; k++)
        tests[k] =
            (struct CMUnitTest){SCENARIOS[k].name, refused_in_a_step, NULL, NULL, (void *)(uintptr_t)&SCENARIOS[k]};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
