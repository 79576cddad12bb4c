/* Dyes of the grid fluid and its tracers, which are the liquid when another method goes on: both must be of the same
 * material in the same places. */
#include "methods.h"
#include "methods/grid/grid.h"

/* The amount of a dye, m^2, right of x = `from` and left of x = `to`. */
static double dye_between(const pd_world *world, int layer, double from, double to) {
    pd_view view;
    pd_world_view(world, &view);
    const pd_field *smoke = pd_view_field(&view, "smoke");
    double sum = 0;
    for (int j = 0; j < smoke->ny; j++)
        for (int i = 0; i < smoke->nx; i++) {
            float value = smoke->values[i + smoke->nx * (j + smoke->ny * layer)];
            double x = (double)smoke->origin.x + (i + 0.5) * (double)smoke->cell;
            if (!isnan(value) && x > from && x < to) sum += (double)value;
        }
    return sum * (double)smoke->cell * (double)smoke->cell;
}

static double dye_of(const pd_world *world, int layer) { return dye_between(world, layer, -INFINITY, INFINITY); }

/* The area of the tracers of a material, m^2. */
static double tracers_of(const pd_world *world, int material) {
    pd_view view;
    int count = 0;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) count += view.material[i] == material;
    return count * (double)view.spacing * (double)view.spacing;
}

/* ---- Changes of material ---- */

/* Still fluid with a square of each dye, and zones. */
static pd_world *still_world(const char *changes, int threads) {
    char text[1200];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nparticles: 4000\ncontainer: {shape: box, width: 2, height: 1}\n"
             "materials: {a: {color: '#ff0000'}, b: {color: '#00ff00'}, c: {color: '#0000ff'}}\n"
             "regions:\n  - {shape: box, center: [0, 0], size: [1.6, 0.5], material: a}\n"
             "parameters: {grid: {resolution: 64}}\nchanges: [%s]\n",
             changes);
    return world_of_method("grid", text, threads);
}

/* The dye changes where the tracers do, as fast as they do. */
static void dye_changes_with_its_tracers(void **state) {
    (void)state;
    pd_world *world = still_world("{shape: box, center: [0.5, 0], size: [1, 1], from: a, to: b, rate: 4},"
                                  "{shape: box, center: [-0.5, 0], size: [0.5, 1], from: a, to: c}",
                                  1);
    step_many(world, 15);
    const double changed = 0.8 * 0.5 * (1 - exp(-4 * 0.25));
    print_message("b: dye %.4f, tracers %.4f, due %.4f m^2; c: %.4f, %.4f, %.4f\n", dye_of(world, 1),
                  tracers_of(world, 1), changed, dye_of(world, 2), tracers_of(world, 2), 0.25);
    assert_float_equal(dye_of(world, 1), changed, 0.01 * changed);
    assert_float_equal(dye_of(world, 1), tracers_of(world, 1), 0.06 * changed);
    assert_float_equal(dye_of(world, 2), 0.25, 0.03 * 0.25);
    assert_float_equal(dye_of(world, 2), tracers_of(world, 2), 0.06 * 0.25);
    assert_float_equal(dye_of(world, 0) + dye_of(world, 1) + dye_of(world, 2), 0.8, 0.01);
    assert_float_equal(dye_between(world, 1, -1, -0.05), 0, 1e-6); /* in the zones only */
    pd_world_destroy(world);
}

/* What has changed waits for the next step before it changes again: two opposite zones exchange the dyes, a chain does
 * not run through at once. */
static void dye_changes_once(void **state) {
    (void)state;
#define EVERYWHERE "shape: circle, center: [0, 0], radius: 3"
    pd_world *world = still_world("{" EVERYWHERE ", from: a, to: b}, {" EVERYWHERE ", from: b, to: c},"
                                  "{" EVERYWHERE ", from: c, to: a}",
                                  1);
    double amount = dye_of(world, 0);
    for (int n = 1; n <= 4; n++) {
        pd_world_step(world);
        assert_int_equal(pd_world_substeps(world), 1);
        for (int m = 0; m < 3; m++) {
            double due = m == n % 3 ? amount : 0;
            assert_float_equal(dye_of(world, m), due, 1e-3 * amount);
            assert_float_equal(tracers_of(world, m), due, 1e-2 * amount);
        }
    }
    pd_world_destroy(world);
}

/* ---- Painting ---- */

typedef struct painting {
    const char *name;
    const char *text;   /* the scene */
    float radius, step; /* m; how far the tool goes in each step */
    int strokes, steps; /* steps in each stroke */
    float upwards;      /* m between two strokes, which go right and left by turns */
    pd_vec2 from;
} painting;

/* Paints material 1 and returns how much of it there is as dye, m^2. */
static double paint(pd_world *world, const painting *p) {
    pd_tool tool = {.kind = PD_TOOL_PAINT, .radius = p->radius, .position = p->from, .material = 1};
    for (int s = 0; s < p->strokes; s++) {
        float step = s % 2 ? -p->step : p->step;
        for (int n = 0; n < p->steps; n++) {
            tool.position.x += step;
            tool.velocity.x = 60 * step;
            pd_world_set_tool(world, &tool);
            pd_world_step(world);
        }
        tool.position.y += p->upwards;
        pd_world_set_tool(world, &(pd_tool){.kind = PD_TOOL_NONE});
        pd_world_step(world);
    }
    return dye_of(world, 1);
}

#define BOX                                                                                                            \
    "gravity: [0, 0]\ncontainer: {shape: box, width: 2, height: 2}\n"                                                  \
    "materials: {red: {color: '#ff4030'}, blue: {color: '#3060ff'}}\nparameters: {grid: {resolution: 96}}\n"
#define BLOB "particles: 3000\nregions: [{shape: box, center: [0, 0.2], size: [1.6, 0.9], material: red}]\n"

static const painting paintings[] = {
    {"a dot", BOX, 0.3f, 0, 1, 30, 0, {0, 0}},
    {"a short touch", BOX, 0.3f, 0, 1, 2, 0, {0, 0}},
    {"a line", BOX, 0.15f, 0.02f, 1, 60, 0, {-0.6f, 0}},
    {"a fast line", BOX, 0.15f, 0.12f, 2, 10, 0.4f, {-0.6f, -0.4f}},
    {"hatching", BOX, 0.12f, 0.03f, 8, 40, 0.18f, {-0.6f, -0.6f}},
    {"a tool as large as can be", BOX, 1e6f, 0, 1, 4, 0, {0, 0}},
    {"over another dye", BOX BLOB, 0.15f, 0.02f, 1, 60, 0, {-0.6f, 0.2f}},
    {"through the edge of another dye", BOX BLOB, 0.15f, 0.03f, 2, 40, 0.3f, {-0.6f, -0.3f}},
};

/* What is painted has tracers: changed to a liquid it is as much as there was dye, and what was there before is not
 * doubled. */
static void paint_is_kept_as_liquid(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof paintings / sizeof *paintings; n++) {
        const painting *p = &paintings[n];
        pd_world *world = world_of_method("grid", p->text, 1);
        pd_error error;
        double dye = paint(world, p), other = dye_of(world, 0);
        assert_int_equal(pd_world_set_method(world, "ddr", &error), PD_OK);
        double liquid = tracers_of(world, 1), before = tracers_of(world, 0);
        print_message("%s: dye %.4f, liquid %.4f m^2 (%+.1f %%); of the other %.4f, %.4f\n", p->name, dye, liquid,
                      100 * (liquid / dye - 1), other, before);
        assert_true(dye > 0.01);
        assert_float_equal(liquid, dye, 0.1 * dye);
        assert_float_equal(before, other, 0.1 * other + 1e-9);
        step_many(world, 5);
        expect_sound(world);
        pd_world_destroy(world);
    }
}

/* ---- Transport ---- */

/* How much of the squared amount of a dye is left after it was carried once round: 1 without smearing. */
static double sharpness(float advection) {
    const double pi = 3.14159265358979324;
    pd_world *world = world_of_method("grid",
                                      "gravity: [0, 0]\n"
                                      "particles: 10\n"
                                      "container: {shape: circle, radius: 1}\n"
                                      "regions: [{shape: circle, center: [0.5, 0], radius: 0.25}]\n"
                                      "parameters: {grid: {resolution: 100, buoyancy: 0}}\n",
                                      1);
    set_own_parameter(world, "advection", advection);
    grid_state *grid = world->state;
    const pd_mac *mac = grid->mac;
    double before = 0, after = 0;
    for (size_t k = 0; k < mac->layout.count; k++) before += (double)grid->dye[0][k] * (double)grid->dye[0][k];
    int turn = 300;
    for (int n = 0; n < turn; n++) {
        for (int j = -1; j <= mac->layout.ny; j++)
            for (int i = -1; i <= mac->layout.nx; i++) {
                size_t k = pd_element_index(&mac->layout, i, j);
                pd_vec2 p = pd_mac_cell_center(mac, i, j);
                mac->u[k] = (float)(-2 * pi * (double)p.y);
                mac->v[k] = (float)(2 * pi * (double)p.x);
            }
        pd_grid_measure_dye_amounts(world, grid);
        pd_grid_transport_dyes(world, grid, 1.0f / (float)turn);
    }
    for (size_t k = 0; k < mac->layout.count; k++) after += (double)grid->dye[0][k] * (double)grid->dye[0][k];
    pd_world_destroy(world);
    return after / before;
}

static void maccormack_keeps_more_detail(void **state) {
    (void)state;
    double linear = sharpness(GRID_LINEAR), corrected = sharpness(GRID_MACCORMACK);
    print_message("left of the dye's squares after one turn: linear %.3f, MacCormack %.3f\n", linear, corrected);
    assert_true(corrected > 0.7);
    assert_true(1 - corrected < 0.5 * (1 - linear));
}

TEST_GROUP(grid_dyes) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dye_changes_with_its_tracers),
        cmocka_unit_test(dye_changes_once),
        cmocka_unit_test(paint_is_kept_as_liquid),
        cmocka_unit_test(maccormack_keeps_more_detail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
