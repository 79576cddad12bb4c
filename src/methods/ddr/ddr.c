/* Double density relaxation: Clavet, Beaudoin, Poulin, "Particle-based Viscoelastic Fluid Simulation", SCA 2005, in the
 * form of Kuepers' article (masses per colour, anti-stick wall). As in the paper, displacements are applied
 * sequentially, particle after particle. Applied to all particles at once, they would need half the time step for
 * stability. */
#include "methods/ddr/ddr.h"

#include "sim/view.h"

#include <math.h>

/* TENSION_RADIUS: smoothing radius H of the surface tension, h. OWN_TENSION: tension of the method itself at zero
 * gravity, k h^2 (measured). */
#define TENSION_RADIUS 1.25f
static const float OWN_TENSION = 0.065f;

/* The fluid ends this far behind the place where walls stop particles, h. With this value the layer on a wall is as
 * close as the layers above (measured, without surface tension). With strong tension (mercury) the second layer is 1.4
 * spacings above the first. A value of half a spacing (0.182 h) would make this 1.0, but films would come off the floor
 * (test_films_lie_on_the_floor). */
#define OUTSIDE 0.07f

/* Greatest surface tension besides the method's own, k h H m. Measured with a drop of 300 particles that starts with
 * the axes 2 : 1, as the speed after 5 s: 0.08 m/s with 1.5, 0.14 with 2, 0.24 with 3, 0.47 with 5. Above 1.5 drops
 * stay together, but do not come to rest. Heavy particles carry more tension, because accelerations by pressure do not
 * depend on the mass. */
static const float MOST_TENSION = 1.5f;

/* Completes the rule of the surface tension. rule->rest_density: particles per area at rest, without gravity and walls.
 * Their spacing is 0.364 h for the rest density 5 (resolution.c). */
static void complete_tension(const pd_world *world, tension_rule *rule) {
    float h = world->parameter[DDR_RADIUS], stiffness = world->parameter[DDR_STIFFNESS], spacing = 0.364f * h;
    float most = MOST_TENSION * stiffness * h * TENSION_RADIUS * h;
    rule->own = OWN_TENSION * stiffness * h * h;
    rule->rest_density = (world->parameter[DDR_REST_DENSITY] + 1) / (6 * spacing * spacing);
    for (int m = 0; m < world->scene.material_count; m++)
        tension_set(rule, world, m, most * world->scene.materials[m].mass, "a higher mass or stiffness",
                    world->property[m][PD_CONTACT_ANGLE]);
}

/* Returns the limit of the substep by the pressure: the period of a spring of stiffness ~ (k + kn/2)/h per unit mass.
 * The factor is measured with 1,500 to 50,000 particles: at 0.1 a pool comes to rest; at 0.12 its residual motion is
 * twice as fast; at 0.14 it is unstable. */
static pd_substep_limit pressure_limit(const pd_world *world) {
    float h = world->parameter[DDR_RADIUS], factor = ddr_stiffness_factor(world);
    float far = factor * world->parameter[DDR_STIFFNESS];
    float near = 0.5f * factor * world->parameter[DDR_NEAR_STIFFNESS];
    int stiffest = near > far ? DDR_NEAR_STIFFNESS : DDR_STIFFNESS;
    return (pd_substep_limit){stiffest, world->parameter[stiffest], 0.1f * sqrtf(h / (far + near))};
}

static void separate_range(void *context, int begin, int end) {
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

/* Stops particle i at walls. begin: first particle of its chunk. The anti-stick rule then adds a velocity out of the
 * wall, as if the old position were inside the wall (article, bonus step). Sticky materials are excluded from the
 * rule. */
static void apply_contacts(const particle_step *step, int begin, int i) {
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
    pd_motion_react(&step->motion, begin, step->grain, i, contact.wall,
                    (free.x - old.x) / step->motion.dt - step->motion.drift_x - p->vx[i],
                    (free.y - old.y) / step->motion.dt - step->motion.drift_y - p->vy[i]);
}

static void contain_range(void *context, int begin, int end) {
    const particle_step *step = context;
    const pd_particles *p = &step->motion.world->particles;
    particle_step_react(step, begin, end, step->motion.dt);
    set_velocities(step, begin, end);
    pd_near_paths near = pd_near_paths_of(step->motion.world->boundary, begin, end, p->old_x, p->old_y, p->x, p->y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) apply_contacts(step, begin, i);
}

static void run_substep(pd_world *world, void *memory, float dt) {
    ddr_state *state = memory;
    const int count = world->particles.count;
    particle_step step = particle_step_begin(world, &state->fluid, dt);
    for (int m = 0; m < world->scene.material_count; m++)
        if (world->parameter[DDR_EQUAL_WEIGHT] != 0 && !world->scene.materials[m].own_weight)
            step.motion.weight[m] = step.motion.inverse_mass[m];
    particle_step_predict(&step);
    bool kept = particle_step_sort(&step, ddr_lists_valid(&state->lists, world));
    pd_parallel_for(world->pool, count, PD_MOTION_GRAIN, separate_range, &step);
    particle_step_end_stage(&step, "sort");
    particle_step_find_walls(&step, false, NULL, NULL);
    particle_step_end_stage(&step, "walls");
    particle_step_interact(&step);
    ddr_relax(world, state, dt, kept);
    pd_motion_drift(&step.motion, &state->fluid.walls, state->rounding);
    particle_step_end_stage(&step, "relaxation");
    pd_parallel_for(world->pool, count, step.grain, contain_range, &step);
    particle_step_end_stage(&step, "walls");
}

/* Returns the ratio of the method's density to particles per area: pi h^2/6, for the normalised kernel 6/(pi h^2) (1 -
 * r/h)^2 without the particle's own contribution. */
static float kernel_area(const float *parameter) {
    float h = parameter[DDR_RADIUS];
    return 3.14159265f * h * h / 6;
}

static float particles_per_area(const float *parameter, float density) {
    return (density + 1) / kernel_area(parameter);
}

static float density_of(const float *parameter, float per_area) {
    return fmaxf(per_area * kernel_area(parameter) - 1, 0);
}

static const pd_density_law law = {
    .particles_per_area = particles_per_area, .density_of = density_of, .compressible = true};

static const pd_column columns[DDR_COLUMNS] = {
    [DDR_SPRING_SLOT] = SPRINGS_SLOT_COLUMN,
};

static const pd_field_info fields[PARTICLE_FIELDS] = {
    [PARTICLE_FIELD_SPEED] = PD_SPEED_FIELD,
    [PARTICLE_FIELD_DENSITY] = {"density", "density", "", PD_FIELD_OF_PARTICLES},
    [PARTICLE_FIELD_PRESSURE] = {"pressure", "pressure", "Pa", PD_FIELD_OF_PARTICLES},
};

static const particle_traits traits = {
    .radius = DDR_RADIUS,
    .rest_density = DDR_REST_DENSITY,
    .wall_density = DDR_WALL_DENSITY,
    .stick_distance = DDR_STICK_DISTANCE,
    .spring_slot = DDR_SPRING_SLOT,
    .springs_move = true,
    .outside = OUTSIDE,
    .tension_radius = TENSION_RADIUS,
    .arrays = {{offsetof(ddr_state, material), sizeof(float), 1},
               {offsetof(ddr_state, rounding), 3 * sizeof(double), PD_MOTION_GRAIN}},
    .pressure_limit = pressure_limit,
    .tension = complete_tension,
    .pressure = ddr_pressure,
};

static void destroy(void *memory) {
    ddr_state *state = memory;
    ddr_lists_free(&state->lists);
    particle_fluid_destroy(state);
}

extern const pd_method pd_method_ddr;
const pd_method pd_method_ddr = {
    .info =
        {
            .name = "ddr",
            .title = "Double density relaxation",
            .source = "Clavet, Beaudoin, Poulin: Particle-based Viscoelastic Fluid Simulation, SCA 2005",
            .parameter_count = DDR_PARAMETERS,
            .features = PD_FEATURES_OF_PARTICLES | PD_FEATURE_ATTRACTIONS | PD_FEATURE_PROPERTIES,
            .field_count = PARTICLE_FIELDS,
            .view_count = PARTICLE_VIEWS,
        },
    .parameters = ddr_parameters,
    .fields = fields,
    .views = particle_fluid_views,
    .particle_traits = &traits,
    .state_size = sizeof(ddr_state),
    .columns = columns,
    .column_count = DDR_COLUMNS,
    .law = &law,
    PARTICLE_FLUID_FUNCTIONS,
    .step = run_substep,
    .destroy = destroy,
};
