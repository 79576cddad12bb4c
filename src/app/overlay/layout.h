/* Places of the interface in a frame. All layers and the picture of the world read them. Sizes are interface units. */
#ifndef PUDDLE_APP_OVERLAY_LAYOUT_H
#define PUDDLE_APP_OVERLAY_LAYOUT_H

#include "app/ui/ui.h"
#include "app/view/viewport.h"

/* Sizes of the tool bar: side of a button, inner margin, gap between buttons, gap above the swatches, side of a swatch. Two
 * swatches and a gap are as wide as a button. */
static const float TOOL_BUTTON = 34, TOOL_PADDING = 4, TOOL_SPACE = 2, TOOL_SWATCHES_GAP = 8, TOOL_SWATCH = 16;
static const float CAPTION_HEIGHT = 28; /* height of the captions of two panes */
static const float LONGEST_RULER = 190; /* length of the longest scale bar */

/* A pane: the picture of a world. Pane 0 is the left or only one. */
typedef struct pd_pane {
    const pd_world *world;
    const pd_view *view;
    const pd_view_mode *mode;
    float left, right; /* Edges of the part that no bar covers. */
    int begin, end;    /* First column, and the column behind the last, pixels. */
    pd_framing
        framing; /* Margins for bars, captions, graph, scale bar and legend, for pixels from the window's corner. */
    pd_camera camera; /* Camera of the framed view, for pixels from the window's corner. */
    bool has_legend;  /* The picture has a legend, and room for it. */
    pd_legend legend; /* Legend, and where it lies. */
    ui_legend_place legend_place;
    float ruler;      /* Greatest length of the scale bar. 0: no scale bar. */
    pd_plate caption; /* Place of the caption. Height 0: none. */
} pd_pane;

enum { PD_PLATES = 12 };
typedef struct pd_layout {
    float width, height; /* Size of the window. */
    float bar, strip;    /* Heights of the bar at the top and of the strip at the bottom. 0: hidden. */
    float panel;         /* Width of the open panel at the right. 0: closed. */
    float left, right;   /* Right edge of the tool bar (0: hidden), left edge of the panel. */
    float top, bottom;   /* Heights that bar, captions, graph and strip cover above and below the panes. */
    float graph;         /* Height of the graph of two panes. 0: none. */
    pd_plate tools;      /* Place of the tool bar. */
    int columns;         /* Number of columns of the tool bar's buttons. */
    int swatches;        /* Number of swatches in the tool bar. */
    int panes;           /* Number of panes: 1 or 2. */
    pd_pane pane[2];
    int pointed; /* Index of the pane below the pointer. During a drag: of the pane where the press began. */
    pd_plate plates[PD_PLATES]; /* Rectangles over the picture that hold text, as far as this frame has drawn them. */
    int plate_count;
} pd_layout;

typedef struct pd_screen pd_screen;

/* Computes the places for the present state of session, viewport and display. Empties the list of plates. */
void pd_layout_update(pd_screen *screen);
/* Returns the height of the graph of two panes in a picture of this height. 0: there is no room. */
float pd_layout_graph_height(float picture_height);

bool pd_plate_contains(const pd_plate *plate, float x, float y);
void pd_plate_add(pd_layout *layout, const pd_plate *plate);
/* Draws a dark rectangle as background of text, and adds the rectangle to the list of this frame. */
void pd_plate_draw(pd_screen *screen, const pd_plate *plate, float opacity);
/* Returns whether no listed rectangle overlaps this one. */
bool pd_plate_is_free(const pd_layout *layout, const pd_plate *plate);
/* Returns whether a rectangle covers a part of the container in the first pane. */
bool pd_plate_covers_container(const pd_screen *screen, const pd_plate *plate);

#endif
