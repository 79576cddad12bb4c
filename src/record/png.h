/* Writes and reads PNG files. */
#ifndef PUDDLE_RECORD_PNG_H
#define PUDDLE_RECORD_PNG_H

#include "core/pixels.h"
#include <puddle/result.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a picture as a PNG file: to a temporary file, which is then renamed to `path`. Errors: FILE_UNWRITABLE,
 * OUT_OF_MEMORY. */
pd_result pd_png_write_file(const char *path, const pd_pixels *pixels, const uint8_t *data, pd_error *error);
/* Writes a picture as PNG to a stream. ferror() reports a failed write. Returns false if memory runs out; nothing is
 * written then. */
bool pd_png_write_to_stream(FILE *stream, const pd_pixels *pixels, const uint8_t *data);

/* Reads a PNG of width x height pixels into `rgb`: 3 bytes per pixel, rows from the top. Returns false if the file is
 * missing, damaged or of another size, or if memory runs out. `rgb` may then be partly written. */
bool pd_png_read(const char *path, int width, int height, uint8_t *rgb);

#endif
