/* Shapes of rigid bodies: mass, moment of inertia, centroid, convex parts. */
#include "bodies.h"
#include "bodies/shape.h"
#include "core/memory.h"
#include "scene/polygon.h"

static pd_rigid_shape shape_of(pd_area area) {
    pd_rigid_shape shape;
    pd_rigid_shape_init(&shape, &area, 0);
    return shape;
}

static void expect_mass(pd_area area, double square_metres, double x, double y, double second_moment) {
    pd_rigid_shape shape = shape_of(area);
    assert_near(shape.area / square_metres, 1, 1e-6);
    assert_near(shape.centroid.x, x, 1e-6);
    assert_near(shape.centroid.y, y, 1e-6);
    assert_near(shape.second_moment / second_moment, 1, 1e-6);
    pd_rigid_shape_free(&shape);
}

static void masses(void **state) {
    (void)state;
    expect_mass(disc_area(3, 1, 0.2), pi * 0.04, 0, 0, pi * 0.0016 / 2);
    expect_mass(box_area(3, 1, 0.4, 0.1), 0.04, 0, 0, 0.04 * (0.16 + 0.01) / 12);
    /* A right triangle: centroid at a third of its legs, polar moment A (a^2 + b^2) / 18. */
    pd_vec2 triangle[] = {{0, 0}, {0.6f, 0}, {0, 0.3f}}, back[] = {{0, 0.3f}, {0.6f, 0}, {0, 0}};
    expect_mass(points_area(PD_SHAPE_POLYGON, 0, 0, triangle, 3, 0), 0.09, 0.2, 0.1, 0.09 * (0.36 + 0.09) / 18);
    expect_mass(points_area(PD_SHAPE_POLYGON, 0, 0, back, 3, 0), 0.09, 0.2, 0.1, 0.09 * (0.36 + 0.09) / 18);
    /* An L is a square of 2 without its upper right quarter: (0, 0) to (2, 2) minus (1, 1) to (2, 2). */
    pd_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    double c = (4 * 1 - 1 * 1.5) / 3, whole = 4 * 8 / 12.0 + 4 * 2, quarter = 2 / 12.0 + 4.5;
    expect_mass(points_area(PD_SHAPE_POLYGON, 5, 5, ell, 6, 0), 3, c, c, whole - quarter - 3 * 2 * c * c);
    /* A capsule is a rectangle and two half discs, whose centroids are 4 r / (3 pi) from their diameters. */
    pd_vec2 line[] = {{-0.2f, 0}, {0, 0}, {0.2f, 0}};
    double r = 0.05, box = 0.4 * 0.1, half = pi * r * r / 2, out = 4 * r / (3 * pi);
    double own = half * (r * r / 2 - out * out), far = half * (0.2 + out) * (0.2 + out);
    expect_mass(points_area(PD_SHAPE_POLYLINE, 1, 2, line, 3, 0.1), box + 2 * half, 0, 0,
                box * (0.16 + 0.01) / 12 + 2 * (own + far));
}

/* A body lies where its area lies, at any angle, and its obstacle is found again from its pose. */
static void poses(void **state) {
    (void)state;
    pd_vec2 triangle[] = {{0, 0}, {0.6f, 0}, {0, 0.3f}};
    pd_bodies *bodies = bodies_in(PD_CONTAINER_NONE, 0, 0);
    pd_body_def def = body_of(points_area(PD_SHAPE_POLYGON, 1, 2, triangle, 3, 0));
    def.area.angle = 90;
    def.density = 2;
    def.spin = 45;
    add(bodies, def);
    const pd_body *body = &bodies->bodies[0];
    assert_near(body->mass, 0.18, 1e-6);
    assert_near(body->state.pose.x, 0.9, 1e-6); /* the centroid (0.2, 0.1) is turned to (-0.1, 0.2) */
    assert_near(body->state.pose.y, 2.2, 1e-6);
    for (int k = 0; k < 60; k++) substep(bodies, 1.0 / 60, 0);
    assert_near(body->state.pose.angle, 0.75 * pi, 1e-6);
    pd_pose area = pd_body_area_pose(body, &body->state.pose);
    assert_near(area.center.x, 0.9 - (cos(0.75 * pi) * 0.2 - sin(0.75 * pi) * 0.1), 1e-6);
    assert_near(area.center.y, 2.2 - (sin(0.75 * pi) * 0.2 + cos(0.75 * pi) * 0.1), 1e-6);
    pd_bodies_destroy(bodies);
}

/* ---- Convex parts ---- */

static double area_of(const pd_part *part) {
    double area = 0;
    for (int k = 1; k + 1 < part->count; k++)
        area += pd_cross(pd_minus(part->point[k], part->point[0]), pd_minus(part->point[k + 1], part->point[0])) / 2;
    return area;
}

/* The parts are convex, have at most PD_PART_POINTS points, and together the polygon's area. Each side is an outline or shared
 * by two parts. */
static void expect_parts(const pd_vec2 *points, int count) {
    pd_part *parts;
    int part_count, outlines = 0, inner = 0;
    double area = 0, whole = fabs(pd_polygon_area(points, count));
    pd_convex_parts_create(points, count, (pd_double2){0.1, -0.2}, &parts, &part_count);
    assert_true(part_count <= count - 2);
    for (int i = 0; i < part_count; i++) {
        const pd_part *p = &parts[i];
        assert_in_range(p->count, 3, PD_PART_POINTS);
        for (int k = 0; k < p->count; k++) {
            pd_double2 a = p->point[k], b = p->point[(k + 1) % p->count], c = p->point[(k + 2) % p->count];
            assert_true(pd_cross(pd_minus(b, a), pd_minus(c, b)) >= -1e-12);
            assert_near(pd_dot(p->normal[k], pd_minus(b, a)), 0, 1e-12);
            if (p->inner >> k & 1)
                inner++;
            else
                outlines++;
        }
        assert_true(area_of(p) > 0);
        area += area_of(p);
    }
    assert_near(area / whole, 1, 1e-6);
    assert_int_equal(inner % 2, 0);
    assert_int_equal(outlines, count);
    pd_memory_free(parts);
}

/* A star about the origin whose corners have random distances from it: simple, and concave. */
static void random_star(pd_random *random, pd_vec2 *points, int count) {
    for (int k = 0; k < count; k++) {
        double r = 0.2 + 0.8 * (double)pd_random_below_one(random), angle = 2 * pi * k / count;
        points[k] = (pd_vec2){(float)(r * cos(angle)), (float)(r * sin(angle))};
    }
}

static void convex_parts(void **state) {
    (void)state;
    static pd_vec2 points[PD_MAX_POINTS];
    pd_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
            back[] = {{0, 2}, {1, 2}, {1, 1}, {2, 1}, {2, 0}, {0, 0}};
    expect_parts(ell, 6);
    expect_parts(back, 6);
    pd_random random = {7};
    for (int test = 0; test < 200; test++) {
        int count = 3 + test % 60;
        random_star(&random, points, count);
        expect_parts(points, count);
    }
    for (int count = 3; count <= 40; count++) { /* a convex polygon needs (count - 2) / 6 parts */
        pd_part *parts;
        int part_count;
        for (int k = 0; k < count; k++)
            points[k] = (pd_vec2){(float)cos(2 * pi * k / count), (float)sin(2 * pi * k / count)};
        expect_parts(points, count);
        pd_convex_parts_create(points, count, (pd_double2){0, 0}, &parts, &part_count);
        assert_true(part_count <= 2 * (count - 2 + 5) / 6);
        pd_memory_free(parts);
    }
    random_star(&random, points, is_shortened() ? 500 : PD_MAX_POINTS);
    expect_parts(points, is_shortened() ? 500 : PD_MAX_POINTS);
}

TEST_GROUP(bodies_shapes) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(masses), cmocka_unit_test(poses),
                                       cmocka_unit_test(convex_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
