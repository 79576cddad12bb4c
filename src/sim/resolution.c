/* How fine a scene is, and what follows from it: the same fluid at every particle count. */
#include "core/error.h"
#include "core/memory.h"
#include "sim/regions.h"
#include "sim/world.h"

#include <math.h>

/* The article's scene scaled to a circle of radius 1 m: gravity 35/22.33, radius h = 2.091/22.33. Its fluid at rest
 * without gravity, where the pull of the pressure and the push of the near pressure balance (zero virial) on a
 * hexagonal lattice with the article's stiffnesses, has 0.364 h between particles: regions start there, or they would
 * burst. */
static const double ARTICLE_GRAVITY = 35 / 22.33;
static const double ARTICLE_SPACING = 0.364 * 2.091 / 22.33;

/* Half of the widest extent of the regions, for a world without container. */
static double half_extent(const pd_scene *scene) {
    double extent = 0;
    for (int i = 0; i < scene->region_count; i++) {
        const pd_region *r = &scene->regions[i];
        double width = r->shape == PD_SHAPE_CIRCLE ? 2 * r->radius : r->size.x;
        double height = r->shape == PD_SHAPE_CIRCLE ? 2 * r->radius : r->size.y;
        extent = fmax(extent, fmax(fabs((double)r->center.x) + width / 2, fabs((double)r->center.y) + height / 2));
    }
    return extent > 0 ? extent : 1;
}

pd_resolution pd_resolution_of(const pd_scene *scene, int particles) {
    const pd_container *c = &scene->container;
    double length = c->shape == PD_CONTAINER_CIRCLE ? c->radius
                    : c->shape == PD_CONTAINER_BOX  ? fmin(c->width, c->height) / 2
                                                    : half_extent(scene);
    double area = 0;
    for (int i = 0; i < scene->region_count; i++) area += pd_region_area(&scene->regions[i]);
    double spacing = particles > 0 ? sqrt(area / particles) : 0;
    if (spacing == 0 && scene->emitter_count > 0) {
        const pd_emitter *e = &scene->emitters[0];
        spacing = sqrt((double)e->speed * e->width / fmax(e->rate, 1e-6));
    }
    if (!(spacing > 1e-7 * length)) spacing = ARTICLE_SPACING * length;
    double gravity = hypot(scene->gravity.x, scene->gravity.y);
    return (pd_resolution){
        .spacing = (float)spacing,
        .length = (float)length,
        .gravity = (float)(gravity > 1e-6 ? gravity : ARTICLE_GRAVITY),
    };
}

float pd_resolution_default(const pd_resolution *resolution, const pd_parameter *parameter) {
    pd_parameter_powers powers = parameter->follows;
    double fineness = resolution->spacing / resolution->length / ARTICLE_SPACING;
    double time = sqrt(resolution->length / resolution->gravity * ARTICLE_GRAVITY);
    double value = parameter->default_value * pow(fineness, powers.resolution) *
                   pow(resolution->length, powers.length) * pow(time, powers.time);
    /* A default prints in few digits; nothing depends on more. */
    if (powers.resolution || powers.length || powers.time) {
        double unit = pow(10, floor(log10(value)) - 5);
        value = round(value / unit) * unit;
    }
    return (float)fmin(fmax(value, parameter->minimum), parameter->maximum);
}

/* What emitters send out in their first ten seconds: the size of a scene that has no regions. */
static double emitted(const pd_scene *scene) {
    double total = 0;
    for (int i = 0; i < scene->emitter_count; i++) {
        const pd_emitter *e = &scene->emitters[i];
        total += e->rate * fmax(0, fmin(e->until - e->from, 10));
    }
    return total;
}

/* Where some regions state their number and the others share the rest, another total would change who gets how much. */
static void freeze_ratio(pd_scene *scene, const int *counts) {
    int stated = 0;
    for (int i = 0; i < scene->region_count; i++)
        stated += scene->regions[i].count > 0 || scene->regions[i].spacing > 0;
    if (stated == 0 || stated == scene->region_count) return;
    for (int i = 0; i < scene->region_count; i++) {
        scene->regions[i].count = counts[i] > 0 ? counts[i] : 1;
        scene->regions[i].spacing = 0;
    }
}

static pd_result check_rates(const pd_scene *scene, float factor, pd_error *error) {
    for (int i = 0; i < scene->emitter_count; i++)
        if (!(scene->emitters[i].rate * factor <= PD_MAX_PARTICLES))
            return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE,
                           "emitter %d would send out %.4g particles per second (at most %d; use fewer particles)",
                           i + 1, (double)(scene->emitters[i].rate * factor), PD_MAX_PARTICLES);
    return PD_OK;
}

pd_result pd_scene_set_particles(pd_scene *scene, int particles, pd_error *error) {
    if (particles < 1)
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "%d particles (use 1 to %d)", particles, PD_MAX_PARTICLES);
    if (particles > PD_MAX_PARTICLES)
        return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE, "%d particles (use at most %d)", particles, PD_MAX_PARTICLES);
    int total = 0;
    int *counts = pd_allocate((size_t)scene->region_count + 1, sizeof *counts);
    if (!counts) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the scene's regions");
    pd_result result = pd_regions_counts(scene, counts, &total, error);
    double before = scene->region_count > 0 ? total : emitted(scene);
    float factor = before > 0 ? (float)(particles / before) : 1;
    if (result == PD_OK) result = check_rates(scene, factor, error);
    if (result == PD_OK) {
        freeze_ratio(scene, counts);
        for (int i = 0; i < scene->emitter_count; i++)
            scene->emitters[i].rate = fmaxf(scene->emitters[i].rate * factor, (float)PD_MIN_RATE);
        scene->particles = particles;
    }
    pd_free(counts);
    return result;
}
