/* Where vortex particles get their circulation from: buoyancy, tools, emitters, walls without slip. */
#include "methods/sources.h"
#include "methods/vortex.h"
#include "scene/geometry.h"

#include <math.h>
#include <string.h>

float vortex_deviation(const pd_world *world, int material) {
    return world->parameter[VORTEX_AMBIENT_DENSITY] *
           (world->scene.materials[material].mass - world->parameter[VORTEX_AMBIENT]);
}

static bool has_mass(const vortex_state *state) {
    for (int n = 0; n < state->count; n++)
        if (state->mass[n] != 0) return true;
    return false;
}

/* Baroclinic generation in the Boussinesq approximation (Gourlay, part 8): d(vorticity)/dt = (grad density x g) / ambient
 * density, by central differences; at walls the density continues evenly. */
static bool add_buoyancy(const pd_world *world, vortex_state *state, float dt) {
    pd_vec2 g = world->scene.gravity;
    const pd_mac *mac = state->mac;
    const pd_layout *l = &mac->layout;
    size_t row = (size_t)l->stride;
    float factor = world->parameter[VORTEX_BUOYANCY] / world->parameter[VORTEX_AMBIENT_DENSITY] * dt * 0.5f *
                   (float)mac->grid.cell;
    if (factor == 0 || (g.x == 0 && g.y == 0) || !has_mass(state)) return false;
    vortex_find_density(state);
    const float *d = state->density, *clear = state->clear;
    static const float CLEAR = 0.3f;
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_at(l, i, j);
            if (!(mac->open[k] > 0)) continue;
            float right = d[clear[k + 1] > CLEAR ? k + 1 : k], left = d[clear[k - 1] > CLEAR ? k - 1 : k];
            float above = d[clear[k + row] > CLEAR ? k + row : k], below = d[clear[k - row] > CLEAR ? k - row : k];
            state->gain[k] += factor * mac->open[k] * ((right - left) * g.y - (above - below) * g.x);
        }
    return true;
}

typedef struct push_job {
    pd_world *world;
    vortex_state *state;
    pd_tool_field field;
    float dt;
    int count; /* nodes listed */
} push_job;

static void add_place(push_job *job, size_t node, pd_vec2 p) {
    vortex_state *state = job->state;
    state->listed[job->count] = node;
    state->node_x[job->count] = p.x;
    state->node_y[job->count] = p.y;
    job->count++;
}

/* The velocities of the listed nodes, into node_u and node_v. */
static void find_velocities(push_job *job) {
    vortex_state *state = job->state;
    for (int first = 0; first < job->count; first += VORTEX_CHUNK) {
        int count = job->count - first < VORTEX_CHUNK ? job->count - first : VORTEX_CHUNK;
        vortex_velocities(job->world, state, count, state->node_x + first, state->node_y + first, state->node_u + first,
                          state->node_v + first);
    }
}

static void list_box(push_job *job, pd_cell_box box, float reach, pd_vec2 center) {
    const pd_mac *mac = job->state->mac;
    for (int j = box.bottom; j <= box.top; j++)
        for (int i = box.left; i <= box.right; i++) {
            pd_vec2 p = pd_mac_center(mac, i, j);
            size_t k = pd_at(&mac->layout, i, j);
            float dx = p.x - center.x, dy = p.y - center.y;
            if (mac->open[k] > 0 && dx * dx + dy * dy < reach * reach) add_place(job, k, p);
        }
}

static void push_tool(push_job *job) {
    vortex_state *state = job->state;
    pd_vec2 center = job->world->tool_now;
    float reach = job->field.radius;
    job->count = 0;
    list_box(job, pd_mac_cells_around(state->mac, center, (pd_vec2){reach, reach}), reach, center);
    find_velocities(job);
    for (int n = 0; n < job->count; n++) {
        float vx = state->node_u[n], vy = state->node_v[n];
        pd_tool_act(&job->field, job->dt, 1, state->node_x[n], state->node_y[n], &vx, &vy);
        state->push_x[state->listed[n]] += vx - state->node_u[n];
        state->push_y[state->listed[n]] += vy - state->node_v[n];
    }
}

static void push_mouth(push_job *job, const pd_mouth *mouth) {
    vortex_state *state = job->state;
    const pd_emitter *e = mouth->emitter;
    /* Beside a wall nothing carries away what vortons cannot follow of the mouth's velocity: it would be asked for again
     * and again. The source of volume alone drives the jet there. */
    pd_vec2 normal;
    float near = 0.5f * e->width + 2 * mouth->cell;
    if (pd_boundary_distance(job->world->boundary, e->position, &normal) < near) return;
    job->count = 0;
    list_box(job, mouth->box, INFINITY, e->position);
    find_velocities(job);
    for (int n = 0; n < job->count; n++) {
        float part = pd_mouth_cover(mouth, (pd_vec2){state->node_x[n], state->node_y[n]});
        state->push_x[state->listed[n]] += part * (e->speed * mouth->ax - state->node_u[n]);
        state->push_y[state->listed[n]] += part * (e->speed * mouth->ay - state->node_v[n]);
    }
}

/* Penalisation (Angot, Bruneau, Fabrie 1999): inside obstacles the fluid has their velocity. */
static void push_walls(push_job *job) {
    vortex_state *state = job->state;
    const pd_mac *mac = state->mac;
    job->count = 0;
    for (int j = 0; j < mac->layout.ny; j++)
        for (int i = 0; i < mac->layout.nx; i++) {
            size_t k = pd_at(&mac->layout, i, j);
            if (mac->open[k] < 1 && state->clear[k] > 0 && state->inside[k])
                add_place(job, k, pd_mac_center(mac, i, j));
        }
    find_velocities(job);
    for (int n = 0; n < job->count; n++) {
        size_t k = state->listed[n];
        pd_contact contact;
        float distance =
            pd_boundary_near(job->world->boundary, (pd_vec2){state->node_x[n], state->node_y[n]}, &contact);
        if (!isfinite(distance)) continue;
        state->push_x[k] += (1 - mac->open[k]) * (contact.velocity.x - state->node_u[n]);
        state->push_y[k] += (1 - mac->open[k]) * (contact.velocity.y - state->node_v[n]);
    }
}

static bool add_pushes(pd_world *world, vortex_state *state, float dt) {
    push_job job = {.world = world, .state = state, .field = pd_tool_field_of(world, dt), .dt = dt};
    bool tool = job.field.kind == PD_TOOL_DRAG;
    bool walls = !world->scene.container.slip && world->scene.obstacle_count > 0;
    if (!tool && !walls && world->scene.emitter_count == 0) return false;
    size_t bytes = state->mac->layout.count * sizeof(float);
    memset(state->push_x, 0, bytes);
    memset(state->push_y, 0, bytes);
    vortex_prepare_field(world, state, state->x, state->y);
    if (tool) push_tool(&job);
    for (int e = 0; e < world->scene.emitter_count; e++) {
        pd_mouth mouth;
        if (pd_find_mouth(world, state->mac, e, dt, &mouth)) push_mouth(&job, &mouth);
    }
    if (walls) push_walls(&job);
    vortex_add_curl(state);
    return true;
}

void vortex_apply_forces(pd_world *world, vortex_state *state, float dt) {
    memset(state->gain, 0, state->mac->layout.count * sizeof(float));
    bool heavy = add_buoyancy(world, state, dt), pushed = add_pushes(world, state, dt);
    if (heavy || pushed) vortex_share_gain(world, state);
}

/* One vorton for each spacing squared that an emitter has sent out, at evenly distributed places of its mouth. */
void vortex_pour(pd_world *world, vortex_state *state, float dt) {
    static const double GOLDEN = 0.6180339887498949;
    float cell = (float)state->mac->grid.cell, area = cell * cell;
    for (int e = 0; e < world->scene.emitter_count; e++) {
        const pd_emitter *emitter = &world->scene.emitters[e];
        pd_mouth mouth;
        float deviation = vortex_deviation(world, emitter->material);
        if (deviation == 0 || !pd_find_mouth(world, state->mac, e, dt, &mouth)) continue;
        state->poured[e] += (double)emitter->speed * (double)emitter->width * (double)dt;
        for (; state->poured[e] >= (double)area; state->poured[e] -= (double)area) {
            double n = ++state->poured_count[e], place = n * GOLDEN - floor(n * GOLDEN) - 0.5;
            float across = (float)place * emitter->width;
            pd_vec2 p = {emitter->position.x - across * mouth.ay, emitter->position.y + across * mouth.ax};
            pd_boundary_push_out(world->boundary, &p);
            vortex_add(state, p, 0, state->field_core, area, area * deviation);
        }
    }
}

void vortex_drain(pd_world *world, vortex_state *state) {
    int kept = 0;
    if (world->scene.drain_count == 0) return;
    for (int n = 0; n < state->count; n++) {
        bool gone = false;
        for (int d = 0; d < world->scene.drain_count && !gone; d++)
            gone = pd_drain_contains(&world->scene.drains[d], (pd_vec2){state->x[n], state->y[n]});
        if (!gone) vortex_copy(state, n, kept++);
    }
    state->count = kept;
}
