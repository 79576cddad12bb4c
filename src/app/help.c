/* The help overlay: the whole table of keys in as many columns as fit. */
#include "app/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float COLUMN_GAP = 36, NAME_GAP = 14, PADDING = 26, CAP = 6; /* units */
static const float HEADING = 1.2f, GROUP_GAP = 0.6f;                      /* rows */

/* Draws the keys of a name as caps, or only measures them; returns their width. */
static float draw_caps(ui *gui, float x, float y, float line, const char *name, bool draw) {
    float start = x;
    for (const char *c = name; *c;) {
        size_t length = strcspn(c, " ");
        char cap[32];
        snprintf(cap, sizeof cap, "%.*s", (int)length, c);
        float width;
        ui_measure(gui, UI_SMALL, cap, 0, &width, NULL);
        bool plain = strcmp(cap, "...") == 0;
        if (draw && !plain) ui_plate(gui, x, y - 1, width + 2 * CAP, line - 3, 1);
        if (draw) ui_text(gui, x + CAP, y + 1, UI_SMALL, plain ? UI_QUIET : UI_PLAIN, 1, 0, plain ? "…" : cap);
        x += width + 2 * CAP + 4;
        c += length;
        while (*c == ' ') c++;
    }
    return x - 4 - start;
}

static float group_height(const pd_key *keys, int count, int first, float line) {
    float height = HEADING * line;
    for (int i = first; i < count && strcmp(keys[i].group, keys[first].group) == 0; i++) height += line;
    return height + GROUP_GAP * line;
}

/* The first row of a second column: where the two come out most alike. */
static int split(const pd_key *keys, int count, float line, float *height) {
    int best = 0;
    float total = 0, above = 0;
    for (int i = 0; i < count; i++)
        if (i == 0 || strcmp(keys[i].group, keys[i - 1].group) != 0) total += group_height(keys, count, i, line);
    *height = total;
    for (int i = 0; i < count; i++) {
        if (i > 0 && strcmp(keys[i].group, keys[i - 1].group) == 0) continue;
        float taller = fmaxf(above, total - above);
        if (taller < *height) *height = taller, best = i;
        above += group_height(keys, count, i, line);
    }
    return best;
}

static void draw_rows(ui *gui, const pd_key *keys, int first, int last, float x, float y, float names, float line) {
    for (int i = first; i < last; i++) {
        if (i == first || strcmp(keys[i].group, keys[i - 1].group) != 0) {
            if (i != first) y += GROUP_GAP * line;
            ui_text(gui, x, y, UI_NORMAL, UI_ACCENT, 1, 0, keys[i].group);
            y += HEADING * line;
        }
        draw_caps(gui, x, y, line, keys[i].name, true);
        ui_text(gui, x + names + NAME_GAP, y + 1, UI_SMALL, UI_PLAIN, 0.9f, 0, keys[i].help);
        y += line;
    }
}

void pd_app_draw_help(pd_app *app) {
    if (!app->help) return;
    ui *gui = app->ui;
    int count;
    const pd_key *keys = pd_keys(&count);
    float line, names = 0, helps = 0, width = ui_width(gui), height = ui_height(gui);
    ui_set_layer(gui, UI_ABOVE);
    ui_measure(gui, UI_SMALL, NULL, 0, NULL, &line);
    for (int i = 0; i < count; i++) {
        float extent;
        ui_measure(gui, UI_SMALL, keys[i].help, 0, &extent, NULL);
        helps = fmaxf(helps, extent);
        names = fmaxf(names, draw_caps(gui, 0, 0, 0, keys[i].name, false));
    }
    float column = names + NAME_GAP + helps, tall;
    bool two = 2 * column + COLUMN_GAP + 2 * PADDING <= width;
    line += 10;
    int half = 0;
    /* Small windows get tighter rows before anything is cut off. */
    for (;; line -= 1) {
        half = split(keys, count, line, &tall);
        if (!two) {
            split(keys, 0, line, &tall);
            tall = 0;
            for (int i = 0; i < count; i++)
                if (i == 0 || strcmp(keys[i].group, keys[i - 1].group) != 0) tall += group_height(keys, count, i, line);
        }
        if (tall + 2 * PADDING <= height - 16 || line <= 15) break;
    }
    tall -= GROUP_GAP * line;
    float wide = two ? 2 * column + COLUMN_GAP : column;
    float x = 0.5f * (width - wide), y = fmaxf(8 + PADDING, 0.5f * (height - tall));
    ui_dim(gui, 0.55f);
    ui_plate(gui, x - PADDING, y - PADDING, wide + 2 * PADDING, tall + 2 * PADDING - 0.4f * line, 1.1f);
    draw_rows(gui, keys, 0, two ? half : count, x, y, names, line);
    if (two) draw_rows(gui, keys, half, count, x + column + COLUMN_GAP, y, names, line);
}
