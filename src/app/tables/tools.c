/* The table of tools of the left mouse button. */
#include "app/tables/tools.h"

#include <math.h>
#include <string.h>

#define KEY(cap, code, about, tool, flags) .key = {cap, about, "Tools", PD_ACTION_TOOL, flags, {{code, 0, tool}}}

static const pd_bar_row rows[PD_BAR_TOOLS] = {
    [PD_BAR_HAND] = {"Hand", KEY("F2", PD_KEY_F2, "Hand: drags the fluid", PD_BAR_HAND, 0), .kind = PD_TOOL_DRAG,
                     .moves_bodies = true},
    [PD_BAR_PUSH] = {"Push", KEY("F3", PD_KEY_F3, "Push: pushes the fluid away", PD_BAR_PUSH, 0), .kind = PD_TOOL_PUSH},
    [PD_BAR_PULL] = {"Pull", KEY("F4", PD_KEY_F4, "Pull: pulls the fluid in", PD_BAR_PULL, 0), .kind = PD_TOOL_PULL},
    [PD_BAR_POUR] = {"Pour",
                     KEY("F5", PD_KEY_F5, "Pour a material; again: the next one", PD_BAR_POUR, PD_IN_FIRST_STEPS),
                     .kind = PD_TOOL_POUR, .ghost = PD_GHOST_POUR, .needs_material = true},
    [PD_BAR_ERASE] = {"Erase",
                      KEY("F6", PD_KEY_F6, "Erase fluid; again: objects, both", PD_BAR_ERASE, PD_IN_FIRST_STEPS),
                      .kind = PD_TOOL_ERASE, .ghost = PD_GHOST_ERASE, .choices = {"fluid", "objects", "both"}},
    [PD_BAR_WALL] = {"Wall", KEY("F7", PD_KEY_F7, "Draw a wall; Shift: straight", PD_BAR_WALL, PD_IN_FIRST_STEPS),
                     .ghost = PD_GHOST_DRAFT, .size_name = "Wall thickness", .size_factor = PD_WALL_THICKNESS},
    [PD_BAR_SHAPE] = {"Shape", KEY("F8", PD_KEY_F8, "Draw a circle; again: box, polygon", PD_BAR_SHAPE, 0),
                      .ghost = PD_GHOST_DRAFT, .turns = true, .choices = {"circle", "box", "polygon"}},
    [PD_BAR_BODY] = {"Body",
                     KEY("O", 'o', "Draw a body that floats or sinks; again: box, polygon", PD_BAR_BODY,
                         PD_IN_FIRST_STEPS),
                     .about = "Draws a body that floats or sinks, and pulls bodies", .ghost = PD_GHOST_DRAFT,
                     .moves_bodies = true, .turns = true, .choices = {"circle", "box", "polygon"}},
    [PD_BAR_JOINT] = {"Joint", KEY("J", 'j', "Join bodies by a hinge; again: rope, weld, motor", PD_BAR_JOINT, 0),
                      .about = "Drag from body to body, or click a body", .ghost = PD_GHOST_JOINT,
                      .choices = {"hinge", "rope", "weld", "motor"}},
    [PD_BAR_EMITTER] = {"Emitter", KEY("E", 'e', "Place an emitter of fluid", PD_BAR_EMITTER, 0),
                        .ghost = PD_GHOST_DRAFT, .needs_material = true, .shows_emitters = true,
                        .size_name = "Emitter width"},
    [PD_BAR_DRAIN] = {"Drain", KEY("X", 'x', "Place a drain", PD_BAR_DRAIN, 0), .ghost = PD_GHOST_DRAFT,
                      .shows_emitters = true},
    [PD_BAR_MOVE] = {"Move", KEY("M", 'm', "Move an object or a body; Shift: throw an object", PD_BAR_MOVE, 0),
                     .kind = PD_TOOL_MOVE, .ghost = PD_GHOST_MOVE, .needs_item = true, .moves_bodies = true,
                     .shows_emitters = true},
};

const pd_bar_row *pd_bar_tool_row(pd_bar_tool tool) { return &rows[tool]; }

int pd_bar_tool_choice_count(pd_bar_tool tool) {
    int count = 0;
    while (count < PD_MAX_CHOICES && rows[tool].choices[count]) count++;
    return count;
}

const char *pd_bar_tool_key_name(pd_bar_tool tool) { return rows[tool].key.name; }

/* ---- Settings for each method ---- */

static const pd_controls controls[] = {
    {"ddr", "stiffness", "linear_viscosity", 0.2f},
    /* 0.48: tool radius 2 to 2.5 m in a box 9.3 m high, as in the parameter sets A and B (pd_sph_parameters.c) */
    {"sph", "stiffness", "viscosity", 0.48f},
    {"pbf", "iterations", "xsph", 0.2f},
    {"grid", "buoyancy", "viscosity", 0.2f},
    {"vortex", "buoyancy", "viscosity", 0.2f},
    {"flip", NULL, "viscosity", 0.2f},
};

const pd_controls *pd_controls_of_method(const pd_method_info *method) {
    static const pd_controls none = {"", NULL, NULL, 0.2f};
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
        if (strcmp(controls[i].method, method->name) == 0) return &controls[i];
    return &none;
}

char pd_controls_method_key(const pd_method_info *method) {
    for (int i = 0; i < pd_method_count() && i < 9; i++)
        if (pd_method_at(i) == method) return (char)('1' + i);
    return 0;
}

const pd_method_info *pd_controls_method_of_key(char key) {
    int index = key - '1';
    return index >= 0 && index < 9 && index < pd_method_count() ? pd_method_at(index) : NULL;
}

char pd_controls_last_method_key(void) {
    char last = '1';
    while (pd_controls_method_of_key((char)(last + 1))) last++;
    return last;
}

float pd_parameter_next_value(const pd_parameter *parameter, float value, int direction) {
    float low = parameter->minimum, high = parameter->maximum, next = value;
    if (parameter->type == PD_PARAMETER_INTEGER) {
        next += (float)direction;
    } else if (parameter->scale == PD_SCALE_LINEAR) {
        next += (float)direction * (high - low) / 50;
    } else {
        float smallest = low > 0 ? low : high * 1e-4f;
        next = direction > 0 ? fmaxf(value * 1.1f, smallest) : value / 1.1f;
        if (next < smallest) next = low;
    }
    return fminf(fmaxf(next, low), high);
}
