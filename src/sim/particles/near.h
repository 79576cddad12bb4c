/* Search for free places, and growth of memory, for particles that emitters, the pour tool and methods add. */
#ifndef PUDDLE_SIM_PARTICLES_NEAR_H
#define PUDDLE_SIM_PARTICLES_NEAR_H

#include <puddle/world.h>

/* Particles around a place, sorted by cell in world->neighbours. */
typedef struct pd_near_particles {
    uint32_t mask;       /* number of buckets - 1; the number is a power of two */
    float free_distance; /* a particle nearer than this distance to a point occupies the point, m */
} pd_near_particles;

/* Lists the particles within `reach` (m) of `center`, sorted by cell, for
 * pd_near_particles_occupy_point with this free distance (m). Particles added later are not listed. The list is stored in
 * the arrays of the cell sort: the next substep or growth of the world's arrays invalidates the list. Cost: one pass over
 * the particles, and a counting sort of the particles within reach. */
pd_near_particles pd_near_particles_find(pd_world *world, pd_vec2 center, float reach, float free_distance);
/* Returns the square of the distance from a point to the nearest listed particle, m^2, at most that of the free distance. */
float pd_near_particles_square_distance(const pd_world *world, const pd_near_particles *list, pd_vec2 point);
/* Returns whether a listed particle is nearer to the point than the free distance. */
bool pd_near_particles_occupy_point(const pd_world *world, const pd_near_particles *list, pd_vec2 point);

/* Sets *cell_x and *cell_y to the cell of a point. Particles within the free distance of the point are in the 3 x 3 cells
 * around it. */
void pd_near_particles_cell_of_point(const pd_near_particles *list, pd_vec2 point, double *cell_x, double *cell_y);
/* Returns the bucket of a cell. With n = world->neighbours, the bucket's particles are
 * n.order[n.start[bucket]] to n.order[n.start[bucket + 1] - 1], including particles of other cells. */
uint32_t pd_near_particles_bucket_of_cell(const pd_near_particles *list, double cell_x, double cell_y);

/* Grows the arrays for `count` new particles. Returns the number of particles, up to `count`, that can be added: fewer at
 * PD_MAX_PARTICLES, or if memory runs out. */
int pd_world_reserve_new_particles(pd_world *world, int count);

#endif
