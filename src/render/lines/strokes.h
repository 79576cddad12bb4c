/* Smooth strokes of varying width and opacity with a dark halo, drawn as one mesh. */
#ifndef PUDDLE_RENDER_LINES_STROKES_H
#define PUDDLE_RENDER_LINES_STROKES_H

#include "render/camera.h"
#include "render/picture.h"

typedef struct pd_stroke_point {
    float x, y;       /* position, interface units from the picture's top left corner */
    float half_width; /* half width of the stroke here, interface units */
    float opacity;    /* opacity of the stroke here, 0..1 */
    float phase;      /* phase of the brightness pattern, in periods; the stroke is brightest just below each integer */
} pd_stroke_point;

typedef struct pd_stroke_vertex {
    float x, y;           /* position, pixels */
    float across;         /* signed distance from the stroke's centre line, pixels */
    float half_width;     /* half width of the stroke here, pixels */
    float opacity, phase; /* as in pd_stroke_point */
} pd_stroke_vertex;

typedef struct pd_strokes {
    unsigned program, array, buffer; /* OpenGL names of the shader program, vertex array and buffer of the vertices */
    pd_stroke_vertex *vertices;      /* one triangle strip for all strokes; triangles of area 0 join the strokes */
    int count, capacity;             /* number of vertices, and number for which memory is allocated */
} pd_strokes;

pd_result pd_strokes_create(pd_strokes *strokes, pd_error *error);
void pd_strokes_free(pd_strokes *strokes);
void pd_strokes_clear(pd_strokes *strokes);
/* Adds a stroke along `count` >= 2 points. scale: pixels per interface unit. If memory runs out the stroke is not drawn. */
void pd_strokes_add_stroke(pd_strokes *strokes, const pd_stroke_point *points, int count, float scale);
/* Draws the parts of all strokes inside the container into the bound framebuffer. pattern_strength: contrast of the
 * brightness pattern, 0..1. */
void pd_strokes_draw(pd_strokes *strokes, const pd_picture *picture, const pd_camera *camera, float pattern_strength);

#endif
