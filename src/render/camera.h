/* Camera: converts between metres and pixels. The picture shows the rectangle from view->low to view->high, centred, as
 * large as possible with a margin. */
#ifndef PUDDLE_RENDER_CAMERA_H
#define PUDDLE_RENDER_CAMERA_H

#include "render/picture.h"

typedef struct pd_camera {
    pd_vec2 center;         /* point at the picture's centre, m */
    float pixels_per_metre; /* scale of the picture */
    int width, height;      /* size of the picture, pixels */
    float zoom;             /* magnification of the view; 1: the whole view is visible */
} pd_camera;

void pd_camera_fit_view(pd_camera *camera, const pd_view *view, int width, int height);
/* Fits the view into the picture with the margins, zoom and shift of `framing`. width, height: size of the picture,
 * pixels. */
void pd_camera_fit_framed_view(pd_camera *camera, const pd_view *view, const pd_framing *framing, int width,
                               int height);
/* Converts a position in pixels, from the picture's top left corner with y down, to metres. */
pd_vec2 pd_camera_pixels_to_world(const pd_camera *camera, float pixel_x, float pixel_y);
pd_vec2 pd_camera_world_to_pixels(const pd_camera *camera, pd_vec2 point);
/* Returns whether a rectangle of the picture meets the container. low, high: upper left and lower right corner, pixels. Without
 * a container the fluid may be anywhere. */
bool pd_camera_rectangle_meets_container(const pd_camera *camera, const pd_container *container, pd_vec2 low,
                                         pd_vec2 high);
/* Intersects a rectangle of the world with the container and with an area of the picture, and adds a margin of one pixel.
 * x, y, width, height: lower left corner and size of the rectangle, m. clip_rectangle: receives low x, low y, high x, high
 * y of the intersection in the area's clip space. Returns false if the intersection is empty. */
bool pd_camera_clip_rectangle(const pd_camera *camera, const pd_pixel_area *area, const pd_container *container,
                              double x, double y, double width, double height, float clip_rectangle[4]);
/* Computes the matrix from metres to clip space, 4x4 in column-major order (as in cglm). */
void pd_camera_compute_clip_matrix(const pd_camera *camera, float matrix[4][4]);

#endif
