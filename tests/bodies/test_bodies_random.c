/* Random play: bodies of very different sizes and densities, joints anywhere, walls that jump, drags, changes of gravity
 * and of the substep. Nothing becomes infinite, and nobody gets lost. (40 bodies with 35 joints and 6 such walls in the box push a
 * body out of it until the joints are gone.) */
#include "bodies.h"

static double between(pd_random *random, double low, double high) {
    return low + (high - low) * (double)pd_random_below_one(random);
}
static int below(pd_random *random, int count) { return (int)between(random, 0, count); }

/* Returns a random area of 3 mm to 0.5 m. *points: memory for its points. */
static pd_area random_area(pd_random *random, pd_vec2 *points) {
    double x = between(random, -0.8, 0.8), y = between(random, -0.8, 0.8), size = pow(10, between(random, -2.5, -0.3));
    int count = 3 + below(random, 9);
    for (int k = 0; k < count; k++) {
        double angle = 2 * pi * k / count, r = size * between(random, 0.2, 1);
        points[k] = (pd_vec2){(float)(r * cos(angle)), (float)(r * sin(angle))};
    }
    pd_area areas[] = {box_area(x, y, size * between(random, 0.1, 1), size * between(random, 0.1, 1)),
                       disc_area(x, y, size / 2), points_area(PD_SHAPE_POLYGON, x, y, points, count, 0),
                       points_area(PD_SHAPE_POLYLINE, x, y, points, count - 1, size * between(random, 0.01, 0.3))};
    return areas[below(random, COUNT(areas))];
}

static pd_body_def random_body(pd_random *random, pd_vec2 *points) {
    pd_body_def def = body_of(random_area(random, points));
    def.density = (float)pow(10, between(random, -2, 2));
    def.restitution = 0.4f * (float)below(random, 3);
    def.velocity = (pd_vec2){(float)between(random, -10, 10), (float)between(random, -10, 10)};
    def.spin = (float)between(random, -1800, 1800);
    def.fixed_angle = below(random, 8) == 0;
    return def;
}

static void add_random_joint(pd_random *random, pd_bodies *bodies) {
    int first = below(random, bodies->body_count + 1) - 1, second = below(random, bodies->body_count);
    if (first == second) return;
    pd_joint_def def = joint_at((pd_joint_type)below(random, 6), first, second, between(random, -0.8, 0.8),
                                between(random, -0.8, 0.8));
    def.axis = (pd_vec2){1, (float)between(random, -2, 2)};
    def.limited = below(random, 2);
    def.lower = (float)between(random, -20, 0);
    def.upper = (float)between(random, 0, 20);
    def.speed = (float)between(random, -500, 500);
    def.greatest_torque = (float)pow(10, between(random, -3, 1));
    def.stiffness = (float)pow(10, between(random, -1, 4));
    def.damping = (float)between(random, 0, 1);
    if (below(random, 2)) def.length = (float)between(random, 0, 0.5);
    if (below(random, 3) == 0) def.breaks_at = (float)pow(10, between(random, -2, 1));
    add_joint(bodies, def);
}

static void act(pd_random *random, pd_bodies *bodies) {
    pd_vec2 points[12], place = {(float)between(random, -0.8, 0.8), (float)between(random, -0.8, 0.8)};
    pd_body_def def = random_body(random, points);
    int action = below(random, 15), bodies_now = bodies->body_count;
    if (action < 8 && bodies_now < 40) add(bodies, def);
    if (bodies_now == 0) return;
    if (action >= 8 && action < 12) add_random_joint(random, bodies);
    if (action == 12 && bodies->wall_count < 3) add_wall(bodies, def.area);
    if (action == 13) pd_bodies_begin_drag(bodies, below(random, bodies_now), place, pow(10, between(random, -2, 1)));
    if (action == 14) pd_bodies_end_drag(bodies);
    pd_bodies_move_drag(bodies, place);
}

static void random_substep(pd_random *random, pd_bodies *bodies, double dt, double gravity) {
    for (int w = 0; w < bodies->wall_count; w++) {
        pd_pose begin = bodies->walls[w].end, end = begin;
        double turn = between(random, -0.1, 0.1);
        end.center.x += between(random, -0.02, 0.02);
        pd_pose_turn(&end, turn);
        if (w % 2) pd_bodies_set_wall_motion(bodies, w, &begin, &end, turn);
    }
    substep(bodies, dt, gravity);
    for (int i = 0; i < bodies->body_count; i++) {
        const pd_body_state *s = state_of(bodies, i);
        assert_true(isfinite(s->pose.angle) && isfinite(s->velocity.angle));
        assert_true(hypot(s->velocity.x, s->velocity.y) <= 100.001);
        if (bodies->container.shape != PD_CONTAINER_NONE) assert_below(hypot(s->pose.x, s->pose.y), 3);
    }
}

static void random_play(void **state) {
    (void)state;
    const pd_container_shape shapes[] = {PD_CONTAINER_BOX, PD_CONTAINER_CIRCLE, PD_CONTAINER_NONE};
    for (int seed = 1; seed <= (is_shortened() ? 3 : 30); seed++) {
        pd_random random = {(uint64_t)seed};
        pd_bodies *bodies = bodies_in(shapes[seed % 3], 2, 2);
        for (int k = 0; k < 150; k++) {
            act(&random, bodies);
            double dt = pow(10, between(&random, -3.5, -1.6)),
                   gravity = below(&random, 5) ? earth : between(&random, -20, 0);
            for (int n = below(&random, 10); n >= 0; n--) random_substep(&random, bodies, dt, gravity);
        }
        /* Without joints, drag and motion of the walls everything comes to rest. */
        bodies->joint_count = 0;
        pd_bodies_end_drag(bodies);
        if (bodies->container.shape != PD_CONTAINER_NONE) {
            run(bodies, 20, earth);
            for (int i = 0; i < bodies->body_count; i++)
                assert_below(hypot(state_of(bodies, i)->pose.x, state_of(bodies, i)->pose.y), 1.5);
            assert_below(rms_speed_of(bodies), 1);
        }
        pd_bodies_destroy(bodies);
    }
}

TEST_GROUP(bodies_random) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_play)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
