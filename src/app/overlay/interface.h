/* The interface: what lies over the picture and beside it, as layers. Layers read and change the session and the
 * viewport, and draw with `ui` between ui_begin and ui_end, in interface units. */
#ifndef PUDDLE_APP_OVERLAY_INTERFACE_H
#define PUDDLE_APP_OVERLAY_INTERFACE_H

#include "app/device/display.h"
#include "app/device/pointer.h"
#include "app/device/recorder.h"
#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/view/viewport.h"

/* Context of a frame or of an event. */
typedef struct pd_screen {
    pd_viewport *viewport;
    pd_session *session;
    ui *gui;
    const pd_pointer *pointer;
    const pd_display *display;
    pd_recorder *recorder;
    float x, y;       /* Place of the pointer, interface units. */
    double elapsed;   /* Seconds since the previous frame. 0: an event, or a frame without a step. */
    pd_action action; /* Action that a layer asks of the window. PD_ACTION_NONE: none. */
} pd_screen;

/* A layer of the screen. A function that is NULL does nothing and returns false. */
typedef struct pd_layer {
    bool modal; /* While open, the layer receives all keys, presses and turns of the wheel, except F10 and Ctrl+Q. */
    bool hides; /* While open, the layer fills the window: time stops, and lower layers are not drawn. */
    bool (*is_open)(const pd_screen *screen); /* Whether Escape closes the layer. */
    void (*close)(pd_screen *screen);
    bool (*covers)(const pd_screen *screen); /* Whether a press at the pointer is for the layer. */
    /* Input. Each returns whether it was for the layer. left: by the left button; repeats: the key is held. */
    bool (*press)(pd_screen *screen, bool left);
    bool (*key)(pd_screen *screen, int code, int modifiers, bool repeats);
    bool (*wheel)(pd_screen *screen, float notches);
    void (*point)(pd_screen *screen, bool arrives); /* The pointer moved, was released, or arrives in the window. */
    void (*draw)(pd_screen *screen);
    bool (*is_fading)(const pd_screen *screen); /* Whether frames are needed although the world rests. */
} pd_layer;

/* Each in the file of its name. */
extern const pd_layer pd_brush_layer, pd_ghost_layer, pd_hud_layer, pd_panes_layer, pd_toolbar_layer, pd_timeline_layer,
    pd_hint_layer, pd_probe_layer, pd_panel_layer, pd_new_scene_layer, pd_material_palette_layer, pd_help_layer,
    pd_browser_layer, pd_message_layer;

/* layers.c: all layers. Input goes to the highest first. */
void pd_layers_draw(pd_screen *screen);
/* Returns whether a layer above this one takes a press at the pointer. layer: NULL for all layers. */
bool pd_layers_cover(const pd_screen *screen, const pd_layer *layer);
/* Returns whether the tool is shown: the pointer is over the picture, or a press in the world goes on. */
bool pd_layers_show_tool(const pd_screen *screen);
bool pd_layers_press(pd_screen *screen, bool left);
bool pd_layers_key(pd_screen *screen, int code, int modifiers, bool repeats);
bool pd_layers_wheel(pd_screen *screen, float notches);
void pd_layers_point(pd_screen *screen, bool arrives);
bool pd_layers_fading(const pd_screen *screen);
/* Returns whether Escape closes a layer. */
bool pd_layers_open(const pd_screen *screen);
/* Closes the highest open layer. Returns whether one was open. */
bool pd_layers_close(pd_screen *screen);
/* Returns whether a modal layer is open. */
bool pd_layers_modal(const pd_screen *screen);
/* Returns whether a layer fills the window. */
bool pd_layers_hide_picture(const pd_screen *screen);

/* plates.c: places over the picture that text of this frame covers, in interface units. */
bool pd_plate_contains(const pd_plate *plate, float x, float y);
/* Returns whether the pointer is on a button of a layer: no press is in progress, and no higher layer is in between. */
bool pd_plate_hovered(const pd_screen *screen, const pd_layer *layer, const pd_plate *plate);
void pd_plate_add(pd_viewport *viewport, const pd_plate *plate);
/* Draws the background of text, and adds its place. */
void pd_plate_draw(pd_screen *screen, const pd_plate *plate, float opacity);
bool pd_plate_is_free(const pd_viewport *viewport, const pd_plate *plate);

/* panes.c: the picture, or two side by side. Pane 0 is the left or only one. */
int pd_panes_count(const pd_screen *screen);
/* Returns where the right pane begins, interface units. With one pane: where the picture ends beside the panel. */
float pd_panes_split(const pd_screen *screen);
/* Sets where the right pane begins and ends, pixels. */
void pd_panes_pixels(const pd_screen *screen, int *split, int *end);
/* Returns the camera of a pane; its pixels are those of the window. */
pd_camera pd_panes_camera(const pd_screen *screen, int pane);
/* Camera, view and world of the pane in which the pointer is. */
pd_camera pd_panes_pointer_camera(const pd_screen *screen);
const pd_view *pd_panes_view(const pd_screen *screen);
const pd_world *pd_panes_world(const pd_screen *screen);
/* Updates in which pane the pointer is. */
void pd_panes_find(const pd_screen *screen);

/* panel.c */
/* Returns whether the window has room for the picture beside the panel. Otherwise the panel covers the picture. */
bool pd_panel_docks(const pd_screen *screen);
/* Width at the right that the panel covers, interface units. */
float pd_panel_cover(const pd_screen *screen);
/* Size of the window without a docked panel, pixels. */
void pd_panel_picture_size(const pd_screen *screen, int *width, int *height);
void pd_bundled_find(pd_bundled *bundled);
/* Draws a row with a slider for a number; sets label, text, fraction and value of the slider. fallback: the default,
 * the middle of a logarithmic slider's range. *value: in and out. */
ui_change pd_panel_number(ui *gui, const pd_parameter *parameter, ui_slider *slider, float fallback, float *value);
/* For parameters that rebuild the method: delays a moved slider's value until the release. Returns the change to apply
 * now. *value: in and out. */
ui_change pd_panel_delay(pd_held_slider *held, const pd_parameter *parameter, const ui_slider *slider, ui_change change,
                         float *value);
/* Parts of the panel, in materials.c and dyes.c. */
void pd_panel_materials(const pd_screen *screen);
void pd_panel_dyes(const pd_screen *screen);

/* hud.c */
/* Draws the legend of a picture of this width (room) whose right border is at `right`. */
void pd_hud_draw_legend(const pd_screen *screen, const pd_view *view, const pd_view_mode *mode, float right,
                        float room);

/* dyes.c */
/* Returns whether the present tool, or the tool of a press, paints. */
bool pd_brush_paints(const pd_screen *screen);

/* toolbar.c */
/* Width at the left that the bar covers, interface units. */
float pd_toolbar_cover(const pd_viewport *viewport);

/* icons.c */
void pd_icon_draw(const pd_screen *screen, pd_bar_tool tool, float x, float y);

/* ghost.c */
/* Returns the distance (m) within which a press meets an item. */
float pd_ghost_grip(const pd_screen *screen);
/* Returns whether the present tool, or the tool of a press, has a preview. */
bool pd_ghost_is_shown(const pd_screen *screen);

/* timeline.c */
/* Returns the tick of the session's log at a place on the track, interface units from the left. */
uint64_t pd_timeline_tick(const pd_viewport *viewport, const pd_session *session, float x);

/* hint.c */
/* Returns what to do where the picture shows nothing: an empty container, or a fluid without dyes and tracers that rests
 * or whose view hides its motion. NULL: there is something to see. */
const char *pd_hint_find(const pd_viewport *viewport, const pd_session *session);

/* message.c */
/* Height of the present message with its plate, or of one line; interface units. */
float pd_message_height(const pd_screen *screen);
/* Sets the place of the message. False: the dialog of a new container leaves no place. */
bool pd_message_place(const pd_screen *screen, pd_plate *plate);

/* help.c */
/* Finds the installed manual, or the folder with its pages in the source tree. False: neither exists. */
bool pd_help_manual(char *path, size_t size);
/* Writes the help of a key under this method: Up and Down change "stiffness" or its replacement. Returns text. */
char *pd_help_of_key(const pd_method_info *method, const pd_key *key, char *text, size_t size);

/* new_scene.c */
void pd_new_scene_open(pd_new_scene *ask, const pd_session *session);

/* browser.c */
void pd_browser_open(pd_browser *browser, const pd_session *session);

/* probe.c */
/* Returns seconds until the values are due; INFINITY: they are shown, or the pointer does not rest on the fluid. */
double pd_probe_wait(const pd_screen *screen);

#endif
