/* Snapshots from anywhere: any bytes are restored or refused, and a world that was restored steps. */
#include <puddle/world.h>
#include <stdlib.h>

static pd_world *make_world(void) {
    pd_scene scene;
    pd_world *world;
    pd_scene_init(&scene);
    if (pd_world_create(&world, &scene, 1, NULL) != PD_OK) abort();
    pd_scene_free(&scene);
    return world;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static pd_world *world;
    if (!world) world = make_world();
    pd_error error;
    if (pd_world_restore_memory(world, bytes, size, &error) == PD_OK && pd_world_particles(world) < 10000)
        pd_world_step(world);
    return 0;
}
