/* The dye that a left drag paints, in methods that have dyes: its choice in the panel, and its circle. */
#include "app/overlay/interface.h"
#include "app/session/materials.h"

void pd_panel_dyes(const pd_viewport *viewport, pd_session *session, ui *gui) {
    const pd_scene *scene = pd_session_scene(session);
    if (!pd_world_method(session->world)->paints || scene->material_count == 0) return;
    float colours[PD_MAX_MATERIALS][3];
    char numbers[PD_MAX_MATERIALS][16];
    const char *names[PD_MAX_MATERIALS];
    for (int m = 0; m < scene->material_count; m++) {
        pd_viewport_material_colour(viewport, m, colours[m]);
        names[m] = pd_session_material_name(session, m, numbers[m], sizeof numbers[m]);
    }
    int chosen = pd_session_dye(session);
    ui_heading(gui, "Paint");
    if (ui_choose_colour(gui, "Left button", "Dye that a left drag leaves in the fluid, or none (D)", colours, names,
                         scene->material_count, &chosen) == UI_MOVED)
        pd_session_set_dye(session, chosen);
}

bool pd_brush_paints(const pd_session *session, const pd_pointer *pointer) {
    pd_tool_kind held = pointer->held;
    if (held == PD_TOOL_NONE) held = pd_session_tool_kind(session);
    return pd_session_dye(session) >= 0 && held == PD_TOOL_DRAG;
}

void pd_brush_draw(const pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                   const pd_display *display) {
    if (!pointer->inside || viewport->help || !pd_brush_paints(session, pointer)) return;
    static const float dark[3] = {0.02f, 0.03f, 0.06f};
    float scale = display->scale, rgb[3];
    pd_viewport_material_colour(viewport, pd_session_dye(session), rgb);
    ui_set_layer(gui, UI_BELOW);
    for (int pane = 0; pane < pd_panes_count(viewport); pane++) {
        pd_camera camera = pd_panes_camera(viewport, display, pane);
        float radius = pd_pointer_radius(pointer) * camera.pixels_per_metre / scale;
        pd_vec2 center = pd_camera_to_pixels(&camera, pointer->position);
        ui_ring(gui, center.x / scale, center.y / scale, radius, 4, dark, 0.4f); /* visible also on dye of its colour */
        ui_ring(gui, center.x / scale, center.y / scale, radius, 2, rgb, 0.95f);
    }
}
