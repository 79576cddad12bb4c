/* Items of the lists of a scene, by the table of lists (schema.h). list: a pd_scene_list or PD_LIST_SETTINGS. */
#ifndef PUDDLE_SCENE_ITEMS_H
#define PUDDLE_SCENE_ITEMS_H

#include "scene/schema.h"

int pd_scene_list_count(int list, const pd_scene *scene);
void pd_scene_list_set_count(int list, pd_scene *scene, int count);
/* Returns the items, NULL if the list was always empty. */
void *pd_scene_list_items(int list, const pd_scene *scene);
void *pd_scene_list_item(int list, const pd_scene *scene, int index);
/* Allocates a list for `capacity` items. Returns false if memory runs out. */
bool pd_scene_list_reserve(int list, pd_scene *scene, int capacity);
/* Frees the items and what they own. */
void pd_scene_list_free(int list, pd_scene *scene);
/* Overwrites a list by a copy, without freeing it. Returns false if memory runs out. */
bool pd_scene_list_copy(int list, pd_scene *to, const pd_scene *from);

/* Copies an item and what it owns. Returns false if memory runs out; *to then owns nothing. */
bool pd_item_copy(int list, void *to, const void *from);
/* Sets members that the item's text omits to their defaults, so that the text reads back as the same item. */
void pd_item_reset_unwritten(int list, void *item);
/* Frees what an item owns. */
void pd_item_free(int list, void *item);

/* Map of material indices between two scenes, by name. -1: the other scene lacks the material. */
typedef struct pd_material_map {
    int to[PD_NO_FLUID + 1];
} pd_material_map;
pd_material_map pd_map_materials(const pd_scene *from, const pd_scene *to);
int pd_find_material(const pd_material *materials, int count, const char *name);
/* Returns whether two items of different scenes are equal. Members without meaning for the shape are ignored. */
bool pd_item_is_equal(int list, const void *a, const void *b, const pd_material_map *map);

/* In an edit: stands for the scene's first material, if the item's text has none. */
enum { PD_FIRST_MATERIAL = -2 };

/* Use of a material by an item. A list of particles leaves its region's own material unused. */
typedef enum pd_material_use { MATERIAL_USED, MATERIAL_UNUSED, MATERIAL_OF_PARTICLE } pd_material_use;
/* Returns the new index of a material. */
typedef int pd_material_visitor(void *context, int material, pd_material_use use);
/* Replaces each material index of an item by the visitor's result. */
void pd_item_visit_materials(int list, void *item, pd_material_visitor *visit, void *context);

#endif
