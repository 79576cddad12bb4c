/* Recordings as other programs see them: pictures, folders of pictures, videos. */
#ifndef PUDDLE_TESTS_RECORDINGS_H
#define PUDDLE_TESTS_RECORDINGS_H

#include "test.h"

#include <cjson/cJSON.h>
#include <png.h>
#include <unistd.h>

/* Decodes the whole picture. */
static inline void assert_whole_png(const char *path, unsigned width, unsigned height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) fail_msg("%s: %s", path, image.message);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    if (!png_image_finish_read(&image, NULL, pixels, 0, NULL)) fail_msg("%s: %s", path, image.message);
    int bright = 0;
    for (size_t i = 0; i < PNG_IMAGE_SIZE(image); i++) bright += pixels[i] > 100;
    assert_true(bright > 1000); /* it is not blank */
    free(pixels);
}

static inline int frames_of_recording(const char *path) {
    char name[256], text[4096];
    snprintf(name, sizeof name, "%s/recording.json", path);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    int frames = cJSON_GetObjectItem(json, "frames")->valueint;
    cJSON_Delete(json);
    return frames;
}

static inline void assert_recording(const char *path, int frames, unsigned width, unsigned height) {
    char name[256];
    assert_int_equal(frames_of_recording(path), frames);
    for (int i = 0; i < frames; i++) {
        snprintf(name, sizeof name, "%s/frame_%06d.png", path, i);
        assert_whole_png(name, width, height);
    }
    snprintf(name, sizeof name, "%s/frame_%06d.png", path, frames);
    assert_int_not_equal(access(name, F_OK), 0);
}

/* Frames of a video, as ffprobe counts them. */
static inline int frames_of_video(const char *path) {
    char command[256], text[32] = "";
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 %s", path);
    FILE *probe = popen(command, "r");
    assert_non_null(probe);
    assert_non_null(fgets(text, sizeof text, probe));
    assert_int_equal(pclose(probe), 0);
    return atoi(text);
}

#endif
