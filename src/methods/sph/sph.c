/* Smoothed particle hydrodynamics (SPH) with near pressure.
 *
 * The pressure of Müller, Charypar, Gross, "Particle-Based Fluid Simulation for Interactive Applications", SCA 2003,
 * with the near pressure of Clavet et al. 2005, in the form of Lague's fluid simulation (2023): spiky kernels in 2-D,
 * densities at predicted positions, and pair forces from the mean of both pressures.
 *
 * Densities are number densities: heavy and light particles occupy the same area, and differ in inertia and weight
 * only. The pressure at a depth is therefore the weight of the particles above per length, the sum of m g. */
#include "methods/sph/sph.h"

#include "core/simd.h"
#include "methods/particle_fluid/lattice.h"
#include "scene/properties.h"
#include "sim/particles/ramp.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

/* Table of the parameters of SPH. Defaults are for 1,500 particles in a circle of 1 m, with the rest spacing of double
 * density relaxation. The default stiffness gives a speed of sound of about sqrt(6 g L), g: gravity, L: length scale of
 * the scene (resolution.length). A pair uses the mean of two pressures, so the squared speed of sound is half the
 * stiffness. In deep fluid the length L p takes the place of L (pd_resolution_compute_load). */

static const pd_parameter parameters[SPH_PARAMETERS] = {
    [SPH_RADIUS] = {"radius", "Smoothing radius", "m",
                    "Radius of interaction: particles that are closer act on each other",
                    "Lague 2023, h of the kernels: 0.35, 0.2 and 0.175 in the scenes sph-a, sph-b and sph-c",
                    .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.0936f, .minimum = 1e-4f, .maximum = 100,
                    .follows = {.resolution = 1, .length = 1}, .in_container = true},
    [SPH_REST_DENSITY] = {"rest_density", "Rest density", "1/m²",
                          "Density at which the pressure is zero, in particles per area",
                          "Lague 2023: 55 in sph-a, 234 in sph-b and sph-c", .scale = PD_SCALE_LOGARITHMIC,
                          .default_value = 880, .minimum = 0.1f, .maximum = 1e7f,
                          .follows = {.resolution = -2, .length = -2}},
    [SPH_STIFFNESS] = {"stiffness", "Stiffness", "m²/s²",
                       "How hard the fluid pushes back when it is squeezed: higher is harder to compress",
                       "Lague 2023: 500 in sph-a, 225 in sph-b and sph-c", .scale = PD_SCALE_LOGARITHMIC,
                       .default_value = 34, .minimum = 0.01f, .maximum = 1e5f,
                       .follows = {.length = 2, .time = -2, .speed = 2}, .with_tension = {.factor = 38, .spacing = 1}},
    [SPH_NEAR_STIFFNESS] =
        {"near_stiffness", "Near stiffness", "m²/s²",
         "Strength of the repulsion between close particles: keeps particles apart where the density is low",
         "Lague 2023: 5 in sph-a and sph-c, 18 in sph-b", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.85f,
         .minimum = 0.001f, .maximum = 1e4f, .follows = {.length = 2, .time = -2, .speed = 2},
         .with_tension = {.factor = 0.95f, .spacing = 1}},
    [SPH_VISCOSITY] = {"viscosity", "Viscosity", "m²/s",
                       "Strength with which the velocities of neighbours become equal: higher is thicker",
                       "Lague 2023: 0.03", .scale = PD_SCALE_LOGARITHMIC, .default_value = 0.003f, .maximum = 10,
                       .follows = {.length = 2, .time = -1, .speed = 2}},
    [SPH_DAMPING] = {"damping", "Collision damping", "",
                     "Part of the speed that a particle keeps when it bounces off a wall", "Lague 2023: 0.5 to 0.95",
                     .default_value = 0.5f, .maximum = 1},
    [SPH_PREDICTION] = {"prediction", "Prediction", "s",
                        "Time by which positions are predicted before densities are computed: higher is calmer",
                        "Lague 2023: 1/120 s", .scale = PD_SCALE_LOGARITHMIC, .default_value = 1.0f / 120,
                        .maximum = 0.1f, .follows = {.resolution = 1, .time = 1, .speed = -1}},
    [SPH_TOOL_STRENGTH] = {"tool_strength", "Pointer strength", "m/s²",
                           "Acceleration by the tools push and pull, at the pointer",
                           "Lague 2023: 75 to 90, at a radius of 2 to 2.5 m", .scale = PD_SCALE_LOGARITHMIC,
                           .default_value = 10.6f, .minimum = 0.01f, .maximum = 1e5f,
                           .follows = {.length = 1, .time = -2}},
    [SPH_WALL_DENSITY] = {PARTICLE_WALL_DENSITY_PARAMETER("Lague 2023: 0")},
    [SPH_SURFACE_TENSION] = {PD_TENSION_PARAMETER},
    [SPH_CONTACT_ANGLE] = {PD_CONTACT_ANGLE_PARAMETER},
    [SPH_SPRING_STIFFNESS] = {PD_ELASTICITY_PARAMETER},
    [SPH_PLASTICITY] = {PD_PLASTICITY_PARAMETER},
    [SPH_YIELD] = {PD_YIELD_PARAMETER},
    [SPH_STICKINESS] = {PD_STICKINESS_PARAMETER},
    [SPH_STICK_DISTANCE] = {PARTICLE_STICK_DISTANCE_PARAMETER},
};

/* Pressure of SPH: in views, and of fluid at rest.
 *
 * The force of a pair is (1/n^2) (12 p q + 30 pn q^2) / (pi h^3) at equal densities n, with p = K (n - n0) and pn = Kn
 * times the near density. The pressure is the virial of these forces in a lattice (particle_fluid/lattice.h). */

static const float PI = 3.14159265f;
/* Particles per area of fluid at rest, over those of a lattice at the same pressure: measured in pools, whose particles are
 * less ordered than a lattice. */
static const float DENSER_THAN_LATTICE = 1.02f;

static float compute_density(const pd_world *world, const lattice *l) {
    float h = world->parameter[SPH_RADIUS];
    return 6 / (PI * h * h) * (l->q2 + 1);
}

static float compute_near_density(const pd_world *world, const lattice *l) {
    float h = world->parameter[SPH_RADIUS];
    return 10 / (PI * h * h) * (l->q3 + 1);
}

/* Returns the pressure of particles of mass 1, 1/s^2. density: n. */
static float compute_pressure(const pd_world *world, const lattice *l, float density, float rest_density) {
    float h2n = world->parameter[SPH_RADIUS] * world->parameter[SPH_RADIUS] * density;
    float far = world->parameter[SPH_STIFFNESS] * (density - rest_density);
    float near = world->parameter[SPH_NEAR_STIFFNESS] * compute_near_density(world, l);
    return l->per_area / (2 * PI * h2n * h2n) * (6 * far * l->rq + 15 * near * l->rq2);
}

static float compute_lattice_pressure(const pd_world *world, const lattice *l) {
    return compute_pressure(world, l, compute_density(world, l), world->parameter[SPH_REST_DENSITY]);
}

static pd_fluid_at_rest find_fluid_at_rest(const pd_world *world, float mass, float pressure) {
    lattice l = pd_lattice_find_at_pressure(world, compute_lattice_pressure, pressure);
    float h = world->parameter[SPH_RADIUS];
    (void)mass;
    /* With density + Kn/K near density the pressure is about K/2 (this sum - n0). */
    float near_weight = world->parameter[SPH_NEAR_STIFFNESS] / world->parameter[SPH_STIFFNESS];
    return (pd_fluid_at_rest){DENSER_THAN_LATTICE * l.per_area / (h * h),
                              compute_density(world, &l) + near_weight * compute_near_density(world, &l)};
}

static void compute_pressures(const pd_world *world, float *pressure) {
    const pd_particles *p = &world->particles;
    const float h = world->parameter[SPH_RADIUS], unit = (float)pd_units_particle_mass(world);
    lattice_table table;
    pd_lattice_table_fill(&table);
    for (int i = 0; i < p->count; i++) {
        lattice l = pd_lattice_table_find(&table, p->density[i] * PI * h * h / 6 - 1);
        float rest = world->parameter[SPH_REST_DENSITY] * pd_density_ramp_present_factor(world, i);
        pressure[i] = p->density[i] > 0 ? unit * compute_pressure(world, &l, p->density[i], rest) : 0;
    }
}

/* The substep is limited by dt (dt + 2 prediction) <= (WAVE h)^2 / speed^2, where speed^2 = (K + 2 Kn) / least mass is
 * the scale of pressure waves. WAVE is measured. The term 2 prediction is needed because forces at predicted positions
 * overshoot in long substeps. */
static const float WAVE = 1;

static pd_substep_limit compute_pressure_substep_limit(const pd_world *world) {
    float lightest = INFINITY, h = world->parameter[SPH_RADIUS], ahead = world->parameter[SPH_PREDICTION];
    for (int m = 0; m < world->scene.material_count; m++) lightest = fminf(lightest, world->scene.materials[m].mass);
    float far = world->parameter[SPH_STIFFNESS], near = 2 * world->parameter[SPH_NEAR_STIFFNESS];
    float wave = WAVE * h * sqrtf(lightest / (far + near));
    int stiffest = near > far ? SPH_NEAR_STIFFNESS : SPH_STIFFNESS;
    return (pd_substep_limit){stiffest, world->parameter[stiffest],
                              wave * wave / (ahead + sqrtf(ahead * ahead + wave * wave))};
}

/* TENSION_RADIUS: smoothing radius H of the surface tension, in units of h. OWN_TENSION: tension that the method itself
 * produces (tension_rule.own_gamma), in units of K h, K: stiffness (measured). */
#define TENSION_RADIUS 1.5f
static const float OWN_TENSION = 0.0005f;

/* Upper limits of the tension, m^3/s^2, both measured.
 * - MOST_TENSION_BY_PRESSURE x K h, added to the method's own tension, K: stiffness. Drops of 4,500 particles come to rest with 0.013. With 0.015 the outer
 *   rows of 6,000 come off, and the drop boils. The limit does not depend on the mass of particles, because the force
 *   of pressure does not.
 * - MOST_TENSION_BY_PREDICTION x H^3 m / T^2, m: mass of a particle, T: parameter `prediction`, s. Above this limit the
 *   tension moves light drops too far within the time T. */
static const float MOST_TENSION_BY_PRESSURE = 0.012f, MOST_TENSION_BY_PREDICTION = 0.003f;

static const char *choose_tension_remedy(bool is_within_pressure_limit, bool is_within_prediction_limit) {
    if (is_within_pressure_limit) return "a higher mass or a shorter prediction";
    return is_within_prediction_limit ? "a higher stiffness"
                                      : "a higher stiffness, and a higher mass or a shorter prediction";
}

static void complete_tension_rule(const pd_world *world, tension_rule *rule) {
    float h = world->parameter[SPH_RADIUS], radius = rule->radius, ahead = world->parameter[SPH_PREDICTION];
    float stiffness = world->parameter[SPH_STIFFNESS], by_pressure = MOST_TENSION_BY_PRESSURE * stiffness * h;
    float by_prediction_per_mass = MOST_TENSION_BY_PREDICTION * radius * radius * radius / fmaxf(ahead * ahead, 1e-20f);
    rule->own_gamma = OWN_TENSION * stiffness * h;
    for (int m = 0; m < world->scene.material_count; m++) {
        float asked = world->property[m][PD_TENSION] - rule->own_gamma,
              by_prediction = by_prediction_per_mass * world->scene.materials[m].mass - rule->own_gamma;
        pd_tension_set_material(rule, world, m, fminf(by_pressure, by_prediction),
                                choose_tension_remedy(asked <= by_pressure, asked <= by_prediction),
                                world->parameter[SPH_CONTACT_ANGLE]);
    }
}

/* Value of particle_traits.body_outside. With this value the lift of a body is the weight of the displaced fluid
 * (docs/notes/bodies.md). */
#define BODY_OUTSIDE 0.04f

typedef struct stage {
    particle_step step;
    sph_pass pass;
} stage;

static void write_records_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const pd_particles *p = stage->pass.particles;
    pd_motion_separate_coincident(&stage->step.motion, begin, end);
    for (int i = begin; i < end; i++) {
        float *record = stage->pass.state->record[i];
        record[0] = p->x[i] * stage->pass.inverse_h;
        record[1] = p->y[i] * stage->pass.inverse_h;
        record[2] = p->vx[i];
        record[3] = p->vy[i];
        stage->pass.state->inverse_mass[i] = stage->step.motion.inverse_mass[p->material[i]];
    }
}

/* Stops particle i at walls, and reverses its velocity normal to the wall, multiplied by the parameter `damping`. */
static void stop_particle_at_walls(const stage *stage, int chunk_begin, int i) {
    const pd_particles *p = stage->pass.particles;
    const float restitution = stage->pass.world->parameter[SPH_DAMPING];
    pd_vec2 now = {p->x[i], p->y[i]};
    pd_contact wall;
    bool touched =
        pd_boundary_stop_at_walls(stage->pass.world->boundary, (pd_vec2){p->old_x[i], p->old_y[i]}, &now, &wall);
    p->x[i] = now.x;
    p->y[i] = now.y;
    if (!touched) return;
    float vx = p->vx[i] - wall.velocity.x, vy = p->vy[i] - wall.velocity.y;
    float normal_speed = vx * wall.normal.x + vy * wall.normal.y;
    if (!(normal_speed < 0)) return;
    float to_wall_x = (1 + restitution) * normal_speed * wall.normal.x;
    float to_wall_y = (1 + restitution) * normal_speed * wall.normal.y;
    float mass = 1 / stage->step.motion.inverse_mass[p->material[i]];
    p->vx[i] -= to_wall_x;
    p->vy[i] -= to_wall_y;
    pd_impulses_add(pd_boundary_impulses(stage->pass.world->boundary), chunk_begin, stage->step.grain, wall.wall,
                    (double)(mass * to_wall_x), (double)(mass * to_wall_y), now);
}

/* Moves particles by their new velocities, from the positions at the beginning of the substep, and stops them at
 * walls. */
static void move_and_stop_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const pd_particles *p = stage->pass.particles;
    const float dt = stage->step.motion.dt;
    pd_particle_step_add_wall_impulses(&stage->step, begin, end, 1, p->x, p->y);
    for (int i = begin; i < end; i++) {
        p->x[i] = p->old_x[i] + p->vx[i] * dt;
        p->y[i] = p->old_y[i] + p->vy[i] * dt;
    }
    pd_near_paths near = pd_near_paths_begin(stage->pass.world->boundary, begin, end, p->old_x, p->old_y, p->x, p->y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) stop_particle_at_walls(stage, begin, i);
}

static const pd_sph_kernels *kernels(void) { return PD_SIMD_PICK(pd_sph_kernels); }

/* Computes the constants of the loops over neighbours. Kernels in 2-D, normalised to 1, with q = 1 - r/h: W2 = 6/(pi
 * h^2) q^2 for density, W3 = 10/(pi h^2) q^3 for near density, W6 = 4/(pi h^2) (1 - r^2/h^2)^3 for viscosity. */
static sph_pass compute_pass_constants(const pd_world *world, const particle_step *step, sph_state *state) {
    const pd_motion *motion = &step->motion;
    float h = motion->radius, area = PI * h * h;
    sph_pass pass = {
        .particles = &world->particles,
        .neighbours = &world->neighbours,
        .state = state,
        .h = h,
        .inverse_h = 1 / h,
        .density_factor = 6 / area,
        .near_factor = 10 / area,
        .pressure_factor = 6 / (area * h),
        .near_pressure_factor = 15 / (area * h),
        .wall_factor = motion->dt / (2 * h),
        .rest_density = world->parameter[SPH_REST_DENSITY],
        .stiffness = world->parameter[SPH_STIFFNESS],
        .near_stiffness = world->parameter[SPH_NEAR_STIFFNESS],
        .viscosity = world->parameter[SPH_VISCOSITY] * motion->dt,
        .dt = motion->dt,
        .world = world,
        .is_ramped = world->ramp > 0,
        /* One radius per substep (particle_traits.most_radii): beyond that speed forces of pairs are not valid.
         * motion->speed_limit is two radii per substep. */
        .speed_limit = motion->speed_limit / 2,
    };
    pass.viscous = pass.viscosity > 0;
    pass.viscosities_differ = step->viscosities_differ && pass.viscous;
    pass.viscosity_factor = 4 / area * (pass.viscosities_differ ? 1 : pass.viscosity);
    for (int m = 0; m < world->scene.material_count; m++)
        pass.material_viscosity[m] = pass.viscosity * step->viscosity[m];
    pass.masses_differ = step->masses_differ;
    return pass;
}

static void write_deviator_values_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const deviator *d = &stage->pass.state->fluid.deviator;
    for (int i = begin; i < end; i++) {
        if (!deviator_is_needed(d, i)) continue;
        const float *record = stage->pass.state->record[i];
        float inverse_density = record[4];
        memcpy(d->pair[i], (deviator_pair){record[0], record[1], record[5], record[6], inverse_density},
               sizeof(deviator_pair));
        memcpy(d->stress[i], (deviator_stress){record[0], record[1], inverse_density}, sizeof(deviator_stress));
        d->weight[i] = 1 / (inverse_density * stage->pass.rest_density);
    }
}

static void add_deviator_forces_in_range(void *context, int begin, int end) {
    const stage *stage = context;
    const sph_state *state = stage->pass.state;
    for (int i = begin; i < end; i++) {
        if (!deviator_has_force(&state->fluid.deviator, i)) continue;
        float per_force = stage->pass.dt * state->inverse_mass[i];
        state->record[i][2] += per_force * state->fluid.deviator.force_x[i];
        state->record[i][3] += per_force * state->fluid.deviator.force_y[i];
    }
}

/* Changes the velocities in the records by the forces that remove the yield stress near bodies (deviator.h). */
static void remove_deviator(stage *stage) {
    const pd_world *world = stage->pass.world;
    particle_fluid *fluid = &stage->pass.state->fluid;
    if (!pd_deviator_begin(&fluid->deviator, world, stage->pass.h)) return;
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, write_deviator_values_in_range, stage);
    pd_deviator_compute_forces(&fluid->deviator, world, &fluid->lists, &fluid->walls, stage->pass.h,
                               (deviator_repulsion){0});
    pd_parallel_for(world->pool, world->particles.count, PD_MOTION_GRAIN, add_deviator_forces_in_range, stage);
    pd_particle_step_end_stage(&stage->step, "deviator");
}

static void sph_compute_substep(pd_world *world, void *memory, float dt) {
    sph_state *state = memory;
    const int count = world->particles.count;
    stage s = {.step = pd_particle_step_begin(world, &state->fluid, dt)};
    pd_tool_field_use_accelerations(world, &s.step.motion.tool, world->parameter[SPH_TOOL_STRENGTH]);
    s.pass = compute_pass_constants(world, &s.step, state);
    s.step.prediction_time = world->parameter[SPH_PREDICTION];
    pd_particle_step_predict_positions(&s.step);
    bool kept = pd_particle_step_sort_if_needed(
        &s.step, pd_list_validity_check(&state->fluid.kept, world, s.step.motion.radius));
    pd_particle_step_end_stage(&s.step, "sort");
    pd_particle_step_apply_forces_after_sort(&s.step);
    pd_parallel_for(world->pool, count, PD_MOTION_GRAIN, write_records_in_range, &s);
    for (int i = count; i <= pd_lists_sentinel_index(count); i++) {
        memcpy(state->record[i], (sph_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION}, sizeof(sph_record));
        state->inverse_mass[i] = 1;
    }
    pd_particle_step_end_stage(&s.step, "sort");
    pd_particle_step_compute_wall_weights(&s.step, false, NULL, NULL);
    pd_particle_step_end_stage(&s.step, "walls");
    if (kept || !pd_particle_step_make_lists(&s.step, kernels()->find_lists_and_compute_density, &s.pass))
        pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->compute_density, &s.pass);
    pd_particle_step_end_stage(&s.step, "density");
    remove_deviator(&s);
    pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->apply_pressure, &s.pass);
    pd_particle_step_end_stage(&s.step, "pressure");
    pd_parallel_for(world->pool, count, s.step.grain, move_and_stop_in_range, &s);
    pd_particle_step_end_stage(&s.step, "walls");
}

static const pd_column columns[SPH_COLUMNS] = {
    [SPH_RAMP] = PD_RAMP_COLUMN,
    [SPH_SPRING_SLOT] = SPRINGS_SLOT_COLUMN,
};

static const pd_density_law law = {.at_rest = find_fluid_at_rest,
                                   .compute_pressures = compute_pressures,
                                   .ramp_column = SPH_RAMP,
                                   .jet_inset = 0.785f};

/* Like all forces of this method, springs change velocities, not positions. */
static const particle_traits traits = {
    .most_radii = 1,
    .radius = SPH_RADIUS,
    .rest_density = SPH_REST_DENSITY,
    .wall_density = SPH_WALL_DENSITY,
    .stick_distance = SPH_STICK_DISTANCE,
    .spring_slot = SPH_SPRING_SLOT,
    .springs_change_velocity = true,
    .relative_viscosity = true,
    .uses_lists = true,
    .outside = PARTICLE_OUTSIDE,
    .body_outside = BODY_OUTSIDE,
    .tension_radius = TENSION_RADIUS,
    .arrays = {{offsetof(sph_state, record), sizeof(sph_record), 1},
               {offsetof(sph_state, inverse_mass), sizeof(float), 1}},
    .pressure_limit = compute_pressure_substep_limit,
    .complete_tension_rule = complete_tension_rule,
};

extern const pd_method pd_method_sph;
const pd_method pd_method_sph = {
    .info =
        {
            .name = "sph",
            .title = "SPH with near pressure",
            .idea = "Turns density into pressure and pressure into forces",
            .suits = "Waves and thin sheets, the front of a dam break",
            .source = "Müller et al. 2003, Clavet et al. 2005, Lague 2023",
            .parameter_count = SPH_PARAMETERS,
            .field_count = PARTICLE_FIELDS,
            .view_count = PARTICLE_VIEWS,
            .features = PD_FEATURES_OF_PARTICLES,
        },
    .parameters = parameters,
    .fields = pd_particle_fluid_fields,
    .views = pd_particle_fluid_views,
    .particle_traits = &traits,
    .state_size = sizeof(sph_state),
    .columns = columns,
    .column_count = SPH_COLUMNS,
    .law = &law,
    PARTICLE_FLUID_FUNCTIONS,
    .step = sph_compute_substep,
    .destroy = pd_particle_fluid_destroy,
};
