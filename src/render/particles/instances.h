/* Particles as instances for the GPU: position, splat weight and colour of each, computed on the CPU and uploaded once a
 * frame. */
#ifndef PUDDLE_RENDER_PARTICLES_INSTANCES_H
#define PUDDLE_RENDER_PARTICLES_INSTANCES_H

#include "render/picture.h"
#include <stdbool.h>

/* Grid of square cells over all particles. Each cell contains sums over the particles near it. */
typedef struct pd_particle_grid {
    float *cells;      /* sums_per_cell sums for each cell, row by row */
    int capacity;      /* number of allocated sums */
    int sums_per_cell; /* number of sums in a cell */
    float per_metre;   /* number of cells per metre */
    /* size of the grid, cells: powers of two, since positions outside the grid wrap around to the opposite side */
    unsigned columns, rows;
} pd_particle_grid;

typedef struct pd_instance {
    float x, y;      /* position, interpolated between two steps to the time of the picture, m */
    float weight;    /* factor by which the particle's splat is multiplied; 1 inside fluid at rest */
    uint32_t colour; /* sRGB colour, packed by pd_pack_colour */
} pd_instance;

typedef struct pd_instances {
    pd_instance *items;        /* instances of the particles, then of their mirror images behind the walls */
    int count, capacity;       /* number of items, and number for which memory is allocated */
    pd_particle_grid crowding; /* per cell: sum of the particles' spline weights, for the splat weights */
    pd_particle_grid colour_sums, mixtures; /* per cell: sums of colours, mixed colour; used only for mixed colours */
    unsigned array, buffer;                 /* OpenGL names of the vertex array and the buffer of the items */
} pd_instances;

void pd_instances_create(pd_instances *instances);
void pd_instances_free(pd_instances *instances);
/* Sets the particles' positions at the time picture->alpha between two steps, and their colours in the picture's view
 * mode. */
void pd_instances_set_from_view(pd_instances *instances, const pd_picture *picture);
/* Adds a mirror image behind the container's wall for each particle nearer to the wall than splat_radius (m). Without
 * mirror images the sum of splats would decrease towards the wall. */
void pd_instances_add_reflections(pd_instances *instances, const pd_container *container, float splat_radius);
/* Computes the splat weight of each instance: 1 inside fluid at rest, above 1 for particles with few neighbours, below 1
 * where particles are denser than at rest. Weights are continuous functions of the positions. spacing: rest spacing, m. */
void pd_instances_compute_weights(pd_instances *instances, float spacing);
/* Copies the items to the GPU. */
void pd_instances_upload(pd_instances *instances);
/* Draws each instance as a rectangle (a triangle strip with the vertices 0..3) by the current shader program. Its
 * attributes: 0 position, 1 weight, 2 colour. */
void pd_instances_draw(const pd_instances *instances);

/* Blends the colours of mixed particles. */

/* Where particles of different colours are mixed, changes the colour of each particle to the mean colour around it.
 * Particles at an edge between two regions of one colour retain their colours, so that the edge remains sharp. The new
 * colours are continuous functions of the positions. spacing: rest spacing, m. */
void pd_mixture_blend_colours(pd_instances *instances, float spacing);

/* Draws particles as discs in one instanced draw call. */
typedef struct pd_sprites {
    unsigned program;             /* OpenGL name of the shader program */
    int to_pixels, radius, gloss; /* locations of the shader's uniforms of these names */
} pd_sprites;

pd_result pd_sprites_create(pd_sprites *sprites, pd_error *error);
void pd_sprites_free(pd_sprites *sprites);
/* Draws each instance as a disc into the bound framebuffer. Call pd_instances_upload first. */
void pd_sprites_draw(const pd_sprites *sprites, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera);

#endif
