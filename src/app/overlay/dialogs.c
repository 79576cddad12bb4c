/* The dialogs in the middle of the window: an empty container, saving a file, exporting a video, and the progress of an export. */
#include "app/overlay/interface.h"
#include "core/text.h"

#include "app/io/settings.h"
#include "core/error.h"
#include "render/palette.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Name and folder of a file ---- */

static const float MESSAGE_HEIGHT = 34; /* units: two lines */

/* Sets the name from the scene's, and the folder to the one used last. */
static void begin_fields(pd_file_fields *file, const pd_session *session) {
    *file = (pd_file_fields){0};
    pd_app_make_slug(pd_world_scene(session->world)->name, file->name, PD_MAX_NAME);
    pd_settings_find_output_folder(file->folder, sizeof file->folder);
}

/* Updates the path from the texts. suffix: ending that is added to a name without it. */
static void update_fields(pd_file_fields *file, const char *suffix) {
    char folder[PD_MAX_PATH], path[PD_MAX_PATH];
    pd_os_absolute_path(file->folder, NULL, folder, sizeof folder);
    pd_os_absolute_path(file->name, folder, path, sizeof path);
    snprintf(file->path, sizeof file->path, "%s%s", path, pd_text_ends_in(path, suffix) ? "" : suffix);
}

/* Returns whether the last part of the name has a character that is no space. */
static bool has_name(const pd_file_fields *file) {
    const char *last = pd_path_name(file->name);
    return last[strspn(last, " ")] != '\0';
}

static void draw_field(ui *gui, pd_file_fields *file, const char *label, const char *hint, ui_focus focus, char *text) {
    ui_draw_row_label(gui, label);
    if (ui_edit_text(gui, label, hint, focus, text, PD_MAX_PATH) != UI_MOVED) return;
    *file->problem = '\0';
    file->warned = false;
}

/* Draws the fields, and a line with the path or with the reason why the file cannot be written. */
static void draw_fields(ui *gui, pd_file_fields *file) {
    char text[PD_MAX_PATH + 64];
    const char *slash = strrchr(file->path, '/');
    draw_field(gui, file, "Name", "Name of the file", UI_FOCUS_FIRST, file->name);
    draw_field(gui, file, "Folder", "Folder of the file", UI_FOCUS_BY_CLICK, file->folder);
    if (*file->problem)
        snprintf(text, sizeof text, "%s", file->problem);
    else if (file->exists)
        snprintf(text, sizeof text, "'%s' exists. %s", slash + 1,
                 file->warned ? "Press Enter again to replace it." : "Choose another name, or replace it.");
    else
        snprintf(text, sizeof text, "%s", has_name(file) ? file->path : "");
    ui_scroll_begin(gui, "message", MESSAGE_HEIGHT);
    ui_draw_wrapped_text(gui, UI_SMALL, *file->problem || file->exists ? UI_WARNING : UI_QUIET, text);
    ui_scroll_end(gui);
}

/* Returns whether to write the file, after creating its folder. key: Enter was pressed, not the button. */
static bool accept_fields(pd_file_fields *file, bool key) {
    char folder[PD_MAX_PATH];
    pd_error error;
    *file->problem = '\0';
    if (!has_name(file)) {
        snprintf(file->problem, sizeof file->problem, "The file needs a name");
        return false;
    }
    if (strlen(file->path) > PD_MAX_PATH - 64) {
        snprintf(file->problem, sizeof file->problem, "The name is too long");
        return false;
    }
    if (file->exists && key && !file->warned) {
        file->warned = true;
        return false;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(file->path, '/') - file->path), file->path);
    int number = *folder ? pd_os_create_folders(folder, true, NULL) : 0;
    if (!number) return true;
    pd_fail_unwritable(folder, number, &error);
    snprintf(file->problem, sizeof file->problem, "%s", error.message);
    return false;
}

/* Saves the folder as a setting, after the file was written. */
static void save_folder(const pd_file_fields *file) {
    char folder[PD_MAX_PATH], before[PD_MAX_PATH];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(file->path, '/') - file->path), file->path);
    pd_settings_find_output_folder(before, sizeof before);
    if (strcmp(folder, before) != 0) pd_settings_save(PD_SETTING_FOLDER, *folder ? folder : "/", NULL);
}

/* ---- An empty container (Ctrl+N): its shape and size, the water in it, and the resolution ---- */

static const float LEAST = 0.1f, MOST = 100; /* least and greatest size of a container, m */

static const int counts[] = {1000, 4000, 15000}; /* numbers of particles that fill the container */

enum { ROW_SHAPE, ROW_SIZE, ROW_HEIGHT, ROW_FILL, ROW_RESOLUTION, ROW_BEGIN, NEW_SCENE_ROWS, RESOLUTIONS = 3 };

static bool open_new_scene(pd_screen *screen, pd_action action) {
    pd_new_scene *ask = &screen->viewport->new_scene;
    pd_container *c = &ask->scene.container;
    (void)action;
    if (!(c->radius > 0)) {
        *c = pd_world_scene(screen->session->world)->container;
        if (c->shape != PD_CONTAINER_CIRCLE) c->radius = 1;
        if (c->shape != PD_CONTAINER_BOX) c->width = 2;
        if (c->shape != PD_CONTAINER_BOX) c->height = 1;
        ask->scene.particles = counts[1];
    }
    ask->row = ROW_SHAPE;
    return true;
}

/* Returns whether the chosen shape has the row: "none" has neither size nor water, only a box has a height. */
static bool has_row(const pd_new_scene *ask, int row) {
    if (row == ROW_HEIGHT) return ask->scene.container.shape == PD_CONTAINER_BOX;
    return row == ROW_SHAPE || row == ROW_BEGIN || ask->scene.container.shape != PD_CONTAINER_NONE;
}

/* Returns the next size up or down (direction 1, -1) in 0.1, 0.125, 0.16, 0.2, 0.25, 0.32, 0.4, 0.5, 0.63, 0.8, 1, ... m. */
static float next_size(float size, int direction) {
    static const double steps[] = {1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8};
    float best = direction > 0 ? MOST : LEAST;
    for (double decade = 0.1; decade < 99; decade *= 10)
        for (int i = 0; i < 10; i++) {
            float next = (float)(decade * steps[i]);
            if (direction > 0 && next > 1.001f * size && next < best) best = next;
            if (direction < 0 && next < 0.999f * size && next > best) best = next;
        }
    return best;
}

static float *size_of(pd_new_scene *ask, int row) {
    pd_container *c = &ask->scene.container;
    if (row == ROW_HEIGHT) return &c->height;
    return c->shape == PD_CONTAINER_CIRCLE ? &c->radius : &c->width;
}

/* Returns the index of the chosen resolution in `counts`. */
static int resolution_of(const pd_new_scene *ask) {
    int index = 0;
    while (index < RESOLUTIONS - 1 && counts[index] < ask->scene.particles) index++;
    return index;
}

static void change_row(pd_new_scene *ask, int row, int direction) {
    const int shapes = PD_CONTAINER_NONE + 1;
    pd_container *c = &ask->scene.container;
    pd_fill_level *level = &ask->scene.level;
    if (row == ROW_SHAPE) c->shape = (pd_container_shape)(((int)c->shape + shapes + direction) % shapes);
    if (row == ROW_SIZE || row == ROW_HEIGHT) *size_of(ask, row) = next_size(*size_of(ask, row), direction);
    if (row == ROW_FILL) *level = (pd_fill_level)(((int)*level + PD_FILL_LEVELS + direction) % PD_FILL_LEVELS);
    if (row == ROW_RESOLUTION)
        ask->scene.particles = counts[(resolution_of(ask) + RESOLUTIONS + direction) % RESOLUTIONS];
}

/* Writes the value of a row. */
static void write_value(pd_new_scene *ask, int row, char *text, size_t size) {
    static const char *const shapes[] = {"circle", "box", "none"},
                             *const levels[] = {"none", "a quarter full", "half full"},
                             *const finenesses[] = {"coarse", "medium", "fine"};
    char count[16];
    if (row == ROW_SHAPE) snprintf(text, size, "%s", shapes[ask->scene.container.shape]);
    if (row == ROW_SIZE || row == ROW_HEIGHT) snprintf(text, size, "%.4g m", (double)*size_of(ask, row));
    if (row == ROW_FILL) snprintf(text, size, "%s", levels[ask->scene.level]);
    if (row == ROW_RESOLUTION)
        snprintf(text, size, "%s: %s if full", finenesses[resolution_of(ask)],
                 pd_app_format_count(ask->scene.particles, count, sizeof count));
}

static bool begin_scene(pd_screen *screen, bool key) {
    pd_empty_scene scene = screen->viewport->new_scene.scene;
    const pd_container *c = &screen->viewport->new_scene.scene.container;
    scene.container = (pd_container){.shape = c->shape, .slip = true};
    if (c->shape == PD_CONTAINER_CIRCLE) scene.container.radius = c->radius;
    if (c->shape == PD_CONTAINER_BOX) scene.container.width = c->width, scene.container.height = c->height;
    (void)key;
    pd_session_open_empty_scene(screen->session, &scene);
    return true;
}

static void handle_new_scene_key(pd_screen *screen, int code) {
    pd_new_scene *ask = &screen->viewport->new_scene;
    int step = code == PD_KEY_UP ? -1 : 1;
    if (code == PD_KEY_LEFT || code == PD_KEY_RIGHT) change_row(ask, ask->row, code == PD_KEY_LEFT ? -1 : 1);
    if (code != PD_KEY_UP && code != PD_KEY_DOWN && code != PD_KEY_TAB) return;
    do ask->row = (ask->row + NEW_SCENE_ROWS + step) % NEW_SCENE_ROWS;
    while (!has_row(ask, ask->row));
}

static bool draw_new_scene(pd_screen *screen) {
    pd_new_scene *ask = &screen->viewport->new_scene;
    bool round = ask->scene.container.shape == PD_CONTAINER_CIRCLE;
    const char *const labels[] = {"Shape", round ? "Radius" : "Width", "Height", "Water", "Particles"};
    for (int row = 0; row < ROW_BEGIN; row++) {
        char text[48];
        bool chosen = ask->row == row, shown = has_row(ask, row);
        write_value(ask, row, text, sizeof text);
        int step = ui_draw_step_row(screen->gui, labels[row], shown ? text : NULL, &chosen);
        if (step) change_row(ask, row, step);
        if (chosen) ask->row = row;
    }
    bool chosen = ask->row == ROW_BEGIN, pressed = ui_draw_accept_button(screen->gui, "Begin", &chosen);
    if (chosen) ask->row = ROW_BEGIN;
    return pressed;
}

/* ---- Saving a snapshot, a scene file or a log under a name ---- */

static bool open_save(pd_screen *screen, pd_action action) {
    pd_save_dialog *save = &screen->viewport->save;
    save->kind = action == PD_ACTION_SAVE         ? PD_FILE_SNAPSHOT
                 : action == PD_ACTION_SAVE_SCENE ? PD_FILE_SCENE
                                                  : PD_FILE_LOG;
    begin_fields(&save->file, screen->session);
    return true;
}

static void choose_kind(pd_save_dialog *save, int kind) {
    if (kind < 0 || kind >= PD_FILE_KINDS) return;
    save->kind = (pd_file_kind)kind;
    *save->file.problem = '\0';
    save->file.warned = false;
}

static void update_save_path(pd_save_dialog *save) {
    update_fields(&save->file, pd_file_suffix(save->kind));
    save->file.exists = pd_session_would_replace(save->kind, save->file.path);
}

static bool save_file(pd_screen *screen, bool key) {
    pd_save_dialog *save = &screen->viewport->save;
    pd_error error;
    update_save_path(save);
    if (!accept_fields(&save->file, key)) return false;
    if (pd_session_save(screen->session, save->kind, save->file.path, &error)) {
        snprintf(save->file.problem, sizeof save->file.problem, "%s", error.message);
        return false;
    }
    save_folder(&save->file);
    return true;
}

static void handle_save_key(pd_screen *screen, int code) {
    pd_save_dialog *save = &screen->viewport->save;
    if (code == PD_KEY_UP || code == PD_KEY_DOWN) choose_kind(save, (int)save->kind + (code == PD_KEY_UP ? -1 : 1));
}

static bool draw_save(pd_screen *screen) {
    static const char *const names[] = {"Snapshot", "Scene", "Log"};
    static const char *const about[] = {"Continues exactly where the fluid is now",
                                        "The scene as a text file, to change by hand",
                                        "All input of the last two minutes, to watch again"};
    pd_save_dialog *save = &screen->viewport->save;
    ui *gui = screen->gui;
    bool chosen = true;
    for (int kind = 0; kind < PD_FILE_KINDS; kind++) {
        ui_push push = {.name = names[kind],
                        .help = about[kind],
                        .text = names[kind],
                        .width = 88,
                        .height = 26,
                        .chosen = kind == (int)save->kind};
        if (kind > 0) ui_same_line(gui, 4);
        if (ui_draw_push_button(gui, &push)) choose_kind(save, kind);
    }
    char text[160];
    snprintf(text, sizeof text, "%s%s", about[save->kind],
             screen->session->second.world ? ". Only the left pane is saved" : "");
    ui_draw_wrapped_text(gui, UI_SMALL, UI_QUIET, text);
    ui_add_space(gui, 4);
    update_save_path(save);
    draw_fields(gui, &save->file);
    return ui_draw_accept_button(gui, save->file.exists ? "Replace" : "Save", &chosen);
}

/* ---- Exporting the session's log as a video ---- */

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

static bool open_export(pd_screen *screen, pd_action action) {
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
    begin_fields(&export->file, session);
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

static void update_export_path(pd_export_dialog *export) {
    update_fields(&export->file, chosen_format(export)->suffix);
    export->file.exists = pd_os_exists(export->file.path);
}

static bool has_quality(const pd_export_dialog *export) {
    return chosen_format(export)->kind == PD_SINK_MP4 || chosen_format(export)->kind == PD_SINK_WEBM;
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
    if (pd_sink_has_alpha(chosen_format(&viewport->export)->kind) && viewport->export.background == BACKGROUND_NONE)
        snprintf(export->background, sizeof export->background, "none");
    else if (switches->plain)
        snprintf(export->background, sizeof export->background, "%02x%02x%02x", background[0], background[1],
                 background[2]);
    export->no_legend = switches->no_legend;
    export->no_outline = switches->no_outline;
}

/* Writes the log and starts the process that draws it. */
static pd_result start_export(const pd_screen *screen, const int size[2], pd_error *error) {
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

static bool accept_export(pd_screen *screen, bool key) {
    pd_export_dialog *export = &screen->viewport->export;
    int size[2];
    pd_error error;
    update_export_path(export);
    if (!picture_size(screen, size)) {
        snprintf(export->file.problem, sizeof export->file.problem, "The size is '%s' (use 16x16 to 16384x16384)",
                 export->own_size);
        return false;
    }
    if (!accept_fields(&export->file, key)) return false;
    if (start_export(screen, size, &error)) {
        snprintf(export->file.problem, sizeof export->file.problem, "%s", error.message);
        return false;
    }
    save_folder(&export->file);
    return true;
}

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
    const char *titles[FORMATS], *rates[MOST_RATES], *names[PD_QUALITIES];
    char texts[MOST_RATES][24];
    int before = export->format, count = 0;
    for (int i = 0; i < FORMATS; i++) titles[i] = formats[i].title;
    draw_menu(screen->gui, "Format", titles, FORMATS, &export->format);
    if (export->format != before) { /* the same rate, or the usual one if the format does not have that */
        double rate = formats[before].rates[export->rate];
        for (export->rate = 0; export->rate < MOST_RATES && chosen_format(export)->rates[export->rate] != rate;)
            export->rate++;
        if (export->rate == MOST_RATES) export->rate = chosen_format(export)->usual;
    }
    for (; count < MOST_RATES && chosen_format(export)->rates[count] > 0; count++) {
        snprintf(texts[count], sizeof texts[count], "%.3g per second", chosen_format(export)->rates[count]);
        rates[count] = texts[count];
    }
    draw_menu(screen->gui, "Frames", rates, count, &export->rate);
    draw_speeds(screen);
    if (!has_quality(export)) return;
    int quality = export->quality - 1; /* without the default */
    for (int i = 0; i < PD_QUALITIES - 1; i++) names[i] = pd_quality_name((pd_quality)(i + 1));
    draw_menu(screen->gui, "Quality", names, PD_QUALITIES - 1, &quality);
    export->quality = quality + 1;
}

static bool draw_export(pd_screen *screen) {
    pd_export_dialog *export = &screen->viewport->export;
    pd_scene_ticks scene = pd_session_find_scene_ticks(screen->session, export->from);
    bool chosen = true;
    ui_scroll_begin(screen->gui, "rows", screen->viewport->dialog.plate.height - 146);
    update_export_path(export);
    draw_fields(screen->gui, &export->file);
    draw_time(screen, "From", &scene, scene.begin, export->to - 1, &export->from);
    draw_time(screen, "To", &scene, export->from + 1, scene.end, &export->to);
    draw_formats(screen);
    draw_size(screen);
    draw_views(screen);
    ui_scroll_end(screen->gui);
    return ui_draw_accept_button(screen->gui, export->file.exists ? "Replace" : "Export", &chosen);
}

/* ---- The open dialog ---- */

typedef struct form {
    float width, height; /* Greatest size. */
    const char *title;
    const char *note; /* Text of the last line. */
    /* Prepares the dialog for an action. False: the dialog cannot open, which is announced. */
    bool (*open)(pd_screen *screen, pd_action action);
    void (*handle_key)(pd_screen *screen, int code); /* All keys but Enter, which is for `accept`. NULL: ignored. */
    bool (*draw)(pd_screen *screen); /* Draws the rows. Returns whether the button that accepts was pressed. */
    /* Does what the dialog is for. key: Enter was pressed, not the button. Returns whether the dialog closes. */
    bool (*accept)(pd_screen *screen, bool key);
} form;

static const form forms[PD_DIALOGS] = {
    [PD_DIALOG_NEW_SCENE] = {380, 286, "An empty container", "Click, or arrow keys and Enter; Esc closes",
                             open_new_scene, handle_new_scene_key, draw_new_scene, begin_scene},
    [PD_DIALOG_SAVE] = {480, 292, "Save", "Enter saves; Up and Down select what; Esc closes", open_save,
                        handle_save_key, draw_save, save_file},
    [PD_DIALOG_EXPORT] = {480, 610, "Export video", "Enter exports; Esc closes", open_export, NULL, draw_export,
                          accept_export},
};

bool pd_dialog_open(pd_screen *screen, pd_action action) {
    static const struct {
        pd_action action;
        pd_dialog_kind kind;
    } openings[] = {{PD_ACTION_NEW_SCENE, PD_DIALOG_NEW_SCENE},
                    {PD_ACTION_SAVE, PD_DIALOG_SAVE},
                    {PD_ACTION_SAVE_SCENE, PD_DIALOG_SAVE},
                    {PD_ACTION_KEEP_LOG, PD_DIALOG_SAVE},
                    {PD_ACTION_EXPORT, PD_DIALOG_EXPORT}};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        if (openings[i].action != action) continue;
        if (forms[openings[i].kind].open(screen, action)) screen->viewport->dialog.kind = openings[i].kind;
        screen->viewport->help = screen->viewport->material_palette.open = false;
        ui_request_frame(screen->gui);
        return true;
    }
    return false;
}

static void close_dialog(pd_screen *screen) {
    screen->viewport->dialog.kind = PD_DIALOG_NONE;
    ui_close_menu(screen->gui);
}

/* Escape closes an open menu of the dialog first. */
static void close_highest(pd_screen *screen) {
    if (!ui_close_menu_of_dialog(screen->gui)) close_dialog(screen);
}

static bool is_open(const pd_screen *screen) { return screen->viewport->dialog.kind != PD_DIALOG_NONE; }

static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    (void)modifiers;
    if (!is_open(screen)) return false;
    const form *form = &forms[screen->viewport->dialog.kind];
    if (code == PD_KEY_ENTER && !repeats && form->accept(screen, true)) close_dialog(screen);
    if (code != PD_KEY_ENTER && form->handle_key) form->handle_key(screen, code);
    return true;
}

/* Closes the dialog by a press beside it. ImGui handles presses on the dialog. */
static bool handle_press(pd_screen *screen, bool left) {
    bool beside = !pd_plate_contains(&screen->viewport->dialog.plate, screen->x, screen->y);
    if (is_open(screen) && left && beside) close_dialog(screen);
    return false;
}

static void draw(pd_screen *screen) {
    pd_plate *plate = &screen->viewport->dialog.plate;
    if (!is_open(screen)) return;
    const form *form = &forms[screen->viewport->dialog.kind];
    plate->width = form->width;
    plate->height = form->height;
    if (!ui_dialog_begin(screen->gui, form->title, UI_IN_THE_MIDDLE, &plate->x, &plate->y, &plate->width,
                         &plate->height))
        return;
    bool accepted = form->draw(screen);
    ui_dialog_end(screen->gui, form->note);
    if (accepted && form->accept(screen, false)) close_dialog(screen);
}

const pd_layer pd_dialog_layer = {.modal = true,
                                  .stops = true,
                                  .is_open = is_open,
                                  .close = close_highest,
                                  .handle_press = handle_press,
                                  .handle_key = handle_key,
                                  .draw = draw};

/* ---- Progress of an export ---- */

static void draw_progress(pd_screen *screen) {
    const pd_exporter *exporter = screen->exporter;
    ui *gui = screen->gui;
    char text[PD_MAX_PATH + 16];
    pd_plate plate = {.y = screen->layout.top + THEME_EDGE, .width = PLATE_WIDTH, .height = PLATE_HEIGHT};
    if (!exporter->process) return;
    plate.width = fminf(plate.width, screen->layout.right - 2 * THEME_EDGE);
    plate.x = screen->layout.right - THEME_EDGE - plate.width;
    pd_plate_add(&screen->layout, &plate);
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
