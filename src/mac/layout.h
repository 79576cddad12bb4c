/* Layout of all arrays on a staggered (marker-and-cell) grid, Harlow and Welch 1965.
 *
 * Rows have `stride` floats, the lowest row first. A ring of ghost cells surrounds the grid, so that stencils need no
 * branches at the border. Element pd_element_index(layout, i, j) of an array belongs to cell (i, j), to the vertical
 * face at its left or to the horizontal face below it. The faces at the right and the top of the grid belong to the
 * ghost cells (nx, j) and (i, ny). */
#ifndef PUDDLE_MAC_LAYOUT_H
#define PUDDLE_MAC_LAYOUT_H

#include <stddef.h>

typedef struct pd_layout {
    int nx, ny;   /* numbers of columns and rows of cells */
    int stride;   /* distance of two rows, floats; a multiple of 16, at least nx + 2 */
    size_t count; /* number of floats in an array, with PD_LAYOUT_PADDING floats behind its rows */
} pd_layout;

enum { PD_LAYOUT_PADDING = 64 }; /* floats behind the rows, which vectors may read and write */

static inline pd_layout pd_layout_for_cells(int nx, int ny) {
    int stride = (nx + 2 + 15) / 16 * 16;
    /* Rows whose distance is a power of two compete for the same lines of the cache. */
    if (stride % 256 == 0) stride += 16;
    return (pd_layout){nx, ny, stride, (size_t)stride * (size_t)(ny + 2) + PD_LAYOUT_PADDING};
}

/* Returns the index of element (i, j), i in [-1, nx], j in [-1, ny]. */
static inline size_t pd_element_index(const pd_layout *layout, int i, int j) {
    return (size_t)(j + 1) * (size_t)layout->stride + (size_t)(i + 1);
}

#endif
