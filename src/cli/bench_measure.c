#include "cli/bench.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/timer.h"
#include "reference/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    BATCHES = 5,
    DEFAULT_STEPS = 60,
    MAX_WARM_UP = 300,              /* steps: five simulated seconds */
    MIN_WARM_UP = 5,                /* steps: a million particles would take an hour to settle */
    FULL_WARM_UP_PARTICLES = 20000, /* with more particles fewer steps, in inverse proportion */
    CHECK_INTERVAL = 30,            /* steps between two measurements of the rms speed */
};
static const double CALM = 0.08; /* rms speed over sqrt(g L) below which a pool counts as settled */

/* The article's amount of fluid as one circle near the floor of the container. */
static pd_result bench_scene(const options *options, const char *method, int particles, pd_scene *scene,
                             pd_error *error) {
    pd_scene_init(scene);
    snprintf(scene->name, sizeof scene->name, "bench");
    snprintf(scene->method, sizeof scene->method, "%s", method);
    scene->particles = particles;
    pd_region *region = calloc(1, sizeof *region);
    if (!region) return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the scene");
    *region = (pd_region){.shape = PD_SHAPE_CIRCLE, .center = {0, -0.32f}, .radius = 0.66f, .amount = 1};
    scene->regions = region;
    scene->region_count = 1;
    return options_settings(options, scene, error);
}

/* Steps until the fluid is nearly at rest, or up to a limit, which is a number of steps so that every machine times the
 * same state. */
static void settle(pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    double calm = CALM * (double)view.speed_scale, part = fmin(1, (double)FULL_WARM_UP_PARTICLES / (view.count + 1));
    int longest = (int)fmax(MIN_WARM_UP, MAX_WARM_UP * part);
    for (int step = 1; step <= longest && !interrupted(); step++) {
        pd_world_step(world);
        if (step % CHECK_INTERVAL != 0 || step == CHECK_INTERVAL) continue;
        pd_statistics statistics;
        pd_world_statistics(world, &statistics);
        if (statistics.rms_speed < calm) break;
    }
}

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[count / 2];
}

/* Times the steps in batches: medians over the batches of the cost per step and per particle, means of the stages. */
static void time_steps(pd_world *world, long long steps, bench_row *row) {
    double per_step[BATCHES], per_particle[BATCHES];
    int batches = 0;
    long long substeps = 0;
    for (int b = 0; b < BATCHES && !interrupted(); b++) {
        long long share = steps * (b + 1) / BATCHES - steps * b / BATCHES;
        if (share == 0) continue;
        pd_world_profile_reset(world);
        for (long long s = 0; s < share; s++) pd_world_step(world);
        const pd_profile *profile = pd_world_profile(world);
        per_step[batches] = profile->step_seconds / (double)share;
        per_particle[batches] =
            profile->step_seconds / ((double)profile->substeps * fmax(pd_world_particles(world), 1));
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
    row->substeps = (double)substeps / (double)row->steps;
    row->ms_per_frame = median(per_step, batches) * 1e3;
    row->ns_per_particle_substep = median(per_particle, batches) * 1e9;
    row->realtime = (double)pd_world_scene(world)->dt * 1e3 / row->ms_per_frame;
}

/* Mean number of neighbours within the interaction radius. Counted here in a grid of cells of that size, independently
 * of the method's neighbour search. */
static double count_neighbours(const pd_view *view) {
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

/* ns per particle and substep of the plain scalar form, from the same state and with the same substep. */
static pd_result time_reference(const pd_world *world, double *ns, pd_error *error) {
    reference *plain;
    pd_result result = reference_create(&plain, world, error);
    if (result != PD_OK) return result;
    int particles = pd_world_particles(world), substeps = 1 + 50000 / (particles + 1);
    double dt = (double)pd_world_scene(world)->dt / fmax(pd_world_substeps(world), 1);
    double seconds[BATCHES];
    int batches = 0;
    while (batches < BATCHES && !interrupted()) {
        double started = pd_now();
        for (int s = 0; s < substeps; s++) reference_step(plain, dt);
        seconds[batches] = pd_now() - started;
        batches++;
    }
    if (batches) *ns = median(seconds, batches) * 1e9 / ((double)substeps * fmax(particles, 1));
    reference_destroy(plain);
    return PD_OK;
}

/* Iterations of the solver per substep; 0 when the method has none. */
static int iterations(const pd_world *world) {
    char key[PD_MAX_KEY];
    float value;
    pd_error none;
    snprintf(key, sizeof key, "%s.iterations", pd_world_method(world)->name);
    return pd_world_parameter(world, key, &value, &none) == PD_OK ? (int)value : 0;
}

static double peak_rss_mb(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return NAN;
#ifdef __APPLE__
    return (double)usage.ru_maxrss / 1048576; /* bytes on macOS, KiB elsewhere */
#else
    return (double)usage.ru_maxrss / 1024;
#endif
}

pd_result bench_measure(const options *options, const char *method, int particles, bench_row *row, pd_error *error) {
    pd_scene scene;
    pd_world *world;
    memset(row, 0, sizeof *row);
    pd_result result = bench_scene(options, method, particles, &scene, error);
    if (result == PD_OK) result = pd_world_create(&world, &scene, options->threads, error);
    pd_scene_free(&scene);
    if (result != PD_OK) return result;
    settle(world);
    long long steps = options_steps(options, (double)pd_world_scene(world)->dt);
    time_steps(world, steps > 0 ? steps : DEFAULT_STEPS, row);

    pd_view view;
    pd_statistics statistics;
    pd_world_view(world, &view);
    pd_world_statistics(world, &statistics);
    row->method = pd_world_method(world)->name;
    row->particles = view.count;
    row->threads = pd_world_threads(world);
    row->neighbours = count_neighbours(&view);
    row->rms_speed = statistics.rms_speed;
    row->reference_ns = NAN;
    row->iterations = iterations(world);
    if (options->reference && reference_form(row->method) && !interrupted())
        result = time_reference(world, &row->reference_ns, error);
    row->peak_rss_mb = peak_rss_mb();
    pd_world_destroy(world);
    return result;
}
