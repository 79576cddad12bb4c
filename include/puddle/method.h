/* Methods: the constant description of each, available without a world. */
#ifndef PUDDLE_METHOD_H
#define PUDDLE_METHOD_H

#include <puddle/parameter.h>
#include <puddle/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Scene keys that only some methods support: bits of pd_method_info.features. A scene file with a key that has an
 * effect, and that its method does not support, is refused, but for the last six, which change how the same fluid behaves:
 * pd_scene_warning and pd_world_warning tell of them, and of all where the method of a scene is changed. */
typedef enum pd_scene_feature {
    PD_FEATURE_WALLS = 1 << 0,   /* container.walls: inflow, outflow, moving lids */
    PD_FEATURE_NO_SLIP = 1 << 1, /* container.slip: false */
    PD_FEATURE_AMOUNT = 1 << 2,  /* regions[].amount: smoke */
    PD_FEATURE_DENSITY = 1 << 3, /* regions[].density: deviation from the ambient density */
    PD_FEATURE_CELLS = 1 << 4,   /* cells */
    PD_FEATURE_ATTRACTIONS = 1 << 5,
    PD_FEATURE_VISCOSITY = 1 << 6,   /* materials: viscosity */
    PD_FEATURE_PROPERTIES = 1 << 7,  /* materials: contact_angle */
    PD_FEATURE_TENSION = 1 << 8,     /* materials: surface_tension */
    PD_FEATURE_SPRINGS = 1 << 9,     /* materials: elasticity, plasticity, yield */
    PD_FEATURE_STICKINESS = 1 << 10, /* materials: stickiness */
} pd_scene_feature;

typedef struct pd_method_info {
    const char *name;   /* "ddr" */
    const char *title;  /* "Double density relaxation" */
    const char *source; /* paper or article */
    char key;           /* on the keyboard: '1'; 0: none */
    const pd_parameter *parameters;
    int parameter_count;
    const char *stiffness_key; /* parameter that the keys Up and Down change: "stiffness"; NULL: none */
    const char *viscosity_key; /* parameter that the keys [ and ] change; NULL: none */
    float tool_size; /* initial radius of the pointer's tool, 1: half the container's smaller side; 0: no preference */
    const pd_field_info *fields; /* computed by pd_view_field */
    int field_count;
    const pd_number_info *numbers; /* computed by pd_view_number */
    int number_count;
    const pd_view_mode *views; /* view modes; the first is the default */
    int view_count;
    unsigned features; /* the pd_scene_feature bits that it supports */
    bool paints;       /* dragging can also paint dye */
} pd_method_info;

int pd_method_count(void);
/* index: 0 .. pd_method_count() - 1. Never NULL; lives as long as the program. */
const pd_method_info *pd_method_at(int index);
/* By name ("ddr"); NULL when there is no such method. */
const pd_method_info *pd_method_find(const char *name);
/* Checks that there is a method of this name. Errors: METHOD_UNKNOWN. */
pd_result pd_method_check(const char *name, pd_error *error);
/* The names of the methods that this version can run: "ddr, sph or pbf". Returns text. */
char *pd_method_list(char *text, size_t size);
/* By key on the keyboard ('1'); NULL when no method has it. */
const pd_method_info *pd_method_of_key(char key);
/* The index in a method's table of the parameter that a material's own value of a property stands in for; -1: there is none, since
 * the method does not have the property, or has it in another unit (viscosity in SPH and position based fluids). */
int pd_method_property(const pd_method_info *method, int property);
/* One of the method's view modes by name ("surface"); NULL when it has none of that name. */
const pd_view_mode *pd_method_view(const pd_method_info *method, const char *name);

#ifdef __cplusplus
}
#endif
#endif
