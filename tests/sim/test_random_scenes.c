/* Random scenes with bodies, joints, moving walls and sources, in every method. A scene that is accepted keeps finite values and a
 * state whose snapshot loads; one and three threads, the best and the baseline SIMD level, and a restored world have the same bits.
 *
 * PUDDLE_RANDOM_SCENES=10000 tries as many scenes, from scene PUDDLE_FIRST_SCENE (0) on. A failure prints number and text. */
#include "contract.h"

#include "core/random.h"
#include "core/simd.h"
#include "sim/world.h"

#include <stdarg.h>

/* A scene under construction. */
typedef struct draft {
    pd_random random;
    char text[8000];
    size_t length;
} draft;

static double between(draft *d, double low, double high) {
    return low + (high - low) * (double)pd_random_below_one(&d->random);
}
static double power_of_ten(draft *d, double low, double high) { return pow(10, between(d, low, high)); }
static int below(draft *d, int count) { return (int)between(d, 0, count); }
static const char *one_of(draft *d, const char *const *words, int count) { return words[below(d, count)]; }

__attribute__((format(printf, 2, 3))) static void write(draft *d, const char *format, ...) {
    va_list values;
    va_start(values, format);
    d->length += (size_t)vsnprintf(d->text + d->length, sizeof d->text - d->length, format, values);
    va_end(values);
    assert_true(d->length < sizeof d->text);
}

/* An area of 2 cm to 2 m; circles alone for drains: other shapes need not be convex. */
static void write_area(draft *d, bool solid) {
    double size = power_of_ten(d, -1.7, 0.3), x = between(d, -1, 1), y = between(d, -1, 1);
    int shape = below(d, solid ? 4 : 2);
    if (shape == 0) write(d, "shape: circle, center: [%g, %g], radius: %g", x, y, size / 2);
    if (shape == 1) write(d, "shape: box, center: [%g, %g], size: [%g, %g]", x, y, size, size * between(d, 0.05, 1));
    if (shape < 2) return;
    write(d, "shape: %s, center: [%g, %g], points: [", shape == 2 ? "polygon" : "polyline", x, y);
    for (int k = 0, count = 3 + below(d, 5); k < count; k++) {
        double angle = 6.283 * k / count, r = size * between(d, 0.2, 0.5);
        write(d, "%s[%g, %g]", k ? ", " : "", r * cos(angle), r * sin(angle));
    }
    write(d, "]");
    if (shape == 3) write(d, ", thickness: %g", size * between(d, 0.02, 0.3));
}

static void write_bodies(draft *d, int count) {
    if (count) write(d, "bodies:\n");
    for (int i = 0; i < count; i++) {
        write(d, "- {name: b%d, ", i);
        write_area(d, true);
        write(d, ", density: %g, friction: %g, restitution: %g", power_of_ten(d, -2, 3), between(d, 0, 2),
              0.5 * below(d, 3));
        if (below(d, 3) == 0) write(d, ", velocity: [%g, %g]", between(d, -20, 20), between(d, -20, 20));
        if (below(d, 4) == 0) write(d, ", spin: %g", between(d, -3000, 3000));
        if (below(d, 8) == 0) write(d, ", fixed_angle: true");
        write(d, "}\n");
    }
}

static void write_joint(draft *d, int bodies) {
    static const char *const types[] = {"hinge", "motor", "weld", "spring", "rope", "slider"};
    const char *type = one_of(d, types, 6);
    bool ends = strcmp(type, "spring") == 0 || strcmp(type, "rope") == 0;
    int first = below(d, bodies), second = below(d, bodies + 1);
    if (second == first) second = bodies; /* the world */
    write(d, "- {type: %s, bodies: [b%d, ", type, first);
    if (second == bodies)
        write(d, "world]");
    else
        write(d, "b%d]", second);
    write(d, ", at: [%g, %g]", between(d, -1, 1), between(d, -1, 1));
    if (ends) write(d, ", to: [%g, %g]", between(d, -1, 1), between(d, -1, 1));
    if (ends && below(d, 2)) write(d, ", length: %g", between(d, 0, 1));
    if (strcmp(type, "spring") == 0) write(d, ", stiffness: %g", power_of_ten(d, -3, 9));
    if (strcmp(type, "spring") == 0 && below(d, 2)) write(d, ", damping: %g", power_of_ten(d, -3, 9));
    if (strcmp(type, "motor") == 0) write(d, ", speed: %g", between(d, -36000, 36000));
    if (strcmp(type, "motor") == 0 && below(d, 2)) write(d, ", greatest_torque: %g", power_of_ten(d, -6, 9));
    if (strcmp(type, "slider") == 0) write(d, ", axis: [%g, 1]", between(d, -3, 3));
    if (!ends && strcmp(type, "weld") != 0 && below(d, 2))
        write(d, ", limits: [%g, %g]", between(d, -40, 0), between(d, 0, 40));
    if (below(d, 4) == 0) write(d, ", breaks_at: %g", power_of_ten(d, -3, 6));
    write(d, "}\n");
}

static void write_walls_and_sources(draft *d) {
    int walls = below(d, 3);
    if (walls) write(d, "obstacles:\n");
    for (int i = 0; i < walls; i++) {
        write(d, "- {");
        write_area(d, true);
        if (below(d, 2)) write(d, ", velocity: [%g, %g]", between(d, -20, 20), between(d, -20, 20));
        if (below(d, 3) == 0) write(d, ", spin: %g", between(d, -3000, 3000));
        if (below(d, 4) == 0) write(d, ", turn: %g", power_of_ten(d, -2, 1));
        write(d, "}\n");
    }
    if (below(d, 3) == 0)
        write(d, "emitters: [{position: [%g, %g], direction: [%g, 1], speed: %g, width: %g, rate: %g}]\n",
              between(d, -1, 1), between(d, -1, 1), between(d, -3, 3), power_of_ten(d, -2, 1.5), power_of_ten(d, -2, 0),
              power_of_ten(d, 0, 4));
    if (below(d, 4)) return;
    write(d, "drains: [{");
    write_area(d, false);
    write(d, "}]\n");
}

static void write_materials(draft *d) {
    write(d, "materials:\n");
    for (int m = 0; m < 2; m++) {
        write(d, "  m%d: {color: '#ffffff', mass: %g", m, power_of_ten(d, -1.5, 1.5));
        if (below(d, 4) == 0) write(d, ", viscosity: %g", power_of_ten(d, -4, 1));
        if (below(d, 6) == 0) write(d, ", elasticity: %g", power_of_ten(d, -1, 2));
        if (below(d, 6) == 0) write(d, ", surface_tension: %g", power_of_ten(d, -3, 1));
        write(d, "}\n");
    }
}

static void write_scene(draft *d, const char *method) {
    write(d, "puddle: 1\nmethod: %s\nparticles: %d\n", method, 1 + below(d, 120));
    int shape = below(d, 4);
    if (shape < 2)
        write(d, "container: {shape: box, width: %g, height: %g}\n", power_of_ten(d, -1, 1), power_of_ten(d, -1, 1));
    if (shape == 2) write(d, "container: {shape: circle, radius: %g}\n", power_of_ten(d, -1, 1));
    if (shape == 3) write(d, "container: {shape: none}\n");
    if (below(d, 2)) write(d, "gravity: [%g, %g]\n", between(d, -5, 5), -power_of_ten(d, -1, 2));
    write(d, "substeps: %d\n", 1 + below(d, 3));
    if (below(d, 8) == 0) write(d, "dt: %g\n", power_of_ten(d, -5, 0));
    write(d, "parameters: {grid: {resolution: 12}, flip: {resolution: 12}, vortex: {core: %g}}\n", 0.3);
    write_materials(d);
    write(d, "regions:\n");
    for (int i = 0, count = 1 + below(d, 2); i < count; i++)
        write(d, "- {shape: box, center: [%g, %g], size: [%g, %g], material: m%d}\n", between(d, -0.5, 0.5),
              between(d, -0.5, 0.5), power_of_ten(d, -1, 0.3), power_of_ten(d, -1, 0.3), i);
    write_walls_and_sources(d);
    int bodies = below(d, 6);
    write_bodies(d, bodies);
    int joints = bodies ? below(d, 5) : 0;
    if (joints) write(d, "joints:\n");
    for (int i = 0; i < joints; i++) write_joint(d, bodies);
}

/* A tool that changes with the step. */
static void use_tool(pd_world *world, int number, int step) {
    const pd_tool_kind kinds[] = {PD_TOOL_NONE, PD_TOOL_MOVE, PD_TOOL_POUR,  PD_TOOL_DRAG,
                                  PD_TOOL_PUSH, PD_TOOL_PULL, PD_TOOL_ERASE, PD_TOOL_PAINT};
    int walls = pd_world_scene(world)->obstacle_count + pd_world_scene(world)->body_count;
    pd_tool tool = {.kind = kinds[(number + step / 3) % 8],
                    .position = {0.1f * (float)(step % 5) - 0.2f, 0.05f * (float)step},
                    .velocity = {(float)(step % 3), -1},
                    .radius = 0.2f,
                    .material = step % 2,
                    .obstacle = walls ? number % walls : -1};
    pd_world_set_tool(world, &tool);
}

static void play(pd_world *world, int number, int from, int to) {
    for (int step = from; step < to; step++) {
        use_tool(world, number, step);
        pd_world_step(world);
    }
}

/* Prints the scene as a whole, which is longer than a message of cmocka may be. */
static void expect(bool holds, int number, const draft *d, const char *fault) {
    if (holds) return;
    fprintf(stderr, "%s", d->text);
    fail_msg("scene %d: %s", number, fault);
}

/* Returns false if the scene is refused. */
static bool try_scene(int number) {
    enum { HALF = 5, END = 10 };
    static draft d;
    pd_scene scene;
    pd_error error = {0};
    pd_world *world, *other;
    void *bytes;
    size_t size;
    const char *method = pd_method_at(number % pd_method_count())->name;
    d = (draft){0};
    d.random.state = pd_random_mix_bits((uint64_t)number);
    write_scene(&d, method);
    if (pd_scene_read_text(d.text, d.length, "random", &scene, &error) != PD_OK) return false;
    if (create_with_threads(&world, &scene, 1, &error) != PD_OK) {
        pd_scene_free(&scene);
        return false;
    }
    play(world, number, 0, HALF);
    must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
    play(world, number, HALF, END);
    uint64_t end = pd_world_hash(world);
    expect(pd_world_has_valid_state(world), number, &d, "the state is invalid");
    other = world_of_text("puddle: 1\n", 1);
    expect(pd_world_restore_from_memory(other, bytes, size, &error) == PD_OK, number, &d, error.message);
    play(other, number, HALF, END);
    expect(pd_world_hash(other) == end, number, &d, "the restored world differs");
    pd_world_destroy(other);
    other = world_of(&scene, 3);
    play(other, number, 0, END);
    expect(pd_world_hash(other) == end, number, &d, "three threads differ");
    pd_world_destroy(other);
    assert_true(pd_simd_select("baseline"));
    other = world_of(&scene, 1);
    play(other, number, 0, END);
    expect(pd_world_hash(other) == end, number, &d, "the baseline differs");
    pd_world_destroy(other);
    assert_true(pd_simd_select("auto"));
    pd_world_destroy(world);
    pd_scene_free(&scene);
    free(bytes);
    return true;
}

static void test_random_scenes(void **state) {
    (void)state;
    const char *wanted = getenv("PUDDLE_RANDOM_SCENES"), *from = getenv("PUDDLE_FIRST_SCENE");
    int first = from ? atoi(from) : 0, count = wanted ? atoi(wanted) : is_shortened() ? 12 : 120, accepted = 0;
    for (int number = first; number < first + count; number++) accepted += try_scene(number);
    print_message("%d of %d random scenes are accepted\n", accepted, count);
    assert_true(accepted > 0);
}

TEST_GROUP(random_scenes) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
