/* Decodes JPEG files by libjpeg. */
#include "cli/output/picture.h"

#include <setjmp.h>
#include <stdio.h> /* before jpeglib.h, which needs it */
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

/* Memory limit of libjpeg, bytes. A progressive file is decoded with all its coefficients in memory, up to 384 MB for 8,000 x
 * 8,000 pixels. */
static const long MOST_MEMORY = 1L << 30;

/* State of the decoder. It must survive the longjmp by which errors of libjpeg are handled. */
typedef struct decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf jump;  /* where an error of libjpeg continues */
    JSAMPLE *row;  /* memory for one decoded row */
    uint8_t *rgba; /* memory for one converted row: red, green, blue, opacity */
    char *why;     /* receives the reason of an error, PICTURE_ERROR_BYTES */
} decoder;

static _Noreturn void fail_decoding(decoder *d, const char *why) {
    snprintf(d->why, PICTURE_ERROR_BYTES, "%s", why);
    longjmp(d->jump, 1);
}

static _Noreturn void on_error(j_common_ptr jpeg) {
    decoder *d = jpeg->client_data;
    char text[JMSG_LENGTH_MAX], why[PICTURE_ERROR_BYTES];
    int code = jpeg->err->msg_code;
    if (code == JERR_OUT_OF_MEMORY || code == JERR_NO_BACKING_STORE) fail_decoding(d, "out of memory");
    jpeg->err->format_message(jpeg, text);
    snprintf(why, sizeof why, "it is damaged: %.100s", text);
    fail_decoding(d, why);
}

/* Handles a warning or message of libjpeg. Fails for an incomplete file, whose missing part libjpeg would fill with grey.
 * Other warnings are ignored. */
static void on_message(j_common_ptr jpeg, int level) {
    int code = jpeg->err->msg_code;
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER))
        fail_decoding(jpeg->client_data, "it is cut short or damaged");
}

static unsigned read_exif_number(const JOCTET *first_byte, int byte_count, bool big_endian) {
    unsigned value = 0;
    for (int i = 0; i < byte_count; i++) value |= (unsigned)first_byte[i] << 8 * (big_endian ? byte_count - 1 - i : i);
    return value;
}

/* Returns the orientation (1 to 8) in a camera's EXIF data: TIFF tag 0x0112 of the first directory (EXIF 2.32). Returns 1
 * without EXIF data. */
static int find_exif_orientation(jpeg_saved_marker_ptr marker) {
    for (; marker; marker = marker->next) {
        const JOCTET *tiff = marker->data + 6;
        unsigned size = marker->data_length;
        if (size < 20 || memcmp(marker->data, "Exif\0", 6) != 0) continue;
        size -= 6;
        bool big = tiff[0] == 'M';
        unsigned directory = read_exif_number(tiff + 4, 4, big);
        if (directory > size - 2) continue;
        unsigned entries = read_exif_number(tiff + directory, 2, big);
        for (unsigned i = 0; i < entries && directory + 14 + 12 * i <= size; i++) {
            const JOCTET *entry = tiff + directory + 2 + 12 * i;
            unsigned value = read_exif_number(entry + 8, 2, big);
            if (read_exif_number(entry, 2, big) == 0x0112 && value >= 1 && value <= 8) return (int)value;
        }
    }
    return 1;
}

static void decode_rows(decoder *d, picture_sums *sums, int *orientation) {
    struct jpeg_decompress_struct *jpeg = &d->jpeg;
    jpeg_read_header(jpeg, TRUE);
    *orientation = find_exif_orientation(jpeg->marker_list);
    if (jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK)
        fail_decoding(d, "its colours are for printing (CMYK)");
    jpeg->out_color_space = jpeg->jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
    const char *fault = picture_sums_begin(sums, (int)jpeg->image_width, (int)jpeg->image_height);
    if (fault) fail_decoding(d, fault);
    jpeg_start_decompress(jpeg);
    int width = (int)jpeg->output_width, parts = jpeg->output_components;
    d->row = malloc((size_t)width * (size_t)parts);
    d->rgba = malloc((size_t)width * 4);
    if (!d->row || !d->rgba) fail_decoding(d, "out of memory");
    while (jpeg->output_scanline < jpeg->output_height) {
        int y = (int)jpeg->output_scanline;
        jpeg_read_scanlines(jpeg, &d->row, 1);
        for (int x = 0; x < width; x++) {
            for (int k = 0; k < 3; k++) d->rgba[4 * x + k] = d->row[parts * x + (parts == 3 ? k : 0)];
            d->rgba[4 * x + 3] = 255;
        }
        picture_sums_add_pixels(sums, y, 0, 1, d->rgba, width);
    }
}

bool picture_decode_jpeg(const void *bytes, size_t size, picture_sums *sums, int *orientation,
                         char why[PICTURE_ERROR_BYTES]) {
    decoder *d = calloc(1, sizeof *d);
    if (!d) return false;
    d->why = why;
    d->jpeg.err = jpeg_std_error(&d->errors);
    d->jpeg.client_data = d;
    d->errors.error_exit = on_error;
    d->errors.emit_message = on_message;
    volatile bool fine = false;
    if (setjmp(d->jump) == 0) {
        jpeg_create_decompress(&d->jpeg);
        d->jpeg.mem->max_memory_to_use = MOST_MEMORY;
        jpeg_save_markers(&d->jpeg, JPEG_APP0 + 1, 0xffff);
        jpeg_mem_src(&d->jpeg, bytes, (unsigned long)size);
        decode_rows(d, sums, orientation);
        fine = true;
    }
    jpeg_destroy_decompress(&d->jpeg);
    free(d->row);
    free(d->rgba);
    free(d);
    return fine;
}
