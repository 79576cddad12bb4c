/* Warnings about settings of a scene that have no effect, or another effect than the scene describes. Keys that the method does
 * not use come first, then files of which something was left out, then the method's own warnings, then blocked emitters. */
#include "scene/content/counts.h"
#include "scene/features.h"
#include "scene/items.h"
#include "sim/sources/compartments.h"
#include "sim/world.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

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

static int count_region_particles(const pd_scene *scene) {
    int total;
    return pd_regions_compute_particle_counts(scene, NULL, &total, NULL) == PD_OK ? total : 0;
}

bool pd_scene_write_warning(const pd_scene *scene, int index, char *text, size_t size) {
    /* This world shares the scene's lists. It has neither particles nor a method's state: these may need too much memory. */
    pd_world world = {.scene = *scene, .method = pd_world_find_method(scene->method, NULL)};
    if (!world.method) return false;
    world.resolution = pd_resolution_compute(scene, count_region_particles(scene));
    pd_world_update_parameters(&world);
    return pd_world_write_warning(&world, index, text, size);
}
