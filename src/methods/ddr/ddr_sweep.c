/* Sweep of double density relaxation over rows of cells: see ddr.h. */
#include "core/simd.h"
#include "methods/ddr/ddr.h"
#include "methods/ddr/ddr_wide.h"

#include <math.h>
#include <string.h>

enum { ROW_GRAIN = 2 }; /* rows in a chunk of parallel work; relax_rows in ddr_wide.c processes two rows alternately */

/* Fills the tables for pairs of materials. The term -k rho0 of the pressure attracts. For a pair of materials with an
 * attraction other than 1, `repulsion` adds (1 - attraction) k rho0 to the pressure. */
static void fill_material_tables(const pd_world *world, ddr_sweep *sweep) {
    const pd_scene *scene = &world->scene;
    float attraction_pressure = sweep->stiffness * sweep->rest_density;
    for (int a = 0; a < scene->material_count; a++)
        for (int b = 0; b < scene->material_count; b++) {
            float own = scene->materials[a].mass, other = scene->materials[b].mass;
            float viscosity = 0.5f * (world->property[a][PD_VISCOSITY] + world->property[b][PD_VISCOSITY]) * sweep->dt;
            sweep->own_fraction[a][b] = other / (own + other);
            sweep->other_fraction[a][b] = own / (own + other);
            sweep->viscosity[a][b] = viscosity;
            if (viscosity > 0) sweep->viscous = true;
            if (own != other || viscosity != sweep->viscosity[0][0]) sweep->pairs_differ = true;
        }
    for (uint32_t m = 0; m < (uint32_t)scene->material_count; m++) {
        sweep->property[m][0] = scene->materials[m].mass;
        sweep->property[m][1] = 0.5f * world->property[m][PD_VISCOSITY] * sweep->dt * sweep->inverse_h;
        memcpy(&sweep->property[m][2], &m, sizeof m);
    }
    for (int i = 0; i < scene->attraction_count; i++) {
        const pd_attraction *attraction = &scene->attractions[i];
        int a = attraction->between[0], b = attraction->between[1];
        float repulsion = attraction_pressure * (1 - attraction->factor);
        sweep->repulsion[a][b] = repulsion;
        sweep->repulsion[b][a] = repulsion;
        sweep->strongest_repulsion = fmaxf(sweep->strongest_repulsion, fabsf(repulsion));
        sweep->pairs_differ = true;
    }
}

static void write_material_bits(void *context, int begin, int end) {
    const ddr_sweep *sweep = context;
    for (int i = begin; i < end; i++) {
        uint32_t material = sweep->material_index[i];
        memcpy(&sweep->material[i], &material, sizeof material);
    }
}

static void relax_all_rows(pd_world *world, ddr_sweep *sweep) {
    pd_loop_body *rows = PD_SIMD_PICK(pd_ddr_kernels)->relax_rows;
    if (sweep->pairs_differ) pd_parallel_for(world->pool, sweep->count, PD_MOTION_GRAIN, write_material_bits, sweep);
    for (int c = 0; c < PD_COLOURS; c++) {
        sweep->colour = sweep->backwards ? PD_COLOURS - 1 - c : c;
        pd_parallel_for(world->pool, world->neighbours.rows / PD_COLOURS, ROW_GRAIN, rows, sweep);
    }
}

void pd_ddr_relax_pairs(pd_world *world, ddr_state *state, float dt, bool reuse_lists) {
    const pd_particles *p = &world->particles;
    float h = world->parameter[DDR_RADIUS];
    ddr_sweep sweep = {
        .world = world,
        .neighbours = &world->neighbours,
        .particles = p,
        .count = p->count,
        .x = p->x,
        .y = p->y,
        .vx = p->vx,
        .vy = p->vy,
        .density = p->density,
        .material = state->material,
        .material_index = p->material,
        .id = p->id,
        .wall = state->fluid.walls.index,
        .wall_weight = state->fluid.walls.weight,
        .backwards = world->substep_total & 1,
        .h = h,
        .inverse_h = 1 / h,
        .displacement_limit = h / 4,
        .dt = dt,
        .stiffness = world->parameter[DDR_STIFFNESS] * dt * dt,
        .near_stiffness = world->parameter[DDR_NEAR_STIFFNESS] * dt * dt,
        .rest_density = world->parameter[DDR_REST_DENSITY],
        .is_ramped = world->ramp > 0,
        .near_share = world->ramp > 0 ? pd_ddr_compute_near_share(world) : 0,
        .quadratic_viscosity = world->parameter[DDR_QUADRATIC_VISCOSITY] * dt,
    };
    sweep.viscous = sweep.quadratic_viscosity > 0;
    fill_material_tables(world, &sweep);
    bool listed = reuse_lists || (p->count >= DDR_LEAST_LISTED && pd_ddr_lists_make(&state->lists, world, &sweep));
    if (listed)
        pd_ddr_lists_relax_pairs(&state->lists, world, &sweep);
    else
        relax_all_rows(world, &sweep);
}
