/* Camera: converts between metres and pixels. The picture shows the rectangle from view->low to view->high, centred, as
 * large as possible with a margin. */
#ifndef PUDDLE_RENDER_CAMERA_H
#define PUDDLE_RENDER_CAMERA_H

#include "render/picture.h"

typedef struct pd_camera {
    pd_vec2 center; /* point at the picture's centre, m */
    float pixels_per_metre;
    int width, height; /* size of the picture, pixels */
    float zoom;        /* magnification; 1 shows the whole view */
} pd_camera;

void pd_camera_fit(pd_camera *camera, const pd_view *view, int width, int height);
/* Fits the view into the picture with the margins, zoom and shift of `framing`. width, height: size of the picture,
 * pixels. */
void pd_camera_fit_with_framing(pd_camera *camera, const pd_view *view, const pd_framing *framing, int width,
                                int height);
/* Converts a position in pixels, from the picture's top left corner with y down, to metres. */
pd_vec2 pd_camera_pixels_to_world(const pd_camera *camera, float pixel_x, float pixel_y);
pd_vec2 pd_camera_world_to_pixels(const pd_camera *camera, pd_vec2 point);
/* Intersects a rectangle with the container and an area of the picture, and adds a margin of one pixel. x, y: lower
 * left corner of the rectangle, m; width, height: m. rectangle: receives low x, low y, high x, high y in the area's
 * clip space. Returns false if the intersection is empty. */
bool pd_camera_clip_rectangle(const pd_camera *camera, const pd_pixel_area *area, const pd_container *container,
                              double x, double y, double width, double height, float rectangle[4]);
/* Computes the matrix from metres to clip space, 4x4 in column-major order (as in cglm). */
void pd_camera_compute_clip_matrix(const pd_camera *camera, float matrix[4][4]);

#endif
