/* Description of a picture, for the renderer, its parts and its callers. */
#ifndef PUDDLE_RENDER_PICTURE_H
#define PUDDLE_RENDER_PICTURE_H

#include <puddle/view.h>

/* A part of a picture: pixels from its lower left corner. */
typedef struct pd_pixel_area {
    int x, y, width, height;
} pd_pixel_area;

/* Placement of the view in a picture. All zero: centred, and as large as possible. */
typedef struct pd_framing {
    float left, top, right, bottom; /* margins that the whole view leaves free, pixels */
    float zoom;                     /* magnification of the whole view; 0 means 1 */
    pd_vec2 shift;                  /* from the view's centre to the point shown in the middle, m */
} pd_framing;

/* Contents and size of a picture. */
typedef struct pd_picture {
    const pd_view *view;
    const pd_view_mode *mode; /* view mode of the world's method */
    pd_view_lines lines;      /* lines over the view: mode->lines, or a person's choice */
    int palette;              /* index of a palette (render/palette.h) */
    float alpha;       /* time between the previous step (0) and the current one (1), for interpolated positions */
    int width, height; /* size of the picture, pixels */
    /* Part to draw, into the target's lower left corner. Width 0, for pd_renderer_draw only: the whole picture. x and y
     * are even, so that shaders take derivatives from the same pairs of pixels as in the whole picture. */
    pd_pixel_area area;
    pd_framing framing;
    float scale;         /* pixels per interface unit: 1 at 100 %, 2 at 200 % */
    bool transparent;    /* draw no background; colours are premultiplied by alpha */
    bool plain;          /* draw a background of one colour, `background`, instead of the gradient */
    float background[3]; /* colour of a plain background: red, green, blue, 0 to 1 */
    bool no_outline;     /* draw neither the outline of the container nor drains */
    bool deep;           /* whether the target has 16 bits a channel */
    bool show_tool;      /* draw a thin circle around the pointer, for a tool */
    pd_vec2 tool;        /* centre of the circle, m */
    float tool_radius;   /* radius of the circle, m */
} pd_picture;

/* A legend: a colour bar from low to high. */
typedef struct pd_legend {
    const char *title; /* "speed" */
    const char *unit;  /* "m/s" */
    float low, high;
} pd_legend;

/* Gets the legend of the field or the circulations in the picture. Returns false if the colours are those of
 * materials. */
bool pd_picture_legend(const pd_view *view, const pd_view_mode *mode, pd_legend *legend);

#define PD_LINES_COUNT (PD_LINES_ARROWS + 1)

/* Returns "none", "contours", "streamlines" or "arrows". */
const char *pd_lines_name(pd_view_lines lines);
/* Returns whether lines can be drawn over the mode's view. Contours need a field of cells as an image; streamlines and
 * arrows need velocities in cells. */
bool pd_lines_possible(const pd_view *view, const pd_view_mode *mode, pd_view_lines lines);

#endif
