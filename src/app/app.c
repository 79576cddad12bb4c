/* The main loop of the window: events, steps of the simulation, drawing. */
#include "app/loop.h"

#include "app/io/settings.h"
#include "app/session/actions.h"
#include "app/session/files.h"
#include "app/session/materials.h"
#include "app/tables/controls.h"
#include "core/error.h"
#include "core/timer.h"
#include <epoxy/gl.h>
#include <math.h>
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

static const int IDLE_MS = 200;       /* an idle window waits so long for an event between two checks for a signal */
static const double WORK = 0.010;     /* s between two looks for events, for the pictures of the browser */
enum { LAYOUT_FRAMES = 3 };           /* what has just been opened or scrolled is at its place in the second frame */
static const double EVENT_TIME = 0.2; /* s: the longest time that a frame spends on events */

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

static void end_recording(pd_app *app) {
    pd_error error;
    bool requested = app->device.recorder.requested;
    pd_result result = pd_recorder_stop(&app->device.recorder, &app->viewport.announcer, app->result != PD_OK, &error);
    if (!result) return;
    if (requested || !app->running) /* the window is closing: the exit code says it */
        pd_app_fail(app, result, &error);
    else
        pd_announce_error(&app->viewport.announcer, &error);
}

/* What is kept of the picture: it, or two side by side. Returns how many. */
static int kept_pictures(const pd_app *app, int width, int height, float alpha, pd_picture pictures[2]) {
    const pd_viewport *viewport = &app->viewport;
    int count = pd_panes_count(viewport), left = width / count;
    float scale = app->device.display.scale;
    pictures[0] = pd_viewport_picture(viewport, left, height, scale, alpha);
    if (count > 1) pictures[1] = pd_viewport_second_picture(viewport, width - left, height, scale, alpha);
    return count;
}

static void record_step(pd_app *app) {
    pd_recorder *recorder = &app->device.recorder;
    pd_picture pictures[2];
    if (!recorder->sink) return;
    kept_pictures(app, recorder->canvas.width, recorder->canvas.height, 1, pictures);
    const pd_world *const worlds[2] = {app->session.world, app->session.second.world};
    if (!pd_recorder_step(recorder, app->device.renderer, worlds, pictures)) end_recording(app);
}

static void take_screenshot(pd_app *app) {
    pd_device *device = &app->device;
    pd_viewport_update(&app->viewport, &app->session);
    pd_picture pictures[2];
    int count =
        kept_pictures(app, device->display.width, device->display.height, pd_session_alpha(&app->session), pictures);
    pd_screenshot_take(&device->recorder, &app->viewport.announcer, device->renderer, pictures, count);
}

static void switch_recording(pd_app *app) {
    pd_recorder *recorder = &app->device.recorder;
    if (recorder->sink)
        end_recording(app);
    else
        pd_recorder_start_new(recorder, &app->viewport.announcer, app->session.world, &app->device.display,
                              app->session.paused);
}

static int next_thumbnail(const pd_browser *browser) {
    return pd_gallery_next(&browser->gallery, browser->first, browser->last);
}

static void forget_browser(pd_app *app) {
    pd_gallery *gallery = &app->viewport.browser.gallery;
    pd_thumbnails_forget(&app->device.thumbnailer, gallery);
    pd_gallery_free(gallery);
}

/* While the browser is open: works on its pictures. */
static void keep_browser(pd_app *app) {
    pd_browser *browser = &app->viewport.browser;
    pd_thumbnailer *thumbnailer = &app->device.thumbnailer;
    double until = pd_now() + WORK;
    for (int next; browser->open && pd_now() < until && (next = next_thumbnail(browser)) >= 0;) {
        pd_gallery_scene *scene = &browser->gallery.scenes[next];
        if (scene->state == PD_GALLERY_UNREAD)
            pd_thumbnail_read(scene);
        else
            pd_thumbnail_work(thumbnailer, scene, app->device.renderer, until);
        if (scene->state != PD_GALLERY_PENDING) app->redraw = 2;
    }
    if (!browser->open && browser->gallery.count > 0) forget_browser(app);
}

/* Two panes and the panel have no room in a narrow window. */
static void make_room_for_panes(pd_app *app) {
    const pd_display *display = &app->device.display;
    if (!app->viewport.panel || pd_panel_docks((float)display->width / display->scale)) return;
    app->viewport.panel = false;
    pd_announce(&app->viewport.announcer, "Panel closed for two panes (Tab opens the panel)");
}

void pd_app_act(pd_app *app, pd_action action, int argument) {
    if (pd_session_act(&app->session, action, argument, app->device.key_repeats)) {
        if (action == PD_ACTION_COMPARE && app->session.second.world) make_room_for_panes(app);
        return;
    }
    if (pd_viewport_act(&app->viewport, &app->session, action)) return;
    if (action == PD_ACTION_PANEL) {
        app->viewport.panel = !app->viewport.panel;
        ui_request_frame(app->device.ui);
    }
    if (action == PD_ACTION_NEW_SCENE) {
        app->viewport.help = false;
        pd_new_scene_open(&app->viewport.new_scene, &app->session);
        ui_request_frame(app->device.ui);
    }
    if (action == PD_ACTION_BROWSE) {
        app->viewport.help = false;
        forget_browser(app);
        pd_browser_open(&app->viewport.browser, &app->session);
        ui_request_frame(app->device.ui);
    }
    if (action == PD_ACTION_FULLSCREEN) pd_display_toggle_fullscreen(&app->device.display);
    if (action == PD_ACTION_RECORD) switch_recording(app);
    if (action == PD_ACTION_SCREENSHOT) take_screenshot(app);
    if (action == PD_ACTION_LAYOUT) app->layout = app->redraw = LAYOUT_FRAMES;
    if (action == PD_ACTION_QUIT) app->running = false;
}

void pd_app_locate(pd_app *app) {
    pd_pointer *pointer = &app->device.pointer;
    if (pointer->held == PD_TOOL_NONE || pointer->released) /* a press stays in the pane in which it began */
        pd_panes_find(&app->viewport, &app->device.display, pointer->pixel_x);
    pd_camera camera = pd_panel_camera(&app->viewport, &app->device.display);
    pd_pointer_locate(pointer, pd_panes_view(&app->viewport), &camera);
}

bool pd_app_covered(const pd_app *app) {
    const pd_pointer *pointer = &app->device.pointer;
    if (app->viewport.new_scene.open || app->viewport.browser.open) return true;
    return pd_panel_covers(&app->viewport, &app->device.display, app->device.ui, pointer->pixel_x, pointer->pixel_y);
}

/* What the session tells: pd_observer. */

static void session_changed(void *context, pd_session_event event) {
    pd_app *app = context;
    const pd_world *world = app->session.world;
    pd_viewport_session_changed(&app->viewport, &app->session, event);
    if (event == PD_SESSION_END) end_recording(app);
    if (event == PD_SESSION_TIME) {
        app->session.draft.active = false;
        pd_session_end_grab(&app->session);
        pd_pointer_drop(&app->device.pointer, pd_controls_of(pd_world_method(world))->tool_size);
        pd_app_locate(app);
        pd_pointer_rest(&app->device.pointer);
    }
}

static void session_stepped(void *context) {
    pd_app *app = context;
    pd_viewport_update(&app->viewport, &app->session);
    record_step(app);
    pd_result result = PD_OK;
    if (app->options.stepped) result = app->options.stepped(app->options.context, app->session.world, app->error);
    if (result) fail(app, result);
}

static bool session_quitting(void *context) { return pd_app_quitting(context); }

void pd_app_init(pd_app *app, const pd_app_options *options) {
    *app = (pd_app){.options = *options};
    app->viewport.announcer = (pd_announcer){.quiet = options->quiet, .json = options->json, .report = options->report};
    app->viewport.chosen_view = options->view;
    app->viewport.lines_chosen = options->lines != NULL;
    if (options->lines) app->viewport.chosen_lines = *options->lines;
    app->viewport.palette = options->palette;
    app->session.announcer = &app->viewport.announcer;
    app->session.observer = (pd_observer){app, session_changed, session_stepped, session_quitting};
    if (options->path) snprintf(app->session.path, sizeof app->session.path, "%s", options->path);
    app->session.log_path = options->log;
    app->session.replay = options->replay;
    app->session.history = options->history > 0 ? options->history : (size_t)pd_settings_history() << 20;
    app->session.writes_last_log = options->last_log;
    app->device.recorder.fps = options->fps;
}

static void use_pointer(pd_app *app, int step, int steps) {
    pd_session *session = &app->session;
    pd_pointer *pointer = &app->device.pointer;
    double speed = pd_session_speed(session) * pd_pace_speed(&session->pace);
    pd_tool tool;
    if (pd_pointer_tool(pointer, step, steps, speed, pd_session_dye(session), pd_session_poured(session), &tool)) {
        pd_tool press = tool;
        press.position = pointer->pressed;
        pd_session_set_tool(session, &(pd_tool){.kind = PD_TOOL_NONE});
        pd_session_set_tool(session, &press);
    }
    pd_session_set_tool(session, &tool);
    pd_session_move_grab(session, tool.position);
    if (pointer->held == PD_TOOL_NONE) pd_session_end_grab(session);
}

/* No step applies the press: walls, emitters and drains follow it nevertheless. */
static void use_pointer_paused(pd_app *app) {
    pd_pointer *pointer = &app->device.pointer;
    bool waits = app->session.single_steps > 0 || pd_session_stepping(&app->session);
    if (!app->session.paused || waits) return;
    pd_session_move_grab(&app->session, pointer->position);
    if (pointer->held == PD_TOOL_NONE) pd_session_end_grab(&app->session);
}

/* A log is played until its end, or until the mouse is used: then the world goes on from there. */
static void begin_step(pd_app *app, int step, int steps) {
    if (pd_session_replays(&app->session) && app->device.pointer.held == PD_TOOL_NONE)
        pd_session_play(&app->session);
    else
        use_pointer(app, step, steps);
}

void pd_app_aim_seek(pd_app *app) {
    pd_session *session = &app->session;
    float x = app->device.pointer.pixel_x / app->device.display.scale;
    if (session->seek.dragged) session->seek.tick = pd_timeline_tick(&app->viewport, session, x);
}

static void seek(pd_app *app) {
    pd_app_aim_seek(app);
    pd_seek_advance(&app->session);
}

/* While paused: completes the unfinished step, and makes the single steps that were requested. */
static void advance_paused(pd_app *app) {
    double begun = pd_now();
    while (app->running && pd_recorder_ready(&app->device.recorder) &&
           (app->session.single_steps > 0 || pd_session_stepping(&app->session))) {
        double left = pd_pace_left(&app->session.pace, pd_now() - begun);
        if (!pd_session_stepping(&app->session)) begin_step(app, 0, 1);
        if (!pd_session_work(&app->session, left)) return;
        if (app->session.single_steps > 0) app->session.single_steps--;
        app->session.pace.owed = app->session.pace.dt; /* draws the state at the end of the step */
        if (left <= 0) return;
    }
}

static void advance(pd_app *app, double elapsed) {
    pd_pace *pace = &app->session.pace;
    if (app->session.backwards.held) {
        pd_backwards_advance(&app->session, elapsed);
        return;
    }
    if (app->session.seek.active) {
        seek(app);
        return;
    }
    if (app->session.paused) {
        advance_paused(app);
        return;
    }
    pd_pace_begin(pace, pd_session_speed(&app->session) * elapsed);
    double begun = pd_now();
    int planned = (int)(pace->owed / pace->dt + 1e-6);
    while (app->running && !app->session.paused && pd_recorder_ready(&app->device.recorder) &&
           pd_pace_due(pace, pd_now() - begun)) {
        if (!pd_session_stepping(&app->session))
            begin_step(app, pace->steps, planned > pace->steps ? planned : pace->steps + 1);
        pd_session_work(&app->session, pd_pace_left(pace, pd_now() - begun));
    }
    pd_pace_end(pace);
}

static void draw_over_picture(pd_app *app, double elapsed) {
    pd_session *session = &app->session;
    pd_viewport *viewport = &app->viewport;
    pd_device *device = &app->device;
    const pd_pointer *pointer = &device->pointer;
    const pd_display *display = &device->display;
    pd_brush_draw(viewport, session, device->ui, pointer, display);
    pd_ghost_draw(viewport, session, device->ui, pointer, display);
    pd_hud_draw(viewport, session, device->ui, &device->recorder);
    pd_panes_draw(viewport, session, device->ui, pointer, display);
    pd_toolbar_draw(viewport, session, device->ui, pointer, display);
    pd_timeline_draw(viewport, session, device->ui, pointer, display, elapsed);
    pd_hint_draw(viewport, session, device->ui);
    pd_probe_draw(viewport, session, device->ui, pointer, display);
    pd_action action = pd_panel_draw(viewport, session, device->ui, &device->recorder);
    if (action != PD_ACTION_NONE) pd_app_act(app, action, 0);
    pd_material_palette_draw(viewport, session, device->ui, pointer, display);
    pd_help_draw(viewport, session, device->ui);
    pd_new_scene_draw(viewport, device->ui);
}

/* The browser takes the whole window. */
static void draw_interface(pd_app *app, double elapsed) {
    pd_viewport *viewport = &app->viewport;
    ui_begin(app->device.ui, app->device.display.width, app->device.display.height, (float)elapsed);
    viewport->hud.plate_count = 0;
    if (viewport->browser.open)
        pd_browser_draw(&viewport->browser, app->device.ui);
    else
        draw_over_picture(app, elapsed);
    pd_announcement_draw(viewport, app->device.ui);
}

static void show_tool(const pd_app *app, pd_picture *picture) {
    const pd_pointer *pointer = &app->device.pointer;
    picture->show_tool = pointer->inside && !app->viewport.help && !app->viewport.new_scene.open &&
                         !pd_brush_paints(&app->session, pointer) && !pd_ghost_is_shown(&app->session, pointer);
    picture->tool = pointer->position;
    picture->tool_radius = pd_pointer_radius(pointer);
}

static void draw_pictures(pd_app *app) {
    const pd_viewport *viewport = &app->viewport;
    const pd_display *display = &app->device.display;
    int width, height, split, end;
    float alpha = pd_session_alpha(&app->session);
    pd_panel_picture_size(viewport, display, &width, &height);
    split = end = width;
    if (pd_panes_count(viewport) > 1) pd_panes_pixels(viewport, display, &split, &end);
    pd_picture picture = pd_viewport_picture(viewport, split, height, display->scale, alpha);
    picture.left = pd_toolbar_cover(viewport) * display->scale;
    show_tool(app, &picture);
    pd_renderer_draw(app->device.renderer, 0, &picture);
    if (end <= split) return;
    picture = pd_viewport_second_picture(viewport, end - split, height, display->scale, alpha);
    show_tool(app, &picture);
    pd_renderer_draw_beside(app->device.renderer, 0, split, &picture);
}

/* Of the scene, which commands, undo and the time line change too. */
static void show_title(const pd_app *app) {
    SDL_Window *window = app->device.display.window;
    char title[PD_MAX_NAME + 16];
    snprintf(title, sizeof title, "%s - puddle", pd_world_scene(app->session.world)->name);
    if (strcmp(SDL_GetWindowTitle(window), title) != 0) SDL_SetWindowTitle(window, title);
}

static void add_pictures(pd_app *app) {
    int split, end, height = app->device.display.height;
    float scale = app->device.display.scale, left = pd_toolbar_cover(&app->viewport);
    pd_panes_pixels(&app->viewport, &app->device.display, &split, &end);
    ui_add_target(app->device.ui, "Picture", left, 0, (float)split / scale - left, (float)height / scale);
    if (end > split)
        ui_add_target(app->device.ui, "Second picture", (float)split / scale, 0, (float)(end - split) / scale,
                      (float)height / scale);
}

static void print_layout(pd_app *app) {
    static const char *names[UI_MAX_TARGETS];
    static float places[UI_MAX_TARGETS][4];
    int x, y, width, height, count;
    if (!app->viewport.browser.open) add_pictures(app);
    const ui_target *targets = ui_targets(app->device.ui, &count);
    for (int i = 0; i < count; i++) {
        names[i] = targets[i].name;
        memcpy(places[i], (float[]){targets[i].x, targets[i].y, targets[i].width, targets[i].height}, sizeof places[i]);
    }
    SDL_GetWindowPosition(app->device.display.window, &x, &y);
    SDL_GetWindowSize(app->device.display.window, &width, &height);
    pd_announce_layout(&app->viewport.announcer, (float[]){(float)x, (float)y, (float)width, (float)height}, count,
                       names, places);
}

static void draw(pd_app *app, double elapsed) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, app->device.display.width, app->device.display.height);
    glClearColor(0.04f, 0.05f, 0.08f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    pd_viewport_update(&app->viewport, &app->session);
    show_title(app);
    if (!app->viewport.browser.open) draw_pictures(app);
    draw_interface(app, elapsed);
    if (app->layout > 0 && --app->layout == 0) print_layout(app);
    ui_end(app->device.ui);
}

/* Under the browser time stands still: what the window shows is the same until an event or another picture comes. */
static bool is_browser_still(const pd_app *app) {
    return app->viewport.browser.open && app->redraw == 0 && !app->device.recorder.shot &&
           app->viewport.now > app->viewport.announcer.until + 0.1;
}

static bool is_idle(const pd_app *app) {
    const pd_session *session = &app->session;
    if (app->viewport.browser.open) return is_browser_still(app) && next_thumbnail(&app->viewport.browser) < 0;
    return session->paused && session->single_steps == 0 && app->redraw == 0 && !app->device.recorder.shot &&
           !pd_interface_fading(&app->viewport, session, &app->device.pointer, &app->device.display) &&
           !pd_session_stepping(session) && !session->backwards.held && !session->seek.active;
}

static double probe_wait(const pd_app *app) {
    if (app->viewport.browser.open) return INFINITY;
    return pd_probe_wait(&app->viewport, &app->device.pointer, &app->device.display, app->device.ui);
}

static void update_pointer(pd_app *app, double elapsed) {
    pd_pointer *pointer = &app->device.pointer;
    pd_app_locate(app);
    bool covered = pd_app_covered(app);
    bool over = app->viewport.new_scene.open ||
                pd_material_palette_covers(&app->viewport, &app->device.display, pointer->pixel_x, pointer->pixel_y);
    ui_hide_pointer(app->device.ui, over || (pd_pointer_is_busy(pointer) && !pointer->released));
    pd_pointer_update(pointer, elapsed, covered, app->session.paused && app->session.single_steps == 0);
}

/* An event that the interface must process in a frame of its own gets one without a step and a picture. Where those are
 * slow they would cost a second per event and delay the events behind it, such as Escape or closing the window. */
static void show_interface(pd_app *app) {
    pd_viewport_update(&app->viewport, &app->session); /* an event before may have edited the scene */
    update_pointer(app, 0);
    draw_interface(app, 0);
    ui_end_undrawn(app->device.ui);
}

static void take_events(pd_app *app) {
    SDL_Event event;
    if (is_idle(app)) SDL_WaitEventTimeout(NULL, (int)fmin(IDLE_MS, ceil(1e3 * probe_wait(app))));
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
    keep_browser(app);
    if (is_browser_still(app) || (app->redraw == 0 && was_idle && probe_wait(app) > 0)) return;
    if (app->redraw > 0) app->redraw--;
    pd_screenshot_poll(&app->device.recorder, &app->viewport.announcer, false);
    update_pointer(app, elapsed);
    if (app->running) use_pointer_paused(app);
    if (app->running && !app->viewport.browser.open) advance(app, elapsed);
    pd_viewport_update(&app->viewport, &app->session);
    if (pd_app_quitting(app)) return; /* drawing may take a second with software rendering */
    app->device.pointer.drawn = app->device.pointer.position;
    double before = pd_now();
    if (!app->device.display.hidden) draw(app, elapsed);
    pd_meter_frame(&app->viewport.meter, app->session.world, elapsed, pd_now() - before);
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
    pd_bundled_find(&app->viewport.bundled);
    pd_session_show(&app->session, app->session.world);
    result = pd_session_begin_log_file(&app->session, error);
    if (result) return result;
    if (app->options.record)
        result = pd_recorder_start(&app->device.recorder, app->session.world, &app->device.display, app->options.record,
                                   true, app->options.force, error);
    return result;
}

static void close_all(pd_app *app) {
    if (app->device.ui) {
        pd_screenshot_poll(&app->device.recorder, &app->viewport.announcer, true);
        end_recording(app);
    }
    forget_browser(app);
    pd_session_close(&app->session);
    ui_destroy(app->device.ui);
    pd_renderer_destroy(app->device.renderer);
    if (app->device.display.window) pd_display_close(&app->device.display);
}

pd_result pd_app_run(pd_world **world, const pd_app_options *options, pd_error *error) {
    pd_app *app = calloc(1, sizeof *app);
    if (!app)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot open a window: out of memory (close other programs)");
    pd_app_init(app, options);
    app->session.world = *world;
    app->error = error;
    app->result = open_all(app, error);
    if (!app->result && options->opened) app->result = options->opened(options->context, error);
    app->running = app->result == PD_OK;
    app->viewport.started = app->viewport.now = pd_now();
    app->redraw = 3;
    if (app->running) pd_announce_ready(&app->viewport.announcer);
    if (app->running) pd_session_announce_warnings(&app->session, "");
    while (app->running) frame(app);
    /* Files hold the state at the end of a step. */
    if (!app->result && (app->options.saves || app->options.log)) pd_session_finish_step(&app->session);
    if (app->session.log && !app->result && app->options.log)
        app->result = pd_log_close(app->session.log, app->session.world, error);
    if (app->session.log) pd_log_close(app->session.log, app->session.world, NULL);
    close_all(app);
    *world = app->session.world;
    pd_result result = app->result;
    free(app);
    return result;
}
