#include "app/session/editor.h"

#include "app/session/draft.h"
#include "core/error.h"
#include "core/text.h"
#include "scene/content/outline.h"
#include "scene/file/scene_files.h"
#include "scene/geometry.h"
#include "scene/items.h"
#include "scene/polygon.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- Geometry of a drag ---- */

static const float POINT_DISTANCE = 0.1f;  /* distance between two drawn points / thickness of the wall */
static const float SMOOTH_SPACING = 0.25f; /* spacing of the smoothed points / thickness of the wall */
static const float TOLERANCE = 0.12f;      /* tolerance of pd_polyline_simplify / thickness of the wall */
static const float CLICK_LENGTH = 0.015f;  /* length below which a drag counts as a click / pd_draft.unit */
static const float MIN_SIZE = 0.01f;       /* size of the smallest shape / pd_draft.unit */
static const float ARROW_SPEED = 3; /* speed / pd_draft.speed_scale of an emitter whose arrow is pd_draft.unit long */
static const float CLICK_ARROW = 0.2f; /* length of the arrow of an emitter made by a click / pd_draft.unit */

static float distance(pd_vec2 from, pd_vec2 to) { return hypotf(to.x - from.x, to.y - from.y); }

static pd_vec2 point_between(pd_vec2 from, pd_vec2 to, float fraction) {
    return (pd_vec2){from.x + fraction * (to.x - from.x), from.y + fraction * (to.y - from.y)};
}

/* Rounds a coordinate as round_point. */
static float round_coordinate(float value, float scale) {
    double steps = pow(10, 4 - floor(log10((double)scale)));
    return (float)(round((double)value * steps) / steps);
}

/* Rounds the coordinates of a point to multiples of the greatest power of ten up to scale / 10000, so that scene files
 * have short numbers. scale: size of the scene in the unit of the coordinates. */
static pd_vec2 round_point(pd_vec2 point, float scale) {
    return (pd_vec2){round_coordinate(point.x, scale), round_coordinate(point.y, scale)};
}

static void round_area(pd_area *area, float unit) {
    area->center = round_point(area->center, unit);
    area->size = round_point(area->size, unit);
    area->radius = round_coordinate(area->radius, unit);
    area->thickness = round_coordinate(area->thickness, unit);
    for (int i = 0; i < area->point_count; i++) area->points[i] = round_point(area->points[i], unit);
}

float pd_draft_wall_thickness(float tool_radius) { return PD_WALL_THICKNESS * tool_radius; }

float pd_draft_emitter_arrow_length(float speed, float speed_scale, float unit) {
    return unit * speed / (ARROW_SPEED * speed_scale);
}

static bool has_shape(const pd_draft *draft) { return draft->tool == PD_BAR_SHAPE || draft->tool == PD_BAR_BODY; }

static bool is_freehand(const pd_draft *draft) {
    return draft->tool == PD_BAR_WALL || (has_shape(draft) && draft->shape == PD_CHOICE_POLYGON);
}

static float drag_length(const pd_draft *draft) { return distance(draft->from, draft->to); }

void pd_draft_begin(pd_draft *draft, pd_vec2 begin) {
    draft->active = true;
    draft->straight = false;
    draft->angle = 0;
    draft->from = draft->to = draft->points[0] = begin;
    draft->count = 1;
}

void pd_draft_move(pd_draft *draft, pd_vec2 end, bool straight) {
    /* Pressing or releasing Shift adds a corner to a polygon. While Shift is down, only the polygon's last point moves. */
    bool polygon = has_shape(draft), corner = polygon && straight != draft->straight;
    draft->straight = straight;
    draft->to = end;
    if (!is_freehand(draft)) return;
    const pd_vec2 *before = &draft->points[draft->count > 1 ? draft->count - 2 : 0];
    bool near = distance(end, *before) < POINT_DISTANCE * pd_draft_wall_thickness(draft->size);
    bool next = draft->count == 1 || corner || (!near && !(polygon && straight));
    if (next && draft->count < PD_MAX_POINTS) draft->count++;
    if (draft->count > 1) draft->points[draft->count - 1] = end;
}

bool pd_draft_is_full(const pd_draft *draft) {
    return draft->tool == PD_BAR_WALL && !draft->straight && draft->count == PD_MAX_POINTS;
}

/* Returns the length of the polyline through `points`, m. */
static float compute_stroke_length(const pd_vec2 *points, int count) {
    float length = 0;
    for (int i = 1; i < count; i++) length += distance(points[i - 1], points[i]);
    return length;
}

bool pd_draft_is_click(const pd_draft *draft) {
    bool loop = draft->tool == PD_BAR_WALL && !draft->straight &&
                compute_stroke_length(draft->points, draft->count) > CLICK_LENGTH * draft->unit;
    return !loop && drag_length(draft) < CLICK_LENGTH * draft->unit;
}

/* Shifts points so that the middle of their bounding box is the origin. Returns the middle before the shift. */
static pd_vec2 center_points(pd_vec2 *points, int count) {
    pd_vec2 low = points[0], high = low;
    for (int i = 1; i < count; i++) {
        low = (pd_vec2){fminf(low.x, points[i].x), fminf(low.y, points[i].y)};
        high = (pd_vec2){fmaxf(high.x, points[i].x), fmaxf(high.y, points[i].y)};
    }
    pd_vec2 middle = {0.5f * (low.x + high.x), 0.5f * (low.y + high.y)};
    for (int i = 0; i < count; i++) {
        points[i].x -= middle.x;
        points[i].y -= middle.y;
    }
    return middle;
}

static void make_wall(const pd_draft *draft, pd_area *area, pd_vec2 *points) {
    float thickness = pd_draft_wall_thickness(draft->size);
    if (pd_draft_is_click(draft)) {
        *area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = draft->to, .radius = 0.5f * thickness};
        return;
    }
    *area = (pd_area){.shape = PD_SHAPE_POLYLINE, .thickness = thickness, .points = points, .point_count = 2};
    points[0] = draft->from;
    points[1] = draft->to;
    if (!draft->straight) {
        int count = pd_stroke_smooth(draft->points, draft->count, SMOOTH_SPACING * thickness, points, PD_MAX_POINTS);
        area->point_count = pd_polyline_simplify(points, count, TOLERANCE * thickness);
    }
    area->center = center_points(points, area->point_count);
}

/* Makes a polygon from the drawn points. Rounding may make close sides cross, and removing a crossing adds an unrounded point.
 * Hence rounding and removing are repeated. False: the polygon is too small. */
static bool make_polygon(const pd_draft *draft, pd_area *area, pd_vec2 *points) {
    pd_vec2 closed[PD_MAX_POINTS + 1];
    float thickness = pd_draft_wall_thickness(draft->size), least = MIN_SIZE * draft->unit;
    memcpy(closed, draft->points, (size_t)draft->count * sizeof *closed);
    closed[draft->count] = closed[0];
    int before, count = pd_stroke_smooth(closed, draft->count + 1, SMOOTH_SPACING * thickness, points, PD_MAX_POINTS);
    count = pd_polyline_simplify(points, count, TOLERANCE * thickness);
    count = pd_stroke_remove_loops(points, count - 1);
    *area = (pd_area){.shape = PD_SHAPE_POLYGON, .points = points, .point_count = count};
    if (count == 0) return false;
    area->center = center_points(points, count);
    do {
        before = area->point_count;
        round_area(area, draft->unit);
        area->point_count = pd_stroke_remove_loops(points, before);
    } while (area->point_count > 0 && area->point_count < before);
    return fabs(pd_polygon_area(points, area->point_count)) >= (double)(least * least);
}

bool pd_draft_make_area(const pd_draft *draft, pd_area *area, pd_vec2 *points) {
    float least = MIN_SIZE * draft->unit;
    if (draft->tool == PD_BAR_WALL) {
        make_wall(draft, area, points);
        round_area(area, draft->unit);
        return true;
    }
    if (draft->shape == PD_CHOICE_POLYGON) return make_polygon(draft, area, points);
    if (draft->shape == PD_CHOICE_BOX) {
        /* Makes a box that is turned by draft->angle and has opposite corners at draft->from and draft->to. */
        float turned = draft->angle * 0.0174532925f, c = cosf(turned), s = sinf(turned);
        float x = draft->to.x - draft->from.x, y = draft->to.y - draft->from.y;
        *area = (pd_area){.shape = PD_SHAPE_BOX,
                          .center = {draft->from.x + 0.5f * x, draft->from.y + 0.5f * y},
                          .size = {fabsf(c * x + s * y), fabsf(c * y - s * x)},
                          .angle = draft->angle};
    } else
        *area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = draft->from, .radius = drag_length(draft)};
    round_area(area, draft->unit);
    return draft->shape == PD_CHOICE_BOX ? fminf(area->size.x, area->size.y) >= least : area->radius >= least;
}

bool pd_draft_make_drain(const pd_draft *draft, pd_drain *drain) {
    float radius = pd_draft_is_click(draft) ? draft->size : drag_length(draft);
    *drain = (pd_drain){.area = {.shape = PD_SHAPE_CIRCLE, .center = draft->from, .radius = radius}};
    round_area(&drain->area, draft->unit);
    return radius >= MIN_SIZE * draft->unit;
}

void pd_draft_make_emitter(const pd_draft *draft, pd_emitter *emitter) {
    float length = drag_length(draft);
    pd_vec2 along = {draft->to.x - draft->from.x, draft->to.y - draft->from.y};
    if (pd_draft_is_click(draft)) {
        along = draft->down;
        length = CLICK_ARROW * draft->unit;
    }
    float scale = 1 / hypotf(along.x, along.y);
    *emitter = (pd_emitter){
        .position = round_point(draft->from, draft->unit),
        .direction = round_point((pd_vec2){scale * along.x, scale * along.y}, 1),
        .speed = round_coordinate(ARROW_SPEED * draft->speed_scale * length / draft->unit, draft->speed_scale),
        .width = round_coordinate(draft->size, draft->unit),
        .until = INFINITY};
}

/* ---- Strokes ---- */

enum { SMOOTHING_PASSES = 3 }; /* each pass smooths with the variance spacing^2 / 2 */

/* Writes last_index + 1 points at equal distances along a polyline. length: of the polyline, m. */
static void resample_stroke(const pd_vec2 *points, int count, float length, pd_vec2 *resampled, int last_index) {
    int segment = 0;
    float passed = 0, own = distance(points[0], points[1]);
    for (int i = 0; i < last_index; i++) {
        float at = length * (float)i / (float)last_index;
        while (passed + own < at && segment + 2 < count) {
            passed += own;
            segment++;
            own = distance(points[segment], points[segment + 1]);
        }
        float fraction = own > 0 ? (at - passed) / own : 0;
        resampled[i] = point_between(points[segment], points[segment + 1], fminf(fmaxf(fraction, 0), 1));
    }
    resampled[last_index] = points[count - 1];
}

int pd_stroke_smooth(const pd_vec2 *points, int count, float spacing, pd_vec2 *smoothed, int capacity) {
    PD_ASSERT(capacity >= 2 && spacing > 0);
    float length = compute_stroke_length(points, count);
    if (count < 2) {
        if (count == 1) *smoothed = *points;
        return count;
    }
    int last = (int)fminf(fmaxf(floorf(length / spacing), 1), (float)(capacity - 1));
    resample_stroke(points, count, length, smoothed, last);
    for (int pass = 0; pass < SMOOTHING_PASSES; pass++) {
        pd_vec2 before = smoothed[0];
        for (int i = 1; i < last; i++) {
            pd_vec2 here = smoothed[i];
            smoothed[i] = point_between(point_between(before, smoothed[i + 1], 0.5f), here, 0.5f);
            before = here;
        }
    }
    return last + 1;
}

/* Returns the point where two sides cross. Side i begins at point i. */
static pd_vec2 find_crossing(const pd_vec2 *points, int count, int first_side, int second_side) {
    pd_vec2 a = points[first_side], b = points[first_side + 1], c = points[second_side],
            d = points[(second_side + 1) % count];
    double x = (double)b.x - a.x, y = (double)b.y - a.y, u = (double)d.x - c.x, v = (double)d.y - c.y;
    double across = x * v - y * u,
           part = across != 0 ? (((double)c.x - a.x) * v - ((double)c.y - a.y) * u) / across : 1;
    return point_between(a, b, (float)fmin(fmax(part, 0), 1));
}

/* Returns twice the area of one of the two loops at a crossing: the loop through the points `first` + 1 to `second`, or with
 * `outer` the loop through all other points. */
static double compute_loop_area(const pd_vec2 *points, int count, int first, int second, pd_vec2 crossing, bool outer) {
    double sum = 0;
    int number = outer ? count - (second - first) : second - first;
    pd_vec2 before = crossing;
    for (int k = 0; k <= number; k++) {
        pd_vec2 next = k < number ? points[((outer ? second : first) + 1 + k) % count] : crossing;
        sum += (double)before.x * next.y - (double)before.y * next.x;
        before = next;
    }
    return fabs(sum);
}

/* Removes the smaller loop at the crossing of two sides. If the sides are neighbours, removes their common point. Returns the
 * number of remaining points, which is smaller than `count`. */
static int remove_crossing(pd_vec2 *points, int count, int first_side, int second_side) {
    size_t size = sizeof *points;
    bool closes = first_side == 0 && second_side == count - 1; /* the second side leads back to the first one */
    /* neighbouring sides cross if one has length 0 or runs back along the other */
    if (second_side - first_side <= 1 || closes) {
        int common = closes && second_side > first_side ? 0 : first_side + 1 < count ? first_side + 1 : first_side;
        memmove(points + common, points + common + 1, (size_t)(count - common - 1) * size);
        return count - 1;
    }
    pd_vec2 crossing = find_crossing(points, count, first_side, second_side);
    double inner = compute_loop_area(points, count, first_side, second_side, crossing, false);
    if (inner >= compute_loop_area(points, count, first_side, second_side, crossing, true)) {
        memmove(points + 1, points + first_side + 1, (size_t)(second_side - first_side) * size);
        points[0] = crossing;
        return second_side - first_side + 1;
    }
    points[first_side + 1] = crossing;
    memmove(points + first_side + 2, points + second_side + 1, (size_t)(count - second_side - 1) * size);
    return count - (second_side - first_side) + 1;
}

int pd_stroke_remove_loops(pd_vec2 *points, int count) {
    enum { MOST_CUTS = 256 };
    int first, second;
    for (int cuts = 0; count >= 3 && pd_polygon_find_crossing(points, count, &first, &second); cuts++) {
        if (cuts == MOST_CUTS) return 0;
        count = remove_crossing(points, count, first, second);
    }
    return count >= 3 ? count : 0;
}

/* ---- The tool of the left button ---- */

const char *pd_session_tool_name(const pd_session *session, pd_bar_tool tool, int material, char text[PD_TOOL_TEXT]) {
    const pd_bar_row *row = pd_bar_tool_row(tool);
    char number[16];
    const char *of = row->needs_material ? pd_session_material_name(session, material, number, sizeof number) : "";
    if (pd_bar_tool_choice_count(tool) > 0) of = row->choices[session->choice[tool]];
    snprintf(text, PD_TOOL_TEXT, "%s%s%s", row->name, *of ? ": " : "", of);
    return text;
}

static void announce_tool(const pd_session *session) {
    char text[PD_TOOL_TEXT];
    pd_session_tool_name(session, session->tool, pd_session_poured_material(session), text);
    pd_announce_change(session->announcer, text, "Tool", text);
}

void pd_session_select_poured_material(pd_session *session, int material) {
    session->poured = material;
    announce_tool(session);
}

void pd_session_select_tool(pd_session *session, pd_bar_tool tool) {
    bool again = session->tool == tool && !session->tool_set_by_material;
    int choices = pd_bar_tool_choice_count(tool);
    if (again && pd_bar_tool_row(tool)->needs_material)
        session->poured = (pd_session_poured_material(session) + 1) % pd_world_scene(session->world)->material_count;
    if (again && choices > 0) session->choice[tool] = (session->choice[tool] + 1) % choices;
    session->tool = tool;
    session->tool_set_by_material = false;
    announce_tool(session);
}

pd_tool_kind pd_session_tool_kind(const pd_session *session) {
    /* Each removed item is an edit. PD_TOOL_MOVE without an obstacle exerts no force and makes the edits of a press one act of
     * undo. */
    bool objects = session->tool == PD_BAR_ERASE && session->choice[PD_BAR_ERASE] == PD_CHOICE_OBJECTS;
    return objects ? PD_TOOL_MOVE : pd_bar_tool_row(session->tool)->kind;
}

/* ---- Materials ---- */

int pd_session_painted_material(const pd_session *session) {
    /* an undo may have removed the material */
    bool exists = session->dye <= pd_world_scene(session->world)->material_count;
    return pd_world_method(session->world)->paints && exists ? session->dye - 1 : -1;
}

const char *pd_session_material_name(const pd_session *session, int material, char *text, size_t size) {
    const char *name = pd_world_scene(session->world)->materials[material].name;
    if (*name) return name;
    snprintf(text, size, "%d", material + 1);
    return text;
}

void pd_session_set_painted_material(pd_session *session, int material) {
    char number[16];
    session->dye = material + 1;
    pd_announce_word(session->announcer, "Dye",
                     material < 0 ? "none" : pd_session_material_name(session, material, number, sizeof number));
}

int pd_session_poured_material(const pd_session *session) {
    int materials = pd_world_scene(session->world)->material_count;
    return session->poured < materials ? session->poured : 0;
}

static int find_material(const pd_session *session, const char *name) {
    const pd_scene *scene = pd_world_scene(session->world);
    return pd_find_material(scene->materials, scene->material_count, name);
}

/* Selects a material for pouring, and for painting if the method has dyes. Switches to the tool Pour if the present tool uses
 * no material. */
static void select_material(pd_session *session, int material) {
    bool method_paints = pd_world_method(session->world)->paints;
    if (method_paints) session->dye = material + 1;
    if (method_paints && pd_bar_tool_row(session->tool)->kind == PD_TOOL_DRAG) {
        session->poured = material;
        pd_session_set_painted_material(session, material);
        return;
    }
    if (!pd_bar_tool_row(session->tool)->needs_material) {
        session->tool = PD_BAR_POUR;
        session->tool_set_by_material = true;
    }
    pd_session_select_poured_material(session, material);
}

/* Selects the scene's material with the name of *material, after adding *material if missing. False: the scene refused the
 * material, which was announced. */
static bool select_or_add_material(pd_session *session, const pd_material *material) {
    pd_error error;
    pd_scene scene;
    int index = find_material(session, material->name);
    if (index < 0) {
        index = pd_world_scene(session->world)->material_count;
        if (!pd_session_begin_edit(session, &scene)) return false;
        if (!pd_session_end_edit(session, &scene, pd_scene_add_material(&scene, material, &error), &error))
            return false;
    }
    select_material(session, index);
    return true;
}

void pd_session_add_ready_material(pd_session *session, int index) {
    pd_material material = pd_world_ready_material(session->world, index);
    select_or_add_material(session, &material);
}

bool pd_session_add_material(pd_session *session, const char *name, const uint8_t rgb[3]) {
    pd_material material = pd_world_scene(session->world)->materials[0];
    material.red = rgb[0];
    material.green = rgb[1];
    material.blue = rgb[2];
    snprintf(material.name, sizeof material.name, "%s", name);
    for (int number = 2; find_material(session, material.name) >= 0; number++)
        snprintf(material.name, sizeof material.name, "%s %d", name, number);
    return select_or_add_material(session, &material);
}

void pd_session_replace_material(pd_session *session, int index, const pd_material *material) {
    pd_scene scene;
    if (index >= pd_world_scene(session->world)->material_count || !pd_session_begin_edit(session, &scene)) return;
    scene.materials[index] = *material;
    pd_session_end_edit(session, &scene, PD_OK, NULL);
}

/* Returns the index of a material after the removal of the material with the index `removed`. -1: the material itself was
 * removed. */
static int compute_index_after_removal(int material, int removed) {
    return material == removed ? -1 : material - (material > removed);
}

static bool has_fluid_of_material(const pd_world *world, int material) {
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++)
        if (view.material[i] == material) return true;
    return false;
}

void pd_session_remove_material(pd_session *session, int index) {
    pd_error error;
    pd_scene scene;
    pd_session_finish_step(session);
    const char *name = pd_world_scene(session->world)->materials[index].name;
    if (has_fluid_of_material(session->world, index)) {
        pd_announce(session->announcer, "Cannot remove '%s': erase the fluid of this material first", name);
        return;
    }
    if (!pd_session_begin_edit(session, &scene)) return;
    if (pd_scene_remove_material(&scene, index, &error) != PD_OK) {
        pd_announce(session->announcer, "Cannot remove '%s': %s", name, error.message);
        pd_scene_free(&scene);
        return;
    }
    if (pd_session_end_edit(session, &scene, PD_OK, NULL)) {
        int poured = compute_index_after_removal(session->poured, index);
        session->poured = poured < 0 ? 0 : poured;
        if (session->dye > 0) session->dye = compute_index_after_removal(session->dye - 1, index) + 1;
    }
}

pd_vec2 pd_session_clamp_to_container(const pd_session *session, pd_vec2 point) {
    const pd_container *c = &pd_world_scene(session->world)->container;
    float away = hypotf(point.x, point.y);
    if (c->shape == PD_CONTAINER_BOX)
        return (pd_vec2){fminf(fmaxf(point.x, -0.5f * c->width), 0.5f * c->width),
                         fminf(fmaxf(point.y, -0.5f * c->height), 0.5f * c->height)};
    if (c->shape == PD_CONTAINER_CIRCLE && away > c->radius)
        return (pd_vec2){point.x * c->radius / away, point.y * c->radius / away};
    return point;
}

float pd_session_distance_outside(const pd_session *session, pd_vec2 point) {
    pd_vec2 clamped = pd_session_clamp_to_container(session, point);
    return hypotf(point.x - clamped.x, point.y - clamped.y);
}

static const float SNAP = 3;            /* distance at which an end is set to a body's centroid, in units of `near` */
static const float PICTURE_SIZE = 0.5f; /* greater side of a picture's body / half the smaller side of the view */
static const float MOTOR_SPEED = 90;    /* speed of a new motor, degrees/s */

/* ---- Selection of a body ---- */

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

bool pd_session_add_body_of_picture(pd_session *session, const char *path, pd_vec2 place) {
    pd_error error;
    pd_view view;
    pd_scene named = {0};
    pd_world_view(session->world, &view);
    float unit = 0.5f * fminf(view.high.x - view.low.x, view.high.y - view.low.y), size = PICTURE_SIZE * unit;
    pd_area area = {.size.x = size};
    if (!pd_session_check_result(session, pd_picture_read_outline(path, &area, &error), &error)) return false;
    float scale = fminf(size / area.size.y, 1);
    center_points(area.points, area.point_count);
    for (int i = 0; i < area.point_count; i++)
        area.points[i] = round_point((pd_vec2){scale * area.points[i].x, scale * area.points[i].y}, unit);
    area.center = round_point(pd_session_clamp_to_container(session, place), unit);
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

static bool add_joint(pd_session *session, pd_joint_type type, const pd_joint_end *begin, const pd_joint_end *end) {
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
    float fraction = square > 0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / square : 0;
    fraction = fminf(fmaxf(fraction, 0), 1);
    return hypotf(point.x - from.x - fraction * dx, point.y - from.y - fraction * dy);
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

static void remove_joint(pd_session *session, int index) {
    pd_scene scene;
    pd_error error;
    if (!pd_session_begin_edit(session, &scene)) return;
    const char *name = joint_names[scene.joints[index].type];
    char text[64];
    snprintf(text, sizeof text, "%c%s removed", name[0] - 'a' + 'A', name + 1);
    if (pd_session_end_edit(session, &scene, pd_scene_remove_joint(&scene, index, &error), &error))
        pd_announce_change(session->announcer, text, "Removed", name);
}

/* ---- Drafts ---- */

static const float JOINT_REACH = 0.012f; /* greatest distance of a joint's end from its body / pd_draft.unit */

void pd_session_init_draft(const pd_session *session, pd_draft *draft, pd_vec2 begin, float tool_radius, float unit) {
    pd_vec2 gravity = pd_world_gravity(session->world);
    pd_view view;
    pd_world_view(session->world, &view);
    draft->tool = session->tool;
    draft->shape = session->choice[session->tool];
    draft->size = tool_radius;
    draft->unit = unit;
    draft->speed_scale = view.speed_scale;
    draft->down = hypotf(gravity.x, gravity.y) > 1e-6f ? gravity : (pd_vec2){0, -1};
    pd_draft_begin(draft, begin);
}

bool pd_session_begin_draft(pd_session *session, pd_vec2 begin, float tool_radius, float unit) {
    if (pd_session_distance_outside(session, begin) > 1e-4f * hypotf(begin.x, begin.y)) return false;
    pd_session_init_draft(session, &session->draft, begin, tool_radius, unit);
    session->joint_begin = pd_session_find_joint_end(session, begin, JOINT_REACH * unit);
    return true;
}

/* Makes an emitter from the draft, with the poured material and a rate that fits speed and width. False: the speed is 0. */
static bool make_drafted_emitter(const pd_session *session, pd_emitter *emitter) {
    pd_view view;
    pd_world_view(session->world, &view);
    pd_draft_make_emitter(&session->draft, emitter);
    emitter->material = pd_session_poured_material(session);
    float rate = emitter->speed * emitter->width / (view.spacing * view.spacing);
    emitter->rate = fminf(fmaxf(pd_round_to_digits(rate, 4), (float)PD_MIN_RATE), (float)PD_MAX_PARTICLES);
    return emitter->speed > 0;
}

static bool add_drafted_joint(pd_session *session) {
    static const pd_joint_type types[] = {[PD_CHOICE_HINGE] = PD_JOINT_HINGE,
                                          [PD_CHOICE_ROPE] = PD_JOINT_ROPE,
                                          [PD_CHOICE_WELD] = PD_JOINT_WELD,
                                          [PD_CHOICE_MOTOR] = PD_JOINT_MOTOR};
    const pd_draft *draft = &session->draft;
    pd_joint_end end = pd_session_find_joint_end(session, draft->to, JOINT_REACH * draft->unit);
    if (pd_draft_is_click(draft)) end = session->joint_begin;
    return add_joint(session, types[draft->shape], &session->joint_begin, &end);
}

static bool add_drafted_item(pd_session *session) {
    const pd_draft *draft = &session->draft;
    static pd_vec2 points[PD_MAX_POINTS];
    pd_obstacle obstacle = {0};
    pd_emitter emitter;
    pd_drain drain;
    pd_scene scene;
    pd_error error;
    if (draft->tool == PD_BAR_BODY)
        return pd_draft_make_area(draft, &obstacle.area, points) && add_body(session, &obstacle.area, "");
    if (draft->tool == PD_BAR_JOINT) return add_drafted_joint(session);
    bool emits = draft->tool == PD_BAR_EMITTER, drains = draft->tool == PD_BAR_DRAIN;
    bool large = emits    ? make_drafted_emitter(session, &emitter)
                 : drains ? pd_draft_make_drain(draft, &drain)
                          : pd_draft_make_area(draft, &obstacle.area, points);
    if (!large || !pd_session_begin_edit(session, &scene)) return false;
    pd_result result = emits    ? pd_scene_add_emitter(&scene, &emitter, &error)
                       : drains ? pd_scene_add_drain(&scene, &drain, &error)
                                : pd_scene_add_obstacle(&scene, &obstacle, &error);
    if (!pd_session_end_edit(session, &scene, result, &error)) return false;
    pd_announce_change(session->announcer,
                       emits    ? "Emitter added"
                       : drains ? "Drain added"
                                : "Wall added",
                       "New",
                       emits    ? "emitter"
                       : drains ? "drain"
                                : "wall");
    return true;
}

void pd_session_move_draft(pd_session *session, pd_vec2 end, bool straight) {
    pd_draft *draft = &session->draft;
    if (!draft->active) return;
    bool arrow = draft->tool == PD_BAR_EMITTER; /* the arrow of an emitter may end outside of the container */
    pd_draft_move(draft, arrow ? end : pd_session_clamp_to_container(session, end), straight);
    if (!pd_draft_is_full(draft)) return;
    add_drafted_item(session);
    pd_draft_begin(draft, draft->to);
}

bool pd_session_end_draft(pd_session *session) {
    bool made = session->draft.active && add_drafted_item(session);
    session->draft.active = false;
    return made;
}

/* ---- Items ---- */

static float distance_to_emitter_mouth(const pd_emitter *emitter, pd_vec2 point) {
    float length = hypotf(emitter->direction.x, emitter->direction.y), x = point.x - emitter->position.x,
          y = point.y - emitter->position.y;
    float along = (x * emitter->direction.x + y * emitter->direction.y) / length;
    float across = (y * emitter->direction.x - x * emitter->direction.y) / length;
    return hypotf(along, fmaxf(fabsf(across) - 0.5f * emitter->width, 0));
}

static float distance_to_drain(const pd_area *area, pd_vec2 point) {
    float x = point.x - area->center.x, y = point.y - area->center.y;
    if (area->shape == PD_SHAPE_CIRCLE) return hypotf(x, y) - area->radius;
    return fmaxf(fabsf(x) - 0.5f * area->size.x, fabsf(y) - 0.5f * area->size.y);
}

pd_item pd_session_find_item(const pd_session *session, pd_vec2 point, float max_distance) {
    const pd_scene *scene = pd_world_scene(session->world);
    pd_item item = {PD_ITEM_NONE, -1};
    float least = 3 * max_distance; /* the mouth of an emitter is a thin line, which is harder to hit */
    for (int i = 0; i < scene->emitter_count; i++) {
        float away = distance_to_emitter_mouth(&scene->emitters[i], point);
        if (!(away <= least)) continue;
        least = away;
        item = (pd_item){PD_ITEM_EMITTER, i};
    }
    if (item.kind != PD_ITEM_NONE) return item;
    item.index = pd_world_body_at(session->world, point, max_distance);
    if (item.index >= 0) return (pd_item){PD_ITEM_BODY, item.index};
    item.index = pd_world_obstacle_at(session->world, point, max_distance);
    if (item.index >= 0) return (pd_item){PD_ITEM_OBSTACLE, item.index};
    for (int i = scene->drain_count - 1; i >= 0; i--)
        if (distance_to_drain(&scene->drains[i].area, point) <= max_distance) return (pd_item){PD_ITEM_DRAIN, i};
    return item;
}

static void remove_item(pd_session *session, pd_item item) {
    static const char *const names[] = {
        [PD_ITEM_OBSTACLE] = "wall", [PD_ITEM_EMITTER] = "emitter", [PD_ITEM_DRAIN] = "drain"};
    static const char *const texts[] = {
        [PD_ITEM_OBSTACLE] = "Wall removed", [PD_ITEM_EMITTER] = "Emitter removed", [PD_ITEM_DRAIN] = "Drain removed"};
    pd_scene scene;
    pd_error error;
    if (item.kind == PD_ITEM_BODY) pd_session_remove_body(session, item.index);
    if (item.kind == PD_ITEM_BODY || !pd_session_begin_edit(session, &scene)) return;
    pd_result result = item.kind == PD_ITEM_OBSTACLE  ? pd_scene_remove_obstacle(&scene, item.index, &error)
                       : item.kind == PD_ITEM_EMITTER ? pd_scene_remove_emitter(&scene, item.index, &error)
                                                      : pd_scene_remove_drain(&scene, item.index, &error);
    if (pd_session_end_edit(session, &scene, result, &error))
        pd_announce_change(session->announcer, texts[item.kind], "Removed", names[item.kind]);
}

/* Returns whether the press has removed a joint near a point. A click on a joint leaves the body below the joint. */
static bool is_near_removed_joint(const pd_grab *grab, pd_vec2 point) {
    static const float NEAR = 4; /* in units of the hit distance */
    float away = hypotf(point.x - grab->joint_place.x, point.y - grab->joint_place.y);
    return grab->removed_joint && away < NEAR * grab->hit_distance;
}

/* Removes the joints and items within the hit distance of the line from the last position of the pointer to `to`. */
static void remove_items_along(pd_session *session, pd_vec2 to) {
    enum { MOST_INTERVALS = 64 };
    pd_grab *grab = &session->grab;
    const pd_vec2 from = grab->position;
    const float max_distance = grab->hit_distance;
    int count = (int)fminf(ceilf(hypotf(to.x - from.x, to.y - from.y) / max_distance), MOST_INTERVALS);
    for (int k = 0; k <= count; k++) {
        float fraction = count > 0 ? (float)k / (float)count : 0;
        pd_vec2 point = {from.x + fraction * (to.x - from.x), from.y + fraction * (to.y - from.y)};
        int joint = pd_session_find_joint(session, point, max_distance);
        pd_item item = pd_session_find_item(session, point, max_distance);
        if (joint >= 0) {
            remove_joint(session, joint);
            grab->removed_joint = true;
            grab->joint_place = point;
        } else if (item.kind != PD_ITEM_NONE && !(item.kind == PD_ITEM_BODY && is_near_removed_joint(grab, point))) {
            remove_item(session, item);
        }
    }
}

/* ---- Presses of the tools Move and Erase ---- */

/* Returns the address of an emitter's or drain's position in the scene. NULL: the item is another one or missing. */
static pd_vec2 *find_item_position(const pd_scene *scene, pd_item item) {
    if (item.kind == PD_ITEM_EMITTER && item.index < scene->emitter_count) return &scene->emitters[item.index].position;
    if (item.kind == PD_ITEM_DRAIN && item.index < scene->drain_count) return &scene->drains[item.index].area.center;
    return NULL;
}

pd_item pd_session_begin_grab(pd_session *session, pd_vec2 pointer_position, float hit_distance) {
    pd_grab *grab = &session->grab;
    *grab = (pd_grab){.position = pointer_position, .hit_distance = hit_distance};
    if (session->tool == PD_BAR_MOVE) {
        grab->item = pd_session_find_item(session, pointer_position, hit_distance);
        const pd_vec2 *place = find_item_position(pd_world_scene(session->world), grab->item);
        if (place) grab->offset = (pd_vec2){place->x - pointer_position.x, place->y - pointer_position.y};
    } else {
        grab->erases = session->tool == PD_BAR_ERASE && session->choice[PD_BAR_ERASE] != PD_CHOICE_FLUID;
    }
    return grab->item;
}

static void move_item(pd_session *session, pd_item item, pd_vec2 new_position) {
    pd_scene scene;
    pd_view view;
    pd_world_view(session->world, &view);
    float unit = 0.5f * fminf(view.high.x - view.low.x, view.high.y - view.low.y);
    new_position = pd_session_clamp_to_container(session, round_point(new_position, unit));
    const pd_vec2 *place = find_item_position(pd_world_scene(session->world), item);
    if (!place || (place->x == new_position.x && place->y == new_position.y) || !pd_session_begin_edit(session, &scene))
        return;
    *find_item_position(&scene, item) = new_position;
    pd_session_end_edit(session, &scene, PD_OK, NULL);
}

void pd_session_move_grab(pd_session *session, pd_vec2 pointer_position) {
    pd_grab *grab = &session->grab;
    if (grab->erases) remove_items_along(session, pointer_position);
    if ((grab->item.kind == PD_ITEM_EMITTER || grab->item.kind == PD_ITEM_DRAIN) &&
        (pointer_position.x != grab->position.x || pointer_position.y != grab->position.y))
        move_item(session, grab->item,
                  (pd_vec2){pointer_position.x + grab->offset.x, pointer_position.y + grab->offset.y});
    grab->position = pointer_position;
}

void pd_session_end_grab(pd_session *session) { session->grab = (pd_grab){0}; }

/* ---- Motions of obstacles ---- */

static const float MAX_THROW_SPEED = 1.5f;  /* greatest speed of a thrown obstacle / pd_view.speed_scale */
static const float MIN_THROW_SPEED = 0.03f; /* speed / pd_view.speed_scale below which a thrown obstacle stops */
static const float WALL_GAP = 1.5f;  /* least gap between a thrown obstacle and the container / pd_view.spacing */
static const float MIN_PATH = 1e-3f; /* shortest path of a thrown obstacle / half the smaller side of the view */

/* Returns the time t for which an obstacle is at begin + velocity * t now, s. With obstacle->turn, t is a triangle wave between
 * 0 and turn. *direction receives 1 where t grows, -1 where t shrinks. now: pd_view.time, s. */
static double compute_path_time(const pd_obstacle *obstacle, double now, int *direction) {
    double since = now + (double)obstacle->phase, turn = obstacle->turn;
    *direction = 1;
    if (!(turn > 0)) return since;
    double phase = fmod(since, 2 * turn);
    *direction = phase < turn ? 1 : -1;
    return phase < turn ? phase : 2 * turn - phase;
}

/* Shifts the obstacle's path so that the obstacle is at `center` (m) with `angle` (degrees) at the time `now` (s). */
static void set_obstacle_pose(pd_obstacle *obstacle, pd_vec2 center, double angle, double now) {
    int slope;
    double passed = compute_path_time(obstacle, now, &slope), base = fmod(angle - passed * (double)obstacle->spin, 360);
    pd_area *area = &obstacle->area;
    area->center = (pd_vec2){(float)(center.x - passed * (double)obstacle->velocity.x),
                             (float)(center.y - passed * (double)obstacle->velocity.y)};
    pd_area_rotate(area, base);
}

/* Moves the center of rotation of a polyline or polygon to the middle of its bounding box. The center of a spinning obstacle
 * stays. *center, angle: the obstacle's present center (m, updated) and angle (degrees). */
static void center_obstacle_points(pd_obstacle *obstacle, pd_vec2 *center, double angle) {
    if (!pd_area_has_points(&obstacle->area) || obstacle->spin != 0) return;
    pd_vec2 middle = pd_rotate(center_points(obstacle->area.points, obstacle->area.point_count), angle);
    *center = (pd_vec2){center->x + middle.x, center->y + middle.y};
}

/* Edit of one obstacle of the scene. */
typedef struct obstacle_edit {
    pd_scene scene;        /* copy of the scene that the edit changes */
    pd_obstacle *obstacle; /* the edited obstacle in `scene` */
    pd_view view;          /* view of the world before the edit */
    const pd_area *seen;   /* the obstacle's present shape and place in `view` */
    double angle;          /* present angle, degrees */
    pd_vec2 center;        /* present center, m */
} obstacle_edit;

static bool begin_obstacle_edit(pd_session *session, int index, obstacle_edit *edit) {
    pd_session_finish_step(session);
    pd_world_view(session->world, &edit->view);
    if (index < 0 || index >= edit->view.obstacle_count || !pd_session_begin_edit(session, &edit->scene)) return false;
    edit->obstacle = &edit->scene.obstacles[index];
    edit->seen = &edit->view.obstacles[index];
    edit->angle = edit->seen->angle;
    edit->center = edit->seen->center;
    return true;
}

void pd_session_turn_obstacle(pd_session *session, int obstacle, float degrees) {
    obstacle_edit edit;
    if (!begin_obstacle_edit(session, obstacle, &edit)) return;
    center_obstacle_points(edit.obstacle, &edit.center, edit.angle);
    set_obstacle_pose(edit.obstacle, edit.center, edit.angle + (double)degrees, edit.view.time);
    if (pd_session_end_edit(session, &edit.scene, PD_OK, NULL))
        pd_announce_value(session->announcer, "Obstacle turned by", (double)degrees, "°");
}

void pd_session_spin_obstacle(pd_session *session, int obstacle, float degrees_per_second) {
    obstacle_edit edit;
    if (!begin_obstacle_edit(session, obstacle, &edit)) return;
    center_obstacle_points(edit.obstacle, &edit.center, edit.angle);
    edit.obstacle->spin += degrees_per_second;
    set_obstacle_pose(edit.obstacle, edit.center, edit.angle, edit.view.time);
    float spin = edit.obstacle->spin;
    if (pd_session_end_edit(session, &edit.scene, PD_OK, NULL))
        pd_announce_value(session->announcer, "Obstacle spin", (double)spin, "°/s");
}

/* Limits *back and *forth to the distances that a disc can move within the container, against and along the unit vector
 * `direction`. */
static void limit_travel_distances(const pd_container *container, pd_vec2 center, float radius, pd_vec2 direction,
                                   float *back, float *forth) {
    if (container->shape == PD_CONTAINER_CIRCLE) {
        float across = center.x * direction.y - center.y * direction.x,
              at = center.x * direction.x + center.y * direction.y, room = container->radius - radius;
        float half = sqrtf(fmaxf(room * room - across * across, 0));
        *forth = fminf(*forth, fmaxf(half - at, 0));
        *back = fminf(*back, fmaxf(half + at, 0));
    }
    const float half[2] = {0.5f * container->width - radius, 0.5f * container->height - radius};
    const float place[2] = {center.x, center.y}, way[2] = {direction.x, direction.y};
    for (int k = 0; k < 2 && container->shape == PD_CONTAINER_BOX; k++) {
        float size = fabsf(way[k]), ahead = way[k] > 0 ? half[k] - place[k] : half[k] + place[k];
        if (size < 1e-6f) continue;
        *forth = fminf(*forth, fmaxf(ahead / size, 0));
        *back = fminf(*back, fmaxf((2 * half[k] - ahead) / size, 0));
    }
}

/* Computes the distances that an obstacle can move within the container, against (*back) and along (*forth) a direction, m. A
 * spinning obstacle counts as the disc that its corners sweep. */
static void find_travel_distances(const obstacle_edit *edit, pd_vec2 direction, float *back, float *forth) {
    const pd_area *area = edit->seen;
    const pd_container *container = &edit->scene.container;
    bool line = area->shape == PD_SHAPE_POLYLINE, points = pd_area_has_points(area), spins = edit->obstacle->spin != 0;
    float gap = WALL_GAP * edit->view.spacing, most = 0;
    float round = gap + (area->shape == PD_SHAPE_CIRCLE ? area->radius : line ? 0.5f * area->thickness : 0);
    int corners = area->shape == PD_SHAPE_CIRCLE ? 1 : points ? area->point_count : 4;
    *back = *forth = 0.5f * fminf(edit->view.high.x - edit->view.low.x, edit->view.high.y - edit->view.low.y);
    if (container->shape != PD_CONTAINER_NONE) *back = *forth = 4 * *forth + 2 * fabsf(container->width);
    for (int k = 0; k < corners; k++) {
        pd_vec2 corner = {0, 0};
        if (points) corner = area->points[k];
        if (area->shape == PD_SHAPE_BOX)
            corner = (pd_vec2){(k & 1 ? 0.5f : -0.5f) * area->size.x, (k & 2 ? 0.5f : -0.5f) * area->size.y};
        most = fmaxf(most, hypotf(corner.x, corner.y));
        corner = pd_rotate(corner, (double)area->angle);
        corner = (pd_vec2){area->center.x + corner.x, area->center.y + corner.y};
        if (!spins) limit_travel_distances(container, corner, round, direction, back, forth);
    }
    if (spins) limit_travel_distances(container, area->center, round + most, direction, back, forth);
}

/* Makes the obstacle move to and fro, first with `velocity` from its present place. speed: length of `velocity`, m/s; back,
 * forth: distances from the present place to both ends of the path, m. */
static void set_obstacle_path(obstacle_edit *edit, pd_vec2 velocity, float speed, float back, float forth) {
    pd_obstacle *o = edit->obstacle;
    double turn = (double)(back + forth) / (double)speed, passed = (double)back / (double)speed;
    o->velocity = velocity;
    o->turn = (float)fmax(turn, 1e-3);
    turn = o->turn;
    o->phase = (float)fmod(passed - fmod(edit->view.time, 2 * turn) + 2 * turn, 2 * turn);
}

void pd_session_throw_obstacle(pd_session *session, int obstacle, pd_vec2 velocity) {
    obstacle_edit edit;
    int slope;
    if (!begin_obstacle_edit(session, obstacle, &edit)) return;
    float speed = hypotf(velocity.x, velocity.y), most = MAX_THROW_SPEED * edit.view.speed_scale, back = 0, forth = 0;
    float unit = 0.5f * fminf(edit.view.high.x - edit.view.low.x, edit.view.high.y - edit.view.low.y);
    if (!isfinite(speed)) speed = 0;
    center_obstacle_points(edit.obstacle, &edit.center, edit.angle);
    compute_path_time(edit.obstacle, edit.view.time, &slope);
    edit.obstacle->spin *= (float)slope;
    if (speed > MIN_THROW_SPEED * edit.view.speed_scale)
        find_travel_distances(&edit, (pd_vec2){velocity.x / speed, velocity.y / speed}, &back, &forth);
    bool moves = back + forth > MIN_PATH * unit;
    float scale = moves ? fminf(1, most / speed) : 0;
    if (moves) {
        set_obstacle_path(&edit, (pd_vec2){scale * velocity.x, scale * velocity.y}, scale * speed, back, forth);
    } else {
        edit.obstacle->velocity = (pd_vec2){0, 0};
        edit.obstacle->turn = edit.obstacle->phase = 0;
    }
    set_obstacle_pose(edit.obstacle, edit.center, edit.angle, edit.view.time);
    if (pd_session_end_edit(session, &edit.scene, PD_OK, NULL))
        pd_announce_value(session->announcer, "Obstacle speed", (double)(scale * speed), "m/s");
}
