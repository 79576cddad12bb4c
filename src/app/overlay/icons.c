/* Icons of the tools and of the actions in the bars. An icon is a text of strokes, in interface units from its centre with y down:
 *
 *     l X Y X Y WIDTH        line                    b X Y WIDTH HEIGHT RADIUS   box from its upper left corner
 *     v X Y X Y HEAD         arrow                   o X Y RADIUS                disc
 *     p COUNT X Y ...        convex polygon          r X Y RADIUS WIDTH          ring
 *     d X Y WIDTH HEIGHT     drop                    t X Y DIRECTION             arrow that turns back (1) or forward (-1)
 *     w WIDTH                the stroke of a wall    q                           "?"
 *     m X Y                  moves the centre of the following strokes
 *     a OPACITY              opacity of the following strokes
 *     c COLOUR               colour of the following strokes: i ink, s stone, d dark, b wood, e eraser, r red, m the material that
 *                            pours, 0 1 2 the first materials */
#include "app/overlay/interface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* colours of walls and of bodies in the picture */
static const float stone[3] = {0.56f, 0.61f, 0.72f}, dark[3] = {0.16f, 0.18f, 0.235f}, wood[3] = {0.80f, 0.64f, 0.42f};
static const float red[3] = {1.00f, 0.36f, 0.36f};

#define CIRCLE(inside) "o 0 0 8.8 c" inside " o 0 0 7"
#define BOX(inside)    "b -9 -7 18 14 1.5 c" inside " b -7.2 -5.2 14.4 10.4 .5"
#define POLYGON(inside)                                                                                                \
    "p 6 -7 -7.5 2 -9.5 9.5 -3 6.5 7 -3 9 -9.5 2 c" inside                                                             \
    " p 6 -5.46 -5.85 1.56 -7.41 7.41 -2.34 5.07 5.46 -2.34 7.02 -7.41 1.56"
#define FLOATS(body)    "m 0 -1.5 " body " m 0 0 ci a .8 l -8.5 6 -12 6 1.9 l 8.5 6 12 6 1.9 l -5 10 5 10 1.9"
#define ERASER          "p 4 3.5 -10 10 -3.5 2.5 4 -4 -2.5 ce p 4 -5 -1.5 1.5 5 -1.5 8 -8 1.5 "
#define STONE           "cs l 3 9.5 9.5 9.5 5.2 "
#define FLUID           "ci a .8 l 1.5 9.5 10 9.5 1.9"
#define BARS            "cb l -2 2 -7.5 -7.5 5.5 l -2 2 9 5 5.5 "
#define HINGE           BARS "cd o -2 2 4 ci o -2 2 2.8 "
#define SPRAY(place)    "ci a .35 o " place " 2.6 cm a 1 o " place " 2.1 " /* a light rim, for dark drops */
#define PAINT(m, place) "ci a .9 o " place " 4.6 c" m " a 1 o " place " 3.6 "

/* Icons by tool and choice. A tool without choices has one. */
static const char *const tools[PD_BAR_TOOLS][PD_MAX_CHOICES] = {
    [PD_BAR_HAND] = {"l -5.1 2 -5.1 -6.5 2.6 l -1.4 2 -1.4 -9.5 2.6 l 2.3 2 2.3 -9 2.6 l 6 2 6 -6.5 2.6 "
                     "l -4.5 5.5 -9 .5 2.8 b -6.4 0 13.6 9.5 3.5"},
    [PD_BAR_PUSH] = {"v 3 0 10 0 3.2 v -3 0 -10 0 3.2 v 0 3 0 10 3.2 v 0 -3 0 -10 3.2"},
    [PD_BAR_PULL] = {"v 10.5 0 3.5 0 3.2 v -10.5 0 -3.5 0 3.2 v 0 10.5 0 3.5 3.2 v 0 -10.5 0 -3.5 3.2"},
    [PD_BAR_POUR] = {"d 0 0 9.9 11.2 cm d 0 .6 8 8.7"},
    [PD_BAR_ERASE] = {[PD_CHOICE_FLUID] = ERASER FLUID,
                      [PD_CHOICE_OBJECTS] = ERASER STONE "cd l 3 9.5 9.5 9.5 2.6",
                      [PD_CHOICE_BOTH] = ERASER STONE FLUID},
    [PD_BAR_WALL] = {"w 5.6 cd w 3"},
    [PD_BAR_SHAPE] = {CIRCLE("d"), BOX("d"), POLYGON("d")},
    [PD_BAR_BODY] = {FLOATS(CIRCLE("b")), FLOATS(BOX("b")), FLOATS(POLYGON("b"))},
    [PD_BAR_JOINT] = {[PD_CHOICE_HINGE] = HINGE,
                      [PD_CHOICE_ROPE] = "cb b -10 -10 8 8 1.5 b 2 2 8 8 1.5 ci l -6 -6 -3 2 1.6 l -3 2 6 6 1.6",
                      [PD_CHOICE_WELD] = BARS "cd b -5.2 -1.2 6.4 6.4 .8 ci b -4 0 4 4 .5",
                      [PD_CHOICE_MOTOR] = HINGE "t 3 -5 -1"},
    [PD_BAR_EMITTER] = {"p 4 -10 -3.5 -4 -7.5 -4 7.5 -10 3.5 " SPRAY(".5 -3.2") SPRAY(".5 3.2") SPRAY("4.8 0")
                            SPRAY("9 -3.2") SPRAY("9 3.2")},
    [PD_BAR_DRAIN] = {"r 0 1.5 8.2 1.9 v 0 -10.5 0 4 3.4"},
    [PD_BAR_MOVE] = {"b -10 -5 10 10 1.5 cd b -8.4 -3.4 6.8 6.8 .5 ci v 2.5 0 10 0 3.2"},
};

/* Icons by action: usually, and while time is paused or a recording runs. */
static const char *const actions[][2] = {
    [PD_ACTION_UNDO] = {"t 0 0 1"},
    [PD_ACTION_REDO] = {"t 0 0 -1"},
    [PD_ACTION_RESET] = {"p 3 5 -6 5 6 -4 0 b -7.5 -6 2.5 12 1"},
    [PD_ACTION_REWIND] = {"p 3 -.5 -6 -.5 6 -9.5 0 p 3 7 -6 7 6 -2 0"},
    [PD_ACTION_PAUSE] = {"b -6 -7 4 14 1 b 2 -7 4 14 1", "p 3 -4.5 -7 6 0 -4.5 7"},
    [PD_ACTION_STEP] = {"p 3 -5.5 -6 3.5 0 -5.5 6 b 5 -6 2.5 12 1"},
    [PD_ACTION_RECORD] = {"cr o 0 0 6", "cr b -5 -5 10 10 1.5"},
    [PD_ACTION_SCREENSHOT] = {"b -4 -8 8 4 1 b -9 -5.5 18 12.5 2 cd o 0 .8 4 ci o 0 .8 2.2"},
    [PD_ACTION_SAVE] = {"l 0 -8 0 2 1.9 l -4 -2 0 2.5 1.9 l 4 -2 0 2.5 1.9 l -7.5 7 7.5 7 1.9"},
    [PD_ACTION_EXPORT] = {"b -9 -7 11 14 1.5 cd b -7.6 -5.6 2 2.6 .3 b -7.6 -1.4 2 2.6 .3 b -7.6 2.8 2 2.6 .3 "
                          "b -4 -5 4.6 10 .5 ci v -2 0 9 0 3.5"}, /* a strip of film with an arrow out of it */
    [PD_ACTION_MATERIALS] = {PAINT("0", "-4.5 2") PAINT("1", "4.5 2") PAINT("2", "0 -5")},
    [PD_ACTION_PANEL] = {"a .75 l -8 -6 8 -6 1.6 l -8 0 8 0 1.6 l -8 6 8 6 1.6 a 1 o 3 -6 2.7 o -3.5 0 2.7 o 1 6 2.7"},
    [PD_ACTION_HELP] = {"q"},
};

static void get_colour(const pd_screen *screen, char letter, float rgb[3]) {
    static const char letters[] = "isdber";
    static const float *const colours[] = {THEME_INK, stone, dark, wood, THEME_ERASER, red};
    int count = pd_world_scene(screen->session->world)->material_count;
    const char *named = strchr(letters, letter);
    if (named) {
        memcpy(rgb, colours[named - letters], sizeof(float[3]));
        return;
    }
    int material = letter == 'm' ? pd_session_poured_material(screen->session) : letter - '0';
    pd_viewport_compute_material_colour(screen->viewport, letter != 'm' && material >= count ? 0 : material, rgb);
}

/* Draws a curve along t from 0 to 1: the stroke of a wall, or the arc of a turning arrow. */
static void draw_curve(ui *gui, float x, float y, bool wall, float direction, float width, const float rgb[3]) {
    const int count = wall ? 16 : 14;
    float from[2] = {0, 0};
    for (int k = 0; k <= count; k++) {
        float t = (float)k / (float)count, angle = wall ? 6.2831853f * t : -1.6f + 4.2f * (float)k / (float)count;
        float to[2] = {wall ? x - 8.5f + 17 * t : x + direction * 6 * sinf(angle),
                       wall ? y + 6 - 12 * t - 4.5f * sinf(angle) : y + 1 - 6 * cosf(angle)};
        if (k > 0) ui_draw_line(gui, from[0], from[1], to[0], to[1], width, rgb, 1);
        memcpy(from, to, sizeof from);
    }
}

/* Draws a drop: x = width sin(t) sin(t / 2), y = -height cos(t). */
static void draw_drop(ui *gui, float x, float y, float width, float height, const float rgb[3]) {
    enum { POINTS = 28 };
    float points[POINTS][2];
    for (int k = 0; k < POINTS; k++) {
        float t = 6.2831853f * (float)k / POINTS;
        points[k][0] = x + width * sinf(t) * fabsf(sinf(0.5f * t));
        points[k][1] = y - height * cosf(t);
    }
    ui_draw_polygon(gui, points, POINTS, rgb, 1);
}

static void draw_arrow(ui *gui, const float at[4], float head, const float rgb[3]) {
    float x = at[2] - at[0], y = at[3] - at[1], length = hypotf(x, y), along = -head / length;
    ui_draw_line(gui, at[0], at[1], at[2], at[3], 1.9f, rgb, 1);
    for (float side = -head / length; side <= head / length; side += 2 * head / length)
        ui_draw_line(gui, at[2], at[3], at[2] + along * x + side * y, at[3] + along * y - side * x, 1.9f, rgb, 1);
}

/* Draws an icon around the centre (x, y). */
static void draw_icon(const pd_screen *screen, const char *icon, float x, float y) {
    enum { MOST = 12 }; /* numbers of a stroke, the greatest polygon's */
    ui *gui = screen->gui;
    float rgb[3], opacity = 1, left = x, top = y, n[MOST + 1] = {0};
    get_colour(screen, 'i', rgb);
    while (*(icon += strspn(icon, " "))) {
        char stroke = *icon++, *end;
        int count = 0;
        if (stroke == 'c') get_colour(screen, *icon++, rgb);
        for (; count < MOST + 1 && (n[count] = strtof(icon, &end), end > icon); count++) icon = end;
        const float at[4] = {x + n[0], y + n[1], x + n[2], y + n[3]};
        if (stroke == 'm') x = left + n[0], y = top + n[1];
        if (stroke == 'a') opacity = n[0];
        if (stroke == 'l') ui_draw_line(gui, at[0], at[1], at[2], at[3], n[4], rgb, opacity);
        if (stroke == 'v') draw_arrow(gui, at, n[4], rgb);
        if (stroke == 'b') ui_draw_box(gui, at[0], at[1], n[2], n[3], n[4], rgb, opacity);
        if (stroke == 'o') ui_draw_disc(gui, at[0], at[1], n[2], rgb, opacity);
        if (stroke == 'r') ui_draw_ring(gui, at[0], at[1], n[2], n[3], rgb, opacity);
        if (stroke == 'd') draw_drop(gui, at[0], at[1], n[2], n[3], rgb);
        if (stroke == 'w') draw_curve(gui, x, y, true, 0, n[0], rgb);
        if (stroke == 't') {
            float tip = at[0] - n[2] * 6, foot = at[1] + 1;
            draw_curve(gui, at[0], at[1], false, n[2], 1.9f, rgb);
            ui_draw_line(gui, tip, foot, tip - 3.5f, at[1] - 3.2f, 1.9f, rgb, 1);
            ui_draw_line(gui, tip, foot, tip + 3.5f, at[1] - 3.2f, 1.9f, rgb, 1);
        }
        if (stroke == 'p') {
            float corners[MOST / 2][2];
            for (int k = 0; k < MOST && k < count - 1; k++) corners[k / 2][k % 2] = n[k + 1] + (k % 2 ? y : x);
            ui_draw_polygon(gui, corners, (int)n[0], rgb, opacity);
        }
        if (stroke == 'q') {
            float width, height;
            ui_measure_text(gui, UI_LARGE, "?", 0, &width, &height);
            ui_draw_text(gui, x - 0.5f * width, y - 0.5f * height, UI_LARGE, UI_STRONG, 1, 0, "?");
        }
    }
}

void pd_icon_draw(const pd_screen *screen, pd_bar_tool tool, float x, float y) {
    int choice = pd_bar_tool_choice_count(tool) > 0 ? screen->session->choice[tool] : 0;
    draw_icon(screen, tools[tool][choice], x, y);
}

void pd_icon_draw_action(const pd_screen *screen, pd_action action, float x, float y) {
    bool on =
        action == PD_ACTION_PAUSE ? screen->session->paused : action == PD_ACTION_RECORD && screen->recorder->sink;
    draw_icon(screen, actions[action][on], x, y);
}
