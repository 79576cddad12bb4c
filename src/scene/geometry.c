/* Sizes of areas, containment, rotation, extent. */
#include "scene/geometry.h"

#include "core/math.h"
#include "scene/polygon.h"

#include <math.h>
#include <string.h>

static const double pi = 3.141592653589793;

pd_vec2 pd_rotate(pd_vec2 v, double degrees) {
    double angle = degrees * 0.017453292519943295, c = pd_cos(angle), s = pd_sin(angle);
    return (pd_vec2){(float)(c * v.x - s * v.y), (float)(s * v.x + c * v.y)};
}

void pd_area_rotate(pd_area *area, double degrees) {
    if (area->shape == PD_SHAPE_BOX || area->shape == PD_SHAPE_POLYGON) area->angle = (float)degrees;
    if (area->shape != PD_SHAPE_POLYLINE || degrees == 0) return;
    for (int i = 0; i < area->point_count; i++) area->points[i] = pd_rotate(area->points[i], degrees);
}

pd_vec2 pd_area_half_size(const pd_area *area) {
    if (area->shape == PD_SHAPE_CIRCLE) return (pd_vec2){area->radius, area->radius};
    return (pd_vec2){0.5f * area->size.x, 0.5f * area->size.y};
}

double pd_container_square_metres(const pd_container *container) {
    if (container->shape == PD_CONTAINER_CIRCLE) return pi * container->radius * container->radius;
    return container->shape == PD_CONTAINER_BOX ? (double)container->width * container->height : INFINITY;
}

int pd_image_pixel_at(const pd_area *image, pd_vec2 point) {
    double x = ((double)point.x - image->center.x) / image->size.x + 0.5;
    double y = 0.5 - ((double)point.y - image->center.y) / image->size.y;
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return PD_NO_FLUID;
    int column = (int)fmin(x * image->columns, image->columns - 1), row = (int)fmin(y * image->rows, image->rows - 1);
    return image->pixels[(size_t)row * (size_t)image->columns + (size_t)column];
}

long long pd_scene_image_pixel_count(const pd_scene *scene) {
    long long pixels = 0;
    for (int i = 0; i < scene->region_count; i++) {
        const pd_area *area = &scene->regions[i].area;
        if (area->shape == PD_SHAPE_IMAGE) pixels += (long long)area->columns * area->rows;
    }
    return pixels;
}

bool pd_image_has_material(const pd_area *area, int material) {
    if (area->shape != PD_SHAPE_IMAGE) return false;
    return memchr(area->pixels, material, (size_t)area->columns * (size_t)area->rows) != NULL;
}

bool pd_image_is_empty(const pd_area *image) {
    for (int i = 0; i < image->columns * image->rows; i++)
        if (image->pixels[i] != PD_NO_FLUID) return false;
    return true;
}

/* Returns the fraction of an image's pixels that have fluid. */
static double compute_image_fluid_fraction(const pd_area *image) {
    int pixels = image->columns * image->rows, filled = 0;
    for (int i = 0; i < pixels; i++) filled += image->pixels[i] != PD_NO_FLUID;
    return (double)filled / pixels;
}

static bool has_rectangular_shape(const pd_area *area) {
    return area->shape == PD_SHAPE_BOX || area->shape == PD_SHAPE_IMAGE || area->shape == PD_SHAPE_PARTICLES;
}

double pd_area_square_metres(const pd_area *area) {
    pd_vec2 half = pd_area_half_size(area);
    if (area->shape == PD_SHAPE_IMAGE) return 4.0 * half.x * half.y * compute_image_fluid_fraction(area);
    return (has_rectangular_shape(area) ? 4.0 : pi) * half.x * half.y;
}

double pd_region_square_metres(const pd_region *region) {
    if (region->area.shape != PD_SHAPE_PARTICLES || !(region->spacing > 0)) return pd_area_square_metres(&region->area);
    return region->count * ((double)region->spacing * (double)region->spacing);
}

bool pd_area_is_outside_container(const pd_area *area, const pd_container *container) {
    double half_x = area->shape == PD_SHAPE_CIRCLE ? area->radius : area->size.x / 2.0;
    double half_y = area->shape == PD_SHAPE_CIRCLE ? area->radius : area->size.y / 2.0;
    double away_x = fmax(fabs((double)area->center.x) - half_x, 0);
    double away_y = fmax(fabs((double)area->center.y) - half_y, 0);
    if (container->shape == PD_CONTAINER_NONE) return false;
    if (container->shape == PD_CONTAINER_BOX)
        return away_x >= container->width / 2.0 || away_y >= container->height / 2.0;
    if (area->shape == PD_SHAPE_CIRCLE)
        return pd_hypot(area->center.x, area->center.y) - area->radius >= container->radius;
    return pd_hypot(away_x, away_y) >= container->radius;
}

static bool is_area_inside_circle(const pd_area *area, const pd_area *circle) {
    double dx = fabs((double)area->center.x - circle->center.x);
    double dy = fabs((double)area->center.y - circle->center.y);
    if (area->shape == PD_SHAPE_CIRCLE) return pd_hypot(dx, dy) + area->radius <= circle->radius;
    pd_vec2 half = pd_area_half_size(area);
    return pd_hypot(dx + half.x, dy + half.y) <= circle->radius;
}

/* Returns whether the area is wholly inside a rotated box, by the area's extent along each axis of the box. */
static bool is_area_inside_box(const pd_area *area, const pd_area *box) {
    double dx = (double)area->center.x - box->center.x, dy = (double)area->center.y - box->center.y;
    double angle = fmod(box->angle, 360.0) * 0.017453292519943295, c = pd_cos(angle), s = pd_sin(angle);
    double along = fabs(c * dx + s * dy), across = fabs(c * dy - s * dx);
    pd_vec2 half = pd_area_half_size(area);
    if (has_rectangular_shape(area)) {
        along += fabs(c) * half.x + fabs(s) * half.y;
        across += fabs(s) * half.x + fabs(c) * half.y;
    } else {
        along += pd_hypot(c * half.x, s * half.y);
        across += pd_hypot(s * half.x, c * half.y);
    }
    return along <= box->size.x / 2.0 && across <= box->size.y / 2.0;
}

bool pd_area_is_covered_by_obstacle(const pd_area *area, const pd_area *obstacle) {
    if (obstacle->shape == PD_SHAPE_CIRCLE) return is_area_inside_circle(area, obstacle);
    if (obstacle->shape == PD_SHAPE_POLYGON) return pd_polygon_covers(obstacle, area);
    return obstacle->shape == PD_SHAPE_BOX && is_area_inside_box(area, obstacle);
}

bool pd_area_contains_point(const pd_area *area, pd_vec2 point) {
    if (area->shape == PD_SHAPE_IMAGE) return pd_image_pixel_at(area, point) != PD_NO_FLUID;
    pd_vec2 half = pd_area_half_size(area);
    double x = ((double)point.x - area->center.x) / half.x, y = ((double)point.y - area->center.y) / half.y;
    return area->shape == PD_SHAPE_BOX ? fabs(x) <= 1.0 && fabs(y) <= 1.0 : x * x + y * y <= 1.0;
}

float pd_area_fraction_in_cell(const pd_area *area, pd_vec2 center, float cell_size) {
    enum { SAMPLES_PER_SIDE = 4 };
    int inside = 0;
    for (int a = 0; a < SAMPLES_PER_SIDE; a++)
        for (int b = 0; b < SAMPLES_PER_SIDE; b++) {
            float dx = ((float)a + 0.5f) / SAMPLES_PER_SIDE - 0.5f, dy = ((float)b + 0.5f) / SAMPLES_PER_SIDE - 0.5f;
            inside += pd_area_contains_point(area, (pd_vec2){center.x + cell_size * dx, center.y + cell_size * dy});
        }
    return (float)inside / (SAMPLES_PER_SIDE * SAMPLES_PER_SIDE);
}

bool pd_zone_contains_point(const pd_area *zone, pd_vec2 point) {
    float x = point.x - zone->center.x, y = point.y - zone->center.y;
    if (zone->shape == PD_SHAPE_BOX) return fabsf(x) <= 0.5f * zone->size.x && fabsf(y) <= 0.5f * zone->size.y;
    return x * x + y * y <= zone->radius * zone->radius;
}

/* ---- Extent of the fluid ---- */

static void extend(pd_extent *extent, pd_vec2 center, pd_vec2 half) {
    extent->low.x = fminf(extent->low.x, center.x - half.x);
    extent->low.y = fminf(extent->low.y, center.y - half.y);
    extent->high.x = fmaxf(extent->high.x, center.x + half.x);
    extent->high.y = fmaxf(extent->high.y, center.y + half.y);
}

static void extend_around_obstacle(pd_extent *extent, const pd_area *area) {
    const pd_vec2 center = area->center;
    if (!pd_area_has_points(area)) extend(extent, center, pd_area_half_size(area));
    for (int i = 0; pd_area_has_points(area) && i < area->point_count; i++)
        extend(extent, (pd_vec2){center.x + area->points[i].x, center.y + area->points[i].y}, (pd_vec2){0, 0});
}

bool pd_scene_find_fluid_extent(const pd_scene *scene, pd_extent *found) {
    pd_extent extent = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    const int vortons = scene->region_count > 0 ? 0 : scene->vorton_count;
    const int emitters = scene->region_count + scene->vorton_count > 0 ? 0 : scene->emitter_count;
    for (int i = 0; i < scene->region_count; i++)
        extend(&extent, scene->regions[i].area.center, pd_area_half_size(&scene->regions[i].area));
    for (int i = 0; i < vortons; i++) extend(&extent, scene->vortons[i].position, (pd_vec2){0, 0});
    for (int i = 0; i < scene->obstacle_count && vortons > 0; i++)
        extend_around_obstacle(&extent, &scene->obstacles[i].area);
    for (int i = 0; i < emitters; i++) extend(&extent, scene->emitters[i].position, (pd_vec2){0, 0});
    if (scene->region_count + vortons + emitters == 0) return false;
    *found = extent;
    return true;
}
