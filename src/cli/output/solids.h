/* Writes container, obstacles and bodies as lines and polygons, for ParaView. */
#ifndef PUDDLE_CLI_OUTPUT_SOLIDS_H
#define PUDDLE_CLI_OUTPUT_SOLIDS_H

#include <puddle/puddle.h>
#include <stdio.h>

/* Values of the array "kind" of the cells. The array "index" is the place in the scene's list, from 0. */
enum { SOLID_CONTAINER, SOLID_OBSTACLE, SOLID_BODY };

/* Prints points, cells and cell data of legacy VTK polydata: the outline of the container as a closed line, and all obstacles
 * and bodies as polygons, moved and turned. The caller has printed the heading and "DATASET POLYDATA". Circles have 64 corners. A polyline has a polygon for each segment, with
 * round ends. */
void solids_print_vtk(FILE *stream, const pd_view *view);

#endif
