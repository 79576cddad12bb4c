/* The panel: controls for the scene, the method and its parameters, gravity and the picture, and charts. */
#include "app/settings.h"
#include "app/state.h"

#include "core/error.h"
#include "core/text.h"
#include "render/palette.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float WIDTH = 336; /* units */

float pd_app_panel_dock(const pd_app *app) {
    float width = (float)app->device.display.width / app->device.display.scale;
    /* In a narrow window the panel covers the picture, since little room would be left beside it. */
    return app->viewport.panel && width >= 2.3f * WIDTH ? WIDTH : 0;
}

float pd_app_panel_cover(const pd_app *app) { return app->viewport.panel ? WIDTH : 0; }

void pd_app_picture_size(const pd_app *app, int *width, int *height) {
    *width = app->device.display.width - (int)lroundf(pd_app_panel_dock(app) * app->device.display.scale);
    *height = app->device.display.height;
}

/* A slider's range. Tables allow up to six decades, too many for a slider: it has one on either side of the default. */
typedef struct value_range {
    float low, high;
    bool logarithmic, from_zero;
} value_range;

static value_range range_of(const pd_parameter *parameter, float value, float fallback) {
    value_range range = {parameter->minimum, parameter->maximum, parameter->scale == PD_SCALE_LOGARITHMIC, false};
    if (!range.logarithmic) return range;
    if (range.low <= 0) {
        range.from_zero = true;
        range.low = range.high * 1e-4f;
    }
    if (fallback > 0) {
        range.low = fmaxf(range.low, fallback / 10);
        range.high = fminf(range.high, fallback * 10);
    }
    if (value > 0) {
        range.low = fminf(range.low, value);
        range.high = fmaxf(range.high, value);
    }
    return range;
}

static float to_fraction(const value_range *range, float value) {
    if (!range->logarithmic) return (value - range->low) / (range->high - range->low);
    if (value < range->low) return 0;
    return logf(value / range->low) / logf(range->high / range->low);
}

static float from_fraction(const value_range *range, float fraction) {
    if (!range->logarithmic) return range->low + fraction * (range->high - range->low);
    if (range->from_zero && fraction <= 0.002f) return 0;
    return range->low * powf(range->high / range->low, fraction);
}

static void describe(const pd_parameter *parameter, float fallback, char *help, size_t size) {
    char standard[64], limits[128] = "", range[PD_RANGE_TEXT];
    pd_app_parameter_text(parameter, fallback, standard, sizeof standard);
    bool ranged = parameter->type == PD_PARAMETER_NUMBER || parameter->type == PD_PARAMETER_INTEGER;
    if (ranged)
        snprintf(limits, sizeof limits, ", from %s\nCtrl+click types a value",
                 pd_text_range((double)parameter->minimum, (double)parameter->maximum, range));
    snprintf(help, size, "%s\n%s%sDefault %s%s", parameter->help, parameter->source, *parameter->source ? "\n" : "",
             standard, limits);
}

static bool differs(float a, float b) { return fabsf(a - b) > 1e-5f * fmaxf(fabsf(a), fabsf(b)); }

ui_change pd_panel_number(pd_app *app, const pd_parameter *parameter, ui_slider *slider, float fallback, float *value) {
    value_range range = range_of(parameter, *value, fallback);
    char text[64];
    slider->label = parameter->title;
    slider->text = pd_app_parameter_text(parameter, *value, text, sizeof text);
    slider->fraction = to_fraction(&range, *value);
    slider->value = *value;
    ui_change change = ui_slide(app->device.ui, slider);
    if (change == UI_MOVED) *value = from_fraction(&range, slider->fraction);
    if (change == UI_TYPED) *value = slider->value;
    if (parameter->type == PD_PARAMETER_INTEGER) *value = roundf(*value);
    *value = fminf(fmaxf(*value, parameter->minimum), parameter->maximum);
    return change;
}

ui_change pd_panel_hold(pd_held_slider *held, const pd_parameter *parameter, const ui_slider *slider, ui_change change,
                        float *value) {
    if (!parameter->rebuilds) return change;
    bool waits = held->parameter == parameter;
    if (change == UI_MOVED)
        *held = (pd_held_slider){parameter, *value};
    else if (change != UI_SAME && waits)
        *held = (pd_held_slider){0};
    if (change != UI_MOVED && change != UI_SAME) return change;
    if (held->parameter != parameter || slider->held) return UI_SAME;
    *value = held->value;
    *held = (pd_held_slider){0};
    return UI_MOVED;
}

static void parameter_row(pd_app *app, int index) {
    const pd_method_info *method = pd_world_method(app->session.world);
    const pd_parameter *parameter = &method->parameters[index];
    char help[512];
    float fallback, value = pd_app_parameter(app, index, &fallback);
    describe(parameter, fallback, help, sizeof help);
    ui_change change;
    float next = value;
    if (parameter->type == PD_PARAMETER_BOOLEAN) {
        bool on = value != 0;
        change = ui_check(app->device.ui, parameter->title, help, differs(value, fallback), &on);
        next = on;
    } else if (parameter->type == PD_PARAMETER_CHOICE) {
        int choice = (int)value;
        char words[256];
        snprintf(words, sizeof words, "%s", parameter->choices);
        for (char *c = words; *c; c++)
            if (*c == '_') *c = ' ';
        change = ui_choose(app->device.ui, parameter->title, help, differs(value, fallback), words, &choice);
        next = (float)choice;
    } else {
        ui_slider slider = {.help = help, .modified = differs(value, fallback)};
        if (app->viewport.slider.parameter == parameter) next = app->viewport.slider.value;
        change = pd_panel_number(app, parameter, &slider, fallback, &next);
        change = pd_panel_hold(&app->viewport.slider, parameter, &slider, change, &next);
    }
    if (change == UI_RESET)
        pd_app_reset_parameter(app, index);
    else if (change != UI_SAME && next != value)
        pd_app_set_parameter(app, index, next);
}

/* A choice of the available methods. It takes effect at once: the rows drawn after it are those of the new method. */
static void draw_method(pd_app *app) {
    enum { MAX_METHODS = 9 };
    static char helps[MAX_METHODS][256];
    const char *titles[MAX_METHODS], *help[MAX_METHODS];
    const pd_method_info *methods[MAX_METHODS];
    int count = 0, chosen = 0;
    for (int i = 0; i < pd_method_count() && count < MAX_METHODS; i++) {
        const pd_method_info *method = pd_method_at(i);
        if (!method->available) continue;
        if (method == pd_world_method(app->session.world)) chosen = count;
        if (method->key)
            snprintf(helps[count], sizeof helps[count], "Key %c\n%s", method->key, method->source);
        else
            snprintf(helps[count], sizeof helps[count], "%s", method->source);
        titles[count] = method->title;
        help[count] = helps[count];
        methods[count++] = method;
    }
    ui_heading(app->device.ui, "Method");
    if (ui_choose_titled(app->device.ui, "Method", titles, help, count, &chosen) == UI_MOVED)
        pd_app_set_method(app, methods[chosen]);
}

static void draw_parameters(pd_app *app) {
    draw_method(app);
    pd_app_draw_warnings(app);
    const pd_method_info *method = pd_world_method(app->session.world);
    ui_group(app->device.ui, method->name);
    for (int i = 0; i < method->parameter_count; i++) parameter_row(app, i);
    if (ui_button(app->device.ui, "All defaults", "Every value above back to its default", 0, 1))
        for (int i = 0; i < method->parameter_count; i++) pd_app_reset_parameter(app, i);
    ui_group_end(app->device.ui);
}

static void draw_gravity(pd_app *app) {
    pd_gravity_dial *dial = &app->session.gravity;
    char text[64], number[32];
    float top = fmaxf(50 * dial->notch, dial->strength);
    ui_heading(app->device.ui, "Gravity");
    bool on = dial->on;
    if (ui_check(app->device.ui, "On", NULL, false, &on) == UI_MOVED) {
        dial->on = on;
        pd_app_apply_gravity(app);
    }
    snprintf(text, sizeof text, "%s m/s²", pd_app_number((double)dial->strength, number, sizeof number));
    ui_slider strength = {.label = "Strength", .text = text, .fraction = dial->strength / top, .value = dial->strength};
    ui_change change = ui_slide(app->device.ui, &strength);
    if (change == UI_MOVED || change == UI_TYPED) {
        float wanted = change == UI_MOVED ? strength.fraction * top : strength.value;
        dial->strength = fminf(fmaxf(wanted, 0), 100 * dial->notch);
        dial->on = dial->strength > 0;
        pd_app_apply_gravity(app);
    }
    snprintf(text, sizeof text, "%.0f°", (double)dial->angle);
    ui_slider direction = {.label = "Direction",
                           .help = "0° is straight down, 90° to the right",
                           .text = text,
                           .fraction = (dial->angle + 180) / 360,
                           .value = dial->angle,
                           .modified = differs(dial->angle, 0) && fabsf(dial->angle) > 0.5f};
    change = ui_slide(app->device.ui, &direction);
    if (change == UI_SAME) return;
    if (change == UI_MOVED) dial->angle = roundf(direction.fraction * 360 - 180);
    if (change == UI_TYPED) dial->angle = remainderf(direction.value, 360);
    if (change == UI_RESET) dial->angle = 0;
    pd_app_apply_gravity(app);
}

/* The lines that the view can have; no row where it can have none. */
static void draw_lines_choice(pd_app *app) {
    char words[80] = "";
    pd_view_lines possible[PD_LINES_COUNT];
    int count = 0, chosen = 0;
    for (int i = 0; i < PD_LINES_COUNT; i++) {
        size_t used = strlen(words);
        if (!pd_lines_possible(&app->viewport.view, app->viewport.mode, (pd_view_lines)i)) continue;
        if (pd_app_lines(app) == (pd_view_lines)i) chosen = count;
        snprintf(words + used, sizeof words - used, "%s%s", count ? "|" : "", pd_lines_name((pd_view_lines)i));
        possible[count++] = (pd_view_lines)i;
    }
    if (count > 1 && ui_choose(app->device.ui, "Lines", "Drawn over the view (L)", false, words, &chosen) == UI_MOVED)
        pd_app_set_lines(app, possible[chosen]);
}

static void draw_picture_choices(pd_app *app) {
    char words[512] = "";
    size_t used = 0;
    ui_heading(app->device.ui, "Picture");
    const pd_method_info *method = pd_world_method(app->session.world);
    for (int i = 0; i < method->view_count && used < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? "|" : "", method->views[i].name);
    int view = (int)(app->viewport.mode - method->views), palette = app->viewport.palette;
    if (ui_choose(app->device.ui, "View", "How the fluid is drawn", false, words, &view) == UI_MOVED)
        pd_app_set_view(app, view);
    draw_lines_choice(app);
    used = 0;
    for (int i = 0; i < pd_palette_count() && used < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? "|" : "", pd_palette_name(i));
    if (ui_choose(app->device.ui, "Palette", "Colours of the materials and of the scales", false, words, &palette) ==
        UI_MOVED)
        pd_app_set_palette(app, palette);
    used = 0;
    for (int kind = PD_SINK_FOLDER; kind < PD_SINK_STREAM; kind++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", kind ? "|" : "",
                                 pd_settings_word((pd_sink_kind)kind));
    int kind = (int)pd_recorder_kind(app);
    if (ui_choose(app->device.ui, "Record to", "What F9 makes: a folder of pictures, or a video", false, words,
                  &kind) == UI_MOVED)
        pd_recorder_set_kind(app, (pd_sink_kind)kind);
}

static void draw_graph(pd_app *app) {
    pd_meter *meter = &app->viewport.meter;
    static float values[PD_METER_FRAMES * PD_METER_STAGES];
    float top = 0;
    for (int frame = 0; frame < meter->count; frame++) {
        int from = (meter->next - meter->count + frame + PD_METER_FRAMES) % PD_METER_FRAMES;
        float sum = 0;
        for (int stage = 0; stage < meter->stages; stage++) {
            float ms = meter->ms[from][stage];
            values[frame * meter->stages + stage] = ms;
            sum += ms;
        }
        top = fmaxf(top, sum);
    }
    float mark = (float)(app->session.pace.dt * 1e3);
    ui_bars bars = {.values = values,
                    .frames = meter->count,
                    .capacity = PD_METER_FRAMES,
                    .stages = meter->stages,
                    .names = meter->names,
                    .mark = mark,
                    .top = fmaxf(1.25f * mark, 1.05f * top)};
    ui_heading(app->device.ui, "Work for a frame");
    ui_graph(app->device.ui, &bars);
}

static void draw_convergence(pd_app *app) {
    const pd_meter *meter = &app->viewport.meter;
    if (meter->errors < 2) return;
    char last[32];
    int iterations = meter->errors - 1;
    snprintf(last, sizeof last, "after %d iteration%s", iterations, iterations == 1 ? "" : "s");
    ui_columns columns = {.values = meter->error,
                          .count = meter->errors,
                          .top = meter->error_top,
                          .first = "before",
                          .last = last,
                          .help = "How much denser than at rest the fluid is on average, before each iteration of the "
                                  "solver and after the last. In a fluid nearly at rest a substep adds little error: "
                                  "all columns are low then, and about equal"};
    ui_heading(app->device.ui, "Density error by iteration");
    ui_draw_columns(app->device.ui, &columns);
}

static void draw_scene(pd_app *app) {
    ui_heading(app->device.ui, "Scene");
    ui_note(app->device.ui, pd_world_scene(app->session.world)->name);
    int scene = 0;
    if (app->viewport.bundled.count > 0 &&
        ui_choose(app->device.ui, "Open", "Or drop a scene file on the window", false, app->viewport.bundled.words,
                  &scene) == UI_MOVED &&
        scene > 0)
        pd_app_open_bundled(app, scene - 1);
    ui *gui = app->device.ui;
    if (ui_button(gui, "Reset", "Back to the start (R); with the scene's own values: Shift+R", 0, 3))
        pd_app_act(app, PD_ACTION_RESET, 0);
    if (ui_button(gui, app->session.paused ? "Run" : "Pause", "Space", 1, 3)) pd_app_act(app, PD_ACTION_PAUSE, 0);
    if (ui_button(gui, "Rewind", "One second back (Backspace)", 2, 3)) pd_app_act(app, PD_ACTION_REWIND, 0);
    bool recording = app->device.recorder.sink != NULL;
    if (ui_button(gui, recording ? "Stop" : "Record", "Every step as a picture, or a video (F9)", 0, 3))
        pd_app_act(app, PD_ACTION_RECORD, 0);
    if (ui_button(gui, "Screenshot", "The picture without words (F12)", 1, 3)) pd_app_act(app, PD_ACTION_SCREENSHOT, 0);
    if (ui_button(gui, "Save", "A snapshot that continues exactly (Ctrl+S)", 2, 3)) pd_app_act(app, PD_ACTION_SAVE, 0);
}

void pd_app_draw_panel(pd_app *app) {
    if (!app->viewport.panel) {
        app->viewport.slider.parameter = NULL;
        return;
    }
    float room = ui_width(app->device.ui);
    ui_panel_begin(app->device.ui, room < WIDTH ? room : WIDTH);
    draw_scene(app);
    pd_panel_dyes(app);
    draw_parameters(app);
    pd_panel_materials(app);
    draw_gravity(app);
    draw_picture_choices(app);
    draw_graph(app);
    draw_convergence(app);
    ui_panel_end(app->device.ui);
}
