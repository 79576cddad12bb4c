/* Writes the files of --state, as CSV or VTK. */
#ifndef PUDDLE_CLI_OUTPUT_STATE_H
#define PUDDLE_CLI_OUTPUT_STATE_H

#include <puddle/puddle.h>

typedef struct state_column {
    const char *name, *unit, *help; /* name in the file; unit, "" if none; meaning, for `puddle list` */
    const char *field;              /* files of cells: name of the field with the values (pd_view_field); NULL: none */
} state_column;

/* Columns of one kind of --state file: particles, vortices or cells. */
typedef struct state_table {
    const char *name;            /* name of the table in `puddle list`: "state-particles" */
    const char *title;           /* title of the table in the reference: "--state: particles" */
    const state_column *columns; /* columns in their order */
    int count;                   /* number of columns */
} state_table;

enum { STATE_OF_PARTICLES, STATE_OF_VORTICES, STATE_OF_CELLS, STATE_TABLES };
extern const state_table state_tables[STATE_TABLES];

/* Writes the state of a world atomically, as CSV, or as legacy VTK if the path ends in .vtk. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY.
 * - Methods with vortices (pd_view.vortices): vortices by id, in VTK as polydata.
 * - Methods whose particles are tracers (pd_view.particles_are_tracers): cells by rows from the lowest, in VTK as
 *   structured points.
 * - Other methods: particles by id, in VTK as polydata.
 * Bodies are in a second file, as CSV with all columns of cli/output/bodies.h: of pool.csv pool-bodies.csv. */
pd_result state_write(const char *path, const pd_world *world, pd_error *error);

#endif
