/* Single pictures. */
#ifndef PUDDLE_RECORD_PNG_H
#define PUDDLE_RECORD_PNG_H

#include "core/pixels.h"
#include <puddle/result.h>
#include <stdint.h>

/* Writes one picture, completely or not at all. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_png_write(const char *path, const pd_pixels *pixels, const uint8_t *data, pd_error *error);

#endif
