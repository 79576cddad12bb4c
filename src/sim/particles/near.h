/* Places for new particles: whether they are free of others, and memory for what is placed there. For emitters, and for
 * methods that place tracers. */
#ifndef PUDDLE_SIM_PARTICLES_NEAR_H
#define PUDDLE_SIM_PARTICLES_NEAR_H

#include <puddle/world.h>

/* A list of the particles around a place (sim/particles/near.h). */
typedef struct pd_near {
    uint32_t mask;  /* buckets of the list, less one: a power of two */
    float distance; /* m */
} pd_near;

/* Sorts the particles within `reach` (m) of a point by cell, to find those that are nearer than `free_distance` (m) to
 * places there. Particles added later do not count. Uses the arrays of the cell sort, which the next substep fills
 * again; growing the world ends the list. Cost: one pass over the particles, and a counting sort of those within reach. */
pd_near pd_near_list(pd_world *world, pd_vec2 center, float reach, float free_distance);
bool pd_near_occupied(const pd_world *world, const pd_near *list, pd_vec2 point);

/* The cell that a point is in, and the bucket of a cell: particles n->order[n->start[bucket]] .. of world->neighbours. What is
 * near a point is in the 3 x 3 cells around it, and buckets also hold particles of other cells. */
void pd_near_cell(const pd_near *list, pd_vec2 point, double *cell_x, double *cell_y);
uint32_t pd_near_bucket(const pd_near *list, double cell_x, double cell_y);

/* Grows the arrays for `more` particles; returns for how many there is room. Particles without room are not placed. A refusal of
 * memory sets world->limit, up to which there is memory: none is requested again until a scene begins. */
int pd_world_make_room(pd_world *world, int more);

/* Holds the world to a number of particles from now on. */
void pd_world_set_limit(pd_world *world, int particles);

#endif
