/* Forces on the grid fluid: buoyancy, vorticity confinement, emitters, tool. */
#include "core/simd.h"
#include "methods/grid/grid.h"
#include "methods/grid/grid_levels.h"

#include <math.h>
#include <string.h>

/* Limit of velocities, in cells per substep. */
static const float FASTEST_CELLS = 64;

/* Data of the loops over rows. Each loop uses some of the members. */
typedef struct force_job {
    pd_mac *mac;
    const float *force_x, *force_y; /* by cell: force, curl or dye that the loop reads */
    float *to_x, *to_y;             /* by cell: result of the loop */
    float x, y;                     /* factors on force_x and force_y */
    float limit;                    /* greatest velocity, m/s */
} force_job;

static void compute_curl_of_rows(void *context, int begin, int end) {
    const force_job *job = context;
    PD_SIMD_PICK(pd_grid_compute_curl)(job->mac, job->to_x, begin, end);
}

static void compute_confinement_of_rows(void *context, int begin, int end) {
    const force_job *job = context;
    PD_SIMD_PICK(pd_grid_compute_confinement)(job->mac, job->force_x, job->x, job->to_x, job->to_y, begin, end);
}

static void add_force_to_rows(void *context, int begin, int end) {
    const force_job *job = context;
    PD_SIMD_PICK(pd_grid_add_force)(job->mac, job->force_x, job->force_y, job->x, job->y, begin, end);
}

static void add_weight_to_rows(void *context, int begin, int end) {
    const force_job *job = context;
    PD_SIMD_PICK(pd_grid_add_dye_weight)(&job->mac->layout, job->force_x, job->x, job->to_x, begin, end);
}

static void limit_velocities_of_rows(void *context, int begin, int end) {
    const force_job *job = context;
    PD_SIMD_PICK(pd_grid_limit_velocities)(job->mac, job->limit, begin, end);
}

/* Applies the excess weight of the dyes. The weight of the fluid without dye is balanced by the hydrostatic pressure,
 * which pd_grid_hydrostatic_pressure adds to the pressure field. */
static void apply_buoyancy(pd_world *world, grid_state *state, float dt) {
    float strength = world->parameter[GRID_BUOYANCY];
    pd_vec2 g = world->scene.gravity;
    bool any = false;
    force_job job = {.mac = state->mac, .to_x = state->work};
    memset(state->work, 0, state->mac->layout.count * sizeof(float));
    for (int m = 0; m < state->dye_count; m++) {
        job.force_x = state->dye[m];
        job.x = strength * (world->scene.materials[m].mass - world->parameter[GRID_AMBIENT]);
        if (!state->has_dye[m] || job.x == 0 || (g.x == 0 && g.y == 0)) continue;
        pd_parallel_for(world->pool, state->mac->layout.ny, pd_grid_rows_per_chunk(state), add_weight_to_rows, &job);
        any = true;
    }
    if (!any) return;
    force_job add = {.mac = state->mac, .force_x = state->work, .force_y = state->work, .x = g.x * dt, .y = g.y * dt};
    pd_parallel_for(world->pool, state->mac->layout.ny, pd_grid_rows_per_chunk(state), add_force_to_rows, &add);
}

static void confine_vorticity(pd_world *world, grid_state *state, float dt) {
    float strength = world->parameter[GRID_VORTICITY];
    if (!(strength > 0)) return;
    int rows = state->mac->layout.ny, grain = pd_grid_rows_per_chunk(state);
    force_job job = {.mac = state->mac, .to_x = state->work};
    pd_parallel_for(world->pool, rows, grain, compute_curl_of_rows, &job);
    pd_mac_extrapolate_cells(state->mac, state->work);
    job = (force_job){
        .mac = state->mac, .force_x = state->work, .x = strength, .to_x = state->next[0], .to_y = state->next[1]};
    pd_parallel_for(world->pool, rows, grain, compute_confinement_of_rows, &job);
    job = (force_job){.mac = state->mac, .force_x = state->next[0], .force_y = state->next[1], .x = dt, .y = dt};
    pd_parallel_for(world->pool, rows, grain, add_force_to_rows, &job);
}

/* Function that call_for_each_face_around calls for a face. velocity: the velocity component that the face stores (y if
 * `vertical`, else x), which the function may change. across: the other component at the face, m/s. */
typedef void face_function(const void *context, pd_vec2 position, bool vertical, float across, float *velocity);

/* Calls `action` for each face within `reach` (m) of a point, and for some faces farther away. */
static void call_for_each_face_around(const pd_mac *mac, pd_vec2 center, float reach, face_function *action,
                                      const void *context) {
    const pd_grid *g = &mac->grid;
    const pd_layout *l = &mac->layout;
    double x = (center.x - g->origin.x) / g->cell, y = (center.y - g->origin.y) / g->cell, r = reach / g->cell + 1;
    int left = (int)fmin(fmax(floor(x - r), 0), g->nx), right = (int)fmin(fmax(ceil(x + r), -1), g->nx - 1);
    int bottom = (int)fmin(fmax(floor(y - r), 0), g->ny), top = (int)fmin(fmax(ceil(y + r), -1), g->ny - 1);
    float half = 0.5f * (float)g->cell;
    for (int j = bottom; j <= top; j++) {
        for (int i = left; i <= right; i++) {
            size_t k = pd_element_index(l, i, j), row = (size_t)l->stride;
            pd_vec2 p = pd_mac_cell_center(mac, i, j);
            float v = 0.25f * ((mac->v[k - 1] + mac->v[k]) + (mac->v[k - 1 + row] + mac->v[k + row]));
            float u = 0.25f * ((mac->u[k] + mac->u[k + 1]) + (mac->u[k - row] + mac->u[k + 1 - row]));
            action(context, (pd_vec2){p.x - half, p.y}, false, v, &mac->u[k]);
            action(context, (pd_vec2){p.x, p.y - half}, true, u, &mac->v[k]);
        }
    }
}

typedef struct tool_action {
    pd_tool_field field;
    float dt;
} tool_action;

static void apply_tool_to_face_velocity(const void *context, pd_vec2 p, bool vertical, float across, float *velocity) {
    const tool_action *action = context;
    float vx = vertical ? across : *velocity, vy = vertical ? *velocity : across;
    pd_tool_field_change_velocity(&action->field, action->dt, 1, p.x, p.y, &vx, &vy);
    *velocity = vertical ? vy : vx;
}

/* Changes a face's velocity towards the emitter's: by the fraction of their difference that is the fraction of the
 * face's cell inside the emitter's mouth. */
static void apply_emitter_to_face_velocity(const void *context, pd_vec2 p, bool vertical, float across,
                                           float *velocity) {
    const pd_mouth *mouth = context;
    (void)across;
    *velocity +=
        pd_mouth_fraction_in_cell(mouth, p) * (mouth->emitter->speed * (vertical ? mouth->ay : mouth->ax) - *velocity);
}

static void apply_emitters_to_velocities(pd_world *world, grid_state *state, float dt) {
    for (int n = 0; n < world->scene.emitter_count; n++) {
        pd_mouth mouth;
        if (!pd_find_emitter_mouth(world, state->mac, n, dt, &mouth)) continue;
        call_for_each_face_around(state->mac, mouth.emitter->position, mouth.reach, apply_emitter_to_face_velocity,
                                  &mouth);
    }
}

void pd_grid_apply_forces(pd_world *world, grid_state *state, float dt) {
    apply_buoyancy(world, state, dt);
    confine_vorticity(world, state, dt);
    apply_emitters_to_velocities(world, state, dt);
    tool_action action = {pd_tool_field_compute(world, dt), dt};
    if (action.field.kind == PD_TOOL_DRAG)
        call_for_each_face_around(state->mac, world->tool_now, action.field.radius, apply_tool_to_face_velocity,
                                  &action);
    force_job job = {.mac = state->mac, .limit = FASTEST_CELLS * (float)state->mac->grid.cell / dt};
    pd_parallel_for(world->pool, state->mac->layout.ny, pd_grid_rows_per_chunk(state), limit_velocities_of_rows, &job);
}
