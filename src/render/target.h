/* Texture with a framebuffer to draw into it. */
#ifndef PUDDLE_RENDER_TARGET_H
#define PUDDLE_RENDER_TARGET_H

typedef struct pd_target {
    unsigned texture, framebuffer;
    int width, height;
} pd_target;

/* Allocates the texture in a sized OpenGL format and binds its framebuffer. Does nothing if the texture already has
 * this size, even in another format. */
void pd_target_resize(pd_target *target, int width, int height, unsigned format);
void pd_target_free(pd_target *target);

#endif
