/* The panel at the right: method, selected body, materials, gravity, view and time; then parameters, memory and charts. */
#include "app/io/settings.h"
#include "app/overlay/interface.h"
#include "app/session/session.h"
#include "app/tables/tools.h"

#include "core/error.h"
#include "core/text.h"
#include "render/lines/lines.h"
#include "render/palette.h"
#include "scene/schema.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 4 }; /* significant digits of the values that a slider sets; 3 are shown */

/* Range of a slider. Parameters allow up to six decades, so a logarithmic slider has one decade on either side of the default. */
typedef struct value_range {
    float low, high;
    bool logarithmic, from_zero;
} value_range;

static value_range range_of(const pd_parameter *parameter, float value, float fallback) {
    value_range range = {parameter->minimum, parameter->maximum, parameter->scale == PD_SCALE_LOGARITHMIC, false};
    if (!range.logarithmic) return range;
    if (range.low <= 0) {
        range.from_zero = true;
        range.low = range.high * 1e-4f;
    }
    if (fallback > 0) {
        range.low = fmaxf(range.low, fallback / 10);
        range.high = fminf(range.high, fallback * 10);
    }
    if (value > 0) {
        range.low = fminf(range.low, value);
        range.high = fmaxf(range.high, value);
    }
    return range;
}

static float to_fraction(const value_range *range, float value) {
    if (!range->logarithmic) return (value - range->low) / (range->high - range->low);
    if (value < range->low) return 0;
    return logf(value / range->low) / logf(range->high / range->low);
}

static float from_fraction(const value_range *range, float fraction) {
    if (!range->logarithmic) return range->low + fraction * (range->high - range->low);
    if (range->from_zero && fraction <= 0.002f) return 0;
    return range->low * powf(range->high / range->low, fraction);
}

static bool differs(float a, float b) { return fabsf(a - b) > 1e-5f * fmaxf(fabsf(a), fabsf(b)); }

/* Draws a row with a slider for a number, and sets label, text, fraction and value of `slider`. fallback: the default value,
 * in the middle of a logarithmic slider. *value: in and out. */
static ui_change draw_slider(ui *gui, const pd_parameter *parameter, ui_slider *slider, float fallback, float *value) {
    value_range range = range_of(parameter, *value, fallback);
    char text[64];
    slider->label = parameter->title;
    slider->text = pd_app_format_parameter(parameter, *value, text, sizeof text);
    slider->fraction = to_fraction(&range, *value);
    slider->value = *value;
    ui_change change = ui_draw_slider(gui, slider);
    if (change == UI_MOVED) *value = pd_round_to_digits(from_fraction(&range, slider->fraction), DIGITS);
    if (change == UI_TYPED) *value = slider->value;
    if (parameter->type == PD_PARAMETER_INTEGER) *value = roundf(*value);
    *value = fminf(fmaxf(*value, parameter->minimum), parameter->maximum);
    return change;
}

ui_change pd_panel_delay_slider(pd_held_slider *held, const pd_parameter *parameter, const ui_slider *slider,
                                ui_change change, float *value) {
    if (!parameter->rebuilds) return change;
    bool waits = held->parameter == parameter;
    if (change == UI_MOVED)
        *held = (pd_held_slider){parameter, *value};
    else if (change != UI_SAME && waits)
        *held = (pd_held_slider){0};
    if (change != UI_MOVED && change != UI_SAME) return change;
    if (held->parameter != parameter || slider->held) return UI_SAME;
    *value = held->value;
    *held = (pd_held_slider){0};
    return UI_MOVED;
}

static void parameter_row(const pd_screen *screen, int index) {
    pd_held_slider *held = &screen->viewport->slider;
    pd_session *session = screen->session;
    ui *gui = screen->gui;
    const pd_method_info *method = pd_world_method(session->world);
    const pd_parameter *parameter = pd_method_parameter_at(method, index);
    char help[512];
    float fallback, value = pd_session_parameter_value(session, index, &fallback);
    char standard[64], limits[128] = "", range[PD_RANGE_TEXT];
    pd_app_format_parameter(parameter, fallback, standard, sizeof standard);
    bool ranged = parameter->type == PD_PARAMETER_NUMBER || parameter->type == PD_PARAMETER_INTEGER;
    if (ranged)
        snprintf(limits, sizeof limits, ", from %s\nCtrl+click types a value",
                 pd_text_write_range((double)parameter->minimum, (double)parameter->maximum, range));
    snprintf(help, (sizeof help), "%s\nDefault %s%s", parameter->help, standard, limits);
    ui_set_next_row_citation(gui, parameter->source);
    ui_change change;
    float next = value;
    if (parameter->type == PD_PARAMETER_BOOLEAN) {
        bool on = value != 0;
        change = ui_draw_check_box(gui, parameter->title, help, differs(value, fallback), &on);
        next = on;
    } else if (parameter->type == PD_PARAMETER_CHOICE) {
        int choice = (int)value;
        char words[256];
        snprintf(words, sizeof words, "%s", parameter->choices);
        for (char *c = words; *c; c++)
            if (*c == '_') *c = ' ';
        change = ui_choose_item(gui, parameter->title, help, differs(value, fallback), words, &choice);
        next = (float)choice;
    } else {
        ui_slider slider = {.help = help, .modified = differs(value, fallback)};
        if (held->parameter == parameter) next = held->value;
        change = draw_slider(gui, parameter, &slider, fallback, &next);
        change = pd_panel_delay_slider(held, parameter, &slider, change, &next);
    }
    if (change == UI_RESET)
        pd_session_reset_parameter(session, index);
    else if (change != UI_SAME && next != value)
        pd_session_set_parameter(session, index, next);
}

/* Draws the menu of methods, and a line about the running method. A choice takes effect at once: the rows below are those of
 * the new method. The menu is the first row, which no change of method moves. */
static void draw_method(pd_session *session, ui *gui) {
    enum { MAX_METHODS = 9 };
    const char *titles[MAX_METHODS], *abouts[MAX_METHODS];
    const pd_method_info *running = pd_world_method(session->world);
    int count = 0, chosen = 0;
    for (; count < pd_method_count() && count < MAX_METHODS; count++) {
        const pd_method_info *method = pd_method_at(count);
        if (method == running) chosen = count;
        titles[count] = method->title;
        abouts[count] = method->suits;
    }
    ui_draw_heading(gui, "Method");
    if (ui_choose_unlabelled(gui, "Method", titles, abouts, count, &chosen) == UI_MOVED)
        pd_session_set_method(session, pd_method_at(chosen));
    ui_draw_note(gui, running->suits);
}

static void draw_parameters(const pd_screen *screen) {
    pd_session *session = screen->session;
    ui *gui = screen->gui;
    const pd_method_info *method = pd_world_method(session->world);
    ui_draw_heading(gui, method->title);
    /* Draws the scales from which the defaults are computed: "Defaults are for 0.25 m and 4.1 m/s: water 2 m deep". */
    char line[160], length[32], speed[32], height[32];
    pd_app_format_number((double)screen->viewport->view.length_scale, length, sizeof length);
    pd_app_format_number((double)(screen->viewport->view.speed_scale * sqrtf(screen->viewport->view.load)), speed,
                         sizeof speed);
    pd_app_format_number((double)screen->viewport->view.fluid_height, height, sizeof height);
    snprintf(line, sizeof line, "Defaults are for the length %s m and the speed %s m/s", length, speed);
    if (screen->viewport->view.load > 1) pd_text_append(line, sizeof line, ", in fluid %s m high", height);
    ui_draw_note(gui, line);
    ui_group_begin(gui, method->name);
    for (int i = 0; i < method->parameter_count; i++) parameter_row(screen, i);
    if (ui_draw_row_button(gui, "All defaults", "Sets every value above to its default"))
        for (int i = 0; i < method->parameter_count; i++) pd_session_reset_parameter(session, i);
    ui_group_end(gui);
}

/* ---- The selected body and its joints ---- */

/* A number of a body or joint with a slider. Help and greatest range are in the schema of scenes. */
typedef struct value_row {
    const char *key, *title, *unit;
    pd_parameter_scale scale;
    float low, high; /* range of the slider; 0, 0: that of the schema */
} value_row;

/* Draws a slider for a number of a record. Returns whether the user changed the number. */
static bool draw_value(ui *gui, const pd_record_schema *schema, const value_row *row, float default_value,
                       void *record) {
    const pd_record_field *field = schema->fields;
    while (strcmp(field->key, row->key) != 0) field++;
    float *value = (float *)(void *)((char *)record + field->offset), next = *value;
    bool narrowed = row->low < row->high;
    pd_parameter parameter = {.title = row->title,
                              .help = field->help,
                              .unit = row->unit,
                              .scale = row->scale,
                              .default_value = default_value,
                              .minimum = narrowed ? row->low : (float)field->low,
                              .maximum = narrowed ? row->high : (float)field->high};
    char help[256], range[PD_RANGE_TEXT];
    snprintf(help, sizeof help, "%s\nFrom %s\nCtrl+click types a value", field->help,
             pd_text_write_range((double)parameter.minimum, (double)parameter.maximum, range));
    ui_slider slider = {.help = help, .modified = next != default_value};
    ui_change change = draw_slider(gui, &parameter, &slider, default_value, &next);
    if (change == UI_RESET) next = default_value;
    bool changed = change != UI_SAME && next != *value;
    if (changed) *value = next;
    return changed;
}

/* Draws the field of the name. The body gets the name when the user presses Enter or leaves the field. */
static bool draw_name(pd_viewport *viewport, ui *gui, pd_scene_body *body) {
    pd_body_name *name = &viewport->body_name;
    bool was_active = name->active;
    if (!was_active) {
        memcpy(name->text, body->name, sizeof name->text);
        memcpy(name->before, body->name, sizeof name->before);
    }
    ui_draw_row_label(gui, "Name");
    bool entered =
        ui_edit_text(gui, "Body name", "unnamed", UI_FOCUS_BY_CLICK, name->text, sizeof name->text) == UI_TYPED;
    name->active = ui_is_editing_text(gui);
    bool ends = entered || (was_active && !name->active), same_body = strcmp(name->before, body->name) == 0;
    if (!ends || !same_body || strcmp(name->text, body->name) == 0) return false;
    memcpy(body->name, name->text, sizeof body->name);
    return true;
}

static bool draw_colour(ui *gui, pd_scene_body *body) {
    float shown[3];
    uint8_t rgb[3];
    pd_lines_get_body_colour(&body->area, shown);
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)lroundf(255 * shown[k]);
    if (!ui_edit_colour(gui, "Colour", "Click to change the colour", rgb)) return false;
    body->area.color = (pd_own_color){rgb[0], rgb[1], rgb[2], true};
    return true;
}

static void draw_body_rows(pd_viewport *viewport, pd_session *session, ui *gui, int index) {
    const pd_scene_body standard = pd_body_default();
    static const value_row density = {"density", "Density", "", PD_SCALE_LOGARITHMIC, 0.01f, 100},
                           friction = {"friction", "Friction", "", PD_SCALE_LINEAR, 0, 2},
                           restitution = {"restitution", "Bounce", "", PD_SCALE_LINEAR, 0, 0};
    pd_scene_body body = pd_world_scene(session->world)->bodies[index];
    bool changed = draw_name(viewport, gui, &body);
    changed |= draw_value(gui, &pd_body_schema, &density, standard.density, &body);
    changed |= draw_value(gui, &pd_body_schema, &friction, standard.friction, &body);
    changed |= draw_value(gui, &pd_body_schema, &restitution, standard.restitution, &body);
    ui_change change =
        ui_draw_check_box(gui, "Never turns", "Ticked: the body keeps its angle", body.fixed_angle, &body.fixed_angle);
    if (change == UI_RESET) body.fixed_angle = false;
    changed |= change != UI_SAME;
    changed |= draw_colour(gui, &body);
    if (changed) pd_session_replace_body(session, index, &body);
}

/* Draws the rows of the motors and ropes of a body. */
static void draw_joint_rows(pd_session *session, ui *gui, int index) {
    static const value_row speed = {"speed", "Motor speed", "°/s", PD_SCALE_LINEAR, -720, 720};
    const pd_scene *scene = pd_world_scene(session->world);
    const char *name = scene->bodies[index].name;
    for (int i = 0; i < scene->joint_count && *name; i++) {
        pd_scene_joint joint = scene->joints[i];
        bool own = strcmp(joint.bodies[0], name) == 0 || strcmp(joint.bodies[1], name) == 0;
        char group[32];
        if (!own || joint.type != PD_JOINT_MOTOR) continue;
        snprintf(group, sizeof group, "motor %d", i);
        ui_group_begin(gui, group);
        bool changed = draw_value(gui, &pd_joint_schema, &speed, 90, &joint);
        ui_group_end(gui);
        if (!changed) continue;
        pd_session_replace_joint(session, i, &joint);
        return; /* the scene has been replaced */
    }
}

static void draw_selected_body(const pd_screen *screen) {
    pd_session *session = screen->session;
    ui *gui = screen->gui;
    int index = pd_session_selected_body(session), count = pd_world_scene(session->world)->body_count;
    if (count == 0) return;
    ui_draw_heading(gui, index < 0 ? "Bodies" : "Body");
    if (index < 0) {
        char note[96];
        snprintf(note, sizeof note, "Click a body with %s (%s) to change it", pd_bar_tool_row(PD_BAR_MOVE)->name,
                 pd_bar_tool_key_name(PD_BAR_MOVE));
        ui_draw_note(gui, note);
        return;
    }
    ui_group_begin(gui, "Body");
    draw_body_rows(screen->viewport, session, gui, index);
    draw_joint_rows(session, gui, index);
    if (ui_draw_row_button(gui, "Remove body", "Removes this body and its joints"))
        pd_session_remove_body(session, index);
    ui_group_end(gui);
}

/* ---- Materials: colour, mass and properties, with an own value or that of the method's parameter ---- */

static void describe_property(const pd_parameter *parameter, float fallback, bool own, char *help, size_t size) {
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
    describe_property(parameter, shared, own, help, sizeof help);
    ui_slider slider = {.help = help,
                        .own_help = "Ticked: this material has a value of its own.\nNot ticked: it has the value of "
                                    "all materials, under Advanced",
                        .follows = !own};
    ui_set_next_row_citation(gui, parameter->source);
    ui_change change = draw_slider(gui, parameter, &slider, standard, &next);
    if (change == UI_RESET)
        pd_session_set_property(session, material, property, NAN);
    else if (change == UI_OWN || (change != UI_SAME && next != value))
        pd_session_set_property(session, material, property, next);
}

/* Draws the rows for a material's colour, mass and removal. */
static void draw_material_rows(pd_session *session, ui *gui, int index) {
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
    ui_change change = draw_slider(gui, &mass, &slider, 1, &material.mass);
    if (change == UI_RESET) material.mass = 1;
    bool recoloured = material.red != before.red || material.green != before.green || material.blue != before.blue;
    if (recoloured || material.mass != before.mass) pd_session_replace_material(session, index, &material);
    /* read again, since the change above may have replaced the scene */
    bool several = pd_world_scene(session->world)->material_count > 1;
    if (several && ui_draw_row_button(gui, "Remove", "Removes this material if no fluid and no item uses it"))
        pd_session_remove_material(session, index);
}

static void draw_materials(const pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    pd_session *session = screen->session;
    pd_material_palette *palette = &viewport->material_palette;
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
        bool newest = strcmp(palette->newest, material->name) == 0, opens = newest || scene->material_count == 1;
        for (int p = 0; p < PD_PROPERTIES; p++) opens |= !isnan(material->property[p]);
        bool shown = ui_section_begin(gui, m, name, note, rgb, opens ? UI_OPENED : UI_CLOSED);
        if (palette->scrolls_to_newest && newest) {
            ui_scroll_to_last_row(gui);
            palette->scrolls_to_newest = false;
        }
        if (shown) {
            for (int p = 0; p < PD_PROPERTIES; p++) property_row(session, gui, m, (pd_property)p);
            draw_material_rows(session, gui, m);
        }
        ui_section_end(gui);
    }
}

static void draw_dyes(const pd_screen *screen) {
    pd_session *session = screen->session;
    const pd_scene *scene = pd_world_scene(session->world);
    if (!pd_world_method(session->world)->paints || scene->material_count == 0) return;
    float colours[PD_MAX_MATERIALS][3];
    char numbers[PD_MAX_MATERIALS][16];
    const char *names[PD_MAX_MATERIALS];
    for (int m = 0; m < scene->material_count; m++) {
        pd_viewport_compute_material_colour(screen->viewport, m, colours[m]);
        names[m] = pd_session_material_name(session, m, numbers[m], sizeof numbers[m]);
    }
    int chosen = pd_session_painted_material(session);
    if (ui_choose_colour(screen->gui, "Drag with dye", "Dye that a left drag leaves in the fluid, or none (D)", colours,
                         names, scene->material_count, &chosen) == UI_MOVED)
        pd_session_set_painted_material(session, chosen);
}

/* ---- Gravity, picture and time ---- */

/* Returns the word for an angle of gravity that has one. */
static const char *name_of_direction(float angle) {
    static const char *const names[] = {", up", ", left", ", down", ", right", ", up"};
    float quarter = angle / 90;
    return fabsf(quarter - roundf(quarter)) < 0.005f ? names[(int)roundf(quarter) + 2] : "";
}

static void draw_gravity(pd_session *session, ui *gui) {
    pd_gravity_dial *dial = &session->gravity;
    char text[64], number[32];
    float top = fmaxf(50 * dial->notch, dial->strength);
    ui_draw_heading(gui, "Gravity");
    bool on = dial->on;
    if (ui_draw_check_box(gui, "On", NULL, false, &on) == UI_MOVED) {
        dial->on = on;
        pd_session_apply_gravity_dial(session);
    }
    pd_app_format_number((double)dial->strength, number, sizeof number);
    snprintf(text, sizeof text, dial->on ? "%s m/s²" : "off (%s m/s²)", number);
    ui_slider strength = {.label = "Strength",
                          .text = text,
                          .fraction = dial->strength / top,
                          .value = dial->strength,
                          .follows = !dial->on};
    ui_change change = ui_draw_slider(gui, &strength);
    if (change == UI_MOVED || change == UI_TYPED) {
        float wanted = change == UI_MOVED ? strength.fraction * top : strength.value;
        dial->strength = fminf(fmaxf(wanted, 0), 100 * dial->notch);
        dial->on = dial->strength > 0;
        pd_session_apply_gravity_dial(session);
    }
    snprintf(text, sizeof text, "%.0f°%s", (double)dial->angle, name_of_direction(dial->angle));
    ui_slider direction = {.label = "Direction",
                           .help = "0° is straight down, 90° is to the right",
                           .text = text,
                           .fraction = (dial->angle + 180) / 360,
                           .value = dial->angle,
                           .modified = differs(dial->angle, 0) && fabsf(dial->angle) > 0.5f};
    change = ui_draw_slider(gui, &direction);
    if (change == UI_SAME) return;
    if (change == UI_MOVED) dial->angle = roundf(direction.fraction * 360 - 180);
    if (change == UI_TYPED) dial->angle = remainderf(direction.value, 360);
    if (change == UI_RESET) dial->angle = 0;
    pd_session_apply_gravity_dial(session);
}

/* Draws the row with the menu for the lines (contours, streamlines, arrows) over the view. Views without lines have no row. */
static void draw_lines_choice(pd_viewport *viewport, ui *gui) {
    char words[80] = "";
    pd_view_lines possible[PD_LINES_COUNT];
    int count = 0, chosen = 0;
    for (int i = 0; i < PD_LINES_COUNT; i++) {
        if (!pd_lines_can_be_drawn(&viewport->view, viewport->mode, (pd_view_lines)i)) continue;
        if (pd_viewport_lines(viewport) == (pd_view_lines)i) chosen = count;
        pd_text_append_word(words, sizeof words, "|", pd_lines_name((pd_view_lines)i));
        possible[count++] = (pd_view_lines)i;
    }
    if (count > 1 && ui_choose_item(gui, "Lines", "Contours, streamlines or arrows over the view (L)", false, words,
                                    &chosen) == UI_MOVED)
        pd_viewport_set_lines(viewport, possible[chosen]);
}

/* Draws the menu of the size of text and buttons. A size from --scale that is not listed is added. */
static void draw_scale(pd_screen *screen) {
    int sizes[] = {0, 75, 100, 125, 150, 200, 250, 300, 0}, count = 8, chosen = 0;
    int now = (int)lroundf(100 * screen->display->chosen_scale);
    while (chosen < count && sizes[chosen] != now) chosen++;
    if (chosen == count) sizes[count++] = now;
    char words[96] = "automatic", size[16];
    for (int i = 1; i < count; i++) {
        snprintf(size, sizeof size, "%d %%", sizes[i]);
        pd_text_append_word(words, sizeof words, "|", size);
    }
    if (ui_choose_item(screen->gui, "Interface size", "Size of text and buttons", false, words, &chosen) != UI_MOVED)
        return;
    pd_screen_request(screen, PD_ACTION_SCALE, sizes[chosen]);
}

typedef struct switch_row {
    const char *label, *help;
    bool *value;     /* Value of the switch. */
    bool hides_part; /* true: the box is checked while *value is false. */
} switch_row;

/* Draws the rows that switch parts of the picture on and off, in recordings and screenshots too. */
static void draw_switches(const pd_screen *screen) {
    pd_picture_switches *switches = &screen->viewport->switches;
    const switch_row rows[] = {
        {"Outline", "The line along the wall of the container", &switches->no_outline, true},
        {"Emitters, drains", "The dashes of drains and the nozzles of emitters", &switches->no_sources, true},
        {"Legend",
         "The scale of the colours, in views of speed, pressure and the like. In recordings also the names and the "
         "graph of two panes",
         &switches->no_legend, true},
        {"Scale bar", "A length in metres, also in recordings (S)", &switches->ruler, false},
        {"Values at the pointer", "Place, speed, pressure and other values of the fluid where the pointer rests (I)",
         &switches->values, false},
        {"Plain background", "A background of one colour, such as white for a print", &switches->plain, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool checked = *rows[i].value != rows[i].hides_part;
        ui_change change = ui_draw_check_box(screen->gui, rows[i].label, rows[i].help, *rows[i].value, &checked);
        if (change == UI_MOVED) *rows[i].value = checked != rows[i].hides_part;
        if (change == UI_RESET) *rows[i].value = false;
    }
    if (switches->plain) ui_edit_colour(screen->gui, "Background", "Colour of the background", switches->background);
}

static void draw_picture_choices(const pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    ui *gui = screen->gui;
    char words[512] = "";
    ui_draw_heading(gui, "View");
    const pd_method_info *method = pd_world_method(screen->session->world);
    int view = 0, palette = viewport->palette;
    for (int i = 0; i < method->view_count; i++) {
        const pd_view_mode *mode = pd_method_view_at(method, i);
        pd_text_append_word(words, sizeof words, "|", mode->name);
        if (mode == viewport->mode) view = i;
    }
    if (ui_choose_item(gui, "View", "How the fluid is drawn (V)", false, words, &view) == UI_MOVED)
        pd_viewport_set_mode(viewport, pd_method_view_at(method, view));
    draw_lines_choice(viewport, gui);
    *words = '\0';
    for (int i = 0; i < pd_palette_count(); i++) pd_text_append_word(words, sizeof words, "|", pd_palette_name(i));
    if (ui_choose_item(gui, "Palette", "Colours of the materials and of the scales (C)", false, words, &palette) ==
        UI_MOVED)
        pd_viewport_set_palette(viewport, palette);
    draw_switches(screen);
}

/* Draws the menu of the memory for keyframes. A size from --history that is not listed is added. */
static void draw_history(pd_session *session, ui *gui) {
    int sizes[] = {64, 256, 1024, 4096, 0}, count = 4, chosen = -1;
    int now = (int)((session->history > 0 ? session->history : PD_LOG_BUDGET) >> 20);
    for (int i = 0; i < count; i++)
        if (sizes[i] == now) chosen = i;
    if (chosen < 0) sizes[chosen = count++] = now;
    char words[96] = "", size[16];
    for (int i = 0; i < count; i++) {
        snprintf(size, sizeof size, "%d MiB", sizes[i]);
        pd_text_append_word(words, sizeof words, "|", size);
    }
    if (ui_choose_item(gui, "Rewind memory", "Memory for earlier states: rewind, undo and the time line", false, words,
                       &chosen) == UI_MOVED)
        pd_session_set_history_mib(session, sizes[chosen]);
}

static void draw_graph(const pd_viewport *viewport, const pd_session *session, ui *gui) {
    const pd_meter *meter = &viewport->meter;
    static float values[PD_METER_FRAMES * PD_METER_STAGES];
    float top = 0;
    for (int frame = 0; frame < meter->count; frame++) {
        int from = (meter->next - meter->count + frame + PD_METER_FRAMES) % PD_METER_FRAMES;
        float sum = 0;
        for (int stage = 0; stage < meter->stages; stage++) {
            float ms = meter->ms[from][stage];
            values[frame * meter->stages + stage] = ms;
            sum += ms;
        }
        top = fmaxf(top, sum);
    }
    float mark = (float)(session->pace.dt * 1e3);
    ui_bars bars = {.values = values,
                    .frames = meter->count,
                    .capacity = PD_METER_FRAMES,
                    .stages = meter->stages,
                    .names = meter->names,
                    .mark = mark,
                    .top = fmaxf(1.25f * mark, 1.05f * top)};
    char heading[64];
    int substeps = pd_world_substeps(session->world);
    snprintf(heading, sizeof heading, "Time per frame (%d substep%s a step)", substeps, substeps == 1 ? "" : "s");
    ui_draw_heading(gui, heading);
    ui_draw_bars(gui, &bars);
}

static void draw_convergence(const pd_viewport *viewport, ui *gui) {
    const pd_meter *meter = &viewport->meter;
    if (meter->errors < 2) return;
    char last[32];
    int iterations = meter->errors - 1;
    snprintf(last, sizeof last, "after %d iteration%s", iterations, iterations == 1 ? "" : "s");
    ui_columns columns = {.values = meter->error,
                          .count = meter->errors,
                          .top = meter->error_top,
                          .first = "before",
                          .last = last,
                          .help = "Mean of max(0, density / rest density - 1), before each iteration of the solver "
                                  "and after the last. Near rest a substep adds little error: all columns are low "
                                  "and about equal"};
    ui_draw_heading(gui, "Density error by iteration");
    ui_draw_columns(gui, &columns);
}

/* Draws the title row "Advanced" and its rows. Whether they are shown is saved for later runs. */
static void draw_advanced(pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    ui *gui = screen->gui;
    pd_error error;
    ui_add_space(gui, THEME_GAP);
    bool open = ui_section_begin(gui, 0, "Advanced", "", NULL, viewport->advanced ? UI_OPENED : UI_CLOSED);
    if (open != viewport->advanced && pd_settings_save(PD_SETTING_ADVANCED, open ? "on" : "off", &error))
        pd_announce_error(&viewport->announcer, &error);
    viewport->advanced = open;
    if (open) {
        draw_parameters(screen);
        ui_draw_heading(gui, "Window, memory and files");
        draw_scale(screen);
        draw_history(screen->session, gui);
        char words[64] = "";
        for (int kind = PD_SINK_FOLDER; kind < PD_SINK_STREAM; kind++)
            pd_text_append_word(words, sizeof words, "|", pd_settings_word_of_format((pd_sink_kind)kind));
        int kind = (int)pd_recorder_format(screen->recorder);
        if (ui_choose_item(screen->gui, "Recording format", "A folder of PNG frames, or a video (F9 records)", false,
                           words, &kind) == UI_MOVED)
            pd_recorder_set_format(screen->recorder, &screen->viewport->announcer, (pd_sink_kind)kind);
        draw_graph(viewport, screen->session, gui);
        draw_convergence(viewport, gui);
    }
    ui_section_end(gui);
}

static void draw(pd_screen *screen) {
    ui *gui = screen->gui;
    if (!screen->viewport->panel) {
        screen->viewport->slider.parameter = NULL;
        return;
    }
    ui_panel_begin(gui, screen->layout.panel);
    draw_method(screen->session, gui);
    const pd_world *second = screen->session->second.world;
    char line[256], text[280];
    for (int i = 0; pd_world_write_warning(screen->session->world, i, line, sizeof line); i++) ui_draw_note(gui, line);
    for (int i = 0; second && pd_world_write_warning(second, i, line, sizeof line); i++) {
        snprintf(text, sizeof text, "Right pane: %s", line);
        ui_draw_note(gui, text);
    }
    draw_selected_body(screen);
    draw_materials(screen);
    draw_dyes(screen);
    draw_gravity(screen->session, gui);
    draw_picture_choices(screen);
    int speed = screen->session->speed_exponent + 3;
    ui_draw_heading(screen->gui, "Time");
    if (ui_choose_item(screen->gui, "Speed of time", "Simulated time / real time (< and >)", false,
                       "1/8×|1/4×|1/2×|1×|2×|4×|8×", &speed) == UI_MOVED)
        pd_screen_request(screen, PD_ACTION_CHANGE_SPEED, speed - 3 - screen->session->speed_exponent);
    draw_advanced(screen);
    ui_panel_end(gui);
}

/* Returns whether the pointer is on the open panel, even if ImGui has not drawn the panel yet, or on a menu. */
static bool covers_pointer(const pd_screen *screen) {
    const pd_pointer *pointer = screen->pointer;
    return (screen->viewport->panel && screen->x >= screen->layout.right) ||
           ui_covers_place(screen->gui, pointer->pixel_x, pointer->pixel_y);
}

/* ImGui handles the press. */
static bool handle_press(pd_screen *screen, bool left) {
    (void)left;
    return covers_pointer(screen);
}

/* Escape closes an open menu first, of the panel or of the bar. */
static bool is_open(const pd_screen *screen) { return ui_is_menu_open(screen->gui) || screen->viewport->panel; }
static void close_menu_or_panel(pd_screen *screen) {
    if (!ui_close_menu(screen->gui)) screen->viewport->panel = false;
}

const pd_layer pd_panel_layer = {.is_open = is_open,
                                 .close = close_menu_or_panel,
                                 .covers_pointer = covers_pointer,
                                 .handle_press = handle_press,
                                 .draw = draw};
