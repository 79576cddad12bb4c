/* What `puddle bench` measures: one method at one size.
 *
 * A method of particles is sized by their number. Where the fluid is dye in the cells of a grid (the method paints, and
 * has a parameter `resolution`), particles are only tracers: the size is the number of cells along a side. A method that
 * shows vortices is sized by their number; there are twice as many tracers. */
#ifndef PUDDLE_CLI_BENCH_BENCH_H
#define PUDDLE_CLI_BENCH_BENCH_H

#include "cli/options.h"

enum { BENCH_MOST_SIZES = 4 };

/* What is simulated: bench_scene.c.
 *
 * Pool: a round container, a third full, left to settle.
 * Tank: for particles on a grid, whose solver has little to do at rest: a square tank three quarters full, whose fluid
 *     begins as a column at the left and sloshes.
 * Flow: a square box of 2 m with slippery sides. A heavy and a light blob of dye, each turning, fall, rise and mix around
 *     a disc that moves to and fro. Timed from the first second on: the mean speed (rms) is 0.5 m/s, the greatest about three times
 *     that.
 * Vortices: a round container with a heavy drop above a light one, whose fluid is vortices of both signs as soon as they
 *     move. A little viscosity. Timed from the first second on, by when they have met. The cores are so small that there are
 *     about as many vortices as the size says; their number changes with the flow, and the row has that at the end. */
typedef enum bench_kind { BENCH_POOL, BENCH_TANK, BENCH_FLOW, BENCH_VORTICES } bench_kind;

bench_kind bench_kind_of(const pd_method_info *method);
/* The sizes of a method's rows: particles, cells along a side, or vortices. Returns their number. One, when --particles
 * gives the particles or vortices, or --set the resolution of a flow. */
int bench_sizes(const options *options, const pd_method_info *method, int sizes[BENCH_MOST_SIZES]);
/* Errors: OUT_OF_MEMORY, PARAMETER_*. */
pd_result bench_scene(const options *options, const pd_method_info *method, int size, pd_scene *scene, pd_error *error);
/* Steps until the state is reached that is timed, a number of steps that does not depend on the machine. */
void bench_warm_up(bench_kind kind, pd_world *world);

/* One projection of the same velocities with one of the solvers. */
typedef struct bench_projection {
    double iterations, divergence, ms; /* per substep; rms after it, 1/s; of the stage `projection`, per step */
} bench_projection;

/* The velocities of the same step by one of the solvers. */
typedef struct bench_velocities {
    double ms,
        error; /* of the stage `velocities`, per step; of the vortices' velocities, rms, relative to direct sums */
} bench_velocities;

/* The same scene with walls of 5 and of 500 segments. */
typedef struct bench_walls {
    double few_ms, many_ms; /* per step; NAN: not measured */
} bench_walls;

/* What a method does not have is NAN. */
typedef struct bench_row {
    const char *method;
    bench_kind kind;
    int particles; /* of a flow: tracers; otherwise vortices, where the method has them */
    int threads;
    long long steps;
    double tracers;                 /* that vortices carry along */
    double cells;                   /* of the grid */
    double substeps;                /* per step */
    double neighbours;              /* mean number of particles within the interaction radius */
    double ns_per_particle_substep; /* of vortices: per vortex or tracer */
    double ns_per_cell_substep, ms_per_frame, realtime, rms_speed, peak_rss_mb;
    double iterations;   /* of the solver, per substep */
    double divergence;   /* rms after the last step, 1/s */
    double reference_ns; /* of the plain scalar form (reference.h), per substep and particle, in a flow cell */
    bench_projection multigrid, sweeps; /* with the row's parameters; with 40 sweeps of Gauss-Seidel */
    bench_velocities direct, tree;
    bench_walls line, apart; /* one wall of all the segments; walls of one segment each, together as long */
    int stage_count;
    const char *stage[PD_MAX_STAGES];
    double stage_ms[PD_MAX_STAGES]; /* per step */
} bench_row;

/* Sorts them. count: at least 1. */
double bench_median(double *values, int count);

/* bench_walls.c: whether a row has the comparison: pools and tanks of at most 10,000 particles. */
bool bench_has_walls(bench_kind kind, int particles);
/* Adds walls of so many segments (5, or a multiple of 20) amid the fluid of a pool or tank: one line in waves, or walls of one
 * segment each that are together as long. Errors: those of pd_scene_add_obstacle. */
pd_result bench_add_walls(pd_scene *scene, bool apart, int count, pd_error *error);
/* Both scenes are warmed up, and then step in turn. *to: stays as it is when interrupted before the first step. Errors: as
 * pd_world_create. */
pd_result bench_measure_walls(const options *options, const pd_method_info *method, int size, bool apart,
                              bench_walls *to, pd_error *error);

/* Errors: as pd_world_create. A row without steps: interrupted. */
pd_result bench_measure(const options *options, const pd_method_info *method, int size, bench_row *row,
                        pd_error *error);

#endif
