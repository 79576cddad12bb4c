/* What the chosen tool would do where the pointer is, as far as the thin circle around the pointer does not show it. */
#include "app/interface.h"

#include <math.h>

/* What a press would be, or the press that there is. */
static pd_tool_kind kind_of(const pd_session *session, const pd_pointer *pointer) {
    return pointer->held != PD_TOOL_NONE ? pointer->held : pd_bar_row_of(session->tool)->kind;
}

bool pd_ghost_is_shown(const pd_session *session, const pd_pointer *pointer) {
    pd_tool_kind kind = kind_of(session, pointer);
    return kind == PD_TOOL_POUR || kind == PD_TOOL_ERASE;
}

void pd_ghost_draw(const pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                   const pd_display *display) {
    static const float dark[3] = {0.02f, 0.03f, 0.06f}, light[3] = {0.93f, 0.95f, 1.00f};
    if (!pointer->inside || viewport->help || !pd_ghost_is_shown(session, pointer)) return;
    pd_camera camera = pd_panel_camera(viewport, display);
    float scale = display->scale, rgb[3], radius = pd_pointer_radius(pointer) * camera.pixels_per_metre / scale;
    pd_vec2 pixel = pd_camera_to_pixels(&camera, pointer->position);
    float x = pixel.x / scale, y = pixel.y / scale, arm = 0.7071f * radius;
    bool pours = kind_of(session, pointer) == PD_TOOL_POUR;
    if (pours) pd_viewport_material_colour(viewport, pd_session_poured(session), rgb);
    ui_set_layer(gui, UI_BELOW);
    if (pours) ui_disc(gui, x, y, radius, rgb, 0.30f);
    ui_ring(gui, x, y, radius, 4, dark, 0.45f); /* visible also on fluid of its colour */
    if (!pours)
        for (int side = -1; side <= 1; side += 2) {
            ui_line(gui, x - arm, y - (float)side * arm, x + arm, y + (float)side * arm, 3.5f, dark, 0.35f);
            ui_line(gui, x - arm, y - (float)side * arm, x + arm, y + (float)side * arm, 1.5f, light, 0.7f);
        }
    ui_ring(gui, x, y, radius, 2, pours ? rgb : light, 0.95f);
}
