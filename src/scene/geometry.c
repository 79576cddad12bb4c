#include "scene/geometry.h"

#include <math.h>

static const double pi = 3.141592653589793;

pd_vec2 pd_region_half_size(const pd_region *region) {
    if (region->shape == PD_SHAPE_CIRCLE) return (pd_vec2){region->radius, region->radius};
    return (pd_vec2){0.5f * region->size.x, 0.5f * region->size.y};
}

double pd_region_area(const pd_region *region) {
    pd_vec2 half = pd_region_half_size(region);
    return (region->shape == PD_SHAPE_BOX ? 4.0 : pi) * half.x * half.y;
}

bool pd_region_outside(const pd_region *region, const pd_container *container) {
    double half_x = region->shape == PD_SHAPE_CIRCLE ? region->radius : region->size.x / 2.0;
    double half_y = region->shape == PD_SHAPE_CIRCLE ? region->radius : region->size.y / 2.0;
    double away_x = fmax(fabs((double)region->center.x) - half_x, 0);
    double away_y = fmax(fabs((double)region->center.y) - half_y, 0);
    if (container->shape == PD_CONTAINER_NONE) return false;
    if (container->shape == PD_CONTAINER_BOX)
        return away_x >= container->width / 2.0 || away_y >= container->height / 2.0;
    if (region->shape == PD_SHAPE_CIRCLE)
        return hypot(region->center.x, region->center.y) - region->radius >= container->radius;
    return hypot(away_x, away_y) >= container->radius;
}

static bool inside_circle(const pd_region *region, const pd_obstacle *circle) {
    double dx = fabs((double)region->center.x - circle->center.x);
    double dy = fabs((double)region->center.y - circle->center.y);
    if (region->shape == PD_SHAPE_CIRCLE) return hypot(dx, dy) + region->radius <= circle->radius;
    pd_vec2 half = pd_region_half_size(region);
    return hypot(dx + half.x, dy + half.y) <= circle->radius;
}

/* True if, along each axis of the box, the region extends no farther from the box's centre than half its side. */
static bool inside_box(const pd_region *region, const pd_obstacle *box) {
    double dx = (double)region->center.x - box->center.x, dy = (double)region->center.y - box->center.y;
    double angle = fmod(box->angle, 360.0) * 0.017453292519943295, c = cos(angle), s = sin(angle);
    double along = fabs(c * dx + s * dy), across = fabs(c * dy - s * dx);
    pd_vec2 half = pd_region_half_size(region);
    if (region->shape == PD_SHAPE_BOX) {
        along += fabs(c) * half.x + fabs(s) * half.y;
        across += fabs(s) * half.x + fabs(c) * half.y;
    } else {
        along += hypot(c * half.x, s * half.y);
        across += hypot(s * half.x, c * half.y);
    }
    return along <= box->size.x / 2.0 && across <= box->size.y / 2.0;
}

bool pd_region_covered(const pd_region *region, const pd_obstacle *obstacle) {
    if (obstacle->shape == PD_SHAPE_CIRCLE) return inside_circle(region, obstacle);
    return obstacle->shape == PD_SHAPE_BOX && inside_box(region, obstacle);
}

bool pd_region_contains(const pd_region *region, pd_vec2 point) {
    pd_vec2 half = pd_region_half_size(region);
    double x = ((double)point.x - region->center.x) / half.x, y = ((double)point.y - region->center.y) / half.y;
    return region->shape == PD_SHAPE_BOX ? fabs(x) <= 1.0 && fabs(y) <= 1.0 : x * x + y * y <= 1.0;
}

float pd_region_cover(const pd_region *region, pd_vec2 center, float cell) {
    enum { SAMPLES = 4 };
    int inside = 0;
    for (int a = 0; a < SAMPLES; a++)
        for (int b = 0; b < SAMPLES; b++) {
            float dx = ((float)a + 0.5f) / SAMPLES - 0.5f, dy = ((float)b + 0.5f) / SAMPLES - 0.5f;
            inside += pd_region_contains(region, (pd_vec2){center.x + cell * dx, center.y + cell * dy});
        }
    return (float)inside / (SAMPLES * SAMPLES);
}

bool pd_drain_contains(const pd_drain *drain, pd_vec2 point) {
    float x = point.x - drain->center.x, y = point.y - drain->center.y;
    if (drain->shape == PD_SHAPE_BOX) return fabsf(x) <= 0.5f * drain->size.x && fabsf(y) <= 0.5f * drain->size.y;
    return x * x + y * y <= drain->radius * drain->radius;
}
