/* The hint at the lower left: shown in the first seconds, and while the picture shows no motion. */
#include "app/overlay/interface.h"

#include <math.h>

/* units: text in its background, least width of the text */
static const float INSET_X = 16, INSET_Y = 7, LEAST_WIDTH = 190;
static const double SHOWN = 9, FADE = 1.5; /* s: duration of the first hint, and of its fading */
static const float FAINT = 0.01f;          /* amount of dye below which it is invisible */
static const double REST = 1e-3;           /* speed / pd_view.speed_scale, below which fluid rests */
/* Wide gaps separate hints in one line. */
static const char first[] = "drag the fluid      H for help";
static const char still[] = "drag to stir      D, then drag: paint a dye      H for help";
static const char unseen[] = "D, then drag: paint a dye      V: see the speed      H for help";

static const char vacant[] = "the container is empty      F5, then drag: pour      H for help";

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

/* Returns the seconds until the first hint ends. Negative: it has ended. */
static double seconds_left(const pd_viewport *viewport) {
    return viewport->fluid_dragged ? -1 : SHOWN - (viewport->now - viewport->started);
}

static bool is_fading(const pd_screen *screen) {
    const pd_viewport *viewport = screen->viewport;
    double left = seconds_left(viewport);
    return !viewport->hud.hint && left < FADE && left > -0.1; /* a frame after the end removes the hint */
}

/* Draws the hint. Hints are about the tool Hand: another tool hides them, and ends the first one. */
static void draw(pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    ui *gui = screen->gui;
    bool hand = screen->session->tool == PD_BAR_HAND;
    if (!hand) viewport->fluid_dragged = true;
    const char *text = viewport->hud.hint ? viewport->hud.hint : first;
    double left = viewport->hud.hint ? FADE : seconds_left(viewport);
    if (!hand || viewport->help || left <= 0) return;
    float room = ui_width(gui) - pd_panel_width(screen) - 2 * THEME_EDGE, foot = ui_height(gui) - THEME_EDGE, width,
          height;
    for (int i = 0; i < viewport->hud.plate_count; i++) {
        const pd_plate *plate = &viewport->hud.plates[i];
        float beside = plate->x - THEME_GAP - THEME_EDGE;
        if (plate->y < 0.5f * ui_height(gui)) continue;
        if (beside > LEAST_WIDTH)
            room = fminf(room, beside);
        else
            foot = fminf(foot, plate->y - THEME_GAP);
    }
    ui_measure(gui, UI_NORMAL, text, room - 2 * INSET_X, &width, &height);
    pd_plate plate = {THEME_EDGE, foot - height - 2 * INSET_Y, width + 2 * INSET_X, height + 2 * INSET_Y};
    if (plate.width > room || !pd_plate_is_free(viewport, &plate)) return;
    float opacity = (float)fmin(1, left / FADE);
    pd_plate_draw(screen, &plate, THEME_OPACITY * opacity);
    ui_draw_text(gui, plate.x + INSET_X, plate.y + INSET_Y, UI_NORMAL, UI_PLAIN, 0.95f * opacity, room - 2 * INSET_X,
                 text);
}

const pd_layer pd_hint_layer = {.draw = draw, .is_fading = is_fading};
