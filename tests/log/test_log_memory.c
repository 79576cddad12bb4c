/* Without memory: what a run did then is in its log, which replays on a machine that has the memory. */
#include "core/memory.h"
#include "folder.h"
#include "logs.h"
#include "scene/edit.h"

#include <stdint.h>

static const char *POOL =
    "puddle: 1\nname: Pool\nparticles: 1500\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1.4}\n"
    "materials: {a: {color: '#ffffff'}, b: {color: '#3a8fff'}}\n"
    "regions: [{shape: box, center: [0, -0.45], size: [2, 0.5], material: b}]\n";
static const char *SMALL_POOL =
    "puddle: 1\nname: Small pool\nparticles: 300\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1.4}\n"
    "materials: {a: {color: '#ffffff'}}\nregions: [{shape: box, center: [0, -0.45], size: [2, 0.5], material: a}]\n"
    "parameters: {flip: {resolution: 16}}\n";
/* Without gravity no fluid settles: the first step asks for the neighbour lists. */
static const char *WEIGHTLESS =
    "puddle: 1\nname: Weightless\nparticles: 3000\nsubsteps: 2\ngravity: [0, 0]\n"
    "container: {shape: box, width: 2, height: 1.4}\nmaterials: {a: {color: '#ffffff'}, b: {color: '#3a8fff'}}\n"
    "regions: [{shape: box, center: [0, -0.45], size: [2, 0.5], material: b}]\n";
static const char *JET =
    "puddle: 1\nname: Jet\nparticles: 100\nsubsteps: 1\ncontainer: {shape: box, width: 8, height: 8}\n"
    "materials: {a: {color: '#ffffff'}}\nregions: [{shape: box, center: [0, -3.8], size: [0.2, 0.2], material: a}]\n"
    "emitters: [{position: [-3.9, 0], direction: [1, 0], speed: 5, width: 7, rate: 60000, material: a}]\n";

static const char *const PATH = "test_log_memory.log";

/* ---- Memory that is refused ---- */

static const pd_world *starved;        /* memory for more of its particles is refused */
static size_t refused_size = SIZE_MAX; /* the next array of at least so many bytes is refused, once */
static int passed;                     /* so many of these arrays are given before it */
static size_t refused_block;           /* blocks of so many bytes are refused */

/* Sizes of arrays for SIMD (core/memory.h): a multiple of the alignment, and room to align the array. */
static bool is_array(size_t size) { return size % PD_ALIGNMENT == sizeof(void *); }

/* What a step asks for in its first stage is memory for more particles, or a list that grows by whole KiB (sim/tools/calm.h,
 * sim/sources/nozzle.h). */
static bool is_growth(size_t size) {
    return starved && starved->profile.stage_count == 0 && (size - PD_ALIGNMENT - sizeof(void *)) % 1024 != 0;
}

static void *allocate(size_t size, void *user) {
    (void)user;
    if (is_array(size) && is_growth(size)) return NULL;
    if (is_array(size) && size >= refused_size && passed-- == 0) {
        passed = 0;
        refused_size = SIZE_MAX;
        return NULL;
    }
    return size == refused_block ? NULL : malloc(size);
}

static void *resize(void *memory, size_t size, void *user) {
    (void)user;
    return realloc(memory, size);
}

static void release(void *memory, void *user) {
    (void)user;
    free(memory);
}

/* ---- Particles for which there was no memory ---- */

enum { TICKS = 100, SHORT = 35 /* no memory from this tick on */ };

static pd_command pour(int tick) {
    return (pd_command){
        PD_COMMAND_TOOL,
        .is.tool = {.kind = PD_TOOL_POUR, .position = {0.015f * (float)(tick - TICKS / 2), 0.3f}, .radius = 0.35f}};
}

/* Runs with the memory for more particles refused from the tick SHORT on. hashes: before the commands of each tick. */
static pd_log *run_short(pd_world **world, const char *scene, uint64_t hashes[TICKS + 1]) {
    pd_error error = {0};
    *world = world_of_text(scene, 1);
    pd_log *log = log_of(*world);
    assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
    int emitters = pd_world_scene(*world)->emitter_count;
    for (int tick = 0; tick < TICKS; tick++) {
        hashes[tick] = pd_world_hash(*world);
        if (emitters == 0 && tick > 10) order(log, *world, pour(tick));
        int capacity = (*world)->particles.capacity;
        pd_world_reset_profile(*world);
        if (tick >= SHORT || emitters > 0) starved = *world;
        step(log, *world);
        starved = NULL;
        if (tick >= SHORT) assert_int_equal((*world)->particles.capacity, capacity);
    }
    hashes[TICKS] = pd_world_hash(*world);
    assert_int_equal(pd_world_particles(*world), (*world)->particles.capacity);
    return log;
}

static void recorded_where_memory_ran_out(void **state) {
    uint64_t hashes[TICKS + 1];
    pd_world *world, *again;
    pd_error error = {0};
    pd_log *log = run_short(&world, *(const char **)*state, hashes);
    /* Any tick can be had again, from keyframes before and after. */
    static const int ticks[] = {20, TICKS, SHORT + 1, 90, SHORT, 75, 10};
    for (size_t k = 0; k < sizeof ticks / sizeof *ticks; k++) {
        assert_int_equal(pd_log_seek(log, world, (uint64_t)ticks[k], &error), PD_OK);
        assert_true(pd_world_hash(world) == hashes[ticks[k]]);
    }
    play_exactly(log, world, hashes[TICKS]);
    /* The file that was written as it grew, one that is written now, and its end alone. */
    assert_int_equal(pd_log_end_autosave(log, world, &error), PD_OK);
    for (int way = 0; way < 3; way++) {
        if (way > 0) assert_int_equal(pd_log_write(log, world, way == 1 ? 0 : 80, PATH, &error), PD_OK);
        pd_log *read = reread(PATH, &again, 1, NULL);
        play_exactly(read, again, hashes[TICKS]);
        for (int k = 0; k < 20; k++) pd_world_step(again);
        discard(read, again);
    }
    discard(log, world);
}

/* A reset tries anew. */
static void memory_that_comes_back(void **state) {
    (void)state;
    uint64_t hashes[TICKS + 1];
    pd_world *world;
    pd_log *log = run_short(&world, POOL, hashes);
    int most = pd_world_particles(world);
    order(log, world, (pd_command){.kind = PD_COMMAND_RESET});
    for (int tick = 0; tick < TICKS; tick++) {
        order(log, world, pour(tick));
        step(log, world);
    }
    assert_true(pd_world_particles(world) > most);
    expect_followed(log, world, PATH);
}

/* What the world found is no act of a person: it is neither undone alone, nor does it part a stroke. */
static void undoing_across_it(void **state) {
    (void)state;
    uint64_t hashes[TICKS + 1], steps;
    pd_world *world;
    pd_error error = {0};
    pd_log *log = run_short(&world, POOL, hashes);
    assert_true(pd_log_can_undo(log, &steps));
    assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
    assert_true(pd_world_hash(world) == hashes[11]); /* before the stroke */
    assert_int_equal(pd_log_redo(log, world, &error), PD_OK);
    assert_true(pd_world_hash(world) == hashes[TICKS]);
    expect_followed(log, world, PATH);
    log = run_short(&world, JET, hashes);
    assert_false(pd_log_can_undo(log, &steps));
    discard(log, world);
}

/* A step that is refused the first array that it asks for. recorded: there is memory for its state in the log. */
static void step_starved(pd_log *log, pd_world *world, bool recorded) {
    refused_size = 0;
    pd_world_step(world);
    assert_int_equal(refused_size, SIZE_MAX);
    assert_true(pd_world_was_refused_memory(world));
    pd_command state;
    assert_int_equal(pd_command_state(&state, world, NULL), PD_OK);
    if (!recorded) refused_block = strlen(state.is.state) + 1;
    pd_command_free(&state);
    pd_log_end_step(log, world);
    refused_block = 0;
}

/* ---- Commands for which there was no memory ---- */

static const char *const EDIT = "edit {drains: {0: {shape: circle, center: [0.9, 0.6], radius: 0.05}}}";

/* A command is applied and in the log, or neither; an undone one comes back as a whole. */
static void commands_without_memory(void **state) {
    (void)state;
    pd_world *world = world_of_text(POOL, 1);
    pd_log *log = log_of(world);
    pd_error error = {0};
    pd_command edit = command_of_line(EDIT, NULL);
    pd_command method = {PD_COMMAND_METHOD, .is.method = "flip"};
    assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
    for (int k = 0; k < 5; k++) step(log, world);
    uint64_t before = pd_world_hash(world);
    refused_block = sizeof(pd_edit);
    assert_int_equal(pd_log_do(log, world, &edit, &error), PD_FAILED);
    refused_block = 0;
    for (size_t size = 1 << 20; size >= 64;
         size /= 2) { /* blocks of one size after another, until the switch succeeds */
        refused_size = size;
        pd_result result = pd_log_do(log, world, &method, &error);
        bool refused = refused_size == SIZE_MAX;
        refused_size = SIZE_MAX;
        assert_int_equal(result, refused ? PD_FAILED : PD_OK);
        assert_int_equal(pd_log_commands(log), !refused);
        if (!refused) assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
        assert_true(pd_world_hash(world) == before);
    }
    order(log, world, edit);
    for (int k = 0; k < 5; k++) step(log, world);
    uint64_t after = pd_world_hash(world);
    assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
    refused_block = sizeof(pd_edit);
    assert_int_equal(pd_log_redo(log, world, &error), PD_OK);
    refused_block = 0;
    assert_true(pd_world_hash(world) == after);
    assert_int_equal(pd_log_commands(log), 1);
    pd_command_free(&edit);
    expect_followed(log, world, PATH);
}

/* Time that runs backwards gives up the states behind a command for which its world had no memory, and computes them again. */
static void backwards_without_memory(void **state) {
    (void)state;
    enum { SWITCH = 4, LAST = 8 }; /* a keyframe lies at the switch */
    uint64_t hashes[LAST + 1];
    pd_world *world = world_of_text(SMALL_POOL, 1);
    pd_log *log = log_of(world);
    bool refused = true;
    for (int tick = 0; tick < LAST; tick++) {
        hashes[tick] = pd_world_hash(world);
        if (tick == SWITCH) order(log, world, (pd_command){PD_COMMAND_METHOD, .is.method = "flip"});
        step(log, world);
    }
    for (int array = 0; refused; array += is_shortened() ? 1 + array / 4 : 1) { /* until none is left */
        pd_reverse *reverse;
        pd_error error = {0};
        assert_int_equal(pd_log_seek(log, world, LAST, &error), PD_OK);
        must(pd_reverse_create(&reverse, world, 64 << 20, &error), &error);
        refused_size = 0;
        passed = array;
        pd_reverse_compute_states(reverse, log, 0, 1);
        refused = refused_size == SIZE_MAX;
        refused_size = SIZE_MAX;
        passed = 0;
        for (int tick = LAST - 1; tick >= SWITCH; tick--) {
            while (pd_reverse_state_count(reverse) == 0) pd_reverse_compute_states(reverse, log, 0, 1);
            assert_int_equal(pd_reverse_go_back(reverse, log, world, 1), 1);
            assert_true(pd_world_hash(world) == hashes[tick]);
        }
        pd_reverse_destroy(reverse);
    }
    discard(log, world);
}

/* The state of a step without memory is recorded once, not again with each command behind it. */
static void one_state_for_a_step(void **state) {
    (void)state;
    pd_world *world = world_of_text(WEIGHTLESS, 1);
    pd_log *log = log_of(world);
    assert_int_equal(pd_log_begin_autosave(log, PATH, NULL), PD_OK);
    step_starved(log, world, true);
    assert_int_equal(pd_log_commands(log), 1);
    for (int k = 0; k < 5; k++) order(log, world, (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {1, (float)k}});
    assert_int_equal(pd_log_commands(log), 6);
    step(log, world);
    expect_followed(log, world, PATH);
}

/* The state that could not be recorded yet is recorded later, also where an undo and a redo, or a failed undo, lie between. */
static void undoing_before_the_state(void **state) {
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        pd_world *world = world_of_text(WEIGHTLESS, 1);
        pd_log *log = log_of(world);
        pd_error error = {0};
        must(pd_log_begin_autosave(log, PATH, &error), &error);
        order(log, world, (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {1, -3}});
        step_starved(log, world, false);
        assert_int_equal(pd_log_commands(log), 1);
        uint64_t hash = pd_world_hash(world);
        if (fails) refused_size = 0;
        assert_int_equal(pd_log_undo(log, world, &error), fails ? PD_FAILED : PD_OK);
        if (!fails) must(pd_log_redo(log, world, &error), &error);
        assert_true(pd_world_hash(world) == hash);
        step(log, world);
        assert_int_equal(pd_log_commands(log), 2);
        assert_int_equal(pd_log_command(log, 1, NULL)->kind, PD_COMMAND_STATE);
        expect_followed(log, world, PATH);
    }
}

TEST_GROUP(log_memory) {
    pd_set_allocator(&(pd_allocator){allocate, resize, release, NULL});
    const struct CMUnitTest tests[] = {
        {"poured", recorded_where_memory_ran_out, NULL, NULL, &POOL},
        {"emitted", recorded_where_memory_ran_out, NULL, NULL, &JET},
        cmocka_unit_test(memory_that_comes_back),
        cmocka_unit_test(undoing_across_it),
        cmocka_unit_test(commands_without_memory),
        cmocka_unit_test(backwards_without_memory),
        cmocka_unit_test(one_state_for_a_step),
        cmocka_unit_test(undoing_before_the_state),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
