/* Generation of circulation: buoyancy, tools, emitters, no-slip walls. */
#include "methods/vortex/vortex.h"

#include "core/math.h"
#include "core/simd.h"
#include "methods/sources.h"
#include "scene/geometry.h"
#include <math.h>
#include <string.h>

float pd_vortex_density_deviation(const pd_world *world, int material) {
    return world->parameter[VORTEX_AMBIENT_DENSITY] *
           (world->scene.materials[material].mass - world->parameter[VORTEX_AMBIENT]);
}

float pd_vortex_region_density_deviation(const pd_world *world, const pd_region *region, pd_vec2 point) {
    if (!isnan(region->density)) return region->density;
    int pixel = region->area.shape == PD_SHAPE_IMAGE ? pd_image_pixel_at(&region->area, point) : PD_NO_FLUID;
    return pd_vortex_density_deviation(world, pixel == PD_NO_FLUID ? region->material : pixel);
}

static bool has_mass_deviation(const vortex_state *state) {
    for (int n = 0; n < state->count; n++)
        if (state->mass[n] != 0) return true;
    return false;
}

/* Returns the acceleration field of a tool of this kind, with position, radius and strength of the present tool. */
static pd_tool_field tool_acceleration_field_of_kind(pd_world *world, pd_tool_kind kind, float dt) {
    pd_tool_kind own = world->tool.kind;
    world->tool.kind = kind;
    pd_tool_field field = pd_tool_field_compute(world, dt);
    world->tool.kind = own;
    return field;
}

static bool is_push_or_pull(const pd_tool *tool) { return tool->kind == PD_TOOL_PUSH || tool->kind == PD_TOOL_PULL; }

/* Adds to circulation_gain the baroclinic generation of circulation in the Boussinesq approximation (Gourlay, part 8):
 * d(vorticity)/dt = (grad density x a)/(ambient density), by central differences. The acceleration a is gravity plus
 * that of the tool Push (outwards) or Pull (inwards), as strong as in particle methods. Returns false if nothing is
 * added. */
static bool add_baroclinic_circulation(pd_world *world, vortex_state *state, float dt) {
    const float buoyancy = world->parameter[VORTEX_BUOYANCY];
    const pd_vec2 g = {buoyancy * world->scene.gravity.x, buoyancy * world->scene.gravity.y};
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    const bool radial = is_push_or_pull(&world->tool);
    const float sign = world->tool.kind == PD_TOOL_PULL ? -1 : 1;
    size_t row = (size_t)l->stride;
    float factor = dt * 0.5f * (float)mac->grid.cell / world->parameter[VORTEX_AMBIENT_DENSITY];
    if ((g.x == 0 && g.y == 0 && !radial) || !has_mass_deviation(state)) return false;
    pd_tool_field push = tool_acceleration_field_of_kind(world, PD_TOOL_PUSH, dt);
    pd_vortex_deposit_density_on_nodes(state);
    /* Least kernel_sum_at_rest of a neighbour whose density is used. Other neighbours are in a wall or near one. */
    static const float LEAST_KERNEL_SUM = 0.3f;
    const float *d = state->density, *kernel_sum = state->kernel_sum_at_rest;
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_element_index(l, i, j);
            pd_vec2 p = pd_mac_cell_center(mac, i, j), pushed = {0, 0};
            if (!(mac->open[k] > 0)) continue;
            if (radial) pd_tool_field_change_velocity(&push, 1, 1, p.x, p.y, &pushed.x, &pushed.y);
            float ax = g.x + sign * pushed.x, ay = g.y + sign * pushed.y;
            float right = d[kernel_sum[k + 1] > LEAST_KERNEL_SUM ? k + 1 : k],
                  left = d[kernel_sum[k - 1] > LEAST_KERNEL_SUM ? k - 1 : k];
            float above = d[kernel_sum[k + row] > LEAST_KERNEL_SUM ? k + row : k],
                  below = d[kernel_sum[k - row] > LEAST_KERNEL_SUM ? k - row : k];
            state->circulation_gain[k] += factor * mac->open[k] * ((right - left) * ay - (above - below) * ax);
        }
    return true;
}

typedef struct circulation_job {
    pd_world *world;
    vortex_state *state;
    pd_tool_field field;
    float dt;
    int count; /* number of listed nodes */
} circulation_job;

static void append_listed_node(circulation_job *job, size_t node, pd_vec2 p) {
    vortex_state *state = job->state;
    state->listed_indices[job->count] = node;
    state->node_x[job->count] = p.x;
    state->node_y[job->count] = p.y;
    job->count++;
}

static void compute_velocities_at_listed_nodes(circulation_job *job) {
    vortex_state *state = job->state;
    for (int first = 0; first < job->count; first += VORTEX_CHUNK) {
        int count = job->count - first < VORTEX_CHUNK ? job->count - first : VORTEX_CHUNK;
        pd_vortex_compute_velocities(job->world, state, count, state->node_x + first, state->node_y + first,
                                     state->node_u + first, state->node_v + first);
    }
}

static void list_open_nodes_in_disc(circulation_job *job, pd_cell_box box, float reach, pd_vec2 center) {
    const pd_mac *mac = job->state->mac;
    for (int j = box.bottom; j <= box.top; j++)
        for (int i = box.left; i <= box.right; i++) {
            pd_vec2 p = pd_mac_cell_center(mac, i, j);
            size_t k = pd_element_index(&mac->layout, i, j);
            float dx = p.x - center.x, dy = p.y - center.y;
            if (mac->open[k] > 0 && dx * dx + dy * dy < reach * reach) append_listed_node(job, k, p);
        }
}

/* Adds the velocity change by the tool to velocity_change_x and velocity_change_y. For the tool Drag and a moving Push
 * or Pull, fluid moves with the tool and leaves vortices as behind a moving body. A Push or Pull at rest is only a
 * source of volume (methods/sources.h), since pressure balances its force, a gradient. */
static void add_velocity_change_by_tool(circulation_job *job) {
    vortex_state *state = job->state;
    pd_vec2 center = job->world->tool_now;
    float reach = job->field.radius;
    job->count = 0;
    list_open_nodes_in_disc(job, pd_mac_cells_around(state->mac, center, (pd_vec2){reach, reach}), reach, center);
    compute_velocities_at_listed_nodes(job);
    for (int n = 0; n < job->count; n++) {
        float vx = state->node_u[n], vy = state->node_v[n];
        pd_tool_field_change_velocity(&job->field, job->dt, 1, state->node_x[n], state->node_y[n], &vx, &vy);
        state->velocity_change_x[state->listed_indices[n]] += vx - state->node_u[n];
        state->velocity_change_y[state->listed_indices[n]] += vy - state->node_v[n];
    }
}

/* ---- Shear layers at walls and mouths ----
 *
 * The image of a vorton near a wall cancels the vorton's effect on the flow. If each substep added the velocity
 * difference at the wall as circulation, the difference would remain, and the circulation would grow without limit.
 * Instead the nodes' circulation approaches that of a shear layer between the velocity of the wall (or mouth) and the
 * velocity of the flow beyond the layer, like Thom's formula of 1933 for the vorticity at walls. With a velocity
 * difference U, the flow carries the layer away with about U/2, so the layer sheds a circulation of U^2/2 per second. */

/* Adds to the circulation_gain of each listed node: rate x (target_circulation - present circulation of the node),
 * where the difference is limited to |target_circulation|. Positive and negative additions are scaled to the same sum:
 * the total circulation around a wall or mouth, with its shear layers, is constant. */
static void change_circulation_towards_target(circulation_job *job, float rate) {
    vortex_state *state = job->state;
    double sum[2] = {0};
    for (int n = 0; n < job->count; n++) {
        float required = state->target_circulation[n], most = fabsf(required);
        size_t k = state->listed_indices[n];
        float change = rate * fminf(fmaxf(required - state->kernel_sum[k] - state->circulation_gain[k], -most), most);
        state->target_circulation[n] = change;
        sum[change < 0] += fabs((double)change);
    }
    double less = fmin(sum[0], sum[1]);
    float fraction[2] = {less > 0 ? (float)(less / sum[0]) : 0, less > 0 ? (float)(less / sum[1]) : 0};
    for (int n = 0; n < job->count; n++)
        state->circulation_gain[state->listed_indices[n]] +=
            fraction[state->target_circulation[n] < 0] * state->target_circulation[n];
}

/* Updates the shear layers at both edges of an emitter's mouth, between the jet and the fluid beside it. */
static void update_shear_layers_at_mouth(circulation_job *job, const pd_mouth *mouth) {
    vortex_state *state = job->state;
    const pd_mac *mac = state->mac;
    const pd_emitter *e = mouth->emitter;
    float cell = mouth->cell, half = 0.5f * e->width, beyond = half + 2 * cell;
    job->count = 0;
    /* An emitter inside an obstacle has no jet, even if its mouth extends beyond the obstacle. */
    if (!pd_boundary_allows_position(job->world->boundary, e->position, cell)) return;
    for (int j = mouth->box.bottom; j <= mouth->box.top; j++)
        for (int i = mouth->box.left; i <= mouth->box.right; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            pd_vec2 p = pd_mac_cell_center(mac, i, j);
            float dx = p.x - e->position.x, dy = p.y - e->position.y;
            float across = dy * mouth->ax - dx * mouth->ay, side = across < 0 ? -1.0f : 1.0f;
            float along = dx * mouth->ax + dy * mouth->ay;
            if (!(mac->open[k] > 0) || fabsf(fabsf(across) - half) >= cell || along < -0.5f * cell ||
                along > mouth->ahead)
                continue;
            state->velocity_change_x[job->count] = across;
            across = side * beyond;
            append_listed_node(job, k,
                               (pd_vec2){e->position.x + along * mouth->ax - across * mouth->ay,
                                         e->position.y + along * mouth->ay + across * mouth->ax});
        }
    pd_vortex_push_points_out_of_image_walls(job->world, state, job->count, state->node_x, state->node_y);
    compute_velocities_at_listed_nodes(job);
    for (int n = 0; n < job->count; n++) {
        float outside = state->node_u[n] * mouth->ax + state->node_v[n] * mouth->ay,
              across = state->velocity_change_x[n];
        float jump = fminf(fmaxf(e->speed - outside, 0), e->speed);
        float layer = 1 - fabsf(fabsf(across) - half) / cell; /* weight of the node: a hat function two cells wide */
        state->target_circulation[n] = (across < 0 ? -1.0f : 1.0f) * layer * jump * cell;
    }
    change_circulation_towards_target(job, 1 - pd_expf(-e->speed * job->dt / cell));
}

static float distance_to_container(const pd_container *c, pd_vec2 p) {
    if (c->shape == PD_CONTAINER_CIRCLE) return c->radius - pd_hypotf(p.x, p.y);
    if (c->shape == PD_CONTAINER_NONE) return INFINITY;
    return fminf(0.5f * c->width - fabsf(p.x), 0.5f * c->height - fabsf(p.y));
}

static bool has_neighbour_cut_by_wall(const pd_mac *mac, size_t k) {
    size_t row = (size_t)mac->layout.stride;
    for (size_t below = k - row; below <= k + row; below += row)
        if (mac->open[below - 1] < 1 || mac->open[below] < 1 || mac->open[below + 1] < 1) return true;
    return false;
}

/* Updates the shear layers at no-slip walls. */
static void update_shear_layers_at_walls(circulation_job *job) {
    vortex_state *state = job->state;
    const pd_mac *mac = state->mac;
    const pd_container *container = &job->world->scene.container;
    float cell = (float)mac->grid.cell;
    job->count = 0;
    for (int j = 0; j < mac->layout.ny; j++)
        for (int i = 0; i < mac->layout.nx; i++) {
            size_t k = pd_element_index(&mac->layout, i, j);
            pd_contact contact;
            pd_vec2 p = pd_mac_cell_center(mac, i, j);
            if (!state->inside[k] || !has_neighbour_cut_by_wall(mac, k)) continue;
            float distance = pd_boundary_find_nearest_wall(job->world->boundary, p, &contact);
            float layer = 1 - fabsf(distance - 0.5f * cell) / cell, out = 2 * cell - distance;
            if (!(layer > 0) || distance_to_container(container, p) <= distance) continue;
            /* Vector along the wall, m: its scalar product with a velocity is the circulation along the length of a
             * cell. */
            state->velocity_change_x[job->count] = -layer * contact.normal.y * cell;
            state->velocity_change_y[job->count] = layer * contact.normal.x * cell;
            state->target_circulation[job->count] = -(state->velocity_change_x[job->count] * contact.velocity.x +
                                                      state->velocity_change_y[job->count] * contact.velocity.y);
            append_listed_node(job, k, (pd_vec2){p.x + out * contact.normal.x, p.y + out * contact.normal.y});
        }
    pd_vortex_push_points_out_of_image_walls(job->world, state, job->count, state->node_x, state->node_y);
    compute_velocities_at_listed_nodes(job);
    for (int n = 0; n < job->count; n++)
        state->target_circulation[n] +=
            state->velocity_change_x[n] * state->node_u[n] + state->velocity_change_y[n] * state->node_v[n];
    change_circulation_towards_target(job, 1);
}

static bool add_circulation_of_tool_and_walls(pd_world *world, vortex_state *state, float dt) {
    bool radial = is_push_or_pull(&world->tool), still = world->tool.velocity.x == 0 && world->tool.velocity.y == 0;
    pd_tool_field field = tool_acceleration_field_of_kind(world, radial ? PD_TOOL_DRAG : world->tool.kind, dt);
    circulation_job job = {.world = world, .state = state, .field = field, .dt = dt};
    bool tool = field.kind == PD_TOOL_DRAG && !(radial && still);
    bool walls = !world->scene.container.slip && world->scene.obstacle_count + world->scene.body_count > 0;
    if (!tool && !walls && world->scene.emitter_count == 0) return false;
    pd_vortex_prepare_velocity_field(world, state, state->x, state->y);
    if (tool) {
        size_t bytes = state->mac->layout.count * sizeof(float);
        memset(state->velocity_change_x, 0, bytes);
        memset(state->velocity_change_y, 0, bytes);
        add_velocity_change_by_tool(&job);
        pd_vortex_add_curl_of_velocity_change_to_circulation_gain(state);
    }
    if (walls || world->scene.emitter_count > 0) pd_vortex_deposit_circulation_on_nodes(state);
    for (int e = 0; e < world->scene.emitter_count; e++) {
        pd_mouth mouth;
        if (pd_find_emitter_mouth(world, state->mac, e, dt, &mouth)) update_shear_layers_at_mouth(&job, &mouth);
    }
    if (walls) update_shear_layers_at_walls(&job);
    return true;
}

void pd_vortex_apply_forces(pd_world *world, vortex_state *state, float dt) {
    memset(state->circulation_gain, 0, state->mac->layout.count * sizeof(float));
    bool heavy = add_baroclinic_circulation(world, state, dt),
         pushed = add_circulation_of_tool_and_walls(world, state, dt);
    if (heavy || pushed) pd_vortex_add_circulation_gain_to_vortons(world, state);
}

/* Each emitted vorton has the area of a cell. Start positions are evenly distributed over the mouth. At start positions
 * behind a wall no vorton is added. */
void pd_vortex_add_emitted_vortons(pd_world *world, vortex_state *state, float dt) {
    static const double GOLDEN = 0.6180339887498949;
    float cell = (float)state->mac->grid.cell, area = cell * cell;
    for (int e = 0; e < world->scene.emitter_count; e++) {
        const pd_emitter *emitter = &world->scene.emitters[e];
        pd_mouth mouth;
        float deviation = pd_vortex_density_deviation(world, emitter->material);
        if (deviation == 0 || !pd_find_emitter_mouth(world, state->mac, e, dt, &mouth)) continue;
        state->least_density_deviation = fminf(state->least_density_deviation, deviation);
        state->greatest_density_deviation = fmaxf(state->greatest_density_deviation, deviation);
        double sent = (double)emitter->speed * (double)emitter->width * (double)dt;
        state->pending_area[e] = fmin(state->pending_area[e] + sent, (double)PD_MAX_VORTONS * (double)area);
        for (; state->pending_area[e] >= (double)area; state->pending_area[e] -= (double)area) {
            double n = ++state->emitted_count[e], place = n * GOLDEN - floor(n * GOLDEN) - 0.5;
            float across = (float)place * emitter->width;
            pd_vec2 start = {emitter->position.x - across * mouth.ay, emitter->position.y + across * mouth.ax},
                    p = start;
            pd_boundary_push_out_of_walls(world->boundary, &p);
            if (fmaxf(fabsf(p.x - start.x), fabsf(p.y - start.y)) > cell) continue;
            pd_vortex_add_vorton(state, p, 0, state->field_vorton_core, area, area * deviation);
        }
    }
}

void pd_vortex_remove_drained_vortons(pd_world *world, vortex_state *state) {
    int remaining = 0;
    if (world->scene.drain_count == 0) return;
    for (int n = 0; n < state->count; n++) {
        bool gone = false;
        for (int d = 0; d < world->scene.drain_count && !gone; d++)
            gone = pd_zone_contains_point(&world->scene.drains[d].area, (pd_vec2){state->x[n], state->y[n]});
        if (!gone) pd_vortex_copy_vorton(state, n, remaining++);
    }
    state->count = remaining;
}

/* ---- Viscosity ----
 *
 * Viscosity: particle strength exchange between field vortons (Degond, Mas-Gallic 1989) with a Gaussian kernel as
 * wide as the cores. Cores of the scene's vortons grow, which is exact for a single vortex (Lamb, Oseen). */

enum { MOST_PASSES = 16 }; /* greatest number of exchanges in a substep */

static int sort_field_vortons_by_cell(vortex_state *state, int *cell_of) {
    const pd_mac *mac = state->mac;
    size_t cells = mac->layout.count;
    int *start = state->first_in_cell, count = 0;
    memset(start, 0, (cells + 1) * sizeof *start);
    for (int n = 0; n < state->count; n++) {
        vortex_kernel k;
        cell_of[n] = -1;
        if (!(state->area[n] > 0) || !pd_vortex_find_kernel_nodes(mac, state->x[n], state->y[n], &k)) continue;
        cell_of[n] = (int)(k.first + (size_t)mac->layout.stride + 1);
        start[cell_of[n] + 1]++;
        count++;
    }
    for (size_t c = 0; c < cells; c++) start[c + 1] += start[c];
    for (int n = state->count - 1; n >= 0; n--)
        if (cell_of[n] >= 0) state->vortons_by_cell[--start[cell_of[n] + 1]] = n;
    /* At this point start[c + 1] is the index of the first vorton of cell c in vortons_by_cell. */
    memmove(start, start + 1, cells * sizeof *start);
    return count;
}

static void exchange_circulation(void *context, int begin, int end) {
    PD_SIMD_PICK(pd_vortex_exchange_circulation)(context, begin, end);
}

void pd_vortex_diffuse_circulation(pd_world *world, vortex_state *state, float dt) {
    static const float PI = 3.14159265f;
    /* Longest time step of the exchange, in units of core^2/viscosity: a vorton exchanges half its circulation. */
    static const float STABLE = 0.125f;
    float viscosity = world->parameter[VORTEX_VISCOSITY], core2 = state->field_vorton_core * state->field_vorton_core;
    bool any = false;
    if (!(viscosity > 0)) return;
    for (int n = 0; n < state->count; n++) {
        if (state->area[n] > 0)
            any = true;
        else
            state->core[n] = sqrtf(state->core[n] * state->core[n] + 4 * viscosity * dt);
    }
    if (!any) return;
    /* The arrays from_x, sum_x and rate_x serve as working memory, since no Runge-Kutta stage is being computed. */
    vortex_exchange e = {.layout = &state->mac->layout,
                         .start = state->first_in_cell,
                         .vortons_by_cell = state->vortons_by_cell,
                         .x = state->from_x,
                         .y = state->from_y,
                         .area = state->sum_x,
                         .circulation = state->sum_y,
                         .circulation_change = state->circulation_change,
                         .cell_of = (int *)(void *)state->rate_x};
    int count = sort_field_vortons_by_cell(state, e.cell_of);
    for (int b = 0; b < count; b++) {
        int n = state->vortons_by_cell[b];
        e.x[b] = state->x[n];
        e.y[b] = state->y[n];
        e.area[b] = state->area[n];
        e.circulation[b] = state->circulation[n];
    }
    int passes = (int)fminf(ceilf(viscosity * dt / (STABLE * core2)), MOST_PASSES);
    float per_pass = fminf(viscosity * dt / (float)passes, STABLE * core2);
    e.factor = per_pass / core2 * 4 / (PI * core2);
    e.inverse_width2 = 1 / core2;
    for (int pass = 0; pass < passes; pass++) {
        pd_parallel_for(world->pool, count, 256, exchange_circulation, &e);
        for (int b = 0; b < count; b++) e.circulation[b] += e.circulation_change[b];
    }
    for (int b = 0; b < count; b++) state->circulation[state->vortons_by_cell[b]] = e.circulation[b];
}
