/* Draws particles as a fluid's surface: their splats are added up in a field, and the surface is where the field
 * exceeds a threshold. */
#ifndef PUDDLE_RENDER_PARTICLES_SURFACE_H
#define PUDDLE_RENDER_PARTICLES_SURFACE_H

#include "render/camera.h"
#include "render/particles/instances.h"
#include "render/target.h"

typedef struct pd_tile {
    float column, row;
} pd_tile;

typedef struct pd_surface {
    pd_target field, glow[2];
    unsigned splat, down, blur, halo, shade, empty_array;
    /* The picture is shaded in square tiles. Tiles without fluid and glow are skipped. */
    unsigned tile_array, tile_buffer;
    uint8_t *marks; /* by tile: no fluid, glow or fluid; columns x rows, from the lowest row */
    pd_tile *tiles; /* positions of the tiles to shade, those with fluid first */
    int columns, rows, tile_capacity;
    int fluid_tiles, glow_tiles; /* number of tiles with fluid; number of all tiles to shade, with fluid or glow */
} pd_surface;

pd_result pd_surface_create(pd_surface *surface, pd_error *error);
void pd_surface_free(pd_surface *surface);
/* Returns the radius of a particle's splat, m, if the rest spacing is at least 1.2 pixels. Particles nearer to a wall
 * need a mirror image (pd_instances_add_reflections). */
float pd_surface_splat_radius(const pd_view *view);
/* Draws instances into framebuffer `target`. Their reflections and weights must have been computed, and the instances
 * uploaded. */
void pd_surface_draw(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera, unsigned target);

#endif
