/* puddle bench: measures methods and prints the rows as a table or JSON. */
#include "cli/bench/bench.h"

#include "cli/commands.h"
#include "cli/json.h"
#include "reference/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
