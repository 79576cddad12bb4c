/* The opening card with the ways to begin, and the offer to continue the last session. */
#include "app/overlay/interface.h"

#include "app/io/settings.h"
#include "app/session/session.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float WIDTH = 330, ROW = 50, GAP = 4;       /* units: card, row, gap */
static const float SMALL_WIDTH = 224, SMALL_ROW = 34;    /* units: in a small window */
static const float HEAD = 62, FOOT = 44;                 /* units: rest above and below the rows */
static const float SMALL_ROOM = 800, SMALL_HEIGHT = 560; /* units: size of a window below which it is small */
static const double OFFERED = 20;                        /* s: how long the window offers to continue */
static const float OFFER_HEIGHT = 30, CLOSE = 26;        /* units */

enum { ROW_PLAY, ROW_SCENES, ROW_BUILD, ROW_LEARN, ROW_CONTINUE, ROWS };

static const struct {
    const char *name, *about;
} rows[ROWS] = {[ROW_PLAY] = {"Play", "drag the fluid that moves beside this card"},
                [ROW_SCENES] = {"Scenes", "choose one of many by its picture"},
                [ROW_BUILD] = {"Build", "an empty container to fill"},
                [ROW_LEARN] = {"Learn", "the manual, in the browser"},
                [ROW_CONTINUE] = {"Continue the last session", ""}};

static int row_count(const pd_opening *opening) { return *opening->last ? ROWS : ROW_CONTINUE; }

void pd_opening_open(pd_opening *opening, const pd_session *session) {
    if (!pd_session_describe_previous_log(session, opening->last, sizeof opening->last)) *opening->last = '\0';
    opening->row = *opening->last ? ROW_CONTINUE : ROW_PLAY;
    opening->open = true;
    opening->offered_until = 0;
}

void pd_opening_begin(pd_viewport *viewport, const pd_session *session) {
    pd_opening *opening = &viewport->opening;
    char opened[8];
    pd_opening_open(opening, session);
    if (!pd_settings_read(PD_SETTING_OPENED, opened, sizeof opened)) {
        pd_settings_save(PD_SETTING_OPENED, "yes", NULL); /* a failure only shows the card again */
        return;
    }
    opening->open = false;
    if (*opening->last) opening->offered_until = viewport->now + OFFERED;
}

static bool is_open(const pd_screen *screen) { return screen->viewport->opening.open; }

static void close_card(pd_screen *screen) {
    screen->viewport->opening.open = false;
    ui_close_menu(screen->gui);
}

static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    pd_opening *opening = &screen->viewport->opening;
    int count = row_count(opening);
    (void)modifiers, (void)repeats;
    if (!opening->open) return false;
    if (code == PD_KEY_DOWN || code == PD_KEY_TAB) opening->row = (opening->row + 1) % count;
    if (code == PD_KEY_UP) opening->row = (opening->row + count - 1) % count;
    if (code == PD_KEY_ENTER) opening->accepted = true; /* draw requests the action */
    return true;
}

/* Closes the card by a press beside it. ImGui handles presses on the card. */
static bool handle_press(pd_screen *screen, bool left) {
    const pd_opening *opening = &screen->viewport->opening;
    if (opening->open && left && !pd_plate_contains(&opening->plate, screen->x, screen->y)) close_card(screen);
    return false;
}

static void draw(pd_screen *screen) {
    pd_opening *opening = &screen->viewport->opening;
    pd_plate *plate = &opening->plate;
    int count = row_count(opening), pressed = opening->accepted ? opening->row : -1;
    opening->accepted = false;
    if (!opening->open) return;
    bool small = screen->layout.width < SMALL_ROOM || screen->layout.height < SMALL_HEIGHT;
    float tall = small ? SMALL_ROW : ROW;
    *plate = (pd_plate){.width = small ? SMALL_WIDTH : WIDTH, .height = HEAD + (float)count * (tall + GAP) + FOOT};
    if (!ui_dialog_begin(screen->gui, "Welcome to puddle", UI_AT_THE_RIGHT, &plate->x, &plate->y, &plate->width,
                         &plate->height))
        return;
    for (int row = 0; row < count; row++) {
        const char *about = row == ROW_CONTINUE ? opening->last : rows[row].about;
        bool chosen = opening->row == row;
        if (ui_draw_large_button(screen->gui, rows[row].name, small ? NULL : about, tall, &chosen)) pressed = row;
        if (chosen) opening->row = row;
    }
    ui_dialog_end(screen->gui, small ? "Esc closes" : "Esc closes; the menu opens this card again");
    if (pressed >= 0) {
        static const pd_action actions[ROWS] = {
            [ROW_SCENES] = PD_ACTION_BROWSE, [ROW_BUILD] = PD_ACTION_NEW_SCENE, [ROW_LEARN] = PD_ACTION_MANUAL};
        if (pressed != ROW_LEARN) close_card(screen);
        pd_screen_request(screen, actions[pressed], 0);
        if (pressed == ROW_CONTINUE) pd_session_continue(screen->session);
    }
}

const pd_layer pd_opening_layer = {.modal = true,
                                   .is_open = is_open,
                                   .close = close_card,
                                   .handle_press = handle_press,
                                   .handle_key = handle_key,
                                   .draw = draw};

/* ---- The offer to continue ---- */

static bool is_offered(const pd_viewport *viewport) { return viewport->opening.offered_until > viewport->now; }

static bool is_offer_fading(const pd_screen *screen) {
    return screen->viewport->now < screen->viewport->opening.offered_until + 0.1; /* a frame after the end removes it */
}

/* Draws the offer at the lower left: a button, and one that closes the offer. */
static void draw_offer(pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    ui *gui = screen->gui;
    char text[160];
    if (!is_offered(viewport)) return;
    snprintf(text, sizeof text, "Continue the last session (%s)", viewport->opening.last);
    float left = screen->layout.left + THEME_EDGE, room = screen->layout.right - left - THEME_EDGE;
    float width = fminf(ui_text_width(gui, UI_NORMAL, text) + 24, room - CLOSE);
    pd_plate plate = {left, screen->layout.height - screen->layout.strip - THEME_EDGE - OFFER_HEIGHT, width + CLOSE,
                      OFFER_HEIGHT};
    pd_plate_add(&screen->layout, &plate);
    ui_window_begin(gui, "offer", plate.x, plate.y, plate.width, plate.height, 0, THEME_DENSE);
    ui_push accept = {.name = "Continue the last session", .text = text, .width = width, .height = OFFER_HEIGHT};
    ui_push refuse = {.name = "Close the offer", .text = "×", .width = CLOSE, .height = OFFER_HEIGHT};
    bool accepted = ui_draw_push_button(gui, &accept);
    ui_same_line(gui, 0);
    bool refused = ui_draw_push_button(gui, &refuse);
    ui_window_end(gui);
    if (accepted || refused) viewport->opening.offered_until = 0;
    if (accepted) pd_session_continue(screen->session);
}

const pd_layer pd_offer_layer = {.draw = draw_offer, .is_fading = is_offer_fading};
