/* Many bodies: stacks, dominoes, bodies at rest, saved state, order of the lists, cost. */
#include "bodies.h"

#include "core/archive.h"
#include "core/memory.h"

#include <time.h>

/* Ten boxes of 0.1 m stand for 20 s under the gravity of the earth: in a box, and in a circle, on the two lower corners of the
 * first box. */
static void stacks(void **state) {
    (void)state;
    enum { BOXES = 10 };
    for (int round = 0; round < 2; round++) {
        pd_bodies *bodies = bodies_in(round ? PD_CONTAINER_CIRCLE : PD_CONTAINER_BOX, 2, 2);
        double floor = round ? -sqrt(1 - 0.0025) : -1;
        for (int i = 0; i < BOXES; i++) add(bodies, box(0, floor + 0.05 + 0.1 * i, 0.1, 0.1));
        run(bodies, fewer_frames(20, 5), earth);
        for (int i = 0; i < BOXES; i++) {
            pd_coordinates p = state_of(bodies, i)->pose;
            assert_near(p.x, 0, 0.003);
            assert_near(p.y, floor + 0.05 + 0.1 * i, 0.003);
            assert_near(p.angle, 0, 0.01);
        }
        assert_below(rms_speed_of(bodies), 0.001);
        pd_bodies_destroy(bodies);
    }
}

/* Returns the sum of the contact forces on a body in the last solver step; angle: torque about its centroid. */
static pd_coordinates contact_force_on(pd_bodies *bodies, int body) {
    pd_coordinates sum = {0, 0, 0}, c = state_of(bodies, body)->pose;
    for (int i = 0; i < bodies->contact_count; i++) {
        const pd_body_contact *contact = &bodies->contacts[i];
        if (contact->body != body && contact->other != body) continue;
        double sign = (contact->body == body ? -1 : 1) / bodies->solver_seconds;
        double normal = sign * (contact->normal_impulse + contact->impact[0]);
        double friction = sign * (contact->friction_impulse + contact->impact[1]);
        double x = normal * contact->normal.x - friction * contact->normal.y;
        double y = normal * contact->normal.y + friction * contact->normal.x;
        sum.x += x;
        sum.y += y;
        sum.angle += (contact->point.x - c.x) * y - (contact->point.y - c.y) * x;
    }
    return sum;
}

/* The force on the floor is the weight of all boxes, and the force between two boxes is the weight above. */
static void contact_forces(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 2, 2);
    double weight = 0;
    for (int i = 0; i < 4; i++) {
        add(bodies, box(0.01 * i, -0.95 + 0.1 * i, 0.1, 0.1));
        weight += bodies->bodies[i].mass * earth;
    }
    run(bodies, 5, earth);
    assert_near(bodies->world_impulse.y * RATE / weight, -1, 1e-3);
    assert_near(bodies->world_impulse.x * RATE / weight, 0, 1e-3);
    assert_near(contact_force_on(bodies, 3).y / weight, 0.25, 1e-3);
    assert_near(contact_force_on(bodies, 0).y / weight, 0.25, 1e-3); /* 1 from below, 3/4 from above */
    assert_near(contact_force_on(bodies, 0).angle, 0, 1e-4 * weight);
    pd_bodies_destroy(bodies);
}

/* A pushed domino makes all others fall, one after the other. */
static void dominoes(void **state) {
    (void)state;
    enum { DOMINOES = 12 };
    int fell[DOMINOES] = {0};
    pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 4, 2);
    for (int i = 0; i < DOMINOES; i++) add(bodies, box(-1 + 0.1 * i, -0.9, 0.03, 0.2));
    run(bodies, 2, earth);
    for (int i = 0; i < DOMINOES; i++) assert_near(state_of(bodies, i)->pose.angle, 0, 0.005);
    state_of(bodies, 0)->velocity = (pd_coordinates){0.3, 0, -3}; /* about the lower edge */
    for (int k = 1; k < 5 * RATE; k++) {
        substep(bodies, 1.0 / RATE, earth);
        for (int i = 0; i < DOMINOES; i++)
            if (!fell[i] && state_of(bodies, i)->pose.angle < -0.25) fell[i] = k;
    }
    for (int i = 0; i < DOMINOES; i++) {
        assert_true(fell[i] > 0);
        if (i > 0) assert_true(fell[i] > fell[i - 1]);
    }
    pd_bodies_destroy(bodies);
}

/* Adds `count` bodies of all shapes in rows. */
static void add_mixture(pd_bodies *bodies, int count, double left, double bottom, int columns) {
    static pd_vec2 ell[] = {{-0.05f, -0.05f}, {0.05f, -0.05f}, {0.05f, 0}, {0, 0}, {0, 0.05f}, {-0.05f, 0.05f}},
                   bent[] = {{-0.05f, 0}, {0, 0}, {0.04f, 0.04f}},
                   hexagon[] = {{0.05f, 0},  {0.025f, 0.043f},   {-0.025f, 0.043f},
                                {-0.05f, 0}, {-0.025f, -0.043f}, {0.025f, -0.043f}};
    for (int i = 0; i < count; i++) {
        double x = left + 0.13 * (i % columns) + 0.01 * (i / columns % 3), y = bottom + 0.13 * (i / columns);
        pd_area areas[] = {
            box_area(x, y, 0.1, 0.06), disc_area(x, y, 0.05), points_area(PD_SHAPE_POLYGON, x, y, ell, 6, 0),
            points_area(PD_SHAPE_POLYLINE, x, y, bent, 3, 0.02), points_area(PD_SHAPE_POLYGON, x, y, hexagon, 6, 0)};
        pd_body_def def = body_of(areas[i % 5]);
        def.area.angle = (float)(i * 40 % 360);
        def.restitution = (float)(i % 3) * 0.1f;
        def.density = 0.5f + (float)(i % 4);
        add(bodies, def);
    }
}

/* Bodies of all shapes come to rest and stay at rest: energy does not grow by itself. */
static void rest(void **state) {
    (void)state;
    for (int round = 0; round < 2; round++) {
        pd_bodies *bodies = bodies_in(round ? PD_CONTAINER_CIRCLE : PD_CONTAINER_BOX, 2, 2);
        add_mixture(bodies, 40, -0.45, -0.6, 8);
        run(bodies, 10, 1.6);
        double energy = sums_of(bodies, 1.6).potential, worst = 0, scale = 0;
        for (int i = 0; i < bodies->body_count; i++) scale += bodies->bodies[i].mass * 1.6 * 0.1;
        for (int k = 0; k < fewer_frames(60, 10) * RATE; k++) {
            substep(bodies, 1.0 / RATE, 1.6);
            worst = fmax(worst, rms_speed_of(bodies));
        }
        assert_below(worst, 0.01);
        assert_below(sums_of(bodies, 1.6).potential, energy + 1e-3 * scale);
        pd_bodies_destroy(bodies);
    }
}

/* ---- Saved state ---- */

/* A scene with everything: shapes, joints, walls, a drag. */
static pd_bodies *everything(void) {
    static pd_vec2 line[] = {{-0.4f, 0.2f}, {0, 0}, {0.4f, 0.2f}};
    pd_bodies *bodies = bodies_in(PD_CONTAINER_CIRCLE, 2, 2);
    add_mixture(bodies, 40, -0.45, -0.3, 8);
    add_wall(bodies, points_area(PD_SHAPE_POLYLINE, 0, -0.7, line, 3, 0.02));
    add_wall(bodies, box_area(0.6, 0, 0.1, 0.1));
    pd_joint_def motor = joint_at(PD_JOINT_MOTOR, 0, PD_WORLD_BODY, -0.45, -0.3),
                 weld = joint_at(PD_JOINT_WELD, 1, 2, -0.25, -0.3),
                 slider = joint_at(PD_JOINT_SLIDER, 5, PD_WORLD_BODY, 0.2, -0.3),
                 spring = joint_at(PD_JOINT_SPRING, 8, 9, 0, 0);
    motor.speed = 200;
    motor.greatest_torque = 0.01f;
    weld.breaks_at = 0.2f;
    slider.axis = (pd_vec2){1, 1};
    slider.limited = true;
    slider.lower = -0.1f;
    slider.upper = 0.1f;
    spring.at[1] = (pd_vec2){0.1f, 0};
    spring.stiffness = 1;
    add_joint(bodies, motor);
    add_joint(bodies, weld);
    add_joint(bodies, slider);
    add_joint(bodies, spring);
    for (int i = 10; i < 16; i++) {
        pd_double2 p = {state_of(bodies, i)->pose.x, state_of(bodies, i)->pose.y};
        add_joint(bodies, joint_at(i % 2 ? PD_JOINT_HINGE : PD_JOINT_ROPE, i, i + 1, p.x + 0.06, p.y));
    }
    pd_bodies_begin_drag(bodies, 20, (pd_vec2){0, 0.1f}, 0.2);
    return bodies;
}

static void step_everything(pd_bodies *bodies, int k) {
    double angle = 0.02 * k, next = 0.02 * (k + 1);
    pd_pose begin = {{0.6, 0.1 * sin(angle)}, cos(angle), sin(angle)},
            end = {{0.6, 0.1 * sin(next)}, cos(next), sin(next)};
    pd_bodies_set_wall_motion(bodies, 1, &begin, &end, 0.02);
    pd_bodies_move_drag(bodies, (pd_vec2){0.3f * (float)sin(angle), 0.1f});
    substep(bodies, k % 3 ? 1.0 / 60 : 1.0 / 200, 1.6);
}

static pd_archive saved_from(pd_bodies *bodies) {
    pd_archive archive = {0};
    pd_bodies_save_or_load(bodies, &archive);
    assert_false(archive.failed);
    return archive;
}

static void load_into(pd_bodies *bodies, const pd_archive *saved) {
    pd_archive archive = {.bytes = saved->bytes, .capacity = saved->size, .reading = true};
    pd_bodies_save_or_load(bodies, &archive);
    assert_false(archive.failed);
    assert_int_equal(archive.size, saved->size);
}

static void expect_equal(pd_bodies *a, pd_bodies *b) {
    pd_archive p = saved_from(a), q = saved_from(b);
    assert_int_equal(p.size, q.size);
    assert_memory_equal(p.bytes, q.bytes, p.size);
    pd_memory_free(p.bytes);
    pd_memory_free(q.bytes);
}

/* A state saved in the middle of a pile-up continues bit for bit, in bodies that had another past. */
static void saved_state(void **state) {
    (void)state;
    pd_bodies *bodies = everything(), *other = everything();
    for (int k = 0; k < 50; k++) step_everything(bodies, k);
    for (int k = 0; k < 20; k++) step_everything(other, 3 * k);
    assert_true(bodies->contact_count > 30);
    pd_archive saved = saved_from(bodies);
    load_into(other, &saved);
    for (int k = 50; k < 50 + fewer_frames(1200, 120); k++) {
        step_everything(bodies, k);
        step_everything(other, k);
        if (k % 50 == 0) expect_equal(bodies, other);
    }
    expect_equal(bodies, other);
    assert_int_equal(bodies->joints[1].state.broken, 1);
    pd_memory_free(saved.bytes);
    pd_bodies_destroy(bodies);
    pd_bodies_destroy(other);
}

/* Damaged states are refused and do no harm. */
static void damaged_state(void **state) {
    (void)state;
    pd_bodies *bodies = everything();
    for (int k = 0; k < 50; k++) step_everything(bodies, k);
    pd_archive saved = saved_from(bodies);
    pd_random random = {3};
    for (int test = 0; test < 300; test++) {
        pd_archive archive = {.bytes = saved.bytes, .capacity = saved.size, .reading = true};
        size_t at = (size_t)(pd_random_next(&random) % saved.size), end = at + 8 < saved.size ? at + 8 : saved.size;
        uint8_t before[8];
        memcpy(before, saved.bytes + at, end - at);
        memset(saved.bytes + at, test % 2 ? 0xff : 0x7f, end - at);
        if (test % 3 == 0) archive.capacity = at;
        pd_bodies_save_or_load(bodies, &archive);
        if (!archive.failed) run(bodies, 0.05, 1.6);
        memcpy(saved.bytes + at, before, end - at);
        load_into(bodies, &saved);
    }
    add(bodies, disc(0, 0.9, 0.02)); /* a list of another length */
    pd_archive archive = {.bytes = saved.bytes, .capacity = saved.size, .reading = true};
    pd_bodies_save_or_load(bodies, &archive);
    assert_true(archive.failed);
    pd_memory_free(saved.bytes);
    pd_bodies_destroy(bodies);
}

/* Prints the cost of a substep with 200 bodies at rest and in motion. */
static void cost(void **state) {
    (void)state;
    pd_bodies *bodies = bodies_in(PD_CONTAINER_BOX, 2, 6);
    add_mixture(bodies, 200, -0.9, -2.9, 14);
    double least = INFINITY;
    clock_t begin = clock();
    enum { SUBSTEPS = 300 };
    for (int k = 0; k < SUBSTEPS; k++) {
        clock_t before = clock();
        substep(bodies, 1.0 / RATE, 1.6);
        least = fmin(least, (double)(clock() - before) / CLOCKS_PER_SEC);
    }
    print_message("200 bodies, %d contacts: %.2f ms of processor time a substep of 1/60 s (mean), %.2f ms (least)\n",
                  bodies->contact_count, 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC / SUBSTEPS, 1e3 * least);
    pd_bodies_destroy(bodies);
}

TEST_GROUP(bodies_piles) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks), cmocka_unit_test(contact_forces), cmocka_unit_test(dominoes),
        cmocka_unit_test(rest),   cmocka_unit_test(saved_state),    cmocka_unit_test(damaged_state),
        cmocka_unit_test(cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
