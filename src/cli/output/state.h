/* Writes the files of --state, as CSV, VTK or NPZ. */
#ifndef PUDDLE_CLI_OUTPUT_STATE_H
#define PUDDLE_CLI_OUTPUT_STATE_H

#include "core/file.h"

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

/* Parts of a state that have a VTK file of their own. */
typedef enum state_part {
    STATE_FLUID,  /* particles or vortices; cells if the method has cells alone: pool.vtk */
    STATE_CELLS,  /* cells of a method that also has particles or vortices: pool-cells.vtk */
    STATE_SOLIDS, /* container, obstacles and bodies as lines and polygons: pool-solids.vtk */
    STATE_PARTS
} state_part;
enum { STATE_AT_END = -1 }; /* step of the file without a number */

/* Returns whether a value of --state ends in .csv, .vtk or .npz. */
bool state_has_format(const char *path);
/* Returns whether it ends in .vtk. */
bool state_is_vtk(const char *path);
/* Returns whether a state has a part. */
bool state_has_part(const pd_view *view, state_part part);
/* Writes the path of a file of --state. path: value of --state; step: number in the name, or STATE_AT_END. pool.vtk, 12 and
 * STATE_SOLIDS give pool_000012-solids.vtk. Returns false if the name is too long. */
bool state_get_path(const char *path, long long step, state_part part, char name[PD_MAX_PATH]);

/* Writes the state of a world, each file atomically: as CSV, as legacy VTK or as NPZ by the ending. step: number in the names,
 * or STATE_AT_END. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY.
 * - Methods with vortices (pd_view.vortices): vortices by id, in VTK as polydata.
 * - Methods whose particles are tracers (pd_view.particles_are_tracers): cells by rows from the lowest, in VTK as
 *   structured points.
 * - Other methods: particles by id, in VTK as polydata.
 * VTK has the other parts in files of their own. NPZ has vortices or particles, and cells, in one file. Bodies are in another
 * file, as CSV with all columns of cli/output/columns.h: of pool.csv pool-bodies.csv. */
pd_result state_write(const char *path, long long step, const pd_world *world, pd_error *error);

#endif
