/* Double density relaxation: Clavet, Beaudoin, Poulin, "Particle-based Viscoelastic Fluid Simulation", SCA 2005, in the
 * form of Kuepers' article (masses per colour, anti-stick wall). As in the paper, displacements are applied
 * sequentially, particle after particle. If all particles were displaced at once (Jacobi), half the time step would be
 * needed for stability. */
#include "methods/ddr/ddr.h"

#include "core/memory.h"
#include "core/simd.h"
#include "methods/ddr/ddr_wide.h"
#include "methods/particle_fluid/lattice.h"
#include "scene/properties.h"
#include "sim/particles/ramp.h"
#include "sim/view.h"
#include "sim/world.h"

#include <math.h>
#include <string.h>

static const pd_parameter parameters[DDR_PARAMETERS] = {
    [DDR_RADIUS] = {"radius", "Interaction radius", "m",
                    "Radius of interaction: particles that are closer act on each other",
                    "Clavet et al. 2005, h. Kuepers: 2.091 in a circle of 22.33", .scale = PD_SCALE_LOGARITHMIC,
                    .default_value = 0.0936f, .minimum = 1e-4f, .maximum = 100,
                    .follows = {.resolution = 1, .length = 1}},
    [DDR_STIFFNESS] = {"stiffness", "Stiffness", "m/s²",
                       "How hard the fluid pushes back when it is squeezed: higher is harder to compress",
                       "Clavet et al. 2005, k. Kuepers: 35", .scale = PD_SCALE_LOGARITHMIC, .default_value = 40,
                       .minimum = 0.01f, .maximum = 10000,
                       .follows = {.resolution = -1, .length = 1, .time = -2, .speed = 2},
                       .with_tension = {.factor = 1.8f, .spacing = 2, .mass = 1}},
    [DDR_NEAR_STIFFNESS] =
        {"near_stiffness", "Near stiffness", "m/s²",
         "Strength of the repulsion between close particles: keeps particles apart, makes surface tension",
         "Clavet et al. 2005, k near. Kuepers: 100", .scale = PD_SCALE_LOGARITHMIC, .default_value = 11,
         .minimum = 0.01f, .maximum = 10000, .follows = {.resolution = -1, .length = 1, .time = -2, .speed = 2},
         .with_tension = {.factor = 0.33f, .spacing = 2, .mass = 1}},
    [DDR_REST_DENSITY] = {"rest_density", "Rest density", "",
                          "Density at which the pressure is zero: sum of (1 - r/h)² over the neighbours, h: radius",
                          "Clavet et al. 2005, rho 0. Kuepers: 5", .default_value = 3.31f, .minimum = 0.5f,
                          .maximum = 50},
    [DDR_LINEAR_VISCOSITY] = {PD_VISCOSITY_PARAMETER},
    [DDR_QUADRATIC_VISCOSITY] =
        {"quadratic_viscosity", "Quadratic viscosity", "1/m",
         "Damping of approaching particles, proportional to their squared relative speed: slow flow stays thin",
         "Clavet et al. 2005, algorithm 5, beta", .scale = PD_SCALE_LOGARITHMIC, .maximum = 1000},
    [DDR_SPRING_STIFFNESS] = {PD_ELASTICITY_PARAMETER},
    [DDR_PLASTICITY] = {PD_PLASTICITY_PARAMETER},
    [DDR_YIELD] = {PD_YIELD_PARAMETER},
    [DDR_STICKINESS] = {PD_STICKINESS_PARAMETER},
    [DDR_STICK_DISTANCE] = {PARTICLE_STICK_DISTANCE_PARAMETER},
    [DDR_ANTI_STICK] =
        {"anti_stick", "Wall repulsion", "1/s",
         "Speed at which walls repel particles, in radii per second; with wall_density above 0 particles jitter",
         "Kuepers, bonus step. There: 1, with walls without weight", .maximum = 10},
    [DDR_EQUAL_WEIGHT] =
        {"equal_weight", "Equal weight", "",
         "On: all materials weigh the same, and a heavy one is only harder to move. Off: heavy materials sink",
         "Kuepers' program, which divides gravity by mass", .type = PD_PARAMETER_BOOLEAN, .default_value = 1,
         .maximum = 1},
    [DDR_WALL_DENSITY] = {PARTICLE_WALL_DENSITY_PARAMETER("0 in Clavet et al. 2005 and Kuepers' article")},
    [DDR_SURFACE_TENSION] = {PD_TENSION_PARAMETER},
    [DDR_CONTACT_ANGLE] = {PD_CONTACT_ANGLE_PARAMETER},
};

/* Pressure of double density relaxation: in views, and of fluid at rest.
 *
 * The method displaces pairs by dt^2 (P q + Pn q^2), with P = k (rho - rho0), Pn = kn rhon and q = 1 - r/h. P and Pn
 * are therefore accelerations, not pressures. Pairs of particles of mass m have the force m (P q + Pn q^2), and the
 * pressure is the virial of these forces in a lattice (particle_fluid/lattice.h). */

/* Returns the pressure over the mass of a particle, 1/s^2. density: rho. */
static float compute_pressure_over_mass(const pd_world *world, const lattice *l, float density, float rest_density) {
    float far = world->parameter[DDR_STIFFNESS] * (density - rest_density);
    float near = world->parameter[DDR_NEAR_STIFFNESS] * l->q3;
    return l->per_area / (4 * world->parameter[DDR_RADIUS]) * (far * l->rq + near * l->rq2);
}

static float compute_lattice_pressure_over_mass(const pd_world *world, const lattice *l) {
    return compute_pressure_over_mass(world, l, l->q2, world->parameter[DDR_REST_DENSITY]);
}

/* Returns the factor c with which the pressure of fluid at rest is 0 where density + c near density is the rest density. */
static float compute_near_share(const pd_world *world) {
    lattice rest = pd_lattice_find_at_pressure(world, compute_lattice_pressure_over_mass, 0);
    return rest.q3 > 0 ? (world->parameter[DDR_REST_DENSITY] - rest.q2) / rest.q3 : 0;
}

static pd_fluid_at_rest find_fluid_at_rest(const pd_world *world, float mass, float pressure) {
    lattice l = pd_lattice_find_at_pressure(world, compute_lattice_pressure_over_mass, pressure / mass);
    float h = world->parameter[DDR_RADIUS];
    return (pd_fluid_at_rest){l.per_area / (h * h), l.q2 + compute_near_share(world) * l.q3};
}

/* Raster of nodes one radius apart, onto which particles distribute their pressures bilinearly. If it is too
 * small for the plane, the plane is folded onto it. */
typedef struct pressure_raster {
    int columns, rows;
    float per_metre;
    float *sum, *weight; /* by node */
} pressure_raster;

/* The four nodes around a point, and their weights. */
typedef struct nodes {
    size_t index[4];
    float weight[4];
} nodes;

static int fold(double cell, int cells) { return (int)(cell - cells * floor(cell / cells)); }

static nodes find_nodes(const pressure_raster *raster, float x, float y) {
    double column = floor((double)(x * raster->per_metre)), row = floor((double)(y * raster->per_metre));
    float u = x * raster->per_metre - (float)column, v = y * raster->per_metre - (float)row;
    int left = fold(column, raster->columns), low = fold(row, raster->rows);
    int right = (left + 1) % raster->columns, high = (low + 1) % raster->rows;
    size_t width = (size_t)raster->columns, below = (size_t)low * width, above = (size_t)high * width;
    return (nodes){{below + (size_t)left, below + (size_t)right, above + (size_t)left, above + (size_t)right},
                   {(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v}};
}

/* Replaces the pressures by means over about a radius. Forces depend only on such means: displacements by alternately
 * higher and lower pressures of neighbours cancel out, and the pressures of single particles therefore vary by a quarter.
 * Does nothing if memory runs out. */
static void smooth_pressures(const pd_world *world, float *pressure) {
    enum { MOST = 512 }; /* greatest number of columns and rows */
    const pd_particles *p = &world->particles;
    float left = 0, right = 0, low = 0, high = 0;
    for (int i = 0; i < p->count; i++) {
        left = fminf(left, p->x[i]), right = fmaxf(right, p->x[i]);
        low = fminf(low, p->y[i]), high = fmaxf(high, p->y[i]);
    }
    pressure_raster raster = {.per_metre = 1 / world->parameter[DDR_RADIUS]};
    raster.columns = (int)fminf((right - left) * raster.per_metre + 3, MOST);
    raster.rows = (int)fminf((high - low) * raster.per_metre + 3, MOST);
    size_t count = (size_t)raster.columns * (size_t)raster.rows;
    raster.sum = pd_allocate(2 * count, sizeof(float));
    if (!raster.sum) return;
    raster.weight = raster.sum + count;
    for (int i = 0; i < p->count; i++) {
        nodes at = find_nodes(&raster, p->x[i], p->y[i]);
        for (int k = 0; k < 4; k++) {
            raster.sum[at.index[k]] += at.weight[k] * pressure[i];
            raster.weight[at.index[k]] += at.weight[k];
        }
    }
    for (int i = 0; i < p->count; i++) {
        nodes at = find_nodes(&raster, p->x[i], p->y[i]);
        float sum = 0, weight = 0;
        for (int k = 0; k < 4; k++) {
            sum += at.weight[k] * raster.sum[at.index[k]];
            weight += at.weight[k] * raster.weight[at.index[k]];
        }
        pressure[i] = weight > 0 ? sum / weight : pressure[i];
    }
    pd_free(raster.sum);
}

static void compute_pressures(const pd_world *world, float *pressure) {
    const pd_particles *p = &world->particles;
    const float rest_density = world->parameter[DDR_REST_DENSITY], unit = (float)pd_units_particle_mass(world);
    lattice_table table;
    pd_lattice_table_fill(&table);
    for (int i = 0; i < p->count; i++) {
        lattice l = pd_lattice_table_find(&table, p->density[i]);
        float rest = rest_density * pd_density_ramp_present_factor(world, i);
        pressure[i] = unit * world->scene.materials[p->material[i]].mass *
                      compute_pressure_over_mass(world, &l, p->density[i], rest);
    }
    smooth_pressures(world, pressure);
}

enum { ROW_GRAIN = 2 }; /* rows in a chunk of parallel work; relax_rows in ddr_wide.c processes two rows alternately */

/* Fills the tables for pairs of materials. The term -k rho0 of the pressure attracts. For a pair of materials with an
 * attraction other than 1, `repulsion` adds (1 - attraction) k rho0 to the pressure. */
static void fill_material_tables(const pd_world *world, ddr_sweep *sweep) {
    const pd_scene *scene = &world->scene;
    float attraction_pressure = sweep->stiffness * sweep->rest_density;
    for (int a = 0; a < scene->material_count; a++)
        for (int b = 0; b < scene->material_count; b++) {
            float own = scene->materials[a].mass, other = scene->materials[b].mass;
            float viscosity = 0.5f * (world->property[a][PD_VISCOSITY] + world->property[b][PD_VISCOSITY]) * sweep->dt;
            sweep->own_fraction[a][b] = other / (own + other);
            sweep->other_fraction[a][b] = own / (own + other);
            sweep->viscosity[a][b] = viscosity;
            if (viscosity > 0) sweep->viscous = true;
            if (own != other || viscosity != sweep->viscosity[0][0]) sweep->pairs_differ = true;
        }
    for (uint32_t m = 0; m < (uint32_t)scene->material_count; m++) {
        sweep->property[m][0] = scene->materials[m].mass;
        sweep->property[m][1] = 0.5f * world->property[m][PD_VISCOSITY] * sweep->dt * sweep->inverse_h;
        memcpy(&sweep->property[m][2], &m, sizeof m);
    }
    for (int i = 0; i < scene->attraction_count; i++) {
        const pd_attraction *attraction = &scene->attractions[i];
        int a = attraction->between[0], b = attraction->between[1];
        float repulsion = attraction_pressure * (1 - attraction->factor);
        sweep->repulsion[a][b] = repulsion;
        sweep->repulsion[b][a] = repulsion;
        sweep->strongest_repulsion = fmaxf(sweep->strongest_repulsion, fabsf(repulsion));
        sweep->pairs_differ = true;
    }
}

static void write_material_bits(void *context, int begin, int end) {
    const ddr_sweep *sweep = context;
    for (int i = begin; i < end; i++) {
        uint32_t material = sweep->material_index[i];
        memcpy(&sweep->material[i], &material, sizeof material);
    }
}

/* Displaces pairs of particles by pressure, near pressure and viscosity (Clavet et al. 2005, algorithms 2 and 5),
 * particle after particle. Each particle starts from the positions that earlier particles have changed (Gauss-Seidel).
 * Writes positions and densities.
 *
 * Rows of cells have colours: rows of one colour have disjoint neighbourhoods and run on any thread. Within a row the
 * particles are processed in order, as in the paper. Every other substep the sweep runs backwards, so that its bias
 * cancels. From DDR_LEAST_LISTED particles on the sweep uses neighbour lists and runs over cells (ddr_lists.h).
 *
 * reuse_lists: use the lists of an earlier substep. false: the particles have been sorted in this substep. */
static void relax_pairs(pd_world *world, ddr_state *state, float dt, bool reuse_lists) {
    const pd_particles *p = &world->particles;
    float h = world->parameter[DDR_RADIUS];
    ddr_sweep sweep = {
        .world = world,
        .neighbours = &world->neighbours,
        .particles = p,
        .count = p->count,
        .x = p->x,
        .y = p->y,
        .vx = p->vx,
        .vy = p->vy,
        .density = p->density,
        .material = state->material,
        .material_index = p->material,
        .id = p->id,
        .wall = state->fluid.walls.index,
        .wall_weight = state->fluid.walls.weight,
        .backwards = world->substep_total & 1,
        .h = h,
        .inverse_h = 1 / h,
        .displacement_limit = h / 4,
        .dt = dt,
        .stiffness = world->parameter[DDR_STIFFNESS] * dt * dt,
        .near_stiffness = world->parameter[DDR_NEAR_STIFFNESS] * dt * dt,
        .rest_density = world->parameter[DDR_REST_DENSITY],
        .is_ramped = world->ramp > 0,
        .near_share = world->ramp > 0 ? compute_near_share(world) : 0,
        .quadratic_viscosity = world->parameter[DDR_QUADRATIC_VISCOSITY] * dt,
    };
    sweep.viscous = sweep.quadratic_viscosity > 0;
    fill_material_tables(world, &sweep);
    bool listed = reuse_lists || (p->count >= DDR_LEAST_LISTED && pd_ddr_lists_make(&state->lists, world, &sweep));
    if (listed) {
        pd_ddr_lists_relax_pairs(&state->lists, world, &sweep);
        return;
    }
    pd_loop_body *rows = PD_SIMD_PICK(pd_ddr_kernels)->relax_rows;
    if (sweep.pairs_differ) pd_parallel_for(world->pool, sweep.count, PD_MOTION_GRAIN, write_material_bits, &sweep);
    for (int c = 0; c < PD_COLOURS; c++) {
        sweep.colour = sweep.backwards ? PD_COLOURS - 1 - c : c;
        pd_parallel_for(world->pool, world->neighbours.rows / PD_COLOURS, ROW_GRAIN, rows, &sweep);
    }
}

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
    rule->rest_density = find_fluid_at_rest(world, 1, 0).particles_per_area;
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
    relax_pairs(world, state, dt, reuse_lists);
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
                                   .at_rest = find_fluid_at_rest,
                                   .compute_pressures = compute_pressures,
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
    .parameters = parameters,
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
