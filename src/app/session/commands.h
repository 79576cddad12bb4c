/* Commands: what a person changes in the world, with the log. Edits of the scene, gravity, parameters, the method. */
#ifndef PUDDLE_APP_SESSION_COMMANDS_H
#define PUDDLE_APP_SESSION_COMMANDS_H

#include <puddle/puddle.h>

typedef struct pd_session pd_session;

/* Gravity as the panel and the keys set it. Strength and direction stay while gravity is off. */
typedef struct pd_gravity_dial {
    float strength; /* m/s^2 */
    float angle;    /* degrees from straight down, positive to the right */
    bool on;
    float notch; /* m/s^2 per key press: a tenth of the scene's gravity */
} pd_gravity_dial;

/* Applies a command and writes it to the log. Within a step the command waits for the end of the step (pd_world_apply). */
pd_result pd_session_do(pd_session *session, const pd_command *command, pd_error *error);
/* Applies a command as pd_session_do. False: refused and announced. */
bool pd_session_apply(pd_session *session, const pd_command *command);
/* Announces an error. Returns whether there was none. */
bool pd_session_succeeded(pd_session *session, pd_result result, const pd_error *error);
/* Sets the world's tool, between two steps. */
void pd_session_set_tool(pd_session *session, const pd_tool *tool);
/* Switches to another method, or announces why that is not possible. */
void pd_session_set_method(pd_session *session, const pd_method_info *method);
/* Announces the running method and what it ignores. Call after the method changed. */
void pd_session_method_changed(pd_session *session);
/* Sends the commands that waited for the end of the step to the second world, and announces their errors. Call after a step and
 * after a reset. */
void pd_session_forward_waited(pd_session *session);
/* Creates a world in the state before the present step, with the waiting commands applied. NULL: that state was not saved (the
 * step is short), or out of memory. */
pd_world *pd_session_world_before_step(pd_session *session);

/* ---- Edits of the scene ---- */

/* Returns the scene with the waiting commands applied, from which an edit starts. Outside of a step it is the world's scene. */
const pd_scene *pd_session_scene(const pd_session *session);
/* Copies pd_session_scene, to be changed and given to pd_session_end_edit. False: out of memory, which is announced. */
bool pd_session_begin_edit(pd_session *session, pd_scene *copy);
/* Applies the obstacles, emitters, drains, materials and parameters of the changed copy as one command, and frees the copy. Does
 * not apply it if `result`, of the change, is an error. False: refused and announced; nothing was changed. */
bool pd_session_end_edit(pd_session *session, pd_scene *copy, pd_result result, const pd_error *error);
/* Completes the step if commands wait: then the indices of the world are those of pd_session_scene. */
void pd_session_finish_edits(pd_session *session);

/* ---- Gravity ---- */

void pd_session_set_gravity(pd_session *session, pd_vec2 gravity); /* m/s^2 */
/* Sets the world's gravity from session->gravity, and announces the gravity. */
void pd_session_apply_gravity(pd_session *session);
/* Updates session->gravity from the world. Call after anything else may have changed the world's gravity. */
void pd_session_read_gravity(pd_session *session);

/* ---- Parameters, by their index in the running method's table ---- */

/* Returns the value in effect. fallback (may be NULL) receives the default. */
float pd_session_parameter(const pd_session *session, int index, float *fallback);
void pd_session_set_parameter(pd_session *session, int index, float value);
/* Returns to the default, which depends on the resolution. */
void pd_session_reset_parameter(pd_session *session, int index);

/* ---- Properties of materials ---- */

/* Returns the parameter with the unit and range of a property. NULL: the running method lacks the property. *shared receives the
 * value of materials without their own, *standard its default. */
const pd_parameter *pd_session_property_info(const pd_session *session, pd_property property, float *shared,
                                             float *standard);
/* Returns the value in effect for a material. *own: the material has its own value; otherwise the value is the parameter's. */
float pd_session_property(const pd_session *session, int material, pd_property property, bool *own);
/* Sets a material's own value; NAN removes it, and the parameter's is in effect again. Does nothing if the running method lacks the
 * property. */
void pd_session_set_property(pd_session *session, int material, pd_property property, float value);

/* ---- Warnings ---- */

/* Appends the warnings of a world about its scene (pd_world_warning) to a text. Returns their number. */
int pd_session_warnings(const pd_world *world, char *text, size_t size);
/* Announces `first` ("": none) and the warnings of the session's world, if there are any. */
void pd_session_announce_warnings(pd_session *session, const char *first);

#endif
