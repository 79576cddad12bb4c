#include "scene/counts.h"

#include "core/error.h"
#include "core/memory.h"
#include "scene/geometry.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_PARTICLES = 1500 };

/* One region's claim while particles are shared out. */
typedef struct claim {
    double wanted;
    int region;
    bool shares; /* it said no number itself */
} claim;

static int by_remainder(const void *a, const void *b) {
    const claim *p = a, *q = b;
    double r = p->wanted - floor(p->wanted), s = q->wanted - floor(q->wanted);
    if (r != s) return r > s ? -1 : 1;
    return p->region < q->region ? -1 : p->region > q->region;
}

/* Scales what is wanted to `total` and rounds it so that the sum is exact: the largest remainders are rounded up. */
static void share_out(claim *claims, int count, long long total, int *counts) {
    double wanted = 0.0;
    for (int i = 0; i < count; i++) wanted += claims[i].wanted;
    long long left = total;
    for (int i = 0; i < count; i++) {
        claims[i].wanted = wanted > 0.0 ? claims[i].wanted / wanted * (double)total : (double)total / count;
        counts[claims[i].region] = (int)floor(claims[i].wanted);
        left -= counts[claims[i].region];
    }
    qsort(claims, (size_t)count, sizeof *claims, by_remainder);
    for (int i = 0; left > 0 && count > 0; i = (i + 1) % count, left--) counts[claims[i].region]++;
    for (int i = count - 1; left < 0 && i >= 0; i--) /* rounding of the sums themselves: at most a few */
        if (counts[claims[i].region] > 0) counts[claims[i].region]--, left++;
}

/* What the regions say themselves, in *stated; then the others' claims. Returns the sum of all. */
static double make_claims(const pd_scene *scene, claim *claims, double *stated) {
    double pool = scene->particles > 0 ? scene->particles : DEFAULT_PARTICLES, stated_area = 0.0, other_area = 0.0;
    *stated = 0.0;
    for (int i = 0; i < scene->region_count; i++) {
        const pd_region *region = &scene->regions[i];
        double area = pd_region_area(region), spacing = region->spacing;
        claims[i] = (claim){0.0, i, false};
        if (region->count > 0)
            claims[i].wanted = region->count;
        else if (spacing > 0.0)
            claims[i].wanted = fmax(1.0, round(area / (spacing * spacing)));
        else
            claims[i].shares = true;
        *stated += claims[i].wanted;
        *(claims[i].shares ? &other_area : &stated_area) += area;
    }
    double left = pool - *stated, per_area = left > 0.0 ? left / other_area : *stated / stated_area;
    double sum = *stated;
    for (int i = 0; i < scene->region_count; i++) {
        if (!claims[i].shares) continue;
        double wanted = per_area * pd_region_area(&scene->regions[i]);
        claims[i].wanted = isfinite(wanted) ? wanted : 0.0;
        sum += claims[i].wanted;
    }
    return sum;
}

/* Without a total of the scene's own, stated numbers stay as they are; the others are rounded together. */
static void round_claims(claim *claims, int count, int *counts) {
    int sharing = 0;
    double shared = 0.0;
    for (int i = 0; i < count; i++) {
        claim own = claims[i];
        if (own.shares) {
            shared += own.wanted;
            claims[sharing++] = own;
        } else
            counts[own.region] = (int)own.wanted;
    }
    share_out(claims, sharing, llround(shared), counts);
}

pd_result pd_regions_counts(const pd_scene *scene, int *counts, int *total, pd_error *error) {
    *total = 0;
    if (scene->region_count <= 0) return PD_OK;
    claim *claims = malloc((size_t)scene->region_count * sizeof *claims);
    if (!claims) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the scene's regions");
    double stated, sum = make_claims(scene, claims, &stated);
    if (scene->particles > 0) sum = scene->particles;
    if (!(sum <= PD_MAX_PARTICLES) || !isfinite(stated)) {
        free(claims);
        return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE, "the scene has %.4g particles (at most %d million)",
                       isfinite(stated) ? sum : stated, PD_MAX_PARTICLES / 1000000);
    }
    if (scene->particles > 0)
        share_out(claims, scene->region_count, scene->particles, counts);
    else
        round_claims(claims, scene->region_count, counts);
    free(claims);
    for (int i = 0; i < scene->region_count; i++) *total += counts[i];
    return PD_OK;
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
