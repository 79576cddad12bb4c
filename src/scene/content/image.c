/* Images as text, and items that name a picture file. */
#include "scene/content/image.h"
#include "core/memory.h"

#include "core/file.h"
#include "scene/content/outline.h"
#include "scene/fields.h"
#include "scene/file/writer.h"
#include "scene/geometry.h"
#include "scene/schema.h"

#include <string.h>

enum {
    MAX_ROW_TEXT = 4 * PD_MAX_IMAGE_SIDE, /* bytes of the text of a row of pixels, with the terminating zero */
    SHORTEST_RUN = 3                      /* least number of equal pixels that are written as a number and a letter */
};

/* ---- Images as text ---- */

static char get_letter_of_material(int index) { return (char)(index < 26 ? 'a' + index : 'A' + index - 26); }

/* Returns the index of the material that a letter denotes in a region's list of materials: a is 0, A is 26. Returns -1
 * for other characters. */
static int find_material_of_letter(char letter) {
    if (letter >= 'a' && letter <= 'z') return letter - 'a';
    return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 26 : -1;
}

static void write_pixel_row(FILE *out, const uint8_t *pixels, int columns, const char *material_letters) {
    fputc('"', out);
    for (int i = 0, end; i < columns; i = end) {
        for (end = i + 1; end < columns && pixels[end] == pixels[i];) end++;
        if (end - i >= SHORTEST_RUN) fprintf(out, "%d", end - i);
        for (int k = 0; k < (end - i >= SHORTEST_RUN ? 1 : end - i); k++) fputc(material_letters[pixels[i]], out);
    }
    fputc('"', out);
}

/* Writes an image's rows with a letter for each pixel: a for the region's first material, b for the second, ..., z,
 * A, ..., F, and a dot for no fluid. A number before a letter repeats the letter. */
void pd_write_image(pd_writer *w, const void *record) {
    const pd_area *image = &((const pd_region *)record)->area;
    char material_letters[PD_NO_FLUID + 1];
    int used = 0;
    memset(material_letters, '.', sizeof material_letters);
    fputs(", materials: [", w->out);
    for (int m = 0; m < w->material_count; m++) {
        if (!pd_image_has_material(image, m)) continue;
        if (used) fputs(", ", w->out);
        pd_write_quoted(w->out, w->materials[m].name);
        material_letters[m] = get_letter_of_material(used++);
    }
    fputs("], pixels: [", w->out);
    for (int row = 0; row < image->rows; row++) {
        fputs(w->one_line ? row ? ", " : "" : row ? ",\n      " : "\n      ", w->out);
        write_pixel_row(w->out, image->pixels + (size_t)row * (size_t)image->columns, image->columns, material_letters);
    }
    fputc(']', w->out);
}

typedef struct pixel_reader {
    pd_document *document;
    int materials[PD_MAX_MATERIALS]; /* materials[n]: index in the scene of the material that letter n denotes */
    int count;                       /* number of materials of the region */
    int columns;                     /* pixels of a row; 0: no row was read yet */
    uint8_t row[PD_MAX_IMAGE_SIDE];  /* pixels of the present row: index of the material, or PD_NO_FLUID */
} pixel_reader;

/* Decodes a row of pixels to reader->row. Fails unless all rows have the same number of pixels. */
static bool decode_pixel_row(pixel_reader *reader, const yaml_node_t *node) {
    char text[MAX_ROW_TEXT];
    int column = 0;
    if (!pd_read_text(reader->document, node, "pixels", text, sizeof text)) return false;
    for (const char *c = text; *c; c++) {
        int repeat = 0, number = -1;
        for (; *c >= '0' && *c <= '9' && repeat <= PD_MAX_IMAGE_SIDE; c++) repeat = 10 * repeat + (*c - '0');
        if (column + (repeat ? repeat : 1) > PD_MAX_IMAGE_SIDE)
            return pd_fail_at(reader->document, node, PD_ERROR_SCENE_TOO_LARGE,
                              "a row of more than %d pixels (use fewer)", PD_MAX_IMAGE_SIDE);
        if (*c != '.' && ((number = find_material_of_letter(*c)) < 0 || number >= reader->count))
            return pd_fail_at(reader->document, node, PD_ERROR_SCENE_REFERENCE,
                              "a pixel without a material (allowed: a to %c for the image's materials, or a dot)",
                              get_letter_of_material(reader->count - 1));
        if (repeat == 0) repeat = 1;
        memset(reader->row + column, *c == '.' ? PD_NO_FLUID : reader->materials[number], (size_t)repeat);
        column += repeat;
    }
    if (column == 0 || (reader->columns && column != reader->columns))
        return pd_fail_at(reader->document, node, PD_ERROR_SCENE_VALUE,
                          "a row of %d pixels (allowed: as many in every row%s)", column,
                          column ? "" : ", one or more");
    reader->columns = column;
    return true;
}

static bool read_image_materials(pixel_reader *reader, const yaml_node_t *node) {
    if (!pd_require_list(reader->document, node, "materials", PD_MAX_MATERIALS, &reader->count)) return false;
    if (reader->count == 0)
        return pd_fail_at(reader->document, node, PD_ERROR_SCENE_VALUE,
                          "'materials' is empty (name those of the pixels)");
    for (int i = 0; i < reader->count; i++)
        if (!pd_read_material(reader->document, pd_node_at(reader->document, node->data.sequence.items.start[i]),
                              "materials", &reader->materials[i]))
            return false;
    return true;
}

bool pd_read_pixels(pd_document *document, const yaml_node_t *materials, const yaml_node_t *pixels, pd_area *image) {
    pixel_reader reader = {.document = document};
    int rows;
    if (!read_image_materials(&reader, materials) ||
        !pd_require_list(document, pixels, "pixels", PD_MAX_IMAGE_SIDE, &rows))
        return false;
    if (rows == 0)
        return pd_fail_at(document, pixels, PD_ERROR_SCENE_VALUE, "'pixels' is empty (give it one row or more)");
    image->rows = rows;
    for (int i = 0; i < rows; i++) {
        if (!decode_pixel_row(&reader, pd_node_at(document, pixels->data.sequence.items.start[i]))) return false;
        if (i == 0) image->pixels = pd_memory_new((size_t)reader.columns * (size_t)rows);
        if (!image->pixels) return pd_fail_memory_at(document, pixels);
        image->columns = reader.columns;
        memcpy(image->pixels + (size_t)i * (size_t)reader.columns, reader.row, (size_t)reader.columns);
    }
    return !pd_image_is_empty(image) ||
           pd_fail_at(document, pixels, PD_ERROR_SCENE_VALUE, "all pixels are without fluid (use letters for some)");
}

/* ---- Picture files ---- */

static bool read_picture_path(pd_document *document, const yaml_node_t *file, char path[PD_MAX_PATH]) {
    if (document->saved)
        return pd_fail_at(document, file, PD_ERROR_SCENE_KEY,
                          "a snapshot or log holds what its pictures show, no 'file'");
    return pd_read_path(document, file, "a PNG, JPEG or SVG", path);
}

static bool check_height(pd_document *document, const yaml_node_t *file, float height) {
    if (height >= (float)PD_SHORTEST && height <= (float)PD_FARTHEST) return true;
    return pd_fail_at(document, file, PD_ERROR_SCENE_VALUE,
                      "the picture is too %s for this width (allowed: 'size' as [width, height])",
                      height > 1 ? "high" : "low");
}

bool pd_read_image_file(pd_document *document, const yaml_node_t *file, int remaining_images, pd_region *region) {
    char path[PD_MAX_PATH];
    pd_error error;
    double proportion;
    pd_scene *scene = document->scene;
    if (!read_picture_path(document, file, path)) return false;
    int room = PD_MAX_MATERIALS - scene->material_count, most = (room + remaining_images - 1) / remaining_images;
    if (pd_picture_read_image(path, most, scene, region, &proportion, &error) != PD_OK)
        return pd_fail_at(document, file, error.code, "%s", error.message);
    if (region->area.size.y == 0) region->area.size.y = (float)(region->area.size.x * proportion);
    return check_height(document, file, region->area.size.y);
}

bool pd_read_outline_file(pd_document *document, const yaml_node_t *file, pd_area *area) {
    char path[PD_MAX_PATH];
    pd_error error;
    if (!read_picture_path(document, file, path)) return false;
    if (pd_picture_read_outline(path, area, &error) != PD_OK)
        return pd_fail_at(document, file, error.code, "%s", error.message);
    return check_height(document, file, area->size.y);
}
