/* Reads PNG and JPEG and scales them down while they are decoded. Memory is bounded, except for a progressive JPEG. */
#ifndef PUDDLE_CLI_OUTPUT_PICTURE_H
#define PUDDLE_CLI_OUTPUT_PICTURE_H

#include <puddle/scene.h>

/* The program's pd_picture_reader. */
pd_picture_reader picture_read;

/* ---- Within the reader ---- */

enum { PICTURE_MOST_SIDE = 16384 }; /* largest side, pixels */

/* A picture that is scaled down: each pixel is a sum of the file's pixels. */
typedef struct picture_sums {
    int width, height, columns, rows;
    uint64_t (*sum)[5]; /* red, green and blue in linear light times alpha, alpha, number of pixels */
    uint16_t *column;   /* column by the file's x */
    uint16_t linear[256];
} picture_sums;

/* Begins a picture of the file's size. Returns NULL, or an error as text: "too large", "out of memory". */
const char *picture_begin(picture_sums *sums, int width, int height);
/* Adds `count` pixels of 8-bit RGBA from row y, at x, x + step, x + 2 step, ... */
void picture_add(picture_sums *sums, int y, int x, int step, const uint8_t *rgba, int count);

enum { PICTURE_WHY = 160 }; /* bytes of an error's text */
/* Decode a file in memory into sums, which they begin. Set *orientation as in EXIF, 1 to 8. Return false with the error
 * in `why`. */
bool picture_decode_png(const void *bytes, size_t size, picture_sums *sums, char why[PICTURE_WHY]);
bool picture_decode_jpeg(const void *bytes, size_t size, picture_sums *sums, int *orientation, char why[PICTURE_WHY]);

#endif
