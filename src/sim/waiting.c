/* The list of commands that wait for the end of the present step, and the scene as it will be after all of them. */
#include "sim/waiting.h"

#include "core/error.h"
#include "core/memory.h"
#include "scene/edit.h"
#include "sim/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_COMMANDS = 256, /* greatest number of waiting commands */
    /* Elements reserved for a tool, its release and gravity, since the functions that set these cannot fail. */
    RESERVED = 3,
};

struct pd_waiting_list {
    pd_command commands[MOST_COMMANDS]; /* waiting commands, in the order in which they take effect */
    int count;                          /* number of waiting commands */
    /* Scene after all waiting commands; uses the lists of the world's scene unless owns_scene is true. */
    pd_scene scene;
    pd_scene before;        /* if the last waiting command is an edit: scene before this edit; else all zero */
    bool owns_scene;        /* `scene` has its own lists, which are freed with it */
    bool applied_by_caller; /* a log applies the commands by pd_world_apply_waiting_commands, not the world */
    pd_command applied[MOST_COMMANDS]; /* commands that the last call of pd_world_apply_waiting_commands applied */
    pd_error errors[MOST_COMMANDS];    /* errors[i]: error of applied[i] */
    int applied_count;                 /* number of elements of `applied` */
    int reported_count; /* number of elements of `applied` that pd_world_next_command_result has returned */
};

pd_waiting_list *pd_waiting_list_create(void) { return pd_allocate(1, sizeof(pd_waiting_list)); }

static void free_results(pd_waiting_list *w) {
    for (int i = 0; i < w->applied_count; i++) pd_command_free(&w->applied[i]);
    w->applied_count = w->reported_count = 0;
}

/* Empties the list of waiting commands. Does not free the commands: the caller has freed them, or has moved them to
 * `applied`. */
static void reset_list(pd_waiting_list *w) {
    if (w->owns_scene) pd_scene_free(&w->scene);
    pd_scene_free(&w->before);
    w->owns_scene = w->applied_by_caller = false;
    w->count = 0;
}

static void free_commands_and_results(pd_waiting_list *w) {
    for (int i = 0; i < w->count; i++) pd_command_free(&w->commands[i]);
    reset_list(w);
    free_results(w);
}

void pd_waiting_list_free_results(pd_world *world) { free_results(world->waiting); }

void pd_waiting_list_clear(pd_world *world) { free_commands_and_results(world->waiting); }

void pd_waiting_list_destroy(pd_waiting_list *waiting) {
    if (!waiting) return;
    free_commands_and_results(waiting);
    pd_free(waiting);
}

/* ---- The scene after the commands ---- */

static pd_result copy_shared_scene(pd_waiting_list *w, pd_error *error) {
    pd_scene copy;
    if (w->owns_scene) return PD_OK;
    pd_result result = pd_scene_copy(&copy, &w->scene, error);
    if (result != PD_OK) return result;
    w->scene = copy;
    w->owns_scene = true;
    return PD_OK;
}

static pd_result apply_parameter_to_scene(pd_waiting_list *w, const char *key, float value, pd_error *error) {
    pd_result result = copy_shared_scene(w, error);
    if (result != PD_OK) return result;
    if (isnan(value)) return pd_scene_unset_parameter(&w->scene, key, error);
    result = pd_scene_check_parameter_fits_container(&w->scene, key, value, error);
    return result == PD_OK ? pd_scene_set_parameter(&w->scene, key, value, error) : result;
}

static pd_result apply_property_to_scene(pd_waiting_list *w, const pd_command *command, pd_error *error) {
    int material = command->is.property.material;
    pd_property property = command->is.property.property;
    pd_result result = pd_property_check(&w->scene, material, property, command->is.property.value, error);
    if (result == PD_OK) result = copy_shared_scene(w, error);
    if (result == PD_OK) w->scene.materials[material].property[property] = command->is.property.value;
    return result;
}

static pd_result apply_method_to_scene(pd_waiting_list *w, const char *name, pd_error *error) {
    pd_result result = pd_method_check(name, error);
    if (result == PD_OK) snprintf(w->scene.method, sizeof w->scene.method, "%s", name);
    return result;
}

/* Fails if a parameter that is a length in the container (pd_parameter.in_container) exceeds the size of the container. */
static pd_result check_lengths_fit_container(const pd_scene *scene, pd_error *error) {
    pd_result result = PD_OK;
    for (int i = 0; i < scene->setting_count && result == PD_OK; i++)
        result =
            pd_scene_check_parameter_fits_container(scene, scene->settings[i].key, scene->settings[i].value, error);
    return result;
}

/* Replaces a new edit by one that contains the last waiting edit too: *command and *edit then lead from the scene before
 * both edits to the scene after both. The joined edit is computed from these two scenes, because edits name materials: one
 * edit may order materials differently than two. */
static pd_result join_edits(const pd_waiting_list *w, pd_command *command, pd_edited *edit, pd_error *error) {
    pd_command both;
    pd_edited joined;
    pd_result result = pd_command_edit(&both, &w->before, &edit->scene, error);
    if (result != PD_OK) return result;
    result = pd_edit_apply(both.is.edit, &w->before, &joined, error);
    if (result != PD_OK) {
        pd_edited_free(&joined);
        pd_command_free(&both);
        return result;
    }
    pd_edited_free(edit);
    *edit = joined;
    pd_command_free(command);
    *command = both;
    return PD_OK;
}

static pd_result apply_edit_to_scene(pd_waiting_list *w, pd_command *command, pd_error *error) {
    bool joins = w->count > 0 && w->commands[w->count - 1].kind == PD_COMMAND_EDIT;
    pd_edited edit;
    pd_result result = copy_shared_scene(w, error);
    if (result != PD_OK) return result;
    result = pd_edit_apply(command->is.edit, &w->scene, &edit, error);
    if (result == PD_OK) result = check_lengths_fit_container(&edit.scene, error);
    if (result == PD_OK && joins) result = join_edits(w, command, &edit, error);
    if (result == PD_OK) {
        if (joins) pd_command_free(&w->commands[--w->count]);
        pd_scene *old = joins ? &w->scene : &w->before, changed = edit.scene;
        edit.scene = *old; /* so that the old scene is freed with `edit` */
        if (!joins) w->before = w->scene;
        w->scene = changed;
    }
    pd_edited_free(&edit);
    return result;
}

static pd_result apply_command_to_scene(pd_waiting_list *w, pd_command *command, pd_error *error) {
    switch (command->kind) {
    case PD_COMMAND_GRAVITY:
        w->scene.gravity = pd_clamp_gravity(command->is.gravity);
        return PD_OK;
    case PD_COMMAND_PARAMETER:
        return apply_parameter_to_scene(w, command->is.parameter.key, command->is.parameter.value, error);
    case PD_COMMAND_PROPERTY:
        return apply_property_to_scene(w, command, error);
    case PD_COMMAND_METHOD:
        return apply_method_to_scene(w, command->is.method, error);
    case PD_COMMAND_EDIT:
        return apply_edit_to_scene(w, command, error);
    default:
        return PD_OK;
    }
}

/* ---- The list ---- */

bool pd_command_must_wait(const pd_world *world, pd_command_kind kind) {
    bool ends = kind == PD_COMMAND_RESET || kind == PD_COMMAND_PARTICLES || kind == PD_COMMAND_RESTART ||
                kind == PD_COMMAND_SCENE || kind == PD_COMMAND_STATE;
    return pd_world_stepping(world) && !ends;
}

/* Returns whether the later command makes the earlier one superfluous, for example because it sets the same parameter. The
 * release of a tool (PD_TOOL_NONE) replaces only another release, since otherwise two strokes would become one. */
static bool command_replaces(const pd_command *later, const pd_command *earlier) {
    if (later->kind != earlier->kind) return false;
    switch (later->kind) {
    case PD_COMMAND_TOOL:
        return earlier->is.tool.kind != PD_TOOL_NONE || later->is.tool.kind == PD_TOOL_NONE;
    case PD_COMMAND_GRAVITY:
        return true;
    case PD_COMMAND_PARAMETER:
        return strcmp(later->is.parameter.key, earlier->is.parameter.key) == 0;
    case PD_COMMAND_PROPERTY:
        return later->is.property.material == earlier->is.property.material &&
               later->is.property.property == earlier->is.property.property;
    default:
        return false;
    }
}

/* Returns the index of the first waiting command that a new command may replace. A property command may only replace
 * commands after the last edit, since an edit changes the indices of materials. */
static int find_first_replaceable(const pd_waiting_list *w, const pd_command *command) {
    int first = w->count;
    if (command->kind != PD_COMMAND_PROPERTY) return 0;
    while (first > 0 && w->commands[first - 1].kind != PD_COMMAND_EDIT) first--;
    return first;
}

static void replace_or_append_command(pd_waiting_list *w, const pd_command *command) {
    int first = find_first_replaceable(w, command), remaining = first;
    for (int i = first; i < w->count; i++)
        if (!command_replaces(command, &w->commands[i]))
            w->commands[remaining++] = w->commands[i]; /* a replaced command has no memory to free */
    w->count = remaining;
    w->commands[w->count++] = *command;
    if (command->kind != PD_COMMAND_EDIT) pd_scene_free(&w->before);
}

static bool has_capacity(const pd_waiting_list *w, const pd_command *command) {
    bool reserved = command->kind == PD_COMMAND_TOOL || command->kind == PD_COMMAND_GRAVITY;
    bool replaced = false;
    for (int i = find_first_replaceable(w, command); i < w->count; i++)
        replaced |= command_replaces(command, &w->commands[i]);
    return reserved || replaced || w->count < MOST_COMMANDS - RESERVED;
}

pd_result pd_waiting_list_add(pd_world *world, const pd_command *command, pd_error *error) {
    pd_waiting_list *w = world->waiting;
    pd_command copy;
    PD_ASSERT(pd_command_must_wait(world, command->kind));
    if (!has_capacity(w, command))
        return pd_fail(error, PD_ERROR_USAGE, "%d commands wait for the end of the step (complete the step first)",
                       w->count);
    pd_result result = pd_command_copy(&copy, command, error);
    if (result != PD_OK) return result;
    if (w->count == 0) w->scene = world->scene;
    result = apply_command_to_scene(w, &copy, error);
    if (result == PD_OK)
        replace_or_append_command(w, &copy);
    else
        pd_command_free(&copy);
    if (w->count == 0) reset_list(w);
    return result;
}

pd_result pd_world_add_waiting_command(pd_world *world, const pd_command *command, pd_error *error) {
    pd_result result = pd_command_check(command, error);
    if (result == PD_OK && !pd_world_stepping(world))
        result = pd_fail(error, PD_ERROR_USAGE, "a command waits only within a step (use pd_world_apply)");
    if (result == PD_OK && !pd_command_must_wait(world, command->kind))
        result = pd_fail(error, PD_ERROR_USAGE, "a command that begins a scene does not wait (use pd_world_apply)");
    if (result == PD_OK) result = pd_waiting_list_add(world, command, error);
    if (result == PD_OK) world->waiting->applied_by_caller = true;
    return result;
}

void pd_world_apply_waiting_commands(pd_world *world, pd_apply *apply, void *context) {
    pd_waiting_list *w = world->waiting;
    if (w->count == 0) return;
    free_results(w);
    memcpy(w->applied, w->commands, (size_t)w->count * sizeof *w->applied);
    int count = w->applied_count = w->count;
    reset_list(w);
    for (int i = 0; i < count; i++) {
        const pd_command *command = &w->applied[i];
        pd_error *error = &w->errors[i];
        *error = (pd_error){PD_ERROR_NONE, ""};
        pd_result result = apply ? apply(context, world, command, error) : pd_world_apply(world, command, error);
        if (result == PD_OK) error->code = PD_ERROR_NONE;
    }
}

void pd_waiting_list_apply(pd_world *world) {
    if (!world->waiting->applied_by_caller) pd_world_apply_waiting_commands(world, NULL, NULL);
}

/* ---- Public queries ---- */

const pd_command *pd_world_waiting_command(const pd_world *world, int index) {
    const pd_waiting_list *w = world->waiting;
    return index >= 0 && index < w->count ? &w->commands[index] : NULL;
}

const pd_command *pd_world_next_command_result(pd_world *world, pd_error *error) {
    pd_waiting_list *w = world->waiting;
    if (w->reported_count == w->applied_count) return NULL;
    if (error) *error = w->errors[w->reported_count];
    return &w->applied[w->reported_count++];
}

const pd_scene *pd_world_scene_of_next_step(const pd_world *world) {
    return world->waiting->count > 0 ? &world->waiting->scene : &world->scene;
}
