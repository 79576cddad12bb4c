/* puddle bench: measures methods and prints the rows as a table or JSON. */
#include "cli/bench.h"

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/timer.h"
#include "platform/platform.h"
#include "reference/reference.h"
#include <math.h>
#include <puddle/memory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cost of a step with one of the two pressure solvers (multigrid, Gauss-Seidel). Both solvers compute the same step. */
typedef struct bench_projection {
    /* iterations: number per substep. divergence: rms after the step, 1/s. ms: time of the stage `projection` per step */
    double iterations, divergence, ms;
} bench_projection;

/* Cost of a step with one of the two solvers for the velocities of vortices (direct sums, tree). Both compute the same
 * step. */
typedef struct bench_velocities {
    /* ms: time of the stage `velocities` per step. error: (rms error of the velocities) / (rms of the direct sums) */
    double ms, error;
} bench_velocities;

/* Cost of the same scene with walls of 5 and of 500 segments. */
typedef struct bench_walls {
    double few_ms, many_ms; /* time per step with 5 segments, with 500 segments, ms; NAN: not measured */
} bench_walls;

/* Measured values of a method at one size. Values that the method lacks are NAN. */
typedef struct bench_row {
    const char *method; /* name of the method */
    bench_kind kind;    /* scene that is measured */
    int particles;      /* number of vortices for BENCH_VORTICES, of tracers for BENCH_FLOW, else of particles */
    int threads;        /* number of threads of the world */
    long long steps;    /* number of timed steps */
    double tracers;     /* number of tracers of a method with vortices; NAN for other methods */
    double cells;       /* number of cells of the grid */
    double substeps;    /* mean number of substeps per step */
    double neighbours;  /* mean number of particles within the interaction radius */
    /* Time per substep and particle; for BENCH_VORTICES per substep and vortex or tracer. */
    double ns_per_particle_substep;
    double ns_per_cell_substep; /* time per substep and cell */
    double ms_per_frame;        /* wall time of a step, ms */
    double realtime;            /* simulated time / wall time */
    double rms_speed;           /* root mean square of the speed after the last step, m/s */
    double peak_rss_mb;         /* greatest memory of the process, MB */
    double iterations;          /* mean number of iterations of the pressure solver per substep */
    double divergence;          /* rms divergence of the velocity field after the last step, 1/s */
    /* Time of the plain scalar form per substep and particle; for BENCH_FLOW per substep and cell. */
    double reference_ns;
    bench_projection multigrid;    /* cost with the multigrid solver and the method's parameters */
    bench_projection sweeps;       /* cost with 40 sweeps of the Gauss-Seidel solver */
    bench_velocities direct, tree; /* costs with direct sums and with the tree */
    bench_walls line;              /* cost of walls that form one polyline */
    bench_walls separate;          /* cost of walls of one segment each, with the same total length as the polyline */
    int stage_count;               /* number of elements of `stage` and `stage_ms` */
    const char *stage[PD_MAX_STAGES]; /* names of the stages of a step, such as "projection" */
    double stage_ms[PD_MAX_STAGES];   /* wall time of each stage per step, ms */
} bench_row;

static int compare_numbers(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Sorts `count` >= 1 values in place and returns their median. */
static double compute_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    return values[count / 2];
}

/* ---- Scenes, and the steps before timing ---- */

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
    double calm = CALM * (double)view.speed_scale, part = fmin(1, (double)FULL_WARM_UP_PARTICLES / (view.count + 1));
    int longest = (int)fmax(MIN_WARM_UP, MAX_WARM_UP * part);
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

/* ---- Cost of walls: two worlds with 5 and with 500 segments ---- */

enum {
    MOST_PARTICLES = 10000, /* greatest number of particles with which walls are measured */
    WORLDS = 2,             /* number of worlds */
    STEPS = 60,             /* number of timed steps */
};
static const int segments[WORLDS] = {5, 500}; /* by world: number of segments of its walls */
/* Rectangle that contains the walls, in the middle of the fluid of pools and tanks, and thickness of the walls, m. Its height
 * is 2 x HEIGHT. */
static const float LEFT = -0.5f, RIGHT = 0.5f, MIDDLE = -0.55f, HEIGHT = 0.2f, THICKNESS = 0.01f;

bool bench_measures_walls(bench_kind kind, int particles) {
    return (kind == BENCH_POOL || kind == BENCH_TANK) && particles <= MOST_PARTICLES;
}

/* Adds a wall of `segment_count` segments along a cosine with five half-waves, 2.2 to 2.4 m long. With five segments it is
 * straight from crest to trough. */
static pd_result add_polyline_wall(pd_scene *scene, int segment_count, pd_error *error) {
    pd_vec2 points[PD_MAX_POINTS];
    for (int i = 0; i <= segment_count; i++) {
        float t = (float)i / (float)segment_count;
        points[i] = (pd_vec2){LEFT + (RIGHT - LEFT) * t, MIDDLE - HEIGHT * cosf(5 * 3.14159265f * t)};
    }
    pd_obstacle wall = {
        .area = {
            .shape = PD_SHAPE_POLYLINE, .points = points, .point_count = segment_count + 1, .thickness = THICKNESS}};
    return pd_scene_add_obstacle(scene, &wall, error);
}

/* Adds `segment_count` walls of one segment each in rows and columns, with the total length of the wall that
 * add_polyline_wall adds with five segments. */
static pd_result add_walls_of_one_segment(pd_scene *scene, int segment_count, pd_error *error) {
    int rows = segment_count < 100 ? 1 : 20, columns = segment_count / rows;
    float width = (RIGHT - LEFT) / (float)columns, height = 2 * HEIGHT / (float)rows;
    float part = 5 * hypotf((RIGHT - LEFT) / 5, 2 * HEIGHT) / (float)segment_count,
          angle = atan2f(2 * HEIGHT, RIGHT - LEFT);
    pd_result result = PD_OK;
    for (int i = 0; i < segment_count && result == PD_OK; i++) {
        float x = LEFT + width * ((float)(i % columns) + 0.5f), lean = i % 2 ? angle : -angle;
        float y = MIDDLE - HEIGHT + height * ((float)(i / columns) + 0.5f);
        pd_vec2 half = {0.5f * part * cosf(lean), 0.5f * part * sinf(lean)};
        pd_vec2 points[] = {{x - half.x, y - half.y}, {x + half.x, y + half.y}};
        pd_obstacle wall = {
            .area = {.shape = PD_SHAPE_POLYLINE, .points = points, .point_count = 2, .thickness = THICKNESS}};
        result = pd_scene_add_obstacle(scene, &wall, error);
    }
    return result;
}

pd_result bench_add_walls(pd_scene *scene, bool separate_segments, int segment_count, pd_error *error) {
    return separate_segments ? add_walls_of_one_segment(scene, segment_count, error)
                             : add_polyline_wall(scene, segment_count, error);
}

static pd_result create_world_with_walls(const options *options, const pd_method_info *method, int size,
                                         bool separate_segments, int segment_count, pd_world **world, pd_error *error) {
    pd_scene scene;
    pd_result result = bench_create_scene(options, method, size, &scene, error);
    if (result == PD_OK) result = bench_add_walls(&scene, separate_segments, segment_count, error);
    if (result == PD_OK) result = options_create_world_from_scene(options, &scene, world, error);
    pd_scene_free(&scene);
    if (result == PD_OK) bench_step_until_timing(bench_choose_kind(method), *world);
    return result;
}

/* Steps and times both worlds in turn, so that a slow moment of the machine affects both. Results are medians. */
static void time_worlds_step_by_step(pd_world *const worlds[WORLDS], long long steps, bench_walls *measured) {
    double seconds[WORLDS][STEPS];
    int done = 0, most = steps > 0 && steps < STEPS ? (int)steps : STEPS;
    for (; done < most && !is_interrupted(); done++)
        for (int w = 0; w < WORLDS; w++) {
            pd_world_reset_profile(worlds[w]);
            pd_world_step(worlds[w]);
            seconds[w][done] = pd_world_profile(worlds[w])->step_seconds;
        }
    if (done == 0) return;
    measured->few_ms = compute_median(seconds[0], done) * 1e3;
    measured->many_ms = compute_median(seconds[1], done) * 1e3;
}

/* Times a world with walls of 5 segments and one with walls of 500 segments, step by step in turn. If a signal comes before
 * the first step, *measured is unchanged. Errors: those of pd_world_create. */
static pd_result bench_measure_walls(const options *options, const pd_method_info *method, int size,
                                     bool separate_segments, bench_walls *measured, pd_error *error) {
    pd_world *worlds[WORLDS] = {NULL};
    pd_result result = PD_OK;
    for (int w = 0; w < WORLDS && result == PD_OK && !is_interrupted(); w++)
        result = create_world_with_walls(options, method, size, separate_segments, segments[w], &worlds[w], error);
    if (result == PD_OK && !is_interrupted())
        time_worlds_step_by_step(worlds, options_count_steps(options, (double)pd_world_scene(worlds[0])->dt), measured);
    for (int w = 0; w < WORLDS; w++) pd_world_destroy(worlds[w]);
    return result;
}

/* ---- A method at one size: times of steps, stages and solvers, and of the plain scalar form ---- */

enum {
    BATCHES = 5,          /* number of groups of steps whose times are compared */
    DEFAULT_STEPS = 60,   /* number of timed steps without --steps */
    COMPARED_SWEEPS = 40, /* number of Gauss-Seidel sweeps with which multigrid is compared: usual in grid fluids */
    REPETITIONS = 3,      /* number of repetitions of a step; the shortest time counts */
};

/* Returns the number of iterations of the pressure solver in the last substep. If the method does not count them, returns
 * its parameter `iterations`, or NAN without this parameter. */
static double find_solver_iterations(const pd_world *world) {
    char key[PD_MAX_KEY];
    float value;
    pd_view view;
    pd_error none;
    pd_world_view(world, &view);
    double done = pd_view_number(&view, "iterations");
    snprintf(key, sizeof key, "%s.iterations", pd_world_method(world)->name);
    if (isnan(done) && pd_world_parameter(world, key, &value, &none) == PD_OK) done = (double)value;
    return done;
}

/* Returns the number by which times are divided: number of cells for BENCH_FLOW, otherwise of particles and vortices. */
static double count_timed_elements(const pd_world *world, const bench_row *row) {
    pd_view view;
    pd_world_view(world, &view);
    return row->kind == BENCH_FLOW ? row->cells : fmax(view.count + view.vortices.count, 1);
}

/* Times the steps in BATCHES groups and writes the times to *row. Times per step and per substep are medians over the groups,
 * times of stages are means over all steps. */
static void time_steps(pd_world *world, long long steps, bench_row *row) {
    double per_step[BATCHES], per_substep[BATCHES];
    int batches = 0;
    long long substeps = 0;
    for (int b = 0; b < BATCHES && !is_interrupted(); b++) {
        long long share = steps * (b + 1) / BATCHES - steps * b / BATCHES;
        if (share == 0) continue;
        pd_world_reset_profile(world);
        for (long long s = 0; s < share; s++) {
            pd_world_step(world);
            row->iterations += find_solver_iterations(world);
        }
        const pd_profile *profile = pd_world_profile(world);
        per_step[batches] = profile->step_seconds / (double)share;
        per_substep[batches] = profile->step_seconds / (double)profile->substeps;
        batches++;
        row->steps += share;
        substeps += (long long)profile->substeps;
        row->stage_count = profile->stage_count;
        for (int i = 0; i < profile->stage_count; i++) {
            row->stage[i] = profile->stage[i];
            row->stage_ms[i] += profile->seconds[i] * 1e3;
        }
    }
    if (batches == 0) return;
    for (int i = 0; i < row->stage_count; i++) row->stage_ms[i] /= (double)row->steps;
    double ns = compute_median(per_substep, batches) * 1e9;
    row->substeps = (double)substeps / (double)row->steps;
    row->iterations /= (double)row->steps;
    row->ms_per_frame = compute_median(per_step, batches) * 1e3;
    row->ns_per_particle_substep = row->kind == BENCH_FLOW ? NAN : ns / count_timed_elements(world, row);
    row->ns_per_cell_substep = ns / row->cells;
    row->realtime = (double)pd_world_scene(world)->dt * 1e3 / row->ms_per_frame;
}

/* Returns the mean number of neighbours of a particle within view->radius. Does not use the method's neighbour search. */
static double compute_mean_neighbour_count(const pd_view *view) {
    double radius = (double)view->radius;
    if (!(radius > 0) || view->count == 0) return NAN;
    double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (int i = 0; i < view->count; i++) {
        low_x = fmin(low_x, view->x[i]);
        high_x = fmax(high_x, view->x[i]);
        low_y = fmin(low_y, view->y[i]);
        high_y = fmax(high_y, view->y[i]);
    }
    double across = (high_x - low_x) / radius, up = (high_y - low_y) / radius;
    if (!(across * up < 1e8)) return NAN;
    int columns = (int)across + 1, rows = (int)up + 1;
    int *first = malloc(sizeof *first * (size_t)columns * (size_t)rows);
    int *next = malloc(sizeof *next * (size_t)view->count);
    long long pairs = 0;
    for (int c = 0; first && c < columns * rows; c++) first[c] = -1;
    for (int i = 0; first && next && i < view->count; i++) {
        int column = (int)((view->x[i] - low_x) / radius), row = (int)((view->y[i] - low_y) / radius);
        for (int y = row > 0 ? row - 1 : 0; y <= row + 1 && y < rows; y++)
            for (int x = column > 0 ? column - 1 : 0; x <= column + 1 && x < columns; x++)
                for (int j = first[y * columns + x]; j >= 0; j = next[j]) {
                    double dx = (double)view->x[j] - view->x[i], dy = (double)view->y[j] - view->y[i];
                    if (dx * dx + dy * dy < radius * radius) pairs++;
                }
        next[i] = first[row * columns + column];
        first[row * columns + column] = i;
    }
    double mean = first && next ? 2.0 * (double)pairs / view->count : NAN;
    free(first);
    free(next);
    return mean;
}

/* Times the plain scalar form of the method (src/reference), from the world's state and with the world's substep. */
static pd_result time_reference_form(const pd_world *world, bench_row *row, pd_error *error) {
    reference *plain;
    pd_result result = reference_create(&plain, world, error);
    if (result != PD_OK) return result;
    double count = count_timed_elements(world, row) * reference_moved_fraction(plain);
    int substeps = 1 + (int)(50000 / (count_timed_elements(world, row) + 1));
    double dt = (double)pd_world_scene(world)->dt / fmax(pd_world_substeps(world), 1);
    double seconds[BATCHES];
    int batches = 0;
    while (batches < BATCHES && !is_interrupted()) {
        double started = pd_now();
        for (int s = 0; s < substeps; s++) reference_step(plain, dt);
        seconds[batches] = pd_now() - started;
        batches++;
    }
    if (batches) row->reference_ns = compute_median(seconds, batches) * 1e9 / (substeps * count);
    reference_destroy(plain);
    return PD_OK;
}

/* Returns the number of cells of the method's first field of cells. */
static double count_grid_cells(const pd_view *view) {
    for (int i = 0; i < view->field_count; i++) {
        if (view->fields[i]->info.support != PD_FIELD_OF_CELLS) continue;
        const pd_field *field = pd_view_field(view, view->fields[i]->info.name);
        return (double)field->nx * field->ny;
    }
    return NAN;
}

/* Returns the time of a stage in the last step, ms; NAN if the method lacks the stage. */
static double find_stage_ms(const pd_world *world, const char *stage) {
    const pd_profile *profile = pd_world_profile(world);
    for (int i = 0; i < profile->stage_count; i++)
        if (strcmp(profile->stage[i], stage) == 0) return profile->seconds[i] * 1e3;
    return NAN;
}

static pd_result set_method_parameter(pd_world *world, const char *key, float value, pd_error *error) {
    char whole[PD_MAX_KEY];
    snprintf(whole, sizeof whole, "%s.%s", pd_world_method(world)->name, key);
    return pd_world_set_parameter(world, whole, value, error);
}

/* Repeats the step after a snapshot with one pressure solver and writes the shortest time to *measured. solver:
 * index of the solver among the choices of the parameter `solver`. measured->ms stays NAN if the method has no stage
 * `projection`. */
static pd_result time_pressure_solver(pd_world *world, const void *bytes, size_t size, int solver, float max_iterations,
                                      bench_projection *measured, pd_error *error) {
    for (int n = 0; n < REPETITIONS && !is_interrupted(); n++) {
        pd_result result = pd_world_restore_from_memory(world, bytes, size, error);
        if (result == PD_OK) result = set_method_parameter(world, "solver", (float)solver, error);
        if (result == PD_OK) result = set_method_parameter(world, "iterations", max_iterations, error);
        if (result != PD_OK) return result;
        pd_view view;
        pd_world_reset_profile(world);
        pd_world_step(world);
        pd_world_view(world, &view);
        measured->ms = fmin(measured->ms, find_stage_ms(world, "projection"));
        measured->iterations = find_solver_iterations(world);
        measured->divergence = pd_view_number(&view, "divergence");
    }
    return PD_OK;
}

static bool has_solver_choices(const pd_method_info *method, const char *choices) {
    for (int i = 0; i < method->parameter_count; i++)
        if (strcmp(pd_method_parameter_at(method, i)->key, "solver") == 0)
            return strcmp(pd_method_parameter_at(method, i)->choices, choices) == 0;
    return false;
}

/* Measures both pressure solvers in the same step, if the method has both. */
static pd_result compare_pressure_solvers(pd_world *world, bench_row *row, pd_error *error) {
    const pd_method_info *method = pd_world_method(world);
    char key[PD_MAX_KEY];
    float max_iterations;
    snprintf(key, sizeof key, "%s.iterations", method->name);
    if (!has_solver_choices(method, "gauss_seidel|multigrid") || isnan(row->divergence)) return PD_OK;
    void *bytes = NULL;
    size_t size;
    pd_result result = pd_world_parameter(world, key, &max_iterations, error);
    if (result == PD_OK) result = pd_world_save_to_memory(world, &bytes, &size, error);
    if (result == PD_OK) result = time_pressure_solver(world, bytes, size, 1, max_iterations, &row->multigrid, error);
    if (result == PD_OK) result = time_pressure_solver(world, bytes, size, 0, COMPARED_SWEEPS, &row->sweeps, error);
    pd_memory_free(bytes);
    return result;
}

/* Copy of a velocity field: x components of all cells, then y components of all cells, m/s. */
typedef struct velocity_copy {
    double *values;
    size_t count;
} velocity_copy;

static pd_result copy_velocities(const pd_world *world, velocity_copy *copy, pd_error *error) {
    pd_view view;
    pd_world_view(world, &view);
    const char *const names[] = {"velocity_x", "velocity_y"};
    for (size_t k = 0; k < 2; k++) {
        const pd_field *field = pd_view_field(&view, names[k]);
        size_t cells = (size_t)field->nx * (size_t)field->ny;
        if (k == 0) copy->values = malloc((2 * cells + 1) * sizeof *copy->values);
        if (!copy->values || !field->values)
            return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the comparison (use fewer vortices)");
        for (size_t c = 0; c < cells; c++) copy->values[k * cells + c] = (double)field->values[c];
        copy->count = 2 * cells;
    }
    return PD_OK;
}

/* Returns rms(exact - other) / rms(exact). Cells in walls (NAN) are skipped. */
static double compute_relative_error(const velocity_copy *exact, const velocity_copy *other) {
    double difference = 0, all = 0;
    for (size_t i = 0; i < exact->count && i < other->count; i++) {
        double a = exact->values[i], b = other->values[i];
        if (isnan(a) || isnan(b)) continue;
        difference += (a - b) * (a - b);
        all += a * a;
    }
    return all > 0 ? sqrt(difference / all) : 0;
}

/* Repeats the step after a snapshot with one solver for the velocities of vortices. Writes the shortest time
 * and the velocity field before the step. A step longer than LONG_MS (direct sums of many vortices) is timed only once. */
static pd_result time_velocity_solver(pd_world *world, const void *snapshot, size_t snapshot_size, int solver,
                                      bench_velocities *measured, velocity_copy *flow, pd_error *error) {
    static const double LONG_MS = 500;
    for (int n = 0; n < REPETITIONS && !is_interrupted() && !(measured->ms > LONG_MS); n++) {
        pd_result result = pd_world_restore_from_memory(world, snapshot, snapshot_size, error);
        if (result == PD_OK) result = set_method_parameter(world, "solver", (float)solver, error);
        if (result == PD_OK && n == 0) result = copy_velocities(world, flow, error);
        if (result != PD_OK) return result;
        pd_world_reset_profile(world);
        pd_world_step(world);
        measured->ms = fmin(measured->ms, find_stage_ms(world, "velocities"));
    }
    return PD_OK;
}

/* Measures both solvers for the velocities of vortices in the same step, if the method has both. */
static pd_result compare_velocity_solvers(pd_world *world, bench_row *row, pd_error *error) {
    void *bytes = NULL;
    size_t size;
    velocity_copy exact = {0}, approximate = {0};
    if (!has_solver_choices(pd_world_method(world), "direct|tree")) return PD_OK;
    pd_result result = pd_world_save_to_memory(world, &bytes, &size, error);
    if (result == PD_OK) result = time_velocity_solver(world, bytes, size, 1, &row->tree, &approximate, error);
    if (result == PD_OK) result = time_velocity_solver(world, bytes, size, 0, &row->direct, &exact, error);
    row->direct.error = 0;
    row->tree.error = compute_relative_error(&exact, &approximate);
    pd_memory_free(bytes);
    free(exact.values);
    free(approximate.values);
    return result;
}

/* Sets the members of the row that describe the world after the timed steps: numbers of particles, rms speed. */
static void fill_row_from_world(const pd_world *world, bench_row *row) {
    pd_view view;
    pd_statistics statistics;
    pd_world_view(world, &view);
    pd_world_statistics(world, &statistics);
    row->particles = row->kind == BENCH_VORTICES ? view.vortices.count : view.count;
    row->tracers = row->kind == BENCH_VORTICES ? view.count : NAN;
    row->threads = pd_world_threads(world);
    row->neighbours = compute_mean_neighbour_count(&view);
    row->divergence = statistics.divergence;
    row->rms_speed = statistics.rms_speed;
}

static pd_result measure_wall_costs(const options *options, const pd_method_info *method, int size, bench_row *row,
                                    pd_error *error) {
    const bench_walls none = {NAN, NAN};
    if (!bench_measures_walls(row->kind, size)) return PD_OK;
    pd_result result = bench_measure_walls(options, method, size, false, &row->line, error);
    if (result == PD_OK) result = bench_measure_walls(options, method, size, true, &row->separate, error);
    if (is_interrupted()) row->line = row->separate = none; /* an incomplete comparison is discarded */
    return result;
}

/* Measures a method at one size. If a signal interrupts it, row->steps is 0. Errors: those of pd_world_create. */
static pd_result bench_measure(const options *options, const pd_method_info *method, int size, bench_row *row,
                               pd_error *error) {
    pd_scene scene;
    pd_world *world;
    const bench_projection none = {NAN, NAN, NAN};
    const bench_velocities unknown = {NAN, NAN};
    const bench_walls no_walls = {NAN, NAN};
    *row = (bench_row){.method = method->name, .kind = bench_choose_kind(method)};
    row->reference_ns = NAN;
    row->multigrid = row->sweeps = none;
    row->direct = row->tree = unknown;
    row->line = row->separate = no_walls;
    pd_result result = bench_create_scene(options, method, size, &scene, error);
    if (result == PD_OK) result = options_create_world_from_scene(options, &scene, &world, error);
    pd_scene_free(&scene);
    if (result != PD_OK) return result;
    pd_view view;
    pd_world_view(world, &view);
    row->cells = row->kind == BENCH_VORTICES ? NAN : count_grid_cells(&view);
    bench_step_until_timing(row->kind, world);
    long long steps = options_count_steps(options, (double)pd_world_scene(world)->dt);
    time_steps(world, steps > 0 ? steps : DEFAULT_STEPS, row);
    fill_row_from_world(world, row);
    if (options->reference && reference_description(row->method) && !is_interrupted())
        result = time_reference_form(world, row, error);
    if (result == PD_OK && !is_interrupted()) result = compare_pressure_solvers(world, row, error);
    if (result == PD_OK && !is_interrupted()) result = compare_velocity_solvers(world, row, error);
    if (is_interrupted()) { /* an incomplete comparison is discarded */
        row->multigrid = row->sweeps = none;
        row->direct = row->tree = unknown;
    }
    row->peak_rss_mb = pd_os_peak_memory();
    pd_world_destroy(world);
    if (result == PD_OK) result = measure_wall_costs(options, method, size, row, error);
    return result;
}

/* ---- Rows as a table or JSON ---- */

static void read_cpu_name(char *name, size_t size) {
    char line[256];
    snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value) continue;
        value[strcspn(value, "\n")] = '\0';
        snprintf(name, size, "%s", value + 1 + strspn(value + 1, " "));
        break;
    }
    if (file) fclose(file);
}

/* Returns (time of the plain scalar form of the method) / (time of the method), both per substep and particle or cell. */
static double compute_reference_ratio(const bench_row *row) {
    return row->reference_ns / (row->kind == BENCH_FLOW ? row->ns_per_cell_substep : row->ns_per_particle_substep);
}

static void add_projection_json(cJSON *object, const char *name, const bench_projection *projection) {
    cJSON *item = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(item, "iterations", projection->iterations);
    cJSON_AddNumberToObject(item, "divergence", projection->divergence);
    cJSON_AddNumberToObject(item, "ms", projection->ms);
}

static void add_velocities_json(cJSON *object, const char *name, const bench_velocities *velocities) {
    cJSON *item = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(item, "ms", velocities->ms);
    cJSON_AddNumberToObject(item, "error", velocities->error);
}

static void add_walls_json(cJSON *object, const char *name, const bench_walls *walls) {
    cJSON *item = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(item, "ms_of_5_segments", walls->few_ms);
    cJSON_AddNumberToObject(item, "ms_of_500_segments", walls->many_ms);
    cJSON_AddNumberToObject(item, "ratio", walls->many_ms / walls->few_ms);
}

/* Creates the JSON of a row. cJSON writes NAN as null. */
static cJSON *create_row_json(const bench_row *row) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "method", row->method);
    cJSON_AddNumberToObject(object, "particles", row->particles);
    cJSON_AddNumberToObject(object, "tracers", row->tracers);
    cJSON_AddNumberToObject(object, "cells", row->cells);
    cJSON_AddNumberToObject(object, "threads", row->threads);
    cJSON_AddStringToObject(object, "simd", pd_simd_name());
    cJSON_AddNumberToObject(object, "steps", (double)row->steps);
    cJSON_AddNumberToObject(object, "substeps", row->substeps);
    cJSON_AddNumberToObject(object, "neighbors", row->neighbours);
    cJSON_AddNumberToObject(object, "ns_per_particle_substep", row->ns_per_particle_substep);
    cJSON_AddNumberToObject(object, "ns_per_cell_substep", row->ns_per_cell_substep);
    cJSON_AddNumberToObject(object, "ms_per_frame", row->ms_per_frame);
    cJSON_AddNumberToObject(object, "realtime", row->realtime);
    cJSON_AddNumberToObject(object, "rms_speed", row->rms_speed);
    cJSON_AddNumberToObject(object, "peak_rss_mb", row->peak_rss_mb);
    cJSON_AddNumberToObject(object, "iterations", row->iterations);
    cJSON_AddNumberToObject(object, "divergence", row->divergence);
    cJSON *stages = cJSON_AddObjectToObject(object, "stages");
    for (int i = 0; i < row->stage_count; i++) cJSON_AddNumberToObject(stages, row->stage[i], row->stage_ms[i]);
    if (!isnan(row->sweeps.divergence)) {
        cJSON *projection = cJSON_AddObjectToObject(object, "projection");
        add_projection_json(projection, "multigrid", &row->multigrid);
        add_projection_json(projection, "gauss_seidel", &row->sweeps);
    }
    if (!isnan(row->tree.error)) {
        cJSON *velocities = cJSON_AddObjectToObject(object, "velocities");
        add_velocities_json(velocities, "direct", &row->direct);
        add_velocities_json(velocities, "tree", &row->tree);
    }
    if (!isnan(row->separate.many_ms)) {
        cJSON *walls = cJSON_AddObjectToObject(object, "walls");
        add_walls_json(walls, "line", &row->line);
        add_walls_json(walls, "apart", &row->separate);
    }
    if (!isnan(row->reference_ns)) {
        bool flow = row->kind == BENCH_FLOW;
        cJSON_AddNumberToObject(object, flow ? "reference_ns_per_cell_substep" : "reference_ns_per_particle_substep",
                                row->reference_ns);
        cJSON_AddNumberToObject(object, "reference_ratio", compute_reference_ratio(row));
    }
    return object;
}

static void print_table_header(void) {
    char cpu[160];
    read_cpu_name(cpu, sizeof cpu);
    printf(
        "%s, %s\n"
        "ns: time of a substep over the number of particles (vortices and tracers); ns/cell: over the number of cells\n"
        "realtime: simulated time over computing time, without drawing; above 1 is faster than real time\n",
        cpu, pd_simd_name());
    printf("%-7s %9s %8s %7s %5s %8s %9s %7s %7s %9s %8s %9s %8s\n", "method", "particles", "cells", "threads", "steps",
           "substeps", "neighbors", "ns", "ns/cell", "ms/frame", "realtime", "rms_speed", "peak_mb");
}

/* Prints a number, or a dash for NAN. NAN: the method lacks this quantity. */
static void print_number_cell(int width, int decimals, double value) {
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, decimals, value);
}

static void print_projection(const char *label, const bench_projection *p) {
    printf("%.0f %s, ", p->iterations, label);
    if (!isnan(p->ms)) printf("%.3f ms, ", p->ms);
    printf("divergence %.2g 1/s", p->divergence);
}

static void print_walls(const char *label, const bench_walls *walls) {
    printf("%s %.3f and %.3f (%.2f times)", label, walls->few_ms, walls->many_ms, walls->many_ms / walls->few_ms);
}

static void print_row(const bench_row *row) {
    printf("%-7s %9d", row->method, row->particles);
    print_number_cell(8, 0, row->cells);
    printf(" %7d %5lld", row->threads, row->steps);
    print_number_cell(8, 1, row->substeps);
    print_number_cell(9, 1, row->neighbours);
    print_number_cell(7, 1, row->ns_per_particle_substep);
    print_number_cell(7, 1, row->ns_per_cell_substep);
    print_number_cell(9, 3, row->ms_per_frame);
    print_number_cell(8, 2, row->realtime);
    print_number_cell(9, 4, row->rms_speed);
    print_number_cell(8, 1, row->peak_rss_mb);
    printf("\n        ");
    if (!isnan(row->tracers)) printf("%.0f tracers; ", row->tracers);
    if (!isnan(row->iterations)) printf("%.3g iterations a substep; ", row->iterations);
    if (!isnan(row->divergence)) printf("divergence %.2g 1/s; ", row->divergence);
    printf("ms per step:");
    for (int i = 0; i < row->stage_count; i++) printf("%s %s %.3f", i ? "," : "", row->stage[i], row->stage_ms[i]);
    if (!isnan(row->sweeps.divergence)) {
        printf("\n        one projection: ");
        print_projection("cycles of multigrid", &row->multigrid);
        printf("; ");
        print_projection("sweeps of Gauss-Seidel", &row->sweeps);
    }
    if (!isnan(row->tree.error))
        printf("\n        velocities of one step: direct sums %.3f ms; tree %.3f ms, error %.2g", row->direct.ms,
               row->tree.ms, row->tree.error);
    if (!isnan(row->separate.many_ms)) {
        printf("\n        ms per step with 5 and with 500 wall segments: ");
        print_walls("in one line", &row->line);
        printf("; ");
        print_walls("scattered", &row->separate);
    }
    if (!isnan(row->reference_ns))
        printf("\n        %s: %.1f ns%s, ratio %.2f", reference_description(row->method), row->reference_ns,
               row->kind == BENCH_FLOW ? "/cell" : "", compute_reference_ratio(row));
    print_whole("\n");
}

/* Measures and prints all rows of a method. Returns the exit code. */
static int measure_and_print_method(const options *options, const pd_method_info *method, cJSON *json_rows) {
    int sizes[BENCH_MOST_SIZES], count = bench_choose_sizes(options, method, sizes);
    for (int i = 0; i < count && !is_interrupted(); i++) {
        bench_row row;
        pd_error error;
        if (bench_measure(options, method, sizes[i], &row, &error) != PD_OK) return report_error(&error);
        if (row.steps == 0) break;
        if (json_rows)
            cJSON_AddItemToArray(json_rows, create_row_json(&row));
        else
            print_row(&row);
    }
    return 0;
}

int command_bench(const options *options) {
    cJSON *json_rows = options->json ? cJSON_CreateArray() : NULL;
    int code = 0;
    if (!json_rows) print_table_header();
    for (int m = 0; m < pd_method_count() && code == 0; m++) {
        const pd_method_info *method = pd_method_at(m);
        if (!options->method || strcmp(options->method, method->name) == 0)
            code = measure_and_print_method(options, method, json_rows);
    }
    int printed = json_rows ? json_print(json_rows) : 0;
    return code ? code : printed;
}
