/* Computation of open fractions from cuts: the intervals in which lines of the grid intersect the convex parts of the
 * walls (sim/raster/part.h).
 *
 * The union of the cuts of a line of faces gives the faces' fractions. Cells are classified row by row as open, mixed or
 * solid. The open area of a mixed cell is the integral over x of the open length of the vertical line at x. Gauss
 * quadrature integrates between the x where this length is not smooth: at corners, and where a wall crosses the cell's
 * bottom or top. So areas are exact for straight walls, and nearly exact for round ones. */
#include "sim/raster/cell_area.h"
#include "sim/raster/raster_work.h"

#include <math.h>
#include <string.h>

/* Rows in which all vertical lines are processed before the next rows, so that neighbouring lines share cache lines. */
enum { ROWS_AT_ONCE = 32 };
/* Greatest number of convex parts near a cell whose breakpoints are integration limits. */
enum { MOST_PARTS_WITH_BREAKPOINTS = 8 };
/* Least number of integration intervals of a cell near two or more walls, and near more than
 * MOST_PARTS_WITH_BREAKPOINTS parts. */
enum { INTERVALS_AT_SEVERAL_WALLS = 4, INTERVALS_AT_MANY_PARTS = 32 };
enum {
    MAX_BREAKPOINTS = 1 + (MOST_PARTS_WITH_BREAKPOINTS + 1) * (PD_PART_BREAKPOINTS + 4) + INTERVALS_AT_SEVERAL_WALLS
};
enum { OPEN, MIXED, SOLID }; /* states of a cell */

static const double margin = 0.01; /* enlargement of the parts' boxes, cells, for slack and rounding to float */

/* Returns the value clamped to [low, high] and truncated. NaN gives low. */
static int clamp_to_int(double value, int low, int high) {
    if (!(value > low)) return low;
    return value >= high ? high : (int)value;
}

region pd_raster_find_touched_cells(const pd_grid *grid, pd_interval x, pd_interval y) {
    region r = {clamp_to_int(floor(x.low - margin), 0, grid->nx), clamp_to_int(ceil(x.high + margin), 0, grid->nx),
                clamp_to_int(floor(y.low - margin), 0, grid->ny), clamp_to_int(ceil(y.high + margin), 0, grid->ny)};
    return r.low_x < r.high_x && r.low_y < r.high_y ? r : (region){0};
}

pd_box pd_raster_make_box_with_margin(double low_x, double low_y, double high_x, double high_y) {
    double slack = margin + 1e-6 * fmax(fmax(fabs(low_x), fabs(high_x)), fmax(fabs(low_y), fabs(high_y)));
    return (pd_box){(float)(low_x - slack), (float)(low_y - slack), (float)(high_x + slack), (float)(high_y + slack)};
}

static pd_box enlarge_box_by_blocking_distance(const raster_work *w, double low_x, double low_y, double high_x,
                                               double high_y) {
    return pd_raster_make_box_with_margin(low_x - w->blocking_distance, low_y - w->blocking_distance,
                                          high_x + w->blocking_distance, high_y + w->blocking_distance);
}

/* Returns the fraction clamped to [0, 1], and rounded to 0 or 1 within PD_RASTER_LEAST. */
static double round_open_fraction(double open) {
    if (!(open > PD_RASTER_LEAST)) return 0.0;
    return open < 1.0 - PD_RASTER_LEAST ? open : 1.0;
}

/* ---- Lines ---- */

static double clamp_to_interval(double value, pd_interval range) { return fmin(fmax(value, range.low), range.high); }

/* Computes the chord of an obstacle's part, with the parameters of pd_convex_part_compute_chord. A chord that reaches
 * the wall layer (raster_work.h) is extended beyond the container's wall, so that the layer is solid there. */
static bool compute_chord_with_wall_layer(const raster_work *w, const pd_convex_part *part, bool vertical, double at,
                                          double slack, pd_interval *chord) {
    if (!(w->wall_layer_cells > 0.0)) return pd_convex_part_compute_chord(part, vertical, at, slack, chord);
    pd_interval x, y, inner;
    pd_convex_part_compute_bounds(&w->inner_container, &x, &y);
    if (!vertical) x = y;
    at = clamp_to_interval(at, (pd_interval){x.low + WALL_LAYER_GAP, x.high - WALL_LAYER_GAP});
    if (!pd_convex_part_compute_chord(part, vertical, at, slack, chord)) return false;
    if (!pd_convex_part_compute_chord(&w->inner_container, vertical, at, 0.0, &inner)) return true;
    if (chord->low < inner.low + WALL_LAYER_GAP && chord->high > inner.low) chord->low = -INFINITY;
    if (chord->high > inner.high - WALL_LAYER_GAP && chord->low < inner.high) chord->high = INFINITY;
    return true;
}

/* Appends to w->cuts the interval within `range` in which a grid line is inside a solid's part, if it is not empty.
 * clear: the range is clear of the wall layer. Returns the new number of cuts. */
static int append_cut_of_line_with_part(const raster_work *w, int count, const pd_convex_part *part, bool vertical,
                                        double at, double slack, pd_interval range, bool clear) {
    pd_interval chord;
    bool any = clear ? pd_convex_part_compute_chord(part, vertical, at, slack, &chord)
                     : compute_chord_with_wall_layer(w, part, vertical, at, slack, &chord);
    if (!any) return count;
    double low = chord.low > range.low ? chord.low : range.low;
    double high = chord.high < range.high ? chord.high : range.high;
    if (!(low < high)) return count;
    w->cuts[count] = (cut){low, high, part->solid};
    return count + 1;
}

/* Returns the interval of a line inside the container and within [low, high]. Empty: high < low. slack: see
 * pd_convex_part_compute_chord. */
static pd_interval compute_container_interval(const raster_work *w, bool vertical, double at, double slack, double low,
                                              double high) {
    pd_interval chord;
    if (!w->has_container) return (pd_interval){low, high};
    if (!pd_convex_part_compute_chord(&w->container, vertical, at, slack, &chord)) return (pd_interval){low, low - 1.0};
    return (pd_interval){fmax(chord.low, low), fmin(chord.high, high)};
}

/* ---- Cells ---- */

static bool is_cell_within_range(int column, pd_interval range) {
    return column >= range.low && column + 1 <= range.high;
}

/* Convex parts near one cell. */
typedef struct near_parts {
    int count;  /* number of parts in raster_work.parts_near_cell */
    bool clear; /* the cell is inside the container and clear of the wall layer */
} near_parts;

/* Returns the open length of the vertical line at x between y and y + 1. */
static double compute_open_length(raster_work *w, near_parts near, double x, double y) {
    pd_interval inside = {y, y + 1.0};
    if (!near.clear) inside = compute_container_interval(w, true, x, 0.0, y, y + 1.0);
    if (!(inside.low < inside.high)) return 0.0;
    double open = inside.high - inside.low;
    int count = 0;
    for (int i = 0; i < near.count; i++) {
        const pd_interval *bounds = &w->bounds[w->parts_near_cell[i]].x;
        const pd_convex_part *part = &w->parts[w->parts_near_cell[i]];
        if (near.clear && (x < bounds->low || x > bounds->high)) continue;
        count = append_cut_of_line_with_part(w, count, part, true, x, 0.0, inside, near.clear);
    }
    if (count == 1) return open - (w->cuts[0].high - w->cuts[0].low);
    count = pd_cuts_merge_all_solids(w->cuts, count);
    for (int i = 0; i < count; i++) open -= w->cuts[i].high - w->cuts[i].low;
    return open;
}

/* Inserts x into the sorted array `breaks` if cell < x < cell + 1. cell: column of the cell. */
static void insert_breakpoint(double *breaks, int *count, double x, int cell) {
    if (!(x > cell && x < cell + 1)) return;
    int k = *count;
    for (; breaks[k - 1] > x; k--) breaks[k] = breaks[k - 1]; /* breaks[0] is the cell's left side */
    breaks[k] = x;
    ++*count;
}

static void insert_breakpoints_of_convex_part(double *breaks, int *count, const pd_convex_part *part, int i, int j) {
    double x[PD_PART_BREAKPOINTS];
    pd_interval chord;
    for (int k = pd_convex_part_list_breakpoints(part, x) - 1; k >= 0; k--) insert_breakpoint(breaks, count, x[k], i);
    for (int side = 0; side < 2; side++) {
        if (!pd_convex_part_compute_chord(part, false, j + side, 0.0, &chord)) continue;
        insert_breakpoint(breaks, count, chord.low, i);
        insert_breakpoint(breaks, count, chord.high, i);
    }
}

/* Computes the ends of the integration intervals of cell (i, j), from left to right. Returns the number of intervals.
 * Where walls cross, the integrand has kinks at unknown x. Cells near several walls are therefore divided into intervals
 * of equal width, besides the breakpoints. */
static int compute_integration_intervals(const raster_work *w, near_parts near, int i, int j,
                                         double breaks[MAX_BREAKPOINTS + 1]) {
    bool has_container = w->has_container && !near.clear;
    int count = 1, walls = near.count + has_container, intervals = 1;
    breaks[0] = i;
    if (walls > 1) intervals = INTERVALS_AT_SEVERAL_WALLS;
    if (near.count > MOST_PARTS_WITH_BREAKPOINTS) intervals = INTERVALS_AT_MANY_PARTS;
    for (int k = 1; k < intervals; k++) insert_breakpoint(breaks, &count, i + (double)k / intervals, i);
    if (near.count <= MOST_PARTS_WITH_BREAKPOINTS) {
        if (has_container) insert_breakpoints_of_convex_part(breaks, &count, &w->container, i, j);
        for (int k = 0; k < near.count; k++)
            insert_breakpoints_of_convex_part(breaks, &count, &w->parts[w->parts_near_cell[k]], i, j);
    }
    breaks[count] = i + 1;
    return count;
}

/* Returns the open area of a cell, by Gauss-Legendre quadrature with 3 nodes in each interval. With several intervals 2
 * nodes are exact enough, since the parts of polygons have linear chords. */
static double integrate_open_area(raster_work *w, near_parts near, int i, int j) {
    static const double node = 0.38729833462074169, outer = 5.0 / 18.0, inner = 8.0 / 18.0,
                        node_of_two = 0.28867513459481287; /* nodes and weights on [-1/2, 1/2] */
    double breaks[MAX_BREAKPOINTS + 1], area = 0.0;
    int count = compute_integration_intervals(w, near, i, j, breaks);
    bool two = near.count > 1;
    for (int k = 0; k < count; k++) {
        double width = breaks[k + 1] - breaks[k], x = 0.5 * (breaks[k] + breaks[k + 1]);
        double off = (two ? node_of_two : node) * width;
        if (!(width > 1e-12)) continue;
        double sides = compute_open_length(w, near, x - off, j) + compute_open_length(w, near, x + off, j);
        area += width * (two ? 0.5 * sides : outer * sides + inner * compute_open_length(w, near, x, j));
    }
    return area;
}

/* Sums the areas within a cell of near parts that do not overlap: a single part, or the triangles of a polygon. Returns
 * whether there are no other parts, so that the sum is the covered area. Otherwise only a sum of 1 says more: nothing is
 * open. */
static bool sum_disjoint_areas(const raster_work *w, near_parts near, int i, int j, double *covered) {
    const int *parts = w->parts_near_cell;
    bool all = true;
    int solid = -1;
    double sum = *covered = 0.0;
    for (int k = 0; k < near.count; k++) {
        const pd_convex_part *part = &w->parts[parts[k]];
        if (part->round || (near.count > 1 && !part->triangle)) {
            all = false;
            continue;
        }
        if (solid != part->solid) sum = 0.0;
        if (solid >= 0 && solid != part->solid) all = false;
        solid = part->solid;
        sum += pd_cell_area_of_part(part, i, j);
        *covered = fmax(*covered, sum);
    }
    return all;
}

static double compute_open_area(raster_work *w, near_parts near, int i, int j) {
    double covered;
    if (!near.clear) return integrate_open_area(w, near, i, j);
    if (sum_disjoint_areas(w, near, i, j, &covered)) return 1.0 - covered;
    return covered < 1.0 - PD_RASTER_LEAST ? integrate_open_area(w, near, i, j) : 0.0;
}

/* Raises the state of cells of a row to `mark`. MIXED: all cells that the interval touches, wholly or partly. SOLID:
 * only the cells that are wholly inside the interval. */
static void mark_cells_in_interval(uint8_t *marks, int low_x, int high_x, pd_interval x, int mark) {
    bool whole = mark == SOLID;
    int from = clamp_to_int(whole ? ceil(x.low) : floor(x.low), low_x, high_x);
    int to = clamp_to_int(whole ? floor(x.high) : ceil(x.high), low_x, high_x);
    for (int i = from; i < to; i++)
        if (marks[i] < mark) marks[i] = (uint8_t)mark;
}

/* Returns the interval of x in which the cells of row j contain no part of the wall layer. Empty: high < low. */
static pd_interval find_range_clear_of_wall_layer(const raster_work *w, int j) {
    pd_interval low, high;
    if (!pd_convex_part_compute_chord(&w->inner_container, false, j - WALL_LAYER_GAP, 0.0, &low))
        return (pd_interval){INFINITY, -INFINITY};
    if (!pd_convex_part_compute_chord(&w->inner_container, false, j + 1 + WALL_LAYER_GAP, 0.0, &high))
        return (pd_interval){INFINITY, -INFINITY};
    return (pd_interval){fmax(low.low, high.low) + WALL_LAYER_GAP, fmin(low.high, high.high) - WALL_LAYER_GAP};
}

/* Marks cells of row j as MIXED: the cells in the wall layer that the part may make solid, wholly or partly. */
static void mark_cells_of_blocked_wall_layer(raster_work *w, const pd_convex_part *part, int j, const region *r) {
    pd_interval x, y;
    pd_convex_part_compute_bounds(part, &x, &y);
    if (!(y.low - w->blocking_distance < j + 1 && y.high + w->blocking_distance > j)) return;
    int from = clamp_to_int(floor(x.low - w->blocking_distance), r->low_x, r->high_x);
    int to = clamp_to_int(ceil(x.high + w->blocking_distance), r->low_x, r->high_x);
    for (int i = from; i < to; i++)
        if (w->marks[i] == OPEN && !is_cell_within_range(i, w->clear)) w->marks[i] = MIXED;
}

static void mark_cells_of_row(raster_work *w, int j, const region *r) {
    pd_interval hull, core;
    memset(w->marks + r->low_x, OPEN, (size_t)(r->high_x - r->low_x));
    w->clear = (pd_interval){-INFINITY, INFINITY};
    if (w->has_container) {
        bool any = pd_convex_part_intersect_band(&w->container, j, j + 1, PD_RASTER_LEAST, &hull, &core);
        if (!any) hull = (pd_interval){r->high_x, r->high_x};
        mark_cells_in_interval(w->marks, r->low_x, r->high_x, (pd_interval){r->low_x, floor(hull.low)}, SOLID);
        mark_cells_in_interval(w->marks, r->low_x, r->high_x, (pd_interval){ceil(hull.high), r->high_x}, SOLID);
        w->clear = w->wall_layer_cells > 0.0 ? find_range_clear_of_wall_layer(w, j) : core;
        if (any && !(core.low < core.high)) core = (pd_interval){hull.high, hull.high};
        if (any) {
            mark_cells_in_interval(w->marks, r->low_x, r->high_x, (pd_interval){hull.low, ceil(core.low)}, MIXED);
            mark_cells_in_interval(w->marks, r->low_x, r->high_x, (pd_interval){floor(core.high), hull.high}, MIXED);
        }
    }
    pd_box box = enlarge_box_by_blocking_distance(w, r->low_x, j, r->high_x, j + 1);
    for (int n = pd_boxtree_first_overlap(&w->tree, &box); n >= 0; n = pd_boxtree_next_overlap(&w->tree, &box, n)) {
        const pd_convex_part *part = &w->parts[w->tree.nodes[n].item];
        if (w->wall_layer_cells > 0.0) mark_cells_of_blocked_wall_layer(w, part, j, r);
        if (!pd_convex_part_intersect_band(part, j, j + 1, PD_RASTER_LEAST, &hull, &core)) continue;
        mark_cells_in_interval(w->marks, r->low_x, r->high_x, hull, MIXED);
        mark_cells_in_interval(w->marks, r->low_x, r->high_x, core, SOLID);
    }
}

/* Inserts a part into a list of indices in ascending order: sums over the list must not depend on the order of the tree,
 * which a restored world builds anew. */
static void insert_in_order(int *list, int count, int part) {
    int k = count;
    for (; k > 0 && list[k - 1] > part; k--) list[k] = list[k - 1];
    list[k] = part;
}

/* Lists in w->parts_near_cell the parts whose bounding boxes overlap the cell, in ascending order. */
static near_parts list_parts_near_cell(const raster_work *w, int i, int j) {
    near_parts near = {0, is_cell_within_range(i, w->clear)};
    const double more = near.clear ? 0.0 : w->blocking_distance;
    pd_box box = pd_raster_make_box_with_margin(i - more, j - more, i + 1 + more, j + 1 + more);
    for (int n = pd_boxtree_first_overlap(&w->tree, &box); n >= 0; n = pd_boxtree_next_overlap(&w->tree, &box, n)) {
        const part_bounds *b = &w->bounds[w->tree.nodes[n].item];
        if (b->x.low < i + 1 + more && b->x.high > i - more && b->y.low < j + 1 + more && b->y.high > j - more)
            insert_in_order(w->parts_near_cell, near.count++, w->tree.nodes[n].item);
    }
    return near;
}

static void compute_cells_of_row(pd_raster *raster, int j, const region *r) {
    raster_work *w = raster->work;
    float *cell = raster->cell + (size_t)j * (size_t)raster->grid.nx;
    mark_cells_of_row(w, j, r);
    for (int i = r->low_x; i < r->high_x; i++) {
        cell[i] = w->marks[i] == OPEN ? 1.0f : 0.0f;
        if (w->marks[i] != MIXED) continue;
        cell[i] = (float)round_open_fraction(compute_open_area(w, list_parts_near_cell(w, i, j), i, j));
    }
}

/* ---- Faces ---- */

/* Adds one cut (cuts.h) to the members `weight` and `flux` of faces[from] to faces[to - 1]. The normal velocity of the
 * solid is linear along the line, so its mean over an interval is the value at the interval's middle. */
static void add_flux_of_cut(face *faces, const cut *c, const motion *m, bool vertical, int from, int to) {
    double base = vertical ? m->vx : m->vy, slope = vertical ? -m->turn : m->turn;
    double center = vertical ? m->center.y : m->center.x;
    for (int k = clamp_to_int(c->low, from, to); k < to && k < c->high; k++) {
        double low = c->low > k ? c->low : k, high = c->high < k + 1 ? c->high : k + 1;
        if (!(low < high)) continue;
        faces[k].weight += high - low;
        faces[k].flux += (high - low) * (base + slope * (0.5 * (low + high) - center));
    }
}

static void add_covered_lengths(face *faces, const cut *c, int from, int to) {
    for (int k = clamp_to_int(c->low, from, to); k < to && k < c->high; k++) {
        double low = c->low > k ? c->low : k, high = c->high < k + 1 ? c->high : k + 1;
        if (low < high) faces[k].covered += high - low;
    }
}

/* Computes w->faces[from] to w->faces[to - 1]: the lengths of the faces on the grid line y = line (vertical: x = line).
 * Returns false, and leaves w->faces unchanged, if all these faces are open. */
static bool measure_covered_lengths_on_line(raster_work *w, bool vertical, int line, int from, int to) {
    pd_interval inside = compute_container_interval(w, vertical, line, -PD_RASTER_LEAST, from, to);
    pd_box box = vertical ? enlarge_box_by_blocking_distance(w, line, from, line, to)
                          : enlarge_box_by_blocking_distance(w, from, line, to, line);
    int count = 0;
    for (int n = pd_boxtree_first_overlap(&w->tree, &box); n >= 0; n = pd_boxtree_next_overlap(&w->tree, &box, n))
        count = append_cut_of_line_with_part(w, count, &w->parts[w->tree.nodes[n].item], vertical, line,
                                             PD_RASTER_LEAST, inside, false);
    if (!count && inside.low <= from && inside.high >= to) return false;
    for (int k = from; k < to; k++) {
        double open = fmin(inside.high, k + 1) - fmax(inside.low, k);
        w->faces[k] = (face){.inside = open > 0.0 ? open : 0.0};
    }
    count = pd_cuts_merge_per_solid(w->cuts, count);
    for (int i = 0; i < count; i++)
        add_flux_of_cut(w->faces, &w->cuts[i], &w->solids[w->cuts[i].solid].now, vertical, from, to);
    count = pd_cuts_merge_all_solids(w->cuts, count);
    for (int i = 0; i < count; i++) add_covered_lengths(w->faces, &w->cuts[i], from, to);
    return true;
}

/* Returns the normal velocity of the wall nearest to face k of a line, m/s. Used for a face of a closed cell that no
 * wall covers, because the wall ends within a rounding error of the face. */
static double nearest_wall_velocity(const pd_grid *grid, const pd_boundary *boundary, bool vertical, int line, int k) {
    double x = vertical ? line : k + 0.5, y = vertical ? k + 0.5 : line;
    pd_contact contact;
    pd_vec2 p = {(float)(grid->origin.x + x * grid->cell), (float)(grid->origin.y + y * grid->cell)};
    pd_boundary_find_nearest_wall(boundary, p, &contact);
    return vertical ? contact.velocity.x : contact.velocity.y;
}

static void compute_faces_on_line(pd_raster *raster, const pd_boundary *boundary, bool vertical, int line, int from,
                                  int to) {
    const pd_grid *grid = &raster->grid;
    const raster_work *w = raster->work;
    size_t nx = (size_t)grid->nx, at = (size_t)line;
    size_t face_stride = vertical ? nx + 1 : 1, cell_stride = vertical ? nx : 1; /* array steps along the line */
    float *open = vertical ? raster->face_x + at : raster->face_y + nx * at;
    float *wall = vertical ? raster->wall_x + at : raster->wall_y + nx * at;
    bool measured = measure_covered_lengths_on_line(raster->work, vertical, line, from, to);
    /* Arrays of the cells on both sides of the line. At the grid's edge both are the cells inside. */
    int last = vertical ? grid->nx : grid->ny;
    size_t before = line > 0 ? at - 1 : at, after = line < last ? at : at - 1;
    const float *cells_before = raster->cell + (vertical ? before : nx * before);
    const float *cells_after = raster->cell + (vertical ? after : nx * after);
    for (int k = from; k < to; k++) {
        const face *f = &w->faces[k];
        size_t i = (size_t)k;
        bool closed = cells_before[cell_stride * i] == 0.0f || cells_after[cell_stride * i] == 0.0f;
        double length = measured ? f->inside - f->covered : 1.0, velocity = 0.0;
        open[face_stride * i] = closed ? 0.0f : (float)round_open_fraction(length);
        if (open[face_stride * i] < 1.0f) {
            if (measured && f->weight > 0.0)
                velocity = f->flux / f->weight * (f->covered / (1.0 - f->inside + f->covered));
            else if (!measured || f->inside == 1.0)
                velocity = nearest_wall_velocity(grid, boundary, vertical, line, k);
        }
        wall[face_stride * i] = (float)velocity;
    }
}

void pd_raster_compute_region(pd_raster *raster, const pd_boundary *boundary, region r) {
    if (r.low_x >= r.high_x || r.low_y >= r.high_y) return;
    for (int j = r.low_y; j < r.high_y; j++) compute_cells_of_row(raster, j, &r);
    for (int j = r.low_y; j <= r.high_y; j++) compute_faces_on_line(raster, boundary, false, j, r.low_x, r.high_x);
    for (int j = r.low_y; j < r.high_y; j += ROWS_AT_ONCE) {
        int end = j + ROWS_AT_ONCE < r.high_y ? j + ROWS_AT_ONCE : r.high_y;
        for (int i = r.low_x; i <= r.high_x; i++) compute_faces_on_line(raster, boundary, true, i, j, end);
    }
}
