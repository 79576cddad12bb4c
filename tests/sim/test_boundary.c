#include "core/random.h"
#include "sanitizers.h"
#include "scene/geometry.h"
#include "sim/walls/boundary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const double pi = 3.141592653589793;

static pd_scene scene_in(pd_container_shape shape, float size, pd_obstacle *obstacles, int count) {
    pd_scene scene = {.container = {.shape = shape, .radius = size, .width = 2 * size, .height = size}};
    scene.obstacles = obstacles;
    scene.obstacle_count = count;
    return scene;
}

static pd_boundary *boundary_of(const pd_scene *scene) {
    pd_boundary *boundary;
    pd_error error;
    assert_int_equal(pd_boundary_create(&boundary, scene, &error), PD_OK);
    return boundary;
}

static float between(pd_random *random, float low, float high) {
    return low + (high - low) * pd_random_below_one(random);
}

/* A point of the unit disc. */
static pd_vec2 in_disc(pd_random *random) {
    for (;;) {
        pd_vec2 p = {between(random, -1, 1), between(random, -1, 1)};
        if (p.x * p.x + p.y * p.y < 0.999f) return p;
    }
}

/* A random target of a particle's motion from p: at a speed of 1 mm/s to 10,000 m/s for a sixtieth of a second. */
static pd_vec2 random_target(pd_random *random, pd_vec2 p) {
    float length = powf(10.0f, between(random, -3, 4)) / 60.0f, angle = between(random, 0, 6.2831853f);
    return (pd_vec2){p.x + length * cosf(angle), p.y + length * sinf(angle)};
}

static bool same(pd_vec2 a, pd_vec2 b) { return a.x == b.x && a.y == b.y; }

static void circle_container(void **state) {
    (void)state;
    pd_scene scene = scene_in(PD_CONTAINER_CIRCLE, 2.0f, NULL, 0);
    pd_boundary *b = boundary_of(&scene);
    pd_contact contact;
    pd_vec2 p = {1.0f, 1.5f};
    assert_false(pd_boundary_stop_at_walls(b, (pd_vec2){0, 0}, &p, &contact));
    assert_true(same(p, (pd_vec2){1.0f, 1.5f}));
    p = (pd_vec2){6.0f, 8.0f};
    assert_true(pd_boundary_stop_at_walls(b, (pd_vec2){0, 0}, &p, &contact));
    assert_float_equal(p.x, 1.2, 1e-5);
    assert_float_equal(p.y, 1.6, 1e-5);
    assert_float_equal(contact.normal.x, -0.6, 1e-6);
    assert_float_equal(contact.normal.y, -0.8, 1e-6);
    assert_true(same(contact.velocity, (pd_vec2){0, 0}));
    assert_false(pd_boundary_stop_at_walls(b, p, &p, &contact)); /* it is not moved again */
    pd_vec2 normal;
    assert_float_equal(pd_boundary_wall_distance(b, (pd_vec2){0, -1.5f}, &normal), 0.5, 1e-6);
    assert_true(same(normal, (pd_vec2){0, 1}));
    assert_true(pd_boundary_wall_distance(b, (pd_vec2){0, -2.5f}, &normal) < 0);
    assert_true(pd_boundary_allows_position(b, (pd_vec2){2.0005f, 0}, 1e-3f));
    assert_false(pd_boundary_allows_position(b, (pd_vec2){2.0005f, 0}, 1e-4f));
    pd_random random = {1};
    for (int i = 0; i < 100000; i++) {
        pd_vec2 start = in_disc(&random), q = random_target(&random, start), mirrored = {-q.x, q.y};
        bool touched = pd_boundary_stop_at_walls(b, start, &q, &contact);
        assert_true(hypot(q.x, q.y) <= 2.0);
        assert_int_equal(pd_boundary_stop_at_walls(b, (pd_vec2){-start.x, start.y}, &mirrored, &contact), touched);
        assert_true(same(mirrored, (pd_vec2){-q.x, q.y}));
    }
    pd_boundary_destroy(b);
}

static void box_container(void **state) {
    (void)state;
    pd_scene scene = scene_in(PD_CONTAINER_BOX, 1.0f, NULL, 0);
    pd_boundary *b = boundary_of(&scene);
    pd_contact contact;
    pd_vec2 p = {3.0f, 0.2f}, normal;
    assert_true(pd_boundary_stop_at_walls(b, (pd_vec2){0, 0}, &p, &contact));
    assert_true(same(p, (pd_vec2){1.0f, 0.2f}));
    assert_true(same(contact.normal, (pd_vec2){-1, 0}));
    p = (pd_vec2){-1.5f, -9.0f};
    assert_true(pd_boundary_stop_at_walls(b, (pd_vec2){0, 0}, &p, &contact));
    assert_true(same(p, (pd_vec2){-1.0f, -0.5f}));
    assert_true(same(contact.normal, (pd_vec2){0, 1}));
    assert_float_equal(pd_boundary_wall_distance(b, (pd_vec2){-0.9f, 0.1f}, &normal), 0.1, 1e-6);
    assert_true(same(normal, (pd_vec2){1, 0}));
    pd_boundary_destroy(b);
    scene.container.shape = PD_CONTAINER_NONE;
    b = boundary_of(&scene);
    p = (pd_vec2){-1e8f, 5.0f};
    assert_true(pd_boundary_stop_at_walls(b, (pd_vec2){0, 0}, &p, &contact));
    assert_true(same(p, (pd_vec2){-1e6f, 5.0f}));
    assert_true(isinf(pd_boundary_wall_distance(b, (pd_vec2){3, 4}, &normal)));
    pd_boundary_destroy(b);
}

static void wild_numbers(void **state) {
    (void)state;
    pd_vec2 line[] = {{-0.5f, 0}, {0.5f, 0}};
    pd_obstacle obstacles[] = {
        {.area.shape = PD_SHAPE_CIRCLE, .area.center = {0.2f, 0.4f}, .area.radius = 0.1f},
        {.area.shape = PD_SHAPE_POLYLINE, .area.points = line, .area.point_count = 2, .spin = 90.0f},
    };
    static const float wild[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 3.4e38f, 1e-45f, 0.25f};
    for (int shape = PD_CONTAINER_CIRCLE; shape <= PD_CONTAINER_NONE; shape++) {
        for (int with = 0; with <= 2; with += 2) {
            pd_scene scene = scene_in((pd_container_shape)shape, 1.0f, obstacles, with);
            pd_boundary *b = boundary_of(&scene);
            pd_boundary_move_obstacles(b, 0.0, 0.01);
            for (int i = 0; i < 8 * 8 * 8 * 8; i++) {
                pd_vec2 start = {wild[i & 7], wild[i >> 3 & 7]}, p = {wild[i >> 6 & 7], wild[i >> 9]}, n;
                pd_contact contact = {0};
                if (i & 1) start = (pd_vec2){0.1f, 0.2f};
                bool wrong = !isfinite(p.x) || !isfinite(p.y);
                pd_boundary_stop_at_walls(b, start, &p, &contact);
                assert_true(isfinite(p.x) && isfinite(p.y) && isfinite(contact.normal.x + contact.normal.y));
                assert_true(pd_boundary_allows_position(b, p, 1e-6f));
                if (wrong && (i & 1)) assert_true(same(p, start));
                p = (pd_vec2){wild[i >> 6 & 7], wild[i >> 9]};
                pd_boundary_push_out_of_walls(b, &p);
                assert_true(pd_boundary_allows_position(b, p, 1e-6f));
                pd_boundary_wall_distance(b, p, &n);
                assert_float_equal(hypot(n.x, n.y), 1.0, 1e-6);
            }
            pd_boundary_destroy(b);
        }
    }
}

/* A polyline from wall to wall, straight or zigzag, thin or thick: no particle crosses it. */
static void nothing_crosses_a_line(void **state) {
    (void)state;
    pd_vec2 straight[] = {{-1.2f, 0.0f}, {1.2f, 0.0f}};
    pd_vec2 zigzag[] = {{-1.2f, 0.1f}, {-0.6f, -0.3f}, {-0.3f, 0.5f}, {0.0f, -0.4f}, {0.1f, 0.3f}, {1.2f, -0.2f}};
    static const float thickness[] = {0.0f, 1e-7f, 1e-3f};
    pd_random random = {2};
    for (int test = 0; test < 6; test++) {
        pd_vec2 *points = test < 3 ? straight : zigzag;
        int count = test < 3 ? COUNT(straight) : COUNT(zigzag);
        pd_obstacle line = {.area.shape = PD_SHAPE_POLYLINE,
                            .area.points = points,
                            .area.point_count = count,
                            .area.thickness = thickness[test % 3]};
        pd_scene scene = scene_in(test & 1 ? PD_CONTAINER_CIRCLE : PD_CONTAINER_BOX, 1.0f, &line, 1);
        pd_boundary *b = boundary_of(&scene);
        pd_vec2 p = {0.05f, 0.45f};
        for (int i = 0; i < 100000; i++) {
            pd_contact contact;
            pd_vec2 target = random_target(&random, p);
            pd_boundary_stop_at_walls(b, p, &target, &contact);
            p = target;
            assert_true(pd_boundary_allows_position(b, p, 0.0f));
            int k = 0;
            while (k < count - 2 && points[k + 1].x < p.x) k++;
            float t = (p.x - points[k].x) / (points[k + 1].x - points[k].x);
            assert_true(p.y > points[k].y + t * (points[k + 1].y - points[k].y));
        }
        pd_boundary_destroy(b);
    }
}

static bool in_polygon(const pd_vec2 *points, int count, double x, double y) {
    bool inside = false;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        double ax = points[i].x, ay = points[i].y, bx = points[j].x, by = points[j].y;
        if ((ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) inside = !inside;
    }
    return inside;
}

/* Particles do not cross a closed, concave, very thin polyline that moves and rotates. */
static void a_closed_line_stays_closed(void **state) {
    (void)state;
    pd_vec2 star[11];
    for (int i = 0; i < 11; i++) {
        double r = i % 2 ? 0.12 : 0.4;
        star[i] = (pd_vec2){(float)(r * cos(pi * i / 5)), (float)(r * sin(pi * i / 5))};
    }
    star[10] = star[0];
    pd_obstacle fence = {
        .area.shape = PD_SHAPE_POLYLINE, .area.points = star, .area.point_count = 11, .area.thickness = 1e-6f};
    pd_random random = {3};
    for (int test = 0; test < 3; test++) {
        if (test >= 1) {
            fence.spin = 200.0f;
            fence.turn = 0.7f;
        }
        if (test == 2) {
            fence.velocity = (pd_vec2){2.0f, -1.0f};
            fence.turn = 0.2f;
        }
        pd_scene scene = scene_in(PD_CONTAINER_CIRCLE, 1.0f, &fence, 1);
        pd_boundary *b = boundary_of(&scene);
        pd_vec2 in = {0.05f, 0.0f}, out = {-0.8f, 0.3f};
        for (int i = 0; i < 30000; i++) {
            pd_contact contact;
            pd_boundary_move_obstacles(b, i / 240.0, (i + 1) / 240.0);
            pd_vec2 target = random_target(&random, in);
            pd_boundary_stop_at_walls(b, in, &target, &contact);
            in = target;
            target = random_target(&random, out);
            pd_boundary_stop_at_walls(b, out, &target, &contact);
            out = target;
            int count;
            const pd_area *view = pd_boundary_obstacle_areas(b, &count);
            double a = -view->angle * pi / 180, x = in.x - view->center.x, y = in.y - view->center.y;
            assert_true(in_polygon(star, 10, cos(a) * x - sin(a) * y, sin(a) * x + cos(a) * y));
            x = out.x - view->center.x, y = out.y - view->center.y;
            assert_false(in_polygon(star, 10, cos(a) * x - sin(a) * y, sin(a) * x + cos(a) * y));
            assert_true(hypot(out.x, out.y) <= 1.0);
        }
        pd_boundary_destroy(b);
    }
}

/* A blade across the whole container rotates: each particle stays on its side and is carried along. */
static void a_turning_blade_divides(void **state) {
    (void)state;
    pd_vec2 points[] = {{-1.5f, 0.0f}, {1.5f, 0.0f}};
    pd_random random = {4};
    for (int test = 0; test < 4; test++) {
        pd_obstacle blade = {.area.shape = PD_SHAPE_POLYLINE, .area.points = points, .area.point_count = 2};
        blade.spin = test & 1 ? 3000.0f : 90.0f;
        blade.turn = test & 2 ? 0.31f : 0.0f;
        pd_scene scene = scene_in(PD_CONTAINER_CIRCLE, 1.0f, &blade, 1);
        pd_boundary *b = boundary_of(&scene);
        assert_float_equal(pd_boundary_max_obstacle_speed(b), blade.spin * pi / 180 * 1.5, 1e-3);
        pd_vec2 p[40];
        for (int k = 0; k < COUNT(p); k++) {
            p[k] = in_disc(&random);
            pd_boundary_push_out_of_walls(b, &p[k]);
            p[k].y = k % 2 ? fabsf(p[k].y) : -fabsf(p[k].y);
        }
        for (int i = 0; i < 4000; i++) {
            pd_boundary_move_obstacles(b, i / 240.0, (i + 1) / 240.0);
            int count;
            double angle = pd_boundary_obstacle_areas(b, &count)->angle * pi / 180;
            for (int k = 0; k < COUNT(p); k++) {
                pd_contact contact;
                pd_vec2 target = k % 4 < 2 ? p[k] : random_target(&random, p[k]); /* half of them are at rest */
                pd_boundary_stop_at_walls(b, p[k], &target, &contact);
                p[k] = target;
                assert_true(hypot(p[k].x, p[k].y) <= 1.0);
                double height = cos(angle) * p[k].y - sin(angle) * p[k].x;
                assert_true(k % 2 ? height > 0 : height < 0);
            }
        }
        pd_boundary_destroy(b);
    }
}

static void random_obstacles(pd_random *random, pd_obstacle *obstacles, int count, pd_vec2 (*points)[5]) {
    for (int i = 0; i < count; i++) {
        pd_obstacle *o = &obstacles[i];
        static const pd_shape shapes[] = {PD_SHAPE_CIRCLE, PD_SHAPE_BOX, PD_SHAPE_POLYLINE};
        *o = (pd_obstacle){.area.shape = shapes[i % 3], .area.center = in_disc(random)};
        o->area.radius = between(random, 0.02f, 0.15f);
        o->area.size = (pd_vec2){between(random, 0.02f, 0.3f), between(random, 0.02f, 0.3f)};
        if (o->area.shape == PD_SHAPE_BOX) o->area.angle = between(random, 0, 360);
        o->area.thickness = between(random, 0, 0.02f);
        o->area.points = points[i];
        o->area.point_count = 5;
        for (int k = 0; k < 5; k++)
            points[i][k] = (pd_vec2){between(random, -0.2f, 0.2f), between(random, -0.2f, 0.2f)};
    }
}

/* Among obstacles that overlap each other and the wall, positions stay outside all of them, and so does the path
 * between. */
static void among_many_obstacles(void **state) {
    (void)state;
    pd_random random = {5};
    pd_obstacle obstacles[12];
    pd_vec2 points[12][5];
    int stuck = 0;
    for (int round = 0; round < 40; round++) {
        random_obstacles(&random, obstacles, COUNT(obstacles), points);
        pd_scene scene =
            scene_in(round & 1 ? PD_CONTAINER_CIRCLE : PD_CONTAINER_BOX, 1.0f, obstacles, COUNT(obstacles));
        pd_boundary *b = boundary_of(&scene);
        pd_vec2 p = in_disc(&random);
        pd_boundary_push_out_of_walls(b, &p);
        for (int i = 0; i < 2500; i++) {
            pd_contact contact;
            pd_vec2 target = random_target(&random, p), unconstrained = target;
            assert_true(pd_boundary_allows_position(b, p, 0.0f));
            bool touched = pd_boundary_stop_at_walls(b, p, &target, &contact);
            assert_int_equal(touched, !same(target, unconstrained));
            assert_true(pd_boundary_allows_position(b, target, 0.0f));
            if (touched) assert_float_equal(hypot(contact.normal.x, contact.normal.y), 1.0, 1e-5);
            for (int k = 1; k < 50; k++) {
                float t = (float)k / 50;
                pd_vec2 on_path = {p.x + t * (target.x - p.x), p.y + t * (target.y - p.y)};
                assert_true(pd_boundary_allows_position(b, on_path, 1e-6f));
            }
            stuck += same(p, target);
            p = target;
        }
        pd_boundary_destroy(b);
    }
    assert_in_range(stuck, 0, 40 * 2500 / 15); /* it slides, and stops only in corners */
}

/* pd_boundary_mask_paths_near_walls for groups of particles: pd_boundary_stop_at_walls moves none of those that it
 * leaves out; in a container without obstacles it leaves out all that are not moved. */
static void what_is_clear_passes(void **state) {
    (void)state;
    enum { GROUP = 16 };
    pd_random random = {17};
    pd_obstacle obstacles[4];
    pd_vec2 points[4][5];
    int clear = 0, free = 0, left_out = 0, unmoved = 0;
    for (int i = 0; i < 20000; i++) {
        random_obstacles(&random, obstacles, COUNT(obstacles), points);
        pd_container_shape shape = (pd_container_shape)(i % 2 ? PD_CONTAINER_CIRCLE : PD_CONTAINER_BOX);
        pd_scene scene = scene_in(shape, 1.0f, obstacles, i % 3 ? COUNT(obstacles) : 0);
        pd_boundary *b = boundary_of(&scene);
        pd_vec2 middle = in_disc(&random);
        float x[GROUP], y[GROUP], old_x[GROUP], old_y[GROUP];
        int count = 1 + i % GROUP, passed = 0;
        for (int k = 0; k < count; k++) {
            old_x[k] = middle.x + between(&random, -0.05f, 0.05f);
            old_y[k] = middle.y + between(&random, -0.05f, 0.05f);
            x[k] = old_x[k] + between(&random, -0.05f, 0.05f);
            y[k] = old_y[k] + between(&random, -0.05f, 0.05f);
        }
        if (i % 7 == 0) x[i % count] = i % 2 ? NAN : INFINITY;
        uint32_t near = pd_boundary_mask_paths_near_walls(b, count, old_x, old_y, x, y);
        assert_int_equal((uint64_t)near >> count, 0);
        for (int k = 0; k < count; k++) {
            pd_contact contact;
            pd_vec2 target = {x[k], y[k]};
            bool touched = pd_boundary_stop_at_walls(b, (pd_vec2){old_x[k], old_y[k]}, &target, &contact);
            bool moved = !same(target, (pd_vec2){x[k], y[k]}), reported = near >> k & 1;
            if (!reported) assert_false(moved || touched);
            if (!scene.obstacle_count) assert_int_equal(reported, moved);
            passed += !moved;
            left_out += !reported && scene.obstacle_count;
            unmoved += !moved && scene.obstacle_count;
        }
        clear += near == 0 && scene.obstacle_count;
        free += passed == count && scene.obstacle_count;
        pd_boundary_destroy(b);
    }
    assert_in_range(clear, free / 2, free); /* the bounding boxes that it tests are larger than the obstacles */
    assert_in_range(left_out, unmoved / 4 * 3, unmoved);
}

static void it_slides(void **state) {
    (void)state;
    pd_obstacle floor = {.area.shape = PD_SHAPE_BOX, .area.center = {0, -0.5f}, .area.size = {1.6f, 0.2f}};
    pd_scene scene = scene_in(PD_CONTAINER_CIRCLE, 1.0f, &floor, 1);
    pd_boundary *b = boundary_of(&scene);
    pd_contact contact;
    pd_vec2 p = {0.3f, -0.9f};
    assert_true(pd_boundary_stop_at_walls(b, (pd_vec2){0, 0}, &p, &contact));
    assert_float_equal(p.x, 0.3, 1e-6);
    assert_float_equal(p.y, -0.4, 2e-5);
    assert_true(p.y > -0.4f);
    assert_true(same(contact.normal, (pd_vec2){0, 1}));
    pd_vec2 normal;
    assert_float_equal(pd_boundary_wall_distance(b, (pd_vec2){0.1f, -0.3f}, &normal), 0.1, 1e-6);
    assert_true(same(normal, (pd_vec2){0, 1}));
    assert_float_equal(pd_boundary_wall_distance(b, (pd_vec2){0.1f, -0.42f}, &normal), -0.02, 1e-6);
    pd_boundary_destroy(b);
    /* into the corner between two boxes: it stops in the corner, not outside */
    pd_obstacle corner[] = {floor, {.area.shape = PD_SHAPE_BOX, .area.center = {0.5f, 0}, .area.size = {0.2f, 1.2f}}};
    scene = scene_in(PD_CONTAINER_CIRCLE, 1.0f, corner, 2);
    b = boundary_of(&scene);
    p = (pd_vec2){5, -6};
    assert_true(pd_boundary_stop_at_walls(b, (pd_vec2){0, 0}, &p, &contact));
    assert_float_equal(p.x, 0.4, 2e-5);
    assert_float_equal(p.y, -0.4, 2e-5);
    pd_boundary_destroy(b);
}

static void moving_obstacles_push(void **state) {
    (void)state;
    pd_obstacle piston = {
        .area.shape = PD_SHAPE_BOX, .area.center = {-0.5f, 0}, .area.size = {0.1f, 0.4f}, .velocity = {60, 0}};
    pd_scene scene = scene_in(PD_CONTAINER_CIRCLE, 1.0f, &piston, 1);
    pd_boundary *b = boundary_of(&scene);
    assert_float_equal(pd_boundary_max_obstacle_speed(b), 60, 1e-4);
    pd_boundary_move_obstacles(b, 0.0, 0.01); /* by 0.6 m, past the particle's position */
    pd_contact contact;
    pd_vec2 p = {0, 0.1f};
    assert_true(pd_boundary_stop_at_walls(b, p, &p, &contact));
    assert_float_equal(p.x, 0.15, 2e-5);
    assert_float_equal(p.y, 0.1, 1e-6);
    assert_float_equal(contact.velocity.x, 60, 1e-3);
    assert_float_equal(contact.normal.x, 1, 1e-6);
    pd_boundary_move_obstacles(b, 0.01, 0.03); /* through the container's wall: squeezed particles stay inside */
    p = (pd_vec2){0.99f, 0};
    pd_boundary_stop_at_walls(b, p, &p, &contact);
    assert_true(hypot(p.x, p.y) <= 1.0);
    pd_boundary_destroy(b);

    piston.velocity = (pd_vec2){1, 0};
    piston.spin = 90;
    piston.turn = 0.5f;
    b = boundary_of(&scene);
    static const double times[] = {0, 0.25, 0.5, 0.75, 1.0, 1.25, 1000.25};
    static const double places[] = {0, 0.25, 0.5, 0.25, 0, 0.25, 0.25};
    for (int i = 0; i < COUNT(times); i++) {
        int count;
        pd_boundary_move_obstacles(b, times[i], times[i]);
        const pd_area *view = pd_boundary_obstacle_areas(b, &count);
        assert_int_equal(count, 1);
        assert_float_equal(view->center.x, -0.5 + places[i], 1e-6);
        assert_float_equal(view->angle, 90 * places[i], 1e-4);
    }
    pd_boundary_destroy(b);
}

/* A particle inside an obstacle leaves it on the shortest path, and one inside a polyline on the side where it is. */
static void out_by_the_shortest_way(void **state) {
    (void)state;
    pd_vec2 line[] = {{-0.3f, 0.5f}, {0.3f, 0.5f}};
    pd_obstacle obstacles[] = {
        {.area.shape = PD_SHAPE_CIRCLE, .area.radius = 0.2f},
        {.area.shape = PD_SHAPE_BOX, .area.center = {0.5f, 0}, .area.size = {0.2f, 0.4f}},
        {.area.shape = PD_SHAPE_POLYLINE, .area.points = line, .area.point_count = 2, .area.thickness = 0.1f},
    };
    pd_scene scene = scene_in(PD_CONTAINER_CIRCLE, 1.0f, obstacles, 3);
    pd_boundary *b = boundary_of(&scene);
    static const pd_vec2 from[] = {{0.0f, 0.1f}, {0.58f, 0.02f}, {0.1f, 0.49f}, {0.1f, 0.51f}};
    static const pd_vec2 to[] = {{0.0f, 0.2f}, {0.6f, 0.02f}, {0.1f, 0.45f}, {0.1f, 0.55f}};
    for (int i = 0; i < COUNT(from); i++) {
        pd_contact contact;
        pd_vec2 p = from[i], q = from[i], r = {from[i].x, i == 2 ? 0.53f : from[i].y};
        assert_false(pd_boundary_allows_position(b, p, 1e-3f));
        assert_true(pd_boundary_stop_at_walls(b, p, &p, &contact));
        assert_float_equal(p.x, to[i].x, 2e-5);
        assert_float_equal(p.y, to[i].y, 2e-5);
        assert_true(pd_boundary_push_out_of_walls(b, &q));
        assert_float_equal(hypot(q.x - to[i].x, q.y - to[i].y), 0, 2e-5);
        pd_boundary_stop_at_walls(b, from[i], &r, &contact);
        assert_float_equal(hypot(r.x - to[i].x, r.y - to[i].y), 0, 2e-5);
    }
    pd_boundary_destroy(b);
}

static void mirrored_scenes(void **state) {
    (void)state;
    pd_random random = {6};
    pd_obstacle left[9], right[9];
    pd_vec2 points[9][5], mirrored[9][5];
    for (int round = 0; round < 20; round++) {
        random_obstacles(&random, left, COUNT(left), points);
        memcpy(right, left, sizeof right);
        for (int i = 0; i < COUNT(left); i++) {
            left[i].spin = between(&random, -90, 90);
            left[i].velocity = in_disc(&random);
            right[i].area.center.x = -left[i].area.center.x;
            right[i].area.angle = -left[i].area.angle;
            right[i].spin = -left[i].spin;
            right[i].velocity = (pd_vec2){-left[i].velocity.x, left[i].velocity.y};
            right[i].area.points = mirrored[i];
            for (int k = 0; k < 5; k++) mirrored[i][k] = (pd_vec2){-points[i][k].x, points[i][k].y};
        }
        pd_scene scene = scene_in(PD_CONTAINER_CIRCLE, 1.0f, left, COUNT(left));
        pd_boundary *a = boundary_of(&scene);
        scene.obstacles = right;
        pd_boundary *b = boundary_of(&scene);
        pd_boundary_move_obstacles(a, 0.1, 0.11);
        pd_boundary_move_obstacles(b, 0.1, 0.11);
        int outside = 0;
        for (int i = 0; i < 2000; i++) {
            pd_contact contact;
            pd_vec2 p = in_disc(&random), q = random_target(&random, p), r = {-q.x, q.y};
            if (!pd_boundary_allows_position(a, p, 0.0f)) continue; /* inside, two ways out may be equally short */
            outside++;
            pd_boundary_stop_at_walls(a, p, &q, &contact);
            pd_boundary_stop_at_walls(b, (pd_vec2){-p.x, p.y}, &r, &contact);
            assert_float_equal(q.x, -r.x, 1e-6);
            assert_float_equal(q.y, r.y, 1e-6);
        }
        assert_true(outside > 500);
        pd_boundary_destroy(a);
        pd_boundary_destroy(b);
    }
}

static double segment_distance(pd_vec2 a, pd_vec2 b, double x, double y) {
    double dx = (double)b.x - a.x, dy = (double)b.y - a.y, l2 = dx * dx + dy * dy;
    double t = l2 > 0 ? fmin(1, fmax(0, ((x - a.x) * dx + (y - a.y) * dy) / l2)) : 0;
    return hypot(x - a.x - t * dx, y - a.y - t * dy);
}

/* Distances agree with the minimum over all obstacles, computed in double precision. */
static void distances_agree_with_brute_force(void **state) {
    (void)state;
    enum { MANY = 300 };
    pd_random random = {7};
    static pd_obstacle obstacles[MANY];
    static pd_vec2 points[MANY][5];
    random_obstacles(&random, obstacles, MANY, points);
    for (int i = 0; i < MANY; i++) {
        obstacles[i].area.center = (pd_vec2){8 * obstacles[i].area.center.x, 8 * obstacles[i].area.center.y};
        if (i % 3 == 1) obstacles[i].area.angle = 0;
    }
    pd_scene scene = scene_in(PD_CONTAINER_CIRCLE, 10.0f, obstacles, MANY);
    pd_boundary *b = boundary_of(&scene);
    for (int i = 0; i < 3000; i++) {
        pd_vec2 p = {between(&random, -7, 7), between(&random, -7, 7)}, normal;
        double best = 10 - hypot(p.x, p.y);
        for (int k = 0; k < MANY; k++) {
            const pd_obstacle *o = &obstacles[k];
            double x = (double)p.x - o->area.center.x, y = (double)p.y - o->area.center.y, d = INFINITY;
            if (o->area.shape == PD_SHAPE_CIRCLE) d = hypot(x, y) - o->area.radius;
            if (o->area.shape == PD_SHAPE_BOX) {
                double u = fabs(x) - 0.5 * o->area.size.x, v = fabs(y) - 0.5 * o->area.size.y;
                d = fmax(u, v) < 0 ? fmax(u, v) : hypot(fmax(u, 0), fmax(v, 0));
            }
            if (o->area.shape == PD_SHAPE_POLYLINE)
                for (int s = 0; s < 4; s++)
                    d = fmin(d, segment_distance(points[k][s], points[k][s + 1], x, y) - 0.5 * o->area.thickness);
            best = fmin(best, d);
        }
        assert_float_equal(pd_boundary_wall_distance(b, p, &normal), best, 1e-5);
        assert_float_equal(hypot(normal.x, normal.y), 1, 1e-5);
        pd_contact any, near;
        float within = 0.05f * (float)(i % 20), distance = pd_boundary_find_nearest_wall(b, p, &any);
        assert_true(pd_boundary_find_nearest_wall_within(b, p, within, &near) == fminf(distance, within));
        if (distance < within) assert_memory_equal(&near, &any, sizeof any);
        if (fabs(best) > 1e-4) assert_int_equal(pd_boundary_allows_position(b, p, 0.0f), best >= 0);
        pd_boundary_push_out_of_walls(b, &p);
        assert_true(pd_boundary_allows_position(b, p, 0.0f));
    }
    pd_boundary_destroy(b);
}

static void odd_obstacles(void **state) {
    (void)state;
    pd_vec2 twice[] = {{0.1f, 0.1f}, {0.1f, 0.1f}, {0.1f, 0.1f}}, one[] = {{0, -0.3f}};
    pd_obstacle obstacles[] = {
        {.area.shape = PD_SHAPE_POLYLINE, .area.points = twice, .area.point_count = 3},
        {.area.shape = PD_SHAPE_POLYLINE, .area.points = one, .area.point_count = 1, .area.thickness = 0.1f},
        {.area.shape = PD_SHAPE_POLYLINE},
        {.area.shape = PD_SHAPE_BOX, .area.center = {0.5f, 0.5f}},
        {.area.shape = PD_SHAPE_CIRCLE, .area.center = {-0.5f, 0}},
        {.area.shape = PD_SHAPE_BOX,
         .area.center = {-3, 0},
         .area.size = {1, 1},
         .spin = 1e7f,
         .velocity = {1e5f, 0},
         .turn = 1e-3f},
        {.area.shape = PD_SHAPE_CIRCLE, .area.radius = 0.0001f, .velocity = {-3e5f, 1e5f}},
    };
    pd_scene scene = scene_in(PD_CONTAINER_CIRCLE, 1.0f, obstacles, COUNT(obstacles));
    pd_boundary *b = boundary_of(&scene);
    pd_random random = {8};
    pd_vec2 p = {0.2f, 0.2f}, normal;
    for (int i = 0; i < 20000; i++) {
        pd_boundary_move_obstacles(b, i / 100.0, (i + 1) / 100.0);
        pd_contact contact;
        pd_vec2 target = random_target(&random, p);
        pd_boundary_stop_at_walls(b, p, &target, &contact);
        p = target;
        assert_true(hypot(p.x, p.y) <= 1.0);
        assert_true(isfinite(pd_boundary_wall_distance(b, p, &normal)));
    }
    pd_boundary_destroy(b);
    pd_drain round = {.area.shape = PD_SHAPE_CIRCLE, .area.center = {1, 0}, .area.radius = 0.5f};
    pd_drain flat = {.area.shape = PD_SHAPE_BOX, .area.center = {1, 0}, .area.size = {1.0f, 0.2f}};
    assert_true(pd_zone_contains_point(&round.area, (pd_vec2){1.3f, 0.3f}));
    assert_false(pd_zone_contains_point(&round.area, (pd_vec2){1.4f, 0.4f}));
    assert_true(pd_zone_contains_point(&flat.area, (pd_vec2){1.45f, -0.05f}));
    assert_false(pd_zone_contains_point(&flat.area, (pd_vec2){1.45f, -0.15f}));
}

TEST_GROUP(boundary) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circle_container),
        cmocka_unit_test(box_container),
        cmocka_unit_test(wild_numbers),
        cmocka_unit_test(nothing_crosses_a_line),
        cmocka_unit_test(a_closed_line_stays_closed),
        cmocka_unit_test(a_turning_blade_divides),
        cmocka_unit_test(among_many_obstacles),
        cmocka_unit_test(what_is_clear_passes),
        cmocka_unit_test(it_slides),
        cmocka_unit_test(moving_obstacles_push),
        cmocka_unit_test(out_by_the_shortest_way),
        cmocka_unit_test(mirrored_scenes),
        cmocka_unit_test(distances_agree_with_brute_force),
        cmocka_unit_test(odd_obstacles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
