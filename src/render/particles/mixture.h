/* Blends the colours of mixed particles. */
#ifndef PUDDLE_RENDER_PARTICLES_MIXTURE_H
#define PUDDLE_RENDER_PARTICLES_MIXTURE_H

#include "render/particles/instances.h"

/* Where particles of different colours are mixed, changes the colour of each particle to the mean colour around it.
 * Particles at an edge between two regions of one colour retain their colours, so that the edge remains sharp. The new
 * colours are continuous functions of the positions. spacing: rest spacing, m. */
void pd_mixture_blend_colours(pd_instances *instances, float spacing);

#endif
