/* The files of --state. */
#ifndef PUDDLE_CLI_OUTPUT_STATE_H
#define PUDDLE_CLI_OUTPUT_STATE_H

#include <puddle/puddle.h>

typedef struct state_column {
    const char *name, *unit, *help;
    const char *field; /* of a cell: the method's field; NULL: none */
} state_column;

/* The columns of one kind of CSV file. */
typedef struct state_table {
    const char *name;  /* "state-particles" */
    const char *title; /* "--state of ..." */
    const state_column *columns;
    int count;
} state_table;

enum { STATE_OF_PARTICLES, STATE_OF_VORTICES, STATE_OF_CELLS, STATE_TABLES };
extern const state_table state_tables[STATE_TABLES];

/* Writes the particles by id as CSV, or as legacy VTK polydata when the path ends in .vtk; of a method with vortices
 * (pd_view.vortices) those in the place of the particles; of another one whose particles are tracers (pd_view.tracers) the
 * cells, by rows from the lowest, in VTK as structured points. Completely or not at all. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result state_write(const char *path, const pd_world *world, pd_error *error);

#endif
