/* The resolution of a scene, and parameter defaults that scale with it, so that the fluid is the same at every particle
 * count. */
#include "core/math.h"
#include "scene/geometry.h"
#include "sim/world.h"

/* The article's scene scaled to a circle of radius 1 m: gravity 35/22.33, radius h = 2.091/22.33. The rest spacing is
 * 0.364 h: on a hexagonal lattice with the article's stiffnesses and without gravity, attraction by the pressure and
 * repulsion by the near pressure balance there (zero virial). Regions start at this spacing; at a smaller one they
 * would fly apart. */
static const double ARTICLE_GRAVITY = 35 / 22.33;
static const double ARTICLE_SPACING = 0.364 * 2.091 / 22.33;

/* The characteristic length of a world without container: the greatest coordinate of a region, x or y; without regions
 * one and a half times that of a vortex. */
static double half_extent(const pd_scene *scene) {
    double extent = 0;
    for (int i = 0; i < scene->region_count; i++) {
        const pd_region *r = &scene->regions[i];
        pd_vec2 half = pd_area_half_size(&r->area);
        extent = fmax(extent, fmax(fabs((double)r->area.center.x) + half.x, fabs((double)r->area.center.y) + half.y));
    }
    for (int i = 0; i < scene->vorton_count && scene->region_count == 0; i++) {
        const pd_vorton *v = &scene->vortons[i];
        extent = fmax(extent, 1.5 * fmax(fabs((double)v->position.x), fabs((double)v->position.y)) + (double)v->core);
    }
    return extent > 0 ? extent : 1;
}

pd_resolution pd_resolution_of(const pd_scene *scene, int particles) {
    const pd_container *c = &scene->container;
    double length;
    if (c->shape == PD_CONTAINER_CIRCLE)
        length = c->radius;
    else if (c->shape == PD_CONTAINER_BOX)
        length = fmin(c->width, c->height) / 2;
    else
        length = half_extent(scene);
    double area = 0;
    for (int i = 0; i < scene->region_count; i++) area += pd_region_size(&scene->regions[i]);
    double spacing = particles > 0 ? sqrt(area / particles) : 0;
    if (spacing == 0 && scene->emitter_count > 0) {
        const pd_emitter *e = &scene->emitters[0];
        spacing = sqrt((double)e->speed * e->width / fmax(e->rate, 1e-6));
    }
    if (!(spacing > 1e-7 * length)) spacing = ARTICLE_SPACING * length;
    double gravity = pd_hypot(scene->gravity.x, scene->gravity.y);
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
    double value = parameter->default_value * pd_pow(fineness, powers.resolution) *
                   pd_pow(resolution->length, powers.length) * pd_pow(time, powers.time);
    /* Rounded to six digits so that defaults print short. */
    if (powers.resolution || powers.length || powers.time) {
        double unit = pd_pow(10, floor(pd_log10(value)) - 5);
        value = round(value / unit) * unit;
    }
    if (parameter->type == PD_PARAMETER_INTEGER) value = round(value);
    return (float)fmin(fmax(value, parameter->minimum), parameter->maximum);
}
