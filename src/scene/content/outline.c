/* Traces the outline of the greatest part of a picture along the edges of its pixels. */
#include "scene/content/outline.h"

#include "core/error.h"
#include "core/memory.h"
#include "scene/content/image.h"

#include <stdlib.h>
#include <string.h>

enum { OUTSIDE, INSIDE, FIRST_PART }; /* mark of a pixel; from FIRST_PART on: number of its connected part */
enum { SAME_COLOR = 60 };             /* greatest sum of the differences of two colours that count as the same */

typedef struct tracing {
    const pd_bitmap *picture;
    int *mark;  /* by pixel: OUTSIDE, INSIDE or the number of its part */
    int *queue; /* pixels that a search has reached */
} tracing;

static const uint8_t *color_of(const tracing *t, int pixel) { return t->picture->rgba + 4 * (size_t)pixel; }

static bool is_background(const tracing *t, int pixel) {
    const uint8_t *a = color_of(t, pixel), *b = color_of(t, 0);
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]) <= SAME_COLOR;
}

/* Gives the mark `to` to the pixels with the mark `from` that are connected with `pixel` by sides, with `background` only those of
 * the background. Returns their number. */
static int flood(tracing *t, int pixel, int from, int to, bool background) {
    int columns = t->picture->columns, rows = t->picture->rows, begin = 0, end = 0;
    if (t->mark[pixel] != from || (background && !is_background(t, pixel))) return 0;
    t->mark[pixel] = to;
    t->queue[end++] = pixel;
    while (begin < end) {
        int at = t->queue[begin++], x = at % columns, y = at / columns;
        const int next[4] = {x > 0 ? at - 1 : at, x + 1 < columns ? at + 1 : at, y > 0 ? at - columns : at,
                             y + 1 < rows ? at + columns : at};
        for (int k = 0; k < 4; k++) {
            if (t->mark[next[k]] != from || (background && !is_background(t, next[k]))) continue;
            t->mark[next[k]] = to;
            t->queue[end++] = next[k];
        }
    }
    return end;
}

/* Sets the marks OUTSIDE and INSIDE. */
static void mark_inside(tracing *t) {
    int columns = t->picture->columns, rows = t->picture->rows, count = columns * rows;
    bool opaque = true;
    for (int i = 0; i < count; i++) {
        t->mark[i] = color_of(t, i)[3] < 128 ? OUTSIDE : INSIDE;
        opaque &= t->mark[i] == INSIDE;
    }
    for (int i = 0; i < count && opaque; i++) {
        int x = i % columns, y = i / columns;
        bool border = x == 0 || y == 0 || x == columns - 1 || y == rows - 1;
        if (border) flood(t, i, INSIDE, OUTSIDE, true);
    }
}

/* Marks the connected parts. Returns the mark of the greatest one. OUTSIDE: there is none. */
static int mark_parts(tracing *t) {
    int count = t->picture->columns * t->picture->rows, part = FIRST_PART, most = 0, greatest = OUTSIDE;
    for (int i = 0; i < count; i++) {
        int size = flood(t, i, INSIDE, part, false);
        if (size > most) {
            most = size;
            greatest = part;
        }
        part += size > 0;
    }
    return greatest;
}

static bool is_in_part(const tracing *t, int x, int y, int part) {
    int columns = t->picture->columns, rows = t->picture->rows;
    return x >= 0 && y >= 0 && x < columns && y < rows && t->mark[y * columns + x] == part;
}

/* Follows the outer edge of a part clockwise, with the part at the right hand, and stores its corners. */
static int trace(const tracing *t, int part, pd_vec2 *points) {
    static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};             /* right, down, left, up */
    static const int right_x[4] = {0, -1, -1, 0}, right_y[4] = {0, 0, -1, -1}; /* pixel ahead at the right hand */
    int first = 0, count = 0, columns = t->picture->columns;
    while (t->mark[first] != part) first++;
    int x = first % columns, y = first / columns, heading = 0;
    const int begin_x = x, begin_y = y;
    do {
        int before = heading, left = (heading + 3) % 4;
        if (!is_in_part(t, x + right_x[heading], y + right_y[heading], part))
            heading = (heading + 1) % 4;
        else if (is_in_part(t, x + right_x[left], y + right_y[left], part))
            heading = left;
        if (heading != before || count == 0) points[count++] = (pd_vec2){(float)x, (float)-y};
        x += dx[heading];
        y += dy[heading];
    } while (x != begin_x || y != begin_y || heading != 3);
    return count;
}

static void compute_mean_color(const tracing *t, int part, uint8_t rgb[3]) {
    int count = t->picture->columns * t->picture->rows, size = 0;
    long long sum[3] = {0};
    for (int i = 0; i < count; i++) {
        if (t->mark[i] != part) continue;
        for (int k = 0; k < 3; k++) sum[k] += color_of(t, i)[k];
        size++;
    }
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(sum[k] / (size > 0 ? size : 1));
}

static pd_result trace_picture(const char *path, tracing *t, pd_outline *outline, pd_error *error) {
    int columns = t->picture->columns, rows = t->picture->rows;
    float greater = (float)(columns > rows ? columns : rows), taller = (float)t->picture->height / (float)rows,
          wider = (float)t->picture->width / (float)columns; /* pixels of the file in a pixel of the bitmap */
    mark_inside(t);
    int part = mark_parts(t);
    if (part == OUTSIDE)
        return pd_fail(error, PD_ERROR_SCENE_VALUE,
                       "'%.200s' shows nothing that has an outline (use a picture with something on it)", path);
    compute_mean_color(t, part, outline->rgb);
    outline->count = trace(t, part, outline->points);
    outline->pixel = 1 / greater;
    for (int i = 0; i < outline->count; i++) {
        outline->points[i].x /= greater;
        outline->points[i].y *= taller / wider / greater;
    }
    outline->points[outline->count++] = outline->points[0];
    return PD_OK;
}

pd_result pd_picture_read_outline(const char *path, pd_outline *outline, pd_error *error) {
    pd_bitmap picture;
    *outline = (pd_outline){0};
    pd_result result = pd_picture_read_bitmap(path, &picture, error);
    if (result != PD_OK) return result;
    size_t count = (size_t)picture.columns * (size_t)picture.rows;
    tracing t = {&picture, pd_memory_new(count * sizeof *t.mark), pd_memory_new(count * sizeof *t.queue)};
    outline->points = pd_memory_new((4 * count + 2) * sizeof *outline->points);
    bool whole = t.mark && t.queue && outline->points;
    result = whole ? trace_picture(path, &t, outline, error) : pd_fail_memory(error, "a picture");
    pd_memory_free(t.mark);
    pd_memory_free(t.queue);
    pd_memory_free(picture.rgba);
    if (result != PD_OK) {
        pd_memory_free(outline->points);
        *outline = (pd_outline){0};
    }
    return result;
}
