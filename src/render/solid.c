/* Distances to the container and to obstacles. */
#include "render/solid.h"

#include "render/container.h"
#include <math.h>

static const float degrees = 3.14159265f / 180;

/* Returns the signed distance from a point to a rounded box around the origin, negative inside. */
static float box_distance(pd_vec2 point, pd_rounded shape) {
    float x = fabsf(point.x) - shape.half_width, y = fabsf(point.y) - shape.half_height;
    return hypotf(fmaxf(x, 0), fmaxf(y, 0)) + fminf(fmaxf(x, y), 0) - shape.radius;
}

static float segment_distance(pd_vec2 point, pd_vec2 from, pd_vec2 to) {
    float x = to.x - from.x, y = to.y - from.y, square = x * x + y * y;
    float along = square > 0 ? ((point.x - from.x) * x + (point.y - from.y) * y) / square : 0;
    along = fminf(fmaxf(along, 0), 1);
    return hypotf(point.x - from.x - along * x, point.y - from.y - along * y);
}

static float polygon_distance(pd_vec2 point, const pd_area *polygon) {
    float nearest = INFINITY;
    bool inside = false;
    for (int i = 0; i < polygon->point_count; i++) {
        pd_vec2 a = polygon->points[i], b = polygon->points[(i + 1) % polygon->point_count];
        nearest = fminf(nearest, segment_distance(point, a, b));
        if ((a.y > point.y) != (b.y > point.y) && a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y) > point.x)
            inside = !inside;
    }
    return inside ? -nearest : nearest;
}

static float obstacle_distance(pd_vec2 point, const pd_area *obstacle) {
    float x = point.x - obstacle->center.x, y = point.y - obstacle->center.y;
    if (obstacle->shape == PD_SHAPE_CIRCLE) return hypotf(x, y) - obstacle->radius;
    float c = cosf(obstacle->angle * degrees), s = sinf(obstacle->angle * degrees);
    pd_vec2 local = {c * x + s * y, c * y - s * x};
    if (obstacle->shape == PD_SHAPE_POLYGON) return polygon_distance(local, obstacle);
    if (obstacle->shape != PD_SHAPE_POLYLINE)
        return box_distance(local, (pd_rounded){0.5f * obstacle->size.x, 0.5f * obstacle->size.y, 0});
    float nearest = INFINITY;
    for (int i = 0; i < obstacle->point_count; i++)
        nearest = fminf(nearest, segment_distance(local, obstacle->points[i ? i - 1 : 0], obstacle->points[i]));
    return nearest - 0.5f * obstacle->thickness;
}

bool pd_solid_is_near(const pd_view *view, pd_vec2 point, float to_wall, float to_obstacle) {
    if (box_distance(point, pd_container_rounded(&view->container)) > -to_wall) return true;
    for (int i = 0; i < view->obstacle_count; i++)
        if (obstacle_distance(point, &view->obstacles[i]) < to_obstacle) return true;
    return false;
}
