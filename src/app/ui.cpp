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
    float margin;
    ImVec2 pointer;           /* in the window system's units, by the events */
    bool down[3], pressed[3]; /* left, right, middle: now, and since the last frame */
    bool hide_pointer;
    ImDrawList *canvas;
    ImGuiID typing; /* the slider that is a text field now */
    bool typing_begins;
};

namespace {

const float font_units[UI_SIZES] = {13.0f, 15.0f, 19.0f};
const float label_share = 0.43f; /* of a row's width */

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
    style.WindowPadding = ImVec2(16, 14);
    style.FramePadding = ImVec2(8, 3.5f);
    style.ItemSpacing = ImVec2(8, 5);
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
    color[ImGuiCol_WindowBg] = ImVec4(0.040f, 0.052f, 0.084f, 0.94f);
    color[ImGuiCol_PopupBg] = ImVec4(0.060f, 0.076f, 0.118f, 0.97f);
    color[ImGuiCol_Border] = ImVec4(0.50f, 0.56f, 0.72f, 0.26f);
    color[ImGuiCol_FrameBg] = ImVec4(0.42f, 0.50f, 0.70f, 0.14f);
    color[ImGuiCol_FrameBgHovered] = ImVec4(0.42f, 0.50f, 0.70f, 0.24f);
    color[ImGuiCol_FrameBgActive] = ImVec4(0.42f, 0.50f, 0.70f, 0.32f);
    color[ImGuiCol_SliderGrab] = ImVec4(0.49f, 0.63f, 1.00f, 0.80f);
    color[ImGuiCol_SliderGrabActive] = ImVec4(0.60f, 0.72f, 1.00f, 1);
    color[ImGuiCol_CheckMark] = ImVec4(0.56f, 0.70f, 1.00f, 1);
    color[ImGuiCol_Button] = ImVec4(0.42f, 0.50f, 0.70f, 0.18f);
    color[ImGuiCol_ButtonHovered] = ImVec4(0.42f, 0.53f, 0.86f, 0.38f);
    color[ImGuiCol_ButtonActive] = ImVec4(0.42f, 0.53f, 0.86f, 0.60f);
    color[ImGuiCol_Header] = ImVec4(0.42f, 0.53f, 0.86f, 0.34f);
    color[ImGuiCol_HeaderHovered] = ImVec4(0.42f, 0.53f, 0.86f, 0.46f);
    color[ImGuiCol_HeaderActive] = ImVec4(0.42f, 0.53f, 0.86f, 0.60f);
    color[ImGuiCol_Separator] = ImVec4(0.50f, 0.56f, 0.72f, 0.18f);
    color[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    color[ImGuiCol_ScrollbarGrab] = ImVec4(0.50f, 0.56f, 0.72f, 0.28f);
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
    float ratio = 1;
    if (gui->window) {
        ImGui_ImplSDL2_NewFrame();
        int units = 0;
        SDL_GetWindowSize(gui->window, &units, nullptr);
        ratio = units > 0 ? (float)width / (float)units : 1.0f;
    }
    /* The back end works in window units, which are pixels on one system and not on another: make it pixels on all. */
    io.DisplaySize = ImVec2((float)width, (float)height);
    io.DisplayFramebufferScale = ImVec2(1, 1);
    /* The back end asks the window system where the pointer is now; the events say where it was when it clicked. */
    bool seen = gui->window && !gui->hide_pointer && gui->pointer.x > -FLT_MAX;
    io.MousePos = seen ? ImVec2(gui->pointer.x * ratio, gui->pointer.y * ratio) : ImVec2(-FLT_MAX, -FLT_MAX);
    for (int i = 0; i < 3; i++) {
        io.MouseDown[i] = seen && (gui->down[i] || gui->pressed[i]);
        gui->pressed[i] = false;
    }
    io.DeltaTime = seconds > 1e-5f ? seconds : 1e-5f;
    ImGui::NewFrame();
    ImGui::PushFont(gui->fonts[UI_NORMAL]);
    gui->canvas = ImGui::GetBackgroundDrawList();
    gui->margin = 0;
}

void ui_end(ui *gui) {
    ImGui::SetCurrentContext(gui->context);
    ImGui::PopFont();
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

float ui_width(const ui *gui) {
    ImGui::SetCurrentContext(gui->context);
    return ImGui::GetIO().DisplaySize.x / gui->scale;
}

float ui_height(const ui *gui) {
    ImGui::SetCurrentContext(gui->context);
    return ImGui::GetIO().DisplaySize.y / gui->scale;
}

void ui_set_margin(ui *gui, float right) { gui->margin = right; }

static void follow_pointer(ui *gui, const SDL_Event *event) {
    static const int order[] = {0, 2, 1}; /* SDL: left, middle, right */
    bool button = event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP;
    if (event->type == SDL_MOUSEMOTION) gui->pointer = ImVec2((float)event->motion.x, (float)event->motion.y);
    if (button) gui->pointer = ImVec2((float)event->button.x, (float)event->button.y);
    if (button && event->button.button >= 1 && event->button.button <= 3) {
        int index = order[event->button.button - 1];
        gui->down[index] = event->type == SDL_MOUSEBUTTONDOWN;
        gui->pressed[index] |= gui->down[index];
    }
    bool left = event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_LEAVE;
    if (left && !gui->down[0] && !gui->down[1] && !gui->down[2]) gui->pointer = ImVec2(-FLT_MAX, -FLT_MAX);
}

void ui_event(ui *gui, const SDL_Event *event) {
    ImGui::SetCurrentContext(gui->context);
    follow_pointer(gui, event);
    ImGui_ImplSDL2_ProcessEvent(event);
}

/* WantCaptureMouse is about the pointer of the frame before: too late for a click that comes with the move to it. */
bool ui_covers(const ui *gui, float pixel_x, float pixel_y) {
    for (const ImGuiWindow *window : gui->context->Windows)
        if (window->WasActive && !window->Hidden && !(window->Flags & ImGuiWindowFlags_NoMouseInputs) &&
            window->OuterRectClipped.Contains(ImVec2(pixel_x, pixel_y)))
            return true;
    return false;
}

bool ui_typing(const ui *gui) { return gui->context->IO.WantTextInput; }

void ui_hide_pointer(ui *gui, bool hidden) { gui->hide_pointer = hidden; }

void ui_set_layer(ui *gui, ui_layer layer) {
    gui->canvas = layer == UI_BELOW ? ImGui::GetBackgroundDrawList() : ImGui::GetForegroundDrawList();
}

void ui_measure(const ui *gui, ui_size size, const char *text, float wrap, float *width, float *height) {
    const ImFont *font = gui->fonts[size];
    ImVec2 extent(0, font->FontSize);
    if (text) extent = font->CalcTextSizeA(font->FontSize, FLT_MAX, wrap * gui->scale, text);
    if (width) *width = extent.x / gui->scale;
    if (height) *height = extent.y / gui->scale;
}

void ui_text(ui *gui, float x, float y, ui_size size, ui_tone tone, float opacity, float wrap, const char *text) {
    const ImFont *font = gui->fonts[size];
    /* Whole pixels: text between them is blurred. */
    ImVec2 place(floorf(x * gui->scale + 0.5f), floorf(y * gui->scale + 0.5f));
    gui->canvas->AddText(font, font->FontSize, place, tone_color(tone, opacity), text, nullptr, wrap * gui->scale);
}

void ui_plate(ui *gui, float x, float y, float width, float height, float opacity) {
    float scale = gui->scale;
    ImVec2 low(floorf(x * scale), floorf(y * scale));
    ImVec2 high(ceilf((x + width) * scale), ceilf((y + height) * scale));
    float round = fminf(9 * scale, 0.35f * (high.y - low.y));
    gui->canvas->AddRectFilled(low, high, IM_COL32(13, 17, 28, (int)(215 * opacity)), round);
    gui->canvas->AddRect(low, high, IM_COL32(130, 146, 190, (int)(70 * opacity)), round, 0, fmaxf(1, 0.8f * scale));
}

void ui_dot(ui *gui, float x, float y, float radius, ui_tone tone, float opacity) {
    gui->canvas->AddCircleFilled(ImVec2(x * gui->scale, y * gui->scale), radius * gui->scale, tone_color(tone, opacity),
                                 24);
}

void ui_dim(ui *gui, float opacity) {
    gui->canvas->AddRectFilled(ImVec2(0, 0), ImGui::GetIO().DisplaySize, IM_COL32(5, 7, 12, (int)(255 * opacity)));
}

void ui_legend(ui *gui, const pd_legend *legend, int palette) {
    const float bar = 208, thick = 9, pad = 14, edge = 20;
    float line, label;
    ui_measure(gui, UI_SMALL, nullptr, 0, nullptr, &line);
    float width = bar + 2 * pad, height = 2 * pad + 2 * line + thick + 12;
    float x = ui_width(gui) - gui->margin - edge - width, y = ui_height(gui) - edge - height;
    ui_plate(gui, x, y, width, height, 0.85f);
    x += pad, y += pad;
    ui_text(gui, x, y, UI_SMALL, UI_PLAIN, 1, 0, legend->title);
    ui_measure(gui, UI_SMALL, legend->unit, 0, &label, nullptr);
    ui_text(gui, x + bar - label, y, UI_SMALL, UI_QUIET, 1, 0, legend->unit);
    y += line + 6;
    float scale = gui->scale;
    for (int i = 0; i < 64; i++) {
        float rgb[3];
        pd_palette_map(palette, ((float)i + 0.5f) / 64, rgb);
        ImVec2 low(floorf((x + bar * (float)i / 64) * scale), floorf(y * scale));
        ImVec2 high(floorf((x + bar * (float)(i + 1) / 64) * scale), floorf((y + thick) * scale));
        gui->canvas->AddRectFilled(low, high, ImGui::ColorConvertFloat4ToU32(ImVec4(rgb[0], rgb[1], rgb[2], 1)));
    }
    y += thick + 6;
    for (int i = 0; i <= 2; i++) {
        char text[32];
        float value = legend->low + (legend->high - legend->low) * (float)i / 2;
        snprintf(text, sizeof text, fabsf(value) >= 1000 ? "%.0f" : "%.3g", (double)value);
        ui_measure(gui, UI_SMALL, text, 0, &label, nullptr);
        ui_text(gui, x + (bar - label) * (float)i / 2, y, UI_SMALL, UI_PLAIN, 1, 0, text);
    }
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

static void tooltip(const ui *gui, const char *help) {
    if (!help || !*help || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(11 * gui->scale, 8 * gui->scale));
    ImGui::BeginTooltip();
    ImGui::PushFont(gui->fonts[UI_SMALL]);
    ImGui::PushTextWrapPos(300 * gui->scale);
    ImGui::TextUnformatted(help);
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
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

static ui_change type_number(ui *gui, ui_slider *slider) {
    float value = slider->value;
    if (gui->typing_begins) ImGui::SetKeyboardFocusHere();
    bool entered = ImGui::InputFloat("##number", &value, 0, 0, "%.6g",
                                     ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    if (!gui->typing_begins && !ImGui::IsItemActive()) gui->typing = 0;
    gui->typing_begins = false;
    if (!entered) return UI_SAME;
    gui->typing = 0;
    slider->value = value;
    return UI_TYPED;
}

/* A bar filled up to the value: a grab of the usual width would lie on the number. */
static bool slide(const ui *gui, float *fraction, const char *format) {
    ImVec2 low = ImGui::GetCursorScreenPos(), size(ImGui::CalcItemWidth(), ImGui::GetFrameHeight());
    float grab = 3 * gui->scale, filled = grab + fminf(fmaxf(*fraction, 0), 1) * (size.x - 2 * grab);
    ImDrawList *list = ImGui::GetWindowDrawList();
    float round = ImGui::GetStyle().FrameRounding;
    bool hovered = ImGui::IsMouseHoveringRect(low, ImVec2(low.x + size.x, low.y + size.y));
    list->AddRectFilled(low, ImVec2(low.x + size.x, low.y + size.y),
                        ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), round);
    list->AddRectFilled(low, ImVec2(low.x + filled, low.y + size.y), IM_COL32(96, 128, 232, 84), round,
                        ImDrawFlags_RoundCornersLeft);
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, grab);
    const ImGuiCol frames[] = {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive};
    for (ImGuiCol color : frames) ImGui::PushStyleColor(color, IM_COL32(0, 0, 0, 0));
    bool moved = ImGui::SliderFloat("##slider", fraction, 0, 1, format,
                                    ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat);
    ImGui::PopStyleColor(3);
    ImGui::PopStyleVar();
    return moved;
}

ui_change ui_slide(ui *gui, ui_slider *slider) {
    row_begin(gui, slider->label, slider->help);
    ui_change change = UI_SAME;
    ImGuiID id = ImGui::GetID("##slider");
    if (gui->typing == id) {
        change = type_number(gui, slider);
    } else {
        char format[64]; /* the text is the format: its per cent signs must survive */
        size_t length = 0;
        for (const char *c = slider->text; *c && length < sizeof format - 2; c++) {
            if (*c == '%') format[length++] = '%';
            format[length++] = *c;
        }
        format[length] = '\0';
        if (slide(gui, &slider->fraction, format)) change = UI_MOVED;
        if (ImGui::IsItemHovered() && ImGui::GetIO().KeyCtrl && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
            gui->typing = id;
            gui->typing_begins = true;
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

static ImU32 stage_color(int stage) {
    float r, g, b;
    ImGui::ColorConvertHSVtoRGB(fmodf(0.60f + 0.137f * (float)stage, 1), 0.50f, 0.92f, r, g, b);
    return ImGui::ColorConvertFloat4ToU32(ImVec4(r, g, b, 0.9f));
}

static void graph_names(const ui *gui, const ui_bars *bars) {
    ImGui::PushFont(gui->fonts[UI_SMALL]);
    ImDrawList *list = ImGui::GetWindowDrawList();
    float side = 8 * gui->scale, line = ImGui::GetTextLineHeight();
    for (int stage = 0; stage < bars->stages; stage++) {
        double mean = 0;
        for (int frame = 0; frame < bars->frames; frame++) mean += bars->values[frame * bars->stages + stage];
        if (bars->frames > 0) mean /= bars->frames;
        char text[32];
        snprintf(text, sizeof text, "%.2f ms", mean);
        ImVec2 place = ImGui::GetCursorScreenPos();
        ImVec2 low(place.x, place.y + (line - side) / 2);
        list->AddRectFilled(low, ImVec2(low.x + side, low.y + side), stage_color(stage), 2 * gui->scale);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 2 * side);
        ImGui::TextDisabled("%s", bars->names[stage]);
        ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(text).x);
        ImGui::TextUnformatted(text);
    }
    ImGui::PopFont();
}

void ui_graph(ui *gui, const ui_bars *bars) {
    float width = ImGui::GetContentRegionAvail().x, height = 84 * gui->scale;
    ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + width, low.y + height);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), 5 * gui->scale);
    float step = width / (float)bars->room;
    for (int frame = 0; frame < bars->frames; frame++) {
        float left = high.x - step * (float)(bars->frames - frame), right = left + step;
        float y = high.y;
        for (int stage = 0; stage < bars->stages && y > low.y; stage++) {
            float next = fmaxf(low.y, y - height * bars->values[frame * bars->stages + stage] / bars->top);
            list->AddRectFilled(ImVec2(left, next), ImVec2(right - 0.25f * gui->scale, y), stage_color(stage));
            y = next;
        }
    }
    if (bars->mark < bars->top) {
        float y = high.y - height * bars->mark / bars->top;
        char text[32];
        snprintf(text, sizeof text, "%.3g ms", (double)bars->mark);
        list->AddLine(ImVec2(low.x, y), ImVec2(high.x, y), tone_color(UI_WARNING, 0.6f), fmaxf(1, 0.8f * gui->scale));
        list->AddText(gui->fonts[UI_SMALL], gui->fonts[UI_SMALL]->FontSize,
                      ImVec2(low.x + 5 * gui->scale, y - gui->fonts[UI_SMALL]->FontSize - gui->scale),
                      tone_color(UI_WARNING, 0.9f), text);
    }
    ImGui::Dummy(ImVec2(width, height));
    graph_names(gui, bars);
}
