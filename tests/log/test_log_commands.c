/* Commands that name what is not there or cannot be written: refused, so that a log that was written can be read. */
#include "folder.h"
#include "logs.h"

#include <limits.h>

static const char *const SMALL =
    "puddle: 1\nname: Small\nparticles: 40\nsubsteps: 2\ncontainer: {shape: box, width: 2, height: 1.2}\n"
    "materials: {a: {color: '#ffffff'}, b: {color: '#3a8fff'}}\n"
    "regions: [{shape: box, center: [0, -0.2], size: [0.6, 0.4], material: b}]\n"
    "obstacles: [{shape: circle, center: [0.6, 0.3], radius: 0.1}]\n"
    "parameters: {grid: {resolution: 16}, flip: {resolution: 16}}\n";
static const char *const INDENTED =
    "  puddle: 1\n  name: Indented\n  particles: 30\n  parameters: {grid: {resolution: 16}, flip: {resolution: 16}}\n"
    "  materials: {oil: {color: '#ffc040', mass: 0.8}}\n"
    "  regions: [{shape: circle, center: [0, 0], radius: 0.3, material: oil}]\n";
static const char *const COLORLESS = "puddle: 1\nmaterials: {oil: {mass: 0.8}}\n";

static const char *const PATH = "test_log_commands.log";

/* Writes a log of a scene with these lines, and reads the file. damage: part of the message; NULL: the file has none. */
static pd_log *log_of_lines(const char *scene, const char *lines, pd_world **world, const char *damage) {
    char text[2048];
    int length = snprintf(text, sizeof text, "puddle-log 1\nscene\n%send\n%s", scene, lines);
    write_file(PATH, text, (size_t)length);
    return reread(PATH, world, 1, damage);
}

/* The log that is written has the same commands as the present one, and replays to the same hash without diverging. */
static void expect_rereads(pd_log *log, pd_world *world) {
    pd_error error = {0};
    pd_world *again;
    if (pd_log_write(log, world, 0, PATH, &error) != PD_OK) fail_msg("%s", error.message);
    pd_log *read = reread(PATH, &again, 1, NULL);
    assert_int_equal(pd_log_commands(read), pd_log_commands(log));
    for (int i = 0; i < pd_log_commands(log); i++) {
        uint64_t tick, tick_again;
        char *text = pd_command_format(pd_log_command(log, i, &tick), NULL);
        char *text_again = pd_command_format(pd_log_command(read, i, &tick_again), NULL);
        assert_int_equal(tick_again, tick);
        assert_string_equal(text_again, text);
        free(text), free(text_again);
    }
    play_exactly(read, again, pd_world_hash(world));
    discard(read, again);
}

/* ---- Numbers of what is not there ---- */

/* Beyond what any scene has: damage of the file, from which nothing is written or applied. */
static void numbers_beyond_any_scene(void **state) {
    (void)state;
    static const char *const lines[] = {
        "1 property viscosity 50 # 9999999", "1 property viscosity 50 # 32", "1 tool paint 0 0 0 0 0.1 32",
        "1 tool pour 0 0 0 0 0.1 9999999",   "1 tool move 0 0 0 0 0.1 4097",
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        char text[128];
        pd_world *world;
        snprintf(text, sizeof text, "1 gravity 0 -2\n%s\n3 reset\n", lines[k]);
        pd_log *log = log_of_lines(SMALL, text, &world, "a scene has at most");
        assert_int_equal(pd_log_commands(log), 1);
        play_to_end(log, world);
        expect_rereads(log, world);
        discard(log, world);
    }
}

/* Beyond this scene: another command may bring what is named, so that the line is read. Without it a property is refused and a tool
 * is put down. */
static void numbers_beyond_this_scene(void **state) {
    (void)state;
    pd_world *world;
    pd_log *log = log_of_lines(SMALL, "1 property viscosity 50 # 31\n2 stop\n", &world, NULL);
    uint64_t before = pd_world_hash(world);
    pd_command command = *pd_log_command(log, 0, NULL);
    pd_error error = {0};
    assert_int_equal(pd_world_apply(world, &command, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_SCENE_REFERENCE);
    assert_true(pd_world_hash(world) == before);
    assert_int_equal(pd_log_write(log, world, 0, PATH, &error), PD_OK);
    assert_int_equal(system("grep -q '^1 property viscosity 50 # 31$' test_log_commands.log"), 0);
    play_to_end(log, world);
    assert_int_equal(pd_log_first_divergence(log), 1);
    discard(log, world);
    log = log_of_lines(SMALL,
                       "0 tool paint 0 0 0 0 0.1 31\n1 tool move 0 0 0 0 0.1 4096\n2 tool drag 0 0 0 0 0.1\n"
                       "3 tool pour 0 0 0 0 0.1 2\n4 stop\n",
                       &world, NULL);
    for (int tick = 0; tick < 4; tick++) {
        pd_log_replay_commands(log, world);
        assert_int_equal(pd_world_tool(world).kind, tick == 2 ? PD_TOOL_DRAG : PD_TOOL_NONE);
        step(log, world);
    }
    expect_rereads(log, world);
    discard(log, world);
}

/* ---- What can be written can be read ---- */

static uint32_t random_state;

static int pick(int count) {
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (uint32_t)count);
}

static float any_float(void) {
    static const float few[] = {0, -0.0f, 1e-45f, 3.4e38f, 1, -1.5f, 0.1f, NAN, INFINITY, -INFINITY};
    return pick(4) == 0 ? few[pick(sizeof few / sizeof *few)] : 1e-4f * (float)(pick(20000) - 10000);
}

static int any_index(void) {
    static const int few[] = {0, 1, 2, 31, 32, 40, PD_MAX_ITEMS, PD_MAX_ITEMS + 1, -1, INT_MAX, INT_MIN};
    return pick(3) == 0 ? few[pick(sizeof few / sizeof *few)] : pick(2);
}

/* A word of at most `size` bytes; the longest has no room for its end. */
static void any_word(char *word, size_t size, const char *const *valid, int count) {
    static const char *const few[] = {"",   "default", "none", "a b",         "x\ny",
                                      "\t", " sph",    "sph ", "unknown.key", "\x7f"};
    memset(word, 0, size);
    int kind = pick(4);
    if (kind == 0)
        memset(word, 'x', size - (size_t)pick(2));
    else
        strcpy(word, kind == 1 ? few[pick(sizeof few / sizeof *few)] : valid[pick(count)]);
}

static pd_tool any_tool(void) {
    return (pd_tool){.kind = (pd_tool_kind)(pick(9) ? (unsigned)pick(PD_TOOL_ERASE + 1) : (unsigned)any_index() + 99),
                     .position = {any_float(), any_float()},
                     .velocity = {any_float(), any_float()},
                     .radius = any_float(),
                     .material = any_index(),
                     .obstacle = any_index()};
}

/* A command of a line; without its value where the line is refused, or there is none. */
static pd_command command_or_none(pd_command_kind kind, const char *line) {
    pd_command command = {.kind = kind}, none = command;
    pd_error error = {0};
    if (!line) return none;
    if (pd_command_parse(line, NULL, &command, &error) == PD_OK) return command;
    assert_int_equal(error.code, PD_ERROR_LOG_BROKEN);
    assert_true(*error.message);
    return none;
}

/* A scene with its lines as a log has them in one. */
static pd_command scene_or_none(const char *text) {
    char line[1024] = "scene ", *to = line + strlen(line);
    for (const char *from = text; from && *from; from++) {
        if (*from == '\n') *to++ = '\\';
        *to++ = *from == '\n' ? 'n' : *from;
    }
    *to = '\0';
    return command_or_none(PD_COMMAND_SCENE, text ? line : NULL);
}

/* Valid, borderline or refused, of any kind. To be freed. */
static pd_command any_command(void) {
    static const char *const keys[] = {"ddr.stiffness", "sph.viscosity", "grid.vorticity", "flip.blend"};
    static const char *const methods[] = {"ddr", "sph", "pbf", "grid", "vortex", "flip"};
    static const char *const edits[] = {
        NULL,
        "edit ",
        "edit {}",
        "edit   {}",
        "edit {}\n",
        "edit {drains: {0: none}}",
        "edit what?\nreset",
        "edit {regions: {0: {shape: circle, center: [0, 0], radius: -1}}}",
        "edit {drains: {0: {shape: circle, center: [0.9, -0.5], radius: 0.05}}}",
        "edit {emitters: {0: {position: [0, 0], direction: [0, 1], speed: 0.1, width: 0.1, rate: 1, material: none}}}"};
    static const int particles[] = {-1, 0, 1, 12, 60, INT_MIN, PD_MAX_PARTICLES + 1};
    pd_command command = {.kind = (pd_command_kind)(pick(2) ? pick(PD_COMMAND_STATE) : pick(4))};
    if (pick(50) == 0) command.kind = (pd_command_kind)((unsigned)any_index() + 99);
    if (command.kind == PD_COMMAND_TOOL) command.is.tool = any_tool();
    if (command.kind == PD_COMMAND_GRAVITY) command.is.gravity = (pd_vec2){any_float(), any_float()};
    if (command.kind == PD_COMMAND_PARAMETER) {
        any_word(command.is.parameter.key, PD_MAX_KEY, keys, 4);
        command.is.parameter.value = any_float();
    }
    if (command.kind == PD_COMMAND_PROPERTY) {
        command.is.property.material = any_index();
        command.is.property.property = (pd_property)(pick(4) ? pick(PD_PROPERTIES) : any_index());
        command.is.property.value = any_float();
    }
    if (command.kind == PD_COMMAND_METHOD) any_word(command.is.method, PD_MAX_METHOD_NAME, methods, 6);
    if (command.kind == PD_COMMAND_PARTICLES) command.is.particles = particles[pick(7)];
    if (command.kind == PD_COMMAND_EDIT) command = command_or_none(PD_COMMAND_EDIT, edits[pick(10)]);
    const char *const scenes[] = {NULL, "", "nonsense\\", COLORLESS, SMALL, INDENTED};
    if (command.kind == PD_COMMAND_SCENE) command = scene_or_none(scenes[pick(6)]);
    if (command.kind == PD_COMMAND_SCENE && command.is.scene && pick(3) == 0) command.is.scene->dt = NAN;
    return command;
}

/* Whatever a log takes is in the file that is written, and replays. What it refuses leaves the world as it was. */
static void any_log_can_be_read(void **state) {
    (void)state;
    int taken = 0, refused = 0;
    for (uint32_t seed = 1; seed <= (uint32_t)fewer_frames(30, 3); seed++) {
        pd_world *world = world_of_text(SMALL, 1);
        pd_log *log = log_of(world);
        random_state = seed;
        for (int k = 0; k < 200; k++) {
            pd_command command = any_command();
            pd_error error = {0};
            uint64_t before = pd_world_hash(world);
            int count = pd_log_commands(log);
            pd_result result = pd_log_do(log, world, &command, &error);
            taken += pd_log_commands(log) - count;
            refused += result != PD_OK;
            if (result != PD_OK) {
                assert_int_equal(result, PD_BAD_INPUT);
                assert_true(*error.message && !strchr(error.message, '\n'));
                assert_int_equal(pd_log_commands(log), count);
                assert_true(pd_world_hash(world) == before);
            }
            pd_command_free(&command);
            if (pick(3) == 0) step(log, world);
        }
        expect_rereads(log, world);
        discard(log, world);
    }
    print_message("%d commands taken, %d refused\n", taken, refused);
    assert_true(taken > 300 && refused > 100);
}

/* A tool that moves no obstacle, -1, is 4096 in a line. */
static void no_obstacle_as_text(void **state) {
    (void)state;
    const pd_command none = {PD_COMMAND_TOOL, .is.tool = {.kind = PD_TOOL_MOVE, .radius = 0.5f, .obstacle = -1}};
    pd_command read;
    pd_error error = {0};
    char *line = pd_command_format(&none, NULL);
    assert_string_equal(line, "tool move 0 0 0 0 0.5 4096");
    must(pd_command_parse(line, NULL, &read, &error), &error);
    assert_int_equal(read.is.tool.obstacle, -1);
    assert_int_equal(pd_command_parse("tool move 0 0 0 0 0.5 -1", NULL, &read, &error), PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_LOG_BROKEN);
    free(line);
}

/* A command that no line can hold is refused by the same rule when it is checked, applied, recorded and written. */
static void what_cannot_be_written(void **state) {
    (void)state;
    pd_command commands[] = {
        {(pd_command_kind)99, .is.particles = 1},
        {PD_COMMAND_TOOL, .is.tool = {.kind = (pd_tool_kind)99, .radius = 0.1f}},
        {PD_COMMAND_TOOL, .is.tool = {.kind = PD_TOOL_DRAG, .position = {NAN, 0}, .radius = 0.1f}},
        {PD_COMMAND_TOOL, .is.tool = {.kind = PD_TOOL_PUSH, .radius = INFINITY}},
        {PD_COMMAND_TOOL, .is.tool = {.kind = PD_TOOL_PAINT, .radius = 0.1f, .material = -1}},
        {PD_COMMAND_TOOL, .is.tool = {.kind = PD_TOOL_MOVE, .radius = 0.1f, .obstacle = -2}},
        {PD_COMMAND_TOOL, .is.tool = {.kind = PD_TOOL_MOVE, .radius = 0.1f, .obstacle = PD_MAX_ITEMS}},
        {PD_COMMAND_GRAVITY, .is.gravity = {0, NAN}},
        {PD_COMMAND_PARAMETER, .is.parameter = {"ddr.stiffness", INFINITY}},
        {PD_COMMAND_PARAMETER, .is.parameter = {"", 1}},
        {PD_COMMAND_PARAMETER, .is.parameter = {"ddr stiffness", 1}},
        {PD_COMMAND_PROPERTY, .is.property = {-1, PD_VISCOSITY, 1}},
        {PD_COMMAND_PROPERTY, .is.property = {PD_MAX_MATERIALS, PD_VISCOSITY, 1}},
        {PD_COMMAND_PROPERTY, .is.property = {0, (pd_property)PD_PROPERTIES, 1}},
        {PD_COMMAND_METHOD, .is.method = "a method"},
        {PD_COMMAND_METHOD, .is.method = "sixteen_letters_"},
        {PD_COMMAND_PARTICLES, .is.particles = -1},
        {PD_COMMAND_PARTICLES, .is.particles = PD_MAX_PARTICLES + 1},
        {PD_COMMAND_EDIT, .is.edit = NULL},
        {PD_COMMAND_SCENE, .is.scene = NULL},
    };
    pd_world *world = world_of_text(SMALL, 1);
    pd_log *log = log_of(world);
    uint64_t hash = pd_world_hash(world);
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        pd_error error[3] = {0};
        assert_int_equal(pd_command_check(&commands[k], &error[0]), PD_BAD_INPUT);
        assert_int_equal(pd_world_apply(world, &commands[k], &error[1]), PD_BAD_INPUT);
        assert_int_equal(pd_log_do(log, world, &commands[k], &error[2]), PD_BAD_INPUT);
        for (int e = 0; e < 3; e++) {
            assert_int_equal(error[e].code, PD_ERROR_USAGE);
            assert_string_equal(error[e].message, error[0].message);
        }
        assert_null(pd_command_format(&commands[k], NULL));
    }
    assert_int_equal(pd_log_commands(log), 0);
    assert_true(pd_world_hash(world) == hash);
    discard(log, world);
}

/* ---- Names of materials ---- */

/* Materials are found again by their names and by their numbers, also where a name looks like a number. */
static void names_like_numbers(void **state) {
    (void)state;
    static const char *const scene = "puddle: 1\nparticles: 30\nmaterials: {'# 1': {color: '#ff0000'}, '#1': {color: "
                                     "'#ff0000'}, '# 2 ': {color: '#ff0000'},\n"
                                     "  \"it's # 0\": {color: '#ff0000'}, 'öl \"x\"': {color: '#ff0000'}, '#  0': "
                                     "{color: '#ff0000'}, '# 6': {color: '#ff0000'}}\n"
                                     "regions: [{shape: circle, center: [0, 0], radius: 0.3, material: '#1'}]\n";
    enum { MATERIALS = 7 };
    pd_world *world = world_of_text(scene, 1);
    pd_log *log = log_of(world);
    for (int m = 0; m < MATERIALS; m++) {
        order(log, world, (pd_command){PD_COMMAND_PROPERTY, .is.property = {m, PD_VISCOSITY, 1 + (float)m}});
        step(log, world);
    }
    expect_rereads(log, world);
    assert_int_equal(system("grep -q '^1 property viscosity 2 #1$' test_log_commands.log"), 0); /* as before */
    assert_int_equal(system("grep -q \"^3 property viscosity 4 it's # 0$\" test_log_commands.log"), 0);
    discard(log, world);
    log = log_of_lines(scene, "1 property viscosity 9 # 1\n2 stop\n", &world, NULL);
    assert_int_equal(pd_log_command(log, 0, NULL)->is.property.material, 1);
    discard(log, world);
}

/* A tool that is given again adds nothing, whatever its members hold that it does not use. */
static void tool_that_is_given_again(void **state) {
    (void)state;
    pd_world *world = world_of_text(SMALL, 1);
    pd_log *log = log_of(world);
    pd_command drag = {PD_COMMAND_TOOL,
                       .is.tool = {.kind = PD_TOOL_DRAG, .radius = 0.2f, .material = 1, .obstacle = -1}};
    for (int k = 0; k < 5; k++) order(log, world, drag);
    assert_int_equal(pd_log_commands(log), 1);
    drag.is.tool.position.x = 0.1f;
    order(log, world, drag);
    assert_int_equal(pd_log_commands(log), 2);
    discard(log, world);
}

/* A state that a program gives is an act of its own. */
static void state_is_undone_alone(void **state) {
    (void)state;
    pd_world *world = world_of_text(SMALL, 1);
    pd_log *log = log_of(world);
    pd_error error = {0};
    pd_command saved;
    must(pd_command_state(&saved, world, &error), &error);
    order(log, world, (pd_command){PD_COMMAND_GRAVITY, .is.gravity = {2, 1}});
    step(log, world);
    uint64_t hash = pd_world_hash(world);
    order(log, world, saved);
    must(pd_log_undo(log, world, &error), &error);
    assert_int_equal(pd_log_commands(log), 1);
    assert_true(pd_world_hash(world) == hash);
    pd_command_free(&saved);
    discard(log, world);
}

TEST_GROUP(log_commands) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_beyond_any_scene), cmocka_unit_test(numbers_beyond_this_scene),
        cmocka_unit_test(any_log_can_be_read),      cmocka_unit_test(no_obstacle_as_text),
        cmocka_unit_test(what_cannot_be_written),   cmocka_unit_test(names_like_numbers),
        cmocka_unit_test(tool_that_is_given_again), cmocka_unit_test(state_is_undone_alone),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
