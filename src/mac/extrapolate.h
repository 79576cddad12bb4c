/* Extrapolation of velocities and dyes into walls and air, a few cells deep. Interpolation near a wall or a surface
 * then sees values of the fluid (Bridson, "Fluid Simulation for Computer Graphics", 2nd ed., section 4.1). */
#ifndef PUDDLE_MAC_EXTRAPOLATE_H
#define PUDDLE_MAC_EXTRAPOLATE_H

#include "mac/mac.h"

#include <stdint.h>

/* Closed face (open fraction 0) or solid cell. Extrapolation sets its value to the mean of the neighbours in
 * `sources`. */
typedef struct pd_band_item {
    uint32_t at;     /* index of the face or cell in the arrays of the grid */
    uint8_t sources; /* bit k: neighbour k (step_x, step_y in extrapolate.c) is in an earlier layer */
    float normal;    /* faces only: component of the wall's unit normal along the velocity that the face stores */
    float value;     /* faces only: velocity that pd_band_set_wall_velocities sets, m/s */
    float across;    /* faces only: component of the wall's unit normal parallel to the face */
} pd_band_item;

/* Band: the closed faces or solid cells of one array that are near open faces or fluid cells. They are listed layer
 * by layer. Layer 1 touches open faces or fluid cells. */
typedef struct pd_band {
    pd_band_item *items; /* closed faces or solid cells, in the order of the layers */
    int count, capacity; /* number of items, and number for which memory is allocated */
    int stride;          /* distance of two rows of the array, floats */
} pd_band;

void pd_band_free(pd_band *band);
/* Lists the closed faces and solid cells at most `layers` elements away from open faces or fluid cells. known:
 * working memory, one byte for each element. Returns false if memory is missing; some faces or cells are then not
 * listed. */
bool pd_band_list_closed_elements(const pd_mac *mac, int layers, uint8_t *known, pd_band *band_x, pd_band *band_y,
                                  pd_band *band_cells);
/* Sets the value at each item of a band to the mean of the values at its `sources`, layer by layer. */
void pd_band_extrapolate(const pd_band *band, float *values);
/* Sets the velocities at the bands' faces. At free-slip walls only the component normal to the wall becomes the
 * wall's. At no-slip walls both components become the wall's. */
void pd_band_set_wall_velocities(pd_mac *mac, pd_band *band_x, pd_band *band_y);

#endif
