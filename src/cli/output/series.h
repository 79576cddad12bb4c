/* Lists the VTK files of --state-every with their times, in a file that ParaView opens as one animation. */
#ifndef PUDDLE_CLI_OUTPUT_SERIES_H
#define PUDDLE_CLI_OUTPUT_SERIES_H

#include <puddle/puddle.h>

/* State that --state-every has written. */
typedef struct series_state {
    long long step;
    double time;    /* simulated time, s */
    unsigned parts; /* bits 1 << state_part: parts that the state has */
} series_state;

/* States that the run has written, in the order of their steps. All members are 0 at first. */
typedef struct series {
    series_state *states;
    int count, capacity;
} series;

/* Adds the state of a world. Removes listed states of this step and later ones: a world that has gone back replaces their
 * files. Returns false if memory runs out. */
bool series_add(series *series, const pd_world *world);
/* Writes PATH.series for the value of --state, and a list for each other part (state_part) that some state has. Writes nothing
 * without states. Errors:
 * FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result series_write(const series *series, const char *path, pd_error *error);
void series_free(series *series);

#endif
