/* Recordings (F9) and screenshots (F12): pictures without the text over them.
 *
 * The frames of a recording are at equal intervals of simulated time, and keep the size that the window had at its
 * start. They go to a bounded queue (record/sink.h). While that is full no step is made, but the window goes on
 * drawing: no frame is dropped, and the window never waits for the disk. */
#include "app/settings.h"
#include "app/state.h"

#include "core/error.h"
#include "record/png.h"
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct shot {
    SDL_Thread *thread;
    SDL_atomic_t done;
    pd_pixels pixels;
    uint8_t *rgb;
    char path[PD_MAX_PATH];
    pd_result result;
    pd_error error;
};

bool pd_recorder_ready(const pd_app *app) {
    return !app->device.recorder.sink || pd_sink_ready(app->device.recorder.sink);
}

/* Width and height are even, as most video formats require. */
static void recording_size(const pd_app *app, int *width, int *height) {
    *width = app->device.display.width > 2 ? app->device.display.width & ~1 : 2;
    *height = app->device.display.height > 2 ? app->device.display.height & ~1 : 2;
}

/* What the frames show now. */
static pd_sink_part current_part(const pd_app *app) {
    const pd_scene *scene = pd_world_scene(app->session.world);
    return (pd_sink_part){scene->name, pd_world_method(app->session.world)->name, scene->seed};
}

pd_result pd_recorder_start(pd_app *app, const char *path, bool force, pd_error *error) {
    pd_recorder *recorder = &app->device.recorder;
    pd_sink_kind kind;
    int fps;
    pd_result result = pd_sink_find_kind(path, &kind, error);
    if (!result) result = pd_sink_rate(kind, app->options.fps, &fps, error);
    if (result) return result;
    pd_frame_clock_begin(&recorder->clock, fps, (double)pd_world_scene(app->session.world)->dt);
    recorder->requested = path == app->options.record;
    recorder->in_video_folder = !recorder->requested && pd_sink_is_video(kind);
    recorder->keeps_empty = recorder->requested && kind == PD_SINK_FOLDER;
    snprintf(recorder->path, sizeof recorder->path, "%s", path);
    pd_sink_info info = {.fps = recorder->clock.fps, .part = current_part(app)};
    recording_size(app, &info.pixels.width, &info.pixels.height);
    result = pd_canvas_create(&recorder->canvas, info.pixels.width, info.pixels.height, error);
    if (!result) result = pd_sink_create(&recorder->sink, path, &info, force, error);
    if (result) {
        recorder->sink = NULL;
        pd_canvas_destroy(&recorder->canvas);
    }
    return result;
}

/* The folder of a video that came to nothing, unless it holds anything. */
static void remove_parent(const char *path) {
    char folder[PD_MAX_PATH];
    const char *slash = strrchr(path, '/');
    if (!slash) return;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    rmdir(folder);
}

void pd_recorder_stop(pd_app *app) {
    pd_recorder *recorder = &app->device.recorder;
    if (!recorder->sink) return;
    pd_sink_report done;
    pd_error error;
    /* An empty recording is kept only in the folder that --record named. */
    bool keep_empty = recorder->keeps_empty && !app->result;
    pd_result result = pd_sink_finish(recorder->sink, keep_empty, &done, &error);
    recorder->sink = NULL;
    pd_canvas_destroy(&recorder->canvas);
    char text[64];
    snprintf(text, sizeof text, "Recorded %d frame%s to", done.frames, done.frames == 1 ? "" : "s");
    if (done.frames == 0 && recorder->in_video_folder) remove_parent(recorder->path);
    if (!result && done.frames == 0 && !keep_empty) {
        pd_announce(&app->viewport.announcer, "Nothing recorded");
    } else if (!result) {
        pd_announce_path(&app->viewport.announcer, text, recorder->path);
    } else if (recorder->requested || !app->running) { /* the window is closing: the exit code says it */
        pd_app_fail(app, result, &error);
    } else {
        pd_announce_error(&app->viewport.announcer, &error);
    }
}

pd_sink_kind pd_recorder_kind(pd_app *app) {
    pd_recorder *recorder = &app->device.recorder;
    if (!recorder->kind_known) recorder->kind = pd_settings_recording();
    recorder->kind_known = true;
    return recorder->kind;
}

void pd_recorder_set_kind(pd_app *app, pd_sink_kind kind) {
    pd_error error;
    app->device.recorder.kind = kind;
    app->device.recorder.kind_known = true;
    if (pd_settings_save_recording(kind, &error))
        pd_announce_error(&app->viewport.announcer, &error);
    else
        pd_announce_word(&app->viewport.announcer, "Record to", pd_settings_word(kind));
}

/* Starts a recording under a new name. The name of a video is only seen once it is whole, so another window may already be
 * recording under it: then one with another number of digits is tried. */
static pd_result start_new(pd_app *app, char *path, size_t size, pd_error *error) {
    char slug[PD_MAX_NAME], ending[8] = "";
    pd_sink_kind kind = pd_recorder_kind(app);
    bool video = pd_sink_is_video(kind);
    pd_result result = PD_BAD_INPUT;
    pd_app_slug(app, slug, sizeof slug);
    if (video) snprintf(ending, sizeof ending, ".%s", pd_settings_word(kind));
    for (int digits = 1; digits < 8; digits++) {
        pd_app_fresh_path(path, size, "recordings", slug, digits, ending);
        if (video) {
            char *slash = strrchr(path, '/');
            *slash = '\0';
            mkdir(path, 0777); /* where that fails, so does what follows */
            *slash = '/';
        }
        result = pd_recorder_start(app, path, false, error);
        if (!result || error->code != PD_ERROR_RECORDING_EXISTS) break;
    }
    if (video && result) remove_parent(path);
    return result;
}

void pd_recorder_toggle(pd_app *app) {
    if (app->device.recorder.sink) {
        pd_recorder_stop(app);
        return;
    }
    char path[PD_MAX_PATH];
    pd_error error;
    if (start_new(app, path, sizeof path, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
        return;
    }
    const char *note = pd_sink_note(app->device.recorder.sink);
    if (*note)
        pd_announce(&app->viewport.announcer, "Recording: %s", note);
    else
        pd_announce_path(&app->viewport.announcer,
                         app->session.paused ? "Paused, so nothing is recorded yet. Recording to" : "Recording to",
                         path);
}

static bool add_frame(pd_app *app, float alpha) {
    pd_recorder *recorder = &app->device.recorder;
    pd_canvas *canvas = &recorder->canvas;
    pd_picture picture = pd_app_picture(app, canvas->width, canvas->height, alpha, false);
    pd_renderer_draw(app->device.renderer, canvas->framebuffer, &picture);
    pd_canvas_read(canvas);
    if (pd_sink_add(recorder->sink, canvas->rgb, NULL) == PD_OK) return true;
    pd_recorder_stop(app); /* announces the error */
    return false;
}

void pd_recorder_step(pd_app *app) {
    pd_recorder *recorder = &app->device.recorder;
    double alpha;
    if (!recorder->sink) return;
    pd_sink_part part = current_part(app);
    pd_sink_set_part(recorder->sink, &part);
    pd_frame_clock_step(&recorder->clock);
    while (pd_frame_clock_due(&recorder->clock, &alpha))
        if (!add_frame(app, (float)alpha)) return;
}

static int write_shot(void *context) {
    struct shot *shot = context;
    shot->result = pd_png_write(shot->path, &shot->pixels, shot->rgb, &shot->error);
    SDL_AtomicSet(&shot->done, 1);
    return 0;
}

void pd_screenshot_poll(pd_app *app, bool wait) {
    struct shot *shot = app->device.recorder.shot;
    if (!shot || (!wait && !SDL_AtomicGet(&shot->done))) return;
    if (shot->thread) SDL_WaitThread(shot->thread, NULL);
    app->device.recorder.shot = NULL;
    if (shot->result)
        pd_announce_error(&app->viewport.announcer, &shot->error);
    else
        pd_announce_path(&app->viewport.announcer, "Screenshot", shot->path);
    free(shot->rgb);
    free(shot);
}

void pd_screenshot_take(pd_app *app) {
    pd_screenshot_poll(app, true);
    pd_error error;
    pd_canvas canvas;
    if (pd_canvas_create(&canvas, app->device.display.width, app->device.display.height, &error)) {
        pd_announce_error(&app->viewport.announcer, &error);
        return;
    }
    pd_picture picture = pd_app_picture(app, canvas.width, canvas.height, pd_app_alpha(app), false);
    pd_renderer_draw(app->device.renderer, canvas.framebuffer, &picture);
    pd_canvas_read(&canvas);
    struct shot *shot = calloc(1, sizeof *shot);
    if (shot) {
        shot->pixels = (pd_pixels){.width = canvas.width, .height = canvas.height};
        shot->rgb = canvas.rgb;
        canvas.rgb = NULL;
        pd_app_fresh_path(shot->path, sizeof shot->path, "", "puddle", 4, ".png");
        app->device.recorder.shot = shot;
        shot->thread = SDL_CreateThread(write_shot, "screenshot", shot);
        if (!shot->thread) write_shot(shot);
    }
    pd_canvas_destroy(&canvas);
}
