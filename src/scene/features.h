/* Keys of a scene that have no effect under its method (pd_scene_feature). */
#ifndef PUDDLE_SCENE_FEATURES_H
#define PUDDLE_SCENE_FEATURES_H

#include <puddle/method.h>
#include <puddle/scene.h>

/* A key of a scene that needs a feature. */
typedef struct pd_feature_use {
    pd_scene_feature feature;
    const char *list; /* list of the item: "container", "regions"; NULL: the key is the scene's or a material's */
    int index;        /* index of the item in the list */
    const char *key;  /* name of the key: "walls" */
} pd_feature_use;

/* Finds the first key that has no effect under the scene's method and makes a scene file invalid. Returns false if there is
 * none. */
bool pd_scene_find_unused(const pd_scene *scene, pd_feature_use *use);
/* Sets a key that pd_scene_find_unused found to its default. */
void pd_scene_reset_use(pd_scene *scene, const pd_feature_use *use);
/* Sets all keys that have no effect under the scene's method to their defaults. */
void pd_scene_reset_unused(pd_scene *scene);
/* Writes the message about a key without effect: "'walls' has no effect under ddr (leave it out, or use grid)". Returns
 * text. */
char *pd_feature_use_text(const pd_scene *scene, const pd_feature_use *use, char *text, size_t size);
/* Writes a line of pd_scene_warning about keys without effect: "'walls' has no effect under ddr (use grid)". Returns
 * false beyond the last line. */
bool pd_scene_unused_warning(const pd_scene *scene, int index, char *text, size_t size);

/* Write and read the scene of a snapshot, like pd_scene_write_text and pd_scene_read_text. Keys without effect remain,
 * because the scene may have been read for another method. */
pd_result pd_scene_write_saved(const pd_scene *scene, char **text, size_t *length, pd_error *error);
pd_result pd_scene_read_saved(const char *text, size_t length, const char *name, pd_scene *scene, pd_error *error);

#endif
