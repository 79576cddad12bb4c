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
    PD_COMMAND_RESTART, /* everything as it was when the log began */
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
        int particles;
    } is;
} pd_command;

/* Applies a command between two steps; reset and particles also within one, which they end. On an error the world is as before.
 * Errors: those of the function that the kind stands for; USAGE for PD_COMMAND_RESTART, which only pd_log_do can apply. */
pd_result pd_world_apply(pd_world *world, const pd_command *command, pd_error *error);

enum { PD_COMMAND_TEXT = 256 }; /* bytes that hold any command as text */

/* A command as a line of words without a line end: "parameter ddr.stiffness 12.5". Numbers read back to the same float.
 * scene: names the materials. Returns text. */
char *pd_command_format(const pd_command *command, const pd_scene *scene, char text[PD_COMMAND_TEXT]);
/* Reads such a line. Values are checked when the command is applied. Errors: LOG_BROKEN. */
pd_result pd_command_parse(const char *text, const pd_scene *scene, pd_command *command, pd_error *error);

#ifdef __cplusplus
}
#endif
#endif
