/* Reads PNG, JPEG and SVG files. Scales them down while decoding, so that a large file needs little memory. (A progressive JPEG
 * file needs memory for all its pixels.) */
#ifndef PUDDLE_CLI_OUTPUT_PICTURE_H
#define PUDDLE_CLI_OUTPUT_PICTURE_H

#include <puddle/scene.h>

/* Reads a picture file; for pd_scene_set_picture_reader. */
pd_picture_reader picture_read;

/* ---- Decoders and scaling ---- */

enum { PICTURE_MOST_SIDE = 16384 }; /* greatest width or height of a picture file, pixels */

/* Scaling by area means: each pixel of the scaled picture has the sums of the file's pixels that it covers. */
typedef struct picture_sums {
    int width, height; /* size of the file's picture, pixels */
    int columns, rows; /* size of the scaled picture, pixels */
    /* By scaled pixel: sums of red, green, blue (linear light x alpha) and alpha; number of pixels. */
    uint64_t (*sum)[5];
    uint16_t *column;     /* column[x]: column of the scaled picture that contains column x of the file */
    uint16_t linear[256]; /* linear[c]: linear light of the sRGB byte c */
} picture_sums;

/* Begins the sums for a file of width x height pixels. Returns NULL, or the text of an error: "too large", "out of
 * memory". */
const char *picture_sums_begin(picture_sums *sums, int width, int height);
/* Adds `count` pixels of the file's row y, in its columns x, x + step, x + 2 step, ... rgba: the pixels, 4 bytes each. */
void picture_sums_add_pixels(picture_sums *sums, int y, int x, int step, const uint8_t *rgba, int count);

enum { PICTURE_ERROR_BYTES = 160 }; /* size of the text of a decoding error, bytes */
/* Decode a file in memory (bytes, size) and add its pixels to *sums. They call picture_sums_begin. Set *orientation to the
 * EXIF orientation, 1 to 8. Return false with the text of the error in `why`. */
bool picture_decode_png(const void *bytes, size_t size, picture_sums *sums, char why[PICTURE_ERROR_BYTES]);
bool picture_decode_jpeg(const void *bytes, size_t size, picture_sums *sums, int *orientation,
                         char why[PICTURE_ERROR_BYTES]);
bool picture_decode_svg(const void *bytes, size_t size, picture_sums *sums, char why[PICTURE_ERROR_BYTES]);

#endif
