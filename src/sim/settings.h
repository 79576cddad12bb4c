/* Parameters and properties of a running world, and the resolution that defaults follow. */
#ifndef PUDDLE_SIM_SETTINGS_H
#define PUDDLE_SIM_SETTINGS_H

#include <puddle/world.h>

/* The scales that parameter defaults follow (puddle/parameter.h). */
typedef struct pd_resolution {
    float spacing; /* rest spacing of the particles, m */
    float length;  /* L, m: radius of the circle, half the smaller side of the box, or half the fluid's extent */
    float gravity; /* m/s^2: the scene's, or the article's where the scene has none */
} pd_resolution;

/* The resolution of a scene whose regions hold this many particles. */
pd_resolution pd_resolution_of(const pd_scene *scene, int particles);
/* A parameter's default at a resolution, clamped to its range. */
float pd_resolution_default(const pd_resolution *resolution, const pd_parameter *parameter);
/* Reads the running method's parameters again: the scene's settings, else the defaults. */
void pd_world_refresh_parameters(pd_world *world);

/* Checks that a pd_property has the value. Errors: USAGE. */
pd_result pd_property_check_index(int property, pd_error *error);
/* Checks a material's own value of a property in a scene. Errors: those of pd_world_set_property but OUT_OF_MEMORY. */
pd_result pd_property_check(const pd_scene *scene, int material, pd_property property, float value, pd_error *error);

#endif
