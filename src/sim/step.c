/* A step of simulated time: emission, substeps of the method, drains and changes of material. The scene sets the number of
 * substeps, or the method's limits do. */
#include "sim/step.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/timer.h"
#include "sim/frame.h"
#include "sim/particles/ramp.h"
#include "sim/world.h"
#include "sim/world_bodies.h"

#include <math.h>
#include <string.h>

void pd_stage_end(pd_world *world, const char *name, double *since) {
    pd_profile *profile = &world->profile;
    double now = pd_now();
    int stage = 0;
    while (stage < profile->stage_count && strcmp(profile->stage[stage], name) != 0) stage++;
    if (stage == profile->stage_count && stage < PD_MAX_STAGES) profile->stage[profile->stage_count++] = name;
    if (stage < PD_MAX_STAGES) profile->seconds[stage] += now - *since;
    *since = now;
}

/* Returns the number of substeps in a step if each substep lasts at most max_seconds. */
static int count_substeps(const pd_world *world, float max_seconds) {
    float count = ceilf(world->scene.dt / max_seconds * 0.9999f); /* 0.9999: rounding errors must not add a substep */
    return (int)fminf(fmaxf(count, 1), PD_MAX_SUBSTEPS);
}

/* Computes the number of substeps that each limit of the method requires, the greatest number first. Returns the number of
 * limits. */
static int compute_substep_costs(const pd_world *world, pd_substep_cost costs[PD_MAX_COSTS]) {
    pd_substep_limit limits[PD_MAX_COSTS];
    if (world->scene.substeps > 0) return 0;
    int count = pd_method_substep_limits(world, limits);
    for (int i = 0; i < count; i++) {
        pd_substep_cost cost = {"speed", limits[i].value, count_substeps(world, limits[i].seconds)};
        if (limits[i].parameter >= 0)
            pd_method_parameter_key(&world->method->info, limits[i].parameter, cost.key, sizeof cost.key);
        int k = i; /* insertion sort by descending number of substeps */
        for (; k > 0 && costs[k - 1].substeps < cost.substeps; k--) costs[k] = costs[k - 1];
        costs[k] = cost;
    }
    return count;
}

int pd_world_fill_substep_costs(const pd_world *world, pd_substep_cost *costs, size_t size) {
    pd_substep_cost own[PD_MAX_COSTS];
    int count = compute_substep_costs(world, own);
    for (int i = 0; i < count; i++) pd_copy_struct((char *)costs + (size_t)i * size, size, &own[i], sizeof own[i]);
    return count;
}

int pd_step_count_substeps(const pd_world *world) {
    if (world->scene.substeps > 0) return world->scene.substeps;
    pd_substep_cost costs[PD_MAX_COSTS];
    return compute_substep_costs(world, costs) > 0 ? costs[0].substeps : 1;
}

/* Begins a step: emits and pours particles before the first substep, and lists those in nozzles and near poured fluid. */
static void begin_step(pd_world *world) {
    const pd_particles *p = &world->particles;
    memcpy(p->previous_x, p->x, (size_t)p->count * sizeof *p->x);
    memcpy(p->previous_y, p->y, (size_t)p->count * sizeof *p->y);
    pd_impulses_clear_totals(pd_boundary_impulses(world->boundary));
    pd_world_clear_constraint_impulses(world);
    pd_boundary_record_obstacle_velocities(world->boundary);
    pd_depth_follow(world);
    pd_density_ramp_follow_gravity(world);
    world->step_seconds = 0;
    world->memory_refused = false;
    double since = pd_now();
    pd_world_emit_particles(world);
    pd_world_pour_or_erase(world);
    pd_nozzle_list_particles(world);
    pd_calm_list_limited_particles(world);
    pd_stage_end(world, "emit", &since);
    world->frame_follows = pd_frame_can_follow_fluid(world);
    world->substeps = pd_step_count_substeps(world);
}

static void compute_substep(pd_world *world) {
    double dt = world->scene.dt, begin = pd_world_time(world), end = (double)(world->step + 1) * dt;
    int count = world->substeps, s = world->substeps_done;
    float fraction = (float)(s + 1) / (float)count;
    pd_vec2 tool_before = s > 0 ? world->tool_now : world->tool_from;
    world->tool_now.x = world->tool_from.x + (world->tool.position.x - world->tool_from.x) * fraction;
    world->tool_now.y = world->tool_from.y + (world->tool.position.y - world->tool_from.y) * fraction;
    /* The end of a substep equals the beginning of the next bit for bit. Otherwise obstacles would jump between substeps,
     * and particles could pass through them. */
    double from = begin + dt * s / count, to = begin + dt * (s + 1) / count;
    pd_world_move_obstacles(world, tool_before, from, s + 1 < count ? to : end);
    pd_world_begin_bodies(world, dt / count);
    const pd_frame frame = pd_frame_enter(world);
    pd_method_step(world, (float)(dt / count));
    pd_frame_leave(world, &frame, (float)(dt / count));
    pd_nozzle_move_particles(world, (float)(dt / count));
    pd_calm_limit_speeds(world, (float)(dt / count));
    pd_impulses_add_chunks_to_totals(pd_boundary_impulses(world->boundary));
    pd_world_end_bodies(world, dt / count);
    pd_density_ramp_decay(world, (float)(dt / count));
    world->substeps_done++;
    world->substep_total++;
    world->profile.substeps++;
}

static void end_step(pd_world *world) {
    double since = pd_now();
    pd_world_drain_particles(world);
    pd_stage_end(world, "drain", &since);
    pd_world_change_materials_in_zones(world);
    pd_stage_end(world, "change", &since);
    world->tool_from.x = world->tool.position.x - world->tool_lag.x;
    world->tool_from.y = world->tool.position.y - world->tool_lag.y;
    world->tool_lag = (pd_vec2){0, 0};
    world->substeps_done = 0;
    world->step++;
    world->profile.steps++;
}

bool pd_world_step_part(pd_world *world, double wall_seconds) {
    double started = pd_now(), elapsed = 0;
    bool whole = false;
    size_t refusals = pd_memory_refused_request_count();
    if (!pd_world_stepping(world)) begin_step(world);
    do {
        compute_substep(world);
        whole = world->substeps_done == world->substeps;
        if (whole) end_step(world);
        elapsed = pd_now() - started;
    } while (!whole && elapsed < wall_seconds);
    if (pd_memory_refused_request_count() != refusals) world->memory_refused = true;
    world->version++;
    world->step_seconds += elapsed;
    world->profile.step_seconds += elapsed;
    if (whole) pd_world_assert_valid_state(world);
    return whole;
}

void pd_world_step(pd_world *world) { pd_world_step_part(world, INFINITY); }

bool pd_world_stepping(const pd_world *world) { return world->substeps_done > 0; }

void pd_step_finish(pd_world *world) {
    if (pd_world_stepping(world)) pd_world_step(world);
}

pd_result pd_fail_within_step(pd_error *error) {
    return pd_fail(error, PD_ERROR_USAGE, "the state is incomplete within a step (complete the step first)");
}
