/* One obstacle: shape, pose and continuous collision detection. */
#include "sim/walls/solid.h"
#include "core/memory.h"

#include "core/math.h"
#include "scene/geometry.h"
#include "sim/walls/polygon.h"

#include <float.h>
#include <string.h>

static const double degrees = 0.017453292519943295;

static double clamp(double value, double low, double high) {
    if (value < low) return low;
    return value > high ? high : value;
}
static pd_double2 to_double2(pd_vec2 v) { return (pd_double2){v.x, v.y}; }

/* Returns v / length, or `otherwise` if the length is 0. */
static pd_double2 get_unit_vector_or(pd_double2 v, double length, pd_double2 otherwise) {
    return length > 0.0 ? (pd_double2){v.x / length, v.y / length} : otherwise;
}

/* Returns the time coordinate of an obstacle on its path, s: a triangle wave of `time` if the path reverses every `turn`
 * seconds. A function of the time needs no state in snapshots. */
static double compute_time_along_path(const pd_obstacle *o, double time) {
    double turn = o->turn, since = time + (double)o->phase;
    if (!(turn > 0.0)) return since;
    double phase = fmod(since, 2.0 * turn);
    return phase < turn ? phase : 2.0 * turn - phase;
}

static double compute_angle_at_time(const pd_obstacle *o, double time) {
    return fmod(o->area.angle + o->spin * compute_time_along_path(o, time), 360.0);
}

static pd_pose compute_pose_at_time(const pd_obstacle *o, double time) {
    double angle = compute_angle_at_time(o, time) * degrees;
    return (pd_pose){
        pd_add_scaled(to_double2(o->area.center), compute_time_along_path(o, time), to_double2(o->velocity)),
        angle == 0.0 ? 1.0 : pd_cos(angle), pd_sin(angle)};
}

static int count_segments(const pd_obstacle *o) {
    if (o->area.shape == PD_SHAPE_POLYGON) return o->area.point_count;
    return o->area.point_count > 1 ? o->area.point_count - 1 : o->area.point_count;
}

static void get_segment_ends(const pd_obstacle *o, int segment, pd_double2 *a, pd_double2 *b) {
    *a = to_double2(o->area.points[segment]);
    int last = o->area.shape == PD_SHAPE_POLYGON ? 0 : segment;
    *b = to_double2(o->area.points[segment + 1 < o->area.point_count ? segment + 1 : last]);
}

int pd_solid_segment_count(const pd_solid *solid) { return count_segments(&solid->obstacle); }

void pd_solid_get_segment_ends(const pd_solid *solid, int segment, pd_double2 *a, pd_double2 *b) {
    get_segment_ends(&solid->obstacle, segment, a, b);
}

static pd_box compute_box_of_two_points(pd_double2 a, pd_double2 b) {
    return (pd_box){(float)fmin(a.x, b.x), (float)fmin(a.y, b.y), (float)fmax(a.x, b.x), (float)fmax(a.y, b.y)};
}

/* Returns whether points `first` to `last` of a polyline are on one line (to least_margin) and in order. */
static bool are_points_on_line(const pd_solid *solid, int first, int last) {
    const pd_vec2 *points = solid->obstacle.area.points;
    pd_double2 from = to_double2(points[first]), way = pd_minus(to_double2(points[last]), from);
    double length = sqrt(pd_dot(way, way)), before = 0.0;
    for (int i = first + 1; i < last; i++) {
        pd_double2 p = pd_minus(to_double2(points[i]), from);
        double at = pd_dot(p, way);
        if (at < before || fabs(p.x * way.y - p.y * way.x) > solid->least_margin * length) return false;
        before = at;
    }
    return before <= length * length;
}

/* Returns the index of the last point of the chord that begins at point `first`. The chord ends before the first point that
 * is not on its line, or after MOST_SEGMENTS segments, so that the tree's boxes are small. */
static int find_chord_end(const pd_solid *solid, int first) {
    enum { MOST_SEGMENTS = 64 };
    int last = first + 1, segments = count_segments(&solid->obstacle);
    while (last < segments && last - first < MOST_SEGMENTS && are_points_on_line(solid, first, last + 1)) last++;
    return last;
}

static void build_chords(pd_solid *solid, pd_box *boxes) {
    int segments = count_segments(&solid->obstacle);
    for (int i = 0; i < segments; solid->chord_count++) {
        pd_double2 a, b;
        int last = find_chord_end(solid, i);
        get_segment_ends(&solid->obstacle, i, &a, &b);
        if (last > i + 1) b = to_double2(solid->obstacle.area.points[last]);
        pd_double2 way = pd_minus(b, a);
        double length = sqrt(pd_dot(way, way));
        solid->chords[solid->chord_count] =
            (pd_chord){a, get_unit_vector_or(way, length, (pd_double2){1.0, 0.0}), length};
        boxes[solid->chord_count] = compute_box_of_two_points(a, b);
        i = last;
    }
}

static void build_segment_and_chord_trees(pd_solid *solid) {
    int count = count_segments(&solid->obstacle);
    pd_box *boxes = pd_memory_require((size_t)count, sizeof *boxes);
    solid->chords = pd_memory_require((size_t)count, sizeof *solid->chords);
    for (int i = 0; i < count; i++) {
        pd_double2 a, b;
        get_segment_ends(&solid->obstacle, i, &a, &b);
        boxes[i] = compute_box_of_two_points(a, b);
    }
    pd_boxtree_build(&solid->segments, boxes, count, true);
    if (count) solid->bounds = solid->segments.nodes[0].box;
    if (solid->obstacle.area.shape == PD_SHAPE_POLYLINE) build_chords(solid, boxes);
    pd_boxtree_build(&solid->chord_tree, boxes, solid->chord_count, true);
    pd_memory_free(boxes);
}

void pd_solid_init(pd_solid *solid, const pd_obstacle *obstacle, double least_margin) {
    *solid = (pd_solid){.obstacle = *obstacle, .least_margin = least_margin, .velocity = {NAN, NAN}};
    solid->velocity_before_step = solid->velocity;
    pd_obstacle *own = &solid->obstacle;
    own->area.points = NULL;
    switch (own->area.shape) {
    case PD_SHAPE_BOX:
        solid->half = (pd_double2){0.5 * own->area.size.x, 0.5 * own->area.size.y};
        solid->extent = pd_hypot(solid->half.x, solid->half.y);
        return;
    case PD_SHAPE_POLYLINE:
    case PD_SHAPE_POLYGON:
        break;
    default:
        solid->radius = solid->extent = own->area.radius;
        return;
    }
    own->area.points = pd_memory_require((size_t)own->area.point_count, sizeof *own->area.points);
    if (own->area.point_count)
        memcpy(own->area.points, obstacle->area.points, (size_t)own->area.point_count * sizeof *own->area.points);
    for (int i = 0; i < own->area.point_count; i++)
        solid->extent = fmax(solid->extent, pd_hypot(own->area.points[i].x, own->area.points[i].y));
    if (own->area.shape == PD_SHAPE_POLYLINE) solid->radius = 0.5 * own->area.thickness;
    solid->extent += solid->radius;
    build_segment_and_chord_trees(solid);
    if (own->area.shape == PD_SHAPE_POLYGON) pd_polygon_prepare_solid(solid);
}

void pd_solid_free(pd_solid *solid) {
    pd_memory_free(solid->obstacle.area.points);
    pd_boxtree_free(&solid->segments);
    pd_boxtree_free(&solid->chord_tree);
    pd_memory_free(solid->chords);
    pd_memory_free(solid->triangles);
    pd_memory_free(solid->insets);
    pd_memory_free(solid->grid.distance);
    *solid = (pd_solid){0};
}

static pd_double2 compute_bounding_half_sizes(const pd_solid *solid, const pd_pose *pose) {
    if (solid->obstacle.area.shape != PD_SHAPE_BOX) return (pd_double2){solid->extent, solid->extent};
    double c = fabs(pose->cosine), s = fabs(pose->sine);
    return (pd_double2){c * solid->half.x + s * solid->half.y, s * solid->half.x + c * solid->half.y};
}

/* Computes a tight box around the points of a polyline or polygon that does not rotate, since they may all be far from its
 * center. Sets *begin and *end to the box's middle at the substep's beginning and end, *half to half the box's sides. */
static void compute_points_box(const pd_solid *solid, pd_double2 *begin, pd_double2 *end, pd_double2 *half) {
    const pd_box *b = &solid->bounds;
    pd_double2 middle = {0.5 * ((double)b->low_x + b->high_x), 0.5 * ((double)b->low_y + b->high_y)};
    double x = 0.5 * ((double)b->high_x - b->low_x), y = 0.5 * ((double)b->high_y - b->low_y);
    double c = fabs(solid->end.cosine), s = fabs(solid->end.sine);
    *begin = pd_pose_to_world(&solid->begin, middle);
    *end = pd_pose_to_world(&solid->end, middle);
    *half = (pd_double2){c * x + s * y + solid->radius, s * x + c * y + solid->radius};
}

/* Sets the members that follow from the poses and the angle of rotation of a substep of `seconds`. */
static void set_motion(pd_solid *solid, double seconds, pd_box *swept) {
    double angle = fabs(solid->rotation);
    pd_double2 a = solid->begin.center, b = solid->end.center, r = {solid->extent, solid->extent};
    if (seconds > 0.0) solid->velocity = (pd_double2){(b.x - a.x) / seconds, (b.y - a.y) / seconds};
    solid->shift = pd_hypot(b.x - a.x, b.y - a.y) + fmin(angle, 2.0) * solid->extent;
    if (angle == 0.0) r = compute_bounding_half_sizes(solid, &solid->end);
    double farthest = fmax(fmax(fabs(a.x), fabs(b.x)) + r.x, fmax(fabs(a.y), fabs(b.y)) + r.y);
    solid->margin = fmax(solid->least_margin, 16.0 * FLT_EPSILON * farthest);
    if (angle == 0.0 && pd_area_has_points(&solid->obstacle.area)) compute_points_box(solid, &a, &b, &r);
    r = (pd_double2){r.x + 2.0 * solid->margin, r.y + 2.0 * solid->margin};
    *swept = (pd_box){(float)(fmin(a.x, b.x) - r.x), (float)(fmin(a.y, b.y) - r.y), (float)(fmax(a.x, b.x) + r.x),
                      (float)(fmax(a.y, b.y) + r.y)};
}

void pd_solid_move(pd_solid *solid, double begin_time, double end_time, pd_box *swept) {
    const pd_obstacle *o = &solid->obstacle;
    solid->begin = compute_pose_at_time(o, begin_time);
    solid->end = compute_pose_at_time(o, end_time);
    solid->begin.center = pd_add_scaled(solid->begin.center, 1.0, solid->begin_offset);
    solid->end.center = pd_add_scaled(solid->end.center, 1.0, solid->end_offset);
    solid->rotation =
        o->spin * (compute_time_along_path(o, end_time) - compute_time_along_path(o, begin_time)) * degrees;
    set_motion(solid, end_time - begin_time, swept);
}

void pd_solid_move_body(pd_solid *solid, const pd_solid_motion *motion, double seconds, pd_box *swept) {
    solid->begin = motion->begin;
    solid->end = motion->end;
    solid->rotation = motion->rotation;
    solid->angle = fmod(motion->angle / degrees, 360.0);
    set_motion(solid, seconds, swept);
}

bool pd_solid_may_turn(const pd_solid *solid) { return solid->is_body || solid->obstacle.spin != 0.0f; }

void pd_solid_get_area(const pd_solid *solid, double time, pd_area *view) {
    const pd_obstacle *o = &solid->obstacle;
    *view = o->area;
    view->center = (pd_vec2){(float)solid->end.center.x, (float)solid->end.center.y};
    view->angle = (float)(solid->is_body ? solid->angle : compute_angle_at_time(o, time));
}

double pd_solid_max_speed(const pd_solid *solid) {
    const pd_obstacle *o = &solid->obstacle;
    return pd_hypot(o->velocity.x, o->velocity.y) + fabs(o->spin) * degrees * solid->extent;
}

/* Returns whether a path that starts inside a solid ends outside, in front of `side`, the side nearest to the start. */
static bool does_path_leave_through_side(pd_double2 end, double margin, const pd_touch *side) {
    return pd_dot(pd_minus(end, side->point), side->normal) >= 0.5 * margin;
}

/* Computes the fraction of the path from p (outside) to p + d at which the path meets a circle around the origin. Returns
 * false if the path misses the circle. */
static bool find_path_entry_into_circle(pd_double2 p, pd_double2 d, double radius, double *fraction) {
    double approach = -pd_dot(p, d), length2 = pd_dot(d, d), cross = p.x * d.y - p.y * d.x;
    double root = radius * radius * length2 - cross * cross;
    if (approach <= 0.0 || root < 0.0) return false;
    double f = (approach - sqrt(root)) / length2;
    if (f > 1.0) return false;
    *fraction = f < 0.0 ? 0.0 : f;
    return true;
}

/* Returns the signed distance from p to a segment with thickness 2 x radius. Sets *nearest to the nearest point of its
 * surface. */
static double compute_distance_to_segment(pd_double2 a, pd_double2 b, double radius, pd_double2 p, pd_touch *nearest) {
    pd_double2 along = pd_minus(b, a), from_a = pd_minus(p, a);
    double length2 = pd_dot(along, along);
    double t = length2 > 0.0 ? clamp(pd_dot(from_a, along) / length2, 0.0, 1.0) : 0.0;
    pd_double2 core = pd_add_scaled(a, t, along), out = pd_minus(p, core);
    double distance = sqrt(pd_dot(out, out)), length = sqrt(length2);
    nearest->normal = get_unit_vector_or(
        out, distance, get_unit_vector_or((pd_double2){-along.y, along.x}, length, (pd_double2){0.0, 1.0}));
    nearest->point = pd_add_scaled(core, radius, nearest->normal);
    return distance - radius;
}

static void replace_touch_if_earlier(pd_touch *touch, double fraction, pd_double2 normal, pd_double2 core,
                                     double radius) {
    if (fraction >= touch->fraction) return;
    *touch = (pd_touch){fraction, 0.0, pd_add_scaled(core, radius, normal), normal};
}

/* Replaces *touch if the path from p to q meets the segment earlier, at a fraction below touch->fraction. */
static void replace_touch_by_earlier_segment(const pd_solid *solid, int segment, pd_double2 p, pd_double2 q,
                                             pd_touch *touch) {
    pd_double2 a, b;
    get_segment_ends(&solid->obstacle, segment, &a, &b);
    double radius = solid->radius, skin = radius + 0.5 * solid->margin;
    pd_touch side;
    double distance = compute_distance_to_segment(a, b, radius, p, &side);
    if (distance < 0.5 * solid->margin) {
        if (!does_path_leave_through_side(q, solid->margin, &side) && 0.0 < touch->fraction) {
            *touch = side;
            touch->fraction = 0.0;
            touch->depth = fmax(0.0, -distance);
        }
        return;
    }
    pd_double2 d = pd_minus(q, p), ends[2] = {a, b}, along = pd_minus(b, a);
    double fraction, length = sqrt(pd_dot(along, along));
    for (int i = 0; i < 2; i++) {
        pd_double2 from = pd_minus(p, ends[i]);
        if (!find_path_entry_into_circle(from, d, skin, &fraction)) continue;
        pd_double2 out = pd_add_scaled(from, fraction, d);
        replace_touch_if_earlier(
            touch, fraction, get_unit_vector_or(out, sqrt(pd_dot(out, out)), (pd_double2){0.0, 1.0}), ends[i], radius);
    }
    if (length == 0.0) return;
    pd_double2 axis = {along.x / length, along.y / length}, across = {-axis.y, axis.x}, from = pd_minus(p, a);
    double height = pd_dot(from, across),
           rise = pd_dot(
               d, across); /* distance of the start from the segment's line; change of this distance along the path */
    if (height < 0.0) {
        across = (pd_double2){-across.x, -across.y};
        height = -height;
        rise = -rise;
    }
    if (height < skin || rise >= 0.0 || height + rise > skin) return;
    fraction = clamp((height - skin) / -rise, 0.0, 1.0);
    double position = pd_dot(pd_add_scaled(from, fraction, d), axis), slack = 0.01 * solid->margin;
    if (position < -slack || position > length + slack)
        return; /* the path passes beside the segment, whose ends are tested above */
    replace_touch_if_earlier(touch, fraction, across, pd_add_scaled(a, position, axis), radius);
}

static bool find_first_touch_of_polyline(const pd_solid *solid, pd_double2 p, pd_double2 q, pd_touch *touch) {
    double r = solid->radius + 2.0 * solid->margin;
    pd_box box = {(float)(fmin(p.x, q.x) - r), (float)(fmin(p.y, q.y) - r), (float)(fmax(p.x, q.x) + r),
                  (float)(fmax(p.y, q.y) + r)};
    const pd_boxtree *tree = &solid->segments;
    touch->fraction = 2.0;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n))
        replace_touch_by_earlier_segment(solid, tree->nodes[n].item, p, q, touch);
    return touch->fraction <= 1.0;
}

pd_box pd_solid_box_to_local(const pd_solid *solid, const pd_box *box, double margin) {
    double x = 0.5 * ((double)box->high_x - box->low_x), y = 0.5 * ((double)box->high_y - box->low_y);
    double c = fabs(solid->end.cosine), s = fabs(solid->end.sine);
    pd_double2 middle = {0.5 * ((double)box->low_x + box->high_x), 0.5 * ((double)box->low_y + box->high_y)};
    pd_double2 p = pd_pose_to_local(&solid->end, middle), r = {c * x + s * y + margin, s * x + c * y + margin};
    return (pd_box){(float)(p.x - r.x), (float)(p.y - r.y), (float)(p.x + r.x), (float)(p.y + r.y)};
}

double pd_solid_least_distance(const pd_solid *solid, pd_double2 p) {
    const pd_box *b = &solid->bounds;
    switch (solid->obstacle.area.shape) {
    case PD_SHAPE_BOX:
        return fmax(fabs(p.x) - solid->half.x, fabs(p.y) - solid->half.y);
    case PD_SHAPE_POLYLINE:
    case PD_SHAPE_POLYGON:
        break;
    default:
        return sqrt(pd_dot(p, p)) - solid->radius;
    }
    double beside = fmax(fmax((double)b->low_x - p.x, p.x - (double)b->high_x),
                         fmax((double)b->low_y - p.y, p.y - (double)b->high_y)) -
                    solid->radius;
    return solid->grid.distance ? fmax(beside, pd_polygon_least_distance(solid, p)) : beside;
}

/* Returns an upper bound of the displacement in the substep of a point that moves with the solid, at most `distance` (m) from
 * its center. */
static double bound_displacement(const pd_solid *solid, double distance) {
    return distance > solid->extent ? solid->shift * (distance / solid->extent) : solid->shift;
}

bool pd_solid_may_be_near_box(const pd_solid *solid, const pd_box *box, double reach, double ahead) {
    double x = 0.5 * ((double)box->high_x - box->low_x), y = 0.5 * ((double)box->high_y - box->low_y);
    double half = sqrt(x * x + y * y), near = reach + 2.0 * solid->margin;
    pd_double2 middle = {0.5 * ((double)box->low_x + box->high_x), 0.5 * ((double)box->low_y + box->high_y)};
    middle = pd_pose_to_local(&solid->end, middle);
    double moved = solid->shift > 0.0 ? bound_displacement(solid, sqrt(pd_dot(middle, middle)) + half + near) : 0.0;
    if (pd_solid_least_distance(solid, middle) > half + near + (1.0 + ahead) * moved) return false;
    if (!pd_area_has_points(&solid->obstacle.area) || solid->shift > 0.0) return true;
    pd_box local = pd_solid_box_to_local(solid, box, solid->radius + near);
    if (pd_boxtree_first_overlap(&solid->segments, &local) >= 0) return true;
    /* A box that touches no side is wholly inside or wholly outside the polygon. */
    return solid->obstacle.area.shape == PD_SHAPE_POLYGON &&
           pd_polygon_contains(solid, (pd_double2){local.low_x, local.low_y});
}

/* Returns whether the path from p to q, in the solid's frame, is too short to reach the solid. */
static bool is_path_too_short(const pd_solid *solid, pd_double2 p, pd_double2 q) {
    pd_double2 way = pd_minus(q, p);
    double gap = pd_solid_least_distance(solid, p) - solid->margin;
    return gap > 0.0 && gap * gap > pd_dot(way, way);
}

bool pd_solid_may_touch_path(const pd_solid *solid, pd_double2 start, pd_double2 end) {
    return !is_path_too_short(solid, pd_pose_to_local(&solid->begin, start), pd_pose_to_local(&solid->end, end));
}

static double compute_distance_to_circle(double radius, pd_double2 p, pd_touch *nearest) {
    double length = sqrt(pd_dot(p, p));
    nearest->normal = get_unit_vector_or(p, length, (pd_double2){0.0, 1.0});
    nearest->point = (pd_double2){radius * nearest->normal.x, radius * nearest->normal.y};
    return length - radius;
}

static bool find_first_touch_of_circle(const pd_solid *solid, pd_double2 p, pd_double2 q, pd_touch *touch) {
    double distance = compute_distance_to_circle(solid->radius, p, touch);
    touch->fraction = 0.0;
    touch->depth = fmax(0.0, -distance);
    if (distance < 0.5 * solid->margin) return !does_path_leave_through_side(q, solid->margin, touch);
    pd_double2 d = pd_minus(q, p);
    double fraction;
    if (!find_path_entry_into_circle(p, d, solid->radius + 0.5 * solid->margin, &fraction)) return false;
    compute_distance_to_circle(solid->radius, pd_add_scaled(p, fraction, d), touch);
    touch->fraction = fraction;
    return true;
}

/* Returns the signed distance from p to the line of a box's nearest side. Sets *nearest to the projection of p onto this
 * line. */
static double compute_distance_to_nearest_box_side(pd_double2 half, pd_double2 p, pd_touch *nearest) {
    double x = fabs(p.x) - half.x, y = fabs(p.y) - half.y;
    if (x > y) {
        nearest->normal = (pd_double2){p.x < 0.0 ? -1.0 : 1.0, 0.0};
        nearest->point = (pd_double2){nearest->normal.x * half.x, p.y};
        return x;
    }
    nearest->normal = (pd_double2){0.0, p.y < 0.0 ? -1.0 : 1.0};
    nearest->point = (pd_double2){p.x, nearest->normal.y * half.y};
    return y;
}

/* Computes the fractions of a path from p to p + d (one coordinate) at which the path enters and leaves the interval
 * |coordinate| <= half. Returns false if a path with constant coordinate is outside. */
static bool find_path_fractions_in_interval(double p, double d, double half, double *enter, double *leave) {
    if (d == 0.0) {
        *enter = -1.0;
        *leave = 2.0;
        return fabs(p) < half;
    }
    double a = (-half - p) / d, b = (half - p) / d;
    *enter = fmin(a, b);
    *leave = fmax(a, b);
    return true;
}

static bool find_first_touch_of_box(const pd_solid *solid, pd_double2 p, pd_double2 q, pd_touch *touch) {
    double distance = compute_distance_to_nearest_box_side(solid->half, p, touch);
    touch->fraction = 0.0;
    touch->depth = fmax(0.0, -distance);
    if (distance < 0.5 * solid->margin) return !does_path_leave_through_side(q, solid->margin, touch);
    pd_double2 d = pd_minus(q, p);
    double skin = 0.5 * solid->margin, enter_x, enter_y, leave_x, leave_y;
    if (!find_path_fractions_in_interval(p.x, d.x, solid->half.x + skin, &enter_x, &leave_x)) return false;
    if (!find_path_fractions_in_interval(p.y, d.y, solid->half.y + skin, &enter_y, &leave_y)) return false;
    double enter = fmax(enter_x, enter_y);
    if (enter < 0.0 || enter > 1.0 || enter > fmin(leave_x, leave_y)) return false;
    pd_double2 at = pd_add_scaled(p, enter, d);
    touch->fraction = enter;
    if (enter_x > enter_y) {
        touch->normal = (pd_double2){at.x < 0.0 ? -1.0 : 1.0, 0.0};
        touch->point = (pd_double2){touch->normal.x * solid->half.x, at.y};
    } else {
        touch->normal = (pd_double2){0.0, at.y < 0.0 ? -1.0 : 1.0};
        touch->point = (pd_double2){at.x, touch->normal.y * solid->half.y};
    }
    return true;
}

/* If the path starts inside the polygon, the contact is at the start, on the nearest side. Exception: the path leaves
 * through this side; then the path from this side on is tested. */
static bool find_first_touch_of_polygon(const pd_solid *solid, pd_double2 p, pd_double2 q, pd_touch *touch) {
    double r = 2.0 * solid->margin, distance = INFINITY;
    pd_box box = {(float)(p.x - r), (float)(p.y - r), (float)(p.x + r), (float)(p.y + r)};
    pd_touch side;
    bool near = pd_boxtree_first_overlap(&solid->segments, &box) >= 0; /* a side is near the start: mostly false */
    if (near || pd_polygon_contains(solid, p)) distance = pd_polygon_distance(solid, p, 0.0, &side);
    if (distance > 0.0) return find_first_touch_of_polyline(solid, p, q, touch);
    if (!does_path_leave_through_side(q, solid->margin, &side)) {
        *touch = side;
        touch->fraction = 0.0;
        touch->depth = -distance;
        return true;
    }
    return find_first_touch_of_polyline(solid, pd_add_scaled(side.point, solid->margin, side.normal), q, touch);
}

bool pd_solid_find_first_touch(const pd_solid *solid, pd_double2 start, pd_double2 end, pd_touch *touch) {
    pd_double2 p = pd_pose_to_local(&solid->begin, start), q = pd_pose_to_local(&solid->end, end);
    if (is_path_too_short(solid, p, q)) return false;
    switch (solid->obstacle.area.shape) {
    case PD_SHAPE_BOX:
        return find_first_touch_of_box(solid, p, q, touch);
    case PD_SHAPE_POLYLINE:
        return find_first_touch_of_polyline(solid, p, q, touch);
    case PD_SHAPE_POLYGON:
        return find_first_touch_of_polygon(solid, p, q, touch);
    default:
        return find_first_touch_of_circle(solid, p, q, touch);
    }
}

static double compute_distance_to_box(pd_double2 half, pd_double2 p, pd_touch *nearest) {
    pd_double2 core = {clamp(p.x, -half.x, half.x), clamp(p.y, -half.y, half.y)}, out = pd_minus(p, core);
    double distance = sqrt(pd_dot(out, out));
    if (distance == 0.0) return compute_distance_to_nearest_box_side(half, p, nearest);
    nearest->normal = get_unit_vector_or(out, distance, out);
    nearest->point = core;
    return distance;
}

static double compute_distance_to_polyline(const pd_solid *solid, pd_double2 p, double max_distance,
                                           pd_touch *nearest) {
    double r = max_distance + solid->radius + 2.0 * solid->margin, best = INFINITY;
    pd_box box = {(float)(p.x - r), (float)(p.y - r), (float)(p.x + r), (float)(p.y + r)};
    const pd_boxtree *tree = &solid->segments;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n)) {
        pd_double2 a, b;
        pd_touch touch;
        get_segment_ends(&solid->obstacle, tree->nodes[n].item, &a, &b);
        double distance = compute_distance_to_segment(a, b, solid->radius, p, &touch);
        if (distance >= best) continue;
        best = distance;
        *nearest = touch;
    }
    return best;
}

double pd_solid_distance(const pd_solid *solid, pd_double2 local_point, double max_distance, pd_touch *nearest) {
    *nearest = (pd_touch){0};
    switch (solid->obstacle.area.shape) {
    case PD_SHAPE_BOX:
        return compute_distance_to_box(solid->half, local_point, nearest);
    case PD_SHAPE_POLYLINE:
        return compute_distance_to_polyline(solid, local_point, max_distance, nearest);
    case PD_SHAPE_POLYGON:
        return pd_polygon_distance(solid, local_point, max_distance, nearest);
    default:
        return compute_distance_to_circle(solid->radius, local_point, nearest);
    }
}
