/* Field of the surface view: the sum of the particles' splats, and the threshold at the surface. surface.c computes the
 * field on the GPU, for pictures; pd_surface_field_create on the CPU, for contours (contour.h). Both use the constants and
 * functions of this header. */
#ifndef PUDDLE_RENDER_PARTICLES_SURFACE_FIELD_H
#define PUDDLE_RENDER_PARTICLES_SURFACE_FIELD_H

#include <puddle/result.h>
#include <puddle/view.h>

/* Constants of the field, which the shaders have as uniforms of these names and the CPU has as floats.
 *
 * Particles stay off obstacles by up to two spacings, and tracers drift apart where dye is still between them. Such a hole
 * inside a body is closed. A place is inside a body if the glow there is near 1. The glow is a blurred coverage.
 *
 *     COVER_LOW, COVER_HIGH      the coverage rises from 0 to 1 between these multiples of the threshold
 *     SOLID_LOW, SOLID_HIGH      an obstacle counts as covered between these values of its nearness
 *     BLUR_*                     offsets (texels of the glow) and weights of the blur, which is linear between texels
 *     CLOSING_LOW, CLOSING_HIGH  holes are closed gradually between these values of the glow
 *     CLOSING_OBSTACLES          factor of an obstacle's nearness; at most 1 after the multiplication
 *     CLOSING_TRACE              the field at which a hole is closed entirely */
#define PD_SURFACE_CONSTANTS(X)                                                                                        \
    X(COVER_LOW, 0.6)                                                                                                  \
    X(COVER_HIGH, 1.4)                                                                                                 \
    X(SOLID_LOW, 0.5)                                                                                                  \
    X(SOLID_HIGH, 1.0)                                                                                                 \
    X(BLUR_WEIGHT_0, 0.1633)                                                                                           \
    X(BLUR_OFFSET_1, 1.4)                                                                                              \
    X(BLUR_WEIGHT_1, 0.2616)                                                                                           \
    X(BLUR_OFFSET_2, 3.3)                                                                                              \
    X(BLUR_WEIGHT_2, 0.1260)                                                                                           \
    X(BLUR_OFFSET_3, 5.2)                                                                                              \
    X(BLUR_WEIGHT_3, 0.0308)                                                                                           \
    X(CLOSING_LOW, 0.60)                                                                                               \
    X(CLOSING_HIGH, 0.78)                                                                                              \
    X(CLOSING_OBSTACLES, 8.0)                                                                                          \
    X(CLOSING_TRACE, 0.004)
/* A constant for the shaders. */
typedef struct pd_surface_constant {
    const char *name; /* name of the uniform: "COVER_LOW" */
    float value;
} pd_surface_constant;
#define PD_SURFACE_CONSTANT_ROW(name, value) {#name, (float)(value)},

enum {
    PD_SURFACE_TEXELS_PER_SPACING = 2, /* texels of the field per rest spacing: enough for a cubic filter */
    PD_SURFACE_GLOW_REDUCTION = 4,     /* side of a texel of the glow / side of a texel of the field */
};

/* Returns the value of the field at the surface. Inside fluid at rest the field is 1. */
float pd_surface_threshold(const pd_view *view);
/* Returns 1 if all holes inside a body are closed, 0 if only holes beside obstacles are. */
float pd_surface_closing(const pd_view *view);
/* Returns the radius of a splat (1 - q^2)^3, m, where q = distance / radius. spacing: the rest spacing or a larger one, m. */
float pd_surface_splat_radius_of_spacing(float spacing);
/* Returns the height of a splat for which the field is 1 inside fluid at rest. There one particle has the area
 * rest_spacing^2, and the integral of a splat is pi/4 x radius^2. */
float pd_surface_splat_height(float rest_spacing, float splat_radius);

/* Field at the nodes of a grid that covers the container. If the container is a box, its walls are lines of the grid. */
typedef struct pd_surface_field {
    int columns, rows;      /* number of nodes in a row, and number of rows */
    pd_vec2 origin;         /* position of the first node, m */
    float step_x, step_y;   /* distances of neighbouring nodes, m; 0.5 rest spacings or a little less */
    float threshold;        /* value of `total` at the surface */
    pd_container container; /* walls at which the fluid ends, half a rest spacing outside those that stop particles */
    int material_count;     /* number of materials that occur, at most 256 */
    uint8_t material[256];  /* indices of these materials in the view, ascending */
    /* Below: `stride` values a row, with a border of `margin` values around the nodes (pd_surface_field_index). */
    int stride, margin;
    float *total;   /* field of all materials, with closed holes */
    float *amounts; /* field of each material that occurs, without closed holes, one after the other */
    size_t size;    /* number of values of `total`, and of each material in `amounts` */
} pd_surface_field;

/* Returns the index of a node in `total`, and in the part of a material in `amounts`. */
static inline size_t pd_surface_field_index(const pd_surface_field *field, int column, int row) {
    return (size_t)(row + field->margin) * (size_t)field->stride + (size_t)(column + field->margin);
}
static inline pd_vec2 pd_surface_field_position(const pd_surface_field *field, int column, int row) {
    return (pd_vec2){field->origin.x + (float)column * field->step_x, field->origin.y + (float)row * field->step_y};
}
/* Computes the field of a view without OpenGL. alpha: time within the last step, 0 at its beginning, 1 at its end. Without
 * particles the field has no materials. Errors: OUT_OF_MEMORY. */
pd_result pd_surface_field_create(pd_surface_field *field, const pd_view *view, float alpha, pd_error *error);
void pd_surface_field_free(pd_surface_field *field);

#endif
