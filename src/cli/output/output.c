/* Output files of a run besides pictures: --stats, --bodies, --state, --surface, --save. */
#include "cli/output/output.h"

#include "app/session/timeline.h"
#include "cli/commands.h"
#include "cli/output/bodies.h"
#include "cli/output/series.h"
#include "cli/output/state.h"
#include "cli/output/statistics.h"
#include "cli/output/surface.h"
#include "cli/output/table_file.h"
#include "core/error.h"
#include "core/file/file.h"
#include "core/timer.h"
#include "render/palette.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Wall time of each part of a step, s; signals are checked between two parts. */
static const double STEP_PART_SECONDS = 0.1;

struct outputs {
    const options *options;
    table_file stats, bodies; /* files of --stats and --bodies */
    /* Claims (pd_file_claim) on the files of --stats, --bodies, --state, --surface, --save, --log. */
    int claims[6];
    pd_step_start start; /* state of the world before the present step, to undo an interrupted step */
    pd_log *log;         /* log whose commands are applied before each step, or NULL */
    series series;       /* states of --state-every, if they are VTK files */
    int surfaces;        /* number of files of --surface so far */
    double step_seconds; /* wall time of the last step, s; 0 before the first */
};

/* Functions for table_file.h. data: the world; NULL: the heading. */
static void print_statistics(FILE *stream, const void *data) {
    pd_statistics statistics;
    if (!data) {
        statistics_print_header(stream);
        return;
    }
    pd_world_statistics(data, &statistics);
    statistics_print_row(stream, &statistics);
}

static void print_bodies(FILE *stream, const void *data) {
    if (data)
        bodies_print_rows(stream, data, BODY_INERTIA);
    else
        bodies_print_header(stream, BODY_INERTIA);
}

/* Claims the output files by pd_file_claim, so that no other process writes them at the same time. */
static pd_result claim_output_files(outputs *outputs, pd_error *error) {
    const options *options = outputs->options;
    const char *const paths[] = {options->stats,   options->bodies, options->state,
                                 options->surface, options->save,   options->log};
    _Static_assert(sizeof paths / sizeof *paths == sizeof outputs->claims / sizeof *outputs->claims, "one each");
    pd_result result = PD_OK;
    for (size_t i = 0; result == PD_OK && i < sizeof paths / sizeof *paths; i++)
        if (paths[i]) result = pd_file_claim(paths[i], &outputs->claims[i], error);
    return result;
}

static void free_outputs(outputs *outputs) {
    for (size_t i = 0; i < sizeof outputs->claims / sizeof *outputs->claims; i++)
        pd_file_release_claim(&outputs->claims[i]);
    free(outputs);
}

pd_result outputs_begin(outputs **created, const options *options, pd_error *error) {
    pd_result result = PD_OK;
    *created = NULL;
    if (options->state) result = pd_file_check_writable(options->state, error);
    if (result == PD_OK && options->surface) result = pd_file_check_writable(options->surface, error);
    if (result == PD_OK && options->save) result = pd_file_check_writable(options->save, error);
    if (result != PD_OK) return result;
    outputs *outputs = calloc(1, sizeof *outputs);
    if (!outputs)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot begin: not enough memory (close other programs)");
    outputs->options = options;
    result = claim_output_files(outputs, error);
    if (result == PD_OK) result = table_file_open(&outputs->stats, options->stats, error);
    if (result == PD_OK) result = table_file_open(&outputs->bodies, options->bodies, error);
    if (result != PD_OK) {
        free_outputs(outputs);
        return result;
    }
    *created = outputs;
    return PD_OK;
}

pd_result outputs_open_tables(outputs *outputs, pd_error *error) {
    pd_result result = table_file_begin(&outputs->stats, print_statistics, error);
    return result == PD_OK ? table_file_begin(&outputs->bodies, print_bodies, error) : result;
}

void outputs_set_log(outputs *outputs, pd_log *log) { outputs->log = log; }

bool outputs_step_world(outputs *outputs, pd_world *world) {
    bool saves = outputs->options->state || outputs->options->save;
    double begun = pd_now();
    if (outputs->log) pd_log_replay_commands(outputs->log, world);
    if (saves) pd_step_start_save(&outputs->start, world, outputs->step_seconds);
    while (!pd_world_step_part(world, STEP_PART_SECONDS)) {
        if (!is_interrupted()) continue;
        if (!saves || pd_step_start_restore(&outputs->start, world)) return false;
        pd_world_step(world); /* computes the rest of the incomplete step */
        break;
    }
    outputs->step_seconds = pd_now() - begun;
    if (outputs->log) pd_log_end_step(outputs->log, world);
    return true;
}

/* Writes the world's state for --state-every. After step 12 FILE.csv gives FILE_000012.csv. */
static pd_result write_numbered_state(outputs *outputs, const pd_world *world, pd_error *error) {
    const char *path = outputs->options->state;
    pd_result result = state_write(path, (long long)pd_world_steps(world), world, error);
    if (result != PD_OK || !state_is_vtk(path) || series_add(&outputs->series, world)) return result;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot list '%.200s': not enough memory (close other programs)",
                   path);
}

pd_result outputs_write_surface(outputs *outputs, const pd_world *world, double alpha, pd_error *error) {
    const options *options = outputs->options;
    const char *path = options->surface, *ending = path ? strrchr(path, '.') : NULL;
    char numbered[PD_MAX_PATH];
    if (!path) return PD_OK;
    int length =
        snprintf(numbered, sizeof numbered, "%.*s_%06d%s", (int)(ending - path), path, outputs->surfaces++, ending);
    if (length >= (int)sizeof numbered) return pd_fail_unwritable(path, ENAMETOOLONG, error);
    int palette = options->palette ? pd_palette_find(options->palette) : 0;
    return surface_write(numbered, world, palette, alpha, error);
}

pd_result outputs_write_after_step(outputs *outputs, const pd_world *world, pd_error *error) {
    pd_result result = table_file_write(&outputs->stats, print_statistics, world, 1, error);
    if (result == PD_OK)
        result = table_file_write(&outputs->bodies, print_bodies, world, pd_world_body_count(world), error);
    if (result != PD_OK) return result;
    int every = outputs->options->state_every;
    if (every && pd_world_steps(world) % (uint64_t)every == 0) return write_numbered_state(outputs, world, error);
    return PD_OK;
}

pd_result outputs_end(outputs *outputs, const pd_world *world, pd_error *error) {
    if (!outputs) return PD_OK;
    const options *options = outputs->options;
    pd_result result = table_file_close(&outputs->stats, error);
    if (result == PD_OK)
        result = table_file_close(&outputs->bodies, error);
    else
        table_file_close(&outputs->bodies, NULL);
    /* A failed run also lists its complete states. One list at the end costs less than a list after each state, which would
     * be written again and again. */
    if (world && result == PD_OK)
        result = series_write(&outputs->series, options->state, error);
    else
        series_write(&outputs->series, options->state, NULL);
    if (world && result == PD_OK && options->state) result = state_write(options->state, STATE_AT_END, world, error);
    if (world && result == PD_OK && options->save) result = pd_world_save(world, options->save, error);
    pd_step_start_free(&outputs->start);
    series_free(&outputs->series);
    free_outputs(outputs);
    return result;
}
