/* The panel's materials: properties with a value of their own, and those that follow the method's parameters. */
#include "app/interface.h"

#include "core/text.h"
#include <math.h>
#include <stdio.h>

static void describe(const pd_parameter *parameter, float fallback, char *help, size_t size) {
    char value[64], range[PD_RANGE_TEXT];
    pd_app_parameter_text(parameter, fallback, value, sizeof value);
    snprintf(help, size, "%s\n%s%sUnless set here: %s, as above; from %s\nCtrl+click types a value", parameter->help,
             parameter->source, *parameter->source ? "\n" : "", value,
             pd_text_range((double)parameter->minimum, (double)parameter->maximum, range));
}

static void property_row(pd_session *session, ui *gui, int material, pd_property property) {
    int index = pd_session_property_parameter(session, property);
    if (index < 0) return;
    const pd_parameter *parameter = &pd_world_method(session->world)->parameters[index];
    char help[512];
    float standard, shared = pd_session_parameter(session, index, &standard);
    bool own;
    float value = pd_session_property(session, material, property, &own), next = value;
    describe(parameter, shared, help, sizeof help);
    ui_slider slider = {
        .help = help, .own_help = "On: this material's own value; off: it follows the value above", .follows = !own};
    ui_change change = pd_panel_number(gui, parameter, &slider, standard, &next);
    if (change == UI_RESET)
        pd_session_reset_property(session, material, property);
    else if (change == UI_OWN || (change != UI_SAME && next != value))
        pd_session_set_property(session, material, property, next);
}

static bool has_own_property(const pd_material *material) {
    for (int p = 0; p < PD_PROPERTIES; p++)
        if (!isnan(material->property[p])) return true;
    return false;
}

/* A method without parameters for the properties uses the mass alone: there is nothing to open. */
static ui_opening opening_of(const pd_session *session, const pd_material *material) {
    bool known = false;
    for (int p = 0; p < PD_PROPERTIES; p++)
        if (pd_session_property_parameter(session, (pd_property)p) >= 0) known = true;
    if (!known) return UI_BARE;
    return has_own_property(material) || pd_world_scene(session->world)->material_count == 1 ? UI_OPENED : UI_CLOSED;
}

void pd_panel_materials(const pd_viewport *viewport, pd_session *session, ui *gui) {
    const pd_scene *scene = pd_world_scene(session->world);
    if (scene->material_count == 0) return;
    ui_heading(gui, scene->material_count == 1 ? "Material" : "Materials");
    for (int m = 0; m < scene->material_count; m++) {
        const pd_material *material = &scene->materials[m];
        float rgb[3];
        pd_viewport_material_colour(viewport, m, rgb); /* as drawn now */
        char note[48], number[32];
        snprintf(note, sizeof note, "mass %s", pd_app_number((double)material->mass, number, sizeof number));
        const char *name = *material->name ? material->name : "without a name";
        if (ui_section(gui, m, name, note, rgb, opening_of(session, material)))
            for (int p = 0; p < PD_PROPERTIES; p++) property_row(session, gui, m, (pd_property)p);
        ui_section_end(gui);
    }
}
