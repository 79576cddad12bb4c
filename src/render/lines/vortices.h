/* Vortices as soft discs in the colours of their circulations. */
#ifndef PUDDLE_RENDER_LINES_VORTICES_H
#define PUDDLE_RENDER_LINES_VORTICES_H

#include "render/camera.h"
#include "render/picture.h"
#include "render/target.h"

typedef struct pd_vortex_disc {
    float x, y;        /* m */
    float reach;       /* m: radius of what is drawn */
    float disc;        /* part of the reach that the disc takes; around it is its glow */
    float circulation; /* in the unit of the legend's end: -1..1 */
    float cover;       /* of its middle; 1 for a vortex of its own */
} pd_vortex_disc;

typedef struct pd_vortex_discs {
    pd_target sums;
    unsigned splat, shade, empty_array, array, buffer;
    unsigned colours; /* of the legend, a texture of one row */
    int palette;      /* that colours has; -1: none yet */
    pd_vortex_disc *discs;
    int sampling, own; /* discs of vortices with an area, and of those without one, which follow */
    int capacity;
} pd_vortex_discs;

pd_result pd_vortex_discs_create(pd_vortex_discs *discs, pd_error *error);
void pd_vortex_discs_free(pd_vortex_discs *discs);
/* Draws the vortices of the view into framebuffer `target`; without memory for them, nothing. */
void pd_vortex_discs_draw(pd_vortex_discs *discs, const pd_picture *picture, const pd_camera *camera, unsigned target);

#endif
