#include <puddle/puddle.h>
#include <stdio.h>

int main(void) {
    const char text[] = "puddle: 1\nregions:\n  - {shape: circle, center: [0, 0], radius: 0.5, count: 200}\n";
    pd_error error = {0};
    pd_scene scene;
    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    def.threads = 1;
    pd_world *world = NULL;
    if (pd_scene_read_text(text, sizeof text - 1, "text", &scene, &error) != PD_OK ||
        pd_world_create(&world, &def, &error) != PD_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int i = 0; i < 10; i++) pd_world_step(world);
    int particles = pd_world_particles(world);
    pd_world_destroy(world);
    pd_scene_free(&scene);
    return particles == 200 ? 0 : 1;
}
