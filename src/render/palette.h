/* Palettes: material colours (how the scene's colours are shown) and a colour map for quantities, together under one
 * name. */
#ifndef PUDDLE_RENDER_PALETTE_H
#define PUDDLE_RENDER_PALETTE_H

#include <puddle/view.h>
#include <stdint.h>

int pd_palette_count(void);
const char *pd_palette_name(int palette);
int pd_palette_find(const char *name); /* -1: none */
/* Colour of the palette's map at t in 0..1, as linear 0..1 sRGB-encoded components. */
void pd_palette_map(int palette, float t, float rgb[3]);

/* A colour as a vertex attribute takes it: red in the lowest byte, alpha 255. */
uint32_t pd_colour_pack(const float rgb[3]);
/* How material `index` of the view looks in a palette. */
uint32_t pd_palette_material(int palette, const pd_view *view, int index);

#endif
