/* Text over the picture at many sizes of the window: it lies in the picture, and none over another; the labels of the
 * panel; and the hint where there is nothing to see. */
#include "test.h"
#include "with_threads.h"

#include "app/loop.h"
#include "app/tables/tools.h"
#include "core/timer.h"
#include "render/canvas.h"
#include <math.h>
#include <SDL.h>
#include <stdio.h>
#include <string.h>

enum { WIDEST = 2560, HIGHEST = 1600 };

static pd_offscreen *offscreen;

static int open_graphics(void **state) {
    (void)state;
    pd_error error;
    if (pd_offscreen_create(&offscreen, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    return 0;
}

static int close_graphics(void **state) {
    (void)state;
    pd_offscreen_destroy(offscreen);
    return 0;
}

static void open_app(pd_app *app, const char *text, int width, int height, float scale) {
    pd_scene scene;
    pd_error error;
    pd_world *world;
    pd_app_init(app, &(pd_app_options){.quiet = true});
    app->device.display = (pd_display){.width = width, .height = height, .ratio = 1, .scale = scale};
    if (pd_scene_read_text(text, strlen(text), "small", &scene, &error)) fail_msg("%s", error.message);
    if (create_with_threads(&world, &scene, 1, &error)) fail_msg("%s", error.message);
    pd_scene_free(&scene);
    if (ui_create(&app->device.ui, NULL, scale, &error)) fail_msg("%s", error.message);
    pd_session_replace_world(&app->session, world);
}

static void close_app(pd_app *app) {
    ui_destroy(app->device.ui);
    pd_log_destroy(app->session.log);
    pd_world_destroy(app->session.world);
}

static const char grid[] = "puddle: 1\nname: Grid\nmethod: grid\ngravity: [0, 0]\n"
                           "container: {shape: box, width: 2, height: 1}\n"
                           "materials:\n  red: {color: \"#ff4030\", mass: 1}\n"
                           "regions:\n  - {shape: circle, center: [0, 0], radius: 0.3, material: red}\n"
                           "parameters: {grid: {resolution: 16}}\n";

static void draw_layer(pd_app *app, const pd_layer *layer) { layer->draw(&app->screen); }

static void begin_frame(pd_app *app, int width, int height) {
    app->device.display.width = width;
    app->device.display.height = height;
    pd_app_update_screen(app);
    ui_begin_frame(app->device.ui, width, height, 0.02f);
}

static void draw_texts(pd_app *app) {
    draw_layer(app, &pd_hud_layer);
    draw_layer(app, &pd_toolbar_layer);
    draw_layer(app, &pd_bar_layer);
    draw_layer(app, &pd_timeline_layer);
    draw_layer(app, &pd_hint_layer);
}

/* Expects that no text of the frame lies over the container, unless the window is too small for both. */
static void expect_beside_fluid(pd_app *app) {
    pd_camera camera = app->screen.layout.pane[0].camera;
    const pd_view *view = &app->viewport.view;
    float scale = app->device.display.scale;
    pd_vec2 low = pd_camera_world_to_pixels(&camera, (pd_vec2){view->low.x, view->high.y});
    pd_vec2 high = pd_camera_world_to_pixels(&camera, (pd_vec2){view->high.x, view->low.y});
    assert_true(low.x < high.x && low.y < high.y);
    for (int i = 0; i < app->screen.layout.plate_count; i++) {
        const pd_plate *plate = &app->screen.layout.plates[i];
        if (scale * plate->x < high.x && low.x < scale * (plate->x + plate->width) && scale * plate->y < high.y &&
            low.y < scale * (plate->y + plate->height))
            fail_msg("plate %d (%g, %g, %g x %g) lies over the fluid (%g to %g, %g to %g)", i, plate->x, plate->y,
                     plate->width, plate->height, low.x / scale, high.x / scale, low.y / scale, high.y / scale);
    }
}

static void expect_apart(pd_app *app) {
    const pd_plate *plates = app->screen.layout.plates;
    float room = app->screen.layout.right, height = ui_height(app->device.ui);
    for (int i = 0; i < app->screen.layout.plate_count; i++) {
        const pd_plate *a = &plates[i];
        if (a->x < 0 || a->y < 0 || a->x + a->width > room || a->y + a->height > height)
            fail_msg("plate %d (%g, %g, %g x %g) is not in %g x %g", i, a->x, a->y, a->width, a->height, room, height);
        for (int j = 0; j < i; j++) {
            const pd_plate *b = &plates[j];
            if (a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height)
                fail_msg("%g x %g: plates %d (%g, %g, %g x %g) and %d (%g, %g, %g x %g) overlap", (double)room,
                         (double)height, i, (double)a->x, (double)a->y, (double)a->width, (double)a->height, j,
                         (double)b->x, (double)b->y, (double)b->width, (double)b->height);
        }
    }
}

/* Expects that the values at the pointer, the last plate, cover no bar. */
static void expect_between_bars(const pd_app *app) {
    const pd_layout *layout = &app->screen.layout;
    const pd_plate *plate = &layout->plates[layout->plate_count - 1];
    float top = layout->bar, bottom = layout->height - layout->strip;
    if (plate->x < layout->left || plate->y < top || plate->y + plate->height > bottom)
        fail_msg("the values (%g, %g, %g x %g) lie over a bar", plate->x, plate->y, plate->width, plate->height);
}

/* Numbers, a warning, "REC" is left out, "paused", the legend, the hint, and the values at a pointer that rests at many
 * places. */
static void text_keeps_apart(void **state) {
    (void)state;
    static const int sizes[][2] = {{240, 180}, {320, 240}, {480, 360}, {640, 480}, {800, 600}, {1280, 800}};
    static pd_app app;
    for (int test = 0; test < 24; test++) {
        float scale = test % 2 ? 2 : 1;
        int width = sizes[test / 4][0] * (int)scale, height = sizes[test / 4][1] * (int)scale, probes = 0;
        open_app(&app, grid, width, height, scale);
        app.viewport.panel = test / 2 % 2;
        app.viewport.switches.values = app.viewport.switches.ruler = true;
        app.session.paused = true;
        app.device.pointer.in_window = true;
        pd_viewport_set_mode(&app.viewport, pd_method_view_at(pd_world_method(app.session.world), 1));
        for (int place = 0; place < 100; place++) {
            app.viewport.now = pd_now() + 1; /* later than the times below by more than the pointer has to rest */
            app.device.pointer.pixel_x = (0.05f + 0.1f * (float)(place % 10)) * (float)width;
            app.device.pointer.pixel_y = (0.05f + 0.1f * (float)(place / 10)) * (float)height;
            pd_app_update_pointer_position(&app);
            begin_frame(&app, width, height);
            pd_pointer_update_velocity(&app.device.pointer, 0, true);
            pd_layers_pointer_moved(&app.screen, false);
            app.viewport.hud.next_update = INFINITY;
            if (app.viewport.hud.lines == 0) app.viewport.hud.next_update = 0;
            if (place > 0)
                strcpy(app.viewport.hud.slowness, "0.4× real time: stiffness 1200 m/s² costs 38 substeps a step");
            app.viewport.hints = (pd_hints){.enabled = true, .since = app.viewport.now - 10};
            draw_texts(&app);
            expect_apart(&app);
            if (width >= 480 * scale) expect_beside_fluid(&app);
            int before = app.screen.layout.plate_count;
            draw_layer(&app, &pd_probe_layer);
            probes += app.screen.layout.plate_count > before;
            if (width >= 480 * scale && !app.viewport.panel) expect_apart(&app);
            if (width >= 320 * scale && app.screen.layout.plate_count > before) expect_between_bars(&app);
            ui_end_frame_undrawn(app.device.ui);
        }
        assert_true(probes >= (app.viewport.panel || width < 320 * (int)scale ? 8 : 20));
        if (width >= 640 * scale && !app.viewport.panel) assert_true(app.screen.layout.plate_count >= 4);
        close_app(&app);
    }
}

/* The labels of all parameters of all methods. */
static void labels_fit_the_panel(void **state) {
    (void)state;
    static pd_app app;
    for (int scale = 1; scale <= 2; scale++) {
        open_app(&app, grid, 1280 * scale, 800 * scale, (float)scale);
        ui_begin_frame(app.device.ui, 1280 * scale, 800 * scale, 0.02f);
        for (int m = 0; m < pd_method_count(); m++)
            for (int i = 0; i < pd_method_at(m)->parameter_count; i++) {
                const char *title = pd_method_parameter_at(pd_method_at(m), i)->title;
                if (!ui_label_fits(app.device.ui, title, 336))
                    fail_msg("%s: %s is cut off", pd_method_at(m)->name, title);
            }
        ui_end_frame_undrawn(app.device.ui);
        close_app(&app);
    }
}

static const char *hint_of(pd_app *app) {
    pd_viewport_update(&app->viewport, &app->session);
    return pd_hint_find(&app->viewport, &app->session);
}

static void choose_view(pd_app *app, const char *name) {
    const pd_method_info *method = pd_world_method(app->session.world);
    pd_viewport_set_mode(&app->viewport, pd_method_find_view(method, name));
}

/* A fluid without dye and tracers: at rest there is a hint in every view, in motion where the view does not show it. */
static void empty_picture_has_a_hint(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app, grid, 480, 360, 1);
    assert_null(hint_of(&app)); /* there is dye */
    close_app(&app);
    char text[sizeof grid];
    snprintf(text, sizeof text, "%.*sparameters: {grid: {resolution: 16}}\n", (int)(strstr(grid, "regions") - grid),
             grid);
    open_app(&app, text, 480, 360, 1);
    assert_non_null(strstr(hint_of(&app), "Drag to stir"));
    choose_view(&app, "speed");
    assert_non_null(strstr(hint_of(&app), "Drag to stir"));
    pd_world_set_tool(app.session.world, &(pd_tool){.kind = PD_TOOL_DRAG, .velocity = {1, 0}, .radius = 0.2f});
    pd_world_step(app.session.world);
    assert_null(hint_of(&app));
    choose_view(&app, "smoke");
    assert_non_null(strstr(hint_of(&app), "paint"));
    pd_viewport_set_lines(&app.viewport, PD_LINES_ARROWS);
    assert_null(hint_of(&app));
    pd_viewport_set_lines(&app.viewport, PD_LINES_NONE);
    pd_world_set_tool(app.session.world, &(pd_tool){.kind = PD_TOOL_PAINT, .velocity = {1, 0}, .radius = 0.2f});
    pd_world_step(app.session.world);
    assert_null(hint_of(&app));
    close_app(&app);
}

/* A frame of the hint. Returns whether it is drawn. */
static bool hint_is_drawn(pd_app *app) {
    pd_viewport_update(&app->viewport, &app->session);
    begin_frame(app, app->device.display.width, app->device.display.height);
    app->viewport.hud.hint = pd_hint_find(&app->viewport, &app->session);
    draw_layer(app, &pd_hint_layer);
    ui_end_frame_undrawn(app->device.ui);
    return app->screen.layout.plate_count > 0;
}

/* The hint of a picture without motion is about the hand, and is not drawn while another tool is chosen. */
static void hints_go_with_the_hand(void **state) {
    (void)state;
    static const char bare[] = "puddle: 1\ncontainer: {shape: box, width: 2, height: 2}\n";
    static const char walled[] = "puddle: 1\nobstacles: [{shape: circle, center: [0, 0], radius: 0.1}]\n";
    static pd_app app;
    open_app(&app, bare, 900, 600, 1);
    assert_true(hint_is_drawn(&app));
    pd_session_select_tool(&app.session, PD_BAR_POUR);
    assert_false(hint_is_drawn(&app));
    pd_session_select_tool(&app.session, PD_BAR_HAND);
    assert_true(hint_is_drawn(&app)); /* there is still nothing */
    close_app(&app);
    open_app(&app, walled, 800, 600, 1);
    assert_false(hint_is_drawn(&app));
    close_app(&app);
}

/* Returns whether a rectangle overlaps the container: a circle of radius 1, or a box of this size. */
static bool overlaps(pd_app *app, const pd_plate *plate, float width, float height) {
    pd_camera camera = app->screen.layout.pane[0].camera;
    float scale = app->device.display.scale;
    for (int i = 0; i <= 100; i++)
        for (int k = 0; k <= 20; k++) {
            float x = scale * (plate->x + plate->width * (float)i / 100),
                  y = scale * (plate->y + plate->height * (float)k / 20);
            pd_vec2 at = pd_camera_pixels_to_world(&camera, x, y);
            bool round = !(width > 0);
            if (round ? hypotf(at.x, at.y) < 0.999f : fabsf(at.x) < 0.499f * width && fabsf(at.y) < 0.499f * height)
                return true;
        }
    return false;
}

/* The first steps: each comes after the last was done, beside the container or in the strip, and none comes again. */
static void first_steps(void **state) {
    (void)state;
    static const char *const texts[] = {"Drag the fluid", "Pick a tool", "Ctrl+O", "Number keys"};
    static const char bowl[] = "puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 0.3, count: 50}]\n";
    static const char box[] = "puddle: 1\ncontainer: {shape: box, width: 2, height: 1.2}\n"
                              "regions: [{shape: circle, center: [0, 0], radius: 0.3, count: 50}]\n";
    static const int sizes[][2] = {{320, 240}, {480, 400}, {640, 480}, {1280, 800}};
    static pd_app app;
    int beside = 0, in_strip = 0;
    assert_int_equal(pd_method_count(), 6); /* the last hint tells the number */
    for (int test = 0; test < 16; test++) {
        float scale = test % 2 ? 2 : 1;
        bool round = test / 2 % 2;
        open_app(&app, round ? bowl : box, (int)(sizes[test / 4][0] * scale), (int)(sizes[test / 4][1] * scale), scale);
        app.viewport.bars = true;
        assert_false(hint_is_drawn(&app)); /* a script uses the window */
        app.viewport.hints.enabled = true;
        for (int step = 0; step < PD_HINTS; step++) {
            app.viewport.hints.since = app.viewport.now;
            hint_is_drawn(&app);
            assert_false(app.viewport.hints.in_strip); /* too early */
            app.viewport.hints.since = app.viewport.now - 10;
            pd_viewport_update(&app.viewport, &app.session);
            begin_frame(&app, app.device.display.width, app.device.display.height);
            draw_layer(&app, &pd_hud_layer);
            draw_layer(&app, &pd_toolbar_layer);
            int before = app.screen.layout.plate_count;
            draw_layer(&app, &pd_hint_layer);
            const char *text = app.viewport.hints.in_strip ? app.viewport.hints.line : NULL;
            if (app.screen.layout.plate_count > before) {
                int count;
                const ui_target *targets = ui_targets(app.device.ui, &count);
                text = targets[count - 1].name;
                assert_false(overlaps(&app, &app.screen.layout.plates[before], round ? 0 : 2, 1.2f));
                beside++;
            } else {
                in_strip++;
            }
            if (!text) fail_msg("%s is shown nowhere", texts[step]);
            if (!strstr(text, texts[step]) && !strstr(text, "F5, then drag"))
                fail_msg("'%s' in place of '%s'", text, texts[step]);
            ui_end_frame_undrawn(app.device.ui);
            app.viewport.hints.done[step] = true;
        }
        assert_false(hint_is_drawn(&app));
        assert_null(app.viewport.hints.in_strip);
        close_app(&app);
    }
    print_message("%d beside the container, %d in the strip\n", beside, in_strip);
    assert_true(beside > 20 && in_strip > 0);
}

/* A message while the dialog of a new container is open lies beside it, or is not drawn. */
static void messages_keep_clear_of_the_dialog(void **state) {
    (void)state;
    static const char *const texts[] = {"Reset",
                                        "cannot open 'a-file-with-a-long-name.yaml': No such file or directory "
                                        "(check the path, or open one of the bundled scenes)"};
    static pd_app app;
    int shown = 0;
    open_app(&app, grid, 800, 600, 1);
    for (int test = 0; test < 200; test++) {
        int width = 240 + 40 * (test % 20), height = 180 + 60 * (test / 20);
        begin_frame(&app, width, height);
        draw_layer(&app, &pd_hud_layer);
        pd_app_perform_action(&app, PD_ACTION_NEW_SCENE, 0);
        draw_layer(&app, &pd_dialog_layer);
        pd_announce(&app.viewport.announcer, "%s", texts[test % 2]);
        pd_plate message;
        const pd_plate *dialog = &app.viewport.dialog.plate;
        bool there = pd_message_place(&app.screen, &message);
        draw_layer(&app, &pd_message_layer);
        ui_end_frame_undrawn(app.device.ui);
        shown += there;
        if (!there) continue;
        assert_true(message.x >= 0 && message.y >= 0 && message.x + message.width <= (float)width);
        assert_true(message.y + message.height <= (float)height);
        assert_true(message.y + message.height <= dialog->y || message.y >= dialog->y + dialog->height);
    }
    assert_true(shown > 100);
    close_app(&app);
}

/* The line about slow time goes when it was read, and comes again only after time was not slow for a while. */
static void slowness_is_said_once(void **state) {
    (void)state;
    static pd_app app;
    static const struct {
        double until; /* s */
        bool slow, said;
    } times[] = {{1, false, false}, {6, true, true},     {60, true, false}, {75, false, false},
                 {80, true, false}, {120, false, false}, {125, true, true}};
    open_app(&app, grid, 800, 600, 1);
    double start = app.viewport.now = 1000;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (; app.viewport.now < start + times[i].until; app.viewport.now += 0.3) {
            app.session.pace.slow = times[i].slow;
            begin_frame(&app, 800, 600);
            draw_layer(&app, &pd_hud_layer);
            ui_end_frame_undrawn(app.device.ui);
            bool said = *app.viewport.hud.slowness, just = i > 0 && times[i - 1].said && !times[i].said;
            if (!just && said != times[i].said)
                fail_msg("at %.1f s: '%s'", app.viewport.now - start, app.viewport.hud.slowness);
            if (just && app.viewport.now > start + times[i - 1].until + 3) assert_false(said);
        }
    close_app(&app);
}

/* The row under the pointer is the one that is chosen, and the button is one of them. */
static void the_dialog_follows_the_pointer(void **state) {
    (void)state;
    static pd_app app;
    open_app(&app, grid, 800, 600, 1);
    pd_new_scene *ask = &app.viewport.new_scene;
    pd_app_perform_action(&app, PD_ACTION_NEW_SCENE, 0);
    enum { ROWS = 6 }; /* shape, width, height, water, particles, button */
    bool seen[ROWS] = {false};
    for (int y = 0; y < 600; y++) {
        ui_process_event(app.device.ui, &(SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = 400, .y = y}});
        begin_frame(&app, 800, 600);
        draw_layer(&app, &pd_dialog_layer);
        ui_end_frame_undrawn(app.device.ui);
        assert_in_range(ask->row, 0, ROWS - 1);
        seen[ask->row] = true;
    }
    for (int row = 0; row < ROWS; row++) assert_true(seen[row]);
    close_app(&app);
}

/* Escape closes the highest open layer alone; a modal layer receives all input, and the browser hides the picture. */
static void input_goes_to_the_highest_layer(void **state) {
    (void)state;
    static pd_app app;
    pd_viewport *viewport = &app.viewport;
    open_app(&app, grid, 800, 600, 1);
    begin_frame(&app, 800, 600);
    pd_screen *screen = &app.screen;
    assert_false(pd_layers_count_open(screen) > 0 || pd_layers_find_at_pointer(screen) || pd_layers_any_modal(screen));
    assert_false(pd_layers_key(screen, PD_KEY_UP, 0, false));
    viewport->panel = true;
    assert_true(pd_layers_close_highest(screen) && !viewport->panel && !pd_layers_close_highest(screen));
    draw_layer(&app, &pd_material_palette_layer); /* closed: no material is highlighted */
    viewport->help = viewport->material_palette.open = true;
    assert_true(pd_layers_count_open(screen) > 0 && pd_layers_find_at_pointer(screen) == &pd_help_layer);
    assert_true(pd_layers_any_modal(screen));
    assert_true(pd_layers_close_highest(screen) && !viewport->help && viewport->material_palette.open);
    assert_true(pd_layers_key(screen, PD_KEY_DOWN, 0, false) && !viewport->material_palette.chosen);
    assert_true(pd_layers_key(screen, PD_KEY_DOWN, 0, false) && viewport->material_palette.chosen > 0);
    assert_false(pd_layers_key(screen, 'r', 0, false));
    assert_true(pd_layers_close_highest(screen) && !viewport->material_palette.open &&
                !pd_layers_close_highest(screen));
    pd_app_perform_action(&app, PD_ACTION_NEW_SCENE, 0);
    assert_true(pd_layers_any_modal(screen) && pd_layers_find_at_pointer(screen));
    assert_true(pd_layers_key(screen, 'r', 0, false) && pd_layers_wheel(screen, 1));
    assert_true(pd_layers_press(screen, false) && viewport->dialog.kind);
    assert_true(pd_layers_press(screen, true) && !viewport->dialog.kind); /* beside the dialog */
    assert_false(pd_layers_hide_picture(screen));
    viewport->browser.open = true;
    assert_true(pd_layers_any_modal(screen) && pd_layers_hide_picture(screen));
    assert_true(pd_layers_close_highest(screen) && !viewport->browser.open);
    ui_end_frame_undrawn(app.device.ui);
    close_app(&app);
}

/* In a narrow window two panes share all of it, and the panel closes. */
static void two_panes_are_wide_enough(void **state) {
    (void)state;
    static pd_app app;
    const pd_pane *panes = app.screen.layout.pane;
    open_app(&app, grid, 480, 400, 1);
    app.viewport.bars = false;
    app.viewport.panel = true;
    pd_app_perform_action(&app, PD_ACTION_COMPARE, pd_controls_method_key(pd_method_find("flip")));
    assert_non_null(app.session.second.world);
    assert_false(app.viewport.panel);
    assert_non_null(strstr(app.viewport.announcer.text, "Tab opens the panel"));
    pd_viewport_update(&app.viewport, &app.session);
    pd_app_update_screen(&app);
    assert_true(panes[0].end >= 200 && panes[1].end - panes[1].begin >= 200);
    assert_int_equal(panes[1].begin, panes[0].end);
    assert_true(panes[1].end <= 480);
    app.viewport.panel = true;
    app.device.display.width = 1280; /* beside the panel */
    pd_app_update_screen(&app);
    assert_true(panes[1].end < 1280 - 300 && panes[1].begin < panes[1].end);
    pd_session_compare_with_method(&app.session, pd_method_find("flip"));
    close_app(&app);
}

/* The graph of two panes: beside the caption, below it in a narrow pane of a high window, or left out; over nothing. */
static void the_graph_has_a_place(void **state) {
    (void)state;
    static pd_app app;
    static const struct {
        int width, height;
        bool panel, graph;
    } tests[] = {{1280, 800, true, true},  {900, 600, true, true},  {900, 600, false, true},
                 {480, 400, false, false}, {480, 600, false, true}, {360, 270, false, false}};
    int count;
    for (size_t test = 0; test < sizeof tests / sizeof *tests; test++) {
        open_app(&app, grid, tests[test].width, tests[test].height, 1);
        pd_app_perform_action(&app, PD_ACTION_COMPARE, pd_controls_method_key(pd_method_find("flip")));
        app.viewport.panel = tests[test].panel;
        pd_viewport_update(&app.viewport, &app.session);
        begin_frame(&app, tests[test].width, tests[test].height);
        draw_layer(&app, &pd_hud_layer);
        draw_layer(&app, &pd_panes_layer);
        const ui_target *targets = ui_targets(app.device.ui, &count);
        bool graph = false;
        for (int i = 0; i < count; i++) graph = graph || strcmp(targets[i].name, "Graph") == 0;
        ui_end_frame_undrawn(app.device.ui);
        assert_int_equal(graph, tests[test].graph);
        expect_apart(&app);
        expect_beside_fluid(&app);
        pd_session_compare_with_method(&app.session, pd_method_find("flip"));
        close_app(&app);
    }
}

TEST_GROUP(layout) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_keeps_apart),
        cmocka_unit_test(labels_fit_the_panel),
        cmocka_unit_test(empty_picture_has_a_hint),
        cmocka_unit_test(hints_go_with_the_hand),
        cmocka_unit_test(first_steps),
        cmocka_unit_test(messages_keep_clear_of_the_dialog),
        cmocka_unit_test(slowness_is_said_once),
        cmocka_unit_test(the_dialog_follows_the_pointer),
        cmocka_unit_test(input_goes_to_the_highest_layer),
        cmocka_unit_test(two_panes_are_wide_enough),
        cmocka_unit_test(the_graph_has_a_place),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_graphics);
}
