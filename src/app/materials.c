/* The panel's materials: properties with a value of their own, and those that follow the method's parameters. */
#include "app/state.h"

#include "core/text.h"
#include "render/palette.h"
#include <math.h>
#include <stdio.h>

static void describe(const pd_parameter *parameter, float fallback, char *help, size_t size) {
    char value[64], range[PD_RANGE_TEXT];
    pd_app_parameter_text(parameter, fallback, value, sizeof value);
    snprintf(help, size, "%s\n%s%sUnless set here: %s, as above; from %s\nCtrl+click types a value", parameter->help,
             parameter->source, *parameter->source ? "\n" : "", value,
             pd_text_range((double)parameter->minimum, (double)parameter->maximum, range));
}

static void property_row(pd_app *app, int material, pd_property property) {
    int index = pd_app_property_parameter(app, property);
    if (index < 0) return;
    const pd_parameter *parameter = &pd_world_method(app->session.world)->parameters[index];
    char help[512];
    float standard, shared = pd_app_parameter(app, index, &standard);
    bool own;
    float value = pd_app_property(app, material, property, &own), next = value;
    describe(parameter, shared, help, sizeof help);
    ui_slider slider = {
        .help = help, .own_help = "On: this material's own value; off: it follows the value above", .follows = !own};
    ui_change change = pd_panel_number(app, parameter, &slider, standard, &next);
    if (change == UI_RESET)
        pd_app_reset_property(app, material, property);
    else if (change == UI_OWN || (change != UI_SAME && next != value))
        pd_app_set_property(app, material, property, next);
}

static bool has_own_property(const pd_material *material) {
    for (int p = 0; p < PD_PROPERTIES; p++)
        if (!isnan(material->property[p])) return true;
    return false;
}

/* A method without parameters for the properties uses the mass alone: there is nothing to open. */
static ui_opening opening_of(const pd_app *app, const pd_material *material) {
    bool known = false;
    for (int p = 0; p < PD_PROPERTIES; p++)
        if (pd_app_property_parameter(app, (pd_property)p) >= 0) known = true;
    if (!known) return UI_BARE;
    return has_own_property(material) || pd_world_scene(app->session.world)->material_count == 1 ? UI_OPENED
                                                                                                 : UI_CLOSED;
}

void pd_panel_materials(pd_app *app) {
    const pd_scene *scene = pd_world_scene(app->session.world);
    if (scene->material_count == 0) return;
    ui_heading(app->device.ui, scene->material_count == 1 ? "Material" : "Materials");
    for (int m = 0; m < scene->material_count; m++) {
        const pd_material *material = &scene->materials[m];
        uint32_t packed = pd_palette_material(app->viewport.palette, &app->viewport.view, m); /* as drawn now */
        float rgb[3];
        for (int i = 0; i < 3; i++) rgb[i] = (float)(packed >> (8 * i) & 255) / 255;
        char note[48], number[32];
        snprintf(note, sizeof note, "mass %s", pd_app_number((double)material->mass, number, sizeof number));
        const char *name = *material->name ? material->name : "without a name";
        if (ui_section(app->device.ui, m, name, note, rgb, opening_of(app, material)))
            for (int p = 0; p < PD_PROPERTIES; p++) property_row(app, m, (pd_property)p);
        ui_section_end(app->device.ui);
    }
}
