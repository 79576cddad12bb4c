/* How stiff should the fluid be? One world for each stiffness, one thread for each world and core. Prints a row for each
 * stiffness: the mean excess of density in the third second, and the substeps that it costs. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <puddle/puddle.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { RUNS = 8, MOST_THREADS = 8 };

typedef struct run {
    float stiffness;
    pd_result result;
    pd_error error;
    double excess; /* of the density, as pd_statistics.density_error */
    int substeps;
} run;

static run runs[RUNS];
static atomic_int next;

static void simulate(run *r) {
    pd_scene scene;
    pd_world *world = NULL;
    pd_region water = pd_region_default();
    water.area = (pd_area){.shape = PD_SHAPE_BOX, .center = {-0.5f, -0.2f}, .size = {1, 0.6f}};
    pd_scene_init(&scene);
    scene.particles = 1500;
    scene.container.shape = PD_CONTAINER_BOX;
    scene.container.width = 2;
    scene.container.height = 1;
    r->result = pd_scene_add_region(&scene, &water, &r->error);
    if (r->result == PD_OK) r->result = pd_scene_set_parameter(&scene, "ddr.stiffness", r->stiffness, &r->error);

    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    def.threads = 1; /* the worlds share the cores */
    if (r->result == PD_OK) r->result = pd_world_create(&world, &def, &r->error);
    pd_scene_free(&scene);
    if (r->result != PD_OK) return;
    for (int step = 0; step < 180; step++) {
        pd_statistics statistics;
        pd_world_step(world);
        if (step < 120) continue;
        pd_world_statistics(world, &statistics);
        r->excess += statistics.density_error / 60;
        if (statistics.substeps > r->substeps) r->substeps = statistics.substeps;
    }
    pd_world_destroy(world);
}

static void *work(void *unused) {
    for (int i = atomic_fetch_add(&next, 1); i < RUNS; i = atomic_fetch_add(&next, 1)) simulate(&runs[i]);
    return unused;
}

int main(void) {
    pthread_t threads[MOST_THREADS];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = 0;
    for (int i = 0; i < RUNS; i++) runs[i].stiffness = 2 * (float)(1 << i);
    while (count < MOST_THREADS && count < cores && !pthread_create(&threads[count], NULL, work, NULL)) count++;
    if (count == 0) work(NULL);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);

    printf("%10s %15s %9s\n", "stiffness", "density excess", "substeps");
    for (int i = 0; i < RUNS; i++) {
        if (runs[i].result != PD_OK) {
            fprintf(stderr, "%s\n", runs[i].error.message);
            return 1;
        }
        printf("%10g %13.1f %% %9d\n", (double)runs[i].stiffness, 100 * runs[i].excess, runs[i].substeps);
    }
    return 0;
}
