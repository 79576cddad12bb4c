/* libFuzzer: whatever the bytes, a scene is read or refused, and what was read survives being written and read again. */
#include <puddle/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void stop(const char *why, const char *detail) {
    fprintf(stderr, "%s: %s\n", why, detail);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pd_scene scene, again;
    pd_error error = {0};
    if (pd_scene_read_text((const char *)data, size, "fuzz", &scene, &error) != PD_OK) {
        if (strncmp(error.message, "fuzz:", 5) != 0) stop("a message without its place", error.message);
        return 0;
    }
    char *first, *second;
    size_t first_length, second_length;
    if (pd_scene_write_text(&scene, &first, &first_length, &error) != PD_OK) stop("not written", error.message);
    if (pd_scene_read_text(first, first_length, "again", &again, &error) != PD_OK) stop("not read back", error.message);
    if (pd_scene_write_text(&again, &second, &second_length, &error) != PD_OK) stop("not written", error.message);
    if (first_length != second_length || memcmp(first, second, first_length) != 0) stop("not the same again", second);
    free(first);
    free(second);
    pd_scene_free(&scene);
    pd_scene_free(&again);
    return 0;
}
