/* Geometry of a mouse drag that draws a wall, a shape, a body, an emitter or a drain. */
#include "app/session/draft.h"

#include "core/error.h"
#include "scene/polygon.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

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

/* Rounds a coordinate as pd_draft_round_point. */
static float round_coordinate(float value, float scale) {
    double steps = pow(10, 4 - floor(log10((double)scale)));
    return (float)(round((double)value * steps) / steps);
}

pd_vec2 pd_draft_round_point(pd_vec2 point, float scale) {
    return (pd_vec2){round_coordinate(point.x, scale), round_coordinate(point.y, scale)};
}

static void round_area(pd_area *area, float unit) {
    area->center = pd_draft_round_point(area->center, unit);
    area->size = pd_draft_round_point(area->size, unit);
    area->radius = round_coordinate(area->radius, unit);
    area->thickness = round_coordinate(area->thickness, unit);
    for (int i = 0; i < area->point_count; i++) area->points[i] = pd_draft_round_point(area->points[i], unit);
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

bool pd_draft_is_click(const pd_draft *draft) {
    bool loop = draft->tool == PD_BAR_WALL && !draft->straight &&
                pd_stroke_length(draft->points, draft->count) > CLICK_LENGTH * draft->unit;
    return !loop && drag_length(draft) < CLICK_LENGTH * draft->unit;
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
    area->center = pd_draft_center_points(points, area->point_count);
}

/* Makes a box that is turned by draft->angle and has opposite corners at draft->from and draft->to. */
static void make_box(const pd_draft *draft, pd_area *area) {
    float turned = draft->angle * 0.0174532925f, c = cosf(turned), s = sinf(turned);
    float x = draft->to.x - draft->from.x, y = draft->to.y - draft->from.y;
    *area = (pd_area){.shape = PD_SHAPE_BOX,
                      .center = {draft->from.x + 0.5f * x, draft->from.y + 0.5f * y},
                      .size = {fabsf(c * x + s * y), fabsf(c * y - s * x)},
                      .angle = draft->angle};
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
    area->center = pd_draft_center_points(points, count);
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
        .position = pd_draft_round_point(draft->from, draft->unit),
        .direction = pd_draft_round_point((pd_vec2){scale * along.x, scale * along.y}, 1),
        .speed = round_coordinate(ARROW_SPEED * draft->speed_scale * length / draft->unit, draft->speed_scale),
        .width = round_coordinate(draft->size, draft->unit),
        .until = INFINITY};
}

/* ---- Strokes ---- */

enum { SMOOTHING_PASSES = 3 }; /* each pass smooths with the variance spacing^2 / 2 */

float pd_stroke_length(const pd_vec2 *points, int count) {
    float length = 0;
    for (int i = 1; i < count; i++) length += distance(points[i - 1], points[i]);
    return length;
}

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
    float length = pd_stroke_length(points, count);
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
