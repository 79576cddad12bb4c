/* Editing the scene of a running world: its lists, materials and parameters. */
#include "scene/edit.h"

#include "core/error.h"
#include "core/memory.h"
#include "scene/content/counts.h"
#include "sim/displace.h"
#include "sim/particles/ramp.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

/* The world's own arrays whose length follows the scene. */
typedef struct arrays {
    double *carry;
    uint64_t *number;
    pd_vec2 *offset;
    int *counts; /* of the regions */
    int start_count;
} arrays;

static void free_arrays(arrays *a) {
    pd_free(a->carry);
    pd_free(a->number);
    pd_free(a->offset);
    pd_free(a->counts);
}

/* What stays keeps its values; an obstacle with another centre is where that says. */
static pd_result make_arrays(const pd_world *world, const pd_edited *edit, arrays *a, pd_error *error) {
    int emitters = edit->scene.emitter_count, obstacles = edit->scene.obstacle_count;
    a->carry = pd_allocate((size_t)emitters + 1, sizeof *a->carry);
    a->number = pd_allocate((size_t)emitters + 1, sizeof *a->number);
    a->offset = pd_allocate((size_t)obstacles + 1, sizeof *a->offset);
    a->counts = pd_allocate((size_t)edit->scene.region_count + 1, sizeof *a->counts);
    if (!a->carry || !a->number || !a->offset || !a->counts) return pd_fail_memory(error, "the edit");
    for (int i = 0; i < emitters; i++) {
        int from = edit->emitter_from[i];
        if (from < 0) continue;
        a->carry[i] = world->emitter_carry[from];
        a->number[i] = world->emitter_number[from];
    }
    for (int i = 0; i < obstacles; i++) {
        int from = edit->obstacle_from[i];
        if (from < 0) continue;
        pd_vec2 before = world->scene.obstacles[from].area.center, after = edit->scene.obstacles[i].area.center;
        if (before.x == after.x && before.y == after.y) a->offset[i] = world->obstacle_offset[from];
    }
    return pd_regions_counts(&edit->scene, a->counts, &a->start_count, error);
}

/* The first `count` parameters of the edited scene have their values before again; NAN: none. */
static void restore_parameters(pd_world *world, const pd_edited *edit, const float *before, int count) {
    for (int i = 0; i < count; i++) {
        const pd_setting *setting = &edit->scene.settings[i];
        if (setting->value == before[i]) continue;
        if (isnan(before[i]))
            pd_world_reset_parameter(world, setting->key, NULL);
        else
            pd_world_set_parameter(world, setting->key, before[i], NULL);
    }
}

/* Ahead of the rest of the edit. *before: receives what restore_parameters needs, to be freed. */
static pd_result set_parameters(pd_world *world, const pd_edited *edit, float **before, pd_error *error) {
    int count = edit->scene.setting_count;
    *before = pd_allocate((size_t)count + 1, sizeof **before);
    if (!*before) return pd_fail_memory(error, "the edit");
    for (int i = 0; i < count; i++) {
        const pd_setting *setting = &edit->scene.settings[i];
        (*before)[i] = pd_edit_setting(&world->scene, setting->key);
        if ((*before)[i] == setting->value) continue;
        pd_result result = pd_world_set_parameter(world, setting->key, setting->value, error);
        if (result == PD_OK) continue;
        restore_parameters(world, edit, *before, i);
        return result;
    }
    return PD_OK;
}

/* A material that goes must have no particles. */
static pd_result check_materials(const pd_world *world, const pd_edited *edit, pd_error *error) {
    const pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++)
        if (edit->material_to[p->material[i]] < 0)
            return pd_fail(error, PD_ERROR_SCENE_VALUE,
                           "fluid of the material '%s' is in the scene (erase that fluid first)",
                           world->scene.materials[p->material[i]].name);
    return PD_OK;
}

/* The walls of the edited scene where they are now. */
static pd_result make_boundary(const pd_world *world, const pd_edited *edit, const pd_vec2 *offset, pd_boundary **made,
                               pd_error *error) {
    double now = pd_world_time(world);
    pd_result result = pd_boundary_create(made, &edit->scene, error);
    if (result != PD_OK) return result;
    for (int i = 0; i < edit->scene.obstacle_count; i++) pd_boundary_displace(*made, i, offset[i], offset[i]);
    pd_boundary_move(*made, now, now);
    return PD_OK;
}

static void swap_scenes(pd_world *world, pd_edited *edit, pd_boundary **boundary) {
    pd_scene scene = world->scene;
    pd_boundary *walls = world->boundary;
    world->scene = edit->scene;
    world->boundary = *boundary;
    edit->scene = scene;
    *boundary = walls;
}

/* The tool's obstacle and material by their new indices; it is put down where they are gone. */
static void follow_tool(pd_world *world, const pd_edited *edit) {
    pd_tool tool = world->tool;
    if (tool.kind == PD_TOOL_PAINT || tool.kind == PD_TOOL_POUR) tool.material = edit->material_to[tool.material];
    if (tool.kind == PD_TOOL_MOVE) {
        int index = 0, count = world->scene.obstacle_count;
        while (index < count && edit->obstacle_from[index] != tool.obstacle) index++;
        tool.obstacle = world->tool.obstacle = index < count ? index : -1;
    }
    pd_world_set_tool(world, &tool);
}

static void take_over(pd_world *world, const pd_edited *edit, arrays *a) {
    pd_particles *p = &world->particles;
    arrays before = {world->emitter_carry, world->emitter_number, world->obstacle_offset, world->region_counts, 0};
    world->emitter_carry = a->carry;
    world->emitter_number = a->number;
    world->obstacle_offset = a->offset;
    world->region_counts = a->counts; /* for the next reset */
    world->start_count = a->start_count;
    *a = before;
    for (int i = 0; i < p->count; i++) p->material[i] = (uint8_t)edit->material_to[p->material[i]];
    world->nozzle.count = 0; /* listed anew in every step */
    follow_tool(world, edit);
    pd_world_refresh_parameters(world);
}

/* After the scene was edited; on an error nothing has changed. */
static pd_result apply(pd_world *world, pd_edited *edit, arrays *a, pd_boundary **boundary, pd_displaced *displaced,
                       pd_error *error) {
    const pd_particles *p = &world->particles;
    pd_result result = check_materials(world, edit, error);
    if (result == PD_OK) result = make_arrays(world, edit, a, error);
    if (result == PD_OK && edit->refilled)
        result =
            pd_world_reserve(world, a->start_count < PD_MAX_PARTICLES ? a->start_count + 1 : PD_MAX_PARTICLES, error);
    if (result == PD_OK) result = make_boundary(world, edit, a->offset, boundary, error);
    pd_world_rest_obstacles(world);
    if (result == PD_OK)
        result = pd_displace(world, world->boundary, *boundary, p->count, p->x, p->y, displaced, error);
    if (result != PD_OK) return result;
    swap_scenes(world, edit, boundary);
    pd_world_refresh_parameters(world);
    result = pd_method_adapt(world, error); /* a new material may take memory of a method */
    if (result == PD_OK) result = pd_method_edit(world, edit, *boundary, error);
    if (result != PD_OK) {
        swap_scenes(world, edit, boundary);
        pd_world_refresh_parameters(world);
        return result;
    }
    take_over(world, edit, a);
    pd_displaced_move(displaced, p->x, p->y);
    if (world->method->law && displaced->count > 0) pd_displaced_settle(world, displaced);
    return PD_OK;
}

pd_result pd_world_edit(pd_world *world, const pd_edit *change, pd_error *error) {
    PD_ASSERT(!pd_world_stepping(world));
    pd_edited edit;
    arrays a = {0};
    pd_boundary *boundary = NULL;
    pd_displaced displaced = {0};
    float *before = NULL;
    const pd_wall_motion motion = world->wall_motion;
    pd_result result = pd_edit_apply(change, &world->scene, &edit, error);
    if (result == PD_OK) result = set_parameters(world, &edit, &before, error);
    if (result == PD_OK) {
        result = apply(world, &edit, &a, &boundary, &displaced, error);
        if (result != PD_OK) {
            restore_parameters(world, &edit, before, edit.scene.setting_count);
            world->wall_motion = motion;
            pd_world_restore_obstacles(world);
        }
    }
    pd_free(before);
    pd_edited_free(&edit);
    free_arrays(&a);
    pd_boundary_destroy(boundary);
    pd_displaced_free(&displaced);
    return result;
}
