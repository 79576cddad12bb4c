/* Pressure of the film of fluid between a body and another wall.
 *
 * A side of a body that lies flush on a wall has no fluid cell beside it. Fluid still creeps between rough sides, and its
 * pressure lifts light bodies off the floor. The film's pressure varies linearly between that of the fluid at its ends. */
#ifndef PUDDLE_MAC_FILM_H
#define PUDDLE_MAC_FILM_H

#include "mac/reaction.h"

typedef struct pd_world pd_world;

/* Adds the impulses of films to those of the present substep. Parts of a gap with fluid cells have the pressure of these cells
 * already (pd_mac_add_wall_impulses). */
void pd_mac_add_film_impulses(const pd_mac *mac, const pd_world *world, const pd_mac_pressure *pressure);

#endif
