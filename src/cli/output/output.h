/* Output files of a run besides pictures: --stats, --bodies, --state (with --state-every), --surface and --save,
 * for run, render and the window.
 *
 *     outputs_begin(&outputs, options, &error)    checks all paths, so that the run fails before its first step
 *     outputs_open_tables(outputs, &error)        before the first step: creates or replaces the files of --stats and --bodies
 *     outputs_set_log(outputs, log)               sets a log whose commands each step applies
 *     outputs_step_world(outputs, world, &complete, &error)   steps the world
 *     outputs_write_after_step(outputs, world, &error)   after each step: rows of --stats and --bodies, and --state-every
 *     outputs_write_surface(outputs, world, alpha, &error)   for each frame: a file of --surface
 *     outputs_end(outputs, world, &error)         always: writes the last state and the snapshot, closes and frees
 *
 * Without these flags only outputs_step_world does something: it steps the world. */
#ifndef PUDDLE_CLI_OUTPUT_OUTPUT_H
#define PUDDLE_CLI_OUTPUT_OUTPUT_H

#include "cli/options.h"
#include <puddle/puddle.h>
#include <puddle/scene.h>
#include <stdbool.h>

typedef struct outputs outputs;

/* Checks that all output files and the file of --log can be written, and claims them until outputs_end. Existing files are
 * unchanged. On an error *created is NULL. Errors: FILE_UNWRITABLE, RECORDING_EXISTS (another process writes one of the
 * files), OUT_OF_MEMORY. */
pd_result outputs_begin(outputs **created, const options *options, pd_error *error);
/* Creates the files of --stats and --bodies, or replaces existing ones. Call just before the first step, so that no earlier failure loses
 * an existing file. After an error call outputs_end with a NULL world. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result outputs_open_tables(outputs *outputs, pd_error *error);
/* Sets the log whose commands outputs_step_world applies before each step. NULL: none. */
void outputs_set_log(outputs *outputs, pd_log *log);
/* Steps the world in parts of 0.1 s, so that SIGINT, SIGTERM and SIGHUP need not wait for the end of a step. Sets *complete
 * to whether the step is complete. Errors: OUT_OF_MEMORY (the result of the step is wrong). After a signal:
 * - without --state and --save: the step remains incomplete;
 * - with them: a short step is completed, and a long step is undone (pd_step_start_save decides which). */
pd_result outputs_step_world(outputs *outputs, pd_world *world, bool *complete, pd_error *error);
/* Writes the rows of --stats and --bodies and, every K steps, the file of --state-every K. After an error call outputs_end with a NULL
 * world. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result outputs_write_after_step(outputs *outputs, const pd_world *world, pd_error *error);
/* Writes the next file of --surface: of FILE.obj FILE_000000.obj, FILE_000001.obj and so on. alpha: time of the frame within the
 * last step, 0 at its beginning, 1 at its end. After an error call outputs_end with a NULL world. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result outputs_write_surface(outputs *outputs, const pd_world *world, double alpha, pd_error *error);
/* Writes the files of --state, the lists of its VTK files and --save, closes all files and frees `outputs`, which may be NULL. world: NULL after a failed
 * run, whose --state and --save are not written. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result outputs_end(outputs *outputs, const pd_world *world, pd_error *error);

/* A progress line on standard error: number of done and of all items, rate, remaining time. Printed only to a terminal and
 * without --quiet; --progress prints always. */
typedef struct progress {
    bool shown;           /* the progress line is shown on a terminal */
    bool lines;           /* --progress: each update is a new line DONE/TOTAL, for a program that reads them */
    const char *noun;     /* name of an item: "step", "frame" */
    long long total;      /* number of items; 0: unknown */
    double started, last; /* times of progress_begin and of the last printed line, s of pd_now() */
} progress;

void progress_begin(progress *progress, const char *noun, long long total, bool quiet, bool lines);
void progress_update(progress *progress, long long done);
/* Shows a text instead of the numbers until progress_end, for work after the last item. */
void progress_show_note(const progress *progress, const char *note);
void progress_end(progress *progress);

/* Writes the files of --surface: the surface of the fluid as polygons, as Wavefront OBJ or SVG. */
/* Writes the surface of the world's fluid atomically: the area that the view "surface" shows, with the same field and
 * threshold (render/particles/contour.h). Positions are in metres.
 * - A path that ends in .obj: an object, group and material for each material, with faces in the plane z = 0.
 * - Another path: SVG, a group for each material, with its outlines as a path in its colour.
 * palette: index of the palette. alpha: time within the last step, 0 at its beginning, 1 at its end. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result surface_write(const char *path, const pd_world *world, int palette, double alpha, pd_error *error);

/* Reads PNG, JPEG and SVG files. */
/* Reads a picture file; for pd_scene_set_picture_reader. */
pd_picture_reader picture_read;

#endif
