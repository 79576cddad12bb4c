/* Divides the particles of a scene among its regions, and scales settings with the resolution. */
#include "scene/content/counts.h"

#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "scene/content/particle_list.h"
#include "scene/geometry.h"

#include <puddle/method.h>
#include <stdlib.h>

enum { DEFAULT_PARTICLES = 1500 };

/* Number of particles of a region before rounding. */
typedef struct quota {
    double particles; /* number of particles, possibly not a whole number */
    int region;       /* index of the region in the scene */
    bool by_area;     /* the number depends on the region's area, since the region has neither count nor spacing */
} quota;

static int compare_quotas_by_remainder(const void *a, const void *b) {
    const quota *p = a, *q = b;
    double r = p->particles - floor(p->particles), s = q->particles - floor(q->particles);
    if (r != s) return r > s ? -1 : 1;
    return (p->region > q->region) - (p->region < q->region);
}

/* Scales the quotas to the sum `total`. Rounds them to integers with the same sum by the method of largest remainders.
 * counts[region]: rounded quota. */
static void round_quotas_to_total(quota *quotas, int count, long long total, int *counts) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += quotas[i].particles;
    long long left = total;
    for (int i = 0; i < count; i++) {
        quotas[i].particles = sum > 0.0 ? quotas[i].particles / sum * (double)total : (double)total / count;
        counts[quotas[i].region] = (int)floor(quotas[i].particles);
        left -= counts[quotas[i].region];
    }
    qsort(quotas, (size_t)count, sizeof *quotas, compare_quotas_by_remainder);
    for (int i = 0; left > 0 && count > 0; i = (i + 1) % count) {
        counts[quotas[i].region]++;
        left--;
    }
    /* Rounding errors of the division may make the sum of the rounded-down quotas larger than the total. */
    for (int i = count - 1; left < 0 && i >= 0; i--) {
        if (counts[quotas[i].region] == 0) continue;
        counts[quotas[i].region]--;
        left++;
    }
}

/* Computes the quotas of all regions and returns their sum. *stated_particles: sum over the regions with a count or
 * spacing. */
static double compute_quotas(const pd_scene *scene, quota *quotas, double *stated_particles) {
    double total = scene->particles > 0 ? scene->particles : DEFAULT_PARTICLES, stated_area = 0.0, other_area = 0.0;
    *stated_particles = 0.0;
    for (int i = 0; i < scene->region_count; i++) {
        const pd_region *region = &scene->regions[i];
        double area = pd_region_square_metres(region), spacing = region->spacing;
        quotas[i] = (quota){.region = i};
        if (region->count > 0) {
            quotas[i].particles = region->count;
        } else if (spacing > 0.0) {
            quotas[i].particles = fmax(1.0, round(area / (spacing * spacing)));
        } else {
            quotas[i].by_area = true;
            other_area += area;
            continue;
        }
        *stated_particles += quotas[i].particles;
        stated_area += area;
    }
    double left = total - *stated_particles,
           per_area = left > 0.0 ? left / other_area : *stated_particles / stated_area;
    double sum = *stated_particles;
    for (int i = 0; i < scene->region_count; i++) {
        if (!quotas[i].by_area) continue;
        double particles = per_area * pd_area_square_metres(&scene->regions[i].area);
        quotas[i].particles = isfinite(particles) ? particles : 0.0;
        sum += quotas[i].particles;
    }
    return sum;
}

/* Rounds the quotas of a scene that does not set the total number of particles. Quotas of regions with a count or
 * spacing are whole numbers. Quotas by area are rounded so that their sum changes by at most 1/2. */
static void round_quotas_without_total(quota *quotas, int count, int *counts) {
    int shares = 0;
    double shared = 0.0;
    for (int i = 0; i < count; i++) {
        quota q = quotas[i];
        if (q.by_area) {
            shared += q.particles;
            quotas[shares++] = q;
        } else {
            counts[q.region] = (int)q.particles;
        }
    }
    round_quotas_to_total(quotas, shares, llround(shared), counts);
}

pd_result pd_regions_compute_particle_counts(const pd_scene *scene, int *counts, int *total, pd_error *error) {
    *total = 0;
    if (scene->region_count <= 0) return PD_OK;
    quota *quotas = pd_memory_require((size_t)scene->region_count, sizeof *quotas);
    int *own_counts = counts ? NULL : pd_memory_require((size_t)scene->region_count, sizeof *counts);
    if (own_counts) counts = own_counts;
    double stated_particles, sum = compute_quotas(scene, quotas, &stated_particles);
    if (scene->particles > 0) sum = scene->particles;
    if (!(sum <= PD_MAX_PARTICLES) || !isfinite(stated_particles)) {
        pd_memory_free(quotas);
        pd_memory_free(own_counts);
        return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE, "the scene has %.4g particles (at most %d million)",
                       isfinite(stated_particles) ? sum : stated_particles, PD_MAX_PARTICLES / 1000000);
    }
    if (scene->particles > 0)
        round_quotas_to_total(quotas, scene->region_count, scene->particles, counts);
    else
        round_quotas_without_total(quotas, scene->region_count, counts);
    for (int i = 0; i < scene->region_count; i++) *total += counts[i];
    pd_memory_free(quotas);
    pd_memory_free(own_counts);
    return PD_OK;
}

/* Returns the number of particles that all emitters emit in their first ten seconds. In a scene without regions this
 * number is the reference for the resolution. */
static double count_emitted_particles(const pd_scene *scene) {
    double total = 0;
    for (int i = 0; i < scene->emitter_count; i++) {
        const pd_emitter *e = &scene->emitters[i];
        total += e->rate * fmax(0, fmin(e->until - e->from, 10));
    }
    return total;
}

/* If some but not all regions have a count or spacing, sets the count of every region to counts[region]. Then a new
 * total number of particles scales all regions by the same factor. */
static void set_count_of_each_region(pd_scene *scene, const int *counts) {
    int stated_regions = 0;
    for (int i = 0; i < scene->region_count; i++)
        stated_regions += scene->regions[i].count > 0 || scene->regions[i].spacing > 0;
    if (stated_regions == 0 || stated_regions == scene->region_count) return;
    for (int i = 0; i < scene->region_count; i++) {
        scene->regions[i].count = counts[i] > 0 ? counts[i] : 1;
        scene->regions[i].spacing = 0;
    }
}

static pd_result check_emission_rates(const pd_scene *scene, float factor, pd_error *error) {
    for (int i = 0; i < scene->emitter_count; i++)
        if (!(scene->emitters[i].rate * factor <= PD_MAX_PARTICLES))
            return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE,
                           "emitter %d would send out %.4g particles per second (at most %d; use fewer particles)",
                           i + 1, (double)(scene->emitters[i].rate * factor), PD_MAX_PARTICLES);
    return PD_OK;
}

pd_result pd_scene_set_particle_count(pd_scene *scene, int particles, pd_error *error) {
    if (particles < 1)
        return pd_fail(error, PD_ERROR_SCENE_VALUE, "%d particles (use 1 to %d)", particles, PD_MAX_PARTICLES);
    if (particles > PD_MAX_PARTICLES)
        return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE, "%d particles (use at most %d)", particles, PD_MAX_PARTICLES);
    if (pd_scene_has_listed_particles(scene))
        return pd_fail(error, PD_ERROR_SCENE_VALUE,
                       "the number of particles is fixed: the scene lists each particle (use another scene)");
    int total = 0;
    int *counts = pd_memory_require((size_t)scene->region_count + 1, sizeof *counts);
    pd_result result = pd_regions_compute_particle_counts(scene, counts, &total, error);
    double before = scene->region_count > 0 ? total : count_emitted_particles(scene);
    float factor = before > 0 ? (float)(particles / before) : 1;
    if (result == PD_OK) result = check_emission_rates(scene, factor, error);
    if (result == PD_OK) {
        set_count_of_each_region(scene, counts);
        for (int i = 0; i < scene->emitter_count; i++)
            scene->emitters[i].rate = fmaxf(scene->emitters[i].rate * factor, (float)PD_MIN_RATE);
        scene->particles = particles;
    }
    pd_memory_free(counts);
    return result;
}

static void scale_value_with_resolution(const pd_parameter *parameter, float *value, double spacing_ratio) {
    double scaled = *value * pd_pow(spacing_ratio, parameter->follows.resolution);
    if (parameter->type == PD_PARAMETER_INTEGER) scaled = round(scaled);
    *value = (float)fmin(fmax(scaled, parameter->minimum), parameter->maximum);
}

void pd_scene_scale_settings(pd_scene *scene, double spacing_ratio) {
    for (int i = 0; i < scene->setting_count; i++) {
        pd_setting *setting = &scene->settings[i];
        int method, index;
        if (pd_parameter_find(setting->key, &method, &index, NULL) == PD_OK)
            scale_value_with_resolution(pd_method_parameter_at(pd_method_at(method), index), &setting->value,
                                        spacing_ratio);
    }
    for (int m = 0; m < scene->material_count; m++)
        for (int p = 0; p < PD_PROPERTIES; p++)
            if (!isnan(scene->materials[m].property[p]))
                scale_value_with_resolution(pd_property_at(p)->parameter, &scene->materials[m].property[p],
                                            spacing_ratio);
}
