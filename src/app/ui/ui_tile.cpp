/* Tiles: pictures with titles, as in the browser of scenes (ui.h). */
#include "app/ui/ui_inside.h"

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
