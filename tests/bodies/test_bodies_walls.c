/* Bodies and walls: fast bodies do not pass through, moving walls carry and push, seams of walls are smooth. */
#include "bodies.h"

/* Ten times the speed of a wave in the container: 10 sqrt(g L). */
static double fastest(double gravity, double length) { return 10 * sqrt(gravity * length); }

static pd_pose pose_at(double x, double y, double angle) { return (pd_pose){{x, y}, cos(angle), sin(angle)}; }

/* Returns a thin or small body: a disc, a rod, a thin box, a triangle, a plate. */
static pd_body_def missile(int kind, double x, double y) {
    static pd_vec2 triangle[] = {{-0.02f, -0.01f}, {0.02f, -0.01f}, {0, 0.02f}}, line[] = {{-0.05f, 0}, {0.05f, 0}};
    pd_area areas[] = {disc_area(x, y, 0.02), points_area(PD_SHAPE_POLYLINE, x, y, line, 2, 0.004),
                       box_area(x, y, 0.1, 0.003), points_area(PD_SHAPE_POLYGON, x, y, triangle, 3, 0),
                       box_area(x, y, 0.3, 0.02)};
    return body_of(areas[kind % COUNT(areas)]);
}

/* Bodies that are thrown about in a cage of thin polylines never leave it. Contained in a box or a circle, they stay inside. */
static void cages(void **state) {
    (void)state;
    for (int cage = 0; cage < 3; cage++)
        for (int kind = 0; kind < 5; kind++) {
            pd_vec2 corners[] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}, {-0.5f, -0.5f}};
            pd_container_shape shapes[] = {PD_CONTAINER_NONE, PD_CONTAINER_BOX, PD_CONTAINER_CIRCLE};
            pd_bodies *bodies = bodies_in(shapes[cage], 1, 1);
            pd_random random = {(uint64_t)(kind + 1)};
            if (cage == 0) add_wall(bodies, points_area(PD_SHAPE_POLYLINE, 0, 0, corners, 5, 0.002));
            for (int i = 0; i < 6; i++) {
                pd_body_def def = missile(kind, -0.25 + 0.1 * i, 0.1 * (i % 2));
                def.restitution = 0.2f * (float)i;
                add(bodies, def);
            }
            for (int k = 0; k < fewer_frames(600, 150); k++) {
                for (int i = 0; i < 6 && k % 20 == 0; i++) {
                    double angle = 2 * pi * (double)pd_random_below_one(&random), speed = fastest(earth, 1);
                    state_of(bodies, i)->velocity =
                        (pd_coordinates){speed * cos(angle), speed * sin(angle), 100 * sin(7 * angle)};
                }
                substep(bodies, 1.0 / RATE, earth);
                for (int i = 0; i < 6; i++) {
                    pd_coordinates p = state_of(bodies, i)->pose;
                    if (cage < 2)
                        assert_below(fmax(fabs(p.x), fabs(p.y)), 0.5);
                    else
                        assert_below(hypot(p.x, p.y), 0.53); /* straight paths end outside of the circle */
                }
            }
            pd_bodies_destroy(bodies);
        }
}

/* A body at any speed bounces off a thin body at rest instead of passing through. */
static void thin_bodies(void **state) {
    (void)state;
    pd_vec2 line[] = {{0, -0.5f}, {0, 0.5f}};
    for (int kind = 0; kind < 5; kind++)
        for (double speed = 0.5; speed < fastest(earth, 2); speed *= 1.3) {
            pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
            pd_body_def def = missile(kind, -0.6, 0.05);
            def.velocity.x = (float)speed;
            def.spin = 300;
            add(bodies, def);
            def = body_of(points_area(PD_SHAPE_POLYLINE, 0, 0, line, 2, 0.002));
            def.density = 1000;
            add(bodies, def);
            for (int k = 0; k < 3 * RATE; k++) {
                substep(bodies, 1.0 / RATE, 0);
                /* The body stays on the left of the line, in the frame of the line, until it has slid past its end. */
                pd_coordinates p = state_of(bodies, 0)->pose, q = state_of(bodies, 1)->pose;
                double x = p.x - q.x, y = p.y - q.y, along = y * cos(q.angle) - x * sin(q.angle);
                if (fabs(along) > 0.45) break;
                assert_below(x * cos(q.angle) + y * sin(q.angle), 0);
            }
            assert_true(state_of(bodies, 1)->velocity.x > 0);
            pd_bodies_destroy(bodies);
        }
}

/* A thin wall that sweeps through the scene pushes bodies before it at any speed, also bodies that fly against it. */
static void sweeping_walls(void **state) {
    (void)state;
    pd_vec2 line[] = {{0, -0.5f}, {0, 0.5f}};
    for (int kind = 0; kind < 5; kind++)
        for (double speed = 0.5; speed < fastest(earth, 2); speed *= 1.7) {
            pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
            int wall = add_wall(bodies, points_area(PD_SHAPE_POLYLINE, 0, 0, line, 2, 0.002));
            pd_body_def def = missile(kind, 0.3, 0);
            def.velocity.x = (float)(-speed);
            add(bodies, def);
            double x = 0;
            for (int k = 0; k < 30; k++) {
                pd_pose begin = pose_at(x, 0, 0), end = pose_at(x + speed / RATE, 0, 0);
                x += speed / RATE;
                pd_bodies_set_wall_motion(bodies, wall, &begin, &end, 0);
                substep(bodies, 1.0 / RATE, 0);
            }
            assert_true(state_of(bodies, 0)->pose.x > x);
            assert_true(state_of(bodies, 0)->velocity.x > 0.9 * speed);
            pd_bodies_destroy(bodies);
        }
}

/* A platform carries boxes without slip, up, down and sideways; a paddle turns a body about its hinge. */
static void carrying(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    int wall = add_wall(bodies, box_area(0, 0, 1, 0.1));
    for (int i = 0; i < 3; i++) add(bodies, box(0.2, 0.1 + 0.1 * i, 0.1, 0.1));
    double before_x = 0, before_y = 0;
    for (int k = 1; k <= 4 * RATE; k++) {
        double t = (double)k / RATE, x = 0.3 * (1 - cos(t)), y = 0.2 * (1 - cos(2 * t));
        pd_pose begin = pose_at(before_x, before_y, 0), end = pose_at(x, y, 0);
        before_x = x;
        before_y = y;
        pd_bodies_set_wall_motion(bodies, wall, &begin, &end, 0);
        substep(bodies, 1.0 / RATE, earth);
        for (int i = 0; i < 3; i++) {
            assert_near(state_of(bodies, i)->pose.x - x, 0.2, 2e-3);
            assert_near(state_of(bodies, i)->pose.y - y, 0.1 + 0.1 * i, 2e-3);
        }
    }
    pd_bodies_destroy(bodies);
}

/* A disc in a spinning paddle wheel without gravity goes round with it, along the container. */
static void spinning(void **state) {
    (void)state;
    pd_vec2 cross[] = {{-0.5f, 0}, {0, 0}, {0.5f, 0}, {0, 0}, {0, 0.5f}, {0, 0}, {0, -0.5f}};
    pd_bodies *bodies = bodies_in(PD_CONTAINER_CIRCLE, 1.2, 1.2);
    int wall = add_wall(bodies, points_area(PD_SHAPE_POLYLINE, 0, 0, cross, 7, 0.01));
    pd_body_def def = disc(0.3, 0.3, 0.05);
    def.friction = 0;
    add(bodies, def);
    double turn = 3.0 / RATE, before = 0, angle = 0;
    for (int k = 0; k < 10 * RATE; k++) {
        pd_pose begin = pose_at(0, 0, k * turn), end = pose_at(0, 0, (k + 1) * turn);
        pd_bodies_set_wall_motion(bodies, wall, &begin, &end, turn);
        substep(bodies, 1.0 / RATE, 0);
        pd_coordinates p = state_of(bodies, 0)->pose;
        double now = atan2(p.y, p.x);
        if (k > 2 * RATE) {
            angle += remainder(now - before, 2 * pi);
            assert_near(hypot(p.x, p.y), 0.55, 0.002);
        }
        before = now;
    }
    assert_near(angle / (3 * 8), 1, 0.03);
    pd_bodies_destroy(bodies);
}

/* The impulses on walls and container are the opposite of what the bodies receive, with their angular impulses. */
static void impulses(void **state) {
    (void)state;
    pd_vec2 line[] = {{-0.6f, 0.1f}, {0, 0}, {0.6f, 0.1f}};
    pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 2, 2);
    add_wall(bodies, points_area(PD_SHAPE_POLYLINE, 0.2, -0.6, line, 3, 0.02));
    add_wall(bodies, box_area(-0.5, -0.3, 0.2, 0.2));
    for (int i = 0; i < 5; i++) {
        pd_body_def def = i % 2 ? box(-0.5 + 0.2 * i, 0.2, 0.1, 0.15) : disc(-0.5 + 0.2 * i, 0.2, 0.07);
        def.velocity.x = 0.5f;
        def.restitution = 0.2f * (float)i;
        def.spin = 200;
        add(bodies, def);
    }
    add_joint(bodies, joint_at(PD_JOINT_HINGE, 1, PD_WORLD_BODY, -0.3, 0.3));
    pd_coordinates given = {0, 0, 0};
    double mass = 0, torque = 0, scale = 0;
    for (int i = 0; i < 5; i++) mass += bodies->bodies[i].mass;
    sums before = sums_of(bodies, 0);
    for (int k = 0; k < 3 * RATE; k++) {
        substep(bodies, 1.0 / RATE, earth);
        pd_coordinates parts[] = {bodies->world_impulse, bodies->walls[0].impulse, bodies->walls[1].impulse};
        for (int n = 0; n < 3; n++) {
            given.x += parts[n].x;
            given.y += parts[n].y;
            given.angle += parts[n].angle;
            scale += fabs(parts[n].y);
        }
        if (k < 3 * RATE - 1) /* the last change acts in the next substep */
            for (int i = 0; i < 5; i++) torque -= bodies->bodies[i].mass * earth / RATE * state_of(bodies, i)->pose.x;
    }
    sums after = sums_of(bodies, 0);
    assert_near(after.x - before.x + given.x, 0, 1e-9 * scale);
    assert_near(after.y - before.y + given.y, -mass * earth * (3 - 1.0 / RATE), 1e-6 * scale);
    assert_near(after.angular - before.angular + given.angle, torque, 0.01 * scale);
    pd_bodies_destroy(bodies);
}

/* A box slides over the seams of a floor of many parts, and of a drawn line, as over one piece. */
static void seams(void **state) {
    (void)state;
    enum { TEETH = 30 };
    double way[4];
    for (int kind = 0; kind < 4; kind++) {
        pd_vec2 points[2 * TEETH + 4];
        int count = 0;
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        for (int k = 0; k <= TEETH; k++) points[count++] = (pd_vec2){-1.5f + 0.1f * (float)k, 0};
        if (kind % 2 == 0) {
            add_wall(bodies, points_area(PD_SHAPE_POLYLINE, 0, -0.05, points, count, 0.1));
        } else {
            for (int k = TEETH; k > 0; k--)
                points[count++] = (pd_vec2){-1.55f + 0.1f * (float)k, k % 2 ? -0.2f : -0.1f};
            add_wall(bodies, points_area(PD_SHAPE_POLYGON, 0, 0, points, count, 0));
        }
        pd_body_def def = kind < 2 ? box(-1.2, 0.05, 0.1, 0.1) : disc(-1.2, 0.05, 0.05);
        def.friction = 0.1f;
        def.velocity.x = 1.5f;
        add(bodies, def);
        push(bodies, 1.0 / RATE, earth);
        run(bodies, 2, earth);
        way[kind] = state_of(bodies, 0)->pose.x + 1.2;
        assert_near(state_of(bodies, 0)->pose.y, 0.05, 1e-3);
        pd_bodies_destroy(bodies);
    }
    for (int kind = 0; kind < 2; kind++) assert_near(way[kind], 1.5 * 1.5 / (2 * 0.1 * earth), 0.005);
    /* The disc slides at first, and rolls with 2/3 of its speed after v / (3 mu g). */
    double slip = 1.5 / (3 * 0.1 * earth), expected = 1.5 * slip - 0.05 * earth * slip * slip + 1 * (2 - slip);
    for (int kind = 2; kind < 4; kind++) assert_near(way[kind], expected, 0.005);
}

/* Bodies that are added inside each other and inside walls come apart gently. */
static void overlaps(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 2, 2);
    add_wall(bodies, box_area(0.5, -0.9, 0.3, 0.3));
    for (int i = 0; i < 10; i++) add(bodies, i % 2 ? box(0, -0.5, 0.1, 0.1) : disc(0.01 * i, -0.5, 0.06));
    add(bodies, box(0.5, -0.85, 0.1, 0.1));
    double fastest_body = 0;
    for (int k = 0; k < 4 * RATE; k++) {
        substep(bodies, 1.0 / RATE, 1.6);
        fastest_body = fmax(fastest_body, pd_bodies_max_speed(bodies));
    }
    assert_below(fastest_body, 20);
    run(bodies, 6, 1.6);
    assert_below(rms_speed_of(bodies), 0.01);
    for (int i = 0; i < bodies->contact_count; i++) assert_true(bodies->contacts[i].separation > -0.002);
    pd_bodies_destroy(bodies);
}

TEST_GROUP(bodies_walls) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cages),    cmocka_unit_test(thin_bodies), cmocka_unit_test(sweeping_walls),
        cmocka_unit_test(carrying), cmocka_unit_test(spinning),    cmocka_unit_test(impulses),
        cmocka_unit_test(seams),    cmocka_unit_test(overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
