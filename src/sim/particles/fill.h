/* Fills the regions of a scene with particles when the scene starts, and adds velocities that the scene's vortons
 * induce. */
#ifndef PUDDLE_SIM_PARTICLES_FILL_H
#define PUDDLE_SIM_PARTICLES_FILL_H

#include "core/random.h"
#include "sim/particles/particles.h"
#include "sim/walls/boundary.h"
#include <puddle/scene.h>

/* Appends `count` particles inside the region, less those whose places are in bodies, and those for which the walls leave
 * no place. They are arranged by region->fill:
 * - hex, grid: a lattice, centred on the region and mirror symmetric in x. Surplus points of a row are left out. The
 *   row's other points are spaced evenly.
 * - random: the points of a hex lattice, displaced. No two are nearer than about a third of the mean spacing.
 * - image: points in pixels with fluid, with the pixel's material. Surplus points are left out evenly over all rows.
 * Points in the container's wall or an obstacle are moved to the nearest allowed place (pd_boundary_push_out_of_walls).
 * Returns whether any point was moved by more than half a spacing: such a particle may be too close to other particles.
 * The particles must have capacity (asserted). Cost: O(count); no allocation. */
bool pd_region_add_particles(const pd_region *region, int count, const pd_boundary *boundary, pd_random *random,
                             pd_particles *particles);

/* Appends the particles that a region lists, at their places. Particles deeper in a wall than 1/1000 of a spacing
 * (rounding of the scene file) are moved to the nearest allowed place, or left out if the walls leave
 * none. Returns whether any particle was moved by more than half a spacing. The particles must have capacity (asserted). */
bool pd_region_add_listed_particles(const pd_region *region, const pd_boundary *boundary, pd_particles *particles);

/* Adds the velocity that a vorton induces at (x, y) in open space to (*vx, *vy): Biot-Savart's law with an algebraic core
 * (Rosenhead 1930), circulation / (2 pi) (-dy, dx) / (r^2 + core^2). */
void pd_vorton_add_velocity(const pd_vorton *vorton, float x, float y, float *vx, float *vy);
/* Adds the velocities induced by all vortons to each particle's velocity. */
void pd_vortons_add_velocities(const pd_vorton *vortons, int count, pd_particles *particles);

#endif
