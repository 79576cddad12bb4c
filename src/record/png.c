/* One picture: compressed in memory, then written like every other file. */
#include "record/png.h"
#include "core/error.h"
#include "core/file.h"
#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Measured on 1920 x 1080 pictures of four scenes and views, ms of one core and kB a picture: level 1 takes 34 and 1193, 2
 * takes 38 and 1074, 3 takes 40 and 953, 6 takes 89 and 755. Flat and finely patterned areas compress best unfiltered: the
 * filter "sub" costs a fifth more time at level 2 for the same size, all filters two thirds. No strategy of zlib is faster
 * (Huffman and run lengths alone: 54 ms), and libdeflate's level 1 takes 25 ms. So 60 such pictures a second keep more than two
 * cores busy with any of them; a video takes less. */
enum { LEVEL = 2 };

typedef struct bytes {
    uint8_t *data;
    size_t size, capacity;
} bytes;

static void collect(png_structp png, png_bytep data, size_t size) {
    bytes *into = png_get_io_ptr(png);
    if (into->size + size > into->capacity) {
        size_t capacity = (into->size + size) * 2;
        uint8_t *grown = realloc(into->data, capacity);
        if (!grown) png_error(png, "out of memory");
        into->data = grown;
        into->capacity = capacity;
    }
    memcpy(into->data + into->size, data, size);
    into->size += size;
}

static void nothing_to_flush(png_structp png) { (void)png; }

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* False: out of memory, the only possible error. */
static bool encode(bytes *into, const pd_pixels *pixels, const uint8_t *data) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, into, collect, nothing_to_flush);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, info, (png_uint_32)pixels->width, (png_uint_32)pixels->height, pixels->deep ? 16 : 8,
                 pixels->alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, LEVEL);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(png, info);
    uint16_t order = 1;
    uint8_t first;
    memcpy(&first, &order, 1);
    if (pixels->deep && first) png_set_swap(png); /* PNG has the high byte first */
    for (int row = 0; row < pixels->height; row++) png_write_row(png, data + (size_t)row * pd_pixels_row(pixels));
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

pd_result pd_png_write(const char *path, const pd_pixels *pixels, const uint8_t *data, pd_error *error) {
    bytes content = {0};
    pd_result result =
        encode(&content, pixels, data)
            ? pd_file_write(path, content.data, content.size, error)
            : pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%s': out of memory (use a smaller size)", path);
    free(content.data);
    return result;
}
