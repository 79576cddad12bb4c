/* Commands as text: one line with the kind, then its values. */
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/edit.h"
#include "scene/features.h"
#include "scene/file/writer.h"
#include "scene/items.h"
#include <puddle/command.h>
#include <puddle/parameter.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const tools[] = {
    [PD_TOOL_NONE] = "none",   [PD_TOOL_DRAG] = "drag", [PD_TOOL_PUSH] = "push", [PD_TOOL_PULL] = "pull",
    [PD_TOOL_PAINT] = "paint", [PD_TOOL_MOVE] = "move", [PD_TOOL_POUR] = "pour", [PD_TOOL_ERASE] = "erase",
};
enum { TOOLS = sizeof tools / sizeof *tools };

/* Words that begin the lines of commands. */
static const char *const words[] = {
    [PD_COMMAND_TOOL] = "tool",         [PD_COMMAND_GRAVITY] = "gravity", [PD_COMMAND_PARAMETER] = "parameter",
    [PD_COMMAND_PROPERTY] = "property", [PD_COMMAND_METHOD] = "method",   [PD_COMMAND_PARTICLES] = "particles",
    [PD_COMMAND_RESET] = "reset",       [PD_COMMAND_RESTART] = "restart", [PD_COMMAND_EDIT] = "edit",
    [PD_COMMAND_SCENE] = "scene",       [PD_COMMAND_LIMIT] = "limit",     [PD_COMMAND_STATE] = "state",
};
enum { WORDS = sizeof words / sizeof *words };

/* Values behind the word of a command, for messages about a wrong line. */
static const char *const forms[WORDS] = {
    [PD_COMMAND_TOOL] = " KIND X Y VX VY RADIUS [MATERIAL or OBSTACLE], or tool none",
    [PD_COMMAND_GRAVITY] = " X Y",
    [PD_COMMAND_PARAMETER] = " KEY VALUE, or default for VALUE",
    [PD_COMMAND_PROPERTY] = " KEY VALUE MATERIAL, or none for VALUE",
    [PD_COMMAND_METHOD] = " NAME",
    [PD_COMMAND_PARTICLES] = " NUMBER",
    [PD_COMMAND_RESET] = "",
    [PD_COMMAND_RESTART] = "",
    [PD_COMMAND_EDIT] = " {LIST: {INDEX: ITEM}}",
    [PD_COMMAND_SCENE] = " YAML",
    [PD_COMMAND_LIMIT] = " NUMBER",
    [PD_COMMAND_STATE] = " SNAPSHOT",
};

static const char PARAMETERS[] = "parameters"; /* key of the parameters in an edit's text */

enum { NO_OBSTACLE = PD_MAX_ITEMS }; /* greatest obstacle index of a line, which stands for -1 */

/* ---- Writing of commands ---- */

enum { TEXT = 256 }; /* bytes of a command's text without edit, scene or state */

static void add_word(char text[TEXT], const char *word) {
    size_t length = strlen(text);
    snprintf(text + length, TEXT - length, "%s%s", length > 0 ? " " : "", word);
}

static void add_number(char text[TEXT], float value) {
    char number[PD_FLOAT_TEXT];
    add_word(text, pd_text_float(value, number));
}

static void add_integer(char text[TEXT], int value) {
    char number[16];
    snprintf(number, sizeof number, "%d", value);
    add_word(text, number);
}

static bool has_material(const pd_tool *tool) { return tool->kind == PD_TOOL_PAINT || tool->kind == PD_TOOL_POUR; }

static void add_tool(char text[TEXT], const pd_tool *tool) {
    add_word(text, tools[tool->kind]);
    if (tool->kind == PD_TOOL_NONE) return;
    const float values[] = {tool->position.x, tool->position.y, tool->velocity.x, tool->velocity.y, tool->radius};
    for (int i = 0; i < 5; i++) add_number(text, values[i]);
    if (has_material(tool)) add_integer(text, tool->material);
    if (tool->kind == PD_TOOL_MOVE) add_integer(text, tool->obstacle < 0 ? NO_OBSTACLE : tool->obstacle);
}

static void add_value(char text[TEXT], float value, const char *missing) {
    if (isnan(value))
        add_word(text, missing);
    else
        add_number(text, value);
}

/* Reads the next word of a line. Returns false if the line has no more words or the word is too long. */
static bool next_word(const char **at, char *word, size_t size) {
    *at += strspn(*at, " ");
    size_t length = strcspn(*at, " ");
    if (length == 0 || length >= size) return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return true;
}

static bool next_integer(const char **at, int *value) {
    char word[16], *end;
    if (!next_word(at, word, sizeof word) || !isdigit((unsigned char)*word)) return false;
    long number = strtol(word, &end, 10);
    *value = (int)number;
    return !*end && number <= PD_MAX_PARTICLES;
}

/* Returns the index of the material that ends a line: "# 1" for index 1, else the material of that name. -1: none. */
static int find_material(const pd_scene *scene, const char *name) {
    const char *number = name + 2;
    int material = 0;
    if (strncmp(name, "# ", 2) == 0 && next_integer(&number, &material) && !*number) return material;
    for (material = 0; material < scene->material_count; material++)
        if (strcmp(name, scene->materials[material].name) == 0) return material;
    return -1;
}

/* Writes a material's name at the end of a line, or "# INDEX" if the name is ambiguous. */
static void add_material(char text[TEXT], const pd_scene *scene, int material) {
    const char *name = scene && material < scene->material_count ? scene->materials[material].name : NULL;
    if (name && find_material(scene, name) == material) {
        add_word(text, name);
    } else {
        add_word(text, "#");
        add_integer(text, material);
    }
}

static void format_words(const pd_command *command, const pd_scene *scene, char text[TEXT]) {
    add_word(text, words[command->kind]);
    switch (command->kind) {
    case PD_COMMAND_TOOL:
        add_tool(text, &command->is.tool);
        break;
    case PD_COMMAND_GRAVITY:
        add_number(text, command->is.gravity.x);
        add_number(text, command->is.gravity.y);
        break;
    case PD_COMMAND_PARAMETER:
        add_word(text, command->is.parameter.key);
        add_value(text, command->is.parameter.value, "default");
        break;
    case PD_COMMAND_PROPERTY:
        add_word(text, pd_property_at((int)command->is.property.property)->key);
        add_value(text, command->is.property.value, "none");
        add_material(text, scene, command->is.property.material);
        break;
    case PD_COMMAND_METHOD:
        add_word(text, command->is.method);
        break;
    case PD_COMMAND_PARTICLES:
    case PD_COMMAND_LIMIT:
        add_integer(text, command->is.particles);
        break;
    case PD_COMMAND_RESET:
    case PD_COMMAND_RESTART:
    case PD_COMMAND_EDIT:
    case PD_COMMAND_SCENE:
    case PD_COMMAND_STATE:
        break;
    }
}

/* Writes a text as one line: a line end becomes \n, a backslash \\. */
static void join_lines(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '\n' || *text == '\\') fputc('\\', out);
        fputc(*text == '\n' ? 'n' : *text, out);
    }
}

/* Writes a scene as one line. Returns false if memory runs out. */
static bool write_scene(FILE *out, const pd_scene *scene) {
    char *text;
    size_t length;
    if (pd_scene_write_saved(scene, &text, &length, NULL) != PD_OK) return false;
    join_lines(out, text);
    pd_memory_free(text);
    return true;
}

/* Writes an edit's parameters of one method. first: no parameters of another method are before. Returns whether there
 * are any. */
static bool write_method_settings(FILE *out, const pd_edit *edit, int of_method, bool first) {
    int method, index;
    char value[64];
    bool begun = false;
    for (int i = 0; i < edit->count; i++) {
        const pd_setting *setting = edit->operations[i].item;
        if (edit->operations[i].list != PD_LIST_SETTINGS) continue;
        if (pd_parameter_find(setting->key, &method, &index, NULL) != PD_OK || method != of_method) continue;
        const pd_parameter *parameter = pd_method_parameter_at(pd_method_at(method), index);
        if (!begun) fprintf(out, "%s%s: {", first ? "" : ", ", pd_method_at(method)->name);
        pd_parameter_format(parameter, setting->value, value, sizeof value);
        fprintf(out, "%s%s: %s", begun ? ", " : "", parameter->key, value);
        begun = true;
    }
    if (begun) fputc('}', out);
    return begun;
}

/* Writes an edit's parameters by method, since a YAML mapping may have each method once. */
static void write_settings(FILE *out, const pd_edit *edit) {
    bool first = true;
    for (int m = 0; m < pd_method_count(); m++) first &= !write_method_settings(out, edit, m, first);
}

static void write_operation(pd_writer *w, const pd_operation *operation) {
    bool named = pd_scene_lists[operation->list].inside;
    if (operation->removes && named) pd_write_word(w->out, operation->item);
    if (!named) fprintf(w->out, "%d", operation->index);
    if (!named || operation->removes) fputs(": ", w->out);
    if (operation->removes)
        fputs("none", w->out);
    else
        pd_write_item(w, operation->list, operation->item);
}

/* Writes an edit as YAML in one line:
 *
 *     {obstacles: {3: none, 5: {shape: circle, ...}}, materials: {"oil": {color: ..., mass: 0.8}},
 *      parameters: {ddr: {equal_weight: false}}}
 *
 * A key is an index in the list before the edit, or a material's name. An item replaces the one at that index, `none`
 * removes it, and an index beyond the last appends. Parameters are as in scene files. */
static void write_edit(FILE *out, const pd_edit *edit) {
    pd_writer w = {out, edit->materials, edit->material_count, .one_line = true};
    int list = -1;
    fputc('{', out);
    for (int i = 0; i < edit->count; i++) {
        const pd_operation *operation = &edit->operations[i];
        bool setting = operation->list == PD_LIST_SETTINGS, begins = operation->list != list;
        if (begins) fprintf(out, "%s%s: {", i ? "}, " : "", setting ? PARAMETERS : pd_scene_lists[operation->list].key);
        list = operation->list;
        if (setting && begins) write_settings(out, edit);
        if (setting) continue;
        if (!begins) fputs(", ", out);
        write_operation(&w, operation);
    }
    fputs(edit->count ? "}}" : "}", out);
}

/* Returns the text of a command with an edit, scene or state, which is behind `words`. NULL: out of memory. */
static char *format_long(const pd_command *command, const char *words) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    bool fine = fprintf(out, "%s ", words) > 0;
    if (command->kind == PD_COMMAND_EDIT) write_edit(out, command->is.edit);
    if (command->kind == PD_COMMAND_SCENE) fine = write_scene(out, command->is.scene) && fine;
    if (command->kind == PD_COMMAND_STATE) fputs(command->is.state, out);
    fine = !ferror(out) && fine;
    if (fclose(out) == 0 && fine) return pd_memory_adopt_text(text, length);
    free(text);
    return NULL;
}

char *pd_command_format(const pd_command *command, const pd_scene *scene) {
    char text[TEXT] = "";
    if (pd_command_check(command, NULL) != PD_OK) return NULL;
    format_words(command, scene, text);
    bool long_one =
        command->kind == PD_COMMAND_EDIT || command->kind == PD_COMMAND_SCENE || command->kind == PD_COMMAND_STATE;
    return long_one ? format_long(command, text) : pd_memory_text(text);
}

/* ---- Reading of commands ---- */

static bool next_number(const char **at, float *value) {
    char word[64];
    double number;
    if (!next_word(at, word, sizeof word) || !pd_text_number(word, &number)) return false;
    *value = (float)number;
    return isfinite(*value);
}

/* Reads a number, or the word `missing`, which stands for NAN. */
static bool next_value(const char **at, const char *missing, float *value) {
    const char *begin = *at;
    char word[64];
    if (!next_word(at, word, sizeof word)) return false;
    if (strcmp(word, missing) == 0) {
        *value = NAN;
        return true;
    }
    *at = begin;
    return next_number(at, value);
}

static bool next_obstacle(const char **at, int *obstacle) {
    if (!next_integer(at, obstacle) || *obstacle < 0) return false;
    if (*obstacle == NO_OBSTACLE) *obstacle = -1;
    return true;
}

static bool next_tool(const char **at, pd_tool *tool) {
    char word[16];
    int kind = 0;
    if (!next_word(at, word, sizeof word)) return false;
    while (kind < TOOLS && strcmp(word, tools[kind]) != 0) kind++;
    if (kind == TOOLS) return false;
    *tool = (pd_tool){.kind = (pd_tool_kind)kind};
    if (kind == PD_TOOL_NONE) return true;
    float *values[] = {&tool->position.x, &tool->position.y, &tool->velocity.x, &tool->velocity.y, &tool->radius};
    for (int i = 0; i < 5; i++)
        if (!next_number(at, values[i])) return false;
    if (has_material(tool)) return next_integer(at, &tool->material);
    return kind != PD_TOOL_MOVE || next_obstacle(at, &tool->obstacle);
}

/* Reads a property, its value and the material, whose name is the rest of the line, as it may contain blanks. */
static bool next_property(const char **at, const pd_scene *scene, pd_command *command) {
    char word[32];
    int property = 0;
    if (!next_word(at, word, sizeof word)) return false;
    while (property < PD_PROPERTIES && strcmp(word, pd_property_at(property)->key) != 0) property++;
    if (property == PD_PROPERTIES || !next_value(at, "none", &command->is.property.value) || **at != ' ') return false;
    command->is.property.property = (pd_property)property;
    command->is.property.material = find_material(scene, *at + 1);
    *at += strlen(*at);
    return command->is.property.material >= 0;
}

/* Restores the line ends of a text that join_lines has written, in place. Returns false for an unknown escape. */
static bool split_lines(char *text) {
    char *to = text;
    for (; *text; text++) {
        char letter = *text;
        if (letter == '\\') {
            letter = *++text == 'n' ? '\n' : *text;
            if (*text != 'n' && *text != '\\') return false;
        }
        *to++ = letter;
    }
    *to = '\0';
    return true;
}

/* ---- Reading of edits, scenes and states ---- */

/* most bytes of a scene or state; ten million particles need half */
static const size_t LARGEST_TEXT = (size_t)512 << 20;

static bool read_named(pd_document *document, pd_edit *edit, const yaml_node_t *key, const yaml_node_t *value) {
    pd_material material;
    bool removes = pd_node_is(value, "none");
    return pd_read_material_name(document, key, &material) &&
           (removes || pd_read_record(document, value, pd_scene_lists[PD_LIST_MATERIALS].record, &material)) &&
           pd_edit_add(edit, document->scene, PD_LIST_MATERIALS, 0, removes, &material, &document->error) == PD_OK;
}

static bool read_indexed(pd_document *document, pd_edit *edit, int list, const yaml_node_t *key,
                         const yaml_node_t *value) {
    pd_scene *scene = document->scene; /* the scene owns the item until the edit has a copy */
    uint64_t index;
    if (!pd_read_integer(document, key, pd_scene_lists[list].record->noun, 0, (uint64_t)pd_scene_lists[list].most,
                         PD_ERROR_SCENE_REFERENCE, &index))
        return false;
    if (pd_node_is(value, "none"))
        return pd_edit_add(edit, scene, list, (int)index, true, NULL, &document->error) == PD_OK;
    if (!pd_scene_list_reserve(list, scene, 1)) return pd_fail_memory_at(document, key);
    void *item = pd_scene_list_item(list, scene, 0);
    memset(item, 0, pd_scene_lists[list].record->size);
    pd_scene_list_set_count(list, scene, 1);
    bool fine = pd_read_item(document, value, list, 1, item) &&
                pd_edit_add(edit, scene, list, (int)index, false, item, &document->error) == PD_OK;
    pd_scene_list_free(list, scene);
    return fine;
}

static bool read_settings(pd_document *document, pd_edit *edit, const yaml_node_t *node) {
    const pd_scene *scene = document->scene;
    if (!pd_read_parameters(document, node, document->scene)) return false;
    for (int i = 0; i < scene->setting_count; i++)
        if (pd_edit_add(edit, scene, PD_LIST_SETTINGS, 0, false, &scene->settings[i], &document->error) != PD_OK)
            return false;
    return true;
}

static bool read_list(pd_document *document, pd_edit *edit, int list, const yaml_node_t *node) {
    if (list == PD_LIST_SETTINGS) return read_settings(document, edit, node);
    if (!pd_require_mapping(document, node, pd_scene_lists[list].key)) return false;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start, *top = node->data.mapping.pairs.top;
    bool fine = true;
    for (; pair < top && fine; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key), *value = pd_node_at(document, pair->value);
        fine = list == PD_LIST_MATERIALS ? read_named(document, edit, key, value)
                                         : read_indexed(document, edit, list, key, value);
    }
    return fine;
}

static bool read_lists(pd_document *document, pd_edit *edit) {
    const yaml_node_t *root = yaml_document_get_root_node(&document->yaml);
    const char *keys[PD_ALL_LISTS];
    bool seen[PD_ALL_LISTS] = {false};
    for (int k = 0; k < PD_ALL_LISTS; k++) keys[k] = k == PD_LIST_SETTINGS ? PARAMETERS : pd_scene_lists[k].key;
    if (!pd_require_mapping(document, root, "the edit")) return false;
    const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
    for (; pair < root->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key);
        int list = 0;
        while (list < PD_ALL_LISTS && !pd_node_is(key, keys[list])) list++;
        if (list == PD_ALL_LISTS) return pd_fail_unknown(document, key, PD_ERROR_SCENE_KEY, "list", keys, PD_ALL_LISTS);
        if (seen[list])
            return pd_fail_at(document, key->start_mark, PD_ERROR_SCENE_KEY, "the key '%s' comes twice (keep one)",
                              keys[list]);
        seen[list] = true;
        if (!read_list(document, edit, list, pd_node_at(document, pair->value))) return false;
    }
    return true;
}

/* Reads an edit and checks ranges and keys. pd_edit_apply checks references to materials and items. */
static bool read_edit(const char *text, pd_command *command, pd_error *error) {
    pd_scene scene = {0};
    pd_document document = {.name = "edit", .scene = &scene, .saved = true, .naming = true, .largest = LARGEST_TEXT};
    command->is.edit = pd_edit_create();
    if (!command->is.edit) {
        pd_fail_memory(error, "a command");
        return false;
    }
    bool fine = pd_document_parse(&document, text, strlen(text));
    if (fine) {
        fine = read_lists(&document, command->is.edit);
        yaml_document_delete(&document.yaml);
    }
    pd_scene_free(&scene);
    if (!fine && error) *error = document.error;
    return fine;
}

static bool read_scene(const char *text, pd_command *command, pd_error *error) {
    char *lines = pd_memory_text(text);
    command->is.scene = pd_memory_zeroed(1, sizeof *command->is.scene);
    bool fine = lines && command->is.scene;
    if (!fine) pd_fail_memory(error, "a command");
    if (fine && !split_lines(lines)) {
        pd_fail(error, PD_ERROR_LOG_BROKEN, "a backslash before another character than n (write it twice)");
        fine = false;
    }
    if (fine) fine = pd_scene_read_saved(lines, strlen(lines), "scene", command->is.scene, error) == PD_OK;
    pd_memory_free(lines);
    return fine;
}

/* Reads the rest of a line as an edit, scene or state. A scene's first line may be indented. */
static bool next_rest(const char **at, pd_command *command, pd_error *error) {
    const char *text = **at == ' ' ? *at + 1 : *at;
    *at += strlen(*at);
    if (command->kind == PD_COMMAND_EDIT) return read_edit(text, command, error);
    if (command->kind == PD_COMMAND_SCENE) return read_scene(text, command, error);
    command->is.state = pd_memory_text(text);
    if (!command->is.state) pd_fail_memory(error, "a command");
    return command->is.state != NULL;
}

/* Reads the values behind a command's word. Fills *error for edits, scenes and states only. */
static bool next_values(const char **at, const pd_scene *scene, pd_command *command, pd_error *error) {
    switch (command->kind) {
    case PD_COMMAND_TOOL:
        return next_tool(at, &command->is.tool);
    case PD_COMMAND_GRAVITY:
        return next_number(at, &command->is.gravity.x) && next_number(at, &command->is.gravity.y);
    case PD_COMMAND_PARAMETER:
        return next_word(at, command->is.parameter.key, sizeof command->is.parameter.key) &&
               next_value(at, "default", &command->is.parameter.value);
    case PD_COMMAND_PROPERTY:
        return next_property(at, scene, command);
    case PD_COMMAND_METHOD:
        return next_word(at, command->is.method, sizeof command->is.method);
    case PD_COMMAND_PARTICLES:
    case PD_COMMAND_LIMIT:
        return next_integer(at, &command->is.particles);
    case PD_COMMAND_EDIT:
    case PD_COMMAND_SCENE:
    case PD_COMMAND_STATE:
        return next_rest(at, command, error);
    case PD_COMMAND_RESET:
    case PD_COMMAND_RESTART:
        break;
    }
    return true;
}

pd_result pd_command_parse(const char *text, const pd_scene *scene, pd_command *command, pd_error *error) {
    const char *at = text;
    char word[16];
    int kind = 0;
    *command = (pd_command){0};
    bool fine = next_word(&at, word, sizeof word);
    while (fine && kind < WORDS && strcmp(word, words[kind]) != 0) kind++;
    if (!fine || kind == WORDS)
        return pd_fail(error, PD_ERROR_LOG_BROKEN, "'%.60s' is no command (use tool, gravity, parameter, ...)", text);
    command->kind = (pd_command_kind)kind;
    pd_error inner = {0};
    fine = next_values(&at, scene, command, &inner) && at[strspn(at, " ")] == '\0';
    if (fine && pd_command_check(command, &inner) == PD_OK) return PD_OK;
    pd_command_free(command);
    if (inner.code == PD_ERROR_OUT_OF_MEMORY) return pd_fail(error, inner.code, "%s", inner.message);
    if (inner.code != PD_ERROR_NONE) return pd_fail(error, PD_ERROR_LOG_BROKEN, "'%.120s': %s", text, inner.message);
    return pd_fail(error, PD_ERROR_LOG_BROKEN, "'%.60s' is not a complete and valid command '%s' (allowed: %s%s)", text,
                   words[kind], words[kind], forms[kind]);
}
