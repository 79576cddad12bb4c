/* Bodies without memory: items are added whole or not at all, steps do no harm, and nothing leaks. */
#include "bodies.h"
#include "core/memory.h"
#include "refusing.h"

static pd_vec2 star[] = {{0.1f, 0}, {0.03f, 0.03f}, {0, 0.1f}, {-0.03f, 0.03f}, {-0.1f, 0}, {0, -0.1f}},
               line[] = {{-0.3f, 0}, {0, 0}, {0.3f, 0}};

/* Adds a body, a wall and a joint. Returns whether all were added. */
static bool add_items(pd_bodies *bodies, int k) {
    pd_body_def def = body_of(points_area(PD_SHAPE_POLYGON, 0.01 * k, 0.2 * k, star, 6, 0));
    pd_area wall = points_area(PD_SHAPE_POLYLINE, 0, -0.3 - 0.1 * k, line, 3, 0.02);
    pd_joint_def joint = joint_at(PD_JOINT_ROPE, PD_WORLD_BODY, 0, 0, 0.3);
    pd_error error;
    return pd_bodies_add_body(bodies, &def, &error) == PD_OK && pd_bodies_add_wall(bodies, &wall, &error) == PD_OK &&
           pd_bodies_add_joint(bodies, &joint, &error) == PD_OK;
}

/* Refuses each request in turn, and all requests from it on. */
static void refused_items(void **state) {
    (void)state;
    for (int all = 0; all < 2; all++)
        for (long from = 1;; from++) {
            refuse(all ? REFUSE_ALL_FROM : REFUSE_ONE, from);
            pd_container container = {.shape = PD_CONTAINER_BOX, .width = 2, .height = 2};
            pd_bodies *bodies = pd_bodies_create(&container);
            bool added = true;
            for (int k = 0; k < 3 && added; k++) added = add_items(bodies, k);
            bool refused = was_refused();
            assert_int_equal(added, !refused);
            run(bodies, 0.2, earth);
            pd_bodies_destroy(bodies);
            assert_int_equal(memory.blocks, 0);
            if (!refused) break;
        }
}

/* Steps without memory leave out contacts, which act again as soon as there is memory. */
static void refused_steps(void **state) {
    (void)state;
    for (long from = 1; from < 20; from++) {
        pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 2, 2);
        for (int k = 0; k < 3; k++) assert_true(add_items(bodies, k));
        refuse(REFUSE_ALL_FROM, from);
        run(bodies, 0.3, earth);
        was_refused();
        run(bodies, 3, earth);
        for (int i = 0; i < 3; i++) {
            assert_below(fabs(state_of(bodies, i)->pose.x), 1);
            assert_below(fabs(state_of(bodies, i)->pose.y), 1);
        }
        pd_bodies_destroy(bodies);
        assert_int_equal(memory.blocks, 0);
    }
}

TEST_GROUP(bodies_memory) {
    set_refusing_allocator();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_items),
        cmocka_unit_test(refused_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
