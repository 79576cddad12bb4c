/* Solids as unions of convex parts, and where a part meets lines that are parallel to an axis: what is needed to measure how much
 * of a grid's faces and cells the walls cover. All in closed form, in units of a grid's cells. */
#ifndef PUDDLE_SIM_PART_H
#define PUDDLE_SIM_PART_H

#include "sim/solid.h"

/* A regular grid of square cells; cell (i, j) is [i, i+1] x [j, j+1] in units of cells from the origin. */
typedef struct pd_grid {
    int nx, ny;
    pd_double2 origin; /* m: the lower left corner */
    double cell;       /* m: side of a cell */
} pd_grid;

/* A rectangle, or (round) the points within `width` of a segment of half length `length`: a disc when that is 0, a
 * segment of a polyline otherwise. */
typedef struct pd_part {
    pd_double2 center, axis; /* axis: unit, along the length */
    double length, width;    /* half of each */
    bool round;
    int solid; /* whose part it is */
} pd_part;

typedef struct pd_interval {
    double low, high;
} pd_interval;

enum { PD_PART_BREAKS = 8 };

/* How many parts a solid has: 1, a polyline one for each segment. */
int pd_part_count(const pd_solid *solid);
/* Writes the parts of a solid as it stands at the end of the substep. A box or polyline that is thinner than a wall has to be
 * for the grid not to leak is grown evenly on all sides until it is thick enough: a polyline to sqrt(2) cells, a box to
 * between 1 (along the grid) and sqrt(2) cells (diagonal, or spinning: then its area does not change as it turns). */
void pd_part_of_solid(const pd_solid *solid, int number, const pd_grid *grid, pd_part *parts);
pd_part pd_part_box(const pd_grid *grid, pd_double2 center, pd_double2 half);
pd_part pd_part_disc(const pd_grid *grid, pd_double2 center, double radius);

/* The box around a part. */
void pd_part_bounds(const pd_part *part, pd_interval *x, pd_interval *y);
/* The part of the line y = at (vertical: x = at) that lies inside; false when none does. A line along a side counts as inside
 * when it is no farther than `slack` outside. */
bool pd_part_chord(const pd_part *part, bool vertical, double at, double slack, pd_interval *chord);
/* Of the part between y = low and y = high: *hull: it has no point outside these x; *core: between these x there is
 * nothing but it (empty when high < low). False when there is nothing of it. */
bool pd_part_band(const pd_part *part, double low, double high, double slack, pd_interval *hull, pd_interval *core);
/* The x at which the ends of the vertical chords, as functions of x, are not smooth. Returns how many. */
int pd_part_breaks(const pd_part *part, double breaks[PD_PART_BREAKS]);

#endif
