/* Unions of intervals along a line. */
#ifndef PUDDLE_MAC_RASTER_CUTS_H
#define PUDDLE_MAC_RASTER_CUTS_H

/* Interval of a line inside a solid. */
typedef struct cut {
    double low, high;
    int solid;
} cut;

/* Sorts the cuts, and merges overlapping cuts of the same solid. Returns the number left. */
int cuts_merge(cut *cuts, int count);
/* Merges the cuts of all solids. Returns the number left. */
int cuts_merge_all(cut *cuts, int count);

#endif
