/* Reading PNG and JPEG, scaled down while they are decoded: the memory does not grow with the picture, but for a progressive
 * JPEG. */
#ifndef PUDDLE_CLI_OUTPUT_PICTURE_H
#define PUDDLE_CLI_OUTPUT_PICTURE_H

#include <puddle/scene.h>

/* The pd_picture_reader of the program. */
pd_picture_reader picture_read;

/* ---- Within the reader ---- */

enum { PICTURE_MOST_SIDE = 16384 }; /* pixels */

/* A picture that is scaled down: sums of the pixels that fall into each of the pixels that remain. */
typedef struct picture_sums {
    int width, height, columns, rows;
    uint64_t (*sum)[5]; /* red, green and blue in linear light times alpha, alpha, number */
    uint16_t *column;   /* by x */
    uint16_t linear[256];
} picture_sums;

/* Errors: "too large", "out of memory" as text; NULL: none. */
const char *picture_begin(picture_sums *sums, int width, int height);
/* Adds `count` pixels of 8-bit RGBA of row y, at x, x + step, x + 2 step, ... */
void picture_add(picture_sums *sums, int y, int x, int step, const uint8_t *rgba, int count);

enum { PICTURE_WHY = 160 }; /* bytes of the reason of a failure */
/* Decode a file in memory into sums, which they begin; orientation: as in EXIF, 1 to 8. False: why says what is wrong. */
bool picture_decode_png(const void *bytes, size_t size, picture_sums *sums, char why[PICTURE_WHY]);
bool picture_decode_jpeg(const void *bytes, size_t size, picture_sums *sums, int *orientation, char why[PICTURE_WHY]);

#endif
