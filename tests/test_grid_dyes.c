/* Dyes of the grid fluid and its tracers, which are the liquid when another method goes on: both must be of the same
 * material in the same places. */
#include "methods.h"
#include "methods/grid.h"

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
                                  2);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dye_changes_with_its_tracers),
        cmocka_unit_test(dye_changes_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
