/* The dialog that exports the session's log as a video, and the plate with the progress of an export. */
#include "app/overlay/interface.h"

#include "core/error.h"
#include "render/palette.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float PLATE_WIDTH = 280, PLATE_HEIGHT = 92, PADDING = 12; /* units */
enum { OWN_SIZE = 6, LEAST_SIZE = 16, MOST_SIZE = 16384, MOST_CHOICES = 32, MOST_RATES = 6 };

/* The size {0, 0} is that of the window. */
static const int sizes[OWN_SIZE][2] = {{0, 0}, {1280, 720}, {1920, 1080}, {3840, 2160}, {1080, 1080}, {1080, 1920}};
/* Simulated time / time of the video is 2^(index - REAL_TIME), as with pd_session.speed_exponent. */
enum { REAL_TIME = 3, SPEEDS = 7 };
enum { BACKGROUND_OF_WINDOW, BACKGROUND_NONE };

typedef struct format {
    pd_sink_kind kind;
    const char *title, *suffix;
    double rates[MOST_RATES]; /* frames per second; the rest is 0 */
    int usual;                /* index of the rate that is chosen first */
} format;

static const format formats[] = {{PD_SINK_MP4, "MP4 video", ".mp4", {30, 60}, 0},
                                 {PD_SINK_WEBM, "WebM video", ".webm", {30, 60}, 0},
                                 {PD_SINK_MOV, "MOV video for editing (ProRes)", ".mov", {30, 60}, 0},
                                 {PD_SINK_GIF, "GIF", ".gif", {10, 12.5, 20, 25, 30, 50}, 3},
                                 {PD_SINK_FOLDER, "Folder of PNG pictures", "", {30, 60}, 0}};
enum { FORMATS = sizeof formats / sizeof *formats };

static const format *chosen_format(const pd_export_dialog *export) { return &formats[export->format]; }

static bool open_form(pd_screen *screen, pd_action action) {
    pd_export_dialog *export = &screen->viewport->export;
    const pd_session *session = screen->session;
    const pd_method_info *method = pd_world_method(session->world);
    (void)action;
    pd_scene_ticks scene = {0};
    if (session->log) scene = pd_session_find_scene_ticks(session, pd_log_tick(session->log));
    const char *reason = screen->exporter->process  ? "another export is running"
                         : !session->log            ? "no memory for the log"
                         : scene.begin == scene.end ? "no step was made"
                                                    : NULL;
    if (reason) {
        pd_announce(session->announcer, "Cannot export: %s", reason);
        return false;
    }
    export->from = scene.begin;
    export->to = scene.end;
    for (export->view = 0; pd_method_view_at(method, export->view) != screen->viewport->mode;) export->view++;
    export->palette = screen->viewport->palette;
    export->speed = session->speed_exponent + REAL_TIME;
    if (!export->quality) export->quality = PD_QUALITY_HIGH;
    pd_file_fields_begin(&export->file, session);
    return true;
}

/* Computes the size of the pictures. False: the text of the own size is no size. */
static bool picture_size(const pd_screen *screen, int size[2]) {
    const pd_export_dialog *export = &screen->viewport->export;
    size[0] = screen->display->width;
    size[1] = screen->display->height;
    if (export->size > 0 && export->size < OWN_SIZE) memcpy(size, sizes[export->size], sizeof sizes[0]);
    if (export->size < OWN_SIZE) return true;
    char end;
    int found = sscanf(export->own_size, "%dx%d%c", &size[0], &size[1], &end);
    return found == 2 && size[0] >= LEAST_SIZE && size[0] <= MOST_SIZE && size[1] >= LEAST_SIZE && size[1] <= MOST_SIZE;
}

static void update_path(pd_export_dialog *export) {
    pd_file_fields_update(&export->file, chosen_format(export)->suffix);
    export->file.exists = pd_os_exists(export->file.path);
}

static bool has_quality(const pd_export_dialog *export) {
    return chosen_format(export)->kind == PD_SINK_MP4 || chosen_format(export)->kind == PD_SINK_WEBM;
}

static bool is_transparent(const pd_export_dialog *export) {
    return pd_sink_has_alpha(chosen_format(export)->kind) && export->background == BACKGROUND_NONE;
}

/* Sets what the pictures show, as the window does: part of the container, panes, legend, outline and background. */
static void describe_contents(const pd_screen *screen, pd_export *export) {
    const pd_viewport *viewport = screen->viewport;
    const pd_view *view = &viewport->view;
    const pd_zoom *zoom = &viewport->zoom;
    const pd_picture_switches *switches = &viewport->switches;
    const uint8_t *background = switches->background;
    if (screen->session->second.world)
        snprintf(export->compare, sizeof export->compare, "%s,%s", pd_world_method(screen->session->world)->name,
                 pd_world_method(screen->session->second.world)->name);
    if (zoom->factor > 1 && viewport->export.camera == 0)
        snprintf(export->camera, sizeof export->camera, "%.7g,%.7g,%.7g",
                 (double)(0.5f * (view->low.x + view->high.x) + zoom->shift.x),
                 (double)(0.5f * (view->low.y + view->high.y) + zoom->shift.y), (double)zoom->factor);
    if (is_transparent(&viewport->export))
        snprintf(export->background, sizeof export->background, "none");
    else if (switches->plain)
        snprintf(export->background, sizeof export->background, "%02x%02x%02x", background[0], background[1],
                 background[2]);
    export->no_legend = switches->no_legend;
    export->no_outline = switches->no_outline;
}

/* Writes the log and starts the process that draws it. */
static pd_result start(const pd_screen *screen, const int size[2], pd_error *error) {
    const pd_export_dialog *export = &screen->viewport->export;
    const pd_session *session = screen->session;
    const pd_viewport *viewport = screen->viewport;
    const pd_view_mode *mode = pd_method_view_at(pd_world_method(session->world), export->view);
    pd_view_lines lines = pd_viewport_lines(viewport);
    pd_export drawn = {.width = size[0],
                       .height = size[1],
                       .fps = chosen_format(export)->rates[export->rate],
                       .speed = ldexp(1, export->speed - REAL_TIME),
                       .quality = has_quality(export) ? pd_quality_name((pd_quality) export->quality) : NULL,
                       .view = mode->name,
                       .palette = pd_palette_name(export->palette)};
    describe_contents(screen, &drawn);
    /* Tick at which the written log begins. Two methods begin together with the scene. */
    uint64_t since = 0, from = *drawn.compare ? pd_session_find_scene_ticks(session, export->from).begin : export->from;
    pd_log_find_keyframe_before(session->log, from + 1, &since);
    pd_result result = pd_exporter_prepare(screen->exporter, export->file.path, export->file.exists, error);
    if (result) return result;
    result = pd_log_write(session->log, session->world, since, screen->exporter->log, error);
    if (result) {
        pd_exporter_cancel(screen->exporter, false);
        return result;
    }
    if (mode == viewport->mode && lines != mode->lines && !*drawn.compare) drawn.lines = pd_lines_name(lines);
    drawn.start = (double)(export->from - since) * session->pace.dt;
    drawn.steps = (long long)(export->to - since);
    return pd_exporter_start(screen->exporter, &drawn, error);
}

static void accept(pd_screen *screen, bool key) {
    pd_export_dialog *export = &screen->viewport->export;
    int size[2];
    pd_error error;
    update_path(export);
    if (!picture_size(screen, size)) {
        snprintf(export->file.problem, sizeof export->file.problem, "The size is '%s' (use 16x16 to 16384x16384)",
                 export->own_size);
        return;
    }
    if (!pd_file_fields_accept(&export->file, key)) return;
    if (start(screen, size, &error)) {
        snprintf(export->file.problem, sizeof export->file.problem, "%s", error.message);
        return;
    }
    pd_file_fields_end(&export->file);
    pd_dialog_close(screen);
}

/* ---- Rows ---- */

/* Draws a slider for a tick of the scene, from `low` to `high`, with the numbers of the time line. */
static void draw_time(const pd_screen *screen, const char *label, const pd_scene_ticks *scene, uint64_t low,
                      uint64_t high, uint64_t *tick) {
    const pd_session *session = screen->session;
    double length = (double)(scene->end - scene->begin), dt = session->pace.dt, goal = (double)(*tick - scene->begin);
    double time = pd_session_time_of_tick(session, scene, *tick);
    char text[32];
    ui_slider slider = {.label = label,
                        .help = "Part of the time line to export\nCtrl+click types seconds",
                        .text = pd_app_format_time(time, text, sizeof text),
                        .fraction = (float)(goal / length),
                        .value = (float)time};
    ui_change change = ui_draw_slider(screen->gui, &slider);
    if (change == UI_MOVED) goal = (double)slider.fraction * length;
    if (change == UI_TYPED) goal += ((double)slider.value - time) / dt;
    *tick = (uint64_t)fmin(fmax(round((double)scene->begin + goal), (double)low), (double)high);
}

static void draw_menu(ui *gui, const char *label, const char *const *titles, int count, int *index) {
    ui_draw_row_label(gui, label);
    ui_choose_unlabelled(gui, label, titles, NULL, count, index);
}

static void draw_size(const pd_screen *screen) {
    pd_export_dialog *export = &screen->viewport->export;
    char window[48];
    snprintf(window, sizeof window, "As the window, %d × %d", screen->display->width, screen->display->height);
    const char *titles[] = {
        window,    "1280 × 720", "1920 × 1080", "3840 × 2160 (4K)", "1080 × 1080, square", "1080 × 1920, upright",
        "Own size"};
    draw_menu(screen->gui, "Size", titles, OWN_SIZE + 1, &export->size);
    if (export->size != OWN_SIZE) return;
    ui_draw_row_label(screen->gui, "Own size");
    if (ui_edit_text(screen->gui, "Own size", "1024x768", UI_FOCUS_BY_CLICK, export->own_size,
                     sizeof export->own_size) == UI_MOVED)
        *export->file.problem = '\0';
}

static void draw_views(const pd_screen *screen) {
    pd_export_dialog *export = &screen->viewport->export;
    const pd_method_info *method = pd_world_method(screen->session->world);
    const char *views[MOST_CHOICES], *palettes[MOST_CHOICES];
    for (int i = 0; i < method->view_count && i < MOST_CHOICES; i++) views[i] = pd_method_view_at(method, i)->name;
    for (int i = 0; i < pd_palette_count() && i < MOST_CHOICES; i++) palettes[i] = pd_palette_name(i);
    PD_ASSERT(method->view_count <= MOST_CHOICES && pd_palette_count() <= MOST_CHOICES);
    draw_menu(screen->gui, "View", views, method->view_count, &export->view);
    draw_menu(screen->gui, "Camera", (const char *[]){"As in the window", "Whole container"}, 2, &export->camera);
    draw_menu(screen->gui, "Palette", palettes, pd_palette_count(), &export->palette);
    if (pd_sink_has_alpha(chosen_format(export)->kind))
        draw_menu(screen->gui, "Background", (const char *[]){"As in the window", "Transparent"}, 2,
                  &export->background);
}

/* Returns the index of a rate in a format, or of the usual one if the format does not have the rate. */
static int find_rate(const format *format, double rate) {
    int index = 0;
    while (index < MOST_RATES && format->rates[index] != rate) index++;
    return index < MOST_RATES ? index : format->usual;
}

static void draw_quality(ui *gui, pd_export_dialog *export) {
    const char *names[PD_QUALITIES];
    int index = export->quality - 1; /* without the default */
    for (int i = 0; i < PD_QUALITIES - 1; i++) names[i] = pd_quality_name((pd_quality)(i + 1));
    draw_menu(gui, "Quality", names, PD_QUALITIES - 1, &index);
    export->quality = index + 1;
}

/* Draws the menu of speeds. The window's speed, which is chosen first, is marked. */
static void draw_speeds(const pd_screen *screen) {
    static const char *const names[SPEEDS] = {
        "1/8, slow motion", "1/4, slow motion", "1/2, slow motion", "1, real time", "2", "4", "8"};
    const char *titles[SPEEDS];
    char marked[48];
    int window = screen->session->speed_exponent + REAL_TIME;
    snprintf(marked, sizeof marked, "%s, as in the window", names[window]);
    for (int i = 0; i < SPEEDS; i++) titles[i] = i == window ? marked : names[i];
    draw_menu(screen->gui, "Speed", titles, SPEEDS, &screen->viewport->export.speed);
}

static void draw_formats(const pd_screen *screen) {
    pd_export_dialog *export = &screen->viewport->export;
    const char *titles[FORMATS], *rates[MOST_RATES];
    char texts[MOST_RATES][24];
    int before = export->format, count = 0;
    for (int i = 0; i < FORMATS; i++) titles[i] = formats[i].title;
    draw_menu(screen->gui, "Format", titles, FORMATS, &export->format);
    if (export->format != before) export->rate = find_rate(chosen_format(export), formats[before].rates[export->rate]);
    for (; count < MOST_RATES && chosen_format(export)->rates[count] > 0; count++) {
        snprintf(texts[count], sizeof texts[count], "%.3g per second", chosen_format(export)->rates[count]);
        rates[count] = texts[count];
    }
    draw_menu(screen->gui, "Frames", rates, count, &export->rate);
    draw_speeds(screen);
    if (has_quality(export)) draw_quality(screen->gui, export);
}

static bool draw_rows(pd_screen *screen) {
    pd_export_dialog *export = &screen->viewport->export;
    pd_scene_ticks scene = pd_session_find_scene_ticks(screen->session, export->from);
    bool chosen = true;
    ui_scroll_begin(screen->gui, "rows", screen->viewport->dialog.plate.height - 146);
    update_path(export);
    pd_file_fields_draw(screen->gui, &export->file);
    draw_time(screen, "From", &scene, scene.begin, export->to - 1, &export->from);
    draw_time(screen, "To", &scene, export->from + 1, scene.end, &export->to);
    draw_formats(screen);
    draw_size(screen);
    draw_views(screen);
    ui_scroll_end(screen->gui);
    return ui_draw_accept_button(screen->gui, export->file.exists ? "Replace" : "Export", &chosen);
}

const pd_dialog_form pd_export_form = {.width = 480,
                                       .height = 610,
                                       .title = "Export video",
                                       .note = "Enter exports; Esc closes",
                                       .open = open_form,
                                       .draw = draw_rows,
                                       .accept = accept};

/* ---- Progress ---- */

static void draw_progress(pd_screen *screen) {
    const pd_exporter *exporter = screen->exporter;
    ui *gui = screen->gui;
    char text[PD_MAX_PATH + 16];
    pd_plate plate = {.y = pd_panes_top(screen) + THEME_EDGE, .width = PLATE_WIDTH, .height = PLATE_HEIGHT};
    if (!exporter->process) return;
    plate.width = fminf(plate.width, pd_panes_end(screen) - 2 * THEME_EDGE);
    plate.x = pd_panes_end(screen) - THEME_EDGE - plate.width;
    pd_plate_add(screen->viewport, &plate);
    ui_window_begin(gui, "export", plate.x, plate.y, plate.width, plate.height, PADDING, 1);
    snprintf(text, sizeof text, "Exporting '%s'", pd_path_name(exporter->path));
    ui_draw_wrapped_text(gui, UI_SMALL, UI_STRONG, text);
    float fraction = exporter->frames > 0 ? (float)exporter->done / (float)exporter->frames : 0;
    snprintf(text, sizeof text, "%lld of %lld frames", exporter->done, exporter->frames);
    ui_draw_progress_bar(gui, fraction, exporter->cancelled ? "Cancelling" : exporter->frames ? text : "Starting");
    if (ui_draw_button(gui, "Cancel export", "Ends the export without a file", 0, 1))
        pd_exporter_cancel(screen->exporter, false);
    ui_window_end(gui);
}

static bool is_running(const pd_screen *screen) { return screen->exporter->process != 0; }

static void ask_to_cancel(pd_screen *screen) {
    pd_exporter_ask_to_cancel(screen->exporter, screen->session->announcer);
}

const pd_layer pd_export_layer = {.is_open = is_running, .close = ask_to_cancel, .draw = draw_progress};
