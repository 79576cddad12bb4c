/* Measures how the time of a step depends on the walls' number of segments: two worlds with 5 and with 500 segments. */
#include "cli/bench/bench.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"

#include <math.h>

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
    float length = 5 * hypotf((RIGHT - LEFT) / 5, 2 * HEIGHT) / (float)segment_count,
          angle = atan2f(2 * HEIGHT, RIGHT - LEFT);
    pd_result result = PD_OK;
    for (int i = 0; i < segment_count && result == PD_OK; i++) {
        float x = LEFT + width * ((float)(i % columns) + 0.5f), lean = i % 2 ? angle : -angle;
        float y = MIDDLE - HEIGHT + height * ((float)(i / columns) + 0.5f);
        pd_vec2 half = {0.5f * length * cosf(lean), 0.5f * length * sinf(lean)};
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
    measured->few_ms = bench_compute_median(seconds[0], done) * 1e3;
    measured->many_ms = bench_compute_median(seconds[1], done) * 1e3;
}

pd_result bench_measure_walls(const options *options, const pd_method_info *method, int size, bool separate_segments,
                              bench_walls *measured, pd_error *error) {
    pd_world *worlds[WORLDS] = {NULL};
    pd_result result = PD_OK;
    for (int w = 0; w < WORLDS && result == PD_OK && !is_interrupted(); w++)
        result = create_world_with_walls(options, method, size, separate_segments, segments[w], &worlds[w], error);
    if (result == PD_OK && !is_interrupted())
        time_worlds_step_by_step(worlds, options_count_steps(options, (double)pd_world_scene(worlds[0])->dt), measured);
    for (int w = 0; w < WORLDS; w++) pd_world_destroy(worlds[w]);
    return result;
}
