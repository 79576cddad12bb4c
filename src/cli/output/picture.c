/* Reads a picture file: scales it down while decoding, and rotates it upright. */
#include "cli/output/picture.h"

#include "core/error.h"
#include "core/file/file.h"
#include "core/oklab.h"

#include <math.h>
#include <puddle/memory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FARTHEST_BEGINNING = 1 << 20 }; /* bytes of a file in which an SVG begins */
enum { MOST_BYTES = 1 << 30 }; /* greatest size of a file, bytes; usually more than 16,384 x 16,384 pixels need */

const char *picture_sums_begin(picture_sums *sums, int width, int height) {
    if (width < 1 || height < 1 || width > PICTURE_MOST_SIDE || height > PICTURE_MOST_SIDE)
        return "it has more than 16,384 pixels a side";
    int longer = width > height ? width : height, most = PD_MAX_IMAGE_SIDE;
    sums->width = width;
    sums->height = height;
    sums->columns = longer <= most ? width : (int)fmax((double)width * most / longer, 1);
    sums->rows = longer <= most ? height : (int)fmax((double)height * most / longer, 1);
    sums->sum = calloc((size_t)sums->columns * (size_t)sums->rows, sizeof *sums->sum);
    sums->column = malloc((size_t)width * sizeof *sums->column);
    if (!sums->sum || !sums->column) return "out of memory";
    for (int x = 0; x < width; x++) sums->column[x] = (uint16_t)((long long)x * sums->columns / width);
    for (int i = 0; i < 256; i++) sums->linear[i] = (uint16_t)(65535 * pd_srgb_to_linear(i / 255.0) + 0.5);
    return NULL;
}

void picture_sums_add_pixels(picture_sums *sums, int y, int x, int step, const uint8_t *rgba, int count) {
    size_t row = (size_t)((long long)y * sums->rows / sums->height) * (size_t)sums->columns;
    for (int i = 0; i < count; i++, x += step, rgba += 4) {
        uint64_t *sum = sums->sum[row + sums->column[x]], alpha = rgba[3];
        for (int k = 0; k < 3; k++) sum[k] += alpha * sums->linear[rgba[k]];
        sum[3] += alpha;
        sum[4]++;
    }
}

static uint8_t convert_linear_to_srgb_byte(double linear) { return (uint8_t)(255 * pd_linear_to_srgb(linear) + 0.5); }

/* Makes *picture from the sums: divides each sum by its weight and rotates the picture upright. orientation: 1 to 8 as in
 * EXIF 2.32, 4.6.4; 5 to 8 exchange columns and rows. */
static bool finish_picture(const picture_sums *sums, int orientation, pd_bitmap *picture) {
    bool turned = orientation >= 5;
    int columns = turned ? sums->rows : sums->columns, rows = turned ? sums->columns : sums->rows;
    uint8_t *rgba = pd_memory_new((size_t)columns * (size_t)rows * 4);
    if (!rgba) return false;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            int from_x = turned ? y : x, from_y = turned ? x : y;
            if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8)
                from_x = sums->columns - 1 - from_x;
            if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7)
                from_y = sums->rows - 1 - from_y;
            const uint64_t *sum = sums->sum[(size_t)from_y * (size_t)sums->columns + (size_t)from_x];
            uint8_t *to = rgba + 4 * ((size_t)y * (size_t)columns + (size_t)x);
            for (int k = 0; k < 3; k++)
                to[k] = sum[3] ? convert_linear_to_srgb_byte((double)sum[k] / (double)sum[3] / 65535) : 0;
            to[3] = sum[4] ? (uint8_t)((sum[3] + sum[4] / 2) / sum[4]) : 0;
        }
    }
    *picture =
        (pd_bitmap){turned ? sums->height : sums->width, turned ? sums->width : sums->height, columns, rows, rgba};
    return true;
}

static bool has_text_at(const uint8_t *bytes, size_t size, const char *text, size_t offset) {
    size_t length = strlen(text);
    return size >= offset + length && memcmp(bytes + offset, text, length) == 0;
}

/* Returns what is wrong with a file that is neither PNG, JPEG nor SVG, for an error message: "it is a GIF". */
static const char *describe_file(const uint8_t *bytes, size_t size) {
    if (size == 0) return "it is empty";
    if (has_text_at(bytes, size, "GIF8", 0)) return "it is a GIF";
    if (has_text_at(bytes, size, "WEBP", 8)) return "it is a WebP";
    if (has_text_at(bytes, size, "BM", 0)) return "it is a BMP";
    if (has_text_at(bytes, size, "ftyp", 4)) return "it is a HEIC, AVIF or film";
    if (has_text_at(bytes, size, "II*", 0) || has_text_at(bytes, size, "MM", 0)) return "it is a TIFF";
    return "it is no picture";
}

/* Returns whether a text begins an element <svg>, after a declaration and comments of any kind. */
static bool is_svg(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size && i < FARTHEST_BEGINNING && bytes[i]; i++)
        if (has_text_at(bytes, size, "<svg", i) || has_text_at(bytes, size, ":svg", i)) return true;
    return false;
}

pd_result picture_read(const char *path, pd_bitmap *picture, pd_error *error) {
    void *bytes;
    size_t size;
    int orientation = 1;
    char why[PICTURE_ERROR_BYTES] = "out of memory";
    picture_sums sums = {0};
    pd_result result = pd_file_read(path, MOST_BYTES, &bytes, &size, error);
    if (result != PD_OK) return result;
    bool png = has_text_at(bytes, size, "\x89PNG", 0), jpeg = has_text_at(bytes, size, "\xff\xd8\xff", 0), fine = false;
    if (png)
        fine = picture_decode_png(bytes, size, &sums, why);
    else if (jpeg)
        fine = picture_decode_jpeg(bytes, size, &sums, &orientation, why);
    else if (is_svg(bytes, size))
        fine = picture_decode_svg(bytes, size, &sums, why);
    else
        snprintf(why, sizeof why, "%s", describe_file(bytes, size));
    pd_memory_free(bytes);
    if (fine && !finish_picture(&sums, orientation, picture)) {
        snprintf(why, sizeof why, "out of memory");
        fine = false;
    }
    free(sums.sum);
    free(sums.column);
    if (fine) return PD_OK;
    if (strcmp(why, "out of memory") == 0)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot read '%.200s': out of memory (close other programs)",
                       path);
    return pd_fail(error, PD_ERROR_FILE_UNREADABLE, "cannot read '%.200s': %s (use a whole PNG, JPEG or SVG)", path,
                   why);
}
