/* Building: the tool of the left button, drafts of items, and items that are moved, thrown and removed. */
#ifndef PUDDLE_APP_SESSION_BUILD_H
#define PUDDLE_APP_SESSION_BUILD_H

#include "app/session/draft.h"

typedef struct pd_session pd_session;

/* An item of the scene that a press can hit. */
typedef enum pd_item_list { PD_ITEM_NONE, PD_ITEM_OBSTACLE, PD_ITEM_EMITTER, PD_ITEM_DRAIN } pd_item_list;
typedef struct pd_item {
    pd_item_list list;
    int index; /* in the world's scene; -1: no item */
} pd_item;

/* A press of the tool Move or Erase. */
typedef struct pd_grab {
    pd_item item;   /* the item that moves with the pointer */
    bool erases;    /* removes items along the way of the pointer */
    pd_vec2 at;     /* place of the pointer, m */
    pd_vec2 offset; /* from the pointer to the place of an emitter or a drain, m */
    float near;     /* distance from an item that still counts as a hit, m */
} pd_grab;

/* State for the message that explains why nothing pours. */
typedef struct pd_pouring {
    int particles; /* after the last step */
    int dry;       /* steps of this stroke without a new particle */
    bool full;     /* the limit of particles has been announced */
} pd_pouring;

/* ---- The tool of the left button ---- */

/* Selects a tool. Selecting the present tool again switches to its next material or choice. */
void pd_session_choose_tool(pd_session *session, pd_bar_tool tool);
/* Returns what a press of the left button does. PD_TOOL_NONE: it draws a draft. */
pd_tool_kind pd_session_tool_kind(const pd_session *session);
/* Writes the name of a tool with its choice or material: "Pour water", "Erase walls", "Drain". Returns text. */
enum { PD_TOOL_TEXT = PD_MAX_NAME + 32 };
const char *pd_session_tool_text(const pd_session *session, pd_bar_tool tool, int material, char text[PD_TOOL_TEXT]);
/* Selects the material that pours. */
void pd_session_choose_material(pd_session *session, int material);
/* Announces why nothing pours. Call after a step. */
void pd_session_announce_pouring(pd_session *session);

/* ---- Drafts ---- */

/* Sets a draft to the one that a press at `at` would begin. size: radius of the tool, m; unit: pd_draft.unit. */
void pd_session_init_draft(const pd_session *session, pd_draft *draft, pd_vec2 at, float size, float unit);
/* Begins session->draft with a tool that draws. False: `at` is outside of the container. */
bool pd_session_begin_draft(pd_session *session, pd_vec2 at, float size, float unit);
void pd_session_move_draft(pd_session *session, pd_vec2 at, bool straight);
/* Adds the drawn item to the scene. False: the draft was too small, or the item was refused, which is announced. */
bool pd_session_end_draft(pd_session *session);

/* ---- Items ---- */

/* Returns the nearest place in the container. */
pd_vec2 pd_session_clamp(const pd_session *session, pd_vec2 at);
/* Returns the item at a place, or within `near` (m) of it. Emitters come before obstacles, and obstacles before drains. */
pd_item pd_session_item_at(const pd_session *session, pd_vec2 at, float near);
/* Begins a press of the tool Move or Erase. Returns the item that moves with the pointer. */
pd_item pd_session_begin_grab(pd_session *session, pd_vec2 at, float near);
/* Moves the grabbed emitter or drain (PD_TOOL_MOVE moves an obstacle), or removes the items on the way. Call it while paused, or
 * between two steps after pd_session_set_tool: then one undo reverts the whole press. */
void pd_session_move_grab(pd_session *session, pd_vec2 to);
void pd_session_end_grab(pd_session *session);

/* ---- Motions of obstacles ---- */

/* Turns an obstacle by degrees. Polylines and polygons turn about their middle, unless they spin. */
void pd_session_turn_obstacle(pd_session *session, int obstacle, float degrees);
/* Adds to the spin of an obstacle, degrees/s. */
void pd_session_spin_obstacle(pd_session *session, int obstacle, float degrees);
/* Gives an obstacle a velocity (m/s, limited), to and fro between the container's walls. A slow throw stops the obstacle. */
void pd_session_throw_obstacle(pd_session *session, int obstacle, pd_vec2 velocity);

#endif
