/* Palettes: named sets of material colours with a colour map for fields. */
#ifndef PUDDLE_RENDER_PALETTE_H
#define PUDDLE_RENDER_PALETTE_H

#include <puddle/view.h>
#include <stdint.h>

int pd_palette_count(void);
const char *pd_palette_name(int palette);
int pd_palette_find(const char *name); /* returns a palette's index, -1 for an unknown name */
/* Gets the colour of a palette's map at t in 0..1 (clamped; NAN: 0). rgb: sRGB components, 0..1. */
void pd_palette_map_colour(int palette, float t, float rgb[3]);
/* Gets the colour of a palette's map for signed quantities at t in -1..1 (clamped; NAN: 0): dark at 0, and equally
 * light at -t and t. */
void pd_palette_signed_map_colour(int palette, float t, float rgb[3]);
/* Gets the colour at t (0: low, 1: high) of a legend. If low and high have different signs, the signed map is used with
 * its middle at the value 0. */
void pd_palette_legend_colour(int palette, float low, float high, float t, float rgb[3]);

/* Packs a colour for a vertex attribute: red in the lowest byte, alpha 255. */
uint32_t pd_pack_colour(const float rgb[3]);
/* Returns the colour of a material of the view, packed as by pd_pack_colour. */
uint32_t pd_palette_material_colour(int palette, const pd_view *view, int material);

#endif
