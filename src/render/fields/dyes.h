/* Draws a field of dyes in the colours of the materials. */
#ifndef PUDDLE_RENDER_FIELDS_DYES_H
#define PUDDLE_RENDER_FIELDS_DYES_H

#include "render/camera.h"
#include "render/fields/dye_grid.h"
#include "render/picture.h"

typedef struct pd_dyes {
    pd_dye_grid grid;                       /* dyes of the present picture, with their texture */
    unsigned program, empty_array, texture; /* OpenGL names of the shader program, vertex array and texture */
    int width, height;                      /* size of the texture, texels */
    int texture_limit;                      /* greatest side of a texture that the driver allows, texels */
} pd_dyes;

pd_result pd_dyes_create(pd_dyes *dyes, pd_error *error);
void pd_dyes_free(pd_dyes *dyes);
/* Draws the field of dyes of the picture's view mode into the bound framebuffer. Does nothing if the view has no field of
 * cells. */
void pd_dyes_draw(pd_dyes *dyes, const pd_picture *picture, const pd_camera *camera);

#endif
