/* Runs the process of an export. The process writes the video into a temporary folder. When the video is complete, the
 * window moves it to its path. */
#include "app/device/exporter.h"

#include "core/error.h"
#include "core/timer.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 40, MOST_SECONDS = 5 }; /* MOST_SECONDS: wait for a cancelled process before it is killed */

/* Removes the temporary folder of an export. */
static void remove_folder(pd_exporter *exporter) {
    if (*exporter->folder) pd_os_remove_temporary_folder(exporter->folder, &exporter->lock);
    *exporter->folder = '\0';
}

pd_result pd_exporter_prepare(pd_exporter *exporter, const char *path, bool replaces, pd_error *error) {
    *exporter = (pd_exporter){.replaces = replaces};
    char parent[PD_MAX_PATH];
    snprintf(exporter->path, sizeof exporter->path, "%s", path);
    pd_path_folder(path, parent, sizeof parent);
    pd_os_remove_abandoned(parent);
    int error_number =
        pd_os_create_temporary_folder(parent, exporter->folder, sizeof exporter->folder, &exporter->lock);
    if (error_number) return pd_fail_unwritable(path, error_number, error);
    snprintf(exporter->log, sizeof exporter->log, "%.*s/session.log", PD_MAX_PATH - 16, exporter->folder);
    return PD_OK;
}

/* Writes the path of the video in the temporary folder. */
static void write_incomplete_video_path(const pd_exporter *exporter, char *path, size_t size) {
    snprintf(path, size, "%s/%s", exporter->folder, pd_path_name(exporter->path));
}

pd_result pd_exporter_start(pd_exporter *exporter, const pd_export *export, pd_error *error) {
    char incomplete_path[2 * PD_MAX_PATH], size[32], fps[16], speed[16], steps[32], start[32];
    write_incomplete_video_path(exporter, incomplete_path, sizeof incomplete_path);
    snprintf(size, sizeof size, "%dx%d", export->width, export->height);
    snprintf(fps, sizeof fps, "%.9g", export->fps);
    snprintf(speed, sizeof speed, "%.9g", export->speed);
    snprintf(steps, sizeof steps, "%lld", export->steps);
    snprintf(start, sizeof start, "%.9g", export->start);
    const char *arguments[MOST_ARGUMENTS] = {
        "puddle", "replay", exporter->log, "--output",  incomplete_path, "--size",  size,  "--fps",     fps, "--steps",
        steps,    "--view", export->view,  "--palette", export->palette, "--speed", speed, "--progress"};
    int count = 18;
    if (export->quality) arguments[count++] = "--quality", arguments[count++] = export->quality;
    if (export->lines) arguments[count++] = "--lines", arguments[count++] = export->lines;
    if (export->start > 0) arguments[count++] = "--start", arguments[count++] = start;
    if (*export->compare) arguments[count++] = "--compare", arguments[count++] = export->compare;
    if (*export->camera) arguments[count++] = "--camera", arguments[count++] = export->camera;
    if (*export->background) arguments[count++] = "--background", arguments[count++] = export->background;
    if (export->no_legend) arguments[count++] = "--no-legend";
    if (export->no_outline) arguments[count++] = "--no-outline";
    /* The process inherits the lock of the folder, since it may outlive a killed window. */
    int error_number =
        pd_os_start_process(&exporter->process, (char *const *)arguments, true, exporter->lock, &exporter->output);
    if (!error_number) return PD_OK;
    remove_folder(exporter);
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot export: %s (close other programs)", strerror(error_number));
}

/* Processes a line that the process has printed: numbers of frames as "12/300", or an error message. */
static void process_output_line(pd_exporter *exporter, const char *line) {
    static const char NAME[] = "puddle: ", WARNING[] = "puddle: warning: ";
    if (sscanf(line, "%lld/%lld", &exporter->done, &exporter->frames) == 2) return;
    if (strncmp(line, NAME, sizeof NAME - 1) != 0 || strncmp(line, WARNING, sizeof WARNING - 1) == 0) return;
    snprintf(exporter->problem, sizeof exporter->problem, "%s", line + sizeof NAME - 1);
}

/* Processes and removes the complete lines in exporter->line. The beginning of an incomplete line remains. */
static void process_complete_output_lines(pd_exporter *exporter) {
    char *line = exporter->line, *end;
    for (; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        process_output_line(exporter, line);
    }
    memmove(exporter->line, line, strlen(line) + 1);
}

/* Moves the complete video to exporter->path. If a file exists at the path and must not be replaced, appends a number to
 * the name. Errors: FILE_UNWRITABLE. */
static pd_result move_video_to_its_path(pd_exporter *exporter, pd_error *error) {
    char incomplete_path[2 * PD_MAX_PATH], path[PD_MAX_PATH];
    write_incomplete_video_path(exporter, incomplete_path, sizeof incomplete_path);
    snprintf(path, sizeof path, "%s", exporter->path);
    const char *dot = strrchr(pd_path_name(path), '.'), *ending = dot ? dot : path + strlen(path);
    for (int number = 2; !exporter->replaces && pd_os_exists(exporter->path); number++)
        snprintf(exporter->path, sizeof exporter->path, "%.*s-%d%s", (int)(ending - path), path, number, ending);
    int error_number = pd_os_rename(incomplete_path, exporter->path);
    return error_number ? pd_fail_unwritable(exporter->path, error_number, error) : PD_OK;
}

/* Waits for the end of the process, after it has closed its output. Moves the video and announces the result. */
static void end_process_and_announce_result(pd_exporter *exporter, pd_announcer *announcer) {
    bool succeeded = false;
    char text[64];
    pd_error error;
    pd_os_has_ended(exporter->process, true, &succeeded);
    pd_os_close(exporter->output);
    exporter->process = 0;
    pd_result result =
        succeeded
            ? PD_OK
            : pd_fail(&error, PD_ERROR_FILE_UNWRITABLE, "cannot export '%.300s': %s", pd_path_name(exporter->path),
                      *exporter->problem ? exporter->problem : "the process was ended (close other programs)");
    if (!result && !exporter->cancelled) result = move_video_to_its_path(exporter, &error);
    remove_folder(exporter);
    snprintf(text, sizeof text, "Exported %lld frame%s to", exporter->frames, exporter->frames == 1 ? "" : "s");
    if (exporter->cancelled)
        pd_announce(announcer, "Export cancelled");
    else if (result)
        pd_announce_error(announcer, &error);
    else
        pd_announce_path(announcer, text, exporter->path);
}

bool pd_exporter_poll(pd_exporter *exporter, pd_announcer *announcer) {
    if (!exporter->process) return false;
    size_t used = strlen(exporter->line);
    if (used + 1 >= sizeof exporter->line) used = 0; /* discards the beginning of a line that is too long */
    int got = pd_os_read_pipe(exporter->output, exporter->line + used, sizeof exporter->line - 1 - used);
    if (got < 0) return false;
    exporter->line[used + (size_t)got] = '\0';
    process_complete_output_lines(exporter);
    if (got == 0) end_process_and_announce_result(exporter, announcer);
    return true;
}

void pd_exporter_ask_to_cancel(pd_exporter *exporter, pd_announcer *announcer) {
    static const double ASKED = 5; /* time within which a second Escape cancels, s */
    if (exporter->cancelled) return;
    if (pd_now() < exporter->asked_until) {
        pd_exporter_cancel(exporter, false);
        return;
    }
    exporter->asked_until = pd_now() + ASKED;
    pd_announce(announcer, "An export runs: Esc again cancels '%s'", pd_path_name(exporter->path));
}

void pd_exporter_cancel(pd_exporter *exporter, bool wait) {
    double until = pd_os_now() + MOST_SECONDS;
    if (!exporter->process) {
        remove_folder(exporter);
        return;
    }
    exporter->cancelled = true;
    pd_os_end_process(exporter->process, false);
    if (!wait) return;
    while (!pd_os_has_ended(exporter->process, false, NULL)) {
        if (pd_os_now() > until) pd_os_end_process(exporter->process, true);
        pd_os_sleep(0.01);
    }
    pd_os_close(exporter->output);
    exporter->process = 0;
    remove_folder(exporter);
}
