/* Measurements of `puddle bench`: one method at one size.
 *
 * The size of a particle method is the number of particles. If the fluid is dye in a grid (the method paints and has a
 * parameter `resolution`), particles are tracers and the size is the number of cells along a side. The size of a vortex
 * method is the number of vortices; there are twice as many tracers. */
#ifndef PUDDLE_CLI_BENCH_H
#define PUDDLE_CLI_BENCH_H

#include "cli/options.h"

enum { BENCH_MOST_SIZES = 4 };

/* Benchmark scenes.
 * - Pool: a round container, a third full, at rest.
 * - Tank: a square tank, three quarters full. The fluid begins as a column
 * at the left and sloshes. For methods with particles on a grid, because their pressure solver has little work with fluid
 * at rest.
 * - Flow: a square box with sides of 2 m, at which fluid slips. A heavy and a light blob of dye, both rotating,
 * fall, rise and mix around a disc that moves to and fro. Timed from 1 s on: rms speed 0.5 m/s, greatest speed about 1.5
 * m/s.
 * - Vortices: a round container with a heavy drop above a light one. Vortices of both signs arise at once. The
 * viscosity is small. Timed from 1 s on, when the drops have met. Vortex cores are so small that the number of vortices is
 * about the requested size. bench_row.particles is their number at the end. */
typedef enum bench_kind { BENCH_POOL, BENCH_TANK, BENCH_FLOW, BENCH_VORTICES } bench_kind;

bench_kind bench_choose_kind(const pd_method_info *method);
/* Writes the sizes at which a method is measured: numbers of particles, of cells along a side, or of vortices. Returns the
 * number of sizes: 1 if --particles or --set gives the size. */
int bench_choose_sizes(const options *options, const pd_method_info *method, int sizes[BENCH_MOST_SIZES]);
/* Creates the scene for a method and size. Errors: OUT_OF_MEMORY, PARAMETER_*. */
pd_result bench_create_scene(const options *options, const pd_method_info *method, int size, pd_scene *scene,
                             pd_error *error);
/* Steps the world from its start to the state from which it is timed. The number of steps is the same on every machine. */
void bench_step_until_timing(bench_kind kind, pd_world *world);

/* Returns whether the benchmark of this kind and size measures the cost of walls: pools and tanks of at most 10,000
 * particles do. */
bool bench_measures_walls(bench_kind kind, int particle_count);
/* Adds walls of `segment_count` segments (5, or a multiple of 20) within the fluid of a pool or tank: one wavy polyline, or,
 * with `separate_segments`, walls of one segment each with the same total length. Errors: those of
 * pd_scene_add_obstacle. */
pd_result bench_add_walls(pd_scene *scene, bool separate_segments, int segment_count, pd_error *error);

#endif
