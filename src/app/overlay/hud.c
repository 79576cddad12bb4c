/* Text over the picture: numbers at the upper left, messages at the top. In a small window the numbers are fewer, to leave
 * the fluid more room. */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdio.h>

static const float EDGE = 22;                            /* units from the border of the window to the text */
static const float INSET_X = 12, INSET_Y = 8;            /* of text in its plate */
static const float PLATE = 1.1f;                         /* opacity: the container's outline may lie behind it */
static const float LINE_GAP = 3, PLATE_GAP = 8;          /* between two lines, between two plates */
static const double REFRESH = 0.25;                      /* s: numbers that change faster cannot be read */
static const float SMALL_ROOM = 640, SMALL_HEIGHT = 440; /* units: a smaller picture has fewer numbers */
static const float LEAST_ROOM = 240, LEAST_HEIGHT = 160; /* units: a smaller one has none, and no legend */
static const float MESSAGE_X = 18, MESSAGE_Y = 9;        /* of a message in its plate */
static const float HELP_GAP = 4;                         /* units: between the help and a message below it */
static const float LARGE_ROOM = 400;                     /* units: in a narrower picture messages are smaller */
static const float LEAST_WRAP = 110;                     /* units: narrower text would be all line breaks */

void pd_plate_take(pd_viewport *viewport, const pd_plate *plate) {
    if (viewport->hud.plate_count < PD_HUD_PLATES) viewport->hud.plates[viewport->hud.plate_count++] = *plate;
}

void pd_plate_draw(pd_viewport *viewport, ui *gui, float x, float y, float width, float height, float opacity) {
    ui_plate(gui, x, y, width, height, opacity);
    pd_plate_take(viewport, &(pd_plate){x, y, width, height});
}

bool pd_plate_contains(const pd_plate *plate, float x, float y) {
    return x >= plate->x && x < plate->x + plate->width && y >= plate->y && y < plate->y + plate->height;
}

bool pd_plate_is_free(const pd_viewport *viewport, float x, float y, float width, float height) {
    for (int i = 0; i < viewport->hud.plate_count; i++) {
        const pd_plate *plate = &viewport->hud.plates[i];
        if (plate->x < x + width && x < plate->x + plate->width && plate->y < y + height &&
            y < plate->y + plate->height)
            return false;
    }
    return true;
}

/* Units of the picture, or of the left one of two. */
static float room_of(const pd_viewport *viewport, const ui *gui) { return pd_panes_split(viewport, ui_width(gui)); }
static bool is_small(const pd_viewport *viewport, const ui *gui) {
    return room_of(viewport, gui) < SMALL_ROOM || ui_height(gui) < SMALL_HEIGHT;
}
static bool is_tiny(const pd_viewport *viewport, const ui *gui) {
    return room_of(viewport, gui) < LEAST_ROOM || ui_height(gui) < LEAST_HEIGHT;
}

static void add_line(pd_viewport *viewport, const char *value, const char *label) {
    if (viewport->hud.lines == PD_HUD_LINES) return;
    snprintf(viewport->hud.value[viewport->hud.lines], PD_HUD_TEXT, "%s", value);
    snprintf(viewport->hud.label[viewport->hud.lines], PD_HUD_TEXT, "%s", label);
    viewport->hud.lines++;
}

static void refresh(pd_viewport *viewport, const pd_session *session, const pd_recorder *recorder) {
    if (viewport->now < viewport->hud.due && viewport->hud.lines > 0) return;
    viewport->hud.due = viewport->now + REFRESH;
    viewport->hud.lines = 0;
    char text[PD_HUD_TEXT];
    snprintf(text, sizeof text, "%.0f", pd_meter_fps(&viewport->meter));
    add_line(viewport, text, "fps");
    const char *computed = pd_viewport_elements(viewport, text, sizeof text);
    int particles = pd_world_particles(session->world);
    if (computed) add_line(viewport, text, computed);
    if (!computed || particles > 0)
        add_line(viewport, pd_app_count(particles, text, sizeof text), computed ? "tracers" : "particles");
    int substeps = pd_world_substeps(session->world);
    snprintf(text, sizeof text, "%d", substeps);
    add_line(viewport, text, substeps == 1 ? "substep" : "substeps");
    snprintf(text, sizeof text, "%.2f×",
             session->paused ? 0 : pd_session_speed(session) * pd_pace_speed(&session->pace));
    add_line(viewport, text, "real time");
    pd_viewport_slowness(viewport, session, recorder->sink != NULL, viewport->hud.slowness,
                         sizeof viewport->hud.slowness);
    viewport->hud.hint = pd_hint_find(viewport, session);
}

/* Why simulated time is slow: beside the numbers, which end at `left`, and up to `right`. Above the fluid most windows
 * have more room than at its left. */
static void draw_slowness(pd_viewport *viewport, ui *gui, float left, float right) {
    float x = left + PLATE_GAP, y = EDGE - INSET_X, width, height;
    float wrap = fminf(right - PLATE_GAP - x - 2 * INSET_X, 250);
    if (!*viewport->hud.slowness || wrap < LEAST_WRAP || is_tiny(viewport, gui)) return;
    ui_measure(gui, UI_SMALL, viewport->hud.slowness, wrap, &width, &height);
    pd_plate_draw(viewport, gui, x, y, width + 2 * INSET_X, height + 2 * INSET_Y, PLATE);
    ui_text(gui, x + INSET_X, y + INSET_Y, UI_SMALL, UI_WARNING, 0.95f, wrap, viewport->hud.slowness);
}

/* "REC" and "paused" at the upper right, clear of the numbers and the legend. Returns the left end. */
static float draw_state(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_recorder *recorder) {
    float right = room_of(viewport, gui) - EDGE + INSET_X, line, width = 0, paused_width = 0;
    char text[64] = "", count[32];
    if (recorder->sink) {
        snprintf(text, sizeof text, "REC %s", pd_app_count(recorder->clock.frames, count, sizeof count));
        ui_measure(gui, UI_SMALL, text, 0, &width, NULL);
        width += 16; /* the dot */
    }
    if (session->paused) ui_measure(gui, UI_SMALL, "paused", 0, &paused_width, NULL);
    if (width + paused_width == 0) return right;
    ui_measure(gui, UI_SMALL, NULL, 0, NULL, &line);
    float gap = width > 0 && paused_width > 0 ? 16 : 0;
    float x = right - INSET_X - width - gap - paused_width, y = EDGE - INSET_X + INSET_Y;
    if (x < EDGE) return right;
    pd_plate_draw(viewport, gui, x - INSET_X, y - INSET_Y, width + gap + paused_width + 2 * INSET_X, line + 2 * INSET_Y,
                  PLATE);
    if (width > 0) {
        float pulse = session->paused ? 1 : 0.65f + 0.35f * (float)cos(4 * viewport->now);
        ui_dot(gui, x + 5, y + 0.5f * line, 4.5f, UI_ALARM, pulse);
        ui_text(gui, x + 16, y, UI_SMALL, UI_ALARM, 1, 0, text);
    }
    if (paused_width > 0) ui_text(gui, x + width + gap, y, UI_SMALL, UI_WARNING, 1, 0, "paused");
    return x - INSET_X;
}

/* In a small window the first and the last: the rates. */
static bool is_shown(const pd_viewport *viewport, const ui *gui, int line) {
    return !is_small(viewport, gui) || line == 0 || line == viewport->hud.lines - 1;
}

/* The numbers and their plate. Returns its right edge. */
static float draw_numbers(pd_viewport *viewport, const pd_session *session, ui *gui) {
    bool titled = !is_small(viewport, gui) || viewport->panes.shown;
    const char *title = pd_world_method(session->world)->title;
    if (room_of(viewport, gui) < 420) title = pd_world_method(session->world)->name;
    float line, x = EDGE - INSET_X, y = x, wide, column = 0, labels = 0, tall = 2 * INSET_Y, right;
    if (is_tiny(viewport, gui)) return x;
    ui_measure(gui, UI_SMALL, title, 0, &wide, &line);
    line += LINE_GAP;
    for (int i = 0; i < viewport->hud.lines; i++) {
        float width;
        if (!is_shown(viewport, gui, i)) continue;
        ui_measure(gui, UI_SMALL, viewport->hud.value[i], 0, &width, NULL);
        column = fmaxf(column, width);
        ui_measure(gui, UI_SMALL, viewport->hud.label[i], 0, &width, NULL);
        labels = fmaxf(labels, width);
        tall += line;
    }
    wide = fmaxf(titled ? wide : 0, column + 8 + labels) + 2 * INSET_X;
    tall += titled ? line : -LINE_GAP;
    right = x + wide;
    pd_plate_draw(viewport, gui, x, y, wide, tall, PLATE);
    x += INSET_X;
    y += INSET_Y;
    if (titled) {
        ui_text(gui, x, y, UI_SMALL, UI_QUIET, 1, 0, title);
        y += line + LINE_GAP;
    }
    for (int i = 0; i < viewport->hud.lines; i++) {
        if (!is_shown(viewport, gui, i)) continue;
        ui_text(gui, x, y, UI_SMALL, UI_PLAIN, 1, 0, viewport->hud.value[i]);
        ui_text(gui, x + column + 8, y, UI_SMALL, UI_QUIET, 0.95f, 0, viewport->hud.label[i]);
        y += line;
    }
    return right;
}

static void draw_legend(pd_viewport *viewport, ui *gui) {
    pd_legend legend;
    pd_plate place;
    if (is_tiny(viewport, gui) || !pd_picture_legend(&viewport->view, viewport->mode, &legend)) return;
    float room = room_of(viewport, gui), right = ui_width(gui) - room;
    ui_legend_place(gui, right, room, &place.x, &place.y, &place.width, &place.height);
    pd_plate_take(viewport, &place);
    ui_legend(gui, &legend, viewport->palette, right, room);
}

void pd_hud_draw(pd_viewport *viewport, const pd_session *session, ui *gui, const pd_recorder *recorder) {
    refresh(viewport, session, recorder);
    viewport->hud.plate_count = 0;
    ui_set_layer(gui, UI_BELOW);
    float state = draw_state(viewport, session, gui, recorder), numbers = draw_numbers(viewport, session, gui);
    draw_slowness(viewport, gui, numbers, state);
    draw_legend(viewport, gui);
}

/* The top of a message in the middle: below what would be in its way. Negative: there is no place for it. */
static float announcement_top(const pd_viewport *viewport, const ui *gui, float x, float width, float height) {
    float y = EDGE + 8;
    if (viewport->help) { /* which leaves room for it, unless the window is tiny */
        const pd_plate *help = &viewport->help_sheet.plate;
        float lowest = ui_height(gui) - height - MESSAGE_Y;
        return fmaxf(fminf(help->y + help->height + HELP_GAP + MESSAGE_Y, lowest), MESSAGE_Y);
    }
    if (viewport->browser.open) return viewport->browser.top + EDGE; /* under its head, which tells of pictures */
    if (viewport->new_scene.open) { /* what else lies over the picture is dimmed then */
        const pd_plate *dialog = &viewport->new_scene.plate;
        if (y + height + MESSAGE_Y < dialog->y) return y;
        y = dialog->y + dialog->height + 18;
        return y + height + MESSAGE_Y < ui_height(gui) ? y : -1;
    }
    for (int i = 0; i < viewport->hud.plate_count; i++) {
        const pd_plate *plate = &viewport->hud.plates[i];
        bool upper = plate->y < 0.5f * ui_height(gui);
        bool room_below = plate->y + plate->height + height + 36 < ui_height(gui); /* not so below the tool bar */
        if (upper && room_below && plate->x < x + width + 26 && x - 26 < plate->x + plate->width)
            y = fmaxf(y, plate->y + plate->height + 18);
    }
    return fmaxf(fminf(y, ui_height(gui) - height - MESSAGE_Y), MESSAGE_Y);
}

/* The browser, the dialog and the help cover the panel. */
static float announcement_room(const pd_viewport *viewport, const ui *gui) {
    float room = ui_width(gui) - pd_panel_cover(viewport);
    bool over = room < LEAST_ROOM || viewport->browser.open || viewport->new_scene.open || viewport->help;
    return over ? ui_width(gui) : room;
}

/* Errors and what two panes show are longer or in a smaller place; the help leaves no more room. */
static ui_size announcement_size(const pd_viewport *viewport, const ui *gui) {
    float room = announcement_room(viewport, gui);
    if (room < LEAST_ROOM) return UI_SMALL;
    bool long_or_low = viewport->announcer.alarm || viewport->panes.shown || viewport->help;
    return long_or_low || room < LARGE_ROOM ? UI_NORMAL : UI_LARGE;
}

static float announcement_wrap(float room) { return fminf(room - 2 * EDGE - 2 * MESSAGE_X, 680); }

static bool is_announced(const pd_viewport *viewport) { return viewport->announcer.until > viewport->now; }

float pd_announcement_height(const pd_viewport *viewport, const ui *gui) {
    const char *text = is_announced(viewport) ? viewport->announcer.text : NULL;
    float height;
    ui_measure(gui, announcement_size(viewport, gui), text, announcement_wrap(announcement_room(viewport, gui)), NULL,
               &height);
    return height + 2 * MESSAGE_Y;
}

bool pd_announcement_place(const pd_viewport *viewport, const ui *gui, pd_plate *plate) {
    float room = announcement_room(viewport, gui), width, height;
    ui_measure(gui, announcement_size(viewport, gui), viewport->announcer.text, announcement_wrap(room), &width,
               &height);
    float x = 0.5f * (room - width), y = announcement_top(viewport, gui, x, width, height);
    *plate = (pd_plate){x - MESSAGE_X, y - MESSAGE_Y, width + 2 * MESSAGE_X, height + 2 * MESSAGE_Y};
    return y >= 0;
}

void pd_announcement_draw(const pd_viewport *viewport, ui *gui) {
    const pd_announcer *announcer = &viewport->announcer;
    double left = announcer->until - viewport->now, age = viewport->now - announcer->since;
    pd_plate plate;
    if (left <= 0 || !pd_announcement_place(viewport, gui, &plate)) return;
    float opacity = (float)fmin(1, fmin(left / 0.35, 0.4 + age / 0.1)), room = announcement_room(viewport, gui);
    bool dense = viewport->browser.open || viewport->new_scene.open || viewport->help;
    ui_set_layer(gui, UI_ABOVE);
    ui_plate(gui, plate.x, plate.y, plate.width, plate.height, dense ? 1.15f * opacity : opacity);
    ui_text(gui, plate.x + MESSAGE_X, plate.y + MESSAGE_Y, announcement_size(viewport, gui),
            announcer->alarm ? UI_WARNING : UI_STRONG, opacity, announcement_wrap(room), announcer->text);
}

bool pd_interface_fading(const pd_viewport *viewport, const pd_session *session, const pd_pointer *pointer,
                         const pd_display *display) {
    if (pd_probe_fading(viewport) || pd_timeline_fading(viewport, session, pointer, display)) return true;
    if (viewport->now < viewport->announcer.until + 0.1) return true;
    return pd_hint_fading(viewport);
}
