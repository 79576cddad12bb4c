/* Palettes: each has a name, colours of materials, a colour map for fields, and a colour map for signed quantities. */
#ifndef PUDDLE_RENDER_PALETTE_H
#define PUDDLE_RENDER_PALETTE_H

#include <puddle/view.h>
#include <stdint.h>

int pd_palette_count(void);
const char *pd_palette_name(int palette_index);
int pd_palette_find(const char *name); /* returns the index of the palette with this name; -1: unknown */
/* Gets the colour of a palette's colour map at t in 0..1 (other values are clamped, NAN is 0). rgb: receives the sRGB
 * components, 0..1. */
void pd_palette_get_map_colour(int palette_index, float t, float rgb[3]);
/* Gets the colour of a palette's signed colour map at t in -1..1 (other values are clamped, NAN is 0). The map is dark at
 * 0, and equally light at -t and t. */
void pd_palette_get_signed_map_colour(int palette_index, float t, float rgb[3]);
/* Gets the colour of a legend from `low` to `high` at the position t (0: low, 1: high). If low < 0 < high it is from the
 * signed colour map, whose middle is the value 0; otherwise from the colour map. */
void pd_palette_get_legend_colour(int palette_index, float low, float high, float t, float rgb[3]);

/* Packs an sRGB colour (components 0..1) into a vertex attribute: red in the lowest byte, alpha 255. */
uint32_t pd_pack_colour(const float rgb[3]);
/* Returns the colour of the view's material with index `material`, packed as by pd_pack_colour. */
uint32_t pd_palette_material_colour(int palette_index, const pd_view *view, int material);

#endif
