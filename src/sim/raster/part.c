#include "sim/raster/part.h"

#include "sim/walls/polygon.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Least half thickness of a wall that does not leak, cells. A wall leaks if a cell has open points on both sides of
 * the wall. The segment between these points crosses the wall's middle line, so one point is within half the cell's
 * diagonal of the crossing. A straight wall needs only half the cell's extent across the wall. */
static const double half_diagonal = 0.70710678118654752; /* sqrt(1/2) */

/* Angle from an axis, rad, below which a direction counts as parallel to the axis, so that rounding leaves a
 * box that is turned by 90 degrees parallel to the axes. */
static const double alignment_tolerance = 1e-8;

/* fmin and fmax without their treatment of NaN, which is slow. */
static inline double lesser(double a, double b) { return a < b ? a : b; }
static inline double greater(double a, double b) { return a > b ? a : b; }

static pd_double2 world_to_cells(const pd_grid *grid, pd_double2 p) {
    return (pd_double2){(p.x - grid->origin.x) / grid->cell, (p.y - grid->origin.y) / grid->cell};
}

static pd_double2 align_to_axis(pd_double2 axis) {
    if (fabs(axis.x) < alignment_tolerance) return (pd_double2){0.0, axis.y < 0.0 ? -1.0 : 1.0};
    if (fabs(axis.y) < alignment_tolerance) return (pd_double2){axis.x < 0.0 ? -1.0 : 1.0, 0.0};
    return axis;
}

pd_convex_part pd_convex_part_make_box(const pd_grid *grid, pd_double2 center, pd_double2 half) {
    return (pd_convex_part){.center = world_to_cells(grid, center),
                            .axis = {1.0, 0.0},
                            .length = half.x / grid->cell,
                            .width = half.y / grid->cell};
}

pd_convex_part pd_convex_part_make_disc(const pd_grid *grid, pd_double2 center, double radius) {
    return (pd_convex_part){
        .center = world_to_cells(grid, center), .axis = {1.0, 0.0}, .width = radius / grid->cell, .round = true};
}

static pd_convex_part make_part_of_box(const pd_solid *solid, const pd_grid *grid) {
    pd_convex_part part = pd_convex_part_make_box(grid, solid->end.center, solid->half);
    part.axis = align_to_axis((pd_double2){solid->end.cosine, solid->end.sine});
    double least = pd_solid_may_turn(solid) ? half_diagonal : 0.5 * (fabs(part.axis.x) + fabs(part.axis.y));
    double growth = fmax(least - fmin(part.length, part.width), 0.0);
    part.length += growth;
    part.width += growth;
    return part;
}

/* Returns the round part of a polyline's segment from a to b, m, in the solid's frame. */
static pd_convex_part make_part_of_segment(const pd_solid *solid, pd_double2 a, pd_double2 b, const pd_grid *grid) {
    a = world_to_cells(grid, pd_pose_to_world(&solid->end, a));
    b = world_to_cells(grid, pd_pose_to_world(&solid->end, b));
    pd_double2 along = pd_minus(b, a);
    double length = sqrt(pd_dot(along, along));
    pd_convex_part part = {.center = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}, .axis = {1.0, 0.0}, .round = true};
    part.length = 0.5 * length;
    part.width = fmax(solid->radius / grid->cell, half_diagonal);
    if (length > 0.0) part.axis = align_to_axis((pd_double2){along.x / length, along.y / length});
    return part;
}

/* Returns true if a polygon is too thin for the grid at a side. list_polygon_parts then adds a thick segment along
 * the side. */
static bool is_polygon_side_thickened(const pd_solid *solid, int side, const pd_grid *grid) {
    return !pd_polygon_is_thick_at_side(solid, side, half_diagonal * grid->cell);
}

static pd_convex_part make_part_of_triangle(const pd_solid *solid, int number, const pd_grid *grid) {
    pd_convex_part part = {.triangle = true};
    for (int k = 0; k < 3; k++) {
        pd_vec2 p = solid->obstacle.area.points[solid->triangles[number][k]];
        part.corner[k] = world_to_cells(grid, pd_pose_to_world(&solid->end, (pd_double2){p.x, p.y}));
    }
    return part;
}

static int list_polygon_parts(const pd_solid *solid, const pd_grid *grid, pd_convex_part *parts) {
    int points = solid->obstacle.area.point_count, count = 0;
    double depth = half_diagonal * grid->cell;
    for (int i = 0; i < points - 2; i++) parts[count++] = make_part_of_triangle(solid, i, grid);
    for (int i = 0; i < points; i++)
        if (is_polygon_side_thickened(solid, i, grid))
            parts[count++] = make_part_of_segment(solid, pd_polygon_inset_corner(solid, i, depth),
                                                  pd_polygon_inset_corner(solid, i + 1, depth), grid);
    return count;
}

int pd_convex_part_count_of_solid(const pd_solid *solid, const pd_grid *grid) {
    if (solid->obstacle.area.shape == PD_SHAPE_POLYLINE) return pd_solid_segment_count(solid);
    if (solid->obstacle.area.shape != PD_SHAPE_POLYGON) return 1;
    int count = solid->obstacle.area.point_count - 2;
    for (int i = 0; i < solid->obstacle.area.point_count; i++) count += is_polygon_side_thickened(solid, i, grid);
    return count;
}

void pd_convex_part_list_of_solid(const pd_solid *solid, int number, const pd_grid *grid, pd_convex_part *parts) {
    int count = solid->obstacle.area.shape == PD_SHAPE_POLYLINE ? pd_solid_segment_count(solid) : 1;
    if (solid->obstacle.area.shape == PD_SHAPE_POLYGON) count = list_polygon_parts(solid, grid, parts);
    for (int i = 0; i < count; i++) {
        pd_double2 a, b;
        switch (solid->obstacle.area.shape) {
        case PD_SHAPE_POLYGON:
            break;
        case PD_SHAPE_POLYLINE:
            pd_solid_get_segment_ends(solid, i, &a, &b);
            parts[i] = make_part_of_segment(solid, a, b, grid);
            break;
        case PD_SHAPE_BOX:
            parts[i] = make_part_of_box(solid, grid);
            break;
        default:
            parts[i] = pd_convex_part_make_disc(grid, solid->end.center, solid->radius);
        }
        parts[i].solid = number;
    }
}

/* ---- Triangles ---- */

static void compute_triangle_bounds(const pd_convex_part *part, pd_interval *x, pd_interval *y) {
    const pd_double2 *c = part->corner;
    *x = (pd_interval){lesser(lesser(c[0].x, c[1].x), c[2].x), greater(greater(c[0].x, c[1].x), c[2].x)};
    *y = (pd_interval){lesser(lesser(c[0].y, c[1].y), c[2].y), greater(greater(c[0].y, c[1].y), c[2].y)};
}

static void extend_interval_to(pd_interval *interval, double low, double high) {
    if (low < interval->low) interval->low = low;
    if (high > interval->high) interval->high = high;
}

/* Does the same as pd_convex_part_compute_chord for a triangle. A line at most `slack` outside of the triangle is moved
 * to the nearest corner, so that the chord of a line beside a parallel side is this side. */
static bool compute_triangle_chord(const pd_convex_part *part, bool vertical, double at, double slack,
                                   pd_interval *chord) {
    pd_interval x, y;
    compute_triangle_bounds(part, &x, &y);
    if (vertical) y = x;
    *chord = (pd_interval){INFINITY, -INFINITY};
    if (!(at >= y.low - slack && at <= y.high + slack)) return false;
    at = lesser(greater(at, y.low), y.high);
    for (int k = 0; k < 3; k++) {
        pd_double2 a = part->corner[k], b = part->corner[(k + 1) % 3];
        if (vertical) {
            a = (pd_double2){a.y, a.x};
            b = (pd_double2){b.y, b.x};
        }
        if (a.y == at) extend_interval_to(chord, a.x, a.x);
        if ((a.y < at && b.y > at) || (a.y > at && b.y < at)) {
            double crossing = a.x + (at - a.y) / (b.y - a.y) * (b.x - a.x);
            extend_interval_to(chord, crossing, crossing);
        }
    }
    return chord->low < chord->high;
}

void pd_convex_part_compute_bounds(const pd_convex_part *part, pd_interval *x, pd_interval *y) {
    if (part->triangle) {
        compute_triangle_bounds(part, x, y);
        return;
    }
    double c = fabs(part->axis.x), s = fabs(part->axis.y);
    double half_x = c * part->length + (part->round ? 1.0 : s) * part->width;
    double half_y = s * part->length + (part->round ? 1.0 : c) * part->width;
    *x = (pd_interval){part->center.x - half_x, part->center.x + half_x};
    *y = (pd_interval){part->center.y - half_y, part->center.y + half_y};
}

/* Reduces *interval to the t for which |offset + rate t| <= half (if rate is 0: half + slack). */
static void clip_interval_to_slab(double rate, double offset, double half, double slack, pd_interval *interval) {
    if (rate == 0.0) {
        if (!(fabs(offset) <= half + slack)) interval->high = -INFINITY;
        return;
    }
    double a = (-half - offset) / rate, b = (half - offset) / rate;
    double low = a < b ? a : b, high = a < b ? b : a;
    if (low > interval->low) interval->low = low;
    if (high < interval->high) interval->high = high;
}

/* Extends *chord to contain the line's chord of a disc. center: coordinate of the disc's centre along the line; height:
 * distance of the centre from the line. */
static void extend_chord_by_disc(double center, double height, double radius, pd_interval *chord) {
    double squared = (radius - height) * (radius + height);
    if (!(squared > 0.0)) return;
    double half = sqrt(squared);
    if (center - half < chord->low) chord->low = center - half;
    if (center + half > chord->high) chord->high = center + half;
}

bool pd_convex_part_compute_chord(const pd_convex_part *part, bool vertical, double at, double slack,
                                  pd_interval *chord) {
    if (part->triangle) return compute_triangle_chord(part, vertical, at, slack, chord);
    /* Exchanging x and y turns a vertical line into a horizontal one. */
    pd_double2 center = part->center, axis = part->axis;
    if (vertical) {
        center = (pd_double2){part->center.y, part->center.x};
        axis = (pd_double2){part->axis.y, part->axis.x};
    }
    double x = center.x, height = at - center.y, c = axis.x, s = axis.y;
    *chord = (pd_interval){INFINITY, -INFINITY};
    if (!part->round || part->length > 0.0) {
        pd_interval t = {-INFINITY, INFINITY};
        clip_interval_to_slab(c, s * height, part->length, slack, &t);
        clip_interval_to_slab(s, -c * height, part->width, slack, &t);
        if (t.low < t.high) *chord = (pd_interval){x + t.low, x + t.high};
    }
    if (part->round) { /* convex: the chord is the hull of the chords of the rectangle and of the discs at both ends */
        extend_chord_by_disc(x + c * part->length, height - s * part->length, part->width, chord);
        if (part->length > 0.0)
            extend_chord_by_disc(x - c * part->length, height + s * part->length, part->width, chord);
    }
    return chord->low < chord->high;
}

static void compute_rectangle_corners(const pd_convex_part *part, pd_double2 corner[4]) {
    double cl = part->axis.x * part->length, sl = part->axis.y * part->length;
    double cw = part->axis.x * part->width, sw = part->axis.y * part->width;
    pd_double2 p = part->center;
    corner[0] = (pd_double2){p.x + cl - sw, p.y + sl + cw};
    corner[1] = (pd_double2){p.x + cl + sw, p.y + sl - cw};
    corner[2] = (pd_double2){p.x - cl - sw, p.y - sl + cw};
    corner[3] = (pd_double2){p.x - cl + sw, p.y - sl - cw};
}

/* Computes the leftmost and rightmost points of the discs at both ends of a round part. */
static void compute_leftmost_and_rightmost_points(const pd_convex_part *part, pd_double2 flank[4]) {
    double cl = part->axis.x * part->length, sl = part->axis.y * part->length, w = part->width;
    pd_double2 p = part->center;
    flank[0] = (pd_double2){p.x + cl - w, p.y + sl};
    flank[1] = (pd_double2){p.x + cl + w, p.y + sl};
    flank[2] = (pd_double2){p.x - cl - w, p.y - sl};
    flank[3] = (pd_double2){p.x - cl + w, p.y - sl};
}

bool pd_convex_part_intersect_band(const pd_convex_part *part, double low, double high, double slack, pd_interval *hull,
                                   pd_interval *core) {
    pd_interval bottom, top;
    bool has_bottom = pd_convex_part_compute_chord(part, false, low, slack, &bottom);
    bool has_top = pd_convex_part_compute_chord(part, false, high, slack, &top);
    pd_double2 extreme[4]; /* four points, among which are the part's leftmost and rightmost points */
    int extremes = part->triangle ? 3 : 4;
    if (part->triangle)
        memcpy(extreme, part->corner, sizeof part->corner);
    else if (part->round)
        compute_leftmost_and_rightmost_points(part, extreme);
    else
        compute_rectangle_corners(part, extreme);
    *hull = (pd_interval){INFINITY, -INFINITY};
    *core = (pd_interval){0.0, -1.0};
    if (has_bottom) extend_interval_to(hull, bottom.low, bottom.high);
    if (has_top) extend_interval_to(hull, top.low, top.high);
    for (int i = 0; i < extremes; i++)
        if (extreme[i].y >= low && extreme[i].y <= high) extend_interval_to(hull, extreme[i].x, extreme[i].x);
    if (has_bottom && has_top)
        *core =
            (pd_interval){greater(bottom.low, top.low), lesser(bottom.high, top.high)}; /* since the part is convex */
    return hull->low < hull->high;
}

int pd_convex_part_list_breakpoints(const pd_convex_part *part, double breaks[PD_PART_BREAKPOINTS]) {
    pd_double2 points[PD_PART_BREAKPOINTS];
    int count = 0;
    if (part->triangle) {
        memcpy(points, part->corner, sizeof part->corner);
        count = 3;
    } else if (!part->round || part->length > 0.0) {
        compute_rectangle_corners(part, points);
        count = 4;
    }
    if (part->round) {
        compute_leftmost_and_rightmost_points(part, points + count);
        count += part->length > 0.0 ? 4 : 2; /* a disc has only one end */
    }
    for (int i = 0; i < count; i++) breaks[i] = points[i].x;
    return count;
}

/* ---- cell area ---- */

/* Clipping of convex polygons at a cell's sides (Sutherland, Hodgman, "Reentrant polygon clipping", 1974). */

/* Each of four sides of the cell cuts off at least one corner for every two that it adds: from 4 to 6, 9, 13 and 19. */
enum { MOST_CORNERS = 20 };

/* Clips a polygon at one line. keep_above: keeps the part with coordinate > limit, else that with coordinate < limit.
 * Returns the number of corners of the result. */
static int clip_at_line(const pd_double2 *from, int count, bool vertical, double limit, bool keep_above,
                        pd_double2 *to) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        pd_double2 a = from[k], b = from[k + 1 < count ? k + 1 : 0];
        double of_a = (vertical ? a.x : a.y) - limit, of_b = (vertical ? b.x : b.y) - limit;
        bool has_a = keep_above ? of_a > 0.0 : of_a < 0.0, has_b = keep_above ? of_b > 0.0 : of_b < 0.0;
        if (has_a) to[kept++] = a;
        if (has_a != has_b) {
            double t = of_a / (of_a - of_b);
            to[kept++] =
                vertical ? (pd_double2){limit, a.y + t * (b.y - a.y)} : (pd_double2){a.x + t * (b.x - a.x), limit};
        }
    }
    return kept;
}

static int list_corners(const pd_convex_part *part, pd_double2 *corner) {
    if (part->triangle) {
        for (int k = 0; k < 3; k++) corner[k] = part->corner[k];
        return 3;
    }
    double cl = part->axis.x * part->length, sl = part->axis.y * part->length;
    double cw = part->axis.x * part->width, sw = part->axis.y * part->width;
    pd_double2 p = part->center;
    corner[0] = (pd_double2){p.x + cl - sw, p.y + sl + cw};
    corner[1] = (pd_double2){p.x - cl - sw, p.y - sl + cw};
    corner[2] = (pd_double2){p.x - cl + sw, p.y - sl - cw};
    corner[3] = (pd_double2){p.x + cl + sw, p.y + sl - cw};
    return 4;
}

double pd_cell_area_of_part(const pd_convex_part *part, int i, int j) {
    pd_double2 a[MOST_CORNERS], b[MOST_CORNERS];
    int count = list_corners(part, a);
    for (int k = 0; k < count; k++) a[k] = (pd_double2){a[k].x - i, a[k].y - j};
    count = clip_at_line(a, count, true, 0.0, true, b);
    count = clip_at_line(b, count, true, 1.0, false, a);
    count = clip_at_line(a, count, false, 0.0, true, b);
    count = clip_at_line(b, count, false, 1.0, false, a);
    double twice = 0.0;
    for (int k = 0; k < count; k++) {
        pd_double2 p = a[k], q = a[k + 1 < count ? k + 1 : 0];
        twice += p.x * q.y - q.x * p.y;
    }
    double area = twice < 0.0 ? -0.5 * twice : 0.5 * twice;
    return area < 1.0 ? area : 1.0;
}
