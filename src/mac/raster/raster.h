/* The walls on a regular grid, for methods on staggered grids (marker and cell: velocities on faces, pressure in
 * cells): the open fraction of each cell and of each face, and the velocity of the wall where it is not open.
 *
 * The grid is independent of the container and may be larger or smaller. The outside of the container is solid; without
 * a container only obstacles are. The solid region is the union of that and the obstacles in their poses at the end of
 * the substep: overlaps count once.
 *
 * Face fractions are exact to rounding. Cell fractions are too where one straight wall bounds the cell; at round walls
 * the error is below 1e-3 of the cell from a radius of 2 cells on (below 5e-3 for smaller discs) and decreases with the
 * curvature; where walls cross in a cell it is below 1e-2. The error of a circle's area is of third order in the cell
 * size. Fractions within PD_RASTER_LEAST of 0 or 1 are rounded to it, and a straight wall within this distance (cells)
 * of a line of faces closes them, so that sizes that floats cannot represent leave no slivers. All faces of a closed
 * cell are closed.
 *
 * Walls do not leak: a box or polyline thinner than about a cell is thickened (pd_part_of_solid), so that the two sides
 * of a wall are not connected through open faces and cells however thin it is. Gaps narrower than the thickness added
 * may close. Not covered: boxes that meet at a corner without overlapping, which are thinner there than each of
 * them. */
#ifndef PUDDLE_MAC_RASTER_RASTER_H
#define PUDDLE_MAC_RASTER_RASTER_H

#include "mac/raster/part.h"
#include "sim/walls/boundary.h"

#define PD_RASTER_LEAST 1e-5

/* Arrays are padded by PD_PADDING elements. Cell (i, j) has the index i + nx*j, the vertical face at its left i +
 * (nx+1)*j, the horizontal face below it i + nx*j. */
typedef struct pd_raster {
    pd_grid grid;
    float *cell;   /* nx * ny: open fraction of the area, 0: solid, 1: open */
    float *face_x; /* (nx+1) * ny: open fraction of the length of each vertical face */
    float *face_y; /* nx * (ny+1): of each horizontal face */
    /* m/s: the wall's velocity normal to the face (x at vertical faces, y at horizontal ones), averaged over the
     * covered part of the face: (1 - open) * cell * wall is the area that the wall carries through it per second. 0 on
     * open faces and where the container covers the face. It is that of rigid motion, v + omega x r, with the mean v
     * and omega of the substep, so the net flux out of a cell inside one obstacle is 0. Faces inside a wall also
     * provide the tangential velocities for no-slip stencils: the x velocity of a horizontal wall is at the vertical
     * faces that it covers. Properties of the sides of a box in the scene (pd_wall: inflow, tangential velocity,
     * outflow) are not included. */
    float *wall_x, *wall_y;
    struct pd_raster_work *work; /* private */
} pd_raster;

/* The grid must have at least one cell (asserted). The boundary is read during the call only. Errors: OUT_OF_MEMORY.
 * skin: thickness (m) of a layer along the container's wall that the centres of particles do not enter, while the fluid
 * they stand for does; 0: none. An obstacle that reaches the layer, to a sixteenth of a cell, closes it there: particles
 * cannot fill what would be open behind it. Round containers: along the lines of the grid, not radially. */
pd_result pd_raster_create(pd_raster **raster, const pd_grid *grid, const pd_boundary *boundary, double skin,
                           pd_error *error);
/* The raster of another boundary on the same grid, with the same skin and container: of the scene after an edit. The same, bit for
 * bit, as that of pd_raster_create. Cost: O(cells around the obstacles that are not the same in both, parts of all obstacles); a
 * copy of the arrays. Errors: OUT_OF_MEMORY. */
pd_result pd_raster_create_edited(pd_raster **raster, const pd_raster *before, const pd_boundary *boundary,
                                  pd_error *error);
void pd_raster_destroy(pd_raster *raster);
/* Updates the raster after pd_boundary_move of the boundary that it was created from. True when something has changed.
 * Cost: O(cells in the bounding boxes of the obstacles that have moved, before and after), most of it in mixed cells.
 * The result is the same, bit for bit, as that of a new raster. */
bool pd_raster_update(pd_raster *raster, const pd_boundary *boundary);

#endif
