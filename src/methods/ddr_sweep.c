/* The sweep of double density relaxation over rows of cells: see ddr.h. */
#include "core/simd.h"
#include "methods/ddr.h"
#include "methods/ddr_wide.h"

enum { ROW_GRAIN = 2 }; /* rows are swept in pairs */

static const ddr_kernels *kernels(void) {
#if defined(__x86_64__)
    if (pd_simd_level() == PD_LEVEL_AVX512) return &ddr_kernels_avx512;
    if (pd_simd_level() == PD_LEVEL_AVX2) return &ddr_kernels_avx2;
#endif
    return &ddr_kernels_baseline;
}

static ddr_sweep sweep_of(pd_world *world, const ddr_state *state) {
    pd_particles *p = &world->particles;
    float h = world->parameter[DDR_RADIUS];
    ddr_sweep sweep = {
        .neighbours = &world->neighbours,
        .x = p->x,
        .y = p->y,
        .vx = p->vx,
        .vy = p->vy,
        .density = p->density,
        .inverse_mass = state->inverse_mass,
        .id = p->id,
        .backwards = world->substep_total & 1,
        .h = h,
        .inverse_h = 1 / h,
        .farthest = h / 4,
    };
    for (int i = 1; i < world->scene.material_count; i++)
        sweep.mixed |= world->scene.materials[i].mass != world->scene.materials[0].mass;
    return sweep;
}

static void run(pd_world *world, ddr_sweep *sweep, pd_body *rows) {
    for (int c = 0; c < PD_COLOURS; c++) {
        sweep->colour = sweep->backwards ? PD_COLOURS - 1 - c : c;
        pd_parallel_for(world->pool, world->neighbours.rows / PD_COLOURS, ROW_GRAIN, rows, sweep);
    }
}

void ddr_relax(pd_world *world, ddr_state *state, float dt) {
    ddr_sweep sweep = sweep_of(world, state);
    sweep.stiffness = world->parameter[DDR_STIFFNESS] * dt * dt;
    sweep.near_stiffness = world->parameter[DDR_NEAR_STIFFNESS] * dt * dt;
    sweep.rest_density = world->parameter[DDR_REST_DENSITY];
    sweep.dt = dt;
    sweep.linear = world->parameter[DDR_LINEAR_VISCOSITY] * dt;
    sweep.quadratic = world->parameter[DDR_QUADRATIC_VISCOSITY] * dt;
    run(world, &sweep, kernels()->relax_rows);
}
