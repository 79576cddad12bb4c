/* Cost of walls by their number of segments, for one scene with few and with many segments, stepped in turn. */
#include "cli/bench/bench.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"

#include <math.h>

enum { MOST_PARTICLES = 10000, WORLDS = 2, STEPS = 60 };
static const int segments[WORLDS] = {5, 500};
/* Rectangle of the walls, m, in the middle of the fluid of pools and tanks; their thickness, m. */
static const float LEFT = -0.5f, RIGHT = 0.5f, MIDDLE = -0.55f, HEIGHT = 0.2f, THICKNESS = 0.01f;

bool bench_has_walls(bench_kind kind, int particles) {
    return (kind == BENCH_POOL || kind == BENCH_TANK) && particles <= MOST_PARTICLES;
}

/* Adds a wall of `count` segments along a cosine with five half-waves, 2.2 to 2.4 m long. With five segments it is
 * straight from crest to trough. */
static pd_result add_line_wall(pd_scene *scene, int count, pd_error *error) {
    pd_vec2 points[PD_MAX_POINTS];
    for (int i = 0; i <= count; i++) {
        float t = (float)i / (float)count;
        points[i] = (pd_vec2){LEFT + (RIGHT - LEFT) * t, MIDDLE - HEIGHT * cosf(5 * 3.14159265f * t)};
    }
    pd_obstacle wall = {
        .area = {.shape = PD_SHAPE_POLYLINE, .points = points, .point_count = count + 1, .thickness = THICKNESS}};
    return pd_scene_add_obstacle(scene, &wall, error);
}

/* Adds `count` walls of one segment each in rows and columns, with the total length of the wall that add_line adds with
 * five segments. */
static pd_result add_single_walls(pd_scene *scene, int count, pd_error *error) {
    int rows = count < 100 ? 1 : 20, columns = count / rows;
    float width = (RIGHT - LEFT) / (float)columns, height = 2 * HEIGHT / (float)rows;
    float part = 5 * hypotf((RIGHT - LEFT) / 5, 2 * HEIGHT) / (float)count, angle = atan2f(2 * HEIGHT, RIGHT - LEFT);
    pd_result result = PD_OK;
    for (int i = 0; i < count && result == PD_OK; i++) {
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

pd_result bench_add_walls(pd_scene *scene, bool separate_segments, int count, pd_error *error) {
    return separate_segments ? add_single_walls(scene, count, error) : add_line_wall(scene, count, error);
}

static pd_result create_world(const options *options, const pd_method_info *method, int size, bool separate_segments,
                              int count, pd_world **world, pd_error *error) {
    pd_scene scene;
    pd_result result = bench_scene(options, method, size, &scene, error);
    if (result == PD_OK) result = bench_add_walls(&scene, separate_segments, count, error);
    if (result == PD_OK) result = options_create_world_of(options, &scene, world, error);
    pd_scene_free(&scene);
    if (result == PD_OK) bench_warm_up(bench_choose_kind(method), *world);
    return result;
}

/* Steps and times both worlds in turn, so that a slow moment of the machine affects both. Results are medians. */
static void time_alternately(pd_world *const worlds[WORLDS], long long steps, bench_walls *measured) {
    double seconds[WORLDS][STEPS];
    int done = 0, most = steps > 0 && steps < STEPS ? (int)steps : STEPS;
    for (; done < most && !is_interrupted(); done++)
        for (int w = 0; w < WORLDS; w++) {
            pd_world_reset_profile(worlds[w]);
            pd_world_step(worlds[w]);
            seconds[w][done] = pd_world_profile(worlds[w])->step_seconds;
        }
    if (done == 0) return;
    measured->few_ms = bench_compute_median(seconds[0], done) * 1e3;
    measured->many_ms = bench_compute_median(seconds[1], done) * 1e3;
}

pd_result bench_measure_walls(const options *options, const pd_method_info *method, int size, bool separate_segments,
                              bench_walls *measured, pd_error *error) {
    pd_world *worlds[WORLDS] = {NULL};
    pd_result result = PD_OK;
    for (int w = 0; w < WORLDS && result == PD_OK && !is_interrupted(); w++)
        result = create_world(options, method, size, separate_segments, segments[w], &worlds[w], error);
    if (result == PD_OK && !is_interrupted())
        time_alternately(worlds, options_count_steps(options, (double)pd_world_scene(worlds[0])->dt), measured);
    for (int w = 0; w < WORLDS; w++) pd_world_destroy(worlds[w]);
    return result;
}
