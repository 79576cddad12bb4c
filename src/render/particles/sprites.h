/* Draws particles as discs in one instanced draw call. */
#ifndef PUDDLE_RENDER_PARTICLES_SPRITES_H
#define PUDDLE_RENDER_PARTICLES_SPRITES_H

#include "render/camera.h"
#include "render/particles/instances.h"

typedef struct pd_sprites {
    unsigned program;             /* OpenGL name of the shader program */
    int to_pixels, radius, gloss; /* locations of the shader's uniforms of these names */
} pd_sprites;

pd_result pd_sprites_create(pd_sprites *sprites, pd_error *error);
void pd_sprites_free(pd_sprites *sprites);
/* Draws each instance as a disc into the bound framebuffer. Call pd_instances_upload first. */
void pd_sprites_draw(const pd_sprites *sprites, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera);

#endif
