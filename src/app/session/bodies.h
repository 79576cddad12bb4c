/* Rigid bodies in the session: adding, selecting, changing, joining and removing them. */
#ifndef PUDDLE_APP_SESSION_BODIES_H
#define PUDDLE_APP_SESSION_BODIES_H

#include <puddle/puddle.h>

typedef struct pd_session pd_session;

/* The body whose values the panel shows. All zero: none. */
typedef struct pd_selected_body {
    int number;             /* 1 + index of the body; 0: none */
    char name[PD_MAX_NAME]; /* name of the body when it was selected; another name at this index ends the selection */
} pd_selected_body;

/* End of a joint that a drag draws: a point that moves with a body, or a place in the world. */
typedef struct pd_joint_end {
    int body;         /* index of the body; -1: the world */
    double x, y;      /* position relative to the body's centroid, m; in the world: position, m */
    double from_turn; /* angle of the body when the end was set, degrees */
} pd_joint_end;

/* Returns the index of the selected body. -1: none. */
int pd_session_selected_body(const pd_session *session);
/* Selects a body. body: -1 for none. */
void pd_session_select_body(pd_session *session, int body);
/* Adds a body of this shape with default values, and selects it. False: the scene refused the body, which was announced. */
bool pd_session_add_body(pd_session *session, const pd_area *area);
/* Adds a body in the shape and the mean colour of a picture, with the middle at `place`, and selects it. The name is that of the
 * file. False: an error was announced. */
bool pd_session_add_body_of_picture(pd_session *session, const char *path, pd_vec2 place);
/* Replaces a body. Joints of the body get its new name. False: the scene refused the values, which was announced. */
bool pd_session_replace_body(pd_session *session, int index, const pd_scene_body *body);
/* Removes a body with its joints. False: out of memory, which was announced. */
bool pd_session_remove_body(pd_session *session, int index);

/* ---- Joints ---- */

/* Returns the end of a joint at a point: on the body within `near` (m) of the point, or in the world. Within 3 `near` of a
 * body's centroid the end is the centroid. */
pd_joint_end pd_session_find_joint_end(const pd_session *session, pd_vec2 point, float near);
/* Returns the body besides `other` that contains a point. -1: none. A click joins both bodies there. */
int pd_session_find_other_body(const pd_session *session, pd_vec2 point, int other);
/* Returns the present place of an end. */
pd_vec2 pd_session_joint_end_place(const pd_session *session, const pd_joint_end *end);
/* Joins the bodies of two ends, or announces why that is not possible. Hinges, motors and welds are at `begin`. If both ends are
 * on one body, they join it to another body at `begin`, or to the world. A motor turns the body at `begin`. */
bool pd_session_add_joint(pd_session *session, pd_joint_type type, const pd_joint_end *begin, const pd_joint_end *end);
/* Replaces a joint. */
void pd_session_replace_joint(pd_session *session, int index, const pd_scene_joint *joint);
/* Returns the index of the joint whose line or ends are within max_distance (m) of a point. -1: none. */
int pd_session_find_joint(const pd_session *session, pd_vec2 point, float max_distance);
void pd_session_remove_joint(pd_session *session, int index);

#endif
