/* A C interface to Dear ImGui, and the only part written in C++. Used by the window and, without one, by `puddle render`
 * for legends.
 *
 * Positions and sizes are in interface units from the top left (one is `scale` pixels), unless a name says pixels. */
#ifndef PUDDLE_APP_UI_UI_H
#define PUDDLE_APP_UI_UI_H

#include <puddle/puddle.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "render/picture.h" /* C alone: takes its linkage from here */

typedef struct SDL_Window SDL_Window;
typedef union SDL_Event SDL_Event;
typedef struct ui ui;

/* Creates an interface. Needs a current OpenGL context. window: may be NULL. scale: pixels per interface unit.
 * Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result ui_create(ui **created, SDL_Window *window, float scale, pd_error *error);
void ui_destroy(ui *gui);
/* Begins a frame. Size in pixels; seconds since the last frame. */
void ui_begin(ui *gui, int width, int height, float seconds);
/* Ends the frame and draws it into the bound framebuffer. */
void ui_end(ui *gui);
/* Ends the frame without drawing: only its input counts. */
void ui_end_undrawn(ui *gui);
/* Draws an area of the frame that ended undrawn into the bound framebuffer. */
void ui_draw_area(ui *gui, const pd_pixel_area *area);
/* Sets the scale from the next ui_begin on. The fonts are rasterised again. */
void ui_set_scale(ui *gui, float scale);
float ui_scale(const ui *gui);
/* Size of the last ui_begin, interface units. */
float ui_width(const ui *gui);
float ui_height(const ui *gui);

/* Passes an event to ImGui. */
void ui_event(ui *gui, const SDL_Event *event);
/* Returns whether a window of ImGui is at a place. ImGui's own answer lags a frame behind. */
bool ui_covers(const ui *gui, float pixel_x, float pixel_y);
/* Returns whether a frame must come before the next event. Of a press and its release in one frame, ImGui sees neither. */
bool ui_needs_frame(const ui *gui);
/* Requires a frame before the next event, which may be for what has just appeared. */
void ui_request_frame(ui *gui);
bool ui_menu_open(const ui *gui);
/* Closes the open menu or dialog. Returns whether one was open. */
bool ui_close_menu(ui *gui);
/* Returns whether a number is being typed into the panel. Keys are text then. */
bool ui_typing(const ui *gui);
/* Hides the pointer from ImGui, during a drag in the world. */
void ui_hide_pointer(ui *gui, bool hidden);
/* Hides the present press from ImGui: it was for a layer above. */
void ui_hide_press(ui *gui);

/* Targets: named rectangles of this frame that can be pressed, pixels from the top left. Widgets of the panel add
 * themselves. Targets beyond UI_MAX_TARGETS are left out. */
enum { UI_MAX_TARGETS = 256, UI_TARGET_NAME = 96 };
typedef struct ui_target {
    char name[UI_TARGET_NAME];
    float x, y, width, height;
} ui_target;
/* Adds a target; position and size in the units of ui_set_zoom. */
void ui_add_target(ui *gui, const char *name, float x, float y, float width, float height);
const ui_target *ui_targets(const ui *gui, int *count);

/* Text and shapes over the picture. */
typedef enum ui_layer { UI_BELOW, UI_INSIDE, UI_ABOVE } ui_layer; /* the panel; inside: between its begin and end */
typedef enum ui_tone { UI_QUIET, UI_PLAIN, UI_STRONG, UI_ACCENT, UI_WARNING, UI_ALARM } ui_tone;
typedef enum ui_size { UI_SMALL, UI_NORMAL, UI_LARGE, UI_SIZES } ui_size;

void ui_set_layer(ui *gui, ui_layer layer);
/* Scales the unit of text and shapes until the next call. 1: an interface unit. */
void ui_set_zoom(ui *gui, float zoom);
/* Measures a text. wrap: maximal width of a line, or 0 for one line. text: NULL measures the height of a line. */
void ui_measure(const ui *gui, ui_size size, const char *text, float wrap, float *width, float *height);
/* Return the width of a line of text, and the height of a line. */
float ui_text_width(const ui *gui, ui_size size, const char *text);
float ui_line_height(const ui *gui, ui_size size);
void ui_text(ui *gui, float x, float y, ui_size size, ui_tone tone, float opacity, float wrap, const char *text);
/* Draws a rounded dark plate with a thin rim, the background of text. */
void ui_plate(ui *gui, float x, float y, float width, float height, float opacity);
void ui_dot(ui *gui, float x, float y, float radius, ui_tone tone, float opacity);
void ui_ring(ui *gui, float x, float y, float radius, float thickness, const float rgb[3], float opacity);
void ui_box(ui *gui, float x, float y, float width, float height, float round, const float rgb[3], float opacity);
void ui_disc(ui *gui, float x, float y, float radius, const float rgb[3], float opacity);
/* Draws a line with round ends. */
void ui_line(ui *gui, float from_x, float from_y, float to_x, float to_y, float thickness, const float rgb[3],
             float opacity);
/* Draws a convex polygon with at most 32 corners, clockwise on the screen. */
void ui_polygon(ui *gui, const float (*corners)[2], int count, const float rgb[3], float opacity);
/* Draws a triangle without soft edges, so that neighbours have no seam. */
void ui_triangle(ui *gui, const float (*corners)[2], const float rgb[3]);
/* Draws a texture, its first row at the top. texture: OpenGL's name. */
void ui_image(ui *gui, float x, float y, float width, float height, float round, unsigned texture);
/* Darkens what was drawn before on this layer and below. */
void ui_dim(ui *gui, float opacity);

/* The panel: a strip of this width along the right edge, which scrolls. Widgets follow one another downwards. */
void ui_panel_begin(ui *gui, float width);
void ui_panel_end(ui *gui);
void ui_heading(ui *gui, const char *text);
void ui_note(ui *gui, const char *text);

/* A row with a colour, a name and a note at the right; a click shows or hides the rows up to ui_section_end. True: they
 * are shown. index and name together are unique; at_first: the state until the first click, or UI_BARE: there is
 * nothing to show. */
typedef enum ui_opening { UI_CLOSED, UI_OPENED, UI_BARE } ui_opening;
bool ui_section(ui *gui, int index, const char *name, const char *note, const float rgb[3], ui_opening at_first);
void ui_section_end(ui *gui);
/* Scrolls the panel to the row that was drawn last. */
void ui_scroll_here(ui *gui);

/* Labels between these are unique within the group: a row that is dragged or typed into is not confused with the row of
 * the same label in the group that replaces this one. */
void ui_group(ui *gui, const char *name);
void ui_group_end(ui *gui);

/* Reserves space for shapes of UI_INSIDE; receives its position and width. help: tooltip; may be NULL. */
void ui_reserve(ui *gui, float height, const char *help, float *x, float *y, float *width);

typedef enum ui_change { UI_SAME, UI_MOVED, UI_TYPED, UI_RESET, UI_OWN } ui_change;

/* Whether all of a label is shown in its row of a panel of this width, where needed in small letters. */
bool ui_label_fits(const ui *gui, const char *label, float width);

/* One row: a label, a slider, and a button that resets when the value is not the default. */
typedef struct ui_slider {
    const char *label, *help; /* the label is unique in its group or section; help: tooltip, several lines */
    const char *text;         /* the value with its unit, as shown on the slider */
    float fraction;           /* 0..1; in and out (UI_MOVED) */
    float value;              /* initial text of the field; out: the number (UI_TYPED) */
    bool held;                /* out: the pointer holds the slider */
    bool modified;            /* shows the reset button */
    const char *own_help;     /* not NULL: tooltip of a check box in place of the reset button, */
    bool follows;             /* which is unchecked while the value, shown grey, follows another (UI_OWN: the user */
                              /* has checked it; UI_RESET: unchecked it) */
} ui_slider;

/* Ctrl+click opens a text field, in which Return, Tab and a click elsewhere accept the number and Escape discards it; a
 * right click resets. */
ui_change ui_slide(ui *gui, ui_slider *slider);
/* help may be NULL; on a right click or the reset button: UI_RESET. */
ui_change ui_check(ui *gui, const char *label, const char *help, bool modified, bool *value);
/* words: separated by '|'. */
ui_change ui_choose(ui *gui, const char *label, const char *help, bool modified, const char *words, int *index);
/* Across the whole row, without a label (the name is unique and not shown), and with a help for each item. */
ui_change ui_choose_titled(ui *gui, const char *name, const char *const *titles, const char *const *helps, int count,
                           int *index);
/* A row of colours after an empty field. *chosen: index of a colour, -1: the empty field. names: their tooltips. */
ui_change ui_choose_colour(ui *gui, const char *label, const char *help, const float (*colours)[3],
                           const char *const *names, int count, int *chosen);
/* A row with a colour, which a click opens to change. True: it has changed. help may be NULL. */
bool ui_edit_colour(ui *gui, const char *label, const char *help, uint8_t rgb[3]);
/* Buttons share a row of `columns`; column 0 begins it. */
bool ui_button(ui *gui, const char *label, const char *help, int column, int columns);

/* A dialog in the middle of the window, over a shade. *width and *height: its size, in and out, since a small window
 * limits it; *x and *y: receive its place. False: it is not shown in this frame. */
bool ui_dialog_begin(ui *gui, const char *title, float *x, float *y, float *width, float *height);
/* A row with a label and a value between two buttons. *chosen: keys act on the row; set when the pointer moves to the
 * row. value: NULL leaves the row empty. Returns -1 or 1 for "Previous LABEL" or "Next LABEL", 0 for none. */
int ui_step(ui *gui, const char *label, const char *value, bool *chosen);
/* The button that ends the dialog. *chosen: as of ui_step. */
bool ui_accept(ui *gui, const char *label, bool *chosen);
/* note: the last line. */
void ui_dialog_end(ui *gui, const char *note);

/* Drawn with the text and shapes above: charts.c */

/* The colour bar of a quantity with its values, at the lower right; right: distance from the right edge; room: width of the
 * picture, in a small one of which it is smaller. */
void ui_legend(ui *gui, const pd_legend *legend, int palette, float right, float room);
/* Where its plate is. */
void ui_legend_place(const ui *gui, float right, float room, float *x, float *y, float *width, float *height);

/* Stacked bars over time: values[frame * stages + stage], oldest first, in ms, with a line at `mark`; under it
 * each stage's colour, name and mean. */
typedef struct ui_bars {
    const float *values;
    int frames, capacity, stages; /* frames in values, and frames that fit into the chart */
    const char *const *names;
    float mark, top; /* ms */
} ui_bars;
void ui_graph(ui *gui, const ui_bars *bars);

/* One column for each value (0.04: 4 %); under them labels and values of the first and the last. */
typedef struct ui_columns {
    const float *values;
    int count;
    float top;                /* of the scale */
    const char *first, *last; /* "before", "after 4 iterations" */
    const char *help;
} ui_columns;
void ui_draw_columns(ui *gui, const ui_columns *columns);

#ifdef __cplusplus
}
#endif
#endif
