/* The schema of scenes: tables of keys, words and ranges, for scene files (reader.c) and for scenes built in C
 * (check.c). */
#ifndef PUDDLE_SCENE_SCHEMA_H
#define PUDDLE_SCENE_SCHEMA_H

#include "scene/fields.h"

#include <puddle/items.h>
#include <stdbool.h>

enum { PD_MOST_SUBSTEPS = 1000 }; /* greatest fixed number of substeps */
#define PD_FARTHEST 1e6           /* greatest absolute coordinate, m */
#define PD_SHORTEST 1e-6          /* least length, m */
#define PD_FASTEST  1e5           /* greatest speed, m/s */

/* Words for enum values in scene files, in the order of the enum, ended by NULL. */
extern const char *const pd_container_words[], *const pd_shape_words[], *const pd_fill_words[], *const pd_joint_words[];

/* Schemas of all records. The fields of pd_walls_schema are in the order of PD_WALL_LEFT .. PD_WALL_TOP, with offsets in
 * pd_container. */
extern const pd_record_schema pd_scene_schema, pd_container_schema, pd_walls_schema, pd_wall_schema, pd_material_schema;
extern const pd_record_schema pd_region_schema, pd_vorton_schema, pd_obstacle_schema, pd_emitter_schema,
    pd_drain_schema;
extern const pd_record_schema pd_attraction_schema, pd_change_schema, pd_cells_schema, pd_body_schema, pd_joint_schema;

/* Description of an array that an item owns, such as points. An element consists of floats and then, in some arrays, of
 * a material index. */
typedef struct pd_item_array {
    size_t offset;      /* offset in the item of the pointer to the array, bytes */
    size_t size;        /* bytes of an element; 0 at the end of a table of pd_item_array */
    int floats;         /* number of floats at the beginning of an element */
    int material_bytes; /* bytes of the material index: 0: no index; 1: uint8_t, may be PD_NO_FLUID; 4: int32_t */
    int (*count)(const void *item); /* returns the number of elements */
} pd_item_array;

/* Finds what is wrong with an item of a list in view of the scene. The item's fields have values in range. */
typedef bool pd_item_rule(const pd_scene *scene, int index, pd_scene_fault *fault);

/* Description of a list of a scene. Reading, checking, writing, comparing, copying and editing use it (items.h). */
typedef struct pd_scene_list_info {
    const char *key;                /* key in scene files: "regions" */
    const pd_record_schema *schema; /* fields of an item */
    size_t items;                   /* offset in pd_scene of the pointer to the items, or of the array if is_inline */
    size_t count;                   /* offset in pd_scene of the number of items */
    int max_count;                  /* greatest number of items */
    bool is_inline;                 /* whether pd_scene contains the array itself; in files it is a mapping by name */
    const pd_item_array *arrays;    /* arrays that an item owns, or NULL */
    pd_item_rule *find_fault;       /* rule of an item's content and of its difference from earlier items, or NULL */
} pd_scene_list_info;
enum { PD_LIST_SETTINGS = PD_LISTS, PD_ALL_LISTS };
extern const pd_scene_list_info pd_scene_lists[PD_ALL_LISTS]; /* indexed by pd_scene_list */

/* Functions that read and write a FIELD_CUSTOM. destination: address of the value, by the field's offset. record: the
 * struct in memory. */
typedef bool pd_read_function(pd_document *document, const yaml_node_t *node, void *destination);
pd_read_function pd_read_list, pd_read_materials, pd_read_wall, pd_read_walls, pd_read_container, pd_read_points;
pd_read_function pd_read_cells, pd_skip_key, pd_read_method, pd_read_substeps, pd_read_seed, pd_read_parameters;
typedef void pd_write_function(pd_writer *writer, const void *record);
pd_write_function pd_write_walls, pd_write_points, pd_write_particle_file_key, pd_write_image, pd_write_particle_list;
/* Reads the name of a material and sets its other members to defaults. */
bool pd_read_material_name(pd_document *document, const yaml_node_t *key, pd_material *material);
/* Reads an item of a list, without its name. remaining_images: number of images still to be read, including this one;
 * 0: pixels are not read. */
bool pd_read_item(pd_document *document, const yaml_node_t *node, int list_id, int remaining_images, void *item);

/* Rules that the tables cannot express (check.c). */
pd_item_rule pd_find_material_fault, pd_find_region_fault, pd_find_attraction_fault;
bool pd_find_points_conflict(const void *record, pd_scene_fault *fault);
#define PD_EVERY_LIST (~0u)
/* Finds the next fault of items in view of other lists and of the container. Each item has passed pd_scene_check_item. lists:
 * bit l is set if list l has changed, or PD_EVERY_LIST. Begin with *fault = {0}. Returns false if there is no other
 * fault. */
bool pd_scene_find_fault(const pd_scene *scene, unsigned lists, pd_scene_fault *fault);
/* Checks an item of a list, which may lie beyond the last one, by itself and against the items before it. Errors of this
 * and the next function: those of pd_scene_check. */
pd_result pd_scene_check_item(const pd_scene *scene, int list_id, int index, pd_error *error);
/* Checks that the items of a list do not contradict each other or other lists. Each item has passed
 * pd_scene_check_item. */
pd_result pd_scene_check_list(const pd_scene *scene, int list_id, pd_error *error);

/* Description of a key of scene files, for the reference page. */
typedef struct pd_scene_key {
    const char *list;        /* mapping that has the key: "scene" (the file itself), "regions", "container.walls" */
    const char *key;         /* name of the key: "radius" */
    const char *type;        /* type of the value: "number" */
    const char *unit, *help; /* unit of the value; explanation in one line */
    char default_value[64];  /* default, or "required"; "": no default */
    char range[96];          /* range of the value; "": any value of the type */
    char only_for[64];       /* shapes that have the key: "circle, box"; "": all */
} pd_scene_key;

/* Describes the key with this index, from 0, among the keys of all mappings. Returns false beyond the last key. */
bool pd_scene_describe_key(int index, pd_scene_key *key);

#endif
