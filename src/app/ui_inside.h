/* What ui.cpp and ui_panel.cpp share. C++. */
#ifndef PUDDLE_APP_UI_INSIDE_H
#define PUDDLE_APP_UI_INSIDE_H

#include "app/ui.h"

#include <imgui.h>
#include <imgui_internal.h>

struct ui {
    ImGuiContext *context;
    SDL_Window *window;
    ImFont *fonts[UI_SIZES];
    float scale, wanted_scale;
    float zoom;     /* of words and shapes on the canvas */
    float ratio;    /* pixels per unit of the window system */
    ImVec2 pointer; /* in the window system's units, by the events */
    bool down[3];   /* left, right, middle */
    bool hide_pointer;
    bool frame_first; /* what has come must be drawn before more is taken in */
    ImDrawList *canvas;
    struct {
        ImGuiID field, next; /* the slider that is a text field now; the one to be it when that has ended */
        int frames;          /* since it began */
        float value;         /* what has been typed */
        bool edited, active, seen, leave;
    } typing;
};

ImU32 ui_tone_color(ui_tone tone, float opacity);

#endif
