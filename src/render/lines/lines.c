/* Draws obstacles, bodies with their joints, drains, the container's outline and the tool's circle. */
#include "render/lines/lines.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/shader.h"
#include "render/solid.h"
#include <epoxy/gl.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Number of vertices of the triangle strip along the edge of a rounded box (shape.vert): inner and outer vertices along
 * four quarter circles, and the first two again. */
enum { QUARTER_STEPS = 24, STRIP_VERTICES = 2 * (4 * (QUARTER_STEPS + 1) + 1) };

static const float RIM_WIDTH = 1.25f; /* width of the rim of an obstacle or nozzle, interface units */
static const float radians_per_degree = 3.14159265f / 180;

pd_result pd_lines_create(pd_lines *lines, pd_error *error) {
    pd_result result = pd_shader_load(&lines->program, "shape.vert", "shape.frag", error);
    if (result) return result;
    static const struct {
        int size;
        size_t offset;
    } attributes[] = {{2, offsetof(pd_line_shape, center)}, {2, offsetof(pd_line_shape, half)},
                      {2, offsetof(pd_line_shape, axis)},   {2, offsetof(pd_line_shape, radius)},
                      {3, offsetof(pd_line_shape, glow)},   {4, offsetof(pd_line_shape, colour)}};
    lines->size_uniform = glGetUniformLocation(lines->program, "size");
    lines->texel_uniform = glGetUniformLocation(lines->program, "texel");
    glGenVertexArrays(1, &lines->array);
    glGenBuffers(1, &lines->buffer);
    glBindVertexArray(lines->array);
    glBindBuffer(GL_ARRAY_BUFFER, lines->buffer);
    for (GLuint i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        glVertexAttribPointer(i, attributes[i].size, GL_FLOAT, GL_FALSE, sizeof(pd_line_shape),
                              (void *)attributes[i].offset);
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
    glBindVertexArray(0);
    return PD_OK;
}

void pd_lines_free(pd_lines *lines) {
    if (lines->program) glDeleteProgram(lines->program);
    if (lines->array) glDeleteVertexArrays(1, &lines->array);
    if (lines->buffer) glDeleteBuffers(1, &lines->buffer);
    pd_free(lines->shapes);
    memset(lines, 0, sizeof *lines);
}

/* Appends a shape to lines->shapes. If memory runs out the shape is not drawn. */
static void add_shape(pd_lines *lines, const pd_line_shape *shape) {
    if (!PD_ARRAY_RESERVE(lines->shapes, lines->capacity, lines->count, lines->count + 1)) return;
    lines->shapes[lines->count++] = *shape;
}

static pd_line_shape make_circle(const pd_camera *camera, pd_vec2 center, float radius) {
    pd_vec2 middle = pd_camera_world_to_pixels(camera, center);
    return (pd_line_shape){.center = {middle.x, middle.y}, .axis = {1, 0}, .radius = radius * camera->pixels_per_metre};
}

static pd_line_shape make_box(const pd_camera *camera, pd_vec2 center, pd_vec2 size, float angle) {
    pd_line_shape shape = make_circle(camera, center, 0);
    shape.half[0] = 0.5f * size.x * camera->pixels_per_metre;
    shape.half[1] = 0.5f * size.y * camera->pixels_per_metre;
    shape.axis[0] = cosf(angle * radians_per_degree);
    shape.axis[1] = -sinf(angle * radians_per_degree); /* y points down in pixels */
    return shape;
}

/* Returns the shape of a circle or box. */
static pd_line_shape make_outline(const pd_camera *camera, const pd_area *area) {
    return area->shape == PD_SHAPE_CIRCLE ? make_circle(camera, area->center, area->radius)
                                          : make_box(camera, area->center, area->size, area->angle);
}

static pd_vec2 obstacle_point_to_world(const pd_area *obstacle, pd_vec2 point) {
    float c = cosf(obstacle->angle * radians_per_degree), s = sinf(obstacle->angle * radians_per_degree);
    return (pd_vec2){obstacle->center.x + c * point.x - s * point.y, obstacle->center.y + s * point.x + c * point.y};
}

/* Returns the shape of a thick line with round ends. from, to: its end points, m. thickness: m. */
static pd_line_shape make_capsule(const pd_camera *camera, pd_vec2 from, pd_vec2 to, float thickness) {
    pd_vec2 a = pd_camera_world_to_pixels(camera, from), b = pd_camera_world_to_pixels(camera, to);
    float length = hypotf(b.x - a.x, b.y - a.y);
    pd_line_shape shape = {.center = {0.5f * (a.x + b.x), 0.5f * (a.y + b.y)},
                           .half = {0.5f * length, 0},
                           .axis = {1, 0},
                           .radius = 0.5f * thickness * camera->pixels_per_metre};
    if (length > 1e-6f) {
        shape.axis[0] = (b.x - a.x) / length;
        shape.axis[1] = (b.y - a.y) / length;
    }
    return shape;
}

/* Adds a line with round ends. width: interface units. */
static void add_line(pd_lines *lines, const pd_picture *picture, const pd_camera *camera, pd_vec2 from, pd_vec2 to,
                     float width, const float colour[4]) {
    pd_line_shape shape = make_capsule(camera, from, to, width * picture->scale / camera->pixels_per_metre);
    memcpy(shape.colour, colour, sizeof shape.colour);
    add_shape(lines, &shape);
}

/* Adds the shape of one layer of an obstacle (shadow, rim or inside): `shape`, smaller by `inset` pixels on all sides,
 * with the colour and effects of `style`. Each layer of all obstacles is drawn before the next layer, so that obstacles
 * that touch have a common outline. */
static void add_inset_shape(pd_lines *lines, const pd_line_shape *shape, float inset, const pd_line_shape *style) {
    pd_line_shape layer = *style;
    memcpy(layer.center, shape->center, sizeof layer.center);
    memcpy(layer.axis, shape->axis, sizeof layer.axis);
    bool round = shape->radius > 0;
    layer.radius = round ? fmaxf(shape->radius - inset, 0.35f) : 0;
    layer.half[0] = round ? shape->half[0] : fmaxf(shape->half[0] - inset, 0.35f);
    layer.half[1] = round ? shape->half[1] : fmaxf(shape->half[1] - inset, 0.35f);
    add_shape(lines, &layer);
}

static void add_polygon_triangles(pd_lines *lines, const pd_camera *camera, const pd_area *polygon,
                                  const pd_line_shape *style) {
    for (int i = 0; polygon->triangles && i + 2 < polygon->point_count; i++) {
        pd_line_shape shape = *style;
        float *corners[3] = {shape.center, shape.half, shape.axis};
        for (int k = 0; k < 3; k++) {
            pd_vec2 corner = pd_camera_world_to_pixels(
                camera, obstacle_point_to_world(polygon, polygon->points[polygon->triangles[i][k]]));
            corners[k][0] = corner.x;
            corners[k][1] = corner.y;
        }
        shape.radius = -1;
        add_shape(lines, &shape);
    }
}

/* Adds one layer of a polygon: a thick line along its outline. Adds triangles that fill the polygon if inset > 0 (the
 * inside); the line covers their hard edges. rim_width: pixels. */
static void add_polygon_layer(pd_lines *lines, const pd_camera *camera, const pd_area *polygon, float inset,
                              float rim_width, const pd_line_shape *style) {
    if (inset > 0) add_polygon_triangles(lines, camera, polygon, style);
    for (int i = 0; i < polygon->point_count; i++) {
        pd_vec2 from = obstacle_point_to_world(polygon, polygon->points[i]);
        pd_vec2 to = obstacle_point_to_world(polygon, polygon->points[(i + 1) % polygon->point_count]);
        pd_line_shape shape = make_capsule(camera, from, to, 2.8f * rim_width / camera->pixels_per_metre);
        /* the shadow's layer has inset < 0, but wider shadows would add up where sides meet */
        add_inset_shape(lines, &shape, fmaxf(inset, 0), style);
    }
}

static void add_area_layer(pd_lines *lines, const pd_camera *camera, const pd_area *obstacle, float inset,
                           float rim_width, const pd_line_shape *style) {
    pd_line_shape shape;
    if (obstacle->shape == PD_SHAPE_POLYGON) {
        add_polygon_layer(lines, camera, obstacle, inset, rim_width, style);
        return;
    }
    if (obstacle->shape != PD_SHAPE_POLYLINE) {
        shape = make_outline(camera, obstacle);
        add_inset_shape(lines, &shape, inset, style);
        return;
    }
    for (int i = 0; i + 1 < obstacle->point_count || (i == 0 && obstacle->point_count == 1); i++) {
        int next = obstacle->point_count > 1 ? i + 1 : i;
        shape = make_capsule(camera, obstacle_point_to_world(obstacle, obstacle->points[i]),
                             obstacle_point_to_world(obstacle, obstacle->points[next]), obstacle->thickness);
        /* the shadow's layer has inset < 0, but wider shadows would add up where sides meet */
        add_inset_shape(lines, &shape, fmaxf(inset, 0), style);
    }
}

/* Layers in which obstacles and nozzles are drawn, the lowest first. */
enum { SHADOW, RIM, INSIDE, LAYERS };
static const float rim_colour[4] = {0.56f, 0.61f, 0.72f, 1}, inside_colour[4] = {0.160f, 0.180f, 0.235f, 1};

/* Returns the style of a layer. Sets *inset to the number of pixels by which the layer is smaller than the obstacle or
 * nozzle. */
static pd_line_shape make_layer_style(int layer, float scale, float *inset) {
    const float insets[LAYERS] = {-scale, 0, RIM_WIDTH * scale};
    pd_line_shape style = {0};
    *inset = insets[layer];
    style.glow = layer == SHADOW ? 5 * scale : 0;
    style.light = layer == RIM;
    const float *colour = layer == SHADOW ? (const float[4]){0.01f, 0.015f, 0.03f, 0.45f}
                          : layer == RIM  ? rim_colour
                                          : inside_colour;
    memcpy(style.colour, colour, sizeof style.colour);
    return style;
}

void pd_lines_get_body_colour(const pd_area *area, float rgb[3]) {
    static const float wood[3] = {0.80f, 0.64f, 0.42f}; /* default colour */
    const pd_own_color *own = &area->color;
    const float given[3] = {(float)own->red / 255, (float)own->green / 255, (float)own->blue / 255};
    memcpy(rgb, own->is_given ? given : wood, sizeof given);
}

/* Adds a layer of an obstacle or body in its colour. The rim has a mixture of this colour and white. */
static void add_solid_layer(pd_lines *lines, const pd_picture *picture, const pd_camera *camera, const pd_area *area,
                            bool is_body, int layer) {
    float inset, rgb[3];
    pd_line_shape style = make_layer_style(layer, picture->scale, &inset);
    pd_lines_get_body_colour(area, rgb);
    for (int k = 0; k < 3 && layer != SHADOW && (is_body || area->color.is_given); k++)
        style.colour[k] = layer == RIM ? 0.55f * rgb[k] + 0.45f : rgb[k];
    add_area_layer(lines, camera, area, inset, RIM_WIDTH * picture->scale, &style);
}

/* Adds a line from the centre of a circle or box, which turns with the body. Other shapes show how they are turned. */
static void add_rotation_mark(pd_lines *lines, const pd_picture *picture, const pd_camera *camera,
                              const pd_view_body *body) {
    const pd_area *area = &body->area;
    float rgb[3], length = 0.7f * area->radius;
    if (area->shape == PD_SHAPE_POLYLINE || area->shape == PD_SHAPE_POLYGON) return;
    if (area->shape == PD_SHAPE_BOX) length = 0.3f * fminf(area->size.x, area->size.y);
    pd_lines_get_body_colour(area, rgb);
    pd_vec2 end = {body->centroid.x + length * cosf(area->angle * radians_per_degree),
                   body->centroid.y + length * sinf(area->angle * radians_per_degree)};
    add_line(lines, picture, camera, body->centroid, end, 2.2f,
             (float[4]){0.55f * rgb[0], 0.55f * rgb[1], 0.55f * rgb[2], 1});
}

static const float PIN_RADIUS = 2.6f,
                   END_RADIUS = 1.8f; /* of pins, and of ends of ropes and springs, interface units */
static const float joint_colour[4] = {0.93f, 0.94f, 0.97f, 1};
static const float rope_colour[4] = {0.8f * 0.93f, 0.8f * 0.94f, 0.8f * 0.97f, 0.8f};

/* Adds the zigzag line of a spring. */
static void add_spring(pd_lines *lines, const pd_picture *picture, const pd_camera *camera,
                       const pd_view_joint *joint) {
    enum { TURNS = 12 };
    float x = joint->to.x - joint->at.x, y = joint->to.y - joint->at.y, length = fmaxf(hypotf(x, y), 1e-6f);
    float wide = 4 * picture->scale / camera->pixels_per_metre;
    pd_vec2 last = joint->at;
    for (int k = 1; k <= TURNS; k++) {
        float part = (float)k / TURNS, aside = k == TURNS ? 0 : (float)((k & 1) * 2 - 1) * wide / length;
        pd_vec2 next = {joint->at.x + part * x - aside * y, joint->at.y + part * y + aside * x};
        add_line(lines, picture, camera, last, next, 1.4f, rope_colour);
        last = next;
    }
}

enum { ROPE_SEGMENTS = 20 };

/* Computes the points of a parabola from one end of a rope to the other that sags by the vector `sag`. Returns its length, m. */
static float compute_rope_points(const pd_view_joint *rope, pd_vec2 sag, pd_vec2 points[ROPE_SEGMENTS + 1]) {
    float length = 0;
    for (int k = 0; k <= ROPE_SEGMENTS; k++) {
        float t = (float)k / ROPE_SEGMENTS, hang = 4 * t * (1 - t);
        points[k] = (pd_vec2){rope->at.x + t * (rope->to.x - rope->at.x) + hang * sag.x,
                              rope->at.y + t * (rope->to.y - rope->at.y) + hang * sag.y};
        if (k > 0) length += hypotf(points[k].x - points[k - 1].x, points[k].y - points[k - 1].y);
    }
    return length;
}

static const float TAUT = 0.005f; /* sag below which a rope is a straight line / length of the rope */

/* Adds a rope. A slack rope hangs along gravity as a parabola of its length. The sag is found by bisection. */
static void add_rope(pd_lines *lines, const pd_picture *picture, const pd_camera *camera, const pd_view_joint *rope) {
    enum { BISECTIONS = 16 };
    pd_vec2 points[ROPE_SEGMENTS + 1], gravity = picture->view->gravity;
    float strength = hypotf(gravity.x, gravity.y), low = 0, high = rope->length;
    pd_vec2 down = strength > 0 ? (pd_vec2){gravity.x / strength, gravity.y / strength} : (pd_vec2){0, -1};
    for (int k = 0; k < BISECTIONS; k++) {
        float middle = 0.5f * (low + high);
        bool longer = compute_rope_points(rope, (pd_vec2){middle * down.x, middle * down.y}, points) > rope->length;
        *(longer ? &high : &low) = middle;
    }
    if (low < TAUT * rope->length) {
        add_line(lines, picture, camera, rope->at, rope->to, 1.6f, rope_colour);
        return;
    }
    compute_rope_points(rope, (pd_vec2){low * down.x, low * down.y}, points);
    for (int k = 0; k < ROPE_SEGMENTS; k++)
        add_line(lines, picture, camera, points[k], points[k + 1], 1.6f, rope_colour);
}

/* Adds a pin: a disc with a dark rim. radius: interface units. */
static void add_pin(pd_lines *lines, const pd_picture *picture, const pd_camera *camera, pd_vec2 at, float radius) {
    for (int layer = 0; layer < 2; layer++) {
        pd_line_shape shape = make_circle(camera, at, 0);
        shape.radius = (radius + (layer ? 0 : 1.2f)) * picture->scale;
        memcpy(shape.colour, layer ? joint_colour : inside_colour, sizeof joint_colour);
        add_shape(lines, &shape);
    }
}

/* Arc around the pin of a motor, interface units. */
static const float ARC_RADIUS = 8, ARC_WIDTH = 1.5f, ARC_HEAD = 4.5f;

/* Adds an arc with an arrow head around the pin of a motor, in the direction in which its body turns. A motor of speed 0, a
 * brake, has a whole ring. */
static void add_motor_mark(pd_lines *lines, const pd_picture *picture, const pd_camera *camera,
                           const pd_view_joint *motor) {
    enum { SEGMENTS = 18, HEAD = 2 };
    float unit = picture->scale / camera->pixels_per_metre, radius = ARC_RADIUS * unit, head = ARC_HEAD * unit;
    float way = (motor->speed < 0) == (motor->bodies[0] < 0) ? 1 : -1, half = motor->speed != 0 ? 120 : 180;
    pd_vec2 points[SEGMENTS + 1 + HEAD], at = motor->at;
    for (int k = 0; k <= SEGMENTS; k++) { /* begins and ends below the pin */
        float angle = (90 + way * half * (2.0f * (float)k / SEGMENTS - 1)) * radians_per_degree;
        points[k] = (pd_vec2){at.x + radius * cosf(angle), at.y + radius * sinf(angle)};
    }
    pd_vec2 tip = points[SEGMENTS];
    for (int k = 0; k < HEAD; k++) { /* both sides of the arc's chord behind the tip */
        float bearing = (90 + way * (half + 90 - 13)) * radians_per_degree + (k ? 0.7f : -0.7f);
        points[SEGMENTS + 1 + k] = (pd_vec2){tip.x - head * cosf(bearing), tip.y - head * sinf(bearing)};
    }
    for (int layer = 0; layer < 2; layer++)
        for (int k = 1; k <= SEGMENTS + (motor->speed != 0 ? HEAD : 0); k++) {
            pd_vec2 from = k > SEGMENTS ? tip : points[k - 1];
            add_line(lines, picture, camera, from, points[k], ARC_WIDTH + (layer ? 0 : 2),
                     layer ? joint_colour : inside_colour);
        }
}

/* Returns the end of an arm from a joint's point: the body's centroid, or if that lies in a hollow of the body, the place
 * beyond it where the arm meets the body. An arm from the centroid itself is a spoke that turns with the body. reach: m. */
static pd_vec2 find_arm_end(pd_vec2 from, const pd_view_body *body, float reach) {
    enum { STEPS = 32 };
    pd_vec2 end = body->centroid;
    float x = end.x - from.x, y = end.y - from.y, length = hypotf(x, y), angle = body->area.angle * radians_per_degree;
    pd_vec2 along = {cosf(angle), sinf(angle)};
    if (length > reach) along = (pd_vec2){x / length, y / length};
    for (int k = 0; k < STEPS; k++) {
        float gap = pd_distance_to_area(end, &body->area);
        if (gap <= 0.1f * reach) return end;
        end = (pd_vec2){end.x + gap * along.x, end.y + gap * along.y};
    }
    return body->centroid;
}

/* Returns about the nearest point of a body, by the gradient of the distance. reach: m. */
static pd_vec2 find_nearest_point(pd_vec2 from, const pd_area *area, float reach) {
    enum { STEPS = 4 };
    for (int k = 0; k < STEPS; k++) {
        float gap = pd_distance_to_area(from, area);
        float x = pd_distance_to_area((pd_vec2){from.x + reach, from.y}, area) -
                  pd_distance_to_area((pd_vec2){from.x - reach, from.y}, area);
        float y = pd_distance_to_area((pd_vec2){from.x, from.y + reach}, area) -
                  pd_distance_to_area((pd_vec2){from.x, from.y - reach}, area);
        float steepness = fmaxf(hypotf(x, y), 1e-6f * reach);
        from = (pd_vec2){from.x - gap * x / steepness, from.y - gap * y / steepness};
    }
    return from;
}

/* Adds lines from the points of joints to their bodies, if the points are outside these bodies. They show which body an
 * invisible arm holds. A weld only bridges the gap, since its bodies do not turn about its point. The bodies cover the ends. */
static void add_arms(pd_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    const pd_view *view = picture->view;
    float reach = PIN_RADIUS * picture->scale / camera->pixels_per_metre; /* of a pin at the edge of a body */
    for (int i = 0; i < 2 * view->joint_count; i++) {
        const pd_view_joint *joint = &view->joints[i / 2];
        pd_vec2 from = i % 2 ? joint->to : joint->at;
        if (joint->bodies[i % 2] < 0) continue;
        const pd_view_body *body = &view->bodies[joint->bodies[i % 2]];
        if (pd_distance_to_area(from, &body->area) <= reach) continue;
        pd_vec2 end = joint->type == PD_JOINT_WELD ? find_nearest_point(from, &body->area, reach)
                                                   : find_arm_end(from, body, reach);
        add_line(lines, picture, camera, from, end, 1.4f,
                 (float[4]){joint_colour[0], joint_colour[1], joint_colour[2], 0.6f});
    }
}

/* Adds all obstacles layer by layer, then the shadows of all bodies, then one body after the other, so that joined bodies that
 * overlap have outlines of their own. Arms of joints lie between obstacles and bodies. */
static void add_solids(pd_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    const pd_view *view = picture->view;
    for (int layer = 0; layer < LAYERS; layer++)
        for (int i = 0; i < view->obstacle_count; i++)
            add_solid_layer(lines, picture, camera, &view->obstacles[i], false, layer);
    add_arms(lines, picture, camera);
    for (int i = 0; i < view->body_count; i++)
        add_solid_layer(lines, picture, camera, &view->bodies[i].area, true, SHADOW);
    for (int i = 0; i < view->body_count; i++) {
        for (int layer = RIM; layer < LAYERS; layer++)
            add_solid_layer(lines, picture, camera, &view->bodies[i].area, true, layer);
        add_rotation_mark(lines, picture, camera, &view->bodies[i]);
    }
}

static void add_joints(pd_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    const pd_view *view = picture->view;
    for (int i = 0; i < view->joint_count; i++) {
        const pd_view_joint *joint = &view->joints[i];
        if (joint->type == PD_JOINT_WELD) continue; /* glue is not seen */
        bool two_ends = joint->type == PD_JOINT_SPRING || joint->type == PD_JOINT_ROPE;
        if (joint->type == PD_JOINT_SPRING) add_spring(lines, picture, camera, joint);
        if (joint->type == PD_JOINT_ROPE) add_rope(lines, picture, camera, joint);
        if (joint->type == PD_JOINT_SLIDER) add_line(lines, picture, camera, joint->at, joint->to, 1.6f, rope_colour);
        if (joint->type == PD_JOINT_MOTOR) add_motor_mark(lines, picture, camera, joint);
        add_pin(lines, picture, camera, joint->at, two_ends ? END_RADIUS : PIN_RADIUS);
        if (two_ends || joint->type == PD_JOINT_SLIDER) add_pin(lines, picture, camera, joint->to, END_RADIUS);
    }
}

/* Returns the shape of a rounded box in front of which an emitter's jet begins. length: size of the box along the jet, m.
 * width: size across the jet, m. */
static pd_line_shape make_nozzle_shape(const pd_camera *camera, const pd_emitter *emitter, float length, float width,
                                       float rim_width) {
    float norm = fmaxf(hypotf(emitter->direction.x, emitter->direction.y), 1e-6f);
    pd_vec2 along = {emitter->direction.x / norm, emitter->direction.y / norm}, mouth = emitter->position;
    pd_vec2 center = {mouth.x - 0.5f * length * along.x, mouth.y - 0.5f * length * along.y};
    pd_line_shape shape = make_circle(camera, center, 0);
    shape.half[0] = 0.5f * length * camera->pixels_per_metre;
    shape.half[1] = 0.5f * width * camera->pixels_per_metre;
    float smaller = fminf(shape.half[0], shape.half[1]);
    shape.radius = fminf(fmaxf(0.3f * smaller, 1.3f * rim_width), smaller);
    shape.half[0] -= shape.radius;
    shape.half[1] -= shape.radius;
    shape.axis[0] = along.x;
    shape.axis[1] = -along.y; /* y points down in pixels */
    return shape;
}

/* Returns the length of an emitter's drawn nozzle, m: proportional to the width of its mouth, within limits proportional
 * to the view's size. Without a container there are no limits, because the view's size changes with time. */
static float compute_nozzle_length(const pd_view *view, const pd_emitter *emitter) {
    if (view->container.shape == PD_CONTAINER_NONE) return 0.5f * emitter->width;
    float unit = fminf(view->high.x - view->low.x, view->high.y - view->low.y);
    return fminf(fmaxf(0.7f * emitter->width, 0.025f * unit), 0.05f * unit);
}

/* Adds the nozzles of the emitters: a pipe behind the mouth, and a collar around the mouth. */
static void add_nozzles(pd_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    const pd_view *view = picture->view;
    for (int layer = 0; layer < LAYERS; layer++)
        for (int i = 0; i < view->emitter_count; i++) {
            const pd_emitter *emitter = &view->emitters[i];
            float inset, length = compute_nozzle_length(view, emitter), wall = 0.3f * length,
                         rim = RIM_WIDTH * picture->scale;
            pd_line_shape style = make_layer_style(layer, picture->scale, &inset);
            pd_line_shape pipe = make_nozzle_shape(camera, emitter, length, emitter->width + wall, rim);
            pd_line_shape collar = make_nozzle_shape(camera, emitter, 0.4f * length, emitter->width + 2 * wall, rim);
            add_inset_shape(lines, &pipe, inset, &style);
            add_inset_shape(lines, &collar, inset, &style);
        }
}

/* Sets the colour of a thin line: `light`, or on a light plain background a dark colour of the same opacity. */
static void set_line_colour(pd_line_shape *shape, const pd_picture *picture, const float light[4]) {
    const float *ground = picture->background, dark[3] = {0.22f, 0.26f, 0.36f};
    bool is_light = picture->plain && 0.3f * ground[0] + 0.59f * ground[1] + 0.11f * ground[2] > 0.6f;
    memcpy(shape->colour, light, sizeof shape->colour);
    if (is_light) memcpy(shape->colour, dark, sizeof dark);
}

static void add_drains(pd_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    for (int i = 0; i < picture->view->drain_count; i++) {
        const pd_drain *drain = &picture->view->drains[i];
        pd_line_shape shape = make_outline(camera, &drain->area);
        shape.stroke = 0.6f * picture->scale;
        shape.dash = 9 * picture->scale;
        set_line_colour(&shape, picture, (float[4]){0.72f, 0.80f, 0.95f, 0.50f});
        add_shape(lines, &shape);
    }
}

static void add_container_outline(pd_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    const pd_container *container = &picture->view->container;
    if (container->shape == PD_CONTAINER_NONE) return;
    float line = 0.8f * picture->scale;
    pd_line_shape ring = make_circle(camera, (pd_vec2){0, 0}, container->radius);
    if (container->shape == PD_CONTAINER_BOX) {
        ring = make_box(camera, (pd_vec2){0, 0}, (pd_vec2){container->width, container->height}, 0);
        ring.radius = 2 * picture->scale;
        ring.half[0] = fmaxf(ring.half[0] - ring.radius + line, 0);
        ring.half[1] = fmaxf(ring.half[1] - ring.radius + line, 0);
    } else {
        ring.radius += 0.6f * line; /* the ring touches the edge of the circle from outside */
    }
    ring.stroke = line;
    ring.glow = 9 * picture->scale;
    ring.light = 0.35f;
    set_line_colour(&ring, picture, (float[4]){0.68f, 0.74f, 0.88f, 0.95f});
    add_shape(lines, &ring);
}

static void add_tool_circle(pd_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    if (!picture->show_tool) return;
    pd_line_shape shape = make_circle(camera, picture->tool, picture->tool_radius);
    shape.stroke = 0.6f * picture->scale;
    set_line_colour(&shape, picture, (float[4]){0.93f, 0.96f, 1.0f, 0.55f});
    add_shape(lines, &shape);
}

/* Adds the area of a mark: its inside over its rim, as an obstacle has them. */
static void add_marked_area(pd_lines *lines, const pd_picture *picture, const pd_camera *camera, const pd_mark *mark) {
    float rim_width = RIM_WIDTH * picture->scale;
    bool has_rim = mark->colour[3] > 0, has_inside = mark->inside[3] > 0;
    bool round = mark->area.shape == PD_SHAPE_CIRCLE || mark->area.shape == PD_SHAPE_BOX;
    pd_line_shape style = {.stroke = has_inside || !round ? 0 : rim_width};
    memcpy(style.colour, mark->colour, sizeof style.colour);
    if (has_rim) add_area_layer(lines, camera, &mark->area, 0, rim_width, &style);
    memcpy(style.colour, mark->inside, sizeof style.colour);
    if (has_inside) add_area_layer(lines, camera, &mark->area, has_rim ? rim_width : 0, rim_width, &style);
}

/* Sets the colour of a halo: one that is visible beside the line and on fluid of any colour. */
static void set_halo_colour(float colour[4], const float line[4]) {
    static const float dark[3] = {0.02f, 0.03f, 0.06f}, light[3] = {0.93f, 0.95f, 1.00f};
    bool is_dark = 0.3f * line[0] + 0.59f * line[1] + 0.11f * line[2] < 0.2f;
    memcpy(colour, is_dark ? light : dark, sizeof dark);
    colour[3] = 0.47f * line[3];
}

/* Adds the marks: all areas, then all halos, then all lines. */
static void add_marks(pd_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    enum { AREAS, HALOS, MARK_LINES, PASSES };
    for (int pass = AREAS; pass < PASSES; pass++)
        for (int i = 0; i < picture->mark_count; i++) {
            const pd_mark *mark = &picture->marks[i];
            float width = mark->width + (pass == HALOS ? 2 * mark->halo : 0), colour[4];
            memcpy(colour, mark->colour, sizeof colour);
            if ((mark->kind == PD_MARK_AREA) != (pass == AREAS) || (pass == HALOS && mark->halo <= 0)) continue;
            if (pass == AREAS) add_marked_area(lines, picture, camera, mark);
            if (pass == HALOS) set_halo_colour(colour, mark->colour);
            if (mark->kind == PD_MARK_LINE) add_line(lines, picture, camera, mark->from, mark->to, width, colour);
            if (mark->kind != PD_MARK_OUTLINE) continue;
            pd_line_shape shape = make_outline(camera, &mark->area);
            shape.stroke = 0.5f * width * picture->scale;
            memcpy(shape.colour, colour, sizeof shape.colour);
            add_shape(lines, &shape);
        }
}

/* Draws lines->shapes with the present blending mode of OpenGL. */
static void draw_shapes(const pd_lines *lines, const pd_picture *picture) {
    glBindBuffer(GL_ARRAY_BUFFER, lines->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)lines->count * sizeof *lines->shapes), lines->shapes,
                 GL_STREAM_DRAW);
    glUniform2f(lines->size_uniform, (float)picture->width, (float)picture->height);
    glEnable(GL_BLEND);
    glBindVertexArray(lines->array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, STRIP_VERTICES, lines->count);
    glDisable(GL_BLEND);
}

void pd_lines_draw(pd_lines *lines, const pd_picture *picture, const pd_camera *camera) {
    lines->count = 0;
    if (!picture->no_sources) add_drains(lines, picture, camera);
    add_solids(lines, picture, camera);
    add_joints(lines, picture, camera);
    if (!picture->no_outline) add_container_outline(lines, picture, camera);
    if (!picture->no_sources) add_nozzles(lines, picture, camera);
    add_marks(lines, picture, camera);
    add_tool_circle(lines, picture, camera);
    if (!lines->count) return;
    pd_shader_set_area(lines->program, &picture->area);
    glUniform1f(lines->texel_uniform, 1);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    draw_shapes(lines, picture);
}

void pd_lines_draw_obstacle_nearness(pd_lines *lines, const pd_picture *picture, const pd_camera *camera,
                                     const float area[4], float texel_pixels, float reach_pixels) {
    const pd_line_shape style = {.glow = reach_pixels, .colour = {1, 1, 1, 1}};
    lines->count = 0;
    if (picture->view->obstacle_count + picture->view->body_count == 0) return;
    /* inset 1e-3 pixels: any inset above 0 fills polygons, and this one is too small to change their size visibly */
    for (int i = 0; i < picture->view->obstacle_count; i++)
        add_area_layer(lines, camera, &picture->view->obstacles[i], 1e-3f, 0.1f, &style);
    for (int i = 0; i < picture->view->body_count; i++)
        add_area_layer(lines, camera, &picture->view->bodies[i].area, 1e-3f, 0.1f, &style);
    glUseProgram(lines->program);
    glUniform4fv(glGetUniformLocation(lines->program, "area"), 1, area);
    glUniform1f(lines->texel_uniform, texel_pixels);
    glBlendEquation(GL_MAX);
    draw_shapes(lines, picture);
    glBlendEquation(GL_FUNC_ADD);
}
