#include <puddle/puddle.h>

int main() {
    pd_scene scene;
    pd_scene_init(&scene);
    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    def.threads = 1;
    pd_world *world = nullptr;
    pd_error error;
    pd_result result = pd_world_create(&world, &def, &error);
    if (result == PD_OK) pd_world_step(world);
    pd_world_destroy(world);
    pd_scene_free(&scene);
    return result;
}
