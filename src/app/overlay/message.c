/* The message at the top of the window, and hints: the four first things to do, one after the other, and what to do while the
 * picture shows no motion. */
#include "app/io/settings.h"
#include "app/overlay/interface.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float EDGE = 22;                     /* units: distance from the window's border to the text */
static const float MESSAGE_X = 18, MESSAGE_Y = 9; /* units: margins of text in its background */
static const float GAP = 18;                      /* units: distance from other text to the message below */
static const float LARGE_ROOM = 400;              /* units: width of the picture below which messages are small */
static const float LEAST_ROOM = 240;              /* units: width of the picture below which messages cover the panel */
static const float WIDEST = 680;                  /* units: greatest width of a line */

/* Returns whether a layer covers the panel. */
static bool is_covered(const pd_viewport *viewport) {
    return viewport->browser.open || viewport->dialog.kind || viewport->help;
}

/* Returns the width in which the message is centred. */
static float width_for_message(const pd_screen *screen) {
    float wide = screen->layout.width, room = wide - screen->layout.panel;
    return room < LEAST_ROOM || is_covered(screen->viewport) ? wide : room;
}

/* Returns the size of letters. Errors are long, and two panes and narrow pictures have little room. */
static ui_size size_of(const pd_screen *screen) {
    const pd_viewport *viewport = screen->viewport;
    float room = width_for_message(screen);
    if (room < LEAST_ROOM) return UI_SMALL;
    return viewport->announcer.is_error || screen->layout.panes > 1 || room < LARGE_ROOM ? UI_NORMAL : UI_LARGE;
}

static void measure_text(const pd_screen *screen, const char *text, float *wrap, float *width, float *height) {
    *wrap = fminf(width_for_message(screen) - 2 * EDGE - 2 * MESSAGE_X, WIDEST);
    ui_measure_text(screen->gui, size_of(screen), text, *wrap, width, height);
}

/* Returns the top of a centred text at x, below other text in its way. Negative: no room. */
static float find_top(const pd_screen *screen, float x, float width, float height) {
    const pd_viewport *viewport = screen->viewport;
    float y = screen->layout.bar + EDGE + 8, tall = screen->layout.height, lowest = tall - height - MESSAGE_Y;
    if (viewport->browser.open) return viewport->browser.head + EDGE; /* below the browser's head */
    if (viewport->dialog.kind || viewport->help) { /* a dialog dims the other text over the picture */
        const pd_plate *dialog = viewport->help ? &viewport->help_sheet.plate : &viewport->dialog.plate;
        if (y + height + MESSAGE_Y < dialog->y) return y;
        y = dialog->y + dialog->height + GAP;
        return y < lowest ? y : -1;
    }
    for (int i = 0; i < screen->layout.plate_count; i++) {
        const pd_plate *plate = &screen->layout.plates[i];
        bool upper = plate->y < 0.5f * tall;
        bool room_below = plate->y + plate->height + height + 2 * GAP < tall; /* no room below the tool bar */
        if (upper && room_below && plate->x < x + width + 26 && x - 26 < plate->x + plate->width)
            y = fmaxf(y, plate->y + plate->height + GAP);
    }
    return fmaxf(fminf(y, lowest), MESSAGE_Y);
}

bool pd_message_place(const pd_screen *screen, pd_plate *plate) {
    float wrap, width, height;
    measure_text(screen, screen->viewport->announcer.text, &wrap, &width, &height);
    float x = 0.5f * (width_for_message(screen) - width), y = find_top(screen, x, width, height);
    *plate = (pd_plate){x - MESSAGE_X, y - MESSAGE_Y, width + 2 * MESSAGE_X, height + 2 * MESSAGE_Y};
    return y >= 0;
}

static void draw(pd_screen *screen) {
    const pd_viewport *viewport = screen->viewport;
    const pd_announcer *announcer = &viewport->announcer;
    double left = announcer->until - viewport->now, age = viewport->now - announcer->since;
    float wrap, opacity = (float)fmin(1, fmin(left / 0.35, 0.4 + age / 0.1));
    pd_plate plate;
    if (left <= 0 || !pd_message_place(screen, &plate)) return;
    measure_text(screen, announcer->text, &wrap, NULL, NULL);
    ui_set_layer(screen->gui, UI_ABOVE);
    ui_draw_plate(screen->gui, plate.x, plate.y, plate.width, plate.height,
                  is_covered(viewport) ? THEME_DENSE * opacity : opacity);
    ui_draw_text(screen->gui, plate.x + MESSAGE_X, plate.y + MESSAGE_Y, size_of(screen),
                 announcer->is_error ? UI_WARNING : UI_STRONG, opacity, wrap, announcer->text);
}

/* Frames are needed until one has removed the message. */
static bool is_fading(const pd_screen *screen) {
    return screen->viewport->now < screen->viewport->announcer.until + 0.1;
}

const pd_layer pd_message_layer = {.draw = draw, .is_fading = is_fading};

/* ---- Hints ---- */

static const float HINT_X = 16, HINT_Y = 7; /* units: margins of text in its background */
static const double DELAY = 3, FADE = 0.5;  /* s: before the next hint appears, and duration of its appearing */
static const double LONGEST = 30;           /* s: a first step counts as done after this time */
static const float FAINT = 0.01f;           /* amount of dye below which it is invisible */
static const double REST = 1e-3;            /* speed / pd_view.speed_scale, below which fluid rests */
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
        *plate = (pd_plate){.width = width + 2 * HINT_X, .height = height + 2 * HINT_Y};
        plate->x = k & 1 ? right - plate->width : left;
        plate->y = k & 2 ? top : foot - plate->height;
        bool inside = plate->x >= left && plate->x + plate->width <= right && plate->y >= top;
        if (inside && pd_plate_is_free(&screen->layout, plate) && !pd_plate_covers_container(screen, plate))
            return true;
    }
    return false;
}

static bool is_hint_fading(const pd_screen *screen) {
    double shown = seconds_shown(screen->viewport);
    return next_step(screen) && (shown < FADE + 0.1 || shown > LONGEST);
}

/* Draws a hint: about a picture without motion, for the tool Hand, or else the next of the first steps. */
static void draw_hint(pd_screen *screen) {
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
    ui_draw_text(screen->gui, plate.x + HINT_X, plate.y + HINT_Y, UI_NORMAL, UI_PLAIN, 0.95f * opacity,
                 plate.width - 2 * HINT_X + 1, text);
}

const pd_layer pd_hint_layer = {.draw = draw_hint, .is_fading = is_hint_fading};
