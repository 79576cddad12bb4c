/* Traces the outline of the greatest component of a picture: marching squares (Lorensen and Cline 1987), from pixel to pixel. */
#include "scene/content/outline.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "scene/content/image.h"
#include "scene/polygon.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTSIDE, INSIDE, FIRST_COMPONENT }; /* mark of a pixel; from FIRST_COMPONENT on: number of its component */
enum { SAME_COLOR = 60 };                  /* greatest sum of the differences of two colours that count as the same */
static const double SPECK =
    0.01; /* greatest size of a component or hole that no message mentions / size of the greatest component */
static const float FINE = 0.25f, /* tolerance of a contour of half transparency, pixels */
    ROUGH = 0.45f;               /* tolerance of a contour by colours, which has steps, pixels */

typedef struct tracing {
    const pd_bitmap *picture;
    int *mark;   /* by pixel: OUTSIDE, INSIDE or the number of its component */
    int *queue;  /* pixels that a search has reached */
    bool opaque; /* whether the picture has no transparent pixels, so that its colours tell what is inside */
} tracing;

/* Connected components of a picture. */
typedef struct components {
    int greatest; /* mark of the greatest component; OUTSIDE: there is none */
    int most;     /* number of its pixels */
    int count;    /* number of components that are more than specks */
} components;

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
    int columns = t->picture->columns, rows = t->picture->rows, count = columns * rows, background = 0;
    t->opaque = true;
    for (int i = 0; i < count; i++) {
        t->mark[i] = color_of(t, i)[3] < 128 ? OUTSIDE : INSIDE;
        t->opaque &= t->mark[i] == INSIDE;
        background += is_background(t, i);
    }
    for (int i = 0; i < count && t->opaque && background < count; i++) {
        int x = i % columns, y = i / columns;
        bool border = x == 0 || y == 0 || x == columns - 1 || y == rows - 1;
        if (border) flood(t, i, INSIDE, OUTSIDE, true);
    }
}

/* Marks the pixels of each component with its number. */
static components mark_components(tracing *t) {
    int count = t->picture->columns * t->picture->rows, component = FIRST_COMPONENT;
    components found = {.greatest = OUTSIDE};
    for (int i = 0; i < count; i++) {
        int size = flood(t, i, INSIDE, component, false);
        if (size > found.most) found = (components){component, size, 0};
        component += size > 0;
    }
    memset(t->queue, 0, (size_t)count * sizeof *t->queue); /* from here on: sizes of the components */
    for (int i = 0; i < count; i++)
        if (t->mark[i] >= FIRST_COMPONENT) t->queue[t->mark[i] - FIRST_COMPONENT]++;
    for (int i = 0; i < component - FIRST_COMPONENT; i++) found.count += t->queue[i] > SPECK * found.most;
    return found;
}

static bool is_in_component(const tracing *t, int x, int y, int component) {
    int columns = t->picture->columns, rows = t->picture->rows;
    return x >= 0 && y >= 0 && x < columns && y < rows && t->mark[y * columns + x] == component;
}

/* Returns how far a pixel is inside the component, in units of alpha: negative outside of it. */
static float get_alpha_above_half(const tracing *t, int x, int y) {
    int columns = t->picture->columns;
    bool exists = x >= 0 && y >= 0 && x < columns && y < t->picture->rows;
    return (exists ? (float)color_of(t, y * columns + x)[3] : 0) - 127.5f;
}

/* Follows the outer edge of a component clockwise, with the component at the right hand. Stores the contour of half transparency: a
 * point between each pixel of the edge and its neighbour outside. points: pixels from the upper left corner, y downwards; the
 * last one is the first one again. Returns the number of points. *enclosed: number of pixels of the component and of its holes. */
static int trace(const tracing *t, int component, pd_vec2 *points, int *enclosed) {
    static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};             /* right, down, left, up */
    static const int right_x[4] = {0, -1, -1, 0}, right_y[4] = {0, 0, -1, -1}; /* pixel ahead at the right hand */
    int first = 0, count = 0, columns = t->picture->columns;
    while (t->mark[first] != component) first++;
    int x = first % columns, y = first / columns, heading = 0;
    const int begin_x = x, begin_y = y;
    *enclosed = 0;
    do {
        int left = (heading + 3) % 4;
        if (!is_in_component(t, x + right_x[heading], y + right_y[heading], component))
            heading = (heading + 1) % 4;
        else if (is_in_component(t, x + right_x[left], y + right_y[left], component))
            heading = left;
        int in_x = x + right_x[heading], in_y = y + right_y[heading], out_x = in_x + dy[heading],
            out_y = in_y - dx[heading];
        float in = get_alpha_above_half(t, in_x, in_y), out = get_alpha_above_half(t, out_x, out_y);
        /* A point is no centre of a pixel, where it would meet another one. */
        float fraction = t->opaque ? 0.5f : fminf(fmaxf(in / (in - out), 0.1f), 0.9f);
        points[count++] = (pd_vec2){(float)in_x + 0.5f + fraction * (float)(out_x - in_x),
                                    (float)in_y + 0.5f + fraction * (float)(out_y - in_y)};
        x += dx[heading];
        y += dy[heading];
        *enclosed += x * dy[heading];
    } while (x != begin_x || y != begin_y || heading != 3);
    points[count++] = points[0];
    return count;
}

static pd_own_color compute_mean_color(const tracing *t, int component) {
    int count = t->picture->columns * t->picture->rows, sum[3] = {0}, size = 0;
    for (int i = 0; i < count; i++) {
        if (t->mark[i] != component) continue;
        for (int k = 0; k < 3; k++) sum[k] += color_of(t, i)[k];
        size++;
    }
    PD_ASSERT(size > 0);
    return (pd_own_color){(uint8_t)(sum[0] / size), (uint8_t)(sum[1] / size), (uint8_t)(sum[2] / size), true};
}

/* Makes area->points from a contour in pixels: as few points as `tolerance` allows, in m. Returns false if they are no
 * polygon. */
static bool fit_polygon(const tracing *t, const pd_vec2 *contour, int count, float tolerance, pd_area *area) {
    float columns = (float)t->picture->columns, rows = (float)t->picture->rows;
    memcpy(area->points, contour, (size_t)count * sizeof *contour);
    area->point_count = count = pd_polyline_simplify(area->points, count, tolerance) - 1;
    for (int i = 0; i < count; i++)
        area->points[i] = (pd_vec2){area->size.x * (area->points[i].x / columns - 0.5f),
                                    area->size.y * (0.5f - area->points[i].y / rows)};
    int first, second;
    return count >= 3 && count <= PD_MAX_POINTS && !pd_polygon_find_crossing(area->points, count, &first, &second);
}

/* Writes what the polygon lacks, in one line: other components, and holes. Specks are not worth a line. */
static void write_left_out(const char *path, const components *found, int enclosed, pd_area *area) {
    const char *slash = strrchr(path, '/');
    char name[PD_MAX_NAME];
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    pd_text_shorten(name, sizeof name);
    bool holes = enclosed - found->most > SPECK * found->most;
    if (found->count > 1)
        snprintf(area->left_out, sizeof area->left_out,
                 "of the %d separate shapes in '%s' only the greatest is used%s (make a file for each)", found->count,
                 name, holes ? ", with its holes filled" : "");
    else if (holes)
        snprintf(area->left_out, sizeof area->left_out,
                 "the holes of the shape in '%s' are filled (cut the shape open to let fluid in)", name);
}

static pd_result trace_picture(const char *path, tracing *t, pd_vec2 *contour, pd_area *area, pd_error *error) {
    int enclosed;
    mark_inside(t);
    components found = mark_components(t);
    if (found.greatest == OUTSIDE)
        return pd_fail(error, PD_ERROR_SCENE_VALUE,
                       "'%.200s' is more than half transparent everywhere (use a picture with an opaque shape)", path);
    int count = trace(t, found.greatest, contour, &enclosed);
    float tolerance = t->opaque ? ROUGH : FINE;
    while (!fit_polygon(t, contour, count, tolerance, area)) {
        if (tolerance == 0)
            return pd_fail(error, PD_ERROR_SCENE_TOO_LARGE,
                           "the outline of '%.200s' has more than %d points (use a simpler picture)", path,
                           PD_MAX_POINTS);
        tolerance = tolerance > FINE / 4 ? tolerance / 2 : 0;
    }
    if (!area->color.is_given) area->color = compute_mean_color(t, found.greatest);
    write_left_out(path, &found, enclosed, area);
    return PD_OK;
}

pd_result pd_picture_read_outline(const char *path, pd_area *area, pd_error *error) {
    pd_bitmap picture;
    pd_result result = pd_picture_read_bitmap(path, &picture, error);
    if (result != PD_OK) return result;
    area->shape = PD_SHAPE_POLYGON;
    area->point_count = 0;
    if (area->size.y == 0) area->size.y = area->size.x * (float)picture.height / (float)picture.width;
    size_t count = (size_t)picture.columns * (size_t)picture.rows, edges = 4 * count + 1;
    tracing t = {&picture, pd_memory_new(count * sizeof *t.mark), pd_memory_new(count * sizeof *t.queue)};
    pd_vec2 *contour = pd_memory_new(edges * sizeof *contour);
    area->points = pd_memory_new(edges * sizeof *area->points);
    bool whole = t.mark && t.queue && contour && area->points;
    result = whole ? trace_picture(path, &t, contour, area, error) : pd_fail_memory(error, "a picture");
    pd_memory_free(t.mark);
    pd_memory_free(t.queue);
    pd_memory_free(contour);
    pd_memory_free(picture.rgba);
    pd_vec2 *fitting = NULL;
    if (result == PD_OK) fitting = pd_memory_resize(area->points, (size_t)area->point_count * sizeof *fitting);
    if (result == PD_OK && !fitting) result = pd_fail_memory(error, "a picture");
    if (!fitting) pd_memory_free(area->points);
    area->points = fitting;
    if (!fitting) area->point_count = 0;
    return result;
}
