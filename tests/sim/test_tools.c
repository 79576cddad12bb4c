/* The tools that pour and erase, with every method. */
#include "methods.h"

#include "scene/schema.h"
#include "sim/world.h"
#include "starved.h"

#define POOL                                                                                                           \
    "gravity: [0, -1.6]\ncontainer: {shape: box, width: 2, height: 2}\n"                                               \
    "materials: {water: {color: '#3a8fff'}, oil: {color: '#e0a020', mass: 0.8}}\n"                                     \
    "particles: 1500\nregions: [{shape: box, center: [0, -0.7], size: [2, 0.6]}]\n"                                    \
    "parameters: {grid: {resolution: 48}, vortex: {core: 0.06}}\n"
#define EMPTY                                                                                                          \
    "gravity: [0, 0]\ncontainer: {shape: box, width: 2, height: 2}\n"                                                  \
    "materials: {water: {color: '#3a8fff'}, oil: {color: '#e0a020', mass: 0.8}}\n"                                     \
    "parameters: {grid: {resolution: 48}, vortex: {core: 0.06, tracers: 0}}\n"                                         \
    "obstacles: [{shape: box, center: [-0.5, 0], size: [0.4, 0.4], angle: 20}]\n"

static void hold(pd_world *world, pd_tool_kind kind, float x, float y, float radius) {
    pd_tool tool = {.kind = kind, .position = {x, y}, .radius = radius, .material = kind == PD_TOOL_POUR};
    pd_world_set_tool(world, &tool);
}

static pd_view view_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    return view;
}

static uint32_t last_id(const pd_world *world) {
    pd_view view = view_of(world);
    uint32_t last = 0;
    for (int i = 0; i < view.count; i++) last = view.id[i] > last ? view.id[i] : last;
    return last;
}

/* The least distance of a particle with a greater id to any other, m. */
static double nearest_of_new(const pd_view *view, uint32_t last) {
    double nearest = INFINITY;
    for (int i = 0; i < view->count; i++)
        for (int j = 0; j < view->count && view->id[i] > last; j++)
            if (j != i)
                nearest = fmin(nearest, hypot((double)view->x[i] - view->x[j], (double)view->y[i] - view->y[j]));
    return nearest;
}

/* The greatest speed of particles with an id up to `last`, in sqrt(g L). */
static double fastest_of(const pd_world *world, uint32_t last) {
    pd_view view = view_of(world);
    double fastest = 0;
    for (int i = 0; i < view.count; i++)
        if (view.id[i] <= last) fastest = fmax(fastest, hypot((double)view.vx[i], (double)view.vy[i]));
    return fastest / speed_scale_of(world);
}

/* Where the tool touches the surface of a resting pool: fluid comes in, at the rest density and without a splash. */
static void test_pool(void **state) {
    const char *name = *state;
    pd_world *world = world_of_method(name, POOL, 1);
    step_many(world, 60);
    pd_view view = view_of(world);
    double spacing = sqrt(1.2 / 1500), rest = fastest_of(world, UINT32_MAX), fastest = 0;
    float top = -1;
    for (int i = 0; i < view.count; i++) top = fmaxf(top, view.y[i]);
    int before = view.count, first = 0;
    uint32_t last = last_id(world);
    for (int frame = 0; frame < 60; frame++) {
        hold(world, PD_TOOL_POUR, 0.3f * sinf(0.05f * (float)frame), top, 0.1f);
        pd_world_step(world);
        fastest = fmax(fastest, fastest_of(world, last));
        view = view_of(world);
        if (frame == 0) assert_true(nearest_of_new(&view, last) > 0.6 * spacing);
        if (frame == 11) first = pd_world_particles(world) - before;
    }
    int poured = pd_world_particles(world) - before;
    print_message("%s: %d in 0.2 s, %d in 1 s; the pool's fastest: %.3f, at rest %.3f sqrt(g L)\n", name, first, poured,
                  fastest, rest);
    assert_true(first >= 8 && poured > first + 8);
    assert_true(fastest < 0.3);
    expect_sound(world);
    view = view_of(world);
    for (int i = 0; i < view.count; i++)
        if (view.id[i] > last) assert_int_equal(view.material[i], 1);
    pd_world_destroy(world);
}

/* New particles keep their distance from each other, from what is there and from walls. */
static void test_distances(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\nmethod: ddr\n" POOL, 1);
    step_many(world, 60);
    double spacing = sqrt(1.2 / 1500);
    for (int k = 0; k < 40; k++) {
        uint32_t last = last_id(world);
        hold(world, PD_TOOL_POUR, 1.1f * cosf(0.4f * (float)k), -0.4f + 0.7f * sinf(0.4f * (float)k), 0.15f);
        pd_world_pour_or_erase(world);
        pd_view view = view_of(world);
        assert_true(nearest_of_new(&view, last) >= 0.9 * spacing - 1e-6);
        for (int i = 0; i < view.count; i++)
            if (view.id[i] > last) assert_true(fmaxf(fabsf(view.x[i]), fabsf(view.y[i])) <= 1 - 0.39f * (float)spacing);
        if (k == 0) assert_true(last_id(world) > last);
        pd_world_step(world);
    }
    expect_sound(world);
    pd_world_destroy(world);
}

/* In free space the disc is full within 0.2 s, at the rest density, and then nothing more comes. */
static void test_disc(void **state) {
    const char *name = *state;
    pd_world *world = world_of_method(name, EMPTY, 1);
    pd_resolution resolution = world->resolution;
    double expected = 3.14159265 * 0.3 * 0.3 / (double)(resolution.spacing * resolution.spacing);
    for (int frame = 0; frame < 12; frame++) {
        hold(world, PD_TOOL_POUR, 0.4f, 0.1f, 0.3f);
        pd_world_step(world);
    }
    int count = pd_world_particles(world);
    step_many(world, 30);
    print_message("%s: %d in 0.2 s, %d later, a disc of %.0f\n", name, count, pd_world_particles(world), expected);
    assert_true(count > 0.8 * expected && count < 1.1 * expected);
    assert_true(pd_world_particles(world) < 1.35 * expected);
    pd_world_destroy(world);
}

/* Neither beyond the container nor inside an obstacle; a stroke across both fills what is free. */
static void test_walls(void **state) {
    const char *name = *state;
    pd_world *world = world_of_method(name, EMPTY, 1);
    const float places[][2] = {{-0.5f, 0}, {1.3f, 0}, {0, -1.2f}, {3e38f, -3e38f}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        pd_world_reset(world);
        hold(world, PD_TOOL_NONE, 0, 0, 0);
        hold(world, PD_TOOL_POUR, places[k][0], places[k][1], 0.15f);
        step_many(world, 5);
        assert_int_equal(pd_world_particles(world), 0);
    }
    hold(world, PD_TOOL_NONE, 0, 0, 0);
    for (int frame = 0; frame <= 30; frame++) {
        hold(world, PD_TOOL_POUR, -1.2f + 0.08f * (float)frame, 0.1f, 0.2f);
        pd_world_step(world);
        expect_sound(world);
    }
    assert_true(pd_world_particles(world) > 100);
    pd_world_destroy(world);
}

/* The sum of a field's values within a disc, and in all. */
static double sum_of(const pd_world *world, const char *name, float x, float y, float radius) {
    pd_view view = view_of(world);
    const pd_field *f = pd_view_field(&view, name);
    double sum = 0;
    assert_non_null(f->values);
    for (int j = 0; j < f->ny; j++)
        for (int i = 0; i < f->nx; i++)
            for (int m = 0; m < (f->layers > 1 ? f->layers : 1); m++) {
                double dx = f->origin.x + (i + 0.5) * f->cell - (double)x;
                double dy = f->origin.y + (j + 0.5) * f->cell - (double)y;
                float value = f->values[i + f->nx * (j + f->ny * m)];
                if (hypot(dx, dy) < (double)radius && isfinite(value)) sum += (double)value;
            }
    return sum;
}

static void test_erase(void **state) {
    const char *name = *state;
    pd_world *world = world_of_method(name, POOL, 1);
    step_many(world, 10);
    int before = pd_world_particles(world), expected = 0;
    pd_view view = view_of(world);
    for (int i = 0; i < view.count; i++) expected += hypotf(view.x[i] - 0.2f, view.y[i] + 0.7f) >= 0.2f;
    bool dyes = pd_view_field(&view, "smoke") && pd_view_field(&view, "smoke")->info.support != PD_FIELD_OF_PARTICLES;
    double smoke = dyes ? sum_of(world, "smoke", 0.2f, -0.7f, 0.15f) : 1;
    hold(world, PD_TOOL_ERASE, 0.2f, -0.7f, 0.2f);
    pd_world_pour_or_erase(world);
    assert_int_equal(pd_world_particles(world), expected);
    assert_true(expected < before - 100);
    pd_world_step(world);
    assert_true(smoke > 0 && (!dyes || sum_of(world, "smoke", 0.2f, -0.7f, 0.12f) < 0.05 * smoke));
    assert_int_equal(pd_world_particles(world), expected); /* the same place again, before the fluid is back */
    hold(world, PD_TOOL_NONE, 0, 0, 0);
    for (int frame = 0; frame < 20; frame++) {
        hold(world, PD_TOOL_ERASE, -1 + 0.1f * (float)frame, -0.7f, 0.5f);
        pd_world_step(world);
    }
    print_message("%s: %d of %d left\n", name, pd_world_particles(world), before);
    expect_sound(world);
    hold(world, PD_TOOL_ERASE, 0, 0, 3);
    step_many(world, 2);
    assert_int_equal(pd_world_particles(world), 0);
    view = view_of(world);
    if (view.vortices.count > 0) fail_msg("%d vortices are left", view.vortices.count);
    pd_world_destroy(world);
}

/* Vortex particles: what is poured has the weight of its material, also where it flows away. */
static void test_mass(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\nmethod: vortex\n" POOL, 1);
    double pool = 0, poured = 0;
    pd_view view = view_of(world);
    for (int n = 0; n < view.vortices.count; n++) pool += (double)view.vortices.mass[n];
    hold(world, PD_TOOL_POUR, 0, 0.5f, 0.2f);
    step_many(world, 3);
    view = view_of(world);
    for (int n = 0; n < view.vortices.count; n++)
        poured += (double)(view.vortices.y[n] > 0.2f ? view.vortices.mass[n] : 0);
    /* Of water, whose mass is 1, the deviation is that of 1 from 0.5; of oil that of 0.8. */
    double expected = 0.3 / 0.5 * pool / 1.2 * 3.14159265 * 0.2 * 0.2;
    print_message("mass of the oil %g, expected %g\n", poured, expected);
    assert_float_equal(poured, expected, 0.15 * expected);
    pd_world_destroy(world);
}

/* A stroke of each of the tools. */
static void use_tools(pd_world *world, int frame) {
    float angle = 0.2f * (float)frame;
    pd_tool_kind kind = frame % 15 < 7 ? PD_TOOL_POUR : frame % 15 < 12 ? PD_TOOL_ERASE : PD_TOOL_NONE;
    hold(world, kind, 0.8f * cosf(angle), -0.4f + 0.4f * sinf(angle), 0.17f);
}

/* The same bits on any number of threads, at any SIMD level, and from a snapshot within a stroke. */
static void test_bits(void **state) {
    const char *name = *state;
    static const char *const LEVELS[] = {"baseline", "auto"};
    enum { MOST = 31 };
    const int frames = fewer_frames(MOST, 16); /* each tool within 15 frames */
    uint64_t hash[2][MOST];
    for (int run = 0; run < 2; run++) {
        assert_true(pd_simd_select(LEVELS[run]));
        pd_world *world = world_of_method(name, POOL, run == 0 ? 1 : 3);
        for (int frame = 0; frame < frames; frame++) {
            use_tools(world, frame);
            pd_world_step(world);
            hash[run][frame] = pd_world_hash(world);
            if (hash[run][frame] != hash[0][frame]) fail_msg("%s differs in frame %d", name, frame);
            void *bytes;
            size_t size;
            pd_error error = {0};
            if (run == 0 || frame % 3) continue;
            assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
            pd_world *other = world_of_text("puddle: 1\n", 2);
            if (pd_world_restore_from_memory(other, bytes, size, &error) != PD_OK) fail_msg("%s", error.message);
            free(bytes);
            pd_world_destroy(world);
            world = other;
            assert_true(pd_world_hash(world) == hash[run][frame]);
        }
        pd_world_destroy(world);
    }
}

/* Without memory for more particles pouring ends, and tells it. */
static void test_full(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\nmethod: flip\n" POOL, 1);
    hold(world, PD_TOOL_POUR, 0, 0.3f, 0.5f);
    set_starving_allocator();
    starved = world;
    assert_false(pd_world_is_pour_incomplete(world));
    step_many(world, 3);
    assert_true(pd_world_is_pour_incomplete(world));
    assert_int_equal(pd_world_particles(world), world->particles.capacity);
    assert_true(pd_world_was_refused_memory(world));
    starved = NULL;
    hold(world, PD_TOOL_ERASE, 0, 0.3f, 0.5f);
    step_many(world, 1);
    assert_false(pd_world_is_pour_incomplete(world));
    pd_world_destroy(world);
}

/* A stroke is one act: undone as a whole, and done again bit for bit. */
static void test_undo(void **state) {
    const char *name = *state;
    pd_world *world = world_of_method(name, POOL, 1);
    pd_error error = {0};
    pd_log *log;
    assert_int_equal(pd_log_create(&log, world, &error), PD_OK);
    uint64_t before = 0, after = 0;
    int count = 0;
    for (int frame = 0; frame < 20; frame++) {
        bool holds = frame >= 5 && frame < 12;
        pd_command command = {PD_COMMAND_TOOL, .is.tool = {.kind = holds ? PD_TOOL_POUR : PD_TOOL_NONE,
                                                           .position = {-0.5f + 0.1f * (float)frame, 0},
                                                           .radius = 0.2f,
                                                           .material = holds}};
        if (frame == 5) before = pd_world_hash(world), count = pd_world_particles(world);
        assert_int_equal(pd_log_do(log, world, &command, &error), PD_OK);
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    after = pd_world_hash(world);
    int poured = pd_world_particles(world);
    assert_true(poured > count + 20);
    assert_int_equal(pd_log_undo(log, world, &error), PD_OK);
    assert_true(pd_world_hash(world) == before);
    assert_int_equal(pd_world_particles(world), count);
    assert_int_equal(pd_log_redo(log, world, &error), PD_OK);
    assert_true(pd_world_hash(world) == after);
    pd_log_destroy(log);
    pd_world_destroy(world);
}

/* A tool that is faster than anything in a scene may be acts like one of the greatest speed. */
static void test_fastest_tool(void **state) {
    static const float speeds[] = {(float)PD_FASTEST, 3e38f};
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        pd_world *world = world_of_method(*state, POOL, 1);
        const pd_tool tool = {
            .kind = PD_TOOL_DRAG, .position = {0, -0.5f}, .velocity = {speeds[k], -speeds[k]}, .radius = 0.2f};
        pd_world_set_tool(world, &tool);
        step_many(world, 2);
        hash[k] = view_hash(world);
        pd_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

TEST_GROUP(tools) {
    const method_test tests[] = {
        OF_ALL(test_pool), ONCE(test_distances), OF_ALL(test_disc), OF_ALL(test_walls), OF_ALL(test_erase),
        ONCE(test_mass),   OF_ALL(test_bits),    OF_ALL(test_undo), ONCE(test_full),    OF_ALL(test_fastest_tool),
    };
    return RUN_METHOD_TESTS(tests);
}
