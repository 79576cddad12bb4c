/* Draws strokes as one triangle mesh. */
#include "render/lines/strokes.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/container.h"
#include "render/shader.h"
#include <epoxy/gl.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const float halo_width = 2.4f; /* width of the dark halo around a stroke, interface units */
/* For each vertex the shader reads the vertex and the two before it, the corners of a triangle. So the buffer begins with
 * two unused vertices. */
enum { ATTRIBUTES = 2, CORNERS = 3, EARLIER_CORNERS = CORNERS - 1 };

pd_result pd_strokes_create(pd_strokes *strokes, pd_error *error) {
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

void pd_strokes_free(pd_strokes *strokes) {
    if (strokes->program) glDeleteProgram(strokes->program);
    if (strokes->array) glDeleteVertexArrays(1, &strokes->array);
    if (strokes->buffer) glDeleteBuffers(1, &strokes->buffer);
    pd_free(strokes->vertices);
    memset(strokes, 0, sizeof *strokes);
}

void pd_strokes_clear(pd_strokes *strokes) { strokes->count = 0; }

/* Rounds a coordinate to 1/16 pixel, which every rasteriser represents exactly. The pixels of a stroke then do not depend
 * on the picture's division into areas. */
static float snap_to_subpixel(float pixel) { return floorf(pixel * 16 + 0.5f) / 16; }

void pd_strokes_add_stroke(pd_strokes *strokes, const pd_stroke_point *points, int count, float scale) {
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

void pd_strokes_draw(pd_strokes *strokes, const pd_picture *picture, const pd_camera *camera, float pattern_strength) {
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
