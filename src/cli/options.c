/* Parses the command line. Creates scenes and worlds as the parsed options say. */
#include "cli/options.h"

#include "cli/flags.h"
#include "cli/list.h"
#include "cli/output/state.h"
#include "core/error.h"
#include "core/file.h"
#include "core/simd.h"
#include "core/text.h"
#include "platform/platform.h"
#include "record/sink.h"
#include "render/palette.h"
#include "render/picture.h"
#include "scene/file/scene_files.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of the parser. A flag may precede the command, so the parser checks at the end whether the command has the flag. */
typedef struct parse {
    options *options;            /* receives the values */
    const command_info *command; /* command on the command line; NULL: none yet */
    bool given[64];              /* given[i]: whether flags[i] was given */
    bool flags_ended;            /* the argument "--" was read: later arguments are not flags */
    pd_error *error;
} parse;

static pd_result fail_unknown_flag(const char *text, pd_error *error) {
    pd_nearest_text nearest = {NULL, INT_MAX};
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    for (int i = 0; i < flag_count; i++) pd_text_choose_nearer(&nearest, name, flags[i].name);
    if (name[1] != '-') /* no suggestion for a short form like "-x", since every short form is only one letter away */
        return pd_fail(error, PD_ERROR_USAGE, "unknown option '%.60s' ('puddle --help' shows all)", text);
    return pd_fail(error, PD_ERROR_USAGE, "unknown option '%.60s' (did you mean '%s'? 'puddle --help' shows all)", text,
                   nearest.text);
}

static pd_result fail_bad_value(const flag_info *flag, const char *text, const char *expected, pd_error *error) {
    return pd_fail(error, PD_ERROR_USAGE, "%s is '%.60s' (use %s)", flag->name, text, expected);
}

/* Parses an integer in [low, high] from the whole text. 1e6 is allowed. Returns false if the text is something else. */
static bool parse_integer(const char *text, double low, double high, double *number) {
    return pd_text_read_number(text, number) && *number == floor(*number) && *number >= low && *number <= high;
}

static bool parse_seed(const char *text, uint64_t *seed) {
    if (!*text || strspn(text, "0123456789") != strlen(text)) return false;
    errno = 0;
    *seed = strtoull(text, NULL, 10);
    return errno == 0;
}

static bool parse_size(const char *text, double low, double high, int *width, int *height) {
    char left[16];
    size_t length = strcspn(text, "xX");
    double w, h;
    if (!text[length] || length >= sizeof left) return false;
    snprintf(left, sizeof left, "%.*s", (int)length, text);
    if (!parse_integer(left, low, high, &w) || !parse_integer(text + length + 1, low, high, &h)) return false;
    *width = (int)w;
    *height = (int)h;
    return true;
}

static pd_result parse_method(const char *text, options *options, pd_error *error) {
    const pd_method_info *method = pd_method_find(text);
    char known[256];
    pd_method_list_names(known, sizeof known);
    if (!method) return pd_fail(error, PD_ERROR_METHOD_UNKNOWN, "--method is '%.40s' (use %s)", text, known);
    options->method = text;
    return PD_OK;
}

static const char *find_similar_method(const char *name) {
    pd_nearest_text nearest = {NULL, INT_MAX};
    for (int i = 0; i < pd_method_count(); i++) pd_text_choose_nearer(&nearest, name, pd_method_at(i)->name);
    return nearest.text;
}

/* Parses the value of --compare, the names of two methods: "ddr,flip". */
static pd_result parse_compare(const flag_info *flag, const char *text, options *options, pd_error *error) {
    const char *comma = strchr(text, ',');
    char names[2][PD_MAX_METHOD_NAME], known[256];
    if (!comma || comma == text || !comma[1] || strchr(comma + 1, ','))
        return fail_bad_value(flag, text, "two methods, such as ddr,flip", error);
    snprintf(names[0], sizeof names[0], "%.*s", (int)(comma - text), text);
    snprintf(names[1], sizeof names[1], "%s", comma + 1);
    for (int i = 0; i < 2; i++) {
        options->compared[i] = pd_method_find(names[i]);
        if (options->compared[i]) continue;
        return pd_fail(error, PD_ERROR_METHOD_UNKNOWN,
                       "--compare is '%.60s': no method '%s' (did you mean '%s'? use two of %s)", text, names[i],
                       find_similar_method(names[i]), pd_method_list_names(known, sizeof known));
    }
    if (options->compared[0] != options->compared[1]) return PD_OK;
    return fail_bad_value(flag, text, "two different methods, such as ddr,flip", error);
}

static pd_result parse_palette(const flag_info *flag, const char *text, options *options, pd_error *error) {
    char known[256];
    options->palette = text;
    if (pd_palette_find(text) >= 0) return PD_OK;
    return fail_bad_value(flag, text, flag_list_words(flag, known, sizeof known), error);
}

static pd_result parse_lines(const flag_info *flag, const char *text, options *options, pd_error *error) {
    char known[80];
    options->lines = text;
    for (int i = 0; i < PD_LINES_COUNT; i++)
        if (strcmp(text, pd_lines_name((pd_view_lines)i)) == 0) return PD_OK;
    return fail_bad_value(flag, text, flag_list_words(flag, known, sizeof known), error);
}

static pd_result parse_quality(const flag_info *flag, const char *text, options *options, pd_error *error) {
    char known[80];
    options->quality = PD_QUALITY_LOW;
    while (options->quality < PD_QUALITIES && strcmp(text, pd_quality_name((pd_quality)options->quality)) != 0)
        options->quality++;
    if (options->quality < PD_QUALITIES) return PD_OK;
    return fail_bad_value(flag, text, flag_list_words(flag, known, sizeof known), error);
}

/* Parses the colour of --background: "#203040", "203040", "white", "black" or "none". The # is optional, since it begins a
 * comment in shells. */
static pd_result parse_color(const flag_info *flag, const char *text, options *options, pd_error *error) {
    const char *digits = strcmp(text, "white") == 0 ? "ffffff" : strcmp(text, "black") == 0 ? "000000" : text;
    options->background = text;
    if (strcmp(text, "none") == 0) return PD_OK;
    if (*digits == '#') digits++;
    if (strlen(digits) != 6 || strspn(digits, "0123456789abcdefABCDEF") != 6)
        return fail_bad_value(flag, text, "six hexadecimal digits, such as 203040, or white, black or none", error);
    unsigned long color = strtoul(digits, NULL, 16);
    for (int i = 0; i < 3; i++) options->color[i] = (uint8_t)(color >> (16 - 8 * i));
    return PD_OK;
}

/* Parses a camera, such as "0.2,-0.5,4": two coordinates and a magnification. */
static pd_result parse_camera(const flag_info *flag, const char *text, options *options, pd_error *error) {
    static const double FARTHEST = 1e6; /* limit of both coordinates, m */
    char parts[3][32], expected[96], end;
    double number[3];
    bool valid = sscanf(text, "%31[^,],%31[^,],%31[^,]%c", parts[0], parts[1], parts[2], &end) == 3;
    for (int i = 0; valid && i < 3; i++) valid = pd_text_read_number(parts[i], &number[i]);
    valid = valid && fabs(number[0]) <= FARTHEST && fabs(number[1]) <= FARTHEST && number[2] >= flag->low &&
            number[2] <= flag->high;
    snprintf(expected, sizeof expected, "X,Y,ZOOM, such as 0.2,-0.5,4; ZOOM is %g to %g", flag->low, flag->high);
    if (!valid) return fail_bad_value(flag, text, expected, error);
    options->camera = (pd_vec2){(float)number[0], (float)number[1]};
    options->zoom = number[2];
    return PD_OK;
}

static pd_result parse_simd(const flag_info *flag, const char *text, options *options, pd_error *error) {
    char known[80];
    for (int i = 0; i < SIMD_WORDS; i++)
        if (strcmp(text, simd_words[i]) == 0) options->simd = simd_words[i];
    if (options->simd && strcmp(text, options->simd) == 0) return PD_OK;
    return fail_bad_value(flag, text, flag_list_words(flag, known, sizeof known), error);
}

/* Splits "ddr.stiffness=2" into key and value. Fails for unknown parameters and for values that the parameter does not
 * allow. */
static pd_result read_setting(const char *text, char key[PD_MAX_KEY], float *value, pd_error *error) {
    size_t length = strcspn(text, "=");
    int method, index;
    pd_error why;
    if (!text[length] || length == 0 || length >= PD_MAX_KEY)
        return pd_fail(error, PD_ERROR_USAGE,
                       "--set is '%.60s' (use KEY=VALUE; 'puddle list parameters' shows the keys)", text);
    snprintf(key, PD_MAX_KEY, "%.*s", (int)length, text);
    pd_result result = pd_parameter_find(key, &method, &index, &why);
    if (result == PD_OK)
        result =
            pd_parameter_parse(pd_method_parameter_at(pd_method_at(method), index), text + length + 1, value, &why);
    if (result != PD_OK) return pd_fail(error, why.code, "--set %.60s: %s", text, why.message);
    return PD_OK;
}

static pd_result parse_setting(const char *text, options *options, pd_error *error) {
    char key[PD_MAX_KEY];
    float value;
    pd_result result = read_setting(text, key, &value, error);
    if (result != PD_OK) return result;
    if (options->setting_count == MAX_SETTINGS)
        return pd_fail(error, PD_ERROR_USAGE, "more than %d --set (put them into a scene file)", MAX_SETTINGS);
    options->settings[options->setting_count++] = text;
    return PD_OK;
}

static pd_result parse_number(const flag_info *flag, const char *text, options *options, pd_error *error) {
    char *field = (char *)options + flag->offset;
    double number = 0;
    char expected[80];
    bool integer = flag->kind != FLAG_NUMBER;
    snprintf(expected, sizeof expected, "%s number from %.10g to %.10g%s", integer ? "a whole" : "a", flag->low,
             flag->high, flag->kind == FLAG_SUBSTEPS ? ", or auto" : "");
    if (flag->kind == FLAG_SUBSTEPS && strcmp(text, "auto") == 0) {
        options->substeps = -1;
        return PD_OK;
    }
    bool valid;
    if (integer)
        valid = parse_integer(text, flag->low, flag->high, &number);
    else
        valid = pd_text_read_number(text, &number) && number >= flag->low && number <= flag->high;
    if (!valid) return fail_bad_value(flag, text, expected, error);
    if (flag->kind == FLAG_LONG)
        *(long long *)(void *)field = (long long)number;
    else if (flag->kind == FLAG_NUMBER)
        *(double *)(void *)field = number;
    else
        *(int *)(void *)field = (int)number;
    return PD_OK;
}

static pd_result fail_bad_size(const flag_info *flag, const char *text, pd_error *error) {
    char expected[80];
    snprintf(expected, sizeof expected, "WIDTHxHEIGHT, each from %g to %g, such as 1280x800", flag->low, flag->high);
    return fail_bad_value(flag, text, expected, error);
}

static pd_result parse_recording(const flag_info *flag, const char *text, options *options, pd_error *error) {
    pd_sink_kind kind;
    if (!*text) return fail_bad_value(flag, text, flag->argument, error);
    pd_result result = pd_sink_find_kind(text, &kind, error);
    if (result) return result;
    if (kind == PD_SINK_STREAM && flag->commands == FOR_WINDOW)
        return pd_fail(error, PD_ERROR_USAGE, "%s cannot write to standard output (use 'puddle render SCENE -o -')",
                       flag->name);
    if (kind == PD_SINK_STILL && flag->commands == FOR_WINDOW)
        return pd_fail(error, PD_ERROR_USAGE, "%s cannot write a still (use 'puddle render SCENE -o FILE.png')",
                       flag->name);
    *(const char **)(void *)((char *)options + flag->offset) = text;
    return PD_OK;
}

/* Parses the name of a file. "-" is standard output, which only --stats can write: the run then prints nothing else there. */
static pd_result parse_file(const flag_info *flag, const char *text, options *options, pd_error *error) {
    const char **field = (const char **)(void *)((char *)options + flag->offset);
    bool standard_output = strcmp(text, "-") == 0, stats = field == &options->stats;
    if (!*text || (standard_output && !stats)) return fail_bad_value(flag, text, flag->argument, error);
    *field = standard_output ? PD_STANDARD_OUTPUT : text;
    if (standard_output) options->stats_printed = options->quiet = true;
    return PD_OK;
}

static pd_result parse_value(const flag_info *flag, const char *text, options *options, pd_error *error) {
    switch (flag->kind) {
    case FLAG_SWITCH:
        *(bool *)((char *)options + flag->offset) = true;
        return PD_OK;
    case FLAG_TEXT:
        return parse_file(flag, text, options, error);
    case FLAG_COUNT:
    case FLAG_LONG:
    case FLAG_NUMBER:
    case FLAG_SUBSTEPS:
        return parse_number(flag, text, options, error);
    case FLAG_SIZE:
        if (!parse_size(text, flag->low, flag->high, &options->width, &options->height))
            return fail_bad_size(flag, text, error);
        return PD_OK;
    case FLAG_RECORDING:
        return parse_recording(flag, text, options, error);
    case FLAG_SEED:
        if (!parse_seed(text, &options->seed))
            return fail_bad_value(flag, text, "a whole number from 0 to 2^64-1", error);
        options->has_seed = true;
        return PD_OK;
    case FLAG_SETTING:
        return parse_setting(text, options, error);
    case FLAG_METHOD:
        return parse_method(text, options, error);
    case FLAG_COMPARE:
        return parse_compare(flag, text, options, error);
    case FLAG_VIEW: /* options_find_view checks the name later, since views depend on the method */
        options->view = text;
        return PD_OK;
    case FLAG_LINES:
        return parse_lines(flag, text, options, error);
    case FLAG_PALETTE:
        return parse_palette(flag, text, options, error);
    case FLAG_QUALITY:
        return parse_quality(flag, text, options, error);
    case FLAG_CAMERA:
        return parse_camera(flag, text, options, error);
    case FLAG_COLOR:
        return parse_color(flag, text, options, error);
    case FLAG_SIMD:
        return parse_simd(flag, text, options, error);
    }
    return PD_OK;
}

/* Parses the flag argv[*index]. Its value follows '=' or is the next argument; then *index is incremented. */
static pd_result parse_flag(parse *parse, char **argv, int argc, int *index) {
    char name[64];
    const char *text = argv[*index];
    size_t length = strcspn(text, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const flag_info *flag = flag_find(name);
    if (!flag) return fail_unknown_flag(text, parse->error);
    const char *value = text[length] ? text + length + 1 : NULL;
    if (value && !flag->argument)
        return pd_fail(parse->error, PD_ERROR_USAGE, "%s takes no value (leave out '=%.40s')", name, value);
    if (!value && flag->argument) {
        const char *next = *index + 1 < argc ? argv[*index + 1] : NULL;
        if (!next || strncmp(next, "--", 2) == 0)
            return pd_fail(parse->error, PD_ERROR_USAGE, "%s needs a value (use %s %s)", name, name, flag->argument);
        value = next;
        (*index)++;
    }
    parse->given[flag - flags] = true;
    return parse_value(flag, value ? value : "", parse->options, parse->error);
}

static pd_result parse_command_or_scene(parse *parse, const char *text) {
    options *options = parse->options;
    bool first = options->scene_count == 0 && !parse->command;
    if (first && !parse->flags_ended && *text) {
        bool help = strcmp(text, "help") == 0, version = strcmp(text, "version") == 0;
        options->help = options->help || help;
        options->version = options->version || version;
        if (help || version) return PD_OK;
        parse->command = command_find(text);
        if (parse->command) return PD_OK;
    }
    if (options->scene_count == MAX_SCENES)
        return pd_fail(parse->error, PD_ERROR_USAGE, "more than %d arguments (give fewer at a time)", MAX_SCENES);
    options->scenes[options->scene_count++] = text;
    return PD_OK;
}

/* Returns the most similar name of a bundled scene, which is stored in `text`. */
static pd_nearest_text find_similar_scene(const char *name, char text[PD_MAX_PATH]) {
    pd_nearest_text nearest = {NULL, INT_MAX};
    char **names;
    int count;
    if (pd_bundled_list_names(&names, &count, NULL) != PD_OK) return nearest;
    for (int i = 0; i < count; i++) pd_text_choose_nearer(&nearest, name, names[i]);
    if (nearest.text) snprintf(text, PD_MAX_PATH, "%s", nearest.text);
    if (nearest.text) nearest.text = text;
    pd_bundled_free_names(names, count);
    return nearest;
}

pd_result options_find_scene_path(const char *name, char *path, size_t size, pd_error *error) {
    pd_path_type type = pd_os_status(name, true).type;
    bool is_name = *name && !strpbrk(name, "/.") && strlen(name) < 100;
    /* The bundled scene 'drop' is preferred to a file 'drop', so that a script means the same scene in every folder. */
    if (is_name && pd_bundled_find_file(name, path, size, NULL) == PD_OK) return PD_OK;
    bool is_path = strpbrk(name, "/.") || (type != PD_PATH_MISSING && type != PD_PATH_FOLDER);
    if (!is_path) {
        char text[PD_MAX_PATH];
        const char *similar = find_similar_scene(name, text).text;
        return pd_fail(error, PD_ERROR_SCENE_UNKNOWN,
                       "unknown scene '%.60s': no file and no bundled scene has this name (%s%s%s'puddle list scenes' "
                       "shows all)",
                       name, similar ? "did you mean '" : "", similar ? similar : "", similar ? "'? " : "");
    }
    if (strlen(name) >= size)
        return pd_fail(error, PD_ERROR_FILE_UNREADABLE,
                       "cannot read '%.100s...': the path is too long (use a shorter one)", name);
    snprintf(path, size, "%s", name);
    return PD_OK;
}

/* Fails if the first argument `text` is no scene, but resembles the name of a command more than any bundled scene's name:
 * "rnu". */
static pd_result check_misspelt_command(const char *text, pd_error *error) {
    char path[PD_MAX_PATH];
    if (options_find_scene_path(text, path, sizeof path, NULL) == PD_OK) return PD_OK;
    pd_nearest_text nearest = {NULL, strlen(text) > 2 ? 3 : 2};
    int scene_distance = find_similar_scene(text, path).distance;
    if (scene_distance < nearest.distance) nearest.distance = scene_distance;
    for (int i = 1; i < command_count; i++) pd_text_choose_nearer(&nearest, text, commands[i].name);
    if (!nearest.text) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE, "unknown command '%.60s' (did you mean '%s'? 'puddle --help' shows all)",
                   text, nearest.text);
}

static bool is_log_file(const char *path) {
    static const char HEAD[] = "puddle-log ";
    char head[sizeof HEAD] = "";
    FILE *file = pd_os_open_regular(path, true, NULL);
    bool is_log = file && fgets(head, sizeof head, file) && strcmp(head, HEAD) == 0;
    if (file) fclose(file);
    return is_log;
}

/* Without a command, `puddle FILE` continues from a snapshot (.puddle) and replays a log: a double click opens both. */
static void choose_command_by_file(parse *parse) {
    options *options = parse->options;
    const char *path = options->scenes[0];
    if (parse->command || options->scene_count != 1 || options->load) return;
    if (pd_text_ends_in(path, ".puddle")) {
        options->load = path;
        options->scene_count = 0;
    } else if (is_log_file(path)) {
        parse->command = command_find("replay");
    }
}

pd_result options_parse(int argc, char **argv, options *options, pd_error *error) {
    memset(options, 0, sizeof *options);
    options->steps = -1;
    options->start = options->at = -1;
    options->command = "";
    parse parse = {.options = options, .error = error};
    for (int i = 0; i < argc; i++) {
        const char *text = argv[i];
        pd_result result = PD_OK;
        if (!parse.flags_ended && strcmp(text, "--") == 0)
            parse.flags_ended = true;
        else if (!parse.flags_ended && text[0] == '-' && text[1])
            result = parse_flag(&parse, argv, argc, &i);
        else
            result = parse_command_or_scene(&parse, text);
        if (result != PD_OK) return result;
    }
    if (!parse.command && options->scene_count && !parse.flags_ended) {
        pd_result result = check_misspelt_command(options->scenes[0], error);
        if (result != PD_OK) return result;
    }
    choose_command_by_file(&parse);
    if (!parse.command) parse.command = &commands[0];
    options->command = parse.command->name;
    return options_check(options, parse.command, parse.given, error);
}

static pd_result apply_settings_to_world(const options *options, pd_world *world, pd_error *error) {
    pd_result result = PD_OK;
    for (int i = 0; i < options->setting_count && result == PD_OK; i++) {
        char key[PD_MAX_KEY];
        float value;
        result = read_setting(options->settings[i], key, &value, error);
        if (result == PD_OK) result = pd_world_set_parameter(world, key, value, error);
    }
    return result;
}

pd_result options_apply_settings(const options *options, pd_scene *scene, pd_error *error) {
    for (int i = 0; i < options->setting_count; i++) {
        char key[PD_MAX_KEY];
        float value;
        pd_result result = read_setting(options->settings[i], key, &value, error);
        if (result == PD_OK) result = pd_scene_set_parameter(scene, key, value, error);
        if (result != PD_OK) return result;
    }
    return PD_OK;
}

static pd_result apply_options(const options *options, pd_scene *scene, pd_error *error) {
    /* The scene keeps parameters of methods other than --method. pd_world_write_warning lists them. */
    if (options->method) snprintf(scene->method, sizeof scene->method, "%s", options->method);
    if (options->particles) {
        pd_result result = pd_scene_set_particle_count(scene, options->particles, error);
        if (result != PD_OK) return result;
    }
    if (options->has_seed) scene->seed = options->seed;
    if (options->dt > 0) scene->dt = (float)options->dt;
    if (options->substeps) scene->substeps = options->substeps > 0 ? options->substeps : 0;
    return options_apply_settings(options, scene, error);
}

const char *options_scene_name(const options *options) { return options->scene_count ? options->scenes[0] : "blobs"; }

/* State of the check whether an output would overwrite one of the files that the scene reads. */
typedef struct input_files_check {
    const options *options;
    pd_result result; /* PD_OK, or the failure for the first file that would be overwritten */
    pd_error error;   /* error of this failure */
} input_files_check;

static void check_input_file(void *context, const char *path) {
    input_files_check *check = context;
    if (check->result == PD_OK)
        check->result = options_check_input_not_overwritten(check->options, path, &check->error);
}

/* Reads the scene of the command line (a path, a bundled name, or the default scene) and applies the flags that change the
 * scene. */
static pd_result read_scene(const options *options, pd_scene *scene, pd_error *error) {
    char path[1024];
    input_files_check check = {.options = options};
    pd_result result = options_find_scene_path(options_scene_name(options), path, sizeof path, error);
    if (result == PD_OK) result = pd_scene_read_and_visit_files(path, scene, check_input_file, &check, error);
    if (result != PD_OK) return result;
    result = check.result;
    if (result != PD_OK && error) *error = check.error;
    if (result == PD_OK) result = apply_options(options, scene, error);
    if (result != PD_OK) pd_scene_free(scene);
    return result;
}

pd_result options_create_world_from_scene(const options *options, const pd_scene *scene, pd_world **world,
                                          pd_error *error) {
    pd_world_def def = pd_world_def_default();
    def.scene = scene;
    def.threads = options->threads;
    return pd_world_create(world, &def, error);
}

pd_result options_create_world(const options *options, pd_world **world, pd_error *error) {
    *world = NULL;
    if (options->load) {
        pd_world_def def = pd_world_def_default();
        def.threads = options->threads;
        pd_result result = pd_world_load(world, options->load, &def, error);
        if (result == PD_OK && options->method) result = pd_world_set_method(*world, options->method, error);
        if (result == PD_OK) result = apply_settings_to_world(options, *world, error);
        if (result != PD_OK && *world) {
            pd_world_destroy(*world);
            *world = NULL;
        }
        return result;
    }
    pd_scene scene;
    pd_result result = read_scene(options, &scene, error);
    if (result != PD_OK) return result;
    result = options_create_world_from_scene(options, &scene, world, error);
    pd_scene_free(&scene);
    return result;
}

pd_result options_select_simd(const options *options, pd_error *error) {
    char known[80] = "";
    if (!options->simd || pd_simd_select(options->simd)) return PD_OK;
    for (int i = 0; i < SIMD_WORDS; i++)
        if (pd_simd_select(simd_words[i])) pd_text_append_word(known, sizeof known, ", ", simd_words[i]);
    pd_simd_select("auto");
    return pd_fail(error, PD_ERROR_USAGE, "--simd %s: this processor does not have it (use one of: %s)", options->simd,
                   known);
}

bool options_is_transparent(const options *options) {
    return options->alpha || (options->background && strcmp(options->background, "none") == 0);
}

bool options_has_end(const options *options) { return options->steps >= 0 || options->seconds > 0 || options->at >= 0; }

long long options_count_steps(const options *options, double dt) {
    double seconds = options->at >= 0 ? options->at : options->seconds;
    if (options->steps >= 0) return options->steps;
    if (!(seconds > 0)) return 0;
    /* The tolerance of 1e-3 steps is for a dt of 0.0166667, which stands for 1/60 s: 5 s are then 300 steps instead of
     * 301. */
    return (long long)ceil(seconds / dt - 1e-3);
}

pd_result options_find_view(const options *options, const pd_world *world, const pd_view_mode **mode, pd_error *error) {
    const pd_method_info *method = pd_world_method(world);
    char known[256] = "";
    *mode = options->view ? pd_method_find_view(method, options->view) : pd_method_view_at(method, 0);
    if (*mode) return PD_OK;
    for (int i = 0; i < method->view_count; i++)
        pd_text_append_word(known, sizeof known, i + 1 < method->view_count ? ", " : " or ",
                            pd_method_view_at(method, i)->name);
    return pd_fail(error, PD_ERROR_USAGE, "--view is '%.40s': the method %s has no such view (use %s)", options->view,
                   method->name, known);
}

/* Appends to `text` the method's views over which these lines can be drawn: ", or --view speed or pressure". */
static void append_views_with_lines(const pd_view *view, const pd_method_info *method, pd_view_lines lines, char *text,
                                    size_t size) {
    const char *before = ", or --view ";
    for (int i = 0; i < method->view_count; i++) {
        if (!pd_lines_can_be_drawn(view, pd_method_view_at(method, i), lines)) continue;
        pd_text_append(text, size, "%s%s", before, pd_method_view_at(method, i)->name);
        before = " or ";
    }
}

pd_result options_find_lines(const options *options, const pd_world *world, const pd_view_mode *mode,
                             pd_view_lines *lines, pd_error *error) {
    const pd_method_info *method = pd_world_method(world);
    pd_view_lines wanted = PD_LINES_NONE;
    pd_view view;
    char known[256] = "";
    *lines = mode->lines;
    if (!options->lines) return PD_OK;
    pd_world_view(world, &view);
    for (int i = 0; i < PD_LINES_COUNT; i++) {
        if (strcmp(options->lines, pd_lines_name((pd_view_lines)i)) == 0) wanted = (pd_view_lines)i;
        if (!pd_lines_can_be_drawn(&view, mode, (pd_view_lines)i)) continue;
        pd_text_append_word(known, sizeof known, ", ", pd_lines_name((pd_view_lines)i));
    }
    *lines = wanted;
    if (pd_lines_can_be_drawn(&view, mode, wanted)) return PD_OK;
    append_views_with_lines(&view, method, wanted, known, sizeof known);
    return pd_fail(error, PD_ERROR_USAGE, "--lines is '%s': the view %s of the method %s has no such lines (use %s)",
                   options->lines, mode->name, method->name, known);
}

/* Fails for flags that cannot be combined with --load, since the snapshot contains their values. */
static pd_result check_flags_with_load(const options *options, pd_error *error) {
    const char *clash = NULL;
    if (options->particles) clash = "--particles";
    if (options->has_seed) clash = "--seed";
    if (options->dt > 0) clash = "--dt";
    if (options->substeps) clash = "--substeps";
    if (options->scene_count) clash = "a scene";
    if (!clash) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE, "%s does not go with --load: the snapshot sets this value (leave one out)",
                   clash);
}

/* Fails for flags that cannot be combined with --continue, since the last session has its own scene and log. */
static pd_result check_flags_with_continue(const options *options, pd_error *error) {
    const char *clash = NULL;
    if (options->record) clash = "--record";
    if (options->log) clash = "--log";
    if (options->load) clash = "--load";
    if (options->scene_count) clash = "a scene";
    if (!clash) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE,
                   "%s does not go with --continue: the last session has its own (leave one out)", clash);
}

/* Fails for flags that cannot be combined with --compare, since they need a single world. */
static pd_result check_flags_with_compare(const options *options, pd_error *error) {
    const char *clash = NULL;
    if (options->method) clash = "--method";
    if (options->stats) clash = "--stats";
    if (options->bodies) clash = "--bodies";
    if (options->state || options->state_every) clash = "--state";
    if (options->surface) clash = "--surface";
    if (options->save) clash = "--save";
    if (!clash) return PD_OK;
    return pd_fail(error, PD_ERROR_USAGE, "%s does not go with --compare: %s is for one method (leave one out)", clash,
                   clash);
}

/* Fails for flags that the command lacks, for too many arguments, and for a missing scene. */
static pd_result check_arguments(const options *options, const command_info *command, const bool *given,
                                 pd_error *error) {
    bool named = *command->name;
    for (int i = 0; i < flag_count; i++) {
        if (!given[i] || (flags[i].commands & command->bit)) continue;
        return pd_fail(error, PD_ERROR_USAGE, "%s does not go with %s%s ('puddle %s%s--help' shows what does)",
                       flags[i].name, named ? "puddle " : "", named ? command->name : "no command", command->name,
                       named ? " " : "");
    }
    if (options->scene_count > command->max_arguments)
        return pd_fail(error, PD_ERROR_USAGE, "unexpected argument '%.60s' (usage: puddle %s)",
                       options->scenes[command->max_arguments], command->usage);
    if (command->needs_scene && !options->scene_count && !options->load)
        return pd_fail(error, PD_ERROR_USAGE, "%s needs a scene (use a scene file, or a name of 'puddle list scenes')",
                       command->name);
    if (command->bit == FOR_REPLAY && !options->scene_count)
        return pd_fail(error, PD_ERROR_USAGE, "replay needs a log (use a file that --log or Ctrl+R wrote)");
    char known[128];
    if (command->bit == FOR_LIST && !options->scene_count)
        return pd_fail(error, PD_ERROR_USAGE, "list needs a topic (use %s)", list_write_names(known, sizeof known));
    if (options->markdown && options->json)
        return pd_fail(error, PD_ERROR_USAGE,
                       "--markdown does not go with --json: both write to standard output (leave one out)");
    return PD_OK;
}

/* Returns the first flag in `names` that was given; NULL: none was. The last element of `names` is NULL. */
static const char *find_first_given_flag(const char *const *names, const bool *given) {
    for (; *names; names++)
        if (given[flag_find(*names) - flags]) return *names;
    return NULL;
}

/* Fails for flags that the kind of recording (video, still, folder, stream) does not support. */
static pd_result check_flags_with_recording_kind(const options *options, const bool *given, pd_error *error) {
    static const char *const of_video[] = {"--fps", "--speed", "--frames", "--start", "--quality", NULL};
    pd_sink_kind kind;
    if (pd_sink_find_kind(options->output, &kind, NULL) != PD_OK) return PD_OK;
    const char *clash = NULL;
    if (options_is_transparent(options) && !pd_sink_has_alpha(kind))
        clash = options->alpha ? "--alpha" : "--background none";
    if (options->depth == 16 && !pd_sink_has_16_bits(kind)) clash = "--depth 16";
    if (clash)
        return pd_fail(error, PD_ERROR_USAGE,
                       "%s does not go with the video '%.200s' (record to a folder%s, or leave the option out)", clash,
                       options->output, options->depth == 16 ? "" : ", .webm or .mov");
    clash = kind == PD_SINK_STILL ? find_first_given_flag(of_video, given) : NULL;
    if (clash)
        return pd_fail(error, PD_ERROR_USAGE,
                       "%s does not go with the still '%.200s' (use --at, or record to a folder)", clash,
                       options->output);
    if (options->at >= 0 && kind != PD_SINK_STILL)
        return pd_fail(error, PD_ERROR_USAGE, "--at is for a still (use -o FILE.png, or --start)");
    if (options->quality && (!pd_sink_is_video(kind) || kind == PD_SINK_GIF))
        return pd_fail(error, PD_ERROR_USAGE, "--quality is for a video (use -o FILE.mp4, .webm or .mov)");
    return PD_OK;
}

/* Fails for flags about frames if there is no recording, or if they exclude each other. */
static pd_result check_recording_flags(const options *options, const command_info *command, const bool *given,
                                       pd_error *error) {
    static const char *const of_frames[] = {"--alpha",      "--depth",   "--background", "--no-legend",
                                            "--no-outline", "--quality", "--speed",      "--start",
                                            "--at",         "--compare", "--camera",     NULL};
    if (command->bit == FOR_RENDER && !options->output)
        return pd_fail(error, PD_ERROR_USAGE, "render needs a place for its frames (add -o DIR, or -o FILE.mp4)");
    if (options->output && options->json && strcmp(options->output, "-") == 0)
        return pd_fail(error, PD_ERROR_USAGE,
                       "--json does not go with -o -: both write to standard output (leave one out)");
    if (options->stats_printed && (options->json || (options->output && strcmp(options->output, "-") == 0)))
        return pd_fail(error, PD_ERROR_USAGE,
                       "%s does not go with --stats -: both write to standard output (leave one out)",
                       options->json ? "--json" : "-o -");
    if (options->depth && options->depth != 8 && options->depth != 16)
        return pd_fail(error, PD_ERROR_USAGE, "--depth is '%d' (use 8 or 16)", options->depth);
    const char *of_frame = options->output ? NULL : find_first_given_flag(of_frames, given);
    if (of_frame) return pd_fail(error, PD_ERROR_USAGE, "%s needs frames to write (add -o DIR)", of_frame);
    if (options->alpha && options->background)
        return pd_fail(error, PD_ERROR_USAGE,
                       "--alpha does not go with --background: both set the background (leave one out)");
    bool two_ends = options->steps >= 0 || (options->seconds > 0 && options->seconds != options->at);
    if (options->at >= 0 && two_ends)
        return pd_fail(error, PD_ERROR_USAGE, "--at does not go with %s: both set the end (leave one out)",
                       options->steps >= 0 ? "--steps" : "another --seconds");
    return options->output ? check_flags_with_recording_kind(options, given, error) : PD_OK;
}

/* ---- Files ---- */

/* File that a flag names. */
typedef struct named_file {
    const char *flag, *path;
} named_file;

/* Returns whether `path` is a numbered file of an output. output_path: value of --state or --surface. For FILE.csv these files
 * are FILE_000012.csv and the like. */
static bool is_numbered_file(const char *path, const char *output_path) {
    char plain[PD_MAX_PATH];
    const char *ending = strrchr(output_path, '.'), *digits = strrchr(path, '_');
    if (!pd_text_ends_in(path, ending) || !digits) return false;
    size_t count = strspn(digits + 1, "0123456789");
    if (count < 6 || strcmp(digits + 1 + count, ending) != 0) return false;
    int length = snprintf(plain, sizeof plain, "%.*s%s", (int)(digits - path), path, ending);
    return length < (int)sizeof plain && pd_file_is_same(plain, output_path);
}

static bool may_output_write_to(const options *options, const named_file *output, const char *path) {
    if (pd_file_is_same(output->path, path)) return true;
    bool numbered = output->path == options->surface || (options->state_every && output->path == options->state);
    return numbered && is_numbered_file(path, output->path);
}

/* Number of flags of a command line that name an output file, without those of a recording. */
enum { OUTPUT_FLAGS = 6 };
static void get_output_files(const options *options, named_file outputs[OUTPUT_FLAGS]) {
    outputs[0] = (named_file){"--stats", options->stats};
    outputs[1] = (named_file){"--state", options->state};
    outputs[2] = (named_file){"--save", options->save};
    outputs[3] = (named_file){"--log", options->log};
    outputs[4] = (named_file){"--bodies", options->bodies};
    outputs[5] = (named_file){"--surface", options->surface};
}

/* Returns the path of the recording and sets *kind to its kind. Returns NULL without a recording. */
static const char *find_recording(const options *options, pd_sink_kind *kind) {
    const char *recording = options->output ? options->output : options->record;
    *kind = PD_SINK_STREAM;
    if (recording) pd_sink_find_kind(recording, kind, NULL);
    return recording;
}

/* Returns whether `path` is a frame file in the folder `recording`. A scene may use a frame of an earlier recording as its
 * picture. */
static bool is_frame_file(const char *path, const char *recording) {
    return pd_folder_is_recording_file(pd_path_name(path)) && pd_file_conflicts_with_frame_folder(path, recording);
}

static pd_result fail_overwrite(const char *flag, const char *path, pd_error *error) {
    return pd_fail(error, PD_ERROR_USAGE, "%s%s'%.200s' would overwrite the input (give another file)", flag,
                   *flag ? " " : "", path);
}

pd_result options_check_input_not_overwritten(const options *options, const char *input, pd_error *error) {
    named_file outputs[OUTPUT_FLAGS];
    pd_sink_kind kind;
    const char *recording = find_recording(options, &kind);
    get_output_files(options, outputs);
    if (pd_sink_is_file(kind) && pd_file_is_same(recording, input)) return fail_overwrite("", recording, error);
    if (kind == PD_SINK_FOLDER && is_frame_file(input, recording)) return fail_overwrite("", recording, error);
    for (int i = 0; i < OUTPUT_FLAGS; i++) {
        const named_file *output = &outputs[i];
        /* --save may replace the file of --load, because the new file is complete before it replaces the old one. */
        bool replaces_input = options->load && output->path == options->save;
        if (output->path && !replaces_input && may_output_write_to(options, output, input))
            return fail_overwrite(output->flag, output->path, error);
    }
    return PD_OK;
}

/* Fails if an output file is also an input, or if two outputs are the same file, even by different paths. */
static pd_result check_output_files(const options *options, pd_error *error) {
    named_file outputs[OUTPUT_FLAGS];
    char scene[PD_MAX_PATH] = "";
    pd_sink_kind kind;
    const char *input = options->load, *recording = find_recording(options, &kind);
    get_output_files(options, outputs);
    if (options->state && !state_has_format(options->state))
        return pd_fail(error, PD_ERROR_USAGE, "--state is '%.200s' (use a name that ends in .csv, .vtk or .npz)",
                       options->state);
    if (options->surface && !pd_text_ends_in(options->surface, ".obj") && !pd_text_ends_in(options->surface, ".svg"))
        return pd_fail(error, PD_ERROR_USAGE, "--surface is '%.200s' (use a name that ends in .obj or .svg)",
                       options->surface);
    if (options->state_every && !options->state)
        return pd_fail(error, PD_ERROR_USAGE, "--state-every needs a file to write to (add --state FILE.csv)");
    if (strcmp(options->command, "replay") == 0) input = options->scenes[0];
    /* A missing scene file is reported when the scene is read. */
    if (!input && options_find_scene_path(options_scene_name(options), scene, sizeof scene, NULL) == PD_OK)
        input = scene;
    pd_result result = input ? options_check_input_not_overwritten(options, input, error) : PD_OK;
    for (int i = 0; result == PD_OK && i < OUTPUT_FLAGS; i++) {
        const named_file *output = &outputs[i];
        if (!output->path) continue;
        if (kind == PD_SINK_FOLDER && pd_file_conflicts_with_frame_folder(output->path, recording))
            return pd_fail(error, PD_ERROR_USAGE,
                           "%s '%.200s' is in the way of the frames in '%.200s' (choose a file outside the folder)",
                           output->flag, output->path, recording);
        if (pd_sink_is_file(kind) && may_output_write_to(options, output, recording))
            return pd_fail(error, PD_ERROR_USAGE, "'%.200s' is the file of two outputs (give each output its own file)",
                           recording);
        for (int j = 0; j < OUTPUT_FLAGS; j++)
            if (j != i && outputs[j].path && may_output_write_to(options, output, outputs[j].path))
                return pd_fail(error, PD_ERROR_USAGE,
                               "'%.200s' is the file of two outputs (give each output its own file)", outputs[j].path);
    }
    return result;
}

/* ---- All checks ---- */

pd_result options_check(const options *options, const command_info *command, const bool *given, pd_error *error) {
    if (options->help || options->version) return PD_OK;
    pd_result result = check_arguments(options, command, given, error);
    if (result == PD_OK) result = check_recording_flags(options, command, given, error);
    if (result != PD_OK) return result;
    if (options->steps >= 0 && options->seconds > 0)
        return pd_fail(error, PD_ERROR_USAGE, "--steps does not go with --seconds: both set the end (leave one out)");
    if (command->bit == FOR_RUN && options->fps > 0 && !options->surface)
        return pd_fail(error, PD_ERROR_USAGE,
                       "--fps does not go with puddle run without --surface (add --surface FILE.obj)");
    if (command->bit == FOR_REPLAY && options->surface && !options->output)
        return pd_fail(error, PD_ERROR_USAGE, "--surface needs frames to write (add -o DIR)");
    if (command->bit == FOR_RUN && !options_has_end(options))
        return pd_fail(error, PD_ERROR_USAGE, "run needs an end (add --steps N or --seconds S)");
    if (options->continues) result = check_flags_with_continue(options, error);
    if (result == PD_OK && options->load) result = check_flags_with_load(options, error);
    if (result == PD_OK && options->compared[0]) result = check_flags_with_compare(options, error);
    bool has_world = command->bit & (FOR_WORLD | FOR_REPLAY);
    return result == PD_OK && has_world ? check_output_files(options, error) : result;
}
