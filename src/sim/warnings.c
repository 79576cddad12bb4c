/* Warnings about settings of a scene that have no effect, or another effect than the scene describes. Keys that the method does
 * not use come first, then the method's own warnings, then blocked emitters. */
#include "core/memory.h"
#include "scene/content/counts.h"
#include "scene/features.h"
#include "sim/sources/compartments.h"
#include "sim/world.h"

bool pd_world_write_warning(const pd_world *world, int index, char *text, size_t size) {
    char unused[256];
    int keys = 0;
    while (pd_scene_write_unused_key_warning(&world->scene, keys, unused, sizeof unused)) keys++;
    if (index < keys) return pd_scene_write_unused_key_warning(&world->scene, index, text, size);
    int own = keys;
    while (pd_method_write_warning(world, own - keys, unused, sizeof unused)) own++;
    if (index < own) return pd_method_write_warning(world, index - keys, text, size);
    int blocked = own;
    for (int e = 0; world->emitted_now && e < world->scene.emitter_count; e++)
        if (pd_emitter_write_warning(world, e, text, size) && blocked++ == index) return true;
    return false;
}

static int count_region_particles(const pd_scene *scene) {
    int total = 0, *counts = pd_memory_new(((size_t)scene->region_count + 1) * sizeof *counts);
    if (!counts || pd_regions_compute_particle_counts(scene, counts, &total, NULL) != PD_OK) total = 0;
    pd_memory_free(counts);
    return total;
}

bool pd_scene_write_warning(const pd_scene *scene, int index, char *text, size_t size) {
    /* This world shares the scene's lists. It has neither particles nor a method's state: these may need too much memory. */
    pd_world world = {.scene = *scene, .method = pd_world_find_method(scene->method, NULL)};
    if (!world.method) return false;
    world.resolution = pd_resolution_compute(scene, count_region_particles(scene));
    pd_world_update_parameters(&world);
    return pd_world_write_warning(&world, index, text, size);
}
