/* Particles as a fluid's surface: added up in a coarse field, which is then thresholded and lit. */
#ifndef PUDDLE_RENDER_SURFACE_H
#define PUDDLE_RENDER_SURFACE_H

#include "render/camera.h"
#include "render/instances.h"
#include "render/target.h"

typedef struct pd_tile {
    float column, row;
} pd_tile;

typedef struct pd_surface {
    pd_target field, glow[2];
    unsigned splat, down, blur, halo, shade, empty_array;
    /* The picture is shaded in tiles, so that its empty parts cost nothing. */
    unsigned tile_array, tile_buffer;
    uint8_t *marks;
    pd_tile *tiles;
    int columns, rows, tile_capacity;
    int fluid_tiles, glow_tiles; /* glow: all tiles, those with fluid among them */
} pd_surface;

pd_result pd_surface_create(pd_surface *surface, pd_error *error);
void pd_surface_free(pd_surface *surface);
/* How far a particle's splat reaches, m: what is nearer to a wall needs its reflection. */
float pd_surface_reach(const pd_view *view);
/* Draws mirrored, weighed and uploaded instances into framebuffer `target`. */
void pd_surface_draw(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera, unsigned target);

#endif
