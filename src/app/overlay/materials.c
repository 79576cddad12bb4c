/* Rows of the panel for each material: colour, mass and properties, with an own value or that of the method's parameter. */
#include "app/overlay/interface.h"

#include "core/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void describe(const pd_parameter *parameter, float fallback, bool own, char *help, size_t size) {
    char value[64], range[PD_RANGE_TEXT];
    pd_app_format_parameter(parameter, fallback, value, sizeof value);
    snprintf(help, size, "%s\n%sDefault: %s, as under Advanced; from %s\nCtrl+click types a value", parameter->help,
             own ? "" : "Grey: the value of all materials. A drag gives this material its own value\n", value,
             pd_text_write_range((double)parameter->minimum, (double)parameter->maximum, range));
}

static void property_row(pd_session *session, ui *gui, int material, pd_property property) {
    float standard, shared;
    const pd_parameter *parameter = pd_session_property_parameter(session, property, &shared, &standard);
    if (!parameter) return;
    char help[640];
    bool own;
    float value = pd_session_property_value(session, material, property, &own), next = value;
    describe(parameter, shared, own, help, sizeof help);
    ui_slider slider = {.help = help,
                        .own_help = "Ticked: this material has a value of its own.\nNot ticked: it has the value of "
                                    "all materials, under Advanced",
                        .follows = !own};
    ui_set_next_row_citation(gui, parameter->source);
    ui_change change = pd_panel_draw_slider(gui, parameter, &slider, standard, &next);
    if (change == UI_RESET)
        pd_session_set_property(session, material, property, NAN);
    else if (change == UI_OWN || (change != UI_SAME && next != value))
        pd_session_set_property(session, material, property, next);
}

/* Draws the rows for a material's colour, mass and removal. */
static void edit_rows(pd_session *session, ui *gui, int index) {
    static const pd_parameter mass = {.title = "Mass",
                                      .help = "Weight of the material, 1 as water: heavy materials sink in light ones",
                                      .unit = "",
                                      .scale = PD_SCALE_LOGARITHMIC,
                                      .default_value = 1,
                                      .minimum = 1e-3f,
                                      .maximum = 1e3f};
    const pd_scene *scene = pd_world_scene(session->world);
    if (index >= scene->material_count) return;
    pd_material material = scene->materials[index], before = material;
    uint8_t rgb[3] = {material.red, material.green, material.blue};
    if (ui_edit_colour(gui, "Colour", "Click to change the colour, which the palette 'scene' shows", rgb)) {
        material.red = rgb[0];
        material.green = rgb[1];
        material.blue = rgb[2];
    }
    char help[128];
    snprintf(help, sizeof help, "%s\nFrom 0.001 to 1000\nCtrl+click types a value", mass.help);
    ui_slider slider = {.help = help, .modified = material.mass != 1};
    ui_change change = pd_panel_draw_slider(gui, &mass, &slider, 1, &material.mass);
    if (change == UI_RESET) material.mass = 1;
    bool recoloured = material.red != before.red || material.green != before.green || material.blue != before.blue;
    if (recoloured || material.mass != before.mass) pd_session_replace_material(session, index, &material);
    /* read again, since the change above may have replaced the scene */
    bool several = pd_world_scene(session->world)->material_count > 1;
    if (several && ui_draw_row_button(gui, "Remove", "Removes this material if no fluid and no item uses it"))
        pd_session_remove_material(session, index);
}

static bool has_own_property(const pd_material *material) {
    for (int p = 0; p < PD_PROPERTIES; p++)
        if (!isnan(material->property[p])) return true;
    return false;
}

static ui_opening opening_of(const pd_viewport *viewport, const pd_session *session, int index) {
    const pd_scene *scene = pd_world_scene(session->world);
    bool newest = strcmp(viewport->material_palette.newest, scene->materials[index].name) == 0;
    return newest || has_own_property(&scene->materials[index]) || scene->material_count == 1 ? UI_OPENED : UI_CLOSED;
}

void pd_panel_draw_materials(const pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    pd_session *session = screen->session;
    ui *gui = screen->gui;
    const pd_scene *scene = pd_world_scene(session->world);
    if (scene->material_count == 0) return;
    ui_draw_heading(gui, scene->material_count == 1 ? "Material" : "Materials");
    for (int m = 0; m < scene->material_count; m++) {
        const pd_material *material = &scene->materials[m];
        float rgb[3];
        pd_viewport_compute_material_colour(viewport, m, rgb); /* colour under the present view and palette */
        char note[48], number[32];
        snprintf(note, sizeof note, "mass %s", pd_app_format_number((double)material->mass, number, sizeof number));
        const char *name = *material->name ? material->name : "unnamed";
        bool shown = ui_section_begin(gui, m, name, note, rgb, opening_of(viewport, session, m));
        if (viewport->material_palette.scrolls_to_newest &&
            strcmp(viewport->material_palette.newest, material->name) == 0) {
            ui_scroll_to_last_row(gui);
            viewport->material_palette.scrolls_to_newest = false;
        }
        if (shown) {
            for (int p = 0; p < PD_PROPERTIES; p++) property_row(session, gui, m, (pd_property)p);
            edit_rows(session, gui, m);
        }
        ui_section_end(gui);
    }
}
