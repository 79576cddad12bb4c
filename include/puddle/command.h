/* Commands: all that a person does to a world, as values. A program that changes its world only by commands can write
 * them down (log.h), and replay, rewind and undo them. */
#ifndef PUDDLE_COMMAND_H
#define PUDDLE_COMMAND_H

#include <puddle/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pd_command_kind {
    PD_COMMAND_TOOL,
    PD_COMMAND_GRAVITY,
    PD_COMMAND_PARAMETER,
    PD_COMMAND_PROPERTY,
    PD_COMMAND_METHOD,
    PD_COMMAND_PARTICLES,
    PD_COMMAND_RESET,
    PD_COMMAND_RESTART, /* everything as it was when the log began, or after the last PD_COMMAND_SCENE */
    PD_COMMAND_EDIT,    /* the scene's items, materials and parameters; the fluid stays: pd_command_edit */
    PD_COMMAND_SCENE,   /* another scene, from its beginning: pd_command_scene */
    PD_COMMAND_LIMIT, /* room for so many particles until a scene begins; a log gives it where memory for more was refused */
} pd_command_kind;

typedef struct pd_command {
    pd_command_kind kind;
    union {
        pd_tool tool;    /* pd_world_set_tool */
        pd_vec2 gravity; /* pd_world_set_gravity, m/s^2 */
        struct {
            char key[PD_MAX_KEY];
            float value; /* NAN: the default, pd_world_reset_parameter */
        } parameter;
        struct {
            int material;
            pd_property property;
            float value; /* NAN: none of its own */
        } property;      /* pd_world_set_property */
        char method[PD_MAX_METHOD_NAME];
        int particles; /* also of PD_COMMAND_LIMIT */
        char *edit;    /* text, freed by pd_command_free; logs keep a copy */
        char *scene;   /* the same, of several lines */
    } is;
} pd_command;

/* Checks what holds of a command in any world: its kind, finite numbers, indices within the limits of a scene, and keys that are
 * one word. What passes can be written as a line and read back. Errors: USAGE. */
pd_result pd_command_check(const pd_command *command, pd_error *error);
/* Applies a command between two steps; reset and particles also within one, which they end. On an error the world is as before.
 * A tool whose material or obstacle is not in the scene is put down, as by pd_world_set_tool. Errors: those of pd_command_check and
 * of the function that the kind stands for; USAGE for PD_COMMAND_RESTART, which only pd_log_do can apply. */
pd_result pd_world_apply(pd_world *world, const pd_command *command, pd_error *error);

/* The command by which a world whose scene is `from` gets the obstacles, emitters, drains and materials of `to`, while it runs:
 *
 *     pd_scene_copy(&scene, pd_world_scene(world), &error);
 *     pd_scene_add_obstacle(&scene, &wall, &error);
 *     pd_command_edit(&command, pd_world_scene(world), &scene, &error);
 *     pd_log_do(log, world, &command, &error);
 *     pd_command_free(&command);
 *
 * The parameters that `to` gives another value are set with it, so that one command does both: but for those that rebuild the
 * method (pd_parameter.rebuilds), which take a command of their own; one that `to` leaves to its default stays as it is.
 * The items of both are told apart by their values, in their order. What stays, or is changed in its place, keeps its state:
 * obstacles their path and, where their centre is the same, how far a tool has moved them, emitters what they have sent out,
 * materials (known by their names) their particles. Fluid in the way of a wall moves to its nearest side, never through another
 * wall, and none is lost. Free the command with pd_command_free. Errors: OUT_OF_MEMORY. When it is applied: SCENE_*,
 * OUT_OF_MEMORY; SCENE_VALUE where the fluid finds no place; PARAMETER_VALUE. */
pd_result pd_command_edit(pd_command *command, const pd_scene *from, const pd_scene *to, pd_error *error);
/* The command that puts another scene into the world, with its method, gravity and parameters, at time 0: pd_world_set_scene.
 * Free it with pd_command_free. Errors: OUT_OF_MEMORY. */
pd_result pd_command_scene(pd_command *command, const pd_scene *scene, pd_error *error);
/* Copies a command with what it owns. Errors: OUT_OF_MEMORY; *to then owns nothing. */
pd_result pd_command_copy(pd_command *to, const pd_command *from, pd_error *error);
/* Frees what a command owns: of all but edits and scenes nothing. */
void pd_command_free(pd_command *command);

/* A command as a line of words without a line end, to be freed with free(): "parameter ddr.stiffness 12.5". Numbers read back
 * to the same float. scene: names the materials; NULL: they are numbered. NULL: out of memory, or pd_command_check refuses it. */
char *pd_command_format(const pd_command *command, const pd_scene *scene);
/* Reads such a line, and checks it (pd_command_check); the rest is checked when the command is applied. scene: finds the materials
 * by name. Free the command with pd_command_free. Errors: LOG_BROKEN, OUT_OF_MEMORY. */
pd_result pd_command_parse(const char *text, const pd_scene *scene, pd_command *command, pd_error *error);

#ifdef __cplusplus
}
#endif
#endif
