/* Keys of a scene that have no effect under its method (pd_scene_feature). */
#ifndef PUDDLE_SCENE_FEATURES_H
#define PUDDLE_SCENE_FEATURES_H

#include <puddle/method.h>
#include <puddle/scene.h>

/* A key of a scene that needs a feature. */
typedef struct pd_feature_use {
    pd_scene_feature feature; /* feature that the key needs */
    const char *list; /* list of the item: "container", "regions"; NULL: the key is the scene's or a material's */
    int index;        /* index of the item in the list */
    const char *key;  /* name of the key: "walls" */
} pd_feature_use;

/* Finds the first key that has no effect under the scene's method, so that scene files must not contain it. Returns
 * false if there is no such key. */
bool pd_scene_find_unused_key(const pd_scene *scene, pd_feature_use *use);
/* Sets a key that pd_scene_find_unused_key has found to its default. */
void pd_scene_reset_unused_key(pd_scene *scene, const pd_feature_use *use);
/* Sets all keys that have no effect under the scene's method to their defaults. */
void pd_scene_reset_unused_keys(pd_scene *scene);
/* Writes the message about a key without effect: "'walls' has no effect under ddr (leave it out, or use grid)". Returns
 * text. */
char *pd_feature_use_write_message(const pd_scene *scene, const pd_feature_use *use, char *text, size_t size);
/* Writes line `index` of pd_scene_write_warning, about keys without effect: "'walls' has no effect under ddr (use grid)".
 * Returns false if there are fewer lines. */
bool pd_scene_write_unused_key_warning(const pd_scene *scene, int index, char *text, size_t size);

/* Write and read the scene of a snapshot or log, like pd_scene_write_text and pd_scene_read_text, but with the keys
 * that have no effect under the scene's method: such a key may have an effect after a change of the method. */
pd_result pd_scene_write_snapshot_text(const pd_scene *scene, char **text, size_t *length, pd_error *error);
pd_result pd_scene_read_snapshot_text(const char *text, size_t length, const char *name, pd_scene *scene,
                                      pd_error *error);

#endif
