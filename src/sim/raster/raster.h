/* Raster: the walls on a regular grid, for methods on staggered grids (marker and cell: velocities on faces, pressure
 * in cells). It stores the open fraction of each cell and face, and the velocity of the wall that covers a face.
 *
 * The grid may be larger or smaller than the container. The outside of a container is solid. Obstacles have their
 * poses at the end of the substep, and overlaps count once.
 *
 * Accuracy:
 * - face fractions: rounding errors;
 * - cells at one straight wall: rounding errors;
 * - cells at a round wall: 1e-3 from a radius of 2 cells on (5e-3 below), smaller with the curvature; the error of a
 *   circle's area is of third order in the cell size;
 * - cells where walls cross: 1e-2.
 *
 * Rounding: fractions within PD_RASTER_LEAST of 0 or 1 are rounded to 0 or 1, and a straight wall within this
 * distance (cells) of a line of faces closes the faces. So rounding of sizes to floats leaves no slivers. All faces
 * of a closed cell are closed.
 *
 * Walls do not leak: a box or polyline thinner than about a cell is thickened (pd_convex_part_list_of_solid), so that
 * open faces and cells do not connect its sides. This may close narrow gaps. Exception: boxes that touch at a corner
 * without overlap may leak there. */
#ifndef PUDDLE_SIM_RASTER_RASTER_H
#define PUDDLE_SIM_RASTER_RASTER_H

#include "sim/raster/part.h"
#include "sim/walls/boundary.h"

#define PD_RASTER_LEAST 1e-5 /* least open fraction, and least closed fraction, other than 0 */

/* Arrays are padded by PD_PADDING elements. Indices: cell (i, j) i + nx*j, the vertical face at its left i + (nx+1)*j,
 * the horizontal face below it i + nx*j. */
typedef struct pd_raster {
    pd_grid grid;  /* size of the grid */
    float *cell;   /* nx * ny: open fraction of the area, from 0 (solid) to 1 */
    float *face_x; /* (nx+1) * ny: open fraction of each vertical face's length */
    float *face_y; /* nx * (ny+1): open fraction of each horizontal face's length */
    /* Velocities of the walls, m/s: wall_u the x velocity at vertical faces, wall_v the y velocity at horizontal faces,
     * averaged over the covered part of the face. The wall carries the area (1 - open) * cell * velocity through the face
     * per second. It is 0 on open faces and where the container covers the face.
     * Rigid motion v + omega x r with the substep's mean v and omega makes the net flux out of a cell inside an
     * obstacle 0. Faces inside a wall also have the tangential velocities for no-slip stencils: the x velocity of a
     * horizontal wall is at the vertical faces that it covers. Properties of a box's sides (pd_wall: inflow, tangential
     * velocity, outflow) are not included. */
    float *wall_u, *wall_v;
    struct pd_raster_work *work; /* private to raster.c */
} pd_raster;

/* Creates the raster of a boundary. The grid must have a cell (asserted). Errors: OUT_OF_MEMORY. wall_layer_thickness,
 * m: thickness of a layer along the container's wall that fluid fills but no particle's centre enters; 0: no layer.
 * Where an obstacle is within a sixteenth of a cell of the layer, the layer counts as solid, since no particle reaches
 * the space between. In round containers this solid part is bounded by lines of the grid, not by radii. */
pd_result pd_raster_create(pd_raster **raster, const pd_grid *grid, const pd_boundary *boundary,
                           double wall_layer_thickness, pd_error *error);
/* Creates the raster of another boundary on the same grid, with the same wall layer and container, after an edit of the
 * scene. The result equals that of pd_raster_create bit for bit. Cost: O(cells around changed obstacles, parts of all
 * obstacles), and a copy of the arrays. Errors: OUT_OF_MEMORY. */
pd_result pd_raster_create_after_edit(pd_raster **raster, const pd_raster *before, const pd_boundary *boundary,
                                      pd_error *error);
void pd_raster_destroy(pd_raster *raster);
/* Updates the raster after pd_boundary_move_obstacles. Returns true if an obstacle has moved. The result equals that of
 * a new raster bit for bit. Cost: O(cells in the bounding boxes of moved obstacles, before and after), mostly in cells
 * that a wall cuts. */
bool pd_raster_update(pd_raster *raster, const pd_boundary *boundary);

#endif
