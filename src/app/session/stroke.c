#include "app/session/stroke.h"

#include "core/error.h"
#include "scene/polygon.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { PASSES = 3 }; /* of smoothing: each has a variance of half a spacing squared */

static float distance(pd_vec2 a, pd_vec2 b) { return hypotf(b.x - a.x, b.y - a.y); }

static pd_vec2 between(pd_vec2 a, pd_vec2 b, float part) {
    return (pd_vec2){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

float pd_stroke_length(const pd_vec2 *points, int count) {
    float length = 0;
    for (int i = 1; i < count; i++) length += distance(points[i - 1], points[i]);
    return length;
}

/* `last` + 1 points at equal distances along the line. */
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
        even[i] = between(points[segment], points[segment + 1], fminf(fmaxf(part, 0), 1));
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
            smooth[i] = between(between(before, smooth[i + 1], 0.5f), here, 0.5f);
            before = here;
        }
    }
    return last + 1;
}

static float distance_to_segment(pd_vec2 p, pd_vec2 a, pd_vec2 b) {
    float dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    float part = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    return distance(p, between(a, b, fminf(fmaxf(part, 0), 1)));
}

int pd_stroke_simplify(pd_vec2 *points, int count, float tolerance) {
    bool kept[PD_MAX_POINTS];
    short stack[PD_MAX_POINTS][2]; /* each part that waits has a last point of its own */
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

/* ---- Loops ---- */

static pd_vec2 crossing_of(const pd_vec2 *points, int count, int first, int second) {
    pd_vec2 a = points[first], b = points[first + 1], c = points[second], d = points[(second + 1) % count];
    double x = (double)b.x - a.x, y = (double)b.y - a.y, u = (double)d.x - c.x, v = (double)d.y - c.y;
    double across = x * v - y * u,
           part = across != 0 ? (((double)c.x - a.x) * v - ((double)c.y - a.y) * u) / across : 1;
    return between(a, b, (float)fmin(fmax(part, 0), 1));
}

/* Twice the area of the loop from a crossing over the points `first` + 1 to `second`; others: over the rest of them. */
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

/* Leaves out a point, or one of two loops; returns how many points stay, always fewer. */
static int cut_crossing(pd_vec2 *points, int count, int first, int second) {
    size_t size = sizeof *points;
    bool leads = first == 0 && second == count - 1;
    if (second - first <= 1 || leads) { /* a side without length, or one that goes back along its neighbour */
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

int pd_stroke_loop(pd_vec2 *points, int count) {
    enum { MOST_CUTS = 256 };
    int first, second;
    for (int cuts = 0; count >= 3 && pd_polygon_crosses(points, count, &first, &second); cuts++) {
        if (cuts == MOST_CUTS) return 0;
        count = cut_crossing(points, count, first, second);
    }
    return count >= 3 ? count : 0;
}
