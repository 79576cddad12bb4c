/* Edits of a running world's scene: its lists, materials and parameters. */
#include "scene/edit.h"

#include "core/error.h"
#include "core/memory.h"
#include "scene/content/counts.h"
#include "sim/displace.h"
#include "sim/particles/ramp.h"
#include "sim/sources/compartments.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

#include <math.h>
#include <string.h>

/* Arrays of the world with one element for each emitter, obstacle or region. */
typedef struct item_arrays {
    double *fraction;        /* by emitter: new value of pd_world.emitted_fraction */
    uint64_t *emitted;       /* by emitter: new value of pd_world.emitted */
    int *emitted_now;        /* by emitter: new value of pd_world.emitted_now */
    pd_vec2 *offset;         /* by obstacle: new value of pd_world.obstacle_offset, m */
    int *counts;             /* by region: new value of pd_world.region_counts */
    int region_total;        /* sum of `counts` */
    pd_world_bodies *bodies; /* new value of pd_world.bodies */
} item_arrays;

/* Allocates the arrays for the edited scene. Copies the values of items that remain. An obstacle whose centre was edited
 * gets the offset 0. */
static pd_result create_item_arrays(const pd_world *world, const pd_edited *edit, item_arrays *a, pd_error *error) {
    int emitters = edit->scene.emitter_count, obstacles = edit->scene.obstacle_count;
    a->fraction = pd_memory_require((size_t)emitters, sizeof *a->fraction);
    a->emitted = pd_memory_require((size_t)emitters, sizeof *a->emitted);
    a->emitted_now = pd_memory_require((size_t)emitters, sizeof *a->emitted_now);
    a->offset = pd_memory_require((size_t)obstacles, sizeof *a->offset);
    a->counts = pd_memory_require((size_t)edit->scene.region_count, sizeof *a->counts);
    for (int i = 0; i < emitters; i++) {
        int from = edit->from[PD_LIST_EMITTERS][i];
        if (from < 0) continue;
        a->fraction[i] = world->emitted_fraction[from];
        a->emitted[i] = world->emitted[from];
    }
    for (int i = 0; i < obstacles; i++) {
        int from = edit->from[PD_LIST_OBSTACLES][i];
        if (from < 0) continue;
        pd_vec2 before = world->scene.obstacles[from].area.center, after = edit->scene.obstacles[i].area.center;
        if (before.x == after.x && before.y == after.y) a->offset[i] = world->obstacle_offset[from];
    }
    pd_result result = pd_regions_compute_particle_counts(&edit->scene, a->counts, &a->region_total, error);
    if (result == PD_OK && edit->bodies_changed)
        result = pd_world_bodies_create_after_edit(&a->bodies, world, edit, error);
    return result;
}

/* Sets the first `count` parameters that the edit has set back to old_values. Value NAN: the parameter was not set before. */
static void restore_parameters(pd_world *world, const pd_edited *edit, const float *old_values, int count) {
    for (int i = 0; i < count; i++) {
        const pd_setting *setting = &edit->scene.settings[i];
        if (setting->value == old_values[i]) continue;
        if (isnan(old_values[i]))
            pd_world_reset_parameter(world, setting->key, NULL);
        else
            pd_world_set_parameter(world, setting->key, old_values[i], NULL);
    }
}

/* Sets the parameters of the edit in the world. *old_values receives their previous values for restore_parameters, in an
 * array that the caller frees. */
static pd_result set_edited_parameters(pd_world *world, const pd_edited *edit, float **old_values, pd_error *error) {
    int count = edit->scene.setting_count;
    *old_values = pd_memory_require((size_t)count, sizeof **old_values);
    for (int i = 0; i < count; i++) {
        const pd_setting *setting = &edit->scene.settings[i];
        (*old_values)[i] = pd_scene_setting_value(&world->scene, setting->key);
        if ((*old_values)[i] == setting->value) continue;
        pd_result result = pd_world_set_parameter(world, setting->key, setting->value, error);
        if (result == PD_OK) continue;
        restore_parameters(world, edit, *old_values, i);
        return result;
    }
    return PD_OK;
}

/* Fails if a particle has a material that the edit removes. */
static pd_result check_removed_materials(const pd_world *world, const pd_edited *edit, pd_error *error) {
    const pd_particles *p = &world->particles;
    for (int i = 0; i < p->count; i++)
        if (edit->material_to[p->material[i]] < 0)
            return pd_fail(error, PD_ERROR_SCENE_VALUE,
                           "fluid of the material '%s' is in the scene (erase that fluid first)",
                           world->scene.materials[p->material[i]].name);
    return PD_OK;
}

static pd_result create_edited_boundary(const pd_world *world, const pd_edited *edit, const item_arrays *a,
                                        pd_boundary **made, pd_error *error) {
    double now = pd_world_time(world);
    pd_result result = pd_boundary_create(made, &edit->scene, error);
    if (result != PD_OK) return result;
    for (int i = 0; i < edit->scene.obstacle_count; i++)
        pd_boundary_set_obstacle_offsets(*made, i, a->offset[i], a->offset[i]);
    pd_boundary_move_obstacles(*made, now, now);
    pd_world_bodies_set_walls(edit->bodies_changed ? a->bodies : world->bodies, *made, true);
    return PD_OK;
}

static void swap_scene_and_boundary(pd_world *world, pd_edited *edit, pd_boundary **boundary) {
    pd_scene scene = world->scene;
    pd_boundary *walls = world->boundary;
    world->scene = edit->scene;
    world->boundary = *boundary;
    edit->scene = scene;
    *boundary = walls;
}

/* Updates the indices of the tool's obstacle or body and material after an edit. Sets the tool to PD_TOOL_NONE if the edit removed
 * them. */
static void update_tool(pd_world *world, const pd_edited *edit) {
    pd_tool tool = world->tool;
    if (tool.kind == PD_TOOL_PAINT || tool.kind == PD_TOOL_POUR) tool.material = edit->material_to[tool.material];
    if (tool.kind == PD_TOOL_MOVE) {
        int obstacles = edit->scene.obstacle_count; /* before the edit: the scenes have been swapped */
        bool body = tool.obstacle >= obstacles;
        int first = body ? world->scene.obstacle_count : 0, old = tool.obstacle - (body ? obstacles : 0);
        int index = 0, count = body ? world->scene.body_count : world->scene.obstacle_count;
        const int *from = edit->from[body ? PD_LIST_BODIES : PD_LIST_OBSTACLES];
        while (index < count && from[index] != old) index++;
        tool.obstacle = world->tool.obstacle = index < count ? first + index : -1;
    }
    pd_world_set_tool(world, &tool);
}

static void commit_edit(pd_world *world, const pd_edited *edit, item_arrays *a) {
    pd_particles *p = &world->particles;
    item_arrays before = {world->emitted_fraction,
                          world->emitted,
                          world->emitted_now,
                          world->obstacle_offset,
                          world->region_counts,
                          0,
                          edit->bodies_changed ? world->bodies : NULL};
    if (edit->bodies_changed) world->bodies = a->bodies;
    world->emitted_fraction = a->fraction;
    world->emitted = a->emitted;
    world->emitted_now = a->emitted_now;
    world->obstacle_offset = a->offset;
    world->region_counts = a->counts;
    world->region_total = a->region_total;
    *a = before;
    for (int i = 0; i < p->count; i++) p->material[i] = (uint8_t)edit->material_to[p->material[i]];
    world->nozzle.count = 0;
    pd_world_clear_constraint_impulses(world);
    pd_compartments_free(world);
    update_tool(world, edit);
    pd_world_update_parameters(world);
}

/* Applies an edited scene to the world. On an error world->wall_motion and the poses of obstacles may have changed, and the
 * caller restores them. The rest of the world is then unchanged. */
static pd_result apply_edited_scene(pd_world *world, pd_edited *edit, item_arrays *a, pd_boundary **boundary,
                                    pd_displaced *displaced, pd_error *error) {
    const pd_particles *p = &world->particles;
    pd_result result = check_removed_materials(world, edit, error);
    if (result == PD_OK) result = create_item_arrays(world, edit, a, error);
    if (result == PD_OK && edit->from[PD_LIST_REGIONS])
        result = pd_world_reserve_particles(
            world, a->region_total < PD_MAX_PARTICLES ? a->region_total + 1 : PD_MAX_PARTICLES, error);
    if (result == PD_OK) result = create_edited_boundary(world, edit, a, boundary, error);
    pd_world_place_obstacles_at_rest(world);
    if (result == PD_OK)
        result = pd_displaced_find_positions(world, world->boundary, *boundary, p->count, p->x, p->y, displaced, error);
    if (result != PD_OK) return result;
    swap_scene_and_boundary(world, edit, boundary);
    pd_world_update_parameters(world);
    result = pd_method_allocate_for_parameters(world, error); /* the method may need memory for a new material */
    if (result == PD_OK) result = pd_method_apply_edit(world, edit, *boundary, error);
    if (result != PD_OK) {
        swap_scene_and_boundary(world, edit, boundary);
        pd_world_update_parameters(world);
        return result;
    }
    commit_edit(world, edit, a);
    pd_displaced_set_positions(displaced, p->x, p->y);
    if (world->method->law && displaced->count > 0) pd_displaced_spread_particles(world, displaced);
    return PD_OK;
}

pd_result pd_world_edit(pd_world *world, const pd_edit *change, pd_error *error) {
    PD_ASSERT(!pd_world_stepping(world));
    pd_edited edit;
    item_arrays a = {0};
    pd_boundary *boundary = NULL;
    pd_displaced displaced = {0};
    float *old_values = NULL;
    const pd_wall_motion motion = world->wall_motion;
    pd_result result = pd_edit_apply(change, &world->scene, &edit, error);
    if (result == PD_OK) result = set_edited_parameters(world, &edit, &old_values, error);
    if (result == PD_OK) {
        result = apply_edited_scene(world, &edit, &a, &boundary, &displaced, error);
        if (result != PD_OK) {
            restore_parameters(world, &edit, old_values, edit.scene.setting_count);
            world->wall_motion = motion;
            pd_world_restore_obstacle_motion(world);
        }
    }
    pd_memory_free(old_values);
    pd_edited_free(&edit);
    pd_memory_free(a.fraction);
    pd_memory_free(a.emitted);
    pd_memory_free(a.emitted_now);
    pd_memory_free(a.offset);
    pd_memory_free(a.counts);
    pd_world_bodies_destroy(a.bodies);
    pd_boundary_destroy(boundary);
    pd_displaced_free(&displaced);
    return result;
}
