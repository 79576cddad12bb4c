/* Recordings and screenshots. A recording has frames at equal intervals of simulated time, in the size that the window had when
 * the recording began. A bounded queue (record/sink.h) passes the frames to threads that write them. While the queue is full,
 * the window draws but makes no steps. Thus no frame is lost, and the window never waits for the disk. */
#include "app/device/recorder.h"

#include "app/io/settings.h"
#include "core/error.h"
#include "core/timer.h"
#include "record/png.h"
#include <errno.h>
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Screenshot that another thread writes to a file. */
struct screenshot {
    SDL_Thread *thread;     /* the thread that writes */
    SDL_atomic_t done;      /* 1: the thread has ended */
    pd_pixels pixels;       /* size and format of the picture */
    uint8_t *rgb;           /* pixels of the picture */
    char path[PD_MAX_PATH]; /* path of the file */
    pd_result result;       /* result of writing */
    pd_error error;         /* error if writing failed */
};

bool pd_recorder_has_room(const pd_recorder *recorder) {
    return !recorder->sink || pd_sink_has_free_slot(recorder->sink);
}

/* Returns the names of scene and method and the seed of a world, for the metadata of the frames recorded next. */
static pd_sink_part describe_recorded_world(const pd_world *world) {
    const pd_scene *scene = pd_world_scene(world);
    return (pd_sink_part){scene->name, pd_world_method(world)->name, scene->seed};
}

pd_result pd_recorder_start(pd_recorder *recorder, const pd_world *world, const pd_display *display, const char *path,
                            bool by_option, bool force, pd_error *error) {
    pd_sink_kind kind;
    pd_result result = pd_sink_find_kind(path, &kind, error);
    if (result) return result;
    pd_frame_clock_begin(&recorder->clock, pd_sink_choose_fps(kind, recorder->fps), (double)pd_world_scene(world)->dt);
    recorder->by_option = by_option;
    recorder->keeps_empty_folder = recorder->by_option && kind == PD_SINK_FOLDER;
    snprintf(recorder->path, sizeof recorder->path, "%s", path);
    pd_sink_info info = {.fps = recorder->clock.fps, .part = describe_recorded_world(world)};
    /* Computes the size of a recording, pixels: the window's size, rounded down to even numbers, which most video
     * formats need. */
    info.pixels.width = display->width > 2 ? display->width & ~1 : 2;
    info.pixels.height = display->height > 2 ? display->height & ~1 : 2;
    result = pd_canvas_create(&recorder->canvas, info.pixels.width, info.pixels.height, error);
    if (!result) result = pd_sink_create(&recorder->sink, path, &info, force, error);
    if (result) {
        recorder->sink = NULL;
        pd_canvas_destroy(&recorder->canvas);
    }
    return result;
}

pd_result pd_recorder_stop(pd_recorder *recorder, pd_announcer *announcer, bool failed, pd_error *error) {
    if (!recorder->sink) return PD_OK;
    pd_sink_report done;
    /* If no frame was written, only the folder that --record names is not removed. */
    bool allow_empty = recorder->keeps_empty_folder && !failed;
    pd_result result = pd_sink_finish(recorder->sink, allow_empty, &done, error);
    recorder->sink = NULL;
    pd_canvas_destroy(&recorder->canvas);
    char text[64];
    snprintf(text, sizeof text, "Recorded %d frame%s to", done.frames, done.frames == 1 ? "" : "s");
    if (!result && done.frames == 0 && !allow_empty)
        pd_announce(announcer, "Nothing recorded: no step was made");
    else if (!result)
        pd_announce_path(announcer, text, recorder->path);
    return result;
}

pd_sink_kind pd_recorder_format(pd_recorder *recorder) {
    if (!recorder->kind_known) recorder->kind = pd_settings_recording_format();
    recorder->kind_known = true;
    return recorder->kind;
}

void pd_recorder_set_format(pd_recorder *recorder, pd_announcer *announcer, pd_sink_kind kind) {
    pd_error error;
    recorder->kind = kind;
    recorder->kind_known = true;
    if (pd_settings_save_recording_format(kind, &error))
        pd_announce_error(announcer, &error);
    else
        pd_announce_word(announcer, "Recording format", pd_settings_word_of_format(kind));
}

/* Creates the folder of recordings and screenshots, if it is missing, and writes its path. */
static pd_result create_output_folder(char *folder, size_t size, pd_error *error) {
    pd_settings_find_output_folder(folder, size);
    int number = pd_os_create_folders(folder, true, NULL);
    return number ? pd_fail_unwritable(folder, number, error) : PD_OK;
}

/* Begins a recording at a path that does not exist, and writes this path to `path`. A video file appears at its path only
 * when it is complete, so another window may be recording to the same path. In this case the number gets one more digit:
 * "drop-01" after "drop-1". */
static pd_result start_at_free_path(pd_recorder *recorder, const pd_world *world, const pd_display *display, char *path,
                                    size_t size, pd_error *error) {
    char folder[PD_MAX_PATH], slug[PD_MAX_NAME], ending[8] = "";
    pd_sink_kind kind = pd_recorder_format(recorder);
    pd_result result = create_output_folder(folder, sizeof folder, error);
    pd_app_make_slug(pd_world_scene(world)->name, slug, sizeof slug);
    if (pd_sink_is_video(kind)) snprintf(ending, sizeof ending, ".%s", pd_settings_word_of_format(kind));
    for (int digits = 1; digits < 8 && !result; digits++) {
        pd_app_make_free_path(path, size, folder, slug, digits, ending);
        result = pd_recorder_start(recorder, world, display, path, false, false, error);
        if (!result || (int)error->code != PD_ERROR_RECORDING_EXISTS) break;
        if (digits < 7) result = PD_OK;
    }
    return result;
}

void pd_recorder_start_at_free_path(pd_recorder *recorder, pd_announcer *announcer, const pd_world *world,
                                    const pd_display *display, bool paused) {
    char path[PD_MAX_PATH];
    pd_error error;
    if (start_at_free_path(recorder, world, display, path, sizeof path, &error)) {
        pd_announce_error(announcer, &error);
        return;
    }
    const char *note = pd_sink_encoder_note(recorder->sink);
    if (*note)
        pd_announce(announcer, "Recording: %s", note);
    else
        pd_announce_path(announcer, paused ? "Paused: recording begins with the next step, to" : "Recording to", path);
}

/* Computes the layout of the text over the pictures. Returns false if there is no text, or memory runs out. */
static bool lay_out_text(pd_recorder *recorder, const pd_picture *pictures, int count) {
    pd_error error;
    int width = 0;
    if (!recorder->has_text) return false;
    if (!recorder->gui && ui_create(&recorder->gui, NULL, pictures[0].scale, &error)) return false;
    for (int i = 0; i < count; i++) width += pictures[i].width;
    ui_set_scale(recorder->gui, pictures[0].scale);
    ui_begin_frame(recorder->gui, width, pictures[0].height, 0);
    recorder->draw_text(recorder->context, recorder->gui, pictures, count);
    ui_end_frame_undrawn(recorder->gui);
    return true;
}

void pd_recorder_free(pd_recorder *recorder) {
    ui_destroy(recorder->gui);
    recorder->gui = NULL;
}

/* Draws the described pictures side by side on the canvas. alpha: value for pd_picture.alpha of each picture. */
static void draw_pictures_on_canvas(pd_recorder *recorder, pd_renderer *renderer, pd_canvas *canvas,
                                    const pd_picture *pictures, int count, float alpha) {
    bool text = lay_out_text(recorder, pictures, count);
    for (int i = 0, x = 0; i < count; x += pictures[i].width, i++) {
        pd_picture drawn = pictures[i];
        drawn.alpha = alpha;
        ui_draw_picture(text ? recorder->gui : NULL, 0, renderer, canvas,
                        &(pd_pixel_area){x, 0, drawn.width, drawn.height}, &drawn);
    }
}

bool pd_recorder_record_step(pd_recorder *recorder, pd_renderer *renderer, const pd_world *const worlds[2],
                             const pd_picture pictures[2]) {
    pd_canvas *canvas = &recorder->canvas;
    double alpha;
    char methods[2 * PD_MAX_METHOD_NAME];
    pd_sink_part part = describe_recorded_world(worlds[0]);
    if (worlds[1]) {
        snprintf(methods, sizeof methods, "%s,%s", part.method, pd_world_method(worlds[1])->name);
        part.method = methods;
    }
    pd_sink_begin_part(recorder->sink, &part);
    pd_frame_clock_count_step(&recorder->clock);
    while (pd_frame_clock_count_due_frame(&recorder->clock, &alpha)) {
        draw_pictures_on_canvas(recorder, renderer, canvas, pictures, worlds[1] ? 2 : 1, (float)alpha);
        if (pd_sink_add_frame(recorder->sink, canvas->rgb, NULL) != PD_OK) return false;
    }
    return true;
}

static int write_screenshot(void *context) {
    struct screenshot *screenshot = context;
    screenshot->result = pd_png_write_file(screenshot->path, &screenshot->pixels, screenshot->rgb, &screenshot->error);
    SDL_AtomicSet(&screenshot->done, 1);
    return 0;
}

void pd_screenshot_announce_finished(pd_recorder *recorder, pd_announcer *announcer, bool wait) {
    struct screenshot *screenshot = recorder->screenshot;
    if (!screenshot || (!wait && !SDL_AtomicGet(&screenshot->done))) return;
    if (screenshot->thread) SDL_WaitThread(screenshot->thread, NULL);
    recorder->screenshot = NULL;
    if (screenshot->result)
        pd_announce_error(announcer, &screenshot->error);
    else
        pd_announce_path(announcer, "Saved screenshot", screenshot->path);
    free(screenshot->rgb);
    free(screenshot);
}

/* Creates a canvas, and draws the pictures side by side on it. */
static pd_result draw_screenshot(pd_recorder *recorder, pd_renderer *renderer, const pd_picture *pictures, int count,
                                 pd_canvas *canvas, pd_error *error) {
    int width = pictures[0].width + (count > 1 ? pictures[1].width : 0);
    pd_result result = pd_canvas_create(canvas, width, pictures[0].height, error);
    if (!result) draw_pictures_on_canvas(recorder, renderer, canvas, pictures, count, pictures[0].alpha);
    return result;
}

pd_result pd_screenshot_draw_png(pd_recorder *recorder, pd_renderer *renderer, const pd_picture *pictures, int count,
                                 uint8_t **png, size_t *size, pd_error *error) {
    pd_canvas canvas;
    char *text = NULL;
    pd_result result = draw_screenshot(recorder, renderer, pictures, count, &canvas, error);
    if (result) return result;
    pd_pixels pixels = {.width = canvas.width, .height = canvas.height};
    FILE *stream = open_memstream(&text, size);
    bool written = stream && pd_png_write_to_stream(stream, &pixels, canvas.rgb) && !ferror(stream);
    if (stream && fclose(stream) != 0) written = false;
    pd_canvas_destroy(&canvas);
    *png = (uint8_t *)text;
    if (written) return PD_OK;
    free(text);
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot copy the picture: not enough memory (close other programs)");
}

void pd_screenshot_begin(pd_recorder *recorder, pd_announcer *announcer, pd_renderer *renderer,
                         const pd_picture *pictures, int count) {
    pd_screenshot_announce_finished(recorder, announcer, true);
    pd_error error;
    pd_canvas canvas;
    char folder[PD_MAX_PATH];
    if (create_output_folder(folder, sizeof folder, &error) ||
        draw_screenshot(recorder, renderer, pictures, count, &canvas, &error)) {
        pd_announce_error(announcer, &error);
        return;
    }
    struct screenshot *screenshot = calloc(1, sizeof *screenshot);
    if (screenshot) {
        screenshot->pixels = (pd_pixels){.width = canvas.width, .height = canvas.height};
        screenshot->rgb = canvas.rgb;
        canvas.rgb = NULL;
        pd_app_make_free_path(screenshot->path, sizeof screenshot->path, folder, "puddle", 4, ".png");
        recorder->screenshot = screenshot;
        screenshot->thread = SDL_CreateThread(write_screenshot, "screenshot", screenshot);
        if (!screenshot->thread) write_screenshot(screenshot);
    }
    pd_canvas_destroy(&canvas);
}

/* ---- Export of a video ---- */

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
    /* Processes and removes the complete lines in exporter->line. The beginning of an incomplete line remains. */
    char *line = exporter->line, *end;
    for (; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        process_output_line(exporter, line);
    }
    memmove(exporter->line, line, strlen(line) + 1);
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
