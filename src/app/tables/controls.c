/* Settings of the window for each method. */
#include "app/tables/controls.h"

#include <math.h>
#include <string.h>

static const pd_controls controls[] = {
    {"ddr", "stiffness", "linear_viscosity", 0.2f},
    /* 0.48: tool radius 2 to 2.5 m in a box 9.3 m high, as in the parameter sets A and B (sph.c) */
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
