/* Items of the lists of a scene, by the table of lists (schema.h). list: a pd_scene_list, or PD_LIST_SETTINGS. */
#ifndef PUDDLE_SCENE_ITEMS_H
#define PUDDLE_SCENE_ITEMS_H

#include "scene/schema.h"

int pd_scene_list_count(int list, const pd_scene *scene);
void pd_scene_list_set_count(int list, pd_scene *scene, int count);
/* NULL: the list has never had an item. */
void *pd_scene_list_items(int list, const pd_scene *scene);
void *pd_scene_list_item(int list, const pd_scene *scene, int index);
/* Makes room for so many items; false: no memory. */
bool pd_scene_list_reserve(int list, pd_scene *scene, int room);
/* Frees the items with what they own. */
void pd_scene_list_free(int list, pd_scene *scene);
/* Replaces a list, which is not freed, by a copy; false: no memory. */
bool pd_scene_list_copy(int list, pd_scene *to, const pd_scene *from);

/* Copies an item with what it owns; false: no memory, and *to owns nothing. */
bool pd_item_copy(int list, void *to, const void *from);
/* Gives the default to members that text of the item would not have. Text then reads back as the same item. */
void pd_item_clean(int list, void *item);
/* Frees what an item owns. */
void pd_item_free(int list, void *item);

/* Indices of materials in one scene by those in another, found by name; -1: that has none. */
typedef struct pd_material_map {
    int to[PD_NO_FLUID + 1];
} pd_material_map;
pd_material_map pd_map_materials(const pd_scene *from, const pd_scene *to);
int pd_find_material(const pd_material *materials, int count, const char *name);
/* Whether an item is equal to one of the other scene. Members that do not belong to the shape do not count. */
bool pd_item_same(int list, const void *a, const void *b, const pd_material_map *map);

/* In an edit: the first material of the scene, where the text of an item names none. */
enum { PD_FIRST_MATERIAL = -2 };

/* How an item refers to a material. Of a list of particles the region's own material is that of none of them. */
typedef enum pd_material_use { MATERIAL_USED, MATERIAL_UNUSED, MATERIAL_OF_PARTICLE } pd_material_use;
/* Returns the new index. */
typedef int pd_material_visitor(void *context, int material, pd_material_use use);
/* Replaces each reference of an item to a material by what the visitor returns. */
void pd_item_visit_materials(int list, void *item, pd_material_visitor *visit, void *context);

#endif
