/* Parameters and properties of a running world, and the resolution from which defaults are computed. */
#ifndef PUDDLE_SIM_SETTINGS_H
#define PUDDLE_SIM_SETTINGS_H

#include <puddle/world.h>

/* Scales from which defaults of parameters follow (puddle/parameter.h). */
typedef struct pd_resolution {
    float spacing; /* rest spacing of the particles, m */
    float length;  /* L, m: radius of the circle, half the smaller side of the box, or half the fluid's extent */
    float gravity; /* magnitude of the scene's gravity, m/s^2; ARTICLE_GRAVITY (settings.c) if the scene has none */
} pd_resolution;

/* Returns the resolution of a scene whose regions have this many particles. */
pd_resolution pd_resolution_of_scene(const pd_scene *scene, int particles);
/* Returns a parameter's default at a resolution, clamped to the parameter's range. */
float pd_resolution_parameter_default(const pd_resolution *resolution, const pd_parameter *parameter);
/* Returns whether the scene sets the running method's parameter `index`. */
bool pd_world_is_parameter_set(const pd_world *world, int index);
/* Sets world->parameter and world->property to the scene's settings, or else to the defaults. */
void pd_world_update_parameters(pd_world *world);

/* Checks that a pd_property has this value. Errors: USAGE. */
pd_result pd_property_check_index(int property, pd_error *error);
/* Checks a value of a material's property in a scene. Errors: those of pd_world_set_property except OUT_OF_MEMORY. */
pd_result pd_property_check(const pd_scene *scene, int material, pd_property property, float value, pd_error *error);

#endif
