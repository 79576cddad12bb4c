/* Draws SVG files by librsvg. Only the bytes are passed to librsvg, so that no file and no address that they name is read. */
#include "cli/output/picture.h"

#include <stdio.h>

#ifdef PUDDLE_SVG
#include <librsvg/rsvg.h>
#include <math.h>

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

static const char *draw(RsvgHandle *svg, picture_sums *sums, GError **error) {
    RsvgRectangle page, frame;
    uint8_t row[4 * SIDE];
    if (!find_frame(svg, &page, &frame, error)) return "it cannot be drawn";
    double scale = SIDE / fmax(frame.width, frame.height);
    if (!(frame.width > 0 && frame.height > 0 && isfinite(scale) && scale > 0))
        return "it has no size or shows nothing";
    int width = (int)fmax(round(scale * frame.width), 1), height = (int)fmax(round(scale * frame.height), 1);
    const char *fault = picture_sums_begin(sums, width, height);
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
        picture_sums_add_pixels(sums, y, 0, 1, row, width);
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return fault;
}

bool picture_decode_svg(const void *bytes, size_t size, picture_sums *sums, char why[PICTURE_ERROR_BYTES]) {
    /* A filter may take hours, a bitmap in the file any memory. */
    static const char STYLE[] = "* {filter: none !important} image {display: none !important}";
    GError *error = NULL;
    RsvgHandle *svg = size <= MOST_TEXT ? rsvg_handle_new_from_data(bytes, size, &error) : NULL;
    if (svg) rsvg_handle_set_stylesheet(svg, (const guint8 *)STYLE, sizeof STYLE - 1, NULL);
    const char *fault = svg ? draw(svg, sums, &error) : error ? "it is damaged" : "its text has more than 16 MiB";
    if (fault) snprintf(why, PICTURE_ERROR_BYTES, "%s%s%s", fault, error ? ": " : "", error ? error->message : "");
    for (char *c = why; fault && *c; c++) /* one line */
        if ((unsigned char)*c < ' ') *c = c[1] ? ' ' : '\0';
    if (error) g_error_free(error);
    if (svg) g_object_unref(svg);
    return !fault;
}
#else
bool picture_decode_svg(const void *bytes, size_t size, picture_sums *sums, char why[PICTURE_ERROR_BYTES]) {
    (void)bytes, (void)size, (void)sums;
    snprintf(why, PICTURE_ERROR_BYTES, "it is an SVG, and this puddle is built without librsvg");
    return false;
}
#endif
