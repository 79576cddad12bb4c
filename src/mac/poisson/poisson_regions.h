/* Connected regions of cells of a pressure equation (poisson.h). A region is closed if the coefficient d, to an open
 * side or the surface, is 0 in all its cells. Its solution is determined up to a constant. */
#ifndef PUDDLE_MAC_POISSON_POISSON_REGIONS_H
#define PUDDLE_MAC_POISSON_POISSON_REGIONS_H

#include "core/parallel.h"
#include "mac/layout.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct poisson_regions {
    int nx, ny, words; /* words of 64 bits in a row */
    int cells;         /* number of cells with a coefficient above 0 */
    int closed;        /* number of closed regions, which have indices from 0 */
    /* Three bits for each cell, set by the caller. left, lower: the coefficient of the cell's left or lower face is
     * above 0. open: the cell's d is above 0. */
    uint64_t *left, *lower, *open;
    /* active: bit for each cell: a coefficient is above 0. grounded: bit for each root: its region has a d above 0. */
    uint64_t *active, *grounded;
    int32_t *label; /* union-find label of each run, at the index of its first cell (poisson_regions.c) */
    double *sum;    /* by closed region: sum, later mean, of the values in its cells */
    int *count;     /* by closed region: number of cells */
} poisson_regions;

/* Allocates the arrays for nx x ny cells. Returns false if memory is missing. */
bool poisson_regions_create(poisson_regions *regions, int nx, int ny);
void poisson_regions_destroy(poisson_regions *regions);
void poisson_regions_find(poisson_regions *regions);
/* Returns the index of the closed region that contains cell (i, j), or one of these negative constants. Call
 * poisson_regions_find before. */
enum {
    POISSON_REGION_OPEN = -1 /* a cell of the region borders on the free surface: d > 0 */,
    POISSON_NO_REGION = -2 /* cell without any coefficient */
};
int poisson_regions_find_region_of_cell(const poisson_regions *regions, int i, int j);
/* Subtracts the mean of each closed region from the values in its cells. */
void poisson_regions_subtract_means(poisson_regions *regions, float *values, const pd_layout *layout, pd_pool *pool);

#endif
