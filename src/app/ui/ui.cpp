/* Implements ui.h with Dear ImGui: context, input, text and shapes. Only files of this folder are C++. Positions and
 * sizes are multiplied by the scale, because ImGui works in pixels and ui.h in interface units. */
#include "app/ui/ui_inside.h"

#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <puddle/memory.h>
#include <SDL.h>

#define _Noreturn [[noreturn]] /* C17's keyword, which C++ does not have */
extern "C" {
#include "core/error.h"
}

namespace {

void set_style(float scale) {
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowPadding = ImVec2(16, 10);
    style.FramePadding = ImVec2(8, 3.5f);
    style.ItemSpacing = ImVec2(8, 4);
    style.ItemInnerSpacing = ImVec2(6, 4);
    style.WindowRounding = 0;
    style.FrameRounding = 5;
    style.PopupRounding = 7;
    style.GrabRounding = 4;
    style.ScrollbarRounding = 4;
    style.ScrollbarSize = 9;
    style.GrabMinSize = 9;
    style.WindowBorderSize = 0;
    style.PopupBorderSize = 1;
    style.AntiAliasedLinesUseTex = true;
    static const struct {
        int part;
        const float *rgb;
        float opacity;
    } colours[] = {
        {ImGuiCol_Text, THEME_PLAIN, 1},
        {ImGuiCol_TextDisabled, THEME_DISABLED, 1},
        {ImGuiCol_WindowBg, THEME_PANEL, 1},
        {ImGuiCol_PopupBg, THEME_MENU, 1},
        {ImGuiCol_Border, THEME_BORDER, 0.26f},
        {ImGuiCol_FrameBg, THEME_FIELD, 0.14f},
        {ImGuiCol_FrameBgHovered, THEME_FIELD, 0.24f},
        {ImGuiCol_FrameBgActive, THEME_FIELD, 0.32f},
        {ImGuiCol_CheckMark, THEME_ACCENT, 1},
        {ImGuiCol_PlotHistogram, THEME_ACCENT, 0.55f}, /* progress bars */
        {ImGuiCol_Button, THEME_FIELD, 0.18f},
        {ImGuiCol_ButtonHovered, THEME_BUTTON, 0.38f},
        {ImGuiCol_ButtonActive, THEME_BUTTON, 0.60f},
        {ImGuiCol_Header, THEME_BUTTON, 0.34f},
        {ImGuiCol_HeaderHovered, THEME_BUTTON, 0.46f},
        {ImGuiCol_HeaderActive, THEME_BUTTON, 0.60f},
        {ImGuiCol_Separator, THEME_BORDER, 0.18f},
        {ImGuiCol_ScrollbarBg, THEME_NIGHT, 0},
        {ImGuiCol_ScrollbarGrab, THEME_BORDER, 0.55f},
        {ImGuiCol_ScrollbarGrabHovered, THEME_BUTTON, 0.75f},
        {ImGuiCol_ScrollbarGrabActive, THEME_ACCENT, 1},
        {ImGuiCol_ModalWindowDimBg, THEME_NIGHT, THEME_SHADE},
    };
    for (const auto &c : colours) style.Colors[c.part] = ImVec4(c.rgb[0], c.rgb[1], c.rgb[2], c.opacity);
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
}

} // namespace

ImU32 ui_color(const float rgb[3], float opacity) {
    return ImGui::ColorConvertFloat4ToU32(ImVec4(rgb[0], rgb[1], rgb[2], opacity));
}

ImU32 ui_tone_color(ui_tone tone, float opacity) {
    static const float *const tones[] = {THEME_QUIET,  THEME_PLAIN,   THEME_STRONG,
                                         THEME_ACCENT, THEME_WARNING, THEME_ALARM};
    return ui_color(tones[tone], opacity);
}

/* Starts or stops SDL's text input, which is on by default. While text input is on, an input method receives each key first: the
 * window's keys would be lost. Sets the place for the input method's list of words to that of the caret. */
static void update_text_input(ui *gui, bool wanted) {
    if (!gui->window) return;
    ImVec2 caret = gui->context->PlatformImePos;
    if (wanted && caret.x < FLT_MAX && (caret.x != gui->caret.x || caret.y != gui->caret.y)) {
        float ratio = gui->ratio;
        SDL_Rect place = {(int)(caret.x / ratio), (int)(caret.y / ratio), 1, (int)(gui->context->FontSize / ratio)};
        SDL_SetTextInputRect(&place);
        gui->caret = caret;
    }
    if (wanted == (SDL_IsTextInputActive() == SDL_TRUE)) return;
    if (wanted)
        SDL_StartTextInput();
    else
        SDL_StopTextInput();
}

pd_result ui_create(ui **created, SDL_Window *window, float scale, pd_error *error) {
    *created = nullptr;
    ui *made = (ui *)calloc(1, sizeof(ui));
    if (!made)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                       "cannot open the interface: out of memory (close other programs)");
    made->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(made->context);
    made->window = window;
    made->scale = made->next_scale = scale;
    made->ratio = 1;
    made->pointer = ImVec2(-FLT_MAX, -FLT_MAX);
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false; /* a blinking cursor would need frames while nothing else changes */
    io.MouseDragThreshold *= scale;
    ui_load_fonts(made);
    set_style(scale);
    bool ready = ImGui_ImplOpenGL3_Init("#version 330 core");
    if (ready && window && !ImGui_ImplSDL2_InitForOpenGL(window, SDL_GL_GetCurrentContext())) {
        ImGui_ImplOpenGL3_Shutdown();
        ready = false;
    }
    if (!ready) {
        ImGui::DestroyContext(made->context);
        free(made);
        return pd_fail(error, PD_ERROR_GRAPHICS_UNAVAILABLE,
                       "cannot open the interface: libGL cannot be loaded (install the graphics driver)");
    }
    update_text_input(made, false);
    *created = made;
    return PD_OK;
}

void ui_destroy(ui *gui) {
    if (!gui) return;
    ImGui::SetCurrentContext(gui->context);
    ImGui_ImplOpenGL3_Shutdown();
    if (gui->window) ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext(gui->context);
    free(gui);
}

void ui_set_scale(ui *gui, float scale) { gui->next_scale = scale; }

/* Builds the atlas and its texture again. The back end makes the first texture in its first frame. */
static void update_fonts(ui *gui) {
    bool has_texture = ImGui::GetIO().Fonts->TexID != nullptr;
    ui_load_fonts(gui);
    set_style(gui->scale);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    if (has_texture) ImGui_ImplOpenGL3_CreateFontsTexture();
}

void ui_begin_frame(ui *gui, int width, int height, float seconds) {
    ImGui::SetCurrentContext(gui->context);
    if (gui->scale != gui->next_scale || gui->glyphs.changed) {
        gui->scale = gui->next_scale;
        update_fonts(gui);
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGuiIO &io = ImGui::GetIO();
    if (gui->window) {
        ImGui_ImplSDL2_NewFrame();
        int units = 0;
        SDL_GetWindowSize(gui->window, &units, nullptr);
        gui->ratio = units > 0 ? (float)width / (float)units : 1.0f;
    }
    /* ImGui's SDL back end has set the size in units of the window system. ui.h needs the size in pixels. */
    io.DisplaySize = ImVec2((float)width, (float)height);
    io.DisplayFramebufferScale = ImVec2(1, 1);
    /* The back end sets the pointer's present position. A click must count at the position in its event instead. */
    bool seen = !gui->hide_pointer && gui->pointer.x > -FLT_MAX;
    io.MousePos = seen ? ImVec2(gui->pointer.x * gui->ratio, gui->pointer.y * gui->ratio) : ImVec2(-FLT_MAX, -FLT_MAX);
    gui->moved = io.MousePos.x != gui->shown.x || io.MousePos.y != gui->shown.y;
    gui->shown = io.MousePos;
    for (int i = 0; i < 3; i++) io.MouseDown[i] = seen && gui->down[i];
    gui->needs_frame = false;
    io.DeltaTime = seconds > 1e-5f ? seconds : 1e-5f;
    ImGui::NewFrame();
    ImGui::PushFont(gui->fonts[UI_NORMAL]);
    ui_set_layer(gui, UI_BELOW);
    gui->typing.seen = false;
    gui->field.drawn = gui->field.waits = false;
    gui->field.active = 0;
    gui->target_count = 0;
}

static void finish_frame(ui *gui) {
    ImGui::SetCurrentContext(gui->context);
    if (!gui->typing.seen) gui->typing = {}; /* closes the text field of a slider that is no longer drawn */
    if (!gui->field.drawn) gui->field.frames = 0;
    gui->typing.leave = false;
    ImGui::PopFont();
    ImGui::EndFrame();
    update_text_input(gui, ui_is_typing(gui));
}

void ui_end_frame(ui *gui) {
    finish_frame(gui);
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void ui_end_frame_undrawn(ui *gui) { finish_frame(gui); }

/* Draws an area of the window into the bound framebuffer, after ui_end_frame_undrawn. */
static void draw_frame_area(ui *gui, const pd_pixel_area *area) {
    ImGui::SetCurrentContext(gui->context);
    float height = ImGui::GetIO().DisplaySize.y;
    ImGui::Render(); /* repeated for each area, with the same draw lists as result */
    ImDrawData *data = ImGui::GetDrawData();
    data->DisplayPos = ImVec2((float)area->x, height - (float)(area->y + area->height));
    data->DisplaySize = ImVec2((float)area->width, (float)area->height);
    ImGui_ImplOpenGL3_RenderDrawData(data);
}

void ui_draw_picture(ui *gui, int gui_left, pd_renderer *renderer, pd_canvas *canvas, const pd_pixel_area *rectangle,
                     const pd_picture *picture) {
    pd_picture drawn = *picture;
    pd_pixel_area area = {}, of_gui;
    while (pd_canvas_get_next_area(canvas, rectangle, &area)) {
        drawn.area = of_gui = area;
        drawn.area.x -= rectangle->x;
        of_gui.x -= gui_left;
        pd_renderer_draw(renderer, canvas->framebuffer, &drawn);
        if (gui) draw_frame_area(gui, &of_gui);
        pd_canvas_read_area(canvas, &area);
    }
}

float ui_scale(const ui *gui) { return gui->scale; }

float ui_width(const ui *gui) { return gui->context->IO.DisplaySize.x / gui->scale; }

float ui_height(const ui *gui) { return gui->context->IO.DisplaySize.y / gui->scale; }

static void update_pointer_state(ui *gui, const SDL_Event *event) {
    static const int order[] = {0, 2, 1}; /* from SDL's left, middle, right to ImGui's left, right, middle */
    bool button = event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP;
    if (event->type == SDL_MOUSEMOTION) gui->pointer = ImVec2((float)event->motion.x, (float)event->motion.y);
    if (button) gui->pointer = ImVec2((float)event->button.x, (float)event->button.y);
    if (button && event->button.button >= 1 && event->button.button <= 3)
        gui->down[order[event->button.button - 1]] = event->type == SDL_MOUSEBUTTONDOWN;
    bool left = event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_LEAVE;
    if (left && !gui->down[0] && !gui->down[1] && !gui->down[2]) gui->pointer = ImVec2(-FLT_MAX, -FLT_MAX);
}

/* Returns whether ImGui needs a frame between this event and the next event. ImGui reads the state of buttons and keys once a
 * frame. It would miss a press whose release is processed before the frame. */
static bool needs_frame_before_next_event(const ui *gui, const SDL_Event *event) {
    if (event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP) return true;
    if (!ui_is_typing(gui)) return false;
    /* ImGui discards typed text if Ctrl is pressed in the same frame. */
    if (event->type == SDL_TEXTINPUT) return true;
    bool key = event->type == SDL_KEYDOWN || event->type == SDL_KEYUP;
    if (!key || event->key.repeat) return false;
    SDL_Keysym pressed = event->key.keysym;
    bool special = pressed.sym < ' ' || pressed.sym == SDLK_DELETE || (pressed.sym & SDLK_SCANCODE_MASK);
    return special || (pressed.mod & KMOD_CTRL); /* after other keys comes an SDL_TEXTINPUT event */
}

/* Closes menus and text fields if the user presses a button over the picture of the fluid, or if the window loses the keyboard
 * focus. Returns whether a press has closed a menu. */
static bool close_after_press_outside(ui *gui, const SDL_Event *event) {
    bool gone = event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_FOCUS_LOST;
    bool pressed = event->type == SDL_MOUSEBUTTONDOWN;
    if (!gone && (!pressed || ui_covers_place(gui, gui->pointer.x * gui->ratio, gui->pointer.y * gui->ratio)))
        return false;
    gui->typing.leave = true;
    return ui_close_menu(gui) && pressed;
}

bool ui_process_event(ui *gui, const SDL_Event *event) {
    ImGui::SetCurrentContext(gui->context);
    update_pointer_state(gui, event);
    bool closes_menu = close_after_press_outside(gui, event);
    ImGui_ImplSDL2_ProcessEvent(event);
    if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP) {
        /* The back end has set the present state of Ctrl and Shift. A key must count with the state in its event instead. */
        ImGui::GetIO().KeyCtrl = (event->key.keysym.mod & KMOD_CTRL) != 0;
        ImGui::GetIO().KeyShift = (event->key.keysym.mod & KMOD_SHIFT) != 0;
    }
    gui->needs_frame = gui->needs_frame || needs_frame_before_next_event(gui, event);
    return closes_menu;
}

void ui_request_frame(ui *gui) { gui->needs_frame = true; }

bool ui_needs_frame(const ui *gui) {
    return gui->needs_frame || gui->field.waits || gui->typing.next || (gui->typing.field && !gui->typing.active);
}

bool ui_lacks_glyphs(const ui *gui) { return gui->glyphs.changed; }

bool ui_is_menu_open(const ui *gui) { return gui->context->OpenPopupStack.Size > 0; }

/* Closes open menus and dialogs except the lowest `level` ones of the stack. Returns whether one was closed. */
static bool close_menus_above(ui *gui, int level) {
    ImGui::SetCurrentContext(gui->context);
    if (gui->context->OpenPopupStack.Size <= level) return false;
    ImGui::ClosePopupToLevel(level, false);
    return true;
}

bool ui_close_menu(ui *gui) { return close_menus_above(gui, 0); }

bool ui_close_menu_of_dialog(ui *gui) { return close_menus_above(gui, 1); }

/* ImGui's WantCaptureMouse is not used: it describes the pointer's position in the last frame, which an event may have
 * changed. */
bool ui_covers_place(const ui *gui, float pixel_x, float pixel_y) {
    bool draws = gui->context->WithinFrameScope; /* the windows of this frame are not complete yet */
    for (const ImGuiWindow *window : gui->context->Windows)
        if ((draws ? window->WasActive : window->Active) && !window->Hidden &&
            !(window->Flags & ImGuiWindowFlags_NoMouseInputs) &&
            window->OuterRectClipped.Contains(ImVec2(pixel_x, pixel_y)))
            return true;
    return false;
}

bool ui_is_typing(const ui *gui) { return gui->typing.field || gui->typing.next || ui_is_editing_text(gui); }

bool ui_is_editing_text(const ui *gui) { return gui->field.active || gui->field.waits; }

bool ui_is_searching(const ui *gui) { return ui_is_editing_text(gui) && gui->field.searches; }

void ui_hide_pointer(ui *gui, bool hidden) { gui->hide_pointer = hidden; }

void ui_show_hand_pointer(ui *gui) {
    (void)gui;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

void ui_hide_last_press(ui *gui) {
    for (bool &down : gui->down) down = false;
}

void ui_add_target(ui *gui, const char *name, float x, float y, float width, float height) {
    if (gui->target_count == UI_MAX_TARGETS) return;
    float scale = gui->scale;
    ui_target *target = &gui->targets[gui->target_count++];
    snprintf(target->name, sizeof target->name, "%s", name);
    target->x = x * scale;
    target->y = y * scale;
    target->width = width * scale;
    target->height = height * scale;
}

const ui_target *ui_targets(const ui *gui, int *count) {
    *count = gui->target_count;
    return gui->targets;
}

void ui_set_layer(ui *gui, ui_layer layer) {
    gui->canvas_opacity =
        layer == UI_INSIDE ? ImGui::GetStyle().Alpha : 1; /* a window that fades has the style's alpha */
    if (layer == UI_BELOW) gui->canvas = ImGui::GetBackgroundDrawList();
    if (layer == UI_INSIDE) gui->canvas = ImGui::GetWindowDrawList();
    if (layer == UI_ABOVE) gui->canvas = ImGui::GetForegroundDrawList();
}

void ui_measure_text(const ui *gui, ui_size size, const char *text, float wrap_width, float *width, float *height) {
    const ImFont *font = gui->fonts[size];
    float scale = gui->scale, tall = font->FontSize;
    ImVec2 extent(0, tall);
    if (text) extent = font->CalcTextSizeA(tall, FLT_MAX, wrap_width * scale, text);
    if (width) *width = extent.x / scale;
    if (height) *height = extent.y / scale;
}

float ui_text_width(const ui *gui, ui_size size, const char *text) {
    float width;
    ui_measure_text(gui, size, text, 0, &width, nullptr);
    return width;
}

float ui_line_height(const ui *gui, ui_size size) { return gui->fonts[size]->FontSize / gui->scale; }

void ui_draw_text(ui *gui, float x, float y, ui_size size, ui_tone tone, float opacity, float wrap_width,
                  const char *text) {
    const ImFont *font = gui->fonts[size];
    ui_require_glyphs(gui, text);
    /* Rounds the position to whole pixels, since text at a fraction of a pixel is blurred. */
    float scale = gui->scale;
    ImVec2 place(floorf(x * scale + 0.5f), floorf(y * scale + 0.5f));
    gui->canvas->AddText(font, font->FontSize, place, ui_tone_color(tone, opacity * gui->canvas_opacity), text, nullptr,
                         wrap_width * scale);
}

/* Returns a colour on the layer of ui_set_layer. */
static ImU32 canvas_color(const ui *gui, const float rgb[3], float opacity) {
    return ui_color(rgb, opacity * gui->canvas_opacity);
}

/* Convert a length and a place from interface units to pixels. */
static float to_pixels(const ui *gui, float length) { return length * gui->scale; }
static ImVec2 place_in_pixels(const ui *gui, float x, float y) { return ImVec2(to_pixels(gui, x), to_pixels(gui, y)); }
static ImVec2 round_to_whole_pixels(const ui *gui, float x, float y) {
    return ImVec2(floorf(to_pixels(gui, x)), floorf(to_pixels(gui, y)));
}

void ui_draw_plate(ui *gui, float x, float y, float width, float height, float opacity) {
    float scale = gui->scale;
    ImVec2 low(floorf(x * scale), floorf(y * scale));
    ImVec2 high(ceilf((x + width) * scale), ceilf((y + height) * scale));
    float round = fminf(9 * scale, 0.35f * (high.y - low.y));
    gui->canvas->AddRectFilled(low, high, canvas_color(gui, THEME_PLATE, floorf(215 * opacity) / 255), round);
    gui->canvas->AddRect(low, high, canvas_color(gui, THEME_PLATE_RIM, floorf(70 * opacity) / 255), round, 0,
                         fmaxf(1, 0.8f * scale));
}

void ui_draw_dot(ui *gui, float x, float y, float radius, ui_tone tone, float opacity) {
    gui->canvas->AddCircleFilled(place_in_pixels(gui, x, y), to_pixels(gui, radius),
                                 ui_tone_color(tone, opacity * gui->canvas_opacity), 24);
}

void ui_draw_ring(ui *gui, float x, float y, float radius, float thickness, const float rgb[3], float opacity) {
    int segments = (int)fminf(fmaxf(to_pixels(gui, radius), 48), 256);
    gui->canvas->AddCircle(place_in_pixels(gui, x, y), to_pixels(gui, radius), canvas_color(gui, rgb, opacity),
                           segments, to_pixels(gui, thickness));
}

void ui_draw_box(ui *gui, float x, float y, float width, float height, float round, const float rgb[3], float opacity) {
    gui->canvas->AddRectFilled(round_to_whole_pixels(gui, x, y), round_to_whole_pixels(gui, x + width, y + height),
                               canvas_color(gui, rgb, opacity), to_pixels(gui, round));
}

void ui_draw_disc(ui *gui, float x, float y, float radius, const float rgb[3], float opacity) {
    int segments = (int)fminf(fmaxf(to_pixels(gui, radius), 24), 256);
    gui->canvas->AddCircleFilled(place_in_pixels(gui, x, y), to_pixels(gui, radius), canvas_color(gui, rgb, opacity),
                                 segments);
}

void ui_draw_line(ui *gui, float from_x, float from_y, float to_x, float to_y, float thickness, const float rgb[3],
                  float opacity) {
    ImU32 color = canvas_color(gui, rgb, opacity);
    ImVec2 from = place_in_pixels(gui, from_x, from_y), to = place_in_pixels(gui, to_x, to_y);
    gui->canvas->AddLine(from, to, color, to_pixels(gui, thickness));
    if (opacity < 1) return; /* no round ends: a translucent disc would be visible where it overlaps the line */
    gui->canvas->AddCircleFilled(from, 0.5f * to_pixels(gui, thickness), color, 12);
    gui->canvas->AddCircleFilled(to, 0.5f * to_pixels(gui, thickness), color, 12);
}

void ui_draw_polygon(ui *gui, const float (*corners)[2], int count, const float rgb[3], float opacity) {
    enum { MOST = 32 };
    ImVec2 points[MOST];
    if (count > MOST) count = MOST;
    for (int i = 0; i < count; i++) points[i] = place_in_pixels(gui, corners[i][0], corners[i][1]);
    gui->canvas->AddConvexPolyFilled(points, count, canvas_color(gui, rgb, opacity));
}
