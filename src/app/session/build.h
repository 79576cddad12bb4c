/* Building with the mouse: selection of the left button's tool, and drawing, moving, throwing and removing items. */
#ifndef PUDDLE_APP_SESSION_BUILD_H
#define PUDDLE_APP_SESSION_BUILD_H

#include "app/session/draft.h"

typedef struct pd_session pd_session;

/* Kind of item of the scene that the tools Move and Erase can hit. */
typedef enum pd_item_kind { PD_ITEM_NONE, PD_ITEM_OBSTACLE, PD_ITEM_BODY, PD_ITEM_EMITTER, PD_ITEM_DRAIN } pd_item_kind;
typedef struct pd_item {
    pd_item_kind kind; /* list of the scene that has the item */
    int index;         /* index in the list; -1: no item */
} pd_item;

/* Mouse press of the tool Move or Erase. All zero: no press. */
typedef struct pd_grab {
    pd_item item;       /* item that moves with the pointer */
    bool erases;        /* the press removes the items along the pointer's path (Erase) */
    pd_vec2 position;   /* last position of the pointer, m */
    pd_vec2 offset;     /* vector from the pointer to the position of the emitter or drain, m */
    float hit_distance; /* largest distance between pointer and item that counts as a hit, m */
    /* Erase has removed a joint at joint_place, m. Bodies near this place are not removed by the same press. */
    bool removed_joint;
    pd_vec2 joint_place;
} pd_grab;

/* State of the tool Pour, for messages that explain why no particles appear. */
typedef struct pd_pouring {
    int particles;              /* number of particles in the world after the last step */
    int steps_without_particle; /* number of steps of this press without a new particle */
    bool limit_announced;       /* the world is full of particles, which was announced */
} pd_pouring;

/* ---- The tool of the left button ---- */

/* Selects the tool of the left button. If the tool is selected already, selects its next material or choice. */
void pd_session_select_tool(pd_session *session, pd_bar_tool tool);
/* Returns the kind of tool that a press of the left button applies to the world. PD_TOOL_NONE: a drag draws an item. */
pd_tool_kind pd_session_tool_kind(const pd_session *session);
enum { PD_TOOL_TEXT = PD_MAX_NAME + 32 }; /* size of a tool's name with choice or material, bytes */
/* Writes the name of a tool with its choice or material: "Pour water", "Erase walls", "Drain". material: index of the material
 * if the tool needs one. Returns text. */
const char *pd_session_tool_name(const pd_session *session, pd_bar_tool tool, int material, char text[PD_TOOL_TEXT]);
/* Selects the material that the tool Pour pours. */
void pd_session_select_poured_material(pd_session *session, int material);
/* Announces the reason if a press of the tool Pour adds no particles. Call after each step. */
void pd_session_announce_failed_pouring(pd_session *session);

/* ---- Drafts ---- */

/* Initialises a draft with the selected tool. begin: begin of the drag, m; tool_radius: m; unit: pd_draft.unit. */
void pd_session_init_draft(const pd_session *session, pd_draft *draft, pd_vec2 begin, float tool_radius, float unit);
/* Begins session->draft as pd_session_init_draft does. False: `begin` is outside of the container. */
bool pd_session_begin_draft(pd_session *session, pd_vec2 begin, float tool_radius, float unit);
/* Moves the end of the drag of session->draft. straight: pd_draft.straight. */
void pd_session_move_draft(pd_session *session, pd_vec2 end, bool straight);
/* Ends session->draft and adds its item to the scene. False: no item was added, because the drag was too short or the scene
 * refused the item. The refusal is announced. */
bool pd_session_end_draft(pd_session *session);

/* ---- Items ---- */

/* Returns the point of the container that is nearest to `point`. */
pd_vec2 pd_session_clamp_to_container(const pd_session *session, pd_vec2 point);
/* Returns the distance of a point from the container, m. 0: the point is inside, or there are no walls. */
float pd_session_distance_outside(const pd_session *session, pd_vec2 point);
/* Returns the item within max_distance (m) of a point, or an emitter within three times this distance. If there are
 * several, the order is: emitters, bodies, obstacles, drains. */
pd_item pd_session_find_item(const pd_session *session, pd_vec2 point, float max_distance);
/* Begins a press of the tool Move or Erase. Returns the item that the press moves. hit_distance: pd_grab.hit_distance. */
pd_item pd_session_begin_grab(pd_session *session, pd_vec2 pointer_position, float hit_distance);
/* Moves the grabbed emitter or drain with the pointer, or removes the items and joints between the last and the new position of
 * the pointer. Obstacles and bodies move by PD_TOOL_MOVE instead. Call while paused, or between two steps after pd_session_set_tool: then one
 * undo reverts the whole press. */
void pd_session_move_grab(pd_session *session, pd_vec2 pointer_position);
void pd_session_end_grab(pd_session *session);

/* ---- Motions of obstacles ---- */

/* Turns an obstacle by an angle, counterclockwise, about its center. The center of a polyline or polygon that does not spin is
 * the middle of its bounding box. */
void pd_session_turn_obstacle(pd_session *session, int obstacle, float degrees);
/* Adds degrees_per_second to the rate at which an obstacle spins, counterclockwise. */
void pd_session_spin_obstacle(pd_session *session, int obstacle, float degrees_per_second);
/* Makes an obstacle move to and fro between the container's walls, first with `velocity` (m/s). The speed is at most 1.5
 * pd_view.speed_scale. Below 0.03 pd_view.speed_scale the obstacle stops. */
void pd_session_throw_obstacle(pd_session *session, int obstacle, pd_vec2 velocity);

#endif
