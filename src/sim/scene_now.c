/* The scene that begins as a world is now. */
#include "core/error.h"
#include "core/memory.h"
#include "scene/content/cells.h"
#include "scene/content/placed.h"
#include "scene/geometry.h"
#include "scene/items.h"
#include "sim/step.h"
#include "sim/view.h"
#include "sim/walls/solid.h"
#include "sim/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Obstacles and emitters: times count from now ---- */

/* What moves on a straight path begins it where it is; what goes to and fro keeps its path, and how much of that is behind it. */
static void move_obstacles(const pd_world *world, pd_scene *scene) {
    int count;
    const pd_solid *solids = pd_boundary_solids(world->boundary, &count);
    double now = pd_world_time(world);
    for (int i = 0; i < scene->obstacle_count; i++) {
        pd_obstacle *o = &scene->obstacles[i];
        pd_vec2 offset = world->obstacle_offset[i];
        pd_area seen;
        if (o->turn > 0) {
            o->phase = (float)fmod(now + (double)o->phase, 2 * (double)o->turn);
            o->area.center = (pd_vec2){o->area.center.x + offset.x, o->area.center.y + offset.y};
            continue;
        }
        pd_solid_view(&solids[i], now, &seen);
        o->area.center = seen.center;
        if (o->spin != 0 || o->phase > 0) pd_area_turn(&o->area, (double)seen.angle);
        o->phase = 0;
    }
}

/* Without those that have ended. */
static void shift_emitters(const pd_world *world, pd_scene *scene) {
    double now = pd_world_time(world);
    int kept = 0;
    for (int i = 0; i < scene->emitter_count; i++) {
        pd_emitter e = scene->emitters[i];
        e.from = (float)fmax((double)e.from - now, 0);
        e.until = (float)((double)e.until - now);
        if (e.until > e.from) scene->emitters[kept++] = e;
    }
    scene->emitter_count = kept;
}

/* ---- Fluid ---- */

typedef struct order {
    uint32_t id;
    int index;
} order;

static int by_id(const void *a, const void *b) {
    uint32_t p = ((const order *)a)->id, q = ((const order *)b)->id;
    return (p > q) - (p < q);
}

/* The particles by their ids, which they get anew in that order. */
static pd_result list_particles(const pd_world *world, pd_scene *scene, pd_error *error) {
    const pd_particles *p = &world->particles;
    if (p->count == 0) return PD_OK;
    order *sorted = pd_memory_new((size_t)p->count * sizeof *sorted);
    pd_scene_particle *list = pd_memory_new((size_t)p->count * sizeof *list);
    for (int i = 0; sorted && i < p->count; i++) sorted[i] = (order){p->id[i], i};
    if (sorted) qsort(sorted, (size_t)p->count, sizeof *sorted, by_id);
    for (int n = 0; sorted && list && n < p->count; n++) {
        int i = sorted[n].index;
        list[n] = (pd_scene_particle){{p->x[i], p->y[i]}, {p->vx[i], p->vy[i]}, p->material[i]};
    }
    pd_result result = sorted && list ? pd_scene_add_particles(scene, list, p->count, world->resolution.spacing, error)
                                      : pd_fail_memory(error, "the scene as it is now");
    pd_memory_free(sorted);
    pd_memory_free(list);
    return result;
}

/* The vortices of a method that has them. For the others the vortons of the scene have done what they do: given velocities. */
static pd_result list_vortons(const pd_world *world, pd_scene *scene, pd_error *error) {
    static const float LEAST_CORE = 1e-6f; /* m, of a scene */
    pd_view view;
    pd_world_view(world, &view);
    const pd_view_vortices *v = &view.vortices;
    int count = 0;
    for (int n = 0; v->id && n < v->count; n++) count += v->circulation[n] != 0;
    if (count > PD_MAX_VORTONS)
        return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE,
                       "%d vortices are too many for a scene (at most %d; save a snapshot)", count, PD_MAX_VORTONS);
    pd_memory_free(scene->vortons);
    scene->vortons = NULL;
    scene->vorton_count = 0;
    if (count == 0) return PD_OK;
    scene->vortons = pd_memory_new((size_t)count * sizeof *scene->vortons);
    if (!scene->vortons) return pd_fail_memory(error, "the scene as it is now");
    for (int n = 0; n < v->count; n++)
        if (v->circulation[n] != 0)
            scene->vortons[scene->vorton_count++] =
                (pd_vorton){{v->x[n], v->y[n]}, v->circulation[n], fmaxf(v->core[n], LEAST_CORE)};
    return PD_OK;
}

/* ---- Parameters ---- */

/* The values in effect, where they are neither set nor what a world of the new scene has by default. */
static pd_result keep_parameters(const pd_world *world, pd_scene *scene, pd_error *error) {
    const pd_method_info *info = &world->method->info;
    pd_resolution resolution = pd_resolution_of(scene, world->particles.count);
    for (int i = 0; i < info->parameter_count; i++) {
        bool set = false;
        for (int k = 0; k < scene->setting_count; k++) set |= strcmp(scene->settings[k].key, world->key[i]) == 0;
        if (set || world->parameter[i] == pd_resolution_default(&resolution, pd_method_parameter_at(info, i))) continue;
        pd_result result = pd_scene_set(scene, world->key[i], world->parameter[i], error);
        if (result != PD_OK) return result;
    }
    return PD_OK;
}

pd_result pd_world_scene_now(const pd_world *world, pd_scene *scene, pd_error *error) {
    *scene = (pd_scene){0};
    if (pd_world_stepping(world)) return pd_fail_within_step(error);
    pd_result result = pd_scene_copy(scene, &world->scene, error);
    if (result != PD_OK) return result;
    pd_scene_list_free(PD_LIST_REGIONS, scene);
    scene->particles = 0;
    move_obstacles(world, scene);
    shift_emitters(world, scene);
    pd_cells_free(&scene->cells);
    result = pd_method_cells(world, &scene->cells, error);
    if (result == PD_OK) result = list_particles(world, scene, error);
    if (result == PD_OK) result = list_vortons(world, scene, error);
    if (result == PD_OK) result = keep_parameters(world, scene, error);
    if (result == PD_OK) result = pd_scene_check(scene, error);
    if (result != PD_OK) pd_scene_free(scene);
    return result;
}
