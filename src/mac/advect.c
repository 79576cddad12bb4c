/* Transport on a staggered grid: chunks of parallel work, and the choice of the SIMD level. */
#include "mac/advect.h"

#include "core/simd.h"

typedef struct advect_job {
    const pd_transport *transport;
    float dt;             /* time step / side of a cell, s/m */
    pd_advect_rows *rows; /* loop over rows for the present SIMD level */
} advect_job;

static void advect_rows(void *context, int begin, int end) {
    const advect_job *job = context;
    job->rows(job->transport, job->dt, begin, end);
}

static void advect_rows_in_parallel(const pd_transport *transport, pd_advect_rows *rows, pd_pool *pool) {
    enum { CELLS_PER_CHUNK = 4096 };
    const int nx = transport->mac->layout.nx, rows_per_chunk = nx >= CELLS_PER_CHUNK ? 1 : CELLS_PER_CHUNK / nx;
    advect_job job = {transport, transport->dt / (float)transport->mac->grid.cell, rows};
    pd_parallel_for(pool, transport->mac->layout.ny + (transport->location == PD_AT_FACES_Y), rows_per_chunk,
                    advect_rows, &job);
}

void pd_advect_arrays(const pd_transport *transport, pd_pool *pool) {
    advect_rows_in_parallel(transport, PD_SIMD_PICK(pd_advect_rows), pool);
}

void pd_correct_advection_maccormack(const pd_transport *transport, pd_pool *pool) {
    advect_rows_in_parallel(transport, PD_SIMD_PICK(pd_correct_advection_of_rows), pool);
}

void pd_advect_particles(const pd_mac *mac, float dt, int begin, int end, float *x, float *y) {
    PD_SIMD_PICK(pd_advect_particles)(mac, dt, end - begin, x + begin, y + begin);
}

void pd_mac_interpolate_velocities(const pd_mac *mac, int begin, int end, const float *x, const float *y, float *vx,
                                   float *vy) {
    PD_SIMD_PICK(pd_mac_interpolate_velocities)(mac, end - begin, x + begin, y + begin, vx + begin, vy + begin);
}

void pd_mac_interpolate_cell_values(const pd_mac *mac, const float *values, int count, const float *x, const float *y,
                                    float *to) {
    PD_SIMD_PICK(pd_mac_interpolate_cell_values)(mac, values, count, x, y, to);
}
