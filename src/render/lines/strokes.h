/* Smooth strokes of varying width and opacity with a dark halo: one mesh, drawn at once. */
#ifndef PUDDLE_RENDER_LINES_STROKES_H
#define PUDDLE_RENDER_LINES_STROKES_H

#include "render/picture.h"

typedef struct pd_stroke_point {
    float x, y;       /* interface units from the top left */
    float half_width; /* units */
    float opacity;    /* 0..1 */
    float phase;      /* the pattern along the stroke: brightest below each whole number, fading to the one before */
} pd_stroke_point;

typedef struct pd_stroke_vertex {
    float x, y;   /* pixels */
    float across; /* pixels from the middle of the stroke */
    float half_width, opacity, phase;
} pd_stroke_vertex;

typedef struct pd_strokes {
    unsigned program, array, buffer;
    pd_stroke_vertex *vertices; /* triangle strips, joined by triangles without area */
    int count, capacity;
} pd_strokes;

pd_result pd_strokes_create(pd_strokes *strokes, pd_error *error);
void pd_strokes_free(pd_strokes *strokes);
void pd_strokes_clear(pd_strokes *strokes);
/* Adds a stroke of at least two points; scale: pixels per unit. When there is no memory the picture lacks it. */
void pd_strokes_add(pd_strokes *strokes, const pd_stroke_point *points, int count, float scale);
/* pattern: how strongly the pattern shows, 0..1. */
void pd_strokes_draw(pd_strokes *strokes, const pd_picture *picture, float pattern);

#endif
