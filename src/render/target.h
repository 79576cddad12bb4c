/* Target: a texture, and a framebuffer to draw into the texture. */
#ifndef PUDDLE_RENDER_TARGET_H
#define PUDDLE_RENDER_TARGET_H

typedef struct pd_target {
    unsigned texture, framebuffer; /* OpenGL names */
    int width, height;             /* size of the texture, texels */
} pd_target;

/* Allocates the texture with a sized OpenGL format (GL_RGBA16F) and binds the framebuffer. Does nothing if the texture
 * already has this size, even in another format. */
void pd_target_resize(pd_target *target, int width, int height, unsigned format);
void pd_target_free(pd_target *target);

#endif
