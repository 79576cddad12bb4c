/* Joints against exact solutions: hinges, pendulum, motor, ropes, slider, weld, springs, limits, breaking, drag. */
#include "bodies.h"

/* A box of 0.1 m that hangs from a hinge carries 100 times its weight: as a force, and as a body that swings below. */
static void hinge_under_load(void **state) {
    (void)state;
    for (int swinging = 0; swinging < 2; swinging++) {
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        add(bodies, box(0, 0, 0.1, 0.1));
        add_joint(bodies, joint_at(PD_JOINT_HINGE, PD_WORLD_BODY, 0, 0, 0.05));
        double weight = bodies->bodies[0].mass * earth, worst = 0;
        if (swinging) {
            pd_body_def load = box(0, -1, 1, 1);
            load.velocity.x = 1;
            add(bodies, load);
            add_joint(bodies, joint_at(PD_JOINT_HINGE, 0, 1, 0, -0.05));
        }
        for (int k = 0; k < 10 * RATE; k++) {
            pd_coordinates force[2] = {{0, swinging ? 0 : -100 * weight / RATE, 0}};
            pd_bodies_begin_substep(bodies, 1.0 / RATE);
            pd_bodies_end_substep(bodies, 1.0 / RATE, (pd_vec2){0, -(float)earth}, force, 0);
            for (int j = 0; j < bodies->joint_count; j++) worst = fmax(worst, gap_of(bodies, j));
        }
        assert_below(worst, 1e-4);
        if (!swinging) assert_near(bodies->joints[0].state.force / weight, 101, 0.01);
        pd_bodies_destroy(bodies);
    }
}

/* The period of a physical pendulum, also of large swings: 2 pi sqrt(I / (m g l)) (1 + a^2 / 16 + 11 a^4 / 3072). */
static void pendulum(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double swing = k ? 1 : 0.1, length = 1, radius = 0.2, seconds = k ? 10 : fewer_frames(60, 20);
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        add(bodies, disc(length * sin(swing), -length * cos(swing), radius));
        add_joint(bodies, joint_at(PD_JOINT_HINGE, PD_WORLD_BODY, 0, 0, 0));
        double before = 1, first = 0, last = 0, t = 0, energy = sums_of(bodies, earth).potential, highest = -INFINITY;
        int swings = -1;
        for (; t < seconds; t += 1.0 / RATE) {
            substep(bodies, 1.0 / RATE, earth);
            double x = state_of(bodies, 0)->pose.x;
            if (t > seconds - 3) highest = fmax(highest, sums_of(bodies, earth).potential);
            if (before < 0 && x >= 0) {
                last = t - x / (x - before) / RATE;
                if (swings++ < 0) first = last;
            }
            before = x;
        }
        double a = swing * swing, inertia = 0.5 * radius * radius + length * length;
        double period =
            2 * pi * sqrt(inertia / (earth * length)) * (1 + a / 16 + 11 * a * a / 3072 + 173 * a * a * a / 737280);
        assert_near((last - first) / swings / period, 1, k ? 3e-3 : 1e-4); /* large swings decay by a few percent */
        double lost = (energy - highest) / (energy + bodies->bodies[0].mass * earth * length);
        assert_near(lost, 0.02, 0.025);
        assert_below(gap_of(bodies, 0), 1e-4);
        pd_bodies_destroy(bodies);
    }
}

/* A motor has constant torque until it reaches its speed, also against a load, and no more. */
static void motor(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    add(bodies, box(0, 0, 0.4, 0.1));
    pd_joint_def def = joint_at(PD_JOINT_MOTOR, 0, PD_WORLD_BODY, 0, 0);
    def.speed = 90;
    def.greatest_torque = 0.002f;
    add_joint(bodies, def);
    run(bodies, 0.2, earth);
    assert_near(state_of(bodies, 0)->velocity.angle, 0.002 / bodies->bodies[0].inertia * 0.2, 1e-4);
    run(bodies, 2, earth);
    assert_near(state_of(bodies, 0)->velocity.angle, pi / 2, 1e-6);
    assert_below(gap_of(bodies, 0), 1e-6);
    bodies->joints[0].def.greatest_torque = 0; /* switched off, it runs on */
    run(bodies, 1, earth);
    assert_near(state_of(bodies, 0)->velocity.angle, pi / 2, 1e-3);
    pd_bodies_destroy(bodies);
    /* Out of balance: the torque of the motor holds the arm where m g l cos(angle) is the torque. */
    bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    pd_body_def arm = box(0.2, 0, 0.4, 0.1);
    arm.area.angle = 0;
    add(bodies, arm);
    def.greatest_torque = (float)(0.5 * bodies->bodies[0].mass * earth * 0.2);
    def.speed = 0;
    add_joint(bodies, def);
    for (int k = 0; k < 60; k++) { /* friction of the motor calms the swing */
        run(bodies, 0.5, earth);
        if (rms_speed_of(bodies) < 1e-3) break;
    }
    assert_true(state_of(bodies, 0)->pose.angle < -pi / 3 + 0.01);
    assert_true(state_of(bodies, 0)->pose.angle > -2 * pi / 3 - 0.01);
    assert_below(rms_speed_of(bodies), 1e-3);
    pd_bodies_destroy(bodies);
}

/* A horizontal chain of 30 links falls, swings and hangs straight down; with a weight of 100 links it keeps its length. */
static void chain_of_links(void **state) {
    (void)state;
    enum { LINKS = 30 };
    pd_vec2 link[] = {{-0.05f, 0}, {0.05f, 0}};
    for (int heavy = 0; heavy < 2; heavy++) {
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        for (int i = 0; i < LINKS; i++) {
            add(bodies, body_of(points_area(PD_SHAPE_POLYLINE, 0.05 + 0.1 * i, 0, link, 2, 0.02)));
            add_joint(bodies, joint_at(PD_JOINT_HINGE, i - 1, i, 0.1 * i, 0));
        }
        if (heavy) {
            pd_body_def weight = disc(3.1, 0, 0.1);
            weight.density = (float)(100 * bodies->bodies[0].mass / (pi * 0.01));
            add(bodies, weight);
            add_joint(bodies, joint_at(PD_JOINT_HINGE, LINKS - 1, LINKS, 3, 0));
        }
        double worst = 0, energy = 0;
        for (int k = 0; k < 10 * RATE; k++) {
            substep(bodies, 1.0 / RATE, earth);
            for (int j = 0; j < bodies->joint_count; j++) worst = fmax(worst, gap_of(bodies, j));
            sums now = sums_of(bodies, earth);
            energy = fmax(energy, now.kinetic + now.potential);
        }
        assert_below(worst, heavy ? 1e-3 : 0.01); /* the end of the light chain is a whip */
        assert_below(energy, 1e-3 * bodies->bodies[0].mass * LINKS * earth * 1.5);
        pd_bodies_destroy(bodies);
    }
}

/* 30 beads on ropes: the greatest distance of neighbours holds, and smaller ones are free. */
static void chain_of_ropes(void **state) {
    (void)state;
    enum { BEADS = 30 };
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    for (int i = 0; i < BEADS; i++) {
        add(bodies, disc(0.1 * (i + 1), 0, 0.03));
        pd_joint_def rope = joint_at(PD_JOINT_ROPE, i - 1, i, 0.1 * i, 0);
        rope.at[1].x = (float)(0.1 * (i + 1));
        add_joint(bodies, rope);
    }
    double worst = 0, least = 1, late = 0;
    for (int k = 0; k < 20 * RATE; k++) {
        substep(bodies, 1.0 / RATE, earth);
        for (int j = 0; j < BEADS; j++) {
            worst = fmax(worst, gap_of(bodies, j));
            least = fmin(least, gap_of(bodies, j));
            if (k > 15 * RATE) late = fmax(late, gap_of(bodies, j));
        }
    }
    assert_below(worst, 0.11);
    assert_below(late, 0.101);
    assert_below(least, 0.09);
    pd_bodies_destroy(bodies);
}

/* A box on an inclined slider slides with g sin a, to the limit, and does not turn. */
static void slider(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    add(bodies, box(0, 0, 0.2, 0.1));
    pd_joint_def def = joint_at(PD_JOINT_SLIDER, 0, PD_WORLD_BODY, 0.1, 0.05);
    def.axis = (pd_vec2){2, -1};
    def.limited = true;
    def.lower = -0.1f;
    def.upper = 0.5f;
    add_joint(bodies, def);
    push(bodies, 1.0 / RATE, earth);
    run(bodies, 0.3, earth);
    pd_body_state *s = state_of(bodies, 0);
    double slope = sqrt(0.2), away = fabs(s->pose.x * 1 + s->pose.y * 2) / sqrt(5);
    assert_near(hypot(s->velocity.x, s->velocity.y), earth * slope * 0.3, 1e-3);
    assert_below(away, 1e-6);
    assert_near(s->pose.angle, 0, 1e-6);
    run(bodies, 3, earth);
    assert_near(hypot(s->pose.x, s->pose.y), 0.5, 1e-4);
    assert_below(rms_speed_of(bodies), 1e-6);
    pd_bodies_destroy(bodies);
}

/* A cantilever of welded boxes stays straight, and its base carries weight and torque. */
static void weld(void **state) {
    (void)state;
    enum { BOXES = 8 };
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    for (int i = 0; i < BOXES; i++) {
        add(bodies, box(0.1 * i, 0, 0.1, 0.1));
        add_joint(bodies, joint_at(PD_JOINT_WELD, i - 1, i, 0.1 * i - 0.05, 0));
    }
    run(bodies, 5, earth);
    for (int i = 0; i < BOXES; i++) {
        assert_near(state_of(bodies, i)->pose.y, 0, 1e-4);
        assert_near(state_of(bodies, i)->pose.angle, 0, 1e-4);
    }
    assert_near(bodies->joints[0].state.force / (BOXES * bodies->bodies[0].mass * earth), 1, 1e-3);
    pd_bodies_destroy(bodies);
}

/* Period and decay of a mass on a spring; a stiff spring is stable. */
static void spring(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double stiffnesses[] = {2, 2, 1e7}, dampings[] = {0, 0.02, 0};
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        add(bodies, disc(0.2, 0, 0.1));
        pd_joint_def def = joint_at(PD_JOINT_SPRING, PD_WORLD_BODY, 0, 0, 0);
        def.at[0].x = -1;
        def.at[1].x = 0.2f;
        def.length = 1;
        def.stiffness = (float)stiffnesses[k];
        def.damping = (float)dampings[k];
        add_joint(bodies, def);
        double mass = bodies->bodies[0].mass, before = 1, first = 0, last = 0, late = 0;
        int swings = -1;
        for (int n = 0; n < 10 * RATE; n++) {
            substep(bodies, 1.0 / RATE, 0);
            double x = state_of(bodies, 0)->pose.x;
            if (before < 0 && x >= 0) {
                last = n - x / (x - before);
                if (swings++ < 0) first = last;
            }
            before = x;
            if (n > 9 * RATE) late = fmax(late, fabs(x));
        }
        double decay = 0.5 * dampings[k] / mass, frequency = sqrt(stiffnesses[k] / mass - decay * decay);
        if (k < 2) assert_near((last - first) / swings / RATE * frequency / (2 * pi), 1, 5e-4);
        if (k == 0) assert_near(late, 0.2, 1e-3);
        if (k == 1) assert_near(late / (0.2 * exp(-decay * 9.4)), 1, 0.2);
        if (k == 2) assert_below(late, 1e-3);
        pd_bodies_destroy(bodies);
    }
}

/* A hinge turns within its limits. */
static void limits(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    add(bodies, box(0.2, 0, 0.4, 0.1));
    pd_joint_def def = joint_at(PD_JOINT_HINGE, 0, PD_WORLD_BODY, 0, 0);
    def.limited = true;
    def.lower = -45;
    def.upper = 30;
    add_joint(bodies, def);
    run(bodies, 3, earth);
    assert_near(state_of(bodies, 0)->pose.angle, -pi / 4, 1e-3);
    assert_below(rms_speed_of(bodies), 1e-6);
    run(bodies, 3, -earth);
    assert_near(state_of(bodies, 0)->pose.angle, pi / 6, 1e-3);
    pd_bodies_destroy(bodies);
}

/* A flap of 0.4 m x 0.04 m, hinged near its left end, which lies flush below a ceiling, swings down like a flap without one. */
static void flap_below_a_ceiling(void **state) {
    (void)state;
    pd_bodies *bodies[2];
    for (int k = 0; k < 2; k++) {
        bodies[k] = bodies_in(PD_CONTAINER_NONE, 0, 0);
        if (k) add_wall(bodies[k], box_area(0, 0.12, 2, 0.2));
        add(bodies[k], box(0.18, 0, 0.4, 0.04));
        add_joint(bodies[k], joint_at(PD_JOINT_HINGE, PD_WORLD_BODY, 0, 0, 0));
        run(bodies[k], 0.2, earth);
    }
    assert_below(state_of(bodies[1], 0)->pose.angle, -0.5);
    assert_near(state_of(bodies[1], 0)->pose.angle, state_of(bodies[0], 0)->pose.angle, 1e-3);
    for (int k = 0; k < 2; k++) pd_bodies_destroy(bodies[k]);
}

/* A flap that stands hinged on the floor falls, slowly or at 8 m/s, and its free end comes to rest on the floor. */
static void flap_on_the_floor(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        pd_bodies *bodies = bodies_in(k < 2 ? PD_CONTAINER_BOX : PD_CONTAINER_NONE, 2, 2);
        if (k >= 2) add_wall(bodies, box_area(0, -1.1, 2, 0.2));
        pd_body_def flap = box(0, -0.8, 0.04, 0.4);
        flap.spin = k % 2 ? -1200 : -10;
        add(bodies, flap);
        add_joint(bodies, joint_at(PD_JOINT_HINGE, PD_WORLD_BODY, 0, 0, -0.98));
        run(bodies, 5, earth);
        assert_near(state_of(bodies, 0)->pose.angle, -pi / 2, 0.02);
        assert_below(rms_speed_of(bodies), 1e-3);
        pd_bodies_destroy(bodies);
    }
}

/* A bob on a rigid rod of 1 m does not swing through a wall. */
static void bob_at_a_wall(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    add_wall(bodies, box_area(0.2, -1, 0.2, 1));
    add(bodies, box(-1, 0, 0.1, 0.1));
    add_joint(bodies, joint_at(PD_JOINT_HINGE, PD_WORLD_BODY, 0, 0, 0));
    for (int k = 0; k < 5 * RATE; k++) {
        substep(bodies, 1.0 / RATE, earth);
        assert_below(state_of(bodies, 0)->pose.x, 0.06);
    }
    pd_bodies_destroy(bodies);
}

/* A rope carries a weight below its strength and breaks above it. The body then collides with its former partner. */
static void breaking(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        add(bodies, box(0, 0, 0.1, 0.1));
        pd_joint_def def = joint_at(PD_JOINT_HINGE, PD_WORLD_BODY, 0, 0, 0.05);
        def.breaks_at = (float)(bodies->bodies[0].mass * earth * (k ? 0.9 : 1.1));
        add_joint(bodies, def);
        run(bodies, 1, earth);
        assert_int_equal(bodies->joints[0].state.broken, k);
        assert_true(k == (state_of(bodies, 0)->pose.y < -1));
        pd_bodies_destroy(bodies);
    }
}

/* Redundant joints, and joints that contradict each other, neither explode nor lose the body. */
static void redundant(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    add(bodies, box(0, 0, 0.4, 0.1));
    for (int i = 0; i < 3; i++) add_joint(bodies, joint_at(PD_JOINT_WELD, PD_WORLD_BODY, 0, 0.1 * i, 0));
    run(bodies, 1, earth);
    for (int i = 0; i < 3; i++) assert_below(gap_of(bodies, i), 1e-6);
    bodies->joints[2].state.anchor[0].y += 0.2;
    run(bodies, 5, earth);
    assert_below(hypot(state_of(bodies, 0)->pose.x, state_of(bodies, 0)->pose.y), 0.3);
    assert_below(rms_speed_of(bodies), 0.1);
    pd_bodies_destroy(bodies);
}

/* A motor of any torque at a small body whose angle a weld fixes: no impulse grows exponentially. */
static void held_motor(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    pd_body_def held = box(-0.9, -0.8, 0.4, 0.07), small = box(0, 0.1, 0.02, 0.02);
    held.fixed_angle = true;
    held.velocity = (pd_vec2){4, 14};
    small.density = 0.02f;
    add(bodies, held);
    add(bodies, small);
    pd_joint_def motor = joint_at(PD_JOINT_MOTOR, 1, PD_WORLD_BODY, -0.7, -0.75);
    motor.speed = -18000;
    motor.greatest_torque = INFINITY;
    add_joint(bodies, motor);
    add_joint(bodies, joint_at(PD_JOINT_WELD, 0, 1, -0.7, 0.7));
    run(bodies, 5, earth);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < PD_JOINT_IMPULSES; k++)
            assert_below(fabs(bodies->joints[i].state.impulse[k]), 1); /* 324 if it grows */
    pd_bodies_destroy(bodies);
}

/* A lattice of hinges, which has more joints than it needs, falls on the floor and lies there as a whole. */
static void lattice(void **state) {
    (void)state;
    enum { SIDE = 8 };
    pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 2, 2);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int column = i % SIDE, row = i / SIDE;
        double x = 0.1 * column - 0.35, y = 0.1 * row - 0.5;
        add(bodies, box(x, y, 0.08, 0.08));
        if (column > 0) add_joint(bodies, joint_at(PD_JOINT_HINGE, i - 1, i, x - 0.05, y));
        if (row > 0) add_joint(bodies, joint_at(PD_JOINT_HINGE, i - SIDE, i, x, y - 0.05));
    }
    double before = sums_of(bodies, earth).potential;
    for (int k = 0; k < 4 * RATE; k++) {
        substep(bodies, 1.0 / RATE, earth);
        sums now = sums_of(bodies, earth);
        assert_true(now.kinetic + now.potential <= before + 1e-6 * fabs(before));
    }
    for (int j = 0; j < bodies->joint_count; j++) assert_below(gap_of(bodies, j), 1e-3);
    assert_below(rms_speed_of(bodies), 0.01);
    assert_near(state_of(bodies, 0)->pose.y, -0.96, 0.005);
    pd_bodies_destroy(bodies);
}

/* A dragged body follows the target, with at most the given force. */
static void drag(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 4, 4);
    add(bodies, box(0, -1.9, 0.2, 0.2));
    double weight = bodies->bodies[0].mass * earth;
    pd_bodies_begin_drag(bodies, 0, (pd_vec2){0, -1.85f}, 0.5 * weight);
    pd_bodies_move_drag(bodies, (pd_vec2){0, 0});
    run(bodies, 2, earth);
    assert_near(state_of(bodies, 0)->pose.y, -1.9, 1e-3); /* too weak */
    pd_bodies_begin_drag(bodies, 0, (pd_vec2){0, -1.85f}, 5 * weight);
    for (int k = 0; k < 4 * RATE; k++) {
        pd_bodies_move_drag(bodies, (pd_vec2){(float)fmin(1, k / 60.0), 0});
        substep(bodies, 1.0 / RATE, earth);
    }
    pd_double2 held = point_of(bodies, 0, bodies->drag.anchor);
    assert_near(held.x, 1, 0.02);
    assert_near(held.y, 0, 0.02);
    pd_bodies_end_drag(bodies);
    run(bodies, 2, earth);
    assert_near(state_of(bodies, 0)->pose.y, -1.9, 0.01);
    pd_bodies_destroy(bodies);
}

TEST_GROUP(bodies_joints) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinge_under_load),
        cmocka_unit_test(flap_below_a_ceiling),
        cmocka_unit_test(flap_on_the_floor),
        cmocka_unit_test(bob_at_a_wall),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(motor),
        cmocka_unit_test(chain_of_links),
        cmocka_unit_test(chain_of_ropes),
        cmocka_unit_test(slider),
        cmocka_unit_test(weld),
        cmocka_unit_test(spring),
        cmocka_unit_test(limits),
        cmocka_unit_test(breaking),
        cmocka_unit_test(redundant),
        cmocka_unit_test(held_motor),
        cmocka_unit_test(lattice),
        cmocka_unit_test(drag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
