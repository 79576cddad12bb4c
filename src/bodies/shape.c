#include "bodies/shape.h"

#include "core/math.h"
#include "core/memory.h"
#include "scene/geometry.h"
#include "scene/polygon.h"
#include <stdlib.h>
#include <string.h>

/* Sets normals and half width of a part from its points and its radius. */
static void prepare_part(pd_part *part) {
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

/* ---- Decomposition of simple polygons into convex parts ---- */

/* Convex piece: indices of the polygon's points, counterclockwise. */
typedef struct piece {
    int count, point[PD_PART_POINTS];
} piece;

/* Side of a triangle of the triangulation. A diagonal of the polygon is a side of two triangles. */
typedef struct triangle_side {
    int low, high; /* indices of the side's points */
    int triangle;  /* index of the triangle */
} triangle_side;

typedef struct decomposition {
    const pd_vec2 *points;
    int triangle_count;
    int (*triangles)[3];
    piece *pieces;        /* by triangle: its piece, valid if the triangle is its own root */
    int *root;            /* by triangle: another triangle of the same piece, nearer to the piece's root */
    triangle_side *sides; /* sides of all triangles, sorted: the two sides of a diagonal are adjacent */
} decomposition;

static int compare_sides(const void *a, const void *b) {
    const triangle_side *p = a, *q = b;
    if (p->low != q->low) return p->low - q->low;
    if (p->high != q->high) return p->high - q->high;
    return p->triangle - q->triangle;
}

static int find_root(decomposition *d, int triangle) {
    while (d->root[triangle] != triangle) triangle = d->root[triangle] = d->root[d->root[triangle]];
    return triangle;
}

/* Returns twice the area of a triangle, positive for counterclockwise points. */
static double compute_turn(const pd_vec2 *points, int a, int b, int c) {
    return ((double)points[b].x - points[a].x) * ((double)points[c].y - points[a].y) -
           ((double)points[b].y - points[a].y) * ((double)points[c].x - points[a].x);
}

static double compute_twice_area(const pd_vec2 *points, const piece *p) {
    double area = 0.0;
    for (int k = 1; k + 1 < p->count; k++) area += compute_turn(points, p->point[0], p->point[k], p->point[k + 1]);
    return area;
}

/* Returns the index k of the side of a piece from point `from` to point `to`; -1: the piece has no such side. */
static int find_side(const piece *p, int from, int to) {
    for (int k = 0; k < p->count; k++)
        if (p->point[k] == from && p->point[(k + 1) % p->count] == to) return k;
    return -1;
}

/* Joins two pieces at their common side, which goes from point a to point b in `left`. Returns false if the result is
 * not convex or has too many points. */
static bool join_pieces(const pd_vec2 *points, const piece *left, const piece *right, int a, int b, piece *joined) {
    int i = find_side(left, a, b), k = find_side(right, b, a);
    if (i < 0 || k < 0 || left->count + right->count - 2 > PD_PART_POINTS) return false;
    joined->count = 0;
    for (int n = 1; n < left->count; n++) joined->point[joined->count++] = left->point[(i + n) % left->count];
    for (int n = 1; n < right->count; n++) joined->point[joined->count++] = right->point[(k + n) % right->count];
    for (int n = 0; n < joined->count; n++) {
        int before = joined->point[(n + joined->count - 1) % joined->count],
            after = joined->point[(n + 1) % joined->count];
        if (compute_turn(points, before, joined->point[n], after) < 0.0) return false;
    }
    return true;
}

/* Removes each diagonal whose removal leaves a convex piece. */
static void remove_diagonals(decomposition *d) {
    for (int i = 0; i + 1 < 3 * d->triangle_count; i++) {
        const triangle_side *side = &d->sides[i], *other = side + 1;
        if (side->low != other->low || side->high != other->high) continue;
        int first = find_root(d, side->triangle), second = find_root(d, other->triangle);
        piece *left = &d->pieces[first], *right = &d->pieces[second], joined;
        if (!join_pieces(d->points, left, right, side->low, side->high, &joined) &&
            !join_pieces(d->points, left, right, side->high, side->low, &joined))
            continue;
        *left = joined;
        d->root[second] = first;
    }
}

static bool has_area(const decomposition *d, int root) { return compute_twice_area(d->points, &d->pieces[root]) > 0.0; }

/* Returns whether the side k of a piece is a diagonal that separates the piece from another piece with an area. */
static bool is_inner_side(decomposition *d, int root, int k) {
    const piece *p = &d->pieces[root];
    int a = p->point[k], b = p->point[(k + 1) % p->count];
    triangle_side key = {a < b ? a : b, a < b ? b : a, 0};
    int low = 0, high = 3 * d->triangle_count;
    while (low < high) { /* the first side that is not below the key */
        int middle = (low + high) / 2;
        if (compare_sides(&d->sides[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low; i < 3 * d->triangle_count && d->sides[i].low == key.low && d->sides[i].high == key.high; i++) {
        int other = find_root(d, d->sides[i].triangle);
        if (other != root && has_area(d, other)) return true;
    }
    return false;
}

/* Removes a point between two sides in line, if both sides are diagonals or both are outlines. Contacts are clipped at the
 * ends of sides, so a straight edge must be one side. */
static void remove_points_in_line(pd_part *part) {
    static const double IN_LINE = 1e-6; /* sine of the angle between two sides in line */
    for (int k = 0; k < part->count && part->count > 3;) {
        int before = (k + part->count - 1) % part->count, after = (k + 1) % part->count;
        pd_double2 in = pd_minus(part->point[k], part->point[before]),
                   out = pd_minus(part->point[after], part->point[k]);
        bool same = (part->inner >> before & 1) == (part->inner >> k & 1);
        if (!same || pd_cross(in, out) > IN_LINE * pd_length(in) * pd_length(out)) {
            k++;
            continue;
        }
        uint32_t low = part->inner & ((1u << k) - 1), high = part->inner >> (k + 1) << k;
        part->inner = low | high;
        part->count--;
        for (int i = k; i < part->count; i++) {
            part->point[i] = part->point[i + 1];
            part->before[i] = part->before[i + 1];
            part->after[i] = part->after[i + 1];
        }
    }
}

static void set_part(decomposition *d, int root, int count, pd_double2 origin, pd_part *part) {
    const piece *p = &d->pieces[root];
    bool reversed = pd_polygon_area(d->points, count) < 0.0;
    part->count = p->count;
    for (int k = 0; k < p->count; k++) {
        int at = p->point[k], left = (at + count - 1) % count, right = (at + 1) % count;
        const pd_vec2 *own = &d->points[at], *before = &d->points[reversed ? right : left],
                      *after = &d->points[reversed ? left : right];
        part->point[k] = (pd_double2){own->x - origin.x, own->y - origin.y};
        part->before[k] = (pd_double2){before->x - origin.x, before->y - origin.y};
        part->after[k] = (pd_double2){after->x - origin.x, after->y - origin.y};
        if (is_inner_side(d, root, k)) part->inner |= 1u << k;
    }
    remove_points_in_line(part);
    prepare_part(part);
}

/* Triangulates, joins triangles and creates the parts. Pieces without an area are left out. */
static void decompose(decomposition *d, int count, pd_double2 origin, pd_part **parts, int *part_count) {
    pd_polygon_triangulate(d->points, count, d->triangles);
    for (int t = 0; t < d->triangle_count; t++) {
        const int *corner = d->triangles[t];
        d->root[t] = t;
        d->pieces[t] = (piece){3, {corner[0], corner[1], corner[2]}};
        for (int k = 0; k < 3; k++) {
            int a = corner[k], b = corner[(k + 1) % 3];
            d->sides[3 * t + k] = (triangle_side){a < b ? a : b, a < b ? b : a, t};
        }
    }
    qsort(d->sides, 3 * (size_t)d->triangle_count, sizeof *d->sides, compare_sides);
    remove_diagonals(d);
    *part_count = 0;
    for (int t = 0; t < d->triangle_count; t++) *part_count += d->root[t] == t && has_area(d, t);
    *parts = pd_memory_require((size_t)*part_count + 1, sizeof **parts);
    for (int t = 0, n = 0; t < d->triangle_count; t++)
        if (d->root[t] == t && has_area(d, t)) set_part(d, t, count, origin, &(*parts)[n++]);
}

void pd_convex_parts_create(const pd_vec2 *points, int count, pd_double2 origin, pd_part **parts, int *part_count) {
    size_t triangles = count > 2 ? (size_t)count - 2 : 0;
    decomposition d = {.points = points, .triangle_count = (int)triangles};
    d.triangles = pd_memory_require(triangles, sizeof *d.triangles);
    d.pieces = pd_memory_require(triangles, sizeof *d.pieces);
    d.root = pd_memory_require(triangles, sizeof *d.root);
    d.sides = pd_memory_require(3 * triangles, sizeof *d.sides);
    decompose(&d, count, origin, parts, part_count);
    pd_memory_free(d.triangles);
    pd_memory_free(d.pieces);
    pd_memory_free(d.root);
    pd_memory_free(d.sides);
}

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

static void set_box_part(pd_part *part, pd_double2 half) {
    part->count = 4;
    part->point[0] = (pd_double2){-half.x, -half.y};
    part->point[1] = (pd_double2){half.x, -half.y};
    part->point[2] = half;
    part->point[3] = (pd_double2){-half.x, half.y};
    for (int k = 0; k < part->count; k++) {
        part->before[k] = part->point[(k + part->count - 1) % part->count];
        part->after[k] = part->point[(k + 1) % part->count];
    }
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

static void create_parts(pd_rigid_shape *shape, const pd_area *area, double least_radius) {
    if (area->shape == PD_SHAPE_POLYGON) {
        pd_convex_parts_create(area->points, area->point_count, shape->centroid, &shape->parts, &shape->part_count);
        if (shape->part_count > 0) return;
        shape->parts[shape->part_count++] =
            (pd_part){.count = 1, .radius = least_radius}; /* a polygon without an area */
        prepare_part(shape->parts);
        return;
    }
    bool polyline = area->shape == PD_SHAPE_POLYLINE;
    shape->part_count = polyline && area->point_count > 1 ? area->point_count - 1 : 1;
    shape->parts = pd_memory_require((size_t)shape->part_count, sizeof *shape->parts);
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
    for (int i = 0; i < shape->part_count; i++) prepare_part(&shape->parts[i]);
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

static void build_tree(pd_rigid_shape *shape) {
    pd_box *boxes = pd_memory_require((size_t)shape->part_count, sizeof *boxes);
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
    pd_boxtree_build(&shape->tree, boxes, shape->part_count, true);
    pd_memory_free(boxes);
}

void pd_rigid_shape_init(pd_rigid_shape *shape, const pd_area *area, double least_radius) {
    moments sum = compute_moments(area);
    *shape = (pd_rigid_shape){.area = sum.area};
    if (sum.area > 0.0) shape->centroid = (pd_double2){sum.x / sum.area, sum.y / sum.area};
    shape->second_moment = sum.second - sum.area * pd_dot(shape->centroid, shape->centroid);
    create_parts(shape, area, least_radius);
    build_tree(shape);
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
