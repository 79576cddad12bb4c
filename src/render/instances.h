/* What the GPU is told of the particles: one interleaved array, filled on the CPU and uploaded once a frame. */
#ifndef PUDDLE_RENDER_INSTANCES_H
#define PUDDLE_RENDER_INSTANCES_H

#include "render/picture.h"

typedef struct pd_instance {
    float x, y;      /* m, between the step before and now */
    float weight;    /* of its splat; 1 inside a body of fluid */
    uint32_t colour; /* red in the lowest byte */
} pd_instance;

typedef struct pd_instances {
    pd_instance *items;
    int count, capacity;
    float *grid; /* crowding, see pd_instances_compute_weights */
    int grid_capacity;
    unsigned array, buffer;
} pd_instances;

void pd_instances_create(pd_instances *instances);
void pd_instances_free(pd_instances *instances);
/* Positions at picture->alpha and the mode's colours. */
void pd_instances_fill(pd_instances *instances, const pd_picture *picture);
/* Adds the reflections in the container's wall of all that is nearer to it than reach (m), so that a field made of them
 * does not fade towards the wall. */
void pd_instances_mirror(pd_instances *instances, const pd_container *container, float reach);
/* Sets the weights: 1 inside a body, more for a particle that is alone, less in a crowd. Continuous in the positions. */
void pd_instances_compute_weights(pd_instances *instances, float spacing);
void pd_instances_upload(pd_instances *instances);
/* One instanced draw of quads (vertices 0..3 of a strip); attributes: 0 position, 1 weight, 2 colour. */
void pd_instances_draw(const pd_instances *instances);

#endif
