/* The command without a name: puddle in a window. */
#include "app/app.h"
#include "cli/commands.h"
#include "cli/output/output.h"
#include "core/file/file.h"
#include "record/sink.h"
#include "render/palette.h"
#include "render/picture.h"

static pd_result on_open(void *context, pd_error *error) { return outputs_open_tables(context, error); }

static pd_result on_step(void *context, const pd_world *world, pd_error *error) {
    return outputs_write_after_step(context, world, error);
}

static pd_result run_window(const options *options, pd_world **world, pd_log **log, const pd_view_lines *lines,
                            pd_error *error) {
    outputs *outputs;
    pd_result result = outputs_begin(&outputs, options, error);
    if (result) return result;
    char scene[PD_MAX_PATH];
    bool found = options_find_scene_path(options_scene_name(options), scene, sizeof scene, NULL) == PD_OK;
    bool writes_files = options->stats || options->bodies || options->state || options->save;
    bool guides = !options->quiet && !options->frames && !options->record;
    pd_app_options app = {
        .width = options->width,
        .height = options->height,
        .scale = options->scale,
        .fullscreen = options->fullscreen,
        .quiet = options->quiet,
        .json = options->json,
        .guides = guides,
        .welcomes = guides && !options->json && !options->log && !*log && !options->scene_count && !options->load &&
                    !options->continues,
        .continues = options->continues,
        .path = options->load ? options->load : (found ? scene : NULL),
        .view = options->view,
        .lines = lines,
        .palette = options->palette ? pd_palette_find(options->palette) : 0,
        .frames = options->frames,
        .fps = options->fps,
        .record = options->record,
        .log = options->log,
        .last_log = !options->log && !*log,
        .replay = log,
        .history = (size_t)options->history << 20,
        .force = options->force,
        .interrupted = is_interrupted,
        .opened = on_open,
        .stepped = writes_files ? on_step : NULL,
        .context = outputs,
        .saves = options->state || options->save,
        .report = report_error,
    };
    result = pd_app_run(world, &app, error);
    if (result) {
        outputs_end(outputs, NULL, NULL);
        return result;
    }
    return outputs_end(outputs, *world, error);
}

pd_result show_world(const options *options, pd_world **world, pd_log **log, pd_error *error) {
    const pd_view_mode *mode;
    pd_result result = options_find_view(options, *world, &mode, error);
    pd_view_lines lines;
    if (!result) result = options_find_lines(options, *world, mode, &lines, error);
    return result ? result : run_window(options, world, log, options->lines ? &lines : NULL, error);
}

int command_window(const options *options) {
    pd_error error;
    pd_world *world;
    pd_log *log = NULL;
    if (options->record && pd_sink_check_path(options->record, options->force, &error)) return report_error(&error);
    pd_result result = options_create_world(options, &world, &error);
    if (result) return report_error(&error);
    result = show_world(options, &world, &log, &error);
    pd_log_destroy(log);
    pd_world_destroy(world);
    return result ? report_error(&error) : PD_OK;
}
