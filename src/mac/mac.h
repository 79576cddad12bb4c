/* Staggered (marker-and-cell) grid over a scene's container: velocities on faces, walls as open fractions of faces and
 * cells, and the projection that makes the velocities free of divergence. All arrays have the layout pd_layout (poisson/poisson.h).
 *
 * Sources: Harlow, Welch 1965; Batty, Bertails, Bridson, "A fast variational framework for accurate solid-fluid
 * coupling" 2007 (fractional faces, with the face fractions of Ng, Min, Gibou 2009); Bridson, "Fluid Simulation for
 * Computer Graphics", 2nd ed., ch. 4 to 6; free surface: Gibou, Fedkiw, Cheng, Kang 2002. */
#ifndef PUDDLE_MAC_MAC_H
#define PUDDLE_MAC_MAC_H

#include "mac/poisson/poisson.h"
#include "sim/raster/raster.h"

enum { PD_MAC_MOST_CELLS = PD_MAX_CELLS }; /* greatest number of cells along a side */

typedef struct pd_mac {
    pd_grid grid;           /* number of cells, lower left corner and cell size */
    pd_layout layout;       /* layout of all arrays */
    float *u, *v;           /* m/s: x velocity at the left face of each cell, y velocity at its lower face */
    float *open_x, *open_y; /* open fractions of the left face and the lower face of each cell, [0, 1] */
    float *wall_u, *wall_v; /* velocity of the wall at the left face and the lower face, normal to the face, m/s */
    float *open;            /* by cell: open fraction of its area, [0, 1]; ghost cells: 1 beyond an open side, else 0 */
    pd_poisson *poisson;    /* pressure equation */
    pd_wall sides[PD_WALLS]; /* sides of the container; without a container four open sides */
    double stopped_inflow;   /* m^2/s: flow through inflow sides that is omitted, because closed regions must balance */
    bool slip;               /* true: free-slip walls; false: no-slip walls */
    pd_raster *raster;       /* open fractions and velocities of the walls */
    struct pd_mac_work *work; /* private to mac.c */
    /* Fluid cells beside walls. reaction.c lists them at the first use after the walls have changed. */
    struct pd_mac_wall_cell *wall_cells;     /* fluid cells of which a part, or a part of a face, is covered */
    int wall_cell_count, wall_cell_capacity; /* number of wall_cells, and number for which memory is allocated */
    bool wall_cells_listed;                  /* true: wall_cells is up to date */
    struct pd_mac_body_face *body_faces;     /* covered faces at bodies, for the solve of coupling.c */
    int body_face_count, body_face_capacity; /* number of body_faces, and number for which memory is allocated */
} pd_mac;

/* Returns a grid that covers a container, with `resolution` cells along the shorter side. Without a container it is a
 * square of side 6 `length` (m) around `center` (m), where `length` is half the extent of the fluid. Cells are larger if the
 * longer side would have more than PD_MAC_MOST_CELLS. */
pd_grid pd_mac_choose_grid(const pd_container *container, pd_vec2 center, double length, int resolution);
/* Creates a grid whose velocities are 0. The boundary is read during the call only. wall_layer_thickness, m: see
 * pd_raster_create. Errors: OUT_OF_MEMORY. */
pd_result pd_mac_create(pd_mac **mac, const pd_scene *scene, const pd_grid *grid, const pd_boundary *boundary,
                        double wall_layer_thickness, pd_error *error);
void pd_mac_destroy(pd_mac *mac);
/* Updates the walls after pd_boundary_move_obstacles. Returns true if any wall has moved. */
bool pd_mac_update_walls(pd_mac *mac, const pd_boundary *boundary);
/* Replaces the walls by those of another boundary with the same container. On an error nothing changes. Errors:
 * OUT_OF_MEMORY. */
pd_result pd_mac_replace_walls(pd_mac *mac, const pd_boundary *boundary, pd_error *error);

/* Returns the centre of cell (i, j), m. */
pd_vec2 pd_mac_cell_center(const pd_mac *mac, int i, int j);
/* Rectangle of cells [left, right] x [bottom, top], both ends included. pd_mac_cells_around returns a rectangle with
 * all cells whose centres are within `reach` (m) of a point. */
typedef struct pd_cell_box {
    int left, right, bottom, top;
} pd_cell_box;
pd_cell_box pd_mac_cells_around(const pd_mac *mac, pd_vec2 center, pd_vec2 reach);

/* Liquid with a free surface. Functions with a parameter `liquid` accept NULL: all cells that are not solid are
 * fluid. */
typedef struct pd_liquid {
    /* By cell: signed distance of the cell's centre to the surface, m: negative in the liquid, positive in air. Solid
     * cells need a distance too. A ghost cell has the absolute value of the cell beside it: the open border of the grid
     * is a surface. */
    const float *distance;
    /* By face: above 0 if the face is in air but its velocity is known, as around drops. Both NULL: there are no such
     * faces. */
    const float *known_x, *known_y;
    const float *inverse_x, *inverse_y; /* by face: (reference density)/(density at the face); NULL: 1 */
} pd_liquid;

/* Sets the velocities on closed faces for interpolation near walls. At free-slip walls the component along the wall
 * becomes the fluid's, and the component normal to the wall becomes the wall's. At no-slip walls both become the
 * wall's. With a liquid, extrapolates its velocities into air as well. layers: depth of this extrapolation, cells. */
void pd_mac_extrapolate_velocities(pd_mac *mac, const pd_liquid *liquid, int layers, pd_pool *pool);
/* Extrapolates values of cells (dyes) into solid cells, two cells deep. */
void pd_mac_extrapolate_cells(const pd_mac *mac, float *values);

/* Projection: makes the velocities at the faces free of divergence in fluid cells. Afterwards the pressure is
 * poisson->q x reference density x cell/dt. source: divergence of each cell after the projection, 1/s; NULL: 0 in all
 * cells. In a closed region the mean of `source` is subtracted from each cell's source. */
void pd_mac_project_velocities(pd_mac *mac, const pd_liquid *liquid, const float *source,
                               const pd_poisson_method *method, pd_pool *pool, pd_poisson_report *report);
/* Adds an irrotational velocity field with the divergence `rate` (by fluid cell, 1/s) to the velocities at the faces.
 * Walls and liquid must be the same as in the last pd_mac_project_velocities. */
void pd_mac_add_expansion(pd_mac *mac, const pd_liquid *liquid, const float *rate, const pd_poisson_method *method,
                          pd_pool *pool, pd_poisson_report *report);
/* Computes the divergence by cell, 1/s: net outflow divided by the cell's area, 0 in solid cells, ghost cells and air.
 * Returns its rms over the fluid cells. `divergence` may be NULL. */
double pd_mac_compute_divergence(const pd_mac *mac, const pd_liquid *liquid, float *divergence, pd_pool *pool);

#endif
