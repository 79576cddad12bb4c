/* Measures a method at one size: times of its steps, stages and solvers, and of its plain scalar form (src/reference). */
#include "cli/bench/bench.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/timer.h"
#include "platform/platform.h"
#include "reference/reference.h"

#include <math.h>
#include <puddle/memory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCHES = 5,          /* number of groups of steps whose times are compared */
    DEFAULT_STEPS = 60,   /* number of timed steps without --steps */
    COMPARED_SWEEPS = 40, /* number of Gauss-Seidel sweeps with which multigrid is compared: usual in grid fluids */
    REPETITIONS = 3,      /* number of repetitions of a step; the shortest time counts */
};

static int compare_numbers(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double bench_compute_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    return values[count / 2];
}

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
    double ns = bench_compute_median(per_substep, batches) * 1e9;
    row->substeps = (double)substeps / (double)row->steps;
    row->iterations /= (double)row->steps;
    row->ms_per_frame = bench_compute_median(per_step, batches) * 1e3;
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
    if (batches) row->reference_ns = bench_compute_median(seconds, batches) * 1e9 / (substeps * count);
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

pd_result bench_measure(const options *options, const pd_method_info *method, int size, bench_row *row,
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
