/* Connected regions of the cells of a pressure equation, and the means over those that have no d. */
#ifndef PUDDLE_MAC_POISSON_POISSON_REGIONS_H
#define PUDDLE_MAC_POISSON_POISSON_REGIONS_H

#include "core/parallel.h"
#include "mac/layout.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct poisson_regions {
    int nx, ny, words;             /* words of 64 bits for each row */
    int cells;                     /* with a coefficient above 0 */
    int closed;                    /* number of the regions without any d */
    uint64_t *left, *lower, *open; /* bits, filled in by the caller: the left face, the lower face, d are above 0 */
    uint64_t *active, *grounded;
    int32_t *label;
    double *sum;
    int *count;
} poisson_regions;

/* False when there is no memory. */
bool poisson_regions_create(poisson_regions *regions, int nx, int ny);
void poisson_regions_destroy(poisson_regions *regions);
void poisson_regions_find(poisson_regions *regions);
/* The number of the closed region of cell (i, j), from 0, after poisson_regions_find. */
enum { POISSON_REGION_OPEN = -1 /* one with a d */, POISSON_NO_REGION = -2 /* a cell without any coefficient */ };
int poisson_regions_of(const poisson_regions *regions, int i, int j);
/* Subtracts from the values in each closed region their mean. */
void poisson_regions_balance(poisson_regions *regions, float *values, const pd_layout *layout, pd_pool *pool);

#endif
