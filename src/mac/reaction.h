/* Impulses on walls by the pressure in the cells of a staggered grid.
 *
 * A cell's pressure acts on the parts of the cell's faces that walls cover. All walls together get the opposite of the
 * momentum that pd_mac_project_velocities adds to the open parts of the faces. */
#ifndef PUDDLE_MAC_REACTION_H
#define PUDDLE_MAC_REACTION_H

#include "mac/mac.h"
#include "sim/walls/impulses.h"

/* Time integral of the pressure, in units of impulse per m. weight = density * gravity * time. At position x:
 * - fluid without a surface, whose q lacks the hydrostatic pressure: unit * q + level + weight . x
 * - in cells of liquid: the greater of 0 and unit * q + relative density * weight . (x - centre of the cell). The
 *   second term is the gradient at rest. Without it the lift of a body would be a staircase of its height, with steps
 *   of a cell. */
typedef struct pd_mac_pressure {
    const float *q; /* by cell: solution of the pressure equation; 0 outside of the fluid */
    double unit, level;
    pd_double2 weight;       /* gradient of the pressure at rest */
    double body_factor;      /* factor on level and weight at bodies */
    const pd_liquid *liquid; /* liquid with a surface; NULL: none */
} pd_mac_pressure;

/* Adds the impulses of `pressure` on the walls to `impulses` of the present substep. */
void pd_mac_add_wall_impulses(pd_mac *mac, const pd_boundary *boundary, const pd_impulses *impulses,
                              const pd_mac_pressure *pressure);
/* Sums over all faces, weighted by their open fractions. Faces on the border of the grid count half. */
typedef struct pd_mac_sums {
    double x, y, squares; /* sums of the x velocities, the y velocities (m/s) and the squares of both (m^2/s^2) */
} pd_mac_sums;
pd_mac_sums pd_mac_sum_face_velocities(const pd_mac *mac);

/* Returns the place of a position in cells from the grid's lower left corner, m. */
pd_vec2 pd_mac_place(const pd_mac *mac, pd_double2 at);
/* Returns the index of the wall nearest to a partly covered face or cell. at: position in cells from the grid's lower
 * left corner. */
int pd_mac_find_nearest_wall(const pd_mac *mac, const pd_boundary *boundary, pd_double2 at);

/* Pressure of the film of fluid between a body and another wall.
 *
 * A side of a body that lies flush on a wall has no fluid cell beside it. Fluid still creeps between rough sides, and its
 * pressure lifts light bodies off the floor. The film's pressure varies linearly between that of the fluid at its ends. */

typedef struct pd_world pd_world;

/* Adds the impulses of films to those of the present substep. Parts of a gap with fluid cells have the pressure of these cells
 * already (pd_mac_add_wall_impulses). */
void pd_mac_add_film_impulses(const pd_mac *mac, const pd_world *world, const pd_mac_pressure *pressure);

/* Fluid cells beside walls, with the wall nearest to each of their covered faces. */

enum { PD_CELL_FACES = 4, PD_CELL_POSITIONS = 5 }; /* positions: the faces left, right, lower, upper; the centre */

/* Fluid cell of which a part, or a part of a face, is covered. */
typedef struct pd_mac_wall_cell {
    int i, j;           /* column and row of the cell */
    bool several_walls; /* there are several walls near the cell; set by pd_mac_find_wall_of_cell */
    /* By position: wall nearest to the centre of the face or of the cell. Private to reaction.c: use
     * pd_mac_find_wall_of_cell. */
    int16_t wall[PD_CELL_POSITIONS];
} pd_mac_wall_cell;

/* Displacement of each position from the cell's centre, in halves of a cell. */
extern const double pd_mac_cell_positions[PD_CELL_POSITIONS][2];

/* Lists mac->wall_cells anew if the walls have changed. Without memory the list lacks some cells. */
void pd_mac_list_wall_cells(pd_mac *mac);
/* Returns the wall nearest to a position of a wall cell. Searches it once after each change of the walls. */
int pd_mac_find_wall_of_cell(const pd_mac *mac, const pd_boundary *boundary, pd_mac_wall_cell *cell, int position);
/* Returns the covered fraction of a face of a wall cell, [0, 1]. */
double pd_mac_covered_fraction_of_face(const pd_mac *mac, const pd_mac_wall_cell *cell, int face);
/* Returns a position of a wall cell, m. */
pd_vec2 pd_mac_place_of_cell_position(const pd_mac *mac, const pd_mac_wall_cell *cell, int position);

#endif
