/* Continuous collision detection: fast bodies stop where they touch others on their way. */
#ifndef PUDDLE_BODIES_CONTINUOUS_H
#define PUDDLE_BODIES_CONTINUOUS_H

#include "bodies/rows.h"

/* Shortens the motion of fast bodies in a solver step (pd_mover.end, pd_mover.turned), so that they do not pass through
 * walls, the container or each other. A body is fast if it moves by more than a quarter of its half width, relative to the
 * other. Velocities remain, so that the body bounces in the next step. Exception: jammed bodies lose speed. */
void pd_bodies_stop_fast(pd_bodies *bodies);

#endif
