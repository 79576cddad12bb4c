/* The schema of a scene: keys, words and limits, for scene files (reader.c) and scenes built in C (check.c). */
#ifndef PUDDLE_SCENE_SCHEMA_H
#define PUDDLE_SCENE_SCHEMA_H

#include "scene/fields.h"

enum { PD_MOST_SUBSTEPS = 1000 }; /* that a scene may fix */
#define PD_FARTHEST 1e6           /* m, from the origin */
#define PD_SHORTEST 1e-6          /* m, of a length */
#define PD_FASTEST  1e5           /* m/s */

/* The words of the enums, in their order, terminated by NULL. */
extern const char *const pd_container_words[], *const pd_shape_words[], *const pd_fill_words[];

/* The fields of pd_walls_record are in the order of PD_WALL_LEFT .. PD_WALL_TOP; its target is the container. */
extern const pd_record pd_scene_record, pd_container_record, pd_walls_record, pd_wall_record, pd_material_record;
extern const pd_record pd_region_record, pd_vorton_record, pd_obstacle_record, pd_emitter_record, pd_drain_record;
extern const pd_record pd_attraction_record, pd_change_record, pd_cells_record;

/* Items of lists whose keys are all absent; those of the other lists are zeros. */
extern const pd_region pd_region_default;
extern const pd_emitter pd_emitter_default;
extern const pd_change pd_change_default;

/* A fault between values that are each in range, as the text of a message, and the key at fault; NULL: none. */
const char *pd_wall_fault(const pd_wall *wall, const char **key);
const char *pd_container_fault(const pd_container *container, const char **key);
const char *pd_region_fault(const pd_region *region, const char **key);
const char *pd_emitter_fault(const pd_emitter *emitter, const char **key);
const char *pd_change_fault(const pd_change *change, const char **key);

/* Readers of the values that the tables cannot describe (reader.c, cells.c); target: the scene, or the value at the field's
 * offset. */
typedef bool pd_read_function(pd_document *document, const yaml_node_t *node, void *target);
pd_read_function pd_read_color, pd_read_materials, pd_read_wall, pd_read_walls, pd_read_container;
pd_read_function pd_read_regions, pd_read_vortons, pd_read_points, pd_read_obstacles, pd_read_emitters, pd_read_drains;
pd_read_function pd_read_between, pd_read_attractions, pd_read_changes, pd_read_cells;
pd_read_function pd_read_obstacle, pd_read_emitter, pd_read_drain; /* one item, zeroed; target: the item */
pd_read_function pd_read_later, pd_read_method, pd_read_substeps, pd_read_seed, pd_read_parameters;

/* Checks of items of a scene built in C (check.c); place: "obstacles[3].", for messages. Errors: as pd_scene_check. */
typedef pd_result pd_check_item(const pd_scene *scene, const void *item, const char *place, pd_error *error);
pd_check_item pd_check_material, pd_check_region, pd_check_vorton, pd_check_obstacle, pd_check_emitter, pd_check_drain;
pd_check_item pd_check_attraction, pd_check_change, pd_check_setting;
/* That no region lies outside the container or inside an obstacle. */
pd_result pd_check_places(const pd_scene *scene, pd_error *error);
/* The same after an obstacle was added or changed, for a person who sees walls and fluid rather than lists. */
pd_result pd_check_room(const pd_scene *scene, pd_error *error);

#endif
