#include "render/lines/streamlines.h"

#include "core/array.h"
#include "core/memory.h"
#include <math.h>
#include <string.h>

/* ---- Samples of the velocity field ---- */

static const float min_cell_side = 2; /* least distance between two samples, interface units */
/* pd_flow.rest_speed in units of pd_view.speed_scale. Fluid at rest still has speeds up to a third of rest_speed, which
 * the solvers leave. */
static const float rest_speed_fraction = 3e-4f;

void pd_flow_free(pd_flow *flow) {
    pd_free(flow->samples);
    memset(flow, 0, sizeof *flow);
}

/* Returns the mean velocity of a block of block_side x block_side cells, in the unit of the fields x and y. If fewer than
 * half of the cells have a value, the sample has no fluid. */
static pd_flow_sample compute_block_mean(const pd_field *x, const pd_field *y, int column, int row, int block_side) {
    int right = column + block_side < x->nx ? column + block_side : x->nx,
        top = row + block_side < x->ny ? row + block_side : x->ny;
    pd_flow_sample sum = {0};
    int found = 0;
    for (int j = row; j < top; j++)
        for (int i = column; i < right; i++) {
            size_t at = (size_t)j * (size_t)x->nx + (size_t)i;
            float vx = x->values[at], vy = y->values[at];
            if (!isfinite(vx) || !isfinite(vy)) continue;
            sum.x += vx;
            sum.y += vy;
            found++;
        }
    if (2 * found < (right - column) * (top - row)) return (pd_flow_sample){0};
    return (pd_flow_sample){sum.x / (float)found, sum.y / (float)found, 1, 0};
}

static uint32_t add_to_checksum(uint32_t sum, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (sum ^ bits) * 0x9e3779b1u;
}

static void read_samples(pd_flow *flow, const pd_field *x, const pd_field *y, int block_side, float units_per_metre) {
    uint32_t sum = 0;
    for (int j = 0; j < flow->ny; j++)
        for (int i = 0; i < flow->nx; i++) {
            pd_flow_sample *sample = &flow->samples[j * flow->nx + i];
            *sample = compute_block_mean(x, y, i * block_side, j * block_side, block_side);
            sample->x *= units_per_metre;
            sample->y *= -units_per_metre;
            sum = add_to_checksum(add_to_checksum(add_to_checksum(sum, sample->x), sample->y), sample->fluid);
        }
    flow->checksum = sum;
}

/* Sets the velocity of samples without fluid to the mean of their neighbours with fluid. Interpolated velocities near a
 * wall then approach the fluid's velocity instead of zero. */
static void extrapolate_samples(pd_flow *flow) {
    for (int j = 0; j < flow->ny; j++)
        for (int i = 0; i < flow->nx; i++) {
            pd_flow_sample *sample = &flow->samples[j * flow->nx + i];
            if (sample->fluid > 0) continue;
            float x = 0, y = 0, found = 0;
            for (int b = j > 0 ? j - 1 : 0; b <= j + 1 && b < flow->ny; b++)
                for (int a = i > 0 ? i - 1 : 0; a <= i + 1 && a < flow->nx; a++) {
                    const pd_flow_sample *other = &flow->samples[b * flow->nx + a];
                    if (!(other->fluid > 0)) continue;
                    x += other->x;
                    y += other->y;
                    found++;
                }
            if (found > 0) sample->x = x / found, sample->y = y / found;
        }
}

static float get_greatest_legend_value(const pd_field *field) {
    float most = fmaxf(fabsf(field->low), fabsf(field->high));
    return isfinite(most) ? most : 0;
}

bool pd_flow_sample_velocities(pd_flow *flow, const pd_picture *picture, const pd_camera *camera) {
    const pd_field *x = pd_view_field(picture->view, "velocity_x"), *y = pd_view_field(picture->view, "velocity_y");
    if (!x || !y || !x->values || !y->values || x->info.support != PD_FIELD_OF_CELLS || x->nx <= 0 || x->ny <= 0 ||
        x->nx != y->nx || x->ny != y->ny || !(x->cell > 0) || !isfinite(x->cell))
        return false;
    float units_per_metre = camera->pixels_per_metre / picture->scale, cell = x->cell * units_per_metre;
    pd_vec2 corner = pd_camera_world_to_pixels(camera, x->origin);
    int most = x->nx > x->ny ? x->nx : x->ny;
    int block_side = cell < min_cell_side ? (int)fminf(ceilf(min_cell_side / cell), (float)most) : 1;
    flow->sample_spacing = cell * (float)block_side;
    if (!(flow->sample_spacing > 0) || !isfinite(flow->sample_spacing) || !isfinite(corner.x) || !isfinite(corner.y))
        return false;
    flow->samples_per_unit = 1 / flow->sample_spacing;
    flow->nx = (x->nx - 1) / block_side + 1;
    flow->ny = (x->ny - 1) / block_side + 1;
    if (!PD_ARRAY_RESERVE(flow->samples, flow->capacity, 0, flow->nx * flow->ny)) return false;
    flow->x = corner.x / picture->scale + 0.5f * flow->sample_spacing;
    flow->y = corner.y / picture->scale - 0.5f * flow->sample_spacing;
    float scale = fmaxf(get_greatest_legend_value(x), get_greatest_legend_value(y));
    flow->greatest_speed = (scale > 0 ? scale : fmaxf(picture->view->speed_scale, 1e-6f)) * units_per_metre;
    flow->rest_speed = rest_speed_fraction * picture->view->speed_scale * units_per_metre;
    read_samples(flow, x, y, block_side, units_per_metre);
    extrapolate_samples(flow);
    return true;
}

/* ---- Streamlines ---- */

enum {
    MAX_LINES = 4096,
    MAX_POINTS = 1 << 17,
    MAX_TRACED = 4096, /* greatest number of points of a line on one side of its seed */
    /* number of failed attempts (too short lines) after which no further line is begun in a cell */
    MAX_FAILURES = 2,
    FAILURE_HALF_LIFE = 24, /* number of updates after which pd_streamlines.failures are halved */
    SEED_TEST_PERIOD = 3,   /* number of updates in which all seed positions beside old lines are tested once */
};

static const float point_spacing = 3.75f; /* distance between two successive points of a line */
static const float min_last_segment = 1;  /* least distance between the last two points of a line */
static const float min_new_loop = 54;     /* least length of a new closed line */
/* A closed line of the previous picture fades out if it becomes shorter than this. */
static const float min_old_loop = 38;
static const float min_new_length = 54; /* least length of a new line */
static const float min_old_length = 27; /* a line of the previous picture fades out if it becomes shorter than this */
static const float wall_distance = 6;   /* least distance of a new seed from walls */
/* A line ends at its own earlier mark only if they are farther apart than this along the line. */
static const float min_own_distance = 27;
static const float max_closing_gap = 1;   /* a line is closed only if it passes its seed within this distance */
static const float rest_fraction = 1e-4f; /* speed below which tracing stops, in units of the flow's greatest speed */
/* An end of a line moves by this fraction of the distance to its target in each update. */
static const float end_growth = 0.14f;
static const float max_end_change = 7;    /* greatest movement of an end of a line in an update */
static const float opacity_change = 0.1f; /* change of a line's opacity in an update */
/* a seed moves by this fraction of its distance to the middle of the line in an update */
static const float seed_shift = 0.04f;

/* ---- Marks: points of all lines in a grid of cells, to find lines that are near a point ---- */

static int find_cell_index(const pd_streamlines *streamlines, float x, float y) {
    float column = pd_flow_clamp_index(x / PD_STREAM_SEPARATION, (float)(streamlines->columns - 1));
    float row = pd_flow_clamp_index(y / PD_STREAM_SEPARATION, (float)(streamlines->rows - 1));
    return (int)row * streamlines->columns + (int)column;
}

static void add_position_mark(pd_streamlines *streamlines, float x, float y, int line_index, float distance_along) {
    if (streamlines->mark_count == MAX_POINTS) return;
    int cell = find_cell_index(streamlines, x, y);
    streamlines->marks[streamlines->mark_count] =
        (pd_stream_mark){x, y, distance_along, line_index, streamlines->heads[cell], cell};
    streamlines->heads[cell] = streamlines->mark_count++;
}

static void remove_last_marks(pd_streamlines *streamlines, int remaining_count) {
    while (streamlines->mark_count > remaining_count) {
        streamlines->mark_count--;
        streamlines->heads[streamlines->marks[streamlines->mark_count].cell] =
            streamlines->marks[streamlines->mark_count].next;
    }
}

typedef enum near_mark { NO_MARK, MARK_OF_OTHER_LINE, MARK_OF_SAME_LINE } near_mark;

/* Returns whether a mark of another line, or of the line line_index itself, is within `distance` of (x, y). Its own marks
 * count only if they are more than min_own_distance away along the line. distance_along: distance of (x, y) from the seed,
 * along the line. */
static near_mark find_near_mark(const pd_streamlines *streamlines, float x, float y, float distance, int line_index,
                                float distance_along) {
    int low = find_cell_index(streamlines, x - distance, y - distance),
        high = find_cell_index(streamlines, x + distance, y + distance);
    int columns = high % streamlines->columns - low % streamlines->columns + 1;
    near_mark found = NO_MARK;
    for (int row = low; row <= high; row += streamlines->columns)
        for (int cell = row; cell < row + columns; cell++)
            for (int i = streamlines->heads[cell]; i >= 0; i = streamlines->marks[i].next) {
                const pd_stream_mark *m = &streamlines->marks[i];
                float dx = m->x - x, dy = m->y - y;
                if (dx * dx + dy * dy >= distance * distance) continue;
                if (m->line != line_index) return MARK_OF_OTHER_LINE;
                if (fabsf(m->distance_along - distance_along) > min_own_distance) found = MARK_OF_SAME_LINE;
            }
    return found;
}

/* ---- Tracing a line ---- */

static float compute_least_traced_speed(const pd_flow *flow) {
    return fmaxf(rest_fraction * flow->greatest_speed, flow->rest_speed);
}

/* Path of the present flow from a line's seed, downstream or upstream. */
typedef struct trace {
    pd_stream_point *points; /* points, beginning with the seed */
    int count;               /* number of points */
    float target; /* length from the seed to the place where the line is to end. The drawn end moves there gradually. */
    bool closed;  /* the path returns to the seed */
} trace;

/* Moves *p by `length` along the flow (direction 1) or against it (-1), by the midpoint method. The half step uses
 * p->speed, the speed of the previous step. Returns false if *p leaves the fluid or the fluid is nearly at rest. */
static bool advance_point(const pd_flow *flow, float direction, float length, pd_stream_point *p) {
    float v[2], half = 0.5f * direction * length / p->speed;
    if (!pd_flow_interpolate(flow, p->x, p->y, v) ||
        !pd_flow_interpolate(flow, p->x + half * v[0], p->y + half * v[1], v))
        return false;
    float speed = sqrtf(v[0] * v[0] + v[1] * v[1]);
    if (!(speed > compute_least_traced_speed(flow))) return false;
    float seconds = direction * length / speed;
    p->x += seconds * v[0];
    p->y += seconds * v[1];
    p->distance_along += direction * length;
    p->time += seconds;
    p->speed = speed;
    return true;
}

/* Returns whether the step from the trace's last point to *p passes the line's seed, in about the direction of its first
 * step: the line is closed. If so, sets *p to the seed and distributes the small gap to the seed over the line's points. */
static bool close_trace_at_seed(const trace *trace, pd_stream_point *p) {
    const pd_stream_point *seed = &trace->points[0], *before = &trace->points[trace->count - 1];
    float x = (p->x - before->x) / point_spacing, y = (p->y - before->y) / point_spacing;
    float to_x = seed->x - before->x, to_y = seed->y - before->y;
    float ahead = to_x * x + to_y * y, aside = to_x * y - to_y * x;
    float turn = x * (trace->points[1].x - seed->x) + y * (trace->points[1].y - seed->y);
    if (ahead < 0 || ahead > point_spacing || fabsf(aside) > max_closing_gap || turn < 0.5f * point_spacing)
        return false;
    float length = before->distance_along + ahead, fraction = ahead / point_spacing;
    float miss_x = to_x - ahead * x, miss_y = to_y - ahead * y;
    *p = (pd_stream_point){seed->x, seed->y, length, before->time + fraction * (p->time - before->time), seed->speed};
    for (int i = 1; i < trace->count; i++) {
        trace->points[i].x += trace->points[i].distance_along / length * miss_x;
        trace->points[i].y += trace->points[i].distance_along / length * miss_y;
    }
    return true;
}

/* Traces a line from its seed downstream (direction 1) or upstream (-1). Adds marks up to trace.target, where the line
 * meets a mark or the fluid ends. Traces farther, without marks, if drawn_length is greater and the fluid moves there.
 * drawn_length: length that is drawn in this direction. */
static trace trace_line(pd_streamlines *streamlines, const pd_flow *flow, int line_index, float direction,
                        float drawn_length) {
    pd_stream_point p = {.x = streamlines->lines[line_index].x, .y = streamlines->lines[line_index].y};
    int steps = (int)fminf(ceilf(point_spacing / (0.45f * flow->sample_spacing)), 8);
    trace trace = {.points = streamlines->traced[direction < 0], .target = -1};
    float v[2] = {0, 0}, stop = drawn_length;
    pd_flow_interpolate(flow, p.x, p.y, v);
    p.speed = sqrtf(v[0] * v[0] + v[1] * v[1]);
    trace.points[trace.count++] = p;
    if (direction > 0) add_position_mark(streamlines, p.x, p.y, line_index, 0);
    while (p.speed > compute_least_traced_speed(flow) && trace.count < MAX_TRACED && p.x > -point_spacing &&
           p.y > -point_spacing && p.x < streamlines->width + point_spacing &&
           p.y < streamlines->height + point_spacing) {
        int moves = 0;
        while (moves < steps && advance_point(flow, direction, point_spacing / (float)steps, &p)) moves++;
        if (moves == 0 && trace.count > 1)
            trace.count--; /* removes the last point: the fluid ends before the next one */
        if (moves < steps) break;
        float far = fabsf(p.distance_along);
        trace.closed = direction > 0 && far >= min_own_distance && close_trace_at_seed(&trace, &p);
        near_mark found =
            trace.target < 0 && !trace.closed
                ? find_near_mark(streamlines, p.x, p.y, PD_STREAM_END_DISTANCE, line_index, p.distance_along)
                : NO_MARK;
        if (found) {
            trace.target = far - point_spacing;
            /* A line that is about to close meets marks near its own seed: traces farther, up to the seed. */
            if (found == MARK_OF_SAME_LINE && direction > 0) stop = fmaxf(stop, far + 3 * PD_STREAM_END_DISTANCE);
        }
        if (trace.target >= 0 && far > stop && !trace.closed) break;
        if (trace.target < 0) add_position_mark(streamlines, p.x, p.y, line_index, p.distance_along);
        trace.points[trace.count++] = p;
        if (trace.closed) break;
    }
    if (trace.target < 0 || trace.closed) trace.target = fabsf(trace.points[trace.count - 1].distance_along);
    return trace;
}

/* ---- Lines ---- */

static pd_stream_point interpolate_trace_point(const trace *trace, float distance) {
    int i = (int)fminf(distance / point_spacing, (float)(trace->count - 1));
    pd_stream_point a = trace->points[i];
    if (i + 1 >= trace->count) return a;
    pd_stream_point b = trace->points[i + 1];
    float length = fabsf(b.distance_along - a.distance_along),
          part = length > 0 ? fminf((distance - fabsf(a.distance_along)) / length, 1) : 0;
    return (pd_stream_point){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y),
                             a.distance_along + part * (b.distance_along - a.distance_along),
                             a.time + part * (b.time - a.time), a.speed + part * (b.speed - a.speed)};
}

static void add_drawn_point(pd_streamlines *streamlines, pd_streamline *line, pd_stream_point point) {
    if (streamlines->point_count == MAX_POINTS) return;
    streamlines->points[streamlines->point_count++] = point;
    line->count++;
}

/* Stores the points of a line that are drawn in streamlines->points, from the upstream end to the downstream end. back,
 * ahead: traces upstream and downstream of the seed. */
static void store_drawn_points(pd_streamlines *streamlines, pd_streamline *line, const trace *back,
                               const trace *ahead) {
    line->first = streamlines->point_count;
    line->count = 0;
    if (line->back > 0) {
        add_drawn_point(streamlines, line, interpolate_trace_point(back, line->back));
        for (int i = back->count - 1; i > 0; i--)
            if (-back->points[i].distance_along < line->back - min_last_segment)
                add_drawn_point(streamlines, line, back->points[i]);
    }
    for (int i = 0; i < ahead->count; i++)
        if (ahead->points[i].distance_along < line->ahead - min_last_segment)
            add_drawn_point(streamlines, line, ahead->points[i]);
    add_drawn_point(streamlines, line, interpolate_trace_point(ahead, line->ahead));
}

/* Moves a line's seed towards the line's middle, by the fraction `fraction` of the distance. With its seed in the middle a
 * line changes least when the flow changes. */
static void move_seed_to_middle(pd_streamline *line, const trace *back, const trace *ahead, float fraction) {
    float shift = fraction * 0.5f * (line->ahead - line->back);
    if (line->closed || fabsf(shift) < 0.05f) return;
    pd_stream_point seed = interpolate_trace_point(shift > 0 ? ahead : back, fabsf(shift));
    line->x = seed.x;
    line->y = seed.y;
    line->phase += seed.time;
    line->ahead -= seed.distance_along;
    line->back += seed.distance_along;
}

static float compute_next_drawn_length(float drawn_length, float target) {
    return drawn_length + fminf(fmaxf(end_growth * (target - drawn_length), -max_end_change), max_end_change);
}

/* Closes a line whose trace has reached its own seed. Moves the seed to the middle of the gap between the line's two
 * ends. In the next updates pd_streamline.taper decreases to 0, so that the ends get their full width. */
static void join_line_ends(pd_streamline *line, const trace *ahead) {
    float gap = ahead->target - line->ahead - line->back;
    pd_stream_point seed = interpolate_trace_point(ahead, fmaxf(line->ahead + 0.5f * gap, 0));
    line->x = seed.x;
    line->y = seed.y;
    line->phase += seed.time;
    line->ahead = ahead->target;
    line->back = 0;
    line->closed = true;
}

/* Traces a line of the previous picture again from its seed, in the present flow. Updates its ends and its opacity. */
static void continue_line(pd_streamlines *streamlines, const pd_flow *flow, int index) {
    pd_streamline *line = &streamlines->lines[index];
    int marks = streamlines->mark_count;
    bool was_closed = line->closed;
    if (find_near_mark(streamlines, line->x, line->y, PD_STREAM_END_DISTANCE, -1, 0)) line->fading = true;
    trace ahead = trace_line(streamlines, flow, index, 1, line->ahead),
          back = {.points = streamlines->traced[1], .count = 1};
    back.points[0] = ahead.points[0];
    line->closed = ahead.closed && was_closed;
    if (!line->closed) back = trace_line(streamlines, flow, index, -1, line->back);
    if (ahead.target + back.target < (ahead.closed ? min_old_loop : min_old_length)) line->fading = true;
    if (line->fading) remove_last_marks(streamlines, marks);
    if (line->closed) {
        line->ahead = ahead.target;
    } else if (!line->fading && !ahead.closed) {
        line->ahead = compute_next_drawn_length(line->ahead, ahead.target);
        line->back = compute_next_drawn_length(line->back, back.target);
    }
    line->ahead = fminf(line->ahead, fabsf(ahead.points[ahead.count - 1].distance_along));
    line->back = fminf(line->back, fabsf(back.points[back.count - 1].distance_along));
    line->opacity = fminf(line->opacity + (line->fading ? -opacity_change : opacity_change), 1);
    line->taper = fminf(fmaxf(line->taper + (line->closed ? -opacity_change : opacity_change), 0), 1);
    store_drawn_points(streamlines, line, &back, &ahead);
    if (ahead.closed && !was_closed && !line->fading)
        join_line_ends(line, &ahead);
    else
        move_seed_to_middle(line, &back, &ahead, seed_shift);
}

/* Returns whether there is fluid at the distance wall_distance from (x, y) in all four directions. A line nearer to a wall
 * would look like a part of the wall. */
static bool is_away_from_walls(const pd_flow *flow, float x, float y) {
    static const float beside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    float v[2];
    for (int k = 0; k < 4; k++)
        if (!pd_flow_interpolate(flow, x + wall_distance * beside[k][0], y + wall_distance * beside[k][1], v))
            return false;
    return true;
}

/* Adds a line with its seed at (x, y), unless there is no fluid, another line is near, or the line would be too short.
 * Returns whether a line was added. */
static bool add_line_at_seed(pd_streamlines *streamlines, const pd_flow *flow, float x, float y, float opacity) {
    float v[2];
    if (streamlines->line_count == MAX_LINES ||
        !(x > 0 && y > 0 && x < streamlines->width && y < streamlines->height) || !pd_flow_interpolate(flow, x, y, v) ||
        !is_away_from_walls(flow, x, y))
        return false;
    unsigned char *failures = &streamlines->failures[find_cell_index(streamlines, x, y)];
    if (*failures >= MAX_FAILURES || find_near_mark(streamlines, x, y, PD_STREAM_SEPARATION, -1, 0)) return false;
    int index = streamlines->line_count, marks = streamlines->mark_count;
    pd_streamline *line = &streamlines->lines[index];
    *line = (pd_streamline){.x = x, .y = y, .opacity = opacity};
    trace ahead = trace_line(streamlines, flow, index, 1, 0), back = {.points = streamlines->traced[1]};
    if (ahead.closed)
        back.points[back.count++] = ahead.points[0];
    else
        back = trace_line(streamlines, flow, index, -1, 0);
    line->closed = ahead.closed;
    line->taper = line->closed ? 0 : 1;
    line->ahead = ahead.target;
    line->back = back.target;
    if (line->ahead + line->back < (line->closed ? min_new_loop : min_new_length)) {
        remove_last_marks(streamlines, marks);
        ++*failures;
        return false;
    }
    streamlines->line_count++;
    store_drawn_points(streamlines, line, &back, &ahead);
    move_seed_to_middle(line, &back, &ahead, 1);
    return true;
}

/* Adds lines at a distance of about PD_STREAM_SEPARATION beside the lines with index first_line and above, including those
 * that it adds itself. Of the first old_line_count lines (of the previous update) each update tests only a part of the
 * positions. */
static void add_lines_beside_lines(pd_streamlines *streamlines, const pd_flow *flow, int first_line, int old_line_count,
                                   float opacity) {
    const float distance = 1.02f * PD_STREAM_SEPARATION;
    for (int index = first_line; index < streamlines->line_count; index++)
        for (int k = 1; k < streamlines->lines[index].count - 1 && !streamlines->lines[index].fading; k += 3) {
            if (index < old_line_count && (index + streamlines->update_count) % SEED_TEST_PERIOD) break;
            const pd_stream_point *p = &streamlines->points[streamlines->lines[index].first + k];
            float x = p[1].x - p[-1].x, y = p[1].y - p[-1].y, length = sqrtf(x * x + y * y);
            if (!(length > 0)) continue;
            x *= distance / length;
            y *= distance / length;
            add_line_at_seed(streamlines, flow, p->x - y, p->y + x, opacity);
            add_line_at_seed(streamlines, flow, p->x + y, p->y - x, opacity);
        }
}

static int compute_greatest_common_divisor(int a, int b) {
    while (b) {
        int remainder = a % b;
        a = b;
        b = remainder;
    }
    return a;
}

static void add_lines_in_gaps(pd_streamlines *streamlines, const pd_flow *flow, float opacity) {
    int old = streamlines->line_count;
    add_lines_beside_lines(streamlines, flow, 0, old, opacity);
    /* Tests a seed position in every cell, in scattered order: each position is 0.618 x (number of cells) after the
     * previous one. */
    int cells = streamlines->columns * streamlines->rows, stride = (int)(0.618034f * (float)cells);
    while (stride > 1 && compute_greatest_common_divisor(cells, stride) > 1) stride--;
    if (stride < 1) stride = 1;
    for (int i = 0, cell = cells / 2; i < cells; i++, cell = (cell + stride) % cells) {
        int before = streamlines->line_count;
        if (old > 0 && (i + streamlines->update_count) % SEED_TEST_PERIOD) continue;
        float x = ((float)(cell % streamlines->columns) + 0.5f) * PD_STREAM_SEPARATION;
        float y = ((float)(cell / streamlines->columns) + 0.5f) * PD_STREAM_SEPARATION;
        if (add_line_at_seed(streamlines, flow, x, y, opacity))
            add_lines_beside_lines(streamlines, flow, before, old, opacity);
    }
}

/* ---- Memory ---- */

void pd_streamlines_free(pd_streamlines *streamlines) {
    pd_free(streamlines->lines);
    pd_free(streamlines->points);
    pd_free(streamlines->marks);
    pd_free(streamlines->heads);
    pd_free(streamlines->failures);
    pd_free(streamlines->traced[0]);
    pd_free(streamlines->traced[1]);
    memset(streamlines, 0, sizeof *streamlines);
}

static bool reserve_arrays(pd_streamlines *streamlines, int cells) {
    if (!streamlines->lines &&
        !pd_arrays_resize(
            PD_ARRAYS(PD_ARRAY(streamlines->lines, 0, MAX_LINES), PD_ARRAY(streamlines->points, 0, MAX_POINTS),
                      PD_ARRAY(streamlines->marks, 0, MAX_POINTS), PD_ARRAY(streamlines->traced[0], 0, MAX_TRACED),
                      PD_ARRAY(streamlines->traced[1], 0, MAX_TRACED))))
        return false;
    if (cells <= streamlines->cell_capacity) return true;
    if (!pd_arrays_resize(PD_ARRAYS(PD_ARRAY(streamlines->heads, 0, cells), PD_ARRAY(streamlines->failures, 0, cells))))
        return false;
    streamlines->cell_capacity = cells;
    return true;
}

void pd_streamlines_update(pd_streamlines *streamlines, const pd_flow *flow, float width, float height, bool restart) {
    int columns = (int)(width / PD_STREAM_SEPARATION) + 1, rows = (int)(height / PD_STREAM_SEPARATION) + 1;
    restart = restart || columns != streamlines->columns || rows != streamlines->rows;
    streamlines->width = width, streamlines->height = height;
    streamlines->columns = columns, streamlines->rows = rows;
    if (!reserve_arrays(streamlines, columns * rows)) {
        pd_streamlines_free(streamlines);
        return;
    }
    bool changed = restart || flow->checksum != streamlines->flow_checksum;
    streamlines->flow_checksum = flow->checksum;
    if (!changed) return;
    if (restart) streamlines->line_count = streamlines->update_count = 0;
    streamlines->point_count = streamlines->mark_count = 0;
    memset(streamlines->heads, -1, (size_t)(columns * rows) * sizeof *streamlines->heads);
    if (restart) memset(streamlines->failures, 0, (size_t)(columns * rows));
    if (++streamlines->update_count % FAILURE_HALF_LIFE == 0)
        for (int i = 0; i < columns * rows; i++) streamlines->failures[i] /= 2;
    for (int i = 0; i < streamlines->line_count; i++) continue_line(streamlines, flow, i);
    add_lines_in_gaps(streamlines, flow, restart ? 1 : opacity_change);
    int kept = 0;
    for (int i = 0; i < streamlines->line_count; i++)
        if (streamlines->lines[i].opacity > 0) streamlines->lines[kept++] = streamlines->lines[i];
    streamlines->line_count = kept;
}
