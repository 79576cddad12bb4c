/* Definition of the struct ui, for the C++ files of this folder. */
#ifndef PUDDLE_APP_UI_UI_INSIDE_H
#define PUDDLE_APP_UI_UI_INSIDE_H

#include "app/ui/ui.h"

#include <imgui.h>
#include <imgui_internal.h>

struct ui {
    ImGuiContext *context;
    SDL_Window *window;
    ImFont *fonts[UI_SIZES];
    float scale;          /* pixels per interface unit */
    float next_scale;     /* scale from the next frame on */
    float ratio;          /* pixels per unit of the window system */
    bool in_dialog;       /* a dialog is drawn: rows have narrow labels and no room for reset buttons */
    ImVec2 pointer;       /* place of the mouse pointer at the last event, units of the window system */
    bool down[3];         /* whether the left, right and middle mouse button are down */
    bool hide_pointer;    /* ImGui receives no pointer (ui_hide_pointer) */
    ImVec2 shown;         /* place of the pointer that ImGui received last, pixels */
    bool moved;           /* whether `shown` differs from its value in the last frame */
    ImVec2 caret;         /* place of the caret that SDL received last, pixels */
    bool needs_frame;     /* a frame must be made before the next event is passed */
    ImDrawList *canvas;   /* draw list of ui_set_layer */
    float canvas_opacity; /* opacity of shapes and texts on `canvas`, 1 except in a window that fades */
    struct {              /* text field into which the user types the number of a slider */
        ImGuiID field;    /* slider that the text field replaces; 0: no text field */
        ImGuiID next;     /* slider that becomes a text field next; 0: none */
        int frames;       /* frames since the field appeared */
        float value;      /* number entered so far */
        bool edited;      /* the user has typed */
        bool active;      /* the field has the keyboard focus */
        bool seen;        /* the slider was drawn in this frame */
        bool leave;       /* the next frame accepts the number and closes the text field */
    } typing;
    struct {            /* text field of ui_edit_text */
        ImGuiID active; /* text field with the keyboard focus; 0: none */
        bool drawn;     /* a text field was drawn in this frame */
        bool appears;   /* the window has appeared, and its text field has not had the keyboard focus yet */
        bool waits;     /* the field receives the keyboard focus in the next frame */
        bool searches;  /* the field has UI_FOCUS_SEARCH */
        int frames;     /* number of frames for which the field has waited for the keyboard focus */
        ImGuiID owner;  /* field that had the keyboard focus last */
        ImGuiID text;   /* hash of the text of `owner` after the last frame */
    } field;
    mutable struct {         /* characters besides those of every atlas (ui_fonts.cpp) */
        ImU8 required[8192]; /* bit c: a text with the character c was drawn */
        int count;           /* number of bits that are set */
        bool changed;        /* a bit was set since the atlas was built */
    } glyphs;
    const char *citation; /* source in the tooltip of the question mark at the end of the next row; NULL: no question
                             mark; "": the tooltip names no source */
    const char *section;  /* name of the section whose rows are drawn; NULL: none */
    int target_count;     /* number of targets in this frame */
    ui_target targets[UI_MAX_TARGETS];
};

/* Return a colour in the form that ImGui's draw lists use. */
ImU32 ui_color(const float rgb[3], float opacity);
ImU32 ui_tone_color(ui_tone tone, float opacity);
/* Builds the atlas of the three fonts for gui->scale, with the characters that texts have required so far. */
void ui_load_fonts(ui *gui);
/* Adds the characters of a text, which is drawn in this frame, to the atlas of the next frame. text: may be NULL. Call this function for
 * each text that may come from outside of the program: names of scenes, materials, bodies and files. */
void ui_require_glyphs(const ui *gui, const char *text);
/* Returns the width of a row's label, in units of the row's width. */
float ui_label_width_fraction(const ui *gui);
/* Adds the last widget to the targets. Its name is prefix + label + section: "Reset Mass (honey)" for the reset button
 * of the row "Mass" in the section "honey". */
void ui_add_last_widget_as_target(ui *gui, const char *prefix, const char *label);
/* Draws an item of a list with a second line in small letters. key: name of its key, drawn at the right. True: the item was
 * pressed. */
bool ui_draw_two_lines(const ui *gui, const char *name, const char *key, const char *about, bool chosen);
/* Draws a tooltip if the pointer rests on the last widget. help: may be NULL. */
void ui_draw_tooltip(const ui *gui, const char *help);

#endif
