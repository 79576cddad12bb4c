/* Staggered (marker-and-cell) grid over a scene's container: velocities on faces, walls as open fractions of faces and
 * cells, and the projection that makes the velocities free of divergence. All arrays have the layout of mac/layout.h.
 *
 * Sources: Harlow, Welch 1965; Batty, Bertails, Bridson, "A fast variational framework for accurate solid-fluid
 * coupling" 2007 (fractional faces, with the face fractions of Ng, Min, Gibou 2009); Bridson, "Fluid Simulation for
 * Computer Graphics", 2nd ed., ch. 4 to 6; free surface: Gibou, Fedkiw, Cheng, Kang 2002. */
#ifndef PUDDLE_MAC_MAC_H
#define PUDDLE_MAC_MAC_H

#include "mac/poisson/poisson.h"
#include "mac/raster/raster.h"

enum { PD_MAC_MOST_CELLS = PD_MAX_CELLS }; /* greatest number of cells along a side */

typedef struct pd_mac {
    pd_grid grid;             /* number of cells, lower left corner and cell size */
    pd_layout layout;         /* layout of all arrays */
    float *u, *v;             /* m/s: x velocity at the left face of each cell, y velocity at its lower face */
    float *open_x, *open_y;   /* open fractions of the left and the lower face of each cell, [0, 1] */
    float *wall_x, *wall_y;   /* velocity of the wall at these faces, normal to the face, m/s */
    float *open;              /* open fraction of the cell, [0, 1]; in ghost cells 1 behind an open side, else 0 */
    pd_poisson *poisson;      /* pressure equation */
    pd_wall sides[PD_WALLS];  /* sides of the container; without a container four open sides */
    double stopped_inflow;    /* m^2/s: inflow that is omitted because the fluid cannot leave its region */
    bool slip;                /* true: free-slip walls; false: no-slip walls */
    pd_raster *raster;        /* open fractions and velocities of the walls */
    struct pd_mac_work *work; /* private to mac.c */
    /* Fluid cells beside walls. reaction.c lists them at the first use after the walls have changed. */
    struct pd_mac_wall_cell *wall_cells; /* fluid cells of which a part, or a part of a face, is covered */
    int wall_cell_count, wall_cell_capacity;
    bool wall_cells_listed; /* false: wall_cells must be listed again */
} pd_mac;

/* Returns a grid that covers a container, with `resolution` cells along the shorter side. Without a container it is a
 * square of side 6 `length` (m), where `length` is half the extent of the fluid. Cells are larger if the longer side
 * would have more than PD_MAC_MOST_CELLS. */
pd_grid pd_mac_choose_grid(const pd_container *container, double length, int resolution);
/* Creates a grid whose velocities are 0. The boundary is read during the call only. skin: see pd_raster_create. Errors:
 * OUT_OF_MEMORY. */
pd_result pd_mac_create(pd_mac **mac, const pd_scene *scene, const pd_grid *grid, const pd_boundary *boundary,
                        double skin, pd_error *error);
void pd_mac_destroy(pd_mac *mac);
/* Updates the walls after pd_boundary_move_obstacles. Returns true if any wall has moved. */
bool pd_mac_update_walls(pd_mac *mac, const pd_boundary *boundary);
/* Replaces the walls by those of another boundary with the same container. On an error nothing changes. Errors:
 * OUT_OF_MEMORY. */
pd_result pd_mac_replace_walls(pd_mac *mac, const pd_boundary *boundary, pd_error *error);

/* Returns the centre of cell (i, j), m. */
pd_vec2 pd_mac_cell_center(const pd_mac *mac, int i, int j);
/* Cells [left, right] x [bottom, top]: all cells whose centres may lie within `reach` (m) of a point. */
typedef struct pd_cell_box {
    int left, right, bottom, top;
} pd_cell_box;
pd_cell_box pd_mac_cells_around(const pd_mac *mac, pd_vec2 center, pd_vec2 reach);

/* Liquid with a free surface. Functions with a parameter `liquid` accept NULL: all cells that are not solid are
 * fluid. */
typedef struct pd_liquid {
    /* Distance of each cell's centre to the surface, m: negative in the liquid, positive in air. Solid cells need it as
     * well. A ghost cell has the absolute value of the cell beside it: the open border of the grid is a surface. */
    const float *distance; /* by cell: signed distance to the surface, m */
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

/* Makes the velocities at the faces free of divergence in fluid cells. Pressure = poisson->q x reference
 * density x cell/dt. source: divergence that each cell gets instead of 0, 1/s, or NULL. In a closed region the mean of
 * the sources is subtracted from each cell. */
void pd_mac_project_velocities(pd_mac *mac, const pd_liquid *liquid, const float *source,
                               const pd_poisson_method *method, pd_pool *pool, pd_poisson_report *report);
/* Adds an irrotational field to the velocities at the faces, which expands each fluid cell by `rate` (1/s). Walls and
 * liquid must be the same as in the last pd_mac_project_velocities. */
void pd_mac_add_expansion(pd_mac *mac, const pd_liquid *liquid, const float *rate, const pd_poisson_method *method,
                          pd_pool *pool, pd_poisson_report *report);
/* Writes the net outflow of each cell over its area, 1/s, and returns the rms over the fluid cells. Solid cells, ghost
 * cells and air have 0. `divergence` may be NULL. */
double pd_mac_compute_divergence(const pd_mac *mac, const pd_liquid *liquid, float *divergence, pd_pool *pool);

#endif
