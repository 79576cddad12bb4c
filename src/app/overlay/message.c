/* Messages at the top of the window. */
#include "app/overlay/interface.h"

#include <math.h>

static const float EDGE = 22;                     /* units from the border of the window to the text */
static const float MESSAGE_X = 18, MESSAGE_Y = 9; /* units: text in its plate */
static const float GAP = 18;                      /* units: from a plate to the text below it */
static const float HELP_GAP = 4;                  /* units: between the help and a message below it */
static const float LARGE_ROOM = 400;              /* units: in a narrower picture messages are smaller, */
static const float LEAST_ROOM = 240;              /* and in an even narrower one lie over the panel */
static const float WIDEST = 680;                  /* units: longer text is wrapped */

/* The browser, the dialog and the help cover the panel. */
static bool is_covered(const pd_viewport *viewport) {
    return viewport->browser.open || viewport->new_scene.open || viewport->help;
}

static bool is_shown(const pd_viewport *viewport) { return viewport->announcer.until > viewport->now; }

/* Width in which a message is centred. */
static float room_of(const pd_screen *screen) {
    float wide = ui_width(screen->gui), room = wide - pd_panel_cover(screen);
    return room < LEAST_ROOM || is_covered(screen->viewport) ? wide : room;
}

/* Errors and what two panes show are longer or in a smaller place; the help leaves no more room. */
static ui_size size_of(const pd_screen *screen) {
    const pd_viewport *viewport = screen->viewport;
    float room = room_of(screen);
    if (room < LEAST_ROOM) return UI_SMALL;
    bool long_or_low = viewport->announcer.alarm || pd_panes_count(screen) > 1 || viewport->help;
    return long_or_low || room < LARGE_ROOM ? UI_NORMAL : UI_LARGE;
}

static void measure(const pd_screen *screen, const char *text, float *wrap, float *width, float *height) {
    *wrap = fminf(room_of(screen) - 2 * EDGE - 2 * MESSAGE_X, WIDEST);
    ui_measure(screen->gui, size_of(screen), text, *wrap, width, height);
}

float pd_message_height(const pd_screen *screen) {
    const pd_viewport *viewport = screen->viewport;
    float wrap, height;
    measure(screen, is_shown(viewport) ? viewport->announcer.text : NULL, &wrap, NULL, &height);
    return height + 2 * MESSAGE_Y;
}

/* The top of a text in the middle: below what would be in its way. Negative: there is no place for it. */
static float top_of(const pd_screen *screen, float x, float width, float height) {
    const pd_viewport *viewport = screen->viewport;
    float y = EDGE + 8, tall = ui_height(screen->gui), lowest = tall - height - MESSAGE_Y;
    if (viewport->help) { /* which leaves room for it, unless the window is tiny */
        const pd_plate *help = &viewport->help_sheet.plate;
        return fmaxf(fminf(help->y + help->height + HELP_GAP + MESSAGE_Y, lowest), MESSAGE_Y);
    }
    if (viewport->browser.open) return viewport->browser.top + EDGE; /* below the head with the count of pictures */
    if (viewport->new_scene.open) { /* what else lies over the picture is dimmed then */
        const pd_plate *dialog = &viewport->new_scene.plate;
        if (y + height + MESSAGE_Y < dialog->y) return y;
        y = dialog->y + dialog->height + GAP;
        return y < lowest ? y : -1;
    }
    for (int i = 0; i < viewport->hud.plate_count; i++) {
        const pd_plate *plate = &viewport->hud.plates[i];
        bool upper = plate->y < 0.5f * tall;
        bool room_below = plate->y + plate->height + height + 2 * GAP < tall; /* not so below the tool bar */
        if (upper && room_below && plate->x < x + width + 26 && x - 26 < plate->x + plate->width)
            y = fmaxf(y, plate->y + plate->height + GAP);
    }
    return fmaxf(fminf(y, lowest), MESSAGE_Y);
}

bool pd_message_place(const pd_screen *screen, pd_plate *plate) {
    float wrap, width, height;
    measure(screen, screen->viewport->announcer.text, &wrap, &width, &height);
    float x = 0.5f * (room_of(screen) - width), y = top_of(screen, x, width, height);
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
    measure(screen, announcer->text, &wrap, NULL, NULL);
    ui_set_layer(screen->gui, UI_ABOVE);
    ui_plate(screen->gui, plate.x, plate.y, plate.width, plate.height,
             is_covered(viewport) ? THEME_DENSE * opacity : opacity);
    ui_text(screen->gui, plate.x + MESSAGE_X, plate.y + MESSAGE_Y, size_of(screen),
            announcer->alarm ? UI_WARNING : UI_STRONG, opacity, wrap, announcer->text);
}

/* The last frame is drawn without the message. */
static bool is_fading(const pd_screen *screen) {
    return screen->viewport->now < screen->viewport->announcer.until + 0.1;
}

const pd_layer pd_message_layer = {.draw = draw, .is_fading = is_fading};
