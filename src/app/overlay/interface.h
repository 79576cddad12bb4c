/* The interface: panel, tool bar, dialogs and texts over the picture, each a layer with its own input and drawing. Layers change
 * the session and the viewport, and draw with `ui` between ui_begin_frame and ui_end_frame. All sizes are interface units. */
#ifndef PUDDLE_APP_OVERLAY_INTERFACE_H
#define PUDDLE_APP_OVERLAY_INTERFACE_H

#include "app/device/display.h"
#include "app/device/exporter.h"
#include "app/device/pointer.h"
#include "app/device/recorder.h"
#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/view/viewport.h"

/* Context that the functions of the layers receive in a frame or for an event. */
typedef struct pd_screen {
    pd_viewport *viewport;
    pd_session *session;
    ui *gui;
    const pd_pointer *pointer;
    const pd_display *display;
    pd_recorder *recorder;
    pd_exporter *exporter;
    float x, y;       /* Place of the pointer, interface units. */
    double elapsed;   /* Seconds since the last frame. 0: for an event, or no time passes. */
    pd_action action; /* Action that a layer requests from the caller. PD_ACTION_NONE: none. */
    int argument;     /* Argument of that action (pd_key_stroke.argument). */
} pd_screen;

/* A layer of the interface. A NULL function does nothing and returns false. */
typedef struct pd_layer {
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
} pd_layer;

/* pd_NAME_layer is at the end of NAME.c, except pd_brush_layer (dyes.c) and pd_offer_layer (opening.c). */
extern const pd_layer pd_zoom_layer, pd_brush_layer, pd_ghost_layer, pd_hud_layer, pd_panes_layer, pd_toolbar_layer,
    pd_bar_layer, pd_timeline_layer, pd_offer_layer, pd_hint_layer, pd_probe_layer, pd_panel_layer, pd_opening_layer,
    pd_dialog_layer, pd_export_layer, pd_material_palette_layer, pd_help_layer, pd_browser_layer, pd_message_layer;

/* layers.c: the functions of all layers in turn. Input goes to the highest layer first. */
void pd_layers_draw(pd_screen *screen);
/* Returns whether a layer above `layer` covers the pointer. layer: NULL for any layer. */
bool pd_layers_cover_pointer(const pd_screen *screen, const pd_layer *layer);
/* Returns whether to draw the tool's circle or preview: the pointer is over the picture, or a press in the world lasts. */
bool pd_layers_show_tool(const pd_screen *screen);
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

/* plates.c: list of the rectangles over the picture that hold text in this frame. */
bool pd_plate_contains(const pd_plate *plate, float x, float y);
void pd_plate_add(pd_viewport *viewport, const pd_plate *plate);
/* Draws a dark rectangle as background of text, and adds the rectangle to the list of this frame. */
void pd_plate_draw(pd_screen *screen, const pd_plate *plate, float opacity);
/* Returns whether no listed rectangle overlaps this one. */
bool pd_plate_is_free(const pd_viewport *viewport, const pd_plate *plate);
/* Returns whether a rectangle covers a part of the container in the first pane. */
bool pd_plate_covers_container(const pd_screen *screen, const pd_plate *plate);

/* panes.c: one pane with the world's picture, or two side by side. Pane 0 is the left or only one. */
int pd_panes_count(const pd_screen *screen);
/* Returns the left edge of the right pane, interface units. With one pane: the right edge of the picture. */
float pd_panes_split(const pd_screen *screen);
/* Computes the left edge (`split`) and right edge (`end`) of the right pane, pixels. */
void pd_panes_pixel_columns(const pd_screen *screen, int *split, int *end);
/* Returns the camera of a pane, for pixels counted from the window's corner. */
pd_camera pd_panes_camera(const pd_screen *screen, int pane);
/* Return camera, view and world of the pane below the pointer. */
pd_camera pd_panes_pointer_camera(const pd_screen *screen);
const pd_view *pd_panes_view(const pd_screen *screen);
const pd_world *pd_panes_world(const pd_screen *screen);
/* Sets pd_panes.hovered to the pane below the pointer. */
void pd_panes_update_hovered(const pd_screen *screen);

/* panel.c */
/* Returns the width of the open panel, interface units. 0: closed. */
float pd_panel_width(const pd_screen *screen);
/* Draws a row with a slider for a number, and sets label, text, fraction and value of `slider`. fallback: the default value,
 * in the middle of a logarithmic slider. *value: in and out. */
ui_change pd_panel_draw_slider(ui *gui, const pd_parameter *parameter, ui_slider *slider, float fallback, float *value);
/* Delays the value of a parameter that rebuilds the method until the user releases the slider. Returns the change to apply in
 * this frame. *value: in: value of the slider; out: value to set. */
ui_change pd_panel_delay_slider(pd_held_slider *held, const pd_parameter *parameter, const ui_slider *slider,
                                ui_change change, float *value);
/* Draws the rows of the selected body (bodies.c). */
void pd_panel_draw_body(const pd_screen *screen);
/* Draw the rows of the materials (materials.c) and of the dyes (dyes.c). */
void pd_panel_draw_materials(const pd_screen *screen);
void pd_panel_draw_dyes(const pd_screen *screen);
/* Draws the rows that switch parts of the picture off (switches.c). */
void pd_panel_draw_switches(const pd_screen *screen);
/* Read the switches of earlier runs, and save them for later runs if they differ. Errors: FILE_UNWRITABLE. */
void pd_switches_read(pd_picture_switches *switches);
pd_result pd_switches_save(const pd_picture_switches *switches, pd_error *error);

/* hud.c */
/* Returns the height that the strip covers at the bottom. 0: not shown. */
float pd_hud_height(const pd_viewport *viewport);
/* Finds a pane's legend and its place. False: the picture has no legend. */
bool pd_hud_find_legend(const pd_screen *screen, int pane, pd_legend *legend, ui_legend_place *place);

/* zoom.c */
/* Call after Space was released. Returns whether Space pauses: it was pressed for the picture, and no drag moved the picture. */
bool pd_zoom_release_space(pd_viewport *viewport);
/* Draws the magnification and a button that shows all, while the picture is zoomed, in the strip from x to `end`. Returns the
 * place of the next text. */
float pd_zoom_draw_in_strip(pd_screen *screen, float x, float end);

/* dyes.c */
/* Returns whether the selected tool, or the tool of a press, paints dye. */
bool pd_brush_paints(const pd_screen *screen);

/* Return the right edge of the rightmost pane, interface units, and the placement of a pane's view for pixels counted from the
 * window's corner. */
float pd_panes_end(const pd_screen *screen);
/* Return the heights that bars, captions and graph cover above and below the panes, interface units. */
float pd_panes_top(const pd_screen *screen);
float pd_panes_bottom(const pd_screen *screen);
pd_framing pd_panes_framing(const pd_screen *screen, int pane);
/* Reserves room for captions and graph in the pictures of a recording. Returns whether they have text. */
bool pd_panes_reserve_recorded_text(const pd_screen *screen, pd_picture *pictures, int count);
/* Draws legends, and over two pictures the names of the methods and the graph. screen->gui: interface of the recording, as
 * large as all pictures. */
void pd_panes_draw_recorded_text(const pd_screen *screen, const pd_picture *pictures, int count);

/* bar.c */
/* Returns the height that the bar covers at the top. 0: not shown. */
float pd_bar_height(const pd_viewport *viewport);
/* Returns the opacity of both bars, which fade during a drag in the picture. */
float pd_bar_opacity(const pd_viewport *viewport);

/* toolbar.c */
/* Updates the place of the tool bar. Call once a frame, before the pictures are drawn. */
void pd_toolbar_update_place(const pd_screen *screen);
/* Returns the width that the tool bar covers at the left. 0: not shown. */
float pd_toolbar_width(const pd_viewport *viewport);

/* icons.c */
/* Draws the icon of an action around the centre (x, y). */
void pd_icon_draw_action(const pd_screen *screen, pd_action action, float x, float y);
/* Draws the icon of a tool around the centre (x, y). */
void pd_icon_draw(const pd_screen *screen, pd_bar_tool tool, float x, float y);

/* ghost.c */
/* Returns the distance from an item within which a press hits the item, m. */
float pd_ghost_hit_distance(const pd_screen *screen);
/* Returns whether the selected tool, or the tool of a press, has a preview at the pointer. */
bool pd_ghost_is_shown(const pd_screen *screen);

/* timeline.c */
/* Returns the log's tick at the place x on the time line. */
uint64_t pd_timeline_tick(const pd_viewport *viewport, const pd_session *session, float x);

/* hint.c */
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

/* message.c */
/* Computes the rectangle of the message. False: the dialog of a new container leaves no room. */
bool pd_message_place(const pd_screen *screen, pd_plate *plate);

/* help.c */
/* Writes the path of the installed manual, or of docs/ in the source tree. False: neither exists. */
bool pd_help_find_manual(char *path, size_t size);
/* Writes what a key does under `method`, with the name of the parameter that Up and Down change. Returns text. */
char *pd_help_of_key(const pd_method_info *method, const pd_key *key, char *text, size_t size);

/* dialog.c */
/* A dialog in the middle of the window, in which the simulation stops. One is open at a time. */
typedef struct pd_dialog_form {
    float width, height; /* Greatest size. */
    const char *title;
    const char *note; /* Text of the last line. */
    /* Prepares the dialog for an action. False: the dialog cannot open, which is announced. */
    bool (*open)(pd_screen *screen, pd_action action);
    void (*handle_key)(pd_screen *screen, int code); /* All keys but Enter, which is for `accept`. NULL: ignored. */
    bool (*draw)(pd_screen *screen); /* Draws the rows. Returns whether the button that accepts was pressed. */
    void (*accept)(pd_screen *screen, bool key); /* key: Enter was pressed, not the button. */
} pd_dialog_form;
/* pd_NAME_form is at the end of NAME.c. */
extern const pd_dialog_form pd_new_scene_form, pd_save_form, pd_export_form;
/* Opens the dialog of an action. False: the action has no dialog. */
bool pd_dialog_open(pd_screen *screen, pd_action action);
void pd_dialog_close(pd_screen *screen);

/* file_fields.c */
/* Sets the name from the scene's, and the folder to the one used last. */
void pd_file_fields_begin(pd_file_fields *file, const pd_session *session);
/* Updates the path from the texts. suffix: ending that is added to a name without it. */
void pd_file_fields_update(pd_file_fields *file, const char *suffix);
/* Draws the fields, and a line with the path or with the reason why the file cannot be written. */
void pd_file_fields_draw(ui *gui, pd_file_fields *file);
/* Returns whether to write the file, after creating its folder. key: Enter was pressed, not the button. */
bool pd_file_fields_accept(pd_file_fields *file, bool key);
/* Saves the folder as a setting, after the file was written. */
void pd_file_fields_end(const pd_file_fields *file);

/* browser.c */
void pd_browser_open(pd_browser *browser, const pd_session *session);

/* probe.c */
/* Returns the seconds until the values beside the pointer appear. INFINITY: they are shown, or the pointer does not rest on
 * fluid. */
double pd_probe_seconds_left(const pd_screen *screen);

#endif
