/* Fuzzer of logs: any bytes are read as a log or refused with a message of one line. One that was read can be played to its
 * end, searched and written, and what was written reads as the same log and plays to the same end. */
#include "fuzz.h"

enum { MOST_TEXT = 65536, MOST_PARTICLES = 2000, MOST_PARTS = 4, MOST_TICKS = 260 };
static const double MOST_SECONDS = 0.6; /* of a play */

/* ---- One input ---- */

/* A world that a fuzzer has the time for. */
static bool is_small(const pd_world *world) {
    return fuzz_emits_little(pd_world_scene(world)) && pd_world_particles(world) <= MOST_PARTICLES;
}

/* Plays to the end. Returns whether there was the time for it. */
static bool play(pd_log *log, pd_world *world) {
    double left = MOST_SECONDS;
    for (; pd_log_tick(log) < pd_log_end_tick(log) && is_small(world) && left > 0; left -= 0.005) {
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        if (!pd_world_stepping(world)) pd_log_replay_commands(log, world);
        bool whole = pd_world_step_part(world, 0.005);
        if (whole) {
            fuzz_count.steps++;
            pd_log_end_step(log, world);
        }
        clock_gettime(CLOCK_MONOTONIC, &after);
        left += 0.005 - (double)(after.tv_sec - before.tv_sec) - 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    }
    if (!pd_world_stepping(world)) pd_log_replay_commands(log, world);
    return pd_log_tick(log) == pd_log_end_tick(log) && !pd_world_stepping(world);
}

/* Goes to a tick, to a keyframe, and back by an undo and a redo. */
static void search(pd_log *log, pd_world *world) {
    pd_error error;
    uint64_t tick = pd_log_end_tick(log) / 2, keyframe;
    bool arrived = false;
    for (int part = 0; part < MOST_PARTS && !arrived && is_small(world); part++)
        if (pd_log_seek_part(log, world, tick, 0.005, &arrived, &error) != PD_OK) fuzz_expect_message(&error);
    if (pd_log_find_keyframe_before(log, PD_LOG_NEVER, &keyframe) && pd_log_seek(log, world, keyframe, &error) != PD_OK)
        fuzz_expect_message(&error);
    uint64_t steps;
    pd_log_replay_commands(log, world);
    if (!pd_log_can_undo(log, &steps) || steps > 3 || !is_small(world)) return;
    uint64_t hash = pd_world_hash(world);
    if (pd_log_undo(log, world, &error) != PD_OK) fuzz_expect_message(&error);
    if (pd_log_can_redo(log) && pd_log_redo(log, world, &error) == PD_OK && pd_world_hash(world) != hash)
        fuzz_fail("undo and redo give another world");
}

/* Writes the log and reads what was written: the same log, without damage. */
static void read_again(const pd_log *log, const pd_world *world, pd_log **again, pd_world **its_world) {
    pd_error error;
    char damage[PD_MAX_LOG_DAMAGE];
    fuzz_require(pd_log_write(log, world, 0, fuzz_path("again.log"), &error), &error);
    fuzz_require(read_log_with_threads(again, its_world, fuzz_path("again.log"), 1, damage, &error), &error);
    if (*damage) fuzz_fail(damage);
    if (pd_log_commands(*again) != pd_log_commands(log) || pd_log_end_tick(*again) != pd_log_end_tick(log))
        fuzz_fail("a log reads back as another one");
}

static void discard(pd_log *log, pd_world *world) {
    pd_log_destroy(log);
    pd_world_destroy(world);
}

/* A log that is written before it is played, or after, plays to the same end. */
static void expect_the_same_end(pd_log *log, pd_world *world) {
    pd_log *before, *after;
    pd_world *world_before, *world_after;
    read_again(log, NULL, &before, &world_before);
    if (play(log, world)) {
        uint64_t hash = pd_world_hash(world);
        read_again(log, world, &after, &world_after);
        if (play(before, world_before) && pd_world_hash(world_before) != hash)
            fuzz_fail("a log that was written before it was played ends in another world");
        if (play(after, world_after) && pd_world_hash(world_after) != hash)
            fuzz_fail("a log that was written after it was played ends in another world");
        if (pd_log_first_divergence(log) == PD_LOG_NEVER && pd_log_first_divergence(after) != PD_LOG_NEVER)
            fuzz_fail("a log that was written after it was played diverges");
        discard(after, world_after);
    }
    discard(before, world_before);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    pd_log *log;
    pd_world *world;
    pd_error error;
    char damage[PD_MAX_LOG_DAMAGE];
    fuzz_begin();
    fuzz_write_file("input.log", bytes, size);
    if (read_log_with_threads(&log, &world, fuzz_path("input.log"), 1, damage, &error) != PD_OK) {
        fuzz_expect_message(&error);
        return 0;
    }
    fuzz_count.read++;
    if (strchr(damage, '\n')) fuzz_fail("damage is told in more than one line");
    if (is_small(world)) {
        fuzz_count.reached++;
        pd_log_set_keyframe_budget(log, 1 << 20);
        expect_the_same_end(log, world);
        search(log, world);
        if (!pd_world_stepping(world) && is_small(world)) fuzz_step(world);
    }
    discard(log, world);
    return 0;
}

/* ---- Mutations ---- */

static const char *const SCENES[] = {
    "puddle: 1\nparticles: 12\nmaterials: {a: {color: '#ffffff', elasticity: 800}, b water: {color: '#3a8fff'}}\n"
    "regions: [{shape: circle, center: [0, 0], radius: 0.2, material: a}]\n"
    "obstacles: [{shape: box, center: [0, -0.4], size: [0.3, 0.05]}]\n"
    "parameters: {grid: {resolution: 8}, flip: {resolution: 8}, vortex: {core: 0.3, tracers: 20}}\n",
    "puddle: 1\nparticles: 10\ncontainer: {shape: box, width: 2, height: 1}\n"
    "regions: [{shape: box, center: [0.4, -0.3], size: [0.5, 0.3]}]\n"
    "emitters: [{position: [0, 0.4], direction: [0.2, -1], speed: 0.5, width: 0.2, rate: 30}]\n"
    "parameters: {grid: {resolution: 8}, flip: {resolution: 8}, vortex: {core: 0.3, tracers: 20}}\n",
};

/* A random command; most of them valid. */
static const char *any_command(void) {
    static char text[160];
    static const char *const fixed[] = {
        "reset",
        "restart",
        "tool none",
        "stop",
        "particles 12",
        "particles 0",
        "limit 10",
        "property viscosity 3 # 31",
        "gravity 0 -1e30",
        "gravity nan 0",
        "property viscosity 3 b water",
        "property elasticity none a",
        "back 3 0",
        "back 0 0",
        "back 5 1",
        "hash 0123456789abcdef",
        "keyframe 0123456789abcdef QUJD",
        "parameter ddr.stiffness default",
        ("scene puddle: 1\\nmethod: sph\\nparticles: 8\\nmaterials: {c: {color: '#3a8fff', mass: 2}}\\n"
         "regions: [{shape: box, center: [0, 0], size: [0.3, 0.2]}]\\n"),
        "scene puddle: 1\\ncontainer: {shape: none}\\n",
        "scene {puddle: 1, particles: 1e9}",
        "edit {regions: {1: {shape: circle, center: [0, 0.3], radius: 0.1, material: a}}}",
        "edit {regions: {0: none}, vortons: {0: {position: [0, 0], circulation: 1, core: 0.1}}}",
        "edit {attractions: {0: {between: [a, b water], factor: 0.5}}}",
        "edit {changes: {0: {shape: box, center: [0, 0], size: [2, 2], from: a, to: b water}}}",
        "edit {obstacles: {0: none, 1: {shape: circle, center: [0.3, 0], radius: 0.05}}}",
        "edit {emitters: {0: none}, materials: {tar: {color: '#000000'}}}"};
    static const char *const tools[] = {"drag", "push", "pull", "erase", "paint", "pour", "move"};
    enum { TOOLS = sizeof tools / sizeof *tools, WITH_INDEX = 4 };
    if (fuzz_pick(2)) return fixed[fuzz_pick(sizeof fixed / sizeof *fixed)];
    if (fuzz_pick(3) == 0) {
        const pd_method_info *method = pd_method_at((int)fuzz_pick((size_t)pd_method_count()));
        const pd_parameter *p = pd_method_parameter_at(method, fuzz_pick((size_t)method->parameter_count));
        snprintf(text, sizeof text, "parameter %s.%s %g", method->name, p->key,
                 (double)(fuzz_pick(2) ? p->minimum : p->maximum));
    } else if (fuzz_pick(2)) {
        snprintf(text, sizeof text, "method %s", pd_method_at((int)fuzz_pick((size_t)pd_method_count()))->name);
    } else {
        size_t kind = fuzz_pick(TOOLS);
        snprintf(text, sizeof text, "tool %s %g %g %g 0 0.%d%s", tools[kind], 0.01 * (double)fuzz_pick(200) - 1,
                 0.01 * (double)fuzz_pick(200) - 1, (double)fuzz_pick(50) - 25, (int)fuzz_pick(9),
                 kind < WITH_INDEX ? ""
                 : fuzz_pick(3)    ? " 0"
                                   : " 31");
    }
    return text;
}

/* Writes a log of one of the scenes: commands at rising ticks, a state to begin with in one of four, keyframes in most. */
static size_t make_seed(uint8_t *bytes, size_t most) {
    pd_scene scene;
    pd_world *world;
    pd_log *log;
    pd_error error;
    const char *text = SCENES[fuzz_pick(sizeof SCENES / sizeof *SCENES)];
    fuzz_require(pd_scene_read_text(text, strlen(text), "seed", &scene, &error), &error);
    fuzz_require(create_with_threads(&world, &scene, 1, &error), &error);
    if (fuzz_pick(4) == 0) pd_world_step(world);
    fuzz_require(pd_log_create(&log, world, &error), &error);
    for (size_t tick = 0, ticks = fuzz_pick(fuzz_pick(4) ? 20 : MOST_TICKS); tick < ticks; tick++) {
        pd_command command;
        if (fuzz_pick(20) == 0 && pd_command_parse(any_command(), &scene, &command, NULL) == PD_OK) {
            if (command.kind != PD_COMMAND_RESTART) pd_log_do(log, world, &command, NULL);
            pd_command_free(&command);
        }
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    uint64_t since = fuzz_pick(2) ? 0 : fuzz_pick(200);
    fuzz_require(pd_log_write(log, world, since, fuzz_path("seed.log"), &error), &error);
    pd_scene_free(&scene);
    discard(log, world);
    return fuzz_read_file("seed.log", bytes, most);
}

static size_t replace(uint8_t *bytes, size_t size, size_t most, size_t from, size_t to, const void *by, size_t length) {
    if (size - (to - from) + length > most) return size;
    memmove(bytes + from + length, bytes + to, size - to);
    memcpy(bytes + from, by, length);
    return size - (to - from) + length;
}

/* The begin of the line that holds an offset, and the begin of the next one. */
static void line_at(const uint8_t *bytes, size_t size, size_t at, size_t *from, size_t *to) {
    for (*from = at; *from > 0 && bytes[*from - 1] != '\n';) --*from;
    for (*to = at; *to < size && bytes[*to] != '\n';) ++*to;
    if (*to < size) ++*to;
}

/* Removes, doubles, moves or inserts a line, changes its tick, or changes a digit or a byte. */
static size_t change(uint8_t *bytes, size_t size, size_t most) {
    static uint8_t copy[MOST_TEXT];
    static const uint8_t digits[] = "0123456789.-e AZ/=+\n";
    char text[200];
    size_t from, to, other, end, at = fuzz_pick(size);
    line_at(bytes, size, at, &from, &to);
    line_at(bytes, size, fuzz_pick(size), &other, &end);
    switch (fuzz_pick(7)) {
    case 0:
        return replace(bytes, size, most, from, to, "", 0);
    case 1:
        if (to - from > sizeof copy) return size;
        memcpy(copy, bytes + from, to - from);
        return replace(bytes, size, most, other, other, copy, to - from);
    case 2:
    case 3: {
        int length = snprintf(text, sizeof text, "%.*s %s\n", (int)strspn((char *)bytes + from, "0123456789") % 12,
                              (char *)bytes + from, any_command());
        return replace(bytes, size, most, to, to, text, (size_t)length);
    }
    case 4: {
        size_t length = strspn((char *)bytes + from, "0123456789");
        int written = snprintf(text, sizeof text, "%zu", fuzz_pick(2) ? fuzz_pick(MOST_TICKS) : fuzz_pick(1 << 30));
        return length > 0 ? replace(bytes, size, most, from, from + length, text, (size_t)written) : size;
    }
    case 5:
        bytes[at] = digits[fuzz_pick(sizeof digits - 1)];
        return size;
    default:
        bytes[at] ^= (uint8_t)(1u << fuzz_pick(8));
        return size;
    }
}

static bool is_log(const uint8_t *bytes, size_t size) {
    pd_log *log;
    pd_world *world;
    char damage[PD_MAX_LOG_DAMAGE];
    fuzz_write_file("mutation.log", bytes, size);
    if (read_log_with_threads(&log, &world, fuzz_path("mutation.log"), 1, damage, NULL) != PD_OK) return false;
    discard(log, world);
    return !*damage;
}

/* Makes up to three changes. In three of four inputs, changes after which the log is damaged are undone, so that most inputs
 * are played; the others test the errors of the reader. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
    static uint8_t text[MOST_TEXT + 1], before[MOST_TEXT];
    size_t limit = most < MOST_TEXT ? most : MOST_TEXT;
    fuzz_state = seed * 2654435761u + 1;
    fuzz_pick(1);
    if (size > limit) size = limit;
    memcpy(text, bytes, size);
    bool careful = fuzz_pick(4) > 0;
    if (size < 100 || fuzz_pick(40) == 0 || (careful && !is_log(text, size))) size = make_seed(text, limit);
    for (size_t i = 0, changes = fuzz_pick(4); i < changes && size > 0; i++) {
        size_t length = size;
        memcpy(before, text, size);
        text[size] = '\0';
        size = change(text, size, limit);
        if (!careful || is_log(text, size)) continue;
        size = length;
        memcpy(text, before, size);
    }
    if (!careful && fuzz_pick(5) == 0) size = LLVMFuzzerMutate(text, size, limit);
    memcpy(bytes, text, size);
    return size;
}
