/* Ctrl+O: the scenes that can be opened, as pictures in a grid that fills the window. A click or Enter opens one. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float EDGE = 24, SMALL_EDGE = 14, SMALL_ROOM = 560; /* units: narrower windows have the small edge */
static const float HEAD = 56, FOOT = 62;                         /* heights of what does not scroll */
static const float LEAST_TILE = 216, GAP = 18;                   /* widths: of a tile, between two */
static const float PROPORTION = 0.625f;                          /* of the pictures: height over width */
static const float LABEL = 24, ROW_GAP = 16;                     /* heights: of a tile's label, between two rows */
static const float HEADING = 34, SECTION_GAP = 14;               /* heights */
static const float ROUND = 7, RIM = 2.5f, THIN_RIM = 1, INSET = 10;
static const float NOTCH = 90; /* units that a notch of the wheel scrolls */
static const float SPACE = 20; /* units between two texts of the head */
static const float CLOSE = 36; /* side of the cross at the upper right */
static const float ground[3] = {5 / 255.0f, 7 / 255.0f, 12 / 255.0f}, accent[3] = {0.56f, 0.70f, 1.00f};
static const float vacant[3] = {0.42f, 0.50f, 0.70f};

enum { FITTED = 512 };

static float picture_height(const pd_browser *browser) { return PROPORTION * browser->tile; }
static float row_height(const pd_browser *browser) { return picture_height(browser) + LABEL + ROW_GAP; }

static float section_height(const pd_browser *browser, int count) {
    int columns = browser->columns;
    return count > 0 ? HEADING + (float)((count + columns - 1) / columns) * row_height(browser) : 0;
}

/* Where the user's own begin, from the top of what scrolls. */
static float own_top(const pd_browser *browser) {
    return section_height(browser, browser->gallery.bundled) + (browser->gallery.bundled > 0 ? SECTION_GAP : 0);
}

/* Of the picture of a scene, in the window. */
static pd_plate place_of(const pd_browser *browser, int scene) {
    bool bundled = scene < browser->gallery.bundled;
    int k = bundled ? scene : scene - browser->gallery.bundled;
    float y = (bundled ? 0 : own_top(browser)) + HEADING + (float)(k / browser->columns) * row_height(browser);
    return (pd_plate){browser->left + (float)(k % browser->columns) * (browser->tile + GAP),
                      browser->top + y - browser->scroll, browser->tile, picture_height(browser)};
}

static int scene_at(const pd_browser *browser, float x, float y) {
    if (browser->columns == 0 || y < browser->top || y >= browser->foot) return -1;
    for (int i = 0; i < browser->gallery.count; i++) {
        pd_plate place = place_of(browser, i);
        if (x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height + LABEL) return i;
    }
    return -1;
}

static void scroll_to(pd_browser *browser, float scroll) {
    float most = fmaxf(browser->length - (browser->foot - browser->top), 0);
    browser->scroll = fminf(fmaxf(scroll, 0), most);
}

void pd_browser_open(pd_browser *browser, const pd_session *session) {
    *browser = (pd_browser){.open = true, .reveals = true};
    pd_gallery_find(&browser->gallery, session->path);
    browser->chosen = browser->gallery.count > 0 ? 0 : -1;
    for (int i = 0; i < browser->gallery.count && *session->path; i++)
        if (pd_file_is_same(browser->gallery.scenes[i].path, session->path)) browser->chosen = i;
}

/* Another world closes the browser (pd_viewport_session_changed); after an error, which is announced, it stays. */
static void open_scene(pd_browser *browser, pd_session *session, int scene) {
    if (scene < 0) return;
    char path[PD_MAX_PATH];
    snprintf(path, sizeof path, "%s", browser->gallery.scenes[scene].path);
    browser->chosen = scene;
    pd_session_open(session, path);
}

/* The nearest scene whose row is `distance` units farther down, or less if there is none. */
static void move_rows(pd_browser *browser, float distance) {
    if (browser->chosen < 0 || browser->columns == 0) return;
    pd_plate from = place_of(browser, browser->chosen);
    float least = INFINITY;
    for (int i = 0, start = browser->chosen; i < browser->gallery.count; i++) {
        pd_plate place = place_of(browser, i);
        if (i == start || (place.y - from.y) * distance <= 0) continue;
        float far = fabsf(place.y - from.y - distance) + 1e-3f * fabsf(place.x - from.x);
        if (far >= least) continue;
        least = far;
        browser->chosen = i;
    }
}

void pd_browser_key(pd_browser *browser, pd_session *session, int code) {
    int last = browser->gallery.count - 1;
    float page = fmaxf(browser->foot - browser->top - row_height(browser), row_height(browser));
    browser->reveals = true;
    if (code == PD_KEY_ESCAPE) browser->open = false;
    if (code == PD_KEY_ENTER) open_scene(browser, session, browser->chosen);
    if (code == PD_KEY_LEFT && browser->chosen > 0) browser->chosen--;
    if (code == PD_KEY_RIGHT && browser->chosen < last) browser->chosen++;
    if (code == PD_KEY_UP) move_rows(browser, -row_height(browser));
    if (code == PD_KEY_DOWN) move_rows(browser, row_height(browser));
    if (code == PD_KEY_PAGE_UP) move_rows(browser, -page);
    if (code == PD_KEY_PAGE_DOWN) move_rows(browser, page);
    if (code == PD_KEY_HOME) browser->chosen = last < 0 ? -1 : 0;
    if (code == PD_KEY_END) browser->chosen = last;
}

void pd_browser_point(pd_browser *browser, float x, float y) {
    int scene = scene_at(browser, x, y);
    if (scene >= 0) browser->chosen = scene;
}

void pd_browser_press(pd_browser *browser, pd_session *session, float x, float y) {
    bool cross = x >= browser->width - browser->left - CLOSE && y < HEAD;
    if (cross)
        browser->open = false;
    else
        open_scene(browser, session, scene_at(browser, x, y));
}

void pd_browser_wheel(pd_browser *browser, float notches) { scroll_to(browser, browser->scroll - NOTCH * notches); }

/* ---- Drawing ---- */

/* As much of a text as fits, with an ellipsis where it does not. wrap: width of its lines; 0: one line, of `width`. */
static const char *fit(const ui *gui, ui_size size, const char *text, float wrap, float width, float height,
                       char fitted[FITTED]) {
    size_t low = 0, high = strlen(text) < FITTED - 4 ? strlen(text) : FITTED - 4, tried = high;
    bool whole = true;
    snprintf(fitted, FITTED, "%.*s", (int)high, text);
    for (;;) {
        float wide, tall;
        ui_measure(gui, size, fitted, wrap, &wide, &tall);
        bool fits = wide <= width && tall <= height + 0.5f;
        if (whole && fits) return fitted;
        whole = false;
        if (fits)
            low = tried;
        else
            high = tried;
        bool found = high <= low + 1;
        tried = found ? low : (low + high) / 2;
        size_t cut = tried;
        while (cut > 0 && ((unsigned char)text[cut] & 0xc0) == 0x80) cut--; /* not within a character */
        while (cut > 0 && text[cut - 1] == ' ') cut--;
        snprintf(fitted, FITTED, "%.*s…", (int)cut, text);
        if (found) return fitted;
    }
}

static void arrange(pd_browser *browser, const ui *gui) {
    const pd_gallery *gallery = &browser->gallery;
    browser->width = ui_width(gui);
    browser->height = ui_height(gui);
    browser->left = browser->width < SMALL_ROOM ? SMALL_EDGE : EDGE;
    float room = browser->width - 2 * browser->left, line;
    browser->top = HEAD;
    browser->foot = fmaxf(browser->height - FOOT, HEAD);
    /* As wide that a picture with its label can be seen whole. */
    float widest = fmaxf((browser->foot - browser->top - LABEL - ROW_GAP) / PROPORTION, 0.5f * LEAST_TILE);
    browser->columns = (int)fmaxf(floorf((room + GAP) / (LEAST_TILE + GAP)), ceilf((room + GAP) / (widest + GAP)));
    browser->tile = floorf((room + GAP) / (float)browser->columns - GAP);
    ui_measure(gui, UI_SMALL, NULL, 0, NULL, &line);
    int own = gallery->count - gallery->bundled, notes = gallery->note_count + (own == 0 && gallery->note_count == 0);
    browser->length = own_top(browser) + (own > 0 ? section_height(browser, own) : HEADING);
    browser->length += (float)notes * (2 * line + 6) + ROW_GAP;
}

/* With the heading, where it is in the first row under one; with what is under the last row. */
static void reveal(pd_browser *browser) {
    browser->reveals = false;
    if (browser->chosen < 0) return;
    pd_plate place = place_of(browser, browser->chosen);
    int k = browser->chosen - (browser->chosen < browser->gallery.bundled ? 0 : browser->gallery.bundled);
    float above = k < browser->columns ? HEADING : ROW_GAP / 2, scroll = browser->scroll;
    float over = place.y + place.height + LABEL + ROW_GAP / 2 - browser->foot, under = place.y - above - browser->top;
    if (browser->chosen == browser->gallery.count - 1)
        scroll = browser->length;
    else if (over > 0)
        scroll += over;
    scroll = fminf(scroll, browser->scroll + under);
    scroll_to(browser, scroll);
}

static void draw_tile(const pd_browser *browser, ui *gui, int index) {
    const pd_gallery_scene *scene = &browser->gallery.scenes[index];
    pd_plate place = place_of(browser, index);
    char text[FITTED];
    float line, width, inner = place.width - 2 * INSET;
    bool chosen = index == browser->chosen;
    float rim = chosen ? RIM : THIN_RIM;
    float top = fmaxf(place.y, browser->top), foot = fminf(place.y + place.height + LABEL, browser->foot);
    if (foot > top) ui_add_target(gui, scene->label, place.x, top, place.width, foot - top);
    ui_box(gui, place.x - rim, place.y - rim, place.width + 2 * rim, place.height + 2 * rim, ROUND + rim,
           chosen ? accent : vacant, chosen ? 1 : 0.30f);
    ui_box(gui, place.x, place.y, place.width, place.height, ROUND, ground, 1);
    if (scene->texture)
        ui_image(gui, place.x, place.y, place.width, place.height, ROUND, scene->texture);
    else
        ui_box(gui, place.x, place.y, place.width, place.height, ROUND, vacant, 0.10f);
    ui_measure(gui, UI_SMALL, NULL, 0, NULL, &line);
    if (scene->state == PD_GALLERY_BROKEN)
        ui_text(gui, place.x + INSET, place.y + INSET, UI_SMALL, UI_WARNING, 0.9f, inner,
                fit(gui, UI_SMALL, scene->error, inner, inner, place.height - 2 * INSET, text));
    fit(gui, UI_SMALL, scene->label, 0, place.width - 4, line, text);
    ui_measure(gui, UI_SMALL, text, 0, &width, NULL);
    ui_text(gui, place.x + 2, place.y + place.height + 5, UI_SMALL, chosen ? UI_STRONG : UI_PLAIN, 1, 0, text);
}

static void draw_tiles(pd_browser *browser, ui *gui) {
    browser->first = browser->gallery.count;
    browser->last = -1;
    for (int i = 0; i < browser->gallery.count; i++) {
        pd_plate place = place_of(browser, i);
        if (place.y + place.height + LABEL < browser->top || place.y - RIM > browser->foot) continue;
        if (browser->last < 0) browser->first = i;
        browser->last = i;
        draw_tile(browser, gui, i);
    }
}

static void draw_heading(const pd_browser *browser, ui *gui, float y, const char *text) {
    ui_text(gui, browser->left, browser->top + y - browser->scroll + 8, UI_NORMAL, UI_ACCENT, 1, 0, text);
}

/* Under the tiles: what is to be said of the user's folders. */
static void draw_notes(const pd_browser *browser, ui *gui) {
    static const char none[] = "Scenes of this folder appear here (Ctrl+Shift+S saves one)";
    const pd_gallery *gallery = &browser->gallery;
    int own = gallery->count - gallery->bundled;
    float line, room = browser->width - 2 * browser->left;
    float y = browser->top - browser->scroll + own_top(browser) + (own > 0 ? section_height(browser, own) : HEADING);
    char text[FITTED];
    ui_measure(gui, UI_SMALL, NULL, 0, NULL, &line);
    for (int i = 0; i < gallery->note_count; i++, y += 2 * line + 6)
        ui_text(gui, browser->left, y, UI_SMALL, UI_WARNING, 0.9f, room,
                fit(gui, UI_SMALL, gallery->notes[i], room, room, 2 * line, text));
    if (own == 0 && gallery->note_count == 0)
        ui_text(gui, browser->left, y, UI_SMALL, UI_QUIET, 1, room,
                fit(gui, UI_SMALL, none, room, room, 2 * line, text));
}

/* While pictures are still to be drawn, how far that is, in the place of the keys where both have no room. */
static void draw_head(const pd_browser *browser, ui *gui) {
    const char *hint = "arrows, Enter, Esc";
    char text[64];
    float width, line, title, told = 0, arm = 5.5f, x = browser->width - browser->left - 0.5f * CLOSE, y = 0.5f * HEAD;
    int done = pd_gallery_done(&browser->gallery), count = browser->gallery.count;
    static const float grey[3] = {0.60f, 0.64f, 0.73f};
    ui_add_target(gui, "Close", x - 0.5f * CLOSE, 0, CLOSE, HEAD);
    ui_box(gui, 0, 0, browser->width, HEAD, 0, ground, 1);
    ui_measure(gui, UI_LARGE, "Scenes", 0, &title, &line);
    ui_text(gui, browser->left, y - 0.5f * line, UI_LARGE, UI_STRONG, 1, 0, "Scenes");
    ui_measure(gui, UI_SMALL, hint, 0, &width, &line);
    float room = x - 0.5f * CLOSE - 8 - (browser->left + title + SPACE);
    if (done < count) {
        snprintf(text, sizeof text, "drawing pictures: %d of %d", done, count);
        ui_measure(gui, UI_SMALL, text, 0, &told, NULL);
        if (told > room) snprintf(text, sizeof text, "%d/%d", done, count);
        ui_measure(gui, UI_SMALL, text, 0, &told, NULL);
        if (told <= room) ui_text(gui, browser->left + title + SPACE, y - 0.5f * line, UI_SMALL, UI_ACCENT, 1, 0, text);
    }
    if (told == 0 ? width <= room : told + SPACE + width <= room)
        ui_text(gui, x - 0.5f * CLOSE - 8 - width, y - 0.5f * line, UI_SMALL, UI_QUIET, 1, 0, hint);
    ui_line(gui, x - arm, y - arm, x + arm, y + arm, 1.6f, grey, 1);
    ui_line(gui, x - arm, y + arm, x + arm, y - arm, 1.6f, grey, 1);
}

/* What the chosen scene is about, in at most two lines. */
static void draw_foot(const pd_browser *browser, ui *gui) {
    float line, tall, room = browser->width - 2 * browser->left, height = browser->height - browser->foot;
    char text[FITTED];
    ui_box(gui, 0, browser->foot, browser->width, height, 0, ground, 1);
    if (browser->chosen < 0) return;
    const pd_gallery_scene *scene = &browser->gallery.scenes[browser->chosen];
    bool broken = scene->state == PD_GALLERY_BROKEN;
    ui_measure(gui, UI_SMALL, NULL, 0, NULL, &line);
    fit(gui, UI_SMALL, broken ? scene->error : scene->about, room, room, 2 * line, text);
    ui_measure(gui, UI_SMALL, text, room, NULL, &tall);
    ui_text(gui, browser->left, browser->foot + 0.5f * (height - tall), UI_SMALL, broken ? UI_WARNING : UI_PLAIN, 1,
            room, text);
}

static void draw_bar(const pd_browser *browser, ui *gui) {
    float seen = browser->foot - browser->top;
    if (browser->length <= seen) return;
    float height = fmaxf(seen * seen / browser->length, 24);
    float y = browser->top + (seen - height) * browser->scroll / (browser->length - seen);
    ui_box(gui, browser->width - 7, y, 3, height, 1.5f, vacant, 0.5f);
}

void pd_browser_draw(pd_browser *browser, ui *gui) {
    const pd_gallery *gallery = &browser->gallery;
    arrange(browser, gui);
    scroll_to(browser, browser->scroll);
    if (browser->reveals) reveal(browser);
    ui_set_layer(gui, UI_ABOVE);
    ui_dim(gui, 1);
    if (gallery->bundled > 0) draw_heading(browser, gui, 0, "Bundled");
    draw_heading(browser, gui, own_top(browser), "Your own");
    draw_tiles(browser, gui);
    draw_notes(browser, gui);
    draw_bar(browser, gui);
    draw_head(browser, gui);
    draw_foot(browser, gui);
}
