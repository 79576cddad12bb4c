/* What the chosen tool would do where the pointer is, as far as the thin circle around the pointer does not show it. */
#include "app/overlay/interface.h"
#include "app/session/materials.h"
#include "scene/polygon.h"

#include <math.h>
#include <stdio.h>

static const float GRIP = 3;          /* units: beside a thin wall a press still takes hold of it */
static const float RIM = 1.25f;       /* units: of walls, as they are drawn */
static const float LONGEST = 0.6f;    /* units of the pointer: the arrow of an emitter that is there */
static const float THROW = 0.15f;     /* s: the arrow of a throw is the way in this time */
static const float SLOW_THROW = 0.1f; /* units of the pointer: a shorter one is not drawn */
static const float DARK = 0.2f;       /* luma: as dark as the ground */
static const float dark[3] = {0.02f, 0.03f, 0.06f}, light[3] = {0.93f, 0.95f, 1.00f};
static const float accent[3] = {0.56f, 0.70f, 1.00f}, pink[3] = {0.95f, 0.52f, 0.58f};
static const float wall[3] = {0.22f, 0.27f, 0.40f}, doomed[3] = {0.42f, 0.22f, 0.27f};

/* From metres to interface units. */
typedef struct canvas {
    ui *gui;
    pd_camera camera;
    float scale;
    float unit; /* interface units in a metre */
} canvas;

static canvas canvas_of(pd_camera camera, ui *gui, const pd_display *display) {
    canvas c = {.gui = gui, .camera = camera, .scale = display->scale};
    c.unit = c.camera.pixels_per_metre / c.scale;
    return c;
}

static pd_vec2 placed(const canvas *c, pd_vec2 point) {
    pd_vec2 pixel = pd_camera_to_pixels(&c->camera, point);
    return (pd_vec2){pixel.x / c->scale, pixel.y / c->scale};
}

float pd_ghost_grip(const pd_viewport *viewport, const pd_display *display) {
    return GRIP / canvas_of(pd_panel_camera(viewport, display), NULL, display).unit;
}

/* What a press would be, or the press that there is. */
static pd_tool_kind kind_of(const pd_session *session, const pd_pointer *pointer) {
    return pd_pointer_is_busy(pointer) ? pointer->held : pd_session_tool_kind(session);
}

bool pd_ghost_is_shown(const pd_session *session, const pd_pointer *pointer) {
    pd_tool_kind kind = kind_of(session, pointer);
    if (kind == PD_TOOL_MOVE) return session->tool == PD_BAR_MOVE || session->tool == PD_BAR_ERASE;
    return kind == PD_TOOL_POUR || kind == PD_TOOL_ERASE || kind == PD_TOOL_NONE;
}

/* ---- Areas ---- */

static pd_vec2 corner_of(const pd_area *area, float x, float y) {
    float turned = area->angle * 0.0174532925f, c = cosf(turned), s = sinf(turned);
    return (pd_vec2){area->center.x + c * x - s * y, area->center.y + s * x + c * y};
}

static void line(const canvas *c, pd_vec2 from, pd_vec2 to, float thickness, const float rgb[3], float opacity) {
    pd_vec2 a = placed(c, from), b = placed(c, to);
    ui_line(c->gui, a.x, a.y, b.x, b.y, thickness, rgb, opacity);
}

/* A line about the outline; smaller by an inset also the inside, with a line over its hard edges. */
static void fill_polygon(const canvas *c, const pd_area *area, float inset, const float rgb[3]) {
    for (int i = 0; inset > 0 && area->triangles && i + 2 < area->point_count; i++) {
        float corners[3][2];
        for (int k = 0; k < 3; k++) {
            pd_vec2 p = area->points[area->triangles[i][k]], corner = placed(c, corner_of(area, p.x, p.y));
            corners[k][0] = corner.x;
            corners[k][1] = corner.y;
        }
        ui_triangle(c->gui, corners, rgb);
    }
    for (int i = 0; i < area->point_count; i++) {
        pd_vec2 a = area->points[i], b = area->points[(i + 1) % area->point_count];
        line(c, corner_of(area, a.x, a.y), corner_of(area, b.x, b.y), inset > 0 ? 1 : 2 * RIM, rgb, 1);
    }
}

/* Smaller by an inset, in interface units. */
static void fill_area(const canvas *c, const pd_area *area, float inset, const float rgb[3]) {
    pd_vec2 center = placed(c, area->center);
    if (area->shape == PD_SHAPE_CIRCLE)
        ui_disc(c->gui, center.x, center.y, fmaxf(area->radius * c->unit - inset, 0.5f), rgb, 1);
    if (area->shape == PD_SHAPE_BOX) {
        float x = fmaxf(0.5f * area->size.x - inset / c->unit, 0), y = fmaxf(0.5f * area->size.y - inset / c->unit, 0);
        const float signs[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
        float corners[4][2];
        for (int k = 0; k < 4; k++) {
            pd_vec2 corner = placed(c, corner_of(area, signs[k][0] * x, signs[k][1] * y));
            corners[k][0] = corner.x;
            corners[k][1] = corner.y;
        }
        ui_polygon(c->gui, corners, 4, rgb, 1);
    }
    if (area->shape == PD_SHAPE_POLYGON) fill_polygon(c, area, inset, rgb);
    for (int i = 0; area->shape == PD_SHAPE_POLYLINE && i + 1 < area->point_count; i++)
        line(c, corner_of(area, area->points[i].x, area->points[i].y),
             corner_of(area, area->points[i + 1].x, area->points[i + 1].y),
             fmaxf(area->thickness * c->unit - 2 * inset, 1), rgb, 1);
}

static void draw_area(const canvas *c, const pd_area *area, const float rim[3], const float inside[3]) {
    fill_area(c, area, 0, rim);
    fill_area(c, area, RIM, inside);
}

/* Beside a colour: visible on fluid of that colour, and where that is as dark as the ground. */
static const float *beside(const float rgb[3]) {
    return 0.3f * rgb[0] + 0.59f * rgb[1] + 0.11f * rgb[2] < DARK ? light : dark;
}

static void draw_ring(const canvas *c, pd_vec2 center, float radius, const float rgb[3]) {
    pd_vec2 at = placed(c, center);
    ui_ring(c->gui, at.x, at.y, radius * c->unit, 4, beside(rgb), 0.45f);
    ui_ring(c->gui, at.x, at.y, radius * c->unit, 2, rgb, 0.95f);
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
            line(c, corner_of(area, a[0] * x, a[1] * y), corner_of(area, b[0] * x, b[1] * y), layer ? 2 : 4,
                 layer ? rgb : dark, layer ? 0.95f : 0.45f);
        }
}

static void draw_arrow(const canvas *c, pd_vec2 from, pd_vec2 to, const float rgb[3]) {
    pd_vec2 a = placed(c, from), b = placed(c, to);
    float x = b.x - a.x, y = b.y - a.y, length = hypotf(x, y), head = fminf(7, 0.5f * length);
    if (length < 1) return;
    x *= head / length;
    y *= head / length;
    for (int layer = 0; layer < 2; layer++) {
        float thickness = layer ? 2 : 4.5f, opacity = layer ? 0.95f : 0.5f;
        const float *colour = layer ? rgb : beside(rgb);
        ui_line(c->gui, a.x, a.y, b.x, b.y, thickness, colour, opacity);
        for (int side = -1; side <= 1; side += 2)
            ui_line(c->gui, b.x, b.y, b.x - x - 0.6f * (float)side * y, b.y - y + 0.6f * (float)side * x, thickness,
                    colour, opacity);
    }
}

/* Its mouth, and an arrow as long as its speed says. */
static void draw_emitter(const canvas *c, const pd_emitter *e, float arrow, const float rgb[3]) {
    float length = hypotf(e->direction.x, e->direction.y), x = e->direction.x / length, y = e->direction.y / length;
    pd_vec2 left = {e->position.x - 0.5f * e->width * y, e->position.y + 0.5f * e->width * x};
    pd_vec2 right = {e->position.x + 0.5f * e->width * y, e->position.y - 0.5f * e->width * x};
    line(c, left, right, 6, dark, 0.5f);
    line(c, left, right, 3, light, 1);
    draw_arrow(c, e->position, (pd_vec2){e->position.x + arrow * x, e->position.y + arrow * y}, rgb);
}

/* ---- What is there ---- */

static float arrow_of(const pd_viewport *viewport, const pd_pointer *pointer, const pd_emitter *e) {
    float arrow = pd_draft_arrow(e->speed, viewport->view.speed_scale, pointer->unit);
    return fminf(arrow, LONGEST * pointer->unit);
}

/* Emitters are not in the picture: they are shown to the tools that are about them. */
static void draw_emitters(const pd_viewport *viewport, const pd_session *session, const canvas *c,
                          const pd_pointer *pointer) {
    const pd_scene *scene = pd_world_scene(session->world);
    for (int i = 0; i < scene->emitter_count; i++) {
        const pd_emitter *e = &scene->emitters[i];
        float rgb[3];
        pd_viewport_material_colour(viewport, e->material, rgb);
        draw_emitter(c, e, arrow_of(viewport, pointer, e), rgb);
    }
}

static void draw_item(const pd_viewport *viewport, const pd_session *session, const canvas *c,
                      const pd_pointer *pointer, pd_item item, bool erases) {
    const pd_scene *scene = pd_world_scene(session->world);
    const float *rgb = erases ? pink : accent;
    if (item.list == PD_ITEM_OBSTACLE && item.index < viewport->view.obstacle_count)
        draw_area(c, &viewport->view.obstacles[item.index], rgb, erases ? doomed : wall);
    if (item.list == PD_ITEM_EMITTER && item.index < scene->emitter_count)
        draw_emitter(c, &scene->emitters[item.index], arrow_of(viewport, pointer, &scene->emitters[item.index]), rgb);
    if (item.list == PD_ITEM_DRAIN && item.index < scene->drain_count)
        draw_drain(c, &scene->drains[item.index].area, rgb);
}

/* ---- Tools ---- */

static void draw_cross(const canvas *c, pd_vec2 at, float arm) {
    pd_vec2 p = placed(c, at);
    for (int layer = 0; layer < 2; layer++)
        for (int side = -1; side <= 1; side += 2)
            ui_line(c->gui, p.x - arm, p.y - (float)side * arm, p.x + arm, p.y + (float)side * arm, layer ? 1.5f : 3.5f,
                    layer ? light : dark, layer ? 0.7f : 0.35f);
}

static void draw_pour(const pd_viewport *viewport, const pd_session *session, const canvas *c,
                      const pd_pointer *pointer) {
    float rgb[3], radius = pd_pointer_radius(pointer);
    pd_vec2 at = placed(c, pointer->position);
    pd_viewport_material_colour(viewport, pd_session_poured(session), rgb);
    ui_disc(c->gui, at.x, at.y, radius * c->unit, rgb, 0.30f);
    draw_ring(c, pointer->position, radius, rgb);
}

static void draw_erase(const pd_viewport *viewport, const pd_session *session, const canvas *c,
                       const pd_pointer *pointer) {
    int choice = session->tool == PD_BAR_ERASE ? session->choice[PD_BAR_ERASE] : PD_CHOICE_FLUID;
    float radius = pd_pointer_radius(pointer);
    if (choice != PD_CHOICE_FLUID)
        draw_item(viewport, session, c, pointer, pd_session_item_at(session, pointer->position, GRIP / c->unit), true);
    if (choice == PD_CHOICE_WALLS) {
        draw_cross(c, pointer->position, 6);
        return;
    }
    draw_cross(c, pointer->position, 0.7071f * radius * c->unit);
    draw_ring(c, pointer->position, radius, light);
}

/* What a press would take hold of, or has; and where it would be thrown. */
static void draw_move(const pd_viewport *viewport, const pd_session *session, const canvas *c,
                      const pd_pointer *pointer) {
    pd_vec2 at = pointer->position, way = {THROW * pointer->velocity.x, THROW * pointer->velocity.y};
    bool holds = session->grab.item.list != PD_ITEM_NONE;
    pd_item item = holds ? session->grab.item : pd_session_item_at(session, at, GRIP / c->unit);
    draw_item(viewport, session, c, pointer, item, false);
    bool throws = holds && item.list == PD_ITEM_OBSTACLE && pointer->shift;
    if (throws && hypotf(way.x, way.y) > SLOW_THROW * pointer->unit)
        draw_arrow(c, at, (pd_vec2){at.x + way.x, at.y + way.y}, accent);
    if (item.list != PD_ITEM_NONE) return;
    pd_vec2 p = placed(c, at);
    ui_ring(c->gui, p.x, p.y, 5, 3.5f, dark, 0.45f);
    ui_ring(c->gui, p.x, p.y, 5, 1.5f, light, 0.8f);
}

static void draw_speed(const canvas *c, const pd_emitter *emitter, pd_vec2 tip) {
    char number[32], text[48];
    pd_vec2 at = placed(c, tip);
    snprintf(text, sizeof text, "%s m/s", pd_app_number((double)emitter->speed, number, sizeof number));
    float width, height;
    ui_measure(c->gui, UI_SMALL, text, 0, &width, &height);
    ui_plate(c->gui, at.x + 12, at.y - height - 14, width + 16, height + 8, 1.1f);
    ui_text(c->gui, at.x + 20, at.y - height - 10, UI_SMALL, UI_STRONG, 1, 0, text);
}

/* The stroke as it was drawn: smoothed and simplified, it lies within a fraction of its thickness. */
static void draw_stroke(const canvas *c, const pd_draft *draft) {
    float thickness = pd_draft_thickness(draft->size) * c->unit;
    int last = draft->straight ? 1 : draft->count - 1;
    for (int layer = 0; layer < 2; layer++)
        for (int i = 0; i < last || i == 0; i++) {
            pd_vec2 a = draft->points[i], b = draft->straight ? draft->to : draft->points[i < last ? i + 1 : i];
            line(c, a, b, fmaxf(layer ? thickness - 2 * RIM : thickness, 1), layer ? wall : accent, 1);
        }
}

/* The polygon that letting go would make, and the line as it was drawn. Made anew in each frame: 0.1 to 0.4 ms for up to 1,024
 * points, 1.1 ms for the most. */
static void draw_outline(const canvas *c, const pd_draft *draft) {
    static pd_vec2 points[PD_MAX_POINTS];
    static int triangles[PD_MAX_POINTS][3];
    pd_obstacle obstacle;
    if (pd_draft_obstacle(draft, &obstacle, points)) {
        if (pd_polygon_triangulate(points, obstacle.area.point_count, triangles))
            obstacle.area.triangles = (const int(*)[3])triangles;
        draw_area(c, &obstacle.area, accent, wall);
    }
    if (draft->count == 1) draw_cross(c, draft->to, 6);
    for (int i = 0; i + 1 < draft->count; i++) line(c, draft->points[i], draft->points[i + 1], 1.5f, light, 1);
}

/* The draft, or what a click would draw. */
static void draw_draft(const pd_viewport *viewport, const pd_session *session, const canvas *c, pd_draft *draft) {
    pd_obstacle obstacle;
    pd_emitter emitter;
    pd_drain drain;
    float rgb[3];
    if (draft->tool == PD_BAR_WALL) draw_stroke(c, draft);
    if (draft->tool == PD_BAR_SHAPE && draft->shape == PD_CHOICE_POLYGON) {
        draw_outline(c, draft);
    } else if (draft->tool == PD_BAR_SHAPE) {
        if (pd_draft_obstacle(draft, &obstacle, NULL))
            draw_area(c, &obstacle.area, accent, wall);
        else
            draw_cross(c, draft->to, 6);
    }
    if (draft->tool == PD_BAR_DRAIN && pd_draft_drain(draft, &drain)) draw_drain(c, &drain.area, accent);
    if (draft->tool != PD_BAR_EMITTER) return;
    pd_draft_emitter(draft, &emitter);
    pd_viewport_material_colour(viewport, pd_session_poured(session), rgb);
    float arrow = pd_draft_arrow(emitter.speed, viewport->view.speed_scale, draft->unit);
    draw_emitter(c, &emitter, arrow, rgb);
    if (!pd_draft_is_click(draft)) draw_speed(c, &emitter, draft->to);
}

static void draw_draft_or_click(const pd_viewport *viewport, const pd_session *session, const canvas *c,
                                const pd_pointer *pointer) {
    static pd_draft click;
    if (pointer->draws) {
        click = session->draft;
    } else {
        pd_vec2 inside = pd_session_clamp(session, pointer->position);
        float off = hypotf(inside.x - pointer->position.x, inside.y - pointer->position.y);
        if (off > 1e-4f * pointer->unit) return; /* nothing would happen */
        pd_session_init_draft(session, &click, pointer->position, pd_pointer_radius(pointer), pointer->unit);
    }
    draw_draft(viewport, session, c, &click);
}

static void draw(const pd_viewport *viewport, const pd_session *session, const canvas *c, const pd_pointer *pointer) {
    pd_tool_kind kind = kind_of(session, pointer);
    bool erases = session->tool == PD_BAR_ERASE && session->choice[PD_BAR_ERASE] != PD_CHOICE_FLUID;
    ui_set_layer(c->gui, UI_BELOW);
    if (kind == PD_TOOL_POUR) {
        draw_pour(viewport, session, c, pointer);
        return;
    }
    if (erases || session->tool == PD_BAR_MOVE || session->tool == PD_BAR_EMITTER || session->tool == PD_BAR_DRAIN)
        draw_emitters(viewport, session, c, pointer);
    if (kind == PD_TOOL_ERASE || (kind == PD_TOOL_MOVE && erases))
        draw_erase(viewport, session, c, pointer);
    else if (kind == PD_TOOL_MOVE)
        draw_move(viewport, session, c, pointer);
    else
        draw_draft_or_click(viewport, session, c, pointer);
}

/* In both of two panes, which have the same input. */
void pd_ghost_draw(const pd_viewport *viewport, const pd_session *session, ui *gui, const pd_pointer *pointer,
                   const pd_display *display) {
    if (!pointer->inside || viewport->help || viewport->new_scene.open || !pd_ghost_is_shown(session, pointer)) return;
    for (int pane = 0; pane < pd_panes_count(viewport); pane++) {
        canvas c = canvas_of(pd_panes_camera(viewport, display, pane), gui, display);
        draw(viewport, session, &c, pointer);
    }
}
