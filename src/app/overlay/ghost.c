/* Ghosts: previews of the tools at the pointer, in place of the plain circle. */
#include "app/overlay/interface.h"
#include "render/lines/lines.h"
#include "scene/polygon.h"

#include <math.h>
#include <stdio.h>

static const float GRIP = 3;          /* units: distance from an item that still counts as a hit */
static const float RIM = 1.25f;       /* units: width of the rim of a wall, as in the picture */
static const float LONGEST = 0.6f;    /* longest arrow of an existing emitter / pd_pointer.unit */
static const float THROW = 0.15f;     /* s: arrow length of a throw = velocity x this time */
static const float SLOW_THROW = 0.1f; /* shortest arrow of a throw that is drawn / pd_pointer.unit */
static const float DARK = 0.2f;       /* luma below which a colour counts as dark */
static const float wall[3] = {0.22f, 0.27f, 0.40f}, erased_wall[3] = {0.42f, 0.22f, 0.27f};

/* Pane with its scale, for drawing in metres. */
typedef struct canvas {
    const pd_screen *screen;
    ui *gui;
    pd_camera camera;
    float scale; /* pixels per interface unit */
    float unit;  /* interface units per metre */
} canvas;

static canvas canvas_of(const pd_screen *screen, pd_camera camera) {
    float scale = screen->display->scale;
    return (canvas){screen, screen->gui, camera, scale, camera.pixels_per_metre / scale};
}

static pd_vec2 place_of(const canvas *c, pd_vec2 point) {
    pd_vec2 pixel = pd_camera_world_to_pixels(&c->camera, point);
    return (pd_vec2){pixel.x / c->scale, pixel.y / c->scale};
}

float pd_ghost_hit_distance(const pd_screen *screen) {
    return GRIP * screen->display->scale / pd_panes_pointer_camera(screen).pixels_per_metre;
}

/* Returns the preview to draw. During a press of another button, or on an obstacle, this is not that of the selected tool. */
static pd_ghost present_ghost(const pd_screen *screen) {
    const pd_pointer *pointer = screen->pointer;
    if (pointer->press == PD_PRESS_DRAWS) return pd_bar_tool_row(screen->session->draft.tool)->ghost;
    pd_ghost selected = pd_bar_tool_row(screen->session->tool)->ghost;
    if (pointer->held_tool == PD_TOOL_MOVE && screen->session->tool == PD_BAR_BODY) return selected;
    bool other = pointer->held_tool != PD_TOOL_NONE && pointer->held_tool != pd_session_tool_kind(screen->session);
    return other ? PD_GHOST_NONE : selected;
}

bool pd_ghost_is_shown(const pd_screen *screen) { return present_ghost(screen) != PD_GHOST_NONE; }

/* ---- Areas ---- */

static pd_vec2 corner_of(const pd_area *area, float x, float y) {
    float turned = area->angle * 0.0174532925f, c = cosf(turned), s = sinf(turned);
    return (pd_vec2){area->center.x + c * x - s * y, area->center.y + s * x + c * y};
}

static void draw_line(const canvas *c, pd_vec2 from, pd_vec2 to, float thickness, const float rgb[3], float opacity) {
    pd_vec2 a = place_of(c, from), b = place_of(c, to);
    ui_draw_line(c->gui, a.x, a.y, b.x, b.y, thickness, rgb, opacity);
}

/* Fills a polygon. inset 0: only its thick rim. Otherwise its inside, with a thin line over the jagged edges. */
static void fill_polygon(const canvas *c, const pd_area *area, float inset, const float rgb[3]) {
    for (int i = 0; inset > 0 && area->triangles && i + 2 < area->point_count; i++) {
        float corners[3][2];
        for (int k = 0; k < 3; k++) {
            pd_vec2 p = area->points[area->triangles[i][k]], corner = place_of(c, corner_of(area, p.x, p.y));
            corners[k][0] = corner.x;
            corners[k][1] = corner.y;
        }
        ui_draw_triangle(c->gui, corners, rgb);
    }
    for (int i = 0; i < area->point_count; i++) {
        pd_vec2 a = area->points[i], b = area->points[(i + 1) % area->point_count];
        draw_line(c, corner_of(area, a.x, a.y), corner_of(area, b.x, b.y), inset > 0 ? 1 : 2 * RIM, rgb, 1);
    }
}

/* Fills an area reduced on all sides by `inset` interface units. */
static void fill_area(const canvas *c, const pd_area *area, float inset, const float rgb[3]) {
    pd_vec2 center = place_of(c, area->center);
    if (area->shape == PD_SHAPE_CIRCLE)
        ui_draw_disc(c->gui, center.x, center.y, fmaxf(area->radius * c->unit - inset, 0.5f), rgb, 1);
    if (area->shape == PD_SHAPE_BOX) {
        float x = fmaxf(0.5f * area->size.x - inset / c->unit, 0), y = fmaxf(0.5f * area->size.y - inset / c->unit, 0);
        const float signs[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
        float corners[4][2];
        for (int k = 0; k < 4; k++) {
            pd_vec2 corner = place_of(c, corner_of(area, signs[k][0] * x, signs[k][1] * y));
            corners[k][0] = corner.x;
            corners[k][1] = corner.y;
        }
        ui_draw_polygon(c->gui, corners, 4, rgb, 1);
    }
    if (area->shape == PD_SHAPE_POLYGON) fill_polygon(c, area, inset, rgb);
    for (int i = 0; area->shape == PD_SHAPE_POLYLINE && i + 1 < area->point_count; i++)
        draw_line(c, corner_of(area, area->points[i].x, area->points[i].y),
                  corner_of(area, area->points[i + 1].x, area->points[i + 1].y),
                  fmaxf(area->thickness * c->unit - 2 * inset, 1), rgb, 1);
}

static void draw_area(const canvas *c, const pd_area *area, const float rim[3], const float inside[3]) {
    fill_area(c, area, 0, rim);
    fill_area(c, area, RIM, inside);
}

/* Returns the outline's colour that is visible on fluid of colour `rgb` and on the dark background. */
static const float *contrasting(const float rgb[3]) {
    return 0.3f * rgb[0] + 0.59f * rgb[1] + 0.11f * rgb[2] < DARK ? THEME_LIGHT : THEME_DARK;
}

static void draw_ring(const canvas *c, pd_vec2 center, float radius, const float rgb[3]) {
    pd_vec2 at = place_of(c, center);
    ui_draw_ring(c->gui, at.x, at.y, radius * c->unit, 4, contrasting(rgb), 0.45f);
    ui_draw_ring(c->gui, at.x, at.y, radius * c->unit, 2, rgb, 0.95f);
}

static void draw_drain(const canvas *c, const pd_area *area, const float rgb[3]) {
    if (area->shape == PD_SHAPE_CIRCLE) {
        draw_ring(c, area->center, area->radius, rgb);
        return;
    }
    const float signs[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
    for (int layer = 0; layer < 2; layer++)
        for (int k = 0; k < 4; k++) {
            const float *a = signs[k], *b = signs[(k + 1) % 4];
            float x = 0.5f * area->size.x, y = 0.5f * area->size.y;
            draw_line(c, corner_of(area, a[0] * x, a[1] * y), corner_of(area, b[0] * x, b[1] * y), layer ? 2 : 4,
                      layer ? rgb : THEME_DARK, layer ? 0.95f : 0.45f);
        }
}

static void draw_arrow(const canvas *c, pd_vec2 from, pd_vec2 to, const float rgb[3]) {
    pd_vec2 a = place_of(c, from), b = place_of(c, to);
    float x = b.x - a.x, y = b.y - a.y, length = hypotf(x, y), head = fminf(7, 0.5f * length);
    if (length < 1) return;
    x *= head / length;
    y *= head / length;
    for (int layer = 0; layer < 2; layer++) {
        float thickness = layer ? 2 : 4.5f, opacity = layer ? 0.95f : 0.5f;
        const float *colour = layer ? rgb : contrasting(rgb);
        ui_draw_line(c->gui, a.x, a.y, b.x, b.y, thickness, colour, opacity);
        for (int side = -1; side <= 1; side += 2)
            ui_draw_line(c->gui, b.x, b.y, b.x - x - 0.6f * (float)side * y, b.y - y + 0.6f * (float)side * x,
                         thickness, colour, opacity);
    }
}

/* Draws an emitter: its mouth, and an arrow of length `arrow` (m) for the speed. */
static void draw_emitter(const canvas *c, const pd_emitter *e, float arrow, const float rgb[3]) {
    float length = hypotf(e->direction.x, e->direction.y), x = e->direction.x / length, y = e->direction.y / length;
    pd_vec2 left = {e->position.x - 0.5f * e->width * y, e->position.y + 0.5f * e->width * x};
    pd_vec2 right = {e->position.x + 0.5f * e->width * y, e->position.y - 0.5f * e->width * x};
    draw_line(c, left, right, 6, THEME_DARK, 0.5f);
    draw_line(c, left, right, 3, THEME_LIGHT, 1);
    draw_arrow(c, e->position, (pd_vec2){e->position.x + arrow * x, e->position.y + arrow * y}, rgb);
}

/* ---- Items of the scene ---- */

static float arrow_length_of(const pd_screen *screen, const pd_emitter *e) {
    float arrow = pd_draft_emitter_arrow_length(e->speed, screen->viewport->view.speed_scale, screen->pointer->unit);
    return fminf(arrow, LONGEST * screen->pointer->unit);
}

/* Draws each emitter's mouth, and an arrow for its speed, over the picture: fluid may cover parts of the nozzle. */
static void draw_emitters(const canvas *c) {
    const pd_scene *scene = pd_world_scene(c->screen->session->world);
    for (int i = 0; i < scene->emitter_count; i++) {
        const pd_emitter *e = &scene->emitters[i];
        float rgb[3];
        pd_viewport_compute_material_colour(c->screen->viewport, e->material, rgb);
        draw_emitter(c, e, arrow_length_of(c->screen, e), rgb);
    }
}

/* Draws the outline of an area. The inside of a polyline is covered too. */
static void draw_rim(const canvas *c, const pd_area *area, const float rgb[3]) {
    pd_vec2 center = place_of(c, area->center), half = {0.5f * area->size.x, 0.5f * area->size.y};
    if (area->shape == PD_SHAPE_CIRCLE)
        ui_draw_ring(c->gui, center.x, center.y, area->radius * c->unit, 2 * RIM, rgb, 1);
    if (area->shape == PD_SHAPE_POLYGON) fill_polygon(c, area, 0, rgb);
    if (area->shape == PD_SHAPE_POLYLINE) fill_area(c, area, 0, rgb);
    if (area->shape != PD_SHAPE_BOX) return;
    const pd_vec2 corners[5] = {corner_of(area, -half.x, -half.y), corner_of(area, half.x, -half.y),
                                corner_of(area, half.x, half.y), corner_of(area, -half.x, half.y),
                                corner_of(area, -half.x, -half.y)};
    for (int k = 0; k < 4; k++) draw_line(c, corners[k], corners[k + 1], 2 * RIM, rgb, 1);
}

/* Draws a body as selected or as erased. index: -1 draws nothing. */
static void draw_body(const canvas *c, int index, bool erased) {
    const pd_view *view = &c->screen->viewport->view;
    if (index < 0 || index >= view->body_count) return;
    if (erased)
        draw_area(c, &view->bodies[index].area, THEME_ERASER, erased_wall);
    else
        draw_rim(c, &view->bodies[index].area, THEME_ACCENT);
}

/* Draws the pins of a joint, and a weld as a square. */
static void draw_joint(const canvas *c, const pd_view_joint *joint, const float rgb[3]) {
    bool two_ends = joint->at.x != joint->to.x || joint->at.y != joint->to.y, weld = joint->type == PD_JOINT_WELD;
    for (int end = 0; end < (two_ends && !weld ? 2 : 1); end++) {
        pd_vec2 p = place_of(c, end ? joint->to : joint->at);
        for (int layer = 0; layer < 2; layer++) {
            float radius = layer ? 2.8f : 4.2f;
            const float *colour = layer ? rgb : THEME_DARK;
            if (weld)
                ui_draw_box(c->gui, p.x - radius, p.y - radius, 2 * radius, 2 * radius, 0.8f, colour, 1);
            else
                ui_draw_disc(c->gui, p.x, p.y, radius, colour, 1);
        }
    }
}

static void draw_joints(const canvas *c) {
    const pd_view *view = &c->screen->viewport->view;
    for (int i = 0; i < view->joint_count; i++) draw_joint(c, &view->joints[i], THEME_LIGHT);
}

static void draw_item(const canvas *c, pd_item item, bool erases) {
    const pd_view *view = &c->screen->viewport->view;
    const pd_scene *scene = pd_world_scene(c->screen->session->world);
    const float *rgb = erases ? THEME_ERASER : THEME_ACCENT;
    if (item.kind == PD_ITEM_BODY) draw_body(c, item.index, erases);
    if (item.kind == PD_ITEM_OBSTACLE && item.index < view->obstacle_count) {
        const pd_area *area = &view->obstacles[item.index];
        const float own[3] = {(float)area->color.red / 255, (float)area->color.green / 255,
                              (float)area->color.blue / 255};
        draw_area(c, area, rgb, erases ? erased_wall : area->color.is_given ? own : wall);
    }
    if (item.kind == PD_ITEM_EMITTER && item.index < scene->emitter_count)
        draw_emitter(c, &scene->emitters[item.index], arrow_length_of(c->screen, &scene->emitters[item.index]), rgb);
    if (item.kind == PD_ITEM_DRAIN && item.index < scene->drain_count)
        draw_drain(c, &scene->drains[item.index].area, rgb);
}

/* ---- Tools ---- */

static void draw_cross(const canvas *c, pd_vec2 at, float arm) {
    pd_vec2 p = place_of(c, at);
    for (int layer = 0; layer < 2; layer++)
        for (int side = -1; side <= 1; side += 2)
            ui_draw_line(c->gui, p.x - arm, p.y - (float)side * arm, p.x + arm, p.y + (float)side * arm,
                         layer ? 1.5f : 3.5f, layer ? THEME_LIGHT : THEME_DARK, layer ? 0.7f : 0.35f);
}

static void draw_pour(const canvas *c) {
    const pd_pointer *pointer = c->screen->pointer;
    float rgb[3], radius = pd_pointer_tool_radius(pointer);
    pd_vec2 at = place_of(c, pointer->position);
    pd_viewport_compute_material_colour(c->screen->viewport, pd_session_poured_material(c->screen->session), rgb);
    ui_draw_disc(c->gui, at.x, at.y, radius * c->unit, rgb, 0.30f);
    draw_ring(c, pointer->position, radius, rgb);
}

static pd_item item_at(const canvas *c, pd_vec2 at) {
    return pd_session_find_item(c->screen->session, at, GRIP / c->unit);
}

/* Draws the joint or else the item that a press would erase, and all joints. */
static void draw_erased_item(const canvas *c, pd_vec2 at) {
    const pd_session *session = c->screen->session;
    int erased = pd_session_find_joint(session, at, GRIP / c->unit), shown = 0;
    if (erased < 0) draw_item(c, item_at(c, at), true);
    draw_joints(c);
    for (int i = 0; i < erased; i++) shown += !pd_world_is_joint_broken(session->world, i);
    if (erased >= 0) draw_joint(c, &c->screen->viewport->view.joints[shown], THEME_ERASER);
}

static void draw_erase(const canvas *c) {
    int choice = c->screen->session->choice[PD_BAR_ERASE];
    pd_vec2 at = c->screen->pointer->position;
    float radius = pd_pointer_tool_radius(c->screen->pointer);
    if (choice != PD_CHOICE_FLUID) draw_emitters(c);
    if (choice != PD_CHOICE_FLUID) draw_erased_item(c, at);
    draw_cross(c, at, choice == PD_CHOICE_OBJECTS ? 6 : 0.7071f * radius * c->unit);
    if (choice != PD_CHOICE_OBJECTS) draw_ring(c, at, radius, THEME_LIGHT);
}

/* Draws the item below the pointer, or the dragged item with the velocity of a throw. */
static void draw_move(const canvas *c) {
    const pd_pointer *pointer = c->screen->pointer;
    pd_item held = c->screen->session->grab.item;
    pd_vec2 at = pointer->position, way = {THROW * pointer->velocity.x, THROW * pointer->velocity.y};
    pd_item item = held.kind != PD_ITEM_NONE ? held : item_at(c, at);
    draw_body(c, pd_session_selected_body(c->screen->session), false);
    draw_item(c, item, false);
    bool throws = held.kind == PD_ITEM_OBSTACLE && pointer->shift;
    if (throws && hypotf(way.x, way.y) > SLOW_THROW * pointer->unit)
        draw_arrow(c, at, (pd_vec2){at.x + way.x, at.y + way.y}, THEME_ACCENT);
    if (item.kind != PD_ITEM_NONE) return;
    pd_vec2 p = place_of(c, at);
    ui_draw_ring(c->gui, p.x, p.y, 5, 3.5f, THEME_DARK, 0.45f);
    ui_draw_ring(c->gui, p.x, p.y, 5, 1.5f, THEME_LIGHT, 0.8f);
}

static void draw_speed(const canvas *c, const pd_emitter *emitter, pd_vec2 tip) {
    char number[32], text[48];
    pd_vec2 at = place_of(c, tip);
    snprintf(text, sizeof text, "%s m/s", pd_app_format_number((double)emitter->speed, number, sizeof number));
    float width, height;
    ui_measure_text(c->gui, UI_SMALL, text, 0, &width, &height);
    ui_draw_plate(c->gui, at.x + 12, at.y - height - 14, width + 16, height + 8, 1.1f);
    ui_draw_text(c->gui, at.x + 20, at.y - height - 10, UI_SMALL, UI_STRONG, 1, 0, text);
}

/* Draws a wall's stroke before it is smoothed and simplified, which moves it by less than its thickness. */
static void draw_stroke(const canvas *c, const pd_draft *draft) {
    float thickness = pd_draft_wall_thickness(draft->size) * c->unit;
    int last = draft->straight ? 1 : draft->count - 1;
    for (int layer = 0; layer < 2; layer++)
        for (int i = 0; i < last || i == 0; i++) {
            pd_vec2 a = draft->points[i], b = draft->straight ? draft->to : draft->points[i < last ? i + 1 : i];
            draw_line(c, a, b, fmaxf(layer ? thickness - 2 * RIM : thickness, 1), layer ? wall : THEME_ACCENT, 1);
        }
}

/* Draws the polygon that the release would make, and the line drawn so far. The polygon is computed in each frame, in 0.1 to
 * 0.4 ms for up to 1,024 points, and 1.1 ms for PD_MAX_POINTS. */
static void draw_outline(const canvas *c, const pd_draft *draft, const float inside[3]) {
    static pd_vec2 points[PD_MAX_POINTS];
    static int triangles[PD_MAX_POINTS][3];
    pd_area area;
    if (pd_draft_make_area(draft, &area, points)) {
        if (pd_polygon_triangulate(points, area.point_count, triangles)) area.triangles = (const int(*)[3])triangles;
        draw_area(c, &area, THEME_ACCENT, inside);
    }
    if (draft->count == 1) draw_cross(c, draft->to, 6);
    for (int i = 0; i + 1 < draft->count; i++)
        draw_line(c, draft->points[i], draft->points[i + 1], 1.5f, THEME_LIGHT, 1);
}

/* Draws the obstacle or body of a draft. */
static void draw_drafted_shape(const canvas *c, const pd_draft *draft) {
    pd_area area = {0};
    float wood[3];
    pd_lines_get_body_colour(&area, wood);
    const float *inside = draft->tool == PD_BAR_BODY ? wood : wall;
    if (draft->shape == PD_CHOICE_POLYGON)
        draw_outline(c, draft, inside);
    else if (pd_draft_make_area(draft, &area, NULL))
        draw_area(c, &area, THEME_ACCENT, inside);
    else
        draw_cross(c, draft->to, 6);
}

/* Draws the item of a draft. */
static void draw_drafted_item(const canvas *c, pd_draft *draft) {
    const pd_viewport *viewport = c->screen->viewport;
    pd_emitter emitter;
    pd_drain drain;
    float rgb[3];
    if (draft->tool == PD_BAR_WALL) draw_stroke(c, draft);
    if (draft->tool == PD_BAR_SHAPE || draft->tool == PD_BAR_BODY) draw_drafted_shape(c, draft);
    if (draft->tool == PD_BAR_DRAIN && pd_draft_make_drain(draft, &drain)) draw_drain(c, &drain.area, THEME_ACCENT);
    if (draft->tool != PD_BAR_EMITTER) return;
    pd_draft_make_emitter(draft, &emitter);
    pd_viewport_compute_material_colour(viewport, pd_session_poured_material(c->screen->session), rgb);
    float arrow = pd_draft_emitter_arrow_length(emitter.speed, viewport->view.speed_scale, draft->unit);
    draw_emitter(c, &emitter, arrow, rgb);
    if (!pd_draft_is_click(draft)) draw_speed(c, &emitter, draft->to);
}

/* Draws the outline of the body that the panel shows, or that a press would drag. Returns whether a press would drag a body. */
static bool draw_bodies(const canvas *c) {
    const pd_screen *screen = c->screen;
    draw_body(c, pd_session_selected_body(screen->session), false);
    if (screen->pointer->press != PD_PRESS_NONE) return screen->pointer->held_tool == PD_TOOL_MOVE;
    int body = pd_world_body_at(screen->session->world, screen->pointer->position, GRIP / c->unit);
    draw_body(c, body, false);
    return body >= 0;
}

/* Draws the joint that a drag or a click would make: the bodies at its ends, its pin, and a line to the pointer. */
static void draw_drafted_joint(const canvas *c) {
    const pd_screen *screen = c->screen;
    const pd_session *session = screen->session;
    const pd_pointer *pointer = screen->pointer;
    bool drags = pointer->press == PD_PRESS_DRAWS;
    pd_joint_end end = pd_session_find_joint_end(session, pointer->position, GRIP / c->unit);
    pd_joint_end begin = drags ? session->joint_begin : end;
    draw_body(c, begin.body, false);
    draw_body(c, end.body, false);
    draw_joints(c);
    int choice = drags ? session->draft.shape : session->choice[PD_BAR_JOINT];
    pd_view_joint joint = {.type = choice == PD_CHOICE_WELD ? PD_JOINT_WELD : PD_JOINT_HINGE};
    joint.at = joint.to = pd_session_joint_end_place(session, &begin);
    if (!drags && end.body >= 0) draw_body(c, pd_session_find_other_body(session, joint.at, end.body), false);
    if (drags) draw_line(c, joint.at, pd_session_joint_end_place(session, &end), 1.6f, THEME_ACCENT, 0.9f);
    if (drags || end.body >= 0)
        draw_joint(c, &joint, THEME_ACCENT);
    else
        draw_cross(c, pointer->position, 6);
}

static void draw_draft(const canvas *c) {
    const pd_session *session = c->screen->session;
    const pd_pointer *pointer = c->screen->pointer;
    static pd_draft draft;
    if (session->tool == PD_BAR_BODY && draw_bodies(c)) return;
    if (pointer->press == PD_PRESS_DRAWS) {
        draft = session->draft;
    } else {
        pd_vec2 inside = pd_session_clamp_to_container(session, pointer->position);
        float off = hypotf(inside.x - pointer->position.x, inside.y - pointer->position.y);
        if (off > 1e-4f * pointer->unit) return; /* outside of the container a press has no effect */
        pd_session_init_draft(session, &draft, pointer->position, pd_pointer_tool_radius(pointer), pointer->unit);
    }
    draw_drafted_item(c, &draft);
}

static void (*const ghosts[])(const canvas *c) = {
    [PD_GHOST_POUR] = draw_pour,   [PD_GHOST_ERASE] = draw_erase,         [PD_GHOST_MOVE] = draw_move,
    [PD_GHOST_DRAFT] = draw_draft, [PD_GHOST_JOINT] = draw_drafted_joint,
};

/* Draws the preview in every pane, since both worlds receive the same input. */
static void draw(pd_screen *screen) {
    pd_ghost ghost = present_ghost(screen);
    if (ghost == PD_GHOST_NONE || !pd_layers_show_tool(screen)) return;
    ui_set_layer(screen->gui, UI_BELOW);
    for (int pane = 0; pane < pd_panes_count(screen); pane++) {
        canvas c = canvas_of(screen, pd_panes_camera(screen, pane));
        if (pd_bar_tool_row(screen->session->tool)->shows_emitters) draw_emitters(&c);
        ghosts[ghost](&c);
    }
}

const pd_layer pd_ghost_layer = {.draw = draw};
