/* Edits: values that describe changes of a scene's lists and parameters. src/log/command_text.c writes edits as
 * text. */
#ifndef PUDDLE_SCENE_EDIT_H
#define PUDDLE_SCENE_EDIT_H

#include <puddle/items.h>

typedef struct pd_edit pd_edit; /* also declared in puddle/command.h */

/* Operation of an edit: removes, replaces or appends one item of a list. */
typedef struct pd_operation {
    int list;     /* list of the item: a pd_scene_list or PD_LIST_SETTINGS */
    int index;    /* index of the item before the edit; number of items: append; 0: a material or setting, by name */
    bool removes; /* true: remove the item; false: replace or append it */
    void *item;   /* new item, owned by the edit; a removed material has only a name; other removals: NULL */
} pd_operation;

/* An edit identifies materials and settings by name. A material index in an item refers to `materials` of the edit,
 * of which only the names are used. In contrast, material indices of a region's particles refer to the edited scene, in
 * which new materials stand after the old ones. */
struct pd_edit {
    pd_operation *operations; /* operations, in the order in which they are applied */
    int count;                /* number of operations */
    pd_material *materials;   /* materials that the items use, in the order of first use */
    int material_count;       /* number of elements of `materials` */
};

/* Creates an empty edit. */
pd_edit *pd_edit_create(void);
void pd_edit_destroy(pd_edit *edit);
pd_edit *pd_edit_copy(const pd_edit *edit);
/* Appends an operation with a copy of the item, whose material indices refer to `scene`. Errors: OUT_OF_MEMORY,
 * SCENE_TOO_LARGE (too many materials in the edit). */
pd_result pd_edit_add_operation(pd_edit *edit, const pd_scene *scene, int list_id, int index, bool removes,
                                const void *item, pd_error *error);
bool pd_edit_changes_materials(const pd_edit *edit);
/* Returns whether the first operations of both edits set the same item. All edits during one drag of an item do so. */
bool pd_edit_changes_same_item(const pd_edit *first, const pd_edit *second);

/* Appends the operations that make the lists and parameters of `from` equal to those of `to`. Items are compared by
 * value, in order. Parameters that `to` does not set, or that rebuild the method's memory, do not change. Cost:
 * O(items), or its square if many have changed. Errors: those of pd_edit_add_operation. */
pd_result pd_edit_add_difference(pd_edit *edit, const pd_scene *from, const pd_scene *to, pd_error *error);

/* A scene after an edit: result of pd_edit_apply. */
typedef struct pd_edited {
    pd_scene scene; /* scene after the edit */
    int *
        from[PD_LISTS]; /* from[list][i]: index of item i before the edit; -1: new. NULL: a list without operations, but
                          * not the lists of obstacles, emitters, bodies and joints */
    bool bodies_changed;               /* whether an obstacle, body or joint was added, replaced or removed */
    int material_to[PD_MAX_MATERIALS]; /* material_to[old index]: index after the edit; -1: removed */
} pd_edited;

/* Applies an edit to a copy of a scene and checks the changed items as pd_scene_check does. Free *edited with
 * pd_edited_free, also after an error. Errors: SCENE_*, PARAMETER_VALUE, OUT_OF_MEMORY. */
pd_result pd_edit_apply(const pd_edit *edit, const pd_scene *scene, pd_edited *edited, pd_error *error);
void pd_edited_free(pd_edited *edited);

/* Returns the value that a scene sets for a parameter, NAN if the scene does not set it. */
float pd_scene_setting_value(const pd_scene *scene, const char *key);
/* Returns whether a change of the parameter rebuilds the method's memory. Edits cannot contain such a parameter. */
bool pd_setting_rebuilds_method(const pd_setting *setting);

#endif
