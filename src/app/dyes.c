/* The dye that a left drag paints, in methods that have dyes: its choice in the panel and by a key, and its circle. */
#include "app/state.h"

#include "render/palette.h"
#include <stdio.h>

int pd_app_dye(const pd_app *app) { return pd_world_method(app->session.world)->paints ? app->session.dye - 1 : -1; }

static const char *name_of(const pd_app *app, int material, char *text, size_t size) {
    const char *name = pd_world_scene(app->session.world)->materials[material].name;
    if (*name) return name;
    snprintf(text, size, "%d", material + 1);
    return text;
}

/* As it is drawn now. */
static void colour_of(const pd_app *app, int material, float rgb[3]) {
    uint32_t packed = pd_palette_material(app->viewport.palette, &app->viewport.view, material);
    for (int i = 0; i < 3; i++) rgb[i] = (float)(packed >> (8 * i) & 255) / 255;
}

static void set_dye(pd_app *app, int material) {
    char number[16];
    app->session.dye = material + 1;
    pd_announce_word(&app->viewport.announcer, "Dye",
                     material < 0 ? "none" : name_of(app, material, number, sizeof number));
}

void pd_app_next_dye(pd_app *app) {
    const pd_method_info *method = pd_world_method(app->session.world);
    int next = app->session.dye + 1;
    if (!method->paints)
        pd_announce(&app->viewport.announcer, "%s has no dyes", method->title);
    else
        set_dye(app, next <= pd_world_scene(app->session.world)->material_count ? next - 1 : -1);
}

void pd_panel_dyes(pd_app *app) {
    const pd_scene *scene = pd_world_scene(app->session.world);
    if (!pd_world_method(app->session.world)->paints || scene->material_count == 0) return;
    float colours[PD_MAX_MATERIALS][3];
    char numbers[PD_MAX_MATERIALS][16];
    const char *names[PD_MAX_MATERIALS];
    for (int m = 0; m < scene->material_count; m++) {
        colour_of(app, m, colours[m]);
        names[m] = name_of(app, m, numbers[m], sizeof numbers[m]);
    }
    int chosen = pd_app_dye(app);
    ui_heading(app->device.ui, "Paint");
    if (ui_choose_colour(app->device.ui, "Left drag", "The dye that a left drag leaves in the fluid, or none (D)",
                         colours, names, scene->material_count, &chosen) == UI_MOVED)
        set_dye(app, chosen);
}

bool pd_app_paints(const pd_app *app) {
    pd_tool_kind held = app->device.pointer.held;
    return pd_app_dye(app) >= 0 && (held == PD_TOOL_NONE || held == PD_TOOL_DRAG);
}

void pd_app_draw_brush(pd_app *app) {
    if (!app->device.pointer.inside || app->viewport.help || !pd_app_paints(app)) return;
    static const float dark[3] = {0.02f, 0.03f, 0.06f};
    int width, height;
    pd_camera camera;
    pd_app_picture_size(app, &width, &height);
    pd_camera_fit(&camera, &app->viewport.view, width, height);
    float scale = app->device.display.scale, rgb[3], radius = pd_pointer_radius(app) * camera.pixels_per_metre / scale;
    pd_vec2 center = pd_camera_to_pixels(&camera, app->device.pointer.position);
    colour_of(app, pd_app_dye(app), rgb);
    ui_set_layer(app->device.ui, UI_BELOW);
    ui_ring(app->device.ui, center.x / scale, center.y / scale, radius, 4, dark,
            0.4f); /* visible also on dye of its colour */
    ui_ring(app->device.ui, center.x / scale, center.y / scale, radius, 2, rgb, 0.95f);
}
