/* Items of a scene's lists. The table pd_scene_lists (schema.h) describes the lists. list_id: a pd_scene_list or
 * PD_LIST_SETTINGS. */
#ifndef PUDDLE_SCENE_ITEMS_H
#define PUDDLE_SCENE_ITEMS_H

#include "scene/schema.h"

int pd_scene_list_count(int list_id, const pd_scene *scene);
void pd_scene_list_set_count(int list_id, pd_scene *scene, int count);
/* Returns the array of a list's items, NULL if the list was always empty. */
void *pd_scene_list_items(int list_id, const pd_scene *scene);
void *pd_scene_list_item(int list_id, const pd_scene *scene, int index);
/* Allocates a list for `capacity` items. Returns false if memory runs out. */
bool pd_scene_list_reserve(int list_id, pd_scene *scene, int capacity);
/* Frees the items of a list and the arrays that they own. */
void pd_scene_list_free(int list_id, pd_scene *scene);
/* Copies a list of one scene to another, which must own no items of the list. Returns false if memory runs out. */
bool pd_scene_list_copy(int list_id, pd_scene *to, const pd_scene *from);

/* Writes line `index` of pd_scene_write_warning, about files that items name (pd_area.left_out). Returns false if there are
 * fewer lines. */
bool pd_scene_write_left_out(const pd_scene *scene, int index, char *text, size_t size);
/* Copies these lines from a scene with the same items. */
void pd_scene_copy_left_out(pd_scene *to, const pd_scene *from);

/* Copies an item and the arrays that it owns. Returns false if memory runs out; *to then owns no arrays. */
bool pd_item_copy(int list_id, void *to, const void *from);
/* Sets members that pd_write_item omits to their defaults. The item then equals the item read from the written text. */
void pd_item_reset_omitted_members(int list_id, void *item);
/* Frees the arrays that an item owns. */
void pd_item_free(int list_id, void *item);

/* Map from the material indices of one scene to those of another scene. Materials of the same name correspond. */
typedef struct pd_material_map {
    int to[PD_NO_FLUID + 1]; /* to[index in the first scene]: index in the second scene; -1: no such material */
} pd_material_map;
pd_material_map pd_map_materials(const pd_scene *from, const pd_scene *to);
int pd_find_material(const pd_material *materials, int count, const char *name);
enum { PD_NO_BODY = -2, PD_WORLD_NAMED = -1 };
/* Returns the index of the body that a joint names; PD_WORLD_NAMED: the world; PD_NO_BODY: none. Joints identify bodies by
 * name, so that edits of the list of bodies leave joints unchanged. */
int pd_scene_find_body(const pd_scene *scene, const char *name);
/* Returns whether a joint names a body. */
bool pd_scene_is_body_joined(const pd_scene *scene, const char *name);
/* Returns whether items of two scenes are equal. map: material indices from the scene of a to the scene of b.
 * Members that the shape does not use are ignored. */
bool pd_item_is_equal(int list_id, const void *a, const void *b, const pd_material_map *map);

/* Material index of an item of an edit whose text names no material. It stands for the scene's first material. */
enum { PD_FIRST_MATERIAL = -2 };

/* How an item uses a material index. MATERIAL_OF_PARTICLE: index of a particle in a region that lists its particles.
 * MATERIAL_UNUSED: index of the region itself in this case. MATERIAL_USED: any other index. */
typedef enum pd_material_use { MATERIAL_USED, MATERIAL_UNUSED, MATERIAL_OF_PARTICLE } pd_material_use;
/* Function that receives a material index of an item and returns the index to replace it. */
typedef int pd_material_visitor(void *context, int material, pd_material_use use);
/* Replaces each material index of an item by the result of `visit`. */
void pd_item_visit_materials(int list_id, void *item, pd_material_visitor *visit, void *context);

#endif
