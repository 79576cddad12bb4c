/* Draws vortices as soft discs in the colours of their circulations. */
#ifndef PUDDLE_RENDER_LINES_VORTICES_H
#define PUDDLE_RENDER_LINES_VORTICES_H

#include "render/canvas.h"
#include "render/picture.h"

typedef struct pd_vortex_disc {
    float x, y;          /* centre, m */
    float outer_radius;  /* radius of the disc including its glow, m */
    float disc_fraction; /* radius of the disc without glow, in units of outer_radius */
    float circulation;   /* circulation in units of the legend's upper end, limited to -1..1 */
    float opacity;       /* opacity at the centre; 1 for a point vortex */
} pd_vortex_disc;

typedef struct pd_vortex_discs {
    pd_target sum_target;                /* texture of sums over all discs: circulation x weight, weight, opacity */
    unsigned splat, shade;               /* shader programs that add up the discs, and draw their sums */
    unsigned empty_array, array, buffer; /* vertex array without vertices; vertex array and buffer of the discs */
    unsigned colour_texture;             /* texture of one row with the colours of the legend */
    int palette;           /* index of the palette from which colour_texture was computed; -1: not computed yet */
    pd_vortex_disc *discs; /* discs of the present picture */
    int area_count;        /* number of vortices with an area; their discs come first */
    int point_count;       /* number of vortices without an area */
    int capacity;          /* number of discs for which memory is allocated */
} pd_vortex_discs;

pd_result pd_vortex_discs_create(pd_vortex_discs *discs, pd_error *error);
void pd_vortex_discs_free(pd_vortex_discs *discs);
/* Draws the vortices of the view into framebuffer `target`. If memory runs out no vortex is drawn. */
void pd_vortex_discs_draw(pd_vortex_discs *discs, const pd_picture *picture, const pd_camera *camera, unsigned target);

#endif
