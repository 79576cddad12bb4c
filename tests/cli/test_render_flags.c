/* Flags of pictures: stills, times, slow motion, what is drawn, backgrounds, quality. */
#include "process.h"
#include "sanitizers.h"

#include <math.h>
#include <png.h>
#include <stdint.h>

enum { WIDTH = 96, HIGH = 64, PIXELS = WIDTH * HIGH, WIDE = 320, TALL = 200 };
#define SMALL " --size 96x64 --quiet "
#define LARGE " --size 320x200 --quiet "

/* Reads a PNG of this size as RGBA. */
static void read_sized_png(const char *name, int width, int height, uint8_t *rgba, bool has_alpha) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, at(name))) fail_msg("%s: %s", name, image.message);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal((image.format & PNG_FORMAT_FLAG_ALPHA) != 0, has_alpha);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, rgba, 0, NULL));
}

static void read_png(const char *name, uint8_t *rgba, bool has_alpha) {
    read_sized_png(name, WIDTH, HIGH, rgba, has_alpha);
}

/* Mean difference of a channel between two pictures. */
static double difference(const char *a, const char *b) {
    static uint8_t left[PIXELS * 4], right[PIXELS * 4];
    double sum = 0;
    read_png(a, left, false);
    read_png(b, right, false);
    for (int i = 0; i < PIXELS * 4; i++) sum += abs(left[i] - right[i]);
    return sum / (PIXELS * 4);
}

static void must_run(const char *arguments) {
    if (run(arguments) != 0) fail_msg("puddle %s: %s", arguments, err);
    assert_string_equal(err, "");
}

static int frames_of(const char *arguments) {
    char whole[512];
    snprintf(whole, sizeof whole, "%s --json --force" SMALL, arguments);
    cJSON *json = parse_output(whole);
    int frames = cJSON_GetObjectItem(json, "frames")->valueint;
    cJSON_Delete(json);
    return frames;
}

static void a_still_is_one_picture(void **state) {
    (void)state;
    must_run("render drop --particles 300 -o frames --steps 30" SMALL);
    must_run("render drop --particles 300 -o end.png --steps 30" SMALL);
    must_run("render drop --particles 300 -o at.PNG --at 0.5" SMALL);
    must_run("render drop --particles 300 -o between.png --at 0.4917" SMALL);
    must_run("render drop --particles 300 -o begin.png --at 0" SMALL);
    must_run("render drop --particles 300 -o zero.png --steps 0" SMALL);
    assert_true(difference("end.png", "frames/frame_000029.png") == 0);
    assert_true(difference("at.PNG", "frames/frame_000029.png") < 0.01);
    assert_true(difference("begin.png", "zero.png") == 0);
    assert_true(difference("begin.png", "end.png") > 1);
    double before = difference("between.png", "frames/frame_000028.png");
    double after = difference("between.png", "frames/frame_000029.png");
    double step = difference("frames/frame_000028.png", "frames/frame_000029.png");
    assert_true(before > 0 && after > 0 && before < step && after < step); /* half a step */
    assert_int_equal(run("render drop --particles 300 -o five.png --steps 30 --json" SMALL), 0);
    assert_non_null(strstr(out, "\"frames\":\t1,"));
    assert_error("render drop -o end.png --steps 1", 2, "cannot record to 'end.png': it exists");
    must_run("render drop --particles 300 -o end.png --steps 1 --force" SMALL);
    assert_true(difference("begin.png", "end.png") < 1);
    must_run("render drop --particles 300 -o deep.png --steps 1 --depth 16 --alpha" SMALL);
    shell("test $(ls -A | grep -c puddle-) = 0");
}

/* Returns whether all pixels of a picture are close to the one in its middle. */
static bool is_even(const char *name) {
    static uint8_t rgba[PIXELS * 4];
    read_png(name, rgba, false);
    const uint8_t *middle = &rgba[4 * (HIGH / 2 * WIDTH + WIDTH / 2)];
    for (int i = 0; i < PIXELS * 4; i++)
        if (abs(rgba[i] - middle[i % 4]) > 12) return false;
    return true;
}

/* A camera in the middle of an obstacle shows nothing else, beside it something else. */
static void a_camera_shows_a_part(void **state) {
    (void)state;
    write_text("wall.yaml", "puddle: 1\ncontainer: {shape: box, width: 4, height: 2}\nparticles: 50\n"
                            "regions: [{shape: circle, center: [-1, 0], radius: 0.3}]\n"
                            "obstacles: [{shape: box, center: [1, 0.5], size: [0.4, 0.4], color: \"#ff8000\"}]\n");
    must_run("render wall.yaml -o all.png --at 0" SMALL);
    must_run("render wall.yaml -o whole.png --at 0 --camera 0,0,1" SMALL);
    must_run("render wall.yaml -o wall.png --at 0 --camera 1,0.5,20" SMALL);
    must_run("render wall.yaml -o edge.png --at 0 --camera 0.8,0.5,20" SMALL);
    assert_true(difference("all.png", "whole.png") == 0);
    assert_true(is_even("wall.png"));
    assert_false(is_even("edge.png"));
}

/* A GIF counts time in 1/100 s: 12.5 and 33.3 frames per second last 8 and 3 of them. The frames of other rates
 * alternate, so that the film lasts as long. */
static void gifs_have_any_rate(void **state) {
    (void)state;
    assert_int_equal(frames_of("render drop --particles 100 -o film.gif --seconds 2 --fps 12.5"), 25);
    assert_int_equal(frames_of("render drop --particles 100 -o film.gif --seconds 1.2 --fps 33.3"), 40);
    shell("test $(ffprobe -v error -show_entries format=duration -of csv=p=0 film.gif | cut -c1-4) = 1.20");
    assert_int_equal(frames_of("render drop --particles 100 -o film.gif --seconds 1 --fps 30"), 30);
    shell("test \"$(identify -format '%T ' film.gif | cut -d' ' -f1-7)\" = '3 4 3 3 4 3 3'");
    shell("test $(ffprobe -v error -show_entries format=duration -of csv=p=0 film.gif | cut -c1-3) = 1.0");
    assert_int_equal(frames_of("render drop --particles 100 -o film.gif --seconds 1 --fps 60"), 50);
    shell("test \"$(identify -format '%T ' film.gif | tr ' ' '\\n' | sort -u | tr '\\n' ' ')\" = '2 '");
}

static void an_interrupted_still_leaves_no_file(void **state) {
    (void)state;
    assert_int_equal(mkfifo(at("rows"), 0600), 0);
    pid_t child = start("render drop --particles 300 -o late.png --at 1000 --stats rows" SMALL);
    FILE *rows = open_rows();
    read_rows(rows, 3);
    kill(child, SIGTERM);
    while (fgetc(rows) != EOF) continue;
    fclose(rows);
    assert_int_equal(finish(child), 128 + SIGTERM);
    assert_string_equal(err, "");
    assert_false(exists("late.png"));
    shell("rm rows && test $(ls -A | grep -c puddle-) = 0");
}

static void frames_begin_at_the_start(void **state) {
    (void)state;
    must_run("render drop --particles 300 -o all --seconds 1" SMALL);
    assert_int_equal(frames_of("render drop --particles 300 -o late --seconds 1 --start 0.75"), 15);
    assert_true(difference("late/frame_000000.png", "all/frame_000045.png") == 0);
    assert_true(difference("late/frame_000014.png", "all/frame_000059.png") == 0);
    assert_int_equal(frames_of("render drop --particles 300 -o late --start 0.5 --frames 4"), 4);
    assert_true(difference("late/frame_000000.png", "all/frame_000030.png") == 0);
    assert_int_equal(frames_of("render drop --particles 100 -o late --start 1"), 300); /* five seconds, as without it */
    assert_int_equal(frames_of("render drop --particles 300 -o late --seconds 1 --start 0.5 --fps 20"), 10);
    assert_error("render drop -o none --seconds 1 --start 1", 2,
                 "60 steps of 0.01667 s, comes before --start (use --steps 61, --seconds 1.017 or more)");
    /* Advice has values that the flags accept. */
    assert_error("render drop -o none --seconds 1 --start 1e9", 2, "comes before --start (use a smaller --start)");
    write_text("short.yaml",
               "puddle: 1\ndt: 1e-6\nparticles: 100\nregions: [{shape: circle, center: [0, 0], radius: 1}]\n");
    assert_error("render short.yaml -o none --steps 1 --start 5e-5", 2, "(use --steps 51, --seconds 5.1e-05 or more)");
    assert_int_equal(frames_of("render short.yaml -o late --seconds 5.1e-05 --start 5e-5"), 1);
}

/* A video at a quarter of the speed has four times the frames, and every fourth is that of the real speed. */
static void slow_motion_has_more_frames(void **state) {
    (void)state;
    must_run("render drop --particles 300 -o all --seconds 0.5 --force" SMALL);
    assert_int_equal(frames_of("render drop --particles 300 -o slow --seconds 0.5 --fps 60 --speed 0.25"), 120);
    assert_true(difference("slow/frame_000119.png", "all/frame_000029.png") < 0.01);
    assert_true(difference("slow/frame_000079.png", "all/frame_000019.png") < 0.01);
    assert_true(difference("slow/frame_000117.png", "all/frame_000029.png") > 0.01);
    assert_int_equal(frames_of("render drop --particles 300 -o slow --seconds 0.5 --speed 0.25"), 120);
    assert_int_equal(frames_of("render drop --particles 300 -o slow --seconds 0.5 --speed 2"), 15);
    assert_int_equal(frames_of("render drop --particles 300 -o slow --seconds 1 --start 0.5 --speed 0.5"), 60);
    char *text = read_text("slow/recording.json");
    assert_non_null(strstr(text, "\"fps\":\t60"));
    free(text);
}

/* Greatest difference between two pictures of WIDE x TALL within a rectangle, as parts of width and height from the
 * lower left. */
static int greatest_difference(const char *a, const char *b, double left, double low, double right, double high) {
    static uint8_t one[WIDE * TALL * 4], other[WIDE * TALL * 4];
    int greatest = 0;
    read_sized_png(a, WIDE, TALL, one, false);
    read_sized_png(b, WIDE, TALL, other, false);
    for (int y = (int)((1 - high) * TALL); y < (int)((1 - low) * TALL); y++)
        for (int x = (int)(left * WIDE); x < (int)(right * WIDE); x++)
            for (int c = 0; c < 3; c++) {
                int i = 4 * (y * WIDE + x) + c, apart = abs(one[i] - other[i]);
                if (apart > greatest) greatest = apart;
            }
    return greatest;
}

static void legends_can_be_left_out(void **state) {
    (void)state;
    write_text("flat.yaml", "puddle: 1\nmethod: grid\ncontainer: {shape: box, width: 3, height: 0.5}\n"
                            "parameters: {grid: {resolution: 8}}\n");
    must_run("render flat.yaml -o with.png --view speed --steps 1" LARGE);
    must_run("render flat.yaml -o without.png --view speed --steps 1 --no-legend" LARGE);
    must_run("render drop --particles 100 --compare ddr,pbf -o names.png --at 0" LARGE);
    must_run("render drop --particles 100 --compare ddr,pbf -o no-names.png --at 0 --no-legend" LARGE);
    assert_true(greatest_difference("with.png", "without.png", 0, 0, 1, 1) > 40);
    assert_true(greatest_difference("with.png", "without.png", 0, 0.5, 1, 1) == 0); /* only where the legend is */
    assert_true(greatest_difference("names.png", "no-names.png", 0.4, 0, 0.6, 1) > 20);
}

static const char EMPTY[] = "puddle: 1\ncontainer: {shape: box, width: 2, height: 1}\n"
                            "drains: [{shape: box, center: [0, 0], size: [0.5, 0.5]}]\n"
                            "emitters: [{position: [0.7, 0.3], direction: [0, -1], speed: 0, width: 0.1, rate: 1}]\n";

static int brightest(const char *name) {
    static uint8_t rgba[WIDE * TALL * 4];
    int most = 0;
    read_sized_png(name, WIDE, TALL, rgba, false);
    for (int i = 0; i < WIDE * TALL; i++)
        for (int c = 0; c < 3; c++)
            if (rgba[4 * i + c] > most) most = rgba[4 * i + c];
    return most;
}

static void outlines_can_be_left_out(void **state) {
    (void)state;
    write_text("empty.yaml", EMPTY);
    must_run("render empty.yaml -o outline.png --at 0" LARGE);
    must_run("render empty.yaml -o no-outline.png --at 0 --no-outline" LARGE);
    assert_true(brightest("outline.png") > 120);
    assert_true(brightest("no-outline.png") < 60); /* the dark background */
    /* The dashes of the drain, in the middle of the picture. */
    assert_true(greatest_difference("outline.png", "no-outline.png", 0.2, 0.2, 0.8, 0.8) > 20);
    /* The nozzle of the emitter, near the upper right corner. */
    assert_true(greatest_difference("outline.png", "no-outline.png", 0.7, 0.1, 0.9, 0.4) > 40);
}

/* Without the outline the background has no edge at the wall: neighbours in a row differ by the dither alone. */
static void no_outline_hides_the_container(void **state) {
    (void)state;
    static uint8_t rgba[WIDE * TALL * 4];
    write_text("bare.yaml", "puddle: 1\ncontainer: {shape: box, width: 2, height: 1}\n");
    must_run("render bare.yaml -o bare.png --at 0 --no-outline" LARGE);
    read_sized_png("bare.png", WIDE, TALL, rgba, false);
    for (int i = 4; i < WIDE * TALL * 4; i++)
        if (i / 4 % WIDE > 0) assert_in_range(abs(rgba[i] - rgba[i - 4]), 0, 2);
}

/* Streamlines end at a curved wall. */
static void streamlines_stay_inside_the_container(void **state) {
    (void)state;
    static uint8_t lines[WIDE * TALL * 4], plain[WIDE * TALL * 4];
    must_run("render blobs --method flip -o lines.png --at 2 --lines streamlines" LARGE);
    must_run("render blobs --method flip -o plain.png --at 2 --lines none" LARGE);
    read_sized_png("lines.png", WIDE, TALL, lines, false);
    read_sized_png("plain.png", WIDE, TALL, plain, false);
    int left = 0, inside = 0;
    while (plain[4 * (TALL / 2 * WIDE + left) + 2] < 100) left++; /* the outline, at the left of the middle */
    for (int i = 0; i < WIDE * TALL; i++) {
        bool same = memcmp(&lines[4 * i], &plain[4 * i], 4) == 0;
        inside += !same;
        if (hypot(i % WIDE + 0.5 - 0.5 * WIDE, i / WIDE + 0.5 - 0.5 * TALL) > 0.5 * WIDE - left + 1) assert_true(same);
    }
    assert_true(inside > 1000);
}

static void backgrounds_have_a_colour(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint8_t rgb[3];
    } colours[] = {{"20b040", {0x20, 0xb0, 0x40}},
                   {"'#20b040'", {0x20, 0xb0, 0x40}},
                   {"white", {255, 255, 255}},
                   {"black", {0, 0, 0}}};
    static uint8_t rgba[PIXELS * 4];
    write_text("empty.yaml", EMPTY);
    for (int k = 0; k < 4; k++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments,
                 "render empty.yaml -o plain.png --at 0 --no-outline --force --background %s" SMALL, colours[k].name);
        must_run(arguments);
        read_png("plain.png", rgba, false);
        for (int i = 0; i < PIXELS; i++) assert_memory_equal(&rgba[4 * i], colours[k].rgb, 3);
    }
    must_run("render empty.yaml -o none.png --at 0 --no-outline --background none" SMALL);
    read_png("none.png", rgba, true);
    for (int i = 0; i < PIXELS; i++) assert_int_equal(rgba[4 * i + 3], 0);
    must_run("render drop --particles 300 -o a.png --at 0 --background none" SMALL);
    must_run("render drop --particles 300 -o b.png --at 0 --alpha" SMALL);
    assert_same_file("a.png", "b.png");
}

static void check_stream(const char *name, const char *expected) {
    char script[256];
    snprintf(script, sizeof script,
             "ffprobe -v error -show_entries stream=codec_name,pix_fmt:stream_tags=alpha_mode -of csv=p=0 %s >stream",
             name);
    shell(script);
    char *text = read_text("stream");
    text[strcspn(text, "\n")] = '\0';
    if (!strstr(text, expected)) fail_msg("%s: %s, expected %s", name, text, expected);
    free(text);
}

/* The pixels of a transparent video are those of a transparent PNG, as far as the encoder keeps them. */
static void videos_can_be_transparent(void **state) {
    (void)state;
    static const char *const names[] = {"alpha.webm", "alpha.mov"}, *const decoders[] = {"-c:v libvpx-vp9", ""};
    static uint8_t still[PIXELS * 4], film[PIXELS * 4];
    must_run("render drop --particles 300 -o still.png --steps 6 --alpha" SMALL);
    read_png("still.png", still, true);
    for (int k = 0; k < 2; k++) {
        char script[512];
        snprintf(script, sizeof script, "render drop --particles 300 -o %s --steps 6 %s" SMALL, names[k],
                 k ? "--background none" : "--alpha");
        must_run(script);
        check_stream(names[k], k ? "prores,yuva444p" : "vp9,yuv420p,1");
        snprintf(script, sizeof script,
                 "ffmpeg -v error -y %s -i %s -vf 'select=eq(n\\,5),format=rgba' -frames:v 1 -f rawvideo last",
                 decoders[k], names[k]);
        shell(script);
        FILE *file = fopen(at("last"), "rb");
        assert_int_equal(fread(film, 1, sizeof film, file), sizeof film);
        fclose(file);
        double sum = 0;
        for (int i = 0; i < PIXELS; i++) sum += abs(film[4 * i + 3] - still[4 * i + 3]);
        if (sum / PIXELS > 3) fail_msg("%s: alpha differs by %.1f", names[k], sum / PIXELS);
        assert_in_range(film[3], 0, 8); /* a corner */
        double colour = 0;
        int opaque = 0;
        for (int i = 0; i < PIXELS; i++)
            for (int c = 0; c < 3 && still[4 * i + 3] == 255; c++, opaque++)
                colour += abs(film[4 * i + c] - still[4 * i + c]);
        assert_true(opaque > PIXELS / 4);
        if (colour / opaque > 8) fail_msg("%s: colours differ by %.1f", names[k], colour / opaque);
    }
    must_run("render drop --particles 300 -o opaque.mov --steps 6" SMALL);
    check_stream("opaque.mov", "prores,yuv444p");
}

static long size_of(const char *name) {
    struct stat status;
    assert_int_equal(stat(at(name), &status), 0);
    return (long)status.st_size;
}

static void quality_changes_the_size(void **state) {
    (void)state;
    static const char *const words[] = {"low", "medium", "high", "best"}, *const endings[] = {"mp4", "webm", "mov"};
    for (int e = 0; e < (is_shortened() ? 1 : 3); e++) {
        long before = 0, usual;
        char name[32], arguments[256];
        snprintf(arguments, sizeof arguments, "render blobs -o usual.%s --seconds 0.3 --size 240x160 --quiet",
                 endings[e]);
        must_run(arguments);
        snprintf(name, sizeof name, "usual.%s", endings[e]);
        usual = size_of(name);
        for (int q = 0; q < 4; q++) {
            snprintf(name, sizeof name, "%s.%s", words[q], endings[e]);
            snprintf(arguments, sizeof arguments,
                     "render blobs -o %s --seconds 0.3 --size 240x160 --quiet --quality %s", name, words[q]);
            must_run(arguments);
            if (size_of(name) <= before) fail_msg("%s is not larger", name);
            before = size_of(name);
            if (q == 2) assert_int_equal(before, usual);
        }
    }
}

static void flags_of_pictures_are_checked(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"render drop -o a.mp4 --at 1", "--at is for a still (use -o FILE.png, or --start)"},
        {"render drop -o a.png --at 1 --seconds 2", "--at does not go with another --seconds"},
        {"render drop -o a.png --start 1", "--start does not go with the still 'a.png'"},
        {"render drop -o a.png --frames 1", "--frames does not go with the still"},
        {"render drop -o a.png --speed 2", "--speed does not go with the still"},
        {"render drop -o a.png --at -1", "--at is '-1' (use a number from 0 to 1000000000)"},
        {"render drop -o frames --speed 0", "--speed is '0' (use a number from 0.001 to 1000)"},
        {"render drop -o frames --quality high", "--quality is for a video"},
        {"render drop -o a.gif --quality high", "--quality is for a video"},
        {"render drop -o a.mp4 --quality poor", "--quality is 'poor' (use low, medium, high or best)"},
        {"render drop -o a.mp4 --background none",
         "--background none does not go with the video 'a.mp4' (record to a folder"},
        {"render drop -o a.gif --alpha", "--alpha does not go with the video"},
        {"render drop -o a.webm --depth 16", "--depth 16 does not go with the video"},
        {"render drop -o a --alpha --background white", "--alpha does not go with --background"},
        {"render drop -o a --background 12345", "--background is '12345' (use six hexadecimal digits, such as 203040"},
        {"render drop -o a --background red", "--background is 'red'"},
        {"replay x.log --no-legend", "--no-legend needs frames to write"},
        {"replay x.log --compare ddr,flip", "--compare needs frames to write"},
        {"replay x.log --background white", "--background needs frames to write"},
        {"run drop --steps 1 --no-legend", "--no-legend does not go with puddle run"},
        {"--record a.png", "--record cannot write a still (use 'puddle render SCENE -o FILE.png')"},
        {"render empty.yaml -o empty.yaml.png --at 0 --stats empty.yaml.png", "is the file of two outputs"},
    };
    write_text("empty.yaml", EMPTY);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_error(wrong[i][0], 2, wrong[i][1]);
    assert_false(exists("a"));
    assert_false(exists("a.png"));
}

TEST_GROUP(render_flags) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_still_is_one_picture, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_camera_shows_a_part, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(gifs_have_any_rate, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(an_interrupted_still_leaves_no_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(frames_begin_at_the_start, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(slow_motion_has_more_frames, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(legends_can_be_left_out, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(outlines_can_be_left_out, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(no_outline_hides_the_container, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(streamlines_stay_inside_the_container, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(backgrounds_have_a_colour, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(videos_can_be_transparent, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(quality_changes_the_size, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(flags_of_pictures_are_checked, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
