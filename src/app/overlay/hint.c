/* Hints: the four first things to do, one after the other, and what to do while the picture shows no motion. */
#include "app/overlay/interface.h"

#include "app/io/settings.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float INSET_X = 16, INSET_Y = 7; /* units: margins of text in its background */
static const double DELAY = 3, FADE = 0.5;    /* s: before the next hint appears, and duration of its appearing */
static const double LONGEST = 30;             /* s: a first step counts as done after this time */
static const float FAINT = 0.01f;             /* amount of dye below which it is invisible */
static const double REST = 1e-3;              /* speed / pd_view.speed_scale, below which fluid rests */
static const char *const steps[PD_HINTS] = {"Drag the fluid", "Pick a tool at the left, and use it", "Ctrl+O: scenes",
                                            "Number keys: other methods for the same fluid"};
static const char tool_by_key[] = "F5, then drag: pour"; /* in place of the second step while the tool bar is hidden */
static const char still[] = "Drag to stir\nD, then drag: paint";
static const char unseen[] = "D, then drag: paint\nV: see the speed";
static const char vacant[] = "Empty\nF5, then drag: pour";

static bool has_dye(const pd_view *view) {
    const pd_field *smoke = pd_view_field(view, "smoke");
    if (!smoke || !smoke->values) return true;
    for (int k = 0; k < smoke->layers * smoke->nx * smoke->ny; k++)
        if (smoke->values[k] > FAINT) return true;
    return false;
}

const char *pd_hint_find(const pd_viewport *viewport, const pd_session *session) {
    const pd_view *view = &viewport->view;
    const pd_scene *scene = pd_world_scene(session->world);
    bool moves = pd_view_number(view, "max_speed") > REST * (double)view->speed_scale;
    bool paints = pd_world_method(session->world)->paints, dry = view->count == 0 && scene->emitter_count == 0;
    bool bare = !paints && dry && scene->obstacle_count == 0 && scene->drain_count == 0;
    bool empty = paints && dry && !has_dye(view);
    if (bare) return vacant;
    if (!empty) return NULL;
    if (!moves) return still;
    return viewport->mode->kind == PD_VIEW_IMAGE || pd_viewport_lines(viewport) != PD_LINES_NONE ? NULL : unseen;
}

/* ---- The first steps ---- */

void pd_hints_read_done(pd_viewport *viewport) {
    char done[16];
    if (!pd_settings_read(PD_SETTING_HINTS, done, sizeof done)) return;
    for (int i = 0; i < PD_HINTS; i++) viewport->hints.done[i] = strchr(done, '1' + i) != NULL;
}

void pd_hint_finish(pd_viewport *viewport, pd_hint hint) {
    pd_hints *hints = &viewport->hints;
    char done[PD_HINTS + 1] = "";
    if (!hints->enabled || hints->done[hint]) return;
    hints->done[hint] = true;
    hints->since = viewport->now;
    for (int i = 0, count = 0; i < PD_HINTS; i++)
        if (hints->done[i]) done[count++] = (char)('1' + i);
    pd_settings_save(PD_SETTING_HINTS, done, NULL); /* a failure only shows the hints again */
}

/* Returns the text of the first step that is not done. NULL: all are done, or no steps are to be shown. */
static const char *next_step(const pd_screen *screen) {
    const pd_viewport *viewport = screen->viewport;
    for (int i = 0; i < PD_HINTS && viewport->hints.enabled; i++) {
        if (viewport->hints.done[i]) continue;
        return i == PD_HINT_TOOL && screen->layout.left == 0 ? tool_by_key : steps[i];
    }
    return NULL;
}

/* Returns the seconds for which the step has been shown. Negative: it appears later. */
static double seconds_shown(const pd_viewport *viewport) { return viewport->now - viewport->hints.since - DELAY; }

/* Finds a place for a text in a corner beside the container, in one or several lines. False: none is free. */
static bool find_place_beside(const pd_screen *screen, const char *text, pd_plate *plate) {
    static const float wraps[] = {1000, 170, 120};
    float left = screen->layout.left + THEME_EDGE, top = screen->layout.bar + THEME_EDGE;
    float right = screen->layout.pane[0].right - THEME_EDGE;
    float foot = screen->layout.height - screen->layout.strip - THEME_EDGE;
    for (int k = 0; k < 12; k++) {
        float width, height;
        ui_measure_text(screen->gui, UI_NORMAL, text, wraps[k / 4], &width, &height);
        *plate = (pd_plate){.width = width + 2 * INSET_X, .height = height + 2 * INSET_Y};
        plate->x = k & 1 ? right - plate->width : left;
        plate->y = k & 2 ? top : foot - plate->height;
        bool inside = plate->x >= left && plate->x + plate->width <= right && plate->y >= top;
        if (inside && pd_plate_is_free(&screen->layout, plate) && !pd_plate_covers_container(screen, plate))
            return true;
    }
    return false;
}

static bool is_fading(const pd_screen *screen) {
    double shown = seconds_shown(screen->viewport);
    return next_step(screen) && (shown < FADE + 0.1 || shown > LONGEST);
}

/* Draws a hint: about a picture without motion, for the tool Hand, or else the next of the first steps. */
static void draw(pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    pd_hints *hints = &viewport->hints;
    if (next_step(screen) && seconds_shown(viewport) > LONGEST) {
        int step = 0;
        while (hints->done[step]) step++;
        pd_hint_finish(viewport, (pd_hint)step);
    }
    bool still_picture = viewport->hud.hint && screen->session->tool == PD_BAR_HAND;
    const char *text = still_picture ? viewport->hud.hint : next_step(screen);
    hints->in_strip = false;
    if (viewport->opening.open) hints->since = viewport->now;
    double shown = still_picture ? FADE : seconds_shown(viewport);
    if (!text || viewport->help || shown <= 0) return;
    pd_plate plate;
    bool placed = find_place_beside(screen, text, &plate);
    int first = (int)strcspn(text, "\n");
    snprintf(hints->line, sizeof hints->line, "%.*s%s%s", first, text, text[first] ? "; " : "",
             text[first] ? text + first + 1 : "");
    hints->in_strip = !placed;
    if (text != hints->shown) pd_announce_hint(&viewport->announcer, hints->line);
    hints->shown = text;
    if (!placed) return;
    float opacity = (float)fmin(1, shown / FADE);
    pd_plate_draw(screen, &plate, THEME_OPACITY * opacity);
    ui_add_target(screen->gui, hints->line, plate.x, plate.y, plate.width, plate.height);
    ui_draw_text(screen->gui, plate.x + INSET_X, plate.y + INSET_Y, UI_NORMAL, UI_PLAIN, 0.95f * opacity,
                 plate.width - 2 * INSET_X + 1, text);
}

const pd_layer pd_hint_layer = {.draw = draw, .is_fading = is_fading};
