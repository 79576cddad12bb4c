/* Edits of a scene as values: what changes in its lists and its parameters. src/log/command_text.c makes text of them. */
#ifndef PUDDLE_SCENE_EDIT_H
#define PUDDLE_SCENE_EDIT_H

#include <puddle/scene.h>

typedef struct pd_edit pd_edit; /* also in puddle/command.h */

/* An operation of an edit on an item of a list. */
typedef struct pd_operation {
    int list;     /* a pd_scene_list, or PD_LIST_SETTINGS */
    int index;    /* in the list as it was before; behind the last item: appended. 0 for materials and settings */
    bool removes; /* else it replaces or appends */
    void *item;   /* owned. Of a removed material: its name; NULL for other removals */
} pd_operation;

/* Materials and settings are found by their names. The items refer to materials by their index in `materials`, of which only the names
 * count; the particles of a region by their index in the scene, with the materials that the edit adds. */
struct pd_edit {
    pd_operation *operations;
    int count;
    pd_material *materials; /* in the order in which the items name them */
    int material_count;
};

/* NULL: no memory. */
pd_edit *pd_edit_create(void);
void pd_edit_destroy(pd_edit *edit);
pd_edit *pd_edit_copy(const pd_edit *edit);
/* Appends an operation with a copy of the item, whose materials `scene` names. Errors: OUT_OF_MEMORY, SCENE_TOO_LARGE (the edit
 * names too many materials). */
pd_result pd_edit_add(pd_edit *edit, const pd_scene *scene, int list, int index, bool removes, const void *item,
                      pd_error *error);
/* Whether an edit changes materials. */
bool pd_edit_has_materials(const pd_edit *edit);
/* Whether an edit first changes the item that the one before it first added or changed, as when a wall is drawn. */
bool pd_edit_continues(const pd_edit *before, const pd_edit *edit);

/* Appends what makes the lists of one scene those of another; nothing: they are equal. Of the parameters, those that `to` gives
 * another value, unless they rebuild the method; one that only `from` gives stays. Items are told apart by their values, in their
 * order. Cost: O(items), and their square where many have changed. Errors: those of pd_edit_add. */
pd_result pd_edit_add_difference(pd_edit *edit, const pd_scene *from, const pd_scene *to, pd_error *error);

/* What an edit has made of a scene, and what became of its items. */
typedef struct pd_edited {
    pd_scene scene;
    int *obstacle_from, *emitter_from; /* by new index: the index before; -1: new */
    int material_to[PD_MAX_MATERIALS]; /* by old index: the new one; -1: removed */
    bool refilled;                     /* the regions have changed */
} pd_edited;

/* Applies an edit to a copy of a scene, with the checks of pd_scene_check for what changes. Free *edited with pd_edited_free in
 * any case. Errors: SCENE_*, PARAMETER_VALUE, OUT_OF_MEMORY. */
pd_result pd_edit_apply(const pd_edit *edit, const pd_scene *scene, pd_edited *edited, pd_error *error);
void pd_edited_free(pd_edited *edited);

/* The value that a scene gives a parameter; NAN: none. */
float pd_edit_setting(const pd_scene *scene, const char *key);
/* The method allocates and fills its memory anew for it: then it is no part of edits. */
bool pd_edit_rebuilds(const pd_setting *setting);

#endif
