/* Creation of a scene whose initial state is the present state of a world. */
#include "core/error.h"
#include "core/memory.h"
#include "scene/content/cells.h"
#include "scene/content/particle_list.h"
#include "scene/geometry.h"
#include "scene/items.h"
#include "sim/step.h"
#include "sim/view.h"
#include "sim/walls/solid.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Obstacles and emitters: the present time becomes time 0 ---- */

/* Sets the obstacles of the new scene to their present poses. Obstacles that reverse get their present phase instead. */
static void set_present_obstacle_poses(const pd_world *world, pd_scene *scene) {
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
        pd_solid_get_area(&solids[i], now, &seen);
        o->area.center = seen.center;
        if (o->spin != 0 || o->phase > 0) pd_area_rotate(&o->area, (double)seen.angle);
        o->phase = 0;
    }
}

/* ---- Fluid ---- */

typedef struct indexed_id {
    uint32_t id;
    int index;
} indexed_id;

static int compare_ids(const void *a, const void *b) {
    uint32_t p = ((const indexed_id *)a)->id, q = ((const indexed_id *)b)->id;
    return (p > q) - (p < q);
}

/* Lists the particles in the order of their ids, since the new world numbers them in the order of the list. */
static pd_result add_present_particles(const pd_world *world, pd_scene *scene, pd_error *error) {
    const pd_particles *p = &world->particles;
    if (p->count == 0) return PD_OK;
    indexed_id *sorted = pd_memory_new((size_t)p->count * sizeof *sorted);
    pd_scene_particle *list = pd_memory_new((size_t)p->count * sizeof *list);
    for (int i = 0; sorted && i < p->count; i++) sorted[i] = (indexed_id){p->id[i], i};
    if (sorted) qsort(sorted, (size_t)p->count, sizeof *sorted, compare_ids);
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

/* Replaces the scene's vortons by the vortices of a method with vortices. Under other methods removes the vortons, because
 * the particles' velocities already contain the velocities induced by vortons at time 0. */
static pd_result set_present_vortons(const pd_world *world, pd_scene *scene, pd_error *error) {
    static const float LEAST_CORE = 1e-6f; /* least core radius of a scene's vorton, m */
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

/* Sets each parameter of the new scene whose present value differs from its default in the new scene. */
static pd_result set_present_parameters(const pd_world *world, pd_scene *scene, pd_error *error) {
    const pd_method_info *info = &world->method->info;
    pd_resolution resolution = pd_resolution_compute(scene, world->particles.count);
    resolution.relative_depth = world->resolution.relative_depth; /* about that of the new scene's fluid */
    for (int i = 0; i < info->parameter_count; i++) {
        char key[PD_MAX_KEY];
        if (pd_world_is_parameter_set(world, i) ||
            world->parameter[i] == pd_settings_compute_default(scene, &resolution, info, i))
            continue;
        pd_result result = pd_scene_set_parameter(scene, pd_method_parameter_key(info, i, key, sizeof key),
                                                  world->parameter[i], error);
        if (result != PD_OK) return result;
    }
    return PD_OK;
}

/* Wraps the angles of bodies that have turned often, which a scene would refuse. */
static void wrap_body_angles(pd_scene *scene) {
    for (int i = 0; i < scene->body_count; i++) {
        pd_area *area = &scene->bodies[i].area;
        if (fabsf(area->angle) > 360) area->angle = fmodf(area->angle, 360);
    }
}

pd_result pd_world_state_as_scene(const pd_world *world, pd_scene *scene, pd_error *error) {
    *scene = (pd_scene){0};
    if (pd_world_stepping(world)) return pd_fail_within_step(error);
    pd_result result = pd_scene_copy(scene, &world->scene, error);
    if (result != PD_OK) return result;
    pd_scene_list_free(PD_LIST_REGIONS, scene);
    scene->particles = 0;
    set_present_obstacle_poses(world, scene);
    pd_world_set_present_bodies(world, scene);
    wrap_body_angles(scene);
    /* emitters' times relative to the present time; emitters that have ended are removed */
    double now = pd_world_time(world);
    int remaining = 0;
    for (int i = 0; i < scene->emitter_count; i++) {
        pd_emitter e = scene->emitters[i];
        e.from = (float)fmax((double)e.from - now, 0);
        e.until = (float)((double)e.until - now);
        if (e.until > e.from) scene->emitters[remaining++] = e;
    }
    scene->emitter_count = remaining;
    pd_cells_free(&scene->cells);
    result = pd_method_copy_cells(world, &scene->cells, error);
    if (result == PD_OK) result = add_present_particles(world, scene, error);
    if (result == PD_OK) result = set_present_vortons(world, scene, error);
    if (result == PD_OK) result = set_present_parameters(world, scene, error);
    if (result == PD_OK) result = pd_scene_check(scene, error);
    if (result != PD_OK) pd_scene_free(scene);
    return result;
}

/* ---- Joints at present places ---- */

/* Returns whether a joint joins a marked body. */
static bool joins_marked_body(const pd_scene *scene, const pd_scene_joint *joint, const bool *marked) {
    int first = pd_scene_find_body(scene, joint->bodies[0]), second = pd_scene_find_body(scene, joint->bodies[1]);
    return (first >= 0 && marked[first]) || (second >= 0 && marked[second]);
}

/* Marks the bodies of a joint, and all bodies that joints of the scene connect with them. */
static void mark_connected_bodies(const pd_scene *scene, const pd_scene_joint *joint, bool *marked) {
    for (int k = 0; k < 2; k++) {
        int body = pd_scene_find_body(scene, joint->bodies[k]);
        if (body >= 0) marked[body] = true;
    }
    for (bool grows = true; grows;) {
        grows = false;
        for (int i = 0; i < scene->joint_count; i++) {
            int first = pd_scene_find_body(scene, scene->joints[i].bodies[0]),
                second = pd_scene_find_body(scene, scene->joints[i].bodies[1]);
            if (first < 0 || second < 0 || marked[first] == marked[second]) continue;
            marked[first] = marked[second] = grows = true;
        }
    }
}

/* Sets the marked bodies and their joints to those of `present`, whose points it exchanges for those of the scene. */
static pd_result copy_marked_bodies(pd_scene *scene, pd_scene *present, const bool *marked, pd_error *error) {
    pd_result result = PD_OK;
    for (int i = scene->joint_count - 1; i >= 0; i--)
        if (joins_marked_body(scene, &scene->joints[i], marked)) pd_scene_remove_joint(scene, i, NULL);
    for (int i = 0; i < present->joint_count && result == PD_OK; i++)
        if (joins_marked_body(present, &present->joints[i], marked))
            result = pd_scene_add_joint(scene, &present->joints[i], error);
    for (int i = 0; i < scene->body_count; i++) {
        pd_scene_body *to = &scene->bodies[i], *from = &present->bodies[i];
        pd_vec2 *points = to->area.points;
        if (!marked[i]) continue;
        to->area.center = from->area.center;
        to->area.angle = from->area.angle;
        to->area.points = from->area.points;
        from->area.points = points;
        to->velocity = from->velocity;
        to->spin = from->spin;
    }
    return result;
}

pd_result pd_world_join_bodies(const pd_world *world, pd_scene *scene, const pd_scene_joint *joint, pd_error *error) {
    pd_scene present;
    if (pd_world_stepping(world)) return pd_fail_within_step(error);
    if (scene->body_count != world->scene.body_count)
        return pd_fail(error, PD_ERROR_USAGE, "the scene has not the world's bodies (copy pd_world_scene)");
    pd_result result = pd_scene_copy(&present, &world->scene, error);
    if (result != PD_OK) return result;
    bool *marked = pd_memory_require((size_t)scene->body_count + 1, sizeof *marked);
    pd_world_set_present_bodies(world, &present);
    wrap_body_angles(&present);
    mark_connected_bodies(scene, joint, marked);
    result = copy_marked_bodies(scene, &present, marked, error);
    if (result == PD_OK) result = pd_scene_add_joint(scene, joint, error);
    pd_memory_free(marked);
    pd_scene_free(&present);
    return result;
}
