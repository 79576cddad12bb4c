/* Maps metres to pixels and back. The picture shows view->low to view->high, centred, as large as fits, with a
 * margin. */
#ifndef PUDDLE_RENDER_CAMERA_H
#define PUDDLE_RENDER_CAMERA_H

#include "render/picture.h"

typedef struct pd_camera {
    pd_vec2 center; /* m, shown in the middle of the picture */
    float pixels_per_metre;
    int width, height; /* pixels */
} pd_camera;

void pd_camera_fit(pd_camera *camera, const pd_view *view, int width, int height);
/* The same in what is right of `left` pixels of the picture. */
void pd_camera_fit_beside(pd_camera *camera, const pd_view *view, float left, int width, int height);
/* Pixel coordinates start at the top left corner; y points down. */
pd_vec2 pd_camera_to_world(const pd_camera *camera, float pixel_x, float pixel_y);
pd_vec2 pd_camera_to_pixels(const pd_camera *camera, pd_vec2 point);
/* The part of an area of the picture that a rectangle (m: lower left corner, width, height) and the container share, in the
 * area's clip space: low x, low y, high x, high y, with a pixel around it. False: none. */
bool pd_camera_rectangle(const pd_camera *camera, const pd_pixel_area *area, const pd_container *container, double x,
                         double y, double width, double height, float rectangle[4]);
/* Column-major 4x4 (cglm): metres to clip space. */
void pd_camera_matrix(const pd_camera *camera, float matrix[4][4]);

#endif
