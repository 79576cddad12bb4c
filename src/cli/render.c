/* puddle render: draws a scene to a folder of frames, a video or a pipe, without a window. */
#include "app/ui.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "core/error.h"
#include "core/timer.h"
#include "record/frame_clock.h"
#include "record/sink.h"
#include "render/offscreen.h"
#include "render/palette.h"
#include "render/renderer.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double default_seconds = 5;

/* What is drawn: the picture's size and contents, and the times of the frames. */
typedef struct plan {
    pd_sink_kind kind;
    pd_pixels pixels;
    int palette;
    const pd_method_info *method; /* that mode and lines are of */
    const pd_view_mode *mode;
    pd_view_lines lines;
    double dt;
    pd_frame_clock clock; /* limited to the steps and frames of the command line */
} plan;

typedef struct graphics {
    pd_offscreen *offscreen;
    pd_renderer *renderer;
    ui *ui;
    pd_canvas canvas;
    pd_sink *sink;
    float scale;
    double simulating, drawing, waiting; /* s: steps, pictures, for room in the queue of the sink */
    progress progress;
} graphics;

/* What was made, and how long the stages took: s. */
typedef struct summary {
    pd_sink_report recorded;
    double simulating, drawing, waiting;
    double all; /* wall time */
} summary;

/* A recording has at least one frame. */
static pd_result check_plan(const plan *plan, pd_error *error) {
    const pd_frame_clock *clock = &plan->clock;
    if (clock->last_frame > 0) return PD_OK;
    long long needed = clock->every_step ? 1 : (long long)fmax(ceil((1 - 1e-2) / (clock->dt * clock->fps)), 1);
    return pd_fail(
        error, PD_ERROR_USAGE,
        "render would draw no frame: %lld step%s of %.4g s %s shorter than a frame at %d fps (use --steps %lld "
        "or more)",
        clock->last_step, clock->last_step == 1 ? "" : "s", clock->dt, clock->last_step == 1 ? "is" : "are", clock->fps,
        needed);
}

/* The size of the pictures, as the output can have it. */
static void plan_size(plan *plan, const options *options) {
    plan->pixels.width = options->width > 0 ? options->width : 1280;
    plan->pixels.height = options->height > 0 ? options->height : 720;
    pd_pixels wanted = plan->pixels;
    plan->pixels.deep = options->depth == 16;
    plan->pixels.alpha = options->alpha;
    pd_sink_fit(plan->kind, &plan->pixels);
    if (!options->quiet && (plan->pixels.width != wanted.width || plan->pixels.height != wanted.height))
        fprintf(stderr, "puddle: warning: the video is %d x %d pixels: its format needs an even width and height\n",
                plan->pixels.width, plan->pixels.height);
}

static pd_result make_plan(plan *plan, const options *options, const pd_world *world, pd_error *error) {
    int fps;
    pd_result result = pd_sink_find_kind(options->output, &plan->kind, error);
    if (!result) result = pd_sink_rate(plan->kind, options->fps, &fps, error);
    if (result) return result;
    plan_size(plan, options);
    plan->palette = options->palette ? pd_palette_find(options->palette) : 0;
    plan->dt = (double)pd_world_scene(world)->dt;
    long long steps = options_steps(options, plan->dt);
    bool timed = options->steps >= 0 || options->seconds > 0;
    if (!timed) steps = options->frames > 0 ? LLONG_MAX : (long long)ceil(default_seconds / plan->dt - 1e-6);
    pd_frame_clock_begin(&plan->clock, fps, plan->dt);
    pd_frame_clock_limit(&plan->clock, steps, options->frames);
    return check_plan(plan, error);
}

static void close_graphics(graphics *graphics) {
    ui_destroy(graphics->ui);
    pd_renderer_destroy(graphics->renderer);
    if (graphics->canvas.framebuffer) pd_canvas_destroy(&graphics->canvas);
    pd_offscreen_destroy(graphics->offscreen);
}

/* Creates everything that can fail before the first step. The folder comes last: without graphics none is created. */
static pd_result open_graphics(graphics *graphics, const plan *plan, const options *options, const pd_world *world,
                               pd_error *error) {
    const pd_scene *scene = pd_world_scene(world);
    pd_sink_info info = {.pixels = plan->pixels,
                         .fps = plan->clock.fps,
                         .part = {scene->name, pd_world_method(world)->name, scene->seed}};
    pd_view view;
    pd_legend legend;
    /* Lines and text are scaled with the size of the picture. */
    graphics->scale =
        fmaxf(1, roundf(2 * fminf((float)plan->pixels.width / 1280, (float)plan->pixels.height / 720)) / 2);
    pd_world_view(world, &view);
    pd_result result = pd_offscreen_create(&graphics->offscreen, 1, 1, error);
    if (!result) result = pd_canvas_create_for(&graphics->canvas, &plan->pixels, 0, error);
    if (!result) result = pd_renderer_create(&graphics->renderer, error);
    if (!result && pd_picture_legend(&view, plan->mode, &legend))
        result = ui_create(&graphics->ui, NULL, graphics->scale, error);
    if (!result) result = pd_sink_create(&graphics->sink, options->output, &info, options->force, error);
    if (!result && !options->quiet && *pd_sink_note(graphics->sink))
        fprintf(stderr, "puddle: warning: %s\n", pd_sink_note(graphics->sink));
    return result;
}

/* A log may change the method: the view of the same name, or the first one of the new method; its own lines. */
static void follow_method(plan *plan, const pd_world *world, const pd_view *view) {
    const pd_method_info *method = pd_world_method(world);
    if (method == plan->method) return;
    const pd_view_mode *mode = pd_method_view(method, plan->mode->name);
    plan->method = method;
    plan->mode = mode ? mode : method->views;
    plan->lines = pd_lines_possible(view, plan->mode, plan->mode->lines) ? plan->mode->lines : PD_LINES_NONE;
}

static pd_result draw_frame(graphics *graphics, plan *plan, const pd_world *world, double alpha, pd_error *error) {
    pd_canvas *canvas = &graphics->canvas;
    double begun = pd_now();
    pd_view view;
    pd_world_view(world, &view);
    follow_method(plan, world, &view);
    const pd_scene *scene = pd_world_scene(world);
    pd_sink_set_part(graphics->sink, &(pd_sink_part){scene->name, plan->method->name, scene->seed});
    pd_picture picture = {.view = &view,
                          .mode = plan->mode,
                          .lines = plan->lines,
                          .palette = plan->palette,
                          .alpha = (float)alpha,
                          .width = plan->pixels.width,
                          .height = plan->pixels.height,
                          .scale = graphics->scale,
                          .transparent = plan->pixels.alpha,
                          .deep = plan->pixels.deep};
    pd_legend legend;
    bool has_legend = graphics->ui && pd_picture_legend(&view, plan->mode, &legend);
    if (has_legend) {
        ui_begin(graphics->ui, plan->pixels.width, plan->pixels.height, (float)plan->dt);
        ui_legend(graphics->ui, &legend, plan->palette, 0);
        ui_end_undrawn(graphics->ui);
    }
    while (pd_canvas_next(canvas, &picture.area)) {
        pd_renderer_draw(graphics->renderer, canvas->framebuffer, &picture);
        if (has_legend) ui_draw_area(graphics->ui, &picture.area);
        pd_canvas_read(canvas, &picture.area);
    }
    double drawn = pd_now();
    pd_result result = pd_sink_add(graphics->sink, canvas->rgb, error);
    graphics->drawing += drawn - begun;
    graphics->waiting += pd_now() - drawn;
    return result;
}

/* Draws the frames whose time lies in the last step, interpolated between its start and its end. */
static pd_result draw_step(graphics *graphics, plan *plan, const pd_world *world, pd_error *error) {
    pd_result result = PD_OK;
    double alpha;
    pd_frame_clock_step(&plan->clock);
    while (!result && pd_frame_clock_due(&plan->clock, &alpha))
        result = draw_frame(graphics, plan, world, alpha, error);
    return result;
}

static pd_result draw_frames(graphics *graphics, plan *plan, const options *options, pd_world *world, pd_log *log,
                             pd_error *error) {
    outputs *outputs;
    progress *progress = &graphics->progress;
    pd_frame_clock *clock = &plan->clock;
    pd_result result = outputs_begin(&outputs, options, error);
    if (result) return result;
    outputs_play(outputs, log);
    result = outputs_start(outputs, error);
    progress_begin(progress, "frame", clock->last_frame, options->quiet);
    while (!result && clock->steps < clock->last_step && !interrupted()) {
        if (options->frames > 0 && clock->frames >= clock->last_frame) break;
        double begun = pd_now();
        if (!outputs_advance(outputs, world)) break;
        graphics->simulating += pd_now() - begun;
        result = outputs_step(outputs, world, error);
        if (!result) result = draw_step(graphics, plan, world, error);
        progress_update(progress, clock->frames);
    }
    if (result) {
        outputs_end(outputs, NULL, NULL);
        return result;
    }
    return outputs_end(outputs, world, error);
}

static pd_result render(const options *options, pd_world *world, pd_log *log, summary *done, pd_error *error) {
    plan plan = {.method = pd_world_method(world)};
    graphics graphics = {0};
    double begun = pd_now();
    pd_result result = make_plan(&plan, options, world, error);
    if (!result) result = options_view(options, world, &plan.mode, error);
    if (!result) result = options_lines(options, world, plan.mode, &plan.lines, error);
    if (!result) result = open_graphics(&graphics, &plan, options, world, error);
    if (!result) result = draw_frames(&graphics, &plan, options, world, log, error);
    if (graphics.sink) {
        /* The first failure is reported; of one to write a frame the last message says most. */
        pd_error finish_error;
        progress_note(&graphics.progress, "finishing the recording"); /* a GIF is encoded at its end */
        pd_result finished = pd_sink_finish(graphics.sink, !result, &done->recorded, &finish_error);
        progress_end(&graphics.progress);
        if (finished && (!result || error->code == finish_error.code)) *error = finish_error;
        if (!result) result = finished;
    }
    done->simulating = graphics.simulating;
    done->drawing = graphics.drawing;
    done->waiting = graphics.waiting;
    done->all = pd_now() - begun;
    close_graphics(&graphics);
    return result;
}

/* Stages overlap: pictures are converted and encoded on other threads, of which there may be several. */
static void add_seconds(cJSON *object, const summary *done) {
    cJSON *seconds = cJSON_AddObjectToObject(object, "seconds");
    cJSON_AddNumberToObject(seconds, "simulating", done->simulating);
    cJSON_AddNumberToObject(seconds, "drawing", done->drawing);
    cJSON_AddNumberToObject(seconds, "waiting", done->waiting);
    cJSON_AddNumberToObject(seconds, "converting", done->recorded.converting);
    cJSON_AddNumberToObject(seconds, "encoding", done->recorded.encoding);
}

static int print_json(const options *options, const pd_world *world, const summary *done) {
    pd_statistics statistics;
    pd_world_statistics(world, &statistics);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "scene", pd_world_scene(world)->name);
    cJSON_AddStringToObject(object, "method", pd_world_method(world)->name);
    cJSON_AddStringToObject(object, "output", options->output);
    cJSON_AddNumberToObject(object, "frames", done->recorded.frames);
    json_add_statistics(object, &statistics);
    json_add_impulse(object, world);
    json_add_hash(object, world);
    add_seconds(object, done);
    cJSON_AddBoolToObject(object, "interrupted", interrupted());
    return json_print(object);
}

pd_result render_world(const options *options, pd_world *world, pd_log *log, pd_error *error) {
    summary done = {0};
    return render(options, world, log, &done, error);
}

int command_render(const options *options) {
    pd_error error;
    pd_world *world = NULL;
    summary done = {0};
    bool streams = strcmp(options->output, "-") == 0;
    if (pd_sink_check(options->output, options->force, &error)) return report(&error);
    if (options_world(options, &world, &error)) return report(&error);
    report_warnings(options, world);
    int code = 0;
    if (render(options, world, NULL, &done, &error))
        code = report(&error);
    else if (options->json)
        code = print_json(options, world, &done);
    else if (!options->quiet && !streams)
        printf("%d frame%s in %s, %.1f s%s\n", done.recorded.frames, done.recorded.frames == 1 ? "" : "s",
               options->output, done.all, interrupted() ? " (interrupted)" : "");
    pd_world_destroy(world);
    return code;
}
