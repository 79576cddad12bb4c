/* Palettes: under one name, a colour for each material and a colour map for fields. */
#ifndef PUDDLE_RENDER_PALETTE_H
#define PUDDLE_RENDER_PALETTE_H

#include <puddle/view.h>
#include <stdint.h>

int pd_palette_count(void);
const char *pd_palette_name(int palette);
int pd_palette_find(const char *name); /* -1: none */
/* The colour of the palette's map at t in 0..1 (clamped; NAN: 0), as sRGB-encoded components 0..1. */
void pd_palette_map(int palette, float t, float rgb[3]);
/* The colour of the palette's map for signed quantities at t in -1..1 (clamped; NAN: 0): dark at 0, and equally light at
 * -t and t. */
void pd_palette_signed_map(int palette, float t, float rgb[3]);
/* The colour at t (0: low, 1: high) of a legend from low to high: of the signed map, with its middle at zero, if the legend
 * has values of both signs. */
void pd_palette_legend(int palette, float low, float high, float t, float rgb[3]);

/* Packs a colour for a vertex attribute: red in the lowest byte, alpha 255. */
uint32_t pd_colour_pack(const float rgb[3]);
/* The packed colour of material `index` of the view in a palette. */
uint32_t pd_palette_material(int palette, const pd_view *view, int index);

#endif
