/* Edits of bodies and joints. */
#include "app/session/bodies.h"

#include "app/session/session.h"
#include "scene/content/outline.h"
#include "scene/file/scene_files.h"
#include "scene/geometry.h"
#include "scene/items.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float SNAP = 3;            /* distance at which an end is set to a body's centroid, in units of `near` */
static const float PICTURE_SIZE = 0.5f; /* greater side of a picture's body / half the smaller side of the view */
static const float MOTOR_SPEED = 90;    /* speed of a new motor, degrees/s */

/* ---- Selection ---- */

int pd_session_selected_body(const pd_session *session) {
    const pd_scene *scene = pd_world_scene(session->world);
    int index = session->body.number - 1;
    bool present = index >= 0 && index < scene->body_count;
    return present && strcmp(scene->bodies[index].name, session->body.name) == 0 ? index : -1;
}

void pd_session_select_body(pd_session *session, int body) {
    session->body.number = body + 1;
    if (body < 0) return;
    const pd_scene *scene = pd_world_scene(session->world);
    snprintf(session->body.name, sizeof session->body.name, "%s", scene->bodies[body].name);
}

/* ---- Bodies ---- */

/* Gives a body without a name the first free one of its shape: "box 2". */
static void name_body(pd_scene *scene, pd_scene_body *body) {
    static const char *const words[] = {[PD_SHAPE_CIRCLE] = "circle",
                                        [PD_SHAPE_BOX] = "box",
                                        [PD_SHAPE_POLYLINE] = "line",
                                        [PD_SHAPE_POLYGON] = "polygon"};
    char name[PD_MAX_NAME];
    if (*body->name) return;
    int number = 1;
    do snprintf(name, sizeof name, "%s %d", words[body->area.shape], number++);
    while (pd_scene_find_body(scene, name) != PD_NO_BODY);
    memcpy(body->name, name, sizeof name);
}

/* Adds a body with this name, or the first free one of its shape if the name is empty. */
static bool add_body(pd_session *session, const pd_area *area, const char *name) {
    pd_scene scene;
    pd_error error;
    pd_scene_body body = pd_body_default();
    if (!pd_session_begin_edit(session, &scene)) return false;
    body.area = *area;
    if (pd_scene_find_body(&scene, name) == PD_NO_BODY) snprintf(body.name, sizeof body.name, "%s", name);
    name_body(&scene, &body);
    if (!pd_session_end_edit(session, &scene, pd_scene_add_body(&scene, &body, &error), &error)) return false;
    pd_session_select_body(session, pd_world_scene(session->world)->body_count - 1);
    pd_announce_change(session->announcer, "Body added", "New", "body");
    return true;
}

bool pd_session_add_body(pd_session *session, const pd_area *area) { return add_body(session, area, ""); }

bool pd_session_add_body_of_picture(pd_session *session, const char *path, pd_vec2 place) {
    pd_error error;
    pd_view view;
    pd_scene named = {0};
    pd_world_view(session->world, &view);
    float unit = 0.5f * fminf(view.high.x - view.low.x, view.high.y - view.low.y), size = PICTURE_SIZE * unit;
    pd_area area = {.size.x = size};
    if (!pd_session_check_result(session, pd_picture_read_outline(path, &area, &error), &error)) return false;
    float scale = fminf(size / area.size.y, 1);
    pd_draft_center_points(area.points, area.point_count);
    for (int i = 0; i < area.point_count; i++)
        area.points[i] = pd_draft_round_point((pd_vec2){scale * area.points[i].x, scale * area.points[i].y}, unit);
    area.center = pd_draft_round_point(pd_session_clamp_to_container(session, place), unit);
    pd_scene_set_name_from_path(&named, path);
    bool added = add_body(session, &area, named.name);
    if (added && *area.left_out) pd_announce(session->announcer, "%s", area.left_out);
    pd_memory_free(area.points);
    return added;
}

bool pd_session_replace_body(pd_session *session, int index, const pd_scene_body *body) {
    pd_scene scene;
    bool selected = pd_session_selected_body(session) == index;
    if (!pd_session_begin_edit(session, &scene)) return false;
    pd_scene_body *place = &scene.bodies[index];
    for (int i = 0; i < scene.joint_count && *place->name; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(scene.joints[i].bodies[k], place->name) == 0)
                memcpy(scene.joints[i].bodies[k], body->name, PD_MAX_NAME);
    pd_area area = place->area;
    area.color = body->area.color;
    *place = *body;
    place->area = area;
    if (!pd_session_end_edit(session, &scene, PD_OK, NULL)) return false;
    if (selected) pd_session_select_body(session, index);
    return true;
}

bool pd_session_remove_body(pd_session *session, int index) {
    pd_scene scene;
    pd_error error;
    if (!pd_session_begin_edit(session, &scene)) return false;
    const char *name = scene.bodies[index].name;
    for (int i = scene.joint_count - 1; i >= 0 && *name; i--)
        if (strcmp(scene.joints[i].bodies[0], name) == 0 || strcmp(scene.joints[i].bodies[1], name) == 0)
            pd_scene_remove_joint(&scene, i, NULL);
    bool removed = pd_session_end_edit(session, &scene, pd_scene_remove_body(&scene, index, &error), &error);
    if (removed) pd_announce_change(session->announcer, "Body removed", "Removed", "body");
    return removed;
}

/* ---- Ends of joints ---- */

/* Returns a vector that turns with a body from the angle `from` to the angle `to`, degrees. */
static pd_vec2 turn(double x, double y, double from, double to) {
    return pd_rotate((pd_vec2){(float)x, (float)y}, to - from);
}

pd_joint_end pd_session_find_joint_end(const pd_session *session, pd_vec2 point, float near) {
    pd_joint_end end = {.body = pd_world_body_at(session->world, point, near), .x = point.x, .y = point.y};
    pd_world_body body;
    if (end.body < 0) return end;
    pd_world_get_body(session->world, end.body, &body);
    end.x -= body.x;
    end.y -= body.y;
    end.from_turn = body.angle;
    if (hypot(end.x, end.y) <= (double)(SNAP * near)) end.x = end.y = 0;
    return end;
}

pd_vec2 pd_session_joint_end_place(const pd_session *session, const pd_joint_end *end) {
    pd_world_body body;
    if (end->body < 0 || end->body >= pd_world_body_count(session->world))
        return (pd_vec2){(float)end->x, (float)end->y};
    pd_world_get_body(session->world, end->body, &body);
    pd_vec2 arm = turn(end->x, end->y, end->from_turn, body.angle);
    return (pd_vec2){(float)body.x + arm.x, (float)body.y + arm.y};
}

/* Returns whether an area of a view contains a point. false: the area is a line. */
static bool contains_point(const pd_area *area, pd_vec2 point) {
    bool inside = false;
    pd_vec2 p = turn((double)point.x - (double)area->center.x, (double)point.y - (double)area->center.y,
                     (double)area->angle, 0);
    if (area->shape == PD_SHAPE_CIRCLE) return hypotf(p.x, p.y) <= area->radius;
    if (area->shape == PD_SHAPE_BOX) return fabsf(p.x) <= 0.5f * area->size.x && fabsf(p.y) <= 0.5f * area->size.y;
    if (area->shape != PD_SHAPE_POLYGON) return false;
    for (int i = 0, j = area->point_count - 1; i < area->point_count; j = i++) {
        pd_vec2 a = area->points[i], b = area->points[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
    }
    return inside;
}

int pd_session_find_other_body(const pd_session *session, pd_vec2 point, int other) {
    pd_view view;
    pd_world_view(session->world, &view);
    for (int i = 0; i < view.body_count; i++)
        if (i != other && contains_point(&view.bodies[i].area, point)) return i;
    return -1;
}

/* ---- Joints ---- */

static const char *const joint_names[] = {
    [PD_JOINT_HINGE] = "hinge",   [PD_JOINT_MOTOR] = "motor", [PD_JOINT_WELD] = "weld",
    [PD_JOINT_SPRING] = "spring", [PD_JOINT_ROPE] = "rope",   [PD_JOINT_SLIDER] = "slider"};

static void set_joined_body(pd_scene *scene, pd_scene_joint *joint, int k, int body) {
    if (body >= 0) name_body(scene, &scene->bodies[body]);
    snprintf(joint->bodies[k], PD_MAX_NAME, "%s", body >= 0 ? scene->bodies[body].name : "world");
}

static bool apply_joint(pd_session *session, pd_scene_joint *joint, int first, int second) {
    pd_scene scene;
    pd_error error;
    char text[64];
    if (!pd_session_begin_edit(session, &scene)) return false;
    set_joined_body(&scene, joint, 0, first);
    set_joined_body(&scene, joint, 1, second);
    pd_result result = pd_world_join_bodies(session->world, &scene, joint, &error);
    if (!pd_session_end_edit(session, &scene, result, &error)) return false;
    const char *name = joint_names[joint->type], *where = first < 0 || second < 0 ? " (to the background)" : "";
    snprintf(text, sizeof text, "%c%s added%s", name[0] - 'a' + 'A', name + 1, where);
    pd_announce_change(session->announcer, text, "New", name);
    return true;
}

bool pd_session_add_joint(pd_session *session, pd_joint_type type, const pd_joint_end *begin, const pd_joint_end *end) {
    pd_scene_joint joint = pd_joint_default();
    pd_session_finish_step(session);
    int first = begin->body, second = end->body, count = pd_world_body_count(session->world);
    bool rope = type == PD_JOINT_ROPE;
    joint.type = type;
    joint.at = pd_session_joint_end_place(session, begin);
    joint.to = pd_session_joint_end_place(session, end);
    if (first >= count || second >= count) return false; /* removed during the drag */
    if (first == second && rope && first >= 0) {
        pd_announce(session->announcer, "A rope has two ends (drag to another body or to a free place)");
        return false;
    }
    if (first == second && first >= 0) second = pd_session_find_other_body(session, joint.at, first);
    if (first < 0 && second < 0) {
        pd_announce(session->announcer, "No body here (press on a body)");
        return false;
    }
    if (type == PD_JOINT_MOTOR) { /* the first body of a motor turns */
        joint.speed = MOTOR_SPEED;
        bool swaps = first < 0;
        return apply_joint(session, &joint, swaps ? second : first, swaps ? first : second);
    }
    return apply_joint(session, &joint, first, second);
}

void pd_session_replace_joint(pd_session *session, int index, const pd_scene_joint *joint) {
    pd_scene scene;
    if (!pd_session_begin_edit(session, &scene)) return;
    scene.joints[index] = *joint;
    pd_session_end_edit(session, &scene, PD_OK, NULL);
}

static float distance_to_line(pd_vec2 point, pd_vec2 from, pd_vec2 to) {
    float dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    float part = square > 0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / square : 0;
    part = fminf(fmaxf(part, 0), 1);
    return hypotf(point.x - from.x - part * dx, point.y - from.y - part * dy);
}

int pd_session_find_joint(const pd_session *session, pd_vec2 point, float max_distance) {
    pd_view view;
    pd_world_view(session->world, &view);
    int nearest = -1, shown = 0;
    float least = max_distance;
    for (int i = 0; i < pd_world_scene(session->world)->joint_count; i++) {
        if (pd_world_is_joint_broken(session->world, i)) continue; /* the view has no broken joints */
        const pd_view_joint *joint = &view.joints[shown++];
        float away = distance_to_line(point, joint->at, joint->to);
        if (!(away <= least)) continue;
        least = away;
        nearest = i;
    }
    return nearest;
}

void pd_session_remove_joint(pd_session *session, int index) {
    pd_scene scene;
    pd_error error;
    if (!pd_session_begin_edit(session, &scene)) return;
    const char *name = joint_names[scene.joints[index].type];
    char text[64];
    snprintf(text, sizeof text, "%c%s removed", name[0] - 'a' + 'A', name + 1);
    if (pd_session_end_edit(session, &scene, pd_scene_remove_joint(&scene, index, &error), &error))
        pd_announce_change(session->announcer, text, "Removed", name);
}
