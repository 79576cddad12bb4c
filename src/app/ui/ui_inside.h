/* What ui.cpp and ui_panel.cpp share. C++. */
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
    float scale, wanted_scale;
    float zoom;     /* of text and shapes on the canvas */
    float ratio;    /* pixels per unit of the window system */
    ImVec2 pointer; /* in the window system's units, from the events */
    bool down[3];   /* left, right, middle */
    bool hide_pointer;
    ImVec2 shown;     /* place of the pointer that Dear ImGui received last, pixels */
    bool moved;       /* that place is another one than in the frame before */
    bool needs_frame; /* a frame must be made before more events are taken */
    ImDrawList *canvas;
    struct {
        ImGuiID field, next; /* the slider that is a text field now; the one that becomes it after that */
        int frames;          /* since it became one */
        float value;         /* typed so far */
        bool edited, active; /* typed into; has the keyboard focus */
        bool seen;           /* its slider was in this frame */
        bool leave;          /* accept the number and close the field */
    } typing;
    const char *section; /* the one whose rows are drawn; NULL: none */
    int target_count;
    ui_target targets[UI_MAX_TARGETS];
};

ImU32 ui_color(const float rgb[3], float opacity);
ImU32 ui_tone_color(ui_tone tone, float opacity);

#endif
