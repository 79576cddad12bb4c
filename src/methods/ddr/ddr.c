/* Double density relaxation.
 *
 * Clavet, Beaudoin, Poulin: Particle-based Viscoelastic Fluid Simulation, SCA 2005, in the form of Kuepers' article
 * (masses per colour, anti-stick wall). Displacements are applied sequentially, particle after particle, as there:
 * applied to all particles at once, the method would need half the time step to be stable. */
#include "methods/ddr/ddr.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/timer.h"
#include "sim/step.h"
#include "sim/view.h"

#include <math.h>
#include <string.h>

static void free_arrays(ddr_state *state) {
    pd_free(state->material);
    pd_free(state->rounding);
}

static void destroy(void *memory) {
    ddr_state *state = memory;
    free_arrays(state);
    springs_free(&state->springs);
    ddr_lists_free(&state->lists);
    pd_walls_free(&state->walls);
    tension_free(&state->tension);
}

static void reset(pd_world *world, void *memory) {
    ddr_state *state = memory;
    springs_reset(&state->springs, &world->particles, DDR_SPRING_SLOT);
}

static pd_result adapt(pd_world *world, void *memory, pd_error *error) {
    ddr_state *state = memory;
    return tension_want(&state->tension, tension_greatest(world) > 0, error);
}

static pd_result resize(void *memory, int capacity, pd_error *error) {
    ddr_state *state = memory;
    size_t padded = (size_t)capacity + PD_PADDING;
    float *material = pd_allocate(padded, sizeof *material);
    double *rounding = pd_allocate(3 * ((size_t)capacity / PD_MOTION_GRAIN + 1), sizeof *rounding);
    pd_result result = PD_OK;
    if (!material || !rounding)
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d particles (use fewer)", capacity);
    if (result == PD_OK) result = pd_walls_reserve(&state->walls, capacity, error);
    if (result == PD_OK) result = tension_resize(&state->tension, capacity, error);
    if (result != PD_OK) {
        pd_free(material);
        pd_free(rounding);
        return result;
    }
    free_arrays(state);
    state->material = material;
    state->rounding = rounding;
    return PD_OK;
}

/* Of the surface tension, over h; what the method has of its own at zero gravity, over k h^2 (measured). */
static const float TENSION_RADIUS = 1.25f, OWN_TENSION = 0.065f;

/* The fluid ends 0.07 h behind where particles are stopped: with this the layer on a wall lies as close as those above it
 * (measured, without surface tension). With strong tension, as that of mercury, the second layer is 1.4 spacings above the first.
 * If the tension took the fluid's end to be half a spacing (0.182 h) behind, it would be 1.0, but films would come off the floor
 * (test_films_lie_on_the_floor). */
static const float WALL_OUTSIDE = 0.07f;

static float own_tension(const pd_world *world) {
    float h = world->parameter[DDR_RADIUS];
    return OWN_TENSION * world->parameter[DDR_STIFFNESS] * h * h;
}

/* Of k h H, per mass. Measured: drops stay together beyond it, but do not come to rest. 5 s after 300 particles were 2 : 1 they
 * have 0.08 m/s with 1.5, 0.14 with 2, 0.24 with 3 and 0.47 with 5. What keeps particles apart here are accelerations, whatever
 * their mass; tension is a force: so heavy ones carry more. */
static const float MOST_TENSION = 1.5f;

/* The particles per area at rest without gravity and walls: the spacing is 0.364 h where the rest density is 5 (resolution.c). */
static tension_force tension_of(const pd_world *world) {
    float h = world->parameter[DDR_RADIUS], spacing = 0.364f * h;
    float most = MOST_TENSION * world->parameter[DDR_STIFFNESS] * h * TENSION_RADIUS * h;
    tension_force force = {.own = own_tension(world),
                           .radius = TENSION_RADIUS * h,
                           .rest_density = (world->parameter[DDR_REST_DENSITY] + 1) / (6 * spacing * spacing),
                           .wall_density = world->parameter[DDR_WALL_DENSITY],
                           .outside = WALL_OUTSIDE / TENSION_RADIUS};
    for (int m = 0; m < world->scene.material_count; m++)
        tension_set(&force, world, m, most * world->scene.materials[m].mass, "a higher mass or stiffness",
                    world->property[m][PD_CONTACT_ANGLE]);
    return force;
}

static bool warning(const pd_world *world, const void *memory, int index, char *text, size_t size) {
    tension_force force = tension_of(world);
    (void)memory;
    return index == 0 && tension_warning(&force, world, text, size);
}

/* The pressure acts like a spring of stiffness ~ (k + kn/2)/h per unit mass, whose period the substep must resolve. The
 * factor is measured with 1,500 to 50,000 particles: at 0.1 a pool comes to rest; at 0.12 its residual motion is twice
 * as fast; at 0.14 it is unstable. */
static int substep_limits(const pd_world *world, const void *memory, pd_substep_limit *limits) {
    (void)memory;
    float h = world->parameter[DDR_RADIUS], factor = ddr_stiffness_factor(world);
    float far = factor * world->parameter[DDR_STIFFNESS];
    float near = 0.5f * factor * world->parameter[DDR_NEAR_STIFFNESS];
    int stiffest = near > far ? DDR_NEAR_STIFFNESS : DDR_STIFFNESS;
    limits[0] = (pd_substep_limit){stiffest, world->parameter[stiffest], 0.1f * sqrtf(h / (far + near))};
    limits[1] = pd_motion_limit(world, h);
    limits[2] = springs_limit(world, DDR_SPRING_STIFFNESS);
    limits[3] = stick_limit(world, DDR_STICKINESS);
    tension_force force = tension_of(world);
    limits[4] = (pd_substep_limit){DDR_SURFACE_TENSION, tension_greatest(world), tension_substep(&force, world)};
    return 5;
}

typedef struct stage {
    pd_motion motion;
    ddr_state *state;
    int grain; /* particles in a chunk of the loops that add impulses */
} stage;

/* Apply external forces, and advance the positions: the first half of the article's pass 1. */
static void advance_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = &s->motion.world->particles;
    pd_motion_apply_external_forces(&s->motion, begin, end);
    for (int i = begin; i < end; i++) {
        p->old_x[i] = p->x[i];
        p->old_y[i] = p->y[i];
        p->x[i] += p->vx[i] * s->motion.dt;
        p->y[i] += p->vy[i] * s->motion.dt;
    }
}

static void separate_range(void *context, int begin, int end) {
    const stage *s = context;
    pd_motion_separate_coincident(&s->motion, begin, end);
}

/* Velocities from displacements. Divided: multiplying by 1/dt would change the momentum, since dt times the rounded 1/dt is
 * not exactly 1. */
static void set_velocities(const stage *s, int begin, int end) {
    const pd_particles *p = &s->motion.world->particles;
    const float *x = p->x, *y = p->y, *old_x = p->old_x, *old_y = p->old_y;
    const float dt = s->motion.dt, drift_x = s->motion.drift_x, drift_y = s->motion.drift_y;
    float *vx = p->vx, *vy = p->vy;
    for (int i = begin; i < end; i++) {
        vx[i] = (x[i] - old_x[i]) / dt - drift_x;
        vy[i] = (y[i] - old_y[i]) / dt - drift_y;
    }
}

/* Contacts of a particle of the chunk from `begin` on with walls. The anti-stick rule moves the old position into the wall, so
 * that the velocity points out of it (article, bonus step); it does not apply to sticky materials. */
static void contain(const stage *s, int begin, int i) {
    const pd_particles *p = &s->motion.world->particles;
    const float back = s->motion.world->parameter[DDR_ANTI_STICK] * s->motion.world->parameter[DDR_RADIUS];
    pd_vec2 old = {p->old_x[i], p->old_y[i]}, free = {p->x[i], p->y[i]}, now = free;
    pd_contact contact;
    bool touched = pd_boundary_contain(s->motion.world->boundary, old, &now, &contact);
    p->x[i] = now.x;
    p->y[i] = now.y;
    set_velocities(s, i, i + 1);
    if (!touched) return;
    if (!(s->motion.world->property[p->material[i]][PD_STICKINESS] > 0)) {
        p->vx[i] += back * contact.normal.x;
        p->vy[i] += back * contact.normal.y;
    }
    pd_motion_react(&s->motion, begin, s->grain, i, contact.wall,
                    (free.x - old.x) / s->motion.dt - s->motion.drift_x - p->vx[i],
                    (free.y - old.y) / s->motion.dt - s->motion.drift_y - p->vy[i]);
}

static void contain_range(void *context, int begin, int end) {
    const stage *s = context;
    const pd_particles *p = &s->motion.world->particles;
    const pd_impulses *impulses = pd_boundary_impulses(s->motion.world->boundary);
    const pd_walls *walls = &s->state->walls;
    for (int i = begin; i < end; i++) {
        if (!walls->index[i]) continue;
        float per_second = 1 / (s->motion.inverse_mass[p->material[i]] * s->motion.dt);
        pd_walls_react(impulses, begin, s->grain, &walls->weight[walls->index[i]], per_second);
    }
    set_velocities(s, begin, end);
    pd_near_paths near = pd_near_paths_of(s->motion.world->boundary, begin, end, p->old_x, p->old_y, p->x, p->y);
    for (int i; (i = pd_near_paths_next(&near)) >= 0;) contain(s, begin, i);
}

static void find_walls(stage *s, pd_world *world) {
    pd_walls_rule rule = {
        .radius = world->parameter[DDR_RADIUS], .outside = WALL_OUTSIDE, .weight = world->parameter[DDR_WALL_DENSITY]};
    pd_walls_find(&s->state->walls, world, &rule);
}

static void step(pd_world *world, void *memory, float dt) {
    stage s = {.motion = pd_motion_begin(world, world->parameter[DDR_RADIUS], dt), .state = memory};
    int count = world->particles.count;
    s.grain = pd_impulse_grain(count);
    double since = pd_now();
    for (int m = 0; m < world->scene.material_count; m++)
        if (world->parameter[DDR_EQUAL_WEIGHT] != 0) s.motion.weight[m] = s.motion.inverse_mass[m];

    tension_force tension = tension_of(world);
    tension_apply(&s.state->tension, world, &tension, dt, s.motion.fastest);
    pd_stage_end(world, "tension", &since);
    stick_apply(&s.motion, world->parameter[DDR_STICK_DISTANCE], s.grain);
    pd_parallel_for(world->pool, count, PD_MOTION_GRAIN, advance_range, &s);
    pd_stage_end(world, "forces", &since);
    bool kept = ddr_lists_serve(&s.state->lists, world) && !springs_need_cells(world, DDR_SPRING_SLOT);
    if (!kept) pd_neighbours_sort(&world->neighbours, &world->particles, world->parameter[DDR_RADIUS], world->pool);
    pd_parallel_for(world->pool, count, PD_MOTION_GRAIN, separate_range, &s);
    pd_stage_end(world, "sort", &since);
    find_walls(&s, world);
    pd_stage_end(world, "walls", &since);
    springs_step(
        world, &s.state->springs,
        &(springs_rule){.column = DDR_SPRING_SLOT, .h = world->parameter[DDR_RADIUS], .dt = dt, .moves = true});
    pd_stage_end(world, "springs", &since);
    ddr_relax(world, s.state, dt, kept);
    pd_motion_drift(&s.motion, &s.state->walls, s.state->rounding);
    pd_stage_end(world, "relaxation", &since);
    pd_parallel_for(world->pool, count, s.grain, contain_range, &s);
    pd_stage_end(world, "walls", &since);
}

/* The method's density is pi h^2/6 times that of the normalised kernel 6/(pi h^2) (1 - r/h)^2, without the particle's
 * own contribution. */
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

enum { FIELD_SPEED, FIELD_DENSITY, FIELD_PRESSURE, FIELDS };

static const pd_field_info fields[FIELDS] = {
    [FIELD_SPEED] = PD_SPEED_FIELD,
    [FIELD_DENSITY] = {"density", "density", "", PD_FIELD_OF_PARTICLES},
    [FIELD_PRESSURE] = {"pressure", "pressure", "Pa", PD_FIELD_OF_PARTICLES},
};

static const pd_view_mode views[] = {
    PD_PARTICLE_VIEWS,
    {"density", PD_VIEW_PARTICLES, "density"},
    {"pressure", PD_VIEW_PARTICLES, "pressure"},
};

static void field(const pd_world *world, void *memory, int index, pd_field *field) {
    (void)memory;
    if (index == FIELD_SPEED) pd_field_of_speed(world, index, field);
    if (index == FIELD_DENSITY) pd_field_of_density(world, world->parameter[DDR_REST_DENSITY], field);
    if (index == FIELD_PRESSURE) ddr_field_of_pressure(world, index, field);
}

static void view(const pd_world *world, const void *memory, pd_view *view) {
    (void)memory;
    view->rest_density = world->parameter[DDR_REST_DENSITY];
    view->radius = world->parameter[DDR_RADIUS];
}

static pd_result edit(pd_world *world, void *memory, const pd_edited *edit, const pd_boundary *before,
                      pd_error *error) {
    ddr_state *state = memory;
    (void)world, (void)before, (void)error;
    springs_edit(&state->springs, edit->material_to);
    return PD_OK;
}

static void serialize(pd_world *world, void *memory, pd_archive *archive) {
    ddr_state *state = memory;
    (void)world;
    springs_serialize(&state->springs, archive);
}

static size_t saved_bytes(const void *memory) {
    const ddr_state *state = memory;
    return springs_saved_bytes(&state->springs);
}

extern const pd_method pd_method_ddr;
const pd_method pd_method_ddr = {
    .info =
        {
            .name = "ddr",
            .title = "Double density relaxation",
            .source = "Clavet, Beaudoin, Poulin: Particle-based Viscoelastic Fluid Simulation, SCA 2005",
            .parameter_count = DDR_PARAMETERS,
            .features = PD_FEATURE_ATTRACTIONS | PD_FEATURE_VISCOSITY | PD_FEATURE_PROPERTIES | PD_FEATURE_TENSION |
                        PD_FEATURE_SPRINGS | PD_FEATURE_STICKINESS,
            .field_count = FIELDS,
            .view_count = sizeof views / sizeof *views,
        },
    .parameters = ddr_parameters,
    .fields = fields,
    .views = views,
    .state_size = sizeof(ddr_state),
    .columns = columns,
    .column_count = DDR_COLUMNS,
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
