/* Double density relaxation: Clavet, Beaudoin, Poulin, "Particle-based Viscoelastic Fluid Simulation", SCA 2005, in the
 * form of Kuepers' article (masses per colour, anti-stick wall). As in the paper, displacements are applied
 * sequentially, particle after particle. If all particles were displaced at once (Jacobi), half the time step would be
 * needed for stability. */
#include "methods/ddr/ddr.h"

#include "sim/particles/ramp.h"
#include "sim/view.h"

#include <math.h>

/* TENSION_RADIUS: smoothing radius H of the surface tension, in units of h. OWN_TENSION: tension that the method itself
 * produces at zero gravity (tension_rule.own_gamma), in units of kn h^2, kn: near stiffness (measured with periods of
 * drops). */
#define TENSION_RADIUS 1.5f
static const float OWN_TENSION = 0.01f;

/* OUTSIDE: value of particle_traits.outside. With this value the layers of particles on a wall are one spacing apart
 * (measured, without surface tension).
 *
 * BODY_OUTSIDE: value of particle_traits.body_outside. With this value the lift of a body is the weight of the displaced
 * fluid (docs/notes/bodies.md).
 *
 * TENSION_OUTSIDE: value of particle_traits.tension_outside, half a spacing. The tension treats a wall as the mirror image
 * of the fluid in a plane that is this far behind the wall's surface. With 0.07 films of two rows of mercury hovered over
 * the floor by 0.6 spacings, and the second row of thicker films was 1.3 spacings above the first. With 0.18 films lie on
 * the floor (test_mercury_lies_on_the_floor), and the rows are 1.1 to 1.2 spacings apart. With 0.25 drops that should have
 * a contact angle of 90 degrees have 100. */
#define OUTSIDE         0.07f
#define BODY_OUTSIDE    0.045f
#define TENSION_OUTSIDE 0.18f

/* Greatest tension that is added to the method's own (pd_tension_set_material), in units of kn h H m, kn: near stiffness, m:
 * mass of a particle. The near pressure keeps the particles of a tense drop apart. Measured with drops of 6,000
 * particles that start as ellipses with the axes 1.3 : 1. With 0.34 they come to rest; with 0.41 their outer rows come
 * off, and the drop boils. The limit is proportional to the mass m, because accelerations by pressure do not depend on the
 * mass. */
static const float MOST_TENSION = 0.33f;

/* Completes the rule of the surface tension (particle_traits.complete_tension_rule). rule->rest_density becomes the
 * number of particles per area at rest, without gravity and walls. */
static void complete_tension_rule(const pd_world *world, tension_rule *rule) {
    float h = world->parameter[DDR_RADIUS], near_stiffness = world->parameter[DDR_NEAR_STIFFNESS];
    float most = MOST_TENSION * near_stiffness * h * TENSION_RADIUS * h;
    rule->own_gamma = OWN_TENSION * near_stiffness * h * h;
    rule->rest_density = pd_ddr_find_fluid_at_rest(world, 1, 0).particles_per_area;
    for (int m = 0; m < world->scene.material_count; m++)
        pd_tension_set_material(rule, world, m, most * world->scene.materials[m].mass,
                                "a higher mass or near stiffness", world->property[m][PD_CONTACT_ANGLE]);
}

/* The layers at the floor of deep fluid are compressed, and need shorter substeps: by DEEP_SUBSTEPS from the relative depth
 * DEEP on, and less down to SHALLOW (pd_resolution.relative_depth). Measured with full boxes of 1,000 to 16,000 particles
 * (relative depths 1.6 to 1.8): they come to rest below 0.05 m/s with 1.4, and boil at 0.05 to 0.13 m/s with 1. */
static const float DEEP_SUBSTEPS = 1.4f, SHALLOW = 1.2f, DEEP = 1.6f;

static float compute_depth_factor(const pd_world *world) {
    const float deep = (world->resolution.relative_depth - SHALLOW) / (DEEP - SHALLOW);
    return 1 / (1 + (DEEP_SUBSTEPS - 1) * fminf(fmaxf(deep, 0), 1));
}

/* Returns the limit of the substep by the pressure: 0.1 sqrt(h / (0.08 k + kn/2)), times the factor of the depth. The
 * factors are measured with pools of 300 to 50,000 particles, for k from 1 to 512 and kn from 1 to 16 times those of the
 * article: pools come to rest below 0.03 m/s. Particles are displaced one after another, so the far stiffness k costs less
 * than its share of the speed of sound. */
static pd_substep_limit compute_pressure_substep_limit(const pd_world *world) {
    float h = world->parameter[DDR_RADIUS], far = 0.08f * world->parameter[DDR_STIFFNESS];
    float near = 0.5f * world->parameter[DDR_NEAR_STIFFNESS];
    int stiffest = near > far ? DDR_NEAR_STIFFNESS : DDR_STIFFNESS;
    return (pd_substep_limit){stiffest, world->parameter[stiffest],
                              0.1f * sqrtf(h / (far + near)) * compute_depth_factor(world)};
}

static void separate_coincident_particles_in_range(void *context, int begin, int end) {
    const particle_step *step = context;
    pd_motion_separate_coincident(&step->motion, begin, end);
}

/* Sets velocities to displacement / dt. A multiplication by the rounded 1/dt would not conserve momentum. */
static void set_velocities(const particle_step *step, int begin, int end) {
    const pd_particles *p = &step->motion.world->particles;
    const float *x = p->x, *y = p->y, *old_x = p->old_x, *old_y = p->old_y;
    const float dt = step->motion.dt, drift_x = step->motion.drift_x, drift_y = step->motion.drift_y;
    float *vx = p->vx, *vy = p->vy;
    for (int i = begin; i < end; i++) {
        vx[i] = (x[i] - old_x[i]) / dt - drift_x;
        vy[i] = (y[i] - old_y[i]) / dt - drift_y;
    }
}

/* Stops particle i at walls and sets its velocity. The anti-stick rule then adds a velocity out of the wall, as if the
 * old position were inside the wall (Kuepers' article, bonus step). The rule does not apply to sticky materials.
 * chunk_begin: first particle of the chunk of particle i. */
static void stop_particle_at_walls(const particle_step *step, int chunk_begin, int i) {
    const pd_world *world = step->motion.world;
    const pd_particles *p = &world->particles;
    const float back = world->parameter[DDR_ANTI_STICK] * world->parameter[DDR_RADIUS];
    pd_vec2 old = {p->old_x[i], p->old_y[i]}, free = {p->x[i], p->y[i]}, now = free;
    pd_contact contact;
    bool touched = pd_boundary_stop_at_walls(world->boundary, old, &now, &contact);
    p->x[i] = now.x;
    p->y[i] = now.y;
    set_velocities(step, i, i + 1);
    if (!touched) return;
    if (!(world->property[p->material[i]][PD_STICKINESS] > 0)) {
        p->vx[i] += back * contact.normal.x;
        p->vy[i] += back * contact.normal.y;
    }
    pd_motion_add_wall_impulse(&step->motion, chunk_begin, step->grain, i, contact.wall,
                               (free.x - old.x) / step->motion.dt - step->motion.drift_x - p->vx[i],
                               (free.y - old.y) / step->motion.dt - step->motion.drift_y - p->vy[i]);
}

static void set_velocities_and_stop_at_walls(void *context, int begin, int end) {
    const particle_step *step = context;
    const pd_particles *p = &step->motion.world->particles;
    pd_particle_step_add_wall_impulses(step, begin, end, step->motion.dt, p->x, p->y);
    set_velocities(step, begin, end);
    pd_near_paths near = pd_near_paths_begin(step->motion.world->boundary, begin, end, p->old_x, p->old_y, p->x, p->y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) stop_particle_at_walls(step, begin, i);
}

static void ddr_compute_substep(pd_world *world, void *memory, float dt) {
    ddr_state *state = memory;
    const int count = world->particles.count;
    particle_step step = pd_particle_step_begin(world, &state->fluid, dt);
    for (int m = 0; m < world->scene.material_count; m++)
        if (world->parameter[DDR_EQUAL_WEIGHT] != 0 && !world->scene.materials[m].own_weight)
            step.motion.gravity_factor[m] = step.motion.inverse_mass[m];
    pd_particle_step_predict_positions(&step);
    bool reuse_lists = pd_particle_step_sort_if_needed(&step, pd_ddr_lists_are_valid(&state->lists, world));
    pd_parallel_for(world->pool, count, PD_MOTION_GRAIN, separate_coincident_particles_in_range, &step);
    pd_particle_step_end_stage(&step, "sort");
    pd_particle_step_compute_wall_weights(&step, false, NULL, NULL);
    pd_particle_step_end_stage(&step, "walls");
    pd_particle_step_apply_forces_after_sort(&step);
    pd_ddr_relax_pairs(world, state, dt, reuse_lists);
    pd_motion_compute_drift(&step.motion, &state->fluid.walls, state->drift_sums);
    pd_particle_step_end_stage(&step, "relaxation");
    pd_parallel_for(world->pool, count, step.grain, set_velocities_and_stop_at_walls, &step);
    pd_particle_step_end_stage(&step, "walls");
}

/* Returns pi h^2/6, the integral of the kernel (1 - r/h)^2. The method's density is particles per area times this
 * integral, minus the particle's own contribution 1. */
static float compute_density_per_number_density(const float *parameter) {
    float h = parameter[DDR_RADIUS];
    return 3.14159265f * h * h / 6;
}

static float compute_number_density(const float *parameter, float density) {
    return (density + 1) / compute_density_per_number_density(parameter);
}

static float compute_density(const float *parameter, float number_density) {
    return fmaxf(number_density * compute_density_per_number_density(parameter) - 1, 0);
}

static const pd_density_law law = {.particles_per_area = compute_number_density,
                                   .density_of = compute_density,
                                   .at_rest = pd_ddr_find_fluid_at_rest,
                                   .compute_pressures = pd_ddr_compute_pressures,
                                   .ramp_column = DDR_RAMP,
                                   .jet_inset = 0.8f};

static const pd_column columns[DDR_COLUMNS] = {
    [DDR_RAMP] = PD_RAMP_COLUMN,
    [DDR_SPRING_SLOT] = SPRINGS_SLOT_COLUMN,
};

static const particle_traits traits = {
    .most_radii = 2,
    .radius = DDR_RADIUS,
    .rest_density = DDR_REST_DENSITY,
    .wall_density = DDR_WALL_DENSITY,
    .stick_distance = DDR_STICK_DISTANCE,
    .spring_slot = DDR_SPRING_SLOT,
    .springs_displace = true,
    .outside = OUTSIDE,
    .body_outside = BODY_OUTSIDE,
    .tension_outside = TENSION_OUTSIDE,
    .tension_radius = TENSION_RADIUS,
    .arrays = {{offsetof(ddr_state, material), sizeof(float), 1},
               {offsetof(ddr_state, drift_sums), 3 * sizeof(double), PD_MOTION_GRAIN}},
    .pressure_limit = compute_pressure_substep_limit,
    .complete_tension_rule = complete_tension_rule,
};

static void ddr_destroy(void *memory) {
    ddr_state *state = memory;
    pd_ddr_lists_free(&state->lists);
    pd_particle_fluid_destroy(state);
}

extern const pd_method pd_method_ddr;
const pd_method pd_method_ddr = {
    .info =
        {
            .name = "ddr",
            .title = "Double density relaxation",
            .idea = "Moves neighbours apart and together by two densities",
            .suits = "Jelly, honey, slime, oil and water: soft and lively",
            .source = "Clavet, Beaudoin, Poulin: Particle-based Viscoelastic Fluid Simulation, SCA 2005",
            .parameter_count = DDR_PARAMETERS,
            .features = PD_FEATURES_OF_PARTICLES | PD_FEATURE_ATTRACTIONS | PD_FEATURE_PROPERTIES,
            .field_count = PARTICLE_FIELDS,
            .view_count = PARTICLE_VIEWS,
        },
    .parameters = pd_ddr_parameters,
    .fields = pd_particle_fluid_fields,
    .views = pd_particle_fluid_views,
    .particle_traits = &traits,
    .state_size = sizeof(ddr_state),
    .columns = columns,
    .column_count = DDR_COLUMNS,
    .law = &law,
    PARTICLE_FLUID_FUNCTIONS,
    .step = ddr_compute_substep,
    .destroy = ddr_destroy,
};
