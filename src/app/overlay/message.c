/* The message at the top of the window. */
#include "app/overlay/interface.h"

#include <math.h>

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
