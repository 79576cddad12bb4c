/* Extrapolation of velocities and dyes into walls and air, a few cells deep. Interpolation near a wall or a surface
 * then sees values of the fluid (Bridson, "Fluid Simulation for Computer Graphics", 2nd ed., section 4.1). */
#ifndef PUDDLE_MAC_EXTRAPOLATE_H
#define PUDDLE_MAC_EXTRAPOLATE_H

#include "mac/mac.h"

#include <stdint.h>

/* Closed face or solid cell whose value is the mean of its neighbours. Bit k of `sources`: neighbour k (step_x, step_y
 * in extrapolate.c) is in an earlier layer. */
typedef struct pd_band_item {
    uint32_t at;
    uint8_t sources;
    float normal, value; /* normal: the component of the wall's normal in the direction of the face's velocity */
    float across;        /* the other component */
} pd_band_item;

/* Closed elements of an array near open ones, layer by layer. Layer 1 is next to open elements. */
typedef struct pd_band {
    pd_band_item *items;
    int count, capacity;
    int stride;
} pd_band;

void pd_band_free(pd_band *band);
/* Lists the closed faces and cells within `layers` elements of open ones. `known`: working memory, one byte for each
 * element. Returns false if memory was missing for some of them. */
bool pd_band_find_walls(const pd_mac *mac, int layers, uint8_t *known, pd_band *band_x, pd_band *band_y,
                        pd_band *band_cells);
/* Sets each value of a band to the mean of the item's neighbours. */
void pd_band_fill(const pd_band *band, float *values);
/* Sets the velocities of a band to those of the walls: the normal component at free-slip walls, both components at
 * no-slip walls. */
void pd_band_set_wall_velocities(pd_mac *mac, pd_band *band_x, pd_band *band_y);

#endif
