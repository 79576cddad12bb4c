/* A staggered (marker-and-cell) grid over a scene's container: velocities on faces, walls as open fractions of faces and
 * cells, and the projection that makes the velocities free of divergence. All arrays have the layout of mac/layout.h.
 *
 * Sources: Harlow, Welch 1965; Batty, Bertails, Bridson, "A fast variational framework for accurate solid-fluid coupling"
 * 2007 (fractional faces, with the face fractions of Ng, Min, Gibou 2009); Bridson, "Fluid Simulation for Computer
 * Graphics", 2nd ed., ch. 4 to 6; free surface: Gibou, Fedkiw, Cheng, Kang 2002. */
#ifndef PUDDLE_MAC_MAC_H
#define PUDDLE_MAC_MAC_H

#include "mac/poisson/poisson.h"
#include "mac/raster/raster.h"

enum { PD_MAC_MOST_CELLS = PD_MAX_CELLS }; /* along a side */

typedef struct pd_mac {
    pd_grid grid; /* cells, origin and size of a cell, m */
    pd_layout layout;
    float *u, *v;           /* m/s: x velocity at the left face of each cell, y velocity at its lower face */
    float *open_x, *open_y; /* open fraction of these faces, 0 .. 1 */
    float *wall_x, *wall_y; /* m/s: velocity of the wall normal to the face, on its covered part */
    float *open;            /* open fraction of the cell's area, 0 .. 1; 0 in ghost cells, but 1 behind an open side */
    pd_poisson *poisson;
    pd_wall sides[PD_WALLS]; /* of the container; a missing container has four open sides */
    double stopped;          /* m^2/s: flow through inflow sides that would have no way out, and is left out */
    bool slip;               /* false: the fluid has the velocity of the walls at walls */
    pd_raster *raster;
    struct pd_mac_work *work; /* private */
    /* The cells beside walls, for reaction.c: found when they are needed. */
    struct pd_mac_beside *beside;
    int beside_count, beside_capacity;
    bool beside_known;
} pd_mac;

/* The grid with `resolution` cells along the shorter side of a container, which it covers. Without a container it is a
 * square of six times `length` (m), half the extent of the fluid. Where the longer side would have more than
 * PD_MAC_MOST_CELLS, cells are larger. */
pd_grid pd_mac_grid(const pd_container *container, double length, int resolution);
/* The boundary is read during the call only; velocities are 0. skin: see pd_raster_create. Errors: OUT_OF_MEMORY. */
pd_result pd_mac_create(pd_mac **mac, const pd_scene *scene, const pd_grid *grid, const pd_boundary *boundary,
                        double skin, pd_error *error);
void pd_mac_destroy(pd_mac *mac);
/* Reads the walls again after pd_boundary_move_obstacles; true when any has moved. */
bool pd_mac_update(pd_mac *mac, const pd_boundary *boundary);
/* Reads the walls of another boundary with the same container, from then on. On an error nothing has changed. Errors:
 * OUT_OF_MEMORY. */
pd_result pd_mac_replace_walls(pd_mac *mac, const pd_boundary *boundary, pd_error *error);

/* The middle of cell (i, j), m. */
pd_vec2 pd_mac_center(const pd_mac *mac, int i, int j);
/* The cells whose centres may lie within `reach` (m) of a point, the last ones included. */
typedef struct pd_cell_box {
    int left, right, bottom, top;
} pd_cell_box;
pd_cell_box pd_mac_cells_around(const pd_mac *mac, pd_vec2 center, pd_vec2 reach);

/* The liquid of a free surface. NULL, where functions below take one: all cells that are not solid are fluid. */
typedef struct pd_liquid {
    /* m, of each cell's centre: distance to the surface, negative in the liquid, positive in air. Also needed in solid
     * cells, and in ghost cells, where it is positive and as much as in the cell beside: the border of the grid is a
     * surface, where it is open. */
    const float *distance;
    /* Faces in air that have a velocity of their own, as those around drops have: where these are above 0. Both NULL: no
     * faces. */
    const float *known_x, *known_y;
    const float *inverse_x, *inverse_y; /* of the density at the faces, relative to that of the pressure; NULL: 1 */
} pd_liquid;

/* Sets the velocities on closed faces, so that interpolation near walls has the fluid's velocity: continued from the
 * fluid along free-slip walls with the wall's velocity normal to them, or the wall's velocity where they are no-slip. With
 * a liquid, velocities in air are continued from the liquid as well. `layers`: cells deep. */
void pd_mac_extrapolate(pd_mac *mac, const pd_liquid *liquid, int layers, pd_pool *pool);
/* Continues values of cells (dyes) into solid cells, two cells deep. */
void pd_mac_extrapolate_cells(const pd_mac *mac, float *values);

/* The pressure projection: makes the velocities at the faces free of divergence, in fluid cells. The pressure is
 * poisson->q times density times cell / dt. source: the divergence that each cell is to have, 1/s; NULL: 0. In a region
 * that is closed, what sources add is taken from all its cells alike. */
void pd_mac_project(pd_mac *mac, const pd_liquid *liquid, const float *source, const pd_poisson_method *method,
                    pd_pool *pool, pd_poisson_report *report);
/* Adds to the velocities at the faces a field that expands each fluid cell by `rate` (1/s), and has no rotation. For walls
 * and liquid that have not changed since pd_mac_project. */
void pd_mac_expand(pd_mac *mac, const pd_liquid *liquid, const float *rate, const pd_poisson_method *method,
                   pd_pool *pool, pd_poisson_report *report);
/* Net outflow of each cell over its area, 1/s; 0 in solid cells and ghost cells (and in air). Returns the rms over the
 * fluid cells. `divergence` may be NULL. */
double pd_mac_divergence(const pd_mac *mac, const pd_liquid *liquid, float *divergence, pd_pool *pool);

#endif
