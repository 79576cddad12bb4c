/* Eulerian fluid on a staggered grid: Stam, "Stable Fluids", 1999, on the marker-and-cell grid of Harlow and Welch
 * 1965.
 *
 * A step consists of transport, forces, viscosity and projection. It ends with velocities free of divergence. The next
 * step begins with the transport of dyes, particles and velocities along them. The world's particles are passive
 * tracers. Materials are dyes in the cells, with densities of their own. */
#include "methods/grid/grid.h"

#include "core/archive.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "core/timer.h"
#include "mac/coupling.h"
#include "mac/reaction.h"
#include "scene/content/particle_list.h"
#include "sim/step.h"
#include "sim/view.h"
#include "sim/world.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Parameters ---- */

static const pd_parameter parameters[GRID_PARAMETERS] = {
    [GRID_RESOLUTION] = {"resolution", "Resolution", "cells", "Cells along the shorter side of the container", "",
                         .type = PD_PARAMETER_INTEGER, .scale = PD_SCALE_LOGARITHMIC, .default_value = 100,
                         .minimum = 8, .maximum = 4096, .rebuilds = true},
    [GRID_SOLVER] = {"solver", "Pressure solver", "",
                     "Solver of the pressure equation, which makes the velocity free of divergence", "",
                     .type = PD_PARAMETER_CHOICE, .default_value = PD_MULTIGRID, .maximum = 1,
                     .choices = "gauss_seidel|multigrid"},
    [GRID_ITERATIONS] = {"iterations", "Iterations", "",
                         "Sweeps of Gauss-Seidel in a substep, or greatest number of multigrid cycles", "",
                         .type = PD_PARAMETER_INTEGER, .default_value = 40, .minimum = 1, .maximum = 1000},
    [GRID_OVER_RELAXATION] = {"over_relaxation", "Over-relaxation", "",
                              "Over-relaxation factor of Gauss-Seidel; 1: none", "", .default_value = 1.9f,
                              .minimum = 1, .maximum = 1.99f},
    [GRID_TOLERANCE] = {"tolerance", "Tolerance", "1/s", "Root mean square of the divergence at which multigrid stops",
                        "", .scale = PD_SCALE_LOGARITHMIC, .default_value = 5e-4f, .minimum = 1e-6f, .maximum = 10},
    [GRID_ADVECTION] = {"advection", "Advection", "",
                        "Scheme of the transport: linear smooths, maccormack keeps more detail",
                        "Stam 1999; Selle, Fedkiw, Kim, Liu, Rossignac 2008", .type = PD_PARAMETER_CHOICE,
                        .default_value = GRID_MACCORMACK, .maximum = 1, .choices = "linear|maccormack"},
    [GRID_DENSITY] = {"density", "Density", "kg/m³",
                      "Density of the fluid: the pressure is proportional to this value, the motion is independent", "",
                      .scale = PD_SCALE_LOGARITHMIC, .default_value = 1000, .minimum = 0.001f, .maximum = 1e5f},
    [GRID_VISCOSITY] = {"viscosity", "Viscosity", "m²/s", "Kinematic viscosity", "", .scale = PD_SCALE_LOGARITHMIC,
                        .maximum = 10},
    [GRID_VORTICITY] = {"vorticity", "Vorticity confinement", "",
                        "Vorticity confinement: restores vortices that advection smooths away",
                        "Fedkiw, Stam, Jensen 2001", .maximum = 10},
    [GRID_BUOYANCY] =
        {"buoyancy", "Buoyancy", "",
         "Buoyancy factor of dyes: acceleration = factor x gravity x (mass of the dye's material - ambient)",
         "Boussinesq approximation", .default_value = 1, .maximum = 10},
    [GRID_AMBIENT] = {"ambient", "Ambient mass", "",
                      "Mass of the fluid without dye, relative as the mass of materials: dyes of a smaller mass rise",
                      "", .default_value = 0.5f, .maximum = 10},
};

/* ---- Impulses on walls ----
 *
 * Impulses of the pressure of a grid fluid on its walls. The shear at no-slip walls is in grid_forces.c. */

/* Returns the weight of fluid without dye that acts on bodies, in units of grid.density. With the excess weight of dyes
 * (grid_forces.c) a body is neutral in dye of its own density. */
static double factor_of_weight_at_bodies(const pd_world *world) {
    return 1 - (double)world->parameter[GRID_BUOYANCY] * (1 - (double)world->parameter[GRID_AMBIENT]);
}

/* Returns the pressure on walls in this substep: that of the projection and that of the fluid's weight. */
static pd_mac_pressure find_pressure_on_walls(const pd_world *world, const grid_state *state, float dt) {
    const double density = (double)world->parameter[GRID_DENSITY] / pd_units_particle_mass(world);
    const pd_vec2 g = world->scene.gravity;
    double seconds = (double)dt, rest = (double)pd_grid_hydrostatic_pressure(world, (pd_vec2){0, 0});
    return (pd_mac_pressure){
        .q = state->mac->poisson->q,
        .unit = density * state->mac->grid.cell,
        .level = rest * seconds / pd_units_particle_mass(world),
        .body_factor = factor_of_weight_at_bodies(world),
        .weight = {density * seconds * (double)g.x, density * seconds * (double)g.y},
    };
}

/* Solves the motion of bodies together with the pressure. Views and the next projection need the present q. */
static void set_body_corrections(const pd_world *world, grid_state *state, double unit, float dt) {
    const size_t bytes = state->mac->layout.count * sizeof(float);
    memcpy(state->work, state->mac->poisson->q, bytes);
    pd_mac_set_body_corrections(state->mac, world, unit, dt, (double)world->parameter[GRID_VISCOSITY]);
    memcpy(state->mac->poisson->q, state->work, bytes);
}

/* ---- The method ---- */

enum { TRACERS_PER_CHUNK = 2048, NEXT_ARRAYS = 2 * PD_MOST_TRANSPORTED };

int pd_grid_rows_per_chunk(const grid_state *state) {
    enum { CELLS_PER_CHUNK = 8192 };
    return state->mac->layout.nx >= CELLS_PER_CHUNK ? 1 : CELLS_PER_CHUNK / state->mac->layout.nx;
}

static void grid_destroy(void *memory) {
    grid_state *state = memory;
    pd_mac_destroy(state->mac);
    pd_grid_free_diffusion_equations(state);
    for (int k = 0; k < NEXT_ARRAYS; k++) pd_free(state->next[k]);
    for (int m = 0; m < state->dye_count; m++) pd_free(state->dye[m]);
    pd_free(state->work);
    pd_free(state->source);
    pd_free(state->sums);
}

static bool has_fluid_cell(const pd_mac *mac) {
    for (int j = 0; j < mac->layout.ny; j++)
        for (int i = 0; i < mac->layout.nx; i++)
            if (mac->open[pd_element_index(&mac->layout, i, j)] > 0) return true;
    return false;
}

static pd_result allocate_grid_arrays(grid_state *state, int dyes, pd_error *error) {
    size_t count = state->mac->layout.count;
    bool whole = true;
    for (int k = 0; k < NEXT_ARRAYS; k++) whole &= (state->next[k] = pd_allocate(count, sizeof(float))) != NULL;
    state->dye_count = dyes;
    for (int m = 0; m < dyes; m++) whole &= (state->dye[m] = pd_allocate(count, sizeof(float))) != NULL;
    whole &= (state->work = pd_allocate(count, sizeof(float))) != NULL;
    whole &= (state->source = pd_allocate(count, sizeof(float))) != NULL;
    whole &= (state->sums = pd_allocate(2 * (size_t)state->mac->layout.ny, sizeof(double))) != NULL;
    if (whole) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for a grid of %d x %d cells (lower grid.resolution)",
                   state->mac->layout.nx, state->mac->layout.ny);
}

static pd_grid choose_grid_of_world(const pd_world *world) {
    int resolution = (int)world->parameter[GRID_RESOLUTION];
    const pd_cells *cells = &world->scene.cells;
    /* Without a container pd_mac_choose_grid returns a square with sides of 6 x length. This length makes the square as
     * wide as the scene's cells. */
    int most = cells->columns > cells->rows ? cells->columns : cells->rows;
    double length = most > 0 ? most * (double)cells->size / 6 : (double)world->resolution.length;
    return pd_mac_choose_grid(&world->scene.container, world->resolution.center, length, resolution);
}

static pd_result grid_init(pd_world *world, void *memory, pd_error *error) {
    grid_state *state = memory;
    const pd_scene *scene = &world->scene;
    pd_grid grid = choose_grid_of_world(world);
    pd_result result = pd_mac_create(&state->mac, scene, &grid, world->boundary, 0, error);
    if (result == PD_OK) result = allocate_grid_arrays(state, scene->material_count, error);
    if (result == PD_OK && world->parameter[GRID_VISCOSITY] > 0)
        result = pd_grid_allocate_diffusion_equations(state, error);
    if (result == PD_OK && !has_fluid_cell(state->mac))
        result =
            pd_fail(error, PD_ERROR_SCENE_VALUE, "obstacles leave no room for the fluid (make the obstacles smaller)");
    return result;
}

/* Interpolates the fields of a state on a grid of another resolution. */
static void resample_fields(grid_state *to, grid_state *from) {
    enum { BLOCK = 256 };
    float x[BLOCK], y[BLOCK], other[BLOCK], value[BLOCK];
    const pd_layout *l = &to->mac->layout;
    float half = 0.5f * (float)to->mac->grid.cell;
    for (int m = 0; m < from->dye_count; m++) pd_mac_extrapolate_cells(from->mac, from->dye[m]);
    for (int j = 0; j <= l->ny; j++) {
        for (int first = 0; first <= l->nx; first += BLOCK) {
            int count = l->nx + 1 - first < BLOCK ? l->nx + 1 - first : BLOCK;
            size_t at = pd_element_index(l, first, j);
            for (int k = 0; k < count; k++) {
                pd_vec2 p = pd_mac_cell_center(to->mac, first + k, j);
                x[k] = p.x - half;
                y[k] = p.y;
            }
            pd_mac_interpolate_velocities(from->mac, 0, count, x, y, value, other);
            memcpy(to->mac->u + at, value, (size_t)count * sizeof(float));
            for (int k = 0; k < count; k++) {
                x[k] += half;
                y[k] -= half;
            }
            pd_mac_interpolate_velocities(from->mac, 0, count, x, y, other, value);
            memcpy(to->mac->v + at, value, (size_t)count * sizeof(float));
            for (int k = 0; k < count; k++) y[k] += half;
            for (int m = 0; m < from->dye_count && j < l->ny; m++)
                pd_mac_interpolate_cell_values(from->mac, from->dye[m], count, x, y, to->dye[m] + at);
        }
    }
    memcpy(to->has_dye, from->has_dye, sizeof to->has_dye);
}

static pd_poisson_method choose_solver(const pd_world *world, const grid_state *state) {
    return (pd_poisson_method){
        .solver = (pd_poisson_solver)world->parameter[GRID_SOLVER],
        .iterations = (int)world->parameter[GRID_ITERATIONS],
        .over_relaxation = world->parameter[GRID_OVER_RELAXATION],
        .tolerance = world->parameter[GRID_TOLERANCE] * (float)state->mac->grid.cell,
    };
}

static void update_pressure_unit(const pd_world *world, grid_state *state, float dt) {
    state->pressure_unit = (double)world->parameter[GRID_DENSITY] * state->mac->grid.cell / (double)dt;
}

static void project_velocities(pd_world *world, grid_state *state, float dt) {
    pd_poisson_method method = choose_solver(world, state);
    /* Gauss-Seidel starts from pressure 0: from the last pressure, few sweeps can gain energy. */
    if (method.solver == PD_GAUSS_SEIDEL) memset(state->mac->poisson->q, 0, state->mac->layout.count * sizeof(float));
    state->has_sources = pd_find_volume_sources(world, state->mac, dt, state->source);
    pd_mac_project_velocities(state->mac, NULL, state->has_sources ? state->source : NULL, &method, world->pool,
                              &state->report);
    pd_mac_limit_velocities_beside_bodies(state->mac, world);
    pd_mac_extrapolate_velocities(state->mac, NULL, 2, world->pool);
    update_pressure_unit(world, state, dt);
}

static pd_result grid_adapt_resolution(pd_world *world, void *memory, pd_error *error) {
    grid_state *state = memory, next = {0};
    pd_grid grid = choose_grid_of_world(world);
    if (grid.nx == state->mac->grid.nx && grid.ny == state->mac->grid.ny) {
        if (world->parameter[GRID_VISCOSITY] > 0) return pd_grid_allocate_diffusion_equations(state, error);
        return PD_OK;
    }
    pd_result result = grid_init(world, &next, error);
    if (result != PD_OK) {
        grid_destroy(&next);
        return result;
    }
    resample_fields(&next, state);
    grid_destroy(state);
    *state = next;
    project_velocities(world, state, world->scene.dt);
    return PD_OK;
}

/* Moves each dye to the new index of its material. new_dyes: arrays for the dyes of new materials. */
static void reorder_dyes_by_material(grid_state *state, const pd_edited *edit, int count, float **new_dyes) {
    float *dye[PD_MAX_MATERIALS] = {NULL};
    bool present[PD_MAX_MATERIALS] = {false};
    for (int m = 0; m < state->dye_count; m++) {
        int to = edit->material_to[m];
        if (to < 0) {
            pd_free(state->dye[m]);
            continue;
        }
        dye[to] = state->dye[m];
        present[to] = state->has_dye[m];
    }
    for (int m = 0; m < count; m++)
        if (!dye[m]) dye[m] = *new_dyes++;
    memcpy(state->dye, dye, sizeof dye);
    memcpy(state->has_dye, present, sizeof present);
    state->dye_count = count;
}

/* Refuses to remove a material whose dye is in the fluid. */
static pd_result check_removed_materials_have_no_dye(pd_world *world, grid_state *state, const pd_edited *edit,
                                                     pd_error *error) {
    pd_grid_measure_dye_amounts(world, state);
    for (int m = 0; m < state->dye_count; m++)
        if (edit->material_to[m] < 0 && state->amount[m] > 1e-3)
            return pd_fail(error, PD_ERROR_SCENE_VALUE,
                           "dye of the removed material is in the fluid (erase the dye first)");
    return PD_OK;
}

/* Updates walls and materials after an edit of the scene. In a closed container the amount of each dye is conserved. */
static pd_result grid_edit_walls_and_dyes(pd_world *world, void *memory, const pd_edited *edited,
                                          const pd_boundary *before, pd_error *error) {
    grid_state *state = memory;
    float *new_dyes[PD_MAX_MATERIALS] = {NULL};
    int needed = 0, kept = 0;
    pd_result result = check_removed_materials_have_no_dye(world, state, edited, error);
    for (int m = 0; m < state->dye_count; m++) kept += edited->material_to[m] >= 0;
    for (; result == PD_OK && needed < world->scene.material_count - kept; needed++)
        if (!(new_dyes[needed] = pd_allocate(state->mac->layout.count, sizeof(float))))
            result = pd_fail_memory(error, "a dye");
    if (result == PD_OK) result = pd_mac_replace_walls(state->mac, world->boundary, error);
    if (result == PD_OK && !has_fluid_cell(state->mac)) {
        result =
            pd_fail(error, PD_ERROR_SCENE_VALUE, "obstacles leave no room for the fluid (make the obstacles smaller)");
        pd_mac_replace_walls(state->mac, before, NULL);
    }
    if (result != PD_OK) {
        while (needed-- > 0) pd_free(new_dyes[needed]);
        return result;
    }
    pd_grid_restore_dye_amounts(world, state);
    reorder_dyes_by_material(state, edited, world->scene.material_count, new_dyes);
    state->matrix_diffusion_inverse = 0;
    return PD_OK;
}

/* Prepares the first picture: projects the velocities, sets the pressure to 0, and computes the tracers' velocities.
 * projected: true if the velocities are from the end of a step and need no projection, which would treat moving walls
 * as at rest. */
static void compute_first_velocities_and_pressure(pd_world *world, grid_state *state, bool projected) {
    pd_tool tool = world->tool;
    world->tool.kind = PD_TOOL_NONE;
    if (projected) {
        state->has_sources = pd_find_volume_sources(world, state->mac, world->scene.dt, state->source);
        update_pressure_unit(world, state, world->scene.dt);
    } else {
        project_velocities(world, state, world->scene.dt);
    }
    world->tool = tool;
    memset(state->mac->poisson->q, 0, state->mac->layout.count * sizeof(float));
    pd_particles *p = &world->particles;
    pd_mac_interpolate_velocities(state->mac, 0, p->count, p->x, p->y, p->vx, p->vy);
}

static void grid_reset(pd_world *world, void *memory) {
    grid_state *state = memory;
    if (pd_mac_update_walls(state->mac, world->boundary)) state->matrix_diffusion_inverse = 0;
    bool projected = false;
    if (world->scene.cells.columns > 0)
        projected = pd_grid_set_fields_from_scene_cells(world, state);
    else if (pd_scene_has_listed_particles(&world->scene))
        pd_grid_set_fields_from_particles(world, state);
    else
        pd_grid_set_fields_from_regions(world, state);
    compute_first_velocities_and_pressure(world, memory, projected);
}

static void grid_start_after_method(pd_world *world, void *memory, const pd_method *previous) {
    if (!previous || (world->step == 0 && world->substep_total == 0)) {
        grid_reset(world, memory);
        return;
    }
    pd_grid_set_fields_from_particles(world, memory);
    compute_first_velocities_and_pressure(world, memory, false);
}

/* Returns the greatest absolute velocity at the faces of one axis, m/s. Ghost cells are excluded, because at a
 * sliding wall their velocity is up to twice the wall's speed. */
static float greatest_face_speed(const pd_layout *l, int columns, int rows, const float *values) {
    float fastest = 0;
    for (int j = 0; j < rows; j++) {
        float of_row = PD_SIMD_PICK(pd_grid_greatest_magnitude)(values + pd_element_index(l, 0, j), columns);
        fastest = of_row > fastest ? of_row : fastest;
    }
    return fastest;
}

/* Limits the substep by the transport, which is stable at any step but loses accuracy where fluid moves by many cells:
 * fluid moves by at most CELLS_PER_SUBSTEP cells, unless more than MOST_SUBSTEPS substeps were needed. */
static int grid_substep_limits(const pd_world *world, const void *memory, pd_substep_limit *limits) {
    static const float CELLS_PER_SUBSTEP = 5, MOST_SUBSTEPS = 32;
    const grid_state *state = memory;
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    float u = greatest_face_speed(l, l->nx + 1, l->ny, mac->u), v = greatest_face_speed(l, l->nx, l->ny + 1, mac->v);
    float fastest = fmaxf(pd_world_max_wall_speed(world), fmaxf(u, v));
    float seconds =
        fmaxf(CELLS_PER_SUBSTEP * (float)mac->grid.cell / (fastest + 1e-15f), world->scene.dt / MOST_SUBSTEPS);
    limits[0] = (pd_substep_limit){-1, fastest, seconds};
    return 1;
}

static float grid_cell_size(const void *memory) { return (float)((const grid_state *)memory)->mac->grid.cell; }

static bool grid_write_warning(const pd_world *world, const void *memory, int index, char *text, size_t size) {
    /* Measured memory for one cell with one dye, bytes; memory from which the warning appears, bytes. */
    const double bytes_per_cell = 190, large = 1e9;
    const grid_state *state = memory;
    pd_grid grid = choose_grid_of_world(world);
    double bytes = (double)grid.nx * grid.ny * (bytes_per_cell + 4 * (world->scene.material_count - 1));
    if (bytes >= large && index-- == 0) {
        snprintf(text, size, "a grid of %d x %d cells takes %.1f GB (lower grid.resolution)", grid.nx, grid.ny,
                 bytes * 1e-9);
        return true;
    }
    if (!state || !(state->mac->stopped_inflow > 0) || index != 0) return false;
    snprintf(text, size, "an inflow of %.3g m^2/s has no way out and is stopped (move the obstacle in the way)",
             state->mac->stopped_inflow);
    return true;
}

static void advect_velocities(pd_world *world, grid_state *state, float dt) {
    pd_mac *mac = state->mac;
    bool corrected = world->parameter[GRID_ADVECTION] == GRID_MACCORMACK;
    float *velocity[2] = {mac->u, mac->v};
    float *results[2];
    for (int axis = 0; axis < 2; axis++) {
        float *forth = corrected ? state->work : state->next[axis];
        pd_transport t = {mac,     axis ? PD_AT_FACES_Y : PD_AT_FACES_X,  dt, 1, {velocity[axis]},
                          {forth}, {corrected ? state->next[axis] : NULL}};
        /* The transport does not write ghost cells, so their values are copied. */
        memcpy(state->next[axis], velocity[axis], mac->layout.count * sizeof(float));
        if (corrected) memcpy(forth, velocity[axis], mac->layout.count * sizeof(float));
        pd_advect_arrays(&t, world->pool);
        if (corrected) pd_correct_advection_maccormack(&t, world->pool);
        results[axis] = state->next[axis];
    }
    state->next[0] = mac->u;
    state->next[1] = mac->v;
    mac->u = results[0];
    mac->v = results[1];
}

typedef struct tracer_job {
    pd_world *world;
    const pd_mac *mac;
    float dt;
} tracer_job;

static void move_tracers(void *context, int begin, int end) {
    const tracer_job *job = context;
    const pd_particles *p = &job->world->particles;
    size_t bytes = (size_t)(end - begin) * sizeof(float);
    memcpy(p->old_x + begin, p->x + begin, bytes);
    memcpy(p->old_y + begin, p->y + begin, bytes);
    pd_advect_particles(job->mac, job->dt, begin, end, p->x, p->y);
    pd_boundary_stop_tracers_at_walls(job->world->boundary, end - begin, p->old_x + begin, p->old_y + begin,
                                      p->x + begin, p->y + begin);
}

static void update_tracer_velocities(void *context, int begin, int end) {
    const tracer_job *job = context;
    const pd_particles *p = &job->world->particles;
    pd_mac_interpolate_velocities(job->mac, begin, end, p->x, p->y, p->vx, p->vy);
}

static void grid_step(pd_world *world, void *memory, float dt) {
    grid_state *state = memory;
    tracer_job tracers = {world, state->mac, dt};
    double since = pd_now();
    pd_grid_measure_dye_amounts(world, state);
    if (pd_mac_update_walls(state->mac, world->boundary)) state->matrix_diffusion_inverse = 0;
    /* Extrapolates even if no wall has moved, because after a snapshot was restored it is unknown whether a wall has
     * moved. */
    pd_mac_extrapolate_velocities(state->mac, NULL, 2, world->pool);
    pd_stage_end(world, "walls", &since);
    pd_parallel_for(world->pool, world->particles.count, TRACERS_PER_CHUNK, move_tracers, &tracers);
    pd_stage_end(world, "tracers", &since);
    pd_grid_transport_dyes(world, state, dt);
    pd_stage_end(world, "dyes", &since);
    advect_velocities(world, state, dt);
    pd_stage_end(world, "advection", &since);
    pd_grid_apply_dye_sources(world, state, dt);
    pd_grid_apply_forces(world, state, dt);
    pd_stage_end(world, "forces", &since);
    pd_grid_diffuse_velocities(world, state, dt);
    pd_stage_end(world, "viscosity", &since);
    project_velocities(world, state, dt);
    pd_stage_end(world, "projection", &since);
    pd_mac_pressure pressure = find_pressure_on_walls(world, state, dt);
    pd_mac_add_wall_impulses(state->mac, world->boundary, pd_boundary_impulses(world->boundary), &pressure);
    pd_mac_add_film_impulses(state->mac, world, &pressure);
    set_body_corrections(world, state, pressure.unit, dt);
    pd_stage_end(world, "bodies", &since);
    /* This loop comes after painting, which may have added tracers. */
    pd_parallel_for(world->pool, world->particles.count, TRACERS_PER_CHUNK, update_tracer_velocities, &tracers);
    pd_stage_end(world, "tracers", &since);
}

/* Saving: writes zeros instead of `count` ghost values. Restoring: skips them. */
static void save_ghost_zeros_or_skip(pd_archive *archive, size_t count) {
    float zeros[64] = {0};
    for (size_t done = 0; done < count; done += 64)
        pd_archive_transfer(archive, zeros, (count - done < 64 ? count - done : 64) * sizeof *zeros);
}

/* Saves or restores the columns [0, nx + extra_columns) and the rows [0, ny + extra_rows) of `values`. The other
 * elements, ghost values, are recomputed at the beginning of a step, or not used. */
static void save_or_restore_inner_values(pd_archive *archive, const pd_mac *mac, int extra_columns, int extra_rows,
                                         float *values) {
    const pd_layout *l = &mac->layout;
    size_t at = 0, columns = (size_t)(l->nx + extra_columns);
    for (int j = 0; j < l->ny + extra_rows; j++) {
        size_t row = pd_element_index(l, 0, j);
        save_ghost_zeros_or_skip(archive, row - at);
        pd_archive_transfer(archive, values + row, columns * sizeof *values);
        for (size_t i = 0; pd_archive_validates(archive) && i < columns; i++)
            if (!isfinite(values[row + i])) archive->failed = true;
        at = row + columns;
    }
    save_ghost_zeros_or_skip(archive, l->count - at);
}

static void grid_save_or_restore(pd_world *world, void *memory, pd_archive *archive) {
    grid_state *state = memory;
    pd_mac *mac = state->mac;
    uint32_t present = 0;
    uint8_t has_sources = state->has_sources;
    int32_t size[2] = {mac->layout.nx, mac->layout.ny}, kept[2] = {size[0], size[1]};
    pd_archive_transfer(archive, size, sizeof size);
    if (size[0] != kept[0] || size[1] != kept[1]) archive->failed = true;
    save_or_restore_inner_values(archive, mac, 1, 0, mac->u);
    save_or_restore_inner_values(archive, mac, 0, 1, mac->v);
    save_or_restore_inner_values(archive, mac, 0, 0, mac->poisson->q);
    pd_archive_transfer(archive, &state->pressure_unit, sizeof state->pressure_unit);
    pd_archive_transfer(archive, &has_sources, sizeof has_sources);
    state->has_sources = has_sources != 0;
    if (archive->reading && pd_mac_update_walls(mac, world->boundary)) state->matrix_diffusion_inverse = 0;
    for (int m = 0; m < state->dye_count; m++) present |= (uint32_t)state->has_dye[m] << m;
    pd_archive_transfer(archive, &present, sizeof present);
    for (int m = 0; m < state->dye_count; m++) {
        state->has_dye[m] = present >> m & 1;
        if (state->has_dye[m]) save_or_restore_inner_values(archive, mac, 0, 0, state->dye[m]);
    }
}

static size_t grid_estimate_saved_bytes(const void *memory) {
    const grid_state *state = memory;
    size_t arrays = 3;
    for (int m = 0; m < state->dye_count; m++) arrays += state->has_dye[m];
    return arrays * state->mac->layout.count * sizeof(float);
}

static const pd_view_mode views[] = {
    {"smoke", PD_VIEW_DYES, "smoke", PD_LINES_NONE},
    {"speed", PD_VIEW_IMAGE, "speed", PD_LINES_NONE},
    {"pressure", PD_VIEW_IMAGE, "pressure", PD_LINES_CONTOURS},
    {"vorticity", PD_VIEW_IMAGE, "vorticity", PD_LINES_NONE},
    {"divergence", PD_VIEW_IMAGE, "divergence", PD_LINES_NONE},
    {"streamlines", PD_VIEW_IMAGE, "speed", PD_LINES_STREAMLINES},
    {"arrows", PD_VIEW_DYES, "smoke", PD_LINES_ARROWS},
    {"sprites", PD_VIEW_SPRITES, NULL, PD_LINES_NONE},
    {"surface", PD_VIEW_SURFACE, NULL, PD_LINES_NONE},
};

extern const pd_method pd_method_grid;
const pd_method pd_method_grid = {
    .info =
        {
            .name = "grid",
            .title = "Grid fluid",
            .idea = "Computes velocity and pressure in cells, which carry dyes",
            .suits = "Smoke, ink and wind, in cells that fill the container",
            .source = "Stam 1999; marker-and-cell grid of Harlow, Welch 1965",
            .parameter_count = GRID_PARAMETERS,
            .field_count = GRID_FIELDS,
            .number_count = GRID_NUMBERS,
            .view_count = sizeof views / sizeof *views,
            .features =
                PD_FEATURE_WALLS | PD_FEATURE_NO_SLIP | PD_FEATURE_AMOUNT | PD_FEATURE_CELLS | PD_FEATURE_BODIES,
            .paints = true,
        },
    .parameters = parameters,
    .fields = pd_grid_fields,
    .numbers = pd_grid_numbers,
    .views = views,
    .state_size = sizeof(grid_state),
    .init = grid_init,
    .adapt = grid_adapt_resolution,
    .edit = grid_edit_walls_and_dyes,
    .start = grid_start_after_method,
    .reset = grid_reset,
    .substep_limits = grid_substep_limits,
    .cell = grid_cell_size,
    .warning = grid_write_warning,
    .step = grid_step,
    .field = pd_grid_compute_field,
    .number = pd_grid_compute_view_number,
    .cells = pd_grid_write_fields_to_scene_cells,
    .serialize = grid_save_or_restore,
    .saved_bytes = grid_estimate_saved_bytes,
    .destroy = grid_destroy,
};
