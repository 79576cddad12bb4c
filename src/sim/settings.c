/* Parameters of a running world: values that the scene sets, or else defaults. Defaults depend on the resolution, so that the
 * fluid behaves the same at every number of particles. Then ready-made materials, and warnings about settings. */
#include "sim/settings.h"

#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "scene/content/counts.h"
#include "scene/edit.h"
#include "scene/features.h"
#include "scene/geometry.h"
#include "scene/items.h"
#include "sim/sources/compartments.h"
#include "sim/step.h"
#include "sim/world.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Gravity (m/s^2) and rest spacing (m) of the scene in Kuepers' article (source of `ddr`), scaled to a circle of radius 1 m.
 * The article's kernel radius h is then 2.091/22.33 m. At a spacing of 0.364 h on a hexagonal lattice attraction by pressure
 * and repulsion by near pressure balance (zero virial). Closer particles would fly apart. */
static const double ARTICLE_GRAVITY = 35 / 22.33;
static const double ARTICLE_SPACING = 0.364 * 2.091 / 22.33;

/* Returns the characteristic length of a world without container, m: half of the greater side of the regions' bounding box.
 * Without regions: 1.5 times half of the greater side of the vortons' box + the greatest core radius. Without both: 1 m. */
static double compute_length_without_container(const pd_scene *scene) {
    pd_extent e;
    if (scene->region_count + scene->vorton_count == 0 || !pd_scene_find_fluid_extent(scene, &e)) return 1;
    double length = 0.5 * fmax((double)e.high.x - (double)e.low.x, (double)e.high.y - (double)e.low.y), core = 0;
    for (int i = 0; i < scene->vorton_count; i++) core = fmax(core, (double)scene->vortons[i].core);
    if (scene->region_count == 0) length = 1.5 * length + core;
    return length > 0 ? length : 1;
}

/* Returns the middle of the fluid at the start in a world without container, m. In a container: the origin. */
static pd_vec2 compute_center(const pd_scene *scene) {
    pd_extent e;
    if (scene->container.shape != PD_CONTAINER_NONE) return (pd_vec2){0, 0};
    if (scene->cells.columns > 0) return scene->cells.center;
    if (!pd_scene_find_fluid_extent(scene, &e)) return (pd_vec2){0, 0};
    return (pd_vec2){0.5f * e.low.x + 0.5f * e.high.x, 0.5f * e.low.y + 0.5f * e.high.y};
}

pd_resolution pd_resolution_compute(const pd_scene *scene, int particles) {
    const pd_container *c = &scene->container;
    double length;
    if (c->shape == PD_CONTAINER_CIRCLE)
        length = c->radius;
    else if (c->shape == PD_CONTAINER_BOX)
        length = fmin(c->width, c->height) / 2;
    else
        length = compute_length_without_container(scene);
    double area = 0;
    for (int i = 0; i < scene->region_count; i++) area += pd_region_square_metres(&scene->regions[i]);
    double spacing = particles > 0 ? sqrt(area / particles) : 0;
    if (spacing == 0 && scene->emitter_count > 0) {
        const pd_emitter *e = &scene->emitters[0];
        spacing = sqrt((double)e->speed * e->width / fmax(e->rate, 1e-6));
    }
    bool bare = scene->region_count == 0 && scene->emitter_count == 0 && scene->vorton_count == 0;
    if (bare && scene->particles > 0 && c->shape != PD_CONTAINER_NONE) /* the resolution of fluid that will be poured */
        spacing = sqrt(pd_container_square_metres(c) / scene->particles);
    if (!(spacing > 1e-7 * length)) spacing = ARTICLE_SPACING * length;
    double gravity = pd_hypot(scene->gravity.x, scene->gravity.y);
    return (pd_resolution){
        .spacing = (float)spacing,
        .length = (float)length,
        .gravity = (float)(gravity > 1e-6 ? gravity : ARTICLE_GRAVITY),
        .center = compute_center(scene),
    };
}

float pd_resolution_compute_load(const pd_resolution *resolution) { return fmaxf(1, resolution->relative_depth - 1); }

/* Rounds a computed default to six digits, because it is displayed. */
static double round_to_six_digits(double value) {
    double unit = pd_pow(10, floor(pd_log10(value)) - 5);
    return round(value / unit) * unit;
}

float pd_resolution_compute_parameter_default(const pd_resolution *resolution, const pd_parameter *parameter) {
    pd_parameter_powers powers = parameter->follows;
    double fineness = resolution->spacing / resolution->length / ARTICLE_SPACING;
    double time = sqrt(resolution->length / resolution->gravity * ARTICLE_GRAVITY);
    double value = parameter->default_value * pd_pow(fineness, powers.resolution) *
                   pd_pow(resolution->length, powers.length) * pd_pow(time, powers.time);
    const double load = (double)pd_resolution_compute_load(resolution);
    if (powers.speed && load > 1) value *= pd_pow(load, 0.5 * powers.speed);
    if (powers.resolution || powers.length || powers.time || (powers.speed && load > 1))
        value = round_to_six_digits(value);
    if (parameter->type == PD_PARAMETER_INTEGER) value = round(value);
    return (float)fmin(fmax(value, parameter->minimum), parameter->maximum);
}

/* Returns the value that a scene sets for a parameter, NAN if the scene does not set it. */
static float get_setting_of_parameter(const pd_scene *scene, const pd_method_info *method, int index) {
    char key[PD_MAX_KEY];
    return pd_scene_setting_value(scene, pd_method_parameter_key(method, index, key, sizeof key));
}

/* Returns the least default of a parameter in fluid with surface tension (pd_parameter_tension). */
static float compute_least_default(const pd_scene *scene, const pd_resolution *resolution, const pd_method_info *method,
                                   const pd_parameter_tension *rule) {
    const int index = pd_method_parameter_of_property(method, PD_TENSION);
    const float shared = index < 0 ? NAN : get_setting_of_parameter(scene, method, index);
    double greatest = 0;
    for (int m = 0; m < scene->material_count && index >= 0; m++) {
        const pd_material *material = &scene->materials[m];
        float own = isnan(material->property[PD_TENSION]) ? shared : material->property[PD_TENSION];
        greatest = fmax(greatest, (double)(isnan(own) ? 0 : own) / pd_pow((double)material->mass, rule->mass));
    }
    return (float)((double)rule->factor * greatest / pd_pow((double)resolution->spacing, rule->spacing));
}

float pd_settings_compute_default(const pd_scene *scene, const pd_resolution *resolution, const pd_method_info *method,
                                  int index) {
    const float most_raised = 4;
    const pd_parameter *parameter = pd_method_parameter_at(method, index);
    float value = pd_resolution_compute_parameter_default(resolution, parameter);
    if (!(parameter->with_tension.factor > 0)) return value;
    float least = compute_least_default(scene, resolution, method, &parameter->with_tension);
    if (!(least > value)) return value;
    return fminf((float)round_to_six_digits((double)fminf(least, most_raised * value)), parameter->maximum);
}

static float compute_parameter_value(const pd_world *world, const pd_method_info *method, int index) {
    float setting = get_setting_of_parameter(&world->scene, method, index);
    return !isnan(setting) ? setting : pd_settings_compute_default(&world->scene, &world->resolution, method, index);
}

bool pd_world_is_parameter_set(const pd_world *world, int index) {
    return !isnan(get_setting_of_parameter(&world->scene, &world->method->info, index));
}

void pd_world_update_parameters(pd_world *world) {
    const pd_method_info *info = &world->method->info;
    world->version++;
    for (int i = 0; i < info->parameter_count; i++) world->parameter[i] = compute_parameter_value(world, info, i);
    for (int property = 0; property < PD_PROPERTIES; property++) {
        int index = pd_method_parameter_of_property(info, property);
        float shared = index >= 0 ? world->parameter[index] : pd_world_property_default(world, (pd_property)property);
        for (int m = 0; m < world->scene.material_count; m++) {
            float own = world->scene.materials[m].property[property];
            world->property[m][property] = isnan(own) ? shared : own;
        }
    }
}

pd_result pd_property_check_index(int property, pd_error *error) {
    if (property >= 0 && property < PD_PROPERTIES) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE, "no property %d (use a pd_property)", property);
}

pd_result pd_property_check(const pd_scene *scene, int material, pd_property property, float value, pd_error *error) {
    if (material < 0 || material >= scene->material_count)
        return pd_fail(error, PD_ERROR_SCENE_REFERENCE, "no material %d (the scene has %d)", material,
                       scene->material_count);
    pd_result result = pd_property_check_index((int)property, error);
    if (result == PD_OK && !isnan(value))
        result = pd_parameter_check(pd_property_at((int)property)->parameter, value, error);
    return result;
}

pd_result pd_world_set_property(pd_world *world, int material, pd_property property, float value, pd_error *error) {
    pd_step_finish(world);
    pd_result result = pd_property_check(&world->scene, material, property, value, error);
    if (result != PD_OK) return result;
    float *own = &world->scene.materials[material].property[property], before = *own;
    *own = value;
    pd_world_update_parameters(world);
    result = pd_method_allocate_for_parameters(world, error);
    if (result != PD_OK) {
        *own = before;
        pd_world_update_parameters(world);
    }
    return result;
}

float pd_world_property(const pd_world *world, int material, pd_property property) {
    bool valid = pd_property_check_index((int)property, NULL) == PD_OK && material >= 0;
    return valid && material < world->scene.material_count ? world->property[material][property] : NAN;
}

float pd_world_property_default(const pd_world *world, pd_property property) {
    if (pd_property_check_index((int)property, NULL) != PD_OK) return NAN;
    return pd_resolution_compute_parameter_default(&world->resolution, pd_property_at((int)property)->parameter);
}

/* Sets a parameter in the world's scene. value = NAN: removes the scene's setting, so that the default applies. Updates
 * the values in world->parameter and world->property. */
static pd_result set_or_remove_scene_setting(pd_world *world, const char *key, float value, pd_error *error) {
    pd_result result = isnan(value) ? pd_scene_unset_parameter(&world->scene, key, error)
                                    : pd_scene_set_parameter(&world->scene, key, value, error);
    if (result == PD_OK) pd_world_update_parameters(world);
    return result;
}

static pd_result set_or_reset_parameter(pd_world *world, const char *key, float value, pd_error *error) {
    pd_step_finish(world);
    float before = pd_scene_setting_value(&world->scene, key);
    pd_result result = set_or_remove_scene_setting(world, key, value, error);
    if (result != PD_OK) return result;
    result = pd_method_allocate_for_parameters(world, error);
    if (result != PD_OK)
        set_or_remove_scene_setting(world, key, before,
                                    NULL); /* does not fail: the list had room for this value before */
    return result;
}

pd_result pd_world_set_parameter(pd_world *world, const char *key, float value, pd_error *error) {
    pd_result result = pd_scene_check_parameter_fits_container(&world->scene, key, value, error);
    if (result == PD_OK && isnan(value))
        result = pd_scene_set_parameter(&world->scene, key, value, error); /* fails, with the error message for NAN */
    return result == PD_OK ? set_or_reset_parameter(world, key, value, error) : result;
}

pd_result pd_world_reset_parameter(pd_world *world, const char *key, pd_error *error) {
    return set_or_reset_parameter(world, key, NAN, error);
}

pd_result pd_world_parameter(const pd_world *world, const char *key, float *value, pd_error *error) {
    int method, index;
    pd_result result = pd_parameter_find(key, &method, &index, error);
    if (result == PD_OK) *value = compute_parameter_value(world, pd_method_at(method), index);
    return result;
}

pd_result pd_world_parameter_default(const pd_world *world, const char *key, float *value, pd_error *error) {
    int method, index;
    pd_result result = pd_parameter_find(key, &method, &index, error);
    if (result == PD_OK)
        *value = pd_settings_compute_default(&world->scene, &world->resolution, pd_method_at(method), index);
    return result;
}

static const float FOLLOW_SECONDS = 0.5f; /* time constant of pd_depth_follow, s */

/* Returns the height of the fluid along gravity, m (depth.h). gravity: size of gravity, greater than 0. */
static double compute_height(const pd_world *world, double gravity) {
    const pd_particles *p = &world->particles;
    const double up_x = -(double)world->scene.gravity.x / gravity, up_y = -(double)world->scene.gravity.y / gravity;
    const double spacing = (double)world->resolution.spacing;
    double mean_x = 0, mean_y = 0, along = 0, across = 0;
    for (int i = 0; i < p->count; i++) mean_x += (double)p->x[i], mean_y += (double)p->y[i];
    mean_x /= p->count, mean_y /= p->count;
    for (int i = 0; i < p->count; i++) {
        double x = (double)p->x[i] - mean_x, y = (double)p->y[i] - mean_y;
        double h = x * up_x + y * up_y, w = x * up_y - y * up_x;
        along += h * h;
        across += w * w;
    }
    double extent = sqrt(12 * along / p->count), width = sqrt(12 * across / p->count);
    double area = p->count * spacing * spacing;
    return area < extent * width ? area / width : extent;
}

static float compute_relative_depth(const pd_world *world) {
    const double gravity = pd_hypot(world->scene.gravity.x, world->scene.gravity.y);
    if (world->particles.count == 0 || !(gravity > 0)) return 0;
    const double deep = gravity * compute_height(world, gravity);
    return (float)(deep / ((double)world->resolution.gravity * (double)world->resolution.length));
}

static void set_relative_depth(pd_world *world, float depth) {
    const float before = pd_resolution_compute_load(&world->resolution);
    world->resolution.relative_depth = depth;
    if (pd_resolution_compute_load(&world->resolution) != before) pd_world_update_parameters(world);
}

void pd_depth_measure(pd_world *world) { set_relative_depth(world, compute_relative_depth(world)); }

void pd_depth_follow(pd_world *world) {
    const float before = world->resolution.relative_depth, share = 1 - pd_expf(-world->scene.dt / FOLLOW_SECONDS);
    set_relative_depth(world, before + share * (compute_relative_depth(world) - before));
}

float pd_depth_height(const pd_world *world) {
    const float gravity = pd_hypotf(world->scene.gravity.x, world->scene.gravity.y);
    const pd_resolution *r = &world->resolution;
    return gravity > 0 ? r->relative_depth * r->gravity * r->length / gravity : 0;
}

/* Ready-made materials. Their values were found by trials, starting from the bundled scenes honey, jelly, mud and
 * slime-on-the-ceiling. tests/sim/test_ready_materials.c measures the materials' behaviour. */

/* All materials have their own weight: they float or sink in any scene, whose other materials weigh what they weighed.
 *
 * Properties are in the order of pd_property. NAN: the method's parameter applies. Water and oil set elasticity and stickiness
 * to 0, so that parameters of the scene do not make them elastic or sticky.
 *
 * Mercury was measured with 50 to 150 particles on the floor of a box 1.2 m high, 15 s after they formed a slab:
 * - Tension: about the greatest value at which the fluid comes to rest under `ddr`. Particles move with 0.025 m/s
 *   (0.045 m/s at 1.5 x tension).
 * - Contact angle: 90 degrees instead of the true 140. With 120 or 140, `ddr` leaves a flat film that moves with 0.06 to
 *   0.15 m/s, mostly off the floor. With 90, particles form drops. Moments of the drops' shapes correspond to contact angles of
 *   93 to 98 degrees under `ddr`, 84 to 106 under `sph`, 91 to 96 under `pbf`. */
static const pd_ready_material materials[] = {
    {"runs and splashes", {"water", 58, 143, 255, true, 1, {4, 0, NAN, NAN, 0, NAN, NAN}}},
    {"floats on water", {"oil", 232, 201, 60, true, 0.7f, {12, 0, NAN, NAN, 0, NAN, NAN}}},
    {"flows slowly, in threads", {"honey", 255, 160, 20, true, 1.2f, {1000, 2300, 4, 0, 120, NAN, NAN}}},
    {"wobbles, and keeps its shape", {"jelly", 255, 63, 110, true, 1, {40, 5000, 0, NAN, 10, NAN, NAN}}},
    {"bounces", {"rubber", 38, 166, 154, true, 1, {30, 15000, 0, NAN, 0, NAN, NAN}}},
    {"stays in a heap", {"mud", 128, 85, 47, true, 1.5f, {1000, 3600, 6, 0.12f, 220, NAN, NAN}}},
    {"clings, stretches and creeps", {"slime", 111, 227, 58, true, 1, {1200, 1200, 0.6f, 0, 4000, NAN, NAN}}},
    {"heavy, gathers in puddles, sinks in water",
     {"mercury", 190, 200, 215, true, 2.5f, {1, 0, NAN, NAN, 0, 90, 0.025f}}},
    {"thick and heavy, creeps", {"lava", 255, 72, 16, true, 2, {1500, 1500, 2, 0, 200, NAN, NAN}}},
};

int pd_ready_material_count(void) { return (int)(sizeof materials / sizeof *materials); }

const pd_ready_material *pd_ready_material_at(int index) {
    PD_ASSERT_INDEX("material", index, pd_ready_material_count());
    return &materials[index];
}

pd_material pd_world_ready_material(const pd_world *world, int index) {
    PD_ASSERT_INDEX("material", index, pd_ready_material_count());
    pd_material made = materials[index].material;
    for (int p = 0; p < PD_PROPERTIES; p++) {
        if (!(made.property[p] > 0)) continue; /* 0 and NAN do not depend on the resolution */
        pd_parameter like = *pd_property_at(p)->parameter;
        like.default_value = made.property[p];
        if (p == PD_TENSION) like.follows.resolution = 1; /* the tension decreases with the spacing, as pressures do */
        made.property[p] = pd_resolution_compute_parameter_default(&world->resolution, &like);
    }
    return made;
}

/* Warnings about settings of a scene that have no effect, or another effect than the scene describes. Keys that the method does
 * not use come first, then files of which something was left out, then the method's own warnings, then blocked emitters. */

/* Writes a warning if the fluid of a world without container is so far from the origin that the rounding of its positions
 * shows. */
static bool write_distance_warning(const pd_world *world, char *text, size_t size) {
    const double most = 0.01; /* greatest step of positions that does not show, rest spacings */
    const pd_particles *p = &world->particles;
    const double spacing = (double)world->resolution.spacing;
    double x = (double)world->resolution.center.x, y = (double)world->resolution.center.y;
    if (!world->method->law || world->scene.container.shape != PD_CONTAINER_NONE) return false;
    for (int i = 0; i < p->count; i++) {
        x = (i > 0 ? x : 0) + (double)p->x[i] / p->count;
        y = (i > 0 ? y : 0) + (double)p->y[i] / p->count;
    }
    const double away = fmax(fabs(x), fabs(y)), step = away * (double)FLT_EPSILON;
    if (!(step > most * spacing)) return false;
    snprintf(
        text, size,
        "the fluid is %.3g m from the origin, where positions are rounded to %.2g of the particles' spacing: water "
        "at rest moves (move the scene nearer to the origin)",
        away, step / spacing);
    return true;
}

bool pd_world_write_warning(const pd_world *world, int index, char *text, size_t size) {
    char unused[256];
    int keys = 0, files = 0, own = 0;
    while (pd_scene_write_unused_key_warning(&world->scene, keys, unused, sizeof unused)) keys++;
    if (index < keys) return pd_scene_write_unused_key_warning(&world->scene, index, text, size);
    index -= keys;
    while (pd_scene_write_left_out(&world->scene, files, unused, sizeof unused)) files++;
    if (index < files) return pd_scene_write_left_out(&world->scene, index, text, size);
    index -= files;
    if (write_distance_warning(world, text, size) && index-- == 0) return true;
    while (pd_method_write_warning(world, own, unused, sizeof unused)) own++;
    if (index < own) return pd_method_write_warning(world, index, text, size);
    index -= own;
    for (int e = 0; world->emitted_now && e < world->scene.emitter_count; e++)
        if (pd_emitter_write_warning(world, e, text, size) && index-- == 0) return true;
    return false;
}

bool pd_scene_write_warning(const pd_scene *scene, int index, char *text, size_t size) {
    /* This world shares the scene's lists. It has neither particles nor a method's state: these may need too much memory. */
    pd_world world = {.scene = *scene, .method = pd_world_find_method(scene->method, NULL)};
    if (!world.method) return false;
    int total;
    if (pd_regions_compute_particle_counts(scene, NULL, &total, NULL) != PD_OK) total = 0;
    world.resolution = pd_resolution_compute(scene, total);
    pd_world_update_parameters(&world);
    return pd_world_write_warning(&world, index, text, size);
}
