/* The program of docs/library.md: a drop falls into a pool with a wall. */
#include <math.h>
#include <puddle/puddle.h>
#include <stdio.h>
#include <stdlib.h>

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

    scene.regions = calloc(2, sizeof *scene.regions);
    if (!scene.regions) return 1;
    scene.region_count = 2;
    scene.regions[0].area = (pd_area){.shape = PD_SHAPE_BOX, .center = {0, -0.5f}, .size = {2, 0.5f}};
    scene.regions[1].area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = {0, 0.3f}, .radius = 0.2f};
    for (int i = 0; i < scene.region_count; i++) {
        scene.regions[i].density = NAN;
        scene.regions[i].amount = 1;
    }

    pd_obstacle wall = {.area = {.shape = PD_SHAPE_CIRCLE, .center = {0.6f, -0.1f}, .radius = 0.1f}};
    if (pd_scene_add_obstacle(&scene, &wall, &error)) return fail(&error);

    pd_world *world;
    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    if (pd_world_create(&world, &def, &error)) return fail(&error);
    pd_scene_free(&scene);
    for (int i = 0; i < 60; i++) pd_world_step(world);

    pd_tool drag = {.kind = PD_TOOL_DRAG, .position = {-0.5f, -0.5f}, .velocity = {1, 0}, .radius = 0.3f};
    pd_world_set_tool(world, &drag);
    for (int i = 0; i < 30; i++) pd_world_step(world);
    pd_world_set_tool(world, &(pd_tool){.kind = PD_TOOL_NONE});

    if (pd_world_set_method(world, "sph", &error)) return fail(&error);
    for (int i = 0; i < 30; i++) pd_world_step(world);

    pd_view view;
    pd_world_view(world, &view);
    float fastest = 0;
    for (int i = 0; i < view.count; i++) fastest = fmaxf(fastest, hypotf(view.vx[i], view.vy[i]));
    printf("%d particles after %.1f s, up to %.2f m/s\n", view.count, view.time, (double)fastest);

    const pd_field *pressure = pd_view_field(&view, "pressure");
    if (pressure && pressure->values) {
        float greatest = 0;
        for (int i = 0; i < view.count; i++) greatest = fmaxf(greatest, pressure->values[i]);
        printf("pressure up to %.0f %s\n", (double)greatest, pressure->info.unit);
    }
    pd_world_destroy(world);
    return 0;
}
