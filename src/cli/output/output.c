#include "cli/output/output.h"

#include "app/session/timeline.h"
#include "cli/commands.h"
#include "cli/output/columns.h"
#include "cli/output/state.h"
#include "core/array.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/timer.h"
#include "platform/platform.h"
#include "render/palette.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV files that are written row by row: rows can be read during a long run and after a killed one ---- */

typedef struct table_file {
    const char *path; /* path of the file */
    pd_output output; /* the file; output.stream is NULL if there is none, and after a failed write */
    bool published;   /* the file has its final name, no longer a temporary one */
    int64_t size;     /* size of the heading and of the complete rows, bytes */
    long long rows;   /* number of complete rows, without the heading */
} table_file;

/* Function that prints a heading or rows to a stream. */
typedef void print_table(FILE *stream, const void *data);

/* Reports a failed write. Truncates the file after its last complete row. The message says how many rows remain. Standard
 * output may have other content before, and is not truncated. error_number: errno of the write. */
static pd_result fail_write(table_file *file, int error_number, pd_error *error) {
    char whole_rows[64] = "";
    bool whole = file->published && !pd_os_is_standard_output(file->path);
    if (whole && pd_os_truncate(fileno(file->output.stream), file->size) == 0)
        snprintf(whole_rows, sizeof whole_rows, "it holds %lld whole row%s", file->rows, file->rows == 1 ? "" : "s");
    pd_output_cancel(&file->output);
    return file->published ? pd_fail_partly_written(file->path, error_number, whole_rows, error)
                           : pd_fail_unwritable(file->path, error_number, error);
}

/* Opens a file under a temporary name. path: NULL: there is no file. Errors: FILE_UNWRITABLE. */
static pd_result table_file_open(table_file *file, const char *path, pd_error *error) {
    *file = (table_file){.path = path};
    return path ? pd_output_open(&file->output, path, error) : PD_OK;
}

/* Writes what `print` prints: `rows` rows. After an error the file ends after its last complete row. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
static pd_result table_file_write(table_file *file, print_table *print, const void *data, long long rows,
                                  pd_error *error) {
    char *text = NULL;
    size_t size = 0;
    if (!file->output.stream) return PD_OK;
    FILE *stream = open_memstream(&text, &size);
    if (stream) print(stream, data);
    if (!stream || fclose(stream) != 0) {
        free(text);
        return pd_fail_unwritable(file->path, ENOMEM, error);
    }
    int number = pd_os_write(fileno(file->output.stream), text, size);
    free(text);
    if (number) return end_if_output_closed(fail_write(file, number, error), error);
    file->size += (int64_t)size;
    file->rows += rows;
    return PD_OK;
}

/* Writes the heading, and gives the file its final name. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
static pd_result table_file_begin(table_file *file, print_table *print, pd_error *error) {
    pd_result result = table_file_write(file, print, NULL, 0, error);
    if (result != PD_OK || !file->output.stream) return result;
    result = pd_output_publish_partial(&file->output, error);
    file->published = result == PD_OK;
    return result;
}

/* Closes the file. A file without a heading is removed. Errors: FILE_UNWRITABLE. */
static pd_result table_file_close(table_file *file, pd_error *error) {
    if (file->output.stream && file->published) return pd_output_commit(&file->output, error);
    pd_output_cancel(&file->output);
    return PD_OK;
}

/* ---- Lists of the VTK files of --state-every with their times, which ParaView opens as one animation ----
 *
 * The format is that of ParaView's file series:
 * https://gitlab.kitware.com/paraview/paraview/-/blob/v5.5.0/Documentation/release/ParaView-5.5.0.md */

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
static bool series_add(series *series, const pd_world *world) {
    pd_view view;
    series_state state = {.step = (long long)pd_world_steps(world), .time = pd_world_time(world)};
    while (series->count > 0 && series->states[series->count - 1].step >= state.step) series->count--;
    if (!PD_LIST_RESERVE(series->states, series->capacity, series->count + 1)) return false;
    pd_world_view(world, &view);
    for (state_part part = 0; part < STATE_PARTS; part++)
        if (state_has_part(&view, part)) state.parts |= 1u << part;
    series->states[series->count++] = state;
    return true;
}

/* Adds a file to the list. name: relative to the folder of the list. Returns false if memory runs out. */
static bool add_file(cJSON *files, const char *name, double time) {
    cJSON *file = cJSON_CreateObject();
    return cJSON_AddItemToArray(files, file) && cJSON_AddStringToObject(file, "name", name) &&
           cJSON_AddNumberToObject(file, "time", time);
}

/* Returns the list of a part as JSON, for cJSON_free; NULL if memory runs out. path: value of --state. */
static char *make_list(const series *series, const char *path, state_part part) {
    char name[PD_MAX_PATH];
    cJSON *list = cJSON_CreateObject();
    cJSON *version = cJSON_AddStringToObject(list, "file-series-version", "1.0");
    cJSON *files = cJSON_AddArrayToObject(list, "files");
    bool complete = version && files;
    for (int i = 0; complete && i < series->count; i++) {
        const series_state *state = &series->states[i];
        if (!(state->parts & 1u << part)) continue;
        state_get_path(pd_path_name(path), state->step, part, name);
        complete = add_file(files, name, state->time);
    }
    char *text = complete ? cJSON_Print(list) : NULL;
    cJSON_Delete(list);
    return text;
}

static pd_result write_list(const series *series, const char *path, state_part part, pd_error *error) {
    char first[PD_MAX_PATH], name[PD_MAX_PATH];
    if (!state_get_path(path, STATE_AT_END, part, first) ||
        snprintf(name, sizeof name, "%s.series", first) >= (int)sizeof name)
        return pd_fail_unwritable(path, ENAMETOOLONG, error);
    char *text = make_list(series, path, part);
    if (!text) return pd_fail_unwritable(name, ENOMEM, error);
    pd_result result = pd_file_write(name, text, strlen(text), error);
    cJSON_free(text);
    return result;
}

/* Writes PATH.series for the value of --state, and a list for each other part (state_part) that some state has. Writes nothing
 * without states. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
static pd_result series_write(const series *series, const char *path, pd_error *error) {
    pd_result result = PD_OK;
    unsigned parts = 0;
    for (int i = 0; i < series->count; i++) parts |= series->states[i].parts;
    for (state_part part = 0; result == PD_OK && part < STATE_PARTS; part++)
        if (parts & 1u << part) result = write_list(series, path, part, error);
    return result;
}

static void series_free(series *series) {
    pd_memory_free(series->states);
    *series = (struct series){0};
}

/* ---- All output files of a run ---- */

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

/* Functions for table_file_write. data: the world; NULL: the heading. */
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
    for (size_t i = 0; i < sizeof outputs->claims / sizeof *outputs->claims; i++) pd_os_unlock(&outputs->claims[i]);
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

pd_result outputs_step_world(outputs *outputs, pd_world *world, bool *complete, pd_error *error) {
    bool saves = outputs->options->state || outputs->options->save;
    double begun = pd_now();
    *complete = false;
    if (outputs->log) pd_log_replay_commands(outputs->log, world);
    if (saves) pd_step_start_save(&outputs->start, world, outputs->step_seconds);
    while (!pd_world_step_part(world, STEP_PART_SECONDS)) {
        if (!is_interrupted()) continue;
        if (!saves || pd_step_start_restore(&outputs->start, world)) return PD_OK;
        pd_world_step(world); /* computes the rest of the incomplete step */
        break;
    }
    outputs->step_seconds = pd_now() - begun;
    if (outputs->log) pd_log_end_step(outputs->log, world);
    *complete = true;
    if (!pd_world_was_refused_memory(world)) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for step %llu (use fewer particles, or close programs)",
                   (unsigned long long)pd_world_steps(world));
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

/* ---- Progress line ---- */

void progress_begin(progress *progress, const char *noun, long long total, bool quiet, bool lines) {
    progress->lines = lines;
    progress->shown = !quiet && !progress->lines && pd_os_is_terminal(stderr);
    progress->noun = noun;
    progress->total = total;
    progress->started = pd_now();
    progress->last = progress->started - 1; /* 1 s before the start, so that the first update prints at once */
}

void progress_update(progress *progress, long long done) {
    if (!progress->shown && !progress->lines) return;
    double now = pd_now();
    if (now - progress->last < 0.1 && (!progress->lines || done < progress->total)) return;
    progress->last = now;
    if (progress->lines) fprintf(stderr, "%lld/%lld\n", done, progress->total);
    if (!progress->shown) return;
    double rate = (double)done / (now - progress->started);
    fprintf(stderr, "\r%s %lld", progress->noun, done);
    if (progress->total) fprintf(stderr, "/%lld (%d %%)", progress->total, (int)(100 * done / progress->total));
    fprintf(stderr, ", %.*f/s", rate < 10 ? 1 : 0, rate);
    if (progress->total && rate > 0) {
        long long left = (long long)((double)(progress->total - done) / rate + 0.5);
        fprintf(stderr, ", %lld:%02lld left", left / 60, left % 60);
    }
    fputs("\x1b[K", stderr);
}

void progress_show_note(const progress *progress, const char *note) {
    if (progress->shown) fprintf(stderr, "\r%s\x1b[K", note);
}

void progress_end(progress *progress) {
    if (progress->shown) fputs("\r\x1b[K", stderr);
    progress->shown = false;
}
