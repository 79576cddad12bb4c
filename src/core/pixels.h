/* Memory layout of a picture: rows from the top, without padding. The channels are red, green, blue and optionally
 * alpha. */
#ifndef PUDDLE_CORE_PIXELS_H
#define PUDDLE_CORE_PIXELS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pd_pixels {
    int width, height; /* size of the picture, pixels */
    bool deep;         /* true: 16 bits a channel, in the machine's byte order; false: 8 bits */
    bool alpha;        /* true: a fourth channel with straight (not premultiplied) alpha; false: three channels */
} pd_pixels;

static inline size_t pd_pixels_row_bytes(const pd_pixels *pixels) {
    return (size_t)pixels->width * (pixels->alpha ? 4 : 3) * (pixels->deep ? 2 : 1);
}

static inline size_t pd_pixels_bytes(const pd_pixels *pixels) {
    return pd_pixels_row_bytes(pixels) * (size_t)pixels->height;
}

#endif
