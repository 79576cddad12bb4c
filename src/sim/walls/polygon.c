/* Polygons as obstacles: signed distance, and outline moved inwards. */
#include "sim/walls/polygon.h"
#include "core/memory.h"

#include "scene/polygon.h"

#include <math.h>

static const double LONGEST_INSET = 2.0; /* greatest length of pd_inset.shift_per_depth */
/* Points nearer to a side than this distance count as on the side; in units of the contact margin. */
static const double ON_SIDE = 1e-6;

static double compute_vector_length(pd_double2 v) { return sqrt(pd_dot(v, v)); }
static double compute_cross_product(pd_double2 a, pd_double2 b) { return a.x * b.y - a.y * b.x; }

/* ---- Insets ---- */

/* Returns the distance, m, from a corner along a direction to the next side that does not end at the corner. Returns
 * INFINITY if there is no such side within `reach` (m). */
static double find_distance_to_opposite_side(const pd_solid *solid, int corner, pd_double2 direction, double reach) {
    int count = solid->obstacle.area.point_count, before = (corner + count - 1) % count;
    pd_double2 from, to, ignored;
    pd_solid_get_segment_ends(solid, corner, &from, &ignored);
    to = pd_add_scaled(from, reach, direction);
    pd_box box = {(float)fmin(from.x, to.x), (float)fmin(from.y, to.y), (float)fmax(from.x, to.x),
                  (float)fmax(from.y, to.y)};
    const pd_boxtree *tree = &solid->segments;
    double nearest = INFINITY;
    for (int n = pd_boxtree_first_overlap(tree, &box); n >= 0; n = pd_boxtree_next_overlap(tree, &box, n)) {
        int side = tree->nodes[n].item;
        pd_double2 a, b;
        if (side == corner || side == before) continue;
        pd_solid_get_segment_ends(solid, side, &a, &b);
        double to_a = compute_cross_product(direction, pd_minus(a, from)),
               to_b = compute_cross_product(direction, pd_minus(b, from));
        if ((to_a > 0.0) == (to_b > 0.0)) continue;
        double at = pd_dot(direction, pd_add_scaled(a, to_a / (to_a - to_b), pd_minus(b, a))) - pd_dot(direction, from);
        if (at > 0.0) nearest = fmin(nearest, at);
    }
    return nearest <= reach ? nearest : INFINITY;
}

static pd_inset compute_inset(const pd_solid *solid, int corner) {
    int count = solid->obstacle.area.point_count;
    pd_double2 a, b, c;
    pd_solid_get_segment_ends(solid, (corner + count - 1) % count, &a, &b);
    pd_solid_get_segment_ends(solid, corner, &b, &c);
    pd_double2 in = pd_minus(b, a), out = pd_minus(c, b);
    double in_length = compute_vector_length(in), out_length = compute_vector_length(out);
    in = (pd_double2){in.x / in_length, in.y / in_length};
    out = (pd_double2){out.x / out_length, out.y / out_length};
    /* The corner moves along the sum of the inner normals, or along the sides if the corner's angle is 0. */
    pd_double2 way = {-solid->winding * (in.y + out.y), solid->winding * (in.x + out.x)};
    double length = compute_vector_length(way), size = fmin(2.0 / length, LONGEST_INSET);
    if (!(length > 1e-6)) {
        way = solid->winding * compute_cross_product(in, out) >= 0.0 ? out : in;
        length = 1.0;
        size = LONGEST_INSET;
    }
    way = (pd_double2){way.x / length, way.y / length};
    double across = INFINITY;
    for (double reach = 4.0 * (in_length + out_length); across == INFINITY && reach < 64.0 * solid->extent;
         reach *= 8.0)
        across = find_distance_to_opposite_side(solid, corner, way, reach);
    return (pd_inset){{size * way.x, size * way.y}, 0.5 * across / size};
}

/* ---- Grid of distances ---- */

static pd_double2 get_middle_of_cell(const pd_solid *solid, int column, int row) {
    return (pd_double2){(double)solid->bounds.low_x + (column + 0.5) * solid->grid.cell,
                        (double)solid->bounds.low_y + (row + 0.5) * solid->grid.cell};
}

/* Builds a grid with a few cells per point of the polygon: the distances cost about as much as the triangles. */
static void build_distance_grid(pd_solid *solid) {
    enum { CELLS_PER_POINT = 24, MOST_CELLS = 4096 };
    pd_distance_grid *grid = &solid->grid;
    double width = (double)solid->bounds.high_x - solid->bounds.low_x,
           height = (double)solid->bounds.high_y - solid->bounds.low_y;
    int count = solid->obstacle.area.point_count;
    double cells = count < MOST_CELLS / CELLS_PER_POINT ? count * CELLS_PER_POINT : MOST_CELLS;
    grid->cell = fmax(sqrt(width * height / cells), fmax(width, height) / cells);
    grid->columns = (int)(width / grid->cell) + 1;
    grid->rows = (int)(height / grid->cell) + 1;
    grid->distance = pd_memory_require((size_t)grid->columns * (size_t)grid->rows, sizeof *grid->distance);
    for (int k = 0; k < grid->columns * grid->rows; k++) {
        pd_touch touch;
        grid->distance[k] = (float)pd_polygon_distance(
            solid, get_middle_of_cell(solid, k % grid->columns, k / grid->columns), INFINITY, &touch);
    }
}

/* The distance changes by at most the distance from the cell's middle. */
double pd_polygon_least_distance(const pd_solid *solid, pd_double2 p) {
    const pd_distance_grid *grid = &solid->grid;
    double x = (p.x - (double)solid->bounds.low_x) / grid->cell, y = (p.y - (double)solid->bounds.low_y) / grid->cell;
    int column = x > 0.0 ? (x < grid->columns ? (int)x : grid->columns - 1) : 0;
    int row = y > 0.0 ? (y < grid->rows ? (int)y : grid->rows - 1) : 0;
    return (double)grid->distance[row * grid->columns + column] -
           compute_vector_length(pd_minus(p, get_middle_of_cell(solid, column, row)));
}

void pd_polygon_prepare_solid(pd_solid *solid) {
    pd_area *area = &solid->obstacle.area;
    size_t count = (size_t)area->point_count;
    solid->triangles = pd_memory_require(count, sizeof *solid->triangles);
    solid->insets = pd_memory_require(count, sizeof *solid->insets);
    pd_polygon_triangulate(area->points, area->point_count, solid->triangles);
    area->triangles = (const int(*)[3])solid->triangles;
    solid->winding = pd_polygon_area(area->points, area->point_count) < 0 ? -1.0 : 1.0;
    for (int i = 0; i < area->point_count; i++) solid->insets[i] = compute_inset(solid, i);
    build_distance_grid(solid);
}

pd_double2 pd_polygon_inset_corner(const pd_solid *solid, int i, double depth) {
    const pd_area *area = &solid->obstacle.area;
    int corner = i < area->point_count ? i : 0;
    const pd_inset *inset = &solid->insets[corner];
    return pd_add_scaled((pd_double2){area->points[corner].x, area->points[corner].y},
                         fmin(depth, inset->greatest_depth), inset->shift_per_depth);
}

bool pd_polygon_is_thick_at_side(const pd_solid *solid, int side, double depth) {
    int count = solid->obstacle.area.point_count;
    for (int k = 0; k < 2; k++) {
        const pd_inset *inset = &solid->insets[(side + k) % count];
        if (depth > inset->greatest_depth || compute_vector_length(inset->shift_per_depth) > LONGEST_INSET - 1e-9)
            return false;
    }
    return true;
}

/* ---- Distance ---- */

bool pd_polygon_contains(const pd_solid *solid, pd_double2 p) {
    pd_box ray = {(float)p.x, (float)p.y, INFINITY, (float)p.y};
    const pd_boxtree *tree = &solid->segments;
    bool inside = false;
    for (int n = pd_boxtree_first_overlap(tree, &ray); n >= 0; n = pd_boxtree_next_overlap(tree, &ray, n)) {
        pd_double2 a, b;
        pd_solid_get_segment_ends(solid, tree->nodes[n].item, &a, &b);
        if ((a.y > p.y) != (b.y > p.y) && a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y) > p.x) inside = !inside;
    }
    return inside;
}

int pd_polygon_count_inset_turns(const pd_solid *solid, pd_double2 p, double depth) {
    const pd_boxtree *tree = &solid->segments;
    double by = 2.0 * depth; /* greatest displacement of a corner, m */
    const pd_box *bounds = &solid->bounds;
    if (p.x < (double)bounds->low_x - by || p.x > (double)bounds->high_x + by || p.y < (double)bounds->low_y - by ||
        p.y > (double)bounds->high_y + by)
        return 0;
    pd_box ray = {(float)(p.x - by), (float)(p.y - by), INFINITY, (float)(p.y + by)};
    int turns = 0;
    for (int n = pd_boxtree_first_overlap(tree, &ray); n >= 0; n = pd_boxtree_next_overlap(tree, &ray, n)) {
        pd_double2 a = pd_polygon_inset_corner(solid, tree->nodes[n].item, depth),
                   b = pd_polygon_inset_corner(solid, tree->nodes[n].item + 1, depth);
        if ((a.y > p.y) != (b.y > p.y) && a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y) > p.x)
            turns += b.y > a.y ? 1 : -1;
    }
    return solid->winding > 0.0 ? turns : -turns;
}

/* If a side is nearer to p than *least_distance (m), replaces *least_distance, *nearest_point (the side's nearest point)
 * and *nearest_side (index of the side). */
static void replace_if_side_is_nearer(const pd_solid *solid, int side, pd_double2 p, double *least_distance,
                                      pd_double2 *nearest_point, int *nearest_side) {
    pd_double2 a, b;
    pd_solid_get_segment_ends(solid, side, &a, &b);
    pd_double2 along = pd_minus(b, a);
    double t = fmin(fmax(pd_dot(pd_minus(p, a), along) / pd_dot(along, along), 0.0), 1.0);
    pd_double2 at = pd_add_scaled(a, t, along);
    double distance = compute_vector_length(pd_minus(p, at));
    if (distance >= *least_distance) return;
    *least_distance = distance;
    *nearest_point = at;
    *nearest_side = side;
}

static double compute_distance_to_box(const pd_box *box, pd_double2 p) {
    double x = p.x < (double)box->low_x ? (double)box->low_x - p.x : p.x - (double)box->high_x;
    double y = p.y < (double)box->low_y ? (double)box->low_y - p.y : p.y - (double)box->high_y;
    if (!(x > 0.0)) return y > 0.0 ? y : 0.0;
    return y > 0.0 ? sqrt(x * x + y * y) : x;
}

/* Returns the index of the side nearest to p, or -1 if no side is nearer than *least_distance (m). First descends along the
 * nearer boxes to a leaf. The distance of the leaf's side limits the search over the whole tree. */
static int find_nearest_side(const pd_solid *solid, pd_double2 p, double *least_distance, pd_double2 *nearest_point) {
    const pd_boxnode *nodes = solid->segments.nodes;
    int n = 0, found = -1;
    while (nodes[n].item < 0) {
        int other = nodes[n + 1].skip;
        n = compute_distance_to_box(&nodes[n + 1].box, p) <= compute_distance_to_box(&nodes[other].box, p) ? n + 1
                                                                                                           : other;
    }
    replace_if_side_is_nearer(solid, nodes[n].item, p, least_distance, nearest_point, &found);
    for (n = 0; n < solid->segments.node_count;) {
        if (compute_distance_to_box(&nodes[n].box, p) > *least_distance) {
            n = nodes[n].skip;
            continue;
        }
        if (nodes[n].item >= 0)
            replace_if_side_is_nearer(solid, nodes[n].item, p, least_distance, nearest_point, &found);
        n++;
    }
    return found;
}

double pd_polygon_distance(const pd_solid *solid, pd_double2 p, double max_distance, pd_touch *nearest) {
    double reach = max_distance + 2.0 * solid->margin, distance = INFINITY;
    pd_box box = {(float)(p.x - reach), (float)(p.y - reach), (float)(p.x + reach), (float)(p.y + reach)};
    bool inside = pd_polygon_contains(solid, p);
    if (!inside && pd_boxtree_first_overlap(&solid->segments, &box) < 0) return INFINITY;
    if (!inside) distance = reach;
    pd_double2 at, a, b;
    int side = find_nearest_side(solid, p, &distance, &at);
    if (side < 0) return INFINITY;
    pd_solid_get_segment_ends(solid, side, &a, &b);
    pd_double2 out = inside ? pd_minus(at, p) : pd_minus(p, at), along = pd_minus(b, a);
    if (distance < ON_SIDE * solid->margin) { /* p is on the side: rounding would determine the normal */
        out = (pd_double2){solid->winding * along.y, -solid->winding * along.x};
        distance = 0.0;
    }
    double length = compute_vector_length(out);
    nearest->point = at;
    nearest->normal = (pd_double2){out.x / length, out.y / length};
    return inside ? -distance : distance;
}
