/* The only C++ file: Dear ImGui behind the C face of ui.h. Everything ImGui draws is in pixels; ui.h speaks interface
 * units, so every place and size is multiplied by the scale exactly here. */
#include "app/ui.h"

#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fontconfig/fontconfig.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <SDL.h>

#define _Noreturn [[noreturn]] /* C17's word for it, which C++ does not have */
extern "C" {
#include "core/error.h"
#include "core/file.h"
}

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

namespace {

const float font_units[UI_SIZES] = {13.0f, 15.0f, 19.0f};
const float label_share = 0.46f; /* of a row's width */

/* A system font through fontconfig: its file and the index of the face in it. */
bool find_font(char *path, size_t size, int *index) {
    static const char *const families[] = {"Inter", "Noto Sans", "Cantarell", "DejaVu Sans", "sans"};
    FcPattern *wanted = FcPatternCreate();
    for (const char *family : families) FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)family);
    FcPatternAddBool(wanted, FC_SCALABLE, FcTrue);
    /* stb_truetype shows a variable font at its default weight only, which may be any. */
    FcPatternAddBool(wanted, FC_VARIABLE, FcFalse);
    FcPatternAddString(wanted, FC_FONTFORMAT, (const FcChar8 *)"TrueType");
    FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcPattern *match = FcFontMatch(nullptr, wanted, &result);
    FcChar8 *file = nullptr, *format = nullptr;
    *index = 0;
    bool found = match && FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch &&
                 FcPatternGetString(match, FC_FONTFORMAT, 0, &format) == FcResultMatch &&
                 strcmp((const char *)format, "TrueType") == 0 && strlen((const char *)file) < size;
    if (found) {
        snprintf(path, size, "%s", (const char *)file);
        FcPatternGetInteger(match, FC_INDEX, 0, index);
    }
    if (match) FcPatternDestroy(match);
    FcPatternDestroy(wanted);
    return found;
}

/* Latin, Greek, Cyrillic, dashes and quotes, superscripts, arrows, a few signs. */
const ImWchar glyphs[] = {0x20,   0x17f,  0x370,  0x3ff,  0x400,  0x45f,  0x2010, 0x2026, 0x2032,
                          0x2033, 0x2070, 0x209f, 0x2190, 0x2199, 0x21ba, 0x21bb, 0x2212, 0x2212,
                          0x221a, 0x221a, 0x2248, 0x2248, 0x2264, 0x2265, 0x25a0, 0x25cf, 0};

void load_fonts(ui *gui) {
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    atlas->Clear();
    char path[PD_MAX_PATH];
    int index = 0;
    void *bytes = nullptr;
    size_t size = 0;
    if (!find_font(path, sizeof path, &index) || pd_file_read(path, (size_t)64 << 20, &bytes, &size, nullptr) != PD_OK)
        bytes = nullptr;
    for (int i = 0; i < UI_SIZES; i++) {
        ImFontConfig config;
        config.OversampleH = 2;
        config.FontNo = index & 0xffff;
        config.FontDataOwnedByAtlas = false;
        config.SizePixels = roundf(font_units[i] * gui->scale);
        gui->fonts[i] = bytes ? atlas->AddFontFromMemoryTTF(bytes, (int)size, config.SizePixels, &config, glyphs)
                              : atlas->AddFontDefault(&config);
    }
    atlas->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
    atlas->Build();
    atlas->ClearInputData();
    free(bytes);
}

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
    ImVec4 *color = style.Colors;
    color[ImGuiCol_Text] = ImVec4(0.84f, 0.87f, 0.93f, 1);
    color[ImGuiCol_TextDisabled] = ImVec4(0.53f, 0.57f, 0.66f, 1);
    color[ImGuiCol_WindowBg] = ImVec4(0.040f, 0.052f, 0.084f, 1);
    color[ImGuiCol_PopupBg] = ImVec4(0.060f, 0.076f, 0.118f, 0.97f);
    color[ImGuiCol_Border] = ImVec4(0.50f, 0.56f, 0.72f, 0.26f);
    color[ImGuiCol_FrameBg] = ImVec4(0.42f, 0.50f, 0.70f, 0.14f);
    color[ImGuiCol_FrameBgHovered] = ImVec4(0.42f, 0.50f, 0.70f, 0.24f);
    color[ImGuiCol_FrameBgActive] = ImVec4(0.42f, 0.50f, 0.70f, 0.32f);
    color[ImGuiCol_CheckMark] = ImVec4(0.56f, 0.70f, 1.00f, 1);
    color[ImGuiCol_Button] = ImVec4(0.42f, 0.50f, 0.70f, 0.18f);
    color[ImGuiCol_ButtonHovered] = ImVec4(0.42f, 0.53f, 0.86f, 0.38f);
    color[ImGuiCol_ButtonActive] = ImVec4(0.42f, 0.53f, 0.86f, 0.60f);
    color[ImGuiCol_Header] = ImVec4(0.42f, 0.53f, 0.86f, 0.34f);
    color[ImGuiCol_HeaderHovered] = ImVec4(0.42f, 0.53f, 0.86f, 0.46f);
    color[ImGuiCol_HeaderActive] = ImVec4(0.42f, 0.53f, 0.86f, 0.60f);
    color[ImGuiCol_Separator] = ImVec4(0.50f, 0.56f, 0.72f, 0.18f);
    color[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    color[ImGuiCol_ScrollbarGrab] = ImVec4(0.50f, 0.56f, 0.72f, 0.55f);
    color[ImGuiCol_ScrollbarGrabHovered] = ImVec4(0.50f, 0.60f, 0.85f, 0.75f);
    color[ImGuiCol_ScrollbarGrabActive] = ImVec4(0.56f, 0.70f, 1.00f, 1);
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
}

ImU32 tone_color(ui_tone tone, float opacity) {
    static const ImVec4 tones[] = {
        ImVec4(0.60f, 0.64f, 0.73f, 1), ImVec4(0.84f, 0.87f, 0.93f, 1), ImVec4(1.00f, 1.00f, 1.00f, 1),
        ImVec4(0.56f, 0.70f, 1.00f, 1), ImVec4(1.00f, 0.77f, 0.36f, 1), ImVec4(1.00f, 0.36f, 0.36f, 1),
    };
    ImVec4 color = tones[tone];
    color.w = opacity;
    return ImGui::ColorConvertFloat4ToU32(color);
}

} // namespace

pd_result ui_create(ui **created, SDL_Window *window, float scale, pd_error *error) {
    *created = nullptr;
    ui *made = (ui *)calloc(1, sizeof(ui));
    if (!made) return pd_fail(error, PD_ITEM_OUT_OF_MEMORY, "opening the interface: out of memory");
    made->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(made->context);
    made->window = window;
    made->scale = made->wanted_scale = scale;
    made->zoom = made->ratio = 1;
    made->pointer = ImVec2(-FLT_MAX, -FLT_MAX);
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.MouseDragThreshold *= scale;
    load_fonts(made);
    set_style(scale);
    bool ready = ImGui_ImplOpenGL3_Init("#version 330 core");
    if (ready && window && !ImGui_ImplSDL2_InitForOpenGL(window, SDL_GL_GetCurrentContext())) {
        ImGui_ImplOpenGL3_Shutdown();
        ready = false;
    }
    if (!ready) {
        ImGui::DestroyContext(made->context);
        free(made);
        return pd_fail(error, PD_ITEM_GRAPHICS_UNAVAILABLE,
                       "opening the interface: libGL cannot be loaded (install the graphics driver)");
    }
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

void ui_set_scale(ui *gui, float scale) { gui->wanted_scale = scale; }

void ui_begin(ui *gui, int width, int height, float seconds) {
    ImGui::SetCurrentContext(gui->context);
    if (gui->scale != gui->wanted_scale) {
        gui->scale = gui->wanted_scale;
        load_fonts(gui);
        set_style(gui->scale);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGuiIO &io = ImGui::GetIO();
    if (gui->window) {
        ImGui_ImplSDL2_NewFrame();
        int units = 0;
        SDL_GetWindowSize(gui->window, &units, nullptr);
        gui->ratio = units > 0 ? (float)width / (float)units : 1.0f;
    }
    /* The back end works in window units, which are pixels on one system and not on another: make it pixels on all. */
    io.DisplaySize = ImVec2((float)width, (float)height);
    io.DisplayFramebufferScale = ImVec2(1, 1);
    /* The back end asks the window system where the pointer is now; the events say where it was when it clicked. */
    bool seen = gui->window && !gui->hide_pointer && gui->pointer.x > -FLT_MAX;
    io.MousePos = seen ? ImVec2(gui->pointer.x * gui->ratio, gui->pointer.y * gui->ratio) : ImVec2(-FLT_MAX, -FLT_MAX);
    for (int i = 0; i < 3; i++) io.MouseDown[i] = seen && gui->down[i];
    gui->frame_first = false;
    io.DeltaTime = seconds > 1e-5f ? seconds : 1e-5f;
    ImGui::NewFrame();
    ImGui::PushFont(gui->fonts[UI_NORMAL]);
    gui->canvas = ImGui::GetBackgroundDrawList();
    gui->typing.seen = false;
}

void ui_end(ui *gui) {
    ImGui::SetCurrentContext(gui->context);
    if (!gui->typing.seen) gui->typing = {}; /* its slider is gone */
    gui->typing.leave = false;
    ImGui::PopFont();
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

float ui_width(const ui *gui) { return gui->context->IO.DisplaySize.x / (gui->scale * gui->zoom); }

float ui_height(const ui *gui) { return gui->context->IO.DisplaySize.y / (gui->scale * gui->zoom); }

static void follow_pointer(ui *gui, const SDL_Event *event) {
    static const int order[] = {0, 2, 1}; /* SDL: left, middle, right */
    bool button = event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP;
    if (event->type == SDL_MOUSEMOTION) gui->pointer = ImVec2((float)event->motion.x, (float)event->motion.y);
    if (button) gui->pointer = ImVec2((float)event->button.x, (float)event->button.y);
    if (button && event->button.button >= 1 && event->button.button <= 3)
        gui->down[order[event->button.button - 1]] = event->type == SDL_MOUSEBUTTONDOWN;
    bool left = event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_LEAVE;
    if (left && !gui->down[0] && !gui->down[1] && !gui->down[2]) gui->pointer = ImVec2(-FLT_MAX, -FLT_MAX);
}

/* ImGui looks at buttons and keys once a frame: of two changes in one frame it would see one, or none. */
static bool ends_frame(const ui *gui, const SDL_Event *event) {
    if (event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP) return true;
    if (!ui_typing(gui)) return false;
    if (event->type == SDL_TEXTINPUT) return true; /* characters with Ctrl, which may come next, are thrown away */
    bool key = event->type == SDL_KEYDOWN || event->type == SDL_KEYUP;
    if (!key || event->key.repeat) return false;
    SDL_Keysym pressed = event->key.keysym;
    bool special = pressed.sym < ' ' || pressed.sym == SDLK_DELETE || (pressed.sym & SDLK_SCANCODE_MASK);
    return special || (pressed.mod & KMOD_CTRL); /* what the others write comes as text */
}

/* A click on the picture belongs to the fluid and is hidden from ImGui, but ends menus and typing all the same. */
static void notice_elsewhere(ui *gui, const SDL_Event *event) {
    bool gone = event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_FOCUS_LOST;
    bool pressed = event->type == SDL_MOUSEBUTTONDOWN;
    if (!gone && (!pressed || ui_covers(gui, gui->pointer.x * gui->ratio, gui->pointer.y * gui->ratio))) return;
    gui->typing.leave = true;
    ui_close_menu(gui);
}

void ui_event(ui *gui, const SDL_Event *event) {
    ImGui::SetCurrentContext(gui->context);
    follow_pointer(gui, event);
    notice_elsewhere(gui, event);
    ImGui_ImplSDL2_ProcessEvent(event);
    if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP) {
        /* The back end asks how the keyboard is now; the event says how it was. */
        ImGui::GetIO().KeyCtrl = (event->key.keysym.mod & KMOD_CTRL) != 0;
        ImGui::GetIO().KeyShift = (event->key.keysym.mod & KMOD_SHIFT) != 0;
    }
    gui->frame_first = gui->frame_first || ends_frame(gui, event);
}

void ui_draw_first(ui *gui) { gui->frame_first = true; }

bool ui_frame_first(const ui *gui) {
    return gui->frame_first || gui->typing.next || (gui->typing.field && !gui->typing.active);
}

bool ui_close_menu(ui *gui) {
    ImGui::SetCurrentContext(gui->context);
    if (gui->context->OpenPopupStack.Size == 0) return false;
    ImGui::ClosePopupToLevel(0, false);
    return true;
}

/* WantCaptureMouse is about the pointer of the frame before: too late for a click that comes with the move to it. */
bool ui_covers(const ui *gui, float pixel_x, float pixel_y) {
    for (const ImGuiWindow *window : gui->context->Windows)
        if (window->WasActive && !window->Hidden && !(window->Flags & ImGuiWindowFlags_NoMouseInputs) &&
            window->OuterRectClipped.Contains(ImVec2(pixel_x, pixel_y)))
            return true;
    return false;
}

bool ui_typing(const ui *gui) { return gui->typing.field || gui->typing.next; }

void ui_hide_pointer(ui *gui, bool hidden) { gui->hide_pointer = hidden; }

void ui_set_layer(ui *gui, ui_layer layer) {
    if (layer == UI_BELOW) gui->canvas = ImGui::GetBackgroundDrawList();
    if (layer == UI_INSIDE) gui->canvas = ImGui::GetWindowDrawList();
    if (layer == UI_ABOVE) gui->canvas = ImGui::GetForegroundDrawList();
}

void ui_set_zoom(ui *gui, float zoom) { gui->zoom = zoom; }

void ui_measure(const ui *gui, ui_size size, const char *text, float wrap, float *width, float *height) {
    const ImFont *font = gui->fonts[size];
    float scale = gui->scale * gui->zoom, tall = font->FontSize * gui->zoom;
    ImVec2 extent(0, tall);
    if (text) extent = font->CalcTextSizeA(tall, FLT_MAX, wrap * scale, text);
    if (width) *width = extent.x / scale;
    if (height) *height = extent.y / scale;
}

void ui_text(ui *gui, float x, float y, ui_size size, ui_tone tone, float opacity, float wrap, const char *text) {
    const ImFont *font = gui->fonts[size];
    /* Whole pixels: text between them is blurred. */
    float scale = gui->scale * gui->zoom;
    ImVec2 place(floorf(x * scale + 0.5f), floorf(y * scale + 0.5f));
    gui->canvas->AddText(font, font->FontSize * gui->zoom, place, tone_color(tone, opacity), text, nullptr,
                         wrap * scale);
}

void ui_plate(ui *gui, float x, float y, float width, float height, float opacity) {
    float scale = gui->scale * gui->zoom;
    ImVec2 low(floorf(x * scale), floorf(y * scale));
    ImVec2 high(ceilf((x + width) * scale), ceilf((y + height) * scale));
    float round = fminf(9 * scale, 0.35f * (high.y - low.y));
    gui->canvas->AddRectFilled(low, high, IM_COL32(13, 17, 28, (int)(215 * opacity)), round);
    gui->canvas->AddRect(low, high, IM_COL32(130, 146, 190, (int)(70 * opacity)), round, 0, fmaxf(1, 0.8f * scale));
}

void ui_dot(ui *gui, float x, float y, float radius, ui_tone tone, float opacity) {
    float scale = gui->scale * gui->zoom;
    gui->canvas->AddCircleFilled(ImVec2(x * scale, y * scale), radius * scale, tone_color(tone, opacity), 24);
}

void ui_box(ui *gui, float x, float y, float width, float height, float round, const float rgb[3], float opacity) {
    float scale = gui->scale * gui->zoom;
    ImVec2 low(floorf(x * scale), floorf(y * scale)), high(floorf((x + width) * scale), floorf((y + height) * scale));
    gui->canvas->AddRectFilled(low, high, ImGui::ColorConvertFloat4ToU32(ImVec4(rgb[0], rgb[1], rgb[2], opacity)),
                               round * scale);
}

void ui_dim(ui *gui, float opacity) {
    gui->canvas->AddRectFilled(ImVec2(0, 0), ImGui::GetIO().DisplaySize, IM_COL32(5, 7, 12, (int)(255 * opacity)));
}

void ui_panel_begin(ui *gui, float width) {
    ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(screen.x - width * gui->scale, 0));
    ImGui::SetNextWindowSize(ImVec2(width * gui->scale, screen.y));
    ImGui::Begin("panel", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
}

void ui_panel_end(ui *gui) {
    /* A thin edge towards the picture, and room under the last row. */
    ImVec2 low = ImGui::GetWindowPos();
    ImGui::GetWindowDrawList()->AddLine(low, ImVec2(low.x, low.y + ImGui::GetWindowHeight()),
                                        ImGui::GetColorU32(ImGuiCol_Border), fmaxf(1, 0.8f * gui->scale));
    ImGui::Dummy(ImVec2(0, 4 * gui->scale));
    ImGui::End();
}

void ui_heading(ui *gui, const char *text) {
    ImGui::Dummy(ImVec2(0, 7 * gui->scale));
    ImGui::PushStyleColor(ImGuiCol_Text, tone_color(UI_ACCENT, 1));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}

void ui_note(ui *gui, const char *text) {
    ImGui::PushFont(gui->fonts[UI_SMALL]);
    ImGui::PushStyleColor(ImGuiCol_Text, tone_color(UI_QUIET, 1));
    ImGui::TextWrapped("%s", text);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void ui_room(ui *gui, float height, float *x, float *y, float *width) {
    ImVec2 place = ImGui::GetCursorScreenPos();
    *width = ImGui::GetContentRegionAvail().x / gui->scale;
    *x = place.x / gui->scale;
    *y = place.y / gui->scale;
    ImGui::Dummy(ImVec2(0, height * gui->scale));
}

static void tooltip(const ui *gui, const char *help) {
    if (!help || !*help || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    if (ui_typing(gui) || ImGui::IsAnyItemActive()) return; /* it would lie on the rows below */
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(11 * gui->scale, 8 * gui->scale));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ImGui::GetStyle().PopupRounding);
    ImGui::BeginTooltip();
    ImGui::PushFont(gui->fonts[UI_SMALL]);
    ImGui::PushTextWrapPos(300 * gui->scale);
    ImGui::TextUnformatted(help);
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

/* Label at the left, the widget behind it; leaves room for the reset button. Long labels end where the widget begins. */
static void row_begin(const ui *gui, const char *label, const char *help) {
    float width = ImGui::GetContentRegionAvail().x, x = ImGui::GetCursorPosX();
    ImVec2 place = ImGui::GetCursorScreenPos();
    ImGui::AlignTextToFramePadding();
    ImGui::PushClipRect(
        place, ImVec2(place.x + label_share * width - 4 * gui->scale, place.y + ImGui::GetFrameHeight()), true);
    ImGui::TextUnformatted(label);
    ImGui::PopClipRect();
    tooltip(gui, help);
    ImGui::SameLine(x + label_share * width);
    ImGui::SetNextItemWidth((1 - label_share) * width - ImGui::GetFrameHeight() - 4 * gui->scale);
    ImGui::PushID(label);
}

/* True when the person wants the default back. Call after the row's widget. */
static bool row_end(const ui *gui, const char *help, bool modified) {
    bool reset = modified && ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    tooltip(gui, help);
    if (modified) {
        float side = ImGui::GetFrameHeight();
        ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - side);
        ImVec2 place = ImGui::GetCursorScreenPos();
        reset |= ImGui::InvisibleButton("reset", ImVec2(side, side));
        ImU32 color = ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_Text : ImGuiCol_TextDisabled);
        tooltip(gui, "Back to the default");
        /* Drawn, not written: few fonts have the sign. */
        ImDrawList *list = ImGui::GetWindowDrawList();
        ImVec2 middle(place.x + side / 2, place.y + side / 2);
        float r = 0.23f * side, tip = 0.15f * side;
        list->PathArcTo(middle, r, -2.2f, 3.1f, 20);
        list->PathStroke(color, 0, 1.4f * gui->scale);
        ImVec2 head(middle.x + r * cosf(-2.2f), middle.y + r * sinf(-2.2f));
        list->AddTriangleFilled(ImVec2(head.x - 1.1f * tip, head.y - 0.5f * tip),
                                ImVec2(head.x + 0.5f * tip, head.y - tip),
                                ImVec2(head.x + 0.4f * tip, head.y + 1.1f * tip), color);
    }
    ImGui::PopID();
    return reset;
}

/* Return, Tab and a click elsewhere take what was typed; Escape does not. */
static ui_change type_number(ui *gui, ui_slider *slider) {
    auto &typing = gui->typing;
    float value = slider->value;
    if (typing.frames++ == 0) ImGui::SetKeyboardFocusHere();
    if (ImGui::InputFloat("##number", &value, 0, 0, "%.6g", ImGuiInputTextFlags_AutoSelectAll)) {
        typing.value = value;
        typing.edited = true;
    }
    bool was_active = typing.active, tab = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Tab));
    typing.active = ImGui::IsItemActive();
    if (typing.active && (typing.leave || tab)) {
        ImGui::ClearActiveID();
        typing.active = false;
    }
    /* It becomes active a frame or two after it was asked for. */
    if (typing.active || (!was_active && typing.frames < 4)) return UI_SAME;
    bool taken = typing.edited && !ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
    slider->value = typing.value;
    ImGuiID next = typing.next;
    typing = {};
    typing.next = next;
    typing.seen = next != 0;
    return taken ? UI_TYPED : UI_SAME;
}

/* A bar filled up to the value, and nothing but its end: a grab would lie on the number. */
static bool slide(float *fraction, const char *format) {
    ImVec2 low = ImGui::GetCursorScreenPos(), size(ImGui::CalcItemWidth(), ImGui::GetFrameHeight());
    float filled = fminf(fmaxf(*fraction, 0), 1) * size.x;
    ImDrawList *list = ImGui::GetWindowDrawList();
    float round = ImGui::GetStyle().FrameRounding;
    bool hovered = ImGui::IsMouseHoveringRect(low, ImVec2(low.x + size.x, low.y + size.y));
    list->AddRectFilled(low, ImVec2(low.x + size.x, low.y + size.y),
                        ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), round);
    /* Cut from the whole shape, which keeps its round corners at both ends. */
    list->PushClipRect(low, ImVec2(low.x + filled, low.y + size.y), true);
    list->AddRectFilled(low, ImVec2(low.x + size.x, low.y + size.y), IM_COL32(66, 92, 190, hovered ? 200 : 165), round);
    list->PopClipRect();
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, 1);
    const ImGuiCol parts[] = {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
                              ImGuiCol_SliderGrabActive};
    for (ImGuiCol part : parts) ImGui::PushStyleColor(part, IM_COL32(0, 0, 0, 0));
    bool moved = ImGui::SliderFloat("##slider", fraction, 0, 1, format,
                                    ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat);
    ImGui::PopStyleColor(5);
    ImGui::PopStyleVar();
    return moved;
}

ui_change ui_slide(ui *gui, ui_slider *slider) {
    row_begin(gui, slider->label, slider->help);
    ui_change change = UI_SAME;
    ImGuiID id = ImGui::GetID("##slider");
    if (gui->typing.next == id && !gui->typing.field) {
        gui->typing.field = id;
        gui->typing.next = 0;
    }
    if (gui->typing.field == id || gui->typing.next == id) gui->typing.seen = true;
    if (gui->typing.field == id) {
        change = type_number(gui, slider);
    } else {
        char format[64]; /* the text is the format: its per cent signs must survive */
        size_t length = 0;
        for (const char *c = slider->text; *c && length < sizeof format - 2; c++) {
            if (*c == '%') format[length++] = '%';
            format[length++] = *c;
        }
        format[length] = '\0';
        if (slide(&slider->fraction, format)) change = UI_MOVED;
        /* Also while another one is typed into: that one ends with this click. */
        bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
        if (hovered && ImGui::GetIO().KeyCtrl && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
            gui->typing.next = id;
            gui->typing.seen = true;
            if (ImGui::IsItemActive()) ImGui::ClearActiveID();
            change = UI_SAME;
        }
    }
    if (row_end(gui, slider->help, slider->modified)) change = UI_RESET;
    return change;
}

ui_change ui_check(ui *gui, const char *label, const char *help, bool modified, bool *value) {
    row_begin(gui, label, help);
    ui_change change = ImGui::Checkbox("##check", value) ? UI_MOVED : UI_SAME;
    if (row_end(gui, help, modified)) change = UI_RESET;
    return change;
}

ui_change ui_choose(ui *gui, const char *label, const char *help, bool modified, const char *words, int *index) {
    char list[2048]; /* ImGui wants the words one after another, each ended by a zero, the list by two */
    snprintf(list, sizeof list - 1, "%s", words);
    list[strlen(list) + 1] = '\0';
    for (char *c = list; *c; c++)
        if (*c == '|') *c = '\0';
    row_begin(gui, label, help);
    ui_change change = ImGui::Combo("##choice", index, list, 12) ? UI_MOVED : UI_SAME;
    if (row_end(gui, help, modified)) change = UI_RESET;
    return change;
}

bool ui_button(ui *gui, const char *label, const char *help, int column, int columns) {
    if (column > 0) ImGui::SameLine();
    float gap = ImGui::GetStyle().ItemSpacing.x;
    float row = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
    bool pressed = ImGui::Button(label, ImVec2((row - gap * (float)(columns - 1)) / (float)columns, 0));
    tooltip(gui, help);
    return pressed;
}
