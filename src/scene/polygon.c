/* Polygons: area, crossings, triangles, containment. */
#include "scene/polygon.h"
#include "core/memory.h"

#include "core/math.h"
#include "scene/geometry.h"

#include <stdlib.h>

/* Returns twice the area of a triangle, positive for counterclockwise corners. */
static double compute_twice_triangle_area(pd_vec2 a, pd_vec2 b, pd_vec2 c) {
    return ((double)b.x - a.x) * ((double)c.y - a.y) - ((double)b.y - a.y) * ((double)c.x - a.x);
}

double pd_polygon_area(const pd_vec2 *points, int count) {
    double area = 0;
    for (int i = 1; i + 1 < count; i++) area += 0.5 * compute_twice_triangle_area(points[0], points[i], points[i + 1]);
    return area;
}

/* ---- Crossings ---- */

typedef struct side {
    float low, high; /* extent along x */
    int number;      /* index of the side in the polygon */
} side;

static int compare_sides_by_low_x(const void *a, const void *b) {
    const side *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    return p->number - q->number;
}

static bool is_value_between(float a, float b, float value) { return fminf(a, b) <= value && value <= fmaxf(a, b); }

/* Returns whether a point on the infinite line through a and b is between a and b. */
static bool is_between_end_points(pd_vec2 a, pd_vec2 b, pd_vec2 p) {
    return is_value_between(a.x, b.x, p.x) && is_value_between(a.y, b.y, p.y);
}

static bool do_segments_cross_or_touch(pd_vec2 a, pd_vec2 b, pd_vec2 c, pd_vec2 d) {
    if (fminf(a.y, b.y) > fmaxf(c.y, d.y) || fmaxf(a.y, b.y) < fminf(c.y, d.y)) return false;
    double to_c = compute_twice_triangle_area(a, b, c), to_d = compute_twice_triangle_area(a, b, d),
           to_a = compute_twice_triangle_area(c, d, a), to_b = compute_twice_triangle_area(c, d, b);
    if (((to_c > 0 && to_d < 0) || (to_c < 0 && to_d > 0)) && ((to_a > 0 && to_b < 0) || (to_a < 0 && to_b > 0)))
        return true;
    return (to_c == 0 && is_between_end_points(a, b, c)) || (to_d == 0 && is_between_end_points(a, b, d)) ||
           (to_a == 0 && is_between_end_points(c, d, a)) || (to_b == 0 && is_between_end_points(c, d, b));
}

/* Returns whether the sides i < k cross or touch. Adjacent sides, which share a point, count only if they overlap. */
static bool do_sides_cross_or_touch(const pd_vec2 *points, int count, int i, int k) {
    pd_vec2 a = points[i], b = points[i + 1], c = points[k], d = points[(k + 1) % count];
    bool follows = k == i + 1, leads = i == 0 && k == count - 1;
    if (!follows && !leads) return do_segments_cross_or_touch(a, b, c, d);
    pd_vec2 before = follows ? a : c, common = follows ? b : a, after = follows ? d : b;
    if (compute_twice_triangle_area(before, common, after) != 0) return false;
    return ((double)common.x - before.x) * ((double)after.x - common.x) +
               ((double)common.y - before.y) * ((double)after.y - common.y) <=
           0;
}

bool pd_polygon_find_crossing(const pd_vec2 *points, int count, int *first, int *second) {
    side sides[PD_MAX_POINTS];
    for (int i = 0; i < count; i++) {
        pd_vec2 a = points[i], b = points[(i + 1) % count];
        sides[i] = (side){fminf(a.x, b.x), fmaxf(a.x, b.x), i};
        *first = *second = i;
        if (a.x == b.x && a.y == b.y) return true;
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides_by_low_x);
    for (int n = 0; n < count; n++)
        for (int m = n + 1; m < count && sides[m].low <= sides[n].high; m++) {
            int i = sides[n].number, k = sides[m].number;
            *first = i < k ? i : k;
            *second = i < k ? k : i;
            if (do_sides_cross_or_touch(points, count, *first, *second)) return true;
        }
    return false;
}

/* ---- Triangulation ---- */

/* Corners of a polygon that are not cut off yet, linked in counterclockwise order. */
typedef struct corner_ring {
    const pd_vec2 *points; /* corners of the polygon */
    int *next, *before;    /* by corner: indices of the next and of the previous remaining corner */
    int count;             /* number of remaining corners */
} corner_ring;

static bool are_points_equal(pd_vec2 a, pd_vec2 b) { return a.x == b.x && a.y == b.y; }

/* Returns whether a corner can be cut off: the triangle with its neighbours contains no other corner. Only reflex
 * corners need the test. */
static bool is_ear(const corner_ring *r, int corner) {
    int last = r->before[corner], following = r->next[corner];
    pd_vec2 a = r->points[last], b = r->points[corner], c = r->points[following];
    if (compute_twice_triangle_area(a, b, c) < 0) return false;
    float low_x = fminf(fminf(a.x, b.x), c.x), high_x = fmaxf(fmaxf(a.x, b.x), c.x);
    float low_y = fminf(fminf(a.y, b.y), c.y), high_y = fmaxf(fmaxf(a.y, b.y), c.y);
    for (int i = r->next[following]; i != last; i = r->next[i]) {
        pd_vec2 p = r->points[i];
        if (p.x < low_x || p.x > high_x || p.y < low_y || p.y > high_y) continue;
        if (compute_twice_triangle_area(a, b, p) < 0 || compute_twice_triangle_area(b, c, p) < 0 ||
            compute_twice_triangle_area(c, a, p) < 0)
            continue;
        if (compute_twice_triangle_area(r->points[r->before[i]], p, r->points[r->next[i]]) > 0) continue;
        if (!are_points_equal(p, a) && !are_points_equal(p, c)) return false;
    }
    return true;
}

static void clip_ears(corner_ring *r, int (*triangles)[3]) {
    int corner = 0, tried = 0, triangle = 0;
    while (r->count >= 3) {
        /* If no corner is an ear because of rounding errors, any corner is cut off. */
        if (tried < r->count && !is_ear(r, corner)) {
            corner = r->next[corner];
            tried++;
            continue;
        }
        int last = r->before[corner], following = r->next[corner];
        triangles[triangle][0] = last;
        triangles[triangle][1] = corner;
        triangles[triangle++][2] = following;
        r->next[last] = following;
        r->before[following] = last;
        r->count--;
        corner = r->next[following]; /* skips a corner, so that triangles do not all share one point */
        tried = 0;
    }
}

void pd_polygon_triangulate(const pd_vec2 *points, int count, int (*triangles)[3]) {
    int *links = pd_memory_require(2 * (size_t)count, sizeof *links),
        step = pd_polygon_area(points, count) < 0 ? -1 : 1;
    corner_ring r = {.points = points, .next = links, .before = links + count, .count = count};
    for (int i = 0; i < count; i++) {
        r.next[i] = (i + step + count) % count;
        r.before[i] = (i - step + count) % count;
    }
    clip_ears(&r, triangles);
    pd_memory_free(links);
}

/* ---- Simplification ---- */

static float compute_squared_distance_to_segment(pd_vec2 p, pd_vec2 begin, pd_vec2 end) {
    float x = end.x - begin.x, y = end.y - begin.y, square = x * x + y * y;
    float fraction = square > 0 ? ((p.x - begin.x) * x + (p.y - begin.y) * y) / square : 0;
    fraction = fminf(fmaxf(fraction, 0), 1);
    x = begin.x + fraction * x - p.x;
    y = begin.y + fraction * y - p.y;
    return x * x + y * y;
}

int pd_polyline_simplify(pd_vec2 *points, int count, float tolerance) {
    if (count <= 2) return count;
    bool *kept = pd_memory_require((size_t)count, sizeof *kept);
    int stay = 1;
    kept[count - 1] = true;
    /* Everything up to `first` is simplified, in the first `stay` points. */
    for (int first = 0, last; first < count - 1;) {
        int worst = -1;
        float most = tolerance * tolerance;
        pd_vec2 begin = points[stay - 1];
        for (last = first + 1; !kept[last];) last++;
        for (int i = first + 1; i < last; i++) {
            float away = compute_squared_distance_to_segment(points[i], begin, points[last]);
            if (away <= most) continue;
            most = away;
            worst = i;
        }
        if (worst >= 0) {
            kept[worst] = true;
        } else {
            points[stay++] = points[last];
            first = last;
        }
    }
    pd_memory_free(kept);
    return stay;
}

/* ---- Containment ---- */

/* Returns whether the segment from (ax, ay) to (bx, by) meets the square |x|, |y| < 1. */
static bool does_segment_meet_unit_square(double ax, double ay, double bx, double by) {
    double low = 0, high = 1;
    const double from[2] = {ax, ay}, way[2] = {bx - ax, by - ay};
    for (int k = 0; k < 2; k++) {
        if (way[k] == 0 && fabs(from[k]) >= 1) return false;
        if (way[k] == 0) continue;
        double p = (-1 - from[k]) / way[k], q = (1 - from[k]) / way[k];
        low = fmax(low, fmin(p, q));
        high = fmin(high, fmax(p, q));
    }
    return low < high;
}

static bool does_segment_meet_unit_disc(double ax, double ay, double bx, double by) {
    double x = bx - ax, y = by - ay, length2 = x * x + y * y, t = length2 > 0 ? -(ax * x + ay * y) / length2 : 0;
    t = fmin(fmax(t, 0), 1);
    return pd_hypot(ax + t * x, ay + t * y) < 1;
}

/* Transforms the sides to coordinates relative to the area's centre, in units of half its size. In these coordinates a
 * circle or ellipse is the unit disc, and a rectangle is the square |x|, |y| < 1. The polygon covers the area if no side
 * meets this disc or square and the centre is inside the polygon. */
bool pd_polygon_covers(const pd_area *polygon, const pd_area *area) {
    double angle = fmod(polygon->angle, 360.0) * 0.017453292519943295, c = pd_cos(angle), s = pd_sin(angle);
    pd_vec2 half = pd_area_half_size(area);
    bool round = area->shape == PD_SHAPE_CIRCLE || area->shape == PD_SHAPE_ELLIPSE, inside = false;
    double ax = 0, ay = 0;
    for (int i = 0; i <= polygon->point_count; i++) {
        pd_vec2 p = polygon->points[i % polygon->point_count];
        double bx = ((double)polygon->center.x - area->center.x + c * p.x - s * p.y) / half.x;
        double by = ((double)polygon->center.y - area->center.y + s * p.x + c * p.y) / half.y;
        if (i > 0 &&
            (round ? does_segment_meet_unit_disc(ax, ay, bx, by) : does_segment_meet_unit_square(ax, ay, bx, by)))
            return false;
        if (i > 0 && (ay > 0) != (by > 0) && ax - ay * (bx - ax) / (by - ay) > 0) inside = !inside;
        ax = bx;
        ay = by;
    }
    return inside;
}
