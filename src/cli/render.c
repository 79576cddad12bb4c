/* puddle render: draws a scene to a folder of frames, a still, a video or a pipe, without a window. --compare runs the
 * scene under two methods, one in each half of the picture. */
#include "app/ui/ui.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/json.h"
#include "cli/output/output.h"
#include "core/error.h"
#include "core/timer.h"
#include "record/sink.h"
#include "render/canvas.h"
#include "render/palette.h"
#include "render/renderer.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double default_seconds = 5;

/* A world to draw, its view, and the rectangle of the frame that shows it: all of the frame, or one half under --compare. */
typedef struct world_picture {
    pd_world *world;
    pd_pixel_area area;           /* rectangle of the frame that shows the world */
    const pd_method_info *method; /* method that the world had when `mode` was chosen */
    const pd_view_mode *mode;     /* view mode that is drawn */
    pd_view_lines lines;          /* lines over the view */
    /* Value of --view; NULL: none. The present method may lack this view, if a log changes the method. */
    const char *view_name;
} world_picture;

/* Plan of a recording: size and contents of the pictures, times of the frames. */
typedef struct plan {
    pd_sink_kind kind;          /* kind of the recording */
    pd_pixels pixels;           /* size and format of the frames */
    int palette;                /* index of the palette */
    bool no_legend, no_outline; /* draw neither the legend, nor the outline of the container */
    bool plain;                 /* the background has one colour, not a gradient */
    float background[3];        /* colour of a plain background: red, green, blue, 0 to 1 */
    pd_vec2 camera;             /* point of the world in the middle of the picture, m; used if zoom > 0 */
    float zoom;                 /* magnification; 0: the whole view, centred */
    world_picture pictures[2];
    int world_count;  /* number of elements of `pictures`: 2 under --compare, else 1 */
    log_input *input; /* log whose commands are applied to both worlds; NULL: none */
    double dt;        /* simulated time of a step, s */
    uint64_t first;   /* step before the first frame, from --start */
    /* Steps at which frames are due, limited by --steps and --frames; its times are in seconds of the video. */
    pd_frame_clock clock;
    bool still;         /* the recording is a single frame, drawn after the last step */
    double still_alpha; /* time of the still within the last step: 0 at the step's begin, 1 at its end */
} plan;

typedef struct graphics {
    pd_offscreen *offscreen;
    pd_renderer *renderer;
    ui *ui;
    pd_canvas canvas;
    pd_sink *sink;
    float scale;                         /* pixels per interface unit, for lines and text */
    double simulating, drawing, waiting; /* wall time of stepping, of drawing, of waiting for the frames' encoder, s */
    progress progress;
} graphics;

/* Report of a recording: number of frames, and wall time of its stages. */
typedef struct summary {
    pd_sink_report recorded;             /* number of frames; wall time of conversion and encoding */
    double simulating, drawing, waiting; /* as in `graphics` */
    double all;                          /* wall time of the whole recording, s */
} summary;

/* Writes the advice for an end after --start: values that the flags accept and that are long enough. needed: number of steps. */
static void advise_end(double needed, double dt, char *text, size_t size) {
    double seconds = needed * dt, unit = fmin(1e-3, pow(10, floor(log10(seconds)) - 3));
    seconds = ceil(seconds / unit) * unit;
    if (needed > flag_find("--steps")->high || seconds > flag_find("--seconds")->high)
        snprintf(text, size, "use a smaller --start");
    else
        snprintf(text, size, "use --steps %.0f, --seconds %.13g or more", needed, seconds);
}

/* Fails if the recording would have no frames. */
static pd_result check_plan_has_frames(const plan *plan, pd_error *error) {
    const pd_frame_clock *clock = &plan->clock;
    if (plan->still || clock->last_frame > clock->frames) return PD_OK;
    double frame = clock->every_step ? 1 : 1 / (clock->dt * clock->fps); /* time between two frames, in steps */
    double needed = fmax(ceil((double)(clock->frames + 1) * frame - 1e-2 * frame), 1);
    char advice[80];
    advise_end(needed, plan->dt, advice, sizeof advice);
    const char *plural = clock->last_step == 1 ? "" : "s";
    if (clock->frames)
        return pd_fail(error, PD_ERROR_USAGE,
                       "render would draw no frame: the end, %lld step%s of %.4g s, comes before --start (%s)",
                       clock->last_step, plural, plan->dt, advice);
    return pd_fail(error, PD_ERROR_USAGE,
                   "render would draw no frame: %lld step%s of %.4g s %s shorter than a frame at %g fps (use --steps "
                   "%.0f or more)",
                   clock->last_step, plural, plan->dt, clock->last_step == 1 ? "is" : "are", clock->fps, needed);
}

/* Sets size and format of the frames as the kind of recording allows: a video's sides are even. */
static void choose_frame_format(plan *plan, const options *options) {
    plan->pixels.width = options->width > 0 ? options->width : 1280;
    plan->pixels.height = options->height > 0 ? options->height : 720;
    pd_pixels wanted = plan->pixels;
    plan->pixels.deep = options->depth == 16;
    plan->pixels.alpha = options_is_transparent(options);
    pd_sink_round_size_to_even(plan->kind, &plan->pixels);
    if (!options->quiet && (plan->pixels.width != wanted.width || plan->pixels.height != wanted.height))
        fprintf(stderr, "puddle: warning: the video is %d x %d pixels: its format needs an even width and height\n",
                plan->pixels.width, plan->pixels.height);
}

static void divide_frame_between_worlds(plan *plan, pd_world *const worlds[2]) {
    int count = worlds[1] ? 2 : 1, width = plan->pixels.width / count;
    plan->world_count = count;
    for (int i = 0; i < count; i++) {
        world_picture *world_picture = &plan->pictures[i];
        world_picture->world = worlds[i];
        world_picture->method = pd_world_method(worlds[i]);
        world_picture->area =
            (pd_pixel_area){i * width, 0, i + 1 < count ? width : plan->pixels.width - i * width, plan->pixels.height};
    }
}

/* Chooses the view mode after the world's method changed: the view of --view, otherwise the view with the name of the
 * previous view, otherwise the method's first one. The lines become those of the view. */
static void choose_view_of_method(world_picture *world_picture, const pd_view *view) {
    const pd_method_info *method = pd_world_method(world_picture->world);
    const pd_view_mode *mode = world_picture->view_name ? pd_method_find_view(method, world_picture->view_name) : NULL;
    if (!mode && world_picture->mode) mode = pd_method_find_view(method, world_picture->mode->name);
    world_picture->method = method;
    world_picture->mode = mode ? mode : pd_method_view_at(method, 0);
    world_picture->lines = pd_lines_can_be_drawn(view, world_picture->mode, world_picture->mode->lines)
                               ? world_picture->mode->lines
                               : PD_LINES_NONE;
}

static bool is_view_of_some_method(const char *name) {
    for (int i = 0; i < pd_method_count(); i++)
        if (pd_method_find_view(pd_method_at(i), name)) return true;
    return false;
}

/* Finds the views and lines that --view and --lines give for the worlds. has_log: a log may change the method, or the
 * method may be a second one, so --view may be a view of any method. */
static pd_result choose_views(plan *plan, const options *options, bool has_log, pd_error *error) {
    pd_result result = PD_OK;
    pd_view view;
    for (int i = 0; !result && i < plan->world_count; i++) {
        world_picture *world_picture = &plan->pictures[i];
        world_picture->view_name = options->view;
        result = options_find_view(options, world_picture->world, &world_picture->mode, error);
        if (!result)
            result =
                options_find_lines(options, world_picture->world, world_picture->mode, &world_picture->lines, error);
        if (world_picture->mode || !has_log || !is_view_of_some_method(options->view)) continue;
        pd_world_view(world_picture->world, &view);
        choose_view_of_method(world_picture, &view);
        result = PD_OK;
    }
    return result;
}

/* Sets the times at which frames are drawn. fps: frames per second of the video; 0: one frame per step. */
static void choose_frame_times(plan *plan, const options *options, double fps) {
    double dt = plan->dt, speed = options->speed > 0 ? options->speed : 1;
    double start = options->start > 0 ? options->start : 0;
    long long steps = options_count_steps(options, dt);
    if (!options_has_end(options))
        steps = options->frames > 0 ? LLONG_MAX : (long long)ceil((start + default_seconds) / dt - 1e-6);
    if (!(fps > 0) && speed != 1) fps = fmax(1, round(1 / dt));
    pd_frame_clock_begin(&plan->clock, fps, dt / speed);
    pd_frame_clock_skip(&plan->clock, start / speed);
    pd_frame_clock_set_limits(&plan->clock, steps, options->frames);
    plan->first = (uint64_t)(start / dt + 1e-6);
    plan->still = plan->kind == PD_SINK_STILL;
    plan->still_alpha = 1;
    if (options->at >= 0) plan->still_alpha = fmin(fmax(options->at / dt - (double)(steps - 1), 0), 1);
}

static pd_result make_plan(plan *plan, const options *options, pd_world *const worlds[2], pd_error *error) {
    pd_result result = pd_sink_find_kind(options->output, &plan->kind, error);
    if (result) return result;
    double fps = pd_sink_choose_fps(plan->kind, options->fps);
    choose_frame_format(plan, options);
    divide_frame_between_worlds(plan, worlds);
    plan->palette = options->palette ? pd_palette_find(options->palette) : 0;
    plan->no_legend = options->no_legend;
    plan->no_outline = options->no_outline;
    plan->camera = options->camera;
    plan->zoom = (float)options->zoom;
    plan->plain = options->background && !options_is_transparent(options);
    for (int i = 0; i < 3; i++) plan->background[i] = (float)options->color[i] / 255;
    plan->dt = (double)pd_world_scene(worlds[0])->dt;
    choose_frame_times(plan, options, fps);
    return check_plan_has_frames(plan, error);
}

enum { METHODS_TEXT_BYTES = 2 * PD_MAX_METHOD_NAME };

/* Returns the description of the next frames: scene, method, seed. methods: buffer for the names of both methods. */
static pd_sink_part describe_next_frames(const plan *plan, char methods[METHODS_TEXT_BYTES]) {
    const pd_scene *scene = pd_world_scene(plan->pictures[0].world);
    bool two = plan->world_count > 1;
    snprintf(methods, METHODS_TEXT_BYTES, "%s%s%s", plan->pictures[0].method->name, two ? "," : "",
             two ? plan->pictures[1].method->name : "");
    return (pd_sink_part){scene->name, methods, scene->seed};
}

/* Returns whether text is drawn over the frames: a legend, or the names of two methods. */
static bool has_text(const plan *plan) {
    pd_view view;
    pd_legend legend;
    pd_world_view(plan->pictures[0].world, &view);
    return !plan->no_legend &&
           (plan->world_count > 1 || pd_picture_find_legend(&view, plan->pictures[0].mode, &legend));
}

/* Returns the scene that the first frame shows. A log may open other scenes before this frame. */
static const pd_scene *find_first_scene(const plan *plan, const pd_log *log) {
    const pd_scene *scene = pd_world_scene(plan->pictures[0].world);
    if (plan->input) log = plan->input->log;
    for (int i = 0; log && i < pd_log_commands(log); i++) {
        uint64_t tick;
        const pd_command *command = pd_log_command(log, i, &tick);
        if (tick > plan->first) break;
        if (command->kind == PD_COMMAND_SCENE) scene = command->is.scene;
    }
    return scene;
}

/* Creates OpenGL context, canvas, renderer and recording, before the first step. The recording is created last, so that no
 * file remains if OpenGL fails. */
static pd_result open_graphics(graphics *graphics, const plan *plan, const options *options, const pd_log *log,
                               pd_error *error) {
    char methods[METHODS_TEXT_BYTES];
    pd_sink_info info = {.pixels = plan->pixels,
                         .fps = plan->clock.fps,
                         .quality = (pd_quality)options->quality,
                         .part = describe_next_frames(plan, methods)};
    info.part.scene = find_first_scene(plan, log)->name;
    /* Lines and text are larger in larger frames: the scale is 1 at 1280 x 720, in steps of 1/2. */
    graphics->scale =
        fmaxf(1, roundf(2 * fminf((float)plan->pixels.width / 1280, (float)plan->pixels.height / 720)) / 2);
    pd_result result = pd_offscreen_create(&graphics->offscreen, error);
    if (!result) result = pd_canvas_create_with_format(&graphics->canvas, &plan->pixels, 0, error);
    if (!result) result = pd_renderer_create(&graphics->renderer, error);
    if (!result && has_text(plan)) result = ui_create(&graphics->ui, NULL, graphics->scale, error);
    if (!result) result = pd_sink_create(&graphics->sink, options->output, &info, options->force, error);
    if (!result && !options->quiet && *pd_sink_encoder_note(graphics->sink))
        fprintf(stderr, "puddle: warning: %s\n", pd_sink_encoder_note(graphics->sink));
    return result;
}

/* Draws the method's title into a half of the frame, and the line between the halves. A title that is too long is replaced
 * by the method's name. */
static void draw_caption(ui *gui, const world_picture *world_picture) {
    static const float EDGE = 10, INSET_X = 12, INSET_Y = 8, rim[3] = {0.30f, 0.34f, 0.44f};
    const char *texts[] = {world_picture->method->title, world_picture->method->name};
    float room = ui_width(gui) - 2 * EDGE, width, height;
    ui_draw_box(gui, world_picture->area.x > 0 ? 0 : ui_width(gui) - 1, 0, 1, ui_height(gui), 0, rim, 1);
    for (int i = 0; i < 2; i++) {
        ui_measure_text(gui, UI_SMALL, texts[i], 0, &width, &height);
        if (width + 2 * INSET_X > room || height + 2 * INSET_Y + EDGE > 0.25f * ui_height(gui)) continue;
        ui_draw_plate(gui, EDGE, EDGE, width + 2 * INSET_X, height + 2 * INSET_Y, 1.1f);
        ui_draw_text(gui, EDGE + INSET_X, EDGE + INSET_Y, UI_SMALL, UI_STRONG, 1, 0, texts[i]);
        return;
    }
}

/* Lays out legend and caption over the picture of one world, and leaves room for the legend. Returns false if there is neither
 * legend nor caption. */
static bool lay_out_text(graphics *graphics, const plan *plan, const world_picture *world_picture,
                         pd_picture *picture) {
    ui *gui = graphics->ui;
    pd_legend legend;
    bool has_legend = gui && pd_picture_find_legend(picture->view, world_picture->mode, &legend);
    if (!gui || (!has_legend && plan->world_count == 1)) return false;
    ui_begin_frame(gui, picture->width, picture->height, (float)plan->dt);
    ui_legend_place place = {ui_width(gui), ui_height(gui), ui_width(gui), ui_height(gui)};
    float left, top, width, height;
    if (has_legend) ui_measure_legend(gui, &legend, &place, &left, &top, &width, &height);
    if (plan->world_count > 1 && has_legend && (left < 0 || top < 0))
        has_legend = false; /* a half of the frame is too small for a legend */
    if (has_legend) ui_draw_legend(gui, &legend, plan->palette, &place);
    if (has_legend && !(plan->zoom > 0))
        ui_reserve_legend(gui, &legend, &place, picture->view, picture->width, picture->height, graphics->scale,
                          &picture->framing);
    if (plan->world_count > 1) draw_caption(gui, world_picture);
    ui_end_frame_undrawn(gui);
    return true;
}

static void draw_world_picture(graphics *graphics, const plan *plan, world_picture *world_picture, double alpha) {
    pd_view view;
    pd_world_view(world_picture->world, &view);
    if (pd_world_method(world_picture->world) != world_picture->method)
        choose_view_of_method(world_picture, &view); /* a command of the log changed the method */
    pd_picture picture = {.view = &view,
                          .mode = world_picture->mode,
                          .lines = world_picture->lines,
                          .palette = plan->palette,
                          .alpha = (float)alpha,
                          .width = world_picture->area.width,
                          .height = world_picture->area.height,
                          .scale = graphics->scale,
                          .transparent = plan->pixels.alpha,
                          .plain = plan->plain,
                          .no_outline = plan->no_outline,
                          .no_sources = plan->no_outline,
                          .deep = plan->pixels.deep};
    memcpy(picture.background, plan->background, sizeof picture.background);
    if (plan->zoom > 0)
        picture.framing = (pd_framing){.zoom = plan->zoom,
                                       .shift = {plan->camera.x - 0.5f * (view.low.x + view.high.x),
                                                 plan->camera.y - 0.5f * (view.low.y + view.high.y)}};
    bool text = lay_out_text(graphics, plan, world_picture, &picture);
    ui_draw_picture(text ? graphics->ui : NULL, world_picture->area.x, graphics->renderer, &graphics->canvas,
                    &world_picture->area, &picture);
}

static pd_result draw_frame(graphics *graphics, plan *plan, outputs *outputs, double alpha, pd_error *error) {
    double begun = pd_now();
    for (int i = 0; i < plan->world_count; i++) draw_world_picture(graphics, plan, &plan->pictures[i], alpha);
    char methods[METHODS_TEXT_BYTES];
    pd_sink_part part = describe_next_frames(plan, methods);
    pd_sink_begin_part(graphics->sink, &part);
    double drawn = pd_now();
    pd_result result = end_if_output_closed(pd_sink_add_frame(graphics->sink, graphics->canvas.rgb, error), error);
    graphics->drawing += drawn - begun;
    graphics->waiting += pd_now() - drawn;
    return result ? result : outputs_write_surface(outputs, plan->pictures[0].world, alpha, error);
}

/* Draws the frames that are due in the step just computed, interpolated between its begin and its end. */
static pd_result draw_frames_of_step(graphics *graphics, plan *plan, outputs *outputs, pd_error *error) {
    pd_result result = PD_OK;
    double alpha;
    pd_frame_clock_count_step(&plan->clock);
    while (!result && !plan->still && pd_frame_clock_count_due_frame(&plan->clock, &alpha))
        result = draw_frame(graphics, plan, outputs, alpha, error);
    return result;
}

/* Applies the log's commands to each world and steps each world. Sets *complete to false if a signal ended a step early. */
static pd_result step_worlds(const plan *plan, outputs *outputs, bool *complete, pd_error *error) {
    pd_result result = plan->input ? log_input_apply_commands(plan->input, error) : PD_OK;
    *complete = true;
    for (int i = 0; i < plan->world_count && !result && *complete; i++)
        result = outputs_step_world(outputs, plan->pictures[i].world, complete, error);
    if (plan->input && !result && *complete) log_input_count_step(plan->input);
    return result;
}

static pd_result draw_frames(graphics *graphics, plan *plan, const options *options, pd_log *log, pd_error *error) {
    /* Only the first world has files: check_flags_with_compare forbids them for two worlds. */
    pd_world *world = plan->pictures[0].world;
    outputs *outputs;
    progress *progress = &graphics->progress;
    pd_frame_clock *clock = &plan->clock;
    pd_result result = outputs_begin(&outputs, options, error);
    if (result) return result;
    outputs_set_log(outputs, log);
    result = outputs_open_tables(outputs, error);
    long long skipped = clock->frames, last = plan->still ? clock->last_step : clock->last_frame - skipped;
    progress_begin(progress, plan->still ? "step" : "frame", last, options->quiet, options->progress);
    while (!result && clock->steps < clock->last_step && !is_interrupted()) {
        if (options->frames > 0 && clock->frames >= clock->last_frame) break;
        double begun = pd_now();
        bool complete;
        result = step_worlds(plan, outputs, &complete, error);
        if (!complete) break;
        graphics->simulating += pd_now() - begun;
        if (!result) result = outputs_write_after_step(outputs, world, error);
        if (!result) result = draw_frames_of_step(graphics, plan, outputs, error);
        progress_update(progress, plan->still ? clock->steps : clock->frames - skipped);
    }
    if (!result && plan->still && !is_interrupted())
        result = draw_frame(graphics, plan, outputs, plan->still_alpha, error);
    if (result) {
        outputs_end(outputs, NULL, NULL);
        return result;
    }
    return outputs_end(outputs, world, error);
}

/* Draws all frames of a recording. worlds[1]: NULL without --compare. log: log to replay in worlds[0], or NULL. input: log to
 * replay in both worlds, or NULL. */
static pd_result render_frames(const options *options, pd_world *const worlds[2], pd_log *log, log_input *input,
                               summary *done, pd_error *error) {
    plan plan = {.input = input};
    graphics graphics = {0};
    double begun = pd_now();
    pd_result result = make_plan(&plan, options, worlds, error);
    if (!result) result = choose_views(&plan, options, log || input, error);
    if (!result) result = open_graphics(&graphics, &plan, options, log, error);
    if (!result) result = draw_frames(&graphics, &plan, options, log, error);
    if (graphics.sink) {
        /* The first failure is reported. If writing a frame failed, the message of pd_sink_finish has more details than
         * `error`. */
        pd_error finish_error;
        progress_show_note(
            &graphics.progress,
            "finishing the recording"); /* it may take long: most of a GIF is encoded after its last frame */
        pd_result finished =
            end_if_output_closed(pd_sink_finish(graphics.sink, !result, &done->recorded, &finish_error), &finish_error);
        progress_end(&graphics.progress);
        if (finished && (!result || error->code == finish_error.code)) *error = finish_error;
        if (!result) result = finished;
    }
    done->simulating = graphics.simulating;
    done->drawing = graphics.drawing;
    done->waiting = graphics.waiting;
    done->all = pd_now() - begun;
    ui_destroy(graphics.ui);
    pd_renderer_destroy(graphics.renderer);
    if (graphics.canvas.framebuffer) pd_canvas_destroy(&graphics.canvas);
    pd_offscreen_destroy(graphics.offscreen);
    return result;
}

/* Prints the report as JSON. Under --compare the array "compared" has statistics, impulses and hash of each world. */
static int print_json(const options *options, pd_world *const worlds[2], const summary *done) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "scene", pd_world_scene(worlds[0])->name);
    if (!worlds[1]) cJSON_AddStringToObject(object, "method", pd_world_method(worlds[0])->name);
    cJSON_AddStringToObject(object, "output", options->output);
    cJSON_AddNumberToObject(object, "frames", done->recorded.frames);
    if (worlds[1])
        json_add_compared_worlds(object, worlds);
    else
        json_add_world(object, worlds[0]);
    /* Adds the key "seconds" with the wall time of each stage. Stages overlap, because other threads convert and
     * encode frames. */
    cJSON *seconds = cJSON_AddObjectToObject(object, "seconds");
    cJSON_AddNumberToObject(seconds, "simulating", done->simulating);
    cJSON_AddNumberToObject(seconds, "drawing", done->drawing);
    cJSON_AddNumberToObject(seconds, "waiting", done->waiting);
    cJSON_AddNumberToObject(seconds, "converting", done->recorded.converting);
    cJSON_AddNumberToObject(seconds, "encoding", done->recorded.encoding);
    cJSON_AddBoolToObject(object, "interrupted", is_interrupted());
    return json_print(object);
}

pd_result render_world(const options *options, pd_world *world, pd_log *log, pd_error *error) {
    summary done = {0};
    return render_frames(options, (pd_world *[]){world, NULL}, log, NULL, &done, error);
}

pd_result render_log_input(const options *options, log_input *input, pd_error *error) {
    summary done = {0};
    return render_frames(options, input->worlds, NULL, input, &done, error);
}

/* Creates the world of the command line, or under --compare one world for each of the two methods. */
static pd_result create_worlds(const options *given, pd_world *worlds[2], pd_error *error) {
    options of_method = *given;
    if (!given->compared[0]) return options_create_world(given, &worlds[0], error);
    pd_result result = PD_OK;
    for (int i = 0; !result && i < 2; i++) {
        of_method.method = given->compared[i]->name;
        result = options_create_world(&of_method, &worlds[i], error);
    }
    return result;
}

int command_render(const options *options) {
    pd_error error;
    pd_world *worlds[2] = {NULL, NULL};
    summary done = {0};
    bool streams = strcmp(options->output, "-") == 0;
    if (pd_sink_check_path(options->output, options->force, &error)) return report_error(&error);
    pd_result result = create_worlds(options, worlds, &error);
    for (int i = 0; !result && i < 2 && worlds[i]; i++) report_warnings(options, worlds[i]);
    if (!result) result = render_frames(options, worlds, NULL, NULL, &done, &error);
    int code = 0;
    if (result)
        code = report_error(&error);
    else if (options->json)
        code = print_json(options, worlds, &done);
    else if (!options->quiet && !streams)
        printf("%d frame%s in %s, %.1f s%s\n", done.recorded.frames, done.recorded.frames == 1 ? "" : "s",
               options->output, done.all, is_interrupted() ? " (interrupted)" : "");
    for (int i = 0; i < 2; i++) pd_world_destroy(worlds[i]);
    return code;
}
