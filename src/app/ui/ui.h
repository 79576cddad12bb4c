/* C interface to Dear ImGui: text, shapes and widgets. The window uses it, and `puddle render` for legends.
 *
 * Positions and sizes are interface units (of `scale` pixels) from the top left, unless a comment or a name says pixels. */
#ifndef PUDDLE_APP_UI_UI_H
#define PUDDLE_APP_UI_UI_H

#include <puddle/puddle.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "render/picture.h" /* a C header without extern "C" of its own */

typedef struct SDL_Window SDL_Window;
typedef union SDL_Event SDL_Event;
typedef struct ui ui;

/* Creates an interface, which draws with the current OpenGL context. window: may be NULL; scale: pixels per interface unit.
 * Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result ui_create(ui **created, SDL_Window *window, float scale, pd_error *error);
void ui_destroy(ui *gui);
/* Begins a frame. width, height: pixels; seconds: time since the last frame. */
void ui_begin(ui *gui, int width, int height, float seconds);
/* Ends the frame and draws it into the bound framebuffer. */
void ui_end(ui *gui);
/* Ends a frame that only processes input, without drawing. */
void ui_end_undrawn(ui *gui);
/* Draws an area of the frame that ui_end_undrawn ended into the bound framebuffer. */
void ui_draw_area(ui *gui, const pd_pixel_area *area);
/* Sets the scale, pixels per interface unit, from the next ui_begin on. The fonts are rasterised again. */
void ui_set_scale(ui *gui, float scale);
float ui_scale(const ui *gui);
/* Return the size that ui_begin received, in interface units. */
float ui_width(const ui *gui);
float ui_height(const ui *gui);

/* Passes an event to ImGui. Returns whether the event is a press beside an open menu, whose only effect is to close the menu. */
bool ui_process_event(ui *gui, const SDL_Event *event);
/* Returns whether the panel, a menu or a dialog is at a place. ImGui's WantCaptureMouse is a frame late. */
bool ui_covers_place(const ui *gui, float pixel_x, float pixel_y);
/* Returns whether a frame must be made before the next event is passed. ImGui misses a press and its release in one frame. */
bool ui_needs_frame(const ui *gui);
/* Makes ui_needs_frame return true until the next frame: the next event may be for a widget that appears in that frame. */
void ui_request_frame(ui *gui);
bool ui_is_menu_open(const ui *gui);
/* Closes the open menu or dialog. Returns whether one was open. */
bool ui_close_menu(ui *gui);
/* Closes the menu that a dialog has opened. Returns whether one was open. */
bool ui_close_menu_of_dialog(ui *gui);
/* Returns whether a text field has the keyboard focus. */
bool ui_is_typing(const ui *gui);
/* Returns whether that is a field of ui_edit_text, whose window receives Escape, Enter, Up, Down, Page Up and Page Down. */
bool ui_is_editing_text(const ui *gui);
/* Returns whether that field has UI_FOCUS_SEARCH: its window also receives Left, Right, Home and End. */
bool ui_is_searching(const ui *gui);
/* Hides the mouse pointer from ImGui, during a drag in the world. */
void ui_hide_pointer(ui *gui, bool hidden);
/* Shows the mouse pointer as a hand in this frame. */
void ui_show_hand(ui *gui);
/* Hides the last button press from ImGui, because a layer above has received it. */
void ui_hide_press(ui *gui);

/* Targets: named rectangles that can be pressed in this frame, in pixels from the top left. Widgets of the panel are added
 * automatically. Targets beyond UI_MAX_TARGETS are dropped. */
enum { UI_MAX_TARGETS = 256, UI_TARGET_NAME = 96 };
typedef struct ui_target {
    char name[UI_TARGET_NAME];
    float x, y, width, height;
} ui_target;
/* Adds a target. Position and size are interface units. */
void ui_add_target(ui *gui, const char *name, float x, float y, float width, float height);
/* Returns the targets of this frame, and their number in *count. */
const ui_target *ui_targets(const ui *gui, int *count);

/* Text and shapes over the picture. */
typedef enum ui_layer { UI_BELOW, UI_INSIDE, UI_ABOVE } ui_layer; /* drawing order relative to the panel */
typedef enum ui_tone { UI_QUIET, UI_PLAIN, UI_STRONG, UI_ACCENT, UI_WARNING, UI_ALARM } ui_tone;
typedef enum ui_size { UI_SMALL, UI_NORMAL, UI_LARGE, UI_SIZES } ui_size;

/* Sets where the following text and shapes are drawn. UI_INSIDE: only between ui_panel_begin and ui_panel_end. */
void ui_set_layer(ui *gui, ui_layer layer);
/* Computes the size of a text. wrap: largest width of a line, 0: a single line. text NULL: *height is that of a line. */
void ui_measure(const ui *gui, ui_size size, const char *text, float wrap, float *width, float *height);
/* Return the width of a line of text, and the height of a line. */
float ui_text_width(const ui *gui, ui_size size, const char *text);
float ui_line_height(const ui *gui, ui_size size);
/* Draws a text whose upper left corner is (x, y). wrap: as of ui_measure. */
void ui_draw_text(ui *gui, float x, float y, ui_size size, ui_tone tone, float opacity, float wrap, const char *text);
/* Draws a rounded dark rectangle with a thin rim, the background of text. */
void ui_draw_plate(ui *gui, float x, float y, float width, float height, float opacity);
void ui_draw_dot(ui *gui, float x, float y, float radius, ui_tone tone, float opacity);
void ui_draw_ring(ui *gui, float x, float y, float radius, float thickness, const float rgb[3], float opacity);
void ui_draw_box(ui *gui, float x, float y, float width, float height, float round, const float rgb[3], float opacity);
void ui_draw_disc(ui *gui, float x, float y, float radius, const float rgb[3], float opacity);
/* Draws a line with round ends. */
void ui_draw_line(ui *gui, float from_x, float from_y, float to_x, float to_y, float thickness, const float rgb[3],
                  float opacity);
/* Draws a convex polygon with at most 32 corners, clockwise on the screen. */
void ui_draw_polygon(ui *gui, const float (*corners)[2], int count, const float rgb[3], float opacity);
/* Draws a triangle without soft edges, so that neighbours have no seam. */
void ui_draw_triangle(ui *gui, const float (*corners)[2], const float rgb[3]);

/* Begins the panel, a scrolling strip along the right edge. Widgets follow one another downwards. */
void ui_panel_begin(ui *gui, float width);
void ui_panel_end(ui *gui);
void ui_heading(ui *gui, const char *text);
void ui_note(ui *gui, const char *text);

/* Draws the title row of a section: a colour (NULL: none), a name, and a note at the right. A click shows or hides the section's rows. True:
 * draw the rows, then call ui_section_end. The pair of index and name is unique. at_first: state before the first click; UI_BARE:
 * a section without rows. */
typedef enum ui_opening { UI_CLOSED, UI_OPENED, UI_BARE } ui_opening;
bool ui_section(ui *gui, int index, const char *name, const char *note, const float rgb[3], ui_opening at_first);
void ui_section_end(ui *gui);
/* Scrolls the panel to the row drawn last. */
void ui_scroll_here(ui *gui);

/* Begin and end a group of rows, within which labels are unique. Another group's row of the same label is another widget. So a
 * drag or typing ends when the group is replaced. */
void ui_group(ui *gui, const char *name);
void ui_group_end(ui *gui);

/* Reserves space in the panel for shapes on UI_INSIDE. *x, *y and *width receive its place. help: tooltip, may be NULL. */
void ui_reserve_space(ui *gui, float height, const char *help, float *x, float *y, float *width);

/* Change of a widget by the user in this frame. UI_MOVED: changed the value with the mouse. UI_TYPED: entered a number. UI_RESET:
 * asked for the default. UI_OWN: checked the box of an own value (ui_slider.own_help). */
typedef enum ui_change { UI_SAME, UI_MOVED, UI_TYPED, UI_RESET, UI_OWN } ui_change;

/* Returns whether a label fits its row in a panel of this width, if need be in small letters. */
bool ui_label_fits(const ui *gui, const char *label, float width);

/* A row with a label, a slider and a button that resets the value. */
typedef struct ui_slider {
    const char *label;    /* unique in its group or section */
    const char *help;     /* tooltip, of several lines */
    const char *text;     /* value with its unit, shown on the slider */
    float fraction;       /* in: position of the slider, 0 .. 1; out: new position if UI_MOVED */
    float value;          /* in: value that the text field begins with; out: entered number if UI_TYPED */
    bool held;            /* out: the user holds the slider with the mouse */
    bool modified;        /* value differs from the default: the reset button is shown */
    const char *own_help; /* tooltip of the check box "own value", in place of the reset button; NULL: no box */
    bool follows;         /* that box is unchecked: the value is that of another slider, and is drawn grey */
} ui_slider;

/* Sets the text that the next row shows when the pointer is on the question mark at the row's end. */
void ui_set_source(ui *gui, const char *source);
/* Draws a slider. Ctrl+click opens a text field. Return, Tab and a click elsewhere accept the entered number, Escape discards
 * it. A right click, the reset button or unchecking the box "own value" returns UI_RESET. */
ui_change ui_draw_slider(ui *gui, ui_slider *slider);
/* Draws a check box. help: tooltip, may be NULL. A right click or the reset button returns UI_RESET. */
ui_change ui_check_box(ui *gui, const char *label, const char *help, bool modified, bool *value);
/* Draws a menu. words: its items, separated by '|'; *index: the selected item. */
ui_change ui_choose_item(ui *gui, const char *label, const char *help, bool modified, const char *words, int *index);
/* Draws the label of a row. The next widget, a text field or a menu without a label, is drawn at its right. */
void ui_row_label(ui *gui, const char *label);
/* Draws a menu without a label, as wide as the panel or as the rest of a row after ui_row_label. name: unique, not shown; helps: a
 * tooltip for each item, may be NULL. */
ui_change ui_choose_unlabelled(ui *gui, const char *name, const char *const *titles, const char *const *helps,
                               int count, int *index);
/* Draws a row of coloured fields after an empty one. names: tooltips of the colours; *chosen: index of the selected colour, -1:
 * the empty field. */
ui_change ui_choose_colour(ui *gui, const char *label, const char *help, const float (*colours)[3],
                           const char *const *names, int count, int *chosen);
/* Draws a row with a colour. A click opens a colour picker. True: the user changed the colour. help: tooltip, may be NULL. */
bool ui_edit_colour(ui *gui, const char *label, const char *help, uint8_t rgb[3]);
/* Draws a button in a row of `columns` buttons. Column 0 begins a row. True: the button was pressed. */
bool ui_button(ui *gui, const char *label, const char *help, int column, int columns);
/* Draws a button below the sliders. True: the button was pressed. */
bool ui_row_button(ui *gui, const char *label, const char *help);

/* ---- ui_windows.cpp: windows of layers ---- */

/* Begin and end a window at a place, filled with the widgets drawn in between. name: unique, not shown; padding: margin of the
 * content; opacity: of background and content. */
void ui_window_begin(ui *gui, const char *name, float x, float y, float width, float height, float padding,
                     float opacity);
void ui_window_end(ui *gui);
/* Begin and end a part of a window that scrolls. height: 0 fills the window; negative: fills it except that height. */
void ui_scroll_begin(ui *gui, const char *name, float height);
void ui_scroll_end(ui *gui);
/* Places the next widget to the right of the last one. */
void ui_same_line(ui *gui, float gap);
/* Leaves free space above the next widget. */
void ui_space(ui *gui, float height);
/* Sets the width of the next widget. */
void ui_next_width(ui *gui, float width);
/* Sets the gap between widgets of the window, until ui_window_end. */
void ui_set_spacing(ui *gui, float gap);
/* Draws the names of keys, separated by spaces, as caps, and a text to their right, which wraps. The text is the name of a target.
 * share: width for the keys / width of the row. */
void ui_key_row(ui *gui, const char *keys, float share, const char *text);
/* Draws text that wraps at the window's right edge. */
void ui_text(ui *gui, ui_size size, ui_tone tone, const char *text);

/* A button with a text or an icon. */
typedef struct ui_push {
    const char *name; /* unique in its window; name of the target */
    const char *help; /* tooltip, may be NULL */
    const char *text; /* NULL: the caller draws an icon at (x, y) on UI_INSIDE */
    float width, height;
    bool chosen, disabled;
    bool small;       /* the text is small */
    const float *rgb; /* the button is a field of this colour; NULL: it is not */
    float x, y;       /* out: centre of the button */
} ui_push;
/* Draws a button without a frame. True: the button was pressed. */
bool ui_push_button(ui *gui, ui_push *push);

/* Draws a button that opens a menu below it. True: the menu is open; its items and ui_menu_end follow. */
bool ui_menu_begin(ui *gui, ui_push *push);
void ui_menu_end(ui *gui);
/* Draws an item that opens a further menu. True: that menu is open; its items and ui_submenu_end follow. */
bool ui_submenu_begin(ui *gui, const char *name);
void ui_submenu_end(ui *gui);
/* Draws an item of a menu. key: name of its key, at the right; chosen: has a tick. True: the item was pressed. */
bool ui_menu_item(ui *gui, const char *name, const char *key, bool chosen);

/* When a text field has the keyboard focus. UI_FOCUS_BY_CLICK: after a click. UI_FOCUS_FIRST: while no other widget has it; the text
 * of a new window is selected. UI_FOCUS_SEARCH: likewise; the caret stays at the end. */
typedef enum ui_focus { UI_FOCUS_BY_CLICK, UI_FOCUS_FIRST, UI_FOCUS_SEARCH } ui_focus;

/* Draws a text field. name: unique in its window; hint: shown while the text is empty. The caller may change the text at any time.
 * Returns UI_MOVED if the text changed, and UI_TYPED if Enter was pressed. */
ui_change ui_edit_text(ui *gui, const char *name, const char *hint, ui_focus focus, char *text, size_t size);

/* A picture with a title below, which can be pressed. */
typedef struct ui_tile {
    const char *name;    /* unique in its window */
    const char *title;   /* text below the picture; name of the target */
    const char *badge;   /* text in a corner of the picture; NULL: none */
    unsigned texture;    /* OpenGL name of the picture; 0: none yet */
    float width, height; /* of the picture */
    bool scrolls;        /* the window scrolls to the tile */
    bool chosen;         /* in: the tile is highlighted; out: also true if the pointer moved to the tile */
    bool visible;        /* out: some part of the tile is in sight */
} ui_tile;
/* Draws a tile. Its height is that of the picture and UI_TILE_LABEL. True: the tile was pressed. */
enum { UI_TILE_LABEL = 24 };
bool ui_draw_tile(ui *gui, ui_tile *tile);

/* Tabs: after ui_tabs_begin returned true, a call of ui_tab for each, then ui_tabs_end. If ui_tab returns true, its content and
 * ui_tab_end follow. chosen: selects the tab. */
bool ui_tabs_begin(ui *gui, const char *name);
bool ui_tab(ui *gui, const char *name, bool chosen);
void ui_tab_end(ui *gui);
void ui_tabs_end(ui *gui);
/* Draws a bar that is filled up to `fraction`, with a text over it. */
void ui_progress(ui *gui, float fraction, const char *text);

/* Begins a dialog in the middle of the darkened window. *width and *height: in: its size; out: its size limited by the window.
 * *x and *y receive its place. False: the dialog is not shown in this frame. */
bool ui_dialog_begin(ui *gui, const char *title, float *x, float *y, float *width, float *height);
/* Draws a row with a label and a value between two buttons. value: NULL leaves the row empty. *chosen: in: the row is highlighted
 * for the keys; out: also true if the pointer moved to the row. Returns -1 or 1 for the left or right button, 0 for none. */
int ui_step_row(ui *gui, const char *label, const char *value, bool *chosen);
/* Draws a button with a name, and a line about it below. *chosen: as in ui_step_row. True: the button was pressed. */
bool ui_large_button(ui *gui, const char *name, const char *about, float height, bool *chosen);
/* Draws the button that accepts the dialog. *chosen: as in ui_step_row. */
bool ui_accept_button(ui *gui, const char *label, bool *chosen);
/* Ends the dialog. note: text of its last line. */
void ui_dialog_end(ui *gui, const char *note);

/* ---- charts.c: charts made of text and shapes ---- */

/* Place of a legend: at the lower right of a picture. */
typedef struct ui_legend_place {
    float right, bottom; /* distances of the picture from the window's right and lower edge */
    float room;          /* width of the picture; a narrow picture has a smaller legend */
} ui_legend_place;
/* Draws the colour bar of a quantity with its values. */
void ui_draw_legend(ui *gui, const pd_legend *legend, int palette, const ui_legend_place *place);
/* Computes the rectangle that ui_draw_legend covers. */
void ui_measure_legend(const ui *gui, const ui_legend_place *place, float *x, float *y, float *width, float *height);

/* Chart of stacked bars over time: a bar for each frame, a part for each stage of the frame. Below are each stage's colour, name
 * and mean time. */
typedef struct ui_bars {
    const float *values;      /* values[frame * stages + stage], oldest frame first, ms */
    int frames;               /* frames in `values` */
    int capacity;             /* frames that fit into the chart */
    int stages;               /* number of stages of a frame that are timed */
    const char *const *names; /* names of the stages */
    float mark, top;          /* values of the marked line and of the scale's top, ms */
} ui_bars;
void ui_draw_bars(ui *gui, const ui_bars *bars);

/* Chart with a column for each value. Below are label and value of the first and of the last column. */
typedef struct ui_columns {
    const float *values;      /* fractions; 0.04: 4 % */
    int count;                /* values */
    float top;                /* value at the top of the scale */
    const char *first, *last; /* labels: "before", "after 4 iterations" */
    const char *help;         /* tooltip */
} ui_columns;
void ui_draw_columns(ui *gui, const ui_columns *columns);

#ifdef __cplusplus
}
#endif
#endif
