/* Without memory: the log ends before the step or command that was refused memory, and says so. */
#include "folder.h"
#include "logs.h"
#include "scene/edit.h"
#include "starved.h"

#include <stdint.h>

static const char *POOL =
    "puddle: 1\nname: Pool\nparticles: 1500\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1.4}\n"
    "materials: {a: {color: '#ffffff'}, b: {color: '#3a8fff'}}\n"
    "regions: [{shape: box, center: [0, -0.45], size: [2, 0.5], material: b}]\n";
static const char *SMALL_POOL =
    "puddle: 1\nname: Small pool\nparticles: 300\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1.4}\n"
    "materials: {a: {color: '#ffffff'}}\nregions: [{shape: box, center: [0, -0.45], size: [2, 0.5], material: a}]\n"
    "parameters: {flip: {resolution: 16}}\n";
static const char *JET =
    "puddle: 1\nname: Jet\nparticles: 100\nsubsteps: 1\ncontainer: {shape: box, width: 8, height: 8}\n"
    "materials: {a: {color: '#ffffff'}}\nregions: [{shape: box, center: [0, -3.8], size: [0.2, 0.2], material: a}]\n"
    "emitters: [{position: [-3.9, 0], direction: [1, 0], speed: 5, width: 7, rate: 60000, material: a}]\n";

static const char *const PATH = "test_log_memory.log";

/* ---- Memory that is refused ---- */

static size_t refused_size = SIZE_MAX; /* the next array of at least so many bytes is refused, once */
static int passed;                     /* so many of these arrays are given before it */
static size_t refused_block;           /* blocks of so many bytes are refused */

static void *allocate(size_t size, void *user) {
    (void)user;
    if (is_growth(size)) return NULL;
    if (is_array(size) && size >= refused_size && passed-- == 0) {
        passed = 0;
        refused_size = SIZE_MAX;
        return NULL;
    }
    return size == refused_block ? NULL : malloc(size);
}

/* ---- Particles for which there was no memory ---- */

enum { TICKS = 60, SHORT = 35 /* no memory from this tick on */ };

static pd_command pour(int tick) {
    return (pd_command){
        PD_COMMAND_TOOL,
        .is.tool = {.kind = PD_TOOL_POUR, .position = {0.015f * (float)(tick - TICKS / 2), 0.3f}, .radius = 0.35f}};
}

/* Runs until memory for more particles is refused, at the tick SHORT or later. hashes: before the commands of each tick, and at
 * the end of the log after them. Returns the log, which ends at *end. */
static pd_log *run_short(pd_world **world, const char *scene, uint64_t hashes[TICKS + 1], uint64_t *end) {
    pd_error error = {0};
    *world = world_of_text(scene, 1);
    pd_log *log = log_of(*world);
    assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
    for (int tick = 0; !pd_log_was_refused_memory(log); tick++) {
        assert_true(tick < TICKS);
        hashes[tick] = pd_world_hash(*world);
        if (pd_world_scene(*world)->emitter_count == 0 && tick > 10) order(log, *world, pour(tick));
        *end = pd_log_tick(log);
        hashes[TICKS] = pd_world_hash(*world);
        if (tick >= SHORT) starved = *world;
        step(log, *world);
        starved = NULL;
    }
    assert_int_equal(pd_log_tick(log), *end);
    assert_int_equal(pd_log_end_tick(log), *end);
    return log;
}

/* The log takes no command and no step until its world is restored. */
static void ended_where_memory_ran_out(void **state) {
    uint64_t hashes[TICKS + 1], end;
    pd_world *world, *again;
    pd_error error = {0};
    pd_log *log = run_short(&world, *(const char **)*state, hashes, &end);
    pd_command gravity = {PD_COMMAND_GRAVITY, .is.gravity = {1, 0}};
    assert_int_equal(pd_log_do(log, world, &gravity, &error), PD_FAILED);
    assert_int_equal(error.code, PD_ERROR_OUT_OF_MEMORY);
    step(log, world);
    assert_int_equal(pd_log_end_tick(log), end);
    /* The file that was written as it grew, one that is written now, and its end alone. */
    assert_int_equal(pd_log_end_autosave(log, world, &error), PD_OK);
    for (int way = 0; way < 3; way++) {
        if (way > 0) assert_int_equal(pd_log_write(log, world, way == 1 ? 0 : 30, PATH, &error), PD_OK);
        pd_log *read = reread(PATH, &again, 1, NULL);
        assert_true(pd_log_was_refused_memory(read));
        play_exactly(read, again, hashes[TICKS]);
        order(read, again, gravity); /* and continues */
        step(read, again);
        assert_false(pd_log_was_refused_memory(read));
        discard(read, again);
    }
    assert_int_equal(pd_log_begin_autosave(log, PATH, &error), PD_OK);
    static const int ticks[] = {20, SHORT, 10};
    for (size_t k = 0; k < sizeof ticks / sizeof *ticks; k++) {
        assert_int_equal(pd_log_seek(log, world, (uint64_t)ticks[k], &error), PD_OK);
        assert_true(pd_world_hash(world) == hashes[ticks[k]]);
    }
    order(log, world, gravity);
    step(log, world);
    assert_false(pd_log_was_refused_memory(log));
    expect_followed(log, world, PATH);
}

/* An undo leads back into the log, a redo to its end and the world behind it. */
static void undoing_across_it(void **state) {
    (void)state;
    uint64_t hashes[TICKS + 1], end;
    pd_world *world;
    pd_error error = {0};
    pd_log *log = run_short(&world, POOL, hashes, &end);
    uint64_t behind = pd_world_hash(world);
    assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
    assert_true(pd_world_hash(world) == hashes[11]); /* before the stroke */
    assert_false(pd_log_was_refused_memory(log));
    assert_int_equal(pd_log_redo(log, world, &error), PD_OK);
    assert_true(pd_world_hash(world) == behind);
    assert_true(pd_log_was_refused_memory(log));
    assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
    step(log, world);
    expect_followed(log, world, PATH);
}

/* ---- Commands for which there was no memory ---- */

static const char *const EDIT = "edit {drains: {0: {shape: circle, center: [0.9, 0.6], radius: 0.05}, 1: {shape: "
                                "circle, center: [0.8, 0.6], radius: 0.05}}}";

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
    refused_block = 2 * sizeof(pd_drain); /* the list of drains */
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
    assert_int_equal(pd_log_redo(log, world, &error), PD_OK);
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

TEST_GROUP(log_memory) {
    pd_set_allocator(&(pd_allocator){allocate, resize, release, NULL, NULL});
    const struct CMUnitTest tests[] = {
        {"poured", ended_where_memory_ran_out, NULL, NULL, &POOL},
        {"emitted", ended_where_memory_ran_out, NULL, NULL, &JET},
        cmocka_unit_test(undoing_across_it),
        cmocka_unit_test(commands_without_memory),
        cmocka_unit_test(backwards_without_memory),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
