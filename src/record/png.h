/* Single pictures. */
#ifndef PUDDLE_RECORD_PNG_H
#define PUDDLE_RECORD_PNG_H

#include "core/pixels.h"
#include <puddle/result.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes one picture, completely or not at all. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_png_write(const char *path, const pd_pixels *pixels, const uint8_t *data, pd_error *error);
/* The same into a stream, which notes a write that failed. False: out of memory, and nothing was written. */
bool pd_png_print(FILE *stream, const pd_pixels *pixels, const uint8_t *data);

/* Reads a picture of exactly this size as 8-bit RGB: width x height x 3 bytes, rows from the top. False: the file is missing,
 * damaged or of another size, or there is no memory; rgb may then be filled in part. */
bool pd_png_read(const char *path, int width, int height, uint8_t *rgb);

#endif
