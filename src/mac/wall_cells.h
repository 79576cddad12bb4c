/* Fluid cells beside walls, with the wall nearest to each of their covered faces. */
#ifndef PUDDLE_MAC_WALL_CELLS_H
#define PUDDLE_MAC_WALL_CELLS_H

#include "mac/mac.h"

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
