/* The files that a run writes besides pictures: --stats, --state (with --state-every) and --save. Shared by run, render
 * and the window:
 *
 *     outputs_begin(&outputs, options, &error)    tries all paths, so that a bad one fails before the work begins
 *     outputs_start(outputs, &error)              before the first step: creates or replaces the file of --stats
 *     outputs_play(outputs, log)                  the steps are those of a log
 *     outputs_advance(outputs, world)             makes a step; false: a signal came first
 *     outputs_step(outputs, world, &error)        after every step: a row of --stats, and a state when one is due
 *     outputs_end(outputs, world, &error)         the last state, the snapshot, closes and frees; call it always
 *
 * Without any of these flags all but outputs_advance do nothing and cannot fail. */
#ifndef PUDDLE_CLI_OUTPUT_OUTPUT_H
#define PUDDLE_CLI_OUTPUT_OUTPUT_H

#include "cli/options.h"

typedef struct outputs outputs;

/* Changes no existing file. Claims the outputs, and that of --log, until outputs_end. Errors: FILE_UNWRITABLE, RECORDING_EXISTS
 * (another process is writing one of them), OUT_OF_MEMORY (and *created is NULL). */
pd_result outputs_begin(outputs **created, const options *options, pd_error *error);
/* Call when everything else that can fail has been tried. On an error existing files are unchanged; call outputs_end
 * with a NULL world. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result outputs_start(outputs *outputs, pd_error *error);
void outputs_play(outputs *outputs, pd_log *log);
/* Makes a step in parts, so that SIGINT, SIGTERM and SIGHUP need not wait for the end of a long one. False: one came
 * before the step was complete, and it is left unfinished. When --state or --save will write the world, it is restored
 * to the end of the previous step (false), or, when the step was expected to be short, the step is completed (true). */
bool outputs_advance(outputs *outputs, pd_world *world);
/* Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. The run is then over: call outputs_end with a NULL world. */
pd_result outputs_step(outputs *outputs, const pd_world *world, pd_error *error);
/* With a NULL world (the run has failed) nothing more is written; --stats keeps its rows. outputs may be NULL.
 * Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result outputs_end(outputs *outputs, const pd_world *world, pd_error *error);

#endif
