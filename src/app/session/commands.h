/* Commands: the user's changes of the world (scene, gravity, parameters, method), which the session applies and logs. */
#ifndef PUDDLE_APP_SESSION_COMMANDS_H
#define PUDDLE_APP_SESSION_COMMANDS_H

#include <puddle/puddle.h>

typedef struct pd_session pd_session;

/* Gravity as the panel and the keys set it. While gravity is off, strength and angle stay for switching it on again. */
typedef struct pd_gravity_dial {
    float strength; /* magnitude of gravity, m/s^2 */
    float angle;    /* direction, degrees from straight down, positive to the right */
    bool on;        /* gravity is switched on */
    float notch;    /* change of `strength` per key press, m/s^2: a tenth of the scene's gravity; 0: not computed */
} pd_gravity_dial;

/* Completes the step under way, applies a command to both worlds and adds the command to the log. */
pd_result pd_session_try_command(pd_session *session, const pd_command *command, pd_error *error);
/* Applies a command as pd_session_try_command does. False: the world refused the command, and the error was announced. */
bool pd_session_apply_command(pd_session *session, const pd_command *command);
/* Returns whether `result` is PD_OK. Otherwise announces `error`. */
bool pd_session_check_result(pd_session *session, pd_result result, const pd_error *error);
/* Sets the world's tool as a command. Call between two steps. */
void pd_session_set_tool(pd_session *session, const pd_tool *tool);
/* Switches to another method, or announces why that is not possible. */
void pd_session_set_method(pd_session *session, const pd_method_info *method);
/* Notifies the observer of a change of method. Announces the method, and the parts of the scene that have no effect under it. */
void pd_session_handle_method_change(pd_session *session);
/* Applies the value of a slider that waits for the end of the step. Call after each step. */
void pd_session_apply_slider(pd_session *session);

/* ---- Edits of the scene ---- */

/* Completes the step under way, and copies the world's scene into *copy. The caller changes the copy and passes it to
 * pd_session_end_edit. False: out of memory, which was announced. */
bool pd_session_begin_edit(pd_session *session, pd_scene *copy);
/* Applies the items, materials and parameters of the changed copy as one command, and frees the copy. result: result of
 * changing the copy. If `result` is not PD_OK, only announces `error`. False: an error was announced, and the world is
 * unchanged. */
bool pd_session_end_edit(pd_session *session, pd_scene *copy, pd_result result, const pd_error *error);
/* ---- Gravity ---- */

/* Sets the world's gravity, m/s^2: within a step when the step is complete. */
void pd_session_set_gravity(pd_session *session, pd_vec2 gravity);
/* Sets the world's gravity from session->gravity, and announces its strength. */
void pd_session_apply_gravity_dial(pd_session *session);
/* Updates session->gravity from the world's gravity. Call after an undo, a reset or a change of scene. */
void pd_session_update_gravity_dial(pd_session *session);

/* ---- Parameters, by their index in the running method's table ---- */

/* Returns a parameter's value in effect. *default_value receives the default. default_value may be NULL. */
float pd_session_parameter_value(const pd_session *session, int index, float *default_value);
/* Sets and announces a parameter's value: within a step when the step is complete. An invalid value is announced as an error. */
void pd_session_set_parameter(pd_session *session, int index, float value);
/* Removes a parameter's value, so that its default applies. The default may depend on the number of particles. */
void pd_session_reset_parameter(pd_session *session, int index);

/* ---- Properties of materials ---- */

/* Returns the parameter that describes a property's unit and range. NULL: the running method lacks the property. *shared_value
 * receives the value of all materials without an own value. *default_value receives the default of the shared value. */
const pd_parameter *pd_session_property_parameter(const pd_session *session, pd_property property, float *shared_value,
                                                  float *default_value);
/* Returns a material's value of a property in effect: its own value, or the shared value of pd_session_property_parameter.
 * *has_own_value receives whether the material has an own value. */
float pd_session_property_value(const pd_session *session, int material, pd_property property, bool *has_own_value);
/* Sets a material's own value of a property. NAN removes the own value, so that the shared value applies. Does nothing if the
 * running method lacks the property. */
void pd_session_set_property(pd_session *session, int material, pd_property property, float value);

/* ---- Warnings ---- */

/* Appends the world's warnings about its scene (pd_world_write_warning) to `text`. Returns the number of warnings. */
int pd_session_append_warnings(const pd_world *world, char *text, size_t size);
/* Announces first_sentence ("": none) and the warnings of the session's world as one message. */
void pd_session_announce_warnings(pd_session *session, const char *first_sentence);

#endif
