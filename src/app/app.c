/* The main loop of the window: events, steps of the simulation, drawing. */
#include "app/state.h"

#include "core/error.h"
#include "core/timer.h"
#include <epoxy/gl.h>
#include <math.h>
#include <SDL.h>
#include <stdlib.h>

static const int IDLE_MS = 200;         /* an idle window waits so long for an event between two checks for a signal */
static const double EVENT_TIME = 0.2;   /* s: the longest time that a frame spends on events */
static const double FINISH_PART = 0.05; /* s of work on a step between two checks for quitting */

pd_picture pd_app_picture(pd_app *app, int width, int height, float alpha, bool tool) {
    pd_world_view(app->session.world, &app->viewport.view);
    return (pd_picture){
        .view = &app->viewport.view,
        .mode = app->viewport.mode,
        .lines = pd_app_lines(app),
        .palette = app->viewport.palette,
        .alpha = alpha,
        .width = width,
        .height = height,
        .scale = app->device.display.scale,
        .show_tool = tool && app->device.pointer.inside && !app->viewport.help && !pd_app_paints(app),
        .tool = app->device.pointer.position,
        .tool_radius = pd_pointer_radius(app),
    };
}

void pd_app_fail(pd_app *app, pd_result result, const pd_error *error) {
    if (app->result) return;
    app->result = result;
    *app->error = *error;
    pd_announce_failure(&app->viewport.announcer, error);
}

static void fail(pd_app *app, pd_result result) {
    app->result = result;
    app->running = false;
}

float pd_app_alpha(const pd_app *app) {
    return pd_world_stepping(app->session.world) ? 1 : pd_pace_alpha(&app->session.pace);
}

/* After a step that was replayed. */
static void replayed(pd_app *app) {
    if (!app->session.diverged && pd_log_diverged(app->session.log) != PD_LOG_NEVER) {
        app->session.diverged = true;
        pd_announce(&app->viewport.announcer, "From step %llu on this is another run than the log's",
                    (unsigned long long)pd_log_diverged(app->session.log));
    }
    if (pd_app_replays(app)) return;
    pd_app_play(app); /* commands after the last step */
    if (!app->session.watching) {
        pd_announce(&app->viewport.announcer, "The present: it goes on from here");
        return;
    }
    app->session.paused = true;
    pd_announce(&app->viewport.announcer, "End of the log: Space goes on from here");
}

/* Called once for each completed step. */
static void step_completed(pd_app *app) {
    pd_world_view(app->session.world, &app->viewport.view);
    bool replays = pd_app_replays(app);
    if (app->session.log) pd_log_stepped(app->session.log, app->session.world);
    if (replays) replayed(app);
    pd_recorder_step(app);
    pd_result result = PD_OK;
    if (app->options.stepped) result = app->options.stepped(app->options.context, app->session.world, app->error);
    if (result) fail(app, result);
    pd_app_flush(app);
}

/* Continues the unfinished step, or begins one, for about `seconds` of wall time; true when it is complete. */
static bool work_on_step(pd_app *app, double seconds) {
    const pd_profile *profile = pd_world_profile(app->session.world);
    uint64_t before = profile->substeps;
    double begun = pd_now();
    if (!pd_world_stepping(app->session.world))
        pd_step_start_keep(&app->session.step_start, app->session.world, app->session.pace.step_cost);
    bool complete = pd_world_step_part(app->session.world, seconds);
    int substeps = (int)(profile->substeps - before), total = pd_world_substeps(app->session.world);
    if (complete) step_completed(app);
    pd_pace_worked(&app->session.pace, pd_now() - begun, substeps, total, complete);
    return complete;
}

/* The rest of a long step may take minutes: when about to quit, the state before the step is restored. */
static bool undo_step(pd_app *app) {
    if (!pd_app_quitting(app) || !pd_step_start_restore(&app->session.step_start, app->session.world)) return false;
    pd_world_view(app->session.world, &app->viewport.view);
    pd_app_flush(app);
    return true;
}

void pd_app_finish_step(pd_app *app) {
    while (pd_world_stepping(app->session.world) && !undo_step(app)) work_on_step(app, FINISH_PART);
}

/* A log is played until its end, or until the mouse is used: then the world goes on from there. */
static void begin_step(pd_app *app, int step, int steps) {
    if (pd_app_replays(app) && app->device.pointer.held == PD_TOOL_NONE)
        pd_app_play(app);
    else
        pd_pointer_apply(app, step, steps);
}

/* While paused: completes the unfinished step, and makes the single steps that were requested. */
static void advance_paused(pd_app *app) {
    double begun = pd_now();
    while (app->running && pd_recorder_ready(app) &&
           (app->session.single_steps > 0 || pd_world_stepping(app->session.world))) {
        double left = pd_pace_left(&app->session.pace, pd_now() - begun);
        if (!pd_world_stepping(app->session.world)) begin_step(app, 0, 1);
        if (!work_on_step(app, left)) return;
        if (app->session.single_steps > 0) app->session.single_steps--;
        app->session.pace.owed = app->session.pace.dt; /* draws the state at the end of the step */
        if (left <= 0) return;
    }
}

static void advance(pd_app *app, double elapsed) {
    pd_pace *pace = &app->session.pace;
    if (app->session.backwards.held) {
        pd_backwards_advance(app, elapsed);
        return;
    }
    if (app->session.seek.active) {
        pd_timeline_advance(app);
        return;
    }
    if (app->session.paused) {
        advance_paused(app);
        return;
    }
    pd_pace_begin(pace, pd_app_speed(app) * elapsed);
    double begun = pd_now();
    int planned = (int)(pace->owed / pace->dt + 1e-6);
    while (app->running && !app->session.paused && pd_recorder_ready(app) && pd_pace_due(pace, pd_now() - begun)) {
        if (!pd_world_stepping(app->session.world))
            begin_step(app, pace->steps, planned > pace->steps ? planned : pace->steps + 1);
        work_on_step(app, pd_pace_left(pace, pd_now() - begun));
    }
    pd_pace_end(pace);
}

static void draw_interface(pd_app *app, double elapsed) {
    ui_begin(app->device.ui, app->device.display.width, app->device.display.height, (float)elapsed);
    pd_app_draw_brush(app);
    pd_app_draw_hud(app, elapsed);
    pd_app_draw_probe(app);
    pd_app_draw_panel(app);
    pd_app_draw_help(app);
    pd_app_draw_announcement(app);
}

static void draw(pd_app *app, double elapsed) {
    int width, height;
    pd_app_picture_size(app, &width, &height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, app->device.display.width, app->device.display.height);
    glClearColor(0.04f, 0.05f, 0.08f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    pd_picture picture = pd_app_picture(app, width, height, pd_app_alpha(app), true);
    pd_renderer_draw(app->device.renderer, 0, &picture);
    draw_interface(app, elapsed);
    ui_end(app->device.ui);
}

static bool is_idle(const pd_app *app) {
    return app->session.paused && app->session.single_steps == 0 && app->redraw == 0 && !app->device.recorder.shot &&
           !pd_app_fading(app) && !pd_world_stepping(app->session.world) && !app->session.backwards.held &&
           !app->session.seek.active;
}

/* An event that the interface must process in a frame of its own gets one without a step and a picture. Where those are
 * slow they would cost a second per event and delay the events behind it, such as Escape or closing the window. */
static void show_interface(pd_app *app) {
    pd_pointer_update(app, 0);
    draw_interface(app, 0);
    ui_end_undrawn(app->device.ui);
}

static void take_events(pd_app *app) {
    SDL_Event event;
    if (is_idle(app)) SDL_WaitEventTimeout(NULL, (int)fmin(IDLE_MS, ceil(1e3 * pd_probe_wait(app))));
    double until = pd_now() + EVENT_TIME;
    while (app->running && pd_now() < until) {
        bool first = ui_needs_frame(app->device.ui);
        if (first) SDL_PumpEvents();
        if (first && !SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT)) break; /* the frame that follows processes it */
        if (first)
            show_interface(app);
        else if (SDL_PollEvent(&event))
            pd_app_event(app, &event);
        else
            break;
    }
    if (app->options.interrupted && app->options.interrupted()) app->running = false;
}

/* Where vsync does not limit the frame rate (no screen behind the window, or hidden), waits for the end of the
 * period. */
static void limit_frame_rate(const pd_app *app, double begun) {
    double spare = 0.9 * app->device.display.period - (pd_now() - begun);
    if (spare > 0.001) SDL_Delay((Uint32)(spare * 1000));
}

static void frame(pd_app *app) {
    bool was_idle = is_idle(app);
    take_events(app);
    double now = pd_now(), elapsed = now - app->viewport.now;
    app->viewport.now = now;
    if (was_idle) elapsed = app->device.display.period; /* idle time does not count as frame time */
    if (app->redraw > 0)
        app->redraw--;
    else if (was_idle && pd_probe_wait(app) > 0)
        return;
    pd_screenshot_poll(app, false);
    pd_pointer_update(app, elapsed);
    if (app->running) advance(app, elapsed);
    if (pd_app_quitting(app)) return; /* drawing may take a second with software rendering */
    app->device.pointer.drawn = app->device.pointer.position;
    pd_world_view(app->session.world, &app->viewport.view);
    double before = pd_now();
    if (!app->device.display.hidden) draw(app, elapsed);
    pd_meter_frame(app, elapsed, pd_now() - before);
    if (!app->device.display.hidden)
        SDL_GL_SwapWindow(app->device.display.window); /* waits for the screen, so it is not measured */
    limit_frame_rate(app, now);
    app->frames++;
    if (app->options.frames > 0 && app->frames >= app->options.frames) app->running = false;
}

static pd_result open_all(pd_app *app, pd_error *error) {
    pd_result result = pd_display_open(&app->device.display, &app->options, "puddle", error);
    if (result) return result;
    result = pd_renderer_create(&app->device.renderer, error);
    if (!result) result = ui_create(&app->device.ui, app->device.display.window, app->device.display.scale, error);
    if (result) return result;
    app->viewport.wanted_view = app->options.view;
    app->viewport.lines_chosen = app->options.lines != NULL;
    if (app->viewport.lines_chosen) app->viewport.wanted_lines = *app->options.lines;
    app->viewport.palette = app->options.palette;
    pd_app_find_bundled(app);
    pd_app_replace_world(app, app->session.world);
    result = pd_app_follow_log(app, error);
    if (result) return result;
    if (app->options.record) result = pd_recorder_start(app, app->options.record, app->options.force, error);
    return result;
}

static void close_all(pd_app *app) {
    if (app->device.ui) {
        pd_screenshot_poll(app, true);
        pd_recorder_stop(app);
    }
    if (app->options.replay)
        *app->options.replay = app->session.log;
    else
        pd_log_destroy(app->session.log);
    pd_app_release_last_log(app);
    pd_backwards_forget(app);
    pd_step_start_free(&app->session.step_start);
    ui_destroy(app->device.ui);
    pd_renderer_destroy(app->device.renderer);
    if (app->device.display.window) pd_display_close(&app->device.display);
}

pd_result pd_app_run(pd_world **world, const pd_app_options *options, pd_error *error) {
    pd_app *app = calloc(1, sizeof *app);
    if (!app)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot open a window: out of memory (close other programs)");
    app->options = *options;
    app->viewport.announcer = (pd_announcer){.quiet = options->quiet, .json = options->json, .report = options->report};
    app->session.world = *world;
    app->error = error;
    app->result = open_all(app, error);
    if (!app->result && options->opened) app->result = options->opened(options->context, error);
    app->running = app->result == PD_OK;
    app->viewport.started = app->viewport.now = pd_now();
    app->redraw = 3;
    if (app->running) pd_announce_ready(&app->viewport.announcer);
    if (app->running) pd_app_tell_warnings(app, "");
    while (app->running) frame(app);
    /* Files hold the state at the end of a step. */
    if (!app->result && (app->options.saves || app->options.log || app->session.save_queued)) pd_app_finish_step(app);
    if (app->session.log && !app->result && app->options.log)
        app->result = pd_log_close(app->session.log, app->session.world, error);
    if (app->session.log) pd_log_close(app->session.log, app->session.world, NULL);
    close_all(app);
    *world = app->session.world;
    pd_result result = app->result;
    free(app);
    return result;
}
