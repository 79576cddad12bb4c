/** @file
 * Commands: changes of a world, stored as data.
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
    PD_COMMAND_TOOL,      /**< Sets the tool: pd_world_set_tool(). */
    PD_COMMAND_GRAVITY,   /**< Sets gravity: pd_world_set_gravity(). */
    PD_COMMAND_PARAMETER, /**< Sets or resets a parameter: pd_world_set_parameter(), pd_world_reset_parameter(). */
    PD_COMMAND_PROPERTY,  /**< Sets a material's property: pd_world_set_property(). */
    PD_COMMAND_METHOD,    /**< Changes the method: pd_world_set_method(). */
    PD_COMMAND_PARTICLES, /**< Changes the number of particles: pd_world_set_particle_count(). */
    PD_COMMAND_RESET,     /**< Restores the initial fluid: pd_world_reset(). */
    PD_COMMAND_RESTART,   /**< Restores the state at the beginning of the log, or after the last ::PD_COMMAND_SCENE. */
    PD_COMMAND_EDIT,  /**< Edits lists and parameters of the scene, and does not reset the fluid: pd_command_edit(). */
    PD_COMMAND_SCENE, /**< Begins another scene: pd_command_scene(), pd_world_set_scene(). */
    PD_COMMAND_STATE, /**< Restores a saved state: pd_command_state(). */
} pd_command_kind;

/** A command. Free a command that owns an edit, a scene or a state with pd_command_free(). */
typedef struct pd_command {
    pd_command_kind kind; /**< Kind of the command. */
    union {
        pd_tool tool;    /**< Tool of a ::PD_COMMAND_TOOL. */
        pd_vec2 gravity; /**< Gravity of a ::PD_COMMAND_GRAVITY, m/s^2. */
        struct {
            char key[PD_MAX_KEY]; /**< Full key of the parameter. */
            float value;          /**< Value, in the unit of the parameter. NAN: resets the parameter to its default. */
        } parameter;              /**< Parameter and value of a ::PD_COMMAND_PARAMETER. */
        struct {
            int material;         /**< Index into the materials of the scene. */
            pd_property property; /**< Property to set. */
            float value;          /**< Value of the property. NAN: the method's parameter applies to the material. */
        } property;               /**< Material, property and value of a ::PD_COMMAND_PROPERTY. */
        char method[PD_MAX_METHOD_NAME]; /**< Name of the method of a ::PD_COMMAND_METHOD. */
        int particles;                   /**< Number of particles of a ::PD_COMMAND_PARTICLES. */
        pd_edit *edit;                   /**< Edit of a ::PD_COMMAND_EDIT, owned by the command. */
        pd_scene *scene;                 /**< Scene of a ::PD_COMMAND_SCENE, owned by the command. */
        char *state;                     /**< Snapshot of a ::PD_COMMAND_STATE in base 64, owned by the command. */
    } is; /**< Value of the command: `kind` selects the member. Reset and restart have no value. */
} pd_command;

/** Checks a command as far as possible without a world.
 *
 * The checks cover kind, finite numbers, indices within the limits of a scene, and keys of one word.
 * pd_command_format() can write a command that passes. Errors: USAGE. */
PD_API pd_result pd_command_check(const pd_command *command, pd_error *error);
/** Applies a command. Within a step (pd_world_step_part()) completes the step first.
 *
 * On an error the world is unchanged, apart from the completed step. Errors: those of pd_command_check() and of the function
 * named at the ::pd_command_kind. USAGE: a ::PD_COMMAND_RESTART, which only pd_log_do() can apply. */
PD_API pd_result pd_world_apply(pd_world *world, const pd_command *command, pd_error *error);

/** Makes a command that changes the scene of a running world from `from` to `to`.
 *
 *     pd_scene_copy(&scene, pd_world_scene(world), &error);
 *     pd_scene_add_obstacle(&scene, &wall, &error);
 *     pd_command_edit(&command, pd_world_scene(world), &scene, &error);
 *     pd_log_do(log, world, &command, &error);
 *     pd_command_free(&command);
 *
 * The command changes all lists of the scene (::pd_scene_list) and parameters. Items are compared by value, in order.
 * Differences of other members, such as method, gravity, container and dt, are ignored.
 * - Changed regions and vortons take effect at the next pd_world_reset().
 * - A parameter is set if `to` gives another value. A parameter that only `from` gives does not change.
 * - Parameters that rebuild the method (pd_parameter.rebuilds) need a ::PD_COMMAND_PARAMETER.
 * - Unchanged and replaced items continue: obstacles on their path, emitters with their count of emitted particles,
 *   materials (found by name) with their particles.
 * - An obstacle that a tool has moved stays at its place if the edit does not change its centre.
 * - Fluid in the way of a wall moves to the nearest side of the wall, never through another wall. No fluid is lost.
 *
 * Free the command with pd_command_free(). Errors: OUT_OF_MEMORY, SCENE_REFERENCE (an item of `to` has a
 * material that `to` lacks).
 * Errors when the command is applied: `SCENE_*`, PARAMETER_VALUE, OUT_OF_MEMORY.
 * SCENE_VALUE also means that fluid finds no place, or that a removed material has particles. */
PD_API pd_result pd_command_edit(pd_command *command, const pd_scene *from, const pd_scene *to, pd_error *error);
/** Adds a body to a running world, as pd_world_apply() of the pd_command_edit() that adds it to the scene.
 *
 * Fluid in its way moves aside. pd_world_reset() places the body where it was added.
 * Errors: those of pd_scene_add_body(), pd_command_edit() and pd_world_apply(). */
PD_API pd_result pd_world_add_body(pd_world *world, const pd_scene_body *body, pd_error *error);
/** Makes a command that begins another scene with its method, gravity and parameters at time 0.
 *
 * Free the command with pd_command_free(). Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_command_scene(pd_command *command, const pd_scene *scene, pd_error *error);
/** Makes a command that restores the present state of a world.
 *
 * Free the command with pd_command_free(). Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_command_state(pd_command *command, const pd_world *world, pd_error *error);
/** Copies a command with the edit, scene or state that it owns. On an error `*to` owns no memory.
 *
 * Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_command_copy(pd_command *to, const pd_command *from, pd_error *error);
/** Frees the edit, scene or state that a command owns. Commands of other kinds own no memory. */
PD_API void pd_command_free(pd_command *command);

/** Returns a command as a line of words without a line end: "parameter ddr.stiffness 12.5". Free the line with
 * pd_memory_free().
 *
 * Numbers read back as the same float.
 * `scene`: the line names materials as this scene does. NULL: the line has indices of materials.
 * Returns NULL if memory runs out, or if pd_command_check() refuses the command. */
PD_API char *pd_command_format(const pd_command *command, const pd_scene *scene);
/** Reads a command from a line of pd_command_format(). `scene`: scene with the names of materials in the line.
 *
 * The command passes pd_command_check(). pd_world_apply() checks it against the world.
 * Free the command with pd_command_free(). Errors: LOG_BROKEN, OUT_OF_MEMORY. */
PD_API pd_result pd_command_parse(const char *text, const pd_scene *scene, pd_command *command, pd_error *error);

#ifdef __cplusplus
}
#endif
#endif
