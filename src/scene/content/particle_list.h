/* Regions that list their particles (PD_SHAPE_PARTICLES). A scene file names a file of comma-separated values beside
 * it; snapshots and logs contain base 64. */
#ifndef PUDDLE_SCENE_CONTENT_PARTICLE_LIST_H
#define PUDDLE_SCENE_CONTENT_PARTICLE_LIST_H

#include "scene/file/document.h"
#include <stdio.h>

/* Reads a region's particles from its key `file` or `data`, after all other keys of the region. */
bool pd_read_particle_list(pd_document *document, const yaml_node_t *item, pd_region *region);
/* Reads a region's particles from a file. Sets particles, count, area, left_out and, unless given, spacing. A line names the
 * columns, in any order: x, y, vx, vy, material, or as other programs name them (particle_columns.h). The columns id, mass
 * and density of `puddle run --state` are skipped, and all others are left out. Without the columns material or vx, vy,
 * particles have the region's material or velocity. Returns false and sets *error to file:line:column: message. */
bool pd_particle_list_read_file(const char *path, const pd_scene *scene, pd_region *region, pd_error *error);
/* Returns whether a particle's numbers are in range and its material index is below material_count. */
bool pd_listed_particle_is_valid(int material_count, const pd_scene_particle *particle);
/* Sets the region's area to the bounding box of its particles. A spacing of 0 becomes sqrt(area / particles). */
void pd_particle_list_update_bounding_box(pd_region *region);

/* Writes a region's particles to a file with the columns of `puddle run --state`. Densities are left empty. Errors:
 * FILE_UNWRITABLE. */
pd_result pd_particle_list_write_file(const pd_scene *scene, const pd_region *region, const char *path,
                                      pd_error *error);

bool pd_scene_has_listed_particles(const pd_scene *scene);

#endif
