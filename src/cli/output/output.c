/* Output files of a run besides pictures: --stats, --state, --save. */
#include "cli/output/output.h"

#include "app/session/step_start.h"
#include "cli/commands.h"
#include "cli/output/state.h"
#include "cli/output/statistics.h"
#include "core/error.h"
#include "core/file/file.h"
#include "core/timer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Wall time of each part of a step, s; signals are checked between two parts. */
static const double STEP_PART_SECONDS = 0.1;

/* Output files of a run. --stats is written row by row, so that its rows can be read during a long run and after a killed
 * one. */
struct outputs {
    const options *options;
    pd_output stats;      /* file of --stats; stats.stream is NULL without --stats and after a failed write */
    bool stats_published; /* the file of --stats has its final name, no longer a temporary one */
    int claims[4];        /* claims (pd_file_claim) on the files of --stats, --state, --save, --log */
    off_t stats_size;     /* size of the heading and the complete rows of --stats, bytes */
    long long rows;       /* number of complete rows of --stats, without the heading */
    pd_step_start start;  /* state of the world before the present step, to undo an interrupted step */
    pd_log *log;          /* log whose commands are applied before each step, or NULL */
    double step_seconds;  /* wall time of the last step, s; 0 before the first */
};

/* Reports a failed write of --stats. Truncates the file after its last complete row. The message says how many rows remain.
 * error_number: errno of the write. */
static pd_result fail_write_of_statistics(outputs *outputs, int error_number, pd_error *error) {
    char whole_rows[64] = "";
    const char *path = outputs->options->stats;
    if (outputs->stats_published && ftruncate(fileno(outputs->stats.stream), outputs->stats_size) == 0)
        snprintf(whole_rows, sizeof whole_rows, "it holds %lld whole row%s", outputs->rows,
                 outputs->rows == 1 ? "" : "s");
    pd_output_cancel(&outputs->stats);
    return outputs->stats_published ? pd_fail_partly_written(path, error_number, whole_rows, error)
                                    : pd_fail_unwritable(path, error_number, error);
}

/* Returns whether a file is what standard output is: the same pipe, terminal or file. */
static bool is_standard_output(int file) {
    struct stat status, standard;
    return fstat(file, &status) == 0 && fstat(STDOUT_FILENO, &standard) == 0 && status.st_dev == standard.st_dev &&
           status.st_ino == standard.st_ino;
}

/* Writes a row of --stats. statistics: values of the row; NULL: writes the heading. Repeats a write() that a signal
 * interrupted. */
static pd_result write_statistics_row(outputs *outputs, const pd_statistics *statistics, pd_error *error) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream && statistics) statistics_print_row(stream, statistics);
    if (stream && !statistics) statistics_print_header(stream);
    if (!stream || fclose(stream) != 0) {
        free(text);
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%.200s': not enough memory (close other programs)",
                       outputs->options->stats);
    }
    int file = fileno(outputs->stats.stream), number = 0;
    for (size_t done = 0; done < size && !number;) {
        ssize_t wrote = write(file, text + done, size - done);
        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno != EINTR)
            number = errno;
    }
    free(text);
    /* A reader of standard output that closes it has all that it needs, as `head` does: the run ends without a message. */
    if (number == EPIPE && is_standard_output(file)) {
        pd_output_cancel(&outputs->stats);
        end_after_closed_pipe();
        return PD_OK;
    }
    if (number) return fail_write_of_statistics(outputs, number, error);
    outputs->stats_size += (off_t)size;
    if (statistics) outputs->rows++;
    return PD_OK;
}

/* Claims the output files by pd_file_claim, so that no other process writes them at the same time. */
static pd_result claim_output_files(outputs *outputs, pd_error *error) {
    const options *options = outputs->options;
    const char *const paths[] = {options->stats, options->state, options->save, options->log};
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
    if (result == PD_OK && options->save) result = pd_file_check_writable(options->save, error);
    if (result != PD_OK) return result;
    outputs *outputs = calloc(1, sizeof *outputs);
    if (!outputs)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot begin: not enough memory (close other programs)");
    outputs->options = options;
    result = claim_output_files(outputs, error);
    if (result == PD_OK && options->stats) result = pd_output_open(&outputs->stats, options->stats, error);
    if (result != PD_OK) {
        free_outputs(outputs);
        return result;
    }
    *created = outputs;
    return PD_OK;
}

pd_result outputs_open_statistics(outputs *outputs, pd_error *error) {
    if (!outputs->stats.stream) return PD_OK;
    pd_result result = write_statistics_row(outputs, NULL, error);
    if (result == PD_OK && outputs->stats.stream) result = pd_output_publish_partial(&outputs->stats, error);
    outputs->stats_published = result == PD_OK;
    return result;
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

/* Writes the world's state for --state-every. path: value of --state. After step 12 FILE.csv gives FILE_000012.csv. */
static pd_result write_numbered_state(const char *path, const pd_world *world, pd_error *error) {
    char numbered[PD_MAX_PATH];
    const char *ending = strrchr(path, '.');
    int length = snprintf(numbered, sizeof numbered, "%.*s_%06llu%s", (int)(ending - path), path,
                          (unsigned long long)pd_world_steps(world), ending);
    if (length >= (int)sizeof numbered) return pd_fail_unwritable(path, ENAMETOOLONG, error);
    return state_write(numbered, world, error);
}

pd_result outputs_write_after_step(outputs *outputs, const pd_world *world, pd_error *error) {
    if (outputs->stats.stream) {
        pd_statistics statistics;
        pd_world_statistics(world, &statistics);
        pd_result result = write_statistics_row(outputs, &statistics, error);
        if (result != PD_OK) return result;
    }
    int every = outputs->options->state_every;
    if (every && pd_world_steps(world) % (uint64_t)every == 0)
        return write_numbered_state(outputs->options->state, world, error);
    return PD_OK;
}

pd_result outputs_end(outputs *outputs, const pd_world *world, pd_error *error) {
    if (!outputs) return PD_OK;
    const options *options = outputs->options;
    pd_result result = PD_OK;
    if (outputs->stats.stream && outputs->stats_published)
        result = pd_output_commit(&outputs->stats, error);
    else
        pd_output_cancel(&outputs->stats);
    if (world && result == PD_OK && options->state) result = state_write(options->state, world, error);
    if (world && result == PD_OK && options->save) result = pd_world_save(world, options->save, error);
    pd_step_start_free(&outputs->start);
    free_outputs(outputs);
    return result;
}
