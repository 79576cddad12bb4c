/* The interface: what lies over the picture and beside it. It shows the session and the viewport and changes them, as its
 * user asks. Of the device it draws with `ui` and reads where the pointer is; what the window itself is to do is returned.
 *
 * All of it is drawn between ui_begin and ui_end, in interface units. */
#ifndef PUDDLE_APP_OVERLAY_INTERFACE_H
#define PUDDLE_APP_OVERLAY_INTERFACE_H

#include "app/device/display.h"
#include "app/device/pointer.h"
#include "app/device/recorder.h"
#include "app/session/session.h"
#include "app/ui/ui.h"
#include "app/view/viewport.h"

/* panel.c */
/* Draws it, if it is open. Returns an action for the window, or PD_ACTION_NONE. */
pd_action pd_panel_draw(pd_viewport *viewport, pd_session *session, ui *gui, pd_recorder *recorder);
/* Whether a window of this width (interface units) has room for the picture beside the panel. */
bool pd_panel_docks(float width);
/* Interface units the panel takes from the picture (0: closed, or it lies over the picture). */
float pd_panel_dock(const pd_viewport *viewport, const pd_display *display);
/* Interface units at the right that the panel covers. */
float pd_panel_cover(const pd_viewport *viewport);
/* The picture's size in pixels: the window without the docked panel. */
void pd_panel_picture_size(const pd_viewport *viewport, const pd_display *display, int *width, int *height);
/* The camera of that picture, or of the pane in which the pointer is. */
pd_camera pd_panel_camera(const pd_viewport *viewport, const pd_display *display);
/* Whether a press there is for the interface. Includes the panel as soon as its key has been pressed, and its menus from
 * the frame in which they are drawn. */
bool pd_panel_covers(const pd_viewport *viewport, const pd_display *display, const ui *gui, float pixel_x,
                     float pixel_y);
void pd_bundled_find(pd_bundled *bundled);
/* A row with a slider for a number; sets label, text, fraction and value of the slider. fallback: the default, around
 * which a logarithmic slider's range lies. *value: in and out. */
ui_change pd_panel_number(ui *gui, const pd_parameter *parameter, ui_slider *slider, float fallback, float *value);
/* For parameters that rebuild the method: keeps what a slider reports as moved until it is no longer held. Returns the
 * change to apply now. *value: in and out. */
ui_change pd_panel_hold(pd_held_slider *held, const pd_parameter *parameter, const ui_slider *slider, ui_change change,
                        float *value);
/* materials.c, dyes.c: parts of the panel. */
void pd_panel_materials(pd_viewport *viewport, pd_session *session, ui *gui);
void pd_panel_dyes(const pd_viewport *viewport, pd_session *session, ui *gui);

/* panes.c */
/* Where the right pane begins, in units from the left of a window that is so many wide; without a second world where the
 * picture ends beside the panel. */
float pd_panes_split(const pd_viewport *viewport, float width);
/* The same in pixels, and where the right pane ends. */
void pd_panes_pixels(const pd_viewport *viewport, const pd_display *display, int *split, int *end);
/* The camera of a pane, of which pixels are those of the window: 0 the left or only one, 1 the right one. */
pd_camera pd_panes_camera(const pd_viewport *viewport, const pd_display *display, int pane);
int pd_panes_count(const pd_viewport *viewport);
/* The view in whose pane the pointer is. */
const pd_view *pd_panes_view(const pd_viewport *viewport);
/* Updates in which pane the pointer is. */
void pd_panes_find(pd_viewport *viewport, const pd_display *display, float pixel_x);
void pd_panes_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                   const pd_display *display);
/* Whether the graph or a button is there, and what a press on it asks for. */
bool pd_panes_cover(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y);
pd_action pd_panes_press(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y);

/* dyes.c */
/* The tool is, or on a press would be, one that paints. */
bool pd_brush_paints(const pd_session *session, const pd_pointer *pointer);
/* The circle of such a tool, in the colour of the dye. */
void pd_brush_draw(const pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                   const pd_display *display);

/* toolbar.c */
/* After the numbers, which it keeps clear of. */
void pd_toolbar_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                     const pd_display *display);
/* Interface units at the left that it covers. */
float pd_toolbar_cover(const pd_viewport *viewport);
bool pd_toolbar_covers(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y);
void pd_toolbar_press(pd_viewport *viewport, pd_session *session, const pd_display *display, float pixel_x,
                      float pixel_y);

/* icons.c */
void pd_icon_draw(const pd_viewport *viewport, const pd_session *session, ui *gui, pd_bar_tool tool, float x, float y);

/* material_palette.c: the palette of materials, ready ones and new ones by their colour */
void pd_material_palette_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                              const pd_display *display);
bool pd_material_palette_covers(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y);
/* A press of the left button: chooses, or closes it where the press is beside it. True: the press was on it. */
bool pd_material_palette_press(pd_viewport *viewport, pd_session *session, const pd_display *display, float pixel_x,
                               float pixel_y);
/* While it is open: arrows and Enter choose. True: the key was for it. */
bool pd_material_palette_key(pd_viewport *viewport, pd_session *session, int code, int modifiers);

/* ghost.c */
/* How near (m) a press must be to what it takes hold of. */
float pd_ghost_grip(const pd_viewport *viewport, const pd_display *display);
/* The tool is, or on a press would be, one of those whose effect is drawn. */
bool pd_ghost_is_shown(const pd_session *session, const pd_pointer *pointer);
void pd_ghost_draw(const pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                   const pd_display *display);

/* hud.c */
/* The numbers, the state and the legend; before all that keeps clear of them. */
void pd_hud_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_recorder *recorder);
/* Of the present message with its plate, or of one of one line where there is none; interface units. */
float pd_announcement_height(const pd_viewport *viewport, const ui *gui);
/* Where the message is, in interface units. False: it is not drawn, since the dialog of a new container needs the place. */
bool pd_announcement_place(const pd_viewport *viewport, const ui *gui, pd_plate *plate);
void pd_announcement_draw(const pd_viewport *viewport, ui *gui);
/* A plate on which text lies: later ones may keep clear of it. */
void pd_plate_draw(pd_viewport *viewport, ui *gui, float x, float y, float width, float height, float opacity);
void pd_plate_take(pd_viewport *viewport, const pd_plate *plate);
bool pd_plate_contains(const pd_plate *plate, float x, float y);
bool pd_plate_is_free(const pd_viewport *viewport, float x, float y, float width, float height);
/* True while something on the picture fades: frames are then drawn even when the world does not change. */
bool pd_interface_fading(const pd_viewport *viewport, const pd_session *session, const pd_pointer *pointer,
                         const pd_display *display);

/* timeline.c */
void pd_timeline_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                      const pd_display *display, double elapsed);
bool pd_timeline_covers(const pd_viewport *viewport, const pd_display *display, float pixel_x, float pixel_y);
/* The tick of the session's log at a place on the track, in interface units from the left. */
uint64_t pd_timeline_tick(const pd_viewport *viewport, const pd_session *session, float x);
bool pd_timeline_fading(const pd_viewport *viewport, const pd_session *session, const pd_pointer *pointer,
                        const pd_display *display);

/* hint.c */
/* What to do where the picture is empty: of a fluid at rest, or one whose motion the view does not show, without dyes and
 * tracers; NULL: there is something to see, or to come. */
const char *pd_hint_find(const pd_viewport *viewport, const pd_session *session);
void pd_hint_draw(pd_viewport *viewport, const pd_session *session, ui *gui);
bool pd_hint_fading(const pd_viewport *viewport);

/* help.c */
void pd_help_draw(pd_viewport *viewport, const pd_session *session, ui *gui);
/* Scrolls the table where it is higher than the window. */
void pd_help_wheel(pd_viewport *viewport, float notches);
/* Finds the installed manual, or else the folder with its pages in the source tree. False: neither is there. */
bool pd_help_manual(char *path, size_t size);
/* The help of a key, for the method that computes: Up and Down are "stiffness" or what takes its place. Returns text. */
char *pd_help_of_key(const pd_method_info *method, const pd_key *key, char *text, size_t size);

/* new_scene.c */
void pd_new_scene_open(pd_new_scene *ask, const pd_session *session);
/* While it is open: takes all keys and presses; at a place in interface units. */
void pd_new_scene_key(pd_new_scene *ask, pd_session *session, int code);
void pd_new_scene_press(pd_new_scene *ask, pd_session *session, float x, float y);
/* The pointer has moved: chooses the row under it. */
void pd_new_scene_point(pd_new_scene *ask, float x, float y);
void pd_new_scene_draw(pd_viewport *viewport, ui *gui);

/* browser.c */
void pd_browser_open(pd_browser *browser, const pd_session *session);
/* While it is open: takes all keys, presses and the wheel; at a place in interface units. */
void pd_browser_key(pd_browser *browser, pd_session *session, int code);
void pd_browser_press(pd_browser *browser, pd_session *session, float x, float y);
void pd_browser_wheel(pd_browser *browser, float notches);
/* The pointer has moved: chooses what is under it. */
void pd_browser_point(pd_browser *browser, float x, float y);
void pd_browser_draw(pd_browser *browser, ui *gui);

/* probe.c */
/* The pointer has moved or pressed: hides the values until it has rested. */
void pd_probe_disturb(pd_probe *probe);
/* The pointer has come into the window, or the window under it: shows no values before it moves. */
void pd_probe_arrive(pd_probe *probe);
/* Seconds until the values are to be shown; infinite while there is nothing to wait for. */
double pd_probe_wait(const pd_viewport *viewport, const pd_pointer *pointer, const pd_display *display, const ui *gui);
bool pd_probe_fading(const pd_viewport *viewport);
void pd_probe_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                   const pd_display *display);

#endif
