/* Draws particles as a fluid's surface: splats are summed in a field, which a threshold and shading turn into a
 * picture. */
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
    /* The picture is shaded in tiles; empty ones are skipped. */
    unsigned tile_array, tile_buffer;
    uint8_t *marks; /* content of each tile (columns x rows) */
    pd_tile *tiles; /* tiles to shade */
    int columns, rows, tile_capacity;
    int fluid_tiles, glow_tiles; /* number of tiles with fluid; number of all tiles to shade */
} pd_surface;

pd_result pd_surface_create(pd_surface *surface, pd_error *error);
void pd_surface_free(pd_surface *surface);
/* Returns the radius of a particle's splat, m. Particles nearer to a wall need a reflection
 * (pd_instances_add_reflections). */
float pd_surface_splat_radius(const pd_view *view);
/* Draws instances, which must be mirrored, weighted and uploaded, into framebuffer `target`. */
void pd_surface_draw(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera, unsigned target);

#endif
