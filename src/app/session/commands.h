/* Commands: changes of the world by the user, which are applied and logged: scene, gravity, parameters, method. */
#ifndef PUDDLE_APP_SESSION_COMMANDS_H
#define PUDDLE_APP_SESSION_COMMANDS_H

#include <puddle/puddle.h>

typedef struct pd_session pd_session;

/* Gravity as set by the panel and the keys. While gravity is off, strength and angle keep their values. */
typedef struct pd_gravity_dial {
    float strength; /* m/s^2 */
    float angle;    /* degrees from straight down, positive to the right */
    bool on;        /* gravity is switched on */
    float notch;    /* change of the strength per key press, m/s^2: a tenth of the scene's gravity */
} pd_gravity_dial;

/* Applies a command to the world and adds it to the log. Within a step the command takes effect at the end of the step
 * (pd_world_apply). */
pd_result pd_session_try_command(pd_session *session, const pd_command *command, pd_error *error);
/* Applies a command as pd_session_try_command does. False: the world refused it, which is announced. */
bool pd_session_apply_command(pd_session *session, const pd_command *command);
/* Returns whether `result` is PD_OK. Announces `error` otherwise. */
bool pd_session_succeeded(pd_session *session, pd_result result, const pd_error *error);
/* Sets the world's tool as a command. Call between two steps. */
void pd_session_set_tool(pd_session *session, const pd_tool *tool);
/* Switches to another method, or announces why that is not possible. */
void pd_session_set_method(pd_session *session, const pd_method_info *method);
/* Announces the running method and the parts of the scene that it ignores. Call after the method changed. */
void pd_session_method_changed(pd_session *session);
/* Applies the commands that took effect at the end of the step to the second world too, and announces commands that failed.
 * Call after a step and after a reset. */
void pd_session_forward_commands(pd_session *session);
/* Creates a world in the state before the step under way, with the waiting commands applied. NULL: the step is short, so that
 * no state was saved, or out of memory. */
pd_world *pd_session_world_before_step(pd_session *session);

/* ---- Edits of the scene ---- */

/* Returns the world's scene with the waiting commands applied. Edits start from this scene. */
const pd_scene *pd_session_scene(const pd_session *session);
/* Copies pd_session_scene. The caller changes the copy and passes it to pd_session_end_edit. False: out of memory, which is
 * announced. */
bool pd_session_begin_edit(pd_session *session, pd_scene *copy);
/* Applies the lists and parameters of the changed copy as one command, and frees the copy. result: whether changing the copy
 * succeeded; otherwise only `error` is announced. False: an error was announced, and the world is unchanged. */
bool pd_session_end_edit(pd_session *session, pd_scene *copy, pd_result result, const pd_error *error);
/* Completes the step under way if commands wait. Afterwards an index of pd_session_scene is valid in the world too. */
void pd_session_finish_edits(pd_session *session);

/* ---- Gravity ---- */

void pd_session_set_gravity(pd_session *session, pd_vec2 gravity); /* gravity: m/s^2 */
/* Sets the world's gravity from session->gravity, and announces the gravity. */
void pd_session_apply_gravity(pd_session *session);
/* Updates session->gravity from the world. Call after an undo, a reset or another scene, which may change the world's gravity. */
void pd_session_read_gravity(pd_session *session);

/* ---- Parameters, by their index in the running method's table ---- */

/* Returns the value in effect. *fallback receives the default value. fallback may be NULL. */
float pd_session_parameter(const pd_session *session, int index, float *fallback);
void pd_session_set_parameter(pd_session *session, int index, float value);
/* Sets the parameter to its default, which depends on the number of particles. */
void pd_session_reset_parameter(pd_session *session, int index);

/* ---- Properties of materials ---- */

/* Returns the parameter of the running method that has the unit and range of a property. NULL: the method lacks the property.
 * *shared receives the parameter's value, for materials without an own value. *standard receives the parameter's default. */
const pd_parameter *pd_session_property_info(const pd_session *session, pd_property property, float *shared,
                                             float *standard);
/* Returns a material's value in effect. *own receives whether the material has an own value. Otherwise the value is that of
 * the method's parameter. */
float pd_session_property(const pd_session *session, int material, pd_property property, bool *own);
/* Sets a material's own value of a property. NAN removes the own value, so that the method's parameter applies again. Does
 * nothing if the running method lacks the property. */
void pd_session_set_property(pd_session *session, int material, pd_property property, float value);

/* ---- Warnings ---- */

/* Appends the world's warnings about its scene (pd_world_write_warning) to `text`. Returns the number of warnings. */
int pd_session_warnings(const pd_world *world, char *text, size_t size);
/* Announces the sentence `first` ("": none) and the warnings of the session's world. */
void pd_session_announce_warnings(pd_session *session, const char *first);

#endif
