/* C interface to Dear ImGui: text, shapes and widgets. The window uses it, and `puddle render` for legends.
 *
 * Positions and sizes are interface units (of `scale` pixels) from the top left, unless a comment or a name says pixels. */
#ifndef PUDDLE_APP_UI_UI_H
#define PUDDLE_APP_UI_UI_H

#include <puddle/puddle.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "render/canvas.h"
#include "render/renderer.h" /* C headers without extern "C" of their own */

typedef struct SDL_Window SDL_Window;
typedef union SDL_Event SDL_Event;
typedef struct ui ui;

/* Creates an interface, which draws with the current OpenGL context. window: may be NULL; scale: pixels per interface unit.
 * Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result ui_create(ui **created, SDL_Window *window, float scale, pd_error *error);
void ui_destroy(ui *gui);
/* Begins a frame. width, height: size of the window or picture, pixels; seconds: time since the last frame. */
void ui_begin_frame(ui *gui, int width, int height, float seconds);
/* Ends the frame and draws it into the bound framebuffer. */
void ui_end_frame(ui *gui);
/* Ends a frame that only processes input, without drawing. */
void ui_end_frame_undrawn(ui *gui);
/* Draws a picture into a rectangle of a canvas, area by area, and reads the pixels. gui: draws over the picture what was drawn before
 * ui_end_frame_undrawn, from the pixel gui_left of the canvas on; NULL: nothing. */
void ui_draw_picture(ui *gui, int gui_left, pd_renderer *renderer, pd_canvas *canvas, const pd_pixel_area *rectangle,
                     const pd_picture *picture);
/* Sets the number of pixels per interface unit, from the next ui_begin_frame on. The fonts are rasterised again. */
void ui_set_scale(ui *gui, float scale);
float ui_scale(const ui *gui);
/* Return the size that was passed to ui_begin_frame, in interface units. */
float ui_width(const ui *gui);
float ui_height(const ui *gui);

/* Passes an event to ImGui. Returns whether the event has closed a menu by a press beside it. Such a press has no other
 * effect. */
bool ui_process_event(ui *gui, const SDL_Event *event);
/* Returns whether the panel, a menu or a dialog covers a point of the window. pixel_x, pixel_y: pixels from the top left. */
bool ui_covers_place(const ui *gui, float pixel_x, float pixel_y);
/* Returns whether ImGui needs a frame before the next event. ImGui would miss a press whose release comes in the same frame. */
bool ui_needs_frame(const ui *gui);
/* Returns whether the last frame has drawn characters that only the next frame will show, because their font was not loaded yet. */
bool ui_lacks_glyphs(const ui *gui);
/* Makes ui_needs_frame return true until the next frame. Call if the next frame shows a widget that the next event may
 * press. */
void ui_request_frame(ui *gui);
bool ui_is_menu_open(const ui *gui);
/* Closes the open menu or dialog. Returns whether there was one. */
bool ui_close_menu(ui *gui);
/* Closes the menu that a dialog has opened. Returns whether there was such a menu. */
bool ui_close_menu_of_dialog(ui *gui);
/* Returns whether a text field has the keyboard focus. */
bool ui_is_typing(const ui *gui);
/* Returns whether a field of ui_edit_text has the keyboard focus. Its window still receives Escape, Enter, Up, Down,
 * Page Up and Page Down. */
bool ui_is_editing_text(const ui *gui);
/* Returns whether a field of ui_edit_text with UI_FOCUS_SEARCH has the keyboard focus. Its window still receives the keys of
 * ui_is_editing_text, and Left, Right, Home and End. */
bool ui_is_searching(const ui *gui);
/* Hides the mouse pointer from ImGui, during a drag in the world. */
void ui_hide_pointer(ui *gui, bool hidden);
/* Shows the mouse pointer as a hand in this frame. */
void ui_show_hand_pointer(ui *gui);
/* Hides the last button press from ImGui. Call if a layer above ImGui's windows has processed the press. */
void ui_hide_last_press(ui *gui);

/* Targets: named rectangles that can be pressed in this frame, in pixels from the top left. Widgets of the panel are added
 * automatically. Targets beyond UI_MAX_TARGETS are dropped. */
enum { UI_MAX_TARGETS = 256, UI_TARGET_NAME = 96 };
typedef struct ui_target {
    char name[UI_TARGET_NAME]; /* name of the target: "Pour" */
    float x, y, width, height; /* upper left corner and size, pixels */
} ui_target;
/* Adds a target. Position and size are interface units. */
void ui_add_target(ui *gui, const char *name, float x, float y, float width, float height);
/* Returns the targets of this frame, and their number in *count. */
const ui_target *ui_targets(const ui *gui, int *count);

/* Text and shapes over the picture. */
typedef enum ui_layer { UI_BELOW, UI_INSIDE, UI_ABOVE } ui_layer; /* drawing order relative to the panel */
typedef enum ui_tone { UI_QUIET, UI_PLAIN, UI_STRONG, UI_ACCENT, UI_WARNING, UI_ALARM } ui_tone;
typedef enum ui_size { UI_SMALL, UI_NORMAL, UI_LARGE, UI_SIZES } ui_size;

/* Sets the layer of all later texts and shapes. UI_INSIDE: only between ui_panel_begin and ui_panel_end. */
void ui_set_layer(ui *gui, ui_layer layer);
/* Computes the size of a text. wrap_width: greatest width of a line; 0: the text is one line. text NULL: *height is the
 * height of a line. */
void ui_measure_text(const ui *gui, ui_size size, const char *text, float wrap_width, float *width, float *height);
/* Return the width of a line of text, and the height of a line. */
float ui_text_width(const ui *gui, ui_size size, const char *text);
float ui_line_height(const ui *gui, ui_size size);
/* Draws a text whose upper left corner is (x, y). wrap_width: greatest width of a line; 0: the text is one line. */
void ui_draw_text(ui *gui, float x, float y, ui_size size, ui_tone tone, float opacity, float wrap_width,
                  const char *text);
/* Draws a plate: a rounded dark rectangle with a thin rim, as background of text. */
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

/* Begins the panel, a scrolling strip along the right edge. Widgets follow one another downwards. */
void ui_panel_begin(ui *gui, float width);
void ui_panel_end(ui *gui);
void ui_draw_heading(ui *gui, const char *text);
void ui_draw_note(ui *gui, const char *text);

/* Draws the title row of a section of the panel: a colour (NULL: none), a name, and a note at the right. A click on the
 * title shows or hides the rows of the section. True: the rows are shown. The caller then draws them and calls
 * ui_section_end. The pair of index and name is unique. at_first: state before the first click; UI_BARE: the section
 * has no rows. */
typedef enum ui_opening { UI_CLOSED, UI_OPENED, UI_BARE } ui_opening;
bool ui_section_begin(ui *gui, int index, const char *name, const char *note, const float rgb[3], ui_opening at_first);
void ui_section_end(ui *gui);
/* Scrolls the panel to the row drawn last. */
void ui_scroll_to_last_row(ui *gui);

/* Begin and end a group of rows. Labels are unique within a group. If a group of another name replaces it, a drag or typing in
 * its rows ends, even if the labels are the same. */
void ui_group_begin(ui *gui, const char *name);
void ui_group_end(ui *gui);

/* Reserves space in the panel for shapes on layer UI_INSIDE. *x, *y: receive its upper left corner; *width: receives its width;
 * help: tooltip, may be NULL. */
void ui_reserve_space(ui *gui, float height, const char *help, float *x, float *y, float *width);

/* What the user did to a widget in this frame. UI_SAME: nothing. UI_MOVED: changed the value with the mouse. UI_TYPED:
 * entered a number. UI_RESET: restored the default. UI_OWN: checked the box "own value" (ui_slider.own_help). */
typedef enum ui_change { UI_SAME, UI_MOVED, UI_TYPED, UI_RESET, UI_OWN } ui_change;

/* Returns whether a label in small letters fits into its row in a panel of this width. */
bool ui_label_fits(const ui *gui, const char *label, float width);

/* A row with a label, a slider and a button that resets the value. */
typedef struct ui_slider {
    const char *label;    /* unique in its group or section */
    const char *help;     /* tooltip, of several lines */
    const char *text;     /* value with its unit, shown on the slider */
    float fraction;       /* in: position of the slider, 0 .. 1; out: new position if UI_MOVED */
    float value;          /* in: value that the text field begins with; out: entered number if UI_TYPED */
    bool held;            /* out: the user drags the slider */
    bool modified;        /* whether the value differs from the default, so that the reset button is shown */
    const char *own_help; /* tooltip of the check box "own value" in place of the reset button; NULL: no check box */
    bool
        follows; /* the slider is grey: its value is that of another slider (check box "own value" is unchecked), or off */
} ui_slider;

/* Adds a question mark to the end of the next row. Its tooltip is the row's help, and then `citation`: the paper in which the
 * parameter is described, "" for none. */
void ui_set_next_row_citation(ui *gui, const char *citation);
/* Draws a slider. Ctrl+click opens a text field. Return, Tab and a click elsewhere accept the entered number, Escape discards
 * it. A right click, the reset button or unchecking the box "own value" returns UI_RESET. */
ui_change ui_draw_slider(ui *gui, ui_slider *slider);
/* Draws a check box. help: tooltip, may be NULL. A right click or the reset button returns UI_RESET. */
ui_change ui_draw_check_box(ui *gui, const char *label, const char *help, bool modified, bool *value);
/* Draws a menu. words: its items, separated by '|'; *index: the selected item. */
ui_change ui_choose_item(ui *gui, const char *label, const char *help, bool modified, const char *words, int *index);
/* Draws the label of a row. The next widget, a text field or a menu without a label, is drawn to the right of the label. */
void ui_draw_row_label(ui *gui, const char *label);
/* Draws a menu without a label, as wide as the panel or as the rest of a row after ui_draw_row_label. name: unique, not
 * shown; abouts: a second line for each item, may be NULL. */
ui_change ui_choose_unlabelled(ui *gui, const char *name, const char *const *titles, const char *const *abouts,
                               int count, int *index);
/* Draws a row with an empty field and a field for each colour. names: tooltips of the colours; *chosen: index of the selected
 * colour; -1: the empty field. */
ui_change ui_choose_colour(ui *gui, const char *label, const char *help, const float (*colours)[3],
                           const char *const *names, int count, int *chosen);
/* Draws a row with a colour. A click opens a colour picker. True: the user changed the colour. help: tooltip, may be NULL. */
bool ui_edit_colour(ui *gui, const char *label, const char *help, uint8_t rgb[3]);
/* Draws a button in a row of `columns` buttons. Column 0 begins a row. True: the button was pressed. */
bool ui_draw_button(ui *gui, const char *label, const char *help, int column, int columns);
/* Draws a button below the sliders. True: the button was pressed. */
bool ui_draw_row_button(ui *gui, const char *label, const char *help);

/* ---- ui_windows.cpp: windows of layers ---- */

/* Begin and end a window at a place, filled with the widgets drawn in between. name: unique, not shown; padding: margin of the
 * content; opacity: of background and content. */
void ui_window_begin(ui *gui, const char *name, float x, float y, float width, float height, float padding,
                     float opacity);
void ui_window_end(ui *gui);
/* Begin and end an area of a window that scrolls. height: height of the area; 0: the rest of the window; negative: the rest of
 * the window minus -height. */
void ui_scroll_begin(ui *gui, const char *name, float height);
void ui_scroll_end(ui *gui);
/* Places the next widget to the right of the last one. */
void ui_same_line(ui *gui, float gap);
/* Leaves free space above the next widget. */
void ui_add_space(ui *gui, float height);
/* Sets the width of the next widget. */
void ui_set_next_widget_width(ui *gui, float width);
/* Sets the gap between widgets of the window, until ui_window_end. */
void ui_set_widget_spacing(ui *gui, float gap);
/* Draws a row of the help: keys as key caps, and a text to their right, which wraps. keys: names separated by spaces;
 * keys_fraction: width for the keys, in units of the row's width. The text is also the name of a target. */
void ui_draw_key_row(ui *gui, const char *keys, float keys_fraction, const char *text);
/* Draws text that wraps at the window's right edge. */
void ui_draw_wrapped_text(ui *gui, ui_size size, ui_tone tone, const char *text);

/* A button with a text or an icon. */
typedef struct ui_push {
    const char *name; /* unique in its window; name of the target */
    const char *help; /* tooltip, may be NULL */
    const char *text; /* text on the button, which ends with an ellipsis if it is too long; NULL: the caller draws an
                         icon at (x, y) on layer UI_INSIDE */
    float width, height;
    bool chosen, disabled;
    bool small;       /* whether the text has size UI_SMALL */
    const float *rgb; /* colour that fills the button; NULL: the button has no colour of its own */
    float x, y;       /* out: centre of the button */
} ui_push;
/* Draws a button without a frame. True: the button was pressed. */
bool ui_draw_push_button(ui *gui, ui_push *push);

/* Draws a button that opens a menu below it. True: the menu is open. The caller then draws the items and calls ui_menu_end. */
bool ui_menu_begin(ui *gui, ui_push *push);
void ui_menu_end(ui *gui);
/* Draws an item that opens a submenu. True: the submenu is open. The caller then draws its items and calls ui_submenu_end. */
bool ui_submenu_begin(ui *gui, const char *name);
void ui_submenu_end(ui *gui);
/* Draws an item of a menu. key: name of its key, drawn at the right; chosen: the item has a tick. True: the item was
 * pressed. */
bool ui_draw_menu_item(ui *gui, const char *name, const char *key, bool chosen);
/* Draws an item with a second line in small letters. True: the item was pressed. */
bool ui_draw_tall_menu_item(ui *gui, const char *name, const char *key, const char *about, bool chosen);

/* When a text field has the keyboard focus. UI_FOCUS_BY_CLICK: after a click. UI_FOCUS_FIRST: while no other widget has
 * the focus; when the window appears, the text is selected. UI_FOCUS_SEARCH: while no other widget has the focus; the
 * caret stays at the end. */
typedef enum ui_focus { UI_FOCUS_BY_CLICK, UI_FOCUS_FIRST, UI_FOCUS_SEARCH } ui_focus;

/* Draws a text field. name: unique in its window; hint: shown while the text is empty. The caller may change the text
 * at any time. Returns UI_MOVED if the text changed, and UI_TYPED if Enter was pressed. */
ui_change ui_edit_text(ui *gui, const char *name, const char *hint, ui_focus focus, char *text, size_t size);

/* A picture with a title below, which can be pressed. */
typedef struct ui_tile {
    const char *name;    /* unique in its window */
    const char *title;   /* text below the picture; name of the target */
    const char *badge;   /* text in a corner of the picture; NULL: none */
    unsigned texture;    /* OpenGL name of the picture; 0: none yet */
    float width, height; /* size of the picture, interface units */
    bool scrolls;        /* in: whether the window scrolls to the tile */
    bool chosen;         /* in: whether the tile is highlighted; out: true also if the pointer moved to the tile */
    bool visible;        /* out: whether the tile is at least partly visible */
} ui_tile;
/* Draws a tile. Its height is the picture's height + UI_TILE_LABEL. True: the tile was pressed. */
enum { UI_TILE_LABEL = 24 };
bool ui_draw_tile(ui *gui, ui_tile *tile);

/* Draw a row of tabs. If ui_tabs_begin returns true, call ui_tab_begin for each tab, then ui_tabs_end. If ui_tab_begin returns
 * true, draw the content of the tab, then call ui_tab_end. chosen: selects the tab. */
bool ui_tabs_begin(ui *gui, const char *name);
bool ui_tab_begin(ui *gui, const char *name, bool chosen);
void ui_tab_end(ui *gui);
void ui_tabs_end(ui *gui);
/* Draws a bar that is filled up to `fraction`, with a text over it. */
void ui_draw_progress_bar(ui *gui, float fraction, const char *text);

/* Begins a dialog in the middle of the darkened window, or at the right of the slightly darkened picture. *width, *height:
 * in: wanted size; out: size, at most that of the window. *x, *y: receive its upper left corner. False: the dialog is not
 * shown in this frame. */
typedef enum ui_dialog_place { UI_IN_THE_MIDDLE, UI_AT_THE_RIGHT } ui_dialog_place;
bool ui_dialog_begin(ui *gui, const char *title, ui_dialog_place place, float *x, float *y, float *width,
                     float *height);
/* Draws a row with a label and a value between two buttons. value NULL: the row is empty. *chosen: in: whether the row is
 * highlighted, because the arrow keys change its value; out: true also if the pointer moved to the row. Returns -1 if the left
 * button was pressed, 1 if the right button was pressed, otherwise 0. */
int ui_draw_step_row(ui *gui, const char *label, const char *value, bool *chosen);
/* Draws a button with a name and a description in a second line. about: NULL for none; *chosen: as in ui_draw_step_row. True:
 * the button was pressed. */
bool ui_draw_large_button(ui *gui, const char *name, const char *about, float height, bool *chosen);
/* Draws the button that accepts the dialog. *chosen: as in ui_draw_step_row. True: the button was pressed. */
bool ui_draw_accept_button(ui *gui, const char *label, bool *chosen);
/* Ends the dialog. note: text of its last line. */
void ui_dialog_end(ui *gui, const char *note);

/* ---- charts.c: charts made of text and shapes ---- */

/* Picture with a legend in its lower right corner. A picture narrower than 480 or lower than 360 has a smaller legend. */
typedef struct ui_legend_place {
    float right, bottom; /* lower right corner of the picture */
    float width, height; /* size of the picture */
} ui_legend_place;
/* Draws the colour bar of a quantity with its values. */
void ui_draw_legend(ui *gui, const pd_legend *legend, int palette, const ui_legend_place *place);
/* Computes the rectangle that ui_draw_legend covers. *x, *y: receive its upper left corner. */
void ui_measure_legend(const ui *gui, const pd_legend *legend, const ui_legend_place *place, float *x, float *y,
                       float *width, float *height);
/* Adds the room of a legend to the margins of a picture, below or beside the view, whichever leaves the view larger. A legend
 * clear of the container, and one that would halve the view, get no room. width, height: size of the picture, pixels; scale:
 * pixels per interface unit. */
void ui_reserve_legend(const ui *gui, const pd_legend *legend, const ui_legend_place *place, const pd_view *view,
                       int width, int height, float scale, pd_framing *framing);

/* Draws a scale bar with its length: 1, 2 or 5 times a power of ten metres. (x, y): upper left corner of its background;
 * longest: greatest length of the bar. Returns the width of the background. */
enum { UI_RULER_HEIGHT = 26 };
float ui_draw_ruler(ui *gui, float x, float y, float units_per_metre, float longest);

/* Chart of stacked bars over time: a bar for each frame, a part for each stage of the frame. Below are each stage's
 * colour, name and mean time. */
typedef struct ui_bars {
    const float *values;      /* values[frame * stages + stage], oldest frame first, ms */
    int frames;               /* frames in `values` */
    int capacity;             /* frames that fit into the chart */
    int stages;               /* number of stages of a frame that are timed */
    const char *const *names; /* names of the stages */
    float mark;               /* time at which the chart has a horizontal line, ms */
    float top;                /* time at the top of the chart, ms */
} ui_bars;
void ui_draw_bars(ui *gui, const ui_bars *bars);

/* Chart with a column for each value. Below the chart stand label and value of the first and of the last column. */
typedef struct ui_columns {
    const float *values;      /* values as fractions; 0.04: 4 % */
    int count;                /* number of values */
    float top;                /* value at the top of the chart, as a fraction */
    const char *first, *last; /* labels of the first and the last column: "before", "after 4 iterations" */
    const char *help;         /* tooltip */
} ui_columns;
void ui_draw_columns(ui *gui, const ui_columns *columns);

#ifdef __cplusplus
}
#endif

/* Colours and sizes of the interface. Colours are red, green and blue from 0 to 1, sizes are interface units. */
/* Colours of text, one per ui_tone. */
static const float THEME_QUIET[3] = {0.60f, 0.64f, 0.73f};
static const float THEME_PLAIN[3] = {0.84f, 0.87f, 0.93f};
static const float THEME_STRONG[3] = {1.00f, 1.00f, 1.00f};
static const float THEME_ACCENT[3] = {
    0.56f, 0.70f, 1.00f}; /* Colour of highlights and previews, and of the first pane of a comparison. */
static const float THEME_WARNING[3] = {1.00f, 0.77f, 0.36f};
static const float THEME_ALARM[3] = {1.00f, 0.36f, 0.36f};
static const float THEME_DISABLED[3] = {0.53f, 0.57f, 0.66f};

/* Colours of backgrounds, from dark to light. THEME_NIGHT: background of the scene browser, and the shade over the window
 * while a dialog is open. */
static const float THEME_NIGHT[3] = {5 / 255.0f, 7 / 255.0f, 12 / 255.0f};
static const float THEME_PANEL[3] = {0.040f, 0.052f, 0.084f};
static const float THEME_PLATE[3] = {13 / 255.0f, 17 / 255.0f,
                                     28 / 255.0f}; /* Background of text that lies over the picture of the fluid. */
static const float THEME_MENU[3] = {0.060f, 0.076f, 0.118f};
static const float THEME_PAPER[3] = {0.087f, 0.107f, 0.159f}; /* Background of charts. */

/* Colours of lines and areas of widgets. */
static const float THEME_PLATE_RIM[3] = {130 / 255.0f, 146 / 255.0f, 190 / 255.0f};
static const float THEME_BORDER[3] = {0.50f, 0.56f, 0.72f};
static const float THEME_FIELD[3] = {0.42f, 0.50f, 0.70f};
static const float THEME_BUTTON[3] = {0.42f, 0.53f, 0.86f}; /* Button that is selected or below the pointer. */
static const float THEME_CHOSEN[3] = {0.25f, 0.55f, 1.00f}; /* Selected row of a dialog. */
static const float THEME_TRACK[3] = {0.30f, 0.34f,
                                     0.44f}; /* Separating lines, and the tracks of the time line and of scroll bars. */
static const float THEME_FILLED[3] = {66 / 255.0f, 92 / 255.0f, 190 / 255.0f}; /* Filled part of a slider. */
/* Filled part of a grey slider, whose value is that of another slider (ui_slider.follows). */
static const float THEME_FOLLOWS[3] = {92 / 255.0f, 100 / 255.0f, 122 / 255.0f};
static const float THEME_SECOND[3] = {1.00f, 0.72f, 0.36f}; /* Colour of the second pane of a comparison. */

/* Colours of icons and previews. */
static const float THEME_INK[3] = {0.86f, 0.89f, 0.97f};
static const float THEME_ERASER[3] = {0.95f, 0.52f, 0.58f};
static const float THEME_DARK[3] = {0.02f, 0.03f,
                                    0.06f}; /* Outline of a preview over light fluid, rim of light lines. */
static const float THEME_LIGHT[3] = {0.93f, 0.95f, 1.00f}; /* Outline of a preview over dark fluid. */

static const float THEME_EDGE = 10; /* Distance from the window's border to the background of a text (ui_draw_plate). */
static const float THEME_STRIP = 26; /* Height of the strip at the bottom of the window. */
static const float THEME_GAP = 8;    /* Distance between two backgrounds of text. */
static const float THEME_OPACITY =
    1.1f; /* Opacity, in units of its default, of a text's background over the container's outline. */
static const float THEME_SHADE = 0.55f; /* Opacity of the shade over the window while a dialog is open, 0 to 1. */
static const float THEME_DENSE = 1.15f; /* Opacity, in units of its default, of a text's background over other text. */

#endif
