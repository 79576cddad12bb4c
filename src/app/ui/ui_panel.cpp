/* Widgets of the panel (ui.h). */
#include "app/ui/ui_inside.h"

#include <cstdio>
#include <cstring>

void ui_add_last_widget_as_target(ui *gui, const char *prefix, const char *label) {
    if (!ImGui::IsItemVisible()) return; /* the widget is scrolled out of the panel */
    char name[UI_TARGET_NAME];
    ImRect seen = ImGui::GetCurrentWindow()->ClipRect, item(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    item.ClipWithFull(seen); /* only the visible part of a widget can be pressed */
    ImVec2 low = item.Min, high = item.Max;
    float unit = gui->scale;
    if (gui->section)
        snprintf(name, sizeof name, "%s%s (%s)", prefix, label, gui->section);
    else
        snprintf(name, sizeof name, "%s%s", prefix, label);
    ui_add_target(gui, name, low.x / unit, low.y / unit, (high.x - low.x) / unit, (high.y - low.y) / unit);
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
    /* Draws a thin line along the left edge of the panel, and leaves space under the last row. */
    ImVec2 low = ImGui::GetWindowPos();
    ImGui::GetWindowDrawList()->AddLine(low, ImVec2(low.x, low.y + ImGui::GetWindowHeight()),
                                        ImGui::GetColorU32(ImGuiCol_Border), fmaxf(1, 0.8f * gui->scale));
    ImGui::Dummy(ImVec2(0, 4 * gui->scale));
    ImGui::End();
}

void ui_draw_heading(ui *gui, const char *text) {
    ui_require_glyphs(gui, text);
    ImGui::Dummy(ImVec2(0, 7 * gui->scale));
    ImGui::PushStyleColor(ImGuiCol_Text, ui_tone_color(UI_ACCENT, 1));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}

void ui_draw_note(ui *gui, const char *text) {
    ui_require_glyphs(gui, text);
    ImGui::PushFont(gui->fonts[UI_SMALL]);
    ImGui::PushStyleColor(ImGuiCol_Text, ui_tone_color(UI_QUIET, 1));
    ImGui::TextWrapped("%s", text);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

bool ui_section_begin(ui *gui, int index, const char *name, const char *note, const float rgb[3], ui_opening at_first) {
    ui_require_glyphs(gui, name);
    ui_require_glyphs(gui, note);
    ImGui::PushID(index);
    ImGui::PushID(name);
    ImGuiID id = ImGui::GetID("open");
    ImGuiStorage *storage = ImGui::GetStateStorage();
    bool bare = at_first == UI_BARE, open = !bare && storage->GetBool(id, at_first == UI_OPENED);
    float unit = gui->scale, tall = ImGui::GetFrameHeight(), wide = ImGui::GetContentRegionAvail().x;
    ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + wide, low.y + tall);
    if (bare) {
        ImGui::Dummy(ImVec2(wide, tall));
    } else {
        if (ImGui::InvisibleButton("section", ImVec2(wide, tall))) open = !open;
        storage->SetBool(id, open);
    }
    ImDrawList *list = ImGui::GetWindowDrawList();
    float round = ImGui::GetStyle().FrameRounding, line = ImGui::GetFontSize();
    if (!bare) ui_add_last_widget_as_target(gui, "", name);
    if (rgb) gui->section = name;
    bool hovered = !bare && ImGui::IsItemHovered();
    list->AddRectFilled(low, high, ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), round);
    float middle = floorf(low.y + 0.5f * (tall - line)), side = floorf(0.5f * tall), x = low.x + 6 * unit;
    if (!bare) {
        ImGui::RenderArrow(list, ImVec2(x, middle + 0.12f * line), ui_tone_color(UI_QUIET, 1),
                           open ? ImGuiDir_Down : ImGuiDir_Right, 0.75f);
        x += line + 4 * unit;
    }
    float top = floorf(low.y + 0.5f * (tall - side));
    if (rgb) list->AddRectFilled(ImVec2(x, top), ImVec2(x + side, top + side), ui_color(rgb, 1), 3 * unit);
    if (rgb) x += side + 8 * unit;
    const ImFont *small = gui->fonts[UI_SMALL];
    float right = high.x - 8 * unit - small->CalcTextSizeA(small->FontSize, FLT_MAX, 0, note).x;
    list->PushClipRect(low, ImVec2(right - 6 * unit, high.y), true);
    list->AddText(ImVec2(x, middle), ui_tone_color(UI_PLAIN, 1), name);
    list->PopClipRect();
    list->AddText(small, small->FontSize, ImVec2(floorf(right), floorf(low.y + 0.5f * (tall - small->FontSize))),
                  ui_tone_color(UI_QUIET, 1), note);
    return open;
}

void ui_scroll_to_last_row(ui *gui) {
    (void)gui;
    ImGui::SetScrollHereY(0.1f);
}

void ui_section_end(ui *gui) {
    gui->section = nullptr;
    ImGui::PopID();
    ImGui::PopID();
}

/* Places the next window, a tooltip, beside the current window, so that it covers no widget of that window: below or above
 * a bar, at the left or the right of other windows. Dialogs are too large. *widest: in and out: greatest width, pixels. */
static void place_next_window_beside_current(float unit, float *widest) {
    const ImGuiWindow *window = ImGui::GetCurrentWindow()->RootWindow;
    ImVec2 screen = ImGui::GetIO().DisplaySize, item_low = ImGui::GetItemRectMin(), item_high = ImGui::GetItemRectMax();
    ImVec2 low = window->Pos, high(low.x + window->Size.x, low.y + window->Size.y), place, pivot(0, 0);
    float gap = 4 * unit, margin = 20 * unit;
    bool upper = item_low.y < 0.5f * screen.y;
    if (window->Flags & ImGuiWindowFlags_Modal) return;
    if (window->Size.x > 4 * window->Size.y) {
        place = ImVec2(item_low.x, low.y < 0.5f * screen.y ? high.y + gap : low.y - gap);
        pivot.y = low.y < 0.5f * screen.y ? 0.0f : 1.0f;
    } else {
        bool right = screen.x - high.x > low.x;
        place = ImVec2(right ? high.x + gap : low.x - gap, upper ? item_low.y : item_high.y);
        pivot = ImVec2(right ? 0.0f : 1.0f, upper ? 0.0f : 1.0f);
        *widest = fminf(*widest, (right ? screen.x - high.x : low.x) - margin);
    }
    ImGui::SetNextWindowPos(place, ImGuiCond_Always, pivot);
}

void ui_draw_tooltip(const ui *gui, const char *help) {
    if (!help || !*help || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    if (ui_is_typing(gui) || ImGui::IsAnyItemActive()) return; /* no tooltip while the user changes a value */
    ui_require_glyphs(gui, help);
    float unit = gui->scale, widest = 300 * unit;
    place_next_window_beside_current(unit, &widest);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(11 * unit, 8 * unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ImGui::GetStyle().PopupRounding);
    ImGui::BeginTooltip();
    ImGui::PushFont(gui->fonts[UI_SMALL]);
    ImGui::PushStyleColor(ImGuiCol_Text, ui_tone_color(UI_PLAIN, 1)); /* also beside a grey row */
    ImGui::PushTextWrapPos(widest);
    ImGui::TextUnformatted(help);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

void ui_reserve_space(ui *gui, float height, const char *help, float *x, float *y, float *width) {
    ImVec2 place = ImGui::GetCursorScreenPos();
    *width = ImGui::GetContentRegionAvail().x / gui->scale;
    *x = place.x / gui->scale;
    *y = place.y / gui->scale;
    ImGui::Dummy(ImVec2(*width * gui->scale, height * gui->scale));
    ui_draw_tooltip(gui, help);
}

void ui_group_begin(ui *gui, const char *name) {
    (void)gui;
    ImGui::PushID(name);
}

void ui_group_end(ui *gui) {
    (void)gui;
    ImGui::PopID();
}

static const float label_gap = 4;   /* distance between a label and its widget, interface units */
static const float mark_width = 14; /* width of the question mark at a row's end, interface units */

void ui_set_next_row_citation(ui *gui, const char *citation) { gui->citation = citation; }

/* Returns the width of the reset button or check box at a row's end, in pixels. */
static float get_reset_button_width(const ui *gui) { return ImGui::GetFrameHeight() - 2 * gui->scale; }

/* Returns the width of the widget in a row, in pixels. row_width: width of the row, pixels. */
static float compute_widget_width(const ui *gui, float row_width) {
    float end = gui->in_dialog ? 0 : get_reset_button_width(gui) + (mark_width + 4) * gui->scale;
    return (1 - ui_label_width_fraction(gui)) * row_width - end;
}

float ui_label_width_fraction(const ui *gui) { return gui->in_dialog ? 0.25f : 0.46f; }

/* Returns the size of a text in pixels. */
static ImVec2 measure_text_pixels(const ui *gui, ui_size size, const char *text) {
    const ImFont *font = gui->fonts[size];
    ui_require_glyphs(gui, text);
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text);
}

bool ui_label_fits(const ui *gui, const char *label, float width) {
    float room = width * gui->scale - 2 * ImGui::GetStyle().WindowPadding.x - ImGui::GetStyle().ScrollbarSize;
    return measure_text_pixels(gui, UI_SMALL, label).x <= ui_label_width_fraction(gui) * room - label_gap * gui->scale;
}

/* Begins a row: draws the label and leaves space for the widget and the reset button. A label that is too long has
 * small letters. A label that is too long even then ends with an ellipsis, and the tooltip begins with the whole
 * label. */
static void begin_panel_row(const ui *gui, const char *label, const char *help) {
    float width = ImGui::GetContentRegionAvail().x, x = ImGui::GetCursorPosX(),
          end = ui_label_width_fraction(gui) * width;
    float room = end - label_gap * gui->scale;
    ImVec2 place = ImGui::GetCursorScreenPos(), extent = measure_text_pixels(gui, UI_NORMAL, label);
    ImGui::AlignTextToFramePadding();
    if (extent.x <= room) {
        ImGui::TextUnformatted(label);
        ui_draw_tooltip(gui, help);
    } else {
        float tall = ImGui::GetFrameHeight(), right = place.x + room;
        ImGui::PushFont(gui->fonts[UI_SMALL]);
        extent = ImGui::CalcTextSize(label);
        float y = floorf(place.y + 0.5f * (tall - extent.y));
        ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), ImVec2(place.x, y), ImVec2(right, y + extent.y), right,
                                  right, label, nullptr, &extent);
        ImGui::PopFont();
        ImGui::Dummy(ImVec2(right - place.x, tall));
        char text[640];
        snprintf(text, sizeof text, "%s\n%s", label, help ? help : "");
        ui_draw_tooltip(gui, extent.x <= room ? help : text);
    }
    ImGui::SameLine(x + ui_label_width_fraction(gui) * width);
    ImGui::SetNextItemWidth(compute_widget_width(gui, width));
    ImGui::PushID(label);
}

/* Sets the position of the next widget: at the end of the row, before the question mark. */
static void place_next_widget_at_row_end(const ui *gui) {
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - get_reset_button_width(gui) - mark_width * gui->scale);
}

/* Draws the question mark of a row with a citation (ui_set_next_row_citation). */
static void draw_citation_mark(ui *gui, const char *label, const char *help) {
    if (!gui->citation) return;
    float width = mark_width * gui->scale, tall = ImGui::GetFrameHeight();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    ImVec2 low = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize("?");
    ImGui::Dummy(ImVec2(width, tall));
    ui_add_last_widget_as_target(gui, "Help on ", label);
    ImGui::GetWindowDrawList()->AddText(ImVec2(low.x + width - size.x, low.y + 0.5f * (tall - size.y)),
                                        ui_tone_color(ImGui::IsItemHovered() ? UI_STRONG : UI_QUIET, 1), "?");
    char text[800];
    snprintf(text, sizeof text, "%s%s%s", help ? help : label, *gui->citation ? "\n\nSource: " : "", gui->citation);
    ui_draw_tooltip(gui, text);
    gui->citation = nullptr;
}

/* Ends a row: draws the tooltip and, if the value is modified, the reset button. True: the user resets the value to its
 * default. */
static bool end_panel_row(ui *gui, const char *label, const char *help, bool modified) {
    bool reset = modified && ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    ui_draw_tooltip(gui, help);
    if (modified) {
        float width = get_reset_button_width(gui), side = ImGui::GetFrameHeight();
        place_next_widget_at_row_end(gui);
        ImVec2 place = ImGui::GetCursorScreenPos();
        if (ImGui::InvisibleButton("reset", ImVec2(width, side))) reset = true;
        ui_add_last_widget_as_target(gui, "Reset ", label);
        ImU32 color = ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_Text : ImGuiCol_TextDisabled);
        ui_draw_tooltip(gui, "Back to the default");
        /* The arrow of the reset button is drawn as a shape, because few fonts have this character. */
        ImDrawList *list = ImGui::GetWindowDrawList();
        ImVec2 middle(place.x + width / 2, place.y + side / 2);
        float r = 0.23f * side, tip = 0.15f * side;
        list->PathArcTo(middle, r, -2.2f, 3.1f, 20);
        list->PathStroke(color, 0, 1.4f * gui->scale);
        ImVec2 head(middle.x + r * cosf(-2.2f), middle.y + r * sinf(-2.2f));
        list->AddTriangleFilled(ImVec2(head.x - 1.1f * tip, head.y - 0.5f * tip),
                                ImVec2(head.x + 0.5f * tip, head.y - tip),
                                ImVec2(head.x + 0.4f * tip, head.y + 1.1f * tip), color);
    }
    draw_citation_mark(gui, label, help);
    ImGui::PopID();
    return reset;
}

/* Ends the row of a slider with the check box "own value" (ui_slider.own_help). */
static ui_change end_own_value_row(ui *gui, const ui_slider *slider, ui_change change) {
    if (!slider->follows && ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) change = UI_RESET;
    ui_draw_tooltip(gui, slider->help);
    bool own = !slider->follows;
    place_next_widget_at_row_end(gui);
    if (ImGui::Checkbox("##own", &own)) change = own ? UI_OWN : UI_RESET;
    ui_add_last_widget_as_target(gui, "Own ", slider->label);
    ui_draw_tooltip(gui, slider->own_help);
    draw_citation_mark(gui, slider->label, slider->help);
    ImGui::PopID();
    return change;
}

void ui_draw_row_label(ui *gui, const char *label) {
    begin_panel_row(gui, label, nullptr);
    ImGui::PopID();
}

/* Draws a slider's text field. Return, Tab and a click elsewhere accept the number. Escape discards it. */
static ui_change draw_number_field(ui *gui, ui_slider *slider) {
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
    /* The field receives the keyboard focus one or two frames after SetKeyboardFocusHere. */
    if (typing.active || (!was_active && typing.frames < 4)) return UI_SAME;
    bool accepted = typing.edited && !ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
    slider->value = typing.value;
    ImGuiID next = typing.next;
    typing = {};
    typing.next = next;
    typing.seen = next != 0;
    return accepted ? UI_TYPED : UI_SAME;
}

/* Draws a slider as a bar that is filled up to the value. ImGui's slider has a grab, which would cover the number. True: the
 * value changed. */
static bool draw_slider_bar(float *fraction, const char *format, bool grey) {
    ImVec2 low = ImGui::GetCursorScreenPos(), size(ImGui::CalcItemWidth(), ImGui::GetFrameHeight());
    float filled = fminf(fmaxf(*fraction, 0), 1) * size.x;
    ImDrawList *list = ImGui::GetWindowDrawList();
    float round = ImGui::GetStyle().FrameRounding;
    bool hovered = ImGui::IsMouseHoveringRect(low, ImVec2(low.x + size.x, low.y + size.y));
    list->AddRectFilled(low, ImVec2(low.x + size.x, low.y + size.y),
                        ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), round);
    /* The whole rounded bar is drawn and clipped, so that its filled part has round corners. */
    list->PushClipRect(low, ImVec2(low.x + filled, low.y + size.y), true);
    list->AddRectFilled(
        low, ImVec2(low.x + size.x, low.y + size.y),
        ui_color(grey ? THEME_FOLLOWS : THEME_FILLED, (grey ? (hovered ? 130 : 80) : (hovered ? 200 : 165)) / 255.0f),
        round);
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

ui_change ui_draw_slider(ui *gui, ui_slider *slider) {
    ui_change change = UI_SAME;
    ImGui::PushStyleColor(ImGuiCol_Text,
                          ImGui::GetStyleColorVec4(slider->follows ? ImGuiCol_TextDisabled : ImGuiCol_Text));
    begin_panel_row(gui, slider->label, slider->help);
    ImGuiID id = ImGui::GetID("##slider");
    if (gui->typing.next == id && !gui->typing.field) {
        gui->typing.field = id;
        gui->typing.next = 0;
    }
    if (gui->typing.field == id || gui->typing.next == id) gui->typing.seen = true;
    if (gui->typing.field == id) {
        change = draw_number_field(gui, slider);
    } else {
        ui_require_glyphs(gui, slider->text);
        char format[64]; /* slider->text as a printf format: each % is doubled */
        size_t length = 0;
        for (const char *c = slider->text; *c && length < sizeof format - 2; c++) {
            if (*c == '%') format[length++] = '%';
            format[length++] = *c;
        }
        format[length] = '\0';
        if (draw_slider_bar(&slider->fraction, format, slider->follows)) change = UI_MOVED;
        ui_add_last_widget_as_target(gui, "", slider->label);
        slider->held = ImGui::IsItemActive();
        /* The click counts even if the text field of another slider is active. The click also closes that text field. */
        bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
        if (hovered && ImGui::GetIO().KeyCtrl && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
            gui->typing.next = id;
            gui->typing.seen = true;
            if (ImGui::IsItemActive()) ImGui::ClearActiveID();
            change = UI_SAME;
        }
    }
    ImGui::PopStyleColor();
    if (slider->own_help) return end_own_value_row(gui, slider, change);
    if (end_panel_row(gui, slider->label, slider->help, slider->modified)) change = UI_RESET;
    return change;
}

ui_change ui_draw_check_box(ui *gui, const char *label, const char *help, bool modified, bool *value) {
    begin_panel_row(gui, label, help);
    ui_change change = ImGui::Checkbox("##check", value) ? UI_MOVED : UI_SAME;
    ui_add_last_widget_as_target(gui, "", label);
    if (end_panel_row(gui, label, help, modified)) change = UI_RESET;
    return change;
}

ui_change ui_choose_item(ui *gui, const char *label, const char *help, bool modified, const char *words, int *index) {
    ui_require_glyphs(gui, words);
    char list[2048]; /* items for ImGui; a zero byte ends each item, a second zero byte the list */
    snprintf(list, sizeof list - 1, "%s", words);
    list[strlen(list) + 1] = '\0';
    for (char *c = list; *c; c++)
        if (*c == '|') *c = '\0';
    begin_panel_row(gui, label, help);
    ui_change change = ImGui::Combo("##choice", index, list, 12) ? UI_MOVED : UI_SAME;
    ui_add_last_widget_as_target(gui, "", label);
    if (end_panel_row(gui, label, help, modified)) change = UI_RESET;
    return change;
}

bool ui_draw_two_lines(const ui *gui, const char *name, const char *key, const char *about, bool chosen) {
    const ImFont *small = gui->fonts[UI_SMALL];
    ui_require_glyphs(gui, name);
    ui_require_glyphs(gui, about);
    ImVec2 low = ImGui::GetCursorScreenPos();
    float first = ImGui::GetFontSize(), gap = 2 * gui->scale, key_width = ImGui::CalcTextSize(key).x;
    float width = fmaxf(ImGui::CalcTextSize(name).x + key_width + 3 * first,
                        small->CalcTextSizeA(small->FontSize, FLT_MAX, 0, about).x);
    width =
        fmaxf(width, ImGui::GetContentRegionAvail().x); /* as wide as the widest item, so that keys are in a column */
    ImGui::PushID(name);
    bool pressed = ImGui::Selectable("##lines", chosen, 0, ImVec2(width, first + small->FontSize + 2 * gap));
    ImGui::PopID();
    ImDrawList *list = ImGui::GetWindowDrawList();
    float right = ImGui::GetItemRectMax().x - 0.5f * ImGui::GetStyle().ItemSpacing.x;
    list->AddText(low, ui_tone_color(UI_PLAIN, 1), name);
    list->AddText(ImVec2(right - key_width, low.y), ui_tone_color(UI_QUIET, 1), key);
    list->AddText(small, small->FontSize, ImVec2(low.x, low.y + first + gap), ui_tone_color(UI_QUIET, 1), about);
    return pressed;
}

ui_change ui_choose_unlabelled(ui *gui, const char *name, const char *const *titles, const char *const *abouts,
                               int count, int *index) {
    ui_change change = UI_SAME;
    ui_require_glyphs(gui, titles[*index]);
    ImGui::PushID(name);
    if (!(gui->context->NextItemData.Flags & ImGuiNextItemDataFlags_HasWidth))
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    bool listed = ImGui::BeginCombo("##titled", titles[*index], abouts ? ImGuiComboFlags_HeightLargest : 0);
    if (!listed) ui_add_last_widget_as_target(gui, "", name);
    if (listed) {
        int before = *index;
        for (int i = 0; i < count; i++) {
            ui_require_glyphs(gui, titles[i]);
            bool pressed = abouts ? ui_draw_two_lines(gui, titles[i], "", abouts[i], i == before)
                                  : ImGui::Selectable(titles[i], i == before);
            ui_add_last_widget_as_target(gui, "", titles[i]);
            if (!pressed) continue;
            *index = i;
            change = UI_MOVED;
        }
        ImGui::EndCombo();
    }
    ImGui::PopID();
    return change;
}

/* Draws a coloured field of a row. rgb NULL: the empty field. True: the user clicked the field. */
static bool draw_colour_field(const ui *gui, int index, const float *rgb, bool chosen) {
    float side = ImGui::GetFrameHeight(), round = ImGui::GetStyle().FrameRounding, unit = gui->scale;
    ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + side, low.y + side);
    ImGui::PushID(index);
    bool clicked = ImGui::InvisibleButton("colour", ImVec2(side, side));
    ImGui::PopID();
    ImDrawList *list = ImGui::GetWindowDrawList();
    float inset = 3.5f * unit;
    ImVec2 inner_low(low.x + inset, low.y + inset), inner_high(high.x - inset, high.y - inset);
    if (rgb) {
        ImU32 color = ui_color(rgb, 1);
        list->AddRectFilled(inner_low, inner_high, color, round - 2 * unit);
    } else {
        ImU32 color = ui_tone_color(UI_QUIET, 1);
        list->AddRect(inner_low, inner_high, color, round - 2 * unit, 0, unit);
        list->AddLine(ImVec2(inner_low.x + 2 * unit, inner_high.y - 2 * unit),
                      ImVec2(inner_high.x - 2 * unit, inner_low.y + 2 * unit), color, unit);
    }
    if (chosen || ImGui::IsItemHovered())
        list->AddRect(low, high, ui_tone_color(UI_STRONG, chosen ? 0.95f : 0.35f), round, 0, 1.5f * unit);
    return clicked;
}

ui_change ui_choose_colour(ui *gui, const char *label, const char *help, const float (*colours)[3],
                           const char *const *names, int count, int *chosen) {
    ui_change change = UI_SAME;
    int before = *chosen;
    begin_panel_row(gui, label, help);
    float left = ImGui::GetCursorPosX(), side = ImGui::GetFrameHeight(), gap = 3 * gui->scale, x = left;
    for (int i = -1; i < count; i++) {
        if (x + side > ImGui::GetWindowContentRegionMax().x) x = left;
        if (i >= 0 && x > left) ImGui::SameLine();
        ImGui::SetCursorPosX(x);
        if (draw_colour_field(gui, i, i < 0 ? nullptr : colours[i], i == before)) {
            *chosen = i;
            change = UI_MOVED;
        }
        char name[UI_TARGET_NAME];
        snprintf(name, sizeof name, "%s: %s", label, i < 0 ? "none" : names[i]);
        ui_add_last_widget_as_target(gui, "", name);
        ui_draw_tooltip(gui, i < 0 ? "None: a drag only stirs" : names[i]);
        x += side + gap;
    }
    ImGui::PopID();
    return change;
}

bool ui_edit_colour(ui *gui, const char *label, const char *help, uint8_t rgb[3]) {
    float value[3];
    uint8_t before[3];
    memcpy(before, rgb, sizeof before);
    for (int k = 0; k < 3; k++) value[k] = (float)rgb[k] / 255;
    begin_panel_row(gui, label, help);
    ImVec4 shown(value[0], value[1], value[2], 1);
    float side = ImGui::GetFrameHeight();
    if (ImGui::ColorButton("##colour", shown, ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
                           ImVec2(2 * side, side)))
        ImGui::OpenPopup("picker");
    ui_add_last_widget_as_target(gui, "", label);
    if (ImGui::BeginPopup("picker")) {
        /* The colour picker has no text fields, because keys that the user types are shortcuts of the window. */
        ImGui::SetNextItemWidth(190 * gui->scale);
        ImGui::ColorPicker3("##picker", value,
                            ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoSidePreview |
                                ImGuiColorEditFlags_NoLabel | ImGuiColorEditFlags_NoOptions);
        ImGui::EndPopup();
    }
    ImGui::PopID();
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(255 * fminf(fmaxf(value[k], 0), 1) + 0.5f);
    return memcmp(before, rgb, sizeof before) != 0;
}

bool ui_draw_button(ui *gui, const char *label, const char *help, int column, int columns) {
    if (column > 0) ImGui::SameLine();
    float gap = ImGui::GetStyle().ItemSpacing.x;
    float row = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
    ui_require_glyphs(gui, label);
    bool pressed = ImGui::Button(label, ImVec2((row - gap * (float)(columns - 1)) / (float)columns, 0));
    ui_add_last_widget_as_target(gui, "", label);
    ui_draw_tooltip(gui, help);
    return pressed;
}

bool ui_draw_row_button(ui *gui, const char *label, const char *help) {
    float width = ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui_label_width_fraction(gui) * width);
    ui_require_glyphs(gui, label);
    bool pressed = ImGui::Button(label, ImVec2(compute_widget_width(gui, width), 0));
    ui_add_last_widget_as_target(gui, "", label);
    ui_draw_tooltip(gui, help);
    return pressed;
}
