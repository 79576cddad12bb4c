/* Dear ImGui behind a C face: the only door to C++. Used by the window (HUD, help, panel, messages) and, without a
 * window, by `puddle render` for legends.
 *
 * Places and sizes are interface units from the top left (a unit is `scale` pixels), unless a name says pixels. */
#ifndef PUDDLE_APP_UI_H
#define PUDDLE_APP_UI_H

#include <puddle/puddle.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "render/picture.h" /* C alone: takes its linkage from here */

typedef struct SDL_Window SDL_Window;
typedef union SDL_Event SDL_Event;
typedef struct ui ui;

/* Needs a current OpenGL context. window: NULL without one. scale: pixels per interface unit.
 * Errors: GRAPHICS_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result ui_create(ui **created, SDL_Window *window, float scale, pd_error *error);
void ui_destroy(ui *gui);
/* Size in pixels; without a window it must be told. */
void ui_begin(ui *gui, int width, int height, float seconds);
/* Draws what was said since ui_begin into the bound framebuffer. */
void ui_end(ui *gui);
/* The same without drawing: what was said shows nowhere, but the input of this frame has been seen. */
void ui_end_unseen(ui *gui);
/* Another scale from the next ui_begin on (the window went to another display): the fonts are drawn anew. */
void ui_set_scale(ui *gui, float scale);
/* Of the last ui_begin, in interface units. */
float ui_width(const ui *gui);
float ui_height(const ui *gui);

/* Input. The window asks who owns a click before it acts on it, since the answer must not lag a frame behind. */
void ui_event(ui *gui, const SDL_Event *event);
bool ui_covers(const ui *gui, float pixel_x, float pixel_y);
/* True when an event must be shown in a frame before the next one is taken: a press and its release, a key and the next,
 * otherwise come to one and the same frame, which sees neither. */
bool ui_frame_first(const ui *gui);
/* Something has appeared that the next event may be for. */
void ui_draw_first(ui *gui);
bool ui_menu_open(const ui *gui);
/* Closes the menu that is open; false: none was. */
bool ui_close_menu(ui *gui);
/* True while a number is being typed into the panel: keys are text. */
bool ui_typing(const ui *gui);
/* While the world holds the pointer, the panel does not see it, wherever it goes. */
void ui_hide_pointer(ui *gui, bool hidden);

/* Words and shapes on the picture. */
typedef enum ui_layer { UI_BELOW, UI_INSIDE, UI_ABOVE } ui_layer; /* the panel; inside: between its begin and end */
typedef enum ui_tone { UI_QUIET, UI_PLAIN, UI_STRONG, UI_ACCENT, UI_WARNING, UI_ALARM } ui_tone;
typedef enum ui_size { UI_SMALL, UI_NORMAL, UI_LARGE, UI_SIZES } ui_size;

void ui_set_layer(ui *gui, ui_layer layer);
/* Makes the units of words and shapes that much larger, until it is called again; 1: an interface unit. */
void ui_set_zoom(ui *gui, float zoom);
/* wrap: the widest a line may be; 0: one line. Height of a line when text is NULL. */
void ui_measure(const ui *gui, ui_size size, const char *text, float wrap, float *width, float *height);
void ui_text(ui *gui, float x, float y, ui_size size, ui_tone tone, float opacity, float wrap, const char *text);
/* A rounded dark plate with a thin rim: what text lies on. */
void ui_plate(ui *gui, float x, float y, float width, float height, float opacity);
void ui_dot(ui *gui, float x, float y, float radius, ui_tone tone, float opacity);
void ui_box(ui *gui, float x, float y, float width, float height, float round, const float rgb[3], float opacity);
/* Darkens all that was drawn before on this layer and below. */
void ui_dim(ui *gui, float opacity);

/* The panel: a strip of this width along the right edge, which scrolls. Widgets follow one another downwards. */
void ui_panel_begin(ui *gui, float width);
void ui_panel_end(ui *gui);
void ui_heading(ui *gui, const char *text);
void ui_note(ui *gui, const char *text);

/* A row with a colour, a name and a note at the right, which opens and closes what lies between it and ui_section_end; true:
 * open. index and name together are unique; at_first: what it is until it is clicked. A bare one has nothing to open. */
typedef enum ui_opening { UI_CLOSED, UI_OPENED, UI_BARE } ui_opening;
bool ui_section(ui *gui, int index, const char *name, const char *note, const float rgb[3], ui_opening at_first);
void ui_section_end(ui *gui);

/* Labels between these are unique with the name: what is held by the pointer or typed into is not taken for its namesake of
 * another group that stands there now. */
void ui_group(ui *gui, const char *name);
void ui_group_end(ui *gui);

/* Empty room for shapes of UI_INSIDE: where it is and how wide. help: tooltip; may be NULL. */
void ui_room(ui *gui, float height, const char *help, float *x, float *y, float *width);

typedef enum ui_change { UI_SAME, UI_MOVED, UI_TYPED, UI_RESET, UI_OWN } ui_change;

/* One row: a label, a slider, and a button that resets when the value is not the default. */
typedef struct ui_slider {
    const char *label, *help; /* the label is unique in panel or section; help: tooltip, several lines */
    const char *text;         /* the value with its unit, as shown on the slider */
    float fraction;           /* 0..1; in and out (UI_MOVED) */
    float value;              /* what a typed number starts from; out (UI_TYPED) */
    bool modified;            /* offers the reset */
    const char *own_help;     /* with it, a box in the reset's place says whether the value is one of its own: */
    bool follows;             /* it is not, and shown grey (UI_OWN: it shall be; UI_RESET: it shall follow again) */
} ui_slider;

/* Ctrl and a click type a number, which Return, Tab and a click elsewhere take and Escape does not; a right click
 * resets. */
ui_change ui_slide(ui *gui, ui_slider *slider);
/* help may be NULL; on a right click or the reset button: UI_RESET. */
ui_change ui_check(ui *gui, const char *label, const char *help, bool modified, bool *value);
/* words: separated by '|'. */
ui_change ui_choose(ui *gui, const char *label, const char *help, bool modified, const char *words, int *index);
/* Across the whole row, without a label (the name is unique and not shown), and with a help for each item. */
ui_change ui_choose_titled(ui *gui, const char *name, const char *const *titles, const char *const *helps, int count,
                           int *index);
/* Buttons share a row of `columns`; column 0 begins it. */
bool ui_button(ui *gui, const char *label, const char *help, int column, int columns);

/* Made of the words and shapes above: charts.c */

/* The colour bar of a quantity at the lower right, that far from the right edge, values legible. Returns the height it
 * takes from the bottom of the window. */
float ui_legend(ui *gui, const pd_legend *legend, int palette, float right);

/* Stacked bars over time: values[frame * stages + stage], oldest first, in ms, with a line at `mark`; under it
 * each stage's colour, name and mean. */
typedef struct ui_bars {
    const float *values;
    int frames, room, stages; /* frames there are and frames that fit */
    const char *const *names;
    float mark, top; /* ms */
} ui_bars;
void ui_graph(ui *gui, const ui_bars *bars);

/* One column for each value (0.04: 4 %); under them what the first and the last stand for, and their values. */
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
