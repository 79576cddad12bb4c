/* Rows of the panel for the selected body and its joints. */
#include "app/overlay/interface.h"

#include "core/text.h"
#include "render/lines/lines.h"
#include "scene/schema.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A number of a body or joint with a slider. Help and greatest range are in the schema of scenes. */
typedef struct value_row {
    const char *key, *title, *unit;
    pd_parameter_scale scale;
    float low, high; /* range of the slider; 0, 0: that of the schema */
} value_row;

static const pd_record_field *find_field(const pd_record_schema *schema, const char *key) {
    const pd_record_field *field = schema->fields;
    while (strcmp(field->key, key) != 0) field++;
    return field;
}

/* Draws a slider for a number of a record. Returns whether the user changed the number. */
static bool draw_value(ui *gui, const pd_record_schema *schema, const value_row *row, float default_value,
                       void *record) {
    const pd_record_field *field = find_field(schema, row->key);
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
    ui_change change = pd_panel_draw_slider(gui, &parameter, &slider, default_value, &next);
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

void pd_panel_draw_body(const pd_screen *screen) {
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
