/* Table of palettes. Computes colours from their colour maps. */
#include "render/palette.h"

#include "core/oklab.h"
#include <math.h>
#include <string.h>

/* Numbers of colours for materials, in the map, and in each half of the signed map. */
enum { COLOURS = 6, STOPS = 6, HALF_STOPS = 3 };

/* Colours of a palette.
 *
 *     materials    differ in hue and lightness for colour-blind viewers; mixtures do not turn grey
 *     map          lightness increases from a colour that contrasts with the background
 *     signed map   dark in the middle, lightness increases towards both ends */
typedef struct palette {
    const char *name;                   /* name that the user sees */
    bool uses_scene_colours;            /* materials have the colours of the scene instead of those of the palette */
    uint32_t colours[COLOURS];          /* colours of materials, 0xrrggbb */
    uint32_t map[STOPS];                /* map, from low to high values */
    uint32_t signed_map[2][HALF_STOPS]; /* negative and positive half, each from the middle outwards */
} palette;

static const palette palettes[] = {
    {"scene",
     true,
     {0},
     {0x3b2a8c, 0x2f5fd0, 0x1f9fc4, 0x3fcf8e, 0xb9e34a, 0xfff6b0},
     {{0x2c56b8, 0x3d9bea, 0xc4ecff}, {0x9c3a2e, 0xf0843c, 0xffe6b4}}},
    {"ocean",
     false,
     {0x1e6fff, 0x22d3d8, 0xd8f6ff, 0x3b4fd8, 0x7be0b0, 0x0a9bd6},
     {0x16337a, 0x1c5bb0, 0x1b8cc9, 0x2fbccd, 0x86e2d4, 0xeafff7},
     {{0x1c5bb0, 0x2aa6cf, 0xc6f4f2}, {0x9a5a1e, 0xeba13f, 0xfff0cf}}},
    {"ember",
     false,
     {0xff4b2b, 0xffb02e, 0xe8306e, 0xfff0b8, 0xb3263f, 0xff7f3f},
     {0x5a1733, 0x97203c, 0xd43d33, 0xf77e2b, 0xfdbf45, 0xfff4c4},
     {{0x2d5878, 0x5b9dbd, 0xd2ecf4}, {0xa02b35, 0xf2743a, 0xffe3ae}}},
    {"aurora",
     false,
     {0x27e6a4, 0x8a5cff, 0x35b7ff, 0xd6ff7f, 0xff6ad5, 0x1fa88f},
     {0x3a2a86, 0x4a52c4, 0x2e8fcf, 0x21c3a8, 0x7ee787, 0xf0ffc2},
     {{0x4d3bb4, 0x9a7bff, 0xe6daff}, {0x14735f, 0x2fc79c, 0xd0ffe0}}},
    {"candy",
     false,
     {0xff5fa2, 0x5fd4ff, 0xffd85f, 0xa78bff, 0x7dffb5, 0xff8f5f},
     {0x54309a, 0x9440b8, 0xd95aae, 0xff8a94, 0xffc09a, 0xfff3d6},
     {{0x2f5fae, 0x56b4e6, 0xcdf0ff}, {0x9a2f74, 0xf2749c, 0xffdfe2}}},
    {"meadow",
     false,
     {0x5ecb4a, 0xf6d743, 0x1f9e89, 0xff8fb1, 0xb4de2c, 0x3f78c9},
     {0x2a3f7a, 0x1f6c8a, 0x229a7c, 0x5ec25a, 0xb6de3c, 0xfff8a6},
     {{0x2c4f9e, 0x5f9ade, 0xcfe6ff}, {0x2f7a3c, 0x86bf3c, 0xf2f6b0}}},
    {"mono",
     false,
     {0x8fa8c8, 0xe8eef8, 0x5c7394, 0xc0cfe4, 0x44566f, 0xa8b8cc},
     {0x2e3a4e, 0x4b5b74, 0x6e819d, 0x96a8c2, 0xc3d0e2, 0xf6f9ff},
     {{0x3c5372, 0x7f9fc6, 0xe2eeff}, {0x6b5a4c, 0xb39c86, 0xf8eee2}}},
    {"ink",
     false,
     {0x3d4bd8, 0xe4475b, 0xf2e9d8, 0x7a52c9, 0x2f8f9d, 0xd9a441},
     {0x34287a, 0x6b2f94, 0xa83a8c, 0xdc5a74, 0xf49a6c, 0xfbe6bd},
     {{0x3a3fae, 0x7f86ea, 0xdcdfff}, {0x96304a, 0xe4755f, 0xfde0c6}}},
};

int pd_palette_count(void) { return (int)(sizeof palettes / sizeof palettes[0]); }

static const palette *palette_at(int palette_index) {
    return &palettes[palette_index >= 0 && palette_index < pd_palette_count() ? palette_index : 0];
}

const char *pd_palette_name(int palette_index) { return palette_at(palette_index)->name; }

int pd_palette_find(const char *name) {
    for (int i = 0; i < pd_palette_count(); i++)
        if (!strcmp(palettes[i].name, name)) return i;
    return -1;
}

/* Converts an sRGB colour 0xrrggbb to OKLab. Colour maps are interpolated in OKLab, where equal differences look equal. */
static void hex_to_oklab(uint32_t hex, float lab[3]) {
    double linear[3], at[3];
    for (int i = 0; i < 3; i++) linear[i] = pd_srgb_to_linear((hex >> (16 - 8 * i) & 255) / 255.0);
    pd_linear_to_oklab(linear, at);
    for (int i = 0; i < 3; i++) lab[i] = (float)at[i];
}

/* Converts OKLab to sRGB, with components clamped to 0..1. Returns false if the colour is outside of sRGB. */
static bool oklab_to_srgb(const float lab[3], float rgb[3]) {
    double linear[3];
    pd_oklab_to_linear((double[]){(double)lab[0], (double)lab[1], (double)lab[2]}, linear);
    bool exact = true;
    for (int i = 0; i < 3; i++) {
        exact = exact && linear[i] >= -0.001 && linear[i] <= 1.001;
        rgb[i] = (float)pd_linear_to_srgb(fmin(fmax(linear[i], 0), 1));
    }
    return exact;
}

void pd_palette_get_map_colour(int palette_index, float t, float rgb[3]) {
    t = t > 0 ? fminf(t, 1) : 0; /* NAN: 0 */
    float position = t * (STOPS - 1);
    int stop = position < STOPS - 1 ? (int)position : STOPS - 2;
    float low[3], high[3];
    hex_to_oklab(palette_at(palette_index)->map[stop], low);
    hex_to_oklab(palette_at(palette_index)->map[stop + 1], high);
    for (int i = 0; i < 3; i++) low[i] += (high[i] - low[i]) * (position - (float)stop);
    oklab_to_srgb(low, rgb);
}

/* Computes hue and chroma (lab[1], lab[2] in OKLab) in one half of the signed map. t: distance from the middle, 0..1.
 * stops: colours of this half. */
static void compute_signed_map_hue_and_chroma(const uint32_t stops[HALF_STOPS], float t, float lab[3]) {
    float position = t * HALF_STOPS, low[3] = {0, -0.003f, -0.020f}, high[3];
    int stop = position < HALF_STOPS ? (int)position : HALF_STOPS - 1;
    if (stop > 0) hex_to_oklab(stops[stop - 1], low);
    hex_to_oklab(stops[stop], high);
    for (int i = 0; i < 3; i++) lab[i] = low[i] + (high[i] - low[i]) * (position - (float)stop);
}

void pd_palette_get_signed_map_colour(int palette_index, float t, float rgb[3]) {
    const float darkest = 0.25f, lightest = 0.94f; /* lightness in OKLab */
    float lab[3], distance = isnan(t) ? 0 : fminf(fabsf(t), 1);
    compute_signed_map_hue_and_chroma(palette_at(palette_index)->signed_map[t > 0], distance, lab);
    lab[0] = darkest + (lightest - darkest) * distance;
    /* Reduces the chroma until sRGB contains the colour. The lightness remains. */
    for (int k = 0; k < 40 && !oklab_to_srgb(lab, rgb); k++) {
        lab[1] *= 0.96f;
        lab[2] *= 0.96f;
    }
}

void pd_palette_get_legend_colour(int palette_index, float low, float high, float t, float rgb[3]) {
    float most = fmaxf(-low, high);
    if (low < 0 && high > 0 && isfinite(most))
        pd_palette_get_signed_map_colour(
            palette_index,
            t > 0 ? (float)(((double)low + ((double)high - (double)low) * (double)fminf(t, 1)) / (double)most)
                  : low / most,
            rgb);
    else
        pd_palette_get_map_colour(palette_index, t, rgb);
}

uint32_t pd_pack_colour(const float rgb[3]) {
    uint32_t packed = 0xff000000u;
    for (int i = 0; i < 3; i++) packed |= (uint32_t)lrintf(fminf(fmaxf(rgb[i], 0), 1) * 255) << (8 * i);
    return packed;
}

uint32_t pd_palette_material_colour(int palette_index, const pd_view *view, int material) {
    const palette *shown = palette_at(palette_index);
    if (shown->uses_scene_colours) {
        if (material < 0 || material >= view->material_count) return 0xffffffffu;
        const pd_material *own = &view->materials[material];
        return 0xff000000u | (uint32_t)own->blue << 16 | (uint32_t)own->green << 8 | own->red;
    }
    uint32_t hex = shown->colours[(unsigned)material % COLOURS];
    return 0xff000000u | (hex & 255) << 16 | (hex & 0xff00) | hex >> 16;
}
