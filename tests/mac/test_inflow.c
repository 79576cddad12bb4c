/* Inflow through the sides of a grid fluid's box when obstacles are in its way: what has no way out is stopped, and the
 * rest stays free of divergence. */
#include "methods.h"
#include "methods/grid/grid.h"

static pd_world *box_world(const char *walls, const char *obstacles) {
    char text[600];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\ncontainer: {shape: box, width: 2, height: 1, walls: {%s}}\nobstacles: [%s]\n"
             "parameters: {grid: {resolution: 48}}\n",
             walls, obstacles);
    return world_of_method("grid", text, 1);
}

/* What flows through a column of faces to the right, m^2/s, the walls' own flow included. */
static double flow_at(const pd_world *world, int i) {
    const pd_mac *mac = ((const grid_state *)world->state)->mac;
    double flow = 0;
    for (int j = 0; j < mac->layout.ny; j++) {
        size_t k = pd_element_index(&mac->layout, i, j);
        flow += (double)(mac->open_x[k] * mac->u[k] + (1 - mac->open_x[k]) * mac->wall_u[k]) * mac->grid.cell;
    }
    return flow;
}

/* Rounding errors grow with the speed, which is great where a gap is narrow. */
static void expect_no_divergence(const pd_world *world) {
    pd_statistics statistics = statistics_of(world);
    if (!(statistics.divergence < 1e-3 * fmax(1, statistics.max_speed / 10)))
        fail_msg("divergence %g 1/s at up to %g m/s", statistics.divergence, statistics.max_speed);
}

static bool warns(const pd_world *world) {
    char text[256];
    return pd_world_write_warning(world, 0, text, sizeof text) && strstr(text, "has no way out and is stopped");
}

#define LEFT_TO_RIGHT "left: {inflow: 1}, right: {outflow: true}"

static void covered_outflow_stops_the_inflow(void **state) {
    (void)state;
    static const char *const covers[] = {
        "{shape: box, center: [0.9, 0], size: [0.3, 1.2]}",                               /* on the side */
        "{shape: box, center: [0.2, 0], size: [0.2, 1.2]}",                               /* across the box */
        "{shape: polyline, points: [[-1, 0.3], [-0.5, 0], [-1, -0.3]], thickness: 0.08}," /* a pocket on the inflow */
        "{shape: box, center: [0.2, 0], size: [0.2, 1.2]}",
    };
    for (size_t c = 0; c < sizeof covers / sizeof *covers; c++) {
        pd_world *world = box_world(LEFT_TO_RIGHT, covers[c]);
        for (int n = 0; n < 10; n++) {
            pd_world_step(world);
            expect_no_divergence(world);
        }
        print_message("%s: stopped %.3f m^2/s\n", covers[c], ((grid_state *)world->state)->mac->stopped_inflow);
        assert_true(warns(world));
        assert_true(fabs(flow_at(world, 0)) < 1e-3);
        pd_world_destroy(world);
    }
}

/* Of two channels one is closed: the other one has its own inflow. */
static void open_channel_flows(void **state) {
    (void)state;
    pd_world *world = box_world(LEFT_TO_RIGHT, "{shape: box, center: [0, 0], size: [2.2, 0.1]},"
                                               "{shape: box, center: [0.5, 0.3], size: [0.1, 0.6]}");
    for (int n = 0; n < 10; n++) {
        pd_world_step(world);
        expect_no_divergence(world);
    }
    assert_true(warns(world));
    print_message("in %.4f, out %.4f m^2/s\n", flow_at(world, 0), flow_at(world, 96));
    assert_float_equal(flow_at(world, 96), 0.45, 0.01);
    assert_float_equal(flow_at(world, 0), flow_at(world, 96), 1e-3);
    pd_world_destroy(world);
}

/* Inflow and suction that are equal are left as they are; where a side is partly covered, the other flows as much. */
static void inflow_follows_suction(void **state) {
    (void)state;
    pd_world *world = box_world("left: {inflow: 1}, right: {inflow: -1}", "");
    step_many(world, 3);
    assert_float_equal(flow_at(world, 0), 1, 1e-6);
    assert_false(warns(world));
    pd_world_destroy(world);
    world = box_world("left: {inflow: 1}, right: {inflow: -1}", "{shape: box, center: [1, 0.3], size: [0.3, 0.4]}");
    for (int n = 0; n < 10; n++) {
        pd_world_step(world);
        expect_no_divergence(world);
    }
    assert_true(warns(world));
    print_message("in %.4f, out %.4f m^2/s\n", flow_at(world, 0), flow_at(world, 96));
    assert_float_equal(flow_at(world, 96), 0.6, 0.02);
    assert_float_equal(flow_at(world, 0), flow_at(world, 96), 1e-3);
    pd_world_destroy(world);
}

/* A slide that shuts the box and opens it again, with a snapshot at every stage. */
static void slide_stops_and_releases(void **state) {
    (void)state;
    pd_world *world = box_world(LEFT_TO_RIGHT, "{shape: box, center: [0.3, 1.1], size: [0.2, 1.2], velocity: [0, -2],"
                                               " turn: 0.55}");
    bool stopped = false, flows = false;
    for (int n = 0; n < 60; n++) {
        pd_world_step(world);
        expect_no_divergence(world);
        if (warns(world)) stopped = true;
        if (stopped && !warns(world)) flows = true;
        if (n % 10 != 5) continue;
        pd_world *restored = world_of(pd_world_scene(world), 1);
        void *bytes;
        size_t size;
        assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, NULL), PD_OK);
        assert_int_equal(pd_world_restore_from_memory(restored, bytes, size, NULL), PD_OK);
        free(bytes);
        pd_world_step(restored);
        pd_world_step(world);
        assert_true(pd_world_hash(restored) == pd_world_hash(world));
        pd_world_destroy(restored);
    }
    assert_true(stopped && flows);
    pd_world_destroy(world);
}

TEST_GROUP(inflow) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covered_outflow_stops_the_inflow),
        cmocka_unit_test(open_channel_flows),
        cmocka_unit_test(inflow_follows_suction),
        cmocka_unit_test(slide_stops_and_releases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
