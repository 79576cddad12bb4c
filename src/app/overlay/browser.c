/* The browser (Ctrl+O): a grid of scenes' pictures that fills the window. A click or Enter opens a scene. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* units: margins, and the window's width below which the small one is used */
static const float EDGE = 24, SMALL_EDGE = 14, SMALL_ROOM = 560;
static const float HEAD = 56, FOOT = 62;           /* units: heights of the fixed head and foot */
static const float LEAST_TILE = 216, GAP = 18;     /* units: least width of a tile, and between two tiles */
static const float PROPORTION = 0.625f;            /* height / width of a picture */
static const float LABEL = 24, ROW_GAP = 16;       /* units: height of a tile's label, and between two rows */
static const float HEADING = 34, SECTION_GAP = 14; /* units: height of a section's heading, and between two sections */
static const float ROUND = 7, RIM = 2.5f, THIN_RIM = 1, INSET = 10;
static const float NOTCH = 90; /* units scrolled by a notch of the wheel */
static const float SPACE = 20; /* units between two texts in the head */
static const float CLOSE = 36; /* units: side of the button at the upper right that closes the browser */

enum { FITTED = 512 }; /* bytes for a text that `fit` shortens */

static float picture_height(const pd_browser *browser) { return PROPORTION * browser->tile_width; }
static float row_height(const pd_browser *browser) { return picture_height(browser) + LABEL + ROW_GAP; }

static float section_height(const pd_browser *browser, int count) {
    int columns = browser->columns;
    return count > 0 ? HEADING + (float)((count + columns - 1) / columns) * row_height(browser) : 0;
}

/* Returns the top of the section of the user's scenes, from the top of the scrolling content. */
static float own_top(const pd_browser *browser) {
    return section_height(browser, browser->gallery.bundled_count) +
           (browser->gallery.bundled_count > 0 ? SECTION_GAP : 0);
}

/* Returns the place of a scene's picture in the window. */
static pd_plate place_of(const pd_browser *browser, int scene) {
    bool bundled = scene < browser->gallery.bundled_count;
    int k = bundled ? scene : scene - browser->gallery.bundled_count;
    float y = (bundled ? 0 : own_top(browser)) + HEADING + (float)(k / browser->columns) * row_height(browser);
    return (pd_plate){browser->left + (float)(k % browser->columns) * (browser->tile_width + GAP),
                      browser->top + y - browser->scroll, browser->tile_width, picture_height(browser)};
}

static int scene_at(const pd_browser *browser, float x, float y) {
    if (browser->columns == 0 || y < browser->top || y >= browser->bottom) return -1;
    for (int i = 0; i < browser->gallery.count; i++) {
        pd_plate place = place_of(browser, i);
        if (x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height + LABEL) return i;
    }
    return -1;
}

static void set_scroll(pd_browser *browser, float scroll) {
    float most = fmaxf(browser->content_height - (browser->bottom - browser->top), 0);
    browser->scroll = fminf(fmaxf(scroll, 0), most);
}

void pd_browser_open(pd_browser *browser, const pd_session *session) {
    *browser = (pd_browser){.open = true, .scrolls_to_chosen = true};
    pd_gallery_list(&browser->gallery, session->path);
    browser->chosen = browser->gallery.count > 0 ? 0 : -1;
    for (int i = 0; i < browser->gallery.count && *session->path; i++)
        if (pd_file_is_same(browser->gallery.scenes[i].path, session->path)) browser->chosen = i;
}

/* Opens a scene. Success closes the browser (pd_viewport_handle_event). After an error the browser stays open. */
static void open_scene(pd_browser *browser, pd_session *session, int scene) {
    if (scene < 0) return;
    char path[PD_MAX_PATH];
    snprintf(path, sizeof path, "%s", browser->gallery.scenes[scene].path);
    browser->chosen = scene;
    pd_session_open_file(session, path);
}

/* Highlights the scene whose row is `distance` units farther down, or the nearest row to that. */
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

static bool is_open(const pd_screen *screen) { return screen->viewport->browser.open; }
static void close_browser(pd_screen *screen) { screen->viewport->browser.open = false; }

static void move_choice(pd_browser *browser, int code) {
    int last = browser->gallery.count - 1;
    float page = fmaxf(browser->bottom - browser->top - row_height(browser), row_height(browser));
    if (code == PD_KEY_LEFT && browser->chosen > 0) browser->chosen--;
    if (code == PD_KEY_RIGHT && browser->chosen < last) browser->chosen++;
    if (code == PD_KEY_UP) move_rows(browser, -row_height(browser));
    if (code == PD_KEY_DOWN) move_rows(browser, row_height(browser));
    if (code == PD_KEY_PAGE_UP) move_rows(browser, -page);
    if (code == PD_KEY_PAGE_DOWN) move_rows(browser, page);
    if (code == PD_KEY_HOME) browser->chosen = last < 0 ? -1 : 0;
    if (code == PD_KEY_END) browser->chosen = last;
}

/* Handles a key. Ctrl+O also closes the browser. */
static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    pd_browser *browser = &screen->viewport->browser;
    bool again = code == 'o' && modifiers == PD_CONTROL;
    if (!browser->open) return false;
    if (again && repeats) return true;
    browser->scrolls_to_chosen = true;
    if (again) close_browser(screen);
    if (code == PD_KEY_ENTER) open_scene(browser, screen->session, browser->chosen);
    move_choice(browser, code);
    ui_request_frame(screen->gui); /* the browser may scroll, and a press that follows is for its new content */
    return true;
}

static void pointer_moved(pd_screen *screen, bool arrives) {
    pd_browser *browser = &screen->viewport->browser;
    (void)arrives;
    int scene = browser->open ? scene_at(browser, screen->x, screen->y) : -1;
    if (scene >= 0) browser->chosen = scene;
}

/* Handles a press, and hides it from ImGui: if it closes the browser, the panel must not receive it. */
static bool handle_press(pd_screen *screen, bool left) {
    pd_browser *browser = &screen->viewport->browser;
    if (!browser->open) return false;
    ui_hide_press(screen->gui);
    bool cross = screen->x >= browser->width - browser->left - CLOSE && screen->y < HEAD;
    if (left && cross) close_browser(screen);
    if (left && !cross) open_scene(browser, screen->session, scene_at(browser, screen->x, screen->y));
    return true;
}

static bool handle_wheel(pd_screen *screen, float notches) {
    pd_browser *browser = &screen->viewport->browser;
    if (!browser->open) return false;
    set_scroll(browser, browser->scroll - NOTCH * notches);
    pointer_moved(screen, false);
    return true;
}

/* ---- Drawing ---- */

/* Shortens a text with an ellipsis until it fits width and height. wrap: width of a line, 0: a single line. Returns fitted. */
static const char *fit_text(const ui *gui, ui_size size, const char *text, float wrap, float width, float height,
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
        while (cut > 0 && ((unsigned char)text[cut] & 0xc0) == 0x80) cut--; /* cuts between two UTF-8 characters */
        while (cut > 0 && text[cut - 1] == ' ') cut--;
        snprintf(fitted, FITTED, "%.*s…", (int)cut, text);
        if (found) return fitted;
    }
}

static void arrange_tiles(pd_browser *browser, const ui *gui) {
    const pd_gallery *gallery = &browser->gallery;
    browser->width = ui_width(gui);
    browser->height = ui_height(gui);
    browser->left = browser->width < SMALL_ROOM ? SMALL_EDGE : EDGE;
    float room = browser->width - 2 * browser->left;
    browser->top = HEAD;
    browser->bottom = fmaxf(browser->height - FOOT, HEAD);
    /* widest tile whose picture and label are as high as the scrolling part */
    float widest = fmaxf((browser->bottom - browser->top - LABEL - ROW_GAP) / PROPORTION, 0.5f * LEAST_TILE);
    browser->columns = (int)fmaxf(floorf((room + GAP) / (LEAST_TILE + GAP)), ceilf((room + GAP) / (widest + GAP)));
    browser->tile_width = floorf((room + GAP) / (float)browser->columns - GAP);
    int own = gallery->count - gallery->bundled_count,
        notes = gallery->note_count + (own == 0 && gallery->note_count == 0);
    browser->content_height = own_top(browser) + (own > 0 ? section_height(browser, own) : HEADING);
    browser->content_height += (float)notes * (2 * ui_line_height(gui, UI_SMALL) + 6) + ROW_GAP;
}

/* Scrolls to the highlighted scene. The first row comes with the heading above, the last row with the notes below. */
static void scroll_to_chosen(pd_browser *browser) {
    browser->scrolls_to_chosen = false;
    if (browser->chosen < 0) return;
    pd_plate place = place_of(browser, browser->chosen);
    int k = browser->chosen - (browser->chosen < browser->gallery.bundled_count ? 0 : browser->gallery.bundled_count);
    float above = k < browser->columns ? HEADING : ROW_GAP / 2, scroll = browser->scroll;
    float over = place.y + place.height + LABEL + ROW_GAP / 2 - browser->bottom, under = place.y - above - browser->top;
    if (browser->chosen == browser->gallery.count - 1)
        scroll = browser->content_height;
    else if (over > 0)
        scroll += over;
    scroll = fminf(scroll, browser->scroll + under);
    set_scroll(browser, scroll);
}

static void draw_tile(const pd_browser *browser, ui *gui, int index) {
    const pd_gallery_scene *scene = &browser->gallery.scenes[index];
    pd_plate place = place_of(browser, index);
    char text[FITTED];
    float line = ui_line_height(gui, UI_SMALL), inner = place.width - 2 * INSET;
    bool chosen = index == browser->chosen;
    float rim = chosen ? RIM : THIN_RIM;
    float top = fmaxf(place.y, browser->top), foot = fminf(place.y + place.height + LABEL, browser->bottom);
    if (foot > top) ui_add_target(gui, scene->label, place.x, top, place.width, foot - top);
    ui_draw_box(gui, place.x - rim, place.y - rim, place.width + 2 * rim, place.height + 2 * rim, ROUND + rim,
                chosen ? THEME_ACCENT : THEME_FIELD, chosen ? 1 : 0.30f);
    ui_draw_box(gui, place.x, place.y, place.width, place.height, ROUND, THEME_NIGHT, 1);
    if (scene->texture)
        ui_draw_image(gui, place.x, place.y, place.width, place.height, ROUND, scene->texture);
    else
        ui_draw_box(gui, place.x, place.y, place.width, place.height, ROUND, THEME_FIELD, 0.10f);
    if (scene->state == PD_GALLERY_BROKEN)
        ui_draw_text(gui, place.x + INSET, place.y + INSET, UI_SMALL, UI_WARNING, 0.9f, inner,
                     fit_text(gui, UI_SMALL, scene->error, inner, inner, place.height - 2 * INSET, text));
    fit_text(gui, UI_SMALL, scene->label, 0, place.width - 4, line, text);
    ui_draw_text(gui, place.x + 2, place.y + place.height + 5, UI_SMALL, chosen ? UI_STRONG : UI_PLAIN, 1, 0, text);
}

static void draw_tiles(pd_browser *browser, ui *gui) {
    browser->first = browser->gallery.count;
    browser->last = -1;
    for (int i = 0; i < browser->gallery.count; i++) {
        pd_plate place = place_of(browser, i);
        if (place.y + place.height + LABEL < browser->top || place.y - RIM > browser->bottom) continue;
        if (browser->last < 0) browser->first = i;
        browser->last = i;
        draw_tile(browser, gui, i);
    }
}

static void draw_heading(const pd_browser *browser, ui *gui, float y, const char *text) {
    ui_draw_text(gui, browser->left, browser->top + y - browser->scroll + 8, UI_NORMAL, UI_ACCENT, 1, 0, text);
}

/* Draws notes on the user's folders below the tiles. */
static void draw_notes(const pd_browser *browser, ui *gui) {
    static const char none[] = "Scenes of this folder appear here (Ctrl+Shift+S saves one)";
    const pd_gallery *gallery = &browser->gallery;
    int own = gallery->count - gallery->bundled_count;
    float line = ui_line_height(gui, UI_SMALL), room = browser->width - 2 * browser->left;
    float y = browser->top - browser->scroll + own_top(browser) + (own > 0 ? section_height(browser, own) : HEADING);
    char text[FITTED];
    for (int i = 0; i < gallery->note_count; i++, y += 2 * line + 6)
        ui_draw_text(gui, browser->left, y, UI_SMALL, UI_WARNING, 0.9f, room,
                     fit_text(gui, UI_SMALL, gallery->notes[i], room, room, 2 * line, text));
    if (own == 0 && gallery->note_count == 0)
        ui_draw_text(gui, browser->left, y, UI_SMALL, UI_QUIET, 1, room,
                     fit_text(gui, UI_SMALL, none, room, room, 2 * line, text));
}

/* Draws title, keys and progress of the pictures. In a narrow window the progress replaces the keys. */
static void draw_head(const pd_browser *browser, ui *gui) {
    const char *hint = "arrows, Enter, Esc";
    char text[64];
    float width = ui_text_width(gui, UI_SMALL, hint), line = ui_line_height(gui, UI_SMALL);
    float title = ui_text_width(gui, UI_LARGE, "Scenes"), told = 0, arm = 5.5f,
          x = browser->width - browser->left - 0.5f * CLOSE, y = 0.5f * HEAD;
    int done = pd_gallery_finished_count(&browser->gallery), count = browser->gallery.count;
    ui_add_target(gui, "Close", x - 0.5f * CLOSE, 0, CLOSE, HEAD);
    ui_draw_box(gui, 0, 0, browser->width, HEAD, 0, THEME_NIGHT, 1);
    ui_draw_text(gui, browser->left, y - 0.5f * ui_line_height(gui, UI_LARGE), UI_LARGE, UI_STRONG, 1, 0, "Scenes");
    float room = x - 0.5f * CLOSE - 8 - (browser->left + title + SPACE);
    if (done < count) {
        snprintf(text, sizeof text, "drawing pictures: %d of %d", done, count);
        if (ui_text_width(gui, UI_SMALL, text) > room) snprintf(text, sizeof text, "%d/%d", done, count);
        told = ui_text_width(gui, UI_SMALL, text);
        if (told <= room)
            ui_draw_text(gui, browser->left + title + SPACE, y - 0.5f * line, UI_SMALL, UI_ACCENT, 1, 0, text);
    }
    if (told == 0 ? width <= room : told + SPACE + width <= room)
        ui_draw_text(gui, x - 0.5f * CLOSE - 8 - width, y - 0.5f * line, UI_SMALL, UI_QUIET, 1, 0, hint);
    ui_draw_line(gui, x - arm, y - arm, x + arm, y + arm, 1.6f, THEME_QUIET, 1);
    ui_draw_line(gui, x - arm, y + arm, x + arm, y - arm, 1.6f, THEME_QUIET, 1);
}

/* Draws the description of the highlighted scene, in at most two lines. */
static void draw_foot(const pd_browser *browser, ui *gui) {
    float tall, room = browser->width - 2 * browser->left, height = browser->height - browser->bottom;
    char text[FITTED];
    ui_draw_box(gui, 0, browser->bottom, browser->width, height, 0, THEME_NIGHT, 1);
    if (browser->chosen < 0) return;
    const pd_gallery_scene *scene = &browser->gallery.scenes[browser->chosen];
    bool broken = scene->state == PD_GALLERY_BROKEN;
    fit_text(gui, UI_SMALL, broken ? scene->error : scene->about, room, room, 2 * ui_line_height(gui, UI_SMALL), text);
    ui_measure(gui, UI_SMALL, text, room, NULL, &tall);
    ui_draw_text(gui, browser->left, browser->bottom + 0.5f * (height - tall), UI_SMALL, broken ? UI_WARNING : UI_PLAIN,
                 1, room, text);
}

static void draw_bar(const pd_browser *browser, ui *gui) {
    float seen = browser->bottom - browser->top;
    if (browser->content_height <= seen) return;
    float height = fmaxf(seen * seen / browser->content_height, 24);
    float y = browser->top + (seen - height) * browser->scroll / (browser->content_height - seen);
    ui_draw_box(gui, browser->width - 7, y, 3, height, 1.5f, THEME_FIELD, 0.5f);
}

static void draw(pd_screen *screen) {
    pd_browser *browser = &screen->viewport->browser;
    ui *gui = screen->gui;
    if (!browser->open) return;
    arrange_tiles(browser, gui);
    set_scroll(browser, browser->scroll);
    if (browser->scrolls_to_chosen) scroll_to_chosen(browser);
    ui_set_layer(gui, UI_ABOVE);
    ui_darken(gui, 1);
    if (browser->gallery.bundled_count > 0) draw_heading(browser, gui, 0, "Bundled");
    draw_heading(browser, gui, own_top(browser), "Your own");
    draw_tiles(browser, gui);
    draw_notes(browser, gui);
    draw_bar(browser, gui);
    draw_head(browser, gui);
    draw_foot(browser, gui);
}

const pd_layer pd_browser_layer = {.modal = true,
                                   .hides = true,
                                   .is_open = is_open,
                                   .close = close_browser,
                                   .handle_press = handle_press,
                                   .handle_key = handle_key,
                                   .handle_wheel = handle_wheel,
                                   .pointer_moved = pointer_moved,
                                   .draw = draw};
