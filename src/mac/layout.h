/* The layout of all arrays on a staggered (marker-and-cell) grid, Harlow and Welch 1965. Rows of `stride` floats, the
 * lowest first, with a ring of ghost cells around, so that stencils need no branches at the border. Every quantity has
 * an array of this layout: element pd_at(layout, i, j) belongs to cell (i, j), to the vertical face at its left or to
 * the horizontal face below it. The faces at the right and the top of the grid belong to ghost cells (nx, j), (i, ny).
 */
#ifndef PUDDLE_MAC_LAYOUT_H
#define PUDDLE_MAC_LAYOUT_H

#include <stddef.h>

typedef struct pd_layout {
    int nx, ny;   /* cells */
    int stride;   /* floats from a row to the next; a multiple of 16, and at least nx + 2 */
    size_t count; /* floats of an array, with the padding that vectors may read or write behind the end */
} pd_layout;

enum { PD_LAYOUT_PADDING = 64 };

static inline pd_layout pd_layout_of(int nx, int ny) {
    int stride = (nx + 2 + 15) / 16 * 16;
    /* Rows that are a power of two apart compete for the same lines of the cache. */
    if (stride % 256 == 0) stride += 16;
    return (pd_layout){nx, ny, stride, (size_t)stride * (size_t)(ny + 2) + PD_LAYOUT_PADDING};
}

/* i: -1 .. nx, j: -1 .. ny. */
static inline size_t pd_at(const pd_layout *layout, int i, int j) {
    return (size_t)(j + 1) * (size_t)layout->stride + (size_t)(i + 1);
}

#endif
