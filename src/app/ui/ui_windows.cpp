/* Windows of Dear ImGui for layers of the interface: bars, sheets and dialogs, with their widgets (ui.h). */
#include "app/ui/ui_inside.h"

#include <cstdio>
#include <cstring>

void ui_window_begin(ui *gui, const char *name, float x, float y, float width, float height, float padding,
                     float opacity) {
    float unit = gui->scale;
    ImGui::SetNextWindowPos(ImVec2(floorf(x * unit), floorf(y * unit)));
    ImGui::SetNextWindowSize(ImVec2(ceilf(width * unit), ceilf(height * unit)));
    ImGui::SetNextWindowBgAlpha(fminf(opacity, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding * unit, padding * unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, fminf(opacity, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImGui::GetStyle().ItemSpacing);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui_color(THEME_PLATE, 1));
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    if (ImGui::IsWindowAppearing()) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    ImGui::PopStyleColor();
}

void ui_window_end(ui *gui) {
    (void)gui;
    ImGui::End();
    ImGui::PopStyleVar(4);
}

void ui_set_widget_spacing(ui *gui, float gap) {
    ImGui::GetStyle().ItemSpacing = ImVec2(gap * gui->scale, gap * gui->scale);
}

void ui_scroll_begin(ui *gui, const char *name, float height) {
    /* The scrolling area extends into the window's padding, where highlights around widgets and the scroll bar have room. */
    float padding = ImGui::GetStyle().WindowPadding.x, margin = fminf(12 * gui->scale, padding);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - margin);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, 0));
    ImGui::BeginChild(name, ImVec2(ImGui::GetContentRegionAvail().x + 0.5f * padding, height * gui->scale), false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
}

void ui_scroll_end(ui *gui) {
    (void)gui;
    ImGui::EndChild();
}

void ui_same_line(ui *gui, float gap) { ImGui::SameLine(0, gap * gui->scale); }

void ui_add_space(ui *gui, float height) { ImGui::Dummy(ImVec2(0, height * gui->scale)); }

void ui_set_next_widget_width(ui *gui, float width) { ImGui::SetNextItemWidth(width * gui->scale); }

void ui_draw_wrapped_text(ui *gui, ui_size size, ui_tone tone, const char *text) {
    ui_require_glyphs(gui, text);
    ImGui::PushFont(gui->fonts[size]);
    ImGui::PushStyleColor(ImGuiCol_Text, ui_tone_color(tone, 1));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

/* Draws names of keys as key caps, in rows of at most this width. Returns the height of all rows, pixels. */
static float draw_key_caps(const ui *gui, const char *keys, ImVec2 low, float width) {
    float unit = gui->scale, tall = ImGui::GetFontSize() + 6 * unit, gap = 4 * unit;
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 place = low;
    for (const char *end; *keys; keys = end + strspn(end, " ")) {
        end = keys + strcspn(keys, " ");
        bool between = strncmp(keys, "...", 3) == 0; /* "..." in "1 ... 6" has no key cap */
        ImVec2 size(ImGui::CalcTextSize(keys, end).x + 14 * unit, tall);
        if (place.x > low.x && place.x + size.x > low.x + width) place = ImVec2(low.x, place.y + tall + gap);
        ImVec2 high(place.x + size.x, place.y + size.y);
        if (!between) list->AddRectFilled(place, high, ui_color(THEME_FIELD, 0.22f), 4 * unit);
        if (!between) list->AddRect(place, high, ui_color(THEME_BORDER, 0.45f), 4 * unit);
        list->AddText(ImVec2(place.x + 7 * unit, place.y + 3 * unit), ui_tone_color(UI_STRONG, 1), keys, end);
        place.x = high.x + gap;
    }
    return place.y + tall - low.y;
}

void ui_draw_key_row(ui *gui, const char *keys, float keys_fraction, const char *text) {
    float unit = gui->scale, width = ImGui::GetContentRegionAvail().x, left = floorf(keys_fraction * width),
          rise = 3 * unit;
    ImVec2 low = ImGui::GetCursorScreenPos();
    ui_require_glyphs(gui, text);
    float caps = draw_key_caps(gui, keys, low, left - 8 * unit);
    float words = ImGui::CalcTextSize(text, nullptr, false, width - left).y + 2 * rise;
    ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), ImVec2(low.x + left, low.y + rise),
                                        ui_tone_color(UI_PLAIN, 1), text, nullptr, width - left);
    ImGui::Dummy(ImVec2(width, fmaxf(caps, words) + unit));
    ui_add_last_widget_as_target(gui, "Help: ", text);
}

/* Draws a coloured field with a rim over the last widget. The rim of the chosen field is light. */
static void draw_colour_field_over_widget(const ui *gui, const ui_push *push) {
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImDrawList *list = ImGui::GetWindowDrawList();
    float inset = (push->chosen ? 3 : 1) * gui->scale;
    bool hovered = ImGui::IsItemHovered();
    float opacity = ImGui::GetStyle().Alpha, rim = push->chosen ? 1 : hovered ? 0.7f : 0.25f;
    list->AddRectFilled(ImVec2(low.x + inset, low.y + inset), ImVec2(high.x - inset, high.y - inset),
                        ui_color(push->rgb, opacity), 3 * gui->scale);
    list->AddRect(low, high, ui_color(THEME_INK, rim * opacity), 4 * gui->scale, 0,
                  (push->chosen ? 1.5f : 1) * gui->scale);
}

/* Draws a text over the last widget, which ends with an ellipsis at the widget's right edge. */
static void draw_shortened_text(const char *text) {
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    low.y += floorf(0.5f * (high.y - low.y - ImGui::GetFontSize()));
    ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), low, high, high.x, high.x, text, nullptr, nullptr);
}

bool ui_draw_push_button(ui *gui, ui_push *push) {
    ui_require_glyphs(gui, push->text);
    ImVec2 size(push->width * gui->scale, push->height * gui->scale);
    ImGui::PushID(push->name);
    ImGui::BeginDisabled(push->disabled);
    static const float none[3] = {0, 0, 0};
    ImGui::PushStyleColor(ImGuiCol_Button, push->chosen ? ui_color(THEME_ACCENT, 0.32f) : ui_color(none, 0));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ui_color(THEME_ACCENT, push->chosen ? 0.40f : 0.16f));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, ui_color(THEME_ACCENT, 0.46f));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
    ImGui::PushFont(gui->fonts[push->small ? UI_SMALL : UI_NORMAL]);
    bool whole = push->text && ImGui::CalcTextSize(push->text).x <= size.x;
    bool pressed = ImGui::Button(whole ? push->text : "##icon", size);
    if (push->text && !whole) draw_shortened_text(push->text);
    ImGui::PopFont();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(3);
    ImGui::EndDisabled();
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    push->x = 0.5f * (low.x + high.x) / gui->scale;
    push->y = 0.5f * (low.y + high.y) / gui->scale;
    if (push->rgb) draw_colour_field_over_widget(gui, push);
    ui_add_last_widget_as_target(gui, "", push->name);
    ui_draw_tooltip(gui, push->help);
    ImGui::PopID();
    return pressed;
}

bool ui_menu_begin(ui *gui, ui_push *push) {
    bool pressed = ui_draw_push_button(gui, push);
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (pressed) ImGui::OpenPopup(push->name);
    ImGui::SetNextWindowPos(ImVec2(low.x, high.y + 4 * gui->scale), ImGuiCond_Appearing);
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1); /* until ui_menu_end: the menu of a bar that fades does not fade */
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8 * gui->scale, 8 * gui->scale));
    bool open = ImGui::BeginPopup(push->name);
    ImGui::PopStyleVar(open ? 1 : 2);
    return open;
}

void ui_menu_end(ui *gui) {
    (void)gui;
    ImGui::EndPopup();
    ImGui::PopStyleVar();
}

bool ui_submenu_begin(ui *gui, const char *name) {
    char target[UI_TARGET_NAME];
    float unit = gui->scale; /* ImGui forgets the item's place when its menu is open */
    ImVec2 low = ImGui::GetCursorScreenPos();
    snprintf(target, sizeof target, "Menu: %s", name);
    ui_add_target(gui, target, low.x / unit, low.y / unit, ImGui::GetContentRegionAvail().x / unit,
                  ImGui::GetFontSize() / unit);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8 * gui->scale, 8 * gui->scale));
    ui_require_glyphs(gui, name);
    bool open = ImGui::BeginMenu(name);
    ImGui::PopStyleVar();
    return open;
}

void ui_submenu_end(ui *gui) {
    (void)gui;
    ImGui::EndMenu();
}

bool ui_draw_menu_item(ui *gui, const char *name, const char *key, bool chosen) {
    char apart[64] = ""; /* ImGui leaves too small a gap between the names and the keys */
    ui_require_glyphs(gui, name);
    if (key && *key) snprintf(apart, sizeof apart, "   %s", key);
    bool pressed = ImGui::MenuItem(name, apart, chosen);
    ui_add_last_widget_as_target(gui, "Menu: ", name);
    return pressed;
}

bool ui_draw_tall_menu_item(ui *gui, const char *name, const char *key, const char *about, bool chosen) {
    bool pressed = ui_draw_two_lines(gui, name, key, about, chosen);
    ui_add_last_widget_as_target(gui, "Menu: ", name);
    return pressed;
}

/* Returns whether a menu is open over the current window. A text field that receives the keyboard focus would close the
 * menu. */
static bool is_menu_above(const ui *gui) {
    const ImVector<ImGuiPopupData> &popups = gui->context->OpenPopupStack;
    const ImGuiWindow *highest = popups.empty() ? nullptr : popups.back().Window;
    return highest && highest->RootWindow != ImGui::GetCurrentWindowRead()->RootWindow;
}

/* Moves the caret to the end of the text. Keys that would move the caret select scenes in the browser instead. */
static int move_caret_to_end(ImGuiInputTextCallbackData *data) {
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    return 0;
}

ui_change ui_edit_text(ui *gui, const char *name, const char *hint, ui_focus focus, char *text, size_t size) {
    ImGui::PushID(name);
    auto &field = gui->field;
    ImGuiID id = ImGui::GetID("##text");
    bool takes_keys = focus != UI_FOCUS_BY_CLICK, searches = focus == UI_FOCUS_SEARCH;
    /* ImGui has a copy of the text of an active field, and the steps of undo in it. If the caller has changed the text, the field
     * is deactivated, and the steps are forgotten: undo would delete characters that the text no longer has. */
    if (field.owner == id && ImHashStr(text) != field.text) {
        if (ImGui::GetActiveID() == id) ImGui::ClearActiveID();
        if (gui->context->InputTextState.ID == id) gui->context->InputTextState.ID = 0;
    }
    bool nothing_else = ImGui::GetActiveID() == 0 && !ImGui::IsAnyMouseDown() && !is_menu_above(gui) &&
                        !gui->typing.field && !gui->typing.next;
    if (takes_keys && ImGui::IsWindowAppearing()) field.appears = true;
    if (takes_keys && (ImGui::IsWindowAppearing() || nothing_else)) ImGui::SetKeyboardFocusHere();
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue;
    if (searches) flags |= ImGuiInputTextFlags_CallbackAlways;
    /* When the window appears, the text is selected, so that typing replaces the text. */
    if (focus == UI_FOCUS_FIRST && field.appears) flags |= ImGuiInputTextFlags_AutoSelectAll;
    bool entered = ImGui::InputTextWithHint("##text", hint, text, size, flags, searches ? move_caret_to_end : nullptr);
    ui_require_glyphs(gui, text);
    bool edited = ImGui::IsItemEdited(), active = ImGui::GetActiveID() == id;
    field.drawn = true;
    if (active || takes_keys) field.searches = searches;
    if (active) {
        field.active = field.owner = id;
        field.text = ImHashStr(text);
    }
    if (takes_keys) {
        if (active) field.appears = false;
        field.waits = !active && field.frames++ < 3;
        if (active) field.frames = 0;
    }
    ui_add_last_widget_as_target(gui, "", name);
    ImGui::PopID();
    return entered ? UI_TYPED : edited ? UI_MOVED : UI_SAME;
}

bool ui_tabs_begin(ui *gui, const char *name) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(10 * gui->scale, 4 * gui->scale));
    bool shown = ImGui::BeginTabBar(name, ImGuiTabBarFlags_NoTooltip);
    if (!shown) ImGui::PopStyleVar();
    return shown;
}

bool ui_tab_begin(ui *gui, const char *name, bool chosen) {
    ui_require_glyphs(gui, name);
    bool open = ImGui::BeginTabItem(name, nullptr, chosen ? ImGuiTabItemFlags_SetSelected : 0);
    ui_add_last_widget_as_target(gui, "Tab: ", name);
    return open;
}

void ui_tab_end(ui *gui) {
    (void)gui;
    ImGui::EndTabItem();
}

void ui_tabs_end(ui *gui) {
    (void)gui;
    ImGui::EndTabBar();
    ImGui::PopStyleVar();
}

void ui_draw_progress_bar(ui *gui, float fraction, const char *text) {
    ui_require_glyphs(gui, text);
    ImGui::ProgressBar(fraction, ImVec2(-1, 0), text);
}

/* ---- Dialogs ---- */

/* Sizes in a dialog, interface units. */
static const float light_shade = 0.3f; /* shade behind a dialog beside the picture, in units of the usual shade */
static const float dialog_padding = 18, dialog_edge = 8, frame_height = 26, row_gap = 4, title_gap = 8, step_width = 26;

bool ui_dialog_begin(ui *gui, const char *title, ui_dialog_place place, float *x, float *y, float *width,
                     float *height) {
    ImVec2 screen = ImGui::GetIO().DisplaySize;
    float unit = gui->scale;
    *width = fminf(*width, screen.x / unit - 2 * dialog_edge);
    *height = fminf(*height, screen.y / unit - 2 * dialog_edge);
    *x = place == UI_IN_THE_MIDDLE ? 0.5f * (screen.x / unit - *width) : screen.x / unit - *width - dialog_edge;
    *y = 0.5f * (screen.y / unit - *height);
    /* the shade is there at once: fading would need frames while nothing else changes */
    gui->context->DimBgRatio = place == UI_IN_THE_MIDDLE ? 1.0f : light_shade;
    if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
    ImGui::SetNextWindowPos(ImVec2(*x * unit, *y * unit));
    ImGui::SetNextWindowSize(ImVec2(*width * unit, *height * unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(dialog_padding * unit, dialog_padding * unit));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 9 * unit);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, fmaxf(1, 0.8f * unit));
    bool shown =
        ImGui::BeginPopupModal(title, nullptr,
                               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar(3);
    if (!shown) return false;
    float tall = ImGui::GetFontSize();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(8 * unit, 0.5f * (frame_height * unit - tall)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(row_gap * unit, row_gap * unit));
    gui->in_dialog = true;
    ui_require_glyphs(gui, title);
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ui_tone_color(UI_ACCENT, 1)), "%s", title);
    ImGui::Dummy(ImVec2(0, title_gap * unit));
    return true;
}

/* Begins a row of a dialog. low, high: corners of the row, pixels. Sets *chosen to true if the pointer has moved to the
 * row. Sets the colours of the buttons. */
static void begin_dialog_row(const ui *gui, bool *chosen, ImVec2 low, ImVec2 high) {
    if (gui->moved && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high)) *chosen = true;
    ImGui::PushStyleColor(ImGuiCol_Text, ui_tone_color(UI_STRONG, 1));
    ImGui::PushStyleColor(ImGuiCol_Button, ui_color(THEME_CHOSEN, *chosen ? 0.50f : 0.25f));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ui_color(THEME_CHOSEN, *chosen ? 0.75f : 0.25f)); /* one row is lit */
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, ui_color(THEME_CHOSEN, 0.95f));
}

static bool draw_step_button(ui *gui, const char *sign, const char *prefix, const char *label) {
    bool pressed = ImGui::Button(sign, ImVec2(step_width * gui->scale, 0));
    ui_add_last_widget_as_target(gui, prefix, label);
    return pressed;
}

int ui_draw_step_row(ui *gui, const char *label, const char *value, bool *chosen) {
    ImVec2 low = ImGui::GetCursorScreenPos(), place = ImGui::GetCursorPos();
    float width = ImGui::GetContentRegionAvail().x, tall = ImGui::GetFrameHeight(),
          left = ui_label_width_fraction(gui) * width;
    int step = 0;
    if (!value) {
        ImGui::Dummy(ImVec2(width, tall));
        return 0;
    }
    ui_require_glyphs(gui, label);
    ui_require_glyphs(gui, value);
    ImVec2 high(low.x + width, low.y + tall);
    begin_dialog_row(gui, chosen, low, high);
    if (*chosen)
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(low.x + left, low.y), high, ui_color(THEME_CHOSEN, 0.35f),
                                                  ImGui::GetStyle().FrameRounding);
    ImGui::PushID(label);
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", label);
    ImGui::SameLine(place.x + left);
    if (draw_step_button(gui, "<", "Previous ", label)) step = -1;
    ImGui::SameLine(place.x + 0.5f * (left + width - ImGui::CalcTextSize(value).x));
    ImGui::TextUnformatted(value);
    ImGui::SameLine(place.x + width - step_width * gui->scale);
    if (draw_step_button(gui, ">", "Next ", label)) step = 1;
    ImGui::PopID();
    ImGui::PopStyleColor(4);
    return step;
}

bool ui_draw_accept_button(ui *gui, const char *label, bool *chosen) {
    ui_require_glyphs(gui, label);
    ImGui::Dummy(ImVec2(0, row_gap * gui->scale));
    ImVec2 low = ImGui::GetCursorScreenPos();
    float width = ImGui::GetContentRegionAvail().x;
    begin_dialog_row(gui, chosen, low, ImVec2(low.x + width, low.y + ImGui::GetFrameHeight()));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, fmaxf(1, gui->scale));
    ImGui::PushStyleColor(ImGuiCol_Border, ui_color(THEME_ACCENT, *chosen ? 1 : 0.55f));
    bool pressed = ImGui::Button(label, ImVec2(width, 0));
    ui_add_last_widget_as_target(gui, "", label);
    ImGui::PopStyleColor(5);
    ImGui::PopStyleVar();
    return pressed;
}

bool ui_draw_large_button(ui *gui, const char *name, const char *about, float height, bool *chosen) {
    ImVec2 low = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, height * gui->scale);
    float margin = 12 * gui->scale, line = gui->fonts[UI_NORMAL]->FontSize, small = gui->fonts[UI_SMALL]->FontSize;
    float lines = about ? line + small + 3 * gui->scale : line, gap = 0.5f * (size.y - lines);
    float wrap = size.x - 2 * margin;
    begin_dialog_row(gui, chosen, low, ImVec2(low.x + size.x, low.y + size.y));
    ImGui::PushID(name);
    ui_require_glyphs(gui, name);
    ui_require_glyphs(gui, about);
    bool pressed = ImGui::Button("##large", size);
    ImGui::PopID();
    ui_add_last_widget_as_target(gui, "", name);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddText(gui->fonts[UI_NORMAL], line, ImVec2(low.x + margin, floorf(low.y + gap)), ui_tone_color(UI_STRONG, 1),
                  name, nullptr, wrap);
    if (about)
        list->AddText(gui->fonts[UI_SMALL], small, ImVec2(low.x + margin, floorf(low.y + gap + line + 3 * gui->scale)),
                      ui_tone_color(UI_PLAIN, 0.8f), about, nullptr, wrap);
    ImGui::PopStyleColor(4);
    return pressed;
}

void ui_dialog_end(ui *gui, const char *note) {
    ui_require_glyphs(gui, note);
    ImGui::PushFont(gui->fonts[UI_SMALL]);
    ImGui::Dummy(ImVec2(0, title_gap * gui->scale));
    ImGui::SetCursorPosX(0.5f * (ImGui::GetWindowWidth() - ImGui::CalcTextSize(note).x));
    ImGui::TextDisabled("%s", note);
    ImGui::PopFont();
    ImGui::PopStyleVar(2);
    ImGui::EndPopup();
    gui->in_dialog = false;
}

/* ---- Tiles: pictures with titles, as in the browser of scenes ---- */

/* Sizes in interface units. */
static const float CARD = 7;         /* margin of the highlight around a tile */
static const float ROUND = 6;        /* radius of the corners of a picture */
static const float BADGE_EDGE = 6;   /* distance from the badge to the picture's right and lower edge */
static const float BADGE_MARGIN = 6; /* distance from the badge's text to the badge's left and right edge */

/* Draws a text on a dark background in the picture's lower right corner. */
static void draw_badge(const ui *gui, const char *text, ImVec2 corner) {
    const ImFont *font = gui->fonts[UI_SMALL];
    ui_require_glyphs(gui, text);
    float unit = gui->scale, width = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text).x;
    ImVec2 high(corner.x - BADGE_EDGE * unit, corner.y - BADGE_EDGE * unit);
    ImVec2 low(floorf(high.x - width - 2 * BADGE_MARGIN * unit), floorf(high.y - font->FontSize - 4 * unit));
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(low, high, ui_color(THEME_NIGHT, 0.78f), 4 * unit);
    list->AddText(font, font->FontSize, ImVec2(floorf(low.x + BADGE_MARGIN * unit), floorf(low.y + 2 * unit)),
                  ui_tone_color(UI_PLAIN, 1), text);
}

static void draw_picture(const ui *gui, const ui_tile *tile, ImVec2 low, ImVec2 high) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    float round = ROUND * gui->scale;
    list->AddRectFilled(low, high, ui_color(THEME_NIGHT, 1), round);
    if (tile->texture)
        list->AddImageRounded((ImTextureID)(intptr_t)tile->texture, low, high, ImVec2(0, 0), ImVec2(1, 1),
                              IM_COL32_WHITE, round);
    list->AddRect(low, high, ui_color(THEME_FIELD, 0.30f), round, 0, fmaxf(1, gui->scale));
    if (tile->badge) draw_badge(gui, tile->badge, high);
}

/* Draws the title, which ends with an ellipsis at the tile's right edge. */
static void draw_title(const ui *gui, const ui_tile *tile, ImVec2 low, float right) {
    ui_require_glyphs(gui, tile->title);
    float line = ImGui::GetFontSize(), unit = gui->scale;
    ImVec2 from(low.x + 2 * unit, floorf(low.y + 0.5f * (UI_TILE_LABEL * unit - line) + 1 * unit));
    ImGui::PushStyleColor(ImGuiCol_Text, ui_tone_color(tile->chosen ? UI_STRONG : UI_PLAIN, 1));
    ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), from, ImVec2(right, from.y + line), right, right, tile->title,
                              nullptr, nullptr);
    ImGui::PopStyleColor();
}

bool ui_draw_tile(ui *gui, ui_tile *tile) {
    float unit = gui->scale;
    ImVec2 low = ImGui::GetCursorScreenPos(), size(floorf(tile->width * unit), floorf(tile->height * unit));
    ImGui::PushID(tile->name);
    bool pressed = ImGui::InvisibleButton("##tile", ImVec2(size.x, size.y + UI_TILE_LABEL * unit));
    ImGui::PopID();
    ImVec2 high = ImGui::GetItemRectMax();
    ImRect card(low.x - CARD * unit, low.y - CARD * unit, high.x + CARD * unit, high.y + 0.5f * CARD * unit);
    if (tile->scrolls) /* leaves 40 interface units above the tile for the heading of its group */
        ImGui::ScrollToRect(ImGui::GetCurrentWindow(),
                            ImRect(card.Min.x, card.Min.y - 40 * unit, card.Max.x, card.Max.y),
                            ImGuiScrollFlags_KeepVisibleEdgeY);
    tile->visible = ImGui::IsItemVisible();
    if (!tile->visible) return pressed;
    bool scrolled = ImGui::GetIO().MouseWheel != 0;
    if ((gui->moved || scrolled) && ImGui::IsItemHovered()) tile->chosen = true;
    if (tile->chosen)
        ImGui::GetWindowDrawList()->AddRectFilled(card.Min, card.Max, ui_color(THEME_CHOSEN, 0.38f),
                                                  (ROUND + 3) * unit);
    draw_picture(gui, tile, low, ImVec2(high.x, low.y + size.y));
    ImGui::PushFont(gui->fonts[UI_SMALL]);
    draw_title(gui, tile, ImVec2(low.x, low.y + size.y), high.x);
    ImGui::PopFont();
    ui_add_last_widget_as_target(gui, "", tile->title);
    return pressed;
}
