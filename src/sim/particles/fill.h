/* Filling regions with particles. */
#ifndef PUDDLE_SIM_PARTICLES_FILL_H
#define PUDDLE_SIM_PARTICLES_FILL_H

#include "core/random.h"
#include "sim/particles/particles.h"
#include "sim/walls/boundary.h"
#include <puddle/scene.h>

/* Appends exactly `count` particles inside the region. Hex and grid lattices are centred on the region and mirror
 * symmetric in x; surplus points of a row are left out and the others spaced evenly, so there are no holes. Random fill
 * displaces the points of a hex lattice by so little that no two come nearer than about a third of the mean spacing.
 * In an image a particle has the material of its pixel; surplus points are left out evenly over all rows.
 * Points outside the container or inside an obstacle are moved to the nearest allowed place (pd_boundary_push_out).
 * Returns whether some were moved farther than half a spacing, and so may lie closer to others than the lattice would.
 * Needs room in particles (asserted). Cost: O(count); no allocation. */
bool pd_region_fill(const pd_region *region, int count, const pd_boundary *boundary, pd_random *random,
                    pd_particles *particles);

/* Appends the particles of a region that lists them, where they are; those in a wall (by more than a thousandth of a spacing, since
 * the file's walls are rounded) at the nearest allowed place. The result, and the room, are those of pd_region_fill. */
bool pd_region_place(const pd_region *region, const pd_boundary *boundary, pd_particles *particles);

/* Adds to a velocity what a vorton induces at (x, y) in open space: Biot-Savart's law with an algebraic core (Rosenhead
 * 1930), circulation / (2 pi) (-dy, dx) / (r^2 + core^2). */
void pd_vorton_induce(const pd_vorton *vorton, float x, float y, float *vx, float *vy);
/* The same for each particle's velocity and all vortons. */
void pd_vortons_induce(const pd_vorton *vortons, int count, pd_particles *particles);

#endif
