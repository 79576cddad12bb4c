/* Writes and reads PNG files. Format: Portable Network Graphics (PNG) Specification, third edition, W3C. */
#include "record/png.h"
#include "core/error.h"
#include "core/file.h"
#include <libdeflate.h>
#include <png.h>
#include <puddle/memory.h>
#include <stdlib.h>
#include <string.h>

/* Compression level of libdeflate. Measured with 1920 x 1080 pictures of four scenes and views, on one core:
 *
 *     8 bits, no filter      level 1: 20 ms, 1000 kB; level 2: 34 ms, 960 kB
 *     8 bits, filter "sub"   level 1: 24 ms, a tenth smaller; "up": 28 ms
 *     8 bits, zlib           levels 1, 2, 3: 39, 42, 50 ms; 1230, 1120, 1000 kB
 *     8 bits, zlib           strategies Z_RLE and Z_HUFFMAN_ONLY: 50 to 76 ms
 *     16 bits                no filter: 119 ms, 10.6 MB; "sub": 78 ms, 4.9 MB; "up": 66 ms, 4.6 MB
 *
 * At level 1, 60 pictures of 8 bits a second need 1.2 cores. Pictures of 16 bits use the filter "up". */
enum { COMPRESSION_LEVEL = 1 };

enum { MAX_CHUNK_BYTES = 1 << 30 }; /* greatest size of a PNG chunk, bytes; the format allows less than 2^31 */

static void write_big_endian(uint8_t bytes[4], uint32_t value) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Writes a PNG chunk: length, type, data, CRC. ferror() reports a failed write. */
static void write_chunk(FILE *stream, const char type[5], const uint8_t *data, size_t size) {
    uint8_t number[4];
    write_big_endian(number, (uint32_t)size);
    fwrite(number, 1, sizeof number, stream);
    fwrite(type, 1, 4, stream);
    fwrite(data, 1, size, stream);
    write_big_endian(number, libdeflate_crc32(libdeflate_crc32(0, type, 4), data, size));
    fwrite(number, 1, sizeof number, stream);
}

enum { FILTER_NONE = 0, FILTER_UP = 2 };

static uint16_t read_16_bit_value(const uint8_t *row, size_t offset) {
    uint16_t value;
    memcpy(&value, row + offset, sizeof value);
    return value;
}

/* Applies PNG's filter "up" to a row of 16-bit values: each byte minus the byte at the same place in the row above. Writes
 * the high byte of a value first. above: row above; NULL: the first row is filtered with zeros above. */
static void filter_16_bit_row(uint8_t *filtered, const uint8_t *row, const uint8_t *above, size_t size) {
    for (size_t i = 0; i < size; i += 2) {
        unsigned value = read_16_bit_value(row, i), before = above ? read_16_bit_value(above, i) : 0;
        filtered[i] = (uint8_t)((value >> 8) - (before >> 8));
        filtered[i + 1] = (uint8_t)(value - before);
    }
}

/* Filters all rows of a picture for PNG. Each filtered row begins with a byte that names the filter. */
static void filter_rows(uint8_t *filtered, const pd_pixels *pixels, const uint8_t *data) {
    size_t size = pd_pixels_row_bytes(pixels);
    for (int y = 0; y < pixels->height; y++, data += size, filtered += size) {
        *filtered++ = pixels->deep ? FILTER_UP : FILTER_NONE;
        if (pixels->deep)
            filter_16_bit_row(filtered, data, y > 0 ? data - size : NULL, size);
        else
            memcpy(filtered, data, size);
    }
}

/* Returns the filtered and compressed rows of a picture, *compressed_size bytes. NULL: memory ran out. */
static uint8_t *compress_rows(const pd_pixels *pixels, const uint8_t *data, size_t *compressed_size) {
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(COMPRESSION_LEVEL);
    size_t size = (pd_pixels_row_bytes(pixels) + 1) * (size_t)pixels->height;
    size_t bound = libdeflate_zlib_compress_bound(compressor, size);
    uint8_t *rows = malloc(size), *bytes = malloc(bound);
    if (compressor && rows && bytes) {
        filter_rows(rows, pixels, data);
        *compressed_size = libdeflate_zlib_compress(compressor, rows, size, bytes, bound);
    } else {
        free(bytes);
        bytes = NULL;
    }
    free(rows);
    libdeflate_free_compressor(compressor);
    return bytes;
}

static void write_png(FILE *stream, const pd_pixels *pixels, const uint8_t *rows, size_t size) {
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[13] = {
        [8] = pixels->deep ? 16 : 8, [9] = pixels->alpha ? 6 : 2}; /* colour type: 6 = RGBA, 2 = RGB */
    write_big_endian(header, (uint32_t)pixels->width);
    write_big_endian(header + 4, (uint32_t)pixels->height);
    fwrite(signature, 1, sizeof signature, stream);
    write_chunk(stream, "IHDR", header, sizeof header);
    for (size_t done = 0, part; done < size; done += part) {
        part = size - done < MAX_CHUNK_BYTES ? size - done : MAX_CHUNK_BYTES;
        write_chunk(stream, "IDAT", rows + done, part);
    }
    write_chunk(stream, "IEND", header, 0);
}

bool pd_png_write_to_stream(FILE *stream, const pd_pixels *pixels, const uint8_t *data) {
    size_t size = 0;
    uint8_t *rows = compress_rows(pixels, data, &size);
    if (!rows) return false;
    write_png(stream, pixels, rows, size);
    free(rows);
    return true;
}

pd_result pd_png_write_file(const char *path, const pd_pixels *pixels, const uint8_t *data, pd_error *error) {
    size_t size = 0;
    pd_output output;
    uint8_t *rows = compress_rows(pixels, data, &size);
    if (!rows)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%s': out of memory (use a smaller size)", path);
    pd_result result = pd_output_open_replacing_link(&output, path, error);
    if (!result) {
        write_png(output.stream, pixels, rows, size);
        result = pd_output_commit(&output, error);
    }
    free(rows);
    return result;
}

enum { MOST_READ = 1 << 24 }; /* greatest size of a file that is read, bytes */

/* Uses libpng's simplified interface, which reports errors by return values instead of longjmp(). */
bool pd_png_read(const char *path, int width, int height, uint8_t *rgb) {
    void *bytes;
    size_t size;
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (pd_file_read(path, MOST_READ, &bytes, &size, NULL) != PD_OK) return false;
    bool fine = png_image_begin_read_from_memory(&image, bytes, size) != 0;
    fine = fine && image.width == (png_uint_32)width && image.height == (png_uint_32)height;
    image.format = PNG_FORMAT_RGB;
    fine = fine && png_image_finish_read(&image, NULL, rgb, 0, NULL) != 0;
    png_image_free(&image);
    pd_memory_free(bytes);
    return fine;
}
