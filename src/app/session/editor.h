/* The editor: tools of the left button, materials, and drawing, moving, throwing and removing items, bodies and joints. All edits
 * are commands of the timeline. */
#ifndef PUDDLE_APP_SESSION_EDITOR_H
#define PUDDLE_APP_SESSION_EDITOR_H

#include "app/session/timeline.h"

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

/* ---- Bodies ---- */

/* Returns the index of the selected body. -1: none. */
int pd_session_selected_body(const pd_session *session);
/* Selects a body. body: -1 for none. */
void pd_session_select_body(pd_session *session, int body);
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
/* Replaces a joint. */
void pd_session_replace_joint(pd_session *session, int index, const pd_scene_joint *joint);
/* Returns the index of the joint whose line or ends are within max_distance (m) of a point. -1: none. */
int pd_session_find_joint(const pd_session *session, pd_vec2 point, float max_distance);

/* ---- Materials ---- */

/* Returns the index of the material whose dye a left drag paints. -1: no dye is selected, or the method has no dyes. */
int pd_session_painted_material(const pd_session *session);
/* Selects the material whose dye a left drag paints, and announces its name. material: -1 for none. */
void pd_session_set_painted_material(pd_session *session, int material);
/* Returns the index of the material that the tool Pour pours. */
int pd_session_poured_material(const pd_session *session);
/* Returns the name of a material. For a material without name, writes its number (from 1) into `text` and returns `text`. */
const char *pd_session_material_name(const pd_session *session, int material, char *text, size_t size);

/* Selects a ready material (pd_world_ready_material) for pouring and painting. Adds the material to the scene if no material
 * has its name. Announces errors. */
void pd_session_add_ready_material(pd_session *session, int index);
/* Adds a copy of the scene's first material with this colour and name, and selects the copy. A number is added to the name if
 * the scene has a material of this name. False: an error was announced. */
bool pd_session_add_material(pd_session *session, const char *name, const uint8_t rgb[3]);
/* Replaces a material of the scene. The caller leaves the name unchanged. */
void pd_session_replace_material(pd_session *session, int index, const pd_material *material);
/* Removes a material from the scene. If fluid or an item uses the material, announces the use instead. */
void pd_session_remove_material(pd_session *session, int index);

#endif
