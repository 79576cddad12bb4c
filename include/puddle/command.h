/** @file
 * Commands: every change that a person makes to a world, as a value.
 *
 * A program that changes its world only by commands can record, replay and undo the changes (log.h).
 */
#ifndef PUDDLE_COMMAND_H
#define PUDDLE_COMMAND_H

#include <puddle/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An edit: changes of a scene's lists and parameters. pd_command_edit() makes edits. */
typedef struct pd_edit pd_edit;

/** Kind of a command. */
typedef enum pd_command_kind {
    PD_COMMAND_TOOL,      /**< pd_world_set_tool() */
    PD_COMMAND_GRAVITY,   /**< pd_world_set_gravity() */
    PD_COMMAND_PARAMETER, /**< pd_world_set_parameter() or pd_world_reset_parameter() */
    PD_COMMAND_PROPERTY,  /**< pd_world_set_property() */
    PD_COMMAND_METHOD,    /**< pd_world_set_method() */
    PD_COMMAND_PARTICLES, /**< pd_world_set_particles() */
    PD_COMMAND_RESET,     /**< pd_world_reset() */
    PD_COMMAND_RESTART,   /**< Restores the state at the beginning of the log, or after the last ::PD_COMMAND_SCENE. */
    PD_COMMAND_EDIT,      /**< Edits lists and parameters of the scene. The fluid stays: pd_command_edit() */
    PD_COMMAND_SCENE,     /**< Begins another scene: pd_command_scene(), pd_world_set_scene() */
    PD_COMMAND_LIMIT,     /**< Limits the number of particles until the next scene. Logs add it when memory ran out. */
    PD_COMMAND_STATE,     /**< Restores a saved state: pd_command_state(). Logs add it when memory ran out. */
} pd_command_kind;

/** A command. Free a command that owns an edit or a scene with pd_command_free(). */
typedef struct pd_command {
    pd_command_kind kind; /**< Kind of the command. */
    union {
        pd_tool tool;    /**< For ::PD_COMMAND_TOOL. */
        pd_vec2 gravity; /**< For ::PD_COMMAND_GRAVITY, m/s^2. */
        struct {
            char key[PD_MAX_KEY]; /**< Full key of the parameter. */
            float value;          /**< Value, in the unit of the parameter. NAN: the default. */
        } parameter;              /**< For ::PD_COMMAND_PARAMETER. */
        struct {
            int material;                /**< Index into the materials of the scene. */
            pd_property property;        /**< Property to set. */
            float value;                 /**< Value. NAN: the value of the parameter. */
        } property;                      /**< For ::PD_COMMAND_PROPERTY. */
        char method[PD_MAX_METHOD_NAME]; /**< For ::PD_COMMAND_METHOD: name of the method. */
        int particles;                   /**< For ::PD_COMMAND_PARTICLES and ::PD_COMMAND_LIMIT: number of particles. */
        pd_edit *edit;                   /**< For ::PD_COMMAND_EDIT, owned by the command. */
        pd_scene *scene;                 /**< For ::PD_COMMAND_SCENE, owned by the command. */
        char *state;                     /**< For ::PD_COMMAND_STATE: snapshot in base 64, owned by the command. */
    } is;                                /**< Value, by kind. Without a value: reset and restart. */
} pd_command;

/** Checks a command as far as possible without a world.
 *
 * The checks cover kind, finite numbers, indices within the limits of a scene, and keys of one word.
 * A command that passes can be written as a line and read back. Errors: USAGE. */
PD_API pd_result pd_command_check(const pd_command *command, pd_error *error);
/** Applies a command. Within a step the command is checked, and waits for the end of the step (pd_world_waiting_command()).
 *
 * On an error the world is unchanged. Errors: those of pd_command_check() and of the function that the kind stands for;
 * USAGE for ::PD_COMMAND_RESTART, which only pd_log_do() can apply. */
PD_API pd_result pd_world_apply(pd_world *world, const pd_command *command, pd_error *error);

/** @name Commands within a step
 * A command that is given while a step is incomplete is checked at once, against the scene that the commands before it
 * make. The results are those of the commands that wait (pd_world_waiting_command()) given when the step is complete, bit for bit.
 * Replaced values and edits that were joined to others have no result of their own.
 *
 * - Accepted commands wait in the world. pd_world_step_part() applies them, in order, when the step is complete.
 *   For the commands of pd_log_do(), pd_log_end_step() does so and records them at the new tick.
 * - A later value of the tool, gravity, a parameter or a property replaces an earlier one.
 *   An edit that follows an edit joins it. About 250 other commands may wait (USAGE: too many).
 * - A command whose success depends on the fluid can still fail: an edit without room for the fluid, an edit that removes
 *   a material of the fluid, or a lack of memory. pd_world_next_command_result() returns the error.
 * @{ */
/** Returns a waiting command by index, 0 for the first one given. NULL: no command has the index. */
PD_API const pd_command *pd_world_waiting_command(const pd_world *world, int index);
/** Returns the next command that waited for the end of the last step, with its result. NULL: all were returned.
 *
 * Each command is returned once. Call this function in a loop after each complete step, and after pd_log_end_step().
 * `*error` receives the result: code ::PD_ERROR_NONE if the command has taken effect. `error` may be NULL.
 * The pointer is valid until the next step is complete. */
PD_API const pd_command *pd_world_next_command_result(pd_world *world, pd_error *error);
/** Adds a command during an incomplete step, for logs: the caller applies the command with pd_world_apply_waiting_commands().
 *
 * Other commands that are given during a step are applied by pd_world_step_part().
 *
 * Errors: those of pd_world_apply(), USAGE (no step is incomplete, or the command is a reset, particles, restart, scene
 * or state). */
PD_API pd_result pd_world_add_waiting_command(pd_world *world, const pd_command *command, pd_error *error);
/** Function that applies a command to a world, as pd_world_apply() does. `context`: pd_world_apply_waiting_commands(). */
typedef pd_result pd_apply(void *context, pd_world *world, const pd_command *command, pd_error *error);
/** Applies the waiting commands between two steps, each by `apply`. NULL: pd_world_apply().
 *
 * Commands that still wait when the next step begins are applied then. */
PD_API void pd_world_apply_waiting_commands(pd_world *world, pd_apply *apply, void *context);
/** @} */

/** Makes a command that changes the scene of a running world from `from` to `to`.
 *
 *     pd_scene_copy(&scene, pd_world_scene_of_next_step(world), &error);
 *     pd_scene_add_obstacle(&scene, &wall, &error);
 *     pd_command_edit(&command, pd_world_scene_of_next_step(world), &scene, &error);
 *     pd_log_do(log, world, &command, &error);
 *     pd_command_free(&command);
 *
 * The command changes all lists of the scene (::pd_scene_list) and parameters. Items are compared by value, in order.
 * Differences of other members, as method, gravity, container and dt, are ignored.
 * - Changed regions and vortons take effect at the next pd_world_reset().
 * - A parameter is set if `to` gives another value. A parameter that only `from` gives does not change.
 * - Parameters that rebuild the method (pd_parameter.rebuilds) need a command of their own.
 * - Unchanged and replaced items continue in their state. Obstacles continue on their path, emitters at their count,
 *   materials (found by name) with their particles.
 * - An obstacle with an unchanged centre also stays where a tool has moved the obstacle.
 * - Fluid in the way of a wall moves to the nearest side of the wall, never through another wall. No fluid is lost.
 *
 * Free the command with pd_command_free(). Errors: OUT_OF_MEMORY, SCENE_REFERENCE (`to` lacks a material of an item).
 * Errors when the command is applied: `SCENE_*`, PARAMETER_VALUE, OUT_OF_MEMORY.
 * SCENE_VALUE also means that fluid finds no place, or that a removed material has particles. */
PD_API pd_result pd_command_edit(pd_command *command, const pd_scene *from, const pd_scene *to, pd_error *error);
/** Makes a command that begins another scene with its method, gravity and parameters at time 0.
 *
 * Free the command with pd_command_free(). Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_command_scene(pd_command *command, const pd_scene *scene, pd_error *error);
/** Makes a command that restores the present state of a world.
 *
 * Free the command with pd_command_free(). Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_command_state(pd_command *command, const pd_world *world, pd_error *error);
/** Copies a command with the edit, scene or state that it owns. On an error `*to` owns nothing.
 *
 * Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_command_copy(pd_command *to, const pd_command *from, pd_error *error);
/** Frees the edit, scene or state that a command owns. Other commands own nothing. */
PD_API void pd_command_free(pd_command *command);

/** Returns a command as a line of words without a line end: "parameter ddr.stiffness 12.5". Free the line with
 * pd_memory_free().
 *
 * Numbers read back as the same float. `scene`: scene whose materials the line names. NULL: the line has their indices.
 * Returns NULL if memory runs out, or if pd_command_check() refuses the command. */
PD_API char *pd_command_format(const pd_command *command, const pd_scene *scene);
/** Reads a command from a line of pd_command_format(). `scene`: scene whose materials the line names.
 *
 * The command passes pd_command_check(). pd_world_apply() checks it against the world.
 * Free the command with pd_command_free(). Errors: LOG_BROKEN, OUT_OF_MEMORY. */
PD_API pd_result pd_command_parse(const char *text, const pd_scene *scene, pd_command *command, pd_error *error);

#ifdef __cplusplus
}
#endif
#endif
