/* puddle run: steps a world without pictures and prints a summary. */
#include "cli/commands.h"
#include "cli/json.h"
#include "cli/output/columns.h"
#include "cli/output/output.h"
#include "core/timer.h"
#include "record/sink.h"

#include <stdio.h>

/* Totals of a run. */
typedef struct run_summary {
    long long steps;  /* number of steps */
    double seconds;   /* wall time of the run, s */
    double simulated; /* simulated time of the run, s */
} run_summary;

/* Writes the files of --surface that are due in the step just computed. */
static pd_result write_surfaces_of_step(outputs *outputs, pd_frame_clock *clock, const pd_world *world,
                                        pd_error *error) {
    pd_result result = PD_OK;
    double alpha;
    pd_frame_clock_count_step(clock);
    while (result == PD_OK && pd_frame_clock_count_due_frame(clock, &alpha))
        result = outputs_write_surface(outputs, world, alpha, error);
    return result;
}

static pd_result run_steps(const options *options, pd_world *world, run_summary *summary, pd_error *error) {
    outputs *outputs;
    pd_result result = outputs_begin(&outputs, options, error);
    if (result != PD_OK) return result;
    result = outputs_open_tables(outputs, error);
    long long total = options_count_steps(options, (double)pd_world_scene(world)->dt);
    double started = pd_now(), time = pd_world_time(world);
    pd_frame_clock clock;
    pd_frame_clock_begin(&clock, options->fps, (double)pd_world_scene(world)->dt);
    pd_frame_clock_set_limits(&clock, total, 0);
    progress progress;
    progress_begin(&progress, "step", total, options->quiet, false);
    while (result == PD_OK && summary->steps < total && !is_interrupted()) {
        bool complete;
        result = outputs_step_world(outputs, world, &complete, error);
        if (!complete) break;
        summary->steps++;
        if (result == PD_OK) result = outputs_write_after_step(outputs, world, error);
        if (result == PD_OK) result = write_surfaces_of_step(outputs, &clock, world, error);
        progress_update(&progress, summary->steps);
    }
    progress_end(&progress);
    summary->seconds = pd_now() - started;
    summary->simulated = pd_world_time(world) - time;
    if (result != PD_OK) {
        outputs_end(outputs, NULL, NULL);
        return result;
    }
    return outputs_end(outputs, world, error);
}

static double compute_realtime_factor(const run_summary *summary) {
    return summary->seconds > 0 ? summary->simulated / summary->seconds : 0;
}

static int print_json(const pd_world *world, const run_summary *summary) {
    pd_statistics statistics;
    pd_world_statistics(world, &statistics);
    const pd_scene *scene = pd_world_scene(world);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "scene", scene->name);
    cJSON_AddStringToObject(object, "method", pd_world_method(world)->name);
    cJSON_AddNumberToObject(object, "steps", (double)summary->steps);
    cJSON_AddNumberToObject(object, "threads", pd_world_threads(world));
    cJSON_AddStringToObject(object, "simd", pd_simd_name());
    json_add_statistics(object, &statistics);
    json_add_wall_impulses(object, world);
    json_add_bodies(object, world);
    cJSON_AddNumberToObject(object, "wall_seconds", summary->seconds);
    cJSON_AddNumberToObject(object, "realtime", compute_realtime_factor(summary));
    json_add_world_hash(object, world);
    cJSON_AddBoolToObject(object, "interrupted", is_interrupted());
    return json_print(object);
}

static void print_summary(const pd_world *world, const run_summary *summary) {
    pd_statistics statistics;
    const char *name = pd_world_scene(world)->name;
    pd_world_statistics(world, &statistics);
    printf("%s (%s): %lld step%s%s, %d particle%s, %.4g s simulated in %.3g s (%.3g x real time)\n",
           *name ? name : "Scene without a name", pd_world_method(world)->name, summary->steps,
           summary->steps == 1 ? "" : "s", is_interrupted() ? " (interrupted)" : "", statistics.particles,
           statistics.particles == 1 ? "" : "s", summary->simulated, summary->seconds,
           compute_realtime_factor(summary));
    printf("rms speed %.3g %s, kinetic energy %.3g %s, %d substep%s, %.3g %s for the last step\n", statistics.rms_speed,
           statistics_find_unit("rms_speed"), statistics.kinetic_energy, statistics_find_unit("kinetic_energy"),
           statistics.substeps, statistics.substeps == 1 ? "" : "s", statistics.step_ms,
           statistics_find_unit("step_ms"));
}

int command_run(const options *options) {
    pd_error error;
    pd_world *world;
    if (options_create_world(options, &world, &error) != PD_OK) return report_error(&error);
    report_warnings(options, world);
    warning_list warnings;
    list_warnings(world, &warnings);
    run_summary summary = {0};
    int code = 0;
    if (run_steps(options, world, &summary, &error) != PD_OK)
        code = report_error(&error);
    else if (options->json)
        code = print_json(world, &summary);
    else if (!options->quiet)
        print_summary(world, &summary);
    if (code == 0) report_warnings_since(options, world, &warnings); /* such as emitters that are blocked at the end */
    pd_world_destroy(world);
    return code;
}
