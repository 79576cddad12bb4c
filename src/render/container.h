/* Shape of the container for shaders: every container is a box with rounded corners there. */
#ifndef PUDDLE_RENDER_CONTAINER_H
#define PUDDLE_RENDER_CONTAINER_H

#include <puddle/scene.h>

typedef struct pd_rounded_box {
    float half_width, half_height; /* half the sides of the box without its rounded corners, m */
    float radius;                  /* radius of the corners, m */
} pd_rounded_box;

/* Returns the rounded box of a container: a circle has half_width = half_height = 0. Without a container the box is larger
 * than any picture. */
static inline pd_rounded_box pd_container_as_rounded_box(const pd_container *container) {
    if (container->shape == PD_CONTAINER_CIRCLE) return (pd_rounded_box){0, 0, container->radius};
    if (container->shape == PD_CONTAINER_BOX)
        return (pd_rounded_box){0.5f * container->width, 0.5f * container->height, 0};
    return (pd_rounded_box){1e6f, 1e6f, 0};
}

#endif
