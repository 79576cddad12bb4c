/* Unions of intervals along a line. */
#ifndef PUDDLE_MAC_RASTER_CUTS_H
#define PUDDLE_MAC_RASTER_CUTS_H

/* The interval of a line that is inside a solid. */
typedef struct cut {
    double low, high;
    int solid;
} cut;

/* Sorts the cuts and merges those of the same solid that overlap; returns the number left. */
int cuts_join(cut *cuts, int count);
/* Merges the cuts of all solids; returns the number left. */
int cuts_join_solids(cut *cuts, int count);

#endif
