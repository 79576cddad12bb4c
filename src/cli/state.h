/* The files of --state. */
#ifndef PUDDLE_CLI_STATE_H
#define PUDDLE_CLI_STATE_H

#include <puddle/puddle.h>

/* Writes the particles by id as CSV, or as legacy VTK polydata when the path ends in .vtk; of a method with vortices
 * (pd_view.vortices) those in the place of the particles; of another one whose particles are tracers (pd_view.tracers) the
 * cells, by rows from the lowest, in VTK as structured points. Completely or not at all. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result state_write(const char *path, const pd_world *world, pd_error *error);

#endif
