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
    COMPARED_SWEEPS = 40, /* what a plain grid fluid takes for its projection */
    COMPARISONS = 3,
};

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[count / 2];
}

/* Iterations of the solver in the last substep, or what the method has for all of them; NAN when it has no solver. */
static double iterations(const pd_world *world) {
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

/* Times the steps in batches: medians over the batches of the cost per step and per substep, means of the stages. */
static void time_steps(pd_world *world, long long steps, bench_row *row) {
    double per_step[BATCHES], per_substep[BATCHES];
    int batches = 0;
    long long substeps = 0;
    for (int b = 0; b < BATCHES && !interrupted(); b++) {
        long long share = steps * (b + 1) / BATCHES - steps * b / BATCHES;
        if (share == 0) continue;
        pd_world_profile_reset(world);
        for (long long s = 0; s < share; s++) {
            pd_world_step(world);
            row->iterations += iterations(world);
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
    double ns = median(per_substep, batches) * 1e9;
    row->substeps = (double)substeps / (double)row->steps;
    row->iterations /= (double)row->steps;
    row->ms_per_frame = median(per_step, batches) * 1e3;
    row->ns_per_particle_substep = row->kind == BENCH_FLOW ? NAN : ns / fmax(pd_world_particles(world), 1);
    row->ns_per_cell_substep = ns / row->cells;
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

/* ns per substep and particle or cell of the plain scalar form, from the same state and with the same substep. */
static pd_result time_reference(const pd_world *world, bench_row *row, pd_error *error) {
    reference *plain;
    pd_result result = reference_create(&plain, world, error);
    if (result != PD_OK) return result;
    double elements = row->kind == BENCH_FLOW ? row->cells : fmax(pd_world_particles(world), 1);
    int substeps = 1 + (int)(50000 / (elements + 1));
    double dt = (double)pd_world_scene(world)->dt / fmax(pd_world_substeps(world), 1);
    double seconds[BATCHES];
    int batches = 0;
    while (batches < BATCHES && !interrupted()) {
        double started = pd_now();
        for (int s = 0; s < substeps; s++) reference_step(plain, dt);
        seconds[batches] = pd_now() - started;
        batches++;
    }
    if (batches) row->reference_ns = median(seconds, batches) * 1e9 / (substeps * elements);
    reference_destroy(plain);
    return PD_OK;
}

/* Cells of the grid that the method's fields are on. */
static double count_cells(const pd_view *view) {
    for (int i = 0; i < view->field_count; i++) {
        if (view->fields[i].info.support != PD_FIELD_OF_CELLS) continue;
        const pd_field *field = pd_view_field(view, view->fields[i].info.name);
        return (double)field->nx * field->ny;
    }
    return NAN;
}

static pd_result set_own(pd_world *world, const char *key, float value, pd_error *error) {
    char whole[PD_MAX_KEY];
    snprintf(whole, sizeof whole, "%s.%s", pd_world_method(world)->name, key);
    return pd_world_set_parameter(world, whole, value, error);
}

/* One step from a snapshot with a solver (its index in the choices): the shortest of some times. to->ms stays NAN where no
 * stage is the projection. */
static pd_result time_projection(pd_world *world, const void *bytes, size_t size, int solver, float most,
                                 bench_projection *to, pd_error *error) {
    for (int n = 0; n < COMPARISONS && !interrupted(); n++) {
        pd_result result = pd_world_restore_memory(world, bytes, size, error);
        if (result == PD_OK) result = set_own(world, "solver", (float)solver, error);
        if (result == PD_OK) result = set_own(world, "iterations", most, error);
        if (result != PD_OK) return result;
        pd_view view;
        pd_world_profile_reset(world);
        pd_world_step(world);
        pd_world_view(world, &view);
        const pd_profile *profile = pd_world_profile(world);
        for (int i = 0; i < profile->stage_count; i++)
            if (strcmp(profile->stage[i], "projection") == 0) to->ms = fmin(to->ms, profile->seconds[i] * 1e3);
        to->iterations = iterations(world);
        to->divergence = pd_view_number(&view, "divergence");
    }
    return PD_OK;
}

/* The same step with either solver of the pressure, where the method has both. */
static pd_result compare_projections(pd_world *world, bench_row *row, pd_error *error) {
    const pd_method_info *method = pd_world_method(world);
    const char *choices = NULL;
    char key[PD_MAX_KEY];
    float most;
    for (int i = 0; i < method->parameter_count; i++)
        if (strcmp(method->parameters[i].key, "solver") == 0) choices = method->parameters[i].choices;
    snprintf(key, sizeof key, "%s.iterations", method->name);
    if (!choices || strcmp(choices, "gauss_seidel|multigrid") != 0 || isnan(row->divergence)) return PD_OK;
    void *bytes = NULL;
    size_t size;
    pd_result result = pd_world_parameter(world, key, &most, error);
    if (result == PD_OK) result = pd_world_save_memory(world, &bytes, &size, error);
    if (result == PD_OK) result = time_projection(world, bytes, size, 1, most, &row->multigrid, error);
    if (result == PD_OK) result = time_projection(world, bytes, size, 0, COMPARED_SWEEPS, &row->sweeps, error);
    free(bytes);
    return result;
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

/* What is known of the state after the timed steps. */
static void describe(const pd_world *world, bench_row *row) {
    pd_view view;
    pd_statistics statistics;
    pd_world_view(world, &view);
    pd_world_statistics(world, &statistics);
    row->particles = view.count;
    row->threads = pd_world_threads(world);
    row->neighbours = count_neighbours(&view);
    row->divergence = statistics.divergence;
    row->rms_speed = statistics.rms_speed;
}

pd_result bench_measure(const options *options, const pd_method_info *method, int size, bench_row *row,
                        pd_error *error) {
    pd_scene scene;
    pd_world *world;
    const bench_projection none = {NAN, NAN, NAN};
    *row = (bench_row){.method = method->name, .kind = bench_kind_of(method)};
    row->reference_ns = NAN;
    row->multigrid = row->sweeps = none;
    pd_result result = bench_scene(options, method, size, &scene, error);
    if (result == PD_OK) result = pd_world_create(&world, &scene, options->threads, error);
    pd_scene_free(&scene);
    if (result != PD_OK) return result;
    pd_view view;
    pd_world_view(world, &view);
    row->cells = count_cells(&view);
    bench_warm_up(row->kind, world);
    long long steps = options_steps(options, (double)pd_world_scene(world)->dt);
    time_steps(world, steps > 0 ? steps : DEFAULT_STEPS, row);
    describe(world, row);
    if (options->reference && reference_form(row->method) && !interrupted()) result = time_reference(world, row, error);
    if (result == PD_OK && !interrupted()) result = compare_projections(world, row, error);
    if (interrupted()) row->multigrid = row->sweeps = none; /* not both, or not whole */
    row->peak_rss_mb = peak_rss_mb();
    pd_world_destroy(world);
    return result;
}
