/* How a picture lies in memory: rows from the top, without padding; red, green, blue and, where it is asked for, alpha. */
#ifndef PUDDLE_CORE_PIXELS_H
#define PUDDLE_CORE_PIXELS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pd_pixels {
    int width, height;
    bool deep;  /* 16 bits a channel in the byte order of the machine, else 8 */
    bool alpha; /* a fourth channel, by which the others are not multiplied (straight alpha) */
} pd_pixels;

static inline size_t pd_pixels_row(const pd_pixels *pixels) {
    return (size_t)pixels->width * (pixels->alpha ? 4 : 3) * (pixels->deep ? 2 : 1);
}

static inline size_t pd_pixels_size(const pd_pixels *pixels) { return pd_pixels_row(pixels) * (size_t)pixels->height; }

#endif
