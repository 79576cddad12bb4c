/* Intervals in which a line of the grid intersects solids, and their unions. */
#ifndef PUDDLE_SIM_RASTER_CUTS_H
#define PUDDLE_SIM_RASTER_CUTS_H

/* Interval of a line inside a solid, cells. */
typedef struct cut {
    double low, high;
    int solid; /* index in pd_boundary_solids */
} cut;

/* Sorts the cuts, and merges overlapping cuts of the same solid in place. Returns the number of merged cuts. */
int pd_cuts_merge_per_solid(cut *cuts, int count);
/* Sorts the cuts, and merges overlapping cuts of all solids in place. Returns the number of merged cuts. */
int pd_cuts_merge_all_solids(cut *cuts, int count);

#endif
