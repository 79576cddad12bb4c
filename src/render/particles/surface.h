/* Draws particles as a fluid's surface: their splats are added up in a field, and the surface is where the field
 * exceeds a threshold. */
#ifndef PUDDLE_RENDER_PARTICLES_SURFACE_H
#define PUDDLE_RENDER_PARTICLES_SURFACE_H

#include "render/canvas.h"
#include "render/particles/instances.h"
#include "render/picture.h"

/* Place of a square tile of the picture, in tiles from the lower left corner. */
typedef struct pd_tile {
    float column, row;
} pd_tile;

/* Rectangle of the picture that the field covers, and resolution of the field. */
typedef struct pd_field_area {
    int x, y, width, height; /* rectangle in the picture, pixels from the lower left corner */
    float texel;             /* side of a texel of the field, pixels */
    int columns, rows;       /* size of the field, texels */
} pd_field_area;

typedef struct pd_surface {
    pd_target field;       /* sum of the splats */
    pd_target glow[2];     /* glow, blurred from one target to the other */
    pd_target solids;      /* nearness of obstacles: 1 inside, 0 from the splat radius on */
    pd_field_area covered; /* rectangle of the picture that `field` and `solids` cover */
    unsigned splat, down, blur, halo, shade, empty_array; /* OpenGL names of shader programs, of a vertex array */
    /* The picture is shaded in square tiles. Tiles without fluid and glow are skipped. */
    unsigned tile_array, tile_buffer; /* OpenGL names of the vertex array and the buffer of `tiles` */
    /* By tile: 0: nothing to draw, or glow, or fluid (enum in surface.c); columns x rows, lowest row first. */
    uint8_t *marks;
    pd_tile *tiles;    /* positions of the tiles to shade: first the tiles with fluid, then those with only glow */
    int columns, rows; /* number of columns and rows of tiles */
    int tile_capacity; /* number of tiles for which memory is allocated */
    int fluid_tiles;   /* number of tiles with fluid: tiles[0] to tiles[fluid_tiles - 1] */
    int glow_tiles;    /* number of all tiles to shade, those with fluid included */
} pd_surface;

pd_result pd_surface_create(pd_surface *surface, pd_error *error);
void pd_surface_free(pd_surface *surface);
/* Returns the radius of a particle's splat, m (larger if the rest spacing is below 1.2 pixels). Particles nearer to a wall
 * need a mirror image (pd_instances_add_reflections). */
float pd_surface_splat_radius(const pd_view *view);
/* Begins a picture: sets surface->covered, clears surface->solids and binds it as the framebuffer. The caller then draws
 * the nearness of obstacles into it by pd_lines_draw_obstacle_nearness. Returns the distance at which this nearness must
 * be 0: the splat radius, pixels. */
float pd_surface_begin_solids(pd_surface *surface, const pd_picture *picture, const pd_camera *camera);
/* Draws the surface of the instances into framebuffer `target`. Call pd_instances_add_reflections,
 * pd_instances_compute_weights, pd_instances_upload and pd_surface_begin_solids first. */
void pd_surface_draw(pd_surface *surface, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera, unsigned target);

#endif
