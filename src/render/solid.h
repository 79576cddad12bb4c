/* Walls for drawing: the container as a rounded box, and distances to the view's solids. */
#ifndef PUDDLE_RENDER_SOLID_H
#define PUDDLE_RENDER_SOLID_H

#include <puddle/scene.h>
#include <puddle/view.h>
#include <stdbool.h>

/* Shape of the container for shaders: every container is a box with rounded corners there. */
typedef struct pd_rounded_box {
    float half_width, half_height; /* half the sides of the box without its rounded corners, m */
    float radius;                  /* radius of the corners, m */
} pd_rounded_box;

/* Returns the rounded box of a container: a circle has half_width = half_height = 0. Without a container the box is larger
 * than any picture. */
static inline pd_rounded_box pd_container_as_rounded_box(const pd_container *container) {
    if (container->shape == PD_CONTAINER_CIRCLE) return (pd_rounded_box){0, 0, container->radius};
    if (container->shape == PD_CONTAINER_BOX)
        return (pd_rounded_box){0.5f * container->width, 0.5f * container->height, 0};
    return (pd_rounded_box){1e6f, 1e6f, 0};
}

/* Distance test for a view's solids: the container's wall, the obstacles and the bodies. */

/* Returns the distance (m) from a point to an area that may be turned: a circle, box, polyline or polygon. Negative inside. */
float pd_distance_to_area(pd_vec2 point, const pd_area *area);
/* Returns whether a point (m) is in a solid, within wall_distance (m) of the container's wall, or within
 * obstacle_distance (m) of an obstacle or a body. */
bool pd_is_point_near_solid(const pd_view *view, pd_vec2 point, float wall_distance, float obstacle_distance);

#endif
