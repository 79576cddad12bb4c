/* Particles as vertex attributes: one interleaved array, filled on the CPU and uploaded once a frame. */
#ifndef PUDDLE_RENDER_PARTICLES_INSTANCES_H
#define PUDDLE_RENDER_PARTICLES_INSTANCES_H

#include "render/picture.h"

typedef struct pd_instance {
    float x, y;      /* position, m, interpolated between the previous and the current step */
    float weight;    /* weight of the particle's splat; 1 inside a body of fluid */
    uint32_t colour; /* red in the lowest byte */
} pd_instance;

typedef struct pd_instances {
    pd_instance *items;
    int count, capacity;
    float *crowding_cells; /* crowding (density / density at rest) in cells */
    int crowding_capacity;
    unsigned array, buffer;
} pd_instances;

void pd_instances_create(pd_instances *instances);
void pd_instances_free(pd_instances *instances);
/* Sets the particles' positions at time picture->alpha, and their colours in the picture's view mode. */
void pd_instances_fill(pd_instances *instances, const pd_picture *picture);
/* Adds reflections in the container's wall of particles nearer to it than `reach` (m), so that the sum of splats does
 * not decrease towards the wall. */
void pd_instances_add_reflections(pd_instances *instances, const pd_container *container, float splat_radius);
/* Sets the splat weights, which are continuous in the positions: 1 inside a body at rest, above 1 for particles with
 * few neighbours, below 1 for particles that are closer than at rest. spacing: rest spacing, m. */
void pd_instances_compute_weights(pd_instances *instances, float spacing);
void pd_instances_upload(pd_instances *instances);
/* Draws all instances as quads (vertices 0..3 of a triangle strip) in one call. Attributes: 0 position, 1 weight, 2
 * colour. */
void pd_instances_draw(const pd_instances *instances);

#endif
