#include "cli/bench.h"

#include "cli/commands.h"
#include "cli/json.h"
#include "reference/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int DEFAULT_PARTICLES[] = {1000, 10000, 50000};

static void cpu_name(char *name, size_t size) {
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

static cJSON *describe(const bench_row *row) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "method", row->method);
    cJSON_AddNumberToObject(object, "particles", row->particles);
    cJSON_AddNumberToObject(object, "threads", row->threads);
    cJSON_AddStringToObject(object, "simd", pd_simd_name());
    cJSON_AddNumberToObject(object, "steps", (double)row->steps);
    cJSON_AddNumberToObject(object, "substeps", row->substeps);
    cJSON_AddNumberToObject(object, "neighbors", row->neighbours);
    cJSON_AddNumberToObject(object, "ns_per_particle_substep", row->ns_per_particle_substep);
    cJSON_AddNumberToObject(object, "ms_per_frame", row->ms_per_frame);
    cJSON_AddNumberToObject(object, "realtime", row->realtime);
    cJSON_AddNumberToObject(object, "rms_speed", row->rms_speed);
    cJSON_AddNumberToObject(object, "peak_rss_mb", row->peak_rss_mb);
    if (row->iterations) cJSON_AddNumberToObject(object, "iterations", row->iterations);
    cJSON *stages = cJSON_AddObjectToObject(object, "stages");
    for (int i = 0; i < row->stage_count; i++) cJSON_AddNumberToObject(stages, row->stage[i], row->stage_ms[i]);
    if (!isnan(row->reference_ns)) {
        cJSON_AddNumberToObject(object, "reference_ns_per_particle_substep", row->reference_ns);
        cJSON_AddNumberToObject(object, "reference_ratio", row->reference_ns / row->ns_per_particle_substep);
    }
    return object;
}

static void print_header(void) {
    char cpu[160];
    cpu_name(cpu, sizeof cpu);
    printf("%s, %s. ns: per particle and substep; realtime: above 1 is faster than real time at 60 frames a second.\n",
           cpu, pd_simd_name());
    printf("%-7s %9s %7s %5s %8s %9s %7s %9s %8s %9s %8s\n", "method", "particles", "threads", "steps", "substeps",
           "neighbors", "ns", "ms/frame", "realtime", "rms_speed", "peak_mb");
}

/* A quantity that a method does not have is printed as a dash. */
static void print_cell(int width, int decimals, double value) {
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, decimals, value);
}

static void print_row(const bench_row *row) {
    printf("%-7s %9d %7d %5lld", row->method, row->particles, row->threads, row->steps);
    print_cell(8, 1, row->substeps);
    print_cell(9, 1, row->neighbours);
    print_cell(7, 1, row->ns_per_particle_substep);
    print_cell(9, 3, row->ms_per_frame);
    print_cell(8, 2, row->realtime);
    print_cell(9, 4, row->rms_speed);
    print_cell(8, 1, row->peak_rss_mb);
    printf("\n        ");
    if (row->iterations) printf("%d iterations a substep; ", row->iterations);
    printf("ms per step:");
    for (int i = 0; i < row->stage_count; i++) printf("%s %s %.3f", i ? "," : "", row->stage[i], row->stage_ms[i]);
    if (!isnan(row->reference_ns))
        printf("\n        %s: %.1f ns, ratio %.2f", reference_form(row->method), row->reference_ns,
               row->reference_ns / row->ns_per_particle_substep);
    putchar('\n');
    fflush(stdout);
}

/* Measures and prints all rows of a method; returns the exit code (an error is reported). */
static int bench_method(const options *options, const char *method, cJSON *list) {
    int count = options->particles ? 1 : (int)(sizeof DEFAULT_PARTICLES / sizeof *DEFAULT_PARTICLES);
    for (int i = 0; i < count && !interrupted(); i++) {
        bench_row row;
        pd_error error;
        int particles = options->particles ? options->particles : DEFAULT_PARTICLES[i];
        if (bench_measure(options, method, particles, &row, &error) != PD_OK) return report(&error);
        if (row.steps == 0) break;
        if (list)
            cJSON_AddItemToArray(list, describe(&row));
        else
            print_row(&row);
    }
    return 0;
}

int command_bench(const options *options) {
    cJSON *list = options->json ? cJSON_CreateArray() : NULL;
    int code = 0;
    if (!list) print_header();
    for (int m = 0; m < pd_method_count() && code == 0; m++) {
        const pd_method_info *method = pd_method_at(m);
        bool wanted = options->method ? strcmp(options->method, method->name) == 0 : method->available;
        if (wanted) code = bench_method(options, method->name, list);
    }
    int printed = list ? json_print(list) : 0;
    return code ? code : printed;
}
