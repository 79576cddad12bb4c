/* The struct ui, which the C++ files share (C++). */
#ifndef PUDDLE_APP_UI_UI_INSIDE_H
#define PUDDLE_APP_UI_UI_INSIDE_H

#include "app/ui/theme.h"
#include "app/ui/ui.h"

#include <imgui.h>
#include <imgui_internal.h>

struct ui {
    ImGuiContext *context;
    SDL_Window *window;
    ImFont *fonts[UI_SIZES];
    float scale;        /* pixels per interface unit */
    float wanted_scale; /* scale from the next frame on */
    float ratio;        /* pixels per unit of the window system */
    bool in_dialog;     /* a dialog is drawn: rows have narrow labels and no room for reset buttons */
    ImVec2 pointer;     /* place of the mouse pointer at the last event, units of the window system */
    bool down[3];       /* mouse buttons: left, right, middle */
    bool hide_pointer;  /* ImGui receives no pointer (ui_hide_pointer) */
    ImVec2 shown;       /* place of the pointer that ImGui received last, pixels */
    bool moved;         /* `shown` differs from the last frame's */
    bool needs_frame;   /* a frame must be made before the next event is passed */
    ImDrawList *canvas; /* draw list of ui_set_layer */
    struct {            /* text field in place of a slider */
        ImGuiID field;  /* the slider; 0: no text field */
        ImGuiID next;   /* slider that becomes a text field next; 0: none */
        int frames;     /* frames since the field appeared */
        float value;    /* number entered so far */
        bool edited;    /* the user has typed */
        bool active;    /* the field has the keyboard focus */
        bool seen;      /* the slider was drawn in this frame */
        bool leave;     /* the number is to be accepted and the field closed */
    } typing;
    struct {            /* text field of ui_edit_text */
        ImGuiID active; /* the field with the keyboard focus; 0: none */
        bool drawn;     /* a field was drawn in this frame */
        bool appears;   /* the window has appeared, and the field has not had the keyboard focus yet */
        bool waits;     /* the field receives the keyboard focus in the next frame */
        bool searches;  /* the field has UI_FOCUS_SEARCH */
        int frames;     /* frames that the field has waited */
        ImGuiID owner;  /* field that had the keyboard focus last */
        ImGuiID text;   /* hash of the text of `owner` after the last frame */
    } field;
    const char *source;  /* text behind the question mark of the next row; NULL: none */
    const char *section; /* name of the section whose rows are drawn; NULL: none */
    int target_count;
    ui_target targets[UI_MAX_TARGETS];
};

/* Return a colour for ImGui's draw lists. */
ImU32 ui_color(const float rgb[3], float opacity);
ImU32 ui_tone_color(ui_tone tone, float opacity);
/* Returns width of a row's label / width of the row. */
float ui_label_share(const ui *gui);
/* Adds the last widget to the targets: "Reset Mass (honey)" is the reset button of the row "Mass" in the section "honey". */
void ui_add_last_target(ui *gui, const char *what, const char *label);
/* Draws a tooltip if the pointer rests on the last widget. help: may be NULL. */
void ui_draw_tooltip(const ui *gui, const char *help);

#endif
