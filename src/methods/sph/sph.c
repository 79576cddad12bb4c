/* SPH with near pressure.
 *
 * The pressure of Müller, Charypar, Gross: Particle-Based Fluid Simulation for Interactive Applications, SCA 2003, with
 * the near pressure of Clavet et al. 2005 and the form that Lague's fluid simulation (2023) made popular: spiky kernels
 * in 2-D, densities at predicted positions, and pair forces from the mean of both pressures.
 *
 * Densities are number densities: heavy particles occupy the same area as light ones, and differ in inertia and weight
 * only. So the pressure at a depth is the weight above it per length, the sum of m g. */
#include "methods/sph/sph.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "core/timer.h"
#include "sim/archive.h"
#include "sim/particles/ramp.h"
#include "sim/step.h"
#include "sim/units.h"
#include "sim/view.h"

#include <math.h>
#include <string.h>

static const float PI = 3.14159265f;

static void free_arrays(sph_state *state) {
    pd_free(state->record);
    pd_free(state->inverse_mass);
}

static void destroy(void *memory) {
    sph_state *state = memory;
    free_arrays(state);
    pd_lists_free(&state->lists);
    pd_kept_free(&state->kept);
    pd_walls_free(&state->walls);
    tension_free(&state->tension);
    springs_free(&state->springs);
}

static void reset(pd_world *world, void *memory) {
    sph_state *state = memory;
    springs_reset(&state->springs, &world->particles, SPH_SPRING_SLOT);
}

static pd_result adapt(pd_world *world, void *memory, pd_error *error) {
    sph_state *state = memory;
    return tension_want(&state->tension, tension_greatest(world) > 0, error);
}

static pd_result resize(void *memory, int capacity, pd_error *error) {
    sph_state *state = memory;
    size_t padded = (size_t)capacity + PD_PADDING;
    sph_state larger = {
        .record = pd_allocate(padded, sizeof(sph_record)),
        .inverse_mass = pd_allocate(padded, sizeof(float)),
    };
    pd_result result = PD_OK;
    if (!larger.record || !larger.inverse_mass || !pd_kept_reserve(&state->kept, capacity))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d particles (use fewer)", capacity);
    if (result == PD_OK) result = pd_lists_reserve(&state->lists, capacity, error);
    if (result == PD_OK) result = pd_walls_reserve(&state->walls, capacity, error);
    if (result == PD_OK) result = tension_resize(&state->tension, capacity, error);
    if (result != PD_OK) {
        free_arrays(&larger);
        return result;
    }
    free_arrays(state);
    larger.lists = state->lists;
    larger.kept = state->kept;
    larger.walls = state->walls;
    larger.tension = state->tension;
    larger.springs = state->springs;
    *state = larger;
    return PD_OK;
}

/* CFL condition for pressure waves, whose speed is of the order of sqrt(K + Kn): they travel a fraction WAVE of h in a
 * substep (measured). Predicted positions damp the shortest waves, and overshoot with long substeps: so dt^2 is
 * replaced by dt (dt + 2 prediction). */
static const float WAVE = 0.75f;

/* Of the surface tension, over h; what the method has of its own, over K h (measured). */
static const float TENSION_RADIUS = 1.5f, OWN_TENSION = 0.003f;

static float own_tension(const pd_world *world) {
    return OWN_TENSION * world->parameter[SPH_STIFFNESS] * world->parameter[SPH_RADIUS];
}

/* With more than MOST_TENSION K h drops boil; so do light ones whose tension moves them too far in the time for which positions
 * are predicted (both measured). The force of pressure does not depend on the mass: so neither does the first limit. What moves
 * in a time is an acceleration: so the second one does. */
static const float MOST_TENSION = 0.03f, MOST_AHEAD = 0.003f;

static const char *tension_remedy(bool pressure_carries, bool prediction_carries) {
    if (pressure_carries) return "a higher mass or a shorter prediction";
    return prediction_carries ? "a higher stiffness" : "a higher stiffness, and a higher mass or a shorter prediction";
}

static tension_force tension_of(const pd_world *world) {
    float h = world->parameter[SPH_RADIUS], radius = TENSION_RADIUS * h, ahead = world->parameter[SPH_PREDICTION];
    float most = MOST_TENSION * world->parameter[SPH_STIFFNESS] * h;
    float most_of_mass = MOST_AHEAD * radius * radius * radius / fmaxf(ahead * ahead, 1e-20f);
    tension_force force = {.own = own_tension(world),
                           .radius = radius,
                           .rest_density = world->parameter[SPH_REST_DENSITY],
                           .wall_density = world->parameter[SPH_WALL_DENSITY],
                           .outside = PD_WALL_OUTSIDE / TENSION_RADIUS};
    for (int m = 0; m < world->scene.material_count; m++) {
        float asked = world->property[m][PD_TENSION] - force.own,
              most_ahead = most_of_mass * world->scene.materials[m].mass;
        tension_set(&force, world, m, fminf(most, most_ahead), tension_remedy(asked <= most, asked <= most_ahead),
                    world->parameter[SPH_CONTACT_ANGLE]);
    }
    return force;
}

static bool warning(const pd_world *world, const void *memory, int index, char *text, size_t size) {
    tension_force force = tension_of(world);
    (void)memory;
    return index == 0 && tension_warning(&force, world, text, size);
}

static int substep_limits(const pd_world *world, const void *memory, pd_substep_limit *limits) {
    (void)memory;
    float lightest = INFINITY, h = world->parameter[SPH_RADIUS], ahead = world->parameter[SPH_PREDICTION];
    for (int m = 0; m < world->scene.material_count; m++) lightest = fminf(lightest, world->scene.materials[m].mass);
    float far = world->parameter[SPH_STIFFNESS], near = 2 * world->parameter[SPH_NEAR_STIFFNESS];
    float wave = WAVE * h * sqrtf(lightest / (far + near));
    int stiffest = near > far ? SPH_NEAR_STIFFNESS : SPH_STIFFNESS;
    limits[0] = (pd_substep_limit){stiffest, world->parameter[stiffest],
                                   wave * wave / (ahead + sqrtf(ahead * ahead + wave * wave))};
    limits[1] = pd_motion_limit(world, h);
    tension_force force = tension_of(world);
    limits[2] = (pd_substep_limit){SPH_SURFACE_TENSION, tension_greatest(world), tension_substep(&force, world)};
    limits[3] = springs_limit(world, SPH_SPRING_STIFFNESS);
    limits[4] = stick_limit(world, SPH_STICKINESS);
    return 5;
}

typedef struct stage {
    pd_motion motion;
    sph_state *state;
    sph_pass pass;
    float prediction;
    int grain; /* particles in a chunk of the loop that adds impulses */
} stage;

/* Apply external forces; then predict the positions at which density is evaluated. */
static void predict_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = &s->motion.world->particles;
    pd_motion_apply_external_forces(&s->motion, begin, end);
    for (int i = begin; i < end; i++) {
        p->old_x[i] = p->x[i];
        p->old_y[i] = p->y[i];
        p->x[i] += p->vx[i] * s->prediction;
        p->y[i] += p->vy[i] * s->prediction;
    }
}

static void record_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = &s->motion.world->particles;
    pd_motion_separate_coincident(&s->motion, begin, end);
    for (int i = begin; i < end; i++) {
        float *record = s->state->record[i];
        record[0] = p->x[i] * s->pass.inverse_h;
        record[1] = p->y[i] * s->pass.inverse_h;
        record[2] = p->vx[i];
        record[3] = p->vy[i];
        s->state->inverse_mass[i] = s->motion.inverse_mass[p->material[i]];
    }
}

static void record_sentinels(sph_state *state, int count) {
    for (int i = count; i <= pd_lists_sentinel(count); i++) {
        memcpy(state->record[i], (sph_record){PD_SENTINEL_POSITION, PD_SENTINEL_POSITION}, sizeof(sph_record));
        state->inverse_mass[i] = 1;
    }
}

/* Contacts with walls reflect the normal velocity, reduced by the factor `damping`. */
static void contain(const stage *s, int begin, int i) {
    const pd_particles *p = &s->motion.world->particles;
    const float restitution = s->motion.world->parameter[SPH_DAMPING];
    pd_vec2 now = {p->x[i], p->y[i]};
    pd_contact wall;
    bool touched = pd_boundary_contain(s->motion.world->boundary, (pd_vec2){p->old_x[i], p->old_y[i]}, &now, &wall);
    p->x[i] = now.x;
    p->y[i] = now.y;
    if (!touched) return;
    float vx = p->vx[i] - wall.velocity.x, vy = p->vy[i] - wall.velocity.y;
    float normal_speed = vx * wall.normal.x + vy * wall.normal.y;
    if (!(normal_speed < 0)) return;
    float to_wall_x = (1 + restitution) * normal_speed * wall.normal.x;
    float to_wall_y = (1 + restitution) * normal_speed * wall.normal.y;
    float mass = 1 / s->motion.inverse_mass[p->material[i]];
    p->vx[i] -= to_wall_x;
    p->vy[i] -= to_wall_y;
    pd_impulse_add(pd_boundary_impulses(s->motion.world->boundary), begin, s->grain, wall.wall,
                   (double)(mass * to_wall_x), (double)(mass * to_wall_y));
}

/* Advance the positions from those at the beginning of the substep, with contacts. */
static void move_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = &s->motion.world->particles;
    const float dt = s->motion.dt;
    const pd_walls *walls = &s->state->walls;
    for (int i = begin; i < end; i++) {
        if (walls->index[i])
            pd_walls_react(pd_boundary_impulses(s->motion.world->boundary), begin, s->grain,
                           &walls->weight[walls->index[i]], 1 / s->motion.inverse_mass[p->material[i]]);
        p->x[i] = p->old_x[i] + p->vx[i] * dt;
        p->y[i] = p->old_y[i] + p->vy[i] * dt;
    }
    pd_near_paths near = pd_near_paths_of(s->motion.world->boundary, begin, end, p->old_x, p->old_y, p->x, p->y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) contain(s, begin, i);
}

static void hold_range(void *context, int begin, int end) {
    const stage *s = context;
    pd_motion_hold_thick(&s->motion, s->grain, begin, end);
}

static const sph_kernels *kernels(void) { return PD_SIMD_PICK(sph_kernels); }

/* The kernels in 2-D, normalised to 1, with q = 1 - r/h: W2 = 6/(pi h^2) q^2 for density, W3 = 10/(pi h^2) q^3 for near
 * density, and W6 = 4/(pi h^2) (1 - r^2/h^2)^3 for viscosity. */
static sph_pass pass_of(const pd_world *world, const pd_motion *motion, sph_state *state) {
    float h = motion->radius, area = PI * h * h;
    sph_pass pass = {
        .particles = &world->particles,
        .neighbours = &world->neighbours,
        .state = state,
        .pressure = world->particles.method[SPH_PRESSURE],
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
        .ramped = world->ramp > 0,
        .fastest = motion->fastest / 2, /* one radius per substep: forces are only valid within it */
    };
    pass.thick = world->thick && pass.viscosity > 0;
    pass.viscosity_factor = 4 / area * (pass.thick ? 1 : pass.viscosity);
    for (int m = 0; m < world->scene.material_count; m++) pass.viscosity_of[m] = pass.viscosity * world->thickness[m];
    pass.viscous = pass.viscosity > 0;
    for (int m = 1; m < world->scene.material_count; m++)
        if (motion->inverse_mass[m] != motion->inverse_mass[0]) pass.materials = true;
    return pass;
}

/* Densities and pressures, with the lists of an earlier substep or new ones. */
static void compute_density(stage *s, bool kept) {
    pd_world *world = s->motion.world;
    sph_state *state = s->state;
    int count = world->particles.count;
    bool whole =
        !kept && pd_lists_make(&state->lists, count, world->pool, kernels()->find_and_compute_density, &s->pass);
    if (!kept) state->kept.count = 0;
    if (whole)
        pd_kept_begin(&state->kept, world, s->motion.radius);
    else /* also where there is no memory for whole lists */
        pd_parallel_for(world->pool, count, PD_LIST_GRAIN, kernels()->compute_density, &s->pass);
}

/* Densities are those at the predicted positions: so are the walls. */
static void find_walls(const stage *s, pd_world *world) {
    pd_walls_rule rule = {.radius = s->motion.radius,
                          .outside = PD_WALL_OUTSIDE,
                          .weight = world->parameter[SPH_WALL_DENSITY],
                          .ahead = s->prediction - s->motion.dt};
    pd_walls_find(&s->state->walls, world, &rule);
}

/* As in double density relaxation, between the positions that the particles have after the substep without interaction. The
 * displacements become velocities, as all forces do here. */
static void apply_springs(const stage *s, pd_world *world) {
    springs_rule rule = {.column = SPH_SPRING_SLOT,
                         .h = s->motion.radius,
                         .dt = s->motion.dt,
                         .ahead = s->motion.dt - s->prediction,
                         .kicks = true};
    springs_step(world, &s->state->springs, &rule);
}

static void step(pd_world *world, void *memory, float dt) {
    sph_state *state = memory;
    const pd_particles *p = &world->particles;
    stage s = {.motion = pd_motion_begin(world, world->parameter[SPH_RADIUS], dt), .state = state};
    pd_tool_field_attract(world, &s.motion.tool, world->parameter[SPH_TOOL_STRENGTH]);
    s.pass = pass_of(world, &s.motion, state);
    s.prediction = world->parameter[SPH_PREDICTION];
    s.grain = pd_impulse_grain(p->count);
    double since = pd_now();

    tension_force tension = tension_of(world);
    tension_apply(&s.state->tension, world, &tension, dt, s.motion.fastest);
    pd_stage_end(world, "tension", &since);
    if (world->thick) pd_parallel_for(world->pool, p->count, s.grain, hold_range, &s);
    stick_apply(&s.motion, world->parameter[SPH_STICK_DISTANCE], s.grain);
    pd_parallel_for(world->pool, p->count, PD_MOTION_GRAIN, predict_range, &s);
    pd_stage_end(world, "forces", &since);
    bool kept = pd_kept_serve(&state->kept, world, s.motion.radius) && !springs_need_cells(world, SPH_SPRING_SLOT);
    if (!kept) pd_neighbours_sort(&world->neighbours, &world->particles, s.motion.radius, world->pool);
    pd_stage_end(world, "sort", &since);
    apply_springs(&s, world);
    pd_stage_end(world, "springs", &since);
    pd_parallel_for(world->pool, p->count, PD_MOTION_GRAIN, record_range, &s);
    record_sentinels(state, p->count);
    pd_stage_end(world, "sort", &since);
    find_walls(&s, world);
    pd_stage_end(world, "walls", &since);
    compute_density(&s, kept);
    pd_stage_end(world, "density", &since);
    pd_parallel_for(world->pool, p->count, PD_LIST_GRAIN, kernels()->apply_pressure, &s.pass);
    pd_stage_end(world, "pressure", &since);
    pd_parallel_for(world->pool, p->count, s.grain, move_range, &s);
    pd_stage_end(world, "walls", &since);
}

static float same(const float *parameter, float density) {
    (void)parameter;
    return density;
}

static const pd_density_law law = {.particles_per_area = same, .density_of = same, .ramp_column = SPH_RAMP};

static const pd_column columns[SPH_COLUMNS] = {
    [SPH_RAMP] = PD_RAMP_COLUMN,
    [SPH_SPRING_SLOT] = SPRINGS_SLOT_COLUMN,
    [SPH_PRESSURE] = {.name = "pressure", .width = 4, .saved = true, .real = true},
};

enum { FIELD_SPEED, FIELD_DENSITY, FIELD_PRESSURE, FIELDS };

static const pd_field_info fields[FIELDS] = {
    [FIELD_SPEED] = PD_SPEED_FIELD,
    [FIELD_DENSITY] = {"density", "density", "1/m²", PD_FIELD_OF_PARTICLES},
    [FIELD_PRESSURE] = {"pressure", "pressure", "Pa", PD_FIELD_OF_PARTICLES},
};

static const pd_view_mode views[] = {
    PD_PARTICLE_VIEWS,
    {"density", PD_VIEW_PARTICLES, "density"},
    {"pressure", PD_VIEW_PARTICLES, "pressure"},
};

static void field_of_pressure(const pd_world *world, int index, pd_field *field) {
    const pd_particles *p = &world->particles;
    const float *pressure = p->method[SPH_PRESSURE], unit = (float)pd_units_particle_mass(world);
    float *values = pd_field_buffer(world, index, (size_t)p->count);
    for (int i = 0; values && i < p->count; i++) values[i] = unit * pressure[i];
    field->values = values;
    field->high = (float)(2 * PD_DENSITY_OF_MASS_1) * world->resolution.gravity * world->resolution.length;
    field->low = -field->high;
}

static void field(const pd_world *world, void *memory, int index, pd_field *field) {
    (void)memory;
    if (index == FIELD_SPEED) pd_field_of_speed(world, index, field);
    if (index == FIELD_DENSITY) pd_field_of_density(world, world->parameter[SPH_REST_DENSITY], field);
    if (index == FIELD_PRESSURE) field_of_pressure(world, index, field);
}

static void view(const pd_world *world, const void *memory, pd_view *view) {
    (void)memory;
    view->rest_density = world->parameter[SPH_REST_DENSITY];
    view->radius = world->parameter[SPH_RADIUS];
}

static pd_result edit(pd_world *world, void *memory, const pd_edited *edit, const pd_boundary *before,
                      pd_error *error) {
    sph_state *state = memory;
    (void)world, (void)before, (void)error;
    springs_edit(&state->springs, edit->material_to);
    return PD_OK;
}

static void serialize(pd_world *world, void *memory, pd_archive *archive) {
    sph_state *state = memory;
    (void)world;
    springs_serialize(&state->springs, archive);
}

static size_t saved_bytes(const void *memory) {
    const sph_state *state = memory;
    return springs_saved_bytes(&state->springs);
}

extern const pd_method pd_method_sph;
const pd_method pd_method_sph = {
    .info =
        {
            .name = "sph",
            .title = "SPH with near pressure",
            .source = "Müller et al. 2003, Clavet et al. 2005, Lague 2023",
            .parameter_count = SPH_PARAMETERS,
            .field_count = FIELDS,
            .view_count = sizeof views / sizeof *views,
            .features = PD_FEATURE_VISCOSITY | PD_FEATURE_TENSION | PD_FEATURE_SPRINGS | PD_FEATURE_STICKINESS,
        },
    .parameters = sph_parameters,
    .fields = fields,
    .views = views,
    .state_size = sizeof(sph_state),
    .columns = columns,
    .column_count = SPH_COLUMNS,
    .law = &law,
    .init = adapt,
    .resize = resize,
    .adapt = adapt,
    .edit = edit,
    .substep_limits = substep_limits,
    .step = step,
    .warning = warning,
    .view = view,
    .field = field,
    .reset = reset,
    .serialize = serialize,
    .saved_bytes = saved_bytes,
    .destroy = destroy,
};
