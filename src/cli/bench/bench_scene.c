/* Scenes of the benchmark, and the steps before timing. */
#include "cli/bench/bench.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_WARM_UP = 300, /* greatest number of steps before timing: five simulated seconds */
    MIN_WARM_UP = 5,   /* least number of steps before timing: a million particles would need an hour to come to rest */
    /* With more particles, the greatest number of steps before timing is MAX_WARM_UP x this / number of particles. */
    FULL_WARM_UP_PARTICLES = 20000,
    CHECK_INTERVAL = 30, /* steps between two checks of the rms speed */
    TANK_WARM_UP = 30,   /* steps before timing of BENCH_TANK, until the column has fallen */
    FLOW_WARM_UP = 60,   /* steps before timing of BENCH_FLOW and BENCH_VORTICES: one simulated second */
};
static const double CALM = 0.08; /* a pool with a smaller rms speed / sqrt(gravity x size) counts as being at rest */

static bool has_resolution(const pd_method_info *method) {
    for (int i = 0; i < method->parameter_count; i++)
        if (strcmp(pd_method_parameter_at(method, i)->key, "resolution") == 0) return true;
    return false;
}

static bool has_vortex_view(const pd_method_info *method) {
    for (int i = 0; i < method->view_count; i++)
        if (pd_method_view_at(method, i)->kind == PD_VIEW_VORTICES) return true;
    return false;
}

bench_kind bench_choose_kind(const pd_method_info *method) {
    if (has_vortex_view(method)) return BENCH_VORTICES;
    if (!has_resolution(method)) return BENCH_POOL;
    return method->paints ? BENCH_FLOW : BENCH_TANK;
}

static bool do_settings_set_resolution(const options *options, const pd_method_info *method) {
    char key[PD_MAX_KEY];
    int length = snprintf(key, sizeof key, "%s.resolution=", method->name);
    for (int i = 0; i < options->setting_count; i++)
        if (strncmp(options->settings[i], key, (size_t)length) == 0) return true;
    return false;
}

int bench_choose_sizes(const options *options, const pd_method_info *method, int sizes[BENCH_MOST_SIZES]) {
    static const struct {
        int count, sizes[BENCH_MOST_SIZES];
    } defaults[] = {
        [BENCH_POOL] = {3, {1000, 10000, 50000}},
        [BENCH_TANK] = {2, {10000, 100000}},
        [BENCH_FLOW] = {4, {128, 256, 512, 1024}},
        [BENCH_VORTICES] = {3, {2000, 10000, 50000}},
    };
    bench_kind kind = bench_choose_kind(method);
    memcpy(sizes, defaults[kind].sizes, sizeof defaults[kind].sizes);
    if (kind == BENCH_FLOW) return do_settings_set_resolution(options, method) ? 1 : defaults[kind].count;
    if (!options->particles) return defaults[kind].count;
    sizes[0] = options->particles;
    return 1;
}

static bool add_regions(pd_scene *scene, const pd_region *regions, int count) {
    scene->regions = pd_memory_new_zeroed((size_t)count, sizeof *regions);
    if (!scene->regions) return false;
    memcpy(scene->regions, regions, (size_t)count * sizeof *regions);
    scene->region_count = count;
    return true;
}

/* Sets the fluid of BENCH_POOL: a circle with the amount of fluid of Kuepers' article, near the floor of the container. */
static bool make_pool_scene(pd_scene *scene, int particles) {
    scene->particles = particles;
    pd_region region = {.area.shape = PD_SHAPE_CIRCLE, .area.center = {0, -0.32f}, .area.radius = 0.66f, .amount = 1};
    return add_regions(scene, &region, 1);
}

static void set_box_container(pd_scene *scene) {
    scene->container.shape = PD_CONTAINER_BOX;
    scene->container.width = scene->container.height = 2;
}

static bool make_tank_scene(pd_scene *scene, int particles) {
    set_box_container(scene);
    scene->particles = particles;
    pd_region region = {.area.shape = PD_SHAPE_BOX, .area.center = {-0.25f, 0}, .area.size = {1.5f, 2}, .amount = 1};
    return add_regions(scene, &region, 1);
}

static void add_heavy_and_light_materials(pd_scene *scene) {
    for (int m = 0; m < 2; m++) {
        scene->materials[m] = pd_material_default();
        snprintf(scene->materials[m].name, sizeof scene->materials[m].name, "%s", m == 0 ? "heavy" : "light");
        scene->materials[m].mass = m == 0 ? 1 : 0.01f;
    }
    scene->material_count = 2;
}

static bool make_flow_scene(pd_scene *scene, int tracers) {
    set_box_container(scene);
    scene->particles = tracers;
    add_heavy_and_light_materials(scene);
    pd_region blobs[] = {
        {.area.shape = PD_SHAPE_CIRCLE,
         .area.center = {-0.35f, 0.45f},
         .area.radius = 0.35f,
         .material = 0,
         .amount = 1},
        {.area.shape = PD_SHAPE_CIRCLE,
         .area.center = {0.35f, -0.45f},
         .area.radius = 0.35f,
         .material = 1,
         .amount = 1},
    };
    scene->vortons = pd_memory_new_zeroed(2, sizeof *scene->vortons);
    scene->obstacles = pd_memory_new_zeroed(1, sizeof *scene->obstacles);
    if (!scene->vortons || !scene->obstacles || !add_regions(scene, blobs, 2)) return false;
    scene->vortons[0] = (pd_vorton){.position = blobs[0].area.center, .circulation = 0.8f, .core = 0.15f};
    scene->vortons[1] = (pd_vorton){.position = blobs[1].area.center, .circulation = 0.5f, .core = 0.15f};
    scene->vorton_count = 2;
    scene->obstacles[0] = (pd_obstacle){.area.shape = PD_SHAPE_CIRCLE,
                                        .area.center = {-0.25f, 0},
                                        .area.radius = 0.15f,
                                        .velocity = {0.5f, 0},
                                        .turn = 1};
    scene->obstacle_count = 1;
    return true;
}

static const float DROP = 0.4f; /* radius of each drop, m */

static bool make_drops_scene(pd_scene *scene, int vortices) {
    scene->particles = vortices < PD_MAX_PARTICLES / 2 ? 2 * vortices : PD_MAX_PARTICLES;
    add_heavy_and_light_materials(scene);
    pd_region drops[] = {
        {.area.shape = PD_SHAPE_CIRCLE,
         .area.center = {0.05f, 0.45f},
         .area.radius = DROP,
         .material = 0,
         .amount = 1,
         .density = 0.25f},
        {.area.shape = PD_SHAPE_CIRCLE,
         .area.center = {-0.05f, -0.45f},
         .area.radius = DROP,
         .material = 1,
         .amount = 1,
         .density = -0.25f},
    };
    return add_regions(scene, drops, 2);
}

/* (Number of vortices after the first second) / (number at the start). It grows as vortices spread into the fluid around
 * the drops. */
static const float MIXED = 1.4f;

/* Sets a small viscosity, and the vortex cores' radius for about `vortices` vortices: 1.4 x the distance between them. */
static pd_result set_vortex_parameters(const pd_method_info *method, int vortices, pd_scene *scene, pd_error *error) {
    char key[PD_MAX_KEY];
    float spacing = DROP * sqrtf(6.2831853f * MIXED / (float)vortices);
    snprintf(key, sizeof key, "%s.core", method->name);
    pd_result result = pd_scene_set_parameter(scene, key, 1.4f * spacing, error);
    snprintf(key, sizeof key, "%s.viscosity", method->name);
    return result == PD_OK ? pd_scene_set_parameter(scene, key, 1e-4f, error) : result;
}

pd_result bench_create_scene(const options *options, const pd_method_info *method, int size, pd_scene *scene,
                             pd_error *error) {
    bench_kind kind = bench_choose_kind(method);
    pd_result result = PD_OK;
    pd_scene_init(scene);
    snprintf(scene->name, sizeof scene->name, "bench");
    snprintf(scene->method, sizeof scene->method, "%s", method->name);
    bool made = kind == BENCH_POOL       ? make_pool_scene(scene, size)
                : kind == BENCH_TANK     ? make_tank_scene(scene, size)
                : kind == BENCH_VORTICES ? make_drops_scene(scene, size)
                                         : make_flow_scene(scene, options->particles ? options->particles : 1);
    if (!made) return pd_fail_memory(error, "the scene");
    if (kind == BENCH_FLOW) {
        char key[PD_MAX_KEY];
        snprintf(key, sizeof key, "%s.resolution", method->name);
        result = pd_scene_set_parameter(scene, key, (float)size, error);
    }
    if (kind == BENCH_VORTICES) result = set_vortex_parameters(method, size, scene, error);
    return result == PD_OK ? options_apply_settings(options, scene, error) : result;
}

/* Steps the world until the rms speed is below CALM, at most MAX_WARM_UP steps. */
static void step_pool_to_rest(pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    double calm = CALM * (double)view.speed_scale,
           fraction = fmin(1, (double)FULL_WARM_UP_PARTICLES / (view.count + 1));
    int longest = (int)fmax(MIN_WARM_UP, MAX_WARM_UP * fraction);
    for (int step = 1; step <= longest && !is_interrupted(); step++) {
        pd_world_step(world);
        if (step % CHECK_INTERVAL != 0 || step == CHECK_INTERVAL) continue;
        pd_statistics statistics;
        pd_world_statistics(world, &statistics);
        if (statistics.rms_speed < calm) break;
    }
}

void bench_step_until_timing(bench_kind kind, pd_world *world) {
    int steps = kind == BENCH_TANK ? TANK_WARM_UP : FLOW_WARM_UP;
    if (kind == BENCH_POOL)
        step_pool_to_rest(world);
    else
        for (int step = 0; step < steps && !is_interrupted(); step++) pd_world_step(world);
}
