/* Areas of convex parts within cells, in closed form. Unit of length: a cell. */
#ifndef PUDDLE_SIM_RASTER_CELL_AREA_H
#define PUDDLE_SIM_RASTER_CELL_AREA_H

#include "sim/raster/part.h"

/* Returns the area of a triangle or a rectangle (a part that is not round) within cell (i, j), [0, 1]. */
double pd_cell_area_of_part(const pd_convex_part *part, int i, int j);

#endif
