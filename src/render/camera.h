/* Camera: maps metres to pixels and back. The picture shows view->low to view->high, centred, as large as possible with
 * a margin. */
#ifndef PUDDLE_RENDER_CAMERA_H
#define PUDDLE_RENDER_CAMERA_H

#include "render/picture.h"

typedef struct pd_camera {
    pd_vec2 center; /* centre of the picture, m */
    float pixels_per_metre;
    int width, height; /* size of the picture, pixels */
} pd_camera;

void pd_camera_fit(pd_camera *camera, const pd_view *view, int width, int height);
/* Places the view in the picture as `framing` says. width, height: size of the picture, pixels. */
void pd_camera_frame(pd_camera *camera, const pd_view *view, const pd_framing *framing, int width, int height);
/* Converts pixels to metres. Pixels begin at the picture's top left corner; y points down. */
pd_vec2 pd_camera_to_world(const pd_camera *camera, float pixel_x, float pixel_y);
pd_vec2 pd_camera_to_pixels(const pd_camera *camera, pd_vec2 point);
/* Intersects a rectangle (lower left corner, width, height, m), the container and an area of the picture, with a margin
 * of one pixel. rectangle: low x, low y, high x, high y in the area's clip space. Returns false if it is empty. */
bool pd_camera_rectangle(const pd_camera *camera, const pd_pixel_area *area, const pd_container *container, double x,
                         double y, double width, double height, float rectangle[4]);
/* Computes the matrix from metres to clip space, column-major 4x4 (cglm). */
void pd_camera_matrix(const pd_camera *camera, float matrix[4][4]);

#endif
