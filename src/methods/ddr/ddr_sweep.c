/* Sweep of double density relaxation over rows of cells: see ddr.h. */
#include "core/simd.h"
#include "methods/ddr/ddr.h"
#include "methods/ddr/ddr_wide.h"

#include <math.h>
#include <string.h>

enum { ROW_GRAIN = 2 }; /* rows in a chunk of parallel work: ddr_wide.c sweeps two rows interleaved */

/* Fills the tables by pairs of materials. The term -k rho0 of the pressure attracts. `repulsion` cancels the part (1 -
 * attraction) of this term for a pair of materials. */
static void fill_tables(const pd_world *world, ddr_sweep *s) {
    const pd_scene *scene = &world->scene;
    float attraction_pressure = s->stiffness * s->rest_density;
    for (int a = 0; a < scene->material_count; a++)
        for (int b = 0; b < scene->material_count; b++) {
            float own = scene->materials[a].mass, other = scene->materials[b].mass;
            float viscosity = 0.5f * (world->property[a][PD_VISCOSITY] + world->property[b][PD_VISCOSITY]) * s->dt;
            s->share[a][b] = other / (own + other);
            s->other_share[a][b] = own / (own + other);
            s->viscosity[a][b] = viscosity;
            if (viscosity > 0) s->viscous = true;
            if (own != other || viscosity != s->viscosity[0][0]) s->materials = true;
        }
    for (uint32_t m = 0; m < (uint32_t)scene->material_count; m++) {
        s->property[m][0] = scene->materials[m].mass;
        s->property[m][1] = 0.5f * world->property[m][PD_VISCOSITY] * s->dt * s->inverse_h;
        memcpy(&s->property[m][2], &m, sizeof m);
    }
    for (int i = 0; i < scene->attraction_count; i++) {
        const pd_attraction *attraction = &scene->attractions[i];
        int a = attraction->between[0], b = attraction->between[1];
        float repulsion = attraction_pressure * (1 - attraction->factor);
        s->repulsion[a][b] = repulsion;
        s->repulsion[b][a] = repulsion;
        s->strongest_repulsion = fmaxf(s->strongest_repulsion, fabsf(repulsion));
        s->materials = true;
    }
}

float ddr_stiffness_factor(const pd_world *world) { return 1 + 3 * world->ramp; }

static void write_materials(void *sweep, int begin, int end) {
    const ddr_sweep *s = sweep;
    for (int i = begin; i < end; i++) {
        uint32_t material = s->material_index[i];
        memcpy(&s->material[i], &material, sizeof material);
    }
}

static void relax_rows(pd_world *world, ddr_sweep *sweep) {
    pd_loop_body *rows = PD_SIMD_PICK(ddr_kernels)->relax_rows;
    if (sweep->materials) pd_parallel_for(world->pool, sweep->count, PD_MOTION_GRAIN, write_materials, sweep);
    for (int c = 0; c < PD_COLOURS; c++) {
        sweep->colour = sweep->backwards ? PD_COLOURS - 1 - c : c;
        pd_parallel_for(world->pool, world->neighbours.rows / PD_COLOURS, ROW_GRAIN, rows, sweep);
    }
}

void ddr_relax(pd_world *world, ddr_state *state, float dt, bool kept) {
    const pd_particles *p = &world->particles;
    float h = world->parameter[DDR_RADIUS];
    ddr_sweep sweep = {
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
        .farthest = h / 4,
        .dt = dt,
        .stiffness = ddr_stiffness_factor(world) * world->parameter[DDR_STIFFNESS] * dt * dt,
        .near_stiffness = ddr_stiffness_factor(world) * world->parameter[DDR_NEAR_STIFFNESS] * dt * dt,
        .rest_density = world->parameter[DDR_REST_DENSITY],
        .quadratic = world->parameter[DDR_QUADRATIC_VISCOSITY] * dt,
    };
    sweep.viscous = sweep.quadratic > 0;
    fill_tables(world, &sweep);
    bool listed = kept || (p->count >= DDR_LEAST_LISTED && ddr_lists_make(&state->lists, world, &sweep));
    if (listed)
        ddr_lists_relax(&state->lists, world, &sweep);
    else
        relax_rows(world, &sweep);
}
