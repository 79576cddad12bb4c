/** @file
 * Items of a scene's lists: default items, and functions that add, replace and remove items.
 *
 *     pd_emitter jet = pd_emitter_default();
 *     jet.position.y = 0.5f;
 *     jet.direction.y = -1;
 *     jet.speed = 1;
 *     jet.width = 0.1f;
 *     jet.rate = 200;
 *     pd_scene_add_emitter(&scene, &jet, &error);
 */
#ifndef PUDDLE_ITEMS_H
#define PUDDLE_ITEMS_H

#include <puddle/scene.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Lists of items in a scene. */
typedef enum pd_scene_list {
    PD_LIST_MATERIALS,   /**< pd_scene.materials */
    PD_LIST_REGIONS,     /**< pd_scene.regions */
    PD_LIST_VORTONS,     /**< pd_scene.vortons */
    PD_LIST_OBSTACLES,   /**< pd_scene.obstacles */
    PD_LIST_EMITTERS,    /**< pd_scene.emitters */
    PD_LIST_DRAINS,      /**< pd_scene.drains */
    PD_LIST_ATTRACTIONS, /**< pd_scene.attractions */
    PD_LIST_CHANGES,     /**< pd_scene.changes */
    PD_LIST_BODIES,      /**< pd_scene.bodies */
    PD_LIST_JOINTS,      /**< pd_scene.joints */
    PD_LISTS             /**< Number of lists. */
} pd_scene_list;

/** @name Items of any list
 * `item` is the struct of the list: a ::pd_emitter for ::PD_LIST_EMITTERS. `size` is the size of the caller's struct, which
 * may be shorter or longer than the library's: members that the caller lacks have their defaults, members that the library
 * lacks are not read. The arrays of a ::pd_scene have items of the size in the headers of the library's minor version.
 * On an error the scene is unchanged.
 * @{ */
/** Fills an item with the defaults of a scene file. Members that a scene file must give are 0. */
PD_API void pd_item_default(pd_scene_list list, void *item, size_t size);
/** Adds an item at the end of a list. Points, pixels and particles of the item are copied.
 *
 * Errors: SCENE_VALUE, SCENE_REFERENCE (no such material), SCENE_TOO_LARGE (the list is full), OUT_OF_MEMORY. */
PD_API pd_result pd_scene_add_item(pd_scene *scene, pd_scene_list list, const void *item, size_t size, pd_error *error);
/** Replaces an item. Points, pixels and particles of the new item are copied.
 *
 * Errors: SCENE_REFERENCE (no item has the index, or no such material), SCENE_VALUE, SCENE_TOO_LARGE, OUT_OF_MEMORY. */
PD_API pd_result pd_scene_set_item(pd_scene *scene, pd_scene_list list, int index, const void *item, size_t size,
                                   pd_error *error);
/** Removes an item. The items after the removed one move up by one index.
 *
 * Errors: SCENE_REFERENCE (no item has the index). */
PD_API pd_result pd_scene_remove_item(pd_scene *scene, pd_scene_list list, int index, pd_error *error);
/** Adds a region with a copy of a list of particles.
 *
 * `spacing`: distance of neighbours at rest, m. The defaults of parameters scale with this distance.
 * 0: the spacing is sqrt(area of the bounding box of the particles / number of particles).
 *
 * Vortons do not change the velocities of these particles.
 * In a scene with such a region pd_scene.particles must be 0, and pd_scene_set_particle_count() fails.
 * Errors: SCENE_VALUE, SCENE_TOO_LARGE (the list is full, or too many particles), OUT_OF_MEMORY. */
PD_API pd_result pd_scene_add_particles(pd_scene *scene, const pd_scene_particle *particles, int count, float spacing,
                                        pd_error *error);
/** @} */

/** @name Default items
 * Members that a scene file may omit have the default of scene files. All other members are 0.
 * @{ */
/** Returns a blue material of mass 1 with an empty name and every property NAN. */
static inline pd_material pd_material_default(void) {
    pd_material item;
    pd_item_default(PD_LIST_MATERIALS, &item, sizeof item);
    return item;
}
/** Returns a region with the default `amount` and `density`. */
static inline pd_region pd_region_default(void) {
    pd_region item;
    pd_item_default(PD_LIST_REGIONS, &item, sizeof item);
    return item;
}
/** Returns a vorton whose members are all 0. */
static inline pd_vorton pd_vorton_default(void) {
    pd_vorton item;
    pd_item_default(PD_LIST_VORTONS, &item, sizeof item);
    return item;
}
/** Returns an obstacle at rest with a size of 0. */
static inline pd_obstacle pd_obstacle_default(void) {
    pd_obstacle item;
    pd_item_default(PD_LIST_OBSTACLES, &item, sizeof item);
    return item;
}
/** Returns an emitter whose emission never ends. */
static inline pd_emitter pd_emitter_default(void) {
    pd_emitter item;
    pd_item_default(PD_LIST_EMITTERS, &item, sizeof item);
    return item;
}
/** Returns a drain whose members are all 0. */
static inline pd_drain pd_drain_default(void) {
    pd_drain item;
    pd_item_default(PD_LIST_DRAINS, &item, sizeof item);
    return item;
}
/** Returns an attraction whose members are all 0. */
static inline pd_attraction pd_attraction_default(void) {
    pd_attraction item;
    pd_item_default(PD_LIST_ATTRACTIONS, &item, sizeof item);
    return item;
}
/** Returns a change of material at an infinite rate. */
static inline pd_change pd_change_default(void) {
    pd_change item;
    pd_item_default(PD_LIST_CHANGES, &item, sizeof item);
    return item;
}
/** Returns a body at rest with the default density and friction and a size of 0. */
static inline pd_scene_body pd_body_default(void) {
    pd_scene_body item;
    pd_item_default(PD_LIST_BODIES, &item, sizeof item);
    return item;
}
/** Returns a hinge without limits that never breaks, and that names no bodies. */
static inline pd_scene_joint pd_joint_default(void) {
    pd_scene_joint item;
    pd_item_default(PD_LIST_JOINTS, &item, sizeof item);
    return item;
}
/** @} */

/** @name Adding items
 * These functions call pd_scene_add_item(), which checks the item as pd_scene_check() does.
 * @{ */
/** Adds a material. Fails if the scene has a material of the same name. */
static inline pd_result pd_scene_add_material(pd_scene *scene, const pd_material *material, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_MATERIALS, material, sizeof *material, error);
}
/** Adds a region. Fails if the region is wholly outside the container or wholly inside an obstacle.
 *
 * The area of a region of shape ::PD_SHAPE_PARTICLES becomes the bounding box of its particles. A `spacing` of 0 becomes
 * the spacing that pd_scene_add_particles() computes. */
static inline pd_result pd_scene_add_region(pd_scene *scene, const pd_region *region, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_REGIONS, region, sizeof *region, error);
}
/** Adds a vorton at the end of pd_scene.vortons. */
static inline pd_result pd_scene_add_vorton(pd_scene *scene, const pd_vorton *vorton, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_VORTONS, vorton, sizeof *vorton, error);
}
/** Adds an obstacle. Fails if the obstacle wholly covers a region. */
static inline pd_result pd_scene_add_obstacle(pd_scene *scene, const pd_obstacle *obstacle, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_OBSTACLES, obstacle, sizeof *obstacle, error);
}
/** Adds an emitter. */
static inline pd_result pd_scene_add_emitter(pd_scene *scene, const pd_emitter *emitter, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_EMITTERS, emitter, sizeof *emitter, error);
}
/** Adds a drain. */
static inline pd_result pd_scene_add_drain(pd_scene *scene, const pd_drain *drain, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_DRAINS, drain, sizeof *drain, error);
}
/** Adds an attraction. Fails if the scene has an attraction between the same two materials. */
static inline pd_result pd_scene_add_attraction(pd_scene *scene, const pd_attraction *attraction, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_ATTRACTIONS, attraction, sizeof *attraction, error);
}
/** Adds an area in which particles change their material. */
static inline pd_result pd_scene_add_change(pd_scene *scene, const pd_change *change, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_CHANGES, change, sizeof *change, error);
}
/** Adds a body. Fails if a body has the same name. */
static inline pd_result pd_scene_add_body(pd_scene *scene, const pd_scene_body *body, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_BODIES, body, sizeof *body, error);
}
/** Adds a joint. Fails if the scene lacks a body that the joint names. */
static inline pd_result pd_scene_add_joint(pd_scene *scene, const pd_scene_joint *joint, pd_error *error) {
    return pd_scene_add_item(scene, PD_LIST_JOINTS, joint, sizeof *joint, error);
}
/** @} */

/** @name Replacing items
 * These functions call pd_scene_set_item(), which checks the item as pd_scene_check() does.
 * @{ */
/** Replaces a material. */
static inline pd_result pd_scene_set_material(pd_scene *scene, int index, const pd_material *material,
                                              pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_MATERIALS, index, material, sizeof *material, error);
}
/** Replaces a region. The area and spacing of listed particles are computed as in pd_scene_add_region(). */
static inline pd_result pd_scene_set_region(pd_scene *scene, int index, const pd_region *region, pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_REGIONS, index, region, sizeof *region, error);
}
/** Replaces a vorton. */
static inline pd_result pd_scene_set_vorton(pd_scene *scene, int index, const pd_vorton *vorton, pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_VORTONS, index, vorton, sizeof *vorton, error);
}
/** Replaces an obstacle. */
static inline pd_result pd_scene_set_obstacle(pd_scene *scene, int index, const pd_obstacle *obstacle,
                                              pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_OBSTACLES, index, obstacle, sizeof *obstacle, error);
}
/** Replaces an emitter. */
static inline pd_result pd_scene_set_emitter(pd_scene *scene, int index, const pd_emitter *emitter, pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_EMITTERS, index, emitter, sizeof *emitter, error);
}
/** Replaces a drain. */
static inline pd_result pd_scene_set_drain(pd_scene *scene, int index, const pd_drain *drain, pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_DRAINS, index, drain, sizeof *drain, error);
}
/** Replaces an attraction. */
static inline pd_result pd_scene_set_attraction(pd_scene *scene, int index, const pd_attraction *attraction,
                                                pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_ATTRACTIONS, index, attraction, sizeof *attraction, error);
}
/** Replaces an area in which particles change their material. */
static inline pd_result pd_scene_set_change(pd_scene *scene, int index, const pd_change *change, pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_CHANGES, index, change, sizeof *change, error);
}
/** Replaces a body. Fails if a joint names the replaced body by a name that no body has afterwards. */
static inline pd_result pd_scene_set_body(pd_scene *scene, int index, const pd_scene_body *body, pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_BODIES, index, body, sizeof *body, error);
}
/** Replaces a joint. */
static inline pd_result pd_scene_set_joint(pd_scene *scene, int index, const pd_scene_joint *joint, pd_error *error) {
    return pd_scene_set_item(scene, PD_LIST_JOINTS, index, joint, sizeof *joint, error);
}
/** @} */

/** @name Removing items
 * These functions call pd_scene_remove_item().
 * @{ */
/** Removes a material. In other items the indices of later materials decrease by 1.
 *
 * Errors: SCENE_REFERENCE (no such material, an item uses the material, or the scene has no other material). */
static inline pd_result pd_scene_remove_material(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_MATERIALS, index, error);
}
/** Removes a region. */
static inline pd_result pd_scene_remove_region(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_REGIONS, index, error);
}
/** Removes a vorton. */
static inline pd_result pd_scene_remove_vorton(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_VORTONS, index, error);
}
/** Removes an obstacle. */
static inline pd_result pd_scene_remove_obstacle(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_OBSTACLES, index, error);
}
/** Removes an emitter. */
static inline pd_result pd_scene_remove_emitter(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_EMITTERS, index, error);
}
/** Removes a drain. */
static inline pd_result pd_scene_remove_drain(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_DRAINS, index, error);
}
/** Removes an attraction. */
static inline pd_result pd_scene_remove_attraction(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_ATTRACTIONS, index, error);
}
/** Removes an area in which particles change their material. */
static inline pd_result pd_scene_remove_change(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_CHANGES, index, error);
}
/** Removes a body. Fails if a joint names the body. */
static inline pd_result pd_scene_remove_body(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_BODIES, index, error);
}
/** Removes a joint. */
static inline pd_result pd_scene_remove_joint(pd_scene *scene, int index, pd_error *error) {
    return pd_scene_remove_item(scene, PD_LIST_JOINTS, index, error);
}
/** @} */

#ifdef __cplusplus
}
#endif
#endif
