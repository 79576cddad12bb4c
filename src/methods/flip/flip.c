/* FLIP (fluid-implicit particles): particles carry mass and velocity, and a staggered grid makes the velocities free of
 * divergence.
 *
 * Sources: Brackbill, Ruppel, "FLIP: a method for adaptively zoned, particle-in-cell calculations of fluid flows in two
 * dimensions", 1986; Zhu, Bridson, "Animating Sand as a Fluid", 2005; Jiang et al., "The Affine Particle-In-Cell
 * Method", 2015; Bridson, "Fluid Simulation for Computer Graphics", 2nd ed., ch. 7. */
#include "methods/flip/flip.h"

#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/simd.h"
#include "core/timer.h"
#include "mac/coupling.h"
#include "mac/reaction.h"
#include "sim/particles/ramp.h"
#include "sim/step.h"
#include "sim/view.h"
#include "sim/walls/solid.h"
#include "sim/world.h"
#include <math.h>
#include <string.h>

/* ---- Parameters ---- */

static const pd_parameter parameters[FLIP_PARAMETERS] = {
    [FLIP_RESOLUTION] = {"resolution", "Resolution", "cells",
                         "Cells along the shorter side of the container; the default gives four particles per cell", "",
                         .type = PD_PARAMETER_INTEGER, .scale = PD_SCALE_LOGARITHMIC, .default_value = 29, .minimum = 4,
                         .maximum = 4096, .rebuilds = true, .follows = {.resolution = -1}},
    [FLIP_SOLVER] = {"solver", "Pressure solver", "",
                     "Solver of the pressure equation, which makes the velocity free of divergence", "",
                     .type = PD_PARAMETER_CHOICE, .default_value = PD_MULTIGRID, .maximum = 1,
                     .choices = "gauss_seidel|multigrid"},
    [FLIP_ITERATIONS] = {"iterations", "Iterations", "",
                         "Greatest number of multigrid cycles, or of Gauss-Seidel sweeps, in a substep", "",
                         .type = PD_PARAMETER_INTEGER, .scale = PD_SCALE_LOGARITHMIC, .default_value = 20, .minimum = 1,
                         .maximum = 1000},
    [FLIP_TRANSFER] = {"transfer", "Transfer", "", "Transfer of velocities from the grid to the particles",
                       "Harlow 1962, Brackbill and Ruppel 1986, Jiang et al. 2015", .type = PD_PARAMETER_CHOICE,
                       .default_value = FLIP_FLIP, .maximum = 2, .choices = "pic|flip|apic"},
    [FLIP_BLEND] = {"blend", "FLIP share", "",
                    "Share of FLIP over 1/60 s, with transfer flip: 1 keeps all motion and noise, 0 is PIC",
                    "Zhu and Bridson 2005", .default_value = 0.95f, .maximum = 1},
    [FLIP_VISCOSITY] = {"viscosity", "Viscosity", "m²/s", "Kinematic viscosity", "", .scale = PD_SCALE_LOGARITHMIC,
                        .maximum = 10},
    [FLIP_SPREADING] = {"spreading", "Spreading", "", "Part of density errors and overlaps that is corrected in 1/60 s",
                        "Kugelstadt et al. 2019, Ando and Tsuruno 2011", .default_value = 0.3f, .maximum = 1},
    [FLIP_DAMPING] = {"damping", "Damping", "1/s",
                      "Rate at which slow motion decays; fast fluid and drops in flight are hardly damped", "",
                      .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.15f, .maximum = 100},
};

enum { ROWS_PER_CHUNK = 16, PARTICLES_PER_CHUNK = 2048 };

static const pd_flip_kernels *kernels(void) { return PD_SIMD_PICK(pd_flip_kernels); }

/* Computes `open_around` and `open_area`. open_around has the weights with which evenly spread particles contribute to
 * the fill of a cell (pd_flip_kernels.compute_fill_and_distance). They are the mean of two products: (1/4, 1/2, 1/4)
 * across times (1/8, 3/4, 1/8) up, and the same with across and up exchanged. */
static void compute_open_areas(flip_state *state) {
    const pd_layout *l = &state->mac->layout;
    const float *open = state->mac->open;
    double area = 0;
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            const float *o = open + pd_element_index(l, i, j), *above = o + l->stride, *below = o - l->stride;
            float corners = (above[-1] + above[1]) + (below[-1] + below[1]);
            float sides = (o[-1] + o[1]) + (above[0] + below[0]);
            state->open_around[pd_element_index(l, i, j)] = 0.375f * o[0] + 0.125f * sides + 0.03125f * corners;
            area += (double)o[0];
        }
    state->open_area = area * state->mac->grid.cell * state->mac->grid.cell;
}

enum { ARRAYS = 15, PAIRS = 2, MOST_RUNS = 1 << 18 };

static void list_grid_arrays(flip_state *state, float **arrays[ARRAYS]) {
    float **all[ARRAYS] = {&state->pair_x,      &state->pair_y,    &state->number_x,  &state->number_y,
                           &state->old_u,       &state->old_v,     &state->carrier_u, &state->carrier_v,
                           &state->open_around, &state->fill,      &state->distance,  &state->pressure,
                           &state->rate,        &state->inverse_u, &state->inverse_v};
    memcpy(arrays, all, sizeof all);
}

static void flip_destroy(void *memory) {
    flip_state *state = memory;
    float **arrays[ARRAYS];
    list_grid_arrays(state, arrays);
    for (int k = 0; k < ARRAYS; k++) pd_free(*arrays[k]);
    pd_free(state->marks);
    pd_free(state->runs);
    pd_mac_destroy(state->mac);
}

static pd_result flip_init(pd_world *world, void *memory, pd_error *error) {
    flip_state *state = memory;
    pd_result result = pd_flip_create_mac(world, &state->mac, error);
    if (result != PD_OK) return result;
    pd_grid grid = state->mac->grid;
    float **arrays[ARRAYS];
    size_t count = state->mac->layout.count;
    list_grid_arrays(state, arrays);
    bool whole = true;
    for (int k = 0; k < ARRAYS; k++) {
        *arrays[k] = pd_allocate(k < PAIRS ? 2 * count : count, sizeof(float));
        whole &= *arrays[k] != NULL;
    }
    state->run_capacity = grid.nx / 2 + 1 < MOST_RUNS / grid.ny ? (grid.nx / 2 + 1) * grid.ny : MOST_RUNS;
    state->marks = pd_allocate(count, 1);
    state->runs = pd_allocate((size_t)state->run_capacity, sizeof *state->runs);
    if (!whole || !state->marks || !state->runs)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for a grid of %d x %d cells (lower the resolution)",
                       grid.nx, grid.ny);
    compute_open_areas(state);
    return PD_OK;
}

static bool are_grids_equal(const pd_grid *a, const pd_grid *b) {
    return a->nx == b->nx && a->ny == b->ny && a->cell == b->cell && a->origin.x == b->origin.x &&
           a->origin.y == b->origin.y;
}

/* Replaces the grid after a change of resolution, or of the places of the particles without a container. Nothing is
 * copied: the particles carry all values that the next substep needs. */
static pd_result flip_adapt_grid(pd_world *world, void *memory, pd_error *error) {
    flip_state *state = memory, next = {0};
    pd_grid grid = pd_flip_choose_grid(world);
    if (are_grids_equal(&grid, &state->mac->grid)) return PD_OK;
    pd_result result = flip_init(world, &next, error);
    if (result != PD_OK) {
        flip_destroy(&next);
        return result;
    }
    flip_destroy(state);
    *state = next;
    return PD_OK;
}

static pd_result flip_edit_walls(pd_world *world, void *memory, const pd_edited *edited, const pd_boundary *before,
                                 pd_error *error) {
    flip_state *state = memory;
    (void)edited;
    (void)before;
    pd_result result = pd_flip_replace_walls(world, state->mac, error);
    if (result == PD_OK) compute_open_areas(state);
    return result;
}

/* Sets the distance to the surface to 0, so that no cell is liquid: views show no liquid until the next step. */
static void flip_reset(pd_world *world, void *memory) {
    flip_state *state = memory;
    (void)world;
    memset(state->distance, 0, state->mac->layout.count * sizeof(float));
}

/* Chooses the width of the sort's buckets. A bucket is a group of consecutive cells of a row; one more bucket, the
 * last, is for particles outside of the grid. */
static void choose_sort_buckets(flip_state *state, int count) {
    const pd_layout *l = &state->mac->layout;
    int64_t limit = (int64_t)4 * count + 4000;
    state->shift = 0;
    state->columns = l->nx;
    while ((int64_t)state->columns * l->ny > limit && state->columns > 1) {
        state->shift++;
        state->columns = ((l->nx - 1) >> state->shift) + 1;
    }
}

static void separate_coincident_particles(void *context, int begin, int end) {
    pd_motion_separate_coincident(context, begin, end);
}

static void sort_particles(pd_world *world, flip_loop_data *s, const pd_motion *motion) {
    flip_state *state = s->state;
    choose_sort_buckets(state, world->particles.count);
    pd_parallel_for(world->pool, world->particles.count, PARTICLES_PER_CHUNK, kernels()->find_sort_buckets, s);
    pd_neighbours_sort_keys(&world->neighbours, world->particles.count, state->mac->layout.ny * state->columns + 1);
    pd_neighbours_reorder_particles(&world->neighbours, &world->particles, false, world->pool);
    s->start = world->neighbours.start;
    state->particles_outside = world->particles.count - s->start[state->mac->layout.ny * state->columns];
    pd_parallel_for(world->pool, world->particles.count, PARTICLES_PER_CHUNK, separate_coincident_particles,
                    (void *)(uintptr_t)motion);
}

static void add_momentum_of_particles_to_faces(flip_loop_data *s) {
    const pd_layout *l = &s->state->mac->layout;
    memset(s->state->pair_x, 0, 2 * l->count * sizeof(float));
    memset(s->state->pair_y, 0, 2 * l->count * sizeof(float));
    int blocks = (l->ny + FLIP_BLOCK - 1) / FLIP_BLOCK;
    for (s->colour = 0; s->colour < 2; s->colour++)
        pd_parallel_for(s->world->pool, (blocks + 1 - s->colour) / 2, 1, kernels()->transfer_to_faces, s);
}

static void count_particles_around_faces(flip_loop_data *s) {
    s->pairs_are_counts = true;
    add_momentum_of_particles_to_faces(s);
    pd_parallel_for(s->world->pool, s->state->mac->layout.ny + 2, ROWS_PER_CHUNK, kernels()->compute_particle_numbers,
                    s);
    s->pairs_are_counts = false;
}

/* Begins the rest-density ramp (sim/particles/ramp.h), in its first substep: where the particles are too dense, their
 * present density becomes the rest density at the beginning of the ramp. Where they are less dense there may be a
 * surface, and there is no ramp. */
static void begin_rest_density_ramp(flip_loop_data *s) {
    const flip_state *state = s->state;
    const pd_layout *l = &state->mac->layout;
    s->factor = NULL;
    count_particles_around_faces(s);
    pd_parallel_for(s->world->pool, l->ny, ROWS_PER_CHUNK, kernels()->compute_fill_and_distance, s);
    for (int k = 0; k < s->particles->count; k++) {
        int i = (int)((s->particles->x[k] - s->origin_x) * s->inverse_cell);
        int j = (int)((s->particles->y[k] - s->origin_y) * s->inverse_cell);
        bool inside = i >= 0 && i < l->nx && j >= 0 && j < l->ny;
        pd_density_ramp_factor(s->world, k, inside ? fmaxf(state->fill[pd_element_index(l, i, j)], 1) : 1);
    }
}

static void transfer_to_faces(flip_loop_data *s) {
    const pd_layout *l = &s->state->mac->layout;
    pd_pool *pool = s->world->pool;
    if (s->world->ramp == 1) begin_rest_density_ramp(s);
    s->factor = s->world->ramp > 0 ? s->world->particles.method[FLIP_RAMP] : NULL;
    if (s->has_mixed_masses || s->factor) count_particles_around_faces(s);
    add_momentum_of_particles_to_faces(s);
    pd_parallel_for(pool, l->ny + 2, ROWS_PER_CHUNK, kernels()->compute_velocities, s);
    pd_parallel_for(pool, l->ny, ROWS_PER_CHUNK, kernels()->mark_touched_and_wall_cells, s);
}

typedef struct force_job {
    const pd_motion *motion;
    flip_state *state;
    bool has_mixed_masses;
} force_job;

static float clamp_velocity(float speed, float fastest) {
    if (!(speed > -fastest)) return -fastest;
    return speed < fastest ? speed : fastest;
}

/* Applies gravity and the tool to the faces of row j. horizontal: to horizontal faces (y velocity), otherwise to
 * vertical faces (x velocity). */
static void apply_forces_to_row(const force_job *job, int j, bool horizontal) {
    const flip_state *state = job->state;
    const pd_motion *m = job->motion;
    const pd_grid *g = &state->mac->grid;
    const pd_layout *l = &state->mac->layout;
    size_t row = (size_t)j * (size_t)l->stride;
    const float *number = (horizontal ? state->number_y : state->number_x) + row;
    float *velocity = (horizontal ? state->mac->v : state->mac->u) + row;
    float gravity = (horizontal ? m->world->scene.gravity.y : m->world->scene.gravity.x) * m->dt;
    const float *inverse = (horizontal ? state->inverse_v : state->inverse_u) + row;
    float y = (float)(g->origin.y + (j - (horizontal ? 1 : 0.5)) * g->cell);
    for (int i = 0; i < l->stride; i++) velocity[i] += number[i] > 0 ? gravity : 0;
    for (int i = 0; i < l->nx + 2 && m->tool.kind != PD_TOOL_NONE; i++) {
        float x = (float)(g->origin.x + (i - (horizontal ? 0.5 : 1)) * g->cell);
        float vx = velocity[i], vy = velocity[i];
        if (number[i] > 0)
            pd_tool_field_change_velocity(&m->tool, m->dt, job->has_mixed_masses ? inverse[i] : m->inverse_mass[0], x,
                                          y, &vx, &vy);
        velocity[i] = horizontal ? vy : vx;
    }
    for (int i = 0; i < l->stride; i++) velocity[i] = clamp_velocity(velocity[i], m->speed_limit);
}

static void apply_forces_to_rows(void *context, int begin, int end) {
    const force_job *job = context;
    for (int j = begin; j < end; j++) {
        apply_forces_to_row(job, j, false);
        apply_forces_to_row(job, j, true);
    }
}

/* reference_speed of pd_flip_damp_bodies_at_walls, in units of sqrt(g L) (pd_resolution). Faster motion is damped less. */
static const float REFERENCE_SPEED = 0.2f;

/* Stores the total momentum at the faces in state->momentum: the sum of mass (pair_x, pair_y) x velocity. */
static void store_momentum_at_faces(flip_state *state) {
    const pd_mac *mac = state->mac;
    double x = 0, y = 0;
    for (size_t k = 0; k < mac->layout.count; k++) {
        x += (double)state->pair_x[2 * k + 1] * (double)mac->u[k];
        y += (double)state->pair_y[2 * k + 1] * (double)mac->v[k];
    }
    state->momentum = (pd_double2){x, y};
}

static void apply_forces(const pd_motion *motion, const flip_loop_data *s) {
    flip_state *state = s->state;
    force_job job = {motion, state, s->has_mixed_masses};
    pd_parallel_for(motion->world->pool, state->mac->layout.ny + 2, ROWS_PER_CHUNK, apply_forces_to_rows, &job);
    store_momentum_at_faces(state);
    pd_flip_find_liquid_bodies(state);
    const pd_resolution *scale = &motion->world->resolution;
    pd_flip_damp_bodies_at_walls(state, 1 - pd_expf(-motion->world->parameter[FLIP_DAMPING] * motion->dt),
                                 REFERENCE_SPEED * sqrtf(scale->gravity * scale->length));
}

/* Sets `distance` and `fill` of a ghost cell to those of the neighbouring cell `cell`, with a positive distance
 * (pd_liquid). */
static void set_fill_and_distance_of_ghost_cell(flip_state *state, size_t ghost, size_t cell) {
    state->distance[ghost] = fabsf(state->distance[cell]);
    state->fill[ghost] = state->fill[cell];
}

static void set_fill_and_distance_of_ghost_cells(flip_state *state) {
    const pd_layout *l = &state->mac->layout;
    for (int i = 0; i < l->nx; i++) {
        set_fill_and_distance_of_ghost_cell(state, pd_element_index(l, i, -1), pd_element_index(l, i, 0));
        set_fill_and_distance_of_ghost_cell(state, pd_element_index(l, i, l->ny), pd_element_index(l, i, l->ny - 1));
    }
    for (int j = -1; j <= l->ny; j++) {
        set_fill_and_distance_of_ghost_cell(state, pd_element_index(l, -1, j), pd_element_index(l, 0, j));
        set_fill_and_distance_of_ghost_cell(state, pd_element_index(l, l->nx, j), pd_element_index(l, l->nx - 1, j));
    }
}

static void compute_surface_distances(flip_loop_data *s) {
    pd_parallel_for(s->world->pool, s->state->mac->layout.ny, ROWS_PER_CHUNK, kernels()->compute_fill_and_distance, s);
    set_fill_and_distance_of_ghost_cells(s->state);
}

/* Number of layers of faces in air to which velocities are extrapolated: enough to interpolate at the particles, or along
 * their paths. */
enum { LAYERS_AT_PARTICLES = 1, LAYERS_ALONG_PATHS = 4 };

/* Residual at which multigrid stops, in units of sqrt(g L) (pd_resolution). This residual displaces particles by less
 * than rounding errors do, so that mirrored scenes remain mirrored. */
static const float TOLERANCE = 3e-7f;

static pd_poisson_method choose_solver(const flip_loop_data *s) {
    const pd_world *world = s->world;
    return (pd_poisson_method){
        .solver = (pd_poisson_solver)lroundf(world->parameter[FLIP_SOLVER]),
        .iterations = (int)lroundf(world->parameter[FLIP_ITERATIONS]),
        .over_relaxation = 1.9f,
        .tolerance = TOLERANCE * sqrtf(world->resolution.gravity * world->resolution.length),
    };
}

/* Returns the arguments that describe the liquid to the functions of mac.h. A face in air with particles around has a
 * known velocity, so that drops fly freely. */
static pd_liquid make_liquid_arguments(const flip_loop_data *s) {
    const flip_state *state = s->state;
    return (pd_liquid){.distance = state->distance,
                       .known_x = state->number_x,
                       .known_y = state->number_y,
                       .inverse_x = s->has_mixed_masses ? state->inverse_u : NULL,
                       .inverse_y = s->has_mixed_masses ? state->inverse_v : NULL};
}

/* Returns, by cell, the expansion (1/s) that the particles emitted in this step need, spread over the mouths of their
 * emitters. Returns NULL if there are none. The fluid is pushed away by as much as is added. */
static const float *emitter_expansion(const flip_loop_data *s) {
    enum { POINTS_PER_CELL = 4, MOST_POINTS = 4096 }; /* points along the mouth at which fluid enters */
    const pd_scene *scene = &s->world->scene;
    flip_state *state = s->state;
    const pd_layout *l = &state->mac->layout;
    bool any = false;
    for (int e = 0; e < scene->emitter_count; e++) any |= s->world->emitted_now[e] > 0;
    if (!any) return NULL;
    memset(state->rate, 0, l->count * sizeof(float));
    for (int k = 0; k < scene->emitter_count; k++) {
        const pd_emitter *e = &scene->emitters[k];
        float rate = (float)s->world->emitted_now[k] / scene->dt;
        int points = (int)fminf(POINTS_PER_CELL * e->width * s->inverse_cell, MOST_POINTS) + 1;
        float length = pd_hypotf(e->direction.x, e->direction.y), ahead = fminf(e->speed * s->dt, s->cell) / 2;
        float x = e->direction.x / length, y = e->direction.y / length;
        for (int n = 0; n < points; n++) {
            float across = (((float)n + 0.5f) / (float)points - 0.5f) * e->width;
            float gx = (e->position.x + x * ahead - y * across - s->origin_x) * s->inverse_cell;
            float gy = (e->position.y + y * ahead + x * across - s->origin_y) * s->inverse_cell;
            if (!(gx >= 0 && gx < (float)l->nx && gy >= 0 && gy < (float)l->ny)) continue;
            state->rate[pd_element_index(l, (int)gx, (int)gy)] += rate * s->particle_area / (float)points;
        }
    }
    return state->rate;
}

static void diffuse_and_project_velocities(flip_loop_data *s) {
    flip_state *state = s->state;
    pd_mac *mac = state->mac;
    pd_liquid liquid = make_liquid_arguments(s);
    pd_poisson_method method = choose_solver(s);
    size_t bytes = mac->layout.count * sizeof(float);
    pd_parallel_for(s->world->pool, mac->layout.ny, ROWS_PER_CHUNK, kernels()->fill_velocity_gaps, s);
    pd_flip_diffuse_velocities(state, s->world->parameter[FLIP_VISCOSITY], s->dt, &method, s->world->pool);
    memset(mac->poisson->q, 0, bytes);
    pd_mac_project_velocities(mac, &liquid, emitter_expansion(s), &method, s->world->pool, &state->report);
    pd_mac_limit_velocities_beside_bodies(mac, s->world);
    memcpy(state->pressure, mac->poisson->q, bytes);
    state->pressure_unit = (float)pd_units_particle_mass(s->world) * s->rest_density * s->cell / s->dt *
                           (s->has_mixed_masses ? 1 : s->mass[0]);
    memcpy(state->carrier_u, mac->u, bytes);
    memcpy(state->carrier_v, mac->v, bytes);
}

static void extrapolate_velocities(flip_loop_data *s, int layers) {
    flip_state *state = s->state;
    pd_liquid liquid = make_liquid_arguments(s);
    pd_mac_extrapolate_velocities(state->mac, &liquid, layers, s->world->pool);
    pd_flip_restore_momentum_of_free_bodies(state, state->mac->u, state->mac->v);
}

static void swap_arrays(float **a, float **b) {
    float *old = *a;
    *a = *b;
    *b = old;
}

/* Returns true in the last substep of a step if the parameter flip.spreading is above 0: only then the velocities that
 * move the particles include the spreading. */
static bool is_spreading_substep(const pd_world *world) {
    return world->parameter[FLIP_SPREADING] > 0 && world->substeps_done + 1 >= world->substeps;
}

/* Adds the spreading to carrier_u and carrier_v: a gradient field that moves particles where they are too close or too
 * far apart. It does not change the velocities that the particles store (Kugelstadt et al. 2019). */
static void add_spreading_to_carrier_velocities(flip_loop_data *s) {
    flip_state *state = s->state;
    pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    pd_liquid liquid = make_liquid_arguments(s);
    pd_poisson_method method = choose_solver(s);
    s->spreading = fminf(s->world->parameter[FLIP_SPREADING] * s->world->scene.dt * 60, 1) / s->dt;
    pd_parallel_for(s->world->pool, l->ny, ROWS_PER_CHUNK, kernels()->compute_spreading_rates, s);
    swap_arrays(&mac->u, &state->carrier_u);
    swap_arrays(&mac->v, &state->carrier_v);
    memset(mac->poisson->q, 0, l->count * sizeof(float));
    pd_mac_add_expansion(mac, &liquid, state->rate, &method, s->world->pool, NULL);
    extrapolate_velocities(s, LAYERS_ALONG_PATHS);
    swap_arrays(&mac->u, &state->carrier_u);
    swap_arrays(&mac->v, &state->carrier_v);
}

/* Computes shifts that separate particles closer than their spacing at rest. With the greatest factor, s->separation =
 * 1/4, each particle of a slightly too close pair moves by half of the missing distance. The factor rises during the
 * rest-density ramp (sim/particles/ramp.h), because particles at rest are closer together until the ramp ends. */
static void separate_particles(flip_loop_data *s) {
    enum { ROWS = 4 }; /* rows of cells in a chunk of parallel work */
    const pd_world *world = s->world;
    float fraction = fminf(world->parameter[FLIP_SPREADING] * world->scene.dt * 60, 0.5f);
    s->separation = fraction / 2 * (1 - s->ramp);
    s->inverse_reach2 = s->rest_density;
    s->most_shift = 0.25f * sqrtf(1 / s->rest_density);
    if (!(s->separation > 0)) return;
    /* The last vectors of the loop read elements behind the last particle, which must not be NaN. */
    memset(world->particles.x + world->particles.count, 0, PD_PADDING * sizeof(float));
    memset(world->particles.y + world->particles.count, 0, PD_PADDING * sizeof(float));
    pd_parallel_for(world->pool, s->state->mac->layout.ny, ROWS, kernels()->separate_particles, s);
}

/* Returns flip_loop_data.most_drift: in the substeps of a step together one spacing, most of it in the substep that spreads
 * the particles. */
static float compute_greatest_drift(const pd_world *world, float spacing) {
    const float spreading = 0.75f;
    return is_spreading_substep(world) ? spreading * spacing
                                       : (1 - spreading) * spacing / (float)(world->substeps > 1 ? world->substeps : 1);
}

static void copy_grid_velocities_to_carrier(flip_state *state) {
    size_t bytes = state->mac->layout.count * sizeof(float);
    memcpy(state->carrier_u, state->mac->u, bytes);
    memcpy(state->carrier_v, state->mac->v, bytes);
}

static void transfer_to_particles(flip_loop_data *s) {
    flip_state *state = s->state;
    const pd_layout *l = &state->mac->layout;
    pd_parallel_for(s->world->pool, l->ny + 2, ROWS_PER_CHUNK, kernels()->make_velocity_pairs, s);
    pd_parallel_for(s->world->pool, s->particles->count, PARTICLES_PER_CHUNK, kernels()->transfer_to_particles, s);
}

static float flip_cell_size(const void *memory) {
    const flip_state *state = memory;
    return (float)state->mac->grid.cell;
}

static int flip_substep_limits(const pd_world *world, const void *memory, pd_substep_limit *limits) {
    limits[0] = pd_motion_substep_limit(world, FLIP_CELLS_PER_SUBSTEP * flip_cell_size(memory));
    return 1;
}

static const double FULLEST = 0.98; /* greatest fraction of the container's open area that particles at rest cover */

static flip_loop_data make_loop_data(pd_world *world, flip_state *state, const pd_motion *motion) {
    float cell = flip_cell_size(state), spacing = world->resolution.spacing;
    /* If the particles are too many for the container, each gets an equal part of its area. If solids cover the whole
     * container, this area is that of one cell. Open space is unlimited. */
    double open_area = fmax(state->open_area, state->mac->grid.cell * state->mac->grid.cell);
    if (world->scene.container.shape == PD_CONTAINER_NONE) open_area = INFINITY;
    float area = fminf(spacing * spacing, (float)(FULLEST * open_area / fmax(world->particles.count, 1)));
    flip_loop_data data = {
        .world = world,
        .particles = &world->particles,
        .state = state,
        .origin_x = (float)state->mac->grid.origin.x,
        .origin_y = (float)state->mac->grid.origin.y,
        .cell = cell,
        .inverse_cell = 1 / cell,
        .ramp = world->ramp,
        .dt = motion->dt,
        .blend = pd_powf(world->parameter[FLIP_BLEND], 60 * motion->dt),
        .fastest = motion->speed_limit,
        .particle_area = area / (cell * cell),
        .rest_density = 1 / area,
        .transfer = (int)lroundf(world->parameter[FLIP_TRANSFER]),
    };
    for (int m = 0; m < world->scene.material_count; m++) {
        data.mass[m] = world->scene.materials[m].mass;
        if (data.mass[m] != data.mass[0]) data.has_mixed_masses = true;
    }
    return data;
}

/* Finds the columns of the velocity gradients for APIC. Without memory for them the transfer is PIC. */
static void find_velocity_gradient_columns(pd_world *world, flip_loop_data *s) {
    for (int g = 0; g < 4 && s->transfer == FLIP_APIC; g++) {
        s->gradient[g] = pd_particles_require_column(&world->particles, FLIP_GRADIENT + g);
        if (!s->gradient[g]) s->transfer = FLIP_PIC;
    }
}

/* ---- Impulses on walls ----
 *
 * All walls together get the momentum at the faces after forces minus that of the particles at the end of the substep.
 * This includes pressure, friction and contacts. It is divided among the walls in proportion to the impulses of the
 * grid's pressure. The pressure's impulses alone differ by some per cent, because the mass of a face's particles
 * differs from that of the face's fluid. */

static pd_double2 sum_particle_momentum(const flip_loop_data *s) {
    const pd_particles *p = s->particles;
    int inside = s->start[s->state->mac->layout.ny * s->state->columns];
    pd_double2 sum = {0, 0};
    for (int i = 0; i < inside; i++) {
        double mass = (double)s->mass[p->material[i]];
        sum.x += mass * (double)p->vx[i];
        sum.y += mass * (double)p->vy[i];
    }
    return sum;
}

/* Returns the pressure on walls in this substep. *liquid: the liquid of the substep. */
static pd_mac_pressure find_pressure_on_walls(const flip_loop_data *s, const pd_liquid *liquid) {
    const double density = (double)(s->rest_density * (s->has_mixed_masses ? 1 : s->mass[0]));
    const pd_vec2 g = s->world->scene.gravity;
    return (pd_mac_pressure){.q = s->state->pressure,
                             .unit = density * (double)s->cell,
                             .weight = {density * (double)(s->dt * g.x), density * (double)(s->dt * g.y)},
                             .liquid = liquid};
}

/* Adds to the walls' impulses the momentum that the liquid has lost since store_momentum_at_faces. */
static void add_wall_impulses(const flip_loop_data *s, const pd_mac_pressure *pressure) {
    const pd_impulses *impulses = pd_boundary_impulses(s->world->boundary);
    pd_double2 now = sum_particle_momentum(s), rest = {s->state->momentum.x - now.x, s->state->momentum.y - now.y};
    double all = 0, *sum = impulses->chunk;
    pd_mac_add_wall_impulses(s->state->mac, s->world->boundary, impulses, pressure);
    for (int w = 0; w < impulses->walls; w++) {
        all += pd_hypot(sum[PD_IMPULSE_PARTS * w], sum[PD_IMPULSE_PARTS * w + 1]);
        rest.x -= sum[PD_IMPULSE_PARTS * w];
        rest.y -= sum[PD_IMPULSE_PARTS * w + 1];
    }
    int solids;
    const pd_solid *solid = pd_boundary_solids(s->world->boundary, &solids);
    for (int w = 0; w < impulses->walls && all > 0; w++) {
        double fraction = pd_hypot(sum[PD_IMPULSE_PARTS * w], sum[PD_IMPULSE_PARTS * w + 1]) / all;
        pd_double2 at = w > 0 ? solid[w - 1].end.center : (pd_double2){0, 0};
        pd_impulses_add(impulses, 0, 1, w - 1, fraction * rest.x, fraction * rest.y,
                        (pd_vec2){(float)at.x, (float)at.y});
    }
}

/* ---- Step ---- */

static void flip_step(pd_world *world, void *memory, float dt) {
    flip_state *state = memory;
    pd_motion motion = pd_motion_begin(world, FLIP_CELLS_PER_SUBSTEP * flip_cell_size(state), dt);
    double since = pd_now();

    /* Without memory for the grid the fluid continues on the present one. */
    if (world->scene.container.shape == PD_CONTAINER_NONE) flip_adapt_grid(world, state, NULL);
    /* The walls are updated first: make_loop_data reads open_area, which snapshots do not save. */
    if (pd_mac_update_walls(state->mac, world->boundary)) compute_open_areas(state);
    flip_loop_data s = make_loop_data(world, state, &motion);
    pd_stage_end(world, "walls", &since);
    sort_particles(world, &s, &motion);
    find_velocity_gradient_columns(world, &s);
    s.most_drift = compute_greatest_drift(world, world->resolution.spacing);
    pd_stage_end(world, "sort", &since);
    transfer_to_faces(&s);
    pd_stage_end(world, "to faces", &since);
    apply_forces(&motion, &s);
    pd_stage_end(world, "forces", &since);
    compute_surface_distances(&s);
    pd_stage_end(world, "surface", &since);
    diffuse_and_project_velocities(&s);
    pd_stage_end(world, "projection", &since);
    extrapolate_velocities(&s, is_spreading_substep(world) ? LAYERS_AT_PARTICLES : LAYERS_ALONG_PATHS);
    pd_stage_end(world, "extrapolate", &since);
    if (is_spreading_substep(world))
        add_spreading_to_carrier_velocities(&s);
    else
        copy_grid_velocities_to_carrier(state);
    pd_stage_end(world, "spread", &since);
    if (is_spreading_substep(world)) separate_particles(&s);
    pd_stage_end(world, "separate", &since);
    transfer_to_particles(&s);
    pd_stage_end(world, "to particles", &since);
    const pd_liquid liquid = make_liquid_arguments(&s);
    const pd_mac_pressure pressure = find_pressure_on_walls(&s, &liquid);
    add_wall_impulses(&s, &pressure);
    pd_mac_add_film_impulses(state->mac, world, &pressure);
    pd_mac_set_body_corrections(state->mac, world, pressure.unit, s.dt, (double)world->parameter[FLIP_VISCOSITY]);
    pd_stage_end(world, "bodies", &since);
}

static const pd_density_law law = {.ramp_column = FLIP_RAMP};

#define GRADIENT(which)                                                                                                \
    { .name = which, .width = 4, .sorted = true, .saved = true, .real = true, .optional = true }
static const pd_column columns[FLIP_COLUMNS] = {
    [FLIP_RAMP] = PD_RAMP_COLUMN,
    [FLIP_GRADIENT] = GRADIENT("du_dx"),
    [FLIP_GRADIENT + 1] = GRADIENT("du_dy"),
    [FLIP_GRADIENT + 2] = GRADIENT("dv_dx"),
    [FLIP_GRADIENT + 3] = GRADIENT("dv_dy"),
};

static const pd_view_mode views[] = {
    PD_PARTICLE_VIEWS,
    {"density", PD_VIEW_PARTICLES, "density", PD_LINES_NONE},
    {"pressure", PD_VIEW_IMAGE, "pressure", PD_LINES_CONTOURS},
    {"vorticity", PD_VIEW_IMAGE, "vorticity", PD_LINES_NONE},
    {"divergence", PD_VIEW_IMAGE, "divergence", PD_LINES_NONE},
};

static void flip_set_view(const pd_world *world, const void *memory, pd_view *view) {
    float spacing = world->resolution.spacing;
    view->rest_density = 1 / (spacing * spacing);
    view->radius = flip_cell_size(memory);
}

extern const pd_method pd_method_flip;
const pd_method pd_method_flip = {
    .info =
        {
            .name = "flip",
            .title = "FLIP",
            .idea = "Carries velocity on particles, pressure on a grid",
            .suits = "Much water: large splashes, crisp spray",
            .source = "Zhu and Bridson 2005; Brackbill and Ruppel 1986; Jiang et al. 2015",
            .parameter_count = FLIP_PARAMETERS,
            .field_count = FLIP_FIELDS,
            .number_count = FLIP_NUMBERS,
            .view_count = sizeof views / sizeof *views,
            .features = PD_FEATURE_NO_SLIP | PD_FEATURE_BODIES,
        },
    .parameters = parameters,
    .fields = pd_flip_fields,
    .numbers = pd_flip_numbers,
    .views = views,
    .state_size = sizeof(flip_state),
    .columns = columns,
    .column_count = FLIP_COLUMNS,
    .law = &law,
    .init = flip_init,
    .adapt = flip_adapt_grid,
    .edit = flip_edit_walls,
    .reset = flip_reset,
    .substep_limits = flip_substep_limits,
    .cell = flip_cell_size,
    .warning = pd_flip_write_warning,
    .step = flip_step,
    .view = flip_set_view,
    .field = pd_flip_compute_field,
    .number = pd_flip_compute_view_number,
    .destroy = flip_destroy,
};
