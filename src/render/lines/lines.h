/* Draws obstacles, drains, nozzles, the container's outline and the tool's circle as anti-aliased shapes, in one draw
 * call. */
#ifndef PUDDLE_RENDER_LINES_LINES_H
#define PUDDLE_RENDER_LINES_LINES_H

#include "render/picture.h"

/* Rotated rounded box, in pixels from the picture's top left corner.
 *
 *     half = 0          circle
 *     half[1] = 0       thick line with round ends
 *     radius negative   filled triangle without soft edges; center, half and axis are its corners */
typedef struct pd_line_shape {
    float center[2]; /* centre, pixels */
    float half[2];   /* half width and half height without the corner radius, pixels */
    float axis[2];   /* cosine and sine of the angle of rotation */
    float radius;    /* corner radius, pixels */
    float stroke;    /* half width of the outline, pixels; 0: a filled shape */
    float glow;      /* width of the glow around the line, pixels; 0: no glow */
    float dash;      /* length of each dash and each gap, pixels; 0: a solid line */
    float light;     /* strength with which light from the top left shades the edge, 0..1 */
    float colour[4]; /* red, green, blue, opacity, 0..1 */
} pd_line_shape;

typedef struct pd_lines {
    unsigned program, array, buffer; /* OpenGL names of the shader program, vertex array and buffer of the shapes */
    int size_uniform, texel_uniform; /* locations of the shader's uniforms "size" and "texel" */
    pd_line_shape *shapes;           /* shapes of the present picture */
    int count, capacity;             /* number of shapes, and number for which memory is allocated */
} pd_lines;

/* Gets the colour in which a body is drawn: its own one, or that of wood. */
void pd_lines_get_body_colour(const pd_area *area, float rgb[3]);

pd_result pd_lines_create(pd_lines *lines, pd_error *error);
void pd_lines_free(pd_lines *lines);
void pd_lines_draw(pd_lines *lines, const pd_picture *picture, const pd_camera *camera);
/* Draws the nearness of obstacles into the red channel of the bound framebuffer, which must be 0: 1 inside an obstacle,
 * falling to 0 at the distance reach_pixels from it. area: rectangle of the picture that the framebuffer covers (left,
 * low, width, height), pixels. texel_pixels: side of a texel of the framebuffer, pixels. */
void pd_lines_draw_obstacle_nearness(pd_lines *lines, const pd_picture *picture, const pd_camera *camera,
                                     const float area[4], float texel_pixels, float reach_pixels);

#endif
