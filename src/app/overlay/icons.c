/* Icons of the tools and of the actions in the bars. */
#include "app/overlay/interface.h"

#include <math.h>

/* colours of walls and of bodies in the picture */
static const float stone[3] = {0.56f, 0.61f, 0.72f}, dark[3] = {0.16f, 0.18f, 0.235f}, wood[3] = {0.80f, 0.64f, 0.42f};

/* Icon of a tool. */
typedef struct icon {
    ui *gui;
    float x, y;   /* Centre, interface units. */
    int choice;   /* Selected choice of the tool. */
    float rgb[3]; /* Colour of the material that pours. */
} icon;

static void draw_hand(const icon *icon) {
    ui *gui = icon->gui;
    float x = icon->x, y = icon->y;
    static const float tips[4] = {-6.5f, -9.5f, -9, -6.5f};
    for (int k = 0; k < 4; k++) {
        float across = x - 5.1f + 3.7f * (float)k;
        ui_draw_line(gui, across, y + 2, across, y + tips[k], 2.6f, THEME_INK, 1);
    }
    ui_draw_line(gui, x - 4.5f, y + 5.5f, x - 9, y + 0.5f, 2.8f, THEME_INK, 1);
    ui_draw_box(gui, x - 6.4f, y, 13.6f, 9.5f, 3.5f, THEME_INK, 1);
}

/* Draws four arrows, from the distance `from` to the distance `to` around (x, y). */
static void draw_arrows(ui *gui, float x, float y, float from, float to) {
    for (int k = 0; k < 4; k++) {
        float dx = k == 0 ? 1.0f : k == 1 ? -1.0f : 0, dy = k == 2 ? 1.0f : k == 3 ? -1.0f : 0;
        float tip_x = x + to * dx, tip_y = y + to * dy, back = to > from ? -3.2f : 3.2f;
        ui_draw_line(gui, x + from * dx, y + from * dy, tip_x, tip_y, 1.9f, THEME_INK, 1);
        for (int side = -1; side <= 1; side += 2)
            ui_draw_line(gui, tip_x, tip_y, tip_x + back * dx + 3.2f * (float)side * dy,
                         tip_y + back * dy + 3.2f * (float)side * dx, 1.9f, THEME_INK, 1);
    }
}

static void draw_push(const icon *icon) { draw_arrows(icon->gui, icon->x, icon->y, 3, 10); }
static void draw_pull(const icon *icon) { draw_arrows(icon->gui, icon->x, icon->y, 10.5f, 3.5f); }

/* Outline of a drop: x = r sin(t) sin(t / 2), y = -h cos(t). */
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

static void draw_pour(const icon *icon) {
    ui *gui = icon->gui;
    float x = icon->x, y = icon->y;
    draw_drop(gui, x, y, 9.9f, 11.2f, THEME_INK);
    draw_drop(gui, x, y + 0.6f, 8, 8.7f, icon->rgb);
}

/* Draws an eraser above a line of fluid, of wall, or of both: what the tool erases. */
static void draw_eraser(const icon *icon) {
    ui *gui = icon->gui;
    float x = icon->x, y = icon->y;
    const float sleeve[4][2] = {{x + 3.5f, y - 10}, {x + 10, y - 3.5f}, {x + 2.5f, y + 4}, {x - 4, y - 2.5f}};
    const float rubber[4][2] = {{x - 5, y - 1.5f}, {x + 1.5f, y + 5}, {x - 1.5f, y + 8}, {x - 8, y + 1.5f}};
    ui_draw_polygon(gui, sleeve, 4, THEME_INK, 1);
    ui_draw_polygon(gui, rubber, 4, THEME_ERASER, 1);
    if (icon->choice != PD_CHOICE_FLUID) ui_draw_line(gui, x + 3, y + 9.5f, x + 9.5f, y + 9.5f, 5.2f, stone, 1);
    if (icon->choice == PD_CHOICE_OBJECTS) ui_draw_line(gui, x + 3, y + 9.5f, x + 9.5f, y + 9.5f, 2.6f, dark, 1);
    if (icon->choice != PD_CHOICE_OBJECTS)
        ui_draw_line(gui, x + 1.5f, y + 9.5f, x + 10, y + 9.5f, 1.9f, THEME_INK, 0.8f);
}

static void draw_wall(const icon *icon) {
    ui *gui = icon->gui;
    float x = icon->x, y = icon->y;
    enum { POINTS = 16 };
    for (int layer = 0; layer < 2; layer++)
        for (int k = 0; k < POINTS; k++) {
            float t = (float)k / POINTS, next = (float)(k + 1) / POINTS;
            ui_draw_line(gui, x - 8.5f + 17 * t, y + 6 - 12 * t - 4.5f * sinf(6.2831853f * t), x - 8.5f + 17 * next,
                         y + 6 - 12 * next - 4.5f * sinf(6.2831853f * next), layer ? 3 : 5.6f, layer ? dark : THEME_INK,
                         1);
        }
}

/* Draws an arrow that turns back to the left or forward to the right (direction -1, 1). */
static void draw_turn(ui *gui, float x, float y, float direction) {
    enum { POINTS = 14 };
    for (int k = 0; k < POINTS; k++) {
        float from = -1.6f + 4.2f * (float)k / POINTS, to = -1.6f + 4.2f * (float)(k + 1) / POINTS;
        ui_draw_line(gui, x + direction * 6 * sinf(from), y + 1 - 6 * cosf(from), x + direction * 6 * sinf(to),
                     y + 1 - 6 * cosf(to), 1.9f, THEME_INK, 1);
    }
    float tip = x - direction * 6;
    ui_draw_line(gui, tip, y + 1, tip - 3.5f, y - 3.2f, 1.9f, THEME_INK, 1);
    ui_draw_line(gui, tip, y + 1, tip + 3.5f, y - 3.2f, 1.9f, THEME_INK, 1);
}

/* Draws a circle, box or polygon filled with a colour. */
static void draw_filled_shape(const icon *icon, float x, float y, const float inside[3]) {
    ui *gui = icon->gui;
    if (icon->choice == PD_CHOICE_CIRCLE) {
        ui_draw_disc(gui, x, y, 8.8f, THEME_INK, 1);
        ui_draw_disc(gui, x, y, 7, inside, 1);
    } else if (icon->choice == PD_CHOICE_POLYGON) {
        static const float corners[6][2] = {{-7, -7.5f}, {2, -9.5f}, {9.5f, -3}, {6.5f, 7}, {-3, 9}, {-9.5f, 2}};
        for (int layer = 0; layer < 2; layer++) {
            float points[6][2], size = layer ? 0.78f : 1;
            for (int k = 0; k < 6; k++) {
                points[k][0] = x + size * corners[k][0];
                points[k][1] = y + size * corners[k][1];
            }
            ui_draw_polygon(gui, points, 6, layer ? inside : THEME_INK, 1);
        }
    } else {
        ui_draw_box(gui, x - 9, y - 7, 18, 14, 1.5f, THEME_INK, 1);
        ui_draw_box(gui, x - 7.2f, y - 5.2f, 14.4f, 10.4f, 0.5f, inside, 1);
    }
}

static void draw_shape(const icon *icon) { draw_filled_shape(icon, icon->x, icon->y, dark); }

/* Draws a body that floats on a line of water. */
static void draw_body(const icon *icon) {
    ui *gui = icon->gui;
    float x = icon->x, y = icon->y;
    draw_filled_shape(icon, x, y - 1.5f, wood);
    for (int side = -1; side <= 1; side += 2)
        ui_draw_line(gui, x + 8.5f * (float)side, y + 6, x + 12 * (float)side, y + 6, 1.9f, THEME_INK, 0.8f);
    ui_draw_line(gui, x - 5, y + 10, x + 5, y + 10, 1.9f, THEME_INK, 0.8f);
}

/* Draws two bars with the joint between them: a pin, a rope, glue, or a pin with an arrow. */
static void draw_joint(const icon *icon) {
    ui *gui = icon->gui;
    float x = icon->x, y = icon->y;
    bool rope = icon->choice == PD_CHOICE_ROPE;
    if (rope) {
        ui_draw_box(gui, x - 10, y - 10, 8, 8, 1.5f, wood, 1);
        ui_draw_box(gui, x + 2, y + 2, 8, 8, 1.5f, wood, 1);
        ui_draw_line(gui, x - 6, y - 6, x - 3, y + 2, 1.6f, THEME_INK, 1);
        ui_draw_line(gui, x - 3, y + 2, x + 6, y + 6, 1.6f, THEME_INK, 1);
        return;
    }
    ui_draw_line(gui, x - 2, y + 2, x - 7.5f, y - 7.5f, 5.5f, wood, 1);
    ui_draw_line(gui, x - 2, y + 2, x + 9, y + 5, 5.5f, wood, 1);
    if (icon->choice == PD_CHOICE_WELD) {
        ui_draw_box(gui, x - 5.2f, y - 1.2f, 6.4f, 6.4f, 0.8f, dark, 1);
        ui_draw_box(gui, x - 4, y, 4, 4, 0.5f, THEME_INK, 1);
        return;
    }
    ui_draw_disc(gui, x - 2, y + 2, 4, dark, 1);
    ui_draw_disc(gui, x - 2, y + 2, 2.8f, THEME_INK, 1);
    if (icon->choice == PD_CHOICE_MOTOR) draw_turn(gui, x + 3, y - 5, -1);
}

static void draw_emitter(const icon *icon) {
    ui *gui = icon->gui;
    float x = icon->x, y = icon->y;
    static const float drops[5][2] = {{0.5f, -3.2f}, {0.5f, 3.2f}, {4.8f, 0}, {9, -3.2f}, {9, 3.2f}};
    const float mouth[4][2] = {{x - 10, y - 3.5f}, {x - 4, y - 7.5f}, {x - 4, y + 7.5f}, {x - 10, y + 3.5f}};
    ui_draw_polygon(gui, mouth, 4, THEME_INK, 1);
    for (int k = 0; k < 5; k++) {
        ui_draw_disc(gui, x + drops[k][0], y + drops[k][1], 2.6f, THEME_INK, 0.35f); /* light rim, for dark drops */
        ui_draw_disc(gui, x + drops[k][0], y + drops[k][1], 2.1f, icon->rgb, 1);
    }
}

static void draw_drain(const icon *icon) {
    ui *gui = icon->gui;
    float x = icon->x, y = icon->y;
    ui_draw_ring(gui, x, y + 1.5f, 8.2f, 1.9f, THEME_INK, 1);
    ui_draw_line(gui, x, y - 10.5f, x, y + 4, 1.9f, THEME_INK, 1);
    for (int side = -1; side <= 1; side += 2)
        ui_draw_line(gui, x, y + 4, x + 3.4f * (float)side, y + 0.6f, 1.9f, THEME_INK, 1);
}

static void draw_move(const icon *icon) {
    ui *gui = icon->gui;
    float x = icon->x, y = icon->y;
    ui_draw_box(gui, x - 10, y - 5, 10, 10, 1.5f, THEME_INK, 1);
    ui_draw_box(gui, x - 8.4f, y - 3.4f, 6.8f, 6.8f, 0.5f, dark, 1);
    ui_draw_line(gui, x + 2.5f, y, x + 10, y, 1.9f, THEME_INK, 1);
    for (int side = -1; side <= 1; side += 2)
        ui_draw_line(gui, x + 10, y, x + 6.8f, y + 3.2f * (float)side, 1.9f, THEME_INK, 1);
}

static void (*const icons[PD_BAR_TOOLS])(const icon *icon) = {
    [PD_BAR_HAND] = draw_hand,   [PD_BAR_PUSH] = draw_push,       [PD_BAR_PULL] = draw_pull,
    [PD_BAR_POUR] = draw_pour,   [PD_BAR_ERASE] = draw_eraser,    [PD_BAR_WALL] = draw_wall,
    [PD_BAR_SHAPE] = draw_shape, [PD_BAR_EMITTER] = draw_emitter, [PD_BAR_DRAIN] = draw_drain,
    [PD_BAR_MOVE] = draw_move,   [PD_BAR_BODY] = draw_body,       [PD_BAR_JOINT] = draw_joint,
};

void pd_icon_draw(const pd_screen *screen, pd_bar_tool tool, float x, float y) {
    icon icon = {.gui = screen->gui, .x = x, .y = y, .choice = screen->session->choice[tool]};
    pd_viewport_compute_material_colour(screen->viewport, pd_session_poured_material(screen->session), icon.rgb);
    icons[tool](&icon);
}

/* ---- Actions ---- */

static const float red[3] = {1.00f, 0.36f, 0.36f};

/* Draws a triangle that points to the left or right (direction -1, 1). */
static void draw_pointer(ui *gui, float x, float y, float size, float direction) {
    const float right[3][2] = {{x - 0.5f * size, y - size}, {x + size, y}, {x - 0.5f * size, y + size}};
    const float left[3][2] = {{x + 0.5f * size, y - size}, {x + 0.5f * size, y + size}, {x - size, y}};
    ui_draw_polygon(gui, direction > 0 ? right : left, 3, THEME_INK, 1);
}

static void draw_pause(const pd_screen *screen, float x, float y) {
    ui *gui = screen->gui;
    if (screen->session->paused) {
        draw_pointer(gui, x - 1, y, 7, 1);
        return;
    }
    ui_draw_box(gui, x - 6, y - 7, 4, 14, 1, THEME_INK, 1);
    ui_draw_box(gui, x + 2, y - 7, 4, 14, 1, THEME_INK, 1);
}

static void draw_record(const pd_screen *screen, float x, float y) {
    if (screen->recorder->sink)
        ui_draw_box(screen->gui, x - 5, y - 5, 10, 10, 1.5f, red, 1);
    else
        ui_draw_disc(screen->gui, x, y, 6, red, 1);
}

static void draw_camera(ui *gui, float x, float y) {
    ui_draw_box(gui, x - 4, y - 8, 8, 4, 1, THEME_INK, 1);
    ui_draw_box(gui, x - 9, y - 5.5f, 18, 12.5f, 2, THEME_INK, 1);
    ui_draw_disc(gui, x, y + 0.8f, 4, dark, 1);
    ui_draw_disc(gui, x, y + 0.8f, 2.2f, THEME_INK, 1);
}

static void draw_save(ui *gui, float x, float y) {
    ui_draw_line(gui, x, y - 8, x, y + 2, 1.9f, THEME_INK, 1);
    ui_draw_line(gui, x - 4, y - 2, x, y + 2.5f, 1.9f, THEME_INK, 1);
    ui_draw_line(gui, x + 4, y - 2, x, y + 2.5f, 1.9f, THEME_INK, 1);
    ui_draw_line(gui, x - 7.5f, y + 7, x + 7.5f, y + 7, 1.9f, THEME_INK, 1);
}

/* Draws a strip of film with an arrow out of it. */
static void draw_export(ui *gui, float x, float y) {
    ui_draw_box(gui, x - 9, y - 7, 11, 14, 1.5f, THEME_INK, 1);
    for (int k = 0; k < 3; k++) ui_draw_box(gui, x - 7.6f, y - 5.6f + 4.2f * (float)k, 2, 2.6f, 0.3f, dark, 1);
    ui_draw_box(gui, x - 4, y - 5, 4.6f, 10, 0.5f, dark, 1);
    ui_draw_line(gui, x - 2, y, x + 9, y, 1.9f, THEME_INK, 1);
    ui_draw_line(gui, x + 5.5f, y - 3.5f, x + 9, y, 1.9f, THEME_INK, 1);
    ui_draw_line(gui, x + 5.5f, y + 3.5f, x + 9, y, 1.9f, THEME_INK, 1);
}

static void draw_materials(const pd_screen *screen, float x, float y) {
    static const float places[3][2] = {{-4.5f, 2}, {4.5f, 2}, {0, -5}};
    int count = pd_world_scene(screen->session->world)->material_count;
    for (int k = 0; k < 3; k++) {
        float rgb[3];
        pd_viewport_compute_material_colour(screen->viewport, k < count ? k : 0, rgb);
        ui_draw_disc(screen->gui, x + places[k][0], y + places[k][1], 4.6f, THEME_INK, 0.9f);
        ui_draw_disc(screen->gui, x + places[k][0], y + places[k][1], 3.6f, rgb, 1);
    }
}

static void draw_sliders(ui *gui, float x, float y) {
    static const float knobs[3] = {3, -3.5f, 1};
    for (int k = 0; k < 3; k++) {
        float row = y + 6 * (float)(k - 1);
        ui_draw_line(gui, x - 8, row, x + 8, row, 1.6f, THEME_INK, 0.75f);
        ui_draw_disc(gui, x + knobs[k], row, 2.7f, THEME_INK, 1);
    }
}

static void draw_question(ui *gui, float x, float y) {
    float width, height;
    ui_measure_text(gui, UI_LARGE, "?", 0, &width, &height);
    ui_draw_text(gui, x - 0.5f * width, y - 0.5f * height, UI_LARGE, UI_STRONG, 1, 0, "?");
}

void pd_icon_draw_action(const pd_screen *screen, pd_action action, float x, float y) {
    ui *gui = screen->gui;
    if (action == PD_ACTION_UNDO) draw_turn(gui, x, y, 1);
    if (action == PD_ACTION_REDO) draw_turn(gui, x, y, -1);
    if (action == PD_ACTION_RESET) draw_pointer(gui, x + 2, y, 6, -1);
    if (action == PD_ACTION_RESET) ui_draw_box(gui, x - 7.5f, y - 6, 2.5f, 12, 1, THEME_INK, 1);
    if (action == PD_ACTION_REWIND) draw_pointer(gui, x - 3.5f, y, 6, -1);
    if (action == PD_ACTION_REWIND) draw_pointer(gui, x + 4, y, 6, -1);
    if (action == PD_ACTION_PAUSE) draw_pause(screen, x, y);
    if (action == PD_ACTION_STEP) draw_pointer(gui, x - 2.5f, y, 6, 1);
    if (action == PD_ACTION_STEP) ui_draw_box(gui, x + 5, y - 6, 2.5f, 12, 1, THEME_INK, 1);
    if (action == PD_ACTION_RECORD) draw_record(screen, x, y);
    if (action == PD_ACTION_SCREENSHOT) draw_camera(gui, x, y);
    if (action == PD_ACTION_SAVE) draw_save(gui, x, y);
    if (action == PD_ACTION_EXPORT) draw_export(gui, x, y);
    if (action == PD_ACTION_MATERIALS) draw_materials(screen, x, y);
    if (action == PD_ACTION_PANEL) draw_sliders(gui, x, y);
    if (action == PD_ACTION_HELP) draw_question(gui, x, y);
}
