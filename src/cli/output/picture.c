/* Reads PNG, JPEG and SVG files. Scales them down while decoding, so that a large file needs little memory. (A progressive JPEG file needs
 * memory for all its pixels.) */
#include "cli/output/output.h"

#include "core/error.h"
#include "core/file.h"
#include "core/oklab.h"

#include <math.h>
#include <png.h>
#include <puddle/memory.h>
#include <setjmp.h>
#include <stdio.h> /* before jpeglib.h, which needs it */
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>
#ifdef PUDDLE_SVG
#include <librsvg/rsvg.h>
#endif

enum { MOST_SIDE = 16384 }; /* greatest width or height of a picture file, pixels */

/* Scaling by area means: each pixel of the scaled picture has the sums of the file's pixels that it covers. */
typedef struct picture_sums {
    int width, height; /* size of the file's picture, pixels */
    int columns, rows; /* size of the scaled picture, pixels */
    /* By scaled pixel: sums of red, green, blue (linear light x alpha) and alpha; number of pixels. */
    uint64_t (*sum)[5];
    uint16_t *column;     /* column[x]: column of the scaled picture that contains column x of the file */
    uint16_t linear[256]; /* linear[c]: linear light of the sRGB byte c */
} picture_sums;

/* Begins the sums for a file of width x height pixels. Returns NULL, or the text of an error: "out of memory". */
static const char *begin_sums(picture_sums *sums, int width, int height) {
    if (width < 1 || height < 1 || width > MOST_SIDE || height > MOST_SIDE)
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

/* Adds `count` pixels of the file's row y, in its columns x, x + step, x + 2 step, ... rgba: the pixels, 4 bytes each. */
static void add_pixels(picture_sums *sums, int y, int x, int step, const uint8_t *rgba, int count) {
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

/* ---- PNG, by libpng ---- */

enum { ERROR_BYTES = 160 }; /* size of the text of a decoding error, bytes */

/* State of the png_decoder. It must survive the longjmp by which errors of libpng are handled. */
typedef struct png_decoder {
    png_structp png;
    png_infop info;
    const uint8_t *bytes; /* part of the file that libpng has not read yet */
    size_t left;          /* size of this part, bytes */
    uint8_t *row;         /* memory for one decoded row */
    char *why;            /* receives the reason of an error, ERROR_BYTES */
} png_decoder;

static void read_bytes(png_structp png, png_bytep to, size_t size) {
    png_decoder *d = png_get_io_ptr(png);
    if (size > d->left) png_error(png, "it is cut short");
    memcpy(to, d->bytes, size);
    d->bytes += size;
    d->left -= size;
}

static _Noreturn void on_png_error(png_structp png, png_const_charp message) {
    png_decoder *d = png_get_error_ptr(png);
    bool told = strncmp(message, "it ", 3) == 0 || strcmp(message, "out of memory") == 0;
    snprintf(d->why, ERROR_BYTES, "%s%.100s", told ? "" : "it is damaged: ", message);
    png_longjmp(png, 1);
}

static void on_png_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* Decodes all rows. An interlaced file has seven passes: each contains every n-th pixel of some rows. */
static void decode_png_rows(png_decoder *d, picture_sums *sums) {
    png_read_info(d->png, d->info);
    int width = (int)png_get_image_width(d->png, d->info), height = (int)png_get_image_height(d->png, d->info);
    bool interlaced = png_get_interlace_type(d->png, d->info) != PNG_INTERLACE_NONE;
    const char *fault = begin_sums(sums, width, height);
    if (!fault && !(d->row = malloc((size_t)width * 4))) fault = "out of memory";
    if (fault) png_error(d->png, fault);
    /* Makes libpng convert pixels of any format to RGBA with 8 bits per channel. */
    png_set_expand(d->png);
    png_set_scale_16(d->png);
    png_set_gray_to_rgb(d->png);
    png_set_add_alpha(d->png, 255, PNG_FILLER_AFTER);
    png_read_update_info(d->png, d->info);
    for (int pass = 0; pass < (interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1); pass++) {
        int columns = interlaced ? (int)PNG_PASS_COLS((unsigned)width, pass) : width;
        int rows = interlaced ? (int)PNG_PASS_ROWS((unsigned)height, pass) : height;
        int x = interlaced ? (int)PNG_PASS_START_COL(pass) : 0, step = interlaced ? 1 << PNG_PASS_COL_SHIFT(pass) : 1;
        int y = interlaced ? (int)PNG_PASS_START_ROW(pass) : 0, down = interlaced ? 1 << PNG_PASS_ROW_SHIFT(pass) : 1;
        for (int r = 0; r < rows && columns > 0; r++) {
            png_read_row(d->png, d->row, NULL);
            add_pixels(sums, y + r * down, x, step, d->row, columns);
        }
    }
}

/* Decodes a file in memory and adds its pixels to *sums. Returns false with the text of the error in `why`. */
static bool decode_png(const void *bytes, size_t size, picture_sums *sums, char why[ERROR_BYTES]) {
    png_decoder d = {.bytes = bytes, .left = size, .why = why};
    png_decoder *volatile kept = &d; /* volatile: the pointer is read after longjmp */
    volatile bool fine = false;
    d.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &d, on_png_error, on_png_warning);
    d.info = d.png ? png_create_info_struct(d.png) : NULL;
    if (d.info && setjmp(png_jmpbuf(d.png)) == 0) {
        png_set_read_fn(d.png, &d, read_bytes);
        png_set_user_limits(d.png, PNG_UINT_31_MAX,
                            PNG_UINT_31_MAX); /* no limit by libpng, since begin_sums limits the size */
        decode_png_rows(&d, sums);
        fine = true;
    }
    free(kept->row);
    png_destroy_read_struct(&kept->png, &kept->info, NULL);
    return fine;
}

/* ---- JPEG, by libjpeg ---- */

/* Memory limit of libjpeg, bytes. A progressive file is decoded with all its coefficients in memory, up to 384 MB for 8,000 x
 * 8,000 pixels. */
static const long MOST_MEMORY = 1L << 30;

/* State of the jpeg_decoder. It must survive the longjmp by which errors of libjpeg are handled. */
typedef struct jpeg_decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf jump;  /* where an error of libjpeg continues */
    JSAMPLE *row;  /* memory for one decoded row */
    uint8_t *rgba; /* memory for one converted row: red, green, blue, opacity */
    char *why;     /* receives the reason of an error, ERROR_BYTES */
} jpeg_decoder;

static _Noreturn void fail_decoding(jpeg_decoder *d, const char *why) {
    snprintf(d->why, ERROR_BYTES, "%s", why);
    longjmp(d->jump, 1);
}

static _Noreturn void on_jpeg_error(j_common_ptr jpeg) {
    jpeg_decoder *d = jpeg->client_data;
    char text[JMSG_LENGTH_MAX], why[ERROR_BYTES];
    int code = jpeg->err->msg_code;
    if (code == JERR_OUT_OF_MEMORY || code == JERR_NO_BACKING_STORE) fail_decoding(d, "out of memory");
    jpeg->err->format_message(jpeg, text);
    snprintf(why, sizeof why, "it is damaged: %.100s", text);
    fail_decoding(d, why);
}

/* Handles a warning or message of libjpeg. Fails for an incomplete file, whose missing part libjpeg would fill with grey.
 * Other warnings are ignored. */
static void on_jpeg_message(j_common_ptr jpeg, int level) {
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

static void decode_jpeg_rows(jpeg_decoder *d, picture_sums *sums, int *orientation) {
    struct jpeg_decompress_struct *jpeg = &d->jpeg;
    jpeg_read_header(jpeg, TRUE);
    *orientation = find_exif_orientation(jpeg->marker_list);
    if (jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK)
        fail_decoding(d, "its colours are for printing (CMYK)");
    jpeg->out_color_space = jpeg->jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
    const char *fault = begin_sums(sums, (int)jpeg->image_width, (int)jpeg->image_height);
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
        add_pixels(sums, y, 0, 1, d->rgba, width);
    }
}

/* As decode_png. Sets *orientation to the EXIF orientation, 1 to 8. */
static bool decode_jpeg(const void *bytes, size_t size, picture_sums *sums, int *orientation, char why[ERROR_BYTES]) {
    jpeg_decoder *d = calloc(1, sizeof *d);
    if (!d) return false;
    d->why = why;
    d->jpeg.err = jpeg_std_error(&d->errors);
    d->jpeg.client_data = d;
    d->errors.error_exit = on_jpeg_error;
    d->errors.emit_message = on_jpeg_message;
    volatile bool fine = false;
    if (setjmp(d->jump) == 0) {
        jpeg_create_decompress(&d->jpeg);
        d->jpeg.mem->max_memory_to_use = MOST_MEMORY;
        jpeg_save_markers(&d->jpeg, JPEG_APP0 + 1, 0xffff);
        jpeg_mem_src(&d->jpeg, bytes, (unsigned long)size);
        decode_jpeg_rows(d, sums, orientation);
        fine = true;
    }
    jpeg_destroy_decompress(&d->jpeg);
    free(d->row);
    free(d->rgba);
    free(d);
    return fine;
}

/* ---- SVG: by librsvg, which receives only the bytes, so that no file and no address that they name is read ---- */

#ifdef PUDDLE_SVG
enum {
    SIDE = 4 * PD_MAX_IMAGE_SIDE, /* greater side of the drawn picture, pixels */
    MOST_TEXT = 16 << 20          /* greatest size of a file, bytes */
};
static const double DEFAULT_SIDE = 512; /* sides of which widths in percent are, without a view box */

/* Sets *frame to the part of the drawing that is the picture, in its own units: its width and height, else its view box, else
 * what it shows. *page: the rectangle in which librsvg places the drawing. */
static bool find_frame(RsvgHandle *svg, RsvgRectangle *page, RsvgRectangle *frame, GError **error) {
    gboolean has_width, has_height, has_box;
    RsvgLength width, height;
    RsvgRectangle box;
    *page = (RsvgRectangle){0, 0, DEFAULT_SIDE, DEFAULT_SIDE};
    rsvg_handle_get_intrinsic_dimensions(svg, &has_width, &width, &has_height, &height, &has_box, &box);
    bool sized = rsvg_handle_get_intrinsic_size_in_pixels(svg, &page->width, &page->height);
    if (!sized && has_box) *page = (RsvgRectangle){0, 0, box.width, box.height};
    *frame = *page;
    return sized || has_box || rsvg_handle_get_geometry_for_layer(svg, NULL, page, frame, NULL, error);
}

/* Converts a row of premultiplied native-endian ARGB to RGBA with straight alpha. */
static void convert_row(const uint32_t *argb, int count, uint8_t *rgba) {
    for (int x = 0; x < count; x++, rgba += 4) {
        unsigned alpha = argb[x] >> 24;
        for (int k = 0; k < 3; k++) {
            unsigned value = argb[x] >> (16 - 8 * k) & 255;
            rgba[k] = (uint8_t)(alpha ? (255 * value + alpha / 2) / alpha : 0);
        }
        rgba[3] = (uint8_t)alpha;
    }
}

static const char *draw_svg(RsvgHandle *svg, picture_sums *sums, GError **error) {
    RsvgRectangle page, frame;
    uint8_t row[4 * SIDE];
    if (!find_frame(svg, &page, &frame, error)) return "it cannot be drawn";
    double scale = SIDE / fmax(frame.width, frame.height);
    if (!(frame.width > 0 && frame.height > 0 && isfinite(scale) && scale > 0))
        return "it has no size or shows nothing";
    int width = (int)fmax(round(scale * frame.width), 1), height = (int)fmax(round(scale * frame.height), 1);
    const char *fault = begin_sums(sums, width, height);
    if (fault) return fault;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    cairo_t *cairo = cairo_create(surface);
    cairo_scale(cairo, width / frame.width, height / frame.height);
    cairo_translate(cairo, -frame.x, -frame.y);
    if (!rsvg_handle_render_document(svg, cairo, &page, error)) fault = "it cannot be drawn";
    if (!fault && cairo_status(cairo)) fault = cairo_status_to_string(cairo_status(cairo));
    cairo_surface_flush(surface);
    const uint8_t *pixels = cairo_image_surface_get_data(surface);
    for (int y = 0; y < height && !fault; y++) {
        convert_row(
            (const uint32_t *)(const void *)(pixels + (size_t)y * (size_t)cairo_image_surface_get_stride(surface)),
            width, row);
        add_pixels(sums, y, 0, 1, row, width);
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return fault;
}

static bool decode_svg(const void *bytes, size_t size, picture_sums *sums, char why[ERROR_BYTES]) {
    /* A filter may take hours, a bitmap in the file any memory. */
    static const char STYLE[] = "* {filter: none !important} image {display: none !important}";
    GError *error = NULL;
    RsvgHandle *svg = size <= MOST_TEXT ? rsvg_handle_new_from_data(bytes, size, &error) : NULL;
    if (svg) rsvg_handle_set_stylesheet(svg, (const guint8 *)STYLE, sizeof STYLE - 1, NULL);
    const char *fault = svg ? draw_svg(svg, sums, &error) : error ? "it is damaged" : "its text has more than 16 MiB";
    if (fault) snprintf(why, ERROR_BYTES, "%s%s%s", fault, error ? ": " : "", error ? error->message : "");
    for (char *c = why; fault && *c; c++) /* one line */
        if ((unsigned char)*c < ' ') *c = c[1] ? ' ' : '\0';
    if (error) g_error_free(error);
    if (svg) g_object_unref(svg);
    return !fault;
}
#else
static bool decode_svg(const void *bytes, size_t size, picture_sums *sums, char why[ERROR_BYTES]) {
    (void)bytes, (void)size, (void)sums;
    snprintf(why, ERROR_BYTES, "it is an SVG, and this puddle is built without librsvg");
    return false;
}
#endif

/* ---- Files ---- */

enum { FARTHEST_BEGINNING = 1 << 20 }; /* bytes of a file in which an SVG begins */
enum { MOST_BYTES = 1 << 30 }; /* greatest size of a file, bytes; usually more than 16,384 x 16,384 pixels need */

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
    char why[ERROR_BYTES] = "out of memory";
    picture_sums sums = {0};
    pd_result result = pd_file_read(path, MOST_BYTES, &bytes, &size, error);
    if (result != PD_OK) return result;
    bool png = has_text_at(bytes, size, "\x89PNG", 0), jpeg = has_text_at(bytes, size, "\xff\xd8\xff", 0), fine = false;
    if (png)
        fine = decode_png(bytes, size, &sums, why);
    else if (jpeg)
        fine = decode_jpeg(bytes, size, &sums, &orientation, why);
    else if (is_svg(bytes, size))
        fine = decode_svg(bytes, size, &sums, why);
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
