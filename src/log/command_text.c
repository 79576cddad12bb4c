/* Commands as lines of text: first the word of the command's kind ("gravity"), then the command's values. */
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "log/log.h"
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

/* Lines of commands, by kind. form: what follows the first word; messages about a wrong line contain it. */
static const struct {
    const char *word, *form, *help;
} command_lines[] = {
    [PD_COMMAND_TOOL] = {"tool", " KIND X Y VX VY RADIUS [MATERIAL or OBSTACLE], or tool none",
                         "Sets the tool, which acts until the next such line: drag, push, pull, paint, move, pour or "
                         "erase, at X, Y with the velocity VX, VY, in m and m/s"},
    [PD_COMMAND_GRAVITY] = {"gravity", " X Y", "Sets gravity, m/s²"},
    [PD_COMMAND_PARAMETER] = {"parameter", " KEY VALUE, or default for VALUE", "Sets a parameter of a method"},
    [PD_COMMAND_PROPERTY] = {"property", " KEY VALUE MATERIAL, or none for VALUE", "Sets a property of a material"},
    [PD_COMMAND_METHOD] = {"method", " NAME", "Changes the method"},
    [PD_COMMAND_PARTICLES] = {"particles", " NUMBER", "Changes the number of particles"},
    [PD_COMMAND_RESET] = {"reset", "", "Restores the initial fluid"},
    [PD_COMMAND_RESTART] = {"restart", "", "Restores the state at the beginning of the log, or after its last scene"},
    [PD_COMMAND_EDIT] = {"edit", " {LIST: {INDEX: ITEM}}",
                         "Replaces items of the scene's lists, adds an item behind the last index, or removes an item "
                         "(none)"},
    [PD_COMMAND_SCENE] = {"scene", " YAML", "Opens a scene, with \\n for each end of a line"},
    [PD_COMMAND_STATE] = {"state", " SNAPSHOT", "Restores a state, a snapshot in base 64"},
};
enum { WORDS = sizeof command_lines / sizeof *command_lines };

static const char PARAMETERS[] = "parameters"; /* key of the parameters in an edit's text */

enum { NO_OBSTACLE = PD_MAX_ITEMS }; /* written instead of -1 as the obstacle of a move tool that moves none */

/* ---- Writing of commands ---- */

enum { SHORT_TEXT_BYTES = 256 }; /* greatest size of the text of a command other than edit, scene and state, bytes */

static void append_word(char text[SHORT_TEXT_BYTES], const char *word) {
    pd_text_append_word(text, SHORT_TEXT_BYTES, " ", word);
}

static void append_number(char text[SHORT_TEXT_BYTES], float value) {
    char number[PD_FLOAT_TEXT];
    append_word(text, pd_text_write_float(value, number));
}

static void append_integer(char text[SHORT_TEXT_BYTES], int value) {
    char number[16];
    snprintf(number, sizeof number, "%d", value);
    append_word(text, number);
}

static bool tool_has_material(const pd_tool *tool) { return tool->kind == PD_TOOL_PAINT || tool->kind == PD_TOOL_POUR; }

static void append_tool(char text[SHORT_TEXT_BYTES], const pd_tool *tool) {
    append_word(text, tools[tool->kind]);
    if (tool->kind == PD_TOOL_NONE) return;
    const float values[] = {tool->position.x, tool->position.y, tool->velocity.x, tool->velocity.y, tool->radius};
    for (int i = 0; i < 5; i++) append_number(text, values[i]);
    if (tool_has_material(tool)) append_integer(text, tool->material);
    if (tool->kind == PD_TOOL_MOVE) append_integer(text, tool->obstacle < 0 ? NO_OBSTACLE : tool->obstacle);
}

static void append_number_or_word(char text[SHORT_TEXT_BYTES], float value, const char *nan_word) {
    if (isnan(value))
        append_word(text, nan_word);
    else
        append_number(text, value);
}

/* Reads the next word at *cursor and moves *cursor behind it. Returns false without a word, or if the word has more than
 * size - 1 bytes. */
static bool read_word(const char **cursor, char *word, size_t size) {
    *cursor += strspn(*cursor, " ");
    size_t length = strcspn(*cursor, " ");
    if (length == 0 || length >= size) return false;
    memcpy(word, *cursor, length);
    word[length] = '\0';
    *cursor += length;
    return true;
}

static bool read_integer(const char **cursor, int *value) {
    char word[16], *end;
    if (!read_word(cursor, word, sizeof word) || !isdigit((unsigned char)*word)) return false;
    long number = strtol(word, &end, 10);
    *value = (int)number;
    return !*end && number <= PD_MAX_PARTICLES;
}

/* Returns the index of a material. name_or_index: "# 1" for index 1, or the name of the material. -1: no material has
 * this name. */
static int find_material_by_name_or_index(const pd_scene *scene, const char *name_or_index) {
    const char *number = name_or_index + 2;
    int material = 0;
    if (strncmp(name_or_index, "# ", 2) == 0 && read_integer(&number, &material) && !*number) return material;
    for (material = 0; material < scene->material_count; material++)
        if (strcmp(name_or_index, scene->materials[material].name) == 0) return material;
    return -1;
}

/* Appends a material's name, or "# INDEX" if the name is ambiguous or there is no scene. */
static void append_material(char text[SHORT_TEXT_BYTES], const pd_scene *scene, int material) {
    const char *name = scene && material < scene->material_count ? scene->materials[material].name : NULL;
    if (name && find_material_by_name_or_index(scene, name) == material) {
        append_word(text, name);
    } else {
        append_word(text, "#");
        append_integer(text, material);
    }
}

static void format_command_of_one_line(const pd_command *command, const pd_scene *scene, char text[SHORT_TEXT_BYTES]) {
    append_word(text, command_lines[command->kind].word);
    switch (command->kind) {
    case PD_COMMAND_TOOL:
        append_tool(text, &command->is.tool);
        break;
    case PD_COMMAND_GRAVITY:
        append_number(text, command->is.gravity.x);
        append_number(text, command->is.gravity.y);
        break;
    case PD_COMMAND_PARAMETER:
        append_word(text, command->is.parameter.key);
        append_number_or_word(text, command->is.parameter.value, "default");
        break;
    case PD_COMMAND_PROPERTY:
        append_word(text, pd_property_at((int)command->is.property.property)->key);
        append_number_or_word(text, command->is.property.value, "none");
        append_material(text, scene, command->is.property.material);
        break;
    case PD_COMMAND_METHOD:
        append_word(text, command->is.method);
        break;
    case PD_COMMAND_PARTICLES:
        append_integer(text, command->is.particles);
        break;
    case PD_COMMAND_RESET:
    case PD_COMMAND_RESTART:
    case PD_COMMAND_EDIT:
    case PD_COMMAND_SCENE:
    case PD_COMMAND_STATE:
        break;
    }
}

/* Writes a text as one line: a line end is written as 
, a backslash as \\. */
static void write_escaped_line(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '\n' || *text == '\\') fputc('\\', out);
        fputc(*text == '\n' ? 'n' : *text, out);
    }
}

/* Writes the YAML text of a scene as one line. Returns false if memory runs out. */
static bool write_scene(FILE *out, const pd_scene *scene) {
    char *text;
    size_t length;
    if (pd_scene_write_snapshot_text(scene, &text, &length, NULL) != PD_OK) return false;
    write_escaped_line(out, text);
    pd_memory_free(text);
    return true;
}

/* Writes the parameters of method number `wanted_method` that an edit sets. Returns false if the edit sets none. is_first: no
 * other method was written before, so that no comma is needed. */
static bool write_parameters_of_method(FILE *out, const pd_edit *edit, int wanted_method, bool is_first) {
    int method, index;
    char value[64];
    bool begun = false;
    for (int i = 0; i < edit->count; i++) {
        const pd_setting *setting = edit->operations[i].item;
        if (edit->operations[i].list != PD_LIST_SETTINGS) continue;
        if (pd_parameter_find(setting->key, &method, &index, NULL) != PD_OK || method != wanted_method) continue;
        const pd_parameter *parameter = pd_method_parameter_at(pd_method_at(method), index);
        if (!begun) fprintf(out, "%s%s: {", is_first ? "" : ", ", pd_method_at(method)->name);
        pd_parameter_format(parameter, setting->value, value, sizeof value);
        fprintf(out, "%s%s: %s", begun ? ", " : "", parameter->key, value);
        begun = true;
    }
    if (begun) fputc('}', out);
    return begun;
}

/* Writes an edit as YAML in one line:
 *
 *     {obstacles: {3: none, 5: {shape: circle, ...}}, materials: {"oil": {color: ..., mass: 0.8}},
 *      parameters: {ddr: {equal_weight: false}}}
 *
 * A key is an index in the scene's list before the edit, or a material's name. The item of a key replaces the item with this
 * index; `none` removes it; an index beyond the last appends the item. Parameters are written as in scene files. */
static void write_edit(FILE *out, const pd_edit *edit) {
    pd_writer writer = {out, edit->materials, edit->material_count, .one_line = true};
    int list = -1;
    fputc('{', out);
    for (int i = 0; i < edit->count; i++) {
        const pd_operation *operation = &edit->operations[i];
        bool setting = operation->list == PD_LIST_SETTINGS, begins = operation->list != list;
        if (begins) fprintf(out, "%s%s: {", i ? "}, " : "", setting ? PARAMETERS : pd_scene_lists[operation->list].key);
        list = operation->list;
        /* grouped by method: a YAML mapping contains each method only once */
        if (setting && begins) {
            bool is_first = true;
            for (int m = 0; m < pd_method_count(); m++) is_first &= !write_parameters_of_method(out, edit, m, is_first);
        }
        if (setting) continue;
        if (!begins) fputs(", ", out);
        bool named = pd_scene_lists[operation->list].is_inline;
        if (operation->removes && named) pd_write_quoted(out, operation->item);
        if (!named) fprintf(out, "%d", operation->index);
        if (!named || operation->removes) fputs(": ", out);
        if (operation->removes)
            fputs("none", out);
        else
            pd_write_item(&writer, operation->list, operation->item);
    }
    fputs(edit->count ? "}}" : "}", out);
}

/* Returns the text of an edit, scene or state command: first_word, then the YAML or base 64 text as one line. The caller
 * frees it. NULL: out of memory. */
static char *format_command_of_many_lines(const pd_command *command, const char *first_word) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    bool fine = fprintf(out, "%s ", first_word) > 0;
    if (command->kind == PD_COMMAND_EDIT) write_edit(out, command->is.edit);
    if (command->kind == PD_COMMAND_SCENE) fine = write_scene(out, command->is.scene) && fine;
    if (command->kind == PD_COMMAND_STATE) fputs(command->is.state, out);
    fine = !ferror(out) && fine;
    if (fclose(out) == 0 && fine) return pd_memory_move_stream_text(text, length);
    free(text);
    return NULL;
}

char *pd_command_format(const pd_command *command, const pd_scene *scene) {
    char text[SHORT_TEXT_BYTES] = "";
    if (pd_command_check(command, NULL) != PD_OK) return NULL;
    format_command_of_one_line(command, scene, text);
    bool long_one =
        command->kind == PD_COMMAND_EDIT || command->kind == PD_COMMAND_SCENE || command->kind == PD_COMMAND_STATE;
    return long_one ? format_command_of_many_lines(command, text) : pd_memory_copy_text(text);
}

/* ---- Reading of commands ---- */

static bool read_number(const char **cursor, float *value) {
    char word[64];
    double number;
    if (!read_word(cursor, word, sizeof word) || !pd_text_read_number(word, &number)) return false;
    *value = (float)number;
    return isfinite(*value);
}

/* Reads a number. The word `nan_word` gives NAN. */
static bool read_number_or_word(const char **cursor, const char *nan_word, float *value) {
    const char *begin = *cursor;
    char word[64];
    if (!read_word(cursor, word, sizeof word)) return false;
    if (strcmp(word, nan_word) == 0) {
        *value = NAN;
        return true;
    }
    *cursor = begin;
    return read_number(cursor, value);
}

static bool read_obstacle_index(const char **cursor, int *obstacle) {
    if (!read_integer(cursor, obstacle) || *obstacle < 0) return false;
    if (*obstacle == NO_OBSTACLE) *obstacle = -1;
    return true;
}

static bool read_tool(const char **cursor, pd_tool *tool) {
    char word[16];
    int kind = 0;
    if (!read_word(cursor, word, sizeof word)) return false;
    while (kind < TOOLS && strcmp(word, tools[kind]) != 0) kind++;
    if (kind == TOOLS) return false;
    *tool = (pd_tool){.kind = (pd_tool_kind)kind};
    if (kind == PD_TOOL_NONE) return true;
    float *values[] = {&tool->position.x, &tool->position.y, &tool->velocity.x, &tool->velocity.y, &tool->radius};
    for (int i = 0; i < 5; i++)
        if (!read_number(cursor, values[i])) return false;
    if (tool_has_material(tool)) return read_integer(cursor, &tool->material);
    return kind != PD_TOOL_MOVE || read_obstacle_index(cursor, &tool->obstacle);
}

/* Reads the key of a property, the value and a material. The material's name is the rest of the line, because names may
 * contain blanks. */
static bool read_property(const char **cursor, const pd_scene *scene, pd_command *command) {
    char word[32];
    int property = 0;
    if (!read_word(cursor, word, sizeof word)) return false;
    while (property < PD_PROPERTIES && strcmp(word, pd_property_at(property)->key) != 0) property++;
    if (property == PD_PROPERTIES || !read_number_or_word(cursor, "none", &command->is.property.value) ||
        **cursor != ' ')
        return false;
    command->is.property.property = (pd_property)property;
    command->is.property.material = find_material_by_name_or_index(scene, *cursor + 1);
    *cursor += strlen(*cursor);
    return command->is.property.material >= 0;
}

/* Reverses write_escaped_line in place: replaces 
 by a line end and \\ by a backslash. Returns false at any other escape. */
static bool unescape_line_ends(char *text) {
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

/* Greatest accepted size of the text of an edit, bytes. */
static const size_t LARGEST_EDIT = (size_t)512 << 20;

static bool read_edited_material(pd_document *document, pd_edit *edit, const yaml_node_t *key,
                                 const yaml_node_t *value) {
    pd_material material;
    bool removes = pd_node_equals_text(value, "none");
    return pd_read_material_name(document, key, &material) &&
           (removes || pd_read_record(document, value, pd_scene_lists[PD_LIST_MATERIALS].schema, &material)) &&
           pd_edit_add_operation(edit, document->scene, PD_LIST_MATERIALS, 0, removes, &material, &document->error) ==
               PD_OK;
}

static bool read_edited_item(pd_document *document, pd_edit *edit, int list, const yaml_node_t *key,
                             const yaml_node_t *value) {
    pd_scene *scene = document->scene; /* contains the item that was read, until pd_edit_add_operation copies it */
    uint64_t index;
    if (!pd_read_integer(document, key, pd_scene_lists[list].schema->noun, 0, (uint64_t)pd_scene_lists[list].max_count,
                         PD_ERROR_SCENE_REFERENCE, &index))
        return false;
    if (pd_node_equals_text(value, "none"))
        return pd_edit_add_operation(edit, scene, list, (int)index, true, NULL, &document->error) == PD_OK;
    if (!pd_scene_list_reserve(list, scene, 1)) return pd_fail_memory_at(document, key);
    void *item = pd_scene_list_item(list, scene, 0);
    memset(item, 0, pd_scene_lists[list].schema->size);
    pd_scene_list_set_count(list, scene, 1);
    bool fine = pd_read_item(document, value, list, 1, item) &&
                pd_edit_add_operation(edit, scene, list, (int)index, false, item, &document->error) == PD_OK;
    pd_scene_list_free(list, scene);
    return fine;
}

static bool read_edited_parameters(pd_document *document, pd_edit *edit, const yaml_node_t *node) {
    const pd_scene *scene = document->scene;
    if (!pd_read_parameters(document, node, document->scene)) return false;
    for (int i = 0; i < scene->setting_count; i++)
        if (pd_edit_add_operation(edit, scene, PD_LIST_SETTINGS, 0, false, &scene->settings[i], &document->error) !=
            PD_OK)
            return false;
    return true;
}

static bool read_edited_list(pd_document *document, pd_edit *edit, int list, const yaml_node_t *node) {
    if (list == PD_LIST_SETTINGS) return read_edited_parameters(document, edit, node);
    if (!pd_require_mapping(document, node, pd_scene_lists[list].key)) return false;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start, *top = node->data.mapping.pairs.top;
    bool fine = true;
    for (; pair < top && fine; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key), *value = pd_node_at(document, pair->value);
        fine = list == PD_LIST_MATERIALS ? read_edited_material(document, edit, key, value)
                                         : read_edited_item(document, edit, list, key, value);
    }
    return fine;
}

static bool read_edited_lists(pd_document *document, pd_edit *edit) {
    const yaml_node_t *root = yaml_document_get_root_node(&document->yaml);
    const char *keys[PD_ALL_LISTS];
    bool seen[PD_ALL_LISTS] = {false};
    for (int k = 0; k < PD_ALL_LISTS; k++) keys[k] = k == PD_LIST_SETTINGS ? PARAMETERS : pd_scene_lists[k].key;
    if (!pd_require_mapping(document, root, "the edit")) return false;
    const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
    for (; pair < root->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = pd_node_at(document, pair->key);
        int list = 0;
        while (list < PD_ALL_LISTS && !pd_node_equals_text(key, keys[list])) list++;
        if (list == PD_ALL_LISTS)
            return pd_fail_unknown_word(document, key, PD_ERROR_SCENE_KEY, "list", keys, PD_ALL_LISTS);
        if (seen[list])
            return pd_fail_at(document, key, PD_ERROR_SCENE_KEY, "the key '%s' comes twice (keep one)", keys[list]);
        seen[list] = true;
        if (!read_edited_list(document, edit, list, pd_node_at(document, pair->value))) return false;
    }
    return true;
}

/* Reads an edit, and checks the keys and the ranges of values. Whether the named materials and items exist is checked
 * later, by pd_edit_apply. */
static bool read_edit(const char *text, pd_command *command, pd_error *error) {
    pd_scene scene = {0};
    pd_document document = {
        .name = "edit", .scene = &scene, .saved = true, .adds_materials = true, .max_size = LARGEST_EDIT};
    command->is.edit = pd_edit_create();
    bool fine = pd_document_parse(&document, text, strlen(text));
    if (fine) {
        fine = read_edited_lists(&document, command->is.edit);
        yaml_document_delete(&document.yaml);
    }
    pd_scene_free(&scene);
    if (!fine && error) *error = document.error;
    return fine;
}

static bool read_scene(const char *text, pd_command *command, pd_error *error) {
    char *lines = pd_memory_copy(text, strlen(text) + 1);
    command->is.scene = pd_memory_require(1, sizeof *command->is.scene);
    bool fine = lines != NULL;
    if (!fine) pd_fail_memory(error, "a command");
    if (fine && !unescape_line_ends(lines)) {
        pd_fail(error, PD_ERROR_LOG_BROKEN, "a backslash before another character than n (write it twice)");
        fine = false;
    }
    if (fine) fine = pd_scene_read_snapshot_text(lines, strlen(lines), "scene", command->is.scene, error) == PD_OK;
    pd_memory_free(lines);
    return fine;
}

/* Reads the rest of the line as an edit, scene or state, by command->kind. Skips only one blank, since the first line of a
 * scene may be indented. */
static bool read_edit_scene_or_state(const char **cursor, pd_command *command, pd_error *error) {
    const char *text = **cursor == ' ' ? *cursor + 1 : *cursor;
    *cursor += strlen(*cursor);
    if (command->kind == PD_COMMAND_EDIT) return read_edit(text, command, error);
    if (command->kind == PD_COMMAND_SCENE) return read_scene(text, command, error);
    command->is.state = pd_memory_copy(text, strlen(text) + 1);
    if (!command->is.state) pd_fail_memory(error, "a command");
    return command->is.state != NULL;
}

/* Reads the values that follow the first word of a command. Returns false if they are wrong; only for edits, scenes and
 * states *error then says why. */
static bool read_command_values(const char **cursor, const pd_scene *scene, pd_command *command, pd_error *error) {
    switch (command->kind) {
    case PD_COMMAND_TOOL:
        return read_tool(cursor, &command->is.tool);
    case PD_COMMAND_GRAVITY:
        return read_number(cursor, &command->is.gravity.x) && read_number(cursor, &command->is.gravity.y);
    case PD_COMMAND_PARAMETER:
        return read_word(cursor, command->is.parameter.key, sizeof command->is.parameter.key) &&
               read_number_or_word(cursor, "default", &command->is.parameter.value);
    case PD_COMMAND_PROPERTY:
        return read_property(cursor, scene, command);
    case PD_COMMAND_METHOD:
        return read_word(cursor, command->is.method, sizeof command->is.method);
    case PD_COMMAND_PARTICLES:
        return read_integer(cursor, &command->is.particles);
    case PD_COMMAND_EDIT:
    case PD_COMMAND_SCENE:
    case PD_COMMAND_STATE:
        return read_edit_scene_or_state(cursor, command, error);
    case PD_COMMAND_RESET:
    case PD_COMMAND_RESTART:
        break;
    }
    return true;
}

pd_result pd_command_parse(const char *text, const pd_scene *scene, pd_command *command, pd_error *error) {
    const char *cursor = text;
    char word[16];
    int kind = 0;
    *command = (pd_command){0};
    bool fine = read_word(&cursor, word, sizeof word);
    while (fine && kind < WORDS && strcmp(word, command_lines[kind].word) != 0) kind++;
    if (!fine || kind == WORDS)
        return pd_fail(error, PD_ERROR_LOG_BROKEN, "'%.60s' is no command (use tool, gravity, parameter, ...)", text);
    command->kind = (pd_command_kind)kind;
    pd_error inner = {0};
    fine = read_command_values(&cursor, scene, command, &inner) && cursor[strspn(cursor, " ")] == '\0';
    if (fine && pd_command_check(command, &inner) == PD_OK) return PD_OK;
    pd_command_free(command);
    if (inner.code == PD_ERROR_OUT_OF_MEMORY) return pd_fail(error, inner.code, "%s", inner.message);
    if (inner.code != PD_ERROR_NONE) return pd_fail(error, PD_ERROR_LOG_BROKEN, "'%.120s': %s", text, inner.message);
    return pd_fail(error, PD_ERROR_LOG_BROKEN, "'%.60s' is not a complete and valid command '%s' (allowed: %s%s)", text,
                   command_lines[kind].word, command_lines[kind].word, command_lines[kind].form);
}

bool pd_command_describe_line(int kind, pd_log_line *line) {
    if (kind >= WORDS) return false;
    snprintf(line->form, sizeof line->form, "STEP %s%s", command_lines[kind].word, command_lines[kind].form);
    line->help = command_lines[kind].help;
    return true;
}
