/* Bounds of the energy of bodies that springs, ropes and other joints connect, over joint type, mass ratio, stiffness and damping.
 *
 * The kinetic energy is m v . v' / 2 with the velocities before and after a solver step, which an explicit spring conserves exactly
 * with the potential energy between them. The sum of kinetic and potential energy (gravity, springs) never exceeds its start by
 * more than 1e-3 of the scale m g x 1 m, plus the kinetic energy at the start. With the velocity v alone, it is greater by at
 * most (angle of a spring in a step)/2 of a spring's energy: 5 % of the scale. */
#include "bodies.h"
#include "bodies/rows.h"

enum { STEPS = 480 }; /* substeps in a second, each of which is a solver step */

static const char *const types[] = {"hinge", "motor", "weld", "spring", "rope", "slider"};

/* Mass ratio, joints and lengths of a case. Bodies have masses from 0.4 / ratio to 0.4. */
typedef struct variant {
    double ratio, stiffness, damping, length; /* length: rest length over the distance at the start */
    pd_joint_type first, second;
} variant;

static void join(pd_bodies *bodies, const variant *v, pd_joint_type type, int a, int b, pd_vec2 from, pd_vec2 to) {
    pd_joint_def def = joint_at(type, a, b, from.x, from.y);
    def.at[1] = to;
    def.axis = (pd_vec2){1, 0};
    def.stiffness = (float)v->stiffness;
    def.damping = (float)v->damping;
    def.length = (float)(v->length * hypot((double)to.x - from.x, (double)to.y - from.y));
    add_joint(bodies, def);
}

static void add_box(pd_bodies *bodies, double x, double y, double mass) {
    pd_body_def def = box(x, y, 0.2, 0.2);
    def.density = (float)(mass / 0.04);
    add(bodies, def);
}

/* A light box hangs from the world, and a heavy one from it, with a kink. */
static void two_boxes(pd_bodies *bodies, const variant *v) {
    add_box(bodies, 0.3, 0.4, 0.4 / v->ratio);
    add_box(bodies, 0.3, -0.2, 0.4);
    join(bodies, v, v->first, 0, PD_WORLD_BODY, (pd_vec2){0.3f, 0.4f}, (pd_vec2){0, 0.9f});
    join(bodies, v, v->second, 0, 1, (pd_vec2){0.3f, 0.4f}, (pd_vec2){0.3f, -0.2f});
}

/* The boxes of two_boxes, joined at corners, so that they turn. */
static void two_corners(pd_bodies *bodies, const variant *v) {
    add_box(bodies, 0.3, 0.4, 0.4 / v->ratio);
    add_box(bodies, 0.3, -0.2, 0.4);
    join(bodies, v, v->first, 0, PD_WORLD_BODY, (pd_vec2){0.2f, 0.5f}, (pd_vec2){0, 0.9f});
    join(bodies, v, v->second, 0, 1, (pd_vec2){0.4f, 0.3f}, (pd_vec2){0.4f, -0.1f});
}

/* A triangle of boxes, which hangs from the world. */
static void triangle(pd_bodies *bodies, const variant *v) {
    add_box(bodies, 0.3, 0.4, 0.4 / v->ratio);
    add_box(bodies, 0.3, -0.2, 0.4);
    add_box(bodies, 0.8, -0.2, 0.4 / sqrt(v->ratio));
    join(bodies, v, v->first, 0, 1, (pd_vec2){0.3f, 0.4f}, (pd_vec2){0.3f, -0.2f});
    join(bodies, v, v->first, 1, 2, (pd_vec2){0.3f, -0.2f}, (pd_vec2){0.8f, -0.2f});
    join(bodies, v, v->second, 2, 0, (pd_vec2){0.8f, -0.2f}, (pd_vec2){0.3f, 0.4f});
    join(bodies, v, v->first, 0, PD_WORLD_BODY, (pd_vec2){0.3f, 0.4f}, (pd_vec2){0, 0.9f});
}

/* A light box between two points of the world carries a heavy one. */
static void three_lines(pd_bodies *bodies, const variant *v) {
    add_box(bodies, 0.3, 0.4, 0.4 / v->ratio);
    add_box(bodies, 0.3, -0.2, 0.4);
    join(bodies, v, v->first, 0, PD_WORLD_BODY, (pd_vec2){0.3f, 0.4f}, (pd_vec2){-0.7f, 0.4f});
    join(bodies, v, v->first, 0, PD_WORLD_BODY, (pd_vec2){0.3f, 0.4f}, (pd_vec2){1.3f, 0.4f});
    join(bodies, v, v->second, 0, 1, (pd_vec2){0.3f, 0.4f}, (pd_vec2){0.3f, -0.2f});
}

/* A chain of ten boxes, of which the last one is heavy, falls from horizontal. */
static void chain(pd_bodies *bodies, const variant *v) {
    for (int i = 0; i < 10; i++) {
        add_box(bodies, 0.3 * (i + 1), 0, i == 9 ? 0.4 : 0.4 / v->ratio);
        join(bodies, v, i % 2 ? v->second : v->first, i, i - 1, (pd_vec2){0.3f * (float)(i + 1), 0},
             (pd_vec2){0.3f * (float)i, 0});
    }
}

typedef struct arrangement {
    const char *name;
    void (*add)(pd_bodies *bodies, const variant *v);
} arrangement;

static double spring_energy_of(const pd_bodies *bodies) {
    double sum = 0;
    for (int j = 0; j < bodies->joint_count; j++) {
        const pd_joint *joint = &bodies->joints[j];
        double extension = gap_of(bodies, j) - joint->state.length;
        if (joint->def.type == PD_JOINT_SPRING) sum += 0.5 * joint->def.stiffness * extension * extension;
    }
    return sum;
}

/* Runs an arrangement, and compares its energy after each step with that at the start. */
static void check_energy(const arrangement *arrangement, const variant *v, double seconds) {
    enum { MOST_BODIES = 10 };
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    pd_coordinates before[MOST_BODIES];
    arrangement->add(bodies, v);
    double scale = 0, worst = -INFINITY, worst_plain = -INFINITY;
    for (int i = 0; i < bodies->body_count; i++) scale += bodies->bodies[i].mass * earth;
    double start = sums_of(bodies, earth).potential + spring_energy_of(bodies), potential = start;
    for (int k = 0; k < (int)(seconds * STEPS); k++) {
        for (int i = 0; i < bodies->body_count; i++) before[i] = state_of(bodies, i)->velocity;
        substep(bodies, 1.0 / STEPS, earth);
        double kinetic = 0;
        for (int i = 0; i < bodies->body_count; i++) {
            pd_coordinates w = state_of(bodies, i)->velocity;
            kinetic += 0.5 * bodies->bodies[i].mass * (w.x * before[i].x + w.y * before[i].y) +
                       0.5 * bodies->bodies[i].inertia * w.angle * before[i].angle;
        }
        worst = fmax(worst, kinetic + potential - start);
        sums now = sums_of(bodies, earth);
        potential = now.potential + spring_energy_of(bodies);
        worst_plain = fmax(worst_plain, now.kinetic + potential - start);
    }
    if (worst > 1e-3 * scale || worst_plain > 0.05 * scale)
        fail_msg("%s, %s and %s, mass ratio %g, stiffness %g, damping %g: energy grows by %g and %g of m g x 1 m",
                 arrangement->name, types[v->first], types[v->second], v->ratio, v->stiffness, v->damping,
                 worst / scale, worst_plain / scale);
    pd_bodies_destroy(bodies);
}

/* Checks arrangements with all ratios, stiffnesses and dampings. */
static void check_all(const arrangement *arrangements, int count, pd_joint_type first, pd_joint_type second,
                      double greatest_ratio) {
    const bool brief = is_shortened();
    for (int i = 0; i < count; i++)
        for (double ratio = 1; ratio <= greatest_ratio; ratio *= brief ? 100 : 10)
            for (int power = -1; power <= 9; power += brief ? 5 : 2)
                for (int damping = 0; damping < 3; damping += brief ? 2 : 1) {
                    const double stiffness = pow(10, power), dampings[] = {0, 1e-3, 10};
                    variant v = {ratio, stiffness, dampings[damping] * sqrt(stiffness), 1, first, second};
                    check_energy(&arrangements[i], &v, brief ? 1 : 2);
                }
}

/* Springs alone, in every arrangement. */
static void springs(void **state) {
    (void)state;
    const arrangement all[] = {{"two boxes", two_boxes},
                               {"two boxes at corners", two_corners},
                               {"triangle", triangle},
                               {"three lines", three_lines},
                               {"chain", chain}};
    check_all(all, COUNT(all), PD_JOINT_SPRING, PD_JOINT_SPRING, 1e5);
}

/* Ropes, and ropes with springs. */
static void ropes_and_springs(void **state) {
    (void)state;
    const arrangement all[] = {{"two boxes", two_boxes},
                               {"two boxes at corners", two_corners},
                               {"three lines", three_lines},
                               {"chain", chain}};
    check_all(all, COUNT(all), PD_JOINT_ROPE, PD_JOINT_ROPE, 1e5);
    check_all(all, COUNT(all), PD_JOINT_ROPE, PD_JOINT_SPRING, 1e5);
    check_all(all, COUNT(all), PD_JOINT_SPRING, PD_JOINT_ROPE, 1e5);
}

/* Springs and rigid joints in a row. */
static void rigid_joints_and_springs(void **state) {
    (void)state;
    const arrangement two[] = {{"two boxes", two_boxes}};
    check_all(two, 1, PD_JOINT_HINGE, PD_JOINT_SPRING, 1e5);
    check_all(two, 1, PD_JOINT_SPRING, PD_JOINT_HINGE, 1e5);
    check_all(two, 1, PD_JOINT_WELD, PD_JOINT_SPRING, 1e5);
    check_all(two, 1, PD_JOINT_SPRING, PD_JOINT_WELD, 1e5);
    check_all(two, 1, PD_JOINT_SLIDER, PD_JOINT_SPRING, 1e5);
    check_all(two, 1, PD_JOINT_SPRING, PD_JOINT_SLIDER, 1e4);
}

/* A chain of ropes swings like a pendulum, however light its bodies are: the heavy end falls 3 m, and is as fast as the angle to
 * the ropes' length gives. */
static void heavy_end_of_ropes(void **state) {
    (void)state;
    double fastest[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        const variant v = {k ? 1e5 : 1e3, 1, 0, 1, PD_JOINT_ROPE, PD_JOINT_ROPE};
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        chain(bodies, &v);
        for (int n = 0; n < 2 * STEPS; n++) {
            substep(bodies, 1.0 / STEPS, earth);
            pd_coordinates w = state_of(bodies, 9)->velocity;
            fastest[k] = fmax(fastest[k], hypot(w.x, w.y));
            assert_below(hypot(state_of(bodies, 9)->pose.x, state_of(bodies, 9)->pose.y), 3.001);
        }
        pd_bodies_destroy(bodies);
        assert_near(fastest[k], sqrt(2 * earth * 3), 0.1);
    }
}

/* Two springs of different lengths between the same points, or of lengths that a body between them cannot have, come to rest where
 * their forces balance. */
static void contradictory_springs(void **state) {
    (void)state;
    const double stiffnesses[] = {1e6, 1e9};
    for (int k = 0; k < 4; k++) {
        pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
        pd_joint_def def = joint_at(PD_JOINT_SPRING, PD_WORLD_BODY, 0, 0, 0);
        add_box(bodies, 0.5, 0, k < 2 ? 0.4 : 4e-6);
        def.at[1] = (pd_vec2){0.5f, 0};
        def.stiffness = (float)stiffnesses[k % 2];
        def.length = 0.3f;
        add_joint(bodies, def);
        def.length = 0.6f;
        add_joint(bodies, def);
        run(bodies, 2, 0);
        assert_below(rms_speed_of(bodies), 1e-6);
        assert_near(state_of(bodies, 0)->pose.x, 0.45, 1e-6);
        pd_bodies_destroy(bodies);
    }
}

/* A net of 32 x 32 bodies has more springs than the matrix of the direct rows can contain. */
static void large_net(void **state) {
    (void)state;
    enum { SIDE = 32 };
    const variant v = {1, 1e9, 0, 1, PD_JOINT_SPRING, PD_JOINT_SPRING};
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    for (int i = 0; i < SIDE * SIDE; i++) {
        float x = 0.1f * (float)(i % SIDE), y = -0.1f * (float)(i / SIDE);
        add(bodies, disc(x, y, 0.03));
        if (i % SIDE > 0) join(bodies, &v, PD_JOINT_SPRING, i - 1, i, (pd_vec2){x - 0.1f, y}, (pd_vec2){x, y});
        if (i >= SIDE) join(bodies, &v, PD_JOINT_SPRING, i - SIDE, i, (pd_vec2){x, y + 0.1f}, (pd_vec2){x, y});
        if (i < SIDE && i % 4 == 0)
            join(bodies, &v, PD_JOINT_SPRING, PD_WORLD_BODY, i, (pd_vec2){x, y + 0.1f}, (pd_vec2){x, y});
    }
    double start = sums_of(bodies, earth).potential;
    for (int k = 0; k < fewer_frames(60, 15); k++) {
        substep(bodies, 1.0 / RATE, earth);
        sums now = sums_of(bodies, earth);
        assert_true(now.kinetic + now.potential <= start + 1e-9 * fabs(start));
    }
    int left_out = 0;
    for (int j = 0; j < bodies->joint_count; j++) left_out += !bodies->rows[bodies->joints[j].first_row].direct;
    assert_true(left_out > 0);
    pd_bodies_destroy(bodies);
}

TEST_GROUP(bodies_energy) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs),
        cmocka_unit_test(ropes_and_springs),
        cmocka_unit_test(rigid_joints_and_springs),
        cmocka_unit_test(heavy_end_of_ropes),
        cmocka_unit_test(contradictory_springs),
        cmocka_unit_test(large_net),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
