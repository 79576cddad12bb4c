/* The force of water on a disc that is held under it. Archimedes: the weight of the water in the disc's place. Prints both, in
 * newtons per metre of depth, for three methods whose fluid has a surface. */
#include <puddle/puddle.h>
#include <stdio.h>

static const double DENSITY = 1000, RADIUS = 0.15, PI = 3.14159265358979; /* kg/m^3, m */

static pd_result build(pd_scene *scene, const char *method, pd_error *error) {
    pd_scene_init(scene);
    snprintf(scene->method, sizeof scene->method, "%s", method);
    scene->gravity.y = -9.81f;
    scene->particles = 3000;
    scene->container.shape = PD_CONTAINER_BOX;
    scene->container.width = 2;
    scene->container.height = 1.2f;

    pd_region water = pd_region_default();
    water.area = (pd_area){.shape = PD_SHAPE_BOX, .center = {0, -0.2f}, .size = {2, 0.8f}};
    pd_obstacle disc = pd_obstacle_default();
    disc.area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = {0, -0.25f}, .radius = (float)RADIUS};
    pd_result result = pd_scene_add_region(scene, &water, error);
    return result == PD_OK ? pd_scene_add_obstacle(scene, &disc, error) : result;
}

/* The mean force over two seconds, after four seconds in which the water comes to rest. */
static double lift(pd_world *world) {
    double sum = 0, before = 0;
    for (int step = 0; step < 360; step++) {
        double x, y;
        pd_world_step(world);
        pd_world_impulse_on_obstacle(world, 0, &x, &y);
        if (step == 239) before = pd_world_time(world);
        if (step >= 240) sum += y;
    }
    return sum / (pd_world_time(world) - before);
}

int main(void) {
    static const char *const methods[] = {"sph", "pbf", "flip"};
    printf("the water in the disc's place weighs %.0f N/m\n", DENSITY * 9.81 * PI * RADIUS * RADIUS);
    for (int i = 0; i < 3; i++) {
        pd_error error;
        pd_scene scene;
        pd_world *world = NULL;
        pd_world_def def = pd_world_def_default();
        def.scene = &scene;
        pd_result result = build(&scene, methods[i], &error);
        if (result == PD_OK) result = pd_world_create(&world, &def, &error);
        pd_scene_free(&scene);
        if (result != PD_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        printf("%-4s lifts it with %.0f N/m\n", methods[i], lift(world));
        pd_world_destroy(world);
    }
    return 0;
}
