/* An edit of a scene as text: YAML in one line, of what changes in the lists of obstacles, emitters, drains and materials, and in
 * the parameters.
 *
 *     {obstacles: {3: none, 5: {shape: circle, ...}}, materials: {"oil": {color: ..., mass: 0.8}},
 *      parameters: {ddr: {equal_weight: false}}}
 *
 * A key is an index in the list as it was before, or a material's name. An item replaces the one of that index; `none` removes
 * it; an index behind the last one appends. Parameters are as in scene files, without those that rebuild the method. What is not
 * named stays. */
#ifndef PUDDLE_SCENE_EDIT_H
#define PUDDLE_SCENE_EDIT_H

#include <puddle/scene.h>

/* What an edit has made of a scene, and what became of its items. */
typedef struct pd_edit {
    pd_scene scene;
    int *obstacle_from, *emitter_from; /* by new index: the index before; -1: new */
    int material_to[PD_MAX_MATERIALS]; /* by old index: the new one; -1: removed */
} pd_edit;

/* Reads an edit of a scene, with the checks of scene files. Free *edit with pd_edit_free in any case. Errors: SCENE_*,
 * PARAMETER_VALUE, OUT_OF_MEMORY. */
pd_result pd_edit_read(const pd_scene *scene, const char *text, pd_edit *edit, pd_error *error);
void pd_edit_free(pd_edit *edit);

/* The value that a scene gives a parameter; NAN: none. */
float pd_edit_setting(const pd_scene *scene, const char *key);
/* The method allocates and fills its memory anew for it: then it is no part of edits. */
bool pd_edit_rebuilds(const pd_setting *setting);

/* Writes the edit that makes the lists of one scene those of another, as text to be freed with free(); "{}": they are equal.
 * Of the parameters, those that `to` gives another value, unless they rebuild the method; one that only `from` gives stays.
 * Items are told apart by their values, in their order. Cost: O(items), and their square where many have changed. Errors:
 * OUT_OF_MEMORY. */
pd_result pd_edit_write(const pd_scene *from, const pd_scene *to, char **text, pd_error *error);

#endif
