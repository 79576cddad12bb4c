/* Walls of the method `vortex`. Image vortices exactly represent the container, or a single disc in open space. Other
 * obstacles and sources of volume add a potential flow on a staggered grid. Its normal velocity at an obstacle is the
 * obstacle's velocity minus the velocity that the vortons induce. Accuracy: one cell, the spacing of vortons. */
#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/text.h"
#include "mac/advect.h"
#include "methods/sources.h"
#include "methods/vortex/vortex.h"
#include "scene/geometry.h"
#include "sim/walls/solid.h"

#include <stdio.h>
#include <string.h>

/* LEAST_NODES, MOST_NODES: limits of the number of nodes along the shorter side of the grid. */
enum { POINTS_PER_CHUNK = 512, LEAST_NODES = 8, MOST_NODES = 512 };
/* Core radius of field vortons, in units of their spacing. Cores must overlap. */
static const double OVERLAP = 1.4;

/* Returns true if the only wall is a disc in open space. Image vortices represent this wall exactly. */
static bool is_disc_in_open_space(const pd_scene *scene) {
    return scene->container.shape == PD_CONTAINER_NONE && scene->obstacle_count == 1 && scene->body_count == 0 &&
           scene->obstacles[0].area.shape == PD_SHAPE_CIRCLE;
}

static bool is_inside_container(const pd_container *c, pd_vec2 p, float margin) {
    return c->shape != PD_CONTAINER_CIRCLE || pd_hypotf(p.x, p.y) < c->radius - margin;
}

static pd_result allocate_node_arrays(vortex_state *state, pd_error *error) {
    size_t count = state->mac->layout.count;
    float **arrays[] = {&state->wall_u,
                        &state->wall_v,
                        &state->kernel_sum_at_rest,
                        &state->density,
                        &state->circulation_gain,
                        &state->kernel_sum,
                        &state->velocity_change_x,
                        &state->velocity_change_y,
                        &state->source,
                        &state->node_x,
                        &state->node_y,
                        &state->node_u,
                        &state->node_v,
                        &state->target_circulation};
    bool whole = true;
    /* Factor 2: these arrays have an element for each listed face, and there are two faces for each node. */
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        whole &= (*arrays[k] = pd_allocate(2 * count, sizeof(float))) != NULL;
    whole &= (state->inside = pd_allocate(count, 1)) != NULL;
    whole &= (state->listed_indices = pd_allocate(2 * count, sizeof(size_t))) != NULL;
    whole &= (state->first_in_cell = pd_allocate(count + 1, sizeof(int))) != NULL;
    if (whole) return PD_OK;
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d x %d nodes (raise vortex.core)",
                   state->mac->layout.nx, state->mac->layout.ny);
}

/* Computes kernel_sum_at_rest: the sum at each node of the kernels of one vorton in each cell, at the position where
 * pd_vortex_remesh would put it. The weight of a vorton is the open fraction of its cell. */
static void compute_kernel_sums_at_rest(const pd_world *world, vortex_state *state) {
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    size_t row = (size_t)l->stride;
    memset(state->kernel_sum_at_rest, 0, l->count * sizeof(float));
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            vortex_kernel kernel;
            float open = mac->open[pd_element_index(l, i, j)];
            pd_vec2 p = pd_mac_cell_center(mac, i, j);
            if (open > 0 && open < 1) pd_boundary_push_out_of_walls(world->boundary, &p);
            if (!(open > 0) || !pd_vortex_find_kernel_nodes(mac, p.x, p.y, &kernel)) continue;
            for (size_t b = 0; b < 3; b++)
                for (size_t a = 0; a < 3; a++)
                    state->kernel_sum_at_rest[kernel.first + b * row + a] += open * kernel.x[a] * kernel.y[b];
        }
    pd_vortex_move_values_off_closed_nodes(mac, state->kernel_sum_at_rest);
}

static void update_wall_velocities_and_kernels(const pd_world *world, vortex_state *state) {
    size_t bytes = state->mac->layout.count * sizeof(float);
    memcpy(state->wall_u, state->mac->wall_u, bytes);
    memcpy(state->wall_v, state->mac->wall_v, bytes);
    compute_kernel_sums_at_rest(world, state);
}

/* Returns the number of cells along the container's shorter side: `resolution`, or up to a quarter more if a whole
 * number of cells then fits the longer side too. Cells that a side cuts are less accurate. */
static int choose_fitting_resolution(const pd_container *c, int resolution) {
    int best = resolution;
    double least = 1;
    if (c->shape != PD_CONTAINER_BOX) return resolution;
    double ratio = (double)fmaxf(c->width, c->height) / (double)fminf(c->width, c->height);
    for (int cells = resolution; cells <= resolution + resolution / 4 && cells <= MOST_NODES && least > 1e-3; cells++) {
        double along = ratio * cells, rest = fabs(along - round(along));
        if (rest < least - 1e-3) {
            least = rest;
            best = cells;
        }
    }
    return best;
}

/* Returns the number of nodes along the container's shorter side for vortons with the core radius of the parameter
 * vortex.core. */
static double node_count_for_core(const pd_world *world) {
    double side =
        pd_mac_choose_grid(&world->scene.container, world->resolution.center, (double)world->resolution.length, 1).cell;
    return side * OVERLAP / (double)world->parameter[VORTEX_CORE];
}

static pd_grid choose_node_grid(const pd_world *world) {
    double nodes = fmin(fmax(round(node_count_for_core(world)), LEAST_NODES), MOST_NODES);
    int resolution = choose_fitting_resolution(&world->scene.container, (int)nodes);
    return pd_mac_choose_grid(&world->scene.container, world->resolution.center, (double)world->resolution.length,
                              resolution);
}

bool pd_vortex_write_warning(const pd_world *world, const void *memory, int index, char *text, size_t size) {
    double nodes = round(node_count_for_core(world));
    char core[PD_FLOAT_TEXT];
    bool many = nodes > MOST_NODES;
    (void)memory;
    if ((nodes >= LEAST_NODES && nodes <= MOST_NODES) || index != 0) return false;
    pd_text_write_float(world->parameter[VORTEX_CORE], core);
    snprintf(text, size, "vortex.core of %s m is %s to %.3g m: the container has %s %d vortons across", core,
             many ? "raised" : "lowered", OVERLAP * choose_node_grid(world).cell, many ? "at most" : "at least",
             many ? MOST_NODES : LEAST_NODES);
    return true;
}

pd_result pd_vortex_create_grid(pd_world *world, vortex_state *state, pd_error *error) {
    const pd_scene *scene = &world->scene;
    /* the scene without inflow and moving sides of the container, which the method does not support */
    pd_scene closed = *scene;
    for (int side = 0; side < PD_WALLS; side++)
        closed.container.walls[side] = (pd_wall){.inflow = NAN, .velocity = NAN};
    closed.container.slip = true;
    pd_grid grid = choose_node_grid(world);
    pd_result result = pd_mac_create(&state->mac, &closed, &grid, world->boundary, 0, error);
    if (result == PD_OK) result = allocate_node_arrays(state, error);
    if (result != PD_OK) return result;
    state->field_vorton_core = (float)(OVERLAP * grid.cell);
    state->core_at_grid_creation = world->parameter[VORTEX_CORE];
    for (int j = 0; j < grid.ny; j++)
        for (int i = 0; i < grid.nx; i++)
            state->inside[pd_element_index(&state->mac->layout, i, j)] =
                is_inside_container(&scene->container, pd_mac_cell_center(state->mac, i, j), 0);
    update_wall_velocities_and_kernels(world, state);
    return PD_OK;
}

pd_result pd_vortex_replace_walls(pd_world *world, vortex_state *state, const pd_boundary *before, pd_error *error) {
    pd_displaced displaced = {0};
    pd_result result = pd_displaced_find_positions(world, before, world->boundary, state->count, state->x, state->y,
                                                   &displaced, error);
    if (result == PD_OK) result = pd_mac_replace_walls(state->mac, world->boundary, error);
    if (result == PD_OK) {
        pd_displaced_set_positions(&displaced, state->x, state->y);
        update_wall_velocities_and_kernels(world, state);
    }
    pd_displaced_free(&displaced);
    return result;
}

/* Lists in listed_indices the grid's faces beside fluid that obstacles cover, wholly or partly. */
static void list_covered_faces(const pd_world *world, vortex_state *state) {
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    float cell = (float)mac->grid.cell;
    state->face_count = 0;
    if (is_disc_in_open_space(&world->scene) || world->scene.obstacle_count + world->scene.body_count == 0) return;
    for (int upright = 1; upright >= 0; upright--) {
        const float *open = upright ? mac->open_x : mac->open_y;
        size_t before = upright ? 1 : (size_t)l->stride;
        for (int j = !upright; j < l->ny; j++)
            for (int i = upright; i < l->nx; i++) {
                size_t k = pd_element_index(l, i, j);
                if (!(open[k] < 1) || !(mac->open[k] > 0 || mac->open[k - before] > 0)) continue;
                pd_vec2 p = pd_mac_cell_center(mac, i, j);
                if (upright)
                    p.x -= 0.5f * cell;
                else
                    p.y -= 0.5f * cell;
                if (!is_inside_container(&world->scene.container, p, cell)) continue;
                state->listed_indices[state->face_count] = k;
                state->node_x[state->face_count] = p.x;
                state->node_y[state->face_count++] = p.y;
            }
        if (upright) state->vertical_count = state->face_count;
    }
}

static void update_image_walls(const pd_world *world, vortex_state *state) {
    const pd_container *c = &world->scene.container;
    state->walls = (pd_induction_walls){.kind = PD_WALLS_NONE};
    if (c->shape == PD_CONTAINER_CIRCLE)
        state->walls = (pd_induction_walls){.kind = PD_WALLS_IN_CIRCLE, .radius = c->radius};
    else if (c->shape == PD_CONTAINER_BOX)
        state->walls = (pd_induction_walls){.kind = PD_WALLS_IN_BOX, .size = {c->width, c->height}};
    else if (is_disc_in_open_space(&world->scene)) {
        int count;
        const pd_solid *disc = pd_boundary_solids(world->boundary, &count);
        double seconds = pd_boundary_substep_seconds(world->boundary), per_second = seconds > 0 ? 1 / seconds : 0;
        state->walls = (pd_induction_walls){
            .kind = PD_WALLS_OUT_OF_DISC,
            .center = {(float)disc->end.center.x, (float)disc->end.center.y},
            .radius = (float)disc->radius,
            .velocity = {(float)((disc->end.center.x - disc->begin.center.x) * per_second),
                         (float)((disc->end.center.y - disc->begin.center.y) * per_second)},
        };
    }
}

/* In a closed container the sum of state->source must be 0. Subtracts this sum from the cells in drains; without drains
 * does nothing, since pd_mac_project_velocities subtracts the mean from all cells. */
static void subtract_drained_volume(const pd_world *world, vortex_state *state) {
    const pd_scene *scene = &world->scene;
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    double brought = 0, area = 0;
    if (scene->container.shape == PD_CONTAINER_NONE || scene->drain_count == 0) return;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < l->ny; j++)
            for (int i = 0; i < l->nx; i++) {
                size_t k = pd_element_index(l, i, j);
                bool drained = false;
                for (int d = 0; d < scene->drain_count && !drained; d++)
                    drained = pd_zone_contains_point(&scene->drains[d].area, pd_mac_cell_center(mac, i, j));
                if (pass == 0) {
                    brought += (double)state->source[k];
                    area += drained ? (double)mac->open[k] : 0;
                } else if (drained && brought > 0 && area > 0) {
                    state->source[k] -= (float)(brought / area) * mac->open[k];
                }
            }
}

void pd_vortex_update_grid_walls(pd_world *world, vortex_state *state) {
    if (pd_mac_update_walls(state->mac, world->boundary)) update_wall_velocities_and_kernels(world, state);
}

void pd_vortex_update_walls_and_sources(pd_world *world, vortex_state *state, float dt) {
    pd_vortex_update_grid_walls(world, state);
    update_image_walls(world, state);
    state->has_sources = pd_find_volume_sources(world, state->mac, dt, state->source);
    if (state->has_sources) subtract_drained_volume(world, state);
}

/* Sets the grid's velocities to the potential flow of obstacles and sources. */
static void solve_potential_flow(const pd_world *world, vortex_state *state) {
    pd_mac *mac = state->mac;
    size_t bytes = mac->layout.count * sizeof(float);
    memset(mac->u, 0, bytes);
    memset(mac->v, 0, bytes);
    memset(mac->poisson->q, 0, bytes);
    memcpy(mac->wall_u, state->wall_u, bytes);
    memcpy(mac->wall_v, state->wall_v, bytes);
    float greatest = 0;
    for (int first = 0; first < state->face_count; first += VORTEX_CHUNK) {
        int left = state->face_count - first, count = left < VORTEX_CHUNK ? left : VORTEX_CHUNK;
        pd_induction_compute_velocities(state->induction, count, state->node_x + first, state->node_y + first, NULL,
                                        state->node_u + first, state->node_v + first, world->pool);
    }
    for (int n = 0; n < state->face_count; n++) {
        size_t k = state->listed_indices[n];
        float *wall = n < state->vertical_count ? &mac->wall_u[k] : &mac->wall_v[k];
        *wall -= n < state->vertical_count ? state->node_u[n] : state->node_v[n];
        greatest = fmaxf(greatest, fabsf(*wall));
    }
    for (size_t k = 0; state->has_sources && k < mac->layout.count; k++)
        greatest = fmaxf(greatest, fabsf(state->source[k]) * (float)mac->grid.cell);
    pd_poisson_method method = {PD_MULTIGRID, 20, 1, 1e-4f * greatest};
    pd_mac_project_velocities(mac, NULL, state->has_sources ? state->source : NULL, &method, world->pool, NULL);
    pd_mac_extrapolate_velocities(mac, NULL, 2, world->pool);
}

static void prepare_velocity_field(const pd_world *world, vortex_state *state, const float *x, const float *y,
                                   const int *order) {
    pd_vortices vortices = {state->count, x, y, state->circulation, state->core};
    pd_induction_set_vortices(state->induction, &state->walls, &vortices,
                              (pd_induction_solver)world->parameter[VORTEX_SOLVER], world->parameter[VORTEX_TOLERANCE],
                              order, world->pool);
    state->has_potential_flow = state->has_sources || state->face_count > 0;
    if (state->has_potential_flow) solve_potential_flow(world, state);
}

void pd_vortex_prepare_velocity_field(const pd_world *world, vortex_state *state, const float *x, const float *y) {
    list_covered_faces(world, state);
    prepare_velocity_field(world, state, x, y, NULL);
}

typedef struct potential_flow_job {
    const pd_mac *mac;  /* grid with the potential flow */
    const float *x, *y; /* positions, m */
    float *vx, *vy;     /* velocities at these positions, m/s */
} potential_flow_job;

static void add_potential_flow(void *context, int begin, int end) {
    const potential_flow_job *job = context;
    float u[POINTS_PER_CHUNK], v[POINTS_PER_CHUNK];
    int count = end - begin;
    pd_mac_interpolate_velocities(job->mac, 0, count, job->x + begin, job->y + begin, u, v);
    for (int n = 0; n < count; n++) {
        job->vx[begin + n] += u[n];
        job->vy[begin + n] += v[n];
    }
}

static void compute_velocities(const pd_world *world, vortex_state *state, int count, const float *x, const float *y,
                               const int *order, float *vx, float *vy) {
    potential_flow_job job = {state->mac, x, y, vx, vy};
    pd_induction_compute_velocities(state->induction, count, x, y, order, vx, vy, world->pool);
    if (state->has_potential_flow) pd_parallel_for(world->pool, count, POINTS_PER_CHUNK, add_potential_flow, &job);
}

void pd_vortex_compute_velocities(const pd_world *world, vortex_state *state, int count, const float *x, const float *y,
                                  float *vx, float *vy) {
    compute_velocities(world, state, count, x, y, NULL, vx, vy);
}

void pd_vortex_prepare_runge_kutta_stages(const pd_world *world, vortex_state *state, int count) {
    int vortons = 0;
    list_covered_faces(world, state);
    pd_induction_compute_order(state->induction, &state->walls, count, state->point_x, state->point_y,
                               state->point_order, world->pool);
    for (int n = 0; n < count; n++)
        if (state->point_order[n] < state->count) state->order[vortons++] = state->point_order[n];
}

void pd_vortex_compute_point_velocities(const pd_world *world, vortex_state *state, int count) {
    prepare_velocity_field(world, state, state->point_x, state->point_y, state->order);
    compute_velocities(world, state, count, state->point_x, state->point_y, state->point_order, state->rate_x,
                       state->rate_y);
}

typedef struct push_job {
    const pd_induction_walls *walls; /* walls that image vortices represent */
    float *x, *y;                    /* positions to push out of the walls, m */
} push_job;

static void push_point_range_out_of_image_walls(void *context, int begin, int end) {
    const push_job *job = context;
    const pd_induction_walls *walls = job->walls;
    const float near = 1e-5f;
    float radius = walls->radius * (walls->kind == PD_WALLS_IN_CIRCLE ? 1 - near : 1 + near);
    float half_x = 0.5f * (1 - near) * walls->size.x, half_y = 0.5f * (1 - near) * walls->size.y;
    for (int n = begin; n < end; n++) {
        float *x = &job->x[n], *y = &job->y[n];
        if (walls->kind == PD_WALLS_IN_BOX) {
            *x = fminf(fmaxf(*x, -half_x), half_x);
            *y = fminf(fmaxf(*y, -half_y), half_y);
            continue;
        }
        float dx = *x - walls->center.x, dy = *y - walls->center.y, r = sqrtf(dx * dx + dy * dy);
        if (r == 0 || (walls->kind == PD_WALLS_IN_CIRCLE ? r <= radius : r >= radius)) continue;
        *x = walls->center.x + dx * radius / r;
        *y = walls->center.y + dy * radius / r;
    }
}

void pd_vortex_push_points_out_of_image_walls(const pd_world *world, const vortex_state *state, int count, float *x,
                                              float *y) {
    push_job job = {&state->walls, x, y};
    if (state->walls.kind == PD_WALLS_NONE) return;
    pd_parallel_for(world->pool, count, POINTS_PER_CHUNK, push_point_range_out_of_image_walls, &job);
}
