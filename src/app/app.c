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

static const int IDLE_MS = 200;   /* longest wait of an idle window for an event; then it checks for a signal */
static const double WORK = 0.010; /* s of each frame for the simulation of the browser's pictures */
/* frames before F10's list is printed: opened or scrolled widgets reach their place in the second */
enum { LAYOUT_FRAMES = 3 };
static const double EVENT_TIME = 0.2; /* s: longest time that a frame spends on events */
static const float LEAST_PANE = 160;  /* units: width of a pane below which the panel closes */

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
    if (requested || !app->running) /* a window that closes shows no error: the exit code reports it */
        pd_app_fail(app, result, &error);
    else
        pd_announce_error(&app->viewport.announcer, &error);
}

pd_screen pd_app_screen(pd_app *app) {
    pd_device *device = &app->device;
    float scale = device->display.scale;
    return (pd_screen){.viewport = &app->viewport,
                       .session = &app->session,
                       .gui = device->ui,
                       .pointer = &device->pointer,
                       .display = &device->display,
                       .recorder = &device->recorder,
                       .exporter = &device->exporter,
                       .x = device->pointer.pixel_x / scale,
                       .y = device->pointer.pixel_y / scale};
}

/* Describes the pictures of a recording or screenshot, one per world. Returns their number. */
static int recorded_pictures(const pd_app *app, int width, int height, float alpha, pd_picture pictures[2]) {
    const pd_viewport *viewport = &app->viewport;
    int count = app->session.second.world ? 2 : 1, left = width / count;
    float scale = app->device.display.scale;
    pictures[0] = pd_viewport_picture(viewport, left, height, scale, alpha);
    if (count > 1) pictures[1] = pd_viewport_second_picture(viewport, width - left, height, scale, alpha);
    return count;
}

static void record_step(pd_app *app) {
    pd_recorder *recorder = &app->device.recorder;
    pd_picture pictures[2];
    if (!recorder->sink) return;
    recorded_pictures(app, recorder->canvas.width, recorder->canvas.height, 1, pictures);
    const pd_world *const worlds[2] = {app->session.world, app->session.second.world};
    if (!pd_recorder_add_step(recorder, app->device.renderer, worlds, pictures)) end_recording(app);
}

static void save_screenshot(pd_app *app) {
    pd_device *device = &app->device;
    pd_viewport_update(&app->viewport, &app->session);
    pd_picture pictures[2];
    int count = recorded_pictures(app, device->display.width, device->display.height,
                                  pd_session_picture_alpha(&app->session), pictures);
    pd_screenshot_begin(&device->recorder, &app->viewport.announcer, device->renderer, pictures, count);
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

static void clear_browser(pd_app *app) {
    pd_gallery *gallery = &app->viewport.browser.gallery;
    pd_thumbnails_clear(&app->device.thumbnailer, gallery);
    pd_gallery_free(gallery);
}

/* Reads and draws scenes' pictures while the browser is open. Frees the pictures after it was closed. */
static void update_browser(pd_app *app) {
    pd_browser *browser = &app->viewport.browser;
    pd_thumbnailer *thumbnailer = &app->device.thumbnailer;
    double until = pd_now() + WORK;
    for (int next; browser->open && pd_now() < until && (next = next_thumbnail(browser)) >= 0;) {
        pd_gallery_scene *scene = &browser->gallery.scenes[next];
        if (scene->state == PD_GALLERY_UNREAD)
            pd_thumbnail_read(scene);
        else
            pd_thumbnail_simulate(thumbnailer, scene, app->device.renderer, until);
        if (scene->state != PD_GALLERY_PENDING) app->redraw = 2;
    }
    if (!browser->open && browser->gallery.count > 0) clear_browser(app);
}

/* Closes the panel if the window is too narrow for two panes and the panel. */
static void make_room_for_panes(pd_app *app) {
    pd_screen screen = pd_app_screen(app);
    if (!app->viewport.panel || pd_panes_end(&screen) - pd_panes_split(&screen) >= LEAST_PANE) return;
    app->viewport.panel = false;
    pd_announce(&app->viewport.announcer, "Panel closed for two panes (Tab opens the panel)");
}

/* Shows the bars or puts them away, also in later runs. */
static void switch_bars(pd_app *app) {
    pd_viewport *viewport = &app->viewport;
    pd_error error;
    viewport->bars = !viewport->bars;
    if (pd_settings_save(PD_SETTING_BARS, viewport->bars ? "on" : "off", &error))
        pd_announce_error(&viewport->announcer, &error);
    else if (!viewport->bars)
        pd_announce(&viewport->announcer, "Bars put away (%s shows them)", pd_key_name_of_action(PD_ACTION_BARS));
}

void pd_app_perform_action(pd_app *app, pd_action action, int argument) {
    if (pd_session_perform_action(&app->session, action, argument, app->device.key_repeats)) {
        if (action == PD_ACTION_COMPARE && app->session.second.world) make_room_for_panes(app);
        return;
    }
    if (pd_viewport_perform_action(&app->viewport, &app->session, action)) return;
    pd_viewport *viewport = &app->viewport;
    pd_screen screen = pd_app_screen(app);
    if (pd_dialog_open(&screen, action)) return;
    bool browse = action == PD_ACTION_BROWSE;
    if (browse || action == PD_ACTION_PANEL) ui_request_frame(app->device.ui);
    if (browse) viewport->help = viewport->material_palette.open = false;
    if (action == PD_ACTION_PANEL) viewport->panel = !viewport->panel;
    if (browse) clear_browser(app);
    if (browse) pd_browser_open(&viewport->browser, &app->session);
    if (action == PD_ACTION_BARS) switch_bars(app);
    if (action == PD_ACTION_FULLSCREEN) pd_display_toggle_fullscreen(&app->device.display);
    if (action == PD_ACTION_RECORD) switch_recording(app);
    if (action == PD_ACTION_SCREENSHOT) save_screenshot(app);
    if (action == PD_ACTION_LAYOUT) app->layout = app->redraw = LAYOUT_FRAMES;
    if (action == PD_ACTION_QUIT) app->running = false;
}

void pd_app_locate_pointer(pd_app *app) {
    pd_screen screen = pd_app_screen(app);
    pd_pointer *pointer = &app->device.pointer;
    /* a drag stays in the pane in which its press began */
    if (pointer->held_tool == PD_TOOL_NONE || pd_pointer_is_released(pointer)) pd_panes_update_hovered(&screen);
    pd_camera camera = pd_panes_pointer_camera(&screen);
    pd_pointer_update_place(pointer, pd_panes_view(&screen), &camera);
}

/* ---- pd_observer ---- */

static void session_changed(void *context, pd_session_event event) {
    pd_app *app = context;
    const pd_world *world = app->session.world;
    pd_viewport_session_changed(&app->viewport, &app->session, event);
    if (event == PD_SESSION_END) end_recording(app);
    if (event == PD_SESSION_TIME) {
        app->session.draft.active = false;
        pd_session_end_grab(&app->session);
        pd_pointer_reset(&app->device.pointer, pd_controls_of(pd_world_method(world))->tool_size);
        pd_app_locate_pointer(app);
        pd_pointer_clear_motion(&app->device.pointer);
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

static bool session_quitting(void *context) { return pd_app_is_quitting(context); }

void pd_app_init(pd_app *app, const pd_app_options *options) {
    *app = (pd_app){.options = *options};
    app->viewport.announcer = (pd_announcer){.quiet = options->quiet, .json = options->json, .report = options->report};
    app->viewport.chosen_view = options->view;
    app->viewport.lines_chosen = options->lines != NULL;
    if (options->lines) app->viewport.chosen_lines = *options->lines;
    app->viewport.palette = options->palette;
    char bars[8];
    app->viewport.bars = !pd_settings_read(PD_SETTING_BARS, bars, sizeof bars) || strcmp(bars, "off") != 0;
    app->session.announcer = &app->viewport.announcer;
    app->session.observer = (pd_observer){app, session_changed, session_stepped, session_quitting};
    if (options->path) snprintf(app->session.path, sizeof app->session.path, "%s", options->path);
    app->session.log_path = options->log;
    app->session.replay = options->replay;
    app->session.history = options->history > 0 ? options->history : (size_t)pd_settings_history() << 20;
    app->session.writes_last_log = options->last_log;
    app->device.recorder.fps = options->fps;
}

static void apply_pointer(pd_app *app, int step, int steps) {
    pd_session *session = &app->session;
    pd_pointer *pointer = &app->device.pointer;
    double speed = pd_session_speed(session) * pd_pace_speed(&session->pace);
    pd_tool tool;
    if (pd_pointer_make_tool(pointer, step, steps, speed, pd_session_painted_material(session),
                             pd_session_poured_material(session), &tool)) {
        pd_tool press = tool;
        press.position = pointer->press_position;
        pd_session_set_tool(session, &(pd_tool){.kind = PD_TOOL_NONE});
        pd_session_set_tool(session, &press);
    }
    pd_session_set_tool(session, &tool);
    pd_session_move_grab(session, tool.position);
    if (pointer->held_tool == PD_TOOL_NONE) pd_session_end_grab(session);
}

/* While paused no step applies the tool. A press still moves obstacles, emitters and drains. */
static void use_pointer_paused(pd_app *app) {
    pd_pointer *pointer = &app->device.pointer;
    bool waits = app->session.requested_steps > 0 || pd_session_is_stepping(&app->session);
    if (!app->session.paused || waits) return;
    pd_session_move_grab(&app->session, pointer->position);
    if (pointer->held_tool == PD_TOOL_NONE) pd_session_end_grab(&app->session);
}

/* Sets the tool for a step, or applies the commands of a replayed log. A press ends the replay. */
static void begin_step(pd_app *app, int step, int steps) {
    if (pd_session_is_replaying(&app->session) && app->device.pointer.held_tool == PD_TOOL_NONE)
        pd_session_apply_logged_commands(&app->session);
    else
        apply_pointer(app, step, steps);
}

void pd_app_drag_seek(pd_app *app) {
    pd_session *session = &app->session;
    float x = app->device.pointer.pixel_x / app->device.display.scale;
    if (session->seek.dragged) session->seek.tick = pd_timeline_tick(&app->viewport, session, x);
}

static void advance_seek(pd_app *app) {
    pd_app_drag_seek(app);
    pd_seek_advance(&app->session);
}

/* While paused: completes the step under way, and makes the requested single steps. */
static void advance_paused(pd_app *app) {
    double begun = pd_now();
    while (app->running && pd_recorder_has_room(&app->device.recorder) &&
           (app->session.requested_steps > 0 || pd_session_is_stepping(&app->session))) {
        double left = pd_pace_seconds_left(&app->session.pace, pd_now() - begun);
        if (!pd_session_is_stepping(&app->session)) begin_step(app, 0, 1);
        if (!pd_session_work_on_step(&app->session, left)) return;
        if (app->session.requested_steps > 0) app->session.requested_steps--;
        app->session.pace.owed = app->session.pace.dt; /* pd_pace_alpha is 1: draws the state after the step */
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
        advance_seek(app);
        return;
    }
    if (app->session.paused) {
        advance_paused(app);
        return;
    }
    pd_pace_begin(pace, pd_session_speed(&app->session) * elapsed);
    double begun = pd_now();
    int planned = (int)(pace->owed / pace->dt + 1e-6);
    while (app->running && !app->session.paused && pd_recorder_has_room(&app->device.recorder) &&
           pd_pace_has_time(pace, pd_now() - begun)) {
        if (!pd_session_is_stepping(&app->session))
            begin_step(app, pace->steps, planned > pace->steps ? planned : pace->steps + 1);
        pd_session_work_on_step(&app->session, pd_pace_seconds_left(pace, pd_now() - begun));
    }
    pd_pace_end(pace);
}

static void draw_interface(pd_app *app, double elapsed) {
    pd_screen screen = pd_app_screen(app);
    screen.elapsed = elapsed;
    ui_begin(app->device.ui, app->device.display.width, app->device.display.height, (float)elapsed);
    pd_layers_draw(&screen);
    if (screen.action != PD_ACTION_NONE) pd_app_perform_action(app, screen.action, screen.argument);
}

static void show_tool(const pd_screen *screen, pd_picture *picture) {
    const pd_pointer *pointer = screen->pointer;
    picture->show_tool = pd_layers_show_tool(screen) && !pd_brush_paints(screen) && !pd_ghost_is_shown(screen);
    picture->tool = pointer->position;
    picture->tool_radius = pd_pointer_tool_radius(pointer);
}

static void draw_pictures(pd_app *app) {
    pd_screen screen = pd_app_screen(app);
    const pd_viewport *viewport = &app->viewport;
    int split, end, height = app->device.display.height;
    float alpha = pd_session_picture_alpha(&app->session), scale = app->device.display.scale;
    pd_panes_pixel_columns(&screen, &split, &end);
    pd_picture picture = pd_viewport_picture(viewport, split, height, scale, alpha);
    picture.framing = pd_panes_framing(&screen, 0);
    show_tool(&screen, &picture);
    pd_renderer_draw(app->device.renderer, 0, &picture);
    if (end <= split) return;
    picture = pd_viewport_second_picture(viewport, end - split, height, scale, alpha);
    picture.framing = pd_panes_framing(&screen, 1);
    picture.framing.left -= (float)split;
    show_tool(&screen, &picture);
    pd_renderer_draw_beside(app->device.renderer, 0, split, &picture);
}

/* Sets the window's title to the scene's name, which commands and undo may change. */
static void show_title(const pd_app *app) {
    SDL_Window *window = app->device.display.window;
    char title[PD_MAX_NAME + 16];
    snprintf(title, sizeof title, "%s - puddle", pd_world_scene(app->session.world)->name);
    if (strcmp(SDL_GetWindowTitle(window), title) != 0) SDL_SetWindowTitle(window, title);
}

/* Adds the room of each pane's view to the targets. */
static void add_pictures(pd_app *app) {
    static const char *const names[2] = {"Picture", "Second picture"};
    pd_screen screen = pd_app_screen(app);
    int edges[2], height = app->device.display.height;
    float scale = app->device.display.scale;
    if (pd_layers_hide_picture(&screen)) return;
    pd_panes_pixel_columns(&screen, &edges[0], &edges[1]);
    for (int pane = 0; pane < pd_panes_count(&screen); pane++) {
        pd_framing room = pd_panes_framing(&screen, pane);
        ui_add_target(app->device.ui, names[pane], room.left / scale, room.top / scale,
                      ((float)edges[pane] - room.left - room.right) / scale,
                      ((float)height - room.top - room.bottom) / scale);
    }
}

static void print_layout(pd_app *app) {
    static const char *names[UI_MAX_TARGETS];
    static float places[UI_MAX_TARGETS][4];
    int x, y, width, height, count;
    add_pictures(app);
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
    pd_screen screen = pd_app_screen(app);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, app->device.display.width, app->device.display.height);
    glClearColor(0.04f, 0.05f, 0.08f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    pd_viewport_update(&app->viewport, &app->session);
    show_title(app);
    if (!pd_layers_hide_picture(&screen)) draw_pictures(app);
    draw_interface(app, elapsed);
    if (app->layout > 0 && --app->layout == 0) print_layout(app);
    ui_end(app->device.ui);
}

/* Returns whether the window would show the same picture until the next event. */
static bool is_still(const pd_app *app, const pd_screen *screen) {
    return app->redraw == 0 && !app->device.recorder.shot && !pd_layers_any_fading(screen);
}

static bool is_idle(pd_app *app) {
    const pd_session *session = &app->session;
    pd_screen screen = pd_app_screen(app);
    if (!is_still(app, &screen)) return false;
    if (pd_layers_hide_picture(&screen)) return next_thumbnail(&app->viewport.browser) < 0;
    if (pd_layers_stop_time(&screen)) return true;
    return session->paused && session->requested_steps == 0 && !pd_session_is_stepping(session) &&
           !session->backwards.held && !session->seek.active;
}

static double probe_wait(pd_app *app) {
    pd_screen screen = pd_app_screen(app);
    return pd_probe_seconds_left(&screen);
}

/* Updates the pointer's velocity, and hides the pointer from ImGui (panel and dialog) below another layer. */
static void update_pointer(pd_app *app, double elapsed) {
    pd_pointer *pointer = &app->device.pointer;
    pd_app_locate_pointer(app);
    pd_screen screen = pd_app_screen(app);
    ui_hide_pointer(screen.gui, pd_layers_cover_pointer(&screen, &pd_dialog_layer) ||
                                    (pd_pointer_has_press(pointer) && !pd_pointer_is_released(pointer)));
    pd_pointer_update_velocity(pointer, elapsed, app->session.paused && app->session.requested_steps == 0);
}

/* Makes a frame of the interface alone, for an event that ImGui must process in a frame of its own. A step or a picture
 * would delay later events such as Escape. */
static void show_interface(pd_app *app) {
    pd_viewport_update(&app->viewport, &app->session); /* the last event may have edited the scene */
    update_pointer(app, 0);
    draw_interface(app, 0);
    ui_end_undrawn(app->device.ui);
}

static void process_events(pd_app *app) {
    SDL_Event event;
    if (is_idle(app)) SDL_WaitEventTimeout(NULL, (int)fmin(IDLE_MS, ceil(1e3 * probe_wait(app))));
    double until = pd_now() + EVENT_TIME;
    while (app->running && pd_now() < until) {
        bool first = ui_needs_frame(app->device.ui);
        if (first) SDL_PumpEvents();
        /* a last event is processed by the frame that follows */
        if (first && !SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT)) break;
        if (first)
            show_interface(app);
        else if (SDL_PollEvent(&event))
            pd_app_handle_event(app, &event);
        else
            break;
    }
    if (app->options.interrupted && app->options.interrupted()) app->running = false;
}

/* Sleeps until the end of the screen's period, because a hidden window has no vsync. begun: time at the frame's begin. */
static void limit_frame_rate(const pd_app *app, double begun) {
    double spare = 0.9 * app->device.display.period - (pd_now() - begun);
    if (spare > 0.001) SDL_Delay((Uint32)(spare * 1000));
}

static void make_frame(pd_app *app) {
    bool was_idle = is_idle(app);
    process_events(app);
    double now = pd_now(), elapsed = now - app->viewport.now;
    app->viewport.now = now;
    if (was_idle) elapsed = app->device.display.period; /* a wait for events is not a slow frame */
    update_browser(app);
    pd_screen screen = pd_app_screen(app);
    bool hidden = pd_layers_hide_picture(&screen);
    if (pd_exporter_poll(&app->device.exporter, &app->viewport.announcer)) app->redraw = 2;
    if ((hidden && is_still(app, &screen)) || (app->redraw == 0 && was_idle && probe_wait(app) > 0)) return;
    if (app->redraw > 0) app->redraw--;
    pd_screenshot_poll(&app->device.recorder, &app->viewport.announcer, false);
    update_pointer(app, elapsed);
    if (app->running) use_pointer_paused(app);
    if (app->running && !pd_layers_stop_time(&screen)) advance(app, elapsed);
    pd_viewport_update(&app->viewport, &app->session);
    if (pd_app_is_quitting(app)) return; /* skips the drawing, which may take a second with software rendering */
    app->device.pointer.drawn_position = app->device.pointer.position;
    double before = pd_now();
    if (!app->device.display.hidden) draw(app, elapsed);
    pd_meter_add_frame(&app->viewport.meter, app->session.world, elapsed, pd_now() - before);
    /* after the measurement, as SwapWindow waits for the screen */
    if (!app->device.display.hidden) SDL_GL_SwapWindow(app->device.display.window);
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
    pd_bundled_list(&app->viewport.bundled);
    pd_session_show_world(&app->session, app->session.world);
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
    pd_exporter_cancel(&app->device.exporter, true);
    clear_browser(app);
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
    while (app->running) make_frame(app);
    /* The log and a saved world end with a complete step. */
    if (!app->result && (app->options.saves || app->options.log)) pd_session_finish_step(&app->session);
    if (app->session.log && !app->result && app->options.log)
        app->result = pd_log_end_autosave(app->session.log, app->session.world, error);
    if (app->session.log) pd_log_end_autosave(app->session.log, app->session.world, NULL);
    close_all(app);
    *world = app->session.world;
    pd_result result = app->result;
    free(app);
    return result;
}
