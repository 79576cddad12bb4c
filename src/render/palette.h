/* Palettes: each has a name, material colours, a colour map for fields and one for signed quantities. */
#ifndef PUDDLE_RENDER_PALETTE_H
#define PUDDLE_RENDER_PALETTE_H

#include <puddle/view.h>
#include <stdint.h>

int pd_palette_count(void);
const char *pd_palette_name(int palette_index);
int pd_palette_find(const char *name); /* returns the index of a palette, -1 for an unknown name */
/* Gets the colour of a palette's map at t in 0..1 (clamped, NAN: 0). rgb: receives sRGB components, 0..1. */
void pd_palette_get_map_colour(int palette_index, float t, float rgb[3]);
/* Gets the colour of a palette's signed map at t in -1..1 (clamped, NAN: 0). It is dark at 0 and equally light at -t
 * and t. */
void pd_palette_get_signed_map_colour(int palette_index, float t, float rgb[3]);
/* Gets the colour of the legend from low to high at t (0: low, 1: high). If low < 0 < high, uses the signed map with
 * its middle at the value 0, else the map. */
void pd_palette_get_legend_colour(int palette_index, float low, float high, float t, float rgb[3]);

/* Packs an sRGB colour (components 0..1) into a vertex attribute: red in the lowest byte, alpha 255. */
uint32_t pd_pack_colour(const float rgb[3]);
/* Returns the colour of the view's material with index `material`, packed as by pd_pack_colour. */
uint32_t pd_palette_material_colour(int palette_index, const pd_view *view, int material);

#endif
