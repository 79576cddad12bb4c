/* Distance test for a view's solids: the container's wall, the obstacles and the bodies. */
#ifndef PUDDLE_RENDER_SOLID_H
#define PUDDLE_RENDER_SOLID_H

#include <puddle/view.h>
#include <stdbool.h>

/* Returns the distance (m) from a point to an area that may be turned: a circle, box, polyline or polygon. Negative inside. */
float pd_distance_to_area(pd_vec2 point, const pd_area *area);
/* Returns whether a point (m) is in a solid, within wall_distance (m) of the container's wall, or within
 * obstacle_distance (m) of an obstacle or a body. */
bool pd_is_point_near_solid(const pd_view *view, pd_vec2 point, float wall_distance, float obstacle_distance);

#endif
