/* Ghosts: previews of the tools at the pointer, in place of the plain circle. They are marks, which the picture draws over the
 * world. */
#include "app/overlay/interface.h"
#include "core/array.h"
#include "render/lines/lines.h"
#include "scene/polygon.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float GRIP = 3;          /* units: distance from an item that still counts as a hit */
static const float LONGEST = 0.6f;    /* longest arrow of an existing emitter / pd_pointer.unit */
static const float THROW = 0.15f;     /* s: arrow length of a throw = velocity x this time */
static const float SLOW_THROW = 0.1f; /* shortest arrow of a throw that is drawn / pd_pointer.unit */
static const float HEAD = 7;          /* units: length of the head of an arrow */
static const float CROSS = 6;         /* units: arm of a cross */
static const float PIN = 4;           /* units: radius of a joint's pin with its rim */
static const float OPAQUE = 1, RING = 0.95f;
static const float wall[3] = {0.22f, 0.27f, 0.40f}, erased_wall[3] = {0.42f, 0.22f, 0.27f};

/* Look of an existing item: selected by Move, or to be erased. */
typedef enum style { SELECTED, ERASED } style;
static const float *const rims[] = {[SELECTED] = THEME_ACCENT, [ERASED] = THEME_ERASER};

/* Returns the preview to draw. During a press of another button, or on an obstacle, this is not that of the selected tool. */
static pd_ghost present_ghost(const pd_screen *screen) {
    const pd_pointer *pointer = screen->pointer;
    if (pointer->press == PD_PRESS_DRAWS) return pd_bar_tool_row(screen->session->draft.tool)->ghost;
    pd_ghost selected = pd_bar_tool_row(screen->session->tool)->ghost;
    if (pointer->held_tool == PD_TOOL_MOVE && screen->session->tool == PD_BAR_BODY) return selected;
    bool other = pointer->held_tool != PD_TOOL_NONE && pointer->held_tool != pd_session_tool_kind(screen->session);
    return other ? PD_GHOST_NONE : selected;
}

/* Returns whether the selected tool, or the tool of a press, paints dye. */
static bool paints(const pd_screen *screen) {
    pd_tool_kind held = screen->pointer->held_tool;
    if (held == PD_TOOL_NONE) held = pd_session_tool_kind(screen->session);
    return pd_session_painted_material(screen->session) >= 0 && held == PD_TOOL_DRAG;
}

/* Returns the interface units per metre of the pane below the pointer. */
static float units_per_metre(const pd_screen *screen) {
    return pd_screen_pane(screen)->camera.pixels_per_metre / screen->display->scale;
}

float pd_ghost_hit_distance(const pd_screen *screen) { return GRIP / units_per_metre(screen); }

/* ---- Marks ---- */

static pd_mark *marks;
static int mark_count, mark_capacity;

/* Adds a mark. Without memory the mark is not drawn. */
static pd_mark *add_mark(pd_mark_kind kind, const float rgb[3], float opacity) {
    static pd_mark lost;
    bool stored = PD_LIST_RESERVE(marks, mark_capacity, mark_count + 1);
    pd_mark *mark = stored ? &marks[mark_count++] : &lost;
    *mark = (pd_mark){.kind = kind, .colour = {rgb[0], rgb[1], rgb[2], opacity}};
    return mark;
}

/* Adds an area. rim NULL: the translucent inside alone. inside NULL: the rim alone. */
static void add_area(const pd_area *area, const float rim[3], const float inside[3]) {
    pd_mark *mark = add_mark(PD_MARK_AREA, rim ? rim : inside, rim ? OPAQUE : 0);
    mark->area = *area;
    if (inside) memcpy(mark->inside, inside, sizeof(float[3]));
    mark->inside[3] = !inside ? 0 : rim ? OPAQUE : 0.30f;
}

/* Adds a line. width, halo: units. */
static void add_line(pd_vec2 from, pd_vec2 to, float width, float halo, const float rgb[3], float opacity) {
    pd_mark *mark = add_mark(PD_MARK_LINE, rgb, opacity);
    mark->from = from;
    mark->to = to;
    mark->width = width;
    mark->halo = halo;
}

/* Adds the outline of a circle or box. */
static void add_outline(const pd_area *area, const float rgb[3]) {
    pd_mark *mark = add_mark(PD_MARK_OUTLINE, rgb, RING);
    mark->area = *area;
    mark->width = 2;
    mark->halo = 1;
}

static void add_ring(pd_vec2 center, float radius, const float rgb[3]) {
    add_outline(&(pd_area){.shape = PD_SHAPE_CIRCLE, .center = center, .radius = radius}, rgb);
}

static void add_arrow(const pd_screen *screen, pd_vec2 from, pd_vec2 to, const float rgb[3]) {
    float x = to.x - from.x, y = to.y - from.y, length = hypotf(x, y),
          head = fminf(HEAD / units_per_metre(screen), 0.5f * length);
    if (length * units_per_metre(screen) < 1) return;
    x *= head / length;
    y *= head / length;
    add_line(from, to, 2, 1.25f, rgb, RING);
    for (float side = -0.6f; side < 1; side += 1.2f)
        add_line(to, (pd_vec2){to.x - x - side * y, to.y - y + side * x}, 2, 1.25f, rgb, RING);
}

/* Adds a cross. arm: units. */
static void add_cross(const pd_screen *screen, pd_vec2 at, float arm) {
    float a = arm / units_per_metre(screen);
    for (int side = -1; side <= 1 && arm > 0; side += 2)
        add_line((pd_vec2){at.x - a, at.y - (float)side * a}, (pd_vec2){at.x + a, at.y + (float)side * a}, 1.5f, 1,
                 THEME_LIGHT, 0.7f);
}

/* Adds an emitter: its mouth, and an arrow of length `arrow` (m) for the speed. */
static void add_emitter(const pd_screen *screen, const pd_emitter *e, float arrow, const float rgb[3]) {
    float length = hypotf(e->direction.x, e->direction.y), x = e->direction.x / length, y = e->direction.y / length;
    pd_vec2 across = {-0.5f * e->width * y, 0.5f * e->width * x}, at = e->position;
    add_line((pd_vec2){at.x + across.x, at.y + across.y}, (pd_vec2){at.x - across.x, at.y - across.y}, 3, 1.5f,
             THEME_LIGHT, OPAQUE);
    add_arrow(screen, at, (pd_vec2){at.x + arrow * x, at.y + arrow * y}, rgb);
}

/* Adds the pins of a joint, and a weld as a square. */
static void add_joint(const pd_screen *screen, const pd_view_joint *joint, const float rgb[3]) {
    bool two_ends = joint->at.x != joint->to.x || joint->at.y != joint->to.y, weld = joint->type == PD_JOINT_WELD;
    float radius = PIN / units_per_metre(screen);
    for (int end = 0; end < (two_ends && !weld ? 2 : 1); end++)
        add_area(&(pd_area){.shape = weld ? PD_SHAPE_BOX : PD_SHAPE_CIRCLE,
                            .center = end ? joint->to : joint->at,
                            .radius = radius,
                            .size = {2 * radius, 2 * radius}},
                 THEME_DARK, rgb);
}

/* ---- Items of the scene ---- */

static void add_existing_emitter(const pd_screen *screen, int index, const float rgb[3]) {
    const pd_emitter *e = &screen->viewport->view.emitters[index];
    float unit = screen->pointer->unit, scale = screen->viewport->view.speed_scale;
    add_emitter(screen, e, fminf(pd_draft_emitter_arrow_length(e->speed, scale, unit), LONGEST * unit), rgb);
}

/* Adds each emitter's mouth, and an arrow for its speed, over the picture: fluid may cover parts of the nozzle. */
static void add_emitters(const pd_screen *screen) {
    const pd_view *view = &screen->viewport->view;
    for (int i = 0; i < view->emitter_count; i++) {
        float rgb[3];
        pd_viewport_compute_material_colour(screen->viewport, view->emitters[i].material, rgb);
        add_existing_emitter(screen, i, rgb);
    }
}

static void add_joints(const pd_screen *screen) {
    const pd_view *view = &screen->viewport->view;
    for (int i = 0; i < view->joint_count; i++) add_joint(screen, &view->joints[i], THEME_LIGHT);
}

/* Adds a body. index: -1 adds nothing. */
static void add_body(const pd_screen *screen, int index, style style) {
    const pd_view *view = &screen->viewport->view;
    if (index >= 0 && index < view->body_count)
        add_area(&view->bodies[index].area, rims[style], style == ERASED ? erased_wall : NULL);
}

static void add_item(const pd_screen *screen, pd_item item, style style) {
    const pd_view *view = &screen->viewport->view;
    if (item.kind == PD_ITEM_BODY) add_body(screen, item.index, style);
    if (item.kind == PD_ITEM_OBSTACLE && item.index < view->obstacle_count) {
        const pd_area *area = &view->obstacles[item.index];
        float own[3];
        pd_lines_get_body_colour(area, own);
        add_area(area, rims[style], style != SELECTED ? erased_wall : area->color.is_given ? own : wall);
    }
    if (item.kind == PD_ITEM_EMITTER && item.index < view->emitter_count)
        add_existing_emitter(screen, item.index, rims[style]);
    if (item.kind == PD_ITEM_DRAIN && item.index < view->drain_count)
        add_outline(&view->drains[item.index].area, rims[style]);
}

/* ---- Tools ---- */

/* Adds the circle of a tool that pours or paints, in the colour of the material. */
static void add_pour(const pd_screen *screen) {
    const pd_pointer *pointer = screen->pointer;
    float rgb[3];
    bool dye = paints(screen);
    int material = dye ? pd_session_painted_material(screen->session) : pd_session_poured_material(screen->session);
    pd_viewport_compute_material_colour(screen->viewport, material, rgb);
    add_ring(pointer->position, pd_pointer_tool_radius(pointer), rgb);
    pd_area disc = {.shape = PD_SHAPE_CIRCLE, .center = pointer->position, .radius = pd_pointer_tool_radius(pointer)};
    if (!dye) add_area(&disc, NULL, rgb);
}

static pd_item item_at(const pd_screen *screen, pd_vec2 at) {
    return pd_session_find_item(screen->session, at, GRIP / units_per_metre(screen));
}

static void add_erase(const pd_screen *screen) {
    int choice = screen->session->choice[PD_BAR_ERASE];
    pd_vec2 at = screen->pointer->position;
    float radius = pd_pointer_tool_radius(screen->pointer);
    if (choice != PD_CHOICE_FLUID) add_emitters(screen);
    /* Adds the joint or else the item that a press would erase, and all joints. */
    if (choice != PD_CHOICE_FLUID) {
        const pd_session *session = screen->session;
        int erased = pd_session_find_joint(session, at, GRIP / units_per_metre(screen)), shown = 0;
        if (erased < 0) add_item(screen, item_at(screen, at), ERASED);
        add_joints(screen);
        for (int i = 0; i < erased; i++) shown += !pd_world_is_joint_broken(session->world, i);
        if (erased >= 0) add_joint(screen, &screen->viewport->view.joints[shown], THEME_ERASER);
    }
    add_cross(screen, at, choice == PD_CHOICE_OBJECTS ? CROSS : 0.7071f * radius * units_per_metre(screen));
    if (choice != PD_CHOICE_OBJECTS) add_ring(at, radius, THEME_LIGHT);
}

/* Adds the item below the pointer, or the dragged item with the velocity of a throw. */
static void add_move(const pd_screen *screen) {
    const pd_pointer *pointer = screen->pointer;
    pd_item held = screen->session->grab.item;
    pd_vec2 at = pointer->position, way = {THROW * pointer->velocity.x, THROW * pointer->velocity.y};
    pd_item item = held.kind != PD_ITEM_NONE ? held : item_at(screen, at);
    add_body(screen, pd_session_selected_body(screen->session), SELECTED);
    add_item(screen, item, SELECTED);
    bool throws = held.kind == PD_ITEM_OBSTACLE && pointer->shift;
    if (throws && hypotf(way.x, way.y) > SLOW_THROW * pointer->unit)
        add_arrow(screen, at, (pd_vec2){at.x + way.x, at.y + way.y}, THEME_ACCENT);
    if (item.kind == PD_ITEM_NONE) add_ring(at, 5 / units_per_metre(screen), THEME_LIGHT);
}

/* Adds the polygon that the release would make, and the line drawn so far. The polygon is computed in each frame, in 0.1 to
 * 0.4 ms for up to 1,024 points, and 1.1 ms for PD_MAX_POINTS. */
static void add_outlined_polygon(const pd_screen *screen, const pd_draft *draft, const float inside[3]) {
    static pd_vec2 points[PD_MAX_POINTS];
    static int triangles[PD_MAX_POINTS][3];
    pd_area area;
    if (pd_draft_make_area(draft, &area, points)) {
        pd_polygon_triangulate(points, area.point_count, triangles);
        area.triangles = (const int(*)[3])triangles;
        add_area(&area, THEME_ACCENT, inside);
    }
    if (draft->count == 1) add_cross(screen, draft->to, CROSS);
    for (int i = 0; i + 1 < draft->count; i++)
        add_line(draft->points[i], draft->points[i + 1], 1.5f, 0, THEME_LIGHT, OPAQUE);
}

/* Adds the item of a draft. A wall's stroke is not yet smoothed and simplified, which moves it by less than its thickness. */
static void add_drafted_item(const pd_screen *screen, pd_draft *draft) {
    static pd_vec2 straight[2];
    const pd_viewport *viewport = screen->viewport;
    pd_area area = {0};
    pd_emitter emitter;
    pd_drain drain;
    float rgb[3];
    if (draft->tool == PD_BAR_WALL) {
        straight[0] = draft->points[0];
        straight[1] = draft->to;
        area = (pd_area){.shape = PD_SHAPE_POLYLINE,
                         .points = draft->straight ? straight : draft->points,
                         .point_count = draft->straight ? 2 : draft->count,
                         .thickness = pd_draft_wall_thickness(draft->size)};
        add_area(&area, THEME_ACCENT, wall);
    }
    if (draft->tool == PD_BAR_SHAPE || draft->tool == PD_BAR_BODY) {
        pd_lines_get_body_colour(&area, rgb);
        const float *inside = draft->tool == PD_BAR_BODY ? rgb : wall;
        if (draft->shape == PD_CHOICE_POLYGON)
            add_outlined_polygon(screen, draft, inside);
        else if (pd_draft_make_area(draft, &area, NULL))
            add_area(&area, THEME_ACCENT, inside);
        else
            add_cross(screen, draft->to, CROSS);
    }
    if (draft->tool == PD_BAR_DRAIN && pd_draft_make_drain(draft, &drain)) add_outline(&drain.area, THEME_ACCENT);
    if (draft->tool == PD_BAR_EMITTER) {
        pd_draft_make_emitter(draft, &emitter);
        pd_viewport_compute_material_colour(viewport, pd_session_poured_material(screen->session), rgb);
        add_emitter(screen, &emitter,
                    pd_draft_emitter_arrow_length(emitter.speed, viewport->view.speed_scale, draft->unit), rgb);
    }
}

/* Adds the outline of the body that the panel shows, or that a press would drag. Returns whether a press would drag a body. */
static bool add_bodies(const pd_screen *screen) {
    add_body(screen, pd_session_selected_body(screen->session), SELECTED);
    if (screen->pointer->press != PD_PRESS_NONE) return screen->pointer->held_tool == PD_TOOL_MOVE;
    int body = pd_world_body_at(screen->session->world, screen->pointer->position, GRIP / units_per_metre(screen));
    add_body(screen, body, SELECTED);
    return body >= 0;
}

/* Adds the joint that a drag or a click would make: the bodies at its ends, its pin, and a line to the pointer. */
static void add_drafted_joint(const pd_screen *screen) {
    const pd_session *session = screen->session;
    const pd_pointer *pointer = screen->pointer;
    bool drags = pointer->press == PD_PRESS_DRAWS;
    pd_joint_end end = pd_session_find_joint_end(session, pointer->position, GRIP / units_per_metre(screen));
    pd_joint_end begin = drags ? session->joint_begin : end;
    add_body(screen, begin.body, SELECTED);
    add_body(screen, end.body, SELECTED);
    add_joints(screen);
    int choice = drags ? session->draft.shape : session->choice[PD_BAR_JOINT];
    pd_view_joint joint = {.type = choice == PD_CHOICE_WELD ? PD_JOINT_WELD : PD_JOINT_HINGE};
    joint.at = joint.to = pd_session_joint_end_place(session, &begin);
    if (!drags && end.body >= 0) add_body(screen, pd_session_find_other_body(session, joint.at, end.body), SELECTED);
    if (drags) add_line(joint.at, pd_session_joint_end_place(session, &end), 1.6f, 0, THEME_ACCENT, 0.9f);
    if (drags || end.body >= 0)
        add_joint(screen, &joint, THEME_ACCENT);
    else
        add_cross(screen, pointer->position, CROSS);
}

static void add_draft(const pd_screen *screen) {
    const pd_session *session = screen->session;
    const pd_pointer *pointer = screen->pointer;
    static pd_draft draft;
    if (session->tool == PD_BAR_BODY && add_bodies(screen)) return;
    if (pointer->press == PD_PRESS_DRAWS) {
        draft = session->draft;
    } else {
        pd_vec2 inside = pd_session_clamp_to_container(session, pointer->position);
        float off = hypotf(inside.x - pointer->position.x, inside.y - pointer->position.y);
        if (off > 1e-4f * pointer->unit) return; /* outside of the container a press has no effect */
        pd_session_init_draft(session, &draft, pointer->position, pd_pointer_tool_radius(pointer), pointer->unit);
    }
    add_drafted_item(screen, &draft);
}

static void (*const adders[])(const pd_screen *screen) = {
    [PD_GHOST_NONE] = add_pour, [PD_GHOST_POUR] = add_pour,   [PD_GHOST_ERASE] = add_erase,
    [PD_GHOST_MOVE] = add_move, [PD_GHOST_DRAFT] = add_draft, [PD_GHOST_JOINT] = add_drafted_joint,
};

/* Both worlds receive the same input, so the marks are those of every pane. */
void pd_ghost_describe(const pd_screen *screen, pd_picture *picture) {
    const pd_pointer *pointer = screen->pointer;
    pd_ghost kind = present_ghost(screen);
    bool over = pointer->in_window && !pointer->owned_by_layer && !screen->at_pointer;
    bool shown = over || pd_pointer_has_press(pointer), plain = kind == PD_GHOST_NONE && !paints(screen);
    picture->show_tool = shown && plain;
    picture->tool = pointer->position;
    picture->tool_radius = pd_pointer_tool_radius(pointer);
    mark_count = 0;
    if (shown && !plain && kind != PD_GHOST_NONE && pd_bar_tool_row(screen->session->tool)->shows_emitters)
        add_emitters(screen);
    if (shown && !plain) adders[kind](screen);
    picture->marks = marks;
    picture->mark_count = mark_count;
}

/* Draws the speed of an emitter that a drag draws, beside its arrow in each pane. */
static void draw(pd_screen *screen) {
    pd_draft *draft = &screen->session->draft;
    pd_emitter emitter;
    char number[32], text[48];
    float width, height, scale = screen->display->scale;
    if (screen->pointer->press != PD_PRESS_DRAWS || draft->tool != PD_BAR_EMITTER || pd_draft_is_click(draft)) return;
    pd_draft_make_emitter(draft, &emitter);
    snprintf(text, sizeof text, "%s m/s", pd_app_format_number((double)emitter.speed, number, sizeof number));
    ui_measure_text(screen->gui, UI_SMALL, text, 0, &width, &height);
    ui_set_layer(screen->gui, UI_BELOW);
    for (int pane = 0; pane < screen->layout.panes; pane++) {
        pd_vec2 tip = pd_camera_world_to_pixels(&screen->layout.pane[pane].camera, draft->to);
        float x = tip.x / scale + 12, y = tip.y / scale - height - 14;
        ui_draw_plate(screen->gui, x, y, width + 16, height + 8, 1.1f);
        ui_draw_text(screen->gui, x + 8, y + 4, UI_SMALL, UI_STRONG, 1, 0, text);
    }
}

const pd_layer pd_ghost_layer = {.draw = draw};
