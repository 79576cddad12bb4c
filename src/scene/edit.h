/* Edits of a scene as values: changes of its lists and parameters. src/log/command_text.c writes them as text. */
#ifndef PUDDLE_SCENE_EDIT_H
#define PUDDLE_SCENE_EDIT_H

#include <puddle/scene.h>

typedef struct pd_edit pd_edit; /* repeated in puddle/command.h */

/* Change of one item of a list. */
typedef struct pd_operation {
    int list;     /* pd_scene_list or PD_LIST_SETTINGS */
    int index;    /* index before the edit, beyond the last item to append; 0 for materials and settings */
    bool removes; /* removes the item, else replaces or appends */
    void *item;   /* owned; for a removed material its name, for other removals NULL */
} pd_operation;

/* Materials and settings are identified by name. An item's material is an index into `materials`, of which only the
 * names count. Particles of a region instead have material indices of the scene, in which new materials are behind the
 * present ones. */
struct pd_edit {
    pd_operation *operations;
    int count;
    pd_material *materials; /* in the order of first use by the items */
    int material_count;
};

/* Creates an empty edit. Returns NULL if memory runs out. */
pd_edit *pd_edit_create(void);
void pd_edit_destroy(pd_edit *edit);
pd_edit *pd_edit_copy(const pd_edit *edit);
/* Appends an operation with a copy of the item, whose material indices refer to `scene`. Errors: OUT_OF_MEMORY,
 * SCENE_TOO_LARGE (too many materials in the edit). */
pd_result pd_edit_add(pd_edit *edit, const pd_scene *scene, int list, int index, bool removes, const void *item,
                      pd_error *error);
bool pd_edit_has_materials(const pd_edit *edit);
/* Returns whether the first operations of both edits change the same item, as while a wall is drawn. */
bool pd_edit_continues(const pd_edit *before, const pd_edit *edit);

/* Appends the operations that make the lists of `from` equal to those of `to`. Items are compared by value, in their
 * order. A parameter is set if its value in `to` differs, unless it rebuilds the method; a parameter missing in `to`
 * stays. Cost: O(items), or its square if many have changed. Errors: those of pd_edit_add. */
pd_result pd_edit_add_difference(pd_edit *edit, const pd_scene *from, const pd_scene *to, pd_error *error);

/* Result of applying an edit. */
typedef struct pd_edited {
    pd_scene scene;
    int *obstacle_from, *emitter_from; /* old index by new index; -1: new */
    int material_to[PD_MAX_MATERIALS]; /* new index by old index; -1: removed */
    bool refilled;                     /* the regions have changed */
} pd_edited;

/* Applies an edit to a copy of a scene and checks the changes as pd_scene_check does. Free *edited with pd_edited_free,
 * also after an error. Errors: SCENE_*, PARAMETER_VALUE, OUT_OF_MEMORY. */
pd_result pd_edit_apply(const pd_edit *edit, const pd_scene *scene, pd_edited *edited, pd_error *error);
void pd_edited_free(pd_edited *edited);

/* Returns a scene's value of a parameter, NAN if the scene has none. */
float pd_edit_setting(const pd_scene *scene, const char *key);
/* Returns whether a parameter rebuilds the method's memory. Edits cannot contain such a parameter. */
bool pd_edit_rebuilds(const pd_setting *setting);

#endif
