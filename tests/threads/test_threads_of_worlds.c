/* Worlds in several threads of a program at once, as puddle.h promises. ThreadSanitizer sees shared state, the hashes see
 * wrong results. */
#include "logs.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static const char *const TEXT =
    "puddle: 1\nparticles: 200\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1.5}\n"
    "parameters: {grid: {resolution: 20, iterations: 3}, vortex: {core: 0.5}, flip: {iterations: 3}}\n"
    "materials: {a: {color: '#3a8fff'}, b: {color: '#ff3d6e', mass: 1.2}}\n"
    "regions: [{shape: box, center: [0, -0.4], size: [2, 0.6], material: a, velocity: [0.5, 0]}]\n"
    "emitters: [{position: [0, 0.6], direction: [0.2, -1], speed: 1, width: 0.1, rate: 300, material: b}]\n"
    "drains: [{shape: box, center: [0.9, -0.6], size: [0.2, 0.2]}]\n"
    "obstacles: [{shape: circle, center: [-0.5, 0.4], radius: 0.1, velocity: [0.5, 0], turn: 1}]\n";

enum { LIVES = 6, STEPS = 2 };

/* The life of a world of one method, from its scene to its end. Calls that fail in a thread of their own are reported
 * later, since a failed check may not leave such a thread. */
typedef struct life {
    int number;
    bool failed;
    pd_error error;
    uint64_t hash; /* all that the world was and showed */
} life;

static void expect(life *life, bool holds, const char *what) {
    if (!holds && !life->failed) snprintf(life->error.message, sizeof life->error.message, "%s", what);
    if (!holds) life->failed = true;
}

static void call(life *life, pd_result result) { life->failed = life->failed || result != PD_OK; }

static void add(life *life, const pd_world *world) {
    life->hash = life->hash * 31 + pd_world_hash(world) + view_hash(world);
}

static void step_logged(pd_log *log, pd_world *world) {
    for (int i = 0; i < STEPS; i++) step(log, world);
}

static void give(life *life, pd_log *log, pd_world *world, const pd_command *command) {
    call(life, pd_log_do(log, world, command, &life->error));
    step_logged(log, world);
}

static void give_edit(life *life, pd_log *log, pd_world *world) {
    pd_obstacle wall = {.area = {.shape = PD_SHAPE_CIRCLE, .center = {0.4f, -0.2f}, .radius = 0.1f}};
    pd_scene changed;
    pd_command command = {0};
    call(life, pd_scene_copy(&changed, pd_world_scene(world), &life->error));
    call(life, pd_scene_add_obstacle(&changed, &wall, &life->error));
    call(life, pd_command_edit(&command, pd_world_scene(world), &changed, &life->error));
    give(life, log, world, &command);
    pd_command_free(&command);
    pd_scene_free(&changed);
}

static void change(life *life, pd_log *log, pd_world *world) {
    pd_command tool = {.kind = PD_COMMAND_TOOL};
    tool.is.tool = (pd_tool){.kind = PD_TOOL_PAINT, .velocity = {1, 0}, .radius = 0.3f, .material = 1};
    give(life, log, world, &tool);
    give(life, log, world, &(pd_command){.kind = PD_COMMAND_GRAVITY, .is.gravity = {0.5f, -3}});
    give_edit(life, log, world);
    add(life, world);
    pd_command method = {.kind = PD_COMMAND_METHOD};
    int other = (life->number + 1) % pd_method_count();
    snprintf(method.is.method, sizeof method.is.method, "%s", pd_method_at(other)->name);
    give(life, log, world, &method);
    add(life, world);
    call(life, pd_log_undo(log, world, &life->error));
    add(life, world);
    step_logged(log, world);
}

/* Through a file and through memory the world comes back. */
static void save_and_restore(life *life, pd_world *world) {
    char path[64];
    pd_world *loaded;
    void *bytes = NULL;
    size_t size = 0;
    uint64_t hash = pd_world_hash(world);
    snprintf(path, sizeof path, "threads-%d.puddle", life->number);
    call(life, pd_world_save(world, path, &life->error));
    call(life, load_with_threads(&loaded, path, 1, &life->error));
    expect(life, loaded && pd_world_hash(loaded) == hash, "another world was loaded");
    pd_world_destroy(loaded);
    unlink(path);
    call(life, pd_world_save_to_memory(world, &bytes, &size, &life->error));
    step_many(world, 2);
    add(life, world);
    call(life, pd_world_restore_from_memory(world, bytes, size, &life->error));
    expect(life, pd_world_hash(world) == hash, "another world was restored");
    free(bytes);
}

static void write_and_replay(life *life, pd_log *log, const pd_world *world) {
    char path[64], damage[PD_MAX_LOG_DAMAGE];
    pd_log *read;
    pd_world *replayed;
    snprintf(path, sizeof path, "threads-%d.log", life->number);
    call(life, pd_log_write(log, world, 0, path, &life->error));
    call(life, read_log_with_threads(&read, &replayed, path, 2, damage, &life->error));
    unlink(path);
    if (life->failed) return;
    play_to_end(read, replayed);
    expect(life, pd_world_hash(replayed) == pd_world_hash(world), "the log was played to another world");
    discard(read, replayed);
}

static void *live(void *argument) {
    life *life = argument;
    pd_scene scene, now = {0};
    pd_world *world = NULL;
    pd_log *log = NULL;
    life->hash = 0;
    call(life, pd_scene_read_text(TEXT, strlen(TEXT), "text", &scene, &life->error));
    snprintf(scene.method, sizeof scene.method, "%s", pd_method_at(life->number % pd_method_count())->name);
    call(life, create_with_threads(&world, &scene, 1 + life->number % 2, &life->error));
    pd_scene_free(&scene);
    if (!life->failed) call(life, pd_log_create(&log, world, &life->error));
    if (!life->failed) {
        step_logged(log, world);
        change(life, log, world);
        write_and_replay(life, log, world);
        save_and_restore(life, world);
        char *text = NULL;
        size_t length = 0;
        call(life, pd_world_state_as_scene(world, &now, &life->error));
        call(life, pd_scene_write_text(&now, &text, &length, &life->error));
        life->hash += length;
        free(text);
        pd_scene_free(&now);
    }
    pd_log_destroy(log);
    pd_world_destroy(world);
    return NULL;
}

static void test_lives_at_once(void **state) {
    (void)state;
    static life alone[LIVES], together[LIVES];
    pthread_t threads[LIVES];
    for (int i = 0; i < LIVES; i++) {
        alone[i] = together[i] = (life){.number = i};
        live(&alone[i]);
        if (alone[i].failed) fail_msg("%s alone: %s", pd_method_at(i)->name, alone[i].error.message);
    }
    for (int i = 0; i < LIVES; i++) assert_int_equal(pthread_create(&threads[i], NULL, live, &together[i]), 0);
    for (int i = 0; i < LIVES; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < LIVES; i++) {
        if (together[i].failed) fail_msg("%s with others: %s", pd_method_at(i)->name, together[i].error.message);
        assert_true(together[i].hash == alone[i].hash);
    }
}

/* A world that steps in a thread of its own until it is told to stop. */
typedef struct stepping {
    pd_world *world;
    atomic_int steps;
    atomic_bool stop;
} stepping;

static void *step_until_stopped(void *argument) {
    stepping *s = argument;
    while (!atomic_load(&s->stop)) {
        pd_world_step(s->world);
        atomic_fetch_add(&s->steps, 1);
    }
    return NULL;
}

/* A world is stepped and viewed while another one steps: at least once for each view. */
static void test_views_while_another_world_steps(void **state) {
    (void)state;
    for (int m = 0; m < pd_method_count(); m++) {
        pd_scene scene = scene_of_text(TEXT);
        snprintf(scene.method, sizeof scene.method, "%s", pd_method_at(m)->name);
        stepping s = {.world = world_of(&scene, 1)};
        pd_world *shown = world_of(&scene, 1), *alone = world_of(&scene, 1);
        uint64_t expected[STEPS];
        for (int k = 0; k < STEPS; k++) {
            pd_world_step(alone);
            expected[k] = view_hash(alone);
        }
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, step_until_stopped, &s), 0);
        for (int k = 0; k < STEPS; k++) {
            int before = atomic_load(&s.steps);
            pd_world_step(shown);
            do {
                sched_yield();
                expect_sound(shown);
                if (view_hash(shown) != expected[k]) fail_msg("another view of %s in step %d", scene.method, k);
            } while (atomic_load(&s.steps) == before);
        }
        atomic_store(&s.stop, true);
        assert_int_equal(pthread_join(thread, NULL), 0);
        step_many(alone, s.steps - STEPS);
        assert_true(pd_world_hash(alone) == pd_world_hash(s.world));
        pd_world_destroy(s.world);
        pd_world_destroy(shown);
        pd_world_destroy(alone);
        pd_scene_free(&scene);
    }
}

TEST_GROUP(threads_of_worlds) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lives_at_once),
        cmocka_unit_test(test_views_while_another_world_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
