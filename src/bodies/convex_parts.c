/* Decomposition of simple polygons into convex parts. */
#include "bodies/convex_parts.h"

#include "core/memory.h"
#include "scene/polygon.h"

#include <stdlib.h>
#include <string.h>

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

/* Removes points between two sides in line that are both inner sides or both outlines: contacts clip against whole sides. */
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
    pd_part_prepare(part);
}

/* Triangulates, joins triangles and creates the parts. Pieces without an area are left out. */
static bool decompose(decomposition *d, int count, pd_double2 origin, pd_part **parts, int *part_count) {
    if (!pd_polygon_triangulate(d->points, count, d->triangles)) return false;
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
    *parts = pd_memory_new_zeroed((size_t)*part_count + 1, sizeof **parts);
    if (!*parts) return false;
    for (int t = 0, n = 0; t < d->triangle_count; t++)
        if (d->root[t] == t && has_area(d, t)) set_part(d, t, count, origin, &(*parts)[n++]);
    return true;
}

bool pd_convex_parts_create(const pd_vec2 *points, int count, pd_double2 origin, pd_part **parts, int *part_count) {
    size_t triangles = count > 2 ? (size_t)count - 2 : 0;
    decomposition d = {.points = points, .triangle_count = (int)triangles};
    d.triangles = pd_memory_new_zeroed(triangles + 1, sizeof *d.triangles);
    d.pieces = pd_memory_new_zeroed(triangles + 1, sizeof *d.pieces);
    d.root = pd_memory_new_zeroed(triangles + 1, sizeof *d.root);
    d.sides = pd_memory_new_zeroed(3 * triangles + 1, sizeof *d.sides);
    bool done = d.triangles && d.pieces && d.root && d.sides && decompose(&d, count, origin, parts, part_count);
    pd_memory_free(d.triangles);
    pd_memory_free(d.pieces);
    pd_memory_free(d.root);
    pd_memory_free(d.sides);
    return done;
}
