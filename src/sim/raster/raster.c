/* Computation of open fractions from cuts: the intervals in which lines of the grid intersect the convex parts of the
 * walls (sim/raster/part.h).
 *
 * The union of the cuts of a line of faces gives the faces' fractions. Cells are classified row by row as open, mixed or
 * solid. The open area of a mixed cell is the integral over x of the open length of the vertical line at x. Gauss
 * quadrature integrates between the x where this length is not smooth: at corners, and where a wall crosses the cell's
 * bottom or top. So areas are exact for straight walls, and nearly exact for round ones. */
#include "sim/raster/raster.h"

#include "core/error.h"
#include "core/memory.h"
#include "sim/raster/part.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Interval of a line inside a solid, cells. */
typedef struct cut {
    double low, high;
    int solid; /* index in pd_boundary_solids */
} cut;

/* Width, in cells, of the gap between an obstacle and the wall layer below which the layer beside the obstacle counts as
 * solid. */
#define WALL_LAYER_GAP 0.0625

/* Pose and motion of a solid in cells. Velocity of the wall at (x, y), m/s: (vx - turn (y - center.y), vy + turn (x -
 * center.x)). */
typedef struct motion {
    pd_double2 center;   /* position of the solid's centre, cells */
    double cosine, sine; /* cosine and sine of the solid's angle */
    double vx, vy, turn; /* velocity of the centre, m/s; angular velocity, (m/s)/cell */
} motion;

/* Rectangle of cells [low_x, high_x) x [low_y, high_y). */
typedef struct region {
    int low_x, high_x, low_y, high_y;
} region;

/* Bounding intervals of a convex part, cells. */
typedef struct part_bounds {
    pd_interval x, y;
} part_bounds;

/* Solid of the boundary, with its pose and motion of the last update. */
typedef struct raster_solid {
    motion now;                 /* pose and motion of the last update */
    int first_part, part_count; /* range of the solid's convex parts in raster_work.parts */
    region cells_before, cells; /* cells that the solid may touch, before and after the last update */
    bool moved;                 /* the solid moved in the last update */
} raster_solid;

/* Lengths of one face, in cells: its length is 1. */
typedef struct face {
    double inside;  /* length of the face inside the container */
    double covered; /* length of the face that at least one obstacle covers */
    double weight;  /* sum over the obstacles of the covered length, so that overlaps count several times */
    double flux;    /* sum over the obstacles of covered length x normal velocity, cells m/s */
} face;

struct pd_raster_work {
    bool has_container;             /* false: open space, without a container */
    pd_convex_part container;       /* inside of the container */
    pd_convex_part inner_container; /* container without the wall layer */
    double wall_layer_metres;       /* thickness of the wall layer, m; 0: none */
    double wall_layer_cells;        /* thickness of the wall layer, cells; 0: none */
    double blocking_distance;       /* an obstacle's part makes the wall layer solid up to this distance, cells */
    pd_convex_part *parts;          /* convex parts of all solids: triangles, rectangles, segments (part.h) */
    part_bounds *bounds;            /* by part: bounding intervals */
    pd_box *boxes;                  /* by part: bounding box with a margin */
    int part_count;                 /* number of convex parts of all solids */
    pd_boxtree tree;                /* bounding-box tree over `boxes` */
    raster_solid *solids;           /* all solids (obstacles) of the boundary */
    int solid_count;                /* number of `solids` */
    cut *cuts;                      /* intervals of one grid line inside solids; memory for part_count elements */
    int *parts_near_cell;           /* indices of the convex parts near one cell; memory for part_count elements */
    face *faces;                    /* by face of one grid line: its open and covered lengths */
    uint8_t *marks;                 /* by cell of one row: OPEN, MIXED or SOLID (raster.c) */
    pd_interval clear;              /* range of x in which one row's cells are inside and clear of the wall layer */
    region *regions;                /* regions of the cells to recompute; memory for 2 * solid_count elements */
};

typedef struct pd_raster_work raster_work;

/* ---- Cuts ---- */

enum { INSERTION_SORT_LIMIT = 16 };

static int compare_cuts(const void *a, const void *b) {
    const cut *p = a, *q = b;
    if (p->solid != q->solid) return p->solid < q->solid ? -1 : 1;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    return 0;
}

static void sort_cuts(cut *cuts, int count) {
    if (count > INSERTION_SORT_LIMIT) {
        qsort(cuts, (size_t)count, sizeof *cuts, compare_cuts);
        return;
    }
    for (int i = 1; i < count; i++) {
        cut inserted = cuts[i];
        int k = i;
        for (; k > 0 && compare_cuts(&inserted, &cuts[k - 1]) < 0; k--) cuts[k] = cuts[k - 1];
        cuts[k] = inserted;
    }
}

/* Sorts the cuts, and merges overlapping cuts of the same solid in place. Returns the number of merged cuts. */
static int cuts_merge_per_solid(cut *cuts, int count) {
    if (count < 2) return count;
    sort_cuts(cuts, count);
    int last = 0;
    for (int i = 1; i < count; i++) {
        if (cuts[i].solid != cuts[last].solid || cuts[i].low > cuts[last].high) {
            last++;
            cuts[last] = cuts[i];
        } else if (cuts[i].high > cuts[last].high) {
            cuts[last].high = cuts[i].high;
        }
    }
    return last + 1;
}

/* Sorts the cuts, and merges overlapping cuts of all solids in place. Returns the number of merged cuts. */
static int cuts_merge_all_solids(cut *cuts, int count) {
    for (int i = 0; i < count; i++) cuts[i].solid = 0;
    return cuts_merge_per_solid(cuts, count);
}

/* ---- Open fractions ---- */

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

/* Returns the rectangle of grid cells that the box with the sides x and y (cells) touches. If there is no such cell, all
 * members are 0. */
static region find_touched_cells(const pd_grid *grid, pd_interval x, pd_interval y) {
    region r = {clamp_to_int(floor(x.low - margin), 0, grid->nx), clamp_to_int(ceil(x.high + margin), 0, grid->nx),
                clamp_to_int(floor(y.low - margin), 0, grid->ny), clamp_to_int(ceil(y.high + margin), 0, grid->ny)};
    return r.low_x < r.high_x && r.low_y < r.high_y ? r : (region){0};
}

/* Returns a bounding box, in cells, enlarged for the slack of chords (part.h) and for rounding to float. */
static pd_box make_box_with_margin(double low_x, double low_y, double high_x, double high_y) {
    double slack = margin + 1e-6 * fmax(fmax(fabs(low_x), fabs(high_x)), fmax(fabs(low_y), fabs(high_y)));
    return (pd_box){(float)(low_x - slack), (float)(low_y - slack), (float)(high_x + slack), (float)(high_y + slack)};
}

static pd_box enlarge_box_by_blocking_distance(const raster_work *w, double low_x, double low_y, double high_x,
                                               double high_y) {
    return make_box_with_margin(low_x - w->blocking_distance, low_y - w->blocking_distance,
                                high_x + w->blocking_distance, high_y + w->blocking_distance);
}

/* Returns the fraction clamped to [0, 1], and rounded to 0 or 1 within PD_RASTER_LEAST. */
static double round_open_fraction(double open) {
    if (!(open > PD_RASTER_LEAST)) return 0.0;
    return open < 1.0 - PD_RASTER_LEAST ? open : 1.0;
}

/* ---- Lines ---- */

/* Computes the chord of an obstacle's part, with the parameters of pd_convex_part_compute_chord. A chord that reaches
 * the wall layer is extended beyond the container's wall, so that the layer is solid there. */
static bool compute_chord_with_wall_layer(const raster_work *w, const pd_convex_part *part, bool vertical, double at,
                                          double slack, pd_interval *chord) {
    if (!(w->wall_layer_cells > 0.0)) return pd_convex_part_compute_chord(part, vertical, at, slack, chord);
    pd_interval x, y, inner;
    pd_convex_part_compute_bounds(&w->inner_container, &x, &y);
    if (!vertical) x = y;
    at = fmin(fmax(at, x.low + WALL_LAYER_GAP), x.high - WALL_LAYER_GAP);
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
    count = cuts_merge_all_solids(w->cuts, count);
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
    pd_box box = make_box_with_margin(i - more, j - more, i + 1 + more, j + 1 + more);
    for (int n = pd_boxtree_first_overlap(&w->tree, &box); n >= 0; n = pd_boxtree_next_overlap(&w->tree, &box, n)) {
        const part_bounds *b = &w->bounds[w->tree.nodes[n].item];
        if (b->x.low < i + 1 + more && b->x.high > i - more && b->y.low < j + 1 + more && b->y.high > j - more)
            insert_in_order(w->parts_near_cell, near.count++, w->tree.nodes[n].item);
    }
    return near;
}

/* ---- Faces ---- */

/* Adds one cut to the members `weight` and `flux` of faces[from] to faces[to - 1]. The normal velocity of the
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
    count = cuts_merge_per_solid(w->cuts, count);
    for (int i = 0; i < count; i++)
        add_flux_of_cut(w->faces, &w->cuts[i], &w->solids[w->cuts[i].solid].now, vertical, from, to);
    count = cuts_merge_all_solids(w->cuts, count);
    for (int i = 0; i < count; i++) {
        const cut *c = &w->cuts[i];
        for (int k = clamp_to_int(c->low, from, to); k < to && k < c->high; k++) {
            double low = c->low > k ? c->low : k, high = c->high < k + 1 ? c->high : k + 1;
            if (low < high) w->faces[k].covered += high - low;
        }
    }
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
    float *wall = vertical ? raster->wall_u + at : raster->wall_v + nx * at;
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

/* Computes the open fractions of a region's cells, and the open fractions and wall velocities of the faces in the region
 * and on its edges. */
static void compute_region(pd_raster *raster, const pd_boundary *boundary, region r) {
    if (r.low_x >= r.high_x || r.low_y >= r.high_y) return;
    raster_work *w = raster->work;
    for (int j = r.low_y; j < r.high_y; j++) {
        float *cell = raster->cell + (size_t)j * (size_t)raster->grid.nx;
        mark_cells_of_row(w, j, &r);
        for (int i = r.low_x; i < r.high_x; i++) {
            cell[i] = w->marks[i] == OPEN ? 1.0f : 0.0f;
            if (w->marks[i] != MIXED) continue;
            cell[i] = (float)round_open_fraction(compute_open_area(w, list_parts_near_cell(w, i, j), i, j));
        }
    }
    for (int j = r.low_y; j <= r.high_y; j++) compute_faces_on_line(raster, boundary, false, j, r.low_x, r.high_x);
    for (int j = r.low_y; j < r.high_y; j += ROWS_AT_ONCE) {
        int end = j + ROWS_AT_ONCE < r.high_y ? j + ROWS_AT_ONCE : r.high_y;
        for (int i = r.low_x; i <= r.high_x; i++) compute_faces_on_line(raster, boundary, true, i, j, end);
    }
}

/* ---- Updates for moved solids ---- */

static motion compute_motion_of_solid(const pd_solid *solid, const pd_grid *grid, double seconds) {
    pd_double2 displacement = pd_minus(solid->end.center, solid->begin.center), center = solid->end.center;
    double per_second = seconds > 0.0 ? 1.0 / seconds : 0.0;
    return (motion){{(center.x - grid->origin.x) / grid->cell, (center.y - grid->origin.y) / grid->cell},
                    solid->end.cosine,
                    solid->end.sine,
                    displacement.x * per_second,
                    displacement.y * per_second,
                    solid->rotation * per_second * grid->cell};
}

static bool is_same_motion(const motion *a, const motion *b) {
    return a->center.x == b->center.x && a->center.y == b->center.y && a->cosine == b->cosine && a->sine == b->sine &&
           a->vx == b->vx && a->vy == b->vy && a->turn == b->turn;
}

static void update_convex_parts_of_solid(pd_raster *raster, const pd_solid *solid, int number) {
    raster_work *w = raster->work;
    raster_solid *t = &w->solids[number];
    pd_convex_part_list_of_solid(solid, number, &raster->grid, w->parts + t->first_part);
    pd_interval all_x = {INFINITY, -INFINITY}, all_y = all_x;
    for (int i = t->first_part; i < t->first_part + t->part_count; i++) {
        pd_interval x, y;
        pd_convex_part_compute_bounds(&w->parts[i], &x, &y);
        w->bounds[i] = (part_bounds){x, y};
        w->boxes[i] = make_box_with_margin(x.low, y.low, x.high, y.high);
        all_x = (pd_interval){fmin(all_x.low, x.low), fmax(all_x.high, x.high)};
        all_y = (pd_interval){fmin(all_y.low, y.low), fmax(all_y.high, y.high)};
    }
    all_x = (pd_interval){all_x.low - w->blocking_distance, all_x.high + w->blocking_distance};
    all_y = (pd_interval){all_y.low - w->blocking_distance, all_y.high + w->blocking_distance};
    t->cells = find_touched_cells(&raster->grid, all_x, all_y);
}

static double cell_count_of_region(region r) { return (double)(r.high_x - r.low_x) * (r.high_y - r.low_y); }

static region compute_bounding_region(region a, region b) {
    if (cell_count_of_region(a) == 0.0) return b;
    if (cell_count_of_region(b) == 0.0) return a;
    return (region){a.low_x < b.low_x ? a.low_x : b.low_x, a.high_x > b.high_x ? a.high_x : b.high_x,
                    a.low_y < b.low_y ? a.low_y : b.low_y, a.high_y > b.high_y ? a.high_y : b.high_y};
}

/* Updates the motion and the convex parts of the solids that have moved, or (all) of all solids. Returns true if a solid
 * was updated. */
static bool update_solids(pd_raster *raster, const pd_boundary *boundary, bool all) {
    raster_work *w = raster->work;
    int count;
    const pd_solid *solids = pd_boundary_solids(boundary, &count);
    double seconds = pd_boundary_substep_seconds(boundary);
    bool any = false;
    PD_ASSERT(count == w->solid_count);
    for (int i = 0; i < count; i++) {
        raster_solid *t = &w->solids[i];
        motion now = compute_motion_of_solid(&solids[i], &raster->grid, seconds);
        t->moved = all || !is_same_motion(&now, &t->now);
        if (!t->moved) continue;
        any = true;
        t->now = now;
        t->cells_before = t->cells;
        update_convex_parts_of_solid(raster, &solids[i], i);
    }
    return any;
}

/* Lists in w->regions the cells that moved solids touch, before and after the update. Merges regions whose bounding
 * region has no more cells than both: solids that overlap or touch are recomputed once. Returns the number of regions. */
static int list_regions_of_moved_solids(const raster_work *w) {
    int count = 0;
    for (int i = 0; i < w->solid_count; i++) {
        if (!w->solids[i].moved) continue;
        region added[2] = {w->solids[i].cells_before, w->solids[i].cells};
        for (int k = 0; k < 2; k++) {
            region r = added[k];
            for (int n = 0; n < count;) {
                region both = compute_bounding_region(r, w->regions[n]);
                if (cell_count_of_region(both) > cell_count_of_region(r) + cell_count_of_region(w->regions[n])) {
                    n++;
                    continue;
                }
                r = both;
                w->regions[n] = w->regions[--count];
                n = 0;
            }
            w->regions[count++] = r;
        }
    }
    return count;
}

bool pd_raster_update(pd_raster *raster, const pd_boundary *boundary) {
    raster_work *w = raster->work;
    region all = {0, raster->grid.nx, 0, raster->grid.ny};
    double cells = 0.0;
    if (!update_solids(raster, boundary, false)) return false;
    pd_boxtree_refit(&w->tree, w->boxes);
    int count = list_regions_of_moved_solids(w);
    for (int n = 0; n < count; n++) cells += cell_count_of_region(w->regions[n]);
    if (cells >= cell_count_of_region(all)) {
        w->regions[0] = all;
        count = 1;
    }
    for (int n = 0; n < count; n++) compute_region(raster, boundary, w->regions[n]);
    return true;
}

/* ---- Edits ---- */

static bool is_same_convex_part(const pd_convex_part *a, const pd_convex_part *b) {
    return a->center.x == b->center.x && a->center.y == b->center.y && a->axis.x == b->axis.x &&
           a->axis.y == b->axis.y && a->length == b->length && a->width == b->width && a->round == b->round &&
           a->triangle == b->triangle && memcmp(a->corner, b->corner, sizeof a->corner) == 0;
}

static bool is_same_solid(const raster_work *a, int i, const raster_work *b, int k) {
    const raster_solid *t = &a->solids[i], *u = &b->solids[k];
    bool equal = t->part_count == u->part_count && is_same_motion(&t->now, &u->now);
    for (int p = 0; equal && p < t->part_count; p++)
        equal = is_same_convex_part(&a->parts[t->first_part + p], &b->parts[u->first_part + p]);
    return equal;
}

/* Lists the cell regions of the solids that exist in only one of two rasters. The other solids have the same order in
 * both. Returns the number of regions, at most that of all solids. Cost: O(solids), or O(solids^2) after many
 * changes. */
static int find_changed_regions(const raster_work *before, const raster_work *now, region *changed) {
    int k = 0, count = 0;
    for (int i = 0; i < now->solid_count; i++) {
        int found = k;
        while (found < before->solid_count && !is_same_solid(before, found, now, i)) found++;
        if (found < before->solid_count) {
            while (k < found) changed[count++] = before->solids[k++].cells;
            k++;
            continue;
        }
        changed[count++] = now->solids[i].cells;
        if (k < before->solid_count) changed[count++] = before->solids[k++].cells;
    }
    while (k < before->solid_count) changed[count++] = before->solids[k++].cells;
    return count;
}

/* Enlarges a region by two cells on all sides, within the grid. The velocity of a face may be that of the nearest
 * wall (nearest_wall_velocity), and walls are thicker on the grid by up to a cell. */
static region enlarge_region_for_nearest_walls(const pd_grid *grid, region r) {
    if (cell_count_of_region(r) == 0.0) return r;
    return (region){r.low_x > 2 ? r.low_x - 2 : 0, r.high_x < grid->nx - 2 ? r.high_x + 2 : grid->nx,
                    r.low_y > 2 ? r.low_y - 2 : 0, r.high_y < grid->ny - 2 ? r.high_y + 2 : grid->ny};
}

/* Copies the fractions of the raster `before`, and recomputes them around changed walls. Returns false if memory runs
 * out. */
static bool compute_changed_regions(pd_raster *raster, const pd_raster *before, const pd_boundary *boundary) {
    const raster_work *w = raster->work;
    region all = {0, raster->grid.nx, 0, raster->grid.ny};
    region *changed = pd_allocate((size_t)w->solid_count + (size_t)before->work->solid_count + 1, sizeof *changed);
    if (!changed) return false;
    int count = find_changed_regions(before->work, w, changed);
    double cells = 0.0;
    for (int i = 0; i < count; i++)
        cells += cell_count_of_region(changed[i] = enlarge_region_for_nearest_walls(&raster->grid, changed[i]));
    if (cells >= cell_count_of_region(all)) {
        changed[0] = all;
        count = 1;
    } else {
        size_t nx = (size_t)raster->grid.nx, ny = (size_t)raster->grid.ny;
        memcpy(raster->cell, before->cell, nx * ny * sizeof(float));
        memcpy(raster->face_x, before->face_x, (nx + 1) * ny * sizeof(float));
        memcpy(raster->wall_u, before->wall_u, (nx + 1) * ny * sizeof(float));
        memcpy(raster->face_y, before->face_y, nx * (ny + 1) * sizeof(float));
        memcpy(raster->wall_v, before->wall_v, nx * (ny + 1) * sizeof(float));
    }
    for (int i = 0; i < count; i++) compute_region(raster, boundary, changed[i]);
    pd_free(changed);
    return true;
}

/* ---- Memory ---- */

static void set_container_and_wall_layer(raster_work *w, const pd_grid *grid, const pd_container *container,
                                         double wall_layer_thickness) {
    pd_double2 origin = {0.0, 0.0};
    w->wall_layer_metres = wall_layer_thickness;
    w->has_container = container->shape != PD_CONTAINER_NONE;
    if (container->shape == PD_CONTAINER_CIRCLE)
        w->container = pd_convex_part_make_disc(grid, origin, container->radius);
    else if (container->shape == PD_CONTAINER_BOX)
        w->container =
            pd_convex_part_make_box(grid, origin, (pd_double2){0.5 * container->width, 0.5 * container->height});
    if (!w->has_container || !(wall_layer_thickness > 0.0)) return;
    w->inner_container = w->container;
    w->wall_layer_cells = w->blocking_distance = wall_layer_thickness / grid->cell;
    w->inner_container.width -= w->wall_layer_cells;
    if (container->shape == PD_CONTAINER_BOX)
        w->inner_container.length -= w->wall_layer_cells;
    else /* half of the longest chord of the container within the wall layer: this chord touches the inner circle */
        w->blocking_distance = sqrt(w->wall_layer_cells * (w->container.width + w->inner_container.width));
    w->blocking_distance += WALL_LAYER_GAP;
}

static bool allocate_raster_work(raster_work *w, const pd_grid *grid, const pd_solid *solids) {
    size_t longest = (size_t)(grid->nx > grid->ny ? grid->nx : grid->ny);
    w->faces = pd_allocate(longest, sizeof *w->faces);
    w->marks = pd_allocate(longest, sizeof *w->marks);
    w->solids = pd_allocate((size_t)w->solid_count + 1, sizeof *w->solids);
    if (!w->faces || !w->marks || !w->solids) return false;
    for (int i = 0; i < w->solid_count; i++) {
        w->solids[i].first_part = w->part_count;
        w->solids[i].part_count = pd_convex_part_count_of_solid(&solids[i], grid);
        w->part_count += w->solids[i].part_count;
    }
    size_t parts = (size_t)w->part_count + 1;
    w->parts = pd_allocate(parts, sizeof *w->parts);
    w->bounds = pd_allocate(parts, sizeof *w->bounds);
    w->boxes = pd_allocate(parts, sizeof *w->boxes);
    w->cuts = pd_allocate(parts, sizeof *w->cuts);
    w->parts_near_cell = pd_allocate(parts, sizeof *w->parts_near_cell);
    w->regions = pd_allocate(2 * (size_t)w->solid_count + 1, sizeof *w->regions);
    return w->parts && w->bounds && w->regions && w->boxes && w->cuts && w->parts_near_cell;
}

static bool allocate_raster_arrays(pd_raster *raster) {
    size_t nx = (size_t)raster->grid.nx, ny = (size_t)raster->grid.ny;
    raster->cell = pd_allocate(nx * ny + PD_PADDING, sizeof(float));
    raster->face_x = pd_allocate((nx + 1) * ny + PD_PADDING, sizeof(float));
    raster->wall_u = pd_allocate((nx + 1) * ny + PD_PADDING, sizeof(float));
    raster->face_y = pd_allocate(nx * (ny + 1) + PD_PADDING, sizeof(float));
    raster->wall_v = pd_allocate(nx * (ny + 1) + PD_PADDING, sizeof(float));
    return raster->cell && raster->face_x && raster->wall_u && raster->face_y && raster->wall_v;
}

/* Initializes a raster. before: another raster with the same grid, wall layer and container, whose values at unchanged
 * walls are copied; or NULL. */
static bool init_raster(pd_raster *raster, const pd_grid *grid, const pd_boundary *boundary,
                        double wall_layer_thickness, const pd_raster *before) {
    raster->grid = *grid;
    raster->work = pd_allocate(1, sizeof *raster->work);
    if (!raster->work || !allocate_raster_arrays(raster)) return false;
    raster_work *w = raster->work;
    pd_container container = pd_boundary_container(boundary);
    const pd_solid *solids = pd_boundary_solids(boundary, &w->solid_count);
    set_container_and_wall_layer(w, grid, &container, wall_layer_thickness);
    if (!allocate_raster_work(w, grid, solids)) return false;
    update_solids(raster, boundary, true);
    /* Many parts per solid: segments of polylines, which are mostly in spatial order already. */
    bool ordered = w->part_count > 8 * w->solid_count;
    pd_boxtree_build(&w->tree, w->boxes, w->part_count, ordered);
    if (before) return compute_changed_regions(raster, before, boundary);
    compute_region(raster, boundary, (region){0, grid->nx, 0, grid->ny});
    return true;
}

static pd_result create_raster(pd_raster **created, const pd_grid *grid, const pd_boundary *boundary,
                               double wall_layer_thickness, const pd_raster *before, pd_error *error) {
    PD_ASSERT(grid->nx > 0 && grid->ny > 0 && grid->cell > 0.0);
    *created = NULL;
    pd_raster *raster = pd_allocate(1, sizeof *raster);
    if (raster && init_raster(raster, grid, boundary, wall_layer_thickness, before)) {
        *created = raster;
        return PD_OK;
    }
    pd_raster_destroy(raster);
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for a grid of %d x %d cells (lower the resolution)",
                   grid->nx, grid->ny);
}

pd_result pd_raster_create(pd_raster **created, const pd_grid *grid, const pd_boundary *boundary,
                           double wall_layer_thickness, pd_error *error) {
    return create_raster(created, grid, boundary, wall_layer_thickness, NULL, error);
}

pd_result pd_raster_create_after_edit(pd_raster **created, const pd_raster *before, const pd_boundary *boundary,
                                      pd_error *error) {
    return create_raster(created, &before->grid, boundary, before->work->wall_layer_metres, before, error);
}

void pd_raster_destroy(pd_raster *raster) {
    if (!raster) return;
    raster_work *w = raster->work;
    if (w) {
        pd_boxtree_free(&w->tree);
        pd_free(w->faces);
        pd_free(w->marks);
        pd_free(w->solids);
        pd_free(w->parts);
        pd_free(w->bounds);
        pd_free(w->boxes);
        pd_free(w->regions);
        pd_free(w->cuts);
        pd_free(w->parts_near_cell);
    }
    pd_free(w);
    pd_free(raster->cell);
    pd_free(raster->face_x);
    pd_free(raster->face_y);
    pd_free(raster->wall_u);
    pd_free(raster->wall_v);
    pd_free(raster);
}
