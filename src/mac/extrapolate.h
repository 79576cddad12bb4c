/* Continues velocities and dyes a few cells into walls and air, so that interpolation near a wall or a surface sees values
 * of the fluid (Bridson, "Fluid Simulation for Computer Graphics", 2nd ed., section 4.1). */
#ifndef PUDDLE_MAC_EXTRAPOLATE_H
#define PUDDLE_MAC_EXTRAPOLATE_H

#include "mac/mac.h"

#include <stdint.h>

/* An element that gets the mean of its neighbours; bit k of `sources` is set for neighbour k. */
typedef struct pd_band_item {
    uint32_t at;
    uint8_t sources;
    float normal, value; /* normal: the component of the wall's normal in the direction of the face's velocity */
    float across;        /* the other component */
} pd_band_item;

/* The closed elements of an array near open ones, those next to open ones first. */
typedef struct pd_band {
    pd_band_item *items;
    int count, capacity;
    int stride;
} pd_band;

void pd_band_free(pd_band *band);
/* Lists the closed faces and cells within `layers` elements of open ones. `known`: working memory, a byte for each
 * element. False: there was no memory for all of them. */
bool pd_band_find_walls(const pd_mac *mac, int layers, uint8_t *known, pd_band *band_x, pd_band *band_y,
                        pd_band *band_cells);
/* Sets the values of a band to means of their neighbours. */
void pd_band_fill(const pd_band *band, float *values);
/* Gives the velocities of a band the walls' velocities: their normal component at free-slip walls, both at others. */
void pd_band_meet_walls(pd_mac *mac, pd_band *band_x, pd_band *band_y);

#endif
