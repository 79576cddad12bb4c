/* Scene files from anywhere: any bytes are read or refused; what was read passes the check of scenes built in C, is
 * written and read again. */
#include <puddle/scene.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    pd_scene scene, again;
    pd_error error;
    if (pd_scene_read_text((const char *)bytes, size, "fuzz", &scene, &error) != PD_OK) return 0;
    if (pd_scene_check(&scene, &error) != PD_OK) abort();
    char *text;
    size_t length;
    if (pd_scene_write_text(&scene, &text, &length, &error) != PD_OK) abort();
    if (pd_scene_read_text(text, length, "written", &again, &error) != PD_OK) abort();
    pd_scene_free(&again);
    free(text);
    pd_scene_free(&scene);
    return 0;
}
