/* Messages to the user: shown over the picture for a while, and printed as a line on standard output for scripts.
 *
 * With --json each line is an object: {"event":"ready"} once the window is open, then
 *     {"event":"change","name":"Stiffness","value":1.73,"unit":"m/s²"}    value: a number or a word
 *     {"event":"message","text":"...","path":"..."}                       path: only when it is about a file
 *     {"event":"size","width":1280,"height":800}                          in pixels, whenever it has changed
 *     {"event":"probe","x":0.1,"y":0,"values":{"velocity_x":1.2}}         m; when values appear beside the pointer, and
 *     {"event":"probe","values":{}}                                       when they are hidden
 *     {"event":"error","item":"SCENE_KEY","text":"..."}                   also printed on standard error */
#include "app/state.h"

#include "core/error.h"
#include "core/text.h"
#include "core/timer.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SHOWN = 1.4, MESSAGE_SHOWN = 3, ALARM_SHOWN = 8; /* s, of which the last part fades */

static void show(pd_app *app, const char *text, double seconds, bool alarm) {
    pd_announcement *announcement = &app->announcement;
    snprintf(announcement->text, sizeof announcement->text, "%.*s", (int)sizeof announcement->text - 1, text);
    announcement->since = pd_now();
    announcement->until = announcement->since + seconds;
    announcement->alarm = alarm;
}

static void print_line(const pd_app *app, const char *text) {
    if (app->options.quiet || app->options.json) return;
    puts(text);
    fflush(stdout);
}

/* Prints and frees the object. */
static void print_json(const pd_app *app, cJSON *object) {
    if (app->options.json && !app->options.quiet && object) {
        char *text = cJSON_PrintUnformatted(object);
        if (text) {
            puts(text);
            fflush(stdout);
        }
        free(text);
    }
    cJSON_Delete(object);
}

static cJSON *event(const char *name) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "event", name);
    return object;
}

char *pd_app_number(double value, char *text, size_t size) {
    double magnitude = fabs(value);
    if (magnitude == 0) {
        snprintf(text, size, "0");
    } else if (magnitude < 1e-4 || magnitude >= 1e7) {
        snprintf(text, size, "%.2e", value);
    } else {
        int decimals = 2 - (int)floor(log10(magnitude) + 1e-7);
        snprintf(text, size, "%.*f", decimals > 0 ? decimals : 0, value);
    }
    return text;
}

char *pd_app_count(long long count, char *text, size_t size) {
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%lld", count);
    size_t used = 0;
    for (int i = 0; i < length && used + 2 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0) text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

char *pd_app_parameter_text(const pd_parameter *parameter, float value, char *text, size_t size) {
    if (parameter->type == PD_PARAMETER_BOOLEAN) {
        snprintf(text, size, "%s", value != 0 ? "on" : "off");
    } else if (parameter->type == PD_PARAMETER_CHOICE) {
        pd_parameter_format(parameter, value, text, size);
        for (char *c = text; *c; c++)
            if (*c == '_') *c = ' ';
    } else {
        char number[32];
        if (parameter->type == PD_PARAMETER_INTEGER)
            snprintf(number, sizeof number, "%.0f", (double)value);
        else
            pd_app_number((double)value, number, sizeof number);
        snprintf(text, size, "%s%s%s", number, *parameter->unit ? " " : "", parameter->unit);
    }
    return text;
}

/* A value that is exactly a float is written with the float's digits: 0.01 rather than 0.00999999977648258. */
static double as_written(double number) {
    char text[PD_FLOAT_TEXT];
    double written;
    bool is_float = (double)(float)number == number;
    return is_float && pd_text_number(pd_text_float((float)number, text), &written) ? written : number;
}

/* shown: the value with its unit as text. number: the value, NULL when it is a word. */
static void announce_change(pd_app *app, const char *name, const char *shown, const double *number, const char *unit) {
    char text[160];
    snprintf(text, sizeof text, "%s %s", name, shown);
    show(app, text, SHOWN, false);
    print_line(app, text);
    cJSON *object = event("change");
    cJSON_AddStringToObject(object, "name", name);
    if (number) {
        cJSON_AddNumberToObject(object, "value", as_written(*number));
        cJSON_AddStringToObject(object, "unit", unit);
    } else {
        cJSON_AddStringToObject(object, "value", shown);
    }
    print_json(app, object);
}

void pd_app_change(pd_app *app, const char *name, double value, const char *unit) {
    char number[32], shown[64];
    bool integer = value == floor(value) && fabs(value) < 1e9;
    if (integer && value >= 0)
        pd_app_count((long long)value, number, sizeof number);
    else if (integer)
        snprintf(number, sizeof number, "%.0f", value);
    else
        pd_app_number(value, number, sizeof number);
    snprintf(shown, sizeof shown, "%s%s%s", number,
             *unit && strcmp(unit, "°") != 0 && strcmp(unit, "×") != 0 ? " " : "", unit);
    announce_change(app, name, shown, &value, unit);
}

void pd_app_change_restarted(pd_app *app, const char *name, int count) {
    char number[32], shown[64];
    double value = count;
    snprintf(shown, sizeof shown, "%s (restarted)", pd_app_count(count, number, sizeof number));
    announce_change(app, name, shown, &value, "");
}

void pd_app_change_word(pd_app *app, const char *name, const char *word) { announce_change(app, name, word, NULL, ""); }

static void announce_parameter(pd_app *app, const pd_parameter *parameter, const char *name, float value) {
    char shown[64];
    double number = (double)value;
    bool word = parameter->type == PD_PARAMETER_BOOLEAN || parameter->type == PD_PARAMETER_CHOICE;
    pd_app_parameter_text(parameter, value, shown, sizeof shown);
    announce_change(app, name, shown, word ? NULL : &number, parameter->unit);
}

void pd_app_change_parameter(pd_app *app, const pd_parameter *parameter, float value) {
    announce_parameter(app, parameter, parameter->title, value);
}

void pd_app_change_property(pd_app *app, const pd_parameter *parameter, const char *material, float value) {
    char name[PD_MAX_NAME + 64];
    snprintf(name, sizeof name, *material ? "%s (%s)" : "%s", parameter->title, material);
    announce_parameter(app, parameter, name, value);
}

static void announce_message(pd_app *app, const char *text, const char *path) {
    show(app, text, MESSAGE_SHOWN, false);
    print_line(app, text);
    cJSON *object = event("message");
    cJSON_AddStringToObject(object, "text", text);
    if (path) cJSON_AddStringToObject(object, "path", path);
    print_json(app, object);
}

void pd_app_say(pd_app *app, const char *format, ...) {
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    announce_message(app, text, NULL);
}

void pd_app_say_path(pd_app *app, const char *what, const char *path) {
    char text[PD_MAX_PATH + 80];
    snprintf(text, sizeof text, "%s %s", what, path);
    announce_message(app, text, path);
}

static void show_error(pd_app *app, const pd_error *error) {
    show(app, error->message, ALARM_SHOWN, true);
    cJSON *object = event("error");
    cJSON_AddStringToObject(object, "item", pd_error_name(error->code));
    cJSON_AddStringToObject(object, "text", error->message);
    print_json(app, object);
}

void pd_app_alarm(pd_app *app, const pd_error *error) {
    show_error(app, error);
    if (app->options.report) app->options.report(error);
}

void pd_app_fail(pd_app *app, pd_result result, const pd_error *error) {
    if (app->result) return;
    app->result = result;
    *app->error = *error;
    show_error(app, error);
}

void pd_app_ready(const pd_app *app) { print_json(app, event("ready")); }

void pd_app_announce_size(const pd_app *app) {
    cJSON *object = event("size");
    cJSON_AddNumberToObject(object, "width", app->display.width);
    cJSON_AddNumberToObject(object, "height", app->display.height);
    print_json(app, object);
}

void pd_app_announce_probe(const pd_app *app) {
    const pd_probe *probe = &app->probe;
    cJSON *object = event("probe");
    if (probe->rows > 0) {
        cJSON_AddNumberToObject(object, "x", as_written((double)app->pointer.position.x));
        cJSON_AddNumberToObject(object, "y", as_written((double)app->pointer.position.y));
    }
    cJSON *values = cJSON_AddObjectToObject(object, "values");
    for (int i = 0; i < probe->rows; i++)
        cJSON_AddNumberToObject(values, probe->row[i].info->name, as_written((double)probe->row[i].value));
    print_json(app, object);
}
