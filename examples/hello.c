/* A drop falls into a pool: a scene in C, without a file. Prints the greatest speed of the water four times. */
#include <puddle/puddle.h>
#include <stdio.h>

static int fail(const pd_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void) {
    pd_error error;
    pd_scene scene;
    pd_scene_init(&scene);
    scene.particles = 2000;
    scene.container.shape = PD_CONTAINER_BOX;
    scene.container.width = 2;
    scene.container.height = 1.5f;

    pd_region pool = pd_region_default(), drop = pd_region_default();
    pool.area = (pd_area){.shape = PD_SHAPE_BOX, .center = {0, -0.5f}, .size = {2, 0.5f}};
    drop.area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = {0, 0.3f}, .radius = 0.2f};
    if (pd_scene_add_region(&scene, &pool, &error) || pd_scene_add_region(&scene, &drop, &error)) return fail(&error);

    pd_world *world;
    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    if (pd_world_create(&world, &def, &error)) return fail(&error);
    pd_scene_free(&scene);

    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 30; k++) pd_world_step(world);
        pd_statistics statistics;
        pd_world_statistics(world, &statistics);
        printf("%d particles after %.1f s, up to %.2f m/s\n", statistics.particles, statistics.time,
               statistics.max_speed);
    }
    pd_world_destroy(world);
    return 0;
}
