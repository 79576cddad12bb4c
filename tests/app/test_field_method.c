/* A method with a field of its own, which is defined here and not in src/: heat that diffuses on a grid, and particles
 * that move through it without interacting. Tests what the world provides for such methods: the contract of all
 * methods, changes to and from others, reset, snapshots, rewind, view modes. */
#include "contract.h"
#include "methods.h"

#include "app/loop.h"
#include "core/archive.h"
#include "core/error.h"
#include "core/memory.h"
#include "sim/step.h"
#include "sim/view.h"

/* ---- The method ---- */

enum { HEAT_RESOLUTION, HEAT_DIFFUSIVITY, HEAT_PARAMETERS };
static const pd_parameter parameters[HEAT_PARAMETERS] = {
    {.key = "resolution",
     .title = "Resolution",
     .unit = "cells",
     .help = "Cells along the shorter side",
     .source = "",
     .type = PD_PARAMETER_INTEGER,
     .default_value = 24,
     .minimum = 4,
     .maximum = 200},
    {.key = "diffusivity",
     .title = "Diffusivity",
     .unit = "",
     .help = "Part of the difference between neighbouring cells that flows in a substep",
     .source = "",
     .default_value = 0.2f,
     .minimum = 0,
     .maximum = 0.25f},
};

enum { HEAT_FIELD, VELOCITY_X_FIELD, VELOCITY_Y_FIELD, FIELDS };
static const pd_field_info fields[FIELDS] = {
    {"heat", "heat", "1/m²", PD_FIELD_OF_CELLS},
    {"velocity_x", "velocity", "m/s", PD_FIELD_OF_CELLS},
    {"velocity_y", "velocity", "m/s", PD_FIELD_OF_CELLS},
};
static const pd_number_info numbers[] = {{"divergence", "divergence", "1/s"}, {"total", "total heat", ""}};
static const pd_view_mode views[] = {{"heat", PD_VIEW_IMAGE, "heat"},
                                     {"isotherms", PD_VIEW_IMAGE, "heat", PD_LINES_CONTOURS},
                                     {"surface", PD_VIEW_SURFACE, NULL}};

/* A column of the method's own, with the initial value 1. */
enum { HEAT_WARMTH, COLUMNS };
static const pd_column columns[COLUMNS] = {
    {.name = "warmth", .width = 4, .sorted = true, .saved = true, .real = true, .initial = 0x3f800000 /* 1.0f */}};

typedef struct heat {
    int nx, ny;
    float cell;
    pd_vec2 low;
    float *now, *next;
    int starts, resets, computed;
    const pd_method *before;
} heat;

static pd_result init(pd_world *world, void *memory, pd_error *error) {
    heat *h = memory;
    const pd_container *c = &world->scene.container;
    float width = c->shape == PD_CONTAINER_BOX ? c->width : 2 * c->radius;
    float height = c->shape == PD_CONTAINER_BOX ? c->height : 2 * c->radius;
    if (c->shape == PD_CONTAINER_NONE) width = height = 2;
    h->cell = fminf(width, height) / world->parameter[HEAT_RESOLUTION];
    h->nx = (int)ceilf(width / h->cell - 1e-3f), h->ny = (int)ceilf(height / h->cell - 1e-3f);
    h->low = (pd_vec2){-width / 2, -height / 2};
    h->now = pd_allocate((size_t)(h->nx * h->ny), sizeof *h->now);
    h->next = pd_allocate((size_t)(h->nx * h->ny), sizeof *h->next);
    return h->now && h->next ? PD_OK : pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the heat");
}

static void destroy(void *memory) {
    heat *h = memory;
    pd_free(h->now), pd_free(h->next);
}

static int clamped(float place, int count) { return place > 0 ? (int)fminf(place, (float)count - 1) : 0; }

/* The heat of a cell is its number of particles. */
static void deposit(const pd_world *world, heat *h) {
    const pd_particles *p = &world->particles;
    memset(h->now, 0, (size_t)(h->nx * h->ny) * sizeof *h->now);
    for (int i = 0; i < p->count; i++) {
        int cx = clamped((p->x[i] - h->low.x) / h->cell, h->nx), cy = clamped((p->y[i] - h->low.y) / h->cell, h->ny);
        h->now[cy * h->nx + cx] += 1;
    }
}

static void start(pd_world *world, void *memory, const pd_method *before) {
    heat *h = memory;
    h->starts++;
    h->before = before;
    deposit(world, h);
}

static void reset(pd_world *world, void *memory) {
    heat *h = memory;
    h->resets++;
    deposit(world, h);
}

/* The value at (x, y), outside the grid that of the nearest cell. */
static float at(const heat *h, int x, int y) {
    if (x < 0) x = 0;
    if (y < 0) y = 0;
    if (x >= h->nx) x = h->nx - 1;
    if (y >= h->ny) y = h->ny - 1;
    return h->now[y * h->nx + x];
}

static void diffuse_rows(void *context, int begin, int end) {
    const pd_world *world = context;
    const heat *h = world->state;
    float rate = world->parameter[HEAT_DIFFUSIVITY];
    for (int y = begin; y < end; y++)
        for (int x = 0; x < h->nx; x++) {
            float here = at(h, x, y);
            float around = at(h, x - 1, y) + at(h, x + 1, y) + at(h, x, y - 1) + at(h, x, y + 1);
            h->next[y * h->nx + x] = here + rate * (around - 4 * here);
        }
}

static void step(pd_world *world, void *memory, float dt) {
    heat *h = memory;
    const pd_particles *p = &world->particles;
    double since = 0;
    for (int i = 0; i < p->count; i++) {
        pd_vec2 old = {p->x[i], p->y[i]}, now = {old.x + p->vx[i] * dt, old.y + p->vy[i] * dt};
        pd_contact contact;
        if (pd_boundary_stop_at_walls(world->boundary, old, &now, &contact)) p->vx[i] = p->vy[i] = 0;
        p->x[i] = now.x, p->y[i] = now.y;
    }
    pd_parallel_for(world->pool, h->ny, 4, diffuse_rows, world);
    float *before = h->now;
    h->now = h->next, h->next = before;
    pd_stage_end(world, "heat", &since);
}

/* A stagnation flow, which does not move the particles: u = x, v = -y. */
static void field_of_velocity(const pd_world *world, const heat *h, int index, pd_field *f) {
    float *values = pd_field_buffer(world, index, (size_t)(h->nx * h->ny));
    for (int i = 0; values && i < h->nx * h->ny; i++) {
        float x = h->low.x + ((float)(i % h->nx) + 0.5f) * h->cell,
              y = h->low.y + ((float)(i / h->nx) + 0.5f) * h->cell;
        values[i] = index == VELOCITY_X_FIELD ? x : -y;
    }
    f->values = values;
    f->low = -1;
    f->high = 1;
}

static void field(const pd_world *world, void *memory, int index, pd_field *f) {
    heat *h = memory;
    f->values = h->now;
    f->high = 10;
    if (index == HEAT_FIELD)
        h->computed++;
    else
        field_of_velocity(world, h, index, f);
    f->nx = h->nx, f->ny = h->ny, f->origin = h->low, f->cell = h->cell;
}

static double number(const pd_world *world, void *memory, int index) {
    const heat *h = memory;
    double total = 0;
    (void)world;
    for (int i = 0; i < h->nx * h->ny; i++) total += (double)h->now[i];
    return index == 1 ? total : 0.25;
}

static void serialize(pd_world *world, void *memory, pd_archive *archive) {
    heat *h = memory;
    (void)world;
    pd_archive_transfer(archive, h->now, (size_t)(h->nx * h->ny) * sizeof *h->now);
}

static const pd_method heat_method = {
    .info = {.name = "heat",
             .title = "Heat",
             .source = "Fourier 1822",
             .parameter_count = HEAT_PARAMETERS,
             .field_count = FIELDS,
             .number_count = 2,
             .view_count = 3},
    .parameters = parameters,
    .fields = fields,
    .numbers = numbers,
    .views = views,
    .state_size = sizeof(heat),
    .columns = columns,
    .column_count = COLUMNS,
    .init = init,
    .start = start,
    .reset = reset,
    .step = step,
    .field = field,
    .number = number,
    .serialize = serialize,
    .destroy = destroy,
};

/* ---- The tests ---- */

static const char *const POOL = "puddle: 1\nmethod: ddr\nparticles: 800\n"
                                "container: {shape: box, width: 2, height: 1}\n"
                                "regions: [{shape: box, center: [-0.5, -0.2], size: [0.8, 0.6]}]\n";

static heat *heat_of(const pd_world *world) { return world->state; }

static double total_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    return pd_view_number(&view, "total");
}

static void change(pd_world *world, const char *method) {
    pd_error error;
    if (pd_world_set_method(world, method, &error)) fail_msg("%s", error.message);
}

static void test_contract(void **state) {
    (void)state;
    expect_contract_of_all_scenes("heat", 0);
}

/* The field has the same bits on any number of threads, and after continuing from a snapshot. */
static void test_field_bits(void **state) {
    (void)state;
    pd_world *one = world_of_text(POOL, 1), *three = world_of_text(POOL, 3);
    step_many(one, 20), step_many(three, 20);
    change(one, "heat"), change(three, "heat");
    step_many(one, 20), step_many(three, 20);
    size_t bytes = (size_t)(heat_of(one)->nx * heat_of(one)->ny) * sizeof(float), size;
    assert_memory_equal(heat_of(one)->now, heat_of(three)->now, bytes);
    void *snapshot;
    assert_int_equal(pd_world_save_to_memory(one, &snapshot, &size, NULL), PD_OK);
    assert_int_equal(pd_world_restore_from_memory(three, snapshot, size, NULL), PD_OK);
    assert_memory_equal(heat_of(one)->now, heat_of(three)->now, bytes);
    step_many(one, 7), step_many(three, 7);
    assert_memory_equal(heat_of(one)->now, heat_of(three)->now, bytes);
    free(snapshot);
    pd_world_destroy(one), pd_world_destroy(three);
}

/* `start` gets the method before and finds its particles in place; a change back keeps their new positions. */
static void test_live_changes(void **state) {
    (void)state;
    pd_world *world = world_of_text(POOL, 1), *unchanged = world_of_text(POOL, 1);
    step_many(world, 30);
    uint64_t before = pd_world_hash(world);
    pd_view view;
    pd_world_view(world, &view);
    assert_non_null(view.density);
    float x = view.x[17];
    change(world, "heat");
    assert_int_equal(heat_of(world)->starts, 1);
    assert_string_equal(heat_of(world)->before->info.name, "ddr");
    assert_float_equal(total_of(world), 800, 0);
    assert_int_equal(world->particles.method_column_count, COLUMNS);
    assert_float_equal(((const float *)world->particles.method[HEAT_WARMTH])[17], 1, 0);
    pd_world_view(world, &view);
    assert_null(view.density); /* the method computes no density */
    assert_float_equal(view.x[17], x, 0);
    pd_statistics s;
    pd_world_statistics(world, &s);
    assert_true(isnan(s.mean_density) && isnan(s.density_error) && isnan(s.circulation));
    assert_float_equal(s.divergence, 0.25, 0);
    for (int k = 0; k < 3; k++) {
        const char *const round[] = {"sph", "heat", "pbf", "heat", "ddr", "heat"};
        for (int r = 0; r < 6; r++) {
            change(world, round[r]);
            step_many(world, 5);
            expect_sound(world);
            assert_int_equal(pd_world_particles(world), 800);
        }
    }
    change(world, "ddr");
    step_many(world, 480);
    step_many(unchanged, (int)pd_world_steps(world));
    /* It goes on sloshing like one that was never changed: its container has no friction. */
    double rms = 0, rms_unchanged = 0;
    for (int frame = 0; frame < 120; frame++) {
        pd_world_step(world), pd_world_step(unchanged);
        rms += statistics_of(world).rms_speed / speed_scale_of(world) / 120;
        rms_unchanged += statistics_of(unchanged).rms_speed / speed_scale_of(world) / 120;
    }
    expect_sound(world);
    print_message("ddr again: rms speed %.3f of sqrt(gL) after 10 s, unchanged %.3f\n", rms, rms_unchanged);
    assert_true(statistics_of(world).mean_density > 0 && rms < 1.5 * rms_unchanged);
    assert_true(pd_world_hash(world) != before);
    pd_world_destroy(world), pd_world_destroy(unchanged);
}

static void test_reset_and_creation(void **state) {
    (void)state;
    pd_scene scene = scene_of_text(POOL);
    strcpy(scene.method, "heat");
    pd_world *world = world_of(&scene, 1);
    assert_int_equal(heat_of(world)->starts, 1);
    assert_null(heat_of(world)->before);
    assert_float_equal(total_of(world), 800, 0); /* `start` runs after the particles are placed */
    float hottest = heat_of(world)->now[0];
    for (int i = 0; i < heat_of(world)->nx * heat_of(world)->ny; i++) hottest = fmaxf(hottest, heat_of(world)->now[i]);
    step_many(world, 50);
    for (int i = 0; i < heat_of(world)->nx * heat_of(world)->ny; i++) assert_true(heat_of(world)->now[i] < hottest);
    pd_world_reset(world);
    assert_int_equal(heat_of(world)->resets, 1);
    float again = 0;
    for (int i = 0; i < heat_of(world)->nx * heat_of(world)->ny; i++) again = fmaxf(again, heat_of(world)->now[i]);
    assert_float_equal(again, hottest, 0);
    pd_error error;
    assert_int_equal(pd_world_set_particle_count(world, 400, &error), PD_OK);
    assert_float_equal(total_of(world), 400, 0);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* Fields are computed on request, and only once until the world changes. */
static void test_fields_on_request(void **state) {
    (void)state;
    pd_scene scene = scene_of_text(POOL);
    strcpy(scene.method, "heat");
    pd_world *world = world_of(&scene, 1);
    pd_view view;
    step_many(world, 3);
    pd_world_view(world, &view);
    assert_int_equal(heat_of(world)->computed, 0);
    for (int k = 0; k < 3; k++) {
        const pd_field *f = pd_view_field(&view, "heat");
        assert_non_null(f);
        assert_string_equal(f->info.unit, "1/m²");
        assert_int_equal(f->nx * f->ny, heat_of(world)->nx * heat_of(world)->ny);
        assert_true(f->values == heat_of(world)->now);
        pd_world_view(world, &view);
    }
    assert_int_equal(heat_of(world)->computed, 1);
    pd_world_step(world);
    pd_world_view(world, &view);
    pd_view_field(&view, "heat");
    assert_int_equal(heat_of(world)->computed, 2);
    assert_null(pd_view_field(&view, "pressure"));
    assert_true(isnan(pd_view_number(&view, "circulation")));
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* The key L changes the lines over a view to the next that it can have; chosen ones stay when the view changes, as far as
 * that can have them. */
static void expect_lines_in_the_app(pd_app *app) {
    assert_string_equal(app->viewport.mode->name, "heat");
    assert_int_equal(pd_viewport_lines(&app->viewport), PD_LINES_NONE);
    pd_app_perform_action(app, PD_ACTION_VIEW, 0);
    assert_int_equal(pd_viewport_lines(&app->viewport), PD_LINES_CONTOURS); /* those of isotherms */
    pd_app_perform_action(app, PD_ACTION_LINES, 0);
    assert_int_equal(pd_viewport_lines(&app->viewport), PD_LINES_STREAMLINES);
    pd_app_perform_action(app, PD_ACTION_VIEW, 0);
    assert_string_equal(app->viewport.mode->name, "surface");
    assert_int_equal(pd_viewport_describe_picture(&app->viewport, 0, 640, 480, 1, 1).lines, PD_LINES_STREAMLINES);
    pd_app_perform_action(app, PD_ACTION_LINES, 0);
    assert_int_equal(pd_viewport_lines(&app->viewport), PD_LINES_ARROWS);
    pd_app_perform_action(app, PD_ACTION_LINES, 0);
    assert_int_equal(pd_viewport_lines(&app->viewport), PD_LINES_NONE);
    pd_app_perform_action(app, PD_ACTION_LINES, 0); /* a surface has no contours */
    assert_int_equal(pd_viewport_lines(&app->viewport), PD_LINES_STREAMLINES);
    pd_session_set_method(&app->session, pd_method_find("ddr"));
    assert_int_equal(pd_viewport_lines(&app->viewport), PD_LINES_NONE); /* it has no field of velocity */
    pd_app_perform_action(app, PD_ACTION_LINES, 0);
    assert_int_equal(pd_viewport_lines(&app->viewport), PD_LINES_NONE);
    pd_session_set_method(&app->session, pd_method_find("heat"));
    assert_string_equal(app->viewport.mode->name, "surface");
    assert_int_equal(pd_viewport_lines(&app->viewport), PD_LINES_STREAMLINES);
    pd_viewport_set_mode(&app->viewport, pd_method_view_at(pd_world_method(app->session.world), 0));
}

/* In the app: the method's key, its view modes, and rewinding to it and to the method before. */
static void test_in_the_app(void **state) {
    (void)state;
    static pd_app app;
    pd_app_init(&app, &(pd_app_options){.quiet = true});
    app.session.world = world_of_text(POOL, 1);
    app.viewport.panel = true;
    app.viewport.chosen_view = "pressure";
    pd_session_replace_world(&app.session, app.session.world);
    assert_string_equal(app.viewport.mode->name, "pressure");
    for (int i = 0; i < 70; i++) pd_world_step(app.session.world), pd_log_end_step(app.session.log, app.session.world);
    pd_app_perform_action(&app, PD_ACTION_METHOD, '7');
    assert_string_equal(pd_world_method(app.session.world)->name, "heat");
    assert_string_equal(app.viewport.mode->name, "heat");       /* it has no field of pressure */
    pd_session_set_method(&app.session, pd_method_find("ddr")); /* as the panel does */
    assert_string_equal(app.viewport.mode->name, "pressure");   /* the view chosen before is used again */
    pd_app_perform_action(&app, PD_ACTION_METHOD, '7');
    pd_app_perform_action(&app, PD_ACTION_VIEW, 0);
    assert_string_equal(app.viewport.mode->name, "isotherms");
    pd_app_perform_action(&app, PD_ACTION_VIEW, 0), pd_app_perform_action(&app, PD_ACTION_VIEW, 0);
    assert_string_equal(app.viewport.mode->name, "heat");
    expect_lines_in_the_app(&app);
    for (int i = 0; i < 70; i++) pd_world_step(app.session.world), pd_log_end_step(app.session.log, app.session.world);
    double total = total_of(app.session.world);
    pd_app_perform_action(&app, PD_ACTION_REWIND, 0);
    assert_string_equal(pd_world_method(app.session.world)->name, "heat");
    assert_float_equal(total_of(app.session.world), total, 1e-3 * total);
    while (strcmp(pd_world_method(app.session.world)->name, "heat") == 0)
        pd_app_perform_action(&app, PD_ACTION_REWIND, 0);
    assert_string_equal(pd_world_method(app.session.world)->name, "ddr");
    pd_log_destroy(app.session.log);
    pd_world_destroy(app.session.world);
}

static int add_method(void **state) {
    (void)state;
    bool added = pd_method_register(&heat_method);
    return added && !pd_method_register(&heat_method) ? 0 : -1;
}

TEST_GROUP(field_method) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),          cmocka_unit_test(test_field_bits),
        cmocka_unit_test(test_live_changes),      cmocka_unit_test(test_reset_and_creation),
        cmocka_unit_test(test_fields_on_request), cmocka_unit_test(test_in_the_app),
    };
    return cmocka_run_group_tests(tests, add_method, NULL);
}
