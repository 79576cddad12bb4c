/* Methods: what is known of each without running it. */
#ifndef PUDDLE_METHOD_H
#define PUDDLE_METHOD_H

#include <puddle/parameter.h>
#include <puddle/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Keys of a scene that only some methods can follow. A scene file that gives one with an effect which its method does not have is
 * refused. */
typedef enum pd_scene_feature {
    PD_FEATURE_WALLS = 1 << 0,   /* container.walls: inflow, outflow, moving lids */
    PD_FEATURE_NO_SLIP = 1 << 1, /* container.slip: false */
    PD_FEATURE_AMOUNT = 1 << 2,  /* a region's amount of smoke */
    PD_FEATURE_DENSITY = 1 << 3, /* a region's deviation from the ambient density */
} pd_scene_feature;

typedef struct pd_method_info {
    const char *name;   /* "ddr" */
    const char *title;  /* "Double density relaxation" */
    const char *source; /* paper or article */
    char key;           /* of the keyboard that switches to it: '1'; 0: none */
    const pd_parameter *parameters;
    int parameter_count;
    const char *stiffness_key; /* what Up and Down turn, or NULL */
    const char *viscosity_key; /* what [ and ] turn, or NULL */
    float tool_size; /* of the pointer's tool to begin with, in halves of the container's smaller side; 0: any */
    bool available;  /* false: known by name, but not in this version */
    const pd_field_info *fields; /* what pd_view_field computes */
    int field_count;
    const pd_number_info *numbers; /* what pd_view_number computes */
    int number_count;
    const pd_view_mode *views; /* what can be looked at; the first is shown to begin with */
    int view_count;
    unsigned features; /* a bit for each pd_scene_feature that it follows */
} pd_method_info;

int pd_method_count(void);
/* index: 0 .. pd_method_count() - 1. */
const pd_method_info *pd_method_at(int index);
/* NULL when there is no such method. */
const pd_method_info *pd_method_find(const char *name);
/* Whether this version can run the method of this name. Errors: METHOD_UNKNOWN, METHOD_UNAVAILABLE. */
pd_result pd_method_check(const char *name, pd_error *error);
/* By the key of the keyboard; NULL: none has it. */
const pd_method_info *pd_method_of_key(char key);
/* One of its views by name ("surface"); NULL when it has none of that name. */
const pd_view_mode *pd_method_view(const pd_method_info *method, const char *name);

#ifdef __cplusplus
}
#endif
#endif
