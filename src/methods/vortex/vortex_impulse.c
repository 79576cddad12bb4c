/* Mass, momentum and wall impulses of the vortices' fluid, computed on request from the induced velocities on the
 * staggered grid.
 *
 * The pressure follows from the momentum balance d(u)/dt = -div(u u) - grad(p)/rho + f of a flow without divergence: p
 * is the potential in the projection of -div(u u) + f (Chorin, Numerical solution of the Navier-Stokes equations,
 * 1968). Walls receive the pressure and the flux of momentum at their faces. The friction of walls and the acceleration
 * of obstacles are left out. */
#include "mac/reaction.h"
#include "methods/vortex/vortex.h"
#include "sim/walls/solid.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

/* Computes the velocity at one point of each cell, m/s. (along, up): the point, from (0, 0) at the cell's lower left
 * corner to (1, 1) at the upper right corner. */
static void compute_velocities_in_cells(const pd_world *world, vortex_state *state, double along, double up, float *u,
                                        float *v) {
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    const pd_grid *g = &mac->grid;
    const int columns = l->nx + 1, places = columns * (l->ny + 1);
    for (int n = 0; n < places; n++) {
        state->node_x[n] = (float)(g->origin.x + (n % columns + along) * g->cell);
        state->node_y[n] = (float)(g->origin.y + (n / columns + up) * g->cell);
    }
    for (int first = 0; first < places; first += VORTEX_CHUNK) {
        int count = places - first < VORTEX_CHUNK ? places - first : VORTEX_CHUNK;
        pd_vortex_compute_velocities(world, state, count, state->node_x + first, state->node_y + first,
                                     state->node_u + first, state->node_v + first);
    }
    for (int j = 0; j <= l->ny; j++) {
        size_t bytes = (size_t)columns * sizeof(float), from = (size_t)j * (size_t)columns;
        memcpy(u + pd_element_index(l, 0, j), state->node_u + from, bytes);
        memcpy(v + pd_element_index(l, 0, j), state->node_v + from, bytes);
    }
}

/* ---- Energy and momentum ---- */

/* Returns the mass of a cell of ambient fluid, kg/m. */
static double mass_of_cell(const pd_world *world, const vortex_state *state) {
    double cell = state->mac->grid.cell;
    return PD_DENSITY_OF_MASS_1 * (double)world->parameter[VORTEX_AMBIENT_DENSITY] * cell * cell;
}

const pd_mac_sums *pd_vortex_sum_energy_and_momentum(const pd_world *world, vortex_state *state) {
    if (state->fluid_sums_version == world->version) return &state->fluid_sums;
    pd_mac faces = *state->mac;
    size_t count = faces.layout.count;
    faces.u = state->velocity_change_x;
    faces.v = state->velocity_change_y;
    pd_vortex_prepare_velocity_field(world, state, state->x, state->y);
    compute_velocities_in_cells(world, state, 0, 0.5, state->velocity_change_x, state->velocity_change_x + count);
    compute_velocities_in_cells(world, state, 0.5, 0, state->velocity_change_y + count, state->velocity_change_y);
    state->fluid_sums = pd_mac_sum_face_velocities(&faces);
    double mass = mass_of_cell(world, state);
    state->fluid_sums.x *= mass;
    state->fluid_sums.y *= mass;
    state->fluid_sums.squares *= mass;
    state->fluid_sums_version = world->version;
    return &state->fluid_sums;
}

/* ---- Impulses ---- */

typedef struct impulse_job {
    const pd_world *world;
    vortex_state *state;
    const pd_impulses *impulses;
    double mass_times_dt;             /* (mass of a cell, in the unit of pd_impulses) x time step */
    const float *u, *v;               /* velocities in the middle of cells, m/s */
    const float *corner_u, *corner_v; /* velocities at the lower left corners of cells, m/s */
    float *shift_x, *shift_y;         /* by face: result of frame_acceleration, m/s^2 */
    bool moving;                      /* whether obstacles can move (pd_boundary_substep_seconds > 0) */
} impulse_job;

static const pd_solid *solid_of_wall(const impulse_job *job, int wall) {
    int count;
    return wall == PD_CONTAINER_WALL ? NULL : pd_boundary_solids(job->world->boundary, &count) + wall;
}

/* Returns the flux of momentum through the middle of cell (i, j) in a moving frame: the flux of u through the
 * vertical middle line (axis 0), or of v through the horizontal middle line (axis 1). Only the open part of the line
 * counts. */
static double momentum_flux_through_cell(const impulse_job *job, int i, int j, int axis, pd_double2 frame) {
    const pd_mac *mac = job->state->mac;
    if (i < 0 || j < 0 || i >= mac->layout.nx || j >= mac->layout.ny) return 0;
    size_t k = pd_element_index(&mac->layout, i, j);
    const float *open = axis ? mac->open_y + k : mac->open_x + k;
    double speed = axis ? (double)job->v[k] - frame.y : (double)job->u[k] - frame.x;
    return 0.5 * (double)(open[0] + open[axis ? mac->layout.stride : 1]) * speed * speed;
}

/* Returns the flux of momentum through a line of a cell's length about the lower left corner of cell k, in a moving
 * frame: of u through the horizontal line (axis 0), or of v through the vertical one (axis 1). */
static double momentum_flux_through_corner(const impulse_job *job, size_t k, int axis, pd_double2 frame) {
    const pd_mac *mac = job->state->mac;
    const size_t row = (size_t)mac->layout.stride;
    float open = axis ? mac->open_x[k] + mac->open_x[k - row] : mac->open_y[k] + mac->open_y[k - 1];
    return 0.5 * (double)open * ((double)job->corner_u[k] - frame.x) * ((double)job->corner_v[k] - frame.y);
}

static double momentum_flux_acceleration(const impulse_job *job, int i, int j, int axis, pd_double2 frame) {
    const pd_mac *mac = job->state->mac;
    size_t k = pd_element_index(&mac->layout, i, j), next = k + (axis ? 1 : (size_t)mac->layout.stride);
    double before = momentum_flux_through_cell(job, i - !axis, j - axis, axis, frame);
    return (before - momentum_flux_through_cell(job, i, j, axis, frame) +
            momentum_flux_through_corner(job, k, axis, frame) - momentum_flux_through_corner(job, next, axis, frame)) /
           mac->grid.cell;
}

/* Returns the velocity, m/s, of the frame of reference in which the acceleration at a face at the position `at` is
 * computed: near a moving obstacle the obstacle's velocity, since in this frame the flow at its surface is steady;
 * elsewhere 0. */
static pd_double2 frame_velocity_at(const impulse_job *job, pd_double2 at) {
    const float NEAR_CELLS = 3; /* distance from the obstacle below which a face is near, cells */
    const pd_grid *g = &job->state->mac->grid;
    pd_contact contact;
    float within = NEAR_CELLS * (float)g->cell;
    pd_vec2 p = {(float)(g->origin.x + at.x * g->cell), (float)(g->origin.y + at.y * g->cell)};
    if (!job->moving || !(pd_boundary_find_nearest_wall_within(job->world->boundary, p, within, &contact) < within))
        return (pd_double2){0, 0};
    const pd_solid *solid = solid_of_wall(job, contact.wall);
    return solid && isfinite(solid->velocity.x) ? solid->velocity : (pd_double2){0, 0};
}

/* Returns (frame . grad) u at a face, m/s^2: du/dt in the moving frame minus du/dt in the frame at rest. */
static double frame_acceleration(const impulse_job *job, size_t k, int axis, pd_double2 frame) {
    const size_t row = (size_t)job->state->mac->layout.stride;
    const float *middle = axis ? job->v : job->u, *corner = axis ? job->corner_v : job->corner_u;
    double ahead = (double)middle[k] - (double)middle[axis ? k - row : k - 1];
    double across = (double)corner[axis ? k + 1 : k + row] - (double)corner[k];
    double x = axis ? across : ahead, y = axis ? ahead : across;
    return (frame.x * x + frame.y * y) / job->state->mac->grid.cell;
}

/* Returns the acceleration of wall number `wall` in this step, m/s^2. */
static pd_double2 wall_acceleration(const impulse_job *job, int wall) {
    const pd_solid *solid = solid_of_wall(job, wall);
    double dt = (double)job->world->scene.dt;
    if (!solid || !isfinite(solid->velocity_before_step.x)) return (pd_double2){0, 0};
    return (pd_double2){(solid->velocity.x - solid->velocity_before_step.x) / dt,
                        (solid->velocity.y - solid->velocity_before_step.y) / dt};
}

/* Open fraction of a face below which the wall receives a part of the momentum flux. The flow through the small open
 * part would otherwise accelerate without limit. */
static const double LEAST_OPEN = 0.3;

/* Sets the acceleration of a face: on its open part by momentum fluxes and buoyancy (weight), on its covered part the
 * wall's acceleration. */
static void compute_face_acceleration(const impulse_job *job, int i, int j, int axis, double weight) {
    pd_mac *mac = job->state->mac;
    size_t k = pd_element_index(&mac->layout, i, j);
    pd_double2 at = {axis ? i + 0.5 : i, axis ? j : j + 0.5}, frame = frame_velocity_at(job, at);
    double open = (double)(axis ? mac->open_y[k] : mac->open_x[k]), part = 1 / fmax(open, LEAST_OPEN);
    double flux = momentum_flux_acceleration(job, i, j, axis, frame),
           rest = job->mass_times_dt * (1 - open * part) * flux;
    (axis ? job->shift_y : job->shift_x)[k] = (float)frame_acceleration(job, k, axis, frame);
    (axis ? mac->v : mac->u)[k] = (float)(flux * part + weight);
    (axis ? mac->wall_v : mac->wall_u)[k] = 0;
    if (!(open < 1) || (rest == 0 && !job->moving)) return;
    int wall = pd_mac_find_nearest_wall(mac, job->world->boundary, at);
    pd_double2 acceleration = wall_acceleration(job, wall);
    (axis ? mac->wall_v : mac->wall_u)[k] = (float)(axis ? acceleration.y : acceleration.x);
    pd_impulses_add(job->impulses, 0, 1, wall, axis ? 0 : rest, axis ? rest : 0, pd_mac_place(mac, at));
}

static void compute_face_accelerations(const impulse_job *job) {
    const pd_mac *mac = job->state->mac;
    const pd_layout *l = &mac->layout;
    const pd_vec2 g = job->world->scene.gravity;
    const float heavy = 0.5f * job->world->parameter[VORTEX_BUOYANCY] / job->world->parameter[VORTEX_AMBIENT_DENSITY];
    const float *d = job->state->density;
    for (int j = 0; j <= l->ny; j++)
        for (int i = 0; i <= l->nx; i++) {
            size_t k = pd_element_index(l, i, j);
            if (j < l->ny) compute_face_acceleration(job, i, j, 0, (double)(heavy * g.x * (d[k] + d[k - 1])));
            if (i < l->nx)
                compute_face_acceleration(job, i, j, 1, (double)(heavy * g.y * (d[k] + *(d + k - l->stride))));
        }
}

/* Returns, by cell, the divergence of shift_x and shift_y, 1/s^2: the projected accelerations must have this
 * divergence. It is 0 in cells at walls, since open fractions are constant in the wall's frame. Returns NULL if it is
 * 0 everywhere. */
static const float *frame_divergence(const impulse_job *job) {
    const pd_mac *mac = job->state->mac;
    const pd_layout *l = &mac->layout;
    const size_t row = (size_t)l->stride;
    float *divergence = job->state->target_circulation;
    if (!job->moving) return NULL;
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_element_index(l, i, j);
            float x = job->shift_x[k + 1] - job->shift_x[k], y = job->shift_y[k + row] - job->shift_y[k];
            float open = mac->open_x[k] + mac->open_x[k + 1] + mac->open_y[k] + mac->open_y[k + row];
            divergence[k] = open < 4 ? 0 : (x + y) / (float)mac->grid.cell;
        }
    return divergence;
}

static float greatest_acceleration(const pd_mac *mac) {
    float greatest = 0;
    for (int j = 0; j <= mac->layout.ny; j++)
        for (int i = 0; i <= mac->layout.nx; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            greatest = fmaxf(greatest, fmaxf(fabsf(mac->u[k]), fabsf(mac->v[k])));
            greatest = fmaxf(greatest, fmaxf(fabsf(mac->wall_u[k]), fabsf(mac->wall_v[k])));
        }
    return greatest;
}

/* Adds the impulses that the walls would receive in a whole step with the present velocities. */
static void add_impulses_of_walls(const pd_world *world, vortex_state *state, const pd_impulses *impulses) {
    pd_mac *mac = state->mac;
    const size_t count = mac->layout.count;
    const double cell = mac->grid.cell, unit = pd_units_particle_mass(world);
    const double mass_times_dt = mass_of_cell(world, state) * (double)world->scene.dt / unit, area = cell * cell;
    const pd_vec2 g = world->scene.gravity;
    impulse_job job = {.world = world,
                       .state = state,
                       .impulses = impulses,
                       .mass_times_dt = mass_times_dt,
                       .u = state->velocity_change_x,
                       .v = state->velocity_change_x + count,
                       .corner_u = state->velocity_change_y,
                       .corner_v = state->velocity_change_y + count,
                       .shift_x = state->circulation_gain,
                       .shift_y = state->kernel_sum,
                       .moving = pd_boundary_substep_seconds(world->boundary) > 0};
    pd_vortex_prepare_velocity_field(world, state, state->x, state->y);
    compute_velocities_in_cells(world, state, 0.5, 0.5, state->velocity_change_x, state->velocity_change_x + count);
    compute_velocities_in_cells(world, state, 0, 0, state->velocity_change_y, state->velocity_change_y + count);
    pd_vortex_deposit_density_on_nodes(state);
    compute_face_accelerations(&job);
    memset(mac->poisson->q, 0, count * sizeof(float));
    pd_poisson_method method = {PD_MULTIGRID, 30, 1, 1e-4f * greatest_acceleration(mac)};
    pd_mac_project_velocities(mac, NULL, frame_divergence(&job), &method, world->pool, NULL);
    pd_mac_pressure pressure = {.q = mac->poisson->q,
                                .unit = mass_times_dt / cell,
                                .weight = {mass_times_dt / area * (double)g.x, mass_times_dt / area * (double)g.y}};
    pd_mac_add_wall_impulses(mac, world->boundary, impulses, &pressure);
}

void pd_vortex_compute_wall_impulses(const pd_world *world, void *memory) {
    vortex_state *state = memory;
    pd_impulses *impulses = pd_boundary_impulses(world->boundary);
    if (!state->has_stepped || pd_world_stepping(world) || state->wall_impulses_version == world->version) return;
    state->wall_impulses_version = world->version;
    pd_impulses_clear_totals(impulses);
    add_impulses_of_walls(world, state, impulses);
    pd_impulses_add_chunks_to_totals(impulses);
}
