/* Palettes: material colours and a colour map, together under one name (the public half is in renderer.h). */
#ifndef PUDDLE_RENDER_PALETTE_H
#define PUDDLE_RENDER_PALETTE_H

#include <puddle/view.h>
#include <stdint.h>

/* A colour as a vertex attribute takes it: red in the lowest byte, alpha 255. */
uint32_t pd_colour_pack(const float rgb[3]);
/* How material `index` of the view looks in a palette. */
uint32_t pd_palette_material(int palette, const pd_view *view, int index);

#endif
