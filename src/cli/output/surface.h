/* Writes the files of --surface: the surface of the fluid as polygons, as Wavefront OBJ or SVG. */
#ifndef PUDDLE_CLI_OUTPUT_SURFACE_H
#define PUDDLE_CLI_OUTPUT_SURFACE_H

#include <puddle/puddle.h>

/* Writes the surface of the world's fluid atomically: the area that the view "surface" shows, with the same field and
 * threshold (render/particles/contour.h). Positions are in metres.
 * - A path that ends in .obj: an object, group and material for each material, with faces in the plane z = 0.
 * - Another path: SVG, a group for each material, with its outlines as a path in its colour.
 * palette: index of the palette. alpha: time within the last step, 0 at its beginning, 1 at its end. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result surface_write(const char *path, const pd_world *world, int palette, double alpha, pd_error *error);

#endif
