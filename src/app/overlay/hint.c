/* What to do: at the lower left, in the first seconds, and as long as there is nothing to see. */
#include "app/overlay/interface.h"

#include <math.h>

static const float EDGE = 10, INSET_X = 16, INSET_Y = 7, GAP = 8; /* units */
static const float LEAST_WIDTH = 190;                             /* units */
static const float PLATE = 1.1f;                                  /* opacity */
static const double SHOWN = 9, FADE = 1.5;                        /* s */
static const float FAINT = 0.01f;                                 /* amount of dye that is not seen */
static const double REST = 1e-3;                                  /* of the scene's speed scale */
/* Wide gaps: several hints in one line. */
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

/* Negative: it is gone. */
static double seconds_left(const pd_viewport *viewport) {
    return viewport->touched ? -1 : SHOWN - (viewport->now - viewport->started);
}

bool pd_hint_fading(const pd_viewport *viewport) {
    double left = seconds_left(viewport);
    return !viewport->hud.hint && left < FADE && left > -0.1; /* the last frame is drawn without it */
}

/* What the hints say is of the hand: they go when another tool is chosen, and the first one does not come back. */
void pd_hint_draw(pd_viewport *viewport, const pd_session *session, ui *gui) {
    if (session->tool != PD_BAR_HAND) viewport->touched = true;
    if (session->tool != PD_BAR_HAND) return;
    const char *text = viewport->hud.hint ? viewport->hud.hint : first;
    double left = viewport->hud.hint ? FADE : seconds_left(viewport);
    if (viewport->help || left <= 0) return;
    float room = ui_width(gui) - pd_panel_cover(viewport) - 2 * EDGE, width, height, foot = ui_height(gui) - EDGE;
    for (int i = 0; i < viewport->hud.plate_count;
         i++) { /* beside the legend, or where that leaves little room above it */
        const pd_plate *plate = &viewport->hud.plates[i];
        if (plate->y < 0.5f * ui_height(gui)) continue;
        if (plate->x - GAP - EDGE > LEAST_WIDTH)
            room = fminf(room, plate->x - GAP - EDGE);
        else
            foot = fminf(foot, plate->y - GAP);
    }
    ui_measure(gui, UI_NORMAL, text, room - 2 * INSET_X, &width, &height);
    width += 2 * INSET_X;
    height += 2 * INSET_Y;
    float y = foot - height, opacity = (float)fmin(1, left / FADE);
    if (width > room || !pd_plate_is_free(viewport, EDGE, y, width, height)) return;
    pd_plate_draw(viewport, gui, EDGE, y, width, height, PLATE * opacity);
    ui_text(gui, EDGE + INSET_X, y + INSET_Y, UI_NORMAL, UI_PLAIN, 0.95f * opacity, room - 2 * INSET_X, text);
}
