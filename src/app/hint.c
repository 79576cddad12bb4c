/* What to do: at the lower left, in the first seconds, and as long as there is nothing to see. */
#include "app/state.h"

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

static bool has_dye(const pd_view *view) {
    const pd_field *smoke = pd_view_field(view, "smoke");
    if (!smoke || !smoke->values) return true;
    for (int k = 0; k < smoke->layers * smoke->nx * smoke->ny; k++)
        if (smoke->values[k] > FAINT) return true;
    return false;
}

const char *pd_app_find_hint(const pd_app *app) {
    const pd_view *view = &app->viewport.view;
    bool moves = pd_view_number(view, "max_speed") > REST * (double)view->speed_scale;
    bool empty = pd_world_method(app->session.world)->paints && view->count == 0 &&
                 pd_world_scene(app->session.world)->emitter_count == 0 && !has_dye(view);
    if (!empty) return NULL;
    if (!moves) return still;
    return app->viewport.mode->kind == PD_VIEW_IMAGE || pd_app_lines(app) != PD_LINES_NONE ? NULL : unseen;
}

static double seconds_left(const pd_app *app) {
    return app->viewport.touched ? 0 : SHOWN - (app->viewport.now - app->viewport.started);
}

bool pd_app_hint_fading(const pd_app *app) {
    double left = seconds_left(app);
    return !app->viewport.hud.hint && left < FADE && left > -0.1; /* the last frame is drawn without it */
}

void pd_app_draw_hint(pd_app *app) {
    const char *text = app->viewport.hud.hint ? app->viewport.hud.hint : first;
    double left = app->viewport.hud.hint ? FADE : seconds_left(app);
    if (app->viewport.help || left <= 0) return;
    float room = ui_width(app->device.ui) - pd_app_panel_cover(app) - 2 * EDGE, width, height,
          foot = ui_height(app->device.ui) - EDGE;
    for (int i = 0; i < app->viewport.hud.plate_count;
         i++) { /* beside the legend, or where that leaves little room above it */
        const pd_plate *plate = &app->viewport.hud.plates[i];
        if (plate->y < 0.5f * ui_height(app->device.ui)) continue;
        if (plate->x - GAP - EDGE > LEAST_WIDTH)
            room = fminf(room, plate->x - GAP - EDGE);
        else
            foot = fminf(foot, plate->y - GAP);
    }
    ui_measure(app->device.ui, UI_NORMAL, text, room - 2 * INSET_X, &width, &height);
    width += 2 * INSET_X;
    height += 2 * INSET_Y;
    float y = foot - height, opacity = (float)fmin(1, left / FADE);
    if (width > room || !pd_app_is_free(app, EDGE, y, width, height)) return;
    pd_app_plate(app, EDGE, y, width, height, PLATE * opacity);
    ui_text(app->device.ui, EDGE + INSET_X, y + INSET_Y, UI_NORMAL, UI_PLAIN, 0.95f * opacity, room - 2 * INSET_X,
            text);
}
