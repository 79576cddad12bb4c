/* Reads PNG files. */
#include "record/png.h"

#include "core/file/file.h"
#include <png.h>
#include <puddle/memory.h>

enum { MOST_BYTES = 1 << 24 };

/* Uses libpng's simplified interface, which reports errors by return values instead of longjmp(). */
bool pd_png_read(const char *path, int width, int height, uint8_t *rgb) {
    void *bytes;
    size_t size;
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (pd_file_read(path, MOST_BYTES, &bytes, &size, NULL) != PD_OK) return false;
    bool fine = png_image_begin_read_from_memory(&image, bytes, size) != 0;
    fine = fine && image.width == (png_uint_32)width && image.height == (png_uint_32)height;
    image.format = PNG_FORMAT_RGB;
    fine = fine && png_image_finish_read(&image, NULL, rgb, 0, NULL) != 0;
    png_image_free(&image);
    pd_memory_free(bytes);
    return fine;
}
