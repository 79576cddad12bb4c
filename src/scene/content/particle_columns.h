/* Columns of tables of particles: what their names mean, in the spelling of puddle and of other programs. */
#ifndef PUDDLE_SCENE_CONTENT_PARTICLE_COLUMNS_H
#define PUDDLE_SCENE_CONTENT_PARTICLE_COLUMNS_H

#include "scene/file/table.h"

/* Meaning of a column. PD_COLUMN_ID to PD_COLUMN_DENSITY are columns of `puddle run --state` that are not read. */
typedef enum pd_table_meaning {
    PD_COLUMN_X,
    PD_COLUMN_Y,
    PD_COLUMN_VX,
    PD_COLUMN_VY,
    PD_COLUMN_MATERIAL,
    PD_COLUMN_MEANINGS_READ, /* number of the meanings above, whose values a particle has */
    PD_COLUMN_ID = PD_COLUMN_MEANINGS_READ,
    PD_COLUMN_MASS,
    PD_COLUMN_DENSITY,
    PD_COLUMN_NAMED_BY_PUDDLE, /* number of the meanings above, whose columns puddle writes */
    PD_COLUMN_Z = PD_COLUMN_NAMED_BY_PUDDLE,
    PD_COLUMN_OTHER
} pd_table_meaning;

enum { PD_COLUMN_NAME = 32 }; /* bytes of a column's name in messages, with the terminating zero */

typedef struct pd_table_column {
    pd_table_meaning meaning;
    int rank;     /* how far the name is from puddle's own: 0: the same; 1: x in capitals; 2: position_x; 3: u for vx */
    int position; /* place of the name in its line, from 1 */
    double scale; /* unit of the column, m or m/s */
    bool unit_unknown;         /* whether the name has a unit that is not known; `scale` is then 1 */
    char name[PD_COLUMN_NAME]; /* name for messages, or "" if it is none or no text in UTF-8 */
} pd_table_column;

/* Name of each meaning up to PD_COLUMN_NAMED_BY_PUDDLE. */
extern const char *const pd_table_column_names[PD_COLUMN_NAMED_BY_PUDDLE];

/* Columns of a table. */
typedef struct pd_table_columns {
    pd_table_column *list; /* the columns in the order of the file; free with pd_memory_free */
    int count;             /* number of columns */
    int capacity;          /* number of columns for which memory is allocated */
    bool out_of_memory;    /* whether a function has failed for lack of memory */
} pd_table_columns;

/* Reads the names of columns in the line that begins at `at`. Names without text at the end of the line are left out.
 * Returns false for a line without cells, with a malformed cell, or with more than 10,000 cells, and without memory. */
bool pd_table_columns_read(const char *at, char separator, pd_table_columns *columns);
/* Sets the columns to the ones of a table without names: x, y, or with count 4 x, y, vx, vy. Returns false for another
 * number of columns, and without memory. */
bool pd_table_columns_set_unnamed(int count, pd_table_columns *columns);
/* Inserts a column without a name before all others. Returns false without memory. */
bool pd_table_columns_insert_unnamed(pd_table_columns *columns);
/* Returns the index of the column with a meaning, the one of the lowest rank, or -1. *rival: index of a second column of the
 * same rank, or -1. */
int pd_table_columns_find(const pd_table_columns *columns, pd_table_meaning meaning, int *rival);
/* Chooses one column for each meaning and makes all others PD_COLUMN_OTHER. Velocities whose
 * names are not puddle's need two components of the same rank. x and y have to be there. Returns -1, or the index of a column that has a rival, *rival, which
 * means the same. */
int pd_table_columns_choose(pd_table_columns *columns, int *rival);

#endif
