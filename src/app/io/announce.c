/* Messages as text and as JSON. With --json each line is an object: {"event":"ready"} once the window is open, then
 *     {"event":"change","name":"Stiffness","value":1.73,"unit":"m/s²"}    value: number or word
 *     {"event":"message","text":"...","path":"..."}                       path: only for messages about a file
 *     {"event":"size","width":1280,"height":800}                          new size of the window, pixels
 *     {"event":"layout","window":{"x":0,"y":0,"width":1280,"height":800},"places":[{"name":"Pour","x":14,...},...]}
 *                                                                         F10: rectangles of the widgets, pixels
 *     {"event":"probe","x":0.1,"y":0,"values":{"velocity_x":1.2}}         position, m; the window shows the values
 *     {"event":"probe","values":{}}                                       the window hides the values
 *     {"event":"error","item":"SCENE_KEY","text":"..."}                   also printed on standard error */
#include "app/io/announce.h"

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "core/timer.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times for which the window shows a value, a message and an error, with the time in which they fade out, s. */
static const double VALUE_TIME = 1.4, MESSAGE_TIME = 3, ERROR_TIME = 8;

static void show_text_over_picture(pd_announcer *announcer, const char *text, double seconds, bool is_error) {
    snprintf(announcer->text, sizeof announcer->text, "%.*s", (int)sizeof announcer->text - 1, text);
    announcer->since = pd_now();
    announcer->until = announcer->since + seconds;
    announcer->is_error = is_error;
}

static void print_line(const pd_announcer *announcer, const char *text) {
    if (announcer->quiet || announcer->json) return;
    puts(text);
    fflush(stdout);
}

/* Prints the object as one line if --json is set, and frees the object. */
static void print_json(const pd_announcer *announcer, cJSON *object) {
    if (announcer->json && !announcer->quiet && object) {
        char *text = cJSON_PrintUnformatted(object);
        if (text) {
            puts(text);
            fflush(stdout);
        }
        free(text);
    }
    cJSON_Delete(object);
}

static cJSON *create_json_event(const char *name) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "event", name);
    return object;
}

char *pd_app_format_number(double value, char *text, size_t size) {
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

char *pd_app_format_time(double seconds, char *text, size_t size) {
    long tenths = lround(fmax(seconds, 0) * 10);
    snprintf(text, size, "%ld:%02ld.%ld", tenths / 600, tenths / 10 % 60, tenths % 10);
    return text;
}

char *pd_app_format_count(long long count, char *text, size_t size) {
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

char *pd_app_format_parameter(const pd_parameter *parameter, float value, char *text, size_t size) {
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
            pd_app_format_number((double)value, number, sizeof number);
        bool apart = *parameter->unit && strcmp(parameter->unit, "°") != 0;
        snprintf(text, size, "%s%s%s", number, apart ? " " : "", parameter->unit);
    }
    return text;
}

/* Returns the double with the same shortest decimal text as the float `number`: 0.01 instead of 0.00999999977648258. Returns
 * `number` if it is not exactly a float. */
static double round_to_float_digits(double number) {
    char text[PD_FLOAT_TEXT];
    double written;
    bool is_float = (double)(float)number == number;
    return is_float && pd_text_read_number(pd_text_write_float((float)number, text), &written) ? written : number;
}

/* Announces a changed value. text: message in the window; value_text: the value with its unit; value: the number for JSON,
 * or NULL if value_text is a word. */
static void announce_change(pd_announcer *announcer, const char *text, const char *name, const char *value_text,
                            const double *value, const char *unit) {
    show_text_over_picture(announcer, text, VALUE_TIME, false);
    print_line(announcer, text);
    cJSON *object = create_json_event("change");
    cJSON_AddStringToObject(object, "name", name);
    if (value) {
        cJSON_AddNumberToObject(object, "value", round_to_float_digits(*value));
        cJSON_AddStringToObject(object, "unit", unit);
    } else {
        cJSON_AddStringToObject(object, "value", value_text);
    }
    print_json(announcer, object);
}

/* Announces a changed value with the message "NAME VALUE_TEXT": "Stiffness 1.73 m/s²". Parameters: see announce_change. */
static void announce_number(pd_announcer *announcer, const char *name, const char *value_text, const double *value,
                            const char *unit) {
    char text[PD_MAX_NAME + 160];
    snprintf(text, sizeof text, "%s %s", name, value_text);
    announce_change(announcer, text, name, value_text, value, unit);
}

void pd_announce_value(pd_announcer *announcer, const char *name, double value, const char *unit) {
    char number[32], shown[64];
    bool integer = value == floor(value) && fabs(value) < 1e9;
    if (integer && value >= 0)
        pd_app_format_count((long long)value, number, sizeof number);
    else if (integer)
        snprintf(number, sizeof number, "%.0f", value);
    else
        pd_app_format_number(value, number, sizeof number);
    snprintf(shown, sizeof shown, "%s%s%s", number,
             *unit && strcmp(unit, "°") != 0 && strcmp(unit, "×") != 0 ? " " : "", unit);
    announce_number(announcer, name, shown, &value, unit);
}

void pd_announce_time(pd_announcer *announcer, const char *name, double seconds) {
    char text[32];
    announce_number(announcer, name, pd_app_format_time(seconds, text, sizeof text), &seconds, "s");
}

void pd_announce_restarted_count(pd_announcer *announcer, const char *name, int count) {
    char number[32], shown[64];
    double value = count;
    snprintf(shown, sizeof shown, "%s (restarted)", pd_app_format_count(count, number, sizeof number));
    announce_number(announcer, name, shown, &value, "");
}

void pd_announce_change(pd_announcer *announcer, const char *text, const char *name, const char *word) {
    announce_change(announcer, text, name, word, NULL, "");
}

void pd_announce_word(pd_announcer *announcer, const char *name, const char *word) {
    char text[160];
    snprintf(text, sizeof text, "%s: %s", name, word);
    pd_announce_change(announcer, text, name, word);
}

void pd_announce_parameter(pd_announcer *announcer, const pd_parameter *parameter, const char *material, float value) {
    char name[PD_MAX_NAME + 64], shown[64];
    double number = (double)value;
    bool word = parameter->type == PD_PARAMETER_BOOLEAN || parameter->type == PD_PARAMETER_CHOICE;
    snprintf(name, sizeof name, *material ? "%s (%s)" : "%s", parameter->title, material);
    pd_app_format_parameter(parameter, value, shown, sizeof shown);
    announce_number(announcer, name, shown, word ? NULL : &number, parameter->unit);
}

/* Announces a message. picture_text: text shown over the picture; printed_text: text on standard output and in JSON; path: file
 * that the message is about, or NULL. */
static void announce_message(pd_announcer *announcer, const char *picture_text, const char *printed_text,
                             const char *path) {
    show_text_over_picture(announcer, picture_text, MESSAGE_TIME, false);
    print_line(announcer, printed_text);
    cJSON *object = create_json_event("message");
    cJSON_AddStringToObject(object, "text", printed_text);
    if (path) cJSON_AddStringToObject(object, "path", path);
    print_json(announcer, object);
}

void pd_announce(pd_announcer *announcer, const char *format, ...) {
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    announce_message(announcer, text, text, NULL);
}

void pd_announce_brief(pd_announcer *announcer, const char *picture_text, const char *printed_text) {
    announce_message(announcer, picture_text, printed_text, NULL);
}

void pd_announce_path(pd_announcer *announcer, const char *message, const char *path) {
    char text[PD_MAX_PATH + 80];
    snprintf(text, sizeof text, "%s '%s'", message, path);
    announce_message(announcer, text, text, path);
}

void pd_announce_run_failure(pd_announcer *announcer, const pd_error *error) {
    show_text_over_picture(announcer, error->message, ERROR_TIME, true);
    cJSON *object = create_json_event("error");
    cJSON_AddStringToObject(object, "item", pd_error_name(error->code));
    cJSON_AddStringToObject(object, "text", error->message);
    print_json(announcer, object);
}

void pd_announce_error(pd_announcer *announcer, const pd_error *error) {
    pd_announce_run_failure(announcer, error);
    if (announcer->report) announcer->report(error);
}

void pd_announce_ready(const pd_announcer *announcer) { print_json(announcer, create_json_event("ready")); }

void pd_announce_hint(const pd_announcer *announcer, const char *text) {
    cJSON *object = create_json_event("hint");
    cJSON_AddStringToObject(object, "text", text);
    print_json(announcer, object);
}

void pd_announce_window_size(const pd_announcer *announcer, int width, int height) {
    cJSON *object = create_json_event("size");
    cJSON_AddNumberToObject(object, "width", width);
    cJSON_AddNumberToObject(object, "height", height);
    print_json(announcer, object);
}

static void add_rectangle_to_json(cJSON *object, const float rectangle[4]) {
    static const char *const names[] = {"x", "y", "width", "height"};
    for (int k = 0; k < 4; k++) cJSON_AddNumberToObject(object, names[k], round((double)rectangle[k]));
}

void pd_announce_widget_rectangles(const pd_announcer *announcer, const float window_rectangle[4], int count,
                                   const char *const *names, const float (*rectangles)[4]) {
    cJSON *object = create_json_event("layout");
    add_rectangle_to_json(cJSON_AddObjectToObject(object, "window"), window_rectangle);
    cJSON *list = cJSON_AddArrayToObject(object, "places");
    for (int i = 0; i < count; i++) {
        cJSON *place = cJSON_CreateObject();
        cJSON_AddStringToObject(place, "name", names[i]);
        add_rectangle_to_json(place, rectangles[i]);
        cJSON_AddItemToArray(list, place);
    }
    print_json(announcer, object);
}

void pd_announce_probe(const pd_announcer *announcer, pd_vec2 position, int count, const char *const *names,
                       const float *values) {
    cJSON *object = create_json_event("probe");
    if (count > 0) {
        cJSON_AddNumberToObject(object, "x", round_to_float_digits((double)position.x));
        cJSON_AddNumberToObject(object, "y", round_to_float_digits((double)position.y));
    }
    cJSON *shown = cJSON_AddObjectToObject(object, "values");
    for (int i = 0; i < count; i++) cJSON_AddNumberToObject(shown, names[i], round_to_float_digits((double)values[i]));
    print_json(announcer, object);
}
