/* Extent of the fluid of a scene at the start. */
#ifndef PUDDLE_SCENE_EXTENT_H
#define PUDDLE_SCENE_EXTENT_H

#include <puddle/scene.h>

/* Bounding box, m. */
typedef struct pd_extent {
    pd_vec2 low, high; /* lower left and upper right corner */
} pd_extent;

/* Finds the bounding box of the scene's regions, which also are pictures and listed particles. Without regions: the box of
 * the vortons and obstacles (angles of boxes do not count), since the flow around both is the scene's content. Without both: the box of the emitters' positions. Returns false, and does not set *extent, if the
 * scene has none of them. */
bool pd_scene_find_fluid_extent(const pd_scene *scene, pd_extent *extent);

#endif
