/* Names of bodies. Joints identify bodies by name, so that edits of the list of bodies leave joints unchanged. */
#ifndef PUDDLE_SCENE_BODY_NAMES_H
#define PUDDLE_SCENE_BODY_NAMES_H

#include <puddle/items.h>

enum { PD_NO_BODY = -2, PD_WORLD_NAMED = -1 };

/* Returns the index of the body that a joint names; PD_WORLD_NAMED: the world; PD_NO_BODY: none. */
int pd_scene_find_body(const pd_scene *scene, const char *name);
/* Returns whether a joint names a body. */
bool pd_scene_is_body_joined(const pd_scene *scene, const char *name);

/* A body or joint that contradicts others. */
typedef struct pd_body_fault {
    int number;      /* number of the item: all bodies, then all joints */
    int list, index; /* PD_LIST_BODIES or PD_LIST_JOINTS, and the index of the item */
    const char *key; /* key of the wrong value */
    char text[256];  /* what is wrong, and what to do */
} pd_body_fault;

/* Finds the first body outside the container or with a wrong name, or the first joint that does not join two bodies of the
 * scene, from the item `number` on. Returns false if there is none. */
bool pd_scene_find_body_fault(const pd_scene *scene, int number, pd_body_fault *fault);

#endif
