/* The walls on a regular grid, for methods whose quantities live on one (marker and cell: velocities on faces, pressure in cells):
 * which fraction of each cell and of each face is open, and how fast the wall moves where it is not.
 *
 * The grid is independent of the container and may be larger or smaller. Outside the container is solid; without a container
 * everything is open but the obstacles. Obstacles count where they stand at the end of the substep, in union: what two of
 * them cover, or one and the container, counts once.
 *
 * Face fractions are exact to rounding. Cell fractions are too where one straight wall bounds the cell; where a wall is round
 * the error is below 1e-3 of the cell from a radius of 2 cells (and below 5e-3 for smaller discs), shrinking with the curvature;
 * where walls cross in a cell it is below 1e-2. The error of a circle's area is of third order in the cell. Fractions
 * that differ from 0 or 1 by less than PD_RASTER_LEAST are 0 or 1, and a straight wall along a line of faces, to the same
 * part of a cell, closes them: sizes that floats cannot hold leave no slivers. All faces of a closed cell are closed.
 *
 * Nothing leaks: a box or polyline that is thinner than about a cell is made as thick as it must be (sim/part.h), so that the
 * two sides of a wall are not connected through open faces and cells however thin it is. Gaps narrower than what is added
 * may close. Not covered: boxes that meet at a corner without overlapping, which are thinner there than each of them. */
#ifndef PUDDLE_SIM_RASTER_H
#define PUDDLE_SIM_RASTER_H

#include "sim/boundary.h"
#include "sim/part.h"

#define PD_RASTER_LEAST 1e-5

/* Arrays have PD_PADDING elements behind them. Cell (i, j) is at i + nx*j; the vertical face at its left at i + (nx+1)*j; the
 * horizontal face below it at i + nx*j. */
typedef struct pd_raster {
    pd_grid grid;
    float *cell;   /* nx * ny: open fraction of the area, 0: solid, 1: open */
    float *face_x; /* (nx+1) * ny: open fraction of the length of each vertical face */
    float *face_y; /* nx * (ny+1): of each horizontal face */
    /* m/s: the wall's velocity normal to the face (x at vertical ones, y at horizontal ones), as the mean over the covered part of
     * the face: (1 - open) * cell * wall is the area that the wall carries through it per second. 0 on open faces; the container
     * rests. It is that of rigid motion, v + omega x r, with the mean v and omega of the substep, so the net flux out of
     * a cell inside one obstacle is 0. Inside a wall these are also the tangential velocities that a stencil of a no-slip
     * wall asks for: the x velocity of a horizontal wall stands at the vertical faces that it covers. What the scene gives to
     * the sides of a box (pd_wall: inflow, tangential velocity, outflow) is not here. */
    float *wall_x, *wall_y;
    struct pd_raster_work *work; /* its own */
} pd_raster;

/* The grid has at least one cell. The boundary is read only, and not kept. Errors: OUT_OF_MEMORY. */
pd_result pd_raster_create(pd_raster **raster, const pd_grid *grid, const pd_boundary *boundary, pd_error *error);
void pd_raster_destroy(pd_raster *raster);
/* Follows the boundary that it was created from, after pd_boundary_move. True when something has changed. Costs
 * O(cells of the boxes around the obstacles that have moved, before and after), most of it in the cells with a wall in
 * them. The result is the same, bit for bit, as that of a raster created anew. */
bool pd_raster_update(pd_raster *raster, const pd_boundary *boundary);

#endif
