/* Fuzzer of pictures: any bytes are read as the PNG, JPEG or SVG of a scene, or refused with a message of one line. A scene of
 * a picture, with a body of its outline, can be written, read again and stepped. Mutations of a PNG correct the checksums of its
 * chunks. */
#include "fuzz.h"

#include "cli/output/output.h"
#include "scene/content/outline.h"

#include <png.h>
#include <puddle/items.h>

#include <jpeglib.h>

enum { MOST_BYTES = 32768, MOST_PIXELS = 1 << 20, PARTICLES = 100 };

/* ---- One input ---- */

static uint32_t big_endian(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Valid pictures of any size are read, but a large one takes seconds under the sanitizers. */
static bool is_large(const uint8_t *bytes, size_t size) {
    if (size >= 24 && bytes[0] == 0x89) return (uint64_t)big_endian(bytes + 16) * big_endian(bytes + 20) > MOST_PIXELS;
    for (size_t i = 0; i + 9 < size && bytes[0] == 0xff; i++) { /* each start of a frame */
        bool frame = bytes[i] == 0xff && bytes[i + 1] >= 0xc0 && bytes[i + 1] <= 0xcf;
        uint32_t sides = big_endian(bytes + i + 5);
        if (frame && (sides >> 16) * (sides & 0xffff) > MOST_PIXELS) return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    pd_scene scene;
    pd_error error;
    fuzz_begin();
    pd_scene_set_picture_reader(picture_read);
    if (is_large(bytes, size)) return 0;
    fuzz_write_file("picture.png", bytes, size);
    pd_scene_init(&scene);
    if (pd_scene_replace_fluid_by_picture(&scene, fuzz_path("picture.png"), PARTICLES, &error) != PD_OK) {
        fuzz_expect_message(&error);
    } else {
        pd_scene_body body = pd_body_default();
        body.area.size.x = 0.5f;
        fuzz_count.read++;
        if (pd_picture_read_outline(fuzz_path("picture.png"), &body.area, &error) == PD_OK &&
            pd_scene_add_body(&scene, &body, &error) != PD_OK)
            fuzz_fail(error.message);
        pd_memory_free(body.area.points);
        fuzz_expect_written_again(&scene);
        fuzz_count.reached += fuzz_run_world(&scene, "ddr");
    }
    pd_scene_free(&scene);
    return 0;
}

/* ---- Pictures to begin with ---- */

static void fail_png(png_structp png, png_const_charp why) {
    (void)png;
    fuzz_fail(why);
}

/* A PNG file of any colour type, depth and interlacing. */
static void write_png(FILE *file) {
    static const struct {
        int color, depth;
    } kinds[] = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {2, 8}, {2, 16}, {3, 1},
                 {3, 2}, {3, 4}, {3, 8}, {4, 8}, {4, 16}, {6, 8}, {6, 16}};
    size_t k = fuzz_pick(sizeof kinds / sizeof *kinds);
    int width = 1 + (int)fuzz_pick(20), height = 1 + (int)fuzz_pick(20);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_png, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) fuzz_fail("out of memory");
    png_init_io(png, file);
    png_set_IHDR(png, info, (unsigned)width, (unsigned)height, kinds[k].depth, kinds[k].color,
                 fuzz_pick(2) ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_color colors[256];
    png_byte alpha[256], row[20 * 8];
    for (int i = 0; i < 256; i++) {
        colors[i] = (png_color){(png_byte)fuzz_pick(256), (png_byte)fuzz_pick(256), (png_byte)fuzz_pick(256)};
        alpha[i] = (png_byte)fuzz_pick(256);
    }
    if (kinds[k].color == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, colors, 1 << kinds[k].depth);
        if (fuzz_pick(2)) png_set_tRNS(png, info, alpha, 1 + (int)fuzz_pick((size_t)1 << kinds[k].depth), NULL);
    } else if (!(kinds[k].color & PNG_COLOR_MASK_ALPHA) && fuzz_pick(2)) {
        png_set_tRNS(png, info, NULL, 0, &(png_color_16){.gray = 1, .red = 7, .green = 7, .blue = 7});
    }
    png_write_info(png, info);
    for (int pass = png_set_interlace_handling(png); pass > 0; pass--)
        for (int y = 0; y < height; y++) {
            for (size_t i = 0; i < sizeof row; i++)
                row[i] = (png_byte)(fuzz_pick(3) ? i * 8 + (size_t)y : fuzz_pick(256));
            png_write_row(png, row);
        }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

/* Grey, in colours or for printing, progressive in half, with the orientation of a camera in half. */
static void write_jpeg(FILE *file) {
    static const uint8_t exif[] = {'E',  'x', 'i', 'f', 0, 0, 'I', 'I', '*', 0, 8, 0, 0, 0, 1, 0,
                                   0x12, 1,   3,   0,   1, 0, 0,   0,   6,   0, 0, 0, 0, 0, 0, 0};
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    size_t kind = fuzz_pick(7);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = 1 + (unsigned)fuzz_pick(40);
    jpeg.image_height = 1 + (unsigned)fuzz_pick(40);
    jpeg.input_components = kind < 2 ? 1 : kind < 6 ? 3 : 4;
    jpeg.in_color_space = kind < 2 ? JCS_GRAYSCALE : kind < 6 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 10 + (int)fuzz_pick(90), TRUE);
    if (fuzz_pick(2)) jpeg_simple_progression(&jpeg);
    if (fuzz_pick(3) == 0) jpeg.restart_interval = 1;
    jpeg_start_compress(&jpeg, TRUE);
    if (fuzz_pick(2)) jpeg_write_marker(&jpeg, JPEG_APP0 + 1, exif, sizeof exif);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPLE row[40 * 4];
        for (size_t i = 0; i < sizeof row; i++) row[i] = (JSAMPLE)(fuzz_pick(3) ? i : fuzz_pick(256));
        jpeg_write_scanlines(&jpeg, &(JSAMPROW){row}, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
}

/* Shapes of any kind, place and colour, in a group that turns them. */
static void write_svg(FILE *file) {
    static const char *const sizes[] = {"width='80' height='50'", "viewBox='0 0 80 50'", "width='100%' height='50%'",
                                        ""};
    fprintf(file, "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg' %s><g transform='rotate(%d 40 25)'>",
            sizes[fuzz_pick(4)], (int)fuzz_pick(360));
    for (size_t i = 0, count = fuzz_pick(5); i < count; i++) {
        int x = (int)fuzz_pick(80), y = (int)fuzz_pick(50), size = 1 + (int)fuzz_pick(40);
        unsigned color = (unsigned)fuzz_pick(1 << 24);
        size_t kind = fuzz_pick(4);
        if (kind == 0) fprintf(file, "<circle cx='%d' cy='%d' r='%d' fill='#%06x'/>", x, y, size, color);
        if (kind == 1) fprintf(file, "<rect x='%d' y='%d' width='%d' height='9' stroke='#%06x'/>", x, y, size, color);
        if (kind == 2) fprintf(file, "<path fill-rule='evenodd' d='M%d %dH%dV60ZM30 10V40H60Z'/>", x, y, size);
        if (kind == 3) fprintf(file, "<text x='%d' y='%d' font-size='%d' opacity='.7'>ab</text>", x, y, size);
    }
    fprintf(file, "</g></svg>\n");
}

/* ---- Mutations ---- */

/* Corrects the checksums of the chunks: length, name, content, checksum. */
static void sign_png(uint8_t *bytes, size_t size) {
    static uint32_t table[256];
    for (uint32_t i = 0; i < 256 && !table[255]; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (size_t at = 8; at + 12 <= size;) {
        uint32_t length = big_endian(bytes + at), sum = 0xffffffffu;
        if (length > size - at - 12) return;
        for (size_t i = at + 4; i < at + 8 + length; i++) sum = table[(sum ^ bytes[i]) & 255] ^ sum >> 8;
        for (int i = 0; i < 4; i++) bytes[at + 8 + length + (size_t)i] = (uint8_t)(~sum >> (24 - 8 * i));
        at += 12 + (size_t)length;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
    static const uint8_t typical[] = {0, 1, 2, 3, 4, 6, 7, 8, 16, 127, 128, 254, 255};
    fuzz_state = seed * 2654435761u + 1;
    fuzz_pick(1);
    if (size < 8 || fuzz_pick(10) == 0) {
        FILE *file = fopen(fuzz_path("seed"), "wb");
        if (!file) fuzz_fail("cannot write a file");
        static void (*const write[])(FILE *) = {write_png, write_jpeg, write_svg};
        write[fuzz_pick(3)](file);
        fclose(file);
        size = fuzz_read_file("seed", bytes, most < MOST_BYTES ? most : MOST_BYTES);
        if (size == 0) return 0;
    }
    for (size_t i = 0, changes = fuzz_pick(4); i < changes && size > 0; i++) {
        size_t at = fuzz_pick(2) ? fuzz_pick(size) : fuzz_pick(size < 64 ? size : 64);
        if (fuzz_pick(2))
            bytes[at] = typical[fuzz_pick(sizeof typical)];
        else
            bytes[at] ^= (uint8_t)(1u << fuzz_pick(8));
    }
    if (fuzz_pick(5) == 0) size = LLVMFuzzerMutate(bytes, size, most);
    if (size > 8 && bytes[0] == 0x89) sign_png(bytes, size);
    return size;
}
