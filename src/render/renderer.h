/* The renderer: draws a pd_view into the current OpenGL 3.3 core context. It never learns which method made the view. */
#ifndef PUDDLE_RENDER_RENDERER_H
#define PUDDLE_RENDER_RENDERER_H

#include <puddle/view.h>

typedef enum pd_look {
    PD_LOOK_SURFACE,
    PD_LOOK_SPRITES,
    PD_LOOK_SPEED,
    PD_LOOK_DENSITY,
    PD_LOOK_PRESSURE,
    PD_LOOKS
} pd_look;

typedef struct pd_renderer pd_renderer;

/* One picture. */
typedef struct pd_picture {
    const pd_view *view;
    pd_look look;
    int palette;       /* index, 0 .. pd_palette_count() - 1 */
    float alpha;       /* 0: the step before, 1: now; drawn between */
    int width, height; /* pixels of the target framebuffer */
    float scale;       /* pixels per interface unit: 1 at 100 %, 2 at 200 %: line widths follow it */
    bool show_tool;    /* thin circle round the pointer */
    pd_vec2 tool;      /* m */
    float tool_radius; /* m */
} pd_picture;

/* What a legend shows: a colour bar from low to high. */
typedef struct pd_legend {
    const char *title; /* "speed" */
    const char *unit;  /* "m/s" */
    float low, high;
} pd_legend;

/* Needs a current context. Loads and links the shaders (core/file.h finds them).
 * Errors: GRAPHICS_UNAVAILABLE (older than 3.3), SHADER_BROKEN, DATA_MISSING, OUT_OF_MEMORY. */
pd_result pd_renderer_create(pd_renderer **renderer, pd_error *error);
void pd_renderer_destroy(pd_renderer *renderer);
/* Draws into framebuffer `target` (0: the window). Walls are drawn where the fluid ends, half a spacing beyond the
 * centres of the particles that touch them. Errors are none: buffers that cannot grow keep their last size. */
void pd_renderer_draw(pd_renderer *renderer, unsigned target, const pd_picture *picture);

/* "surface", "sprites", ...; pd_look_find returns -1 when there is none. */
const char *pd_look_name(pd_look look);
int pd_look_find(const char *name);
/* False for looks without one (surface, sprites). */
bool pd_look_legend(pd_look look, const pd_view *view, pd_legend *legend);

/* Palettes: material colours (how the scene's colours are shown) and a colour map for quantities, together under one
 * name. */
int pd_palette_count(void);
const char *pd_palette_name(int palette);
int pd_palette_find(const char *name); /* -1: none */
/* Colour of the palette's map at t in 0..1, as linear 0..1 sRGB-encoded components. */
void pd_palette_map(int palette, float t, float rgb[3]);

#endif
