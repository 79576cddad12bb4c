/* Viscosity of the grid fluid: implicit diffusion of each component of the velocity. A component has an equation of its
 * own, whose cells are the component's faces. */
#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "methods/grid/grid.h"
#include "methods/grid/grid_levels.h"
#include "sim/units.h"

#include <math.h>

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
    grid_diffusion loops; /* arguments of the loops (grid_levels.h) */
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
