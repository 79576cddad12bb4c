/* Blends the colours of mixed particles. */
#ifndef PUDDLE_RENDER_PARTICLES_MIXTURE_H
#define PUDDLE_RENDER_PARTICLES_MIXTURE_H

#include "render/particles/instances.h"

/* Changes the colour of each particle to the mean of its surroundings where the colours there are mixed. Particles at
 * an edge between two regions of one colour each retain their colours, so that the edge stays sharp. Colours are
 * continuous functions of the positions. spacing: rest spacing, m. */
void pd_mixture_blend_colours(pd_instances *instances, float spacing);

#endif
