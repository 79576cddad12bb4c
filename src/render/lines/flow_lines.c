#include "render/lines/flow_lines.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/shader.h"
#include "render/solid.h"
#include <epoxy/gl.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- Strokes, as one mesh of triangles ---- */

static const float halo_width = 2.4f; /* width of the dark halo around a stroke, interface units */
/* For each vertex the shader reads the vertex and the two before it, the corners of a triangle. So the buffer begins with
 * two unused vertices. */
enum { ATTRIBUTES = 2, CORNERS = 3, EARLIER_CORNERS = CORNERS - 1 };

pd_result pd_flow_lines_create(pd_flow_lines *lines, pd_error *error) {
    pd_strokes *strokes = &lines->strokes;
    pd_result result = pd_shader_load(&strokes->program, "stroke.vert", "stroke.frag", error);
    if (result) return result;
    glGenVertexArrays(1, &strokes->array);
    glGenBuffers(1, &strokes->buffer);
    glBindVertexArray(strokes->array);
    glBindBuffer(GL_ARRAY_BUFFER, strokes->buffer);
    for (GLuint back = 0; back < CORNERS; back++) {
        size_t first = (EARLIER_CORNERS - back) * sizeof(pd_stroke_vertex);
        GLuint i = ATTRIBUTES * back;
        glVertexAttribPointer(i, 2, GL_FLOAT, GL_FALSE, sizeof(pd_stroke_vertex),
                              (void *)(first + offsetof(pd_stroke_vertex, x)));
        glVertexAttribPointer(i + 1, 4, GL_FLOAT, GL_FALSE, sizeof(pd_stroke_vertex),
                              (void *)(first + offsetof(pd_stroke_vertex, across)));
        glEnableVertexAttribArray(i);
        glEnableVertexAttribArray(i + 1);
    }
    glBindVertexArray(0);
    return PD_OK;
}

/* Rounds a coordinate to 1/16 pixel, which every rasteriser represents exactly. The pixels of a stroke then do not depend
 * on the picture's division into areas. */
static float snap_to_subpixel(float pixel) { return floorf(pixel * 16 + 0.5f) / 16; }

/* Adds a stroke along `count` >= 2 points. scale: pixels per interface unit. If memory runs out the stroke is not drawn. */
static void add_stroke(pd_strokes *strokes, const pd_stroke_point *points, int count, float scale) {
    if (count < 2 ||
        !PD_ARRAY_RESERVE(strokes->vertices, strokes->capacity, strokes->count, strokes->count + 2 * count + 2))
        return;
    pd_stroke_vertex *vertex = &strokes->vertices[strokes->count], *first = vertex++;
    for (int i = 0; i < count; i++) {
        const pd_stroke_point *p = &points[i], *before = &points[i > 0 ? i - 1 : 0];
        const pd_stroke_point *after = &points[i < count - 1 ? i + 1 : i];
        bool loop = points[0].x == points[count - 1].x && points[0].y == points[count - 1].y && count > 2;
        if (loop && i == 0) before = &points[count - 2];
        if (loop && i == count - 1) after = &points[1];
        float x = after->x - before->x, y = after->y - before->y, length = sqrtf(x * x + y * y);
        if (!(length > 0)) length = 1;
        float reach = (p->half_width + halo_width) * scale + 0.5f;
        x *= reach / length;
        y *= reach / length;
        pd_stroke_vertex v = {snap_to_subpixel(p->x * scale - y),
                              snap_to_subpixel(p->y * scale + x),
                              reach,
                              p->half_width * scale,
                              p->opacity,
                              p->phase};
        *vertex++ = v;
        v.x = snap_to_subpixel(p->x * scale + y);
        v.y = snap_to_subpixel(p->y * scale - x);
        v.across = -reach;
        *vertex++ = v;
    }
    *first = first[1];
    *vertex = vertex[-1];
    strokes->count += 2 * count + 2;
}

/* Draws the parts of all strokes inside the container into the bound framebuffer. pattern_strength: contrast of the
 * brightness pattern, 0..1. */
static void draw_strokes(pd_strokes *strokes, const pd_picture *picture, const pd_camera *camera,
                         float pattern_strength) {
    if (!strokes->count) return;
    pd_rounded_box wall = pd_container_as_rounded_box(&picture->view->container);
    pd_vec2 origin = pd_camera_pixels_to_world(camera, 0, (float)picture->height);
    glBindBuffer(GL_ARRAY_BUFFER, strokes->buffer);
    size_t unused = EARLIER_CORNERS * sizeof *strokes->vertices,
           size = (size_t)strokes->count * sizeof *strokes->vertices;
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(unused + size), NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)unused, (GLsizeiptr)size, strokes->vertices);
    pd_shader_set_area(strokes->program, &picture->area);
    glUniform2f(glGetUniformLocation(strokes->program, "size"), (float)picture->width, (float)picture->height);
    glUniform1f(glGetUniformLocation(strokes->program, "halo"), halo_width * picture->scale);
    glUniform1f(glGetUniformLocation(strokes->program, "scale"), picture->scale);
    glUniform1f(glGetUniformLocation(strokes->program, "pattern"), pattern_strength);
    glUniform2f(glGetUniformLocation(strokes->program, "origin"), origin.x, origin.y);
    glUniform1f(glGetUniformLocation(strokes->program, "pixel"), 1 / camera->pixels_per_metre);
    glUniform3f(glGetUniformLocation(strokes->program, "container"), wall.half_width, wall.half_height, wall.radius);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(strokes->array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, strokes->count);
    glDisable(GL_BLEND);
}

/* ---- Streamlines and arrows ---- */

static const float taper_length = 34; /* length of the taper at each end of a streamline, interface units */
/* period of the moving brightness pattern along a streamline at the greatest speed, interface units */
static const float pattern_length = 230;
static const float arrow_spacing = 28;    /* distance of neighbouring arrows, interface units */
static const float arrow_length = 27;     /* length of an arrow at the greatest speed, interface units */
static const float slowest_arrow = 0.01f; /* least speed for which an arrow is drawn, in units of the greatest speed */

void pd_flow_lines_free(pd_flow_lines *lines) {
    for (int i = 0; i < PD_FLOW_SEQUENCES; i++) pd_streamlines_free(&lines->sequences[i].streamlines);
    if (lines->strokes.program) glDeleteProgram(lines->strokes.program);
    if (lines->strokes.array) glDeleteVertexArrays(1, &lines->strokes.array);
    if (lines->strokes.buffer) glDeleteBuffers(1, &lines->strokes.buffer);
    pd_free(lines->strokes.vertices);
    memset(&lines->strokes, 0, sizeof lines->strokes);
    pd_flow_free(&lines->flow);
    pd_free(lines->points);
    memset(lines, 0, sizeof *lines);
}

static float smooth_step(float t) {
    t = fminf(fmaxf(t, 0), 1);
    return t * t * (3 - 2 * t);
}

/* Returns the sequence of pictures with this world, camera and size. If there is none, returns the least recently used
 * sequence for reuse. Sets *restart if the sequence's streamlines cannot be continued. */
static pd_flow_sequence *find_or_replace_sequence(pd_flow_lines *lines, const pd_picture *picture,
                                                  const pd_camera *camera, bool *restart) {
    const pd_view *view = picture->view;
    pd_flow_sequence *found = &lines->sequences[0];
    for (int i = 0; i < PD_FLOW_SEQUENCES; i++) {
        pd_flow_sequence *sequence = &lines->sequences[i];
        if (sequence->last_use && sequence->world == view->world &&
            !memcmp(&sequence->camera, camera, sizeof *camera)) {
            found = sequence;
            break;
        }
        if (sequence->last_use < found->last_use) found = sequence;
    }
    *restart = !found->last_use || memcmp(&found->camera, camera, sizeof *camera) || found->world != view->world ||
               found->nx != lines->flow.nx || found->ny != lines->flow.ny || view->time < found->time;
    found->camera = *camera;
    found->world = view->world;
    found->nx = lines->flow.nx, found->ny = lines->flow.ny;
    found->time = view->time;
    found->last_use = ++lines->picture_count;
    return found;
}

/* Returns whether point i can be left out of a stroke: a straight line from point `last` to point i + 1 is then short, and
 * passes within 0.1 interface units of the middle point between them. is_tapered: point i is in a tapered end, where less
 * is left out. */
static bool can_omit_point(const pd_stream_point *points, int last, int i, bool is_tapered) {
    const pd_stream_point *a = &points[last], *middle = &points[(last + i + 1) / 2], *b = &points[i + 1];
    float x = b->x - a->x, y = b->y - a->y, square = x * x + y * y, limit = is_tapered ? 7 : 19;
    float aside = (middle->x - a->x) * y - (middle->y - a->y) * x;
    return square < limit * limit && aside * aside < 0.1f * 0.1f * square;
}

static void add_stroke_of_streamline(pd_flow_lines *lines, const pd_streamline *line, const pd_stream_point *points,
                                     float scale, double time) {
    float per_second = lines->flow.greatest_speed / pattern_length;
    double clock = ((double)line->phase - time) * (double)per_second;
    float phase = (float)(clock - floor(clock)), stretch = 1;
    if (!PD_ARRAY_RESERVE(lines->points, lines->capacity, 0, line->count)) return;
    if (line->closed) { /* a closed line gets a whole number of periods of the pattern */
        float periods = (points[line->count - 1].time - points[0].time) * per_second;
        stretch = periods > 0 ? 1 + (1 - line->taper) * (fmaxf(roundf(periods), 1) / periods - 1) : 1;
    }
    float length = line->ahead + line->back, taper = fminf(taper_length, 0.4f * length);
    int count = 0, last = 0;
    for (int i = 0; i < line->count; i++) {
        const pd_stream_point *p = &points[i];
        float speed = sqrtf(fminf(p->speed / lines->flow.greatest_speed, 1));
        float end = fminf(p->distance_along - points[0].distance_along,
                          points[line->count - 1].distance_along - p->distance_along);
        if (i > 0 && i < line->count - 1 && can_omit_point(points, last, i, end < taper && line->taper > 0)) continue;
        float whole = 1 - line->taper * (1 - smooth_step(end / taper));
        last = i;
        lines->points[count++] = (pd_stroke_point){.x = p->x,
                                                   .y = p->y,
                                                   .half_width = (0.5f + 0.45f * speed) * (0.4f + 0.6f * whole),
                                                   .opacity = line->opacity * whole * (0.55f + 0.45f * speed),
                                                   .phase = phase + p->time * per_second * stretch};
    }
    add_stroke(&lines->strokes, lines->points, count, scale);
}

static void add_strokes_of_streamlines(pd_flow_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    bool restart;
    pd_streamlines *streamlines = &find_or_replace_sequence(lines, picture, camera, &restart)->streamlines;
    pd_streamlines_update(streamlines, &lines->flow, (float)picture->width / picture->scale,
                          (float)picture->height / picture->scale, restart);
    for (int i = 0; i < streamlines->line_count; i++) {
        const pd_streamline *line = &streamlines->lines[i];
        add_stroke_of_streamline(lines, line, &streamlines->points[line->first], picture->scale, picture->view->time);
    }
}

/* Adds the stroke of an arrow with its middle at (x, y). The shaft widens towards the head. velocity: interface units/s.
 * scale: pixels per interface unit. */
static void add_arrow(pd_flow_lines *lines, float x, float y, const float velocity[2], float scale) {
    float speed = sqrtf(velocity[0] * velocity[0] + velocity[1] * velocity[1]),
          part = speed / lines->flow.greatest_speed;
    if (!(part > slowest_arrow && speed > lines->flow.rest_speed)) return;
    part = fminf(part, 1);
    float length = arrow_length * (0.15f + 0.85f * sqrtf(part)), head = fminf(7, 0.42f * length);
    float dx = velocity[0] / speed, dy = velocity[1] / speed, wide = 0.9f + 0.3f * part, barb = 0.34f * head;
    float opacity = smooth_step((part - slowest_arrow) / 0.05f) * (0.45f + 0.55f * sqrtf(part));
    const float place[] = {0, 0.5f * (length - head), length - head, length - head + 0.8f, length};
    const float width[] = {0.25f, 0.6f * wide, 0.8f * wide, barb, 0.1f};
    const float dim[] = {0.15f, 0.7f, 1, 1, 1};
    pd_stroke_point points[5];
    for (int i = 0; i < 5; i++) {
        float distance_along = place[i] - 0.5f * length;
        points[i] = (pd_stroke_point){x + distance_along * dx, y + distance_along * dy, width[i], opacity * dim[i], 0};
    }
    add_stroke(&lines->strokes, points, 5, scale);
}

/* Adds arrows on a square lattice. The lattice is centred in the picture, so that arrows stay in place when the
 * window's size changes. */
static void add_arrows(pd_flow_lines *lines, const pd_picture *picture) {
    float middle_x = 0.5f * (float)picture->width / picture->scale;
    float middle_y = 0.5f * (float)picture->height / picture->scale;
    int columns = (int)(middle_x / arrow_spacing), rows = (int)(middle_y / arrow_spacing);
    for (int j = -rows; j <= rows; j++)
        for (int i = -columns; i <= columns; i++) {
            float x = middle_x + (float)i * arrow_spacing, y = middle_y + (float)j * arrow_spacing, velocity[2];
            if (pd_flow_interpolate(&lines->flow, x, y, velocity)) add_arrow(lines, x, y, velocity, picture->scale);
        }
}

void pd_flow_lines_draw(pd_flow_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    bool streamlines = picture->lines == PD_LINES_STREAMLINES, arrows = picture->lines == PD_LINES_ARROWS;
    if ((!streamlines && !arrows) || !pd_flow_sample_velocities(&lines->flow, picture, camera)) return;
    lines->strokes.count = 0;
    if (streamlines)
        add_strokes_of_streamlines(lines, picture, camera);
    else
        add_arrows(lines, picture);
    draw_strokes(&lines->strokes, picture, camera, streamlines ? 1 : 0);
}
