/* Geometry of a drag with the mouse, from which the release makes a wall, a shape, an emitter or a drain. */
#include "app/session/draft.h"

#include "core/error.h"
#include "scene/polygon.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const float STEP = 0.1f;       /* distance between two drawn points / thickness of the wall */
static const float SMOOTH = 0.25f;    /* distance between two smoothed points / thickness of the wall */
static const float TOLERANCE = 0.12f; /* tolerance of the simplification / thickness of the wall */
static const float CLICK = 0.015f;    /* longest drag that counts as a click / pd_draft.unit */
static const float LEAST = 0.01f;     /* size of the smallest shape / pd_draft.unit */
static const float SPEED = 3;     /* speed of an emitter / pd_draft.speed, if its arrow has the length pd_draft.unit */
static const float GENTLE = 0.2f; /* arrow of an emitter made by a click / pd_draft.unit */

static float distance(pd_vec2 a, pd_vec2 b) { return hypotf(b.x - a.x, b.y - a.y); }

static pd_vec2 point_between(pd_vec2 a, pd_vec2 b, float part) {
    return (pd_vec2){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

/* Rounds a coordinate to a ten-thousandth of `scale` or less, a fraction of a pixel, so that scene files have short numbers. */
static float round_coordinate(float value, float scale) {
    double steps = pow(10, 4 - floor(log10((double)scale)));
    return (float)(round((double)value * steps) / steps);
}

pd_vec2 pd_draft_rounded_point(pd_vec2 point, float scale) {
    return (pd_vec2){round_coordinate(point.x, scale), round_coordinate(point.y, scale)};
}

static void round_area(pd_area *area, float unit) {
    area->center = pd_draft_rounded_point(area->center, unit);
    area->size = pd_draft_rounded_point(area->size, unit);
    area->radius = round_coordinate(area->radius, unit);
    area->thickness = round_coordinate(area->thickness, unit);
    for (int i = 0; i < area->point_count; i++) area->points[i] = pd_draft_rounded_point(area->points[i], unit);
}

float pd_draft_thickness(float size) { return PD_WALL_THICKNESS * size; }

float pd_draft_arrow_length(float speed, float speed_scale, float unit) { return unit * speed / (SPEED * speed_scale); }

static bool is_freehand(const pd_draft *draft) {
    return draft->tool == PD_BAR_WALL || (draft->tool == PD_BAR_SHAPE && draft->shape == PD_CHOICE_POLYGON);
}

static float drag_length(const pd_draft *draft) { return distance(draft->from, draft->to); }

void pd_draft_begin(pd_draft *draft, pd_vec2 at) {
    draft->active = true;
    draft->straight = false;
    draft->angle = 0;
    draft->from = draft->to = draft->points[0] = at;
    draft->count = 1;
}

void pd_draft_move(pd_draft *draft, pd_vec2 at, bool straight) {
    /* A press or release of Shift adds a corner to a polygon. While Shift is down only the last point moves. */
    bool polygon = draft->tool == PD_BAR_SHAPE, corner = polygon && straight != draft->straight;
    draft->straight = straight;
    draft->to = at;
    if (!is_freehand(draft)) return;
    const pd_vec2 *before = &draft->points[draft->count > 1 ? draft->count - 2 : 0];
    bool near = distance(at, *before) < STEP * pd_draft_thickness(draft->size);
    bool next = draft->count == 1 || corner || (!near && !(polygon && straight));
    if (next && draft->count < PD_MAX_POINTS) draft->count++;
    if (draft->count > 1) draft->points[draft->count - 1] = at;
}

bool pd_draft_is_full(const pd_draft *draft) {
    return draft->tool == PD_BAR_WALL && !draft->straight && draft->count == PD_MAX_POINTS;
}

bool pd_draft_is_click(const pd_draft *draft) {
    bool loop = draft->tool == PD_BAR_WALL && !draft->straight &&
                pd_stroke_length(draft->points, draft->count) > CLICK * draft->unit;
    return !loop && drag_length(draft) < CLICK * draft->unit;
}

pd_vec2 pd_draft_center_points(pd_vec2 *points, int count) {
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

static void wall_of(const pd_draft *draft, pd_area *area, pd_vec2 *points) {
    float thickness = pd_draft_thickness(draft->size);
    if (pd_draft_is_click(draft)) {
        *area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = draft->to, .radius = 0.5f * thickness};
        return;
    }
    *area = (pd_area){.shape = PD_SHAPE_POLYLINE, .thickness = thickness, .points = points, .point_count = 2};
    points[0] = draft->from;
    points[1] = draft->to;
    if (!draft->straight) {
        int count = pd_stroke_smooth(draft->points, draft->count, SMOOTH * thickness, points, PD_MAX_POINTS);
        area->point_count = pd_stroke_simplify(points, count, TOLERANCE * thickness);
    }
    area->center = pd_draft_center_points(points, area->point_count);
}

/* Computes the box with the opposite corners draft->from and draft->to, turned by draft->angle. */
static void make_box(const pd_draft *draft, pd_area *area) {
    float turned = draft->angle * 0.0174532925f, c = cosf(turned), s = sinf(turned);
    float x = draft->to.x - draft->from.x, y = draft->to.y - draft->from.y;
    *area = (pd_area){.shape = PD_SHAPE_BOX,
                      .center = {draft->from.x + 0.5f * x, draft->from.y + 0.5f * y},
                      .size = {fabsf(c * x + s * y), fabsf(c * y - s * x)},
                      .angle = draft->angle};
}

/* Turns the drawn points into a polygon that does not cross itself. Rounding may make close sides cross, and removing a crossing
 * adds an unrounded point. So both are repeated. */
static bool make_polygon(const pd_draft *draft, pd_area *area, pd_vec2 *points) {
    pd_vec2 closed[PD_MAX_POINTS + 1];
    float thickness = pd_draft_thickness(draft->size), least = LEAST * draft->unit;
    memcpy(closed, draft->points, (size_t)draft->count * sizeof *closed);
    closed[draft->count] = closed[0];
    int before, count = pd_stroke_smooth(closed, draft->count + 1, SMOOTH * thickness, points, PD_MAX_POINTS);
    count = pd_stroke_simplify(points, count, TOLERANCE * thickness);
    count = pd_stroke_remove_loops(points, count - 1);
    *area = (pd_area){.shape = PD_SHAPE_POLYGON, .points = points, .point_count = count};
    if (count == 0) return false;
    area->center = pd_draft_center_points(points, count);
    do {
        before = area->point_count;
        round_area(area, draft->unit);
        area->point_count = pd_stroke_remove_loops(points, before);
    } while (area->point_count > 0 && area->point_count < before);
    return fabs(pd_polygon_area(points, area->point_count)) >= (double)(least * least);
}

bool pd_draft_make_obstacle(const pd_draft *draft, pd_obstacle *obstacle, pd_vec2 *points) {
    float least = LEAST * draft->unit;
    pd_area *area = &obstacle->area;
    *obstacle = (pd_obstacle){0};
    if (draft->tool == PD_BAR_WALL) {
        wall_of(draft, area, points);
        round_area(area, draft->unit);
        return true;
    }
    if (draft->shape == PD_CHOICE_POLYGON) return make_polygon(draft, area, points);
    if (draft->shape == PD_CHOICE_BOX)
        make_box(draft, area);
    else
        *area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = draft->from, .radius = drag_length(draft)};
    round_area(area, draft->unit);
    return draft->shape == PD_CHOICE_BOX ? fminf(area->size.x, area->size.y) >= least : area->radius >= least;
}

bool pd_draft_make_drain(const pd_draft *draft, pd_drain *drain) {
    float radius = pd_draft_is_click(draft) ? draft->size : drag_length(draft);
    *drain = (pd_drain){.area = {.shape = PD_SHAPE_CIRCLE, .center = draft->from, .radius = radius}};
    round_area(&drain->area, draft->unit);
    return radius >= LEAST * draft->unit;
}

void pd_draft_make_emitter(const pd_draft *draft, pd_emitter *emitter) {
    float length = drag_length(draft);
    pd_vec2 along = {draft->to.x - draft->from.x, draft->to.y - draft->from.y};
    if (pd_draft_is_click(draft)) {
        along = draft->down;
        length = GENTLE * draft->unit;
    }
    float scale = 1 / hypotf(along.x, along.y);
    *emitter = (pd_emitter){.position = pd_draft_rounded_point(draft->from, draft->unit),
                            .direction = pd_draft_rounded_point((pd_vec2){scale * along.x, scale * along.y}, 1),
                            .speed = round_coordinate(SPEED * draft->speed * length / draft->unit, draft->speed),
                            .width = round_coordinate(draft->size, draft->unit),
                            .until = INFINITY};
}

/* ---- Strokes ---- */

enum { PASSES = 3 }; /* passes of smoothing, each with variance spacing^2 / 2 */

float pd_stroke_length(const pd_vec2 *points, int count) {
    float length = 0;
    for (int i = 1; i < count; i++) length += distance(points[i - 1], points[i]);
    return length;
}

/* Writes `last` + 1 points at equal distances along the polyline of the given length. */
static void resample(const pd_vec2 *points, int count, float length, pd_vec2 *even, int last) {
    int segment = 0;
    float passed = 0, own = distance(points[0], points[1]);
    for (int i = 0; i < last; i++) {
        float at = length * (float)i / (float)last;
        while (passed + own < at && segment + 2 < count) {
            passed += own;
            segment++;
            own = distance(points[segment], points[segment + 1]);
        }
        float part = own > 0 ? (at - passed) / own : 0;
        even[i] = point_between(points[segment], points[segment + 1], fminf(fmaxf(part, 0), 1));
    }
    even[last] = points[count - 1];
}

int pd_stroke_smooth(const pd_vec2 *points, int count, float spacing, pd_vec2 *smooth, int most) {
    PD_ASSERT(most >= 2 && spacing > 0);
    float length = pd_stroke_length(points, count);
    if (count < 2) {
        if (count == 1) *smooth = *points;
        return count;
    }
    int last = (int)fminf(fmaxf(floorf(length / spacing), 1), (float)(most - 1));
    resample(points, count, length, smooth, last);
    for (int pass = 0; pass < PASSES; pass++) {
        pd_vec2 before = smooth[0];
        for (int i = 1; i < last; i++) {
            pd_vec2 here = smooth[i];
            smooth[i] = point_between(point_between(before, smooth[i + 1], 0.5f), here, 0.5f);
            before = here;
        }
    }
    return last + 1;
}

static float distance_to_segment(pd_vec2 p, pd_vec2 a, pd_vec2 b) {
    float dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    float part = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    return distance(p, point_between(a, b, fminf(fmaxf(part, 0), 1)));
}

int pd_stroke_simplify(pd_vec2 *points, int count, float tolerance) {
    bool kept[PD_MAX_POINTS];
    /* first and last point of the parts to simplify; last points differ, so the room suffices */
    short stack[PD_MAX_POINTS][2];
    int waiting = 0, stay = 0;
    PD_ASSERT(count <= PD_MAX_POINTS);
    if (count < 3) return count;
    memset(kept, 0, (size_t)count * sizeof *kept);
    kept[0] = kept[count - 1] = true;
    stack[waiting][0] = 0;
    stack[waiting++][1] = (short)(count - 1);
    while (waiting > 0) {
        int first = stack[--waiting][0], last = stack[waiting][1], worst = -1;
        float most = tolerance;
        for (int i = first + 1; i < last; i++) {
            float away = distance_to_segment(points[i], points[first], points[last]);
            if (away <= most) continue;
            most = away;
            worst = i;
        }
        if (worst < 0) continue;
        kept[worst] = true;
        stack[waiting][0] = (short)first;
        stack[waiting++][1] = (short)worst;
        stack[waiting][0] = (short)worst;
        stack[waiting++][1] = (short)last;
    }
    for (int i = 0; i < count; i++)
        if (kept[i]) points[stay++] = points[i];
    return stay;
}

/* Returns the crossing of the side after point `first` with the side after point `second`. */
static pd_vec2 crossing_of(const pd_vec2 *points, int count, int first, int second) {
    pd_vec2 a = points[first], b = points[first + 1], c = points[second], d = points[(second + 1) % count];
    double x = (double)b.x - a.x, y = (double)b.y - a.y, u = (double)d.x - c.x, v = (double)d.y - c.y;
    double across = x * v - y * u,
           part = across != 0 ? (((double)c.x - a.x) * v - ((double)c.y - a.y) * u) / across : 1;
    return point_between(a, b, (float)fmin(fmax(part, 0), 1));
}

/* Returns twice the area of the loop from a crossing through the points `first` + 1 to `second`. others: of the loop through all
 * other points instead. */
static double loop_area(const pd_vec2 *points, int count, int first, int second, pd_vec2 crossing, bool others) {
    double sum = 0;
    int number = others ? count - (second - first) : second - first;
    pd_vec2 before = crossing;
    for (int k = 0; k <= number; k++) {
        pd_vec2 next = k < number ? points[((others ? second : first) + 1 + k) % count] : crossing;
        sum += (double)before.x * next.y - (double)before.y * next.x;
        before = next;
    }
    return fabs(sum);
}

/* Removes a point or the smaller loop at a crossing. Returns the number of points left, which is smaller than `count`. */
static int cut_crossing(pd_vec2 *points, int count, int first, int second) {
    size_t size = sizeof *points;
    bool leads = first == 0 && second == count - 1;
    /* one side has length 0, or runs back along its neighbour: removes their common point */
    if (second - first <= 1 || leads) {
        int common = leads && second > first ? 0 : first + 1 < count ? first + 1 : first;
        memmove(points + common, points + common + 1, (size_t)(count - common - 1) * size);
        return count - 1;
    }
    pd_vec2 crossing = crossing_of(points, count, first, second);
    double inner = loop_area(points, count, first, second, crossing, false);
    if (inner >= loop_area(points, count, first, second, crossing, true)) {
        memmove(points + 1, points + first + 1, (size_t)(second - first) * size);
        points[0] = crossing;
        return second - first + 1;
    }
    points[first + 1] = crossing;
    memmove(points + first + 2, points + second + 1, (size_t)(count - second - 1) * size);
    return count - (second - first) + 1;
}

int pd_stroke_remove_loops(pd_vec2 *points, int count) {
    enum { MOST_CUTS = 256 };
    int first, second;
    for (int cuts = 0; count >= 3 && pd_polygon_find_crossing(points, count, &first, &second); cuts++) {
        if (cuts == MOST_CUTS) return 0;
        count = cut_crossing(points, count, first, second);
    }
    return count >= 3 ? count : 0;
}
