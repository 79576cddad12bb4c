/* The main loop of the window: events, steps of the simulation, drawing. */
#include "app/loop.h"

#include "app/io/settings.h"
#include "app/session/session.h"
#include "app/tables/tools.h"
#include "core/error.h"
#include "core/timer.h"
#include <epoxy/gl.h>
#include <math.h>
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double IDLE_TIME =
    0.2; /* time for which an idle window waits for an event before it checks for a signal, s */
/* frames before F10 prints the widgets' rectangles: a widget that was opened or scrolled reaches its place in the
 * second frame */
enum { LAYOUT_FRAMES = 3 };
static const double EVENT_TIME = 0.2;    /* longest wall time in a frame for processing events, s */
static const float MIN_PANE_WIDTH = 160; /* width of the second pane below which the panel closes, interface units */

/* Shows an error. pd_app_close returns the first such error. */
static void fail(pd_app *app, pd_result result, const pd_error *error) {
    if (app->result) return;
    app->result = result;
    app->error = *error;
    pd_announce_run_failure(&app->viewport.announcer, error);
}

static void end_recording(pd_app *app) {
    pd_error error;
    bool requested = app->device.recorder.by_option;
    pd_result result = pd_recorder_stop(&app->device.recorder, &app->viewport.announcer, app->result != PD_OK, &error);
    if (!result) return;
    /* A closing window does not show the error: the caller of pd_app_close reports it. */
    if (requested || !app->running)
        fail(app, result, &error);
    else
        pd_announce_error(&app->viewport.announcer, &error);
}

pd_screen *pd_app_update_screen(pd_app *app) {
    pd_device *device = &app->device;
    pd_screen *screen = &app->screen;
    screen->viewport = &app->viewport;
    screen->session = &app->session;
    screen->gui = device->ui;
    screen->pointer = &device->pointer;
    screen->display = &device->display;
    screen->recorder = &device->recorder;
    screen->exporter = &device->exporter;
    screen->x = device->pointer.pixel_x / device->display.scale;
    screen->y = device->pointer.pixel_y / device->display.scale;
    screen->elapsed = 0;
    pd_layout_update(screen);
    screen->at_pointer = screen->gui ? pd_layers_find_at_pointer(screen) : NULL;
    return screen;
}

static void draw_recorded_text(void *context, ui *gui, const pd_picture *pictures, int count) {
    const pd_app *app = context;
    pd_screen screen = app->screen;
    screen.gui = gui;
    pd_panes_draw_recorded_text(&screen, pictures, count);
}

/* Describes the pictures of a recording or screenshot, one per world. Returns their number. */
static int describe_recorded_pictures(pd_app *app, int width, int height, float alpha, pd_picture pictures[2]) {
    const pd_viewport *viewport = &app->viewport;
    int count = app->session.second.world ? 2 : 1, left = width / count;
    float scale = app->device.display.scale;
    for (int i = 0; i < count; i++)
        pictures[i] = pd_viewport_describe_picture(viewport, i, i ? width - left : left, height, scale, alpha);
    app->device.recorder.has_text = pd_panes_reserve_recorded_text(&app->screen, pictures, count);
    return count;
}

static void record_frames_of_step(pd_app *app) {
    pd_recorder *recorder = &app->device.recorder;
    pd_picture pictures[2];
    if (!recorder->sink) return;
    describe_recorded_pictures(app, recorder->canvas.width, recorder->canvas.height, 1, pictures);
    const pd_world *const worlds[2] = {app->session.world, app->session.second.world};
    if (!pd_recorder_record_step(recorder, app->device.renderer, worlds, pictures)) end_recording(app);
}

int pd_app_describe_shown_pictures(pd_app *app, pd_picture pictures[2]) {
    const pd_display *display = &app->device.display;
    pd_viewport_update(&app->viewport, &app->session);
    return describe_recorded_pictures(app, display->width, display->height,
                                      pd_session_interpolation_weight(&app->session), pictures);
}

/* Reads scene files and draws their thumbnails while the browser is open. */
static void update_thumbnails(pd_app *app) {
    pd_browser *browser = &app->viewport.browser;
    if (browser->open && pd_thumbnails_update(&app->device.thumbnailer, &browser->gallery, browser->first,
                                              browser->last, app->device.renderer))
        app->redraw = 2;
}

/* Deletes the thumbnails of the browser. The list of scenes stays, with what was read of each. */
static void delete_thumbnails(pd_app *app) {
    pd_thumbnails_delete_textures(&app->device.thumbnailer, &app->viewport.browser.gallery);
}

/* Closes the panel if the window is too narrow for two panes and the panel. */
static void close_panel_if_narrow(pd_app *app) {
    const pd_pane *right = &pd_app_update_screen(app)->layout.pane[1];
    if (!app->viewport.panel || right->right - right->left >= MIN_PANE_WIDTH) return;
    app->viewport.panel = false;
    pd_announce(&app->viewport.announcer, "Panel closed for two panes (Tab opens the panel)");
}

/* Sets the size of the interface, and saves it for later windows. */
static void choose_scale(pd_app *app, int percent) {
    pd_error error;
    char text[16];
    snprintf(text, sizeof text, "%g", percent / 100.0);
    pd_display_choose_scale(&app->device.display, (float)percent / 100);
    ui_set_scale(app->device.ui, app->device.display.scale);
    if (pd_settings_save(PD_SETTING_SCALE, text, &error)) pd_announce_error(&app->viewport.announcer, &error);
}

void pd_app_perform_action(pd_app *app, pd_action action, int argument) {
    if (pd_session_perform_action(&app->session, action, argument, app->device.key_repeats)) {
        if (action == PD_ACTION_METHOD || action == PD_ACTION_COMPARE) pd_hint_finish(&app->viewport, PD_HINT_METHODS);
        if (action == PD_ACTION_COMPARE && app->session.second.world) close_panel_if_narrow(app);
        return;
    }
    if (pd_viewport_perform_action(&app->viewport, &app->session, action)) return;
    pd_viewport *viewport = &app->viewport;
    if (pd_app_perform_desktop_action(app, action, argument) || pd_dialog_open(&app->screen, action)) return;
    bool browse = action == PD_ACTION_BROWSE, welcome = action == PD_ACTION_WELCOME;
    if (browse || welcome || action == PD_ACTION_PANEL) ui_request_frame(app->device.ui);
    if (browse || welcome) viewport->material_palette.open = false;
    if (welcome) pd_opening_open(&viewport->opening, &app->session);
    if (browse) pd_hint_finish(viewport, PD_HINT_SCENES);
    if (action == PD_ACTION_PANEL) viewport->panel = !viewport->panel;
    /* Opens the browser, and reads scenes before its first frame: keys that follow at once act on the whole list. */
    if (browse) {
        delete_thumbnails(app);
        pd_browser_open(&app->viewport.browser, &app->session);
        update_thumbnails(app);
    }
    /* Shows or hides the bar at the top, the tool bar and the strip, and saves this choice for later runs. */
    if (action == PD_ACTION_BARS) {
        pd_error error;
        viewport->bars = !viewport->bars;
        if (pd_settings_save(PD_SETTING_BARS, viewport->bars ? "on" : "off", &error))
            pd_announce_error(&viewport->announcer, &error);
        else if (!viewport->bars)
            pd_announce(&viewport->announcer, "Bars hidden (%s shows them)", pd_key_name_of_action(PD_ACTION_BARS));
    }
    if (action == PD_ACTION_SCALE) choose_scale(app, argument);
    if (action == PD_ACTION_FULLSCREEN) pd_display_toggle_fullscreen(&app->device.display);
    if (action == PD_ACTION_RECORD) {
        pd_recorder *recorder = &app->device.recorder;
        if (recorder->sink)
            end_recording(app);
        else
            pd_recorder_start_at_free_path(recorder, &app->viewport.announcer, app->session.world, &app->device.display,
                                           app->session.paused);
    }
    if (action == PD_ACTION_SCREENSHOT) {
        pd_device *device = &app->device;
        pd_picture pictures[2];
        int count = pd_app_describe_shown_pictures(app, pictures);
        pd_screenshot_begin(&device->recorder, &app->viewport.announcer, device->renderer, pictures, count);
    }
    if (action == PD_ACTION_LAYOUT) app->layout = app->redraw = LAYOUT_FRAMES;
    if (action == PD_ACTION_QUIT) app->running = false;
}

void pd_app_perform_request(pd_app *app) {
    pd_action action = app->screen.action;
    app->screen.action = PD_ACTION_NONE;
    if (action != PD_ACTION_NONE) pd_app_perform_action(app, action, app->screen.argument);
}

void pd_app_update_pointer_position(pd_app *app) {
    const pd_pane *pane = pd_screen_pane(pd_app_update_screen(app));
    pd_pointer_update_position(&app->device.pointer, pane->view, &pane->camera);
}

/* ---- pd_observer ---- */

static void on_session_event(void *context, pd_session_event event) {
    pd_app *app = context;
    const pd_world *world = app->session.world;
    pd_viewport_handle_event(&app->viewport, &app->session, event);
    if (event == PD_SESSION_END) end_recording(app);
    if (event == PD_SESSION_TIME) {
        app->session.draft.active = false;
        pd_session_end_grab(&app->session);
        pd_pointer_reset(&app->device.pointer, pd_controls_of_method(pd_world_method(world))->tool_size);
        pd_app_update_pointer_position(app);
        pd_pointer_end_frame(&app->device.pointer);
    }
}

static void on_step_completed(void *context) {
    pd_app *app = context;
    pd_viewport_update(&app->viewport, &app->session);
    record_frames_of_step(app);
    if (!app->options.stepped) return;
    pd_result result = app->options.stepped(app->options.context, app->session.world, &app->error);
    if (!result) return;
    app->result = result;
    app->running = false;
}

static bool is_app_quitting(void *context) { return pd_app_is_quitting(context); }

void pd_app_init(pd_app *app, const pd_app_options *options) {
    *app = (pd_app){.options = *options};
    app->viewport.announcer = (pd_announcer){.quiet = options->quiet, .json = options->json, .report = options->report};
    app->viewport.chosen_view = options->view;
    app->viewport.lines_chosen = options->lines != NULL;
    if (options->lines) app->viewport.chosen_lines = *options->lines;
    app->viewport.palette = options->palette;
    app->viewport.hints.enabled = options->guides;
    pd_hints_read_done(&app->viewport);
    pd_switches_read(&app->viewport.switches);
    app->viewport.bar_opacity = 1;
    app->viewport.bars = pd_settings_read_switch(PD_SETTING_BARS, true);
    app->viewport.advanced = pd_settings_read_switch(PD_SETTING_ADVANCED, false);
    app->viewport.panel = options->guides && pd_settings_read_switch(PD_SETTING_PANEL, false);
    app->session.announcer = &app->viewport.announcer;
    app->session.observer = (pd_observer){app, on_session_event, on_step_completed, is_app_quitting};
    if (options->path) snprintf(app->session.path, sizeof app->session.path, "%s", options->path);
    app->session.log_path = options->log;
    app->session.replay = options->replay;
    app->session.history = options->history > 0 ? options->history : (size_t)pd_settings_history_mib() << 20;
    app->session.writes_last_log = options->last_log;
    app->device.recorder = (pd_recorder){.fps = options->fps, .draw_text = draw_recorded_text, .context = app};
}

static void set_tool_from_pointer(pd_app *app, int step, int step_count) {
    pd_session *session = &app->session;
    pd_pointer *pointer = &app->device.pointer;
    double speed = pd_session_chosen_speed(session) * pd_pace_speed_ratio(&session->pace);
    pd_tool tool;
    if (pd_pointer_make_tool(pointer, step, step_count, speed, pd_session_painted_material(session),
                             pd_session_poured_material(session), &tool)) {
        pd_tool press = tool;
        press.position = pointer->press_position;
        pd_session_set_tool(session, &(pd_tool){.kind = PD_TOOL_NONE});
        pd_session_set_tool(session, &press);
    }
    bool pours_outside = tool.kind == PD_TOOL_POUR && pd_session_distance_outside(session, tool.position) > 0;
    if (pours_outside) tool.kind = PD_TOOL_NONE; /* part of the tool's disc may be inside */
    pd_session_set_tool(session, &tool);
    pd_session_move_grab(session, tool.position);
    if (pointer->held_tool == PD_TOOL_NONE) pd_session_end_grab(session);
}

/* Moves or erases the grabbed items if time is paused and no step is requested. If steps are made, apply_step_input moves or
 * erases them. */
static void move_grabbed_items_while_paused(pd_app *app) {
    pd_pointer *pointer = &app->device.pointer;
    bool waits = app->session.requested_steps > 0 || pd_session_is_stepping(&app->session);
    if (!app->session.paused || waits) return;
    pd_session_move_grab(&app->session, pointer->position);
    if (pointer->held_tool == PD_TOOL_NONE) pd_session_end_grab(&app->session);
}

/* Applies the input of a step: the pointer's tool, or during a replay the logged commands. A press ends the replay. */
static void apply_step_input(pd_app *app, int step, int step_count) {
    if (pd_session_is_replaying(&app->session) && app->device.pointer.held_tool == PD_TOOL_NONE)
        pd_session_apply_logged_commands(&app->session);
    else
        set_tool_from_pointer(app, step, step_count);
}

void pd_app_seek_to_pointer(pd_app *app) {
    pd_session *session = &app->session;
    float x = app->device.pointer.pixel_x / app->device.display.scale;
    if (session->seek.dragged) session->seek.tick = pd_timeline_tick(&app->viewport, session, x);
}

/* Completes an incomplete step, then makes session.requested_steps further steps. Called while time is paused. */
static void make_requested_steps(pd_app *app) {
    double begun = pd_now();
    while (app->running && pd_recorder_has_room(&app->device.recorder) &&
           (app->session.requested_steps > 0 || pd_session_is_stepping(&app->session))) {
        double left = pd_pace_seconds_left(&app->session.pace, pd_now() - begun);
        if (!pd_session_is_stepping(&app->session)) apply_step_input(app, 0, 1);
        if (!pd_session_work_on_step(&app->session, left)) return;
        if (app->session.requested_steps > 0) app->session.requested_steps--;
        /* The frame shows the state after the step, not an interpolation. */
        app->session.pace.owed = app->session.pace.dt;
        if (left <= 0) return;
    }
}

static void advance_time(pd_app *app, double elapsed) {
    pd_pace *pace = &app->session.pace;
    if (app->session.backwards.held) {
        pd_backwards_advance(&app->session, elapsed);
        return;
    }
    if (app->session.seek.active) {
        pd_app_seek_to_pointer(app);
        pd_seek_advance(&app->session);
        return;
    }
    if (app->session.paused) {
        make_requested_steps(app);
        return;
    }
    pd_pace_begin_frame(pace, pd_session_chosen_speed(&app->session) * elapsed);
    double begun = pd_now();
    int expected = pd_pace_expected_steps(pace);
    while (app->running && !app->session.paused && pd_recorder_has_room(&app->device.recorder) &&
           pd_pace_has_time(pace, pd_now() - begun)) {
        if (!pd_session_is_stepping(&app->session))
            apply_step_input(app, pace->steps, expected > pace->steps ? expected : pace->steps + 1);
        pd_session_work_on_step(&app->session, pd_pace_seconds_left(pace, pd_now() - begun));
    }
    pd_pace_end_frame(pace);
}

static void draw_interface(pd_app *app, double elapsed) {
    pd_screen *screen = pd_app_update_screen(app);
    screen->elapsed = elapsed;
    int open = pd_layers_count_open(screen);
    ui_begin_frame(app->device.ui, app->device.display.width, app->device.display.height, (float)elapsed);
    pd_layers_draw(screen);
    pd_app_perform_request(app);
    /* A press that follows must not be for a layer that a button has just closed. */
    if (pd_layers_count_open(screen) != open) ui_request_frame(app->device.ui);
}

static void draw_worlds(pd_app *app, const pd_screen *screen) {
    const pd_pane *panes = screen->layout.pane;
    int height = app->device.display.height;
    float alpha = pd_session_interpolation_weight(&app->session), scale = app->device.display.scale;
    for (int i = 0; i < screen->layout.panes; i++) {
        int width = panes[i].end - panes[i].begin;
        if (width <= 0) continue;
        pd_picture picture = pd_viewport_describe_picture(&app->viewport, i, width, height, scale, alpha);
        picture.framing = panes[i].framing;
        picture.framing.left -= (float)panes[i].begin;
        pd_ghost_describe(screen, &picture);
        if (i == 0)
            pd_renderer_draw(app->device.renderer, 0, &picture);
        else
            pd_renderer_draw_at_offset(app->device.renderer, 0, panes[i].begin, &picture);
    }
}

/* Shows the scene's name in the window's title. Called each frame, because commands and undo may change the name. */
static void update_window_title(const pd_app *app) {
    SDL_Window *window = app->device.display.window;
    char title[PD_MAX_NAME + 16];
    snprintf(title, sizeof title, "%s - puddle", pd_world_scene(app->session.world)->name);
    if (strcmp(SDL_GetWindowTitle(window), title) != 0) SDL_SetWindowTitle(window, title);
}

/* Adds the rectangle of the picture in each pane to the targets (ui_add_target). */
static void add_picture_targets(const pd_screen *screen) {
    static const char *const names[2] = {"Picture", "Second picture"};
    float scale = screen->display->scale;
    for (int i = 0; i < screen->layout.panes && !pd_layers_hide_picture(screen); i++) {
        const pd_framing *room = &screen->layout.pane[i].framing;
        ui_add_target(screen->gui, names[i], room->left / scale, room->top / scale,
                      ((float)screen->layout.pane[i].end - room->left - room->right) / scale,
                      ((float)screen->display->height - room->top - room->bottom) / scale);
    }
}

static void announce_widget_rectangles(pd_app *app) {
    static const char *names[UI_MAX_TARGETS];
    static float places[UI_MAX_TARGETS][4];
    int x, y, width, height, count;
    const ui_target *targets = ui_targets(app->device.ui, &count);
    for (int i = 0; i < count; i++) {
        names[i] = targets[i].name;
        memcpy(places[i], (float[]){targets[i].x, targets[i].y, targets[i].width, targets[i].height}, sizeof places[i]);
    }
    SDL_GetWindowPosition(app->device.display.window, &x, &y);
    SDL_GetWindowSize(app->device.display.window, &width, &height);
    pd_announce_widget_rectangles(&app->viewport.announcer, (float[]){(float)x, (float)y, (float)width, (float)height},
                                  count, names, places);
}

static void draw_frame(pd_app *app, double elapsed) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, app->device.display.width, app->device.display.height);
    glClearColor(0.04f, 0.05f, 0.08f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    pd_viewport_update(&app->viewport, &app->session);
    update_window_title(app);
    const pd_screen *screen = pd_app_update_screen(app);
    if (!pd_layers_hide_picture(screen)) draw_worlds(app, screen);
    draw_interface(app, elapsed);
    add_picture_targets(screen);
    if (app->layout > 0 && --app->layout == 0) announce_widget_rectangles(app);
    ui_end_frame(app->device.ui);
    if (ui_lacks_glyphs(app->device.ui)) app->redraw = 2;
}

/* Returns whether the interface needs no new frame before the next event. Steps may change the picture of the world
 * nevertheless. */
static bool is_interface_still(const pd_app *app) {
    return app->redraw == 0 && !app->device.recorder.screenshot && !pd_layers_any_fading(&app->screen);
}

/* Returns whether a hidden window rests. Recordings and runs of --frames go on. */
static bool is_asleep(const pd_app *app) {
    return app->device.display.hidden && !app->device.recorder.sink && app->options.frames == 0;
}

static bool is_window_idle(const pd_app *app) {
    const pd_session *session = &app->session;
    if (is_asleep(app)) return true;
    if (!is_interface_still(app)) return false;
    if (pd_layers_hide_picture(&app->screen))
        return pd_gallery_find_unfinished(&app->viewport.browser.gallery, 0, -1) < 0;
    if (pd_layers_stop_time(&app->screen)) return true;
    return session->paused && session->requested_steps == 0 && !pd_session_is_stepping(session) &&
           !session->backwards.held && !session->seek.active;
}

/* Updates the pointer's velocity. Hides the pointer from ImGui while a press in the picture lasts. */
static void update_pointer(pd_app *app, double elapsed) {
    pd_pointer *pointer = &app->device.pointer;
    pd_app_update_pointer_position(app);
    ui_hide_pointer(app->device.ui, pd_pointer_has_press(pointer));
    pd_pointer_update_velocity(pointer, elapsed, app->session.paused && app->session.requested_steps == 0);
}

/* Makes a frame of the interface without a step and without drawing. ImGui needs a frame between some events, and a step would
 * delay later events such as Escape. */
static void make_undrawn_frame(pd_app *app) {
    pd_viewport_update(&app->viewport, &app->session); /* because the previous event may have edited the scene */
    update_pointer(app, 0);
    draw_interface(app, 0);
    ui_end_frame_undrawn(app->device.ui);
}

/* Waits at most `seconds` for an event. The event stays in the queue. */
static void wait_for_event(double seconds) {
    if (pd_clock_is_of_system())
        SDL_WaitEventTimeout(NULL, (int)ceil(1e3 * seconds));
    else if (!SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT))
        pd_pause(seconds);
}

static void process_events(pd_app *app) {
    SDL_Event event;
    if (is_window_idle(app)) wait_for_event(fmin(IDLE_TIME, pd_probe_seconds_left(&app->screen)));
    double until = pd_now() + EVENT_TIME;
    while (app->running && pd_now() < until) {
        bool needs_frame = ui_needs_frame(app->device.ui);
        if (needs_frame) SDL_PumpEvents();
        /* Without a further event, pd_app_frame draws the frame that ImGui needs. */
        if (needs_frame && !SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT)) break;
        if (needs_frame)
            make_undrawn_frame(app);
        else if (SDL_PollEvent(&event))
            pd_app_handle_event(app, &event);
        else
            break;
    }
    if (app->options.interrupted && app->options.interrupted()) app->running = false;
}

static void make_frame(pd_app *app) {
    pd_app_update_screen(app);
    bool was_idle = is_window_idle(app);
    process_events(app);
    double now = pd_now(), elapsed = now - app->viewport.now;
    app->viewport.now = now;
    /* The time for which the window waited for events does not count as part of the frame. */
    if (was_idle) elapsed = app->device.display.period;
    pd_app_poll_desktop(app);
    if (pd_exporter_poll(&app->device.exporter, &app->viewport.announcer)) app->redraw = 2;
    if (is_asleep(app)) return;
    update_thumbnails(app);
    if (!app->viewport.browser.open) delete_thumbnails(app);
    pd_app_update_screen(app);
    bool hidden = pd_layers_hide_picture(&app->screen);
    if ((hidden && is_interface_still(app)) ||
        (app->redraw == 0 && was_idle && pd_probe_seconds_left(&app->screen) > 0))
        return;
    if (app->redraw > 0) app->redraw--;
    pd_screenshot_announce_finished(&app->device.recorder, &app->viewport.announcer, false);
    update_pointer(app, elapsed);
    if (app->running) move_grabbed_items_while_paused(app);
    if (app->running && !pd_layers_stop_time(&app->screen)) advance_time(app, elapsed);
    pd_session_check_memory(&app->session);
    pd_viewport_update(&app->viewport, &app->session);
    /* Does not draw before quitting: with software rendering a frame may take a second. */
    if (pd_app_is_quitting(app)) return;
    pd_pointer_end_frame(&app->device.pointer);
    double before = pd_now();
    if (!app->device.display.hidden) draw_frame(app, elapsed);
    pd_meter_add_frame(&app->viewport.meter, app->session.world, elapsed, pd_now() - before);
    /* Called after the drawing time was measured, because SDL_GL_SwapWindow waits for the screen. */
    if (!app->device.display.hidden) SDL_GL_SwapWindow(app->device.display.window);
    /* Waits until 0.9 of the screen's refresh period has passed since `frame_begin`, s of pd_now(). Limits the frame
     * rate even without vsync, as in a hidden window. */
    double spare = 0.9 * app->device.display.period - (pd_now() - now);
    if (spare > 0.001) pd_pause(spare);
    app->frames++;
    if (app->options.frames > 0 && app->frames >= app->options.frames) app->running = false;
}

static pd_result open_device_and_session(pd_app *app, pd_error *error) {
    pd_result result = pd_display_open(&app->device.display, &app->options, "puddle", error);
    if (result) return result;
    update_window_title(app); /* before the first frame, because scripts find the window by its title */
    result = pd_renderer_create(&app->device.renderer, error);
    if (!result) result = ui_create(&app->device.ui, app->device.display.window, app->device.display.scale, error);
    if (result) return result;
    pd_session_replace_world(&app->session, app->session.world);
    result = pd_session_begin_log_file(&app->session, error);
    if (result) return result;
    if (app->options.record)
        result = pd_recorder_start(&app->device.recorder, app->session.world, &app->device.display, app->options.record,
                                   true, app->options.force, error);
    return result;
}

static void close_device_and_session(pd_app *app) {
    if (app->device.ui) {
        pd_screenshot_announce_finished(&app->device.recorder, &app->viewport.announcer, true);
        end_recording(app);
    }
    pd_error error;
    if (app->device.ui && pd_switches_save(&app->viewport.switches, &error))
        pd_announce_error(&app->viewport.announcer, &error);
    if (app->device.ui && app->options.guides) pd_settings_save_switch(PD_SETTING_PANEL, app->viewport.panel);
    pd_exporter_cancel(&app->device.exporter, true);
    pd_recorder_free(&app->device.recorder);
    delete_thumbnails(app);
    pd_gallery_free(&app->viewport.browser.gallery);
    pd_session_close(&app->session);
    pd_portal_close(app->device.portal);
    ui_destroy(app->device.ui);
    pd_renderer_destroy(app->device.renderer);
    if (app->device.display.window) pd_display_close(&app->device.display);
}

/* Closes the window and frees the app. Sets *world to its world. Returns the first error of the run, with its message in
 * *error. */
static pd_result destroy_app(pd_app *app, pd_world **world, pd_error *error) {
    close_device_and_session(app);
    pd_result result = app->result;
    if (result) *error = app->error;
    *world = app->session.world;
    free(app);
    return result;
}

pd_result pd_app_open(pd_app **opened, pd_world **world, const pd_app_options *options, pd_error *error) {
    pd_app *app = *opened = calloc(1, sizeof *app);
    if (!app)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot open a window: out of memory (close other programs)");
    pd_app_init(app, options);
    app->session.world = *world;
    app->result = open_device_and_session(app, &app->error);
    if (!app->result && options->opened) app->result = options->opened(options->context, &app->error);
    if (app->result) {
        *opened = NULL;
        return destroy_app(app, world, error);
    }
    app->running = true;
    app->viewport.hints.since = app->viewport.now = pd_now();
    if (options->welcomes) pd_opening_begin(&app->viewport, &app->session);
    app->redraw = 3;
    pd_announce_ready(&app->viewport.announcer);
    pd_session_announce_warnings(&app->session, "");
    if (options->continues) pd_session_continue(&app->session);
    return PD_OK;
}

bool pd_app_frame(pd_app *app) {
    make_frame(app);
    return app->running;
}

pd_result pd_app_close(pd_app *app, pd_world **world, pd_error *error) {
    pd_log *log = app->session.log;
    /* The log file and the world that the caller saves must end with a complete step. */
    if (!app->result && (app->options.saves || app->options.log)) pd_session_finish_step(&app->session);
    if (log && !app->result && app->options.log)
        app->result = pd_log_end_autosave(log, app->session.world, &app->error);
    if (log) pd_log_end_autosave(log, app->session.world, NULL);
    return destroy_app(app, world, error);
}
