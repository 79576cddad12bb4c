/* Position based fluids: Macklin, Müller, "Position Based Fluids", SIGGRAPH 2013. The constraint of each particle is
 * that its density equals the rest density. A few Jacobi iterations move all particles towards positions that satisfy
 * the constraints.
 *
 * Densities are number densities: heavy and light particles occupy the same area, and differ in inertia only. */
#include "methods/pbf/pbf.h"

#include "core/math.h"
#include "core/simd.h"
#include "scene/properties.h"
#include "sim/particles/ramp.h"
#include "sim/step.h"
#include "sim/world.h"

#include <string.h>

/* Table of the parameters of position based fluids. Defaults are for 1,500 particles in a circle of 1 m, with the rest
 * spacing of double density relaxation. Where the paper gives a value for a radius of about 1 m, this table has it in
 * units of the radius h. */

static const pd_parameter parameters[PBF_PARAMETERS] = {
    [PBF_RADIUS] = {"radius", "Kernel radius", "m",
                    "Radius of interaction: particles that are closer act on each other", "Macklin, Müller 2013, h",
                    .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.0936f, .minimum = 1e-4f, .maximum = 100,
                    .follows = {.resolution = 1, .length = 1}, .in_container = true},
    /* Default: density by the spiky kernel in a hexagonal lattice of 861 particles/m^2. */
    [PBF_REST_DENSITY] = {"rest_density", "Rest density", "1/m²",
                          "Density that the constraint enforces, in particles per area",
                          "Macklin, Müller 2013, eq. 1, rho 0", .scale = PD_SCALE_LOGARITHMIC, .default_value = 950,
                          .minimum = 0.01f, .maximum = 1e7f, .follows = {.resolution = -2, .length = -2}},
    [PBF_RELAXATION] = {"relaxation", "Relaxation", "1/h²",
                        "Softening of the constraint where particles have few neighbours: higher is calmer and softer",
                        "Macklin, Müller 2013, eq. 11, epsilon", .scale = PD_SCALE_LOGARITHMIC, .default_value = 5,
                        .minimum = 0.01f, .maximum = 1e5f},
    [PBF_ITERATIONS] = {"iterations", "Iterations", "",
                        "Iterations of the solver per substep: more give a smaller density error",
                        "Macklin, Müller 2013, algorithm 1; 2 to 10", .type = PD_PARAMETER_INTEGER, .default_value = 4,
                        .minimum = 1, .maximum = PBF_MOST_ITERATIONS},
    [PBF_SCORR_STRENGTH] = {"scorr_strength", "Artificial pressure", "h²",
                            "Strength of the artificial pressure, which prevents clumps of particles",
                            "Macklin, Müller 2013, eq. 13, k; 0.001 to 0.1", .scale = PD_SCALE_LOGARITHMIC,
                            .default_value = 0.012f, .maximum = 1},
    [PBF_SCORR_EXPONENT] =
        {"scorr_exponent", "Pressure exponent", "",
         "Exponent of the artificial pressure: higher rises more sharply when particles are close",
         "Macklin, Müller 2013, eq. 13, n; 4 there, which stiffens the fluid at its spacing of 0.36 h",
         .type = PD_PARAMETER_INTEGER, .default_value = 8, .minimum = 1, .maximum = 8},
    [PBF_SCORR_DISTANCE] = {"scorr_distance", "Pressure distance", "h",
                            "Distance of two particles at which the artificial pressure equals its strength",
                            "Macklin, Müller 2013, eq. 13, delta q; 0.1 to 0.3", .default_value = 0.1f,
                            .minimum = 0.05f, .maximum = 0.9f},
    [PBF_COHESION] = {"cohesion", "Cohesion", "",
                      "On: the constraint also attracts particles; off: the constraint is clamped and only repels",
                      "Macklin, Müller 2013, section 4", .type = PD_PARAMETER_BOOLEAN, .default_value = 1,
                      .maximum = 1},
    [PBF_XSPH] = {"xsph", "XSPH viscosity", "",
                  "XSPH viscosity: part of the velocity difference between neighbours that vanishes in 1/60 s",
                  "Macklin, Müller 2013, eq. 17, c; 0.01", .default_value = 0.01f, .maximum = 1,
                  .follows = {.speed = 2}},
    [PBF_VORTICITY] = {"vorticity", "Vorticity", "m/s",
                       "Vorticity confinement: restores vortices that the solver smooths away",
                       "Macklin, Müller 2013, eq. 16, epsilon", .maximum = 10},
    [PBF_KERNEL] = {"kernel", "Density kernel", "",
                    "Kernel of the density: spiky, like that of the gradient, or poly6 as in the paper (pools "
                    "do not come to rest)",
                    "Macklin, Müller 2013, section 3: poly6", .type = PD_PARAMETER_CHOICE, .maximum = 1,
                    .choices = "spiky|poly6"},
    [PBF_WALL_DENSITY] = {PARTICLE_WALL_DENSITY_PARAMETER("0 in Macklin, Müller 2013")},
    [PBF_SURFACE_TENSION] = {PD_TENSION_PARAMETER},
    [PBF_SPRING_STIFFNESS] = {PD_ELASTICITY_PARAMETER},
    [PBF_PLASTICITY] = {PD_PLASTICITY_PARAMETER},
    [PBF_YIELD] = {PD_YIELD_PARAMETER},
    [PBF_STICKINESS] = {PD_STICKINESS_PARAMETER},
    [PBF_STICK_DISTANCE] = {PARTICLE_STICK_DISTANCE_PARAMETER},
};

static const float PI = 3.14159265f;

/* Longest substep = SUBSTEP_FACTOR x h / sqrt(g L), h: interaction radius, g: gravity, L: pd_resolution.length.
 * LEAST_GRAVITY: lower bound of g in this formula, in units of resolution.gravity. At the depth d the relative compression of fluid at rest is about g d dt^2 (epsilon h^2
 * + 2.5) / (iterations h^2), epsilon: relaxation. With this factor the compression is 1 to 2 % at the default
 * parameters. */
static const float SUBSTEP_FACTOR = 0.14f, LEAST_GRAVITY = 0.25f;

/* Returns sqrt(g L), m/s, g: gravity of the scene, at least least_gravity x resolution.gravity, L:
 * resolution.length. */
static float compute_gravity_speed(const pd_world *world, float least_gravity) {
    float gravity = pd_hypotf(world->scene.gravity.x, world->scene.gravity.y);
    float deeper = (pd_resolution_compute_load(&world->resolution) - 1) * world->resolution.gravity;
    return sqrtf((fmaxf(gravity, least_gravity * world->resolution.gravity) + deeper) * world->resolution.length);
}

static pd_substep_limit compute_pressure_substep_limit(const pd_world *world) {
    float h = world->parameter[PBF_RADIUS];
    return (pd_substep_limit){PBF_RADIUS, h, SUBSTEP_FACTOR * h / compute_gravity_speed(world, LEAST_GRAVITY)};
}

/* KERNEL_DENSITY: method's density / particles per area, at the default radius; measured 1.100 to 1.105. SLOPES: sum of
 * the squared gradients of the constraint; measured 1.83 with 2 to 4 iterations, and 1.65 with 10. Both are measured by
 * comparing the pressure with the weight of pools. */
static const float KERNEL_DENSITY = 1.102f, SLOPES = 1.83f;

/* Upper limits of the surface tension, both measured. g, L: pd_resolution.gravity and length, H: smoothing radius of the
 * tension, m: mass of a particle. The limits are proportional to m, because displacements do not depend on the mass if
 * all masses are equal.
 * - MOST_TENSION_BY_LENGTH x g L H m: drops of 300 and 1,500 particles that start as ellipses with the axes 2 : 1 have
 *   after 5 s a speed of at most 0.16 m/s with 0.25, and of 0.7 m/s with 0.35. From 0.5 on drops tear.
 * - MOST_TENSION_BY_SPACING x g H^2 m: drops of 6,000 particles are at rest after 20 s with 3.6. With 4 their outer
 *   rows come off, and the drop boils. */
static const float MOST_TENSION_BY_LENGTH = 0.25f, MOST_TENSION_BY_SPACING = 3.4f;

/* Completes the rule of the surface tension (particle_traits.complete_tension_rule). rule->rest_density becomes the
 * number of particles per area at rest. */
static void complete_tension_rule(const pd_world *world, tension_rule *rule) {
    rule->rest_density = world->parameter[PBF_REST_DENSITY] / KERNEL_DENSITY;
    float most = world->resolution.gravity * rule->radius *
                 fminf(MOST_TENSION_BY_LENGTH * world->resolution.length, MOST_TENSION_BY_SPACING * rule->radius);
    for (int m = 0; m < world->scene.material_count; m++)
        pd_tension_set_material(rule, world, m, most * world->scene.materials[m].mass,
                                "a higher mass, or fewer particles", 90);
}

/* Value of particle_traits.body_outside. With this value the lift of a body is the weight of the displaced fluid
 * (docs/notes/bodies.md). */
#define BODY_OUTSIDE 0.025f

/* Upper limit of a particle's share in the displacement of a pair from which its deviator is computed, in units of h: half
 * of the limit of a pair (pbf_wide.c). */
static const float FARTHEST_SHARE = 0.125f;

typedef struct stage {
    particle_step step;
    pbf_pass pass;
    pd_loop_body *displace; /* loop over the particles in the present iteration */
    float solver_speed;     /* limit of speeds by the solver's displacements, m/s */
} stage;

static void write_records_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const pd_particles *p = stage->pass.particles;
    pd_motion_separate_coincident(&stage->step.motion, begin, end);
    for (int i = begin; i < end; i++) {
        float *record = stage->pass.state->position[i];
        record[0] = p->x[i] * stage->pass.inverse_h;
        record[1] = p->y[i] * stage->pass.inverse_h;
        record[2] = stage->step.motion.inverse_mass[p->material[i]];
        stage->pass.state->correction_x[i] = 0;
        stage->pass.state->correction_y[i] = 0;
    }
}

/* Returns the momentum of particle i per metre of displacement in this substep: mass / dt, kg/s. */
static float compute_momentum_per_displacement(const stage *stage, int i) {
    return 1 / (stage->step.motion.inverse_mass[stage->pass.particles->material[i]] * stage->step.motion.dt);
}

static void stop_particle_at_walls(const stage *stage, int chunk_begin, int i) {
    const pd_particles *p = stage->pass.particles;
    pbf_state *state = stage->pass.state;
    pd_vec2 now = {state->corrected_x[i], state->corrected_y[i]};
    pd_contact wall;
    pd_boundary_stop_at_walls(stage->step.motion.world->boundary, (pd_vec2){p->old_x[i], p->old_y[i]}, &now, &wall);
    if (now.x == state->corrected_x[i] && now.y == state->corrected_y[i]) return;
    float to_wall_x = state->corrected_x[i] - now.x, to_wall_y = state->corrected_y[i] - now.y;
    if (isfinite(to_wall_x) && isfinite(to_wall_y))
        pd_impulses_add(pd_boundary_impulses(stage->step.motion.world->boundary), chunk_begin, stage->step.grain,
                        wall.wall, (double)(compute_momentum_per_displacement(stage, i) * to_wall_x),
                        (double)(compute_momentum_per_displacement(stage, i) * to_wall_y), now);
    state->correction_x[i] = now.x - p->x[i];
    state->correction_y[i] = now.y - p->y[i];
    state->corrected_x[i] = now.x;
    state->corrected_y[i] = now.y;
    state->position[i][0] = now.x * stage->pass.inverse_h;
    state->position[i][1] = now.y * stage->pass.inverse_h;
}

/* Displaces particles in an iteration of the solver, and stops them at walls (lines 13 to 15 of the paper's
 * algorithm). */
static void displace_and_stop_in_range(void *context, int begin, int end) {
    stage *stage = context;
    const pd_particles *p = stage->pass.particles;
    const float *x = stage->pass.state->corrected_x, *y = stage->pass.state->corrected_y;
    stage->displace(&stage->pass, begin, end);
    pd_particle_step_add_wall_impulses(&stage->step, begin, end, stage->step.motion.dt, x, y);
    pd_near_paths near = pd_near_paths_begin(stage->step.motion.world->boundary, begin, end, p->old_x, p->old_y, x, y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) stop_particle_at_walls(stage, begin, i);
}

/* solver_speed is the maximum of GRAVITY_SPEEDS x compute_gravity_speed and FASTEST_SPEEDS x the greatest speed of a
 * particle. */
static const float GRAVITY_SPEEDS = 6, FASTEST_SPEEDS = 0.9f;

/* Sets velocities to displacement / dt (line 21 of the paper's algorithm). The speed is clamped to solver_speed or, if
 * greater, to the particle's speed before. Displacements in over-compressed fluid hardly depend on dt. Without a limit
 * higher speeds would shorten dt, and shorter substeps would raise the speeds. */
static void set_velocities_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const pd_particles *p = stage->pass.particles;
    for (int i = begin; i < end; i++) {
        float *velocity = stage->pass.state->velocity[i];
        p->x[i] = stage->pass.state->corrected_x[i];
        p->y[i] = stage->pass.state->corrected_y[i];
        float vx = p->vx[i] + stage->pass.state->correction_x[i] / stage->step.motion.dt;
        float vy = p->vy[i] + stage->pass.state->correction_y[i] / stage->step.motion.dt;
        float speed2 = vx * vx + vy * vy, allowed2 = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i];
        allowed2 = fmaxf(allowed2, stage->solver_speed * stage->solver_speed);
        if (speed2 > allowed2) {
            float slow = sqrtf(allowed2 / speed2);
            vx *= slow;
            vy *= slow;
        }
        p->vx[i] = vx;
        p->vy[i] = vy;
        velocity[0] = vx;
        velocity[1] = vy;
        velocity[2] = stage->pass.root_xsph[p->material[i]];
    }
}

static const pd_pbf_kernels *kernels(void) { return PD_SIMD_PICK(pd_pbf_kernels); }

/* XSPH viscosity that is added at the start of the rest-density ramp, and decays with the ramp. It damps the motion
 * that the change of the method causes. */
static const float RAMP_XSPH = 0.3f;

/* Computes the constants of the loops over neighbours. Kernels in 2-D, normalised to 1: W6 = 4/(pi h^2) (1 - r^2/h^2)^3
 * for smoothing, and the spiky kernel 10/(pi h^2) (1 - r/h)^3 for the density and its gradient. In the paper the kernel
 * of the density is W6 (PBF_KERNEL). The displacements are then not along the gradient of the constraint, and the error
 * becomes motion: a pool at rest has speeds of 15 to 44 % of sqrt(g L) (pd_resolution), instead of 1 % with the spiky
 * kernel (measured). Shorter substeps raise these speeds. */
static pbf_pass compute_pass_constants(const pd_world *world, const particle_step *step, pbf_state *state) {
    const pd_motion *motion = &step->motion;
    float h = motion->radius, rest_density = world->parameter[PBF_REST_DENSITY];
    float area = PI * h * h * rest_density, reach = world->parameter[PBF_SCORR_DISTANCE];
    float frames = motion->dt * 60;
    bool uses_poly6 = world->parameter[PBF_KERNEL] != 0;
    pbf_pass pass = {
        .motion = motion,
        .particles = &world->particles,
        .neighbours = &world->neighbours,
        .state = state,
        .h = h,
        .inverse_h = 1 / h,
        .density_factor = (uses_poly6 ? 4 : 10) / area,
        .smoothing_factor = 4 / area,
        .uses_poly6 = uses_poly6,
        .gradient_factor = 30 / area,
        .relaxation = world->parameter[PBF_RELAXATION],
        .strength = world->parameter[PBF_SCORR_STRENGTH],
        .inverse_reach = 1 / (1 - reach * reach),
        .exponent = (int)world->parameter[PBF_SCORR_EXPONENT],
        .xsph = fminf((world->parameter[PBF_XSPH] + RAMP_XSPH * world->ramp) * frames, 1),
        .vorticity = world->parameter[PBF_VORTICITY] * motion->dt,
        .rest_density = rest_density,
        .is_ramped = world->ramp > 0,
        .attracts = world->parameter[PBF_COHESION] != 0,
    };
    pass.viscosities_differ = step->viscosities_differ && pass.xsph > 0;
    for (int m = 0; m < world->scene.material_count; m++) {
        float xsph = world->parameter[PBF_XSPH] * step->viscosity[m];
        pass.unyielding[m] = world->property[m][PD_ELASTICITY] > 0 && world->property[m][PD_PLASTICITY] == 0;
        if (pass.unyielding[m] && pass.attracts) pass.unyielding_only_repel = true;
        pass.root_xsph[m] = sqrtf(fminf((xsph + RAMP_XSPH * world->ramp) * frames, 1));
    }
    for (int m = 0; m < world->scene.material_count; m++)
        if (motion->inverse_mass[m] > PBF_LIGHT) pass.has_light_particles = true;
    pass.masses_differ = step->masses_differ;
    pass.has_bodies = world->scene.body_count > 0;
    return pass;
}

/* Appends the mean of max(0, C) over all particles to state->mean_excess, from the chunks' sums in
 * state->excess_sum. */
static void record_mean_density_excess(pbf_state *state, int count) {
    double sum = 0;
    for (int b = 0; b * PD_LIST_GRAIN < count; b++) sum += state->excess_sum[b];
    state->mean_excess[state->excess_count] = (float)(sum / fmax(count, 1));
    state->excess_count++;
}

static void write_deviator_values_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const pbf_state *state = stage->pass.state;
    const deviator *d = &state->fluid.deviator;
    for (int i = begin; i < end; i++) {
        if (!deviator_is_needed(d, i)) continue;
        const float *lambda = state->lambda[i];
        float near = stage->pass.h * fminf(-stage->pass.gradient_factor * lambda[2], FARTHEST_SHARE);
        memcpy(d->pair[i], (deviator_pair){lambda[0], lambda[1], 0, near, 1}, sizeof(deviator_pair));
        memcpy(d->stress[i], (deviator_stress){lambda[0], lambda[1], 1 / stage->pass.rest_density},
               sizeof(deviator_stress));
        d->weight[i] = stage->pass.particles->density[i] / stage->pass.rest_density;
    }
}

static void add_deviator_displacements_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const pbf_state *state = stage->pass.state;
    for (int i = begin; i < end; i++) {
        if (!deviator_has_force(&state->fluid.deviator, i)) continue;
        state->correction_x[i] += state->lambda[i][3] * state->fluid.deviator.force_x[i];
        state->correction_y[i] += state->lambda[i][3] * state->fluid.deviator.force_y[i];
    }
}

/* Adds the displacements of an iteration that remove the yield stress near bodies (deviator.h). */
static void remove_deviator(stage *stage) {
    const pd_world *world = stage->step.motion.world;
    particle_fluid *fluid = &stage->pass.state->fluid;
    const deviator_repulsion repulsion = {stage->pass.strength * stage->pass.gradient_factor * stage->pass.h,
                                          stage->pass.inverse_reach, stage->pass.exponent};
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, write_deviator_values_in_range, stage);
    pd_deviator_compute_forces(&fluid->deviator, world, &fluid->lists, &fluid->walls, stage->pass.h, repulsion);
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, add_deviator_displacements_in_range, stage);
    pd_particle_step_end_stage(&stage->step, "deviator");
}

/* Iterates the solver. The first iteration starts from the predicted positions. */
static void iterate_solver(stage *stage) {
    const pd_world *world = stage->step.motion.world;
    pbf_state *state = stage->pass.state;
    int count = world->particles.count, iterations = (int)world->parameter[PBF_ITERATIONS];
    const float *x = NULL, *y = NULL;
    const bool near_bodies = pd_deviator_begin(&state->fluid.deviator, world, stage->pass.h);
    state->excess_count = 0;
    for (int iteration = 0; iteration < iterations; iteration++) {
        pd_particle_step_compute_wall_weights(&stage->step, stage->pass.uses_poly6, x, y);
        pd_particle_step_end_stage(&stage->step, "walls");
        pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->compute_lambda, &stage->pass);
        record_mean_density_excess(state, count);
        pd_particle_step_end_stage(&stage->step, "lambda");
        if (near_bodies) remove_deviator(stage);
        pd_parallel_for(world->pool, count, stage->step.grain, displace_and_stop_in_range, stage);
        pd_particle_step_end_stage(&stage->step, "displacement");
        x = state->corrected_x;
        y = state->corrected_y;
    }
}

static void write_records_and_find_lists(stage *stage, bool reuse_lists) {
    const pd_world *world = stage->step.motion.world;
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, write_records_in_range, stage);
    for (int i = world->particles.count; i <= pd_lists_sentinel_index(world->particles.count); i++) {
        memcpy(stage->pass.state->position[i], (pbf_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION, 1, 0},
               sizeof(pbf_record));
        memcpy(stage->pass.state->lambda[i], (pbf_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION, 0, 1},
               sizeof(pbf_record));
        memset(stage->pass.state->velocity[i], 0, sizeof(pbf_record));
    }
    if (!reuse_lists) pd_particle_step_make_lists(&stage->step, kernels()->find_lists, &stage->pass);
}

static void pbf_compute_substep(pd_world *world, void *memory, float dt) {
    pbf_state *state = memory;
    const int count = world->particles.count;
    stage s = {.step = pd_particle_step_begin(world, &state->fluid, dt), .displace = kernels()->displace};
    s.pass = compute_pass_constants(world, &s.step, state);
    pd_particle_step_predict_positions(&s.step);
    s.solver_speed =
        fmaxf(FASTEST_SPEEDS * pd_motion_greatest_speed(world), GRAVITY_SPEEDS * compute_gravity_speed(world, 1));
    /* Surface tension needs new lists. With older ones drops of 1,500 particles remain slightly crystalline: a drop that
     * starts with the axes 2 : 1 ends at 1.14 : 1 instead of 1.07 : 1 (means of 36 starts). */
    bool valid = !(pd_particle_find_greatest_property_value(world, PD_TENSION) > 0) &&
                 pd_list_validity_check(&state->fluid.kept, world, s.step.motion.radius);
    bool kept = pd_particle_step_sort_if_needed(&s.step, valid);
    pd_particle_step_end_stage(&s.step, "neighbours");
    pd_particle_step_apply_forces_after_sort(&s.step);
    write_records_and_find_lists(&s, kept);
    pd_particle_step_end_stage(&s.step, "neighbours");
    iterate_solver(&s);
    pd_parallel_for(world->pool, count, PD_MOTION_GRAIN, set_velocities_in_range, &s);
    pd_particle_step_end_stage(&s.step, "velocity");
    pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->smooth_velocities, &s.pass);
    record_mean_density_excess(state, count);
    if (s.pass.vorticity > 0) pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->confine_vorticity, &s.pass);
    pd_particle_step_end_stage(&s.step, "smoothing");
}

static const pd_column columns[PBF_COLUMNS] = {
    [PBF_RAMP] = PD_RAMP_COLUMN,
    [PBF_SPRING_SLOT] = SPRINGS_SLOT_COLUMN,
};

static int pbf_get_density_errors(const void *memory, const float **errors) {
    const pbf_state *state = memory;
    *errors = state->mean_excess;
    return state->excess_count;
}

/* Returns the pressure over (density x error), m^2/s^2, error: density / rest density - 1. It is the pressure whose work
 * equals that of the solver's displacements. Assumes lambda = -C / (SLOPES / mass + relaxation), h^2, in each iteration:
 * in a pool at rest C hardly changes between iterations. */
static float compute_pressure_per_error(const pd_world *world, float mass) {
    const float h = world->parameter[PBF_RADIUS];
    const float dt = world->scene.dt / (float)(world->substeps > 0 ? world->substeps : pd_step_count_substeps(world));
    const float slopes = SLOPES / mass + world->parameter[PBF_RELAXATION];
    return world->parameter[PBF_ITERATIONS] * h * h / (dt * dt * KERNEL_DENSITY * slopes);
}

/* pd_density_law.compute_pressures */
static void compute_pressures(const pd_world *world, float *pressure) {
    const pd_particles *p = &world->particles;
    const float unit = (float)pd_units_particle_mass(world);
    const bool cohesion = world->parameter[PBF_COHESION] != 0;
    float per_error[PD_MAX_MATERIALS];
    for (int m = 0; m < world->scene.material_count; m++)
        per_error[m] = compute_pressure_per_error(world, world->scene.materials[m].mass);
    for (int i = 0; i < p->count; i++) {
        float rest_density = world->parameter[PBF_REST_DENSITY] * pd_density_ramp_present_factor(world, i);
        float error = p->density[i] / rest_density - 1;
        pressure[i] = cohesion || error > 0 ? unit * per_error[p->material[i]] * p->density[i] * error : 0;
    }
}

/* pd_density_law.at_rest: the density at which compute_pressures gives this pressure. */
static pd_fluid_at_rest find_fluid_at_rest(const pd_world *world, float mass, float pressure) {
    float rest_density = world->parameter[PBF_REST_DENSITY];
    float part = 4 * pressure / (compute_pressure_per_error(world, mass) * rest_density);
    float density = 0.5f * rest_density * (1 + sqrtf(1 + part));
    return (pd_fluid_at_rest){density / KERNEL_DENSITY, density};
}

static const pd_density_law law = {.at_rest = find_fluid_at_rest,
                                   .compute_pressures = compute_pressures,
                                   .ramp_column = PBF_RAMP,
                                   .jet_inset = 0.775f};

/* Springs displace the predicted positions. The solver's displacements begin there and do not contain those of springs,
 * so springs must change the velocities too. */
static const particle_traits traits = {
    .most_radii = 2,
    .radius = PBF_RADIUS,
    .rest_density = PBF_REST_DENSITY,
    .wall_density = PBF_WALL_DENSITY,
    .stick_distance = PBF_STICK_DISTANCE,
    .spring_slot = PBF_SPRING_SLOT,
    .springs_displace = true,
    .springs_change_velocity = true,
    .relative_viscosity = true,
    .uses_lists = true,
    .outside = PARTICLE_OUTSIDE,
    .body_outside = BODY_OUTSIDE,
    .tension_radius = 1.5f,
    .arrays = {{offsetof(pbf_state, position), sizeof(pbf_record), 1},
               {offsetof(pbf_state, lambda), sizeof(pbf_record), 1},
               {offsetof(pbf_state, velocity), sizeof(pbf_record), 1},
               {offsetof(pbf_state, correction_x), sizeof(float), 1},
               {offsetof(pbf_state, correction_y), sizeof(float), 1},
               {offsetof(pbf_state, corrected_x), sizeof(float), 1},
               {offsetof(pbf_state, corrected_y), sizeof(float), 1},
               {offsetof(pbf_state, excess_sum), sizeof(double), PD_LIST_GRAIN}},
    .pressure_limit = compute_pressure_substep_limit,
    .complete_tension_rule = complete_tension_rule,
};

extern const pd_method pd_method_pbf;
const pd_method pd_method_pbf = {
    .info =
        {
            .name = "pbf",
            .title = "Position based fluids",
            .idea = "Moves particles until the density is right",
            .suits = "Water with few particles: constant volume, round drops",
            .source = "Macklin, Müller: Position Based Fluids, SIGGRAPH 2013",
            .parameter_count = PBF_PARAMETERS,
            .field_count = PARTICLE_FIELDS,
            .view_count = PARTICLE_VIEWS,
            .features = PD_FEATURES_OF_PARTICLES,
        },
    .parameters = parameters,
    .fields = pd_particle_fluid_fields,
    .views = pd_particle_fluid_views,
    .particle_traits = &traits,
    .state_size = sizeof(pbf_state),
    .columns = columns,
    .column_count = PBF_COLUMNS,
    .law = &law,
    PARTICLE_FLUID_FUNCTIONS,
    .convergence = pbf_get_density_errors,
    .step = pbf_compute_substep,
    .destroy = pd_particle_fluid_destroy,
};
