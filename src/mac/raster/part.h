/* Solids as unions of convex parts, and the intersections of parts with lines parallel to an axis, from which
 * mac/raster/raster.h computes how much of a grid's faces and cells the walls cover. All in closed form, in units of a grid's
 * cells. */
#ifndef PUDDLE_MAC_RASTER_PART_H
#define PUDDLE_MAC_RASTER_PART_H

#include "sim/walls/solid.h"

/* A regular grid of square cells; cell (i, j) is [i, i+1] x [j, j+1] in units of cells from the origin. */
typedef struct pd_grid {
    int nx, ny;
    pd_double2 origin; /* m: the lower left corner */
    double cell;       /* m: side of a cell */
} pd_grid;

/* A triangle, a rectangle, or (round) the points within the distance `width` of a segment of half length `length`: a disc when
 * `length` is 0, a thick segment of a polyline otherwise. */
typedef struct pd_part {
    pd_double2 center, axis; /* axis: unit, along the length */
    double length, width;    /* half length, half width */
    pd_double2 corner[3];    /* of a triangle, which has none of those above */
    bool round, triangle;
    int solid; /* number of the solid that it is a part of */
} pd_part;

typedef struct pd_interval {
    double low, high;
} pd_interval;

enum { PD_PART_BREAKS = 8 };

/* Number of parts of a solid on a grid of these cells: 1, of a polyline one for each segment, of a polygon its triangles, and
 * one for each side where it is thin. */
int pd_part_count(const pd_solid *solid, const pd_grid *grid);
/* Writes the parts of a solid in its pose at the end of the substep. A box or polyline too thin for the grid to resolve
 * without leaks is grown by the same amount on all sides: a polyline to a thickness of sqrt(2) cells, a box to between
 * 1 cell (aligned with the grid) and sqrt(2) cells (diagonal, or spinning, so that its area does not change as it
 * turns); a polygon where it is thinner than sqrt(2) cells, to that. */
void pd_part_of_solid(const pd_solid *solid, int number, const pd_grid *grid, pd_part *parts);
pd_part pd_part_box(const pd_grid *grid, pd_double2 center, pd_double2 half);
pd_part pd_part_disc(const pd_grid *grid, pd_double2 center, double radius);

/* The bounding box of a part. */
void pd_part_bounds(const pd_part *part, pd_interval *x, pd_interval *y);
/* The interval of the line y = at (vertical: x = at) inside the part; false when it is empty. A line parallel to a side
 * counts as inside when it is at most `slack` outside. */
bool pd_part_chord(const pd_part *part, bool vertical, double at, double slack, pd_interval *chord);
/* Of the band low <= y <= high: *hull: the interval of x that contains all points of the part in the band; *core: an
 * interval of x in which the part fills the band (empty when high < low). False when the part has no points in the
 * band. */
bool pd_part_band(const pd_part *part, double low, double high, double slack, pd_interval *hull, pd_interval *core);
/* The x at which the ends of the vertical chords, as functions of x, are not smooth. Returns their number. */
int pd_part_breaks(const pd_part *part, double breaks[PD_PART_BREAKS]);

#endif
