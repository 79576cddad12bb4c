/* Freehand strokes and what a drag draws. */
#include "test.h"

#include "app/session/draft.h"
#include "scene/polygon.h"
#include <math.h>
#include <string.h>

static float to_segment(pd_vec2 p, pd_vec2 a, pd_vec2 b) {
    float x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
    float t = square > 0 ? fminf(fmaxf(((p.x - a.x) * x + (p.y - a.y) * y) / square, 0), 1) : 0;
    return hypotf(p.x - a.x - t * x, p.y - a.y - t * y);
}

/* The greatest distance of points from a line through others. */
static float farthest(const pd_vec2 *points, int count, const pd_vec2 *line, int corners) {
    float most = 0;
    for (int i = 0; i < count; i++) {
        float least = INFINITY;
        for (int k = 0; k + 1 < corners; k++) least = fminf(least, to_segment(points[i], line[k], line[k + 1]));
        most = fmaxf(most, least);
    }
    return most;
}

static uint32_t state = 1;
static float noise(float size) {
    state = state * 1664525u + 1013904223u;
    return size * ((float)(state >> 8) * 0x1p-23f - 1);
}

static void a_line_keeps_its_ends(void **unused) {
    (void)unused;
    static pd_vec2 points[PD_MAX_POINTS], smooth[PD_MAX_POINTS];
    for (int count = 2; count <= PD_MAX_POINTS; count = count * 5 + 1) {
        for (int i = 0; i < count; i++) {
            float t = (float)i / (float)(count - 1);
            points[i] = (pd_vec2){-0.3f + t * t, 0.2f + 0.5f * t * t}; /* faster and faster */
        }
        int many = pd_stroke_smooth(points, count, 0.01f, smooth, PD_MAX_POINTS);
        assert_true(many > 100 && many <= 113);
        assert_int_equal(pd_polyline_simplify(smooth, many, 1e-4f), 2);
        assert_memory_equal(&smooth[0], &points[0], sizeof points[0]);
        assert_memory_equal(&smooth[1], &points[count - 1], sizeof points[0]);
        assert_int_equal(pd_polyline_simplify(points, count, 1e-4f), 2);
    }
}

static void a_circle_has_few_points(void **unused) {
    (void)unused;
    static pd_vec2 points[2000], kept[2000];
    const float radius = 0.4f, tolerance = 0.004f;
    for (int i = 0; i < 2000; i++) {
        float t = 6.2831853f * (float)i / 1999;
        points[i] = (pd_vec2){radius * cosf(t), radius * sinf(t)};
    }
    memcpy(kept, points, sizeof points);
    int count = pd_polyline_simplify(kept, 2000, tolerance);
    /* The sagitta of a chord: r (1 - cos(pi / n)) is the tolerance for n = 22. */
    print_message("%d points\n", count);
    assert_true(count >= 22 && count <= 45);
    assert_true(farthest(points, 2000, kept, count) <= tolerance * 1.0001f);
    float finer = tolerance / 100;
    memcpy(kept, points, sizeof points);
    int many = pd_polyline_simplify(kept, 2000, finer);
    assert_true(many > 5 * count && many < 500);
    assert_true(farthest(points, 2000, kept, many) <= finer * 1.0001f);
}

/* Random walks, also of points on one another. */
static void the_tolerance_holds(void **unused) {
    (void)unused;
    static pd_vec2 points[PD_MAX_POINTS], kept[PD_MAX_POINTS];
    for (int test = 0; test < 60; test++) {
        int count = test == 0 ? PD_MAX_POINTS : 3 + test * 7;
        float tolerance = test % 3 ? 0.02f : 0;
        pd_vec2 at = {0, 0};
        for (int i = 0; i < count; i++) {
            if (i % 5) at = (pd_vec2){at.x + noise(0.02f), at.y + noise(0.02f)};
            kept[i] = points[i] = at;
        }
        int stay = pd_polyline_simplify(kept, count, tolerance);
        assert_true(stay >= 2 && stay <= count);
        assert_true(farthest(points, count, kept, stay) <= tolerance + 1e-6f);
        assert_memory_equal(&kept[0], &points[0], sizeof points[0]);
        assert_memory_equal(&kept[stay - 1], &points[count - 1], sizeof points[0]);
    }
}

/* A trembling hand draws an arc: the tremor of the grid of pixels is gone, the arc stays. */
static void tremor_is_smoothed_over(void **unused) {
    (void)unused;
    static pd_vec2 points[400], smooth[PD_MAX_POINTS];
    const float radius = 0.5f, spacing = 0.02f;
    for (int i = 0; i < 400; i++) {
        float t = 3.14159265f * (float)i / 399;
        points[i] = (pd_vec2){radius * cosf(t) + noise(0.002f), radius * sinf(t) + noise(0.002f)};
    }
    int count = pd_stroke_smooth(points, 400, spacing, smooth, PD_MAX_POINTS);
    for (int i = 2; i + 2 < count; i++) {
        float off = hypotf(smooth[i].x, smooth[i].y) - radius;
        assert_true(fabsf(off) < 0.002f);
    }
    int few = pd_polyline_simplify(smooth, count, 0.01f);
    print_message("%d points of %d\n", few, count);
    assert_true(few >= 4 && few <= 14);
}

/* ---- Drafts ---- */

static pd_draft draft;

static void begin(pd_bar_tool tool, float x, float y) {
    draft = (pd_draft){.tool = tool, .size = 0.2f, .unit = 1, .speed_scale = 1, .down = {0, -1.6f}};
    pd_draft_begin(&draft, (pd_vec2){x, y});
}

static void walls(void **unused) {
    (void)unused;
    static pd_vec2 points[PD_MAX_POINTS];
    pd_obstacle wall;
    begin(PD_BAR_WALL, 0.1f, 0.2f);
    assert_true(pd_draft_make_area(&draft, &wall.area, points));
    assert_int_equal(wall.area.shape, PD_SHAPE_CIRCLE); /* a click: a dot */
    assert_true(wall.area.radius == 0.02f);             /* half a thickness */
    assert_true(wall.area.center.x == 0.1f && wall.area.center.y == 0.2f);
    for (int i = 0; i <= 3000; i++) {
        float t = (float)i / 3000;
        pd_draft_move(&draft, (pd_vec2){0.1f + 0.4f * t, 0.2f + 0.3f * sinf(3 * t)}, false);
    }
    assert_true(draft.count < 200); /* points nearer than a tenth of the thickness are not kept */
    assert_true(pd_draft_make_area(&draft, &wall.area, points));
    assert_int_equal(wall.area.shape, PD_SHAPE_POLYLINE);
    assert_true(wall.area.point_count >= 3 && wall.area.point_count < 12);
    for (int i = 0; i < wall.area.point_count; i++) {
        points[i].x += wall.area.center.x;
        points[i].y += wall.area.center.y;
    }
    float off = farthest(draft.points, draft.count, points, wall.area.point_count);
    print_message("%d points, %g thicknesses off\n", wall.area.point_count, (double)(off / wall.area.thickness));
    assert_true(off < 0.2f * wall.area.thickness);
    pd_draft_move(&draft, (pd_vec2){0.5f, 0.25f}, true); /* Shift: straight from the first point */
    assert_true(pd_draft_make_area(&draft, &wall.area, points));
    assert_int_equal(wall.area.point_count, 2);
    assert_true(fabsf(wall.area.center.x - 0.3f) < 1e-6f && fabsf(wall.area.center.y - 0.225f) < 1e-6f);
    begin(PD_BAR_WALL, 0, 0); /* a loop that ends where it began is no click */
    for (int i = 1; i <= 40; i++) {
        float t = 6.2831853f * (float)i / 40;
        pd_draft_move(&draft, (pd_vec2){0.3f - 0.3f * cosf(t), 0.3f * sinf(t)}, false);
    }
    assert_true(pd_draft_make_area(&draft, &wall.area, points));
    assert_int_equal(wall.area.shape, PD_SHAPE_POLYLINE);
    assert_false(pd_draft_is_full(&draft));
    for (int i = 0; i < PD_MAX_POINTS; i++) pd_draft_move(&draft, (pd_vec2){(float)(i & 1), 0.01f * (float)i}, false);
    assert_true(pd_draft_is_full(&draft));
    assert_true(pd_draft_make_area(&draft, &wall.area, points));
    assert_true(wall.area.point_count <= PD_MAX_POINTS);
}

static double area_of(const pd_obstacle *shape) {
    return fabs(pd_polygon_area(shape->area.points, shape->area.point_count));
}

/* A freehand circle of radius 0.3, over so many degrees from the right, whose radius grows by `more` on the way. */
static void draw_circle(float degrees, float more) {
    begin(PD_BAR_SHAPE, 0.3f, 0);
    draft.shape = PD_CHOICE_POLYGON;
    for (int i = 1; i <= 100; i++) {
        float part = (float)i / 100, t = part * degrees * 0.0174532925f, r = 0.3f + more * part;
        pd_draft_move(&draft, (pd_vec2){r * cosf(t), r * sinf(t)}, false);
    }
}

static void polygons(void **unused) {
    (void)unused;
    static pd_vec2 points[PD_MAX_POINTS];
    pd_obstacle shape;
    int first, second;
    const double circle = 3.14159265 * 0.09;
    begin(PD_BAR_SHAPE, 0.1f, 0.2f);
    draft.shape = PD_CHOICE_POLYGON;
    assert_false(pd_draft_make_area(&draft, &shape.area, points)); /* a click: nothing */
    pd_draft_move(&draft, (pd_vec2){0.4f, 0.2f}, false);
    assert_false(pd_draft_make_area(&draft, &shape.area, points));                     /* a line has no inside */
    static const float drawn[][2] = {{360, 0}, {330, 0}, {400, 0.05f}, {400, -0.05f}}; /* short of it, and beyond it */
    for (int i = 0; i < 4; i++) {
        draw_circle(drawn[i][0], drawn[i][1]);
        assert_true(pd_draft_make_area(&draft, &shape.area, points));
        assert_int_equal(shape.area.shape, PD_SHAPE_POLYGON);
        assert_in_range(shape.area.point_count, 8, 40);
        assert_false(pd_polygon_find_crossing(points, shape.area.point_count, &first, &second));
        assert_true(fabs(area_of(&shape) / circle - 1) < 0.25);
        assert_true(hypotf(shape.area.center.x, shape.area.center.y) < 0.05f);
        float digits = 1e4f * points[3].x;
        assert_true(fabsf(digits - roundf(digits)) < 1e-2f);
    }
    begin(PD_BAR_SHAPE, 0, 0); /* an eight: its larger loop is left */
    draft.shape = PD_CHOICE_POLYGON;
    for (int i = 1; i <= 100; i++) {
        float t = (float)i / 100 * 6.2831853f, r = sinf(t) > 0 ? 0.4f : 0.2f;
        pd_draft_move(&draft, (pd_vec2){r * sinf(t), r * sinf(2 * t)}, false);
    }
    assert_true(pd_draft_make_area(&draft, &shape.area, points));
    assert_true(fabs(area_of(&shape) - 4.0 / 3 * 0.16) < 0.02 && shape.area.center.x > 0.15f);
    /* Shift: straight sides, with corners where it was pressed and let go. */
    begin(PD_BAR_SHAPE, 0, 0);
    draft.shape = PD_CHOICE_POLYGON;
    static const pd_vec2 corners[] = {{0.5f, 0}, {0.5f, 0.4f}, {0, 0.4f}};
    for (int k = 0; k < 3; k++) {
        pd_draft_move(&draft, (pd_vec2){0.2f, 0.3f}, true); /* on the way */
        pd_draft_move(&draft, corners[k], true);
        pd_draft_move(&draft, corners[k], false);
    }
    assert_true(pd_draft_make_area(&draft, &shape.area, points));
    assert_in_range(shape.area.point_count, 4, 8);                /* smoothing cuts corners off */
    assert_true(fabs(area_of(&shape) - 0.2) < 0.12 * 0.04 * 1.8); /* the tolerance, along all sides */
    for (int i = 0; i < PD_MAX_POINTS + 50; i++) /* a scribble over everything, longer than there is room for */
        pd_draft_move(&draft, (pd_vec2){(float)(i & 1), 0.01f * (float)(i % 97)}, false);
    assert_true(draft.count == PD_MAX_POINTS && !pd_draft_is_full(&draft));
    assert_true(pd_draft_make_area(&draft, &shape.area, points));
    assert_false(pd_polygon_find_crossing(points, shape.area.point_count, &first, &second));
}

/* Random outlines that cross themselves many times become simple ones of their own points and crossings. */
static void loops(void **unused) {
    (void)unused;
    uint32_t random = 7;
    int simple = 0;
    for (int test = 0; test < 500; test++) {
        pd_vec2 points[40];
        int first, second, count = 3 + test % 38;
        for (int i = 0; i < count; i++) {
            random = random * 1664525u + 1013904223u;
            float x =
                (float)(random >> 24) / 255; /* few values: also points that are the same, and sides on one line */
            random = random * 1664525u + 1013904223u;
            points[i] = (pd_vec2){test % 2 ? x : roundf(8 * x),
                                  test % 2 ? (float)(random >> 8) * 0x1p-24f : (float)(random >> 29)};
        }
        int left = pd_stroke_remove_loops(points, count);
        assert_in_range(left, 0, count);
        if (left == 0) continue;
        assert_true(left >= 3);
        assert_false(pd_polygon_find_crossing(points, left, &first, &second));
        assert_true(pd_polygon_area(points, left) != 0);
        simple++;
    }
    print_message("%d of 500 outlines enclose something\n", simple);
    assert_true(simple >= 495); /* the others are lines */
}

static void shapes_emitters_drains(void **unused) {
    (void)unused;
    pd_obstacle shape;
    pd_emitter emitter;
    pd_drain drain;
    begin(PD_BAR_SHAPE, 0.1f, 0.2f);
    assert_false(pd_draft_make_area(&draft, &shape.area, NULL)); /* too small: nothing */
    pd_draft_move(&draft, (pd_vec2){0.4f, 0.6f}, false);
    assert_true(pd_draft_make_area(&draft, &shape.area, NULL));
    assert_true(shape.area.shape == PD_SHAPE_CIRCLE && fabsf(shape.area.radius - 0.5f) < 1e-6f);
    assert_true(shape.area.center.x == 0.1f && shape.area.center.y == 0.2f);
    draft.shape = PD_CHOICE_BOX;
    assert_true(pd_draft_make_area(&draft, &shape.area, NULL));
    assert_true(shape.area.shape == PD_SHAPE_BOX && fabsf(shape.area.size.x - 0.3f) < 1e-6f);
    draft.angle = 53.130102f; /* the diagonal lies along its side */
    assert_false(pd_draft_make_area(&draft, &shape.area, NULL));
    assert_true(fabsf(shape.area.size.x - 0.5f) < 1e-6f && shape.area.size.y < 1e-6f);
    begin(PD_BAR_DRAIN, 0, 0);
    assert_true(pd_draft_make_drain(&draft, &drain) && drain.area.radius == 0.2f); /* a click: of the wheel's size */
    pd_draft_move(&draft, (pd_vec2){0.05f, 0}, false);
    assert_true(pd_draft_make_drain(&draft, &drain) && fabsf(drain.area.radius - 0.05f) < 1e-6f);
    begin(PD_BAR_EMITTER, 0, 0);
    pd_draft_make_emitter(&draft, &emitter);
    assert_true(emitter.direction.y == -1 && emitter.speed > 0 && isinf(emitter.until)); /* a click: down */
    pd_draft_move(&draft, (pd_vec2){0.3f, 0.4f}, false);
    pd_draft_make_emitter(&draft, &emitter);
    assert_true(fabsf(emitter.direction.x - 0.6f) < 1e-6f && fabsf(emitter.direction.y - 0.8f) < 1e-6f);
    assert_true(fabsf(pd_draft_emitter_arrow_length(emitter.speed, 1, 1) - 0.5f) < 1e-6f);
}

/* What is drawn has round numbers: four digits after the point where the unit is 1. Directions have them at any unit. */
static void round_numbers(void **unused) {
    (void)unused;
    pd_obstacle shape;
    pd_emitter emitter;
    begin(PD_BAR_SHAPE, 0.123456f, -0.4f);
    pd_draft_move(&draft, (pd_vec2){0.234567f, -0.4f}, false);
    assert_true(pd_draft_make_area(&draft, &shape.area, NULL));
    assert_true(shape.area.center.x == 0.1235f && shape.area.center.y == -0.4f && shape.area.radius == 0.1111f);
    begin(PD_BAR_EMITTER, 12345.678f, 0);
    draft.unit = draft.size = 1e5f;
    pd_draft_move(&draft, (pd_vec2){112345.678f, 50000}, false);
    pd_draft_make_emitter(&draft, &emitter);
    assert_true(emitter.position.x == 12350 && emitter.direction.x == 0.8944f && emitter.direction.y == 0.4472f);
}

TEST_GROUP(stroke) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_keeps_its_ends),
        cmocka_unit_test(a_circle_has_few_points),
        cmocka_unit_test(the_tolerance_holds),
        cmocka_unit_test(tremor_is_smoothed_over),
        cmocka_unit_test(walls),
        cmocka_unit_test(polygons),
        cmocka_unit_test(loops),
        cmocka_unit_test(shapes_emitters_drains),
        cmocka_unit_test(round_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
