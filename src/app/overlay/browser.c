/* The browser (Ctrl+O): pictures of all scenes in groups, with a search field. A click or Enter opens a scene. */
#include "app/overlay/interface.h"

#include "core/file.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float EDGE = 24, SMALL_EDGE = 16;    /* units: margins of a window, and of one narrower than SMALL_ROOM */
static const float SMALL_ROOM = 600, LOW = 480;   /* units: width and height below which the window is small */
static const float NARROW_ROOM = 640;             /* units: room below which the buttons of the groups are narrow */
static const float LEAST_TILE = 200, GAP = 20;    /* units: least width of a tile, and between tiles */
static const float PROPORTION = 0.625f;           /* height / width of a picture */
static const float ROW_GAP = 14, HEADING_GAP = 8; /* units: between rows, and above a heading */
static const float FIELD = 24, SEARCH = 380;      /* units: height of buttons, greatest width of the search field */
static const float SCROLL_BAR = 14;               /* units: room for the scroll bar */
static const float SPACE = 16, SPACING = 4;       /* units: between texts, between lines */
static const char MATCHING_NAMES[] = "Names with these words";

static bool is_open(const pd_screen *screen) { return screen->viewport->browser.open; }

void pd_browser_open(pd_browser *browser, const pd_session *session) {
    pd_gallery earlier = browser->gallery;
    *browser = (pd_browser){.open = true, .scrolls_to_chosen = true};
    pd_gallery_list(&browser->gallery, session->path);
    pd_gallery_copy_descriptions(&browser->gallery, &earlier);
    pd_gallery_free(&earlier);
    for (int i = 0; i < browser->gallery.count && *session->path; i++)
        if (pd_file_is_same(browser->gallery.scenes[i].path, session->path)) browser->chosen = i;
}

/* Clears the search. Without a search, closes the browser. */
static void close_browser(pd_screen *screen) {
    pd_browser *browser = &screen->viewport->browser;
    browser->open = *browser->search;
    *browser->search = '\0';
    browser->scrolls_to_chosen = true;
}

/* Opens a scene. Success closes the browser (pd_viewport_handle_event). After an error the browser stays open. */
static void open_scene(pd_screen *screen, int scene) {
    char path[PD_MAX_PATH];
    snprintf(path, sizeof path, "%s", screen->viewport->browser.gallery.scenes[scene].path);
    pd_session_open_file(screen->session, path);
}

/* ---- Keys ---- */

/* Returns the number of a scene's place, row by row. */
static int place_of(const pd_browser *browser, const pd_gallery_scene *scene) {
    return scene->row * browser->columns + scene->column;
}

/* Highlights the scene whose tile is nearest to a number of rows farther down. */
static void move_highlight_by_rows(pd_browser *browser, int rows) {
    const pd_gallery_scene *scenes = browser->gallery.scenes, *from = &scenes[browser->chosen];
    int least = INT32_MAX;
    for (int i = 0; i < browser->gallery.count; i++) {
        const pd_gallery_scene *to = &scenes[i];
        if (to->row < 0 || (to->row - from->row) * rows <= 0) continue;
        int distance = abs(to->row - from->row - rows) * browser->columns + abs(to->column - from->column);
        if (distance >= least) continue;
        least = distance;
        browser->chosen = i;
    }
}

/* Highlights the shown scene whose tile is nearest after the place `from` in a direction, -1 or 1. */
static void move_highlight_along(pd_browser *browser, int from, int direction) {
    int nearest = INT32_MAX;
    for (int i = 0; i < browser->gallery.count; i++) {
        const pd_gallery_scene *scene = &browser->gallery.scenes[i];
        int distance = (place_of(browser, scene) - from) * direction;
        if (scene->row < 0 || distance <= 0 || distance >= nearest) continue;
        nearest = distance;
        browser->chosen = i;
    }
}

static void move_choice(pd_browser *browser, int code) {
    int place = place_of(browser, &browser->gallery.scenes[browser->chosen]);
    if (code == PD_KEY_LEFT) move_highlight_along(browser, place, -1);
    if (code == PD_KEY_RIGHT) move_highlight_along(browser, place, 1);
    if (code == PD_KEY_UP) move_highlight_by_rows(browser, -1);
    if (code == PD_KEY_DOWN) move_highlight_by_rows(browser, 1);
    if (code == PD_KEY_PAGE_UP) move_highlight_by_rows(browser, -browser->page);
    if (code == PD_KEY_PAGE_DOWN) move_highlight_by_rows(browser, browser->page);
    if (code == PD_KEY_HOME) move_highlight_along(browser, -1, 1);
    if (code == PD_KEY_END) move_highlight_along(browser, INT32_MAX, -1);
    browser->scrolls_to_chosen = true;
}

/* Handles a key. Ctrl+O also closes the browser. */
static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    pd_browser *browser = &screen->viewport->browser;
    if (!browser->open) return false;
    if (code == 'o' && modifiers == PD_CONTROL && !repeats) browser->open = false;
    ui_request_frame(screen->gui); /* the browser may scroll, and a press that follows is for its new content */
    if (browser->chosen < 0) return true;
    if (code == PD_KEY_ENTER)
        open_scene(screen, browser->chosen);
    else
        move_choice(browser, code);
    return true;
}

/* ---- Drawing ---- */

/* Returns the heading under which a scene is shown: of its group, or of the matching names. NULL: the scene is not shown. */
static const char *heading_of(const pd_browser *browser, const pd_gallery_scene *scene) {
    if (!pd_gallery_has_tile(scene)) return NULL;
    if (!pd_gallery_scene_matches_search(scene, browser->search, false)) return NULL;
    bool named = *browser->search && pd_gallery_scene_matches_search(scene, browser->search, true);
    return named ? MATCHING_NAMES : scene->group;
}

/* Gives each scene that matches the search a row and a column. Scenes with a matching name come first. Each heading begins a
 * row. */
static void arrange_tiles(pd_browser *browser) {
    const char *last = NULL;
    int row = -1, column = 0, first = -1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < browser->gallery.count; i++) {
            pd_gallery_scene *scene = &browser->gallery.scenes[i];
            const char *heading = heading_of(browser, scene);
            if (pass == 0) scene->row = -1;
            if (!heading || (heading == MATCHING_NAMES) != (pass == 0)) continue;
            bool begins = !last || strcmp(heading, last) != 0 || ++column == browser->columns;
            if (begins) column = 0, row++;
            if (first < 0) first = i;
            last = heading;
            scene->row = row;
            scene->column = column;
        }
    bool stays = browser->chosen >= 0 && browser->chosen < browser->gallery.count &&
                 browser->gallery.scenes[browser->chosen].row >= 0;
    if (!stays) browser->chosen = first;
}

static void draw_tile(pd_screen *screen, int index, float width) {
    pd_browser *browser = &screen->viewport->browser;
    const pd_gallery_scene *scene = &browser->gallery.scenes[index];
    ui_tile tile = {.name = scene->path,
                    .title = scene->title,
                    .badge = scene->method ? scene->method->name : NULL,
                    .texture = scene->texture,
                    .width = width,
                    .height = floorf(PROPORTION * width),
                    .scrolls = browser->scrolls_to_chosen && index == browser->chosen,
                    .chosen = index == browser->chosen};
    if (ui_draw_tile(screen->gui, &tile)) open_scene(screen, index);
    if (tile.chosen) browser->chosen = index;
    if (!tile.visible) return;
    if (index < browser->first) browser->first = index;
    if (index > browser->last) browser->last = index;
}

static void draw_heading(pd_browser *browser, ui *gui, const char *group) {
    ui_add_space(gui, HEADING_GAP);
    ui_draw_wrapped_text(gui, UI_NORMAL, UI_ACCENT, group);
    if (browser->top_group && strcmp(browser->top_group, group) == 0) ui_scroll_to_last_row(gui);
    ui_add_space(gui, SPACING);
}

/* Draws lines on files of the user's folders that have no tile. */
static void draw_notes(const pd_gallery *gallery, ui *gui) {
    char text[2 * PD_GALLERY_NOTE];
    for (int i = 0; i < gallery->note_count; i++) ui_draw_wrapped_text(gui, UI_SMALL, UI_WARNING, gallery->notes[i]);
    for (int i = 0; i < gallery->own;) {
        i = pd_gallery_describe_broken_files(gallery, i, text, sizeof text);
        if (*text) ui_draw_wrapped_text(gui, UI_SMALL, UI_WARNING, text);
    }
}

/* Draws the tile of a scene, below its heading if the heading differs from *last. */
static void draw_scene(pd_screen *screen, int index, float width, const char **last) {
    pd_browser *browser = &screen->viewport->browser;
    const pd_gallery_scene *scene = &browser->gallery.scenes[index];
    const char *heading = heading_of(browser, scene);
    if (strcmp(heading, *last) != 0)
        draw_heading(browser, screen->gui, heading);
    else if (scene->column == 0 && scene->row > 0)
        ui_add_space(screen->gui, ROW_GAP - 2 * SPACING);
    if (scene->column > 0) ui_same_line(screen->gui, GAP);
    draw_tile(screen, index, width);
    *last = heading;
}

static void draw_scenes(pd_screen *screen, float width) {
    pd_browser *browser = &screen->viewport->browser;
    const pd_gallery *gallery = &browser->gallery;
    bool searches = *browser->search, own = gallery->own > 0 || gallery->note_count > 0;
    const char *last = searches || !own ? "" : "Your own";
    browser->first = gallery->count;
    browser->last = -1;
    if (*last) draw_heading(browser, screen->gui, last);
    for (int pass = searches ? 0 : 1; pass < 2; pass++)
        for (int i = 0; i <= gallery->count; i++) {
            if (i == gallery->own && !searches) draw_notes(gallery, screen->gui);
            if (i == gallery->count || gallery->scenes[i].row < 0) continue;
            bool named = heading_of(browser, &gallery->scenes[i]) == MATCHING_NAMES;
            if (named == (pass == 0)) draw_scene(screen, i, width, &last);
        }
    /* the user's own scenes appear above the others when they were read */
    bool unread = false;
    for (int i = 0; i < gallery->own; i++)
        unread |= !gallery->scenes[i].described && gallery->scenes[i].state != PD_GALLERY_BROKEN;
    browser->scrolls_to_chosen &= unread;
    browser->top_group = NULL;
    if (browser->chosen < 0 && searches)
        ui_draw_wrapped_text(screen->gui, UI_NORMAL, UI_QUIET,
                             pd_gallery_finished_count(gallery) < gallery->count
                                 ? "Reading the scenes ..."
                                 : "No scene matches. Esc clears the search.");
    if (!own && !searches)
        ui_draw_wrapped_text(screen->gui, UI_SMALL, UI_QUIET,
                             "Scenes that you save (Ctrl+Shift+S) appear here as the first group.");
}

/* Draws a button for each group that has room. A press shows the group. */
static void draw_groups(pd_browser *browser, ui *gui, float room) {
    const pd_gallery_scene *scenes = browser->gallery.scenes;
    bool first = true, narrow = room < NARROW_ROOM, searches = *browser->search;
    const char *group = "", *chosen = browser->chosen < 0 ? "" : scenes[browser->chosen].group;
    ui_add_space(gui, 0);
    for (int i = 0; i < browser->gallery.count; i++) {
        if (searches || scenes[i].row < 0 || strcmp(scenes[i].group, group) == 0) continue;
        group = scenes[i].group;
        ui_push push = {.name = group, .text = group, .height = FIELD, .chosen = strcmp(group, chosen) == 0};
        push.width = ui_text_width(gui, UI_NORMAL, group) + (narrow ? 8 : 20);
        room -= push.width + SPACING;
        if (room < 0) return;
        if (!first) ui_same_line(gui, SPACING);
        first = false;
        if (!ui_draw_push_button(gui, &push)) continue;
        browser->top_group = group;
        browser->chosen = i;
    }
}

/* Draws title, search field, progress of the pictures and the button that closes the browser. */
static void draw_head(pd_screen *screen, float room) {
    pd_browser *browser = &screen->viewport->browser;
    ui *gui = screen->gui;
    char text[64] = "";
    int done = pd_gallery_finished_count(&browser->gallery), count = browser->gallery.count;
    ui_push close = {.name = "Close", .help = "Closes the scenes (Esc)", .text = "×", .width = FIELD, .height = FIELD};
    float left = room - ui_text_width(gui, UI_LARGE, "Scenes") - SPACE - FIELD, search = fminf(left - SPACE, SEARCH);
    if (done < count) snprintf(text, sizeof text, "drawing pictures: %d of %d", done, count);
    float told = ui_text_width(gui, UI_SMALL, text);
    left -= search;
    ui_draw_wrapped_text(gui, UI_LARGE, UI_STRONG, "Scenes");
    ui_same_line(gui, SPACE);
    ui_set_next_widget_width(gui, search);
    if (ui_edit_text(gui, "Search", "Type to search", UI_FOCUS_SEARCH, browser->search, sizeof browser->search) ==
        UI_MOVED) {
        browser->chosen = -1;
        arrange_tiles(browser); /* highlights the first match, which Enter may open before the next frame */
        browser->scrolls_to_chosen = true;
    }
    if (*text && told + 2 * SPACE < left) {
        ui_same_line(gui, SPACE);
        ui_draw_wrapped_text(gui, UI_SMALL, UI_QUIET, text);
        left -= told + SPACE;
    }
    ui_same_line(gui, left);
    if (ui_draw_push_button(gui, &close)) browser->open = false;
}

/* Draws title, file name, method, first paragraph and first advice about the highlighted scene. */
static void draw_foot(const pd_browser *browser, ui *gui, float x, float y, float room) {
    char text[PD_GALLERY_TITLE + 64], about[PD_GALLERY_ABOUT];
    if (browser->chosen < 0) return;
    const pd_gallery_scene *scene = &browser->gallery.scenes[browser->chosen];
    bool method = scene->method && room > SMALL_ROOM;
    snprintf(text, sizeof text, "%s%s%s", pd_gallery_file_name(scene), method ? "  ·  " : "",
             method ? scene->method->title : "");
    ui_set_layer(gui, UI_INSIDE);
    ui_draw_line(gui, x, y, x + room, y, 1, THEME_TRACK, 0.6f);
    ui_add_space(gui, SPACING);
    ui_draw_wrapped_text(gui, UI_NORMAL, UI_STRONG, scene->title);
    ui_same_line(gui, SPACE);
    ui_draw_wrapped_text(gui, UI_SMALL, UI_QUIET, text);
    snprintf(about, sizeof about, "%.*s", (int)strcspn(scene->about, "\n"), scene->about);
    ui_draw_wrapped_text(gui, UI_SMALL, UI_PLAIN, about);
    const char *advice = strstr(scene->about, "\nTry: "); /* "Try: scatter the bubbles with the left button" */
    if (room <= SMALL_ROOM || !advice) return;
    snprintf(about, sizeof about, "%.*s", (int)strcspn(advice + 1, ";.\n"), advice + 1);
    ui_draw_wrapped_text(gui, UI_SMALL, UI_QUIET, about);
}

static void draw(pd_screen *screen) {
    pd_browser *browser = &screen->viewport->browser;
    ui *gui = screen->gui;
    float width = ui_width(gui), height = ui_height(gui), line = ui_line_height(gui, UI_SMALL);
    if (!browser->open) return;
    bool low = height < LOW, narrow = width < SMALL_ROOM;
    float edge = narrow ? SMALL_EDGE : EDGE, room = width - 2 * edge;
    float foot = ui_line_height(gui, UI_NORMAL) + (low ? 2 : 3) * line + 4 * SPACING;
    browser->columns = (int)fmaxf(floorf((room + GAP) / (LEAST_TILE + GAP)), 1);
    float tile = floorf((room - SCROLL_BAR + GAP) / (float)browser->columns - GAP);
    arrange_tiles(browser);
    ui_window_begin(gui, "browser", 0, 0, width, height, edge, 1);
    draw_head(screen, room);
    if (!low) draw_groups(browser, gui, room);
    browser->head = edge + (low ? 1 : 2) * (FIELD + 2 * SPACING);
    float seen = height - browser->head - foot - edge;
    browser->page = (int)fmaxf(floorf(seen / (PROPORTION * tile + UI_TILE_LABEL + ROW_GAP)), 1);
    ui_scroll_begin(gui, "scenes", -foot);
    draw_scenes(screen, tile);
    ui_scroll_end(gui);
    draw_foot(browser, gui, edge, height - edge - foot + SPACING, room);
    ui_window_end(gui);
}

const pd_layer pd_browser_layer = {
    .modal = true, .hides = true, .is_open = is_open, .close = close_browser, .handle_key = handle_key, .draw = draw};
