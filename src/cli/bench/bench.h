/* Measurements of `puddle bench`: one method at one size.
 *
 * The size of a particle method is the number of particles. If the fluid is dye in a grid (the method paints and has a
 * parameter `resolution`), particles are tracers and the size is the number of cells along a side. The size of a vortex
 * method is the number of vortices; there are twice as many tracers. */
#ifndef PUDDLE_CLI_BENCH_BENCH_H
#define PUDDLE_CLI_BENCH_BENCH_H

#include "cli/options.h"

enum { BENCH_MOST_SIZES = 4 };

/* Benchmark scenes (bench_scene.c).
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

/* Sorts `count` >= 1 values in place and returns their median. */
double bench_compute_median(double *values, int count);

/* Returns whether the benchmark of this kind and size measures the cost of walls: pools and tanks of at most 10,000
 * particles do. (bench_walls.c) */
bool bench_measures_walls(bench_kind kind, int particle_count);
/* Adds walls of `segment_count` segments (5, or a multiple of 20) within the fluid of a pool or tank: one wavy polyline, or,
 * with `separate_segments`, walls of one segment each with the same total length. Errors: those of
 * pd_scene_add_obstacle. */
pd_result bench_add_walls(pd_scene *scene, bool separate_segments, int segment_count, pd_error *error);
/* Times a world with walls of 5 segments and one with walls of 500 segments, step by step in turn. If a signal comes before
 * the first step, *measured is unchanged. Errors: those of pd_world_create. */
pd_result bench_measure_walls(const options *options, const pd_method_info *method, int size, bool separate_segments,
                              bench_walls *measured, pd_error *error);

/* Measures a method at one size. If a signal interrupts it, row->steps is 0. Errors: those of pd_world_create. */
pd_result bench_measure(const options *options, const pd_method_info *method, int size, bench_row *row,
                        pd_error *error);

#endif
