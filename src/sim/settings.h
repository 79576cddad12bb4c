/* Parameters and properties of a running world, and the resolution from which defaults are computed. */
#ifndef PUDDLE_SIM_SETTINGS_H
#define PUDDLE_SIM_SETTINGS_H

#include <puddle/world.h>

/* Scales of a scene, from which defaults of parameters are computed (pd_parameter_powers). sqrt(g L), g: gravity, L:
 * length, is the characteristic speed of the scene. */
typedef struct pd_resolution {
    float spacing;  /* rest spacing of the particles, m */
    float length;   /* characteristic length of the scene: L of pd_parameter_powers, m */
    float gravity;  /* magnitude of the scene's gravity, m/s^2; ARTICLE_GRAVITY (settings.c) if the scene has none */
    pd_vec2 center; /* middle of the scene's fluid at the start without a container, m; in a container the origin */
    /* weight of the present fluid's column over gravity x length: g H / (gravity x length), g: present gravity, H: height of
     * the fluid (pd_depth_measure); 0: no fluid */
    float relative_depth;
} pd_resolution;

/* Computes the resolution of a scene. particles: number of particles in all its regions. */
pd_resolution pd_resolution_compute(const pd_scene *scene, int particles);
/* Returns the factor p on squared speeds in deep water: max(1, relative_depth - 1) (pd_parameter_powers.speed). Fluid up to
 * the height 2 L, as in a full square container, has the defaults of shallow water. */
float pd_resolution_compute_load(const pd_resolution *resolution);
/* Returns a parameter's default at a resolution, clamped to the parameter's range. */
float pd_resolution_compute_parameter_default(const pd_resolution *resolution, const pd_parameter *parameter);
/* Returns a parameter's default in a scene: the default at the resolution, or more in fluid with surface tension
 * (pd_parameter.with_tension). index: as in pd_method_parameter_at. */
float pd_settings_compute_default(const pd_scene *scene, const pd_resolution *resolution, const pd_method_info *method,
                                  int index);
/* Returns whether the scene sets the running method's parameter `index`. */
bool pd_world_is_parameter_set(const pd_world *world, int index);
/* Sets each value of world->parameter and world->property to the scene's setting, or to the default if the scene does not
 * set it. */
void pd_world_update_parameters(pd_world *world);

/* Checks that `property` is a valid pd_property. Errors: USAGE. */
pd_result pd_property_check_index(int property, pd_error *error);
/* Checks whether pd_world_set_property allows these arguments for the scene. Errors: SCENE_REFERENCE, USAGE,
 * PARAMETER_VALUE. */
pd_result pd_property_check(const pd_scene *scene, int material, pd_property property, float value, pd_error *error);

/* Relative depth of the fluid (pd_resolution.relative_depth): the weight of the present fluid's column, from which stiffness
 * and substeps in deep water are computed.
 *
 * The height of the fluid is H = min(sqrt(12) sd_h, A / (sqrt(12) sd_w)). sd_h, sd_w: standard deviations of the particles'
 * coordinates along gravity and across it. A: number of particles x spacing^2. A full rectangle of the height H gives H by
 * both terms, wherever it lies. The second term excludes the air between falling parts of the fluid. */

/* Sets the relative depth to that of the present particles, and updates the parameters. */
void pd_depth_measure(pd_world *world);
/* Moves the relative depth towards that of the present particles, over the time of a step, with a time constant of 0.5 s:
 * defaults change without a jump. Updates the parameters if they change. */
void pd_depth_follow(pd_world *world);

/* Returns the height of the fluid that corresponds to the relative depth, m. 0: no gravity or no fluid. */
float pd_depth_height(const pd_world *world);

#endif
