/* Regions of the shape `particles`, a list of particles. In scene files the list is a file of comma-separated values
 * beside the scene; in snapshots and logs it is base 64. */
#ifndef PUDDLE_SCENE_CONTENT_PLACED_H
#define PUDDLE_SCENE_CONTENT_PLACED_H

#include "scene/file/document.h"
#include <stdio.h>

/* Reads the list from the region's `file` or `data`, after all other keys. */
bool pd_read_placed(pd_document *document, const yaml_node_t *item, pd_region *region);
/* Reads a list from a file: sets region->particles, count, area and, unless given, spacing. Rows may lack material and
 * velocity, which are then the region's. Columns are named in the first line, in any order: x, y, vx, vy, material.
 * Those of --state (id, mass, density) are skipped. Returns false and sets *error to file:line:column: message. */
bool pd_placed_read_file(const char *path, const pd_scene *scene, pd_region *region, pd_error *error);
/* Returns whether a particle's numbers are in range and its material is below `materials`. */
bool pd_placed_is_valid(int materials, const pd_scene_particle *particle);
/* Sets the region's rectangle around the particles and, if absent, its spacing. */
void pd_placed_measure(pd_region *region);

/* Writes the columns of --state without densities. Errors: FILE_UNWRITABLE. */
pd_result pd_placed_write_file(const pd_scene *scene, const pd_region *region, const char *path, pd_error *error);

#define PD_PLACED_FAULT "a region lists its particles and so sets their number (leave 'particles' out)"
bool pd_scene_lists_particles(const pd_scene *scene);

#endif
