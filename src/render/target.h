/* A texture that can be drawn into. */
#ifndef PUDDLE_RENDER_TARGET_H
#define PUDDLE_RENDER_TARGET_H

typedef struct pd_target {
    unsigned texture, framebuffer;
    int width, height;
} pd_target;

/* Makes it this large, in a sized OpenGL format; does nothing when it is already. Leaves its framebuffer bound otherwise. */
void pd_target_size(pd_target *target, int width, int height, unsigned format);
void pd_target_free(pd_target *target);

#endif
