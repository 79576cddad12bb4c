/* Output files of a run besides pictures: --stats, --state (with --state-every) and --save, for run, render and the
 * window.
 *
 *     outputs_begin(&outputs, options, &error)    checks all paths, so that the run fails before its first step
 *     outputs_open_statistics(outputs, &error)    before the first step: creates or replaces the file of --stats
 *     outputs_set_log(outputs, log)               sets a log whose commands each step applies
 *     outputs_step_world(outputs, world)          makes a step; false after a signal
 *     outputs_write_due(outputs, world, &error)   after each step: writes a row of --stats and the state if due
 *     outputs_end(outputs, world, &error)         always: writes the last state and the snapshot, closes and frees
 *
 * Without these flags outputs_step_world makes a step, and the others do nothing. */
#ifndef PUDDLE_CLI_OUTPUT_OUTPUT_H
#define PUDDLE_CLI_OUTPUT_OUTPUT_H

#include "cli/options.h"

typedef struct outputs outputs;

/* Checks and claims all outputs and the file of --log, until outputs_end. Existing files are unchanged. Errors:
 * FILE_UNWRITABLE, RECORDING_EXISTS (another process writes one of them), OUT_OF_MEMORY (*created is NULL). */
pd_result outputs_begin(outputs **created, const options *options, pd_error *error);
/* Creates the file of --stats. Call after everything else that can fail. On an error existing files are unchanged; call
 * outputs_end with a NULL world. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result outputs_open_statistics(outputs *outputs, pd_error *error);
void outputs_set_log(outputs *outputs, pd_log *log);
/* Steps the world in parts, so that SIGINT, SIGTERM and SIGHUP need not wait for the end of a step. Returns false if
 * such a signal leaves the step incomplete. If --state or --save will write the world, a step that was expected to be
 * short is completed (true), and a longer one is undone (false). */
bool outputs_step_world(outputs *outputs, pd_world *world);
/* Writes the row of --stats, and the state if due, after a step. An error ends the run: call outputs_end with a NULL
 * world. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result outputs_write_due(outputs *outputs, const pd_world *world, pd_error *error);
/* Writes the last state and the snapshot, closes all files and frees `outputs`, which may be NULL. world: NULL after a
 * failed run, of which only the rows of --stats remain. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result outputs_end(outputs *outputs, const pd_world *world, pd_error *error);

#endif
