/* Forces on the grid fluid: buoyancy, vorticity confinement, emitters, tool. */
#include "methods/grid/grid.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "sim/world.h"
#include <math.h>
#include <string.h>

/* ---- Viscosity ----
 *
 * Viscosity of the grid fluid: implicit diffusion of each component of the velocity. A component has an equation of its
 * own, whose cells are the component's faces. */

void pd_grid_free_diffusion_equations(grid_state *state) {
    for (int axis = 0; axis < 2; axis++) {
        pd_poisson_destroy(state->diffusion[axis]);
        pd_free(state->closed_neighbours[axis]);
        state->diffusion[axis] = NULL;
        state->closed_neighbours[axis] = NULL;
    }
}

pd_result pd_grid_allocate_diffusion_equations(grid_state *state, pd_error *error) {
    if (state->diffusion[0]) return PD_OK;
    const pd_layout *l = &state->mac->layout;
    pd_result result = pd_poisson_create(&state->diffusion[0], l->nx + 1, l->ny, error);
    if (result == PD_OK) result = pd_poisson_create(&state->diffusion[1], l->nx, l->ny + 1, error);
    for (int axis = 0; axis < 2 && result == PD_OK; axis++) {
        state->closed_neighbours[axis] = pd_allocate(state->diffusion[axis]->layout.count, 1);
        if (!state->closed_neighbours[axis])
            result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for viscosity (lower grid.resolution)");
    }
    state->matrix_diffusion_inverse = 0;
    if (result != PD_OK) pd_grid_free_diffusion_equations(state);
    return result;
}

/* Diffusion of the x or (vertical) y component of the velocity. */
typedef struct velocity_component {
    grid_diffusion loops; /* arguments of the loops (grid.h) */
    const pd_mac *mac;
    bool vertical;
} velocity_component;

/* Gets the velocity of a no-slip wall at (i, j), a closed or outer face beside a fluid face, and the coefficient of the
 * viscous exchange between both. Returns false at a free-slip wall, which exchanges nothing. */
static bool find_wall_velocity(const velocity_component *c, int i, int j, float *velocity, float *coefficient) {
    const pd_mac *mac = c->mac;
    const pd_layout *l = &mac->layout;
    int side = -1;
    *coefficient = 1;
    if (!c->vertical && (j < 0 || j >= l->ny)) side = j < 0 ? PD_WALL_BOTTOM : PD_WALL_TOP;
    if (c->vertical && (i < 0 || i >= l->nx)) side = i < 0 ? PD_WALL_LEFT : PD_WALL_RIGHT;
    if (side >= 0) {
        float speed = mac->sides[side].velocity;
        *velocity = isnan(speed) ? 0 : speed;
        *coefficient = 2; /* the wall is half a cell away */
        return !mac->sides[side].outflow && (!mac->slip || !isnan(speed));
    }
    size_t k = pd_element_index(l, i, j);
    *velocity = c->loops.velocity[k]; /* set by pd_mac_extrapolate_velocities */
    return !mac->slip;
}

/* Adds the viscous exchange of momentum with walls beside face (i, j) to the diagonal coefficient (*open) and the
 * right-hand side of the face's equation. beside: bits of closed_neighbours. A neighbour in the direction of the face's velocity component has
 * the wall's normal velocity, even at free-slip walls. */
static void add_walls_to_face_equation(const velocity_component *c, int i, int j, int beside, float *open, float *rhs) {
    static const int step_x[4] = {-1, 1, 0, 0}, step_y[4] = {0, 0, -1, 1};
    const pd_layout *own = &c->loops.equation->layout;
    for (int n = 0; n < 4; n++) {
        int x = i + step_x[n], y = j + step_y[n];
        if (!(beside >> n & 1)) continue;
        bool inside = x >= 0 && y >= 0 && x < own->nx && y < own->ny, ahead = c->vertical ? n >= 2 : n < 2;
        float velocity = inside ? c->loops.velocity[pd_element_index(&c->mac->layout, x, y)] : 0, coefficient = 1;
        if (ahead && !inside) continue; /* The neighbour is beyond an open side, which exchanges nothing. */
        if (!ahead && !find_wall_velocity(c, x, y, &velocity, &coefficient)) continue;
        *open += coefficient;
        *rhs += coefficient * velocity;
    }
}

/* Adds the exchange with walls to the diagonal coefficients (open) and right-hand sides of the equations of a row of
 * faces. Both arrays may be NULL. */
static void add_walls_to_equations_of_row(const velocity_component *c, int j, float *open, float *rhs) {
    const pd_layout *l = &c->loops.equation->layout;
    const uint8_t *beside = c->loops.closed_neighbours + pd_element_index(l, 0, j);
    float unused = 0;
    for (int i = 0; i < l->nx; i++) {
        size_t at = pd_element_index(l, i, j);
        if (beside[i])
            add_walls_to_face_equation(c, i, j, beside[i], open ? &open[at] : &unused, rhs ? &rhs[at] : &unused);
    }
}

static void set_matrix_of_rows(void *context, int begin, int end) {
    const velocity_component *c = context;
    PD_SIMD_PICK(pd_grid_set_diffusion_matrix)(&c->loops, begin, end);
    for (int j = begin; j < end; j++) add_walls_to_equations_of_row(c, j, c->loops.equation->open, NULL);
}

static void set_rhs_of_rows(void *context, int begin, int end) {
    const velocity_component *c = context;
    PD_SIMD_PICK(pd_grid_set_diffusion_rhs)(&c->loops, begin, end);
    for (int j = begin; j < end; j++) add_walls_to_equations_of_row(c, j, NULL, c->loops.equation->rhs);
}

static void store_velocities_of_rows(void *context, int begin, int end) {
    const velocity_component *c = context;
    PD_SIMD_PICK(pd_grid_store_diffused_velocities)(&c->loops, begin, end);
}

/* Adds to the walls' impulses the momentum that viscosity transfers from the fluid to the walls. */
static void add_shear_impulses(const velocity_component *c, const pd_world *world) {
    const pd_layout *l = &c->loops.equation->layout;
    const pd_mac *mac = c->mac;
    const pd_impulses *impulses = pd_boundary_impulses(world->boundary);
    const double cell = mac->grid.cell, mass = (double)world->parameter[GRID_DENSITY] * cell * cell /
                                               pd_units_particle_mass(world) / (double)c->loops.inverse;
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            int beside = c->loops.closed_neighbours[pd_element_index(l, i, j)];
            float coefficient = 0, velocity = 0;
            if (!beside) continue;
            add_walls_to_face_equation(c, i, j, beside, &coefficient, &velocity);
            size_t k = pd_element_index(&mac->layout, i, j);
            double taken = mass * (double)c->loops.open[k] * (double)(coefficient * c->loops.velocity[k] - velocity);
            pd_double2 at = {i + (c->vertical ? 0.5 : 0), j + (c->vertical ? 0 : 0.5)};
            int wall = pd_mac_find_nearest_wall(mac, world->boundary, at);
            pd_impulses_add(impulses, 0, 1, wall, c->vertical ? 0 : taken, c->vertical ? taken : 0,
                            pd_mac_place(mac, at));
        }
}

/* Diffuses one component of the velocity. new_matrix: computes the equation's coefficients anew, because the walls, the
 * viscosity or dt have changed. */
static void diffuse_component(velocity_component *c, int grain, bool new_matrix, pd_pool *pool) {
    pd_poisson *p = c->loops.equation;
    int rows = p->layout.ny;
    if (new_matrix) {
        pd_parallel_for(pool, rows, grain, set_matrix_of_rows, c);
        pd_poisson_prepare(p, pool);
    }
    pd_parallel_for(pool, rows, grain, set_rhs_of_rows, c);
    float fastest = 0;
    for (int j = 0; j < rows; j++) fastest = c->loops.fastest[j] > fastest ? c->loops.fastest[j] : fastest;
    pd_poisson_method method = {PD_MULTIGRID, 20, 1, 1e-6f * fastest * c->loops.inverse};
    pd_poisson_solve(p, &method, pool, NULL);
    pd_parallel_for(pool, rows, grain, store_velocities_of_rows, c);
}

void pd_grid_diffuse_velocities(pd_world *world, grid_state *state, float dt) {
    pd_mac *mac = state->mac;
    float viscosity = world->parameter[GRID_VISCOSITY], cell = (float)mac->grid.cell;
    if (!(viscosity > 0) || !state->diffusion[0]) return;
    pd_mac_extrapolate_velocities(mac, NULL, 2, world->pool);
    float inverse = cell * cell / (viscosity * dt);
    if (!(inverse < 1e6f)) return; /* smaller viscosities change no bit of a float */
    for (int axis = 0; axis < 2; axis++) {
        velocity_component c = {.mac = mac, .vertical = axis == 1};
        c.loops = (grid_diffusion){.layout = &mac->layout,
                                   .equation = state->diffusion[axis],
                                   .open = axis ? mac->open_y : mac->open_x,
                                   .velocity = axis ? mac->v : mac->u,
                                   .closed_neighbours = state->closed_neighbours[axis],
                                   .fastest = state->next[0],
                                   .inverse = inverse};
        diffuse_component(&c, pd_grid_rows_per_chunk(state), inverse != state->matrix_diffusion_inverse, world->pool);
        add_shear_impulses(&c, world);
    }
    state->matrix_diffusion_inverse = inverse;
}

/* ---- Forces ---- */

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
