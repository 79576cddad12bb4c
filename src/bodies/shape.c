/* Shapes of rigid bodies and walls. */
#include "bodies/shape.h"

#include "bodies/convex_parts.h"
#include "core/math.h"
#include "core/memory.h"
#include "scene/geometry.h"

#include <string.h>

static const double pi = 3.141592653589793;

/* ---- Mass ---- */

/* Area, and its moments about the centre of the pd_area: first moments x, y; polar second moment. */
typedef struct moments {
    double area, x, y, second;
} moments;

/* Adds a piece with this centroid and polar second moment about its own centroid. */
static void add_piece(moments *sum, double area, pd_double2 centroid, double second) {
    sum->area += area;
    sum->x += area * centroid.x;
    sum->y += area * centroid.y;
    sum->second += second + area * pd_dot(centroid, centroid);
}

/* Adds the triangles between the first point and each side. The signs of their areas make the sum exact for concave
 * outlines. */
static void add_polygon(moments *sum, const pd_vec2 *points, int count) {
    pd_double2 origin = pd_to_double2(points[0]);
    double sign = 0.0;
    for (int i = 1; i + 1 < count; i++)
        sign += pd_cross(pd_minus(pd_to_double2(points[i]), origin), pd_minus(pd_to_double2(points[i + 1]), origin));
    sign = sign < 0.0 ? -1.0 : 1.0;
    for (int i = 1; i + 1 < count; i++) {
        pd_double2 p = pd_minus(pd_to_double2(points[i]), origin), q = pd_minus(pd_to_double2(points[i + 1]), origin);
        pd_double2 middle = {(p.x + q.x) / 3.0, (p.y + q.y) / 3.0};
        double area = 0.5 * sign * pd_cross(p, q);
        double about_origin = area * (pd_dot(p, p) + pd_dot(p, q) + pd_dot(q, q)) / 6.0;
        add_piece(sum, area, pd_add_scaled(origin, 1.0, middle), about_origin - area * pd_dot(middle, middle));
    }
}

/* Adds half a disc at the end of a segment. out: unit vector along the segment, out of the end. */
static void add_half_disc(moments *sum, pd_double2 end, pd_double2 out, double radius) {
    double area = 0.5 * pi * radius * radius, offset = 4.0 * radius / (3.0 * pi);
    add_piece(sum, area, pd_add_scaled(end, offset, out), area * (0.5 * radius * radius - offset * offset));
}

static void add_polyline(moments *sum, const pd_area *area) {
    double radius = 0.5 * area->thickness;
    pd_double2 along = {1.0, 0.0}, first = along, a = pd_to_double2(area->points[0]);
    for (int i = 1; i < area->point_count; i++) {
        pd_double2 b = pd_to_double2(area->points[i]), way = pd_minus(b, a);
        double length = pd_length(way), piece = 2.0 * radius * length;
        if (length == 0.0) continue;
        along = (pd_double2){way.x / length, way.y / length};
        if (sum->area == 0.0) first = along;
        add_piece(sum, piece, pd_add_scaled(a, 0.5, way), piece * (length * length + 4.0 * radius * radius) / 12.0);
        a = b;
    }
    add_half_disc(sum, a, along, radius);
    add_half_disc(sum, pd_to_double2(area->points[0]), (pd_double2){-first.x, -first.y}, radius);
}

static moments compute_moments(const pd_area *area) {
    moments sum = {0.0};
    double radius = area->radius, width = area->size.x, height = area->size.y;
    switch (area->shape) {
    case PD_SHAPE_BOX:
        sum = (moments){width * height, 0.0, 0.0, width * height * (width * width + height * height) / 12.0};
        break;
    case PD_SHAPE_POLYGON:
        add_polygon(&sum, area->points, area->point_count);
        break;
    case PD_SHAPE_POLYLINE:
        add_polyline(&sum, area);
        break;
    default:
        sum = (moments){pi * radius * radius, 0.0, 0.0, 0.5 * pi * radius * radius * radius * radius};
    }
    return sum;
}

/* ---- Parts ---- */

void pd_part_prepare(pd_part *part) {
    double least = INFINITY;
    for (int k = 0; k < part->count && part->count > 1; k++) {
        pd_double2 along = pd_minus(part->point[(k + 1) % part->count], part->point[k]);
        double length = pd_length(along), depth = 0.0;
        part->normal[k] = (pd_double2){along.y / length, -along.x / length};
        for (int i = 0; i < part->count; i++)
            depth = pd_greater(depth, -pd_dot(pd_minus(part->point[i], part->point[k]), part->normal[k]));
        least = pd_smaller(least, depth);
    }
    part->half_width = part->radius + (part->count > 1 ? 0.5 * least : 0.0);
}

static void add_outline_neighbours(pd_part *part) {
    for (int k = 0; k < part->count; k++) {
        part->before[k] = part->point[(k + part->count - 1) % part->count];
        part->after[k] = part->point[(k + 1) % part->count];
    }
}

static void set_box_part(pd_part *part, pd_double2 half) {
    part->count = 4;
    part->point[0] = (pd_double2){-half.x, -half.y};
    part->point[1] = (pd_double2){half.x, -half.y};
    part->point[2] = half;
    part->point[3] = (pd_double2){-half.x, half.y};
    add_outline_neighbours(part);
}

/* Sets the capsule around segment i of a polyline. A segment of length 0 becomes a disc. */
static void set_capsule_part(pd_part *part, const pd_area *area, int i, pd_double2 origin) {
    int last = area->point_count - 1;
    for (int k = 0; k < 2; k++) {
        int at = i + k < last ? i + k : last;
        part->point[k] = pd_minus(pd_to_double2(area->points[at]), origin);
        part->before[k] = pd_minus(pd_to_double2(area->points[at > 0 ? at - 1 : 0]), origin);
        part->after[k] = pd_minus(pd_to_double2(area->points[at < last ? at + 1 : last]), origin);
    }
    pd_double2 way = pd_minus(part->point[1], part->point[0]);
    part->count = pd_dot(way, way) > 0.0 ? 2 : 1;
}

static bool create_parts(pd_rigid_shape *shape, const pd_area *area, double least_radius) {
    if (area->shape == PD_SHAPE_POLYGON) {
        if (!pd_convex_parts_create(area->points, area->point_count, shape->centroid, &shape->parts,
                                    &shape->part_count))
            return false;
        if (shape->part_count > 0) return true;
        shape->parts[shape->part_count++] =
            (pd_part){.count = 1, .radius = least_radius}; /* a polygon without an area */
        pd_part_prepare(shape->parts);
        return true;
    }
    bool polyline = area->shape == PD_SHAPE_POLYLINE;
    shape->part_count = polyline && area->point_count > 1 ? area->point_count - 1 : 1;
    shape->parts = pd_memory_new_zeroed((size_t)shape->part_count, sizeof *shape->parts);
    if (!shape->parts) return false;
    if (area->shape == PD_SHAPE_BOX) {
        set_box_part(shape->parts, (pd_double2){0.5 * area->size.x, 0.5 * area->size.y});
    } else if (!polyline) {
        shape->parts->count = 1;
        shape->parts->radius = area->radius;
    }
    for (int i = 0; polyline && i < shape->part_count; i++) {
        set_capsule_part(&shape->parts[i], area, i, shape->centroid);
        shape->parts[i].radius = pd_greater(0.5 * area->thickness, least_radius);
    }
    for (int i = 0; i < shape->part_count; i++) pd_part_prepare(&shape->parts[i]);
    return true;
}

pd_box pd_box_around(const pd_double2 *points, int count, double margin) {
    pd_double2 low = points[0], high = low;
    for (int k = 1; k < count; k++) {
        low = (pd_double2){pd_smaller(low.x, points[k].x), pd_smaller(low.y, points[k].y)};
        high = (pd_double2){pd_greater(high.x, points[k].x), pd_greater(high.y, points[k].y)};
    }
    return (pd_box){(float)(low.x - margin), (float)(low.y - margin), (float)(high.x + margin),
                    (float)(high.y + margin)};
}

static bool build_tree(pd_rigid_shape *shape) {
    pd_box *boxes = pd_memory_new_zeroed((size_t)shape->part_count + 1, sizeof *boxes);
    if (!boxes) return false;
    shape->half_width = INFINITY;
    for (int i = 0; i < shape->part_count; i++) {
        const pd_part *part = &shape->parts[i];
        boxes[i] = pd_box_around(part->point, part->count, part->radius);
        shape->half_width = pd_smaller(shape->half_width, part->half_width);
        for (int k = 0; k < part->count; k++) {
            double distance = pd_length(part->point[k]);
            shape->core_extent = pd_greater(shape->core_extent, distance);
            shape->extent = pd_greater(shape->extent, distance + part->radius);
        }
    }
    bool built = pd_boxtree_build(&shape->tree, boxes, shape->part_count, true);
    pd_memory_free(boxes);
    return built;
}

bool pd_rigid_shape_init(pd_rigid_shape *shape, const pd_area *area, double least_radius) {
    moments sum = compute_moments(area);
    *shape = (pd_rigid_shape){.area = sum.area};
    if (sum.area > 0.0) shape->centroid = (pd_double2){sum.x / sum.area, sum.y / sum.area};
    shape->second_moment = sum.second - sum.area * pd_dot(shape->centroid, shape->centroid);
    return create_parts(shape, area, least_radius) && build_tree(shape);
}

void pd_rigid_shape_free(pd_rigid_shape *shape) {
    pd_memory_free(shape->parts);
    pd_boxtree_free(&shape->tree);
    *shape = (pd_rigid_shape){0};
}

void pd_part_place(const pd_part *part, const pd_pose *pose, pd_placed_part *placed) {
    placed->part = part;
    placed->pose = *pose;
    for (int k = 0; k < part->count; k++) {
        placed->point[k] = pd_pose_to_world(pose, part->point[k]);
        placed->normal[k] = pd_pose_rotate(pose, part->normal[k]);
    }
}

void pd_pose_turn(pd_pose *pose, double angle) {
    static const double SMALL = 0.05;
    double t = angle * angle, c = 1.0 - t / 2.0 * (1.0 - t / 12.0 * (1.0 - t / 30.0 * (1.0 - t / 56.0))),
           s = angle * (1.0 - t / 6.0 * (1.0 - t / 20.0 * (1.0 - t / 42.0)));
    if (fabs(angle) > SMALL) {
        c = pd_cos(angle);
        s = pd_sin(angle);
    }
    double cosine = pose->cosine * c - pose->sine * s;
    pose->sine = pose->sine * c + pose->cosine * s;
    pose->cosine = cosine;
}

bool pd_part_contains(const pd_part *part, pd_double2 point) {
    bool inside = part->count > 2;
    double nearest = INFINITY;
    for (int k = 0; k < part->count; k++) {
        pd_double2 along = pd_minus(part->point[(k + 1) % part->count], part->point[k]),
                   from = pd_minus(point, part->point[k]);
        double length2 = pd_dot(along, along), t = length2 > 0.0 ? pd_dot(from, along) / length2 : 0.0;
        t = pd_smaller(pd_greater(t, 0.0), 1.0);
        nearest = pd_smaller(nearest, pd_length(pd_add_scaled(from, -t, along)));
        if (pd_dot(from, part->normal[k]) > 0.0) inside = false;
    }
    return inside || nearest <= part->radius;
}
