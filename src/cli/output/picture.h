/* Reads PNG and JPEG files and scales them down while decoding, in bounded memory, except for progressive JPEG. */
#ifndef PUDDLE_CLI_OUTPUT_PICTURE_H
#define PUDDLE_CLI_OUTPUT_PICTURE_H

#include <puddle/scene.h>

/* Picture reader of the program, for pd_scene_set_picture_reader. */
pd_picture_reader picture_read;

/* ---- Decoders and scaling ---- */

enum { PICTURE_MOST_SIDE = 16384 }; /* greatest side of a picture file, pixels */

/* Sums of a file's pixels for each pixel of the scaled picture. */
typedef struct picture_sums {
    int width, height, columns, rows;
    uint64_t (*sum)[5]; /* red, green and blue (linear light) times alpha; alpha; number of pixels */
    uint16_t *column;   /* column[x of the file]: column of the scaled picture */
    uint16_t linear[256];
} picture_sums;

/* Begins a scaled picture for a file's size, pixels. Returns NULL, or an error as text: "too large", "out of
 * memory". */
const char *picture_begin(picture_sums *sums, int width, int height);
/* Adds `count` pixels of the file's row y, at x, x + step, x + 2 step, ... rgba: 8 bits a channel. */
void picture_add_pixels(picture_sums *sums, int y, int x, int step, const uint8_t *rgba, int count);

enum { PICTURE_WHY = 160 }; /* bytes of the text of an error */
/* Decode a file in memory into *sums; call picture_begin for it. *orientation: 1 to 8 as in EXIF. Return false with the error in
 * `why`. */
bool picture_decode_png(const void *bytes, size_t size, picture_sums *sums, char why[PICTURE_WHY]);
bool picture_decode_jpeg(const void *bytes, size_t size, picture_sums *sums, int *orientation, char why[PICTURE_WHY]);

#endif
