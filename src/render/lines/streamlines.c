/* Traces streamlines, and continues them from picture to picture. Lengths without a unit are in interface units. */
#include "render/lines/streamlines.h"

#include "core/array.h"
#include "core/memory.h"
#include <math.h>
#include <string.h>

enum {
    MAX_LINES = 4096,
    MAX_POINTS = 1 << 17,
    MAX_TRACED = 4096, /* most points of a line on one side of its seed */
    /* failed attempts after which no line begins in a cell; an attempt fails if the line is too short */
    MAX_FAILURES = 2,
    FAILURE_HALF_LIFE = 24, /* updates after which the failure counts of all cells are halved */
    SEED_TEST_PERIOD = 3,   /* updates in which all seed positions beside old lines are tested once */
};

static const float point_spacing = 3.75f; /* distance of two neighbouring points of a line */
static const float min_last_segment = 1;  /* least distance of the last two points of a line */
static const float min_new_loop = 54;     /* least length of a new closed line */
static const float min_old_loop = 38;     /* least length of a closed line of the previous picture, else it fades */
static const float min_new_length = 54;   /* least length of a new line */
static const float min_old_length = 27;   /* least length of a line of the previous picture, else it fades */
static const float wall_distance = 6;     /* least distance of a new seed from walls */
static const float min_own_distance = 27; /* distance along a line from which the line's own marks end it */
static const float max_closing_gap = 1;   /* largest distance of a closing line from its seed */
static const float rest_fraction = 1e-4f; /* speed / greatest speed of the flow below which tracing stops */
/* Fraction of the remaining length by which an end moves in each update. */
static const float end_growth = 0.14f;
static const float max_end_change = 7;    /* largest movement of an end in an update */
static const float opacity_change = 0.1f; /* change of a line's opacity in an update */
/* fraction of the distance to the line's middle that a seed moves in an update */
static const float seed_shift = 0.04f;

/* ---- Marks: places that lines occupy ---- */

static int find_cell(const pd_streamlines *s, float x, float y) {
    float column = pd_flow_clamp(x / PD_STREAM_SEPARATION, (float)(s->columns - 1));
    float row = pd_flow_clamp(y / PD_STREAM_SEPARATION, (float)(s->rows - 1));
    return (int)row * s->columns + (int)column;
}

static void add_mark(pd_streamlines *s, float x, float y, int line, float along) {
    if (s->mark_count == MAX_POINTS) return;
    int cell = find_cell(s, x, y);
    s->marks[s->mark_count] = (pd_stream_mark){x, y, along, line, s->heads[cell], cell};
    s->heads[cell] = s->mark_count++;
}

static void remove_last_marks(pd_streamlines *s, int remaining) {
    while (s->mark_count > remaining) {
        s->mark_count--;
        s->heads[s->marks[s->mark_count].cell] = s->marks[s->mark_count].next;
    }
}

typedef enum near_mark { NO_MARK, MARK_OF_OTHER_LINE, MARK_OF_SAME_LINE } near_mark;

/* Returns whose mark is within `distance` of (x, y). Marks of `line` count only if they are more than min_own_distance
 * away along the line. along: distance of (x, y) along the line from its seed. */
static near_mark find_near_mark(const pd_streamlines *s, float x, float y, float distance, int line, float along) {
    int low = find_cell(s, x - distance, y - distance), high = find_cell(s, x + distance, y + distance);
    int columns = high % s->columns - low % s->columns + 1;
    near_mark found = NO_MARK;
    for (int row = low; row <= high; row += s->columns)
        for (int cell = row; cell < row + columns; cell++)
            for (int i = s->heads[cell]; i >= 0; i = s->marks[i].next) {
                const pd_stream_mark *m = &s->marks[i];
                float dx = m->x - x, dy = m->y - y;
                if (dx * dx + dy * dy >= distance * distance) continue;
                if (m->line != line) return MARK_OF_OTHER_LINE;
                if (fabsf(m->along - along) > min_own_distance) found = MARK_OF_SAME_LINE;
            }
    return found;
}

/* ---- Tracing a line ---- */

static float least_traced_speed(const pd_flow *flow) {
    return fmaxf(rest_fraction * flow->greatest_speed, flow->rest_speed);
}

typedef struct trace {
    pd_stream_point *points; /* points, beginning with the seed */
    int count;
    float target; /* length that the line may have: to its end, or to the mark of another line */
    bool closed;
} trace;

/* Moves p by `length` along the flow (sign 1) or against it (-1), by the midpoint method. The first half step uses
 * p->speed, the speed of the previous step. Returns false if p is outside of the fluid or the fluid is at rest. */
static bool advance_point(const pd_flow *flow, float sign, float length, pd_stream_point *p) {
    float v[2], half = 0.5f * sign * length / p->speed;
    if (!pd_flow_interpolate(flow, p->x, p->y, v) ||
        !pd_flow_interpolate(flow, p->x + half * v[0], p->y + half * v[1], v))
        return false;
    float speed = sqrtf(v[0] * v[0] + v[1] * v[1]);
    if (!(speed > least_traced_speed(flow))) return false;
    float seconds = sign * length / speed;
    p->x += seconds * v[0];
    p->y += seconds * v[1];
    p->along += sign * length;
    p->time += seconds;
    p->speed = speed;
    return true;
}

/* Returns whether the last step, which ends at p, passes the line's seed in the direction of its first step. If so,
 * sets p to the seed and distributes the remaining gap over the line's points. */
static bool close_trace_at_seed(const trace *trace, pd_stream_point *p) {
    const pd_stream_point *seed = &trace->points[0], *before = &trace->points[trace->count - 1];
    float x = (p->x - before->x) / point_spacing, y = (p->y - before->y) / point_spacing;
    float to_x = seed->x - before->x, to_y = seed->y - before->y;
    float ahead = to_x * x + to_y * y, aside = to_x * y - to_y * x;
    float turn = x * (trace->points[1].x - seed->x) + y * (trace->points[1].y - seed->y);
    if (ahead < 0 || ahead > point_spacing || fabsf(aside) > max_closing_gap || turn < 0.5f * point_spacing)
        return false;
    float length = before->along + ahead, part = ahead / point_spacing;
    float miss_x = to_x - ahead * x, miss_y = to_y - ahead * y;
    *p = (pd_stream_point){seed->x, seed->y, length, before->time + part * (p->time - before->time), seed->speed};
    for (int i = 1; i < trace->count; i++) {
        trace->points[i].x += trace->points[i].along / length * miss_x;
        trace->points[i].y += trace->points[i].along / length * miss_y;
    }
    return true;
}

/* Traces a line from its seed in one direction (sign 1: downstream, -1: upstream) and adds marks, up to the length
 * `target` at which it meets a mark. Continues without marks to the length drawn_length if there is flow. */
static trace trace_line(pd_streamlines *s, const pd_flow *flow, int line, float sign, float drawn_length) {
    pd_stream_point p = {.x = s->lines[line].x, .y = s->lines[line].y};
    int steps = (int)fminf(ceilf(point_spacing / (0.45f * flow->sample_spacing)), 8);
    trace trace = {.points = s->traced[sign < 0], .target = -1};
    float v[2] = {0, 0}, stop = drawn_length;
    pd_flow_interpolate(flow, p.x, p.y, v);
    p.speed = sqrtf(v[0] * v[0] + v[1] * v[1]);
    trace.points[trace.count++] = p;
    if (sign > 0) add_mark(s, p.x, p.y, line, 0);
    while (p.speed > least_traced_speed(flow) && trace.count < MAX_TRACED && p.x > -point_spacing &&
           p.y > -point_spacing && p.x < s->width + point_spacing && p.y < s->height + point_spacing) {
        int moves = 0;
        while (moves < steps && advance_point(flow, sign, point_spacing / (float)steps, &p)) moves++;
        if (moves == 0 && trace.count > 1) trace.count--; /* the last point is outside of the fluid */
        if (moves < steps) break;
        float far = fabsf(p.along);
        trace.closed = sign > 0 && far >= min_own_distance && close_trace_at_seed(&trace, &p);
        near_mark found = trace.target < 0 && !trace.closed
                              ? find_near_mark(s, p.x, p.y, PD_STREAM_END_DISTANCE, line, p.along)
                              : NO_MARK;
        if (found) {
            trace.target = far - point_spacing;
            /* A line that is about to close meets the marks of its own beginning: traces on to reach the seed. */
            if (found == MARK_OF_SAME_LINE && sign > 0) stop = fmaxf(stop, far + 3 * PD_STREAM_END_DISTANCE);
        }
        if (trace.target >= 0 && far > stop && !trace.closed) break;
        if (trace.target < 0) add_mark(s, p.x, p.y, line, p.along);
        trace.points[trace.count++] = p;
        if (trace.closed) break;
    }
    if (trace.target < 0 || trace.closed) trace.target = fabsf(trace.points[trace.count - 1].along);
    return trace;
}

/* ---- Lines ---- */

static pd_stream_point interpolate_point(const trace *trace, float distance) {
    int i = (int)fminf(distance / point_spacing, (float)(trace->count - 1));
    pd_stream_point a = trace->points[i];
    if (i + 1 >= trace->count) return a;
    pd_stream_point b = trace->points[i + 1];
    float length = fabsf(b.along - a.along), part = length > 0 ? fminf((distance - fabsf(a.along)) / length, 1) : 0;
    return (pd_stream_point){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), a.along + part * (b.along - a.along),
                             a.time + part * (b.time - a.time), a.speed + part * (b.speed - a.speed)};
}

static void add_point(pd_streamlines *s, pd_streamline *line, pd_stream_point point) {
    if (s->point_count == MAX_POINTS) return;
    s->points[s->point_count++] = point;
    line->count++;
}

/* Stores the drawn points of a line, from its upstream end to its downstream end. */
static void store_points(pd_streamlines *s, pd_streamline *line, const trace *back, const trace *ahead) {
    line->first = s->point_count;
    line->count = 0;
    if (line->back > 0) {
        add_point(s, line, interpolate_point(back, line->back));
        for (int i = back->count - 1; i > 0; i--)
            if (-back->points[i].along < line->back - min_last_segment) add_point(s, line, back->points[i]);
    }
    for (int i = 0; i < ahead->count; i++)
        if (ahead->points[i].along < line->ahead - min_last_segment) add_point(s, line, ahead->points[i]);
    add_point(s, line, interpolate_point(ahead, line->ahead));
}

/* Moves a line's seed the fraction `fraction` of the way to the line's middle. A seed in the middle moves the line
 * least when the flow changes. */
static void move_seed_to_middle(pd_streamline *line, const trace *back, const trace *ahead, float fraction) {
    float shift = fraction * 0.5f * (line->ahead - line->back);
    if (line->closed || fabsf(shift) < 0.05f) return;
    pd_stream_point seed = interpolate_point(shift > 0 ? ahead : back, fabsf(shift));
    line->x = seed.x;
    line->y = seed.y;
    line->phase += seed.time;
    line->ahead -= seed.along;
    line->back += seed.along;
}

static float next_drawn_length(float drawn_length, float target) {
    return drawn_length + fminf(fmaxf(end_growth * (target - drawn_length), -max_end_change), max_end_change);
}

/* Changes a line that has met its own beginning to a closed one. The seed moves to the middle of the gap between the
 * ends, which are tapered there until `taper` is 0. */
static void join_ends(pd_streamline *line, const trace *ahead) {
    float gap = ahead->target - line->ahead - line->back;
    pd_stream_point seed = interpolate_point(ahead, fmaxf(line->ahead + 0.5f * gap, 0));
    line->x = seed.x;
    line->y = seed.y;
    line->phase += seed.time;
    line->ahead = ahead->target;
    line->back = 0;
    line->closed = true;
}

/* Traces a line of the previous picture again in the present flow, and updates its ends and opacity. */
static void update_line(pd_streamlines *s, const pd_flow *flow, int index) {
    pd_streamline *line = &s->lines[index];
    int marks = s->mark_count;
    bool was_closed = line->closed;
    if (find_near_mark(s, line->x, line->y, PD_STREAM_END_DISTANCE, -1, 0)) line->fading = true;
    trace ahead = trace_line(s, flow, index, 1, line->ahead), back = {.points = s->traced[1], .count = 1};
    back.points[0] = ahead.points[0];
    line->closed = ahead.closed && was_closed;
    if (!line->closed) back = trace_line(s, flow, index, -1, line->back);
    if (ahead.target + back.target < (ahead.closed ? min_old_loop : min_old_length)) line->fading = true;
    if (line->fading) remove_last_marks(s, marks);
    if (line->closed) {
        line->ahead = ahead.target;
    } else if (!line->fading && !ahead.closed) {
        line->ahead = next_drawn_length(line->ahead, ahead.target);
        line->back = next_drawn_length(line->back, back.target);
    }
    line->ahead = fminf(line->ahead, fabsf(ahead.points[ahead.count - 1].along));
    line->back = fminf(line->back, fabsf(back.points[back.count - 1].along));
    line->opacity = fminf(line->opacity + (line->fading ? -opacity_change : opacity_change), 1);
    line->taper = fminf(fmaxf(line->taper + (line->closed ? -opacity_change : opacity_change), 0), 1);
    store_points(s, line, &back, &ahead);
    if (ahead.closed && !was_closed && !line->fading)
        join_ends(line, &ahead);
    else
        move_seed_to_middle(line, &back, &ahead, seed_shift);
}

/* Returns whether (x, y) is at least wall_distance from walls. A line from a seed near a wall would look like a part of
 * the wall. */
static bool is_away_from_walls(const pd_flow *flow, float x, float y) {
    static const float beside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    float v[2];
    for (int k = 0; k < 4; k++)
        if (!pd_flow_interpolate(flow, x + wall_distance * beside[k][0], y + wall_distance * beside[k][1], v))
            return false;
    return true;
}

/* Adds a line with its seed at (x, y) if there is fluid and no other line is near. Returns false if no line was added,
 * also if it would be too short. */
static bool add_line(pd_streamlines *s, const pd_flow *flow, float x, float y, float opacity) {
    float v[2];
    if (s->line_count == MAX_LINES || !(x > 0 && y > 0 && x < s->width && y < s->height) ||
        !pd_flow_interpolate(flow, x, y, v) || !is_away_from_walls(flow, x, y))
        return false;
    unsigned char *failures = &s->failures[find_cell(s, x, y)];
    if (*failures >= MAX_FAILURES || find_near_mark(s, x, y, PD_STREAM_SEPARATION, -1, 0)) return false;
    int index = s->line_count, marks = s->mark_count;
    pd_streamline *line = &s->lines[index];
    *line = (pd_streamline){.x = x, .y = y, .opacity = opacity};
    trace ahead = trace_line(s, flow, index, 1, 0), back = {.points = s->traced[1]};
    if (ahead.closed)
        back.points[back.count++] = ahead.points[0];
    else
        back = trace_line(s, flow, index, -1, 0);
    line->closed = ahead.closed;
    line->taper = line->closed ? 0 : 1;
    line->ahead = ahead.target;
    line->back = back.target;
    if (line->ahead + line->back < (line->closed ? min_new_loop : min_new_length)) {
        remove_last_marks(s, marks);
        ++*failures;
        return false;
    }
    s->line_count++;
    store_points(s, line, &back, &ahead);
    move_seed_to_middle(line, &back, &ahead, 1);
    return true;
}

/* Adds lines beside the lines from index `first` on, including those that it adds. Of the first old_count lines, which
 * are old, a part is tested in each update. */
static void add_lines_beside(pd_streamlines *s, const pd_flow *flow, int first, int old_count, float opacity) {
    const float distance = 1.02f * PD_STREAM_SEPARATION;
    for (int index = first; index < s->line_count; index++)
        for (int k = 1; k < s->lines[index].count - 1 && !s->lines[index].fading; k += 3) {
            if (index < old_count && (index + s->update_count) % SEED_TEST_PERIOD) break;
            const pd_stream_point *p = &s->points[s->lines[index].first + k];
            float x = p[1].x - p[-1].x, y = p[1].y - p[-1].y, length = sqrtf(x * x + y * y);
            if (!(length > 0)) continue;
            x *= distance / length;
            y *= distance / length;
            add_line(s, flow, p->x - y, p->y + x, opacity);
            add_line(s, flow, p->x + y, p->y - x, opacity);
        }
}

static int greatest_common_divisor(int a, int b) {
    while (b) {
        int remainder = a % b;
        a = b;
        b = remainder;
    }
    return a;
}

static void add_lines(pd_streamlines *s, const pd_flow *flow, float opacity) {
    int old = s->line_count;
    add_lines_beside(s, flow, 0, old, opacity);
    /* Tests seed positions everywhere, in scattered order: the stride is near the golden section of the number of
     * cells. */
    int cells = s->columns * s->rows, stride = (int)(0.618034f * (float)cells);
    while (stride > 1 && greatest_common_divisor(cells, stride) > 1) stride--;
    if (stride < 1) stride = 1;
    for (int i = 0, cell = cells / 2; i < cells; i++, cell = (cell + stride) % cells) {
        int before = s->line_count;
        if (old > 0 && (i + s->update_count) % SEED_TEST_PERIOD) continue;
        float x = ((float)(cell % s->columns) + 0.5f) * PD_STREAM_SEPARATION;
        float y = ((float)(cell / s->columns) + 0.5f) * PD_STREAM_SEPARATION;
        if (add_line(s, flow, x, y, opacity)) add_lines_beside(s, flow, before, old, opacity);
    }
}

static void remove_faded_lines(pd_streamlines *s) {
    int kept = 0;
    for (int i = 0; i < s->line_count; i++)
        if (s->lines[i].opacity > 0) s->lines[kept++] = s->lines[i];
    s->line_count = kept;
}

/* ---- Memory ---- */

void pd_streamlines_free(pd_streamlines *s) {
    pd_free(s->lines);
    pd_free(s->points);
    pd_free(s->marks);
    pd_free(s->heads);
    pd_free(s->failures);
    pd_free(s->traced[0]);
    pd_free(s->traced[1]);
    memset(s, 0, sizeof *s);
}

static bool reserve_cells(pd_streamlines *s, int cells) {
    if (!s->lines &&
        !pd_arrays_resize(PD_ARRAYS(PD_ARRAY(s->lines, 0, MAX_LINES), PD_ARRAY(s->points, 0, MAX_POINTS),
                                    PD_ARRAY(s->marks, 0, MAX_POINTS), PD_ARRAY(s->traced[0], 0, MAX_TRACED),
                                    PD_ARRAY(s->traced[1], 0, MAX_TRACED))))
        return false;
    if (cells <= s->cell_capacity) return true;
    if (!pd_arrays_resize(PD_ARRAYS(PD_ARRAY(s->heads, 0, cells), PD_ARRAY(s->failures, 0, cells)))) return false;
    s->cell_capacity = cells;
    return true;
}

void pd_streamlines_update(pd_streamlines *s, const pd_flow *flow, float width, float height, bool restart) {
    int columns = (int)(width / PD_STREAM_SEPARATION) + 1, rows = (int)(height / PD_STREAM_SEPARATION) + 1;
    restart = restart || columns != s->columns || rows != s->rows;
    s->width = width, s->height = height;
    s->columns = columns, s->rows = rows;
    if (!reserve_cells(s, columns * rows)) {
        pd_streamlines_free(s);
        return;
    }
    bool changed = restart || flow->checksum != s->flow_checksum;
    s->flow_checksum = flow->checksum;
    if (!changed) return;
    if (restart) s->line_count = s->update_count = 0;
    s->point_count = s->mark_count = 0;
    memset(s->heads, -1, (size_t)(columns * rows) * sizeof *s->heads);
    if (restart) memset(s->failures, 0, (size_t)(columns * rows));
    if (++s->update_count % FAILURE_HALF_LIFE == 0)
        for (int i = 0; i < columns * rows; i++) s->failures[i] /= 2;
    for (int i = 0; i < s->line_count; i++) update_line(s, flow, i);
    add_lines(s, flow, restart ? 1 : opacity_change);
    remove_faded_lines(s);
}
