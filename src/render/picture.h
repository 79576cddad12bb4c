/* What can be drawn and how: the words that the renderer, its parts and its callers share. */
#ifndef PUDDLE_RENDER_PICTURE_H
#define PUDDLE_RENDER_PICTURE_H

#include <puddle/view.h>

typedef enum pd_look {
    PD_LOOK_SURFACE,
    PD_LOOK_SPRITES,
    PD_LOOK_SPEED,
    PD_LOOK_DENSITY,
    PD_LOOK_PRESSURE,
    PD_LOOKS
} pd_look;

/* One picture. */
typedef struct pd_picture {
    const pd_view *view;
    pd_look look;
    int palette;       /* index of render/palette.h */
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

/* "surface", "sprites", ...; pd_look_find returns -1 when there is none. */
const char *pd_look_name(pd_look look);
int pd_look_find(const char *name);
/* False for looks without one (surface, sprites). */
bool pd_look_legend(pd_look look, const pd_view *view, pd_legend *legend);

#endif
