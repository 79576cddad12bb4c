/* What `puddle bench` measures: one method at one particle count. */
#ifndef PUDDLE_CLI_BENCH_H
#define PUDDLE_CLI_BENCH_H

#include "cli/options.h"

typedef struct bench_row {
    const char *method;
    int particles, threads;
    long long steps;
    double substeps;   /* per step */
    double neighbours; /* mean number of particles within the interaction radius; NAN when the method has none */
    double ns_per_particle_substep, ms_per_frame, realtime, rms_speed, peak_rss_mb;
    double reference_ns; /* of the plain scalar form (reference.h); NAN: not measured */
    int iterations;      /* of the solver per substep; 0: the method has no solver */
    int stage_count;
    const char *stage[PD_MAX_STAGES];
    double stage_ms[PD_MAX_STAGES]; /* per step */
} bench_row;

/* A pool in a round container, left to settle, then timed. Errors: as pd_world_create. */
pd_result bench_measure(const options *options, const char *method, int particles, bench_row *row, pd_error *error);

#endif
