/* Vortex particles with buoyancy (Gourlay, "Fluid Simulation for Video Games", part 8; Cottet, Koumoutsakos, "Vortex
 * Methods", 2000).
 *
 * Vortons carry circulation and the deviation of the density from the ambient density. They induce the velocity
 * (vortex/induction.h); obstacles and sources add a potential flow. The world's particles are passive tracers.
 *
 * A substep is: half of the forces, viscosity, positions by a Runge-Kutta method of order 2 or 4, the other half of the
 * forces. Order of accuracy in dt: 2 with forces, 1 with viscosity, otherwise that of the Runge-Kutta method. */
#include "methods/vortex/vortex.h"

#include "core/archive.h"
#include "core/array.h"
#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/timer.h"
#include "scene/content/particle_list.h"
#include "sim/particles/fill.h"
#include "sim/step.h"
#include "sim/view.h"
#include <string.h>

/* ---- Parameters ---- */

static const pd_parameter parameters[VORTEX_PARAMETERS] = {
    [VORTEX_CORE] = {"core", "Core radius", "m",
                     "Core radius of a vorton; initial vortons are core/1.4 apart, at most 512 across the container",
                     "", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.05f, .minimum = 1e-4f, .maximum = 10,
                     .follows = {.length = 1}, .in_container = true, .rebuilds = true},
    [VORTEX_SOLVER] = {"solver", "Velocity solver", "",
                       "Solver of the velocity: direct sum over all pairs, or a tree of multipoles for many vortons",
                       "Greengard, Rokhlin 1987", .type = PD_PARAMETER_CHOICE, .default_value = PD_INDUCTION_TREE,
                       .maximum = 1, .choices = "direct|tree"},
    [VORTEX_TOLERANCE] = {"tolerance", "Tolerance", "", "Root mean square error of the tree, relative to the velocity",
                          "", .scale = PD_SCALE_LOGARITHMIC, .default_value = 1e-3f, .minimum = 1e-6f, .maximum = 0.1f},
    [VORTEX_AMBIENT_DENSITY] =
        {"ambient_density", "Ambient density", "1,000 kg/m³",
         "Density of the ambient fluid; the density of a region is the deviation from this value",
         "Boussinesq approximation", .scale = PD_SCALE_LOGARITHMIC, .default_value = 1, .minimum = 1e-3f,
         .maximum = 1e5f},
    [VORTEX_AMBIENT] =
        {"ambient", "Ambient mass", "",
         "Mass of the ambient fluid, relative as the mass of materials; fluid already present changes at a "
         "reset",
         "", .default_value = 0.5f, .maximum = 10, .at_reset = true},
    [VORTEX_BUOYANCY] =
        {"buoyancy", "Buoyancy", "",
         "Buoyancy factor: multiplies gravity for fluid whose density deviates from the ambient density",
         "Boussinesq approximation", .default_value = 1, .maximum = 10},
    [VORTEX_VISCOSITY] =
        {"viscosity", "Viscosity", "m²/s",
         "Kinematic viscosity: vorticity spreads between neighbouring vortons; cores of single vortons grow",
         "Degond, Mas-Gallic 1989", .scale = PD_SCALE_LOGARITHMIC, .maximum = 10},
    [VORTEX_TRACERS] = {"tracers", "Tracers", "",
                        "Number of tracer particles in a scene without regions; takes effect at a reset", "",
                        .type = PD_PARAMETER_INTEGER, .scale = PD_SCALE_LOGARITHMIC, .default_value = 20000,
                        .maximum = 1000000, .rebuilds = true, .at_reset = true},
};

/* ---- The method ---- */

/* MOST_VORTONS: so many vortons and PD_MAX_PARTICLES + 1 tracers (snapshot.c reserves one more than it restores) are at
 * most PD_INDUCTION_MOST_POINTS. Limits must not depend on capacities: restored worlds have smaller ones. */
enum {
    POINTS_PER_CHUNK = 1024,
    SPARE_VORTONS = 1024,
    ARRAYS = 10,
    MOST_VORTONS = PD_INDUCTION_MOST_POINTS - PD_MAX_PARTICLES - 1
};

static const float TWO_PI = 6.2831853f;

static void list_vorton_arrays(vortex_state *state, float **arrays[ARRAYS]) {
    float **all[ARRAYS] = {&state->x,    &state->y,    &state->vx,   &state->vy,         &state->circulation,
                           &state->core, &state->area, &state->mass, &state->previous_x, &state->previous_y};
    memcpy(arrays, all, sizeof all);
}

#define VORTON_ARRAYS(s, remaining, count)                                                                             \
    PD_ARRAYS(PD_ARRAY((s)->x, remaining, count), PD_ARRAY((s)->y, remaining, count),                                  \
              PD_ARRAY((s)->vx, remaining, count), PD_ARRAY((s)->vy, remaining, count),                                \
              PD_ARRAY((s)->circulation, remaining, count), PD_ARRAY((s)->core, remaining, count),                     \
              PD_ARRAY((s)->area, remaining, count), PD_ARRAY((s)->mass, remaining, count),                            \
              PD_ARRAY((s)->previous_x, remaining, count), PD_ARRAY((s)->previous_y, remaining, count),                \
              PD_ARRAY((s)->id, remaining, count), PD_ARRAY((s)->vortons_by_cell, 0, count),                           \
              PD_ARRAY((s)->circulation_change, 0, count))
/* Lists the arrays (PD_ARRAYS) with an element for each Runge-Kutta point: vortons, then tracers. */
#define POINT_ARRAYS(s, count)                                                                                         \
    PD_ARRAYS(PD_ARRAY((s)->point_x, 0, count), PD_ARRAY((s)->point_y, 0, count), PD_ARRAY((s)->from_x, 0, count),     \
              PD_ARRAY((s)->from_y, 0, count), PD_ARRAY((s)->sum_x, 0, count), PD_ARRAY((s)->sum_y, 0, count),         \
              PD_ARRAY((s)->rate_x, 0, count), PD_ARRAY((s)->rate_y, 0, count), PD_ARRAY((s)->point_order, 0, count),  \
              PD_ARRAY((s)->order, 0, count))

static void vortex_destroy(void *memory) {
    vortex_state *s = memory;
    pd_arrays_free(VORTON_ARRAYS(s, 0, 0));
    pd_arrays_free(POINT_ARRAYS(s, 0));
    pd_memory_free(s->pending_area);
    pd_memory_free(s->emitted_count);
    void *others[] = {s->wall_u,
                      s->wall_v,
                      s->kernel_sum_at_rest,
                      s->density,
                      s->circulation_gain,
                      s->kernel_sum,
                      s->velocity_change_x,
                      s->velocity_change_y,
                      s->source,
                      s->inside,
                      s->listed_indices,
                      s->node_x,
                      s->node_y,
                      s->node_u,
                      s->node_v,
                      s->samples,
                      s->dye_work,
                      s->target_circulation,
                      s->first_in_cell};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) pd_free(others[k]);
    pd_mac_destroy(s->mac);
    pd_induction_destroy(s->induction);
}

/* Grows the arrays of Runge-Kutta points and the memory of `induction`. Returns false if memory runs out. */
static bool reserve_runge_kutta_points(vortex_state *state, int vortons, int particles) {
    int needed = vortons + particles;
    if (needed < VORTEX_CHUNK) needed = VORTEX_CHUNK;
    if (pd_induction_reserve(state->induction, vortons, needed, NULL) != PD_OK) return false;
    if (particles > state->particle_capacity) state->particle_capacity = particles;
    if (needed <= state->point_capacity) return true;
    if (!pd_arrays_resize(POINT_ARRAYS(state, needed + PD_PADDING))) return false;
    state->point_capacity = needed;
    return true;
}

bool pd_vortex_reserve_vortons(vortex_state *state, int count) {
    if (count <= state->capacity) return true;
    if (count > MOST_VORTONS) return false;
    int capacity = state->capacity + state->capacity / 2;
    if (capacity < count) capacity = count;
    if (capacity > MOST_VORTONS) capacity = MOST_VORTONS;
    if (!reserve_runge_kutta_points(state, capacity, state->particle_capacity) ||
        !pd_arrays_resize(VORTON_ARRAYS(state, state->count, capacity + PD_PADDING)))
        return false;
    state->capacity = capacity;
    return true;
}

void pd_vortex_add_vorton(vortex_state *state, pd_vec2 position, float circulation, float core, float area,
                          float mass) {
    if (!pd_vortex_reserve_vortons(state, state->count + 1)) return;
    int n = state->count++;
    state->x[n] = state->previous_x[n] = position.x;
    state->y[n] = state->previous_y[n] = position.y;
    state->vx[n] = state->vy[n] = 0;
    state->circulation[n] = circulation;
    state->core[n] = core;
    state->area[n] = area;
    state->mass[n] = mass;
    state->id[n] = state->next_id++;
}

void pd_vortex_copy_vorton(vortex_state *state, int from, int to) {
    float **arrays[ARRAYS];
    list_vorton_arrays(state, arrays);
    for (int k = 0; k < ARRAYS; k++) (*arrays[k])[to] = (*arrays[k])[from];
    state->id[to] = state->id[from];
}

static pd_result vortex_init(pd_world *world, void *memory, pd_error *error) {
    vortex_state *state = memory;
    size_t emitters = (size_t)world->scene.emitter_count + 1;
    state->induction = pd_induction_create();
    pd_result result = pd_vortex_create_grid(world, state, error);
    if (result != PD_OK) return result;
    state->pending_area = pd_memory_require(emitters, sizeof *state->pending_area);
    state->emitted_count = pd_memory_require(emitters, sizeof *state->emitted_count);
    if (pd_vortex_reserve_vortons(state, world->scene.vorton_count + SPARE_VORTONS)) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d vortices (use fewer)", world->scene.vorton_count);
}

static pd_result vortex_reserve_tracers(void *memory, int capacity, pd_error *error) {
    vortex_state *state = memory;
    if (reserve_runge_kutta_points(state, state->capacity, capacity)) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d tracers (use fewer)", capacity);
}

/* Creates a new state if the parameter vortex.core has changed, because the grid's cell size depends on it. */
static pd_result vortex_adapt_core(pd_world *world, void *memory, pd_error *error) {
    vortex_state *state = memory, next = {0};
    float core = state->core_at_grid_creation;
    if (world->parameter[VORTEX_CORE] == core) return PD_OK;
    pd_result result = vortex_init(world, &next, error);
    if (result == PD_OK && !(reserve_runge_kutta_points(&next, next.capacity, state->particle_capacity) &&
                             pd_vortex_reserve_vortons(&next, state->count)))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d vortices (use fewer)", state->count);
    if (result != PD_OK) {
        vortex_destroy(&next);
        return result;
    }
    for (int n = 0; n < state->count; n++)
        pd_vortex_add_vorton(&next, (pd_vec2){state->x[n], state->y[n]}, state->circulation[n],
                             state->area[n] > 0 ? next.field_vorton_core : state->core[n], state->area[n],
                             state->mass[n]);
    memcpy(next.pending_area, state->pending_area, (size_t)world->scene.emitter_count * sizeof *next.pending_area);
    memcpy(next.emitted_count, state->emitted_count, (size_t)world->scene.emitter_count * sizeof *next.emitted_count);
    next.tracer_spacing = state->tracer_spacing;
    next.fastest_speed = state->fastest_speed;
    next.least_density_deviation = state->least_density_deviation;
    next.greatest_density_deviation = state->greatest_density_deviation;
    vortex_destroy(state);
    *state = next;
    pd_vortex_update_walls_and_sources(world, state, world->scene.dt);
    pd_vortex_remesh(world, state);
    return PD_OK;
}

/* Adapts the state to edited walls and emitters. Emitters that remain keep their pending_area and emitted_count. */
static pd_result vortex_edit_walls_and_emitters(pd_world *world, void *memory, const pd_edited *edited,
                                                const pd_boundary *before, pd_error *error) {
    vortex_state *state = memory;
    int emitters = world->scene.emitter_count;
    pd_result result = pd_vortex_replace_walls(world, state, before, error);
    if (result != PD_OK) return result;
    double *pending_area = pd_memory_require((size_t)emitters, sizeof *pending_area);
    uint32_t *emitted = pd_memory_require((size_t)emitters, sizeof *emitted);
    for (int e = 0; e < emitters; e++) {
        int from = edited->from[PD_LIST_EMITTERS][e];
        if (from < 0) continue;
        pending_area[e] = state->pending_area[from];
        emitted[e] = state->emitted_count[from];
    }
    pd_memory_free(state->pending_area);
    pd_memory_free(state->emitted_count);
    state->pending_area = pending_area;
    state->emitted_count = emitted;
    return PD_OK;
}

/* Returns the fastest rotation of a core, rad/s: half its vorticity. */
static float fastest_core_rotation(const vortex_state *state) {
    float greatest = 0;
    for (int n = 0; n < state->count; n++) {
        float core2 = state->core[n] * state->core[n];
        /* Vortons in cells that a wall cuts have a small area, but their cores overlap with others, too: hence the
         * least area. */
        float area = state->area[n] > 0 ? fmaxf(state->area[n], 0.5f * core2) : 0.5f * TWO_PI * core2;
        if (area > 0) greatest = fmaxf(greatest, fabsf(state->circulation[n]) / area);
    }
    return 0.5f * greatest;
}

/* Data of the loops that move vortons and tracers in a substep. */
typedef struct move_job {
    pd_world *world;
    vortex_state *state;
    float dt;      /* duration of the substep, s */
    float weight;  /* factor on the velocities of this Runge-Kutta stage in the weighted sum */
    float advance; /* time from the beginning of the substep to the next stage, s */
    float limit;   /* greatest speed, m/s */
} move_job;

static int copy_vortons_and_tracers_to_points(pd_world *world, vortex_state *state) {
    const pd_particles *p = &world->particles;
    size_t vortons = (size_t)state->count, tracers = (size_t)p->count;
    memcpy(state->point_x, state->x, vortons * sizeof(float));
    memcpy(state->point_y, state->y, vortons * sizeof(float));
    memcpy(state->point_x + vortons, p->x, tracers * sizeof(float));
    memcpy(state->point_y + vortons, p->y, tracers * sizeof(float));
    return state->count + p->count;
}

/* Returns the factor that limits the length of (u, v) to `limit`. Limiting each component would change directions:
 * strong vortices would drive all tracers into the corners of a box. */
static float speed_limit_factor(float u, float v, float limit) {
    float square = u * u + v * v;
    return square > limit * limit ? limit / sqrtf(square) : 1;
}

/* Adds the velocities of the present Runge-Kutta stage to the weighted sums, and sets the points' positions for the
 * next stage. */
static void add_runge_kutta_stage(void *context, int begin, int end) {
    const move_job *job = context;
    vortex_state *s = job->state;
    for (int n = begin; n < end; n++) {
        float u = s->rate_x[n], v = s->rate_y[n], fraction = speed_limit_factor(u, v, job->limit);
        u *= fraction;
        v *= fraction;
        s->sum_x[n] += job->weight * u;
        s->sum_y[n] += job->weight * v;
        s->point_x[n] = s->from_x[n] + job->advance * u;
        s->point_y[n] = s->from_y[n] + job->advance * v;
    }
}

static void move_points(void *context, int begin, int end) {
    const move_job *job = context;
    vortex_state *s = job->state;
    for (int n = begin; n < end; n++) {
        s->point_x[n] = s->from_x[n] + job->dt * s->sum_x[n];
        s->point_y[n] = s->from_y[n] + job->dt * s->sum_y[n];
    }
    pd_boundary_stop_tracers_at_walls(job->world->boundary, end - begin, s->from_x + begin, s->from_y + begin,
                                      s->point_x + begin, s->point_y + begin);
}

/* Writes the new positions and velocities of `count` vortons or tracers to x, y, vx, vy. They are the Runge-Kutta
 * points from first_point on. Returns the greatest squared speed, m^2/s^2. */
static float write_positions_and_velocities_of_points(const vortex_state *s, int first_point, int count, float dt,
                                                      float *x, float *y, float *vx, float *vy) {
    float fastest = 0;
    for (int n = 0; n < count; n++) {
        vx[n] = (s->point_x[first_point + n] - s->from_x[first_point + n]) / dt;
        vy[n] = (s->point_y[first_point + n] - s->from_y[first_point + n]) / dt;
        x[n] = s->point_x[first_point + n];
        y[n] = s->point_y[first_point + n];
        float square = vx[n] * vx[n] + vy[n] * vy[n];
        fastest = square > fastest ? square : fastest; /* faster than fmaxf, a function call */
    }
    return fastest;
}

static void move_vortons_and_tracers(pd_world *world, vortex_state *state, float dt) {
    static const float FARTHEST = 0.25f; /* greatest displacement in a substep, characteristic lengths */
    /* Rotation, rad, below which order 2 suffices: outward drift in a substep at most 1e-5 of the radius. */
    static const float LITTLE_TURN = 0.1f;
    static const float weights[2][4] = {{0, 1}, {1.0f / 6, 1.0f / 3, 1.0f / 3, 1.0f / 6}};
    static const float advances[2][4] = {{0.5f}, {0.5f, 0.5f, 1}};
    pd_particles *p = &world->particles;
    int fourth = state->fastest_rotation * dt > LITTLE_TURN, stages = fourth ? 4 : 2,
        count = copy_vortons_and_tracers_to_points(world, state);
    size_t bytes = (size_t)count * sizeof(float);
    memcpy(state->from_x, state->point_x, bytes);
    memcpy(state->from_y, state->point_y, bytes);
    memset(state->sum_x, 0, bytes);
    memset(state->sum_y, 0, bytes);
    pd_vortex_prepare_runge_kutta_stages(world, state, count);
    move_job job = {.world = world, .state = state, .dt = dt, .limit = FARTHEST * world->resolution.length / dt};
    for (int stage = 0; stage < stages; stage++) {
        pd_vortex_compute_point_velocities(world, state, count);
        job.weight = weights[fourth][stage];
        job.advance = dt * advances[fourth][stage];
        pd_parallel_for(world->pool, count, POINTS_PER_CHUNK, add_runge_kutta_stage, &job);
        pd_vortex_push_points_out_of_image_walls(world, state, count, state->point_x, state->point_y);
    }
    pd_parallel_for(world->pool, count, POINTS_PER_CHUNK, move_points, &job);
    memcpy(p->old_x, p->x, (size_t)p->count * sizeof(float));
    memcpy(p->old_y, p->y, (size_t)p->count * sizeof(float));
    float vortons =
        write_positions_and_velocities_of_points(state, 0, state->count, dt, state->x, state->y, state->vx, state->vy);
    float tracers =
        write_positions_and_velocities_of_points(state, state->count, p->count, dt, p->x, p->y, p->vx, p->vy);
    state->fastest_speed = sqrtf(fmaxf(vortons, tracers));
}

/* Remeshes if the cores have rotated too far since the last remeshing. In the first substep of a step, also stores the
 * vortons' positions, between which and the new ones views interpolate. Call it before the vortons move. */
static void remesh_if_needed(pd_world *world, vortex_state *state) {
    static const double MOST_STRAIN = 1;
    if (state->core_rotation > MOST_STRAIN) pd_vortex_remesh(world, state);
    if (world->substeps_done > 0) return;
    memcpy(state->previous_x, state->x, (size_t)state->count * sizeof(float));
    memcpy(state->previous_y, state->y, (size_t)state->count * sizeof(float));
}

/* Greatest absolute value that is valid in a snapshot of a vorton: larger values would overflow in a step. */
static const float LARGEST = 1e12f;

/* Limits the circulations to LARGEST. Tools and gravity could drive them beyond, as only the speeds of points have a limit
 * (move_job.limit). */
static void limit_circulations(vortex_state *state) {
    for (int n = 0; n < state->count; n++)
        state->circulation[n] = fminf(fmaxf(state->circulation[n], -LARGEST), LARGEST);
}

static void vortex_step(pd_world *world, void *memory, float dt) {
    vortex_state *state = memory;
    double since = pd_now();
    state->has_stepped = true;
    remesh_if_needed(world, state);
    pd_stage_end(world, "remeshing", &since);
    pd_vortex_update_walls_and_sources(world, state, dt);
    pd_vortex_pour_or_erase(world, state);
    pd_stage_end(world, "walls", &since);
    pd_vortex_apply_forces(world, state, 0.5f * dt);
    pd_stage_end(world, "forces", &since);
    pd_vortex_diffuse_circulation(world, state, dt);
    pd_stage_end(world, "viscosity", &since);
    state->fastest_rotation = fastest_core_rotation(state);
    move_vortons_and_tracers(world, state, dt);
    pd_stage_end(world, "velocities", &since);
    pd_vortex_apply_forces(world, state, 0.5f * dt);
    pd_vortex_add_emitted_vortons(world, state, dt);
    pd_vortex_remove_drained_vortons(world, state);
    limit_circulations(state);
    pd_stage_end(world, "forces", &since);
    state->fastest_rotation = fastest_core_rotation(state);
    float core2 = state->field_vorton_core * state->field_vorton_core;
    state->core_rotation +=
        (double)(dt * state->fastest_rotation) + (double)(4 * world->parameter[VORTEX_VISCOSITY] * dt / core2);
}

/* Adds tracers to a scene without regions, emitters and particles: in the whole container, or around the vortices. */
static void add_tracers_to_empty_scene(pd_world *world, vortex_state *state) {
    const pd_scene *scene = &world->scene;
    const pd_container *c = &scene->container;
    int count = (int)world->parameter[VORTEX_TRACERS];
    state->tracer_spacing = 0;
    if (scene->region_count > 0 || scene->emitter_count > 0 || world->particles.count > 0 || count == 0) return;
    pd_region region = {.area.shape = PD_SHAPE_BOX, .area.size = {c->width, c->height}};
    if (c->shape == PD_CONTAINER_CIRCLE) region = (pd_region){.area.shape = PD_SHAPE_CIRCLE, .area.radius = c->radius};
    if (c->shape == PD_CONTAINER_NONE)
        region.area = (pd_area){.shape = PD_SHAPE_BOX,
                                .center = world->resolution.center,
                                .size = {2 * world->resolution.length, 2 * world->resolution.length}};
    if (pd_world_reserve_particles(world, count, NULL) != PD_OK) return;
    pd_particles *p = &world->particles;
    pd_region_add_particles(&region, count, world->boundary, &world->random, p);
    float width = c->shape == PD_CONTAINER_CIRCLE ? 2 * region.area.radius : region.area.size.x, height = width;
    float area = c->shape == PD_CONTAINER_CIRCLE ? 3.14159265f * region.area.radius * region.area.radius
                                                 : width * region.area.size.y;
    if (c->shape != PD_CONTAINER_CIRCLE) height = region.area.size.y;
    state->tracer_spacing = sqrtf(area / (float)count);
    /* Particle methods that the user may select later get this spacing as their rest spacing. */
    world->resolution.spacing = state->tracer_spacing;
    /* The tracers' materials form a chessboard, which shows the mixing. */
    float square = fminf(width, height) / 8;
    for (int n = 0; n < p->count; n++) {
        int column = (int)floorf(p->x[n] / square), row = (int)floorf(p->y[n] / square);
        p->material[n] =
            (uint8_t)(((column + row) % scene->material_count + scene->material_count) % scene->material_count);
    }
    memcpy(p->previous_x, p->x, (size_t)p->count * sizeof(float));
    memcpy(p->previous_y, p->y, (size_t)p->count * sizeof(float));
}

static void compute_first_velocities(pd_world *world, vortex_state *state) {
    pd_particles *p = &world->particles;
    pd_tool tool = world->tool;
    world->tool.kind = PD_TOOL_NONE;
    pd_vortex_update_walls_and_sources(world, state, world->scene.dt);
    world->tool = tool;
    pd_vortex_push_points_out_of_image_walls(world, state, state->count, state->x, state->y);
    pd_vortex_prepare_velocity_field(world, state, state->x, state->y);
    pd_vortex_compute_velocities(world, state, state->count, state->x, state->y, state->vx, state->vy);
    pd_vortex_compute_velocities(world, state, p->count, p->x, p->y, p->vx, p->vy);
    float fastest = 0;
    for (int n = 0; n < state->count; n++) fastest = fmaxf(fastest, pd_hypotf(state->vx[n], state->vy[n]));
    for (int n = 0; n < p->count; n++) fastest = fmaxf(fastest, pd_hypotf(p->vx[n], p->vy[n]));
    state->fastest_speed = fastest;
    state->fastest_rotation = fastest_core_rotation(state);
}

static void vortex_reset(pd_world *world, void *memory) {
    vortex_state *state = memory;
    size_t emitters = (size_t)world->scene.emitter_count;
    memset(state->pending_area, 0, emitters * sizeof *state->pending_area);
    memset(state->emitted_count, 0, emitters * sizeof *state->emitted_count);
    pd_vortex_update_grid_walls(world, state);
    if (pd_scene_has_listed_particles(&world->scene))
        pd_vortex_create_vortons_from_particles(world, state, true);
    else
        pd_vortex_create_vortons_from_scene(world, state);
    add_tracers_to_empty_scene(world, state);
    compute_first_velocities(world, state);
}

static void vortex_start_after_method(pd_world *world, void *memory, const pd_method *previous) {
    if (!previous || (world->step == 0 && world->substep_total == 0)) {
        vortex_reset(world, memory);
        return;
    }
    pd_vortex_create_vortons_from_particles(world, memory, false);
    compute_first_velocities(world, memory);
}

/* Limits the substep: a core turns by at most MOST_TURN rad, and points move by at most FARTHEST characteristic
 * lengths, unless more than MOST_SUBSTEPS substeps were needed. */
static int vortex_substep_limits(const pd_world *world, const void *memory, pd_substep_limit *limits) {
    static const float MOST_TURN = 0.7f, FARTHEST = 0.1f, MOST_SUBSTEPS = 32;
    const vortex_state *state = memory;
    float least = world->scene.dt / MOST_SUBSTEPS,
          fastest = fmaxf(state->fastest_speed, pd_world_max_wall_speed(world));
    limits[0] = (pd_substep_limit){VORTEX_CORE, world->parameter[VORTEX_CORE],
                                   fmaxf(MOST_TURN / (state->fastest_rotation + 1e-15f), least)};
    limits[1] = (pd_substep_limit){-1, fastest, fmaxf(FARTHEST * world->resolution.length / (fastest + 1e-15f), least)};
    return 2;
}

/* Saves or restores an array with an element for each vorton. Restoring fails if an absolute value is above LARGEST,
 * since it would overflow in a step. */
static void save_or_restore_vorton_array(pd_archive *archive, const vortex_state *state, float *values) {
    pd_archive_transfer(archive, values, (size_t)state->count * sizeof *values);
    for (int n = 0; pd_archive_validates(archive) && n < state->count; n++)
        if (!(fabsf(values[n]) <= LARGEST)) archive->failed = true;
}

static void vortex_save_or_restore(pd_world *world, void *memory, pd_archive *archive) {
    vortex_state *state = memory;
    size_t emitters = (size_t)world->scene.emitter_count;
    int32_t count = state->count;
    pd_archive_transfer(archive, &count, sizeof count);
    if (archive->reading) {
        if (archive->failed || count < 0 || (size_t)count > archive->capacity / sizeof(float) ||
            !pd_vortex_reserve_vortons(state, count)) {
            archive->failed = true;
            return;
        }
        state->count = count;
    }
    float **arrays[ARRAYS];
    list_vorton_arrays(state, arrays);
    for (int k = 0; k < ARRAYS; k++) save_or_restore_vorton_array(archive, state, *arrays[k]);
    for (int n = 0; pd_archive_validates(archive) && n < state->count; n++)
        if (!(state->core[n] >= 0 && state->area[n] >= 0)) archive->failed = true;
    pd_archive_transfer(archive, state->id, (size_t)state->count * sizeof *state->id);
    pd_archive_transfer(archive, &state->next_id, sizeof state->next_id);
    pd_archive_transfer(archive, &state->core_rotation, sizeof state->core_rotation);
    pd_archive_transfer(archive, state->pending_area, emitters * sizeof *state->pending_area);
    pd_archive_transfer(archive, state->emitted_count, emitters * sizeof *state->emitted_count);
    pd_archive_transfer(archive, &state->tracer_spacing, sizeof state->tracer_spacing);
    pd_archive_transfer(archive, &state->fastest_speed, sizeof state->fastest_speed);
    pd_archive_transfer(archive, &state->fastest_rotation, sizeof state->fastest_rotation);
    pd_archive_transfer(archive, &state->least_density_deviation, sizeof state->least_density_deviation);
    pd_archive_transfer(archive, &state->greatest_density_deviation, sizeof state->greatest_density_deviation);
    if (!pd_archive_validates(archive)) return;
    bool numbers = isfinite(state->core_rotation) && isfinite(state->tracer_spacing) &&
                   isfinite(state->fastest_speed) && isfinite(state->fastest_rotation);
    numbers = numbers && state->least_density_deviation <= 0 && state->greatest_density_deviation >= 0 &&
              isfinite(state->greatest_density_deviation - state->least_density_deviation);
    for (size_t e = 0; e < emitters; e++) numbers = numbers && isfinite(state->pending_area[e]);
    if (!numbers) archive->failed = true;
    if (archive->failed || !archive->reading) return;
    if (state->tracer_spacing > 0) world->resolution.spacing = state->tracer_spacing;
    pd_vortex_update_walls_and_sources(world, state, world->scene.dt);
}

static size_t vortex_estimate_saved_bytes(const void *memory) {
    const vortex_state *state = memory;
    return (size_t)state->count * (ARRAYS * sizeof(float) + sizeof(uint32_t));
}

static void vortex_set_view(const pd_world *world, const void *memory, pd_view *view) {
    const vortex_state *state = memory;
    (void)world;
    view->vortices = (pd_view_vortices){.count = state->count,
                                        .id = state->id,
                                        .x = state->x,
                                        .y = state->y,
                                        .previous_x = state->previous_x,
                                        .previous_y = state->previous_y,
                                        .vx = state->vx,
                                        .vy = state->vy,
                                        .circulation = state->circulation,
                                        .core = state->core,
                                        .area = state->area,
                                        .mass = state->mass};
    if (state->tracer_spacing > 0) view->spacing = state->tracer_spacing;
}

static const pd_view_mode views[] = {
    {"smoke", PD_VIEW_DYES, "smoke", PD_LINES_NONE},
    {"sprites", PD_VIEW_SPRITES, NULL, PD_LINES_NONE},
    {"vortons", PD_VIEW_VORTICES, NULL, PD_LINES_NONE},
    {"vorticity", PD_VIEW_IMAGE, "vorticity", PD_LINES_NONE},
    {"speed", PD_VIEW_IMAGE, "speed", PD_LINES_NONE},
    {"density", PD_VIEW_IMAGE, "density", PD_LINES_NONE},
    {"streamlines", PD_VIEW_IMAGE, "speed", PD_LINES_STREAMLINES},
    {"arrows", PD_VIEW_DYES, "smoke", PD_LINES_ARROWS},
    {"surface", PD_VIEW_SURFACE, NULL, PD_LINES_NONE},
};

extern const pd_method pd_method_vortex;
const pd_method pd_method_vortex = {
    .info =
        {
            .name = "vortex",
            .title = "Vortex particles with buoyancy",
            .idea = "Computes the velocity from vortices",
            .suits = "Ink that sinks and rolls up, with sharp structures",
            .source = "Gourlay: Fluid Simulation for Video Games, part 8",
            .parameter_count = VORTEX_PARAMETERS,
            .field_count = VORTEX_FIELDS,
            .number_count = VORTEX_NUMBERS,
            .view_count = sizeof views / sizeof *views,
            .features = PD_FEATURE_DENSITY | PD_FEATURE_NO_SLIP,
        },
    .parameters = parameters,
    .fields = pd_vortex_fields,
    .numbers = pd_vortex_numbers,
    .views = views,
    .state_size = sizeof(vortex_state),
    .init = vortex_init,
    .resize = vortex_reserve_tracers,
    .adapt = vortex_adapt_core,
    .edit = vortex_edit_walls_and_emitters,
    .start = vortex_start_after_method,
    .reset = vortex_reset,
    .substep_limits = vortex_substep_limits,
    .warning = pd_vortex_write_warning,
    .step = vortex_step,
    .view = vortex_set_view,
    .field = pd_vortex_compute_field,
    .number = pd_vortex_compute_view_number,
    .impulses = pd_vortex_compute_wall_impulses,
    .serialize = vortex_save_or_restore,
    .saved_bytes = vortex_estimate_saved_bytes,
    .destroy = vortex_destroy,
};
