/* Pictures that become fluid, obstacles and bodies: reading PNG, JPEG and SVG, colours, outlines, scenes with images, pictures dropped on the window. */
#include "command.h"
#include "sanitizers.h"
#include "with_threads.h"

#include "app/loop.h"
#include "cli/output/output.h"
#include "scene/polygon.h"
#include "sim/world.h"
#include <puddle/items.h>

#include <jpeglib.h>
#include <math.h>
#include <png.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const char *const CIRCLE =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><circle cx='50' cy='50' r='40' fill='#c80'/></svg>";

/* ---- Files ---- */

/* Red above left, green above right, blue below left; below right white, or nothing where the file has transparency. */
static void paint(int x, int y, int width, int height, uint8_t rgba[4]) {
    static const uint8_t quarters[4][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 0}};
    memcpy(rgba, quarters[2 * (2 * y >= height) + (2 * x >= width)], 4);
}

/* type: of PNG; grey and palette files hold the red channel's half planes: 255 or 0. */
static void write_png(const char *name, int width, int height, int type, int depth, bool interlaced) {
    FILE *file = fopen(at(name), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    int channels = type == PNG_COLOR_TYPE_RGB          ? 3
                   : type == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
                   : type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                       : 1;
    uint8_t *row = calloc((size_t)width, 8);
    if (setjmp(png_jmpbuf(png))) fail();
    png_init_io(png, file);
    png_set_compression_level(png, 1);
    png_set_IHDR(png, info, (unsigned)width, (unsigned)height, depth, type,
                 interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_color colors[] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}};
    png_byte alpha[] = {255, 255, 255, 0};
    if (type == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, colors, 4);
        png_set_tRNS(png, info, alpha, 4, NULL);
    }
    png_write_info(png, info);
    png_set_packing(png);
    for (int pass = 0, passes = png_set_interlace_handling(png); pass < passes; pass++)
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                uint8_t rgba[4], *to = row + (size_t)x * (size_t)channels * (depth == 16 ? 2 : 1);
                paint(x, y, width, height, rgba);
                if (type == PNG_COLOR_TYPE_PALETTE) rgba[0] = (uint8_t)(2 * (2 * y >= height) + (2 * x >= width));
                if (type == PNG_COLOR_TYPE_GRAY && depth < 8) rgba[0] &= (uint8_t)((1 << depth) - 1);
                if (type == PNG_COLOR_TYPE_GRAY_ALPHA) rgba[1] = rgba[3];
                for (int k = 0; k < channels; k++)
                    for (int b = 0; b < (depth == 16 ? 2 : 1); b++) *to++ = rgba[k];
            }
            png_write_row(png, row);
        }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    free(row);
    assert_int_equal(fclose(file), 0);
}

/* orientation: of EXIF; 0: without. */
static void write_jpeg(const char *name, int width, int height, bool progressive, int orientation) {
    FILE *file = fopen(at(name), "wb");
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    uint8_t *row = calloc((size_t)width, 4);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = (unsigned)width;
    jpeg.image_height = (unsigned)height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    if (progressive) jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    uint8_t exif[] = "Exif\0\0MM\0*\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\001\0\0\0\0\0";
    exif[25] = (uint8_t)orientation;
    if (orientation) jpeg_write_marker(&jpeg, JPEG_APP0 + 1, exif, sizeof exif - 1);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) paint(x, y, width, height, row + 3 * x); /* the fourth byte is overwritten */
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    free(row);
    assert_int_equal(fclose(file), 0);
}

static pd_bitmap read_picture(const char *name) {
    pd_bitmap picture;
    pd_error error;
    if (picture_read(at(name), &picture, &error)) fail_msg("%s", error.message);
    return picture;
}

static const uint8_t *pixel(const pd_bitmap *picture, double x, double y) {
    return picture->rgba + 4 * ((int)(y * picture->rows) * picture->columns + (int)(x * picture->columns));
}

static void assert_pixel(const uint8_t *got, int red, int green, int blue, int alpha) {
    if (abs(got[0] - red) > 8 || abs(got[1] - green) > 8 || abs(got[2] - blue) > 8 || got[3] != alpha)
        fail_msg("%d %d %d %d", got[0], got[1], got[2], got[3]);
}

/* ---- Reading ---- */

static void every_kind_of_png_is_read(void **state) {
    (void)state;
    static const struct {
        int type, depth;
        bool interlaced;
    } kinds[] = {{PNG_COLOR_TYPE_RGB_ALPHA, 8, false},
                 {PNG_COLOR_TYPE_RGB_ALPHA, 16, false},
                 {PNG_COLOR_TYPE_RGB_ALPHA, 8, true},
                 {PNG_COLOR_TYPE_PALETTE, 2, false},
                 {PNG_COLOR_TYPE_PALETTE, 8, true}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        write_png("kind.png", 37, 21, kinds[i].type, kinds[i].depth, kinds[i].interlaced);
        pd_bitmap picture = read_picture("kind.png");
        assert_int_equal(picture.columns, 37);
        assert_int_equal(picture.rows, 21);
        for (int y = 0; y < 21; y++)
            for (int x = 0; x < 37; x++) {
                uint8_t rgba[4];
                paint(x, y, 37, 21, rgba);
                const uint8_t *got = picture.rgba + 4 * (37 * y + x);
                assert_int_equal(got[3], rgba[3]);
                if (rgba[3]) assert_memory_equal(got, rgba, 3);
            }
        free(picture.rgba);
    }
    static const int greys[][2] = {
        {PNG_COLOR_TYPE_GRAY, 1}, {PNG_COLOR_TYPE_GRAY, 8}, {PNG_COLOR_TYPE_GRAY, 16}, {PNG_COLOR_TYPE_GRAY_ALPHA, 8}};
    for (size_t i = 0; i < sizeof greys / sizeof *greys; i++) {
        write_png("grey.png", 40, 40, greys[i][0], greys[i][1], false);
        pd_bitmap picture = read_picture("grey.png");
        assert_pixel(pixel(&picture, 0.2, 0.2), 255, 255, 255, 255);
        assert_pixel(pixel(&picture, 0.8, 0.2), 0, 0, 0, 255);
        free(picture.rgba);
    }
}

static void jpegs_are_read_upright(void **state) {
    (void)state;
    /* Where the corner that is red in the file is seen, by the orientation that the camera noted. */
    static const double red_at[9][2] = {{.2, .2}, {.2, .2}, {.8, .2}, {.8, .8}, {.2, .8},
                                        {.2, .2}, {.8, .2}, {.8, .8}, {.2, .8}};
    static const double green_at[9][2] = {{.8, .2}, {.8, .2}, {.2, .2}, {.2, .8}, {.8, .8},
                                          {.2, .8}, {.8, .8}, {.8, .2}, {.2, .2}};
    for (int orientation = 0; orientation <= 8; orientation++) {
        write_jpeg("photo.jpg", 400, 200, orientation % 2, orientation);
        pd_bitmap picture = read_picture("photo.jpg");
        assert_int_equal(picture.width, orientation >= 5 ? 200 : 400);
        assert_int_equal(picture.columns, orientation >= 5 ? 128 : 256);
        assert_pixel(pixel(&picture, red_at[orientation][0], red_at[orientation][1]), 255, 0, 0, 255);
        assert_pixel(pixel(&picture, green_at[orientation][0], green_at[orientation][1]), 0, 255, 0, 255);
        free(picture.rgba);
    }
}

/* kB that a run has taken at most so far. */
static long most_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_maxrss;
}

static void large_pictures_take_little_memory(void **state) {
    (void)state;
    write_png("small.png", 8, 8, PNG_COLOR_TYPE_RGB_ALPHA, 8, true);
    write_png("large.png", 3000, 3000, PNG_COLOR_TYPE_RGB_ALPHA, 8, true);
    assert_int_equal(run("check small.png"), 0);
    long before = most_memory();
    assert_int_equal(run("check large.png"), 0);
    /* Its pixels alone are 36 MB. */
    if (!UNDER_ADDRESS_SANITIZER && most_memory() - before > 18000) fail_msg("%ld kB more", most_memory() - before);
    write_png("wide.png", 20000, 2, PNG_COLOR_TYPE_GRAY, 8, false);
    assert_error("check wide.png", 2, "16,384 pixels");
}

static void faults_are_told_in_one_line(void **state) {
    (void)state;
    write_png("whole.png", 300, 300, PNG_COLOR_TYPE_RGB, 8, false);
    write_jpeg("whole.jpg", 300, 300, false, 0);
    shell(">empty.png; head -c 300 whole.png >cut.png; head -c 12 whole.png >head.png; "
          "head -c 1500 whole.jpg >cut.jpg; head -c 30 whole.jpg >head.jpg");
    write_text("film.gif", "GIF89a\1");
    assert_int_equal(mkdir(at("folder.png"), 0755), 0);
    FILE *file = fopen(at("whole.png"), "rb+");
    fseek(file, 400, SEEK_SET);
    fputs("these bytes are wrong", file);
    fclose(file);
    assert_error("run empty.png --steps 1", 2, "cannot read 'empty.png': it is empty");
    assert_error("run cut.png --steps 1", 2, "cannot read 'cut.png': it is cut short");
    assert_error("run head.png --steps 1", 2, "cannot read 'head.png': it is cut short");
    assert_error("run cut.jpg --steps 1", 2, "cannot read 'cut.jpg': it is cut short");
    assert_error("run head.jpg --steps 1", 2, "cannot read 'head.jpg': it is cut short");
    assert_error("run whole.png --steps 1", 2, "cannot read 'whole.png': it is damaged");
    assert_error("run film.gif --steps 1", 2, "cannot read 'film.gif': it is a GIF (use a whole PNG, JPEG or SVG)");
    assert_error("run folder.png --steps 1", 2, "cannot read 'folder.png': it is a folder");
    assert_error("run missing.png --steps 1", 2, "cannot read 'missing.png': No such file");
}

static void a_file_without_permission_is_told(void **state) {
    (void)state;
    int status;
    write_png("locked.png", 10, 10, PNG_COLOR_TYPE_RGB, 8, false);
    assert_int_equal(chmod(at("locked.png"), 0), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    pid_t child = fork();
    if (child == 0) {
        pd_bitmap picture;
        pd_error error = {0};
        if (geteuid() == 0 && setuid(65534)) _exit(77);
        pd_result result = picture_read(at("locked.png"), &picture, &error);
        _exit(result == PD_BAD_INPUT && strstr(error.message, "Permission denied") ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip();
    assert_int_equal(status, 0);
}

/* ---- Scenes ---- */

static pd_world *world_of_file(const char *name, const char *method) {
    pd_scene scene;
    pd_error error;
    pd_world *world;
    if (pd_scene_read(at(name), &scene, &error)) fail_msg("%s", error.message);
    snprintf(scene.method, sizeof scene.method, "%s", method);
    if (create_with_threads(&world, &scene, 1, &error)) fail_msg("%s", error.message);
    pd_scene_free(&scene);
    return world;
}

static const char SCENE[] =
    "puddle: 1\ncontainer: {shape: box, width: 2, height: 2}\nmaterials:\n"
    "  honey: {color: \"#ffcc00\", viscosity: 3}\nregions:\n"
    "  - {shape: image, file: four.png, center: [0.1, -0.1], size: 1.2, count: 2000, fill: FILL}\n";

/* Each particle lies in the quarter of its colour, none in the transparent one, and the spacing is even. */
static void particles_have_the_colours_of_their_pixels(void **state) {
    (void)state;
    static const char *const fills[] = {"hex", "grid", "random"};
    write_png("four.png", 60, 30, PNG_COLOR_TYPE_RGB_ALPHA, 8, false);
    for (int f = 0; f < 3; f++) {
        char text[600];
        snprintf(text, sizeof text, "%.*s%s}\n", (int)(strstr(SCENE, "FILL") - SCENE), SCENE, fills[f]);
        write_text("four.yaml", text);
        pd_world *world = world_of_file("four.yaml", "ddr");
        const pd_scene *scene = pd_world_scene(world);
        const pd_particles *p = &world->particles;
        static const char *const names[] = {"honey #ff0000", "honey #00ff00", "honey #0000ff"};
        int found[3] = {0};
        assert_int_equal(p->count, 2000);
        assert_int_equal(scene->material_count, 4);
        assert_float_equal(scene->regions[0].area.size.y, 0.6, 1e-6);
        for (int i = 0; i < p->count; i++) {
            if (fabsf(p->y[i] + 0.1f) < 1e-5f || fabsf(p->x[i] - 0.1f) < 1e-5f)
                continue; /* on the edge of two colours */
            int quarter = 2 * (p->y[i] < -0.1f) + (p->x[i] > 0.1f);
            assert_in_range(quarter, 0, 2);
            assert_string_equal(scene->materials[p->material[i]].name, names[quarter]);
            assert_float_equal(scene->materials[p->material[i]].property[PD_VISCOSITY], 3, 0);
            assert_true(fabsf(p->x[i] - 0.1f) <= 0.6f && fabsf(p->y[i] + 0.1f) <= 0.3f);
            found[quarter]++;
        }
        for (int k = 0; k < 3; k++) assert_in_range(found[k], 630, 695);
        double nearest = 1, mean = sqrt(0.54 / 2000);
        for (int i = 0; i < p->count; i++)
            for (int k = 0; k < i; k++)
                nearest = fmin(nearest, hypot((double)(p->x[i] - p->x[k]), (double)(p->y[i] - p->y[k])));
        if (nearest < (f == 2 ? 0.3 : 0.9) * mean) fail_msg("%s: %g of %g", fills[f], nearest, mean);
        pd_world_destroy(world);
    }
}

/* Fluid that a lattice of the mean spacing would miss, in pixels of any proportion. */
static void thin_fluid_is_filled(void **state) {
    (void)state;
    static const char *const images[] = {"size: [1, 1], pixels: [\"100.a155.\", \"100.a155.\", \"100.a155.\"]",
                                         "size: [1e-6, 1e4], pixels: [\"..a\", \".a.\"]",
                                         "size: [1.9, 1e-6], pixels: [\"a...................a\"]",
                                         "size: [1, 1], pixels: [\"256.\", \"200.a55.\"]"};
    static const int counts[] = {3001, 31, 3001, 3001};
    for (int i = 0; i < 4; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "puddle: 1\ncontainer: {shape: none}\nregions:\n"
                 "  - {shape: image, center: [0, 0], materials: [water], %s, count: %d}\n",
                 images[i], counts[i]);
        write_text("thin.yaml", text);
        pd_world *world = world_of_file("thin.yaml", "ddr");
        assert_int_equal(world->particles.count, counts[i]);
        for (int k = 0; k < counts[i]; k++) {
            pd_vec2 place = {world->particles.x[k], world->particles.y[k]}, half = world->scene.regions[0].area.size;
            assert_true(fabsf(place.x) <= half.x / 2 && fabsf(place.y) <= half.y / 2);
        }
        pd_world_destroy(world);
    }
}

/* Snapshots, logs and saved scenes hold the pixels and the outlines of four.png and circle.svg. */
static void expect_saved_without_files(const char *text, const char *method) {
    pd_error error;
    pd_log *log;
    char damage[PD_MAX_LOG_DAMAGE];
    write_png("four.png", 300, 200, PNG_COLOR_TYPE_RGB_ALPHA, 8, false);
    write_text("circle.svg", CIRCLE);
    write_text("four.yaml", text);
    pd_world *world = world_of_file("four.yaml", method);
    assert_int_equal(pd_log_create(&log, world, &error), PD_OK);
    for (int i = 0; i < 3; i++) {
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    assert_int_equal(pd_world_save(world, at("four.puddle"), &error), PD_OK);
    assert_int_equal(pd_scene_write(pd_world_scene(world), at("saved.yaml"), &error), PD_OK);
    assert_int_equal(pd_log_write(log, world, 0, at("four.log"), &error), PD_OK);
    pd_log_destroy(log);
    assert_int_equal(unlink(at("four.png")), 0);
    assert_int_equal(unlink(at("circle.svg")), 0);

    pd_world *loaded;
    if (load_with_threads(&loaded, at("four.puddle"), 1, &error)) fail_msg("%s", error.message);
    assert_true(pd_world_hash(loaded) == pd_world_hash(world));
    pd_world_reset(loaded);
    pd_world_reset(world);
    assert_true(pd_world_hash(loaded) == pd_world_hash(world));
    pd_world_destroy(loaded);
    loaded = world_of_file("saved.yaml", method);
    assert_true(pd_world_hash(loaded) == pd_world_hash(world));
    pd_world_destroy(loaded);
    if (read_log_with_threads(&log, &loaded, at("four.log"), 1, damage, &error)) fail_msg("%s", error.message);
    assert_int_equal(pd_scene_write(pd_world_scene(loaded), at("replayed.yaml"), &error), PD_OK);
    assert_same_file("saved.yaml", "replayed.yaml");
    pd_log_destroy(log);
    pd_world_destroy(loaded);
    pd_world_destroy(world);
    assert_int_equal(run("replay four.log -o frames --size 64x64 --json --quiet --force"), 0);
    assert_non_null(strstr(out, "\"diverged_at\":\tnull"));
}

static void what_is_saved_needs_no_file(void **state) {
    (void)state;
    expect_saved_without_files(
        "puddle: 1\nregions: [{shape: image, file: four.png, center: [0, 0], size: 1, count: 500}]\n", "ddr");
    for (int m = 0; m < pd_method_count(); m++)
        expect_saved_without_files(
            "puddle: 1\ncontainer: {shape: box, width: 2, height: 2}\n"
            "regions: [{shape: box, center: [0, -0.6], size: [2, 0.8], count: 500}]\n"
            "obstacles: [{shape: picture, file: circle.svg, center: [-0.5, -0.6], size: 0.5, spin: 90}]\n"
            "bodies: [{shape: picture, file: four.png, center: [0.4, 0.1], size: 0.6, angle: 20}]\n",
            pd_method_at(m)->name);
}

static void all_methods_run_pictures(void **state) {
    (void)state;
    write_png("four.png", 64, 64, PNG_COLOR_TYPE_RGB_ALPHA, 8, false);
    write_text("four.yaml", "puddle: 1\ncontainer: {shape: box, width: 2, height: 2}\nregions:\n"
                            "  - {shape: image, file: four.png, center: [0, 0], size: 1.2, count: 900}\n");
    for (int m = 0; m < pd_method_count(); m++) {
        pd_world *world = world_of_file("four.yaml", pd_method_at(m)->name);
        for (int i = 0; i < 5; i++) pd_world_step(world);
        const pd_particles *p = &world->particles;
        assert_int_equal(p->count, 900);
        for (int i = 0; i < p->count; i++) assert_true(isfinite(p->x[i]) && isfinite(p->vy[i]));
        pd_world_destroy(world);
    }
    /* The dyes of the grid fill three quarters of the picture. */
    assert_int_equal(run("run four.yaml --method grid --set grid.resolution=50 --steps 0 --quiet --state g.csv"), 0);
    char *text = read_text("g.csv"), *line = strchr(text, '\n');
    double smoke = 0, part;
    int cells = 0;
    for (; line && line[1]; line = strchr(line + 1, '\n'), cells++)
        if (sscanf(line + 1, "%*d,%*d,%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%lf", &part) == 1) smoke += part;
    assert_int_equal(cells, 2500);
    assert_float_equal(smoke * 4 / 2500, 0.75 * 1.44, 0.01);
    free(text);
}

static void bad_images_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *image, *what;
    } bad[] = {
        {"size: 1", "bad.yaml:2:11: an image has no 'file'"},
        {"size: 1, file: four.png, pixels: [\"a\"]", "both file and pixels"},
        {"size: 1, file: none.png", "bad.yaml:2:57: cannot read 'none.png': No such file"},
        {"size: [1, 1], pixels: [\"a\"]", "no 'materials'"},
        {"size: 1, materials: [water], pixels: [\"a\"]", "'size' is one number"},
        {"size: [1, 1], materials: [water], pixels: [\"ab\"]", "a pixel without a material"},
        {"size: [1, 1], materials: [water], pixels: [\"aa\", \"a\"]", "a row of 1 pixels"},
        {"size: [1, 1], materials: [water], pixels: [\"999999999999a\"]", "more than 256 pixels"},
        {"size: [1, 1], materials: [water], pixels: [\"12\"]", "a pixel without a material"},
        {"size: [1, 1], materials: [water], pixels: [\"2.\"]", "all pixels are without fluid"},
        {"size: [1, 1], materials: [water], pixels: []", "'pixels' is empty"},
        {"size: [1, 1], materials: [oil], pixels: [\"a\"]", "unknown material 'oil'"},
        {"radius: 1, file: four.png", "'radius' does not go with shape 'image'"},
    };
    write_png("four.png", 8, 8, PNG_COLOR_TYPE_RGB, 8, false);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[300];
        snprintf(text, sizeof text, "puddle: 1\nregions: [{shape: image, center: [0, 0], %s}]\n", bad[i].image);
        write_text("bad.yaml", text);
        assert_error("check bad.yaml", 2, bad[i].what);
    }
    /* A box still needs both. */
    write_text("bad.yaml", "puddle: 1\nregions: [{shape: box, center: [0, 0], size: 1}]\n");
    assert_error("check bad.yaml", 2, "bad.yaml:2:46: 'size' is '1'");
}

/* ---- Outlines ---- */

/* Reads a scene with a body of this shape: the text behind "shape: picture, center: [0, 0], ". */
static pd_scene scene_of_body(const char *body) {
    char text[300];
    pd_scene scene;
    pd_error error;
    snprintf(text, sizeof text, "puddle: 1\nbodies:\n  - {shape: picture, center: [0, 0], %s}\n", body);
    write_text("body.yaml", text);
    if (pd_scene_read(at("body.yaml"), &scene, &error)) fail_msg("%s: %s", body, error.message);
    if (pd_scene_check(&scene, &error)) fail_msg("%s: %s", body, error.message);
    return scene;
}

/* In a picture of width 1 m. */
static void svgs_have_outlines_of_the_right_area(void **state) {
    (void)state;
    static const char *const STAR = "<polygon points='50,0 62,38 100,38 69,61 81,100 50,76 19,100 31,61 0,38 38,38'/>";
    static const struct {
        const char *size, *content; /* attributes and content of the element <svg> */
        double area;                /* m^2 */
        const char *left_out;
        double tolerance; /* 0: 0.01 */
    } svgs[] = {
        {"width='100' height='100'", "<circle cx='50' cy='50' r='40'/>", 0.16 * 3.14159265, ""},
        {"viewBox='0 0 100 100'", "<circle cx='50' cy='50' r='50'/>", 0.25 * 3.14159265, ""},
        {"width='1e6' height='1e6'", "<circle cx='5e5' cy='5e5' r='4e5'/>", 0.16 * 3.14159265, ""},
        {"width='4cm' height='2cm' viewBox='0 0 200 100'", STAR, 0.0803, ""},
        {"width='200' height='100'", "<path fill-rule='evenodd' d='M20 10H180V90H20ZM60 30H140V70H60Z'/>", 0.32,
         "the holes of the shape in 'a.svg' are filled (cut the shape open to let fluid in)"},
        {"width='100' height='100'", "<rect x='10' y='10' width='40' height='40'/><circle cx='80' cy='80' r='10'/>",
         0.16, "of the 2 separate shapes in 'a.svg' only the greatest is used (make a file for each)"},
        {"width='200' height='100'",
         "<g transform='translate(100 50) rotate(30) scale(2)'><rect x='-20' y='-10' width='40' height='20'/></g>",
         0.08, ""},
        {"width='100%' height='100%' viewBox='0 0 100 50'", "<rect width='50%' height='50%'/>", 0.125, ""},
        {"width='100%' height='100%'", "<rect x='30' y='40' width='80' height='20'/>", 0.25, ""},
        {"", "<rect x='-30' y='40' width='80' height='20'/>", 0.25, ""},
        {"viewBox='0 0 100 50'", "<rect width='100' height='50' fill='white'/><rect y='10' width='100' height='20'/>",
         0.2, "", 0.02},
        {"viewBox='0 0 100 50'", "<rect width='100' height='50' fill='red'/>", 0.5, ""},
        {"viewBox='0 0 100 50'",
         "<style>.a {fill: none; stroke: #000; stroke-width: 10}</style><defs><path id='p' class='a' d='M0 "
         "0H40'/></defs>"
         "<use href='#p' x='30' y='25'/>",
         0.04, ""},
    };
    for (size_t i = 0; i < sizeof svgs / sizeof *svgs; i++) {
        char text[600], line[256] = "";
        snprintf(text, sizeof text,
                 "<?xml version='1.0'?>\n<!-- %zu -->\n<svg xmlns='http://www.w3.org/2000/svg' %s>%s</svg>\n", i,
                 svgs[i].size, svgs[i].content);
        write_text("a.svg", text);
        pd_scene scene = scene_of_body("file: a.svg, size: 1");
        const pd_area *area = &scene.bodies[0].area;
        double found = fabs(pd_polygon_area(area->points, area->point_count));
        if (fabs(found / svgs[i].area - 1) > (svgs[i].tolerance > 0 ? svgs[i].tolerance : 0.01))
            fail_msg("%zu: %g instead of %g m^2", i, found, svgs[i].area);
        pd_scene_write_warning(&scene, 0, line, sizeof line);
        assert_string_equal(line, svgs[i].left_out);
        pd_scene_free(&scene);
    }
    write_text("a.svg",
               "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='30'><text y='25'>A drop</text></svg>");
    pd_scene scene = scene_of_body("file: a.svg, size: 1"); /* as large as the fonts make it */
    pd_scene_free(&scene);
}

static void solids_have_the_place_size_and_colour_of_their_picture(void **state) {
    (void)state;
    write_text("a.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect x='20' width='20' "
                        "height='20' fill='#cc8800'/></svg>");
    write_png("four.png", 90, 60, PNG_COLOR_TYPE_RGB_ALPHA, 8, false);
    static const struct {
        const char *body;
        pd_vec2 low, high; /* of the points */
        uint8_t red;
    } bodies[] = {
        {"file: a.svg, size: 2, angle: 30", {0, -0.5f}, {1, 0.5f}, 0xcc},
        {"file: a.svg, size: [2, 3], color: \"#123456\"", {0, -1.5f}, {1, 1.5f}, 0x12},
        {"file: four.png, size: 0.3", {-0.15f, -0.1f}, {0.15f, 0.1f}, 85},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        pd_scene scene = scene_of_body(bodies[i].body);
        const pd_area *area = &scene.bodies[0].area;
        pd_vec2 low = area->points[0], high = low;
        for (int k = 1; k < area->point_count; k++) {
            low = (pd_vec2){fminf(low.x, area->points[k].x), fminf(low.y, area->points[k].y)};
            high = (pd_vec2){fmaxf(high.x, area->points[k].x), fmaxf(high.y, area->points[k].y)};
        }
        assert_float_equal(low.x, bodies[i].low.x, 0.005);
        assert_float_equal(low.y, bodies[i].low.y, 0.005);
        assert_float_equal(high.x, bodies[i].high.x, 0.005);
        assert_float_equal(high.y, bodies[i].high.y, 0.005);
        assert_int_equal(area->color.red, bodies[i].red);
        assert_true(area->shape == PD_SHAPE_POLYGON && area->angle == (i == 0 ? 30 : 0));
        pd_scene_free(&scene);
    }
}

static void bad_outlines_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *svg, *what;
    } bad[] = {
        {"hello", "bad.yaml:3:62: cannot read 'a.svg': it is no picture (use a whole PNG, JPEG or SVG)"},
        {"", "bad.yaml:3:62: cannot read 'a.svg': it is empty"},
        {"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect", "cannot read 'a.svg': it is damaged: "},
        {"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
         "bad.yaml:3:62: 'a.svg' is more than half transparent everywhere"},
        {"<svg xmlns='http://www.w3.org/2000/svg'/>", "it has no size or shows nothing"},
        {"<svg xmlns='http://www.w3.org/2000/svg' width='0' height='9'><rect width='9' height='9'/></svg>",
         "it has no size or shows nothing"},
        /* Filters, bitmaps, files and addresses are left out. */
        {"<svg xmlns='http://www.w3.org/2000/svg' width='90' height='60'><filter id='f'><feFlood/></filter>"
         "<rect width='50' height='50' fill='none' style='filter: url(#f) !important'/></svg>",
         "'a.svg' is more than half transparent everywhere"},
        {"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><image width='9' height='9' "
         "href='data:image/png;base64,"
         "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='/></svg>",
         "'a.svg' is more than half transparent everywhere"},
        {"<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><svg xmlns='http://www.w3.org/2000/svg' width='90' "
         "height='30'><text y='25'>&x;</text></svg>",
         "Entity 'x' not defined"},
        {"<svg xmlns='http://www.w3.org/2000/svg' width='90' height='60'><image href='four.png' width='90' "
         "height='60'/><image href='http://localhost/four.png' width='90' height='60'/></svg>",
         "'a.svg' is more than half transparent everywhere"},
    };
    write_png("four.png", 90, 60, PNG_COLOR_TYPE_RGB_ALPHA, 8, false);
    write_text("bad.yaml",
               "puddle: 1\nobstacles:\n  - {shape: picture, size: 0.001, center: [0.75, 0.5], file: a.svg}\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_text("a.svg", bad[i].svg);
        assert_error("check bad.yaml", 2, bad[i].what);
        assert_null(strchr(strchr(err, '\n') + 1, '\n'));
    }
    unlink(at("a.svg"));
    assert_error("check bad.yaml", 2, "bad.yaml:3:62: cannot read 'a.svg': No such file");
    write_text("bad.yaml", "puddle: 1\nbodies:\n  - {shape: picture, size: 1, center: [0, 0]}\n");
    assert_error("check bad.yaml", 2, "bad.yaml:3:5: the 'picture' body has no 'file'");
    write_text("bad.yaml", "puddle: 1\nbodies:\n  - {shape: image, file: a.svg, size: 1, center: [0, 0]}\n");
    assert_error("check bad.yaml", 2, "unknown shape 'image' (known: circle, box, polyline, picture, polygon)");
    /* A scene in memory has the polygon. */
    pd_scene scene;
    pd_error error;
    pd_scene_init(&scene);
    pd_scene_body body = pd_body_default();
    body.area.shape = PD_SHAPE_IMAGE;
    body.area.size = (pd_vec2){1, 1};
    assert_int_equal(pd_scene_add_body(&scene, &body, &error), PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "shape is 4 (use one of circle, box, polyline, polygon)"));
    pd_scene_free(&scene);
}

static void a_program_without_reader_says_so(void **state) {
    (void)state;
    pd_scene scene;
    pd_error error;
    write_png("four.png", 8, 8, PNG_COLOR_TYPE_RGB, 8, false);
    pd_scene_set_picture_reader(NULL);
    pd_result result = pd_scene_read(at("four.png"), &scene, &error);
    pd_scene_set_picture_reader(picture_read);
    assert_int_equal(result, PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_FILE_UNREADABLE);
    assert_non_null(strstr(error.message, "this program has no reader of pictures"));
    assert_int_equal(pd_scene_read(at("four.png"), &scene, &error), PD_OK);
    assert_string_equal(scene.name, "four");
    pd_scene_free(&scene);
}

/* ---- The window ---- */

static void a_dropped_picture_replaces_the_fluid(void **state) {
    (void)state;
    static pd_app app;
    write_png("four.png", 90, 60, PNG_COLOR_TYPE_RGB_ALPHA, 8, false);
    write_text("bowl.yaml",
               "puddle: 1\nname: Bowl\nmethod: sph\ngravity: [0, -3]\ncontainer: {shape: box, width: 3, height: 1}\n"
               "materials:\n  water: {color: \"#3a8fff\"}\n  oil: {color: \"#ffcc00\"}\nregions:\n"
               "  - {shape: box, center: [0, -0.3], size: [2, 0.3], material: water, count: 300}\n"
               "obstacles: [{shape: circle, center: [1, 0], radius: 0.1}]\n"
               "emitters: [{position: [-1, 0.4], direction: [1, 0], speed: 1, width: 0.1, rate: 50, material: oil}]\n"
               "parameters:\n  sph: {radius: 0.1}\n");
    pd_app_init(&app, &(pd_app_options){.quiet = true});
    pd_session_replace_world(&app.session, world_of_file("bowl.yaml", "sph"));
    uint64_t bowl = pd_world_hash(app.session.world);
    pd_session_open_file(&app.session, at("missing.png"));
    assert_string_equal(pd_world_scene(app.session.world)->name, "Bowl");
    assert_true(app.viewport.announcer.is_error);
    assert_non_null(strstr(app.viewport.announcer.text, "No such file"));

    pd_session_open_file(&app.session, at("four.png"));
    const pd_scene *scene = pd_world_scene(app.session.world);
    assert_string_equal(scene->name, "four");
    assert_string_equal(app.viewport.announcer.text, "Picture: four");
    assert_string_equal(scene->method, "sph");
    assert_int_equal(scene->obstacle_count, 1);
    assert_int_equal(scene->material_count, 4);
    assert_string_equal(scene->materials[scene->emitters[0].material].name, "oil");
    assert_string_equal(scene->materials[scene->regions[0].material].name, "water #ff0000");
    assert_int_equal(pd_world_particles(app.session.world), PD_PICTURE_PARTICLES);
    /* As high as fits, by the picture's proportions; finer by the same factor in all that scales. */
    assert_float_equal(scene->regions[0].area.size.y, 0.96, 0.01);
    assert_float_equal(scene->regions[0].area.size.x, 1.44, 0.01);
    double finer = sqrt(0.6 / 300 / (0.75 * 1.44 * 0.96 / PD_PICTURE_PARTICLES));
    assert_float_equal(scene->settings[0].value, 0.1 / finer, 2e-4);
    assert_float_equal(scene->emitters[0].rate, 50 * finer * finer, 5);

    uint64_t start = pd_world_hash(app.session.world);
    pd_world_step(app.session.world);
    assert_false(pd_world_hash(app.session.world) == start);
    pd_app_perform_action(&app, PD_ACTION_RESET, 0);
    assert_true(pd_world_hash(app.session.world) == start);

    /* As a command: what was there before comes back, and again the picture, and its beginning. */
    pd_app_perform_action(&app, PD_ACTION_UNDO, 0); /* of the reset */
    pd_app_perform_action(&app, PD_ACTION_UNDO, 0);
    assert_string_equal(pd_world_scene(app.session.world)->name, "Bowl");
    assert_true(pd_world_hash(app.session.world) == bowl);
    pd_app_perform_action(&app, PD_ACTION_REDO, 0);
    pd_app_perform_action(&app, PD_ACTION_REDO, 0);
    assert_true(pd_world_hash(app.session.world) == start);
    pd_world_step(app.session.world);
    pd_app_perform_action(&app, PD_ACTION_REOPEN, 0);
    assert_true(pd_world_hash(app.session.world) == start);

    /* In the place of listed particles. */
    write_text("list.csv", "x,y\n0,0\n0.1,0\n0,0.1\n");
    write_text("list.yaml", "puddle: 1\nregions:\n  - {shape: particles, file: list.csv, spacing: 0.05}\n");
    pd_session_open_file(&app.session, at("list.yaml"));
    assert_int_equal(pd_world_particles(app.session.world), 3);
    pd_session_open_file(&app.session, at("four.png"));
    assert_int_equal(pd_world_particles(app.session.world), PD_PICTURE_PARTICLES);
    pd_log_destroy(app.session.log);
    pd_world_destroy(app.session.world);
}

static void a_dropped_svg_becomes_a_body_or_fluid(void **state) {
    (void)state;
    static pd_app app;
    write_text("circle.svg", CIRCLE);
    write_text("bowl.yaml", "puddle: 1\ncontainer: {shape: box, width: 2, height: 2}\n"
                            "regions: [{shape: box, center: [0, -0.7], size: [2, 0.6], count: 300}]\n");
    pd_app_init(&app, &(pd_app_options){.quiet = true});
    pd_session_replace_world(&app.session, world_of_file("bowl.yaml", "sph"));
    pd_app_open_dropped_file(&app, at("circle.svg"), true);
    const pd_scene_body *body = &pd_world_scene(app.session.world)->bodies[0];
    assert_int_equal(pd_world_scene(app.session.world)->body_count, 1);
    assert_string_equal(body->name, "circle");
    assert_int_equal(body->area.color.red, 0xcc);
    assert_float_equal(fabs(pd_polygon_area(body->area.points, body->area.point_count)), 3.14159 * 0.04, 0.0013);
    pd_app_open_dropped_file(&app, at("circle.svg"), false);
    assert_int_equal(pd_world_scene(app.session.world)->regions[0].area.shape, PD_SHAPE_IMAGE);
    pd_log_destroy(app.session.log);
    pd_world_destroy(app.session.world);
}

/* A world of a grid, and with it the fields of its scene, which are the fluid. */
static pd_world *world_of_cells(void) {
    pd_scene now;
    pd_error error;
    write_text("smoke.yaml", "puddle: 1\nname: Smoke\nparticles: 100\ncontainer: {shape: box, width: 1, height: 1}\n"
                             "regions: [{shape: circle, center: [0, 0], radius: 0.2, velocity: [1, 0]}]\n"
                             "parameters: {grid: {resolution: 16}}\n");
    pd_world *smoke = world_of_file("smoke.yaml", "grid"), *world;
    pd_world_step(smoke);
    assert_int_equal(pd_world_state_as_scene(smoke, &now, &error), PD_OK);
    if (create_with_threads(&world, &now, 1, &error)) fail_msg("%s", error.message);
    assert_true(pd_world_scene(world)->cells.columns > 0);
    pd_scene_free(&now);
    pd_world_destroy(smoke);
    return world;
}

/* The fields of a scene leave it with its fluid, for a picture and for an empty container. */
static void cells_go_with_the_fluid(void **state) {
    (void)state;
    static pd_app app;
    write_png("four.png", 90, 60, PNG_COLOR_TYPE_RGB_ALPHA, 8, false);
    pd_app_init(&app, &(pd_app_options){.quiet = true});
    for (int pictured = 0; pictured < 2; pictured++) {
        const pd_container box = {.shape = PD_CONTAINER_BOX, .width = 2, .height = 1};
        pd_session_replace_world(&app.session, world_of_cells());
        if (pictured)
            pd_session_open_file(&app.session, at("four.png"));
        else
            pd_session_open_empty_scene(&app.session, &(pd_empty_scene){.container = box});
        const pd_scene *scene = pd_world_scene(app.session.world);
        assert_string_equal(scene->name, pictured ? "four" : "Empty");
        assert_string_equal(scene->method, "grid");
        assert_true(scene->cells.columns == 0 && !scene->cells.values);
    }
    pd_log_destroy(app.session.log);
    pd_world_destroy(app.session.world);
}

TEST_GROUP(picture) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_png_is_read),
        cmocka_unit_test(jpegs_are_read_upright),
        cmocka_unit_test(large_pictures_take_little_memory),
        cmocka_unit_test(faults_are_told_in_one_line),
        cmocka_unit_test(a_file_without_permission_is_told),
        cmocka_unit_test(particles_have_the_colours_of_their_pixels),
        cmocka_unit_test(thin_fluid_is_filled),
        cmocka_unit_test(what_is_saved_needs_no_file),
        cmocka_unit_test(all_methods_run_pictures),
        cmocka_unit_test(bad_images_are_refused),
        cmocka_unit_test(svgs_have_outlines_of_the_right_area),
        cmocka_unit_test(solids_have_the_place_size_and_colour_of_their_picture),
        cmocka_unit_test(bad_outlines_are_refused),
        cmocka_unit_test(a_program_without_reader_says_so),
        cmocka_unit_test(a_dropped_picture_replaces_the_fluid),
        cmocka_unit_test(a_dropped_svg_becomes_a_body_or_fluid),
        cmocka_unit_test(cells_go_with_the_fluid),
    };
    pd_scene_set_picture_reader(picture_read);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
