/* What can be drawn and how: the words that the renderer, its parts and its callers share. */
#ifndef PUDDLE_RENDER_PICTURE_H
#define PUDDLE_RENDER_PICTURE_H

#include <puddle/view.h>

/* One picture. */
typedef struct pd_picture {
    const pd_view *view;
    const pd_view_mode *mode; /* of the method whose view it is */
    int palette;              /* index of render/palette.h */
    float alpha;              /* 0: the step before, 1: now; drawn between */
    int width, height;        /* pixels of the target framebuffer */
    float scale;              /* pixels per interface unit: 1 at 100 %, 2 at 200 %: line widths follow it */
    bool show_tool;           /* thin circle round the pointer */
    pd_vec2 tool;             /* m */
    float tool_radius;        /* m */
} pd_picture;

/* What a legend shows: a colour bar from low to high. */
typedef struct pd_legend {
    const char *title; /* "speed" */
    const char *unit;  /* "m/s" */
    float low, high;
} pd_legend;

/* The legend of the field that the mode shows; false: it shows none, and the colours are those of the materials. */
bool pd_picture_legend(const pd_view *view, const pd_view_mode *mode, pd_legend *legend);

#endif
