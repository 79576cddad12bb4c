/* Position based fluids: Macklin, Müller, "Position Based Fluids", SIGGRAPH 2013. Each particle has the constraint that
 * its density is the rest density. A few Jacobi iterations move all particles towards positions that satisfy it.
 *
 * Densities are number densities: heavy and light particles occupy the same area, and differ in inertia only. */
#include "methods/pbf/pbf.h"

#include "core/math.h"
#include "core/simd.h"
#include "sim/particles/ramp.h"
#include "sim/units.h"

#include <string.h>

static const float PI = 3.14159265f;

/* Longest substep = SUBSTEP_FACTOR x h / sqrt(g L). LEAST_GRAVITY: lower bound of g there, in units of the gravity of
 * the defaults. At depth d a fluid at rest is compressed by about g d dt^2 (epsilon h^2 + 2.5)/(iterations h^2),
 * relative to its density; by half of that on average. With this factor the compression is 1 to 2 % at the default
 * parameters. The compression decreases with more iterations and grows with the relaxation epsilon. */
static const float SUBSTEP_FACTOR = 0.14f, LEAST_GRAVITY = 0.25f;

/* Returns sqrt(g L), m/s: the scale of speeds by gravity. least: lower bound of g, in units of the gravity of the
 * defaults. */
static float gravity_speed(const pd_world *world, float least) {
    float gravity = pd_hypotf(world->scene.gravity.x, world->scene.gravity.y);
    return sqrtf(fmaxf(gravity, least * world->resolution.gravity) * world->resolution.length);
}

static pd_substep_limit pressure_limit(const pd_world *world) {
    float h = world->parameter[PBF_RADIUS];
    return (pd_substep_limit){PBF_RADIUS, h, SUBSTEP_FACTOR * h / gravity_speed(world, LEAST_GRAVITY)};
}

/* Greatest surface tension, g L H m. Measured with drops of 300 and 1,500 particles of mass 1 and 0.1 that start with
 * the axes 2 : 1, as the speed after 5 s: at most 0.16 m/s with 0.25, and 0.7 m/s with 0.35. From 0.5 on drops tear.
 * Heavy particles carry more tension, because displacements do not depend on the common mass. */
static const float MOST_TENSION = 0.25f;

static void complete_tension(const pd_world *world, tension_rule *rule) {
    float most = MOST_TENSION * world->resolution.gravity * world->resolution.length * rule->radius;
    for (int m = 0; m < world->scene.material_count; m++)
        tension_set(rule, world, m, most * world->scene.materials[m].mass, "a higher mass, or fewer particles", 90);
}

typedef struct stage {
    particle_step step;
    pbf_pass pass;
    pd_loop_body *displace;
    float solver_speed; /* m/s: limit of speeds by the solver */
} stage;

static void record_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = s->pass.particles;
    pd_motion_separate_coincident(&s->step.motion, begin, end);
    for (int i = begin; i < end; i++) {
        float *record = s->pass.state->position[i];
        record[0] = p->x[i] * s->pass.inverse_h;
        record[1] = p->y[i] * s->pass.inverse_h;
        record[2] = s->step.motion.inverse_mass[p->material[i]];
        s->pass.state->correction_x[i] = 0;
        s->pass.state->correction_y[i] = 0;
    }
}

static void record_sentinels(pbf_state *state, int count) {
    for (int i = count; i <= pd_lists_sentinel_index(count); i++) {
        memcpy(state->position[i], (pbf_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION, 1, 0}, sizeof(pbf_record));
        memcpy(state->lambda[i], (pbf_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION, 0, 1}, sizeof(pbf_record));
        memset(state->velocity[i], 0, sizeof(pbf_record));
    }
}

/* Returns the momentum of particle i per metre of displacement in this substep: mass / dt. */
static float momentum_per_metre(const stage *s, int i) {
    return 1 / (s->step.motion.inverse_mass[s->pass.particles->material[i]] * s->step.motion.dt);
}

static void apply_contacts(const stage *s, int begin, int i) {
    const pd_particles *p = s->pass.particles;
    pbf_state *state = s->pass.state;
    pd_vec2 now = {state->corrected_x[i], state->corrected_y[i]};
    pd_contact wall;
    pd_boundary_stop_at_walls(s->step.motion.world->boundary, (pd_vec2){p->old_x[i], p->old_y[i]}, &now, &wall);
    if (now.x == state->corrected_x[i] && now.y == state->corrected_y[i]) return;
    float to_wall_x = state->corrected_x[i] - now.x, to_wall_y = state->corrected_y[i] - now.y;
    if (isfinite(to_wall_x) && isfinite(to_wall_y))
        pd_impulses_add(pd_boundary_impulses(s->step.motion.world->boundary), begin, s->step.grain, wall.wall,
                        (double)(momentum_per_metre(s, i) * to_wall_x), (double)(momentum_per_metre(s, i) * to_wall_y));
    state->correction_x[i] = now.x - p->x[i];
    state->correction_y[i] = now.y - p->y[i];
    state->corrected_x[i] = now.x;
    state->corrected_y[i] = now.y;
    state->position[i][0] = now.x * s->pass.inverse_h;
    state->position[i][1] = now.y * s->pass.inverse_h;
}

/* Runs the part of an iteration that moves the particles: displacements and contacts with walls (lines 13 to 15). */
static void displace_range(void *context, int begin, int end) {
    stage *s = context;
    const pd_particles *p = s->pass.particles;
    const float *x = s->pass.state->corrected_x, *y = s->pass.state->corrected_y;
    s->displace(&s->pass, begin, end);
    particle_step_react(&s->step, begin, end, s->step.motion.dt);
    pd_near_paths near = pd_near_paths_begin(s->step.motion.world->boundary, begin, end, p->old_x, p->old_y, x, y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) apply_contacts(s, begin, i);
}

/* Limit of speeds by the solver: the greater of GRAVITY_SPEEDS times gravity_speed and FASTEST_SPEEDS times the
 * greatest speed of a particle. */
static const float GRAVITY_SPEEDS = 6, FASTEST_SPEEDS = 0.9f;

/* Sets velocities to displacement / dt (line 21). Speeds above solver_speed are clamped, unless the particle was faster
 * before. In over-compressed fluid the displacements hardly depend on the substep: without a limit higher speeds would
 * shorten the substep, and shorter substeps would raise the speeds. */
static void finish_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = s->pass.particles;
    for (int i = begin; i < end; i++) {
        float *velocity = s->pass.state->velocity[i];
        p->x[i] = s->pass.state->corrected_x[i];
        p->y[i] = s->pass.state->corrected_y[i];
        float vx = p->vx[i] + s->pass.state->correction_x[i] / s->step.motion.dt;
        float vy = p->vy[i] + s->pass.state->correction_y[i] / s->step.motion.dt;
        float speed2 = vx * vx + vy * vy, allowed2 = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i];
        allowed2 = fmaxf(allowed2, s->solver_speed * s->solver_speed);
        if (speed2 > allowed2) {
            float slow = sqrtf(allowed2 / speed2);
            vx *= slow;
            vy *= slow;
        }
        p->vx[i] = vx;
        p->vy[i] = vy;
        velocity[0] = vx;
        velocity[1] = vy;
        velocity[2] = s->pass.root_xsph[p->material[i]];
    }
}

static const pbf_kernels *kernels(void) { return PD_SIMD_PICK(pbf_kernels); }

/* Added to the XSPH viscosity at the start of the rest-density ramp, to damp the motion that the switch of method
 * causes; decays with the ramp. */
static const float RAMP_XSPH = 0.3f;

/* Computes the constants of the loops over neighbours. Kernels in 2-D, normalised to 1: W6 = 4/(pi h^2) (1 - r^2/h^2)^3
 * for smoothing, and the spiky kernel 10/(pi h^2) (1 - r/h)^3 for the density and its gradient. The paper computes the
 * density with W6. The displacements are then not along the gradient of the constraint, and the error becomes motion: a
 * pool at rest has speeds of 15 to 44 % of sqrt(g L), instead of 1 % with the spiky kernel (measured). Shorter substeps
 * raise them. */
static pbf_pass pass_of(const pd_world *world, const particle_step *step, pbf_state *state) {
    const pd_motion *motion = &step->motion;
    float h = motion->radius, rest_density = world->parameter[PBF_REST_DENSITY];
    float area = PI * h * h * rest_density, reach = world->parameter[PBF_SCORR_DISTANCE];
    float frames = motion->dt * 60;
    bool poly = world->parameter[PBF_KERNEL] != 0;
    pbf_pass pass = {
        .motion = motion,
        .particles = &world->particles,
        .neighbours = &world->neighbours,
        .state = state,
        .h = h,
        .inverse_h = 1 / h,
        .density_factor = (poly ? 4 : 10) / area,
        .smoothing_factor = 4 / area,
        .poly = poly,
        .gradient_factor = 30 / area,
        .relaxation = world->parameter[PBF_RELAXATION],
        .strength = world->parameter[PBF_SCORR_STRENGTH],
        .inverse_reach = 1 / (1 - reach * reach),
        .exponent = (int)world->parameter[PBF_SCORR_EXPONENT],
        .xsph = fminf((world->parameter[PBF_XSPH] + RAMP_XSPH * world->ramp) * frames, 1),
        .vorticity = world->parameter[PBF_VORTICITY] * motion->dt,
        .rest_density = rest_density,
        .ramped = world->ramp > 0,
        .cohesion = world->parameter[PBF_COHESION] != 0,
    };
    pass.viscosities_differ = step->viscosities_differ && pass.xsph > 0;
    for (int m = 0; m < world->scene.material_count; m++) {
        float xsph = world->parameter[PBF_XSPH] * step->viscosity[m];
        pass.unyielding[m] = world->property[m][PD_ELASTICITY] > 0 && world->property[m][PD_PLASTICITY] == 0;
        if (pass.unyielding[m] && pass.cohesion) pass.spares_unyielding = true;
        pass.root_xsph[m] = sqrtf(fminf((xsph + RAMP_XSPH * world->ramp) * frames, 1));
    }
    for (int m = 0; m < world->scene.material_count; m++)
        if (motion->inverse_mass[m] > PBF_LIGHT) pass.light = true;
    pass.masses_differ = step->masses_differ;
    return pass;
}

/* Appends the mean of max(0, C) over all particles to state->error, from the sums in state->excess. */
static void record_error(pbf_state *state, int count) {
    double sum = 0;
    for (int b = 0; b * PD_LIST_GRAIN < count; b++) sum += state->excess[b];
    state->error[state->errors] = (float)(sum / fmax(count, 1));
    state->errors++;
}

/* Runs the iterations of the solver. The first one starts from the predicted positions. */
static void run_iterations(stage *s) {
    const pd_world *world = s->step.motion.world;
    pbf_state *state = s->pass.state;
    int count = world->particles.count, iterations = (int)world->parameter[PBF_ITERATIONS];
    const float *x = NULL, *y = NULL;
    state->errors = 0;
    for (int iteration = 0; iteration < iterations; iteration++) {
        particle_step_find_walls(&s->step, s->pass.poly, x, y);
        particle_step_end_stage(&s->step, "walls");
        pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->compute_lambda, &s->pass);
        record_error(state, count);
        particle_step_end_stage(&s->step, "lambda");
        pd_parallel_for(world->pool, count, s->step.grain, displace_range, s);
        particle_step_end_stage(&s->step, "displacement");
        x = state->corrected_x;
        y = state->corrected_y;
    }
}

/* Returns true if lists of an earlier substep can be used again. With surface tension they never are: with kept lists
 * drops of 1,500 particles remain slightly crystalline, and a drop with the axes 2 : 1 ends at 1.14 : 1 instead of 1.07
 * : 1 (means of 36 starts). */
static bool lists_valid(const stage *s, const pd_world *world) {
    return !(particle_greatest(world, PD_TENSION) > 0) &&
           pd_kept_lists_are_valid(&s->pass.state->fluid.kept, world, s->step.motion.radius);
}

static void find_neighbours(stage *s, bool kept) {
    const pd_world *world = s->step.motion.world;
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, record_range, s);
    record_sentinels(s->pass.state, world->particles.count);
    if (!kept) particle_step_list(&s->step, kernels()->find, &s->pass);
}

static void run_substep(pd_world *world, void *memory, float dt) {
    pbf_state *state = memory;
    const int count = world->particles.count;
    stage s = {.step = particle_step_begin(world, &state->fluid, dt), .displace = kernels()->displace};
    s.pass = pass_of(world, &s.step, state);
    particle_step_predict(&s.step);
    s.solver_speed = fmaxf(FASTEST_SPEEDS * pd_motion_fastest(world), GRAVITY_SPEEDS * gravity_speed(world, 1));
    bool kept = particle_step_sort(&s.step, lists_valid(&s, world));
    particle_step_end_stage(&s.step, "neighbours");
    particle_step_interact(&s.step);
    find_neighbours(&s, kept);
    particle_step_end_stage(&s.step, "neighbours");
    run_iterations(&s);
    pd_parallel_for(world->pool, count, PD_MOTION_GRAIN, finish_range, &s);
    particle_step_end_stage(&s.step, "velocity");
    pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->smooth, &s.pass);
    record_error(state, count);
    if (s.pass.vorticity > 0) pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->confine, &s.pass);
    particle_step_end_stage(&s.step, "smoothing");
}

static const pd_column columns[PBF_COLUMNS] = {
    [PBF_RAMP] = PD_RAMP_COLUMN,
    [PBF_SPRING_SLOT] = SPRINGS_SLOT_COLUMN,
};

static int convergence(const void *memory, const float **errors) {
    const pbf_state *state = memory;
    *errors = state->error;
    return state->errors;
}

/* KERNEL_DENSITY: density of the method / particles per area, at the default radius. SLOPES: sum of the squared
 * gradients of the constraint. Both are measured against the weight of pools. KERNEL_DENSITY was 1.100 to 1.105. SLOPES
 * was 1.83 with 2 to 4 iterations, and 1.65 with 10. */
static const float KERNEL_DENSITY = 1.102f, SLOPES = 1.83f;

/* Computes the pressure that would do the work of the solver's displacements. In each iteration particles move as if
 * lambda were -C / (SLOPES / mass + relaxation), h^2. In a pool at rest C hardly changes between iterations. */
static void compute_pressure(const pd_world *world, float *values) {
    const pd_particles *p = &world->particles;
    const float rest_density = world->parameter[PBF_REST_DENSITY], h = world->parameter[PBF_RADIUS];
    const float dt = world->scene.dt / (float)(world->substeps > 0 ? world->substeps : 1);
    const float unit =
        (float)pd_units_particle_mass(world) * world->parameter[PBF_ITERATIONS] * h * h / (dt * dt * KERNEL_DENSITY);
    const bool cohesion = world->parameter[PBF_COHESION] != 0;
    for (int i = 0; i < p->count; i++) {
        float error = p->density[i] / rest_density - 1;
        float slopes = SLOPES / world->scene.materials[p->material[i]].mass + world->parameter[PBF_RELAXATION];
        values[i] = cohesion || error > 0 ? unit * p->density[i] * error / slopes : 0;
    }
}

/* Springs displace the predicted positions, from which the solver measures its displacements. Springs therefore change
 * velocities too. */
static const particle_traits traits = {
    .radius = PBF_RADIUS,
    .rest_density = PBF_REST_DENSITY,
    .wall_density = PBF_WALL_DENSITY,
    .stick_distance = PBF_STICK_DISTANCE,
    .spring_slot = PBF_SPRING_SLOT,
    .springs_move = true,
    .springs_kick = true,
    .relative_viscosity = true,
    .listed = true,
    .outside = PARTICLE_OUTSIDE,
    .tension_radius = 1.5f,
    .arrays = {{offsetof(pbf_state, position), sizeof(pbf_record), 1},
               {offsetof(pbf_state, lambda), sizeof(pbf_record), 1},
               {offsetof(pbf_state, velocity), sizeof(pbf_record), 1},
               {offsetof(pbf_state, correction_x), sizeof(float), 1},
               {offsetof(pbf_state, correction_y), sizeof(float), 1},
               {offsetof(pbf_state, corrected_x), sizeof(float), 1},
               {offsetof(pbf_state, corrected_y), sizeof(float), 1},
               {offsetof(pbf_state, excess), sizeof(double), PD_LIST_GRAIN}},
    .pressure_limit = pressure_limit,
    .tension = complete_tension,
    .pressure = compute_pressure,
};

extern const pd_method pd_method_pbf;
const pd_method pd_method_pbf = {
    .info =
        {
            .name = "pbf",
            .title = "Position based fluids",
            .source = "Macklin, Müller: Position Based Fluids, SIGGRAPH 2013",
            .parameter_count = PBF_PARAMETERS,
            .field_count = PARTICLE_FIELDS,
            .view_count = PARTICLE_VIEWS,
            .features = PD_FEATURES_OF_PARTICLES,
        },
    .parameters = pbf_parameters,
    .fields = particle_fluid_fields,
    .views = particle_fluid_views,
    .particle_traits = &traits,
    .state_size = sizeof(pbf_state),
    .columns = columns,
    .column_count = PBF_COLUMNS,
    .law = &particle_number_density,
    PARTICLE_FLUID_FUNCTIONS,
    .convergence = convergence,
    .step = run_substep,
    .destroy = particle_fluid_destroy,
};
