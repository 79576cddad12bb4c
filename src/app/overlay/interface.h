/* The interface: panel, tool bar, dialogs and texts over the picture, each a layer with its own input and drawing. Layers change
 * the session and the viewport, and draw with `ui` between ui_begin_frame and ui_end_frame. All sizes are interface units. */
#ifndef PUDDLE_APP_OVERLAY_INTERFACE_H
#define PUDDLE_APP_OVERLAY_INTERFACE_H

#include "app/device/display.h"
#include "app/device/pointer.h"
#include "app/device/recorder.h"
#include "app/session/session.h"
#include "app/ui/ui.h"
#include "app/view/viewport.h"

/* Places of the interface in a frame. All layers and the picture of the world read them. Sizes are interface units. */
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

typedef struct pd_layer pd_layer;

/* Context that the functions of the layers receive in a frame or for an event. The window has one (pd_app_update_screen). */
struct pd_screen {
    pd_viewport *viewport;
    pd_session *session;
    ui *gui;
    const pd_pointer *pointer;
    const pd_display *display;
    pd_recorder *recorder;
    pd_exporter *exporter;
    pd_layout layout;           /* Places of bars and panes. */
    float x, y;                 /* Place of the pointer, interface units. */
    const pd_layer *at_pointer; /* Highest layer that covers the pointer. NULL: none. */
    double elapsed;             /* Seconds since the last frame. 0: for an event, or no time passes. */
    pd_action action;           /* Action to perform after the event or the frame. PD_ACTION_NONE: none. */
    int argument;               /* Argument of that action (pd_key_stroke.argument). */
};

/* A layer of the interface. A NULL function does nothing and returns false. */
struct pd_layer {
    bool modal; /* While open, the layer receives all keys, presses and wheel events, except F10 and Ctrl+Q. */
    bool hides; /* While open, the layer fills the window: the simulation stops, and lower layers are not drawn. */
    bool stops; /* While open, the simulation stops. */
    bool (*is_open)(const pd_screen *screen); /* Returns whether Escape would call `close`. */
    void (*close)(pd_screen *screen);
    bool (*covers_pointer)(const pd_screen *screen); /* Returns whether a press at the pointer is for the layer. */
    /* Input. Each returns whether the event was for the layer. left: left button; repeats: automatic repetition of a key. */
    bool (*handle_press)(pd_screen *screen, bool left);
    bool (*handle_key)(pd_screen *screen, int code, int modifiers, bool repeats);
    bool (*handle_wheel)(pd_screen *screen, float notches);
    /* Call after the pointer moved, its button was released, or it entered the window (arrives). */
    void (*pointer_moved)(pd_screen *screen, bool arrives);
    void (*draw)(pd_screen *screen);
    bool (*is_fading)(const pd_screen *screen); /* Returns whether an animation needs further frames. */
};

/* Each layer is defined after the functions that draw it. */
extern const pd_layer pd_zoom_layer, pd_ghost_layer, pd_hud_layer, pd_panes_layer, pd_toolbar_layer, pd_bar_layer,
    pd_timeline_layer, pd_offer_layer, pd_hint_layer, pd_probe_layer, pd_panel_layer, pd_opening_layer, pd_dialog_layer,
    pd_export_layer, pd_material_palette_layer, pd_help_layer, pd_browser_layer, pd_message_layer;

/* Returns the pane below the pointer. */
static inline const pd_pane *pd_screen_pane(const pd_screen *screen) {
    return &screen->layout.pane[screen->layout.pointed];
}

/* Sets the action that the window performs after the event or the frame. */
static inline void pd_screen_request(pd_screen *screen, pd_action action, int argument) {
    screen->action = action;
    screen->argument = argument;
}

/* layers.c: the functions of all layers in turn. Input goes to the highest layer first. */
void pd_layers_draw(pd_screen *screen);
/* Returns the highest layer that covers the pointer. NULL: none. */
const pd_layer *pd_layers_find_at_pointer(const pd_screen *screen);
bool pd_layers_press(pd_screen *screen, bool left);
bool pd_layers_key(pd_screen *screen, int code, int modifiers, bool repeats);
bool pd_layers_wheel(pd_screen *screen, float notches);
void pd_layers_pointer_moved(pd_screen *screen, bool arrives);
bool pd_layers_any_fading(const pd_screen *screen);
/* Returns the number of open layers that Escape would close. */
int pd_layers_count_open(const pd_screen *screen);
/* Closes the highest open layer. Returns whether one was open. */
bool pd_layers_close_highest(pd_screen *screen);
/* Returns whether a modal layer is open. */
bool pd_layers_any_modal(const pd_screen *screen);
/* Returns whether a layer fills the window. */
bool pd_layers_hide_picture(const pd_screen *screen);
/* Returns whether the simulation stops because of a layer. */
bool pd_layers_stop_time(const pd_screen *screen);

/* panes.c */
/* Reserves room for captions and graph in the pictures of a recording. Returns whether they have text. */
bool pd_panes_reserve_recorded_text(const pd_screen *screen, pd_picture *pictures, int count);
/* Draws legends, and over two pictures the names of the methods and the graph. screen->gui: interface of the recording, as
 * large as all pictures. */
void pd_panes_draw_recorded_text(const pd_screen *screen, const pd_picture *pictures, int count);

/* panel.c */
/* Delays the value of a parameter that rebuilds the method until the user releases the slider. Returns the change to apply in
 * this frame. *value: in: value of the slider; out: value to set. */
ui_change pd_panel_delay_slider(pd_held_slider *held, const pd_parameter *parameter, const ui_slider *slider,
                                ui_change change, float *value);

/* hud.c */
/* Call after Space was released. Returns whether Space pauses: it was pressed for the picture, and no drag moved the picture. */
bool pd_zoom_release_space(pd_viewport *viewport);

/* icons.c */
/* Draws the icon of an action around the centre (x, y). */
void pd_icon_draw_action(const pd_screen *screen, pd_action action, float x, float y);
/* Draws the icon of a tool around the centre (x, y). */
void pd_icon_draw(const pd_screen *screen, pd_bar_tool tool, float x, float y);

/* ghost.c */
/* Returns the distance from an item within which a press hits the item, m. */
float pd_ghost_hit_distance(const pd_screen *screen);
/* Adds the circle or the preview of the tool to the picture of a pane, if the pointer is over the picture or a press in the world
 * lasts. The marks last until the next call. */
void pd_ghost_describe(const pd_screen *screen, pd_picture *picture);

/* timeline.c */
/* Returns the log's tick at the place x on the time line. */
uint64_t pd_timeline_tick(const pd_viewport *viewport, const pd_session *session, float x);

/* message.c */
/* Computes the rectangle of the message. False: the dialog of a new container leaves no room. */
bool pd_message_place(const pd_screen *screen, pd_plate *plate);
/* Returns a hint if the picture shows no motion: the container is empty, or fluid without dyes and tracers rests or has a view
 * that hides motion. NULL: no hint is needed. */
const char *pd_hint_find(const pd_viewport *viewport, const pd_session *session);
/* Reads from the settings which first steps the user has done in earlier runs. */
void pd_hints_read_done(pd_viewport *viewport);
/* Records that the user has done a first step, also for later runs. */
void pd_hint_finish(pd_viewport *viewport, pd_hint hint);

/* opening.c */
/* Opens the card with the ways to begin. */
void pd_opening_open(pd_opening *opening, const pd_session *session);
/* At the start of a window without a scene: opens the card in the first run ever. In later runs offers to continue the last
 * session, if there is one. */
void pd_opening_begin(pd_viewport *viewport, const pd_session *session);

/* help.c */
/* Writes the path of the installed manual, or of docs/ in the source tree. False: neither exists. */
bool pd_help_find_manual(char *path, size_t size);
/* Writes what a key does under `method`, with the name of the parameter that Up and Down change. Returns text. */
char *pd_help_of_key(const pd_method_info *method, const pd_key *key, char *text, size_t size);

/* dialogs.c */
/* Opens the dialog of an action, in which the simulation stops. One is open at a time. False: the action has no dialog. */
bool pd_dialog_open(pd_screen *screen, pd_action action);

/* browser.c */
void pd_browser_open(pd_browser *browser, const pd_session *session);

/* probe.c */
/* Returns the seconds until the values beside the pointer appear. INFINITY: they are shown, or the pointer does not rest on
 * fluid. */
double pd_probe_seconds_left(const pd_screen *screen);

#endif
