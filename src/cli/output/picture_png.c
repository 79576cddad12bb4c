/* Decodes PNG files by libpng. */
#include "cli/output/picture.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of the decoder. It must survive the longjmp by which errors of libpng are handled. */
typedef struct decoder {
    png_structp png;
    png_infop info;
    const uint8_t *bytes; /* part of the file that libpng has not read yet */
    size_t left;          /* size of this part, bytes */
    uint8_t *row;         /* memory for one decoded row */
    char *why;            /* receives the reason of an error, PICTURE_ERROR_BYTES */
} decoder;

static void read_bytes(png_structp png, png_bytep to, size_t size) {
    decoder *d = png_get_io_ptr(png);
    if (size > d->left) png_error(png, "it is cut short");
    memcpy(to, d->bytes, size);
    d->bytes += size;
    d->left -= size;
}

static _Noreturn void on_error(png_structp png, png_const_charp message) {
    decoder *d = png_get_error_ptr(png);
    bool told = strncmp(message, "it ", 3) == 0 || strcmp(message, "out of memory") == 0;
    snprintf(d->why, PICTURE_ERROR_BYTES, "%s%.100s", told ? "" : "it is damaged: ", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* Makes libpng convert pixels of any format to RGBA with 8 bits per channel. */
static void set_conversion(png_structp png, png_infop info) {
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
}

/* Decodes all rows. An interlaced file has seven passes: each contains every n-th pixel of some rows. */
static void decode_rows(decoder *d, picture_sums *sums) {
    png_read_info(d->png, d->info);
    int width = (int)png_get_image_width(d->png, d->info), height = (int)png_get_image_height(d->png, d->info);
    bool interlaced = png_get_interlace_type(d->png, d->info) != PNG_INTERLACE_NONE;
    const char *fault = picture_sums_begin(sums, width, height);
    if (!fault && !(d->row = malloc((size_t)width * 4))) fault = "out of memory";
    if (fault) png_error(d->png, fault);
    set_conversion(d->png, d->info);
    for (int pass = 0; pass < (interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1); pass++) {
        int columns = interlaced ? (int)PNG_PASS_COLS((unsigned)width, pass) : width;
        int rows = interlaced ? (int)PNG_PASS_ROWS((unsigned)height, pass) : height;
        int x = interlaced ? (int)PNG_PASS_START_COL(pass) : 0, step = interlaced ? 1 << PNG_PASS_COL_SHIFT(pass) : 1;
        int y = interlaced ? (int)PNG_PASS_START_ROW(pass) : 0, down = interlaced ? 1 << PNG_PASS_ROW_SHIFT(pass) : 1;
        for (int r = 0; r < rows && columns > 0; r++) {
            png_read_row(d->png, d->row, NULL);
            picture_sums_add_pixels(sums, y + r * down, x, step, d->row, columns);
        }
    }
}

bool picture_decode_png(const void *bytes, size_t size, picture_sums *sums, char why[PICTURE_ERROR_BYTES]) {
    decoder d = {.bytes = bytes, .left = size, .why = why};
    decoder *volatile kept = &d; /* volatile: the pointer is read after longjmp */
    volatile bool fine = false;
    d.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &d, on_error, on_warning);
    d.info = d.png ? png_create_info_struct(d.png) : NULL;
    if (d.info && setjmp(png_jmpbuf(d.png)) == 0) {
        png_set_read_fn(d.png, &d, read_bytes);
        png_set_user_limits(d.png, PNG_UINT_31_MAX,
                            PNG_UINT_31_MAX); /* no limit by libpng, since picture_sums_begin limits the size */
        decode_rows(&d, sums);
        fine = true;
    }
    free(kept->row);
    png_destroy_read_struct(&kept->png, &kept->info, NULL);
    return fine;
}
