/* Commands as text, a line each: the word of the kind, then its values. */
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
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

/* Kinds without values, or whose value is one word or number. */
static const char *const words[] = {
    [PD_COMMAND_TOOL] = "tool",         [PD_COMMAND_GRAVITY] = "gravity", [PD_COMMAND_PARAMETER] = "parameter",
    [PD_COMMAND_PROPERTY] = "property", [PD_COMMAND_METHOD] = "method",   [PD_COMMAND_PARTICLES] = "particles",
    [PD_COMMAND_RESET] = "reset",       [PD_COMMAND_RESTART] = "restart", [PD_COMMAND_EDIT] = "edit",
    [PD_COMMAND_SCENE] = "scene",       [PD_COMMAND_LIMIT] = "limit",     [PD_COMMAND_STATE] = "state",
};
enum { WORDS = sizeof words / sizeof *words };

enum { NO_OBSTACLE = PD_MAX_ITEMS }; /* of a line, for -1 */

/* ---- Writing ---- */

enum { TEXT = 256 }; /* bytes that hold any command but an edit, a scene or a state */

static void add(char text[TEXT], const char *word) {
    size_t length = strlen(text);
    snprintf(text + length, TEXT - length, "%s%s", length > 0 ? " " : "", word);
}

static void add_number(char text[TEXT], float value) {
    char number[PD_FLOAT_TEXT];
    add(text, pd_text_float(value, number));
}

static void add_integer(char text[TEXT], int value) {
    char number[16];
    snprintf(number, sizeof number, "%d", value);
    add(text, number);
}

static bool has_material(const pd_tool *tool) { return tool->kind == PD_TOOL_PAINT || tool->kind == PD_TOOL_POUR; }

static void add_tool(char text[TEXT], const pd_tool *tool) {
    add(text, tools[tool->kind]);
    if (tool->kind == PD_TOOL_NONE) return;
    const float values[] = {tool->position.x, tool->position.y, tool->velocity.x, tool->velocity.y, tool->radius};
    for (int i = 0; i < 5; i++) add_number(text, values[i]);
    if (has_material(tool)) add_integer(text, tool->material);
    if (tool->kind == PD_TOOL_MOVE) add_integer(text, tool->obstacle < 0 ? NO_OBSTACLE : tool->obstacle);
}

static void add_value(char text[TEXT], float value, const char *missing) {
    if (isnan(value))
        add(text, missing);
    else
        add_number(text, value);
}

/* Takes the next word of a line; false: there is none, or it does not fit. */
static bool next(const char **at, char *word, size_t size) {
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
    if (!next(at, word, sizeof word) || !isdigit((unsigned char)*word)) return false;
    long number = strtol(word, &end, 10);
    *value = (int)number;
    return !*end && number <= PD_MAX_PARTICLES;
}

/* The material that the end of a line names, or numbers as "# 1"; -1: none. A number comes first: a material may have such a
 * name. */
static int find_material(const pd_scene *scene, const char *name) {
    const char *number = name + 2;
    int material = 0;
    if (strncmp(name, "# ", 2) == 0 && next_integer(&number, &material) && !*number) return material;
    for (material = 0; material < scene->material_count; material++)
        if (strcmp(name, scene->materials[material].name) == 0) return material;
    return -1;
}

/* Where the scene's name does not lead back to the material, its number is written. */
static void add_material(char text[TEXT], const pd_scene *scene, int material) {
    const char *name = scene && material < scene->material_count ? scene->materials[material].name : NULL;
    if (name && find_material(scene, name) == material) {
        add(text, name);
    } else {
        add(text, "#");
        add_integer(text, material);
    }
}

static void format(const pd_command *command, const pd_scene *scene, char text[TEXT]) {
    add(text, words[command->kind]);
    switch (command->kind) {
    case PD_COMMAND_TOOL:
        add_tool(text, &command->is.tool);
        break;
    case PD_COMMAND_GRAVITY:
        add_number(text, command->is.gravity.x);
        add_number(text, command->is.gravity.y);
        break;
    case PD_COMMAND_PARAMETER:
        add(text, command->is.parameter.key);
        add_value(text, command->is.parameter.value, "default");
        break;
    case PD_COMMAND_PROPERTY:
        add(text, pd_property_at((int)command->is.property.property)->key);
        add_value(text, command->is.property.value, "none");
        add_material(text, scene, command->is.property.material);
        break;
    case PD_COMMAND_METHOD:
        add(text, command->is.method);
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

/* The lines of a text in one: a line end becomes \n, a backslash \\. to has room for twice as many bytes. */
static void join_lines(char *to, const char *text) {
    for (; *text; text++) {
        if (*text == '\n' || *text == '\\') *to++ = '\\';
        *to++ = *text == '\n' ? 'n' : *text;
    }
    *to = '\0';
}

/* In place; false: another character follows a backslash. */
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

char *pd_command_format(const pd_command *command, const pd_scene *scene) {
    char text[TEXT] = "";
    if (pd_command_check(command, NULL) != PD_OK) return NULL;
    format(command, scene, text);
    const char *rest = command->kind == PD_COMMAND_EDIT    ? command->is.edit
                       : command->kind == PD_COMMAND_STATE ? command->is.state
                                                           : NULL;
    const char *lines = command->kind == PD_COMMAND_SCENE ? command->is.scene : NULL;
    size_t size = strlen(text) + (rest ? strlen(rest) : 0) + (lines ? 2 * strlen(lines) : 0) + 2;
    char *line = pd_memory_new(size);
    if (!line) return NULL;
    int length = snprintf(line, size, "%s%s%s", text, rest || lines ? " " : "", rest ? rest : "");
    if (lines) join_lines(line + length, lines);
    return line;
}

/* ---- Reading ---- */

static bool next_number(const char **at, float *value) {
    char word[64];
    double number;
    if (!next(at, word, sizeof word) || !pd_text_number(word, &number)) return false;
    *value = (float)number;
    return isfinite(*value);
}

/* A number, or the word that stands for none. */
static bool next_value(const char **at, const char *missing, float *value) {
    const char *begin = *at;
    char word[64];
    if (!next(at, word, sizeof word)) return false;
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
    if (!next(at, word, sizeof word)) return false;
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

/* The material's name is the rest of the line: it may contain blanks. */
static bool next_property(const char **at, const pd_scene *scene, pd_command *command) {
    char word[32];
    int property = 0;
    if (!next(at, word, sizeof word)) return false;
    while (property < PD_PROPERTIES && strcmp(word, pd_property_at(property)->key) != 0) property++;
    if (property == PD_PROPERTIES || !next_value(at, "none", &command->is.property.value) || **at != ' ') return false;
    command->is.property.property = (pd_property)property;
    command->is.property.material = find_material(scene, *at + 1);
    *at += strlen(*at);
    return command->is.property.material >= 0;
}

/* The rest of the line, which is checked when the command is applied. Its own blanks stay: a scene may be indented. */
static bool next_rest(const char **at, char **text) {
    *text = pd_memory_text(**at == ' ' ? *at + 1 : *at);
    *at += strlen(*at);
    return *text != NULL;
}

static bool next_values(const char **at, const pd_scene *scene, pd_command *command) {
    switch (command->kind) {
    case PD_COMMAND_TOOL:
        return next_tool(at, &command->is.tool);
    case PD_COMMAND_GRAVITY:
        return next_number(at, &command->is.gravity.x) && next_number(at, &command->is.gravity.y);
    case PD_COMMAND_PARAMETER:
        return next(at, command->is.parameter.key, sizeof command->is.parameter.key) &&
               next_value(at, "default", &command->is.parameter.value);
    case PD_COMMAND_PROPERTY:
        return next_property(at, scene, command);
    case PD_COMMAND_METHOD:
        return next(at, command->is.method, sizeof command->is.method);
    case PD_COMMAND_PARTICLES:
    case PD_COMMAND_LIMIT:
        return next_integer(at, &command->is.particles);
    case PD_COMMAND_EDIT:
        return next_rest(at, &command->is.edit);
    case PD_COMMAND_SCENE:
        return next_rest(at, &command->is.scene) && split_lines(command->is.scene);
    case PD_COMMAND_STATE:
        return next_rest(at, &command->is.state);
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
    bool fine = next(&at, word, sizeof word);
    while (fine && kind < WORDS && strcmp(word, words[kind]) != 0) kind++;
    if (!fine || kind == WORDS)
        return pd_fail(error, PD_ERROR_LOG_BROKEN, "'%.60s' is no command (use tool, gravity, parameter, ...)", text);
    command->kind = (pd_command_kind)kind;
    fine = next_values(&at, scene, command);
    if ((kind == PD_COMMAND_EDIT && !command->is.edit) || (kind == PD_COMMAND_SCENE && !command->is.scene) ||
        (kind == PD_COMMAND_STATE && !command->is.state))
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for a command (close other programs)");
    pd_error inner;
    fine = fine && at[strspn(at, " ")] == '\0';
    if (fine && pd_command_check(command, &inner) == PD_OK) return PD_OK;
    pd_command_free(command);
    if (fine) return pd_fail(error, PD_ERROR_LOG_BROKEN, "'%.120s': %s", text, inner.message);
    return pd_fail(error, PD_ERROR_LOG_BROKEN, "'%.120s' is not a complete and valid command '%s'", text, words[kind]);
}
