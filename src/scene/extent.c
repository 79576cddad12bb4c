/* Extent of the fluid of a scene at the start. */
#include "scene/extent.h"

#include "scene/geometry.h"

#include <math.h>

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
