/* Polygons as obstacles: geometry, distances, collisions, rasters and what they hide of a kernel, against exact values. */
#include "core/simd.h"
#include "rasters.h"
#include "scene/polygon.h"
#include "sim/walls/polygon.h"

/* An L: a square of side 2 without its upper right quarter, which leaves a corner inwards at (1, 1). */
static pd_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};

static void reverse(pd_vec2 *points, int count) {
    for (int i = 0; i < count / 2; i++) {
        pd_vec2 other = points[i];
        points[i] = points[count - 1 - i];
        points[count - 1 - i] = other;
    }
}

/* A star about the origin whose corners have random distances from it: simple, and concave. */
static void random_star(pd_random *random, pd_vec2 *points, int count, double least) {
    for (int k = 0; k < count; k++) {
        double r = least + (1 - least) * (double)pd_random_below_one(random), angle = 2 * pi * k / count;
        points[k] = (pd_vec2){(float)(0.6 * r * cos(angle)), (float)(0.6 * r * sin(angle))};
    }
}

/* A comb of teeth upwards on a bar. Returns the number of points. */
static int comb(pd_vec2 *points, int teeth) {
    int count = 0;
    points[count++] = (pd_vec2){0.5f, -0.2f};
    for (int k = teeth - 1; k >= 0; k--) {
        float x = -0.5f + (float)k / (float)teeth, width = 1 / (float)teeth;
        points[count++] = (pd_vec2){x + width, 0.4f};
        points[count++] = (pd_vec2){x + 0.6f * width, -0.1f};
        points[count++] = (pd_vec2){x + 0.5f * width, -0.1f};
    }
    points[count++] = (pd_vec2){-0.5f, 0.4f};
    points[count++] = (pd_vec2){-0.5f, -0.2f};
    return count;
}

/* ---- Geometry ---- */

static void crossings(void **state) {
    (void)state;
    static const struct {
        pd_vec2 points[6];
        int count, first, second; /* -1: simple */
        bool only;                /* no other pair meets */
    } outlines[] = {
        {{{0, 0}, {1, 0}, {0, 1}}, 3, -1, -1},
        {{{0, 0}, {0, 1}, {1, 0}}, 3, -1, -1},
        {{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 6, -1, -1},
        {{{0, 0}, {1, 0}, {2, 0}, {2, 1}}, 4, -1, -1},                       /* a corner on a straight side */
        {{{0, 0}, {1, 1}, {1, 0}, {0, 1}}, 4, 0, 2, true},                   /* a bow tie */
        {{{0, 0}, {2, 0}, {2, 1}, {1, 0}, {0, 1}}, 5, 0, 2},                 /* a corner on another side */
        {{{0, 0}, {2, 0}, {1, 0}}, 3, 0, 1},                                 /* no area */
        {{{0, 0}, {2, 0}, {1, 0}, {1, 1}}, 4, 0, 1},                         /* back along a side */
        {{{0, 0}, {1, 0}, {1, 1}, {0, 0}}, 4, 3, 3, true},                   /* closed twice */
        {{{0, 0}, {1, 0}, {1, 0}, {1, 1}}, 4, 1, 1, true},                   /* a point twice */
        {{{0, 0}, {3, 0}, {3, 2}, {1, 2}, {1, -1}, {0, -1}}, 6, 0, 3, true}, /* a side through another one */
        {{{0, 0}, {4, 0}, {4, 1}, {3, 0}, {1, 0}, {0, 1}}, 6, 0, 2},         /* sides on one line that overlap */
    };
    for (int i = 0; i < COUNT(outlines); i++) {
        int first = -1, second = -1;
        bool crosses = pd_polygon_find_crossing(outlines[i].points, outlines[i].count, &first, &second);
        assert_int_equal(crosses, outlines[i].first >= 0);
        if (outlines[i].first < 0) continue;
        assert_true(first <= second && second < outlines[i].count);
        if (!outlines[i].only) continue;
        assert_int_equal(first, outlines[i].first);
        assert_int_equal(second, outlines[i].second);
    }
    pd_random random = {3};
    for (int test = 0; test < 300; test++) {
        pd_vec2 points[64];
        int first, second;
        random_star(&random, points, 64, 0.2);
        assert_false(pd_polygon_find_crossing(points, 64, &first, &second));
        int k = 1 + (int)(pd_random_below_one(&random) * 50); /* two corners change places: their sides cross */
        pd_vec2 other = points[k];
        points[k] = points[k + 1];
        points[k + 1] = other;
        bool crosses = pd_polygon_find_crossing(points, 64, &first, &second), expected = false;
        for (int i = 0; i < 64; i++)
            for (int j = i + 2; j < 64 && !(i == 0 && j == 63); j++) {
                const pd_vec2 *a = &points[i], *b = &points[(i + 1) % 64], *c = &points[j], *d = &points[(j + 1) % 64];
                double u =
                    ((double)b->x - a->x) * ((double)c->y - a->y) - ((double)b->y - a->y) * ((double)c->x - a->x);
                double v =
                    ((double)b->x - a->x) * ((double)d->y - a->y) - ((double)b->y - a->y) * ((double)d->x - a->x);
                double w =
                    ((double)d->x - c->x) * ((double)a->y - c->y) - ((double)d->y - c->y) * ((double)a->x - c->x);
                double z =
                    ((double)d->x - c->x) * ((double)b->y - c->y) - ((double)d->y - c->y) * ((double)b->x - c->x);
                expected |= u * v < 0 && w * z < 0;
            }
        assert_int_equal(crosses, expected);
    }
}

/* All triangles go round counterclockwise, and together they have the polygon's area. */
static void expect_triangles(const pd_vec2 *points, int count) {
    static int triangles[PD_MAX_POINTS][3];
    double area = 0, whole = fabs(pd_polygon_area(points, count));
    pd_polygon_triangulate(points, count, triangles);
    for (int i = 0; i < count - 2; i++) {
        pd_vec2 corners[3];
        for (int k = 0; k < 3; k++) {
            assert_in_range(triangles[i][k], 0, count - 1);
            corners[k] = points[triangles[i][k]];
        }
        double own = pd_polygon_area(corners, 3);
        assert_true(own >= -1e-9 * whole);
        area += own;
    }
    assert_float_equal(area / whole, 1, 1e-7);
}

static void triangles(void **state) {
    (void)state;
    static pd_vec2 points[PD_MAX_POINTS];
    pd_random random = {5};
    for (int turn = 0; turn < 2; turn++) {
        expect_triangles(ell, 6);
        reverse(ell, 6);
        int count = comb(points, 100);
        if (turn) reverse(points, count);
        expect_triangles(points, count);
        for (int test = 0; test < 200; test++) {
            random_star(&random, points, 5 + test, 0.1);
            if (turn) reverse(points, 5 + test);
            expect_triangles(points, 5 + test);
        }
    }
    random_star(&random, points, PD_MAX_POINTS, 0.5);
    expect_triangles(points, PD_MAX_POINTS);
}

/* A region wholly inside a polygon has no room; one that reaches out of it has. */
static void covered_regions(void **state) {
    (void)state;
    pd_area polygon = {.shape = PD_SHAPE_POLYGON, .points = ell, .point_count = 6};
    static const struct {
        pd_shape shape;
        float x, y, size;
        bool covered;
    } areas[] = {
        {PD_SHAPE_CIRCLE, 0.5f, 0.5f, 0.9f, true},   {PD_SHAPE_CIRCLE, 0.5f, 0.5f, 1.1f, false},
        {PD_SHAPE_BOX, 1, 0.5f, 0.9f, true},         {PD_SHAPE_BOX, 1.1f, 1.1f, 0.3f, false},
        {PD_SHAPE_BOX, 1.5f, 1.5f, 0.9f, false},     {PD_SHAPE_ELLIPSE, 0.5f, 1.4f, 0.9f, true},
        {PD_SHAPE_ELLIPSE, 0.9f, 0.9f, 0.3f, false}, {PD_SHAPE_BOX, 1, 1, 6, false},
        {PD_SHAPE_ELLIPSE, 0.8f, 0.8f, 0.5f, true},
    };
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < COUNT(areas); i++) {
            double angle = 0.5 * pi * turn, c = cos(angle), s = sin(angle);
            float x = areas[i].x, y = areas[i].y, size = areas[i].size;
            polygon.angle = 90 * (float)turn;
            polygon.center = (pd_vec2){3, -2};
            pd_area area = {.shape = areas[i].shape, .radius = 0.5f * size, .size = {size, size}};
            area.center =
                (pd_vec2){3 + (float)(c * (double)x - s * (double)y), -2 + (float)(s * (double)x + c * (double)y)};
            assert_int_equal(pd_polygon_covers(&polygon, &area), areas[i].covered);
        }
}

/* ---- Distances and collisions ---- */

static pd_boundary *boundary_in(pd_scene *scene, pd_container_shape shape, float half, pd_obstacle *obstacles,
                                int count) {
    pd_boundary *b;
    pd_error error;
    *scene = (pd_scene){.container = {.shape = shape, .radius = half, .width = 2 * half, .height = 2 * half},
                        .obstacles = obstacles,
                        .obstacle_count = count};
    assert_int_equal(pd_boundary_create(&b, scene, &error), PD_OK);
    return b;
}

/* The L: sides, corners outwards and inwards, from inside and outside; in both directions, turned and displaced. */
static void distances_of_an_ell(void **state) {
    (void)state;
    static const struct {
        double x, y, distance, nx, ny; /* a normal of 0: of a tie */
    } places[] = {
        {0.25, 0.75, -0.25, -1, 0}, {1, -0.5, 0.5, 0, -1},
        {1.5, 1.25, 0.25, 0, 1},    {1.125, 1.75, 0.125, 1, 0}, /* in the notch */
        {2.75, 2, 1.25, 0.6, 0.8},  {-0.3, -0.4, 0.5, -0.6, -0.8},
        {1.3, 2.4, 0.5, 0.6, 0.8},  {0.97, 0.96, -0.05, 0.6, 0.8}, /* inside, at the corner inwards */
        {1.75, 0.5, -0.25, 1, 0},   {0.5, 1.9, -0.1, 0, 1},
        {4, 0.5, 2, 1, 0},          {1.5, 1.5, 0.5, 0, 0},
    };
    for (int turn = 0; turn < 8; turn++) {
        float degrees = 37 * (float)(turn / 2);
        pd_obstacle o = {.area = {.shape = PD_SHAPE_POLYGON, .center = {0.3f, -0.2f}, .angle = degrees}};
        o.area.points = ell;
        o.area.point_count = 6;
        pd_scene scene;
        pd_boundary *b = boundary_in(&scene, PD_CONTAINER_NONE, 0, &o, 1);
        double c = cos((double)degrees * pi / 180), s = sin((double)degrees * pi / 180);
        for (int i = 0; i < COUNT(places); i++) {
            double x = places[i].x, y = places[i].y, nx = places[i].nx, ny = places[i].ny;
            pd_vec2 p = {(float)(0.3 + c * x - s * y), (float)(-0.2 + s * x + c * y)}, normal;
            assert_float_equal(pd_boundary_wall_distance(b, p, &normal), places[i].distance, 2e-6);
            assert_int_equal(pd_boundary_allows_position(b, p, 0), places[i].distance > 0);
            if (nx == 0 && ny == 0) continue;
            assert_float_equal(normal.x, c * nx - s * ny, 1e-5);
            assert_float_equal(normal.y, s * nx + c * ny, 1e-5);
        }
        pd_boundary_destroy(b);
        reverse(ell, 6);
    }
}

static double to_segment(pd_vec2 a, pd_vec2 b, double x, double y) {
    double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    double t = fmin(1, fmax(0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy)));
    return hypot(x - a.x - t * dx, y - a.y - t * dy);
}

/* By the angle that the outline takes around the point. */
static bool winds_around(const pd_vec2 *points, int count, double x, double y) {
    double angle = 0;
    for (int i = 0; i < count; i++) {
        double ax = points[i].x - x, ay = points[i].y - y, bx = points[(i + 1) % count].x - x,
               by = points[(i + 1) % count].y - y;
        angle += atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return fabs(angle) > pi;
}

/* The bound of pd_solid_least_distance is at most the distance. In the box around the polygon it is less by at most a cell's
 * diagonal, so that the search for contacts ends early. */
static void expect_bound_of_distance(const pd_solid *solid, pd_vec2 p, double distance) {
    const pd_box *box = &solid->bounds;
    double bound = pd_solid_least_distance(solid, pd_pose_to_local(&solid->end, (pd_double2){p.x, p.y}));
    assert_true(bound <= distance + 1e-6);
    if (p.x > box->low_x && p.x < box->high_x && p.y > box->low_y && p.y < box->high_y)
        assert_true(bound >= distance - sqrt(2) * solid->grid.cell - 1e-6);
}

/* Random outlines: the distances, and the places to which points inside are pushed, are those of all sides. */
static void distances_agree_with_all_sides(void **state) {
    (void)state;
    pd_random random = {11};
    for (int test = 0; test < 60; test++) {
        pd_vec2 points[200];
        int count = 4 + 3 * test;
        if (test % 3 == 2)
            count = comb(points, 2 + test / 2);
        else
            random_star(&random, points, count, test % 2 ? 0.7 : 0.2);
        if (test % 5 == 0) reverse(points, count);
        pd_obstacle o = {.area = {.shape = PD_SHAPE_POLYGON, .points = points, .point_count = count}};
        pd_scene scene;
        pd_boundary *b = boundary_in(&scene, PD_CONTAINER_NONE, 0, &o, 1);
        int solids;
        for (int i = 0; i < 300; i++) {
            pd_vec2 p = {between(&random, -0.7f, 0.7f), between(&random, -0.7f, 0.7f)}, normal, moved = p;
            double best = INFINITY;
            for (int k = 0; k < count; k++)
                best = fmin(best, to_segment(points[k], points[(k + 1) % count], (double)p.x, (double)p.y));
            bool inside = winds_around(points, count, (double)p.x, (double)p.y);
            expect_bound_of_distance(pd_boundary_solids(b, &solids), p, inside ? -best : best);
            assert_float_equal(pd_boundary_wall_distance(b, p, &normal), inside ? -best : best, 1e-6);
            assert_float_equal(hypot(normal.x, normal.y), 1, 1e-5);
            pd_boundary_push_out_of_walls(b, &moved);
            assert_true(pd_boundary_allows_position(b, moved, 0));
            if (inside && best > 1e-3 && count <= 60) /* else notches are narrower than a contact margin */
                assert_true(hypotf(moved.x - p.x, moved.y - p.y) < 1.6f * (float)best + 1e-3f);
        }
        pd_boundary_destroy(b);
    }
}

/* Random walks of all lengths around polygons that move and spin never end inside one, nor cross a thin one. */
static void nothing_enters(void **state) {
    (void)state;
    pd_random random = {13};
    for (int test = 0; test < 24; test++) {
        pd_vec2 points[3][40];
        pd_obstacle obstacles[3];
        for (int k = 0; k < 3; k++) {
            random_star(&random, points[k], 7 + 11 * k, 0.3);
            obstacles[k] = (pd_obstacle){.area = {.shape = PD_SHAPE_POLYGON,
                                                  .center = {(float)(k - 1) * 1.3f, 0},
                                                  .points = points[k],
                                                  .point_count = 7 + 11 * k},
                                         .velocity = {0, test % 2 ? 0.5f : 0},
                                         .turn = 0.7f,
                                         .spin = test % 3 ? 50 * (float)(k - 1) : 0};
        }
        pd_scene scene;
        pd_boundary *b = boundary_in(&scene, PD_CONTAINER_BOX, 2.5f, obstacles, 3);
        pd_vec2 p = {0, 2};
        double step = test % 4 == 0 ? 3 : 0.05;
        for (int i = 0; i < 4000; i++) {
            pd_boundary_move_obstacles(b, i / 400.0, (i + 1) / 400.0);
            double angle = 2 * pi * (double)pd_random_below_one(&random),
                   way = step * (double)pd_random_below_one(&random);
            pd_vec2 target = {p.x + (float)(way * cos(angle)), p.y + (float)(way * sin(angle))};
            pd_contact contact;
            pd_boundary_stop_at_walls(b, p, &target, &contact);
            if (!pd_boundary_allows_position(b, target, 1e-6f)) fail_msg("test %d, step %d: it is inside", test, i);
            p = target;
        }
        pd_boundary_destroy(b);
    }
    /* A blade of no thickness to speak of, from wall to wall. */
    pd_vec2 blade[] = {{-1.2f, 0}, {0, -0.2f}, {1.2f, 0}, {1.2f, 1e-5f}, {0, -0.1999f}, {-1.2f, 1e-5f}};
    pd_obstacle o = {.area = {.shape = PD_SHAPE_POLYGON, .points = blade, .point_count = 6}};
    pd_scene scene;
    pd_boundary *b = boundary_in(&scene, PD_CONTAINER_BOX, 1, &o, 1);
    pd_vec2 p = {0, 0.5f};
    for (int i = 0; i < 20000; i++) {
        pd_vec2 target = {between(&random, -1, 1), between(&random, -1, 1)};
        pd_contact contact;
        pd_boundary_stop_at_walls(b, p, &target, &contact);
        p = target;
        assert_true(p.y > 0.2f * fabsf(p.x) / 1.2f - 0.2f);
    }
    pd_boundary_destroy(b);
}

/* ---- Rasters ---- */

/* The closed cells have the polygon's area, also when it spins; faces between triangles are closed. */
static void rasters_have_its_area(void **state) {
    (void)state;
    pd_random random = {17};
    for (int test = 0; test < 40; test++) {
        pd_vec2 points[24];
        random_star(&random, points, 6 + test % 18, 0.75);
        pd_obstacle o = {.area = {.shape = PD_SHAPE_POLYGON, .points = points, .point_count = 6 + test % 18},
                         .spin = 77};
        setup s = set_up(PD_CONTAINER_NONE, 0, &o, 1, square(96, 0.75));
        double area = fabs(pd_polygon_area(points, 6 + test % 18));
        assert_float_equal(closed_area(s.raster) / area, 1, 3e-3);
        check_sound(s.raster);
        for (int k = 1; k < 4; k++) {
            pd_boundary_move_obstacles(s.boundary, 0.1 * k, 0.1 * k + 0.01);
            pd_raster_update(s.raster, s.boundary);
            assert_float_equal(closed_area(s.raster) / area, 1, 3e-3);
            pd_raster *fresh = raster_of(s.boundary, &s.raster->grid);
            check_same(s.raster, fresh);
            pd_raster_destroy(fresh);
        }
        tear_down(&s);
    }
}

/* From one open cell through open faces to all that are connected with it. */
static void flood(const pd_raster *r, int i, int j, bool *wet) {
    static int stack[128 * 128];
    int nx = r->grid.nx, ny = r->grid.ny, top = 0;
    memset(wet, 0, (size_t)(nx * ny));
    stack[top++] = i + nx * j;
    wet[i + nx * j] = true;
    while (top > 0) {
        int k = stack[--top], x = k % nx, y = k / nx;
        const float faces[] = {face_x_at(r, x, y), face_x_at(r, x + 1, y), face_y_at(r, x, y), face_y_at(r, x, y + 1)};
        const int to[] = {x > 0 ? k - 1 : k, x < nx - 1 ? k + 1 : k, y > 0 ? k - nx : k, y < ny - 1 ? k + nx : k};
        for (int side = 0; side < 4; side++) {
            if (!(faces[side] > 0) || !(r->cell[to[side]] > 0) || wet[to[side]]) continue;
            wet[to[side]] = true;
            stack[top++] = to[side];
        }
    }
}

/* What a thin polygon parts is not connected on a grid of any width: a blade from wall to wall, at any angle, whose thickness
 * changes along it, and an hourglass whose neck is as thin. */
static void thin_ones_are_tight(void **state) {
    (void)state;
    static const int widths[] = {16, 33, 50, 128};
    static bool wet[128 * 128];
    for (int n = 0; n < COUNT(widths); n++)
        for (int test = 0; test < 144; test++) {
            double angle = test / 3 * 7.5, c = cos(angle * pi / 180), s = sin(angle * pi / 180);
            float thin = test % 2 ? 1e-4f : 0.02f;
            pd_vec2 blade[] = {{-1.6f, -thin}, {1.6f, -0.05f}, {1.6f, 0.05f}, {-1.6f, thin}};
            pd_vec2 neck[] = {{-1.6f, -0.4f}, {0, -thin}, {1.6f, -0.4f}, {1.6f, 0.4f}, {0, thin}, {-1.6f, 0.4f}};
            pd_vec2 half_neck[] = {{-1.6f, -thin}, {1.6f, -thin}, {1.6f, 0.4f}, {0, thin}, {-1.6f, 0.4f}};
            pd_vec2 *const shapes[] = {blade, neck, half_neck};
            static const int counts[] = {4, 6, 5};
            pd_obstacle o = {.area = {.shape = PD_SHAPE_POLYGON,
                                      .center = {0.01f * (float)(test % 7), 0.013f * (float)(test % 5)},
                                      .angle = (float)angle,
                                      .points = shapes[test % 3],
                                      .point_count = counts[test % 3]}};
            setup r = set_up(PD_CONTAINER_BOX, 1, &o, 1, square(widths[n], 1));
            int i = (int)(((double)o.area.center.x + 0.6 * s + 1) / r.raster->grid.cell);
            int j = (int)(((double)o.area.center.y - 0.6 * c + 1) / r.raster->grid.cell);
            flood(r.raster, i, j, wet);
            check_sound(r.raster);
            for (int k = 0; k < widths[n] * widths[n]; k++) {
                double x = -1 + (k % widths[n] + 0.5) * r.raster->grid.cell - (double)o.area.center.x;
                double y = -1 + ((double)(k / widths[n]) + 0.5) * r.raster->grid.cell - (double)o.area.center.y;
                if (wet[k] && c * y - s * x > 1.5 * r.raster->grid.cell)
                    fail_msg("%d cells, shape %d, angle %g: leaks", widths[n], test % 3, angle);
            }
            tear_down(&r);
        }
}

/* ---- What it hides of a kernel ---- */

static double kernel(double r, int which) {
    if (r >= 1) return 0;
    if (which == 0) return 6 / pi * (1 - r) * (1 - r);
    if (which == 1) return 10 / pi * (1 - r) * (1 - r) * (1 - r);
    return 4 / pi * (1 - r * r) * (1 - r * r) * (1 - r * r);
}

/* Shares of both kernels around one point that lie inside a polygon, with their gradients. */
typedef struct hidden {
    double value[2], x[2], y[2];
} hidden;

static hidden hidden_at(const pd_boundary *b, double x, double y, double h, double outside, bool smooth) {
    int count;
    const pd_solid *solid = pd_boundary_solids(b, &count);
    double xs[PD_POLYGON_GROUP], ys[PD_POLYGON_GROUP], near[PD_POLYGON_GROUP];
    pd_polygon_shares s;
    hidden one;
    for (int k = 0; k < PD_POLYGON_GROUP; k++) { /* other points of the group: near, and left out by turns */
        xs[k] = x + k * h / 4;
        ys[k] = y - k * h / 4;
        near[k] = k % 2 ? 0 : 1;
    }
    PD_SIMD_PICK(pd_polygon_compute_hidden_shares)(solid, xs, ys, near, h, outside, smooth, &s);
    for (int n = 0; n < 2; n++) {
        one.value[n] = s.value[n][0];
        one.x[n] = s.x[n][0];
        one.y[n] = s.y[n][0];
        assert_true(s.value[n][1] == 0 && s.x[n][1] == 0 && s.y[n][1] == 0);
    }
    return one;
}

/* Against sums over a fine grid, with gradients against differences; on the surface of a large one a half. */
static void hidden_parts(void **state) {
    (void)state;
    enum { FINE = 200 };
    pd_random random = {19};
    pd_vec2 points[17];
    random_star(&random, points, 17, 0.3);
    for (int turn = 0; turn < 2; turn++) {
        pd_obstacle o = {.area = {.shape = PD_SHAPE_POLYGON, .points = points, .point_count = 17}};
        pd_scene scene;
        pd_boundary *b = boundary_in(&scene, PD_CONTAINER_NONE, 0, &o, 1);
        const double h = 0.2, step = 1e-5;
        for (int i = 0; i < 40; i++) {
            double x = 1.4 * (double)pd_random_below_one(&random) - 0.7,
                   y = 1.4 * (double)pd_random_below_one(&random) - 0.7;
            double sums[3] = {0};
            for (int k = 0; k < FINE * FINE; k++) {
                double u = (k % FINE + 0.5) / FINE * 2 - 1, v = ((double)(k / FINE) + 0.5) / FINE * 2 - 1;
                if (hypot(u, v) >= 1 || !winds_around(points, 17, x + h * u, y + h * v)) continue;
                for (int which = 0; which < 3; which++) sums[which] += kernel(hypot(u, v), which) * 4 / (FINE * FINE);
            }
            for (int smooth = 0; smooth < 2; smooth++) {
                hidden p = hidden_at(b, x, y, h, 0, smooth);
                assert_float_equal(p.value[0], sums[0], 1e-3);
                assert_float_equal(p.value[1], sums[1 + smooth], 1e-3);
                for (int k = 0; k < 2; k++) {
                    double right = hidden_at(b, x + step, y, h, 0.1, smooth).value[k];
                    double left = hidden_at(b, x - step, y, h, 0.1, smooth).value[k];
                    double above = hidden_at(b, x, y + step, h, 0.1, smooth).value[k];
                    double below = hidden_at(b, x, y - step, h, 0.1, smooth).value[k];
                    hidden q = hidden_at(b, x, y, h, 0.1, smooth);
                    if (q.value[k] <= 1e-6) continue;
                    assert_float_equal(q.x[k], (right - left) / (2 * step) * h, 1e-3);
                    assert_float_equal(q.y[k], (above - below) / (2 * step) * h, 1e-3);
                }
            }
        }
        pd_boundary_destroy(b);
        reverse(points, 17);
    }
    pd_vec2 large[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    pd_obstacle o = {.area = {.shape = PD_SHAPE_POLYGON, .points = large, .point_count = 4}};
    pd_scene scene;
    pd_boundary *b = boundary_in(&scene, PD_CONTAINER_NONE, 0, &o, 1);
    hidden at_side = hidden_at(b, 0.3, 1.0 + 1e-9, 0.1, 0, false), above = hidden_at(b, 0.3, 1, 0.1, 0.2, false);
    assert_float_equal(at_side.value[0], 0.5, 1e-6);
    assert_float_equal(at_side.value[1], 0.5, 1e-6);
    assert_true(at_side.x[0] == 0 && at_side.y[0] < 0);
    hidden away = hidden_at(b, 0.3, 1.02, 0.1, 0, false); /* the same: 0.2 h from the surface */
    assert_float_equal(above.value[0], away.value[0], 1e-9);
    assert_float_equal(above.y[1], away.y[1], 1e-9);
    assert_float_equal(hidden_at(b, 0.3, 1.11, 0.1, 0, false).value[0], 0, 1e-15);
    assert_float_equal(hidden_at(b, 0.3, 0.3, 0.1, 0, false).value[1], 1, 1e-12);
    assert_float_equal(hidden_at(b, 1 + 1e-9, 1 + 1e-9, 0.1, 0, true).value[1], 0.25, 1e-6);
    pd_boundary_destroy(b);
}

TEST_GROUP(polygon) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossings),
        cmocka_unit_test(triangles),
        cmocka_unit_test(covered_regions),
        cmocka_unit_test(distances_of_an_ell),
        cmocka_unit_test(distances_agree_with_all_sides),
        cmocka_unit_test(nothing_enters),
        cmocka_unit_test(rasters_have_its_area),
        cmocka_unit_test(thin_ones_are_tight),
        cmocka_unit_test(hidden_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
