/* Keys of a scene that its method does not support (pd_scene_feature). */
#ifndef PUDDLE_SCENE_FEATURES_H
#define PUDDLE_SCENE_FEATURES_H

#include <puddle/method.h>
#include <puddle/scene.h>

/* The position of such a key in a scene. */
typedef struct pd_feature_use {
    pd_scene_feature feature;
    const char *list; /* "container", "regions"; NULL: the key is one of the scene, or of its materials */
    int index;        /* in the list of regions */
    const char *key;  /* "walls" */
} pd_feature_use;

/* Finds the first key that has an effect, that the scene's method does not support, and with which a scene file is
 * refused; false: there is none. */
bool pd_scene_find_unused(const pd_scene *scene, pd_feature_use *use);
/* Sets all such keys to their defaults. */
void pd_scene_drop_unused(pd_scene *scene);
/* "'walls' has no effect under ddr (leave it out, or use grid)"; returns text. */
char *pd_feature_use_text(const pd_scene *scene, const pd_feature_use *use, char *text, size_t size);
/* What pd_scene_warning says of keys, of each kind of them one line: "'walls' has no effect under ddr (use grid)". False:
 * there are no more than `index`. */
bool pd_scene_unused_warning(const pd_scene *scene, int index, char *text, size_t size);

/* pd_scene_write_text and pd_scene_read_text for snapshots: with keys that the method does not support, since the scene
 * may have been read for another method. */
pd_result pd_scene_write_saved(const pd_scene *scene, char **text, size_t *length, pd_error *error);
pd_result pd_scene_read_saved(const char *text, size_t length, const char *name, pd_scene *scene, pd_error *error);

#endif
