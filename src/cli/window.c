/* The commands with a window: puddle SCENE, and puddle replay LOG without --output. */
#include "cli/window.h"

#include "cli/commands.h"
#include "core/file.h"
#include "record/sink.h"
#include "render/palette.h"
#include "render/picture.h"

static bool replays_log(const window *window) { return *window->options->command != '\0'; }

static pd_result on_open(void *context, pd_error *error) { return outputs_open_tables(context, error); }

static pd_result on_step(void *context, const pd_world *world, pd_error *error) {
    return outputs_write_after_step(context, world, error);
}

/* Opens the window on window->world. */
static pd_result open_app(window *window, pd_error *error) {
    const options *options = window->options;
    const pd_view_mode *mode;
    pd_result result = options_find_view(options, window->world, &mode, error);
    if (!result) result = options_find_lines(options, window->world, mode, &window->lines, error);
    if (!result) result = outputs_begin(&window->outputs, options, error);
    if (result) return result;
    bool found =
        options_find_scene_path(options_scene_name(options), window->scene, sizeof window->scene, NULL) == PD_OK;
    bool writes_files = options->stats || options->bodies || options->state || options->save;
    bool guides = !options->quiet && !options->frames && !options->record, has_log = window->log != NULL;
    pd_app_options app = {
        .width = options->width,
        .height = options->height,
        .scale = options->scale,
        .fullscreen = options->fullscreen,
        .quiet = options->quiet,
        .json = options->json,
        .guides = guides,
        .welcomes = guides && !options->json && !options->log && !has_log && !options->scene_count && !options->load &&
                    !options->continues,
        .continues = options->continues,
        .path = options->load ? options->load : (found ? window->scene : NULL),
        .view = options->view,
        .lines = options->lines ? &window->lines : NULL,
        .palette = options->palette ? pd_palette_find(options->palette) : 0,
        .frames = options->frames,
        .fps = options->fps,
        .record = options->record,
        .log = options->log,
        .last_log = !options->log && !has_log,
        .replay = &window->log,
        .history = (size_t)options->history << 20,
        .force = options->force,
        .interrupted = is_interrupted,
        .opened = on_open,
        .stepped = writes_files ? on_step : NULL,
        .context = window->outputs,
        .saves = options->state || options->save,
        .report = report_error,
    };
    result = pd_app_open(&window->app, &window->world, &app, error);
    if (result) outputs_end(window->outputs, NULL, NULL);
    return result;
}

static pd_result close_app(window *window, pd_error *error) {
    pd_result result = pd_app_close(window->app, &window->world, error);
    if (!result) return outputs_end(window->outputs, window->world, error);
    outputs_end(window->outputs, NULL, NULL);
    return result;
}

static void destroy_log_and_world(window *window) {
    pd_log_destroy(window->log);
    pd_world_destroy(window->world);
}

int window_begin(window *window, const options *options) {
    pd_error error;
    *window = (struct window){.options = options};
    pd_result result = options->record ? pd_sink_check_path(options->record, options->force, &error) : PD_OK;
    if (!result)
        result = replays_log(window) ? replay_read_log(options, &window->log, &window->world, &error)
                                     : options_create_world(options, &window->world, &error);
    if (!result) result = open_app(window, &error);
    if (!result) return 0;
    destroy_log_and_world(window);
    return report_error(&error);
}

bool window_frame(window *window) { return pd_app_frame(window->app); }

int window_end(window *window) {
    pd_error error;
    bool replayed = replays_log(window);
    int code = close_app(window, &error) ? report_error(&error) : 0;
    if (!code && replayed && window->log) code = replay_print_summary(window->options, window->world, window->log);
    destroy_log_and_world(window);
    return code;
}

int command_window(const options *options) {
    window window;
    int code = window_begin(&window, options);
    if (code) return code;
    while (window_frame(&window)) continue;
    return window_end(&window);
}
