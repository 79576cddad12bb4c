#include "render/solid.h"

#include <math.h>

static const float degrees = 3.14159265f / 180;

/* Returns the distance from a point to a rounded box around the origin, negative inside. */
static float distance_to_rounded_box(pd_vec2 point, pd_rounded_box shape) {
    float x = fabsf(point.x) - shape.half_width, y = fabsf(point.y) - shape.half_height;
    return hypotf(fmaxf(x, 0), fmaxf(y, 0)) + fminf(fmaxf(x, y), 0) - shape.radius;
}

static float distance_to_segment(pd_vec2 point, pd_vec2 from, pd_vec2 to) {
    float x = to.x - from.x, y = to.y - from.y, square = x * x + y * y;
    float along = square > 0 ? ((point.x - from.x) * x + (point.y - from.y) * y) / square : 0;
    along = fminf(fmaxf(along, 0), 1);
    return hypotf(point.x - from.x - along * x, point.y - from.y - along * y);
}

static float distance_to_polygon(pd_vec2 point, const pd_area *polygon) {
    float nearest = INFINITY;
    bool inside = false;
    for (int i = 0; i < polygon->point_count; i++) {
        pd_vec2 a = polygon->points[i], b = polygon->points[(i + 1) % polygon->point_count];
        nearest = fminf(nearest, distance_to_segment(point, a, b));
        if ((a.y > point.y) != (b.y > point.y) && a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y) > point.x)
            inside = !inside;
    }
    return inside ? -nearest : nearest;
}

float pd_distance_to_area(pd_vec2 point, const pd_area *area) {
    float x = point.x - area->center.x, y = point.y - area->center.y;
    if (area->shape == PD_SHAPE_CIRCLE) return hypotf(x, y) - area->radius;
    float c = cosf(area->angle * degrees), s = sinf(area->angle * degrees);
    pd_vec2 local = {c * x + s * y, c * y - s * x};
    if (area->shape == PD_SHAPE_POLYGON) return distance_to_polygon(local, area);
    if (area->shape != PD_SHAPE_POLYLINE)
        return distance_to_rounded_box(local, (pd_rounded_box){0.5f * area->size.x, 0.5f * area->size.y, 0});
    float nearest = INFINITY;
    for (int i = 0; i < area->point_count; i++)
        nearest = fminf(nearest, distance_to_segment(local, area->points[i ? i - 1 : 0], area->points[i]));
    return nearest - 0.5f * area->thickness;
}

bool pd_is_point_near_solid(const pd_view *view, pd_vec2 point, float wall_distance, float obstacle_distance) {
    if (distance_to_rounded_box(point, pd_container_as_rounded_box(&view->container)) > -wall_distance) return true;
    for (int i = 0; i < view->obstacle_count; i++)
        if (pd_distance_to_area(point, &view->obstacles[i]) < obstacle_distance) return true;
    for (int i = 0; i < view->body_count; i++)
        if (pd_distance_to_area(point, &view->bodies[i].area) < obstacle_distance) return true;
    return false;
}
