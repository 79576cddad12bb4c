/* Building with the mouse: selection of the left button's tool, and drawing, moving, throwing and removing items. */
#ifndef PUDDLE_APP_SESSION_BUILD_H
#define PUDDLE_APP_SESSION_BUILD_H

#include "app/session/draft.h"

typedef struct pd_session pd_session;

/* Kind of item that the tools Move and Erase can hit. */
typedef enum pd_item_list { PD_ITEM_NONE, PD_ITEM_OBSTACLE, PD_ITEM_EMITTER, PD_ITEM_DRAIN } pd_item_list;
typedef struct pd_item {
    pd_item_list list;
    int index; /* index in that list of the world's scene; -1: no item */
} pd_item;

/* Mouse press of the tool Move or Erase. */
typedef struct pd_grab {
    pd_item item;       /* item that moves with the pointer */
    bool erases;        /* the tool Erase: items along the pointer's path are removed */
    pd_vec2 position;   /* place of the pointer, m */
    pd_vec2 offset;     /* vector from the pointer to the position of the emitter or drain, m */
    float hit_distance; /* largest distance from an item that counts as a hit, m */
} pd_grab;

/* State of the tool Pour for the message that explains why no particles appear. */
typedef struct pd_pouring {
    int particles;              /* particles in the world after the last step */
    int steps_without_particle; /* steps of this press without a new particle */
    bool limit_announced;       /* the message about the limit of particles was announced */
} pd_pouring;

/* ---- The tool of the left button ---- */

/* Selects a tool. A tool that is already selected switches to its next material or choice. */
void pd_session_choose_tool(pd_session *session, pd_bar_tool tool);
/* Returns the world's tool for a press of the left button. PD_TOOL_NONE: a drag draws an item. */
pd_tool_kind pd_session_tool_kind(const pd_session *session);
/* Writes the name of a tool with its choice or material: "Pour water", "Erase walls", "Drain". Returns text. */
enum { PD_TOOL_TEXT = PD_MAX_NAME + 32 };
const char *pd_session_tool_text(const pd_session *session, pd_bar_tool tool, int material, char text[PD_TOOL_TEXT]);
/* Selects the material that the tool Pour pours. */
void pd_session_choose_material(pd_session *session, int material);
/* Announces why the tool Pour makes no particles, if it makes none. Call after each step. */
void pd_session_announce_pouring(pd_session *session);

/* ---- Drafts ---- */

/* Initialises a draft as a press at the place `at` would. size: radius of the tool, m; unit: pd_draft.unit. */
void pd_session_init_draft(const pd_session *session, pd_draft *draft, pd_vec2 at, float size, float unit);
/* Begins session->draft with the selected tool, which draws. False: the place `at` is outside of the container. */
bool pd_session_begin_draft(pd_session *session, pd_vec2 at, float size, float unit);
/* Moves the end of session->draft to the place `at`. straight: pd_draft.straight. */
void pd_session_move_draft(pd_session *session, pd_vec2 at, bool straight);
/* Ends session->draft and adds its item to the scene. False: the drag was too short, or the scene refused the item, which is
 * announced. */
bool pd_session_end_draft(pd_session *session);

/* ---- Items ---- */

/* Returns the place in the container that is nearest to `at`. */
pd_vec2 pd_session_clamp_to_container(const pd_session *session, pd_vec2 at);
/* Returns the distance of a point from the container, m. 0: the point is inside, or there are no walls. */
float pd_session_distance_outside(const pd_session *session, pd_vec2 at);
/* Returns the item within the distance `near` (m) of a place. Emitters come before obstacles, and obstacles before drains. */
pd_item pd_session_item_at(const pd_session *session, pd_vec2 at, float near);
/* Begins a press of the tool Move or Erase. Returns the item that moves with the pointer. */
pd_item pd_session_begin_grab(pd_session *session, pd_vec2 at, float near);
/* Moves the grabbed emitter or drain to `to`, or removes the items on the way there. Obstacles move by PD_TOOL_MOVE instead.
 * Call while paused, or between two steps after pd_session_set_tool, so that one undo reverts the whole press. */
void pd_session_move_grab(pd_session *session, pd_vec2 to);
void pd_session_end_grab(pd_session *session);

/* ---- Motions of obstacles ---- */

/* Turns an obstacle by an angle. Polylines and polygons that do not spin turn about the middle of their bounding box. */
void pd_session_turn_obstacle(pd_session *session, int obstacle, float degrees);
/* Adds to the rate at which an obstacle spins. degrees: per second. */
void pd_session_spin_obstacle(pd_session *session, int obstacle, float degrees);
/* Gives an obstacle a velocity (m/s), with which it moves to and fro between the container's walls. The speed is limited. A
 * slow throw stops the obstacle. */
void pd_session_throw_obstacle(pd_session *session, int obstacle, pd_vec2 velocity);

#endif
