/* Videos as other programs see them: ffprobe counts the frames, ffmpeg decodes them. */
#include "process.h"
#include "sanitizers.h"
#include "with_threads.h"

#include "core/error.h"
#include "record/sink.h"
#include <libavcodec/avcodec.h>
#include <math.h>
#include <png.h>
#include <puddle/puddle.h>
#include <stdint.h>

enum { WIDTH = 160, HEIGHT = 96 };
#define SCENE "drop --size 160x96 --particles 600 --quiet "
#define SMALL "--size 32x32 --particles 100 --quiet "

static const char *const endings[] = {"mp4", "webm", "gif"};

/* Without this encoder, as on systems that may not ship it. */
static const char *missing;

/* In place of libavcodec's: the program's calls in this process come here. */
const AVCodec *avcodec_find_encoder_by_name(const char *name) {
    void *position = NULL;
    if (missing && strcmp(name, missing) == 0) return NULL;
    for (const AVCodec *codec = av_codec_iterate(&position); codec; codec = av_codec_iterate(&position))
        if (av_codec_is_encoder(codec) && strcmp(codec->name, name) == 0) return codec;
    return NULL;
}

static char *output_of(const char *script) {
    char command[1024];
    snprintf(command, sizeof command, "cd %s && { %s; } >shell-out 2>&1", folder, script);
    int status = system(command);
    char *text = read_text("shell-out");
    if (status != 0) fail_msg("failed: %s: %s", script, text);
    return text;
}

/* The frames that a decoder finds, which must find no fault. */
static int frames_in(const char *name) {
    char script[512];
    snprintf(script, sizeof script,
             "ffmpeg -v error -xerror -i %s -f null - && ffprobe -v error -count_frames -show_entries "
             "stream=nb_read_frames -of csv=p=0 %s",
             name, name);
    char *text = output_of(script);
    if (*text < '0' || *text > '9') fail_msg("%s: %s", name, text);
    int frames = atoi(text);
    free(text);
    return frames;
}

static void assert_stream(const char *name, const char *entries, const char *expected) {
    char script[512];
    snprintf(script, sizeof script, "ffprobe -v error -show_entries stream=%s -of csv=p=0 %s", entries, name);
    char *text = output_of(script);
    text[strcspn(text, "\n")] = '\0';
    assert_string_equal(text, expected);
    free(text);
}

static uint8_t *read_bytes(const char *name, size_t size) {
    FILE *file = fopen(at(name), "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(size + 1);
    size_t got = fread(bytes, 1, size + 1, file);
    fclose(file);
    if (got != size) fail_msg("%s has %zu bytes, not %zu", name, got, size);
    return bytes;
}

/* dB; and the mean difference of a channel, which a wrong matrix or range shifts. */
static double psnr(const uint8_t *a, const uint8_t *b, double shift[3]) {
    double sum = 0;
    shift[0] = shift[1] = shift[2] = 0;
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
        double difference = (double)a[i] - (double)b[i];
        sum += difference * difference;
        shift[i % 3] += difference / (WIDTH * HEIGHT);
    }
    return 10 * log10(255.0 * 255.0 * WIDTH * HEIGHT * 3 / fmax(sum, 1));
}

static void nothing_else_is_left(int files) {
    char script[64];
    snprintf(script, sizeof script, "test $(ls -A | grep -c puddle-) = %d", files);
    shell(script);
}

/* The frames of a video are those of a folder and of a pipe. */
static void every_frame_is_in_the_video(void **state) {
    (void)state;
    enum { SIZE = WIDTH * HEIGHT * 3 };
    static const char *const tags[] = {"h264,160,96,yuv420p,tv,bt709,bt709,bt709,60/1",
                                       "vp9,160,96,yuv420p,tv,bt709,bt709,bt709,60/1", "gif,160,96,bgra,25/1"};
    for (int i = 0; i < 3; i++) {
        char name[32], arguments[256];
        int frames = i < 2 ? 31 : 26; /* no multiple of what encoders hold back */
        const char *rate = i < 2 ? "" : "--fps 25";
        snprintf(name, sizeof name, "film.%s", endings[i]);
        snprintf(arguments, sizeof arguments, "render -o %s --frames %d " SCENE, name, frames);
        assert_int_equal(run(arguments), 0);
        assert_string_equal(err, "");
        snprintf(arguments, sizeof arguments, "render -o - --frames %d %s " SCENE " | cat >raw", frames, rate);
        if (i != 1) assert_int_equal(run(arguments), 0); /* both of the first have 60 frames a second */
        assert_int_equal(frames_in(name), frames);
        assert_stream(
            name,
            i < 2
                ? "codec_name,width,height,pix_fmt,color_range,color_space,color_transfer,color_primaries,r_frame_rate"
                : "codec_name,width,height,pix_fmt,r_frame_rate",
            tags[i]);
        snprintf(arguments, sizeof arguments,
                 "ffmpeg -v error -y -i %s -vf scale=flags=bicubic+accurate_rnd+full_chroma_int,format=rgb24 -f "
                 "rawvideo decoded",
                 name);
        free(output_of(arguments));
        uint8_t *raw = read_bytes("raw", (size_t)frames * SIZE),
                *decoded = read_bytes("decoded", (size_t)frames * SIZE);
        for (int frame = 0; frame < frames; frame += frames - 1) {
            double shift[3], ratio = psnr(raw + (size_t)frame * SIZE, decoded + (size_t)frame * SIZE, shift);
            /* a GIF has a palette and no matrix: near colours, without a limit on their mean */
            bool shifted = i < 2 && (fabs(shift[0]) > 0.6 || fabs(shift[1]) > 0.6 || fabs(shift[2]) > 0.6);
            if (ratio < (i < 2 ? 30 : 40) || shifted)
                fail_msg("%s, frame %d: %.1f dB, shifted by %.2f %.2f %.2f", name, frame, ratio, shift[0], shift[1],
                         shift[2]);
        }
        free(raw), free(decoded);
    }
    nothing_else_is_left(0);
    /* The index lies before the pictures, so that a browser can begin before it has all. */
    shell("grep -abo -m1 moov film.mp4 | head -1 | cut -d: -f1 >moov && grep -abo -m1 mdat film.mp4 | head -1 | cut "
          "-d: -f1 >mdat && "
          "test $(cat moov) -lt $(cat mdat)");
}

/* A pipe gets the same pixels as PNGs, and nothing else. */
static void pixels_go_to_standard_output(void **state) {
    (void)state;
    enum { FRAMES = 3, SIZE = 32 * 32 * 3 };
    assert_int_equal(run("render drop -o - --frames 3 " SMALL "--stats rows.csv >raw"), 0);
    uint8_t *raw = read_bytes("raw", FRAMES * SIZE);
    assert_int_equal(run("render drop -o frames --frames 3 " SMALL), 0);
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t rgb[SIZE];
    assert_true(png_image_begin_read_from_file(&image, at("frames/frame_000002.png")));
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    assert_memory_equal(raw + 2 * SIZE, rgb, SIZE);
    free(raw);
    free(output_of(PROGRAM_IN_SHELL " render drop -o - --frames 7 --size 32x32 --particles 100 | "
                                    "ffmpeg -v error -y -f rawvideo -pix_fmt rgb24 -s 32x32 -i - piped.mkv"));
    assert_int_equal(frames_in("piped.mkv"), 7);
    /* The reader goes away. */
    shell("{ " PROGRAM_IN_SHELL " render drop -o - --frames 100000 " SMALL
          "2>lost; echo $? >code; } | head -c 100 >part");
    char *text = read_text("lost"), *code = read_text("code");
    assert_string_equal(code, "141\n");
    assert_string_equal(text, "");
    free(text), free(code);
}

static void odd_sizes_are_rounded(void **state) {
    (void)state;
    assert_int_equal(run("render drop -o odd.mp4 --frames 2 --size 97x65 --particles 100"), 0);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "the video is 96 x 64 pixels"));
    assert_stream("odd.mp4", "width,height", "96,64");
    assert_int_equal(run("render drop -o odd.gif --frames 2 --size 97x65 --particles 100"), 0);
    assert_string_equal(err, "");
    assert_stream("odd.gif", "width,height", "97,65");
}

static void an_existing_file_is_refused(void **state) {
    (void)state;
    shell("echo mine >mine.webm && cp mine.webm before");
    assert_error("render drop -o mine.webm --frames 2 " SMALL, 2, "it exists (name another file, or --force");
    assert_error("drop --record mine.webm", 2, "it exists");
    assert_same_file("mine.webm", "before");
    /* --force replaces it, but only by a whole video. */
    assert_error("render drop -o mine.webm --force --frames 2 --save nodir/x.puddle " SMALL, 1, "create its folder");
    assert_same_file("mine.webm", "before");
    assert_int_equal(run("render drop -o mine.webm --force --frames 2 " SMALL), 0);
    assert_int_equal(frames_in("mine.webm"), 2);
    assert_error("render drop -o mine.webm --force --frames 2 --stats mine.webm " SMALL, 2,
                 "is the file of two outputs");
    assert_error("render drop -o nodir/x.mp4 --frames 2 " SMALL, 1, "create its folder first");
    shell("mkdir folder.mp4");
    assert_error("render drop -o folder.mp4 --frames 2 " SMALL, 1, "folder.mp4': Is a directory");
    assert_int_equal(run("render drop -o old.frames/ --frames 2 " SMALL), 0);        /* a folder, by its slash */
    assert_int_equal(run("render drop -o old.frames --force --frames 2 " SMALL), 0); /* or because it is there */
    assert_int_equal(run("render drop -o run-0.5 --frames 2 " SMALL), 0);
    nothing_else_is_left(0);
}

/* --force replaces a link itself; without it a link is a file that exists, also one that leads nowhere. */
static void links_are_not_followed(void **state) {
    (void)state;
    shell("echo mine >precious && cp precious before && ln -s precious to.mp4 && ln -s nowhere.mp4 lost.mp4");
    assert_error("render drop -o to.mp4 --frames 2 " SMALL, 2, "it exists");
    assert_error("render drop -o lost.mp4 --frames 2 " SMALL, 2, "it exists");
    assert_int_equal(run("render drop -o to.mp4 --force --frames 2 " SMALL), 0);
    assert_int_equal(frames_in("to.mp4"), 2);
    assert_same_file("precious", "before");
    assert_false(exists("nowhere.mp4"));
    shell("test ! -L to.mp4");
}

/* What was drawn until the signal is a whole video; the exit code is 128 + signal. */
static void a_signal_completes_the_video(void **state) {
    (void)state;
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < 3; i++) {
        char arguments[256], name[32];
        snprintf(name, sizeof name, "cut.%s", endings[i]);
        snprintf(arguments, sizeof arguments, "render drop -o %s --frames 1000000 --json --stats rows " SMALL, name);
        make_pipe();
        pid_t child = start(arguments);
        FILE *rows = open_rows();
        read_rows(rows, 30);
        assert_int_equal(kill(child, numbers[i]), 0);
        drain_rows(rows);
        assert_int_equal(finish(child), 128 + numbers[i]);
        assert_string_equal(err, "");
        cJSON *json = cJSON_Parse(out);
        int frames = cJSON_GetObjectItem(json, "frames")->valueint;
        cJSON_Delete(json);
        assert_true(frames >= (i < 2 ? 29 : 12)); /* a GIF has a frame for 2.4 steps */
        assert_int_equal(frames_in(name), frames);
    }
    nothing_else_is_left(0);
}

/* A killed program leaves nothing under the name; its temporary file is taken over by the next. */
static void a_killed_render_leaves_no_half_video(void **state) {
    (void)state;
    make_pipe();
    pid_t child = start("render drop -o dead.mp4 --frames 1000000 --stats rows " SMALL);
    FILE *rows = open_rows();
    read_rows(rows, 5);
    assert_int_equal(kill(child, SIGKILL), 0);
    drain_rows(rows);
    assert_int_equal(finish(child), -SIGKILL);
    assert_false(exists("dead.mp4"));
    assert_int_equal(run("render drop -o dead.mp4 --frames 3 " SMALL), 0);
    assert_int_equal(frames_in("dead.mp4"), 3);
    nothing_else_is_left(0);
}

static void a_second_recorder_is_refused(void **state) {
    (void)state;
    make_pipe();
    pid_t child = start("render drop -o both.mp4 --frames 1000000 --stats rows " SMALL);
    FILE *rows = open_rows();
    read_rows(rows, 3);
    assert_error("render drop -o both.mp4 --force --frames 2 " SMALL, 2, "another puddle is writing it");
    assert_error("render drop -o ./both.mp4 --frames 2 " SMALL, 2, "another puddle is writing it");
    assert_int_equal(kill(child, SIGTERM), 0);
    drain_rows(rows);
    assert_int_equal(finish(child), 128 + SIGTERM);
    assert_true(frames_in("both.mp4") > 2);
}

/* A limit on the size of files has the effect of a full disk. What fits is a whole video. */
static void a_full_disk_leaves_a_video_that_plays(void **state) {
    (void)state;
    static const char *const films[] = {"full.mp4 --frames 400 --size 480x320 --quality best",
                                        "full.webm --frames 400 --size 480x320 --quality best",
                                        "full.gif --frames 30 --size 160x96"};
    for (int i = 0; i < 3; i++) {
        char arguments[512], name[32], *kept;
        snprintf(name, sizeof name, "full.%s", endings[i]);
        snprintf(arguments, sizeof arguments, "render wind-tunnel --view speed --set grid.resolution=32 --quiet -o %s",
                 films[i]);
        assert_int_equal(run_limited(100000, arguments), 1);
        assert_int_equal(lines(err), 1);
        assert_non_null(strstr(err, "File too large (free some space, or choose another place; it holds "));
        kept = strstr(err, "it holds ") + strlen("it holds ");
        assert_int_equal(frames_in(name), atoi(kept));
        assert_in_range(atoi(kept), 1, i < 2 ? 399 : 29);
    }
    nothing_else_is_left(0);
    /* Where not even the first frame fits nothing is left. */
    assert_int_equal(run_limited(512, "render drop -o none.mp4 --frames 9 " SMALL), 1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "cannot write 'none.mp4': File too large"));
    assert_false(exists("none.mp4"));
    nothing_else_is_left(0);
}

static void another_encoder_is_used_and_named(void **state) {
    (void)state;
    pd_sink *sink;
    pd_error error = {0};
    pd_sink_report done;
    char path[600];
    static const uint8_t black[64 * 48 * 3];
    snprintf(path, sizeof path, "%s", at("other.mp4"));
    pd_sink_info info = {.pixels = {.width = 64, .height = 48}, .fps = 30, .part = {"scene", "ddr", 1}};
    missing = "libx264";
    pd_result result = pd_sink_create(&sink, path, &info, false, &error);
    missing = NULL;
    if (result) fail_msg("%s", error.message);
    assert_non_null(strstr(pd_sink_encoder_note(sink), "libavcodec has no libx264"));
    for (int i = 0; i < 5; i++) assert_int_equal(pd_sink_add_frame(sink, black, &error), PD_OK);
    assert_int_equal(pd_sink_finish(sink, false, &done, &error), PD_OK);
    assert_int_equal(done.frames, 5);
    assert_int_equal(frames_in("other.mp4"), 5);
    snprintf(path, sizeof path, "%s", at("other.mov"));
    missing = "prores_ks";
    result = pd_sink_create(&sink, path, &info, false, &error);
    missing = NULL;
    if (result) fail_msg("%s", error.message);
    assert_non_null(strstr(pd_sink_encoder_note(sink), "the video is PNG by png, since libavcodec has no prores_ks"));
    for (int i = 0; i < 5; i++) assert_int_equal(pd_sink_add_frame(sink, black, &error), PD_OK);
    assert_int_equal(pd_sink_finish(sink, false, &done, &error), PD_OK);
    assert_int_equal(frames_in("other.mov"), 5);
    missing = "gif"; /* there is no other for a GIF */
    snprintf(path, sizeof path, "%s", at("other.gif"));
    info.fps = 25;
    assert_int_equal(pd_sink_create(&sink, path, &info, false, &error), PD_FAILED);
    missing = NULL;
    assert_int_equal(error.code, PD_ERROR_ENCODER_UNAVAILABLE);
    assert_null(strchr(error.message, '\n'));
    nothing_else_is_left(0);
}

/* Pictures to be put over others: the corner is empty, the fluid is not; 16 bits hold more than 256 levels. */
static void pngs_have_alpha_and_16_bits(void **state) {
    (void)state;
    enum { WIDE = 96, HIGH = 64 }; /* wider than the container */
    static uint16_t deep[WIDE * HIGH * 4];
    static uint8_t flat[WIDE * HIGH * 4];
    assert_int_equal(run("render drop -o deep --alpha --depth 16 --frames 1 --size 96x64 --quiet"), 0);
    assert_int_equal(run("render drop -o flat --alpha --frames 1 --size 96x64 --quiet"), 0);
    assert_int_equal(run("render drop -o - --alpha --depth 16 --frames 1 --size 96x64 --quiet >raw16"), 0);
    FILE *file = fopen(at("deep/frame_000000.png"), "rb");
    assert_non_null(file);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_read_info(png, info);
    assert_int_equal(png_get_bit_depth(png, info), 16);
    assert_int_equal(png_get_color_type(png, info), PNG_COLOR_TYPE_RGBA);
    png_set_swap(png); /* to the order of this machine, as raw16 has */
    for (int y = 0; y < HIGH; y++) png_read_row(png, (png_bytep)&deep[y * WIDE * 4], NULL);
    png_read_end(png, info); /* aborts where a checksum is wrong */
    assert_int_equal(fgetc(file), EOF);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    uint8_t *raw = read_bytes("raw16", sizeof deep);
    assert_memory_equal(raw, deep, sizeof deep);
    free(raw);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, at("flat/frame_000000.png")));
    assert_int_equal(image.format, PNG_FORMAT_RGBA);
    assert_true(png_image_finish_read(&image, NULL, flat, 0, NULL));
    int between = 0, opaque = 0;
    for (int i = 0; i < WIDE * HIGH * 4; i++) {
        between += deep[i] % 257 != 0;
        opaque += i % 4 == 3 && flat[i] == 255;
        /* Where alpha is small a division magnifies the rounding of 8 bits. */
        if (flat[i | 3] > 128) assert_true(abs(flat[i] - deep[i] / 257) <= 4);
    }
    assert_in_range(flat[3], 0, 2);
    assert_in_range(deep[3], 0, 2 * 257); /* the faint end of the glow */
    assert_true(between > 100);
    assert_true(opaque > WIDE * HIGH / 10);
    assert_error("render drop -o film.mp4 --alpha", 2, "--alpha does not go with the video");
    assert_error("render drop -o film.mp4 --depth 16", 2, "--depth 16 does not go with the video");
    assert_error("render drop -o frames --depth 12", 2, "--depth is '12' (use 8 or 16)");
}

/* A log of ten steps, in which the method changes after four and again after seven. */
static void write_log_with_methods(const char *name) {
    static const char *const methods[] = {"sph", "pbf"};
    pd_scene scene;
    pd_world *world;
    pd_log *log;
    pd_error error;
    pd_command command = {.kind = PD_COMMAND_METHOD};
    if (pd_scene_read(PUDDLE_SCENES "/drop.yaml", &scene, &error)) fail_msg("%s", error.message);
    scene.particles = 100;
    if (create_with_threads(&world, &scene, 1, &error) || pd_log_create(&log, world, &error))
        fail_msg("%s", error.message);
    for (int step = 0; step < 10; step++) {
        if (step == 4 || step == 7) {
            strcpy(command.is.method, methods[step == 7]);
            if (pd_log_do(log, world, &command, &error)) fail_msg("%s", error.message);
        }
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    if (pd_log_write(log, world, 0, at(name), &error)) fail_msg("%s", error.message);
    pd_log_destroy(log);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* What a recording says about itself holds for frames after a change of the method, too. */
static void a_change_of_the_method_is_told(void **state) {
    (void)state;
    write_log_with_methods("methods.log");
    assert_int_equal(run("replay methods.log -o frames --fps 60 --size 32x32 --quiet"), 0);
    char *text = read_text("frames/recording.json");
    cJSON *json = cJSON_Parse(text), *parts = cJSON_GetObjectItem(json, "parts"), *part;
    static const struct {
        int frame;
        const char *method;
    } expected[] = {{0, "ddr"}, {4, "sph"}, {7, "pbf"}};
    if (cJSON_GetArraySize(parts) != 3) fail_msg("no three parts: %s", text);
    int found = 0;
    cJSON_ArrayForEach(part, parts) {
        assert_int_equal(cJSON_GetObjectItem(part, "frame")->valueint, expected[found].frame);
        assert_string_equal(cJSON_GetObjectItem(part, "method")->valuestring, expected[found++].method);
    }
    assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, "ddr");
    cJSON_Delete(json);
    free(text);
    /* A WebM begins with its description, and can only tell how the recording begins. */
    static const char *const videos[][2] = {
        {"film.mp4", "; frame 0: method ddr, seed 1; frame 4: method sph, seed 1; frame 7: method pbf, seed 1\n"},
        {"film.webm", "; frame 0: method ddr, seed 1\n"}};
    for (int i = 0; i < 2; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "replay methods.log -o %s --fps 60 --size 32x32 --quiet", videos[i][0]);
        assert_int_equal(run(arguments), 0);
        snprintf(arguments, sizeof arguments, "ffprobe -v error -show_entries format_tags -of default=nw=1 %s",
                 videos[i][0]);
        text = output_of(arguments);
        if (!strstr(text, videos[i][1])) fail_msg("%s", text);
        free(text);
    }
}

/* Wider than any driver's framebuffer: without a seam where its areas meet. */
static void a_picture_may_be_larger_than_a_framebuffer(void **state) {
    (void)state;
    enum { WIDE = 33000, HIGH = 16, ROW = WIDE * 3 };
    assert_int_equal(run("render drop -o wide --frames 1 --size 33000x16 --particles 100 --quiet"), 0);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, at("wide/frame_000000.png")));
    assert_int_equal(image.width, WIDE);
    assert_int_equal(image.height, HIGH);
    uint8_t *rgb = malloc((size_t)ROW * HIGH);
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    for (int i = 3; i < ROW * HIGH; i++) {
        int x = i % ROW / 3, apart = abs(rgb[i] - rgb[i - 3]);
        if (x > 0 && abs(x - WIDE / 2) > 4 * HIGH && (apart > 1 || rgb[i] == 0))
            fail_msg("%d after %d at %d, %d", rgb[i], rgb[i - 3], x, i / ROW);
    }
    free(rgb);
    /* Its memory is asked for before anything is written. AddressSanitizer itself takes more than this limit. */
    if (UNDER_ADDRESS_SANITIZER) return;
    assert_int_equal(run_script("ulimit -v 4000000; exec " PROGRAM_IN_SHELL
                                " render drop -o huge --frames 1 --size 65536x65536 --quiet"),
                     1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "cannot draw pictures of 65536 x 65536 pixels: out of memory (use a smaller size)"));
    assert_false(exists("huge"));
}

static int set_up(void **state) {
    signal(SIGPIPE, SIG_DFL);
    return make_folder_without_display(state);
}

TEST_GROUP(video) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_frame_is_in_the_video, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(pixels_go_to_standard_output, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(odd_sizes_are_rounded, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(an_existing_file_is_refused, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(links_are_not_followed, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(a_signal_completes_the_video, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(a_killed_render_leaves_no_half_video, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(a_second_recorder_is_refused, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_a_video_that_plays, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(another_encoder_is_used_and_named, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(a_change_of_the_method_is_told, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(a_picture_may_be_larger_than_a_framebuffer, set_up, remove_folder),
        cmocka_unit_test_setup_teardown(pngs_have_alpha_and_16_bits, set_up, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
