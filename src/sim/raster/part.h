/* Solids as unions of convex parts, and intersections of parts with lines parallel to an axis, in closed form. Unit of
 * length: a cell. sim/raster/raster.h computes the open fractions of faces and cells from these intersections. */
#ifndef PUDDLE_SIM_RASTER_PART_H
#define PUDDLE_SIM_RASTER_PART_H

#include "sim/walls/solid.h"

/* A regular grid of square cells. Cell (i, j) is [i, i+1] x [j, j+1] in cells from the origin. */
typedef struct pd_grid {
    int nx, ny;        /* numbers of columns and rows of cells */
    pd_double2 origin; /* lower left corner, m */
    double cell;       /* side length of a cell, m */
} pd_grid;

/* Convex part of a solid: a triangle, a rectangle, or (round) the points within `width` of a segment of half length
 * `length`. A round part is a disc if `length` is 0, else a thick segment of a polyline. */
typedef struct pd_convex_part {
    pd_double2 center, axis; /* axis: unit vector along the length */
    double length, width;    /* half the length and half the width, cells */
    pd_double2 corner[3];    /* corners of a triangle, which uses no member above */
    bool round, triangle;    /* kind of the part; a rectangle if both are false */
    int solid;               /* index of the solid in pd_boundary_solids */
} pd_convex_part;

typedef struct pd_interval {
    double low, high;
} pd_interval;

enum { PD_PART_BREAKPOINTS = 8 /* greatest number of breakpoints of a part (pd_convex_part_list_breakpoints) */ };

/* Returns the number of a solid's convex parts on this grid. A polyline has a part for each segment; a polygon has one
 * for each triangle, and one for each side where it is too thin for the grid. Other shapes have one part. */
int pd_convex_part_count_of_solid(const pd_solid *solid, const pd_grid *grid);
/* Writes the convex parts of a solid in its pose at the end of the substep. number: index of the solid, which becomes
 * their member `solid`. A wall too thin for the grid would leak, so it is thickened on all sides:
 * - a polyline to sqrt(2) cells;
 * - a box to 1 cell if aligned with the grid, to sqrt(2) cells if diagonal or spinning (so that its area is constant);
 * - a polygon to sqrt(2) cells where it is thinner. */
void pd_convex_part_list_of_solid(const pd_solid *solid, int number, const pd_grid *grid, pd_convex_part *parts);
pd_convex_part pd_convex_part_make_box(const pd_grid *grid, pd_double2 center, pd_double2 half);
pd_convex_part pd_convex_part_make_disc(const pd_grid *grid, pd_double2 center, double radius);

/* Computes the part's bounding box. */
void pd_convex_part_compute_bounds(const pd_convex_part *part, pd_interval *x, pd_interval *y);
/* Computes the chord: the interval of the line y = at (vertical: x = at) inside the part. Returns false if it is empty.
 * A line parallel to a side of the part counts as inside if it is at most `slack` (cells) outside. */
bool pd_convex_part_compute_chord(const pd_convex_part *part, bool vertical, double at, double slack,
                                  pd_interval *chord);
/* Intersects a part with the band low <= y <= high. *hull: the smallest interval of x that contains all points of the
 * part in the band. *core: an interval of x in which the part fills the band (empty: high < low). Returns false if
 * the part has no points in the band. */
bool pd_convex_part_intersect_band(const pd_convex_part *part, double low, double high, double slack, pd_interval *hull,
                                   pd_interval *core);
/* Lists the breakpoints: the x at which the ends of the vertical chord, as functions of x, are not smooth. Returns
 * the number of breakpoints. */
int pd_convex_part_list_breakpoints(const pd_convex_part *part, double breaks[PD_PART_BREAKPOINTS]);

/* Areas of convex parts within cells, in closed form. Unit of length: a cell. */

/* Returns the area of a triangle or a rectangle (a part that is not round) within cell (i, j), [0, 1]. */
double pd_cell_area_of_part(const pd_convex_part *part, int i, int j);

#endif
