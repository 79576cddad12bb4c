/* Connected regions of cells of a pressure equation (poisson.h). A region is closed if the coefficient d, to an open
 * side or the surface, is 0 in all its cells. Its solution is determined up to a constant. */
#ifndef PUDDLE_MAC_POISSON_POISSON_REGIONS_H
#define PUDDLE_MAC_POISSON_POISSON_REGIONS_H

#include "core/parallel.h"
#include "mac/layout.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct poisson_regions {
    int nx, ny, words; /* numbers of columns and rows of cells; number of 64-bit words in a row of bits */
    int cells;         /* number of cells with a coefficient above 0 */
    int closed;        /* number of closed regions, which have indices from 0 */
    /* Three bits for each cell, set by the caller. left, lower: the coefficient a of the cell's left or lower face is
     * above 0. open: the cell's coefficient d, to an open side or the surface, is above 0. */
    uint64_t *left, *lower, *open;
    /* One bit for each cell. active: at least one coefficient of the cell's equation is above 0. open_roots: the cell
     * is a root of the union-find trees in `label`, and its region is open: a cell of it has d > 0. */
    uint64_t *active, *open_roots;
    int32_t *label; /* union-find forest of the runs, a run being identified by its first cell (poisson_regions.c) */
    double *sum;    /* by closed region: working memory for the sum of the values in its cells, then for their mean */
    int *count;     /* by closed region: number of cells */
} poisson_regions;

/* Allocates the arrays for nx x ny cells. Returns false if memory is missing. */
bool pd_poisson_regions_create(poisson_regions *regions, int nx, int ny);
void pd_poisson_regions_destroy(poisson_regions *regions);
void pd_poisson_regions_find(poisson_regions *regions);
/* Results of pd_poisson_regions_find_region_of_cell for cells in no closed region. */
enum {
    POISSON_REGION_OPEN = -1 /* the cell's region is open: d > 0 in at least one of its cells */,
    POISSON_NO_REGION = -2 /* all coefficients of the cell's equation are 0 */
};
/* Returns the index of the closed region that contains cell (i, j), or one of the negative constants above. Call
 * pd_poisson_regions_find before. */
int pd_poisson_regions_find_region_of_cell(const poisson_regions *regions, int i, int j);
/* For each closed region: subtracts the mean of the values in its cells from these values. */
void pd_poisson_regions_subtract_means(poisson_regions *regions, float *values, const pd_layout *layout, pd_pool *pool);

#endif
