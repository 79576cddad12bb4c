/* Numbers of the grid fluid in its statistics. */
#include "methods.h"
#include "methods/grid/grid.h"

static pd_statistics numbers(const pd_world *world) {
    pd_statistics statistics;
    pd_world_statistics(world, &statistics);
    return statistics;
}

/* The sums over all cells that several numbers need are computed once for each state of the world: what the numbers are
 * does not change before the next step, not even when the velocities behind them are overwritten here. */
static void sums_are_computed_once(void **state) {
    (void)state;
    pd_scene scene = bundled_scene("stirring");
    pd_world *world = world_of(&scene, 1);
    step_many(world, 3);
    pd_view view;
    pd_world_view(world, &view);
    double fastest = pd_view_number(&view, "max_speed");
    pd_mac *mac = ((grid_state *)world->state)->mac;
    size_t bytes = mac->layout.count * sizeof(float);
    float *u = test_malloc(bytes);
    memcpy(u, mac->u, bytes);
    for (size_t k = 0; k < mac->layout.count; k++) mac->u[k] *= 2;
    pd_statistics cached = numbers(world);
    assert_true(fastest > 0 && cached.max_speed == fastest);
    memcpy(mac->u, u, bytes);
    pd_statistics same = numbers(world);
    assert_true(same.rms_speed == cached.rms_speed && same.circulation == cached.circulation);
    pd_world_step(world);
    assert_true(numbers(world).rms_speed != same.rms_speed);
    pd_world_destroy(world);
    pd_scene_free(&scene);
    test_free(u);
}

/* A reset world is as a new one, also where obstacles have moved. */
static void reset_is_a_new_start(void **state) {
    (void)state;
    pd_scene scene = bundled_scene("stirring");
    pd_world *world = world_of(&scene, 1), *fresh = world_of(&scene, 1);
    step_many(world, 3);
    pd_world_reset(world);
    assert_true(numbers(world).max_speed == numbers(fresh).max_speed);
    assert_true(numbers(world).circulation == numbers(fresh).circulation);
    step_many(world, 3);
    step_many(fresh, 3);
    assert_true(pd_world_hash(world) == pd_world_hash(fresh));
    pd_world_destroy(fresh);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* Without gravity, the colours of the pressure are those of the flow, and their legend seldom changes. */
static void legend_of_pressure_ends_at_the_flow(void **state) {
    (void)state;
    pd_scene scene = bundled_scene("karman-street");
    assert_int_equal(pd_scene_set_parameter(&scene, "grid.resolution", 64, NULL), PD_OK);
    pd_world *world = world_of(&scene, 1);
    int changes = 0;
    float last = 0;
    double shown = 0;
    for (int frame = 0; frame < 120; frame++) {
        pd_view view;
        pd_world_step(world);
        pd_world_view(world, &view);
        const pd_field *p = pd_view_field(&view, "pressure");
        double squares = 0, cells = 0;
        for (int k = 0; k < p->nx * p->ny; k++) {
            if (isnan(p->values[k])) continue;
            squares += (double)p->values[k] * (double)p->values[k];
            cells++;
        }
        shown = 3 * sqrt(squares / cells) / (double)p->high;
        assert_true(p->low == -p->high && p->high > 0);
        changes += p->high != last;
        last = p->high;
    }
    print_message("3 rms: %.2f of the legend's end, %g Pa; %d changes\n", shown, (double)last, changes);
    assert_true(shown > 0.4 && shown <= 1.26);
    assert_true(changes < 8);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

TEST_GROUP(grid_numbers) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legend_of_pressure_ends_at_the_flow),
        cmocka_unit_test(sums_are_computed_once),
        cmocka_unit_test(reset_is_a_new_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
