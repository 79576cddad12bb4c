/* Regions of the shape `particles`: a list of particles, in scene files as a file of comma-separated values beside the scene,
 * in the texts of snapshots and logs as words in base 64. */
#ifndef PUDDLE_SCENE_CONTENT_PLACED_H
#define PUDDLE_SCENE_CONTENT_PLACED_H

#include "scene/file/document.h"
#include <stdio.h>

/* After the rest of the region was read: the list that its `file` or `data` gives. */
bool pd_read_placed(pd_document *document, const yaml_node_t *item, pd_region *region);
/* Fills region->particles, count, area and, where the region has none, spacing; *region has the material and the velocity of rows
 * without their own. Returns false with *error filled: file:line:column: message. Columns are found by their names in the first
 * line, in any order: x, y, vx, vy, material; id, mass and density, which --state writes, are passed over. */
bool pd_placed_read_file(const char *path, const pd_scene *scene, pd_region *region, pd_error *error);
/* Whether its numbers are in range and it has one of so many materials. */
bool pd_placed_valid(int materials, const pd_scene_particle *particle);
/* The rectangle around the particles, and the spacing where there is none. */
void pd_placed_measure(pd_region *region);

/* The columns of --state, without densities. Errors: FILE_UNWRITABLE. */
pd_result pd_placed_write_file(const pd_scene *scene, const pd_region *region, const char *path, pd_error *error);

#define PD_PLACED_FAULT "a region lists its particles and so sets their number (leave 'particles' out)"
/* Whether a region of the scene lists its particles. */
bool pd_scene_is_placed(const pd_scene *scene);

#endif
