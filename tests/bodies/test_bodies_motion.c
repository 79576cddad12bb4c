/* Single bodies and collisions against exact solutions: fall, bounce, friction, rolling, impulses, Newton's cradle. */
#include "bodies.h"

/* Velocities follow gravity exactly; positions within the order of the solver step. */
static void free_fall(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    pd_body_def def = box(0, 0, 0.2, 0.1);
    def.velocity = (pd_vec2){1, 2};
    def.spin = 90;
    add(bodies, def);
    push(bodies, 1.0 / RATE, earth);
    run(bodies, 2, earth);
    pd_body_state *s = state_of(bodies, 0);
    assert_near(s->velocity.y, 2 - earth * 2, 1e-6);
    assert_near(s->pose.x, 2, 1e-9);
    assert_near(s->pose.y, 4 - earth * 2, 0.03);
    assert_near(s->pose.angle, pi, 1e-9);
    pd_bodies_destroy(bodies);
}

/* Impulses of the fluid act in the next substep, on at least the given mass, and turn the body about its centroid. The weight is
 * that of the body alone. */
static void fluid_impulses(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double least = k == 1 ? 0.05 : 0, dt = 1.0 / RATE;
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        pd_body_def def = box(2, 1, 0.2, 0.1);
        def.fixed_angle = k == 2;
        add(bodies, def);
        double mass = bodies->bodies[0].mass, inertia = bodies->bodies[0].inertia, acting = fmax(mass, least);
        pd_coordinates impulse = {0.01, 0.02, 0};
        impulse.angle = 2.05 * impulse.y - 0.9 * impulse.x; /* at the point (2.05, 0.9) */
        pd_bodies_end_substep(bodies, dt, (pd_vec2){0, -(float)earth}, &impulse, least);
        assert_near(pd_bodies_max_speed(bodies), hypot(0.01, 0.02 - mass * earth * dt) / acting, k == 2 ? 1e-6 : 10);
        pd_bodies_begin_substep(bodies, dt);
        const pd_body_state *s = state_of(bodies, 0);
        assert_near(s->velocity.x, 0.01 / acting, 1e-9);
        assert_near(s->velocity.y, (0.02 - mass * earth * dt) / acting, 1e-6);
        double turn = 0.05 * impulse.y + 0.1 * impulse.x;
        assert_near(s->velocity.angle, k == 2 ? 0 : turn / (inertia * acting / mass), 1e-6);
        assert_near(s->before.x, 2, 1e-9);
        pd_bodies_destroy(bodies);
    }
}

/* Highest point after each bounce, above the resting height. Returns the number of bounces. */
static int bounces_of(double restitution, double seconds, double gravity, double *height, int most) {
    pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 4, 4);
    pd_body_def def = disc(0, -0.9, 0.1);
    int count = 0;
    double before = 0;
    def.restitution = (float)restitution;
    add(bodies, def);
    for (int k = 0; k < (int)(seconds * RATE); k++) {
        substep(bodies, 1.0 / RATE, gravity);
        double speed = state_of(bodies, 0)->velocity.y, y = state_of(bodies, 0)->pose.y + 1.9;
        if (before <= 0 && speed > 0 && count < most) height[count++] = 0;
        if (count > 0) height[count - 1] = fmax(height[count - 1], y);
        before = speed;
    }
    if (restitution < 1) assert_near(state_of(bodies, 0)->pose.y, -1.9, 3 * bodies->slop);
    pd_bodies_destroy(bodies);
    return count;
}

static void bouncing(void **state) {
    (void)state;
    double height[100];
    assert_int_equal(bounces_of(0, 5, earth, height, 100), 0);
    assert_true(bounces_of(0.5, 5, earth, height, 100) >= 3);
    for (int k = 0; k < 3; k++) assert_near(height[k], pow(0.25, k + 1), 2e-3);
    int count = bounces_of(1, 60, earth, height, 100);
    assert_in_range(count, 60 / (2 * sqrt(2 / earth)) - 2, 60 / (2 * sqrt(2 / earth)) + 2);
    for (int k = 0; k < count; k++) assert_near(height[k], 1, 0.01);
}

/* A sliding box stops after v^2 / (2 mu g). */
static void sliding(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double speeds[] = {3, 1, 2}, frictions[] = {0.3, 0.1, 0.8};
        pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 8, 4);
        pd_body_def def = box(-3, -1.9, 0.4, 0.2);
        def.friction = (float)frictions[k];
        def.velocity.x = (float)speeds[k];
        add(bodies, def);
        push(bodies, 1.0 / RATE, earth);
        run(bodies, 6, earth);
        double expected = speeds[k] * speeds[k] / (2 * frictions[k] * earth);
        assert_near(state_of(bodies, 0)->pose.x + 3, expected, speeds[k] / 480); /* the way of one solver step */
        assert_below(rms_speed_of(bodies), 1e-9);
        pd_bodies_destroy(bodies);
    }
}

/* A polyline of `count` segments at an angle below the horizontal, through (0, 0). */
static void slope_of(pd_vec2 *points, int count, double angle, double length) {
    for (int k = 0; k <= count; k++) {
        double at = length * k / count;
        points[k] = (pd_vec2){(float)(at * cos(angle)), (float)(-at * sin(angle))};
    }
}

/* A disc without slip rolls down a slope with 2/3 g sin a, also across the joints of a polyline, and without friction slides
 * with g sin a. */
static void rolling(void **state) {
    (void)state;
    const double angle = 0.4, radius = 0.1, seconds = 1;
    for (int k = 0; k < 4; k++) {
        pd_vec2 points[65];
        int segments = k < 2 ? 1 : 64;
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        slope_of(points, segments, angle, 6);
        add_wall(bodies, points_area(PD_SHAPE_POLYLINE, 0, 0, points, segments + 1, 0.02));
        double out = radius + 0.01, x = 0.5 * cos(angle) + out * sin(angle), y = -0.5 * sin(angle) + out * cos(angle);
        pd_body_def def = disc(x, y, radius);
        def.friction = k % 2 ? 0.0f : 0.5f;
        add(bodies, def);
        push(bodies, 1.0 / RATE, earth);
        run(bodies, seconds, earth);
        pd_body_state *s = state_of(bodies, 0);
        double expected = (k % 2 ? 1 : 2.0 / 3) * earth * sin(angle) * seconds;
        assert_near(hypot(s->velocity.x, s->velocity.y) / expected, 1, 0.002);
        assert_near(s->velocity.angle, k % 2 ? 0 : -expected / radius, 0.002 * expected / radius);
        assert_near(hypot(s->pose.x - x, s->pose.y - y) / (expected * seconds / 2), 1, 0.005);
        pd_bodies_destroy(bodies);
    }
}

/* A box on a slope below the angle of friction stays, above it slides. */
static void friction_angle(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        double angle = atan(0.5) + (k ? 0.05 : -0.05);
        pd_vec2 points[2];
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        slope_of(points, 1, angle, 6);
        add_wall(bodies, points_area(PD_SHAPE_POLYLINE, 0, 0, points, 2, 0.02));
        pd_body_def def = box(3 * cos(angle) + 0.06 * sin(angle), -3 * sin(angle) + 0.06 * cos(angle), 0.2, 0.1);
        def.area.angle = (float)(-angle * 180 / pi);
        add(bodies, def);
        run(bodies, 2, earth);
        double way =
            hypot(state_of(bodies, 0)->pose.x - def.area.center.x, state_of(bodies, 0)->pose.y - def.area.center.y);
        if (k)
            assert_near(way / (earth * (sin(angle) - 0.5 * cos(angle)) * 2), 1, 0.1);
        else
            assert_below(way, 2e-3);
        pd_bodies_destroy(bodies);
    }
}

/* ---- Collisions ---- */

/* Bodies of all shapes fly into each other without gravity: momentum and angular momentum remain, energy does not grow. */
static void conservation(void **state) {
    (void)state;
    pd_vec2 ell[] = {{-0.1f, -0.1f}, {0.2f, -0.1f}, {0.2f, 0}, {0, 0}, {0, 0.2f}, {-0.1f, 0.2f}},
            bent[] = {{-0.2f, 0}, {0, 0}, {0.1f, 0.2f}};
    for (int k = 0; k < 3; k++) {
        const float restitutions[] = {0, 0.5f, 1};
        pd_random random = {(uint64_t)k + 1};
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        for (int i = 0; i < 24; i++) {
            double x = -1.5 + 0.6 * (i % 6), y = -0.9 + 0.6 * (i / 6);
            pd_area areas[] = {box_area(x, y, 0.3, 0.2), disc_area(x, y, 0.15),
                               points_area(PD_SHAPE_POLYGON, x, y, ell, 6, 0),
                               points_area(PD_SHAPE_POLYLINE, x, y, bent, 3, 0.05)};
            pd_body_def def = body_of(areas[i % 4]);
            def.restitution = restitutions[k];
            def.velocity = (pd_vec2){(float)(-2 * x), (float)(-2 * y + 1)};
            def.spin = 300 * (pd_random_below_one(&random) - 0.5f);
            def.density = 1 + 3 * pd_random_below_one(&random);
            add(bodies, def);
        }
        sums before = sums_of(bodies, 0);
        double scale = 0, angular_scale = 0, energy = before.kinetic;
        for (int i = 0; i < 24; i++) {
            pd_coordinates p = state_of(bodies, i)->pose, v = state_of(bodies, i)->velocity;
            scale += bodies->bodies[i].mass * hypot(v.x, v.y);
            angular_scale += bodies->bodies[i].mass * hypot(v.x, v.y) * hypot(p.x, p.y);
        }
        for (int n = 0; n < 240; n++) {
            substep(bodies, 1.0 / RATE, 0);
            sums now = sums_of(bodies, 0);
            assert_near(now.x, before.x, 1e-9 * scale);
            assert_near(now.y, before.y, 1e-9 * scale);
            assert_near(now.angular, before.angular, 5e-3 * angular_scale); /* stops of fast bodies displace them */
            assert_true(now.kinetic <= energy * (1 + 1e-3));
            energy = now.kinetic;
        }
        if (k == 0) assert_below(energy, 0.9 * before.kinetic);
        pd_bodies_destroy(bodies);
    }
}

/* Two bodies that bounce exchange momentum and angular momentum exactly, at any place, and energy does not grow in spite of
 * friction. */
static void angular_momentum(void **state) {
    (void)state;
    pd_random random = {5};
    for (int test = 0; test < 100; test++) {
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        for (int i = 0; i < 2; i++) {
            double y = 0.3 * ((double)pd_random_below_one(&random) - 0.5);
            pd_body_def def = test >> i & 1 ? box(i - 0.5, y, 0.3, 0.2) : disc(i - 0.5, y, 0.15);
            def.restitution = test % 3 ? 1 : 0.5f;
            def.velocity.x = i ? -1 : 1.5f;
            def.spin = 600 * (pd_random_below_one(&random) - 0.5f);
            def.area.angle = 360 * pd_random_below_one(&random);
            def.density = 1 + (float)(test % 3);
            add(bodies, def);
        }
        sums before = sums_of(bodies, 0);
        run(bodies, 2, 0);
        sums after = sums_of(bodies, 0);
        assert_near(after.x, before.x, 1e-9);
        assert_near(after.y, before.y, 1e-9);
        assert_near(after.angular, before.angular, 1e-9);
        assert_true(after.kinetic <= before.kinetic * (1 + 1e-9));
        pd_bodies_destroy(bodies);
    }
}

/* A ball hits a ball at rest head on: the speeds are those of the laws of impact. */
static void head_on(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double restitution = 0.5 * k, ratio = 3;
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        for (int i = 0; i < 2; i++) {
            pd_body_def def = disc(i ? 0.5 : 0, 0, 0.1);
            def.restitution = (float)restitution;
            def.density = i ? 1 : (float)ratio;
            def.velocity.x = i ? 0 : 2;
            add(bodies, def);
        }
        run(bodies, 1, 0);
        double common = 2 * ratio / (ratio + 1);
        assert_near(state_of(bodies, 0)->velocity.x, common - restitution * 2 / (ratio + 1), 1e-6);
        assert_near(state_of(bodies, 1)->velocity.x, common + restitution * 2 * ratio / (ratio + 1), 1e-6);
        pd_bodies_destroy(bodies);
    }
}

/* The last ball leaves with nearly the speed of the first one, and comes back, several times. */
static void newtons_cradle(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    enum { BALLS = 5 };
    for (int i = 0; i < BALLS; i++) {
        pd_body_def def = disc(0.1 * i, 0, 0.05);
        def.restitution = 1;
        def.friction = 0;
        add(bodies, def);
        pd_joint_def rope = joint_at(PD_JOINT_ROPE, PD_WORLD_BODY, i, 0.1 * i, 1);
        rope.at[1].y = 0;
        add_joint(bodies, rope);
    }
    double swing = 0.5, top = sqrt(2 * earth * (1 - cos(swing))), greatest = 0, between = 0;
    state_of(bodies, 0)->pose.x = -sin(swing);
    state_of(bodies, 0)->pose.y = 1 - cos(swing);
    for (int k = 0; k < 10 * RATE; k++) {
        substep(bodies, 1.0 / RATE, earth);
        greatest = fmax(greatest, state_of(bodies, BALLS - 1)->velocity.x);
        for (int i = 1; i < BALLS - 1; i++) between = fmax(between, fabs(state_of(bodies, i)->velocity.x));
        if (k == 2 * RATE) assert_below(between, 0.05 * top);
    }
    assert_true(greatest > 0.97 * top);
    assert_below(greatest, 1.01 * top);
    pd_bodies_destroy(bodies);
}

/* Discs in a mirrored scene have mirrored states, bit for bit. A tumbling box, whose corners have another order, comes to rest
 * at the mirrored place. */
static void mirror_symmetry(void **state) {
    (void)state;
    for (int boxes = 0; boxes < 2; boxes++) {
        pd_bodies *side[2];
        int count = boxes ? 1 : 12;
        for (int m = 0; m < 2; m++) {
            side[m] = bodies_in(PD_CONTAINER_BOX, 4, 2);
            pd_random random = {9};
            for (int i = 0; i < count; i++) {
                double x = -0.6 + 0.33 * (i % 4) + 0.05 * (double)pd_random_below_one(&random),
                       y = -0.8 + 0.3 * (i / 4);
                pd_body_def def = boxes ? box(m ? -x : x, y, 0.2, 0.1) : disc(m ? -x : x, y, 0.1);
                def.restitution = 0.3f;
                def.velocity.x = m ? -1 : 1;
                def.spin = m ? 400 : -400;
                add(side[m], def);
            }
        }
        for (int k = 0; k < 10 * RATE; k++) {
            for (int m = 0; m < 2; m++) substep(side[m], 1.0 / RATE, earth);
            for (int i = 0; i < count && !boxes; i++) {
                pd_coordinates p = state_of(side[0], i)->pose, q = state_of(side[1], i)->pose;
                assert_true(p.x == -q.x && p.y == q.y && p.angle == -q.angle);
            }
        }
        assert_near(state_of(side[0], 0)->pose.x, -state_of(side[1], 0)->pose.x, 1e-3);
        assert_near(state_of(side[0], 0)->pose.angle, -state_of(side[1], 0)->pose.angle, 1e-3);
        for (int m = 0; m < 2; m++) pd_bodies_destroy(side[m]);
    }
}

TEST_GROUP(bodies_motion) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall),      cmocka_unit_test(fluid_impulses),   cmocka_unit_test(bouncing),
        cmocka_unit_test(sliding),        cmocka_unit_test(rolling),          cmocka_unit_test(friction_angle),
        cmocka_unit_test(conservation),   cmocka_unit_test(angular_momentum), cmocka_unit_test(head_on),
        cmocka_unit_test(newtons_cradle), cmocka_unit_test(mirror_symmetry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
