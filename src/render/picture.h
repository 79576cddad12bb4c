/* The description of a picture, shared by the renderer, its parts and its callers. */
#ifndef PUDDLE_RENDER_PICTURE_H
#define PUDDLE_RENDER_PICTURE_H

#include <puddle/view.h>

/* A part of a picture: pixels from its lower left corner. */
typedef struct pd_pixel_area {
    int x, y, width, height;
} pd_pixel_area;

/* One picture. */
typedef struct pd_picture {
    const pd_view *view;
    const pd_view_mode *mode; /* of the method whose view it is */
    pd_view_lines lines;      /* over it: mode->lines, or what was chosen instead */
    int palette;              /* index of render/palette.h */
    float alpha;              /* 0: the previous step, 1: the current one; positions are interpolated */
    int width, height;        /* pixels of the picture */
    /* What is drawn of it, into the target's lower left corner. Width 0, for pd_renderer_draw only: all of it. x and y are
     * even, so that the pairs of pixels from which shaders take derivatives are those of the whole picture. */
    pd_pixel_area area;
    float left;        /* pixels at its left that the view is fitted beside */
    float scale;       /* pixels per interface unit, for line widths: 1 at 100 %, 2 at 200 % */
    bool transparent;  /* without the background: colours multiplied by alpha, over nothing */
    bool deep;         /* the target has 16 bits a channel */
    bool show_tool;    /* a thin circle around the pointer */
    pd_vec2 tool;      /* centre of that circle, m */
    float tool_radius; /* m */
} pd_picture;

/* A legend: a colour bar from low to high. */
typedef struct pd_legend {
    const char *title; /* "speed" */
    const char *unit;  /* "m/s" */
    float low, high;
} pd_legend;

/* The legend of the field or of the circulations that the mode shows; false: it shows none, but the colours of the materials. */
bool pd_picture_legend(const pd_view *view, const pd_view_mode *mode, pd_legend *legend);

#define PD_LINES_COUNT (PD_LINES_ARROWS + 1)

/* "none", "contours", "streamlines" or "arrows" */
const char *pd_lines_name(pd_view_lines lines);
/* Whether these lines can be drawn over the mode's view: contours need a field of cells as an image, the others a velocity
 * field of cells. */
bool pd_lines_possible(const pd_view *view, const pd_view_mode *mode, pd_view_lines lines);

#endif
